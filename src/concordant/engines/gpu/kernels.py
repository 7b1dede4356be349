"""Starts the kernels of kernels.cu: their arguments and results are arrays of CuPy.

NVRTC builds them when they are first used, for the types at hand; CuPy caches the result on disk.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.engines.gpu.device import DeviceArray, explained

SMALL = 24  # as in kernels.cu
_THREADS = 1024
_TRIPLE_BYTES = 4 * SMALL**3
_HEAD = 19  # header before the table, as in kernels.cu
_SHARED_BYTES = 176 << 10  # at most; the rest of what a multiprocessor has serves as its cache
_WIDEST = 8  # labels per read
_L2_COUNTERS = 1 << 22  # so many counters fit into the L2 cache; for more, columns are sorted to be counted
_NOWHERE = np.uint64(0)  # a pointer
_LIST_ROOM = 1 << 22  # initial capacity for triples of large clusters

_NAMES = {
    "i1": "signed char",
    "u1": "unsigned char",
    "i2": "short",
    "u2": "unsigned short",
    "i4": "int",
    "u4": "unsigned int",
    "i8": "long long",
    "u8": "unsigned long long",
}
_COUNTERS = {"u4": "u32", "u8": "u64"}


@dataclass(frozen=True, slots=True)
class Window:
    """Which labels have a row and a column: so many from the lowest of each side on."""

    u_lowest: int
    v_lowest: int
    rows: int
    columns: int

    @property
    def cells(self) -> int:
        return self.rows * self.columns


@dataclass(frozen=True, slots=True)
class WindowCounts:
    """The result of a pass through shared memory; the table stays on the device until it is fetched."""

    window: Window
    strays: int  # labels outside the window; if there are any, nothing else is valid
    squares: tuple[int, int, int]  # sums over cells, rows and columns
    unseen: int  # rows and columns whose first place is not known
    bring: Callable[[], tuple[NDArray[np.int64], NDArray[np.uint64], NDArray[np.uint64]]]
    # copies, once: the table, and the complements of the first places of rows and columns, 0 if not known


# The number of cells; how many have each triple of small sizes; lists of n, a and b with a large size.
TripleCounts = tuple[int, NDArray[np.uint64], tuple[DeviceArray, DeviceArray, DeviceArray]]


class Kernels:
    """The kernels on one device."""

    shared_cells: int

    def __init__(self, cupy: Any, device: int) -> None:
        self._cupy, self._device = cupy, cupy.cuda.Device(device)
        attributes = self._device.attributes
        self._processors = int(attributes["MultiProcessorCount"])
        self._shared_bytes = min(_SHARED_BYTES, int(attributes["MaxSharedMemoryPerBlockOptin"]) - 1024)
        self.shared_cells = self._shared_bytes // 4 - 1  # one more is for strays
        self._ready: dict[tuple[Any, ...], Any] = {}

    def extremes(self, u: DeviceArray, v: DeviceArray) -> tuple[int, int, int, int]:
        """The lowest and the highest label of both sides."""
        told = self._cupy.zeros(4, dtype="u8")
        self._launch_extremes(u, v, 1, told)
        u_high, u_low, v_high, v_low = told.get().tolist()
        mask = 2**64 - 1
        return (
            _from_ordered(u_low ^ mask, u.dtype),
            _from_ordered(u_high, u.dtype),
            _from_ordered(v_low ^ mask, v.dtype),
            _from_ordered(v_high, v.dtype),
        )

    def _launch_extremes(self, u: DeviceArray, v: DeviceArray, step: int, told: DeviceArray) -> None:
        kernel, width = self._typed("extremes", u, v)
        blocks = self._blocks(len(u) // (width * step) + 1, 256, 8)
        kernel((blocks,), (256,), (u, v, np.uint64(len(u)), np.uint64(step), told))

    def shared(self, u: DeviceArray, v: DeviceArray, step: int, look_ahead: int) -> WindowCounts | None:
        """The table in shared memory, for a window estimated from a sample of the labels.

        Its sums of squares come to the host; first places of labels are looked for among the first
        ``look_ahead`` elements. None where the table does not fit.
        """
        room, length = self.shared_cells, np.uint64(len(u))
        told = self._cupy.zeros(_HEAD + room + (room + 1 if look_ahead else 0), dtype="u8")
        self._launch_extremes(u, v, step, told)
        kernel, width = self._typed("count_in_shared", u, v)
        arguments = (u, v, length, np.uint32(step > 1), np.uint32(room), told)
        blocks = self._blocks(len(u) // width + 1, _THREADS, 1)
        kernel((blocks,), (_THREADS,), arguments, shared_mem=self._shared_bytes)
        if look_ahead:
            end = min(look_ahead, len(u))
            kernel, _ = self._typed("first_of_window", u, v)
            kernel((self._blocks(end, 256, 8),), (256,), (u, v, np.uint64(end), np.uint32(room), told))
        squares = _plain_kernel(self._cupy, "squares_of_window")
        squares((4 * self._processors,), (128,), (told, np.uint32(room), np.uint32(look_ahead > 0)))
        return self._shared_counts(told, u.dtype, v.dtype)

    def _shared_counts(self, told: DeviceArray, u_dtype: Any, v_dtype: Any) -> WindowCounts | None:
        head = told[:_HEAD].get()
        u_lowest, v_lowest, rows, columns, strays = head[4:9].tolist()
        if not rows:
            return None
        window = Window(_signed(u_lowest, u_dtype), _signed(v_lowest, v_dtype), rows, columns)

        @cache
        def bring() -> tuple[NDArray[np.int64], NDArray[np.uint64], NDArray[np.uint64]]:
            with explained(self._cupy), self._device:
                table = told[_HEAD : _HEAD + window.cells].get().view(np.int64)
                first = told[_HEAD + self.shared_cells :][: rows + columns].get()
            return table.reshape(rows, columns), first[:rows], first[rows:]

        return WindowCounts(window, strays, _squares(head[9:18]), int(head[18]), bring)

    def table(self, u: DeviceArray, v: DeviceArray, window: Window) -> tuple[DeviceArray, int]:
        """The table in global memory, a row after the other, and how many labels had no place in it."""
        counter = "u4" if len(u) < 2**32 else "u8"
        table = self._cupy.zeros(window.cells, dtype=counter)
        strays = self._cupy.zeros(1, dtype="u8")
        kernel, width = self._typed("count_in_global", u, v, _COUNTERS[counter])
        arguments = (
            u,
            v,
            np.uint64(len(u)),
            *_lowest(window),
            np.uint64(window.rows),
            np.uint64(window.columns),
            table,
            strays,
        )
        kernel((self._blocks(len(u) // width + 1, 512, 4),), (512,), arguments)
        return table, int(strays.get()[0])

    def squares(self, table: DeviceArray, window: Window) -> tuple[int, int, int]:
        """The sums of the squares of the cells, the rows and the columns."""
        sums = self._cupy.zeros(9, dtype="u8")
        kernel = _plain_kernel(self._cupy, f"squares_of_table<{_COUNTERS[table.dtype.str[1:]]}>")
        arguments = (table, np.uint64(window.rows), np.uint64(window.columns), sums)
        kernel((16 * self._processors,), (128,), arguments)
        return _squares(sums.get())

    def keys(
        self, u: DeviceArray, v: DeviceArray, window: Window, shift: int, with_sizes: bool
    ) -> tuple[DeviceArray, DeviceArray, int]:
        """Row and column of each element in one key, the sizes of the columns, and the number of strays."""
        keys = self._cupy.empty(len(u), dtype="u8")
        strays = self._cupy.zeros(1, dtype="u8")
        sizes = self._cupy.zeros(window.columns if with_sizes else 0, dtype="u4")
        listed = with_sizes and _L2_COUNTERS < window.columns <= 2**32
        columns = self._cupy.empty(len(u) if listed else 0, dtype="u4")
        kernel, width = self._typed("make_keys", u, v)
        arguments = (
            u,
            v,
            np.uint64(len(u)),
            *_lowest(window),
            np.uint64(window.rows - 1),
            np.uint64(window.columns - 1),
            np.uint32(shift),
            keys,
            sizes if with_sizes and not listed else _NOWHERE,
            columns if listed else _NOWHERE,
            strays,
        )
        kernel((self._blocks(len(u) // width + 1, 512, 4),), (512,), arguments)
        if listed:
            columns.sort()
            kernel = _plain_kernel(self._cupy, "sizes_of_columns")
            given = (columns, np.uint64(len(u)), np.uint64(window.columns), sizes)
            kernel((self._blocks(len(u), 512, 16),), (512,), given)
        return keys, sizes, int(strays.get()[0])

    def first_places(
        self, labels: DeviceArray, begin: int, end: int, lowest: int, first: DeviceArray
    ) -> None:
        """Note in ``first`` the complement of the place where each label first appears."""
        kernel = _plain_kernel(self._cupy, f"first_places<{_NAMES[labels.dtype.str[1:]]}>")
        ends = np.uint64(begin), np.uint64(min(end, len(labels)))
        arguments = (labels, *ends, np.uint64(lowest % 2**64), np.uint64(len(first)), first)
        kernel((self._blocks(min(end, len(labels)) - begin, 256, 8),), (256,), arguments)

    def triples_of_keys(self, keys: DeviceArray, shift: int, column_sizes: DeviceArray) -> TripleCounts:
        """The triples of sorted keys."""
        given = keys, np.uint64(len(keys)), np.uint32(shift), column_sizes
        return self._triples("profile_of_keys", given, len(keys), tells_cells=True)

    def triples_of_cells(self, n: DeviceArray, a: DeviceArray, b: DeviceArray) -> TripleCounts:
        """The triples of cells with these overlaps and sizes."""
        return self._triples("profile_of_cells", (n, a, b, np.uint64(len(n))), len(n), tells_cells=False)

    def _triples(self, name: str, given: tuple[Any, ...], length: int, *, tells_cells: bool) -> TripleCounts:
        kernel = _plain_kernel(self._cupy, name)
        kernel.max_dynamic_shared_size_bytes = _TRIPLE_BYTES
        room = min(length, _LIST_ROOM)
        while True:
            counts = self._cupy.zeros(2 + SMALL**3, dtype="u8")
            lists = [self._cupy.empty(room, dtype="u8") for _ in range(3)]
            cells, listed, small = counts[0:1], counts[1:2], counts[2:]
            arguments = (*given, *((cells,) if tells_cells else ()), small, listed, *lists, np.uint64(room))
            blocks = self._blocks(length, _THREADS, 2)
            kernel((blocks,), (_THREADS,), arguments, shared_mem=_TRIPLE_BYTES)
            on_host = counts.get()
            needed = int(on_host[1])
            if needed <= room:
                n, a, b = (each[:needed] for each in lists)
                return (int(on_host[0]) if tells_cells else length), on_host[2:], (n, a, b)
            room = needed

    def _typed(self, name: str, u: DeviceArray, v: DeviceArray, *more: str) -> tuple[Any, int]:
        """The kernel for labels of these types, and the number of labels per read."""
        # As many labels as fit into 16 bytes, or the widest pack; 1 if an array begins inside a pack.
        width = min(_WIDEST, 16 // max(u.dtype.itemsize, v.dtype.itemsize))
        if any(labels.data.ptr % (width * labels.dtype.itemsize) for labels in (u, v)):
            width = 1
        key = name, u.dtype.char, v.dtype.char, width, more
        kernel = self._ready.get(key)
        if kernel is None:
            kernel = _typed_kernel(self._cupy, name, (u.dtype.str, v.dtype.str), width, more)
            self._ready[key] = kernel
            if name == "count_in_shared":
                kernel.max_dynamic_shared_size_bytes = self._shared_bytes
        return kernel, width

    def _blocks(self, threads: int, each: int, waves: int) -> int:
        return max(1, min(self._processors * waves, -(-threads // each)))


@cache
def kernels_on(cupy: Any, device: int) -> Kernels:
    """The kernels on this device, built once."""
    return Kernels(cupy, device)


@cache
def _typed_kernel(cupy: Any, name: str, dtypes: tuple[str, str], width: int, more: tuple[str, ...]) -> Any:
    labels = ", ".join(_NAMES[each[1:]] for each in dtypes)
    own = labels if name == "first_of_window" else ", ".join([labels, str(width), *more])
    # Most calls need these, and building them together takes less time.
    small = (
        f"extremes<{labels}, {width}>",
        f"count_in_shared<{labels}, {width}>",
        f"first_of_window<{labels}>",
    )
    kernel = f"{name}<{own}>"
    return _module(cupy, small if kernel in small else (kernel,)).get_function(kernel)


@cache
def _plain_kernel(cupy: Any, name: str) -> Any:
    return _module(cupy, (name,)).get_function(name)


@cache
def _module(cupy: Any, built: tuple[str, ...]) -> Any:
    code = Path(__file__).with_name("kernels.cu").read_text(encoding="utf-8")
    return cupy.RawModule(code=code, options=("-std=c++17",), name_expressions=built)


def _lowest(window: Window) -> tuple[np.uint64, np.uint64]:
    return np.uint64(window.u_lowest % 2**64), np.uint64(window.v_lowest % 2**64)


def _from_ordered(bits: int, dtype: Any) -> int:
    return bits - 2**63 if dtype.kind == "i" else bits


def _signed(bits: int, dtype: Any) -> int:
    return bits - 2**64 if dtype.kind == "i" and bits >= 2**63 else bits


def _squares(parts: NDArray[np.uint64]) -> tuple[int, int, int]:
    low, middle, high = parts.reshape(3, 3).T.tolist()
    cells, rows, columns = (x + (y << 32) + (z << 64) for x, y, z in zip(low, middle, high, strict=True))
    return cells, rows, columns
