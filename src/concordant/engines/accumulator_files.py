"""Files of cells: Parquet with the columns reference, candidate and n, and a description in its metadata.

The description has the number of the format, a checksum over all labels, counts and the description itself,
and a line for each counted part, so a part that is added twice is detected.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.counts.spelling import counted
from concordant.engines.batch_cells import CONVENTIONS, MOST_ELEMENTS
from concordant.errors import FileError, MissingExtraError, TooLargeError
from concordant.sources.duckdb_files import literal
from concordant.sources.writing import whole_file

FORMAT = 2  # raised by every change that an older version would read wrongly
_COLUMNS = ["reference", "candidate", "n"]
_KEY = "concordant"  # of a file's metadata


@dataclass(frozen=True, slots=True)
class CountedPart:
    """A part that one Accumulator counted, before it was merged with others.

    Attributes
    ----------
    id : str
        Drawn at random when counting began, so a part is recognised anywhere.
    name : str
        Name that the user gave to the data.
    began : str
        When counting began, in UTC.
    size : int
        Number of records.
    """

    id: str
    name: str
    began: str
    size: int

    @classmethod
    def _beginning(cls, name: str) -> CountedPart:
        """A part of which nothing was counted yet."""
        return cls(os.urandom(16).hex(), name, datetime.now(UTC).isoformat(timespec="seconds"), 0)

    def _known_by(self, name: str, shape: tuple[int, ...], blocks: int) -> CountedPart:
        """The same part with an id derived from its description and shape, which a recount reproduces."""
        named = json.dumps([name, shape, blocks])
        return replace(self, id=hashlib.sha256(named.encode()).hexdigest()[:32], name=name)

    def __str__(self) -> str:
        return f"{self.name or 'a part'} ({counted(self.size, 'record')}, counted from {self.began})"


# The cells as a file has them, a row for each: the labels of both sides, and the number of elements.
CellColumns = tuple[NDArray[Any], NDArray[Any], NDArray[np.int64]]


def write(path: str | os.PathLike[str], columns: CellColumns, parts: Sequence[CountedPart]) -> None:
    """Write a file completely or not at all."""
    from importlib.metadata import version  # slow to import, rarely needed

    n = columns[2]
    about = {
        "format": FORMAT,
        "version": version("concordant"),
        "conventions": CONVENTIONS,
        "size": int(n.sum()),
        "cells": len(n),
        "parts": [asdict(part) for part in parts],
    }
    about["checksum"] = _checksum(columns, about)
    with whole_file(path) as draft:
        _write(columns, draft, about)


def read(path: str) -> tuple[CellColumns, tuple[CountedPart, ...]]:
    """The cells of a file and the parts that they were counted in, if the file is undamaged."""
    duckdb = _duckdb()
    try:
        with duckdb.connect() as connection:
            about = _about_file(connection, path)
            relation = connection.sql(f"SELECT * FROM read_parquet({literal(str(path))})")  # noqa: S608  (quoted)
            kinds = [str(kind) for kind in relation.types]
            labels_fit = set(kinds[:2]) <= {"BIGINT", "VARCHAR"}
            if list(relation.columns) != _COLUMNS or not labels_fit or kinds[2:] != ["BIGINT"]:
                has = ", ".join(f"{name} {kind}" for name, kind in zip(relation.columns, kinds, strict=True))
                raise FileError(
                    f"{path} has the columns {has}; a file of cells has reference and candidate, each BIGINT "
                    "or VARCHAR, and n BIGINT"
                )
            found = relation.fetchnumpy()
    # The last two if a damaged name is not text, depending on the version of DuckDB.
    except (duckdb.Error, OSError, RuntimeError, UnicodeDecodeError) as error:
        reason = str(error).partition("\n")[0]
        raise FileError(f"cannot read {path} as a file of cells: {reason}") from None
    _check_counts(path, found, about)
    reference, candidate, n = (np.asarray(found[name]) for name in _COLUMNS)
    columns = reference, candidate, n
    if about.get("checksum") != _checksum(columns, about):
        raise FileError(
            f"{path} is damaged: its checksum does not match; count the data again, or use another copy"
        )
    return columns, _parts(path, about.get("parts"))


def _parts(path: str, parts: Any) -> tuple[CountedPart, ...]:
    """The parts of a file; a checksum does not prove who wrote them."""
    types = {"id": str, "name": str, "began": str, "size": int}
    for part in parts if isinstance(parts, list) else [None]:
        if not isinstance(part, dict) or {name: type(each) for name, each in part.items()} != types:
            raise FileError(f"{path} has no description of the counts; Accumulator.save did not write it")
        if part["size"] < 0:
            raise FileError(f"{path} has a part of {part['size']:,} records; count it again")
    return tuple(CountedPart(**part) for part in parts)


def _checksum(columns: CellColumns, about: dict[str, Any]) -> str:
    """The checksum over the whole content of the file."""
    described = {key: value for key, value in about.items() if key != "checksum"}
    digest = hashlib.blake2b(json.dumps(described, sort_keys=True).encode(), digest_size=16)
    for column in columns:
        digest.update(b"integers" if column.dtype == np.int64 else b"text")
        if column.dtype == np.int64:
            digest.update(np.ascontiguousarray(column, dtype="<i8").tobytes())
            continue
        texts = [text.encode() for text in column.tolist()]
        digest.update(np.fromiter(map(len, texts), dtype="<i8", count=len(texts)).tobytes())
        digest.update(b"".join(texts))
    return digest.hexdigest()


def _duckdb() -> Any:
    try:
        import duckdb
    except ModuleNotFoundError:
        raise MissingExtraError(
            "files of cells need duckdb, which is not installed; run: pip install 'concordant[tables]'"
        ) from None
    return duckdb


def _write(columns: CellColumns, path: Path, about: dict[str, Any]) -> None:
    duckdb = _duckdb()
    with duckdb.connect() as connection:
        connection.register("cells", dict(zip(_COLUMNS, columns, strict=True)))
        try:
            connection.execute(
                f"COPY (SELECT * FROM cells) TO {literal(str(path))} "  # noqa: S608  (a path, quoted)
                f"(FORMAT parquet, COMPRESSION zstd, KV_METADATA {{{_KEY}: {literal(json.dumps(about))}}})"
            )
        except duckdb.Error as error:
            raise OSError(str(error)) from None  # whole_file names the file itself, not its draft


def _about_file(connection: Any, path: str) -> dict[str, Any]:
    pairs = connection.execute(f"SELECT key, value FROM parquet_kv_metadata({literal(str(path))})").fetchall()  # noqa: S608  (quoted)
    text = dict(pairs).get(_KEY.encode())
    try:
        about = json.loads(text) if text is not None else None
    except (ValueError, RecursionError):
        about = None
    if not isinstance(about, dict) or "format" not in about:
        raise FileError(f"{path} is not a file of cells: Accumulator.save did not write it")
    if about["format"] != FORMAT or about.get("conventions") != CONVENTIONS:
        raise FileError(
            f"{path} was written by concordant {about.get('version', '?')} in format {about['format']!r}, "
            f"which this version does not read: it reads format {FORMAT}"
        )
    return about


def _check_counts(path: str, read: dict[str, Any], about: dict[str, Any]) -> None:
    for name in _COLUMNS:
        if np.ma.is_masked(read[name]):
            raise FileError(f"{path} has nulls in its column {name}; Accumulator.save did not write it")
    n = np.asarray(read["n"], dtype=np.int64)
    whole = sum(n.tolist()) if len(n) and int(n.max()) > MOST_ELEMENTS // len(n) else int(n.sum())
    if len(n) and int(n.min()) < 1:
        raise FileError(f"{path} has a cell of {int(n.min())} records; a cell has at least one")
    if whole >= MOST_ELEMENTS:
        raise TooLargeError(f"{path} has {whole:,} records, which are more than Accumulator can count")
    if (len(n), whole) != (about.get("cells"), about.get("size")):
        raise FileError(
            f"{path} has {counted(whole, 'record')} in {counted(len(n), 'cell')}, but declares "
            f"{about.get('size')} in {about.get('cells')}; it was changed after it was written"
        )
