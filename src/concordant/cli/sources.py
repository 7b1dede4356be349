"""Files of any size: which of them an engine reads, and how options are passed to it.

``text`` reads small delimited text. An engine reads other formats (Parquet, JSON lines), large files,
several files together, and all files if --engine, --memory or --nulls is given. Both give the same answers.
"""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from concordant.cli.columns import FilePartition, Naming, SourceFile, check_header
from concordant.cli.options import FileOptions
from concordant.engines import tables
from concordant.errors import FileError, ParameterError
from concordant.partitions import formats, spark_files, text_files
from concordant.partitions.formats import FileFormat
from concordant.partitions.partition import SourcePartition
from concordant.partitions.places import common_format, files_of, is_folder, is_pattern
from concordant.partitions.remote import is_address
from concordant.partitions.scratch import scratch_folder
from concordant.partitions.sources import Files, Frame, files

_LARGE = 2**28  # bytes of a text file, from which on it is not loaded whole
_SHOWN_VALUE = 20


def engine_reads(paths: Sequence[str], options: FileOptions, reason: str | None = None) -> bool:
    """Whether an engine reads the files, all of them; it always does if a ``reason`` is given."""
    layout = {
        "--separator": options.separator is not None,
        "--no-header": options.header is False,
        "--encoding": options.encoding != "utf-8",
        "--noise '' (--nulls is for empty labels)": options.noise == "",
    }
    of_text = [option for option, is_given in layout.items() if is_given]
    reason = reason or options.for_engine
    for path in paths:
        kind = _format_of(path)
        if kind is not None and kind.separator is None:
            name = "standard input" if path == "-" else path
            reason = reason or f"{name} is not delimited text but {kind.title}"
        elif is_pattern(path):
            reason = reason or f"{path} matches several files"
        elif is_folder(path):
            reason = reason or f"{path} is a folder"
    if reason and of_text:
        raise ParameterError(
            f"{reason}: an engine reads the files, and engines do not support {' or '.join(of_text)}; they "
            "read UTF-8 text with a header, from files that end with .csv or .tsv"
        )
    large = any(path != "-" and (is_address(path) or (_size(path) or 0) >= _LARGE) for path in paths)
    return bool(reason) or (large and not of_text)


def _format_of(path: str) -> FileFormat | None:
    """The format of a file: by its name, but Parquet and standard input by the first bytes."""
    if is_folder(path):
        return common_format(list(files_of(path)))
    named = formats.format_by_name(path)
    if named is not None and named.separator is None:
        return named
    found = formats.format_by_beginning(_beginning(path))
    return found if path == "-" or (found and found.has_types) else named


def _beginning(path: str) -> bytes:
    """The first bytes of a file; those of standard input stay there to be read."""
    if path == "-":
        peek = getattr(getattr(sys.stdin, "buffer", None), "peek", None)
        return b"" if peek is None else bytes(peek(formats.LONGEST_BEGINNING))
    try:
        if not Path(path).is_file():
            return b""  # bytes read from a pipe would be lost
        with Path(path).open("rb") as file:
            return file.read(formats.LONGEST_BEGINNING)
    except (OSError, ValueError):
        return b""  # the reader explains why it cannot be read


def _size(path: str) -> int | None:
    """How many bytes a file has, None where there is no such file."""
    try:
        return Path(path).stat().st_size
    except (OSError, ValueError):
        return None


# -- opening ------------------------------------------------------------------------------------------


@contextmanager
def spooled(paths: Sequence[str]) -> Iterator[dict[str, str]]:
    """The paths to read; standard input is copied to a temporary file."""
    if "-" not in paths:
        yield {path: path for path in paths}
        return
    if sys.stdin is None:
        raise FileError("standard input is closed; name a file")
    with scratch_folder() as folder:
        kind = _format_of("-") or formats.format_called("csv")
        spool = Path(folder) / f"input{kind.endings[0]}"
        try:
            with spool.open("wb") as file:
                shutil.copyfileobj(sys.stdin.buffer, file)
        except OSError as error:
            raise FileError(f"cannot copy standard input to {folder}: {error.strerror}") from None
        yield {path: str(spool) if path == "-" else path for path in paths}


