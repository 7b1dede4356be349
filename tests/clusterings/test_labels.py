"""Labels of every kind count the same, and what is not a label is refused with its position."""

import datetime as dt
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from cases import every_case

import concordant as cc
from concordant.errors import InputError, LabelError, LengthError, ParameterError

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
    "arrow string view": pa.array([NAMES[i] for i in PATTERN], pa.string_view()),
    "arrow long string view": pa.array([NAMES[i] * 9 for i in PATTERN], pa.string_view()),
    "arrow sliced": pa.array(["x", *(NAMES[i] for i in PATTERN), "y"]).slice(1, len(PATTERN)),
    "arrow sliced view": pa.array(["x", *(NAMES[i] for i in PATTERN)], pa.string_view())[1:],
    "arrow sliced int": pa.array([9, *PATTERN])[1:],
    "arrow binary": pa.array([NAMES[i].encode() for i in PATTERN], pa.large_binary()),
    "arrow fixed binary": pa.array([NAMES[i].encode() for i in PATTERN], pa.binary(3)),
    "arrow decimal": pa.array([Decimal(i) / 10 for i in PATTERN]),
    "arrow half": pa.array(np.array(PATTERN, dtype=np.float16)),
    **{f"arrow {t}": pa.array(PATTERN, t) for t in (pa.int8(), pa.uint16(), pa.uint64(), pa.time64("us"))},
    "arrow timestamp": pa.array(PATTERN, pa.timestamp("us", tz="Europe/Paris")),
    "arrow chunked int": pa.chunked_array([PATTERN[:3], [], PATTERN[3:]]),
    "arrow dictionaries": pa.chunked_array(
        [
            pa.DictionaryArray.from_arrays(pa.array(PATTERN[:3], pa.int8()), NAMES),
            pa.DictionaryArray.from_arrays(pa.array([2 - i for i in PATTERN[3:]], pa.int8()), NAMES[::-1]),
        ]
    ),
    "arrow run ends": pa.RunEndEncodedArray.from_arrays(
        pa.array([2, 3, 4, 5, 6, 8]), pa.array([0, 1, 2, 1, 0, 2])
    ),
    "arrow float dictionary": pa.array([i / 2 for i in PATTERN]).dictionary_encode(),
    "arrow int dictionary": pa.array(PATTERN).dictionary_encode()[:],
    "polars string after a slice": pl.Series(["x", *(NAMES[i] for i in PATTERN)])[1:],
    "polars chunks": pl.concat([pl.Series([NAMES[i] for i in part]) for part in (PATTERN[:3], PATTERN[3:])]),
    "polars long str": pl.Series([NAMES[i] * 9 for i in PATTERN]),
    "polars time": pl.Series([dt.time(i) for i in PATTERN]),
    "polars object": pl.Series([NAMES[i] for i in PATTERN], dtype=pl.Object),
    "pandas zoned": pd.Series(DATES[PATTERN]).dt.tz_localize("Europe/Paris"),
    "pandas python str": pd.Series([NAMES[i] for i in PATTERN], dtype=pd.StringDtype("python")),
    "pandas arrow int": pd.Series(PATTERN, dtype=pd.ArrowDtype(pa.int16())),
    "numpy str in reverse": np.array([NAMES[i] for i in PATTERN[::-1]])[::-1],
    "numpy big-endian str": np.array([NAMES[i] for i in PATTERN], dtype=">U5"),
    "numpy str of one character": np.array([NAMES[i][0] for i in PATTERN]),
    "numpy long StringDType": np.array([NAMES[i] * 99 for i in PATTERN], dtype=np.dtypes.StringDType()),
    "arrow date": pa.array([dt.date(2026, 1, 1 + i) for i in PATTERN]),
}
OTHER = [0, 1, 1, 2, 2, 0, 0, 1]


@every_case("labels", KINDS.values(), ids=KINDS)
def test_every_kind_of_label_counts_the_same(labels):
    expected = cc.compare(PATTERN, OTHER).pairs
    assert cc.compare(labels, OTHER).pairs == expected
    assert cc.compare(labels, np.array(OTHER)).pairs == expected
    assert cc.compare(labels, labels).adjusted_rand == 1


