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
from itertools import combinations, combinations_with_replacement

import numpy as np
from numpy.typing import NDArray

from concordant import core
from concordant.counts.arithmetic import Floats, Integers, sums_by
from concordant.trust.leave_one_out import LeaveOneOut
from concordant.trust.slice_cells import Reading, SliceCells

NO_REST = "there is no rest to compare with"
UNDEFINED = "undefined here"
FEW_ERRORS = "few components of the rest have errors: p is for errors of the same kind in both"
_ENOUGH_ERRORS = 12  # effective components of the rest with errors
_MOST_LISTED = 20_000  # choices of components that are listed instead of drawn
_DRAWS, _FEWEST_DRAWS, _DRAWS_PER_SLICE = 9_999, 99, 200
_ENOUGH_REACHED = 10  # draws as extreme as a slice, after which no more are made for it
_NUMBERS = 10**5  # slices of draws in memory at a time
_MOST_PICKS = 10**8  # things that are drawn one by one
_HEAVY, _LARGE = 1, 2  # roles of things, see _roles
_MOST_HEAVY, _MOST_LARGE = 2_000, 8  # things and groups
_MOST_SKEW = 0.05  # of a sum that is drawn as normal
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
Slots = tuple[Integers, Integers, Integers]  # their urn, slice and number of things
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
    records = sums_by(group, cells.records, len(first))
    exchange = Exchange(cells, measure, sums, component, of_slice, records=records)
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
    found = LeaveOneOut(
        value=value,
        se=se,
        degrees=max(effective - 1, 1.0),
        worst=value * largest / (1 + largest),
        gain=(1 - value) * largest / (1 + largest) if se == 0 or is_low else 0.0,
        always=is_low,
    ).interval(confidence)
    return SliceTest(None, found.low, found.high, None, components, effective)


