"""Significance: does the agreement exceed chance, if cluster sizes are kept and elements permuted?

Indices that rise or fall with N₁₁ for given cluster sizes share one p-value, and so do those that follow the
mutual information. The normal distribution is not used: for a given number of clusters, N₁₁ tends to a skewed
distribution as the number of elements grows.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from fractions import Fraction
from functools import partial
from typing import Any, Literal

import numpy as np

from concordant.catalogue.index import AgreementDirection, Index
from concordant.counts.base import Counts
from concordant.counts.conventions import Undefined, check_choice
from concordant.counts.cover_counts import CoverCounts
from concordant.counts.information import ClusterSizes, Information, expected_information
from concordant.counts.pairs import Pairs
from concordant.counts.partial_overlap import PartialOverlap
from concordant.counts.profile import Profile
from concordant.counts.spelling import counted
from concordant.engines.execution import report
from concordant.errors import ParameterError, Remedy, TooLargeError, UndefinedError, UnmatchedError
from concordant.trust.finding import LEAST_APPROXIMATE_P, Finding, relation_of_p, rounded_up, shown
from concordant.trust.moments import bound_of, log_bound, moments, squared_steps
from concordant.trust.null_distributions import (
    ROUNDING,
    TAILS,
    LevelLine,
    NullDistribution,
    Tail,
    distribution_of_values,
    log_p_of,
    pair_index_distribution,
)
from concordant.trust.options import check_count, check_seed
from concordant.trust.permutations import CoverShuffler, Shuffler
from concordant.trust.tails import log_upper_pearson
from concordant.views.chance import is_settled
from concordant.views.contingency_enumeration import AFFORDED, Total, tails, totals
from concordant.views.small_side import overlap_log_tails

SignificanceMethod = Literal["auto", "exact", "gamma", "permutations"]
METHODS = ("auto", "exact", "gamma", "permutations")

# After this many permutations that reach the observed value, more would not change the verdict
# (Besag & Clifford 1991, Biometrika 78:301).
_ENOUGH = 20

# Moments of fewer draws are not reported: the error of the standard deviation exceeds 7%.
_FEWEST_FOR_MOMENTS = 100

_NO_WEIGHT = Fraction(0)


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
    permutations : int
        Number of permutations that were drawn.
    reached : int or None
        Number of permutations that are at least as extreme.
    stopped : bool
        Whether drawing stopped early, so p is reached / permutations.
    moment_draws : int
        Number of permutations that estimate the moments. 0 if these are exact.
    seed : int or None
        Seed of the permutations.
    conventions : str
        Unusual conventions.
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
    permutations: int = 0
    reached: int | None = None
    stopped: bool = False
    moment_draws: int = 0
    seed: int | None = None
    conventions: str = ""

    @property
    def sentence(self) -> str:
        """A sentence for a paper: how rarely random permutations of the elements give such a value.

        >>> from concordant import INDICES
        >>> found = significance(Profile.from_contingency([[5, 0], [0, 5]]), INDICES["rand"])
        >>> print(found.sentence)  # doctest: +ELLIPSIS
        Given the cluster sizes, an agreement at least as high (rand 1) has probability 0.00794 under random \
