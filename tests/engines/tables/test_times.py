"""Dates and times that Python cannot hold: every engine tells them apart, and names them alike."""

import datetime as dt

import duckdb
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from inner import TIMES, from_number, from_text

import concordant as cc

P = cc.Partition

WRITTEN = {
    "DATE": [
        "2026-01-02",
        "12026-12-31",
        "0105-02-29 (BC)",
        "infinity",
        "-infinity",
        "0001-01-01",
        "9999-12-31",
    ],
    "TIME": ["00:00:00", "24:00:00", "23:59:59.999999"],
    "TIME_NS": ["00:00:00", "23:59:59.999999999", "12:00:00.5"],
    "TIMESTAMP": ["2026-01-02 03:04:05.5", "20260-01-02 03:04:05", "1969-12-31 23:59:59.999999", "infinity"],
    "TIMESTAMP_S": ["1900-03-01 00:00:01", "20260-01-02 03:04:05"],
    "TIMESTAMP_MS": ["1969-12-31 23:59:59.999"],
    "TIMESTAMP_NS": ["1969-12-31 23:59:59.999999999", "2026-01-02 03:04:05.123456"],
    "TIMESTAMPTZ_NS": ["1969-12-31 23:59:59.999999999+00", "2026-01-02 03:04:05.123456+00"],
    "TIMESTAMP WITH TIME ZONE": ["2026-01-02 03:04:05+00", "0002-01-01 (BC) 00:00:00+00"],
}


def test_numbers_of_the_core_are_what_duckdb_writes():
    """As text where Python has no such value, and as its own where it has."""
    with duckdb.connect() as connection:
        connection.execute("SET TimeZone = 'UTC'")
        for kind in sorted(TIMES):
            listed = ", ".join(f"('{text}'::{kind})" for text in WRITTEN[kind])
            table = connection.sql(f"SELECT x::VARCHAR AS t, x FROM (VALUES {listed}) v(x)").to_arrow_table()  # noqa: S608
            stored, width = table["x"].combine_chunks(), pa.int32() if kind == "DATE" else pa.int64()
            numbers = pa.Array.from_buffers(width, len(table), stored.buffers()[:2]).to_pylist()
            written = [from_text(kind, text) for text in table["t"].to_pylist()]
            assert [from_number(kind, number) for number in numbers] == written


def sides(tmp_path, labels, ids=(1, 2, 3, 4)):
    """Two files, and two lazy frames: the labels against two clusters."""
    tables = [pa.table({"id": ids, "label": labels}), pa.table({"id": ids, "label": [1, 2, 2, 1]})]
    for name, table in zip("uv", tables, strict=True):
        pq.write_table(table, tmp_path / f"{name}.parquet")
    files = [P.scan(tmp_path / f"{x}.parquet", record="id", cluster="label") for x in "uv"]
    return files, [P.from_frame(pl.from_arrow(x).lazy(), record="id", cluster="label") for x in tables]


def test_labels_within_a_microsecond_stay_apart(tmp_path):
    """They were one label by name, for DuckDB and Polars, and so one row of the table."""
    named = {f"1970-01-01 00:00:00.{n:09}" for n in (1, 2)}
    for pair in sides(tmp_path, pa.array([1, 1, 2, 2], pa.timestamp("ns"))):
        (change,) = cc.compare(*pair).changes()
        assert (change.kind, {x.cluster for x in change.reference}) == ("n:m", named)
        assert sorted(x.examples for x in change.overlaps) == [(1,), (2,), (3,), (4,)]


def test_dates_beyond_python_name_labels_and_records(tmp_path):
    days = pa.array([4_000_000, 4_000_000, -2_000_000, 0], pa.int32()).cast(pa.date32())
    files, _ = sides(tmp_path, days)
    (change,) = cc.compare(*files).changes()
    assert {x.cluster for x in change.reference} == {"12921-08-18", "3507-03-09 (BC)", dt.date(1970, 1, 1)}
    assert sorted(x.examples for x in change.overlaps) == [(1,), (2,), (3,), (4,)]
    files, _ = sides(tmp_path, [1, 1, 2, 2], days)
    with pytest.raises(cc.errors.OverlapError, match=r"'12921-08-18' \(2 times\)"):
        cc.compare(*files)
