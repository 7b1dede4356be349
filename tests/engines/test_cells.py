"""An Accumulator gives the same result for any batches and order of merging, also after it is saved."""

import json
import pickle
import random
from datetime import date
from pathlib import Path
from tempfile import mkdtemp

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from fuzzing.saved import changed, places
from hypothesis import given, settings
from hypothesis import strategies as st
from inner import accumulator_files
from inner import batch_cells as module

import concordant as cc
from concordant import Accumulator
from concordant.errors import (
    FileError,
    LabelError,
    LengthError,
    MissingExtraError,
    ParameterError,
    TooLargeError,
)

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
    return Accumulator().add(*sides(pairs))


def named(cells):
    return {(u, v): n for u, v, n in cells}


def assert_same(cells, pairs):
    """The comparison of the cells is that of all pairs at once, by sizes and by names."""
    whole, ours = at_once(pairs), cells.compare()
    for part in ("n", "a", "b", "count"):
        np.testing.assert_array_equal(getattr(ours._counts, part), getattr(whole._counts, part))
    assert ours.signature == whole.signature
    assert cells.size == len(pairs)
    expected = {}
    for pair in pairs:
        expected[pair] = expected.get(pair, 0) + 1
    assert named(cells) == expected
    assert len(cells) == len(expected)


# -- the same as all at once ------------------------------------------------------------------------


@pytest.mark.parametrize("labels", [INTEGERS, TEXTS, MIXED], ids=["integers", "texts", "mixed"])
def test_any_batches_in_any_order(labels):
    @settings(max_examples=20)
    @given(batches(few(labels)), st.randoms(use_true_random=False))
    def check(parts, random):
        whole = [pair for part in parts for pair in part]
        gathered = Accumulator().add([], [])
        for part in parts:
            gathered.add(*sides(part))
        assert_same(gathered, whole)
        assert gathered.compare().table == at_once(whole).table  # in the order of the batches
        random.shuffle(parts)
        assert_same(merged(parts, random), whole)

    check()


def merged(parts, random):
    """Each batch by itself, then merged two at a time, in any order."""
    cells = [counted(part) for part in parts] or [Accumulator().add([], [])]
    while len(cells) > 1:
        one, other = cells.pop(random.randrange(len(cells))), cells.pop(random.randrange(len(cells)))
        cells.append(one + other)
    return cells[0]


@pytest.mark.parametrize("labels", [INTEGERS, TEXTS], ids=["integers", "texts"])
def test_files_keep_everything(labels, tmp_path):
    @settings(max_examples=3)
    @given(batches(few(labels)))
    def check(parts):
        folder = Path(mkdtemp(dir=tmp_path))
        for number, part in enumerate(parts):
            counted(part).save(folder / f"cells '{number}'.parquet")
        whole = [pair for part in parts for pair in part]
        if parts:
            assert_same(Accumulator.load(folder / "*.parquet"), whole)
        again = merged(parts, random)
        again.save(folder / "all")
        assert_same(Accumulator.load(folder / "all"), whole)

    check()


def test_all_indices_and_the_matching():
    rng = np.random.default_rng(1)
    u, v = rng.integers(0, 40, 2000), rng.integers(0, 30, 2000)
    cells = Accumulator()
    for begin in range(0, 2000, 300):
        cells.add(u[begin : begin + 300], v[begin : begin + 300])
    whole, ours = cc.compare(u, v), cells.compare()
    assert ours.to_json() == whole.to_json()
    assert str(ours) == str(whole)
    assert ours.matching_accuracy == whole.matching_accuracy


def test_the_labels_number_the_table():
    cells = Accumulator().add(["b", "a", "b"], [7, 7, 9]).add(["c"], [9])
    table = cells.compare().table
    names = cells.labels("reference"), cells.labels("candidate")
    assert names == (("b", "a", "c"), (7, 9))
    assert [(each.reference, each.candidate, each.overlap) for each in table] == list(cells)


def test_undefined_is_passed_on():
    cells = Accumulator().add([0, 0], [0, 1])
    assert np.isnan(cells.compare(undefined="nan").precision)
    with pytest.raises(ParameterError, match="undefined='no'"):
        cells.compare(undefined="no")


def test_records_are_not_known():
    with pytest.raises(cc.ConcordantError, match="and do not name them"):
        Accumulator().add([0, 0], [0, 1]).compare().records()


def test_nothing_at_all(tmp_path):
    empty = Accumulator().add([], [])
    assert repr(empty) == "<Accumulator of 0 records: 0 against 0 clusters, 0 overlaps>"
    assert list(empty) == []
    assert empty.compare().size == 0
    empty.save(tmp_path / "empty.parquet")
    cells = Accumulator.load(tmp_path / "empty.parquet").add(["a"], ["b"])
    assert list(cells) == [("a", "b", 1)]


