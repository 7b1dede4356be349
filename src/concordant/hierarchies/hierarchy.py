"""Hierarchy: a tree over a set of records, of which a cut at any level is a partition."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Self

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray

from concordant import core
from concordant.clusterings import detect
from concordant.clusterings.clustering import (
    Clustering,
    ClusteringData,
    ClusteringKind,
    MembershipArrays,
    in_memory,
    names_of,
    refuse_given,
)
from concordant.clusterings.partition import Partition
from concordant.errors import HierarchyError, InputError, UnknownKeyError, kind_of
from concordant.foundation.conventions import Conventions, NoiseAs, Nulls, check_choice
from concordant.foundation.results import Field, Listing, ReadOnlyDict, Result, value_text
from concordant.foundation.spelling import counted
from concordant.hierarchies import dendrograms, named_trees, nested_levels, scored_pairs
from concordant.hierarchies.data import (
    HierarchyData,
    SourceHierarchy,
    Ties,
    of_scores,
)
from concordant.hierarchies.named_trees import LEVELS, Levels
from concordant.maths.arithmetic import evenly
from concordant.sources.descriptions import (
    Frame,
    check_column_names,
    columns_in_memory,
    files,
    repeated_columns,
)
from concordant.sources.formats import Format


class LevelTable(Result, Mapping[int, Mapping[str, Any]]):
    """A row for each level: its number, its height or score, its clusters, and the size of the largest.

    It is a mapping from the number of the level to the row.

    >>> from concordant.hierarchies.hierarchy import Hierarchy
    >>> print(Hierarchy.from_linkage([[0, 1, 0.5, 2], [2, 3, 0.7, 3]]).levels)
    levels 0 to 2
    level  height  n_clusters  largest
        0                   3        1
        1     0.5           2        2
        2     0.7           1        3
    """

    __slots__ = ("_columns",)

    def __init__(
        self, by: str, heights: NDArray[np.float64], clusters: NDArray[np.int64], largest: NDArray[np.int64]
    ) -> None:
        self._columns: dict[str, NDArray[Any]] = {
            "level": np.arange(len(clusters)),
            by: np.concatenate([[np.nan], heights]),  # level 0 has none
            "n_clusters": clusters,
            "largest": largest,
        }

    def __getitem__(self, level: int) -> Mapping[str, Any]:
        if isinstance(level, bool) or not isinstance(level, int | np.integer) or not 0 <= level < len(self):
            raise UnknownKeyError(f"{level!r} is not a level: levels are 0 to {len(self) - 1:,}")
        return ReadOnlyDict(
            {name: _plain_column(column[[level]])[0] for name, column in self._columns.items()}
        )

    def __iter__(self) -> Iterator[int]:
        return iter(range(len(self)))

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
3]]).levels.to_dict()["levels"][2]["n_clusters"]
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

    def _listings(self, limit: int | None = None) -> Sequence[Listing]:
        # Heights with all digits: a rounded threshold would select another level.
        rows = self._rows(limit)
        exact = ("height", "threshold")
        columns = [Field(x, x, repr if x in exact else value_text) for x in self._columns]
        rest = "" if len(rows) == len(self) else f"{len(rows)} of {len(self):,} rows"
        return [Listing(rows, columns, rest=rest)]


def _plain_column(values: NDArray[Any]) -> list[Any]:
    """Python's values; None for the height that level 0 lacks."""
    return [None if value != value else value for value in values.tolist()]  # noqa: PLR0124  (NaN)


