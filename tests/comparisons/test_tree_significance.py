"""Significance of tree indices: against all permutations, and what is refused."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest
from inner import TREE_INDICES, RootedTree, TreePair, significance
from tree_oracle import all_trees, permuted_trees, rooted

from concordant.errors import ParameterError, TooLargeError, UndefinedError

HEIGHTS = {1: 1.0, 2: 2.5, 3: 3.0, 4: 7.0}


@pytest.mark.parametrize(
    "name", ["cophenetic_correlation", "bakers_gamma", "triplet_agreement", "robinson_foulds"]
)
@pytest.mark.parametrize("tail", ["upper", "lower"])
def test_few_elements_are_tested_by_all_permutations(name, tail):
    index, rng = TREE_INDICES[name], random.Random(1)
    trees = all_trees(range(5))
    for _ in range(5):
        both = TreePair(rooted(rng.choice(trees), HEIGHTS), rooted(rng.choice(trees), HEIGHTS))
        if index.assess(both)[1]:
            continue
        found = significance(both, index, tail=tail)
        values = np.array([index.value(each) for each in permuted_trees(both)])
        more = index.value(both) if index.agreement == "larger" else -index.value(both)
        signed = values if index.agreement == "larger" else -values
        extreme = signed >= more - 1e-12 if tail == "upper" else signed <= more + 1e-12
        if found.method == "settled":
            assert values.std() < 1e-12
        else:
            assert found.p == pytest.approx(extreme.mean())
            assert found.sd == pytest.approx(values.std())


def random_tree(n: int, seed: int) -> RootedTree:
    rng = np.random.default_rng(seed)
    parent, waiting = np.full(2 * n - 1, -1, dtype=np.int64), list(range(n))
    for node in range(n, 2 * n - 1):
        for _ in range(2):
            parent[waiting.pop(rng.integers(len(waiting)))] = node
        waiting.append(node)
    return RootedTree.of(parent, np.arange(1, n), np.sort(rng.random(n - 1)))


@pytest.mark.parametrize("name", ["cophenetic_correlation", "bakers_gamma"])
def test_moments_and_p_agree_with_permutations(name):
    trees = TreePair(random_tree(30, 1), random_tree(30, 2))
    index = TREE_INDICES[name]
    exact = significance(trees, index)
    assert exact.method == "gamma"
    assert exact.expected == 0
    random_ = np.random.default_rng(3)
    draws = [index.value(TreePair(trees.u, trees.v.permuted(random_.permutation(30)))) for _ in range(1500)]
    assert exact.sd == pytest.approx(np.std(draws), rel=0.08)
    share = np.mean(np.array(draws) >= index.value(trees))
    assert exact.p == pytest.approx(share, abs=0.04)
    drawn = significance(trees, index, method="permutations", permutations=300, seed=5)
    again = significance(trees, index, method="permutations", permutations=300, seed=5)
    assert drawn == again
    assert drawn.seed == 5


def test_the_sentence_names_what_is_kept():
    trees = TreePair(random_tree(12, 1), random_tree(12, 1))
    found = significance(trees, TREE_INDICES["bakers_gamma"])
    assert found.sentence.startswith("Given both trees, an agreement at least as high (bakers_gamma 1)")
    assert found.p_at_most == pytest.approx(1 / (1 + found.z**2))
    assert found.p >= 1 / math.factorial(12)


def test_what_has_no_p_value_is_refused():
    star, tree = rooted([0, 1, 2, 3, 4]), rooted([[0, 1], [2, [3, 4]]])
    with pytest.raises(UndefinedError, match="nothing to test"):
        significance(TreePair(star, tree), TREE_INDICES["cophenetic_correlation"])
    with pytest.raises(ParameterError, match="describes a drawing"):
        significance(TreePair(tree, tree), TREE_INDICES["entanglement"])
    large = TreePair(random_tree(9, 1), random_tree(9, 2))
    with pytest.raises(ParameterError, match="permutations"):
        significance(large, TREE_INDICES["triplet_agreement"], method="gamma")
    with pytest.raises(TooLargeError, match="9 elements have too many"):
        significance(large, TREE_INDICES["bakers_gamma"], method="exact")


def test_every_permutation_alike_is_settled_not_significant():
    # A star has the same triplets whatever its elements are.
    star, tree = rooted([0, 1, 2, 3]), rooted([[0, 1], [2, 3]])
    found = significance(TreePair(star, tree), TREE_INDICES["triplet_agreement"])
    assert (found.method, found.p) == ("settled", 1.0)
