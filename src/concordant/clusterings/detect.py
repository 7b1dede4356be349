"""The kind of object that a user passed, found by its attributes and its type.

No library is imported for this: someone who passes an array of PyTorch has imported it already. Everything
that asks for the kind of an input asks here; ``inputs`` makes a partition of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np

from concordant.errors import HierarchyError, kind_of

# Errors of objects that cannot be hashed, compared, or turned into an array.
INCOMPARABLE = (TypeError, ValueError, RuntimeError)

_CUDA = (2, 13)  # device types of DLPack: memory of a device, and managed memory


def is_on_device(value: Any) -> bool:
    """Whether these are labels in the memory of a GPU that CUDA drives.

    Arrays of CuPy, PyTorch and JAX are recognised by DLPack, others by ``__cuda_array_interface__``; a
    column of cuDF is always on a GPU. None of these libraries is imported.

    >>> is_on_device(np.arange(3)), is_on_device([0, 0, 1])
    (False, False)
    """
    if isinstance(value, (np.ndarray, list, tuple)):
        return False
    kind = type(value)
    if kind.__module__.partition(".")[0] == "cudf":
        return hasattr(value, "dtype")
    if hasattr(kind, "__dlpack_device__"):
        try:
            return value.__dlpack_device__()[0] in _CUDA
        except (BufferError, RuntimeError, TypeError, ValueError):  # deleted, or on several devices
            return False  # reading it as an array reports what is wrong with it
    return hasattr(kind, "__cuda_array_interface__") and hasattr(value, "__cuda_array_interface__")


def is_chunked(value: Any) -> bool:
    """Whether this is an array in chunks that is to be read block by block.

    >>> is_chunked(np.zeros((2, 2))), is_chunked([1, 2])
    (False, False)
    """
    if isinstance(value, (np.ndarray, list, tuple, str, Mapping)):
        return False
    held = array_in(value)
    if isinstance(held, np.ndarray):  # of xarray, in memory: its dimensions have names
        return True
    in_chunks = _has(value, "chunks") or _has(value, "chunk_layout")
    return in_chunks and all(_has(value, name) for name in ("shape", "dtype", "__getitem__"))


def _has(value: Any, name: str) -> bool:
    """Whether there is such an attribute; checks the type first, because a closed file raises."""
    return hasattr(type(value), name) or hasattr(value, name)


def array_in(value: Any) -> Any:
    """The array that a DataArray of xarray holds."""
    return value.data if names_of_dimensions(value) is not None and hasattr(value, "data") else value


def names_of_dimensions(value: Any) -> tuple[Any, ...] | None:
    """Dimension names in xarray; h5py has ``dims`` that are not names."""
    dims = getattr(value, "dims", None)
    return dims if isinstance(dims, tuple) else None


def are_clusters(value: Any) -> bool:
    if isinstance(value, (list, tuple)):
        return bool(value) and isinstance(value[0], (set, frozenset))
    is_set = isinstance(value, (set, frozenset))
    return is_set and bool(value) and all(isinstance(cluster, frozenset) for cluster in value)


LabelsForm = Literal["labels", "clusters", "mapping", "on device", "in chunks"]


def form_of_labels(value: Any) -> LabelsForm:
    """How the labels of a partition are given.

    >>> form_of_labels([0, 1]), form_of_labels([{"a", "b"}]), form_of_labels({"a": 0})
    ('labels', 'clusters', 'mapping')
    """
    if isinstance(value, np.ndarray):
        return "labels"
    if are_clusters(value):
        return "clusters"
    if isinstance(value, Mapping):
        return "mapping"
    if is_on_device(value):
        return "on device"
    return "in chunks" if is_chunked(value) else "labels"


def has_observations(holder: Any) -> bool:
    """Whether this is AnnData or looks like it: a table of cells, with labels in ``obs``.

    Dataframes have their columns as attributes, and some accept any attribute name; these do not count.
    """
    is_attribute = hasattr(type(holder), "obs") or "obs" in getattr(holder, "__dict__", ())
    return is_attribute and hasattr(holder, "obs_names")


def is_table(value: Any) -> bool:
    """Whether this is a dataframe, a lazy query, a relation, or AnnData: it has columns with names.

    >>> is_table({"a": 1}), is_table(np.zeros((2, 2)))
    (False, False)
    """
    kind = type(value)
    if kind.__module__.partition(".")[0] == "concordant":  # counts have a number of columns
        return False
    return hasattr(kind, "columns") or hasattr(kind, "column_names") or has_observations(value)


_CALLS = (
    "from_linkage, from_children, from_hclust, from_parents, from_nested, from_newick, from_levels, "
    "from_condensed or from_pairs"
)
# The fields of the single linkage tree of scikit-learn's HDBSCAN: a linkage matrix.
_MERGES = ("left_node", "right_node", "value", "cluster_size")


def merges_of_igraph(dendrogram: Any) -> tuple[Any, int, Any] | None:
    """The merges of an igraph dendrogram, the number of vertices and their names; None for other objects."""
    if not hasattr(dendrogram, "merges") or not hasattr(dendrogram, "as_clustering"):
        return None
    flat = dendrogram.as_clustering()
    vertices = getattr(getattr(flat, "graph", None), "vs", None)
    names = None if vertices is None or "name" not in vertices.attributes() else vertices["name"]
    return dendrogram.merges, len(flat.membership), names


def form_of(value: Any) -> tuple[str, tuple[Any, ...]]:
    """The name of the constructor and its arguments; ambiguous objects are refused."""
    if isinstance(value, np.ndarray):
        names = value.dtype.names
        if names is not None and {"parent", "child", "lambda_val"} <= set(names):
            return "from_condensed", (value,)
        if names == _MERGES or (value.dtype.kind == "f" and value.ndim == 2 and value.shape[1] == 4):
            return "from_linkage", (value,)  # which checks clusters and sizes
        raise HierarchyError(
            f"an array of {value.dtype} and shape {value.shape} is ambiguous; a linkage has four columns "
            "of floating-point numbers. Name the form: Hierarchy.from_linkage, from_children or from_levels"
        )
    if hasattr(value, "single_linkage_tree_") or hasattr(value, "condensed_tree_"):
        raise HierarchyError(
            f"{kind_of(value)} has two trees; pass its single_linkage_tree_, or its condensed_tree_, which "
            "has its clusters"
        )
    if hasattr(value, "children_"):  # scikit-learn
        return "from_children", (value.children_, getattr(value, "distances_", None))
    merges = getattr(value, "_single_linkage_tree_", None)  # scikit-learn's HDBSCAN has no public name for it
    if isinstance(merges, np.ndarray) and merges.dtype.names == _MERGES:
        return "from_linkage", (merges,)
    kind = type(value).__name__
    if kind in ("SingleLinkageTree", "CondensedTree") and hasattr(value, "to_numpy"):
        return "from_linkage" if kind == "SingleLinkageTree" else "from_condensed", (value.to_numpy(),)
    if hasattr(value, "labels_") or hasattr(value, "fit_predict"):
        raise HierarchyError(
            f"{kind_of(value)} has no tree: it has not been fitted, or it does not make one; fit it, or "
            "compare its labels_"
        )
    ways = _CALLS
    if isinstance(value, Mapping):
        ways = "from_parents (node -> parent) or from_nested (node -> its parts)"
    elif isinstance(value, str):
        ways = "from_newick (text or a file) or from_pairs (a file of scored pairs)"
    elif hasattr(value, "columns") or hasattr(value, "column_names"):
        ways = "from_pairs, from_parents, from_levels or from_condensed"
    elif isinstance(value, list | tuple):
        ways = "from_linkage, from_children, from_nested or from_levels"
    doubt = "is not recognised as a tree" if ways == _CALLS else "is ambiguous"
    raise HierarchyError(f"{kind_of(value)} {doubt}; name the form: Hierarchy.{ways}")
