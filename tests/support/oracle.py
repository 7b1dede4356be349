"""The quantities of the field counted from their definitions, slowly and without the library.

``Oracle(u, v)["expression"]`` evaluates a formula from tests/golden/formulas.json, which was written
from the literature and not from the code, over these quantities.
"""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations, permutations, product

from oracle_information import InformationCounts
from oracle_matching import MatchingCounts, quantities

PLAIN = {"sqrt": math.sqrt, "log": math.log, "acos": math.acos, "exp": math.exp, "pi": math.pi}
PLAIN |= {"min": min, "max": max, "abs": abs, "F": Fraction, "inf": math.inf, "sum": sum, "comb": math.comb}


@cache
def _over_permutations(u, v):
    """Mean and variance of N11 over all orders of the elements."""
    found = [Oracle(u, shuffled)["yy"] for shuffled in permutations(v)]
    mean = sum(found) / len(found)
    return mean, sum((x - mean) ** 2 for x in found) / len(found)


@cache
def _mean_jaccard(u, v):
    found = [Oracle(u, shuffled).evaluate("yy/(yy+yn+ny)") for shuffled in permutations(v)]
    return sum(found) / len(found)


@cache
def _compiled(expression):
    return compile(expression, "a golden formula", "eval")


@quantities(
    yy=lambda self: self._pairs(in_u=True, in_v=True),
    yn=lambda self: self._pairs(in_u=True, in_v=False),
    ny=lambda self: self._pairs(in_u=False, in_v=True),
    nn=lambda self: self._pairs(in_u=False, in_v=False),
    NT=lambda self: Fraction(math.comb(len(self.u), 2)),
    z=lambda self: self._z(self.u, self.v),
    z_uu=lambda self: self._z(self.u, self.u),
    z_vv=lambda self: self._z(self.v, self.v),
    n=lambda self: Fraction(len(self.u)),
    cells=lambda self: Counter(zip(self.u, self.v, strict=True)),
    a=lambda self: {k: Fraction(c) for k, c in Counter(self.u).items()},
    b=lambda self: {k: Fraction(c) for k, c in Counter(self.v).items()},
    HU=lambda self: self._entropy(self["a"].values()),
    HV=lambda self: self._entropy(self["b"].values()),
    HUV=lambda self: self._entropy(Fraction(x) for x in self["cells"].values()),
)
class Oracle(InformationCounts, MatchingCounts, dict):
    """Named quantities of two label sequences, each computed when a formula asks for it."""

    def __init__(self, u, v):
        super().__init__(PLAIN, __builtins__={})
        self.u, self.v = tuple(u), tuple(v)
        self.elements = range(len(self.u))

    def __missing__(self, name):
        method = getattr(self, f"count_{name}", None)
        if method is None:
            raise KeyError(name)
        self[name] = method()
        return self[name]

    def evaluate(self, expression):
        return eval(_compiled(expression), {"__builtins__": {}}, self)  # noqa: S307  (our own golden data)

    # -- pairs, one by one ------------------------------------------------------------------------

    def _pairs(self, in_u, in_v):
        return Fraction(
            sum(
                (self.u[i] == self.u[j]) == in_u and (self.v[i] == self.v[j]) == in_v
                for i, j in combinations(self.elements, 2)
            )
        )

    def count_yy_disjoint(self):
        """All pairs, times the share of disjoint (p, q) with p together in U and q together in V."""
        pairs = list(combinations(self.elements, 2))
        together = [[set(p) for p in pairs if x[p[0]] == x[p[1]]] for x in (self.u, self.v)]
        hits = sum(not p & q for p, q in product(*together))
        tries = len(pairs) * math.comb(
            max(len(self.u) - 2, 0), 2
        )  # each is disjoint with the pairs of all others
        return Fraction(hits, tries) * len(pairs)

    def count_mean_jaccard(self):
        """Over all orders of the elements."""
        return _mean_jaccard(tuple(sorted(self.u)), tuple(sorted(self.v)))

    def _z(self, u, v):
        if len(u) < 4:
            raise ZeroDivisionError
        mean, variance = _over_permutations(tuple(sorted(u)), tuple(sorted(v)))
        if not variance:
            raise ZeroDivisionError
        return float(Oracle(u, v)["yy"] - mean) / math.sqrt(variance)

    # -- entropies --------------------------------------------------------------------------------

    def _entropy(self, counts):
        return math.fsum(float(x / self["n"]) * math.log(self["n"] / x) for x in counts)

    def count_MI(self):
        n, a, b = self["n"], self["a"], self["b"]
        return math.fsum(
            float(x / n) * math.log(n * x / (a[i] * b[j])) for (i, j), x in self["cells"].items()
        )
