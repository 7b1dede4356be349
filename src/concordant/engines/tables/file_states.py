"""What files were like when they were compared: whoever asks again later gets the same state, or an error.

A file is known by its size, its time of change and its place on the disk, and a Parquet file also by its
footer, which says where everything stands in it.
"""

from __future__ import annotations

import hashlib
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from concordant.errors import FileError
from concordant.partitions.sources import Files, FileState

_MAGIC = b"PAR1"
_TAIL = 8  # how long the footer is, in four bytes, and four letters
_LONGEST_FOOTER = 2**26


def state_of(path: str) -> FileState:
    """What a file is like now; pipes and addresses on the net are only known by their name."""
    if "://" in path:
        return FileState(path)
    try:
        found = Path(path).stat()
        if not stat.S_ISREG(found.st_mode):
            return FileState(path)
        footer = _footer(path, found.st_size)
    except OSError:
        return FileState(path, -1)
    return FileState(path, found.st_size, found.st_mtime_ns, found.st_ino, footer)


def _footer(path: str, size: int) -> str:
    """A digest of the footer of a Parquet file; nothing for other files."""
    with Path(path).open("rb") as file:
        if size < _TAIL or file.read(len(_MAGIC)) != _MAGIC:
            return ""
        file.seek(-_TAIL, 2)
        length = int.from_bytes(file.read(4), "little")
        file.seek(-min(size, length + _TAIL, _LONGEST_FOOTER), 2)
        return hashlib.blake2b(file.read(_LONGEST_FOOTER), digest_size=16).hexdigest()


@contextmanager
def unchanged(sources: Sequence[Files], paths: Sequence[Sequence[str]]) -> Iterator[None]:
    """Refuse files that change meanwhile."""
    try:
        yield
    except FileError:
        check_unchanged(sources, paths)  # says more than an engine that stumbles over a changed file
        raise
    check_unchanged(sources, paths)


def check_unchanged(sources: Sequence[Files], paths: Sequence[Sequence[str]]) -> None:
    """Name the file that changed since it was first looked at."""
    for source, now in zip(sources, paths, strict=True):
        if source.seen is None:
            continue
        before = {state.path: state for state in source.seen}
        for path in now:
            if path not in before:
                raise FileError(f"{path} was added after {source} was first read; compare again")
        for path, state in before.items():
            current = state_of(path)
            if current != state:
                raise FileError(f"{path} {_change(state, current)} after it was first read; compare again")


def _change(before: FileState, now: FileState) -> str:
    if now.size == -1:
        return "was removed"
    if before.inode != now.inode:
        return "was replaced by another file"
    if before.size != now.size:
        return f"was changed (from {before.size:,} to {now.size:,} bytes)"
    return "was changed"
