"""Live comparisons: edits followed by sums, against counting anew."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cases import every_case
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule
from not_run import few
from universe import profiles

import concordant as cc
from concordant.errors import (
    InputError,
    LabelError,
    LengthError,
    ParameterError,
    ReadOnlyError,
    TableNeededError,
)

STREAM = json.loads((Path(__file__).parents[1] / "golden" / "edits.json").read_text(encoding="utf-8"))
READ = (
    "adjusted_rand",
    "jaccard",
    "fowlkes_mallows",
    "variation_of_information",
    "mutual_information",
    "nmi_arithmetic",
    "homogeneity",
    "muc_f1",
    "bcubed_precision",
    "bcubed_recall",
    "purity",
    "inverse_purity",
    "cluster_f",
    "split_join",
    "basic_merge_distance",
    "generalised_merge_distance(split='information', merge='product')",
    "talburt_wang",
)


def same(live: cc.Live, counted: cc.Comparison, names: tuple[str, ...]) -> None:
    for name in names:
        assert live[name] == pytest.approx(counted[name], abs=1e-12, nan_ok=True), name
    assert live.pairs == counted.pairs
    assert live._counts.row_sizes == counted._counts.row_sizes
    assert live._counts.column_sizes == counted._counts.column_sizes
    assert live._counts.cells == counted._counts.cells
    assert live._counts.identical == counted._counts.identical


class Edited(RuleBasedStateMachine):
    """Random edits of a live comparison, each followed by counting anew."""

    def __init__(self) -> None:
        super().__init__()
        self.labels: dict[Any, tuple[Any, Any]] = {
            "r0": ("a", 1),
            "r1": ("a", 2),
            "r2": ("b", 2),
            "r3": ("b", 2),
        }
        self.live = self.counted().live()
        self.named = 4

    def counted(self) -> cc.Comparison:
        u, v = ({record: pair[side] for record, pair in self.labels.items()} for side in (0, 1))
        return cc.compare(u, v)

    def clusters(self, side: int) -> list[Any]:
        return sorted({pair[side] for pair in self.labels.values()}, key=str)

    def put(self, record: Any, side: int, label: Any) -> None:
        pair = list(self.labels[record])
        pair[side] = label
        self.labels[record] = (pair[0], pair[1])

    @rule(u=st.sampled_from("abcd"), v=st.integers(1, 5))
    def add(self, u: str, v: int) -> None:
        record = f"r{self.named}"
        self.named += 1
        self.live.add(u, v, record=record)
        self.labels[record] = (u, v)

    @precondition(lambda self: len(self.labels) > 1)
    @rule(data=st.data())
    def remove(self, data: st.DataObject) -> None:
        record = data.draw(st.sampled_from(sorted(self.labels)))
        self.live.remove(record)
        del self.labels[record]

    @rule(data=st.data(), side=st.sampled_from([0, 1]))
    def move(self, data: st.DataObject, side: int) -> None:
        record = data.draw(st.sampled_from(sorted(self.labels)))
        others = [label for label in self.clusters(side) if label != self.labels[record][side]]
        if others:
            to = data.draw(st.sampled_from(others))
            self.live.move(record, to, side=("reference", "candidate")[side])
            self.put(record, side, to)

    @rule(data=st.data(), side=st.sampled_from([0, 1]))
    def merge(self, data: st.DataObject, side: int) -> None:
        clusters = self.clusters(side)
        if len(clusters) > 1:
            chosen = data.draw(st.permutations(clusters))[:2]
            kept = self.live.merge(*chosen, side=("reference", "candidate")[side])
            for record, pair in list(self.labels.items()):
                if pair[side] in chosen:
                    self.put(record, side, kept)

    @rule(data=st.data(), side=st.sampled_from([0, 1]), by_cell=st.booleans())
    def split(self, data: st.DataObject, side: int, by_cell: bool) -> None:
        cluster = data.draw(st.sampled_from(self.clusters(side)))
        members = sorted(record for record, pair in self.labels.items() if pair[side] == cluster)
        names = ("reference", "candidate")
        if by_cell:
            of = self.labels[members[0]][1 - side]
            leaving = [record for record in members if self.labels[record][1 - side] == of]
            if len(leaving) < len(members):
                new = self.live.split(cluster=cluster, of=of, side=names[side])
                for record in leaving:
                    self.put(record, side, new)
        elif len(members) > 1:
            leaving = data.draw(st.permutations(members))[: len(members) // 2]
            new = self.live.split(leaving, side=names[side])
            for record in leaving:
                self.put(record, side, new)

    @invariant()
    def reads_what_counting_finds(self) -> None:
        same(self.live, self.counted(), READ)

    def teardown(self) -> None:
        counted, settled = self.counted(), self.live.compare()
        same(self.live, counted, tuple(set(counted.keys()) & set(self.live.keys())))
        assert {r.record: (r.reference, r.candidate) for r in settled.records(limit=None)} == self.labels
        assert all(self.live.where(record) == pair for record, pair in self.labels.items())


TestEdited = Edited.TestCase
TestEdited.settings = settings(max_examples=12, stateful_step_count=12, deadline=None)


def golden_edits(live: cc.Live) -> list[Any]:
    """What each step of the golden script gives, by doing it."""
    steps = (
        lambda: None,
        lambda: live.move("r3", 1),
        lambda: live.merge(3, 4),
        lambda: live.split({"r6", "r7"}),
        lambda: live.remove("r8"),
    )
    found = []
    for step in steps:
        step()
        pairs, profile = live.pairs, live._counts
        found.append(
            {
                "size": live.size,
                "n11": pairs.n11,
                "u": pairs.in_reference,
                "v": pairs.in_candidate,
                "cells": profile.cells,
                "K": profile.rows,
                "L": profile.columns,
                **{
                    name: str(live.exact(name))
                    for name in ("jaccard", "adjusted_rand", "bcubed_precision", "bcubed_recall")
                },
                "variation_of_information_nats": pytest.approx(live.variation_of_information, abs=1e-15),
            }
        )
    return found


def test_the_golden_edits() -> None:
    live = cc.compare(STREAM["truth"], STREAM["steps"][0]["guess"]).live()
    assert [step["expected"] for step in STREAM["steps"]] == golden_edits(live)


def test_a_stream_is_read_as_it_comes() -> None:
    live, guess = cc.Live("adjusted_rand"), STREAM["steps"][0]["guess"]
    for record, label in STREAM["truth"].items():
        live.add(label, guess[record], record=record)
    assert [step["expected"] for step in STREAM["steps"]] == golden_edits(live)


def test_batches_are_counted_as_one() -> None:
    rng = np.random.default_rng(3)
    u, v = rng.integers(0, 20, 600), rng.integers(0, 15, 600)
    live = cc.Live().add(u[:300], v[:300]).add(u[300:450], v[300:450])
    live.add(u[450:].tolist(), v[450:].tolist(), record=range(150))
    same(live, cc.compare(u, v), READ)


def test_a_window_keeps_the_newest() -> None:
    u, v = list("aabbabab"), [1, 1, 2, 2, 1, 2, 2, 1]
    live = cc.Live(window=5)
    for each, other in zip(u, v, strict=True):
        live.update(each, other)
    same(live, cc.compare(u[-5:], v[-5:]), READ)


def test_the_face_of_stream_metrics() -> None:
    live = cc.Live("rand")
    live.update("a", 1).update("a", 2).update("b", 2)
    before = live.get()
    live.update("b", 1).revert("b", 1)
    assert live.get() == before == live.get("rand")


def test_moves_without_names_take_unnamed_records_first() -> None:
    live = cc.Live().add("a", 1, count=2).add("a", 1, record="r").add("b", 2)
    live.move(reference="a", candidate=1, to=2, count=2)
    assert live.where("r") == ("a", 1)
    live.move(reference="a", candidate=1, to=2)
    assert live.where("r") == ("a", 2)
    assert live._counts.column_sizes == {4: 1}


def test_a_comparison_of_a_moment_stays() -> None:
    live = cc.compare(list("aabb"), [1, 1, 2, 2]).live()
    before = live.compare()
    live.merge(1, 2)
    assert (before.jaccard, live.jaccard) == (1.0, 1 / 3)
    assert before.what_if(split={0}).exact("recall") == Fraction(1, 2)


@pytest.mark.parametrize("size", few(4, range(5)))
def test_without_an_edit_every_index_has_the_bits_of_the_comparison(size: int) -> None:
    for u, v in profiles(size).values():
        assert_same_bits(cc.compare(u, v), cc.compare(u, v).live())


def test_after_opposite_edits_every_index_has_the_bits_of_the_comparison() -> None:
    rng = np.random.default_rng(1)
    u, v = rng.integers(0, 9, 400), rng.integers(0, 7, 400)
    c = cc.compare(u, v)
    live = c.live().move(0, (v[0] + 1) % 7).add(0, 1, record="new").remove("new")
    assert_same_bits(c, live.move(0, v[0]).compare())


def assert_same_bits(c: cc.Comparison, other: cc.Live | cc.Comparison) -> None:
    assert c.keys() == other.keys()
    assert {name: value.hex() for name, value in c.items()} == {
        name: value.hex() for name, value in other.items()
    }


def test_what_comes_and_goes_leaves_no_trace() -> None:
    """No drift: after a thousand edits and their opposites, every float is the same to the last bit."""
    rng = np.random.default_rng(0)
    u, v = rng.integers(0, 9, 400), rng.integers(0, 7, 400)
    live = cc.compare(u, v).live()
    before = live.to_dict(indices=READ)
    places = [(int(record), int(rng.integers(0, 7))) for record in rng.permutation(400)[:150]]
    moved = [(record, to) for record, to in places if to != v[record]]
    for record, to in moved:
        live.move(record, to)
    for record, _ in reversed(moved):
        live.move(record, int(v[record]))
    assert live.to_dict(indices=READ) == before


def test_independent_partitions_share_nothing_while_edited() -> None:
    live = cc.compare([0, 0, 1, 1, 1], [0, 1, 0, 1, 1]).live()
    live.remove(4)
    assert live.mutual_information == 0.0


@every_case(
    ("edit", "kind", "text"),
    [
        (lambda live: live.move("nobody", 1), InputError, "there is no record 'nobody'"),
        (lambda live: live.move("r1", 99), InputError, "no cluster 99"),
        (lambda live: live.move("r1", 1), InputError, "nothing to move"),
        (lambda live: live.move("r1"), ParameterError, "to="),
        (lambda live: live.remove("nobody"), InputError, "there is no record"),
        (lambda live: live.remove(reference="a", candidate=1), InputError, "remove them by name"),
        (lambda live: live.remove(reference="a", candidate=1, count=9), InputError, "cannot be removed"),
        (lambda live: live.remove(), ParameterError, "name the record"),
        (lambda live: live.merge(1), InputError, "two clusters or more"),
        (lambda live: live.merge(), InputError, "two clusters or more"),
        (lambda live: live.merge(1, 1), InputError, "twice"),
        (lambda live: live.merge(1, 77), InputError, "no cluster 77"),
        (lambda live: live.merge(1, 2, into=3), InputError, "another cluster"),
        (lambda live: live.split([]), InputError, "no records were named"),
        (lambda live: live.split(["r1", "r4"]), InputError, "in 2 clusters"),
        (lambda live: live.split(["r3"]), InputError, "nothing to split off"),
        (lambda live: live.split(["r1", "r1"]), InputError, "named twice"),
        (lambda live: live.split("r1"), ParameterError, "not a single string"),
        (lambda live: live.split(["r1"], to=2), InputError, "there is a cluster 2 already"),
        (lambda live: live.split(cluster=1, of="d"), InputError, "no record in common"),
        (lambda live: live.split(), ParameterError, "needs the records"),
        (lambda live: live.add("a", 1, record="r1"), InputError, "already"),
        (lambda live: live.add(None, 1), LabelError, "cannot be a label"),
        (lambda live: live.add("a", 1, count=0), ParameterError, "1 or more"),
        (lambda live: live.add("a", {}), LabelError, "not hashable"),
        (lambda live: live.add(["a"], [1, 2], record=["x"]), LengthError, "one of each"),
        (lambda live: live.move("r1", 2, side="left"), ParameterError, "side='left'"),
        (lambda live: setattr(live, "rand", 1.0), ReadOnlyError, "cannot be set"),
        (lambda live: cc.Live(window=0), ParameterError, "window=0"),
    ],
)
def test_what_cannot_be_done_is_refused_and_changes_nothing(edit: Any, kind: Any, text: str) -> None:
    live = cc.compare(STREAM["truth"], STREAM["steps"][0]["guess"]).live()
    before = (live.pairs, live._counts.columns)
    with pytest.raises(kind, match=text):
        edit(live)
    assert (live.pairs, live._counts.columns) == before


@pytest.mark.parametrize(
    ("edits", "value"),
    [
        ({"merge": [1, 2]}, "4/7"),
        ({"merge": [[1, 2], [3, 4]]}, "5/9"),
        ({"split": {"r6"}}, "2/5"),
        ({"split": {3: "c"}}, "2/5"),
        ({"move": {"r6": 4}}, "3/5"),
        ({"merge": [1, 2], "move": {"r6": 4}}, "1"),
    ],
)
def test_what_if(edits: dict[str, Any], value: str) -> None:
    c = cc.compare(STREAM["truth"], STREAM["steps"][0]["guess"])
    before = c.jaccard
    assert str(c.what_if(**edits).exact("jaccard")) == value
    assert c.jaccard == before


@pytest.mark.parametrize(
    ("edits", "text"),
    [
        ({}, "no edit was named"),
        ({"merge": []}, "is empty"),
        ({"split": set()}, "is empty"),
        ({"move": {}}, "is empty"),
        ({"merge": 3}, "list of clusters"),
        ({"move": ["r1"]}, "mapping from record"),
        ({"move": {"x": 1}}, "no record 'x'"),
    ],
)
def test_what_if_says_what_it_cannot_do(edits: dict[str, Any], text: str) -> None:
    c = cc.compare(STREAM["truth"], STREAM["steps"][0]["guess"])
    with pytest.raises((InputError, ParameterError), match=text):
        c.what_if(**edits)


@pytest.mark.parametrize("labels", [[7, 5, 9, 9, 5], ["x", "y", "z", "z", "y"], [7, 5.5, 9, 9, 5.5]])
def test_clusters_are_found_by_label_whatever_became_of_them(labels):
    """Arrays of integers are searched, other labels looked up; both know of renamed and of new clusters."""
    given = np.array(labels) if all(isinstance(label, int) for label in labels) else labels
    live = cc.compare(["a"] * 5, given).live()
    first, other, third = labels[0], labels[1], labels[2]
    new = live.split([2])
    assert new == (10 if isinstance(labels[1], int) else "new_1")
    assert live.where(2) == ("a", new)
    assert live.merge(first, other, into=other) == other
    assert live.merge(other, new, into=first) == first
    assert live.where(1) == live.where(2) == ("a", first)
    with pytest.raises(InputError, match="has no cluster"):
        live.merge(other, third)
    assert live.split([1]) not in (new, *labels)


def test_a_label_that_several_clusters_share_is_refused():
    counts = cc.Comparison.from_contingency([[2, 0], [1, 3]], names=(["a", "a"], ["x", "y"]))._counts
    with pytest.raises(InputError, match="several clusters of the reference have the label 'a'"):
        cc.Comparison(counts).live().merge("a", "b", side="reference")


def test_noise_that_stands_alone_is_in_no_cluster():
    noise = cc.Partition.from_labels([-1, -1, 3], noise=-1, noise_as="singletons")
    live = cc.compare([0, 0, 0], noise).live()
    with pytest.raises(InputError, match="the candidate has no cluster -1; it has 3"):
        live.merge(-1, 3)
    assert live.where(0) == (0, None)
    live.move(0, 3)
    assert live.where(0) == (0, 3)


def test_the_names_after_edits():
    """Clusters and records are called as they are now, in every list of the comparison that is made of it."""
    first, second = {"p": 1, "q": 1, "r": 2, "s": 2}, {"p": "x", "q": "y", "r": "y", "s": "y"}
    live = cc.compare(first, second).live().move("q", to="x")
    assert repr(live) == "<Live of 4 records: 2 against 2 clusters>"
    now = live.compare()
    assert [(change.kind, change.overlaps[0].examples) for change in now.changes()] == [
        ("1:1", ("p", "q")),
        ("1:1", ("r", "s")),
    ]
    moved = cc.compare(first, second | {"q": "x"})
    assert {each.record: each.candidate for each in now.records()} == {
        each.record: each.candidate for each in moved.records()
    }


@pytest.mark.parametrize(("record", "said"), [([1], "must be hashable"), (None, "leave out record=")])
def test_records_that_cannot_be_named(record, said):
    with pytest.raises(InputError, match=said):
        cc.Live().add("a", 1, record=record)


def test_records_without_names_are_not_listed():
    unnamed = cc.Live().add("a", 1).add("a", 2, record="r").compare()
    with pytest.raises(TableNeededError, match="add each with record="):
        unnamed.records()


def test_after_edits_every_index_has_the_bits_of_a_comparison_from_the_beginning() -> None:
    rng = np.random.default_rng(4)
    u, v = rng.integers(0, 9, 400), rng.integers(0, 7, 400)
    live = cc.compare(u, v).live().move(0, (v[0] + 1) % 7)
    live.merge(2, 3)
    edited = np.where(np.arange(400) == 0, (v[0] + 1) % 7, v)
    counted = cc.compare(u, np.where(edited == 3, 2, edited))
    assert {name: value.hex() for name, value in counted.items()} == {
        name: live[name].hex() for name in counted
    }


def test_an_iterator_is_not_a_label() -> None:
    """As a label, it would count as one record whatever it yields."""
    live = cc.Live()
    for given in ((iter("ab"), iter("ab")), (["a", "b"], (x for x in "ab"))):
        with pytest.raises(LabelError, match=r"pass list\(\.\.\.\) of it"):
            live.add(*given)
    assert live.size == 0
