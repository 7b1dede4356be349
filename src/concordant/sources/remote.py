"""Files on other machines, by addresses such as s3://bucket/run.parquet. fsspec opens them.

Credentials and retries are handled by fsspec and its file systems, which read the environment: nothing
here stores or prints credentials.
"""

from __future__ import annotations

import glob
import os
import re
import shutil
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from concordant.errors import FileError, MissingExtraError
from concordant.sources import formats
from concordant.sources.formats import name_of

_ADDRESS = re.compile(r"(?P<protocol>[A-Za-z][A-Za-z0-9+.-]*)://")
_OF_EXTRA = ("http", "https", "s3", "s3a")  # whose file systems come with the extra
_WEB = ("http", "https")
_PIECE = 2**22  # bytes that are fetched at a time
# The fields in which file systems give the version or time of a file, the best first.
_VERSIONS = (
    "ETag",
    "etag",
    "md5Hash",
    "generation",
    "LastModified",
    "Last-Modified",
    "last_modified",
    "mtime",
)
# Errors that are not of Python's own kinds, by the library that raises them.
_OWN_ERRORS = (
    ("botocore.exceptions", "BotoCoreError"),
    ("aiohttp", "ClientError"),
    ("google.auth.exceptions", "GoogleAuthError"),
    ("gcsfs.retry", "HttpError"),
    ("azure.core.exceptions", "AzureError"),
)
_REFUSED = re.compile(
    r"credential|forbidden|unauthori[sz]ed|access denied|PermissionError|\b40[13]\b", re.IGNORECASE
)
_CREDENTIALS = {
    "s3": "set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
    "s3a": "set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
    "gs": "set GOOGLE_APPLICATION_CREDENTIALS",
    "az": "set AZURE_STORAGE_CONNECTION_STRING",
}


@lru_cache(256)
def protocol_of(path: str) -> str | None:
    """The protocol of an address; None for a path on this machine.

    >>> protocol_of("s3://bucket/run.csv"), protocol_of("runs/monday.csv")
    ('s3', None)
    """
    found = _ADDRESS.match(path)
    return found["protocol"].lower() if found else None


@lru_cache(256)
def is_address(path: str) -> bool:
    """Whether a path leads to another machine."""
    return protocol_of(path) is not None


def reads_ranges(address: str) -> bool:
    """Whether parts of a file can be read; for web servers that is not known before it fails."""
    return protocol_of(address) not in _WEB


def file_system(address: str) -> Any:
    """The file system of fsspec for an address, with its cached listings cleared."""
    protocol = protocol_of(address)
    try:
        import fsspec  # type: ignore[import-untyped]
    except ImportError:
        raise MissingExtraError(
            f"{address} is on another machine, and reading it needs fsspec, which is not installed; "
            "run: pip install 'concordant[remote]'"
        ) from None
    try:
        system, _ = fsspec.core.url_to_fs(address)
    except ImportError as error:
        wanted = re.search(r"[Ii]nstall (?:the )?([\w-]+)|requires [\"']?([\w-]+)", str(error))
        package = next(filter(None, wanted.groups()), protocol) if wanted else error.name or protocol
        extra = "'concordant[remote]'" if protocol in _OF_EXTRA else package
        raise MissingExtraError(
            f"{address}: {protocol}:// needs {package}, which is not installed; run: pip install {extra}"
        ) from None
    except ValueError:
        raise FileError(
            f"{address}: fsspec does not support {protocol}://; use s3://, gs://, az://, https:// or a path"
        ) from None
    system.invalidate_cache()
    return system


def expanded(address: str) -> list[str]:
    """The addresses of the files that an address represents: a file, a pattern, or all files of a folder."""
    system = file_system(address)
    with _explained(address):
        if not reads_ranges(address):
            return [address]
        if glob.has_magic(address):
            found = system.glob(address)
        elif system.info(address)["type"] == "directory":
            found = system.find(address)
        else:
            return [address]
        return sorted(system.unstrip_protocol(name) for name in found)


