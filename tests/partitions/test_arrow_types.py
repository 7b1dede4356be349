"""Every Arrow type, as labels and as record ids, by every way in: counted, or refused by us."""

import pickle
import re
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

import concordant as cc
from concordant.errors import ConcordantError

P = cc.Partition
SIZE = 6
OTHER = [0, 0, 0, 1, 1, 1]


def _types():
    """Six different values of each type."""
    numbers = list(range(1, SIZE + 1))
    plain = [pa.int8(), pa.int64(), pa.uint64(), pa.float32(), pa.float64(), pa.date32()]
    plain += [pa.time32("s"), pa.time32("ms"), pa.time64("us"), pa.time64("ns")]
    units = ("s", "ms", "us", "ns")
    plain += [pa.timestamp(unit, zone) for unit in units for zone in (None, "Europe/Berlin")]
    plain += [pa.duration(unit) for unit in units]
    made = [pa.array(numbers, type=kind) for kind in plain]
    made += [pa.array([day * 86_400_000 for day in numbers], type=pa.date64())]
    made += [pa.array(np.array(numbers, dtype=np.float16))]
    decimals = [Decimal(number) for number in numbers]
    made += [pa.array(decimals, type=kind(30, 2)) for kind in (pa.decimal128, pa.decimal256)]
    made += [pa.array(decimals, type=pa.decimal256(76, 2))]
    texts = [pa.string(), pa.large_string(), pa.string_view()]
    made += [pa.array(list("abcdef"), type=kind) for kind in texts]
    binary = [pa.binary(), pa.large_binary(), pa.binary_view(), pa.binary(1)]
    made += [pa.array([letter.encode() for letter in "abcdef"], type=kind) for kind in binary]
    made += [pa.array(list("abcdef")).dictionary_encode(), pc.run_end_encode(pa.array(numbers))]
    made += [pa.array([bytes([number]) * 16 for number in numbers], type=pa.uuid())]
    made += [pa.array([[number] for number in numbers]), pa.array([{"a": number} for number in numbers])]
    made += [pa.nulls(SIZE)]
    return {f"{array.type}"[:40]: array for array in made}


TYPES = _types()
FRAMES = {
    "pyarrow": lambda table: table,
    "pandas": lambda table: table.to_pandas(),
    "pandas of Arrow": lambda table: table.to_pandas(types_mapper=pd.ArrowDtype),
    "polars": pl.from_arrow,
    "polars, lazy": lambda table: pl.from_arrow(table).lazy(),
}


def _made(make, columns):
    """The columns as a dataframe, or as a file, by a library that may not know the type."""
    try:
        return make(pa.table(columns))
    except (pa.ArrowException, pl.exceptions.PanicException, pl.exceptions.PolarsError) as error:
        pytest.skip(str(error)[:80])


def _from_frames(make):
    def ways(values, _):
        both = _made(make, {"u": values, "v": OTHER})
        yield cc.compare(both, "u", "v")
        sides = [_made(make, {"id": range(SIZE), "c": column}) for column in (values, pa.array(OTHER))]
        yield cc.compare(*(P.from_frame(side, record="id", cluster="c") for side in sides))

    def by_id(ids, _):
        sides = [_made(make, {"id": ids, "c": column}) for column in (range(SIZE), OTHER)]
        yield cc.compare(*(P.from_frame(side, record="id", cluster="c") for side in sides))
        sides = [_made(make, {"id": ids[1:], "c": OTHER[1:]}), sides[1]]
        yield cc.compare(*(P.from_frame(side, record="id", cluster="c") for side in sides))

    return ways, by_id


def _write(path, columns):
    _made(lambda table: pq.write_table(table, path), columns)


def _from_files(engine):
    def ways(values, folder):
        _write(folder / "both.parquet", {"id": range(SIZE), "u": values, "v": OTHER})
        yield cc.compare(
            *(P.scan(folder / "both.parquet", record="id", cluster=name, engine=engine) for name in "uv")
        )

    def by_id(ids, folder):
        for name, column in (("u", range(SIZE)), ("v", OTHER)):
            _write(folder / f"{name}.parquet", {"id": ids, "c": column})
        _write(folder / "w.parquet", {"id": ids[1:], "c": OTHER[1:]})
        sides = {x: P.scan(folder / f"{x}.parquet", record="id", cluster="c", engine=engine) for x in "uvw"}
        yield cc.compare(sides["u"], sides["v"])
        yield cc.compare(sides["w"], sides["v"])

    return ways, by_id


def _labels(values, _):
    yield cc.compare(values, OTHER)
    yield cc.compare(pa.chunked_array([values[:3], values[3:]]), OTHER)


def _batches(values, _):
    yield cc.Accumulator().add(values[:3], OTHER[:3]).add(values[3:], OTHER[3:]).compare()
    batch = pa.table({"u": values, "v": OTHER})
    yield cc.Accumulator().add_batch(batch, reference="u", candidate="v").compare()


LABELS = {"labels": _labels, "batches": _batches}
LABELS |= {f"dataframes of {name}": _from_frames(make)[0] for name, make in FRAMES.items()}
LABELS["files"] = _from_files("auto")[0]
IDS = {f"dataframes of {name}": _from_frames(make)[1] for name, make in FRAMES.items()}
IDS["files"] = _from_files("auto")[1]


def _refusal(ways):
    """What we say of a type that we do not take, empty where it is counted, shown and kept."""
    try:
        for compared in ways:
            assert compared.rand == 0.6
            assert str(compared)
            assert str(compared.changes())
            assert pickle.loads(pickle.dumps(compared)).rand == 0.6
    except ConcordantError as error:
        return str(error)
    return ""


@pytest.mark.parametrize("way", LABELS)
@pytest.mark.parametrize("kind", TYPES)
def test_labels_of_every_type(kind, way, tmp_path):
    refusal = _refusal(LABELS[way](TYPES[kind], tmp_path))
    is_single = not kind.startswith(("list", "struct", "null"))
    assert not is_single or not refusal or "of type Object; a label is a single value" in refusal


@pytest.mark.parametrize("way", IDS)
@pytest.mark.parametrize("kind", TYPES)
def test_ids_of_every_type(kind, way, tmp_path):
    refusal = _refusal(IDS[way](TYPES[kind], tmp_path))  # at the latest for the record that one side lacks
    missing = re.search("among them (.*?)\\)[);]", refusal) or re.search("among them (.*?)\\)", refusal)
    if missing is None:
        assert kind == "null" or "ids are integers, text, UUIDs or dates" in refusal
    elif kind.endswith("[ns]") or "[ns," in kind:
        assert re.search("01\\b|\\b1\\b", missing[1])  # the nanosecond is in its name
