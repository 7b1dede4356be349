"""Live gives the same result for any batches and order of adding them up, also after it is saved."""

import pickle
from datetime import date

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from inner import batch_cells as module

import concordant as cc
from concordant import Live
from concordant.errors import InputError, LabelError, LengthError, ParameterError, TooLargeError

INTEGERS = st.integers(-(2**63), 2**63 - 1) | st.integers(0, 5)
TEXTS = st.text(max_size=3) | st.sampled_from(["1", "2", "a", "a\0", ""])
MIXED = st.integers(0, 3) | st.sampled_from(["1", "2", 0.5, 1.5, (1, "x")])


@st.composite
def batches(draw, labels):
    """Some batches of pairs of labels."""
    u, v = draw(labels), draw(labels)
    pairs = st.lists(st.tuples(st.sampled_from(u), st.sampled_from(v)), max_size=20)
    return draw(st.lists(pairs, max_size=6))


def few(labels):
    return st.lists(labels, min_size=1, max_size=6)


def sides(pairs):
    return [u for u, _ in pairs], [v for _, v in pairs]


def at_once(pairs):
    return cc.compare(*map(cc.Partition.from_labels, sides(pairs)))  # tuples are labels here


def counted(pairs):
    return Live().add(*sides(pairs))


def named(live):
    return {(each.reference, each.candidate): each.overlap for each in live.compare().table}


def assert_same(live, pairs):
    """The comparison is that of all pairs at once, by sizes and by names."""
    whole, ours = at_once(pairs), live.compare()
    for part in ("n", "a", "b", "count"):
        np.testing.assert_array_equal(getattr(ours._counts, part), getattr(whole._counts, part))
    assert ours.signature == whole.signature
    assert live.size == len(pairs)
    expected = {}
    for pair in pairs:
        expected[pair] = expected.get(pair, 0) + 1
    assert named(live) == expected


# -- the same as all at once ------------------------------------------------------------------------


@pytest.mark.parametrize("labels", [INTEGERS, TEXTS, MIXED], ids=["integers", "texts", "mixed"])
def test_any_batches_in_any_order(labels):
    @settings(max_examples=20)
    @given(batches(few(labels)), st.randoms(use_true_random=False))
    def check(parts, random):
        whole = [pair for part in parts for pair in part]
        gathered = Live()
        for part in parts:
            gathered.add(*sides(part))
        assert_same(gathered, whole)
        assert gathered.compare().table == at_once(whole).table  # in the order of the batches
        random.shuffle(parts)
        assert_same(merged(parts, random), whole)

    check()


def merged(parts, random):
    """Each batch by itself, then two at a time, in any order."""
    lives = [counted(part) for part in parts] or [Live()]
    while len(lives) > 1:
        one, other = lives.pop(random.randrange(len(lives))), lives.pop(random.randrange(len(lives)))
        lives.append(one.extend(other))
    return lives[0]


def test_files_keep_everything(tmp_path):
    parts = [[(1, "a"), (2, "b"), (2, "a")], [(3, "a"), (1, "a")], [(2, "c")]]
    whole = Live()
    for number, part in enumerate(parts):
        counted(part).compare().save(tmp_path / f"{number}.json")
        whole.extend(cc.Comparison.load(tmp_path / f"{number}.json").live())
    assert_same(whole, [pair for part in parts for pair in part])


def test_all_indices_and_the_matching():
    rng = np.random.default_rng(1)
    u, v = rng.integers(0, 40, 2000), rng.integers(0, 30, 2000)
    cells = Live()
    for begin in range(0, 2000, 300):
        cells.add(u[begin : begin + 300], v[begin : begin + 300])
        assert cells.adjusted_rand == cc.adjusted_rand(u[: begin + 300], v[: begin + 300])
    whole, ours = cc.compare(u, v), cells.compare()
    assert ours.to_json() == whole.to_json()
    assert str(ours) == str(whole)
    assert ours.matching_accuracy == whole.matching_accuracy


def test_batches_before_and_after_edits():
    live = Live().add(["b", "a", "b"], [7, 7, 9]).move(reference="b", candidate=9, to=7)
    assert named(live.add(["c", "b"], [9, 7])) == {("b", 7): 3, ("a", 7): 1, ("c", 9): 1}
    both = Live().add(["a"], [7]).extend(live)
    assert named(both) == {("a", 7): 2, ("b", 7): 3, ("c", 9): 1}
    assert both.remove(reference="c", candidate=9).add(["a"], [9]).size == 6
    assert repr(both) == "<Live of 6 records: 2 against 2 clusters>"
    assert repr(counted([(0, 1), (0, 2)])) == "<Live of 2 records: 1 against 2 clusters>"


def test_records_are_not_known():
    with pytest.raises(cc.ConcordantError, match="and do not name them"):
        Live().add([0, 0], [0, 1]).compare().records()


# -- what it takes ----------------------------------------------------------------------------------


LABELS = [1, 1, 2, 3, 2]
GUESS = ["x", "y", "y", "x", "y"]


@pytest.mark.parametrize(
    "make",
    [
        list,
        np.array,
        pd.Series,
        pd.array,
        pl.Series,
        pa.array,
        lambda x: pa.chunked_array([x[:2], x[2:]]),
        lambda x: pd.Series(x, dtype="category"),
        lambda x: pa.array(x).dictionary_encode(),
    ],
)
def test_labels_of_any_library_are_the_same_by_value(make):
    cells = Live().add(LABELS, GUESS).add(make(LABELS), make(GUESS))
    assert named(cells) == {key: 2 * n for key, n in named(Live().add(LABELS, GUESS)).items()}


