"""Sections of the page of stability: the most unstable clusters, and the records that change most."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isnan
from typing import Any

from concordant.report.labels import PageLabels
from concordant.report.pages.page import Section, note, sortable_table, table_row

_CLUSTERS = {
    "size": "Size",
    "n_clusterings": "Clusterings",
    "jaccard": "Jaccard",
    "least": "Lowest",
    "by_chance": "By chance",
    "recovered": "Recovered",
    "within": "Within",
    "across": "Across",
}
_RECORDS = {"n_clusterings": "Clusterings", "jaccard": "Jaccard", "coassignment": "Coassignment"}


def clusters_section(rows: Sequence[Mapping[str, Any]], labels: PageLabels) -> Section:
    """The clusters, the most unstable first."""
    table = _table("cluster", rows, _CLUSTERS, labels)
    return Section("Clusters, the most unstable first", table, key="clusters", short="Table")


def records_section(rows: Sequence[Mapping[str, Any]], omitted: int, labels: PageLabels) -> Section:
    """The records whose neighbours change most; this many are not listed."""
    body = _table("record", rows, _RECORDS, labels)
    body += note(f"{omitted:,} more are not listed." if omitted else "")
    return Section("Records whose neighbours change most", body, key="records", short="Records")


def _table(
    unit: str, rows: Sequence[Mapping[str, Any]], columns: Mapping[str, str], labels: PageLabels
) -> str:
    body = [
        table_row(
            labels.html(row[unit]),
            *("—" if isinstance(row[name], float) and isnan(row[name]) else row[name] for name in columns),
        )
        for row in rows
    ]
    heads = [(unit.capitalize(), ""), *((text, "number") for text in columns.values())]
    return sortable_table(f"{unit}s-list", heads, body, f"{unit}s", f"{unit}s")
