"""What a Comparison offers: attributes, items, dictionaries, JSON, tables, functions."""

import inspect
import json
import math

import pytest
from hypothesis import given
from inner import INDICES, Assignment
from strategies import two_partitions

import concordant as cc
from concordant import core
from concordant.errors import ParameterError, TableNeededError, TooLargeError

U, V = [0, 0, 1, 1, 2, 2], [0, 0, 1, 1, 1, 2]


def test_attribute_item_and_function_agree_for_every_index():
    c = cc.compare(U, V)
    for name in INDICES:
        value = c[name]
        for other in (getattr(c, name), getattr(cc, name)(U, V), c.to_dict(indices=name)[name]):
            assert other == value or (math.isnan(value) and math.isnan(other)), name


@given(two_partitions())
def test_functions_that_count_pairs_alone_say_what_the_comparison_says(partitions):
    c = cc.compare(*partitions, undefined="nan")
    for name in INDICES:
        if INDICES[name].views == INDICES["rand"].views:
            alone = getattr(cc, name)(*partitions, undefined="nan")
            assert alone == c[name] or (math.isnan(alone) and math.isnan(c[name])), name


def test_every_index_works_for_nothing_and_for_one_element():
    for labels in ([], ["x"]):
        c = cc.compare(labels, labels)
        assert set(c.to_dict()) == {
            d.name for d in INDICES.values() if not d.on_request and d.sides != "covers"
        }
        for name, index in INDICES.items():
            if index.perfect is not None:
                assert c[name] == index.perfect
        assert str(len(labels)) in str(c)
        assert json.loads(c.to_json())["size"] == len(labels)


def test_aliases_work_as_attributes_and_functions():
    assert cc.compare(U, V).ARI == cc.ARI(U, V) == cc.adjusted_rand(U, V)


def test_the_public_names_are_the_exported_ones():
    namespace = {}
    exec("from concordant import *", namespace)  # noqa: S102  (what a star import brings)
    del namespace["__builtins__"]
    assert set(namespace) == set(cc.__all__)
    assert set(INDICES) <= set(dir(cc))
    assert set(INDICES) <= set(dir(cc.compare(U, V)))


def test_functions_know_their_signature():
    parameters = inspect.signature(cc.f_measure).parameters
    assert list(parameters)[:3] == ["reference", "candidate", "beta"]
    assert "unmatched" in parameters
    assert "Pairwise F-measure" in cc.f_measure.__doc__
    with pytest.raises(ParameterError, match=r"jaccard\(\) does not take 'beta'"):
        cc.jaccard(U, V, beta=2)
    with pytest.raises(ParameterError, match="a positive finite number"):
        cc.f_measure(U, V, beta=0)


def test_json_is_strict_json():
    c = cc.compare([0, 0, 0], [0, 1, 2])
    document = json.loads(c.to_json(), parse_constant=pytest.fail)
    assert list(document) == [
        "schema",
        "version",
        "signature",
        "headline",
        "size",
        "names",
        "omitted",
        "conventions",
        "data",
    ]
    assert document["schema"] == "concordant.comparison/1"
    assert document["data"]["phi"] is None
    assert json.loads(c.to_json(indices="rand", indent=None))["data"] == {"rand": 0.0}


def test_the_printed_table():
    text = f"{cc.compare(U, V):all}"
    lines = text.splitlines()
    assert lines[0] == "1 of 6 records is in the wrong cluster: candidate cluster 1"
    assert lines[1] == "Reference cluster 2 is scattered"
    assert lines[2].startswith("6 records; 3 clusters of 2 against 3 clusters of 1 to 3")
    assert "2 together in both, 1 in the reference only" in text
    for name, index in INDICES.items():
        assert (f" {name} " in text) != (index.on_request or index.sides == "covers"), name
    for family, members in INDICES.families.items():
        assert (family in lines) == (members[0].sides != "covers")


def test_the_table_says_what_is_not_defined():
    text = f"{cc.compare([0, 0, 0], [0, 1, 2], undefined='raise'):all}"
    assert "not defined for these partitions: precision" in text


def test_the_notebook_shows_a_table():
    text = cc.compare(["<script>"] * 3, V[:3])._repr_html_()
    assert text.startswith("<div")
    assert "adjusted_rand" in text
    assert "<script>" not in text


def test_repr():
    assert repr(cc.compare(U, V)) == "<Comparison of 6 records: 3 against 3 clusters>"


def test_a_comparison_of_sizes_alone_leaves_out_what_it_cannot_know(sizes_alone):
    u, v = [i // 1000 for i in range(4000)], [i // 2000 for i in range(4000)]
    c, whole = sizes_alone(u, v), cc.compare(u, v)
    assert "purity" in whole.to_dict()
    assert "purity" not in c.to_dict()
    assert "4 clusters of 1,000 against 2 clusters of 2,000" in str(c)
    assert c.to_dict().items() <= whole.to_dict().items()
    with pytest.raises(TableNeededError, match="from_contingency"):
        c.purity  # noqa: B018


def test_private_attributes_are_not_looked_up():
    with pytest.raises(AttributeError):
        cc.compare(U, V)._nothing  # noqa: B018
    with pytest.raises(AttributeError):
        cc._nothing  # noqa: B018


def test_what_is_slow_is_left_out_of_tables_and_computed_when_asked_for(monkeypatch):
    monkeypatch.setattr(Assignment, "quick_cells", 3)
    c = cc.compare(U, V)
    assert "matching_accuracy" not in c.to_dict()
    assert "left out here, ask for them by name: matching_accuracy" in f"{c:all}"
    assert c.matching_accuracy == 5 / 6
    assert "matching_accuracy" in c.on_request


def test_a_matching_too_large_for_memory_is_an_honest_error(monkeypatch):
    solve = core.assignment
    monkeypatch.setattr(core, "assignment", lambda row, column, weight: solve(row, column, weight, 2))
    c = cc.compare([0, 0, 1, 1], [0, 1, 0, 1])
    with pytest.raises(TooLargeError, match=r"no one-to-one matching.*split_join"):
        c.matching_accuracy  # noqa: B018
