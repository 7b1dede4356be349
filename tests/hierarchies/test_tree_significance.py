"""Significance of tree indices: against all permutations, and what is refused."""

from __future__ import annotations

import math
import random
from functools import cache
from itertools import permutations

import numpy as np
import pytest
from tree_oracle import all_trees, hierarchy

import concordant as cc
from concordant.errors import ParameterError, TooLargeError, UndefinedError

HEIGHTS = {1: 1.0, 2: 2.5, 3: 3.0, 4: 7.0}


def renamed(tree, names):
    """The nested tree with other leaves."""
    return names[tree] if isinstance(tree, int) else [renamed(child, names) for child in tree]


NAMES = ("cophenetic_correlation", "bakers_gamma", "triplet_agreement", "robinson_foulds")


@cache
def pairs_of_five_leaves():
    """Pairs of trees, each with the comparisons with every renaming of the second tree."""
    rng, trees = random.Random(1), all_trees(range(5))
    pairs = [[rng.choice(trees) for _ in range(2)] for _ in range(5)]
    return [
        [
            cc.compare(hierarchy(u, HEIGHTS), hierarchy(renamed(v, names), HEIGHTS))
            for names in permutations(range(5))
        ]
        for u, v in pairs
    ]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("tail", ["upper", "lower"])
def test_few_elements_are_tested_by_all_permutations(name, tail):
    sign = -1 if name == "robinson_foulds" else 1
    for renamings in pairs_of_five_leaves():
        c = renamings[0]  # the names as they are
        if math.isnan(c[name]):
            continue
        found = c.significance(name, tail=tail)
        values = np.array([each[name] for each in renamings])
        observed = sign * c[name]
        extreme = sign * values >= observed - 1e-12 if tail == "upper" else sign * values <= observed + 1e-12
        if found.method == "settled":
            assert values.std() < 1e-12
        else:
            assert found.p == pytest.approx(extreme.mean())
            assert found.sd == pytest.approx(values.std())


def random_tree(n: int, seed: int, names=None) -> cc.Hierarchy:
    rng = np.random.default_rng(seed)
    rows, waiting, size = [], list(range(n)), dict.fromkeys(range(n), 1)
    for node in range(n, 2 * n - 1):
        joined = [waiting.pop(rng.integers(len(waiting))) for _ in range(2)]
        size[node] = sum(size[each] for each in joined)
        rows.append([*joined, 0.0, size[node]])
        waiting.append(node)
    for row, height in zip(rows, np.sort(rng.random(n - 1)), strict=True):
        row[2] = height
    return cc.Hierarchy.from_linkage(rows, records=range(n) if names is None else names)


@cache
def permuted_trees():
    """The reference of 30 leaves, and its comparisons with permutations of the leaves of another tree."""
    reference, random_ = random_tree(30, 1), np.random.default_rng(3)
    permuted = [random_tree(30, 2, random_.permutation(30).tolist()) for _ in range(1000)]
    return reference, [cc.compare(reference, each) for each in permuted]


@pytest.mark.parametrize("name", NAMES[:2])
def test_moments_and_p_agree_with_permutations(name):
    reference, permuted = permuted_trees()
    c = cc.compare(reference, random_tree(30, 2))
    exact = c.significance(name)
    assert exact.method == "gamma"
    assert exact.expected == 0
    draws = np.array([each[name] for each in permuted])
    assert exact.sd == pytest.approx(np.std(draws), rel=0.08)
    assert exact.p == pytest.approx(np.mean(draws >= c[name]), abs=0.04)
    drawn = c.significance(name, method="permutations", n_resamples=300, seed=5)
    again = c.significance(name, method="permutations", n_resamples=300, seed=5)
    assert drawn == again
    assert drawn.seed == 5


def test_the_sentence_names_what_is_kept():
    found = cc.compare(random_tree(12, 1), random_tree(12, 1)).significance("bakers_gamma")
    assert found.headline.startswith("Given both trees, an agreement at least as high (bakers_gamma 1)")
    assert found.p_at_most == pytest.approx(1 / (1 + found.z**2))
    assert found.p >= 1 / math.factorial(12)


def test_what_has_no_p_value_is_refused():
    star, tree = hierarchy([0, 1, 2, 3, 4]), hierarchy([[0, 1], [2, [3, 4]]])
    with pytest.raises(UndefinedError, match="nothing to test"):
        cc.compare(star, tree).significance("cophenetic_correlation")
    with pytest.raises(ParameterError, match="describes a drawing"):
        cc.compare(tree, tree).significance("entanglement")
    large = cc.compare(random_tree(9, 1), random_tree(9, 2))
    with pytest.raises(ParameterError, match="permutations"):
        large.significance("triplet_agreement", method="gamma")
    with pytest.raises(TooLargeError, match="9 records have too many"):
        large.significance("bakers_gamma", method="exact")


def test_every_permutation_alike_is_settled_not_significant():
    # A star has the same triplets whatever its elements are.
    star, tree = hierarchy([0, 1, 2, 3]), hierarchy([[0, 1], [2, 3]])
    found = cc.compare(star, tree).significance("triplet_agreement")
    assert (found.method, found.p) == ("settled", 1.0)
