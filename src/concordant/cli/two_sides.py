"""The commands for two partitions: compare, suggest and components."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Group, RenderableType

from concordant.cli import inputs, options, output
from concordant.cli.columns import FilePartition
from concordant.cli.options import (
    NEEDS_SIGNIFICANCE,
    ConventionOptions,
    GateOptions,
    MembershipOptions,
    PairOptions,
    SignificanceOptions,
    command,
)
from concordant.cli.output import Output, answer, progress, prose
from concordant.comparisons import Comparison, compare
from concordant.counts.conventions import SIDES, TABLE_LIMIT
from concordant.differences.single_edits import KINDS
from concordant.differences.suggestions import Suggestion
from concordant.errors import LengthError, NothingLeftError, ParameterError, UnmatchedError
from concordant.indices.index import DEFAULT_FOR_EDITS, INDICES
from concordant.report import format_value
from concordant.report.terminal import interval_notes
from concordant.report.values import format_interval

if TYPE_CHECKING:
    from concordant.comparisons.soft import SoftComparison
    from concordant.trust.interval import Interval
    from concordant.trust.slices import Slices


@command(
    "compare",
    needs=NEEDS_SIGNIFICANCE
    | {
        "level": ("interval", "by"),
        "by_file": ("by",),
        "limit": ("by",),
        "seed": ("interval", "significance"),
    },
)
def compare_files(
    *,
    files: PairOptions,
    conventions: ConventionOptions,
    weights: Annotated[
        str | None,
        typer.Option(metavar="COLUMN", help="The column of the reference with the record weights."),
    ] = None,
    memberships: MembershipOptions,
    index: options.IndicesOption = None,
    chance: SignificanceOptions,
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
    limits: GateOptions,
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
    gates = limits.gates(index_of)
    if unit is not None and not interval:
        raise ParameterError("--unit needs --interval: an interval leaves out one unit at a time")
    table_limit = None if conventions.table_limit == TABLE_LIMIT else conventions.table_limit
    memberships.refuse(files, weights=weights, unit=unit, records=records, by=by, table_limit=table_limit)
    is_soft = bool(memberships.membership)
    with inputs.opened(
        files.paths,
        files,
        columns=files.columns,
        memberships=memberships,
        needs_engine=memberships.for_engine,
    ) as sides:
        shown = inputs.shown_records(records, show, images, sides[0], has_page=out.html is not None)
        with progress("comparing"):
            weighed = None if weights is None else inputs.weights(weights, sides[0], files)
            result = _compared(sides, files, conventions, weighed, is_soft=is_soft)
            tests = chance.tests(result, chosen or _names_with_test(is_soft=is_soft), seed)
            intervals: dict[str, Any] = {}
            if interval:
                how = {"confidence": level, "seed": seed}
                how |= {} if is_soft else {"unit": inputs.units(unit, sides[0], files)}
                asked = list(chosen) or _names_with_interval(result, unit, is_soft=is_soft)
                intervals = output.each_with_progress(partial(result.interval, **how), asked)
            sliced = None
            if by is not None:
                sliced = result.slices(
                    **inputs.slices(by, by_file, sides[0], files), confidence=level, limit=limit
                )
        trust = {"significance": tests, "interval": intervals}
        names = list(chosen) or None
        if is_soft and everything and not chosen:
            names = [*result.keys(), *result.omitted]
        page: dict[str, Any] = {"indices": names}
        page |= {"significance": chance.significance} if is_soft else {"slices": sliced, **shown}
        origins = inputs.origins(sides)
        # Origins name the separator, if it was inferred; JSON and a few indices have no origins.
        is_inferred = files.format == "clusters" and files.separator is None
        answer(
            result,
            out,
            note=origins.rstrip() if is_inferred and (chosen or out.as_json) else "",
            text=partial(
                _text, result, chosen, trust, sliced, origins=origins, names=names, everything=everything
            ),
            document=partial(_document, result, names, trust, sliced),
            page=partial(result.to_html, interval=intervals.values(), **page),
            gates=gates,
        )


def _compared(
    sides: Sequence[FilePartition],
    files: PairOptions,
    conventions: ConventionOptions,
    weights: Any = None,
    *,
    is_soft: bool = False,
) -> Any:
    """The comparison of two sides; errors name their files."""
    u, v = sides
    how: dict[str, Any] = inputs.label_options(files, u) | vars(conventions)
    how |= {f"{side}_noise": files.label_treatments(side) for side in SIDES}
    try:
        result: Any = compare(u.elements, v.elements, weights=weights, names=inputs.short_names(files), **how)
        if is_soft:
            _ = result.counts.gram  # reads the files now, so their errors are raised here
    except (LengthError, NothingLeftError, UnmatchedError) as error:
        error.add_note(f"reference {u.origin}; candidate {v.origin}")
        raise
    return result


def _names_with_test(*, is_soft: bool) -> list[str]:
    """The indices whose p-value is shown, unless some are asked for."""
    if is_soft:
        from concordant.indices.soft import DEFAULT_SOFT_INDEX  # labels do without it

        return [DEFAULT_SOFT_INDEX]
    return [each.name for each in INDICES.headline if each.shares == "n11"]


def _names_with_interval(result: Any, unit: str | None, *, is_soft: bool) -> list[str]:
    """The indices whose interval is shown, unless some are asked for."""
    if is_soft:
        from concordant.trust.soft_interval import has_soft_interval

        return [name for name in result if has_soft_interval(name)]
    from concordant.trust.record_intervals import has_interval  # slow to import, and rarely needed
    from concordant.trust.units import has_unit_interval

    is_known = has_interval if unit is None else has_unit_interval
    return [name for name in result.headline_indices if is_known(INDICES[name])]


def _document(
    result: Comparison | SoftComparison,
    names: Sequence[str] | None,
    trust: Mapping[str, Mapping[str, Any]],
    sliced: Slices | None,
) -> dict[str, Any]:
    """The comparison as data, with its p-values, intervals and slices."""
    values = result.to_dict(indices=names)
    known: Any = result
    is_soft = known.counts.kind in ("soft", "draws")
    sides = map(len, known.counts.sides.clusters) if is_soft else known._clusters
    document: dict[str, Any] = {
        "signature": result.signature,
        "headline": result.headline,
        "records" if is_soft else "elements": result.size,
        "clusters": dict(zip(SIDES, sides, strict=True)),
        "in_no_cluster": {} if is_soft else dict(zip(SIDES, known._in_no_cluster, strict=True)),
        "indices": values,
        "undefined": [name for name in values if known._index(name).is_undefined(known.counts)],
        "omitted": [] if names else list(result.omitted),
    }
    for question, answers in trust.items():
        if answers:
            document[question] = {name: each.to_dict() for name, each in answers.items()}
    return document if sliced is None else document | {"by": sliced.to_dict()}


def _text(
    result: Comparison | SoftComparison,
    chosen: Mapping[str, Any],
    trust: Mapping[str, Mapping[str, Any]],
    sliced: Slices | None,
    *,
    origins: str,
    names: Sequence[str] | None,
    everything: bool,
) -> RenderableType:
    """A few indices, or all; p-values are below, and intervals beside their indices if possible."""
    intervals = trust["interval"].values()
    listed = dict(trust)
    if chosen:
        shown: RenderableType = _few(result, chosen, trust["interval"])
        del listed["interval"]
    else:
        if isinstance(result, Comparison):
            text = result.to_text(form="all" if everything else "terminal", interval=intervals)
            del listed["interval"]
        else:
            text = result.to_text(indices=names)
        shown = prose(f"{origins}\n{text}")
        for pattern, style in ((r"(?m)^\S.*$", "bold"), (r"[█▏▎▍▌▋▊▉]+", "cyan"), (r"·{2,}", "dim")):
            shown.highlight_regex(pattern, style)
    parts = [shown]
    for question, answers in listed.items():
        if answers:
            parts.append(prose("\n".join([f"\n{question}", *(f"  {each!r}" for each in answers.values())])))
    if sliced is not None:
        parts.append(prose(f"\n{sliced}"))
    return Group(*parts)


def _few(
    comparison: Comparison | SoftComparison,
    indices: Mapping[str, Any],  # of the kind that the comparison has
    intervals: Mapping[str, Interval],
) -> RenderableType:
    """A few indices of a comparison, under the names they were asked for by, with their intervals."""
    table = output.columns(5)
    table.columns[1].justify = "right"
    if levels := {each.confidence for each in intervals.values()}:
        table.add_row("", "value", f"{levels.pop() * 100:g}% interval", "range", "")
    for spelling, index in indices.items():
        note = "0/0 for these partitions" if index.is_undefined(comparison.counts) else ""
        if not comparison.counts.size:
            note = "a convention: nothing was compared (n=0)"
        words = format_interval(intervals[spelling]) if spelling in intervals else ""
        table.add_row(spelling, format_value(comparison[spelling]), words, index.range_text, note)
    notes = interval_notes(intervals.values())
    return Group(table, prose("\n".join(["", *notes]))) if notes else table


# -- edits and components -----------------------------------------------------------------------------


@command("suggest", omit=("html",))
def suggest_edits(
    *,
    files: PairOptions,
    conventions: ConventionOptions,
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
    with inputs.opened(files.paths, files, columns=files.columns) as sides:
        with progress("comparing") as done:
            first = _compared(sides, files, conventions).suggest(index, kinds=kind or KINDS, limit=limit)
            last = first
            made: list[Suggestion] = []
            while len(made) < steps and len(last):
                made.append(last[0])
                last = last.apply()
                done(len(made), steps)
        edits = made if steps else last
        groups = [] if steps else last.groups

        def document() -> dict[str, Any]:
            return {
                "index": first.by,
                "value": first.value,
                "edits": [
                    {"kind": each.kind}
                    | (each.arguments if each.names_records else {"clusters": each.clusters})
                    | {key: getattr(each, key) for key in ("reference", "records", "value", "gain")}
                    for each in edits
                ],
                "groups": [
                    {key: getattr(group, key) for key in ("kind", "edits", "records", "value", "gain")}
                    for group in groups
                ],
            }

        def text() -> str:
            if not steps:
                return str(first)
            start, end = (f"{each.by} {each._shown(each.value)}" for each in (first, last))
            return "\n".join([start, *(f"  {each}" for each in made), end])

        answer(first, out, text=text, document=document)


@command("components", omit=("undefined", "html"))
def list_components(
    *,
    files: PairOptions,
    conventions: ConventionOptions,
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
    with inputs.opened(files.paths, files, columns=files.columns) as sides:
        with progress("comparing"):
            result = _compared(sides, files, conventions).components(limit)
        answer(result, out)
