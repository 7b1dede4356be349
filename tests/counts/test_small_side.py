"""Exact distributions of N₁₁ where one side is simple: golden values and all permutations."""

import json
import math
from collections import Counter
from fractions import Fraction
from pathlib import Path

import enumeration
import pytest
from inner import n11_ways, overlap_log_tails, tails

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "trust2.json").read_text(encoding="utf-8"))
AFFORDED = 10**6


def sizes_of(clusters, n):
    """The number of clusters of each size; elements in none of these clusters are singletons."""
    found = Counter(clusters)
    found[1] += n - sum(clusters)
    return {size: many for size, many in found.items() if many}


def margins_of(case):
    return sizes_of(case["reference"], case["n"]), sizes_of(case["candidate"], case["n"]), case["n"]


@pytest.mark.parametrize("case", GOLDEN["one_cluster_each"], ids=lambda case: f"{case['n']}-{case['n11']}")
def test_golden_one_cluster_each(case):
    upper, lower = tails(n11_ways(*margins_of(case), AFFORDED), case["n11"])
    assert math.log(upper) == pytest.approx(case["log_p"], rel=1e-14)
    by_floats = overlap_log_tails(*margins_of(case), case["n11"])
    assert by_floats[0] == pytest.approx(case["log_p"], rel=1e-12)
    assert by_floats[1] == pytest.approx(math.log(lower), rel=1e-11)


@pytest.mark.parametrize("case", GOLDEN["one_cluster_against_many"], ids=lambda case: str(case["candidate"]))
def test_golden_one_cluster_against_many(case):
    ways = n11_ways(*margins_of(case), AFFORDED)
    assert tails(ways, case["n11"])[0] == Fraction(*case["p"])
    assert sum(ways.values()) == math.comb(case["n"], case["reference"][0])


def is_simple(shape):
    return sum(size > 1 for size in shape) == 1 or max(shape) == 2


@pytest.mark.parametrize("n", range(2, 8))
def test_simple_sides_have_the_distribution_of_all_permutations(n):
    for rows, columns in enumeration.pairs_of_shapes(n):
        ways = n11_ways(Counter(rows), Counter(columns), n, AFFORDED)
        assert (ways is not None) == (is_simple(rows) or is_simple(columns))
        if ways is not None:
            every = enumeration.n11_of_all_shuffles(rows, columns)
            repeats = Fraction(math.factorial(n), sum(ways.values()))
            assert {n11: repeats * many for n11, many in ways.items()} == every


@pytest.mark.parametrize("n", range(2, 8))
def test_tails_by_one_overlap_are_those_of_all_permutations(n):
    for rows, columns in enumeration.pairs_of_shapes(n):
        every = enumeration.n11_of_all_shuffles(rows, columns)
        one_overlap = len(rows) == len(columns) == 2 or all(
            sum(size > 1 for size in side) == 1 for side in (rows, columns)
        )
        for observed in every:
            found = overlap_log_tails(Counter(rows), Counter(columns), n, observed)
            assert (found is not None) == one_overlap
            if found is not None:
                assert found == pytest.approx([math.log(tail) for tail in tails(every, observed)], abs=1e-14)


def test_the_cost_is_known_before_the_work_begins():
    pairs = {2: 10**6}
    assert n11_ways(pairs, pairs, 2 * 10**6, AFFORDED) is None
    assert n11_ways({300: 1, 1: 10**5}, {20: 5015}, 100_300, AFFORDED) is None
    assert n11_ways({10**9: 1, 1: 10**9}, {10**9: 1, 1: 10**9}, 2 * 10**9, AFFORDED) is None
    assert overlap_log_tails({10**8: 2}, {10**8: 2}, 2 * 10**8, 10**15) is None
    assert overlap_log_tails({2: 1, 1: 10**12}, {2: 1, 1: 10**12}, 10**12 + 2, 1) is None


@pytest.mark.parametrize("n", range(12, 84, 8))
def test_long_integers_hold_every_coefficient(n):
    """No digit overflows into the next one: all choices are counted."""
    ways = n11_ways({n // 2: 1, 1: n - n // 2}, {4: n // 4}, n, AFFORDED)
    assert sum(ways.values()) == math.comb(n, n // 2)
    for pairs in range(1, n // 2 + 1, 4):
        ways = n11_ways({2: pairs, 1: n - 2 * pairs}, {4: n // 4}, n, AFFORDED)
        orders = math.factorial(pairs) << pairs
        assert sum(ways.values()) == math.perm(n, 2 * pairs) // orders
