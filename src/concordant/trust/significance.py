"""Significance: is the agreement more than chance would bring, cluster sizes kept and elements shuffled?

Indices that rise or fall with N₁₁ for given sizes share one p-value, and so do those that go with the mutual
information. The normal law is not used: for a given number of clusters N₁₁ tends to a skewed law, however
many elements there are.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from decimal import ROUND_CEILING, Decimal
from fractions import Fraction
from typing import Literal

import numpy as np

from concordant.catalogue.index import Index
from concordant.counts.conventions import Undefined, check_choice
from concordant.counts.information import Information, expected_information
from concordant.counts.pairs import Pairs
from concordant.counts.profile import Profile
from concordant.errors import ParameterError, Remedy, TooLargeError, UndefinedError
from concordant.trust.finding import Finding, shown, shown_p
from concordant.trust.moments import Moments, moments
from concordant.trust.null_distributions import (
    Law,
    LevelLine,
    law_of_function,
    law_of_values,
    reads_crossings,
)
from concordant.trust.permutations import Shuffler
from concordant.trust.seed import SEED, check_seed
from concordant.trust.tails import log_upper_pearson
from concordant.views.chance import is_settled
from concordant.views.fillings import AFFORDED, Total, totals, upper_tail

SignificanceMethod = Literal["auto", "exact", "gamma", "permutations"]
METHODS = ("auto", "exact", "gamma", "permutations")

# After so many permutations that reach the observed value, more would not change the verdict
# (Besag & Clifford 1991, Biometrika 78:301).
_ENOUGH = 20

# A float that misses the observed value by no more than this reaches it.
_ROUNDING = 1e-12


@dataclass(frozen=True, slots=True, repr=False)
class Significance(Finding):
    """How a value compares with what chance brings, and how seldom chance brings as much agreement."""

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

    def __repr__(self) -> str:
        begin = f"{self.index} {shown(self.value)}"
        if self.method == "settled":
            return f"{begin}: every shuffle of the elements gives the same, p = 1"
        if self.statistic != self.index:
            begin += f"; {self.statistic} {shown(self.observed)}"
        how = (
            f"{self.method}"
            if not self.permutations
            else f"{self.permutations:,} permutations, seed {self.seed}"
        )
        bound = (
            ""
            if self.p_at_most is None or self.p_at_most >= 1
            else f"; at most {_rounded_up(self.p_at_most)}"
        )
        return (
            f"{begin}, by chance {shown(self.expected)} ± {shown(self.sd)}, z = {self.z:.3g}, "
            f"{shown_p(self.p)} ({how}{bound})"
        )


def _rounded_up(bound: float) -> str:
    """A bound in one digit that is not below it.

    >>> _rounded_up(1 / 3), _rounded_up(0.02), _rounded_up(0.96)
    ('0.4', '0.02', '1')
    """
    exact = Decimal(bound)
    digit = exact.adjusted()
    return f"{float(round(exact, 12 - digit).quantize(Decimal(1).scaleb(digit), ROUND_CEILING)):.1g}"


def significance(
    profile: Profile,
    index: Index,
    *,
    undefined: Undefined = "convention",
    method: SignificanceMethod = "auto",
    permutations: int = 9999,
    seed: int = SEED,
) -> Significance:
    """How an index of these partitions compares with chance.

    >>> from concordant import INDICES
    >>> significance(Profile.from_contingency([[5, 0], [0, 5]]), INDICES["rand"])
    rand 1, by chance 0.5062 ± 0.0835, z = 5.92, p = 0.00794 (exact; at most 0.01)
    """
    check_choice("method", method, METHODS)
    check_shuffles(permutations)
    check_seed(seed)
    value = index.value(profile, undefined)
    if is_settled(profile):
        return Significance(
            index.name, value, index.name, value, value, 0.0, 0.0, math.nan, 1.0, 0.0, 1.0, "settled", 0, None
        )
    if index.shares == "n11":
        law, statistic = _n11_law(profile, method, permutations, seed), "N₁₁"
    elif index.shares == "information":
        law, statistic = _information_law(profile, method, permutations, seed), "mutual_information"
    elif index.views == (Pairs,) and method != "permutations":
        law, statistic = _law_by_n11(profile, index, method), index.name
    elif method != "permutations" and (line := _line(profile, index)) is not None:
        law, statistic = _law_by_line(profile, index, line, method)
    else:
        law, statistic = _own_law(profile, index, method, permutations, seed), index.name
    own = None if index.shares is None else _on_own_scale(profile, index, value, law)
    statistic, law = (statistic, law) if own is None else (index.name, own)
    return Significance(
        index=index.name,
        value=value,
        statistic=statistic,
        observed=law.observed,
        expected=law.expected,
        sd=law.sd,
        skewness=law.skewness,
        z=law.z,
        p=math.exp(law.log_p),
        log_p=law.log_p,
        p_at_most=law.p_at_most,
        method=law.method,
        permutations=law.permutations,
        seed=seed if law.permutations else None,
    )


def check_shuffles(permutations: int) -> None:
    """Refuse what is not a number of permutations."""
    if not isinstance(permutations, int) or isinstance(permutations, bool) or permutations < 1:
        raise ParameterError("use a positive whole number", given={"permutations": permutations})


# -- the laws -------------------------------------------------------------------------------------------


def _n11_law(profile: Profile, method: SignificanceMethod, permutations: int, seed: int) -> Law:
    found, observed = moments(profile), profile.view(Pairs).n11
    z = _ratio(observed - found.mean, found.sd)
    drawn = 0
    tail = _exact_tail(profile, Total("n11"), method)
    how: Literal["exact", "gamma", "permutations"] = "exact"
    if tail is not None:
        log_p = _log(tail)
    elif method == "permutations":
        shuffler, how = (
            Shuffler(profile.row_sizes, profile.column_sizes, np.random.default_rng(seed)),
            "permutations",
        )
        log_p, drawn = _log_share(lambda: shuffler.n11() >= observed, permutations)
    else:
        # The law is one of whole numbers: half a step is taken off, as for any smooth approximation.
        half_below = _ratio(observed - Fraction(1, 2) - found.mean, found.sd)
        log_p, how = log_upper_pearson(half_below, found.skewness), "gamma"
    expected = float(found.mean)
    at_most = _bound(observed - found.mean, found)
    return Law(float(observed), expected, found.sd, found.skewness, z, log_p, how, at_most, drawn)


def _bound(excess: Fraction, found: Moments) -> float:
    """What the chance of such an excess cannot exceed: Cantelli's inequality, and Markov's for the fourth."""
    if excess <= 0:
        return 1.0
    cantelli = found.variance / (found.variance + excess**2)
    return math.nextafter(float(min(cantelli, found.fourth / excess**4, Fraction(1))), 2.0)


def _information_law(profile: Profile, method: SignificanceMethod, permutations: int, seed: int) -> Law:
    _refuse_gamma(method, "the mutual information")
    observed = profile.view(Information).mutual
    expected = expected_information(profile.row_sizes, profile.column_sizes)
    total = Total("information")
    ways = None if method == "permutations" else totals(profile, total)
    _refuse_exact(method, ways is None)
    if ways is not None:
        log_p = _log(upper_tail(ways, total.of(profile)))
        # Σ n log n differs from n·MI by what the cluster sizes say.
        base = observed - math.log(total.of(profile)) / profile.size
        values = np.array([math.log(met) / profile.size + base for met in ways])
        everything = sum(ways.values())
        weights = np.array([many / everything for many in ways.values()])
        return law_of_values(values, weights, observed, expected, log_p=log_p)
    shuffler = Shuffler(profile.row_sizes, profile.column_sizes, np.random.default_rng(seed))
    values_drawn: list[float] = []

    def reaches() -> bool:
        values_drawn.append(shuffler.profile().view(Information).mutual)
        return values_drawn[-1] >= observed * (1 - _ROUNDING)

    log_p, drawn = _log_share(reaches, permutations)
    values = np.array(values_drawn)
    return law_of_values(values, np.full(drawn, 1 / drawn), observed, expected, log_p=log_p, drawn=drawn)


def _law_by_n11(profile: Profile, index: Index, method: SignificanceMethod) -> Law:
    """Of an index that N₁₁ tells, but that neither rises nor falls with it for given sizes."""
    ways = None if method == "gamma" else totals(profile, Total("n11"), _afforded(method))
    _refuse_exact(method, ways is None)
    if math.isnan(index.value(profile, "nan")):
        raise UndefinedError(f"{index.name} is undefined for these partitions: there is nothing to test")
    return law_of_function(profile, index, moments(profile), ways)


def _line(profile: Profile, index: Index) -> LevelLine | None:
    """Of an index that N₁₁ and Σ n·a·b tell for given sizes, where it is defined."""
    if not reads_crossings(index) or math.isnan(index.value(profile, "nan")):
        return None
    return LevelLine.of(profile, index)


def _law_by_line(
    profile: Profile, index: Index, line: LevelLine, method: SignificanceMethod
) -> tuple[Law, str]:
    """The law of a sum of N₁₁ and Σ n·a·b; in units of the index where that is linear in it."""
    found = moments(profile, line.weight)
    excess = line.observed - found.mean
    tail = _exact_tail(profile, line.total, method)
    how: Literal["exact", "gamma"] = "gamma" if tail is None else "exact"
    half_below = _ratio(excess - Fraction(1, 2), found.sd)
    log_p = log_upper_pearson(half_below, found.skewness) if tail is None else _log(tail)
    z, at_most, expected = _ratio(excess, found.sd), _bound(excess, found), index.by_chance(profile)
    if index.linear and expected is not None:
        sd = float(line.slope) * found.sd
        return Law(index.value(profile), expected, sd, found.skewness, z, log_p, how, at_most), index.name
    observed, mean = float(line.observed), float(found.mean)
    return Law(observed, mean, found.sd, found.skewness, z, log_p, how, at_most), line.name


def _afforded(method: SignificanceMethod) -> int:
    return AFFORDED if method == "auto" else 10 * AFFORDED


def _own_law(profile: Profile, index: Index, method: SignificanceMethod, permutations: int, seed: int) -> Law:
    """By permutations alone; an index that is a distance is turned round."""
    if method in ("gamma", "exact"):
        raise ParameterError(
            f"{index.name} goes neither with N₁₁ nor with the mutual information, so only permutations tell",
            given={"method": method},
        )
    observed = index.value(profile, "nan")
    if math.isnan(observed):
        raise UndefinedError(f"{index.name} is undefined for these partitions: there is nothing to test")
    sign = -1.0 if index.direction == "distance" else 1.0
    shuffler = Shuffler(profile.row_sizes, profile.column_sizes, np.random.default_rng(seed))
    drawn_values: list[float] = []

    def reaches() -> bool:
        value = index.value(shuffler.profile(), "nan")
        drawn_values.append(value)
        slack = _ROUNDING * max(abs(observed), 1e-300)
        return math.isnan(value) or sign * (value - observed) >= -slack

    log_p, drawn = _log_share(reaches, permutations)
    values = np.array([value for value in drawn_values if not math.isnan(value)])
    expected = index.by_chance(profile)
    mean = (float(values.mean()) if len(values) else math.nan) if expected is None else expected
    weights = np.full(len(values), 1 / max(len(values), 1))
    return law_of_values(values, weights, observed, mean, log_p=log_p, drawn=drawn, sign=sign)


def _log_share(reaches: Callable[[], bool], permutations: int) -> tuple[float, int]:
    """log p, and how many were drawn: all, or as many as it took to reach the value often enough."""
    reached = 0
    for drawn in range(1, permutations + 1):
        reached += reaches()
        if reached == _ENOUGH and drawn < permutations:
            return math.log(reached / drawn), drawn
    return math.log((1 + reached) / (1 + permutations)), permutations


def _exact_tail(profile: Profile, total: Total, method: SignificanceMethod) -> Fraction | None:
    if method in ("gamma", "permutations"):
        return None
    ways = totals(profile, total, _afforded(method))
    _refuse_exact(method, ways is None)
    return None if ways is None else upper_tail(ways, total.of(profile))


def _refuse_exact(method: SignificanceMethod, too_many: bool) -> None:
    if method == "exact" and too_many:
        raise TooLargeError(
            "too many contingency tables have these margins to fill them all",
            remedies=[Remedy("take the next best", method="auto")],
        )


def _refuse_gamma(method: SignificanceMethod, what: str) -> None:
    if method == "gamma":
        raise ParameterError(
            f"the skewness of {what} has no closed form; use 'exact' or 'permutations'",
            given={"method": method},
        )


def _ratio(excess: Fraction, sd: float) -> float:
    return float(excess / Fraction(sd))


def _log(p: Fraction) -> float:
    """log of a fraction whose parts may be beyond floating point."""
    return math.log(p.numerator) - math.log(p.denominator)


# -- the index's own scale --------------------------------------------------------------------------------


def _on_own_scale(profile: Profile, index: Index, value: float, law: Law) -> Law | None:
    """The same law in units of an index that is linear in what it shares; None where it is not."""
    expected = index.by_chance(profile)
    if not index.linear or expected is None:
        return None
    slope = _slope_by_n11(profile, index) if index.shares == "n11" else _slope(value - expected, law)
    if slope is None or not slope or not math.isfinite(slope):
        return None
    return Law(
        observed=value,
        expected=expected,
        sd=abs(slope) * law.sd,
        skewness=math.copysign(1.0, slope) * law.skewness,
        z=law.z,
        log_p=law.log_p,
        method=law.method,
        p_at_most=law.p_at_most,
        permutations=law.permutations,
    )


def _slope(excess: float, law: Law) -> float | None:
    away = law.observed - law.expected
    return excess / away if away else None


def _slope_by_n11(profile: Profile, index: Index) -> float | None:
    """By how much the index rises with each pair: from the least to the most, so that nothing cancels."""
    pairs = profile.view(Pairs, exact=True)
    least, most = Fraction(0), min(Fraction(pairs.in_u), Fraction(pairs.in_v))
    ends = []
    for n11 in (least, most):
        views = [pairs.with_n11(n11) if kind is Pairs else profile.view(kind) for kind in index.views]
        try:
            ends.append(Fraction(index.compute(*views, **index.arguments)))
        except (ZeroDivisionError, ValueError):  # a root of what is negative there, or 0/0
            return None
    return float((ends[1] - ends[0]) / (most - least)) if most > least else None
