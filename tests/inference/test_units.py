"""Intervals of units drawn as a whole: golden values, each unit left out by hand, and what is refused."""

import json
import math
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pytest
from cases import every_case
from inner import INDICES, UnitSample, ends, population_ends, student_quantile
from scipy.stats import t

import concordant as cc
from concordant.errors import ParameterError

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "trust2.json").read_text(encoding="utf-8"))
OTHERS = [
    *("bcubed_precision", "bcubed_recall", "bcubed_f", "bcubed_f(beta=2)"),
    *("purity", "inverse_purity", "purity_f1", "matching_accuracy", "element_centric"),
    *("cluster_precision", "cluster_recall", "cluster_f", "muc_precision", "muc_recall", "muc_f1"),
    *("ceaf_e_precision", "ceaf_e_recall", "ceaf_e_f1", "lea_precision", "lea_recall", "lea_f1"),
]
PAIRS = ["precision", "recall", "f_measure", "f_measure(beta=2)", "jaccard", "adjusted_rand", "rand"]
PAIRS += ["fowlkes_mallows", "rand_distance", "adapted_rand_error", "phi", "hamann"]


def documents(sizes, error=0.2, seed=1, crossing=0.0):
    """Reference, candidate and the document of each record; clusters are in one document, or in several."""
    random = np.random.default_rng(seed)
    of = np.repeat(np.arange(len(sizes)), sizes)
    u = 100 * of + random.integers(0, 4, len(of))
    u[random.random(len(of)) < crossing] = 7
    v = np.where(random.random(len(of)) < error, 100 * of + random.integers(0, 5, len(of)), u)
    return u, v, of


@pytest.mark.parametrize("case", GOLDEN["units"])
def test_golden_values(case):
    """Of so many clusters in each document, so many are clusters of the candidate; the others are split."""
    u, v, document = [], [], []
    for place, (kept, whole) in enumerate(zip(case["numerators"], case["denominators"], strict=True)):
        for number in range(int(whole)):
            name = f"{place}-{number}"
            u += [name, name]
            v += [name, name if number < kept else f"{name} split"]
            document += [place, place]
    found = cc.compare(u, v).interval("cluster_recall", unit=document)
    for field in ("value", "se", "n_effective_units", "largest_share"):
        assert getattr(found, field) == pytest.approx(case[field.removeprefix("n_")], rel=1e-9, abs=1e-12), (
            field
        )
    # Another document as large as the largest may be all wrong, and all right if few are.
    share, is_low = found.largest_share / (1 + found.largest_share), found.value < 0.5
    wanted = ends(
        found.value,
        found.se,
        quantile=student_quantile(0.95, max(found.n_effective_units - 1, 1)),
        confidence=0.95,
        worst=found.value * share,
        gain=(1 - found.value) * share if is_low or not found.se else 0.0,
        always=is_low,
    )
    assert (found.low, found.high) == pytest.approx(wanted)
    assert found.low <= case["low"] + 1e-3


@every_case("name", [*PAIRS, *OTHERS])
def test_each_unit_is_left_out(name):
    u, v, of = documents([5, 9, 14, 7, 11, 6, 8])
    rest = np.array([cc.compare(u[of != k], v[of != k])[name] for k in range(7)])
    found = cc.compare(u, v).interval(name, unit=of)
    assert found.se == pytest.approx(math.sqrt(6 / 7 * ((rest - rest.mean()) ** 2).sum()), rel=1e-10)
    assert found.low < found.value < found.high
    assert (found.estimate, found.unit, found.n_units) == (found.value, "unit", 7)


@every_case("name", PAIRS)
def test_clusters_in_several_units(name):
    u, v, of = documents([12, 9, 14, 15, 11, 16, 8], crossing=0.3)
    rest = np.array([cc.compare(u[of != k], v[of != k])[name] for k in range(7)])
    found = cc.compare(u, v).interval(name, unit=of)
    assert found.se == pytest.approx(math.sqrt(6 / 7 * ((rest - rest.mean()) ** 2).sum()), rel=1e-10)
    inside = sum(cc.compare(x[of == k], x[of == k]).pairs.n11 for x in (u, v) for k in range(7))
    every = sum(cc.compare(x, x).pairs.n11 for x in (u, v))
    assert f"{1 - inside / every:.2f} of the pairs join different units" in found.note


