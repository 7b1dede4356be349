"""Exact arithmetic on counts: integers of any size, fractions, and correctly rounded roots."""

from __future__ import annotations

import math
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from concordant import core

Number = float | int | Fraction
AnArray = TypeVar("AnArray", bound=NDArray[Any])

# A sum of fractions; some are floats at run time if they have too many denominators. Both support the same
# arithmetic.
Sum = Fraction


# int64 where no sum can overflow, otherwise dtype object holding Python integers.
Integers = NDArray[Any]
Floats = NDArray[np.float64]


# Sums over the elements of one size stay below 2**62 up to here, see Profile.total.
_INT64_SIZE = 2**31


# Up to this many different denominators an exact sum of fractions is cheap.
FEW_DENOMINATORS = 200

# With more, each fraction is cut off after this many digits of this many bits.
_FRACTION_BITS = 128


def product_sum(n: Any, count: Any) -> int:
    if isinstance(n, np.ndarray) and n.dtype == np.int64 and float(n @ count.astype(float)) < 2**62:
        return int(n @ count)
    return sum(int(x) * int(y) for x, y in zip(n, count, strict=True))


def as_integers(values: Any, size: int) -> Integers:
    if size < _INT64_SIZE:
        return np.asarray(values, dtype=np.int64)
    if isinstance(values, np.ndarray):
        return values.astype(object)
    return np.array([int(x) for x in values], dtype=object)


def fitting(values: Integers, most: int, bits: int = 62) -> Integers:
    """The values in a type for products and sums up to ``most``: int64 if this has so few bits."""
    return values.astype(np.int64 if most < 2**bits else object, copy=False)


def read_only(array: AnArray) -> AnArray:
    """A read-only view of the array; the original stays writeable.

    >>> read_only(np.array([1, 2])).flags.writeable
    False
    """
    view = array.view()
    view.flags.writeable = False
    return view


def sums_by(group: Integers, values: Integers, groups: int | None = None) -> Integers:
    """Sum of the values in each group 0..groups-1, exact for int64 and for Python integers."""
    if values.dtype == np.int64:
        numbers = np.ascontiguousarray(group, dtype=np.int64)
        return core.group_sums(numbers, np.ascontiguousarray(values), groups or 0)
    if groups is None:
        groups = int(group.max()) + 1 if len(group) else 0
    sums = np.zeros(groups, dtype=values.dtype)
    np.add.at(sums, group, values)
    return sums


def counted_alike(
    keys: tuple[Integers, Integers, Integers], count: Integers
) -> tuple[Integers, Integers, Integers, Integers]:
    """The distinct combinations of three keys, in order, each with the sum of its counts."""
    bounds = [int(key.max()) + 1 if len(key) else 1 for key in keys]
    if bounds[0] * bounds[1] * bounds[2] < 2**62:
        packed = ((keys[0] * bounds[1] + keys[1]) * bounds[2] + keys[2]).astype(np.int64)
        order = np.argsort(packed, kind="stable")
        changes = np.diff(packed[order], prepend=-1) != 0
    else:
        order = np.lexsort(keys[::-1])
        changes = np.zeros(len(order), dtype=bool)
        for key in keys:
            changes |= np.diff(key[order], prepend=-1) != 0
    first = order[changes]
    sums = sums_by(np.cumsum(changes) - 1, count[order], len(first))
    return keys[0][first], keys[1][first], keys[2][first], sums


