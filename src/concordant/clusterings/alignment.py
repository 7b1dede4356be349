"""The alignment of two partitions, by name or by position, and the errors if they have nothing in common.

A policy that drops elements must not drop them all silently, since two empty sides would score as
perfect. Two sides that were empty to begin with are equal, and are compared.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from copy import copy
from dataclasses import dataclass
from numbers import Number
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from concordant import core
from concordant.clusterings.clustering import Clustering, names_of
from concordant.clusterings.labels import (
    Codes,
    Coordinates,
    MemoryLabels,
    PartitionData,
    identify,
    set_apart,
)
from concordant.errors import (
    LabelError,
    LengthError,
    NothingLeftError,
    OverlapError,
    ParameterError,
    ShapeError,
    UnmatchedError,
    few,
    kind_of,
)
from concordant.foundation import remedies
from concordant.foundation.conventions import Unmatched
from concordant.foundation.spelling import counted, verb
from concordant.sources.descriptions import short_floats

THE_SIDES = ("the reference", "the candidate")


def nothing_left(
    policies: Mapping[str, str],
    sizes: tuple[int, int],
    why: str = "",
    sides: tuple[str, str] = THE_SIDES,
) -> NothingLeftError:
    """The error for two sides that have elements, all of which these policies leave out.

    >>> print(nothing_left({"unmatched": "drop"}, (2, 1), "none is on both sides"))
    unmatched='drop': this leaves nothing to compare; the reference has 2 records and the candidate 1: \
