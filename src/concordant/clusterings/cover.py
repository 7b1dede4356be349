"""Cover: clusters that may overlap; an element may be in several of them or in none."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import chain
from typing import Any, ClassVar, Literal, NoReturn, Self, get_args

import numpy as np
from numpy.typing import NDArray

from concordant import core
from concordant.clusterings.clusters import elements_of, name_codes, names_and_members
from concordant.clusterings.inputs import partition_of
from concordant.clusterings.labels import is_missing
from concordant.clusterings.partition import Clustering, ClusteringKind, Partition
from concordant.clusterings.recognition import are_paths
from concordant.counts.conventions import Conventions, check_choice
from concordant.counts.spelling import counted
from concordant.errors import CoverError, InputError, ParameterError, few, kind_of
from concordant.sources.descriptions import Files, columns_in_memory, files

Unclustered = Literal["none", "alone"]
UNCLUSTERED: tuple[str, ...] = get_args(Unclustered)

_Integers = NDArray[np.int64]


class Cover(Clustering):
    """Clusters that may overlap.

    Empty clusters are dropped. An element that is repeated in a cluster counts once. Duplicate clusters are
    kept, and `audit` counts them.

    Examples
    --------
    >>> Cover.from_clusters([{"a", "b", "c"}, {"c", "d"}])
    Cover(4 elements, 2 clusters, 5 memberships)
    """

    kind: ClassVar[ClusteringKind] = "cover"

    audit: dict[str, int]
    cluster: NDArray[np.int64]
    element: NDArray[np.int64]
    elements: Sequence[Any]
    is_whole: bool
    names: list[Any]

    __slots__ = ("audit", "cluster", "element", "elements", "is_whole", "names")

    def __init__(self, *_given: Any, **_options: Any) -> None:
        raise ParameterError(
            "Cover() is not called directly; use Cover.from_clusters, from_mapping, from_memberships, "
            "from_matrix or of"
        )

    @classmethod
    def _of_memberships(
        cls,
        elements: Sequence[Any],
        element: _Integers,  # of each membership, as a position in elements
        cluster: _Integers,  # of each membership, as a position in names
        names: Sequence[Any],
        *,
        is_whole: bool,  # whether the elements are all there are
        unclustered: Unclustered = "none",
    ) -> Self:
        check_choice("unclustered", unclustered, UNCLUSTERED)
        self = object.__new__(cls)
        self.elements, self.is_whole = elements, is_whole
        given = len(element)
        width = int(np.max(element, initial=0)) + 1
        key = np.unique(np.asarray(cluster, dtype=np.int64) * width + np.asarray(element, dtype=np.int64))
        cluster, element = np.divmod(key, width)  # each membership once, in the order of the clusters
        filled = np.bincount(cluster, minlength=len(names)) > 0
        self.audit = {
            "memberships_repeated": given - len(element),
            "clusters_empty": int((~filled).sum()),
            "clusters_repeated": _repeated(element, cluster, len(elements)),
        }
        self.names = [names[i] for i in np.flatnonzero(filled).tolist()]
        cluster = (np.cumsum(filled) - 1)[cluster] if len(cluster) else cluster
        if unclustered == "alone":
            free = np.flatnonzero(np.bincount(element, minlength=len(elements)) == 0)
            element = np.concatenate([element, free])
            cluster = np.concatenate([cluster, len(self.names) + np.arange(len(free))])
            self.names += [None] * len(free)
        self.element, self.cluster = element.astype(np.int64), cluster.astype(np.int64)
        return self

    # -- from what a person holds ---------------------------------------------------------------

    @classmethod
    def from_clusters(
        cls,
        clusters: Iterable[Iterable[Hashable]],
        *,
        elements: Iterable[Hashable] | None = None,
        unclustered: Unclustered = "none",
        what: str = "the clusters",
    ) -> Self:
        """Create a cover from clusters of elements.

        Parameters
        ----------
        clusters : iterable of iterables, or mapping
            The elements of each cluster, or a mapping from cluster name to elements.
        elements : iterable of Hashable, optional
            The whole set, if some elements are in no cluster. By default, the elements of the clusters of
            both sides.
        unclustered : {"none", "alone"}, default="none"
            Whether elements in no cluster become singletons ("alone").
        what : str, default="the clusters"
            Name of the input in error messages.

        Returns
        -------
        Cover
            The cover.

        Examples
        --------
        >>> Cover.from_clusters({"cats": ["tom", "kitty"], "pets": ["tom", "rex"]}, elements=["tom", "kitty",
        ... "rex", "jerry"])
        Cover(4 elements, 2 clusters, 4 memberships)
        """
        names, members = names_and_members(clusters, what)
        held = [elements_of(cluster, number, what) for number, cluster in enumerate(members)]
        cluster = np.repeat(np.arange(len(held)), np.array([len(each) for each in held], dtype=np.int64))
        named = list(chain.from_iterable(held))
        return cls._of_named(named, cluster, names, elements=elements, unclustered=unclustered, what=what)

    @classmethod
    def from_mapping(
        cls,
        clusters: Mapping[Hashable, Iterable[Hashable]],
        *,
        elements: Iterable[Hashable] | None = None,
        unclustered: Unclustered = "none",
        what: str = "the mapping",
    ) -> Self:
        """Create a cover from a mapping of elements to their clusters.

        Parameters
        ----------
        clusters : mapping
            The clusters of each element. An empty list means that it is in no cluster.
        elements : iterable of Hashable, optional
            The whole set, as in `from_clusters`.
        unclustered : {"none", "alone"}, default="none"
            Whether elements in no cluster become singletons ("alone").
        what : str, default="the mapping"
            Name of the input in error messages.

        Returns
        -------
        Cover
            The cover.

        Examples
        --------
        >>> Cover.from_mapping({"tom": ["cats", "pets"], "rex": ["pets"], "jerry": []})
        Cover(3 elements, 2 clusters, 3 memberships)
        """
        if not isinstance(clusters, Mapping):
            raise InputError(
                f"{what} is {kind_of(clusters)}; from_mapping takes element -> clusters, "
                "from_clusters takes the clusters themselves"
            )
        lists = []
        for element, its in clusters.items():
            if its is not None and not isinstance(its, (list, tuple, set, frozenset)):
                raise CoverError(
                    f"{what}: {element!r} maps to {its!r}, which is not a list or set of clusters; for one "
                    "cluster each use Partition.from_mapping"
                )
            lists.append(list(its or ()))
        named = [e for e, its in zip(clusters, lists, strict=True) for _ in its]
        flat = list(chain.from_iterable(lists))
        more: dict[str, Any] = {"elements": elements, "unclustered": unclustered, "what": what}
        return cls._of_rows(named, flat, list(clusters), f"the clusters of {what}", **more)

    @classmethod
    def from_memberships(
        cls,
        source: Any,
        *,
        record: str,
        cluster: str,
        elements: Iterable[Hashable] | None = None,
        unclustered: Unclustered = "none",
    ) -> Cover:
        """Create a cover from a source with one row per membership.

        Parameters
        ----------
        source : dataframe or path
            A dataframe of any library, or Parquet, CSV, TSV or JSON lines files: a path, a pattern such as
            "run/*.parquet", or a list. Files are read when the cover is compared.
        record : str
            The column of record ids.
        cluster : str
            The column of clusters. A null means that the record is in no cluster.
        elements : iterable of Hashable, optional
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
        >>> Cover.from_memberships(frame, record="id", cluster="topic")
        Cover(3 elements, 2 clusters, 3 memberships)
        >>> Cover.from_memberships("topics.parquet", record="id", cluster="topic")
        SourceCover('topic' by 'id' of topics.parquet)
        """
        if are_paths(source):
            return SourceCover(source, record, cluster, elements, unclustered)
        check_columns(record, cluster)
        records, labels = columns_in_memory(source, record, cluster)
        what = f"the column {record!r}"
        inside = [i for i, label in enumerate(labels) if not is_missing(label)]
        named, flat = [records[i] for i in inside], [labels[i] for i in inside]
        more: dict[str, Any] = {"elements": elements, "unclustered": unclustered, "what": what}
        return cls._of_rows(named, flat, records, f"the column {cluster!r}", **more)

    @classmethod
    def from_matrix(
        cls,
        matrix: Any,
        *,
        elements: Iterable[Hashable] | None = None,
        clusters: Iterable[Hashable] | None = None,
        unclustered: Unclustered = "none",
    ) -> Self:
        """Create a cover from a 0/1 matrix with one row per element and one column per cluster.

        Parameters
        ----------
        matrix : array or sparse matrix
            The matrix.
        elements : iterable of Hashable, optional
            Names of the rows.
        clusters : iterable of Hashable, optional
            Names of the columns.
        unclustered : {"none", "alone"}, default="none"
            Whether elements in no cluster become singletons ("alone").

        Returns
        -------
        Cover
            The cover.

        Examples
        --------
        >>> Cover.from_matrix([[1, 0], [1, 1], [0, 0]])
        Cover(3 elements, 2 clusters, 3 memberships)
        """
        row, column, shape = ones_of(matrix)
        universe = range(shape[0]) if elements is None else _list_of(elements, "elements")
        names = range(shape[1]) if clusters is None else _list_of(clusters, "clusters")
        if (len(universe), len(names)) != shape:
            raise InputError(
                f"the matrix has {shape[0]} rows and {shape[1]} columns, but {len(universe)} elements and "
                f"{len(names)} clusters are named"
            )
        if elements is not None and len(name_codes(list(universe), "elements")[1]) < len(universe):
            raise InputError("elements= names a row of the matrix twice")
        return cls._of_memberships(universe, row, column, names, is_whole=True, unclustered=unclustered)

    @classmethod
    def of(cls, value: Any, conventions: Conventions | None = None, what: str = "the cover") -> Self:
        """Create a cover from an object whose type is unambiguous.

        Parameters
        ----------
        value : Cover, Partition, sets, matrix or clustering
            A cover, a partition, a list of sets, a 0/1 matrix, or a clustering of igraph, networkx, cdlib or
            NetworKit. A list of labels gives clusters of positions.
        conventions : Conventions, optional
            Treatment of labels and unmatched elements. By default, that of `compare`.
        what : str, default="the cover"
            Name of the input in error messages.

        Returns
        -------
        Cover
            The cover.

        Examples
        --------
        >>> Cover.of([{0, 1}, {1, 2}])
        Cover(3 elements, 2 clusters, 4 memberships)
        """
        if isinstance(value, cls):
            return value
        if isinstance(value, Partition):
            return cls._of_partition(value, what)
        of_a_graph = cls._of_graph_library(value, what)
        if of_a_graph is not None:
            return of_a_graph
        if hasattr(value, "tocoo") or (isinstance(value, np.ndarray) and value.ndim == 2):
            return cls.from_matrix(value)
        if isinstance(value, (list, tuple, set, frozenset)) and _all_are(value, (set, frozenset)):
            return cls.from_clusters(value, what=what)
        nested = list(value.values()) if isinstance(value, Mapping) else value
        if isinstance(nested, (list, tuple)) and _all_are(nested, (list, set, frozenset)):
            raise CoverError(
                f"{what} is ambiguous: use Cover.from_clusters(...) if each item lists the members of a "
                "cluster, or Cover.from_mapping(...) if it lists the clusters of an element"
            )
        return cls._of_partition(partition_of(value, conventions or Conventions(), what), what)

    @classmethod
    def _of_graph_library(cls, value: Any, what: str) -> Self | None:
        """The clusters of cdlib, NetworKit and igraph objects, recognised by their methods; else None."""
        if hasattr(value, "communities"):  # cdlib
            return cls.from_clusters(value.communities, what=what)
        if hasattr(value, "getSubsetIds") and hasattr(value, "getMembers"):  # NetworKit
            members = {each: value.getMembers(each) for each in sorted(value.getSubsetIds())}
            return cls.from_clusters(members, elements=range(value.numberOfElements()), what=what)
        if hasattr(value, "membership") and hasattr(value, "graph"):  # igraph
            lists = [each if isinstance(each, list | tuple) else [each] for each in value.membership]
            made = cls.from_mapping(dict(enumerate(lists)), what=what)
            made.is_whole = True
            return made
        return None

    @classmethod
    def _of_partition(cls, given: Partition, what: str) -> Self:
        partition = given.in_memory(what, "a comparison with a cover")
        which, first = core.factorize(np.asarray(partition.codes))
        elements = range(len(which)) if partition.elements is None else list(partition.elements)
        names = [partition.originals[i] for i in first.tolist()]
        position = np.arange(len(which))
        if partition.dropped is not None:
            kept = np.flatnonzero(~partition.dropped)
            elements = [elements[i] for i in kept.tolist()]
            which, position = which[kept], np.arange(len(kept))
        return cls._of_memberships(elements, position, which, names, is_whole=True)

    @classmethod
    def _of_rows(
        cls,
        named: list[Any],  # the element of each membership
        clusters: list[Any],  # its cluster
        known: list[Any],  # all elements that are named, also those in no cluster
        source: str,
        *,
        elements: Iterable[Hashable] | None,
        unclustered: Unclustered,
        what: str,
    ) -> Self:
        codes, first = name_codes(clusters, source)
        names = [clusters[i] for i in first.tolist()]
        universe = known if elements is None else [*known, *_list_of(elements, what)]
        made = cls._of_named(named, codes, names, elements=universe, unclustered=unclustered, what=what)
        made.is_whole = elements is not None
        return made

    @classmethod
    def _of_named(
        cls,
        named: list[Any],  # the element of each membership
        cluster: _Integers,
        names: Sequence[Any],
        *,
        elements: Iterable[Hashable] | None,
        unclustered: Unclustered,
        what: str,
    ) -> Self:
        universe = [] if elements is None else _list_of(elements, what)
        which, first = name_codes([*universe, *named], what)
        everyone = [(universe[i] if i < len(universe) else named[i - len(universe)]) for i in first.tolist()]
        if elements is not None:
            stranger = first[first >= len(universe)]
            if len(stranger):
                raise InputError(
                    f"{what}: {few(named[i - len(universe)] for i in stranger.tolist())} are in a cluster, "
                    "but not among the elements that elements= names"
                )
        return cls._of_memberships(
            everyone,
            which[len(universe) :],
            cluster,
            names,
            is_whole=elements is not None,
            unclustered=unclustered,
        )

    def __len__(self) -> int:
        return len(self.elements)

    @property
    def membership(self) -> NoReturn:
        """One label for each element, as in a partition: a cover raises an error with alternatives."""
        raise CoverError(
            "a Cover has no label for each element, so it is not a partition: compare two of them with "
            "concordant.compare, or an index such as concordant.omega"
        )

    def __repr__(self) -> str:
        memberships = counted(len(self.element), "membership")
        sizes = f"{counted(len(self), 'element')}, {counted(len(self.names), 'cluster')}"
        return f"Cover({sizes}, {memberships})"


class SourceCover(Cover):
    """A cover in files, with a row for each membership.

    Made by ``Cover.from_memberships``; it is read when it is compared.
    """

    __slots__ = ("columns", "named", "source", "unclustered")

    source: Files
    columns: tuple[str, str]  # of the record and of the cluster
    named: list[Any] | None  # the elements that there are
    unclustered: Unclustered

    def __init__(
        self,
        path: Any,
        record: str,
        cluster: str,
        elements: Iterable[Hashable] | None,
        unclustered: Unclustered,
    ) -> None:
        check_choice("unclustered", unclustered, UNCLUSTERED)
        check_columns(record, cluster)
        self.source, self.columns = files(path, "auto", None, None), (record, cluster)
        self.named = None if elements is None else _list_of(elements, "elements")
        self.unclustered = unclustered

    def __getattr__(self, name: str) -> NoReturn:
        """Attributes that only covers in memory have."""
        if name not in Cover.__slots__:
            raise AttributeError(name)
        raise InputError(f"{self!r} is read only when it is compared, so its contents are not known yet")

    def __len__(self) -> int:
        raise InputError(f"the number of elements in {self.source} is not known before it is compared")

    def __bool__(self) -> bool:
        return True

    def __repr__(self) -> str:
        record, cluster = self.columns
        return f"SourceCover({cluster!r} by {record!r} of {self.source})"


def _repeated(element: _Integers, cluster: _Integers, elements: int) -> int:
    """The number of clusters with the same elements as an earlier one; ``element`` is sorted by cluster."""
    words = np.random.default_rng().integers(0, 2**63, (elements, 2), dtype=np.int64).astype(np.uint64)
    sums = np.zeros((len(element) + 1, 2), dtype=np.uint64)
    np.cumsum(words[element], axis=0, out=sums[1:])
    start = np.flatnonzero(np.diff(cluster, prepend=-1))
    marks = np.diff(sums[np.append(start, len(element))], axis=0)  # 126 random bits: none are equal by chance
    return len(marks) - len(np.unique(marks, axis=0))


def _list_of(names: Any, what: str) -> list[Any]:
    if isinstance(names, (str, bytes)) or not isinstance(names, Iterable):
        raise ParameterError(f"{what}: name them in a list, not in {kind_of(names)}")
    return list(names)


def _all_are(values: Iterable[Any], kinds: tuple[type, ...]) -> bool:
    values = list(values)
    return bool(values) and all(isinstance(each, kinds) for each in values)


def check_columns(record: Any, cluster: Any) -> None:
    for name, column in (("record", record), ("cluster", cluster)):
        if not isinstance(column, str):
            raise ParameterError(f"give the name of a column, not {kind_of(column)}", given={name: column})
    if record == cluster:
        raise ParameterError(f"the record and the cluster are the same column, {record!r}")


def ones_of(matrix: Any) -> tuple[_Integers, _Integers, tuple[int, int]]:
    """Row and column of the ones, and how many rows and columns there are."""
    if hasattr(matrix, "tocoo"):
        sparse = matrix.tocoo()
        row, column, data, shape = sparse.row, sparse.col, np.asarray(sparse.data), sparse.shape
    else:
        try:
            dense = np.asarray(matrix)
        except ValueError as error:
            raise InputError(f"the matrix is ragged: {error}") from error
        shape = dense.shape
        if len(shape) == 2:
            if dense.dtype == object and (gap := next(filter(is_missing, dense.flat), dense)) is not dense:
                raise InputError(f"the matrix contains {gap!r}: give 0 or 1 for each element and cluster")
            row, column = np.nonzero(dense)
            data = dense[row, column]
    if len(shape) != 2:
        raise InputError(f"a matrix of elements by clusters has two dimensions, this has {len(shape)}")
    other = np.flatnonzero((data != 0) & (data != 1))
    if len(other):
        raise InputError(
            f"the matrix contains {data[other[0]].item()!r}: memberships are 0 or 1; weights that add "
            "up to 1 are a Soft.from_matrix, and others need a threshold, as in weights >= 0.5"
        )
    kept = data == 1
    return (
        np.asarray(row)[kept].astype(np.int64),
        np.asarray(column)[kept].astype(np.int64),
        (shape[0], shape[1]),
    )
