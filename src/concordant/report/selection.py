"""Picks the few clusters worth seeing out of millions, and puts them in an order that shows the diagonal.

Clusters to blame for the most missed and wrong pairs come first, with their largest pieces. Clusters that
are not picked are gathered as one, "other".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from concordant.counts.contingency import Contingency
from concordant.counts.counted_sides import Names
from concordant.counts.cover_counts import CoverCounts, CoverSide
from concordant.counts.overlaps import Overlaps
from concordant.counts.pair_costs import Costs
from concordant.counts.profile import Profile
from concordant.differences.changes import ROLES, roles_of
from concordant.differences.component_sums import costs_by_cluster, nearest_cells
from concordant.differences.lazy_list import largest_of
from concordant.differences.own_clusters import ClusteredNames
from concordant.differences.verdicts import VERDICTS, CountedUnit, Thresholds, Verdict, verdicts_of
from concordant.foundation.conventions import SIDES, SideName
from concordant.foundation.spelling import counted, printable
from concordant.maths.arithmetic import Integers, sums_by
from concordant.report.labels import NOISE

_PIECES = 5  # largest pieces of a costly cluster, in a picture that cannot show them all
_FEWEST = 3  # equal singletons that are worth a bar of their own


# The colour of an overlap in every picture: the core of both its clusters, the main part of one of them, or
# neither; or unknown, because one of the two clusters is the gathered others.
Match = Literal["core", "part", "stray", "other"]
MATCHES: tuple[Match, ...] = ("core", "part", "stray", "other")
_MATCH_OF_ROLE = {"core": 0, "absorbed": 1, "broken off": 1, "stray": 2}


def matches_of(o: Overlaps, cells: NDArray[np.int64]) -> NDArray[np.int64]:
    """The kind of each overlap, as its position in MATCHES; judged on the whole table."""
    places = np.array([_MATCH_OF_ROLE[role] for role in ROLES])
    return places[roles_of(o, cells)]


@dataclass(frozen=True, slots=True)
class Node:
    """A cluster in a picture, or the gathered others."""

    label: Any
    size: float  # a number of records, or the weight of a soft cluster
    place: int = -1  # the number of the cluster on its side
    verdict: Verdict | None = None
    gathered: int = 0  # the number of gathered clusters
    unit: str = "record"  # what the size counts
    has_card: bool = True  # whether a page has a card for it
    is_outside: bool = False  # noise, or records in no cluster
    is_fold: bool = False  # several clusters of one kind, drawn as one, to scale

    @property
    def is_other(self) -> bool:
        return self.place < 0 and not self.is_fold

    @property
    def is_hatched(self) -> bool:
        """Whether it is not an ordinary cluster."""
        return self.place < 0 or self.is_outside


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """Some clusters of both sides, in the order in which they are drawn, and their overlaps."""

    rows: tuple[Node, ...]
    columns: tuple[Node, ...]
    counts: Integers  # overlap of each row with each column
    matches: NDArray[np.int64]  # what each overlap is, as its place among MATCHES
    gathered: tuple[int, int]  # how many clusters of each side are gathered as other
    unseen: int  # records whose clusters are gathered as other on both sides
    of_covers: bool = False  # clusters overlap, so a record is drawn for each two that hold it
    unit: CountedUnit = "record"  # what the overlaps count

    def match(self, i: int, j: int) -> Match:
        """The kind of an overlap for its two clusters."""
        return MATCHES[int(self.matches[i, j])]

    def shows(self, side: SideName, place: int) -> bool:
        """Whether the cluster with this number is drawn by itself."""
        return any(node.place == place for node in (self.rows if side == "reference" else self.columns))


@dataclass(frozen=True, slots=True, eq=False)
class Fold:
    """Some clusters of one side that are drawn as one bar: 500 singletons would be 500 hairlines."""

    label: str
    places: NDArray[np.int64]
    is_equal: bool = False  # whether the other side has the same clusters


@dataclass(frozen=True, slots=True, eq=False)
class FoldedCells:
    """Overlaps with folded clusters: those that are not folded, in order, then the folds of each side."""

    cells: Contingency
    places: tuple[NDArray[np.int64], NDArray[np.int64]]  # of those not folded, their numbers on their sides
    folds: tuple[list[Fold], list[Fold]]
    origin: NDArray[np.int64]  # the overlap that each cell is; -1 where it is several

    def are_equal(self, cells: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Whether cells hold singletons of both sides."""
        same = np.ones(len(cells), dtype=bool)
        ends = zip((self.cells.row, self.cells.column), self.places, self.folds, strict=True)
        for numbers, places, folds in ends:
            equal = np.zeros(len(places) + len(folds), dtype=bool)
            equal[len(places) :] = [fold.is_equal for fold in folds]
            same &= equal[numbers[cells]]
        return same


