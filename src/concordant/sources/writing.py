"""Temporary folders that are removed in the end, and files that are written whole or not at all.

A folder is removed when it is no longer needed, also if the work fails or is interrupted. A killed process
leaves its folder behind; the name identifies the process, and the next process that needs a folder removes
it.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import platform
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from concordant.errors import FileError, ParameterError, did_you_mean
from concordant.sources.formats import FORMATS, FileFormat, compression_of, endings, format_by_name

_NAME = re.compile(r"concordant-([0-9a-f]{8})-(\d+)-(\d+)-.+")


@contextlib.contextmanager
def scratch_folder() -> Iterator[str]:
    """An empty folder that is removed in the end; those of processes that are gone are removed first.

    >>> with scratch_folder() as folder:
    ...     _ = (Path(folder) / "notes.txt").write_text("42")
    >>> Path(folder).exists()
    False
    """
    pid = os.getpid()
    try:
        place = _temporary_folder()
        _sweep(place)
        folder = tempfile.mkdtemp(prefix=f"concordant-{_machine()}-{pid}-{_start_of(pid) or 0}-", dir=place)
    except OSError as error:
        raise FileError(
            f"cannot make a temporary folder: {error}; set TMPDIR to a folder that you may write to"
        ) from None
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _temporary_folder() -> str:
    """The folder that the environment names, or Python's own for temporary files.

    Python would silently replace one that does not exist or is read-only by another, maybe on a smaller disk.
    """
    for name in ("TMPDIR", "TEMP", "TMP"):
        folder = os.environ.get(name)
        if folder and not Path(folder).is_dir():
            raise FileError(
                f"the environment has {name}={folder}, and there is no such folder; make it, or name another"
            )
        if folder:
            return folder
    return tempfile.gettempdir()


@cache
def _sweep(place: str) -> None:
    """Remove the folders of ours whose process is gone, once; never another user's or another machine's."""
    if (
        sys.platform == "win32" or not Path("/proc/self/stat").exists()
    ):  # it is unknown whether the process is still the same one
        return
    with os.scandir(place) as entries:
        abandoned = [entry.path for entry in entries if _is_abandoned(entry)]
    for path in abandoned:
        shutil.rmtree(path, ignore_errors=True)


def _is_abandoned(entry: os.DirEntry[str]) -> bool:
    name = _NAME.fullmatch(entry.name)
    if sys.platform == "win32" or name is None or name[1] != _machine():
        return False
    try:
        ours = entry.is_dir(follow_symlinks=False) and entry.stat(follow_symlinks=False).st_uid == os.getuid()
    except OSError:  # another process removed it meanwhile
        return False
    return ours and _start_of(int(name[2])) != int(name[3])


def _start_of(pid: int) -> int | None:
    """When a process started, in ticks since the machine started; None if there is no such process."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    return int(stat.rpartition(")")[2].split()[19])  # the program's name comes before, in brackets


def _machine() -> str:
    """The scope of process numbers: a machine, or a container on it."""
    try:
        processes = str(Path("/proc/self/ns/pid").readlink())
    except OSError:
        processes = ""
    return hashlib.blake2b(f"{platform.node()} {processes}".encode(), digest_size=4).hexdigest()


@contextlib.contextmanager
def whole_file(path: str | os.PathLike[str]) -> Iterator[Path]:
    """A temporary path for writing a file; if writing fails, the old file is unchanged.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     with whole_file(folder + "/answer.txt") as draft:
    ...         written = draft.write_text("42")
    ...     print([each.name for each in Path(folder).iterdir()])
    ['answer.txt']
    """
    target = writable_place(path)
    try:
        if target.exists() and not target.is_file():
            yield target  # a device or a pipe must not be replaced by a file
        else:
            file = target.resolve()  # a link stays, and what it leads to is replaced
            draft = file.with_name(f".{file.name[:50]}.{os.urandom(6).hex()}.part")
            try:
                yield draft
                draft.replace(file)
            finally:
                draft.unlink(missing_ok=True)
    except OSError as error:
        raise FileError(f"cannot write {target}: {error.strerror or error}") from error


def writable_place(path: str | os.PathLike[str]) -> Path:
    """The path, if a file can be written there; refused before any work is done."""
    if not isinstance(path, (str, os.PathLike)):
        raise ParameterError(f"{path!r} is not a path; name the file to write")
    target = Path(path)
    if "\0" in str(target):
        raise FileError(f"cannot write {str(target)!r}: the name of a file has no null character")
    try:
        if not target.parent.is_dir():
            raise FileError(f"cannot write {target}: there is no folder {target.parent}")
        if target.is_dir():
            raise FileError(f"cannot write {target}: it is a folder; name a file in it")
    except OSError as error:
        raise FileError(f"cannot write {target}: {error.strerror or error}") from error
    return target


def write_whole(path: str | os.PathLike[str], text: str) -> Path:
    """Write a text file, whole or not at all; a file of that name is replaced. Returns its path."""
    with whole_file(path) as draft:
        draft.write_text(text, encoding="utf-8", newline="\n")
    return Path(path)


def write_table(path: str | os.PathLike[str], columns: Mapping[str, list[Any]]) -> Path:
    """Write columns to a file, whole or not at all. Its suffix selects the format. Returns its path."""
    kind = check_table_format(path)
    with whole_file(path) as draft, _encodable(path):
        kind.reader.write(draft, columns)
    return Path(path)


@contextlib.contextmanager
def _encodable(path: str | os.PathLike[str]) -> Iterator[None]:
    try:
        yield
    except UnicodeEncodeError as error:
        text = error.object[error.start : error.end]
        raise FileError(
            f"cannot write {os.fspath(path)}: {text!r} is half of a character, which no file stores"
        ) from error


def check_table_format(path: str | os.PathLike[str]) -> FileFormat:
    """The format of a table by the suffix of its file; raises if it cannot be written."""
    name = os.fspath(writable_place(path))
    kind = format_by_name(name)
    if kind is None or not kind.reader.is_written or compression_of(name) is not None:
        near = did_you_mean(Path(name).suffix, endings()) if kind is None else ""
        written = [each for each in FORMATS if each.reader.is_written]
        *others, last = (each.endings[0] for each in sorted(written, key=lambda each: each.has_types))
        raise ParameterError(
            f"the suffix of {name} does not select a format to write; use {', '.join(others)} or {last}{near}"
        )
    kind.reader.check_writing(name)
    return kind