def labels_of_records(labels):
    """The label of each record, by its position, as people see it."""
    return {
        each.record: each.reference for each in cc.compare(labels, range(len(labels))).records(limit=None)
    }


@every_case("labels", KINDS.values(), ids=KINDS)
def test_the_originals_are_kept_for_people(labels):
    label = labels_of_records(labels)
    assert label[0] == label[1]
    assert label[0] != label[2]


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
    "list masked": [0, np.ma.masked, 1],
    "numpy object masked": np.ma.array(list("abc"), dtype=object, mask=[False, True, False]),
    "numpy masked": np.ma.array([0, 1, 2], mask=[False, True, False]),
    "pandas nan": pd.Series([0.0, NAN, 1.0]),
    "pandas NA": pd.Series([0, pd.NA, 1], dtype="Int64"),
    "pandas category": pd.Series(["a", None, "b"], dtype="category"),
    "pandas str": pd.Series(["a", None, "b"]),
    "polars null": pl.Series([0, None, 1]),
    "polars nan": pl.Series([0.0, NAN, 1.0]),
    "polars categorical": pl.Series(["a", None, "b"], dtype=pl.Categorical),
    "arrow null": pa.array([0, None, 1]),
    "arrow null in a slice": pa.array([None, 0, None, 1])[1:],
    "arrow null string": pa.array(["a", None, "b"]),
    "arrow null view": pa.array(["a", None, "b"], pa.string_view()),
    "arrow null bool": pa.array([True, None, True]),
    "arrow null in the second chunk": pa.chunked_array([[0], [None, 1]]),
    "arrow null in the dictionary": pa.DictionaryArray.from_arrays(pa.array([0, 1, 2]), ["a", None, "b"]),
    "polars null str": pl.Series(["a", None, "b"]),
    "polars object": pl.Series(["a", None, "b"], dtype=pl.Object),
    "pandas arrow str": pd.Series(["a", None, "b"], dtype=pd.ArrowDtype(pa.string())),
    "pandas zoned NaT": pd.Series(pd.to_datetime(["2026", None, "2027"], utc=True)),
    "numpy half nan": np.array([0, NAN, 1], dtype=np.float16),
    "numpy StringDType": np.array(["a", NAN, "b"], dtype=np.dtypes.StringDType(na_object=NAN)),
    "arrow nan": pa.array([0.0, NAN, 1.0]),
    "arrow dictionary": pa.array(["a", None, "b"]).dictionary_encode(),
}


@every_case("labels", MISSING.values(), ids=MISSING)
@every_case("side", [0, 1])
def test_a_missing_label_is_refused_with_its_position_and_side(labels, side):
    sides = [[1, 2, 3], [1, 2, 3]]
    sides[side] = labels
    role = ("reference", "candidate")[side]
    with pytest.raises(LabelError, match=rf"the {role}: the label at position 1 is missing"):
        cc.compare(*sides)


class _Elsewhere:
    def __array__(self, *args, **kwargs):
        raise TypeError("on another device")


class _NoHash:
    def __hash__(self):
        raise RuntimeError("no hash")


class _NoEquality:
    def __eq__(self, other):
        return np.array([True, False])

    def __hash__(self):
        return 1


NOT_LABELS = {
    "a bare string": ("aabb", "bare string"),
    "bytes": (b"aabb", "bare string"),
    "a scalar": (3, "not a sequence"),
    "a float": (3.5, "not a sequence"),
    "None": (None, "not a sequence"),
    "a 0-d array": (np.array(3), "is a single value, .*3"),
    "a float image": (np.zeros((3, 2)), r"an image of float64 \(shape \(3, 2\)\).*astype"),
    "a masked image": (np.ma.masked_equal(np.eye(3, dtype=int), 1), r"label at \(0, 0\) is masked; .*where="),
    "a matrix list": ([[0, 1], [1, 0]], "position 0 is .*from_clusters"),
    "a ragged list": ([0, [1, 2]], "position 1 is"),
    "a list of arrays": ([np.array([1]), np.array([2])], "position 0 is"),
    "a set": ({1, 2, 3}, "no order"),
    "a view of a mapping": ({1: 2}.values(), "view of a mapping"),
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
    "a lazy frame": (pl.LazyFrame({"a": [1]}), "pick a column"),
    "a polars expression": (pl.col("a"), "not a sequence"),
    "a group-by": (pd.DataFrame({"a": [1], "b": [2]}).groupby("a")["b"], "not a sequence"),
    "a timestamp": (pd.Timestamp(0), "not a sequence"),
    "NA": (pd.NA, "not a sequence"),
    "an arrow scalar": (pa.scalar(1), "not a sequence"),
    "an array elsewhere": (_Elsewhere(), "cannot be read as an array: on another device"),
    "labels without a hash": ([_NoHash(), _NoHash()], "position 0"),
    "labels without equality": ([_NoEquality(), _NoEquality()], "cannot be compared"),
}


