"""Difference: by how much one of two systems scores higher than the other, and how certain that is.

The standard error of a paired jackknife reflects only the records of the sample. It is widened by the effect
of one unseen record, so few records never make a difference look certain.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from concordant.errors import ParameterError
from concordant.foundation.results import read_only_class
from concordant.foundation.spelling import counted
from concordant.indices.index import INDICES, Index
from concordant.inference.options import SampleOptions
from concordant.inference.sign_flips import Flips, UnitShares
from concordant.inference.statistic import Finding, shown, shown_p, size_condition, software
from concordant.maths.tails import log_student_tails, student_quantile

DifferenceMethod = Literal["jackknife", "flips", "none"]
DifferenceOutcome = Literal["better", "worse", "unclear", "same", ""]
Correction = Literal["holm"]

# The weight of an unseen record where leaving out changes nothing: (ln(1/.025) / 1.96)².
_NONE_SEEN = 3.54
_SAME = 1e-12  # an estimate that differs by no more is the difference itself
NOT_ESTIMABLE = "not estimable from this sample"


@dataclass(frozen=True, slots=True)
class PairedSpread:
    """How far the difference of a sample may be off.

    Attributes
    ----------
    estimate : float
        Centre of the interval.
    se : float
        Leave-one-out standard error.
    worst : float
        The largest change that one unseen record or unit can make.
    degrees : float
        Degrees of freedom of Student's distribution.
    bias : float
        Largest bias of the estimate, in either direction.
    note : str
        The quantity that is estimated.
    """

    estimate: float
    se: float
    worst: float
    degrees: float
    bias: float = 0.0
    note: str = ""

    @property
    def adjusted_se(self) -> float:
        """The standard error with the effect of an unseen record.

        >>> round(PairedSpread(0.05, 0.02, 0.01, 99).adjusted_se, 6)
        0.022361
        """
        return math.hypot(self.se, self.worst) if self.se else math.sqrt(_NONE_SEEN) * self.worst

    def ends(self, confidence: float) -> tuple[float, float]:
        """Both ends of the interval."""
        half = student_quantile(confidence, self.degrees) * self.adjusted_se + self.bias
        return self.estimate - half, self.estimate + half

    @property
    def p(self) -> float:
        """The two-sided p-value of no difference."""
        distance = max(abs(self.estimate) - self.bias, 0.0)
        return _above_zero(math.exp(log_student_tails(distance / self.adjusted_se, self.degrees)))

    def p_above(self, limit: float) -> float:
        """The one-sided p-value of a difference of at most ``limit``: small if the difference is larger.

        >>> round(PairedSpread(0.0, 0.01, 0.0, 1e9).p_above(-0.0164485), 4)
        0.05
        """
        return self._tail(self.estimate - limit)

    def p_below(self, limit: float) -> float:
        """The one-sided p-value of a difference of at least ``limit``: small if the difference is smaller."""
        return self._tail(limit - self.estimate)

    def _tail(self, distance: float) -> float:
        t = (distance - self.bias) / self.adjusted_se
        tail = math.exp(log_student_tails(abs(t), self.degrees)) / 2
        return _above_zero(tail) if t > 0 else 1 - tail


def _above_zero(p: float) -> float:
    """A p-value that is never 0, even if it is too small for a float."""
    return min(max(p, sys.float_info.min), 1.0)


@read_only_class
@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class Difference(Finding):
    """The difference of two candidates in one index. `Comparison.versus` returns it.

    Attributes
    ----------
    index : str
        Name of the index.
    value, other : float
        The two values.
    difference : float
        value − other, on these records.
    estimate : float
        Centre of the interval: the bias-corrected difference.
    low, high : float
        Ends of the interval.
    se : float
        Standard error of the estimate.
    adjusted_se : float
        Standard error, widened if the sample has few errors.
    p : float
        Two-sided p-value, corrected for the number of systems in a ranking.
    confidence : float
        Confidence level.
    unit : str
        The sampling unit.
    n_units : int
        Number of units.
    method : {"jackknife", "flips", "none"}
        The method of the p-value.
    n_differing_units : int or None
        Number of units in which the two differ. None for records.
    n_effective_units : float or None
        Number of units of equal size that would determine the difference equally well. None for records.
    largest_share : float or None
        Largest share of one unit in the denominator. None for records.
    largest_unit : int or None
        The interval assumes that no unit of the population has more records. None for records.
    n_resamples : int
        Number of choices of signs.
    seed : int or None
        Seed of these. None if all choices were made.
    note : str
        Remarks.
    estimable : bool
        Whether the sample determines the difference.
    margin : float or None
        The margin of the next two tests.
    p_noninferior : float or None
        One-sided p-value of the hypothesis that the first is worse by the margin or more.
    p_equivalent : float or None
        p-value of the hypothesis that they differ by the margin or more in either direction.
    correction : {"holm"} or None
        Correction for the number of systems.
    n_candidates : int
        Number of systems in the correction.
    p_uncorrected : float or None
        The p-value without the correction.
    conventions : str
        Unusual conventions.
    """

    index: str
    value: float
    other: float
    difference: float
    estimate: float
    low: float
    high: float
    se: float
    adjusted_se: float
    p: float
    confidence: float
    unit: str
    n_units: int
    method: DifferenceMethod
    n_differing_units: int | None = None
    n_effective_units: float | None = None
    largest_share: float | None = None
    largest_unit: int | None = None
    n_resamples: int = 0
    seed: int | None = None
    note: str = ""
    estimable: bool = True
    margin: float | None = None
    p_noninferior: float | None = None
    p_equivalent: float | None = None
    correction: Correction | None = None
    n_candidates: int = 1
    p_uncorrected: float | None = None
    conventions: str = ""

    @property
    def outcome(self) -> DifferenceOutcome:
        """Whether the first is "better" or "worse"; "unclear" if the interval has 0 or p > 1 − confidence.

        Equal values are the "same"; an index without a direction gives "".
        """
        excludes_zero = self.has_interval and not self.low <= 0 <= self.high
        is_clear = self.is_census or (excludes_zero and self.p <= 1 - self.confidence)
        return outcome_of(INDICES[self.index], self.estimate or self.difference, is_clear=is_clear)

    @property
    def is_census(self) -> bool:
        """Whether the whole population is known, so the difference is certain."""
        return self.estimable and self.method == "none"

    @property
    def has_interval(self) -> bool:
        """Whether the sample supports an interval."""
        return not math.isnan(self.adjusted_se)

    @property
    def noninferior(self) -> bool | None:
        """Whether the first is worse by less than the margin, at this confidence; None without a margin."""
        if self.margin is None or self.p_noninferior is None:
            return None
        loss = self.difference if INDICES[self.index].direction == "distance" else -self.difference
        return loss < self.margin if self.is_census else self.p_noninferior <= 1 - self.confidence

    @property
    def equivalent(self) -> bool | None:
        """Whether the difference is smaller than the margin in both directions; None without a margin."""
        if self.margin is None or self.p_equivalent is None:
            return None
        return (
            abs(self.difference) < self.margin if self.is_census else self.p_equivalent <= 1 - self.confidence
        )

    def to_dict(self) -> dict[str, Any]:
        """Return every field and the outcomes. Numbers that are not finite become None.

        Returns
        -------
        dict
            The fields by name.

        Examples
        --------
        >>> import concordant as cc
        >>> new, old = cc.compare(list("aabb"), [0, 0, 1, 1]), cc.compare(list("aabb"), [0, 0, 0, 1])
        >>> new.versus(old, "rand").to_dict()["outcome"]
        'unclear'
        """
        derived = {"outcome": self.outcome, "noninferior": self.noninferior, "equivalent": self.equivalent}
        return {**Finding.to_dict(self), **derived}

    # -- in words -------------------------------------------------------------------------------

    def _summary(self) -> str:
        scores = f"{self.index} {shown(self.value)} against {shown(self.other)}: {signed(self.difference)}"
        if not self.estimable:
            return f"{scores}; {self.note}"
        if self.is_census:
            return f"{scores} ({'; '.join(filter(None, [self.outcome, self.note]))})"
        outcome = f" ({self.outcome})" if self.outcome else ""
        is_corrected = abs(self.estimate - self.difference) > _SAME
        estimate = f"estimate {signed(self.estimate)}" if is_corrected else ""
        parts = [
            f"{scores}{outcome}",
            estimate,
            self._interval_words,
            self.p_text + self._correction_words,
        ]
        how = "; ".join(filter(None, [self.how, self.note]))
        return f"{', '.join(filter(None, [*parts, *self._margin_words]))} ({how})"

    @property
    def p_text(self) -> str:
        """The p-value as text: "p < 0.0001" if it is smaller and Student's distribution approximates it."""
        return shown_p(self.p, exact=self.method == "flips")

    @property
    def _interval_words(self) -> str:
        if not self.has_interval:
            return ""
        return f"{self.confidence * 100:g}% interval {signed(self.low)} to {signed(self.high)}"

    @property
    def _correction_words(self) -> str:
        return f" (Holm, {counted(self.n_candidates, 'candidate')})" if self.correction else ""

    @property
    def _margin_words(self) -> list[str]:
        if self.margin is None or self.p_noninferior is None or self.p_equivalent is None:
            return []
        return [
            f"noninferior within {self.margin:g}: {shown_p(self.p_noninferior, exact=False)}",
            f"equivalent within {self.margin:g}: {shown_p(self.p_equivalent, exact=False)}",
        ]

    @property
    def how(self) -> str:
        """The sampled units, and the method of the standard error."""
        drawn = counted(self.n_units, self.unit)
        if self.method == "flips":
            flips = f"sign flips of {drawn}, {self.n_differing_units:,} of which differ"
            return flips if self.seed is None else f"{flips}; {self.n_resamples:,} choices, seed {self.seed}"
        return f"paired {self.method} of {drawn}"

    @property
    def headline(self) -> str:
        """The result in words for a paper: the sampled units, the method, and the population."""
        drawn, notes = counted(self.n_units, self.unit), [self.conventions, software()]
        if not self.estimable:
            facts = "; ".join(filter(None, notes))
            return f"From these {drawn}, the difference of both in {self.index} is {self.note} ({facts})."
        if self.is_census:
            facts = "; ".join(filter(None, [self.note, *notes]))
            scores = f"the first system scores {_more(self.difference)} than the second in {self.index}"
            is_whole = self.unit != "labelled pair"  # these may be some of all pairs
            where = "In the whole population" if is_whole else f"On these {drawn}, all that could be drawn"
            return f"{where}, {scores} ({facts})."
        p = f"{self.p_text}{self._correction_words}, two-sided"
        interval = self._interval_words + self._condition
        facts = "; ".join(filter(None, [interval, p, self.how, self.note, *notes]))
        return (
            f"On the same {drawn}, a random sample of the population, the first system scores "
            f"{_more(self.estimate)} than the second in {self.index} ({facts}).{self._margin_sentence}"
        )

    @property
    def _condition(self) -> str:
        """The assumption of the interval about units that were not drawn, as the end of a sentence."""
        is_labelled = self.unit in ("labelled cluster", "draw")
        what = "unlabelled true cluster" if is_labelled else f"{self.unit} of the population"
        return size_condition(what, self.largest_unit)

    @property
    def _margin_sentence(self) -> str:
        if self.margin is None:
            return ""
        confidence = f"{self.confidence * 100:g}% confidence, one-sided"
        if self.equivalent:
            return f" Both are equivalent within {self.margin:g} ({confidence})."
        verb = "is" if self.noninferior else "is not shown to be"
        return f" The first system {verb} at most {self.margin:g} worse than the second ({confidence})."