@every_case("name", OTHERS)
def test_a_cluster_in_several_units_is_not_a_mean_over_units(name):
    u, v, of = documents([12, 9, 14], crossing=0.3)
    found = cc.compare(u, v).interval(name, unit=of)
    assert not found.estimable
    assert (found.low, found.high) == (0, 1)
    assert found.note.startswith("not estimable from this sample: clusters are in several units")
    assert "interval" not in repr(found).partition(":")[0]


@every_case("name", [*PAIRS, *OTHERS])
@every_case("error", [0, 1])
def test_no_interval_is_without_width(name, error):
    """All right, and all records of the candidate singletons or in one cluster of their document."""
    u, v, of = documents([5, 9, 14, 7], error=0)
    for candidate in [v] if not error else [np.arange(len(v)), of]:
        found = cc.compare(u, candidate).interval(name, unit=of)
        low, high = INDICES[name].bounds(len(u))
        assert low <= found.low < found.high <= high


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("precision", lambda u, v: v),
        ("recall", lambda u, v: u),
        ("f_measure", lambda u, v: u + v),
        ("f_measure(beta=2)", lambda u, v: 4 * u + v),
        ("adjusted_rand", lambda u, v: u + v),
    ],
)
def test_units_count_by_their_share_of_the_denominator(name, wanted):
    u, v, of = documents([5, 9, 34, 7, 11])
    y = []
    for k in range(5):
        pairs = cc.compare(u[of == k], v[of == k]).pairs
        y.append(wanted(pairs.in_reference, pairs.in_candidate))
    y = np.array(y, dtype=float)
    found = cc.compare(u, v).interval(name, unit=of)
    assert found.largest_share == pytest.approx(y.max() / y.sum(), rel=1e-5)
    assert found.n_effective_units == pytest.approx(y.sum() ** 2 / (y**2).sum(), rel=1e-5)


@pytest.mark.parametrize("name", ["precision", "recall", "f_measure", "bcubed_f", "cluster_f"])
def test_all_right_ends_at_one_more_unit_that_is_all_wrong(name):
    u, v, of = documents([5, 9, 34, 7, 11], error=0)
    found = cc.compare(u, v).interval(name, unit=of)
    assert found.value == found.high == 1
    assert found.low == pytest.approx((1 + found.largest_share) ** -math.log(40), rel=1e-6)


def test_all_wrong_ends_at_one_more_unit_that_is_all_right():
    u, _, of = documents([5, 9, 34, 7, 11], error=0)
    found = cc.compare(u, of).interval("cluster_recall", unit=of)
    assert found.value == found.low == 0
    assert found.high == pytest.approx(1 - (1 + found.largest_share) ** -math.log(40), rel=1e-6)


def test_few_good_units_leave_room_for_one_more():
    u, _, of = documents([6] * 10, error=0)
    v = np.where(of == 0, u, of + 10**6)
    found = cc.compare(u, v).interval("cluster_recall", unit=of)
    share = found.largest_share / (1 + found.largest_share)
    low, high = ends(
        found.value,
        found.se,
        quantile=t.ppf(0.975, found.n_effective_units - 1),
        confidence=0.95,
        worst=found.value * share,
        gain=(1 - found.value) * share,
    )
    assert 0 < found.value < 0.5
    assert (found.low, found.high) == (pytest.approx(low), pytest.approx(high))


def test_one_large_unit_is_reported():
    u, v, of = documents([5, 9, 60, 7, 11])
    found = cc.compare(u, v).interval("f_measure", unit=of)
    words = f"one unit has {found.largest_share:.2f} of the denominator, and the 5 units count as "
    assert found.largest_share > 0.2
    assert f"{words}{found.n_effective_units:.1f}: the interval depends on few units" in found.note
    quarters = documents([10] * 4, error=0)
    assert "one unit has " in cc.compare(*quarters[:2]).interval("bcubed_f", unit=quarters[2]).note
    even = documents([10] * 20)
    assert "denominator" not in cc.compare(*even[:2]).interval("f_measure", unit=even[2]).note


def test_an_index_that_depends_on_the_number_of_units_says_so():
    u, v, of = documents([10] * 20)
    c = cc.compare(u, v)
    words = "the interval holds for a sample of this many units"
    assert words in c.interval("rand", unit=of).note
    assert words not in c.interval("f_measure", unit=of).note
    assert words not in c.interval("adjusted_rand", unit=of).note


