"""What indices are by chance, against golden values and every shuffle of a few elements."""

import json
import math
from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import permutations
from pathlib import Path

import enumeration
import numpy as np
import pytest
import universe
from inner import INDICES, Elements, ShuffledElements

import concordant as cc

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "trust.json").read_text(encoding="utf-8"))

SUMS = [
    "over_a",
    "over_b",
    "over_larger",
    "over_union",
    "over_product",
    "over_aa",
    "links_of_u",
    "links_of_v",
    "dependence",
    "apart",
    "gain_from_u",
    "gain_from_v",
    "cells",
    "kept",
]


@pytest.mark.parametrize("case", GOLDEN["expected_under_shuffling"], ids=lambda case: str(case["rows"]))
def test_golden_means(case):
    u, v = (enumeration.labels(case[side]) for side in ("rows", "columns"))
    profile = cc.compare(u, v)._counts
    for name in ("bcubed_precision", "bcubed_recall", "element_centric"):
        assert INDICES[name].by_chance(profile) == pytest.approx(float(Fraction(case[name])), rel=1e-14)
    mean = profile.view(ShuffledElements, exact=True)
    assert mean.cells == Fraction(case["cells"])
    assert mean.dependence == Fraction(case["mean_square_contingency"])


@cache
def mean_sums(rows, columns):
    """A profile of these cluster sizes, and the mean of each sum over all permutations."""
    tables = enumeration.cells_of_all_shuffles(rows, columns)
    profiles = [(cc.Comparison.from_contingency(table)._counts, many) for table, many in tables]
    elements = [(profile.view(Elements, exact=True), many) for profile, many in profiles]
    return profiles[0][0], {
        name: sum(Fraction(getattr(each, name)) * many for each, many in elements) / math.factorial(sum(rows))
        for name in SUMS
    }


@pytest.mark.parametrize("exact", [False, True])
def test_means_of_all_sums_over_the_overlaps(exact):
    for rows, columns in (*enumeration.pairs_of_shapes(5), *enumeration.pairs_of_shapes(6)[::6]):
        profile, wanted = mean_sums(rows, columns)
        mean = profile.view(ShuffledElements, exact)
        for name in SUMS:
            found = float(getattr(mean, name))
            assert found == pytest.approx(float(wanted[name]), rel=1e-12, abs=1e-12), name


def test_means_of_many_elements_are_those_of_shuffles():
    random = np.random.default_rng(2)
    u, v = random.integers(0, 40, 3000) ** 2 // 40, random.integers(0, 25, 3000)
    mean = cc.compare(u, v)._counts.view(ShuffledElements)
    drawn = [cc.compare(u, random.permutation(v))._counts.view(Elements) for _ in range(40)]
    for name in SUMS:
        values = np.array([float(getattr(e, name)) for e in drawn])
        error = values.std() / math.sqrt(len(values))
        assert float(getattr(mean, name)) == pytest.approx(values.mean(), abs=5 * error + 1e-9), name


def test_an_index_without_closed_form_has_no_mean():
    profile = cc.compare([0, 0, 1, 1], [0, 1, 1, 1])._counts
    assert INDICES["purity"].by_chance(profile) is None
    assert INDICES["jaccard"].by_chance(profile) is None
    assert INDICES["adjusted_rand"].by_chance(profile) == 0


@pytest.mark.parametrize("size", range(1, universe.LARGEST + 1))
def test_chance_is_the_mean_over_all_permutations_also_where_formulas_are_0_over_0(size):
    indices = [x for index in INDICES.values() for x in (index, *index.samples) if x.adjusted or x.linear]
    shapes = {universe.shape(labels): labels for labels in universe.partitions(size)}
    known = 0
    for u in shapes.values():
        for v in shapes.values():
            profiles = (universe.profile(u, universe.canonical(order)) for order in permutations(v))
            shuffled = Counter(universe.one_of_its_kind(profile, 1) for profile in profiles)
            for index in indices:
                found = index.by_chance(universe.profile(u, v))
                if found is not None:
                    total = math.fsum(index.value(profile) * many for profile, many in shuffled.items())
                    wanted = total / shuffled.total()
                    assert found == pytest.approx(wanted, rel=1e-9, abs=1e-9), (index.name, u, v)
                    known += 1
    assert known


def test_every_permutation_of_one_cluster_is_identical():
    assert INDICES["adjusted_rand"].by_chance(cc.Comparison.from_contingency([[4]])._counts) == 1
    line = next(line for line in str(cc.compare([0] * 6, [0] * 6)).splitlines() if "adjusted_rand" in line)
    assert line.endswith("chance 1.0000")
    assert INDICES["phi"].by_chance(cc.Comparison.from_contingency([[2, 2]])._counts) is None