@pytest.mark.parametrize(
    "labels",
    [
        np.array([True, False, True]),
        np.array([0.5, 1.5, 0.5]),
        np.array([2**64 - 1, 1, 1], dtype=np.uint64),
        np.array(["2020-01-01", "2020-01-02", "2020-01-01"], dtype="datetime64[ns]"),
        pl.Series([date(2020, 1, 1), date(2020, 1, 2), date(2020, 1, 1)]),
        [b"x", b"y", b"x"],
        ["\ud800", "y", "\ud800"],
        np.array(["long enough not to be kept in place", "b", "b"]),
        np.array([3, 4, 3], dtype=np.int8),
    ],
    ids=lambda labels: str(getattr(labels, "dtype", "list")),
)
def test_labels_of_any_type_are_the_same_by_value(labels):
    cells = Live().add(labels, labels).add(list(labels), list(labels)).add(labels[::-1], labels[::-1])
    once = named(Live().add(labels, labels))
    assert sorted(named(cells).values()) == sorted(3 * n for n in once.values())


def test_series_align_by_their_index():
    u, v = pd.Series([1, 2, 3], index=list("abc")), pd.Series([7, 8, 9], index=list("cba"))
    assert named(Live().add(u, v)) == {(1, 9): 1, (2, 8): 1, (3, 7): 1}


def test_extending_leaves_the_other_alone():
    monday, tuesday = Live().add([1, 2], [1, 1]), Live().add([2, 2], [1, 3])
    both = Live("rand", undefined="nan").extend(monday).extend(tuesday)
    assert (monday.size, tuesday.size, both.size) == (2, 2, 4)
    assert named(both) == named(monday.extend(tuesday))
    assert named(both.extend(both)) == {key: 2 * n for key, n in named(monday).items()}
    assert named(pickle.loads(pickle.dumps(tuesday))) == named(tuesday)
    assert both.get() == cc.rand(*sides([key for key, n in named(both).items() for _ in range(n)]))
    with pytest.raises(ParameterError, match=r"other=\[\]: pass another Live"):
        monday.extend([])
    noise = cc.compare([0, 0, -1], [0, 1, 1], noise=-1, noise_as="singletons").live()
    with pytest.raises(InputError, match="some records are in no cluster"):
        monday.extend(noise)
    edited = Live(window=3).extend(cc.compare([0, 0, 1], [0, 1, 1]).live()).extend(tuesday)
    assert named(edited) == {(1, 1): 1, (2, 1): 1, (2, 3): 1}
    assert Live().extend(Live()).size == 0


# -- mistakes -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("u", "v", "error", "said"),
    [
        ([1, 2], [1], LengthError, "the reference has 2 labels and the candidate 1"),
        ([1, None], [1, 2], LabelError, "the reference: the label at position 1 is missing"),
        ([1, 2], np.array([1, np.nan]), LabelError, "the candidate: the label at position 1 is missing"),
        ([1], pa.array([None], pa.int64()), LabelError, "the candidate: the label at position 0 is missing"),
        ([{1}, {2}], [1, 2], LabelError, "a label is a single value"),
    ],
)
def test_bad_labels_add_nothing(u, v, error, said):
    cells = Live().add([1], [1])
    with pytest.raises(error, match=said):
        cells.add(u, v)
    assert named(cells) == {(1, 1): 1}


def test_more_elements_than_can_be_counted(monkeypatch):
    monkeypatch.setattr(module, "MOST_ELEMENTS", 4)
    cells = Live().add([1, 2], [1, 2])
    with pytest.raises(TooLargeError, match="more than can be counted"):
        cells.add([1, 2], [1, 2])
    with pytest.raises(TooLargeError, match="more than can be counted"):
        cells.extend(cells)
    assert cells.size == 2


def test_nanoseconds_stay_apart_and_units_do_not_matter():
    first, second = np.datetime64("2026-01-01", "ns") + np.array([1, 2], dtype="m8[ns]")
    for make in (np.array, pd.Series, pl.Series, pa.array):
        one, other = (make(np.array(batch)) for batch in ([first, second], [second, first]))
        assert {u for u, _ in named(Live().add(one, [1, 1]).add(other, [1, 2]))} == {first, second}
    days = np.array(["2026-01-01", "2026-01-02"], dtype="M8[D]")
    seconds = days.astype("M8[s]")
    cells = Live().add(days, [1, 1]).add(seconds, [1, 1]).add(list(days.astype("M8[us]").tolist()), [1, 1])
    assert list(named(cells).values()) == [3, 3]
    far = np.array(["9999-01-01"], dtype="M8[D]")  # beyond what nanoseconds hold
    assert named(Live().add(far, [1]).add(far, [1])) == {(far[0], 1): 2}


def test_equal_labels_of_different_types_are_refused_across_batches():
    for first, second in ((np.array([True]), [1]), ([1], [1.0]), (np.array([0]), np.array([False]))):
        cells = Live().add(first, ["x"])
        with pytest.raises(LabelError, match="equal, but of different types in different"):
            cells.add(second, ["x"])
        assert cells.size == 1
    assert len(named(Live().add([1], ["x"]).add([2.5], ["x"]))) == 2


def test_tuples_that_may_be_clusters_are_refused_as_by_compare():
    u, v = [("a", "b"), ("c",)], [("a",), ("b", "c")]
    with pytest.raises(LabelError, match=r"different lengths.*Partition\.from_labels"):
        cc.Live().add(u, v)
    told = cc.Live().add(cc.Partition.from_labels(u), cc.Partition.from_labels(v))
    assert told.compare().rand == 1
    for other in (cc.Partition.from_mapping({"x": 1, "y": 2}), cc.Partition.from_clusters([{0}, {1}])):
        with pytest.raises(ParameterError, match="one label per record"):
            cc.Live().add(other, other)
