"""Odd inputs to every public function: an answer, or an error of ours, and never any other."""

import array
import datetime as dt
import decimal
import fractions
import itertools
import math
import uuid
from collections import ChainMap, Counter, OrderedDict, UserList, deque
from types import MappingProxyType, SimpleNamespace

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from cases import every_case
from inner import Profile

import concordant as cc
from concordant.errors import ConcordantError, FileError, InputError

NAN = float("nan")


class Unhashable:
    __hash__ = None


class Contrary:
    """Equal to nothing, and says so with an error."""

    def __eq__(self, other):
        raise ValueError("no")

    def __hash__(self):
        return 1


class NoHash:
    def __hash__(self):
        raise RuntimeError("no")


DIFFERING = pa.chunked_array([pa.array(list(pair)).dictionary_encode() for pair in ("ab", "ca")])
NESTED = [pa.array([[1], [2]]), pa.array([{"a": 1}, {"a": 2}]), pa.array([{"a": 1}, None])]

# Made anew for every call, since some can be read only once.
ODD = {
    "None": lambda: None,
    "True": lambda: True,
    "int": lambda: 5,
    "float": lambda: 1.5,
    "nan": lambda: NAN,
    "str": lambda: "ab",
    "bytes": lambda: b"ab",
    "bytearray": lambda: bytearray(b"ab"),
    "memoryview": lambda: memoryview(b"ab"),
    "object": object,
    "type": lambda: int,
    "function": lambda: len,
    "module": lambda: math,
    "Ellipsis": lambda: ...,
    "slice": lambda: slice(2),
    "empty list": list,
    "empty tuple": tuple,
    "empty dict": dict,
    "empty set": set,
    "ints": lambda: [0, 1],
    "mixed": lambda: [0, "0"],
    "huge ints": lambda: [10**40, -(10**40)],
    "bools": lambda: [True, False],
    "floats": lambda: [0.0, -0.0],
    "infinities": lambda: [math.inf, -math.inf],
    "nans": lambda: [NAN, 1],
    "Nones": lambda: [None, 1],
    "NA": lambda: [pd.NA, 1],
    "NaT": lambda: [pd.NaT, 1],
    "lists": lambda: [[0], [1]],
    "ragged": lambda: [[0], [1, 2]],
    "tuples": lambda: [("a", "b"), ("c",)],
    "tuples alike": lambda: [("a", 1), ("a", 1)],
    "tuples of nan": lambda: [("a", NAN), ("a", 1)],
    "tuples of lists": lambda: [("a", []), ("a", [])],
    "deep tuples": lambda: [((((((((((1,),),),),),),),),),), 2],
    "sets": lambda: [{0}, {1}],
    "overlapping sets": lambda: [{0}, {0, 1}],
    "sets and others": lambda: [{0}, 1],
    "sets of lists": lambda: [{0}, None],
    "frozensets": lambda: {frozenset([0]), frozenset([1])},
    "set": lambda: {0, 1},
    "set of tuples": lambda: {(0, 1), (2,)},
    "dict": lambda: {0: 0, 1: 1},
    "dict of str": lambda: {"0": 0, "1": 1},
    "dict of lists": lambda: {0: [0], 1: [1]},
    "dict of tuples": lambda: {0: (0,), 1: (1, 2)},
    "dict of nan": lambda: {NAN: 0, 1: 1},
    "dict to None": lambda: {0: None, 1: 1},
    "keys": {0: 0, 1: 1}.keys,
    "values": {0: 0, 1: 1}.values,
    "items": {0: 0, 1: 1}.items,
    "Counter": lambda: Counter("ab"),
    "OrderedDict": lambda: OrderedDict(a=1, b=2),
    "ChainMap": lambda: ChainMap({"a": 1}, {"b": 2}),
    "proxy": lambda: MappingProxyType({"a": 1, "b": 2}),
    "generator": lambda: (i for i in range(2)),
    "iterator": lambda: iter([0, 1]),
    "count": itertools.count,
    "map": lambda: map(str, [0, 1]),
    "zip": lambda: zip([0], [1], strict=True),
    "range": lambda: range(2),
    "deque": lambda: deque([0, 1]),
    "UserList": lambda: UserList([0, 1]),
    "array": lambda: array.array("d", [0, 1]),
    "unhashable": lambda: [Unhashable(), Unhashable()],
    "contrary": lambda: [Contrary(), Contrary()],
    "no hash": lambda: [NoHash(), NoHash()],
    "decimals": lambda: [decimal.Decimal(1), decimal.Decimal("NaN")],
    "fractions": lambda: [fractions.Fraction(1, 2), 0.5],
    "dates": lambda: [dt.date(2026, 1, 1), dt.datetime(2026, 1, 1, tzinfo=dt.UTC)],
    "uuids": lambda: [uuid.UUID(int=1), uuid.UUID(int=2)],
    "surrogates": lambda: ["\ud800", "\udfff"],
    "membership": lambda: SimpleNamespace(membership=[0, 1]),
    "membership of lists": lambda: SimpleNamespace(membership=[[0], [1]]),
    "membership of none": lambda: SimpleNamespace(membership=None),
    "labels_": lambda: SimpleNamespace(labels_=[0, 1]),
    "0-d": lambda: np.array(1),
    "2-D": lambda: np.zeros((2, 2)),
    "column": lambda: np.zeros((2, 1)),
    "empty 2-D": lambda: np.zeros((0, 2)),
    "numpy scalar": lambda: np.float64(1),
    "float16": lambda: np.array([0, NAN], dtype=np.float16),
    "longdouble": lambda: np.array([0, 1], dtype=np.longdouble),
    "complex": lambda: np.array([1j, NAN]),
    "big endian": lambda: np.array([0, 1], dtype=">i4"),
    "reversed": lambda: np.arange(4)[::-2],
    "datetime64": lambda: np.array(["2026", "NaT"], dtype="M8[Y]"),
    "structured": lambda: np.zeros(2, dtype=[("a", int), ("b", float)]),
    "void": lambda: np.zeros(2, dtype="V3"),
    "object array": lambda: np.array([None, [1]], dtype=object),
    "string array": lambda: np.array(["a", "bb"], dtype=np.dtypes.StringDType()),
    "masked": lambda: np.ma.array([0, 1], mask=[0, 1]),
    "all masked": lambda: np.ma.masked_all(2),
    "masked constant": lambda: [np.ma.masked, 1],
    "matrix": lambda: np.asmatrix([[0, 1]]),
    "recarray": lambda: np.rec.array([(1, 2.0), (3, 4.0)]),
    "Series": lambda: pd.Series([0, 1]),
    "shuffled": lambda: pd.Series([0, 1], index=[1, 0]),
    "repeated index": lambda: pd.Series([0, 1], index=[7, 7]),
    "mixed index": lambda: pd.Series([0, 1], index=[1, "a"]),
    "nan index": lambda: pd.Series([0, 1], index=[NAN, 1]),
    "MultiIndex": lambda: pd.Series([0, 1], index=pd.MultiIndex.from_tuples([(1, 2), (0, 1)])),
    "Series of lists": lambda: pd.Series([[0], [1]]),
    "Series of tuples": lambda: pd.Series([(0,), (1, 2)]),
    "nullable": lambda: pd.Series([0, None], dtype="Int8"),
    "category": lambda: pd.Series(["a", None], dtype="category"),
    "intervals": lambda: pd.Series(pd.interval_range(0, 2)),
    "periods": lambda: pd.Series(pd.period_range("2026", periods=2)),
    "sparse": lambda: pd.Series(pd.arrays.SparseArray([0, 1])),
    "time zone": lambda: pd.Series(pd.date_range("2026", periods=2, tz="UTC")),
    "arrow Series": lambda: pd.Series([0, None], dtype="int8[pyarrow]"),
    "Index": lambda: pd.Index([0, 1]),
    "Categorical": lambda: pd.Categorical(["a", None]),
    "DataFrame": lambda: pd.DataFrame({"a": [0, 1]}),
    "polars": lambda: pl.Series([0, None]),
    "polars list": lambda: pl.Series([[0], [1]]),
    "polars struct": lambda: pl.Series([{"a": 0}, {"a": 1}]),
    "polars object": lambda: pl.Series([object(), object()], dtype=pl.Object),
    "polars decimal": lambda: pl.Series([decimal.Decimal(1), None]),
    "polars categorical": lambda: pl.Series(["a", "b"], dtype=pl.Categorical),
    "polars null": lambda: pl.Series([None, None]),
    "polars frame": lambda: pl.DataFrame({"a": [0, 1]}),
    "lazy": lambda: pl.LazyFrame({"a": [0, 1]}),
    "expression": lambda: pl.col("a"),
    "arrow nulls": lambda: pa.nulls(2),
    "arrow nested": lambda: NESTED[0],
    "arrow struct": lambda: NESTED[1],
    "arrow struct null": lambda: NESTED[2],
    "dictionaries": lambda: DIFFERING,
    "string_view": lambda: pa.array(["a", "b"], pa.string_view()),
    "binary_view": lambda: pa.array([b"a", b"b"], pa.binary_view()),
    "large_string": lambda: pa.array(["a", None], pa.large_string()),
    "halffloat": lambda: pa.array(np.array([0, 1], dtype=np.float16)),
    "month interval": lambda: pa.array([(1, 2, 3), None], pa.month_day_nano_interval()),
    "run ends": lambda: pa.RunEndEncodedArray.from_arrays(pa.array([1, 2], pa.int32()), pa.array([7, 8])),
    "empty chunks": lambda: pa.chunked_array([], pa.string()),
    "arrow table": lambda: pa.table({"a": [0, 1]}),
    "arrow scalar": lambda: pa.scalar(1),
    "Partition": lambda: cc.Partition.from_labels([0, 1]),
    "source": lambda: cc.Partition.from_frame(pl.DataFrame({"a": [0, 1]}), cluster="a", record=None),
    "no source": lambda: cc.Partition.from_frame(object(), cluster="a", record=None),
    "no file": lambda: cc.Partition.scan("there/is/none.parquet", cluster="a", record=None),
    "Comparison": lambda: cc.compare([0, 1], [0, 0]),
    "Profile": lambda: cc.Comparison.from_contingency([[1]])._counts,
}