def sum_of_ratios(
    numerators: Integers, denominators: Integers, exact: bool, factors: Integers | None = None
) -> Sum:
    """Σ factor · numerator / denominator, exact where there are few denominators or ``exact`` asks for it.

    Otherwise each term is cut off after so many bits that no value that is rounded to a float changes.
    """
    if factors is not None:
        most = int(factors.sum()) * int(np.abs(numerators).max(initial=0))
        if most < 2**62:
            numerators, factors = factors * numerators, None
        elif exact or object in (factors.dtype, numerators.dtype, denominators.dtype):
            numerators, factors = factors.astype(object) * numerators, None
    sums: dict[int, int] = {}  # by denominator
    if object in (numerators.dtype, denominators.dtype):
        for x, y in zip(numerators.tolist(), denominators.tolist(), strict=True):
            sums[y] = sums.get(y, 0) + x
    elif factors is None and (
        exact or len(np.unique(denominators[: 5 * FEW_DENOMINATORS])) <= FEW_DENOMINATORS
    ):
        distinct, which = distinct_sizes(denominators)
        if exact or len(distinct) <= FEW_DENOMINATORS:
            of_each = sums_by(which, numerators, len(distinct))
            sums = dict(zip(distinct.tolist(), of_each.tolist(), strict=True))
    if len(sums) > FEW_DENOMINATORS and not exact:
        bits = _FRACTION_BITS + max(sums).bit_length()  # weights may have any scale
        return Fraction(sum((x << bits) // y for y, x in sums.items()), 1 << bits)
    if sums or not len(numerators):
        terms = list(sums.items())
        chunks = [terms[i : i + FEW_DENOMINATORS] for i in range(0, len(terms), FEW_DENOMINATORS)]
        parts = [_over_one_denominator(chunk) for chunk in chunks]
        while len(parts) > 1:  # in pairs: few sums have a large denominator
            parts = [sum(parts[i : i + 2], Fraction(0)) for i in range(0, len(parts), 2)]
        return parts[0] if parts else Fraction(0)
    above, below = np.ascontiguousarray(numerators), np.ascontiguousarray(denominators)
    times = None if factors is None else np.ascontiguousarray(factors)
    return Fraction(core.ratio_sum(above, below, times), 1 << _FRACTION_BITS)


def _over_one_denominator(terms: Sequence[tuple[int, int]]) -> Fraction:
    """The sum of a few ratios, given by their denominators and numerators."""
    whole = math.lcm(*[y for y, _ in terms])
    return Fraction(sum([x * (whole // y) for y, x in terms]), whole)


def distinct_sizes(sizes: Integers) -> tuple[Integers, Integers]:
    """The distinct sizes, ascending, and the position of each size among them; small ones need no sorting."""
    if sizes.dtype != np.int64 or sizes.max(initial=0) > len(sizes) or sizes.min(initial=0) < 0:
        return np.unique(sizes, return_inverse=True)
    present = np.bincount(sizes) > 0
    return np.flatnonzero(present), (np.cumsum(present) - 1)[sizes]


def size_counts(sizes: Integers) -> Counter[int]:
    """How many clusters have each size; those without records do not count.

    >>> size_counts(np.array([2, 0, 1, 2]))
    Counter({2: 2, 1: 1})
    """
    size, many = np.unique(sizes[sizes > 0], return_counts=True)
    return Counter(dict(zip(size.tolist(), many.tolist(), strict=True)))


def root(square: Number) -> float:
    """The square root of a rational number, correctly rounded whatever its size.

    >>> root(Fraction(1, 4)), root(10**400)
    (0.5, 1e+200)
    """
    ratio = Fraction(square)
    if ratio <= 0:
        return 0.0
    # 64 bits of root and a sticky last bit are enough to round a 53-bit float correctly.
    shift = max(0, 128 + ratio.denominator.bit_length() - ratio.numerator.bit_length())
    shift += shift % 2
    scaled, rest = divmod(ratio.numerator << shift, ratio.denominator)
    whole = math.isqrt(scaled)
    sticky = int(rest > 0 or whole * whole != scaled)
    return float(Fraction(2 * whole + sticky, 2 << (shift // 2)))


def signed_root(numerator: int, square: int) -> float:
    """numerator / √square, correctly rounded.

    >>> signed_root(-3, 4)
    -1.5
    """
    ratio = root(Fraction(numerator**2, square))
    return -ratio if numerator < 0 else ratio


def harmonic(precision: Number, recall: Number, beta: float = 1.0) -> Number:
    """The mean of precision and recall by which F is defined; beta is the weight of recall."""
    # Arrays of exact numbers declare that they are exact.
    is_fraction = isinstance(precision, Fraction) or getattr(precision, "is_fraction", False)
    weight = Fraction(beta) ** 2 if is_fraction else beta * beta
    return (1 + weight) * precision * recall / (weight * precision + recall)


def plain(value: Any) -> Any:
    """A number or a string of NumPy's as Python's own."""
    return value.item() if isinstance(value, np.generic) and value.dtype.kind in "biufUS" else value


def evenly(length: int, most: int) -> NDArray[np.int64]:
    """At most so many positions, from the first to the last.

    >>> evenly(10, 4).tolist(), evenly(3, 20).tolist()
    ([0, 3, 6, 9], [0, 1, 2])
    """
    if length <= most:
        return np.arange(length)
    return np.unique(np.linspace(0, length - 1, most).round().astype(np.int64))


# Fractional bits of logarithms. Sums over a whole set are then known to 2**-97 nats.
LOG_BITS = 112


def most_log_bits(size: int) -> int:
    """Bits that distinguish independent partitions of ``size`` elements from all others.

    The mutual information of the others is at least 2/size⁴ nats (Pinsker's inequality, since n·size and
    a·b are integers that differ).
    """
    return 80 + 4 * size.bit_length()


@lru_cache(maxsize=2**16)
def fixed_log(size: int, bits: int) -> int:
    """log(size), times 2**bits.

    >>> fixed_log(10, 112) / 2**112
    2.302585092994046
    """
    if size < 2:
        return 0
    length = size.bit_length()
    shift = max(length // 3, length - 16, 1)
    leading = size >> shift  # shared by many sizes
    return fixed_log(leading, bits) + shift * _log_of_two(bits) + _log_ratio(size, leading << shift, bits)


@lru_cache(maxsize=16)
def _log_of_two(bits: int) -> int:
    return _log_ratio(2, 1, bits)


def _log_ratio(x: int, y: int, bits: int) -> int:
    """log(x/y) = 2 artanh((x − y)/(x + y)), times 2**bits."""
    power = ((x - y) << bits) // (x + y)
    square = power * power >> bits
    total, order = power, 1
    while power:
        power = power * square >> bits
        order += 2
        total += power // order
    return 2 * total


def log_sum(sizes: Mapping[int, int], bits: int) -> int:
    """Σ count · size · log(size), times 2**bits, of distinct sizes and how often each occurs."""
    return sum([count * size * fixed_log(size, bits) for size, count in sizes.items()])


def as_entropy(logs: int, size: int, bits: int) -> float:
    """The mean over the elements of a difference of such sums, in nats."""
    return logs / (size << bits) if size else 0.0


class LogSums(NamedTuple):
    """x·log(x) of the size of the set, and its sums over clusters and overlaps, times 2**bits."""

    bits: int
    whole: int
    rows: int
    columns: int
    overlaps: int

    @property
    def shared(self) -> int:
        """The mutual information, times the size and 2**bits."""
        return self.whole - self.rows - self.columns + self.overlaps


def plain_weight(number: int | Fraction) -> int | float:
    """A weight for people and JSON: whole numbers stay whole, and so do those beyond the range of floats."""
    if isinstance(number, int) or number.denominator == 1 or abs(number) > sys.float_info.max:
        return int(number)
    return float(number)
