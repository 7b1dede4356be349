"""What became of the clusters: kinds, blame, names, and the words for them."""

from collections import Counter
from fractions import Fraction
from itertools import combinations

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from strategies import two_partitions
from universe import LARGEST, kinds

import concordant as cc
from concordant.errors import ParameterError, TableNeededError


def components_of(u, v):
    """The join, by merging clusters that share an element until none do."""
    clusters = [{i for i, x in enumerate(labels) if x == k} for labels in (u, v) for k in set(labels)]
    components = []
    for cluster in clusters:
        linked = [each for each in components if each & cluster]
        components = [each for each in components if not each & cluster] + [cluster.union(*linked)]
    return {frozenset(each) for each in components}


def disagreements(u, v, elements):
    """Pairs among these elements that are together on one side only."""
    missed = wrong = 0
    for i, j in combinations(sorted(elements), 2):
        missed += u[i] == u[j] and v[i] != v[j]
        wrong += u[i] != u[j] and v[i] == v[j]
    return missed, wrong


def kind_of(references, candidates):
    if references == 1:
        return "1:1" if candidates == 1 else "1:n"
    return "n:1" if candidates == 1 else "n:m"


def check_changes(u, v):
    changes = cc.compare(list(u), list(v)).changes(limit=None, n_overlaps=10**6, n_examples=10**6)
    expected = Counter()
    for component in components_of(u, v):
        sides = [{labels[i] for i in component} for labels in (u, v)]
        kind = kind_of(*map(len, sides))
        clusters = frozenset(sides[0]), frozenset(sides[1])
        expected[kind, *clusters, len(component), *disagreements(u, v, component)] += 1
    found = Counter(
        (
            change.kind,
            frozenset(x.cluster for x in change.reference),
            frozenset(x.cluster for x in change.candidate),
            change.size,
            change.missed,
            change.wrong,
        )
        for change in changes
    )
    assert found == expected
    for change in changes:
        check_overlaps(u, v, change)
    return changes


def check_overlaps(u, v, change):
    assert change.n_overlaps == len(change.overlaps)
    assert change.omitted == 0
    assert sum(o.size for o in change.overlaps) == change.size
    assert sum(o.missed for o in change.overlaps) == change.missed
    assert sum(o.wrong for o in change.overlaps) == change.wrong
    assert [o.size for o in change.overlaps] == sorted((o.size for o in change.overlaps), reverse=True)
    for o in change.overlaps:
        members = [i for i in range(len(u)) if u[i] == o.reference and v[i] == o.candidate]
        assert list(o.examples) == members
        assert o.size == len(members)
        assert (o.reference_size, o.candidate_size) == (u.count(o.reference), v.count(o.candidate))
        assert (o.missed == 0) == (o.role in ("core", "absorbed"))  # the largest of a row is no stray
        assert (o.wrong == 0) == (o.role in ("core", "broken off"))


@pytest.mark.parametrize("size", range(LARGEST + 1))
def test_every_pair_of_small_partitions(size):
    for u, v in kinds(size):
        changes = check_changes(u, v)
        p = cc.compare(list(u), list(v)).pairs
        assert (changes.total_missed, changes.total_wrong) == (p.n10, p.n01)


@given(two_partitions())
def test_random_partitions(partitions):
    changes = check_changes(*partitions)
    assert sum(changes.counts.values()) == len(changes)
    assert Counter(x.kind for x in changes) == Counter({k: n for k, n in changes.counts.items() if n})
    cost = [x.missed + x.wrong for x in changes]
    assert cost == sorted(cost, reverse=True)


@pytest.mark.parametrize("by", ["missed", "wrong", "size"])
def test_what_comes_first(by):
    rng = np.random.default_rng(5)
    u = rng.integers(0, 200, 500)
    c = cc.compare(u, np.where(rng.random(500) < 0.1, rng.integers(0, 200, 500), u))
    values = [getattr(x, by) for x in c.changes(limit=None, order=by)]
    assert len(set(values)) > 3
    assert values == sorted(values, reverse=True)
    assert c.changes(order=by) == c.changes(limit=None, order=by)[:20]


@pytest.mark.parametrize("kind", ["1:1", "1:n", "n:1", "n:m"])
def test_one_kind_at_a_time(kind):
    c = cc.compare(list("aabbccddeeffgg"), [0, 0, 1, 2, 3, 3, 3, 3, 4, 5, 4, 5, 6, 6])
    changes = c.changes(kind=kind, limit=1)
    assert {x.kind for x in changes} == {kind}
    assert changes.counts == {"1:1": 2, "1:n": 1, "n:1": 1, "n:m": 1}
    assert changes.total == changes.counts[kind]
    assert changes.omitted == changes.counts[kind] - 1