class Hierarchy(Clustering[ClusteringData]):
    """A tree over the records of a set. A cut at any level is a partition.

    Nodes are numbers: the leaves 0 to n-1, one for each record, then the inner nodes, children first. The
    clusters are the inner nodes.

    Examples
    --------
    >>> h = Hierarchy.from_linkage([[0, 1, 0.5, 2], [2, 3, 0.5, 2], [4, 5, 2.0, 4]])
    >>> h
    <Hierarchy of 4 records, 2 levels>
    >>> h[3], h.clusters
    ((3, 5, 6), (4, 5, 6))
    >>> h.cut(n_clusters=2).labels.tolist()
    [0, 0, 1, 1]
    """

    __slots__ = ()

    _kind: ClassVar[ClusteringKind] = "hierarchy"
    _constructors: ClassVar[str] = (
        "from_linkage, from_children, from_hclust, from_parents, from_nested, from_newick, from_levels, "
        "from_condensed, from_pairs, from_frame, read, scan or of"
    )
    _content_name: ClassVar[str] = "cut(...)"

    @property
    def _compared(self) -> Any:
        """The data in memory: no engine counts trees in place."""
        return self._held

    # -- constructors ---------------------------------------------------------------------------------

    @classmethod
    def of(cls, x: Any, *, records: Any = None, ties: Ties | None = None) -> Self:
        """Create a hierarchy from an object whose type is unambiguous.

        Parameters
        ----------
        x : array, fitted estimator or dendrogram
            A linkage matrix as an array of floats, a scikit-learn estimator with `children_`, scikit-learn's
            HDBSCAN, a tree of the hdbscan package, or a dendrogram of igraph.
        records : sequence, optional
            Names of the leaves. By default, positions, or the vertex names of igraph.
        ties : {"together", "in order"}, optional
            As in `from_linkage`.

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
        <Hierarchy of 3 records, 2 levels>
        """
        given = {
            name: value for name, value in {"records": records, "ties": ties}.items() if value is not None
        }
        if isinstance(x, cls):
            refuse_given("this is a Hierarchy already; pass it when you make the Hierarchy", **given)
            return x
        if (of_igraph := detect.merges_of_igraph(x)) is not None:
            *merges, names = of_igraph
            names = names if records is None else records
            return cls(HierarchyData.of_rows(dendrograms.of_merges, tuple(merges), names, ties or "together"))
        name, inputs = detect.form_of(x)
        if name == "from_condensed":
            refuse_given("a condensed tree joins everything at the same height in one level", ties=ties)
        first, *heights = inputs
        given |= {"heights": heights[0]} if heights else {}
        made: Self = getattr(cls, name)(first, **given)
        return made

    @classmethod
    def from_linkage(cls, linkage: Any, *, records: Any = None, ties: Ties = "together") -> Self:
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
        <Hierarchy of 3 records, 2 levels>
        """
        return cls(HierarchyData.of_rows(dendrograms.of_linkage, (linkage,), records, ties))

    @classmethod
    def from_children(
        cls, children: Any, *, heights: Any = None, records: Any = None, ties: Ties = "together"
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
        <Hierarchy of 3 records, 2 levels>
        """
        return cls(HierarchyData.of_rows(dendrograms.of_children, (children, heights), records, ties))

    @classmethod
    def from_hclust(cls, merge: Any, height: Any, *, records: Any = None, ties: Ties = "together") -> Self:
        """Create a hierarchy from an `hclust` object of R.

        Parameters
        ----------
        merge : array
            The `merge` matrix: -i is element i, and i is the cluster of row i.
        height : array
            The `height` vector.
        records : sequence, optional
            Names of the leaves, such as the `labels`. By default, positions.
        ties : {"together", "in order"}, default="together"
            As in `from_linkage`.

        Returns
        -------
        Hierarchy
            The hierarchy.

        Examples
        --------
        >>> Hierarchy.from_hclust([[-1, -2], [1, -3]], [0.5, 0.7], records=["ann", "bob", "eve"])
        <Hierarchy of 3 records, 2 levels>
        """
        return cls(HierarchyData.of_rows(dendrograms.of_hclust, (merge, height), records, ties))

    @classmethod
    def from_parents(
        cls,
        parents: Any,
        *,
        heights: Any = None,
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
            singleton), or by the longest path down to a leaf ("height"). By default, "depth".

        Returns
        -------
        Hierarchy
            The hierarchy.

        Examples
        --------
        >>> taxonomy = {"tom": "cats", "kitty": "cats", "rex": "dogs", "cats": "pets", "dogs": "pets"}
        >>> Hierarchy.from_parents(taxonomy).cut(n_clusters=2)
        <Partition of 3 records, 2 clusters>
        """
        if isinstance(parents, Mapping | list | tuple):
            why = f"it names a column of a dataframe, and this is {kind_of(parents)}"
            refuse_given(why, node=node, parent=parent)
        if isinstance(parents, Mapping):
            columns = list(parents), list(parents.values())
        elif isinstance(parents, list | tuple):
            columns = named_trees.pairs_of(parents)
        else:
            columns = named_trees.columns_of(parents, node, parent)
        by = named_trees.chosen_levels(levels, "depth", heights)
        return cls(HierarchyData.of_tree(*named_trees.of_parents(*columns, heights, by)))

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
        <Hierarchy of 5 records, 3 levels>
        >>> Hierarchy.from_nested({"cats": ["tom", "kitty"], "dogs": ["rex"]})
        <Hierarchy of 3 records, 2 levels>
        """
        by = named_trees.chosen_levels(levels, "height", None)
        return cls(HierarchyData.of_tree(*named_trees.of_nested(tree, by)))

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
        >>> Hierarchy.from_newick("((tom:1,kitty:1):2,rex:3);").cut(height=1)
        <Partition of 3 records, 2 clusters>
        """
        if levels is not None:
            check_choice("levels", levels, LEVELS)
        return cls(HierarchyData.of_tree(*named_trees.of_newick(named_trees.text_of(tree), levels)))

    @classmethod
    def from_levels(
        cls,
        levels: Any,
        *,
        heights: Any = None,
        columns: Sequence[str] | None = None,
        record: str | None = None,
        nulls: Nulls | None = None,
        noise: Any = None,
        noise_as: NoiseAs | None = None,
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
        nulls : {"error", "singletons"}, optional
            Null labels: raise an error (default), or make these records singletons at that level.
        noise, noise_as : label, and {"cluster", "singletons"}, optional
            The label of noise, that is, of records in no cluster, and its treatment. Give both.

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
        <Hierarchy of 3 records, 2 levels>
        """
        given = nested_levels.given_levels(levels, columns, record)
        conventions = Conventions(nulls=nulls, noise=noise, noise_as=noise_as)
        return cls(HierarchyData.of_tree(*nested_levels.of_levels(given, heights, conventions)))

    @classmethod
    def from_condensed(cls, tree: Any, *, records: Any = None) -> Self:
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
        >>> print(Hierarchy.from_condensed([(3, 0, 0.5, 1), (3, 1, 2.0, 1), (3, 2, 2.0, 1)]).levels)
        levels 0 to 2
        level  height  n_clusters  largest
            0                   3        1
            1     0.5           2        2
            2     2.0           1        3
        """
        found = dendrograms.of_condensed(tree)
        names = named_trees.leaf_names(records, len(found.parent) - len(found.heights))
        return cls(HierarchyData.of_tree(found, names))

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
        >>> print(h.levels)
        levels 0 to 2
        level  threshold  n_clusters  largest
            0                      4        1
            1        0.9           2        2
            2        0.4           1        4
        >>> h.cut(threshold=0.5)
        <Partition of 4 records, 2 clusters>
        """
        is_path = isinstance(pairs, str | os.PathLike)
        if not is_path:
            refuse_given("it is for files, and these are pairs in memory", memory=memory, format=format)
        source = files(pairs, memory, format) if is_path else pairs
        tree, names, untyped = scored_pairs.of_pairs(source, (left, right, score), records)
        return cls(
            HierarchyData.of_tree(tree, names, descending=True, complete=records is not None, untyped=untyped)
        )

    @classmethod
    def from_frame(
        cls,
        frame: Any,
        *,
        node: str = "node",
        parent: str = "parent",
        record: str = "record",
        level: str = "level",
        height: str = "height",
    ) -> Self:
        """Create a hierarchy from a dataframe with one row per node, as `to_frame` returns it.

        Parameters
        ----------
        frame : dataframe
            A dataframe of any library.
        node : str, default="node"
            The column of nodes.
        parent : str, default="parent"
            The column of their parents. It is null for a root.
        record : str, default="record"
            The column of records. It is null for an inner node.
        level : str, default="level"
            The column of levels. A parent is at a higher level than its children.
        height : str, default="height"
            The column of heights. If the frame has a column "threshold" instead, these are scores.

        Returns
        -------
        Hierarchy
            The hierarchy.

        Examples
        --------
        >>> h = Hierarchy.from_nested([["tom", "kitty"], ["rex", ["jerry", "mickey"]]])
        >>> Hierarchy.from_frame(h.to_frame("polars")) == h
        True
        """
        check_column_names(node=node, parent=parent, record=record, level=level, height=height)
        try:
            names = nw.from_native(frame).collect_schema().names()
        except TypeError as error:
            raise InputError(f"{kind_of(frame)} is not a dataframe; Hierarchy.scan takes files") from error
        except nw.exceptions.DuplicateError as error:
            raise repeated_columns(Frame(frame), error) from None
        columns, descending = of_scores((node, parent, record, level, height), names)
        held = columns_in_memory(frame, *columns)
        return cls(HierarchyData.of_nodes(held, descending=descending, source="the dataframe"))

    @classmethod
    def read(
        cls,
        path: Any,
        *,
        node: str = "node",
        parent: str = "parent",
        record: str = "record",
        level: str = "level",
        height: str = "height",
        format: Format | None = None,
    ) -> Self:
        """Read a hierarchy from files into memory, as `write` wrote them.

        Parameters
        ----------
        path : path-like or list of paths
            The files, as in `scan`.
        node : str, default="node"
            The column of nodes, as in `from_frame`.
        parent : str, default="parent"
            The column of their parents.
        record : str, default="record"
            The column of records.
        level : str, default="level"
            The column of levels.
        height : str, default="height"
            The column of heights.
        format : str, optional
            The file format, if the file name does not show it.

        Returns
        -------
        Hierarchy
            The hierarchy.

        Examples
        --------
        >>> from tempfile import TemporaryDirectory
        >>> h = Hierarchy.from_nested([["tom", "kitty"], ["rex", ["jerry", "mickey"]]])
        >>> with TemporaryDirectory() as folder:
        ...     Hierarchy.read(h.write(folder + "/pets.csv")) == h
        True
        """
        columns = {"node": node, "parent": parent, "record": record, "level": level, "height": height}
        return in_memory(cls.scan(path, **columns, format=format))

    @classmethod
    def scan(
        cls,
        path: Any,
        *,
        node: str = "node",
        parent: str = "parent",
        record: str = "record",
        level: str = "level",
        height: str = "height",
        format: Format | None = None,
    ) -> Self:
        """Create a hierarchy from files with one row per node, which are read when they are needed.

        Parameters
        ----------
        path : path-like or list of paths
            Parquet, CSV, TSV or JSON lines files: a path, a pattern such as "run/*.parquet", or a list.
        node : str, default="node"
            The column of nodes, as in `from_frame`.
        parent : str, default="parent"
            The column of their parents.
        record : str, default="record"
            The column of records.
        level : str, default="level"
            The column of levels.
        height : str, default="height"
            The column of heights.
        format : str, optional
            The file format, if the file name does not show it.

        Returns
        -------
        Hierarchy
            The hierarchy.

        Examples
        --------
        >>> Hierarchy.scan("tree.parquet")
        <Hierarchy of 'node' in tree.parquet>
        """
        return cls(SourceHierarchy(files(path, None, format), (node, parent, record, level, height)))

    # -- cuts -----------------------------------------------------------------------------------------

    def cut(
        self,
        *,
        n_clusters: int | None = None,
        height: float | None = None,
        threshold: float | None = None,
        level: int | None = None,
    ) -> Partition:
        """Return the partition at a level. Give one of the options.

        Parameters
        ----------
        n_clusters : int, optional
            The first level with at most so many clusters. A warning is issued if that level has fewer.
        height : float, optional
            Cut above this height: everything joined at this height or below is together.
        threshold : float, optional
            Cut below this score: everything joined by this score or a higher one is together.
        level : int, optional
            The number of the level. At level 0, all leaves are singletons.

        Returns
        -------
        Partition
            The partition. Its labels number the clusters by first appearance.

        Raises
        ------
        ParameterError
            If none or several of the options are given, or the level does not exist.

        Examples
        --------
        >>> import concordant as cc
        >>> h = cc.Hierarchy.from_linkage([[0, 1, 0.5, 2], [2, 3, 0.7, 3]], records=["ann", "bob", "eve"])
        >>> h.cut(height=0.5).to_dict()
        {'ann': 0, 'bob': 0, 'eve': 1}
        """
        ways = {"n_clusters": n_clusters, "height": height, "threshold": threshold, "level": level}
        return Partition(self._held.cut(self._held.level_at(**ways)))

    def level_at(
        self,
        *,
        n_clusters: int | None = None,
        height: float | None = None,
        threshold: float | None = None,
        level: int | None = None,
    ) -> int:
        """Return the number of a level. The options are those of `cut`.

        Parameters
        ----------
        n_clusters, height, threshold, level : int or float, optional
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
        found: int = self._held.level_at(
            n_clusters=n_clusters, height=height, threshold=threshold, level=level
        )
        return found

    @property
    def levels(self) -> LevelTable:
        """A table of the levels: number, height or threshold, clusters, and size of the largest.

        Examples
        --------
        >>> import concordant as cc
        >>> cc.Hierarchy.from_linkage([[0, 1, 0.5, 2], [2, 3, 0.7, 3]]).levels.to_dict()["levels"][1]
        {'level': 1, 'height': 0.5, 'n_clusters': 2, 'largest': 2}
        """
        tree: HierarchyData = self._held
        last = np.searchsorted(tree.level, np.arange(1, len(tree.clusters)), side="right") - 1
        largest = np.maximum.accumulate(tree.sizes[tree.size :])[last]
        by = "threshold" if tree.descending else "height"
        return LevelTable(by, tree.level_heights, tree.clusters, np.append(min(1, tree.size), largest))

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
        tree: HierarchyData = self._held
        if tree.clusters[-1] > 1:
            raise HierarchyError(
                f"a linkage matrix joins all records, and here {counted(int(tree.clusters[-1]), 'tree')} "
                "are never joined"
            )
        if tree.descending:
            raise HierarchyError("a linkage matrix has heights that rise, and these are scores, which fall")
        return dendrograms.linkage_of(tree.parent, tree.heights)

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
        <Hierarchy of 2 records, 1 level>
        """
        return type(self)(self._held.take(leaves))

    # -- content --------------------------------------------------------------------------------------

    def to_dict(self) -> dict[Any, Any]:
        return self._columns()

    def __str__(self) -> str:
        return f"{self!r}\n{self.levels}"

    def _repr_html_(self) -> str:
        import html  # rarely needed

        return f"<div><p>{html.escape(repr(self))}</p>{self.levels._repr_html_()}</div>"

    def _record_names(self) -> Sequence[Any]:
        return names_of(self._held.records, self._held.size)

    def _cluster_labels(self) -> tuple[Any, ...]:
        return tuple(range(self._held.size, len(self._held.parent)))

    def _item(self, position: int) -> tuple[int, ...]:
        parent, nodes = self._held.parent, [position]
        while (above := int(parent[nodes[-1]])) >= 0:
            nodes.append(above)
        return tuple(nodes)

    def _columns(self) -> dict[str, list[Any]]:
        tree: HierarchyData = self._held
        n, inner = tree.size, len(tree.heights)
        return {
            "node": list(range(n + inner)),
            "parent": [None if above < 0 else above for above in tree.parent.tolist()],
            "record": [*self.records, *[None] * inner],
            "level": [*[0] * n, *tree.level.tolist()],
            "threshold" if tree.descending else "height": [*[None] * n, *tree.heights.tolist()],
            "size": tree.sizes.tolist(),
        }

    def _in_clusters(self) -> MembershipArrays:
        tree: HierarchyData = self._held
        pairs = [(x, node - tree.size) for x in range(tree.size) for node in self._item(x)[1:]]
        record, cluster = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
        return MembershipArrays(record, cluster, np.ones(len(record)))

    def _marks(self, words: NDArray[np.uint64]) -> NDArray[np.uint64]:
        sums = self._word_sums(words)
        return sums[np.lexsort(sums.T)].astype(np.uint64)

    def _word_sums(self, words: NDArray[np.uint64]) -> NDArray[np.int64]:
        """For each inner node the sum of the words of its leaves."""
        tree: HierarchyData = self._held
        bits = 62 - max(tree.size, 1).bit_length()  # sums of so many bits are exact
        laid = np.zeros((len(tree.parent), 2), dtype=np.int64)
        laid[: tree.size] = (words >> np.uint64(63 - bits)).astype(np.int64)
        sums = [core.subtree_sums(tree.parent, np.ascontiguousarray(column)) for column in laid.T]
        return np.stack(sums, axis=1)[tree.size :]

    def _is_equal(self, other: Clustering[Any]) -> bool:
        place = self._places_of(other)
        if place is None or not isinstance(other, Hierarchy):
            return False
        words = np.random.default_rng().integers(0, 2**63, (self.size, 2), dtype=np.int64).astype(np.uint64)
        sides = []
        for side, own in ((self, words), (other, words[place])):
            tree: HierarchyData = side._held
            sums = side._word_sums(own)
            order = np.lexsort((*sums.T, tree.level))
            sides.append((sums[order], tree.level[order], tree.heights[order], tree.descending))
        return all(np.array_equal(one, two) for one, two in zip(*sides, strict=True))
