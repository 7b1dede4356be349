"""Significance: moments, tails and permutations against all permutations of a few elements."""

import importlib.metadata
import itertools
import json
import math
import re
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path

import enumeration
import numpy as np
import pytest
from cases import every_case
from inner import (
    INDICES,
    Information,
    PairCounts,
    log_bound,
    log_upper_normal,
    log_upper_pearson,
    moments,
    squared_steps,
    tails,
    totals,
)

import concordant as cc
from concordant.errors import CoverError, ParameterError, TooLargeError, UndefinedError, UnmatchedError

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "trust.json").read_text(encoding="utf-8"))


def profile_of(rows, columns):
    """Some profile with these cluster sizes."""
    return cc.compare(enumeration.labels(rows), enumeration.labels(columns))._counts


def one_by_one(sizes):
    return [int(size) for size, count in sizes.items() for _ in range(count)]


@every_case("case", GOLDEN["n11_moments"], ids=lambda case: f"{case['rows']}{case['columns']}")
def test_golden_moments(case):
    found = moments(profile_of(one_by_one(case["rows"]), one_by_one(case["columns"])))
    expected = [Fraction(case[key]) for key in ("mean", "variance", "third_central")]
    assert [found.mean, found.variance, found.third] == expected
    assert found.skewness == pytest.approx(case["skewness"], rel=1e-14)


@pytest.mark.parametrize("n", range(2, 8))
def test_moments_and_tails_are_those_of_all_shuffles(n):
    for rows, columns in enumeration.pairs_of_shapes(n):
        law = enumeration.n11_of_all_shuffles(rows, columns)
        everything = sum(law.values())
        mean = Fraction(sum(x * many for x, many in law.items()), everything)
        central = [sum((x - mean) ** r * many for x, many in law.items()) / everything for r in (2, 3)]
        profile = profile_of(rows, columns)
        found = moments(profile)
        assert [found.mean, found.variance, found.third] == [mean, *central]
        ways = totals(profile, "n11")
        for x in law:
            reached = sum(many for y, many in law.items() if y >= x)
            below = sum(many for y, many in law.items() if y <= x)
            assert tails(ways, x) == (Fraction(reached, everything), Fraction(below, everything))


def test_the_tail_of_the_information_is_that_of_all_shuffles():
    for rows, columns in enumeration.pairs_of_shapes(6):
        law = Counter()
        for table, many in enumeration.cells_of_all_shuffles(rows, columns):
            law[math.prod(n**n for n in table.ravel().tolist())] += many
        ways = totals(profile_of(rows, columns), "information")
        assert set(ways) == set(law)
        for x in law:
            reached = sum(many for y, many in law.items() if y >= x)
            assert tails(ways, x)[0] == Fraction(reached, 720)


def test_moments_are_exact_beyond_floating_point():
    huge = cc.Comparison.from_contingency([[10**20] * 2] * 2)._counts
    found = moments(huge)
    n = 4 * 10**20
    together = 2 * (2 * 10**20) * (2 * 10**20 - 1)
    assert found.mean == Fraction(together * together, 2 * n * (n - 1))


@pytest.mark.parametrize(
    "case", GOLDEN["p_values_upper_tail"], ids=lambda case: f"{case['rows']}-{case['n11']}"
)
def test_golden_p_values(case):
    profile = profile_of(case["rows"], case["columns"])
    found, observed = moments(profile), case["n11"]
    assert tails(totals(profile, "n11"), observed)[0] == Fraction(case["exact"])
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
    assert (found.tail, found.direction, found.seed) == ("upper", "larger", None)
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
    return [(cc.Comparison.from_contingency(table)._counts, many) for table, many in tables]