PLAIN = [5, 5]
FRAME = pl.DataFrame({"a": [0, 1], "b": [0, 0]})


def _used(comparison):
    """What people do next with a comparison."""
    comparison.to_dict(indices=["adjusted_rand", "jaccard", "purity"])
    str(comparison)
    comparison.changes()
    comparison.records()


FUNCTIONS = {
    "compare": lambda x: _used(cc.compare(x(), PLAIN)),
    "compare, swapped": lambda x: cc.compare(PLAIN, x()).adjusted_rand,
    "compare, both": lambda x: _used(cc.compare(x(), x())),
    "compare, drop": lambda x: cc.compare(x(), x(), unmatched="drop", noise=0, noise_as="drop").rand,
    "compare, singletons": lambda x: cc.compare(x(), {0: 1, "b": 2}, unmatched="singletons").rand,
    "rand": lambda x: cc.rand(x(), x()),
    "noise": lambda x: cc.compare([0, 1], [0, 0], noise=x(), noise_as="drop"),
    "unmatched": lambda x: cc.compare([0, 1], [0, 0], unmatched=x()),
    "undefined": lambda x: cc.compare([0, 1], [0, 0], undefined=x()),
    "nulls": lambda x: cc.compare([0, 1], [0, 0], nulls=x()),
    "threads": lambda x: cc.compare([0, 1], [0, 0], threads=x()),
    "table_limit": lambda x: cc.compare([0, 1], [0, 0], table_limit=x()),
    "columns of a frame": lambda x: cc.compare(x(), columns=["a", "b"]),
    "a column": lambda x: cc.compare(FRAME, columns=["a", x()]),
    "a record": lambda x: cc.compare(FRAME, columns=["a", "b"], record=x()),
    "matrix": lambda x: cc.matrix(x()),
    "matrix of": lambda x: cc.matrix([x(), x(), PLAIN], unmatched="drop"),
    "matrix by": lambda x: cc.matrix([[0], [1]], x()),
    "progress": lambda x: cc.matrix([[0], [1]], progress=None if callable(x()) else x()),
    "track": lambda x: cc.track(x()),
    "track of": lambda x: cc.track([x(), x()]),
    "share": lambda x: cc.track([[0], [1]], share=x()),
    "from_labels": lambda x: repr(cc.Partition.from_labels(x())),
    "from_clusters": lambda x: None if x is itertools.count else repr(cc.Partition.from_clusters(x())),
    "from_mapping": lambda x: repr(cc.Partition.from_mapping(x())),
    "from_frame": lambda x: cc.Partition.from_frame(FRAME, cluster=x(), record=None),
    "scan": lambda x: cc.Partition.scan(x(), cluster="a", record=None),
    "from_contingency": lambda x: cc.Comparison.from_contingency(x()).rand,
    "names": lambda x: cc.Comparison.from_contingency([[1, 2], [3, 4]], names=x())._counts,
    "from_rows": lambda x: None if x is itertools.count else Profile.from_rows(x()),
    "Comparison": lambda x: cc.Comparison(x()),
    "index": lambda x: cc.compare([0, 1], [0, 0])[x()],
    "exact": lambda x: cc.compare([0, 1], [0, 0]).exact(x()),
    "to_dict": lambda x: cc.compare([0, 1], [0, 0]).to_dict(indices=x()),
    "largest": lambda x: cc.compare([0, 1], [0, 0]).changes(limit=x()),
    "kind": lambda x: cc.compare([0, 1], [0, 0]).changes(kind=x()),
    "side": lambda x: cc.compare([0, 1], [0, 0]).clusters(side=x()),
    "by": lambda x: cc.compare([0, 1], [0, 0]).records(order=x()),
    "backend": lambda x: cc.compare([0, 1], [0, 0]).to_frame(x(), indices=["rand"]),
    "Live.add": lambda x: cc.Live().add([0], x()),
}