def _more(difference: float) -> str:
    if not difference:
        return "no more and no less"
    return f"{shown(abs(difference))} {'more' if difference > 0 else 'less'}"


def outcome_of(index: Index, difference: float, *, is_clear: bool) -> DifferenceOutcome:
    """A difference in one word, by the direction of the index."""
    if index.direction not in ("similarity", "distance") or math.isnan(difference):
        return ""
    if not difference:
        return "same"
    if not is_clear:
        return "unclear"
    return "better" if (difference > 0) == (index.direction == "similarity") else "worse"


def signed(value: float) -> str:
    """A difference with its sign.

    >>> signed(0.01234), signed(-0.5), signed(0.0)
    ('+0.0123', '-0.5000', '0')
    """
    return f"+{shown(value)}" if value > 0 else shown(value)


def check_margin(index: Index, margin: Any) -> None:
    """Refuse a margin that is not a positive number, or for which "worse" has no meaning."""
    if margin is None:
        return
    if not isinstance(margin, int | float) or isinstance(margin, bool) or not 0 < margin < math.inf:
        raise ParameterError("use a positive number, such as 0.01", given={"margin": margin})
    if index.direction == "statistic":
        raise ParameterError(
            f"{index.name} has no better and worse, so a difference has no margin", given={"margin": margin}
        )