def test_a_huge_tangle_is_shown_in_part():
    size = 2000
    u = np.repeat(np.arange(size), 2)
    (change,) = cc.compare(u, np.roll(u, 1)).changes()
    assert change.kind == "n:m"
    assert (change.n_references, change.n_candidates, change.n_overlaps) == (size, size, 2 * size)
    assert len(change.reference) == len(change.candidate) == len(change.overlaps) == 50
    assert change.omitted == 2 * size - 50
    assert "and 3,995 more overlaps" in str(cc.compare(u, np.roll(u, 1)).changes())


def test_examples_do_not_depend_on_how_they_were_found():
    rng = np.random.default_rng(7)
    u, v = rng.integers(0, 30, 900), rng.integers(0, 30, 900)
    c = cc.compare(u, v)
    first = [c.changes(n_examples=4)[0] for _ in range(6)]  # the first few are searched, the others looked up
    assert all(change == first[0] for change in first)
    for o in first[0].overlaps:
        assert list(o.examples) == np.flatnonzero((u == o.reference) & (v == o.candidate))[:4].tolist()


def test_names_of_clusters_and_records():
    truth = {"x": "A", "y": "A", "z": "B"}
    c = cc.compare(truth, {"z": 2, "x": 1, "w": 3}, unmatched="singletons")
    changed = c.changes(kind="1:1 changed")[0]
    assert [(each.cluster, each.size) for each in changed.reference] == [("A", 2)]
    assert [(each.cluster, each.size) for each in changed.candidate] == [(1, 1)]
    assert changed.in_no_cluster == (0, 1)
    assert {o.candidate: o.examples for o in changed.overlaps} == {1: ("x",), None: ("y",)}
    assert (
        "1:1 changed reference 'A' (2) as candidate 1 (1) and 1 record in no cluster; 1 pair missed"
        in " ".join(str(c.changes()).split())
    )


def test_labels_are_of_plain_types():
    change = cc.compare(np.array([1, 1]), np.array(["a", "b"])).changes()[0]
    assert type(change.reference[0].cluster) is int
    assert type(change.candidate[0].cluster) is str


def test_counts_alone(sizes_alone):
    c = cc.Comparison.from_contingency([[3, 1], [0, 2]])
    (change,) = c.changes()
    assert [(each.cluster, each.size) for each in change.reference] == [(0, 4), (1, 2)]
    assert all(o.examples == () for o in change.overlaps)
    with pytest.raises(TableNeededError, match="which clusters overlap"):
        sizes_alone([0, 0], [0, 1]).changes()
    with pytest.raises(TableNeededError, match="which clusters overlap"):
        sizes_alone([0, 0], [0, 1]).summary()


def test_counts_beyond_64_bits():
    huge = 10**30
    (change,) = cc.Comparison.from_contingency(np.array([[huge, 2], [0, huge]])).changes()
    assert change.missed == 2 * huge
    assert change.wrong == 2 * huge
    assert change.size == 2 * huge + 2
    assert [o.size for o in change.overlaps] == [huge, huge, 2]


def test_the_summary():
    c = cc.compare(list("aaaaabbccc"), [0, 0, 0, 0, 1, 2, 2, 3, 3, 4])
    summary = c.summary().components
    assert tuple(summary.counts.values()) == (1, 2, 0, 0)
    assert (summary.missed, summary.wrong) == (c.pairs.n10, c.pairs.n01) == (6, 0)
    assert summary.most_missed == ("1:n", 4)
    assert summary.most_wrong is None
    assert str(summary).replace("\n ", "") == (
        "1 × 1:1, 2 × 1:n, 0 × n:1, 0 × n:m; one 1:n component accounts for 67% of the missed pairs"
    )
    assert str(cc.compare([], []).summary().components) == "0 × 1:1, 0 × 1:n, 0 × n:1, 0 × n:m"


def test_hostile_labels_stay_text():
    hostile = ["<script>alert(1)</script>", "\u202eevil\nline", "x" * 10_000, "\"quoted\" & 'so'"]
    changes = cc.compare(hostile, [0, 0, 0, 1]).changes()
    for text in (str(changes), changes._repr_html_()):
        assert "\u202e" not in text
        assert len(text) < 5_000
    assert "<script>" not in changes._repr_html_()
    assert max(map(len, str(changes).splitlines())) < 300


FRAMES = {"pandas": pd.DataFrame, "polars": pl.DataFrame, "pyarrow": pa.Table}


