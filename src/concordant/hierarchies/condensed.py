"""Condensed trees of HDBSCAN: clusters that lose points one by one, until they split or end."""

from __future__ import annotations

from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray

from concordant.counts.arithmetic import Floats, Integers
from concordant.errors import HierarchyError, kind_of
from concordant.hierarchies.tree import Tree, arranged, check_heights, leaf_counts

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
    return arranged(found, own)


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
