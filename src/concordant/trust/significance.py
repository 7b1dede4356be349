"""Significance: does the agreement exceed chance, if cluster sizes are kept and elements permuted?

Indices that rise or fall with N₁₁ for given cluster sizes share one p-value, and so do those that follow the
mutual information. The normal distribution is not used: for a given number of clusters, N₁₁ tends to a skewed
distribution as the number of elements grows.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from decimal import ROUND_CEILING, Decimal
from fractions import Fraction
from typing import Literal

import numpy as np

from concordant.catalogue.index import Index
from concordant.counts.conventions import Undefined, check_choice
from concordant.counts.information import ClusterSizes, Information, expected_information
from concordant.counts.pairs import Pairs
from concordant.counts.profile import Profile
from concordant.errors import ParameterError, Remedy, TooLargeError, UndefinedError
from concordant.trust.finding import Finding, shown, shown_p, software
from concordant.trust.moments import moments
from concordant.trust.null_distributions import (
    ROUNDING,
    LevelLine,
    NullDistribution,
    distribution_of_values,
    pair_index_distribution,
)
from concordant.trust.options import check_count, check_seed
from concordant.trust.permutations import Shuffler
from concordant.trust.tails import log_upper_pearson
from concordant.views.chance import is_settled
from concordant.views.contingency_enumeration import AFFORDED, Total, tails, totals

SignificanceMethod = Literal["auto", "exact", "gamma", "permutations"]
METHODS = ("auto", "exact", "gamma", "permutations")

# After so many permutations that reach the observed value, more would not change the verdict
# (Besag & Clifford 1991, Biometrika 78:301).
_ENOUGH = 20

_NO_WEIGHT = Fraction(0)


@dataclass(frozen=True, slots=True, repr=False)
class Significance(Finding):
    """How a value compares with chance, and how rarely chance gives as much agreement."""

    index: str
    value: float
    statistic: str  # what expected and sd are of: the index itself, N₁₁ or the mutual information
    observed: float  # the value of the statistic
    expected: float
    sd: float
    skewness: float
    z: float  # standard deviations above chance, in the direction of more agreement
    p: float
    log_p: float
    p_at_most: float | None  # a proven upper bound; None where there is none
    method: Literal["exact", "gamma", "permutations", "settled"]
    permutations: int  # how many were drawn
    seed: int | None
    conventions: str = ""

    @property
    def sentence(self) -> str:
        """How rarely random permutations of the labels reach the value."""
        return (
            f"Given the cluster sizes, an agreement this high ({self.index} {shown(self.value)}) has "
            f"{shown_p(self.p)} under random permutation of the labels ({self.method}; {software()})."
        )

    def _summary(self) -> str:
        begin = f"{self.index} {shown(self.value)}"
        if self.method == "settled":
            return f"{begin}: every permutation of the elements gives the same, p = 1"
        if self.statistic != self.index:
            begin += f"; {self.statistic} {shown(self.observed)}"
        how: str = self.method
        if self.permutations:
            how = f"{self.permutations:,} permutations, seed {self.seed}"
        if self.p_at_most is not None and self.p_at_most < 1:
            bound = Decimal(self.p_at_most)  # in one digit, rounded up
            digit = bound.adjusted()
            bound = round(bound, 12 - digit).quantize(Decimal(1).scaleb(digit), ROUND_CEILING)
            how += f"; at most {float(bound):.1g}"
        return (
            f"{begin}, by chance {shown(self.expected)} ± {shown(self.sd)}, z = {self.z:.3g}, "
            f"{shown_p(self.p)} ({how})"
        )


def significance(
    profile: Profile,
    index: Index,
    *,
    undefined: Undefined = "convention",
    method: SignificanceMethod = "auto",
    permutations: int = 9999,
    seed: int = 0,
) -> Significance:
    """The index of these partitions compared with chance.

    >>> from concordant import INDICES
    >>> significance(Profile.from_contingency([[5, 0], [0, 5]]), INDICES["rand"])
    rand 1, by chance 0.5062 ± 0.0835, z = 5.92, p = 0.00794 (exact; at most 0.01)
    """
    check_choice("method", method, METHODS)
    check_count("permutations", permutations)
    check_seed(seed)
    value, name = index.value(profile, undefined), index.name
    if is_settled(profile.view(ClusterSizes)):
        return Significance(
            name, value, name, value, value, 0.0, 0.0, math.nan, 1.0, 0.0, 1.0, "settled", 0, None
        )
    draws = _Draws(profile, permutations, seed)
    if index.shares == "n11":
        n11 = Fraction(profile.view(Pairs).n11)
        found, statistic = _moment_distribution(draws, Total("n11"), n11, method), "N₁₁"
    elif index.shares == "information":
        found, statistic = _information_distribution(draws, method), "mutual_information"
    elif math.isnan(index.value(profile, "nan")):
        if index.views != (Pairs,):
            _refuse_all_but_permutations(index, method)
        raise UndefinedError(f"{name} is undefined for these partitions: there is nothing to test")
    elif index.views == (Pairs,) and method != "permutations":
        # N₁₁ determines the index, which neither rises nor falls with it.
        ways = None if method == "gamma" else _totals(profile, Total("n11"), method)
        found, statistic = pair_index_distribution(profile, index, moments(profile), ways), name
    elif method != "permutations" and (line := LevelLine.of(profile, index)) is not None:
        found = _moment_distribution(draws, line.total, line.observed, method, line.weight)
        expected, statistic = index.by_chance(profile), line.name
        if index.linear and expected is not None:
            observed, sd = index.value(profile), float(line.slope) * found.sd
            found, statistic = replace(found, observed=observed, expected=expected, sd=sd), name
    else:
        _refuse_all_but_permutations(index, method)
        sign = -1.0 if index.direction == "distance" else 1.0
        observed, expected = index.value(profile, "nan"), index.by_chance(profile)
        found = draws.distribution(lambda drawn: index.value(drawn, "nan"), observed, expected, sign)
        statistic = name
    if index.shares is not None and (own := _on_own_scale(profile, index, value, found)) is not None:
        found, statistic = own, name
    return Significance(
        index=name,
        value=value,
        statistic=statistic,
        p=math.exp(found.log_p),
        seed=seed if found.permutations else None,
        **asdict(found),
    )


@dataclass(frozen=True, slots=True)
class _Draws:
    """Permutations of the elements of a profile."""

    profile: Profile
    permutations: int
    seed: int

    def log_share(self, reaches: Callable[[Shuffler], bool]) -> tuple[float, int]:
        """log p, and the number of draws: all, or until enough of them reach the observed value."""
        profile, reached = self.profile, 0
        shuffler = Shuffler(profile.row_sizes, profile.column_sizes, np.random.default_rng(self.seed))
        for drawn in range(1, self.permutations + 1):
            reached += reaches(shuffler)
            if reached == _ENOUGH and drawn < self.permutations:
                return math.log(reached / drawn), drawn
        return math.log((1 + reached) / (1 + self.permutations)), self.permutations

    def distribution(
        self,
        statistic: Callable[[Profile], float],
        observed: float,
        expected: float | None,
        sign: float = 1.0,  # -1 for a distance
    ) -> NullDistribution:
        """The distribution of a statistic over the draws; without ``expected``, its mean is theirs."""
        values: list[float] = []
        slack = ROUNDING * max(abs(observed), 1e-300)

        def reaches(shuffler: Shuffler) -> bool:
            values.append(statistic(shuffler.profile()))
            return math.isnan(values[-1]) or sign * (values[-1] - observed) >= -slack

        log_p, drawn = self.log_share(reaches)
        defined = np.array([value for value in values if not math.isnan(value)])
        if expected is None:
            expected = float(defined.mean()) if len(defined) else math.nan
        weights = np.full(len(defined), 1 / max(len(defined), 1))
        return distribution_of_values(
            defined, weights, observed, expected, log_p=log_p, drawn=drawn, sign=sign
        )


def _moment_distribution(
    draws: _Draws,
    total: Total,
    observed: Fraction,
    method: SignificanceMethod,
    weight: Fraction = _NO_WEIGHT,
) -> NullDistribution:
    """The distribution of N₁₁ + weight·Σ n·a·b: exact moments, and the best tail that the method allows."""
    profile = draws.profile
    known = moments(profile, weight)
    excess, sd = observed - known.mean, Fraction(known.sd)
    how: Literal["exact", "gamma", "permutations"] = "exact"
    drawn = 0
    ways = None if method in ("gamma", "permutations") else _totals(profile, total, method)
    if ways is not None:
        log_p = _log(tails(ways, total.of(profile))[0])
    elif method == "permutations":
        how = "permutations"
        log_p, drawn = draws.log_share(lambda shuffler: shuffler.n11() >= observed)
    else:
        # The statistic is a whole number: half a step is taken off, as for any smooth approximation.
        log_p, how = log_upper_pearson(float((excess - Fraction(1, 2)) / sd), known.skewness), "gamma"
    bound = 1.0
    if excess > 0:  # Cantelli's inequality, and Markov's for the fourth moment
        least = min(known.variance / (known.variance + excess**2), known.fourth / excess**4, Fraction(1))
        bound = math.nextafter(float(least), 2.0)
    return NullDistribution(
        float(observed),
        float(known.mean),
        known.sd,
        known.skewness,
        float(excess / sd),
        log_p,
        how,
        bound,
        drawn,
    )


def _information_distribution(draws: _Draws, method: SignificanceMethod) -> NullDistribution:
    profile = draws.profile
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
        return draws.distribution(lambda drawn: drawn.view(Information).mutual, observed, expected)
    # Σ n log n differs from n·MI by a constant of the cluster sizes.
    base = observed - math.log(total.of(profile)) / profile.size
    values = np.array([math.log(each) / profile.size + base for each in ways])
    everything = sum(ways.values())
    weights = np.array([many / everything for many in ways.values()])
    log_p = _log(tails(ways, total.of(profile))[0])
    return distribution_of_values(values, weights, observed, expected, log_p=log_p)


def _totals(profile: Profile, total: Total, method: SignificanceMethod) -> Mapping[int, int] | None:
    """The number of tables with each total; None if there are too many tables."""
    ways = totals(profile, total, AFFORDED if method == "auto" else 10 * AFFORDED)
    _refuse_exact(method, ways is None)
    return ways


def _refuse_exact(method: SignificanceMethod, too_many: bool) -> None:
    if method == "exact" and too_many:
        raise TooLargeError(
            "too many contingency tables have these margins to count them all",
            remedies=[Remedy("take the next best", method="auto")],
        )


def _refuse_all_but_permutations(index: Index, method: SignificanceMethod) -> None:
    if method in ("gamma", "exact"):
        raise ParameterError(
            f"neither N₁₁ nor the mutual information determines {index.name}: use 'permutations'",
            given={"method": method},
        )


def _log(p: Fraction) -> float:
    """log of a fraction whose parts may exceed the range of floats."""
    return math.log(p.numerator) - math.log(p.denominator)


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
