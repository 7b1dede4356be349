"""Hierarchy: a tree over elements, and the partitions that it is cut into.

Dendrograms, taxonomies, condensed trees and scored pairs become one form, see ``tree``. A level joins
everything of one height, so it does not depend on the order of rows.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, Literal, NoReturn, Self, get_args

import numpy as np
from numpy.typing import NDArray

from concordant import core
from concordant.counts.arithmetic import read_only
from concordant.counts.conventions import check_choice
from concordant.counts.spelling import counted
from concordant.errors import HierarchyError, ParameterError, ReadOnlyError, warn
from concordant.hierarchies import (
    condensed,
    named_trees,
    nested_levels,
    newick,
    recognition,
    rows,
    scored_pairs,
)
from concordant.hierarchies.level_table import LevelTable
from concordant.hierarchies.named_trees import LEVELS, Levels
from concordant.hierarchies.tree import Tree, arranged, labels_at, leaf_counts
from concordant.partitions.formats import Format
from concordant.partitions.partition import LabelPartition
from concordant.partitions.sources import files

Ties = Literal["together", "in order"]
TIES: tuple[str, ...] = get_args(Ties)


class Hierarchy:
    """A tree over the elements of a set. A cut at any of its levels is a partition.

    size            number of leaves
    records         names of the leaves; None if they go by position
    parent          parent of each node: the leaves 0..n-1, then the inner nodes, parts first;
                    -1 for a root
    heights         height of each inner node, as it was given; scores are never negated
    level           level of each inner node, from 1
    level_heights   height of each level, from level 1
    descending      whether heights are scores, which fall from level to level
    complete        whether it has all records. Scored pairs lack those that are in no pair, unless records=
                    names them; ``compare`` takes these as singletons
    untyped         whether the records were read from a text file, such as CSV, where ids have no type; they
                    match integers that are spelled so
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

    def __init__(self, *_given: Any, **_options: Any) -> None:
        raise ParameterError(
            "Hierarchy() is not called directly; use Hierarchy.from_linkage, from_children, from_hclust, "
            "from_parents, from_nested, from_newick, from_levels, from_condensed, from_pairs or of"
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

    def __reduce__(self) -> tuple[Any, ...]:
        tree = Tree(self.parent, self.heights, self.level, self.clusters)
        return _restored, (tree, self.records, self._facts)

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

    # -- constructors ---------------------------------------------------------------------------

    @classmethod
    def of(cls, tree: Any) -> Self:
        """The hierarchy of an object whose type or attributes show what it is.

        Takes a linkage matrix as an array of floating-point numbers, a fitted estimator of scikit-learn with
        ``children_``, scikit-learn's HDBSCAN, and each of the two trees of the hdbscan package. Input that
        may mean several trees is refused.

        >>> Hierarchy.of(np.array([[0, 1, 0.5, 2], [2, 3, 0.7, 3]]))
        Hierarchy(3 elements, 2 levels)
        """
        if isinstance(tree, cls):
            return tree
        name, given = recognition.form_of(tree)
        made: Self = getattr(cls, name)(*given)
        return made

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
    def from_parents(
        cls,
        parents: Any,
        heights: Any = None,
        *,
        node: str | None = None,
        parent: str | None = None,
        levels: Levels | None = None,
    ) -> Self:
        """Nodes and their parents: a mapping, a list of pairs, or two columns of a dataframe.

        Leaves are the nodes that are nobody's parent. A root has no row, or a parent that is None or null.
        ``heights`` maps each node with children to its height. Without it, ``levels="depth"`` cuts at a
        distance from the root, where a leaf that ends earlier stays a singleton, and ``levels="height"`` by
        the longest way down to a leaf. ``node`` and ``parent`` name the columns of a dataframe that has more.

        >>> taxonomy = {"tom": "cats", "kitty": "cats", "rex": "dogs", "cats": "pets", "dogs": "pets"}
        >>> Hierarchy.from_parents(taxonomy).cut(k=2)
        Partition(3 elements, 2 clusters)
        """
        if isinstance(parents, Mapping):
            _refuse(
                {"node": node, "parent": parent}, "it names a column of a dataframe, and this is a mapping"
            )
            columns = list(parents), list(parents.values())
        elif isinstance(parents, list | tuple):
            _refuse({"node": node, "parent": parent}, "it names a column of a dataframe, and this is a list")
            columns = named_trees.pairs_of(parents)
        else:
            columns = named_trees.columns_of(parents, node, parent)
        by = named_trees.chosen_levels(levels, "depth", heights)
        return cls._of_tree(*named_trees.of_parents(*columns, heights, by))

    @classmethod
    def from_nested(cls, tree: Any, *, levels: Levels = "height") -> Self:
        """Lists within lists, or dicts whose keys name the nodes. All other values are leaves.

        ``levels`` is as in ``from_parents``.

        >>> Hierarchy.from_nested([["tom", "kitty"], ["rex", ["jerry", "mickey"]]])
        Hierarchy(5 elements, 3 levels)
        >>> Hierarchy.from_nested({"cats": ["tom", "kitty"], "dogs": ["rex"]})
        Hierarchy(3 elements, 2 levels)
        """
        return cls._of_tree(*named_trees.of_nested(tree, named_trees.chosen_levels(levels, "height", None)))

    @classmethod
    def from_newick(cls, tree: Any, *, levels: Levels | None = None) -> Self:
        """One tree in Newick notation: the text, or the path of a file.

        With branch lengths, the height of a node is the depth of the deepest leaf minus its own depth.
        Without, ``levels`` is as in ``from_parents``, "height" by default. Names are taken as written,
        underscores included. Comments in brackets are skipped.

        >>> Hierarchy.from_newick("((tom:1,kitty:1):2,rex:3);").level_heights.tolist()
        [1.0, 3.0]
        """
        if levels is not None:
            check_choice("levels", levels, LEVELS)
        return cls._of_tree(*newick.of_newick(newick.text_of(tree), levels))

    @classmethod
    def from_levels(
        cls,
        levels: Any,
        heights: Any = None,
        *,
        columns: Sequence[str] | None = None,
        record: str | None = None,
    ) -> Self:
        """Nested partitions, in any order: a list or a mapping of them, or columns of a dataframe.

        Each cluster has to be a part of one cluster of every coarser level. If they are not nested, as
        clusterings at several resolutions often are, the error names such a cluster. ``heights`` has one
        height per level, in the same order; by default levels count from 1, the finest. ``columns`` and
        ``record`` name columns of a dataframe.

        >>> Hierarchy.from_levels([["tom", "tom", "rex"], ["cat", "cat", "dog"], ["pet", "pet", "pet"]])
        Hierarchy(3 elements, 2 levels)
        """
        return cls._of_tree(
            *nested_levels.of_levels(nested_levels.given_levels(levels, columns, record), heights)
        )

    @classmethod
    def from_condensed(cls, tree: Any, records: Any = None) -> Self:
        """``condensed_tree_`` of HDBSCAN, or its columns parent, child, lambda_val and child_size.

        Two points are together up to the lambda at which the first of them leaves their last common cluster;
        the height is 1/lambda.

        >>> Hierarchy.from_condensed([(3, 0, 0.5, 1), (3, 1, 2.0, 1), (3, 2, 2.0, 1)]).level_heights.tolist()
        [0.5, 2.0]
        """
        found = condensed.of_condensed(tree)
        return cls._of_tree(found, named_trees.leaf_names(records, len(found.parent) - len(found.heights)))

    @classmethod
    def from_pairs(
        cls,
        pairs: Any,
        *,
        left: str,
        right: str,
        score: str,
        records: Any = None,
        memory: str | None = None,
        format: Format | None = None,
    ) -> Self:
        """Scored pairs of records, as Splink, dedupe and Zingg predict them, or the edges of a network.

        ``pairs`` is a dataframe of any library, or the path of files, as in ``Partition.scan``; these are
        read batch by batch, so memory depends on the records, not on the pairs. At each threshold,
        records are together if pairs of at least this score connect them. ``records`` names all records, if
        some are in no pair; these are singletons at every threshold. Of several scores of one pair, the
        highest counts. A pair of a record with itself joins nothing.

        >>> import polars
        >>> pairs = polars.DataFrame({"l": ["a", "b", "c"], "r": ["b", "c", "d"], "p": [0.9, 0.4, 0.9]})
        >>> h = Hierarchy.from_pairs(pairs, left="l", right="r", score="p")
        >>> h.level_heights.tolist(), h.clusters.tolist()
        ([0.9, 0.4], [4, 2, 1])
        >>> h.cut(threshold=0.5)
        Partition(4 elements, 2 clusters)
        """
        is_path = isinstance(pairs, str | os.PathLike)
        if not is_path:
            _refuse({"memory": memory, "format": format}, "it is for files, and these are pairs in memory")
        source = files(pairs, "auto", memory, format) if is_path else pairs
        tree, names, untyped = scored_pairs.of_pairs(source, (left, right, score), records)
        return cls._of_tree(tree, names, descending=True, complete=records is not None, untyped=untyped)

    @classmethod
    def _of_rows(cls, read: Any, given: tuple[Any, ...], records: Any, ties: Ties) -> Self:
        check_choice("ties", ties, TIES)
        tree = read(*given, in_order=ties == "in order")
        return cls._of_tree(
            tree, named_trees.leaf_names(records, len(tree.parent) - len(tree.heights)), ties=ties
        )

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
                f"there are {fewest:,} to {counted(self.size, 'cluster')}{why}", given={"k": k}
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
        """A table of the levels: number, height or threshold, clusters, and the size of the largest.

        >>> Hierarchy.from_linkage([[0, 1, 0.5, 2], [2, 3, 0.7, 3]]).levels.to_dict()["levels"][1]
        {'level': 1, 'height': 0.5, 'clusters': 2, 'largest': 2}
        """
        last = np.searchsorted(self.level, np.arange(1, len(self.clusters)), side="right") - 1
        largest = np.maximum.accumulate(self.sizes[self.size :])[last]
        by = "threshold" if self.descending else "height"
        return LevelTable(by, self.level_heights, self.clusters, np.append(min(1, self.size), largest))

    def to_linkage(self) -> NDArray[np.float64]:
        """The linkage matrix of SciPy; a level that joins several clusters is several rows of one height.

        >>> Hierarchy.from_children([[0, 1], [2, 3]], heights=[0.5, 0.7]).to_linkage().tolist()
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


def _restored(tree: Tree, records: Any, facts: dict[str, Any]) -> Hierarchy:
    return Hierarchy._of_tree(Tree(*tree), records, **facts)  # noqa: SLF001  (our own)


def _refuse(given: dict[str, Any], why: str) -> None:
    """Refuse options that have no meaning for this input."""
    stated = {name: value for name, value in given.items() if value is not None}
    if stated:
        raise ParameterError(why, given=stated)