none is on both sides
    """
    had = f"{sides[0]} has {counted(sizes[0], 'record')} and {sides[1]} {sizes[1]:,}"
    left = "this leaves nothing to compare" if policies else "nothing is left to compare"
    return NothingLeftError(f"{left}; {had}{': ' if why else ''}{why}", given=dict(policies))


def none_common(reference: Iterable[Any], candidate: Iterable[Any]) -> str:
    """A message that no name is on both sides, with a few of each, and those that differ only in spelling.

    >>> none_common(["a1", "a2"], ["A1 ", "A2"])
    "none is on both sides ('a1', 'a2' against 'A1 ', 'A2'); some differ only in spelling: 'a1' and 'A1 '"
    """
    u, v = list(reference), list(candidate)
    said = f"none is on both sides ({few(u) or 'none'} against {few(v) or 'none'})"
    plainly = {_plainly(name): name for name in v}
    alike = next((name for name in u if _plainly(name) in plainly), None)
    if alike is None:
        return said
    return f"{said}; some differ only in spelling: {few([alike])} and {few([plainly[_plainly(alike)]])}"


def refuse_other_types(
    reference: list[Any],
    candidate: list[Any],
    any_common: bool,
    sides: tuple[str, str] = THE_SIDES,
) -> None:
    """Refuse unmatched names that are numbers on one side and text on the other: 1 is not "1".

    If no names are common, different kinds are enough; else the names must look the same.
    """
    kinds = _kinds(reference), _kinds(candidate)
    if kinds[0] == kinds[1] or not (kinds[0] and kinds[1]):
        return
    if any_common or kinds[0] & kinds[1]:
        by_text = {str(name): name for name in candidate}
        pairs = [(name, by_text[str(name)]) for name in reference if str(name) in by_text]
        pairs = [(one, other) for one, other in pairs if _kind(one) != _kind(other)]
        reference, candidate = [one for one, _ in pairs], [other for _, other in pairs]
    if reference:
        raise UnmatchedError(
            f"the names of records have different types, so they never match: those of {sides[0]} are "
            f"{_listed(_kinds(reference))} ({few(reference)}), those of {sides[1]} are "
            f"{_listed(_kinds(candidate))} ({few(candidate)}); convert one of them, for instance with str"
        )


def _kinds(names: list[Any]) -> set[str]:
    types = set(map(type, names))
    if any(issubclass(each, tuple) for each in types):
        return set(map(_kind, names))
    return {_kind_of_type(each) for each in types}


def _kind(name: Any) -> str:
    if isinstance(name, tuple):
        return f"({', '.join(map(_kind, name))})"
    return _kind_of_type(type(name))


def _kind_of_type(kind: type) -> str:
    """Objects of different kinds are never equal; all numbers are of one kind, since 1 equals 1.0."""
    if issubclass(kind, Number) or hasattr(kind, "__index__"):
        return "numbers"
    if issubclass(kind, str):
        return "text"
    return kind.__name__


def _listed(kinds: set[str]) -> str:
    return " and ".join(sorted(kinds))


def _plainly(name: Any) -> str:
    """A name without its type, case, spaces and leading zeros, which programs write differently."""
    text = name.decode("utf-8", "replace") if isinstance(name, bytes) else str(name)
    return "".join(text.split()).casefold().lstrip("0").removesuffix(".0")


def lacks_records(names: Sequence[Any], why: str) -> UnmatchedError:
    """The error for labelled records that the candidate lacks."""
    return UnmatchedError(
        f"the candidate {why} and lacks {counted(len(names), 'labelled record')} ({few(names)}); an "
        "estimate needs every record of a labelled cluster: add them to the candidate, or leave the whole "
        "cluster out of the sample if they are missing for a reason unrelated to the clustering"
    )


Positions: TypeAlias = NDArray[np.signedinteger[Any]]

_AUDITED = ("only_reference", "only_candidate", "noise_dropped", "masked", "not_compared")


DroppedCodes = tuple[int | None, int | None]  # of each side, None where nothing is dropped
NONE_DROPPED: Final[DroppedCodes] = (None, None)


@dataclass(slots=True)
class Aligned:
    """Two partitions aligned element by element, and how they were aligned."""

    reference: Codes
    candidate: Codes
    # Position of each element in the input, -1 if it was added; None: in input order.
    reference_position: Positions | None = None
    candidate_position: Positions | None = None
    only_reference: int = 0
    only_candidate: int = 0
    noise_dropped: int = 0
    masked: int = 0  # elements that the mask leaves out
    not_compared: int = 0  # elements that were left out, for whatever reason
    # Elements that are still there, to be left out by their codes when they are counted.
    dropped_codes: DroppedCodes = NONE_DROPPED
    null_dropped: int = 0  # elements with a null label that were left out
    _kept: Aligned | None = None

    @property
    def kept(self) -> Aligned:
        """Without the elements that are to be left out by their codes; these are removed on first use."""
        if self.dropped_codes == NONE_DROPPED:
            return self
        if self._kept is None:
            keep = np.ones(len(self.reference), dtype=bool)
            for codes, dropped in zip((self.reference, self.candidate), self.dropped_codes, strict=True):
                if dropped is not None:
                    keep &= codes != dropped
            place = np.flatnonzero(keep)
            self._kept = Aligned(self.reference[place], self.candidate[place], place, place)
        return self._kept

    @property
    def has_unmatched(self) -> bool:
        """Whether one side had elements that the other lacks."""
        return bool(self.only_reference or self.only_candidate)

    @property
    def audit(self) -> dict[str, int]:
        """The numbers of dropped and added elements, under the names of the signature."""
        if self.reference_position is None:  # all in input order
            return {}
        found = {name: getattr(self, name) for name in _AUDITED}
        return {name: number for name, number in found.items() if number}


def with_labels(sides: Aligned, reference: Codes | None, candidate: Codes | None) -> Aligned:
    """The same elements in other clusters, given by position in the input; None: unchanged.

    Elements that were added stay singletons.
    """
    here, there = sides.reference_position, sides.candidate_position
    u, v = (
        own if given is None else given if place is None else _taken(given, place)
        for own, given, place in ((sides.reference, reference, here), (sides.candidate, candidate, there))
    )
    return Aligned(u, v, here, there)


def align(
    reference: MemoryLabels,
    candidate: MemoryLabels,
    unmatched: Unmatched = "error",
    where: Any = None,
    *,
    drop_in_counting: bool = False,
) -> Aligned:
    """Align two partitions, by name if they have names, else by position.

    ``where`` is a mask of the elements to keep. Images have one order, as ``in_one_order`` makes them. With
    ``drop_in_counting``, noise to drop may stay, and ``dropped_codes`` lists its codes.
    """
    if (reference.elements is not None or candidate.elements is not None) and _by_name(reference, candidate):
        if where is not None:
            raise ParameterError(
                "where= is a mask by position, and these records align by name; leave the others out of "
                "both sides instead"
            )
        return without_dropped(_align_by_name(reference, candidate, unmatched), reference, candidate)
    if len(reference.codes) != len(candidate.codes):
        raise LengthError(
            f"the reference has {counted(len(reference), 'label')} and the candidate {len(candidate):,}; "
            "labels align by position, so both need one for each record; name the records on both sides to "
            "align by name"
        )
    aligned = Aligned(reference.codes, candidate.codes)
    u_by_mask = reference.dropped_mask is not None and reference.dropped_code is None
    v_by_mask = candidate.dropped_mask is not None and candidate.dropped_code is None
    if drop_in_counting and where is None and not (u_by_mask or v_by_mask):
        aligned.dropped_codes = reference.dropped_code, candidate.dropped_code
        return aligned
    return without_dropped(
        aligned, reference, candidate, None if where is None else mask_of(where, reference)
    )


def refuse_unmatched(unmatched: Unmatched, *partitions: PartitionData) -> None:
    """Refuse ``unmatched=`` for partitions that align by position, since every element has a partner then."""
    if unmatched == "error":
        return
    for each in partitions:
        if not each.aligns_by_name:
            raise none_unmatched(unmatched)


def none_unmatched(unmatched: Unmatched) -> ParameterError:
    """The error for ``unmatched=`` if elements align by position."""
    return ParameterError(
        "these labels align by position, so no record is unmatched; to align by name, pass mappings, Series "
        "with an index, or dataframes and files with a record column on both sides",
        given={"unmatched": unmatched},
    )


def refuse_nothing_left(dropped: int, reference: MemoryLabels, candidate: MemoryLabels) -> None:
    """Refuse two sides that have nothing left after noise was dropped."""
    if dropped and dropped == len(reference):
        raise _nothing_left(
            Aligned(reference.codes, candidate.codes, noise_dropped=dropped), reference, candidate
        )


def in_one_order(partitions: Sequence[MemoryLabels], names: Sequence[str] = THE_SIDES) -> list[MemoryLabels]:
    """Images of one shape with their voxels in the order of the first; other labels are unchanged."""
    if not any(each.is_image for each in partitions):
        return list(partitions)
    shapes = [each.elements.shape if each.is_image else (len(each),) for each in partitions]
    other = next((place for place, shape in enumerate(shapes) if shape != shapes[0]), None)
    if other is not None:
        raise ShapeError(
            f"{names[0]} has the shape {shapes[0]} and {names[other]} {shapes[other]}; images are compared "
            "voxel by voxel and never broadcast, so give both the same shape"
        )
    order: Coordinates = partitions[0].elements
    ordered = []
    for image in partitions:
        held = image.elements
        if held.equals(order):
            ordered.append(image)
            continue
        laid = copy(image)
        laid.elements, laid.first = order, None
        for name in ("codes", "originals", "dropped_mask", "null"):
            flat = getattr(image, name)
            setattr(laid, name, None if flat is None else order.flat(held.image(np.asarray(flat))))
        if image.originals is image.codes:
            laid.originals = laid.codes
        ordered.append(laid)
    return ordered


def mask_of(where: Any, partition: MemoryLabels) -> NDArray[np.bool_]:
    """The mask of the elements to keep, in their order."""
    if not partition.is_image and hasattr(where, "items"):
        where = values_of(partition, where, "where", "value")
    mask = np.asarray(where)
    if mask.dtype != np.bool_:
        raise ParameterError(
            f"where= is a mask of True and False, not of {mask.dtype}; pass for instance where=mask != 0"
        )
    shape = partition.elements.shape if partition.is_image else (len(partition),)
    if mask.shape != shape:
        raise ShapeError(f"the mask where= has the shape {mask.shape}, and the labels have {shape}")
    return partition.elements.flat(mask) if partition.is_image else mask


def _by_name(reference: MemoryLabels, candidate: MemoryLabels) -> bool:
    if reference.elements is not None and candidate.elements is not None:
        return not same_order(reference.elements, candidate.elements)
    if reference.named or candidate.named:
        named, bare = ("reference", "candidate") if reference.named else ("candidate", "reference")
        raise UnmatchedError(
            f"the {named} names its records and the {bare} does not; name them on both sides, or give "
            "labels in the same order on both"
        )
    if reference.elements is not None or candidate.elements is not None:
        indexed, bare = THE_SIDES if reference.elements is not None else THE_SIDES[::-1]
        refuse_shuffled_index(
            reference.elements if candidate.elements is None else candidate.elements, indexed, bare
        )
    return False


def refuse_shuffled_index(index: Any, indexed: str, bare: str) -> None:
    """Refuse the index of a Series beside labels without an index, unless it is in ascending order.

    A reordered frame keeps its index, and labels without one may be in the old or the new order.
    """
    if not index.is_monotonic_increasing:
        raise UnmatchedError(
            f"{indexed} is a Series whose index is not in ascending order ({few(index)}), and {bare} has no "
            f"index to align with it; pass .to_numpy() of {indexed} to align by position, or give {bare} an "
            "index too, as a Series"
        )


def same_order(first: Any, second: Any) -> bool:
    """Whether two lists have the same names in the same order."""
    if first is second:
        return True
    if hasattr(first, "equals") and hasattr(second, "equals"):
        return bool(first.equals(second))
    return bool(len(first) == len(second) and list(first) == list(second))


def _align_by_name(reference: MemoryLabels, candidate: MemoryLabels, unmatched: Unmatched) -> Aligned:
    names = [*reference.elements, *candidate.elements]
    which, first = core.factorize(identify(names)[0])
    position = first[which]  # of the first occurrence of each name, among the names of u and then of v
    if not reference.named:  # clusters and mappings have no name twice
        _refuse_repetition(names, position[: len(reference)], "reference")
    if not candidate.named:
        own = core.factorize(np.ascontiguousarray(which[len(reference) :]))
        _refuse_repetition(names[len(reference) :], own[1][own[0]], "candidate")
    partner = position[len(reference) :]
    in_both = partner < len(reference)
    is_missed = np.ones(len(reference), dtype=bool)
    is_missed[partner[in_both]] = False
    missed, extra = np.flatnonzero(is_missed), np.flatnonzero(~in_both)
    if len(missed) and len(extra):
        refuse_other_types(
            [reference.elements[i] for i in missed.tolist()],
            [candidate.elements[i] for i in extra.tolist()],
            any_common=len(missed) < len(reference),
        )
    if unmatched == "error" and (len(missed) or len(extra)):
        parts = []
        for side, partition, only in (("reference", reference, missed), ("candidate", candidate, extra)):
            if len(only):
                some = few(partition.elements[int(i)] for i in only)
                parts.append(f"{len(only):,} only in the {side} ({some})")
        raise UnmatchedError(
            f"the two partitions contain different records: {' and '.join(parts)}",
            remedies=remedies.FOR_UNMATCHED,
        )
    shared = partner[in_both], np.flatnonzero(in_both)
    return laid_side_by_side((reference, candidate), shared, (missed, extra), unmatched)


def laid_side_by_side(
    partitions: tuple[MemoryLabels, MemoryLabels],
    shared: tuple[Positions, Positions],
    unshared: tuple[Positions, Positions],
    unmatched: Unmatched,
    threads: int = 0,
) -> Aligned:
    """Both partitions in one order; unmatched elements are left out, or become singletons of the other side.

    ``shared`` has the positions on each side of the elements that both sides have, ``unshared`` those of the
    elements of one side only.
    """
    (u, v), (here, there), (missed, extra) = partitions, shared, unshared
    if unmatched not in ("singletons", "keep"):
        taken = core.gather(u.codes, here, threads), core.gather(v.codes, there, threads)
        left_out = len(missed) + len(extra)
        return Aligned(*taken, here, there, len(missed), len(extra), not_compared=left_out)
    # The added ones are known by their positions.
    here = np.concatenate([here, missed, np.full(len(extra), -1)])
    there = np.concatenate([there, np.full(len(missed), -1), extra])
    taken = _taken(u.codes, here, threads), _taken(v.codes, there, threads)
    return Aligned(*taken, here, there, len(missed), len(extra))


def _refuse_repetition(names: Sequence[Hashable], first: NDArray[np.int64], side: str) -> None:
    again = np.flatnonzero(first != np.arange(len(first)))
    if len(again):
        position = int(again[0])
        raise OverlapError(
            f"the {side}'s index contains {names[position]!r} twice, at positions {int(first[position])} and "
            f"{position}, so it cannot align by name; pass .to_numpy() to align by position"
        )


def _taken(codes: Codes, position: Positions, threads: int = 0) -> Codes:
    """The codes at these positions; each position -1 gets its own cluster."""
    absent = position < 0
    if not len(codes):
        return np.arange(len(position))  # all were added
    if not absent.any():
        return core.gather(codes, position, threads)
    taken, top = codes[position], int(codes.max())
    if taken.dtype != np.int64 or top >= 2**62:
        return set_apart(taken, absent)
    taken[absent] = np.arange(top + 1, top + 1 + int(absent.sum()))
    return taken


def _nothing_left(aligned: Aligned, reference: MemoryLabels, candidate: MemoryLabels) -> NothingLeftError:
    policies, reasons = {}, []
    if aligned.only_reference or aligned.only_candidate:
        policies["unmatched"] = "drop"
        if aligned.only_reference == len(reference) or aligned.only_candidate == len(candidate):
            reasons.append(none_common(reference.elements, candidate.elements))
        else:
            reasons.append(f"{aligned.only_reference + aligned.only_candidate:,} are on one side only")
    if dropped_labels := aligned.noise_dropped + aligned.null_dropped:
        noise = [
            0 if x.noise is None or x.noise.treatment != "drop" else x.noise.found
            for x in (reference, candidate)
        ]
        dropped = [0 if x.dropped is None else int(x.dropped.sum()) for x in (reference, candidate)]
        policies |= {"noise_as": "drop"} if any(noise) else {}
        policies |= {"nulls": "drop"} if dropped != noise else {}
        which = "the label that means noise" if dropped == noise else "a null label"
        if any(noise) and dropped != noise:
            which += ", or the one that means noise"
        reasons.append(f"{counted(dropped_labels, 'record')} had {which}")
    if aligned.masked:
        reasons.append(f"the mask where= leaves out {counted(aligned.masked, 'record')}")
    return nothing_left(policies, (len(reference), len(candidate)), ", and ".join(reasons))


def without_dropped(
    aligned: Aligned,
    reference: MemoryLabels,
    candidate: MemoryLabels,
    mask: NDArray[np.bool_] | None = None,
) -> Aligned:
    """Without the elements that a partition or the mask excludes; an error if none is left."""
    if reference.dropped is not None or candidate.dropped is not None or mask is not None:
        size = len(aligned.reference)
        left_out = np.zeros((2, size), dtype=bool)  # dropped at all, and for a null label
        places = aligned.reference_position, aligned.candidate_position
        for partition, place in zip((reference, candidate), places, strict=True):
            null_dropped = partition.null if partition.nulls == "drop" else None
            for row, own in enumerate((partition.dropped, null_dropped)):
                if own is not None:  # position -1 is an added element
                    left_out[row] |= own if place is None else np.append(own, False)[place]
        drop, null = left_out
        inside = np.ones(size, dtype=bool) if mask is None else mask
        keep = inside & ~drop
        masked, noise = size - int(np.count_nonzero(inside)), int(np.count_nonzero(inside & drop & ~null))
        kept = int(np.count_nonzero(keep))
        position = np.flatnonzero(keep)
        here, there = (position if place is None else place[keep] for place in places)
        aligned = Aligned(
            np.asarray(aligned.reference)[keep],
            np.asarray(aligned.candidate)[keep],
            here,
            there,
            aligned.only_reference,
            aligned.only_candidate,
            noise,
            masked,
            aligned.not_compared + size - kept,
            null_dropped=int(np.count_nonzero(inside & null)),
        )
    if not len(aligned.reference) and (len(reference) or len(candidate)):
        raise _nothing_left(aligned, reference, candidate)
    return aligned


def order_of(elements: Any, size: int) -> Any:
    """The names of the records of an input in its order: a range, or the index of a Series.

    None for names of a mapping, of clusters or of a table: whoever gave these gives values by name.
    """
    if elements is None:
        return range(size)
    return elements if hasattr(elements, "is_monotonic_increasing") else None


def values_of(partition: MemoryLabels, given: Any, option: str, noun: str) -> list[Any] | NDArray[Any]:
    """The value of each record of a partition, as `values_by_record` gives it."""
    size, order, places = len(partition), partition.order, None
    if order is None:
        order, places = order_of(partition.elements, size), np.arange(size)
    names = names_of(partition.elements, size)
    return values_by_record(names, given, option, noun, order=order, places=places)


def values_by_record(
    records: Sequence[Any],
    given: Any,
    option: str,
    noun: str,
    *,
    order: Any,
    places: NDArray[Any] | None = None,
) -> list[Any] | NDArray[Any]:
    """The value of each record: by name from a mapping or a Series, otherwise in the order of the input.

    ``order`` has the names of the input, a range if they are positions, and is None if the input has none.
    ``places`` are the places of the records in it; by default, they are found by name. ``noun`` is the word
    for a value in messages. Numbers and strings of an array stay in one.

    >>> values_by_record(["b", "a"], {"a": 1, "b": 2}, "weights", "weight", order=None)
    [2, 1]
    >>> values_by_record([2, 0], [5, 6, 7], "weights", "weight", order=range(3))
    [7, 5]
    """
    said = {option: ...}
    words = f"give the {noun} of each record: a mapping, or a sequence in the order of the reference"
    if hasattr(type(given), "columns"):
        raise ParameterError(f"{words}, not a dataframe; pick a column of it", given=said)
    is_series = hasattr(given, "index") and hasattr(given, "items") and not isinstance(given, Mapping)
    if isinstance(given, Mapping) or (is_series and not _is_in_order(given, order, option)):
        if is_series and not given.index.is_unique:
            again = given.index[given.index.duplicated()].tolist()[0]
            raise LabelError(f"the index contains {again!r} twice; keep one row for each record", given=said)
        short = short_floats(given) if is_series else None
        by_name = dict(given.items() if short is None else zip(given.index, short, strict=True))
        missing = next((name for name in records if name not in by_name), None)
        if missing is not None:
            raise LabelError(f"there is no {noun} for the record {missing!r}", given=said)
        return [by_name[name] for name in records]
    if isinstance(given, AbstractSet | str | bytes | Clustering) or not isinstance(given, Iterable):
        raise ParameterError(f"{words}, not {kind_of(given)}", given=said)
    given = given if (short := short_floats(given)) is None else short
    given = given.to_pylist() if hasattr(given, "to_pylist") else given  # Arrow's items are not numbers
    is_plain = type(given) is np.ndarray and given.ndim == 1 and given.dtype.kind in "biufUS"
    values: Any = given if is_plain else given.tolist() if hasattr(given, "tolist") else list(given)
    if order is None:
        raise ParameterError(
            f"the records have names, so pass the {noun}s by name: a mapping from record to {noun}"
        )
    if len(values) != len(order):
        raise LengthError(
            f"there {verb(len(values), 'are')} {counted(len(values), noun)} for "
            f"{counted(len(order), 'record')}; give one for each",
            given=said,
        )
    if places is None:
        if records is order or isinstance(records, range):
            whole: list[Any] | NDArray[Any] = values
            return whole
        place_of = {name: place for place, name in enumerate(order)}
        places = np.array([place_of.get(name, -1) for name in records], dtype=np.int64)
    if places.min(initial=0) < 0:
        lacking = records[int(np.flatnonzero(places < 0)[0])]
        raise LabelError(
            f"the record {lacking!r} is not in the reference; pass a mapping from record to {noun}",
            given=said,
        )
    return values[places] if is_plain else [values[place] for place in places.tolist()]


def _is_in_order(series: Any, order: Any, option: str) -> bool:
    """Whether the index of a Series has the names of the input in its order, or the input has no names."""
    if not isinstance(order, range):
        return order is not None and same_order(series.index, order)
    refuse_shuffled_index(series.index, f"{option}=", "the reference")
    return True