def test_components_are_units_of_whole_clusters():
    u, v, _ = documents([5, 9, 14, 7, 11, 6, 8])
    c = cc.compare(u, v)
    found = c.interval("bcubed_f", unit="component")
    assert found.unit == "component"
    assert found.estimable
    assert 1 < found.n_effective_units < found.n_units


@pytest.mark.parametrize("name", ["v_measure", "mirkin", "minkowski", "split_join", "russell_rao", "mari"])
def test_indices_without_an_interval_of_units(name):
    u, v, of = documents([5, 9, 14])
    with pytest.raises(ParameterError, match=f"{name} is not a mean over units.*f_measure, adjusted_rand"):
        cc.compare(u, v).interval(name, unit=of)


def test_what_one_unit_decides_is_not_estimable():
    u = [0, 0, 0, 1, 2, 3, 4]
    found = cc.compare(u, [0, 0, 5, 1, 2, 3, 4]).interval("recall", unit=[0, 0, 0, 1, 1, 2, 2])
    assert not found.estimable
    assert "without one of the units recall is undefined" in found.note
    found = cc.compare(list(range(7)), u).interval("recall", unit=[0, 0, 0, 1, 1, 2, 2])
    assert "the reference has no two records in one cluster" in found.note


def test_a_sentence_for_a_paper():
    u, v, of = documents([10] * 20)
    found = cc.compare(u, v).interval("f_measure", unit=of)
    assert "in 20 units drawn at random" in found.headline
    assert "the 95% interval for the population of units is" in found.headline
    assert f"concordant {version('concordant')}" in found.headline


@pytest.mark.parametrize("name", ["f_measure", "adjusted_rand"])
def test_a_low_value_always_leaves_room_for_one_more_good_unit(name):
    """Samples without the few large good units have a low value and a small standard error."""
    u, v, of = documents([12] * 300, error=0.85)
    found = cc.compare(u, v).interval(name, unit=of)
    assert 10 * found.se < found.value < 0.5
    quantile = t.ppf(0.975, found.n_effective_units - 1)
    assert found.high > found.value + 1.1 * quantile * found.se
    u, v, of = documents([12] * 300, error=0.2)
    found = cc.compare(u, v).interval(name, unit=of)
    assert found.value > 0.5
    assert found.high < found.value + 1.1 * quantile * found.se


def test_golden_ends_with_known_sizes():
    wanted = json.loads((Path(__file__).parents[1] / "golden" / "trust3.json").read_text(encoding="utf-8"))
    wanted = wanted["estimates_judgements_units"]["unit_ends(0.8, 0.02, 25, 0.95, share=0.3)"]
    # Without either of two units, the value is 0.02 higher or lower: this is its standard error.
    sample = UnitSample(0.8, np.array([0.78, 0.82]), 0.0, 25, 0.1, 0.0)
    assert sample.se == pytest.approx(0.02)
    assert population_ends(sample, 0.3, confidence=0.95) == pytest.approx(wanted, rel=1e-10)


@pytest.mark.parametrize("name", ["bcubed_f", "f_measure"])
def test_sizes_of_all_units_widen_both_ends(name):
    u, v, of = documents([9] * 30)
    c = cc.compare(u, v)
    plain = c.interval(name, unit=of)
    assert "if no unit of the population has more than 9 records" in plain.headline
    same, giant = (c.interval(name, unit=of, unit_sizes=[9] * 100 + [size]) for size in (9, 200))
    assert giant.low < same.low <= plain.low
    assert giant.high > same.high >= plain.high
    assert "has more than 200 records" in giant.headline
    named = dict.fromkeys(range(100), 9) | {"a": 200}
    assert c.interval(name, unit=of, unit_sizes=named).low == giant.low
    with pytest.raises(ParameterError, match="and the population 1"):
        c.interval(name, unit=of, unit_sizes={"a": 200})
    for sizes in (5, [], [0], [2.5], "9", [8]):
        with pytest.raises(ParameterError, match="unit_sizes"):
            c.interval(name, unit=of, unit_sizes=sizes)
    with pytest.raises(ParameterError, match="name the unit of each record"):
        c.interval(name, unit_sizes=[9])