class Exchange:
    """Slices exchanged between components, or between clusters or records of those with several slices."""

    def __init__(
        self,
        cells: SliceCells | None,
        measure: str,
        sums: Floats,
        component: Integers,
        of_slice: Integers,
        *,
        records: Integers | None = None,
    ) -> None:
        count = int(component.max(initial=-1)) + 1
        self.cells, self.measure, self.sums = cells, measure, sums
        self.component, self.of_slice = component, of_slice
        self.records = np.zeros_like(component) if records is None else records
        self.whole = np.array([np.bincount(component, weights=row, minlength=count) for row in sums])
        self.total = self.whole.sum(axis=1)
        self.slopes = _slopes(self.total) if self.total[-1] > 0 else np.zeros(len(sums))
        self.influence = self.slopes @ self.whole
        self.squares = float(self.influence @ self.influence)
        loss = np.abs(self.whole[:-1] - self.whole[-1]).sum(axis=0)
        self.losses = np.array([loss, loss * loss])
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
        # Only the components of the slice have another loss in the rest.
        of_rest = own - self.whole[:, component]
        new = np.abs(of_rest[:-1] - of_rest[-1]).sum(axis=0)
        loss, squares = (
            self.losses.sum(axis=1) - self.losses[:, component].sum(axis=1) + [new.sum(), new @ new]
        )
        has_enough = loss**2 >= _ENOUGH_ERRORS * squares > _ROUNDING * self.losses[1].sum()
        difference = float(self._statistics(self.terms[:, part].sum(axis=1))[0])
        return replace(alone, difference=difference, note="" if bool(has_enough) else FEW_ERRORS)

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
        # In rounds, whose numbers of draws do not depend on what is drawn. A slice that enough draws reached
        # keeps its p, and only those with a small p take part in all rounds, so p is valid.
        reached, draws = np.zeros(len(drawn)), np.zeros(len(drawn), dtype=np.int64)
        most, made = max(_DRAWS, _DRAWS_PER_SLICE * len(drawn)), 0
        while made < most and len(left := np.flatnonzero(reached < _ENOUGH_REACHED)):
            for terms in self._draws([drawn[place][1] for place in left], made, most):
                reached[left] += (self._statistics(terms)[1] <= np.array(limits)[left]).sum(axis=0)
                draws[left] += terms.shape[1]
            made = int(draws.max())
        shares = ((1 + reached) / (1 + draws)).tolist()
        return found | {place: p for (place, _), p in zip(drawn, shares, strict=True)}

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

    def _draws(self, slices: Sequence[int], made: int, most: int) -> Iterator[Floats]:
        """A round of random exchanges: the terms of these slices, in chunks: terms, draws, slices.

        ``made`` is the number of draws of earlier rounds, and ``most`` that of all.
        """
        place = np.full(int(self.of_slice.max()) + 1, len(slices))
        place[list(slices)] = np.arange(len(slices))
        fixed, slots = self._slots(place, len(slices))
        wanted = min(most, 4 * made + 3 if made else _DRAWS) - made
        role, is_normal = np.zeros(0, dtype=np.int8), np.zeros(len(slices), dtype=bool)
        if slots[2].sum() * wanted > _MOST_PICKS:
            role, is_normal = self._roles(slots, len(slices))
        one_by_one = self._one_by_one(np.arange(len(self._kinds[1])), slots, ~is_normal)
        near_normal = self._near_normal(role, slots, is_normal) if is_normal.any() else None
        picks = int(one_by_one[-1].sum()) + (_MOST_HEAVY if near_normal else 0)
        draws = wanted if made else min(wanted, max(_FEWEST_DRAWS, _MOST_PICKS // max(picks, 1)))
        size, random = max(_NUMBERS // len(slices), 1), np.random.default_rng(made)
        for start in range(made, made + draws, size):
            shape = min(size, made + draws - start), len(slices), len(self.terms)
            terms = np.zeros(shape) + fixed
            if len(one_by_one[1]):
                terms += core.exchanged(*one_by_one, shape[1], shape[0], start).reshape(shape)
            if near_normal:
                terms[:, is_normal] += near_normal(shape[0], start, random)[:, is_normal]
            yield np.moveaxis(terms, 2, 0)

    @cached_property
    def _kinds(self) -> tuple[Floats, Integers, Integers, Integers]:
        """What is exchanged: the sums and the influence of a thing of each kind, its group, urn and number.

        First the items, which share an urn; a component with one item has no group. Then the records of each
        cell of the mixed components, each of which has an urn.
        """
        items, component, _ = self._items
        is_alone = np.bincount(component, minlength=len(self.influence))[component] == 1
        values, of_cell, records = self._mixed
        values = np.hstack([items, values])
        return (
            np.vstack([values, self.slopes @ values]),
            np.r_[np.where(is_alone, -1, component), of_cell],
            np.r_[np.zeros_like(component), 1 + of_cell],
            np.r_[np.ones_like(component), records],
        )

    def _slots(self, place: Integers, slices: int) -> tuple[Floats, tuple[Integers, Integers, Integers]]:
        """The terms that no exchange changes, and the urn, the slice and the number of the slots."""
        _, component, of_item = self._items
        number = np.bincount(place[of_item], minlength=slices + 1)[:slices]
        fixed = np.zeros((slices, len(self.terms)))
        slots = np.zeros(slices, dtype=np.int64), np.arange(slices), number
        is_mixed = self.whole[-1] > 0
        is_mixed[component] = False
        of_records = np.zeros(len(is_mixed), dtype=bool)
        of_records[self._mixed[1]] = True
        piece = np.flatnonzero((place[self.of_slice] < slices) & is_mixed[self.component])
        piece = piece[np.argsort(self.component[piece], kind="stable")]
        is_fixed = ~of_records[self.component[piece]]
        np.add.at(fixed, place[self.of_slice[piece[is_fixed]]], self.terms[:, piece[is_fixed]].T)
        piece = piece[~is_fixed]
        others = 1 + self.component[piece], place[self.of_slice[piece]], self.records[piece]
        urn, of_slot, count = (np.r_[x, y] for x, y in zip(slots, others, strict=True))
        return fixed, (urn, of_slot, count)

    def _one_by_one(
        self, kinds: Integers, slots: Slots, chosen: NDArray[np.bool_]
    ) -> tuple[Floats, Integers, Floats, Integers, Integers, Integers, Integers]:
        """These kinds and the slots of the chosen slices as the core draws them."""
        values, group, urn, count = self._kinds
        of_urn, of_slice, number = (x[chosen[slots[1]] & np.isin(slots[0], urn[kinds])] for x in slots)
        kinds = kinds[np.isin(urn[kinds], of_urn)]
        things = np.repeat(kinds, count[kinds])
        urns = np.unique(urn[things])
        ends = np.r_[urns, len(self.influence) + 1]
        return (
            np.ascontiguousarray(values[:, things].T).reshape(-1),
            group[things],
            np.asarray(self.influence),
            np.asarray(np.searchsorted(urn[things], ends)),
            np.asarray(np.searchsorted(of_urn, ends)),
            of_slice,
            number,
        )

    @cached_property
    def _is_pure(self) -> NDArray[np.bool_]:
        """Whether the records of each component are in one slice."""
        return np.asarray(np.bincount(self.component, minlength=len(self.influence)) == 1)

    @cached_property
    def _items(self) -> tuple[Floats, Integers, Integers]:
        """What is exchanged: the sums of each item, its component and its slice.

        Components, if each is in one slice; otherwise clusters of one side, if each is in one slice. If these
        have records of several slices, too, components in one slice; in the others records are.
        """
        counted, cells = self.whole[-1] > 0, self.cells
        if cells is not None and not self._is_pure[counted].all():
            table = cells.table
            for side, sizes in ((table.row, table.row_sizes), (table.column, table.column_sizes)):
                own, clusters = side[cells.cell], len(sizes)
                of_cluster, component = np.zeros(clusters, dtype=np.int64), np.zeros(clusters, dtype=np.int64)
                of_cluster[own], component[own] = cells.slice, cells.components
                if (of_cluster[own] == cells.slice).all():
                    chosen = counted[component]
                    sums = _sums(cells, self.measure, "ends", own, clusters)
                    return sums[:, chosen], component[chosen], of_cluster[chosen]
        chosen = np.flatnonzero(self._is_pure & counted)
        of_component = np.zeros(len(counted), dtype=np.int64)
        of_component[self.component] = self.of_slice
        return self.whole[:, chosen], chosen, of_component[chosen]

    @cached_property
    def _mixed(self) -> tuple[Floats, Integers, Integers]:
        """The sums of a record of each cell, its component and its records, where records are exchanged.

        These are the components with records of several slices, unless their clusters are exchanged. If all
        records of a component are in one cell, an exchange changes nothing.
        """
        cells, is_mixed = self.cells, self.whole[-1] > 0
        is_mixed[self._items[1]] = False
        if cells is None or not is_mixed.any():
            return np.zeros((len(self.sums), 0)), np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
        component = np.zeros(len(cells.table), dtype=np.int64)
        component[cells.cell] = cells.components
        is_mixed &= np.bincount(component, minlength=len(is_mixed)) > 1
        chosen = np.flatnonzero(is_mixed[component])
        chosen = chosen[np.argsort(component[chosen], kind="stable")]
        of_cell = _sums(cells, self.measure, "ends", cells.cell, len(cells.table))
        records = sums_by(cells.cell, cells.records, len(cells.table))[chosen]
        return of_cell[:, chosen] / records, component[chosen], records

    def _roles(self, slots: Slots, slices: int) -> tuple[NDArray[np.int8], NDArray[np.bool_]]:
        """How each kind is drawn if sums are near normal, and for which slices they are.

        The things of the few groups of most influence or size are drawn. The sums of a group with many things
        are normal, but not their squares. Of the other groups, each of which is a small part, both are.
        """
        values, group, urn, count = self._kinds
        size = np.maximum(np.bincount(urn, weights=count), 1)
        own = values[-1] - (np.bincount(urn, weights=values[-1] * count) / size)[urn]
        part = np.maximum(
            np.square(own) / max(np.square(own) @ count, _ROUNDING**2), values[-2] / self.total[-1]
        )
        alone, grouped = np.flatnonzero(group < 0), np.flatnonzero(group >= 0)
        parts, things = (
            np.r_[
                own[alone], np.bincount(group[grouped], weights=own[grouped], minlength=len(self.influence))
            ]
            for own in (part * count, count)
        )
        is_large = things > _MOST_HEAVY // 8
        role = np.zeros(len(parts), dtype=np.int8)
        large = np.flatnonzero(is_large)
        role[large[np.argsort(-parts[large], kind="stable")][:_MOST_LARGE]] = _LARGE
        order = np.argsort(np.where(is_large, 0, -parts), kind="stable")[:_MOST_HEAVY]
        role[order[(np.cumsum(things[order]) <= _MOST_HEAVY) & (parts[order] > 0) & ~is_large[order]]] = (
            _HEAVY
        )
        of_kind = np.empty(len(group), dtype=np.int8)
        of_kind[alone], of_kind[grouped] = role[: len(alone)], role[len(alone) :][group[grouped]]
        is_in_large = of_kind == _LARGE
        skew = np.sum(parts[role == 0] ** 1.5) + np.sum((count * part**1.5)[is_in_large])
        inside = np.bincount(slots[1], weights=slots[2], minlength=slices) / max(float(count.sum()), 1)
        return of_kind, inside * (1 - inside) >= (skew / _MOST_SKEW) ** 2

    def _near_normal(
        self, role: NDArray[np.int8], slots: Slots, chosen: NDArray[np.bool_]
    ) -> Callable[[int, int, np.random.Generator], Floats]:
        """A function that draws the terms of the chosen slices: draws, slices, terms.

        Sums have the means and covariances of drawing without replacement. The share of a group in the
        squares is linear in its things but for a small rest, whose mean is exact.
        """
        values, group, urn, _ = self._kinds
        slices, sums, own = len(chosen), len(self.sums), values[-1]
        whole = np.where(group < 0, own, self.influence[group])
        rows = np.vstack([values[:-1], own * own, own * (whole - own)])
        heavy = np.flatnonzero(role == _HEAVY)
        of_items, of_records = (
            self._one_by_one(heavy[(urn[heavy] > 0) == is_record], slots, chosen)
            for is_record in (False, True)
        )
        # The items of all groups without a role, and of each large one, have one covariance.
        large = np.unique(group[(urn == 0) & (role == _LARGE)]).tolist()
        parts = [rows[:, (urn == 0) & (role == 0)]]
        parts += [values[:-1, (urn == 0) & (group == each)] for each in large]
        items, totals = (
            sum(each.shape[1] for each in parts),
            np.concatenate([each.sum(axis=1) for each in parts]),
        )
        squares = -np.outer(totals, totals) / max(items, 1)
        for each, at in zip(parts, np.cumsum([0, *map(len, parts)]), strict=False):
            squares[at : at + len(each), at : at + len(each)] += each @ each.T
        root, number, n_heavy = _root(squares), slots[2][:slices], len(of_items[1])
        left_over = items + n_heavy - int(number.sum())
        records = self._records(rows, (urn > 0) & (role == 0), slots, slices)
        of_large = [
            (each, *self._records(rows, group == each, slots, slices))
            for each in np.unique(group[(urn > 0) & (role == _LARGE)]).tolist()
        ]

        def drawn(draws: int, seed: int, random: np.random.Generator) -> Floats:
            def normal(means: Floats, roots: Floats) -> Floats:
                z = random.standard_normal((draws, slices, means.shape[-1]))
                return np.asarray(means + np.einsum("dsk,slk->dsl", z, roots))

            terms = normal(*records)
            taken = random.multivariate_hypergeometric(np.r_[number, left_over], n_heavy, size=draws)[:, :-1]
            if n_heavy:
                counts = taken[:, chosen].reshape(-1)
                terms += core.exchanged(*of_items[:-1], counts, slices, draws, seed).reshape(terms.shape)
            if len(of_records[1]):
                terms += core.exchanged(*of_records, slices, draws, seed + 2**63).reshape(terms.shape)
            left = number - taken
            p, both = left / max(items, 1), left * (left - 1) / max(items * (items - 1), 1)
            scale = np.sqrt(p * (1 - p) * items / max(items - 1, 1))[..., None]
            x = p[..., None] * totals + scale * (random.standard_normal((draws, slices, len(root))) @ root.T)
            terms[..., :sums] += x[..., :sums]
            terms[..., -2] += x[..., sums] + 2 * p * x[..., sums + 1] + (both - 2 * p * p) * totals[sums + 1]
            terms[..., -1] += x[..., sums] + x[..., sums + 1]
            of_groups = [(each, normal(means, roots)[..., :sums]) for each, means, roots in of_large]
            each_sum = np.split(x[..., sums + 2 :], max(len(large), 1), axis=-1)
            for each, added in (*of_groups, *zip(large, each_sum, strict=False)):
                moved = added @ self.slopes
                terms[..., :sums] += added
                terms[..., -2] += moved * moved
                terms[..., -1] += moved * self.influence[each]
            return terms

        return drawn

    def _records(
        self, rows: Floats, chosen: NDArray[np.bool_], slots: Slots, slices: int
    ) -> tuple[Floats, Floats]:
        """The means of the terms of each slice over records of these components, and roots of covariances."""
        _, _, urn, count = self._kinds
        urns, first = np.unique(urn[chosen], return_index=True)
        means, covariances = np.zeros((slices, len(rows))), np.zeros((slices, len(rows), len(rows)))
        if not len(urns):
            return means, covariances
        number, rows = count[chosen], rows[:, chosen]
        n, totals = np.add.reduceat(number, first), np.add.reduceat(rows * number, first, axis=1)
        of_urn = np.minimum(np.searchsorted(urns, slots[0]), len(urns) - 1)
        used = urns[of_urn] == slots[0]
        of_urn, of_slice, drawn = of_urn[used], slots[1][used], slots[2][used]
        size = n[of_urn]
        p, both = drawn / size, drawn * (drawn - 1) / (size * (size - 1))

        def by_slice(values: Floats) -> Floats:
            return np.asarray(np.bincount(of_slice, weights=values, minlength=slices), dtype=np.float64)

        for k, row in enumerate(totals):
            means[:, k] = by_slice(p * row[of_urn])
        # of both kinds of squares
        means[:, -2], means[:, -1] = (
            means[:, -2] + by_slice(both * totals[-1][of_urn]),
            means[:, -2] + means[:, -1],
        )
        for j, k in combinations_with_replacement(range(len(rows)), 2):
            of_each = np.add.reduceat(rows[j] * rows[k] * number, first) - totals[j] * totals[k] / n
            covariances[:, j, k] = covariances[:, k, j] = by_slice(
                p * (1 - p) * size / (size - 1) * of_each[of_urn]
            )
        share = by_slice(drawn) / n.sum()
        turn = np.tile(np.eye(len(rows)), (slices, 1, 1))
        turn[:, -2, -1], turn[:, -1, -2] = 2 * share, 1
        return means, turn @ _root(covariances)


def _root(covariance: Floats) -> Floats:
    """A matrix whose square by its transpose is the covariance, or each of several."""
    values, vectors = np.linalg.eigh(covariance)
    return np.asarray(vectors * np.sqrt(np.maximum(values, 0))[..., None, :])
