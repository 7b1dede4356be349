"""The columns of a file, and which of them the options mean."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from concordant.counts.spelling import counted
from concordant.errors import FileError, Remedy, did_you_mean

_SHOWN_COLUMNS = 12


@dataclass(frozen=True, slots=True)
class ColumnNames:
    """Which columns hold the record and its cluster; None: the column that is left."""

    record: str | None = None
    cluster: str | None = None


class Columns:
    """The names of a file's columns, in order."""

    def __init__(self, name: str, names: Sequence[str]) -> None:
        self.name = name  # of the file
        self.columns = names

    def place(self, name: str) -> int:
        """Where the column of that name stands."""
        if self.columns.count(name) == 1:
            return self.columns.index(name)
        if name in self.columns:
            raise FileError(
                f"{self.name} has {self.columns.count(name)} columns called {name!r}; rename them"
            )
        near = did_you_mean(name, self.columns)
        raise FileError(f"{self.name} has no column {name!r}: it has {self.described()}{near}{self.hint()}")

    def record_and_cluster(self, naming: ColumnNames) -> tuple[int | None, int]:
        """Where record and cluster stand: as named, else the column that is left of one or two."""
        record = None if naming.record is None else self.place(naming.record)
        cluster = None if naming.cluster is None else self.place(naming.cluster)
        width = len(self.columns)
        if record is None and cluster is None and width <= 2:
            return (0, 1) if width == 2 else (None, 0)
        if cluster is not None and (record is not None or width == 1):
            return record, cluster
        if width == 2:
            return (1 - cluster, cluster) if cluster is not None else (record, 1 - (record or 0))
        missing = {what: ... for what, place in (("record", record), ("cluster", cluster)) if place is None}
        raise FileError(
            f"{self.name} has {self.described()}{self.hint()}",
            remedies=[Remedy("say which holds what", **missing)],
        )

    def two_labels(self, names: Sequence[str] | None) -> list[int]:
        """Where the labels of the reference and of the candidate stand in one file that has both."""
        if names is None:
            raise FileError(
                f"{self.name} has {self.described()}, and there is no second file{self.hint()}",
                remedies=[Remedy("say which two to compare", columns="REFERENCE,CANDIDATE")],
            )
        return [self.place(name) for name in names]

    def described(self) -> str:
        """How many columns there are, and what they are called."""
        return f"{counted(len(self.columns), 'column')} ({listed(self.previews())})"

    def previews(self) -> Sequence[str]:
        """What to show of each column."""
        return [repr(name) for name in self.columns]

    def hint(self) -> str:
        """What may be wrong with the file, if it looks so; the end of an error's text."""
        return ""


def listed(shown: Sequence[str]) -> str:
    """The first of them, and how many more there are."""
    left = len(shown) - _SHOWN_COLUMNS
    first = ", ".join(shown[:_SHOWN_COLUMNS])
    return f"{first} and {left} more" if left > 0 else first