@every_case(
    "index", [i for i in INDICES.values() if i.linear and i.shares and not i.on_request], ids=lambda i: i.name
)
def test_mean_and_deviation_are_those_of_all_shuffles(index):
    profiles = profiles_of_all_shuffles()
    values = np.array([index.value(profile) for profile, _ in profiles])
    weights = np.array([many for _, many in profiles]) / math.factorial(7)
    mean = weights @ values
    best = profiles[int(np.argmax([profile.view(PairCounts).n11 for profile, _ in profiles]))][0]
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
    how = {"method": "permutations", "n_resamples": 2000, "seed": 20261115}
    gamma, drawn = c.significance("rand"), c.significance("rand", **how)
    assert gamma.method == "gamma"
    assert drawn.method == "permutations"
    assert 0.001 < gamma.p < 0.2
    assert drawn.p == pytest.approx(gamma.p, rel=0.5)
    assert drawn == c.significance("rand", **how)
    assert drawn.sd == gamma.sd


def test_drawing_stops_early_where_chance_often_reaches_the_value():
    found = cc.compare([0, 1] * 10, [0] * 10 + [1] * 10).significance("purity")
    assert found.stopped
    assert found.reached == 20
    assert found.p == 20 / found.n_resamples > 0.1
    # So few draws determine neither the mean nor the standard deviation.
    assert found.n_resamples < 100
    assert all(math.isnan(each) for each in (found.expected, found.sd, found.z, found.skewness))
    assert repr(found) == (
        f"purity 0.5000, p ≈ {found.p:.2g} (stopped when 20 of {found.n_resamples} permutations were as "
        "extreme, seed 0, one-sided: as large or larger)"
    )


def test_all_draws_give_the_share_that_counts_the_observed_value():
    found = cc.compare(U, V).significance("purity", n_resamples=200)
    assert (found.n_resamples, found.n_moment_draws, found.stopped) == (200, 200, False)
    assert found.p == (1 + found.reached) / 201
    assert found.reached < 20
    assert ", by chance about 0.509 ± 0.078, z = 4.5, p = " in repr(found)
    assert f"p = {found.p:.3g} (200 permutations, seed 0, one-sided" in repr(found)


def test_the_last_permutation_may_be_the_one_that_stops():
    c = cc.compare([0, 1] * 10, [0] * 10 + [1] * 10)
    needed = c.significance("purity").n_resamples
    last = c.significance("purity", n_resamples=needed)
    assert (last.stopped, last.reached, last.p) == (True, 20, 20 / needed)
    before = c.significance("purity", n_resamples=needed - 1)
    assert (before.stopped, before.reached, before.p) == (False, 19, 20 / needed)


def test_a_two_sided_test_draws_until_both_tails_are_reached():
    c = cc.compare(U, list("abcdabcdabcdab"))
    found = {tail: c.significance("purity", tail=tail) for tail in ("upper", "lower", "two-sided")}
    assert found["two-sided"].n_resamples == max(found[tail].n_resamples for tail in ("upper", "lower"))
    assert found["two-sided"].p == pytest.approx(2 * found["lower"].p, rel=1e-12)


def test_what_cannot_be_done_is_said():
    c = cc.compare(U, V)
    with pytest.raises(ParameterError, match="use 'permutations'"):
        c.significance("purity", method="gamma")
    with pytest.raises(ParameterError, match="closed form"):
        c.significance("nmi_arithmetic", method="gamma")
    with pytest.raises(ParameterError, match="n_resamples=0"):
        c.significance("rand", n_resamples=0)
    for seed in (-1, None, 1.5, True, "a"):
        with pytest.raises(ParameterError, match=f"seed={seed!r}: use a whole number"):
            c.significance("purity", seed=seed)
    with pytest.raises(ParameterError, match="method='normal'"):
        c.significance("rand", method="normal")
    random = np.random.default_rng(3)
    many = cc.compare(random.integers(0, 30, 3000), random.integers(0, 30, 3000))
    with pytest.raises(TooLargeError, match="method='auto'"):
        many.significance("rand", method="exact")
    huge = cc.Comparison.from_contingency([[10**20] * 2] * 2)
    assert huge.significance("rand").method == "gamma"
    with pytest.raises(TooLargeError, match="too many to permute"):
        huge.significance("bcubed_f")
    with pytest.raises(UndefinedError, match="nothing to test"):
        cc.compare([0, 0, 1], [0, 1, 1]).significance("mari")


