"""Significance of tree indices: against all permutations, and what is refused."""

from __future__ import annotations

import math
import random
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


@pytest.mark.parametrize(
    "name", ["cophenetic_correlation", "bakers_gamma", "triplet_agreement", "robinson_foulds"]
)
@pytest.mark.parametrize("tail", ["upper", "lower"])
def test_few_elements_are_tested_by_all_permutations(name, tail):
    rng, sign = random.Random(1), -1 if name == "robinson_foulds" else 1
    trees = all_trees(range(5))
    for _ in range(5):
        u, v = (rng.choice(trees) for _ in range(2))
        reference = hierarchy(u, HEIGHTS)
        c = cc.compare(reference, hierarchy(v, HEIGHTS))
        if math.isnan(getattr(c, name)):
            continue
        found = c.significance(name, tail=tail)
        values = np.array(
            [
                getattr(cc, name)(reference, hierarchy(renamed(v, names), HEIGHTS))
                for names in permutations(range(5))
            ]
        )
        observed = sign * getattr(c, name)
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


@pytest.mark.parametrize("name", ["cophenetic_correlation", "bakers_gamma"])
def test_moments_and_p_agree_with_permutations(name):
    reference = random_tree(30, 1)
    c = cc.compare(reference, random_tree(30, 2))
    exact = c.significance(name)
    assert exact.method == "gamma"
    assert exact.expected == 0
    random_ = np.random.default_rng(3)
    draws = [
        getattr(cc, name)(reference, random_tree(30, 2, random_.permutation(30).tolist()))
        for _ in range(1500)
    ]
    assert exact.sd == pytest.approx(np.std(draws), rel=0.08)
    share = np.mean(np.array(draws) >= getattr(c, name))
    assert exact.p == pytest.approx(share, abs=0.04)
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
    with pytest.raises(TooLargeError, match="9 elements have too many"):
        large.significance("bakers_gamma", method="exact")


def test_every_permutation_alike_is_settled_not_significant():
    # A star has the same triplets whatever its elements are.
    star, tree = hierarchy([0, 1, 2, 3]), hierarchy([[0, 1], [2, 3]])
    found = cc.compare(star, tree).significance("triplet_agreement")
    assert (found.method, found.p) == ("settled", 1.0)
