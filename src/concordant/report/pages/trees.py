"""The page of two hierarchies: all pairs of cuts, the cuts into equally many clusters, and the ridge."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from concordant.counts.spelling import counted, printable
from concordant.hierarchies.tree_changes import LostCluster
from concordant.report.charts.curves import CURVE, Curves
from concordant.report.charts.cut_grid import CUT_GRID, CutPicture, grid_cells
from concordant.report.charts.tanglegram import TANGLEGRAM, FacingTrees
from concordant.report.labels import PageLabels
from concordant.report.pages.page import (
    Section,
    as_json,
    chart_section,
    document,
    escape,
    number_cell,
    search_field,
    sortable_table,
)
from concordant.report.sentences import capitalized
from concordant.report.values import format_value
from concordant.text_layout import shortened


@dataclass(frozen=True, slots=True, eq=False)
class TreesData:
    """All that the page shows."""

    names: tuple[str, str]
    size: int
    levels: tuple[int, int]
    grid: CutPicture
    cuts: int  # into equally many clusters; the curves may have some of them
    curves: Curves  # both cut into equally many clusters
    trees: Sequence[
        tuple[str, float, str]
    ]  # indices of the whole trees: title, value, and what to know of it
    clusters: tuple[int, int, int]  # of 2 to n-1 records: of the reference, of the candidate, of both
    lost: Sequence[tuple[LostCluster, Sequence[Any]]]  # the largest, with some of their records
    tanglegram: FacingTrees | None  # None if there are too many leaves
    omission: str  # elements that were not compared, in words
    signature: str


def best_cuts_sentence(data: TreesData) -> str:
    """The most similar pair of cuts."""
    grid = data.grid
    if grid.best is None:
        return f"{grid.index.title} at every pair of cuts"
    row, column = grid.best
    value = format_value(float(grid.values[row, column]))
    clusters = f"{int(grid.reference[row]):,} and {counted(int(grid.candidate[column]), 'cluster')}"
    cuts = f"{scope}the most similar cuts" if (scope := grid.scope()) else "The most similar cuts"
    return f"{cuts} have {clusters}: {grid.index.title} {value}"


def shared_sentence(data: TreesData) -> str:
    """How many clusters both hierarchies have."""
    names = [shortened(printable(name), 40) for name in data.names]
    own, _, both = data.clusters
    if not own:
        return f"{names[0]} has no cluster of 2 to {data.size - 1:,} records"
    verb = "is" if both == 1 else "are"
    return f"{both:,} of {counted(own, f'{names[0]} cluster')} {verb} also in {names[1]}"


def trees_page(data: TreesData) -> str:
    """The whole page as one HTML text."""
    grid = chart_section(CUT_GRID, data.grid)
    cells = f'<script type="application/json" class="cells">{as_json(grid_cells(data.grid))}</script>'
    sections = [replace(grid, body=grid.body + cells), chart_section(CURVE, data.curves)]
    labels = PageLabels()
    if data.tanglegram is not None and TANGLEGRAM.needs(data.tanglegram):
        sections.append(_tanglegram(data.tanglegram, labels))
    if data.lost:
        sections.append(_lost(data, labels))
    if data.grid.ridge:
        sections.append(_ridge(data))
    sections.append(_table(data))
    signature = f'<p><code id="signature">{escape(data.signature)}</code></p>'
    sections.append(Section("Signature", signature, key="cite"))
    names = [shortened(printable(name), 60) for name in data.names]
    numbers = "".join(
        f"<div><b>{format_value(value)}</b><span>{escape(title)}</span><small>{escape(words)}</small></div>"
        for title, value, words in data.trees
    )
    facts = (
        f"{counted(data.size, 'record')}; {counted(data.levels[0], 'level')} in {names[0]} and "
        f"{data.levels[1]:,} in {names[1]}. Cuts into one cluster, or into singletons, on both sides do not "
        "count, because they always agree."
    )
    if more := data.cuts - len(data.curves.x):
        facts += f" The curve leaves out {counted(more, 'number')} of clusters; the others are evenly chosen."
    head = (f'<p class="left-out">{escape(data.omission)}.</p>' if data.omission else "") + (
        f'<p class="facts">{escape(best_cuts_sentence(data))}.</p><p class="facts">{escape(facts)}</p>'
        f'<div class="key-numbers">{numbers}</div>'
    )
    title = " against ".join(names[::-1])
    return document(capitalized(title), sections, headline=shared_sentence(data), head=head, labels=labels)


def _ridge(data: TreesData) -> Section:
    grid, names = data.grid, [escape(shortened(printable(name), 40)) for name in data.names]
    rows = "".join(
        f'<tr id="ridge{place}">{number_cell(int(grid.reference[row]))}'
        f"{number_cell(int(grid.candidate[column]))}"
        f"{number_cell(float(grid.values[row, column]))}</tr>"
        for place, (row, column) in enumerate(grid.ridge)
    )
    heads = [(f"Clusters of {name}", "number") for name in names]
    heads.append((escape(grid.index.name), "number"))
    title = f"The best {shortened(printable(data.names[1]), 40)} cut for each"
    lead = f"For each cut of {names[0]}, the most similar cut of {names[1]}: the ridge of the heat map."
    body = '<div class="find"><button type="button" data-csv="ridge-list">CSV</button></div>'
    body += sortable_table("ridge-list", heads, rows, title)
    return Section(title, body, lead=lead, key="ridge", short="Best cut for each")


def _tanglegram(trees: FacingTrees, labels: PageLabels) -> Section:
    section = chart_section(TANGLEGRAM, trees)
    rows = ""
    for line, places in enumerate(zip(*trees.places(), strict=True)):
        records = number_cell(len(trees.drawing.folded[line]))
        both = "".join(number_cell(int(place) + 1) for place in places)
        rows += f'<tr id="line{line}"><td>{labels.html(trees.labels[line])}</td>{records}{both}</tr>'
    heads = [("First record", ""), ("Records", "number")]
    heads += [(f"Place in {escape(shortened(printable(name), 40))}", "number") for name in trees.names]
    table = sortable_table("lines", heads, rows, "The lines of the tanglegram")
    return replace(section, body=f"{section.body}<details><summary>As a table</summary>{table}</details>")


def _lost(data: TreesData, labels: PageLabels) -> Section:
    names = [escape(shortened(printable(name), 40)) for name in data.names]
    rows = ""
    for each, records in data.lost:
        numbers = (each.size, each.nearest_size, each.common)
        more = f" and {each.size - len(records):,} more" if each.size > len(records) else ""
        cells = "".join(map(number_cell, numbers)) + number_cell(each.f1)
        rows += f"<tr><td>{', '.join(map(labels.html, records))}{more}</td>{cells}"
        rows += f"<td>{'all kept' if each.lowest else 'some lost'}</td></tr>"
    heads = [("Cluster", ""), ("Records", "number"), (f"Nearest in {names[1]}", "number")]
    heads += [("In both", "number"), ("F1", "number"), ("Subclusters", "")]
    own, _, both = data.clusters
    title = f"{counted(own - both, f'{shortened(printable(data.names[0]), 40)} cluster')} lost"
    lead = (
        f"Clusters of {names[0]} that {names[1]} does not have, largest first, each with the nearest one "
        f"of {names[1]} by F1. The hierarchies diverge at lost clusters whose subclusters are all kept."
    )
    body = search_field("lost-list", "records", len(data.lost))
    body += sortable_table("lost-list", heads, rows, title)
    if omitted := own - both - len(data.lost):
        body += f'<p class="note">Not listed: {counted(omitted, "smaller cluster")}.</p>'
    return Section(title, body, lead=lead, key="lost", short="Clusters lost")


def _table(data: TreesData) -> Section:
    curves = data.curves
    heads = [("Clusters", "number"), *((escape(line.index.name), "number") for line in curves.lines)]
    by_chance = [line for line in curves.lines if line.expected is not None]
    heads += [(f"{escape(line.index.name)} by chance", "number") for line in by_chance]
    rows = ""
    for i in curves.listed:
        values = [float(line.values[i]) for line in curves.lines]
        values += [float(line.expected[i]) for line in by_chance if line.expected is not None]
        rows += (
            f'<tr id="cut{i}">{number_cell(int(curves.clusters[i]))}{"".join(map(number_cell, values))}</tr>'
        )
    title = f"Both cut into the same number of clusters: {counted(len(curves.listed), 'cut')}"
    left_out = data.cuts - len(curves.listed)
    lead = "Chance: the leaves are permuted and both shapes are kept." if by_chance else ""
    if left_out:
        lead += f" {counted(left_out, 'other cut')} {'is' if left_out == 1 else 'are'} not listed."
    body = '<div class="find"><button type="button" data-csv="cuts">CSV</button></div>'
    return Section(
        title, body + sortable_table("cuts", heads, rows, title), lead=lead, key="thresholds", short="Table"
    )
