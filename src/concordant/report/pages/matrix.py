"""The page of a matrix: a heat map ordered by a tree, the tree above it, a map where one is due, a table."""

from __future__ import annotations

from collections.abc import Iterable

from concordant.counts.spelling import printable, shortened
from concordant.report.figures.matrix import HEAT_MAP, MAP, Grid
from concordant.report.labels import PageLabels
from concordant.report.pages.charts import chart_section
from concordant.report.pages.page import Figures, Section, document, escape
from concordant.report.summary import format_value


def matrix_page(grid: Grid) -> str:
    """The whole page as one HTML text."""
    labels, figures = PageLabels(), Figures()
    sections = [*_charts(grid, figures), *_neighbours(grid, labels), _index(grid)]
    title = f"{len(grid.names) + grid.left_out} partitions by {grid.index.name}"
    return document(title, sections, head=_head(grid), figures=figures, labels=labels)


def _head(grid: Grid) -> str:
    index = grid.index
    said = (
        f"{shortened(printable(grid.medoid), 60)} is most like all the others"
        if grid.medoid is not None
        else f"{len(grid.names)} partitions, all against all"
    )
    sides = "" if index.symmetric else " Rows are the reference and columns the candidate."
    metric = _metric_said(grid)
    facts = (
        f"{len(grid.names) + grid.left_out:,} partitions, compared by {escape(index.title)} "
        f"(<code>{escape(index.name)}</code>), a {index.direction} in {escape(index.range_text)}: "
        f"{'symmetric' if index.symmetric else 'not symmetric'}, {metric}.{sides}"
    )
    return f'<p class="headline">{escape(said)}</p><p class="facts">{facts}</p>'


def _metric_said(grid: Grid) -> str:
    if grid.points is not None:
        return "and its distances obey the triangle inequality, so they are fit for multidimensional scaling"
    if grid.index.metric and not grid.one_set:
        return "and over different elements its distances need not fit together, so no map is drawn"
    return "and not a metric, so no map of distances is drawn"


def _charts(grid: Grid, figures: Figures) -> Iterable[Section]:
    return [chart_section(chart, grid, figures) for chart in (HEAT_MAP, MAP) if chart.needs(grid)]


def _neighbours(grid: Grid, labels: PageLabels) -> Iterable[Section]:
    if not grid.neighbours:
        return
    rows = "".join(
        f"<tr><td>{labels.html(name)}</td><td>{labels.html(near.name)}</td>"
        f"{_number(near.value)}{_number(near.mean)}</tr>"
        for name, near in grid.neighbours.items()
    )
    heads = [("Partition", ""), ("Nearest", ""), ("Value", "number"), ("Mean with all others", "number")]
    head = "".join(f'<th class="{kind}"><button type="button">{text}</button></th>' for text, kind in heads)
    find = (
        '<div class="find"><input type="search" data-search="neighbours" placeholder="Find a partition" '
        'aria-label="Find a partition"><output></output></div>'
    )
    table = (
        f'<div class="scroll"><table class="sortable" id="neighbours"><thead><tr>{head}</tr></thead>'
        f"<tbody>{rows}</tbody></table></div>"
    )
    lead = "The mean is over all the others, as reference and as candidate."
    yield Section("The nearest of each", find + table, lead=lead, key="nearest")


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
