"""Many partitions of one set, each read and encoded once, side by side: the input of every function of many.

Each is encoded as the narrowest integers that hold its clusters. Labels align by position; clusters,
mappings and pandas Series by name, and then a partition may lack records that others have. These are absent,
and the nulls and noise of a partition that drops them are dropped.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.clusterings.alignment import (
    in_one_order,
    mask_of,
    order_of,
    refuse_other_types,
    refuse_shuffled_index,
    same_order,
)
from concordant.clusterings.clustering import clustering_kind, data_of
from concordant.clusterings.coerce import (
    clusterings_of_table,
    column_of_each,
    columns_of_clusterings,
    labels_by_record,
    partition_of,
    refuse_memberships,
    refuse_unknown_columns,
)
from concordant.clusterings.cover_data import CoverData
from concordant.clusterings.detect import has_observations, is_on_device, is_table
from concordant.clusterings.labels import Codes, MemoryLabels, PartitionData
from concordant.clusterings.missing import conventions_in_words, warn_of_noise
from concordant.clusterings.partition_data import DevicePartition, SourcePartition
from concordant.clusterings.record_names import spelled
from concordant.counts.counted_sides import CountedSides
from concordant.engines.covers import in_memory
from concordant.engines.memory import noise_found
from concordant.errors import (
    CoverError,
    InputError,
    LengthError,
    NothingLeftError,
    OverlapError,
    ParameterError,
    Remedy,
    UnmatchedError,
    WeightsError,
    few,
    kind_of,
    warn,
)
from concordant.foundation.conventions import Conventions, Unmatched, report_unused_noise
from concordant.foundation.remedies import FOR_UNMATCHED
from concordant.foundation.spelling import counted
from concordant.sources.descriptions import Files, Frame
from concordant.sources.files import is_text, refuse_if_too_large


def named_partitions(
    partitions: Any, taker: str, conventions: Conventions, fewest: int = 2
) -> dict[str, MemoryLabels]:
    """The partitions of a mapping, a list or columns, by name and read into memory; ``taker`` is the caller.

    >>> list(named_partitions([[0, 0, 1], [0, 1, 1]], "matrix", Conventions()))
    ['0', '1']
    """
    read = read_partitions(partitions, taker, conventions, fewest)
    held = in_memory_by_name(read, taker, conventions)
    for name in (name for name, side in read.items() if isinstance(side, SourcePartition)):
        warn_of_noise(f"the clustering {name!r}", held[name])
    return held


def in_memory_by_name(
    read: Mapping[str, PartitionData], taker: str, conventions: Conventions
) -> dict[str, MemoryLabels]:
    """All in memory; dataframes and files are read there."""
    sources = [each for each in read.values() if isinstance(each, SourcePartition)]
    for each in sources:
        if each.record is None and not all(each.source.is_same(other.source) for other in sources):
            raise ParameterError(
                f"{each.source} has no record, and it is joined with others by record",
                remedies=[Remedy("name the column of the record, of each", record=...)],
            )
    refuse_if_too_large([(each.source, each.columns) for each in sources if isinstance(each.source, Files)])
    held = {}
    for name, side in read.items():
        data: PartitionData = side
        if isinstance(side, SourcePartition):
            data = replace(side, nulls=conventions.nulls or side.nulls)
        held[name] = data.in_memory(repr(name), taker)
    by_record = [name for name, side in read.items() if isinstance(side, SourcePartition) and side.record]
    _spell_records_alike({name: held[name] for name in by_record}, read)
    return held


def _spell_records_alike(held: Mapping[str, MemoryLabels], read: Mapping[str, Any]) -> None:
    """Record names as text if those of one source are: numbers of text files match by their spelling."""
    are_text = {name: is_text(read[name].source) for name in held}
    kinds = {type(next(iter(side.elements), "")) for side in held.values()}
    if not any(are_text.values()) or len(kinds) < 2 or str not in kinds:
        return
    for name, side in held.items():
        side.elements = list(map(str, side.elements)) if are_text[name] else spelled(side.elements)


def frames_of(sides: Sequence[Any], *, are_weighted: bool = False) -> list[Any] | None:
    """For each side its dataframe or None, if all sides are in memory; otherwise an engine counts them.

    Engines do not count weighted records of three sides, so lazy dataframes of these are read into memory.
    """
    frames = [each if isinstance(each, SourcePartition) else None for each in map(data_of, sides)]
    sources = [each.source for each in frames if each is not None]
    if all(isinstance(each, Frame) and each.is_eager for each in sources):
        return frames
    if are_weighted and all(isinstance(each, Frame) and not each.is_of_spark for each in sources):
        return [None] * len(frames)
    return None


def note_frames(known: CountedSides, frames: Sequence[Any]) -> None:
    """Remember the dataframes of both sides, whose columns slices and units may name."""
    if None not in frames:
        known.frames = frames[0], frames[1]


def read_partitions(
    partitions: Any, taker: str, conventions: Conventions, fewest: int = 2
) -> dict[str, PartitionData]:
    """The same partitions, in memory or not."""
    given, conventions = opened_many(partitions, taker, conventions, fewest)
    cover = next((name for name, each in given.items() if clustering_kind(each) == "cover"), None)
    if cover is not None:
        raise CoverError(
            f"{cover!r} is a Cover, whose clusters may overlap, and {taker} needs partitions; compare two at "
            "a time, concordant.compare(a, b).changes(), or all by an index, concordant.matrix(covers, "
            "'omega')"
        )
    refuse_memberships(*((f"the labels of {name!r}", each) for name, each in given.items()))
    read = {name: partition_of(each, conventions, f"the labels of {name!r}") for name, each in given.items()}
    for name, side in read.items():
        warn_of_noise(f"the clustering {name!r}", side, where=conventions.where)
    return read if conventions.where is None else masked(read, conventions.where)


def masked(read: Mapping[str, PartitionData], where: Any) -> dict[str, PartitionData]:
    """The records of a mask, which is in the order of the first of the partitions, or by name."""
    chosen: dict[str, MemoryLabels] = {}
    leader, kept = None, np.zeros(0, dtype=bool)
    for name, each in read.items():
        if not isinstance(each, MemoryLabels):
            raise ParameterError(
                "this needs labels in memory; filter files and arrays on a GPU before",
                given={"where": ...},
            )
        if leader is None:
            leader, kept = each, mask_of(where, each)
        own = kept
        if not _in_same_order(leader, each):
            value = dict(zip(leader.elements, kept.tolist(), strict=True))
            own = np.array([value.get(element, True) for element in each.elements], dtype=bool)
        if len(own) != len(each):
            raise LengthError(
                f"where= has {counted(len(own), 'value')} and {name!r} has {counted(len(each), 'label')}"
            )
        names = range(len(each)) if each.elements is None else each.elements
        chosen[name] = _subset(each, np.flatnonzero(own), names)
    if len(kept) and not any(map(len, chosen.values())):
        raise NothingLeftError(
            "nothing is left: the mask where= leaves out every record; it is True for the records to keep"
        )
    return dict(chosen)


def opened_many(
    given: Any, taker: str, conventions: Conventions, fewest: int = 2
) -> tuple[dict[str, Any], Conventions]:
    """The clusterings by name, of which some may be columns of tables, and what remains to be agreed on.

    >>> import polars
    >>> frame = polars.DataFrame({"id": list("xyz"), "a": [1, 1, 2], "b": [1, 2, 2]})
    >>> opened_many(frame, "matrix", Conventions(record="id"))[0]["b"]
    {'x': 1, 'y': 2, 'z': 2}
    """
    columns = conventions.columns
    if is_table(given):
        names = columns_of_clusterings(given, conventions)
        weighing = conventions.weights if isinstance(conventions.weights, str) else None
        if columns is None and weighing is not None:
            names = [name for name in names if name != weighing]
        listed = labels_of_table(given, names, conventions.record, are_named=columns is not None)
        if weighing is not None:
            (weights,) = labels_of_table(given, [weighing], conventions.record)
            conventions = replace(conventions, weights=weights)
        named = _checked(list(map(str, names)), listed, taker, fewest)
        conventions = replace(conventions, columns=None, record=None)
    else:
        named = _named(given, taker, fewest)
        if columns is not None or conventions.record is not None:
            of_each = column_of_each(list(named.values()), list(named), conventions)
            for (name, each), column in zip(list(named.items()), of_each, strict=True):
                if column is not None:
                    named[name] = labels_of_table(each, [column], conventions.record)[0]
            conventions = replace(conventions, columns=None, record=None)
    if conventions.names is not None:
        named = dict(zip(conventions.checked_names(list(named)), named.values(), strict=True))
    return named, replace(conventions, names=None)


def words_of(conventions: Conventions, read: Iterable[Any]) -> str:
    """The conventions that are not the usual ones, with the mask of the records."""
    mask = "" if conventions.where is None else "where=mask"
    return " | ".join(filter(None, [conventions_in_words(conventions, read), mask]))


def labels_of_table(
    table: Any, columns: Sequence[str], record: str | None, *, are_named: bool = True
) -> list[Any]:
    """Columns of one table as labels in memory, by record if its column is named.

    If nobody named the columns, those that contain measurements are refused.
    """
    from narwhals.stable import v2 as narwhals  # imported here to keep `import concordant` fast

    if has_observations(table):
        return clusterings_of_table(table, columns, Conventions(record=record))
    try:
        frame = narwhals.from_native(table)
    except narwhals.exceptions.DuplicateError as error:
        raise InputError("two columns of the dataframe have the same name; give each its own name") from error
    known = frame.collect_schema().names()
    needed = list(dict.fromkeys([*columns, *filter(None, [record])]))
    refuse_unknown_columns(known, needed)
    if Frame(table).is_of_spark:
        raise InputError(
            f"{Frame(table)} is on a cluster; write it to Parquet files, and pass Partition.scan of these"
        )
    if isinstance(frame, narwhals.LazyFrame):
        frame = frame.select(needed).collect()
    if not are_named:
        for name in columns:
            _refuse_measurements(frame[name])
    return labels_by_record(frame, columns, record)


def _refuse_measurements(column: Any) -> None:
    """Refuse a column of fractions, and warn if nearly each row has its own value: it may be an id."""
    advice = "name the columns that contain clusters, as in columns=['a', 'b']"
    if column.dtype.is_float():
        values = column.drop_nulls().to_numpy()
        fractions = values[np.isfinite(values) & (values != np.floor(values))]
        if len(fractions):
            raise ParameterError(
                f"the column {column.name!r} has values such as {fractions[0]:g}, so it is a measurement and "
                f"not a clustering; {advice}"
            )
    rows, distinct = len(column), column.n_unique()
    if rows >= _FEW_ROWS and distinct > _NEARLY_ALL * rows:
        warn(
            f"the column {column.name!r} has {distinct:,} different values in {rows:,} rows, so it compares "
            f"as {distinct:,} clusters; if it is not a clustering, {advice}"
        )


_FEW_ROWS, _NEARLY_ALL = 20, 0.9  # from which on, and of which share of the rows, values are those of ids


def named_covers(given: Mapping[str, Any], conventions: Conventions) -> dict[str, CoverData] | None:
    """All as covers by name, where one of them is a cover; None where none is.

    >>> from concordant.clusterings.cover import Cover
    >>> named_covers({"a": Cover.of([{1, 2}, {2, 3}])}, Conventions())
    {'a': <Cover of 3 records, 2 clusters, 4 memberships>}
    """
    if all(clustering_kind(each) != "cover" for each in given.values()):
        return None
    covers = {
        name: CoverData.of_unnamed_kind(each, conventions, f"the cover {name!r}")
        for name, each in given.items()
    }
    return dict(zip(covers, in_memory([*covers.values()]), strict=True))


def are_on_device(partitions: Mapping[str, PartitionData]) -> bool:
    """Whether all partitions are on a GPU; an error if only some are."""
    there = {name: isinstance(each, DevicePartition) for name, each in partitions.items()}
    if any(there.values()) and not all(there.values()):
        on_device, elsewhere = (
            next(name for name in there if there[name] is place) for place in (True, False)
        )
        raise InputError(
            f"{on_device!r} is on a GPU and {elsewhere!r} is not; copy all to the GPU, or all to the "
            "host; data is never copied implicitly"
        )
    return all(there.values())


ABSENT, DROPPED = -1, -2  # codes of records that only other partitions have, and of those to leave out
_NOWHERE: NDArray[np.int64] = np.empty(0, dtype=np.int64)

FOR_ABSENT = (
    Remedy("leave them out, pair by pair", unmatched="drop"),
    Remedy("make each a singleton where it is missing", unmatched="singletons"),
)


@dataclass(frozen=True, slots=True)
class AlignedCodes:
    """Many partitions over the records of all: the cluster of each record, ABSENT or DROPPED.

    Clusters count from 0, in the order in which their own partition has them.
    """

    partitions: Mapping[str, MemoryLabels]  # labels in the order of the records, unless they have places
    codes: Sequence[Codes]  # of each partition; unsigned where it has every record in a cluster
    first: Sequence[NDArray[np.int64]]  # where in its own partition each cluster first appears
    records: Sequence[Any]
    places: Sequence[NDArray[np.int64] | None]  # of the labels among the records, if these align by name

    @property
    def are_whole(self) -> bool:
        """Whether every partition has every record in a cluster."""
        return all(held_of(codes) is None for codes in self.codes)

    def without_cluster(self, names: Iterable[str]) -> dict[str, int]:
        """The number of records that each of the partitions, by these names, has in no cluster."""
        held = [held_of(codes) for codes in self.codes]
        return {
            name: int(np.count_nonzero(~each))
            for name, each in zip(names, held, strict=True)
            if each is not None
        }

    def in_common(self, conventions: Conventions, purpose: str) -> tuple[list[MemoryLabels], Sequence[Codes]]:
        """The partitions and their codes on the records that all of them put in a cluster, in one order.

        Records keep their names, or else their positions in the labels of the caller. ``purpose`` is the
        verb of the error if no record is left.
        """
        listed = list(self.partitions.values())
        if self.are_whole and not any(map(_is_shuffled, self.places)):
            return listed, self.codes
        kept = np.logical_and.reduce([codes >= 0 for codes in self.codes])
        if not kept.any() and not self.are_whole:
            raise _nothing_left(self.partitions, conventions, purpose)
        common = []
        for each, place in zip(listed, self.places, strict=True):
            if place is None:
                common.append(_subset(each, np.flatnonzero(kept), self.records))
            else:
                order = np.argsort(place)
                common.append(_subset(each, order[kept[place[order]]], each.elements))
        return common, [codes[kept] for codes in self.codes]


def held_of(codes: Codes) -> NDArray[np.bool_] | None:
    """The records that are in a cluster; None means all."""
    if codes.dtype.kind == "u":
        return None
    held: NDArray[np.bool_] = codes >= 0
    return None if held.all() else held


def over_all(codes: Codes, places: NDArray[np.int64], size: int) -> Codes:
    """The codes at these places of all records, which are absent elsewhere."""
    spread = np.full(size, ABSENT, dtype=_signed(codes))
    spread[places] = codes
    return spread.astype(codes.dtype) if len(codes) == size else spread


def _signed(codes: Codes) -> np.dtype[Any]:
    """The narrowest type for these codes and negative ones."""
    return np.promote_types(codes.dtype, np.int8)


def _is_shuffled(places: NDArray[np.int64] | None) -> bool:
    return places is not None and bool((np.diff(places) < 0).any())


def align_all(
    partitions: Mapping[str, MemoryLabels],
    unmatched: Unmatched,
    remedies: Sequence[Remedy] = FOR_ABSENT,
    numbered: int | None = None,
) -> AlignedCodes:
    """All partitions over the same records; a record that one lacks is an error, or absent.

    ``remedies`` are the fixes that the caller offers for such records. If ``numbered`` is given, only that
    many partitions need clusters that count from 0: encoding the others takes as long as counting them.
    """
    report_unused_noise(noise_found(*(each.noise for each in partitions.values())))
    names = list(partitions)
    listed = in_one_order(list(partitions.values()), list(map(repr, names)))
    partitions = dict(zip(names, listed, strict=True))
    by_name = _by_name(partitions)
    if by_name:
        _refuse_other_types(partitions)
    else:
        _refuse_other_lengths(partitions)
    encoded = [
        _encoded(each, keeps_codes=not by_name and numbered is not None and place >= numbered)
        for place, each in enumerate(listed)
    ]
    codes, first = [own for own, _ in encoded], [place for _, place in encoded]
    if not by_name:
        named = next((each.elements for each in listed if each.elements is not None), None)
        records = range(len(listed[0])) if named is None else named
        return AlignedCodes(partitions, codes, first, records, [None] * len(listed))
    # The records of the first partition, followed by those that only later ones have.
    place_of: dict[Hashable, int] = {}
    places = [_places(place_of, each.elements, name) for name, each in partitions.items()]
    codes = [over_all(own, place, len(place_of)) for own, place in zip(codes, places, strict=True)]
    records = list(place_of)
    if unmatched == "keep":
        raise ParameterError(
            "many partitions share one set of records; compare two at a time to keep each side's own records",
            given={"unmatched": unmatched},
            remedies=FOR_UNMATCHED[:2],
        )
    if unmatched == "error":
        _refuse_absent(names, codes, records, remedies)
    return AlignedCodes(partitions, codes, first, records, places)


def _refuse_other_lengths(partitions: Mapping[str, MemoryLabels]) -> None:
    leader, size = next((name, len(partition)) for name, partition in partitions.items())
    for name, partition in partitions.items():
        if len(partition) != size:
            raise LengthError(
                f"{leader!r} has {counted(size, 'label')} and {name!r} has {len(partition):,}; labels align "
                "by position, so each needs one for each record; name the records to align by name"
            )


def _encoded(partition: MemoryLabels, *, keeps_codes: bool) -> tuple[Codes, NDArray[np.int64]]:
    """Codes from 0 in the narrowest type, which the core counts fastest, and where each first appears."""
    drops = partition.dropped is not None and partition.dropped.any()
    if keeps_codes and not drops:  # as unsigned numbers, of which none means absent
        codes = np.asarray(partition.codes)
        return codes.view(f"u{codes.itemsize}"), _NOWHERE
    kept, dense, first = partition.clusters_of_kept()
    codes = dense.astype(np.min_scalar_type(max(len(first) - 1, 0)))
    if kept is None or not drops:
        return codes, first
    spread = np.full(len(partition), DROPPED, dtype=_signed(codes))
    spread[kept] = codes
    return spread, first


def _nothing_left(
    partitions: Mapping[str, MemoryLabels], conventions: Conventions, purpose: str
) -> NothingLeftError:
    policies: dict[str, str | None] = {"unmatched": conventions.unmatched, "nulls": conventions.nulls}
    policies["noise_as"] = conventions.noise_as
    had = ", ".join(
        f"{name!r} has {len(each):,}{'' if each.elements is None else f' ({few(each.elements)})'}"
        for name, each in partitions.items()
    )
    every = "all three" if len(partitions) == 3 else "all of them"
    return NothingLeftError(
        f"this leaves nothing to {purpose}: {had}, and no record is in a cluster of {every}",
        given={key: value for key, value in policies.items() if value == "drop"},
    )


def _in_same_order(first: MemoryLabels, other: MemoryLabels) -> bool:
    """Whether two partitions have their elements in one order: without names on both sides, by position."""
    if other.is_image or first.elements is None or other.elements is None:
        return True
    return same_order(first.elements, other.elements)


def _subset(partition: MemoryLabels, places: NDArray[np.int64], names: Any) -> MemoryLabels:
    """The elements at these places, by their names."""
    originals, dropped = partition.originals, partition.dropped
    return MemoryLabels(
        np.asarray(partition.codes)[places],
        [originals[i] for i in places.tolist()],
        elements=None if names is None else [names[i] for i in places.tolist()],
        dropped_mask=None if dropped is None else dropped[places],
        named=partition.named,
        noise=partition.noise,
        alone=partition.alone,
        nulls=partition.nulls,
        order=order_of(partition.elements, len(partition)) if partition.order is None else partition.order,
    )


def _named(partitions: Any, taker: str, fewest: int = 2) -> dict[str, Any]:
    if isinstance(partitions, Mapping):
        names, given = [str(key) for key in partitions], list(partitions.values())
    elif isinstance(partitions, (list, tuple)):
        names, given = [str(i) for i in range(len(partitions))], list(partitions)
    elif isinstance(partitions, np.ndarray) and partitions.ndim == 2:
        names, given = [str(i) for i in range(partitions.shape[1])], list(partitions.T)
    elif is_on_device(partitions) and len(partitions.shape) == 2:
        names = [str(i) for i in range(partitions.shape[1])]
        given = [partitions[:, i] for i in range(partitions.shape[1])]
    else:
        raise InputError(
            f"{taker} takes a mapping from name to clustering, a list of clusterings, or a table or an array "
            f"of two dimensions, whose columns are the clusterings; not {kind_of(partitions)}"
        )
    return _checked(names, given, taker, fewest)


def _checked(names: Sequence[str], given: Sequence[Any], taker: str, fewest: int) -> dict[str, Any]:
    """Enough clusterings, each with its own name."""
    if len(given) < fewest:
        enough = "two clusterings" if fewest == 2 else "one clustering"
        raise InputError(f"{taker} compares {enough} or more, not {len(given)}")
    twice = next((name for i, name in enumerate(names) if name in names[:i]), None)
    if twice is not None:
        raise InputError(f"two clusterings have the name {twice!r}, as a string; give each its own name")
    return dict(zip(names, given, strict=True))


def _by_name(partitions: Mapping[str, MemoryLabels]) -> bool:
    """Whether to join by name: all have names, in different orders. A mix with bare labels is refused."""
    owners = {name: each for name, each in partitions.items() if each.elements is not None}
    orders = [each.elements for each in owners.values()]
    in_order = all(same_order(orders[0], other) for other in orders[1:])
    if len(owners) == len(partitions):
        return not in_order
    deciding = [name for name, each in owners.items() if each.named or not in_order]
    if deciding:
        bare = next(name for name in partitions if name not in owners)
        raise UnmatchedError(
            f"{deciding[0]!r} names its records and {bare!r} does not; name the records of all, or "
            "give all as labels in the same order"
        )
    if owners:
        indexed, bare = next(iter(owners)), next(name for name in partitions if name not in owners)
        refuse_shuffled_index(orders[0], repr(indexed), repr(bare))
    return False


def _refuse_other_types(partitions: Mapping[str, MemoryLabels]) -> None:
    """Refuse partitions that share no name with the first one because their names have another type."""
    (leader, first), *others = partitions.items()
    known = set(first.elements)
    for name, each in others:
        if known and len(each) and known.isdisjoint(each.elements):
            sides = (repr(leader), repr(name))
            refuse_other_types(list(first.elements), list(each.elements), any_common=False, sides=sides)


def _places(place: dict[Hashable, int], elements: Any, name: str) -> NDArray[np.int64]:
    at = np.fromiter((place.setdefault(x, len(place)) for x in elements), dtype=np.int64, count=len(elements))
    count = np.bincount(at, minlength=1)
    if count.max() > 1:
        twice = list(elements)[int(np.flatnonzero(count[at] > 1)[0])]
        raise OverlapError(
            f"the index of {name!r} contains {twice!r} twice, so it cannot align by name; "
            "pass .to_numpy() to align by position"
        )
    return at


def _refuse_absent(
    names: Iterable[str], codes: Iterable[Codes], records: Sequence[Any], remedies: Sequence[Remedy]
) -> None:
    for name, own in zip(names, codes, strict=True):
        absent = np.flatnonzero(own == ABSENT).tolist()
        if absent:
            examples = few(records[i] for i in absent)
            raise UnmatchedError(
                f"{name!r} lacks {counted(len(absent), 'record')} that others have ({examples})"
                + ("" if remedies else "; give all partitions the same records"),
                remedies=remedies,
            )


_LEAST_SHARE = 1e-300  # a smaller one adds nothing to sums, and must not become 0


def clustering_shares(clustering_weights: Any, names: list[str]) -> list[float]:
    """The weight of each partition, in their order; the largest is scaled to a number from 1 to 2.

    >>> clustering_shares([4, 2, 1e-320], ["a", "b", "c"])
    [1.0, 0.5, 1e-300]
    """
    if clustering_weights is None:
        return [1.0] * len(names)
    given = {"clustering_weights": ...}
    if isinstance(clustering_weights, Mapping):
        by_name = {str(name): weight for name, weight in clustering_weights.items()}
        if set(by_name) != set(names):
            raise ParameterError("give one weight for the name of each partition", given=given)
        clustering_weights = [by_name[name] for name in names]
    try:
        shares = [float(weight) for weight in clustering_weights]
    except (TypeError, ValueError, OverflowError) as error:
        raise ParameterError("give numbers, one for each partition", given=given) from error
    if len(shares) != len(names):
        many = f"{counted(len(shares), 'weight')} for {counted(len(names), 'partition')}"
        raise ParameterError(f"{many}; pass one for each", given=given)
    if not all(0 < share < float("inf") for share in shares):
        raise ParameterError("give positive numbers; leave out a partition that does not count", given=given)
    exponent = 1 - math.frexp(max(shares))[1]  # a power of 2, so no weight is rounded
    return [max(math.ldexp(share, exponent), _LEAST_SHARE) for share in shares]


def weights_in_sources() -> WeightsError:
    """The error for weights of records that stay in their sources."""
    return WeightsError("read the files into memory, with Partition.read", given={"weights": ...})


def omitted_records(sides: Sequence[str], sizes: Sequence[int], common: int) -> dict[str, int]:
    """The number of records of each side that not all have in a cluster, by side."""
    return {role: size - common for role, size in zip(sides, sizes, strict=True) if size > common}


def omission_words(
    omitted: Sequence[tuple[str, int]], every: str = "all three", without: Sequence[tuple[str, int]] = ()
) -> str:
    """The number of records of each side that were not compared, and of those that a side has in no cluster.

    >>> omission_words([("reference", 2), ("b", 2)], "all", [("a", 2)])
    'Left out, as not all put them in a cluster: 2 records of the reference, 2 of b; a has no cluster for 2'
    """
    (role, number), *rest = _with_article(omitted)
    parts = [f"{counted(number, 'record')} of {role}", *(f"{n:,} of {other}" for other, n in rest)]
    words = f"Left out, as not {every} put them in a cluster: {', '.join(parts)}"
    if not without:
        return words
    (role, number), *rest = _with_article(without)
    causes = [f"{role} has no cluster for {number:,}", *(f"{other} for {n:,}" for other, n in rest)]
    return f"{words}; {', '.join(causes)}"


def _with_article(numbers: Sequence[tuple[str, int]]) -> list[tuple[str, int]]:
    return [("the reference" if role == "reference" else role, number) for role, number in numbers]
