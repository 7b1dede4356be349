"""A partition against a hierarchy: every index at every level, the best cut, purity of the whole tree."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, fields
from fractions import Fraction
from functools import cached_property, partial
from typing import Any

import numpy as np

from concordant import core
from concordant.counts.arithmetic import Integers, distinct_sizes, sums_by
from concordant.counts.base import Counts, RefusedIndex, TableSource, View
from concordant.counts.information import entropy
from concordant.counts.profile import Profile
from concordant.counts.table import Table
from concordant.errors import HierarchyError
from concordant.hierarchies.cut_sums import CutSums
from concordant.hierarchies.cut_tree import ElementTree, WideSums
from concordant.hierarchies.exact_arrays import FixedPoint
from concordant.hierarchies.tree_pair import refuse_index_of_partitions


@dataclass(frozen=True)
class TruthLevels(Counts, View):
    """The labels of a partition against all levels of a tree.

    >>> tree = ElementTree(np.array([3, 3, 4, 4, -1]), np.array([1, 2]), 2)
    >>> levels = TruthLevels(tree, np.array([0, 0, 1]), 2, tree_is_reference=False)
    >>> levels.clusters.tolist(), levels.dendrogram_purity
    ([3, 2, 1], Fraction(1, 1))
    """

    tree: ElementTree
    labels: Integers  # of each element, from 0
    label_count: int
    tree_is_reference: bool
    threads: int = 0
    _views: dict[tuple[type, bool], Any] = field(default_factory=dict, init=False, repr=False)

    kind = "tree and partition"
    zero_by_zero = "divides by zero: no label has two elements, so there is no pair to judge"
    identical = False  # a tree and a partition never are

    @classmethod
    def of_tree_and_partition(cls, truth: TruthLevels, exact: bool) -> TruthLevels:  # noqa: ARG003  (always exact)
        return truth

    def refusal(self, index: RefusedIndex) -> HierarchyError:
        name = index.name
        if index.is_of_partitions:
            return refuse_index_of_partitions(name, f"best_cut({name!r}) for the best value")
        if index.sides != "trees":
            return HierarchyError(f"{name} compares {index.inputs}, and one side is a hierarchy")
        return HierarchyError(
            "this compares two hierarchies, and one side is a partition; dendrogram_purity and tree_f "
            "compare a partition with a whole hierarchy"
        )

    def __getstate__(self) -> dict[str, Any]:
        """Without the sums, which are computed again when they are needed."""
        return {each.name: getattr(self, each.name) for each in fields(self)}

    @property
    def size(self) -> int:
        """The number of elements."""
        return len(self.labels)

    @property
    def _given(self) -> tuple[Any, ...]:
        tree = self.tree
        return tree.parent, tree.level, tree.levels, self.labels, self.label_count, self.threads

    @cached_property
    def _pairs(self) -> dict[str, Integers]:
        return core.pair_levels(*self._given)

    @cached_property
    def _overlaps(self) -> dict[str, Integers]:
        return core.overlap_levels(*self._given)

    @property
    def clusters(self) -> Integers:
        """The number of clusters at each level."""
        return self._pairs["clusters"]

    @cached_property
    def label_sizes(self) -> Integers:
        """The number of elements of each label."""
        return np.bincount(self.labels, minlength=self.label_count).astype(np.int64)

    @cached_property
    def _shares(self) -> tuple[FixedPoint, FixedPoint]:
        """Σ n²/a and Σ n²/b over the overlaps of each level, a for labels and b for clusters."""
        words = core.share_levels(*self._given)
        error = 2.0**-94 * self.size  # one truncation for each quotient, and one for the sum
        return FixedPoint(*words[:2], error), FixedPoint(*words[2:], error)

    @cached_property
    def _information(self) -> dict[str, Any]:
        """The numbers of ``Information`` at each level, each with an absolute error of some 1e-15."""
        n, clusters, cells = self.size, self.clusters, self._overlaps["cells"]
        words = core.log_levels(*self._given)
        joint, own = (math.log(n) - 64 * (words[i] * 2.0**-32 + words[i + 1] * 2.0**-95) / n for i in (0, 2))
        sizes, counts = np.unique(self.label_sizes, return_counts=True)
        flat = entropy(dict(zip(sizes.tolist(), counts.tolist(), strict=True)), n)
        own = np.where(clusters == 1, 0.0, np.maximum(own, 0.0))
        # Whether clusters are parts of labels, or labels parts of clusters: counts decide, not rounding.
        finer, coarser = cells == clusters, cells == self.label_count
        joint = np.where(finer, own, np.where(coarser, flat, np.maximum(joint, np.maximum(flat, own))))
        found = {
            "h_u": flat,
            "h_v": own,
            "h_uv": joint,
            "of_elements": math.log(n),
            "h_u_given_v": joint - own,
            "h_v_given_u": joint - flat,
            "mutual": np.where(finer, flat, np.where(coarser, own, np.maximum(flat + own - joint, 0.0))),
        }
        if self.tree_is_reference:
            swapped = {"h_u": "h_v", "h_v": "h_u", "h_u_given_v": "h_v_given_u", "h_v_given_u": "h_u_given_v"}
            found = {swapped.get(name, name): numbers for name, numbers in found.items()}
        return found

    @cached_property
    def _crossings(self) -> WideSums:
        """Σ n·a·b over the overlaps of each level."""
        labels = np.zeros(len(self.tree.parent), dtype=np.int64)
        labels[: self.size] = self.label_sizes[self.labels]
        return self.tree.products(core.subtree_sums(self.tree.parent, labels))

    def _label_trios(self) -> int:
        """Σ a(a−1)(a−2) over the labels."""
        sizes = self.label_sizes.astype(object) if self.size >= 2**20 else self.label_sizes
        return int((sizes * (sizes - 1) * (sizes - 2)).sum())

    @cached_property
    def sums(self) -> CutSums:
        """The state from level to level, with the flat side and the tree in their order."""
        found, sizes = self._pairs, self.label_sizes
        flat: dict[str, Any] = {
            "squares": int((sizes**2).sum()),
            "clusters": self.label_count,
            "best": lambda: self._overlaps["label_best"],
            "largest": int(sizes.max(initial=0)),
            "trios": self._label_trios,
            "shares": lambda: self._shares[0],
        }
        tree: dict[str, Any] = {
            "squares": found["bb"],
            "clusters": found["clusters"],
            "best": lambda: self._overlaps["cluster_best"],
            "largest": found["largest"],
            "trios": lambda: self.tree.trios,
            "shares": lambda: self._shares[1],
        }
        u, v = (tree, flat) if self.tree_is_reference else (flat, tree)
        clusters = {"rows": u["clusters"], "columns": v["clusters"]}
        return CutSums(
            self.size,
            len(found["nn"]),
            found["nn"],
            u["squares"],
            v["squares"],
            clusters
            | {"cells": lambda: self._overlaps["cells"], "kept": lambda: self._overlaps["kept"]}
            | {"over_a": u["shares"], "over_b": v["shares"]},
            clusters
            | {"rows_best": u["best"], "columns_best": v["best"]}
            | {"largest_row": u["largest"], "largest_column": v["largest"]},
            {"nab": lambda: self._crossings, "in_u": u["trios"], "in_v": v["trios"]},
            self.profiles,
            "the levels",
            lambda: self._information,
        )

    def profiles(self, levels: Iterable[int]) -> Iterator[Counts]:
        """The profile at each of these levels, which ascend."""
        tree = self.tree
        found = core.LevelProfiles(tree.parent, tree.level, tree.levels, self.labels, self.label_count)
        for level in levels:
            triples = found.at(level)
            if self.tree_is_reference:
                n, b, a, count = triples
                order = np.lexsort((n, b, a))
                triples = np.array([n[order], a[order], b[order], count[order]])
            yield Profile.counted(triples, TableSource(partial(self._table, level)), self.size)

    def _table(self, level: int) -> Table:
        cut = self.tree.labels_at(level)
        sides = (cut, self.labels) if self.tree_is_reference else (self.labels, cut)
        return Table(*core.cells(*sides))

    # -- the tree as a whole ----------------------------------------------------------------------

    @cached_property
    def _grown(self) -> tuple[Integers, ...]:
        return core.grown_overlaps(*self._given)

    @cached_property
    def dendrogram_purity(self) -> Fraction:
        """Mean over the pairs of one label of the label's share in the smallest node that has both.

        Pairs that no node joins count 0. It is 0/0 if no label has two elements.
        """
        sizes = self.label_sizes
        pairs = int((sizes * (sizes - 1) // 2).sum())
        if not pairs:
            raise ZeroDivisionError("no label has two elements")
        _, _, overlap, joined, size = self._grown
        distinct, which = distinct_sizes(size)
        # Sums of three sizes may need more than 64 bits.
        wide = self.size**3 >= 2**62
        weights = joined.astype(object) * overlap if wide else joined * overlap
        total = sum(
            map(Fraction, sums_by(which, weights, len(distinct)).tolist(), distinct.tolist()), Fraction(0)
        )
        return total / pairs

    @cached_property
    def tree_f(self) -> Fraction:
        """Σ a/n · max over all nodes of F1 = 2·overlap / (a + size of the node), over the labels."""
        _, label, overlap, _, size = self._grown
        sizes = self.label_sizes
        # A node has the best F1 of those with its overlap if it is the smallest: a leaf, or one that grew.
        group = np.concatenate([np.arange(self.label_count), label])
        above = np.concatenate([np.ones(self.label_count, dtype=np.int64), overlap])
        below = sizes[group] + np.concatenate([np.ones(self.label_count, dtype=np.int64), size])
        best = core.best_fractions(group, above, below)
        distinct, which = distinct_sizes(below[best])
        totals = sums_by(which, 2 * above[best] * sizes, len(distinct))
        total = sum(map(Fraction, totals.tolist(), distinct.tolist()), Fraction(0))
        return total / max(self.size, 1)

    @cached_property
    def node_squares(self) -> Integers:
        """Σ n² over the overlaps of each node with the labels."""
        squares = np.ones(len(self.tree.parent), dtype=np.int64)
        squares[self.size :] = 2 * self._pairs["node_pairs"]
        return core.subtree_sums(self.tree.parent, squares)
