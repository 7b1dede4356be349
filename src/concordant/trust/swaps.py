"""Approximate randomisation: whole units swap systems, and how often the difference is then as large.

Where no cluster lies in two units, what a unit adds to the counts does not depend on the others, and its two
versions can be exchanged. Inside of a unit the labels of two systems have nothing to do with each other.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from concordant.catalogue.index import Index
from concordant.counts.pairs import PairProfile, Pairs
from concordant.counts.profile import Profile
from concordant.errors import InputError, ParameterError
from concordant.trust.jackknife import Units
from concordant.trust.left_out import can_leave_out

UnitCounts = NDArray[np.int64]  # what each unit adds to each count: one row a unit
Value = Callable[[list[int]], float]  # of the counts of all units together
_CHUNK = 512
# A float that misses the observed difference by no more than this reaches it.
_ROUNDING = 1e-12


def swapped_share(
    profiles: tuple[Profile, Profile], units: tuple[Units, Units], index: Index, swaps: int, seed: int
) -> float:
    """p = (1 + as large a difference) / (1 + swaps)."""
    for profile, own in zip(profiles, units, strict=True):
        _check_within(profile, own)
    if index.views == (Pairs,):
        value, first, second = _of_pairs(profiles, units, index)
    elif can_leave_out(index):
        value, first, second = _of_triples(profiles, units, index)
    else:
        raise ParameterError(
            f"{index.name} is more than sums over units, so that units cannot be swapped; use "
            "method='jackknife'"
        )
    one, both = first.sum(axis=0), (first + second).sum(axis=0)
    observed = abs(value(one.tolist()) - value((both - one).tolist()))
    random = np.random.default_rng(seed)
    reached = 0
    for start in range(0, swaps, _CHUNK):
        chosen = random.random((min(_CHUNK, swaps - start), len(first))) < 0.5
        mixed = one + chosen.astype(np.int64) @ (second - first)
        for here, there in zip(mixed.tolist(), (both - mixed).tolist(), strict=True):
            reached += abs(value(here) - value(there)) >= observed - _ROUNDING
    return (1 + reached) / (1 + swaps)


def _check_within(profile: Profile, units: Units) -> None:
    table = profile.table
    for clusters in (table.row[units.cell], table.column[units.cell]):
        pairs = np.unique(units.unit * (int(clusters.max(initial=0)) + 1) + clusters)
        if len(pairs) > int(clusters.max(initial=-1)) + 1:
            raise InputError(
                "a cluster lies in several units, so that units cannot be swapped: its parts would come from "
                "both systems; the jackknife takes such units, swaps take those that hold whole clusters"
            )


def _of_pairs(
    profiles: tuple[Profile, Profile], units: tuple[Units, Units], index: Index
) -> tuple[Value, UnitCounts, UnitCounts]:
    """N₁₁ and the pairs together on each side."""
    first, second = (_pairs_of_units(profile, of) for profile, of in zip(profiles, units, strict=True))
    size = profiles[0].size
    every = size * (size - 1) // 2

    def value(counts: list[int]) -> float:
        n11, u, v = counts
        return index.value(PairProfile(Pairs(n11, u - n11, v - n11, every - u - v + n11, size)))

    return value, first, second


def _pairs_of_units(profile: Profile, units: Units) -> UnitCounts:
    table = profile.table
    unit = _unit_of_cells(profile, units)
    of_row, of_column = (np.zeros(len(s), dtype=np.int64) for s in (table.row_sizes, table.column_sizes))
    of_row[table.row], of_column[table.column] = unit, unit
    pairs = np.zeros((units.count, 3), dtype=np.int64)
    sides = (table.n, unit), (table.row_sizes, of_row), (table.column_sizes, of_column)
    for place, (sizes, where) in enumerate(sides):
        np.add.at(pairs[:, place], where, sizes * (sizes - 1) // 2)
    return pairs


def _unit_of_cells(profile: Profile, units: Units) -> NDArray[np.int64]:
    unit = np.zeros(len(profile.table), dtype=np.int64)
    unit[units.cell] = units.unit
    return unit


def _of_triples(
    profiles: tuple[Profile, Profile], units: tuple[Units, Units], index: Index
) -> tuple[Value, UnitCounts, UnitCounts]:
    """How many cells of each triple."""
    tables = [profile.table for profile in profiles]
    every = np.concatenate([np.stack([t.n, t.a, t.b], axis=1) for t in tables])
    triples, kind = np.unique(every, axis=0, return_inverse=True)
    kinds = np.split(np.asarray(kind).ravel(), [len(tables[0])])
    made = []
    for profile, of, own in zip(profiles, units, kinds, strict=True):
        cells = np.zeros((of.count, len(triples)), dtype=np.int64)
        np.add.at(cells, (_unit_of_cells(profile, of), own), 1)
        made.append(cells)
    n, a, b = triples.T
    size = profiles[0].size

    def value(counts: list[int]) -> float:
        count = np.array(counts, dtype=np.int64)
        met = count > 0
        return index.value(Profile(n[met], a[met], b[met], count[met], size=size))

    return value, made[0], made[1]