def fold(o: Overlaps, names: Names, outside: tuple[str, str]) -> FoldedCells:
    """The overlaps, with equal singletons folded, and records that are in no cluster of a side.

    ``outside`` are the names of these records on both sides.
    """
    equal = np.flatnonzero((o.n == 1) & (o.row_sizes[o.row] == 1) & (o.column_sizes[o.column] == 1))
    sides = (
        (o.row, o.row_sizes, names.unclustered(0)),
        (o.column, o.column_sizes, names.unclustered(1)),
    )
    folds: tuple[list[Fold], list[Fold]] = ([], [])
    for own_folds, (ends, _, places), label in zip(folds, sides, outside, strict=True):
        if len(places):
            own_folds.append(Fold(label, places))
            equal = equal[~np.isin(ends[equal], places)]
    if len(equal) >= _FEWEST:
        for own_folds, (ends, *_) in zip(folds, sides, strict=True):
            label = counted(len(equal), "singleton")
            own_folds.append(Fold(label, np.sort(ends[equal]), is_equal=True))
    if not any(folds):
        whole = Contingency(o.row, o.column, o.n, sizes=(o.row_sizes, o.column_sizes))
        everyone = (np.arange(len(o.row_sizes)), np.arange(len(o.column_sizes)))
        return FoldedCells(whole, everyone, ([], []), np.arange(len(o.n)))
    numbers, kept, new_sizes = [], [], []
    for own_folds, (ends, sizes, *_) in zip(folds, sides, strict=True):
        fold_of = np.full(len(sizes), -1)
        for place, each in enumerate(own_folds):
            fold_of[each.places] = place
        own = np.flatnonzero(fold_of < 0)
        new = len(own) + fold_of
        new[own] = np.arange(len(own))
        numbers.append(new[ends])
        kept.append(own)
        folded = np.array([sizes[each.places].sum() for each in own_folds], dtype=sizes.dtype)
        new_sizes.append(np.append(sizes[own], folded))
    columns = len(new_sizes[1])
    flat, first, group = np.unique(numbers[0] * columns + numbers[1], return_index=True, return_inverse=True)
    row, column = flat // columns, flat % columns
    is_one = (np.bincount(group) == 1) & (row < len(kept[0])) & (column < len(kept[1]))
    cells = Contingency(row, column, sums_by(group, o.n), sizes=(new_sizes[0], new_sizes[1]))
    return FoldedCells(cells, (kept[0], kept[1]), folds, np.where(is_one, first, -1))


def pick(
    profile: Profile,
    names: Names,
    judged: Mapping[SideName, NDArray[np.int8]],
    folded: FoldedCells,
    limit: int,
) -> Picture:
    """A picture of at most ``limit`` clusters a side: all, or the costliest with the rest gathered.

    ``folded`` are the overlaps with noise and equal singletons folded.
    """
    o = profile.view(Overlaps)
    costs = profile.view(Costs)
    sides = (costs.missed_of_rows, costs.wrong_of_columns)
    each_cost = _costs_of(folded, 0, sides[0]), _costs_of(folded, 1, sides[1])
    rows, columns = chosen_clusters(folded.cells, each_cost, limit)
    rows, columns = _folds_last(rows, folded, 0), _folds_last(columns, folded, 1)

    def matches_among(seen: NDArray[np.int64]) -> NDArray[np.int64]:
        """The kind of each overlap; for folds, it is only known whether singletons are equal."""
        origin = folded.origin[seen]
        found = np.where(folded.are_equal(seen), MATCHES.index("core"), MATCHES.index("other"))
        found[origin >= 0] = matches_of(o, origin[origin >= 0])
        return found

    counts, matches, unseen = crossed(folded.cells, rows, columns, matches_among)
    row_nodes = _nodes(folded, 0, rows, partial(names.cluster, 0), judged["reference"])
    column_nodes = _nodes(folded, 1, columns, partial(names.cluster, 1), judged["candidate"])
    labels = [names.cluster(0, node.place) for node in row_nodes if node.place >= 0]
    row_order, column_order = in_order(counts, matches, labels, len(folded.folds[1]))
    places = np.ix_(row_order, column_order)
    sizes = (folded.cells.row_sizes, folded.cells.column_sizes)
    gathered = (len(sizes[0]) - len(rows), len(sizes[1]) - len(columns))
    for nodes, own, count in zip((row_nodes, column_nodes), sizes, gathered, strict=True):
        nodes.append(Node(None, int(own.sum()) - sum(node.size for node in nodes), gathered=count))
    return Picture(
        tuple(row_nodes[row] for row in row_order),
        tuple(column_nodes[column] for column in column_order),
        counts[places],
        matches[places],
        gathered,
        unseen,
    )


