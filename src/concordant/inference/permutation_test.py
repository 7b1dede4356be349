"""The null test: how often permutations of the elements agree as much as observed.

One builder for each kind of counts specifies the statistic, its moments in closed form, its distribution over
all permutations, and how to draw it. `NullTest` decides which of these gives the p-value.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import islice
from typing import Any, Literal

import numpy as np

from concordant.counts.base import Counts, CountsKind
from concordant.counts.chance import is_settled
from concordant.counts.contingency_enumeration import AFFORDED, overlap_log_tails, tails, total_of, totals
from concordant.counts.cover_counts import CoverCounts
from concordant.counts.information import ClusterSizes, Information, expected_information
from concordant.counts.pairs import PairCounts, PartialCounts
from concordant.counts.partial_overlap import PartialOverlap
from concordant.counts.profile import Profile
from concordant.errors import ParameterError, Remedy, TooLargeError, UndefinedError, UnmatchedError
from concordant.foundation import kinds
from concordant.foundation.conventions import Undefined
from concordant.foundation.spelling import counted
from concordant.indices.index import AgreementDirection, Index
from concordant.inference.moments import bound_of, log_bound, moments, squared_steps
from concordant.inference.null_distributions import (
    ROUNDING,
    NullDistribution,
    Tail,
    gamma_log_tails,
    log_p_of,
)
from concordant.inference.permutations import Shuffler, permuted_covers
from concordant.inference.significance import Significance, SignificanceMethod, TestOptions
from concordant.maths.arithmetic import Floats
from concordant.sources.execution import report

# After this many permutations that reach the observed value, more would not change the verdict
# (Besag & Clifford 1991, Biometrika 78:301).
_ENOUGH = 20
# Moments of fewer draws are not reported: the error of the standard deviation exceeds 7%.
_FEWEST_FOR_MOMENTS = 100

# Draws the statistic up to this many times.
Draws = Callable[[np.random.Generator, int], Iterable[float]]
# Values of the statistic, and the number or share of permutations with each.
Arrangements = tuple[Floats, Floats]


@dataclass(frozen=True, slots=True)
class _Drawn:
    """Values of the statistic for random permutations, and how many are as extreme as observed."""

    values: list[float]
    reached: int
    stopped: bool

    @property
    def log_share(self) -> float:
        drawn = len(self.values)
        return math.log(self.reached / drawn if self.stopped else (1 + self.reached) / (1 + drawn))


@dataclass(frozen=True, kw_only=True)
class NullMoments:
    """Knowledge about the distribution of a statistic before permutations are drawn.

    Attributes
    ----------
    settled : bool
        Whether every permutation gives the same.
    expected : float or None
        The mean of the statistic. None takes that of all values or of the draws.
    moments : NullDistribution or None
        The gamma distribution with exact moments, which are reported whatever the method.
    gamma : callable or None
        The same if it takes long, or if its moments are reported only with its tails.
    draws_before_gamma : int or None
        If the approximation may be poor, "auto" draws this many permutations first, and uses it only where
        none of them is as extreme.
    exact : callable or None
        The distribution over all permutations, or the values that it consists of; None if there are too many.
        True as its argument allows more.
    refusal : str
        Why the gamma or the exact distribution is not available.
    """

    settled: bool = False
    expected: float | None = None
    moments: NullDistribution | None = None
    gamma: Callable[[], NullDistribution] | None = None
    draws_before_gamma: int | None = None
    exact: Callable[[bool], NullDistribution | Arrangements | None] | None = None
    refusal: str = ""

    def by_gamma(self) -> NullDistribution | None:
        """The gamma distribution, if there is one."""
        return self.moments if self.gamma is None else self.gamma()

    def has(self, method: SignificanceMethod) -> bool:
        """Whether it can give the p-value by this method."""
        if method == "gamma":
            return self.moments is not None or self.gamma is not None
        return method != "exact" or self.exact is not None


@dataclass(frozen=True, kw_only=True)
class NullTest:
    """A statistic of two sides, and what is known about its distribution over all permutations.

    Attributes
    ----------
    index, value, direction
        The index that is tested, as in `Significance`.
    sides, fixed : str
        The kind of the sides, and what permutations keep, in words.
    size : int
        Number of elements.
    observed, statistic
        The value of the statistic, not a number if there is nothing to test, and its name if that is not the
        index.
    slack : float or None
        Values this close to the observed one count as equal to it. None allows for rounding.
    on_index : (float, float) or None
        The slope of the index as a linear function of the statistic, and its mean.
    draws : callable
        Draws the statistic for random permutations, one by one.
    known : Known
        What is known about the distribution.
    """

    index: str
    value: float
    direction: AgreementDirection = "larger"
    sides: str = "partitions"
    fixed: str = "the cluster sizes"
    size: int
    observed: float
    statistic: str = ""
    slack: float | None = None
    on_index: tuple[float, float] | None = None
    draws: Draws
    known: NullMoments = NullMoments()

    def significance(self, options: TestOptions, *, stops_early: bool = True) -> Significance:
        """The p-value: settled, else exact, else by the gamma distribution, else by permutations."""
        tail, method, known = options.tail, options.method, self.known
        if known.settled:
            return self._settled(tail)
        if math.isnan(self.observed):
            raise UndefinedError(
                f"{self.index} is undefined for these {self.sides}: there is nothing to test"
            )
        if not known.has(method):
            raise ParameterError(known.refusal, given={"method": method})
        if method in ("auto", "exact"):
            found = self._over_all(is_patient=method == "exact")
            if found is not None:
                return self._result("exact", found, options)
            if method == "exact":
                raise TooLargeError(
                    f"{counted(self.size, 'record')} have too many different permutations to list them all",
                    remedies=[Remedy("use the next best method", method="auto")],
                )
        found = None if method == "permutations" else known.by_gamma()
        if found is not None:
            first = 0 if method == "gamma" else min(known.draws_before_gamma or 0, options.n_resamples)
            # No permutation can show a smaller p-value than 1 / (1 + permutations).
            if not first or found.log_p_at_most(tail) <= -math.log(1 + first):
                return self._result("gamma", found, options)
            options = replace(options, n_resamples=first)
        drawn = self._draw(options, _ENOUGH if stops_early else None)
        if found is not None and not drawn.reached:
            return self._result("gamma", found, options, drawn)
        return self._result("permutations", self._of_draws(drawn), options, drawn)

    def _over_all(self, *, is_patient: bool) -> NullDistribution | None:
        """The distribution over all permutations; None if it is not known or takes too long."""
        known = self.known
        every = None if known.exact is None else known.exact(is_patient)
        if every is None or isinstance(every, NullDistribution):
            return every
        values, ways = every
        # An undefined value counts as extreme on both sides.
        excess = self._sign * (values - self.observed)
        shares = (float(ways[~(side * excess < -self._slack)].sum() / ways.sum()) for side in (1, -1))
        upper, lower = (math.log(max(share, sys.float_info.min)) for share in shares)
        if known.moments is not None:
            return replace(known.moments, log_tails=(upper, lower))
        is_defined = ~np.isnan(values)
        values, ways = values[is_defined], ways[is_defined]
        expected = float(np.average(values, weights=ways)) if known.expected is None else known.expected
        return self._of_values(values, ways / ways.sum(), expected, (upper, lower))

    def _draw(self, options: TestOptions, enough: int | None) -> _Drawn:
        """All draws, or those until enough are as extreme."""
        values: list[float] = []
        above = below = reached = 0
        sign, slack = self._sign, self._slack
        for value in self.draws(np.random.default_rng(options.seed), options.n_resamples):
            values.append(value)
            if enough is not None:  # else it takes only a moment
                report(100 * len(values) / options.n_resamples)
            excess = sign * (value - self.observed)
            above += not excess < -slack  # an undefined value counts as extreme on both sides
            below += not excess > slack
            reached = {"upper": above, "lower": below}.get(options.tail, min(above, below))
            if reached == enough:
                break
        return _Drawn(values, reached, reached == enough)

    def _of_draws(self, drawn: _Drawn) -> NullDistribution:
        log_tails, known = (drawn.log_share, drawn.log_share), self.known
        if known.moments is not None:
            return replace(known.moments, log_tails=log_tails)
        values = np.array([value for value in drawn.values if not math.isnan(value)])
        if len(values) >= _FEWEST_FOR_MOMENTS:
            expected = float(values.mean()) if known.expected is None else known.expected
            weights = np.full(len(values), 1 / len(values))
            return replace(self._of_values(values, weights, expected, log_tails), n_moment_draws=len(values))
        return NullDistribution(
            statistic=self.statistic or self.index,
            observed=self.observed,
            expected=math.nan if known.expected is None else known.expected,
            sd=math.nan,
            skewness=math.nan,
            z=math.nan,
            log_tails=log_tails,
        )

    def _of_values(
        self, values: Floats, weights: Floats, expected: float, log_tails: tuple[float, float]
    ) -> NullDistribution:
        return NullDistribution.of_values(
            self.statistic or self.index,
            values,
            weights,
            self.observed,
            expected,
            log_tails=log_tails,
            sign=self._sign,
        )

    @property
    def _sign(self) -> float:
        """-1 if smaller values of the statistic mean more agreement."""
        return -1.0 if self.direction == "smaller" and not self.statistic else 1.0

    @property
    def _slack(self) -> float:
        return ROUNDING * max(abs(self.observed), 1e-300) if self.slack is None else self.slack

    def _result(
        self,
        method: Literal["exact", "gamma", "permutations"],
        found: NullDistribution,
        options: TestOptions,
        drawn: _Drawn | None = None,
    ) -> Significance:
        tail = options.tail
        log_p, log_p_at_most = log_p_of(tail, *found.log_tails), found.log_p_at_most(tail)
        if found.sd == 0 and method != "permutations":
            return self._settled(tail)
        if method == "gamma":
            if drawn is not None:
                log_p_at_most = min(log_p_at_most, log_p_of(tail, drawn.log_share, drawn.log_share))
            log_p = max(min(log_p, log_p_at_most), found.log_least)
        if self.on_index is not None:
            slope, expected = self.on_index
            found = found.of_index(self.index, self.value, expected, slope)
        return Significance(
            index=self.index,
            value=self.value,
            direction=self.direction,
            statistic=found.statistic,
            observed=found.observed,
            expected=found.expected,
            sd=found.sd,
            skewness=found.skewness,
            z=found.z,
            tail=tail,
            p=max(math.exp(log_p), sys.float_info.min),
            log_p=log_p,
            p_at_most=None if found.log_bound is None else bound_of(log_p_at_most),
            method=method,
            n_resamples=0 if drawn is None else len(drawn.values),
            reached=None if drawn is None else drawn.reached,
            stopped=drawn is not None and drawn.stopped,
            n_moment_draws=found.n_moment_draws,
            seed=None if drawn is None else options.seed,
            fixed=self.fixed,
        )

    def _settled(self, tail: Tail) -> Significance:
        chance = (self.index, self.value, self.value, 0.0, 0.0, math.nan)
        return Significance(
            self.index, self.value, self.direction, *chance, tail, 1.0, 0.0, 1.0, "settled", fixed=self.fixed
        )


def significance(
    counts: Counts, index: Index, options: TestOptions, undefined: Undefined = "convention"
) -> Significance:
    """The index of these sides compared with chance.

    >>> from concordant import INDICES
    >>> significance(Profile.from_contingency([[5, 0], [0, 5]]), INDICES["rand"], TestOptions())
    rand 1, by chance 0.5062 ± 0.0835, z = 5.92, p = 0.00794 (exact, one-sided: as large or larger)
    """
    build = _TESTS.get(counts.kind) or kinds.use(kinds.joined("null_tests")[counts.kind])
    test: NullTest = build(counts, index, undefined)
    return test.significance(options)


# -- partitions -------------------------------------------------------------------------------------------


def _of_partitions(counts: Counts, index: Index, undefined: Undefined) -> NullTest:
    direction, value = direction_of(index), index.value(counts, undefined)
    if isinstance(counts, PartialOverlap):
        raise UnmatchedError(
            "significance permutes records that both sides have, but some records are on one side only; "
            "which of these a system finds is not a matter of permutations",
            remedies=counts.remedies,
        )
    profile = counts.partitions
    test = NullTest(
        index=index.name,
        value=value,
        observed=index.value(profile, "nan"),
        size=profile.size,
        draws=_draws(profile, lambda drawn: index.value(drawn.counts(), "nan")),
        direction=direction,
    )
    if is_settled(profile.view(ClusterSizes)):
        return replace(test, known=NullMoments(settled=True))
    if index.shares == "n11":
        slope = _slope_by_n11(profile, index) if index.linear else None
        return _on_own_scale(of_n11(test, profile), profile, index, slope)
    if index.shares == "information":
        test = _of_information(test, profile)
        away = test.observed - (test.known.expected or 0.0)
        by_chance = index.by_chance(profile)
        slope = (value - by_chance) / away if index.linear and by_chance is not None and away else None
        return _on_own_scale(test, profile, index, slope)
    return test if math.isnan(test.observed) else _of_index(test, profile, index)


def _of_index(test: NullTest, profile: Profile, index: Index) -> NullTest:
    """The test of an index that neither follows N₁₁ nor the mutual information."""
    why = f"neither N₁₁ nor the mutual information determines {index.name}: use 'permutations'"
    known = NullMoments(expected=index.by_chance(profile), refusal=why)
    if index.views != (PairCounts,):
        return replace(test, known=known)
    pairs = profile.view(PairCounts)

    def over_all(is_patient: bool) -> Arrangements | None:
        """N₁₁ determines the index, which neither rises nor falls with it."""
        ways = _affordable_n11(profile, is_patient)
        if ways is None:
            return None
        counts, everything = (PartialCounts.of_pairs(pairs.with_n11(n11)) for n11 in ways), sum(ways.values())
        values = np.array([index.value(each, "nan") for each in counts])
        return values, np.array([many / everything for many in ways.values()])

    return replace(test, known=replace(known, exact=over_all))


def direction_of(index: Index) -> AgreementDirection:
    if index.agreement is None:
        raise ParameterError(
            f"neither larger nor smaller values of {index.name} mean more agreement, so it has no p-value; "
            "use an index with a direction, such as adjusted_rand"
        )
    return index.agreement


def _draws(profile: Profile, statistic: Callable[[Shuffler], float]) -> Draws:
    def drawn(random: np.random.Generator, number: int) -> Iterable[float]:
        shuffler = Shuffler(profile.row_sizes, profile.column_sizes, random)
        return (statistic(shuffler) for _ in range(number))

    return drawn


def of_n11(test: NullTest, profile: Profile) -> NullTest:
    """The test of an index that rises, or falls, with N₁₁."""
    n11, found = profile.view(PairCounts).n11, moments(profile)
    z = float((n11 - found.mean) / Fraction(found.sd))
    known = NullDistribution(
        statistic="N₁₁",
        observed=float(n11),
        expected=float(found.mean),
        sd=found.sd,
        skewness=found.skewness,
        z=z,
        # N₁₁ is a whole number, so half a step belongs to the observed value on either side.
        log_tails=gamma_log_tails(z, found.skewness, half=0.5 / found.sd),
        log_bound=log_bound(found, n11 - found.mean, squared_steps(profile)),
    )

    def over_all(is_patient: bool) -> NullDistribution | None:
        both = overlap_log_tails(profile.row_sizes, profile.column_sizes, profile.size, n11)
        if both is None and (ways := _affordable_n11(profile, is_patient)) is not None:
            both = _log_tails(ways, n11)
        return None if both is None else replace(known, log_tails=both)

    return replace(
        test,
        statistic="N₁₁",
        observed=n11,
        draws=_draws(profile, lambda drawn: drawn.n11()),
        slack=0.0,
        known=NullMoments(moments=known, exact=over_all),
    )


def _of_information(test: NullTest, profile: Profile) -> NullTest:
    """The test of an index that rises, or falls, with the mutual information."""
    observed = profile.view(Information).mutual
    expected = expected_information(profile.row_sizes, profile.column_sizes)

    def over_all(is_patient: bool) -> NullDistribution | None:  # noqa: ARG001  (more would take too long)
        ways, total = totals(profile, "information"), total_of(profile, "information")
        if ways is None:
            return None
        # Σ n log n differs from n·MI by a constant of the cluster sizes.
        base = observed - math.log(total) / profile.size
        values = np.array([math.log(each) / profile.size + base for each in ways])
        everything = sum(ways.values())
        weights = np.array([many / everything for many in ways.values()])
        log_tails = _log_tails(ways, total)
        return NullDistribution.of_values(
            "mutual_information", values, weights, observed, expected, log_tails=log_tails
        )

    why = "the skewness of the mutual information has no closed form; use 'exact' or 'permutations'"
    return replace(
        test,
        statistic="mutual_information",
        observed=observed,
        draws=_draws(profile, lambda drawn: drawn.counts().view(Information).mutual),
        known=NullMoments(expected=expected, exact=over_all, refusal=why),
    )


def _affordable_n11(profile: Profile, is_patient: bool) -> Mapping[int, int] | None:
    return totals(profile, "n11", 10 * AFFORDED if is_patient else AFFORDED)


def _log_tails(ways: Mapping[int, int], observed: int) -> tuple[float, float]:
    """Logarithms of fractions whose parts may exceed the range of floats."""
    upper, lower = (math.log(p.numerator) - math.log(p.denominator) for p in tails(ways, observed))
    return upper, lower


def _on_own_scale(test: NullTest, profile: Profile, index: Index, slope: float | None) -> NullTest:
    """The test in units of the index if that is linear in the statistic."""
    expected = index.by_chance(profile)
    if expected is None or not slope or not math.isfinite(slope):
        return test
    return replace(test, on_index=(slope, expected))


def _slope_by_n11(profile: Profile, index: Index) -> float | None:
    """The rise of an index with each pair: between the extremes of N₁₁, where nothing cancels."""
    pairs, ends = profile.view(PairCounts, exact=True), []
    most = min(Fraction(pairs.in_u), Fraction(pairs.in_v))
    for n11 in (Fraction(0), most):
        views = [pairs.with_n11(n11) if kind is PairCounts else profile.view(kind) for kind in index.views]
        try:
            ends.append(Fraction(index.compute(*views, **index.arguments)))
        except (ZeroDivisionError, ValueError):  # a root of a negative number, or 0/0
            return None
    return float((ends[1] - ends[0]) / most) if most else None


# -- covers -----------------------------------------------------------------------------------------------


def _of_covers(counts: CoverCounts, index: Index, undefined: Undefined) -> NullTest:
    def draws(random: np.random.Generator, number: int) -> Iterable[float]:
        drawn = islice(permuted_covers(counts, random), number)
        return (index.value(each, "nan") for each in drawn)

    return NullTest(
        index=index.name,
        direction=direction_of(index),
        value=index.value(counts, undefined),
        observed=index.value(counts, "nan"),
        size=counts.size,
        sides="covers",
        draws=draws,
        known=NullMoments(refusal="covers are tested by permutations"),
    )


_TESTS: Mapping[CountsKind, Callable[[Any, Any, Undefined], NullTest]] = {
    "partitions": _of_partitions,
    "partial_overlap": _of_partitions,
    "weights": _of_partitions,
    "between": _of_partitions,  # which refuses it
    "covers": _of_covers,
}
