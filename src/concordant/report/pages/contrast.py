"""The page of a contrast: what the second candidate fixed, what it broke, and what is still wrong."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import isnan
from typing import TypeVar

from concordant.catalogue.index import INDICES
from concordant.counts.spelling import counted, percents, printable
from concordant.differences.lazy_list import LazyList, RecordsOfCells
from concordant.differences.outcomes import (
    OUTCOMES,
    ClusterOutcome,
    ContrastSummary,
    IndexContrast,
    Outcome,
    RecordOutcome,
)
from concordant.report.charts import svg
from concordant.report.labels import PageLabels
from concordant.report.pages.page import Section, document, escape, number_cell, search_field, sortable_table
from concordant.report.palette import verdict_class
from concordant.report.sentences import side_title
from concordant.report.values import Line, bar_length, drawn_length, format_value
from concordant.text_layout import shortened
from concordant.trust.difference import signed

_Listed = TypeVar("_Listed")

_CLASSES: dict[Outcome, str] = {
    "fixed": "fixed",
    "broken": "broken",
    "still wrong": "still-wrong",
    "still right": "still-right",
}
_MEANING: dict[Outcome, str] = {
    "fixed": "wrong {0}, right {1}",
    "broken": "right {0}, wrong {1}",
    "still wrong": "wrong {0} and {1}",
    "still right": "right {0} and {1}",
}


@dataclass(frozen=True, slots=True)
class ContrastData:
    """All that the page shows."""

    names: tuple[str, str, str]
    headline: str
    summary: ContrastSummary
    indices: Sequence[IndexContrast]
    clusters: Mapping[Outcome, LazyList[ClusterOutcome]]  # those listed of each kind but "still right"
    records: Mapping[Outcome, RecordsOfCells[RecordOutcome]]
    thresholds: str
    omitted: Mapping[str, int]  # of each of the three
    in_no_cluster: int  # records of the reference
    signature: str
    interval_title: str = ""  # empty if the records are not a sample

    @property
    def size(self) -> int:
        return sum(self.summary.records.values())


def contrast_page(data: ContrastData) -> str:
    """The whole page as one HTML text."""
    labels = PageLabels()
    signature = f'<p><code id="signature">{escape(data.signature)}</code></p>'
    sections = [
        _indices(data),
        *(
            _clusters(outcome, listed, data.names, labels)
            for outcome, listed in _fixed_last(data.clusters)
            if listed.total
        ),
        *(
            _records(outcome, listed, data.names, labels)
            for outcome, listed in _fixed_last(data.records)
            if listed.total
        ),
        Section("Signature", signature, key="cite"),
    ]
    names = [shortened(printable(name), 40) for name in data.names]
    title = f"{names[2]} against {names[1]}, judged by {names[0]}"
    return document(title, sections, headline=data.headline, head=_head(data), labels=labels)


def _fixed_last(lists: Mapping[Outcome, _Listed]) -> list[tuple[Outcome, _Listed]]:
    """Sections in order: broken and still wrong first; lists that need no action may be long."""
    return sorted(lists.items(), key=lambda item: item[0] == "fixed")


def omission_words(omitted: Iterable[tuple[str, int]], every: str = "all three") -> str:
    """The number of elements of each partition that were not compared.

    >>> omission_words([("reference", 1), ("after", 2)])
    'Left out, as not all three put them in a cluster: 1 element of reference, 2 of after'
    """
    (role, number), *rest = omitted
    parts = [f"{counted(number, 'element')} of {role}", *(f"{n:,} of {other}" for other, n in rest)]
    return f"Left out, as not {every} put them in a cluster: {', '.join(parts)}"


def unclustered_words(number: int) -> str:
    """How many records the reference puts in no cluster."""
    return f"{counted(number, 'record')} in no reference cluster"


def _head(data: ContrastData) -> str:
    words = [omission_words(data.omitted.items())] if data.omitted else []
    words += [unclustered_words(data.in_no_cluster)] if data.in_no_cluster else []
    omission = "".join(f'<p class="left-out">{each}.</p>' for each in words)
    rows = (
        ("Clusters of the reference", data.summary.clusters),
        ("Records", data.summary.records),
        ("Pairs that belong together", data.summary.missed),
        ("Pairs that do not belong together", data.summary.wrong),
    )
    bars = ""
    for title, counts in rows:
        total = sum(counts.values())
        segments = "".join(
            f'<i class="outcome-{_CLASSES[each]}" style="flex:{counts[each] / total:.5f} 1 0"></i>'
            for each in OUTCOMES
            if counts[each]
        )
        legend = "".join(
            f'<li class="outcome-{_CLASSES[each]}"><b>{counts[each]:,} {each}</b> '
            f'<span class="quiet">{escape(share) if total else ""}</span></li>'
            for each, share in zip(OUTCOMES, percents([counts[each] for each in OUTCOMES]), strict=True)
        )
        bars += (
            f'<p class="bar-title">{title}</p><div class="verdicts" aria-hidden="true">{segments}</div>'
            f'<ul class="legend">{legend}</ul>'
        )
    note = (
        f"A cluster is right if it is exact or nearly exact ({escape(data.thresholds)}), a record if it is "
        "in the core of its cluster (the overlap that is the largest part of both its clusters), and a "
        "pair if it is together or apart as in the reference. All numbers are exact, and each row adds up."
    )
    return f'{omission}<p class="facts">{counted(data.size, "record")}.</p>{bars}<p class="note">{note}</p>'


# -- indices ----------------------------------------------------------------------------------------


def _indices(data: ContrastData) -> Section:
    name = "Indices {} and {}".format(*map(_within, data.names[1:]))
    drawing = "".join(
        f'<div class="{shape}">{_slopes(data, narrow=shape == "narrow").svg(name)}</div>'
        for shape in ("wide", "narrow")
    )
    has_intervals = bool(data.interval_title)
    rows = ""
    for line in data.indices:
        change = line.after - line.before
        signed_change = f"{'+' if change > 0 else ''}{format_value(change)}"
        rows += (
            f"<tr><td>{escape(INDICES[line.index].title)}</td>{number_cell(line.before)}{number_cell(line.after)}"
            f"{number_cell(change, signed_change)}"
        )
        if has_intervals:
            ends = "" if isnan(line.low) else f' data-low="{line.low!r}" data-high="{line.high!r}"'
            rows += f"<td{ends}>{interval_words(line)}</td>"
        rows += f"<td>{line.outcome}</td></tr>"
    before, after = (escape(side_title(name)) for name in data.names[1:])
    heads = [("Index", ""), (before, "number"), (after, "number"), ("Difference", "number")]
    heads += [*([(f"{data.interval_title} of it", "")] if has_intervals else []), ("Outcome", "")]
    lead = (
        f"A ring is {before}, a dot {after}; lines run from the chance value, or the lowest value, to the "
        "highest. Blue is better, orange worse"
    )
    lead += (
        ", and grey unclear: the interval contains 0. Intervals show how the difference would vary for other "
        "records of the same population (paired jackknife)."
        if has_intervals
        else ", on these records. If they are a sample, <code>contrast(..., interval=True)</code>, or "
        "<code>--interval</code> on the command line, adds intervals."
    )
    body = f"<figure>{drawing}</figure>{sortable_table('index-list', heads, rows, name)}"
    return Section("The most used indices (dot plot)", body, lead=lead, key="indices", short="Indices")


def interval_words(line: IndexContrast) -> str:
    """The ends of an interval, or why there is none.

    An index that is adjusted for chance has another difference in the population. If its interval does not
    contain the difference of these records, the two would look like a contradiction.
    """
    if isnan(line.low):
        return line.note.partition(":")[0]
    if not line.low <= line.difference <= line.high:
        return ""
    return f"{signed(line.low)} to {signed(line.high)}"


def _slopes(data: ContrastData, *, narrow: bool) -> svg.Drawing:
    """Each index as a line with its value before and after."""
    width = svg.NARROW if narrow else svg.WIDE
    top, tall = (36.0, 44.0) if narrow else (18.0, 30.0)  # names are above their lines, or beside them
    lines = []
    for line in data.indices:
        index, values = INDICES[line.index], (line.before, line.after)
        ends = [bar_length(Line(index, value, undefined=False), data.size) for value in values]
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


def _clusters(
    outcome: Outcome,
    listed: LazyList[ClusterOutcome],
    names: tuple[str, str, str],
    labels: PageLabels,
) -> Section:
    heads = [("Cluster", ""), ("Records", "number")]
    heads += [(escape(side_title(name)), "") for name in names[1:]]
    heads += [(f"Missed {escape(_within(name))}", "number") for name in names[1:]]
    rows = ""
    for each in listed:
        tags = "".join(
            f'<td><span class="tag {verdict_class(verdict)}">{verdict}</span></td>'
            for verdict in (each.before, each.after)
        )
        missed = number_cell(each.missed_before) + number_cell(each.missed_after)
        size = number_cell(each.size)
        rows += f"<tr><td>{labels.html(each.label)}</td>{size}{tags}{missed}</tr>"
    order = "The clusters whose missed pairs changed most come first."
    return _list("cluster", outcome, listed, names, (heads, rows, order))


def _records(
    outcome: Outcome, listed: RecordsOfCells[RecordOutcome], names: tuple[str, str, str], labels: PageLabels
) -> Section:
    heads = [("Record", ""), *((escape(side_title(name)), "") for name in names)]
    rows = ""
    for each in listed:
        cells = (each.record, each.reference, each.before, each.after)
        rows += f"<tr>{''.join(f'<td>{labels.html(cell)}</td>' for cell in cells)}</tr>"
    order = "Those that moved together in the largest numbers come first."
    return _list("record", outcome, listed, names, (heads, rows, order))


def _list(
    what: str,
    outcome: Outcome,
    listed: LazyList[ClusterOutcome] | LazyList[RecordOutcome],
    names: tuple[str, str, str],
    table: tuple[list[tuple[str, str]], str, str],
) -> Section:
    """A section that lists clusters or records of one outcome."""
    heads, rows, order = table
    key, title = f"{what}s-{_CLASSES[outcome]}", f"{counted(listed.total, what)} {outcome}"
    body = search_field(f"{key}-list", f"{what}s", len(listed))
    body += sortable_table(f"{key}-list", heads, rows, title)
    if listed.omitted:
        body += f'<p class="note">{listed.omitted:,} more are not listed.</p>'
    meaning = _MEANING[outcome].format(*(escape(_within(name)) for name in names[1:]))
    return Section(title, body, lead=f"{meaning[0].upper()}{meaning[1:]}. {order}", key=key)
