"""Entropies as differences of integers, against mpmath."""

import mpmath
import pytest
from cases import every_case
from inner import LOG_BITS, fixed_log

import concordant as cc


@every_case("size", [*range(1, 300), 2**31 - 1, 2**31, 10**12 + 39, 2**64, 10**400 + 1])
@every_case("bits", [LOG_BITS, 500])
def test_logarithms_of_integers_of_any_size(size: int, bits: int) -> None:
    with mpmath.workprec(bits + 40):
        error = fixed_log(size, bits) - mpmath.ldexp(mpmath.log(size), bits)
    assert abs(error) < bits * size.bit_length()  # units of the last bit


@pytest.mark.parametrize("power", [4, 40, 60, 400])
def test_the_least_mutual_information_keeps_its_relative_precision(power: int) -> None:
    """Neighbours in Fibonacci's sequence make a table of determinant 1, almost independent."""
    x, y = 1, 1
    while x < 10**power:
        x, y = x + y, x
    cells = [[x + y, x], [x, y]]
    mutual = cc.Comparison.from_contingency(cells).mutual_information
    with mpmath.workprec(200 + 20 * power):
        total = mpmath.mpf(2 * x + x + 2 * y)
        sums = [mpmath.mpf(sum(line)) for line in cells]
        terms = [
            n * mpmath.log(n * total / (sums[i] * sums[j]))
            for i, line in enumerate(cells)
            for j, n in enumerate(line)
        ]
        exact = float(sum(terms) / total)
    assert mutual == pytest.approx(exact, rel=1e-15, abs=0)
    assert power == 400 or mutual > 0


def test_independent_partitions_share_nothing() -> None:
    for n in (3, 10**9 + 7, 10**40 + 1):
        c = cc.Comparison.from_contingency([[2 * n, 3 * n, 7 * n], [10 * n, 15 * n, 35 * n]])
        assert c.mutual_information == 0
        assert c.nmi_max == 0


def test_a_refinement_shares_all() -> None:
    c = cc.Comparison.from_contingency([[5, 7, 0], [0, 0, 11]])
    assert c.homogeneity == 1
    assert c.conditional_entropy_of_reference == 0
