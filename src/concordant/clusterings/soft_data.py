"""The data of soft partitions: a weight of each record for each cluster, or many draws of a partition."""

from __future__ import annotations

import math
from collections.abc import Generator, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from decimal import Decimal
from fractions import Fraction
from typing import Any, ClassVar, NoReturn, Self

import numpy as np
from numpy.typing import NDArray

from concordant import core, sources
from concordant.clusterings.clustering import ClusteringData, ClusteringKind
from concordant.clusterings.clusters import name_codes
from concordant.clusterings.device import imported
from concordant.clusterings.labels import LabelsByCode, encode, is_missing
from concordant.clusterings.partition_data import LabelPartition, partition_of_labels
from concordant.clusterings.recognition import is_on_device
from concordant.clusterings.soft_inputs import (
    MembershipColumns,
    RecordRow,
    Remainder,
    RowRules,
    checked_names,
    dense_memberships,
    draw_shares,
    matrix_and_names,
    row_caller,
    sparse_memberships,
    units_on_device,
)
from concordant.counts.arithmetic import Integers
from concordant.counts.conventions import Conventions
from concordant.counts.memberships import UNITS, Memberships
from concordant.counts.spelling import counted
from concordant.errors import (
    FileError,
    InputError,
    LabelError,
    OverlapError,
    ParameterError,
    SoftError,
    kind_of,
)
from concordant.sources.descriptions import Files
from concordant.sources.files import BYTES_OF_A_MEMBERSHIP, distinct_values, sorted_rows

_DENSE_SHARE = 4  # a table takes no more memory than nonzero weights if one weight in this many is not zero
_TO_THE_HOST = "copy the matrix to memory, as in cupy.asnumpy(array)"
_REST = "remainder"  # the name of the cluster that holds what rows lack to 1


