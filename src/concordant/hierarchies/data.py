"""The data of hierarchies: trees in arrays, and files with a row for each node."""

from __future__ import annotations

from typing import Any, ClassVar, Literal, Self, get_args

import numpy as np
from numpy.typing import NDArray

from concordant import core, sources
from concordant.clusterings.clustering import ClusteringData, ClusteringKind
from concordant.clusterings.labels import MemoryLabels, is_missing
from concordant.errors import HierarchyError, ParameterError, kind_of, warn
from concordant.foundation.conventions import check_choice
from concordant.foundation.spelling import counted
from concordant.hierarchies import named_trees
from concordant.hierarchies.tree_arrays import Tree, arranged, every_node, labels_at, leaf_counts
from concordant.maths.arithmetic import Floats, Integers, read_only
from concordant.sources.descriptions import Files, check_column_names

Ties = Literal["together", "in order"]
TIES: tuple[str, ...] = get_args(Ties)

# The columns of the node, its parent, its record if it is a leaf, its level, and its height or threshold.
NodeColumns = tuple[str, ...]
NODE_COLUMNS = ("node", "parent", "record", "level", "height")


def _numbers(values: list[Any], number: type[float | int], missing: float, what: str) -> list[float]:
    """The values of a column as numbers."""
    found = []
    for value in values:
        try:
            found.append(missing if is_missing(value) else number(value))
        except (TypeError, ValueError, OverflowError):
            raise HierarchyError(f"{what} {value!r} is not a number") from None
    return found


