"""Arrow files: IPC files, also called Feather, and streams, which become such files."""

from __future__ import annotations

import functools
import glob
import hashlib
import math
import os
import re
import stat
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from concordant.errors import (
    ConcordantError,
    FileError,
    InputError,
    MissingExtraError,
    ParameterError,
    Remedy,
    TooLargeError,
    nearest_first,
)
from concordant.sources import duckdb_files, formats, remote, text_files
from concordant.sources.descriptions import MOST_FOR_READING, Files, FileState, Frame, columns_in_memory
from concordant.sources.duckdb_files import INTEGERS, identifier, literal
from concordant.sources.formats import ARROW_STREAM, FileFormat
from concordant.sources.machine import refuse_beyond_limit
from concordant.sources.remote import FolderColumns, files_of, is_address, is_folder, is_pattern
from concordant.sources.text_files import refuse_unreadable
from concordant.sources.writing import plain_decimal


def with_index(path: str, folder: str) -> str:
    """A file whose batches can be read in any order: the file itself, or a copy of a stream in the folder."""
    try:
        import pyarrow as pa
    except ImportError:
        raise MissingExtraError(
            f"{path}: reading Arrow files needs PyArrow, which is not installed; "
            "run: pip install 'concordant[arrow]'"
        ) from None
    with Path(path).open("rb") as file:
        if file.read(len(ARROW_STREAM)) != ARROW_STREAM:
            return path
    target = Path(folder) / f"{Path(path).stem}.arrow"
    try:
        with pa.ipc.open_stream(path) as stream, pa.ipc.new_file(str(target), stream.schema) as copied:
            for batch in stream:
                copied.write_batch(batch)
    except pa.ArrowInvalid as error:
        raise FileError(f"{path} is not a complete Arrow stream: {error}") from None
    return str(target)


_PARQUET_MAGIC = b"PAR1"
_PARQUET_TAIL = 8  # bytes: the length of the footer, and the magic
_LONGEST_FOOTER = 2**26
_BYTES_OF_A_VALUE = 100  # in memory
BYTES_OF_A_MEMBERSHIP = 160  # for each column of a row, as a record may have several rows
_INTEGER, _FLOAT = re.compile(r"0|-?[1-9]\d{0,18}"), re.compile(r"-?\d+(\.\d+)?(e[+-]\d+)?")

Copies = dict[str, str]  # from the address of a file to its copy on this machine


def is_text(source: Any) -> bool:
    """Whether a source is files of a format without types, whose labels and records are text."""
    return isinstance(source, Files) and not _format_of(source).has_types


@contextmanager
def opened(wanted: Sequence[tuple[Files, tuple[str, ...]]], threads: int) -> Iterator[list[Any]]:
    """A relation for some columns of each source, all of one connection.

    DuckDB's read errors become one clear error.
    """
    with connected([source for source, _ in wanted], threads) as (connection, copies):
        yield [relation_of(connection, copies, source, columns) for source, columns in wanted]


def read_columns(
    source: Files | Frame,
    names: Sequence[str],
    *,
    typed: bool = True,
    short: bool = False,
    each: int = _BYTES_OF_A_VALUE,
) -> list[list[Any]]:
    """These columns of a dataframe or of files as lists, in the order of the rows.

    If ``typed``, a column of text files is numbers if each of its values is spelled as Python spells that
    number. If ``short``, floats of 32 bits stay these. With a memory limit, ``each`` value takes so many
    bytes.
    """
    if not isinstance(source, Files):
        return columns_in_memory(source.native, *names, short=short)
    wanted = tuple(dict.fromkeys(names))
    with connected([source], 0) as (connection, copies):
        connection.execute("SET preserve_insertion_order = true")
        relation = relation_of(connection, copies, source, wanted)
        if source.memory is not None:
            refuse_beyond_limit(source, _bytes_in_memory(relation, each), f"to read {source}")
        kinds, rows = dict(zip(relation.columns, map(str, relation.types), strict=True)), relation.fetchall()
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
    """Strings as numbers, if all are spelled as Python spells them.

    >>> _typed(["1", "-20", None]), _typed(["1", "0.5"]), _typed(["1", "02"])
    ([1, -20, None], [1.0, 0.5], ['1', '02'])
    """
    given = [text for text in texts if text is not None]
    if all(map(_INTEGER.fullmatch, given)):
        return [text if text is None else int(text) for text in texts]
    if all(map(_is_number, given)):
        return [text if text is None else float(text) for text in texts]
    return texts


