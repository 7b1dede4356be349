"""Edits of a weighted comparison: each record keeps its weight."""

from fractions import Fraction

import numpy as np
import pytest

import concordant as cc
from concordant.errors import ParameterError, WeightsError


def tables(many=3):
    random = np.random.default_rng(3)
    for _ in range(many):
        size = int(random.integers(5, 10))
        reference, candidate = random.integers(0, 3, (2, size)).tolist()
        candidate[:4] = [0, 0, 1, 1]
        yield reference, candidate, [Fraction(int(each), 3) for each in random.integers(1, 7, size)]


def assert_same(found, labels, reference, weights):
    wanted = cc.compare(reference, labels, weights=weights)
    assert found.to_dict() == wanted.to_dict()
    assert (found.signature, found.pairs.n11) == (wanted.signature, wanted.pairs.n11)
    assert [each.size for each in found.clusters(order="size")] == [
        each.size for each in wanted.clusters(order="size")
    ]


def test_what_if_is_a_comparison_of_the_edited_labels():
    for reference, candidate, weights in tables():
        c = cc.compare(reference, candidate, weights=weights)
        assert_same(c.what_if(merge=[0, 1]), [each or 1 for each in candidate], reference, weights)
        assert_same(c.what_if(move={0: 1}), [1, *candidate[1:]], reference, weights)
        assert_same(c.what_if(split=[3]), [*candidate[:3], 9, *candidate[4:]], reference, weights)
        again = c.what_if(move={0: 1}).what_if(move={0: 0})
        assert_same(again, candidate, reference, weights)


def test_names_of_records_and_weights_by_name():
    weights = {"r": 0.5, "s": 2, "t": 1}
    c = cc.compare({"r": 0, "s": 0, "t": 1}, {"t": 5, "s": 5, "r": 6}, weights=weights)
    moved = c.what_if(move={"s": 6})
    assert moved.bcubed_f == 1
    assert {each.record: each.similarity for each in moved.records()} == dict.fromkeys(weights, 1.0)


def test_durations_are_not_edited():
    c = cc.compare(cc.Partition.from_segments([(0, 1, "a")]), cc.Partition.from_segments([(0, 1, "b")]))
    with pytest.raises(WeightsError, match="equal time steps"):
        c.what_if(merge=["b", "a"])


def edits_by_hand(reference, candidate, weights, index):
    """The value after each merge, split, and move of the heaviest record of an overlap that helps."""
    sign = 1 if cc.INDICES[index].direction == "similarity" else -1
    now = cc.compare(reference, candidate, weights=weights)[index]
    records, labels, found = range(len(reference)), sorted(set(candidate)), {}

    def overlap(row, column):
        return frozenset(i for i in records if reference[i] == row and candidate[i] == column)

    def put(key, edited):
        value = cc.compare(reference, edited, weights=weights)[index]
        if sign * (value - now) > 1e-13:
            found[key] = value

    for column in labels:
        for row in {reference[i] for i in records if candidate[i] == column}:
            here = overlap(row, column)
            rest = frozenset(i for i in records if candidate[i] == column) - here
            if rest:
                put(frozenset((here, rest)), [99 if i in here else candidate[i] for i in records])
            heaviest = max(sorted(here), key=lambda i: weights[i])
            for other in labels:
                if other != column and overlap(row, other):
                    merged = [column if each == other else each for each in candidate]
                    put(frozenset((column, other)), merged)
                    moved = [other if i == heaviest else candidate[i] for i in records]
                    put((heaviest, other), moved)
    return found


def key_of(edit, reference, candidate):
    if edit.kind == "merge":
        return frozenset((edit.cluster, edit.other))
    if edit.kind == "move":
        return edit.record, edit.other
    inside = [i for i, column in enumerate(candidate) if column == edit.cluster]
    here = frozenset(i for i in inside if reference[i] == edit.reference)
    return frozenset((here, frozenset(inside) - here))


@pytest.mark.parametrize("index", ["bcubed_f", "adjusted_rand", "variation_of_information"])
def test_suggestions_are_the_edits_that_help_most(index):
    floats = np.random.default_rng(1)
    for reference, candidate, thirds in tables():
        for weights in (thirds, floats.random(len(thirds)).tolist()):
            edits = cc.compare(reference, candidate, weights=weights).suggest(index, limit=None)
            wanted = edits_by_hand(reference, candidate, weights, index)
            found = {key_of(each, reference, candidate): each.value for each in edits}
            assert found == pytest.approx(wanted, rel=1e-12)
            assert [each.gain for each in edits] == sorted((each.gain for each in edits), reverse=True)
            following = edits.apply()
            assert following.value == following.compare()[index] == pytest.approx(edits[0].value)


@pytest.mark.parametrize("index", ["bcubed_f", "rand", "v_measure"])
def test_suggestions_lead_to_the_truth(index):
    for reference, candidate, weights in tables():
        edits = cc.compare(reference, candidate, weights=weights).suggest(index)
        while edits:
            edits = edits.apply()
        assert edits.value == pytest.approx(1)
        assert edits.compare().pairs.size == sum(weights)


@pytest.mark.parametrize("kinds", [["merge"], ["split"]])
def test_weights_of_one_rank_edits_as_no_weights_do(kinds):
    for reference, candidate, weights in tables():
        plain = cc.compare(reference, candidate).suggest(kinds=kinds)
        ones = cc.compare(reference, candidate, weights=[1] * len(weights)).suggest(kinds=kinds)
        assert [(each.cluster, each.size, each.value) for each in ones] == [
            (each.cluster, each.size, each.value) for each in plain
        ]


def test_units_of_weights_do_not_matter():
    for reference, candidate, weights in tables():
        one, other = (
            cc.compare(reference, candidate, weights=[each * factor for each in weights]).suggest()
            for factor in (1, 10**40)
        )
        assert [(each.kind, each.cluster, each.record, each.value) for each in one] == [
            (each.kind, each.cluster, each.record, each.value) for each in other
        ]


def test_suggestions_name_weights_and_refuse_what_an_edit_does_not_determine():
    c = cc.compare(list("aaaabbc"), [0, 0, 0, 1, 2, 2, 2], weights=[1, 2, 1, 0.5, 3, 1, 1])
    edits = c.suggest()
    assert "merge candidate cluster 1 (records of weight 0.5) into candidate cluster 0" in str(edits)
    assert edits[0].size == 1
    assert edits.groups == ()
    with pytest.raises(ParameterError, match="rank by a pair-counting index, an entropy index or bcubed_f"):
        c.suggest("lea_f1")