class HierarchyData(ClusteringData):
    """A tree over the elements of a set.

    Nodes are the leaves 0..n-1, then the inner nodes, children first.
    """

    __slots__ = (
        *("_sizes", "clusters", "complete", "descending", "heights", "level", "level_heights"),
        *("parent", "records", "size", "ties", "untyped"),
    )

    kind: ClassVar[ClusteringKind] = "hierarchy"

    clusters: Integers  # how many there are at each level; at level 0 all leaves are singletons
    complete: bool  # whether all records are known: pairs lack records without pairs, unless they are named
    descending: bool  # whether heights are scores, which decrease from level to level
    heights: Floats  # of the inner nodes; scores are not negated
    level: Integers  # of the inner nodes, from 1
    level_heights: Floats  # of each level, from level 1
    parent: Integers  # of each node, -1 for a root
    records: Any  # the names of the leaves, None if they are positions
    size: int  # how many leaves there are
    ties: Ties  # a cut joins everything at the same height, unless rows are in order
    untyped: bool  # whether the record ids are text of a file, which match integers with the same spelling
    _sizes: Integers | None

    @classmethod
    def of_rows(cls, read: Any, given: tuple[Any, ...], records: Any, ties: Ties) -> Self:
        """The tree of rows that join two clusters each."""
        check_choice("ties", ties, TIES)
        tree = read(*given, in_order=ties == "in order")
        return cls.of_tree(
            tree, named_trees.leaf_names(records, len(tree.parent) - len(tree.heights)), ties=ties
        )

    @classmethod
    def of_tree(
        cls,
        tree: Tree,
        records: Any = None,
        *,
        ties: Ties = "together",
        descending: bool = False,
        complete: bool = True,
        untyped: bool = False,
    ) -> Self:
        """The tree in arrays, which become read-only."""
        self = object.__new__(cls)
        first = np.flatnonzero(np.diff(tree.level, prepend=0))
        for array in (*tree, records):
            if isinstance(array, np.ndarray):
                array.flags.writeable = False
        self.parent, self.heights, self.level, self.clusters = tree
        self.level_heights = read_only(tree.heights[first])
        self.size = len(tree.parent) - len(tree.heights)
        self.records, self.ties, self.untyped = records, ties, untyped
        self.descending, self.complete = descending, complete
        self._sizes = None
        return self

    @classmethod
    def of_nodes(cls, columns: list[list[Any]], *, descending: bool, source: str) -> Self:
        """The tree of a table with a row for each node."""
        nodes, parents, records, levels, heights = columns
        number = {node: row for row, node in enumerate(nodes)}
        if len(number) < len(nodes):
            again = next(node for row, node in enumerate(nodes) if number[node] != row)
            raise HierarchyError(f"{source}: the node {again!r} has two rows; each node has one")
        parent = np.full(len(nodes), -1)
        for row, above in enumerate(parents):
            if not is_missing(above):
                if above not in number:
                    raise HierarchyError(
                        f"{source}: {above!r} is the parent of {nodes[row]!r} and has no row; add one"
                    )
                parent[row] = number[above]
        is_leaf = np.array([not is_missing(record) for record in records], dtype=bool)
        if is_leaf[parent[parent >= 0]].any():
            row = int(parent[parent >= 0][is_leaf[parent[parent >= 0]]][0])
            raise HierarchyError(
                f"{source}: the node {nodes[row]!r} has a record and parts; only leaves have one"
            )
        sign = -1.0 if descending else 1.0
        own = sign * np.array(_numbers(heights, float, np.nan, f"{source}: the height"))
        named_trees.refuse_repeated_leaves([x for x in records if not is_missing(x)], source)
        level = np.array(_numbers(levels, int, 0, f"{source}: the level"), dtype=np.int64)
        inner = np.flatnonzero(~is_leaf)
        inner = inner[np.argsort(level[inner], kind="stable")]
        if (np.diff(level[inner]) > 0).all() and (np.diff(own[inner]) <= 0).any():
            order = np.concatenate([np.flatnonzero(is_leaf), inner])
            place = np.full(len(nodes) + 1, -1)  # the last for the parent -1
            place[order] = np.arange(len(order))
            tree = arranged(place[parent[order]], sign * own[inner], in_order=True, descending=descending)
            names = [records[row] for row in order[: len(order) - len(inner)].tolist()]
            return cls.of_tree(tree, names, ties="in order", descending=descending)
        known = named_trees.Nodes(
            parent, [record if leaf else None for record, leaf in zip(records, is_leaf, strict=True)]
        )
        tree, names = named_trees.tree_of(known, own, "height", is_leaf)
        return cls.of_tree(tree._replace(heights=sign * tree.heights), names, descending=descending)

    @property
    def _facts(self) -> dict[str, Any]:
        names = ("ties", "descending", "complete", "untyped")
        return {name: getattr(self, name) for name in names}

    @property
    def sizes(self) -> Integers:
        """Number of leaves below each node."""
        if self._sizes is None:
            self._sizes = read_only(leaf_counts(self.parent, self.size))
        return self._sizes

    def cut(self, level: int) -> MemoryLabels:
        """The partition at a level."""
        codes, first = core.factorize(labels_at(self.parent, self.level, level))
        return MemoryLabels(codes, codes, elements=self.records, named=self.records is not None, first=first)

    def level_at(
        self,
        **ways: float | None,
    ) -> int:
        """The number of the level that n_clusters, height, threshold or level chooses."""
        given = {name: value for name, value in ways.items() if value is not None}
        if len(given) != 1:
            own = "threshold" if self.descending else "height"
            raise ParameterError(f"choose the cut by one of n_clusters=, {own}= or level=", given=given)
        ((way, value),) = given.items()
        if way in ("n_clusters", "level"):
            if isinstance(value, bool) or not isinstance(value, int | np.integer):
                raise ParameterError("give a whole number", given=given)
            if way == "n_clusters":
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
                "the heights fall from row to row, so a height does not determine a cut; pass n_clusters= or "
                "level="
            )
        return int(np.searchsorted(levels, -value if self.descending else value, side="right"))

    def _level_with(self, n_clusters: int) -> int:
        fewest = int(self.clusters[-1])
        if not fewest <= n_clusters <= self.size:
            why = f", because {counted(fewest, 'tree')} are never joined" if fewest > 1 else ""
            raise ParameterError(
                f"the tree has cuts of {fewest:,} to {counted(self.size, 'cluster')}{why}",
                given={"n_clusters": n_clusters},
            )
        level = int(np.searchsorted(-self.clusters, -n_clusters, side="left"))
        found = int(self.clusters[level])
        if found < n_clusters:
            warn(
                f"no level has {counted(n_clusters, 'cluster')}: level {level} joins "
                f"{int(self.clusters[level - 1]):,} into {found:,}, and this cut is returned"
            )
        return level

    def take(self, leaves: Any) -> Self:
        """The hierarchy of some of the leaves, by their positions in the new order."""
        chosen = _leaf_positions(leaves, self.size)
        in_order = self.ties == "in order"
        tree = arranged(
            self.parent, self.heights, in_order=in_order, descending=self.descending, leaves=chosen,
            kept=every_node(self.heights),
        )  # fmt: skip
        records = self.records
        if isinstance(records, np.ndarray):
            records = records[chosen]
        elif records is not None:
            records = [records[leaf] for leaf in chosen.tolist()]
        return self.of_tree(tree, records, **self._facts)

    def __len__(self) -> int:
        return self.size

    def __reduce__(self) -> tuple[Any, ...]:
        tree = Tree(self.parent, self.heights, self.level, self.clusters)
        return _restored, (type(self), tree, self.records, self._facts)

    def __repr__(self) -> str:
        roots = int(self.clusters[-1])
        forest = f", {counted(roots, 'root')}" if roots > 1 else ""
        levels = counted(len(self.level_heights), "level")
        return f"<Hierarchy of {counted(self.size, 'record')}, {levels}{forest}>"


