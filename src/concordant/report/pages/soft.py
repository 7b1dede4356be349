"""The page of a soft comparison: its indices, matched clusters, and the records that moved most."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from concordant.counts.spelling import counted, printable
from concordant.report.charts.soft_table import SOFT_TABLE, SoftTable
from concordant.report.labels import PageLabels
from concordant.report.pages.page import (
    Section,
    chart_section,
    document,
    escape,
    number_cell,
    search_field,
    sortable_table,
)
from concordant.report.sentences import capitalized
from concordant.report.values import format_interval, format_value
from concordant.soft.indices import SoftIndex
from concordant.soft.records import SoftMatch, SoftRecordScore
from concordant.text_layout import shortened

if TYPE_CHECKING:
    from concordant.trust.interval import Interval
    from concordant.trust.significance import Significance


@dataclass(frozen=True, slots=True)
class SoftLine:
    """A soft index with its value in this comparison."""

    index: SoftIndex
    value: float
    undefined: bool
    interval: Interval | None = None

    @property
    def words(self) -> str:
        """A note on the value, if any."""
        if self.undefined:
            return "by convention: 0/0"
        if self.interval is None:
            return ""
        return f"{self.interval.level * 100:g}% interval {format_interval(self.interval)}"


@dataclass(frozen=True, slots=True, eq=False)
class SoftData:
    """All that the page shows."""

    names: tuple[str, str]
    headline: str
    facts: Sequence[str]  # the sizes of both sides, and what was left out, in words
    lines: Sequence[SoftLine]
    hard: Sequence[tuple[str, float]]  # indices of the largest weights: title, value
    table: SoftTable | None  # None for draws, whose clusters have no weights
    matches: Sequence[SoftMatch]
    records: Sequence[SoftRecordScore]
    size: int
    significance: Significance | None
    omitted: Sequence[str]  # indices that need all pairs
    signature: str


def soft_page(data: SoftData) -> str:
    """The whole page as one HTML text."""
    labels, sections = PageLabels(), []
    if data.table is not None:
        sections.append(_table(data, data.table, labels))
    if data.records:
        sections.append(_records(data, labels))
    sections.append(_indices(data))
    signature = f'<p><code id="signature">{escape(data.signature)}</code></p>'
    sections.append(Section("Signature", signature, key="cite"))
    title = " against ".join(shortened(printable(name), 60) for name in data.names[::-1])
    return document(capitalized(title), sections, headline=data.headline, head=_head(data), labels=labels)


def _head(data: SoftData) -> str:
    numbers = "".join(_number(line.value, line.index.title, line.words) for line in data.lines)
    numbers += "".join(_number(value, title, "of the largest weights") for title, value in data.hard)
    sentences = [*data.facts, *([f"{data.significance}."] if data.significance else [])]
    return (
        "".join(f'<p class="facts">{escape(each)}</p>' for each in sentences)
        + f'<div class="key-numbers">{numbers}</div>'
    )


def _number(value: float, title: str, words: str) -> str:
    small = f"<small>{escape(words)}</small>" if words else ""
    return f"<div><b>{format_value(value)}</b><span>{escape(title)}</span>{small}</div>"


def _table(data: SoftData, table: SoftTable, labels: PageLabels) -> Section:
    section = chart_section(SOFT_TABLE, table)
    rows = "".join(
        f"<tr><td>{labels.html(each.reference)}</td><td>{labels.html(each.candidate)}</td>"
        f"{''.join(map(number_cell, (each.overlap, each.reference_weight, each.candidate_weight)))}</tr>"
        for each in data.matches
    )
    names = [escape(shortened(printable(name), 40)) for name in data.names]
    heads = [(f"Cluster of {name}", "") for name in names] + [("Weight in both", "number")]
    heads += [(f"Weight in {name}", "number") for name in names]
    matched = sortable_table("matches", heads, rows, "Matched clusters")
    listed = f"<details><summary>Matched clusters as a table</summary>{matched}</details>" if rows else ""
    return replace(section, body=section.body + listed)


def _records(data: SoftData, labels: PageLabels) -> Section:
    rows = ""
    for each in data.records:
        ends = "".join(
            f"<td>{'in no cluster' if label is None else labels.html(label)}</td>"
            for label in (each.reference, each.candidate)
        )
        rows += f"<tr><td>{labels.html(each.record)}</td>{ends}"
        rows += f"{number_cell(each.moved)}{number_cell(each.pairs)}</tr>"
    names = [escape(shortened(printable(name), 40)) for name in data.names]
    heads = [("Record", ""), *((f"Largest weight in {name}", "") for name in names)]
    heads += [("Moved", "number"), ("Σ(p − q)²", "number")]
    title = "Records that moved most"
    lead = (
        "The moved weight of a record is not in the same matched clusters on both sides: 0 if its rows are "
        "equal, 1 if they have no cluster in common. The last column adds up (p − q)² over the pairs of the "
        "record; p and q are the probabilities that each side puts the pair in one cluster."
    )
    body = search_field("moved", "records", len(data.records))
    body += sortable_table("moved", heads, rows, title)
    if more := data.size - len(data.records):
        body += f'<p class="note">Not listed: {counted(more, "other record")}.</p>'
    return Section(title, body, lead=lead, key="records", short="Records")


def _indices(data: SoftData) -> Section:
    rows = "".join(
        f"<tr><td>{escape(line.index.title)}</td><td><code>{escape(line.index.name)}</code></td>"
        f"{number_cell(line.value)}<td>{escape(line.index.range_text)}</td>"
        f"<td>{escape(line.index.summary)}</td></tr>"
        for line in data.lines
    )
    heads = [("Index", ""), ("Name", ""), ("Value", "number"), ("Range", ""), ("Meaning", "")]
    body = sortable_table("index-list", heads, rows, "Indices")
    if data.omitted:
        names = escape(", ".join(data.omitted))
        body += f'<p class="note">Not computed, because they need all pairs: {names}.</p>'
    return Section("Indices", body, key="indices")
