"""Each option of compare() works or is refused for each type of input, as the table of docs/api.md states."""

import inspect
import json

import numpy as np
import options_by_input
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from options_by_input import CHANGES, INPUTS, NO_EFFECT, REFUSED, TABLE

import concordant as cc
from concordant.errors import ConcordantError, ParameterError, WeightsError

U, V = list("aabbxc"), list("aabcxx")
SINGLE = list("abcdef"), list("aaaaaa")  # recall is 0/0
NUMBERS = {label: number for number, label in enumerate("xabcdef")}
P = cc.Partition


def clusters(labels, ids):
    return [
        {i for i, each in zip(ids, labels, strict=True) if each == label} for label in dict.fromkeys(labels)
    ]


def numbered(labels):
    image = np.array([NUMBERS.get(each, 0) for each in labels]).reshape(2, 3)
    is_null = np.array([each is None for each in labels]).reshape(2, 3)
    return np.ma.array(image, mask=is_null) if is_null.any() else image


def framed(make):
    def sides(labels, ids, *_):
        return P.from_frame(make({"id": ids, "label": labels}), record="id", cluster="label")

    return sides


def in_file(ending, write):
    def sides(labels, ids, folder, name):
        path = folder / f"{name}.{ending}"
        write(pl.DataFrame({"id": ids, "label": labels}), path)
        return P.scan(path, record="id", cluster="label")

    return sides


def relation():
    import duckdb

    connection = duckdb.connect()
    return framed(lambda columns: connection.from_arrow(pa.table(columns)))


def chunked(labels, *_):
    import dask.array as da

    return da.from_array(numbered(labels), chunks=(1, 3))


def json_lines(frame, path):
    path.write_text("".join(json.dumps(row) + "\n" for row in frame.to_dicts()))


MAKERS = {
    "list": lambda labels, *_: labels,
    "NumPy array": lambda labels, *_: np.array(labels, dtype=object if None in labels else str),
    "pandas Series": lambda labels, ids, *_: pd.Series(labels, index=ids),
    "Polars Series": lambda labels, *_: pl.Series(labels),
    "Arrow array": lambda labels, *_: pa.array(labels),
    "mapping": lambda labels, ids, *_: dict(zip(ids, labels, strict=True)),
    "list of sets": lambda labels, ids, *_: clusters(labels, ids),
    "pandas DataFrame": framed(pd.DataFrame),
    "Polars DataFrame": framed(pl.DataFrame),
    "PyArrow table": framed(pa.table),
    "DuckDB relation": None,  # one connection for each test
    "CSV": in_file("csv", lambda frame, path: frame.write_csv(path)),
    "Parquet": in_file("parquet", lambda frame, path: frame.write_parquet(path)),
    "JSON lines": in_file("jsonl", json_lines),
    "Cover": lambda labels, ids, *_: cc.Cover.from_clusters(clusters(labels, ids)),
    "label image": lambda labels, *_: numbered(labels),
    "chunked array": chunked,
}


def outcome(kind, labels, folder, ids=(range(6), range(6)), **options):
    """All values and what was left out, or the error."""
    make = relation() if kind == "DuckDB relation" else MAKERS[kind]
    sides = [
        make(own, list(names), folder, name) for own, names, name in zip(labels, ids, ("u", "v"), strict=True)
    ]
    if "noise" in options and isinstance(sides[0], P):  # said where the partition is made
        from dataclasses import replace

        sides = [replace(each, **options) for each in sides]
        options = {}
    try:
        c = cc.compare(*sides, **options)
    except ConcordantError as error:
        return error
    return repr(c.to_dict())


def noise_of(kind):
    return 0 if kind in (*options_by_input.ARRAYS, "list of sets") else "x"


def masked(kind):
    mask = np.array([True, True, True, False, True, True])
    return mask.reshape(2, 3) if kind in options_by_input.ARRAYS else mask


def weights(kind):
    given = [1, 2, 3, 4, 5, 6]
    if kind == "label image":
        return {(i // 3, i % 3): weight for i, weight in enumerate(given)}
    return dict(enumerate(given))


SHIFTED = {"ids": (range(6), range(1, 7))}
CASES = {  # the labels, what else is the same in both comparisons, and the option
    "unmatched": lambda kind: ((U, V), SHIFTED, {"unmatched": "drop"}),
    "nulls": lambda kind: (
        ([*U[:5], None], V) if TABLE["nulls"][kind] == CHANGES else (U, V),
        {},
        {"nulls": "drop"},
    ),
    "noise": lambda kind: ((U, V), {}, {"noise": noise_of(kind), "noise_as": "drop"}),
    "reference_noise": lambda kind: ((U, V), {}, {"reference_noise": {noise_of(kind): "drop"}}),
    "candidate_noise": lambda kind: ((U, V), {}, {"candidate_noise": {noise_of(kind): "drop"}}),
    "where": lambda kind: ((U, V), {}, {"where": masked(kind)}),
    "weights": lambda kind: ((U, V), {}, {"weights": weights(kind)}),
    "undefined": lambda kind: (SINGLE, {}, {"undefined": "nan"}),
    "table_limit": lambda kind: ((U, V), {}, {"table_limit": 0}),
    "threads": lambda kind: ((U, V), {}, {"threads": 2}),
}


def test_the_table_has_every_option_and_every_input():
    parameters = inspect.signature(cc.compare).parameters.values()
    options = {each.name for each in parameters if each.kind is each.KEYWORD_ONLY}
    assert options == TABLE.keys() | {"record", "noise_as"}  # which are refused without their partner
    assert options_by_input.NOTES.keys() == TABLE.keys() == CASES.keys() | {"progress"}
    assert list(MAKERS) == INPUTS


@pytest.mark.parametrize("kind", INPUTS)
@pytest.mark.parametrize("option", CASES)
def test_each_option_works_or_is_refused(option, kind, tmp_path):
    labels, same, options = CASES[option](kind)
    without, found = (
        outcome(kind, labels, tmp_path, **same),
        outcome(kind, labels, tmp_path, **same, **options),
    )
    expected = TABLE[option][kind]
    if expected == REFUSED:
        assert isinstance(found, ParameterError | WeightsError), found
        return
    assert isinstance(found, str), found
    assert (found == without) == (expected == NO_EFFECT)


@pytest.mark.parametrize("kind", INPUTS)
def test_progress_is_reported_for_each_input(kind, tmp_path):
    calls = []
    outcome(kind, (U, V), tmp_path, progress=lambda done, of: calls.append((done, of)))
    assert calls[-1][0] == calls[-1][1] > 0
    assert calls == sorted(calls)


def test_options_that_need_a_partner_are_refused_without_it():
    with pytest.raises(ParameterError, match="two partitions, or a dataframe"):
        cc.compare(U, V, record="id")
    with pytest.raises(ParameterError, match="noise"):
        cc.compare(U, V, noise_as="drop")
