"""Clustering: the value that users hold, and the data in it that the library works with."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import Any, ClassVar, Generic, NamedTuple, NoReturn, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from concordant import sources
from concordant.clusterings.detect import INCOMPARABLE
from concordant.errors import (
    CoverError,
    InputError,
    MissingExtraError,
    ParameterError,
    ReadOnlyError,
    UnknownKeyError,
    kind_of,
)
from concordant.foundation import kinds
from concordant.foundation.results import as_frame, of_one_type
from concordant.maths.arithmetic import Integers, plain
from concordant.sources.descriptions import Files

ClusteringKind = str  # "partition", "cover", or the name of a registered kind

_GRID = 2.0**40 - 1  # weights that differ by less than about 1e-12 are equal; odd, so products keep all bits


class ClusteringData:
    """The content of a clustering in memory, or a description of the place where it is.

    Only the library sees it: engines count data, and users hold a `Clustering`.
    """

    __slots__ = ()

    kind: ClassVar[ClusteringKind]

    def read(self) -> Any:
        """The same in memory."""
        return self

    def to_pickle(self) -> ClusteringData:
        """What a pickle holds: dataframes and arrays are read, files are not."""
        data: ClusteringData = self if isinstance(getattr(self, "source", None), Files) else self.read()
        return data

    def __getstate__(self) -> dict[str, Any]:
        """The attributes that are set: those of a larger kind are asked for in vain by ``__getattr__``."""
        state = {}
        for name in chain.from_iterable(getattr(kind, "__slots__", ()) for kind in type(self).__mro__):
            with suppress(AttributeError):
                state[name] = object.__getattribute__(self, name)
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        for name, value in state.items():
            object.__setattr__(self, name, value)


class MembershipArrays(NamedTuple):
    """The records in clusters, by the positions of both."""

    record: Integers
    cluster: Integers
    weight: NDArray[np.float64]


Data = TypeVar("Data", bound=ClusteringData)


class Clustering(ABC, Generic[Data]):
    """A clustering of a set of records: the base of `Partition`, `Cover`, `Soft` and `Hierarchy`.

    A clustering is a value. It cannot be changed, and two clusterings are equal if they have the same
    records in the same clusters, in any order.

    Examples
    --------
    >>> import concordant as cc
    >>> p = cc.Partition.from_mapping({"tom": "cat", "rex": "dog", "kitty": "cat"})
    >>> isinstance(p, cc.Clustering), p.size, p.n_clusters
    (True, 3, 2)
    >>> p == cc.Partition.from_mapping({"kitty": "cat", "rex": "dog", "tom": "cat"})
    True
    """

    __slots__ = ("__weakref__", "_data", "_known")

    _kind: ClassVar[ClusteringKind]
    _constructors: ClassVar[str]  # for errors
    _data: Data
    _known: dict[str, Any]

    def __init__(self, *given: Any, **options: Any) -> None:
        data = given[0] if given else None
        if not isinstance(data, ClusteringData) or data.kind != self._kind or len(given) > 1 or options:
            name = type(self).__name__
            raise ParameterError(f"{name}() is not called directly; use {name}.{self._constructors}")
        object.__setattr__(self, "_data", data)
        object.__setattr__(self, "_known", {})

    # -- content --------------------------------------------------------------------------------------

    @property
    def records(self) -> Sequence[Any]:
        """The records: their names, or their positions if they have no names.

        Examples
        --------
        >>> import concordant as cc
        >>> cc.Partition.from_mapping({"tom": "cat", "rex": "dog"}).records
        ('tom', 'rex')
        >>> cc.Partition.from_labels(["cat", "dog"]).records
        range(0, 2)
        """
        records: Sequence[Any] = self._once("records", self._record_names)
        return records

    @property
    def clusters(self) -> tuple[Any, ...]:
        """The labels of the clusters by first appearance. A singleton without a label is None.

        Examples
        --------
        >>> import concordant as cc
        >>> cc.Partition.from_labels(["dog", "cat", "dog"]).clusters
        ('dog', 'cat')
        """
        clusters: tuple[Any, ...] = self._once("clusters", self._cluster_labels)
        return clusters

    @property
    def size(self) -> int:
        """The number of records.

        Examples
        --------
        >>> import concordant as cc
        >>> cc.Partition.from_labels(["dog", "cat", "dog"]).size
        3
        """
        return len(self.records)

    @property
    def n_clusters(self) -> int:
        """The number of clusters.

        Examples
        --------
        >>> import concordant as cc
        >>> cc.Partition.from_labels(["dog", "cat", "dog"]).n_clusters
        2
        """
        return len(self.clusters)

    @property
    def omitted(self) -> tuple[Any, ...]:
        """The records that were dropped, because they are noise or have no label.

        Examples
        --------
        >>> import concordant as cc
        >>> cc.Partition.from_labels([0, 0, -1], noise=-1, noise_as="drop").omitted
        (2,)
        """
        return ()

    def __len__(self) -> int:
        return self.size

    def __bool__(self) -> bool:
        return True  # without reading a file

    def __getitem__(self, record: Any) -> Any:
        return self._item(self._position(record))

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        raise no_labels(self._kind)

    def __contains__(self, record: Any) -> bool:
        try:
            self._position(record)
        except UnknownKeyError:
            return False
        return True

    def __iter__(self) -> NoReturn:
        raise ParameterError(
            f"{kind_of(self)} is not iterable: use .records, .clusters or .{self._content_name}"
        )

    # -- comparison with others -----------------------------------------------------------------------

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Clustering) or other._kind != self._kind:
            return NotImplemented
        return self is other or self._is_equal(other)

    def __hash__(self) -> int:
        return hash((self._kind, self.size))

    def same_clusters(self, other: Clustering[Any]) -> bool:
        """Report whether both have the same clusters of the same records. Labels are ignored.

        Parameters
        ----------
        other : Clustering
            Another clustering, also of another kind.

        Returns
        -------
        bool
            Whether the clusters are the same.

        Examples
        --------
        >>> import concordant as cc
        >>> p, q = cc.Partition.from_labels([0, 0, 1]), cc.Partition.from_labels(["b", "b", "a"])
        >>> p == q, p.same_clusters(q)
        (False, True)
        """
        if not isinstance(other, Clustering):
            raise InputError(f"same_clusters takes a clustering, not {kind_of(other)}; make one with of(...)")
        place = self._places_of(other)
        if place is None:
            return False
        words = np.random.default_rng().integers(0, 2**63, (self.size, 2), dtype=np.int64).astype(np.uint64)
        own, theirs = self._marks(words), other._marks(words[place])
        return own.shape == theirs.shape and bool((own == theirs).all())

    def _is_equal(self, other: Clustering[Any]) -> bool:
        """Whether the records are in clusters with the same labels."""
        place = self._places_of(other)
        if place is None:
            return False
        number = {label: code for code, label in enumerate(self.clusters) if label is not None}
        sides = []
        for side, where in ((self, np.arange(self.size)), (other, place)):
            codes = np.array([-1 if x is None else number.get(x, -2) for x in side.clusters], dtype=np.int64)
            record, cluster, weight = side._in_clusters()
            rows = where[record], codes[cluster], np.rint(weight * _GRID).astype(np.int64)
            order = np.lexsort((rows[1], rows[0]))
            sides.append(np.stack([column[order] for column in rows]))
        return sides[0].shape == sides[1].shape and bool((sides[0] == sides[1]).all())

    def _marks(self, words: NDArray[np.uint64]) -> NDArray[np.uint64]:
        """A random number for each cluster that depends only on its records, by the words of all records."""
        record, cluster, weight = self._in_clusters()
        sums = np.zeros((self.n_clusters, 2), dtype=np.uint64)
        units = np.rint(weight * _GRID).astype(np.uint64)
        np.add.at(sums, cluster, words[record] * units[:, None])
        return sums[np.lexsort(sums.T)]

    def _places_of(self, other: Clustering[Any]) -> Integers | None:
        """The position here of each record of the other; None if they have different records."""
        if self.size != other.size:
            return None
        if self.records == other.records or tuple(self.records) == tuple(other.records):
            return np.arange(self.size)
        places = [self._place(record) for record in other.records]
        return None if None in places else np.array(places, dtype=np.int64)

    # -- output ---------------------------------------------------------------------------------------

    @abstractmethod
    def to_dict(self) -> dict[Any, Any]:
        """Return the content as a dictionary.

        Returns
        -------
        dict
            A Partition has the label of each record, a Cover the list of its labels, a Soft its weights by
            label. A Hierarchy has the columns of `to_frame`.

        Examples
        --------
        >>> import concordant as cc
        >>> cc.Partition.from_mapping({"tom": "cat", "rex": "dog"}).to_dict()
        {'tom': 'cat', 'rex': 'dog'}
        """

    def to_frame(self, backend: Any = None) -> Any:
        """Return the content as a dataframe, which `from_frame` reads.

        Parameters
        ----------
        backend : str or module, optional
            The dataframe library: "pandas", "polars", "pyarrow" or "modin". By default, a library that you
            have imported, otherwise the first of pandas, Polars and PyArrow that is installed.

        Returns
        -------
        dataframe
            One row for each record, membership or node. The columns are record and cluster; a Soft also has
            weight. A Hierarchy has node, parent, record, level, height and size.

        Examples
        --------
        >>> import concordant as cc
        >>> p = cc.Partition.from_mapping({"tom": "cat", "rex": "dog"})
        >>> p.to_frame("polars").columns
        ['record', 'cluster']
        >>> cc.Partition.from_frame(p.to_frame("polars")) == p
        True
        """
        return as_frame(self._stored_columns(), backend)

    def write(self, path: str | os.PathLike[str]) -> Path:
        """Write the rows of `to_frame` to a file, whole or not at all.

        Parameters
        ----------
        path : str or path-like
            The file. Its suffix selects the format: .csv, .tsv, .jsonl or .parquet.

        Returns
        -------
        Path
            The path of the file.

        Examples
        --------
        >>> import concordant as cc
        >>> from tempfile import TemporaryDirectory
        >>> p = cc.Partition.from_mapping({"tom": "cat", "rex": "dog"})
        >>> with TemporaryDirectory() as folder:
        ...     cc.Partition.read(p.write(folder + "/pets.csv")) == p
        True
        """
        return sources.writing.write_table(path, self._stored_columns())

    def _stored_columns(self) -> dict[str, list[Any]]:
        columns = self._columns()
        return columns | {
            name: stored_names(columns[name], name) for name in ("record", "cluster") if name in columns
        }

    # -- values ---------------------------------------------------------------------------------------

    def __setattr__(self, name: str, value: Any) -> NoReturn:
        raise ReadOnlyError(f"{name!r} cannot be set: {kind_of(self)} is read-only")

    def __delattr__(self, name: str) -> NoReturn:
        raise ReadOnlyError(f"{name!r} cannot be deleted: {kind_of(self)} is read-only")

    def __repr__(self) -> str:
        return repr(self._data)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._data.to_pickle(),)

    def __copy__(self) -> Self:
        return self

    # -- for subclasses -------------------------------------------------------------------------------

    _content_name: ClassVar[str] = "memberships"

    @abstractmethod
    def _record_names(self) -> Sequence[Any]:
        """The records; a range if they have no names."""

    @abstractmethod
    def _cluster_labels(self) -> tuple[Any, ...]:
        """The labels by first appearance."""

    @abstractmethod
    def _in_clusters(self) -> MembershipArrays:
        """The records of the clusters."""

    @abstractmethod
    def _item(self, position: int) -> Any:
        """The cluster or clusters of a record."""

    @abstractmethod
    def _columns(self) -> dict[str, list[Any]]:
        """The columns of the dataframe."""

    def _once(self, name: str, make: Callable[[], Any]) -> Any:
        """A value that is computed on first use."""
        if name not in self._known:
            self._known[name] = make()
        return self._known[name]

    @property
    def _held(self) -> Any:
        """The data in memory; files and frames are read on first use."""
        return self._once("held", self._data.read)

    @property
    def _compared(self) -> Any:
        """The data that comparisons work with: engines count files and frames in place."""
        return self._data

    def _position(self, record: Any) -> int:
        place = self._place(record)
        if place is None:
            raise UnknownKeyError(f"{self!r} has no record {record!r}")
        return place

    def _place(self, record: Any) -> int | None:
        records = self.records
        places = None if isinstance(records, range) else self._once("places", self._all_places)
        try:
            if places is None:
                return int(record) if record in records else None
            found: int | None = places.get(record)
        except INCOMPARABLE:
            return None
        return found

    def _all_places(self) -> dict[Any, int]:
        """The position of each record."""
        places = {record: place for place, record in enumerate(self.records)}
        if len(places) < self.size:
            again = next(record for place, record in enumerate(self.records) if places[record] != place)
            raise InputError(f"the record {again!r} occurs more than once in {self!r}; name each record once")
        return places


AnyClustering = TypeVar("AnyClustering", bound="Clustering[Any]")


def in_memory(clustering: AnyClustering) -> AnyClustering:
    """The same clustering, read now."""
    return type(clustering)(clustering._held)


_LABELS = (list, np.ndarray)  # the usual types, since asking an abstract class takes longer


def refuse_given(why: str, **options: Any) -> None:
    """Refuse options that have no meaning for this input."""
    if given := {name: value for name, value in options.items() if value is not None}:
        raise ParameterError(why, given=given)


def data_of(value: Any) -> Any:
    """The data of a clustering; all other values are returned unchanged.

    >>> from concordant.clusterings.partition import Partition
    >>> type(data_of(Partition.from_labels([0, 0, 1]))).__name__, data_of([0, 1])
    ('MemoryLabels', [0, 1])
    """
    if type(value) in _LABELS or not isinstance(value, Clustering):
        return value
    return value._compared


def clustering_kind(side: Any) -> ClusteringKind:
    """The kind of a side of a comparison. All that is not a clustering yet, such as labels, is a partition.

    >>> clustering_kind([0, 0, 1]), clustering_kind({"a": 0})
    ('partition', 'partition')
    """
    if type(side) in _LABELS:
        return "partition"
    if isinstance(side, Clustering):
        return side._kind
    return side.kind if isinstance(side, ClusteringData) else "partition"


def sparse_matrix(memberships: MembershipArrays, shape: tuple[int, int]) -> Any:
    """The weights as a sparse matrix of SciPy, read-only."""
    try:
        from scipy.sparse import coo_array
    except ImportError:
        raise MissingExtraError(
            "memberships is a sparse matrix of SciPy, which is not installed; install scipy, or use "
            "to_frame()"
        ) from None
    record, cluster, weight = memberships
    made = coo_array((weight, (record, cluster)), shape=shape).tocsr()
    for array in (made.data, made.indices, made.indptr):
        array.flags.writeable = False
    return made


def no_labels(kind: ClusteringKind) -> InputError:
    """The error for a clustering that has no single label for each record."""
    if kind == "cover":
        return CoverError(
            "a Cover has no label for each record, so it is not a partition: compare two of them with "
            "concordant.compare, or an index such as concordant.omega"
        )
    own = kinds.KINDS[kind]
    return own.error(own.no_labels)


def stored_names(names: list[Any], what: str) -> list[Any]:
    """Names as tables and files store them: equal names have one spelling, and others never share it.

    >>> stored_names([True, 1, 2], "cluster"), stored_names([1, 0.5, 1.0], "cluster")
    ([1, 1, 2], [1.0, 0.5, 1.0])
    """
    kinds = {type(name) for name in names if name is not None}
    if kinds <= {int} or (kinds <= {str} and all(name is None or name.isascii() for name in names)):
        return names
    first = list(dict.fromkeys(names))
    number = next((kind for kind in (float, int) if kind in kinds and kinds <= {bool, int, kind}), None)
    if number is not None and all(name is None or number(name) == name for name in first):
        stored = [name if name is None else number(name) for name in first]
    else:
        stored = of_one_type(first)
    spelling: dict[Any, Any] = {}
    for name, spelled in zip(first, stored, strict=True):
        if (other := spelling.setdefault(spelled, name)) is not name:
            raise InputError(
                f"the {what}s {other!r} and {name!r} would both be stored as {spelled!r}; give one of them "
                "another name"
            )
    # Files refuse text that they cannot store, which dataframes spell out.
    of_each = dict(zip(first, first if kinds <= {str} else stored, strict=True))
    return [of_each[name] for name in names]


def names_of(elements: Any, size: int) -> Sequence[Any]:
    """The names of records as Python values, or their positions if they have none."""
    return range(size) if elements is None else tuple(map(plain, elements))