@pytest.mark.parametrize("backend", FRAMES)
def test_tables(backend):
    c = cc.compare(list("aabb"), [0, 1, 2, 2])
    for listing in (c.changes(), c.clusters(), c.records()):
        table = listing.to_frame(backend)
        assert isinstance(table, FRAMES[backend])
        assert table.shape == (len(listing), len(listing.to_dict()["rows"][0]))
        assert len(cc.compare([], []).changes().to_frame(backend)) == 0
    assert type(c.clusters().to_frame(pd)) is pd.DataFrame


def test_labels_of_several_types_become_text_in_a_table():
    frame = cc.compare([0, "a", (1, 2)], [0, 1, 2]).clusters().to_frame("polars")
    assert frame["cluster"].to_list() == ["0", "a", "(1, 2)"]


@pytest.mark.parametrize("backend", FRAMES)
@pytest.mark.parametrize(
    ("labels", "shown"),
    [
        ([(1, 2), 3], ["(1, 2)", "3"]),
        ([10**40, 3], [str(10**40), "3"]),
        (["\ud800", "ü"], ["\\ud800", "ü"]),
        ([Fraction(1, 2), Fraction(3)], ["1/2", "3"]),
        (np.array([1, 2], "g"), ["1.0", "2.0"]),
        (np.array([1, 2], "m8[s]"), ["1 seconds", "2 seconds"]),
        (np.array([1j, 2]), ["1j", "(2+0j)"]),
    ],
)
def test_labels_that_no_column_holds_become_text_in_a_table(backend, labels, shown):
    c = cc.compare(labels, [0, 1])
    assert "NaN" not in c.changes().to_json()
    frame = c.records().to_frame(backend)
    assert (
        list(map(str, frame["reference"].to_pylist() if backend == "pyarrow" else frame["reference"]))
        == shown
    )


def test_what_cannot_be_asked():
    c = cc.compare([0], [0])
    for options, message in (
        ({"kind": "gone"}, "kind='gone'"),
        ({"order": "price"}, "order='price'"),
        ({"limit": -1}, "limit=-1"),
        ({"limit": 1.5}, "limit=1.5"),
        ({"n_overlaps": 0}, "n_overlaps=0"),
        ({"n_examples": -1}, "n_examples=-1"),
    ):
        with pytest.raises(ParameterError, match=message):
            c.changes(**options)


def test_how_many_may_be_a_number_of_numpys():
    c = cc.compare(list("aabbcc"), [0, 1, 2, 3, 4, 5])
    assert len(c.changes(limit=np.int64(2))) == 2
    assert len(c.clusters(limit=np.int32(2))) == len(c.records(limit=np.uint8(2))) == 2
    with pytest.raises(ParameterError, match="limit=True"):
        c.changes(limit=True)


def test_a_listing_is_a_list():
    changes = cc.compare(list(range(250)), [0] * 250).clusters(limit=None, order="size")
    assert len(changes) == 250
    assert changes[-1] == changes[249] == list(changes)[249]
    assert changes[100:103] == [changes[100], changes[101], changes[102]]
    assert changes == list(changes)
    assert changes != changes[1:]
    assert "and 150 more" in repr(changes)
    with pytest.raises(IndexError):
        changes[250]


@given(two_partitions())
def test_charges_go_to_the_smaller_overlap(partitions):
    c = cc.compare(*partitions)
    overlaps = [each for change in c.changes(limit=None, n_overlaps=1000) for each in change.overlaps]
    sides = ("reference", "candidate")
    for side, other_side, charge in zip(sides, sides[::-1], ("missed", "wrong"), strict=True):
        expected = np.zeros(len(overlaps), dtype=int)
        # Of two overlaps of one size, the one with the larger other cluster is charged, then the later label.
        keys = [(-x.size, getattr(x, f"{other_side}_size"), getattr(x, other_side)) for x in overlaps]
        for (i, one), (j, other) in combinations(enumerate(overlaps), 2):
            if getattr(one, side) == getattr(other, side):
                expected[i if keys[i] > keys[j] else j] += one.size * other.size
        assert [getattr(each, charge) for each in overlaps] == expected.tolist()


def test_of_many_overlaps_the_costliest_are_listed():
    """A core costs nothing, however large it is."""
    source = np.random.default_rng(3)
    u = source.integers(0, 40, 2000)
    v = np.where(source.random(2000) < 0.2, source.integers(0, 40, 2000), u)
    c = cc.compare(u.tolist(), v.tolist())
    (every,), (some,) = c.changes(n_overlaps=5000), c.changes(n_overlaps=30)
    assert every.omitted == 0
    costs = sorted((each.missed + each.wrong for each in every.overlaps), reverse=True)
    assert sorted((each.missed + each.wrong for each in some.overlaps), reverse=True) == costs[:30]
    sizes = [each.size for each in some.overlaps]
    assert sizes == sorted(sizes, reverse=True)
