"""The data of partitions: labels in memory, and descriptions of dataframes, files, segments and arrays."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from concordant import core, sources
from concordant.clusterings.clusters import (
    elements_of,
    identify_members,
    identify_named,
    names_and_members,
    refuse_overlap,
)
from concordant.clusterings.encoding import partition_of_labels
from concordant.clusterings.labels import LabelsByCode, MemoryLabels, PartitionData, is_missing
from concordant.clusterings.time_segments import Segment
from concordant.counts.weighted_counts import weight_text
from concordant.errors import InputError, LabelError, OverlapError, ParameterError, kind_of, noted
from concordant.foundation.conventions import (
    NULLS,
    Conventions,
    NoiseAs,
    Nulls,
    check_choice,
    check_noise,
)
from concordant.foundation.remedies import FOR_NULLS
from concordant.foundation.spelling import counted
from concordant.maths.arithmetic import plain
from concordant.sources.descriptions import Files, Frame, check_column_names


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class SourcePartition(PartitionData):
    """A dataframe or files with one row per record and the cluster in a column.

    Made by ``Partition.from_frame`` and ``Partition.scan``; it is read when it is compared, or when its
    content is asked for.
    """

    way_to_memory: ClassVar[str] = "write it to Parquet files and pass Partition.scan of these"

    source: Frame | Files
    record: str | None
    cluster: str
    nulls: Nulls = "error"
    noise: Any = None
    noise_as: NoiseAs | None = None

    def __post_init__(self) -> None:
        check_choice("nulls", self.nulls, NULLS)
        check_noise(self.noise, self.noise_as)
        for name, column in (("record", self.record), ("cluster", self.cluster)):
            if column is not None or name == "cluster":
                check_column_names(**{name: column})

    @property
    def aligns_by_name(self) -> bool:
        return True

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of labels and of records."""
        return (self.cluster,) if self.record is None else (self.cluster, self.record)

    def is_same(self, other: SourcePartition) -> bool:
        """Whether both are one column of one source, read in one way."""
        columns = [
            (each.record, each.cluster, each.nulls, each.noise, each.noise_as) for each in (self, other)
        ]
        return columns[0] == columns[1] and self.source.is_same(other.source)

    def in_memory(self, what: str, user: str) -> MemoryLabels:
        if isinstance(self.source, Frame) and self.source.is_of_spark:
            return PartitionData.in_memory(self, what, user)
        with noted(what):
            return self.read()

    def read(self, *, typed: bool = True) -> MemoryLabels:
        labels, *names = sources.files.read_columns(self.source, self.columns, typed=typed)
        conventions = Conventions(nulls=self.nulls, noise=self.noise, noise_as=self.noise_as)
        if names and (nameless := sum(map(is_missing, names[0]))):
            if self.nulls != "drop":
                raise LabelError(
                    f"{self.source} has {counted(nameless, 'row')} with no record in {self.record!r}",
                    remedies=FOR_NULLS[:1],
                )
            kept = [row for row in zip(labels, names[0], strict=True) if not is_missing(row[1])]
            labels, names = [label for label, _ in kept], [[name for _, name in kept]]
        if names:
            self._refuse_repeated(names[0], labels)
        return partition_of_labels(labels, conventions, str(self.source), names[0] if names else None)

    def _refuse_repeated(self, records: list[Any], labels: list[Any]) -> None:
        which, first = core.factorize(np.asarray(identify_named(records, str(self.source))))
        if len(first) < len(records):
            raise OverlapError(
                f"{self.source}: {repeated_records(which, labels, records)}; keep one row for each",
                calls="Cover takes several",
            )

    def __repr__(self) -> str:
        by = "" if self.record is None else f" by {self.record!r}"
        return f"<Partition of {self.cluster!r}{by} in {self.source}>"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class DevicePartition(PartitionData):
    """Labels on a GPU: an array of CuPy, PyTorch or JAX, or a column of cuDF. They are counted there."""

    way_to_memory: ClassVar[str] = "copy it to the host"

    array: Any
    what: str = "the labels"
    noise: Any = None
    noise_as: NoiseAs | None = None

    def __post_init__(self) -> None:
        check_noise(self.noise, self.noise_as)

    @property
    def index(self) -> Any:
        """The index of a column of cuDF; arrays have none."""
        index = getattr(self.array, "index", None)
        return None if callable(index) else index

    def read(self) -> MemoryLabels:
        conventions = Conventions(noise=self.noise, noise_as=self.noise_as)
        return partition_of_labels(_on_host(self.array), conventions, self.what)

    def __len__(self) -> int:
        return int(np.prod(self.array.shape, dtype=object))

    def __repr__(self) -> str:
        kind = type(self.array)
        return (
            f"<Partition of {counted(len(self), 'label')} in a {kind.__module__.partition('.')[0]} "
            f"{kind.__name__} on a GPU>"
        )


