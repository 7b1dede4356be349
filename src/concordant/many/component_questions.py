"""Questions about whole connected components: which of two groupings of the same records is better?

Components are drawn by their part of the change. The share of answers then estimates the share of the
change, and its error is binomial whatever the sizes of the components.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant import core
from concordant.counts.arithmetic import sums_by
from concordant.counts.counted import Counted
from concordant.counts.spelling import printable
from concordant.counts.weighted_counts import WeightedCounts
from concordant.differences.cell_members import CellMembers
from concordant.errors import InputError
from concordant.trust.judged_rates import JudgedShare, Limits, mean_limits, rate_limits

MOST_RECORDS = 50  # of a component that a person can judge

RecordClusters = tuple[tuple[Any, ...], ...]


@dataclass(frozen=True, slots=True)
class DrawnComponents:
    """Components to ask about: the clusters of both runs, and how much each counts."""

    clusters: list[tuple[RecordClusters, RecordClusters]]  # of base and experiment
    weights: list[float]  # how often each was drawn, or its share of the change if all are asked
    covered: float  # the share of the change in components that are small enough to judge
    draws: int  # 0 if all are asked
    components: int


def draw_components(runs: Counted, number: int, rng: np.random.Generator) -> DrawnComponents:
    """``number`` components, drawn by their part of the change, or all if there are no more."""
    counts = runs.counts
    records = weights = counts.table
    if isinstance(counts, WeightedCounts):
        weights = counts.weights.table
    n, a, b = (np.asarray(each, dtype=np.float64) for each in (weights.n, weights.a, weights.b))
    of_row, _ = core.blocks(*(np.ascontiguousarray(each) for each in (records.row, records.column)))
    component = of_row[records.row]
    count = int(component.max(initial=-1)) + 1
    mass = np.bincount(component, weights=n * (a + b - 2 * n) / (a + b - n), minlength=count)
    small = np.flatnonzero((sums_by(component, records.n, count) <= MOST_RECORDS) & (mass > 0))
    if not mass.any():
        raise InputError("no cluster changed, so there is nothing to ask")
    if not len(small):
        raise InputError(
            f"every component that changed has more than {MOST_RECORDS} records, too many to judge as a "
            "whole; ask about pairs"
        )
    ends = np.cumsum(mass[small])
    if len(small) <= number:
        drawn, times, draws = small, (mass[small] / ends[-1]).tolist(), 0
    else:  # one from each of ``number`` equal parts of the change
        at = (np.arange(number) + rng.random(number)) / number * ends[-1]
        places = np.minimum(np.searchsorted(ends, at, side="right"), len(small) - 1)
        found, repeats = np.unique(places, return_counts=True)
        drawn, times, draws = small[found], repeats.tolist(), number
    clusters = _clusters_of(runs, component, drawn)
    covered = 1.0 if len(small) == np.count_nonzero(mass) else float(ends[-1] / mass.sum())
    return DrawnComponents(clusters, times, covered, draws, len(small))


def _clusters_of(
    runs: Counted, component: NDArray[np.int64], drawn: NDArray[np.int64]
) -> list[tuple[RecordClusters, RecordClusters]]:
    """The records of each component, by the clusters of both runs."""
    counts = runs.counts
    members = (
        CellMembers.in_memory(counts, runs.names)
        if runs.sources is None
        else CellMembers.in_sources(counts.table, counts.size, runs.names)
    )
    table = counts.table
    cells = np.flatnonzero(np.isin(component, drawn)).tolist()
    places = [(cell, rank) for cell in cells for rank in range(int(members.numbers[cell]))]
    sides: dict[int, tuple[dict[int, list[Any]], dict[int, list[Any]]]] = {}
    for (cell, _), record in zip(places, members.called(places), strict=True):
        own = sides.setdefault(int(component[cell]), ({}, {}))
        for side, cluster in zip(own, (table.row[cell], table.column[cell]), strict=True):
            side.setdefault(int(cluster), []).append(record)
    found = []
    for each in drawn.tolist():
        base, experiment = (tuple(map(tuple, side.values())) for side in sides[each])
        found.append((base, experiment))
    return found


def in_words(clusters: RecordClusters, values: Mapping[Any, Sequence[Any]]) -> tuple[str, ...]:
    """Each cluster as text, its records with their values to show; the order does not reveal the run."""
    described = [
        sorted(
            f"{printable(record)} ({', '.join(map(printable, shown))})"
            if (shown := [x for x in values.get(record, ()) if x is not None and x != ""])
            else printable(record)
            for record in cluster
        )
        for cluster in clusters
    ]
    return tuple(", ".join(cluster) for cluster in sorted(described))


def component_rates(
    uses: Mapping[str, Sequence[tuple[str, float]]],
    given: Mapping[str, Mapping[str, float | None]],
    covered: float,
    draws: int,
    level: float,
) -> dict[str, Limits]:
    """The shares of the change in components that got better and worse, and their difference.

    ``uses`` has the side of the experiment and the weight of each question, and ``given`` the answers of each
    judge: 1 for side a, -1 for side b. Components that are too large to judge may be better or worse.
    """
    answers = []
    for question, ((side, weight),) in uses.items():
        sign = 1 if side == "experiment a" else -1
        verdicts = [None if x is None else sign * x for x in given[question].values()]
        unsure, shares = verdicts.count(None), {}
        for name, verdict in (("better_share", 1), ("worse_share", -1)):
            known = verdicts.count(verdict)
            value = known / (len(verdicts) - unsure) if unsure < len(verdicts) else 0.0
            # The value, and its bounds with the unsure answers.
            shares[name] = value, known / len(verdicts), (known + unsure) / len(verdicts)
        answers.append((weight, shares))
    rates: dict[str, Limits] = {}
    for name in ("better_share", "worse_share"):
        sums = [sum(weight * each[name][k] for weight, each in answers) for k in range(3)]
        value, low, high = (round(x, 12) / draws if draws else min(x, 1.0) for x in sums)
        value, low, high = rate_limits([JudgedShare(1.0, value, low, high, draws)], level)
        rates[name] = covered * value, covered * low, covered * high + (1 - covered)

    ends = []
    for k, j in ((0, 0), (1, 2), (2, 1)):  # the value, then the worst and the best case
        net = [(weight, each["better_share"][k] - each["worse_share"][j]) for weight, each in answers]
        if draws:
            values = [x for weight, x in net for _ in range(int(weight))]
            ends.append(mean_limits(values, level, (-1.0, 1.0)))
        else:
            ends.append((sum(weight * x for weight, x in net),) * 3)
    low, high = min(each[1] for each in ends), max(each[2] for each in ends)
    rates["net_share"] = covered * ends[0][0], covered * low - (1 - covered), covered * high + (1 - covered)
    return rates
