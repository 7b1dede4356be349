"""Versus: is one system better than another, on the same records and against the same truth?

Both are left without the same record, or the same unit, in turn: what moves both alike does not count. To
swap whole units between the systems asks another way: if it did not matter which system a unit came from,
how often would the difference be as large?
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from concordant.catalogue.index import INDICES, Index
from concordant.counts.conventions import Undefined, check_choice
from concordant.counts.pairs import Pairs, ViewCounts
from concordant.counts.profile import Profile
from concordant.counts.spelling import counted
from concordant.counts.three_way import Units
from concordant.errors import InputError, ParameterError, Remedy, UndefinedError
from concordant.trust.finding import Finding, shown, shown_p, software
from concordant.trust.jackknife import (
    GROUPS,
    Spread,
    element_groups,
    values_without_groups,
    values_without_units,
)
from concordant.trust.leave_one_out import LeftOut, can_leave_out
from concordant.trust.options import check_count, check_level, check_seed
from concordant.trust.paired import PairedCounts
from concordant.trust.tails import (
    log_student_tails,
    log_upper_normal,
    normal_quantile,
    student_quantile,
)

VersusMethod = Literal["jackknife", "swaps"]
DifferenceMethod = Literal["jackknife", "linear", "swaps", "none"]
DifferenceOutcome = Literal["better", "worse", "unclear", "same", ""]
_METHODS = ("jackknife", "swaps")


@dataclass(frozen=True, slots=True, repr=False)
class Difference(Finding):
    """By how much the first of two systems scores more than the second, and how sure that is."""

    index: str
    first: float
    second: float
    difference: float  # first − second
    low: float
    high: float
    se: float
    z: float
    p: float  # two-sided, of no difference
    level: float
    unit: str  # what was drawn
    units: int
    left_out: int  # how many times something was left out: each unit, or groups of them
    method: DifferenceMethod
    swaps: int  # of whole units, where that gave the p-value
    seed: int | None
    note: str
    conventions: str = ""

    @property
    def sentence(self) -> str:
        """The difference, its interval and its p-value, for the population of the units."""
        return (
            f"In {self.index}, the first system scored {signed(self.difference)} against the second on the "
            f"same {counted(self.units, self.unit)} ({self.level * 100:g}% interval {signed(self.low)} to "
            f"{signed(self.high)}; {shown_p(self.p)}; {self.how}; {software()})."
        )

    def _summary(self) -> str:
        note = f"; {self.note}" if self.note else ""
        outcome = f" ({self.outcome})" if self.outcome else ""
        return (
            f"{self.index} {shown(self.first)} against {shown(self.second)}: "
            f"{signed(self.difference)}{outcome}, {self.level * 100:g}% interval {signed(self.low)} to "
            f"{signed(self.high)}, {shown_p(self.p)} ({self.how}{note})"
        )

    @property
    def outcome(self) -> DifferenceOutcome:
        """Whether the first is "better" or "worse"; "unclear" if the interval contains 0 or p > 1 − level.

        Equal values are the "same"; an index without a direction gives "".
        """
        is_clear = not self.low <= 0 <= self.high and self.p <= 1 - self.level
        return outcome_of(INDICES[self.index], self.difference, is_clear=is_clear)

    def to_dict(self) -> dict[str, Any]:
        """Every field and the outcome; numbers that are not finite become None."""
        return {**Finding.to_dict(self), "outcome": self.outcome}

    @property
    def how(self) -> str:
        """What was drawn, and how the spread was found."""
        drawn = counted(self.units, self.unit)
        if self.left_out != self.units and self.method != "linear":
            drawn += f" in {self.left_out} groups, seed {self.seed}"
        if self.method == "jackknife":
            return f"paired jackknife of {drawn}"
        if self.method == "swaps":
            return f"p by {self.swaps:,} swaps of whole units, seed {self.seed}; paired jackknife of {drawn}"
        return f"paired, {drawn}"


def outcome_of(index: Index, difference: float, *, is_clear: bool) -> DifferenceOutcome:
    """A difference in one word, by the direction of the index."""
    if index.direction not in ("similarity", "distance") or math.isnan(difference):
        return ""
    if not difference:
        return "same"
    if not is_clear:
        return "unclear"
    return "better" if (difference > 0) == (index.direction == "similarity") else "worse"


def signed(value: float) -> str:
    """A difference as a sentence has it.

    >>> signed(0.01234), signed(-0.5), signed(0.0)
    ('+0.0123', '-0.5000', '0')
    """
    return f"+{shown(value)}" if value > 0 else shown(value)


def versus(
    paired: PairedCounts,
    index: Index,
    *,
    undefined: Undefined = "convention",
    unit: Any = "record",
    level: float = 0.95,
    method: VersusMethod = "jackknife",
    swaps: int = 9999,
    seed: int = 0,
) -> Difference:
    """By how much the first scores more than the second."""
    check_level(level)
    check_choice("method", method, _METHODS)
    check_count("swaps", swaps)
    check_seed(seed)
    by_record = isinstance(unit, str) and unit == "record"
    if by_record and method == "swaps":
        raise ParameterError(
            "whole units are swapped, such as documents; the labels of two systems have nothing to do with "
            "each other, so that single records cannot be swapped",
            given={"method": method},
            remedies=[Remedy("name the unit of each record", unit=...)],
        )
    profiles = paired.profiles
    if profiles[0].size < 2:
        raise InputError("a difference needs at least 2 elements")
    values = tuple(index.value(profile, undefined) for profile in profiles)
    if not all(map(math.isfinite, values)):
        raise UndefinedError(f"{index.name} is not defined for these partitions: there is no difference")
    if by_record:
        spread, one_by_one = _spread_of_records(paired, profiles, index, seed)
        degrees = None if one_by_one else spread.parts - 1
        name, units = "record", profiles[0].size
    else:
        cells, pieces = paired.cells, paired.pieces(unit)
        both = pieces.in_table(cells.cell_of_first), pieces.in_table(cells.cell_of_second)
        name, units = "unit", pieces.count
        if units < 2:
            raise InputError("all records lie in one unit: how units vary cannot be told from one")
        of_each = [
            values_without_units(profile, index, own, seed)
            for profile, own in zip(profiles, both, strict=True)
        ]
        spread = Spread.of(index.name, np.subtract(of_each[0], of_each[1]))
        degrees = spread.parts - 1
    found = difference_of(
        index.name,
        (values[0], values[1]),
        spread.se,
        level=level,
        degrees=degrees,
        unit=name,
        units=units,
        left_out=spread.parts,
        method="jackknife",
        seed=seed if spread.parts != units else None,
    )
    if method == "jackknife":
        return found
    p = swapped_share(profiles, both, index, swaps, seed)
    return replace(found, p=p, method="swaps", swaps=swaps, seed=seed)


def _spread_of_records(
    paired: PairedCounts, profiles: tuple[Profile, Profile], index: Index, seed: int
) -> tuple[Spread, bool]:
    """The spread of the difference when records are left out, and whether one by one."""
    cells = paired.cells
    of_cells = cells.cell_of_first, cells.cell_of_second
    if can_leave_out(index):
        without = []  # the value without an element of each cell
        for profile, which in zip(profiles, of_cells, strict=True):
            left = LeftOut(profile, index)
            values = np.fromiter((index.value(rest, "nan") for rest in left), dtype=np.float64)
            without.append(values[left.kind_of_cells][which])
        return Spread.of(index.name, without[0] - without[1], cells.n.tolist()), True
    groups = element_groups(cells.n, cells.size, seed)
    of_each = [
        values_without_groups(profile.table, index, which, groups)
        for profile, which in zip(profiles, of_cells, strict=True)
    ]
    return Spread.of(index.name, np.subtract(of_each[0], of_each[1])), cells.size <= GROUPS


def difference_of(
    index: str,
    values: tuple[float, float],
    se: float,
    *,
    level: float,
    degrees: int | None,
    unit: str,
    units: int,
    left_out: int | None = None,
    method: DifferenceMethod = "linear",
    seed: int | None = None,
) -> Difference:
    """The difference of two values with this standard error; without degrees of freedom by the normal law."""
    first, second = values
    difference = first - second
    note = ""
    if se == 0:
        z, p, half, method = math.nan, float(difference == 0), 0.0, "none"
        note = "both do the same" if difference == 0 else f"leaving out a {unit} changes nothing"
    else:
        z = difference / se
        if degrees is None:
            p = min(2 * math.exp(log_upper_normal(abs(z))), 1.0)
        else:
            p = math.exp(log_student_tails(abs(z), degrees))
        half = se * (normal_quantile(level) if degrees is None else student_quantile(level, degrees))
    return Difference(
        index=index,
        first=first,
        second=second,
        difference=difference,
        low=difference - half,
        high=difference + half,
        se=se,
        z=z,
        p=p,
        level=level,
        unit=unit,
        units=units,
        left_out=units if left_out is None else left_out,
        method=method,
        swaps=0,
        seed=seed,
        note=note,
    )


UnitCounts = NDArray[np.int64]  # what each unit adds to each count: one row a unit
Value = Callable[[list[int]], float]  # of the counts of all units together
_CHUNK = 512
# A float that misses the observed difference by no more than this reaches it.
_ROUNDING = 1e-12


def swapped_share(
    profiles: tuple[Profile, Profile], units: tuple[Units, Units], index: Index, swaps: int, seed: int
) -> float:
    """p = (1 + as large a difference) / (1 + swaps)."""
    for profile, own in zip(profiles, units, strict=True):
        table = profile.table
        for clusters in (table.row[own.cell], table.column[own.cell]):
            pairs = np.unique(own.unit * (int(clusters.max(initial=0)) + 1) + clusters)
            if len(pairs) > int(clusters.max(initial=-1)) + 1:
                raise InputError(
                    "a cluster lies in several units, so that units cannot be swapped: its parts would come "
                    "from both systems; the jackknife takes such units, swaps take those that hold whole "
                    "clusters"
                )
    if index.views == (Pairs,):
        value, first, second = _of_pairs(profiles, units, index)
    elif can_leave_out(index):
        value, first, second = _of_triples(profiles, units, index)
    else:
        raise ParameterError(
            f"{index.name} is more than sums over units, so that units cannot be swapped; use "
            "method='jackknife'"
        )
    one, both = first.sum(axis=0), (first + second).sum(axis=0)
    observed = abs(value(one.tolist()) - value((both - one).tolist()))
    random = np.random.default_rng(seed)
    reached = 0
    for start in range(0, swaps, _CHUNK):
        chosen = random.random((min(_CHUNK, swaps - start), len(first))) < 0.5
        mixed = one + chosen.astype(np.int64) @ (second - first)
        for here, there in zip(mixed.tolist(), (both - mixed).tolist(), strict=True):
            reached += abs(value(here) - value(there)) >= observed - _ROUNDING
    return (1 + reached) / (1 + swaps)


def _of_pairs(
    profiles: tuple[Profile, Profile], units: tuple[Units, Units], index: Index
) -> tuple[Value, UnitCounts, UnitCounts]:
    """N₁₁ and the pairs together on each side."""
    made = []
    for profile, own in zip(profiles, units, strict=True):
        table, unit = profile.table, _unit_of_cells(profile, own)
        of_row, of_column = (np.zeros(len(s), dtype=np.int64) for s in (table.row_sizes, table.column_sizes))
        of_row[table.row], of_column[table.column] = unit, unit
        pairs = np.zeros((own.count, 3), dtype=np.int64)
        sides = (table.n, unit), (table.row_sizes, of_row), (table.column_sizes, of_column)
        for place, (sizes, where) in enumerate(sides):
            np.add.at(pairs[:, place], where, sizes * (sizes - 1) // 2)
        made.append(pairs)
    size = profiles[0].size
    every = size * (size - 1) // 2

    def value(counts: list[int]) -> float:
        n11, u, v = counts
        return index.value(ViewCounts.of_pairs(Pairs(n11, u - n11, v - n11, every - u - v + n11, size)))

    return value, made[0], made[1]


def _unit_of_cells(profile: Profile, units: Units) -> NDArray[np.int64]:
    unit = np.zeros(len(profile.table), dtype=np.int64)
    unit[units.cell] = units.unit
    return unit


def _of_triples(
    profiles: tuple[Profile, Profile], units: tuple[Units, Units], index: Index
) -> tuple[Value, UnitCounts, UnitCounts]:
    """How many cells of each triple."""
    tables = [profile.table for profile in profiles]
    every = np.concatenate([np.stack([t.n, t.a, t.b], axis=1) for t in tables])
    triples, kind = np.unique(every, axis=0, return_inverse=True)
    kinds = np.split(np.asarray(kind).ravel(), [len(tables[0])])
    made = []
    for profile, of, own in zip(profiles, units, kinds, strict=True):
        cells = np.zeros((of.count, len(triples)), dtype=np.int64)
        np.add.at(cells, (_unit_of_cells(profile, of), own), 1)
        made.append(cells)
    n, a, b = triples.T
    size = profiles[0].size

    def value(counts: list[int]) -> float:
        count = np.array(counts, dtype=np.int64)
        met = count > 0
        return index.value(Profile(n[met], a[met], b[met], count[met], size=size))

    return value, made[0], made[1]
