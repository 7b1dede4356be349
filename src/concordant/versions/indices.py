"""Diffs: how much the clusters of records changed from one run to another, and whether for the better.

For a record in cluster U before and cluster V after, S = U∖V was split off, M = V∖U was merged in and
K = U∩V was kept. If T is its true cluster, S∩T was split off wrongly, and M∩T was merged in rightly.
T′ = T∩(U∪V) is the part of T within both clusters, w the weight of a set of records, and D(X, Y) the Jaccard
distance 1 − w(X∩Y)/w(X∪Y). Means are over all records by weight.
"""

from __future__ import annotations

import math
from functools import partial

import numpy as np

from concordant.counts.three_way import DiffSizes, RunSizes
from concordant.indices.index import index, indices_of
from concordant.maths.arithmetic import Integers, Number

__all__ = ["DIFF_INDICES"]

DIFF_INDICES = indices_of("diff")

_declared = partial(index, sides="diff", perfect=0, tight=False)
_abcde = partial(_declared, cite="van Staden & Grubb 2024, arXiv:2407.21430")
_parts = partial(_declared, cite="van Staden 2024a, arXiv:2409.18522")
_quality = partial(_declared, cite="van Staden 2024b, arXiv:2409.13376", range=(-1, 1), mirror=None)
_closed = partial(_declared, cite="this library: bounds from the records of both clusters")


def _union(s: DiffSizes) -> Integers:
    union: Integers = s.a + s.b - s.ab
    return union


def _near(s: DiffSizes) -> Integers:
    """w(T′)."""
    near: Integers = s.at + s.bt - s.n
    return near


# -- how much changed ---------------------------------------------------------------------------------


@_declared(title="Affected records", formula="mean of [U ≠ V]", cite="this library", metric=True, tight=True)
def affected(s: RunSizes) -> Number:
    """Share of the records whose cluster changed."""
    return s.mean((s.changed.astype(np.int64), np.ones_like(s.a)))


@_abcde(title="Split rate", formula="mean of w(S) / w(U)", mirror="merge_rate")
def split_rate(s: RunSizes) -> Number:
    """Share of its cluster before that a record lost.

    It is 1 − bcubed_recall of the comparison of both clusterings.
    """
    return s.mean((s.a - s.ab, s.a))


@_abcde(title="Merge rate", formula="mean of w(M) / w(V)", mirror="split_rate")
def merge_rate(s: RunSizes) -> Number:
    """Share of its cluster after that is new.

    It is 1 − bcubed_precision of the comparison of both clusterings.
    """
    return s.mean((s.b - s.ab, s.b))


@_abcde(title="Jaccard distance", formula="mean of D(U, V)", metric=True)
def jaccard_distance(s: RunSizes) -> Number:
    """Share of both clusters that only one of them has.

    It is 1 − element_jaccard of the comparison of both clusterings.
    """
    return s.mean((s.a + s.b - 2 * s.ab, _union(s)))


@_parts(title="Split distance", formula="mean of w(S) / w(U∪V)", mirror="merge_distance")
def split_distance(s: RunSizes) -> Number:
    """Part of jaccard_distance that was split off."""
    return s.mean((s.a - s.ab, _union(s)))


@_parts(title="Merge distance", formula="mean of w(M) / w(U∪V)", mirror="split_distance")
def merge_distance(s: RunSizes) -> Number:
    """Part of jaccard_distance that was merged in."""
    return s.mean((s.b - s.ab, _union(s)))


# -- whether for the better ---------------------------------------------------------------------------


@_abcde(title="Good split rate", formula="mean of w(S∖T) / w(U)", mirror="bad_merge_rate")
def good_split_rate(s: DiffSizes) -> Number:
    """Split off, and another entity.

    Together with bad_split_rate it is split_rate.
    """
    return s.mean((s.a - s.ab - s.at + s.n, s.a))


@_abcde(title="Bad split rate", formula="mean of w(S∩T) / w(U)", mirror="good_merge_rate")
def bad_split_rate(s: DiffSizes) -> Number:
    """Split off, but the same entity."""
    return s.mean((s.at - s.n, s.a))


@_abcde(title="Good merge rate", formula="mean of w(M∩T) / w(V)", mirror="bad_split_rate")
def good_merge_rate(s: DiffSizes) -> Number:
    """Merged in, and the same entity.

    Together with bad_merge_rate it is merge_rate.
    """
    return s.mean((s.bt - s.n, s.b))


