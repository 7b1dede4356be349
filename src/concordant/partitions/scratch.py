"""Folders for temporary data, which do not outlive their process for long.

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
from collections.abc import Iterator
from pathlib import Path

from concordant.errors import FileError

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
        sweep(place)
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
    """Python's own folder for temporary files; refused if the environment names one that does not exist.

    Python would then use another one, which may be on a smaller disk.
    """
    for name in ("TMPDIR", "TEMP", "TMP"):
        folder = os.environ.get(name)
        if folder and not Path(folder).is_dir():
            raise FileError(
                f"the environment has {name}={folder}, and there is no such folder; make it, or name another"
            )
        if folder:
            break
    return tempfile.gettempdir()


def sweep(place: str) -> None:
    """Remove the folders of ours whose process is gone; never another user's or another machine's."""
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
