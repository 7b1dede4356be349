"""Edit scripts lead to the reference, in the fewest steps or with the fewest records moved."""

from functools import cache
from heapq import heappop, heappush
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from strategies import two_partitions
from universe import LARGEST, kinds, partitions

import concordant as cc
from concordant.errors import InputError, LengthError, ParameterError, TableNeededError


def numbered(labels):
    """Labels numbered as they first appear."""
    number = {}
    return tuple(number.setdefault(x, len(number)) for x in labels)


def steps_from(labels):
    """Every partition that one split or merge leads to, and the records that it moves."""
    clusters = sorted(set(labels))
    for one, other in combinations(clusters, 2):
        moved = min(labels.count(one), labels.count(other))
        yield numbered([one if x == other else x for x in labels]), moved
    for cluster in clusters:
        members = [i for i, x in enumerate(labels) if x == cluster]
        for moved in range(1, len(members) // 2 + 1):
            for leaving in combinations(members, moved):
                yield numbered([-1 if i in leaving else x for i, x in enumerate(labels)]), moved


@cache
def ways_from(start):
    """For every partition the fewest steps to it, and of such ways the fewest records moved; by Dijkstra."""
    best, heap = {start: (0, 0)}, [((0, 0), start)]
    while heap:
        (steps, cost), here = heappop(heap)
        if (steps, cost) > best[here]:
            continue
        for there, moved in steps_from(here):
            way = (steps + 1, cost + moved)
            if there not in best or way < best[there]:
                best[there] = way
                heappush(heap, (way, there))
    return best


def replay(script, u, v):
    """The clusters after the steps have been done one by one, as their fields say."""
    clusters = {}
    for record, number in enumerate(numbered(v)):
        clusters.setdefault(number, set()).add(record)
    for step in script.steps:
        here = clusters[step.cluster.number]
        if step.kind == "split":
            moving = {i for i in here if u[i] in step.reference}
            assert step.into.number not in clusters
            assert len(moving) == step.moved <= len(here - moving)
            clusters[step.cluster.number], clusters[step.into.number] = here - moving, moving
        else:
            assert step.kind == "merge"
            assert len(here) == step.moved <= len(clusters[step.into.number])
            clusters[step.into.number] |= clusters.pop(step.cluster.number)
    return {frozenset(cluster) for cluster in clusters.values()}


def check(u, v):
    c = cc.compare(list(u), list(v))
    wanted = {frozenset(i for i, x in enumerate(u) if x == label) for label in set(u)}
    for fewest in ("steps", "records"):
        script = c.edits(fewest=fewest)
        assert replay(script, u, v) == wanted
        assert numbered(script.apply().tolist()) == numbered(u)
        assert script.apply(list(v)).tolist() == script.apply().tolist()
        assert script.cost == sum(step.moved for step in script.steps) >= c.split_join
        assert script.n_splits == sum(step.kind == "split" for step in script)
        assert script.n_splits + script.n_merges == len(script)
    assert len(c.edits()) == c.lattice_distance_join
    assert c.edits(fewest="records").cost == c.split_join
    assert len(c.edits(fewest="records")) == c.basic_merge_distance


@pytest.mark.parametrize("size", range(LARGEST + 1))
def test_every_pair_of_small_partitions(size):
    for u, v in kinds(size):
        check(u, v)


def test_no_way_is_shorter():
    """And of the shortest ways between partitions of so few elements, none moves fewer records."""
    for v in partitions(LARGEST):
        for u, way in ways_from(v).items():
            script = cc.compare(list(u), list(v)).edits()
            assert (len(script), script.cost) == way


@given(two_partitions() | two_partitions(max_size=60, max_clusters=40))
def test_random_partitions(two):
    check(*two)


def test_a_long_chain_of_clusters_moves_few_records():
    """A graph without cycles: fewest steps and fewest records at once, however deep."""
    u = np.arange(200_001) // 2
    c = cc.compare(u, (np.arange(200_001) + 1) // 2)
    script = c.edits()
    assert len(script) == c.lattice_distance_join
    assert script.cost == c.split_join
    assert numbered(script.apply().tolist()) == numbered(u.tolist())


def test_the_same_partition_needs_no_edits():
    script = cc.compare([0, 0, 1], list("aab")).edits()
    assert (len(script), script.cost, script.steps) == (0, 0, [])
    assert str(script) == "0 splits and 0 merges, 0 records moved"
    assert script.apply().tolist() == [0, 0, 1]


def test_steps_are_told_in_words():
    script = cc.compare(list("aaaabbc"), ["x", "x", "x", "y", "z", "z", "z"]).edits()
    assert [str(step) for step in script] == [
        "merge 'y', 1 record, into 'x'",
        "split 'z': 1 record of reference 'c' becomes #3",
    ]
    assert script.to_frame("polars").to_dicts() == [
        {"kind": "merge", "cluster": "'y'", "into": "'x'", "moved": 1},
        {"kind": "split", "cluster": "'z'", "into": "#3", "moved": 1},
    ]


def test_labels_that_are_not_the_candidate():
    script = cc.compare([0, 0, 1], [0, 1, 1]).edits()
    assert script.apply(["p", "q", "q"]).tolist() == script.apply().tolist()
    with pytest.raises(InputError, match="not the candidate's"):
        script.apply([0, 0, 1])
    with pytest.raises(LengthError, match="2 labels for 3 records"):
        script.apply([0, 1])


def test_counts_alone(sizes_alone):
    script = cc.Comparison.from_contingency([[3, 1], [0, 10**25]]).edits()
    assert [str(step) for step in script] == [
        "split 1: 1 record of reference 0 becomes #2",
        "merge #2, 1 record, into 0",
    ]
    with pytest.raises(TableNeededError, match="made from counts"):
        script.apply([0])
    with pytest.raises(TableNeededError, match="which clusters overlap"):
        sizes_alone([0, 0], [0, 1]).edits()


def test_what_cannot_be_asked():
    with pytest.raises(ParameterError, match="fewest='clicks'"):
        cc.compare([0], [0]).edits(fewest="clicks")
