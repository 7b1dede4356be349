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
_HEAVY, _LARGE = 1, 2  # roles of components, see _roles
_MOST_HEAVY, _MOST_LARGE = 2_000, 8  # things and groups
_MOST_SKEW, _LITTLE_SKEW = 0.05, 0.02  # of a sum that is drawn as normal, and that needs no more things drawn
_EQUAL_SIZES = 16  # components from here on are of about equal size within a factor of two
_SEEDS = 2**48  # of the draws of one stratum
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
DrawTerms = Callable[[int, int, np.random.Generator], Floats]  # draws, seed -> terms, slices, draws
# The columns of each slice in the table of the core, before its terms and those that no exchange changes.
_COLUMNS = (
    *("in_components", "squared_shares", "largest_share", "squared_moves", "counted_components"),
    *("mixed_components", "losses", "squared_losses", "rest_losses", "squared_rest_losses", "items"),
    "drawn_records",
)
UrnArrays = tuple[Floats, Integers, Floats, Integers, Integers, Integers, Integers]  # see core.exchanged
_NO_CLUSTERS = np.zeros(0, dtype=np.int64)
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
    if not slices:
        return []
    values = _sums(cells, measure) / cells.kinds.records
    pieces = cells.cell, cells.slice, cells.kinds.number, cells.records
    exchange = Exchange(pieces, values, cells.components, cells.table.row, cells.table.column)
    shown = exchange
    if reading != "ends" and measure in PAIR_RATIOS:
        component = cells.components[cells.cell]
        group, first = core.factorize(cells.slice * len(cells.table) + component)
        pairs = cells.pairs(reading, group, len(first))
        shown = Exchange.of_groups(_ratio(cells, measure, pairs), component[first], cells.slice[first])
    tests = [exchange.compared(shown.alone(number, confidence), number) for number in slices]
    tested = [number for each, number in zip(tests, slices, strict=True) if each.difference is not None]
    p = exchange.p_values(tested)
    return [replace(each, p_uncorrected=p.get(number)) for each, number in zip(tests, slices, strict=True)]


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
    """The change of each value with its sums, so the influence of a component is linear in its sums; rows."""
    y = np.where(sums[:, -1] > 0, sums[:, -1], np.inf)
    if sums.shape[1] == 2:
        return np.column_stack([1 / y, -sums[:, 0] / y / y])
    p, q = sums[:, 0] / y, sums[:, 1] / y
    by_p, by_q = (2 * other**2 / np.maximum(p + q, _ROUNDING) ** 2 for other in (q, p))
    return np.column_stack([by_p, by_q, -(by_p * p + by_q * q)]) / y[:, None]


@dataclass(frozen=True, slots=True)
class SizeStratum:
    """Components whose items are exchanged with each other."""

    chosen: NDArray[np.bool_]
    number: Integers  # of the items of each slice


