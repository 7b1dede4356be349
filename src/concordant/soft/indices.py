"""Soft indices: how similar two soft partitions are.

p(x, y) is the probability that independent draws from the rows of x and y give the same reference cluster,
q the same for the candidate, T the number of pairs. Each index is 1 for a soft partition against itself,
and equals its hard form for hard partitions.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

from concordant.catalogue.index import INDICES
from concordant.catalogue.registry import plain_name
from concordant.counts.conventions import Undefined
from concordant.errors import NotRationalError, SoftError, UndefinedError, UnknownIndexError, did_you_mean
from concordant.soft.counts import SoftCounts
from concordant.soft.pairs import (
    concordance,
    expected_difference,
    mean_absolute_difference,
    two_cluster_concordance,
)

DEFAULT_SOFT_INDEX = "soft_adjusted_rand"
SOFT_INDICES: dict[str, SoftIndex] = {}


def _no_formula(*_: Any) -> Any:
    raise TypeError("this index was not declared")


@dataclass(frozen=True, kw_only=True, eq=False)
class SoftIndex:
    """A soft index. As a decorator it declares the function below it, whose first sentence explains it.

    Attributes
    ----------
    title, formula, cite : str
        The name in words, the definition, and the papers.
    equals : str
        The partition index that it equals on hard partitions.
    range : (float, float)
        The smallest and largest value.
    perfect, undefined : float
        The value of identical soft partitions, and of others if the formula is 0/0.
    one_pass : bool
        Whether it takes one pass over the records. Others visit all pairs, and tables omit them.
    draws : bool
        Whether it is defined for draws, whose clusters have no common names.
    adjusted : bool
        Whether the mean over all permutations of the records is 0.
    metric : bool
        Whether 1 − value is a metric.
    blind : str
        Differences that it does not detect.
    """

    title: str
    formula: str
    cite: str
    equals: str
    range: tuple[float, float] = (0.0, 1.0)
    perfect: float = 1.0
    undefined: float = 0.0
    one_pass: bool = True
    draws: bool = False
    adjusted: bool = False
    metric: bool = False
    blind: str = ""
    name: str = ""
    compute: Callable[[SoftCounts, bool], Any] = _no_formula

    def __call__(self, function: Callable[[SoftCounts, bool], Any]) -> SoftIndex:
        vars(self).update(name=function.__name__, compute=function)
        SOFT_INDICES[self.name] = self
        return self

    @property
    def summary(self) -> str:
        """The first paragraph of the docstring: what the value is."""
        return (inspect.getdoc(self.compute) or "").split("\n\n")[0].replace("\n", " ")

    @property
    def advice(self) -> str:
        """The rest of the docstring: what to beware of."""
        return " ".join((inspect.getdoc(self.compute) or "").split("\n\n")[1:]).replace("\n", " ")

    # Matrices of comparisons read this attribute from any index.
    direction: ClassVar[str] = "similarity"
    symmetric: ClassVar[bool] = True
    arguments: ClassVar[dict[str, Any]] = {}

    @property
    def range_text(self) -> str:
        low, high = ("-∞" if math.isinf(end) else f"{end:g}" for end in self.range)
        return f"{'(' if math.isinf(self.range[0]) else '['}{low}, {high}]"

    def value(self, counts: SoftCounts, undefined: Undefined = "convention") -> float:
        """The value; if the index takes one pass, rounded once from the exact value."""
        try:
            return float(self._evaluated(counts, exact=False))
        except ZeroDivisionError as error:
            return float(self._when_undefined(counts, undefined, error))

    def exact(self, counts: SoftCounts) -> Fraction:
        """The value as a fraction, for weights that are fractions, decimals, labels or draws."""
        if not counts.exact:
            raise NotRationalError(
                f"{self.name}: the weights are floating-point numbers, which were rounded; pass fractions or "
                "decimals for an exact value"
            )
        try:
            return Fraction(self._evaluated(counts, exact=True))
        except ZeroDivisionError as error:
            return Fraction(self._when_undefined(counts, "convention", error))

    def is_undefined(self, counts: SoftCounts) -> bool:
        """Whether the formula is 0/0 and the sides differ, so the value is a convention."""
        try:
            self._evaluated(counts, exact=False)
        except ZeroDivisionError:
            return not counts.size or not counts.identical
        return False

    def _evaluated(self, counts: SoftCounts, *, exact: bool) -> Any:
        if counts.sides.are_draws and not self.draws:
            offered = ", ".join(each.name for each in SOFT_INDICES.values() if each.draws)
            raise SoftError(
                f"{self.name} compares clusters by their columns, and the clusters of one draw are not those "
                f"of another; draws have {offered}"
            )
        return self.compute(counts, exact)

    def _when_undefined(self, counts: SoftCounts, undefined: Undefined, error: Exception) -> float:
        if counts.identical:
            return self.perfect
        if undefined == "raise":
            raise UndefinedError(f"{self.name} is undefined: {self.formula} is 0/0 here") from error
        return math.nan if undefined == "nan" else self.undefined

    def __repr__(self) -> str:
        return f"<SoftIndex {self.name}: {self.formula}>"


def soft_index(name: str) -> SoftIndex:
    """The soft index of this name; an index of partitions raises an error that names its soft form."""
    if not isinstance(name, str):
        raise UnknownIndexError(f"the name of an index is a string, not {name!r}")
    found = SOFT_INDICES.get(plain_name(name))
    if found is not None:
        return found
    if name in INDICES:
        raise refuse_hard_index(INDICES[name].name.partition("(")[0])
    near = did_you_mean(name, SOFT_INDICES) or f"; there are {', '.join(SOFT_INDICES)}"
    raise UnknownIndexError(f"there is no soft index {name!r}{near}")


def refuse_hard_index(name: str) -> SoftError:
    """The error for an index of partitions that was asked of a soft comparison."""
    forms = [each.name for each in SOFT_INDICES.values() if each.equals == name and not each.blind]
    what = f"its soft form is {' or '.join(forms)}" if forms else "it has no soft form"
    return SoftError(
        f"{name} needs labels, and a side has weights; {what}",
        calls=".hardened compares the largest weights, with all partition indices",
    )


# -- pairs --------------------------------------------------------------------------------------------


@SoftIndex(
    title="Soft adjusted Rand index",
    formula="1 − Σ(p − q)² / E[Σ(p − q)²]",
    cite="this library: the adjusted Rand index of Hubert & Arabie 1985 for probabilities",
    equals="adjusted_rand",
    range=(-math.inf, 1.0),
    draws=True,
    adjusted=True,
)
def soft_adjusted_rand(c: SoftCounts, exact: bool) -> Any:  # noqa: ARG001  (always exact)
    """How much closer the two sides are, pair by pair, than after permuting the records of one side.

    1 if both sides put every pair together with the same probability; 0 on average for permuted records.
    """
    s = c.pair_sums
    expected = s.expected_pq
    return (2 * s.pq - 2 * expected) / (s.pp + s.qq - 2 * expected)


@SoftIndex(
    title="Soft Rand index, squared differences",
    formula="1 − Σ(p − q)² / T",
    cite="this library: the Rand index of Rand 1971 for probabilities",
    equals="rand",
    draws=True,
)
def soft_rand_squared(c: SoftCounts, exact: bool) -> Any:  # noqa: ARG001  (always exact)
    """One minus the mean squared difference of the probabilities that a pair is together."""
    s = c.pair_sums
    return 1 - s.squared_difference / s.pairs


@SoftIndex(
    title="Soft Rand index",
    formula="1 − Σ|p − q| / T",
    cite="Denœux, Li & Sriboonchitta 2018, IEEE Trans. Fuzzy Syst. 26:1231, for probabilities",
    equals="rand",
    one_pass=False,
    draws=True,
    metric=True,
)
def soft_rand(c: SoftCounts, exact: bool) -> Any:
    """One minus the mean absolute difference of the probabilities that a pair is together."""
    return 1 - mean_absolute_difference(c.distinct_rows(exact), "soft_rand")


# -- matched columns ----------------------------------------------------------------------------------


@SoftIndex(
    title="Soft matching accuracy",
    formula="max over one-to-one names σ of Σₓ Σᵢ min(uₓᵢ, vₓσ₍ᵢ₎) / n",
    cite="this library: matching accuracy for weights",
    equals="matching_accuracy",
    metric=True,
)
def soft_matching_accuracy(c: SoftCounts, exact: bool) -> Any:  # noqa: ARG001  (always exact)
    """The weight that both sides give to the same clusters, under the best one-to-one matching of clusters.

    1 only if both sides are equal up to cluster names. Pair-counting indices miss some differences that
    this index detects, so read it together with soft_adjusted_rand.
    """
    return Fraction(c.matched, c.size * c.sides.scale)


# -- dialects -----------------------------------------------------------------------------------------

_CUT = "a cluster from the same cluster cut into equal halves, or equal rows from one cluster"


@SoftIndex(
    title="Degree of concordance",
    formula="1 − Σ|e − f| / T, with e(x, y) = 1 − ½Σ|uₓ − u_y|",
    cite="Hüllermeier, Rifqi, Henzgen & Senge 2012, IEEE Trans. Fuzzy Syst. 20:546",
    equals="rand",
    one_pass=False,
    metric=True,
    blind=_CUT,
)
def degree_of_concordance(c: SoftCounts, exact: bool) -> Any:
    """One minus the mean absolute difference of the row similarities of a pair on both sides.

    Equal rows count as together, whatever their weights. If all rows are equal, the value against one
    cluster is 1.
    """
    u, v = c.sides.memberships
    if u.columns == v.columns == 2 and u.rest is None and v.rest is None:
        return two_cluster_concordance(u, v)
    return concordance(c.distinct_rows(exact), "degree_of_concordance")


@SoftIndex(
    title="Adjusted concordance index",
    formula="(NDC − E[NDC]) / (1 − E[NDC]), NDC the degree of concordance",
    cite="D'Ambrosio, Amodio, Iorio, Pandolfo & Siciliano 2021, J. Classif. 38:112",
    equals="adjusted_rand",
    range=(-math.inf, 1.0),
    one_pass=False,
    adjusted=True,
    blind=_CUT,
)
def adjusted_concordance(c: SoftCounts, exact: bool) -> Any:
    """The degree of concordance, rescaled so permuted records score 0 on average."""
    expected = expected_difference(c.distinct_rows(exact), "adjusted_concordance", alike=True)
    observed = 1 - degree_of_concordance.compute(c, exact)
    if not exact and expected < 1e-15:  # all rows are equally similar on both sides
        raise ZeroDivisionError
    return 1 - observed / expected


@SoftIndex(
    title="Frobenius adjusted Rand index",
    formula="(FRI − E[FRI]) / (1 − E[FRI]), FRI = 1 − ‖αA − βB‖² / n(n − 1), A = UU′, α = ΣA / ΣA²",
    cite="Andrews, Browne & Hvingelby 2022, J. Classif. 39:326",
    equals="adjusted_rand",
    range=(-math.inf, 1.0),
    adjusted=True,
    blind="equal rows from one cluster",
)
def frobenius_adjusted_rand(c: SoftCounts, exact: bool) -> Any:  # noqa: ARG001  (always exact)
    """Agreement of the two Gram matrices of rows, each scaled to match itself best.

    A record also counts with itself, and scaling makes vague rows look sharp.
    """
    sum_a, sum_b, aa, bb, ab, a, b = c.gram.with_diagonals
    n = c.size
    alpha, beta = sum_a / aa, sum_b / bb
    expected = a * b / n + (sum_a - a) * (sum_b - b) / (n * (n - 1))
    whole = alpha * alpha * aa + beta * beta * bb
    return 2 * alpha * beta * (ab - expected) / (whole - 2 * alpha * beta * expected)
