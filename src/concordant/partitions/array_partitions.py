"""Partitions of labels in arrays that are counted where they are: on a GPU, or in chunks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from concordant.counts.conventions import NoiseAs, check_noise
from concordant.counts.spelling import counted
from concordant.errors import kind_of
from concordant.partitions.partition import Partition


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class DevicePartition(Partition):
    """Labels on a GPU: an array of CuPy, PyTorch or JAX, or a column of cuDF. They are counted there."""

    way_to_memory: ClassVar[str] = "copy it to the host"

    array: Any
    what: str = "the labels"
    noise: Any = None
    noise_as: NoiseAs | None = None

    def __post_init__(self) -> None:
        check_noise(self.noise, self.noise_as)

    @property
    def index(self) -> Any:
        """The index of a column of cuDF; arrays have none."""
        index = getattr(self.array, "index", None)
        return None if callable(index) else index

    def __len__(self) -> int:
        return int(np.prod(self.array.shape, dtype=object))

    def __repr__(self) -> str:
        kind = type(self.array)
        return (
            f"DevicePartition({counted(len(self), 'label')} of a {kind.__module__.partition('.')[0]} "
            f"{kind.__name__} on a GPU)"
        )


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ChunkedPartition(Partition):
    """Labels in an array of Zarr, HDF5, Dask, xarray or TensorStore, which is read block by block."""

    way_to_memory: ClassVar[str] = (
        "read it first, as in array[...], or compare two arrays in chunks with compare()"
    )

    array: Any

    def __len__(self) -> int:
        return int(np.prod(self.array.shape, dtype=object))

    def __repr__(self) -> str:
        return f"ChunkedPartition({kind_of(self.array)} of shape {tuple(self.array.shape)})"
