"""Random trees against the definition: leaves are together if their lowest common ancestor is low enough."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from inner import data_of
from test_hierarchy import clusters_of

import concordant as cc
from concordant.errors import HierarchyError


@st.composite
def trees(draw):
    """Leaves and inner nodes with rising heights, some nodes with one child; maybe a forest."""
    leaves = draw(st.integers(1, 7))
    free = [f"leaf{i}" for i in range(leaves)]
    parents, heights = {}, {}
    for number in range(draw(st.integers(0, 7))):
        children = draw(st.lists(st.sampled_from(free), min_size=1, max_size=4, unique=True))
        name = f"node{number}"
        parents |= dict.fromkeys(children, name)
        low = max((heights.get(child, 0) for child in children), default=0)
        heights[name] = low + draw(st.sampled_from([0, 0, 0.5, 1]))
        free = [each for each in free if each not in children] + [name]
    return parents | dict.fromkeys(free), heights, [f"leaf{i}" for i in range(leaves)]


def ancestors(parents, node):
    while node is not None:
        yield node
        node = parents[node]


def together(parents, heights, leaves, height):
    """The clusters at a height, pair by pair."""
    clusters = {frozenset([leaf]) for leaf in leaves}
    for one in leaves:
        above = list(ancestors(parents, one))
        joined = {one}
        for other in leaves:
            common = next((x for x in ancestors(parents, other) if x in above), None)
            if common is not None and (other == one or heights[common] <= height):
                joined.add(other)
        clusters = {each for each in clusters if not each & joined} | {frozenset(joined)}
    return sorted(sorted(cluster) for cluster in clusters)


@given(trees())
def test_cuts_at_every_height(tree):
    parents, heights, leaves = tree
    h = cc.Hierarchy.from_parents(parents, heights=heights)
    assert sorted(h.records) == leaves
    for height in {-1.0, 0.25, *heights.values()}:
        assert clusters_of(h.cut(height=height)) == together(parents, heights, leaves, height)
    assert (np.diff(data_of(h).level_heights) > 0).all()
    assert (np.diff(data_of(h).clusters) < 0).all()
    inner = data_of(h).parent[data_of(h).parent >= 0]
    assert (inner > np.flatnonzero(data_of(h).parent >= 0)).all()
    assert (np.bincount(inner, minlength=len(data_of(h).parent))[h.size :] >= 2).all()
    assert data_of(h).clusters[-1] == (data_of(h).parent < 0).sum()


@given(trees(), st.randoms())
def test_leaves_left_out(tree, random):
    """The hierarchy of some leaves has the cuts of the whole, without the others."""
    parents, heights, leaves = tree
    h = cc.Hierarchy.from_parents(parents, heights=heights)
    kept = random.sample(range(h.size), random.randint(0, h.size))
    part = h.take(kept)
    names = [h.records[leaf] for leaf in kept]
    assert list(part.records) == names
    for height in {0.25, *heights.values()}:
        whole = together(parents, heights, leaves, height)
        expected = sorted(inside for cluster in whole if (inside := [x for x in cluster if x in names]))
        assert clusters_of(part.cut(height=height)) == expected


@given(trees())
def test_a_tree_comes_back_from_its_linkage(tree):
    h = cc.Hierarchy.from_parents(tree[0], heights=tree[1])
    if data_of(h).clusters[-1] > 1:
        with pytest.raises(HierarchyError, match="are never joined"):
            h.to_linkage()
        return
    again = cc.Hierarchy.from_linkage(h.to_linkage(), records=h.records)
    assert data_of(again).level_heights.tolist() == data_of(h).level_heights.tolist()
    for level in range(len(data_of(h).level_heights)):
        assert clusters_of(again.cut(level=level)) == clusters_of(h.cut(level=level))
