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
from concordant.errors import LengthError, NothingLeftError, OverlapError, UnmatchedError, few
from concordant.partitions.labels import Codes, identify
from concordant.partitions.mismatch import THE_SIDES, none_common, nothing_left, refuse_other_types
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
        return without_dropped(_align_by_name(u, v, unmatched), u, v)
    if len(u) != len(v):
        raise LengthError(
            f"the reference has {counted(len(u), 'label')} and the candidate {len(v):,}; labels align by "
            "position, so both need one for each element; name the elements on both sides to align by name"
        )
    return without_dropped(Aligned(u.codes, v.codes), u, v)


def _by_name(u: Partition, v: Partition) -> bool:
    if u.elements is not None and v.elements is not None:
        return not same_order(u.elements, v.elements)
    if u.named or v.named:
        named, bare = ("reference", "candidate") if u.named else ("candidate", "reference")
        raise UnmatchedError(
            f"the {named} names its elements and the {bare} does not; name them on both sides, or give "
            "labels in the same order on both"
        )
    if u.elements is not None or v.elements is not None:
        indexed, bare = THE_SIDES if u.elements is not None else THE_SIDES[::-1]
        refuse_shuffled_index(u.elements if v.elements is None else v.elements, indexed, bare)
    return False


def refuse_shuffled_index(index: Any, indexed: str, bare: str) -> None:
    """Refuse the index of a Series beside labels that have none, unless its order is the usual one.

    A frame that was shuffled keeps its index, and labels without one may be in the order of either.
    """
    if not index.is_monotonic_increasing:
        raise UnmatchedError(
            f"{indexed} is a Series whose index is not in ascending order ({few(index)}), and {bare} has no "
            f"index to align with it; pass .to_numpy() of {indexed} to align by position, or give {bare} an "
            "index too, as a Series"
        )


def same_order(first: Any, second: Any) -> bool:
    """Whether two lists of names hold the same in the same order."""
    if first is second:
        return True
    if hasattr(first, "equals") and hasattr(second, "equals"):
        return bool(first.equals(second))
    return bool(len(first) == len(second) and list(first) == list(second))


def _align_by_name(u: Partition, v: Partition, unmatched: Unmatched) -> Aligned:
    found = _found(u, v)
    missed, extra = unmatched_positions(found, len(u))
    if len(missed) and len(extra):
        refuse_other_types(
            [u.elements[i] for i in missed.tolist()],
            [v.elements[i] for i in extra.tolist()],
            any_common=len(missed) < len(u),
        )
    if unmatched == "error" and (len(missed) or len(extra)):
        raise UnmatchedError(_who_is_missing(u, v, missed, extra), remedies=remedies.FOR_UNMATCHED)
    return laid_side_by_side((u, v), found, unmatched)


def unmatched_positions(found: NDArray[np.int64], length: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """What only the reference holds, of that length, and what only the candidate holds."""
    in_both = found >= 0
    missed = np.ones(length, dtype=bool)
    missed[found[in_both]] = False
    return np.flatnonzero(missed), np.flatnonzero(~in_both)


def laid_side_by_side(
    partitions: tuple[Partition, Partition], found: NDArray[np.int64], unmatched: Unmatched
) -> Aligned:
    """Both partitions in one order; ``found`` is for each element of the candidate its position in the
    reference, or -1. Unmatched elements are left out, or stand alone where they are lacking.
    """
    u, v = partitions
    missed, extra = unmatched_positions(found, len(u))
    here, there = (found, np.arange(len(found))) if not len(extra) else _in_both(found)
    if unmatched in ("singletons", "keep"):  # which were added is told by their positions
        here = np.concatenate([here, missed, np.full(len(extra), -1)])
        there = np.concatenate([there, np.full(len(missed), -1), extra])
    only = (len(missed), len(extra))
    left_out = sum(only) if unmatched == "drop" else 0
    return Aligned(_taken(u.codes, here), _taken(v.codes, there), here, there, *only, not_compared=left_out)


def _in_both(found: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    there = np.flatnonzero(found >= 0)
    return found[there], there


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


def _who_is_missing(u: Partition, v: Partition, missed: NDArray[np.int64], extra: NDArray[np.int64]) -> str:
    parts = []
    for side, partition, only in (("reference", u, missed), ("candidate", v, extra)):
        if len(only):
            names = few(partition.elements[int(i)] for i in only)
            parts.append(f"{len(only):,} only in the {side} ({names})")
    return f"the two partitions hold different elements: {' and '.join(parts)}"


def _nothing_left(aligned: Aligned, u: Partition, v: Partition) -> NothingLeftError:
    policies, reasons = {}, []
    if aligned.only_reference or aligned.only_candidate:
        policies["unmatched"] = "drop"
        if aligned.only_reference == len(u) or aligned.only_candidate == len(v):
            reasons.append(none_common(u.elements, v.elements))
        else:
            reasons.append(f"{aligned.only_reference + aligned.only_candidate:,} are on one side only")
    if aligned.noise_dropped:
        noise = [0 if x.noise is None or x.noise.treatment != "drop" else x.noise.found for x in (u, v)]
        dropped = [0 if x.dropped is None else int(x.dropped.sum()) for x in (u, v)]
        policies |= {"noise_as": "drop"} if any(noise) else {}
        policies |= {"nulls": "drop"} if dropped != noise else {}
        which = "the label that means noise" if dropped == noise else "a null label"
        if any(noise) and dropped != noise:
            which += ", or the one that means noise"
        reasons.append(f"{counted(aligned.noise_dropped, 'element')} had {which}")
    return nothing_left(policies, (len(u), len(v)), ", and ".join(reasons))


def without_dropped(aligned: Aligned, u: Partition, v: Partition) -> Aligned:
    """Without the elements that one of the partitions says to leave out; an error where none is left."""
    if u.dropped is not None or v.dropped is not None:
        aligned = _kept(aligned, u, v)
    if not len(aligned.reference) and (len(u) or len(v)):
        raise _nothing_left(aligned, u, v)
    return aligned


def _kept(aligned: Aligned, u: Partition, v: Partition) -> Aligned:
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
