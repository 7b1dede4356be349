"""Clustering: what partitions, covers, soft partitions and hierarchies are."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from concordant import core
from concordant.clusterings.clusters import (
    elements_of,
    identify_members,
    identify_named,
    names_and_members,
    refuse_overlap,
    segments,
)
from concordant.clusterings.labels import (
    Codes,
    Coordinates,
    Labels,
    LabelsByCode,
    by_position,
    encode,
    is_missing,
    owned,
    refuse_possible_clusters,
    warn_if_continuous,
)
from concordant.clusterings.missing import Noise, find_nulls, no_nulls, set_apart, treat_noise, without
from concordant.clusterings.recognition import is_on_device
from concordant.clusterings.time_segments import Segment, segments_in_order
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
from concordant.errors import InputError, LabelError, ParameterError, kind_of
from concordant.sources.descriptions import Files, Frame, Reader, files
from concordant.sources.formats import Format

ClusteringKind = Literal["partition", "cover", "soft", "hierarchy"]


class Clustering:
    """A clustering that was made by one of its constructors.

    Its ``kind`` decides how it is compared. A kind that few people use is a class in a module that is
    imported when it is first needed; asking for the kind imports none.
    """

    __slots__ = ()

    kind: ClassVar[ClusteringKind]


def clustering_kind(side: Any) -> ClusteringKind:
    """The kind of a side of a comparison. All that is not a Clustering yet, such as labels, is a partition.

    >>> clustering_kind([0, 0, 1]), clustering_kind({"a": 0})
    ('partition', 'partition')
    """
    return side.kind if isinstance(side, Clustering) else "partition"


class Partition(Clustering):
    """A clustering of a set: each element is in one cluster.

    Use one of the constructors `from_labels`, `from_mapping`, `from_clusters`, `from_change_points`,
    `from_segments`, `from_frame` and `scan`. `compare` also takes lists, arrays and mappings directly.

    Examples
    --------
    >>> Partition.from_labels(["a", "a", "b"])
    Partition(3 elements, 2 clusters)
    >>> Partition.from_clusters([{"x", "y"}, {"z"}])
    Partition(3 elements, 2 clusters)
    """

    __slots__ = ()

    kind: ClassVar[ClusteringKind] = "partition"

    def __init__(self, *_given: Any, **_options: Any) -> None:
        raise ParameterError(
            "Partition() is not called directly; use Partition.from_labels, from_mapping, "
            "from_clusters, from_change_points, from_segments, from_frame or scan"
        )

    @staticmethod
    def from_labels(
        labels: Any,
        *,
        nulls: Nulls = "error",
        noise: Any = None,
        noise_as: NoiseAs | None = None,
        what: str = "the labels",
        threads: int = 0,
    ) -> Partition:
        """Create a partition from one label per element.

        Parameters
        ----------
        labels : list, tuple, array, Series or Arrow array
            The label of each element.
        nulls : {"error", "drop", "singletons"}, default="error"
            Null labels, including None and NaN: raise an error, drop these elements, or make them singletons.
        noise, noise_as : label, and {"cluster", "singletons", "drop"}, optional
            The label of noise, that is, of elements in no cluster, and its treatment. Give both.
        what : str, default="the labels"
            Name of the input in error messages.
        threads : int, default=0
            Number of threads. 0 uses all available cores.

        Returns
        -------
        Partition
            The partition.

        Raises
        ------
        LabelError
            If a label is null and `nulls` is "error".

        Examples
        --------
        >>> Partition.from_labels([0, 0, -1, -1], noise=-1, noise_as="singletons")
        Partition(4 elements, 3 clusters)
        """
        conventions = Conventions(nulls=nulls, noise=noise, noise_as=noise_as, threads=threads)
        if is_on_device(labels):
            if nulls != "error":
                raise no_nulls("labels on a GPU", nulls)
            return DevicePartition(labels, what, noise, noise_as)
        return partition_of_labels(labels, conventions, what)

    @staticmethod
    def from_clusters(
        clusters: Iterable[Iterable[Hashable]], *, what: str = "the clusters"
    ) -> LabelPartition:
        """Create a partition from clusters of elements.

        Empty clusters are ignored. An element that is repeated in a cluster counts once.

        Parameters
        ----------
        clusters : iterable of iterables, or mapping
            The elements of each cluster, or a mapping from cluster name to elements.
        what : str, default="the clusters"
            Name of the input in error messages.

        Returns
        -------
        Partition
            The partition.

        Raises
        ------
        OverlapError
            If an element is in two clusters. Use `Cover.from_clusters` for these.

        Examples
        --------
        >>> Partition.from_clusters({"cats": ["tom", "kitty"], "mice": ["jerry"]})
        Partition(3 elements, 2 clusters)
        """
        names, members = names_and_members(clusters, what)
        held = [elements_of(cluster, number, what) for number, cluster in enumerate(members)]
        codes = np.repeat(np.arange(len(held)), np.fromiter(map(len, held), dtype=np.int64, count=len(held)))
        elements = list(chain.from_iterable(held))
        which, first = core.factorize(identify_members(elements, codes, what))
        if len(first) < len(elements):
            refuse_overlap(elements, codes, first[which], what)
            elements, codes = [elements[i] for i in first.tolist()], codes[first]
        return LabelPartition(codes, LabelsByCode(codes, names), elements=elements, named=True)

    @staticmethod
    def from_mapping(
        clusters: Mapping[Hashable, Hashable],
        *,
        nulls: Nulls = "error",
        noise: Any = None,
        noise_as: NoiseAs | None = None,
        what: str = "the mapping",
    ) -> LabelPartition:
        """Create a partition from a mapping of elements to clusters.

        Parameters
        ----------
        clusters : mapping
            The cluster of each element.
        nulls : {"error", "drop", "singletons"}, default="error"
            Null labels, as in `from_labels`.
        noise, noise_as : label, and {"cluster", "singletons", "drop"}, optional
            The label of noise, that is, of elements in no cluster, and its treatment. Give both.
        what : str, default="the mapping"
            Name of the input in error messages.

        Returns
        -------
        Partition
            The partition.

        Examples
        --------
        >>> Partition.from_mapping({"tom": "cat", "kitty": "cat", "jerry": "mouse"})
        Partition(3 elements, 2 clusters)
        """
        if not isinstance(clusters, Mapping):
            raise InputError(
                f"{what} is {kind_of(clusters)}; from_mapping takes element -> cluster, "
                "from_labels takes one label per element"
            )
        conventions = Conventions(nulls=nulls, noise=noise, noise_as=noise_as)
        return partition_of_labels(list(clusters.values()), conventions, what, list(clusters))

    @staticmethod
    def from_change_points(
        points: Iterable[int], n: int, *, what: str = "the change points"
    ) -> LabelPartition:
        """Create a partition of a sequence into segments.

        Parameters
        ----------
        points : iterable of int
            Positions of the first elements of the segments, counted from 0, in any order. 0 and `n` are
            optional, so you can pass breakpoints of ruptures.
        n : int
            Length of the sequence.
        what : str, default="the change points"
            Name of the input in error messages.

        Returns
        -------
        Partition
            The partition. The label of a segment is its first position.

        Examples
        --------
        >>> truth, found = (Partition.from_change_points(points, 45) for points in ([10, 20], [12]))
        >>> truth
        Partition(45 elements, 3 clusters)
        """
        codes, starts = segments(points, n, what)
        return LabelPartition(codes, LabelsByCode(codes, starts))

    @staticmethod
    def from_segments(
        segments: Any, *, start: str = "start", end: str = "end", label: str = "label", gaps: Any = None
    ) -> SegmentPartition:
        """Create a partition of time from labelled segments. Durations are the weights.

        Parameters
        ----------
        segments : list of tuples, or dataframe
            Triples (start, end, label), or a dataframe with these columns.
        start : str, default="start"
            The column of start times.
        end : str, default="end"
            The column of end times.
        label : str, default="label"
            The column of labels.
        gaps : label, optional
            The label of time between segments, such as "silence". By default, time that only one side covers
            is unmatched.

        Returns
        -------
        SegmentPartition
            The partition.

        Raises
        ------
        OverlapError
            If two segments overlap.

        Examples
        --------
        >>> truth = Partition.from_segments([(0, 6, "Ada"), (6, 10, "Bob")])
        >>> truth
        SegmentPartition(2 segments, 2 clusters, 10 in all)
        >>> import concordant as cc
        >>> cc.compare(truth, Partition.from_segments([(0, 5, "x"), (5, 10, "y")])).matching_accuracy
        0.9
        """
        return SegmentPartition(segments_in_order(segments, (start, end, label)), gaps)

    @staticmethod
    def from_frame(
        frame: Any,
        *,
        cluster: str,
        record: str | None = None,
        nulls: Nulls = "error",
        noise: Any = None,
        noise_as: NoiseAs | None = None,
    ) -> SourcePartition:
        """Create a partition from a column of a dataframe. Its own engine processes the data.

        Parameters
        ----------
        frame : dataframe
            A dataframe of pandas, Polars, PyArrow, DuckDB, Spark, Dask or another library that narwhals
            supports.
        cluster : str
            The column of labels.
        record : str, optional
            The column of record ids, which joins two dataframes. Not needed for two columns of one dataframe.
        nulls : {"error", "drop", "singletons"}, default="error"
            Null labels: raise an error, drop these records, or make them singletons.
        noise, noise_as : label, and {"cluster", "singletons", "drop"}, optional
            The label of noise, that is, of records in no cluster, and its treatment. Give both.

        Returns
        -------
        Partition
            The partition. Its data is read when you compare it.

        Examples
        --------
        >>> import polars
        >>> frame = polars.DataFrame({"truth": [1, 1, 2], "guess": [1, 2, 2]})
        >>> Partition.from_frame(frame, cluster="truth")
        SourcePartition('truth' of a polars DataFrame)
        """
        return SourcePartition(Frame(frame), record, cluster, nulls, noise, noise_as)

    @staticmethod
    def scan(
        path: Any,
        *,
        cluster: str,
        record: str | None = None,
        engine: Reader = "auto",
        memory: str | None = None,
        nulls: Nulls = "error",
        noise: Any = None,
        noise_as: NoiseAs | None = None,
        format: Format | None = None,
    ) -> SourcePartition:
        """Create a partition from a column of files, which are never loaded completely.

        Parameters
        ----------
        path : path-like or list of paths
            A file, a folder, a pattern such as "run/*.parquet", or a URL such as "s3://bucket/run". Formats
            are Parquet, CSV, TSV, JSON lines and Arrow, also compressed.
        cluster : str
            The column of labels.
        record : str, optional
            The column of record ids.
        engine : {"auto", "duckdb"}, default="auto"
            "auto" reads the files with DuckDB and counts in the core. "duckdb" uses DuckDB for both.
        memory : str, optional
            Maximum memory of the process, such as "1GB". The rest is kept on disk.
        nulls : {"error", "drop", "singletons"}, default="error"
            Null labels: raise an error, drop these records, or make them singletons.
        noise, noise_as : label, and {"cluster", "singletons", "drop"}, optional
            The label of noise, that is, of records in no cluster, and its treatment. Give both.
        format : str, optional
            The file format, if the file name does not show it.

        Returns
        -------
        Partition
            The partition. Its data is read when you compare it.

        Examples
        --------
        >>> Partition.scan("run/*.parquet", record="record_id", cluster="entity", memory="1GB")
        SourcePartition('entity' by 'record_id' of run/*.parquet)
        """
        source = files(path, engine, memory, format)
        return SourcePartition(source, record, cluster, nulls, noise, noise_as)

    def in_memory(self, what: str, user: str) -> LabelPartition:
        """The labels in memory, for a ``user`` that needs them there; an error that names ``what`` if not."""
        raise InputError(f"{what}: {self!r} is not in memory, where {user} needs it; {self.way_to_memory}")

    way_to_memory: ClassVar[str] = "copy its labels to memory first"  # what an error suggests

    @property
    def aligns_by_name(self) -> bool:
        """Whether elements have names, so elements of one side may be unmatched."""
        return False


class LabelPartition(Partition):
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
        )

    def __len__(self) -> int:
        return len(self.codes)

    def __repr__(self) -> str:
        clusters = len(core.factorize(np.asarray(self.codes))[1])
        return f"Partition({counted(len(self), 'element')}, {counted(clusters, 'cluster')})"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class SourcePartition(Partition):
    """A dataframe or files with one row per record and the cluster in a column.

    Made by ``Partition.from_frame`` and ``Partition.scan``; it is read when it is compared.
    """

    way_to_memory: ClassVar[str] = (
        "pass its column of labels, or a mapping from record to label; of overlapping clusters, "
        "Cover.from_memberships"
    )

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
            if not isinstance(column, str) and not (name == "record" and column is None):
                raise ParameterError(
                    f"give the name of a column, not {kind_of(column)}", given={name: column}
                )

    @property
    def aligns_by_name(self) -> bool:
        return True

    def is_same(self, other: SourcePartition) -> bool:
        """Whether both are one column of one source, read in one way."""
        columns = [
            (each.record, each.cluster, each.nulls, each.noise, each.noise_as) for each in (self, other)
        ]
        return columns[0] == columns[1] and self.source.is_same(other.source)

    def __repr__(self) -> str:
        by = "" if self.record is None else f" by {self.record!r}"
        return f"SourcePartition({self.cluster!r}{by} of {self.source})"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class DevicePartition(Partition):
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

    def __len__(self) -> int:
        return int(np.prod(self.array.shape, dtype=object))

    def __repr__(self) -> str:
        kind = type(self.array)
        return (
            f"DevicePartition({counted(len(self), 'label')} of a {kind.__module__.partition('.')[0]} "
            f"{kind.__name__} on a GPU)"
        )


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ChunkedPartition(Partition):
    """Labels in an array of Zarr, HDF5, Dask, xarray or TensorStore, which is read block by block."""

    way_to_memory: ClassVar[str] = (
        "read it first, as in array[...], or compare two arrays in chunks with compare()"
    )

    array: Any

    def __len__(self) -> int:
        return int(np.prod(self.array.shape, dtype=object))

    def __repr__(self) -> str:
        return f"ChunkedPartition({kind_of(self.array)} of shape {tuple(self.array.shape)})"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class SegmentPartition(Partition):
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

    def in_memory(self, what: str, user: str) -> LabelPartition:
        raise InputError(f"{what}: {self!r} has durations, which {user} does not use; {self.way_to_memory}")

    def __len__(self) -> int:
        return len(self.segments)

    def __repr__(self) -> str:
        labels = {label for *_, label in self.segments}
        lasting = weight_text(sum((end - start for start, end, _ in self.segments), Fraction(0)))
        sizes = f"{counted(len(self), 'segment')}, {counted(len(labels), 'cluster')}"
        return f"SegmentPartition({sizes}, {lasting} in all)"


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