@every_case(("labels", "text"), NOT_LABELS.values(), ids=NOT_LABELS)
def test_what_is_not_labels_is_refused(labels, text):
    with pytest.raises(LabelError, match=text):
        cc.compare(labels, [0, 1, 1])
    if labels is not None:  # which means that there is no candidate
        with pytest.raises(LabelError, match="the candidate"):
            cc.compare([0, 1, 1], labels)
    with pytest.raises(InputError):
        cc.compare(labels, [0, 1, 1], nulls="drop")


def test_masked_constants_in_a_list_are_null():
    labels = [0, np.ma.masked, 1, 1]
    with pytest.raises(LabelError, match=r"position 1 is missing \(masked\).*nulls='drop'"):
        cc.compare(labels, [0, 0, 1, 1])
    assert cc.compare(labels, [0, 0, 1, 1], nulls="drop").size == 3


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


class ArrayExport:
    """A column of any library: all that is known of it is how it exports itself."""

    def __init__(self, column):
        self.column = column

    def __arrow_c_array__(self, requested_schema=None):
        return self.column.__arrow_c_array__(requested_schema)


class StreamExport:
    def __init__(self, column):
        self.column = column

    def __arrow_c_stream__(self, requested_schema=None):
        return self.column.__arrow_c_stream__(requested_schema)


def test_any_library_that_exports_arrow():
    names = [NAMES[i] for i in PATTERN]
    assert cc.rand(ArrayExport(pa.array(names)), PATTERN) == 1
    assert cc.rand(StreamExport(pa.chunked_array([names[:2], names[2:]])), PATTERN) == 1
    assert cc.rand(StreamExport(pl.Series(names)), PATTERN) == 1
    with pytest.raises(LabelError, match="nested"):
        cc.rand(StreamExport(pa.table({"a": PATTERN})), PATTERN)
    with pytest.raises(LabelError, match="position 0 is missing"):
        cc.rand(ArrayExport(pa.nulls(3)), [1, 2, 3])
    assert cc.rand(ArrayExport(pa.nulls(0)), []) == 1


def test_a_value_may_stand_twice_in_a_dictionary():
    indices = pa.array([3, 0, 4, 2, 4, 0, 5, 2])
    assert cc.rand(pa.DictionaryArray.from_arrays(indices, NAMES + NAMES), PATTERN) == 1


@pytest.mark.parametrize("library", [pl.Series, pa.array])
def test_many_texts_of_one_form_and_one_of_another(library):
    """Texts that are a prefix and a number need no table of texts; zeros that lead are told apart."""
    numbers = np.random.default_rng(5).permutation(np.arange(70_000) % 69_000)
    texts = [f"customer-{i}" for i in numbers.tolist()]
    exceptions = ("customer-1", "customer-01", "customer-", "", "x", "customer-" + "9" * 40)
    for exception, place in zip(exceptions, [0, 69_999] * 3, strict=True):
        changed, labels = texts.copy(), numbers.copy()
        changed[place], labels[place] = exception, 1 if exception == "customer-1" else -1
        assert cc.split_join(library(changed), labels) == 0


def dashed(digits):
    return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))


@pytest.mark.parametrize("written", [str, dashed, lambda digits: dashed(digits).upper()])
def test_many_uuids_and_one_text_that_is_none(written):
    numbers = np.random.default_rng(6).permutation(np.arange(70_000) % 69_000)
    texts = [written(f"{i * 0x1F3D5B79ABCDEF0123456789:032x}") for i in numbers.tolist()]
    other = texts[7]
    exceptions = (
        "",
        other[:-1],
        other + "0",
        other.swapcase(),
        other[:5] + "g" + other[6:],
        other[:13] + "/" + other[14:],
    )
    for exception, place in zip(exceptions, [0, 69_999] * 3, strict=True):
        changed, labels = texts.copy(), numbers.copy()
        changed[place], labels[place] = exception, -1
        assert cc.split_join(pl.Series(changed), labels) == 0


