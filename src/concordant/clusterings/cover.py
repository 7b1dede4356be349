"""Cover: clusters that may overlap; a record may be in several of them or in none."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any, ClassVar, Self, Unpack

import numpy as np

from concordant.clusterings.clustering import (
    Clustering,
    ClusteringKind,
    MembershipArrays,
    in_memory,
    names_of,
    refuse_given,
    sparse_matrix,
)
from concordant.clusterings.cover_data import CoverData, SourceCover, Unclustered
from concordant.clusterings.partition import LABELS, LabelOptions
from concordant.foundation.conventions import Conventions
from concordant.foundation.input_options import input_options
from concordant.sources.descriptions import check_column_names, columns_in_memory, files
from concordant.sources.formats import Format


class Cover(Clustering[CoverData]):
    """Clusters that may overlap.

    Empty clusters are dropped. A record that is repeated in a cluster counts once. Duplicate clusters are
    kept.

    Examples
    --------
    >>> c = Cover.from_clusters([{"a", "b", "c"}, {"c", "d"}])
    >>> c
    <Cover of 4 records, 2 clusters, 5 memberships>
    >>> sorted(c["c"])
    [0, 1]
    """

    __slots__ = ()

    _kind: ClassVar[ClusteringKind] = "cover"
    _constructors: ClassVar[str] = "from_clusters, from_mapping, from_matrix, from_frame, read, scan or of"

    # -- constructors ---------------------------------------------------------------------------------

    @classmethod
    @input_options(LABELS)
    def of(cls, x: Any, **options: Unpack[LabelOptions]) -> Self:
        """Create a cover from an object whose type is unambiguous.

        Parameters
        ----------
        x : Cover, Partition, sets, matrix or clustering
            A cover, a partition, a list of sets, a 0/1 matrix, or a clustering of igraph, networkx, cdlib or
            NetworKit. A list of labels gives clusters of positions.
        **options
            How labels of a partition are read.

        Returns
        -------
        Cover
            The cover.

        Examples
        --------
        >>> Cover.of([{0, 1}, {1, 2}])
        <Cover of 3 records, 2 clusters, 4 memberships>
        """
        conventions, what = Conventions.of(options), "the cover"
        found = CoverData.without_labels(x, what)
        if found is None:
            return cls(CoverData.of_unnamed_kind(x, conventions, what))
        refuse_given("this applies to labels, and these are clusters", **options)
        return x if isinstance(x, cls) else cls(found)

    @classmethod
    def from_clusters(
        cls,
        clusters: Iterable[Iterable[Hashable]],
        *,
        records: Iterable[Hashable] | None = None,
        unclustered: Unclustered = "none",
    ) -> Self:
        """Create a cover from clusters of records.

        Parameters
        ----------
        clusters : iterable of iterables, or mapping
            The records of each cluster, or a mapping from cluster name to records.
        records : iterable of Hashable, optional
            The whole set, if some records are in no cluster. By default, the records of the clusters of both
            sides.
        unclustered : {"none", "alone"}, default="none"
            Whether records in no cluster become singletons ("alone").

        Returns
        -------
        Cover
            The cover.

        Examples
        --------
        >>> Cover.from_clusters({"cats": ["tom", "kitty"], "pets": ["tom", "rex"]}, records=["tom", "kitty",
        ... "rex", "jerry"])
        <Cover of 4 records, 2 clusters, 4 memberships>
        """
        return cls(CoverData.of_clusters(clusters, records, unclustered, "the clusters"))

    @classmethod
    def from_mapping(
        cls,
        clusters: Mapping[Hashable, Iterable[Hashable]],
        *,
        records: Iterable[Hashable] | None = None,
        unclustered: Unclustered = "none",
    ) -> Self:
        """Create a cover from a mapping of records to their clusters.

        Parameters
        ----------
        clusters : mapping
            The clusters of each record. An empty list means that it is in no cluster.
        records : iterable of Hashable, optional
            The whole set, as in `from_clusters`.
        unclustered : {"none", "alone"}, default="none"
            Whether records in no cluster become singletons ("alone").

        Returns
        -------
        Cover
            The cover.

        Examples
        --------
        >>> Cover.from_mapping({"tom": ["cats", "pets"], "rex": ["pets"], "jerry": []})
        <Cover of 3 records, 2 clusters, 3 memberships>
        """
        return cls(CoverData.of_mapping(clusters, records, unclustered, "the mapping"))

    @classmethod
    def from_matrix(
        cls,
        matrix: Any,
        *,
        records: Iterable[Hashable] | None = None,
        clusters: Iterable[Hashable] | None = None,
        unclustered: Unclustered = "none",
    ) -> Self:
        """Create a cover from a 0/1 matrix with one row per record and one column per cluster.

        Parameters
        ----------
        matrix : array or sparse matrix
            The matrix.
        records : iterable of Hashable, optional
            Names of the rows.
        clusters : iterable of Hashable, optional
            Names of the columns.
        unclustered : {"none", "alone"}, default="none"
            Whether records in no cluster become singletons ("alone").

        Returns
        -------
        Cover
            The cover.

        Examples
        --------
        >>> Cover.from_matrix([[1, 0], [1, 1], [0, 0]])
        <Cover of 3 records, 2 clusters, 3 memberships>
        """
        return cls(CoverData.of_matrix(matrix, records, clusters, unclustered))

    @classmethod
    def from_frame(
        cls,
        frame: Any,
        *,
        record: str = "record",
        cluster: str = "cluster",
        records: Iterable[Hashable] | None = None,
        unclustered: Unclustered = "none",
    ) -> Self:
        """Create a cover from a dataframe with one row per membership.

        Parameters
        ----------
        frame : dataframe
            A dataframe of any library.
        record : str, default="record"
            The column of record ids.
        cluster : str, default="cluster"
            The column of clusters. A null means that the record is in no cluster.
        records : iterable of Hashable, optional
            The whole set, as in `from_clusters`.
        unclustered : {"none", "alone"}, default="none"
            Whether records in no cluster become singletons ("alone").

        Returns
        -------
        Cover
            The cover.

        Examples
        --------
        >>> import polars
        >>> frame = polars.DataFrame({"id": ["a", "a", "b", "c"], "topic": [1, 2, 2, None]})
        >>> Cover.from_frame(frame, record="id", cluster="topic")
        <Cover of 3 records, 2 clusters, 3 memberships>
        """
        check_column_names(record=record, cluster=cluster)
        columns = columns_in_memory(frame, record, cluster)
        return cls(CoverData.of_columns(columns, (record, cluster), records, unclustered))

    @classmethod
    def read(
        cls,
        path: Any,
        *,
        record: str = "record",
        cluster: str = "cluster",
        records: Iterable[Hashable] | None = None,
        unclustered: Unclustered = "none",
        format: Format | None = None,
    ) -> Self:
        """Read a cover from files into memory.

        Parameters
        ----------
        path : path-like or list of paths
            The files, as in `scan`.
        record : str, default="record"
            The column of record ids.
        cluster : str, default="cluster"
            The column of clusters. A null means that the record is in no cluster.
        records : iterable of Hashable, optional
            The whole set, as in `from_clusters`.
        unclustered : {"none", "alone"}, default="none"
            Whether records in no cluster become singletons ("alone").
        format : str, optional
            The file format, if the file name does not show it.

        Returns
        -------
        Cover
            The cover.

        Examples
        --------
        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     path = Cover.from_mapping({"tom": ["cats", "pets"]}).write(folder + "/pets.csv")
        ...     Cover.read(path)
        <Cover of 1 record, 2 clusters, 2 memberships>
        """
        options: dict[str, Any] = {"records": records, "unclustered": unclustered, "format": format}
        return in_memory(cls.scan(path, record=record, cluster=cluster, **options))

    @classmethod
    def scan(
        cls,
        path: Any,
        *,
        record: str = "record",
        cluster: str = "cluster",
        records: Iterable[Hashable] | None = None,
        unclustered: Unclustered = "none",
        format: Format | None = None,
        memory: str | None = None,
    ) -> Self:
        """Create a cover from files with one row per membership, which are read when they are needed.

        Parameters
        ----------
        path : path-like or list of paths
            Parquet, CSV, TSV or JSON lines files: a path, a pattern such as "run/*.parquet", or a list.
        record : str, default="record"
            The column of record ids.
        cluster : str, default="cluster"
            The column of clusters. A null means that the record is in no cluster.
        records : iterable of Hashable, optional
            The whole set, as in `from_clusters`.
        unclustered : {"none", "alone"}, default="none"
            Whether records in no cluster become singletons ("alone").
        format : str, optional
            The file format, if the file name does not show it.
        memory : str, optional
            Maximum memory of the process, such as "1GB".

        Returns
        -------
        Cover
            The cover.

        Examples
        --------
        >>> Cover.scan("topics.parquet", record="id", cluster="topic")
        <Cover of 'topic' by 'id' in topics.parquet>
        """
        source = files(path, memory, format)
        return cls(SourceCover(source, (record, cluster), records, unclustered))

    # -- content --------------------------------------------------------------------------------------

    @property
    def memberships(self) -> Any:
        """The memberships as a sparse 0/1 matrix of SciPy, one row per record and one column per cluster.

        Examples
        --------
        >>> Cover.from_mapping({"tom": ["cats", "pets"], "rex": ["pets"]}).memberships.toarray()
        array([[1., 1.],
               [0., 1.]])
        """
        return sparse_matrix(self._in_clusters(), (self.size, self.n_clusters))

    def to_dict(self) -> dict[Any, Any]:
        labels, of_each = self.clusters, self._once("by record", self._by_record)
        return {record: [labels[i] for i in of_each[x]] for x, record in enumerate(self.records)}

    def _record_names(self) -> Sequence[Any]:
        elements = self._held.elements
        return elements if isinstance(elements, range) else names_of(elements, len(elements))

    def _cluster_labels(self) -> tuple[Any, ...]:
        return tuple(names_of(self._held.names, len(self._held.names)))

    def _in_clusters(self) -> MembershipArrays:
        data: CoverData = self._held
        return MembershipArrays(data.element, data.cluster, np.ones(len(data.element)))

    def _by_record(self) -> list[list[int]]:
        """The numbers of the clusters of each record."""
        found: list[list[int]] = [[] for _ in range(self.size)]
        record, cluster, _ = self._in_clusters()
        for x, number in zip(record.tolist(), cluster.tolist(), strict=True):
            found[x].append(number)
        return found

    def _item(self, position: int) -> frozenset[Any]:
        numbers = self._once("by record", self._by_record)[position]
        return frozenset(label for i in numbers if (label := self.clusters[i]) is not None)

    def _columns(self) -> dict[str, list[Any]]:
        held = self.to_dict().items()
        rows = [(record, label) for record, labels in held for label in labels or [None]]
        return {"record": [record for record, _ in rows], "cluster": [label for _, label in rows]}
