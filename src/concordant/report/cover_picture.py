"""The picture of two covers: clusters that may overlap, and beside them the records that a side leaves out.

A record in several clusters is drawn for each two clusters of the two sides that hold it. Records in no
cluster of a side have a separate bar, so every record that is in a cluster is visible.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from concordant.counts.arithmetic import Integers, sums_by
from concordant.counts.counted import Names
from concordant.counts.cover_counts import CoverCounts, CoverSide
from concordant.counts.overlaps import Overlaps
from concordant.counts.profile import Profile
from concordant.counts.sides import SIDES, SideName
from concordant.counts.table import Table
from concordant.differences.component_sums import costs_by_cluster, nearest_cells
from concordant.differences.own_clusters import ClusteredNames
from concordant.differences.verdicts import VERDICTS, Thresholds, verdicts_of
from concordant.report.picture import MATCHES, Node, Picture, chosen_clusters, crossed, in_order


def pick_of_covers(
    counts: CoverCounts, names: Names, thresholds: Thresholds, limit: int, outside: tuple[str, str]
) -> Picture:
    """At most ``limit`` clusters per side, or one more: all, or the costliest with the rest gathered.

    ``outside`` are the names of the records of each side that are in none of its clusters.
    """
    o = _with_the_unclustered(counts)
    missed = costs_by_cluster(counts, "reference", "missed")
    wrong = costs_by_cluster(counts, "candidate", "wrong")
    places = counts.rows, counts.columns
    rows, columns = chosen_clusters(counts.table, (missed, wrong), limit)
    drawn_rows, drawn_columns = (
        [*chosen, *([place] if sizes[place] else [])]
        for chosen, place, sizes in zip((rows, columns), places, (o.row_sizes, o.column_sizes), strict=True)
    )
    nearest = _nearest_to(counts.view(Overlaps), o)
    table, matches, unseen = crossed(o, drawn_rows, drawn_columns, lambda seen: nearest[seen])
    _count_records_once(table, counts, (rows, columns))
    judged = counts, names, thresholds
    nodes = (
        _nodes(judged, "reference", drawn_rows, o.row_sizes, outside[0]),
        _nodes(judged, "candidate", drawn_columns, o.column_sizes, outside[1]),
    )
    order = in_order(table, matches, [None if node.is_outside else node.label for node in nodes[0][:-1]])
    return Picture(
        tuple(nodes[0][row] for row in order[0]),
        tuple(nodes[1][column] for column in order[1]),
        table[np.ix_(*order)],
        matches[np.ix_(*order)],
        (counts.rows - len(rows), counts.columns - len(columns)),
        unseen,
        of_covers=True,
    )


def _with_the_unclustered(counts: CoverCounts) -> Table:
    """The overlaps, and a last cluster on each side for records that only the other side clusters."""
    o = counts.table
    (u, v), elements = counts.sides, counts.elements
    lost, new = _left_over(u, v, elements), _left_over(v, u, elements)
    row = np.concatenate([o.row, np.flatnonzero(lost), np.full(np.count_nonzero(new), counts.rows)])
    column = np.concatenate([o.column, np.full(np.count_nonzero(lost), counts.columns), np.flatnonzero(new)])
    n = np.concatenate([o.n, lost[lost > 0], new[new > 0]])
    order = np.lexsort((column, row))
    in_u, in_v = (side.memberships > 0 for side in counts.sides)
    unclustered = [int(counts.elements[~mine & other].sum()) for mine, other in ((in_u, in_v), (in_v, in_u))]
    sizes = [
        np.append(own, held) for own, held in zip((o.row_sizes, o.column_sizes), unclustered, strict=True)
    ]
    return Table(row[order], column[order], n[order], sizes=(sizes[0], sizes[1]))


def _left_over(side: CoverSide, other: CoverSide, elements: Integers) -> Integers:
    """The number of records of each cluster that are in no cluster of the other side."""
    kind = side.type
    free = (other.memberships == 0)[kind]
    return sums_by(side.cluster[free], elements[kind[free]], side.clusters)


def _nearest_to(known: Overlaps, o: Table) -> NDArray[np.int64]:
    """Core where the two clusters are nearest to each other, part where one of them is, else stray."""
    near = np.zeros(len(known.n), dtype=np.int64)
    for nearest in (nearest_cells(known, side) for side in SIDES):
        near[nearest[nearest >= 0]] += 1
    of_count = np.array([MATCHES.index(match) for match in ("stray", "part", "core")])
    found = np.full(len(o.n), MATCHES.index("stray"))
    inside = (o.row < len(known.row_sizes)) & (o.column < len(known.column_sizes))
    found[inside] = of_count[near]  # both are in order of rows, then columns
    return found


def _count_records_once(table: Integers, counts: CoverCounts, chosen: tuple[list[int], list[int]]) -> None:
    """Count a record that is in several gathered clusters once in their overlap with a bar."""
    o, (u, v) = counts.table, counts.sides
    sides: tuple[tuple[SideName, CoverSide, Integers, CoverSide], ...] = (
        ("reference", u, o.column, v),
        ("candidate", v, o.row, u),
    )
    for place, (side, own, others, other) in enumerate(sides):
        gathered = np.ones(other.clusters, dtype=bool)
        gathered[chosen[1 - place]] = False
        along = table[:, -1] if side == "reference" else table[-1]
        united = counts.united(gathered[others], side)[chosen[place]]
        along[: len(united)] = united
        if len(along) > len(united) + 1:  # the bar of records in no cluster, then the gathered clusters
            inside = np.unique(other.type[gathered[other.cluster]])
            along[len(united)] = counts.elements[inside[own.memberships[inside] == 0]].sum()


def _nodes(
    judged: tuple[CoverCounts, Names, Thresholds],
    side: SideName,
    drawn: list[int],
    sizes: Integers,
    outside: str,
) -> list[Node]:
    """The clusters of a side, the records in none of them, and the gathered others."""
    counts, names, thresholds = judged
    verdicts, clusters = verdicts_of(counts, side, thresholds), len(sizes) - 1
    name = names.reference if side == "reference" else names.candidate
    nodes = [
        Node(name(place), int(sizes[place]), place, VERDICTS[verdicts[place]], has_card=False)
        if place < clusters
        else Node(outside, int(sizes[place]), place, has_card=False, is_outside=True)
        for place in drawn
    ]
    shown = [place for place in drawn if place < clusters]
    rest = int(sizes[:-1].sum()) - int(sizes[shown].sum())
    return [*nodes, Node(None, rest, gathered=clusters - len(shown), unit="membership")]


def with_cards(picture: Picture, names: ClusteredNames, profile: Profile) -> Picture:
    """The clusters of a picture by the numbers of their cards; records in no cluster have the next."""

    def numbered(node: Node, numbers: NDArray[np.int64], clusters: int) -> Node:
        if node.is_other:
            return node
        if node.verdict is None:
            return replace(node, place=clusters)
        return replace(node, place=int(numbers[node.place]), has_card=True)

    rows = tuple(numbered(node, names.rows, profile.rows) for node in picture.rows)
    columns = tuple(numbered(node, names.columns, profile.columns) for node in picture.columns)
    return replace(picture, rows=rows, columns=columns)
