"""Files of any size: formats, spelling, limits, and what goes wrong with files."""

import math
import os
import subprocess
import sys
import tempfile
from decimal import Decimal
from pathlib import Path

import duckdb
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from inner import duckdb_files
from not_run import few

import concordant as cc
from concordant.errors import (
    FileError,
    InputError,
    LabelError,
    ParameterError,
    TableNeededError,
    TooLargeError,
)

P = cc.Partition
U, V = [1, 1, 2, 2, 3], [1, 1, 2, 3, 3]


def expected():
    return cc.compare(U, V).to_dict(indices=["rand", "purity", "bcubed_f"])


def write(path, columns):
    frame = pl.DataFrame(columns)
    {".parquet": frame.write_parquet, ".jsonl": frame.write_ndjson, ".csv": frame.write_csv}[path.suffix](
        path
    )
    return path


@pytest.fixture(autouse=True)
def _no_temporary_folder_is_left(tmp_path, monkeypatch):
    spill = tmp_path / "temporary"
    spill.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(spill))
    yield
    assert list(spill.iterdir()) == []


def test_two_columns_of_many_files(tmp_path):
    truth, guess = columns = "the truth", 'a "guess"'
    for part, rows in (("part1", slice(2)), ("part2", slice(2, None))):
        write(tmp_path / f"{part}.parquet", {truth: U[rows], guess: [str(label) for label in V[rows]]})
    pattern = str(tmp_path / "part*.parquet")
    sides = [P.scan(pattern, cluster=column, record=None) for column in columns]
    assert cc.compare(*sides).to_dict(indices=expected()) == expected()


def test_text_is_not_guessed_at(tmp_path):
    """01 and 1 are two names; a number of a Parquet file has one spelling."""
    truth = write(tmp_path / "truth.csv", {"id": ["01", "1", "2"], "t": ["007", "7", "7"]})
    guess = write(tmp_path / "guess.parquet", {"id": [1, 2, 3], "g": [1, 1, 2]})
    sides = P.scan(truth, record="id", cluster="t"), P.scan(guess, record="id", cluster="g")
    c = cc.compare(*sides, unmatched="drop")
    assert c.signature.endswith("only_reference=1 | only_candidate=1 | not_compared=2")
    assert c.size == 2
    assert c.rand == 1


def test_empty_fields_are_null(tmp_path):
    path = tmp_path / "one.csv"
    path.write_text("id,t,g\n1,a,x\n2,,x\n3,a,\n")
    sides = [P.scan(path, record="id", cluster=column) for column in ("t", "g")]
    with pytest.raises(LabelError, match=r"'t' of the reference has 1 null label \(among them '2'\)"):
        cc.compare(*sides)
    assert cc.compare(*sides, nulls="drop").size == 1
    assert cc.compare(*sides, nulls="singletons")._counts.rows == 2


def test_empty_tables_and_memory(tmp_path):
    path = write(
        tmp_path / "none.parquet", {"t": pl.Series([], dtype=pl.Int64), "g": pl.Series([], dtype=pl.Int64)}
    )
    c = cc.compare(
        P.scan(path, cluster="t", memory="200MB", record=None),
        P.scan(path, cluster="g", memory="200MB", record=None),
    )
    assert c.size == 0


def compare_file(path, **options):
    sides = [P.scan(path, cluster=column, record=None, **options) for column in ("t", "g")]
    return cc.compare(*sides)


def test_clusters_and_records_are_named_either_way(tmp_path):
    truth = write(tmp_path / "truth.parquet", {"id": [11, 12, 13, 14, 15, 16], "entity": [1, 1, 1, 2, 2, 3]})
    guess = write(tmp_path / "guess.parquet", {"id": [15, 14, 13, 12, 11], "cluster": [7, 7, 8, 9, 9]})
    c = cc.compare(
        P.scan(truth, record="id", cluster="entity"),
        P.scan(guess, record="id", cluster="cluster"),
        unmatched="singletons",
    )
    (split,) = c.changes(kind="1:n")
    assert [cluster.cluster for cluster in split.reference] == [1]
    assert {(overlap.candidate, frozenset(overlap.examples)) for overlap in split.overlaps} == {
        (9, frozenset({11, 12})),
        (8, frozenset({13})),
    }
    counts = c.summary().components.counts
    assert (counts["1:1"], counts["1:0"]) == (1, 1)


