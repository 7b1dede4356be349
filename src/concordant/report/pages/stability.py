"""The page of stability: which clusters recur, and which records change their neighbours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isnan
from typing import Any

from concordant.counts.spelling import quoted
from concordant.report.charts.estimates import STABILITY, StableClusters
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
from concordant.report.values import format_value

_CLUSTERS = {
    "size": "Size",
    "runs": "Runs",
    "jaccard": "Jaccard",
    "least": "Lowest",
    "by_chance": "By chance",
    "recovered": "Recovered",
    "within": "Within",
    "across": "Across",
}
_RECORDS = {"runs": "Runs", "jaccard": "Jaccard", "coassignment": "Coassignment"}


@dataclass(frozen=True, slots=True)
class StabilityData:
    """The content of the page: rows of clusters and of records, the most unstable first."""

    title: str
    clusters_found: int  # that more than half of the runs recovered
    clusters_in_all: int
    numbers: Mapping[str, float]
    picture: StableClusters
    clusters: Sequence[Mapping[str, Any]]
    records: Sequence[Mapping[str, Any]]
    records_omitted: int
    notes: Sequence[str]


def stability_page(data: StabilityData) -> str:
    """The whole page as one HTML text."""
    labels, worst = PageLabels(), data.clusters[0] if data.clusters else None
    headline = f"{data.clusters_found:,} of {data.clusters_in_all:,} clusters recur in most runs"
    if worst is not None and data.clusters_found < data.clusters_in_all:
        own, chance = format_value(worst["jaccard"]), format_value(worst["by_chance"])
        least = f"the most unstable is cluster {quoted(worst['cluster'])}"
        headline += f"; {least} (Jaccard {own}, by chance {chance})"
    numbers = "".join(
        f"<div><b>{format_value(value)}</b><span>{escape(name)}</span></div>"
        for name, value in data.numbers.items()
    )
    notes = "".join(f'<p class="facts">{escape(note[:1].upper() + note[1:])}.</p>' for note in data.notes)
    head = f'<div class="key-numbers">{numbers}</div>{notes}'
    left = data.records_omitted
    rest = f'<p class="note">{left:,} more are not listed.</p>' if left else ""
    clusters = _table("cluster", data.clusters, _CLUSTERS, labels)
    records = _table("record", data.records, _RECORDS, labels) + rest
    sections = [
        chart_section(STABILITY, data.picture),
        Section("Clusters, the most unstable first", clusters, key="clusters", short="Table"),
        Section("Records whose neighbours change most", records, key="records", short="Records"),
    ]
    return document(data.title, sections, headline=headline, head=head, labels=labels)


def _table(
    unit: str, rows: Sequence[Mapping[str, Any]], columns: Mapping[str, str], labels: PageLabels
) -> str:
    body = "".join(
        f"<tr><td>{labels.html(row[unit])}</td>{''.join(_cell(row[name]) for name in columns)}</tr>"
        for row in rows
    )
    heads = [(unit.capitalize(), ""), *((text, "number") for text in columns.values())]
    key = f"{unit}s-list"
    return search_field(key, f"{unit}s", len(rows)) + sortable_table(key, heads, body, f"{unit}s")


def _cell(value: float) -> str:
    return "<td>—</td>" if isinstance(value, float) and isnan(value) else number_cell(value)
