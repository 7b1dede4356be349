"""Partition: each record is in one cluster."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any, ClassVar, Self, TypedDict, Unpack

import numpy as np
from numpy.typing import NDArray

from concordant import core
from concordant.clusterings.clustering import Clustering, ClusteringKind, MembershipArrays, data_of, in_memory
from concordant.clusterings.clusters import numbered_segments
from concordant.clusterings.coerce import observed_columns, partition_of
from concordant.clusterings.detect import has_observations, is_on_device
from concordant.clusterings.encoding import partition_of_labels
from concordant.clusterings.labels import LabelsByCode, MemoryLabels, PartitionData
from concordant.clusterings.missing import no_nulls
from concordant.clusterings.partition_data import (
    DevicePartition,
    SegmentPartition,
    SourcePartition,
    as_numbers,
    partition_of_clusters,
    partition_of_mapping,
)
from concordant.clusterings.time_segments import segments_in_order
from concordant.foundation.conventions import Conventions, NoiseAs, Nulls
from concordant.foundation.input_options import INPUTS, block, input_options
from concordant.maths.arithmetic import read_only
from concordant.sources.descriptions import Files, Frame, files
from concordant.sources.formats import Format


class LabelOptions(TypedDict, total=False):
    nulls: Nulls | None
    noise: Any
    noise_as: NoiseAs | None
    threads: int


class RowOptions(TypedDict, total=False):
    record: str | None
    cluster: str
    nulls: Nulls | None
    noise: Any
    noise_as: NoiseAs | None


LABELS = {name: INPUTS[name] for name in LabelOptions.__annotations__}
_COLUMNS = """\
record : str or None, default="record"
    The column of record ids, which joins two tables. None if the rows are the records, as in two columns of
    one table.
cluster : str, default="cluster"
    The column of labels.