def test_bad_files(tmp_path):
    good = write(tmp_path / "good.parquet", {"t": list(range(5000)), "g": list(range(5000))})
    cut = tmp_path / "cut.parquet"
    cut.write_bytes(good.read_bytes()[:-100])
    with pytest.raises(FileError, match=r"cut.parquet cannot be read"):
        compare_file(cut)
    damaged = tmp_path / "damaged.parquet"
    content = bytearray(good.read_bytes())
    content[4:2000] = bytes(1996)
    damaged.write_bytes(content)
    with pytest.raises(FileError, match=r"damaged.parquet cannot be read"):
        compare_file(damaged)
    late = tmp_path / "late.parquet"
    pl.select(t=pl.int_range(300_000), g=pl.int_range(300_000)).write_parquet(late, row_group_size=50_000)
    content = bytearray(late.read_bytes())
    content[-200_000:-100_000] = bytes(100_000)
    late.write_bytes(content)
    with pytest.raises(FileError, match=r"late.parquet cannot be read"):
        compare_file(late)
    with pytest.raises(FileError, match="there is no such file"):
        compare_file(tmp_path / "none.parquet")
    with pytest.raises(FileError, match="no file matches"):
        compare_file(tmp_path / "none*.parquet")
    (tmp_path / "empty").mkdir()
    with pytest.raises(FileError, match="has no files that end with"):
        compare_file(tmp_path / "empty")
    with pytest.raises(FileError, match="pass format="):
        compare_file(write(tmp_path / "x.csv", {"t": [1]}).rename(tmp_path / "x.dat"))
    with pytest.raises(InputError, match="has no column 't': it has id, g"):
        compare_file(write(tmp_path / "y.parquet", {"id": [1], "g": [1]}))
    with pytest.raises(LabelError, match="a label is a single value"):
        compare_file(write(tmp_path / "lists.parquet", {"t": [[1]], "g": [1]}))
    with pytest.raises(LabelError, match="a label is a single value"):
        compare_file(write(tmp_path / "lists.jsonl", {"t": [[1]], "g": [1]}))


def test_maps_are_neither_labels_nor_ids(tmp_path):
    path = tmp_path / "maps.parquet"
    maps = pa.array([[("a", 1)], [("a", 2)]], pa.map_(pa.string(), pa.int64()))
    pq.write_table(pa.table({"id": [1, 2], "map": maps}), path)
    labels, ids = P.scan(path, cluster="map", record="id"), P.scan(path, cluster="id", record="map")
    with pytest.raises(LabelError, match=r"'map' of .* MAP\(VARCHAR, BIGINT\); a label is a single"):
        cc.compare(labels, labels)
    with pytest.raises(InputError, match=r"'map' of .* MAP\(VARCHAR, BIGINT\); ids are"):
        cc.compare(ids, ids)


def test_a_full_temporary_disk(tmp_path, monkeypatch):
    size = 1_000_000
    path = tmp_path / "large.parquet"
    name = pl.format("record number {}", pl.int_range(size))
    pl.select(r=name, t=pl.int_range(size)).write_parquet(path)
    monkeypatch.setattr(duckdb_files, "free_bytes", lambda _: 2**20)
    with pytest.raises(TooLargeError, match=r"temporary folder is full|memory limit is too small"):
        cc.compare(*(P.scan(path, cluster="t", record="r", memory="12MB") for _ in "rc"))


