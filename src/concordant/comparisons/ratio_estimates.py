"""The ratios that a sample of true clusters estimates, and the influence of each cluster."""

from __future__ import annotations

import math

import numpy as np

from concordant.counts.arithmetic import Floats
from concordant.errors import UndefinedError
from concordant.trust.design import Design
from concordant.trust.measures import (
    ADJUSTED_RAND,
    Contributions,
    Measure,
)


def ratio_estimate(wanted: Measure, c: Contributions, d: Design) -> tuple[float, float, Floats, Floats]:
    """The ratio, the ratio less its bias, and how much each labelled cluster moves them.

    The last two are the moves e_i, whose spread is that of the estimate, and the shares y_i/ȳ.
    """
    if wanted.kind == ADJUSTED_RAND:
        return _adjusted_rand(c, d)
    x, y = (d.weights * side for side in wanted.sides(c))
    mean_y = d.mean(y)
    if not mean_y:
        raise UndefinedError(f"{wanted.name} is undefined: the labelled clusters have no pair that it counts")
    ratio = d.mean(x) / mean_y
    if math.isclose(ratio, 1.0, rel_tol=1e-14):  # rounding of the sums must not change a perfect value
        ratio = 1.0
    moves, shares = (x - ratio * y) / mean_y, y / mean_y
    # A ratio of two means is biased by how they vary together.
    return ratio, ratio + d.covariance(shares, moves), moves, shares


def _adjusted_rand(c: Contributions, d: Design) -> tuple[float, float, Floats, Floats]:
    """The same from the three totals per record, each estimated from the labelled records."""
    wa = d.weights * c.a
    mean_a, every = d.mean(wa), c.size * (c.size - 1) / 2
    weighted = [d.weights * terms for terms in (c.tp, c.u, c.v)]
    n11, in_u, in_v = (c.size * d.mean(terms) / mean_a for terms in weighted)
    chance = in_u * in_v / every if every else 0.0
    top, below = n11 - chance, (in_u + in_v) / 2 - chance
    if not below:
        raise UndefinedError("adjusted_rand is undefined: the labelled clusters have no pair that it counts")
    value = top / below
    slopes = (
        1 / below,
        (-in_v / every - value * (0.5 - in_v / every)) / below,
        (-in_u / every - value * (0.5 - in_u / every)) / below,
    )
    totals = (n11, in_u, in_v)
    moves = np.zeros(len(wa))
    for slope, terms, total in zip(slopes, weighted, totals, strict=True):
        moves += slope * (c.size * terms - total * wa) / mean_a
    shares = weighted[1] + weighted[2]
    return value, value, moves, shares / max(d.mean(shares), 1e-300)