def _is_number(text: str) -> bool:
    if _INTEGER.fullmatch(text):
        return True
    return bool(_FLOAT.fullmatch(text)) and text in (repr(float(text)), plain_decimal(float(text)))


def preview(source: Files) -> tuple[list[str], list[str], tuple[Any, ...]]:
    """The column names and types, and the first row, which is empty if there is none."""
    with _checked([source], [source]) as copies, ExitStack() as stack:
        kind = _format_of(source)
        (path, stated), *_ = _expanded(source).items()
        if kind.has_types or is_address(path):  # text on this machine needs no engine, which starts slowly
            connection = stack.enter_context(duckdb_files.connected([source], 0))
            path = _readable(connection, copies, path, kind)
        if kind.has_types:
            types = duckdb_files.column_types(connection, path, kind)
            rows = duckdb_files.read_typed(connection, [([path], types)], kind).limit(1).fetchall()
            found = list(types), list(types.values()), next(iter(rows), ())
        elif kind.separator is not None:
            names = list(text_files.delimited_file(path, kind.separator).header)
            columns = text_files.first_columns(path, kind.separator)
            found = names, ["text"] * len(names), tuple(column[0] for column in columns)
        else:
            text_files.checked_json(path, ())
            values = text_files.first_object(path)
            found = list(values), ["text"] * len(values), tuple(values.values())
        more = {name: value for name, value in stated.items() if name not in found[0]}
        row = (*found[2], *more.values()) if found[2] else ()
        return [*found[0], *more], [*found[1], *["text"] * len(more)], row


def first_seen(source: Files) -> Files:
    """The files with their present state, by which a later change is noticed."""
    if source.seen is not None:
        return source
    return replace(source, seen=tuple(map(state_of, _expanded(source))))


def no_column(source: Any, name: str, columns: Sequence[str]) -> InputError:
    """The error that lists the columns there are."""
    near = nearest_first(name, columns, f"it has {', '.join(map(str, columns))}")
    return InputError(f"{source} has no column {name!r}{near}")


@contextmanager
def connected(sources: Sequence[Files | Frame], threads: int) -> Iterator[tuple[Any, Copies]]:
    """A connection for the sources, and where it has copies of files that it cannot read in place."""
    scanned = [source for source in sources if isinstance(source, Files)]
    with _checked(scanned, sources) as copies, duckdb_files.connected(scanned, threads) as connection:
        yield connection, copies


@contextmanager
def _checked(sources: Sequence[Files], named: Sequence[Files | Frame]) -> Iterator[Copies]:
    """Sources that exist and do not change meanwhile, with clear errors, and the place of their copies.

    Errors also name dataframes that are read with the files.
    """
    refuse_two_limits(sources)
    for source in sources:
        _check_paths(source)
    paths = [list(_expanded(source)) for source in sources]
    _check_unchanged(sources, paths)
    copies: Copies = {}
    try:
        with explained(sources, named):
            yield copies
    except ConcordantError as error:
        for address, copied in copies.items():
            error.args = (str(error.args[0]).replace(copied, address), *error.args[1:])
        if isinstance(error, FileError):
            _check_unchanged(sources, paths)  # a change explains more than the engine's error that it causes
        raise
    _check_unchanged(sources, paths)


def refuse_two_limits(sources: Sequence[Files]) -> None:
    """Refuse sources with different memory limits."""
    limits = {source.memory for source in sources if source.memory is not None}
    if len(limits) > 1:
        one, other, *_ = sorted(limits)
        raise ParameterError(
            f"the other side specifies {one!r}, and both are read together; specify the same on both sides",
            given={"memory": other},
        )