class SoftData(ClusteringData):
    """The weight of each record in each cluster.

    Clusters without weight are dropped, and ``audit`` counts them.
    """

    __slots__ = ("audit", "clusters", "memberships", "named", "records")

    kind: ClassVar[ClusteringKind] = "soft"

    audit: dict[str, int]
    clusters: list[Any]  # their names
    memberships: Memberships
    named: bool  # whether the names of the records decide; otherwise they serve only if both sides have them
    records: Any  # their names, None if they have none

    @classmethod
    def of_memberships(cls, made: Memberships, clusters: Sequence[Any], records: Any, *, named: bool) -> Self:
        """A soft partition of rows that were checked."""
        self = object.__new__(cls)
        self.memberships, kept = made.kept_columns() if len(made) else (made, np.arange(made.columns))
        self.clusters = [clusters[i] for i in kept.tolist()]
        self.records, self.named = records, named
        dropped = made.columns - len(kept)
        self.audit = {"clusters_without_weight": dropped} if dropped else {}
        if not len(kept):  # every record is in no cluster
            self.memberships = _one_empty_column(self.memberships)
        return self

    # -- constructors ---------------------------------------------------------------------------------

    @classmethod
    def of_matrix(
        cls,
        matrix: Any,
        records: Iterable[Hashable] | None,
        clusters: Iterable[Hashable] | None,
        remainder: Remainder | None,
        *,
        normalise: bool,
        transposed: bool,
    ) -> SoftData:
        """The rows of a matrix, or of one that is on a GPU."""
        if not isinstance(transposed, bool):
            raise ParameterError("use True or False", given={"transposed": transposed})
        if is_on_device(matrix):
            given = {"records": records, "remainder": remainder}
            for option, value in given.items():
                if value is not None:
                    raise ParameterError(
                        "this needs weights in memory, and the matrix is on a GPU", given={option: value}
                    )
            return DeviceSoft(*units_on_device(matrix, clusters, normalise=normalise, transposed=transposed))
        matrix, rows, columns = matrix_and_names(matrix)
        if transposed:
            matrix, rows, columns = matrix.T, columns, rows
        count, width = matrix.shape
        index = rows if records is None and hasattr(rows, "is_monotonic_increasing") else None
        names = checked_names(records, count, "records") if index is None else index
        named = checked_names(columns if clusters is None else clusters, width, "clusters")
        rules = RowRules(remainder, normalise, row_caller(names))
        if width == 0:
            raise SoftError(f"the matrix has {counted(count, 'row')} and no columns; it needs a cluster")
        if hasattr(matrix, "tocsr"):
            csr = matrix.tocsr(copy=True)
            csr.sum_duplicates()
            start, column = csr.indptr.astype(np.int64), csr.indices.astype(np.int64)
            made = sparse_memberships(start, column, np.asarray(csr.data), width, rules)
        else:
            made = dense_memberships(matrix, rules)
        named = _with_rest_name(list(range(width)) if named is None else named, made, rules)
        return cls.of_memberships(made, named, names, named=names is not None and index is None)

    @classmethod
    def of_mapping(
        cls,
        weights: Mapping[Hashable, Mapping[Hashable, Any]],
        rules: tuple[Remainder | None, bool],
    ) -> Self:
        """The rows of a mapping of records to the weights of their clusters."""
        if not isinstance(weights, Mapping):
            raise InputError(f"from_mapping takes record -> cluster -> weight, not {kind_of(weights)}")
        for record, held in weights.items():
            if not isinstance(held, Mapping):
                raise SoftError(
                    f"{record!r} maps to {held!r}, which is not a mapping from cluster to weight; for one "
                    "cluster each use Partition.from_mapping"
                )
        records = [record for record, held in weights.items() for _ in held]
        clusters = [cluster for held in weights.values() for cluster in held]
        values = [weight for held in weights.values() for weight in held.values()]
        universe = checked_names(list(weights), len(weights), "records") or []
        return cls.of_rows(records, clusters, values, universe, rules)

    @classmethod
    def of_draws(
        cls,
        draws: Any,
        weights: Iterable[Any] | None,
        records: Iterable[Hashable] | None,
        *,
        transposed: bool,
    ) -> SoftData:
        """Many partitions, one per column."""
        if not isinstance(transposed, bool):
            raise ParameterError("use True or False", given={"transposed": transposed})
        matrix, rows, columns = matrix_and_names(draws)
        if hasattr(matrix, "tocsr"):
            raise SoftError("draws are labels, in a dense array; a sparse matrix has no label for its zeros")
        if transposed:
            matrix, rows, columns = matrix.T, columns, rows
        count, width = matrix.shape
        if width == 0:
            raise SoftError(f"there are no draws: the array has the shape ({count}, 0)")
        index = rows if records is None and hasattr(rows, "is_monotonic_increasing") else None
        names = checked_names(records, count, "records") if index is None else index
        codes = [
            core.factorize(np.asarray(encode(np.ascontiguousarray(matrix[:, b]), f"draw {b}").codes))[0]
            for b in range(width)
        ]
        named = names is not None and index is None
        return DrawnSoft(np.stack(codes, axis=1), draw_shares(weights, width), names, named=named)

    @classmethod
    def of_rows(
        cls,
        records: list[Any],
        clusters: list[Any],
        values: Any,
        universe: list[Any] | None,  # all records, also those without a weight
        rules: tuple[Remainder | None, bool],
    ) -> Self:
        """A row for each membership."""
        everyone = records if universe is None else [*universe, *records]
        which, first = name_codes(everyone, "records")
        names = [everyone[i] for i in first.tolist()]
        row = which[len(everyone) - len(records) :]
        column, cluster_first = name_codes(clusters, "clusters")
        width = max(len(cluster_first), 1)
        order = np.lexsort((column, row))
        row, column = row[order], column[order]
        again = np.flatnonzero((np.diff(row) == 0) & (np.diff(column) == 0))
        if len(again):
            record, cluster = names[row[again[0]]], clusters[order[again[0]]]
            raise SoftError(
                f"the record {record!r} has two weights for the cluster {cluster!r}; add them up, or drop one"
            )
        weights = np.asarray(values)
        if weights.dtype.kind not in "biuf":
            weights = np.empty(len(values), dtype=object)
            weights[:] = values
        weights = weights[order]
        start = np.searchsorted(row, np.arange(len(names) + 1)).astype(np.int64)
        rules_of_rows = RowRules(*rules, row_caller(names))
        if width * len(names) <= _DENSE_SHARE * len(weights):
            table = np.zeros((len(names), width), dtype=weights.dtype)
            table[row, column] = weights
            made = dense_memberships(table, rules_of_rows, of_person=False)
        else:
            made = sparse_memberships(start, column, weights, width, rules_of_rows)
        known = [clusters[i] for i in cluster_first.tolist()] or [_REST]
        return cls.of_memberships(made, _with_rest_name(known, made, rules_of_rows), names, named=True)

    # -- one side -------------------------------------------------------------------------------------

    def __len__(self) -> int:
        return len(self.memberships)

    @property
    def entropy(self) -> float:
        """The mean entropy of the records' weights in nats."""
        weights = self._all_weights()
        logs = np.log(np.where(weights > 0, weights, 1.0))
        return abs(math.fsum(weights * logs) / len(self)) if len(self) else math.nan

    @property
    def sharpness(self) -> float:
        """The mean sum of squared weights."""
        return math.fsum(self._all_weights() ** 2) / len(self) if len(self) else math.nan

    def _all_weights(self) -> NDArray[np.float64]:
        """All weights, in any order; what is in no cluster counts as a cluster of its own."""
        made = self.memberships
        units = made.units.reshape(-1) if made.rest is None else np.append(made.units, made.rest)
        return np.asarray(units / made.scale, dtype=np.float64)

    def harden(self, at: float = 0) -> LabelPartition:
        """Each record in the cluster with its largest weight, or alone if that is smaller than ``at``."""
        if isinstance(at, bool) or not isinstance(at, int | float | Fraction | Decimal) or not 0 <= at <= 1:
            raise ParameterError("give a weight from 0 to 1", given={"at": at})
        codes, largest, _ = self.memberships.largest()
        made = self.memberships
        alone = largest < Fraction(at) * made.scale
        if made.rest is not None:
            alone = alone | (made.rest > largest)
        elements, options = self.records, {"elements": self.records, "named": self.named}
        if not np.any(alone):
            return LabelPartition(codes, LabelsByCode(codes, self.clusters), **options)
        labels = [None if apart else self.clusters[code] for code, apart in zip(codes, alone, strict=True)]
        made_of = partition_of_labels(
            labels, Conventions(nulls="singletons"), "the largest weights", elements
        )
        made_of.named = self.named
        return made_of

    @property
    def ties(self) -> int:
        """The number of records whose largest weight occurs in several clusters."""
        return int(self.memberships.largest()[2].sum())

    def __repr__(self) -> str:
        return f"<Soft of {counted(len(self), 'record')}, {counted(len(self.clusters), 'cluster')}>"


