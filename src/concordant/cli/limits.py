"""--fail-under and --fail-over: values that a comparison has to reach, or the exit status is 1."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Literal

import typer

from concordant.cli import LimitMissed
from concordant.errors import ParameterError

Limit = Callable[[Any], str | None]  # takes a comparison; returns the problem, or None


def limits(
    fail_under: Sequence[str] | None, fail_over: Sequence[str] | None, index_of: Callable[[str], Any]
) -> list[Limit]:
    """The checks that both options ask for; ``index_of`` finds an index by its name."""
    found = [_limit(text, "under", index_of) for text in fail_under or ()]
    return [*found, *(_limit(text, "over", index_of) for text in fail_over or ())]


def exit_if_missed(missed: Sequence[str | None]) -> None:
    """Report the limits that were missed, and end with status 1 if there are any."""
    if texts := list(filter(None, missed)):
        typer.echo("\n".join(f"concordant: {text}" for text in texts), err=True)
        raise LimitMissed


def _limit(text: str, side: Literal["under", "over"], index_of: Callable[[str], Any]) -> Limit:
    """A check of --fail-under or --fail-over; it returns the problem, if any. NaN never passes."""
    name, _, number = text.rpartition("=")
    try:
        limit = float(number)
    except ValueError:
        limit = math.nan
    if not name or math.isnan(limit):
        raise ParameterError(f"--fail-{side} {text!r}: write it like --fail-{side} NAME=0.95")
    index = index_of(name)
    best = index.range[side == "under"]
    if isinstance(best, (int, float)) and (limit > best if side == "under" else limit < best):
        raise ParameterError(
            f"--fail-{side} {text}: no comparison can pass: the range of {index.name} is {index.range_text}"
        )
    wrong = "distance" if side == "under" else "similarity"
    if index.direction == wrong:
        other, extent = ("over", "smaller") if side == "under" else ("under", "larger")
        raise ParameterError(
            f"--fail-{side} {text}: {name} is a {wrong}, so {extent} is better; use --fail-{other}"
        )

    def missed(result: Any) -> str | None:
        if not result.counts.size:
            return f"there is nothing to compare (n=0), so {index.name} cannot meet its limit"
        value = result[index.name]
        if value >= limit if side == "under" else value <= limit:
            return None
        return (
            f"{index.name} is {value!r}; it should be at {'least' if side == 'under' else 'most'} {limit!r}"
        )

    return missed
