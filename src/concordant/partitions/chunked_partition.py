"""A partition whose labels lie in an array in chunks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, NoReturn

import numpy as np

from concordant.counts.conventions import Conventions
from concordant.errors import InputError
from concordant.partitions.chunked import is_chunked
from concordant.partitions.partition import Partition


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ChunkedPartition(Partition):
    """Labels in an array of Zarr, HDF5, Dask, xarray or TensorStore, which is read block by block."""

    is_in_memory: ClassVar[bool] = False

    array: Any

    def __getattr__(self, name: str) -> NoReturn:
        """What partitions in memory have, and this one would have only there."""
        if name not in Partition.__slots__:
            raise AttributeError(name)
        raise InputError(
            f"{self!r} is not in memory, where this is done; read it first, as in array[...], or compare "
            "two arrays in chunks with compare()"
        )

    def __len__(self) -> int:
        return int(np.prod(self.array.shape, dtype=object))

    def __repr__(self) -> str:
        return f"ChunkedPartition(a {type(self.array).__name__} of shape {tuple(self.array.shape)})"


class ArraysInChunks:
    """The kind of objects that become such partitions."""

    def takes(self, value: Any, /) -> bool:
        return is_chunked(value)

    def partition(self, value: Any, conventions: Conventions, what: str, /) -> Partition:  # noqa: ARG002  (see engines.chunks)
        return ChunkedPartition(value)
