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
from concordant.foundation.spelling import counted, quoted
from concordant.labelling.design import Design
from concordant.maths.arithmetic import Floats
from concordant.sources.judged_pairs import DrawnPair, drawn_pairs


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
    if strata is not None and unit == "pair":
        drawn = replace(drawn, stratum=np.unique(_column(rows, "stratum", "strata"), return_inverse=True)[1])
    return sample, drawn


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