@pytest.mark.filterwarnings("ignore::PendingDeprecationWarning")  # of numpy.matrix, which people still have
@pytest.mark.filterwarnings("ignore:Warning. converting a masked element")  # of NumPy, before our error
@pytest.mark.filterwarnings("ignore:Determining the column names of a LazyFrame")  # of Polars, before it too
@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.filterwarnings("ignore:no label equals")
def test_an_answer_or_an_error_of_ours(name):
    others = {}
    for odd, make in ODD.items():
        try:
            FUNCTIONS[name](make)
        except ConcordantError as error:
            if not str(error):
                others[odd] = "an error that says nothing"
        except Exception as error:  # noqa: BLE001  (which is what is looked for)
            others[odd] = f"{type(error).__name__}: {error}"
    assert others == {}


def test_what_was_counted_cannot_be_written_to():
    c = cc.compare([0, 0, 1], [0, 1, 1])
    table = c._counts.table
    held = [table.n, table.row, table.column, c.table.reference_sizes, c._counts.n, c._counts.count]
    for numbers in [*held, cc.matrix([[0, 0, 1], [0, 1, 1]]).to_numpy()]:
        with pytest.raises(ValueError, match="read-only"):
            numbers[0] = 9
    own = np.array([2, 3])
    cc.Comparison.from_contingency([own, own])
    own[0] = 7  # what a person handed over stays theirs


