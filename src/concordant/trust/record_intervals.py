"""Intervals of indices that read more than pair counts, when records were drawn one by one."""

from __future__ import annotations

from dataclasses import replace

from concordant.catalogue.index import Index
from concordant.counts.elements import Elements
from concordant.counts.information import Information
from concordant.counts.overlaps import Matches
from concordant.counts.profile import Profile
from concordant.trust.ends import Ends, whole_range
from concordant.trust.entropies import entropy_interval, entropy_target
from concordant.trust.halves import PARTNERS, halves_interval
from concordant.trust.without_self_pairs import (
    BCUBED,
    ELEMENT_CENTRIC,
    bcubed_interval,
    element_centric_interval,
)
from concordant.views.assignment import Assignment

_SMALL_CLUSTERS = 5
_SMALL = (
    "half of the reference's clusters have fewer than 5 records: the interval is for a population in which "
    "the same clusters have many; if clusters stay small, use unit= or estimate"
)

_CLOSEST = {
    Information: "v_measure or variation_of_information",
    Elements: "bcubed_f or element_centric",
    Matches: "purity or inverse_purity",
    Assignment: "matching_accuracy",
}


def other_record_ends(profile: Profile, index: Index, *, level: float, seed: int) -> Ends | None:
    """The interval by the method that holds for the index; None if no method is known to hold.

    >>> from concordant import INDICES
    >>> profile = Profile.from_contingency([[40, 3], [2, 35]])
    >>> other_record_ends(profile, INDICES["purity"], level=0.95, seed=0).method
    'two random halves'
    >>> other_record_ends(profile, INDICES["cramers_v"], level=0.95, seed=0)
    """
    name = (index.declared or index).name
    if not has_other_interval(index):
        return None
    if name in BCUBED:
        found = bcubed_interval(profile, index, level=level)
    elif name == ELEMENT_CENTRIC:
        found = element_centric_interval(profile, level=level)
    elif name in PARTNERS:
        found = halves_interval(profile, index, level=level, seed=seed)
    else:
        found = entropy_interval(profile, index, level=level, seed=seed)
    if not found.low < found.high:
        return whole_range(0.0, found.estimate, "no change of a single record would change the value")
    if found.estimable and _median_size(profile.row_sizes) < _SMALL_CLUSTERS:
        found = replace(found, note="; ".join(filter(None, (found.note, _SMALL))))
    return found


def has_other_interval(index: Index) -> bool:
    """Whether ``other_record_ends`` has a method for the index.

    >>> from concordant import INDICES
    >>> has_other_interval(INDICES["v_measure"]), has_other_interval(INDICES["cramers_v"])
    (True, False)
    """
    names = {*BCUBED, ELEMENT_CENTRIC, *PARTNERS}
    return entropy_target(index) is not None or (index.declared or index).name in names


def _median_size(sizes: dict[int, int]) -> int:
    """The median cluster size; the smaller one of two."""
    half, seen = sum(sizes.values()) / 2, 0
    for size in sorted(sizes):
        seen += sizes[size]
        if seen >= half:
            return size
    return 0


def closest_with_interval(index: Index) -> str:
    """The indices with an interval that are closest to one that has none.

    >>> from concordant import INDICES
    >>> closest_with_interval(INDICES["cramers_v"])
    'bcubed_f or element_centric'
    """
    return next((_CLOSEST[view] for view in index.views if view in _CLOSEST), "adjusted_rand or f_measure")