FORKED = """
import os, sys
import concordant as cc

def labels():
    return cc.Partition.scan(sys.argv[1], cluster="t", record="id").labels.tolist()

first, child = labels(), os.fork()
again = labels()
if child:
    again = again if os.waitpid(child, 0)[1] == 0 else None
sys.exit(first != again)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="only some systems fork processes")
def test_a_forked_process_reads_files_too(tmp_path):
    path = write(tmp_path / "a.parquet", {"id": [1, 2, 3, 4, 5], "t": U})
    subprocess.run([sys.executable, "-c", FORKED, path], check=True, timeout=100)  # noqa: S603  (our own script)


def test_files_are_read_by_one_instance_of_duckdb_unless_it_failed(tmp_path, monkeypatch):
    opened, connect = [], duckdb.connect
    monkeypatch.setattr(
        duckdb, "connect", lambda *given, **named: opened.append(connect(*given, **named)) or opened[-1]
    )
    path = write(tmp_path / "a.parquet", {"id": [1, 2, 3, 4, 5], "t": U})
    side = P.scan(path, cluster="t", record="id")
    assert (side.labels.tolist(), cc.compare(side, side).rand) == (U, 1)
    assert len(opened) <= 1
    path.write_bytes(path.read_bytes()[:-9])
    with pytest.raises(FileError):
        _ = P.scan(path, cluster="t", record="id").labels
    before = len(opened)
    _ = P.scan(write(path, {"id": [1], "t": ["a"]}), cluster="t", record="id").labels
    assert len(opened) == before + 1


def test_what_scan_refuses():
    for options, told in (
        ({"format": "xls"}, "use 'parquet', 'csv'"),
        ({"nulls": "keep"}, "nulls='keep'"),
    ):
        with pytest.raises(ParameterError, match=told):
            P.scan("x.csv", cluster="t", **options)
    with pytest.raises(ParameterError, match="scan takes a path"):
        P.scan(3, cluster="t", record=None)
    with pytest.raises(ParameterError, match="cluster=3: give the name of a column"):
        P.scan("x.csv", cluster=3, record=None)
    assert "files" not in repr(P.scan(Path("x.csv"), cluster="t", record=None))


def scanned(path, text, **options):
    """The partition of a text file, and another that has five records."""
    path.write_text(text, encoding="utf-8")
    other = write(path.parent / "other.parquet", {"id": [5, 4, 3, 2, 1], "t": V[::-1]})
    return tuple(P.scan(p, record="id", cluster="t", **options) for p in (path, other))


def test_numbers_of_json_are_not_rounded(tmp_path):
    labels = (2**53 + 1, 2**53, 0.5, 10**22 + 1, '"late"')
    text = "".join(f'{{"id": {i}, "t": {label}}}\n' for i, label in enumerate(labels, 1))
    assert cc.compare(*scanned(tmp_path / "wide.jsonl", text))._counts.rows == 5


def test_a_file_may_be_called_like_a_pattern(tmp_path):
    folder = tmp_path / "it's [1] ü*"
    folder.mkdir()
    one = write(folder / "a[1].parquet", {"id": [1, 2, 3, 4, 5], "t": U})
    write(folder / "a1.parquet", {"id": [9], "t": [9]})
    _, other = scanned(tmp_path / "none.csv", "")
    assert cc.compare(P.scan(one, record="id", cluster="t"), other).size == 5


@pytest.mark.parametrize(
    ("source", "other"),
    few(3, [("file", 1.0), ("file", math.inf), ("relation", 1.0), ("file", 2.0), ("relation", 2.0)]),
)
def test_nan_labels_of_parquet_are_found(tmp_path, source, other):
    """The statistics of the file leave NaN out, and DuckDB asks them, more so if all else is equal."""
    path = tmp_path / "nan.parquet"
    pq.write_table(pa.table({"id": [1, 2, 3], "t": [1.0, float("nan"), other], "g": [1, 1, 2]}), path)
    if source == "relation":
        relation = duckdb.read_parquet(str(path))
        sides = [P.from_frame(relation, record="id", cluster=column) for column in ("t", "g")]
    else:
        sides = [P.scan(path, record="id", cluster=column) for column in ("t", "g")]
    with pytest.raises(LabelError, match="'t' of the reference has 1 null or NaN label"):
        cc.compare(*sides)
    assert cc.compare(*sides, nulls="drop").size == 2
    assert cc.compare(*sides, nulls="singletons")._counts.rows == 2 + (other != 1)


@pytest.mark.parametrize("memory", ["lots", "-1GB", 10**9, "50%", "1GB'; --"])
def test_a_memory_limit_that_is_none(memory):
    with pytest.raises(ParameterError, match="write a size like"):
        P.scan("x.parquet", cluster="t", memory=memory, record=None)


def test_both_sides_have_one_limit(tmp_path):
    path = write(tmp_path / "a.parquet", {"id": [1], "t": [1]})
    one = P.scan(path, record="id", cluster="t", memory="1GB")
    with pytest.raises(ParameterError, match="specify the same on both sides"):
        cc.compare(one, P.scan(path, record="id", cluster="t", memory="2GB"))
    assert cc.compare(one, P.scan(path, record="id", cluster="t")).size == 1


def test_what_no_engine_unpacks(tmp_path):
    path = tmp_path / "a.csv.bz2"
    path.write_bytes(b"BZh9")
    with pytest.raises(FileError, match=r"compressed as \.gz or \.zst; unpack this one first"):
        cc.compare(P.scan(path, record="id", cluster="t"), P.scan(path, record="id", cluster="g"))
    with pytest.raises(ParameterError, match="empty list"):
        P.scan([], cluster="t", record=None)


def test_records_of_tables_are_not_scored(tmp_path):
    c = cc.compare(*scanned(tmp_path / "a.csv", "id,t\n1,1\n2,1\n3,2\n4,2\n5,3\n"))
    with pytest.raises(TableNeededError, match="the records stay in their source"):
        c.records()


def test_decimals_that_would_be_rounded_are_refused(tmp_path):
    """DuckDB reads more than 38 digits as floats, which made one label of two."""
    large = [Decimal(10**45 + 1), Decimal(10**45 + 2)] * 2
    for digits, path in ((60, tmp_path / "wide.parquet"), (38, tmp_path / "narrow.parquet")):
        values = large if digits > 38 else [each - 10**45 for each in large]
        table = pa.table({"id": [1, 2, 3, 4], "c": pa.array(values, pa.decimal256(digits, 0))})
        pq.write_table(table, path)
    truth = write(tmp_path / "truth.parquet", {"id": [1, 2, 3, 4], "c": [1, 2, 1, 2]})
    truth, wide, narrow = (
        P.scan(path, record="id", cluster="c")
        for path in (truth, tmp_path / "wide.parquet", tmp_path / "narrow.parquet")
    )
    with pytest.raises(FileError, match=r"'c' of .*wide.parquet has decimals of 60 digits"):
        cc.compare(truth, wide)
    assert cc.compare(truth, narrow).adjusted_rand == 1
