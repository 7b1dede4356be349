"""The measures of each slice of a comparison."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from concordant.catalogue.index import INDICES
from concordant.counts.arithmetic import harmonic, sum_of_ratios
from concordant.counts.conventions import Undefined
from concordant.counts.pairs import Pairs, ViewCounts
from concordant.errors import UndefinedError
from concordant.trust.slice_cells import Reading, SliceCells
from concordant.trust.slice_tests import (
    PAIR_RATIOS,
    POINTWISE,
)

# The measures corrected for chance, and the index that each is over all records.
ADJUSTED = {
    "adjusted_recall": "adjusted_wallace_recall",
    "adjusted_precision": "adjusted_wallace_precision",
    "adjusted_rand": "adjusted_rand",
}


@dataclass(frozen=True, slots=True)
class Slice:
    """The records with one value of a column, and their measures. Clusters are not cut.

    Attributes
    ----------
    slice : object
        The value: a tuple for several columns, None for a missing value.
    records : int
        Number of records.
    weight : int or float
        Their weight.
    bcubed_precision, bcubed_recall, bcubed_f : float
        B-cubed measures.
    element_jaccard, element_centric : float
        Element-wise similarities.
    precision, recall, f_measure, jaccard : float
        Pair-counting measures.
    adjusted_recall, adjusted_precision, adjusted_rand : float
        Pair-counting measures corrected for chance.
    low, high : float, optional
        Interval of the tested measure.
    difference : float, optional
        Difference of the tested measure from the rest of the records.
    p, p_uncorrected : float, optional
        p-values: small if the slice is worse than the rest.
    components : int
        Number of components with its records.
    effective_components : float
        Number of components of equal size that would determine the measure equally well.
    note : str
        The reason if there is no p-value.
    undefined : tuple of str
        The measures that are 0/0 here, so their values are conventions.
    """

    slice: Any
    records: int
    weight: int | float
    bcubed_precision: float
    bcubed_recall: float
    bcubed_f: float
    element_jaccard: float
    element_centric: float
    precision: float
    recall: float
    f_measure: float
    jaccard: float
    adjusted_recall: float
    adjusted_precision: float
    adjusted_rand: float
    low: float | None
    high: float | None
    difference: float | None
    p: float | None
    p_uncorrected: float | None
    components: int
    effective_components: float
    note: str
    undefined: tuple[str, ...]


class SliceValues:
    """Every measure of each slice, as fractions until the last division."""

    def __init__(self, cells: SliceCells, reading: Reading, undefined: Undefined) -> None:
        self.cells, self.reading, self._undefined = cells, reading, undefined
        number = len(cells.labels)
        self._bounds = np.searchsorted(cells.slice, np.arange(number + 1)).tolist()
        ends = cells.pairs("ends", cells.slice, number)
        own = ends if reading == "ends" else cells.pairs(reading, cells.slice, number)
        self._pairs = [each.tolist() for each in own]
        self._whole = [sum(each.tolist()) for each in ends]  # only "ends" add up
        self._means: dict[tuple[str, int | None, bool], Fraction] = {}

    def pairs(self, number: int | None) -> tuple[Fraction, Fraction, Fraction, Fraction]:
        """Pairs together in both, in the reference and in the candidate, and all; None means all records."""
        doubled = self._whole if number is None else [each[number] for each in self._pairs]
        n11, u, v, every = (Fraction(each, 2 * self.cells.parts**2) for each in doubled)
        return n11, u, v, every

    def value(self, measure: str, number: int | None, *, exact: bool) -> tuple[Fraction | float, bool]:
        """The value, and whether it is a convention, because the formula is 0/0."""
        if measure in POINTWISE:
            return self._mean(measure, number, exact=exact), False
        if measure == "bcubed_f":
            p, r = (self._mean(f"bcubed_{x}", number, exact=exact) for x in ("precision", "recall"))
            return Fraction(harmonic(p, r)), False  # neither is 0, as every record is with itself
        n11, u, v, every = self.pairs(number)
        ratio: Any = PAIR_RATIOS.get(measure)  # fractions do as well as arrays
        above, below = ratio(n11, u, v) if ratio else self._beyond_chance(measure, n11, u, v)
        if below:
            return Fraction(above, below), False
        return self._convention(INDICES[ADJUSTED.get(measure, measure)], n11, u, v, every), True

    def _mean(self, measure: str, number: int | None, *, exact: bool) -> Fraction:
        key = (measure, number, exact)
        if key not in self._means:
            first, last = (0, None) if number is None else self._bounds[number : number + 2]
            n, a, b = (each[first:last] for each in self.cells.overlaps)
            weight = self.cells.weight[first:last]
            total = int(weight.sum()) if len(weight) else 1
            self._means[key] = sum_of_ratios(weight * n, POINTWISE[measure](n, a, b), exact) / total
        return self._means[key]

    def _beyond_chance(
        self, measure: str, n11: Fraction, u: Fraction, v: Fraction
    ) -> tuple[Fraction, Fraction]:
        """A pair of the reference is together in the candidate by chance as often as any pair is."""
        _, in_u, in_v, every = self.pairs(None)
        share_u, share_v = (each / every if every else Fraction(0) for each in (in_u, in_v))
        recall = n11 - u * share_v, u * (1 - share_v)
        precision = n11 - v * share_u, v * (1 - share_u)
        if measure == "adjusted_recall":
            return recall
        if measure == "adjusted_precision":
            return precision
        return recall[0] + precision[0], recall[1] + precision[1]

    def _convention(self, index: Any, *pairs: Fraction) -> Fraction | float:
        n11, u, v, every = pairs
        counts = ViewCounts.of_pairs(Pairs(n11, u - n11, v - n11, every - u - v + n11, 1))  # type: ignore[arg-type]
        if counts.identical:
            return float(index.perfect)
        if self._undefined == "raise":
            raise UndefinedError(f"{index.name} is 0/0 in a slice, which has no pair for it")
        if self._undefined == "nan" or index.undefined is None:
            return math.nan
        return float(index.undefined)
