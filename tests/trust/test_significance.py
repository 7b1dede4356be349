"""Significance: moments, tails and permutations against all permutations of a few elements."""

import itertools
import json
import math
from collections import Counter
from fractions import Fraction
from functools import cache
from pathlib import Path

import enumeration
import numpy as np
import pytest

import concordant as cc
from concordant.catalogue.index import INDICES
from concordant.counts.pairs import Pairs
from concordant.counts.profile import Profile
from concordant.errors import ParameterError, TooLargeError, UndefinedError
from concordant.trust.moments import moments
from concordant.trust.tails import log_upper_normal, log_upper_pearson
from concordant.views.contingency_enumeration import Total, tails, totals

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "trust.json").read_text(encoding="utf-8"))


def profile_of(rows, columns):
    """Some profile with these cluster sizes."""
    return cc.compare(enumeration.labels(rows), enumeration.labels(columns)).counts


def one_by_one(sizes):
    return [int(size) for size, count in sizes.items() for _ in range(count)]


@pytest.mark.parametrize("case", GOLDEN["n11_moments"], ids=lambda case: f"{case['rows']}{case['columns']}")
def test_golden_moments(case):
    found = moments(profile_of(one_by_one(case["rows"]), one_by_one(case["columns"])))
    expected = [Fraction(case[key]) for key in ("mean", "variance", "third_central", "fourth_central")]
    assert [found.mean, found.variance, found.third, found.fourth] == expected
    assert found.skewness == pytest.approx(case["skewness"], rel=1e-14)


@pytest.mark.parametrize("n", range(2, 8))
def test_moments_and_tails_are_those_of_all_shuffles(n):
    for rows, columns in enumeration.pairs_of_shapes(n):
        law = enumeration.n11_of_all_shuffles(rows, columns)
        everything = sum(law.values())
        mean = Fraction(sum(x * many for x, many in law.items()), everything)
        central = [sum((x - mean) ** r * many for x, many in law.items()) / everything for r in (2, 3, 4)]
        profile = profile_of(rows, columns)
        found = moments(profile)
        assert [found.mean, found.variance, found.third, found.fourth] == [mean, *central]
        ways = totals(profile, Total("n11"))
        for x in law:
            reached = sum(many for y, many in law.items() if y >= x)
            below = sum(many for y, many in law.items() if y <= x)
            assert tails(ways, x) == (Fraction(reached, everything), Fraction(below, everything))


def test_the_tail_of_the_information_is_that_of_all_shuffles():
    for rows, columns in enumeration.pairs_of_shapes(6):
        law = Counter()
        for table, many in enumeration.cells_of_all_shuffles(rows, columns):
            law[math.prod(n**n for n in table.ravel().tolist())] += many
        ways = totals(profile_of(rows, columns), Total("information"))
        assert set(ways) == set(law)
        for x in law:
            reached = sum(many for y, many in law.items() if y >= x)
            assert tails(ways, x)[0] == Fraction(reached, 720)


def test_moments_are_exact_beyond_floating_point():
    huge = Profile.from_rows([(10**20, 2 * 10**20, 2 * 10**20, 4)])
    found = moments(huge)
    n = 4 * 10**20
    together = 2 * (2 * 10**20) * (2 * 10**20 - 1)
    assert found.mean == Fraction(together * together, 2 * n * (n - 1))
    assert found.kurtosis > 1


@pytest.mark.parametrize(
    "case", GOLDEN["p_values_upper_tail"], ids=lambda case: f"{case['rows']}-{case['n11']}"
)
def test_golden_p_values(case):
    profile = profile_of(case["rows"], case["columns"])
    found, observed = moments(profile), case["n11"]
    assert tails(totals(profile, Total("n11")), observed)[0] == Fraction(case["exact"])
    for key, shift in (("pearson3", 0), ("pearson3_half_step", Fraction(1, 2))):
        z = float((observed - shift - found.mean) / Fraction(found.sd))
        assert math.exp(log_upper_pearson(z, found.skewness)) == pytest.approx(case[key], rel=1e-12)
    assert math.exp(log_upper_normal(case["z"])) == pytest.approx(case["normal"], rel=1e-12)