def test_an_index_of_pairs_that_is_not_monotone_is_drawn_where_tables_are_too_many():
    random = np.random.default_rng(1)
    u = random.integers(0, 9, 300)
    c = cc.compare(u, np.where(random.random(300) < 0.12, u, random.integers(0, 9, 300)))
    assert c.significance("anderberg_d", n_resamples=99).method == "permutations"
    with pytest.raises(ParameterError, match="determines anderberg_d: use 'permutations'"):
        c.significance("anderberg_d", method="gamma")


def test_crossings_are_permuted():
    random = np.random.default_rng(1)
    u = np.minimum(random.geometric(0.4, 400), 8)
    v = np.where(random.random(400) < 0.06, u, np.minimum(random.geometric(0.3, 400), 8))
    c = cc.compare(u, v)
    for name in ("mari", "mari_raw"):
        found = c.significance(name, n_resamples=200)
        assert (found.method, found.expected) == ("permutations", pytest.approx(0, abs=0.01))
        with pytest.raises(ParameterError, match="use 'permutations'"):
            c.significance(name, method="gamma")


TAIL_NAMES = ("upper", "lower", "two-sided")
SMALL_MARGINS = [
    ((3, 2, 2), (4, 2, 1)),
    ((4, 1, 1, 1), (3, 2, 1, 1)),
    ((2, 2, 1), (2, 1, 1, 1)),
    ((4, 3), (5, 2)),
]


@cache
def shuffled(rows, columns):
    """A comparison for each table of all permutations, which all indices share, and how often it occurs."""
    tables = enumeration.cells_of_all_shuffles(rows, columns)
    return [(cc.Comparison.from_contingency(table), many) for table, many in tables]


EXACT = ["jaccard", "mirkin", "v_measure", "joint_entropy", "anderberg_d"]


@pytest.mark.parametrize("name", EXACT)
@pytest.mark.parametrize(("rows", "columns"), SMALL_MARGINS)
def test_every_tail_by_all_permutations(name, rows, columns):
    index = INDICES[name]
    sign = 1 if index.agreement == "larger" else -1
    values = [sign * c[name] for c, _ in shuffled(rows, columns)]
    weights = [Fraction(many, math.factorial(sum(rows))) for _, many in shuffled(rows, columns)]
    for (c, _), observed in zip(shuffled(rows, columns), values, strict=True):
        upper = sum(w for x, w in zip(values, weights, strict=True) if x >= observed - 1e-12)
        lower = sum(w for x, w in zip(values, weights, strict=True) if x <= observed + 1e-12)
        wanted = {"upper": upper, "lower": lower, "two-sided": min(2 * min(upper, lower), 1)}
        for tail in TAIL_NAMES:
            found = c.significance(name, tail=tail)
            assert (found.method, found.tail) == ("exact", tail)
            assert found.p == pytest.approx(float(wanted[tail]), rel=1e-12)
            assert found.p_at_most is None or found.p <= found.p_at_most
        if index.shares is None and index.views == (PairCounts,):  # moments are of the index itself
            mean = sum(float(w) * sign * x for x, w in zip(values, weights, strict=True))
            spread = sum(float(w) * (sign * x - mean) ** 2 for x, w in zip(values, weights, strict=True))
            assert (found.expected, found.sd) == pytest.approx((mean, math.sqrt(spread)), rel=1e-9)


@pytest.mark.parametrize(
    "name", ["purity", "classification_error", "bcubed_f", "purity_f1", "frobenius", "mari"]
)
def test_every_tail_by_drawn_permutations(name):
    index, rows, columns = INDICES[name], (3, 2, 2), (4, 2, 1)
    sign = 1 if index.agreement == "larger" else -1
    values = [(sign * c[name], many) for c, many in shuffled(rows, columns)]
    for c, _ in shuffled(rows, columns)[::4]:
        observed = sign * c[name]
        upper = sum(many for x, many in values if x >= observed - 1e-12) / math.factorial(7)
        lower = sum(many for x, many in values if x <= observed + 1e-12) / math.factorial(7)
        wanted = {"upper": upper, "lower": lower, "two-sided": min(2 * min(upper, lower), 1)}
        for tail in TAIL_NAMES:
            found = c.significance(name, tail=tail, n_resamples=4000)
            # After an early stop the relative error is 1/√20.
            assert found.p == pytest.approx(wanted[tail], rel=1.0 if found.stopped else 0.3)
            assert found.p_at_most is None


