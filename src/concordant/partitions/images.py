"""Label images: arrays of several dimensions, whose elements are voxels and go by their coordinates.

An image is walked in the order in which memory holds it, so that one in Fortran's order is read as fast as
one in C's. Two images are compared voxel by voxel, whatever their orders; their shapes have to be equal.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray


class Coordinates:
    """The coordinates of the voxels of an image, in the order in which its labels lie.

    >>> Coordinates((2, 3), (0, 1))[4], Coordinates((2, 3), (1, 0))[4]
    ((1, 1), (0, 2))
    """

    axes: tuple[int, ...]
    shape: tuple[int, ...]

    __slots__ = ("axes", "shape")

    def __init__(self, shape: tuple[int, ...], axes: tuple[int, ...] | None = None) -> None:
        self.shape = shape
        self.axes = tuple(range(len(shape))) if axes is None else axes  # the one that changes last first

    def __len__(self) -> int:
        return prod(self.shape)

    def __getitem__(self, position: int) -> tuple[int, ...]:
        found = [0] * len(self.shape)
        for axis in reversed(self.axes):
            position, found[axis] = divmod(int(position), self.shape[axis])
        return tuple(found)

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        return map(self.__getitem__, range(len(self)))

    def equals(self, other: object) -> bool:
        """Whether the other has the same coordinates in the same order."""
        return isinstance(other, Coordinates) and (self.shape, self.axes) == (other.shape, other.axes)

    def flat(self, image: NDArray[Any]) -> NDArray[Any]:
        """The voxels of an image of this shape, in this order; without a copy where they lie so."""
        return image.transpose(self.axes).reshape(-1)

    def image(self, flat: NDArray[Any]) -> NDArray[Any]:
        """The image whose voxels lie in this order."""
        laid = flat.reshape([self.shape[axis] for axis in self.axes])
        return laid.transpose(np.argsort(self.axes))


def coordinates_of(image: NDArray[Any]) -> Coordinates:
    """The coordinates in the order in which memory holds the image; in C's order where it has gaps.

    >>> coordinates_of(np.zeros((2, 3), order="F")).axes
    (1, 0)
    """
    axes = tuple(sorted(range(image.ndim), key=lambda axis: -image.strides[axis]))
    gapless = image.flags.c_contiguous or not image.transpose(axes).flags.c_contiguous
    return Coordinates(image.shape, None if gapless else axes)
