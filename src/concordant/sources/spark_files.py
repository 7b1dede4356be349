"""Files that Spark reads, on the cluster that its settings name.

Files on this machine are checked as for every other reader. Files that only the cluster can open, by an
address such as s3://bucket/truth.csv, are read with Spark's strictest settings.
"""

from __future__ import annotations

import glob
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from concordant.errors import FileError, MissingExtraError
from concordant.sources.formats import FileFormat

if TYPE_CHECKING:
    from concordant.sources.formats.reader import Preview

_OF_ALL_FORMATS = {"recursiveFileLookup": True}  # otherwise a folder called cluster=a replaces that column


def local_paths(place: str) -> list[str]:
    """The files on this machine that a path, a folder or a pattern names; none if only the cluster does."""
    if "://" in place:
        return []
    if Path(place).is_dir():
        inside = (path for path in Path(place).rglob("*") if path.is_file())
        return sorted(str(path) for path in inside if not path.name.startswith(("_", ".")))
    return [place] if Path(place).exists() else sorted(glob.glob(place, recursive=True))  # noqa: PTH207  (may be absolute)


def read(place: str, paths: Sequence[str], kind: FileFormat) -> Any:
    """One file or several as a frame of Spark; ``paths`` are those of ``place`` that this machine sees."""
    kind.reader.check_for_spark(paths)
    # Spark reads a path as a pattern unless its special characters are escaped.
    places = [re.sub(r"([\\\[\]{}*?])", r"\\\1", path) for path in paths] or [place]
    try:
        from pyspark.errors import PySparkException
        from pyspark.sql import SparkSession
    except ModuleNotFoundError:
        raise MissingExtraError(
            "--engine spark needs pyspark, which is not installed; run: pip install 'concordant[spark]'"
        ) from None
    try:
        progress = str(sys.stderr is not None and sys.stderr.isatty()).lower()
        builder = SparkSession.builder.appName("concordant")
        builder = builder.config("spark.ui.showConsoleProgress", progress)
        session = builder.getOrCreate()  # of the cluster that Spark's settings name
        return kind.reader.on_spark(session.read.options(**_OF_ALL_FORMATS), places, paths)
    except _errors(PySparkException) as error:
        told = " ".join(str(error).split())[:400]
        raise FileError(f"Spark cannot read {place}: {told}") from None


def preview(frame: Any) -> Preview:
    """The names and types of the columns, and the first row."""
    return list(frame.columns), [kind for _, kind in frame.dtypes], tuple(next(iter(frame.head(1)), ()))


def _errors(known: type[Exception]) -> tuple[type[Exception], ...]:
    """Spark's errors, and those of its Java side; a client of a remote cluster has no Java."""
    try:
        from py4j.protocol import Py4JJavaError
    except ModuleNotFoundError:
        return (known,)
    return known, Py4JJavaError


def refuse_compression(path: str, compression: str | None) -> None:
    """Refuse compressed files that Spark would read as plain text: it only unpacks .gz."""
    if compression != (".gz" if path.lower().endswith(".gz") else None):
        packed = f"compressed as {compression}" if compression else "not compressed"
        raise FileError(
            f"{path} is {packed}, but Spark decompresses exactly the files that end with .gz; rename it, or "
            "read it without Spark"
        )
