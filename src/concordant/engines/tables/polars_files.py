"""Files as Polars reads them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from concordant.errors import FileError, MissingExtraError
from concordant.partitions.sources import Files
from concordant.partitions.text_files import DelimitedFile, JsonFile, json_batches

INTEGERS = {f"{sign}Int{bits}": (sign == "", bits) for bits in (8, 16, 32, 64) for sign in ("", "U")}
_AS_TEXT = ("Categorical", "Enum")


class PolarsFiles:
    """How Polars reads each format."""

    integers = INTEGERS

    def __init__(self, polars: Any) -> None:
        self._polars = polars

    @classmethod
    @contextmanager
    def connected(cls, sources: Sequence[Files], threads: int) -> Iterator[PolarsFiles]:  # noqa: ARG003  (Polars has a number of threads for the process)
        import polars as pl

        yield cls(pl)

    @staticmethod
    def errors() -> type[Exception]:
        """What it raises where it cannot read."""
        try:
            import polars as pl
        except ImportError:
            raise MissingExtraError(
                "this needs Polars, which is not installed; run: pip install polars",
                given={"engine": "polars"},
            ) from None
        return pl.exceptions.PolarsError

    @staticmethod
    def check_names(names: Sequence[str], source: Files) -> None:
        """Polars tells all names apart."""

    def parquet_types(self, path: str) -> dict[str, str]:
        """The types of a file's columns."""
        schema = self._scan_parquet([path]).collect_schema()
        kinds = {name: str(kind) for name, kind in schema.items()}
        return {name: "String" if kind.startswith(_AS_TEXT) else kind for name, kind in kinds.items()}

    def parquet(self, groups: Iterable[tuple[list[str], Mapping[str, str]]]) -> Any:
        """One lazy frame of files, which were put together by the types to cast their columns to."""
        frames = []
        for paths, types in groups:
            frame = self._scan_parquet(paths).select(*types)
            cast = {
                name: getattr(self._polars, kind)
                for name, kind in types.items()
                if kind in INTEGERS or kind == "String"
            }
            frames.append(frame.cast(cast) if cast else frame)
        return self._united(frames)

    def _scan_parquet(self, paths: Sequence[str]) -> Any:
        return self._polars.scan_parquet(
            paths, glob=False, hive_partitioning=False, extra_columns="ignore", missing_columns="raise"
        )

    def first_row(self, frame: Any) -> tuple[Any, ...]:
        """The first row of a frame, empty where there is none."""
        return next(iter(frame.head(1).collect().rows()), ())

    def delimited(
        self, files: Mapping[str, DelimitedFile], separator: str, columns: Mapping[str, int]
    ) -> Any:
        """One lazy frame of delimited texts; the columns are told by their places."""
        blank = [path for path, file in files.items() if file.blanks]
        doubtful = next((path for path in blank if files[path].empty_rows), None)
        if doubtful is not None:
            raise FileError(
                f"{doubtful} has blank lines and rows whose fields are all empty, which Polars does not tell "
                "apart; leave the blank lines out, or let DuckDB read the file"
            )
        width = len(next(iter(files.values())).header)
        plain = [path for path in files if path not in blank]
        frames = [self._delimited(paths, separator, width) for paths in (plain, blank) if paths]
        if blank:  # Polars has made rows of them
            frames[-1] = frames[-1].filter(self._polars.any_horizontal(self._polars.all().is_not_null()))
        chosen = [self._polars.col(f"c{place}").alias(name) for name, place in columns.items()]
        return self._united(frames).select(chosen)

    def _delimited(self, paths: list[str], separator: str, width: int) -> Any:
        polars = self._polars
        names = [f"c{place}" for place in range(width)]
        frame = polars.scan_csv(
            paths,
            separator=separator,
            has_header=True,
            with_column_names=lambda _: names,  # the file's own may be doubled
            quote_char='"',
            comment_prefix=None,
            null_values=None,
            infer_schema=False,
            encoding="utf8",
            glob=False,
        )
        return frame.with_columns(polars.col(polars.String).replace("", None))  # quoted, too

    def json_lines(self, files: Mapping[str, JsonFile], columns: Sequence[str]) -> Any:
        """One lazy frame of JSON lines. Polars itself would spell 1.0 as 1, so that the core reads them."""
        return self._united([self._json_lines(path, columns) for path in files])

    def _json_lines(self, path: str, columns: Sequence[str]) -> Any:
        from polars.io.plugins import register_io_source

        polars, schema = self._polars, dict.fromkeys(columns, self._polars.String)

        def batches(
            with_columns: list[str] | None, predicate: Any, n_rows: int | None, _batch_size: int | None
        ) -> Iterator[Any]:
            left = n_rows
            for batch in json_batches(path, columns):
                frame = polars.DataFrame(dict(zip(columns, batch, strict=True)), schema=schema)
                if left is not None:
                    frame, left = frame.head(left), left - min(left, frame.height)
                frame = frame if predicate is None else frame.filter(predicate)
                yield frame if with_columns is None else frame.select(with_columns)
                if left == 0:
                    return

        return register_io_source(batches, schema=schema, is_pure=True)

    def _united(self, frames: Sequence[Any]) -> Any:
        return frames[0] if len(frames) == 1 else self._polars.concat(frames, how="vertical")
