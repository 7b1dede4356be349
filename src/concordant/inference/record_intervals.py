"""Intervals of records that were drawn one by one: the method for each index, and that of two halves."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from concordant.counts.assignment import Assignment, one_to_one
from concordant.counts.contingency import Contingency
from concordant.counts.element_centric import Elements
from concordant.counts.information import Information
from concordant.counts.overlaps import BestOverlaps, largest_in
from concordant.counts.profile import Profile
from concordant.errors import ParameterError, TooLargeError
from concordant.indices.index import Index
from concordant.inference.bounds import Ends, whole_range
from concordant.inference.entropies import entropy_interval, entropy_target
from concordant.inference.pair_intervals import pair_ends, why_no_pair_interval
from concordant.inference.record_mean_intervals import (
    BCUBED,
    ELEMENT_CENTRIC,
    bcubed_interval,
    element_centric_interval,
)
from concordant.maths.arithmetic import Integers
from concordant.maths.tails import clopper_pearson

_SMALL_CLUSTERS = 5
_SMALL = (
    "half of the reference's clusters have fewer than 5 records: the interval is for a population in which "
    "the same clusters have many; if clusters stay small, draw whole units, or estimate from a "
    "sample of clusters"
)
_CLOSEST = {
    Information: "v_measure or variation_of_information",
    Elements: "bcubed_f or element_centric",
    BestOverlaps: "purity or inverse_purity",
    Assignment: "matching_accuracy",
}
_MOST_RECORDS = 2**53  # that can be split at random


def has_interval(index: Index) -> bool:
    """Whether a method is known to be valid for records that were drawn one by one.

    >>> from concordant import INDICES
    >>> has_interval(INDICES["bcubed_f"]), has_interval(INDICES["mari"])
    (True, False)
    """
    return not why_no_pair_interval(index) or _method(index) is not None


def record_ends(profile: Profile, index: Index, confidence: float, seed: int) -> Ends:
    """The interval for records that were drawn one by one, by the method that is valid for the index.

    >>> from concordant import INDICES
    >>> profile = Profile.from_contingency([[40, 3], [2, 35]])
    >>> record_ends(profile, INDICES["purity"], confidence=0.95, seed=0).method
    'two random halves'
    """
    reason = why_no_pair_interval(index)
    if not reason:
        return pair_ends(profile, index, confidence)
    method = _method(index)
    if method is None:
        closest = (_CLOSEST[view] for view in index.views if view in _CLOSEST)
        raise ParameterError(
            f"there is no interval for {index.name}: {reason}, and no method is known to be valid; use "
            f"{next(closest, 'adjusted_rand or f_measure')}"
        )
    found = method(profile, confidence, seed)
    if not found.low < found.high:
        return whole_range(0.0, found.estimate, "no change of a single record would change the value")
    if found.estimable and _median_size(profile.row_sizes) < _SMALL_CLUSTERS:
        found = replace(found, note="; ".join(filter(None, (found.note, _SMALL))))
    return found


def _method(index: Index) -> Callable[[Profile, float, int], Ends] | None:
    """The method for an index that reads more than pair counts; None if no method is known to be valid."""
    name = (index.declared or index).name
    if entropy_target(index) is not None:
        return lambda profile, confidence, seed: entropy_interval(
            profile, index, confidence=confidence, seed=seed
        )
    if name in BCUBED:
        return lambda profile, confidence, _: bcubed_interval(profile, index, confidence=confidence)
    if name == ELEMENT_CENTRIC:
        return lambda profile, confidence, _: element_centric_interval(profile, confidence=confidence)
    if name in PARTNERS:
        return lambda profile, confidence, seed: halves_interval(
            profile, index, confidence=confidence, seed=seed
        )
    return None


def _median_size(sizes: dict[int, int]) -> int:
    """The median cluster size; the smaller one of two."""
    half, seen = sum(sizes.values()) / 2, 0
    for size in sorted(sizes):
        seen += sizes[size]
        if seen >= half:
            return size
    return 0


# -- two random halves --------------------------------------------------------------------------------------


def _one_to_one(table: Contingency, n: Integers) -> Integers:
    some = np.flatnonzero(n)
    return some[one_to_one(table.row[some], table.column[some], n[some])]


# Indices that choose a partner for each cluster: the cells of the partners, if cells have n records.
PARTNERS: dict[str, Callable[[Contingency, Integers], Integers]] = {
    "purity": lambda table, n: largest_in(table.column, n),
    "inverse_purity": lambda table, n: largest_in(table.row, n),
    "matching_accuracy": _one_to_one,
    "classification_error": _one_to_one,
}


def halves_interval(profile: Profile, index: Index, *, confidence: float, seed: int) -> Ends:
    """Interval of an index of ``PARTNERS``, for records that are a random sample.

    Partners fit the sample that they are chosen on, so the value is too high. Partners that are chosen on one
    random half of the records and counted on the other half give a value that is too low. The interval
    reaches from the lower limit of the one to the upper limit of the other. The limits are those of
    Clopper & Pearson (1934), Biometrika 26:404.

    >>> from concordant import INDICES
    >>> profile = Profile.from_contingency([[40, 3], [2, 35]])
    >>> found = halves_interval(profile, INDICES["purity"], confidence=0.95, seed=0)
    >>> found.estimate, round(found.low, 4), round(found.high, 4)
    (0.9375, 0.8132, 0.9794)
    """
    table, size = profile.table, profile.size
    if size > _MOST_RECORDS:
        raise TooLargeError(f"{size:,} records are too many to split at random")
    partners = PARTNERS[index.name]
    n = table.n.astype(np.int64)
    half = np.random.default_rng(seed).binomial(n, 0.5)
    right = 0
    for chosen_on, counted_on in ((half, n - half), (n - half, half)):
        cells = partners(table, chosen_on)
        right += int(counted_on[cells][chosen_on[cells] > 0].sum())
    best = int(n[partners(table, n)].sum())
    low, high = (
        clopper_pearson(right / 2, size / 2, confidence)[0],
        clopper_pearson(best, size, confidence)[1],
    )
    value = best / size
    se = math.sqrt(value * (1 - value) / size)
    if index.perfect == 0:
        low, high, value = 1 - high, 1 - low, 1 - value
    return Ends(low, high, se, value, "two random halves", seed=seed)
