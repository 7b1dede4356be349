"""Reader: how files of one format are read by DuckDB and by Spark, and how they are written.

A format defines what it supports, in a module of its own that its line in ``FORMATS`` names. Everything else
is refused here. No other module asks which format it has.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, NoReturn

from concordant.errors import FileError, ParameterError

if TYPE_CHECKING:
    from concordant.sources.descriptions import Files
    from concordant.sources.formats import FileFormat

Preview = tuple[list[str], list[str], tuple[Any, ...]]  # names, types, the first row or ()


class Reader:
    """Reads and writes files of one format; these defaults refuse.

    A connection is one of DuckDB. It is None in ``preview`` if the format has no types and the file is on
    this machine.
    """

    reads_ranges = False  # whether a remote file is read in place; otherwise it is copied first

    def __init__(self, format: FileFormat) -> None:
        self.format = format

    def prepared(self, connection: Any, path: str) -> str:
        """The file that the connection can read: the file itself, or a copy in the connection's folder."""
        return path

    def digest(self, file: BinaryIO, size: int) -> str:
        """A digest of the content that is cheap to read; empty if there is none."""
        return ""

    def preview(self, connection: Any, path: str) -> Preview:
        """The columns of a file, their types, and the first row, which is empty if there is none."""
        self._refuse_reading(path)

    def relation(self, connection: Any, paths: Sequence[str], columns: Sequence[str], source: Files) -> Any:
        """The columns of all files as one relation of the connection."""
        self._refuse_reading(source)

    def check_for_spark(self, paths: Sequence[str], columns: Sequence[str] = ()) -> None:
        """Refuse, before Spark starts, files that it would read differently.

        ``paths`` are those that this machine sees, none if only the cluster does.
        """
        self._refuse_spark()

    def on_spark(self, reader: Any, places: Sequence[str], paths: Sequence[str]) -> Any:
        """The dataframe that Spark's reader makes of ``places``; ``paths`` as in ``check_for_spark``."""
        self._refuse_spark()

    @property
    def is_written(self) -> bool:
        """Whether the format defines ``write``."""
        return type(self).write is not Reader.write

    def check_writing(self, path: str | os.PathLike[str]) -> None:
        """Refuse to write, before any work is done, if a library is missing."""

    def write(self, draft: Path, columns: Mapping[str, list[Any]]) -> None:
        """Write columns to a new file."""
        raise FileError(f"cannot write {self.format.title} files; write another format")

    def _refuse_reading(self, source: object) -> NoReturn:
        raise FileError(f"cannot read {source}: {self.format.title} files are written only")

    def _refuse_spark(self) -> NoReturn:
        raise ParameterError(
            f"Spark does not read {self.format.title} files; leave it out", given={"engine": "spark"}
        )
