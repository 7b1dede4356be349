"""The page of a matrix: a heat map ordered by the tree above it, a map if distances are a metric, a table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from concordant.counts.spelling import printable
from concordant.report.charts.matrix import AT_CHANCE, HEAT_MAP, MAP, RANKING, Grid, cell_values
from concordant.report.labels import PageLabels
from concordant.report.pages.page import (
    Page,
    Section,
    cells_below_pointer,
    chart_section,
    escape,
    folded_below,
    paragraphs,
    sortable_table,
    table_row,
)
from concordant.report.sentences import fitting, listed
from concordant.report.values import format_value
from concordant.text_layout import shortened


def matrix_page(grid: Grid) -> Page:
    """The page of one index."""
    labels, index, size = PageLabels(), grid.index, len(grid.names) + grid.omitted
    if grid.points is not None and not grid.points.any():
        metric = "and all distances are 0, so no map is drawn"
    elif grid.points is not None and not MAP.needs(grid):
        metric = "and a plane holds less than half of its squared distances, so no map is drawn"
    elif grid.points is not None:
        metric = (
            "and its distances obey the triangle inequality, so they are fit for multidimensional scaling"
        )
    elif index.metric and not grid.one_set:
        metric = "and over different records its distances need not fit together, so no map is drawn"
    else:
        metric = "and not a metric, so no map of distances is drawn"
    facts = (
        f"{size:,} partitions, compared by {escape(index.title)} "
        f"(<code>{escape(index.name)}</code>), a {index.direction} in {escape(index.range_text)}: "
        f"{'symmetric' if index.symmetric else 'not symmetric'}, {metric}."
    )
    if not index.symmetric:
        facts += " Rows are the reference and columns the candidate."
    if grid.conventions:
        facts += f" Conventions: {escape(grid.conventions)}."
    sections = [*_ranking(grid, labels), *_charts(grid)]
    if grid.neighbours:
        rows = [
            table_row(labels.html(name), labels.html(near), value, mean)
            for name, (near, value, mean) in grid.neighbours.items()
        ]
        heads = [("Partition", ""), ("Nearest", ""), ("Value", "number"), ("Mean with all others", "number")]
        name = "The nearest of each"
        body = sortable_table("neighbours", heads, rows, name, "partitions")
        lead = "The mean is over all the others, as reference and as candidate."
        sections.append(Section(name, body, lead=lead, key="nearest"))
    sections.append(_index(grid))
    title, head = f"{size} partitions by {index.name}", f'{_chance(grid)}<p class="facts">{facts}</p>'
    return Page(title=title, headline=matrix_headline([grid]), sections=sections, head=head, labels=labels)


def matrices_page(grids: Sequence[Grid]) -> Page:
    """The page of several indices: what is nearest by each, and then the charts of each."""
    labels, reference = PageLabels(), grids[0].reference
    rows = [
        table_row(
            f"<code>{escape(grid.index.name)}</code>",
            escape(grid.index.title),
            "" if (first := _first(grid)) is None else labels.html(first),
        )
        for grid in grids
    ]
    nearest = "most similar to all others" if reference is None else f"nearest to {_short(reference)}"
    title = "By each index"
    heads = [("Index", ""), ("Title", ""), (escape(nearest[0].upper() + nearest[1:]), "")]
    lead = "Indices without a direction, where a larger value is neither better nor worse, name none."
    sections = [Section(title, sortable_table("by-index", heads, rows, title), lead=lead, key="indices")]
    for place, grid in enumerate(grids, start=1):
        name = grid.index.name
        for section in [*_ranking(grid, labels, f"ranking-list-{place}"), *_charts(grid)]:
            key, short = f"{section.key}-{place}", f"{name}, {section.short or section.title}"
            sections.append(replace(section, title=f"{name}: {section.title}", key=key, short=short))
    sections += [replace(_index(grid), key=f"index-{place}") for place, grid in enumerate(grids, start=1)]
    names = ", ".join(grid.index.name for grid in grids)
    title = f"{len(grids[0].names) + grids[0].omitted} partitions by {shortened(names, 60)}"
    agreed = grids[0].conventions
    head = paragraphs([f"Conventions: {agreed}."] if agreed else [])
    return Page(title=title, headline=matrix_headline(grids), sections=sections, head=head, labels=labels)


def _first(grid: Grid) -> str | None:
    return grid.ranking[0][0] if grid.ranking else grid.medoid


def _chance(grid: Grid) -> str:
    """The meaning of "at chance", if a headline uses it."""
    if not grid.is_at_chance:
        return ""
    meaning = f"{grid.index.name} is 0 by chance and 1 for equal partitions; here it is below {AT_CHANCE}."
    return paragraphs([meaning], "left-out")


def matrix_headline(grids: Sequence[Grid]) -> str:
    """The clustering that is nearest to the reference, or most similar to all others, by each index."""
    reference, firsts = grids[0].reference, dict[str, list[str]]()
    nearest = "most similar to all others" if reference is None else f"nearest to {_short(reference)}"
    for each in grids:
        if (first := _first(each)) is not None:
            firsts.setdefault(_short(first), []).append(each.index.title)
    if not firsts:
        return f"{len(grids[0].names) + grids[0].omitted:,} clusterings, all against all"
    if len(grids) == 1:
        return _by_one_index(grids[0], next(iter(firsts)), nearest)
    if len(firsts) == 1:
        ((name, titles),) = firsts.items()
        by = f"all {len(grids)} indices" if len(titles) == len(grids) else listed(titles)
        return f"{name} is {nearest} by {by}"
    found = "; ".join(f"{name} by {listed(titles)}" for name, titles in firsts.items())
    brief = f"{len(grids)} indices put different clusterings first"
    return fitting([f"{nearest[0].upper()}{nearest[1:]}: {found}", brief])


def _by_one_index(grid: Grid, first: str, nearest: str) -> str:
    title, means = grid.index.title, [each[2] for each in grid.neighbours.values()]
    if all(mean == grid.index.perfect for mean in means):
        every = "Both" if len(means) == 2 else f"All {len(means):,}"
        return f"{every} clusterings agree perfectly ({title} {format_value(means[0])})"
    if (largest := grid.largest_between_two) is not None and grid.is_at_chance:
        of = f"the {nearest} has {title}" if grid.ranking else f"the largest {title} of two is"
        return f"All are at chance: {of} {format_value(largest)}"
    if grid.ranking:
        return f"{first} is {nearest} ({title} {format_value(grid.ranking[0][1])})"
    if len(means) == 2:
        return f"{' and '.join(map(_short, grid.names))} have {title} {format_value(means[0])}"
    mean = grid.neighbours[str(grid.medoid)][2]
    if largest is not None and mean < AT_CHANCE:
        return f"Most are at chance: the largest mean {title} with all others is {format_value(mean)}"
    return f"{first} is {nearest} (mean {title} {format_value(mean)})"


def _short(name: Any) -> str:
    return shortened(printable(name), 60)


def _charts(grid: Grid) -> Iterable[Section]:
    for chart in (HEAT_MAP, MAP):
        if chart.needs(grid):
            section = chart_section(chart, grid)
            cells = cell_values(grid) if chart is HEAT_MAP else None
            yield section if cells is None else cells_below_pointer(section, cells)


def _ranking(grid: Grid, labels: PageLabels, table: str = "ranking-list") -> Iterable[Section]:
    if not grid.ranking:
        return
    rows = [
        table_row(place, labels.html(near), value)
        for place, (near, value) in enumerate(grid.ranking, start=1)
    ]
    section = chart_section(RANKING, grid)
    heads = [("Rank", "number"), ("Partition", ""), ("Value", "number")]
    listed = sortable_table(table, heads, rows, section.title, "partitions")
    yield folded_below(section, "As a table", listed)


def _index(grid: Grid) -> Section:
    index = grid.index
    body = (
        f"<p>{escape(index.summary)}</p>"
        f"<p class='note'><code>{escape(index.name)}</code> = {escape(index.formula)}</p>"
        f"<p class='note'>{escape(index.cite)}</p>"
    )
    return Section(index.title, body, key="index")
