"""A GPU made of NumPy: what CuPy and the kernels do, so that counting is tested where there is no device.

``Kernels`` here gives what those of kernels.cu give. Arrays are NumPy's.
"""

import types

import numpy as np
from inner import SMALL, Window, WindowCounts

SHARED_CELLS = 60


class DeviceArray(np.ndarray):
    """What CuPy makes of an array: one that knows where it begins."""

    @property
    def data(self):
        return types.SimpleNamespace(ptr=self.ctypes.data)

    @property
    def device(self):
        return types.SimpleNamespace(id=0)


class Borrowed:
    """An array of another library on a device, which has the array interface and nothing else."""

    def __init__(self, array):
        self.array = np.asarray(array)
        self.shape, self.dtype = self.array.shape, self.array.dtype

    @property
    def __cuda_array_interface__(self):
        return {
            "shape": self.shape,
            "typestr": self.dtype.str,
            "data": (self.array.ctypes.data, False),
            "strides": self.array.strides,
            "version": 3,
        }

    def __getitem__(self, key):
        return Borrowed(self.array[key])


class Context:
    id, ptr = 0, 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass


class OutOfMemoryError(MemoryError):
    pass


class CUDARuntimeError(RuntimeError):
    pass


class EmulatedCuPy(types.ModuleType):
    """The part of CuPy that the engine uses; ``memory`` is how many bytes are free."""

    def __init__(self, memory=2**40):
        super().__init__("cupy")
        self.ndarray = DeviceArray
        runtime = types.SimpleNamespace(
            CUDARuntimeError=CUDARuntimeError,
            pointerGetAttributes=lambda place: types.SimpleNamespace(type=2 if place else 0, device=0),
            getDevice=lambda: 0,
            memGetInfo=lambda: (memory, memory),
        )
        self.cuda = types.SimpleNamespace(
            memory=types.SimpleNamespace(OutOfMemoryError=OutOfMemoryError),
            runtime=runtime,
            driver=types.SimpleNamespace(CUDADriverError=type("CUDADriverError", (RuntimeError,), {})),
            Device=lambda _: Context(),
            get_current_stream=Context,
        )
        pool = types.SimpleNamespace(free_bytes=lambda: 0, free_all_blocks=lambda: None)
        self.get_default_memory_pool = lambda: pool

    def asarray(self, array, dtype=None):
        given = array.array if isinstance(array, Borrowed) else array
        return np.asarray(given, dtype=dtype).view(DeviceArray)

    def from_dlpack(self, array):
        return self.asarray(array)

    def ascontiguousarray(self, array):
        return np.ascontiguousarray(array).view(DeviceArray)

    def asnumpy(self, array):
        return np.asarray(array)

    def __getattr__(self, name):
        return getattr(np, name)


class Kernels:
    """The kernels, each written in the plainest way."""

    shared_cells = SHARED_CELLS

    def __init__(self):
        self.memory = np.inf  # elements that can be sorted at once

    def extremes(self, u, v):
        return tuple(int(x) for each in (u, v) for x in (each.min(), each.max()))

    def shared(self, u, v, step, look_ahead):
        window = self._guess(u[::step], v[::step], 3 if step > 1 else 0)
        if window.cells > self.shared_cells:
            return None
        table, strays = self._table(u, v, window)
        first = np.zeros(window.rows, dtype="u8"), np.zeros(window.columns, dtype="u8")
        for labels, lowest, places in ((u, window.u_lowest, first[0]), (v, window.v_lowest, first[1])):
            self.first_places(labels, 0, look_ahead, lowest, places)
        dense = np.asarray(table).reshape(window.rows, window.columns)
        lines = zip((dense.sum(axis=1), dense.sum(axis=0)), first, strict=True)
        unseen = sum(int(((sizes > 0) & (places == 0)).sum()) for sizes, places in lines)
        told = dense.view(np.int64), *first
        return WindowCounts(window, strays, self.squares(table, window), unseen, lambda: told)

    def _guess(self, u, v, slack):
        lows = [max(int(np.iinfo(each.dtype).min), int(each.min()) - slack) for each in (u, v)]
        highs = [min(int(np.iinfo(each.dtype).max), int(each.max()) + slack) for each in (u, v)]
        return Window(*lows, highs[0] - lows[0] + 1, highs[1] - lows[1] + 1)

    def table(self, u, v, window):
        return self._table(u, v, window)

    def squares(self, table, window):
        dense = np.asarray(table).astype(object).reshape(window.rows, window.columns)
        return tuple(int((each**2).sum()) for each in (dense, dense.sum(axis=1), dense.sum(axis=0)))

    def keys(self, u, v, window, shift, with_sizes):
        if len(u) > self.memory:
            raise OutOfMemoryError
        row, column, inside = self._lines(u, v, window)
        sizes = np.zeros(window.columns if with_sizes else 0, dtype="u4")
        if with_sizes:
            np.add.at(sizes, column[inside].astype("i8"), np.uint32(1))
        return row << np.uint64(shift) | column, sizes, int((~inside).sum())

    def first_places(self, labels, begin, end, lowest, first):
        for i, label in enumerate(np.asarray(labels)[begin:end].tolist(), start=begin):
            place = label - lowest
            if 0 <= place < len(first):
                first[place] = max(int(first[place]), 2**64 - 1 - i)

    def triples_of_keys(self, keys, shift, column_sizes):
        assert (keys[1:] >= keys[:-1]).all()
        cells, n = np.unique(keys, return_counts=True)
        rows, row_number = np.unique(cells >> np.uint64(shift), return_inverse=True)
        row_sizes = np.zeros(len(rows), dtype="u8")
        np.add.at(row_sizes, row_number, n.astype("u8"))
        column = (cells & np.uint64((1 << shift) - 1)).astype("i8")
        return self.triples_of_cells(n.astype("u8"), row_sizes[row_number], column_sizes[column].astype("u8"))

    def triples_of_cells(self, n, a, b):
        small = (a < SMALL) & (b < SMALL)
        counts = np.zeros(SMALL**3, dtype="u8")
        np.add.at(counts, ((a * SMALL + b) * SMALL + n)[small].astype("i8"), np.uint64(1))
        return len(n), counts, tuple(each[~small].view(DeviceArray) for each in (n, a, b))

    def _lines(self, u, v, window):
        row = u.astype("u8") - np.uint64(window.u_lowest % 2**64)
        column = v.astype("u8") - np.uint64(window.v_lowest % 2**64)
        return row, column, (row < window.rows) & (column < window.columns)

    def _table(self, u, v, window):
        row, column, inside = self._lines(u, v, window)
        cell = (row * np.uint64(window.columns) + column)[inside].astype("i8")
        return np.bincount(cell, minlength=window.cells).astype("u8").view(DeviceArray), int((~inside).sum())