def difference_of(
    index: Index,
    values: tuple[float, float],
    spread: PairedSpread | Flips | None,
    *,
    span: float,
    confidence: float,
    margin: float | None = None,
    refusal: str = "",
    **fields: Any,
) -> Difference:
    """The difference of two values.

    Parameters
    ----------
    index : Index
        The index.
    values : (float, float)
        The two values.
    spread : PairedSpread, Flips or None
        How far the difference may be off; None if the whole population is known.
    span : float
        The largest possible difference.
    confidence : float
        Confidence level.
    margin : float, optional
        Margin of the tests for noninferiority and equivalence.
    refusal : str, default=""
        Why the sample does not support an interval. The interval is then the whole range, and p is 1.
    **fields
        What was drawn and how, as fields of ``Difference``.
    """
    check_margin(index, margin)
    known: dict[str, Any] = {
        "index": index.name,
        "value": values[0],
        "other": values[1],
        "confidence": confidence,
    }
    difference = values[0] - values[1]
    known |= {"difference": difference, "margin": margin, **fields}
    if spread is not None and not refusal and not spread.adjusted_se > 0:
        refusal = "leaving out changes nothing, and so would one more of the same kind"
    if refusal:
        estimate = difference if spread is None else spread.estimate
        se = math.nan if spread is None else spread.se
        known |= {"estimate": estimate, "se": se, "adjusted_se": math.nan, "low": -span, "high": span}
        known |= {"p": 1.0, "estimable": False, "note": f"{NOT_ESTIMABLE}: {refusal}"}
        return Difference(**known, **_margin_fields(margin, (1.0, 1.0)))
    if spread is None:
        known |= {"estimate": difference, "se": 0.0, "adjusted_se": 0.0, "low": difference}
        known |= {"high": difference, "p": math.nan, "method": "none"}
        return Difference(**known, **_margin_fields(margin, (math.nan, math.nan)))
    low, high = spread.ends(confidence)
    low, high = max(low, -span), min(high, span)
    known |= {"estimate": spread.estimate, "se": spread.se, "adjusted_se": spread.adjusted_se}
    known |= {"low": low, "high": high, "p": spread.p, "note": spread.note}
    if margin is None:
        return Difference(**known)
    above, below = spread.p_above(-margin), spread.p_below(margin)
    noninferior = below if index.direction == "distance" else above
    return Difference(**known, **_margin_fields(margin, (noninferior, max(above, below))))


