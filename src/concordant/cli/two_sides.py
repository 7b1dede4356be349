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
    DECISIONS,
    NEEDS_SIGNIFICANCE,
    ConventionOptions,
    DecisionOptions,
    GateOptions,
    KindOptions,
    PairOptions,
    SignificanceOptions,
    command,
)
from concordant.cli.output import Output, answer, progress, prose
from concordant.clusterings.partition import Partition
from concordant.comparisons import Comparison, compare
from concordant.differences.lazy_list import LazyList
from concordant.errors import LengthError, NothingLeftError, ParameterError, UnmatchedError
from concordant.foundation.conventions import SIDES, TABLE_LIMIT
from concordant.indices.index import INDICES
from concordant.report import format_value
from concordant.report.terminal import interval_notes
from concordant.report.values import format_interval
from concordant.sources.text_files import read_text

if TYPE_CHECKING:
    from concordant.differences.suggestions import Suggestion, Suggestions
    from concordant.indices.values import IndexValues
    from concordant.inference.interval import Interval


@command(
    "compare",
    compare,
    Comparison.significance,
    Comparison.interval,
    Comparison.slices,
    needs=NEEDS_SIGNIFICANCE
    | {
        "confidence": ("interval", "by"),
        "limit": ("by", "lists"),
        "seed": ("interval", "significance"),
        "unit": ("interval",),
        "unit_sizes": ("interval",),
    },
)
def compare_files(
    *,
    files: PairOptions,
    conventions: ConventionOptions,
    kind: KindOptions,
    decisions: DecisionOptions,
    index: options.IndicesOption = None,
    between: Annotated[
        str | None,
        typer.Option(
            metavar="COLUMN", help="The first file's column of sources: only pairs between sources count."
        ),
    ],
    everything: Annotated[
        bool, typer.Option("--all", help="Every index by family, not only the main ones.")
    ] = False,
    lists: options.ListOptions,
    by: options.ByOption = None,
    details: options.DetailsOption = None,
    show: options.ShowOption = None,
    images: options.ImagesOption = None,
    chance: SignificanceOptions,
    interval: options.IntervalOption = False,
    confidence: options.ConfidenceOption,
    unit: options.UnitOption,
    unit_sizes: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="The numbers of records of all units, one in each line."),
    ],
    seed: options.SeedOption,
    limits: GateOptions,
    out: Output,
) -> None:
    """Compare two partitions in files; the reference comes first.

    \b
      concordant compare truth.csv guess.csv
      concordant compare a.csv b.csv --record id --cluster reference=entity --cluster candidate=cluster
      concordant compare both.csv --columns truth,guess -i ARI -i 'f_measure(beta=2)'
      concordant compare truth.txt guess.txt --format clusters --unmatched singletons
      concordant compare truth.csv guess.csv --fail-under adjusted_rand=0.95 --html diff.html

    Without --record and --cluster a file has two columns, record and cluster, or a single one, labels in the
    same order on both sides. SIDE is reference or candidate. Labels are text as written: 1 and 01 differ.

    \b
    One file with two columns of labels, one record per row, here from a pipe:
      cut -f 2,3 all.tsv | concordant compare - --separator tab --columns truth,guess
    Files of any size: Parquet, JSON lines, large or compressed text, several files as one:
      concordant compare truth.parquet 'run/*.parquet' --record id --cluster label --memory 1GB
      concordant compare truth.parquet guess.csv.gz --memory 1GB --unmatched singletons
    For programs, and as a page with more about the records:
      concordant compare truth.csv guess.csv --json --output run.json
      concordant compare truth.csv guess.csv --html diff.html --details people.csv --show name,born
    Soft partitions, with a row for each record, cluster and weight; the other side may have labels:
      concordant compare a.parquet b.parquet --record id --cluster topic --membership weight
      concordant compare truth.csv topics.csv --membership candidate=weight --significance
    How certain the values are, and whether the lower bound is good enough:
      concordant compare truth.csv guess.csv -i f_measure --significance --interval --unit document
      concordant compare truth.csv guess.csv --interval --fail-under f_measure.low=0.9
    Databases that are linked: only pairs of records of different sources count.
      concordant compare truth.csv guess.csv --between source --list within_sources
    Decisions of people about pairs of records, which no run may break:
      concordant compare truth.csv guess.csv --different decided.csv --fail-over different_broken=0
    Which country is worst, and whether each is good enough:
      concordant compare truth.csv guess.csv --by country --details records.csv
      concordant compare truth.csv guess.csv --by country --fail-under de:adjusted_rand=0.9
    """
    sides = inputs.sides_of(files, reference=files.reference, candidate=files.candidate)
    out.check([*sides.paths, details, unit_sizes, decisions.same, decisions.different])
    chosen = {name: kind.find(name) for name in index or ()}
    gates = limits.gates(
        lambda name: name if name in DECISIONS else kind.find(name),
        needs="" if interval or by else "--interval",
    )
    lists.check(kind.lists)
    table_limit = None if conventions.table_limit == TABLE_LIMIT else conventions.table_limit
    by_unit = None if unit == "record" else unit
    kind.check(
        files,
        weights=conventions.weights,
        interval=interval or None,
        unit=by_unit,
        unit_sizes=unit_sizes,
        details=details,
        by=by,
        between=between,
        table_limit=table_limit,
        **vars(decisions),
    )
    with inputs.opened(
        sides,
        files,
        kind=kind,
        needs_engine=kind.for_engine,
        in_memory=conventions.weights is not None,
    ) as found:
        has_use = by is not None or out.html is not None
        shown = inputs.shown_records(details, show, images, found[0], has_use=has_use)
        with progress("comparing"):
            how = {"between": inputs.values_of_source(between, found[0]), **vars(decisions)}
            result = _compared(sides, found, files, conventions, **how)
            parts: dict[str, Any] = {"decisions": result.decisions} if any(vars(decisions).values()) else {}
            if chance.significance:
                parts["significance"] = chance.tests(result, chosen or result._tested, seed)
            if interval:
                sample = {"unit": inputs.units(unit, found[0]), "unit_sizes": _unit_sizes(unit_sizes)}
                sample |= {"confidence": confidence, "seed": seed}
                asked = list(chosen) or _names_with_interval(result, unit)
                asked += [gate.index for gate in gates if gate.index not in [*asked, *DECISIONS]]
                parts["interval"] = output.each_with_progress(partial(result.interval, **sample), asked)
            if by is not None:
                sliced = inputs.slices(by, details, found[0])
                parts["slices"] = result.slices(**sliced, confidence=confidence, limit=lists.limit)
            parts |= lists.of(result)
        names = list(chosen) or (kind.every_index(result) if everything else None)
        origins = inputs.origins(sides, found)
        # Origins name the separator, if it was inferred; JSON and a few indices have no origins.
        is_inferred = files.format == "clusters" and files.separator is None
        answer(
            result,
            out,
            parts=parts,
            indices=names,
            note=origins.rstrip() if is_inferred and (chosen or out.as_json) else "",
            text=partial(
                _text, result, chosen, parts, kind, origins=origins, names=names, everything=everything
            ),
            page=partial(result.to_html, indices=names, **kind.page(parts, shown)),
            gates=gates,
            worst=result._worst,
        )


