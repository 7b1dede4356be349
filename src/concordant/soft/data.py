"""The data of soft partitions: a weight of each record for each cluster."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any, ClassVar, NoReturn, Self

import numpy as np
from numpy.typing import NDArray

from concordant import sources
from concordant.clusterings.clustering import ClusteringData, ClusteringKind
from concordant.clusterings.clusters import name_codes
from concordant.clusterings.encoding import partition_of_labels
from concordant.clusterings.labels import LabelsByCode, MemoryLabels
from concordant.errors import FileError, InputError, ParameterError, SoftError, few, kind_of, noted
from concordant.foundation.conventions import Conventions
from concordant.foundation.spelling import counted
from concordant.soft.memberships import Memberships
from concordant.soft.weights import (
    Remainder,
    RowRules,
    checked_names,
    dense_memberships,
    matrix_and_names,
    row_caller,
    sparse_memberships,
)
from concordant.sources.descriptions import Files

_DENSE_SHARE = 4  # a table takes no more memory than nonzero weights if one weight in this many is not zero
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
    ) -> Self:
        """The rows of a matrix."""
        if not isinstance(transposed, bool):
            raise ParameterError("use True or False", given={"transposed": transposed})
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
        rules_of_rows = RowRules(*rules, lambda row: f"the record {few([names[row]])}")
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

    def harden(self, at: float = 0) -> MemoryLabels:
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
            return MemoryLabels(codes, LabelsByCode(codes, self.clusters.__getitem__), **options)
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


class SourceSoft(SoftData):
    """Memberships in files, read when they are compared. Made by ``Soft.scan``."""

    __slots__ = ("columns", "normalise", "remainder", "source")

    source: Files
    columns: tuple[str, str, str]  # of the record, the cluster and the weight
    remainder: Remainder | None
    normalise: bool

    def __init__(
        self, source: Files, columns: tuple[str, str, str], remainder: Remainder | None, normalise: bool
    ) -> None:
        RowRules(remainder, normalise, str)  # refuses bad options now
        self.source = source
        self.columns, self.remainder, self.normalise = columns, remainder, normalise

    def __getattr__(self, name: str) -> NoReturn:
        """Attributes of a Soft in memory."""
        if name not in SoftData.__slots__:
            raise AttributeError(name)
        raise InputError(f"{self!r} is read when it is compared, so it has no {name} before")

    def read(self, *, typed: bool = True) -> SoftData:
        records, clusters, weights = sources.files.read_columns(self.source, self.columns, typed=typed)
        numbers = [self._weight(*each) for each in zip(records, weights, strict=True)]
        with noted(str(self.source)):
            return SoftData.of_rows(records, clusters, numbers, None, (self.remainder, self.normalise))

    def _weight(self, record: Any, given: Any) -> float:
        try:
            return float(given)
        except (TypeError, ValueError):
            raise FileError(
                f"{self.source}: the record {record!r} has the weight {given!r}, which is not a number"
            ) from None

    def __repr__(self) -> str:
        record, _, weight = self.columns
        return f"<Soft of {weight!r} by {record!r} in {self.source}>"


def _with_rest_name(names: list[Any], made: Memberships, rules: RowRules) -> list[Any]:
    """The names of clusters, and one for the remainder, if that is a cluster."""
    if rules.remainder != "cluster" or made.columns == len(names):
        return names
    if _REST in names:
        raise ParameterError(
            f"a cluster is called {_REST!r} already; rename it", given={"remainder": "cluster"}
        )
    return [*names, _REST]


def _one_empty_column(made: Memberships) -> Memberships:
    units = np.zeros((len(made), 1), dtype=np.int64)
    return Memberships(units, 1, made.scale, rest=made.rest, exact=made.exact)
