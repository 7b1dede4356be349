"""How many clusters to label, before any is labelled: from cluster sizes and the expected value."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from statistics import NormalDist
from typing import Any

import numpy as np

from concordant.errors import InputError, ParameterError, kind_of
from concordant.foundation.conventions import check_choice
from concordant.foundation.input_options import input_options
from concordant.foundation.results import ReadOnlyDict, read_only_class
from concordant.indices.index import DEFAULT_FOR_SAMPLES, Index
from concordant.inference.bounds import ends, gamma_ends
from concordant.inference.options import check_confidence, check_share
from concordant.inference.statistic import Finding, shown, software
from concordant.labelling.cluster_measures import denominator, measure, weight_of_recall
from concordant.labelling.design import SAMPLING, Sampling
from concordant.maths.arithmetic import Floats
from concordant.maths.tails import gamma_quantile, student_quantile

_NEARLY_PERFECT = 1 - 1e-9
HALF_WIDTH = "a half-width between 0 and 1, such as 0.02"


@read_only_class
@dataclass(frozen=True, slots=True, repr=False)
class SampleSize(Finding):
    """The number of records or clusters to draw. `int(sample_size(...))` is `safe`.

    Attributes
    ----------
    safe : int
        Enough for any distribution of the errors.
    approximate : int
        Enough if errors do not favour large clusters.
    index : str
        Name of the index.
    value : float
        Its expected value.
    within : float
        Half-width of the interval.
    sampling : {"clusters", "records"}
        The sampling unit.
    confidence : float
        Confidence level.
    population : int
        Number of units that could be drawn.
    assurance : float
        The probability that the interval is as narrow, for `approximate`.
    conventions : str
        Unusual conventions.
    """

    safe: int
    approximate: int
    index: str
    value: float
    within: float
    sampling: Sampling
    confidence: float
    population: int
    assurance: float = 0.8
    conventions: str = ""
    _size: int = field(default=0, repr=False)
    _omitted: Mapping[str, int] = field(default_factory=ReadOnlyDict, repr=False)

    def __index__(self) -> int:
        """The safe number."""
        return self.safe

    @property
    def headline(self) -> str:
        """Both numbers, and what they assume."""
        return (
            f"To estimate {self.index} within {shown(self.within)} at {self.confidence * 100:g}% confidence, "
            f"with an expected value of {shown(self.value)}, {self.safe:,} of {self.population:,} "
            f"{self.sampling} have to be drawn whichever clusters have the errors, and about "
            f"{self.approximate:,} if errors are as frequent in large clusters as in small ones. Both use "
            f"the cluster sizes of the candidate in place of the true ones. With {self.assurance * 100:g}% "
            f"probability the interval is then at most ± {shown(self.within)} ({software()})."
        )

    def _described(self) -> Mapping[str, Any]:
        facts = f"n={self._size}", f"sampling={self.sampling}", f"confidence={self.confidence:g}"
        return {
            "signature": " | ".join(filter(None, [software(), *facts, self.conventions])),
            "headline": self.headline,
            "size": self._size,
            "names": ("candidate",),
            "omitted": self._omitted,
            "conventions": self.conventions,
        }

    def _summary(self) -> str:
        return (
            f"{self.index} within {shown(self.within)}: draw {self.safe:,} of {self.population:,} "
            f"{self.sampling} to be safe, about {self.approximate:,} if large clusters are as good as small "
            f"ones (expected value {shown(self.value)}, {self.confidence * 100:g}% interval)"
        )


@input_options(
    {}, refused={"weights": "sample_size() plans how many records or clusters to draw, each as one"}
)
def sample_size(
    sizes: Any,
    index: str = DEFAULT_FOR_SAMPLES,
    *,
    value: float = 0.9,
    within: float = 0.05,
    sampling: Sampling,
    confidence: float = 0.95,
    assurance: float = 0.8,
) -> SampleSize:
    """Compute the number of draws for an interval of a given half-width, before you label any cluster.

    The candidate's cluster sizes replace the true ones. `safe` assumes that the errors are in the
    largest clusters. `approximate` assumes that all clusters are equally likely to be wrong; it is often much
    smaller, and too small if large clusters are worse. After a pilot, use `Estimates.needed`.

    Parameters
    ----------
    sizes : sequence of int, or mapping
        The sizes of the candidate's clusters, or a mapping from size to number of clusters, such as
        `compare(...).table.candidate_sizes`.
    index : str, default="f_measure"
        Name of the index to estimate.
    value : float, default=0.9
        Expected value of the index.
    within : float, default=0.05
        Half-width of the interval.
    sampling : {"clusters", "records"}
        Whether records are drawn, each with its whole cluster, or clusters with equal probability.
    confidence : float, default=0.95
        Confidence level.
    assurance : float, default=0.8
        The probability that `estimate` shows an interval of at most this half-width.

    Returns
    -------
    SampleSize
        The numbers `safe` and `approximate`. Converted to an integer, it is `safe`.

    Examples
    --------
    >>> plan = sample_size({1: 9000, 2: 5000, 5: 400}, value=0.9, within=0.05, sampling="records")
    >>> plan.safe, plan.approximate, int(plan) == plan.safe
    (1076, 733, True)
    """
    check_choice("sampling", sampling, SAMPLING)
    check_confidence(confidence)
    check_share("within", within, HALF_WIDTH)
    check_share("assurance", assurance, "a probability between 0 and 1, such as 0.8")
    check_share("value", value, "an expected value between 0 and 1, such as 0.9")
    plan = _Plan(measure(index), sampling == "records", *_sizes(sizes), value, within, confidence, assurance)
    if not plan.mean:
        raise InputError(f"{index}: no cluster has two records, so there is no pair to judge by")
    approximate = least_number(plan.is_enough, plan.population)
    return SampleSize(
        safe=max(least_number(plan.is_safe, plan.population), approximate),
        approximate=approximate,
        index=plan.index.name,
        value=value,
        within=within,
        sampling=sampling,
        confidence=confidence,
        population=plan.population,
        assurance=assurance,
        _size=int(plan.sizes @ plan.numbers),
    )


@dataclass(frozen=True)
class _Plan:
    """The interval of an index from draws of clusters with these sizes."""

    index: Index
    by_record: bool  # whether records are drawn, each with its cluster
    sizes: Floats  # in descending order
    numbers: Floats  # of the clusters with each size
    value: float
    within: float
    confidence: float
    assurance: float

    @cached_property
    def population(self) -> int:
        """How many can be drawn."""
        return int(self._draws_of_each.sum())

    @cached_property
    def mean(self) -> float:
        """The mean part of a draw in the denominator."""
        return float(self._draws_of_each @ self._parts / self._draws_of_each.sum())

    @cached_property
    def _draws_of_each(self) -> Floats:
        """How many draws of a cluster of each size are possible."""
        return self.numbers * (self.sizes if self.by_record else 1)

    @cached_property
    def _parts(self) -> Floats:
        """The part of a draw of each size in the denominator."""
        of_cluster = {
            "pairs": self.sizes * (self.sizes - 1) / 2,
            "records": self.sizes,
            "clusters": np.ones(len(self.sizes)),
            "records and clusters": weight_of_recall(self.index) ** 2
            + self.sizes * float(self.numbers.sum() / (self.numbers @ self.sizes)),
        }[denominator(self.index)]
        return of_cluster / self.sizes if self.by_record else of_cluster

    @cached_property
    def _moments(self) -> tuple[float, float]:
        """The means of the squares and the fourth powers of the parts, relative to the mean part."""
        relative, chance = self._parts / self.mean, self._draws_of_each / self._draws_of_each.sum()
        return float(chance @ relative**2), float(chance @ relative**4)

    def is_safe(self, draws: int) -> bool:
        """Whether the interval is narrow enough for any distribution of the errors.

        Losses between 0 and the largest part have a variance of at most their mean times this part.
        """
        wrong, worst = 1 - self.value, float(self._parts.max()) / self.mean / draws
        low, high = gamma_ends(wrong, wrong * worst, worst, self.confidence)
        return max(wrong - low, high - wrong) <= self.within

    def is_enough(self, draws: int) -> bool:
        """Whether it is narrow enough with this assurance if errors do not favour large clusters."""
        second, fourth = self._moments
        odds = self.value * (1 - self.value)
        kurtosis = fourth / second**2 * ((1 - self.value) ** 3 + self.value**3) / odds
        degrees = max(2 * draws / (kurtosis - 1 + 2 * draws / (draws - 1)), 1.0)
        left = max(1 - draws / self.population, 0.0) if self.by_record else 1.0
        variance = odds * second / draws * left
        se = math.sqrt(variance * variance_factor(self.assurance, degrees))
        quantile = student_quantile(self.confidence, max(draws / second - 1, 1.0))
        off = NormalDist().inv_cdf(self.assurance) * math.sqrt(variance)
        unseen = self._unseen(draws)
        for each in (self.value, max(self.value - off, 0.01), min(self.value + off, _NEARLY_PERFECT)):
            worst = each * unseen / (1 + unseen)
            low, high = ends(each, se, quantile=quantile, confidence=self.confidence, worst=worst)
            if max(each - low, high - each) > self.within:
                return False
        return True

    def _unseen(self, draws: int) -> float:
        """The addition of an unseen draw to the denominator, as `estimate` would allow for it."""
        if not self.by_record:
            return float(self._parts.max()) / (draws * self.mean)
        records = -math.log((1 - self.confidence) / 2) * self.population / draws
        of_each = self.sizes * self.numbers
        largest = np.minimum(of_each, np.maximum(records - (np.cumsum(of_each) - of_each), 0))
        precision = float((largest * (self.sizes - 1)).sum()) / 2 / records
        recall = (max(min(float(self.sizes[0]), records), 1) - 1) / 2
        weight = weight_of_recall(self.index) ** 2
        of_index = {
            "precision": precision,
            "recall": recall,
            "jaccard": precision + recall,
            "cluster_f": weight + float(self.numbers.sum()) / self.population,
        }
        of_pairs = (precision + weight * recall) / (1 + weight) if denominator(self.index) == "pairs" else 1.0
        return of_index.get(self.index.declared_name, of_pairs) / (draws * self.mean)


def variance_factor(p: float, degrees: float) -> float:
    """The quantile p of an estimated variance with these degrees of freedom, relative to the true one.

    >>> round(variance_factor(0.8, 10), 4)
    1.3442
    """
    return 2 * gamma_quantile(p, degrees / 2) / degrees


def least_number(is_enough: Callable[[int], bool], most: int) -> int:
    """The smallest number from 2 to ``most`` that is enough; ``most`` always is: nothing is left to chance.

    >>> least_number(lambda m: m * m >= 50, 100), least_number(lambda m: False, 100)
    (8, 100)
    """
    low, high = 1, 2
    while high < most and not is_enough(high):
        low, high = high, 2 * high
    high = min(high, most)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if is_enough(middle) else (middle, high)
    return high


def _sizes(sizes: Any) -> tuple[Floats, Floats]:
    """The distinct sizes in descending order, and how many clusters have them."""
    if isinstance(sizes, Mapping):
        size, many = (np.asarray(list(each)) for each in (sizes, sizes.values()))
    elif isinstance(sizes, str) or not hasattr(sizes, "__iter__"):
        raise ParameterError(f"sizes are numbers of records, or a mapping; not {kind_of(sizes)}")
    else:
        given = np.asarray(sizes if hasattr(sizes, "__array__") else list(sizes))
        size, many = np.unique(given, return_counts=True) if given.ndim == 1 else (given, given)
    if not size.size:
        raise InputError("there are no sizes to plan with; give the sizes of the candidate's clusters")
    for numbers in (size, many):
        whole = numbers.ndim == 1 and numbers.dtype.kind in "iuf" and np.isfinite(numbers).all()
        if not whole or (numbers < 1).any() or (numbers % 1 != 0).any():
            raise ParameterError("sizes of clusters, and their numbers, are positive whole numbers")
    order = np.argsort(-size.astype(np.float64))
    return size[order].astype(np.float64), many[order].astype(np.float64)