permutation of the elements (exact, one-sided; concordant ...).
        """
        value = f"{self.index} {shown(self.value)}"
        if self.direction == "smaller":
            value += ", smaller means more agreement"
        if self.method == "settled":
            return (
                f"Given the cluster sizes, every permutation of the elements gives the same agreement "
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
            f"Given the cluster sizes, {extreme} ({value}) has probability {words}{number} under random "
            f"permutation of the elements ({origin})."
        )

    def _summary(self) -> str:
        begin = f"{self.index} {shown(self.value)}"
        if self.method == "settled":
            return f"{begin}: every permutation of the elements gives the same, p = 1"
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
        if not self.moment_draws:
            return f", by chance {shown(self.expected)} ± {shown(self.sd)}, z = {self.z:.3g}"
        if not self.sd:
            return f", by chance about {shown(self.expected)}"
        error = self.sd / math.sqrt(self.moment_draws)
        digits = max(-math.floor(math.log10(error)), 0)
        return f", by chance about {self.expected:,.{digits}f} ± {self.sd:.2g}, z = {self.z:.2g}"

    def _p_value(self) -> tuple[str, str, str, str]:
        """How p relates to a number, the number, the method, and a bound; a proven result comes first."""
        if self.method == "permutations":
            if self.stopped:
                how = f"stopped when {self.reached} of {self.permutations:,} permutations were as extreme"
                return "≈", f"{self.p:.2g}", f"{how}, seed {self.seed}", ""
            drawn = counted(self.permutations, "permutation")
            return "=", f"{self.p:.3g}", f"{drawn}, seed {self.seed}", ""
        if self.method == "exact":
            return (*relation_of_p(self.p, exact=True), "exact", "")
        bound = 1.0 if self.p_at_most is None else self.p_at_most
        if bound <= max(self.p, LEAST_APPROXIMATE_P):
            return "<=", rounded_up(bound), "proven bound", ""
        at_most = f"at most {rounded_up(bound)}" if bound < 1 else ""
        if self.p < LEAST_APPROXIMATE_P:
            return (*relation_of_p(self.p, exact=False), "gamma approximation, not proven", at_most)
        return "≈", f"{self.p:.2g}", "gamma approximation", at_most


def significance(
    counts: Counts,
    index: Index,
    *,
    undefined: Undefined = "convention",
    tail: Tail = "upper",
    method: SignificanceMethod = "auto",
    permutations: int = 9999,
    seed: int = 0,
) -> Significance:
    """The index of these partitions compared with chance.

    >>> from concordant import INDICES
    >>> significance(Profile.from_contingency([[5, 0], [0, 5]]), INDICES["rand"])
    rand 1, by chance 0.5062 ± 0.0835, z = 5.92, p = 0.00794 (exact, one-sided: as large or larger)
    """
    check_choice("tail", tail, TAILS)
    check_choice("method", method, METHODS)
    permutations = check_count("permutations", permutations)
    check_seed(seed)
    name, direction = index.name, index.agreement
    if direction is None:
        raise ParameterError(
            f"neither larger nor smaller values of {name} mean more agreement, so it has no p-value; use an "
            "index with a direction, such as adjusted_rand"
        )
    value = index.value(counts, undefined)
    draws = Draws(partial(_shuffler, counts), tail, permutations, seed)
    if isinstance(counts, CoverCounts):
        if method in ("gamma", "exact"):
            raise ParameterError("covers are tested by permutations", given={"method": method})
        found, statistic = draws.of_index(counts, index), name
    else:
        profile = _partitions(counts)
        if is_settled(profile.view(ClusterSizes)):
            chance = (name, value, value, 0.0, 0.0, math.nan)
            return Significance(name, value, direction, *chance, tail, 1.0, 0.0, 1.0, "settled")
        found, statistic = _null_distribution(draws, profile, index, method)
        if index.shares is not None and (own := _on_own_scale(profile, index, value, found)) is not None:
            found, statistic = own, name
    return Significance(
        index=name,
        value=value,
        direction=direction,
        statistic=statistic,
        tail=tail,
        p=max(math.exp(found.log_p), sys.float_info.min),
        seed=seed if found.permutations else None,
        **asdict(found),
    )


def _partitions(counts: Counts) -> Profile:
    if isinstance(counts, PartialOverlap):
        raise UnmatchedError(
            "significance permutes elements that both sides have, but some elements are on one side only; "
            "which of these a system finds is not a matter of permutations",
            remedies=counts.remedies,
        )
    return counts.partitions


def _null_distribution(
    draws: Draws, profile: Profile, index: Index, method: SignificanceMethod
) -> tuple[NullDistribution, str]:
    """The distribution of the index or of a count that determines its p-value, and the name of that."""
    if index.shares == "n11":
        n11 = Fraction(profile.view(Pairs).n11)
        return _moment_distribution(draws, profile, Total("n11"), n11, method), "N₁₁"
    if index.shares == "information":
        return _information_distribution(draws, profile, method), "mutual_information"
    if math.isnan(index.value(profile, "nan")):
        if index.views != (Pairs,):
            _refuse_all_but_permutations(index, method)
        raise UndefinedError(f"{index.name} is undefined for these partitions: there is nothing to test")
    if index.views == (Pairs,) and method != "permutations":
        # N₁₁ determines the index, which neither rises nor falls with it.
        ways = None if method == "gamma" else _affordable_totals(profile, Total("n11"), method)
        return pair_index_distribution(profile, index, moments(profile), ways, draws.tail), index.name
    if method != "permutations" and (line := LevelLine.of(profile, index)) is not None:
        found = _moment_distribution(draws, profile, line.total, line.observed, method, weight=line.weight)
        expected = index.by_chance(profile)
        if not index.linear or expected is None:
            return found, line.name
        observed, sd = index.value(profile), float(line.slope) * found.sd
        return replace(found, observed=observed, expected=expected, sd=sd), index.name
    _refuse_all_but_permutations(index, method)
    return draws.of_index(profile, index, index.by_chance(profile)), index.name


@dataclass(frozen=True, slots=True)
class Draws:
    """Permutations of the elements of two partitions, covers or trees."""

    shuffler: Callable[[np.random.Generator], Any]  # whose ``counts`` draws once
    tail: Tail
    permutations: int
    seed: int

    def shares(self, excess: Callable[[Any], float]) -> dict[str, Any]:
        """log p, and the number of draws: all of them, or until enough are as extreme.

        ``excess`` draws once and returns by how much the agreement exceeds the observed one.
        """
        shuffler = self.shuffler(np.random.default_rng(self.seed))
        above = below = reached = drawn = 0
        while drawn < self.permutations and reached < _ENOUGH:
            drawn += 1
            report(100 * drawn / self.permutations)
            difference = excess(shuffler)
            above += not difference < 0  # an undefined value counts as extreme on both sides
            below += not difference > 0
            reached = {"upper": above, "lower": below}.get(self.tail, min(above, below))
        stopped = reached == _ENOUGH
        log_share = math.log(reached / drawn if stopped else (1 + reached) / (1 + drawn))
        log_p = log_p_of(self.tail, log_share, log_share)
        return {"log_p": log_p, "permutations": drawn, "reached": reached, "stopped": stopped}

    def of_statistic(
        self,
        statistic: Callable[[Any], float],
        observed: float,
        expected: float | None,
        direction: AgreementDirection = "larger",
    ) -> NullDistribution:
        """The distribution of a statistic of the draws; without ``expected``, its mean is theirs."""
        values: list[float] = []
        slack = ROUNDING * max(abs(observed), 1e-300)
        sign = 1.0 if direction == "larger" else -1.0

        def excess(shuffler: Any) -> float:
            values.append(statistic(shuffler.counts()))
            difference = sign * (values[-1] - observed)
            return 0.0 if abs(difference) <= slack else difference

        shares = self.shares(excess)
        defined = np.array([value for value in values if not math.isnan(value)])
        if len(defined) < _FEWEST_FOR_MOMENTS:
            known = math.nan if expected is None else expected
            return NullDistribution(
                observed, known, math.nan, math.nan, math.nan, method="permutations", **shares
            )
        weights = np.full(len(defined), 1 / len(defined))
        mean = float(defined.mean()) if expected is None else expected
        found = distribution_of_values(defined, weights, observed, mean, log_p=shares["log_p"], sign=sign)
        return replace(found, method="permutations", moment_draws=len(defined), **shares)

    def of_index(self, counts: Counts, index: Index, expected: float | None = None) -> NullDistribution:
        observed = index.value(counts, "nan")
        if math.isnan(observed):
            raise UndefinedError(f"{index.name} is undefined here: there is nothing to test")
        return self.of_statistic(
            lambda drawn: index.value(drawn, "nan"), observed, expected, index.agreement or "larger"
        )


def _shuffler(counts: Counts, random: np.random.Generator) -> Shuffler | CoverShuffler:
    if isinstance(counts, CoverCounts):
        return CoverShuffler(counts, random)
    return Shuffler(counts.row_sizes, counts.column_sizes, random)


def _moment_distribution(
    draws: Draws,
    profile: Profile,
    total: Total,
    observed: Fraction,
    method: SignificanceMethod,
    *,
    weight: Fraction = _NO_WEIGHT,
) -> NullDistribution:
    """The distribution of N₁₁ + weight·Σ n·a·b: exact moments, and the best tail that the method allows."""
    known = moments(profile, weight)
    excess, sd = observed - known.mean, Fraction(known.sd)
    bound = log_bound(known, excess, None if weight else squared_steps(profile))
    bounds = (bound, 0.0) if excess > 0 else (0.0, bound)  # of the upper and of the lower tail
    p_at_most = log_p_of(draws.tail, *bounds)
    shares: dict[str, Any] = {}
    how: Literal["exact", "gamma", "permutations"] = "exact"
    if method == "permutations":
        how = "permutations"
        shares = draws.shares(lambda shuffler: shuffler.n11() - int(observed))
    elif method != "gamma" and (both := _exact_log_tails(profile, total, method)) is not None:
        shares["log_p"] = log_p_of(draws.tail, *both)
    else:
        # N₁₁ is a whole number, so half a step belongs to the observed value on either side.
        how, z, half, skewness = "gamma", float(excess / sd), 0.5 / known.sd, known.skewness
        upper, lower = log_upper_pearson(z - half, skewness), log_upper_pearson(-z - half, -skewness)
        shares["log_p"] = min(log_p_of(draws.tail, upper, lower), p_at_most)
    return NullDistribution(
        float(observed),
        float(known.mean),
        known.sd,
        known.skewness,
        float(excess / sd),
        method=how,
        p_at_most=bound_of(p_at_most),
        **shares,
    )


def _exact_log_tails(
    profile: Profile, total: Total, method: SignificanceMethod
) -> tuple[float, float] | None:
    """Logarithms of the upper and of the lower tail; None if that takes too long."""
    if total == Total("n11"):
        n11 = profile.view(Pairs).n11
        both = overlap_log_tails(profile.row_sizes, profile.column_sizes, profile.size, n11)
        if both is not None:
            return both
    ways = _affordable_totals(profile, total, method)
    return None if ways is None else _log_tails(ways, total.of(profile))


def _log_tails(ways: Mapping[int, int], observed: int) -> tuple[float, float]:
    """Logarithms of fractions whose parts may exceed the range of floats."""
    upper, lower = (math.log(p.numerator) - math.log(p.denominator) for p in tails(ways, observed))
    return upper, lower


def _information_distribution(draws: Draws, profile: Profile, method: SignificanceMethod) -> NullDistribution:
    if method == "gamma":
        raise ParameterError(
            "the skewness of the mutual information has no closed form; use 'exact' or 'permutations'",
            given={"method": method},
        )
    observed = profile.view(Information).mutual
    expected = expected_information(profile.row_sizes, profile.column_sizes)
    total = Total("information")
    ways = None if method == "permutations" else totals(profile, total)
    _refuse_exact(method, ways is None)
    if ways is None:
        return draws.of_statistic(lambda drawn: drawn.view(Information).mutual, observed, expected)
    # Σ n log n differs from n·MI by a constant of the cluster sizes.
    base = observed - math.log(total.of(profile)) / profile.size
    values = np.array([math.log(each) / profile.size + base for each in ways])
    everything = sum(ways.values())
    weights = np.array([many / everything for many in ways.values()])
    log_p = log_p_of(draws.tail, *_log_tails(ways, total.of(profile)))
    return distribution_of_values(values, weights, observed, expected, log_p=log_p)


def _affordable_totals(
    profile: Profile, total: Total, method: SignificanceMethod
) -> Mapping[int, int] | None:
    """The number of tables with each total; None if there are too many tables."""
    ways = totals(profile, total, AFFORDED if method == "auto" else 10 * AFFORDED)
    _refuse_exact(method, ways is None)
    return ways


def _refuse_exact(method: SignificanceMethod, too_many: bool) -> None:
    if method == "exact" and too_many:
        raise TooLargeError(
            "too many contingency tables have these margins to count them all",
            remedies=[Remedy("use the next best method", method="auto")],
        )


def _refuse_all_but_permutations(index: Index, method: SignificanceMethod) -> None:
    if method in ("gamma", "exact"):
        raise ParameterError(
            f"neither N₁₁ nor the mutual information determines {index.name}: use 'permutations'",
            given={"method": method},
        )


def _on_own_scale(
    profile: Profile, index: Index, value: float, found: NullDistribution
) -> NullDistribution | None:
    """The same distribution in units of an index that is linear in its statistic; None if it is not."""
    expected = index.by_chance(profile)
    if not index.linear or expected is None:
        return None
    slope: float | None
    if index.shares == "n11":
        # The rise with each pair: between the extremes of N₁₁, where nothing cancels.
        pairs, ends = profile.view(Pairs, exact=True), []
        most = min(Fraction(pairs.in_u), Fraction(pairs.in_v))
        for n11 in (Fraction(0), most):
            views = [pairs.with_n11(n11) if kind is Pairs else profile.view(kind) for kind in index.views]
            try:
                ends.append(Fraction(index.compute(*views, **index.arguments)))
            except (ZeroDivisionError, ValueError):  # a root of a negative number, or 0/0
                return None
        slope = float((ends[1] - ends[0]) / most) if most else None
    else:
        away = found.observed - found.expected
        slope = (value - expected) / away if away else None
    if slope is None or not slope or not math.isfinite(slope):
        return None
    skewness = math.copysign(1.0, slope) * found.skewness
    return replace(found, observed=value, expected=expected, sd=abs(slope) * found.sd, skewness=skewness)
