"""The questions that counts can answer: immediately, on request, or not at all.

A view declares its needs; counts declare which they satisfy. Everything that prints, lists or draws checks
this first, so nothing raises because of size, and no engine runs a second time unless requested.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum


class Need(IntEnum):
    """Levels of knowledge about two partitions; each includes those before it."""

    PAIRS = 0  # how many pairs are together in both, in one, in none
    SIZES = 1  # how large the clusters and their overlaps are
    BEST = 2  # how much the best partner of each cluster shares with it
    TABLE = 3  # which clusters overlap
    RECORDS = 4  # the clusters of each record; requested from an engine if it may be needed later
    ALIGNMENT = 5  # the same for callers that rarely read sizes: these are counted on first use


@dataclass(frozen=True, slots=True)
class Availability:
    """The available knowledge, the knowledge that the engine can add, and its cost.

    >>> Availability(Need.BEST, Need.TABLE, "12 overlaps would be fetched from the engine").has(Need.TABLE)
    False
    """

    at_hand: Need
    on_request: Need = Need.PAIRS
    price: str = ""  # of the missing knowledge, or why it is unavailable; a sentence without its full stop
    adds_up: bool = True  # whether no element is in two overlaps, so their costs add up

    def has(self, need: Need) -> bool:
        """Whether the need is satisfied without another request."""
        return need <= self.at_hand

    def can_ask(self, need: Need) -> bool:
        """Whether the need is satisfied immediately or by asking the engine again."""
        return need <= max(self.at_hand, self.on_request)


ALL_AT_HAND = Availability(Need.TABLE)