# -- what it takes ----------------------------------------------------------------------------------


LABELS = [1, 1, 2, 3, 2]
GUESS = ["x", "y", "y", "x", "y"]


@pytest.mark.parametrize(
    "make",
    [
        list,
        tuple,
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
    cells = Accumulator().add(LABELS, GUESS).add(make(LABELS), make(GUESS))
    assert named(cells) == {key: 2 * n for key, n in named(Accumulator().add(LABELS, GUESS)).items()}


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
    cells = Accumulator().add(labels, labels).add(list(labels), list(labels)).add(labels[::-1], labels[::-1])
    assert sorted(n for _, _, n in cells) == sorted(3 * n for _, _, n in Accumulator().add(labels, labels))


def test_series_align_by_their_index():
    u, v = pd.Series([1, 2, 3], index=list("abc")), pd.Series([7, 8, 9], index=list("cba"))
    assert named(Accumulator().add(u, v)) == {(1, 9): 1, (2, 8): 1, (3, 7): 1}


@pytest.mark.parametrize(
    "make",
    [pa.record_batch, pa.table, pd.DataFrame, pl.DataFrame],
    ids=["record batch", "table", "pandas", "polars"],
)
def test_batches_by_name(make):
    batch = make({"guess": GUESS, "truth": LABELS})
    cells = Accumulator().add_batch(batch, reference="truth", candidate="guess")
    assert named(cells) == named(Accumulator().add(LABELS, GUESS))
    with pytest.raises(LabelError, match="the batch has no column 'thruth': it has 'guess', 'truth'"):
        cells.add_batch(batch, reference="thruth", candidate="guess")
    assert cells.size == 5


def test_sums_and_merges_leave_the_other_alone():
    monday, tuesday = Accumulator().add([1, 2], [1, 1]), Accumulator().add([2, 2], [1, 3])
    both = monday + tuesday
    assert (monday.size, tuesday.size, both.size) == (2, 2, 4)
    assert named(sum([monday, tuesday], Accumulator())) == named(both) == named(monday.merge(tuesday))
    assert named(both.merge(both, again=True)) == {key: 2 * n for key, n in named(monday).items()}
    assert named(pickle.loads(pickle.dumps(tuesday))) == named(tuesday)
    with pytest.raises(ParameterError, match="merges with another one, not with a list"):
        monday.merge([])
    with pytest.raises(TypeError):
        monday + 1


# -- mistakes -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("u", "v", "error", "said"),
    [
        ([1, 2], [1], LengthError, "the reference has 2 labels and the candidate 1"),
        ([1, None], [1, 2], LabelError, "the reference: the label at position 1 is missing"),
        ([1, 2], np.array([1, np.nan]), LabelError, "the candidate: the label at position 1 is missing"),
        ([1], pa.array([None], pa.int64()), LabelError, "the candidate: the label at position 0 is missing"),
        ("ab", "ab", LabelError, "bare string"),
        ([{1}, {2}], [1, 2], LabelError, "a label is a single value"),
    ],
)
def test_bad_labels_add_nothing(u, v, error, said):
    cells = Accumulator().add([1], [1])
    with pytest.raises(error, match=said):
        cells.add(u, v)
    assert (cells.size, list(cells)) == (1, [(1, 1, 1)])


def test_what_is_no_batch():
    with pytest.raises(LabelError, match=r"not a list; add plain labels with Accumulator.add"):
        Accumulator().add_batch([1, 2], reference="a", candidate="b")


def test_there_are_two_sides():
    with pytest.raises(ParameterError, match="use 'reference' or 'candidate'"):
        Accumulator().labels("truth")


def test_more_elements_than_can_be_counted(monkeypatch):
    monkeypatch.setattr(module, "MOST_ELEMENTS", 4)
    cells = Accumulator().add([1, 2], [1, 2])
    with pytest.raises(TooLargeError, match="more than Accumulator can count"):
        cells.add([1, 2], [1, 2])
    with pytest.raises(TooLargeError, match="more than Accumulator can count"):
        cells.merge(cells)
    assert cells.size == 2


@pytest.mark.parametrize(
    ("labels", "said"),
    [
        (
            [1, "1"],
            r"the labels of the reference are mixed \(int, str\); a file of cells stores 64-bit integers",
        ),
        ([0.5, 1.5], "the labels of the reference are of type float"),
        ([1, 2**63], "the labels of the reference are of type int"),
        ([b"a", b"b"], "the labels of the reference are of type bytes"),
    ],
)
def test_labels_that_no_file_holds(labels, said, tmp_path):
    with pytest.raises(LabelError, match=said):
        Accumulator().add(labels, [1, 2]).save(tmp_path / "cells.parquet")
    assert list(tmp_path.iterdir()) == []


def test_a_file_is_written_whole_or_not_at_all(tmp_path, monkeypatch):
    target = tmp_path / "cells.parquet"
    Accumulator().add([1], [1]).save(target)
    before = target.read_bytes()
    with pytest.raises(FileError, match="cannot write"):
        Accumulator().add([1], [1]).save(tmp_path / "nowhere" / "cells.parquet")
    with pytest.raises(FileError, match=r"cannot write .*: it is a folder"):
        Accumulator().add([1], [1]).save(tmp_path)

    def half(columns, path, about):  # noqa: ARG001  (as _write has it)
        path.write_bytes(b"half")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(accumulator_files, "_write", half)
    with pytest.raises(FileError, match=r"cannot write .*cells.parquet: No space left on device"):
        Accumulator().add([1, 2], [1, 2]).save(target)
    assert target.read_bytes() == before
    assert list(tmp_path.iterdir()) == [target]


def test_files_that_are_none(tmp_path):
    with pytest.raises(FileError, match=r"there is no file .*night"):
        Accumulator.load(tmp_path / "night-*.parquet")
    text = tmp_path / "text.parquet"
    text.write_text("reference,candidate,n\n1,1,1\n")
    with pytest.raises(FileError, match=r"cannot read .*text.parquet as a file of cells"):
        Accumulator.load(text)
    with pytest.raises(FileError, match="is a folder; name its files with a pattern"):
        Accumulator.load(tmp_path)


ABOUT = {
    "format": 2,
    "version": "0.1.0",
    "conventions": {"unmatched": "error", "noise": "none"},
    "size": 1,
    "cells": 1,
}
CELL = "1::BIGINT AS reference, 'x' AS candidate, 1::BIGINT AS n"


def written(path, select, about):
    metadata = "" if about is None else f", KV_METADATA {{concordant: '{json.dumps(about)}'}}"
    duckdb.execute(f"COPY (SELECT {select}) TO '{path}' (FORMAT parquet{metadata})")
    return path


@pytest.mark.parametrize(
    ("select", "about", "said"),
    [
        (CELL, None, "is not a file of cells: Accumulator.save did not write it"),
        (CELL, [1], "is not a file of cells"),
        (CELL, {}, "is not a file of cells"),
        (CELL, ABOUT | {"format": 3, "version": "9.0"}, "written by concordant 9.0 in format 3, which this"),
        (CELL, ABOUT | {"format": 1}, "in format 1, which this version does not read: it reads format 2"),
        (CELL, ABOUT, "is damaged: its checksum does not match"),
        (CELL, ABOUT | {"conventions": {"noise": "dropped"}}, "which this version does not read"),
        (CELL, ABOUT | {"size": 2}, "has 1 record in 1 cell, but declares 2 in 1"),
        (CELL.replace("reference", "truth"), ABOUT, "has the columns truth BIGINT, candidate"),
        (CELL.replace("1::BIGINT AS r", "1.5 AS r"), ABOUT, "reference DECIMAL"),
        (CELL + ", 2 AS m", ABOUT, "m INTEGER; a file of cells has"),
        (CELL.replace("'x'", "NULL::VARCHAR"), ABOUT, "nulls in its column candidate"),
        (CELL.replace("1::BIGINT AS n", "0::BIGINT AS n"), ABOUT, "a cell of 0 records"),
        (CELL.replace("1::BIGINT AS n", "NULL::BIGINT AS n"), ABOUT, "nulls in its column n"),
    ],
)
def test_other_files(tmp_path, select, about, said):
    with pytest.raises(FileError, match=said):
        Accumulator.load(written(tmp_path / "cells.parquet", select, about))


def test_a_file_whose_sum_would_overflow(tmp_path):
    select = f"unnest([1, 2]) AS reference, 'x' AS candidate, {2**63 - 1}::BIGINT AS n"
    select = select.replace("[1, 2]", "[1, 2]::BIGINT[]")
    path = written(tmp_path / "x", select, ABOUT | {"cells": 2, "size": 2 * (2**63 - 1)})
    with pytest.raises(TooLargeError, match="more than Accumulator can count"):
        Accumulator.load(path)


def test_without_duckdb(monkeypatch, tmp_path):
    monkeypatch.setitem(__import__("sys").modules, "duckdb", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'concordant\["):
        Accumulator().add([1], [1]).save(tmp_path / "cells.parquet")


# -- one state, known by its origin ------------------------------------------------------------------------


def test_nanoseconds_stay_apart_and_units_do_not_matter():
    first, second = np.datetime64("2026-01-01", "ns") + np.array([1, 2], dtype="m8[ns]")
    for make in (np.array, pd.Series, pl.Series, pa.array):
        one, other = (make(np.array(batch)) for batch in ([first, second], [second, first]))
        assert Accumulator().add(one, [1, 1]).add(other, [1, 2]).labels("reference") == (first, second)
    days = np.array(["2026-01-01", "2026-01-02"], dtype="M8[D]")
    seconds = days.astype("M8[s]")
    cells = (
        Accumulator().add(days, [1, 1]).add(seconds, [1, 1]).add(list(days.astype("M8[us]").tolist()), [1, 1])
    )
    assert [n for *_, n in cells] == [3, 3]
    far = np.array(["9999-01-01"], dtype="M8[D]")  # beyond what nanoseconds hold
    assert len(Accumulator().add(far, [1]).add(far, [1])) == 1


def test_equal_labels_of_different_types_are_refused_across_batches():
    for first, second in ((np.array([True]), [1]), ([1], [1.0]), (np.array([0]), np.array([False]))):
        cells = Accumulator().add(first, ["x"])
        with pytest.raises(LabelError, match="equal, but of different types in different"):
            cells.add(second, ["x"])
        assert (cells.size, len(cells)) == (1, 1)
    assert len(Accumulator().add([1], ["x"]).add([2.5], ["x"])) == 2


def test_a_part_that_is_added_twice_is_refused(tmp_path):
    monday = Accumulator("monday").add([1, 2], ["a", "b"])
    for name in ("one", "two"):
        monday.save(tmp_path / f"{name}.parquet")
    with pytest.raises(
        ParameterError, match=r"two\.parquet was counted here already: monday \(2 records, counted"
    ):
        Accumulator.load(tmp_path / "*.parquet")
    assert Accumulator.load(tmp_path / "*.parquet", again=True).size == 4
    loaded = Accumulator.load(tmp_path / "one.parquet")
    with pytest.raises(ParameterError, match="pass again=True"):
        loaded.merge(monday)
    assert loaded.size == 2
    tuesday = Accumulator("tuesday").add([1, 2], ["a", "b"])  # the same counts, but another part
    both = loaded.merge(tuesday)
    both.save(tmp_path / "both.parquet")
    assert [(part.name, part.size) for part in Accumulator.load(tmp_path / "both.parquet").parts] == [
        ("monday", 2),
        ("tuesday", 2),
    ]
    with pytest.raises(ParameterError, match="tuesday"):
        Accumulator.load(tmp_path / "both.parquet").merge(tuesday)


def test_no_flipped_byte_changes_what_is_read(tmp_path):
    path, whole = tmp_path / "cells.parquet", Accumulator().add([1, 2, 3, 3], ["a", "bb", "c", "a"])
    whole.save(path)
    content = path.read_bytes()
    for place in range(0, len(content), 23):
        path.write_bytes(content[:place] + bytes([content[place] ^ 4]) + content[place + 1 :])
        try:
            loaded = Accumulator.load(path)
        except FileError:
            continue
        assert named(loaded) == named(whole)  # what the byte says is not used
        assert loaded.parts == whole.parts


def test_tuples_that_may_be_clusters_are_refused_as_by_compare():
    u, v = [("a", "b"), ("c",)], [("a",), ("b", "c")]
    with pytest.raises(LabelError, match=r"different lengths.*Partition\.from_labels"):
        cc.Accumulator().add(u, v)
    told = cc.Accumulator().add(cc.Partition.from_labels(u), cc.Partition.from_labels(v))
    assert told.compare().rand == 1
    for other in (cc.Partition.from_mapping({"x": 1, "y": 2}), cc.Partition.from_clusters([{0}, {1}])):
        with pytest.raises(ParameterError, match="one label per record"):
            cc.Accumulator().add(other, other)


def test_descriptions_that_no_accumulator_writes_are_refused(tmp_path):
    path = tmp_path / "all.cells"
    cc.Accumulator("all").add(list("aab"), [0, 1, 1]).save(path)
    table = pq.read_table(path)
    columns = tuple(np.asarray(table[name].to_pylist()) for name in table.column_names)
    about = json.loads(table.schema.metadata[b"concordant"])
    for place in [("version",), *(place for place in places(about) if place[0] == "parts")]:
        for wrong in (..., None, -1, "x", [], {}):
            other = changed(about, place, wrong)
            other["checksum"] = accumulator_files._checksum(columns, other)
            described = table.replace_schema_metadata({b"concordant": json.dumps(other).encode()})
            pq.write_table(described, path)
            try:
                loaded = cc.Accumulator.load(path)
            except FileError:
                continue
            assert loaded.compare().rand == 1 / 3
            assert str(loaded.parts[:1])
