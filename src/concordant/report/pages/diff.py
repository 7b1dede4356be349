"""Sections of the page of a diff: its metrics, where the most changed, and the answers of judges."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from concordant.counts.spelling import counted
from concordant.differences.lazy_list import LazyList
from concordant.indices.diff import DIFF_INDICES
from concordant.report.charts.flow import FLOW
from concordant.report.charts.overlaps import COLOURS
from concordant.report.labels import PageLabels
from concordant.report.pages.page import (
    Section,
    chart_section,
    escape,
    sortable_table,
    table_row,
    table_section,
)
from concordant.report.report_data import ReportData
from concordant.results import Result

_SIZES = {
    "size": "records",
    "n_before": "clusters before",
    "n_after": "clusters after",
    "share": "share of the change",
}
# The titles of lists, by the method that returns the list.
LISTS = {
    "components": "Connected components that changed",
    "clusters": "Clusters before that changed",
    "records": "Records whose cluster changed",
}
_LABELS = frozenset({"cluster", "record", "before", "after", "reference", "slice"})
# A row has space for eight columns; with a reference, whether the change is for the better counts most.
_METRICS = ("split_rate", "merge_rate", "jaccard_distance")
_METRICS_WITH_REFERENCE = ("jaccard_distance", "improvement")


def flow_section(data: ReportData) -> Section:
    """The changed clusters as bands, from those before to those after."""
    title, lead = "Where the records of changed clusters went", "Each band shows records that stay together."
    drawn = chart_section(FLOW, data)
    return replace(drawn, title=title, lead=f"{lead} {COLOURS}", key="flow")


def metrics_section(metrics: Iterable[tuple[str, str, float]]) -> Section:
    """The name, the meaning and the value of each metric."""
    rows = [
        table_row(f"{escape(DIFF_INDICES[name].title)} <small>{escape(name)}</small>", escape(meaning), value)
        for name, meaning, value in metrics
    ]
    heads = (("Metric", ""), ("Meaning", ""), ("Value", "number"))
    return Section("Metrics", sortable_table("metric-list", heads, rows, "Metrics"), key="metrics")


def judged_sections(judged: Result) -> list[Section]:
    """The metrics that answers estimate: a dot plot, and tables of all records and of slices."""
    (chart, found), notes = judged._charts()[0], judged._footnotes()
    whole, *others = judged._page_tables()
    tables = [table_section(whole[1], notes, key="judges", title="Judged by people")]
    tables += [table_section(each, key=f"judges-{i}", title=title) for i, (title, each) in enumerate(others)]
    tables[0] = replace(tables[0], lead=f"{escape(judged.headline)}.")
    return [chart_section(chart, found), *tables]


def _title(name: str) -> str:
    """The title of a column: that of the metric, or the name of what it counts."""
    title = _SIZES.get(name, name) if name in _LABELS or name in _SIZES else DIFF_INDICES[name].title
    return title[0].upper() + title[1:]


def changed_section(key: str, title: str, listed: LazyList[Any], labels: PageLabels) -> Section:
    """A list of what changed as a table, the largest change first."""
    rows = listed.to_dict()["rows"]
    metrics = _METRICS_WITH_REFERENCE if "improvement" in rows[0] else _METRICS
    names = [name for name in rows[0] if name in _LABELS or name in _SIZES or name in metrics]
    heads = [(escape(_title(name)), "" if name in _LABELS else "number") for name in names]
    body = [
        table_row(*(labels.html(row[name]) if name in _LABELS else row[name] for name in names))
        for row in rows
    ]
    number = counted(listed.total, key.removesuffix("s"))
    lead = (
        f"{number}; those that changed most first."
        if listed.total == len(rows)
        else f"{number}, of which the {len(rows):,} that changed most are listed."
    )
    lead += f" In Python, <code>d.{key}()</code> has all metrics."
    table = sortable_table(f"{key}-list", heads, body, title, "labels")
    return Section(title, table, lead=lead, key=key)
