"""Labels on a GPU, recognised without importing any library that holds them."""

from __future__ import annotations

from typing import Any

import numpy as np

_CUDA = (2, 13)  # device types of DLPack: memory of a device, and managed memory


def is_on_device(value: Any) -> bool:
    """Whether these are labels in the memory of a GPU that CUDA drives.

    Arrays of CuPy, PyTorch and JAX are recognised by DLPack, others by ``__cuda_array_interface__``; a
    column of cuDF is always on a GPU. None of these libraries is imported.

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
        except (BufferError, RuntimeError, TypeError, ValueError):  # deleted, or on several devices
            return False  # reading it as an array reports what is wrong with it
    return hasattr(kind, "__cuda_array_interface__") and hasattr(value, "__cuda_array_interface__")
