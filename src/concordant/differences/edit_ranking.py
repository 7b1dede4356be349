"""The value of an index after each of many edits, from the changes in the sums that its formula reads."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import filterfalse
from math import inf, isfinite, isnan
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from concordant import core
from concordant.counts.base import ContingencyLoader, Counts
from concordant.counts.contingency import Contingency, label_places
from concordant.counts.counted_sides import NO_CLUSTERS, CountedSides, outside_clusters
from concordant.counts.information import Information
from concordant.counts.overlaps import first_by_label, largest_in, ranks
from concordant.counts.pairs import PairCounts
from concordant.counts.profile import Profile
from concordant.counts.weighted_counts import WeightedCounts, edited
from concordant.differences.lazy_list import largest_of
from concordant.engines.live.profile import LiveCells, LiveProfile
from concordant.engines.live.records import Place
from concordant.engines.live.table import LiveTable
from concordant.errors import ParameterError, TableNeededError, TooLargeError
from concordant.foundation.conventions import Undefined
from concordant.foundation.lock import Guarded
from concordant.foundation.spelling import counted
from concordant.indices.index import Index
from concordant.maths.arithmetic import Floats, Integers, counted_alike, sums_by

EditKind = Literal["merge", "split", "move"]
KINDS: tuple[EditKind, ...] = get_args(EditKind)
Numbers = NDArray[np.int64]
OutsideMasks = tuple[NDArray[np.bool_], NDArray[np.bool_]]  # rows and columns that are not clusters
Found = tuple[int, int, int, int]  # an edit: a place in KINDS, the row, one column, another
OverlapColumns = tuple[Integers, Integers, Integers]  # row, column and size of each overlap

SMALL = 0.01  # share of the distance to the perfect value; edits that gain less are not named one by one
_EQUAL_GAIN = 1e-12
_NOUNS: dict[EditKind, str] = {"merge": "merge", "split": "split", "move": "single-record move"}


@dataclass(frozen=True)
class EditGroup:
    """All edits of one kind.

    Attributes
    ----------
    kind : {"merge", "split", "move"}
        The kind.
    n_edits : int
        Number of edits.
    size : int
        Number of records that change their cluster.
    value : float
        Value of the index after all edits.
    gain : float
        Improvement of the index by all edits.
    """

    kind: EditKind
    n_edits: int
    size: int
    value: float
    gain: float
    steps: Integers = field(repr=False, compare=False)  # row, column, target column and records of each

    @property
    def words(self) -> str:
        """The edits in words: ``6,210 single-record moves``."""
        return counted(self.n_edits, _NOUNS[self.kind])


def is_small(gain: float, now: float, index: Index) -> bool:
    """Whether a gain closes less than a hundredth of the distance to the perfect value."""
    if isnan(gain) or index.perfect is None:
        return False
    return gain < SMALL * abs(float(index.perfect) - now)


def edit_groups(
    cells: OverlapColumns,
    outside: OutsideMasks,
    index: Index,
    kinds: Sequence[EditKind],
    *,
    undefined: Undefined,
    now: float,
    label: Callable[[int, int], Any],
    exact: tuple[Integers, Integers] = (NO_CLUSTERS, NO_CLUSTERS),
    largest: tuple[Numbers, Numbers] | None = None,
) -> list[EditGroup]:
    """The groups that make the index better, best first; records in no cluster are not edited.

    ``outside`` are the rows and columns that are not clusters, by their numbers; later numbers are clusters.
    ``now`` is the value of the index before the edits. ``label`` gives the label of a cluster by its side and
    number: the first decides between equal overlaps. ``exact`` are the sizes of further clusters that both
    sides have, and the number of clusters of each size. ``largest`` are the positions of the largest overlap
    of each row and column, where they are known and nothing is outside.
    """
    groups, sign = [], 1.0 if index.direction == "similarity" else -1.0
    for kind, steps, edits, profile in _fixes(
        cells, outside, kinds, label=label, exact=exact, largest=largest
    ):
        value = index.value(profile, "nan" if undefined == "raise" else undefined)
        gain = sign * (value - now)
        if edits > 1 and gain > _EQUAL_GAIN * max(1.0, abs(now)):
            groups.append(EditGroup(kind, edits, int(steps[:, 3].sum()), value, gain, steps))
    return sorted(groups, key=lambda group: -group.gain)


def split_apart(
    cells: OverlapColumns,
    column: int,
    index: Index,
    *,
    undefined: Undefined,
    now: float,
    exact: tuple[Integers, Integers],
) -> EditGroup:
    """All splits of one candidate cluster by reference clusters; its largest part stays."""
    row, columns, n = cells
    which = np.flatnonzero(columns == column)
    which = np.delete(which, np.argmax(n[which]))
    target = columns.copy()
    target[which] = int(columns.max()) + 1 + np.arange(len(which))
    value = index.value(_profile((row, target, n), exact), "nan" if undefined == "raise" else undefined)
    gain = (1.0 if index.direction == "similarity" else -1.0) * (value - now)
    steps = np.column_stack([row[which], columns[which], target[which], n[which]])
    return EditGroup("split", len(which), int(n[which].sum()), value, gain, steps)


def _fixes(
    cells: OverlapColumns,
    outside: OutsideMasks,
    kinds: Sequence[EditKind],
    *,
    label: Callable[[int, int], Any],
    exact: tuple[Integers, Integers],
    largest: tuple[Numbers, Numbers] | None,
) -> Iterator[tuple[EditKind, Integers, int, Profile]]:
    """For each kind that occurs: the steps, the number of edits, and the profile after all of them."""
    row, column, n = cells
    new = int(column.max(initial=-1)) + 1
    is_inside, alone = np.ones(len(n), dtype=bool), n == 1
    if any(mask.any() for mask in outside):
        is_inside = ~(_marked(row, outside[0]) | _marked(column, outside[1]))
    row_best, column_best = largest or (
        _largest((row, column)[side], n * is_inside, (row, column)[1 - side], partial(label, 1 - side))
        for side in (0, 1)
    )
    of_row, of_column = (np.zeros(len(n), dtype=bool) for _ in range(2))
    of_row[row_best], of_column[column_best] = True, True
    home_of_row = np.zeros(int(row.max(initial=-1)) + 1, dtype=np.int64)
    home_of_row[row[row_best]] = column[row_best]
    fixes: dict[EditKind, NDArray[np.int64]] = {
        "merge": np.flatnonzero(is_inside & of_column & ~of_row & ~alone),
        "split": np.flatnonzero(is_inside & of_row & ~of_column),
        "move": np.flatnonzero(is_inside & ~of_row & (~of_column | alone)),
    }
    by_row = core.grouped(row)[0] if (row[1:] < row[:-1]).any() else slice(None)
    for kind in kinds:
        which, target = fixes[kind], column.copy()
        if not len(which):
            continue
        home = home_of_row[row[which]]  # the column with most of the row
        if kind == "merge":
            # A home has a larger overlap than the column that joins it, so merges never form a cycle.
            target = merged(column[which], home, new)[column]
            moved = sums_by(column, n, new)[column[which]]
        else:
            target[which] = new + np.arange(len(which)) if kind == "split" else home
            moved = n[which]
        edits = int(moved.sum()) if kind == "move" else len(which)
        steps = np.column_stack([row[which], column[which], target[which], moved])
        yield kind, steps, edits, _profile((row[by_row], target[by_row], n[by_row]), exact)


def _largest(cluster: Numbers, n: Integers, other: Numbers, label: Callable[[int], Any]) -> Numbers:
    """The position of the largest overlap of each cluster; clusters whose overlaps are all 0 are left out.

    Of equal ones, the one whose other cluster is first by its label.
    """
    best = largest_in(cluster, n)
    is_equal = (n > 0).astype(bool) & (n == n[best[cluster]]).astype(bool)
    best = first_by_label(cluster, best, is_equal, lambda cells: label_places(other[cells], label))
    return best[np.flatnonzero((best >= 0) & (n[best] > 0).astype(bool))]


def _marked(numbers: Numbers, mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Whether each number is marked; numbers beyond the mask are not."""
    beyond = max(int(numbers.max(initial=-1)) + 1 - len(mask), 0)
    return np.pad(mask, (0, beyond))[numbers]


