"""Files as relations of DuckDB: checked before they are read, and not changed meanwhile."""

from __future__ import annotations

import functools
import math
import os
import re
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from concordant.errors import (
    ConcordantError,
    FileError,
    InputError,
    MissingExtraError,
    ParameterError,
    Remedy,
    TooLargeError,
)
from concordant.sources import duckdb_files, formats, remote
from concordant.sources.descriptions import (
    MOST_FOR_READING,
    Files,
    FileState,
    Frame,
    columns_in_memory,
    no_column,
)
from concordant.sources.duckdb_files import identifier, literal
from concordant.sources.formats import FileFormat
from concordant.sources.machine import refuse_beyond_limit
from concordant.sources.remote import FolderColumns, files_of, is_address, is_folder, is_pattern
from concordant.sources.text_files import refuse_unreadable
from concordant.sources.values import fetched

if TYPE_CHECKING:
    from concordant.sources.formats.reader import Preview

_BYTES_OF_A_VALUE = 100  # in memory
BYTES_OF_A_MEMBERSHIP = 160  # for each column of a row, as a record may have several rows
_MINUS_ZERO = "-0.0"  # which equals 0.0
_INTEGER, _FLOAT = re.compile(r"0|-?[1-9]\d{0,18}"), re.compile(r"-?\d[\d.e+-]*")


def is_text(source: Any) -> bool:
    """Whether a source is files of a format without types, whose labels and records are text."""
    return isinstance(source, Files) and not format_of(source).has_types


@contextmanager
def opened(wanted: Sequence[tuple[Files, tuple[str, ...]]], threads: int) -> Iterator[list[Any]]:
    """A relation for some columns of each source, all of one connection.

    DuckDB's read errors become one clear error.
    """
    with connected([source for source, _ in wanted], threads) as open_files:
        yield [open_files.relation(source, columns) for source, columns in wanted]


def read_columns(
    source: Files | Frame,
    names: Sequence[str],
    *,
    typed: bool = True,
    short: bool = False,
    each: int = _BYTES_OF_A_VALUE,
) -> list[list[Any]]:
    """These columns of a dataframe or of files as lists, in the order of the rows.

    If ``typed``, a column of text files is numbers where that merges no two strings. If ``short``, floats of
    32 bits stay these. With a memory limit, ``each`` value takes so many bytes.
    """
    if not isinstance(source, Files):
        return columns_in_memory(source.native, *names, short=short)
    wanted = tuple(dict.fromkeys(names))
    with connected([source], 0) as open_files:
        open_files.connection.execute("SET preserve_insertion_order = true")
        relation = open_files.relation(source, wanted)
        if source.memory is not None:
            refuse_beyond_limit(source, _bytes_in_memory(relation, each), f"to read {source}")
        kinds, rows = dict(zip(relation.columns, map(str, relation.types), strict=True)), fetched(relation)
    columns = dict(
        zip(wanted, map(list, zip(*rows, strict=True)) if rows else [[] for _ in wanted], strict=True)
    )
    for name in wanted:
        if short and kinds[name] == "FLOAT":
            columns[name] = [each if each is None else np.float32(each) for each in columns[name]]
    return [_typed(columns[name]) if typed and is_text(source) else columns[name] for name in names]


