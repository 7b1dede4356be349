"""Samples of pairs of records that people judged: the same entity or not."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from concordant import engines
from concordant.clusterings.labels import PartitionData
from concordant.clusterings.partition_data import partition_of_mapping
from concordant.counts.sampled import SampledPairs
from concordant.errors import InputError, ParameterError, few
from concordant.foundation.conventions import Conventions
from concordant.foundation.spelling import counted, part_of, percent, quoted
from concordant.inference.bounds import ends, gamma_ends
from concordant.labelling.design import Design
from concordant.maths.arithmetic import Floats
from concordant.maths.tails import normal_quantile, student_quantile
from concordant.sources.judged_pairs import DrawnPair, drawn_pairs

# A sample lacks some of the merged pairs if an interval of this level excludes their known number.
_SURE = 0.999
_AUDIT = "an audit draws from all merged pairs"


def sampled_pairs(
    source: Any,
    candidate: PartitionData,
    *,
    sampling_weights: Any,
    strata: Mapping[Any, int] | None,
    unit: str,
) -> tuple[SampledPairs, Design]:
    """The labelled pairs with the clusters of a candidate, and how they were drawn."""
    rows = drawn_pairs(source)
    if len(rows) < 2:
        raise InputError("one labelled pair does not show how pairs vary: label at least 2 of them")
    records = list(dict.fromkeys(record for row in rows for record in row.pair))
    number: dict[Hashable, Hashable] = {record: place for place, record in enumerate(records)}
    alone = partition_of_mapping(number, Conventions(), "the pairs")
    cells = engines.count_sample(alone, candidate, from_text=True)
    cluster = dict(zip((records[place] for place in cells.clusters), cells.column.tolist(), strict=True))
    weights, left, words = _drawn(rows, sampling_weights, strata)
    units = range(len(rows)) if unit == "pair" else _column(rows, unit, "unit")
    names = {name: place for place, name in enumerate(dict.fromkeys(units))}
    of_unit = np.array([names[name] for name in units], dtype=np.int64)
    if len(names) < 2:
        raise InputError(f"all pairs are of one {unit}, which does not show how they vary; label two or more")
    shares = np.array([row.shares for row in rows])
    sample = SampledPairs(
        [row.pair for row in rows],
        shares[:, 0],
        (shares[:, 1], shares[:, 2]),
        np.array([cluster[one] == cluster[other] for one, other in (row.pair for row in rows)]),
        weights,
        of_unit,
        cells.size,
        len(records),
        cells.columns,
    )
    ones = np.ones(len(names))
    if unit != "pair":
        words, left = f"{words}, by {unit}", ones
    every = cells.size * (cells.size - 1) // 2
    drawn = Design(ones, ones, left, words, "pairs", max(every, len(rows)), has_weights=True)
    own = None if strata is None else _column(rows, "stratum", "strata")
    if own is not None and unit == "pair":
        drawn = replace(drawn, stratum=np.unique(own, return_inverse=True)[1])
    merged = sum(many * (size * (size - 1) // 2) for size, many in cells.candidate_sizes.items())
    seen = {frozenset(pair) for pair, together in zip(sample.pairs, sample.together, strict=True) if together}
    if own is not None and strata is not None:
        sizes = {str(name): int(size) for name, size in strata.items()}
        mixed = {name for name, together in zip(own, sample.together, strict=True) if not together}
        of_merged = sum(size for name, size in sizes.items() if name not in mixed)
        part, note = _within(sample, drawn, sum(sizes.values()), (every, merged), "of the strata")
        return sample, replace(drawn, part=part, note=note, has_merged=merged in (of_merged, len(seen)))
    if sampling_weights is not None and weights.min() >= 1:
        total = _represented(weights, every)
        part, note = _within(sample, drawn, total, (every, merged), "that the weights represent")
    else:
        part, note = _not_from_all(sample, drawn, (every, merged))
    return sample, replace(drawn, part=part, note=note, has_merged=merged == len(seen))


def _represented(weights: Floats, every: int) -> int:
    """The number of pairs that inverse probabilities represent; that of all pairs if it may be as large."""
    largest = float(weights.max())
    if largest >= every:
        return every
    total, spread = float(weights.sum()), float((weights * (weights - 1)).sum())
    most = gamma_ends(total, spread, largest, _SURE)[1] if spread else total
    return every if most >= every else round(total)


def _within(
    sample: SampledPairs, drawn: Design, total: int, known: tuple[int, int], what: str
) -> tuple[str, str]:
    """The pairs that a design represents and the merged pairs that it leaves out; empty if it has all.

    ``known`` are the numbers of all pairs, and of all merged pairs.
    """
    every, merged = known
    if total >= every:
        return "", ""
    inside = sample.sums(sample.together)
    spread = len(inside) * math.sqrt(drawn.covariance(*[inside - inside.mean()] * 2))
    unseen = float((sample.weights * ~sample.together).max())
    outside = max(merged - float(inside.sum()), merged - total)
    is_certain = merged > total or outside > max(normal_quantile(_SURE) * spread + unseen, 0.5)
    of_merged = f"about {part_of(round(outside), merged, 'merged pair', 'are')} outside" if is_certain else ""
    note = f"{total:,} of {counted(every, 'pair')} could be drawn; {of_merged or 'others were not judged'}"
    return f"the {counted(total, 'pair')} {what}", f"{note}: {_AUDIT}"


def _not_from_all(sample: SampledPairs, drawn: Design, known: tuple[int, int]) -> tuple[str, str]:
    """The same for pairs that should be drawn from all: empty unless far too many or few are merged."""
    every, merged = known
    together, weight = sample.sums(sample.together), sample.sums(1)
    ratio, mean = float(together.sum() / weight.sum()), float(weight.mean())
    moves, unseen = (together - ratio * weight) / mean, float(weight.max() / weight.sum())
    low, high = ends(
        ratio,
        math.sqrt(max(drawn.covariance(moves, moves), 0.0)),
        quantile=student_quantile(_SURE, max(drawn.effective(weight / mean) - 1, 1.0)),
        confidence=_SURE,
        worst=ratio * unseen / (1 + unseen),
        gain=(1 - ratio) * unseen / (1 + unseen),
        always=True,
    )
    if low <= merged / every <= high:
        return "", ""
    shares = percent(ratio, 1), percent(merged, every)
    note = f"{shares[0]} of the drawn pairs are merged, and {shares[1]} of all: not all pairs could be drawn"
    return "the pairs that could be drawn", f"{note}; {_AUDIT}"


def _drawn(
    rows: Sequence[DrawnPair], sampling_weights: Any, strata: Mapping[Any, int] | None
) -> tuple[Floats, Floats, str]:
    """The weight of each pair, the share of its variance that the design leaves, and the design in words."""
    ones = np.ones(len(rows))
    if sampling_weights is not None and strata is not None:
        raise ParameterError("strata determine the weights; leave one of both out", given={"strata": ...})
    if sampling_weights is not None:
        texts = _column(rows, sampling_weights, "sampling_weights")
        weights = np.array([_positive(text, sampling_weights) for text in texts])
        # Inverse probabilities show how much is left to chance; other weights only compare pairs.
        left = 1 - 1 / weights if weights.min() >= 1 else ones
        return weights, left, "pairs drawn with the given weights"
    if strata is None:
        return ones, ones, "pairs drawn uniformly"
    if not isinstance(strata, Mapping):
        raise ParameterError(
            "give the number of pairs of each stratum, as in {'high': 1200}", given={"strata": ...}
        )
    sizes = {str(name): size for name, size in strata.items()}
    own = _column(rows, "stratum", "strata")
    labelled = Counter(own)
    if unknown := [name for name in labelled if name not in sizes]:
        raise InputError(f"strata= has no size for the strata of some pairs: {few(unknown)}")
    if without := [name for name in sizes if not labelled[name]]:
        raise InputError(
            f"no labelled pair is of the strata {few(without)}; label some pairs of each stratum"
        )
    for name, size in sizes.items():
        if isinstance(size, bool) or not isinstance(size, int | np.integer) or size < labelled[name]:
            raise ParameterError(
                f"the stratum {quoted(name)} has {counted(labelled[name], 'labelled pair')} and the size "
                f"{size!r}; give the number of all its pairs",
                given={"strata": ...},
            )
    weights = np.array([int(sizes[name]) / labelled[name] for name in own])
    return weights, 1 - 1 / weights, f"pairs drawn by stratum, {len(sizes):,} in all"


def _column(rows: Sequence[DrawnPair], name: Any, option: str) -> list[str]:
    """A column of the pairs, by its name."""
    if not isinstance(name, str) or name not in rows[0].columns:
        there = ", ".join(map(repr, rows[0].columns)) or "no other columns"
        raise ParameterError(
            f"name a column of the pairs; beside the records and answers, they have {there}",
            given={option: name if isinstance(name, str) else ...},
        )
    return [row.columns[name] for row in rows]


def _positive(text: str, column: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not 0 < number < math.inf:
        raise InputError(f"the column {column!r} of the pairs has {text!r}; use positive numbers")
    return number
