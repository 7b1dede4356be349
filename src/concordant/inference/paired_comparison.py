"""The difference of two systems: each record is left out of both in turn, or the signs of units are flipped.

If records were drawn one by one, each family of indices has its own estimate of the value in the population,
as for intervals. B-cubed indices have none: their units are the components of the reference and both systems.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from concordant.counts.contingency import Contingency
from concordant.counts.pairs import PairCounts
from concordant.counts.profile import Profile
from concordant.errors import InputError, ParameterError, UndefinedError
from concordant.foundation.conventions import Undefined
from concordant.indices.index import Index
from concordant.inference.clustered_intervals import largest_unit, unit_shares
from concordant.inference.difference import (
    Difference,
    PairedSpread,
    check_margin,
    difference_by_flips,
    difference_of,
)
from concordant.inference.entropies import EntropySample, entropy_target, why_entropies_are_unknown
from concordant.inference.interval import pixel_warning, refuse_sizes
from concordant.inference.leave_one_out import jackknife_se
from concordant.inference.options import SampleOptions
from concordant.inference.pair_intervals import (
    moves_without,
    scaled_value,
    why_no_pair_interval,
    why_not_estimable,
    worst_and_gain,
)
from concordant.inference.paired import PairedCounts
from concordant.inference.record_mean_intervals import BCUBED
from concordant.inference.sign_flips import ENOUGH_UNITS
from concordant.maths.arithmetic import Floats, Integers

# A standard error below this is 0 except for rounding.
ROUNDING = 1e-14
# With fewer, tests of equal systems by corrected entropies reject too often.
_FEWEST_FOR_ENTROPIES = 100


@dataclass(frozen=True, slots=True)
class SystemSample:
    """One system on a sample of records, on a scale whose best value is 1.

    Attributes
    ----------
    estimate : float
        The estimate.
    moves : array of float
        Change of the estimate without one record of each cell.
    worst : float
        The loss from one unseen bad record.
    bias : float
        Largest bias of the estimate, and what a few unseen records add to the normal limits.
    note : str
        The quantity that is estimated, if it is not the value.
    refusal : str
        Why the sample does not determine the index; empty if it does.
    """

    estimate: float
    moves: Floats
    worst: float
    bias: float = 0.0
    note: str = ""
    refusal: str = ""


def spread_of_records(paired: PairedCounts, index: Index) -> tuple[PairedSpread | None, str]:
    """How far the difference may be off, or why the sample does not determine it."""
    cells, profiles = paired.cells, paired.profiles
    sample = _method_for(index)
    one, other = (sample(profile, index) for profile in profiles)
    for system, each in (("the first system", one), ("the second system", other)):
        if each.refusal:
            return None, each.refusal.replace("the candidate", system)
    moves = one.moves[cells.cell_of_first] - other.moves[cells.cell_of_second]
    if not np.isfinite(moves).all():
        return None, "without one of the records the index is undefined"
    size, n = cells.size, np.asarray(cells.n, dtype=np.float64)
    top, se = index.bounds(size)[1], jackknife_se(moves, n)
    scale = -top if index.direction == "distance" else top  # a distance is 0 at best
    spread = PairedSpread(
        estimate=scale * (one.estimate - other.estimate),
        se=top * se if se > ROUNDING else 0.0,
        worst=top * max(one.worst, other.worst),
        degrees=size - 1,
        bias=top * max(one.bias, other.bias),
        note=one.note,
    )
    return spread, ""


def _method_for(index: Index) -> Callable[[Profile, Index], SystemSample]:
    """How an index is estimated from a sample; an error if no method is known to be valid."""
    reason = why_no_pair_interval(index)
    if not reason:
        return _pair_sample
    if entropy_target(index) is not None:
        return _entropy_sample
    raise ParameterError(
        f"no test of a difference of {index.name} is known to be valid if records are drawn one by one: "
        f"{reason}; f_measure, adjusted_rand, bcubed_f and v_measure have one"
    )


def _refused(reason: str) -> SystemSample:
    return SystemSample(math.nan, np.zeros(0), math.nan, refusal=reason)


def _pair_sample(profile: Profile, index: Index) -> SystemSample:
    pairs, table = profile.view(PairCounts), profile.table
    refusal = why_not_estimable(index, pairs)
    if refusal:
        return _refused(refusal)
    triples, kind = _triples_of_cells(table)
    moves = moves_without(profile, index, *triples)[kind]
    return SystemSample(float(scaled_value(index, pairs)), moves, worst_and_gain(profile, index)[0])


def _triples_of_cells(table: Contingency) -> tuple[Integers, Integers]:
    """The different triples (n, a, b), in the order of a profile, and that of each cell."""
    triples, kind = np.unique(np.stack([table.a, table.b, table.n]), axis=1, return_inverse=True)
    return triples[[2, 0, 1]], np.asarray(kind).reshape(-1)


def _entropy_sample(profile: Profile, index: Index) -> SystemSample:
    """By entropies corrected for unseen overlaps; the two corrections differ by the possible bias."""
    target, size = entropy_target(index), profile.size
    assert target is not None  # checked by the caller
    if size < _FEWEST_FOR_ENTROPIES:
        return _refused(
            f"differences of entropies are biased below {_FEWEST_FOR_ENTROPIES} records, and there are {size}"
        )
    refusal = why_entropies_are_unknown(profile)
    if refusal:
        return _refused(refusal)
    sample, top = EntropySample(profile, target, 0.95), target.bounds(size)[1]
    sign = -1 if target.direction == "distance" else 1
    estimate = sample.corrected / top
    moves = sign * sample.corrected_changes[_triples_of_cells(profile.table)[1]] / (top * (size - 1))
    note = "entropies corrected for unseen overlaps"
    if target is not index:
        note = f"the difference of {target.name}, which {index.name} approaches; {note}"
    # Few unseen overlaps vary as Poisson numbers do, whose upper limit is two events above the normal one.
    bias = (sample.gap + 2 * sample.worst) / top
    return SystemSample(
        estimate if sign > 0 else 1 - estimate, moves, sample.worst / top, bias=bias, note=note
    )


PIXELS = pixel_warning("the interval is too short, and p is too small")


def versus(
    paired: PairedCounts, index: Index, sample: SampleOptions, undefined: Undefined = "convention"
) -> Difference:
    """By how much the first system scores higher than the second."""
    unit, margin = sample.unit, sample.margin
    check_margin(index, margin)
    by_record = sample.is_by_record
    if by_record:
        refuse_sizes(sample, "records have no sizes; name the unit of each record")
    profiles = paired.profiles
    if profiles[0].size < 2:
        raise InputError("a difference needs at least 2 records")
    values = index.value(profiles[0], undefined), index.value(profiles[1], undefined)
    if not all(map(math.isfinite, values)):
        raise UndefinedError(f"{index.name} is not defined for these partitions: there is no difference")
    low, high = index.bounds(profiles[0].size)
    # Records of one component are not independent, so B-cubed indices take components as units.
    by_component = by_record and (index.declared or index).name in BCUBED
    if by_record and not by_component:
        spread, refusal = spread_of_records(paired, index)
        if spread is not None and paired.are_pixels:
            spread = replace(spread, note="; ".join(filter(None, [spread.note, PIXELS])))
        return difference_of(
            index,
            values,
            spread,
            refusal=refusal,
            span=high - low,
            confidence=sample.confidence,
            margin=margin,
            unit="record",
            n_units=profiles[0].size,
            method="jackknife",
        )
    pieces = paired.components() if by_component else paired.pieces(unit)
    if pieces.count < 2 and not by_component:
        raise InputError("all records are in one unit: how units vary cannot be determined from one")
    fields: dict[str, Any] = {"unit": "component" if by_component else "unit", "n_units": pieces.count}
    own, sizes = paired.in_tables(pieces), sample.unit_sizes
    shares, refusal = unit_shares(paired.profiles, index, own, fields["unit"], sizes)
    if not by_component:
        fields["largest_unit"] = largest_unit(own[0]) if sizes is None else int(sizes.max())
    fewest = ENOUGH_UNITS if by_component else 0
    return difference_by_flips(
        index, values, shares, sample, refusal=refusal, fewest=fewest, span=high - low, **fields
    )