def test_the_gamma_distribution_has_half_a_step_on_either_side():
    c = cc.compare(U, V)
    known, n11_observed = moments(c._counts), c.pairs.n11
    upper, lower = (c.significance("rand", method="gamma", tail=tail) for tail in ("upper", "lower"))
    below = float((n11_observed - Fraction(1, 2) - known.mean) / Fraction(known.sd))
    above = float((n11_observed + Fraction(1, 2) - known.mean) / Fraction(known.sd))
    assert upper.log_p == pytest.approx(log_upper_pearson(below, known.skewness), rel=1e-12)
    assert lower.p == pytest.approx(1 - math.exp(log_upper_pearson(above, known.skewness)), rel=1e-9)
    assert upper.p + lower.p > 1


GOLDEN_2 = json.loads((Path(__file__).parents[1] / "golden" / "trust2.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    "case", GOLDEN_2["bounded_difference_bound"], ids=lambda case: f"{case['reference'][:2]}-{case['n11']}"
)
def test_golden_bounded_difference(case):
    profile = profile_of(case["reference"], case["candidate"])
    known = moments(profile)
    # With so large a variance the other bound is 1.
    loose, steps = replace(known, variance=Fraction(10**30)), squared_steps(profile)
    assert steps == case["step"] ** 2 * case["reveals"]
    for excess in (case["n11"] - known.mean, known.mean - case["n11"]):
        assert log_bound(loose, excess, steps) == pytest.approx(case["log_bound"], rel=1e-13)


@pytest.mark.parametrize("n", range(3, 9))
def test_bounds_hold_on_both_sides_of_all_small_tables(n):
    for rows, columns in enumeration.pairs_of_shapes(n):
        profile = profile_of(rows, columns)
        known, ways = moments(profile), totals(profile, "n11")
        if not known.variance:
            continue
        loose = replace(known, variance=Fraction(10**30))
        steps = squared_steps(profile)
        for observed in ways:
            excess = observed - known.mean
            exact = math.log(tails(ways, observed)[excess < 0])
            assert exact <= log_bound(known, excess, steps) + 1e-12
            assert exact <= log_bound(loose, excess, steps) + 1e-12
            cantelli = math.log(known.variance / (known.variance + excess**2))
            assert log_bound(known, excess, 10**9) == pytest.approx(cantelli, abs=1e-6)


def exact_against(case):
    """The significance of two partitions with these clusters and N₁₁, all other elements singletons."""
    n = case["n"]
    overlap = next(x for x in range(n) if math.comb(x, 2) == case["n11"])
    a, b = case["reference"][0], case["candidate"][0]
    u = [0] * a + list(range(1, n - a + 1))
    v = list(range(1, a - overlap + 1)) + [0] * b + list(range(a - overlap + 1, n - b + 1))
    return cc.compare(u, v)


@pytest.mark.parametrize("case", GOLDEN_2["one_cluster_each"], ids=lambda case: f"{case['n']}-{case['n11']}")
def test_one_cluster_on_each_side_is_exact(case):
    found = exact_against(case).significance("adjusted_rand")
    assert found.method == "exact"
    assert found.log_p == pytest.approx(case["log_p"], rel=1e-11)


def test_large_two_by_two_tables_are_exact():
    found = cc.Comparison.from_contingency([[300_900, 299_100], [299_100, 300_900]]).significance("rand")
    assert found.method == "exact"
    # Pearson's chi-squared statistic of one degree of freedom
    chi_square = 4 * 900**2 / 300_000
    assert found.p == pytest.approx(math.erfc(math.sqrt(chi_square / 2)), rel=0.01)


def test_pairs_against_pairs_are_exact():
    u = np.repeat(np.arange(100), 2)
    v = u.copy()
    v[20:] = np.roll(u[20:], 1)
    found = cc.compare(u, v).significance("jaccard")
    assert found.method == "exact"
    assert found.p < moments(cc.compare(u, v)._counts).mean ** 10 / math.factorial(10)  # the factorial moment


def test_a_p_value_is_never_zero():
    labels = np.repeat(np.arange(500), 4)
    found = cc.compare(labels, labels).significance("rand", method="gamma")
    assert found.log_p < -2000
    assert 0 < found.p < 1e-300
    assert 0 < found.p_at_most < 1e-100
    huge = exact_against({"n": 10**5, "n11": math.comb(400, 2), "reference": [400], "candidate": [400]})
    exact = huge.significance("rand")
    assert (exact.method, exact.log_p < -1000, exact.p > 0) == ("exact", True, True)
    assert "p < 1e-307 (exact, one-sided" in repr(exact)


def test_a_proven_bound_comes_before_an_unproven_value():
    random = np.random.default_rng(4)
    u = random.integers(0, 5, 500)

    def shown(share):
        v = np.where(np.arange(500) < share * 500, u, random.integers(0, 5, 500))
        return cc.compare(u, v).significance("adjusted_rand")

    middle, far, proven = shown(0.06), shown(0.10), shown(1.0)
    assert {each.method for each in (middle, far, proven)} == {"gamma"}
    assert middle.p > 1e-4
    assert f", p ≈ {middle.p:.2g} (gamma approximation, one-sided: as large or larger; at most 0." in repr(
        middle
    )
    assert 1e-5 < far.p < 1e-4 < far.p_at_most
    assert (
        ", p < 0.0001 (gamma approximation, not proven, one-sided: as large or larger; at most 0.0"
        in repr(far)
    )
    assert proven.p_at_most < 1e-4
    assert re.search(r", p <= \de-\d\d \(proven bound, one-sided: as large or larger\)$", repr(proven))
    assert float(re.search(r"p <= (\S+)", repr(proven))[1]) >= proven.p_at_most


def test_sentences():
    c = cc.compare(U, V)
    version = f"concordant {importlib.metadata.version('concordant')}"
    exact = c.significance("adjusted_rand")
    assert exact.headline == (
        f"Given the cluster sizes, an agreement at least as high (adjusted_rand {c.adjusted_rand:.4f}) has "
        f"probability {exact.p:.3g} under random permutation of the records (exact, one-sided; {version})."
    )
    lower = c.significance("joint_entropy", tail="lower").headline
    assert "an agreement at most as high (joint_entropy 1." in lower
    assert ", smaller means more agreement) has probability " in lower
    two = c.significance("rand", tail="two-sided")
    assert "at least as far from chance" in two.headline
    assert f"probability {two.p:.3g} under" in two.headline
    assert "(exact, two-sided: twice the smaller tail; " in two.headline
    labels = np.repeat(np.arange(10), 100)
    assert "has probability at most 8e-45 under" in cc.compare(labels, labels).significance("rand").headline
    settled = cc.compare([0, 0, 0, 0], [0, 0, 1, 1]).significance("rand").headline
    assert "cannot be compared with chance" in settled
    drawn = c.significance("purity", n_resamples=99, seed=7)
    assert "(99 permutations, seed 7, one-sided; " in drawn.headline


# -- which values mean more agreement ----------------------------------------------------------------------


def test_an_index_without_direction_has_no_p_value():
    without = {index.name for index in INDICES.values() if index.agreement is None}
    assert without == {"mcnemar", "reference_entropy", "candidate_entropy"}
    for name in without:
        with pytest.raises(ParameterError, match=f"neither larger nor smaller values of {name} mean more"):
            cc.compare(U, V).significance(name)


ON_PARTITIONS = [i for i in INDICES.values() if i.agreement and i.sides != "covers"]


@every_case("index", [i for i in ON_PARTITIONS if i.shares], ids=lambda i: i.name)
def test_the_direction_is_that_of_the_shared_count(index):
    sign = 1 if index.agreement == "larger" else -1
    count = (
        (lambda p: p.view(PairCounts).n11)
        if index.shares == "n11"
        else (lambda p: p.view(Information).mutual)
    )
    by_count = sorted((c for c, _ in shuffled((3, 2, 2), (4, 2, 1))), key=lambda c: count(c._counts))
    least, most = by_count[0], by_count[-1]
    assert sign * (most[index.name] - least[index.name]) > 0
    low, high = least.significance(index.name), most.significance(index.name)
    assert high.z > 0 > low.z
    assert high.p < low.p == 1


@every_case("index", ON_PARTITIONS, ids=lambda i: i.name)
def test_no_permutation_agrees_more_than_identical_partitions(index):
    sign = 1 if index.agreement == "larger" else -1
    tables = [c._counts for c, _ in shuffled((3, 2, 1), (3, 2, 1))]
    best = index.value(next(table for table in tables if table.identical))
    values = [index.value(table, "nan") for table in tables]
    assert max(sign * value for value in values if not math.isnan(value)) <= sign * best + 1e-12
    assert min(sign * value for value in values if not math.isnan(value)) < sign * best


def test_the_direction_is_shown():
    c = cc.compare(U, V)
    assert repr(c.significance("rand")).endswith("one-sided: as large or larger)")
    assert repr(c.significance("rand", tail="lower")).endswith("one-sided: as small or smaller)")
    assert repr(c.significance("mirkin")).endswith("one-sided: as small or smaller)")
    assert repr(c.significance("dom_q0", tail="lower")).endswith("one-sided: as large or larger)")
    assert repr(c.significance("joint_entropy", tail="two-sided")).endswith("(exact, two-sided)")


# -- covers and partial overlap ----------------------------------------------------------------------------


def test_covers_by_all_permutations_of_the_elements():
    elements = range(5)
    reference, candidate = [{0, 1, 2}, {2, 3}, {4}], [{0, 1}, {1, 2, 3}, {3, 4}]
    u = cc.Cover.from_clusters([list(cluster) for cluster in reference])
    c = cc.compare(u, cc.Cover.from_clusters([list(cluster) for cluster in candidate]))
    moved = [
        cc.compare(u, cc.Cover.from_clusters([[places[each] for each in cluster] for cluster in candidate]))
        for places in itertools.permutations(elements)
    ]
    for name in ("omega", "onmi_max", "extended_bcubed_f"):
        values = [each[name] for each in moved]
        for tail, side in (("upper", 1), ("lower", -1)):
            exact = sum(side * (value - c[name]) >= -1e-12 for value in values) / 120
            found = c.significance(name, tail=tail, n_resamples=3000)
            assert found.method == "permutations"
            assert found.p == pytest.approx(exact, rel=0.8 if found.stopped else 0.25)
            if found.n_moment_draws > 1000:
                assert found.expected == pytest.approx(np.mean(values), abs=4 * found.sd / math.sqrt(3000))
    assert c.significance("omega") == c.significance("omega")
    with pytest.raises(ParameterError, match="covers are tested by permutations"):
        c.significance("omega", method="gamma")
    with pytest.raises(CoverError, match="its form for covers is omega"):
        c.significance("adjusted_rand")


def test_elements_of_one_side_only_are_refused_with_the_reason():
    c = cc.compare({1: "a", 2: "a", 3: "b"}, {1: "a", 2: "b", 4: "b"}, unmatched="keep")
    with pytest.raises(UnmatchedError, match=r"permutes records .*unmatched='drop'"):
        c.significance("bcubed_f")
    scores = cc.coreference([[{"a"}, {"b", "c"}, {"d", "e", "f"}]], [[{"a"}, {"d", "e"}]])
    with pytest.raises(UnmatchedError, match="permutes records that both sides have"):
        scores.comparison.significance("blanc")