def _costs_of(folded: FoldedCells, side: int, costs: Integers) -> Integers:
    """The cost of each cluster, and the total cost of each fold."""
    folds = [costs[each.places].sum() for each in folded.folds[side]]
    return np.append(costs[folded.places[side]], np.array(folds, dtype=costs.dtype))


def _folds_last(numbers: list[int], folded: FoldedCells, side: int) -> list[int]:
    """The chosen clusters, then all folds of the side, chosen or not."""
    ordinary = len(folded.places[side])
    last = range(ordinary, ordinary + len(folded.folds[side]))
    return [*(number for number in numbers if number < ordinary), *last]


def _nodes(
    folded: FoldedCells, side: int, numbers: list[int], name: Callable[[int], Any], judged: Any
) -> list[Node]:
    sizes = (folded.cells.row_sizes, folded.cells.column_sizes)[side]
    places, folds = folded.places[side], folded.folds[side]
    nodes = []
    for number in numbers:
        size = int(sizes[number])
        if number >= len(places):
            each = folds[number - len(places)]
            nodes.append(Node(each.label, size, has_card=False, is_fold=True, is_outside=not each.is_equal))
        else:
            place = int(places[number])
            label, verdict = name(place), VERDICTS[judged[place]]
            nodes.append(Node(label, size, place, verdict, is_outside=label is NOISE))
    return nodes


def in_order(
    counts: Integers, matches: NDArray[np.int64], labels: list[Any], folds: int = 0
) -> tuple[list[int], list[int]]:
    """Rows and columns in the order in which they are drawn, the gathered others last where there are any.

    Rows are ordered by their numbers where all have one, else by likeness; each column is beside its core.
    Rows beyond the labels, and as many columns at the end, are folds, which come before the others.
    """
    core, shares = matches[:-1, :-1] == MATCHES.index("core"), counts[:-1, :-1].astype(float)
    numbered = by_number(labels)
    rows = numbered + list(range(len(labels), len(shares))) if numbered else _by_likeness(shares)
    rows = sorted(rows, key=lambda row: max(row - len(labels) + 1, 0))
    place = np.empty(len(rows))
    place[rows] = np.arange(len(rows))
    centre = (shares * place[:, None]).sum(axis=0) / np.maximum(shares.sum(axis=0), 1)
    partner = np.where(core.any(axis=0), core.argmax(axis=0), shares.argmax(axis=0))
    columns = np.lexsort((centre, ~core.any(axis=0), place[partner])).tolist()
    ordinary = len(core[0]) - folds if len(core) else 0
    columns.sort(key=lambda column: max(column - ordinary + 1, 0))
    if counts[-1].any():
        rows.append(len(counts) - 1)
    if counts[:, -1].any():
        columns.append(len(counts[0]) - 1)
    return rows, columns


def chosen_clusters(
    o: Contingency, costs: tuple[Integers, Integers], limit: int
) -> tuple[list[int], list[int]]:
    """The costliest clusters of both sides, each with its largest pieces; if space is left, the largest."""
    rows, columns = len(o.row_sizes), len(o.column_sizes)
    if rows <= limit + 1 and columns <= limit + 1:  # gathering a single cluster saves no space
        return list(range(rows)), list(range(columns))
    chosen: tuple[dict[int, None], dict[int, None]] = ({}, {})
    cells: list[int] = []
    for cluster in largest(np.concatenate(costs), limit):
        if cluster < rows:
            own = np.arange(*np.searchsorted(o.row, [cluster, cluster + 1]))
        else:
            own = np.flatnonzero(o.column == cluster - rows)
        cells += own[largest(o.n[own], _PIECES)].tolist()
    for cell in [*cells, *largest(o.n, limit)]:
        ends = (int(o.row[cell]), int(o.column[cell]))
        if all(len({**side, end: None}) <= limit for side, end in zip(chosen, ends, strict=True)):
            for side, end in zip(chosen, ends, strict=True):
                side[end] = None
    return list(chosen[0]), list(chosen[1])


def largest(worth: Integers, count: int) -> list[int]:
    """The places of the largest positive values, largest first."""
    positive = np.flatnonzero(worth > 0)
    return [int(place) for place in positive[largest_of(worth[positive], count)]]


