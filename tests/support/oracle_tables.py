"""The quantities of oracle.py for a table of any counts, in eighty digits and without the library.

Written from the definitions: an expectation over permutations is a sum over the hypergeometric law, a best
matching is the best of all. So tables have few rows and columns, and as many elements as one likes.
"""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import permutations, product

import mpmath
from mpmath import mp, mpf
from oracle_matching import MatchingCounts, quantities

mp.dps = 80

COUNTABLE = 40  # elements up to which tables of three and more rows are counted one by one
WIDE = 100  # a standard deviation from which on every h-th overlap tells the mean of all


def _fraction(*parts):
    return parts[0] if isinstance(parts[0], mpf) else Fraction(*parts)


def number(x):
    x = Fraction(x) if not isinstance(x, mpf) else x
    return x if isinstance(x, mpf) else mpf(x.numerator) / x.denominator


def _function(of):
    return lambda x: of(number(x))


NAMES = {"sqrt": _function(mp.sqrt), "log": _function(mp.log), "acos": _function(mp.acos), "pi": mp.pi}
NAMES |= {"exp": _function(mp.exp), "min": min, "max": max, "abs": abs, "F": _fraction, "comb": math.comb}


@cache
def log(x):
    return mp.log(x)


@cache
def log_factorial(x):
    return mp.loggamma(mpf(x) + 1)


