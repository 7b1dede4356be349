"""Which constructor takes an object, by its attributes; no library is imported."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from concordant.errors import HierarchyError, kind_of

_CALLS = (
    "from_linkage, from_children, from_hclust, from_parents, from_nested, from_newick, from_levels, "
    "from_condensed or from_pairs"
)
# The fields of the single linkage tree of scikit-learn's HDBSCAN: a linkage matrix.
_MERGES = ("left_node", "right_node", "value", "cluster_size")


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
