"""Dataframes in memory give what arrays give, in every function that takes clusterings."""

from decimal import Decimal
from functools import partial

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import concordant as cc
from concordant.errors import InputError, LabelError, ParameterError, UnmatchedError

rng = np.random.default_rng(5)
SIZE = 40
NAMES = [f"r{i:02}" for i in range(SIZE)]
LABELS = {name: rng.integers(0, 5, SIZE).tolist() for name in ("truth", "old", "new")}
UNITS = rng.integers(0, 8, SIZE).tolist()

LIBRARIES = {"pandas": pd.DataFrame, "polars": pl.DataFrame, "pyarrow": pa.table}


def clusterings(library):
    """The three clusterings as dataframes with their rows in different orders, and as mappings in these."""
    framed, named = {}, {}
    for place, (name, labels) in enumerate(LABELS.items()):
        order = np.random.default_rng(place).permutation(SIZE).tolist()
        columns = {"record": NAMES, "cluster": labels, "unit": UNITS}
        rows = {key: [values[i] for i in order] for key, values in columns.items()}
        framed[name] = cc.Partition.from_frame(LIBRARIES[library](rows))
        named[name] = dict(zip(rows["record"], rows["cluster"], strict=True))
    return framed, named


def table(library):
    return LIBRARIES[library]({"record": NAMES, **LABELS, "unit": UNITS})


OLD = dict(zip(NAMES, LABELS["old"], strict=True))
SOFT = cc.Soft.from_frame(pl.DataFrame({"record": NAMES, "cluster": LABELS["new"], "weight": [1.0] * SIZE}))
COVER = cc.Cover.from_mapping({name: [label] for name, label in zip(NAMES, LABELS["new"], strict=True)})

CALLS = {
    "matrix": lambda g: cc.matrix(g, ["adjusted_rand", "f_measure"]),
    "stability": cc.stability,
    "consensus": lambda g: cc.consensus(g).partition.to_dict(),
    "track": cc.track,
    "references": lambda g: cc.compare_references({"truth": g["truth"], "old": g["old"]}, g["new"]),
    "soft": lambda g: cc.compare(g["truth"], SOFT),
    "cover": lambda g: cc.compare(g["truth"], COVER),
    "matrix of covers": lambda g: cc.matrix({**g, "cover": COVER}, "omega"),
    "levels": lambda g: cc.Hierarchy.from_levels([g["truth"]]).cut(n_clusters=5).n_clusters,
    "mixed diff": lambda g: cc.diff(
        dict(zip(NAMES, LABELS["old"], strict=True)), g["new"], reference=g["truth"]
    ),
    "mixed rank": lambda g: cc.rank(
        g["truth"], {"old": g["old"], "new": dict(zip(NAMES, LABELS["new"], strict=True))}, "rand"
    ),
}

BY_UNIT = {
    "interval": lambda g, unit: cc.compare(g["truth"], g["new"]).interval("f_measure", unit=unit),
    "versus": lambda g, unit: cc.compare(g["truth"], g["new"]).versus(
        cc.compare(g["truth"], g["old"]), "f_measure", unit=unit
    ),
    "rank": lambda g, unit: cc.rank(g["truth"], {"old": g["old"], "new": g["new"]}, "f_measure", unit=unit),
    "intervals of a diff": lambda g, unit: cc.diff(g["old"], g["new"], reference=g["truth"], unit=unit),
    "diff": lambda g, unit: cc.diff(g["old"], g["new"]).slices(unit),
    "diff with a reference": lambda g, unit: cc.diff(g["old"], g["new"], reference=g["truth"]).slices(unit),
}