class ScannedFile(SourceFile):
    """A file or several, read by an engine. Nothing is counted yet."""

    def __init__(self, path: str, place: str, naming: Naming, options: FileOptions) -> None:
        self._options, self._path = options, None if path == "-" else path
        self._source: Frame | Files
        if options.engine == "spark":
            self._format = _format_of(place) or formats.format_called("parquet")  # folders are Parquet, too
            self._paths = spark_files.local_paths(place)
            frame = spark_files.read(place, self._paths, self._format)
            self._source, seen = Frame(frame), spark_files.preview(frame)
        else:
            kind = _format_of(place)
            self._format = kind or formats.format_called("csv")
            self._paths = [place] if Path(place).is_file() else []
            format = self._format.name if kind or self._paths else None
            opened = files(place, options.engine or "auto", options.memory, format)
            self._source = tables.files.first_seen(opened)
            seen = tables.files.preview(self._source)
        columns, self._kinds, self._row = seen
        super().__init__("standard input" if path == "-" else path, list(columns), naming)

    def previews(self) -> Sequence[str]:
        """The columns with their types and first values."""
        row = [repr(value) for value in self._row] if self._row else [""] * len(self.columns)
        row = [text if len(text) <= _SHOWN_VALUE else text[: _SHOWN_VALUE - 3] + "..." for text in row]
        return [
            f"{name!r} {kind}" + (f" like {text}" if text not in ("", "None") else "")
            for name, kind, text in zip(self.columns, self._kinds, row, strict=True)
        ]

    def read(self) -> FilePartition:
        if self.weight is not None:
            return self._read_memberships(self.weight)
        record, cluster = self.record_and_cluster
        if self._options.header is None and not self.is_named and self._format.separator is not None:
            below = [[str(value)] for value in self._row]
            if self._paths:
                below = text_files.first_columns(self._paths[0], self._format.separator)
            if below:  # text, which has neither types nor keys
                check_header(self.name, self.columns, below)
        if record is None:
            raise FileError(
                f"{self.name} has a single column, {cluster!r}; an engine reads rows in any order, so two "
                "files need a column that names the record"
            )
        origin = f"{self.name}, column {cluster}, by {record}"
        return FilePartition(
            self._partition(record, cluster), origin, is_scanned=True, path=self._path, record=self.naming[0]
        )

    def _read_memberships(self, weight: str) -> FilePartition:
        """The soft partition with this column of weights."""
        from concordant.soft.inputs import checked_columns
        from concordant.soft.partition import SourceSoft  # labels do without it

        assert isinstance(self._source, Files)  # Spark reads no memberships
        assert self.memberships is not None
        how = self.memberships
        record, cluster = self.record_and_cluster
        columns = checked_columns(record, cluster, weight)
        origin = f"{self.name}, column {cluster}, by {record}, weights in {weight}"
        return FilePartition(
            SourceSoft(self._source, columns, how.remainder, how.normalise), origin, is_scanned=True
        )

    def read_labels(self, names: Sequence[str] | None) -> list[FilePartition]:
        return [
            FilePartition(
                self._partition(None, name), f"{self.name}, column {name}", is_scanned=True, label=name
            )
            for name in (self.columns[place] for place in self.label_places(names))
        ]

    def _partition(self, record: str | None, cluster: str) -> SourcePartition:
        noise: Any = self._options.noise
        kind = self._kinds[self.place(cluster)].upper()
        if noise is not None and re.search("INT|LONG|SHORT|BYTE", kind):
            try:
                noise = int(noise)
            except ValueError:
                raise ParameterError(
                    f"--noise {noise!r}: the labels {cluster!r} of {self.name} are of type {kind}, and this "
                    "is not a whole number"
                ) from None
        if isinstance(self._source, Frame) and self._format.name == "jsonl":  # other engines check it
            for path in self._paths:
                text_files.checked_json(path, [name for name in (record, cluster) if name is not None])
        return SourcePartition(
            self._source,
            record=record,
            cluster=cluster,
            nulls=self._options.nulls or "error",
            noise=noise,
            noise_as=self._options.noise_as,
        )
