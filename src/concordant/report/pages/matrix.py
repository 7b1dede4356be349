"""The page of a matrix: a heat map ordered by a tree, the tree above it, a map where one is due, a table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from concordant.counts.spelling import printable, shortened
from concordant.report.charts.matrix import HEAT_MAP, MAP, Grid
from concordant.report.labels import PageLabels
from concordant.report.pages.page import (
    Section,
    chart_section,
    document,
    escape,
    search_field,
    sortable_table,
)
from concordant.report.values import format_value


def matrix_page(grid: Grid) -> str:
    """The whole page as one HTML text."""
    labels = PageLabels()
    sections = [*_ranking(grid, labels), *_charts(grid), *_neighbours(grid, labels), _index(grid)]
    title = f"{len(grid.names) + grid.omitted} partitions by {grid.index.name}"
    return document(title, sections, headline=_headline(grid), head=_head(grid), labels=labels)


def matrices_page(grids: Sequence[Grid]) -> str:
    """The page of several indices: what is nearest by each, and then the charts of each."""
    labels = PageLabels()
    sections = [_overview(grids, labels)]
    for place, grid in enumerate(grids, start=1):
        own = [*_ranking(grid, labels, f"ranking-list-{place}"), *_charts(grid)]
        sections += [_of_index(each, grid, place) for each in own]
    sections += [replace(_index(grid), key=f"index-{place}") for place, grid in enumerate(grids, start=1)]
    size = len(grids[0].names) + grids[0].omitted
    names = ", ".join(grid.index.name for grid in grids)
    title = f"{size} partitions by {shortened(names, 60)}"
    return document(title, sections, headline=_common_headline(grids), labels=labels)


def _of_index(section: Section, grid: Grid, place: int) -> Section:
    name = grid.index.name
    short = f"{name}, {section.short or section.title}"
    return replace(section, title=f"{name}: {section.title}", key=f"{section.key}-{place}", short=short)


def _common_headline(grids: Sequence[Grid]) -> str:
    """The partition that all indices put first, or that they do not agree."""
    first = {_first(grid) for grid in grids} - {None}
    if len(first) != 1:
        return f"{len(grids)} indices, which put different partitions first" if first else _headline(grids[0])
    judged = grids[0].reference
    said = f"nearest to {_short(judged)}" if judged is not None else "most like all the others"
    return f"{_short(first.pop())} is {said} by every index"


def _first(grid: Grid) -> str | None:
    return grid.ranking[0].name if grid.ranking else grid.medoid


def _overview(grids: Sequence[Grid], labels: PageLabels) -> Section:
    rows = "".join(
        f"<tr><td><code>{escape(grid.index.name)}</code></td><td>{escape(grid.index.title)}</td>"
        f"<td>{'' if (first := _first(grid)) is None else labels.html(first)}</td></tr>"
        for grid in grids
    )
    judged = grids[0].reference
    nearest = "Most like all the others" if judged is None else f"Nearest to {escape(_short(judged))}"
    heads = [("Index", ""), ("", ""), (nearest, "")]
    name = "By each index"
    lead = "Indices without a direction, where a larger value is neither better nor worse, name none."
    return Section(name, sortable_table("by-index", heads, rows, name), lead=lead, key="indices")


def _headline(grid: Grid) -> str:
    if grid.ranking:
        best = grid.ranking[0]
        said = f"{_short(best.name)} is nearest to {_short(grid.reference)}"
        return f"{said} ({grid.index.name} {format_value(best.value)})"
    if grid.medoid is not None:
        return f"{_short(grid.medoid)} is most like all the others"
    return f"{len(grid.names)} partitions, all against all"


def _short(name: Any) -> str:
    return shortened(printable(name), 60)


def _head(grid: Grid) -> str:
    index = grid.index
    sides = "" if index.symmetric else " Rows are the reference and columns the candidate."
    metric = _metric_said(grid)
    facts = (
        f"{len(grid.names) + grid.omitted:,} partitions, compared by {escape(index.title)} "
        f"(<code>{escape(index.name)}</code>), a {index.direction} in {escape(index.range_text)}: "
        f"{'symmetric' if index.symmetric else 'not symmetric'}, {metric}.{sides}"
    )
    return f'<p class="facts">{facts}</p>'


def _metric_said(grid: Grid) -> str:
    if grid.points is not None:
        return "and its distances obey the triangle inequality, so they are fit for multidimensional scaling"
    if grid.index.metric and not grid.one_set:
        return "and over different elements its distances need not fit together, so no map is drawn"
    return "and not a metric, so no map of distances is drawn"


def _charts(grid: Grid) -> Iterable[Section]:
    return [chart_section(chart, grid) for chart in (HEAT_MAP, MAP) if chart.needs(grid)]


def _neighbours(grid: Grid, labels: PageLabels) -> Iterable[Section]:
    if not grid.neighbours:
        return
    rows = "".join(
        f"<tr><td>{labels.html(name)}</td><td>{labels.html(near.name)}</td>"
        f"{_number(near.value)}{_number(near.mean)}</tr>"
        for name, near in grid.neighbours.items()
    )
    heads = [("Partition", ""), ("Nearest", ""), ("Value", "number"), ("Mean with all others", "number")]
    name = "The nearest of each"
    find = search_field("neighbours", "partitions", len(grid.neighbours))
    lead = "The mean is over all the others, as reference and as candidate."
    yield Section(name, find + sortable_table("neighbours", heads, rows, name), lead=lead, key="nearest")


def _ranking(grid: Grid, labels: PageLabels, table: str = "ranking-list") -> Iterable[Section]:
    if not grid.ranking:
        return
    rows = "".join(
        f'<tr><td class="number" data-value="{place}">{place}</td><td>{labels.html(near.name)}</td>'
        f"{_number(near.value)}</tr>"
        for place, near in enumerate(grid.ranking, start=1)
    )
    name = f"By {grid.index.name} with {_short(grid.reference)}"
    heads = [("Rank", "number"), ("Partition", ""), ("Value", "number")]
    find = search_field(table, "partitions", len(grid.ranking))
    lead = f"{escape(_short(grid.reference))} is the reference, and the nearest comes first."
    body = find + sortable_table(table, heads, rows, name)
    yield Section(name, body, lead=lead, key="ranking")


def _index(grid: Grid) -> Section:
    index = grid.index
    body = (
        f"<p>{escape(index.summary)}</p>"
        f"<p class='note'><code>{escape(index.name)}</code> = {escape(index.formula)}</p>"
        f"<p class='note'>{escape(index.cite)}</p>"
    )
    return Section(index.title, body, key="index")


def _number(value: float) -> str:
    return f'<td class="number" data-value="{float(value)!r}">{format_value(float(value))}</td>'
