"""The ends of an interval that keeps its width where a sample shows little or no disagreement.

A jackknife sees only the records of the sample. A sample with many small errors may lack the rare large ones,
and its standard error is small then. So the lower end always includes what unseen bad records would add. The
upper end includes unseen good ones if few records are good.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from concordant.counts.profile import Profile
from concordant.indices.index import Index
from concordant.maths.tails import gamma_quantile, logit_ends, normal_quantile

# Within this many squared standard errors of the worst value, a sample has few good records.
_FEW = 100
_MOST = 1 - 1e-9  # of a value that one record may take off
_MANY_EVENTS = 1e10
_ROUNDING = 1e-15


@dataclass(frozen=True, slots=True)
class Ends:
    """An interval as each family of methods returns it."""

    low: float
    high: float
    se: float
    estimate: float  # the centre of the interval: the value, or the value without its bias
    method: str
    note: str = ""
    estimable: bool = True
    seed: int | None = None  # of random numbers, if the method draws some
    n_effective_units: float | None = (
        None  # number of units of equal size that would determine it equally well
    )
    largest_share: float | None = None  # of the denominator, in one unit
    largest_unit: int | None = None  # the records of the largest unit that the population may have

    def on_scale_of(self, index: Index, profile: Profile) -> Ends:
        """The same interval on the scale of the index, if this one is on a scale whose best value is 1."""
        top = index.bounds(profile.size)[1]
        low, high = (1 - self.high, 1 - self.low) if index.perfect == 0 else (self.low, self.high)
        value = index.value(profile)
        return replace(self, low=top * low, high=top * high, se=top * self.se, estimate=value)


def scaled_bottom(index: Index, profile: Profile) -> float:
    """The worst value of an index on the scale whose best value is 1."""
    bottom, top = index.bounds(profile.size)
    return 0.0 if index.perfect == 0 else bottom / top


def whole_range(bottom: float, estimate: float, reason: str) -> Ends:
    """The interval of a value that the sample does not determine: the whole range, and the reason.

    >>> whole_range(0.0, 1.0, "no pair is together").note
    'not estimable from this sample: no pair is together'
    """
    note = f"not estimable from this sample: {reason}"
    return Ends(bottom, 1.0, math.nan, estimate, "none", note, estimable=False)


def widenings(
    value: float, se: float, found: tuple[float, float], *, quantile: float, bottom: float = 0.0
) -> str:
    """The reasons for which ``ends`` moved an end by more than a hundredth of its distance, in words.

    >>> widenings(0.5, 0.01, (0.4804, 0.52), quantile=1.96), widenings(1.0, 0.0, (0.93, 1.0), quantile=1.96)
    ('', 'widened for unseen disagreements')
    """
    low, high = _unwidened(value, se, quantile, bottom)
    has_few_good = value**2 < _FEW * se**2 or value < 0.5
    kinds = {
        "disagreements": found[0] < low - 0.01 * (value - low) - _ROUNDING,
        "agreements": has_few_good and found[1] > high + 0.01 * (high - value) + _ROUNDING,
    }
    words = " and ".join(kind for kind, has_moved in kinds.items() if has_moved)
    return f"widened for unseen {words}" if words else ""


def _unwidened(value: float, se: float, quantile: float, bottom: float) -> tuple[float, float]:
    """Both ends from what the sample shows, on the logit scale away from the ends of the range."""
    c = min(max(value, bottom), 1.0)
    low, high = value - quantile * se, value + quantile * se
    if 0 < c < 1 and se > 0 and c * (1 - c) > se and (bottom == 0 or c > 0.5):
        odds = logit_ends(c, quantile * se / (c * (1 - c)))
        low, high = odds if bottom == 0 else (min(low, odds[0]), max(high, odds[1]))
    return min(max(low, bottom), c), max(min(high, 1.0), c)


def unseen_high(loss: float, variance: float, worst: float, confidence: float) -> float:
    """Upper limit of a loss whose single events cost at most ``worst``: a Poisson limit of what was seen.

    All variance counts as events of the largest kind, and the rest of the loss as fixed. Without any events,
    it is the exact limit for none seen; with many, the limit of a normal distribution.

    >>> round(unseen_high(0, 0, 0.02, 0.95), 6), round(unseen_high(0.05, 0.0004, 0.02, 0.95), 6)
    (0.073778, 0.141433)
    """
    z = normal_quantile(confidence)
    if worst <= 0:
        return loss + z * math.sqrt(variance)
    events = variance / worst**2
    if events > _MANY_EVENTS:
        return loss + z * math.sqrt(variance) + worst * (z * z + 2) / 3
    return loss + worst * (gamma_quantile((1 + confidence) / 2, 1 + events) - events)


def gamma_ends(loss: float, variance: float, worst: float, confidence: float) -> tuple[float, float]:
    """Interval of a loss that is a weighted count of rare events; ``worst`` is the weight of an unseen one.

    The gamma interval of Fay & Feuer (1997), Statistics in Medicine 16:791.

    >>> [round(end, 6) for end in gamma_ends(0.04, 0.0004, 0.02, 0.95)]
    [0.010899, 0.126818]
    """
    alpha = (1 - confidence) / 2
    low = high = 0.0
    if variance > 0 and loss > 0:
        low = variance / loss * gamma_quantile(alpha, loss * loss / variance)
    if worst > 0:
        spread, total = variance + worst * worst, loss + worst
        high = spread / total * gamma_quantile(1 - alpha, total * total / spread)
    return low, high


def ends(
    value: float,
    se: float,
    *,
    quantile: float,
    confidence: float,
    worst: float,
    gain: float = 0.0,
    bottom: float = 0.0,
    always: bool = False,
) -> tuple[float, float]:
    """Both ends of an interval for a value whose best is 1.

    Parameters
    ----------
    value, se : float
        The estimate and its standard error.
    quantile, confidence : float
        The quantile of Student's distribution, and the confidence level.
    worst : float
        The loss from one unseen bad record.
    gain : float, default=0.0
        The gain from one unseen good record.
    bottom : float, default=0.0
        The worst value.
    always : bool, default=False
        Whether unseen good records count regardless of the number of good records in the sample.

    Examples
    --------
    >>> [round(end, 4) for end in ends(1.0, 0.0, quantile=1.98, confidence=0.95, worst=0.02)]
    [0.9282, 1.0]
    """
    c = min(max(value, bottom), 1.0)
    low, high = _unwidened(value, se, quantile, bottom)
    if c > 0:
        loss, variance, unseen = -math.log(c), (se / c) ** 2, -math.log1p(-min(worst / c, _MOST))
        few = gamma_ends(loss, variance, unseen, confidence)[0]
        low = min(low, math.exp(-unseen_high(loss, variance, unseen, confidence)))
        # A value near 0 is not a loss of few events: its logarithm may be anything.
        if c >= 0.5 or (1 - c) ** 2 < _FEW * se**2:
            high = max(high, math.exp(-few))
    has_few_good = c < 1 and (c**2 < _FEW * se**2 or se == 0) and (bottom == 0 or c <= 0)
    if has_few_good or (always and gain > 0 and c < 1):
        t = 1 - c
        few, many = gamma_ends(
            -math.log(min(t, 1.0)), (se / t) ** 2, -math.log1p(-min(gain / t, _MOST)), confidence
        )
        high = max(high, 1 - max(t, 1.0) * math.exp(-many))
        if bottom == 0:
            low = min(low, 1 - math.exp(-few))
    return low, high
