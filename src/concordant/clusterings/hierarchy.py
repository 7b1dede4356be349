"""The levels of a hierarchy as a table."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Literal, NoReturn, Self, get_args

import numpy as np
from numpy.typing import NDArray

from concordant import core
from concordant.clusterings import dendrograms, named_trees, nested_levels, recognition, scored_pairs
from concordant.clusterings.named_trees import LEVELS, Levels
from concordant.clusterings.partition import Clustering, ClusteringKind, LabelPartition
from concordant.counts.arithmetic import evenly, read_only
from concordant.counts.conventions import check_choice
from concordant.counts.spelling import counted
from concordant.counts.trees import Tree, arranged, every_node, labels_at, leaf_counts
from concordant.errors import HierarchyError, ParameterError, ReadOnlyError, kind_of, warn
from concordant.results import Result
from concordant.sources.descriptions import files
from concordant.sources.formats import Format


class LevelTable(Result):
    """A row for each level: its number, its height or score, its clusters, and the size of the largest.

    >>> from concordant.clusterings.hierarchy import Hierarchy
    >>> print(Hierarchy.from_linkage([[0, 1, 0.5, 2], [2, 3, 0.7, 3]]).levels)
    levels 0 to 2
    level  height  clusters  largest
        0       -         3        1
        1     0.5         2        2
        2     0.7         1        3
    """

    __slots__ = ("_columns",)

    def __init__(
        self, by: str, heights: NDArray[np.float64], clusters: NDArray[np.int64], largest: NDArray[np.int64]
    ) -> None:
        self._columns: dict[str, NDArray[Any]] = {
            "level": np.arange(len(clusters)),
            by: np.concatenate([[np.nan], heights]),  # level 0 has none
            "clusters": clusters,
            "largest": largest,
        }

    def __len__(self) -> int:
        return len(self._columns["level"])

    def __repr__(self) -> str:
        return f"<LevelTable of {counted(len(self), 'level')}>"

    def to_dict(self) -> dict[str, Any]:
        """Return the rows, from singletons to the coarsest level.

        Returns
        -------
        dict
            The content by name.

        Examples
        --------
        >>> import concordant as cc
        >>> cc.Hierarchy.from_linkage([[0, 1, 0.5, 2], [2, 3, 0.7, \
3]]).levels.to_dict()["levels"][2]["clusters"]
        1
        """
        return {"levels": self._rows()}

    def _frame_columns(self) -> dict[str, list[Any]]:
        return {name: _plain_column(values) for name, values in self._columns.items()}

    def _rows(self, limit: int | None = None) -> list[dict[str, Any]]:
        """All levels, or an even selection of them."""
        places = slice(None) if limit is None else evenly(len(self), limit)
        columns = [_plain_column(values[places]) for values in self._columns.values()]
        return [dict(zip(self._columns, row, strict=True)) for row in zip(*columns, strict=True)]

    def _title(self) -> str:
        return f"levels 0 to {len(self) - 1:,}"

    def _texts(self, row: Mapping[str, Any]) -> list[str]:
        # Heights with all digits: a rounded threshold would select another level.
        return [
            "-" if value is None else repr(value) if isinstance(value, float) else f"{value:,}"
            for value in row.values()
        ]

    def _rest(self, listed: int) -> str:
        return "" if listed == len(self) else f"{listed} of {len(self):,} rows"


def _plain_column(values: NDArray[Any]) -> list[Any]:
    """Python's values; None for the height that level 0 lacks."""
    return [None if value != value else value for value in values.tolist()]  # noqa: PLR0124  (NaN)


Ties = Literal["together", "in order"]
TIES: tuple[str, ...] = get_args(Ties)


