"""The metrics of the change from one clustering to the next."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from math import inf

from concordant.comparisons import Comparison
from concordant.counts.profile import Profile
from concordant.counts.weighted_counts import WeightedCounts
from concordant.differences.diff_lists import (
    DiffLists,
    RunsAndTruth,
    TwoRuns,
)
from concordant.differences.diff_metrics import (
    MEANINGS,
    METRICS,
    RATIOS,
    DiffCells,
    DiffSizes,
    MetricAttributes,
    ratio,
)
from concordant.errors import (
    ParameterError,
    Remedy,
    UndefinedError,
    did_you_mean,
)
from concordant.many.questions import fingerprint
from concordant.many.three_sides import ThreeSides
from concordant.results import Result

TwoTitles = tuple[str, str]  # of base and experiment
RUNS: TwoTitles = ("base", "experiment")


class DiffValues(MetricAttributes, Result):
    """The metrics of a change, by name."""

    comparison: Comparison
    names: TwoTitles
    omitted: dict[str, int]
    conventions: str

    def __init__(
        self,
        comparison: Comparison,
        names: TwoTitles = RUNS,
        sides: ThreeSides | None = None,
        cells: DiffCells | None = None,
    ) -> None:
        """``sides`` and ``cells`` are those of both runs and the truth, if there is one."""
        self.comparison, self.names = comparison, names
        self._sides, self._cells = sides, cells
        self.omitted = {} if sides is None else sides.omitted
        self.conventions = comparison._unusual_conventions  # noqa: SLF001  (same package)
        if sides is not None:
            total = comparison._counted.conventions.get("weights")  # noqa: SLF001  (same package)
            weights = "" if total is None else f"weights={total}"
            self.conventions = " | ".join(filter(None, [sides.conventions, weights]))
        self._values: dict[str, float] = {}

    @property
    def has_truth(self) -> bool:
        """Whether a truth was given."""
        return self._sides is not None

    def keys(self) -> tuple[str, ...]:
        """List the available metrics.

        Returns
        -------
        tuple of str
            The names of the metrics.

        Examples
        --------
        >>> import concordant as cc
        >>> cc.diff([0, 0, 1], [0, 0, 0]).keys()[:2]
        ('affected', 'split_rate')
        """
        if self.has_truth:
            return (*METRICS, *RATIOS)
        return tuple(name for name, metric in METRICS.items() if not metric.needs_truth)

    def __getitem__(self, metric: str) -> float:
        if metric not in self._values:
            try:
                self._values[metric] = float(self._fraction(metric, exact=False))
            except UndefinedError:  # nothing changed, or the base has no true pair
                self._values[metric] = self._limit(metric)
        return self._values[metric]

    def _limit(self, metric: str) -> float:
        """The value of a ratio whose denominator is 0: 0 or 1, which mean no change, or infinity."""
        if metric != "recall_ratio":
            return 0.0
        has_pairs = int(self._sizes.mass.astype(object).dot(self._sizes.bt)) > self._sizes.squares
        return inf if has_pairs else 1.0

    def exact(self, metric: str) -> Fraction:
        """Compute a metric as a fraction, without rounding.

        Parameters
        ----------
        metric : str
            Name of the metric.

        Returns
        -------
        Fraction
            The exact value.

        Raises
        ------
        UndefinedError
            If the metric is 0/0.

        Examples
        --------
        >>> import concordant as cc
        >>> cc.diff([0, 0, 1, 1, 2, 2, 2], [0, 0, 0, 1, 1, 2, 2]).exact("jaccard_distance")
        Fraction(1, 2)
        """
        return self._fraction(metric, exact=True)

    def _fraction(self, metric: str, *, exact: bool) -> Fraction:
        if metric not in MEANINGS:
            near = did_you_mean(metric, MEANINGS)
            raise ParameterError(f"a diff has no metric {metric!r}{near}; it has {', '.join(self.keys())}")
        if metric not in self.keys():
            raise ParameterError(
                f"{metric} is about the quality of the change",
                remedies=[Remedy("pass the true clusters", truth=...)],
            )
        if metric in RATIOS:
            return ratio(metric, self._sizes, exact=exact)
        return METRICS[metric].value(self._sizes, exact=exact)

    @cached_property
    def _profile(self) -> Profile:
        """The profile of the weights, or else of the records."""
        counts = self.comparison.counts
        return counts.weights if isinstance(counts, WeightedCounts) else counts.partitions

    @property
    def _squares(self) -> int:
        counts = self.comparison.counts
        return counts.squares if isinstance(counts, WeightedCounts) else counts.size

    @cached_property
    def _sizes(self) -> DiffSizes:
        if self._cells is not None:
            return self._cells.sizes
        return DiffSizes.of_profile(self._profile, self._squares)

    @cached_property
    def _lists(self) -> DiffLists:
        if self._cells is not None and self._sides is not None:
            return DiffLists(self._cells, RunsAndTruth(self._sides.names), has_truth=True)
        counts, names = self.comparison.counts, self.comparison._counted.names  # noqa: SLF001  (same package)
        cells = DiffCells.of_table(self._profile.table, counts.table.n, self._squares)
        return DiffLists(cells, TwoRuns(names, cells), has_truth=False)

    @property
    def _fingerprint(self) -> str:
        return fingerprint(self._profile, self._squares)

    @property
    def _elements(self) -> Profile:
        """The profile of the records, whatever they weigh."""
        counts = self.comparison.counts
        return counts.elements if isinstance(counts, WeightedCounts) else counts.partitions