def difference_by_flips(
    index: Index,
    values: tuple[float, float],
    shares: UnitShares | None,
    sample: SampleOptions,
    *,
    refusal: str = "",
    fewest: float = 0.0,
    **fields: Any,
) -> Difference:
    """The difference of two values, from the share of each unit; ``refusal`` is why there are none.

    With fewer than ``fewest`` effective units, the sample does not determine the difference.
    """
    flips = None
    if shares is not None:
        effective = 1 / float(shares.weights @ shares.weights)
        fields |= {
            "n_differing_units": shares.differing,
            "n_effective_units": effective,
            "largest_share": float(shares.weights.max()),
        }
        refusal = refusal or shares.refusal(fields["unit"])
        if effective < fewest:
            refusal = (
                f"the {fields['unit']}s count as {effective:.1f}, fewer than {fewest}: name units, or use a "
                "pair-counting index"
            )
        if len(shares.weights) > 1:
            flips = Flips(shares, fields["span"], sample.n_resamples, sample.seed)
    if flips is not None and not refusal:
        seed = None if flips.is_exact else sample.seed
        fields |= {"n_resamples": flips.made, "seed": seed}
    known: dict[str, Any] = {"confidence": sample.confidence, "margin": sample.margin, "method": "flips"}
    return difference_of(index, values, flips, refusal=refusal, **known, **fields)


def _margin_fields(margin: float | None, p: tuple[float, float]) -> dict[str, Any]:
    return {} if margin is None else {"p_noninferior": p[0], "p_equivalent": p[1]}


def holm(p: Sequence[float]) -> list[float]:
    """Familywise p-values by the step-down method of Holm (1979), Scand. J. Statist. 6:65.

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    order = sorted(range(len(p)), key=p.__getitem__)
    corrected, largest = [1.0] * len(p), 0.0
    for place, each in enumerate(order):
        largest = max(largest, min((len(p) - place) * p[each], 1.0))
        corrected[each] = largest
    return corrected


def benjamini_hochberg(p: Sequence[float]) -> list[float]:
    """p-values by the step-up method of Benjamini & Hochberg (1995), J. R. Stat. Soc. B 57:289.

    Among those below a level, this share is false on average, if the tests are independent.

    >>> benjamini_hochberg([0.01, 0.04, 0.03])
    [0.03, 0.04, 0.04]
    """
    order = sorted(range(len(p)), key=p.__getitem__, reverse=True)
    corrected, smallest = [1.0] * len(p), 1.0
    for place, each in enumerate(order):
        smallest = min(smallest, len(p) / (len(p) - place) * p[each])
        corrected[each] = smallest
    return corrected


def correct(differences: Mapping[str, Difference], correction: Correction) -> dict[str, Difference]:
    """Differences of several systems to one baseline by one index, corrected by Holm's method."""
    found = list(differences.values())
    changed = [
        replace(each, p=new, p_uncorrected=each.p, correction=correction, n_candidates=len(found))
        for each, new in zip(found, holm([each.p for each in found]), strict=True)
    ]
    for name in ("p_noninferior", "p_equivalent"):
        of_margin = [getattr(each, name) for each in found]
        if None not in of_margin:
            fields: list[dict[str, Any]] = [{name: new} for new in holm(of_margin)]
            changed = [replace(each, **own) for each, own in zip(changed, fields, strict=True)]
    return dict(zip(differences, changed, strict=True))
