"""Weights of elements: pair sums and B-cubed against fractions in Python."""

from decimal import Decimal
from fractions import Fraction

import concordant as cc

_WEIGHTS = [1, 2, 7, 0.5, 0.1, 1e-9, 10**30, Fraction(2, 3), Decimal("0.25")]


def _exact(weight):
    return Fraction(repr(weight)) if isinstance(weight, float) else Fraction(weight)


def weigh(random):
    """Precision, recall and B-cubed of weighted elements, where a pair weighs the product of both."""
    length = random.randrange(2, 12)
    u, v = ([random.randrange(4) for _ in range(length)] for _ in range(2))
    weights = [random.choice(_WEIGHTS) for _ in range(length)]
    if random.random() < 0.5:  # floats alone are counted by the core
        weights = [random.choice([0.5, 0.1, 1e-9, 3.0, 1 - random.random()]) for _ in range(length)]
    w = [_exact(each) for each in weights]
    pairs = [(i, j) for i in range(length) for j in range(i)]
    both = sum(w[i] * w[j] for i, j in pairs if u[i] == u[j] and v[i] == v[j])
    in_u, in_v = (sum(w[i] * w[j] for i, j in pairs if side[i] == side[j]) for side in (u, v))
    c = cc.compare(u, v, weights=weights)
    if in_u:
        assert c.recall == float(both / in_u)
    if in_v:
        assert c.precision == float(both / in_v)

    def mean_share(one):
        """The weighted mean of each element's share of its cluster that is with it in the other, too."""
        common = [sum(w[j] for j in range(length) if (u[j], v[j]) == (u[i], v[i])) for i in range(length)]
        whole = [sum(w[j] for j in range(length) if one[j] == one[i]) for i in range(length)]
        return sum(w[i] * common[i] / whole[i] for i in range(length)) / sum(w)

    for value, one in ((c.bcubed_recall, u), (c.bcubed_precision, v)):
        assert abs(value - float(mean_share(one))) < 1e-12


def hostile(random):
    """Weights that are none are refused by an error of ours."""
    given = random.choice([0, -1, float("nan"), float("inf"), True, None, "1", [], 1j])
    try:
        cc.compare([0, 1], [0, 0], weights=[1, given])
    except cc.errors.ConcordantError:
        return
    raise AssertionError(given)


TARGETS = [weigh, hostile]
