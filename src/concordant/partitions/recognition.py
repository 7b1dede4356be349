"""The kind of object that a user passed, found by its attributes and its type.

No library is imported for this: someone who passes an array of PyTorch has imported it already. Everything
that asks for the kind of an input asks here; ``inputs`` makes a partition of it.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
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


def is_chunked(value: Any) -> bool:
    """Whether this is an array in chunks that is to be read block by block.

    >>> is_chunked(np.zeros((2, 2))), is_chunked([1, 2])
    (False, False)
    """
    if isinstance(value, np.ndarray | list | tuple | Mapping | str):
        return False
    held = array_in(value)
    if isinstance(held, np.ndarray):  # of xarray, in memory: its dimensions have names
        return True
    in_chunks = _has(value, "chunks") or _has(value, "chunk_layout")
    return in_chunks and all(_has(value, name) for name in ("shape", "dtype", "__getitem__"))


def _has(value: Any, name: str) -> bool:
    """Whether there is such an attribute; checks the type first, because a closed file raises."""
    return hasattr(type(value), name) or hasattr(value, name)


def array_in(value: Any) -> Any:
    """The array that a DataArray of xarray holds."""
    return value.data if names_of_dimensions(value) is not None and hasattr(value, "data") else value


def names_of_dimensions(value: Any) -> tuple[Any, ...] | None:
    """Dimension names in xarray; h5py has ``dims`` that are not names."""
    dims = getattr(value, "dims", None)
    return dims if isinstance(dims, tuple) else None


def are_clusters(value: Any) -> bool:
    if isinstance(value, (list, tuple)):
        return bool(value) and isinstance(value[0], (set, frozenset))
    is_set = isinstance(value, (set, frozenset))
    return is_set and bool(value) and all(isinstance(cluster, frozenset) for cluster in value)


def has_observations(holder: Any) -> bool:
    """Whether this is AnnData or looks like it: a table of cells, with labels in ``obs``.

    Dataframes have their columns as attributes, and some accept any attribute name; these do not count.
    """
    is_attribute = hasattr(type(holder), "obs") or "obs" in getattr(holder, "__dict__", ())
    return is_attribute and hasattr(holder, "obs_names")


def are_paths(source: Any) -> bool:
    listed = source if isinstance(source, list | tuple) else [source]
    return bool(listed) and all(isinstance(each, str | os.PathLike) for each in listed)