def _compared(
    sides: inputs.FileSides,
    found: Sequence[FilePartition],
    files: PairOptions,
    conventions: ConventionOptions,
    **more: Any,
) -> Any:
    """The comparison of two sides; errors name their files."""
    u, v = found
    how = more | inputs.options_of(files, u, conventions) | {"names": sides.names}
    how |= {f"{side}_noise": files.label_treatments(side) for side in SIDES}
    try:
        return compare(u.elements, v.elements, **how)
    except (LengthError, NothingLeftError, UnmatchedError) as error:
        error.add_note(f"reference {u.origin}; candidate {v.origin}")
        raise


def _unit_sizes(path: str | None) -> list[int] | None:
    """The numbers in a file; other words are refused where they are used."""
    if path is None:
        return None
    return [int(word) if word.isdecimal() else 0 for word in read_text(path).split()]


def _names_with_interval(result: Any, unit: str) -> list[str]:
    """The indices whose interval is shown, unless some are asked for."""
    from concordant.inference.clustered_intervals import has_unit_interval
    from concordant.inference.record_intervals import has_interval  # slow to import, and rarely needed

    is_known = has_interval if unit == "record" else has_unit_interval
    return [name for name in result.headline_indices if is_known(INDICES[name])]


def _text(
    result: IndexValues,
    chosen: Mapping[str, Any],
    parts: Mapping[str, Any],
    kind: KindOptions,
    *,
    origins: str,
    names: Sequence[str] | None,
    everything: bool,
) -> RenderableType:
    """A few indices, or all; p-values are below, and intervals beside their indices if possible."""
    intervals = parts.get("interval", {})
    listed = {name: part for name, part in parts.items() if name != "interval"}
    if chosen:
        shown: RenderableType = _few(result, chosen, intervals)
    else:
        text = kind.text(result, names, intervals.values(), everything=everything)
        shown = prose(f"{origins}\n{text}")
        for pattern, style in ((r"(?m)^\S.*$", "bold"), (r"[█▏▎▍▌▋▊▉]+", "cyan"), (r"·{2,}", "dim")):
            shown.highlight_regex(pattern, style)
    texts = [shown]
    for question, part in listed.items():
        if isinstance(part, dict):
            texts.append(prose("\n".join([f"\n{question}", *(f"  {each!r}" for each in part.values())])))
        else:
            texts.append(prose(f"\n{part}"))
    return Group(*texts)


