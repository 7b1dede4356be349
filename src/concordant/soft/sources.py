"""Memberships in dataframes and files: a row for each record, cluster and weight."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import closing
from typing import Any, NoReturn

from concordant import engines
from concordant.errors import (
    FileError,
    InputError,
    LabelError,
    OverlapError,
    ParameterError,
    SoftError,
    few,
    kind_of,
)
from concordant.partitions.label_values import is_missing
from concordant.partitions.sources import Files, files
from concordant.soft.parsing import Remainder, RowRules
from concordant.soft.partition import Soft

# Columns of the record, the cluster and the weight; without a weight, each row is a whole record.
MembershipColumns = tuple[str, str, str | None]
RecordRow = tuple[Any, list[Any], list[float]]  # a record, its clusters and their weights


def checked_columns(record: Any, cluster: Any, weight: Any) -> MembershipColumns:
    """The names of three different columns."""
    named = {"record": record, "cluster": cluster, "weight": weight}
    for option, column in named.items():
        if not isinstance(column, str):
            raise ParameterError(f"give the name of a column, not {kind_of(column)}", given={option: column})
    if len(set(named.values())) < len(named):
        raise ParameterError(f"record, cluster and weight are three columns, not {few(named.values())}")
    return record, cluster, weight


class SourceSoft(Soft):
    """Memberships in files, read when they are compared. Made by ``Soft.from_memberships``."""

    __slots__ = ("columns", "normalise", "remainder", "source")

    source: Files
    columns: MembershipColumns
    remainder: Remainder | None
    normalise: bool

    def __init__(
        self, path: Any, columns: MembershipColumns, remainder: Remainder | None, normalise: bool
    ) -> None:
        RowRules(remainder, normalise, str)  # refuses bad options now
        self.source = path if isinstance(path, Files) else files(path, "auto", None, None)
        self.columns, self.remainder, self.normalise = columns, remainder, normalise
        self.audit = {}

    def __getattr__(self, name: str) -> NoReturn:
        """Attributes of a Soft in memory."""
        if name not in Soft.__slots__:
            raise AttributeError(name)
        raise InputError(f"{self!r} is read when it is compared, so it has no {name} before")

    def __len__(self) -> int:
        raise InputError(f"the number of records in {self.source} is not known before it is compared")

    def __bool__(self) -> bool:
        return True

    def harden(self, at: float = 0) -> NoReturn:
        """Refused: files are read in pieces, and labels need memberships in memory."""
        raise SoftError(
            f"{self!r} is read in pieces and has no labels (at={at:g}); read the file into a dataframe and "
            "pass that to Soft.from_memberships"
        )

    def cluster_names(self, threads: int) -> list[Any]:
        """The names of the clusters."""
        names = engines.tables.distinct_values(self.source, self.columns[1], threads)
        if any(map(is_missing, names)):
            raise LabelError(f"{self.source}: {self.columns[1]!r} is null in a row; name the cluster")
        return names

    def rows(self, threads: int) -> Generator[RecordRow]:
        """Record by record, in the order of their names."""
        columns = tuple(name for name in self.columns if name is not None)
        with closing(engines.tables.sorted_rows(self.source, columns, threads)) as sorted_rows:
            yield from self._by_record(sorted_rows)

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
                    calls="Soft.from_memberships takes several, with weights",
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
        return f"SourceSoft({weight or cluster!r} by {record!r} of {self.source})"
