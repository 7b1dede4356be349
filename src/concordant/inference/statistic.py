"""Finding: a few named numbers that print on one line, and a sentence for a paper."""

from __future__ import annotations

import math
import sys
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import fields
from decimal import ROUND_CEILING, Decimal
from typing import Any

from concordant.foundation.results import Field, Listing, Result, library_version, rounded, value_text
from concordant.foundation.spelling import counted

# An approximate p-value below this is printed as smaller: in far tails, approximations may be wrong by orders
# of magnitude.
LEAST_APPROXIMATE_P = 1e-4


class Finding(Result):
    """A frozen dataclass that prints on one line."""

    __slots__ = ()

    conventions: str  # the conventions of the comparison that are not the default

    @property
    @abstractmethod
    def headline(self) -> str:
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
        """Return every field that is a result. Numbers that are not finite become None.

        Returns
        -------
        dict
            The fields by name.

        Examples
        --------
        >>> import concordant as cc
        >>> cc.compare([0, 0, 1, 1], [0, 0, 1, 1]).adjusted("rand").to_dict()["value"]
        1.0
        """
        shown_fields = (field for field in fields(self) if field.repr)  # type: ignore[arg-type]  # subclasses are dataclasses
        values = {field.name: getattr(self, field.name) for field in shown_fields}
        return {
            name: None if isinstance(value, float) and not math.isfinite(value) else value
            for name, value in values.items()
        }

    def _whole_text(self) -> str:
        return repr(self)

    def _title(self) -> str:
        return repr(self)

    def _listings(self, limit: int | None = None) -> Sequence[Listing]:
        """Each field and its value but the note, and those that are empty here."""
        values = {
            name: value
            for name, value in self.to_dict().items()
            if value not in (None, "") and name != "note"
        }
        columns = [Field("field", ""), Field("value", text=_value_text)]
        return [Listing(list(values.items())[:limit], columns)]

    def _footnotes(self) -> Sequence[str]:
        return [self.headline]


def _value_text(value: Any) -> str:
    return shown(value) if isinstance(value, float) else value_text(value)


def software() -> str:
    """Name and version of the library, for the sentences.

    >>> software().startswith("concordant ")
    True
    """
    return f"concordant {library_version()}"


def shown(value: float) -> str:
    """A value as it appears in a sentence: four digits, whole numbers as they are.

    >>> shown(0.41234), shown(1234567.0), shown(0.00001234), shown(-0.0)
    ('0.4123', '1,234,567', '1.234e-05', '0')
    """
    if not math.isfinite(value):
        return "undefined" if math.isnan(value) else str(value)
    if value == int(value) and abs(value) < 1e15:
        return f"{int(value):,}"
    return f"{value:.4g}" if abs(value) < 1e-4 or abs(value) >= 1e6 else rounded(value)


def relation_of_p(p: float, *, exact: bool) -> tuple[str, str]:
    """How a p-value relates to a number, and the number.

    >>> relation_of_p(2e-9, exact=True), relation_of_p(2e-9, exact=False), relation_of_p(0.0123, exact=False)
    (('=', '2e-09'), ('<', '0.0001'), ('=', '0.0123'))
    """
    if exact:
        return ("<", "1e-307") if p <= sys.float_info.min else ("=", f"{p:.3g}")
    return ("<", f"{LEAST_APPROXIMATE_P:g}") if p < LEAST_APPROXIMATE_P else ("=", f"{p:.3g}")


def shown_p(p: float, *, exact: bool) -> str:
    """A p-value as it appears in a sentence.

    >>> shown_p(0.0123, exact=False), shown_p(1e-5, exact=False), shown_p(1e-5, exact=True)
    ('p = 0.0123', 'p < 0.0001', 'p = 1e-05')
    """
    return " ".join(("p", *relation_of_p(p, exact=exact)))


def size_condition(units: str, most: int | None) -> str:
    """The assumption of an interval about units that were not drawn; empty if it has none.

    >>> size_condition("unit of the population", 12)
    ', if no unit of the population has more than 12 records'
    """
    return "" if most is None else f", if no {units} has more than {counted(most, 'record')}"


def rounded_up(p: float) -> str:
    """A bound in one digit, never below itself.

    >>> rounded_up(0.0071), rounded_up(0.95), rounded_up(3e-36)
    ('0.008', '1', '3e-36')
    """
    bound = Decimal(p)
    digit = bound.adjusted()
    bound = round(bound, 12 - digit).quantize(Decimal(1).scaleb(digit), ROUND_CEILING)
    return f"{float(bound):.1g}"
