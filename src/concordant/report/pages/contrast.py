"""Sections of the page of a contrast: what the second candidate fixed and broke, and what is still wrong."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import isnan
from typing import Any, TypeVar

from concordant.counts.spelling import counted, number_text, percent
from concordant.differences.lazy_list import LazyList
from concordant.differences.outcomes import (
    OUTCOMES,
    ClusterOutcome,
    ContrastSummary,
    IndexContrast,
    Outcome,
    RecordOutcome,
    outcome_words,
)
from concordant.differences.verdicts import CountedUnit
from concordant.indices.index import INDICES
from concordant.report.charts import svg
from concordant.report.labels import PageLabels
from concordant.report.pages.page import (
    Section,
    both_shapes,
    cells,
    escape,
    note,
    sortable_table,
    table_row,
)
from concordant.report.palette import verdict_class
from concordant.report.sentences import side_title
from concordant.report.values import Line, bar_length, drawn_length, format_value

_Listed = TypeVar("_Listed")

_CLASSES: dict[Outcome, str] = {
    "fixed": "fixed",
    "broken": "broken",
    "still_wrong": "still-wrong",
    "still_right": "still-right",
}
_MEANING: dict[Outcome, str] = {
    "fixed": "wrong {0}, right {1}",
    "broken": "right {0}, wrong {1}",
    "still_wrong": "wrong {0} and {1}",
    "still_right": "right {0} and {1}",
}


def outcome_bars(summary: ContrastSummary, thresholds: object) -> str:
    """The numbers of clusters, records and pairs of each outcome, as bars with legends."""
    weighed = ", by weight" if summary._unit == "weight" else ""
    rows = (
        ("Clusters of the reference", summary.clusters),
        (f"Records{weighed}", summary.records),
        (f"Pairs that belong together{weighed}", summary.missed),
        (f"Pairs that do not belong together{weighed}", summary.wrong),
    )
    bars = ""
    for title, counts in rows:
        total = sum(map(Fraction, counts.values()))  # weights may be beyond floats
        shares = {each: float(Fraction(counts[each]) / total) for each in OUTCOMES if counts[each]}
        segments = "".join(
            f'<i class="outcome-{_CLASSES[each]}" style="flex:{share:.5f} 1 0"></i>'
            for each, share in shares.items()
        )
        legend = "".join(
            f'<li class="outcome-{_CLASSES[each]}"><b>{number_text(counts[each])} {outcome_words(each)}</b> '
            f'<span class="quiet">{escape(percent(counts[each], total)) if total else ""}</span></li>'
            for each in OUTCOMES
        )
        bars += (
            f'<p class="bar-title">{title}</p><div class="verdicts" aria-hidden="true">{segments}</div>'
            f'<ul class="legend">{legend}</ul>'
        )
    meaning = (
        f"A cluster is right if it is exact or nearly exact ({escape(str(thresholds))}), a record if it is "
        "in the core of its cluster (the overlap that is the largest part of both its clusters), and a "
        "pair if it is together or apart as in the reference. All numbers are exact, and each row adds up."
    )
    return bars + note(meaning)


# -- indices ----------------------------------------------------------------------------------------


def indices_section(
    lines: Sequence[IndexContrast],
    names: Sequence[str],
    size: int,
    interval_title: str,
    intervals: Sequence[str],
) -> Section:
    """The indices before and after; ``intervals`` of the differences, if the records are a sample."""
    name = "Indices {} and {}".format(*map(_within, names[1:]))
    drawings = both_shapes(lambda narrow: _slopes(lines, size, narrow=narrow), name)
    rows = []
    for place, line in enumerate(lines):
        change = line.after - line.before
        signed_change = f"{'+' if change > 0 else ''}{format_value(change)}"
        row = cells(escape(INDICES[line.index].title), line.before, line.after, (change, signed_change))
        if interval_title:
            ends = "" if isnan(line.low) else f' data-low="{line.low!r}" data-high="{line.high!r}"'
            row += f"<td{ends}>{intervals[place]}</td>"
        rows.append(f"<tr>{row}{cells(line.outcome)}</tr>")
    before, after = (escape(side_title(name)) for name in names[1:])
    heads = [("Index", ""), (before, "number"), (after, "number"), ("Difference", "number")]
    heads += [*([(f"{interval_title} of it", "")] if interval_title else []), ("Outcome", "")]
    lead = (
        f"A ring is {before}, a dot {after}; lines run from the chance value, or the lowest value, to the "
        "highest. Blue is better, orange worse"
    )
    lead += (
        ", and grey unclear: the interval contains 0. Intervals show how the difference would vary for other "
        "records of the same population (paired jackknife)."
        if interval_title
        else ", on these records. If they are a sample, <code>contrast(..., interval=True)</code>, or "
        "<code>--interval</code> on the command line, adds intervals."
    )
    body = f"<figure>{drawings}</figure>{sortable_table('index-list', heads, rows, name)}"
    return Section("The most used indices (dot plot)", body, lead=lead, key="indices", short="Indices")


def _slopes(indices: Sequence[IndexContrast], size: int, *, narrow: bool) -> svg.Drawing:
    """Each index as a line with its value before and after."""
    width = svg.NARROW if narrow else svg.WIDE
    top, tall = (36.0, 44.0) if narrow else (18.0, 30.0)  # names are above their lines, or beside them
    lines = []
    for line in indices:
        index, values = INDICES[line.index], (line.before, line.after)
        ends = [bar_length(Line(index, value, undefined=False), size) for value in values]
        if ends[0] is not None and ends[1] is not None:
            lines.append((index, drawn_length(ends[0]), drawn_length(ends[1]), line))
    low = min([0.0, *(x for line in lines for x in line[1:3])])
    names = [svg.plain(index.title, 48) for index, *_ in lines]
    left = 8.0 if narrow else max((svg.width(name, narrow=False) for name in names), default=0.0) + 14

    def x_of(length: float) -> float:
        return left + (width - left - 16) * (length - low) / (1 - low)

    body = ""
    for place, (index, before, after, line) in enumerate(lines):
        y = top + tall * place
        kind = {"better": "core", "worse": "stray"}.get(line.outcome, "reference")
        title = f"{index.title}: {format_value(line.before)} → {format_value(line.after)}"
        body += svg.text(names[place], x=2, y=y - 14 if narrow else y + 4.5)
        body += svg.element("path", class_="line", d=f"M{x_of(low):.1f} {y:.1f}H{x_of(1):.1f}")
        body += svg.element(
            "rect", title, class_=kind, x=min(x_of(before), x_of(after)), y=y - 2,
            width=max(abs(x_of(after) - x_of(before)), 0.5), height=4,
        )  # fmt: skip
        body += svg.element("circle", title, class_="ring", cx=x_of(before), cy=y, r=5)
        body += svg.element("circle", title, class_=kind, cx=x_of(after), cy=y, r=6)
    return svg.Drawing(width, top + tall * max(len(lines), 1) - (20 if narrow else 0), body)


# -- clusters and records -----------------------------------------------------------------------------


def _within(name: str) -> str:
    """Where: in the candidate of that name, or "before" or "after" if it has no other name."""
    return name if name in ("before", "after") else f"in {side_title(name)}"


def outcome_sections(
    clusters: Mapping[Outcome, LazyList[ClusterOutcome]],
    records: Mapping[Outcome, LazyList[RecordOutcome]],
    names: Sequence[str],
    labels: PageLabels,
    unit: CountedUnit,
) -> Iterator[Section]:
    """The clusters and the records of each outcome; fixed ones last, which need no action and may be many."""
    titles = [escape(side_title(name)) for name in names]
    heads = [
        ("Cluster", ""),
        ("Weight" if unit == "weight" else "Records", "number"),
        *((title, "") for title in titles[1:]),
    ]
    heads += [(f"Missed {escape(_within(name))}", "number") for name in names[1:]]
    order = "The clusters whose missed pairs changed most come first."
    for outcome, listed in _fixed_last(clusters):
        rows = []
        for each in listed:
            tags = (
                f'<span class="tag {verdict_class(verdict)}">{verdict}</span>'
                for verdict in (each.before, each.after)
            )
            missed = (each.missed_before, each.missed_after)
            rows.append(table_row(labels.html(each.cluster), each.size, *tags, *missed))
        yield _list("cluster", outcome, listed, names, (heads, rows, order))
    heads = [("Record", ""), *((title, "") for title in titles)]
    order = "Those that moved together in the largest numbers come first."
    for outcome, listed_records in _fixed_last(records):
        rows = [
            table_row(*map(labels.html, (each.record, each.reference, each.before, each.after)))
            for each in listed_records
        ]
        yield _list("record", outcome, listed_records, names, (heads, rows, order))


def _fixed_last(lists: Mapping[Outcome, LazyList[_Listed]]) -> list[tuple[Outcome, LazyList[_Listed]]]:
    """The lists that have entries, in order."""
    return sorted(
        ((outcome, listed) for outcome, listed in lists.items() if listed.total),
        key=lambda item: item[0] == "fixed",
    )


def _list(
    what: str,
    outcome: Outcome,
    listed: LazyList[Any],
    names: Sequence[str],
    table: tuple[list[tuple[str, str]], list[str], str],
) -> Section:
    """A section that lists clusters or records of one outcome."""
    heads, rows, order = table
    key, title = f"{what}s-{_CLASSES[outcome]}", f"{counted(listed.total, what)} {outcome_words(outcome)}"
    body = sortable_table(f"{key}-list", heads, rows, title, f"{what}s")
    body += note(f"{listed.omitted:,} more are not listed." if listed.omitted else "")
    meaning = _MEANING[outcome].format(*(escape(_within(name)) for name in names[1:]))
    return Section(title, body, lead=f"{meaning[0].upper()}{meaning[1:]}. {order}", key=key)
