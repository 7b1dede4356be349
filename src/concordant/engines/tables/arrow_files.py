"""Arrow files: IPC files, also called Feather, and streams, which become such files."""

from __future__ import annotations

from pathlib import Path

from concordant.errors import FileError, MissingExtraError
from concordant.partitions.formats import ARROW_STREAM


def with_index(path: str, folder: str) -> str:
    """A file whose batches can be read in any order: the file itself, or a copy of a stream in the folder."""
    try:
        import pyarrow as pa
    except ImportError:
        raise MissingExtraError(
            f"{path}: reading Arrow files needs PyArrow, which is not installed; "
            "run: pip install 'concordant[arrow]'"
        ) from None
    with Path(path).open("rb") as file:
        if file.read(len(ARROW_STREAM)) != ARROW_STREAM:
            return path
    target = Path(folder) / f"{Path(path).stem}.arrow"
    try:
        with pa.ipc.open_stream(path) as stream, pa.ipc.new_file(str(target), stream.schema) as copied:
            for batch in stream:
                copied.write_batch(batch)
    except pa.ArrowInvalid as error:
        raise FileError(f"{path} is not a complete Arrow stream: {error}") from None
    return str(target)
