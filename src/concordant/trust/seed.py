"""The seed of every random number, unless the caller names another."""

from __future__ import annotations

from concordant.errors import ParameterError

SEED = 0


def check_seed(seed: int) -> None:
    """Refuse what would not give the same random numbers again, on any machine."""
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed < 2**64:
        raise ParameterError("use a whole number from 0 on", given={"seed": seed})
