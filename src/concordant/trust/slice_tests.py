"""Whether a slice is worse than the rest: the slices of components are exchanged, not those of records.

Clusters that share records are right or wrong together, so their records are not independent. The units are
components: clusters linked through shared records. Null hypothesis: the slice of a component has nothing to
do with its size and its errors. The statistic is the difference by its standard error, whose residuals are
from the value of all records, so a small rest without errors does not look certain.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from concordant import core
from concordant.counts.arithmetic import Floats, Integers
from concordant.trust.ends import ends
from concordant.trust.slice_cells import Reading, SliceCells
from concordant.trust.tails import student_quantile

NO_REST = "there is no rest to compare with"
UNDEFINED = "undefined here"
FEW_ERRORS = "few components of the rest have errors: p is for errors of the same kind in both"
_ENOUGH_ERRORS = 12  # effective components of the rest with errors
_MOST_LISTED = 20_000  # choices of components that are listed instead of drawn
_DRAWS, _FEWEST_DRAWS, _DRAWS_PER_SLICE = 9_999, 999, 200
_NUMBERS = 2 * 10**6  # random numbers in memory at a time
_MOST_NUMBERS = 3 * 10**8  # in all
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


@dataclass(frozen=True, slots=True)
class SliceTest:
    """A slice against the rest by one measure; numbers that are not known are None."""

    difference: float | None  # the value of the slice less that of the rest
    low: float | None
    high: float | None
    p_uncorrected: float | None  # one-sided; null hypothesis: the slice is not worse
    n_components: int  # with a record, or for pairs with a pair, in the slice
    n_effective_units: float  # components of equal size that would determine the value equally well
    note: str = ""  # why there is no p-value, or what it depends on


def slice_tests(
    cells: SliceCells, measure: str, reading: Reading, confidence: float, slices: Sequence[int]
) -> list[SliceTest]:
    """The test of each of these slices against the rest of the records.

    Pairs count half for each end in a slice, whatever the reading, so a slice and the rest add up.
    """
    components = cells.components
    count = int(components.max(initial=-1)) + 1
    key = cells.slice * max(count, 1) + components
    group, first = core.factorize(key)  # pieces are in the order of their slices, so groups are too
    of_slice, component = np.divmod(key[first], max(count, 1))
    shown = _sums(cells, measure, reading, group, len(first))
    sums = shown if reading == "ends" else _sums(cells, measure, "ends", group, len(first))
    exchange = Exchange(cells, measure, sums, component, of_slice)
    bounds = np.searchsorted(of_slice, np.arange(len(cells.labels) + 1))
    parts = [slice(bounds[number], bounds[number + 1]) for number in slices]
    tests = [exchange.compared(_alone(shown[:, part], confidence), part) for part in parts]
    tested = [None if each.difference is None else n for each, n in zip(tests, slices, strict=True)]
    for place, p in exchange.p_values(tested, parts).items():
        tests[place] = replace(tests[place], p_uncorrected=p)
    return tests


def _sums(cells: SliceCells, measure: str, reading: Reading, group: NDArray[np.int64], groups: int) -> Floats:
    """The numerators and, last, the denominator of a measure in each group, as shares of all."""
    total = cells.total or 1
    if measure in PAIR_RATIOS:
        n11, u, v, _ = cells.pairs(reading, group, groups)
        above, below = PAIR_RATIOS[measure](n11, u, v)
        return np.array([above / total**2, below / total**2], dtype=np.float64).reshape(2, groups)
    weight, sizes = np.asarray(cells.weight / total, dtype=np.float64), cells.overlaps
    names = ("bcubed_precision", "bcubed_recall") if measure == "bcubed_f" else (measure,)
    rows = [weight * np.asarray(sizes[0] / POINTWISE[name](*sizes), dtype=np.float64) for name in names]
    return np.array([np.bincount(group, weights=each, minlength=groups) for each in (*rows, weight)])


def _value(sums: Floats) -> Floats:
    """A ratio, or the harmonic mean of two with one denominator; nan if it is 0/0."""
    with np.errstate(invalid="ignore", divide="ignore"):
        means = sums[:-1] / sums[-1]
        if len(means) == 1:
            return np.asarray(means[0])
        total = means[0] + means[1]
        return np.asarray(
            np.where(total > 0, 2 * means[0] * means[1] / np.where(total > 0, total, 1), means[0])
        )


def _slopes(sums: Floats) -> Floats:
    """The change of the value with each sum, so the influence of a component is linear in its sums."""
    y, value = float(sums[-1]), float(_value(sums))
    if len(sums) == 2:
        return np.array([1 / y, -value / y])
    p, q = sums[0] / y, sums[1] / y
    by_p, by_q = (2 * other**2 / max(p + q, _ROUNDING) ** 2 for other in (q, p))
    return np.array([by_p, by_q, -(by_p * p + by_q * q)]) / y


def _alone(own: Floats, confidence: float) -> SliceTest:
    """A slice by itself: its interval over components of unequal size, as for units that a caller names."""
    own = own[:, own[-1] > 0]
    components, sums = own.shape[1], own.sum(axis=1)
    if not components:
        return SliceTest(None, None, None, None, 0, 0.0, UNDEFINED)
    shares, value = own[-1] / sums[-1], float(_value(sums))
    effective, largest = 1 / float(shares @ shares), float(shares.max())
    if components == 1:
        return SliceTest(None, None, None, None, components, effective)
    moves, is_low = _slopes(sums) @ own, value < 0.5
    se = math.sqrt(components / (components - 1) * float(moves @ moves))
    low, high = ends(
        value,
        se,
        quantile=student_quantile(confidence, max(effective - 1, 1.0)),
        confidence=confidence,
        worst=value * largest / (1 + largest),
        gain=(1 - value) * largest / (1 + largest) if se == 0 or is_low else 0.0,
        always=is_low,
    )
    return SliceTest(None, low, high, None, components, effective)


class Exchange:
    """Slices exchanged between components, or between clusters or records of those with several slices."""

    def __init__(
        self, cells: SliceCells | None, measure: str, sums: Floats, component: Integers, of_slice: Integers
    ) -> None:
        count = int(component.max(initial=-1)) + 1
        self.cells, self.measure, self.sums = cells, measure, sums
        self.component, self.of_slice = component, of_slice
        self.whole = np.array([np.bincount(component, weights=row, minlength=count) for row in sums])
        self.total = self.whole.sum(axis=1)
        self.slopes = _slopes(self.total) if self.total[-1] > 0 else np.zeros(len(sums))
        self.influence = self.slopes @ self.whole
        self.squares = float(self.influence @ self.influence)
        # For each piece: its sums, and what the sum of squares of a slice needs.
        own = self.slopes @ sums
        self.terms = np.vstack([sums, own * own, own * self.influence[component]])

    def compared(self, alone: SliceTest, part: slice) -> SliceTest:
        """A slice with its difference from the rest, or why there is none."""
        if alone.note:
            return alone
        own, component = self.sums[:, part], self.component[part]
        if not self.total[-1] - own[-1].sum() > _ROUNDING * self.total[-1]:
            return replace(alone, note=NO_REST)
        rest = self.whole.copy()
        rest[:, component] -= own
        loss = np.abs(rest[:-1] - rest[-1]).sum(axis=0)
        has_enough = loss.sum() ** 2 >= _ENOUGH_ERRORS * float(loss @ loss) > 0
        difference = float(self._statistics(self.terms[:, part].sum(axis=1))[0])
        return replace(alone, difference=difference, note="" if has_enough else FEW_ERRORS)

    def _statistics(self, terms: Floats) -> tuple[Floats, Floats]:
        """The differences from the rest, and these by their standard errors; 0 where nothing varies."""
        sums, squares, products = terms[:-2], terms[-2], terms[-1]
        total = self.total.reshape(-1, *[1] * (sums.ndim - 1))
        share = sums[-1] / total[-1]
        moves = squares - 2 * share * products + share**2 * self.squares
        with np.errstate(invalid="ignore", divide="ignore"):
            differences = _value(sums) - _value(total - sums)
            t = differences * share * (1 - share) / np.sqrt(moves)
        return differences, np.where(np.isfinite(t) & (moves > _ROUNDING**2), t, 0.0)

    def p_values(self, slices: Sequence[int | None], parts: Sequence[slice]) -> dict[int, float]:
        """The p-value of each slice that has a number, by its place."""
        counted = self.whole[-1] > 0
        found, drawn, limits = {}, [], []
        for place, (number, part) in enumerate(zip(slices, parts, strict=True)):
            if number is None:
                continue
            t = float(self._statistics(self.terms[:, part].sum(axis=1))[1])
            limit = t + 1e-9 * (1 + abs(t))
            listed = self._listed(part, counted)
            if listed is None:
                drawn.append((place, number))
                limits.append(limit)
            else:
                found[place] = float(np.mean(self._statistics(listed)[1] <= limit))
        if drawn:
            reached, draws = np.zeros(len(drawn)), 0
            for terms in self._draws([number for _, number in drawn]):
                reached += (self._statistics(terms)[1] <= np.array(limits)).sum(axis=0)
                draws += terms.shape[1]
            shares = ((1 + reached) / (1 + draws)).tolist()
            found |= {place: p for (place, _), p in zip(drawn, shares, strict=True)}
        return found

    def _listed(self, part: slice, counted: NDArray[np.bool_]) -> Floats | None:
        """The terms of every choice of as many components; None if there are too many, or some are mixed."""
        own, component = self.sums[-1, part], self.component[part]
        own, component = own[counted[component]], component[counted[component]]
        number, inside = int(counted.sum()), len(component)
        is_pure = np.allclose(own, self.whole[-1, component], rtol=1e-9, atol=0)
        if not is_pure or math.comb(number, inside) > _MOST_LISTED:
            return None
        squares = self.influence * self.influence
        terms = np.vstack([self.whole, squares, squares])[:, counted]
        few = min(inside, number - inside)
        chosen: Floats = terms[:, np.array(list(combinations(range(number), few)))].sum(axis=2)
        return chosen if few == inside else terms.sum(axis=1)[:, None] - chosen

    def _draws(self, slices: Sequence[int]) -> Iterator[Floats]:
        """The terms of these slices in random exchanges, in chunks: terms, draws, slices."""
        place = np.full(int(self.of_slice.max()) + 1, len(slices))
        place[list(slices)] = np.arange(len(slices))
        items, component, of_item = self._items
        urn = np.bincount(place[of_item], minlength=len(slices) + 1)
        fixed, mixed = self._mixed(place, len(slices))
        # Equal components by themselves are one kind, and only their numbers are drawn.
        by_itself = np.bincount(component, minlength=len(self.influence))[component] == 1
        squares = np.where(by_itself, (self.slopes @ items) ** 2, 0.0)
        columns = np.vstack([items, squares, squares])
        scale = np.abs(columns).max(axis=1, initial=_ROUNDING)[:, None]
        keys = np.vstack([np.round(columns / scale, 12), np.where(by_itself, -1, component)])
        _, first, which, number = np.unique(
            keys, axis=1, return_index=True, return_inverse=True, return_counts=True
        )
        is_kind = (number > 1) & by_itself[first]
        kinds, numbers = columns[:, first[is_kind]], number[is_kind]
        chosen = np.flatnonzero(~is_kind[which.reshape(-1)])
        chosen = chosen[np.argsort(component[chosen], kind="stable")]
        alone, grouped = columns[:, chosen], np.flatnonzero(~by_itself[chosen])
        groups = component[chosen][grouped]
        starts = np.flatnonzero(np.diff(groups, prepend=-1))
        influence = self.slopes @ items[:, chosen[grouped]]
        of_each = len(chosen) * len(slices) + len(slices) * (len(numbers) + sum(len(n) for n, *_ in mixed))
        wanted = max(_DRAWS, _DRAWS_PER_SLICE * len(slices))
        draws = min(wanted, max(_FEWEST_DRAWS, _MOST_NUMBERS // max(of_each, 1)))
        size, random = max(_NUMBERS // max(len(chosen) * len(slices), 1), 1), np.random.default_rng(0)
        for start in range(0, draws, size):
            made = min(size, draws - start)
            terms = np.zeros((len(self.terms), made, len(slices))) + fixed[:, None, :]
            left = np.broadcast_to(urn, (made, len(urn))).copy()
            if len(chosen):
                taken = random.multivariate_hypergeometric(urn, len(chosen), size=made)
                rank = np.argsort(random.random((made, len(chosen))), axis=1)
                ends_at = np.cumsum(taken, axis=1)
                left -= taken
                for each in range(len(slices)):
                    begin = ends_at[:, each] - taken[:, each]
                    inside = (rank >= begin[:, None]) & (rank < ends_at[:, each, None])
                    terms[:, :, each] += alone @ inside.T
                    if len(grouped):
                        own = np.add.reduceat(inside[:, grouped] * influence, starts, axis=1)
                        terms[-2, :, each] += np.square(own).sum(axis=1)
                        terms[-1, :, each] += own @ self.influence[groups[starts]]
            for kind, number_of_kind in zip(kinds.T, numbers.tolist(), strict=True):
                terms += kind[:, None, None] * _distributed(left, number_of_kind, random)
            for records, values, slots, whole in mixed:
                left, own = np.broadcast_to(slots, (made, len(slots))).copy(), np.zeros_like(terms[:-2])
                for number_of_cell, value in zip(records.tolist(), values.T, strict=True):
                    own += value[:, None, None] * _distributed(left, number_of_cell, random)
                moved = np.tensordot(self.slopes, own, 1)
                terms += np.concatenate([own, [moved * moved, moved * whole]])
            yield terms

    @cached_property
    def _is_pure(self) -> NDArray[np.bool_]:
        """Whether the records of each component are in one slice."""
        return np.asarray(np.bincount(self.component, minlength=len(self.influence)) == 1)

    @cached_property
    def _items(self) -> tuple[Floats, Integers, Integers]:
        """What is exchanged: the sums of each item, its component and its slice.

        Components, if each is in one slice; otherwise clusters of the reference, if each is in one slice. If
        these have records of several slices, too, components in one slice; in the others records are.
        """
        counted, cells = self.whole[-1] > 0, self.cells
        if cells is not None and not self._is_pure[counted].all():
            row, rows = cells.table.row[cells.cell], len(cells.table.row_sizes)
            of_row, component = np.zeros(rows, dtype=np.int64), np.zeros(rows, dtype=np.int64)
            of_row[row], component[row] = cells.slice, cells.components
            if (of_row[row] == cells.slice).all():
                chosen = counted[component]
                sums = _sums(cells, self.measure, "ends", row, rows)
                return sums[:, chosen], component[chosen], of_row[chosen]
        chosen = np.flatnonzero(self._is_pure & counted)
        of_component = np.zeros(len(counted), dtype=np.int64)
        of_component[self.component] = self.of_slice
        return self.whole[:, chosen], chosen, of_component[chosen]

    def _mixed(
        self, place: Integers, number_of_slices: int
    ) -> tuple[Floats, list[tuple[Integers, Floats, Integers, float]]]:
        """Components with records of several slices, unless their clusters are exchanged.

        The terms of those whose records are all equal, and for the others the records of each cell, their
        sums for each record, the records of each slice, and the influence.
        """
        cells, fixed = self.cells, np.zeros((len(self.terms), number_of_slices))
        is_mixed = self.whole[-1] > 0
        is_mixed[self._items[1]] = False
        if cells is None or not is_mixed.any():
            return fixed, []
        of_cell = _sums(cells, self.measure, "ends", cells.cell, len(cells.table))
        records = np.bincount(cells.cell, weights=cells.records, minlength=len(cells.table))
        component = np.zeros(len(cells.table), dtype=np.int64)
        component[cells.cell] = cells.components
        chosen = np.flatnonzero(is_mixed[component])
        values, found = of_cell[:, chosen] / records[chosen], []
        order = np.argsort(component[chosen], kind="stable")
        slots = np.zeros((len(self.influence), number_of_slices + 1), dtype=np.int64)
        np.add.at(slots, (cells.components, place[cells.slice]), cells.records)
        for own in np.split(order, np.flatnonzero(np.diff(component[chosen][order])) + 1):
            number, value = int(component[chosen[own[0]]]), values[:, own]
            if np.ptp(value, axis=1).max() > _ROUNDING * np.abs(value).max():
                numbers, whole = records[chosen[own]].astype(np.int64), float(self.influence[number])
                found.append((numbers, value, slots[number], whole))
                continue
            pieces = np.flatnonzero((self.component == number) & (place[self.of_slice] < number_of_slices))
            for piece in pieces.tolist():
                fixed[:, place[self.of_slice[piece]]] += self.terms[:, piece]
        return fixed, found


def _distributed(left: Integers, number: int, random: np.random.Generator) -> Integers:
    """Put equal things at random into the slots that are left: how many are in each slice but the last."""
    taken, remaining, pool = np.zeros_like(left[:, :-1]), np.full(len(left), number), left.sum(axis=1)
    for place in range(left.shape[1] - 1):
        pool = pool - left[:, place]
        taken[:, place] = random.hypergeometric(left[:, place], pool, remaining)
        remaining = remaining - taken[:, place]
    left[:, :-1] -= taken
    left[:, -1] -= remaining
    return taken
