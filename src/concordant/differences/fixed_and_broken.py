"""The outcome of each cluster, record and pair from one candidate to another: fixed, broken or unchanged.

One reference judges both. A reference cluster is right if its verdict is exact or nearly
(``concordant.differences.verdicts``). A record is right if it is in the core of its cluster: the overlap
that is the largest of both its clusters, blue in every picture. A pair is right if the candidate puts it
together, or apart, as the reference does. Each is right before and after (still right), before only
(broken), after only (fixed) or never (still wrong), so the four numbers add up to all. If records have
weights, clusters and overlaps are compared by weight, and the weight of records and pairs is counted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from concordant.counts.base import Counts
from concordant.counts.counted_sides import Names
from concordant.counts.overlaps import Overlaps
from concordant.counts.pair_costs import Costs
from concordant.counts.three_way import ThreeWay
from concordant.counts.weighted_counts import WeightedCounts
from concordant.differences.changes import ROLES, roles_of
from concordant.differences.lazy_list import largest_by_label
from concordant.differences.verdicts import (
    NEARLY,
    VERDICTS,
    CountedUnit,
    Thresholds,
    amount,
    unit_of,
    verdicts_of,
)
from concordant.foundation.results import Field, Listing, Result, read_only_class
from concordant.foundation.spelling import counted, number_text, verb
from concordant.maths.arithmetic import Integers, as_integers, sums_by

Outcome = Literal["fixed", "broken", "still_wrong", "still_right"]
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)
FIXED, BROKEN, STILL_WRONG, STILL_RIGHT = range(4)
# The columns of a list that describe a cluster of the reference.
CLUSTER_COLUMNS = ("outcome", "verdict_before", "verdict_after", "missed_before", "missed_after")

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


@read_only_class
@dataclass(frozen=True, slots=True, repr=False)
class OutcomeSummary(Result):
    """The numbers of clusters, records and pairs that a change fixed and broke. `Diff.summary` returns it.

    Attributes
    ----------
    clusters : mapping
        Number of reference clusters by outcome.
    cluster_records : mapping
        Number of records in these clusters, or their weight.
    records : mapping
        Number of records by outcome, or their weight.
    missed : mapping
        Pairs together in the reference by outcome, or their weight.
    wrong : mapping
        Pairs apart in the reference by outcome, or their weight.
    in_no_cluster : float
        Number of records in no reference cluster, or their weight.
    thresholds : Thresholds
        The thresholds of the verdicts, by which a cluster is right.
    """

    clusters: Mapping[Outcome, int]
    cluster_records: OutcomeCounts
    records: OutcomeCounts
    missed: OutcomeCounts
    wrong: OutcomeCounts
    in_no_cluster: float
    thresholds: Thresholds
    _unit: CountedUnit = "record"

    @property
    def _counts(self) -> dict[str, OutcomeCounts]:
        names = ("clusters", "cluster_records", "records", "missed", "wrong")
        return {name: getattr(self, name) for name in names}

    def to_dict(self) -> dict[str, Any]:
        """Return the counts by outcome, and the thresholds.

        Returns
        -------
        dict
            The content by name.

        Examples
        --------
        >>> import concordant as cc
        >>> d = cc.diff([0, 0, 1, 2], [0, 0, 1, 1], reference=list("aabb"))
        >>> d.summary().to_dict()["clusters"]["fixed"], d.summary().to_dict()["near"]
        (1, 0.8)
        """
        thresholds = {"near": float(self.thresholds.near), "majority": float(self.thresholds.majority)}
        counts = {name: dict(each) for name, each in self._counts.items()}
        return counts | {"in_no_cluster": self.in_no_cluster} | thresholds

    def _rows(self, limit: int | None = None) -> list[dict[str, Any]]:
        return [{"counted": name, **counts} for name, counts in self._counts.items()][:limit]

    def _title(self) -> str:
        return self._sentence("The change")

    def _sentence(self, subject: str) -> str:
        fixed, broken, wrong, right = self.clusters.values()
        if fixed or broken:
            some = counted(fixed, "cluster") if fixed else "no cluster"
            return f"{subject} fixes {some} and breaks {f'{broken:,}' if broken else 'none'}"
        stay = f"{wrong:,} {verb(wrong, 'stay')} wrong" if wrong else "all stay right"
        stay = stay if wrong or right else "the reference has none"
        return f"{subject} fixes and breaks no cluster; {stay}"

    def _listings(self, limit: int | None = None) -> Sequence[Listing]:
        of_weight = "weight of " if self._unit == "weight" else ""
        titles = (
            "clusters",
            f"{of_weight}their records",
            f"{of_weight}records",
            f"{of_weight}pairs of one cluster",
            f"{of_weight}pairs of two clusters",
        )
        rows = [{"counted": title, **each} for title, each in zip(titles, self._counts.values(), strict=True)]
        fields = [Field("counted", ""), *(Field(each, outcome_words(each), number_text) for each in OUTCOMES)]
        return [Listing(rows[:limit], fields)]

    def _footnotes(self) -> Sequence[str]:
        outside = f"{amount(self.in_no_cluster, self._unit)} in no reference cluster"
        return [f"({self.thresholds})", outside if self.in_no_cluster else ""]

    def __repr__(self) -> str:
        clusters = ", ".join(f"{n:,} {outcome_words(outcome)}" for outcome, n in self.clusters.items())
        return f"<OutcomeSummary: {clusters}>"


class Outcomes:
    """The outcomes of three-way cells; each part is computed once, on first use."""

    def __init__(
        self, cells: ThreeWay, both: tuple[Counts, Counts], thresholds: Thresholds, names: Names
    ) -> None:
        """``both`` are the counts of the reference and each candidate, with the clusters of the cells."""
        weights = both[0] if isinstance(both[0], WeightedCounts) else None
        self.reference = cells.reference
        self._cells, self._thresholds = cells, thresholds
        self._profiles = both[0].by_weight, both[1].by_weight
        self._amounts = cells if weights is None else cells.by_weight(weights.own)
        self._unit: CountedUnit = unit_of(both[0])
        self._squares = cells.size if weights is None else weights.squares
        # The singletons of each of the three that are not clusters.
        self._unclustered = [names.unclustered(side) for side in range(3)]

    @cached_property
    def _verdicts(self) -> list[NDArray[np.int8]]:
        """The verdict on each cluster of the reference, before and after, as places among VERDICTS."""
        return [
            verdicts_of(profile, "reference", self._thresholds, self._unclustered[number])
            for number, profile in enumerate(self._profiles, start=1)
        ]

    @cached_property
    def _of_clusters(self) -> NDArray[np.int64]:
        """The outcome of each reference cluster, as its place among OUTCOMES; -1 if it is not a cluster."""
        before, after = (found <= NEARLY for found in self._verdicts)
        outcomes = outcomes_of(before, after)
        outcomes[self._unclustered[0]] = -1
        return outcomes

    @cached_property
    def of_cells(self) -> NDArray[np.int64]:
        """The outcome of the records of each three-way cell."""
        tables = zip(self._profiles, (self._cells.cell_of_first, self._cells.cell_of_second), strict=True)
        core = ROLES.index("core")
        before, after = (roles_of(profile.view(Overlaps), cell) == core for profile, cell in tables)
        return outcomes_of(before, after)

    @cached_property
    def _missed(self) -> list[Integers]:
        """The missed pairs of each cluster of the reference, before and after."""
        return [profile.view(Costs).missed_of_rows for profile in self._profiles]

    @cached_property
    def _sizes(self) -> Integers:
        """The number of records of each cluster of the reference, or their weight."""
        return sums_by(self.reference, self._amounts.n)

    def clusters_with(self, outcome: Outcome | None, label: Callable[[int], Any]) -> NDArray[np.int64]:
        """The clusters of the reference with an outcome, or all: the largest first, then by label."""
        of_each = self._of_clusters
        chosen = np.flatnonzero(of_each >= 0 if outcome is None else of_each == OUTCOMES.index(outcome))
        return chosen[largest_by_label(self._sizes[chosen], None, lambda place: label(int(chosen[place])))]

    def columns_of(self, cluster: int) -> dict[str, Any]:
        """The columns of a list that describe a cluster of the reference."""
        outcome = OUTCOMES[int(self._of_clusters[cluster])]
        verdicts = [VERDICTS[int(verdicts[cluster])] for verdicts in self._verdicts]
        missed = [self._amount(missed[cluster], 2) for missed in self._missed]
        return dict(zip(CLUSTER_COLUMNS, [outcome, *verdicts, *missed], strict=True))

    @cached_property
    def summary(self) -> OutcomeSummary:
        """Pairs are counted by inclusion and exclusion, exactly."""
        cells, sizes, of_clusters = self._amounts, self._sizes, self._of_clusters
        own = of_clusters >= 0
        u, v, w = (self._pairs(sums_by(side, cells.n)) for side in cells.sides)
        tables = cells.first_table, cells.second_table, cells.candidates_table, cells
        uv, uw, vw, uvw = (self._pairs(each.n) for each in tables)
        still_wrong = vw - uvw  # of the pairs apart in the reference
        fixed, broken = v - uv - still_wrong, w - uw - still_wrong
        apart = (cells.size**2 - self._squares) // 2 - u
        missed = (uw - uvw, uv - uvw, u - uv - uw + uvw, uvw)
        wrong = (fixed, broken, still_wrong, apart - fixed - broken - still_wrong)
        numbers = np.bincount(of_clusters[own], minlength=len(OUTCOMES))
        return OutcomeSummary(
            clusters=dict(zip(OUTCOMES, numbers.tolist(), strict=True)),
            cluster_records=self._by_outcome(sums_by(of_clusters[own], sizes[own], len(OUTCOMES))),
            records=self._by_outcome(sums_by(self.of_cells, cells.n, len(OUTCOMES))),
            missed=self._by_outcome(missed, 2),
            wrong=self._by_outcome(wrong, 2),
            in_no_cluster=self._amount(sizes[self._unclustered[0]].sum()),
            thresholds=self._thresholds,
            _unit=self._unit,
        )

    def _pairs(self, sizes: Integers) -> int:
        """Pairs within clusters of these sizes, which all records are in; exact, however large they are."""
        whole = as_integers(sizes, int(sizes.sum()))
        return (int((whole * whole).sum()) - self._squares) // 2

    def _amount(self, count: int, pairs: int = 1) -> float:
        """A number of records or of pairs, or their weight."""
        return self._profiles[0].amount(count, pairs)

    def _by_outcome(self, counts: Iterable[Any], pairs: int = 1) -> OutcomeCounts:
        return {outcome: self._amount(count, pairs) for outcome, count in zip(OUTCOMES, counts, strict=True)}