class DrawnSoft(SoftData):
    """Draws of a partition, such as those of a posterior. Made by ``Soft.from_draws``."""

    __slots__ = ("draws", "shares")

    draws: Integers  # a row for each record, a column for each draw
    shares: list[Fraction]  # of the draws, adding up to 1

    def __init__(self, draws: Integers, shares: list[Fraction], records: Any, *, named: bool) -> None:
        self.draws, self.shares = draws, shares
        self.records, self.named, self.audit = records, named, {}

    @classmethod
    def of_labels(cls, side: LabelPartition) -> DrawnSoft:
        """Labels as a single draw."""
        codes = core.factorize(np.asarray(side.codes))[0]
        return cls(codes[:, None], [Fraction(1)], side.elements, named=side.named)

    def partitions(self) -> dict[str, LabelPartition]:
        """Each draw that counts, by its number."""
        return {
            str(number): LabelPartition(codes, codes, elements=self.records, named=self.named)
            for number, codes in enumerate(np.ascontiguousarray(self.draws.T))
        }

    def __len__(self) -> int:
        return len(self.draws)

    def __getattr__(self, name: str) -> NoReturn:
        """Clusters of different draws have nothing in common but their numbers."""
        if name not in SoftData.__slots__:
            raise AttributeError(name)
        raise SoftError(
            f"draws have no {name}, as the clusters of one draw are not those of another; "
            "concordant.consensus(draws) finds one partition for all of them"
        )

    def __repr__(self) -> str:
        return f"<Soft of {counted(len(self), 'record')}, {counted(len(self.shares), 'draw')}>"


class DeviceSoft(SoftData):
    """Weights in the memory of a GPU. Made by ``Soft.from_matrix`` of an array that is there."""

    __slots__ = ("units",)

    units: Any  # of CuPy, a row for each record

    def __init__(self, units: Any, clusters: list[Any], dropped: int) -> None:
        self.units, self.clusters, self.records, self.named = units, clusters, None, False
        self.audit = {"clusters_without_weight": dropped} if dropped else {}

    def __getattr__(self, name: str) -> NoReturn:
        """Attributes of a Soft in memory."""
        if name not in SoftData.__slots__:
            raise AttributeError(name)
        raise SoftError(f"the weights are on a GPU, and this needs them in memory; {_TO_THE_HOST}")

    def read(self) -> SoftData:
        made = Memberships(imported().asnumpy(self.units), len(self.clusters), UNITS)
        return SoftData.of_memberships(made, self.clusters, None, named=False)

    def __len__(self) -> int:
        return int(self.units.shape[0])


