"""Sections of the page of a soft comparison: matched clusters, the records that moved most, its indices."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from concordant.foundation.spelling import counted, printable
from concordant.foundation.text_layout import shortened
from concordant.indices.index import Index
from concordant.report.labels import PageLabels
from concordant.report.pages.page import (
    Section,
    chart_section,
    escape,
    folded_below,
    note,
    sortable_table,
    table_row,
)
from concordant.soft.chart import SOFT_TABLE, SoftTable
from concordant.soft.records import SoftMatch, SoftRecordScore


def matched_clusters(table: SoftTable, matches: Iterable[SoftMatch], labels: PageLabels) -> Section:
    """The heat map of shared weights, and the matched clusters as a table."""
    rows = [
        table_row(
            labels.html(each.reference),
            labels.html(each.candidate),
            each.overlap,
            each.reference_weight,
            each.candidate_weight,
        )
        for each in matches
    ]
    names = [escape(shortened(printable(name), 40)) for name in table.names]
    heads = [(f"Cluster of {name}", "") for name in names] + [("Weight in both", "number")]
    heads += [(f"Weight in {name}", "number") for name in names]
    listed = sortable_table("matches", heads, rows, "Matched clusters")
    section = chart_section(SOFT_TABLE, table)
    return folded_below(section, "Matched clusters as a table", listed) if rows else section


def moved_records(
    records: Sequence[SoftRecordScore], size: int, names: Iterable[str], labels: PageLabels
) -> Section:
    """The records that moved most, of this many."""
    rows = []
    for each in records:
        ends = (
            "in no cluster" if label is None else labels.html(label)
            for label in (each.reference, each.candidate)
        )
        rows.append(table_row(labels.html(each.record), *ends, each.moved, each.n_pairs))
    titles = [escape(shortened(printable(name), 40)) for name in names]
    heads = [("Record", ""), *((f"Largest weight in {title}", "") for title in titles)]
    heads += [("Moved", "number"), ("Σ(p − q)²", "number")]
    title = "Records that moved most"
    lead = (
        "The moved weight of a record is not in the same matched clusters on both sides: 0 if its rows are "
        "equal, 1 if they have no cluster in common. The last column adds up (p − q)² over the pairs of the "
        "record; p and q are the probabilities that each side puts the pair in one cluster."
    )
    body = sortable_table("moved", heads, rows, title, "records")
    if more := size - len(records):
        body += note(f"Not listed: {counted(more, 'other record')}.")
    return Section(title, body, lead=lead, key="records", short="Records")


def soft_indices(values: Iterable[tuple[Index, float]], omitted: Sequence[str]) -> Section:
    """The indices with their meaning, and the names of those that need all pairs."""
    rows = [
        table_row(
            escape(index.title),
            f"<code>{escape(index.name)}</code>",
            value,
            escape(index.range_text),
            escape(index.summary),
        )
        for index, value in values
    ]
    heads = [("Index", ""), ("Name", ""), ("Value", "number"), ("Range", ""), ("Meaning", "")]
    body = sortable_table("index-list", heads, rows, "Indices")
    if omitted:
        body += note(f"Not computed, because they need all pairs: {escape(', '.join(omitted))}.")
    return Section("Indices", body, key="indices")
