"""Arrays that lie in chunks: Zarr, HDF5, Dask, xarray and TensorStore, read block by block.

None of these libraries is imported: an array is known by what it has, a shape, a dtype, slices, and chunks. A
block spans whole chunks of both sides, so that each chunk is read once.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import product
from math import prod
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from concordant.errors import InputError, LabelError, ShapeError

Made = TypeVar("Made")
Block = tuple[slice, ...]

_BLOCK = 2**22  # voxels of a block, unless one chunk has more


def is_chunked(value: Any) -> bool:
    """Whether this is an array in chunks that is to be read block by block.

    >>> is_chunked(np.zeros((2, 2))), is_chunked([1, 2])
    (False, False)
    """
    if isinstance(value, np.ndarray | list | tuple | Mapping | str):
        return False
    held = _unwrapped(value)
    if isinstance(held, np.ndarray):  # of xarray, in memory: its dimensions have names
        return True
    kind = type(value)
    in_chunks = hasattr(kind, "chunks") or hasattr(kind, "chunk_layout") or hasattr(value, "chunks")
    return in_chunks and all(hasattr(value, name) for name in ("shape", "dtype", "__getitem__"))


def _unwrapped(value: Any) -> Any:
    """The array that a DataArray of xarray holds."""
    return value.data if _names_of_dimensions(value) is not None and hasattr(value, "data") else value


def _names_of_dimensions(value: Any) -> tuple[Any, ...] | None:
    """What xarray calls them; h5py has ``dims`` that are no names."""
    dims = getattr(value, "dims", None)
    return dims if isinstance(dims, tuple) else None


class ChunkedArray:
    """An array in chunks: its shape, and any block of it as an array in memory."""

    def __init__(self, array: Any, what: str) -> None:
        self.dims = _names_of_dimensions(array)
        self.array, self.what = _unwrapped(array), what
        self.shape = tuple(int(length) for length in self.array.shape)
        dtype = getattr(self.array.dtype, "numpy_dtype", self.array.dtype)
        if np.dtype(dtype).kind not in "iub":
            raise LabelError(
                f"{what} is an array in chunks of {np.dtype(dtype)} (shape {self.shape}); a label image "
                "holds integers: convert it, or segment it first"
            )

    @property
    def chunk(self) -> tuple[int, ...]:
        """The shape of its largest chunk, or of the shard that holds several; whole where there are none."""
        layout = getattr(self.array, "chunk_layout", None)
        if layout is not None:
            chunks = layout.read_chunk.shape
        else:
            chunks = getattr(self.array, "shards", None) or getattr(self.array, "chunks", None)
        if chunks is None or len(chunks) != len(self.shape):
            return tuple(1 for _ in self.shape)
        return tuple(int(max(each)) if isinstance(each, tuple) else int(each or 1) for each in chunks)

    def read(self, block: Block) -> NDArray[Any]:
        """A block, which must have the shape that was asked for."""
        try:
            part = self.array[block]
            part = part.read().result() if hasattr(part, "read") and hasattr(part, "chunk_layout") else part
            labels = np.asarray(part)
        except Exception as error:  # whatever the library raises that reads and decodes
            raise InputError(
                f"{self.what}: the block {_spelled(block)} cannot be read: {type(error).__name__}: {error}"
            ) from error
        expected = tuple(each.stop - each.start for each in block)
        if labels.shape != expected:
            raise ShapeError(
                f"{self.what}: the block {_spelled(block)} came with the shape {labels.shape} instead of "
                f"{expected}; the array does not have the shape {self.shape} that it says"
            )
        return labels


def _spelled(block: Block) -> str:
    return f"[{', '.join(f'{each.start}:{each.stop}' for each in block)}]"


def in_blocks(
    u: ChunkedArray,
    v: ChunkedArray,
    where: Any,
    threads: int,
    count: Callable[[NDArray[Any], NDArray[Any]], Made],
) -> Iterator[Made]:
    """What ``count`` makes of each block of both; so many blocks are in memory as there are threads."""
    _check_shapes(u, v, where)

    def counted(block: Block) -> Made:
        labels_u, labels_v = u.read(block), v.read(block)
        if where is not None:
            mask = np.asarray(where[block])
            labels_u, labels_v = labels_u[mask], labels_v[mask]
        return count(labels_u, labels_v)

    waiting: deque[Future[Made]] = deque()
    with ThreadPoolExecutor(threads) as team:
        try:
            for block in blocks(u.shape, u.chunk, v.chunk):
                waiting.append(team.submit(counted, block))
                if len(waiting) > threads:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            team.shutdown(wait=False, cancel_futures=True)  # as after Ctrl-C


def _check_shapes(u: ChunkedArray, v: ChunkedArray, where: Any) -> None:
    if u.shape != v.shape:
        raise ShapeError(
            f"{u.what} has the shape {u.shape} and {v.what} {v.shape}; images are compared voxel by voxel "
            "and never broadcast, so give both the same shape"
        )
    if u.dims is not None and v.dims is not None and u.dims != v.dims:
        raise ShapeError(f"{u.what} has the dimensions {u.dims} and {v.what} {v.dims}; transpose one of them")
    if where is not None and (tuple(where.shape) != u.shape or np.dtype(where.dtype) != np.bool_):
        raise ShapeError(
            f"where= is a mask of True and False of the shape {u.shape}, not of {where.dtype} of the shape "
            f"{tuple(where.shape)}"
        )


def blocks(shape: tuple[int, ...], one: tuple[int, ...], other: tuple[int, ...]) -> Iterator[Block]:
    """Blocks that span whole chunks of both sides, grown along the last axis first.

    >>> [[(each.start, each.stop) for each in block] for block in blocks((2, 5), (1, 2), (2, 3))]
    [[(0, 2), (0, 5)]]
    """
    lengths = [max(1, x, y) for x, y in zip(one, other, strict=True)]
    for axis in reversed(range(len(shape))):
        room = max(1, _BLOCK // max(1, prod(lengths)))
        lengths[axis] = min(max(shape[axis], 1), lengths[axis] * room)
    spans = [
        [slice(at, min(at + length, whole)) for at in range(0, whole, length)]
        for whole, length in zip(shape, lengths, strict=True)
    ]
    return product(*spans)
