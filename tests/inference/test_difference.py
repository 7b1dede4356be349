"""How sure a difference is, as numbers: golden values, corrections, choices of signs, and censuses."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from inner import INDICES, PairedSpread, difference_of, holm

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "trust2.json").read_text(encoding="utf-8"))

DRAWN = {"unit": "record", "n_units": 100, "method": "jackknife"}


@pytest.mark.parametrize("case", GOLDEN["difference"])
def test_golden_values(case):
    spread = PairedSpread(case["difference"], case["se"], case["worst"], degrees=case["units"] - 1)
    assert spread.adjusted_se == pytest.approx(case["adjusted_se"], rel=1e-12)
    assert spread.ends(0.95) == pytest.approx((case["low"], case["high"]), rel=1e-10)
    assert spread.p == pytest.approx(case["p"], rel=1e-10)


def test_the_standard_error_is_widened_for_an_unseen_record():
    """A sample without large errors does not show that there are none, whatever its own errors are."""
    assert PairedSpread(0.1, 0.02, 0.01, degrees=99).adjusted_se == math.hypot(0.02, 0.01)
    assert PairedSpread(0.1, 0.02, 0.03, degrees=99).adjusted_se == math.hypot(0.02, 0.03)
    assert PairedSpread(0.1, 0.0, 0.01, degrees=99).adjusted_se == pytest.approx(0.0188, abs=1e-4)


def test_bias_widens_both_ends_and_takes_off_the_distance():
    plain = PairedSpread(0.1, 0.02, 0.0, degrees=50)
    biased = PairedSpread(0.1, 0.02, 0.0, degrees=50, bias=0.03)
    (low, high), (lower, higher) = plain.ends(0.95), biased.ends(0.95)
    assert (lower, higher) == pytest.approx((low - 0.03, high + 0.03))
    assert biased.p == pytest.approx(PairedSpread(0.07, 0.02, 0.0, degrees=50).p)
    assert PairedSpread(-0.02, 0.02, 0.0, degrees=50, bias=0.03).p == 1


def test_p_values_are_never_zero():
    spread = PairedSpread(1.0, 1e-9, 0.0, degrees=10**9)
    assert 0 < spread.p < 1e-300
    assert 0 < spread.p_above(0.0) < 1e-300
    assert spread.p_above(2.0) == 1


def test_one_sided_p_values_add_up():
    spread = PairedSpread(0.05, 0.02, 0.01, degrees=30)
    assert spread.p_above(0.0) == pytest.approx(spread.p / 2)
    assert spread.p_above(0.02) + spread.p_below(0.02) == pytest.approx(1)


def test_what_leaving_out_does_not_change_is_refused():
    found = difference_of(
        INDICES["rand"],
        (0.5, 0.2),
        PairedSpread(0.3, 0.0, 0.0, degrees=99),
        span=1.0,
        confidence=0.95,
        margin=0.5,
        **DRAWN,
    )
    assert (found.low, found.high, found.p, found.estimable, found.outcome) == (-1, 1, 1, False, "unclear")
    assert (found.p_noninferior, found.p_equivalent) == (1, 1)
    assert found.note.startswith("not estimable from this sample: ")


def test_a_census_has_no_width():
    how = {"span": 1.0, "confidence": 0.95, "margin": 0.15, **DRAWN}
    found = difference_of(INDICES["rand"], (0.3, 0.4), None, **how)
    assert found.low == found.high == found.difference == pytest.approx(-0.1)
    assert found.outcome == "worse"
    assert (found.noninferior, found.equivalent) == (True, True)
    assert found.to_dict()["p"] is None
    assert found.headline.startswith("In the whole population, the first system scores 0.1000 less than")
    other = difference_of(INDICES["rand"], (0.3, 0.6), None, **how)
    assert (other.noninferior, other.equivalent) == (False, False)
    distance = difference_of(INDICES["rand_distance"], (0.3, 0.6), None, **how)
    assert (distance.noninferior, distance.equivalent, distance.outcome) == (True, False, "better")
    assert difference_of(INDICES["rand"], (0.3, 0.3), None, **how).outcome == "same"


def test_holm_by_its_definition():
    """The largest k times p among all that are smaller, counted from the number of tests down."""
    random = np.random.default_rng(0)
    for _ in range(50):
        p = random.random(6) ** 3
        found = holm(p.tolist())
        for own, corrected in zip(p, found, strict=True):
            steps = [(6 - place) * each for place, each in enumerate(np.sort(p)) if each <= own]
            assert corrected == pytest.approx(min(max(steps), 1))
    assert holm([]) == []
