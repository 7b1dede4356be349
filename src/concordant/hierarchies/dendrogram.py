"""Dendrogram: a tree of clusters, its levels and its cuts."""

from __future__ import annotations

from typing import Any, Literal, NoReturn, Self, get_args

import numpy as np
from numpy.typing import NDArray

from concordant import core
from concordant.counts.arithmetic import read_only
from concordant.counts.spelling import counted
from concordant.errors import HierarchyError, ParameterError, ReadOnlyError, warn
from concordant.hierarchies import (
    rows,
)
from concordant.hierarchies.level_table import LevelTable
from concordant.hierarchies.tree import Tree, arranged, labels_at, leaf_counts
from concordant.partitions.partition import LabelPartition

Ties = Literal["together", "in order"]
TIES: tuple[str, ...] = get_args(Ties)


class Dendrogram:
    """A tree over the elements of a set, which is read-only."""

    clusters: NDArray[np.int64]
    complete: bool
    descending: bool
    heights: NDArray[np.float64]
    level: NDArray[np.int64]
    level_heights: NDArray[np.float64]
    parent: NDArray[np.int64]
    records: Any
    size: int
    ties: Ties
    untyped: bool
    _sizes: NDArray[np.int64] | None

    __slots__ = (
        *("_sizes", "clusters", "complete", "descending", "heights", "level", "level_heights"),
        *("parent", "records", "size", "ties", "untyped"),
    )

    @classmethod
    def _of_tree(
        cls,
        tree: Tree,
        records: Any = None,
        *,
        ties: Ties = "together",
        descending: bool = False,
        complete: bool = True,
        untyped: bool = False,
    ) -> Self:
        self = object.__new__(cls)
        size = len(tree.parent) - len(tree.heights)
        first = np.flatnonzero(np.diff(tree.level, prepend=0))
        held = {**tree._asdict(), "level_heights": tree.heights[first]}
        if isinstance(records, np.ndarray):
            records.flags.writeable = False
        for name, array in held.items():
            array.flags.writeable = False
            object.__setattr__(self, name, array)
        facts = {"size": size, "records": records, "ties": ties, "untyped": untyped, "_sizes": None}
        for name, value in (facts | {"descending": descending, "complete": complete}).items():
            object.__setattr__(self, name, value)
        return self

    def __setattr__(self, name: str, value: Any) -> NoReturn:
        raise ReadOnlyError(f"{name!r} cannot be set: a Hierarchy is read-only")

    def __delattr__(self, name: str) -> NoReturn:
        raise ReadOnlyError(f"{name!r} cannot be deleted: a Hierarchy is read-only")

    @property
    def _facts(self) -> dict[str, Any]:
        names = ("ties", "descending", "complete", "untyped")
        return {name: getattr(self, name) for name in names}

    @property
    def sizes(self) -> NDArray[np.int64]:
        """Number of leaves below each node."""
        sizes = self._sizes
        if sizes is None:
            sizes = read_only(leaf_counts(self.parent, self.size))
            object.__setattr__(self, "_sizes", sizes)
        return sizes

    def cut(
        self,
        *,
        k: int | None = None,
        height: float | None = None,
        threshold: float | None = None,
        level: int | None = None,
    ) -> LabelPartition:
        """Return the partition at a level. Give one of the options.

        Parameters
        ----------
        k : int, optional
            The first level with at most k clusters. A warning is issued if that level has fewer.
        height : float, optional
            Cut above this height: everything joined at this height or below is together.
        threshold : float, optional
            Cut below this score: everything joined by this score or a higher one is together.
        level : int, optional
            The number of the level. At level 0, all leaves are singletons.

        Returns
        -------
        Partition
            The partition.

        Raises
        ------
        ParameterError
            If none or several of the options are given, or the level does not exist.

        Examples
        --------
        >>> import concordant as cc
        >>> h = cc.Hierarchy.from_linkage([[0, 1, 0.5, 2], [2, 3, 0.7, 3]])
        >>> h.cut(height=0.5)
        Partition(3 elements, 2 clusters)
        """
        found = self.level_at(k=k, height=height, threshold=threshold, level=level)
        codes, first = core.factorize(labels_at(self.parent, self.level, found))
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
        """Return the number of a level. The options are those of `cut`.

        Parameters
        ----------
        k, height, threshold, level : int or float, optional
            The choice of the level, as in `cut`.

        Returns
        -------
        int
            The number of the level.

        Examples
        --------
        >>> import concordant as cc
        >>> cc.Hierarchy.from_linkage([[0, 1, 0.5, 2], [2, 3, 0.7, 3]]).level_at(height=0.6)
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
            if way == "k":
                return self._level_with(int(value))
            if not 0 <= value < len(self.clusters):
                last = len(self.clusters) - 1
                raise ParameterError(f"levels are numbered from 0 (singletons) to {last}", given=given)
            return int(value)
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
                "the heights fall from row to row, so a height does not determine a cut; pass k= or level="
            )
        return int(np.searchsorted(levels, -value if self.descending else value, side="right"))

    def _level_with(self, k: int) -> int:
        fewest = int(self.clusters[-1])
        if not fewest <= k <= self.size:
            why = f", because {counted(fewest, 'tree')} are never joined" if fewest > 1 else ""
            raise ParameterError(
                f"the tree has cuts of {fewest:,} to {counted(self.size, 'cluster')}{why}", given={"k": k}
            )
        level = int(np.searchsorted(-self.clusters, -k, side="left"))
        found = int(self.clusters[level])
        if found < k:
            warn(
                f"no level has {counted(k, 'cluster')}: level {level} joins "
                f"{int(self.clusters[level - 1]):,} into {found:,}, and this cut is returned"
            )
        return level

    @property
    def levels(self) -> LevelTable:
        """A table of the levels: number, height or threshold, clusters, and size of the largest.

        Examples
        --------
        >>> import concordant as cc
        >>> cc.Hierarchy.from_linkage([[0, 1, 0.5, 2], [2, 3, 0.7, 3]]).levels.to_dict()["levels"][1]
        {'level': 1, 'height': 0.5, 'clusters': 2, 'largest': 2}
        """
        last = np.searchsorted(self.level, np.arange(1, len(self.clusters)), side="right") - 1
        largest = np.maximum.accumulate(self.sizes[self.size :])[last]
        by = "threshold" if self.descending else "height"
        return LevelTable(by, self.level_heights, self.clusters, np.append(min(1, self.size), largest))

    def to_linkage(self) -> NDArray[np.float64]:
        """Return the hierarchy as a linkage matrix of SciPy.

        Returns
        -------
        array
            One row for each join. A level that joins several clusters has several rows with the same height.

        Raises
        ------
        HierarchyError
            If the tree has several roots, or scores instead of heights.

        Examples
        --------
        >>> import concordant as cc
        >>> cc.Hierarchy.from_children([[0, 1], [2, 3]], heights=[0.5, 0.7]).to_linkage().tolist()
        [[0.0, 1.0, 0.5, 2.0], [2.0, 3.0, 0.7, 3.0]]
        """
        if self.clusters[-1] > 1:
            raise HierarchyError(
                f"a linkage matrix joins all elements, and here {counted(int(self.clusters[-1]), 'tree')} "
                "are never joined"
            )
        if self.descending:
            raise HierarchyError("a linkage matrix has heights that rise, and these are scores, which fall")
        return rows.linkage_of(self.parent, self.heights)

    def take(self, leaves: Any) -> Self:
        """Return the hierarchy of some of the leaves.

        Parameters
        ----------
        leaves : sequence of int
            The positions of the leaves, in the new order.

        Returns
        -------
        Hierarchy
            The hierarchy. Inner nodes with one remaining child are removed.

        Examples
        --------
        >>> import concordant as cc
        >>> cc.Hierarchy.from_linkage([[0, 1, 0.5, 2], [2, 3, 0.7, 3]]).take([2, 0])
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
        return self._of_tree(tree, records, **self._facts)

    def __len__(self) -> int:
        return self.size

    def __str__(self) -> str:
        return f"{self!r}\n{self.levels}"

    def _repr_html_(self) -> str:
        import html  # rarely needed

        return f"<div><p>{html.escape(repr(self))}</p>{self.levels._repr_html_()}</div>"

    def __repr__(self) -> str:
        roots = int(self.clusters[-1])
        forest = f", {counted(roots, 'root')}" if roots > 1 else ""
        levels = counted(len(self.level_heights), "level")
        return f"Hierarchy({counted(self.size, 'element')}, {levels}{forest})"