class SourceSoft(SoftData):
    """Memberships in files, read when they are compared. Made by ``Soft.scan``."""

    __slots__ = ("columns", "normalise", "remainder", "source")

    source: Files
    columns: MembershipColumns
    remainder: Remainder | None
    normalise: bool

    def __init__(
        self, source: Files, columns: MembershipColumns, remainder: Remainder | None, normalise: bool
    ) -> None:
        RowRules(remainder, normalise, str)  # refuses bad options now
        self.source = source
        self.columns, self.remainder, self.normalise = columns, remainder, normalise
        self.audit = {}

    def __getattr__(self, name: str) -> NoReturn:
        """Attributes of a Soft in memory."""
        if name not in SoftData.__slots__:
            raise AttributeError(name)
        raise InputError(f"{self!r} is read when it is compared, so it has no {name} before")

    def read(self) -> SoftData:
        wanted = tuple(name for name in self.columns if name is not None)
        records, clusters, *weights = sources.files.read_columns(
            self.source, wanted, each=BYTES_OF_A_MEMBERSHIP
        )
        numbers = [self._weight(*each) for each in zip(records, *weights, strict=True)]
        return SoftData.of_rows(records, clusters, numbers, None, (self.remainder, self.normalise))

    def cluster_names(self, threads: int) -> list[Any]:
        """The names of the clusters."""
        names = distinct_values(self.source, self.columns[1], threads)
        if any(map(is_missing, names)):
            raise LabelError(f"{self.source}: {self.columns[1]!r} is null in a row; name the cluster")
        return names

    def rows(self, threads: int) -> Generator[RecordRow]:
        """Record by record, in the order of their names."""
        columns = tuple(name for name in self.columns if name is not None)
        with closing(sorted_rows(self.source, columns, threads)) as rows:
            yield from self._by_record(rows)

    def _by_record(self, sorted_rows: Iterator[tuple[Any, ...]]) -> Iterator[RecordRow]:
        """The rows of each record together."""
        record: Any = None
        clusters: list[Any] = []
        weights: list[float] = []
        for row in sorted_rows:
            if is_missing(row[0]):
                raise LabelError(f"{self.source}: {self.columns[0]!r} is null in a row; name the record")
            if row[0] != record and clusters:
                yield record, clusters, weights
                clusters, weights = [], []
            record = row[0]
            if clusters and clusters[-1] == row[1]:
                raise SoftError(
                    f"{self.source}: the record {record!r} has two weights for the cluster {row[1]!r}"
                )
            if clusters and len(row) == 2:
                raise OverlapError(
                    f"{self.source}: the record {record!r} has two labels, {clusters[0]!r} and {row[1]!r}; a "
                    "side without weights has one row for each record",
                    calls="Soft.scan takes several, with weights",
                )
            clusters.append(row[1])
            weights.append(1.0 if len(row) == 2 else self._weight(record, row[2]))
        if clusters:
            yield record, clusters, weights

    def _weight(self, record: Any, given: Any) -> float:
        try:
            return float(given)
        except (TypeError, ValueError):
            raise FileError(
                f"{self.source}: the record {record!r} has the weight {given!r}, which is not a number"
            ) from None

    def __repr__(self) -> str:
        record, cluster, weight = self.columns
        return f"<Soft of {weight or cluster!r} by {record!r} in {self.source}>"


def _with_rest_name(names: list[Any], made: Memberships, rules: RowRules) -> list[Any]:
    return names if rules.remainder != "cluster" or made.columns == len(names) else with_rest_name(names)


def with_rest_name(names: list[Any]) -> list[Any]:
    """The names of clusters, and one for the remainder."""
    if _REST in names:
        raise ParameterError(
            f"a cluster is called {_REST!r} already; rename it", given={"remainder": "cluster"}
        )
    return [*names, _REST]


def _one_empty_column(made: Memberships) -> Memberships:
    units = np.zeros((len(made), 1), dtype=np.int64)
    return Memberships(units, 1, made.scale, rest=made.rest, exact=made.exact)
