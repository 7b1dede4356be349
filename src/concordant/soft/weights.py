"""Weights as the user passes them, checked row by row and turned into memberships in whole units."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from numbers import Rational
from typing import Any, Literal, NoReturn, get_args

import numpy as np
from numpy.typing import NDArray

from concordant.clusterings.clusters import name_codes
from concordant.clusterings.detect import is_on_device
from concordant.clusterings.labels import is_missing
from concordant.errors import ParameterError, Remedy, SoftError, few, kind_of
from concordant.foundation.conventions import check_choice
from concordant.foundation.spelling import counted
from concordant.maths.arithmetic import Floats, Integers
from concordant.soft.memberships import UNITS, Memberships, whole_units

Remainder = Literal["alone", "cluster"]
TOLERANCE = 1e-6  # a row adds up to 1 within this
_TOLERATED = 10**6  # the same for whole numbers: one part in so many

_WEIGHTS_AT_A_TIME = 2**15  # of a table, so arrays stay in the cache


@dataclass(frozen=True, slots=True)
class RowRules:
    """The treatment of rows that do not add up to 1, and the name of a row in errors."""

    remainder: Remainder | None
    normalise: bool
    called: Callable[[int], str]  # a row by its number, as errors name it

    def __post_init__(self) -> None:
        if self.remainder is not None:
            check_choice("remainder", self.remainder, get_args(Remainder))
        if not isinstance(self.normalise, bool):
            raise ParameterError("use True or False", given={"normalise": self.normalise})
        if self.remainder is not None and self.normalise:
            raise ParameterError(
                "rows that are divided by their sums have no remainder; pass one of the two",
                given={"remainder": self.remainder, "normalise": True},
            )

    def refuse(self, row: int, weights: Sequence[Any]) -> NoReturn:
        """Raise the error for the weights of this row."""
        name = self.called(row)
        for weight in weights:
            if not math.isfinite(weight) or weight < 0:
                shown = "NaN" if math.isnan(weight) else f"{float(weight):.6g}"
                raise SoftError(f"{name} contains {shown}; weights are shares of a record, from 0 to 1")
        total = sum(weights)
        if self.normalise:
            raise SoftError(f"{name} has no weight, so it cannot be divided by its sum; leave the record out")
        relative = Remedy("divide each row by its sum, if the weights are relative", normalise=True)
        shown = f"{float(total):.9g}"
        if total > 1:
            raise SoftError(
                f"{name} adds up to {shown}; memberships that may add up to anything (possibilistic ones) "
                "are not a partition",
                remedies=[relative],
            )
        raise SoftError(
            f"{name} adds up to {shown}",
            remedies=[
                Remedy("leave the rest of each row in no cluster", remainder="alone"),
                Remedy("make the rest a cluster", remainder="cluster"),
                relative,
            ],
        )


def dense_memberships(matrix: NDArray[Any], rules: RowRules, *, of_person: bool = True) -> Memberships:
    """A table with a row for each record and a column for each cluster.

    A table passed by the user (``of_person``) may have a row for each cluster by mistake.
    """
    matrix = _of_numbers(matrix, rules)
    if matrix.dtype.kind != "f":
        rows = np.repeat(np.arange(len(matrix)), matrix.shape[1])
        found = _exact_units(matrix.reshape(-1), rows, len(matrix), rules)
        if found is not None:
            units, scale = found
            return _with_rest(
                Memberships(units.reshape(matrix.shape), matrix.shape[1], scale, exact=True), rules
            )
    weights = np.ascontiguousarray(matrix, dtype=np.float64)
    units = np.empty(weights.shape, dtype=np.int64)
    step = max(_WEIGHTS_AT_A_TIME // weights.shape[1], 1)
    for begin in range(0, len(weights), step):
        some = slice(begin, begin + step)
        units[some], fault = _units_of(weights[some], rules)
        if fault is not None:
            if of_person and _columns_add_up(weights):
                row = rules.called(begin + fault)
                raise SoftError(
                    f"{row} does not add up to 1, and the columns do, so the rows seem to be clusters",
                    remedies=[Remedy("read them as clusters", transposed=True)],
                )
            rules.refuse(begin + fault, weights[begin + fault].tolist())
    return _with_rest(Memberships(units, weights.shape[1], UNITS), rules)


def sparse_memberships(
    start: Integers, column: Integers, weights: NDArray[Any], columns: int, rules: RowRules
) -> Memberships:
    """The nonzero weights of each row; no column occurs twice in a row."""
    rows = np.repeat(np.arange(len(start) - 1), np.diff(start))
    weights = _of_numbers(weights, rules, rows)
    if weights.dtype.kind != "f":
        found = _exact_units(weights, rows, len(start) - 1, rules)
        if found is not None:
            made = Memberships(found[0], columns, found[1], start, column, exact=True)
            # Units that only Python's integers hold are in a table.
            return _with_rest(made.table() if found[0].dtype == object else made, rules)
    weights = np.asarray(weights, dtype=np.float64)
    units, fault = _units_of(weights, rules, rows, len(start) - 1)
    if fault is not None:
        rules.refuse(fault, weights[start[fault] : start[fault + 1]].tolist())
    return _with_rest(Memberships(units, columns, UNITS, start, column), rules)


def _units_of(
    weights: NDArray[np.float64], rules: RowRules, rows: Integers | None = None, count: int = 0
) -> tuple[Integers, int | None]:
    """Weights in units, and the first row that is at fault, if there is one.

    ``rows`` has the row of each weight. Without it, ``weights`` is a table.
    """

    def each(values: NDArray[Any]) -> NDArray[Any]:
        return values[:, None] if rows is None else values[rows]

    def add(values: NDArray[Any]) -> Floats:
        if rows is None:
            return np.asarray(values.sum(axis=1))
        return np.asarray(np.bincount(rows, values, minlength=count))

    least: Floats = np.zeros(count)
    largest: Floats = np.zeros(count)
    if rows is None:
        least, largest = weights.min(axis=1), weights.max(axis=1)
    else:
        np.minimum.at(least, rows, weights)
        np.maximum.at(largest, rows, weights)
    is_fault = ~((least >= 0) & (largest < np.inf))
    if is_fault.any():
        weights, largest = np.where(each(is_fault), 0.0, weights), np.where(is_fault, 0.0, largest)
    scale = _row_scale(largest)
    scaled = weights * each(scale)
    total = _fixed_point_sum(scaled, add)
    if rules.normalise:
        is_fault |= total == 0
        divisor = np.where(is_fault, 1.0, total)
    else:
        with np.errstate(over="ignore"):
            sums = total / scale
        is_fault |= sums > 1 + TOLERANCE
        is_short = sums < 1 - TOLERANCE
        if rules.remainder is None:
            is_fault |= is_short
        divisor = np.where(is_fault, np.maximum(total, 1.0), np.where(is_short, scale, total))
    units = whole_units(scaled / each(divisor))
    return units, int(np.argmax(is_fault)) if is_fault.any() else None


def _row_scale(largest: Floats) -> Floats:
    """For each row the power of two that makes its largest weight at most 1, or 2 at the end of the range."""
    return np.asarray(np.ldexp(1.0, -np.clip(np.frexp(largest)[1], -1022, 1023)))


def _fixed_point_sum(scaled: Floats, add: Callable[[Floats], Floats]) -> Floats:
    """The sum of the scaled weights of each row, as multiples of 2⁻⁵³.

    Both halves of the digits add up to whole numbers without rounding, so the order of the columns changes
    no bit.
    """
    digits = scaled * 2.0**26
    high = np.floor(digits)
    low = np.rint((digits - high) * 2.0**27)
    return (add(high) + add(low) * 2.0**-27) * 2.0**-26


def _of_numbers(values: NDArray[Any], rules: RowRules, rows: Integers | None = None) -> NDArray[Any]:
    """Values as numbers: floats, integers, or objects that are all fractions, decimals and integers."""
    if values.dtype.kind in "biuf":
        return values
    if values.dtype.kind != "O":
        raise SoftError(f"weights are numbers, not {values.dtype}")
    are_exact = True
    for place, value in enumerate(values.flat):
        if isinstance(value, Rational | np.integer) or (isinstance(value, Decimal) and value.is_finite()):
            continue
        if isinstance(value, float | np.floating | Decimal):
            are_exact = are_exact and isinstance(value, Decimal)
            if isinstance(value, Decimal):  # NaN or infinite
                are_exact = False
            continue
        row = int(place // values.shape[1] if rows is None else rows[place])
        what = "has a missing weight" if is_missing(value) else f"contains {few([value])}, {kind_of(value)}"
        raise SoftError(f"{rules.called(row)} {what}; weights are numbers from 0 to 1")
    return values if are_exact else values.astype(np.float64)


def _exact_units(
    weights: NDArray[Any], rows: Integers, count: int, rules: RowRules
) -> tuple[NDArray[Any], int] | None:
    """Fractions, decimals and integers in units of their common denominator, and how many of these make 1.

    None for an array of integers with a larger common denominator than floating-point weights have.
    """
    is_array = weights.dtype.kind in "biu"
    if is_array and float(np.abs(weights.astype(np.float64)).sum()) < 2**62:
        whole, one = weights.astype(np.int64), 1
    else:
        listed = [Fraction(weight) for weight in weights.tolist()]
        one = math.lcm(1, *(weight.denominator for weight in listed))
        whole = np.array([int(weight * one) for weight in listed], dtype=object)
    total: Any = np.zeros(count, dtype=whole.dtype)
    np.add.at(total, rows, whole)
    is_short = one - total > one // _TOLERATED
    is_fault = total <= 0 if rules.normalise else total - one > one // _TOLERATED
    if rules.remainder is None and not rules.normalise:
        is_fault = is_fault | is_short
    is_fault = is_fault.astype(bool)
    is_fault[rows[whole < 0]] = True
    if is_fault.any():
        fault = int(np.argmax(is_fault))
        rules.refuse(fault, weights[rows == fault].tolist())
    divisor = total if rules.normalise else np.where(is_short, one, total)
    common = divisor.copy()
    np.gcd.at(common, rows, whole)
    scale, most = 1, UNITS if is_array else math.inf
    for denominator in set((divisor // common).tolist()):
        scale = math.lcm(scale, denominator)
        if scale > most:
            return None
    units = whole // common[rows] * (scale // (divisor // common))[rows]
    return units if scale > UNITS else units.astype(np.int64), scale


def _with_rest(made: Memberships, rules: RowRules) -> Memberships:
    """With the missing weight of rows in no cluster, or as one more column."""
    if rules.remainder is None:
        return made
    if made.start is None:
        sums = made.units.sum(axis=1)
    else:
        sums = np.zeros(len(made), dtype=made.units.dtype)
        np.add.at(sums, np.repeat(np.arange(len(made)), np.diff(made.start)), made.units)
    rest = np.maximum(made.scale - sums, 0)
    if not made.exact:
        rest[rest <= TOLERANCE * made.scale] = 0  # these rows were divided by their sums
    if rules.remainder == "alone":
        return Memberships(
            made.units, made.columns, made.scale, made.start, made.column,
            rest if rest.any() else None, made.exact,
        )  # fmt: skip
    if made.start is None or made.column is None:
        units = np.concatenate([made.units, rest[:, None]], axis=1)
        return Memberships(np.ascontiguousarray(units), made.columns + 1, made.scale, exact=made.exact)
    has_rest = rest > 0
    ends = made.start[1:][has_rest]
    return Memberships(
        np.insert(made.units, ends, rest[has_rest]),
        made.columns + 1,
        made.scale,
        made.start + np.concatenate([[0], np.cumsum(has_rest)]),
        np.insert(made.column, ends, made.columns),
        exact=made.exact,
    )


def _columns_add_up(weights: NDArray[np.float64]) -> bool:
    sums = weights.sum(axis=0)
    return len(weights) > 0 and bool((np.abs(sums - 1) <= TOLERANCE).all())


_NOT_AN_ARRAY = (AttributeError, BufferError, NotImplementedError, RuntimeError, TypeError, ValueError)


def matrix_and_names(matrix: Any) -> tuple[Any, Any, Any]:
    """A matrix of two dimensions, and the names of its rows and columns, None if it has none."""
    if hasattr(matrix, "memberships") and hasattr(matrix, "harden"):
        raise SoftError("this is a Soft already; pass it to compare()")
    if isinstance(matrix, Mapping | str | bytes | os.PathLike):
        raise SoftError(
            f"a matrix has a row for each record, and this is {kind_of(matrix)}; Soft.from_mapping takes "
            "mappings, Soft.scan takes files"
        )
    if hasattr(matrix, "tocsr"):
        return matrix, None, None
    if is_on_device(matrix):
        raise SoftError("the weights are on a GPU; copy them to memory, as in cupy.asnumpy(array)")
    rows = columns = None
    if hasattr(matrix, "columns") and hasattr(matrix, "to_numpy"):
        rows, columns, matrix = getattr(matrix, "index", None), list(matrix.columns), matrix.to_numpy()
    if np.ma.isMaskedArray(matrix) and np.ma.is_masked(matrix):
        raise SoftError("the array masks some weights; fill them, as in array.filled(0)")
    if isinstance(matrix, list | tuple) and len(lengths := [_length(row) for row in matrix]) > 0:
        other = next((row for row, length in enumerate(lengths) if length != lengths[0]), None)
        if other is not None and lengths[0] is not None:
            raise SoftError(
                f"rows differ in length: row 0 has {lengths[0]} and row {other} has {lengths[other]}; each "
                "needs an entry for every column"
            )
    try:
        array = np.asarray(matrix)
    except _NOT_AN_ARRAY as error:
        raise SoftError(f"{kind_of(matrix)} is not a matrix of numbers: {error}") from error
    if array.ndim != 2:
        raise SoftError(
            f"a matrix has two dimensions, records and clusters; this is {kind_of(matrix)} of "
            f"{counted(array.ndim, 'dimension')}"
        )
    return array, rows, columns


def _length(row: Any) -> Any:
    return len(row) if hasattr(row, "__len__") else None


def checked_names(given: Any, count: int, what: str) -> list[Any] | None:
    """Names of rows or columns, each once."""
    if given is None:
        return None
    if isinstance(given, str | bytes) or not isinstance(given, Iterable):
        raise ParameterError(f"{what}= is a list of names, not {kind_of(given)}")
    names = [each.item() if isinstance(each, np.generic) else each for each in given]
    if len(names) != count:
        raise SoftError(f"{what}= has {counted(len(names), 'name')} for {count:,}")
    which, first = name_codes(names, what)
    if len(first) < len(names):
        again = int(np.flatnonzero(first[which] != np.arange(len(names)))[0])
        raise SoftError(f"{what}= contains {names[again]!r} twice, at {int(first[which[again]])} and {again}")
    return names


def row_caller(names: Any) -> Any:
    """The name of a row in errors."""

    def called(row: int) -> str:
        return f"row {row}" if names is None else f"row {row} (record {few([names[row]])})"

    return called
