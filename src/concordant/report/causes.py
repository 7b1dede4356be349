"""The causes of a disagreement: records outside of clusters, one merge, or one split; and records misplaced.

A cause dominates if it accounts for more than half of all wrong and missed pairs, or puts a fifth of all
records in the wrong place. Everything here is an exact count.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.counts.arithmetic import Integers, sums_by
from concordant.counts.conventions import SIDES, SideName
from concordant.counts.costs import Costs
from concordant.counts.overlaps import Differing, Overlaps
from concordant.counts.profile import Profile
from concordant.counts.table import Table
from concordant.differences.component_sums import costs_by_cluster
from concordant.differences.lazy_list import largest_of
from concordant.differences.verdicts import EXACT, NEARLY, more, verdicts_of
from concordant.errors import TooLargeError
from concordant.indices.index import INDICES
from concordant.report.report_data import Outside, ReportData

_MATCHED_CELLS = 3_000_000  # overlaps
_PARTS = 5  # a cause that misplaces one of five equal parts of all records dominates


@dataclass(frozen=True, slots=True, eq=False)
class Judged:
    """Reference clusters with their verdicts, as places among VERDICTS, and their labels."""

    verdicts: NDArray[np.int8]
    label: Callable[[int], Any]  # by the place among the verdicts
    others: int = 0  # further clusters, which both sides have

    @property
    def total(self) -> int:
        return len(self.verdicts) + self.others

    @property
    def found(self) -> int:
        """Clusters that are exact or nearly so."""
        return int(np.count_nonzero(self.verdicts <= NEARLY)) + self.others

    @property
    def exact(self) -> int:
        return self.of_code(EXACT) + self.others

    def of_code(self, code: int) -> int:
        """How many of those that differ have this verdict."""
        return int(np.count_nonzero(self.verdicts == code))


class Causes:
    """The causes of the disagreement in a comparison; each is computed when it is first used."""

    def __init__(self, data: ReportData) -> None:
        assert data.shows_verdicts
        self._data, self._part = data, data.differing  # identical clusters cause no disagreement
        self._costs = self._part.profile.view(Costs)
        # Records left out by a mask, or as the background of an image, are not missing.
        audit = data.audit
        self.dropped_noise = 0 if data.are_pixels else min(audit.get("noise_dropped", 0), data.omitted)
        expected = audit.get("masked", 0) + (audit.get("noise_dropped", 0) if data.are_pixels else 0)
        self.left_out = max(data.omitted - expected, 0)
        if data.counts.kind == "weights":  # the weight of records that were left out is not known
            self.left_out = self.dropped_noise = 0
        self.records = data.profile.size + self.left_out
        self.pairs = int(self._costs.missed_of_rows.sum()) + int(self._costs.wrong_of_columns.sum())

    # -- records outside of clusters ------------------------------------------------------------------

    @property
    def _overlaps(self) -> Overlaps:
        return self._data.profile.view(Overlaps)

    @cached_property
    def outside(self) -> list[Outside]:
        """The records in no cluster of a side, by side and reason."""
        return self._data.outside_records

    @cached_property
    def outside_dominates(self) -> bool:
        """Whether records that were left out, or are in no cluster of one side, dominate."""
        return self._dominates(self._outside_pairs, self.left_out + self._outside_on_one_side)

    @cached_property
    def _outside_on_one_side(self) -> int:
        rows, columns = self._data.outside_clusters
        if not rows.any() and not columns.any():
            return 0
        o = self._overlaps
        return int(o.n[rows[o.row] != columns[o.column]].sum())

    @cached_property
    def _outside_pairs(self) -> int:
        """Missed and wrong pairs with a record that is outside of the clusters of a side."""
        rows, columns = self._data.outside_clusters
        if not rows.any() and not columns.any():
            return 0
        o, costs, total = self._overlaps, self._data.profile.view(Costs), 0
        sides = (
            (o.row, o.row_sizes, rows, columns[o.column], costs.missed_of_rows),
            (o.column, o.column_sizes, columns, rows[o.row], costs.wrong_of_columns),
        )
        for cluster, sizes, own, is_outside, charged in sides:
            outside = sums_by(cluster, np.where(is_outside, o.n, 0), len(sizes))
            together = sums_by(cluster, np.where(is_outside, _pairs(o.n), 0), len(sizes))
            with_one = _pairs(sizes) - _pairs(sizes - outside) - together
            total += int(np.where(own, charged, with_one).sum())
        return total

    @cached_property
    def rest(self) -> Rest:
        """The records that are in a cluster of both sides, with their clusters."""
        rows, columns = self._data.outside_clusters
        if not rows.any() and not columns.any():
            return Rest(self._data.profile, judged_clusters(self._data))
        o = self._overlaps
        cells = np.flatnonzero(~rows[o.row] & ~columns[o.column])
        places, row = np.unique(o.row[cells], return_inverse=True)
        column = np.unique(o.column[cells], return_inverse=True)[1]
        profile = Profile.of_table(Table(row.reshape(-1), column.reshape(-1), o.n[cells]))
        verdicts, label = (
            verdicts_of(profile, "reference", self._data.thresholds),
            partial(self._data.labels.cluster, 0),
        )
        return Rest(profile, Judged(verdicts, lambda place: label(int(places[place]))))

    # -- one cluster ----------------------------------------------------------------------------------

    @cached_property
    def merges(self) -> list[int]:
        """The candidate clusters whose merge dominates, most wrong pairs first.

        Clusters go by their numbers among those that differ.
        """
        return self._dominant(self._costs.wrong_of_columns, self._strays("candidate"), self._swallowed > 1)

    @cached_property
    def splits(self) -> list[int]:
        """The reference clusters whose split dominates, likewise, most missed pairs first."""
        is_wrong = self._part.verdict_codes["reference"] > NEARLY
        return self._dominant(self._costs.missed_of_rows, self._strays("reference"), is_wrong)

    @property
    def _swallowed(self) -> NDArray[np.int64]:
        """For each candidate cluster that differs: the reference clusters of which it holds the majority."""
        column = self._part.profile.table.column[self._majorities]
        return np.bincount(column, minlength=self._part.profile.columns)

    def swallowed_by(self, column: int) -> list[int]:
        """These reference clusters, likewise."""
        table, cells = self._part.profile.table, self._majorities
        found: list[int] = table.row[cells[table.column[cells] == column]].tolist()
        return found

    @cached_property
    def _majorities(self) -> NDArray[np.int64]:
        """The overlaps that are the majority of a reference cluster, among those that differ."""
        o = self._part.profile.view(Overlaps)
        is_cluster = ~self._part.outside_clusters[0]
        return np.flatnonzero(more(o.n, o.a, self._data.thresholds.majority) & is_cluster[o.row])

    def _strays(self, side: SideName) -> Integers:
        """For each cluster of a side that differs: the records outside of its largest piece."""
        o = self._part.profile.view(Overlaps)
        if side == "reference":
            strays: Integers = o.row_sizes - o.n[o.row_largest]
        else:
            strays = o.column_sizes - o.n[o.column_largest]
        return np.where(self._part.outside_clusters[SIDES.index(side)], 0, strays)

    def _dominant(self, pairs: Integers, strays: Integers, is_large: NDArray[np.bool_]) -> list[int]:
        """The clusters that dominate: by pairs only if they are large, so one stray record does not."""
        by_pairs = is_large & (2 * pairs > self.pairs)
        by_records = (strays > 0) & (_PARTS * strays >= self.records)
        found = np.flatnonzero(by_pairs.astype(bool) | by_records.astype(bool))
        return [int(place) for place in found[largest_of(pairs[found], None)]]

    def _dominates(self, pairs: int, records: int) -> bool:
        return 2 * pairs > self.pairs > 0 or (records > 0 and _PARTS * records >= self.records)


class CoverCauses:
    """The causes of the disagreement of two covers, in memberships that the nearest cluster lacks.

    A cluster dominates if it has more than half of all missed and wrong memberships, or as many as a fifth of
    the memberships of its side.
    """

    def __init__(self, data: ReportData) -> None:
        assert data.covers is not None
        self._data, self._counts = data, data.covers
        o = data.covers.view(Overlaps)
        self._sizes: dict[SideName, Integers] = {"reference": o.row_sizes, "candidate": o.column_sizes}
        self._lacking: dict[SideName, Integers] = {
            "reference": costs_by_cluster(data.covers, "reference", "missed"),
            "candidate": costs_by_cluster(data.covers, "candidate", "wrong"),
        }
        self.missed = int(self._lacking["reference"].sum())
        self.memberships = int(o.row_sizes.sum())
        self._errors = self.missed + int(self._lacking["candidate"].sum())

    @cached_property
    def outside(self) -> tuple[int, int]:
        """The records in no cluster of each side that are in a cluster of the other."""
        (u, v), elements = (side.memberships > 0 for side in self._counts.sides), self._counts.elements
        return int(elements[~u & v].sum()), int(elements[u & ~v].sum())

    @property
    def outside_dominates(self) -> bool:
        return 0 < _PARTS * sum(self.outside) >= self._data.size

    @cached_property
    def merges(self) -> list[int]:
        """The candidate clusters that dominate, by their numbers, most wrong memberships first."""
        return self._dominant("candidate")

    @cached_property
    def splits(self) -> list[int]:
        """The reference clusters that dominate, by their numbers, most missed memberships first."""
        return self._dominant("reference")

    def lacking(self, side: SideName, places: list[int]) -> tuple[int, int]:
        """How many records of these clusters the nearest ones lack, and how many they have."""
        return int(self._lacking[side][places].sum()), int(self._sizes[side][places].sum())

    def _dominant(self, side: SideName) -> list[int]:
        lacking = self._lacking[side]
        is_wrong = verdicts_of(self._counts, side, self._data.thresholds) > NEARLY
        by_half = is_wrong & (2 * lacking > self._errors)
        by_part = (lacking > 0) & (_PARTS * lacking >= int(self._sizes[side].sum()))
        found = np.flatnonzero(by_half | by_part)
        return [int(place) for place in found[largest_of(lacking[found], None)]]


@dataclass(frozen=True)
class Rest:
    """The part of a comparison that both sides cluster, with the verdicts on its reference clusters."""

    profile: Profile
    judged: Judged

    @cached_property
    def misplaced(self) -> int:
        """The records in the wrong cluster: outside of the best one-to-one matching of clusters.

        0 if there are too many overlaps, or too many records in one, to find that matching.
        """
        if self.profile.cells > _MATCHED_CELLS:
            return 0
        part = self.profile.view(Differing).profile  # a cluster that both sides have is matched with itself
        try:
            share = INDICES["matching_accuracy"].exact(part)
        except TooLargeError:
            return 0
        return part.size - int(share * part.size)


def judged_clusters(data: ReportData) -> Judged:
    """The reference clusters with their verdicts, as ``summary()`` counts them."""
    if data.covers is not None:
        return Judged(verdicts_of(data.covers, "reference", data.thresholds), partial(data.labels.cluster, 0))
    if data.has_own_elements:
        counts, names = data.own_clusters
        return Judged(verdicts_of(counts, "reference", data.thresholds), partial(names.cluster, 0))
    part = data.differing
    if part is not data:
        return Judged(
            part.verdict_codes["reference"],
            partial(part.labels.cluster, 0),
            data.profile.rows - part.profile.rows,
        )
    clusters = np.flatnonzero(~data.outside_clusters[0])
    verdicts = data.verdict_codes["reference"][clusters]
    return Judged(verdicts, lambda place: data.labels.cluster(0, int(clusters[place])))


def _pairs(sizes: Integers) -> Integers:
    pairs: Integers = sizes * (sizes - 1) // 2
    return pairs
