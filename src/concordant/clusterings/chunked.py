"""Chunked arrays: Zarr, HDF5, Dask, xarray and TensorStore, read block by block.

None of these libraries is imported: an array is recognised by its shape, dtype, slices and chunks. A block
spans whole chunks of both sides, so each chunk is read once.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from concordant.clusterings.detect import array_in, names_of_dimensions
from concordant.errors import InputError, LabelError, ParameterError, ShapeError, TooLargeError, kind_of
from concordant.foundation.conventions import Progress

if TYPE_CHECKING:
    from concurrent.futures import Future
    from queue import SimpleQueue

Made = TypeVar("Made")
Block = tuple[slice, ...]

_BLOCK = 2**22  # voxels of a block, unless one chunk has more
_MEMORY = 2**29  # bytes that the blocks of all threads may take, unless one chunk of each side takes more
_MOST_BLOCKS = 2**24  # a shape with more is a mistake, or needs another method
THREAD_NAME = "concordant-block"
_PAUSE = 0.5  # seconds between two checks for Ctrl-C on systems where it does not interrupt waiting


class ChunkedArray:
    """An array in chunks: its shape, and any block of it as an array in memory."""

    dims: tuple[Any, ...] | None
    array: Any
    what: str
    kinds: str
    shape: tuple[int, ...]
    dtype: np.dtype[Any]

    def __init__(self, array: Any, what: str, kinds: str = "iub") -> None:
        self.dims = names_of_dimensions(array)
        self.array, self.what, self.kinds = array_in(array), what, kinds
        shape = _told(self.array, "shape", what)
        lengths = tuple(shape) if isinstance(shape, Sequence) else (None,)
        if not hasattr(self.array, "shape"):
            raise ShapeError(f"{what} is {kind_of(self.array)}; pass an array, which has a shape")
        if not all(isinstance(each, int | np.integer) and each >= 0 for each in lengths):
            raise ShapeError(
                f"{what} is {kind_of(self.array)} of the shape {shape}; all of its lengths must be known "
                "before it is read: for Dask, call compute_chunk_sizes()"
            )
        if not lengths:
            raise ShapeError(
                f"{what} is {kind_of(self.array)} of no dimensions, a single value; pass an array of labels"
            )
        self.shape = tuple(map(int, lengths))
        dtype = _told(self.array, "dtype", what)
        try:
            self.dtype = np.dtype(getattr(dtype, "numpy_dtype", dtype) if dtype is not None else "O")
        except TypeError as error:
            raise LabelError(
                f"{what} is {kind_of(self.array)} of {dtype}, which NumPy does not know; a label image has "
                "integers"
            ) from error
        self.check_kind(self.dtype)

    def check_kind(self, dtype: np.dtype[Any]) -> None:
        """Refuse values that are neither integers nor booleans; in a mask, all but booleans."""
        if dtype.kind in self.kinds:
            return
        if self.kinds == "b":
            raise ParameterError(f"{self.what} is a mask of True and False, not of {dtype}")
        raise LabelError(
            f"{self.what} is a chunked array of {dtype} (shape {self.shape}); a label image "
            "has integers: convert it, or segment it first"
        )

    @property
    def chunk(self) -> tuple[int, ...]:
        """The shape of its largest chunk, or of the shard that holds several; 1 each if unknown."""
        chunks = self._chunks()
        if not isinstance(chunks, Sequence) or len(chunks) != len(self.shape):
            return tuple(1 for _ in self.shape)
        lengths = [max(each, default=1) if isinstance(each, tuple | list) else each for each in chunks]
        told = [int(length) if isinstance(length, int | np.integer) else 1 for length in lengths]
        return tuple(
            min(max(1, length), max(1, whole)) for length, whole in zip(told, self.shape, strict=True)
        )

    def _chunks(self) -> Any:
        layout = getattr(self.array, "chunk_layout", None)
        if layout is not None:
            return layout.read_chunk.shape
        try:
            return getattr(self.array, "shards", None) or getattr(self.array, "chunks", None)
        except NotImplementedError:  # of Zarr, for chunks that have no common shape
            return None

    def read(self, block: Block) -> NDArray[Any]:
        """A block, which must have the shape that was asked for."""
        try:
            part = self.array[block]
            part = part.read().result() if hasattr(part, "read") and hasattr(part, "chunk_layout") else part
            labels = np.asarray(part)
        except Exception as error:  # any error of the library that reads and decodes
            raise InputError(
                f"{self.what}: the block {_spelled(block)} cannot be read: {type(error).__name__}: {error}"
            ) from error
        expected = tuple(each.stop - each.start for each in block)
        if labels.shape != expected:
            raise ShapeError(
                f"{self.what}: the block {_spelled(block)} has the shape {labels.shape} instead of "
                f"{expected}; the array does not have the shape {self.shape} that it declares"
            )
        if np.ma.isMaskedArray(part) and np.ma.getmaskarray(part).any():
            raise LabelError(
                f"{self.what}: the block {_spelled(block)} has voxels that are masked out; pass where=, or "
                "fill them with a label"
            )
        self.check_kind(labels.dtype)
        return labels


def _told(array: Any, name: str, what: str) -> Any:
    """The array's own declaration; None if there is none."""
    try:
        return getattr(array, name, None)
    except (RuntimeError, OSError, ValueError) as error:  # of a file that was closed, or is gone
        raise InputError(f"{what}: its {name} cannot be read: {type(error).__name__}: {error}") from error


