"""Arrays of exact numbers, on which the formula of an index runs for many cuts together.

A formula of plain arithmetic gives the same bits as on single numbers: whole numbers are sums of two floats,
exact up to 2**100, a division is rounded once, and fractions stay fractions. An entry whose rounding is in
doubt, or whose divisor is zero, is marked for the formula on single numbers.

Sums of fractions with many denominators are known to 70 bits or more. Formulas of them are calculated to as
many bits and rounded once, like those of exact fractions.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from concordant.maths.arithmetic import Integers

_LIMIT = 2**100  # from here on two floats may not hold every whole number
_ONE_FLOAT = 2**53  # up to here one does, and the second is 0
_SPLIT = 2.0**27 + 1  # halves of 26 bits multiply exactly
_DOUBT = 2.0**-98  # relative error of a quotient of two such numbers, and more
_STEP = 2.0**-98  # the same of any operation on two sums of two floats


Marks = NDArray[
    np.bool_
]  # the entries that single numbers have to settle, which all arrays of a formula share
_TOO_WIDE = "too large for exact arithmetic on arrays"  # a TypeError, as for any operation that arrays lack


class ExactArray:
    """Whole numbers, or fractions with whole numerators and denominators."""

    __slots__ = ("below", "bound", "high", "is_fraction", "low", "marks")
    __array_ufunc__ = None  # NumPy leaves the arithmetic to this class

    def __init__(
        self,
        high: Any,
        low: Any,
        bound: int,  # no entry exceeds it
        marks: Marks,
        *,
        below: ExactArray | None = None,  # the denominator, None for 1
        is_fraction: bool = False,  # whether a division is exact, as that of a Fraction
    ) -> None:
        if bound >= _LIMIT:
            raise TypeError(_TOO_WIDE)
        self.high, self.low, self.bound, self.marks = high, low, bound, marks
        self.below, self.is_fraction = below, is_fraction

    @classmethod
    def of(cls, values: NDArray[np.int64], marks: Marks) -> ExactArray:
        """Integers of 64 bits."""
        high = values.astype(np.float64)
        bound = max(abs(int(values.max(initial=0))), abs(int(values.min(initial=0))))
        if bound <= _ONE_FLOAT:
            return cls(high, 0.0, bound, marks)
        if bound >= 2**62:  # rounding may reach 2**63, which int64 does not hold
            raise TypeError(_TOO_WIDE)
        return cls(high, (values - high.astype(np.int64)).astype(np.float64), bound, marks)

    def _constant(self, number: int) -> ExactArray:
        high = float(number)
        return ExactArray(high, float(number - int(high)), abs(number), self.marks)

    def _operand(self, other: Any) -> ExactArray | None:
        if isinstance(other, ExactArray):
            return other
        if isinstance(other, int):
            return self._constant(other)
        if isinstance(other, Fraction):
            made = self._constant(other.numerator)
            made.is_fraction = True
            if other.denominator != 1:
                made.below = self._constant(other.denominator)
            return made
        return None

    # -- sums and products ------------------------------------------------------------------------

    def whole_sum(self, other: ExactArray) -> ExactArray:
        """The exact sum of whole numbers."""
        bound = self.bound + other.bound
        if bound <= _ONE_FLOAT:
            return ExactArray(self.high + other.high, 0.0, bound, self.marks)
        s, e = _two_sum(self.high, other.high)
        t, f = _two_sum(self.low, other.low)
        s, e = _quick_sum(s, e + t)
        high, low = _quick_sum(s, e + f)
        return ExactArray(high, low, bound, self.marks)

    def whole_product(self, other: ExactArray) -> ExactArray:
        """The exact product of whole numbers."""
        bound = self.bound * other.bound
        if bound >= _LIMIT:
            raise TypeError(_TOO_WIDE)
        if bound <= _ONE_FLOAT:
            return ExactArray(self.high * other.high, 0.0, bound, self.marks)
        p, e = _two_product(self.high, other.high)
        high, low = _quick_sum(p, e + (self.high * other.low + self.low * other.high) + self.low * other.low)
        return ExactArray(high, low, bound, self.marks)

    def _numerator(self) -> ExactArray:
        return ExactArray(self.high, self.low, self.bound, self.marks)

    def divided(self, below: ExactArray | None, *, is_fraction: bool) -> ExactArray:
        """The fraction with this numerator."""
        return ExactArray(self.high, self.low, self.bound, self.marks, below=below, is_fraction=is_fraction)

    def __add__(self, other: Any) -> Any:
        y = self._operand(other)
        if y is None:
            return NotImplemented
        exact = self.is_fraction or y.is_fraction
        above, their = self._numerator(), y._numerator()
        if self.below is None and y.below is None:
            return above.whole_sum(their).divided(None, is_fraction=exact)
        if y.below is not None:
            above = above.whole_product(y.below)
        if self.below is not None:
            their = their.whole_product(self.below)
        return above.whole_sum(their).divided(_times(self.below, y.below), is_fraction=exact)

    __radd__ = __add__

    def __neg__(self) -> ExactArray:
        return ExactArray(
            -self.high, -self.low, self.bound, self.marks, below=self.below, is_fraction=self.is_fraction
        )

    def __sub__(self, other: Any) -> Any:
        y = self._operand(other)
        return NotImplemented if y is None else self + (-y)

    def __rsub__(self, other: Any) -> Any:
        return (-self) + other

    def __mul__(self, other: Any) -> Any:
        y = self._operand(other)
        if y is None:
            return NotImplemented
        above = self._numerator().whole_product(y._numerator())
        return above.divided(_times(self.below, y.below), is_fraction=self.is_fraction or y.is_fraction)

    __rmul__ = __mul__

    # -- quotients --------------------------------------------------------------------------------

    def _quotient(self, y: ExactArray) -> Any:
        above, below = self._numerator(), y._numerator()
        if y.below is not None:
            above = above.whole_product(y.below)
        if self.below is not None:
            below = below.whole_product(self.below)
        zero = np.asarray(below.high == 0)
        if zero.any():
            self.marks |= zero
            below = ExactArray(
                np.where(zero, 1.0, below.high),
                np.where(zero, 0.0, below.low),
                max(below.bound, 1),
                self.marks,
            )
        if self.is_fraction or y.is_fraction:
            return above.divided(below, is_fraction=True)
        return RoundedArray(above.rounded_over(below))

    def __truediv__(self, other: Any) -> Any:
        y = self._operand(other)
        return NotImplemented if y is None else self._quotient(y)

    def rounded_over(self, below: ExactArray) -> Any:
        """The quotient of whole numbers, rounded once; doubtful entries are marked."""
        first = self.high / below.high
        if max(self.bound, below.bound) <= _ONE_FLOAT:
            return first
        p, e = _two_product(first, below.high)
        rest = ((self.high - p) - e) + (self.low - first * below.low)
        second = rest / below.high
        doubt = np.abs(first) * _DOUBT
        self.marks |= (first + (second - doubt)) != (first + (second + doubt))
        return first + second

    def rounded(self) -> Any:
        """The nearest floating-point numbers."""
        return self.high if self.below is None else self._numerator().rounded_over(self.below)

    # An order or a truth value would be that of one entry.
    __bool__ = __lt__ = __le__ = __gt__ = __ge__ = None
    __hash__ = None  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        raise TypeError("arrays of numbers have no single answer")


class FixedPoint(NamedTuple):
    """Numbers in two words of a fixed point, each cut off by no more than ``error``; none is negative.

    >>> FixedPoint(np.array([3 << 31]), np.array([0]), 0.0).number(0)
    Fraction(3, 2)
    """

    first: Integers  # in units of 2**-32
    second: Integers  # in units of 2**-95
    error: float

    def part(self, which: Any) -> FixedPoint:
        """Some of them."""
        return FixedPoint(self.first[which], self.second[which], self.error)

    def number(self, i: int) -> Fraction:
        """One of them."""
        return Fraction((int(self.first[i]) << 63) + int(self.second[i]), 1 << 95)


class BoundedArray:
    """Positive numbers as sums of two floats, each with a relative error below a bound."""

    __slots__ = ("error", "high", "is_fraction", "low", "marks")
    __array_ufunc__ = None

    def __init__(self, high: Any, low: Any, error: float, marks: Marks) -> None:
        self.high, self.low, self.error, self.marks = high, low, error + _STEP, marks
        self.is_fraction = True  # it is rounded at the end, as fractions are

    @classmethod
    def of(cls, numbers: FixedPoint, marks: Marks) -> BoundedArray:
        """Numbers of a fixed point."""
        high = numbers.first.astype(np.float64)
        # The rounded number may be 2**63, which int64 does not hold; its difference wraps to the right one.
        rest = (numbers.first.view(np.uint64) - high.astype(np.uint64)).view(np.int64)
        high, low = _quick_sum(high * 2.0**-32, rest * 2.0**-32 + numbers.second * 2.0**-95)
        least = float(high.min(initial=np.inf))
        return cls(high, low, numbers.error / least if least > 0 else np.inf, marks)

    def _operand(self, other: Any) -> BoundedArray | None:
        if isinstance(other, BoundedArray):
            return other
        if isinstance(other, ExactArray):
            if other.below is not None:
                return None
            return BoundedArray(other.high, other.low, 0.0, self.marks)
        if isinstance(other, int | Fraction) and other >= 0:
            high = float(other)
            return BoundedArray(high, float(other - Fraction(high)), 0.0, self.marks)
        return None

    def __add__(self, other: Any) -> Any:
        y = self._operand(other)
        if y is None:
            return NotImplemented
        s, e = _two_sum(self.high, y.high)
        return BoundedArray(*_quick_sum(s, e + (self.low + y.low)), max(self.error, y.error), self.marks)

    __radd__ = __add__

    def __mul__(self, other: Any) -> Any:
        y = self._operand(other)
        if y is None:
            return NotImplemented
        p, e = _two_product(self.high, y.high)
        low = e + (self.high * y.low + self.low * y.high)
        return BoundedArray(*_quick_sum(p, low), self.error + y.error, self.marks)

    __rmul__ = __mul__

    def _quotient(self, y: BoundedArray) -> BoundedArray:
        self.marks |= np.asarray(y.high == 0)
        first = self.high / y.high
        p, e = _two_product(first, y.high)
        second = (((self.high - p) - e) + (self.low - first * y.low)) / y.high
        return BoundedArray(*_quick_sum(first, second), self.error + y.error, self.marks)

    def __truediv__(self, other: Any) -> Any:
        y = self._operand(other)
        return NotImplemented if y is None else self._quotient(y)

    def rounded(self) -> Any:
        """The nearest floating-point numbers; doubtful entries are marked."""
        doubt = np.abs(self.high) * self.error
        self.marks |= (self.high + (self.low - doubt)) != (self.high + (self.low + doubt))
        return self.high

    __bool__ = __lt__ = __le__ = __gt__ = __ge__ = None
    __hash__ = None  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        raise TypeError("arrays of numbers have no single answer")


class RoundedArray:
    """The floating-point numbers of a formula that ends with a quotient: they have no arithmetic."""

    __slots__ = ("values",)
    __array_ufunc__ = None

    def __init__(self, values: Any) -> None:
        self.values = values

    def rounded(self) -> Any:
        """The numbers themselves."""
        return self.values

    __bool__ = __lt__ = __le__ = __gt__ = __ge__ = None
    __hash__ = None  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        raise TypeError("arrays of numbers have no single answer")


def _times(x: ExactArray | None, y: ExactArray | None) -> ExactArray | None:
    return y if x is None else x if y is None else x.whole_product(y)


def _two_sum(x: Any, y: Any) -> tuple[Any, Any]:
    """The rounded sum and its error."""
    s = x + y
    t = s - x
    return s, (x - (s - t)) + (y - t)


def _quick_sum(x: Any, y: Any) -> tuple[Any, Any]:
    """The same where x is the larger."""
    s = x + y
    return s, y - (s - x)


def _two_product(x: Any, y: Any) -> tuple[Any, Any]:
    """The rounded product and its error."""
    p = x * y
    t = _SPLIT * x
    xh = t - (t - x)
    xl = x - xh
    t = _SPLIT * y
    yh = t - (t - y)
    yl = y - yh
    return p, ((xh * yh - p) + xh * yl + xl * yh) + xl * yl
