"""Sections of the page of a diff: its metrics, where the most changed, and what was fixed and broken."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from concordant.differences.fixed_and_broken import OUTCOMES, Outcome, OutcomeSummary, outcome_words
from concordant.differences.lazy_list import LazyList
from concordant.foundation.results import Result
from concordant.foundation.spelling import counted, number_text, percent, verb
from concordant.report.charts.flow import FLOW
from concordant.report.charts.overlaps import COLOURS
from concordant.report.labels import PageLabels
from concordant.report.pages.page import (
    Section,
    chart_section,
    escape,
    listing_section,
    note,
    sortable_table,
    table_row,
)
from concordant.report.palette import verdict_class
from concordant.report.report_data import ReportData
from concordant.versions.indices import DIFF_INDICES

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
# The columns of lists of one outcome.
_OUTCOME_COLUMNS = {
    "clusters": ("cluster", "size", "verdict_before", "verdict_after", "missed_before", "missed_after"),
    "records": ("record", "reference", "before", "after"),
}
_VERDICTS = ("verdict_before", "verdict_after")
_MEANING: dict[Outcome, str] = {
    "fixed": "Wrong before, right after",
    "broken": "Right before, wrong after",
    "still_wrong": "Wrong before and after",
    "still_right": "Right before and after",
}
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


def judged_sections(judged: Result, labels: PageLabels) -> list[Section]:
    """The metrics that answers estimate: a dot plot, and tables of all records and of slices."""
    titles = ("Judged by people", "Judged by people, in each slice")
    notes = [judged._footnotes(), ()]
    return [
        listing_section(listing, labels, key=f"judges-{place}", title=title, notes=own)
        for place, (listing, title, own) in enumerate(zip(judged._listings(), titles, notes, strict=False))
    ]


def _title(name: str) -> str:
    """The title of a column: that of the metric, or the name of what it counts."""
    title = DIFF_INDICES[name].title if name in DIFF_INDICES else _SIZES.get(name, name.replace("_", " "))
    return title[0].upper() + title[1:]


def _list_table(
    listed: LazyList[Any], names: Sequence[str], labels: PageLabels, *, key: str, title: str, find: str
) -> str:
    """These columns of a list as a table."""

    def cell(name: str, value: Any) -> Any:
        if name in _VERDICTS:
            return f'<span class="tag {verdict_class(value)}">{value}</span>'
        return labels.html(value) if name in _LABELS else value

    words = (*_LABELS, *_VERDICTS)
    heads = [(escape(_title(name)), "" if name in words else "number") for name in names]
    rows = [table_row(*(cell(name, row[name]) for name in names)) for row in listed._rows()]
    return sortable_table(f"{key}-list", heads, rows, title, find)


def changed_section(key: str, title: str, listed: LazyList[Any], labels: PageLabels) -> Section:
    """A list of what changed as a table, the largest change first."""
    columns = listed._names()
    metrics = _METRICS_WITH_REFERENCE if "improvement" in columns else _METRICS
    names = [name for name in columns if name in _LABELS or name in _SIZES or name in metrics]
    number = counted(listed.total, key.removesuffix("s"))
    lead = (
        f"{number}; those that changed most first."
        if not listed.omitted
        else f"{number}, of which the {len(listed):,} that changed most are listed."
    )
    lead += f" In Python, <code>d.{key}()</code> has all metrics."
    table = _list_table(listed, names, labels, key=key, title=title, find="labels")
    return Section(title, table, lead=lead, key=key)


# -- what was fixed and broken ----------------------------------------------------------------------


def _class(outcome: Outcome) -> str:
    return outcome.replace("_", "-")


def outcome_bars(summary: OutcomeSummary) -> str:
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
            f'<i class="outcome-{_class(each)}" style="flex:{share:.5f} 1 0"></i>'
            for each, share in shares.items()
        )
        legend = "".join(
            f'<li class="outcome-{_class(each)}"><b>{number_text(counts[each])} {outcome_words(each)}</b> '
            f'<span class="quiet">{escape(percent(counts[each], total)) if total else ""}</span></li>'
            for each in OUTCOMES
        )
        bars += (
            f'<p class="bar-title">{title}</p><div class="verdicts" aria-hidden="true">{segments}</div>'
            f'<ul class="legend">{legend}</ul>'
        )
    meaning = (
        f"A cluster is right if it is exact or nearly exact ({escape(str(summary.thresholds))}), a record if "
        "it is in the core of its cluster (the overlap that is the largest part of both its clusters), and a "
        "pair if it is together or apart as in the reference. All numbers are exact, and each row adds up."
    )
    return bars + note(meaning)


def outcome_section(kind: str, outcome: Outcome, listed: LazyList[Any], labels: PageLabels) -> Section:
    """The clusters or the records of one outcome."""
    key, title = f"{kind}-{_class(outcome)}", listed.headline
    body = _list_table(listed, _OUTCOME_COLUMNS[kind], labels, key=key, title=title, find=kind)
    body += note(
        f"{listed.omitted:,} more {verb(listed.omitted, 'are')} not listed." if listed.omitted else ""
    )
    lead = f"{_MEANING[outcome]}. Those that changed most come first."
    return Section(title, body, lead=lead, key=key)