class Exchange:
    """Slices exchanged between components, or between clusters or records of those with several slices."""

    def __init__(
        self,
        pieces: tuple[Integers, Integers, Integers, Integers],
        values: Floats,
        component: Integers,
        row: Integers = _NO_CLUSTERS,
        column: Integers = _NO_CLUSTERS,
    ) -> None:
        """From the cell, slice, kind and records of each piece, and the sums of a record of each kind."""
        cell, of_slice, kind, records, own_component, rows, columns = map(
            np.ascontiguousarray, (*pieces, component, row, column)
        )
        self._components = core.slice_components(
            cell, of_slice, kind, records, values.T.reshape(-1), len(values), own_component, rows, columns
        )
        self._number = int(own_component.max(initial=-1)) + 1
        own = self._components.slice_sums().reshape(-1, len(values))
        self.total = own.sum(axis=0)
        self._slopes, *slopes = _slopes(np.vstack([self.total, own]))
        table, totals = self._components.table(self._slopes, np.ravel(slopes))
        *self._losses, self._squares, counted = totals.tolist()
        columns = table.reshape(len(own), -1).T
        self._table = dict(zip(_COLUMNS, columns, strict=False))
        terms = columns[len(_COLUMNS) :]
        self._terms, self._fixed = terms[: len(terms) // 2], terms[len(terms) // 2 :]
        self._counted = int(counted)
        self._strata = self._strata_of(own_component[cell], of_slice, records)

    def _strata_of(self, component: Integers, of_slice: Integers, records: Integers) -> list[SizeStratum]:
        """Components whose items are exchanged with each other, from those of the pieces.

        If records of one component are drawn for several slices, slices may belong to records. Then a small
        component is in one slice more often than a large one, and in another slice than a large one, so only
        components of about equal size are exchanged.
        """
        every = np.ones(self._number, dtype=bool)
        items = self._table["items"].astype(np.int64)
        slices = np.zeros(self._number, dtype=np.int64)
        slices[component] = of_slice
        is_whole = every.copy()
        is_whole[component[slices[component] != of_slice]] = False
        has_items = is_whole & (self._components.whole()[len(self.total) - 1 :: len(self.total)] > 0)
        if is_whole.all() or items.sum() != has_items.sum():  # the latter: clusters are exchanged
            return [SizeStratum(every, items)]
        sizes = sums_by(component, records, self._number)
        doublings = np.log2(np.maximum(sizes, 1)).astype(np.int64)
        kind = np.where(sizes < _EQUAL_SIZES, sizes, _EQUAL_SIZES + doublings)
        kind[~has_items] = -1
        chosen = [kind == each for each in np.unique(kind[has_items])]
        return [SizeStratum(each, np.bincount(slices[each], minlength=len(items))) for each in chosen]

    @classmethod
    def of_groups(cls, sums: Floats, component: Integers, of_slice: Integers) -> Exchange:
        """From the sums of each group: the records of a component in a slice."""
        every = np.arange(len(component))
        return cls((every, of_slice, every, np.ones_like(every)), sums, component)

    def alone(self, number: int, confidence: float) -> SliceTest:
        """A slice by itself: its interval over components of unequal size, as for units of a caller."""
        table, sums = self._table, self._terms[:-2, number]
        components = int(table["in_components"][number])
        if not components:
            return SliceTest(None, None, None, None, 0, 0.0, UNDEFINED)
        value, largest = float(_value(sums)), float(table["largest_share"][number] / sums[-1])
        effective = float(sums[-1] ** 2 / table["squared_shares"][number])
        if components == 1:
            return SliceTest(None, None, None, None, components, effective)
        is_low = value < 0.5
        se = math.sqrt(components / (components - 1) * float(table["squared_moves"][number]))
        found = LeaveOneOut(
            value=value,
            se=se,
            degrees=max(effective - 1, 1.0),
            worst=value * largest / (1 + largest),
            gain=(1 - value) * largest / (1 + largest) if se == 0 or is_low else 0.0,
            always=is_low,
        ).interval(confidence)
        return SliceTest(None, found.low, found.high, None, components, effective)

    def compared(self, alone: SliceTest, number: int) -> SliceTest:
        """A slice with its difference from the rest, or why there is none."""
        if alone.note:
            return alone
        own, table = self._terms[-3, number], self._table
        if not self.total[-1] - own > _ROUNDING * self.total[-1]:
            return replace(alone, note=NO_REST)
        # Only the components of the slice have another loss in the rest.
        all_losses, all_squares = self._losses
        loss = all_losses - table["losses"][number] + table["rest_losses"][number]
        squares = all_squares - table["squared_losses"][number] + table["squared_rest_losses"][number]
        has_enough = loss**2 >= _ENOUGH_ERRORS * squares > _ROUNDING * all_squares
        difference = float(self._statistics(self._terms[:, number])[0])
        return replace(alone, difference=difference, note="" if bool(has_enough) else FEW_ERRORS)

    def _statistics(self, terms: Floats) -> tuple[Floats, Floats]:
        """The differences from the rest, and these by their standard errors; 0 where nothing varies."""
        sums, squares, products = terms[:-2], terms[-2], terms[-1]
        total = self.total.reshape(-1, *[1] * (sums.ndim - 1))
        share = sums[-1] / total[-1]
        moves = squares - 2 * share * products + share**2 * self._squares
        with np.errstate(invalid="ignore", divide="ignore"):
            differences = _value(sums) - _value(total - sums)
            t = differences * share * (1 - share) / np.sqrt(moves)
        return differences, np.where(np.isfinite(t) & (moves > _ROUNDING**2), t, 0.0)

    def p_values(self, slices: Sequence[int]) -> dict[int, float]:
        """The p-value of each of these slices."""
        found: dict[int, float] = {}
        drawn, limits = [], []
        for number in slices:
            t = float(self._statistics(self._terms[:, number])[1])
            limit = t + 1e-9 * (1 + abs(t))
            listed = self._listed(number)
            if listed is None:
                drawn.append(number)
                limits.append(limit)
            else:
                found[number] = float(np.mean(self._statistics(listed)[1] <= limit))
        # In rounds, whose numbers of draws do not depend on what is drawn. A slice that enough draws reached
        # keeps its p, and only those with a small p take part in all rounds, so p is valid.
        reached, draws = np.zeros(len(drawn)), np.zeros(len(drawn), dtype=np.int64)
        most, made = max(_DRAWS, _DRAWS_PER_SLICE * len(drawn)), 0
        while made < most and len(left := np.flatnonzero(reached < _ENOUGH_REACHED)):
            for terms in self._draws(np.array(drawn)[left], made, most):
                reached[left] += (self._statistics(terms)[1] <= np.array(limits)[left, None]).sum(axis=1)
                draws[left] += terms.shape[2]
            made = int(draws.max())
        shares = ((1 + reached) / (1 + draws)).tolist()
        return found | dict(zip(drawn, shares, strict=True))

    def _listed(self, number: int) -> Floats | None:
        """The terms of every choice of as many components; None if there are too many, or some are mixed."""
        inside = int(self._table["counted_components"][number])
        few = min(inside, self._counted - inside)
        if len(self._strata) > 1 or self._table["mixed_components"][number]:
            return None
        if few and self._counted > _MOST_LISTED:
            return None
        if math.comb(self._counted, few) > _MOST_LISTED:
            return None
        whole = self._components.whole().reshape(-1, len(self.total)).T
        squares = np.square(self._slopes @ whole)
        terms = np.vstack([whole, squares, squares])[:, whole[-1] > 0]
        choices = np.array(list(combinations(range(self._counted), few)), dtype=np.int64)
        chosen: Floats = terms[:, choices].sum(axis=2)
        return chosen if few == inside else terms.sum(axis=1)[:, None] - chosen

    def _draws(self, slices: Integers, made: int, most: int) -> Iterator[Floats]:
        """A round of random exchanges: the terms of these slices, in chunks: terms, slices, draws.

        ``made`` is the number of draws of earlier rounds, and ``most`` that of all.
        """
        wanted = min(most, 4 * made + 3 if made else _DRAWS) - made
        inside, is_normal = self._inside[slices], np.zeros(len(slices), dtype=bool)
        if inside.sum() * wanted > _MOST_PICKS:
            share = inside / self._inside.sum()
            is_normal = share * (1 - share) >= (self._roles[1] / _MOST_SKEW) ** 2
        picks = int(inside[~is_normal].sum()) + (_MOST_HEAVY if is_normal.any() else 0)
        draws = wanted if made else min(wanted, max(_FEWEST_DRAWS, _MOST_PICKS // max(picks, 1)))
        size, random = max(_NUMBERS // len(slices), 1), np.random.default_rng(made)
        parts = []
        if not is_normal.all():
            parts.append((~is_normal, self._one_by_one(slices[~is_normal])))
        if is_normal.any():
            parts.append((is_normal, self._near_normal(slices[is_normal])))
        for start in range(made, made + draws, size):
            number = min(size, made + draws - start)
            terms = np.empty((len(self._fixed), len(slices), number))
            for chosen, drawn in parts:
                terms[:, chosen] = drawn(number, start, random)
            yield terms + self._fixed[:, slices, None]

    @cached_property
    def _inside(self) -> Floats:
        """The number of things that an exchange puts into each slice: items, and records of components."""
        return np.asarray(self._table["items"] + self._table["drawn_records"])

    def _urns(self, chosen: NDArray[np.bool_], slices: Integers, number: Integers | None = None) -> UrnArrays:
        """What the core draws of these components for slices: so many items, or records if none."""
        place = np.full(len(self._inside), -1)
        place[slices] = np.arange(len(slices))
        counts = np.zeros_like(place) if number is None else number
        return self._components.urns(chosen, place, counts, number is not None)

    def _one_by_one(self, slices: Integers) -> DrawTerms:
        """A function that draws every thing of these slices."""
        of_records = self._urns(np.ones(self._number, dtype=bool), slices)
        of_items = [self._urns(each.chosen, slices, each.number) for each in self._strata]

        def drawn(draws: int, seed: int, random: np.random.Generator) -> Floats:  # noqa: ARG001  (one of two)
            terms = self._exchanged(of_records, len(slices), draws, seed + 2**63)
            for place, urns in enumerate(of_items):
                terms = terms + self._exchanged(urns, len(slices), draws, seed + _SEEDS * place)
            return terms

        return drawn

    def _exchanged(self, urns: UrnArrays, slices: int, draws: int, seed: int) -> Floats:
        terms = len(self._fixed)
        if not len(urns[1]):
            return np.zeros((terms, slices, draws))
        return core.exchanged(*urns, slices, draws, seed).reshape(draws, slices, terms).T

    @cached_property
    def _roles(self) -> tuple[NDArray[np.int8], float]:
        """How each component is drawn if sums are near normal, and the skew of what is drawn as normal.

        The things of the few components of most influence or size are drawn, as many as the skew asks for.
        The sums of one with many things are normal, but not their squares. Of the others, each of which is a
        small part, both are.
        """
        count, part, skew = self._components.parts()
        part = part**1.5
        order = np.argpartition(-part, min(_MOST_HEAVY + _MOST_LARGE, len(part)) - 1)
        order = order[: _MOST_HEAVY + _MOST_LARGE]
        order = order[np.argsort(-part[order], kind="stable")]
        is_large = count[order] > _MOST_HEAVY // 8
        things = np.cumsum(np.where(is_large, 0, count[order]))
        are_few = np.where(is_large, np.cumsum(is_large) <= _MOST_LARGE, things <= _MOST_HEAVY)
        has_role = are_few & (part[order] > 0)
        less = np.where(has_role, part[order] - np.where(is_large, skew[order], 0), 0)
        skews = float(part.sum()) - np.cumsum(np.r_[0, less])
        share = self._inside / max(self._inside.sum(), 1)
        enough = _LITTLE_SKEW * math.sqrt(np.min(share * (1 - share)))
        number = int(np.argmax(skews <= enough)) if (skews <= enough).any() else len(order)
        role = np.zeros(len(part), dtype=np.int8)
        role[order[:number]] = np.where(has_role, np.where(is_large, _LARGE, _HEAVY), 0)[:number]
        return role, float(skews[number])

    def _moments(self, chosen: NDArray[np.bool_]) -> tuple[float, Floats, Floats, Floats]:
        """The number of items of these components, their totals and products, and moments of each slice."""
        items, records = self._components.moments(chosen)
        terms = len(self._fixed)
        return (
            float(items[0]),
            items[1 : 1 + terms],
            items[1 + terms :].reshape(terms, terms),
            records.reshape(len(self._inside), -1),
        )

    @cached_property
    def _normal_items(self) -> list[tuple[float, Floats, Floats, list[int]]]:
        """What is drawn as normal in each stratum: items, totals, a root of covariances, large components.

        The items of all components without a role, and of each large one, have one covariance.
        """
        sums, small, found = len(self.total), self._roles[0] == 0, []
        for stratum in self._strata:
            parts = [self._moments(small & stratum.chosen)[:3]]
            own = [(each, known) for each, known in self._large if stratum.chosen[each] and known[0]]
            parts += [(n, t[:sums], p[:sums, :sums]) for _, (n, t, p, _) in own]
            items = sum(each[0] for each in parts)
            totals = np.concatenate([each[1] for each in parts])
            squares = -np.outer(totals, totals) / max(items, 1)
            ends = np.cumsum([len(each[1]) for each in parts])
            for (_, _, products), end in zip(parts, ends, strict=True):
                squares[end - len(products) : end, end - len(products) : end] += products
            found.append((items, totals, _root(squares), [each for each, _ in own]))
        return found

    @cached_property
    def _large(self) -> list[tuple[int, tuple[float, Floats, Floats, Floats]]]:
        """The large components and their moments."""
        role = self._roles[0]
        every = np.arange(len(role))
        return [(each, self._moments(every == each)) for each in np.flatnonzero(role == _LARGE).tolist()]

    @cached_property
    def _normal_records(self) -> tuple[Floats, Floats, list[tuple[int, Floats, Floats]]]:
        """The means of the terms of each slice, roots of their covariances, and those of large components."""
        sums, terms = len(self.total), len(self._fixed)

        def split(moments: Floats) -> tuple[Floats, Floats, Floats, Floats]:
            covariances = moments[:, 2 + terms :].reshape(-1, terms, terms)
            return moments[:, 0], moments[:, 1], moments[:, 2 : 2 + terms].copy(), covariances

        drawn, pairs, means, covariances = split(self._moments(self._roles[0] == 0)[3])
        # The squares of groups are those of their things, and twice their share of the products of two.
        means[:, -2], means[:, -1] = means[:, -2] + pairs, means[:, -2] + means[:, -1]
        turn = np.tile(np.eye(terms), (len(means), 1, 1))
        turn[:, -2, -1], turn[:, -1, -2] = 2 * drawn / max(drawn.sum(), 1), 1
        large = [(each, *split(found[3])[2:]) for each, found in self._large if not found[0]]
        return (
            means,
            turn @ _root(covariances),
            [(each, mean[:, :sums], _root(own[:, :sums, :sums])) for each, mean, own in large],
        )

    def _near_normal(self, slices: Integers) -> DrawTerms:
        """A function that draws the terms of these slices.

        Sums have the means and covariances of drawing without replacement. The share of a component in the
        squares is linear in its things but for a small rest, whose mean is exact.
        """
        heavy, sums = self._roles[0] == _HEAVY, len(self.total)
        of_records = self._urns(heavy, slices)
        influence = of_records[2]
        strata = [
            (each.number[slices], self._urns(heavy & each.chosen, slices, each.number), *normal)
            for each, normal in zip(self._strata, self._normal_items, strict=True)
        ]
        means, roots, of_large = self._normal_records

        def normal(random: np.random.Generator, draws: int, means: Floats, roots: Floats) -> Floats:
            z = random.standard_normal((len(slices), means.shape[1], draws))
            return np.asarray(means[slices, :, None] + roots[slices] @ z).swapaxes(0, 1)

        def drawn(draws: int, seed: int, random: np.random.Generator) -> Floats:
            terms = self._exchanged(of_records, len(slices), draws, seed + 2**63)
            added = [(each, normal(random, draws, *own)) for each, *own in of_large]
            if of_large or means.any():
                terms += normal(random, draws, means, roots)
            for place, (number, of_items, items, totals, root, large) in enumerate(strata):
                n_heavy = len(of_items[1])
                colors = np.r_[number, int(items) + n_heavy - int(number.sum())]
                taken = random.multivariate_hypergeometric(colors, n_heavy, size=draws)[:, :-1]
                if n_heavy:
                    counts = taken[:, of_items[5]].reshape(-1)  # in the order of the slots
                    urns = *of_items[:-1], counts
                    terms += self._exchanged(urns, len(slices), draws, seed + _SEEDS * place)
                left = (number - taken).T
                p, both = left / max(items, 1), left * (left - 1) / max(items * (items - 1), 1)
                scale = np.sqrt(p * (1 - p) * items / max(items - 1, 1))
                z = random.standard_normal((len(root), left.size))
                x = p * totals[:, None, None] + scale * (root @ z).reshape(-1, *left.shape)
                terms[:sums] += x[:sums]
                terms[-2] += x[sums] + 2 * p * x[sums + 1] + (both - 2 * p * p) * totals[sums + 1]
                terms[-1] += x[sums] + x[sums + 1]
                added += zip(large, x[sums + 2 :].reshape(-1, sums, *left.shape), strict=True)
            for each, own in added:
                moved = np.tensordot(self._slopes, own, 1)
                terms[:sums] += own
                terms[-2] += moved * moved
                terms[-1] += moved * influence[each]
            return terms

        return drawn


def _root(covariance: Floats) -> Floats:
    """A matrix whose square by its transpose is the covariance, or each of several."""
    values, vectors = np.linalg.eigh(covariance)
    return np.asarray(vectors * np.sqrt(np.maximum(values, 0))[..., None, :])