def test_a_partition_is_made_by_one_of_its_constructors():
    for given in ((), ([0, 0, 1], ["a", "a", "b"])):
        with pytest.raises(ConcordantError, match=r"Partition\.from_labels, from_mapping, from_clusters"):
            cc.Partition(*given)


def test_one_name_of_an_index_is_not_taken_for_its_letters():
    c = cc.compare([0, 1], [0, 0])
    assert c.to_dict(indices="rand") == c.to_dict(indices=["rand"]) == {"rand": c.rand}
    assert c.to_frame("polars", indices="rand")["index"].to_list() == ["rand"]


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame, pl.LazyFrame])
def test_a_frame_without_rows_has_ids_of_any_type(frame):
    empty, full = ({"id": ids, "label": labels} for ids, labels in (([], []), (["a", "b"], [1, 1])))
    u, v = (cc.Partition.from_frame(frame(data), record="id", cluster="label") for data in (empty, full))
    with pytest.raises(ConcordantError, match="2 only in the candidate"):
        cc.compare(u, v)
    assert cc.compare(u, u).size == 0
    assert cc.compare(v, u, unmatched="singletons").size == 2


def test_kinds_have_their_article():
    for call in (cc.Partition.from_mapping, cc.Partition.from_clusters, cc.Comparison, cc.matrix, cc.track):
        with pytest.raises(ConcordantError, match=r"\ban int\b"):
            call(5)


