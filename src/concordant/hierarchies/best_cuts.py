"""The best cut and the best pruning of a hierarchy, and how cuts are written."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from concordant.clusterings.partition import Partition
from concordant.counts.pairs import PairCounts, PartialCounts
from concordant.errors import HierarchyError, ParameterError, UndefinedError
from concordant.foundation.conventions import Undefined
from concordant.foundation.results import Field, Listing, Result, read_only_class, rounded, value_text
from concordant.foundation.spelling import counted
from concordant.hierarchies.cut_sums import TruthLevels
from concordant.hierarchies.data import HierarchyData
from concordant.hierarchies.hierarchy import Hierarchy
from concordant.hierarchies.tree_arrays import HeightTexts
from concordant.indices.index import Index
from concordant.maths.arithmetic import evenly

# Added to every cut that was chosen for its value.
SELECTED = "chosen on the same truth that measures it, so it has no interval of its own"


def best_of(index: Index, values: NDArray[np.float64]) -> int:
    """The position of the best value; of equal ones the last. Undefined values do not count."""
    if index.agreement is None:
        raise ParameterError(
            f"neither larger nor smaller values of {index.name} mean more agreement, so none is the best; "
            "use an index with a direction, such as adjusted_rand"
        )
    signed = values if index.agreement == "larger" else -values
    best = np.fmax.reduce(signed, initial=np.nan)
    if math.isnan(best):
        raise UndefinedError(f"{index.name} is undefined at every cut")
    return int(np.flatnonzero(signed == best)[-1])


def cut_fields(names: Iterable[str], heights: HeightTexts | None) -> list[Field]:
    """Columns of cuts; any height that is shown cuts at its own level.

    >>> [column.shown(0.123456) for column in cut_fields(["height", "value"], None)]
    ['0.123456', '0.1235']
    """
    exact = repr if heights is None else heights.text
    texts = {"height": exact, "threshold": exact}
    return [Field(name, name, texts.get(name, value_text)) for name in names]


def chosen_levels(levels: int | None, length: int) -> NDArray[np.int64] | None:
    """The positions of at most so many levels, evenly; None for all."""
    if levels is None:
        return None
    if isinstance(levels, bool) or not isinstance(levels, int) or levels < 1:
        raise ParameterError("give the number of levels, 1 or more", given={"levels": levels})
    return evenly(length, levels)


@read_only_class
@dataclass(frozen=True, slots=True)
class BestCut(Result):
    """The level at which an index is best. `HierarchyComparison.best_cut` and `Curve.best` return it.

    Attributes
    ----------
    index : str
        Name of the index.
    value : float
        Its value.
    level : int
        Number of the level; for two hierarchies, that of the candidate.
    n_clusters : int
        Number of clusters.
    height, threshold : float, optional
        Height or score of the level. Both are None for singletons.
    note : str
        Remarks.
    """

    index: str
    value: float
    level: int
    n_clusters: int
    height: float | None
    threshold: float | None
    _hierarchy: HierarchyData = field(repr=False, compare=False)
    note: str = SELECTED
    _heights: HeightTexts | None = field(default=None, repr=False, compare=False)

    @property
    def headline(self) -> str:
        """The level and its value, without the note."""
        where = "all singletons"
        for name, height in (("threshold", self.threshold), ("height", self.height)):
            if height is not None:
                where = f"{name} {repr(height) if self._heights is None else self._heights.text(height)}"
        return (
            f"{self.index} is best, {rounded(self.value)}, at {where}: level {self.level}, "
            f"{counted(self.n_clusters, 'cluster')}"
        )

    def cut(self) -> Partition:
        """Return the partition at this level; for two hierarchies, the cut of the candidate.

        Returns
        -------
        Partition
            The clusters of all records of the hierarchy.

        Examples
        --------
        >>> import concordant as cc
        >>> h = cc.Hierarchy.from_linkage([[0, 1, 0.1, 2], [2, 3, 0.2, 2], [4, 5, 0.9, 4]])
        >>> cc.compare(["a", "a", "b", "b"], h).best_cut("jaccard").cut().n_clusters
        2
        """
        return Hierarchy(self._hierarchy).cut(level=self.level)

    def _listings(self, limit: int | None = None) -> Sequence[Listing]:
        return [Listing(self._rows(limit), cut_fields(self._names(), self._heights))]

    def _whole_text(self) -> str:
        return f"{self.headline} ({self.note})"


@read_only_class
@dataclass(frozen=True, slots=True, repr=False)
class BestPruning(Result):
    """The best clusters among the nodes of a hierarchy, an upper bound for its cuts.

    Attributes
    ----------
    index : str
        Name of the index.
    value : float
        Its value.
    n_clusters : int
        Number of clusters.
    best_cut : float
        The value at the best level, for comparison.
    labels : array of int
        The cluster of each leaf.
    note : str
        Remarks.
    """

    index: str
    value: float
    n_clusters: int
    best_cut: float
    labels: NDArray[np.int64]
    note: str = f"no other choice of its nodes is better; rows at one height are one node; {SELECTED}"

    def to_dict(self) -> dict[str, Any]:
        """Return the fields, with the labels as a list.

        Returns
        -------
        dict
            The fields by name.

        Examples
        --------
        >>> import concordant as cc
        >>> h = cc.Hierarchy.from_linkage([[0, 1, 0.1, 2], [2, 3, 0.2, 2], [4, 5, 0.9, 4]])
        >>> cc.compare(["a", "a", "b", "b"], h).best_pruning().to_dict()["n_clusters"]
        2
        """
        return {
            "index": self.index,
            "value": self.value,
            "n_clusters": self.n_clusters,
            "best_cut": self.best_cut,
            "labels": self.labels.tolist(),
            "note": self.note,
        }

    def _rows(self, limit: int | None = None) -> list[dict[str, Any]]:
        row = {name: value for name, value in self.to_dict().items() if name not in ("labels", "note")}
        return [row][:limit]

    def __repr__(self) -> str:
        return (
            f"{self.index} of the best pruning is {self.value:.4f} ({counted(self.n_clusters, 'cluster')}), "
            f"of the best level {self.best_cut:.4f} ({self.note})"
        )

    _whole_text = __repr__


Powers = tuple[int, int]  # of N₁₁ and of v
_ONE: Powers = (0, 0)
_LINEAR: tuple[Powers, Powers, Powers] = (_ONE, (1, 0), (0, 1))


class Polynomial:
    """A ratio of two polynomials in N₁₁ and v, on which the formula of an index runs.

    >>> x = Polynomial({(1, 0): Fraction(1)})
    >>> (2 * x / (x + 1)).above, (2 * x / (x + 1)).below
    ({(1, 0): Fraction(2, 1)}, {(1, 0): Fraction(1, 1), (0, 0): Fraction(1, 1)})
    """

    def __init__(
        self, above: Mapping[Powers, Fraction], below: Mapping[Powers, Fraction] | None = None
    ) -> None:
        self.above = {powers: factor for powers, factor in above.items() if factor}
        self.below = {_ONE: Fraction(1)} if below is None else dict(below)

    @staticmethod
    def _operand(other: Any) -> Polynomial | None:
        if isinstance(other, Polynomial):
            return other
        return Polynomial({_ONE: Fraction(other)}) if isinstance(other, int | Fraction) else None

    def __add__(self, other: Any) -> Any:
        y = self._operand(other)
        if y is None:
            return NotImplemented
        if self.below == y.below:
            return Polynomial(_sum(self.above, y.above), self.below)
        above = _sum(_product(self.above, y.below), _product(y.above, self.below))
        return Polynomial(above, _product(self.below, y.below))

    __radd__ = __add__

    def __neg__(self) -> Polynomial:
        return Polynomial({powers: -factor for powers, factor in self.above.items()}, self.below)

    def __sub__(self, other: Any) -> Any:
        return self + (-other)

    def __rsub__(self, other: Any) -> Any:
        return (-self) + other

    def __mul__(self, other: Any) -> Any:
        y = self._operand(other)
        if y is None:
            return NotImplemented
        return Polynomial(_product(self.above, y.above), _product(self.below, y.below))

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        y = self._operand(other)
        if y is None:
            return NotImplemented
        return Polynomial(_product(self.above, y.below), _product(self.below, y.above))

    __bool__ = __lt__ = __le__ = __gt__ = __ge__ = None  # not one number


def _sum(x: Mapping[Powers, Fraction], y: Mapping[Powers, Fraction]) -> dict[Powers, Fraction]:
    total = {powers: x.get(powers, Fraction(0)) + y.get(powers, Fraction(0)) for powers in {**x, **y}}
    return {powers: factor for powers, factor in total.items() if factor}


def _product(x: Mapping[Powers, Fraction], y: Mapping[Powers, Fraction]) -> dict[Powers, Fraction]:
    total: dict[Powers, Fraction] = {}
    for (i, j), one in x.items():
        for (k, m), other in y.items():
            total[i + k, j + m] = total.get((i + k, j + m), Fraction(0)) + one * other
    return {powers: factor for powers, factor in total.items() if factor}


LinearForm = tuple[Fraction, Fraction, Fraction]  # a constant, and the factors of N₁₁ and of v


def linear_ratio(index: Index, truth: TruthLevels) -> tuple[LinearForm, LinearForm]:
    """The index as a ratio of linear functions of N₁₁ and v for this truth; an error if it is not one."""
    n = truth.size
    sizes = truth.label_sizes
    in_truth, every = int((sizes * (sizes - 1) // 2).sum()), n * (n - 1) // 2
    n11: Any = Polynomial({(1, 0): Fraction(1)})
    in_tree: Any = Polynomial({(0, 1): Fraction(1)})
    own = (in_tree - n11, in_truth - n11)
    n10, n01 = own if truth.tree_is_reference else own[::-1]
    n00 = every - in_truth - in_tree + n11
    refusal = HierarchyError(
        "the best pruning is known for ratios of linear functions of pair counts, such as f_measure, "
        f"jaccard, rand and adjusted_rand, but not for {index.name}; use best_cut({index.name!r}) for its "
        "best level"
    )
    if index.views != (PairCounts,):
        raise refusal
    try:
        value = index.compute(PairCounts(n11, n10, n01, n00, n), **index.arguments)
    except TypeError:  # roots and choices
        raise refusal from None
    ratio = value if isinstance(value, Polynomial) else Polynomial({_ONE: Fraction(value)})
    if any(powers not in _LINEAR for powers in (*ratio.above, *ratio.below)):
        raise refusal
    above, below = (
        tuple(side.get(powers, Fraction(0)) for powers in _LINEAR) for side in (ratio.above, ratio.below)
    )
    lowest, highest = (choose(_at(below, *corner) for corner in _corners(truth)) for choose in (min, max))
    if lowest < 0 < highest:
        raise refusal
    sign = -1 if lowest < 0 else 1
    return _scaled(above, sign), _scaled(below, sign)


def _corners(truth: TruthLevels) -> tuple[tuple[int, int], ...]:
    """The corners of the range of N₁₁ and v, where a linear function is smallest and largest."""
    n, sizes = truth.size, truth.label_sizes
    in_truth, every = int((sizes * (sizes - 1) // 2).sum()), n * (n - 1) // 2
    return (0, 0), (0, every), (in_truth, in_truth), (in_truth, every)


def _scaled(line: tuple[Fraction, ...], factor: int) -> LinearForm:
    return factor * line[0], factor * line[1], factor * line[2]


def _at(line: tuple[Fraction, ...], n11: int, in_tree: int) -> Fraction:
    return line[0] + line[1] * n11 + line[2] * in_tree


def best_pruning(
    index: Index, truth: TruthLevels, best_level: Callable[[], int], undefined: Undefined = "convention"
) -> tuple[Callable[[], NDArray[np.int64]], Fraction | float]:
    """The cluster of each element in the best pruning, as a number, and the value of the index.

    Of equally good prunings, the one with the fewest clusters. The search begins at the best level, as most
    better prunings are near it.
    """
    if index.agreement is None:
        raise ParameterError(
            f"neither larger nor smaller values of {index.name} mean more agreement; use an index with a "
            "direction, such as adjusted_rand"
        )
    sign = 1 if index.agreement == "larger" else -1
    above, below = linear_ratio(index, truth)
    above = _scaled(above, sign)
    # The truth itself where it is a pruning, and the prunings with the largest and the smallest denominator.
    goals = ((1, -1), (below[1], below[2]), (-below[1], -below[2]))
    is_defined = min(_at(below, *corner) for corner in _corners(truth)) > 0
    ends = [] if is_defined else [_most(truth, of_n11, of_v) for of_n11, of_v in goals]
    known: list[tuple[Fraction | float, _Pruning]] = []
    for each in ends:
        own = _signed_value(index, truth, each, sign, undefined)
        if own is not None:
            known.append((own, each))
            if math.isinf(own) and own > 0:
                return each.nodes, sign * own
    # A pruning that gives 0/0 has the same value as any other one; a ratio is improved until none is larger.
    starts = [*ends, _level(truth, best_level())]
    ratios = [(_ratio(above, below, each), each) for each in starts if _at(below, each.n11, each.in_tree)]
    if ratios:
        value, best = max(ratios, key=lambda each: each[0])
        while True:
            found = _most(truth, above[1] - value * below[1], above[2] - value * below[2])
            if not _at(below, found.n11, found.in_tree):
                if _at(above, found.n11, found.in_tree) <= 0:
                    break
                raise HierarchyError(
                    f"{index.name} divides by zero for some clusters of this hierarchy, so its best pruning "
                    "is not known; use best_cut()"
                )
            better, best = _ratio(above, below, found), found
            if better <= value:
                break
            value = better
        known.append((value, best))
    if not known:
        raise UndefinedError(f"{index.name} is undefined for all clusters of this hierarchy")
    largest, best = max(reversed(known), key=lambda each: each[0])
    return best.nodes, sign * largest


class _Pruning(NamedTuple):
    n11: int
    in_tree: int
    nodes: Callable[[], NDArray[np.int64]]


def _level(truth: TruthLevels, level: int) -> _Pruning:
    n11, in_tree = truth.pairs_of_level(level)
    return _Pruning(n11, in_tree, partial(truth.tree.labels_at, level))


def _ratio(above: LinearForm, below: LinearForm, pruning: _Pruning) -> Fraction:
    return _at(above, pruning.n11, pruning.in_tree) / _at(below, pruning.n11, pruning.in_tree)


def _signed_value(
    index: Index, truth: TruthLevels, pruning: _Pruning, sign: int, undefined: Undefined
) -> Fraction | float | None:
    """The value that a comparison of the pruning has, larger if it is better; None if it has none."""
    sizes = truth.label_sizes
    in_truth, n = int((sizes * (sizes - 1) // 2).sum()), truth.size
    own = pruning.in_tree - pruning.n11, in_truth - pruning.n11
    n10, n01 = own if truth.tree_is_reference else own[::-1]
    n00 = n * (n - 1) // 2 - in_truth - own[0]
    counts = PartialCounts.of_pairs(PairCounts(pruning.n11, n10, n01, n00, n))
    try:
        value, is_convention = index.assess(counts, undefined)
        if math.isnan(value):
            return None
        return sign * (value if is_convention or math.isinf(value) else index.exact(counts))
    except UndefinedError:
        return None


def _most(truth: TruthLevels, of_n11: Fraction | int, of_v: Fraction | int) -> _Pruning:
    """The pruning with the largest of_n11·N₁₁ + of_v·v; of equal ones, that with the fewest clusters."""
    if of_n11 < 0 < of_v:
        return _most_apart(truth, Fraction(of_n11), Fraction(of_v))
    # A node joins at most as many pairs of the truth as pairs, so a price above 1 is never paid.
    if of_n11 > 0:
        price = max(Fraction(-of_v) / of_n11, Fraction(0))
    else:
        price = Fraction(0 if of_v >= 0 == of_n11 else 2)
    numbers = (1, 0) if price > 1 else _next_fraction(price, max(truth.size * (truth.size - 1) // 2, 1))
    n11, in_tree = truth.prunings.best(*numbers)
    return _Pruning(n11, in_tree, partial(truth.prunings.nodes, *numbers))


def _most_apart(truth: TruthLevels, of_n11: Fraction, of_v: Fraction) -> _Pruning:
    """The same where pairs of the truth cost and other pairs pay, node by node."""
    tree, size = truth.tree, truth.size
    unit = math.lcm(of_n11.denominator, of_v.denominator)
    costs, gains = int(of_n11 * unit), int(of_v * unit)
    joint = ((truth.node_squares - tree.sizes) // 2).tolist()
    every = (tree.sizes * (tree.sizes - 1) // 2).tolist()
    parent, below = tree.parent.tolist(), [0] * len(tree.parent)
    is_whole = np.zeros(len(parent), dtype=np.bool_)
    for node, above in enumerate(parent):  # children come before their parents
        own = costs * joint[node] + gains * every[node]
        is_whole[node] = own >= below[node]
        if above >= 0:
            below[above] += max(own, below[node])
    top = np.arange(len(parent))
    for node in range(len(parent) - 1, -1, -1):
        above = parent[node]
        if above >= 0 and is_whole[top[above]]:
            top[node] = top[above]
    chosen = top[:size]
    kept = np.unique(chosen).tolist()
    return _Pruning(sum(joint[node] for node in kept), sum(every[node] for node in kept), lambda: chosen)


def _next_fraction(price: Fraction, most: int) -> tuple[int, int]:
    """The smallest fraction that is not below the price and whose denominator is at most ``most``.

    Numbers of pairs are compared by such fractions, so it separates them as the price does.

    >>> _next_fraction(Fraction(1, 3), 2), _next_fraction(Fraction(2, 3), 3)
    ((1, 2), (2, 3))
    """
    near = price.limit_denominator(most)
    if near < price:
        # The neighbour above in the sequence of all such fractions: q·near' − p·below' = 1.
        p, q = near.numerator, near.denominator
        inverse = pow(-p, -1, q) if q > 1 else 0
        below = inverse + (most - inverse) // q * q
        near = Fraction((1 + p * below) // q, below)
    return near.numerator, near.denominator
