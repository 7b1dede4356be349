"""Significance: does the agreement exceed chance, if both sides are kept and elements permuted?

Indices that rise or fall with N₁₁ for given cluster sizes share one p-value, and so do those that follow the
mutual information. The normal distribution is not used: for a given number of clusters, N₁₁ tends to a skewed
distribution as the number of elements grows.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Literal

from concordant.foundation.conventions import check_choice
from concordant.foundation.results import read_only_class
from concordant.foundation.spelling import counted
from concordant.indices.index import AgreementDirection
from concordant.inference.null_distributions import TAILS, Tail
from concordant.inference.options import check_count, check_seed
from concordant.inference.statistic import LEAST_APPROXIMATE_P, Finding, relation_of_p, rounded_up, shown

SignificanceMethod = Literal["auto", "exact", "gamma", "permutations"]
METHODS = ("auto", "exact", "gamma", "permutations")


@dataclass(frozen=True, slots=True)
class TestOptions:
    """How an index is tested against chance, as `Comparison.significance` takes it.

    >>> TestOptions(tail="lower").n_resamples
    9999
    """

    tail: Tail = "upper"
    method: SignificanceMethod = "auto"
    n_resamples: int = 9999
    seed: int = 0

    def __post_init__(self) -> None:
        check_choice("tail", self.tail, TAILS)
        check_choice("method", self.method, METHODS)
        object.__setattr__(self, "n_resamples", check_count("n_resamples", self.n_resamples))
        check_seed(self.seed)


@read_only_class
@dataclass(frozen=True, slots=True, repr=False)
class Significance(Finding):
    """The value of an index compared with chance. `Comparison.significance` returns it.

    Attributes
    ----------
    index : str
        Name of the index.
    value : float
        Its value.
    direction : {"larger", "smaller"}
        Whether larger or smaller values mean more agreement.
    statistic : str
        The tested statistic: the index itself, N₁₁ or the mutual information.
    observed : float
        Value of the statistic.
    expected, sd, skewness : float
        Moments of the statistic by chance.
    z : float
        Standard deviations above chance, in the direction of more agreement.
    tail : {"upper", "lower", "two-sided"}
        The tail of the test.
    p, log_p : float
        The p-value and its natural logarithm.
    p_at_most : float or None
        A proven upper bound on p, if there is one.
    method : {"exact", "gamma", "permutations", "settled"}
        The method.
    n_resamples : int
        Number of permutations that were drawn.
    reached : int or None
        Number of permutations that are at least as extreme.
    stopped : bool
        Whether drawing stopped early, so p is reached / permutations.
    n_moment_draws : int
        Number of permutations that estimate the moments. 0 if these are exact.
    seed : int or None
        Seed of the permutations.
    conventions : str
        Unusual conventions.
    fixed : str
        What the permutations keep, in words.
    """

    index: str
    value: float
    direction: AgreementDirection
    statistic: str
    observed: float
    expected: float
    sd: float
    skewness: float
    z: float
    tail: Tail
    p: float
    log_p: float
    p_at_most: float | None
    method: Literal["exact", "gamma", "permutations", "settled"]
    n_resamples: int = 0
    reached: int | None = None
    stopped: bool = False
    n_moment_draws: int = 0
    seed: int | None = None
    conventions: str = ""
    fixed: str = field(default="the cluster sizes", repr=False)

    @property
    def headline(self) -> str:
        """A sentence for a paper: how rarely random permutations of the elements give such a value.

        >>> import concordant as cc
        >>> found = cc.compare([0] * 5 + [1] * 5, [0] * 5 + [1] * 5).significance("rand")
        >>> print(found.headline)  # doctest: +ELLIPSIS
        Given the cluster sizes, an agreement at least as high (rand 1) has probability 0.00794 under random \
permutation of the records (exact, one-sided; concordant ...).
        """
        value = f"{self.index} {shown(self.value)}"
        if self.direction == "smaller":
            value += ", smaller means more agreement"
        if self.method == "settled":
            return (
                f"Given {self.fixed}, every permutation of the records gives the same agreement "
                f"({value}), so it cannot be compared with chance ({self._origin})."
            )
        relation, number, how, bound = self._p_value()
        words = {"=": "", "≈": "about ", "<": "below ", "<=": "at most "}[relation]
        extreme = {
            "upper": "an agreement at least as high",
            "lower": "an agreement at most as high",
            "two-sided": "an agreement at least as far from chance",
        }[self.tail]
        sides = "two-sided: twice the smaller tail" if self.tail == "two-sided" else "one-sided"
        origin = "; ".join(filter(None, (f"{how}, {sides}", bound, self._origin)))
        return (
            f"Given {self.fixed}, {extreme} ({value}) has probability {words}{number} under random "
            f"permutation of the records ({origin})."
        )

    def _summary(self) -> str:
        begin = f"{self.index} {shown(self.value)}"
        if self.method == "settled":
            return f"{begin}: every permutation of the records gives the same, p = 1"
        if self.statistic != self.index:
            begin += f"; {self.statistic} {shown(self.observed)}"
        relation, number, how, bound = self._p_value()
        more = (self.direction == "larger") == (self.tail == "upper")
        sides = f"one-sided: {'as large or larger' if more else 'as small or smaller'}"
        if self.tail == "two-sided":
            sides = "two-sided"
        origin = f"{how}, {sides}; {bound}" if bound else f"{how}, {sides}"
        return f"{begin}{self._chance()}, p {relation} {number} ({origin})"

    def _chance(self) -> str:
        """Expected value, standard deviation and z, with as many digits as are known."""
        if math.isnan(self.expected):
            return ""
        if math.isnan(self.sd):
            return f", by chance {shown(self.expected)}"
        if not self.n_moment_draws:
            return f", by chance {shown(self.expected)} ± {shown(self.sd)}, z = {self.z:.3g}"
        if not self.sd:
            return f", by chance about {shown(self.expected)}"
        error = self.sd / math.sqrt(self.n_moment_draws)
        digits = max(-math.floor(math.log10(error)), 0)
        return f", by chance about {self.expected:,.{digits}f} ± {self.sd:.2g}, z = {self.z:.2g}"

    def _p_value(self) -> tuple[str, str, str, str]:
        """How p relates to a number, the number, the method, and a bound; a proven result comes first."""
        if self.method == "permutations":
            if self.stopped:
                how = f"stopped when {self.reached} of {self.n_resamples:,} permutations were as extreme"
                return "≈", f"{self.p:.2g}", f"{how}, seed {self.seed}", ""
            drawn = counted(self.n_resamples, "permutation")
            return "=", f"{self.p:.3g}", f"{drawn}, seed {self.seed}", ""
        if self.method == "exact":
            return (*relation_of_p(self.p, exact=True), "exact", "")
        bound = 1.0 if self.p_at_most is None else self.p_at_most
        at_most = f"at most {rounded_up(bound)}" if bound < 1 else ""
        if self.n_resamples and bound >= 1 / (1 + self.n_resamples):
            at_most += f" by {counted(self.n_resamples, 'permutation')}, seed {self.seed}"
        elif bound <= max(self.p, LEAST_APPROXIMATE_P):
            return "<=", rounded_up(bound), "proven bound", ""
        if self.p < LEAST_APPROXIMATE_P:
            return (*relation_of_p(self.p, exact=False), "gamma approximation, not proven", at_most)
        return "≈", f"{self.p:.2g}", "gamma approximation", at_most