class Hierarchy(Clustering):
    """A tree over the elements of a set. A cut at any level is a partition.

    Attributes
    ----------
    size : int
        Number of leaves.
    records : sequence, optional
        Names of the leaves. None if they are positions.
    parent : array of int
        Parent of each node, -1 for a root. Nodes are the leaves 0..n-1, then the inner nodes, children first.
    heights : array of float
        Height of each inner node. Scores are not negated.
    level : array of int
        Level of each inner node, from 1.
    level_heights : array of float
        Height of each level, from level 1.
    descending : bool
        Whether heights are scores, which decrease from level to level.
    complete : bool
        Whether all records are known. Scored pairs lack records without pairs, unless `records` names them;
        `compare` treats these as singletons.
    untyped : bool
        Whether the record ids come from a text file. They match integers with the same spelling.
    ties : {"together", "in order"}
        Whether a level joins everything at the same height, or each row is a level. A cut always joins
        everything at the same height, unless rows are in order. Indices of clusters see the nodes of a
        tree: rows of a dendrogram at the same height are one node, and a node of a named tree, or a cluster
        of HDBSCAN, stays a node also at the height of its parent.
    clusters : array of int
        Number of clusters at each level. At level 0 all leaves are singletons.

    Examples
    --------
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

    kind: ClassVar[ClusteringKind] = "hierarchy"

    def __init__(self, *_given: Any, **_options: Any) -> None:
        raise ParameterError(
            "Hierarchy() is not called directly; use Hierarchy.from_linkage, from_children, from_hclust, "
            "from_parents, from_nested, from_newick, from_levels, from_condensed, from_pairs or of"
        )

    @classmethod
    def of(cls, tree: Any) -> Self:
        """Create a hierarchy from an object whose type is unambiguous.

        Parameters
        ----------
        tree : array or fitted estimator
            A linkage matrix as an array of floats, a scikit-learn estimator with `children_`, scikit-learn's
            HDBSCAN, or a tree of the hdbscan package.

        Returns
        -------
        Hierarchy
            The hierarchy.

        Raises
        ------
        HierarchyError
            If the object is not recognised or is ambiguous.

        Examples
        --------
        >>> import numpy as np
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
        """Create a hierarchy from a linkage matrix of SciPy, fastcluster, genieclust or HDBSCAN.

        Parameters
        ----------
        linkage : array
            Each row has the two joined clusters, the height and the number of leaves.
        records : sequence, optional
            Names of the leaves. By default, positions.
        ties : {"together", "in order"}, default="together"
            "together" joins everything at the same height in one level. "in order" makes each row a level,
            like R's `cutree`, and allows decreasing heights, as in centroid linkage.

        Returns
        -------
        Hierarchy
            The hierarchy.

        Examples
        --------
        >>> Hierarchy.from_linkage([[0, 1, 0.5, 2], [2, 3, 0.7, 3]], records=["ann", "bob", "eve"])
        Hierarchy(3 elements, 2 levels)
        """
        return cls._of_rows(dendrograms.of_linkage, (linkage,), records, ties)

    @classmethod
    def from_children(
        cls, children: Any, heights: Any = None, records: Any = None, *, ties: Ties = "together"
    ) -> Self:
        """Create a hierarchy from `children_` and `distances_` of scikit-learn.

        Parameters
        ----------
        children : array
            The two joined clusters of each row.
        heights : array, optional
            The height of each row. By default, each row is a level.
        records : sequence, optional
            Names of the leaves. By default, positions.
        ties : {"together", "in order"}, default="together"
            As in `from_linkage`.

        Returns
        -------
        Hierarchy
            The hierarchy.

        Examples
        --------
        >>> Hierarchy.from_children([[0, 1], [2, 3]], heights=[0.5, 0.7])
        Hierarchy(3 elements, 2 levels)
        """
        return cls._of_rows(dendrograms.of_children, (children, heights), records, ties)

    @classmethod
    def from_hclust(cls, merge: Any, height: Any, labels: Any = None, *, ties: Ties = "together") -> Self:
        """Create a hierarchy from an `hclust` object of R.

        Parameters
        ----------
        merge : array
            The `merge` matrix: -i is element i, and i is the cluster of row i.
        height : array
            The `height` vector.
        labels : sequence, optional
            The `labels`. By default, positions.
        ties : {"together", "in order"}, default="together"
            As in `from_linkage`.

        Returns
        -------
        Hierarchy
            The hierarchy.

        Examples
        --------
        >>> Hierarchy.from_hclust([[-1, -2], [1, -3]], [0.5, 0.7], ["ann", "bob", "eve"])
        Hierarchy(3 elements, 2 levels)
        """
        return cls._of_rows(dendrograms.of_hclust, (merge, height), labels, ties)

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
        """Create a hierarchy from nodes and their parents.

        Leaves are the nodes without children. A root has no row, or a null parent.

        Parameters
        ----------
        parents : mapping, list of pairs, or dataframe
            The parent of each node.
        heights : mapping, optional
            The height of each node with children.
        node, parent : str, optional
            Columns of a dataframe with more than two columns.
        levels : {"depth", "height"}, optional
            Without heights: cut by distance from the root ("depth"; a leaf that ends earlier stays a
            singleton), or by the longest path down to a leaf ("height").

        Returns
        -------
        Hierarchy
            The hierarchy.

        Examples
        --------
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
        """Create a hierarchy from nested lists or dicts.

        Parameters
        ----------
        tree : nested lists or dicts
            Keys name the inner nodes. All other values are leaves.
        levels : {"depth", "height"}, default="height"
            As in `from_parents`.

        Returns
        -------
        Hierarchy
            The hierarchy.

        Examples
        --------
        >>> Hierarchy.from_nested([["tom", "kitty"], ["rex", ["jerry", "mickey"]]])
        Hierarchy(5 elements, 3 levels)
        >>> Hierarchy.from_nested({"cats": ["tom", "kitty"], "dogs": ["rex"]})
        Hierarchy(3 elements, 2 levels)
        """
        return cls._of_tree(*named_trees.of_nested(tree, named_trees.chosen_levels(levels, "height", None)))

    @classmethod
    def from_newick(cls, tree: Any, *, levels: Levels | None = None) -> Self:
        """Create a hierarchy from a tree in Newick format.

        With branch lengths, the height of a node is the depth of the deepest leaf minus its own depth.
        Comments in brackets are skipped.

        Parameters
        ----------
        tree : str or path-like
            The text, or the path of a file. Names are taken literally, including underscores.
        levels : {"depth", "height"}, optional
            Without branch lengths, as in `from_parents`. By default, "height".

        Returns
        -------
        Hierarchy
            The hierarchy.

        Examples
        --------
        >>> Hierarchy.from_newick("((tom:1,kitty:1):2,rex:3);").level_heights.tolist()
        [1.0, 3.0]
        """
        if levels is not None:
            check_choice("levels", levels, LEVELS)
        return cls._of_tree(*named_trees.of_newick(named_trees.text_of(tree), levels))

    @classmethod
    def from_levels(
        cls,
        levels: Any,
        heights: Any = None,
        *,
        columns: Sequence[str] | None = None,
        record: str | None = None,
    ) -> Self:
        """Create a hierarchy from nested partitions.

        Parameters
        ----------
        levels : list, mapping or dataframe
            The partitions, in any order.
        heights : sequence, optional
            The height of each level. By default, levels count from 1, the finest.
        columns : sequence of str, optional
            Columns of the dataframe.
        record : str, optional
            The column of record ids.

        Returns
        -------
        Hierarchy
            The hierarchy.

        Raises
        ------
        HierarchyError
            If the partitions are not nested. The message names a cluster.

        Examples
        --------
        >>> Hierarchy.from_levels([["tom", "tom", "rex"], ["cat", "cat", "dog"], ["pet", "pet", "pet"]])
        Hierarchy(3 elements, 2 levels)
        """
        return cls._of_tree(
            *nested_levels.of_levels(nested_levels.given_levels(levels, columns, record), heights)
        )

    @classmethod
    def from_condensed(cls, tree: Any, records: Any = None) -> Self:
        """Create a hierarchy from the condensed tree of HDBSCAN.

        Two points are together up to the lambda at which the first of them leaves their last common cluster.
        The height is 1/lambda.

        Parameters
        ----------
        tree : condensed tree or dataframe
            `condensed_tree_`, or its columns parent, child, lambda_val and child_size.
        records : sequence, optional
            Names of the points. By default, positions.

        Returns
        -------
        Hierarchy
            The hierarchy.

        Examples
        --------
        >>> Hierarchy.from_condensed([(3, 0, 0.5, 1), (3, 1, 2.0, 1), (3, 2, 2.0, 1)]).level_heights.tolist()
        [0.5, 2.0]
        """
        found = dendrograms.of_condensed(tree)
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
        """Create a hierarchy from scored pairs of records, or from the edges of a network.

        At each threshold, records are together if pairs with at least this score connect them. If a pair has
        several scores, the highest counts. Memory depends on the number of records, not on the number of
        pairs.

        Parameters
        ----------
        pairs : dataframe or path
            Predictions of Splink, dedupe or Zingg: a dataframe of any library, or files as in
            `Partition.scan`.
        left, right : str
            The columns of the two records.
        score : str
            The column of scores.
        records : sequence, optional
            All records, if some have no pair. These are singletons at every threshold.
        memory : str, optional
            Maximum memory, such as "1GB".
        format : str, optional
            The file format, if the file name does not show it.

        Returns
        -------
        Hierarchy
            The hierarchy.

        Examples
        --------
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
        return dendrograms.linkage_of(self.parent, self.heights)

    def take(self, leaves: Any) -> Self:
        """Return the hierarchy of some of the leaves.

        Parameters
        ----------
        leaves : sequence of int
            The positions of the leaves in the new order, each once.

        Returns
        -------
        Hierarchy
            The hierarchy. Inner nodes with one remaining child are removed.

        Raises
        ------
        ParameterError
            If a position is not a whole number, is not a leaf, or is repeated.

        Examples
        --------
        >>> import concordant as cc
        >>> cc.Hierarchy.from_linkage([[0, 1, 0.5, 2], [2, 3, 0.7, 3]]).take([2, 0])
        Hierarchy(2 elements, 1 level)
        """
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

    def __reduce__(self) -> tuple[Any, ...]:
        tree = Tree(self.parent, self.heights, self.level, self.clusters)
        return _restored, (tree, self.records, self._facts)


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


def _restored(tree: Tree, records: Any, facts: dict[str, Any]) -> Hierarchy:
    return Hierarchy._of_tree(Tree(*tree), records, **facts)


def _refuse(given: dict[str, Any], why: str) -> None:
    """Refuse options that have no meaning for this input."""
    stated = {name: value for name, value in given.items() if value is not None}
    if stated:
        raise ParameterError(why, given=stated)
