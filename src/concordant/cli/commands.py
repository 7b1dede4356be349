"""The commands for two partitions: compare, suggest and components."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import partial
from importlib.metadata import version as version_of
from typing import TYPE_CHECKING, Annotated, Any

from concordant.catalogue.index import DEFAULT_FOR_EDITS, INDICES, Index
from concordant.comparisons import Comparison, compare
from concordant.counts.sides import SIDES
from concordant.differences.single_edits import KINDS
from concordant.differences.suggestions import Suggestion
from concordant.errors import (
    LengthError,
    MissingExtraError,
    NothingLeftError,
    ParameterError,
    UnmatchedError,
)
from concordant.trust.null_distributions import Tail
from concordant.trust.record_intervals import has_interval
from concordant.trust.significance import SignificanceMethod
from concordant.trust.units import has_unit_interval

if TYPE_CHECKING:
    from concordant.trust.slices import Slices

try:
    import typer
    from rich.console import Group, RenderableType

    from concordant.cli import (
        catalogue,
        diffs,
        hierarchies,
        inputs,
        limits,
        many,
        mentions,
        options,
        output,
        samples,
    )
    from concordant.cli.columns import FilePartition
    from concordant.cli.options import MembershipOptions, PairOptions, app, command
    from concordant.cli.output import Output, progress, prose
except ModuleNotFoundError as _error:
    _missing = (_error.name or "").partition(".")[0]
    if _missing not in ("typer", "rich"):
        raise
    raise MissingExtraError(
        f"the command line needs {_missing}, which is not installed; run: pip install 'concordant[cli]'"
    ) from None

__all__ = [
    "app",
    "catalogue",
    "diffs",
    "hierarchies",
    "many",
    "mentions",
    "samples",
]  # importing these declares their commands


def _show_version(asked: bool) -> None:
    if asked:
        output.write(f"concordant {version_of('concordant')}\n")
        raise typer.Exit


@app.callback()
def concordant(
    *,
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and exit."),
    ] = False,
) -> None:
    """Measure how similar two clusterings of the same set are.

    \b
    Examples:
      concordant compare truth.csv guess.csv
      concordant compare both.csv --columns truth,guess -i adjusted_rand
      concordant matrix runs/*.csv --html runs.html
      concordant suggest truth.csv guess.csv
      concordant consensus runs/*.csv -o consensus.csv
      concordant indices --family information
      concordant explain adjusted_rand_score

    Exit status: 0 done, 1 a limit of --fail-under or --fail-over was missed, 2 usage error or invalid input,
    70 an unexpected error.
    """


@command("compare")
def compare_files(
    *,
    files: PairOptions,
    weights: Annotated[
        str | None,
        typer.Option(metavar="COLUMN", help="The column of the reference with the record weights."),
    ] = None,
    memberships: MembershipOptions,
    index: options.IndicesOption = None,
    significance: Annotated[
        bool, typer.Option("--significance", help="Compare each index with chance, with a p-value.")
    ] = False,
    tail: Annotated[
        Tail, typer.Option(help="With --significance: more agreement (upper), less (lower), or either.")
    ] = "upper",
    method: Annotated[
        SignificanceMethod, typer.Option(help="With --significance: how p-values are computed.")
    ] = "auto",
    permutations: Annotated[
        int,
        typer.Option(metavar="NUMBER", min=1, help="Number of permutations for p-values that are not exact."),
    ] = 9999,
    interval: Annotated[
        bool,
        typer.Option(
            "--interval",
            help="Show the interval of each index, if the records (or --unit) are a random sample.",
        ),
    ] = False,
    by: options.ByOption = None,
    by_file: options.ByFileOption = None,
    limit: Annotated[
        int | None,
        typer.Option(metavar="NUMBER", min=1, help="With --by: number of slices to list."),
    ] = None,
    level: options.LevelOption = 0.95,
    unit: options.UnitOption = None,
    seed: options.SeedOption = 0,
    everything: Annotated[
        bool, typer.Option("--all", help="Every index by family, not only the most important ones.")
    ] = False,
    records: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="With --html: a row for each record, named as in --record or else in the first column.",
        ),
    ] = None,
    show: Annotated[
        str | None, typer.Option(metavar="A,B", help="With --records: its columns to show; all if not given.")
    ] = None,
    images: Annotated[
        str | None,
        typer.Option(metavar="COLUMN", help="With --records: a column of images, as data: URIs."),
    ] = None,
    fail_under: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=VALUE", help="Exit with 1 if the index is smaller; may be repeated."),
    ] = None,
    fail_over: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=VALUE", help="Exit with 1 if the index is larger; may be repeated."),
    ] = None,
    out: Output,
) -> None:
    """Compare two partitions in files; the reference comes first.

    \b
    Two files of records and their clusters, joined by record:
      concordant compare truth.csv guess.csv
      concordant compare truth.csv guess.csv --record id --cluster label
      concordant compare a.csv b.csv --record id --cluster reference=entity --cluster candidate=cluster
    One file with two columns of labels, one element per row:
      concordant compare both.csv --columns truth,guess
      cut -f 2,3 all.tsv | concordant compare - --separator tab --columns truth,guess
    Two files with one cluster per line, its elements separated:
      concordant compare truth.txt guess.txt --format clusters --unmatched singletons

    \b
    Files of any size: Parquet, JSON lines, large or compressed text, several files as one:
      concordant compare truth.parquet 'run/*.parquet' --record id --cluster label --memory 1GB
      concordant compare truth.parquet guess.csv.gz --engine duckdb --unmatched singletons

    Without --record and --cluster a file has two columns, record and cluster, or a single one, labels in the
    same order on both sides. SIDE is reference or candidate. Labels are text as written: 1 and 01 differ.

    \b
    Some indices only, for programs, as a page, and as a gate:
      concordant compare truth.csv guess.csv -i ARI -i 'f_measure(beta=2)'
      concordant compare truth.csv guess.csv --json --output run.json
      concordant compare truth.csv guess.csv --html diff.html --records people.csv --show name,born
      concordant compare truth.csv guess.csv --fail-under adjusted_rand=0.95
    Soft partitions, with a row for each record, cluster and weight; the other side may have labels:
      concordant compare a.parquet b.parquet --record id --cluster topic --membership weight
      concordant compare truth.csv topics.csv --membership candidate=weight --significance
    How certain the values are:
      concordant compare truth.csv guess.csv -i f_measure --significance --interval --unit document
    Which country is worst:
      concordant compare truth.csv guess.csv --by country --by-file records.csv
    """
    out.check(files.paths)
    index_of = memberships.index_finder()
    chosen = {name: index_of(name) for name in index or ()}
    gates = limits.limits(fail_under, fail_over, index_of)
    if unit is not None and not interval:
        raise ParameterError("--unit needs --interval: an interval leaves out one unit at a time")
    needs = {
        "--interval or --by": (interval or by is not None, {"level": level != 0.95}),
        "--by": (by is not None, {"by-file": by_file is not None, "limit": limit is not None}),
        "--significance": (
            significance,
            {"tail": tail != "upper", "method": method != "auto", "permutations": permutations != 9999},
        ),
        "--interval or --significance": (interval or significance, {"seed": seed != 0}),
    }
    for flag, (is_given, others) in needs.items():
        for option, is_changed in others.items():
            if is_changed and not is_given:
                raise ParameterError(f"--{option} has no effect without {flag}")
    how: dict[str, Any] = {"tail": tail, "method": method, "permutations": permutations, "seed": seed}
    if memberships.membership:
        for option, value in {"weights": weights, "unit": unit, "records": records, "by": by}.items():
            if value is not None:
                raise ParameterError("this cannot be combined with --membership", given={option: value})
        from concordant.cli.soft import compare_memberships  # labels do without it

        compare_memberships(
            files,
            memberships,
            chosen,
            out,
            everything=everything,
            significance=how if significance else None,
            interval={"level": level, "seed": seed} if interval else None,
            gates=gates,
        )
        return
    shown = inputs.shown_records(records, show, images, files, has_page=out.html is not None)
    with inputs.opened_pair(files) as sides:
        with progress("comparing"):
            weighed = None if weights is None else inputs.weights(weights, files, sides[0])
            result = _compared(sides, files, weights=weighed)
            trust: dict[str, dict[str, Any]] = {}
            if significance:
                names = list(chosen) or [each.name for each in INDICES.headline if each.shares == "n11"]
                trust["significance"] = output.each_with_progress(partial(result.significance, **how), names)
            if interval:
                is_known = has_interval if unit is None else has_unit_interval
                names = list(chosen) or [x for x in result.headline_indices if is_known(INDICES[x])]
                units = inputs.units(unit, files, sides[0])
                trust["interval"] = output.each_with_progress(
                    partial(result.interval, level=level, unit=units, seed=seed), names
                )
            sliced = None
            if by is not None:
                sliced = result.by(**inputs.slices(by, by_file, files, sides[0]), level=level, limit=limit)
            answer = _answer(result, sides, chosen, trust, sliced, as_json=out.as_json, everything=everything)
            missed = [gate(result) for gate in gates]
        drawn = {"interval": trust.get("interval", {}).values(), "indices": list(chosen) or None, **shown}
        out.draw(result.to_html, names=inputs.short_names(files), by=sliced, **drawn)
    out.deliver(answer)
    if files.format == "clusters" and files.separator is None and (chosen or out.as_json):
        typer.echo(
            inputs.origins(sides).rstrip(), err=True
        )  # the separator was inferred, and is shown only here
    limits.exit_if_missed(missed)


def _compared(sides: Sequence[FilePartition], files: PairOptions, weights: Any = None) -> Comparison:
    u, v = sides
    noise: dict[str, Any] = inputs.label_options(files, u)
    noise |= {f"{side}_noise": files.label_treatments(side) for side in SIDES}
    try:
        found: Comparison = compare(
            u.elements,
            v.elements,
            unmatched=files.unmatched,
            undefined=files.undefined,
            table_limit=files.table_limit,
            threads=files.threads,
            weights=weights,
            **noise,
        )
    except (LengthError, NothingLeftError, UnmatchedError) as error:
        error.add_note(f"reference {u.origin}; candidate {v.origin}")
        raise
    return found


def _answer(
    result: Comparison,
    sides: Sequence[FilePartition],
    chosen: Mapping[str, Index],
    trust: Mapping[str, Mapping[str, Any]],
    sliced: Slices | None = None,
    *,
    as_json: bool,
    everything: bool,
) -> RenderableType:
    """JSON, a few indices, or all; intervals are beside their indices, p-values below."""
    if as_json:
        document = json.loads(result.to_json(*chosen))
        for question, answers in trust.items():
            document[question] = {name: each.to_dict() for name, each in answers.items()}
        if sliced is not None:
            document["by"] = json.loads(sliced.to_json())
        return json.dumps(document, indent=2, ensure_ascii=False) + "\n"
    intervals, tests = trust.get("interval", {}), trust.get("significance", {})
    if chosen:
        shown: RenderableType = catalogue.chosen(result, chosen, intervals)
    else:
        text = result.to_text("all" if everything else "terminal", interval=intervals.values())
        shown = prose(f"{inputs.origins(sides)}\n{text}")
        for pattern, style in ((r"(?m)^\S.*$", "bold"), (r"[█▏▎▍▌▋▊▉]+", "cyan"), (r"·{2,}", "dim")):
            shown.highlight_regex(pattern, style)
    parts = [shown]
    if tests:
        parts.append(prose("\n".join(["\nsignificance", *(f"  {each!r}" for each in tests.values())])))
    if sliced is not None:
        parts.append(prose(f"\n{sliced}"))
    return Group(*parts)


# -- edits and components -----------------------------------------------------------------------------


@command("suggest", omit=("html",))
def suggest_edits(
    *,
    files: PairOptions,
    index: Annotated[
        str, typer.Option("--index", "-i", metavar="NAME", help="The index to improve.")
    ] = DEFAULT_FOR_EDITS,
    kind: Annotated[
        list[str] | None,
        typer.Option(metavar="[merge|split|move]", help="Only edits of this kind; may be repeated."),
    ] = None,
    limit: options.LimitOption = 20,
    steps: Annotated[
        int,
        typer.Option(
            metavar="NUMBER", min=0, help="Apply the best edit this many times, and list the applied edits."
        ),
    ] = 0,
    out: Output,
) -> None:
    """Suggest single edits to the candidate, best first: clusters to merge and split, records to move.

    \b
    Each line has an edit, or all small edits of one kind, the value of the index after it, and the gain:
      concordant suggest truth.csv guess.csv
      concordant suggest truth.csv guess.csv --index f_measure --kind merge --limit 5
    Apply the best edit, then the next best, --steps times:
      concordant suggest truth.csv guess.csv --steps 10
    For programs:
      concordant suggest truth.csv guess.csv --json --output edits.json

    Files are read as in `concordant compare`.
    """
    out.check(files.paths)
    with inputs.opened_pair(files) as sides, progress("comparing") as done:
        suggestions = _compared(sides, files).suggest(index, kind or KINDS, limit)
        start, name = suggestions.value, suggestions.by
        made: list[Suggestion] = []
        while len(made) < steps and len(suggestions):
            made.append(suggestions[0])
            suggestions = suggestions.apply()
            done(len(made), steps)
        if out.as_json:
            edits = [
                {"kind": each.kind, **(each.arguments if each.names_records else {"clusters": each.clusters})}
                | {key: getattr(each, key) for key in ("reference", "records", "value", "gain")}
                for each in (made if steps else suggestions)
            ]
            groups = [
                {key: getattr(group, key) for key in ("kind", "edits", "records", "value", "gain")}
                for group in ([] if steps else suggestions.groups)
            ]
            document = {"index": name, "value": start, "edits": edits, "groups": groups}
            answer = json.dumps(document, indent=2, default=str)
        elif steps:
            lines = [
                f"{name} {suggestions.shown(start)}",
                *(f"  {each}" for each in made),
                f"{name} {suggestions.shown(suggestions.value)}",
            ]
            answer = "\n".join(lines)
        else:
            answer = str(suggestions)
    out.deliver(answer + "\n" if out.as_json else prose(answer))


@command("components", omit=("undefined", "html"))
def list_components(
    *,
    files: PairOptions,
    limit: options.LimitOption = 20,
    out: Output,
) -> None:
    """List the components in which clusters overlap many to many, and the few records that link their parts.

    \b
      concordant components truth.csv guess.csv
      concordant components truth.parquet guess.parquet --record id --cluster label --limit 5
      concordant components truth.csv guess.csv --json --output components.json

    Files are read as in `concordant compare`.
    """
    out.check(files.paths)
    with inputs.opened_pair(files) as sides, progress("comparing"):
        result = _compared(sides, files).components(limit)
        answer = result.to_json() + "\n" if out.as_json else prose(str(result))
    out.deliver(answer)
