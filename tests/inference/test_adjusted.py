"""Adjustment for chance of any index, and the sizes of clusters in random models."""

import json
import math
import re
from fractions import Fraction
from functools import cache
from pathlib import Path

import enumeration
import numpy as np
import pytest
from inner import adjusted, random_models

import concordant as cc
from concordant.errors import ParameterError, UndefinedError

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "trust.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", GOLDEN["together"]["num"], ids=str)
def test_golden_chances_of_so_many_clusters(case):
    # The golden value next to singletons has eleven digits; the one below has all.
    assert random_models.together_num(case["n"], case["k"]) == pytest.approx(case["p"], rel=1e-11)


@pytest.mark.parametrize("case", GOLDEN["together"]["all"], ids=str)
def test_golden_chances_of_any_number_of_clusters(case):
    assert random_models.together_all(case["n"]) == pytest.approx(case["p"], rel=1e-13)


def test_golden_sizes():
    found = dict(random_models.sizes_num(12, 4))
    for size, wanted in GOLDEN["expected_sizes_num_12_4"].items():
        assert found[int(size)] == pytest.approx(wanted, rel=1e-13)


@cache
def without_singletons(n, k):
    """Partitions of n elements into k clusters of two or more."""
    if n == 0 or k == 0:
        return int(n == k)
    if n < 2 * k:
        return 0
    return k * without_singletons(n - 1, k) + (n - 1) * without_singletons(n - 2, k - 1)


@pytest.mark.parametrize(("n", "singles_less"), [(10**6, 10), (10**6, 200), (10**5, 40)])
def test_nearly_all_singletons(n, singles_less):
    def partitions(m, k):
        more = m - k
        return sum(math.comb(m, more + j) * without_singletons(more + j, j) for j in range(more + 1))

    k = n - singles_less
    exact = Fraction(partitions(n - 1, k), partitions(n, k))
    assert random_models.together_num(n, k) == pytest.approx(float(exact), rel=1e-14)


def test_models_of_a_million_elements():
    c = cc.compare(np.arange(10**6) // 1000, np.arange(10**6) // 2000)
    assert c["adjusted_rand_models"] == pytest.approx(c.adjusted_rand, abs=0.01)
    assert 0 < c["ami_models(model='all', sides='one')"] < 1


def some_comparison():
    random = np.random.default_rng(0)
    u = (random.random(200) ** 2 * 8).astype(int)
    return cc.compare(u, np.where(random.random(200) < 0.5, u, (random.random(200) ** 2 * 8).astype(int)))


def test_the_mean_is_exact_where_the_index_is_linear():
    c = some_comparison()
    found = c.adjusted("rand")
    assert found.value == pytest.approx(c.adjusted_rand, rel=1e-13)
    assert (found.se, found.n_draws, found.seed) == (0, 0, None)
    assert c.adjusted("nmi_arithmetic").value == pytest.approx(c.adjusted_mutual_information, rel=1e-12)
    assert c.adjusted("bcubed_precision").value == pytest.approx(c.adjusted_bcubed_precision, rel=1e-12)
    assert c.adjusted("variation_of_information").value == pytest.approx(
        c.adjusted_mutual_information, rel=1e-12
    )


@pytest.mark.parametrize("name", ["jaccard", "bcubed_f", "purity", "matching_accuracy", "talburt_wang"])
def test_else_it_is_drawn_and_the_error_is_honest(name):
    tables = enumeration.cells_of_all_shuffles((3, 2, 2), (4, 2, 1))
    everything = math.factorial(7)
    mean = sum(cc.Comparison.from_contingency(t)[name] * many for t, many in tables) / everything
    c = cc.Comparison.from_contingency([[3, 0, 0], [1, 1, 0], [0, 1, 1]])
    found = c.adjusted(name, tolerance=0.004)
    assert found.se <= 0.004
    assert found.n_draws >= 192
    assert found.value == pytest.approx((c[name] - mean) / (1 - mean), abs=4 * found.se)
    assert found == c.adjusted(name, tolerance=0.004)


@pytest.mark.parametrize("name", ["jaccard", "yule_q", "overlap_simpson"])
def test_curvature_gives_the_mean_where_pairs_barely_vary(name, monkeypatch):
    random = np.random.default_rng(4)
    u = random.integers(0, 10, 2000)
    c = cc.compare(u, np.where(random.random(2000) < 0.5, u, random.integers(0, 10, 2000)))
    found = c.adjusted(name)
    assert found.n_draws == 0
    assert found.se <= 0.0005
    monkeypatch.setattr(adjusted, "expanded_mean", lambda *_: None)
    drawn = c.adjusted(name)
    assert drawn.n_draws or (found.se == 0 and "exact" in repr(found))
    assert found.value == pytest.approx(drawn.value, abs=4 * drawn.se + found.se)


def test_a_million_elements_are_adjusted_without_a_draw():
    c = cc.compare(np.arange(10**6) // 1000, np.arange(10**6) // 2000)
    found = c.adjusted("jaccard")
    assert 0 < found.se < 1e-9
    assert "approximated by curvature, error about" in repr(found)
    pairs = c.pairs
    mean = pairs.in_reference * pairs.in_candidate / pairs.all
    assert found.expected == pytest.approx(mean / (pairs.in_reference + pairs.in_candidate - mean), rel=1e-2)


def test_the_best_is_the_best():
    assert cc.compare(list("aabbcc"), list("xxyyzz")).adjusted("purity").value == 1


def test_what_is_answered_can_be_read_and_stored():
    found = some_comparison().adjusted("bcubed_f")
    assert re.match(r"bcubed_f 0\.\d+, adjusted for chance 0\.", repr(found))
    assert f"seed {found.seed}" in found._repr_html_()
    assert json.loads(json.dumps(found.to_dict()))["value"] == found.value


def test_what_cannot_be_adjusted_is_said():
    c = some_comparison()
    with pytest.raises(ParameterError, match="no scale"):
        c.adjusted("chi_square")
    with pytest.raises(ParameterError, match="tolerance=0"):
        c.adjusted("rand", tolerance=0)
    with pytest.raises(UndefinedError, match="by chance, too"):
        cc.compare([0, 0, 1], [0, 0, 0]).adjusted("recall")
    with pytest.raises(UndefinedError, match="nothing to adjust"):
        cc.compare([0, 0, 1], [0, 0, 0]).adjusted("cramers_v")