def version_of(address: str) -> tuple[int, str]:
    """The size of a file, -1 if it is gone, and its entity tag, or else when it was changed."""
    system = file_system(address)
    with _explained(address):
        try:
            info = system.info(address)
        except FileNotFoundError:
            return -1, ""
        version = next((str(info[name]) for name in _VERSIONS if info.get(name) is not None), "")
        return int(info.get("size") or 0), version


def read_bytes(address: str) -> bytes:
    """The whole content of a file."""
    system = file_system(address)
    with _explained(address):
        return bytes(system.cat_file(address))


def copy(address: str, folder: str) -> str:
    """The path of a copy in a folder of this machine, made piece by piece."""
    system = file_system(address)
    target = Path(folder) / name_of(address).rpartition("/")[2]
    with _explained(address), system.open(address, "rb", block_size=_PIECE) as file:
        try:
            with target.open("wb") as copied:
                shutil.copyfileobj(file, copied, _PIECE)
        except OSError as error:
            if error.filename != str(target):
                raise
            raise FileError(f"cannot write a copy of {address} to {folder}: {error.strerror}") from None
    return str(target)


def is_refusal(message: str) -> bool:
    """Whether an error of another library means that access was refused."""
    return bool(_REFUSED.search(message))


def refusal(address: str, reason: str) -> FileError:
    """The error for a file that the user may not read, with the variables that give access."""
    way = _CREDENTIALS.get(protocol_of(address) or "", "pass credentials by the environment")
    return FileError(f"{address}: you do not have permission to read this ({reason}); {way}")


@contextmanager
def _explained(address: str) -> Iterator[None]:
    """Remote errors as our own errors: the file that is missing or refused, and what to do."""
    modules = ((sys.modules.get(module), name) for module, name in _OWN_ERRORS)
    own = tuple(getattr(module, name) for module, name in modules if hasattr(module, name))
    try:
        yield
    except FileNotFoundError as error:
        if "bucket" in str(error).lower() and "exist" in str(error):
            bucket = address.partition("://")[2].partition("/")[0]
            text = f"{address}: there is no bucket {bucket!r}; check its name and the endpoint"
        else:
            text = f"{address}: there is no such file; check the name, capitals included"
        raise FileError(text) from None
    except (OSError, ValueError, *own) as error:
        reason = " ".join(str(error).split())[:300] or type(error).__name__
        if isinstance(error, PermissionError) or is_refusal(f"{type(error).__name__} {reason}"):
            raise refusal(address, reason) from None
        text = f"{address} cannot be read: {reason}; check the address and the network"
        raise FileError(text) from None


_NULL_PARTITION = "__HIVE_DEFAULT_PARTITION__"

# The columns given by the folders above a file, as in day=monday/part-0.parquet; None for a null.
FolderColumns = dict[str, str | None]


def is_pattern(path: str) -> bool:
    """A path is a pattern unless a file has exactly this name."""
    return not is_address(path) and glob.has_magic(path) and not Path(path).exists()


def is_folder(path: str) -> bool:
    """Whether a path on this machine is a folder."""
    return not is_address(path) and os.path.isdir(path)  # noqa: PTH112  (a name may be too long)


def files_of(path: str) -> dict[str, FolderColumns]:
    """The files that a path represents, in order, with the columns that folders below it state."""
    if is_address(path):
        found = expanded(path)
        if found == [path]:
            return {path: {}}
        return _in_folder(path, found) if not glob.has_magic(path) else {each: {} for each in found}
    if is_folder(path):
        return _in_folder(path, sorted(str(each) for each in Path(path).rglob("*") if each.is_file()))
    found = sorted(glob.glob(path, recursive=True)) if is_pattern(path) else [path]  # noqa: PTH207  (may be absolute)
    return {each: {} for each in found}


_OF_ZARR = r"[/\\](zarr\.json|\.zarray|\.zgroup)$"  # its metadata, by version


def _in_folder(folder: str, found: Iterable[str]) -> dict[str, FolderColumns]:
    """The data files of a folder. Names that begin with a dot or underscore belong to other programs."""
    found = list(found)
    if re.search(r"\.zarr[/\\]?$", folder) or any(re.search(_OF_ZARR, path) for path in found):
        raise FileError(
            f"the folder {folder} is a Zarr array; open it in Python with the zarr library, and compare the "
            "arrays there"
        )
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
