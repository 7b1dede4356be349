"""The contribution of each labelled true cluster to a measure: ratios of sums over true clusters.

Only contributions of whole true clusters can be estimated from a sample of them. Each pair that a candidate
wrongly holds together is counted from both ends, so each end counts half of it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from concordant.counts.arithmetic import Floats, Integers, sums_by
from concordant.counts.sampled import SampledCells
from concordant.counts.spelling import share
from concordant.errors import UnknownIndexError, did_you_mean
from concordant.indices.index import INDICES, SAMPLE_INDICES, Index, any_index
from concordant.trust.design import Design
from concordant.trust.units import LARGE_SHARE


@dataclass(frozen=True, slots=True)
class Contributions:
    """The contributions of each labelled cluster, named as in the formulas."""

    a: Floats  # its size
    tp: Floats  # its pairs that the candidate also holds together
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


RatioTerms = tuple[Floats, Floats]  # the terms that each cluster adds to the numerator and to the denominator
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
ADJUSTED_RAND = "adjusted_rand"  # not a ratio of sums, but a function of three
NAMES = (*MEASURES, ADJUSTED_RAND)
for _name in NAMES:
    SAMPLE_INDICES.add(INDICES[_name])
_OF_RECORDS = ("cluster_precision", "bcubed_precision", "bcubed_recall")
_OF_CLUSTERS = ("cluster_recall", "bcubed_precision_macro", "bcubed_recall_macro")
# If more than this share is in clusters larger than any labelled one, the sample cannot determine a measure.
_OUT_OF_SIGHT = 0.1


def measure(spelling: str) -> Index:
    """The index of that name, if a sample of true clusters determines it.

    >>> measure("ARI").name, measure("cluster_f(beta=2)").name, measure("f_measure(beta=1)").name
    ('adjusted_rand', 'cluster_f(beta=2)', 'f_measure')
    """
    index = any_index(spelling, INDICES)
    name = index.declared_name
    if name not in NAMES:
        raise UnknownIndexError(
            f"{name} is not a sum over true clusters, so a sample of them does not determine it; these can "
            f"be estimated: {', '.join(NAMES)}{did_you_mean(name, NAMES)}"
        )
    return INDICES[name] if weight_of_recall(index) == 1 else index


def weight_of_recall(index: Index) -> float:
    """Beta of an F measure; 1 for others."""
    return float(index.arguments.get("beta", 1))


def ratio_terms(index: Index, contributions: Contributions) -> RatioTerms:
    """The contribution of each cluster to the numerator and to the denominator of a ratio."""
    return MEASURES[index.declared_name](contributions, weight_of_recall(index) ** 2)


def denominator(index: Index) -> Literal["pairs", "records", "clusters", "records and clusters"]:
    """The unit of the denominator."""
    if index.declared_name == "cluster_f":
        return "records and clusters"
    if index.declared_name in _OF_RECORDS:
        return "records"
    return "clusters" if index.declared_name in _OF_CLUSTERS else "pairs"


# -- what was not drawn ---------------------------------------------------------------------------------


def largest_loss(wanted: Index, cells: SampledCells, drawn: Design) -> float:
    """The most that an unseen draw adds to the denominator, and not to the numerator.

    A candidate cluster may be as large as the largest of all, whose size is known. A true cluster may be as
    large as the largest that is known on either side.
    """
    labelled, candidate = int(cells.sizes.max()), max(cells.candidate_sizes)
    largest, by_record = max(labelled, candidate), drawn.sampling == "records"
    unit, bb = denominator(wanted), weight_of_recall(wanted) ** 2
    records = drawn.weight * (1 if by_record else largest)
    if unit == "clusters":
        return drawn.weight
    if unit == "records":
        return records
    if unit == "records and clusters":
        return bb * drawn.weight + records * cells.columns / cells.size
    precision = drawn.weight * (1 if by_record else labelled) * (candidate - 1) / 2
    recall = records * (largest - 1) / 2
    losses = {"precision": precision, "recall": recall, "f_measure": bb * recall + precision}
    return losses.get(wanted.declared_name, recall + precision)


def refusal(wanted: Index, cells: SampledCells, drawn: Design, largest_share: float) -> str:
    """Why a measure cannot be estimated from these clusters; empty if it can.

    If every cluster is equally likely to be drawn, a sample misses most of the few large ones, which hold
    most pairs and many records.
    """
    unit = denominator(wanted)
    of_pairs = unit == "pairs"
    is_settled_by_large = of_pairs or wanted.declared_name in ("bcubed_precision", "bcubed_recall")
    if drawn.sampling == "records" or not is_settled_by_large:
        return ""
    labelled = int(cells.sizes.max())
    held = {
        size: many * (size * (size - 1) // 2 if of_pairs else size)
        for size, many in cells.candidate_sizes.items()
    }
    beyond = sum(number for size, number in held.items() if size > labelled)
    advice = "draw records instead of clusters"
    if beyond > _OUT_OF_SIGHT * sum(held.values()):
        what = f"{share(beyond, sum(held.values()))} of the candidate's {unit}"
        return f"{what} are in clusters larger than any labelled one; {advice}"
    if of_pairs and largest_share > LARGE_SHARE:
        return f"one cluster has {share(largest_share, 1)} of the denominator; {advice}"
    return ""
