"""The data of covers: the memberships of elements in clusters that may overlap."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import chain
from typing import Any, ClassVar, Literal, NoReturn, Self, get_args

import numpy as np
from numpy.typing import NDArray

from concordant import sources
from concordant.clusterings.clustering import ClusteringData, ClusteringKind, data_of
from concordant.clusterings.clusters import elements_of, name_codes, names_and_members
from concordant.clusterings.coerce import partition_of
from concordant.clusterings.labels import PartitionData, is_missing
from concordant.errors import CoverError, InputError, LabelError, ParameterError, few, kind_of
from concordant.foundation.conventions import Conventions, check_choice
from concordant.foundation.spelling import counted
from concordant.sources.descriptions import Files, check_column_names
from concordant.sources.files import BYTES_OF_A_MEMBERSHIP

Unclustered = Literal["none", "alone"]
UNCLUSTERED: tuple[str, ...] = get_args(Unclustered)

_Integers = NDArray[np.int64]


class CoverData(ClusteringData):
    """The memberships of a cover, sorted by cluster and element.

    Empty clusters are dropped. An element that is repeated in a cluster counts once. Duplicate clusters are
    kept, and `audit` counts them.
    """

    kind: ClassVar[ClusteringKind] = "cover"

    audit: dict[str, int]
    cluster: NDArray[np.int64]
    element: NDArray[np.int64]
    elements: Sequence[Any]
    is_whole: bool
    names: list[Any]

    __slots__ = ("audit", "cluster", "element", "elements", "is_whole", "names")

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
    def of_clusters(
        cls,
        clusters: Iterable[Iterable[Hashable]],
        records: Iterable[Hashable] | None,
        unclustered: Unclustered,
        what: str,
    ) -> Self:
        """The cover of clusters of elements."""
        names, members = names_and_members(clusters, what)
        held = [elements_of(cluster, number, what) for number, cluster in enumerate(members)]
        cluster = np.repeat(np.arange(len(held)), np.array([len(each) for each in held], dtype=np.int64))
        named = list(chain.from_iterable(held))
        return cls._of_named(named, cluster, names, records=records, unclustered=unclustered, what=what)

    @classmethod
    def of_mapping(
        cls,
        clusters: Mapping[Hashable, Iterable[Hashable]],
        records: Iterable[Hashable] | None,
        unclustered: Unclustered,
        what: str,
    ) -> Self:
        """The cover of a mapping of elements to their clusters."""
        if not isinstance(clusters, Mapping):
            raise InputError(
                f"{what} is {kind_of(clusters)}; from_mapping takes record -> clusters, "
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
        more: dict[str, Any] = {"records": records, "unclustered": unclustered, "what": what}
        return cls._of_rows(named, flat, list(clusters), f"the clusters of {what}", **more)

    @classmethod
    def of_columns(
        cls,
        rows: Sequence[list[Any]],  # records, and clusters, which are missing where a record is in none
        columns: tuple[str, str],
        universe: Iterable[Hashable] | None,
        unclustered: Unclustered,
        of_files: str = "",
    ) -> Self:
        """The cover of a table with a row for each membership."""
        records, clusters = rows
        what = f"{of_files}the column {columns[0]!r}"
        inside = [i for i, label in enumerate(clusters) if not is_missing(label)]
        named, flat = [records[i] for i in inside], [clusters[i] for i in inside]
        more: dict[str, Any] = {"records": universe, "unclustered": unclustered, "what": what}
        return cls._of_rows(named, flat, records, f"{of_files}the column {columns[1]!r}", **more)

    @classmethod
    def of_matrix(
        cls,
        matrix: Any,
        records: Iterable[Hashable] | None,
        clusters: Iterable[Hashable] | None,
        unclustered: Unclustered,
    ) -> Self:
        """The cover of a 0/1 matrix with a row for each element."""
        row, column, shape = ones_of(matrix)
        universe = range(shape[0]) if records is None else _list_of(records, "records")
        names = range(shape[1]) if clusters is None else _list_of(clusters, "clusters")
        if (len(universe), len(names)) != shape:
            raise InputError(
                f"the matrix has {counted(shape[0], 'row')} and {counted(shape[1], 'column')}, and the names "
                f"are of {counted(len(universe), 'record')} and {counted(len(names), 'cluster')}"
            )
        if records is not None and len(name_codes(list(universe), "records")[1]) < len(universe):
            raise InputError("records= names a row of the matrix twice")
        return cls._of_memberships(universe, row, column, names, is_whole=True, unclustered=unclustered)

    @classmethod
    def of_unnamed_kind(cls, value: Any, conventions: Conventions, what: str) -> Self:
        """The cover of an object whose type is unambiguous."""
        found = cls.without_labels(value, what)
        return cls._of_partition(partition_of(value, conventions, what), what) if found is None else found

    @classmethod
    def without_labels(cls, value: Any, what: str) -> Self | None:
        """The cover of clusters, a matrix, a graph's communities or a clustering; None for labels."""
        value = data_of(value)
        if isinstance(value, cls):
            return value
        if isinstance(value, ClusteringData):
            return cls._of_partition(partition_of(value, Conventions(), what), what)
        of_a_graph = cls._of_graph_library(value, what)
        if of_a_graph is not None:
            return of_a_graph
        if hasattr(value, "tocoo") or (isinstance(value, np.ndarray) and value.ndim == 2):
            return cls.of_matrix(value, None, None, "none")
        if isinstance(value, (list, tuple, set, frozenset)) and _all_are(value, (set, frozenset)):
            return cls.of_clusters(value, None, "none", what)
        nested = list(value.values()) if isinstance(value, Mapping) else value
        if isinstance(nested, (list, tuple)) and _all_are(nested, (list, set, frozenset)):
            raise CoverError(
                f"{what} is ambiguous: use Cover.from_clusters(...) if each item lists the members of a "
                "cluster, or Cover.from_mapping(...) if it lists the clusters of a record"
            )
        return None

    @classmethod
    def _of_graph_library(cls, value: Any, what: str) -> Self | None:
        """The clusters of cdlib, NetworKit and igraph objects, recognised by their methods; else None."""
        if hasattr(value, "communities"):  # cdlib
            return cls.of_clusters(value.communities, None, "none", what)
        if hasattr(value, "getSubsetIds") and hasattr(value, "getMembers"):  # NetworKit
            members = {each: value.getMembers(each) for each in sorted(value.getSubsetIds())}
            return cls.of_clusters(members, range(value.numberOfElements()), "none", what)
        if hasattr(value, "membership") and hasattr(value, "graph"):  # igraph
            lists = [each if isinstance(each, list | tuple) else [each] for each in value.membership]
            made = cls.of_mapping(dict(enumerate(lists)), None, "none", what)
            made.is_whole = True
            return made
        return None

    @classmethod
    def _of_partition(cls, given: PartitionData, what: str) -> Self:
        partition = given.in_memory(what, "a comparison with a cover")
        kept, which, first = partition.clusters_of_kept()
        elements = range(len(partition)) if partition.elements is None else list(partition.elements)
        names = [partition.originals[i] for i in first.tolist()]
        if kept is not None:
            elements = [elements[i] for i in kept.tolist()]
        return cls._of_memberships(elements, np.arange(len(which)), which, names, is_whole=True)

    @classmethod
    def _of_rows(
        cls,
        named: list[Any],  # the element of each membership
        clusters: list[Any],  # its cluster
        known: list[Any],  # all elements that are named, also those in no cluster
        source: str,
        *,
        records: Iterable[Hashable] | None,
        unclustered: Unclustered,
        what: str,
    ) -> Self:
        codes, first = name_codes(clusters, source)
        names = [clusters[i] for i in first.tolist()]
        universe = known if records is None else [*known, *_list_of(records, what)]
        made = cls._of_named(named, codes, names, records=universe, unclustered=unclustered, what=what)
        made.is_whole = records is not None
        return made

    @classmethod
    def _of_named(
        cls,
        named: list[Any],  # the element of each membership
        cluster: _Integers,
        names: Sequence[Any],
        *,
        records: Iterable[Hashable] | None,
        unclustered: Unclustered,
        what: str,
    ) -> Self:
        universe = [] if records is None else _list_of(records, what)
        which, first = name_codes([*universe, *named], what)
        everyone = [(universe[i] if i < len(universe) else named[i - len(universe)]) for i in first.tolist()]
        if records is not None:
            stranger = first[first >= len(universe)]
            if len(stranger):
                raise InputError(
                    f"{what}: {few(named[i - len(universe)] for i in stranger.tolist())} are in a cluster, "
                    "but not among those that records= names"
                )
        return cls._of_memberships(
            everyone,
            which[len(universe) :],
            cluster,
            names,
            is_whole=records is not None,
            unclustered=unclustered,
        )

    def __len__(self) -> int:
        return len(self.elements)

    def __repr__(self) -> str:
        memberships = counted(len(self.element), "membership")
        sizes = f"{counted(len(self), 'record')}, {counted(len(self.names), 'cluster')}"
        return f"<Cover of {sizes}, {memberships}>"