def data(result):
    return result.to_dict() if hasattr(result, "to_dict") else result


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("call", CALLS)
def test_frames_give_what_mappings_give(call, library):
    framed, named = clusterings(library)
    assert data(CALLS[call](framed)) == data(CALLS[call](named))


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("call", BY_UNIT)
def test_a_unit_or_a_slice_is_a_column_of_the_frame(call, library):
    framed, named = clusterings(library)
    units = dict(zip(NAMES, UNITS, strict=True))
    assert data(BY_UNIT[call](framed, "unit")) == data(BY_UNIT[call](named, units))


@pytest.mark.parametrize("record", [None, "record"])
@pytest.mark.parametrize("library", LIBRARIES)
def test_a_unit_is_a_column_of_the_one_table(library, record):
    columns, options = list(LABELS), {"record": record}
    units = UNITS if record is None else dict(zip(NAMES, UNITS, strict=True))
    frame = table(library)
    judged = partial(cc.diff, reference=columns[0])
    for call, given in ((cc.rank, columns), (judged, columns[1:])):
        by_name = call(frame, columns=given, unit="unit", **options)
        assert data(by_name) == data(call(frame, columns=given, unit=units, **options))


@pytest.mark.parametrize("library", LIBRARIES)
def test_weights_are_a_column_of_the_frame(library):
    weights = [Decimal(f"{1 + number % 7}.{number % 3}") for number in range(SIZE)]
    framed, named = clusterings(library)
    heavy = LIBRARIES[library]({"record": NAMES, "cluster": LABELS["truth"], "weight": weights})
    first = {**framed, "truth": cc.Partition.from_frame(heavy)}
    by_name = dict(zip(NAMES, weights, strict=True))
    for call in (
        lambda g, w: cc.compare(g["truth"], g["new"], weights=w),
        lambda g, w: cc.compare(g["truth"], OLD, weights=w),
        lambda g, w: cc.matrix(g, "f_measure", weights=w),
        lambda g, w: cc.diff(g["truth"], g["new"], weights=w),
    ):
        assert data(call(first, "weight")) == data(call(named, by_name))
    exact = cc.compare(first["truth"], framed["new"], weights="weight").exact("rand")
    assert exact == cc.compare(named["truth"], named["new"], weights=by_name).exact("rand")
    with pytest.raises(InputError, match="no column 'mass'"):
        cc.compare(first["truth"], framed["new"], weights="mass")


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_weights_are_a_column_of_files(tmp_path, ending):
    weights = [f"{1 + number % 7}.{number % 3}0" for number in range(SIZE)]
    paths = []
    for name in ("truth", "new"):
        frame = pl.DataFrame({"record": NAMES, "cluster": LABELS[name], "weight": weights})
        paths.append(tmp_path / f"{name}.{ending}")
        if ending == "csv":
            frame.write_csv(paths[-1])
        else:
            frame.with_columns(pl.col("weight").cast(pl.Decimal(10, 2))).write_parquet(paths[-1])
    found = cc.compare(*map(cc.Partition.scan, paths), weights="weight")
    _, named = clusterings("polars")
    wanted = cc.compare(
        named["truth"], named["new"], weights={n: Decimal(w) for n, w in zip(NAMES, weights, strict=True)}
    )
    assert found.exact("f_measure") == wanted.exact("f_measure")


def test_rows_without_a_record_are_left_out_or_refused():
    frame = pl.DataFrame({"record": ["a", None, "b"], "cluster": [1, 1, 2]})
    whole = cc.Partition.from_frame(frame, nulls="drop")
    assert whole.labels.tolist() == [1, 2]
    assert cc.matrix([whole, {"a": 0, "b": 1}]).size == 2
    with pytest.raises(LabelError, match="1 row with no record in 'record'"):
        cc.matrix([cc.Partition.from_frame(frame), whole])


def test_frames_without_a_record_are_joined_with_no_other():
    frames = [pl.DataFrame({"cluster": labels}) for labels in LABELS.values()]
    alone = [cc.Partition.from_frame(frame, record=None) for frame in frames]
    with pytest.raises(ParameterError, match="record"):
        cc.matrix(alone)


