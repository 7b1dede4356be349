"""The files that a path represents: one file, a pattern, a folder with its parts, or an address."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from urllib.parse import unquote

from concordant.errors import FileError
from concordant.partitions import formats, remote
from concordant.partitions.formats import FileFormat

_NULL_PARTITION = "__HIVE_DEFAULT_PARTITION__"

# The columns given by the folders above a file, as in day=monday/part-0.parquet; None for a null.
FolderColumns = dict[str, str | None]


def is_pattern(path: str) -> bool:
    """A path is a pattern unless a file has exactly this name."""
    return not remote.is_address(path) and glob.has_magic(path) and not Path(path).exists()


def is_folder(path: str) -> bool:
    """Whether a path on this machine is a folder."""
    return not remote.is_address(path) and os.path.isdir(path)  # noqa: PTH112  (a name may be too long)


def files_of(path: str) -> dict[str, FolderColumns]:
    """The files that a path represents, in order, with the columns that folders below it state."""
    if remote.is_address(path):
        found = remote.expanded(path)
        if found == [path]:
            return {path: {}}
        return _in_folder(path, found) if not glob.has_magic(path) else {each: {} for each in found}
    if is_folder(path):
        return _in_folder(path, sorted(str(each) for each in Path(path).rglob("*") if each.is_file()))
    found = sorted(glob.glob(path, recursive=True)) if is_pattern(path) else [path]  # noqa: PTH207  (may be absolute)
    return {each: {} for each in found}


def _in_folder(folder: str, found: Iterable[str]) -> dict[str, FolderColumns]:
    """The data files of a folder. Names that begin with a dot or underscore belong to other programs."""
    files: dict[str, FolderColumns] = {}
    for path in found:
        parts = path[len(folder) :].strip("/\\").replace("\\", "/").split("/")
        if any(part.startswith((".", "_")) for part in parts) or formats.format_by_name(path) is None:
            continue
        stated = (part.partition("=") for part in parts[:-1] if "=" in part)
        files[path] = {
            unquote(name): None if value == _NULL_PARTITION else unquote(value) for name, _, value in stated
        }
    if not files:
        raise FileError(f"the folder {folder} has no files that end with {', '.join(formats.endings())}")
    return files


def common_format(paths: Sequence[str]) -> FileFormat | None:
    """The format of all files by their names; None if it is unknown, or if they differ."""
    found = {formats.format_by_name(path) for path in paths}
    return found.pop() if len(found) == 1 else None
