"""Trees given as rows that join two clusters each: SciPy's linkage, scikit-learn's children, R's hclust."""

from __future__ import annotations

from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray

from concordant.counts.arithmetic import Floats, Integers
from concordant.counts.spelling import counted, verb
from concordant.counts.trees import Tree, arranged, check_heights, leaf_counts
from concordant.errors import HierarchyError, kind_of


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


def of_merges(merges: Any, size: int, *, in_order: bool) -> Tree:
    """The tree of igraph's merges of so many leaves, which may be a forest; a height is a row number."""
    rows = _whole(_numbers(merges, "the merges", 2), "the merges")
    return _tree(_parents(rows, size), _heights(None, len(rows)), in_order=in_order)


def of_hclust(merge: Any, height: Any, *, in_order: bool) -> Tree:
    """The tree of R's hclust: -i is the i-th element, i the cluster of the i-th row."""
    rows = _whole(_numbers(merge, "merge", 2), "merge")
    zero = np.argwhere(rows == 0)
    if len(zero):
        raise HierarchyError(
            f"row {int(zero[0][0])} of merge contains 0; R counts records as -1, -2, ... and rows as "
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
        there = f"there {verb(rows, 'are')} {counted(rows, 'row')}"
        raise HierarchyError(f"{there}, and heights of shape {found.shape}: one for each row")
    return found


def _parents(children: Integers, size: int | None = None) -> Integers:
    """The parents of all nodes; each row joins two clusters that were made before, each of them once."""
    size = len(children) + 1 if size is None else size
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
        kind = "record" if flat[place] < size else "cluster"
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


_FIELDS = ("parent", "child", "lambda_val", "child_size")


def of_condensed(condensed: Any) -> Tree:
    """The tree in which two points are together until the first of them leaves their last common cluster.

    Points that leave a cluster form a chain: the last two that leave are joined first. The height is 1/λ.
    """
    parents, children, lambdas, sizes = _columns(condensed)
    if not len(parents):
        raise HierarchyError("the condensed tree has no rows")
    size = int(parents.min())  # clusters are numbered after the points, from the root on
    _check_rows(parents, children, lambdas, size)
    with np.errstate(divide="ignore"):
        distance = 1 / lambdas
    # The parts of a cluster come before it, since they have larger numbers.
    order = np.lexsort((distance, -parents))
    parent, heights, rows = [-1] * size, list[float](), list[int]()
    top = np.full(int(parents.max()) + 1, -1)  # the node with all rows of a cluster that were read so far
    top[:size] = np.arange(size)
    for row in order.tolist():
        whole, part = int(parents[row]), int(top[children[row]])
        if top[whole] < 0:
            top[whole] = part
            continue
        parent[part] = parent[top[whole]] = len(parent)
        top[whole] = len(parent)
        parent.append(-1)
        heights.append(float(distance[row]))
        rows.append(row)
    found, own = np.array(parent), np.array(heights, dtype=np.float64)
    check_heights(found, own, lambda node: f"row {rows[node]}", in_order=False, remedies=())
    counts = leaf_counts(found, size)[top[children]]
    wrong = np.flatnonzero(counts != sizes)
    if len(wrong):
        row = int(wrong[0])
        raise HierarchyError(
            f"row {row} of the condensed tree states {sizes[row]} points, but {children[row]} has "
            f"{counts[row]}"
        )
    kept = np.zeros(len(own), dtype=np.bool_)  # clusters of the condensed tree
    clusters = top[size:]
    kept[clusters[clusters >= size] - size] = True
    return arranged(found, own, kept=kept)


def _columns(condensed: Any) -> tuple[Integers, Integers, Floats, Integers]:
    """The four columns of a structured array, a dataframe, a table of numbers, or HDBSCAN's own object."""
    table = condensed
    if not isinstance(table, np.ndarray) and hasattr(table, "to_numpy") and not hasattr(table, "columns"):
        table = table.to_numpy()
    if isinstance(table, list | tuple):
        try:
            table = np.asarray(table or np.empty((0, len(_FIELDS))), dtype=np.float64)
        except (TypeError, ValueError) as error:
            raise HierarchyError(
                f"the condensed tree cannot be read as a table of numbers: {error}"
            ) from error
    if isinstance(table, np.ndarray):
        names = table.dtype.names
        if names is None and (table.ndim != 2 or table.shape[1] != len(_FIELDS)):
            raise HierarchyError(
                f"the condensed tree has the shape {table.shape}; it needs the columns {', '.join(_FIELDS)}"
            )
        columns = {
            name: table[:, place] if names is None else table[name]
            for place, name in enumerate(_FIELDS)
            if names is None or name in names
        }
    elif hasattr(table, "columns"):
        frame = nw.from_native(table, eager_only=True)
        columns = {name: frame[name].to_numpy() for name in _FIELDS if name in frame.columns}
    else:
        raise HierarchyError(
            f"{kind_of(condensed)} is not a condensed tree; pass condensed_tree_ of HDBSCAN, its to_numpy() "
            "or its to_pandas()"
        )
    for name in _FIELDS:
        if name not in columns:
            raise HierarchyError(f"the condensed tree has no column {name!r}; it needs {', '.join(_FIELDS)}")
    parent, child, child_size = (
        _whole_numbers(columns[name], name) for name in ("parent", "child", "child_size")
    )
    return parent, child, columns["lambda_val"].astype(np.float64), child_size


def _whole_numbers(column: NDArray[Any], name: str) -> Integers:
    found = column.astype(np.float64)
    wrong = np.flatnonzero(~(np.isfinite(found) & (found == np.floor(found)) & (abs(found) < 2.0**53)))
    if len(wrong):
        row = int(wrong[0])
        raise HierarchyError(f"row {row} of the condensed tree: {name} is {found[row]:g}, not a whole number")
    return found.astype(np.int64)


def _check_rows(parents: Integers, children: Integers, lambdas: Floats, size: int) -> None:
    """Refuse rows that do not form a condensed tree: each node but the root is a part of one cluster."""
    bad = np.flatnonzero(~(lambdas >= 0))
    if len(bad):
        row = int(bad[0])
        raise HierarchyError(
            f"row {row} of the condensed tree: lambda is {lambdas[row]}; a lambda is 0 or more"
        )
    bad = np.flatnonzero((children < 0) | ((children >= size) & (children <= parents)))
    if len(bad):
        row = int(bad[0])
        raise HierarchyError(
            f"row {row} of the condensed tree: {children[row]} cannot be a part of cluster {parents[row]}; "
            "clusters are numbered from the root down"
        )
    total = int(max(parents.max(), children.max())) + 1
    times = np.bincount(children, minlength=total)
    times[size] += 1  # the root is not part of any cluster
    if (times != 1).any():
        node = int(np.flatnonzero(times != 1)[0])
        problem = "no row" if not times[node] else "several rows"
        raise HierarchyError(
            f"{node} is the child of {problem} of the condensed tree; every point and cluster has one"
        )
    is_parent = np.bincount(parents, minlength=total) > 0
    if not is_parent[size:].all():
        empty = size + int(np.flatnonzero(~is_parent[size:])[0])
        raise HierarchyError(f"cluster {empty} of the condensed tree has no parts")
