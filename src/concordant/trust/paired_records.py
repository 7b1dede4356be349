"""The spread of a difference if records were drawn one by one: both systems are left without each in turn.

Each family of indices has its own estimate of the value in the population, as for intervals.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from concordant.catalogue.index import Index
from concordant.counts.arithmetic import Floats
from concordant.counts.pairs import Pairs
from concordant.counts.profile import Profile
from concordant.errors import ParameterError
from concordant.trust.difference import PairedSpread
from concordant.trust.leave_one_out import LeftOut, can_leave_out
from concordant.trust.pair_intervals import moves_without, scaled_value, why_not_estimable, worst_and_gain
from concordant.trust.paired import PairedCounts

# A standard error below this is 0 but for rounding.
_ROUNDING = 1e-14


@dataclass(frozen=True, slots=True)
class SystemSample:
    """One system on a sample of records, on a scale whose best value is 1.

    moves         by how much the estimate changes without one record of each cell of the table
    worst         how much one unseen bad record would take off
    bias          by how much the estimate may be biased
    unseen_share  the share of records that the estimate does not cover
    refusal       why the sample does not determine the index; nothing if it does
    """

    estimate: float
    moves: Floats
    worst: float
    bias: float = 0.0
    unseen_share: float = 0.0
    refusal: str = ""


def spread_of_records(paired: PairedCounts, index: Index) -> tuple[PairedSpread | None, str]:
    """How far the difference may be off, or why the sample does not determine it."""
    cells, profiles = paired.cells, paired.profiles
    sample = _method_for(index)
    one, other = (sample(profile, index) for profile in profiles)
    for system, sample_of in (("the first system", one), ("the second system", other)):
        if sample_of.refusal:
            return None, sample_of.refusal.replace("the candidate", system)
    moves = one.moves[cells.cell_of_first] - other.moves[cells.cell_of_second]
    if not np.isfinite(moves).all():
        return None, "without one of the records the index is undefined"
    size, n = cells.size, np.asarray(cells.n, dtype=np.float64)
    mean = math.fsum((n * moves).tolist()) / size
    se = math.sqrt((size - 1) / size * math.fsum((n * (moves - mean) ** 2).tolist()))
    # A distance is 0 at best: its scale is turned round.
    top = index.bounds(size)[1]
    scale = -top if index.direction == "distance" else top
    spread = PairedSpread(
        estimate=scale * (one.estimate - other.estimate),
        se=top * se if se > _ROUNDING else 0.0,
        worst=top * max(one.worst, other.worst),
        loss=top * (1 - min(one.estimate, other.estimate)),
        degrees=size - 1,
        bias=top * max(one.bias, other.bias),
        unseen_share=max(one.unseen_share, other.unseen_share),
    )
    return spread, ""


def _method_for(index: Index) -> Callable[[Profile, Index], SystemSample]:
    """How an index is estimated from a sample; an error if no method is known to hold."""
    has_scale = index.direction != "statistic" and all(map(math.isfinite, index.bounds(10)))
    if index.views == (Pairs,) and has_scale:
        return _pair_sample
    if can_leave_out(index) and has_scale:
        return _left_out_sample
    raise ParameterError(
        f"no test of a difference of {index.name} is known to hold if records are drawn one by one; "
        "f_measure, adjusted_rand, bcubed_f and v_measure have one"
    )


def _pair_sample(profile: Profile, index: Index) -> SystemSample:
    pairs, table = profile.view(Pairs), profile.table
    refusal = why_not_estimable(index, pairs)
    if refusal:
        return SystemSample(math.nan, np.zeros(0), math.nan, refusal=refusal)
    triples, kind = np.unique(np.stack([table.n, table.a, table.b]), axis=1, return_inverse=True)
    moves = moves_without(profile, index, *triples)[np.asarray(kind).reshape(-1)]
    return SystemSample(float(scaled_value(index, pairs)), moves, worst_and_gain(profile, index)[0])


def _left_out_sample(profile: Profile, index: Index) -> SystemSample:
    left = LeftOut(profile, index)
    value, top = index.value(profile), index.bounds(profile.size)[1]
    moves = np.fromiter((index.value(rest, "nan") - value for rest in left), dtype=np.float64)
    sign = -1 if index.direction == "distance" else 1
    estimate = 1 - value / top if sign < 0 else value / top
    return SystemSample(estimate, sign / top * moves[left.kind_of_cells], 0.0)
