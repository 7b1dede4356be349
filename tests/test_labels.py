"""Labels of every kind count the same, and what is not a label is refused with its position."""

import datetime as dt
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import concordant as cc
from concordant.errors import LabelError, LengthError
from concordant.labels import encode

PATTERN = [0, 0, 1, 2, 1, 0, 2, 2]
NAMES = ["ann", "bob", "cyd"]
DATES = np.array(["2026-01-01", "2026-01-02", "2026-01-03"], dtype="datetime64[D]")

KINDS = {
    "list of int": PATTERN,
    "tuple of int": tuple(PATTERN),
    "list of str": [NAMES[i] for i in PATTERN],
    "list of tuple": [(NAMES[i], i) for i in PATTERN],
    "list of mixed": [(1, "1", ("x", 2))[i] for i in PATTERN],
    "list of huge int": [10**30 + i for i in PATTERN],
    "list of date": [dt.date(2026, 1, 1 + i) for i in PATTERN],
    "range-like": [float(i) for i in PATTERN],
    **{f"numpy {t}": np.array(PATTERN, dtype=t) for t in "bhilqBHILQ"},
    "numpy bool-ish": np.array(PATTERN) + 0,
    **{f"numpy float{bits}": np.array(PATTERN, dtype=f"f{bits // 8}") - 0.5 for bits in (16, 32, 64)},
    "numpy longdouble": np.array(PATTERN, dtype=np.longdouble),
    "numpy complex": np.array(PATTERN) * 1j,
    "numpy str": np.array([NAMES[i] for i in PATTERN]),
    "numpy bytes": np.array([NAMES[i].encode() for i in PATTERN]),
    "numpy StringDType": np.array([NAMES[i] for i in PATTERN], dtype=np.dtypes.StringDType()),
    "numpy datetime": DATES[PATTERN],
    "numpy timedelta": (DATES - DATES[0])[PATTERN],
    "numpy object": np.array([NAMES[i] for i in PATTERN], dtype=object),
    "numpy big-endian": np.array(PATTERN, dtype=">i4"),
    "numpy strided": np.repeat(np.array(PATTERN), 3)[::3],
    "numpy reversed": np.array(PATTERN[::-1])[::-1],
    "numpy extremes": np.array([-(2**63), 0, 2**63 - 1])[PATTERN],
    "numpy uint64": np.array([0, 2**63, 2**64 - 1], dtype=np.uint64)[PATTERN],
    "pandas int": pd.Series(PATTERN),
    "pandas nullable": pd.Series(PATTERN, dtype="Int32"),
    "pandas str": pd.Series([NAMES[i] for i in PATTERN]),
    "pandas category": pd.Series([NAMES[i] for i in PATTERN], dtype="category"),
    "pandas Categorical": pd.Categorical([NAMES[i] for i in PATTERN]),
    "pandas datetime": pd.Series(DATES[PATTERN]),
    "pandas arrow": pd.Series([NAMES[i] for i in PATTERN], dtype=pd.ArrowDtype(pa.string())),
    "pandas Index": pd.Index([NAMES[i] for i in PATTERN]),
    "polars int": pl.Series(PATTERN),
    "polars str": pl.Series([NAMES[i] for i in PATTERN]),
    "polars categorical": pl.Series([NAMES[i] for i in PATTERN], dtype=pl.Categorical),
    "polars enum": pl.Series([NAMES[i] for i in PATTERN], dtype=pl.Enum(NAMES)),
    "polars date": pl.Series([dt.date(2026, 1, 1 + i) for i in PATTERN]),
    "polars decimal": pl.Series([Decimal(i) / 10 for i in PATTERN]),
    "arrow int": pa.array(PATTERN),
    "arrow string": pa.array([NAMES[i] for i in PATTERN]),
    "arrow large string": pa.array([NAMES[i] for i in PATTERN], pa.large_string()),
    "arrow dictionary": pa.array([NAMES[i] for i in PATTERN]).dictionary_encode(),
    "arrow chunked": pa.chunked_array([[NAMES[i] for i in PATTERN[:3]], [NAMES[i] for i in PATTERN[3:]]]),
    "arrow date": pa.array([dt.date(2026, 1, 1 + i) for i in PATTERN]),
}
OTHER = [0, 1, 1, 2, 2, 0, 0, 1]


@pytest.mark.parametrize("labels", KINDS.values(), ids=KINDS)
def test_every_kind_of_label_counts_the_same(labels):
    expected = cc.compare(PATTERN, OTHER).pairs
    assert cc.compare(labels, OTHER).pairs == expected
    assert cc.compare(labels, np.array(OTHER)).pairs == expected
    assert cc.compare(labels, labels).adjusted_rand == 1


@pytest.mark.parametrize("labels", KINDS.values(), ids=KINDS)
def test_the_originals_are_kept_for_people(labels):
    encoded = encode(labels)
    assert encoded.originals[0] == encoded.originals[1]
    assert encoded.originals[0] != encoded.originals[2]


def test_bool_labels():
    assert cc.rand(np.array([True, False, True]), [1, 0, 1]) == 1
    assert cc.rand([True, False, True], pa.array([True, False, True])) == 1
    assert cc.rand(pd.Series([True, False, True]), pl.Series([True, False, True])) == 1


