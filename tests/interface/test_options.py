"""Each option of compare() works or is refused for each type of input, as the table of docs/api.md states."""

import inspect
import json
from itertools import product
from types import SimpleNamespace

import numpy as np
import options_by_input
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from cases import every_case
from inner import CellSum
from options_by_input import INPUTS, REFUSED, TABLE, WORKS

import concordant as cc
from concordant import core
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
    def sides(labels, ids, *_, **noise):
        return P.from_frame(make({"id": ids, "label": labels}), record="id", cluster="label", **noise)

    return sides


def in_file(ending, write):
    def sides(labels, ids, folder, name, **noise):
        path = folder / f"{name}.{ending}"
        write(pl.DataFrame({"id": ids, "label": labels}), path)
        return P.scan(path, record="id", cluster="label", **noise)

    return sides


def relation():
    import duckdb

    connection = duckdb.connect()
    return framed(lambda columns: connection.from_arrow(pa.table(columns)))


def chunked(labels, *_):
    import dask.array as da

    return da.from_array(numbered(labels), chunks=(1, 3))


def observed(labels_u, labels_v, **options):
    cells = pd.DataFrame({"u": labels_u, "v": labels_v})
    return cc.compare(SimpleNamespace(obs=cells, obs_names=cells.index), columns=["u", "v"], **options)


def two_columns(labels_u, labels_v, **options):
    return cc.compare(pd.DataFrame({"u": labels_u, "v": labels_v}), columns=["u", "v"], **options)


def tabulated(labels_u, labels_v, **options):
    return cc.Comparison.from_contingency(pd.crosstab(np.array(labels_u), np.array(labels_v)), **options)


# Both sides in one object, which has a call of its own.
CALLS = {
    "AnnData": observed,
    "two columns of a DataFrame": two_columns,
    "contingency table": tabulated,
}


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
    "segments of time": lambda labels, ids, *_: P.from_segments(
        [(i, i + 1, label) for i, label in zip(ids, labels, strict=True)]
    ),
}


def outcome(kind, labels, folder, ids=(range(6), range(6)), **options):
    """All values and what was left out, or the error."""
    if kind in CALLS:
        try:
            return repr(CALLS[kind](*labels, **options).to_dict())
        except (ConcordantError, TypeError) as error:
            return error
    make = relation() if kind == "DuckDB relation" else MAKERS[kind]
    noise = {}
    if "noise" in options and kind in (*options_by_input.FRAMES, *options_by_input.LAZY):
        noise, options = options, {}  # for the partitions
    sides = [
        make(own, list(names), folder, name, **noise)
        for own, names, name in zip(labels, ids, ("u", "v"), strict=True)
    ]
    try:
        c = cc.compare(*sides, **options)
    except ConcordantError as error:
        return error
    return repr(c.to_dict())


def is_refusal(found, option):
    """Whether this is an error of ours, or of a call that has no such option."""
    if isinstance(found, ParameterError | WeightsError):
        return True
    return type(found) is TypeError and f"unexpected keyword argument '{option}'" in str(found)


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


def last(kind):
    return (1, 2) if kind == "label image" else 5


SHIFTED = {"ids": (range(6), range(1, 7))}
CASES = {  # the labels, what else is the same in both comparisons, and the option
    "unmatched": lambda kind: ((U, V), SHIFTED, {"unmatched": "drop"}),
    "nulls": lambda kind: (
        ([*U[:5], None], V) if TABLE["nulls"][kind] == WORKS else (U, V),
        {},
        {"nulls": "drop"},
    ),
    "noise": lambda kind: ((U, V), {}, {"noise": noise_of(kind), "noise_as": "drop"}),
    "reference_noise": lambda kind: ((U, V), {}, {"reference_noise": {noise_of(kind): "drop"}}),
    "candidate_noise": lambda kind: ((U, V), {}, {"candidate_noise": {noise_of(kind): "drop"}}),
    "where": lambda kind: ((U, V), {}, {"where": masked(kind)}),
    "weights": lambda kind: ((U, V), {}, {"weights": weights(kind)}),
    "between": lambda kind: ((U, V), {}, {"between": dict.fromkeys(weights(kind), "p") | {last(kind): "q"}}),
    "undefined": lambda kind: (SINGLE, {}, {"undefined": "nan"}),
    "table_limit": lambda kind: ((U, V), {}, {"table_limit": 0}),
}