def _spelled(block: Block) -> str:
    return f"[{', '.join(f'{each.start}:{each.stop}' for each in block)}]"


class BlockGrid:
    """The blocks of two arrays of one shape, and of the mask of the voxels to compare.

    The blocks depend only on shapes and chunks, so several jobs agree on them.
    """

    u: ChunkedArray
    v: ChunkedArray
    where: ChunkedArray | None
    blocks: list[Block]

    def __init__(self, reference: Any, candidate: Any, where: Any = None) -> None:
        u, v = ChunkedArray(reference, "the reference"), ChunkedArray(candidate, "the candidate")
        self.u, self.v = u, v
        self.where = None if where is None else ChunkedArray(where, "where=", "b")
        if u.shape != v.shape:
            raise ShapeError(
                f"{u.what} has the shape {u.shape} and {v.what} {v.shape}; images are compared voxel by "
                "voxel and never broadcast, so give both the same shape"
            )
        if u.dims is not None and v.dims is not None and u.dims != v.dims:
            raise ShapeError(
                f"{u.what} has the dimensions {u.dims} and {v.what} {v.dims}; transpose one of them"
            )
        if self.where is not None and self.where.shape != u.shape:
            raise ShapeError(
                f"the mask where= has the shape {self.where.shape}, and the labels have {u.shape}"
            )
        self.blocks = list(blocks(u.shape, u.chunk, v.chunk))

    def each(
        self,
        count: Callable[[NDArray[Any], NDArray[Any]], Made],
        threads: int,
        progress: Progress | None = None,
    ) -> Iterator[Made]:
        """The result of ``count`` for each block, in order; at most one block per thread is in memory."""
        widest = max((prod(each.stop - each.start for each in block) for block in self.blocks), default=1)
        room = _MEMORY // max(1, widest * (self.u.dtype.itemsize + self.v.dtype.itemsize))
        if not threads:  # as many as the process may use
            allowed = (
                len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
            )
            threads = int(os.environ.get("CONCORDANT_THREADS", allowed))
        from concurrent.futures import wait  # imported here to keep `import concordant` fast

        waiting: deque[Future[Made]] = deque()
        done = 0
        with _Team(max(1, min(threads, room, len(self.blocks))), self._counted(count)) as team:
            ahead = iter(self.blocks)
            while True:
                for block in ahead:
                    waiting.append(team.submit(block))
                    if len(waiting) > team.size:
                        break
                if not waiting:
                    return
                first = waiting.popleft()
                while not wait([first], timeout=_PAUSE).done:
                    pass
                yield first.result()
                done += 1
                if progress is not None:
                    progress(done, len(self.blocks))

    def _counted(self, count: Callable[[NDArray[Any], NDArray[Any]], Made]) -> Callable[[Block], Made]:
        def counted(block: Block) -> Made:
            labels = self.u.read(block), self.v.read(block)
            if self.where is None:
                return count(*labels)
            mask = self.where.read(block)
            return count(labels[0][mask], labels[1][mask])

        return counted


class _Team(Generic[Made]):
    """Threads that work on blocks. After Ctrl-C, each ends after its current block; no one waits for them."""

    def __init__(self, size: int, work: Callable[[Block], Made]) -> None:
        from queue import SimpleQueue  # rarely needed
        from threading import Thread

        self.size, self._work, self._is_over = size, work, False
        self._waiting: SimpleQueue[tuple[Block, Future[Made]] | None] = SimpleQueue()
        self._threads = [
            Thread(target=self._serve, name="concordant-block", daemon=True) for _ in range(size)
        ]

    def __enter__(self) -> Self:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self._is_over = True
        for _thread in self._threads:
            self._waiting.put(None)
        if kind is None:
            for thread in self._threads:
                thread.join()

    def submit(self, block: Block) -> Future[Made]:
        from concurrent.futures import Future  # imported here to keep `import concordant` fast

        future: Future[Made] = Future()
        self._waiting.put((block, future))
        return future

    def _serve(self) -> None:
        while (task := self._waiting.get()) is not None and not self._is_over:
            block, future = task
            try:
                future.set_result(self._work(block))
            except BaseException as error:  # noqa: BLE001  (raised again by the one that waits)
                future.set_exception(error)
            del task, block, future  # so nothing is held while waiting for the next


def blocks(shape: tuple[int, ...], one: tuple[int, ...], other: tuple[int, ...]) -> Iterator[Block]:
    """Blocks that span whole chunks of both sides, grown along the last axis first.

    >>> [[(each.start, each.stop) for each in block] for block in blocks((2, 5), (1, 2), (2, 3))]
    [[(0, 2), (0, 5)]]
    """
    lengths = [max(1, x, y) for x, y in zip(one, other, strict=True)]
    for axis in reversed(range(len(shape))):
        room = max(1, _BLOCK // max(1, prod(lengths)))
        lengths[axis] = min(max(shape[axis], 1), lengths[axis] * room)
    many = prod(-(-whole // length) for whole, length in zip(shape, lengths, strict=True))
    if many > _MOST_BLOCKS:
        raise TooLargeError(
            f"arrays of the shape {shape} have {many:,} blocks to count; compare one slab of them after the "
            "other, and add them up with Live"
        )
    spans = [
        [slice(at, min(at + length, whole)) for at in range(0, whole, length)]
        for whole, length in zip(shape, lengths, strict=True)
    ]
    return product(*spans)
