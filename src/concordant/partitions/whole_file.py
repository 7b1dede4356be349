"""Files that are written whole or not at all: a draft beside the file takes its place when it is done."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from concordant.errors import FileError, ParameterError


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
