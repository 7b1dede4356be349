"""Pairs that the edges of a graph join, counted by whether they are together in each partition."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from typing import Any

import numpy as np

from concordant.counts.counted_sides import CountedSides
from concordant.counts.pairs import EdgePairs, PairCounts, PartialCounts
from concordant.errors import InputError, LabelError, ParameterError, kind_of
from concordant.foundation.conventions import Undefined
from concordant.indices.index import Index


def value_over_edges(made: CountedSides, edges: Any, index: Index, undefined: Undefined) -> float:
    """A pair-counting index over the pairs that the edges join."""
    if index.views != (PairCounts,):
        raise ParameterError(
            f"{index.name} is not computed from pair counts alone; over edges, use an index that is, "
            "such as adjusted_rand, jaccard or f_measure",
            given={"index": index.name},
        )
    pairs = pairs_over_edges(made, edges)
    with suppress(ZeroDivisionError):  # raises for an index that counts elements, even if the sides agree
        index.compute(pairs, **index.arguments)
    counts = PartialCounts(made.counts.size, made.counts.identical, {PairCounts: pairs})
    return index.value(counts, undefined)


def pairs_over_edges(made: CountedSides, edges: Any) -> EdgePairs:
    """The counts of the pairs of records that the edges join."""
    table, records = made.counts.partitions.table, made.names.records
    place = {record: position for position, record in enumerate(records.everyone)}
    ends = np.array(_positions(_edge_list(edges), place), dtype=np.int64)
    together = []
    for clusters in (table.row, table.column):
        cluster = clusters[np.asarray(records.cell)[ends]]
        together.append(cluster[:, 0] == cluster[:, 1])
    u, v = together
    n11, in_u, in_v = (int(np.count_nonzero(each)) for each in (u & v, u, v))
    return EdgePairs(n11, in_u - n11, in_v - n11, len(ends) - in_u - in_v + n11, 0)


def _edge_list(edges: Any) -> list[Any]:
    """The pairs of a graph of networkx or igraph, of two columns of a dataframe or array, or of a list."""
    if hasattr(edges, "get_edgelist"):  # igraph
        edges = edges.get_edgelist()
    elif callable(getattr(edges, "edges", None)):  # networkx
        edges = edges.edges()
    elif hasattr(edges, "to_numpy"):
        edges = edges.to_numpy()
    if isinstance(edges, str) or not isinstance(edges, Iterable):
        raise InputError(f"edges are pairs of records or a graph, not {kind_of(edges)}")
    listed = edges.tolist() if isinstance(edges, np.ndarray) else list(edges)
    if not listed:
        raise InputError("there are no edges, so there is no pair to compare")
    return listed


def _positions(edges: list[Any], place: dict[Any, int]) -> list[tuple[int, int]]:
    found: dict[tuple[int, int], int] = {}
    for number, edge in enumerate(edges):
        if isinstance(edge, str) or not hasattr(edge, "__len__") or len(edge) != 2:
            raise InputError(f"edge {number} is {edge!r}, not a pair of records")
        for record in edge:
            if record not in place:
                raise LabelError(f"edge {number} joins {record!r}, which is not a record of the comparison")
        low, high = sorted((place[edge[0]], place[edge[1]]))
        if low == high:
            raise InputError(f"edge {number} joins {edge[0]!r} with itself; leave out loops")
        if (low, high) in found:
            raise InputError(
                f"edges {found[low, high]} and {number} both join {edge[0]!r} and {edge[1]!r}; "
                "give each pair once"
            )
        found[low, high] = number
    return list(found)
