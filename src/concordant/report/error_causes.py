"""The causes of a disagreement: records outside of clusters, and the errors of each cluster.

Everything here is an exact count.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.counts.base import Counts
from concordant.counts.contingency import Contingency
from concordant.counts.overlaps import DisagreeingClusters, Overlaps
from concordant.counts.pair_costs import Costs
from concordant.counts.profile import Profile
from concordant.differences.component_sums import costs_by_cluster
from concordant.differences.lazy_list import largest_of
from concordant.differences.verdicts import NEARLY, USUAL_THRESHOLDS, more, verdicts_of
from concordant.errors import TooLargeError
from concordant.foundation.conventions import SIDES
from concordant.indices.index import INDICES
from concordant.maths.arithmetic import Integers
from concordant.report.report_data import ReportData

_MATCHED_CELLS = 3_000_000  # overlaps
_MOST = 3  # records outside of clusters are the main failure of more than one record in so many


@dataclass(frozen=True, eq=False)
class Errors:
    """The errors of the clusters that differ, among records in a cluster of both sides.

    An error is a pair that is missed or wrong; if clusters overlap, it is such a membership.
    """

    counts: Counts  # of the clusters that differ, or of all
    label: Callable[[int, int], Any]  # of a cluster, by the number of its side and its own
    verdicts: Sequence[NDArray[np.int8]]  # of both sides, as places among VERDICTS
    exact: int = 0  # further clusters, which both sides have
    # The errors of these clusters, and of all, including those with records in no cluster of a side.
    with_outside: tuple[tuple[Integers, Integers], tuple[int, int]] | None = None

    def share(self, side: int, place: int) -> tuple[int, int]:
        """The errors of a cluster and those of all clusters of its side, among all records."""
        costs, totals = self.with_outside or (self.costs, self.totals)
        return int(costs[side][place]), totals[side]

    @cached_property
    def costs(self) -> tuple[Integers, Integers]:
        """The missed pairs of each reference cluster, and the wrong ones of each candidate cluster."""
        missed = costs_by_cluster(self.counts, "reference", "missed")
        return missed, costs_by_cluster(self.counts, "candidate", "wrong")

    @cached_property
    def totals(self) -> tuple[int, int]:
        """How many pairs are missed, and how many are wrong."""
        return int(self.costs[0].sum()), int(self.costs[1].sum())

    @cached_property
    def strays(self) -> tuple[Integers, Integers]:
        """For each cluster: the records outside of its largest piece."""
        o, found = self.counts.view(Overlaps), list[Integers]()
        for cluster, sizes in ((o.row, o.row_sizes), (o.column, o.column_sizes)):
            most = np.zeros_like(sizes)
            np.maximum.at(most, cluster, o.n)
            found.append(sizes - most)
        return found[0], found[1]

    def most_of(self, side: int) -> NDArray[np.int64]:
        """The overlaps that are the majority of a cluster of the other side, of more than one record."""
        o = self.counts.view(Overlaps)
        size = o.b if side == 0 else o.a
        return np.flatnonzero(more(o.n, size, USUAL_THRESHOLDS.majority) & (size > 1))

    def swallowed(self, side: int, place: int) -> list[int]:
        """The clusters of the other side of which a cluster has the majority."""
        o, cells = self.counts.view(Overlaps), self.most_of(side)
        own, other = (o.row, o.column) if side == 0 else (o.column, o.row)
        found: list[int] = other[cells[own[cells] == place]].tolist()
        return found

    def pieces(self, side: int, place: int) -> int:
        """The number of clusters of the other side that share records with a cluster."""
        o = self.counts.view(Overlaps)
        return int(np.count_nonzero((o.row if side == 0 else o.column) == place))

    def partner(self, place: int) -> int:
        """The candidate cluster with the most of a reference cluster."""
        o = self.counts.view(Overlaps)
        cells = np.flatnonzero(o.row == place)
        return int(o.column[cells[np.argmax(o.n[cells])]])

    def largest_in(self, column: int, *, other_than: int) -> int:
        """The reference cluster with the largest part of a candidate cluster, other than this one."""
        o = self.counts.view(Overlaps)
        cells = np.flatnonzero((o.column == column) & (o.row != other_than))
        return int(o.row[cells[np.argmax(o.n[cells])]])

    @cached_property
    def worst(self) -> tuple[int, int] | None:
        """The cluster with more than half of all errors, by its side and its place; None if there is none."""
        for side, costs in reversed([*enumerate(self.costs)]):
            place = int(largest_of(costs, 1)[0]) if len(costs) else 0
            if len(costs) and 2 * int(costs[place]) > sum(self.totals):
                return side, place
        return None

    @cached_property
    def misplaced(self) -> int | None:
        """The records in the wrong cluster: outside of the best one-to-one matching of clusters.

        None if there are too many overlaps, or too many records in one, to find that matching.
        """
        if not isinstance(self.counts, Profile) or self.counts.cells > _MATCHED_CELLS:
            return None
        try:
            share = INDICES["matching_accuracy"].exact(self.counts)
        except TooLargeError:
            return None
        return self.counts.size - int(share * self.counts.size)

    def places_of(self, side: int, verdict: int) -> list[int]:
        """The clusters of a side that differ and have this verdict."""
        found: list[int] = np.flatnonzero(self.verdicts[side] == verdict).tolist()
        return found

    @cached_property
    def erring(self) -> list[int]:
        """The reference clusters with more than half of the misplaced records; empty if unclear.

        These are the clusters that are not even nearly right; if there are none, all that lost a record.
        """
        wrong, strays = self.verdicts[0] > NEARLY, self.strays[0]
        misplaced = self.misplaced or 0
        if wrong.any():  # the partners of all others are matched
            is_most = 2 * int(strays[~wrong].sum()) < misplaced
            found = np.flatnonzero(wrong & is_most)
        else:
            found = np.flatnonzero((strays > 0) & (int(strays.sum()) == misplaced))
        places: list[int] = found.tolist()
        return places


class Causes:
    """The causes of the disagreement in a comparison; each is computed when it is first used."""

    def __init__(self, data: ReportData) -> None:
        assert data.shows_verdicts
        self._data = data
        # Records left out by a mask, or as the background of an image, are not missing.
        audit = data.audit
        self.dropped_noise = 0 if data.are_pixels else min(audit.get("noise_dropped", 0), data.omitted)
        expected = audit.get("masked", 0) + (audit.get("noise_dropped", 0) if data.are_pixels else 0)
        self.left_out = max(data.omitted - expected, 0)
        if data.counts.kind == "weights":  # the weight of records that were left out is not known
            self.left_out = self.dropped_noise = 0
        whole = data.size if data.covers is not None else data.profile.size
        self.records = whole + self.left_out

    @cached_property
    def is_outside(self) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Which reference clusters, and which candidate clusters, are noise or a record in no cluster."""
        return self._data.outside_clusters

    @cached_property
    def outside(self) -> int:
        """The records that were left out, or are in a cluster of one side only."""
        if (covers := self._data.covers) is not None:
            u, v = (side.memberships > 0 for side in covers.sides)
            return int(covers.elements[u != v].sum())
        rows, columns = self.is_outside
        if not rows.any() and not columns.any():
            return self.left_out
        o = self._data.profile.view(Overlaps)
        return self.left_out + int(o.n[rows[o.row] != columns[o.column]].sum())

    @cached_property
    def outside_dominates(self) -> bool:
        """Whether these are more than a third of all records, or at least two thirds of those affected.

        Also if more than half of the pair errors involve them, unless they are pixels along the outlines.
        """
        if self._data.covers is not None:
            is_rest = 3 * self.outside >= 2 * sum(self.errors.totals)
        else:
            misplaced, known = self.errors.misplaced, self.errors.with_outside
            is_rest = misplaced is not None and self.outside >= 2 * misplaced
            if known is not None and not self._data.are_pixels:
                is_rest |= sum(known[1]) > 2 * sum(self.errors.totals)
        return self.outside > 0 and (_MOST * self.outside > self.records or is_rest)

    def lost(self, side: int) -> list[Any]:
        """The clusters of a side of which no record is in a cluster of the other side, by their labels."""
        mine, theirs = self.is_outside[side], self.is_outside[1 - side]
        if self._data.covers is not None or not theirs.any():
            return []
        table, label = self._data.profile.table, self._data.labels.cluster
        own, other = (table.row, table.column) if side == 0 else (table.column, table.row)
        is_lost = ~mine
        is_lost[own[~theirs[other]]] = False
        return [label(side, int(place)) for place in np.flatnonzero(is_lost)]

    @cached_property
    def errors(self) -> Errors:
        """The errors among the records that are in a cluster of both sides."""
        data, thresholds = self._data, self._data.thresholds
        rows, columns = (None, None) if data.covers is not None else self.is_outside
        if rows is None or columns is None or not (rows.any() or columns.any()):
            part = data.differing
            verdicts = tuple(part.verdict_codes[side] for side in SIDES)
            counts = data.covers or part.profile
            same = 0 if part is data else int(data.profile.view(DisagreeingClusters).exact[1].sum())
            return Errors(counts, part.labels.cluster, verdicts, same)
        o = data.profile.view(Overlaps)
        cells = np.flatnonzero(~rows[o.row] & ~columns[o.column])
        (row_of, row), (column_of, column) = (
            np.unique(each[cells], return_inverse=True) for each in (o.row, o.column)
        )
        profile = Profile.of_table(Contingency(row.reshape(-1), column.reshape(-1), o.n[cells]))
        places, name = (row_of, column_of), data.labels.cluster
        verdicts = tuple(verdicts_of(profile, side, thresholds) for side in SIDES)
        costs = data.profile.view(Costs)
        missed, wrong = costs.missed_of_rows, costs.wrong_of_columns
        every = (missed[row_of], wrong[column_of]), (int(missed.sum()), int(wrong.sum()))
        return Errors(
            profile, lambda side, place: name(side, int(places[side][place])), verdicts, with_outside=every
        )