def crossed(
    o: Contingency,
    rows: list[int],
    columns: list[int],
    judged: Callable[[NDArray[np.int64]], NDArray[np.int64]],
) -> tuple[Integers, NDArray[np.int64], int]:
    """The overlaps of the chosen clusters and what they are, with one row and one column for all others.

    Also the number of records in others on both sides.
    """
    shape = (len(rows) + 1, len(columns) + 1)
    of_row, of_column = (np.zeros(len(sizes), dtype=bool) for sizes in (o.row_sizes, o.column_sizes))
    of_row[rows], of_column[columns] = True, True
    drawn = np.flatnonzero(of_row[o.row] | of_column[o.column])
    i, j, n = _places(o.row[drawn], rows, of_row), _places(o.column[drawn], columns, of_column), o.n[drawn]
    counts = sums_by(i * shape[1] + j, n, shape[0] * shape[1]).reshape(shape)
    unseen = int(o.n.sum()) - int(n.sum())
    matches = np.full(shape, MATCHES.index("other"))
    seen = np.flatnonzero((i < len(rows)) & (j < len(columns)))
    matches[i[seen], j[seen]] = judged(drawn[seen])
    return counts, matches, unseen


def _places(numbers: Integers, chosen: list[int], is_chosen: NDArray[np.bool_]) -> NDArray[np.int64]:
    """The place of each number among the chosen ones; for others, the place after the last."""
    place = np.empty(len(is_chosen), dtype=np.int64)  # never read for the others
    place[chosen] = np.arange(len(chosen))
    return np.where(is_chosen[numbers], place[numbers], len(chosen))


def by_number(labels: list[Any]) -> list[int] | None:
    """The order by number, if all labels are numbers: people look for 7 between 6 and 8."""
    try:
        numbers = [float(printable(label)) for label in labels]
    except ValueError:
        return None
    return _ascending(np.array(numbers))


def _by_likeness(shares: NDArray[np.float64]) -> list[int]:
    """Rows that share columns side by side, the largest connected component first."""
    linked, left, components = shares > 0, set(range(len(shares))), []
    while left:
        rows: set[int] = set()
        grown = {min(left)}
        while grown != rows:
            rows = grown
            columns = linked[sorted(rows)].any(axis=0)
            grown = {row for row in left if (linked[row] & columns).any()} | rows
        components.append(sorted(rows))
        left -= rows
    components.sort(key=lambda rows: -shares[rows].sum())
    return [rows[place] for rows in components for place in _along_the_diagonal(shares[rows])]


def _along_the_diagonal(shares: NDArray[np.float64]) -> list[int]:
    """Correspondence analysis: rows that share columns are placed side by side."""
    shares = shares[:, shares.sum(axis=0) > 0]
    heights, widths = shares.sum(axis=1), shares.sum(axis=0)
    if min(shares.shape) < 3:
        return _ascending(-heights)
    expected = np.outer(heights, widths) / shares.sum()
    left, _, _ = np.linalg.svd((shares - expected) / np.sqrt(expected))
    order = _ascending(np.round(left[:, 0] / np.sqrt(heights), 12))
    return order if heights[order[0]] >= heights[order[-1]] else order[::-1]


def _ascending(values: NDArray[np.float64]) -> list[int]:
    return [int(place) for place in np.argsort(values, kind="stable")]


# -- covers -------------------------------------------------------------------------------------------
# A record in several clusters is drawn for each two clusters of the two sides that hold it. Records in no
# cluster of a side have a separate bar, so every record that is in a cluster is visible.


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
        _cover_nodes(judged, "reference", drawn_rows, o.row_sizes, outside[0]),
        _cover_nodes(judged, "candidate", drawn_columns, o.column_sizes, outside[1]),
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


def _with_the_unclustered(counts: CoverCounts) -> Contingency:
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
    return Contingency(row[order], column[order], n[order], sizes=(sizes[0], sizes[1]))


def _left_over(side: CoverSide, other: CoverSide, elements: Integers) -> Integers:
    """The number of records of each cluster that are in no cluster of the other side."""
    kind = side.type
    free = (other.memberships == 0)[kind]
    return sums_by(side.cluster[free], elements[kind[free]], side.clusters)


def _nearest_to(known: Overlaps, o: Contingency) -> NDArray[np.int64]:
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


def _cover_nodes(
    judged: tuple[CoverCounts, Names, Thresholds],
    side: SideName,
    drawn: list[int],
    sizes: Integers,
    outside: str,
) -> list[Node]:
    """The clusters of a side, the records in none of them, and the gathered others."""
    counts, names, thresholds = judged
    verdicts, clusters = verdicts_of(counts, side, thresholds), len(sizes) - 1
    name = partial(names.cluster, SIDES.index(side))
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

    row_numbers, column_numbers = names.numbers
    rows = tuple(numbered(node, row_numbers, profile.rows) for node in picture.rows)
    columns = tuple(numbered(node, column_numbers, profile.columns) for node in picture.columns)
    return replace(picture, rows=rows, columns=columns)