def _few(
    comparison: IndexValues,
    indices: Mapping[str, Any],  # of the kind that the comparison has
    intervals: Mapping[str, Interval],
) -> RenderableType:
    """A few indices of a comparison, under the names they were asked for by, with their intervals."""
    table = output.columns(5)
    table.columns[1].justify = "right"
    if levels := {each.confidence for each in intervals.values()}:
        table.add_row("", "value", f"{levels.pop() * 100:g}% interval", "range", "")
    for spelling, index in indices.items():
        note = "0/0 for these partitions" if index.is_undefined(comparison._counts) else ""
        if not comparison._counts.size:
            note = "a convention: nothing was compared (n=0)"
        words = format_interval(intervals[spelling]) if spelling in intervals else ""
        table.add_row(spelling, format_value(comparison[spelling]), words, index.range_text, note)
    notes = interval_notes(intervals.values())
    return Group(table, prose("\n".join(["", *notes]))) if notes else table


# -- edits and components -----------------------------------------------------------------------------


@command("suggest", compare, Comparison.suggest)
def suggest_edits(
    *,
    files: PairOptions,
    conventions: ConventionOptions,
    decisions: DecisionOptions,
    index: Annotated[str, typer.Option("--index", "-i", metavar="NAME", help="The index to improve.")],
    kind: Annotated[
        list[str],
        typer.Option(metavar="[merge|split|move]", help="Only edits of this kind; may be repeated."),
    ],
    limit: options.LimitOption,
    steps: Annotated[
        int,
        typer.Option(
            metavar="NUMBER", min=0, help="Apply the best edit this many times, and list the applied edits."
        ),
    ] = 0,
    labels: options.LabelsOption = None,
    limits: GateOptions,
    out: Output,
) -> None:
    """Suggest single edits to the candidate, best first: clusters to merge and split, records to move.

    \b
      concordant suggest truth.csv guess.csv
      concordant suggest truth.csv guess.csv --index f_measure --kind merge --limit 5
      concordant suggest truth.csv guess.csv --steps 10 --labels edited.csv
      concordant suggest truth.csv guess.csv --json --output edits.json

    Each line has an edit, or all small edits of one kind, the value of the index after it, and the gain.
    With --steps, the best edit is applied, then the next best; --labels writes the clusters after them.
    No edit breaks a decision of --same and --different.
    Files are read as in `concordant compare`. Gates are for the index after the last step.
    """
    sides = inputs.sides_of(files, reference=files.reference, candidate=files.candidate)
    out.check([*sides.paths, decisions.same, decisions.different], labels=labels)
    gates = limits.gates(INDICES.__getitem__)
    if labels is not None and not steps:
        raise ParameterError("this needs --steps, the number of edits to apply", given={"labels": labels})
    in_memory = bool(steps or conventions.weights or decisions.same or decisions.different)
    with inputs.opened(sides, files, in_memory=in_memory) as found:
        with progress("comparing") as done:
            edited = _compared(sides, found, files, conventions, **vars(decisions))
            first = last = edited.suggest(index, kinds=kind, limit=limit)
            made: list[Suggestion] = []
            while len(made) < steps and len(last):
                made.append(last[0])
                last = last.apply()
                done(len(made), steps)
            if made and (labels is not None or gates):
                edited = last.compare()
        if labels is not None:
            changed = {each.record: each.candidate for each in edited.records(limit=None)}
            records = found[1].elements if isinstance(found[1].elements, dict) else sorted(changed)
            clusters = {record: changed[record] for record in records if record in changed}
            Partition.from_mapping(clusters).write(labels)
        result: LazyList[Suggestion] = first
        if steps:
            result = LazyList(made, columns=first._columns, title=first._title(), origin=first._origin)
        answer(
            result,
            out,
            text=partial(_applied, first, made, last) if steps else None,
            page=result.to_html,
            gates=gates,
            gated=[edited],
        )


def _applied(first: Suggestions, made: Sequence[Suggestion], last: Suggestions) -> str:
    """The edits that were applied, between the values before and after them."""
    start, end = (f"{each.objective} {each._shown(each.value)}" for each in (first, last))
    return "\n".join([start, *(f"  {each}" for each in made), end])
