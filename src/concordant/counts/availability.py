"""What counts can answer: at once, on request, or not at all.

A view says what it needs; counts say what they offer. Everything that prints, lists or draws asks here,
so that nothing raises because of size, and no engine is asked a second time unless somebody wants it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum


class Need(IntEnum):
    """What must be known of two partitions; each includes those before it."""

    PAIRS = 0  # how many pairs are together in both, in one, in none
    SIZES = 1  # how large the clusters and their overlaps are
    BEST = 2  # what the best partner of each cluster accounts for
    TABLE = 3  # which clusters overlap
    RECORDS = 4  # which records lie where; asked of an engine by who may ask anything later
    ALIGNMENT = 5  # the same for who rarely asks for sizes: they are counted when they are read


@dataclass(frozen=True, slots=True)
class Availability:
    """What is known already, what asking again would bring, and what that would cost.

    >>> Availability(Need.BEST, Need.TABLE, "12 overlaps would be fetched from the engine").has(Need.TABLE)
    False
    """

    at_hand: Need
    on_request: Need = Need.PAIRS
    price: str = ""  # of what is not at hand, or why nobody can bring it; a sentence without its end
    adds_up: bool = True  # whether no element lies in two overlaps, so that what they cost adds up

    def has(self, need: Need) -> bool:
        """Whether the need is met without asking anybody."""
        return need <= self.at_hand

    def can_ask(self, need: Need) -> bool:
        """Whether the need is met at once or by asking the engine again."""
        return need <= max(self.at_hand, self.on_request)


ALL_AT_HAND = Availability(Need.TABLE)