"""
ROWS = block(RowOptions, _COLUMNS) | {name: INPUTS[name] for name in ("nulls", "noise", "noise_as")}


class Partition(Clustering[PartitionData]):
    """A clustering of a set: each record is in one cluster.

    `compare` and all other functions also take labels, mappings, lists of clusters and dataframes. A
    Partition gives them names and a treatment of noise, and is the result of cuts and consensus. A partition
    of a dataframe, a file or a GPU array is read when its content is asked for.

    Examples
    --------
    >>> p = Partition.from_labels(["a", "a", "b"])
    >>> p
    <Partition of 3 records, 2 clusters>
    >>> p.labels.tolist(), p[2], p.clusters
    (['a', 'a', 'b'], 'b', ('a', 'b'))
    >>> Partition.from_clusters([{"x", "y"}, {"z"}])
    <Partition of 3 records, 2 clusters>
    """

    __slots__ = ()

    _kind: ClassVar[ClusteringKind] = "partition"
    _constructors: ClassVar[str] = (
        "from_labels, from_mapping, from_clusters, from_change_points, from_segments, from_frame, read, scan "
        "or of"
    )
    _content_name: ClassVar[str] = "labels"

    # -- constructors ---------------------------------------------------------------------------------

    @classmethod
    @input_options(LABELS)
    def of(cls, x: Any, **options: Unpack[LabelOptions]) -> Self:
        """Create a partition from anything that `compare` takes as a partition.

        Parameters
        ----------
        x : labels, mapping, clusters or Partition
            One label per record, a mapping from record to label, a list of sets, or a partition.
        **options
            How labels are read.

        Returns
        -------
        Partition
            The partition.

        Examples
        --------
        >>> Partition.of([{"x", "y"}, {"z"}])
        <Partition of 3 records, 2 clusters>
        """
        if isinstance(x, cls) and all(options.get(name) is None for name in ("nulls", "noise", "noise_as")):
            return x
        return cls(partition_of(x, Conventions.of(options), "the partition"))

    @classmethod
    @input_options(LABELS)
    def from_labels(cls, labels: Any, **options: Unpack[LabelOptions]) -> Self:
        """Create a partition from one label per record.

        Parameters
        ----------
        labels : list, tuple, array, Series or Arrow array
            The label of each record.
        **options
            How labels are read.

        Returns
        -------
        Partition
            The partition.

        Raises
        ------
        LabelError
            If a label is null and `nulls` is None or "error".

        Examples
        --------
        >>> Partition.from_labels([0, 0, -1, -1], noise=-1, noise_as="singletons")
        <Partition of 4 records, 3 clusters>
        """
        conventions = Conventions.of(options)
        if is_on_device(labels):
            if conventions.nulls not in (None, "error"):
                raise no_nulls("labels on a GPU", conventions.nulls)
            return cls(DevicePartition(labels, "the labels", conventions.noise, conventions.noise_as))
        return cls(partition_of_labels(labels, conventions, "the labels"))

    @classmethod
    def from_clusters(cls, clusters: Iterable[Iterable[Hashable]]) -> Self:
        """Create a partition from clusters of records.

        Empty clusters are ignored. A record that is repeated in a cluster counts once.

        Parameters
        ----------
        clusters : iterable of iterables, or mapping
            The records of each cluster, or a mapping from cluster name to records.

        Returns
        -------
        Partition
            The partition.

        Raises
        ------
        OverlapError
            If a record is in two clusters. Use `Cover.from_clusters` for these.

        Examples
        --------
        >>> Partition.from_clusters({"cats": ["tom", "kitty"], "mice": ["jerry"]})
        <Partition of 3 records, 2 clusters>
        """
        return cls(partition_of_clusters(clusters, "the clusters"))

    @classmethod
    @input_options(LABELS)
    def from_mapping(cls, clusters: Mapping[Hashable, Hashable], **options: Unpack[LabelOptions]) -> Self:
        """Create a partition from a mapping of records to clusters.

        Parameters
        ----------
        clusters : mapping
            The cluster of each record.
        **options
            How labels are read.

        Returns
        -------
        Partition
            The partition.

        Examples
        --------
        >>> Partition.from_mapping({"tom": "cat", "kitty": "cat", "jerry": "mouse"})
        <Partition of 3 records, 2 clusters>
        """
        return cls(partition_of_mapping(clusters, Conventions.of(options), "the mapping"))

    @classmethod
    def from_change_points(cls, points: Iterable[int], size: int) -> Self:
        """Create a partition of a sequence into segments.

        Parameters
        ----------
        points : iterable of int
            Positions of the first records of the segments, counted from 0, in any order. 0 and `size` are
            optional, so you can pass breakpoints of ruptures.
        size : int
            Length of the sequence.

        Returns
        -------
        Partition
            The partition. The label of a segment is its first position.

        Examples
        --------
        >>> truth, found = (Partition.from_change_points(points, 45) for points in ([10, 20], [12]))
        >>> truth
        <Partition of 45 records, 3 clusters>
        """
        codes, starts = numbered_segments(points, size, "the change points")
        return cls(MemoryLabels(codes, LabelsByCode(codes, starts.__getitem__)))

    @classmethod
    def from_segments(
        cls,
        segments: Any,
        *,
        start: str = "start",
        end: str = "end",
        cluster: str = "cluster",
        gaps: Any = None,
    ) -> Self:
        """Create a partition of time from labelled segments. Durations are the weights.

        Parameters
        ----------
        segments : list of tuples, or dataframe
            Triples (start, end, label), or a dataframe with these columns.
        start : str, default="start"
            The column of start times.
        end : str, default="end"
            The column of end times.
        cluster : str, default="cluster"
            The column of labels.
        gaps : label, optional
            The label of time between segments, such as "silence". By default, time that only one side covers
            is unmatched.

        Returns
        -------
        Partition
            The partition. Its records are the pairs of start and end.

        Raises
        ------
        OverlapError
            If two segments overlap.

        Examples
        --------
        >>> truth = Partition.from_segments([(0, 6, "Ada"), (6, 10, "Bob")])
        >>> truth
        <Partition of 2 segments, 2 clusters, 10 in all>
        >>> import concordant as cc
        >>> cc.compare(truth, Partition.from_segments([(0, 5, "x"), (5, 10, "y")])).matching_accuracy
        0.9
        """
        return cls(SegmentPartition(segments_in_order(segments, (start, end, cluster)), gaps))

    @classmethod
    @input_options(ROWS)
    def from_frame(cls, frame: Any, **options: Unpack[RowOptions]) -> Self:
        """Create a partition from a column of a dataframe, which is read when it is compared.

        Parameters
        ----------
        frame : dataframe
            A dataframe of pandas, Polars, PyArrow, DuckDB, Spark, Dask or another library that narwhals
            supports. Or AnnData, whose `obs_names` are the records.
        **options
            Columns, and how labels are read.

        Returns
        -------
        Partition
            The partition. Its data is read when you compare it, or when you ask for its content.

        Examples
        --------
        >>> import polars
        >>> frame = polars.DataFrame({"truth": [1, 1, 2], "guess": [1, 2, 2]})
        >>> Partition.from_frame(frame, record=None, cluster="truth")
        <Partition of 'truth' in a polars DataFrame>
        """
        source = _of_source(Frame(frame), **options)
        if has_observations(frame):
            labels = observed_columns(frame, [source.cluster])[source.cluster]
            conventions = Conventions(nulls=source.nulls, noise=source.noise, noise_as=source.noise_as)
            return cls(partition_of(labels, conventions, "the column"))
        return cls(source)

    @classmethod
    @input_options(ROWS)
    def read(cls, path: Any, *, format: Format | None = None, **options: Unpack[RowOptions]) -> Self:
        """Read a partition from files into memory.

        Text files have no types. A column has numbers if all its values are integers, or all are floats, as
        Python spells them. Otherwise it has text, in which `1` and `1.0` are two names.

        Parameters
        ----------
        path : path-like or list of paths
            The files, as in `scan`.
        format : str, optional
            The file format, if the file name does not show it.
        **options
            Columns, and how labels are read.

        Returns
        -------
        Partition
            The partition.

        Examples
        --------
        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     path = Partition.from_mapping({"tom": "cat", "rex": "dog"}).write(folder + "/pets.csv")
        ...     Partition.read(path)["rex"]
        'dog'
        """
        return in_memory(cls.scan(path, format=format, **options))

    @classmethod
    @input_options(ROWS)
    def scan(
        cls,
        path: Any,
        *,
        format: Format | None = None,
        memory: str | None = None,
        **options: Unpack[RowOptions],
    ) -> Self:
        """Create a partition from a column of files, which are never loaded completely to compare them.

        Parameters
        ----------
        path : path-like or list of paths
            A file, a folder, a pattern such as "run/*.parquet", or a URL such as "s3://bucket/run". Formats
            are Parquet, CSV, TSV, JSON lines and Arrow, also compressed.
        format : str, optional
            The file format, if the file name does not show it.
        memory : str, optional
            Maximum memory of the process, such as "1GB". The rest is kept on disk.
        **options
            Columns, and how labels are read.

        Returns
        -------
        Partition
            The partition. Its data is read when you compare it, or when you ask for its content.

        Examples
        --------
        >>> Partition.scan("run/*.parquet", record="record_id", cluster="entity", memory="1GB")
        <Partition of 'entity' by 'record_id' in run/*.parquet>
        """
        return cls(_of_source(files(path, memory, format), **options))

    # -- content --------------------------------------------------------------------------------------

    @property
    def labels(self) -> NDArray[Any]:
        """The label of each record, in the order of `records`, read-only. `numpy.asarray` gives the same.

        Examples
        --------
        >>> import numpy as np
        >>> np.asarray(Partition.from_mapping({"tom": 1, "rex": 2, "kitty": 1}))
        array([1, 2, 1])
        """
        labels: NDArray[Any] = self._once("labels", self._all_labels)
        return labels

    @property
    def omitted(self) -> tuple[Any, ...]:
        data: MemoryLabels = self._held
        return () if data.dropped is None else tuple(data.names(np.flatnonzero(data.dropped)))

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        labels = self.labels
        if dtype is not None and labels.dtype != dtype:
            return labels.astype(dtype)
        return labels.copy() if copy else labels

    def to_dict(self) -> dict[Any, Any]:
        return dict(zip(self.records, self.labels.tolist(), strict=True))

    def _record_names(self) -> Sequence[Any]:
        data: MemoryLabels = self._held
        return data.names(data.kept())

    def _all_labels(self) -> NDArray[Any]:
        data: MemoryLabels = self._held
        kept = data.kept()
        if isinstance(data.originals, np.ndarray) and data.originals.dtype.kind in "biuf" and not data.alone:
            labels = data.originals if kept is None else data.originals[kept]
            return read_only(labels.view(labels.dtype.str))  # int64 is spelled in two ways
        listed = data.labels(np.arange(len(data)) if kept is None else kept)
        kinds = {type(label) for label in listed}
        if kinds in ({int}, {float}, {bool}) and (array := np.array(listed)).dtype.kind in "biuf":
            return read_only(array)
        array = np.empty(len(listed), dtype=object)
        array[:] = listed
        return read_only(array)

    def _codes(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The number of the cluster of each record, and the first record of each cluster."""
        data: MemoryLabels = self._held
        kept, codes = data.kept(), np.asarray(data.codes)
        found = core.factorize(np.ascontiguousarray(codes if kept is None else codes[kept]))
        return found[0], found[1]

    def _cluster_labels(self) -> tuple[Any, ...]:
        _, first = self._once("codes", self._codes)
        return tuple(self.labels[first].tolist())

    def _is_equal(self, other: Clustering[Any]) -> bool:
        gaps = (getattr(data_of(each), "gaps", None) for each in (self, other))
        return next(gaps) == next(gaps) and super()._is_equal(other)

    def _in_clusters(self) -> MembershipArrays:
        codes, _ = self._once("codes", self._codes)
        return MembershipArrays(np.arange(self.size), codes, np.ones(self.size))

    def _item(self, position: int) -> Any:
        label = self.labels[position]
        return label.item() if isinstance(label, np.generic) else label

    def _columns(self) -> dict[str, list[Any]]:
        if isinstance(self._data, SegmentPartition):
            segments = self._data.segments
            times = [as_numbers(each[side] for each in segments) for side in (0, 1)]
            return {"start": times[0], "end": times[1], "cluster": [label for *_, label in segments]}
        return {"record": list(self.records), "cluster": self.labels.tolist()}


def _of_source(
    source: Frame | Files, record: str | None = "record", cluster: str = "cluster", **labels: Any
) -> SourcePartition:
    return SourcePartition(source, record, cluster, labels.pop("nulls", None) or "error", **labels)