def _readable(connection: Any, copies: Copies, path: str, kind: FileFormat) -> str:
    """The file that DuckDB reads: the original, or a copy in the temporary folder of the connection.

    Parquet is read by ranges, so only the requested columns are transferred. Text is read twice, and a stream
    of Arrow has no index of its batches: they are copied once, piece by piece.
    """
    if path in copies or not (is_address(path) or kind.name == "arrow"):
        return copies.get(path, path)
    ((folder,),) = connection.execute("SELECT current_setting('temp_directory')").fetchall()
    if is_address(path):
        if kind.name == "parquet" and remote.reads_ranges(path):
            system = remote.file_system(path)
            names = {system.protocol} if isinstance(system.protocol, str) else {*system.protocol}
            if not names.intersection(connection.list_filesystems()):
                connection.register_filesystem(system)
            return path
        copies[path] = remote.copy(path, tempfile.mkdtemp(dir=str(folder)))
    if kind.name == "arrow":
        place = copies.get(path, path)
        indexed = with_index(place, tempfile.mkdtemp(dir=str(folder)))
        if indexed != place:
            copies[path] = indexed
    return copies.get(path, path)


# -- several files as one ----------------------------------------------------------------------------


def relation_of(connection: Any, copies: Copies, source: Files, columns: tuple[str, ...]) -> Any:
    """The columns of all files. Folders such as ``day=monday`` state a column that the files do not have."""
    kind, files = _format_of(source), _expanded(source)
    stated = {name for values in files.values() for name in values}.intersection(columns)
    if stated:
        stated -= set(_own_columns(connection, _readable(connection, copies, next(iter(files)), kind), kind))
    if not stated:
        return _of_files(connection, copies, replace(source, paths=tuple(files)), columns)
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
        found = {name: "NULL::VARCHAR" if value is None else literal(value) for name, value in constants} | {
            name: identifier(name) for name in own
        }
        chosen = ", ".join(f"{found[name]} AS {identifier(name)}" for name in columns)
        parts.append(_of_files(connection, copies, replace(source, paths=tuple(paths)), own).project(chosen))
    return functools.reduce(lambda one, other: one.union(other), parts)


def _own_columns(connection: Any, path: str, kind: FileFormat) -> Sequence[str]:
    """The columns of one file."""
    if kind.has_types:
        return list(duckdb_files.column_types(connection, path, kind))
    if kind.separator is not None:
        return text_files.delimited_file(path, kind.separator).header
    return list(text_files.first_object(path))


def _of_files(connection: Any, copies: Copies, source: Files, columns: tuple[str, ...]) -> Any:
    """The columns of files that all have them."""
    kind = _format_of(source)
    paths = [_readable(connection, copies, path, kind) for path in source.paths]
    folded = [name.casefold() for name in columns]
    if clashing := [name for name in columns if folded.count(name.casefold()) > 1]:
        raise InputError(
            f"{' and '.join(map(repr, clashing))} of {source} differ only by case, and DuckDB treats "
            "them as one column; rename one, or read the file into a dataframe"
        )
    if kind.has_types:
        types = {path: duckdb_files.column_types(connection, path, kind) for path in paths}
        for path, name in product(paths if kind.name == "parquet" else (), columns):
            if types[path].get(name) == "DOUBLE":
                _refuse_rounded(duckdb_files.decimal_digits(connection, path), path, name)
        return duckdb_files.read_typed(connection, _by_types(types, columns), kind)
    if kind.separator is not None:
        files = {path: text_files.delimited_file(path, kind.separator) for path in paths}
        header = text_files.common_header(files, str(source))
        for name in columns:
            if name not in header:
                raise no_column(source, name, header)
            if header.count(name) > 1:
                raise FileError(f"{source} has {header.count(name)} columns called {name!r}; rename them")
        places = {name: header.index(name) for name in columns}
        return duckdb_files.read_delimited(connection, files, kind.separator, places, source.reading_bytes)
    found = [text_files.checked_json(path, columns) for path in paths]
    for number, name in enumerate(columns):
        if not any(counts[number] for counts in found):
            raise no_column(source, name, list(text_files.first_object(paths[0])))
    return duckdb_files.read_json_lines(connection, paths, columns)


def _refuse_rounded(digits: Mapping[str, int], path: str, name: str) -> None:
    """Refuse decimals that DuckDB would round to floats: different labels would become one."""
    if name in digits:
        raise FileError(
            f"{name!r} of {path} has decimals of {digits[name]} digits, and DuckDB reads more than 38 as "
            "floats; write it as text"
        )


