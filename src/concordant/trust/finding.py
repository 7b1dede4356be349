"""Finding: a few named numbers that print on one line, and a sentence for a paper."""

from __future__ import annotations

import html
import math
from abc import abstractmethod
from dataclasses import fields
from decimal import ROUND_CEILING, Decimal
from typing import Any

from concordant.results import Result, rounded

# A p-value below this is printed as smaller than it: nobody's data support more digits.
_LEAST_P = 1e-16


class Finding(Result):
    """A frozen dataclass that prints on one line."""

    __slots__ = ()

    conventions: str  # those of the comparison that are not the usual ones

    @property
    @abstractmethod
    def sentence(self) -> str:
        """One or two sentences for a paper: unit, method, population and version included."""

    @abstractmethod
    def _summary(self) -> str:
        """The numbers on one line."""

    def __repr__(self) -> str:
        return f"{self._summary()} [{self.conventions}]" if self.conventions else self._summary()

    @property
    def _origin(self) -> str:
        """The end of a sentence: unusual conventions, and the software."""
        return "; ".join(filter(None, [self.conventions, software()]))

    def to_dict(self) -> dict[str, Any]:
        """Every field; numbers that are not finite become None."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}  # type: ignore[arg-type]  # subclasses are dataclasses
        return {
            name: None if isinstance(value, float) and not math.isfinite(value) else value
            for name, value in values.items()
        }

    def __str__(self) -> str:
        return repr(self)

    def _repr_html_(self) -> str:
        return f"<p>{html.escape(repr(self))}</p>"


def software() -> str:
    """Name and version of the library, for the sentences.

    >>> software().startswith("concordant ")
    True
    """
    from importlib.metadata import version  # slow to import, and needed only here

    return f"concordant {version('concordant')}"


def shown(value: float) -> str:
    """A value as a sentence has it: four digits, whole numbers as they are.

    >>> shown(0.41234), shown(1234567.0), shown(0.00001234), shown(-0.0)
    ('0.4123', '1,234,567', '1.234e-05', '0')
    """
    if not math.isfinite(value):
        return "undefined" if math.isnan(value) else str(value)
    if value == int(value) and abs(value) < 1e15:
        return f"{int(value):,}"
    return f"{value:.4g}" if abs(value) < 1e-4 or abs(value) >= 1e6 else rounded(value)


def shown_p(p: float) -> str:
    """A p-value as a sentence has it.

    >>> shown_p(0.0123), shown_p(1e-40), shown_p(1.0)
    ('p = 0.0123', 'p < 1e-16', 'p = 1')
    """
    return f"p < {_LEAST_P:.0e}" if p < _LEAST_P else f"p = {p:.3g}"


def rounded_up(p: float) -> str:
    """A bound in one digit, never below itself.

    >>> rounded_up(0.0071), rounded_up(0.95), rounded_up(3e-36)
    ('0.008', '1', '3e-36')
    """
    bound = Decimal(p)
    digit = bound.adjusted()
    bound = round(bound, 12 - digit).quantize(Decimal(1).scaleb(digit), ROUND_CEILING)
    return f"{float(bound):.1g}"
