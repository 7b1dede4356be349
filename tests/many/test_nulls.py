"""Null labels of many partitions: an error that names the remedies, dropped, or singletons."""

import pandas as pd
import pytest

import concordant as cc
from concordant.errors import LabelError, ParameterError

TRUTH = ["a", "a", "b", "b", "c", "c"]
OLD = ["x", "x", "x", "y", "z", "z"]
NEW = ["x", "x", "y", "y", "z", None]
ALONE = [*NEW[:5], "alone"]
FRAMES = [
    cc.Partition.from_frame(pd.DataFrame({"id": range(6), "label": each}), record="id", cluster="label")
    for each in (TRUTH, OLD, NEW)
]

CALLS = {
    "compare": lambda truth, old, new, **how: cc.compare(truth, new, **how).adjusted_rand,
    "matrix": lambda *three, **how: dict(cc.matrix(list(three), **how)),
    "rank": lambda truth, old, new, **how: [
        each["f_measure"] for each in cc.rank(truth, {"old": old, "new": new}, **how).candidates.values()
    ],
    "diff": lambda one, *runs, **how: cc.diff(*runs, reference=one, **how).to_dict()["reference"]["indices"],
    "track": lambda *three, **how: [
        len(x) for x in (cc.track(list(three), **how).splits, cc.track(list(three), **how).births)
    ],
    "consensus": lambda *three, **how: cc.consensus(list(three), **how).loss,
}


@pytest.mark.parametrize("name", [name for name in CALLS if name != "consensus"])
def test_a_missing_label_is_an_error_that_names_the_remedies(name):
    with pytest.raises(LabelError, match=r"nulls='drop'.*nulls='singletons'"):
        CALLS[name](TRUTH, OLD, NEW)


@pytest.mark.parametrize("name", sorted(CALLS.keys() - {"track"}))  # a null has no event
def test_null_labels_become_singletons(name):
    expected = CALLS[name](TRUTH, OLD, ALONE)
    assert str(CALLS[name](TRUTH, OLD, NEW, nulls="singletons")) == str(expected).replace("'alone'", "None")


@pytest.mark.parametrize("name", ["compare", "diff", "rank"])
def test_null_labels_are_dropped(name):
    short = TRUTH[:5], OLD[:5], NEW[:5]
    assert CALLS[name](TRUTH, OLD, NEW, nulls="drop") == CALLS[name](*short)
    assert CALLS[name](*FRAMES, nulls="drop") == CALLS[name](*short)


def test_null_labels_that_are_dropped_are_absent_from_a_track():
    followed = cc.track({"old": OLD, "new": NEW}, nulls="drop")
    assert [stage.size for stage in followed.stages] == [6, 5]
    assert "nulls=drop" in str(followed)


NULL_FIRST = {  # a null may have the code of a cluster that appears later
    "categories": pd.Categorical([None, "b", "b", "c", "c", "a"], categories=["a", "b", "c"]),
    "booleans": pd.array([None, True, True, True, False, False], dtype="boolean"),
    "integers": pd.array([None, 2, 2, 1, 1, 0], dtype="Int64"),
}
CLUSTERS = {
    "Partition": lambda labels: cc.Partition.of(labels, nulls="drop").clusters,
    "Cover": lambda labels: cc.Cover.of(labels, nulls="drop").clusters,
    "compare": lambda labels: [
        each.cluster for each in cc.compare(labels, OLD, nulls="drop").clusters(limit=None)
    ],
    "track": lambda labels: [
        label for each in cc.track([labels, OLD], nulls="drop").events for label in each.sources
    ],
    "track, relabel": lambda labels: cc.track([labels, OLD], nulls="drop", relabel=True).ids["0"],
    "stability": lambda labels: cc.stability([OLD, OLD], reference=labels, nulls="drop"),
    "diff": lambda labels: [
        each.cluster
        for each in cc.diff(OLD, labels, reference=labels, nulls="drop").clusters(side="reference")
    ],
}


@pytest.mark.parametrize("labels", NULL_FIRST.values(), ids=NULL_FIRST)
@pytest.mark.parametrize("clusters", CLUSTERS.values(), ids=CLUSTERS)
def test_a_dropped_record_does_not_name_a_cluster(clusters, labels):
    assert set(clusters(labels)) == set(labels[1:])


def test_a_consensus_refuses_to_drop():
    with pytest.raises(ParameterError, match=r"nulls='drop': .* use 'singletons'"):
        cc.consensus([OLD, NEW], nulls="drop")


def test_null_labels_of_frames_are_an_error_that_names_a_remedy():
    with pytest.raises(LabelError, match="nulls='drop'"):
        cc.diff(*FRAMES[1:], reference=FRAMES[0])


def test_null_labels_of_the_truth_are_dropped_from_a_ranking():
    systems = {"old": OLD, "new": ALONE}
    found = cc.rank([*TRUTH[:5], None], systems, "rand", nulls="drop")
    short = cc.rank(TRUTH[:5], {name: labels[:5] for name, labels in systems.items()}, "rand")
    assert found["new", "rand"].difference == short["new", "rand"].difference
    assert "nulls=drop" in str(found)


def test_several_references_take_nulls():
    c = cc.compare_references([[0, 0, 1, None], [0, 0, 1, 1]], [0, 0, 1, 1], nulls="drop")
    assert [each.value for each in c.each("rand")] == [1, 1]


def test_no_function_advises_an_option_that_it_lacks():
    with pytest.raises(LabelError, match="is missing") as caught:
        cc.consensus([[0, 0, 1], [0, None, 1]])
    assert "nulls='drop'" not in str(caught.value)
