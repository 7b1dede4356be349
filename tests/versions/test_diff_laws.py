"""The claims of the indices of diffs, on all diffs of up to four records; of four, truths differ by sizes."""

import math
from functools import cache
from itertools import product

import numpy as np
from cases import every_case
from inner import DIFF_INDICES
from universe import one_of_renamed, partitions

import concordant as cc

TRUTHS_OF_FOUR = [(0, 0, 0, 0), (0, 0, 0, 1), (0, 0, 1, 1), (0, 0, 1, 2), (0, 1, 2, 3)]  # by cluster sizes
TRUTHS = [(size, truth) for size in (2, 3) for truth in partitions(size)]
TRUTHS += [(4, truth) for truth in TRUTHS_OF_FOUR]

every_index = every_case("name", DIFF_INDICES)


@cache
def diffs(size, truth):
    """The counts of all diffs with this truth, by base and experiment.

    Diffs that are the same but for the names of the records are counted once.
    """
    made = cache(lambda base, other: cc.diff(list(base), list(other), reference=list(truth))._sizes)
    return {
        (i, j): made(*one_of_renamed(truth, u, v))
        for (i, u), (j, v) in product(enumerate(partitions(size)), repeat=2)
    }


def distinct(counts):
    """Each object once, by its identity."""
    return {id(each): each for each in counts}


@cache
def values(name, size, truth):
    """The values of all diffs with this truth, as a matrix."""
    runs, counts = len(partitions(size)), [*diffs(size, truth).values()]
    found = {key: DIFF_INDICES[name].value(each) for key, each in distinct(counts).items()}
    return np.array([found[id(each)] for each in counts]).reshape(runs, runs)


@every_index
def test_the_range_holds_and_is_reached_where_declared(name):
    index = DIFF_INDICES[name]
    found = np.concatenate([values(name, *each).ravel() for each in TRUTHS])
    low, high = index.range
    assert low <= found.min()
    assert found.max() <= high
    reached = [math.isclose(found.min(), low), math.isclose(found.max(), high)]
    assert reached == [True, True] if index.tight else False in reached


@every_index
def test_runs_with_the_same_clusters_have_the_perfect_value(name):
    for each in TRUTHS:
        assert np.all(values(name, *each).diagonal() == DIFF_INDICES[name].perfect)


@every_index
def test_values_of_swapped_runs(name):
    index = DIFF_INDICES[name]
    swapped = [np.array_equal(values(name, *t), values(index.mirror or name, *t).T) for t in TRUTHS]
    own = [np.array_equal(values(name, *t), values(name, *t).T) for t in TRUTHS]
    assert all(swapped) == (index.mirror is not None)
    assert all(own) == index.symmetric


@every_index
def test_only_declared_metrics_obey_the_triangle_inequality_and_separate_runs(name):
    """An index with a sign is compared by its absolute value, which separates no more than the index does."""
    holds = True
    for each in TRUTHS:
        distance = abs(values(name, *each) - DIFF_INDICES[name].perfect)
        with np.errstate(invalid="ignore"):
            detour = distance[:, :, None] + distance[None, :, :]
        apart = ~np.eye(len(distance), dtype=bool)
        holds &= bool(np.all(distance[:, None, :] <= detour + 1e-12) and np.all(distance[apart] > 0))
        holds &= np.allclose(distance, distance.T)
    assert holds == DIFF_INDICES[name].metric


@every_index
def test_a_formula_is_undefined_for_different_runs_only_where_declared(name):
    index = DIFF_INDICES[name]
    differing = distinct(sizes for each in TRUTHS for (i, j), sizes in diffs(*each).items() if i != j)
    is_undefined = any(map(index.is_undefined, differing.values()))
    assert is_undefined == (index.undefined is not None)


@every_index
def test_an_index_without_a_truth_has_the_same_value(name):
    base, experiment, truth = [0, 0, 1, 1, 2], [0, 0, 0, 1, 1], [0, 1, 1, 1, 2]
    d, judged = cc.diff(base, experiment), cc.diff(base, experiment, reference=truth)
    assert (name in d) == ("diff" in DIFF_INDICES[name].kinds)
    assert name in judged
    if name in d:
        assert d.exact(name) == judged.exact(name)


@every_index
def test_an_explanation_names_range_and_truth(name):
    text = str(cc.explain(name))
    assert f"range      {DIFF_INDICES[name].range_text}" in text
    assert ("not needed" in text) == ("diff" in DIFF_INDICES[name].kinds)