@cache
def law(a, b, n):
    """Overlaps of clusters of sizes a and b among n shuffled elements: (k, probability), enough of them.

    A wide law is as smooth as a bell curve, and sums over every h-th overlap differ from the whole by
    some exp(−2π²σ²/h²), which is nothing at h = σ/4.
    """
    low, high = max(0, a + b - n), min(a, b)
    mode = min(max((a + 1) * (b + 1) // (n + 2), low), high)
    variance = Fraction(a * b * (n - a) * (n - b), n * n * max(n - 1, 1))
    step = max(1, math.isqrt(int(variance)) // 4) if variance > WIDE**2 else 1
    found = {mode: mpf(1)}
    for direction in (step, -step):
        k, weight = mode, mpf(1)
        while low <= k + direction <= high and weight > mpf(10) ** -75:
            k += direction
            weight = _relative(k, mode, a, b, n) if step > 1 else weight * _ratio(k, direction, a, b, n)
            found[k] = weight
    total = mpmath.fsum(found.values())
    return [(k, weight / total) for k, weight in found.items()]


def _ratio(k, direction, a, b, n):
    """P(k) over P of its neighbour on the mode's side."""
    if direction > 0:
        return mpf((a - k + 1) * (b - k + 1)) / (k * (n - a - b + k))
    return mpf((k + 1) * (n - a - b + k + 1)) / ((a - k) * (b - k))


def _relative(k, mode, a, b, n):
    def cost(k):
        return sum(log_factorial(x) for x in (k, a - k, b - k, n - a - b + k))

    return mp.exp(cost(mode) - cost(k))


@cache
def expected(a, b, n, q):
    """E of x log x (q = 1) or of (xᑫ − x)/(q − 1) over the overlaps of all pairs of clusters."""
    terms = []
    for (x, many_x), (y, many_y) in product(Counter(a).items(), Counter(b).items()):
        terms += [many_x * many_y * chance * power_gain(k, q) for k, chance in law(x, y, n)]
    return mpmath.fsum(terms)


@cache
def power_gain(x, q):
    if q == 1:
        return x * log(x) if x else mpf(0)
    return (mpf(x) ** number(q) - x) / (number(q) - 1) if x else mpf(0)


@cache
def tables(a, b):
    """How many tables have these margins, row by row; of two rows in closed form."""
    if len(b) < len(a):
        return tables(b, a)
    if len(a) == 2:
        return _two_rows(a[0], b)
    return sum(tables(a[1:], left) for left in _fillings(a[0], b))


def _two_rows(units, columns):
    """Inclusion and exclusion: which columns the first row overfills."""
    total, k = 0, len(columns)
    for over in product((0, 1), repeat=k):
        left = units - sum(x + 1 for x, o in zip(columns, over, strict=True) if o)
        if left >= 0:
            total += (-1) ** sum(over) * math.comb(left + k - 1, k - 1)
    return total


def _fillings(units, columns):
    if len(columns) == 1:
        return [(columns[0] - units,)] if units <= columns[0] else []
    return [
        (columns[0] - x, *rest)
        for x in range(min(units, columns[0]) + 1)
        for rest in _fillings(units - x, columns[1:])
    ]


def _falling(x, r):
    return math.prod(range(x - r + 1, x + 1)) if x >= r else 0


@quantities(
    cells=lambda self: {(i, j): x for i, row in enumerate(self.table) for j, x in enumerate(row) if x},
    a=lambda self: {i: Fraction(sum(row)) for i, row in enumerate(self.table)},
    b=lambda self: {j: Fraction(sum(column)) for j, column in enumerate(zip(*self.table, strict=True))},
    n=lambda self: Fraction(sum(map(sum, self.table))),
    yy=lambda self: Fraction(sum(math.comb(x, 2) for x in self["cells"].values())),
    yn=lambda self: sum(x * (x - 1) / 2 for x in self["a"].values()) - self["yy"],
    ny=lambda self: sum(x * (x - 1) / 2 for x in self["b"].values()) - self["yy"],
    NT=lambda self: self["n"] * (self["n"] - 1) / 2,
    nn=lambda self: self["NT"] - self["yy"] - self["yn"] - self["ny"],
    kept=lambda self: Fraction(sum(x == self["a"][i] == self["b"][j] for (i, j), x in self["cells"].items())),
    HU=lambda self: self._entropy(self._sizes()[0]),
    HV=lambda self: self._entropy(self._sizes()[1]),
    HUV=lambda self: self._entropy(self._sizes()[2]),
    MI=lambda self: self["HU"] + self["HV"] - self["HUV"],
    proper=lambda self: all(1 < len(x) < self["n"] for x in self._sizes()[:2]),
    log_counts_u=lambda self: self._log_counts(self._sizes()[0]),
    log_counts_v=lambda self: self._log_counts(self._sizes()[1]),
    swapMI_uv=lambda self: self._swapped(self["cells"], self["a"], self["b"]),
    swapMI_uu=lambda self: self._swapped_within(self["a"]),
    swapMI_vv=lambda self: self._swapped_within(self["b"]),
    toldH_u=lambda self: told((self._sizes()[0],)),
    toldH_u_by_v=lambda self: told(tuple(sorted(zip(*self.table, strict=True)))),
)
class TableOracle(MatchingCounts, dict):
    """Named quantities of a contingency table, each computed when a formula asks for it."""

    def __init__(self, table):
        super().__init__(NAMES, __builtins__={})
        self.table = [[int(x) for x in row] for row in table]
        self.u = self.table  # what MatchingCounts asks to learn whether there is anything

    def __missing__(self, name):
        # What other oracles count in floats (HU) and in many digits (xHU) is the same here.
        plain = name[1:] if name in ("xHU", "xHV", "xHUV", "xMI") else name
        self[name] = getattr(self, f"count_{plain}")()
        return self[name]

    def evaluate(self, expression):
        return eval(expression, {"__builtins__": {}}, self)  # noqa: S307  (our own golden data)

    def _lost(self, chosen):
        a, b = self["a"], self["b"]
        return sum(
            n * chosen(Fraction(a[i] - n) / a[i], Fraction(b[j] - n) / b[j])
            for (i, j), n in self["cells"].items()
        )

    # -- cells and sizes --------------------------------------------------------------------------

    def _sizes(self):
        """Sizes of the clusters of both sides and of the overlaps, as plain integers."""
        return tuple(tuple(int(x) for x in self[name].values()) for name in ("a", "b", "cells"))

    # -- pairs ------------------------------------------------------------------------------------

    def count_yy_disjoint(self):
        """All pairs, times the share of disjoint (p, q) with p together in U and q together in V."""
        n, a, b = self["n"], self["a"], self["b"]
        share_one = sum(x * ((a[i] - 1) * (b[j] - 1) - (x - 1)) for (i, j), x in self["cells"].items())
        hits = (self["yy"] + self["yn"]) * (self["yy"] + self["ny"]) - self["yy"] - share_one
        return self["NT"] * hits / (self["NT"] * (n - 2) * (n - 3) / 2)

    def _z(self, a, b, together):
        """Standard score of N11, by the factorial moments of the overlaps of a shuffled table."""
        n = sum(a)
        if n < 4:
            raise ZeroDivisionError
        mean = Fraction(sum(_falling(x, 2) * _falling(y, 2) for x in a for y in b), 2 * _falling(n, 2))
        second = Fraction(0)
        for (i, x), (j, y) in product(enumerate(a), enumerate(b)):
            for r, many in ((4, 1), (3, 4), (2, 2)):  # x²(x−1)² in falling powers
                second += many * Fraction(_falling(x, r) * _falling(y, r), 4 * _falling(n, r))
            for (k, z), (h, w) in product(enumerate(a), enumerate(b)):
                if (i, j) != (k, h):
                    rows = _falling(x, 4) if i == k else _falling(x, 2) * _falling(z, 2)
                    columns = _falling(y, 4) if j == h else _falling(y, 2) * _falling(w, 2)
                    second += Fraction(rows * columns, 4 * _falling(n, 4))
        variance = second - mean * mean
        if not variance:
            raise ZeroDivisionError
        return number(together - mean) / mp.sqrt(number(variance))

    def count_z(self):
        a, b, _ = self._sizes()
        return self._z(a, b, self["yy"])

    def count_z_uu(self):
        a = self._sizes()[0]
        return self._z(a, a, self["yy"] + self["yn"])

    def count_z_vv(self):
        b = self._sizes()[1]
        return self._z(b, b, self["yy"] + self["ny"])

    # -- who overlaps with whom ---------------------------------------------------------------------

    def _matched(self, share):
        rows, columns = len(self["a"]), len(self["b"])
        shares = {
            (i, j): share(Fraction(n), self["a"][i], self["b"][j]) for (i, j), n in self["cells"].items()
        }
        if rows > columns:
            shares, rows, columns = {(j, i): x for (i, j), x in shares.items()}, columns, rows
        return max(
            sum((shares.get((i, j), Fraction(0)) for i, j in enumerate(chosen)), Fraction(0))
            for chosen in permutations(range(columns), rows)
        )

    def count_J(self):
        block = {("u", i): i for i in self["a"]}
        for _ in self["a"]:
            for i, j in self["cells"]:
                block["v", j] = block["u", i] = min(block["u", i], block.get(("v", j), block["u", i]))
        return Fraction(len({x for (side, _), x in block.items() if side == "u"}))

    # -- information --------------------------------------------------------------------------------

    def _entropy(self, counts):
        n = int(self["n"])
        return mpmath.fsum(x * (log(n) - log(x)) for x in counts) / n

    def count_EMI(self):
        (a, b, _), n = self._sizes(), int(self["n"])
        return self["HU"] + self["HV"] - log(n) + expected(a, b, n, 1) / n

    def count_DMI(self):
        """Standard deviation of the mutual information, of tables with two rows and two columns."""
        (a, b, _), n = self._sizes(), int(self["n"])
        if len(a) != 2 or len(b) != 2:
            raise NotImplementedError
        found = [
            (chance, sum(power_gain(x, 1) for x in (k, a[0] - k, b[0] - k, n - a[0] - b[0] + k)) / n)
            for k, chance in law(a[0], b[0], n)
        ]
        mean = mpmath.fsum(chance * x for chance, x in found)
        return mp.sqrt(mpmath.fsum(chance * (x - mean) ** 2 for chance, x in found))

    def _log_counts(self, counts):
        k = len(self["a"])
        return mpmath.fsum(
            log_factorial(x + k - 1) - log_factorial(k - 1) - log_factorial(x) for x in counts
        ) / int(self["n"])

    def count_ami_order(self):
        """The adjusted mutual information of order q, as a function of q."""

        def value(q):
            (a, b, cells), n = self._sizes(), int(self["n"])
            of_u, of_v, shared = (mpmath.fsum(power_gain(x, q) for x in side) for side in (a, b, cells))
            by_chance = expected(a, b, n, q)
            return (shared - by_chance) / ((of_u + of_v) / 2 - by_chance)

        return value

    # -- contingency tables -----------------------------------------------------------------------

    def _reduced(self, a, b, cells):
        n = int(self["n"])
        if len(a) == 1 or len(b) == 1 or n in (len(a), len(b)):
            return mpf(0)
        if min(len(a), len(b)) > 2 and n > COUNTABLE:
            raise NotImplementedError
        return self._microcanonical(a, b, cells) - log(tables(a, b)) / n

    def _microcanonical(self, a, b, cells):
        n = int(self["n"])
        ways = log_factorial(n) + sum(map(log_factorial, cells))
        return (ways - sum(map(log_factorial, (*a, *b)))) / n

    def count_MMI(self):
        return self._microcanonical(*self._sizes())

    def count_MMI_uu(self):
        return self._microcanonical(*self._sizes()[:1] * 3)

    def count_MMI_vv(self):
        return self._microcanonical(*self._sizes()[1:2] * 3)

    def count_RMI(self):
        a, b, cells = self._sizes()
        return self._reduced(a, b, cells)

    def count_RMI_uu(self):
        a = self._sizes()[0]
        return self._reduced(a, a, a)

    def count_RMI_vv(self):
        b = self._sizes()[1]
        return self._reduced(b, b, b)

    # -- swaps of two elements, and codes ---------------------------------------------------------

    def _swapped(self, cells, a, b):
        """What cells lose when an element leaves, less what they gain when one comes, over all swaps."""
        n, lost = int(self["n"]), []
        for i, x in a.items():
            for j, y in b.items():
                c, x_, y_ = int(cells.get((i, j), 0)), int(x), int(y)
                lost.append(c * (n - x_ - y_ + c) * (power_gain(c, 1) - power_gain(max(c - 1, 0), 1)))
                lost.append(-(x_ - c) * (y_ - c) * (power_gain(c + 1, 1) - power_gain(c, 1)))
        return mpmath.fsum(lost)

    def _swapped_within(self, sizes):
        return self._swapped({(i, i): x for i, x in sizes.items()}, sizes, sizes)

    def count_toldH_u_by_u(self):
        sizes = self._sizes()[0]
        if len(sizes) in (1, int(self["n"])):
            raise ZeroDivisionError
        return told(tuple(tuple(x if i == j else 0 for j in range(len(sizes))) for i, x in enumerate(sizes)))

    def count_mean_jaccard(self):
        """Over all permutations, of tables with two rows and two columns."""
        (a, b, _), n = self._sizes(), int(self["n"])
        if len(a) != 2 or len(b) != 2:
            raise NotImplementedError
        pairs = int(sum(math.comb(x, 2) for x in (*a, *b)))
        terms = []
        for k, chance in law(a[0], b[0], n):
            both = sum(math.comb(x, 2) for x in (k, a[0] - k, b[0] - k, n - a[0] - b[0] + k))
            terms.append(chance * both / (pairs - both))
        return mpmath.fsum(terms)


@cache
def told(vectors):
    """What labels with these counts cost, and the counts: Dirichlet-multinomial at the best α."""
    k = len(vectors[0])
    if k == 1:
        return mpf(0)
    labels = sum(log_factorial(sum(x)) - sum(map(log_factorial, x)) for x in vectors)

    def cost(log_alpha):
        alpha = mp.exp(log_alpha)
        of_one = mp.loggamma(alpha)
        return mpmath.fsum(
            _multisets(sum(x), k * alpha, mp.loggamma(k * alpha))
            - sum(_multisets(y, alpha, of_one) for y in x if y)
            for x in vectors
        )

    limits = [sum(map(sum, vectors)) * log(k) - labels]  # at infinity
    if all(sum(y > 0 for y in x) == 1 for x in vectors):
        limits.append(len(vectors) * log(k))  # at nothing
    return labels + min(_least(cost), *limits)


def _multisets(x, alpha, log_gamma):
    return mp.loggamma(x + alpha) - log_gamma - log_factorial(x)


def _least(cost, reach=90):
    """By golden sections about the best of a grid; near its least value a smooth function is flat."""
    coarse = min(range(-reach, reach + 1, 3), key=cost)
    best = min(range(coarse - 2, coarse + 3), key=cost)
    low, high, golden = mpf(best - 1), mpf(best + 1), (mp.sqrt(5) - 1) / 2
    left, right = high - golden * (high - low), low + golden * (high - low)
    at_left, at_right = cost(left), cost(right)
    for _ in range(100):
        if at_left <= at_right:
            high, right, at_right = right, left, at_left
            left = high - golden * (high - low)
            at_left = cost(left)
        else:
            low, left, at_left = left, right, at_right
            right = low + golden * (high - low)
            at_right = cost(right)
    return min(at_left, at_right)
