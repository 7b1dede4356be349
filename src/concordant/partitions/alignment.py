"""Two partitions laid side by side, element by element, and what was left out or added for it."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant import core
from concordant.counts import remedies
from concordant.counts.conventions import Unmatched
from concordant.counts.spelling import counted
from concordant.errors import LengthError, OverlapError, UnmatchedError, few
from concordant.partitions.labels import Codes, identify
from concordant.partitions.missing import set_apart
from concordant.partitions.partition import Partition


@dataclass(slots=True)
class Aligned:
    """Two partitions laid side by side, element by element, and what was done to get there."""

    reference: Codes
    candidate: Codes
    # Position of each element in what was handed over, -1 where it was added; None: as it came.
    reference_position: NDArray[np.int64] | None = None
    candidate_position: NDArray[np.int64] | None = None
    only_reference: int = 0
    only_candidate: int = 0
    noise_dropped: int = 0
    not_compared: int = 0  # elements that were left out, for whatever reason


def align(u: Partition, v: Partition, unmatched: Unmatched = "error") -> Aligned:
    """Lay two partitions side by side, by name where they have names, else by position."""
    if _by_name(u, v):
        return _without_noise(_align_by_name(u, v, unmatched), u, v)
    if len(u) != len(v):
        raise LengthError(
            f"the reference has {counted(len(u), 'label')} and the candidate {len(v):,}; labels align by "
            "position, so both need one for each element; name the elements on both sides to align by name"
        )
    return _without_noise(Aligned(u.codes, v.codes), u, v)


def _by_name(u: Partition, v: Partition) -> bool:
    if u.elements is not None and v.elements is not None:
        return not same_order(u.elements, v.elements)
    if u.named or v.named:
        named, bare = ("reference", "candidate") if u.named else ("candidate", "reference")
        raise UnmatchedError(
            f"the {named} names its elements and the {bare} does not; name them on both sides, or give "
            "labels in the same order on both"
        )
    return False


def same_order(first: Any, second: Any) -> bool:
    """Whether two lists of names hold the same in the same order."""
    if first is second:
        return True
    if hasattr(first, "equals") and hasattr(second, "equals"):
        return bool(first.equals(second))
    return bool(len(first) == len(second) and list(first) == list(second))


def _align_by_name(u: Partition, v: Partition, unmatched: Unmatched) -> Aligned:
    found = _found(u, v)
    in_both = found >= 0
    missed = np.ones(len(u), dtype=bool)
    missed[found[in_both]] = False
    only_u, only_v = int(missed.sum()), int((~in_both).sum())
    if unmatched == "error" and (only_u or only_v):
        raise UnmatchedError(_who_is_missing(u, v, missed, ~in_both), remedies=remedies.FOR_UNMATCHED)
    here, there = found[in_both], np.flatnonzero(in_both)
    if unmatched == "singletons":
        alone_u, alone_v = np.flatnonzero(missed), np.flatnonzero(~in_both)
        here = np.concatenate([here, alone_u, np.full(only_v, -1)])
        there = np.concatenate([there, np.full(only_u, -1), alone_v])
    left_out = only_u + only_v if unmatched == "drop" else 0
    return Aligned(
        _taken(u.codes, here), _taken(v.codes, there), here, there, only_u, only_v, not_compared=left_out
    )


def _found(u: Partition, v: Partition) -> NDArray[np.int64]:
    """For each element of v its position in u, or -1."""
    names = [*u.elements, *v.elements]
    which, first = core.factorize(identify(names)[0])
    position = first[which]  # where the element's name stands first, of u's names and then v's
    if not u.named:  # clusters and mappings have no name twice
        _refuse_repetition(names, position[: len(u)], "reference")
    if not v.named:
        own = core.factorize(np.ascontiguousarray(which[len(u) :]))
        _refuse_repetition(names[len(u) :], own[1][own[0]], "candidate")
    return np.where(position[len(u) :] < len(u), position[len(u) :], -1)


def _refuse_repetition(names: Sequence[Hashable], first: NDArray[np.int64], side: str) -> None:
    again = np.flatnonzero(first != np.arange(len(first)))
    if len(again):
        position = int(again[0])
        raise OverlapError(
            f"the {side}'s index holds {names[position]!r} twice, at positions {int(first[position])} and "
            f"{position}, so it cannot align by name; pass .to_numpy() to align by position"
        )


def _taken(codes: Codes, position: NDArray[np.int64]) -> Codes:
    """The codes at these positions; a cluster of its own for each position -1."""
    absent = position < 0
    if not len(codes):
        return np.arange(len(position))  # all were added
    return set_apart(codes[position], absent)


def _who_is_missing(u: Partition, v: Partition, only_u: NDArray[np.bool_], only_v: NDArray[np.bool_]) -> str:
    parts = []
    for side, partition, only in (("reference", u, only_u), ("candidate", v, only_v)):
        if only.any():
            names = few(partition.elements[i] for i in np.flatnonzero(only).tolist())
            parts.append(f"{int(only.sum()):,} only in the {side} ({names})")
    return f"the two partitions hold different elements: {' and '.join(parts)}"


def _without_noise(aligned: Aligned, u: Partition, v: Partition) -> Aligned:
    if u.dropped is None and v.dropped is None:
        return aligned
    size = len(aligned.reference)
    drop = np.zeros(size, dtype=bool)
    here = _or_range(aligned.reference_position, size)
    there = _or_range(aligned.candidate_position, size)
    for partition, position in ((u, here), (v, there)):
        if partition.dropped is not None:
            drop |= np.append(partition.dropped, False)[position]  # position -1 is an added element
    keep = ~drop
    return Aligned(
        np.asarray(aligned.reference)[keep],
        np.asarray(aligned.candidate)[keep],
        here[keep],
        there[keep],
        aligned.only_reference,
        aligned.only_candidate,
        int(drop.sum()),
        aligned.not_compared + int(drop.sum()),
    )


def _or_range(position: NDArray[np.int64] | None, size: int) -> NDArray[np.int64]:
    return np.arange(size) if position is None else position
