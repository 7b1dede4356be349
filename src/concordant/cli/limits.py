"""Limits that a comparison must hold: --fail-under and --fail-over."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from concordant.catalogue.index import INDICES, Index
from concordant.comparison import Comparison
from concordant.errors import ParameterError


@dataclass(frozen=True, slots=True)
class Limit:
    """A value that an index must not fall under, or must not go over."""

    index: Index
    side: Literal["under", "over"]
    value: float

    def missed(self, result: Comparison) -> str | None:
        """What to say if the limit is not held; nan holds none."""
        if not result.profile.size:
            return f"there is nothing to compare (n=0), so {self.index.name} cannot hold its limit"
        value = result[self.index.name]
        if value >= self.value if self.side == "under" else value <= self.value:
            return None
        bound = "at least" if self.side == "under" else "at most"
        return f"{self.index.name} is {value!r}; it should be {bound} {self.value!r}"


def limits(texts: Sequence[str] | None, side: Literal["under", "over"]) -> list[Limit]:
    """The limits as options spell them."""
    return [_limit(text, side) for text in texts or ()]


def _limit(text: str, side: Literal["under", "over"]) -> Limit:
    name, _, number = text.rpartition("=")
    try:
        value = float(number)
    except ValueError:
        value = math.nan
    if not name or math.isnan(value):
        raise ParameterError(f"--fail-{side} {text!r}: write it like --fail-{side} NAME=0.95")
    limit = Limit(INDICES[name], side, value)
    best = limit.index.range[side == "under"]
    if isinstance(best, (int, float)) and (value > best if side == "under" else value < best):
        raise ParameterError(
            f"--fail-{side} {text}: no comparison can pass, as {limit.index.name} lies in "
            f"{limit.index.range_text}"
        )
    wrong = "distance" if side == "under" else "similarity"
    if limit.index.direction == wrong:
        other, extent = ("over", "smaller") if side == "under" else ("under", "larger")
        raise ParameterError(
            f"--fail-{side} {text}: {name} is a {wrong}, {extent} is better; use --fail-{other}"
        )
    return limit
