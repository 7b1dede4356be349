"""Sums of x·log(x) as integers: entropies are their differences, without cancellation."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

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
