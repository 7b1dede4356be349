"""The outcome of each cluster, record and pair from one candidate to another: fixed, broken or unchanged.

One reference judges both. A reference cluster is right if its verdict is exact or nearly
(``concordant.differences.verdicts``). A record is right if it is in the core of its cluster: the overlap
that is the largest of both its clusters, blue in every picture. A pair is right if the candidate puts it
together, or apart, as the reference does. Each is right before and after (still right), before only
(broken), after only (fixed) or never (still wrong), so the four numbers add up to all. If records have
weights, clusters and overlaps are compared by weight, and the weight of records and pairs is counted.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from concordant.counts.arithmetic import Integers, as_integers, sums_by
from concordant.counts.base import Counts
from concordant.counts.conventions import check_choice
from concordant.counts.costs import Costs
from concordant.counts.counted import Names
from concordant.counts.overlaps import Overlaps
from concordant.counts.profile import Profile
from concordant.counts.spelling import counted, number_text
from concordant.counts.table import label_places
from concordant.counts.three_way import ThreeWay
from concordant.counts.weighted_counts import WeightedCounts
from concordant.differences.changes import ROLES, roles_of
from concordant.differences.lazy_list import (
    LazyList,
    _RecordsOfCells,
    check_limit,
    field_names,
    largest_by_label,
    largest_of,
)
from concordant.differences.verdicts import (
    NEARLY,
    VERDICTS,
    CountedUnit,
    Thresholds,
    Verdict,
    unit_of,
    verdicts_of,
)
from concordant.results import Result, read_only_class

Outcome = Literal["fixed", "broken", "still_wrong", "still_right"]
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)
FIXED, BROKEN, STILL_WRONG, STILL_RIGHT = range(4)

OutcomeCounts = Mapping[Outcome, float]


def outcome_words(outcome: Outcome) -> str:
    """The outcome as text shows it.

    >>> outcome_words("still_wrong")
    'still wrong'
    """
    return outcome.replace("_", " ")


def outcomes_of(before: NDArray[np.bool_], after: NDArray[np.bool_]) -> NDArray[np.int64]:
    """The outcome of each thing that is right before and after or not, as its place among OUTCOMES.

    >>> outcomes_of(np.array([False, True, False, True]), np.array([True, False, False, True])).tolist()
    [0, 1, 2, 3]
    """
    return np.where(after, np.where(before, STILL_RIGHT, FIXED), np.where(before, BROKEN, STILL_WRONG))


@dataclass(frozen=True, slots=True)
class ClusterOutcome:
    """A reference cluster before and after.

    Attributes
    ----------
    cluster : object
        Its label.
    outcome : {"fixed", "broken", "still_wrong", "still_right"}
        Its outcome.
    size : float
        Number of records, or their weight.
    before, after : str
        Its verdicts.
    missed_before, missed_after : float
        Its missed pairs, or their weight.
    """

    cluster: Any
    outcome: Outcome
    size: float
    before: Verdict
    after: Verdict
    missed_before: float
    missed_after: float


@dataclass(frozen=True, slots=True)
class RecordOutcome:
    """A record before and after.

    Attributes
    ----------
    record : object
        Its name, or its position.
    outcome : {"fixed", "broken", "still_wrong", "still_right"}
        Its outcome.
    reference, before, after : object
        Labels of its clusters.
    """

    record: Any
    outcome: Outcome
    reference: Any
    before: Any
    after: Any


@dataclass(frozen=True, slots=True)
class IndexContrast:
    """One index before and after.

    Attributes
    ----------
    index : str
        Name of the index.
    before, after : float
        The two values.
    difference : float
        after − before.
    low, high : float
        Interval of the difference; NaN without one.
    outcome : str
        "better", "worse", "same" or, for a sample, "unclear". Empty for an index without a direction.
    note : str
        Remarks on the interval.
    """

    index: str
    before: float
    after: float
    difference: float
    low: float
    high: float
    outcome: str
    note: str = ""


@read_only_class
@dataclass(frozen=True, slots=True)
class ContrastSummary(Result):
    """The numbers of clusters, records and pairs that were fixed, broken, still wrong and still right.

    Attributes
    ----------
    clusters : mapping
        Number of clusters by outcome.
    cluster_records : mapping
        Number of records in these clusters, or their weight.
    records : mapping
        Number of records by outcome, or their weight.
    missed : mapping
        Pairs together in the reference by outcome, or their weight.
    wrong : mapping
        Pairs apart in the reference by outcome, or their weight.
    """

    clusters: Mapping[Outcome, int]
    cluster_records: OutcomeCounts
    records: OutcomeCounts
    missed: OutcomeCounts
    wrong: OutcomeCounts
    _unit: CountedUnit = "record"

    def _counts(self) -> list[tuple[str, OutcomeCounts]]:
        """The rows of a table, with their titles."""
        of_weight = "weight of " if self._unit == "weight" else ""
        return [
            ("clusters", self.clusters),
            (f"{of_weight}their records", self.cluster_records),
            (f"{of_weight}records", self.records),
            (f"{of_weight}pairs of one cluster", self.missed),
            (f"{of_weight}pairs of two clusters", self.wrong),
        ]

    def _whole_text(self) -> str:
        return "\n".join(
            f"{what}: "
            + ", ".join(f"{number_text(counts[outcome])} {outcome_words(outcome)}" for outcome in OUTCOMES)
            for what, counts in self._counts()
        )

    def _rows(self, limit: int | None = None) -> list[dict[str, Any]]:
        return [{"counted": what, **counts} for what, counts in self.to_dict().items()][:limit]


class Outcomes:
    """The outcomes of three-way cells; each part is computed once, on first use."""

    cells: ThreeWay
    thresholds: Thresholds
    profiles: tuple[Profile, Profile]
    weights: WeightedCounts | None

    def __init__(
        self, cells: ThreeWay, both: tuple[Counts, Counts], thresholds: Thresholds, names: Names
    ) -> None:
        """``both`` are the counts of the reference and each candidate, with the clusters of the cells."""
        weights = both[0] if isinstance(both[0], WeightedCounts) else None
        self.cells, self.thresholds, self.weights = cells, thresholds, weights
        self.profiles = both[0].by_weight, both[1].by_weight
        self.amounts = cells if weights is None else cells.by_weight(weights.own)
        self.unit: CountedUnit = unit_of(both[0])
        self._squares = cells.size if weights is None else weights.squares
        # The singletons of each of the three that are not clusters.
        self._unclustered = [names.unclustered(side) for side in range(3)]

    @cached_property
    def verdicts(self) -> list[NDArray[np.int8]]:
        """The verdict on each cluster of the reference, before and after, as places among VERDICTS."""
        return [
            verdicts_of(profile, "reference", self.thresholds, self._unclustered[number])
            for number, profile in enumerate(self.profiles, start=1)
        ]

    @cached_property
    def of_clusters(self) -> NDArray[np.int64]:
        """The outcome of each reference cluster, as its place among OUTCOMES; -1 if it is not a cluster."""
        before, after = (found <= NEARLY for found in self.verdicts)
        outcomes = outcomes_of(before, after)
        outcomes[self._unclustered[0]] = -1
        return outcomes

    @cached_property
    def of_cells(self) -> NDArray[np.int64]:
        """The outcome of the records of each three-way cell."""
        tables = zip(self.profiles, (self.cells.cell_of_first, self.cells.cell_of_second), strict=True)
        core = ROLES.index("core")
        before, after = (roles_of(profile.view(Overlaps), cell) == core for profile, cell in tables)
        return outcomes_of(before, after)

    @cached_property
    def missed(self) -> list[Integers]:
        """The missed pairs of each cluster of the reference, before and after."""
        return [profile.view(Costs).missed_of_rows for profile in self.profiles]

    @cached_property
    def sizes(self) -> Integers:
        return sums_by(self.cells.reference, self.amounts.n)

    def amount(self, count: int, pairs: int = 1) -> float:
        """A number of records or of pairs, or their weight."""
        return self.profiles[0].amount(count, pairs)

    @property
    def in_no_cluster(self) -> float:
        """The number of records in no reference cluster, or their weight."""
        return self.amount(self.sizes[self._unclustered[0]].sum())

    @cached_property
    def summary(self) -> ContrastSummary:
        """Pairs are counted by inclusion and exclusion, exactly."""
        cells, sizes, of_clusters = self.amounts, self.sizes, self.of_clusters
        own = of_clusters >= 0
        u, v, w = (self._pairs(sums_by(side, cells.n)) for side in cells.sides)
        tables = cells.first_table, cells.second_table, cells.candidates_table, cells
        uv, uw, vw, uvw = (self._pairs(each.n) for each in tables)
        still_wrong = vw - uvw  # of the pairs apart in the reference
        fixed, broken = v - uv - still_wrong, w - uw - still_wrong
        apart = (cells.size**2 - self._squares) // 2 - u
        missed = (uw - uvw, uv - uvw, u - uv - uw + uvw, uvw)
        numbers = np.bincount(of_clusters[own], minlength=len(OUTCOMES))
        wrong = (fixed, broken, still_wrong, apart - fixed - broken - still_wrong)
        return ContrastSummary(
            clusters=dict(zip(OUTCOMES, numbers.tolist(), strict=True)),
            cluster_records=self._amounts(sums_by(of_clusters[own], sizes[own], len(OUTCOMES))),
            records=self._amounts(sums_by(self.of_cells, cells.n, len(OUTCOMES))),
            missed=self._amounts(missed, 2),
            wrong=self._amounts(wrong, 2),
            _unit=self.unit,
        )

    def _pairs(self, sizes: Integers) -> int:
        """Pairs within clusters of these sizes, which all records are in; exact, however large they are."""
        whole = as_integers(sizes, int(sizes.sum()))
        return (int((whole * whole).sum()) - self._squares) // 2

    def _amounts(self, counts: Iterable[Any], pairs: int = 1) -> OutcomeCounts:
        return {outcome: self.amount(count, pairs) for outcome, count in zip(OUTCOMES, counts, strict=True)}


def check_outcome(outcome: Any) -> Outcome | None:
    """Refuse anything but the four outcomes and None."""
    if outcome is not None:
        check_choice("outcome", outcome, OUTCOMES)
    return outcome  # type: ignore[no-any-return]  # checked above


def _having(outcome: Outcome | None, outcomes: NDArray[np.int64]) -> NDArray[np.int64]:
    """The places with this outcome; all of them for None."""
    if outcome is None:
        return np.flatnonzero(outcomes >= 0)
    return np.flatnonzero(outcomes == OUTCOMES.index(outcome))


def cluster_outcomes(
    judged: Outcomes, names: Names, outcome: Outcome | None, limit: int | None
) -> LazyList[ClusterOutcome]:
    """Clusters of the reference, those whose missed pairs changed most first."""
    asked = _having(outcome, judged.of_clusters)
    before, after = judged.missed
    # Ties are broken by cluster size, the largest first, and then by label.
    by_size = asked[
        largest_by_label(judged.sizes[asked], None, lambda place: names.cluster(0, int(asked[place])))
    ]
    return LazyList(
        by_size[largest_of(np.abs(after - before)[by_size], check_limit(limit))],
        partial(_cluster_outcome, judged, names),
        columns=field_names(ClusterOutcome),
        total=len(asked),
        title=counted(len(asked), "cluster"),
    )


def _cluster_outcome(judged: Outcomes, names: Names, cluster: int) -> ClusterOutcome:
    before, after = (VERDICTS[int(verdicts[cluster])] for verdicts in judged.verdicts)
    missed_before, missed_after = (judged.amount(missed[cluster], 2) for missed in judged.missed)
    return ClusterOutcome(
        names.cluster(0, cluster),
        OUTCOMES[int(judged.of_clusters[cluster])],
        judged.amount(judged.sizes[cluster]),
        before,
        after,
        missed_before,
        missed_after,
    )


def record_outcomes(
    judged: Outcomes, names: Names, outcome: Outcome | None, limit: int | None
) -> _RecordsOfCells[RecordOutcome]:
    """Records with these outcomes, of the largest three-way cells first, or of those that weigh most."""
    asked, n = _having(outcome, judged.of_cells), judged.cells.n

    def ties(places: NDArray[np.int64]) -> list[Integers]:
        sides = (clusters[asked[places]] for clusters in judged.cells.sides)
        return [label_places(own, partial(names.cluster, side)) for side, own in enumerate(sides)]

    return _RecordsOfCells(
        asked[largest_of(judged.amounts.n[asked], None, ties)],
        n,
        partial(_records_of, judged.cells, names),
        partial(_record_outcome, judged, names),
        limit,
        columns=field_names(RecordOutcome),
        title=counted(int(n[asked].sum()), "record"),
    )


def _records_of(three: ThreeWay, names: Names, cells: Sequence[int], each: int) -> list[tuple[Any, ...]]:
    return names.examples(three.clusters_of(cells), each)


def _record_outcome(judged: Outcomes, names: Names, cell: int, record: Any) -> RecordOutcome:
    labels = [names.cluster(side, int(clusters[cell])) for side, clusters in enumerate(judged.cells.sides)]
    return RecordOutcome(record, OUTCOMES[int(judged.of_cells[cell])], *labels)