@_abcde(title="Bad merge rate", formula="mean of w(M∖T) / w(V)", mirror="good_split_rate")
def bad_merge_rate(s: DiffSizes) -> Number:
    """Merged in, but another entity."""
    return s.mean((s.b - s.ab - s.bt + s.n, s.b))


@_abcde(title="Change of precision", formula="mean of w(V∩T)/w(V) − w(U∩T)/w(U)", range=(-1, 1), mirror=None)
def delta_precision(s: DiffSizes) -> Number:
    """Change of B-cubed precision.

    It is good_merge_rate − bad_split_rate + kept.
    """
    return s.mean((s.bt, s.b), (-s.at, s.a))


@_declared(
    title="Change of precision by kept records",
    formula="mean of w(K∩T)/w(V) − w(K∩T)/w(U)",
    cite="this library: the rest of delta_precision",
    range=(-1, 1),
    mirror=None,
)
def kept(s: DiffSizes) -> Number:
    """Change of precision by pairs kept together.

    When a cluster grows, each of its old pairs has a smaller share of it.
    """
    return s.mean((s.n, s.b), (-s.n, s.a))


@_quality(title="Change of recall", formula="mean of (w(M∩T) − w(S∩T)) / w(T)")
def delta_recall(s: DiffSizes) -> Number:
    """Change of B-cubed recall."""
    return s.mean((s.bt - s.at, s.c))


@_closed(
    title="Closed change of recall",
    formula="mean of (w(M∩T) − w(S∩T)) / w(T′)",
    range=(-1, 1),
    mirror=None,
)
def delta_recall_closed(s: DiffSizes) -> Number:
    """Change of recall within both clusters.

    For each record it has the sign of delta_recall and is at least as far from 0.
    """
    return s.mean((s.bt - s.at, _near(s)))


@_closed(
    title="Closed gain of recall",
    formula="mean of max(w(M∩T) − w(S∩T), 0) / w(T′)",
    mirror="loss_recall_closed",
)
def gain_recall_closed(s: DiffSizes) -> Number:
    """Gain of recall: delta_recall is at most this.

    It is the mean of the positive values of delta_recall_closed.
    """
    return s.mean((np.maximum(s.bt - s.at, 0), _near(s)))


@_closed(
    title="Closed loss of recall",
    formula="mean of max(w(S∩T) − w(M∩T), 0) / w(T′)",
    mirror="gain_recall_closed",
)
def loss_recall_closed(s: DiffSizes) -> Number:
    """Loss of recall: delta_recall is at least −this.

    It is the mean of the negative values of delta_recall_closed, without their sign.
    """
    return s.mean((np.maximum(s.at - s.bt, 0), _near(s)))


@_quality(title="Improvement", formula="mean of D(U, T) − D(V, T)")
def improvement(s: DiffSizes) -> Number:
    """How much nearer to the entity (Jaccard distance)."""
    return s.mean((s.bt, s.b + s.c - s.bt), (-s.at, s.a + s.c - s.at))


@_closed(title="Closed improvement", formula="mean of D(U, T′) − D(V, T′)", range=(-1, 1), mirror=None)
def improvement_closed(s: DiffSizes) -> Number:
    """Improvement within both clusters."""
    return s.mean((s.bt, s.b + s.at - s.n), (-s.at, s.a + s.bt - s.n))


@_quality(title="Improvement quotient", formula="improvement / jaccard_distance", tight=True)
def iq(s: DiffSizes) -> Number:
    """Improvement per unit of change, from −1 to 1.

    −1 if every change is wrong, 1 if every change is right.
    """
    return improvement.compute(s) / jaccard_distance.compute(s)


@_closed(
    title="Closed improvement quotient",
    formula="improvement_closed / jaccard_distance",
    range=(-1, 1),
    mirror=None,
    tight=True,
)
def iq_closed(s: DiffSizes) -> Number:
    """Closed improvement per unit of change.

    It can differ in sign from iq where entities reach beyond both runs.
    """
    return improvement_closed.compute(s) / jaccard_distance.compute(s)


@_declared(
    title="Recall ratio",
    formula="true pairs after / true pairs before",
    cite="this library: the ratio of the recalls of pairs",
    range=(0, math.inf),
    perfect=1,
    undefined=1,
    mirror=None,
    tight=True,
)
def recall_ratio(s: DiffSizes) -> Number:
    """True pairs after the change over those before.

    It is infinite if there are true pairs only after.
    """
    after, before = s.true_pairs(s.bt), s.true_pairs(s.at)
    return math.inf if after and not before else after / before
