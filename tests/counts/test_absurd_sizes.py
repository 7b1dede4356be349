"""No number is too large to be counted; where floats or memory end, an error of ours says so."""

import pytest
from inner import INDICES, Profile

import concordant as cc
from concordant.errors import ConcordantError, TooLargeError

SIZES = {"1e19": 10**19, "1e30": 10**30, "1e400": 10**400}


def profiles(size):
    part = size // 5
    yield cc.Comparison.from_contingency([[2 * part, part // 3], [part // 2, size - 3 * part]])._counts
    yield cc.Comparison.from_contingency([[size - 5, 2], [3, 0]])._counts
    yield cc.Comparison.from_contingency([[part, 3, part], [7, part, 0], [1, 0, part + 1]])._counts
    yield Profile.from_rows([(1, 2, 1, 2 * size)])


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("ask", ["value", "exact", "is_undefined"])
def test_every_index_answers_or_says_why_not(size, ask):
    answers = 0
    for profile in profiles(SIZES[size]):
        for index in INDICES.values():
            try:
                getattr(index, ask)(profile)
            except ConcordantError:
                continue  # anything else fails the test
            answers += 1
    assert answers > len(INDICES)


def test_an_exact_matching_of_too_large_overlaps_is_refused():
    profile = next(profiles(10**19))
    assert INDICES["matching_accuracy"].value(profile) == pytest.approx(24 / 29, rel=1e-15)
    with pytest.raises(TooLargeError, match="no one-to-one matching"):
        INDICES["matching_accuracy"].exact(profile)


def test_random_models_of_absurdly_large_clusters_are_refused_and_not_tried():
    profile = cc.Comparison.from_contingency([[10**19, 1], [1, 10**18]])._counts
    with pytest.raises(TooLargeError, match="terms"):
        INDICES["ami_models"].value(profile)