class SourceCover(CoverData):
    """A cover in files, with a row for each membership. Made by ``Cover.scan``."""

    __slots__ = ("columns", "named", "source", "unclustered")

    source: Files
    columns: tuple[str, str]  # of the record and of the cluster
    named: list[Any] | None  # the elements that there are
    unclustered: Unclustered

    def __init__(
        self,
        source: Files,
        columns: tuple[str, str],
        records: Iterable[Hashable] | None,
        unclustered: Unclustered,
    ) -> None:
        check_choice("unclustered", unclustered, UNCLUSTERED)
        check_column_names(record=columns[0], cluster=columns[1])
        self.source, self.columns = source, columns
        self.named = None if records is None else _list_of(records, "records")
        self.unclustered = unclustered

    def __getattr__(self, name: str) -> NoReturn:
        """Attributes that only covers in memory have."""
        if name not in CoverData.__slots__:
            raise AttributeError(name)
        raise InputError(f"{self!r} is read only when it is compared, so its contents are not known yet")

    def read(self, *, typed: bool = True) -> CoverData:
        records, clusters = sources.files.read_columns(
            self.source, self.columns, typed=typed, each=BYTES_OF_A_MEMBERSHIP
        )
        for record, cluster in zip(records, clusters, strict=True):
            if is_missing(record):
                raise LabelError(
                    f"{self.source}: {self.columns[0]!r} is null in a row whose {self.columns[1]!r} is "
                    f"{cluster!r}; name the record or leave out the row"
                )
        of_files = f"{self.source}: "
        rows = [records, clusters]
        return CoverData.of_columns(rows, self.columns, self.named, self.unclustered, of_files)

    def __repr__(self) -> str:
        record, cluster = self.columns
        return f"<Cover of {cluster!r} by {record!r} in {self.source}>"


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
                raise InputError(f"the matrix contains {gap!r}: give 0 or 1 for each record and cluster")
            row, column = np.nonzero(dense)
            data = dense[row, column]
    if len(shape) != 2:
        raise InputError(f"a matrix of records by clusters has two dimensions, this has {len(shape)}")
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
