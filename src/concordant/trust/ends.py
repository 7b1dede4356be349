"""The ends of an interval that keeps its width where a sample shows little or no disagreement.

A jackknife sees only the records of the sample. If few of them are bad, or few are good, the loss is treated
as a weighted count of these few, and its interval includes what one unseen record would add.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from concordant.counts.profile import Profile
from concordant.indices.index import Index
from concordant.trust.tails import gamma_quantile, logit_ends

# Within this many squared standard errors of an end of the range, a sample has few records of a kind.
_FEW = 100
_MOST = 1 - 1e-9  # of a value that one record may take off


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


def is_rare(loss: float, se: float) -> bool:
    """Whether so few records cause a loss that its interval must include unseen ones."""
    return loss**2 < _FEW * se**2 or se == 0


def has_few_bad(value: float, se: float) -> bool:
    """Whether so few records disagree that an interval must include unseen ones."""
    return value > 0 and is_rare(1 - value, se)


def has_few_good(value: float, se: float, bottom: float = 0.0) -> bool:
    """Whether so few records agree that an interval must include unseen ones."""
    return value < 1 and is_rare(value, se) and (bottom == 0 or value <= 0)


def widenings(value: float, se: float, bottom: float = 0.0) -> str:
    """The reasons for which ``ends`` widens the interval, in words.

    >>> widenings(0.5, 0.01), widenings(1.0, 0.0)
    ('', 'widened for unseen disagreements')
    """
    c = min(max(value, bottom), 1.0)
    kinds = {"disagreements": has_few_bad(c, se), "agreements": has_few_good(c, se, bottom)}
    words = " and ".join(kind for kind, is_rare in kinds.items() if is_rare)
    return f"widened for unseen {words}" if words else ""


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
        Whether both count regardless of the number of bad and good records in the sample.

    Examples
    --------
    >>> [round(end, 4) for end in ends(1.0, 0.0, quantile=1.98, confidence=0.95, worst=0.02)]
    [0.9282, 1.0]
    """
    c = min(max(value, bottom), 1.0)
    low, high = value - quantile * se, value + quantile * se
    if 0 < c < 1 and se > 0 and c * (1 - c) > se and (bottom == 0 or c > 0.5):
        odds = logit_ends(c, quantile * se / (c * (1 - c)))
        low, high = odds if bottom == 0 else (min(low, odds[0]), max(high, odds[1]))
    low, high = min(max(low, bottom), c), max(min(high, 1.0), c)
    if has_few_bad(c, se) or (always and c > 0):
        few, many = gamma_ends(-math.log(c), (se / c) ** 2, -math.log1p(-min(worst / c, _MOST)), confidence)
        low, high = min(low, math.exp(-many)), max(high, math.exp(-few))
    if has_few_good(c, se, bottom) or (always and gain > 0 and c < 1):
        t = 1 - c
        few, many = gamma_ends(
            -math.log(min(t, 1.0)), (se / t) ** 2, -math.log1p(-min(gain / t, _MOST)), confidence
        )
        high = max(high, 1 - max(t, 1.0) * math.exp(-many))
        if bottom == 0:
            low = min(low, 1 - math.exp(-few))
    return low, high
