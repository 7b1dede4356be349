"""Tails, quantiles and the ends of intervals: golden values, and mpmath with many digits."""

import json
import math
from pathlib import Path

import mpmath
import pytest
from cases import every_case
from inner import (
    clopper_pearson,
    ends,
    gamma_ends,
    gamma_quantile,
    log_gamma_tails,
    log_student_tails,
    log_upper_normal,
    log_upper_pearson,
    student_quantile,
    unseen_high,
    widenings,
)

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "trust2.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("z", [29.9, 30, 31, 50, 500])
def test_the_normal_tail_far_out(z):
    """By eighty digits, on both sides of where the series begins."""
    with mpmath.workdps(80):
        wanted = float(mpmath.log(mpmath.erfc(mpmath.mpf(z) / mpmath.sqrt(2)) / 2))
    assert log_upper_normal(z) == pytest.approx(wanted, rel=1e-14, abs=1e-11)


def test_gamma_tails_hold_on_both_sides_and_far_out():
    assert math.exp(log_upper_pearson(0.5, 2.0)) == pytest.approx(math.exp(-1.5), rel=1e-14)
    assert math.exp(log_upper_pearson(0.5, -2.0)) == pytest.approx(1 - math.exp(-0.5), rel=1e-14)
    assert log_upper_pearson(1.5, -2.0) == -math.inf
    assert log_upper_pearson(-1.5, 2.0) == 0
    assert log_upper_pearson(499.0, 2.0) == pytest.approx(-500.0, rel=1e-14)
    # Near symmetry it is the normal distribution.
    assert log_upper_pearson(3.0, 1.1e-3) == pytest.approx(log_upper_normal(3.0), rel=1e-3)
    assert log_upper_normal(29.999) == pytest.approx(log_upper_normal(30.0) + 0.03 - 0.0005 / 1e3, rel=1e-3)


@pytest.mark.parametrize("case", GOLDEN["student_tail"], ids=str)
def test_golden_tails_of_students_distribution(case):
    assert log_student_tails(case["t"], case["df"]) == pytest.approx(case["log_p_two_sided"], rel=1e-12)


@pytest.mark.parametrize("degrees", [1, 2, 3.5, 7, 30.25, 1000, 20_000, 99_999, 100_001, 10**9])
def test_quantiles_of_students_distribution(degrees):
    with mpmath.workdps(60):
        for confidence in (0.5, 0.95, 0.999):
            t = mpmath.mpf(student_quantile(confidence, degrees))
            x = degrees / (degrees + t * t)
            outside = mpmath.betainc(mpmath.mpf(degrees) / 2, 0.5, 0, x, regularized=True)
            assert float(1 - outside) == pytest.approx(confidence, abs=1e-12)


def test_far_tails_of_students_distribution_with_many_degrees():
    # Below 1e-14 a difference from 1 would have no correct digit.
    for degrees in (99_999, 100_001, 10**7):
        for t in (8.0, 12.0):
            with mpmath.workdps(60):
                nu = mpmath.mpf(degrees)
                density = mpmath.quad(
                    lambda s, nu=nu: (1 + s * s / nu) ** (-(nu + 1) / 2), mpmath.linspace(t, t + 12, 25)
                )
                total = mpmath.sqrt(nu) * mpmath.beta(nu / 2, 0.5)
                wanted = float(mpmath.log(2 * density / total))
            assert log_student_tails(t, degrees) == pytest.approx(wanted, rel=1e-10)


@pytest.mark.parametrize("shape", [0.01, 0.3, 1, 2.5, 40, 60, 9_000, 11_000, 10**7])
def test_quantiles_of_the_gamma_distribution(shape):
    for p in (0.025, 0.5, 0.975):
        x = gamma_quantile(p, shape)
        lower, upper = log_gamma_tails(shape, x)
        assert math.exp(lower) == pytest.approx(p, rel=1e-9)
        assert math.exp(upper) == pytest.approx(1 - p, rel=1e-9)
    if shape < 1000:
        with mpmath.workdps(40):
            wanted = float(mpmath.log(mpmath.gammainc(shape, 0, x, regularized=True)))
        assert lower == pytest.approx(wanted, rel=1e-9)


@pytest.mark.parametrize("case", GOLDEN["clopper_pearson"], ids=str)
def test_golden_limits_of_a_share(case):
    wanted = case["low"], case["high"]
    assert clopper_pearson(case["right"], case["trials"], 0.95) == pytest.approx(wanted, rel=1e-12)


@pytest.mark.parametrize("case", GOLDEN["fay_feuer"], ids=str)
def test_golden_limits_of_a_loss(case):
    found = gamma_ends(case["loss"], case["variance"], case["worst"], 1 - 2 * case["alpha"])
    assert found == pytest.approx((case["low"], case["high"]), rel=1e-12)


def test_golden_ends():
    wanted = json.loads((Path(__file__).parents[1] / "golden" / "trust3.json").read_text(encoding="utf-8"))
    wanted = wanted["estimates_judgements_units"]
    for name, numbers in {
        "unseen_high(0, 0, 0.02, 0.95)": unseen_high(0, 0, 0.02, 0.95),
        "unseen_high(0.05, 0.0004, 0.02, 0.95)": unseen_high(0.05, 0.0004, 0.02, 0.95),
        "ends(0.9, 0.001, 1.98, 0.95, worst=0.01)": ends(
            0.9, 0.001, quantile=1.98, confidence=0.95, worst=0.01
        ),
        "ends(0.9, 0.02, 1.98, 0.95, worst=0.001)": ends(
            0.9, 0.02, quantile=1.98, confidence=0.95, worst=0.001
        ),
    }.items():
        assert numbers == pytest.approx(wanted[name], rel=1e-12)


def test_the_limit_of_a_loss_joins_poisson_and_normal():
    """None seen: the exact Poisson limit. Very many: that of a normal distribution, without a jump."""
    assert unseen_high(0.3, 0.0, 0.02, 0.95) == pytest.approx(0.3 + 0.02 * math.log(40))
    assert unseen_high(0.3, 0.01**2, 0.0, 0.95) == pytest.approx(0.3 + 1.959964 * 0.01)
    before, after = (unseen_high(0.3, 0.01**2, 1e-7 * x, 0.95) for x in (1.001, 0.999))
    assert before == pytest.approx(after, rel=1e-6)


@pytest.mark.parametrize("case", GOLDEN["interval_pairs"][::5] + GOLDEN["units"])
def test_widening_is_noted_only_if_it_moves_an_end(case):
    value, se, quantile = case["value"], case["se"], 2.0
    found = ends(value, se, quantile=quantile, confidence=0.95, worst=case["worst"])
    without = ends(value, se, quantile=quantile, confidence=0.95, worst=0.0)
    words = widenings(value, se, found, quantile=quantile)
    assert ("disagreements" in words) == (found[0] < without[0] - 0.01 * (value - without[0]) - 1e-15)


@every_case("bottom", [0.0, -0.5])
@every_case("value", [-0.5, -0.1, 0.0, 1e-9, 0.03, 0.5, 0.97, 1 - 1e-9, 1.0])
@every_case("se", [0.0, 1e-12, 1e-3, 0.1, 3.0])
def test_ends_hold_the_value_and_have_a_width(bottom, value, se):
    if value < bottom:
        return
    low, high = ends(value, se, quantile=2.0, confidence=0.95, worst=0.01, gain=0.01, bottom=bottom)
    assert bottom <= low <= value <= high <= 1
    assert low < high
