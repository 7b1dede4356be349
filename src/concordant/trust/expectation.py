"""Partition indices over independent draws of both sides: means and energy distances."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant import core
from concordant.counts.arithmetic import Integers
from concordant.counts.memberships import Memberships
from concordant.counts.pairs import PairCounts
from concordant.counts.soft import PosteriorDraws, SoftCounts
from concordant.counts.spelling import counted
from concordant.errors import Remedy, SoftError
from concordant.indices.index import Index
from concordant.results import Result, read_only_class, rounded

HardValue = Callable[[NDArray[Any], NDArray[Any]], float]  # an index of two label arrays


@read_only_class
@dataclass(frozen=True, slots=True, repr=False)
class Expected(Result):
    """The mean of an index over independent draws of both sides. `SoftComparison.expected` returns it.

    Attributes
    ----------
    index : str
        Name of the index.
    value : float
        The mean.
    se : float
        Standard error of the mean. 0 if it is exact.
    plug_in : float or None
        The index of the mean pair counts, if it is a function of these.
    n_draws : int
        Number of draws. 0 if the mean is exact.
    seed : int or None
        Seed of the draws.
    """

    index: str
    value: float
    se: float
    plug_in: float | None
    n_draws: int
    seed: int | None

    def __repr__(self) -> str:
        if not self.n_draws:
            return f"{self.index} {rounded(self.value)} on average over independent draws (exact)"
        drawn = f"{counted(self.n_draws, 'draw')}, seed {self.seed}"
        return (
            f"{self.index} {rounded(self.value)} ± {self.se:.2g} on average over independent draws ({drawn})"
        )

    _whole_text = __repr__


def expected_pairs(counts: SoftCounts) -> PairCounts:
    """The mean pair counts over independent draws of both sides, as fractions."""
    s = counts.pair_sums
    n11, in_u, in_v, pairs = s.pq, s.p, s.q, Fraction(s.pairs)
    values: list[Any] = [n11, in_u - n11, in_v - n11, pairs - in_u - in_v + n11, Fraction(s.size)]
    return PairCounts(*values)


def is_linear_in_pairs(index: Index) -> bool:
    """Whether an index is a linear function of the pair counts for a given number of elements.

    Tried in exact arithmetic at mixtures of five tables: a formula that is not linear differs at one of them.
    """
    if index.views != (PairCounts,):
        return False
    total, size = Fraction(45), Fraction(10)
    corners = [(20, 5, 7, 13), (3, 11, 2, 29), (8, 1, 19, 17), (30, 4, 6, 5), (1, 9, 14, 21)]

    def value(n11: Any, n10: Any, n01: Any, n00: Any) -> Any:
        return index.compute(PairCounts(n11, n10, n01, n00, size), **index.arguments)  # type: ignore[arg-type]  # fractions

    try:
        tables = [tuple(map(Fraction, corner)) for corner in corners]
        values = [value(*table) for table in tables]
        for weights in ((1, 2, 3, 4, 5), (7, 1, 1, 3, 2), (1, 8, 5, 2, 4)):
            shares = [Fraction(weight, sum(weights)) for weight in weights]
            mixed = [sum(s * t[i] for s, t in zip(shares, tables, strict=True)) for i in range(4)]
            assert sum(mixed) == total
            if value(*mixed) != sum(s * v for s, v in zip(shares, values, strict=True)):
                return False
    except (ZeroDivisionError, ValueError):
        return False
    return not any(isinstance(each, float) for each in values)


def expected(
    counts: SoftCounts, index: Index, hard_value: HardValue, draws: int | None, seed: int
) -> Expected:
    """The mean over independent draws: exact if the index is linear in pair counts, else estimated."""
    plug_in = None
    if index.views == (PairCounts,):
        try:
            plug_in = float(index.compute(expected_pairs(counts), **index.arguments))
        except ZeroDivisionError:
            plug_in = None
    if draws is None:
        if plug_in is None or not is_linear_in_pairs(index):
            raise SoftError(
                f"{index.name} is not linear in pair counts, so its mean has no closed form",
                remedies=[Remedy("estimate it from random draws, with a standard error", n_resamples=1000)],
            )
        return Expected(index.name, plug_in, 0.0, plug_in, 0, None)
    generator = np.random.default_rng(seed)
    u, v = (_drawn_labels(side, generator, draws) for side in counts.sides.sides)
    values = np.array([hard_value(one, other) for one, other in zip(u, v, strict=True)])
    se = float(values.std(ddof=1) / np.sqrt(draws)) if draws > 1 else float("nan")
    return Expected(index.name, float(values.mean()), se, plug_in, draws, seed)


def _drawn_labels(side: Memberships | PosteriorDraws, generator: Any, draws: int) -> Iterator[Integers]:
    """Labels of the records, drawn independently by their weights, or one of the draws."""
    if isinstance(side, PosteriorDraws):
        shares = np.array([float(share) for share in side.shares])
        for b in generator.choice(len(shares), size=draws, p=shares / shares.sum()).tolist():
            yield np.ascontiguousarray(side.codes[:, b])
        return
    bounds = np.cumsum(side.weights(), axis=1)
    total = bounds[:, -1] + side.rest_weights()
    for _ in range(draws):
        place = generator.random(len(side)) * total
        labels = (bounds <= place[:, None]).sum(axis=1)
        alone = labels == side.columns  # in no cluster: a cluster of its own
        labels[alone] += np.arange(int(alone.sum()))
        yield labels.astype(np.int64)


def energy_distance(counts: SoftCounts, index: Index, hard_value: HardValue) -> float:
    """2E d(U, V) − E d(U, U′) − E d(V, V′) of independent draws.

    d is the distance of an index to its perfect value. For the Rand index it is 2·mean (p − q)².
    """
    if index.perfect is None:
        raise SoftError(f"{index.name} has no value for identical partitions, so it is not a distance")
    s = counts.pair_sums
    if index.views == (PairCounts,) and is_linear_in_pairs(index):
        # Linear in pair counts, so all three means are those of the mean counts.
        def distance(pq: Fraction, p: Fraction, q: Fraction) -> Fraction:
            table: list[Any] = [pq, p - pq, q - pq, s.pairs - p - q + pq, Fraction(s.size)]
            value: Any = index.compute(PairCounts(*table), **index.arguments)
            return abs(Fraction(index.perfect or 0) - Fraction(value))

        whole = 2 * distance(s.pq, s.p, s.q) - distance(s.pp, s.p, s.p) - distance(s.qq, s.q, s.q)
        return float(whole)
    u, v = counts.sides.sides
    if not isinstance(u, PosteriorDraws) or not isinstance(v, PosteriorDraws):
        raise SoftError(
            f"the energy distance by {index.name} compares draws with draws; for weights use 'rand', which "
            "has a closed form"
        )
    perfect = float(index.perfect)

    def mean(one: PosteriorDraws, other: PosteriorDraws) -> float:
        columns = [core.factorize(np.ascontiguousarray(codes))[0] for codes in one.codes.T]
        others = [core.factorize(np.ascontiguousarray(codes))[0] for codes in other.codes.T]
        table = np.array([[abs(perfect - hard_value(x, y)) for y in others] for x in columns])
        return float(_floats(one.shares) @ table @ _floats(other.shares))

    return 2 * mean(u, v) - mean(u, u) - mean(v, v)


def _floats(shares: Sequence[Fraction]) -> NDArray[np.float64]:
    return np.array([float(share) for share in shares])
