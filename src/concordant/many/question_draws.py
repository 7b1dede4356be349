"""The pairs of records that questions are about, drawn from the cells of two runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from concordant import core
from concordant.clusterings.record_names import RecordNames
from concordant.counts.arithmetic import Integers, sums_by
from concordant.counts.counted import Counted
from concordant.counts.spelling import counted, printable
from concordant.counts.weighted_counts import WeightedCounts
from concordant.differences.cell_members import CellMembers
from concordant.differences.diff_lists import shares_of_change
from concordant.errors import InputError, ParameterError
from concordant.trust.judged_rates import JudgedShare, Limits, mean_limits, rate_limits
from concordant.trust.pair_draws import (
    LEAST_QUESTIONS,
    DrawnCells,
    RunCells,
    SlicePart,
    Stratum,
    allocate,
    look_at_clusters,
    merge_strata,
    precision_strata,
    recall_strata,
)
from concordant.trust.slice_cells import SliceCells

Goal = Literal["precision", "recall", "iq", "components"]
GOALS: tuple[Goal, ...] = get_args(Goal)
# Questions of an audit, which are about the merges of one clustering.
AnyGoal = Goal | Literal["merges"]
_MOST = 20  # members to ask about, of each part of a record's clusters

RecordPlace = tuple[int, int]  # a cell and a rank in it
# Finds the records of drawn cells of some kinds, and the place of each cell among them.
Locate = Callable[[Integers, DrawnCells, np.random.Generator], tuple[CellMembers, NDArray[np.int64]]]
Uses = dict[tuple[RecordPlace, RecordPlace], list[tuple[str, float]]]
Drawn = tuple[dict[str, dict[str, Any]], Uses, list[float], CellMembers]


def draw_questions(
    runs: Counted,
    number: int,
    goal: AnyGoal,
    rng: np.random.Generator,
    *,
    spread: Callable[[str], float] | None,
    slices: SliceCells | None,
) -> Drawn:
    """``number`` questions: their strata, the pairs, the diagonal of the whole or of each slice, the records.

    ``spread`` is the standard deviation of an answer of each stratum, if a pilot showed it.
    """
    cells = [run_cells(runs, goal)] if slices is None else _sliced_cells(runs, slices, goal)
    if not any(each.distance.any() for each in cells):
        what = "cluster has two records" if goal == "merges" else "cluster changed"
        raise InputError(f"no {what}, so there is nothing to ask")
    locate = partial(_locate, runs, None if slices is None else slices.of_record)
    if goal == "iq":
        return _draw_records(cells[0], locate, number, rng)
    return _draw_pairs(cells, locate, number, goal, rng, spread=spread, are_slices=slices is not None)


def run_cells(runs: Counted, goal: AnyGoal) -> RunCells:
    """The cells to draw from, by their sizes; only recall also needs clusters that did not change."""
    counts, only_changed = runs.counts, goal != "recall"
    if _records_at_hand(runs) is not None:
        profile = counts.partitions
        sizes = profile.n, profile.a, profile.b
        return RunCells(sizes, sizes, profile.count, profile.n, only_changed=only_changed)
    records = weights = counts.table
    squares = records.n
    if isinstance(counts, WeightedCounts):
        weights, squares = counts.weights.table, counts.cell_squares
    by_weight, by_record = ((each.n, each.a, each.b) for each in (weights, records))
    return RunCells(by_weight, by_record, np.ones_like(records.n), squares, only_changed=only_changed)


def _sliced_cells(runs: Counted, slices: SliceCells, goal: AnyGoal) -> list[RunCells]:
    """For each slice, the parts of the cells that belong to it."""
    records = runs.counts.table
    before = np.cumsum(slices.records) - slices.records
    begin = before - before[np.searchsorted(slices.cell, slices.cell)]
    found = []
    for number in range(len(slices.labels)):
        own = np.flatnonzero(slices.slice == number)
        cell = slices.cell[own]
        part = SlicePart(cell, slices.weight[own], slices.records[own], begin[own], slices.total)
        by_weight, by_record = (
            (each.n[cell], each.a[cell], each.b[cell]) for each in (slices.table, records)
        )
        ones = np.ones(len(cell), dtype=np.int64)
        changed = goal != "recall"
        cells = RunCells(by_weight, by_record, ones, slices.squares[own], only_changed=changed, part=part)
        found.append(cells)
    return found


def _records_at_hand(runs: Counted) -> RecordNames | None:
    """The records, if all are in memory and weigh the same."""
    has_weights = isinstance(runs.counts, WeightedCounts)
    return runs.names if isinstance(runs.names, RecordNames) and not has_weights else None


def _locate(
    runs: Counted, slices: Integers | None, kind: Integers, drawn: DrawnCells, rng: np.random.Generator
) -> tuple[CellMembers, NDArray[np.int64]]:
    """The records of drawn cells of some kinds, and the place of each cell among them.

    ``slices`` is the slice of each record, if pairs are drawn by slice.
    """
    counts = runs.counts
    records = _records_at_hand(runs)
    if records is None or slices is not None:  # then each cell is a kind of its own
        if isinstance(counts, WeightedCounts) or slices is not None:
            return CellMembers.in_memory(counts, runs.names, slices), kind
        return CellMembers.in_sources(counts.table, counts.size, runs.names), kind
    distinct, which = np.unique(np.stack([kind, drawn.number], axis=1), axis=0, return_inverse=True)
    which = which.reshape(-1)
    rows, columns = (np.zeros(len(distinct), dtype=bool) for _ in range(2))
    rows[which[drawn.rows]] = columns[which[drawn.columns]] = True
    kinds, number = np.unique(distinct[:, 0], return_counts=True)
    profile = counts.partitions
    sizes = np.stack([profile.n[kinds], profile.a[kinds], profile.b[kinds], number], axis=1).astype(np.int64)
    table, positions, places = records.draw_cells(sizes, rows, columns, int(rng.integers(2**63)))
    return CellMembers.near(table, positions, counts.size, runs.names), places[which]


def _pair(one: RecordPlace, other: RecordPlace) -> tuple[RecordPlace, RecordPlace]:
    return (one, other) if one <= other else (other, one)


def _draw_pairs(
    cells: Sequence[RunCells],
    locate: Locate,
    number: int,
    goal: AnyGoal,
    rng: np.random.Generator,
    *,
    spread: Callable[[str], float] | None,
    are_slices: bool,
) -> Drawn:
    """Pairs of the whole, or as many of each slice, so the intervals of a slice do not depend on its size."""
    prefixes = [f"{place} " for place in range(len(cells))] if are_slices else [""]
    parts: list[list[Stratum]] = []
    diagonals = []
    for each, prefix in zip(cells, prefixes, strict=True):
        if goal == "merges":
            part, diagonal = merge_strata(each)
        else:
            of_recall = goal == "recall"
            part, diagonal = (
                (recall_strata(each, prefix), 0.0) if of_recall else precision_strata(each, prefix)
            )
        parts.append(part)
        diagonals.append(diagonal)
    wanted: dict[str, float] = {}
    for part in parts:
        own_spreads = {
            each.name: each.total * (spread(each.name) if spread else 1.0) if goal != "recall" else 1.0
            for each in part
        }
        whole = sum(own_spreads.values()) or 1.0
        wanted |= {name: value / whole for name, value in own_spreads.items()}
    strata = [each for part in parts for each in part]
    if not any(each.total > 0 for each in strata):
        raise InputError(
            "the records whose clusters changed have less than 1e-300 of the weight of all, so every rate "
            "rounds to 0; leave out the heavy records, or ask without weights"
        )
    _check_number(number, strata, len(cells) if are_slices else 0)
    if goal == "merges" and strata[0].pairs <= number:  # the other strata repeat these pairs
        number = sum(each.pairs for each in strata)
    numbers = allocate(strata, number, lambda each: wanted[each.name])
    design = {each.name: {"total": each.total, "draws": 0, "pairs": each.pairs} for each in strata}
    asked = [each for each in strata if numbers[each.name]]
    drawn = [each.draw(numbers[each.name], rng) for each in asked]
    kinds = [each.cells.number[chosen.kind] for each, chosen in zip(asked, drawn, strict=True)]
    members, places = locate(np.concatenate(kinds), DrawnCells.joined(drawn), rng)
    own_places = np.split(places, np.cumsum([len(each.kind) for each in drawn])[:-1])
    uses: Uses = {}
    for stratum, chosen, first in zip(asked, drawn, own_places, strict=True):
        count = numbers[stratum.name]
        pairs = stratum.draw_pairs(chosen, members, first, count, rng)
        design[stratum.name]["draws"] = 0 if pairs.exact else count
        # Draws are counted, so shares of answers are exact.
        weights = pairs.weights.tolist() if pairs.exact else [1] * count
        rows = zip(pairs.cells.tolist(), pairs.ranks.tolist(), weights, strict=True)
        for (cell, other_cell), (rank, other_rank), weight in rows:
            own = uses.setdefault(_pair((cell, rank), (other_cell, other_rank)), [])
            if own and own[-1][0] == stratum.name:  # drawn again: asked once, counts twice
                own[-1] = stratum.name, own[-1][1] + weight
            else:
                own.append((stratum.name, weight))
    return design, uses, diagonals, members


def _check_number(number: int, strata: Sequence[Stratum], slices: int) -> None:
    """Refuse fewer questions than each kind of pairs needs, in each slice if there are some."""
    least = LEAST_QUESTIONS if slices else 1
    needed = sum(min(least, each.pairs) for each in strata if each.total > 0)
    if number < needed and not slices:
        raise ParameterError(
            f"ask {counted(needed, 'question')} or more, as fewer show nothing about some kinds of pairs",
            given={"n_questions": number},
        )
    if number < needed:
        raise ParameterError(
            f"{counted(slices, 'slice')} need {counted(needed, 'question')}: {LEAST_QUESTIONS} for each kind "
            "of pairs in each slice; ask more, or use a column with fewer values",
            given={"n_questions": number},
        )


def _draw_records(cells: RunCells, locate: Locate, number: int, rng: np.random.Generator) -> Drawn:
    """Records, and the members of their clusters to compare each with; parts are named after the record."""
    drawn = cells.draw(cells.n * cells.distance, number, "row", rng)
    both = np.ones(number, dtype=bool)
    members, places = locate(cells.number[drawn.kind], replace(drawn, rows=both, columns=both), rng)
    ranks = members.draw(places, rng)
    uses: Uses = {}
    design: dict[str, dict[str, Any]] = {}
    change = float((cells.n * cells.distance * cells.count).sum())
    looked_at = look_at_clusters(members, places, ranks, _MOST, rng)
    rows = zip(drawn.kind.tolist(), places.tolist(), ranks.tolist(), looked_at, strict=True)
    for record, (kind, cell, rank, parts) in enumerate(rows):
        own = members.share(cell, rank)
        sizes = {"own": own, "kept": float(cells.n[kind]) - own}
        sizes |= {"split": float(cells.left_in_row[kind]), "merged": float(cells.left_in_column[kind])}
        design[str(record)] = {"sizes": sizes, "distance": float(cells.distance[kind]), "total": change}
        for part, (others, other_ranks, weights) in parts.items():
            for row in zip(others.tolist(), other_ranks.tolist(), weights.tolist(), strict=True):
                pair = _pair((cell, rank), (row[0], row[1]))
                uses.setdefault(pair, []).append((f"{record} {part}", row[2]))
    return design, uses, [0.0], members


MOST_RECORDS = 50  # of a component that a person can judge

RecordClusters = tuple[tuple[Any, ...], ...]


@dataclass(frozen=True, slots=True)
class DrawnComponents:
    """Components to ask about: the clusters of both runs, and how much each counts."""

    clusters: list[tuple[RecordClusters, RecordClusters]]  # before and after
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
    n, a, b = weights.n, weights.a, weights.b  # whole numbers of any size
    of_row, _ = core.blocks(*(np.ascontiguousarray(each) for each in (records.row, records.column)))
    component = of_row[records.row]
    count = int(component.max(initial=-1)) + 1
    mass = np.bincount(component, weights=shares_of_change(n, a + b - 2 * n, a + b - n), minlength=count)
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
        before, after = (tuple(map(tuple, side.values())) for side in sides[each])
        found.append((before, after))
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
    confidence: float,
) -> dict[str, Limits]:
    """The shares of the change in components that got better and worse, and their difference.

    ``uses`` has the side of the clusters after the change and the weight of each question, and ``given`` the
    answers of each judge: 1 for side a, -1 for side b. Components too large to judge may be better or worse.
    """
    answers = []
    for question, ((side, weight),) in uses.items():
        sign = 1 if side == "after a" else -1
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
        value, low, high = rate_limits([JudgedShare(1.0, value, low, high, draws)], confidence)
        rates[name] = covered * value, covered * low, covered * high + (1 - covered)

    ends = []
    for k, j in ((0, 0), (1, 2), (2, 1)):  # the value, then the worst and the best case
        net = [(weight, each["better_share"][k] - each["worse_share"][j]) for weight, each in answers]
        if draws:
            values = [x for weight, x in net for _ in range(int(weight))]
            found = mean_limits(values, confidence)
            ends.append((found[0], max(found[1], -1.0), min(found[2], 1.0)))
        else:
            ends.append((sum(weight * x for weight, x in net),) * 3)
    low, high = min(each[1] for each in ends), max(each[2] for each in ends)
    rates["net_share"] = covered * ends[0][0], covered * low - (1 - covered), covered * high + (1 - covered)
    return rates