def test_minus_zero_is_zero():
    assert cc.rand(np.array([0.0, -0.0, 1.0]), [0, 0, 1]) == 1


def test_float_labels_are_not_rounded():
    assert cc.compare(np.array([1.0, 1.0 + 2**-52]), [0, 1]).adjusted_rand == 1


NAN = float("nan")
MISSING = {
    "list None": [0, None, 1],
    "list nan": [0.0, NAN, 1.0],
    "list nan among str": ["a", NAN, "b"],
    "list Decimal nan": [Decimal(1), Decimal("nan"), Decimal(2)],
    "list pd.NA": [1, pd.NA, 2],
    "list NaT": [pd.Timestamp(0), pd.NaT, pd.Timestamp(1)],
    "numpy nan": np.array([0.0, NAN, 1.0]),
    "numpy object None": np.array(["a", None, "b"], dtype=object),
    "numpy object nan": np.array(["a", NAN, "b"], dtype=object),
    "numpy NaT": np.array(["2026", "NaT", "2027"], dtype="datetime64[D]"),
    "numpy masked": np.ma.array([0, 1, 2], mask=[False, True, False]),
    "pandas nan": pd.Series([0.0, NAN, 1.0]),
    "pandas NA": pd.Series([0, pd.NA, 1], dtype="Int64"),
    "pandas category": pd.Series(["a", None, "b"], dtype="category"),
    "pandas str": pd.Series(["a", None, "b"]),
    "polars null": pl.Series([0, None, 1]),
    "polars nan": pl.Series([0.0, NAN, 1.0]),
    "polars categorical": pl.Series(["a", None, "b"], dtype=pl.Categorical),
    "arrow null": pa.array([0, None, 1]),
    "arrow nan": pa.array([0.0, NAN, 1.0]),
    "arrow dictionary": pa.array(["a", None, "b"]).dictionary_encode(),
}


@pytest.mark.parametrize("labels", MISSING.values(), ids=MISSING)
@pytest.mark.parametrize("side", [0, 1])
def test_a_missing_label_is_refused_with_its_position_and_side(labels, side):
    sides = [[1, 2, 3], [1, 2, 3]]
    sides[side] = labels
    role = ("reference", "candidate")[side]
    with pytest.raises(LabelError, match=rf"the {role}: the label at position 1 is missing"):
        cc.compare(*sides)


NOT_LABELS = {
    "a bare string": ("aabb", "bare string"),
    "bytes": (b"aabb", "bare string"),
    "a scalar": (3, "not a sequence"),
    "a float": (3.5, "not a sequence"),
    "None": (None, "not a sequence"),
    "a 0-d array": (np.array(3), "0 dimensions"),
    "a 2-D array": (np.zeros((3, 2)), r"2 dimensions \(shape \(3, 2\)\)"),
    "a column": (np.zeros((3, 1)), "ravel"),
    "a matrix list": ([[0, 1], [1, 0]], "position 0 is .*from_clusters"),
    "a ragged list": ([0, [1, 2]], "position 1 is"),
    "a list of arrays": ([np.array([1]), np.array([2])], "position 0 is"),
    "a set": ({1, 2, 3}, "no order"),
    "a generator": ((i for i in range(3)), "only once"),
    "an iterator": (iter([1, 2, 3]), "only once"),
    "a map": (map(int, "123"), "only once"),
    "records": (np.zeros(3, dtype=[("x", "i4"), ("y", "i4")]), "one field"),
    "a pandas frame": (pd.DataFrame({"a": [1]}), "pick a column"),
    "a polars frame": (pl.DataFrame({"a": [1]}), "pick a column"),
    "an arrow table": (pa.table({"a": [1]}), "pick a column"),
    "polars lists": (pl.Series([[1], [2]]), "nested"),
    "arrow lists": (pa.array([[1], [2]]), "nested"),
    "an object": (object(), "not a sequence"),
}


@pytest.mark.parametrize(("labels", "text"), NOT_LABELS.values(), ids=NOT_LABELS)
def test_what_is_not_labels_is_refused(labels, text):
    with pytest.raises(LabelError, match=text):
        cc.compare(labels, [0, 1, 1])
    with pytest.raises(LabelError, match="the candidate"):
        cc.compare([0, 1, 1], labels)


def test_the_same_generator_twice_is_refused():
    labels = (i for i in range(3))
    with pytest.raises(LabelError, match="only once"):
        cc.compare(labels, labels)


def test_different_lengths():
    with pytest.raises(LengthError, match="reference has 2 labels and the candidate 3"):
        cc.compare([0, 1], [0, 1, 2])


def test_one_and_the_string_one_are_two_labels():
    assert cc.compare([1, "1"], [0, 1]).adjusted_rand == 1
    assert cc.compare(np.array([1, "1"], dtype=object), [0, 1]).adjusted_rand == 1


def test_empty_and_single():
    for empty in (
        [],
        (),
        np.array([]),
        pd.Series([], dtype=int),
        pl.Series([], dtype=pl.Int64),
        np.array([], dtype="U0"),
    ):
        assert cc.compare(empty, []).adjusted_rand == 1
    assert cc.compare(["x"], [7]).jaccard == 1
    assert cc.compare(np.array(["", ""]), [1, 1]).rand == 1
