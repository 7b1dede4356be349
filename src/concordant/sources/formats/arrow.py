"""Arrow: IPC files, also called Feather, and streams, which become such files."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from concordant.errors import FileError, MissingExtraError
from concordant.sources.duckdb_files import new_folder
from concordant.sources.formats.typed import TypedReader

_STREAM = b"\xff\xff\xff\xff"  # how a stream begins


class Arrow(TypedReader):
    def prepared(self, connection: Any, path: str) -> str:
        """A file whose batches can be read in any order: the file itself, or a copy of a stream."""
        try:
            import pyarrow as pa
        except ImportError:
            raise MissingExtraError(
                f"{path}: reading Arrow files needs PyArrow, which is not installed; "
                "run: pip install 'concordant[arrow]'"
            ) from None
        with Path(path).open("rb") as file:
            if file.read(len(_STREAM)) != _STREAM:
                return path
        target = Path(new_folder(connection)) / f"{Path(path).stem}.arrow"
        try:
            with pa.ipc.open_stream(path) as stream, pa.ipc.new_file(str(target), stream.schema) as copied:
                for batch in stream:
                    copied.write_batch(batch)
        except pa.ArrowInvalid as error:
            raise FileError(f"{path} is not a complete Arrow stream: {error}") from None
        return str(target)

    def table(self, connection: Any, paths: Sequence[str]) -> str:
        """A data set, which DuckDB reads batch by batch."""
        from pyarrow import ArrowInvalid, dataset

        name = f"arrow_{secrets.token_hex(8)}"
        try:
            connection.register(name, dataset.dataset(list(paths), format="ipc"))
        except ArrowInvalid as error:
            raise OSError(str(error)) from error  # as DuckDB raises for other formats
        return name
