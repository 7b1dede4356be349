"""Two sides element by element, and what is left of them without dropped noise."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from concordant import core
from concordant.partitions.labels import Codes

DroppedCodes = tuple[int | None, int | None]  # of each side, None where nothing is dropped
NONE_DROPPED: Final[DroppedCodes] = (None, None)


class SideBySide(Protocol):
    """The codes of two sides for the same elements, and their positions in what was handed over."""

    @property
    def reference(self) -> Codes: ...
    @property
    def candidate(self) -> Codes: ...
    @property
    def reference_position(self) -> NDArray[np.int64] | None: ...
    @property
    def candidate_position(self) -> NDArray[np.int64] | None: ...


class WithoutDropped:
    """Two sides without the elements that have a dropped code, sorted out when somebody asks for them."""

    def __init__(self, sides: SideBySide, dropped: DroppedCodes) -> None:
        self._sides, self._dropped = sides, dropped

    @cached_property
    def reference_position(self) -> NDArray[np.int64]:
        sides = self._sides.reference, self._sides.candidate
        keep = np.ones(len(sides[0]), dtype=bool)
        for codes, dropped in zip(sides, self._dropped, strict=True):
            if dropped is not None:
                keep &= codes != dropped
        return np.flatnonzero(keep)

    @property
    def candidate_position(self) -> NDArray[np.int64]:
        return self.reference_position

    @cached_property
    def reference(self) -> Codes:
        return self._sides.reference[self.reference_position]

    @cached_property
    def candidate(self) -> Codes:
        return self._sides.candidate[self.reference_position]


class PlacedLabels:
    """The label of each element by the place of its cell, which takes less memory than wide labels.

    >>> labels = PlacedLabels(np.array([0, 0, 2, 1]), np.array([7 * 10**17, 5, 5]))
    >>> labels[0], labels[2], labels.codes.tolist(), labels.code_of(5)
    (700000000000000000, 5, [0, 0, 1, 1], 1)
    """

    def __init__(self, place: NDArray[Any], by_cell: NDArray[Any]) -> None:
        self._place, self._by_cell = place, by_cell

    def __len__(self) -> int:
        return len(self._place)

    def __getitem__(self, position: int, /) -> Any:
        return self._by_cell[self._place[position]].item()

    def code_of(self, label: int | None) -> int | None:
        """The code of a label; None where no element has it."""
        if label is None:
            return None
        cells = np.flatnonzero(self._by_cell == label)
        return int(self._code_by_cell[cells[0]]) if len(cells) else None

    @cached_property
    def codes(self) -> Codes:
        """A number for each label, as narrow as it can be, made when somebody asks."""
        codes: Codes = self._code_by_cell[self._place]
        return codes

    @cached_property
    def _code_by_cell(self) -> Codes:
        return core.narrowed(core.factorize(self._by_cell)[0])


@dataclass(frozen=True, slots=True, eq=False)
class PlacedSides:
    """Two sides whose labels are known by the places of their cells, for all elements as they came."""

    labels: tuple[PlacedLabels, PlacedLabels]

    reference_position: ClassVar[None] = None
    candidate_position: ClassVar[None] = None

    @property
    def reference(self) -> Codes:
        return self.labels[0].codes

    @property
    def candidate(self) -> Codes:
        return self.labels[1].codes
