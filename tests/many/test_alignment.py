"""Functions of many clusterings give each pair the values that `compare` gives it, whatever is left out."""

from itertools import combinations, product

import numpy as np
import polars as pl
import pytest

import concordant as cc
from concordant.errors import NothingLeftError

# Records of one side only, records in another order, nulls and noise.
BY_NAME = {
    "a": {"p": 0, "q": 0, "r": 1, "s": 1, "t": -1, "u": 2, "v": None},
    "b": {"q": 0, "p": 0, "r": -1, "s": 1, "t": 1, "u": 2, "w": 5, "v": 2},
    "c": {"p": 3, "q": 4, "s": 4, "r": 4, "t": 4, "u": None, "v": -1},
}
BY_POSITION = {name: list(each.values())[:7] for name, each in BY_NAME.items()}
NULLS = [{"nulls": "drop"}, {"nulls": "singletons"}]
NOISE = [{}, *({"noise": -1, "noise_as": how} for how in ("cluster", "drop", "singletons"))]
UNMATCHED = [{"unmatched": "drop"}, {"unmatched": "singletons"}]
BY_EACH_POLICY = [
    *((BY_POSITION, nulls | noise) for nulls, noise in product(NULLS, NOISE)),
    *((BY_NAME, unmatched | nulls | noise) for unmatched, nulls, noise in product(UNMATCHED, NULLS, NOISE)),
]
INDICES = ("rand", "precision", "mutual_information")


@pytest.mark.parametrize(("runs", "options"), BY_EACH_POLICY)
def test_a_matrix_has_the_values_of_each_pair(runs, options):
    matrix = cc.matrix(runs, INDICES, **options)
    for one, other in combinations(runs, 2):
        pair = cc.compare(runs[one], runs[other], **options)
        assert [matrix[one, other, name] for name in INDICES] == [pair[name] for name in INDICES]


# A record that one side lacks or drops is absent there, and a singleton is in a cluster of its own.
@pytest.mark.parametrize(("nulls", "noise"), list(product(NULLS, NOISE)))
@pytest.mark.parametrize("runs", [BY_POSITION, BY_NAME], ids=["by position", "by name"])
def test_tracks_and_stability_compare_the_records_that_two_runs_have(runs, nulls, noise):
    unmatched = {"unmatched": "drop"} if runs is BY_NAME else {}
    policies = nulls | noise
    track = cc.track(runs, **policies)
    expected = [cc.compare(runs[a], runs[b], **policies, **unmatched).adjusted_rand for a, b in ("ab", "bc")]
    assert list(track.adjusted_rand) == expected
    found = cc.stability(runs, reference="a", **policies).clusterings()
    expected = [cc.compare(runs["a"], runs[b], **policies, **unmatched).adjusted_rand for b in "bc"]
    assert [each.adjusted_rand for each in found] == expected


@pytest.mark.parametrize(
    ("runs", "options"), [each for each in BY_EACH_POLICY if each[1].get("unmatched") != "singletons"]
)
def test_a_ranking_and_a_diff_leave_out_the_same_records(runs, options):
    indices = ("rand", "precision")
    diff = cc.diff(runs["b"], runs["c"], reference=runs["a"], **options)
    ranking = cc.rank(runs["a"], {"b": runs["b"], "c": runs["c"]}, indices, **options)
    for name, index in product(("b", "c"), indices):
        assert ranking.candidates[name][index] == {"b": diff.before, "c": diff.after}[name][index]
    assert diff.size == ranking.size


def test_records_in_another_order_are_the_same_records():
    shuffled = {name: dict(reversed(each.items())) for name, each in BY_NAME.items() if name != "b"}
    runs = {"a": BY_NAME["a"], "b": BY_NAME["b"], "c": shuffled["c"]}
    options = {"unmatched": "drop", "nulls": "drop", "noise": -1, "noise_as": "drop"}
    assert dict(cc.matrix(runs, INDICES, **options)) == dict(cc.matrix(BY_NAME, INDICES, **options))
    found, expected = (
        cc.diff(each["b"], each["c"], reference=each["a"], **options).to_dict() for each in (runs, BY_NAME)
    )
    assert found == expected


TIED = {  # clusters of equal sizes, which split and merge into parts of equal sizes
    "first": {f"r{place}": f"c{place % 12 // 2}" for place in range(48)},
    "second": {f"r{place}": f"c{place % 24 // 2}" for place in range(48)},
    "third": {f"r{place}": f"d{place % 12 // 6}" if place % 5 else "noise" for place in range(48)},
}
DOORS = {
    "mapping": cc.Partition.from_mapping,
    "frame": lambda each, **noise: cc.Partition.from_frame(as_frame(each), **noise),
    "lazy frame": lambda each, **noise: cc.Partition.from_frame(as_frame(each).lazy(), **noise),
}
LISTS = {
    "track": lambda runs: [str(cc.track(runs)), *map(str, cc.track(runs).events)],
    "track, largest": lambda runs: list(map(str, cc.track(runs).events.largest(7))),
    "track, relabel": lambda runs: cc.track(runs, relabel=True).ids,
    "stability": lambda runs: [
        each.cluster for each in cc.stability(runs, reference="second").clusters(limit=9)
    ],
    "stability, records": lambda runs: [
        each.record for each in cc.stability(runs, reference="second").records(limit=9)
    ],
    "stability, text": lambda runs: str(cc.stability(runs, reference="first")),
}


def as_frame(mapping):
    return pl.DataFrame({"record": list(mapping), "cluster": list(mapping.values())})


@pytest.mark.parametrize("noise", [{}, {"noise": "noise", "noise_as": "singletons"}], ids=["", "noise"])
@pytest.mark.parametrize("door", DOORS.values(), ids=DOORS)
@pytest.mark.parametrize("listed", LISTS.values(), ids=LISTS)
def test_ties_do_not_depend_on_the_order_of_the_records(listed, door, noise):
    random, given, shuffled = np.random.default_rng(5), {}, {}
    for name, each in TIED.items():
        own = noise if name == "third" else {}
        given[name] = cc.Partition.from_mapping(each, **own)
        shuffled[name] = door({record: each[record] for record in random.permutation(list(each))}, **own)
    assert listed(shuffled) == listed(given)


def test_a_track_of_images_of_any_memory_layout_has_the_labels_of_each_voxel():
    labels = [np.array([[0, 0, 1], [1, 2, 2]]), np.array([[0, 0, 1], [2, 2, 2]])]
    rows, columns = (cc.track([labels[0], order(labels[1])]) for order in (np.asarray, np.asfortranarray))
    assert [str(event) for event in rows.events] == [str(event) for event in columns.events]


def test_the_error_of_an_empty_pair_names_only_the_options_that_leave_something_out():
    runs = [{1: 0, 2: 0}, {3: 0, 4: 1}, {1: 0, 5: -1}]
    with pytest.raises(NothingLeftError, match=r"^unmatched='drop': this leaves nothing"):
        cc.matrix(runs, unmatched="drop", noise=-1, noise_as="drop")