def test_as_many_threads_as_no_machine_has():
    calls = {
        "compare": lambda: cc.compare([0], [0], threads=2**70),
        "index": lambda: cc.adjusted_rand([0], [0], threads=2**31),
        "matrix": lambda: cc.matrix([[0], [0]], threads=2**70),
        "from_labels": lambda: cc.Partition.from_labels(pa.array(["a"]), threads=-1),
    }
    for call in calls.values():
        with pytest.raises(ConcordantError, match=r"threads=.*use a positive integer"):
            call()


def test_names_of_files_that_no_file_can_have():
    c = cc.compare([0], [0])
    reads = [
        cc.Comparison.load,
        lambda path: cc.Partition.scan(path, cluster="a", record=None),
    ]
    for use in (*reads, c.save, c.to_html):
        with pytest.raises(ConcordantError):
            use("a\0b")


def test_booleans_that_arrow_keeps_in_bytes_have_two_values():
    labels = pa.ExtensionArray.from_storage(pa.bool8(), pa.array([0, 1, 2], pa.int8()))
    assert cc.adjusted_rand(labels, [0, 1, 1]) == 1.0


@every_case("noise", [-1, 300, 2**63, 2**64, -(2**70)])
@every_case("kind", ["?", "u1", "i8", "u8"])
@pytest.mark.filterwarnings("ignore:no label equals")
def test_noise_that_no_label_of_this_kind_can_be_is_found_nowhere(kind, noise):
    labels = np.array([0, 1, 1], dtype=kind)
    assert cc.compare(labels, labels, noise=noise, noise_as="drop").size == 3


def test_a_relation_whose_connection_is_closed_is_refused():
    duckdb = pytest.importorskip("duckdb")
    connection = duckdb.connect()
    relation = connection.sql("SELECT range AS id, range % 2 AS two, range % 3 AS three FROM range(9)")
    u, v = (cc.Partition.from_frame(relation, record="id", cluster=name) for name in ("two", "three"))
    assert cc.compare(u, v).size == 9
    connection.close()
    with pytest.raises(ConcordantError, match="keep its connection open"):
        cc.compare(u, v)


def test_json_that_is_nested_too_deeply(tmp_path):
    path = tmp_path / "nested.json"
    path.write_text("[" * 200_000)
    with pytest.raises(InputError, match="not JSON"):
        cc.Comparison.load(path)


def test_a_column_whose_name_is_not_text(tmp_path):
    path = tmp_path / "named.parquet"
    pq.write_table(pa.table({"id": [1, 2], "cluster": [1, 2], "name_x": [1, 2]}), path)
    path.write_bytes(path.read_bytes().replace(b"name_x", b"name_\xff"))
    sides = [cc.Partition.scan(path, record="id", cluster="cluster")] * 2
    with pytest.raises(FileError, match="a column whose name is not UTF-8 text; rename it"):
        cc.compare(*sides)