def test_a_unit_that_is_null_is_refused():
    frame = pl.DataFrame({"a": [1, 1, 2], "b": [1, 2, 2], "unit": [1, None, 2]})
    with pytest.raises(LabelError, match="unit='unit': this column is null for 1 record"):
        cc.compare(frame, columns=["a", "b"]).interval("f_measure", unit="unit")


def test_what_is_on_a_cluster_is_not_collected():
    class Remote(pl.DataFrame):
        __module__ = "pyspark.sql.dataframe"

    distributed = cc.Partition.from_frame(Remote({"record": NAMES, "cluster": LABELS["old"]}))
    for function in (cc.stability, cc.consensus, cc.track):
        with pytest.raises(InputError, match=r"write it to Parquet files and pass Partition\.scan"):
            function([distributed, distributed])
    with pytest.raises(InputError, match=r"write it to Parquet files"):
        cc.matrix(Remote(LABELS))


def test_a_matrix_of_files_is_counted_by_their_engine(tmp_path):
    scanned = {}
    for name, labels in LABELS.items():
        path = tmp_path / f"{name}.csv"
        pl.DataFrame({"record": NAMES, "cluster": map(str, labels)}).write_csv(path)
        scanned[name] = cc.Partition.scan(path, memory="200MB")
    _, named = clusterings("polars")
    indices = ["adjusted_rand", "purity", "mutual_information"]
    found, wanted = cc.matrix(scanned, indices), cc.matrix(named, indices)
    assert found.size == SIZE
    for index in indices:
        assert np.allclose(found.to_numpy(index), wanted.to_numpy(index), rtol=1e-12)
    short = tmp_path / "short.csv"
    pl.DataFrame({"record": NAMES[1:], "cluster": LABELS["old"][1:]}).write_csv(short)
    with_short = {"truth": scanned["truth"], "short": cc.Partition.scan(short, memory="200MB")}
    assert cc.matrix(with_short, unmatched="drop").size == SIZE
    with pytest.raises(UnmatchedError):
        cc.matrix(with_short)


WEIGHED = pl.DataFrame(
    {"record": range(6), "a": [0, 0, 1, 1, 2, 2], "b": [0, 0, 0, 1, 2, 2], "w": [1, 2, 1, 1, 1, 3]}
)
BY_WEIGHT = {
    "matrix": lambda a, b, **weights: cc.matrix({"a": a, "b": b}, **weights)["a", "b"],
    "stability": lambda a, b, **weights: cc.stability({"a": a, "b": b}, **weights).overall,
    "rank": lambda a, b, **weights: cc.rank(a, {"a": a, "b": b}, "rand", **weights).to_dict()["values"],
    "diff": lambda a, b, **weights: cc.diff(a, b, reference=a, **weights).recall_ratio,
}


@pytest.mark.parametrize("call", BY_WEIGHT.values(), ids=BY_WEIGHT)
@pytest.mark.parametrize("make", [lambda frame: frame, pl.DataFrame.lazy, pl.DataFrame.to_pandas])
def test_weights_are_a_column_of_any_dataframe(call, make):
    frame = make(WEIGHED)
    sides = [cc.Partition.from_frame(frame, cluster=each) for each in "ab"]
    expected = call(*(WEIGHED[each].to_list() for each in "ab"), weights=WEIGHED["w"].to_list())
    assert call(*sides, weights="w") == expected


def test_weights_are_a_column_of_one_table():
    for columns in (["a", "b"], None):
        options = {"columns": columns, "record": "record", "weights": "w"}
        lists = [WEIGHED[each].to_list() for each in "ab"]
        weights = WEIGHED["w"].to_list()
        assert cc.matrix(WEIGHED, **options)["a", "b"] == cc.matrix(lists, weights=weights)["0", "1"]
        assert cc.stability(WEIGHED, **options).overall == cc.stability(lists, weights=weights).overall
