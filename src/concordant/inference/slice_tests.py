"""Whether a slice is worse than the rest: the shares that it has of components are permuted.

Clusters that share records are right or wrong together, so their records are not independent. The units are
components: clusters linked through shared records. Null hypothesis: the share that a slice has of a component
has nothing to do with the component's size and errors. The influence of a component is how far it moves the
value of all records, so a small rest without errors does not look certain.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np

from concordant import core
from concordant.inference.leave_one_out import jackknife_interval
from concordant.inference.slice_cells import Reading, SliceCells
from concordant.maths.arithmetic import Floats, Integers
from concordant.maths.tails import log_upper_pearson

NO_REST = "there is no rest to compare with"
UNDEFINED = "undefined here"
ONE_COMPONENT = "one component has most of the records, so p is not informative"
FEW_ERRORS = "few components of the rest have errors: p is for errors of the same kind in both"
_ENOUGH_ERRORS = 12  # effective components of the rest with errors
_MOST_LISTED = 20_000  # orders of shares that are listed
_MOST_SORTED = 100_000  # pieces; sums of more may depend on the order of the records in their last digits
_ROUNDING = 1e-12  # what is left of a sum of shares that should be 0

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


def slice_tests(
    cells: SliceCells, measure: str, reading: Reading, confidence: float, slices: Sequence[int]
) -> list[dict[str, Any]]:
    """The test of each of these slices against the rest of the records, as fields of `Slice`.

    Pairs count half for each end in a slice, whatever the reading, so a slice and the rest add up.
    """
    if not slices:
        return []
    component = cells.components[cells.cell]
    group, first = core.factorize(cells.slice * len(cells.table) + component)
    component, of_slice = component[first], cells.slice[first]
    kind = cells.kinds.number if cells.weight is not cells.records else cells.kinds.number[cells.cell]
    values = (_sums(cells, measure) / cells.kinds.records)[:, kind] * cells.records
    order: Any = slice(None)
    if values.shape[1] <= _MOST_SORTED:
        order = np.lexsort(values)  # so sums have the same digits for every order of the records
    sums = np.array([np.bincount(group[order], own[order]) for own in values])
    tested = shown = SlicedComponents(sums, component, of_slice)
    if reading != "ends" and measure in PAIR_RATIOS:
        pairs = _ratio(cells, measure, cells.pairs(reading, group, len(first)))
        shown = SlicedComponents(pairs, component, of_slice)
    found = []
    for number in slices:
        components, effective = shown.components(number)
        low, high = shown.interval(number, confidence)
        difference, p, note = tested.against_rest(number) if components else (None, None, UNDEFINED)
        test = {"difference": difference, "low": low, "high": high, "p_uncorrected": p, "note": note}
        found.append(test | {"n_components": components, "n_effective_units": effective})
    return found


def _ratio(cells: SliceCells, measure: str, pairs: Sequence[Integers]) -> Floats:
    """The numerator and the denominator of a measure, as shares of all pairs."""
    total = cells.total or 1
    return np.array([each / total**2 for each in PAIR_RATIOS[measure](*pairs[:3])], dtype=np.float64)


def _sums(cells: SliceCells, measure: str) -> Floats:
    """The numerators and, last, the denominator of a measure for a piece of each kind, as shares of all."""
    kinds, sizes, weight = cells.kinds, cells.kinds.sizes, cells.kinds.weight
    if measure in PAIR_RATIOS:
        return _ratio(cells, measure, [weight * each - kinds.squares for each in sizes])
    share = np.asarray(weight / (cells.total or 1), dtype=np.float64)
    names = ("bcubed_precision", "bcubed_recall") if measure == "bcubed_f" else (measure,)
    rows = [share * np.asarray(sizes[0] / POINTWISE[name](*sizes), dtype=np.float64) for name in names]
    return np.array([*rows, share])


def _value(sums: Floats) -> Floats:
    """The harmonic mean of one or two ratios with the same denominator, the last row; nan if it is 0/0."""
    with np.errstate(invalid="ignore", divide="ignore"):
        ratios = sums[:-1] / sums[-1]
        return np.asarray(len(ratios) / (1 / ratios).sum(axis=0))


def _slopes(sums: Floats) -> Floats:
    """The derivative of each value by each of its sums."""
    y = np.where(sums[-1] > 0, sums[-1], np.inf)
    ratios = sums[:-1] / y
    by_ratio = np.nan_to_num(_value(sums)) ** 2 / np.maximum(ratios, _ROUNDING) ** 2 / len(ratios)
    return np.vstack([by_ratio, -(by_ratio * ratios).sum(axis=0)]) / y


def _in_canonical_order(
    sums: Floats, component: Integers, of_slice: Integers
) -> tuple[Floats, Integers, Integers]:
    """The groups in an order, and components by numbers, that do not depend on those of the records."""
    order = np.lexsort(sums)
    sums, component, of_slice = sums[:, order], component[order], of_slice[order]
    whole = np.array([np.bincount(component, each) for each in sums])
    place = np.empty(whole.shape[1], dtype=np.int64)
    place[np.lexsort(whole)] = np.arange(whole.shape[1])
    order = np.lexsort([*sums, *whole[:, component]])
    return sums[:, order], place[component[order]], of_slice[order]


class SlicedComponents:
    """The records of components in slices, by the sums of a measure over each group.

    A group is the records of a component in a slice. Its sums are the numerators and, last, the denominator.
    """

    def __init__(self, sums: Floats, component: Integers, of_slice: Integers) -> None:
        if sums.shape[1] <= _MOST_SORTED:
            sums, component, of_slice = _in_canonical_order(sums, component, of_slice)
        self._groups, self._component, self._slice = sums, component, of_slice
        self._number = int(of_slice.max()) + 1
        self._whole = np.array([np.bincount(component, each) for each in sums])
        self._sums = np.array([self._by_slice(each) for each in sums])
        self._total = self._whole.sum(axis=1, keepdims=True)  # slices have no order, components do
        self._influence = _slopes(self._total)[:, 0] @ self._whole
        self._counts = self._whole[-1] > 0
        self._n_components = int(self._counts.sum())
        self._squares = float(self._influence @ self._influence)
        self._share = np.divide(sums[-1], self._whole[-1, component], where=sums[-1] > 0, out=0 * sums[-1])

    def _by_slice(self, groups: Floats) -> Floats:
        """Sums over the groups of each slice."""
        return np.asarray(np.bincount(self._slice, groups, self._number), dtype=np.float64)

    # -- a slice by itself

    @cached_property
    def _alone(self) -> tuple[Floats, Floats, Floats, Floats]:
        """Of each slice: its components, those of equal size, the largest share, and its standard error."""
        own = self._groups[-1]
        number, squares = self._by_slice(own > 0), self._by_slice(own**2)
        largest = np.zeros(self._number)
        np.maximum.at(largest, self._slice, own)
        moves = (_slopes(self._sums)[:, self._slice] * self._groups).sum(axis=0)
        with np.errstate(invalid="ignore", divide="ignore"):
            effective = np.nan_to_num(self._sums[-1] ** 2 / squares)
            se = np.sqrt(number / (number - 1) * self._by_slice(moves**2))
            return number, effective, largest / self._sums[-1], se

    def components(self, number: int) -> tuple[int, float]:
        """The number of components of a slice, and how many of equal size would be worth as much."""
        components, effective, *_ = (float(each[number]) for each in self._alone)
        return int(components), effective

    def interval(self, number: int, confidence: float) -> tuple[float | None, float | None]:
        """The interval over components of unequal size, as for units of a caller."""
        components, effective, largest, se = (float(each[number]) for each in self._alone)
        if components < 2:
            return None, None
        value, part = float(_value(self._sums[:, number])), largest / (1 + largest)
        is_low = value < 0.5
        found = jackknife_interval(
            value,
            se,
            degrees=max(effective - 1, 1.0),
            confidence=confidence,
            worst=value * part,
            gain=(1 - value) * part if se == 0 or is_low else 0.0,
            always=is_low,
        )
        return found.low, found.high

    # -- a slice and the rest

    def against_rest(self, number: int) -> tuple[float | None, float | None, str]:
        """The difference of a slice from the rest, its p-value, and a note."""
        own, total = self._sums[:, number], self._total[:, 0]
        if not total[-1] - own[-1] > _ROUNDING * total[-1]:
            return None, None, NO_REST
        difference = float(_value(own) - _value(total - own))
        worse, skewness = (float(each[number]) for each in self._standardized)
        p = self._exact_p(number)
        if p is None:
            p = math.exp(log_upper_pearson(worse, skewness))
        if difference >= 0 and worse > 0:  # its components are worse than others, but not its records of them
            p = max(p, 0.5)
        return difference, p, self._notes[number]

    @cached_property
    def _notes(self) -> list[str]:
        """The limits of the p-value of each slice."""
        size = self._whole[-1]
        if self._total[-1, 0] ** 2 < 2 * (size @ size) * (1 - _ROUNDING):
            return [ONE_COMPONENT] * self._number
        losses, own = (each[-1] - each[:-1].mean(axis=0) for each in (self._whole, self._groups))
        rest, every = losses.sum() - self._by_slice(own), losses @ losses
        squares = every - self._by_slice(own * (2 * losses[self._component] - own))
        has_few = (rest**2 < _ENOUGH_ERRORS * squares * (1 - _ROUNDING)) | (squares <= _ROUNDING * every)
        return [FEW_ERRORS if few else "" for few in has_few.tolist()]

    @cached_property
    def _standardized(self) -> tuple[Floats, Floats]:
        """Of each slice: how much worse its components are, in standard deviations, and the skewness of this.

        Over all orders of the shares, the sum of shares times influences has the mean 0, because influences
        add up to 0. Its variance and skewness are those of permutations. A tail that is lighter than that of
        the normal distribution is taken as normal.
        """
        influence, n = self._influence, self._n_components
        shares, squares, cubes = (self._by_slice(self._share**power) for power in (1, 2, 3))
        mean = shares / n
        variance = self._squares * (squares - n * mean**2) / max(n - 1, 1)
        third = (influence**3).sum() * (cubes - 3 * mean * squares + 2 * n * mean**3)
        third *= n / max((n - 1) * (n - 2), 1)
        varies = variance > _ROUNDING**2
        sd = np.sqrt(np.where(varies, variance, 1))
        worse = -self._by_slice(self._share * influence[self._component]) / sd
        return np.where(varies, worse, -np.inf), np.where(varies, np.maximum(-third / sd**3, 0), 0)

    def _exact_p(self, number: int) -> float | None:
        """The share of all orders of the shares in which the slice is as bad; None if they are many."""
        size = self._n_components
        if size > _MOST_LISTED or math.comb(size, self.components(number)[0]) > _MOST_LISTED:
            return None
        shares, own = np.zeros(len(self._counts)), self._slice == number
        shares[self._component[own]] = self._share[own].round(12)
        columns = np.vstack([self._whole, self._influence**2])
        order = np.flatnonzero(self._counts)
        order = order[np.lexsort([shares[order], *columns[:, order]])]
        shares, columns = shares[order], columns[:, order]
        listed = _sums_of_orders(shares, columns)
        if listed is None:
            return None
        t = float(self._studentized(np.array([columns @ shares, columns @ shares**2])))
        return float(np.mean(self._studentized(listed) <= t + 1e-9 * (1 + abs(t))))

    def _studentized(self, sums: Floats) -> Floats:
        """The difference by its standard error, from sums by shares and by their squares."""
        (*own, squares), (*_, products) = sums
        own, total = np.array(own), self._total.reshape(-1, *[1] * np.ndim(squares))
        weight = own[-1] / total[-1]
        moves = products - 2 * weight * squares + weight**2 * self._squares
        is_rounding = moves <= _ROUNDING * (np.abs(products) + weight**2 * self._squares)
        with np.errstate(invalid="ignore", divide="ignore"):
            t = (_value(own) - _value(total - own)) * weight * (1 - weight) / np.sqrt(moves)
        return np.where(np.isfinite(t) & ~is_rounding, t, 0.0)


def _sums_of_orders(shares: Floats, columns: Floats) -> Floats | None:
    """Σ share·column and Σ share²·column for every order of the shares; None if there are too many orders."""
    values, numbers = np.unique(shares, return_counts=True)
    *rare, usual = np.argsort(numbers, kind="stable").tolist()
    orders, left = 1, len(shares)
    for kind in rare:
        orders *= math.comb(left, int(numbers[kind]))
        left -= int(numbers[kind])
        if orders > _MOST_LISTED:
            return None
    powers = np.array([values, values**2])
    sums: Floats = np.multiply.outer(powers[:, usual], columns.sum(axis=1))[:, :, None]
    free = np.arange(len(shares))[None]  # the components without a rare share, in each order
    for place, kind in enumerate(rare):
        chosen = np.array(list(combinations(range(free.shape[1]), int(numbers[kind]))))
        moved = columns[:, free[:, chosen]].sum(axis=-1).reshape(len(columns), -1)
        change = powers[:, kind] - powers[:, usual]
        sums = np.repeat(sums, len(chosen), axis=2) + change[:, None, None] * moved
        if place + 1 < len(rare):
            is_free = np.ones((len(chosen), free.shape[1]), dtype=bool)
            np.put_along_axis(is_free, chosen, values=False, axis=1)
            others = np.nonzero(is_free)[1].reshape(len(chosen), -1)
            free = free[:, others].reshape(-1, others.shape[1])
    return sums
