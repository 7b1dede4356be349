"""Sums of ratios with many different denominators, against fractions."""

from fractions import Fraction

import numpy as np
import pytest
from inner import sum_of_ratios


@pytest.mark.parametrize("bits", [3, 31, 50])
@pytest.mark.parametrize("length", [0, 1, 20, 1500])
def test_sums_of_ratios_equal_those_of_fractions(length, bits):
    rng = np.random.default_rng(length + bits)
    drawn = [rng.integers(1, 2 ** rng.integers(1, bits + 1, length)) for _ in range(3)]
    denominators, numerators, factors = drawn
    numerators *= rng.choice([-1, 0, 1], length)
    terms = zip(factors.tolist(), numerators.tolist(), denominators.tolist(), strict=True)
    expected = sum((Fraction(w * x, y) for w, x, y in terms), Fraction(0))
    for wide in (False, True):
        given = [each.astype(object) if wide else each for each in (numerators, denominators)]
        cut_off = sum_of_ratios(*given, exact=False, factors=factors)
        assert abs(cut_off - expected) <= Fraction(length, 2**127)
        if length <= 20:
            assert sum_of_ratios(*given, exact=True, factors=factors) == expected


def test_ratios_need_positive_denominators():
    many = np.arange(1000)
    with pytest.raises(ValueError, match="a denominator is not positive"):
        sum_of_ratios(many, many, exact=False)
