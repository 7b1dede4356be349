"""Whether a slice is worse than the rest: the sampling units are components, not records.

Clusters that share records are right or wrong together, so their records are not independent. The units are
components: clusters linked through shared records. A measure is a ratio of sums over components,
or a function of two such ratios, and each component's share in the difference follows from its derivative.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from concordant import core
from concordant.counts.arithmetic import Floats, Integers
from concordant.trust.ends import ends
from concordant.trust.slice_cells import Reading, SliceCells
from concordant.trust.tails import log_student_tails, student_quantile

# Fewer effective components, in the slice or in the rest, do not show how components vary. In simulations
# (docs/internals/coverage.md) tests with fewer rejected next to nothing, so a p-value would be uninformative.
LEAST_COMPONENTS = 10
TOO_FEW = "too few components"
# A slice that can be tested rarely has one of the largest clusters, which differ from all others, so a third
# of all random slices would be found worse.
TOO_LARGE = "a component of the rest is larger than the slice"
NO_REST = "there is no rest to compare with"
NO_VARIATION = "components do not differ"
UNDEFINED = "undefined here"

# The weights of the cells, rows and columns of a piece, by the size of the union that contains the cell.
POINTWISE: dict[str, Callable[[Integers, Integers, Integers], Integers]] = {
    "bcubed_precision": lambda n, a, b: b,  # noqa: ARG005  (one of a table of formulas)
    "bcubed_recall": lambda n, a, b: a,  # noqa: ARG005  (as above)
    "element_jaccard": lambda n, a, b: a + b - n,
    "element_centric": lambda n, a, b: np.maximum(a, b),  # noqa: ARG005  (as above)
}
# Pairs in the numerator and in the denominator, of n11 and the pairs of both sides.
PAIR_RATIOS: dict[str, Callable[[Integers, Integers, Integers], tuple[Integers, Integers]]] = {
    "precision": lambda n11, u, v: (n11, v),  # noqa: ARG005  (as above)
    "recall": lambda n11, u, v: (n11, u),  # noqa: ARG005  (as above)
    "f_measure": lambda n11, u, v: (2 * n11, u + v),
    "jaccard": lambda n11, u, v: (n11, u + v - n11),
}
TESTED = ("bcubed_f", *POINTWISE, *PAIR_RATIOS)
_ROUNDING = 1e-12  # what is left of a sum of shares that should be 0
# The rest has the pairs that a slice lacks: those with an end outside, or with both ends outside.
_OPPOSITE: dict[Reading, Reading] = {"ends": "ends", "any": "both", "both": "any"}


@dataclass(frozen=True, slots=True)
class SliceTest:
    """A slice against the rest by one measure; numbers that are not known are None."""

    difference: float | None  # the value of the slice less that of the rest
    low: float | None
    high: float | None
    p_uncorrected: float | None  # one-sided; null hypothesis: the slice is not worse
    n_components: int  # with a record, or for pairs with a pair, in the slice
    n_effective_units: float  # components of equal size that would determine the value equally well
    note: str = ""  # why there is no p-value


def slice_tests(cells: SliceCells, measure: str, reading: Reading, confidence: float) -> list[SliceTest]:
    """The test of each slice against the rest of the records."""
    number, components = len(cells.labels), cells.components
    count = int(components.max(initial=-1)) + 1
    whole = _ratios(cells, measure, "ends", components, count)
    key = cells.slice * max(count, 1) + components
    group, first = core.factorize(key)  # pieces are in the order of their slices, so groups are too
    groups = key[first]
    own = _ratios(cells, measure, reading, group, len(groups))
    opposite = _OPPOSITE[reading]
    other = own if opposite == reading else _ratios(cells, measure, opposite, group, len(groups))
    of_slice, component = np.divmod(groups, max(count, 1))
    bounds = np.searchsorted(of_slice, np.arange(number + 1))
    spread = _Spread(whole, count)
    return [
        _test(spread, own[:, :, first:last], other[:, :, first:last], component[first:last], confidence)
        for first, last in zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True)
    ]


def _ratios(
    cells: SliceCells, measure: str, reading: Reading, group: NDArray[np.int64], groups: int
) -> Floats:
    """Numerators and denominators of each ratio in each group, as shares of all."""
    total = cells.total or 1
    if measure in PAIR_RATIOS:
        n11, u, v, _ = cells.pairs(reading, group, groups)
        above, below = PAIR_RATIOS[measure](n11, u, v)
        return np.array([[above / total**2, below / total**2]], dtype=np.float64).reshape(1, 2, groups)
    names = ("bcubed_precision", "bcubed_recall") if measure == "bcubed_f" else (measure,)
    weight = np.asarray(cells.weight / total, dtype=np.float64)
    sizes = cells.overlaps
    ratios = []
    for name in names:
        part = np.asarray(sizes[0] / POINTWISE[name](*sizes), dtype=np.float64)
        sums = [np.bincount(group, weights=each, minlength=groups) for each in (weight * part, weight)]
        ratios.append(sums)
    return np.array(ratios, dtype=np.float64).reshape(len(names), 2, groups)


def _products(rows: Floats) -> Floats:
    """Scalar products of all rows. A few long rows are not worth the threads of a matrix product."""
    products: Floats = np.einsum("ik,jk->ij", rows, rows)
    return products


def _value(ratios: Sequence[float]) -> tuple[float, list[float]]:
    """A ratio, or the harmonic mean of two, and its derivative by each of them."""
    if len(ratios) == 1:
        return ratios[0], [1.0]
    p, r = ratios
    if not p + r:
        return 0.0, [0.0, 0.0]
    return 2 * p * r / (p + r), [2 * r * r / (p + r) ** 2, 2 * p * p / (p + r) ** 2]


class _Spread:
    """Sums of squares over all components, from which those of every rest follow without another pass."""

    def __init__(self, whole: Floats, count: int) -> None:
        self.whole, self.count = whole, count
        self.sums = whole.sum(axis=2)
        with np.errstate(invalid="ignore", divide="ignore"):
            means = np.nan_to_num(self.sums[:, 0] / self.sums[:, 1])
        self.means = means
        rows = self.centred(whole)
        self.gram = _products(rows)
        by_size = np.argsort(-whole[0, 1])
        self.sizes = whole[0, 1, by_size]
        self.rank = np.empty_like(by_size)  # of each component among these
        self.rank[by_size] = np.arange(count)

    def centred(self, sums: Floats) -> Floats:
        """Numerators less the value of all times denominators, and denominators: two rows for each ratio.

        The rest has nearly the same value as all, so little cancels in sums of squares of these.
        """
        rows = sums.copy()
        rows[:, 0] -= self.means[:, np.newaxis] * sums[:, 1]
        return rows.reshape(2 * len(sums), -1)

    def largest_beside(self, component: Integers) -> float:
        """The largest component that is not one of these."""
        ranks = np.sort(self.rank[component])
        gaps = np.flatnonzero(ranks != np.arange(len(ranks)))
        first = int(gaps[0]) if len(gaps) else len(ranks)
        return float(self.sizes[first]) if first < self.count else 0.0


def _test(spread: _Spread, own: Floats, other: Floats, component: Integers, confidence: float) -> SliceTest:
    x, y = own.sum(axis=2).T
    components = int((own[0, 1] > 0).sum())
    if not y.all():
        return SliceTest(None, None, None, None, components, 0.0, UNDEFINED)
    shares = own[0, 1] / y[0]
    effective, largest = 1 / float(shares @ shares), float(shares.max())
    ratios = (x / y).tolist()
    value, slopes = _value(ratios)
    inside = sum(slope * (own[k, 0] - ratios[k] * own[k, 1]) / y[k] for k, slope in enumerate(slopes))
    low = high = None
    if components > 1:
        variance = components / (components - 1) * float(np.square(inside).sum())
        low, high = _interval(value, math.sqrt(variance), effective, largest, confidence)
    rest = spread.sums - other.sum(axis=2)
    if not (rest[:, 1] > _ROUNDING * spread.sums[:, 1]).all():
        return SliceTest(None, low, high, None, components, effective, NO_REST)
    outside_ratios = (rest[:, 0] / rest[:, 1]).tolist()
    outside_value, slopes = _value(outside_ratios)
    difference = value - outside_value
    # The share of each component: of those without the slice from sums of all, of the others one by one.
    coefficients = np.array(
        [
            each
            for k, slope in enumerate(slopes)
            for each in (slope / rest[k, 1], slope * (spread.means[k] - outside_ratios[k]) / rest[k, 1])
        ]
    )
    whole = spread.whole.take(component, axis=2)
    own_products = _products(spread.centred(whole))
    others = float(coefficients @ (spread.gram - own_products) @ coefficients)
    left = whole - other
    outside = sum(
        slope * (left[k, 0] - outside_ratios[k] * left[k, 1]) / rest[k, 1] for k, slope in enumerate(slopes)
    )
    apart = inside - outside
    moves = float(np.square(apart).sum()) + max(others, 0.0)
    se = math.sqrt(spread.count / max(spread.count - 1, 1) * moves)
    beyond = spread.gram[1, 1] - float(own_products[1, 1])
    squares = max(beyond, 0.0) + float(np.square(left[0, 1]).sum())
    fewest = min(effective, rest[0, 1] ** 2 / squares)
    note = "" if se > _ROUNDING else NO_VARIATION
    if max(spread.largest_beside(component), float(left[0, 1].max(initial=0.0))) > y[0]:
        note = TOO_LARGE
    if fewest < LEAST_COMPONENTS:
        note = TOO_FEW
    p = None if note else _lower_tail(difference / se, fewest - 1)
    return SliceTest(difference, low, high, p, components, effective, note)


def _interval(
    value: float, se: float, effective: float, largest: float, confidence: float
) -> tuple[float, float]:
    """The interval of a ratio over units of unequal size, as for units that a caller names."""
    is_low = value < 0.5
    return ends(
        value,
        se,
        quantile=student_quantile(confidence, max(effective - 1, 1.0)),
        confidence=confidence,
        worst=value * largest / (1 + largest),
        gain=(1 - value) * largest / (1 + largest) if se == 0 or is_low else 0.0,
        always=is_low,
    )


def _lower_tail(t: float, degrees: float) -> float:
    """P(T ≤ t) of Student's distribution."""
    half = math.exp(log_student_tails(abs(t), degrees)) / 2
    return half if t < 0 else 1 - half
