"""Two sides element by element, and what is left of them without dropped noise."""

from __future__ import annotations

from functools import cached_property
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

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
    """Two sides without the elements that have a dropped code, sorted out when somebody asks for them.

    >>> kept = WithoutDropped(np.array([0, 1, 0]), np.array([5, 5, 6]), (1, None))
    >>> kept.candidate.tolist(), kept.reference_position.tolist()
    ([5, 6], [0, 2])
    """

    def __init__(self, reference: Codes, candidate: Codes, dropped: DroppedCodes) -> None:
        self._sides, self._dropped = (reference, candidate), dropped

    @cached_property
    def reference_position(self) -> NDArray[np.int64]:
        keep = np.ones(len(self._sides[0]), dtype=bool)
        for codes, dropped in zip(self._sides, self._dropped, strict=True):
            if dropped is not None:
                keep &= codes != dropped
        return np.flatnonzero(keep)

    @property
    def candidate_position(self) -> NDArray[np.int64]:
        return self.reference_position

    @cached_property
    def reference(self) -> Codes:
        return self._sides[0][self.reference_position]

    @cached_property
    def candidate(self) -> Codes:
        return self._sides[1][self.reference_position]