U = list("aaaabbbbccccdd")
V = list("aaabbbbbcccadd")


def test_the_parts_of_an_answer():
    c = cc.compare(U, V)
    found = c.significance("adjusted_rand")
    assert found.method == "exact"
    assert found.value == c.adjusted_rand
    assert found.expected == 0
    assert found.z == pytest.approx(c.lerman, rel=1e-14)
    assert found.p == pytest.approx(math.exp(found.log_p))
    assert found.p <= found.p_at_most < 1
    assert found.seed is None
    assert repr(found).startswith("adjusted_rand 0.")
    assert "by chance 0 ±" in found._repr_html_()
    assert json.loads(json.dumps(found.to_dict()))["p"] == found.p


@pytest.mark.parametrize("shares", ["n11", "information"])
def test_indices_that_share_have_one_p_value(shares):
    c = cc.compare(U, V)
    sharing = [i for i in INDICES.values() if i.shares == shares and not i.on_request]
    assert len(sharing) > 20
    assert len({c.significance(i.name).p for i in sharing}) == 1
    assert {c.significance(i.name).method for i in sharing} == {"exact"}


@cache
def profiles_of_all_shuffles():
    """The profiles of permutations of seven elements, and how many permutations have each."""
    tables = enumeration.cells_of_all_shuffles((3, 2, 2), (4, 2, 1))
    return [(Profile.from_contingency(table), many) for table, many in tables]


@pytest.mark.parametrize(
    "index", [i for i in INDICES.values() if i.linear and i.shares and not i.on_request], ids=lambda i: i.name
)
def test_mean_and_deviation_are_those_of_all_shuffles(index):
    profiles = profiles_of_all_shuffles()
    values = np.array([index.value(profile) for profile, _ in profiles])
    weights = np.array([many for _, many in profiles]) / math.factorial(7)
    mean = weights @ values
    best = profiles[int(np.argmax([profile.view(Pairs).n11 for profile, _ in profiles]))][0]
    found = cc.Comparison(best).significance(index.name)
    assert found.statistic == index.name
    assert found.expected == pytest.approx(mean, abs=1e-12)
    assert found.sd == pytest.approx(math.sqrt(weights @ (values - mean) ** 2), rel=1e-9)
    assert found.z > 0


def test_an_index_that_is_not_linear_is_told_by_what_it_shares():
    found = cc.compare(U, V).significance("jaccard")
    assert found.statistic == "N₁₁"
    assert "; N₁₁ " in repr(found)


def test_nothing_varies_where_shuffles_change_nothing():
    found = cc.compare([0, 0, 0, 0], [0, 0, 1, 1]).significance("rand")
    assert (found.method, found.p, found.sd) == ("settled", 1.0, 0.0)
    assert math.isnan(found.z)
    assert found.to_dict()["z"] is None
    assert "every permutation" in repr(found)


def test_methods_agree_on_many_elements():
    random = np.random.default_rng(5)
    u = random.integers(0, 4, 400)
    v = np.where(random.random(400) < 0.09, u, random.integers(0, 4, 400))
    c = cc.compare(u, v)
    how = {"method": "permutations", "permutations": 2000, "seed": 20261115}
    gamma, drawn = c.significance("rand"), c.significance("rand", **how)
    assert gamma.method == "gamma"
    assert drawn.method == "permutations"
    assert 0.001 < gamma.p < 0.2
    assert drawn.p == pytest.approx(gamma.p, rel=0.5)
    assert drawn == c.significance("rand", **how)
    assert drawn.sd == gamma.sd


def test_shuffling_stops_early_where_chance_often_reaches_the_value():
    found = cc.compare([0, 1] * 10, [0] * 10 + [1] * 10).significance("purity")
    assert found.permutations < 100
    assert found.p > 0.1


