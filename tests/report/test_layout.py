"""Trees and maps from distances, against SciPy and by their own laws."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from inner import average_linkage, classical_scaling
from scipy.cluster.hierarchy import linkage
from scipy.spatial.distance import squareform


def some_distances(size, seed, decimals=9):
    points = np.random.default_rng(seed).normal(size=(size, 3)).round(decimals)
    return np.sqrt(((points[:, None] - points[None]) ** 2).sum(axis=2))


def leaves_below(merges, size):
    """The leaves of each merge."""
    below = [{leaf} for leaf in range(size)]
    for one, other, _ in merges:
        below.append(below[one] | below[other])
    return below[size:]


@pytest.mark.parametrize("size", [2, 3, 10, 60])
def test_the_tree_is_that_of_scipy(size):
    distances = some_distances(size, seed=size)
    merges, _ = average_linkage(distances)
    peer = linkage(squareform(distances, checks=False), "average")
    np.testing.assert_allclose([height for _, _, height in merges], peer[:, 2])
    below = [{leaf} for leaf in range(size)]
    for one, other, *_ in peer:
        below.append(below[int(one)] | below[int(other)])
    assert leaves_below(merges, size) == below[size:]


@given(st.integers(1, 12), st.integers(0, 10**6), st.integers(0, 2))
def test_leaves_of_a_branch_stand_together(size, seed, decimals):
    """Also with ties, which rounding makes."""
    merges, leaves = average_linkage(some_distances(size, seed, decimals))
    assert sorted(leaves) == list(range(size))
    place = {leaf: i for i, leaf in enumerate(leaves)}
    for below in leaves_below(merges, size):
        places = sorted(place[leaf] for leaf in below)
        assert places == list(range(places[0], places[0] + len(places)))
    for one, other, height in merges:
        assert all(merges[each - size][2] <= height for each in (one, other) if each >= size)


def test_a_single_leaf_and_none():
    assert average_linkage(np.zeros((1, 1))) == ([], [0])
    assert average_linkage(np.zeros((0, 0))) == ([], [])
    assert classical_scaling(np.zeros((1, 1)))[0].tolist() == [[0.0, 0.0]]


def test_points_of_a_plane_are_found_again():
    points = np.random.default_rng(0).normal(size=(12, 2))
    distances = np.hypot(*(points[:, None] - points[None]).transpose(2, 0, 1))
    found, share = classical_scaling(distances)
    np.testing.assert_allclose(
        np.hypot(*(found[:, None] - found[None]).transpose(2, 0, 1)), distances, atol=1e-9
    )
    assert share == pytest.approx(1)


def test_what_does_not_fit_on_a_plane_is_told():
    corners = 1 - np.eye(4)  # the corners of a tetrahedron, which are the same in three directions
    assert classical_scaling(corners)[1] == pytest.approx(2 / 3)
    assert classical_scaling(np.zeros((3, 3)))[1] == 1
