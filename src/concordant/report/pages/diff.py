"""Sections of the page of a diff: its metrics, where the most changed, and what was fixed and broken."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from concordant.counts.spelling import counted, number_text, percent
from concordant.differences.lazy_list import LazyList
from concordant.differences.outcomes import OUTCOMES, Outcome, OutcomeSummary, outcome_words
from concordant.indices.diff import DIFF_INDICES
from concordant.indices.index import INDICES
from concordant.report.charts import svg
from concordant.report.charts.flow import FLOW
from concordant.report.charts.overlaps import COLOURS
from concordant.report.labels import PageLabels
from concordant.report.pages.page import (
    Section,
    both_shapes,
    cells,
    chart_section,
    escape,
    note,
    sortable_table,
    table_row,
    table_section,
)
from concordant.report.palette import verdict_class
from concordant.report.report_data import ReportData
from concordant.report.values import Line, bar_length, drawn_length, format_value
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
    body += note(f"{listed.omitted:,} more are not listed." if listed.omitted else "")
    lead = f"{_MEANING[outcome]}. Those that changed most come first."
    return Section(title, body, lead=lead, key=key)


def indices_section(changes: LazyList[Any], names: Sequence[str], size: int, *, is_sample: bool) -> Section:
    """The indices of both runs, by ``names``, against the reference."""
    title, (before, after) = f"Indices of {names[0]} and {names[1]}", map(escape, names)
    drawings = both_shapes(lambda narrow: _slopes(changes, size, narrow=narrow), title)
    (_, *titles), *texts = changes._own_tables()[0]
    heads = [("Index", "")]
    heads += [(escape(head or "Outcome"), "number" if place < 3 else "") for place, head in enumerate(titles)]
    rows = []
    for change, (index, *shown) in zip(changes, texts, strict=True):
        numbers = zip((change.before, change.after, change.difference), shown[:3], strict=True)
        ends = "" if change.low is None else f' data-low="{change.low!r}" data-high="{change.high!r}"'
        interval = "".join(f"<td{ends}>{text}</td>" for text in shown[3:-1])
        rows.append(f"<tr>{cells(escape(INDICES[index].title), *numbers)}{interval}{cells(shown[-1])}</tr>")
    scope = (
        ", and grey unclear: the interval contains 0. Intervals show how the difference would vary for other "
        "records of the same population (paired jackknife)."
        if is_sample
        else ", on these records. If they are a sample, <code>diff(..., interval=True)</code>, or "
        "<code>--interval</code> on the command line, adds intervals."
    )
    lead = (
        f"A ring is {before}, a dot {after}; lines run from the chance value, or the lowest value, to the "
        f"highest. Blue is better, orange worse{scope}"
    )
    body = f"<figure>{drawings}</figure>{sortable_table('index-list', heads, rows, title)}"
    return Section("The most used indices (dot plot)", body, lead=lead, key="indices", short="Indices")


def _slopes(indices: Sequence[Any], size: int, *, narrow: bool) -> svg.Drawing:
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
