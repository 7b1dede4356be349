"""Indices of live counts: each can be read after every edit."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Self

from concordant.catalogue.index import INDICES, Index
from concordant.counts.conventions import UNDEFINED, Undefined, check_choice
from concordant.counts.pairs import Pairs
from concordant.engines.live.counts import LiveCounts
from concordant.errors import ReadOnlyError
from concordant.indices.attributes import IndexAttributes


class LiveIndices(LiveCounts, IndexAttributes):
    """Live counts with every index as an attribute and an item.

    Indices of pairs and of information, MUC, merge distances, B-cubed, purity and exact clusters are read
    from sums that follow the edits, exact integers that do not drift; the others are counted anew after an
    edit.

    index      what ``get`` reads, as metrics of streams have it: ``update``, ``revert``, ``get``
    window     how many records to keep: each one added beyond that removes the oldest
    undefined  as in ``compare``

    >>> live = LiveIndices("rand", window=2).update("a", 1).update("b", 1).update("b", 1)
    >>> live.size, live.get(), live["jaccard"]
    (2, 1.0, 1.0)
    """

    def __init__(
        self,
        index: str = "adjusted_rand",
        *,
        window: int | None = None,
        undefined: Undefined = "convention",
    ) -> None:
        check_choice("undefined", undefined, UNDEFINED)
        self._index, self._when_undefined = INDICES[index], undefined
        super().__init__(window=window)

    def __setattr__(self, name: str, value: Any) -> None:
        if not name.startswith("_"):
            raise ReadOnlyError(f"{name!r} cannot be set: it is read, and edits change what it gives")
        object.__setattr__(self, name, value)

    def __getitem__(self, spelling: str) -> float:
        return self.value(INDICES[spelling])

    def value(self, declared: Index) -> float:
        """The value of an index as things are now."""
        return declared.value(self.counts, self._when_undefined)

    def exact(self, spelling: str) -> Fraction:
        """The value as a fraction, without rounding; for indices without roots and logarithms.

        >>> LiveIndices().add("a", 1).add("a", 1).add("b", 1).exact("jaccard")
        Fraction(1, 3)
        """
        return INDICES[spelling].exact(self.counts)

    @property
    def pairs(self) -> Pairs:
        """The four counts of pairs as they are now."""
        return self.counts.view(Pairs)

    def to_dict(self, *spellings: str) -> dict[str, float]:
        """The named indices, or all that a comparison shows."""
        return {name: self[name] for name in spellings or self.keys()}

    # -- as metrics of streams are called --------------------------------------------------------

    def update(self, y_true: Any, y_pred: Any) -> Self:
        """Add a record by its true and its predicted label."""
        return self.add(y_true, y_pred)

    def revert(self, y_true: Any, y_pred: Any) -> Self:
        """Take an update back."""
        return self.remove(reference=y_true, candidate=y_pred)

    def get(self, index: str | None = None) -> float:
        """The value of the index that was named at the beginning, or of the one named here.

        >>> LiveIndices("rand").update("a", 1).update("b", 1).revert("b", 1).get()
        1.0
        """
        return self.value(self._index if index is None else INDICES[index])