def _on_host(array: Any) -> Any:
    """A copy in memory, by the method of its library; NumPy itself copies arrays of JAX."""
    copying = next((way for way in ("to_pandas", "get", "cpu") if hasattr(array, way)), None)
    return array if copying is None else getattr(array, copying)()


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ChunkedPartition(PartitionData):
    """Labels in an array of Zarr, HDF5, Dask, xarray or TensorStore, which is read block by block."""

    way_to_memory: ClassVar[str] = (
        "read it first, as in array[...], or compare two arrays in chunks with compare()"
    )

    array: Any

    def read(self) -> MemoryLabels:
        return partition_of_labels(np.asarray(self.array[...]), Conventions(), "the labels")

    def __len__(self) -> int:
        return int(np.prod(self.array.shape, dtype=object))

    def __repr__(self) -> str:
        return f"<Partition of {kind_of(self.array)} of shape {tuple(self.array.shape)}>"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class SegmentPartition(PartitionData):
    """Segments of time in order. Segments with different labels do not overlap."""

    way_to_memory: ClassVar[str] = "segments are compared two at a time, as in compare(truth, run)"

    segments: tuple[Segment, ...]
    gaps: Any = None  # the label of time without a segment, if it has one

    def __post_init__(self) -> None:
        gaps = self.gaps
        if gaps is not None and (is_missing(gaps) or not hasattr(gaps, "__hash__") or gaps.__hash__ is None):
            raise ParameterError(
                "give the label of time without a segment, such as 'silence'", given={"gaps": gaps}
            )

    @property
    def aligns_by_name(self) -> bool:
        return True

    def read(self) -> MemoryLabels:
        """The segments as elements; durations are lost."""
        spans = list(zip(*(as_numbers(each[side] for each in self.segments) for side in (0, 1)), strict=True))
        labels = [label for *_, label in self.segments]
        return partition_of_labels(labels, Conventions(), "the segments", spans)

    def to_pickle(self) -> PartitionData:
        return self

    def in_memory(self, what: str, user: str) -> MemoryLabels:
        raise InputError(f"{what}: {self!r} has durations, which {user} does not use; {self.way_to_memory}")

    def __len__(self) -> int:
        return len(self.segments)

    def __repr__(self) -> str:
        labels = {label for *_, label in self.segments}
        lasting = weight_text(sum((end - start for start, end, _ in self.segments), Fraction(0)))
        sizes = f"{counted(len(self), 'segment')}, {counted(len(labels), 'cluster')}"
        gaps = "" if self.gaps is None else f", gaps {self.gaps!r}"
        return f"<Partition of {sizes}, {lasting} in all{gaps}>"


def repeated_records(which: NDArray[np.integer[Any]], labels: Sequence[Any], names: Any) -> str:
    """How many records have several rows, and how many of these have different labels, with an example.

    ``which`` is the number of the record of each row.

    >>> repeated_records(np.array([0, 1, 0, 2, 2]), ["a", "b", "c", "d", "d"], ["x", "y", "x", "z", "z"])
    "2 records have several rows, 1 of them with different labels: the record 'x' has 'a' and 'c'"
    """
    first: dict[int, int] = {}
    again: dict[int, int] = {}
    differs: dict[int, int] = {}
    for row, record in enumerate(which.tolist()):
        before = first.setdefault(record, row)
        if before != row:
            again.setdefault(record, row)
            if repr(labels[row]) != repr(labels[before]):
                differs.setdefault(record, row)
    record, row = next(iter((differs or again).items()))
    name = plain(names[row])
    example = f"the record {name!r} has {labels[first[record]]!r} and {labels[row]!r}"
    if not differs:
        example = f"the record {name!r} has {labels[row]!r} twice"
    if len(again) == 1:
        return f"1 record has several rows, with {'different labels' if differs else 'one label'}: {example}"
    conflicting = len(differs) or "none"
    return f"{len(again):,} records have several rows, {conflicting} of them with different labels: {example}"


def as_numbers(times: Iterable[Fraction]) -> list[int] | list[float]:
    """Times as whole numbers if all are, otherwise as floats."""
    listed = list(times)
    return [int(x) for x in listed] if all(x.denominator == 1 for x in listed) else [float(x) for x in listed]


def partition_of_clusters(clusters: Iterable[Iterable[Hashable]], what: str) -> MemoryLabels:
    """The partition of clusters of elements, which must not overlap."""
    names, members = names_and_members(clusters, what)
    held = [elements_of(cluster, number, what) for number, cluster in enumerate(members)]
    codes = np.repeat(np.arange(len(held)), np.fromiter(map(len, held), dtype=np.int64, count=len(held)))
    elements = list(chain.from_iterable(held))
    which, first = core.factorize(identify_members(elements, codes, what))
    if len(first) < len(elements):
        refuse_overlap(elements, codes, first[which], what)
        elements, codes = [elements[i] for i in first.tolist()], codes[first]
    return MemoryLabels(codes, LabelsByCode(codes, names.__getitem__), elements=elements, named=True)


def partition_of_mapping(
    clusters: Mapping[Hashable, Hashable], conventions: Conventions, what: str
) -> MemoryLabels:
    """The partition of a mapping of elements to labels."""
    if not isinstance(clusters, Mapping):
        raise InputError(
            f"{what} is {kind_of(clusters)}; from_mapping takes record -> cluster, "
            "from_labels takes one label per record"
        )
    return partition_of_labels(list(clusters.values()), conventions, what, list(clusters))
