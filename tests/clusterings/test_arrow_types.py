"""Every Arrow type, as labels and as record ids, by every way in: counted, or refused by us."""

import pickle
import re
from decimal import Decimal

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest
from not_run import few

import concordant as cc
from concordant.errors import ConcordantError, UnmatchedError

P = cc.Partition
SIZE = 6
OTHER = [0, 0, 0, 1, 1, 1]


def _types():
    """Six different values of each type."""
    numbers = list(range(1, SIZE + 1))
    plain = [pa.int8(), pa.uint64(), pa.float32(), pa.date32(), pa.time32("s"), pa.time64("us")]
    plain += [pa.time64("ns"), pa.duration("us"), pa.duration("ns"), pa.timestamp("s")]
    plain += [pa.timestamp("ns"), pa.timestamp("ns", "Europe/Berlin")]
    made = [pa.array(numbers, type=kind) for kind in plain]
    made += [pa.array([day * 86_400_000 for day in numbers], type=pa.date64())]
    made += [pa.array(np.array(numbers, dtype=np.float16))]
    decimals = [Decimal(number) for number in numbers]
    made += [pa.array(decimals, type=kind) for kind in (pa.decimal128(30, 2), pa.decimal256(76, 2))]
    made += [pa.array(list("abcdef"), type=kind) for kind in (pa.large_string(), pa.string_view())]
    binary = [pa.binary(), pa.binary_view(), pa.binary(1)]
    made += [pa.array([letter.encode() for letter in "abcdef"], type=kind) for kind in binary]
    made += [pa.array(list("abcdef")).dictionary_encode(), pc.run_end_encode(pa.array(numbers))]
    made += [pa.array([bytes([number]) * 16 for number in numbers], type=pa.uuid())]
    made += [pa.array([(number, 0, 0) for number in numbers], type=pa.month_day_nano_interval())]
    made += [pa.array([[number] for number in numbers]), pa.array([{"a": number} for number in numbers])]
    made += [pa.nulls(SIZE)]
    return {f"{array.type}"[:40]: array for array in made}


TYPES = _types()
NESTED = ("list", "struct", "null")
# Each runs a query of its own, so these take the types that their readers treat in a way of their own.
SLOW = ("time64[ns]", "timestamp[ns, tz", "decimal256", "month", "list")


def _scanned(table, folder):
    path = folder / f"{len(list(folder.iterdir()))}.parquet"
    pq.write_table(table, path)
    return path


FRAMES = {
    "pyarrow": lambda table, _: table,
    "pandas": lambda table, _: table.to_pandas(),
    "pandas of Arrow": lambda table, _: table.to_pandas(types_mapper=pd.ArrowDtype),
    "polars": lambda table, _: pl.from_arrow(table),
    "polars, lazy": lambda table, _: pl.from_arrow(table).lazy(),
    "duckdb": lambda table, _: duckdb.from_arrow(table),
    "files": _scanned,
}
UNKNOWN = (pa.ArrowException, pl.exceptions.PanicException, pl.exceptions.PolarsError, duckdb.Error)


def _sides(way, folder, *tables):
    """The partitions of tables with the columns id and c; None if the library does not know the type."""
    try:
        made = [FRAMES[way](pa.table(table), folder) for table in tables]
    except UNKNOWN:
        return None
    read = P.scan if way == "files" else P.from_frame
    return [read(each, record="id", cluster="c") for each in made]


def _refusal(compare, value):
    """What we say of a type that we do not take, empty where it is counted, shown and kept."""
    try:
        compared = compare()
        assert compared.rand == value
        assert str(compared.changes())
        assert pickle.loads(pickle.dumps(compared)).rand == value
    except ConcordantError as error:
        return str(error)
    return ""


def _kinds(way, full):
    if way == "duckdb" and not full:  # the slowest
        return [kind for kind in TYPES if kind.startswith(SLOW[1:3])]
    return [kind for kind in TYPES if way not in ("polars, lazy", "duckdb", "files") or kind.startswith(SLOW)]


def ways(names):
    """Each of them, and weekly DuckDB with more types."""
    each = [(way, False) for way in names]
    return pytest.mark.parametrize(("way", "full"), few(len(each), [*each, ("duckdb", True)]))


def _batches(values):
    table = pa.table({"u": values, "v": OTHER})
    counted = cc.Live().add(table["u"][:3], table["v"][:3])
    return counted.add(values[3:], OTHER[3:]).compare()


@ways(["labels", "batches", *FRAMES])
def test_labels_of_every_type(way, full, tmp_path):
    for kind in _kinds(way, full):
        values = TYPES[kind]
        if way == "labels":
            refusal = _refusal(lambda values=values: cc.compare(values, OTHER), 0.6)
            assert refusal or str(cc.compare(values, OTHER))
        elif way == "batches":
            refusal = _refusal(lambda values=values: _batches(values), 0.6)
        else:
            columns = ({"id": range(SIZE), "c": column} for column in (values, pa.array(OTHER)))
            sides = _sides(way, tmp_path, *columns)
            refusal = "" if sides is None else _refusal(lambda sides=sides: cc.compare(*sides), 0.6)
        refused = ("a label is a single value", "has decimals of 76 digits", "rounds it to microseconds")
        assert not refusal or kind.startswith(NESTED) or any(each in refusal for each in refused), kind


@ways(FRAMES)
def test_ids_of_every_type(way, full, tmp_path):
    for kind in _kinds(way, full):
        ids = TYPES[kind]
        tables = [{"id": ids, "c": range(SIZE)}, {"id": ids, "c": OTHER}, {"id": ids[1:], "c": OTHER[1:]}]
        if (sides := _sides(way, tmp_path, *tables)) is None:
            continue
        refusal = _refusal(lambda sides=sides: cc.compare(*sides[:2]), 0.6)
        if refusal:
            refused = ("ids are integers, text", "has decimals of 76 digits", "rounds it to microseconds")
            assert kind.startswith(NESTED) or any(each in refusal for each in refused), kind
            continue
        with pytest.raises(UnmatchedError) as missing:
            cc.compare(*sides[1:])
        if "[ns" in kind:
            assert re.search("00001\\b|64\\(1,", str(missing.value)), (kind, missing)


def test_booleans_in_bytes_have_two_values(tmp_path):
    values = pa.ExtensionArray.from_storage(pa.bool8(), pa.array([0, 1, 2, 0, 1, 3], pa.int8()))
    expected = cc.rand([0, 1, 1, 0, 1, 1], OTHER)
    for way in ("pyarrow", "pandas of Arrow", "polars", "polars, lazy", "duckdb"):
        tables = ({"id": range(SIZE), "c": column} for column in (values, pa.array(OTHER)))
        sides = _sides(way, tmp_path, *tables)
        refusal = _refusal(lambda sides=sides: cc.compare(*sides), expected)
        assert not refusal or (way == "polars, lazy" and ".ext.storage() != 0" in refusal), way
