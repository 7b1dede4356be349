"""A measure of a whole population, estimated from a sample of its true clusters."""

from __future__ import annotations

from dataclasses import dataclass, field

from concordant.foundation.results import read_only_class
from concordant.foundation.spelling import counted
from concordant.inference.statistic import Finding, shown, size_condition


@read_only_class
@dataclass(frozen=True, slots=True, repr=False)
class Estimated(Finding):
    """A measure of the whole population, estimated from a sample of true clusters or of pairs.

    Attributes
    ----------
    index : str
        Name of the measure.
    value : float
        The bias-corrected estimate.
    se : float
        Standard error.
    low, high : float
        Ends of the interval.
    ratio : float
        The ratio of the weighted sums, without bias correction.
    confidence : float
        Confidence level.
    n_clusters : int
        Number of labelled clusters; 0 if pairs were labelled.
    n_draws : int
        Number of draws, including repeated ones.
    largest_share : float
        Largest share of one cluster in the denominator.
    n_effective_draws : float
        Number of draws of equal size that would determine the value equally well.
    largest_cluster : int or None
        The interval assumes that no unlabelled true cluster has more records. None if it assumes nothing.
    is_widened : bool
        Whether the interval is wider for errors that the sample may have missed.
    drawn : str
        The sampling design in words.
    note : str
        Remarks.
    estimable : bool
        Whether the sample determines the measure.
    conventions : str
        Unusual conventions.
    n_pairs : int
        Number of labelled pairs; 0 if clusters were labelled.
    """

    index: str
    value: float
    se: float
    low: float
    high: float
    ratio: float
    confidence: float
    n_clusters: int
    n_draws: int
    largest_share: float
    n_effective_draws: float
    largest_cluster: int | None
    is_widened: bool
    drawn: str
    note: str
    estimable: bool = True
    conventions: str = ""
    n_pairs: int = 0
    _part: str = field(default="", repr=False)  # the pairs that it is about, if not all could be drawn

    @property
    def _whole(self) -> str:
        return self._part or "all records"

    @property
    def _labelled(self) -> str:
        if self.n_pairs:
            return counted(self.n_pairs, "labelled pair")
        return counted(self.n_clusters, "labelled cluster")

    @property
    def headline(self) -> str:
        """The estimate for all records, and how the labelled clusters were drawn."""
        labelled = f"{self._labelled} ({self.drawn})"
        if not self.estimable:
            return f"From {labelled}, {self.index} of {self._whole} is {self.note} ({self._origin})."
        if self.low == self.high:
            return f"{self.index} of {self._whole} is {shown(self.value)} ({labelled}; {self._origin})."
        return (
            f"From {labelled}, {self.index} of {self._whole} is estimated at {shown(self.value)} "
            f"({self.confidence * 100:g}% interval {shown(self.low)} to {shown(self.high)}"
            f"{self._condition}; {self._origin})."
        )

    @property
    def _condition(self) -> str:
        """The allowance and the assumption of the interval."""
        missed = ", widened for errors that a sample of this size may have missed" if self.is_widened else ""
        return missed + size_condition("unlabelled true cluster", self.largest_cluster)

    def _summary(self) -> str:
        labelled, population = f"{self._labelled}, {self.drawn}", self._part or "the whole population"
        if not self.estimable:
            return f"{self.index} for {population}: {self.note} ({labelled})"
        note = f"; {self.note}" if self.note else ""
        return (
            f"{self.index} {shown(self.value)} for {population}, {self.confidence * 100:g}% interval "
            f"{shown(self.low)} to {shown(self.high)} (se {shown(self.se)}; {labelled}{note})"
        )
