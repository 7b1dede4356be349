"""Information and chance counted from their definitions, in fifty digits and without the library."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations, permutations

import mpmath
from oracle_matching import quantities
from scipy.optimize import minimize_scalar

mpmath.mp.dps = max(mpmath.mp.dps, 50)  # tests/support/oracle_tables.py asks for more, in the same process


def log(x):
    return _log(Fraction(x), mpmath.mp.prec)


@cache
def _log(x, _precision):
    return mpmath.log(mpmath.mpf(x.numerator) / x.denominator)


def information(u, v):
    """Mutual information in nats: the mean over the elements of log(n·n_ij/(a·b))."""
    cells, a, b = Counter(zip(u, v, strict=True)), Counter(u), Counter(v)
    n = len(u)
    return mpmath.fsum(
        x * log(Fraction(n * x, a[i] * b[j])) / n for (i, j), x in sorted(cells.items(), key=str)
    )


def expected_information(a, b, n):
    """The mean over all permutations, by the hypergeometric law: sizes a and b, each with repetitions."""
    terms = []
    for x, many_x in Counter(a).items():
        for y, many_y in Counter(b).items():
            for k in range(max(1, x + y - n), min(x, y) + 1):
                ways = math.comb(y, k) * math.comb(n - y, x - k)
                term = Fraction(k, n) * Fraction(ways, math.comb(n, x)) * many_x * many_y
                terms.append(log(Fraction(n * k, x * y)) * term.numerator / term.denominator)
    return mpmath.fsum(terms)


@cache
def partitions(n):
    """All partitions of n elements, as tuples of labels."""
    if n == 0:
        return ((),)
    return tuple((*p, x) for p in partitions(n - 1) for x in range(max(p, default=-1) + 2))


@cache
def tables(rows, columns):
    """How many tables have these row and column sums, by filling one cell after the other."""
    if not rows:
        return int(not any(columns))
    return sum(tables(rows[1:], left) for left in _fillings(rows[0], columns))


def _fillings(units, columns):
    if len(columns) == 1:
        return [(columns[0] - units,)] if units <= columns[0] else []
    return [
        (columns[0] - x, *rest)
        for x in range(min(units, columns[0]) + 1)
        for rest in _fillings(units - x, columns[1:])
    ]


def sizes(labels):
    return tuple(sorted(Counter(labels).values()))


_sizes = cache(sizes)


@cache
def model_information(u_sizes, v_clusters, n, model):
    """Mean information between all partitions of a model; a tuple of sizes stands for a partition kept."""
    first, second = (_drawn(side, n, model) for side in (u_sizes, v_clusters))
    found = Counter()
    for u in first:
        for v in second:
            found[_sizes(u), _sizes(v), sizes(zip(u, v, strict=True))] += 1
    total = mpmath.fsum(many * (_entropy(a) + _entropy(b) - _entropy(c)) for (a, b, c), many in found.items())
    return total / (len(first) * len(second))


def _drawn(side, n, model):
    if isinstance(side, tuple):
        return [_labels(side)]
    return [p for p in partitions(n) if model == "all" or len(set(p)) == side]


def _labels(cluster_sizes):
    return tuple(i for i, size in enumerate(cluster_sizes) for _ in range(size))


@cache
def deviation_over_permutations(u_sizes, v_sizes):
    """Standard deviation of the mutual information over all orders of the elements: the sizes decide it."""
    u, v = _labels(u_sizes), _labels(v_sizes)
    found = [information(u, shuffled) for shuffled in permutations(v)]
    mean = mpmath.fsum(found) / len(found)
    return mpmath.sqrt(mpmath.fsum((x - mean) ** 2 for x in found) / len(found))


@cache
def together(n, clusters, model):
    """Share of the pairs that are together, over all partitions of the model."""
    drawn = _drawn(clusters, n, model)
    return Fraction(sum(math.comb(x, 2) for p in drawn for x in sizes(p)), len(drawn) * math.comb(n, 2))


def _entropy(counts):
    n = sum(counts)
    return mpmath.fsum(x * log(Fraction(n, x)) / n for x in counts)


@quantities(
    xMI=lambda self: information(self.u, self.v),
    xHU=lambda self: information(self.u, self.u),
    xHV=lambda self: information(self.v, self.v),
    xHUV=lambda self: self["xHU"] + self["xHV"] - self["xMI"],
    EMI=lambda self: expected_information(sizes(self.u), sizes(self.v), len(self.u)),
    log_counts_u=lambda self: self._log_counts(self.u),
    log_counts_v=lambda self: self._log_counts(self.v),
    TU=lambda self: self._tsallis(sizes(self.u)),
    TV=lambda self: self._tsallis(sizes(self.v)),
    TMI=lambda self: self["TU"] + self["TV"] - self._tsallis(sizes(zip(self.u, self.v, strict=True))),
    MMI=lambda self: self._microcanonical(self.u, self.v),
    MMI_uu=lambda self: self._microcanonical(self.u, self.u),
    MMI_vv=lambda self: self._microcanonical(self.v, self.v),
    RMI=lambda self: self._reduced(self.u, self.v),
    RMI_uu=lambda self: self._reduced(self.u, self.u),
    RMI_vv=lambda self: self._reduced(self.v, self.v),
    EMI_num=lambda self: self._model_information("num", kept=False),
    EMI_all=lambda self: self._model_information("all", kept=False),
    EMI_num_one=lambda self: self._model_information("num", kept=True),
    EMI_all_one=lambda self: self._model_information("all", kept=True),
    ER_num=lambda self: self._expected_rand("num", kept=False),
    ER_all=lambda self: self._expected_rand("all", kept=False),
    ER_num_one=lambda self: self._expected_rand("num", kept=True),
    ER_all_one=lambda self: self._expected_rand("all", kept=True),
    swapMI_uv=lambda self: self._swapped(self.u, self.v),
    swapMI_uu=lambda self: self._swapped(self.u, self.u),
    swapMI_vv=lambda self: self._swapped(self.v, self.v),
    toldH_u=lambda self: self._told([self.u]),
    toldH_u_by_v=lambda self: self._told(self._columns(self.v)),
)
class InformationCounts:
    """Quantities for tests/golden/formulas_information.json."""

    def count_proper(self):
        """Neither partition is one cluster or singletons, so that a shuffle changes something."""
        return all(1 < len(set(x)) < len(x) for x in (self.u, self.v))

    def count_DMI(self):
        """Standard deviation of the mutual information over all permutations."""
        if not self["proper"]:
            raise ZeroDivisionError
        deviation = deviation_over_permutations(sizes(self.u), sizes(self.v))
        if deviation < 1e-30:
            raise ZeroDivisionError
        return deviation

    # -- Dom ------------------------------------------------------------------------------------

    def _log_counts(self, labels):
        k = len(set(self.u))
        return mpmath.fsum(log(math.comb(x + k - 1, k - 1)) for x in sizes(labels)) / max(len(labels), 1)

    # -- Tsallis entropies of order 3/2 -----------------------------------------------------------

    def _tsallis(self, counts):
        n = len(self.u)
        return (1 - mpmath.fsum((mpmath.mpf(x) / n) ** mpmath.mpf(1.5) for x in counts)) * 2

    def count_ETMI(self):
        """The mean of TMI over all permutations, by the hypergeometric law."""
        n, joint = len(self.u), 0
        for x in sizes(self.u):
            for y in sizes(self.v):
                for k in range(1, min(x, y) + 1):
                    ways = math.comb(y, k) * math.comb(n - y, x - k)
                    joint += (mpmath.mpf(k) / n) ** mpmath.mpf(1.5) * ways / math.comb(n, x)
        return self["TU"] + self["TV"] - (1 - joint) * 2

    # -- contingency tables -----------------------------------------------------------------------

    def _ways(self, u, v):
        """How many times fewer labellings of u are left if v and the overlaps are known."""
        factorials = [math.prod(map(math.factorial, sizes(x))) for x in (zip(u, v, strict=True), u, v)]
        return Fraction(math.factorial(len(u)) * factorials[0], factorials[1] * factorials[2])

    def _microcanonical(self, u, v):
        return log(self._ways(u, v)) / len(u) if u else 0

    def _reduced(self, u, v):
        if not u or len(set(u)) in (1, len(u)) or len(set(v)) in (1, len(v)):
            return 0
        return log(self._ways(u, v) / tables(sizes(u), sizes(v))) / len(u)

    # -- partitions drawn at random ---------------------------------------------------------------

    def _model_information(self, model, kept):
        k, l = len(set(self.u)), len(set(self.v))  # noqa: E741  (the letters of the formula)
        return model_information(sizes(self.u) if kept else k, l, len(self.u), model)

    def _expected_rand(self, model, kept):
        u = together(len(self.u), len(set(self.u)), model)
        if kept:
            u = Fraction(sum(math.comb(x, 2) for x in sizes(self.u)), math.comb(len(self.u), 2))
        v = together(len(self.v), len(set(self.v)), model)
        return u * v + (1 - u) * (1 - v)

    # -- swaps of two elements --------------------------------------------------------------------

    def _swapped(self, u, v):
        """The information that is lost when two elements swap their labels, over all pairs of elements."""
        lost = []
        for i, j in combinations(range(len(v)), 2):
            other = list(v)
            other[i], other[j] = v[j], v[i]
            lost.append(_joint(u, other) - _joint(u, v))
        total = math.fsum(lost)
        return total if abs(total) > 1e-12 else 0

    # -- Dirichlet-multinomial codes --------------------------------------------------------------

    def _told(self, columns):
        """What it costs to tell u, whose sizes within each column are known to be Dirichlet-multinomial."""
        labels = sorted(set(self.u))
        return _told(tuple(sorted(tuple(sum(a == i for a in column) for i in labels) for column in columns)))

    def _columns(self, labels):
        return [[a for a, b in zip(self.u, labels, strict=True) if b == x] for x in sorted(set(labels))]

    def count_toldH_u_by_u(self):
        by_itself = self._told(self._columns(self.u))
        if abs(self["toldH_u"] - by_itself) < 1e-12:
            raise ZeroDivisionError
        return by_itself


@cache
def _told(vectors):
    k = len(vectors[0]) if vectors else 0
    labels = sum(math.lgamma(sum(x) + 1) - sum(math.lgamma(y + 1) for y in x) for x in vectors)
    if k <= 1:
        return 0.0

    def cost(log_alpha):
        alpha = math.exp(log_alpha)
        return sum(multisets(sum(x), k * alpha) - sum(multisets(y, alpha) for y in x if y) for x in vectors)

    near = min(range(-25, 26), key=cost)
    best = minimize_scalar(cost, bounds=(near - 1, near + 1), method="bounded").fun
    limits = [sum(map(sum, vectors)) * math.log(k) - labels]
    if all(sum(y > 0 for y in x) == 1 for x in vectors):
        limits.append(len(vectors) * math.log(k))
    return labels + min(best, *limits)


def _joint(u, v):
    """The joint entropy, in floating-point numbers."""
    return -math.fsum(x / len(u) * math.log(x / len(u)) for x in Counter(zip(u, v, strict=True)).values())


def multisets(x, alpha):
    """log C(x + alpha - 1, x), one factor after the other."""
    return math.fsum(math.log((i - 1 + alpha) / i) for i in range(1, x + 1))