def _leaf_positions(leaves: Any, size: int) -> NDArray[np.int64]:
    """The positions of leaves to keep, checked."""
    rule = f"take leaves by position, as whole numbers from 0 to {size - 1}, each once"
    try:
        chosen = np.asarray(leaves)
    except ValueError as error:  # rows of different lengths
        raise ParameterError(f"{rule}: {error}") from error
    if chosen.ndim != 1 or (len(chosen) and chosen.dtype.kind not in "iu"):
        raise ParameterError(f"{rule}; this is {kind_of(leaves)} of {chosen.dtype}")
    outside = np.flatnonzero((chosen < 0) | (chosen >= size))
    if len(outside):
        raise ParameterError(f"{rule}; the tree has no leaf {chosen[outside[0]]}")
    positions = chosen.astype(np.int64)
    ordered = np.sort(positions)
    again = np.flatnonzero(np.diff(ordered) == 0)
    if len(again):
        raise ParameterError(f"{rule}; leaf {ordered[again[0]]} is repeated")
    return positions


def _restored(kind: type[HierarchyData], tree: Tree, records: Any, facts: dict[str, Any]) -> HierarchyData:
    return kind.of_tree(tree, records, **facts)


class SourceHierarchy(ClusteringData):
    """A tree in files, with a row for each node. Made by ``Hierarchy.scan``."""

    __slots__ = ("columns", "source")

    kind: ClassVar[ClusteringKind] = "hierarchy"

    source: Files
    columns: NodeColumns

    def __init__(self, source: Files, columns: NodeColumns) -> None:
        check_column_names(**dict(zip(NODE_COLUMNS, columns, strict=True)))
        self.source, self.columns = source, columns

    def read(self) -> HierarchyData:
        names, *_ = sources.files.preview(self.source)
        columns, descending = of_scores(self.columns, names)
        read = sources.files.read_columns(self.source, columns)
        return HierarchyData.of_nodes(read, descending=descending, source=str(self.source))

    def __repr__(self) -> str:
        return f"<Hierarchy of {self.columns[0]!r} in {self.source}>"


def of_scores(columns: NodeColumns, names: list[str]) -> tuple[NodeColumns, bool]:
    """The columns of a tree, and whether it is made of scores: then it has thresholds instead of heights."""
    *others, height = columns
    if height == "height" and "height" not in names and "threshold" in names:
        return (*others, "threshold"), True
    return columns, False