def _by_types(
    types: Mapping[str, Mapping[str, str]], columns: Sequence[str]
) -> list[tuple[list[str], dict[str, str]]]:
    """The files grouped by the types of their columns, each group with the types to read them as."""
    common = {}
    for name in columns:
        found: dict[str, str] = {}
        for path, kinds in types.items():
            if name not in kinds:
                raise no_column(path, name, list(kinds))
            found.setdefault(kinds[name], path)
        widest = next(iter(found)) if len(found) == 1 else _widest(set(found))
        if widest is None:
            stated = " and ".join(f"{kind} in {path}" for kind, path in list(found.items())[:2])
            raise FileError(
                f"several files are read as one table, but {name!r} is {stated}; write it with one type "
                "(integers alone may be of different widths)"
            )
        common[name] = widest
    groups: dict[tuple[str, ...], list[str]] = {}
    for path, kinds in types.items():
        groups.setdefault(tuple(kinds[name] for name in columns), []).append(path)
    return [(paths, common) for paths in groups.values()]


def _widest(kinds: set[str]) -> str | None:
    """The narrowest integer type that holds them all, or None.

    >>> _widest({"TINYINT", "UINTEGER"}), _widest({"BIGINT", "VARCHAR"})
    ('BIGINT', None)
    """
    if not kinds <= INTEGERS.keys():
        return None
    given = [INTEGERS[kind] for kind in kinds]
    signed = any(sign for sign, _ in given)
    bits = max(width * 2 if signed and not sign else width for sign, width in given)
    fitting = [kind for kind, (sign, width) in INTEGERS.items() if sign == signed and width >= bits]
    return min(fitting, key=lambda kind: INTEGERS[kind][1], default=None)


# -- paths -------------------------------------------------------------------------------------------


def _check_paths(source: Files) -> None:
    for path in source.paths:
        if path == os.devnull:
            continue
        refuse_unreadable(path)
        if is_address(path):
            if not remote.expanded(path):
                raise FileError(f"no file matches {path!r}; check the pattern, capitals included")
        elif is_pattern(path):
            if not glob.glob(path, recursive=True):  # noqa: PTH207  (the pattern may be absolute)
                raise FileError(f"no file matches {path!r}")
        elif not Path(path).exists():
            _check_unchanged([source], [()])  # it may have been there before
            raise FileError(f"{path}: there is no such file")
        elif not os.access(path, os.R_OK):
            raise FileError(f"{path}: you do not have permission to read this file")


def _expanded(source: Files) -> dict[str, FolderColumns]:
    """The files, each with the columns that the names of folders state."""
    files: dict[str, FolderColumns] = {}
    for path in source.paths:
        for file, stated in files_of(path).items():
            if file in files:
                raise FileError(f"{file} is named twice; name each file once")
            files[file] = stated
    return files


def _has_no_ending(path: str) -> bool:
    """Whether an address may be that of a folder."""
    return is_address(path) and formats.format_by_name(path) is None


def _format_of(source: Files) -> FileFormat:
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
    """The size, time and inode of a file, and a digest of a Parquet footer; of pipes only the name."""
    if is_address(path):
        size, version = remote.version_of(path)
        return FileState(path, size, footer=version)
    try:
        found = Path(path).stat()
        if not stat.S_ISREG(found.st_mode):
            return FileState(path)
        with Path(path).open("rb") as file:
            digest = ""
            if found.st_size >= _PARQUET_TAIL and file.read(len(_PARQUET_MAGIC)) == _PARQUET_MAGIC:
                file.seek(-_PARQUET_TAIL, 2)
                length = int.from_bytes(file.read(4), "little")
                file.seek(-min(found.st_size, length + _PARQUET_TAIL, _LONGEST_FOOTER), 2)
                digest = hashlib.blake2b(file.read(_LONGEST_FOOTER), digest_size=16).hexdigest()
    except OSError:
        return FileState(path, -1)
    return FileState(path, found.st_size, found.st_mtime_ns, found.st_ino, digest)


def _check_unchanged(sources: Sequence[Files], paths: Sequence[Sequence[str]]) -> None:
    """Name the file that changed since it was first seen."""
    for source, current in zip(sources, paths, strict=True):
        if source.seen is None:
            continue
        before = {state.path: state for state in source.seen}
        for path in current:
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