def refuse_if_too_large(
    wanted: Sequence[tuple[Files, tuple[str, ...]]], each: int = _BYTES_OF_A_VALUE
) -> None:
    """Refuse files that do not fit into their memory limit together, before any of them is read."""
    if any(source.memory is not None for source, _ in wanted):
        with opened(wanted, 0) as relations:
            needed = [_bytes_in_memory(relation, each) for relation in relations]
        paths = " and ".join(dict.fromkeys(str(source) for source, _ in wanted))
        # The memory that remains for each, and that for reading the largest.
        refuse_beyond_limit(wanted[0][0], (2 * sum(needed) + max(needed)) // 3, f"to read {paths}")


def _bytes_in_memory(relation: Any, each: int) -> int:
    """The memory of all rows as Python's objects, and as labels that are aligned and compared."""
    texts = [
        f"coalesce(sum(strlen({identifier(name)})), 0)"
        for name, kind in zip(relation.columns, relation.types, strict=True)
        if str(kind) == "VARCHAR"
    ]
    ((rows, *lengths),) = relation.aggregate(", ".join(["count(*)", *texts])).fetchall()
    return int(rows) * len(relation.columns) * each + 2 * sum(map(int, lengths))


def _typed(texts: list[str | None]) -> list[Any]:
    """Strings as numbers, if all are integers or all are floats, each spelled as Python spells it.

    So each number has one spelling: strings that differ stay different, and ``write`` spells them again.

    >>> _typed(["1", "-20", None]), _typed(["1.0", "0.5"])
    ([1, -20, None], [1.0, 0.5])
    >>> _typed(["1", "02"]), _typed(["1", "1.0"])
    (['1', '02'], ['1', '1.0'])
    """
    given = [text for text in texts if text is not None]
    if all(map(_INTEGER.fullmatch, given)):
        return [text if text is None else int(text) for text in texts]
    if all(map(_is_float, given)):
        return [text if text is None else float(text) for text in texts]
    return texts


def _is_float(text: str) -> bool:
    try:
        return _FLOAT.fullmatch(text) is not None and text == repr(float(text)) and text != _MINUS_ZERO
    except ValueError:
        return False


def preview(source: Files) -> Preview:
    """The column names and types, and the first row, which is empty if there is none."""
    with _checked([source], [source]) as open_files, ExitStack() as stack:
        (path, stated), *_ = open_files.files[source].items()
        if format_of(source).has_types or is_address(path):  # text needs no engine, which starts slowly
            open_files.connection = stack.enter_context(duckdb_files.connected([source], 0))
        names, types, row = open_files.preview(source, path)
        more = {name: value for name, value in stated.items() if name not in names}
        return [*names, *more], [*types, *["text"] * len(more)], (*row, *more.values()) if row else ()


def first_seen(source: Files) -> Files:
    """The files with their format and their present state, by which a later change is noticed."""
    if source.seen is not None:
        return source
    return replace(source, seen=tuple(map(state_of, _expanded(source))), resolved=format_of(source))


@contextmanager
def connected(sources: Sequence[Files | Frame], threads: int) -> Iterator[OpenFiles]:
    """A connection that reads the sources."""
    scanned = [source for source in sources if isinstance(source, Files)]
    with _checked(scanned, sources) as open_files, duckdb_files.connected(scanned, threads) as connection:
        open_files.connection = connection
        yield open_files


@contextmanager
def _checked(sources: Sequence[Files], named: Sequence[Files | Frame]) -> Iterator[OpenFiles]:
    """Sources that exist and do not change meanwhile, with clear errors; they have no connection yet.

    Errors also name dataframes that are read with the files.
    """
    refuse_two_limits(sources)
    open_files = OpenFiles({source: _expanded(source) for source in sources})
    _check_unchanged(sources, open_files.files)
    try:
        with explained(sources, named):
            yield open_files
    except ConcordantError as error:
        for address, copied in open_files.copies.items():
            error.args = (str(error.args[0]).replace(copied, address), *error.args[1:])
        if isinstance(error, FileError):
            # A change explains more than the engine's error that it causes.
            _check_unchanged(sources, open_files.files)
        raise
    _check_unchanged(sources, open_files.files)


def refuse_two_limits(sources: Sequence[Files]) -> None:
    """Refuse sources with different memory limits."""
    limits = {source.memory for source in sources if source.memory is not None}
    if len(limits) > 1:
        one, other, *_ = sorted(limits)
        raise ParameterError(
            f"the other side specifies {one!r}, and both are read together; specify the same on both sides",
            given={"memory": other},
        )


class OpenFiles:
    """Sources that are being read by one connection: their files were listed once."""

    def __init__(self, files: Mapping[Files, Mapping[str, FolderColumns]]) -> None:
        self.files = files  # of each source, each with the columns that its folders state
        self.connection: Any = None
        self.copies: dict[str, str] = {}  # of files that the connection cannot read in place

    def preview(self, source: Files, path: str) -> Preview:
        """The columns of one file of a source, their types, and the first row."""
        kind = format_of(source)
        return kind.reader.preview(self.connection, self._readable(path, kind))

    def relation(self, source: Files, columns: tuple[str, ...]) -> Any:
        """The columns of all files. Folders like ``day=monday`` state a column that the files do not have."""
        kind, files = format_of(source), self.files[source]
        stated = {name for values in files.values() for name in values}.intersection(columns)
        if stated:
            stated -= set(self.preview(source, next(iter(files)))[0])
        if not stated:
            return self._of_files(replace(source, paths=tuple(files)), kind, columns)
        own = tuple(name for name in columns if name not in stated)
        if not own:
            raise InputError(
                f"{source}: all of {', '.join(columns)} are names of folders; name a column of the files"
            )
        groups: dict[tuple[tuple[str, str | None], ...], list[str]] = {}
        for path, values in files.items():
            if missing := stated - values.keys():
                raise no_column(path, min(missing), [*own, *values])
            groups.setdefault(tuple((name, values[name]) for name in sorted(stated)), []).append(path)
        parts = []
        for constants, paths in groups.items():
            found = {
                name: "NULL::VARCHAR" if value is None else literal(value) for name, value in constants
            } | {name: identifier(name) for name in own}
            chosen = ", ".join(f"{found[name]} AS {identifier(name)}" for name in columns)
            parts.append(self._of_files(replace(source, paths=tuple(paths)), kind, own).project(chosen))
        return functools.reduce(lambda one, other: one.union(other), parts)

    def _of_files(self, source: Files, kind: FileFormat, columns: tuple[str, ...]) -> Any:
        """The columns of files that all have them."""
        paths = [self._readable(path, kind) for path in source.paths]
        folded = [name.casefold() for name in columns]
        if clashing := [name for name in columns if folded.count(name.casefold()) > 1]:
            raise InputError(
                f"{' and '.join(map(repr, clashing))} of {source} differ only by case, and DuckDB treats "
                "them as one column; rename one, or read the file into a dataframe"
            )
        return kind.reader.relation(self.connection, paths, columns, source)

    def _readable(self, path: str, kind: FileFormat) -> str:
        """The file that the connection can read: the original, or a copy in its temporary folder.

        Parquet is read by ranges, so only the requested columns are transferred. Text is read twice, and a
        stream of Arrow has no index of its batches: they are copied once, piece by piece.
        """
        if path in self.copies:
            return self.copies[path]
        place = path
        if is_address(path):
            if kind.reader.reads_ranges and remote.reads_ranges(path):
                system = remote.file_system(path)
                names = {system.protocol} if isinstance(system.protocol, str) else {*system.protocol}
                if not names.intersection(self.connection.list_filesystems()):
                    self.connection.register_filesystem(system)
                return path
            place = self.copies[path] = remote.copy(path, duckdb_files.new_folder(self.connection))
        prepared = kind.reader.prepared(self.connection, place)
        if prepared != path:
            self.copies[path] = prepared
        return prepared


# -- paths -------------------------------------------------------------------------------------------


def _expanded(source: Files) -> dict[str, FolderColumns]:
    """The files, which exist and may be read, each with the columns that the names of folders state."""
    files: dict[str, FolderColumns] = {}
    for path in source.paths:
        refuse_unreadable(path)
        if not (is_address(path) or path == os.devnull or os.access(path, os.R_OK) or is_pattern(path)):
            if Path(path).exists():
                raise FileError(f"{path}: you do not have permission to read this file")
            _check_unchanged([source], {source: ()})  # it may have been there before
            raise FileError(f"{path}: there is no such file")
        found = files_of(path)
        if not found:
            hint = "; check the pattern, capitals included" if is_address(path) else ""
            raise FileError(f"no file matches {path!r}{hint}")
        for file, stated in found.items():
            if file in files:
                raise FileError(f"{file} is named twice; name each file once")
            files[file] = stated
    return files


def _has_no_ending(path: str) -> bool:
    """Whether an address may be that of a folder."""
    return is_address(path) and formats.format_by_name(path) is None


def format_of(source: Files) -> FileFormat:
    """The format of all files of a source, as given or else by their names."""
    if source.resolved is not None:
        return source.resolved
    if source.format is not None:
        return formats.format_called(source.format)
    paths = [
        file
        for path in source.paths
        for file in (files_of(path) if is_folder(path) or _has_no_ending(path) else [path])
    ]
    kinds = {formats.format_by_name(path) for path in paths}
    if len(kinds) == 1 and (kind := kinds.pop()) is not None:
        return kind
    if len(kinds) > 1 and None not in kinds:
        titles = " and ".join(sorted(kind.title for kind in kinds if kind is not None))
        raise FileError(f"{source} has files of several formats, {titles}; name those of one with a pattern")
    raise FileError(
        f"the name does not show which format {source} has: {formats.titles()}",
        remedies=[Remedy("name it", format=...)],
    )


# -- changes -----------------------------------------------------------------------------------------


def state_of(path: str) -> FileState:
    """The size, time and inode of a file, and the digest of its format; of pipes only the name."""
    if is_address(path):
        size, version = remote.version_of(path)
        return FileState(path, size, footer=version)
    try:
        found = Path(path).stat()
        if not stat.S_ISREG(found.st_mode):
            return FileState(path)
        with Path(path).open("rb") as file:
            kind = formats.format_by_beginning(file.read(formats.LONGEST_BEGINNING))
            digest = kind.reader.digest(file, found.st_size) if kind else ""
    except OSError:
        return FileState(path, -1)
    return FileState(path, found.st_size, found.st_mtime_ns, found.st_ino, digest)


def _check_unchanged(sources: Sequence[Files], files: Mapping[Files, Iterable[str]]) -> None:
    """Name the file that changed since it was first seen."""
    for source in sources:
        if source.seen is None:
            continue
        before = {state.path: state for state in source.seen}
        for path in files[source]:
            if path not in before:
                raise FileError(f"{path} was added after {source} was first read; compare again")
        for path, state in before.items():
            now = state_of(path)
            if now == state:
                continue
            if now.size == -1:
                change = "was removed"
            elif now.inode != state.inode:
                change = "was replaced by another file"
            elif now.size != state.size:
                change = f"was changed (from {state.size:,} to {now.size:,} bytes)"
            else:
                change = "was changed"
            raise FileError(f"{path} {change} after it was first read; compare again")


# -- errors ------------------------------------------------------------------------------------------

_CAUSES: tuple[tuple[tuple[str, ...], Callable[[str, str], ConcordantError]], ...] = (
    (
        ("No space left", "Disk quota exceeded", "max_temp_directory_size", "failed to offload"),
        lambda files, message: TooLargeError(
            f"the temporary folder is full while comparing {files}; set TMPDIR to a folder on a larger disk, "
            f"or give more memory. Message of the engine: {message}"
        ),
    ),
    (
        ("cannot make ", "cannot write to ", "cannot seek in ", "cannot read from "),  # from the core
        lambda files, message: TooLargeError(
            f"cannot use the temporary folder while comparing {files}; set "
            f"TMPDIR to another folder, or give more memory. Message of the engine: {message}"
        ),
    ),
    (
        ("Maximum line size",),  # not for a long row, which was checked: DuckDB adds preceding blank lines
        lambda files, _: FileError(f"{files}: megabytes of blank lines precede a row; remove blank lines"),
    ),
)

_OUT_OF_MEMORY = ("Out of Memory", "OutOfMemory", "could not allocate")
_SIZE = re.compile(r"([\d.]+) ([KMG]i)?B")


def _memory_too_small(source: Files, files: str, message: str) -> TooLargeError:
    """The error that names a limit that works: twice what DuckDB held and wanted, which it reports."""
    units = {"": 1, "Ki": 2**10, "Mi": 2**20, "Gi": 2**30}
    sizes = [float(number) * units[unit] for number, unit in _SIZE.findall(message.replace("bytes", "B"))]
    remedy = Remedy("give more", memory=...)
    if len(sizes) >= 3 and source.memory_bytes is not None and source.reading_bytes is not None:
        needed = 2 * (sizes[0] + sizes[1])
        if needed > MOST_FOR_READING:
            return TooLargeError(
                f"reading {files} needs more than the {MOST_FOR_READING >> 20} MiB that a memory limit "
                f"leaves for it; read without a limit. Message of the engine: {message}"
            )
        least = 200 * 10**6  # the process itself, which DuckDB does not count
        enough = max(needed * source.memory_bytes / source.reading_bytes, least)
        remedy = Remedy("give enough", memory=f"{math.ceil(enough / 10**7)}0MB")
    return TooLargeError(
        f"the memory limit is too small for {files}. Message of the engine: {message}", remedies=[remedy]
    )


@contextmanager
def explained(sources: Sequence[Files], named: Sequence[Files | Frame]) -> Iterator[None]:
    """DuckDB's errors about files and dataframes, as one error of our own."""
    places = " and ".join(dict.fromkeys(map(str, named)))
    try:
        import duckdb
        from narwhals.exceptions import NarwhalsError
    except ImportError:
        raise MissingExtraError(
            f"reading {places} needs DuckDB, which is not installed; run: pip install 'concordant[tables]'"
        ) from None
    try:
        yield
    except (duckdb.Error, NarwhalsError, OSError) as error:
        # Its advice is for the user's own queries: settings that cannot be changed here.
        message = " ".join(str(error).partition("Possible solutions")[0].split())[:400]
        for signs, explain in _CAUSES:
            if any(sign in message for sign in signs):
                raise explain(places, message) from error
        if sources and any(sign in message for sign in _OUT_OF_MEMORY):
            raise _memory_too_small(sources[0], places, message) from error
        remotely = [path for source in sources for path in source.paths if is_address(path)]
        # Lines of a traceback in the text name code, and their numbers are not line numbers of the file.
        lines = (line.strip() for line in reversed(str(error).splitlines()) if "File " not in line)
        if remotely and (refused := next(filter(remote.is_refusal, lines), None)):
            raise remote.refusal(" and ".join(remotely), refused) from error
        if not sources:
            raise InputError(f"{places} cannot be read. Message of the engine: {message}") from error
        raise FileError(
            f"{places} cannot be read: a file is damaged, has changed, or has another format. "
            f"Message of the engine: {message}"
        ) from error
