"""Partition: the constructors, and the partitions of labels in memory, in dataframes and in files.

Labels in memory align by position. Clusters and mappings name their elements and align by name, in any
order. A pandas Series has an index: two Series align by it, a Series and an array by position, if the
index is in ascending order. Labels in dataframes, files, chunked arrays and on GPUs stay where they are;
each engine takes the partitions that it counts.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from concordant import core
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
from concordant.errors import InputError, LabelError, ParameterError, kind_of
from concordant.partitions.clusters import (
    elements_of,
    identify_members,
    identify_named,
    names_and_members,
    refuse_overlap,
    segments,
)
from concordant.partitions.devices import is_on_device
from concordant.partitions.formats import Format
from concordant.partitions.labels import (
    Codes,
    Labels,
    by_position,
    code_of,
    coordinates_of,
    encode,
    equal_to,
    warn_if_continuous,
)
from concordant.partitions.missing import (
    Noise,
    as_column,
    count_code,
    no_nulls,
    null_labels,
    refuse_other_type,
    set_apart,
    without,
)
from concordant.partitions.sources import Files, Frame, Reader, files
from concordant.partitions.stored_labels import LabelsByCode, owned

if TYPE_CHECKING:
    from concordant.partitions.time_segments import SegmentPartition


class Partition:
    """A set divided into clusters.

    >>> Partition.from_labels(["a", "a", "b"])
    Partition(3 elements, 2 clusters)
    >>> Partition.from_clusters([{"x", "y"}, {"z"}])
    Partition(3 elements, 2 clusters)
    """

    __slots__ = ()

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
        """One label per element: a list, a tuple, an array, a Series or an Arrow array.

        ``noise`` is the label that means "in no cluster", and ``noise_as`` says what to make of it:
        one "cluster", "singletons", or "drop" these elements from the comparison. ``nulls``: null labels.

        >>> Partition.from_labels([0, 0, -1, -1], noise=-1, noise_as="singletons")
        Partition(4 elements, 3 clusters)
        """
        conventions = Conventions(nulls=nulls, noise=noise, noise_as=noise_as, threads=threads)
        if is_on_device(labels):
            if nulls != "error":
                raise no_nulls("labels on a GPU", nulls)
            from concordant.partitions.array_partitions import DevicePartition  # which is a Partition

            return DevicePartition(labels, what, noise, noise_as)
        return partition_of_labels(labels, conventions, what)

    @staticmethod
    def from_clusters(
        clusters: Iterable[Iterable[Hashable]], *, what: str = "the clusters"
    ) -> LabelPartition:
        """Clusters as lists or sets of elements, or a mapping from cluster name to its elements.

        Empty clusters are ignored and repetitions inside one cluster count once; an element in two
        clusters is an error.

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
        """A mapping from element to cluster.

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
        """A sequence of ``n`` elements, cut into segments where something changes.

        A change point is the position of the first element of a segment, counted from 0. The first segment
        begins at 0 and the last ends at ``n``, whether they are named or not, so that the breakpoints of
        ruptures, which end with ``n``, are taken as they are. Points come in any order, and a repeated one
        counts once. A segment is called by the position where it begins.

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
        """Labelled segments of time, such as the turns of speakers: triples (start, end, label).

        A dataframe has them in the columns ``start``, ``end`` and ``label``. Two segmentations are cut where
        either has a boundary, and durations are the weights. ``gaps`` is the label of time between segments,
        such as "silence"; without it, time in which only one side has a segment is unmatched.

        >>> truth = Partition.from_segments([(0, 6, "Ada"), (6, 10, "Bob")])
        >>> truth
        SegmentPartition(2 segments, 2 clusters, 10 in all)
        >>> import concordant as cc
        >>> cc.compare(truth, Partition.from_segments([(0, 5, "x"), (5, 10, "y")])).matching_accuracy
        0.9
        """
        from concordant.partitions.time_segments import segment_partition  # which is a Partition

        return segment_partition(segments, (start, end, label), gaps)

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
        """A column of a dataframe, counted where it lies: pandas, Polars, Arrow, DuckDB, Spark, Dask.

        Two columns of one frame need no ``record``; two frames are joined by their ``record`` columns.
        ``nulls`` says what to make of labels that are null: "error", "drop" or "singletons".

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
        """A column of files, never loaded whole: Parquet, CSV, TSV, JSON lines or Arrow, compressed or not.

        ``path`` is a path, a folder, a pattern such as "run/*.parquet", an address such as "s3://bucket/run",
        or a list. ``memory`` is how much the process may use, such as "1GB"; the rest goes to disk.
        ``engine`` is "auto" (DuckDB opens the files, the core counts) or "duckdb" (DuckDB does both).

        >>> Partition.scan("run/*.parquet", record="record_id", cluster="entity", memory="1GB")
        SourcePartition('entity' by 'record_id' of run/*.parquet)
        """
        source = files(path, engine, memory, format)
        return SourcePartition(source, record, cluster, nulls, noise, noise_as)

    def in_memory(self, what: str, user: str) -> LabelPartition:
        """The labels in memory, for a ``user`` that needs them there; an error that names ``what`` if not."""
        raise InputError(f"{what}: {self!r} is not in memory, where {user} needs it; {self.way_to_memory}")

    way_to_memory: ClassVar[str] = "copy its labels to memory first"  # what an error suggests


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

    def in_memory(self, what: str, user: str) -> LabelPartition:  # noqa: ARG002  (nothing is wrong)
        return self

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

    def is_same(self, other: SourcePartition) -> bool:
        """Whether both are one column of one source, read in one way."""
        columns = [
            (each.record, each.cluster, each.nulls, each.noise, each.noise_as) for each in (self, other)
        ]
        return columns[0] == columns[1] and self.source.is_same(other.source)

    def __repr__(self) -> str:
        by = "" if self.record is None else f" by {self.record!r}"
        return f"SourcePartition({self.cluster!r}{by} of {self.source})"


def partition_of_labels(
    values: Any,
    conventions: Conventions,
    what: str,
    elements: list[Any] | None = None,
    check: Callable[[Labels], None] | None = None,
) -> LabelPartition:
    """The partition of labels of any kind, of which some may be null; ``check`` may refuse the others.

    ``elements`` are the names of the elements, if these decide.
    """
    nulls, null, noise = conventions.nulls or "error", None, (conventions.noise, conventions.noise_as)
    if nulls != "error":
        values = as_column(values)
        null = null_labels(values)
    names: Any = elements
    if null is not None and null.ndim > 1:
        image = np.asarray(values)
        names = coordinates_of(image)
        values, null = names.flat(image), names.flat(null)
    try:
        labels = encode(values if null is None else without(values, null), what, conventions.threads)
    except LabelError as error:
        if error.missing_at is not None and nulls == "error" and conventions.takes_nulls:
            error.remedies = FOR_NULLS
        raise
    warn_if_continuous(labels, what)
    if check is not None:
        check(labels)
    if null is None:
        found = label_partition(labels, *noise, what, elements)
        found.nulls = nulls
        return found
    rest = label_partition(labels, *noise, what)
    if elements is not None:
        identify_named(elements, what)
    elif labels.keys is not None:
        names = values.index
    codes = np.zeros(len(null), dtype=rest.codes.dtype)
    codes[~null] = rest.codes
    dropped = null.copy() if nulls == "drop" else None
    if rest.dropped is not None:
        dropped = np.zeros(len(null), dtype=bool) if dropped is None else dropped
        dropped[~null] |= rest.dropped
    alone = rest.alone
    if nulls == "singletons":
        codes, alone = set_apart(codes, null), (*alone, None)
    return LabelPartition(
        codes,
        by_position(values),
        elements=names,
        named=elements is not None,
        dropped=dropped,
        noise=rest.noise,
        alone=alone,
        nulls=nulls,
        null=null,
    )


def label_partition(
    labels: Labels,
    noise: Any,
    noise_as: NoiseAs | None,
    what: str,
    elements: list[Any] | None = None,
) -> LabelPartition:
    """The partition of encoded labels; ``elements`` are the names of the elements, if these decide."""
    named = elements is not None
    if elements is not None:
        identify_named(elements, what)
    else:
        elements = labels.keys
    if noise is None and noise_as is None:
        codes, first = labels.codes, labels.first
        return LabelPartition(codes, labels.originals, elements=elements, named=named, first=first)
    treatment = check_noise(noise, noise_as)
    assert treatment is not None  # since one of the two was given
    code = None if treatment == "singletons" else code_of(labels, noise)
    if code is not None:
        return LabelPartition(
            labels.codes,
            labels.originals,
            elements=elements,
            named=named,
            dropped_code=code if treatment == "drop" else None,
            noise=Noise(noise, treatment, partial(count_code, labels.codes, code)),
            first=labels.first,
        )
    is_noise = equal_to(labels, noise)
    number = int(np.count_nonzero(is_noise))
    if not number:
        refuse_other_type(labels, noise, what)
    return LabelPartition(
        set_apart(labels.codes, is_noise) if treatment == "singletons" else labels.codes,
        labels.originals,
        elements=elements,
        named=named,
        dropped=is_noise if treatment == "drop" else None,
        noise=Noise(noise, treatment, number),
        alone=(noise,) if treatment == "singletons" and number else (),
    )
