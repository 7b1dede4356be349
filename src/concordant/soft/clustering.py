"""Soft: a partition in which each record has a weight for each cluster."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, ClassVar, Self

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
from concordant.clusterings.coerce import partition_of
from concordant.clusterings.partition import Partition
from concordant.foundation.conventions import USUAL
from concordant.soft.data import SoftData, SourceSoft
from concordant.soft.weights import Remainder
from concordant.sources.descriptions import check_column_names, columns_in_memory, files
from concordant.sources.formats import Format


class Soft(Clustering[SoftData]):
    """A soft clustering: the weight of each record in each cluster, with rows that sum to 1.

    A row must sum to 1 within 1e-6 and is then normalised. Clusters without weight are dropped. A float
    counts as the nearest multiple of 2⁻⁵³. Fractions, decimals and integers stay exact; only arrays of
    integers whose common denominator exceeds 2⁵³ become floats. Two soft clusterings are equal if their
    weights differ by less than 1e-12.

    Examples
    --------
    >>> s = Soft.from_matrix([[0.5, 0.5], [1.0, 0.0]])
    >>> s
    <Soft of 2 records, 2 clusters>
    >>> dict(s[0])
    {0: 0.5, 1: 0.5}
    """

    __slots__ = ()

    _kind: ClassVar[ClusteringKind] = "soft"
    _constructors: ClassVar[str] = "from_matrix, from_mapping, from_frame, read, scan or of"

    # -- constructors ---------------------------------------------------------------------------------

    @classmethod
    def of(
        cls,
        x: Any,
        *,
        records: Iterable[Hashable] | None = None,
        remainder: Remainder | None = None,
        normalise: bool = False,
    ) -> Self:
        """Create a soft partition from an object whose type is unambiguous.

        Parameters
        ----------
        x : Soft, matrix, mapping or labels
            A matrix of two dimensions, a mapping from records to weights by cluster, a soft partition, or a
            partition, whose weights are 1.
        records : iterable of Hashable, optional
            Names of the rows of a matrix.
        remainder : {"alone", "cluster"}, optional
            Treatment of weights that sum to less than 1, as in `from_matrix`.
        normalise : bool, default=False
            Whether to divide the weights of each record by their sum.

        Returns
        -------
        Soft
            The soft partition.

        Examples
        --------
        >>> Soft.of([[0.5, 0.5], [1.0, 0.0]]) == Soft.from_matrix([[0.5, 0.5], [1.0, 0.0]])
        True
        >>> Soft.of(["cat", "dog", "cat"]).memberships.toarray().tolist()
        [[1.0, 0.0], [0.0, 1.0], [1.0, 0.0]]
        """
        rules: dict[str, Any] = {"remainder": remainder, "normalise": normalise}
        if isinstance(x, Mapping) and any(isinstance(each, Mapping) for each in x.values()):
            refuse_given("the keys of a mapping are the records", records=records)
            return cls.from_mapping(x, **rules)
        is_nested = isinstance(x, list | tuple) and any(isinstance(row, list | tuple) for row in x)
        if is_nested or hasattr(x, "tocsr") or getattr(x, "ndim", 1) == 2:
            return cls.from_matrix(x, records=records, **rules)
        refuse_given(
            "this applies to weights", records=records, remainder=remainder, normalise=normalise or None
        )
        if isinstance(x, cls):
            return x
        partition = Partition(partition_of(x, USUAL, "the partition"))
        weights = {record: {label: 1} for record, label in partition.to_dict().items()}
        return cls.from_mapping(weights)

    @classmethod
    def from_matrix(
        cls,
        matrix: Any,
        *,
        records: Iterable[Hashable] | None = None,
        clusters: Iterable[Hashable] | None = None,
        remainder: Remainder | None = None,
        normalise: bool = False,
        transposed: bool = False,
    ) -> Self:
        """Create a soft partition from a matrix, such as the result of `predict_proba`.

        Parameters
        ----------
        matrix : array, nested lists, dataframe or sparse matrix
            One row per record and one column per cluster.
        records : iterable of Hashable, optional
            Names of the rows. By default, the index of a pandas dataframe, otherwise positions.
        clusters : iterable of Hashable, optional
            Names of the columns. A dataframe has its own.
        remainder : {"alone", "cluster"}, optional
            If rows sum to less than 1: leave the rest in no cluster ("alone"), or make it a cluster.
        normalise : bool, default=False
            Whether to divide each row by its sum.
        transposed : bool, default=False
            Whether rows are clusters and columns are records, like `u` of scikit-fuzzy.

        Returns
        -------
        Soft
            The soft partition.

        Raises
        ------
        SoftError
            If a row does not sum to 1, or a weight is negative.

        Examples
        --------
        >>> Soft.from_matrix([[2, 2], [1, 3]], normalise=True).memberships.toarray().tolist()
        [[0.5, 0.5], [0.25, 0.75]]
        """
        options = {"normalise": normalise, "transposed": transposed}
        return cls(SoftData.of_matrix(matrix, records, clusters, remainder, **options))

    @classmethod
    def from_mapping(
        cls,
        weights: Mapping[Hashable, Mapping[Hashable, Any]],
        *,
        remainder: Remainder | None = None,
        normalise: bool = False,
    ) -> Self:
        """Create a soft partition from a mapping of records to the weights of their clusters.

        Parameters
        ----------
        weights : mapping of mappings
            For each record, its clusters and their weights.
        remainder : {"alone", "cluster"}, optional
            Treatment of weights that sum to less than 1, as in `from_matrix`.
        normalise : bool, default=False
            Whether to divide the weights of each record by their sum.

        Returns
        -------
        Soft
            The soft partition.

        Raises
        ------
        SoftError
            If the weights of a record do not sum to 1, or one is negative.

        Examples
        --------
        >>> Soft.from_mapping({"tom": {"cat": 1}, "rex": {"dog": 0.75, "cat": 0.25}})
        <Soft of 2 records, 2 clusters>
        """
        return cls(SoftData.of_mapping(weights, (remainder, normalise)))

    @classmethod
    def from_frame(
        cls,
        frame: Any,
        *,
        record: str = "record",
        cluster: str = "cluster",
        weight: str = "weight",
        remainder: Remainder | None = None,
        normalise: bool = False,
    ) -> Self:
        """Create a soft partition from a dataframe with one row per membership.

        Parameters
        ----------
        frame : dataframe
            A dataframe of any library.
        record : str, default="record"
            The column of record ids.
        cluster : str, default="cluster"
            The column of clusters.
        weight : str, default="weight"
            The column of weights.
        remainder : {"alone", "cluster"}, optional
            Treatment of weights that sum to less than 1, as in `from_matrix`.
        normalise : bool, default=False
            Whether to divide the weights of each record by their sum.

        Returns
        -------
        Soft
            The soft partition.

        Examples
        --------
        >>> import polars
        >>> frame = polars.DataFrame({"id": ["a", "a", "b"], "topic": [1, 2, 2], "share": [0.25, 0.75, 1.0]})
        >>> Soft.from_frame(frame, record="id", cluster="topic", weight="share")
        <Soft of 2 records, 2 clusters>
        """
        check_column_names(record=record, cluster=cluster, weight=weight)
        records, clusters, weights = columns_in_memory(frame, record, cluster, weight)
        return cls(SoftData.of_rows(records, clusters, weights, None, (remainder, normalise)))

    @classmethod
    def read(
        cls,
        path: Any,
        *,
        record: str = "record",
        cluster: str = "cluster",
        weight: str = "weight",
        remainder: Remainder | None = None,
        normalise: bool = False,
        format: Format | None = None,
    ) -> Self:
        """Read a soft partition from files into memory.

        Parameters
        ----------
        path : path-like or list of paths
            The files, as in `scan`.
        record : str, default="record"
            The column of record ids.
        cluster : str, default="cluster"
            The column of clusters.
        weight : str, default="weight"
            The column of weights.
        remainder : {"alone", "cluster"}, optional
            Treatment of weights that sum to less than 1, as in `from_matrix`.
        normalise : bool, default=False
            Whether to divide the weights of each record by their sum.
        format : str, optional
            The file format, if the file name does not show it.

        Returns
        -------
        Soft
            The soft partition.

        Examples
        --------
        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     path = Soft.from_mapping({"rex": {"dog": 0.75, "cat": 0.25}}).write(folder + "/pets.csv")
        ...     dict(Soft.read(path)["rex"])
        {'dog': 0.75, 'cat': 0.25}
        """
        options: dict[str, Any] = {"remainder": remainder, "normalise": normalise, "format": format}
        return in_memory(cls.scan(path, record=record, cluster=cluster, weight=weight, **options))

    @classmethod
    def scan(
        cls,
        path: Any,
        *,
        record: str = "record",
        cluster: str = "cluster",
        weight: str = "weight",
        remainder: Remainder | None = None,
        normalise: bool = False,
        format: Format | None = None,
        memory: str | None = None,
    ) -> Self:
        """Create a soft partition from files with one row per membership, read when they are needed.

        Parameters
        ----------
        path : path-like or list of paths
            Parquet, CSV, TSV or JSON lines files: a path, a pattern such as "run/*.parquet", or a list.
        record : str, default="record"
            The column of record ids.
        cluster : str, default="cluster"
            The column of clusters.
        weight : str, default="weight"
            The column of weights.
        remainder : {"alone", "cluster"}, optional
            Treatment of weights that sum to less than 1, as in `from_matrix`.
        normalise : bool, default=False
            Whether to divide the weights of each record by their sum.
        format : str, optional
            The file format, if the file name does not show it.
        memory : str, optional
            Maximum memory of the process, such as "1GB".

        Returns
        -------
        Soft
            The soft partition.

        Examples
        --------
        >>> Soft.scan("topics.parquet", record="id", cluster="topic", weight="share")
        <Soft of 'share' by 'id' in topics.parquet>
        """
        check_column_names(record=record, cluster=cluster, weight=weight)
        source = files(path, memory, format)
        return cls(SourceSoft(source, (record, cluster, weight), remainder, normalise))

    # -- content --------------------------------------------------------------------------------------

    @property
    def memberships(self) -> Any:
        """The weights as a sparse matrix of SciPy, one row per record and one column per cluster.

        Examples
        --------
        >>> Soft.from_mapping({"tom": {"cat": 1}, "rex": {"dog": 0.75, "cat": 0.25}}).memberships.toarray()
        array([[1.  , 0.  ],
               [0.25, 0.75]])
        """
        return sparse_matrix(self._in_clusters(), (self.size, self.n_clusters))

    @property
    def entropy(self) -> float:
        """The mean entropy of the records' weights in nats. It is 0 if all weights are 0 or 1.

        Examples
        --------
        >>> round(Soft.from_matrix([[0.5, 0.5], [1.0, 0.0]]).entropy, 4)
        0.3466
        """
        entropy: float = self._held.entropy
        return entropy

    @property
    def sharpness(self) -> float:
        """The mean sum of squared weights: 1 if all weights are 0 or 1, 1/K if all weights are equal.

        Examples
        --------
        >>> Soft.from_matrix([[0.5, 0.5], [1.0, 0.0]]).sharpness
        0.75
        """
        sharpness: float = self._held.sharpness
        return sharpness

    @property
    def ties(self) -> int:
        """The number of records whose largest weight occurs in several clusters.

        Examples
        --------
        >>> Soft.from_matrix([[0.5, 0.5], [1.0, 0.0]]).ties
        1
        """
        ties: int = self._held.ties
        return ties

    def harden(self, *, at: float = 0) -> Partition:
        """Assign each record to its cluster with the largest weight.

        If weights are equal, the first cluster wins; `ties` counts these records. A record with more weight
        in no cluster than in any cluster becomes a singleton.

        Parameters
        ----------
        at : float, default=0
            Minimum weight. A record whose largest weight is smaller becomes a singleton.

        Returns
        -------
        Partition
            The partition.

        Examples
        --------
        >>> soft = Soft.from_matrix([[0.2, 0.8], [0.5, 0.5], [0.1, 0.9]], clusters=["cat", "dog"])
        >>> soft.harden().labels.tolist(), soft.ties
        (['dog', 'cat', 'dog'], 1)
        """
        return Partition(self._held.harden(at))

    def to_dict(self) -> dict[Any, Any]:
        labels = self.clusters
        held: dict[Any, Any] = {record: {} for record in self.records}
        rows = list(held.values())
        record, cluster, weight = self._in_clusters()
        for x, number, share in zip(record.tolist(), cluster.tolist(), weight.tolist(), strict=True):
            rows[x][labels[number]] = share
        return held

    def _record_names(self) -> Sequence[Any]:
        return names_of(self._held.records, len(self._held))

    def _cluster_labels(self) -> tuple[Any, ...]:
        return tuple(names_of(self._held.clusters, len(self._held.clusters)))

    def _in_clusters(self) -> MembershipArrays:
        memberships: MembershipArrays = self._once("memberships", self._nonzero)
        return memberships

    def _nonzero(self) -> MembershipArrays:
        made = self._held.memberships
        if made.start is None:
            record, cluster = np.nonzero(made.units)
            units = made.units[record, cluster]
        else:
            inside = made.units != 0
            record = np.repeat(np.arange(len(made)), np.diff(made.start))[inside]
            cluster, units = made.column[inside], made.units[inside]
        return MembershipArrays(record, cluster, np.asarray(units / made.scale, dtype=np.float64))

    def _by_record(self) -> list[MappingProxyType[Any, float]]:
        return [MappingProxyType(weights) for weights in self.to_dict().values()]

    def _item(self, position: int) -> MappingProxyType[Any, float]:
        weights: MappingProxyType[Any, float] = self._once("by record", self._by_record)[position]
        return weights

    def _columns(self) -> dict[str, list[Any]]:
        first = self.clusters[0]
        rows = [
            (record, label, weight)
            for record, weights in self.to_dict().items()
            for label, weight in (weights or {first: 0.0}).items()  # a record in no cluster keeps its row
        ]
        columns = zip(*rows, strict=True) if rows else ((), (), ())
        return dict(zip(("record", "cluster", "weight"), map(list, columns), strict=True))