def merged(sources: Numbers, targets: Numbers, count: int) -> Numbers:
    """The cluster that each cluster is part of after these merges, which must not form a cycle."""
    joined = np.arange(count)
    joined[sources] = targets
    while (joined[joined] != joined).any():
        joined = joined[joined]
    return joined


def _profile(cells: OverlapColumns, exact: tuple[Integers, Integers]) -> Profile:
    """The profile of these overlaps, equal ones added up, and of clusters that both sides have."""
    row, column, n = cells
    sizes, count = exact
    if n.dtype != np.int64:  # counts are beyond 64 bits
        return Profile.of_table(_table(cells, exact))
    size = int(n.sum()) + int((sizes * count).sum())
    others = np.stack([sizes, sizes, sizes, count]).astype(np.int64)
    found = np.hstack([core.cell_triples(row, column, n), others])
    a, b, overlap, count = counted_alike((found[1], found[2], found[0]), found[3])
    return Profile(overlap, a, b, count, table=ContingencyLoader(partial(_table, cells, exact)), size=size)


def _table(cells: OverlapColumns, exact: tuple[Integers, Integers]) -> Contingency:
    """The overlaps, equal ones added up and clusters numbered from 0, then those of exact clusters."""
    rows, columns = (np.unique(each, return_inverse=True)[1].reshape(-1) for each in cells[:2])
    width = int(columns.max(initial=-1)) + 1
    flat, which = np.unique(rows * width + columns, return_inverse=True)
    n = sums_by(which.reshape(-1), cells[2], len(flat))
    same = np.repeat(exact[0], exact[1].astype(np.int64))
    others = np.arange(len(same))
    row = np.concatenate([flat // max(width, 1), int(rows.max(initial=-1)) + 1 + others])
    return Contingency(row, np.concatenate([flat % max(width, 1), width + others]), np.concatenate([n, same]))


MOST_ELEMENTS = 2**400  # floats, which order the overlaps, hold products of two such numbers
_TRIALS = 2  # edits whose value is computed, for each edit that is listed
_FEWEST_TRIALS, _MOST_TRIALS = 16, 300
_MOST_TIED = 1000  # edits that are ordered by label if they promise the same
_NEAREST = 16  # largest overlaps of a reference cluster between which its records are merged or moved
_MOST_CELLS = 200_000  # overlaps of a table that may be counted for each trial


DecidedPlaces = tuple[tuple[Any, Place], tuple[Any, Place]]  # two records and their overlaps

_ROUNDING = 2.0**-48  # cancelling logarithms leave a quarter of this


class EditRanking(Guarded):
    """Single edits by the value of an index after them: those that promise most are tried."""

    live: LiveTable
    index: Index
    is_complete: bool

    def __init__(
        self, start: CountedSides, index: Index, kinds: Sequence[EditKind], undefined: Undefined
    ) -> None:
        weighted = start.counts if isinstance(start.counts, WeightedCounts) else None
        self.live = LiveTable(start if weighted is None else replace(start, counts=weighted.elements))
        self.index, self._start, self.weighted = index, start, weighted
        profile = start.counts.by_weight
        self.cells = self.live.cells if weighted is None else profile.view(LiveCells).copy()
        self._heaviest = None if weighted is None else heaviest_records(weighted)
        self._outside = outside_clusters(start.names, start.noise, start.counts)
        self._kinds, self._undefined = kinds, undefined
        self._sign = 1.0 if index.direction == "similarity" else -1.0
        self.is_complete = True
        self._places: tuple[int, tuple[list[DecidedPlaces], list[DecidedPlaces], set[Place]]] | None = None
        if start.decided is not None and not self.live.records.have_names:
            raise ParameterError(
                "edits that break no decision need the clusters of each record in memory; read the files "
                "with Partition.read, or leave out the decisions"
            )

    def value(self) -> float:
        """The current value of the index."""
        return self.index.value(self._counts, self._undefined)

    @property
    def _counts(self) -> Counts:
        return self.live.counts if self.weighted is None else self.weighted

    def amount(self, moved: int) -> float:
        """A number of records, or their weight."""
        return self._start.counts.amount(moved)

    def counted(self) -> CountedSides:
        """The counts after the edits that were made so far."""
        return replace(edited(self._start, lambda _: self.live.counted()), decided=self._start.decided)

    def record_to_move(self, row: int, column: int) -> int:
        """The position of the heaviest record of an overlap."""
        assert self._heaviest is not None
        table = self._start.counts.table
        first, last = table.row.searchsorted((row, row + 1))
        return int(self._heaviest[first + table.column[first:last].searchsorted(column)])

    def first_members(self, places: Sequence[tuple[int, int]]) -> Mapping[tuple[int, int], Any]:
        """The record to move of each of these overlaps, or None if none is known."""
        if self.weighted is None:
            return self.live.first_members(places)
        records = self._start.names.records
        return {place: records.record(self.record_to_move(*place)) for place in places}

    def best(self, limit: int | None) -> list[tuple[Found, float, float]]:
        """The edits that make the index better, with its value and the gain, best first."""
        now = self.value()
        self.is_complete = True
        trials = _MOST_TRIALS
        if limit is not None:
            trials = min(max(_TRIALS * limit, _FEWEST_TRIALS), _MOST_TRIALS)
        least, better = self._merit(now, -_ROUNDING), list[tuple[Found, float, float]]()
        allowed = filterfalse(self._breaks_decision, self._edits(now, trials))
        for number, edit in enumerate(allowed):
            if number >= trials and (limit is None or len(better) >= limit or number == _MOST_TRIALS):
                self.is_complete = False
                break
            value = self._try(edit)
            if self._merit(value) > least:
                better.append((edit, value, self._sign * (value - now)))
        better.sort(
            key=lambda each: (-self._merit(each[1]), self.moved(each[0]), each[0][0], self._spelled(each[0]))
        )
        return better[:limit]

    def _merit(self, value: float, tolerance: float = 0.0) -> float:
        """The higher, the better. An undefined value is the worst; a tolerance is relative, from 1 on."""
        if isnan(value):
            return -inf
        return self._sign * value - (tolerance * max(1.0, abs(value)) if isfinite(value) else 0.0)

    def moved(self, edit: Found) -> int:
        """How many records change their cluster, or their weight in whole parts."""
        kind, row, one, other = edit
        cells = self.cells
        if KINDS[kind] == "merge":
            return cells.rows_columns[1].size(other)
        if KINDS[kind] == "move":
            return 1 if self.weighted is None else int(self.weighted.own[self.record_to_move(row, one)])
        taken = cells.cell(row, one)  # the smaller part of a split changes its cluster
        return min(taken, cells.rows_columns[1].size(one) - taken)

    def _spelled(self, edit: Found) -> tuple[str, ...]:
        _, row, one, other = edit
        columns = [one] if other < 0 else [one, other]
        return (*(str(self.live.cluster(1, column)) for column in columns), str(self.live.cluster(0, row)))

    def _edits(self, now: float, trials: int) -> Iterator[Found]:
        """The edits to try: if there are more than ``trials``, those that promise most come first."""
        edits, sums = self._possible()
        worth = self._worth(edits, sums, now) if sums.shape[1] > trials else np.ones(2)
        limit = None if self._start.decided else _MOST_TRIALS
        seen = set[tuple[int, ...]]()
        for edit in self._found(edits, largest_of(worth @ sums, limit, partial(self._ties, edits))):
            kind, row, one, other = edit
            if KINDS[kind] == "split" and not self._is_part(row, one):
                continue
            # Clusters that share several rows are one merge.
            if (same := (one, other) if KINDS[kind] == "merge" else edit) not in seen:
                seen.add(same)
                yield edit
        self.is_complete &= limit is None or sums.shape[1] <= limit

    def _worth(self, edits: Callable[[Numbers], list[Numbers]], sums: Floats, now: float) -> Floats:
        """How much the index gains by each of the sums, from trying the edits that raise them most."""
        extremes = np.array([each.argmax() for each in (*sums, sums.sum(axis=0))])
        gains = [self._merit(self._try(edit)) - self._merit(now) for edit in self._found(edits, extremes)]
        if not np.isfinite(gains).all() or not any(gains):
            return np.ones(2)
        worth: Floats = np.linalg.lstsq(sums[:, extremes].T, np.array(gains), rcond=None)[0]
        return worth

    def _found(self, edits: Callable[[Numbers], list[Numbers]], places: Numbers) -> Iterator[Found]:
        """Some of the possible edits."""
        for kind, row, one, other in zip(*(each.tolist() for each in edits(places)), strict=True):
            yield (kind, row, *(self._larger_first(one, other) if KINDS[kind] == "merge" else (one, other)))

    def _possible(self) -> tuple[Callable[[Numbers], list[Numbers]], Floats]:
        """The edits of clusters that differ, and by how much they raise sums for recall and for precision.

        These are sums of pairs, logarithms, or shares of records (as in B-cubed), whichever is nearest to the
        index. They only decide which edits are tried first.
        """
        row, column, sizes = self.cells.arrays(only_differing=True)
        n, step, of_column = (
            sizes.astype(np.float64),
            self._sizes_of_moves(row, column),
            core.factorize(column)[0],
        )
        size, square, length = (
            np.bincount(of_column, each)[of_column] for each in (n, n * n, np.ones(len(n)))
        )
        has_logs, has_pairs = Information in self.index.views, PairCounts in self.index.views
        power = _xlogx if has_logs else np.square
        weight = np.full(len(n), 2.0) if has_logs or has_pairs else 1 / np.bincount(row, n)[row]

        def of_cluster(size: NDArray[Any], square: NDArray[Any]) -> Floats:
            return -power(size) if has_logs or has_pairs else square / np.maximum(size, 1)

        is_inside = np.ones(len(n), dtype=bool)
        if any(mask.any() for mask in self._outside):
            is_inside = ~(_marked(row, self._outside[0]) | _marked(column, self._outside[1]))
        one, other = self._nearest(row, sizes, is_inside)
        now = of_cluster(size, square)
        u, v = np.concatenate([one, other]), np.concatenate([other, one])
        n_u, n_v, weight_u, now_uv = n[u], n[v], weight[u], now[u] + now[v]
        size_u, size_v, square_u, square_v = size[u], size[v], square[u], square[v]
        found: list[tuple[EditKind, Numbers, Numbers, Floats, Floats]] = []
        if "merge" in self._kinds:
            half, a, b = slice(len(one)), n[one], n[other]
            recall, both = weight[one] * (power(a + b) - power(a) - power(b)), 2 * a * b
            several = np.flatnonzero((length[one] > 1) & (length[other] > 1))  # may share several rows
            ends = column[one[several]], column[other[several]]
            pair = core.factorize(np.minimum(*ends) * (int(column.max(initial=0)) + 1) + np.maximum(*ends))[0]
            for sums in (recall, both):
                sums[several] = np.bincount(pair, sums[several])[pair]
            joined = of_cluster((size_u + size_v)[half], (square_u + square_v)[half] + both)
            found.append(("merge", one, other, recall, joined - now_uv[half]))
        if "split" in self._kinds:
            # Of two parts, the smaller one changes its cluster.
            s = np.flatnonzero(is_inside & (length > 1) & ((length > 2) | (2 * n <= size)))
            part, rest = of_cluster(n[s], n[s] ** 2), of_cluster(size[s] - n[s], square[s] - n[s] ** 2)
            found.append(("split", s, s, np.zeros(len(s)), part + rest - now[s]))
        if "move" in self._kinds:
            moved = step[u]
            recall = weight_u * (power(n_u - moved) - power(n_u) + power(n_v + moved) - power(n_v))
            left = of_cluster(size_u - moved, square_u - moved * (2 * n_u - moved))
            right = of_cluster(size_v + moved, square_v + moved * (2 * n_v + moved))
            found.append(("move", u, v, recall, left + right - now_uv))
        kinds, *columns = zip(*found, strict=True)
        first, second, recall, precision = map(np.concatenate, columns)
        kind = np.repeat([KINDS.index(each) for each in kinds], [len(each) for each in columns[0]])

        def edits(places: Numbers) -> list[Numbers]:
            u, v = first[places], second[places]
            return [kind[places], row[u], column[u], np.where(u == v, -1, column[v])]

        return edits, np.stack([recall, precision])

    def _nearest(self, row: Numbers, n: Integers, is_inside: NDArray[np.bool_]) -> tuple[Numbers, Numbers]:
        """Pairs of overlaps of a row that is a cluster: each with each of the largest ones of its row."""
        cells = np.flatnonzero(is_inside & (np.bincount(row)[row] > 1))
        order, start = core.largest_first(core.factorize(row[cells])[0], ranks(n[cells]))
        length = np.diff(start)
        begin = np.repeat(start[:-1], length)
        rank, order = np.arange(len(order)) - begin, cells[order]
        most = int(length.max(initial=1)) - 1
        self.is_complete = most <= _NEAREST
        later = [np.flatnonzero(rank > place) for place in range(min(_NEAREST, most))]
        pairs = [(order[each], order[begin[each] + place]) for place, each in enumerate(later)]
        one, other = zip(*pairs, strict=True) if pairs else ([order[:0]], [order[:0]])
        return np.concatenate(other), np.concatenate(one)

    def _sizes_of_moves(self, row: Numbers, column: Numbers) -> Floats:
        """The weight of the record to move of each overlap; without weights 1."""
        if self.weighted is None or self._heaviest is None:
            return np.ones(len(row))
        table = self._start.counts.table
        width = len(table.column_sizes)
        cells = np.searchsorted(table.row * width + table.column, row * width + column)
        return self.weighted.own[self._heaviest[cells]].astype(np.float64)

    def _ties(self, edits: Callable[[Numbers], list[Numbers]], places: Numbers) -> list[Integers]:
        """Sort keys of edits that promise the same: labels, unless there are many."""
        if len(places) > _MOST_TIED:
            return [places]
        kind, row, one, other = edits(places)
        u, v = self._label_places(1, np.concatenate([one, np.where(other < 0, one, other)])).reshape(2, -1)
        return [self._label_places(0, row), np.minimum(u, v), np.maximum(u, v), kind, u]

    def _is_part(self, row: int, column: int) -> bool:
        """Whether to split off the records of a row; of two rows, the smaller: the result is the same."""
        down = self.cells.rows_columns[1].seen(column)
        if len(down) != 2:
            return len(down) > 2
        (other,) = down.keys() - {row}
        return self._is_first(0, (down[row], row), (down[other], other))

    def _larger_first(self, one: int, other: int) -> tuple[int, int]:
        """Two clusters to merge: the larger keeps its name, or the first if they are equal."""
        columns = self.cells.rows_columns[1]
        is_first = self._is_first(1, (-columns.size(one), one), (-columns.size(other), other))
        return (one, other) if is_first else (other, one)

    def _is_first(self, side: int, one: tuple[int, int], other: tuple[int, int]) -> bool:
        """Whether one of two clusters is first by a number that is given with it, else by its label."""
        if one[0] != other[0]:
            return one[0] < other[0]
        first, second = self._label_places(side, np.array([one[1], other[1]])).tolist()
        return bool(first < second)

    def _label_places(self, side: int, clusters: Numbers) -> Integers:
        return label_places(clusters, partial(self.live.cluster, side))

    def _breaks_decision(self, edit: Found) -> bool:
        """Whether an edit puts two records apart that are the same, or together that are different."""
        if self._start.decided is None:
            return False
        kind, row, one, other = edit
        same, different, decided = self._decided
        if KINDS[kind] == "merge":
            return any({u[1], v[1]} == {one, other} for (_, u), (_, v) in different)
        if KINDS[kind] == "split":
            return any(u[1] == v[1] == one and (u[0] == row) != (v[0] == row) for (_, u), (_, v) in same)
        if (row, one) not in decided:
            return False
        record = self.first_members([(row, one)])[row, one]
        partners = [
            (goal, end)
            for goal, pairs in ((one, same), (other, different))
            for (x, u), (y, v) in pairs
            for name, end in ((x, v), (y, u))
            if name == record
        ]
        return any(end[1] == goal for goal, end in partners)

    @property
    def _decided(self) -> tuple[list[DecidedPlaces], list[DecidedPlaces], set[Place]]:
        """The pairs that are the same or different, with their current overlaps; and all these overlaps."""
        now = self.live.cells.edits
        if self._places is None or self._places[0] != now:
            find = self.live.records.find
            kinds: list[list[DecidedPlaces]] = []
            for pairs in self._start.decided or ():
                ends = (((one, find(one)), (other, find(other))) for one, other in pairs)
                kinds.append([(u, v) for u, v in ends if u[1] is not None and v[1] is not None])  # type: ignore[misc]  # no None is left
            places = {place for pairs in kinds for pair in pairs for _, place in pair}
            self._places = now, (kinds[0], kinds[1], places)
        return self._places[1]

    def _try(self, edit: Found) -> float:
        """The value after an edit, which is then undone; nan if it is undefined."""
        states = [self.live.cells] if self.weighted is None else [self.live.cells, self.cells]
        tried = [(cells, self._steps(edit, cells), cells.edits) for cells in states]
        for cells, steps, _ in tried:
            for row, column, more in steps:
                cells.change(row, column, more)
        profiles = [LiveProfile(cells) for cells in states]
        value = self._value_of(*profiles)
        for cells, steps, edits in tried:
            for row, column, more in reversed(steps):
                cells.change(row, column, -more)
            cells.edits = edits  # the state is unchanged, so cached values remain valid
        if self.cells.cells > _MOST_CELLS and any(profile.is_settled for profile in profiles):
            raise TooLargeError(
                f"{self.index.name} would have to be computed from {self.cells.cells:,} overlaps for each "
                "edit, which takes too long; rank by a pair-counting index, an entropy index or bcubed_f"
            )
        return value

    def _value_of(self, elements: LiveProfile, weights: LiveProfile | None = None) -> float:
        """The value for these overlaps; nan if it is undefined."""
        undefined = "nan" if self._undefined == "raise" else self._undefined
        if weights is None or self.weighted is None:
            return self.index.value(elements, undefined)
        try:
            return self.index.value(self.weighted.with_overlaps(elements, weights), undefined)
        except TableNeededError as error:
            raise ParameterError(
                f"{self.index.name} would have to be computed from all records for each edit of records "
                "that have weights; rank by a pair-counting index, an entropy index or bcubed_f"
            ) from error

    def _steps(self, edit: Found, cells: LiveCells) -> list[tuple[int, int, int]]:
        kind, row, one, other = edit
        columns = cells.rows_columns[1]
        if KINDS[kind] == "merge":
            small, large = sorted((one, other), key=columns.length)
            moved = [(each, small, large, n) for each, n in columns.seen(small).items()]
        elif KINDS[kind] == "split":
            moved = [(row, one, columns.next_number, cells.cell(row, one))]
        else:
            moved = [(row, one, other, 1 if cells is self.live.cells else self.moved(edit))]
        return [step for each, v, w, n in moved for step in ((each, v, -n), (each, w, n))]

    def after(self, edit: Found) -> EditRanking:
        """Make an edit permanently, and rank those that follow."""
        kind, row, one, other = edit
        if KINDS[kind] == "merge":
            self.live.merge(1, [one, other])
        elif KINDS[kind] == "split":
            self.live.split_cell((row, one))
        elif self.weighted is None:
            self.live.shift((row, one), (row, other))
        else:
            record = self._start.names.records.record(self.record_to_move(row, one))
            self.live.records.put(record, (row, other))
            self.live.shift((row, one), (row, other), named=True)
        if self.weighted is None:
            return self
        return EditRanking(self.counted(), self.index, self._kinds, self._undefined)

    def groups(self) -> list[EditGroup]:
        """Small edits by kind, in the current state; of records that have weights, none."""
        if self.weighted is not None or self._start.decided is not None:
            return []
        cells, value = self.live.counts.state.arrays(), self.value()
        kinds, undefined = self._kinds, self._undefined
        groups = edit_groups(
            cells,
            self._outside,
            self.index,
            kinds,
            undefined=undefined,
            now=value,
            label=self.live.cluster,
        )
        return [each for each in groups if is_small(each.gain / each.n_edits, value, self.index)]

    def after_all(self, group: EditGroup) -> EditRanking:
        """Make all edits of a group permanently, and rank those that follow."""
        merged: dict[int, list[int]] = {}
        for row, column, goal, records in group.steps.tolist():
            if group.kind == "merge":
                merged.setdefault(goal, [goal]).append(column)
            elif group.kind == "split":
                self.live.split_cell((row, column))
            else:
                self.live.shift((row, column), (row, goal), records)
        for columns in merged.values():
            self.live.merge(1, columns)
        return EditRanking(self.counted(), self.index, self._kinds, self._undefined)


def _xlogx(x: NDArray[Any]) -> Floats:
    product: Floats = x * np.log(np.maximum(x, 1.0))
    return product


def heaviest_records(counts: WeightedCounts) -> Integers:
    """The position of the heaviest record of each overlap, the first of equal ones."""
    return largest_in(np.ascontiguousarray(counts.cell), counts.own)
