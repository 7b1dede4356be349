"""Label images: arrays of several dimensions whose elements are voxels."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant import core
from concordant.clusterings.labels import Coordinates, labels_at
from concordant.foundation.conventions import Conventions, LabelTreatment, SideName


class LabelImage:
    """One side: a number for each voxel, and the label that each number represents.

    Voxels that are not part of an object, because of the mask or their label, have the number -1. The numbers
    are those of every voxel, or along each axis of every second one, every third one, ...: of each ``step``.

    >>> image = LabelImage(np.array([5, 5, 9, 0]), Coordinates((2, 2)), None, {0: "background"})
    >>> image.numbers.tolist(), image.number(9), image.number(0)
    ([[0, 0], [1, -1]], 1, None)
    """

    def __init__(
        self,
        labels: Any,
        coordinates: Coordinates,
        where: NDArray[np.bool_] | None,
        policy: Mapping[Any, LabelTreatment] | None,
        step: int = 1,
    ) -> None:
        self.shape, self.step = coordinates.shape, step
        if step > 1:  # a copy
            labels = np.array(coordinates.image(np.asarray(labels))[self.shown])
            coordinates, labels = Coordinates(labels.shape), labels.reshape(-1)
        self._labels, self._coordinates, self._where = labels, coordinates, where
        self._no_objects = [label for label, each in (policy or {}).items() if each in ("background", "drop")]

    @cached_property
    def _numbered(self) -> tuple[NDArray[np.int64], dict[Any, int]]:
        which, first = core.factorize(np.asarray(getattr(self._labels, "codes", self._labels)))
        labels = labels_at(self._labels, first)
        numbers = {label: number for number, label in enumerate(labels)}
        for label in self._no_objects:
            which[which == numbers.pop(label, -1)] = -1
        image = self._coordinates.image(which)
        return (image if self._where is None else np.where(self._where[self.shown], image, -1)), numbers

    @property
    def shown(self) -> tuple[slice, ...]:
        """The voxels that have numbers, as an index of the whole image."""
        return (slice(None, None, self.step),) * len(self.shape)

    @property
    def numbers(self) -> NDArray[np.int64]:
        """The number of the cluster of each voxel."""
        return self._numbered[0]

    def number(self, label: Any) -> int | None:
        """The number of a label; None where no object has it."""
        return self._numbered[1].get(label)


LabelImages = Mapping[SideName, LabelImage]  # of both sides, of one shape


def label_images(
    elements: tuple[Any, Any], labels: tuple[Any, Any], conventions: Conventions, step: int = 1
) -> LabelImages | None:
    """The images of labels, which are our own copies unless a step leaves some out; None if they are none."""
    if not are_images(elements):
        return None
    where = conventions.where
    mask = None if where is None else np.array(where, dtype=np.bool_)  # a copy: the caller may change it
    return {
        "reference": LabelImage(labels[0], elements[0], mask, conventions.reference_noise, step),
        "candidate": LabelImage(labels[1], elements[1], mask, conventions.candidate_noise, step),
    }


def are_images(elements: tuple[Any, Any]) -> bool:
    """Whether the labels of both were arrays with several dimensions."""
    return isinstance(elements[0], Coordinates) and isinstance(elements[1], Coordinates)
