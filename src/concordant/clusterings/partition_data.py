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
from concordant.clusterings.clustering import ClusteringData, ClusteringKind, names_of
from concordant.clusterings.clusters import (
    elements_of,
    identify_members,
    identify_named,
    names_and_members,
    refuse_overlap,
)
from concordant.clusterings.labels import (
    Codes,
    Coordinates,
    Labels,
    LabelsByCode,
    by_position,
    encode,
    is_missing,
    labels_at,
    owned,
    refuse_possible_clusters,
    warn_if_continuous,
)
from concordant.clusterings.missing import (
    Noise,
    cluster_label,
    find_nulls,
    set_apart,
    treat_noise,
    without,
)
from concordant.clusterings.time_segments import Segment
from concordant.counts.arithmetic import plain
from concordant.counts.conventions import (
    NULLS,
    Conventions,
    NoiseAs,
    Nulls,
    check_choice,
    check_noise,
)
from concordant.counts.remedies import FOR_NULLS
from concordant.counts.spelling import counted
from concordant.counts.weighted_counts import weight_text
from concordant.errors import InputError, LabelError, OverlapError, ParameterError, kind_of, noted
from concordant.sources.descriptions import Files, Frame, check_column_names


class PartitionData(ClusteringData):
    """The labels of a partition in memory, or a description of the place where they are."""

    __slots__ = ()

    kind: ClassVar[ClusteringKind] = "partition"

    def in_memory(self, what: str, user: str) -> LabelPartition:
        """The labels in memory, for a ``user`` that needs them there; an error that names ``what`` if not."""
        raise InputError(
            f"{what}: {self!r} has not been read into labels, which {user} needs; {self.way_to_memory}"
        )

    way_to_memory: ClassVar[str] = "copy its labels to memory first"  # what an error suggests

    @property
    def aligns_by_name(self) -> bool:
        """Whether elements have names, so elements of one side may be unmatched."""
        return False


