"""The contribution of each labelled true cluster to a measure: ratios of sums over true clusters.

Only contributions of whole true clusters can be estimated from a sample of them. Each pair that a candidate
wrongly holds together is counted from both ends, so each end counts half of it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from concordant.counts.sampled import SampledCells, SampledPairs
from concordant.errors import UnknownIndexError
from concordant.foundation.spelling import share
from concordant.indices.index import INDICES, SAMPLE_INDICES, Index, any_index
from concordant.inference.clustered_intervals import LARGE_SHARE
from concordant.labelling.design import Design
from concordant.maths.arithmetic import Floats, Integers, sums_by


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
    def of(cls, cells: SampledCells | SampledPairs) -> Contributions:
        if isinstance(cells, SampledPairs):
            return cls._of_pairs(cells)
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

    @classmethod
    def _of_pairs(cls, drawn: SampledPairs) -> Contributions:
        """The weighted numbers of pairs of each unit; no measure of pairs reads the others."""
        pairs = np.bincount(drawn.unit)
        none = np.zeros(len(pairs))
        return cls(
            a=pairs.astype(np.float64),
            tp=drawn.sums(drawn.same * drawn.together),
            u=drawn.sums(drawn.same),
            v=drawn.sums(drawn.together),
            kept=none,
            p=none,
            r=none,
            pieces=pairs,
            size=drawn.size,
            columns=drawn.columns,
        )

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
_EXPECTED_DRAWS = 3
_MOST_TIMES_THE_MEAN = 10  # of one cluster's share


def measure(spelling: str, names: Sequence[str] = NAMES) -> Index:
    """The index of that name, if a sample determines it; ``names`` are those that it determines.

    >>> measure("ARI").name, measure("cluster_f(beta=2)").name, measure("f_measure(beta=1)").name
    ('adjusted_rand', 'cluster_f(beta=2)', 'f_measure')
    """
    index = any_index(spelling, INDICES)
    name = index.declared_name
    if name not in names and name in NAMES:
        raise UnknownIndexError(
            f"{name} needs whole true clusters, and labelled pairs determine {', '.join(names)}"
        )
    if name not in names:
        raise UnknownIndexError(
            f"{name} is not a sum over true clusters, so a sample of them does not determine it; these can "
            f"be estimated: {', '.join(NAMES)}"
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


def unseen_loss(
    wanted: Index,
    cells: SampledCells | SampledPairs,
    drawn: Design,
    confidence: float,
    draws: int | None = None,
) -> float:
    """The most that an unseen draw adds to the denominator, and not to the numerator.

    A candidate cluster of a known size may hold errors that no labelled record is part of. A true cluster may
    be as large as the design permits, or else as the largest that is known on either side, unless it would
    have been drawn. ``draws`` is the number of draws, if it is not that of the sample.
    """
    if isinstance(cells, SampledPairs):
        wrong, missed = (
            float((cells.sums(kind) * drawn.open).max()) for kind in (cells.together, ~cells.together)
        )
        bb = weight_of_recall(wanted) ** 2
        of_pairs = {"precision": wrong, "recall": missed, "f_measure": max(wrong, bb * missed)}
        return of_pairs.get(wanted.declared_name, max(wrong, missed))
    labelled, left = int(cells.sizes.max()), cells.size - cells.labelled
    known = max(labelled, *cells.candidate_sizes)
    most = known if drawn.largest_cluster is None else drawn.largest_cluster
    sizes, free, many = cells.unlabelled
    events = -math.log((1 - confidence) / 2)  # so many are expected of what was seen by chance only
    if drawn.sampling == "clusters" and not drawn.has_weights:
        size, clusters = max(min(most, left), 1), drawn.weight
        records = clusters * size
        precision = clusters * float((np.minimum(labelled, free) * (sizes - 1) * (many > 0)).max()) / 2
        recall = records * (size - 1) / 2
    else:
        records, scale = drawn.rate(cells.sizes, cells.size, confidence)
        clusters = float(drawn.weights.max()) if drawn.has_weights else records
        unseen = events * records * scale * (1 if draws is None else drawn.reported_draws / draws)
        recall = records * (max(min(most, unseen, left), 1) - 1) / 2
        held = free * many
        taken = np.minimum(held, np.maximum(unseen - (np.cumsum(held) - held), 0))
        precision = records * float((taken * (sizes - 1)).sum()) / 2 / unseen
        records = min(records, left / events) if draws is None and scale == 1 else records
    unit, bb = denominator(wanted), weight_of_recall(wanted) ** 2
    if unit == "records and clusters":
        return bb * clusters + records * cells.columns / cells.size
    if unit != "pairs":
        return clusters if unit == "clusters" else records
    losses = {"precision": precision, "recall": recall, "f_measure": bb * recall + precision}
    return losses.get(wanted.declared_name, recall + precision)


def refusal(
    wanted: Index, cells: SampledCells | SampledPairs, drawn: Design, confidence: float, largest_share: float
) -> str:
    """Why a measure cannot be estimated from these clusters; empty if it can.

    If every cluster is equally likely to be drawn, a sample misses most of the few large ones, which hold
    most pairs and many records. With weights, it misses them if few would have been expected.
    """
    if isinstance(cells, SampledPairs):
        return _refusal_of_pairs(wanted, cells)
    unit = denominator(wanted)
    of_pairs = unit == "pairs"
    is_settled_by_large = of_pairs or wanted.declared_name in ("bcubed_precision", "bcubed_recall")
    by_record = drawn.sampling == "records" and not drawn.has_weights
    if by_record or not is_settled_by_large:
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
        if not drawn.has_weights:
            return f"{what} are in clusters larger than any labelled one; {advice}"
        records, scale = drawn.rate(cells.sizes, cells.size, confidence)
        larger = [(size, many) for size, many in cells.candidate_sizes.items() if size > labelled]
        if sum(many * min(1, size / (records * scale)) for size, many in larger) < _EXPECTED_DRAWS:
            return (
                f"{what} are in clusters larger than any labelled one, of which few would be drawn; {advice}"
            )
    # A sample that has one of the few large clusters by luck is as far off as one that lacks them.
    limit = max(_OUT_OF_SIGHT, _MOST_TIMES_THE_MEAN / drawn.draws)
    limit = (min if of_pairs else max)(LARGE_SHARE, limit)
    if largest_share > limit and not drawn.has_weights:
        return f"one cluster has {share(largest_share, 1)} of the denominator; {advice}"
    return ""


def _refusal_of_pairs(wanted: Index, drawn: SampledPairs) -> str:
    if drawn.together.all() and wanted.declared_name != "precision":
        return "no labelled pair is apart in the candidate, so missed links were never drawn"
    if not drawn.together.any():
        return "no labelled pair is together in the candidate, so its links were never drawn"
    return ""
