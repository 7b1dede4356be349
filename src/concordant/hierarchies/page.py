"""Sections of the pages of hierarchies: cuts, what changes next to the best one, trees, and clusters lost."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from concordant.foundation.spelling import counted, printable
from concordant.foundation.text_layout import shortened
from concordant.hierarchies.curve_charts import CurveLine, Curves
from concordant.hierarchies.grid_chart import CutPicture
from concordant.hierarchies.tanglegram_chart import TANGLEGRAM, FacingTrees
from concordant.hierarchies.tree_changes import LostCluster
from concordant.report.labels import PageLabels
from concordant.report.pages.page import (
    Section,
    chart_section,
    csv_button,
    escape,
    folded_below,
    note,
    sortable_table,
    table_row,
)
from concordant.report.sentences import capitalized, side_title, subjects
from concordant.report.values import format_value

# -- a hierarchy against a partition ------------------------------------------------------------------


def best_sentence(curves: Curves, cuts: int) -> str:
    """The best cut of the first index; the curves may show some of the cuts."""
    i = curves.lines[0].best
    if i is None:
        return f"{curves.lines[0].index.title} has no best value here"
    where, value = curves.where(i), format_value(float(curves.lines[0].values[i]))
    some = "" if len(curves.x) == cuts else f"Of {counted(len(curves.x), 'cut')}, "
    return f"{some}{curves.lines[0].index.title} is best at {where}: {value}"


def neighbours_sentence(curves: Curves, cuts: int) -> str:
    """The values at the cuts before and after the best one."""
    line = curves.lines[0]
    if line.best is None:
        return ""
    beside = [
        f"{format_value(float(line.values[i]))} at {curves.where(i)} "
        f"({counted(int(curves.clusters[i]), 'cluster')})"
        for i in (line.best - 1, line.best + 1)
        if 0 <= i < len(line.values)
    ]
    made = f"It makes {counted(int(curves.clusters[line.best]), 'cluster')}"
    if not beside:
        return f"{made}, and there is no other cut."
    shown = "" if len(curves.x) == cuts else " that is shown" if len(beside) == 1 else " that are shown"
    nearest = f"nearest cut{shown} has" if len(beside) == 1 else f"nearest cuts{shown} have"
    return f"{made}; the {nearest} {' and '.join(beside)}."


def limit_sentence(curves: Curves, pruning: tuple[float, float] | None) -> str:
    """Whether the hierarchy or the one threshold for all of it limits the value of the first index.

    The pruning is given by its value and that of the best cut.
    """
    index = curves.lines[0].index
    if pruning is None or index.perfect is None:
        return ""
    value, best_cut = pruning
    # Equal values may be infinite.
    by_cut, by_tree = (0.0 if x == y else abs(x - y) for x, y in ((value, best_cut), (index.perfect, value)))
    one = curves.axis
    reached = f"the best clusters in it, each at its own {one}, give {format_value(value)}"
    if not by_cut and not by_tree:
        return f"Neither the hierarchy nor the {one} limits the value: it is perfect."
    if not by_tree:
        return f"The {one} limits the value, not the hierarchy: {reached}, which is perfect."
    if not by_cut:
        return f"The hierarchy limits the value, not the {one}: {reached}, as the best cut does."
    limits, other = ("hierarchy", one) if by_tree >= by_cut else (one, "hierarchy")
    return (
        f"The {limits} limits the value more than the {other}: {reached}, and the best cut gives "
        f"{format_value(best_cut)}; perfect is {format_value(index.perfect)}."
    )


def values_at_best(curves: Curves) -> list[tuple[float | str, str, str]]:
    """The values of the indices at the best cut of the first one, and where their own best is."""
    best = curves.lines[0].best
    if best is None:
        return []

    def own_best(line: CurveLine) -> str:
        if line.best is None or line.best == best:
            return ""
        return f"its best: {format_value(float(line.values[line.best]))} at {curves.where(line.best)}"

    return [(float(line.values[best]), line.index.title, own_best(line)) for line in curves.lines]


def cuts_section(curves: Curves, cuts: int) -> Section:
    """The values at the listed cuts."""
    heads = [(curves.axis.capitalize(), "number"), ("Clusters", "number")]
    heads += [(escape(line.index.name), "number") for line in curves.lines]
    rows = []
    for i in curves.listed:
        x = float(curves.x[i])
        values = [float(line.values[i]) for line in curves.lines]
        shown = [
            (value, f"<b>{format_value(value)}</b>" if i == line.best else format_value(value))
            for value, line in zip(values, curves.lines, strict=True)
        ]
        place = (x, curves.where(i).removeprefix(f"{curves.axis} "))
        rows.append(table_row(place, int(curves.clusters[i]), *shown, key=f"cut{i}"))
    title = f"Values at {counted(len(curves.listed), curves.axis)}"
    lead = f"The best value of each index is bold.{_cuts_left_out(curves, cuts)}"
    body = csv_button("cuts") + sortable_table("cuts", heads, rows, title)
    return Section(title, body, lead=lead, key="thresholds")


def _cuts_left_out(curves: Curves, cuts: int) -> str:
    left_out = cuts - len(curves.listed)
    verb = "is" if left_out == 1 else "are"
    return f" {counted(left_out, 'other cut')} {verb} not listed." if left_out else ""


# -- two hierarchies ----------------------------------------------------------------------------------


def best_cuts_sentence(grid: CutPicture) -> str:
    """The most similar pair of cuts."""
    if grid.best is None:
        return f"{grid.index.title} at every pair of cuts"
    row, column = grid.best
    value = format_value(float(grid.values[row, column]))
    clusters = f"{int(grid.reference[row]):,} and {counted(int(grid.candidate[column]), 'cluster')}"
    cuts = f"{scope}the most similar cuts" if (scope := grid.scope()) else "The most similar cuts"
    return f"{cuts} have {clusters}: {grid.index.title} {value}"


def shared_sentence(names: Sequence[str], size: int, clusters: tuple[int, int, int]) -> str:
    """How many clusters both hierarchies have: ``clusters`` of the reference, the candidate, and both."""
    reference, candidate = subjects((names[0], names[1]))
    own, _, both = clusters
    if not own:
        return f"{capitalized(reference)} has no cluster of 2 to {size - 1:,} records"
    verb = "is" if both == 1 else "are"
    return f"{both:,} of {counted(own, f'{side_title(names[0])} cluster')} {verb} also in {candidate}"


def ridge_section(grid: CutPicture) -> Section:
    """The best cut of the candidate for each cut of the reference."""
    names = [escape(shortened(printable(name), 40)) for name in grid.names]
    rows = [
        table_row(
            int(grid.reference[row]),
            int(grid.candidate[column]),
            float(grid.values[row, column]),
            key=f"ridge{place}",
        )
        for place, (row, column) in enumerate(grid.ridge)
    ]
    heads = [(f"Clusters of {name}", "number") for name in names]
    heads.append((escape(grid.index.name), "number"))
    title = f"The best {shortened(printable(grid.names[1]), 40)} cut for each"
    lead = f"For each cut of {names[0]}, the most similar cut of {names[1]}: the ridge of the heat map."
    body = csv_button("ridge-list") + sortable_table("ridge-list", heads, rows, title)
    return Section(title, body, lead=lead, key="ridge", short="Best cut for each")


def tanglegram_section(trees: FacingTrees, labels: PageLabels) -> Section:
    """Both trees, and their lines as a table."""
    rows = [
        table_row(
            labels.html(trees.drawing._records[line]),
            len(trees.drawing.folded[line]),
            *(int(place) + 1 for place in places),
            key=f"line{line}",
        )
        for line, places in enumerate(zip(*trees.places(), strict=True))
    ]
    heads = [("First record", ""), ("Records", "number")]
    heads += [(f"Place in {escape(shortened(printable(name), 40))}", "number") for name in trees.names]
    table = sortable_table("lines", heads, rows, "The lines of the tanglegram")
    return folded_below(chart_section(TANGLEGRAM, trees), "As a table", table)


def lost_section(
    lost: Sequence[tuple[LostCluster, Sequence[Any]]],
    clusters: tuple[int, int, int],
    names: Sequence[str],
    labels: PageLabels,
) -> Section:
    """The largest lost clusters with some of their records; ``clusters`` as in `shared_sentence`."""
    reference, candidate = (escape(shortened(printable(name), 40)) for name in names)
    rows = []
    for each, records in lost:
        more = f" and {each.size - len(records):,} more" if each.size > len(records) else ""
        named = f"{', '.join(map(labels.html, records))}{more}"
        kept = "all kept" if each.lowest else "some lost"
        rows.append(table_row(named, each.size, each.nearest_size, each.overlap, each.f1, kept))
    heads = [("Cluster", ""), ("Records", "number"), (f"Nearest in {candidate}", "number")]
    heads += [("In both", "number"), ("F1", "number"), ("Subclusters", "")]
    own, _, both = clusters
    title = f"{counted(own - both, f'{shortened(printable(names[0]), 40)} cluster')} lost"
    lead = (
        f"Clusters of {reference} that {candidate} does not have, largest first, each with the nearest one "
        f"of {candidate} by F1. The hierarchies diverge at lost clusters whose subclusters are all kept."
    )
    body = sortable_table("lost-list", heads, rows, title, "records")
    if omitted := own - both - len(lost):
        body += note(f"Not listed: {counted(omitted, 'smaller cluster')}.")
    return Section(title, body, lead=lead, key="lost", short="Clusters lost")


def equal_cuts_section(curves: Curves, cuts: int) -> Section:
    """The values where both hierarchies are cut into the same number of clusters."""
    heads = [("Clusters", "number"), *((escape(line.index.name), "number") for line in curves.lines)]
    by_chance = [(line.index, line.expected) for line in curves.lines if line.expected is not None]
    heads += [(f"{escape(index.name)} by chance", "number") for index, _ in by_chance]
    columns = [*(line.values for line in curves.lines), *(expected for _, expected in by_chance)]
    rows = [
        table_row(int(curves.clusters[i]), *(float(column[i]) for column in columns), key=f"cut{i}")
        for i in curves.listed
    ]
    title = f"Both cut into the same number of clusters: {counted(len(curves.listed), 'cut')}"
    chance = "Chance: the leaves are permuted and both shapes are kept." if by_chance else ""
    body = csv_button("cuts") + sortable_table("cuts", heads, rows, title)
    lead = f"{chance}{_cuts_left_out(curves, cuts)}"
    return Section(title, body, lead=lead, key="thresholds", short="Table")
