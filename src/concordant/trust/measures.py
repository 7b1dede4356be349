"""What each labelled true cluster adds to a measure of the whole: ratios of sums over true clusters.

Only contributions of whole true clusters can be estimated from a sample of them. Each pair that a candidate
wrongly holds together is met from both ends, so that each end counts half of it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from concordant.catalogue.index import INDICES
from concordant.catalogue.registry import parsed
from concordant.counts.arithmetic import Floats, Integers, sums_by
from concordant.counts.sampled import SampledCells
from concordant.errors import ParameterError, UnknownIndexError, did_you_mean


@dataclass(frozen=True, slots=True)
class Contributions:
    """Of each labelled cluster, in the letters of the formulas."""

    a: Floats  # its size
    tp: Floats  # its pairs that the candidate holds together, too
    u: Floats  # its pairs
    v: Floats  # those that the candidate holds together, with half of the wrong ones
    kept: Floats  # 1 where it is a cluster of the candidate
    p: Floats  # Σ n²/b
    r: Floats  # Σ n²/a
    pieces: Integers  # the candidate clusters that share records with it
    size: int  # records of the population
    columns: int  # clusters of the candidate

    @classmethod
    def of(cls, cells: SampledCells) -> Contributions:
        rows, row, a = len(cells.clusters), cells.row, cells.sizes
        n, b = cells.n.astype(object), cells.b.astype(object)  # products beyond 64 bits stay exact

        def total(terms: Any) -> Floats:
            return np.asarray(sums_by(row, terms, rows), dtype=np.float64)

        squares = sums_by(row, n * n, rows)
        return cls(
            a=a.astype(np.float64),
            tp=total(n * (n - 1) // 2),
            u=(a.astype(object) * (a.astype(object) - 1) // 2).astype(np.float64),
            v=total(n * (n - 1) + n * (b - n)) / 2,
            kept=total(((cells.n == a[row]) & (cells.n == cells.b)).astype(np.int64)),
            p=total((n * n / b).astype(np.float64)),
            r=np.asarray(squares / a.astype(object), dtype=np.float64),
            pieces=np.bincount(row, minlength=rows),
            size=cells.size,
            columns=cells.columns,
        )

    def differing(self, other: Contributions) -> int:
        """Number of labelled clusters that two candidates treat differently."""
        parts = ("tp", "v", "kept", "p", "r", "pieces")
        differs = [getattr(self, part) != getattr(other, part) for part in parts]
        return int(np.logical_or.reduce(differs).sum())

    @property
    def clusters_a_record(self) -> float:
        """L/n: how many candidate clusters there are for each record."""
        return self.columns / self.size


RatioTerms = tuple[Floats, Floats]  # what each cluster adds to the numerator and to the denominator
Formula = Callable[[Contributions, float], RatioTerms]  # of the contributions, and of β²


def _even(c: Contributions) -> Floats:
    return np.ones(len(c.a))


MEASURES: dict[str, Formula] = {
    "precision": lambda c, _: (c.tp, c.v),
    "recall": lambda c, _: (c.tp, c.u),
    "f_measure": lambda c, bb: ((1 + bb) * c.tp, bb * c.u + c.v),
    "jaccard": lambda c, _: (c.tp, c.u + c.v - c.tp),
    "cluster_precision": lambda c, _: (c.kept / c.clusters_a_record, c.a),
    "cluster_recall": lambda c, _: (c.kept, _even(c)),
    "cluster_f": lambda c, bb: ((1 + bb) * c.kept, bb + c.clusters_a_record * c.a),
    "bcubed_precision": lambda c, _: (c.p, c.a),
    "bcubed_recall": lambda c, _: (c.r, c.a),
    "bcubed_precision_macro": lambda c, _: (c.p / c.a, _even(c)),
    "bcubed_recall_macro": lambda c, _: (c.r / c.a, _even(c)),
}
ADJUSTED_RAND = "adjusted_rand"  # no ratio of sums, but a function of three
NAMES = (*MEASURES, ADJUSTED_RAND)
_WITH_BETA = ("f_measure", "cluster_f")


@dataclass(frozen=True, slots=True)
class Measure:
    """One of the measures, and the weight of recall where it has one."""

    name: str  # as it is spelled
    kind: str
    beta: float = 1.0

    def sides(self, contributions: Contributions) -> RatioTerms:
        """What each cluster adds to the numerator and to the denominator."""
        return MEASURES[self.kind](contributions, self.beta * self.beta)


def measure(spelling: str) -> Measure:
    """The measure of that name, or why it cannot be estimated.

    >>> measure("ARI"), measure("cluster_f(beta=2)").beta
    (Measure(name='adjusted_rand', kind='adjusted_rand', beta=1.0), 2)
    """
    name, arguments = parsed(spelling, INDICES.bound)
    kind = INDICES[name].name
    if kind not in NAMES:
        raise UnknownIndexError(
            f"{kind} is not a sum over true clusters, so a sample of them does not tell it; these can be "
            f"estimated: {', '.join(NAMES)}{did_you_mean(kind, NAMES)}"
        )
    beta = arguments.pop("beta", 1.0) if kind in _WITH_BETA else 1.0
    if arguments:
        raise ParameterError(f"{kind} does not take {', '.join(map(repr, arguments))}")
    if not isinstance(beta, int | float) or isinstance(beta, bool) or not 0 < beta < math.inf:
        raise ParameterError("use a positive number", given={"beta": beta})
    return Measure(kind if beta == 1 else f"{kind}(beta={beta:g})", kind, beta)
