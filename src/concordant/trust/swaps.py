"""Swaps of whole units, such as documents, between two systems: exact tests of a difference.

If it did not matter which system the clusters of a unit are from, each choice of one system per unit would be
as likely as any other. The p-value is the share of these choices whose difference is as large as observed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from concordant.catalogue.index import Index
from concordant.counts.arithmetic import Floats
from concordant.counts.elements import Elements
from concordant.counts.information import Information
from concordant.counts.pairs import Crossings, Pairs, Trios, ViewCounts
from concordant.counts.profile import Profile
from concordant.counts.three_way import Units
from concordant.errors import InputError, ParameterError
from concordant.views.random_models import PairModels

# Up to so many units, all 2^m swaps are made.
MOST_EXACT = 16
_CHUNK = 512
# A float that misses the observed difference by no more than this reaches it.
_ROUNDING = 1e-12

UnitCounts = NDArray[np.int64]  # what each unit adds to each count: one row a unit
Value = Callable[[list[int]], float]  # of the counts of all units together


def swap_p(
    profiles: tuple[Profile, Profile], units: tuple[Units, Units], index: Index, swaps: int, seed: int
) -> tuple[float, int, bool]:
    """The p-value of no difference, the number of swaps, and whether these are all there are.

    Units in which both systems have the same counts do not matter. Of the others, all choices are made if
    there are few; else p = (1 + as large a difference) / (1 + swaps).
    """
    value, first, second = _counts_of_units(profiles, units, index)
    differs = (first != second).any(axis=1)
    if not differs.any():
        return 1.0, 1, True
    one, both = first.sum(axis=0), (first + second).sum(axis=0)
    change = (second - first)[differs]
    number = len(change)
    observed = abs(value(one.tolist()) - value((both - one).tolist())) * (1 - _ROUNDING) - _ROUNDING
    is_exact = number <= MOST_EXACT
    # With all choices, each has a mirror image of the same size: one system of the last unit may stay.
    chosen = all_choices(number - 1) if is_exact else random_choices(number, swaps, seed)
    moving = change[: number - 1] if is_exact else change
    reached = 0
    for choices in chosen:
        mixed = one + choices.astype(np.int64) @ moving
        for here, there in zip(mixed.tolist(), (both - mixed).tolist(), strict=True):
            reached += abs(value(here) - value(there)) >= observed
    if is_exact:
        return reached / 2 ** (number - 1), 2**number, True
    return max((1 + reached) / (1 + swaps), least_p(number)), swaps, False


def max_t(pseudo: Floats, swaps: int, seed: int) -> list[float]:
    """Familywise p-values of several systems by the largest statistic (Westfall & Young 1993).

    ``pseudo`` has a row per system and a column per unit: the jackknife pseudo-values of its difference.
    Their signs are changed for the same units in all systems, which keeps how the systems vary together. The
    statistic is |mean| / standard error, computed again for each choice of signs.

    >>> max_t(np.array([[1.0, 2.0, 1.0, 2.0], [1.0, -1.0, 1.0, -1.0]]), 99, 0)
    [0.25, 1.0]
    """
    pseudo = np.asarray(pseudo, dtype=np.float64)
    number = pseudo.shape[1]
    squares = (pseudo**2).sum(axis=1)
    observed = _statistics(np.ones((1, number)), pseudo, squares)[0]
    limits = observed * (1 - _ROUNDING)
    is_exact = number <= MOST_EXACT
    reached = np.zeros(len(pseudo), dtype=np.int64)
    for choices in all_choices(number - 1) if is_exact else random_choices(number, swaps, seed):
        signs = np.where(choices, -1.0, 1.0)
        if is_exact:
            signs = np.column_stack([signs, np.ones(len(signs))])
        largest = _statistics(signs, pseudo, squares).max(axis=1)
        reached += (largest[:, None] >= limits).sum(axis=0)
    shares = reached / 2 ** (number - 1) if is_exact else (1 + reached) / (1 + swaps)
    found: list[float] = shares.tolist()
    return found


def least_p(differing: int) -> float:
    """The smallest two-sided p-value that so many units with a difference can support: 2^(1 − units).

    >>> least_p(0), least_p(1), least_p(6)
    (1.0, 1.0, 0.03125)
    """
    return 2.0 ** (1 - max(differing, 1))


def _statistics(signs: Floats, pseudo: Floats, squares: Floats) -> Floats:
    """|sum| / √Σ² of each system, for each choice of signs: it rises with |mean| / standard error."""
    sums = np.abs(signs @ pseudo.T)
    statistics: Floats = np.divide(sums, np.sqrt(squares), out=np.zeros_like(sums), where=squares > 0)
    return statistics


def all_choices(number: int) -> Iterator[NDArray[np.bool_]]:
    """Every choice among so many units, in chunks of rows.

    >>> np.concatenate(list(all_choices(2))).astype(int).tolist()
    [[0, 0], [1, 0], [0, 1], [1, 1]]
    """
    places = np.arange(number)
    for start in range(0, 2**number, _CHUNK):
        rows = np.arange(start, min(start + _CHUNK, 2**number))
        yield (rows[:, None] >> places & 1).astype(bool)


def random_choices(number: int, swaps: int, seed: int) -> Iterator[NDArray[np.bool_]]:
    """Random choices among so many units, in chunks of rows."""
    random = np.random.default_rng(seed)
    for start in range(0, swaps, _CHUNK):
        yield random.random((min(_CHUNK, swaps - start), number)) < 0.5


# -- what each unit adds ----------------------------------------------------------------------------------


def _is_of_sums(index: Index) -> bool:
    """Whether sums over overlaps and clusters determine the index."""
    return set(index.views) <= {Pairs, Trios, PairModels, Information, Elements, Crossings}


def can_swap(profiles: tuple[Profile, Profile], units: tuple[Units, Units], index: Index) -> bool:
    """Whether units hold whole clusters, and the index is a function of sums over them."""
    return _is_of_sums(index) and not _has_divided_cluster(profiles, units)


def _has_divided_cluster(profiles: tuple[Profile, Profile], units: tuple[Units, Units]) -> bool:
    for profile, own in zip(profiles, units, strict=True):
        table = profile.table
        for clusters in (table.row[own.cell], table.column[own.cell]):
            number = int(clusters.max(initial=-1)) + 1
            if len(np.unique(own.unit * number + clusters)) > number:
                return True
    return False


def _counts_of_units(
    profiles: tuple[Profile, Profile], units: tuple[Units, Units], index: Index
) -> tuple[Value, UnitCounts, UnitCounts]:
    """The counts that the index is a function of, unit by unit, for both systems."""
    if _has_divided_cluster(profiles, units):
        raise InputError(
            "a cluster has records in several units, so units cannot be swapped: its parts would be from "
            "both systems. The jackknife takes such units; swaps need units that hold whole clusters"
        )
    if index.views == (Pairs,):
        return _of_pairs(profiles, units, index)
    if _is_of_sums(index):
        return _of_triples(profiles, units, index)
    raise ParameterError(
        f"{index.name} is not a function of sums over units, so units cannot be swapped; use "
        "method='jackknife'"
    )


def _of_pairs(
    profiles: tuple[Profile, Profile], units: tuple[Units, Units], index: Index
) -> tuple[Value, UnitCounts, UnitCounts]:
    """N₁₁ and the pairs together on each side."""
    made = []
    for profile, own in zip(profiles, units, strict=True):
        table, unit = profile.table, _unit_of_cells(profile, own)
        of_row, of_column = (np.zeros(len(s), dtype=np.int64) for s in (table.row_sizes, table.column_sizes))
        of_row[table.row], of_column[table.column] = unit, unit
        pairs = np.zeros((own.count, 3), dtype=np.int64)
        sides = (table.n, unit), (table.row_sizes, of_row), (table.column_sizes, of_column)
        for place, (sizes, where) in enumerate(sides):
            np.add.at(pairs[:, place], where, sizes * (sizes - 1) // 2)
        made.append(pairs)
    size = profiles[0].size
    every = size * (size - 1) // 2

    def value(counts: list[int]) -> float:
        n11, u, v = counts
        return index.value(ViewCounts.of_pairs(Pairs(n11, u - n11, v - n11, every - u - v + n11, size)))

    return value, made[0], made[1]


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