@pytest.mark.parametrize(
    "name", ["bcubed_f", "matching_accuracy", "classification_error", "purity_f", "frobenius"]
)
def test_any_index_is_tested_by_shuffles(name):
    index = INDICES[name]
    tables = enumeration.cells_of_all_shuffles((3, 2, 2), (4, 2, 1))
    sign = -1 if index.direction == "distance" else 1
    values = [(sign * index.value(Profile.from_contingency(table)), many) for table, many in tables]
    best = max(tables, key=lambda t: (sign * index.value(Profile.from_contingency(t[0])), t[1]))[0]
    observed = sign * index.value(Profile.from_contingency(best))
    exact = sum(many for value, many in values if value >= observed - 1e-12) / math.factorial(7)
    found = cc.Comparison(Profile.from_contingency(best)).significance(name, permutations=4000)
    assert found.p == pytest.approx(exact, abs=0.02)
    assert found.z > 0
    assert found.p_at_most is None


def test_what_cannot_be_done_is_said():
    c = cc.compare(U, V)
    with pytest.raises(ParameterError, match="use 'permutations'"):
        c.significance("purity", method="gamma")
    with pytest.raises(ParameterError, match="closed form"):
        c.significance("nmi_arithmetic", method="gamma")
    with pytest.raises(ParameterError, match="permutations=0"):
        c.significance("rand", permutations=0)
    for seed in (-1, None, 1.5, True, "a"):
        with pytest.raises(ParameterError, match=f"seed={seed!r}: use a whole number"):
            c.significance("purity", seed=seed)
    with pytest.raises(ParameterError, match="method='normal'"):
        c.significance("rand", method="normal")
    random = np.random.default_rng(3)
    many = cc.compare(random.integers(0, 30, 3000), random.integers(0, 30, 3000))
    with pytest.raises(TooLargeError, match="method='auto'"):
        many.significance("rand", method="exact")
    huge = cc.Comparison(Profile.from_rows([(10**20, 2 * 10**20, 2 * 10**20, 4)]))
    assert huge.significance("rand").method == "gamma"
    with pytest.raises(TooLargeError, match="too many to shuffle"):
        huge.significance("bcubed_f")
    with pytest.raises(UndefinedError, match="nothing to test"):
        cc.compare([0, 0, 1], [0, 1, 1]).significance("mari")


def test_a_bound_is_not_rounded_below_what_it_bounds():
    shown = repr(cc.compare([0, 0, 1, 1], [0, 0, 1, 1]).significance("rand"))
    assert "p = 0.333 (exact; at most 0.4)" in shown


@pytest.mark.parametrize("name", ["mcnemar", "anderberg_d"])
def test_an_index_of_pairs_that_is_not_monotone_by_all_permutations(name):
    u, v = [0, 0, 0, 1, 1, 1, 2], [0, 0, 1, 1, 1, 2, 2]
    index = INDICES[name]
    observed = cc.compare(u, v)[name]
    values = [cc.compare(u, list(each))[name] for each in set(itertools.permutations(v))]
    wanted = sum(value >= observed - 1e-12 for value in values) / len(values)
    found = cc.compare(u, v).significance(name)
    assert found.method == "exact"
    assert found.p == pytest.approx(wanted, rel=1e-12)
    assert found.expected == pytest.approx(np.mean(values), rel=1e-9, abs=1e-12)
    assert found.sd == pytest.approx(np.std(values), rel=1e-9)
    assert index.shares is None


def test_an_index_of_pairs_that_is_not_monotone_by_the_gamma_law():
    random = np.random.default_rng(1)
    u = random.integers(0, 4, 300)
    v = np.where(random.random(300) < 0.03, u, random.integers(0, 5, 300))
    c = cc.compare(u, v)
    gamma = c.significance("mcnemar")
    permutations = c.significance("mcnemar", method="permutations", permutations=2000, seed=20261115)
    assert gamma.method == "gamma"
    assert gamma.expected == pytest.approx(permutations.expected, abs=5 * permutations.sd / math.sqrt(2000))
    assert gamma.sd == pytest.approx(permutations.sd, rel=0.1)
    assert math.log(gamma.p / permutations.p) == pytest.approx(0, abs=1)
    # McNemar's statistic goes with N₁₁ wherever the candidate has fewer pairs.
    n11 = c.significance("rand").p
    assert gamma.p == pytest.approx(n11 if c.pairs.n10 > c.pairs.n01 else 1 - n11, rel=0.05)