class LabelPartition(PartitionData):
    """Labels in memory: a code for each element, which the compiled core counts."""

    __slots__ = (
        "_dropped",
        "alone",
        "codes",
        "dropped_code",
        "elements",
        "first",
        "named",
        "noise",
        "null",
        "nulls",
        "order",
        "originals",
    )

    def __init__(
        self,
        codes: Codes,
        originals: Any,  # label by position, for people
        *,
        elements: Any = None,  # names of the elements by position, None if they have no names
        named: bool = False,  # whether names decide; otherwise they serve only if both sides have them
        dropped: NDArray[np.bool_] | None = None,
        dropped_code: int | None = None,  # of the elements to leave out, if one code identifies them
        noise: Noise | None = None,
        first: NDArray[np.int64] | None = None,  # first position of each code, if codes count from 0
        alone: tuple[Any, ...] = (),  # labels of elements that became singletons, None for missing labels
        nulls: Nulls = "error",
        null: NDArray[np.bool_] | None = None,  # a mask of missing labels, None if there are none
        order: Any = None,  # the names of the input, if this is a part of it
    ) -> None:
        self.codes: Codes = codes
        self.originals: Any = originals
        self.elements: Any = elements
        self.named: bool = named
        self._dropped = dropped
        self.dropped_code: int | None = dropped_code
        self.noise: Noise | None = noise
        self.first: NDArray[np.int64] | None = first
        self.alone: tuple[Any, ...] = alone
        self.nulls: Nulls = nulls
        self.null: NDArray[np.bool_] | None = null
        self.order: Any = order

    @property
    def dropped(self) -> NDArray[np.bool_] | None:
        """A mask of the elements to leave out; None if there are none."""
        if self._dropped is None and self.dropped_code is not None:
            self._dropped = np.asarray(self.codes == self.dropped_code)
        return self._dropped

    @property
    def drops_by_code(self) -> bool:
        """Whether the elements to leave out, if there are any, have one code."""
        return self._dropped is None or self.dropped_code is not None

    @property
    def is_image(self) -> bool:
        """Whether the elements are the voxels of an array of several dimensions."""
        return isinstance(self.elements, Coordinates)

    @property
    def aligns_by_name(self) -> bool:
        return self.elements is not None and not self.is_image

    def in_memory(self, what: str, user: str) -> LabelPartition:  # noqa: ARG002  (nothing is wrong)
        return self

    def put_back_nulls(self, null: NDArray[np.bool_], originals: Any) -> None:
        """Add the elements with a null label, where the mask has them; they are dropped or singletons."""
        codes = np.zeros(len(null), dtype=self.codes.dtype)
        codes[~null] = self.codes
        dropped = null.copy() if self.nulls == "drop" else None
        if self.dropped is not None:
            dropped = np.zeros(len(null), dtype=bool) if dropped is None else dropped
            dropped[~null] |= self.dropped
        if self.nulls == "singletons":
            codes, self.alone = set_apart(codes, null), (*self.alone, None)
        self.codes, self.originals, self.null = codes, originals, null
        self._dropped, self.dropped_code, self.first = dropped, None, None

    def owned_labels(self, codes: Codes | None = None) -> Any:
        """The labels in memory of our own; ``codes`` is a copy of the codes, if there is one already."""
        if codes is not None and self.originals is self.codes:  # integers are their own codes
            return codes
        return owned(self.codes, self.originals, self.first, codes, are_apart=bool(self.alone))

    def owned(self) -> LabelPartition:
        """The same, independent of the arrays that it was made of."""
        codes = core.narrowed(self.codes)
        return LabelPartition(
            codes,
            self.owned_labels(codes),
            elements=self.elements,
            named=self.named,
            dropped=self._dropped,
            dropped_code=self.dropped_code,
            noise=self.noise,
            alone=self.alone,
            nulls=self.nulls,
            null=self.null,
            order=self.order,
        )

    def kept(self) -> NDArray[np.int64] | None:
        """The positions of the elements that are not dropped; None if all stay."""
        return None if self.dropped is None else np.flatnonzero(~self.dropped)

    def names(self, positions: NDArray[np.int64] | None) -> Sequence[Any]:
        """The names of the elements at these positions, or the positions if they have no names."""
        if positions is None:
            return names_of(self.elements, len(self))
        if self.elements is None:
            return tuple(positions.tolist())
        return tuple(plain(self.elements[position]) for position in positions.tolist())

    def labels(self, positions: NDArray[np.int64]) -> list[Any]:
        """The labels at these positions; None for a singleton that has no label."""
        labels = labels_at(self.originals, positions)
        return [cluster_label(label, self.alone) for label in labels] if self.alone else labels

    def __len__(self) -> int:
        return len(self.codes)

    def __repr__(self) -> str:
        clusters = len(core.factorize(np.asarray(self.codes))[1])
        return f"<Partition of {counted(len(self), 'record')}, {counted(clusters, 'cluster')}>"


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

    def in_memory(self, what: str, user: str) -> LabelPartition:
        if isinstance(self.source, Frame) and self.source.is_of_spark:
            return PartitionData.in_memory(self, what, user)
        with noted(what):
            return self.read()

    def read(self, *, typed: bool = True) -> LabelPartition:
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
            again = int(np.flatnonzero(first[which] != np.arange(len(records)))[0])
            raise OverlapError(
                f"{self.source}: the record {records[again]!r} has two rows, with the labels "
                f"{labels[int(first[which[again]])]!r} and {labels[again]!r}; keep one",
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

    def read(self) -> LabelPartition:
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

    def read(self) -> LabelPartition:
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

    def read(self) -> LabelPartition:
        """The segments as elements; durations are lost."""
        spans = list(zip(*(as_numbers(each[side] for each in self.segments) for side in (0, 1)), strict=True))
        labels = [label for *_, label in self.segments]
        return partition_of_labels(labels, Conventions(), "the segments", spans)

    def to_pickle(self) -> PartitionData:
        return self

    def in_memory(self, what: str, user: str) -> LabelPartition:
        raise InputError(f"{what}: {self!r} has durations, which {user} does not use; {self.way_to_memory}")

    def __len__(self) -> int:
        return len(self.segments)

    def __repr__(self) -> str:
        labels = {label for *_, label in self.segments}
        lasting = weight_text(sum((end - start for start, end, _ in self.segments), Fraction(0)))
        sizes = f"{counted(len(self), 'segment')}, {counted(len(labels), 'cluster')}"
        gaps = "" if self.gaps is None else f", gaps {self.gaps!r}"
        return f"<Partition of {sizes}, {lasting} in all{gaps}>"


def as_numbers(times: Iterable[Fraction]) -> list[int] | list[float]:
    """Times as whole numbers if all are, otherwise as floats."""
    listed = list(times)
    return [int(x) for x in listed] if all(x.denominator == 1 for x in listed) else [float(x) for x in listed]


def partition_of_clusters(clusters: Iterable[Iterable[Hashable]], what: str) -> LabelPartition:
    """The partition of clusters of elements, which must not overlap."""
    names, members = names_and_members(clusters, what)
    held = [elements_of(cluster, number, what) for number, cluster in enumerate(members)]
    codes = np.repeat(np.arange(len(held)), np.fromiter(map(len, held), dtype=np.int64, count=len(held)))
    elements = list(chain.from_iterable(held))
    which, first = core.factorize(identify_members(elements, codes, what))
    if len(first) < len(elements):
        refuse_overlap(elements, codes, first[which], what)
        elements, codes = [elements[i] for i in first.tolist()], codes[first]
    return LabelPartition(codes, LabelsByCode(codes, names), elements=elements, named=True)


def partition_of_mapping(
    clusters: Mapping[Hashable, Hashable], conventions: Conventions, what: str
) -> LabelPartition:
    """The partition of a mapping of elements to labels."""
    if not isinstance(clusters, Mapping):
        raise InputError(
            f"{what} is {kind_of(clusters)}; from_mapping takes record -> cluster, "
            "from_labels takes one label per record"
        )
    return partition_of_labels(list(clusters.values()), conventions, what, list(clusters))


def partition_of_labels(
    values: Any,
    conventions: Conventions,
    what: str,
    elements: list[Any] | None = None,
    alternatives: str = "",
) -> LabelPartition:
    """The partition of labels of any kind, some of which may be null.

    ``elements`` are the names of the elements, if these align by name. ``alternatives`` are the calls that
    specify whether tuples are labels or clusters; without them, tuples are labels.
    """
    nulls, null, coordinates = conventions.nulls or "error", None, None
    if nulls != "error":
        values, null, coordinates = find_nulls(values)
    try:
        labels = encode(values if null is None else without(values, null), what, conventions.threads)
    except LabelError as error:
        if error.missing_at is not None and nulls == "error" and conventions.takes_nulls:
            error.remedies = FOR_NULLS
        raise
    warn_if_continuous(labels, what)
    if alternatives and labels.composite:
        refuse_possible_clusters(labels, what, alternatives)
    if null is not None:
        labels.keys = coordinates if labels.keys is None else values.index  # of all elements
    made = label_partition(labels, conventions, what, elements)
    made.nulls = nulls
    if null is not None:
        made.put_back_nulls(null, by_position(values))
    return made


def label_partition(
    labels: Labels, conventions: Conventions, what: str, elements: list[Any] | None = None
) -> LabelPartition:
    """The partition of encoded labels; ``elements`` are the names of the elements, if these decide."""
    named = elements is not None
    if elements is not None:
        identify_named(elements, what)
    else:
        elements = labels.keys
    if conventions.noise_as is None:
        codes, first = labels.codes, labels.first
        return LabelPartition(codes, labels.originals, elements=elements, named=named, first=first)
    treated = treat_noise(labels, conventions.noise, conventions.noise_as, what)
    return LabelPartition(
        treated.codes,
        labels.originals,
        elements=elements,
        named=named,
        dropped=treated.dropped,
        dropped_code=treated.dropped_code,
        noise=treated.noise,
        first=treated.first,
        alone=treated.alone,
    )
