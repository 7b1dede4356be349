"""The options of soft partitions, which have a row for each record and cluster, and how these are read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any, Literal

import typer

from concordant.cli.columns import FilePartition, SourceFile
from concordant.cli.exit_status import as_option
from concordant.cli.inputs import by_side
from concordant.cli.options import KindOptions, PairOptions
from concordant.errors import ParameterError, UnknownIndexError
from concordant.indices.index import any_index, indices_of
from concordant.sources.descriptions import Files, check_column_names

_OF_LABELS = ("nulls", "noise", "noise_as", "reference_noise", "candidate_noise")


@dataclass(frozen=True, kw_only=True)
class MembershipOptions(KindOptions):
    """The weights of soft partitions. Without them, both sides have labels."""

    rare = ("remainder", "normalise")

    membership: Annotated[
        list[str] | None,
        typer.Option(
            metavar="[SIDE=]COLUMN",
            help="Soft partitions: the column of weights.",
        ),
    ] = None
    remainder: Annotated[
        Literal["alone", "cluster"] | None,
        typer.Option(help="With --membership: treatment of the rest if weights add up to less than 1."),
    ] = None
    normalise: Annotated[
        bool,
        typer.Option("--normalise", help="With --membership: divide the weights of a record by their sum."),
    ] = False

    def __post_init__(self) -> None:
        given = {"remainder": self.remainder, "normalise": self.normalise or None}
        for option, value in given.items():
            if value is not None and not self.membership:
                raise ParameterError("this needs --membership, the column of weights", given={option: value})

    @property
    def lists(self) -> tuple[str, ...]:  # type: ignore[override]  # they depend on the options
        return ("records",) if self.membership else super().lists

    @property
    def for_engine(self) -> str | None:
        return as_option("membership", self.membership) if self.membership else super().for_engine

    def check(self, files: PairOptions, **labels_only: Any) -> None:
        if not self.membership:
            super().check(files, **labels_only)
            return
        for option, value in (labels_only | {each: getattr(files, each) for each in _OF_LABELS}).items():
            if value is not None:
                raise ParameterError("this cannot be combined with --membership", given={option: value})
        if files.candidate is None or files.columns is not None or files.format == "clusters":
            raise ParameterError(
                "memberships are read from two files, with --record and --cluster; leave out --columns and "
                "--format clusters",
                given={"membership": self.membership},
            )
        if files.engine == "spark":
            raise ParameterError("Spark does not read memberships; leave this out", given={"engine": "spark"})

    def find(self, name: str) -> Any:
        if self.membership:
            return any_index(name, indices_of("soft"))
        try:
            return super().find(name)
        except UnknownIndexError:
            from concordant.soft.indices import SOFT_INDICES  # labels do without it

            if name not in SOFT_INDICES:
                raise
            raise ParameterError(
                "this compares soft partitions; name their column of weights with --membership",
                given={"index": name},
            ) from None

    def prepare(self, tables: Sequence[SourceFile], roles: Sequence[str]) -> None:
        """Set the column of weights of each file; a name without a side applies to each file that has it."""
        if not self.membership:
            super().prepare(tables, roles)
            return
        named = by_side("membership", self.membership, roles)
        is_for_all = not any(each.startswith(f"{role}=") for each in self.membership for role in roles)
        for table, column in zip(tables, named, strict=True):
            if column is not None and not (is_for_all and column not in table.columns):
                table.place(column)  # raises if the file has no such column
                table.further, table.reader = column, partial(self._read, table, column)
        if all(table.reader is None for table in tables):
            tables[0].place(named[0] or "")

    def _read(self, table: SourceFile, weight: str, source: Any) -> FilePartition:
        """The soft partition with this column of weights."""
        from concordant.soft.data import SourceSoft  # labels do without it

        assert isinstance(source, Files)  # Spark reads no memberships
        record, cluster = table.record_and_cluster
        check_column_names(record=record, cluster=cluster, weight=weight)
        columns = str(record), cluster, weight
        origin = f"{table.name}, column {cluster}, by {record}, weights in {weight}"
        read = SourceSoft(source, columns, self.remainder, self.normalise)
        return FilePartition(read, origin, table, is_scanned=True)

    def every_index(self, result: Any) -> list[str] | None:
        return [*result.keys(), *result.on_request] if self.membership else super().every_index(result)

    def text(
        self, result: Any, names: Sequence[str] | None, intervals: Iterable[Any], *, everything: bool
    ) -> str:
        if not self.membership:
            return super().text(result, names, intervals, everything=everything)
        text: str = result.to_text(indices=names)
        return text

    def page(self, parts: Mapping[str, Any], shown: Mapping[str, Any]) -> dict[str, Any]:
        return {"significance": "significance" in parts} if self.membership else super().page(parts, shown)
