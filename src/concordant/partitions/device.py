"""Arrays on a GPU: how one is told from an array in memory, without importing the library that made it."""

from __future__ import annotations

from typing import Any

import numpy as np

_CUDA = (2, 13)  # as DLPack numbers them: memory of a device, and managed memory

# What arrays raise that cannot say where they lie: deleted ones, and those that lie on several devices.
_UNTOLD = (BufferError, RuntimeError, TypeError, ValueError)


def is_on_device(value: Any) -> bool:
    """Whether these are labels in the memory of a GPU that CUDA drives.

    Arrays of CuPy, PyTorch and JAX tell by DLPack, others by ``__cuda_array_interface__``; a column of cuDF
    is always there.

    >>> is_on_device(np.arange(3)), is_on_device([0, 0, 1])
    (False, False)
    """
    if isinstance(value, (np.ndarray, list, tuple)):
        return False
    kind = type(value)
    if kind.__module__.partition(".")[0] == "cudf":
        return hasattr(value, "dtype")
    if hasattr(kind, "__dlpack_device__"):
        try:
            return value.__dlpack_device__()[0] in _CUDA
        except _UNTOLD:
            return False  # reading it as an array says what is wrong with it
    return hasattr(kind, "__cuda_array_interface__") and hasattr(value, "__cuda_array_interface__")