def test_trailing_zeros():
    assert cc.rand(np.array(["a", "a\0", "b"]), [0, 0, 1]) == 1  # as NumPy compares them
    assert cc.rand(np.array(["a", "a\0", "b"], dtype=np.dtypes.StringDType()), [0, 1, 2]) == 1
    assert cc.rand(["a", "a\0", "b"], [0, 1, 2]) == 1
    assert cc.rand(pa.array(["a", "a\0", "b"]), [0, 1, 2]) == 1


def large_labels(clusters):
    code = np.random.default_rng(clusters).integers(0, clusters, 90_000)
    names = np.array([f"name {i}" for i in range(clusters)])[code]
    yield from (code, code.astype(np.int16), code % 2 == 0, code.astype(float), names, names.astype("S"))
    yield from (code.astype("M8[s]"), names.tolist(), names.astype(np.dtypes.StringDType()))
    yield from (pa.array(names), pa.array(names, pa.string_view()), pa.array(names).dictionary_encode())
    yield from (pd.Series(names), pd.Series(names, dtype="category"), pl.Series(names))
    yield pl.Series(names, dtype=pl.Categorical)


@pytest.mark.parametrize("clusters", [30, 60_000])
def test_results_are_identical_for_any_number_of_threads(clusters):
    other = np.random.default_rng(1).integers(0, 50, 90_000)
    for labels in large_labels(clusters):
        one, two, seven = (cc.compare(labels, other, threads=threads) for threads in (1, 2, 7))
        for result in (two, seven):
            for name in ("n", "a", "b", "count"):
                np.testing.assert_array_equal(getattr(result._counts, name), getattr(one._counts, name))
            np.testing.assert_array_equal(result._counts.table.row_first, one._counts.table.row_first)
            assert result.to_dict(indices=["adjusted_rand", "mutual_information"]) == one.to_dict(
                indices=["adjusted_rand", "mutual_information"]
            )


@pytest.mark.parametrize("wanted", ["1", "2", "7"])
def test_the_environment_may_say_how_many_threads(monkeypatch, wanted):
    monkeypatch.setenv("CONCORDANT_THREADS", wanted)
    assert cc.rand([0, 0, 1], [0, 0, 1]) == 1


@pytest.mark.parametrize("wanted", ["", "0", "-1", "two", "1.5", "²"])
def test_an_environment_that_says_nonsense(monkeypatch, wanted):
    monkeypatch.setenv("CONCORDANT_THREADS", wanted)
    with pytest.raises(ParameterError, match=r"CONCORDANT_THREADS=.*positive integer"):
        cc.rand([0, 0, 1], [0, 0, 1])
    assert cc.rand([0, 0, 1], [0, 0, 1], threads=2) == 1


NOISY_KINDS = {
    "list": list,
    "numpy": np.array,
    "pandas": pd.Series,
    "pandas category": pd.Categorical,
    "polars": pl.Series,
    "polars categorical": lambda labels: pl.Series([str(label) for label in labels], dtype=pl.Categorical),
    "arrow": pa.array,
    "arrow chunked": lambda labels: pa.chunked_array([labels[:2], labels[2:]]),
    "arrow dictionary": lambda labels: pa.array(labels).dictionary_encode(),
}


@every_case("make", NOISY_KINDS.values(), ids=NOISY_KINDS)
@every_case("labels", [[-1, -1, 0, 0, 1], ["noise", "noise", "zero", "zero", "one"]])
def test_noise_is_found_in_every_kind_of_label(make, labels):
    made = make(labels)
    noise = labels_of_records(made)[0]
    c = cc.compare(cc.Partition.from_labels(made, noise=noise, noise_as="drop"), [0, 1, 2, 2, 3])
    assert c.size == 3
    assert "(reference: 2)" in c.signature


def test_records_show_arrow_labels_as_python_values():
    worst = cc.compare(pa.array([0, 0, 1]), pa.array(["x", "y", "y"])).records(limit=1)[0]
    assert (worst.reference, worst.candidate) == (0, "x")
