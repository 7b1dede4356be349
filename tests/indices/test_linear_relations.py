"""Indices that are a fixed linear function of another, on every partition of up to five elements."""

from fractions import Fraction
from functools import cache
from itertools import combinations

import numpy as np
import universe
from cases import every_case
from inner import INDICES

import concordant as cc
from concordant.errors import NotRationalError, UndefinedError

PROFILES = [profile for size in range(1, universe.LARGEST + 1) for profile in universe.profiles(size)]
RESCALED = {name: index.rescales for name, index in INDICES.items() if index.rescales is not None}

TRIPLE = cc.Cover.from_clusters([["a", "b", "c"], ["d"], ["e"]])
PAIRS = cc.Cover.from_clusters([["a", "b"], ["a", "c"], ["b", "c"], ["d"], ["e"]])
LONGER = cc.Cover.from_clusters([["a", "b"], ["a", "c", "d"], ["e"]])
ONE_SIDED = ({"a": 0, "b": 0, "c": 1}, {"a": 0, "b": 1, "d": 1})
SINGLETONS = ([0, 1, 2, 3], [0, 0, 1, 1])

# Pairs with a linear relation on partitions of one set that are not the same index: other sides, parameters
# or cluster sizes show it. Each has two clusterings, options, and the parameters of both indices.
BY_ACCIDENT = {
    # Special cases for the default of a parameter.
    ("f_measure", "dice"): ([0, 0, 1, 1], [0, 0, 0, 1], {}, "beta=2", ""),
    ("f_measure", "adapted_rand_error_of_pairs"): ([0, 0, 1, 1], [0, 0, 0, 1], {}, "beta=2", ""),
    ("jaccard", "tversky"): ([0, 0, 1, 1], [0, 0, 0, 1], {}, "", "alpha=2"),
    ("variation_of_information", "generalised_variation_of_information"): (
        *([0, 0, 0, 1], [0, 0, 1, 1], {}, "", "a=2"),
    ),
    ("nmi_arithmetic", "v_measure"): ([0, 0, 1, 1], [0, 0, 0, 1], {}, "", "beta=2"),
    ("basic_merge_distance", "generalised_merge_distance"): (
        *([0, 0, 0, 1], [0, 1, 2, 2], {}, "", "split='product'"),
    ),
    # 0/0 in one of them only.
    ("balanced_accuracy", "peirce"): (*SINGLETONS, {}, "", ""),
    ("markedness", "blanc_precision"): (*SINGLETONS[::-1], {}, "", ""),
    # Other values if sides have elements of their own.
    ("scott_pi_of_pairs", "blanc"): (*ONE_SIDED, {"unmatched": "keep"}, "", ""),
    ("matching_accuracy", "ceaf_m_precision"): (*ONE_SIDED, {"unmatched": "keep"}, "", ""),
    ("matching_accuracy", "ceaf_m_recall"): (*ONE_SIDED, {"unmatched": "keep"}, "", ""),
    ("matching_accuracy", "ceaf_m_f1"): (*ONE_SIDED, {"unmatched": "keep"}, "", ""),
    # Other values if clusters overlap.
    ("rand", "unadjusted_omega"): (TRIPLE, PAIRS, {}, "", ""),
    ("adjusted_rand", "omega"): (TRIPLE, PAIRS, {}, "", ""),
    ("bcubed_precision", "extended_bcubed_precision"): (TRIPLE, LONGER, {}, "", ""),
    ("bcubed_recall", "extended_bcubed_recall"): (TRIPLE, LONGER, {}, "", ""),
    ("bcubed_f", "extended_bcubed_f"): (TRIPLE, LONGER, {}, "", ""),
    ("average_f1", "overlapping_average_f1"): (TRIPLE, LONGER, {}, "", ""),
    ("max_matching_ratio", "overlapping_matching_ratio"): (TRIPLE, LONGER, {}, "", ""),
    ("element_centric", "overlapping_element_centric"): (TRIPLE, LONGER, {}, "", ""),
}


@cache
def values_by_name():
    """The value on each profile, NaN where it is a convention."""
    found = {}
    for name, index in INDICES.items():
        assessed = [index.assess(profile, "nan") for profile in PROFILES]
        found[name] = np.array([np.nan if undefined else value for value, undefined in assessed])
    return found


def linear_relations(values):
    """Each index with the first one that it is a linear function of, with scale and shift."""
    found = {}
    for (one, x), (other, y) in combinations(values.items(), 2):
        if one in found or other in found:
            continue
        both = np.isfinite(x) & np.isfinite(y)
        xs, ys = x[both], y[both]
        low, high = xs.argmin(), xs.argmax()  # the line through two points that are far from each other
        if xs[low] == xs[high] or ys[low] == ys[high]:
            continue
        scale = (ys[high] - ys[low]) / (xs[high] - xs[low])
        shift = ys[low] - scale * xs[low]
        if np.abs(scale * xs + shift - ys).max() <= 1e-9:
            found[other] = one, round(scale, 9), round(shift, 9)
    return found


def test_every_linear_relation_is_declared_or_an_accident():
    found = linear_relations(values_by_name())
    accidents = {other: one for one, other in BY_ACCIDENT}
    declared = {name: (of.name, float(scale), float(shift)) for name, (of, scale, shift) in RESCALED.items()}
    assert {name: each for name, each in found.items() if name not in accidents} == declared, (
        "declare a new one with @....rescaled(...), or add a counterexample to BY_ACCIDENT"
    )
    assert {name: one for name, (one, *_) in found.items() if name in accidents} == accidents


@every_case("name", RESCALED)
def test_a_rescaled_index_has_the_exact_value(name):
    of, scale, shift = RESCALED[name]
    for profile in PROFILES:
        if INDICES[name].is_undefined(profile):
            continue
        try:
            expected = Fraction(scale) * of.exact(profile) + Fraction(shift)
        except (NotRationalError, UndefinedError):
            continue
        assert INDICES[name].exact(profile) == expected
        assert INDICES[name].value(profile) == float(expected)


@every_case("pair", BY_ACCIDENT, ids=" ".join)
def test_an_accident_has_a_counterexample(pair):
    """The relation of partitions does not hold for it."""
    *sides, options, of_one, of_other = BY_ACCIDENT[pair]
    counts = cc.compare(*sides, **options)._counts
    one, other = (
        INDICES[f"{name}({given})" if given else name]
        for name, given in zip(pair, (of_one, of_other), strict=True)
    )
    if not one.is_defined_for(counts):  # which is a difference, too
        assert other.is_defined_for(counts)
        return
    _, scale, shift = linear_relations({name: values_by_name()[name] for name in pair})[pair[1]]
    x, y = one.assess(counts, "nan")[0], other.assess(counts, "nan")[0]
    assert not np.isclose(scale * x + shift, y, rtol=0, atol=1e-6)
