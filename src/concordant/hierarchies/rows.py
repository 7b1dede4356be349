"""Trees given as rows that join two clusters each: SciPy's linkage, scikit-learn's children, R's hclust."""

from __future__ import annotations

from typing import Any

import numpy as np

from concordant.counts.arithmetic import Floats, Integers
from concordant.errors import HierarchyError, kind_of
from concordant.hierarchies.tree import Tree, arranged, check_heights, leaf_counts


def of_linkage(linkage: Any, *, in_order: bool) -> Tree:
    """The tree of SciPy's linkage matrix."""
    table = _numbers(linkage, "the linkage", 4)
    children = _whole(table[:, :2], "the linkage")
    parent = _parents(children)
    sizes = leaf_counts(parent, len(children) + 1)[len(children) + 1 :]
    wrong = np.flatnonzero(table[:, 3] != sizes)
    if len(wrong):
        row = int(wrong[0])
        raise HierarchyError(
            f"row {row} of the linkage states {table[row, 3]:g} leaves, but the clusters that it joins have "
            f"{sizes[row]}; the columns are two clusters, their height, and the number of leaves"
        )
    return _tree(parent, np.ascontiguousarray(table[:, 2]), in_order=in_order)


def of_children(children: Any, heights: Any, *, in_order: bool) -> Tree:
    """The tree of scikit-learn's ``children_`` and ``distances_``; without these a height is a row number."""
    rows = _whole(_numbers(children, "children", 2), "children")
    return _tree(_parents(rows), _heights(heights, len(rows)), in_order=in_order)


def of_hclust(merge: Any, height: Any, *, in_order: bool) -> Tree:
    """The tree of R's hclust: -i is the i-th element, i the cluster of the i-th row."""
    rows = _whole(_numbers(merge, "merge", 2), "merge")
    zero = np.argwhere(rows == 0)
    if len(zero):
        raise HierarchyError(
            f"row {int(zero[0][0])} of merge contains 0; R counts elements as -1, -2, ... and rows as "
            "1, 2, ..."
        )
    return _tree(
        _parents(np.where(rows < 0, -rows - 1, rows + len(rows))),
        _heights(height, len(rows)),
        in_order=in_order,
    )


def _tree(parent: Integers, heights: Floats, *, in_order: bool) -> Tree:
    check_heights(parent, heights, "row {}".format, in_order=in_order)
    return arranged(parent, heights, in_order=in_order)


def _numbers(values: Any, what: str, columns: int) -> Floats:
    """A table of so many columns as floating-point numbers."""
    if isinstance(values, np.ndarray) and values.dtype.names and values.ndim == 1:
        values = np.column_stack([values[name] for name in values.dtype.names])
    try:
        table = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise HierarchyError(f"{what} cannot be read as a table of numbers: {error}") from error
    if table.size == 0 and table.ndim <= 2:  # a single leaf, so there are no joins
        return np.empty((0, columns))
    if table.ndim != 2 or table.shape[1] != columns:
        raise HierarchyError(
            f"{what}: {kind_of(values)} of shape {table.shape}; one row for each merge and {columns} columns "
            "are needed"
        )
    return table


def _whole(table: Floats, what: str) -> Integers:
    """The same as integers."""
    wrong = np.argwhere(~(np.isfinite(table) & (table == np.floor(table))))
    if len(wrong):
        row, column = map(int, wrong[0])
        raise HierarchyError(
            f"row {row} of {what} contains {table[row, column]:g} instead of the number of a cluster"
        )
    return np.clip(table, -(2.0**53), 2.0**53).astype(np.int64)


def _heights(heights: Any, rows: int) -> Floats:
    if heights is None:
        return np.arange(1.0, rows + 1)
    try:
        found = np.ascontiguousarray(heights, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise HierarchyError(f"the heights cannot be read as numbers: {error}") from error
    if found.shape != (rows,):
        raise HierarchyError(f"there are {rows} rows, and heights of shape {found.shape}: one for each row")
    return found


def _parents(children: Integers) -> Integers:
    """The parents of all nodes; each row joins two clusters that were made before, each of them once."""
    size = len(children) + 1
    made = np.arange(len(children))[:, None] + size
    outside = np.argwhere((children < 0) | (children >= made))
    if len(outside):
        row, column = map(int, outside[0])
        cluster = int(children[row, column])
        why = f"which is made in row {cluster - size}"
        if not 0 <= cluster < size + len(children):
            why = f"but clusters are numbered from 0 to {size + len(children) - 1}"
        raise HierarchyError(
            f"row {row} merges cluster {cluster}, {why}; a row can merge only clusters that already exist"
        )
    flat = children.ravel()
    parent = np.full(size + len(children), -1)
    parent[flat] = np.repeat(made.ravel(), 2)
    order = np.argsort(flat, kind="stable")
    again = order[1:][flat[order[1:]] == flat[order[:-1]]]
    if len(again):
        place = int(again.min())
        kind = "element" if flat[place] < size else "cluster"
        raise HierarchyError(
            f"row {place // 2}: {kind} {flat[place]} is merged twice; each is merged into one cluster"
        )
    return parent


def linkage_of(parent: Integers, heights: Floats) -> Floats:
    """SciPy's linkage matrix of an arranged tree with one root; several children are several rows."""
    size = len(parent) - len(heights)
    held: dict[int, tuple[int, int]] = {}  # the cluster and the size of each inner node so far
    found: list[tuple[float, float, float, float]] = []
    for child in np.argsort(parent[:-1], kind="stable").tolist():  # the last node is the root
        whole = int(parent[child])
        cluster, count = held[child] if child >= size else (child, 1)
        if whole in held:
            other, more = held[whole]
            count += more
            found.append((min(cluster, other), max(cluster, other), float(heights[whole - size]), count))
            cluster = size + len(found) - 1
        held[whole] = cluster, count
    return np.array(found, dtype=np.float64).reshape(-1, 4)
