"""Differences between two trees: clusters of the reference that the candidate keeps, and those it loses."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

import numpy as np

from concordant import core
from concordant.differences.lazy_list import check_limit
from concordant.foundation.results import Result
from concordant.foundation.spelling import counted
from concordant.hierarchies.tree_pair import TreePair
from concordant.maths.arithmetic import Integers

_NAMED = 3  # records of a cluster


@dataclass(frozen=True, slots=True)
class LostCluster:
    """A cluster of the reference that is not a node of the candidate, and the nearest candidate node.

    Attributes
    ----------
    node : int
        The reference node, as in `Hierarchy.parent`.
    size, level : int
        Number of its records, and its level.
    nearest, nearest_size : int
        The candidate node with the largest F1 (the smallest of several), and its size.
    overlap : int
        Number of records in both.
    f1 : float
        2·overlap / (size + nearest_size).
    lowest : bool
        Whether the candidate keeps all clusters inside it.
    examples : str
        Its first records.
    """

    node: int
    size: int
    level: int
    nearest: int
    nearest_size: int
    overlap: int
    f1: float
    lowest: bool
    examples: str


class TreeChanges(Result):
    """Reference clusters, by whether they are also nodes of the candidate. The largest are first.

    Clusters have 2 to n−1 records. ``kept`` has pairs of nodes of the reference and of the candidate.
    """

    def __init__(self, trees: TreePair, limit: int | None, name: Callable[[int], Any]) -> None:
        self._trees, self._limit, self._name = trees, check_limit(limit), name

    def __repr__(self) -> str:
        total = counted(self.n_kept + self.n_lost, "cluster")
        return f"<TreeChanges of {total}: {self.n_lost:,} lost>"

    @cached_property
    def _partner(self) -> Integers:
        """For each inner node of the reference the node of the candidate with the same leaves, or -1."""
        trees = self._trees
        partner = np.full(len(trees.u.level), -1, dtype=np.int64)
        shared = trees.shared_nodes
        found = np.flatnonzero(shared >= 0)
        partner[shared[found] - trees.size] = found + trees.size
        return partner

    @cached_property
    def kept(self) -> tuple[tuple[int, int], ...]:
        """Nodes of both trees with the same records, the largest first."""
        nodes = self._nodes(self._partner >= 0)
        return tuple((int(x), int(self._partner[x - self._trees.size])) for x in nodes)

    @property
    def n_kept(self) -> int:
        """Number of reference clusters that are nodes of the candidate."""
        return self._trees.cluster_counts[2]

    @property
    def n_lost(self) -> int:
        """Number of reference clusters that are not nodes of the candidate."""
        return self._trees.cluster_counts[0] - self._trees.cluster_counts[2]

    @cached_property
    def lost(self) -> tuple[LostCluster, ...]:
        """Clusters of the reference that the candidate lacks, the largest first, up to the limit."""
        u, v, n = self._trees.u, self._trees.v, self._trees.size
        nodes = self._nodes(self._partner < 0)[: self._limit]
        is_lost = np.concatenate([np.zeros(n, dtype=np.int64), (self._partner < 0).astype(np.int64)])
        inside = core.subtree_sums(u.parent, is_lost) - is_lost
        lost = []
        for x in nodes.tolist():
            is_top = np.arange(len(u.parent)) == x
            held = np.zeros(len(v.parent), dtype=np.int64)
            held[:n] = core.nearest_marked(u.parent, is_top)[:n] == x
            overlap = core.subtree_sums(v.parent, held)
            size = int(u.sizes[x])
            f1 = 2 * overlap / (size + v.sizes)
            best = np.flatnonzero(f1 == f1.max())
            node = int(best[np.argmin(v.sizes[best])])
            lost.append(
                LostCluster(
                    node=x,
                    size=size,
                    level=int(u.level[x - n]),
                    nearest=node,
                    nearest_size=int(v.sizes[node]),
                    overlap=int(overlap[node]),
                    f1=float(f1[node]),
                    lowest=not inside[x],
                    examples=self._named(np.flatnonzero(held[:n])),
                )
            )
        return tuple(lost)

    def _named(self, leaves: Integers) -> str:
        more = [f"{len(leaves) - _NAMED:,} more"] if len(leaves) > _NAMED else []
        return ", ".join([*(str(self._name(leaf)) for leaf in leaves[:_NAMED].tolist()), *more])

    def _nodes(self, chosen: Integers) -> Integers:
        """Inner nodes of the reference among these with fewer than all records, the largest first."""
        sizes, n = self._trees.u.sizes, self._trees.size
        nodes = np.flatnonzero(chosen & (sizes[n:] < n)) + n
        return nodes[np.argsort(-sizes[nodes], kind="stable")]

    def to_dict(self) -> dict[str, Any]:
        """Return the counts and the lost clusters.

        Returns
        -------
        dict
            The content by name.

        Examples
        --------
        >>> import concordant as cc
        >>> h = cc.Hierarchy.from_linkage([[0, 1, 0.1, 2], [2, 3, 0.2, 2], [4, 5, 0.9, 4]])
        >>> cc.compare(h, h).changes().to_dict()["lost"]
        0
        """
        return {"kept": self.n_kept, "lost": self.n_lost, "clusters": list(map(asdict, self.lost))}

    def _rows(self, limit: int | None = None) -> list[dict[str, Any]]:
        return [{name: getattr(each, name) for name in self._names()} for each in self.lost[:limit]]

    def _names(self) -> list[str]:
        return [name for name in LostCluster.__slots__ if name not in ("node", "nearest")]

    def _total(self) -> int:
        return self.n_lost

    def _title(self) -> str:
        kept, lost = self.n_kept, self.n_lost
        return f"{lost:,} of {counted(kept + lost, 'cluster')} of the reference lost, {kept:,} kept"
