"""Intervals for averages over the records: B-cubed and element-centric similarity.

In a sample, each record is a large part of its own cluster, so these indices are too high. Without the pairs
of a record with itself, the mean over the sample has no such bias. Records that are singletons in the sample
then have no pair at all: the interval allows for any value of these records.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from concordant.counts.contingency import Contingency
from concordant.counts.profile import Profile
from concordant.foundation.spelling import percent
from concordant.indices.index import Index
from concordant.inference.bounds import Ends, ends, whole_range
from concordant.inference.leave_one_out import jackknife_se
from concordant.maths.arithmetic import Floats
from concordant.maths.tails import student_quantile

MOST_SINGLETONS = 0.5

BCUBED = ("bcubed_precision", "bcubed_recall", "bcubed_f")
ELEMENT_CENTRIC = "element_centric"


@dataclass(frozen=True, slots=True, eq=False)
class WithoutSelfPairs:
    """A mean over the records without self-pairs, and its changes without one record of each cell."""

    value: float
    changes: Floats  # (n − 1)·(value without a record of the cell − value)
    singletons: float  # share of the records without a pair

    def spread(self, table: Contingency) -> tuple[float, float]:
        """The leave-one-out standard error, and the bias by pseudo-values."""
        n = table.n.astype(np.float64)
        size = float(n.sum())
        return jackknife_se(self.changes / max(size - 1, 1), n), float(n @ self.changes) / size


def bcubed_without_self_pairs(profile: Profile, index: Index) -> WithoutSelfPairs:
    """B-cubed precision, recall or F without self-pairs; ``index`` is one of ``BCUBED``.

    >>> from concordant import INDICES
    >>> profile = Profile.from_contingency([[7, 1, 0, 0], [0, 5, 0, 0], [0, 0, 4, 0], [0, 0, 0, 3]])
    >>> found = bcubed_without_self_pairs(profile, INDICES["bcubed_f"])
    >>> round(found.value, 12), round(found.spread(profile.table)[0], 12)
    (0.9, 0.1)
    """
    table, name = profile.table, (index.declared or index).name
    if name != "bcubed_f":
        return _one_side(table, "column" if name == "bcubed_precision" else "row")
    precision, recall = _one_side(table, "column"), _one_side(table, "row")
    weight = float(index.arguments.get("beta", 1.0)) ** 2
    singletons = max(precision.singletons, recall.singletons)
    scale = max(profile.size - 1, 1)
    p, r = precision.value, recall.value
    p_rest, r_rest = p + precision.changes / scale, r + recall.changes / scale
    below, below_rest = weight * p + r, weight * p_rest + r_rest
    if not below:
        return WithoutSelfPairs(0.0, np.zeros(len(table)), singletons)
    # The difference of two F, in which nothing cancels.
    value = (1 + weight) * p * r / below
    change = (1 + weight) * (weight * p * p_rest * recall.changes + r * r_rest * precision.changes) / below
    changes = np.divide(change, below_rest, out=np.full(len(change), -scale * value), where=below_rest > 0)
    return WithoutSelfPairs(value, changes, singletons)


def _one_side(table: Contingency, side: Literal["row", "column"]) -> WithoutSelfPairs:
    """The mean over records of the share of their co-members on one side that they share a cell with."""
    cluster, sizes = (table.row, table.row_sizes) if side == "row" else (table.column, table.column_sizes)
    n, b = table.n.astype(np.float64), sizes.astype(np.float64)
    total = float(n.sum())
    together = np.bincount(cluster, weights=n * (n - 1), minlength=len(b))
    counted = float(b[b > 1].sum())
    singletons = 1 - counted / total
    if not counted:
        return WithoutSelfPairs(0.0, np.zeros(len(n)), singletons)
    value = float((together[b > 1] / (b[b > 1] - 1)).sum()) / counted
    own, size = together[cluster], b[cluster]
    fall = np.zeros(len(n))  # of the sum over the clusters
    three, two = size > 2, size == 2
    fall[three] = (own[three] - 2 * (n[three] - 1) * (size[three] - 1)) / (
        (size[three] - 1) * (size[three] - 2)
    )
    fall[two] = -own[two]
    fewer = np.where(three, 1.0, np.where(two, 2.0, 0.0))
    left = counted - fewer
    rests = np.divide(fall + value * fewer, left, out=np.full(len(n), -value), where=left > 0)
    return WithoutSelfPairs(value, (total - 1) * rests, singletons)


def bcubed_interval(profile: Profile, index: Index, *, confidence: float) -> Ends:
    """Interval of B-cubed precision, recall or F, for records that are a random sample.

    >>> from concordant import INDICES
    >>> profile = Profile.from_contingency([[40, 3], [2, 35]])
    >>> found = bcubed_interval(profile, INDICES["bcubed_f"], confidence=0.95)
    >>> round(found.estimate, 4), round(found.low, 4), round(found.high, 4)
    (0.8801, 0.7364, 0.959)
    """
    found = bcubed_without_self_pairs(profile, index)
    return _interval(profile, found, found.spread(profile.table)[0], confidence, [found.value])


# -- element-centric similarity -------------------------------------------------------------------------


def element_centric_interval(profile: Profile, *, confidence: float) -> Ends:
    """Interval of the element-centric similarity, for records that are a random sample.

    If a reference cluster and a candidate cluster are equally large, the larger of both is larger in a
    sample than its share of the population. So the upper end also holds for the size that is left if their
    difference is reduced by its standard deviation.

    >>> found = element_centric_interval(Profile.from_contingency([[40, 3], [2, 35]]), confidence=0.95)
    >>> round(found.estimate, 4), round(found.low, 4), round(found.high, 4)
    (0.8687, 0.7007, 0.969)
    """
    table = profile.table
    n, a, b = (x.astype(np.float64) for x in (table.n, table.a, table.b))
    larger = np.maximum(a, b)
    apart = np.abs(a - b)
    smoothed = (a + b + np.maximum(apart - np.sqrt(np.maximum(a + b - 2 * n, 0)), 0)) / 2
    singletons = float(n[larger < 2].sum()) / profile.size
    counted = profile.size * (1 - singletons)
    values = [float(_shares(n, sizes).sum()) / counted if counted else 0.0 for sizes in (larger, smoothed)]
    found = WithoutSelfPairs(values[0], _larger_changes(table, values[0], counted), singletons)
    se, bias = found.spread(table)
    # For clusters of exactly equal size, leaving out records can show a bias of any size. The true bias is of
    # this order.
    bias = min(abs(bias), math.sqrt(max(profile.rows, profile.columns) / profile.size))
    return _interval(profile, found, math.hypot(se, bias), confidence, values)


def _shares(n: Floats, sizes: Floats) -> Floats:
    """n(n−1)/(size−1); 0 for a cluster of one."""
    return np.divide(n * (n - 1), sizes - 1, out=np.zeros_like(n), where=sizes > 1)


def _larger_changes(table: Contingency, value: float, counted: float) -> Floats:
    """(n − 1) times the change of the mean of (n−1)/(max(a,b)−1) without one record of each cell."""
    n, a, b = (x.astype(np.float64) for x in (table.n, table.a, table.b))
    larger = np.maximum(a, b)
    # Shares of (n, larger) and of smaller sizes, subtracted in closed form: large counts would cancel.
    pairs, places = n * (n - 1), (larger - 1) * (larger - 2)
    gain = np.divide(pairs, places, out=-pairs, where=larger > 2)  # if the larger cluster has one fewer
    shorter, narrower = np.where(a > b, gain, 0.0), np.where(b > a, gain, 0.0)
    rest = np.divide((n - 1) * (n + 2 - 2 * larger), places, out=-pairs, where=larger > 2)
    rest -= shorter + narrower
    of_rows = np.bincount(table.row, weights=shorter)[table.row]
    change = of_rows + np.bincount(table.column, weights=narrower)[table.column] + rest
    # The record itself, and the other one of a pair that becomes a singleton on both sides.
    fewer = 1.0 + ((n == 2) & (a == 2) & (b == 2))
    for cluster, own, other in ((table.row, a, b), (table.column, b, a)):
        last = ((own == 2) & (other == 1)).astype(np.float64)
        fewer += np.bincount(cluster, weights=last)[cluster] - last
    fewer[np.maximum(a, b) < 2] = 0.0
    left = counted - fewer
    rests = np.divide(change + value * fewer, left, out=np.full(len(n), -value), where=left > 0)
    scaled: Floats = (float(n.sum()) - 1) * rests
    return scaled


# -- both ---------------------------------------------------------------------------------------------------


def _interval(
    profile: Profile, found: WithoutSelfPairs, se: float, confidence: float, values: list[float]
) -> Ends:
    """The interval about the first value, up to the end of the last; singletons may have any value."""
    share = found.singletons
    if share > MOST_SINGLETONS:
        reason = f"{percent(share, 1)} of the records are singletons, so they have no pair"
        return whole_range(0.0, found.value, reason)
    quantile = student_quantile(confidence, profile.size - 1)
    worst = 2 / profile.size
    both = [
        ends(each, se, quantile=quantile, confidence=confidence, worst=worst, gain=worst) for each in values
    ]
    low, high = both[0][0] * (1 - share), both[-1][1] * (1 - share) + share
    note = f"{percent(share, 1)} of the records are singletons, which may have any value" if share else ""
    return Ends(
        low,
        max(high, both[0][1] * (1 - share) + share),
        se,
        found.value,
        "jackknife without self-pairs",
        note,
    )
