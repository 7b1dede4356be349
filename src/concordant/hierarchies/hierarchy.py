"""Hierarchy: a tree over elements, and the partitions that it is cut into.

Dendrograms, taxonomies, condensed trees and scored pairs become one form, see ``tree``. A level joins
everything of one height, so it does not depend on the order of rows.
"""

from __future__ import annotations

from typing import Any, Literal, NoReturn, Self, get_args

import numpy as np
from numpy.typing import NDArray

from concordant import core
from concordant.counts.conventions import check_choice
from concordant.counts.spelling import counted
from concordant.errors import HierarchyError, ParameterError, ReadOnlyError, warn
from concordant.hierarchies import rows
from concordant.hierarchies.tree import Tree, arranged
from concordant.partitions.labels import encode
from concordant.partitions.partition import LabelPartition

Ties = Literal["together", "in order"]
TIES: tuple[str, ...] = get_args(Ties)

_SHOWN = 12  # levels in a terminal and in a notebook


class Hierarchy:
    """A tree over the elements of a set. A cut at any of its levels is a partition.

    size            number of leaves
    records         names of the leaves; None if they go by position
    parent          parent of each node: the leaves 0..n-1, then the inner nodes in the order of their making;
                    -1 for a root
    heights         height of each inner node, as it was given; scores are never negated
    level           level of each inner node, from 1
    level_heights   height of each level, from level 1
    descending      whether heights are scores, which fall from level to level
    ties            "together": a level joins everything of one height; "in order": every row is a level
    sizes           number of leaves below each node
    clusters        number of clusters at each level; at level 0 all leaves are singletons

    >>> h = Hierarchy.from_linkage([[0, 1, 0.5, 2], [2, 3, 0.5, 2], [4, 5, 2.0, 4]])
    >>> h
    Hierarchy(4 elements, 2 levels)
    >>> h.clusters.tolist()
    [4, 2, 1]
    >>> h.cut(k=2)
    Partition(4 elements, 2 clusters)
    """

    clusters: NDArray[np.int64]
    descending: bool
    heights: NDArray[np.float64]
    level: NDArray[np.int64]
    level_heights: NDArray[np.float64]
    parent: NDArray[np.int64]
    records: Any
    size: int
    sizes: NDArray[np.int64]
    ties: Ties

    __slots__ = (
        "clusters",
        "descending",
        "heights",
        "level",
        "level_heights",
        "parent",
        "records",
        "size",
        "sizes",
        "ties",
    )

    def __init__(self, *_given: Any, **_options: Any) -> None:
        raise ParameterError(
            "Hierarchy() is not called directly; use Hierarchy.from_linkage or from_children"
        )

    @classmethod
    def _of_tree(
        cls, tree: Tree, records: Any = None, *, ties: Ties = "together", descending: bool = False
    ) -> Self:
        self = object.__new__(cls)
        inner = len(tree.heights)
        size = len(tree.parent) - inner
        children = np.bincount(tree.parent[tree.parent >= 0] - size, minlength=inner)
        first = np.flatnonzero(np.diff(tree.level, prepend=0))
        falls = np.add.reduceat(children - 1, first) if inner else children
        held = {
            **tree._asdict(),
            "clusters": size - np.concatenate([[0], np.cumsum(falls)]),
            "level_heights": tree.heights[first],
        }
        for name, array in held.items():
            array.flags.writeable = False
            object.__setattr__(self, name, array)
        for name, value in {"size": size, "records": records, "ties": ties, "descending": descending}.items():
            object.__setattr__(self, name, value)
        return self

    def __setattr__(self, name: str, value: Any) -> NoReturn:
        raise ReadOnlyError(f"{name!r} cannot be set: a Hierarchy is read-only")

    def __delattr__(self, name: str) -> NoReturn:
        raise ReadOnlyError(f"{name!r} cannot be deleted: a Hierarchy is read-only")

    def __reduce__(self) -> tuple[Any, ...]:
        tree = Tree(self.parent, self.heights, self.level, self.sizes)
        return _restored, (tree, self.records, self.ties, self.descending)

    # -- from what a person holds ---------------------------------------------------------------

    @classmethod
    def from_linkage(cls, linkage: Any, records: Any = None, *, ties: Ties = "together") -> Self:
        """A linkage matrix of SciPy, fastcluster, genieclust, or the single linkage tree of HDBSCAN.

        Each row holds two clusters, the height at which they are joined, and the number of leaves.
        ``records`` names the leaves. ``ties="in order"`` makes a level of each row, as R's ``cutree`` does;
        it also takes heights that fall, as centroid linkage makes them.

        >>> Hierarchy.from_linkage([[0, 1, 0.5, 2], [2, 3, 0.7, 3]], records=["ann", "bob", "eve"])
        Hierarchy(3 elements, 2 levels)
        """
        return cls._of_rows(rows.of_linkage, (linkage,), records, ties)

    @classmethod
    def from_children(
        cls, children: Any, heights: Any = None, records: Any = None, *, ties: Ties = "together"
    ) -> Self:
        """``children_`` and ``distances_`` of scikit-learn; without heights, every row is a level.

        >>> Hierarchy.from_children([[0, 1], [2, 3]], heights=[0.5, 0.7])
        Hierarchy(3 elements, 2 levels)
        """
        return cls._of_rows(rows.of_children, (children, heights), records, ties)

    @classmethod
    def from_hclust(cls, merge: Any, height: Any, labels: Any = None, *, ties: Ties = "together") -> Self:
        """``merge``, ``height`` and ``labels`` of R's hclust: -i is element i, and i the cluster of row i.

        >>> Hierarchy.from_hclust([[-1, -2], [1, -3]], [0.5, 0.7], ["ann", "bob", "eve"])
        Hierarchy(3 elements, 2 levels)
        """
        return cls._of_rows(rows.of_hclust, (merge, height), labels, ties)

    @classmethod
    def _of_rows(cls, read: Any, given: tuple[Any, ...], records: Any, ties: Ties) -> Self:
        check_choice("ties", ties, TIES)
        tree = read(*given, in_order=ties == "in order")
        return cls._of_tree(tree, _names(records, len(tree.parent) - len(tree.heights)), ties=ties)

    # -- cuts -----------------------------------------------------------------------------------

    def cut(
        self,
        *,
        k: int | None = None,
        height: float | None = None,
        threshold: float | None = None,
        level: int | None = None,
    ) -> LabelPartition:
        """The partition at a level, chosen by one of four ways.

        k           the first level with at most k clusters; it warns if that has fewer
        height      everything joined at this height or below
        threshold   everything joined by a score of at least this
        level       the number of the level; 0 makes singletons of all leaves

        >>> h = Hierarchy.from_linkage([[0, 1, 0.5, 2], [2, 3, 0.7, 3]])
        >>> h.cut(height=0.5)
        Partition(3 elements, 2 clusters)
        """
        found = self.level_at(k=k, height=height, threshold=threshold, level=level)
        end = self.size + int(np.searchsorted(self.level, found, side="right"))
        is_top = self.parent >= end  # of the nodes made by then
        is_top |= self.parent < 0
        node = core.nearest_marked(self.parent, is_top)[: self.size]
        codes, first = core.factorize(node)
        return LabelPartition(
            codes, codes, elements=self.records, named=self.records is not None, first=first
        )

    def level_at(
        self,
        *,
        k: int | None = None,
        height: float | None = None,
        threshold: float | None = None,
        level: int | None = None,
    ) -> int:
        """The number of the level that ``cut`` returns for the same choice.

        >>> Hierarchy.from_linkage([[0, 1, 0.5, 2], [2, 3, 0.7, 3]]).level_at(height=0.6)
        1
        """
        given = {"k": k, "height": height, "threshold": threshold, "level": level}
        given = {name: value for name, value in given.items() if value is not None}
        if len(given) != 1:
            ways = "k=, threshold= or level=" if self.descending else "k=, height= or level="
            raise ParameterError(f"choose the cut by one of {ways}", given=given)
        ((way, value),) = given.items()
        if way in ("k", "level"):
            if isinstance(value, bool) or not isinstance(value, int | np.integer):
                raise ParameterError("give a whole number", given=given)
            return self._level_with(int(value)) if way == "k" else self._checked_level(int(value))
        if (way == "threshold") != self.descending:
            raise ParameterError(
                "this hierarchy is made of scores; pass threshold=, the lowest score that joins"
                if self.descending
                else "this hierarchy has heights; pass height=, the largest height that joins",
                given=given,
            )
        if isinstance(value, bool) or not isinstance(value, int | float | np.number) or value != value:  # noqa: PLR0124  (NaN)
            raise ParameterError("give a number", given=given)
        levels = -self.level_heights if self.descending else self.level_heights
        if self.ties == "in order" and (np.diff(levels) < 0).any():
            raise HierarchyError(
                "the heights fall from row to row, so no cut has one height; pass k= or level="
            )
        return int(np.searchsorted(levels, -value if self.descending else value, side="right"))

    def _checked_level(self, level: int) -> int:
        if not 0 <= level < len(self.clusters):
            raise ParameterError(
                f"levels are numbered from 0 (singletons) to {len(self.clusters) - 1}", given={"level": level}
            )
        return level

    def _level_with(self, k: int) -> int:
        fewest = int(self.clusters[-1])
        if not fewest <= k <= self.size:
            why = f", because {counted(fewest, 'tree')} are never joined" if fewest > 1 else ""
            raise ParameterError(
                f"there are {fewest:,} to {counted(self.size, 'cluster')}{why}", given={"k": k}
            )
        level = int(np.searchsorted(-self.clusters, -k, side="left"))
        found = int(self.clusters[level])
        if found < k:
            warn(
                f"no level has {counted(k, 'cluster')}: level {level} joins "
                f"{int(self.clusters[level - 1]):,} into {found:,} at once, and is the cut returned"
            )
        return level

    def take(self, leaves: Any) -> Self:
        """The hierarchy of some of the leaves, by their positions and in that order.

        Nodes that are left with one child are suppressed.

        >>> Hierarchy.from_linkage([[0, 1, 0.5, 2], [2, 3, 0.7, 3]]).take([2, 0])
        Hierarchy(2 elements, 1 level)
        """
        chosen = np.asarray(leaves, dtype=np.int64)
        in_order = self.ties == "in order"
        tree = arranged(
            self.parent, self.heights, in_order=in_order, descending=self.descending, leaves=chosen
        )
        records = self.records
        if isinstance(records, np.ndarray):
            records = records[chosen]
        elif records is not None:
            records = [records[leaf] for leaf in chosen.tolist()]
        return self._of_tree(tree, records, ties=self.ties, descending=self.descending)

    def __len__(self) -> int:
        return self.size

    def __repr__(self) -> str:
        roots = int(self.clusters[-1])
        forest = f", {counted(roots, 'root')}" if roots > 1 else ""
        levels = counted(len(self.level_heights), "level")
        return f"Hierarchy({counted(self.size, 'element')}, {levels}{forest})"


def _restored(tree: Tree, records: Any, ties: Ties, descending: bool) -> Hierarchy:
    return Hierarchy._of_tree(Tree(*tree), records, ties=ties, descending=descending)  # noqa: SLF001  (our own)


def _names(records: Any, size: int) -> Any:
    """The names of the leaves, each once; None if they go by position."""
    if records is None:
        return None
    labels = encode(records, "the records")
    if len(labels.codes) != size:
        raise HierarchyError(f"there are {counted(size, 'element')} and {len(labels.codes):,} records")
    which, first = core.factorize(np.ascontiguousarray(labels.codes))
    if len(first) < size:
        again = int(np.flatnonzero(first[which] != np.arange(size))[0])
        raise HierarchyError(
            f"the records hold {labels.originals[again]!r} twice, at {int(first[which[again]])} and {again}"
        )
    return labels.originals.copy() if isinstance(labels.originals, np.ndarray) else list(records)