def test_the_table_has_every_option_and_every_input():
    parameters = inspect.signature(cc.compare).parameters.values()
    options = {each.name for each in parameters if each.kind is each.KEYWORD_ONLY}
    without_values = {"columns", "record", "noise_as", "names", "same", "different"}
    assert options == TABLE.keys() | without_values
    assert options_by_input.NOTES.keys() == TABLE.keys() == CASES.keys() | {"progress", "threads"}
    assert MAKERS.keys() | CALLS.keys() == set(INPUTS)


@pytest.fixture(scope="module")
def without_options(tmp_path_factory):
    """The outcome without options, which most options share, once for each input and its labels."""
    outcomes = {}

    def outcome_of(kind, labels, **same):
        key = repr((kind, labels, same))
        if key not in outcomes:
            outcomes[key] = outcome(kind, labels, tmp_path_factory.mktemp("without"), **same)
        return outcomes[key]

    return outcome_of


# A comparison in DuckDB takes half a second. These options are about values, which no engine computes.
SLOW = {("undefined", "DuckDB relation"), ("table_limit", "DuckDB relation")}


@every_case(("option", "kind"), [each for each in product(CASES, INPUTS) if each not in SLOW])
def test_each_option_works_or_is_refused(option, kind, tmp_path, without_options):
    labels, same, options = CASES[option](kind)
    found = outcome(kind, labels, tmp_path, **same, **options)
    if TABLE[option][kind] == REFUSED:
        assert is_refusal(found, option), found
        return
    assert isinstance(found, str), found
    assert found != without_options(kind, labels, **same)


@pytest.mark.weekly
@every_case(("option", "kind"), sorted(SLOW))
def test_each_slow_option_works(option, kind, tmp_path, without_options):
    labels, same, options = CASES[option](kind)
    found = outcome(kind, labels, tmp_path, **same, **options)
    assert isinstance(found, str)
    assert found != without_options(kind, labels, **same)


@pytest.fixture
def given(monkeypatch):
    """What the core and the reader of chunks are given."""
    given = []

    def recorded(function):
        def call(*arguments, **options):
            given.extend([*arguments, *options.values()])
            return function(*arguments, **options)

        return call

    for name in core.__all__:
        if not (isinstance(each := getattr(core, name), type) and issubclass(each, Exception)):
            monkeypatch.setattr(core, name, recorded(each))
    monkeypatch.setattr(CellSum, "add_blocks", recorded(CellSum.add_blocks))
    return given


@every_case("kind", INPUTS)
def test_the_number_of_threads_reaches_what_counts(kind, tmp_path, given):
    """Threads change no value."""
    given.clear()
    found = outcome(kind, (U, V), tmp_path, threads=3)
    if TABLE["threads"][kind] == REFUSED:
        assert is_refusal(found, "threads"), found
    else:
        assert any(type(each) is int and each == 3 for each in given)


@every_case("kind", INPUTS)
def test_progress_is_reported_for_each_input(kind, tmp_path):
    calls = []
    found = outcome(kind, (U, V), tmp_path, progress=lambda done, of: calls.append((done, of)))
    if TABLE["progress"][kind] == REFUSED:
        assert is_refusal(found, "progress"), found
        return
    assert calls[-1][0] == calls[-1][1] > 0
    assert calls == sorted(calls)


def test_options_that_need_a_partner_are_refused_without_it():
    with pytest.raises(ParameterError, match="no side is a table"):
        cc.compare(U, V, record="id")
    with pytest.raises(ParameterError, match="noise"):
        cc.compare(U, V, noise_as="drop")
