"""A partition against all levels of a tree, and the sums over many cuts that indices read."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from fractions import Fraction
from functools import cached_property, partial
from typing import Any

import numpy as np

from concordant import core
from concordant.counts.base import ContingencyLoader, Counts, RefusedIndex, View
from concordant.counts.contingency import Contingency
from concordant.counts.element_centric import Elements
from concordant.counts.information import entropy
from concordant.counts.overlaps import BestOverlaps
from concordant.counts.pairs import ClusterTriples, Crossings, PairCounts, PartialCounts
from concordant.counts.profile import Profile
from concordant.errors import HierarchyError
from concordant.hierarchies.tree_arrays import ElementTree, WideSums
from concordant.hierarchies.tree_pair import refuse_index_of_partitions
from concordant.maths.arithmetic import Integers, size_counts, sum_of_ratios
from concordant.maths.exact_arrays import BoundedArray, ExactArray, FixedPoint, Marks

_FEW_LEVELS = 16  # or fewer are faster to count one by one than to reach along the tree
_SIZES = ("size", "in_u", "in_v", "common")  # elements, which both sides have in common


# The views of which sums are followed.
SUMMED_VIEWS = frozenset((PairCounts, Elements, BestOverlaps, Crossings, ClusterTriples))


class UnknownSumError(Exception):
    """A formula reads a sum that is not followed from cut to cut."""


class KnownSums:
    """A view of which only some numbers are known; they are read when the formula reads them."""

    def __init__(
        self, sizes: Mapping[str, int], numbers: Mapping[str, Any], read: Callable[[Any], Any]
    ) -> None:
        self._sizes, self._numbers, self._read = sizes, numbers, read

    def __getattr__(self, name: str) -> Any:
        if name in self._numbers:
            return self._read(self._numbers[name])
        if name in self._sizes:
            return self._sizes[name]
        raise UnknownSumError(name)


@dataclass(frozen=True, slots=True)
class CutSums:
    """Sums over the overlaps of many pairs of cuts; a plain number holds for all of them.

    Squares are of overlaps (nn), of reference clusters (aa) and of candidate clusters (bb). The others have
    the names that the views of counts give them; a name that is missing was not followed.
    """

    size: int
    length: int
    nn: Integers
    aa: Integers | int
    bb: Integers | int
    # Numbers of Elements and of Matches, and of Crossings and Trios; some are functions, which take time.
    elements: Mapping[str, Any]
    matches: Mapping[str, Any]
    wide: Mapping[str, Any]
    # The counts of the cuts with these numbers, one by one, for an index that needs more than the sums.
    profiles: Callable[[Sequence[int]], Iterable[Counts]]
    title: str  # of the cuts, in an error
    # Numbers of Information, as floats; for many cuts only, since each is followed with an error of its own.
    information: Callable[[], Mapping[str, Any]] | None = None

    def pairs(self, i: int) -> PairCounts:
        """The pair counts of one cut."""
        return PairCounts.from_squares(
            self.size, *(_entry(each, i=i) for each in (self.nn, self.aa, self.bb))
        )

    def counts(self, i: int) -> Counts:
        """The sums of one cut."""
        pairs = self.pairs(i)
        views = self._views(partial(_entry, i=i)) | {PairCounts: pairs}
        return PartialCounts(self.size, not (pairs.n10 or pairs.n01), views)

    def arrays(self, begin: int, end: int, marks: Marks) -> dict[type, Any]:
        """The views of some cuts as arrays."""
        squares: tuple[Any, Any, Any] = (self.nn, self.aa, self.bb)
        nn, aa, bb = (each if isinstance(each, int) else each[begin:end] for each in squares)
        n11, n10, n01 = (nn - self.size) // 2, (aa - nn) // 2, (bb - nn) // 2
        n00 = self.size * (self.size - 1) // 2 - n11 - n10 - n01
        counts: tuple[Any, ...] = (n11, n10, n01, n00)
        numbers: Any = [ExactArray.of(each, marks) for each in counts]
        together, of_u, of_v, apart = numbers
        read = partial(_part, begin=begin, end=end, marks=marks)
        return self._views(read) | {PairCounts: PairCounts(together, of_u, of_v, apart, self.size)}

    def _views(self, read: Callable[[Any], Any]) -> dict[type, Any]:
        sizes = dict.fromkeys(_SIZES, self.size)
        of_elements = {Elements: self.elements, BestOverlaps: self.matches}
        views = {view: KnownSums(sizes, known, read) for view, known in of_elements.items()}
        # in_u and in_v of trios are counts of trios.
        return views | {view: KnownSums({}, self.wide, read) for view in (Crossings, ClusterTriples)}

    def taken(self, which: Integers) -> CutSums:
        """Some of them."""
        read = partial(_chosen, which=which)

        def later(numbers: Mapping[str, Any]) -> dict[str, Any]:
            return {name: partial(read, each) for name, each in numbers.items()}

        nn, aa, bb = (read(each) for each in (self.nn, self.aa, self.bb))
        known = later(self.elements), later(self.matches), later(self.wide)
        found = self.information
        information = None if found is None else lambda: {name: read(each) for name, each in found().items()}

        def profiles(cuts: Sequence[int]) -> Iterable[Counts]:
            return self.profiles([int(which[cut]) for cut in cuts])

        return CutSums(self.size, len(which), nn, aa, bb, *known, profiles, self.title, information)


def _part(sums: Any, *, begin: int, end: int, marks: Marks) -> Any:
    sums = sums() if callable(sums) else sums
    if isinstance(sums, FixedPoint):
        return BoundedArray.of(sums.part(slice(begin, end)), marks)
    if isinstance(sums, tuple):
        high, low = (ExactArray.of(each[begin:end], marks) for each in sums)
        return high * 2**31 + low
    return sums if isinstance(sums, int) else ExactArray.of(sums[begin:end], marks)


def _chosen(sums: Any, *, which: Integers) -> Any:
    sums = sums() if callable(sums) else sums
    if isinstance(sums, FixedPoint):
        return sums.part(which)
    if isinstance(sums, tuple):
        return tuple(each[which] for each in sums)
    return sums if isinstance(sums, int | float) else sums[which]


def _entry(sums: Any, *, i: int) -> Any:
    sums = sums() if callable(sums) else sums
    if isinstance(sums, FixedPoint):
        return sums.number(i)
    if isinstance(sums, tuple):
        return (int(sums[0][i]) << 31) + int(sums[1][i])
    return sums if isinstance(sums, int) else int(sums[i])


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
    is_exact: bool = False  # whether sums of fractions are not cut off
    _views: dict[tuple[type, bool], Any] = field(default_factory=dict, init=False, repr=False)

    has_exact_form = True
    kind = "tree and partition"
    zero_by_zero = "divides by zero: no label has two records, so there is no pair to judge"
    identical = False  # a tree and a partition never are

    @classmethod
    def of_tree_and_partition(cls, truth: TruthLevels, exact: bool) -> TruthLevels:
        return replace(truth, is_exact=True) if exact else truth

    def refusal(self, index: RefusedIndex) -> HierarchyError:
        name = index.name
        if index.is_of_partitions:
            return refuse_index_of_partitions(name, f"best_cut({name!r}) for the best value")
        if index.sides != "trees":
            return HierarchyError(f"{name} compares {index.inputs}, and one side is a hierarchy")
        return HierarchyError(
            "this compares two hierarchies, and one side is a partition; dendrogram_purity and tree_f1 "
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
        flat = entropy(size_counts(self.label_sizes), n)
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

    def profiles(self, levels: Sequence[int]) -> Iterator[Counts]:
        """The profile at each of these levels, which ascend."""
        if len(levels) <= _FEW_LEVELS:
            yield from (Profile.of_table(self._table(level), self.size) for level in levels)
            return
        tree = self.tree
        found = core.LevelProfiles(tree.parent, tree.level, tree.levels, self.labels, self.label_count)
        for level in levels:
            triples = found.at(level)
            if self.tree_is_reference:
                n, b, a, count = triples
                order = np.lexsort((n, b, a))
                triples = np.array([n[order], a[order], b[order], count[order]])
            yield Profile.counted(triples, ContingencyLoader(partial(self._table, level)), self.size)

    def _table(self, level: int) -> Contingency:
        cut = self.tree.labels_at(level)
        sides = (cut, self.labels) if self.tree_is_reference else (self.labels, cut)
        return Contingency(*core.cells(*sides))

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
            raise ZeroDivisionError("no label has two records")
        _, _, overlap, joined, size = self._grown
        return Fraction(sum_of_ratios(overlap, size, self.is_exact, joined)) / pairs

    @cached_property
    def tree_f1(self) -> Fraction:
        """Σ a/n · max over all nodes of F1 = 2·overlap / (a + size of the node), over the labels."""
        _, label, overlap, _, size = self._grown
        sizes = self.label_sizes
        # A node has the best F1 of those with its overlap if it is the smallest: a leaf, or one that grew.
        group = np.concatenate([np.arange(self.label_count), label])
        above = np.concatenate([np.ones(self.label_count, dtype=np.int64), overlap])
        below = sizes[group] + np.concatenate([np.ones(self.label_count, dtype=np.int64), size])
        best = core.best_fractions(group, above, below)
        total = sum_of_ratios(2 * above[best] * sizes, below[best], self.is_exact)
        return Fraction(total) / max(self.size, 1)

    @cached_property
    def node_squares(self) -> Integers:
        """Σ n² over the overlaps of each node with the labels."""
        squares = np.ones(len(self.tree.parent), dtype=np.int64)
        squares[self.size :] = 2 * self._pairs["node_pairs"]
        return core.subtree_sums(self.tree.parent, squares)

    @cached_property
    def prunings(self) -> core.Prunings:
        """The tree with the pairs of each node, to be pruned."""
        return core.Prunings(self.tree.parent, self.size, self.node_squares)

    def pairs_of_level(self, level: int) -> tuple[int, int]:
        """N₁₁ and the pairs in clusters of the tree, at one level."""
        n11, in_tree = (int(self._pairs[squares][level] - self.size) // 2 for squares in ("nn", "bb"))
        return n11, in_tree
