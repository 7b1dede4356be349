"""The best cut and the best pruning of a hierarchy; and cuts as text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.catalogue.index import Index
from concordant.counts.arithmetic import evenly
from concordant.counts.spelling import counted
from concordant.errors import ParameterError, UndefinedError
from concordant.results import Result, rounded

# Added to every cut that was chosen for its value.
SELECTED = "chosen on the same truth that measures it, so it has no interval of its own"


def best_of(index: Index, values: NDArray[np.float64]) -> int:
    """The position of the best value; of equal ones the last. Undefined values do not count."""
    if index.agreement is None:
        raise ParameterError(
            f"neither larger nor smaller values of {index.name} mean more agreement, so none is the best; "
            "use an index with a direction, such as adjusted_rand"
        )
    signed = values if index.agreement == "larger" else -values
    known = np.flatnonzero(~np.isnan(signed))
    if not len(known):
        raise UndefinedError(f"{index.name} is undefined at every cut")
    return int(known[len(known) - 1 - int(np.argmax(signed[known][::-1]))])


def cut_texts(row: Mapping[str, Any]) -> list[str]:
    """A row as text: all singletons have no height, and no row has more digits than it needs.

    >>> cut_texts({"clusters": 1200, "height": float("nan"), "value": 0.5})
    ['1,200', '', '0.5000']
    """
    texts = []
    for name, value in row.items():
        if value != value:  # noqa: PLR0124  (NaN: all singletons have no height, and chance may be undefined)
            texts.append("")
        elif name in ("height", "threshold"):
            texts.append(f"{value:.6g}")
        else:
            texts.append(rounded(value) if isinstance(value, float) else f"{value:,}")
    return texts


def chosen_levels(levels: int | None, length: int) -> NDArray[np.int64] | None:
    """The positions of at most so many levels, evenly; None for all."""
    if levels is None:
        return None
    if isinstance(levels, bool) or not isinstance(levels, int) or levels < 1:
        raise ParameterError("give the number of levels, 1 or more", given={"levels": levels})
    return evenly(length, levels)


@dataclass(frozen=True, slots=True)
class BestCut(Result):
    """The level at which an index is best. `HierarchyComparison.best_cut` returns it.

    Attributes
    ----------
    index : str
        Name of the index.
    value : float
        Its value.
    level : int
        Number of the level.
    clusters : int
        Number of clusters.
    height, threshold : float, optional
        Height or score of the level. Both are None for singletons.
    note : str
        Remarks.
    """

    index: str
    value: float
    level: int
    clusters: int
    height: float | None
    threshold: float | None
    note: str = SELECTED

    @property
    def sentence(self) -> str:
        """The level and its value, without the note."""
        where = "all singletons"
        if self.threshold is not None:
            where = f"threshold {self.threshold:g}"
        elif self.height is not None:
            where = f"height {self.height:g}"
        return (
            f"{self.index} is best, {rounded(self.value)}, at {where}: level {self.level}, "
            f"{counted(self.clusters, 'cluster')}"
        )

    def __str__(self) -> str:
        return f"{self.sentence} ({self.note})"


@dataclass(frozen=True, slots=True, repr=False)
class BestPruning(Result):
    """The best clusters among the nodes of a hierarchy, an upper bound for its cuts.

    Attributes
    ----------
    index : str
        Name of the index.
    value : float
        Its value.
    clusters : int
        Number of clusters.
    best_cut : float
        The value at the best level, for comparison.
    labels : array of int
        The cluster of each leaf.
    note : str
        Remarks.
    """

    index: str
    value: float
    clusters: int
    best_cut: float
    labels: NDArray[np.int64]
    note: str = f"no cut of this hierarchy is better, at any heights; {SELECTED}"

    def to_dict(self) -> dict[str, Any]:
        """Return the fields, with the labels as a list.

        Returns
        -------
        dict
            The fields by name.

        Examples
        --------
        >>> import concordant as cc
        >>> h = cc.Hierarchy.from_linkage([[0, 1, 0.1, 2], [2, 3, 0.2, 2], [4, 5, 0.9, 4]])
        >>> cc.compare(["a", "a", "b", "b"], h).best_pruning().to_dict()["clusters"]
        2
        """
        return {
            "index": self.index,
            "value": self.value,
            "clusters": self.clusters,
            "best_cut": self.best_cut,
            "labels": self.labels.tolist(),
            "note": self.note,
        }

    def _rows(self, limit: int | None = None) -> list[dict[str, Any]]:
        row = {name: value for name, value in self.to_dict().items() if name not in ("labels", "note")}
        return [row][:limit]

    def __str__(self) -> str:
        return (
            f"{self.index} of the best pruning is {self.value:.4f} ({counted(self.clusters, 'cluster')}), of "
            f"the best level {self.best_cut:.4f} ({self.note})"
        )

    __repr__ = __str__