def nab(table):
    return int(np.sum(table * table.sum(axis=1, keepdims=True) * table.sum(axis=0)))


def n11(table):
    return int(np.sum(table * (table - 1) // 2))


@pytest.mark.parametrize("weight", [Fraction(3, 7), Fraction(-2)])
def test_moments_and_tails_of_a_sum_with_crossings_are_those_of_all_shuffles(weight):
    total = Total("n11", weight.denominator, weight.numerator)
    for rows, columns in [
        ((3, 2, 1), (4, 2)),
        ((3, 2, 2), (4, 2, 1)),
        ((5, 1, 1), (3, 3, 1)),
        ((4, 3), (5, 2)),
    ]:
        law = Counter()
        for table, many in enumeration.cells_of_all_shuffles(rows, columns):
            law[n11(table) + weight * nab(table)] += many
        everything, profile = sum(law.values()), profile_of(rows, columns)
        mean = sum(x * many for x, many in law.items()) / everything
        found = moments(profile, weight)
        central = [sum((x - mean) ** r * many for x, many in law.items()) / everything for r in (2, 3, 4)]
        assert [found.mean, found.variance, found.third, found.fourth] == [mean, *central]
        ways = totals(profile, total)
        reduced = {Fraction(x, weight.denominator): many for x, many in ways.items()}
        share = sum(law.values()) // sum(ways.values())  # where the whole is counted without the order
        assert {x: many * share for x, many in reduced.items()} == law


@pytest.mark.parametrize("name", ["mari", "mari_raw"])
def test_an_index_of_pairs_and_crossings_by_all_shuffles(name):
    index = INDICES[name]
    for rows, columns in [((3, 2, 2), (4, 2, 1)), ((4, 2), (3, 2, 1)), ((3, 1, 1), (2, 2, 1))]:
        tables = enumeration.cells_of_all_shuffles(rows, columns)
        exact = [(index.exact(Profile.from_contingency(table)), many) for table, many in tables]
        everything = math.factorial(sum(rows))
        for (observed, _), (table, _) in zip(exact, tables, strict=True):
            found = cc.Comparison(Profile.from_contingency(table)).significance(name)
            wanted = sum(many for value, many in exact if value >= observed) / everything
            assert found.method == "exact"
            assert found.p == pytest.approx(wanted, rel=1e-12)
            assert found.p <= found.p_at_most


def test_an_index_of_pairs_and_crossings_by_the_gamma_law():
    random = np.random.default_rng(1)
    u = np.minimum(random.geometric(0.4, 400), 8)
    v = np.where(random.random(400) < 0.06, u, np.minimum(random.geometric(0.3, 400), 8))
    c = cc.compare(u, v)
    for name in ("mari", "mari_raw"):
        gamma, drawn = c.significance(name), c.significance(name, method="permutations", permutations=500)
        assert (gamma.method, drawn.method) == ("gamma", "permutations")
        assert gamma.p == pytest.approx(drawn.p, abs=0.05)
        assert gamma.z == pytest.approx(drawn.z, abs=0.3)
    assert "; N₁₁ + " in repr(c.significance("mari"))
    assert gamma.statistic == "mari_raw"
    assert gamma.sd == pytest.approx(drawn.sd, rel=0.15)


def test_crossings_do_not_matter_where_one_side_has_equal_clusters():
    random = np.random.default_rng(2)
    c = cc.compare(np.repeat(np.arange(10), 50), random.integers(0, 9, 500))
    assert c.significance("mari").p == pytest.approx(c.significance("adjusted_rand").p, rel=1e-9)


def test_where_crossings_alone_decide_shuffles_tell():
    assert cc.compare([0, 0, 0, 1], [0, 0, 1, 2]).significance("mari_raw").method == "permutations"
    with pytest.raises(ParameterError, match="use 'permutations'"):
        cc.compare([0, 0, 0, 1], [0, 0, 1, 2]).significance("mari", method="gamma")
