"""What the compiled core offers to Python.

Labels are one-dimensional arrays of any integer type or bool, of any stride; every call
releases the GIL while it counts. ``threads=0`` means as many as the process may use.
"""

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Int64Array: TypeAlias = NDArray[np.int64]
LabelArray: TypeAlias = NDArray[np.integer[Any] | np.bool_]

def profile(
    u: LabelArray, v: LabelArray, threads: int = 0
) -> tuple[Int64Array, Int64Array, Int64Array, Int64Array]:
    """Distinct triples (n, a, b) of the non-empty cells with their multiplicity, sorted by (a, b, n).

    Returns ``(n, a, b, count)``: overlap, size of the cluster of u, size of the cluster of v,
    number of cells with that triple. Identical for any number of threads.
    """

def cells(
    u: LabelArray, v: LabelArray, threads: int = 0
) -> tuple[Int64Array, Int64Array, Int64Array, Int64Array, Int64Array]:
    """The non-empty cells of the contingency table, sorted by (row, column).

    Returns ``(row, column, n, row_first, column_first)``. Rows and columns are numbered from 0 in
    the order in which the clusters first appear; ``row_first[i]`` is the position of the first
    element of row i, and so for the columns.
    """

def factorize(labels: LabelArray) -> tuple[Int64Array, Int64Array]:
    """Codes 0..k-1 in order of first appearance, and the position where each first appears."""

def factorize_items(items: NDArray[np.uint8]) -> tuple[Int64Array, Int64Array]:
    """Like ``factorize`` for items of a fixed number of bytes: a C-contiguous array of shape (n, width)."""

def expected_mutual_information(
    row_sizes: Int64Array,
    row_counts: Int64Array,
    column_sizes: Int64Array,
    column_counts: Int64Array,
    threads: int = 0,
) -> float:
    """Mean mutual information, in nats, of two partitions with these distinct sizes (ascending) and the
    number of clusters of each size, over all relabellings of the elements (hypergeometric model)."""

def assignment(
    row: Int64Array, column: Int64Array, weight: NDArray[np.float64] | Int64Array, max_cells: int = 0
) -> Int64Array:
    """Positions of the cells of a one-to-one matching of rows to columns with the largest total weight.

    Solved per connected component. Cells without positive weight are never matched; integer weights
    (up to 2**61) are matched exactly. Time and memory go with the cells, not with rows x columns.
    Raises ``ComponentTooLarge`` (a ``MemoryError`` with the size in its text) when a component of
    several rows and columns has more than ``max_cells`` cells (0: 2**28).
    """

class ComponentTooLarge(MemoryError): ...
