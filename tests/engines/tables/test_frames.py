"""Tables of every library give what the memory engine gives: one fixture, every test on every engine."""

import datetime as dt
import os
import pickle
import random
import sys
import uuid
from decimal import Decimal
from functools import partial

import duckdb
import narwhals.stable.v2 as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from inner import (
    ABSENT,
    NOISE,
    NULL,
    Conventions,
    CountedSides,
    data_of,
    engine_table,
    queries,
    relations,
    tables_job,
)
from inner import count as count_data
from not_run import few

import concordant as cc
from concordant.errors import (
    InputError,
    LabelError,
    MissingExtraError,
    OverlapError,
    ParameterError,
    TooLargeError,
    UnmatchedError,
)

P = cc.Partition


def count_sources(u, v, conventions):
    return count_data(data_of(u), data_of(v), conventions)


@pytest.fixture(scope="session")
def duckdb_connection():
    with duckdb.connect() as connection:
        yield connection


@pytest.fixture(scope="session")
def sqlframe_session():
    """SQLFrame has one session for the process."""
    from sqlframe.duckdb import DuckDBSession

    with duckdb.connect() as connection:
        yield DuckDBSession(conn=connection)


def _pandas(columns, **_):
    return pd.DataFrame({name: _times(values) for name, values in columns.items()})


def _times(values):
    """NumPy has no dates without a time of day."""
    return pd.to_datetime(values) if len(values) and isinstance(values[0], dt.date) else values


def _pandas_arrow(columns, **_):
    return pa.table(columns).to_pandas(types_mapper=pd.ArrowDtype)


def _modin(columns, **_):
    os.environ["MODIN_ENGINE"] = "python"
    return pytest.importorskip("modin.pandas").DataFrame(_pandas(columns))


def _duckdb(columns, request, **_):
    return request.getfixturevalue("duckdb_connection").from_arrow(pa.table(columns))


def _ibis(columns, **_):
    import ibis

    return ibis.memtable(pa.table(columns))


def _dask(columns, **_):
    import dask.dataframe as dd

    return dd.from_pandas(_pandas_arrow(columns), npartitions=2)


def _sqlframe(columns, request, **_):
    session = request.getfixturevalue("sqlframe_session")
    name = f"table_{uuid.uuid4().hex}"
    session._conn.from_arrow(pa.table(columns)).create(name)
    return session.table(name)


def _pyspark(columns, request, **_):
    table = pa.table(columns)
    return request.getfixturevalue("spark").createDataFrame(table)


CONSTRUCTORS = {
    "pandas": _pandas,
    "pandas-arrow": _pandas_arrow,
    "polars": lambda columns, **_: pl.DataFrame(columns),
    "polars-lazy": lambda columns, **_: pl.LazyFrame(columns),
    "pyarrow": lambda columns, **_: pa.table(columns),
    "modin": _modin,
    "duckdb": _duckdb,
    "ibis": _ibis,
    "dask": _dask,
    "sqlframe": _sqlframe,
    "pyspark": _pyspark,
}


# SQLFrame's tables become relations of DuckDB before anything is asked of them.
OTHERS = [name for name in CONSTRUCTORS if name != "sqlframe"]
ASKED = [name for name in OTHERS if name not in ("dask", "pyspark")]
CHEAP = [name for name in ASKED if name != "ibis"]
LAZY = ["polars-lazy", "duckdb", "ibis", "dask", "sqlframe", "pyspark"]


@pytest.fixture(params=CONSTRUCTORS)
def constructor(request):
    """Makes a table of one library from columns.

    Some libraries plan for a second, however small the table, so one query has many cases.
    """
    return partial(CONSTRUCTORS[request.param], request=request)


def libraries(names, weekly=()):
    """The test with tables of these libraries, of some of them weekly."""
    often = [name for name in names if name not in weekly]
    return pytest.mark.parametrize("constructor", few(len(often), [*often, *weekly]), indirect=True)


def random_labels(size, seed):
    rng = random.Random(seed)
    u = [rng.randrange(size // 3 + 1) for _ in range(size)]
    v = [x if rng.random() < 0.7 else rng.randrange(size // 3 + 1) for x in u]
    return u, v


def rows(profile):
    return list(zip(*(getattr(profile, x).tolist() for x in ("n", "a", "b", "count")), strict=True))


def assert_same(counted, expected):
    """The same profile, and the same value of every index that the engine's profile offers."""
    assert rows(counted.counts) == rows(expected._counts)
    c = cc.Comparison(counted.counts)
    values = c.to_dict()
    assert "purity" in values
    assert "prediction_strength" in values
    for name, value in values.items():
        assert value == expected[name] or (value != value and expected[name] != expected[name]), name  # noqa: PLR0124


def counted_columns(frame, **options):
    u, v = (P.from_frame(frame, cluster=column, record=None, **options) for column in ("t", "g"))
    return count_sources(u, v, Conventions())


def counted_join(one, other, *, nulls="error", **options):
    u = P.from_frame(one, record="id", cluster="t", nulls=nulls)
    v = P.from_frame(other, record="id", cluster="g", nulls=nulls)
    return count_sources(u, v, Conventions(**options))


@libraries(LAZY)
def test_two_columns_of_one_table(constructor, monkeypatch):
    """Text with nulls on one side, floats with noise on the other; 0.0 and -0.0 are one label.

    The table is fetched when an index needs it.
    """
    u, v = random_labels(120, 1)
    u = [None if i % 7 == 0 else f"name {x}" for i, x in enumerate(u)]
    v = [-1.0 if i % 5 == 0 else (0.0, -0.0)[i % 2] if i % 9 < 2 else x / 4 for i, x in enumerate(v)]
    frame = constructor({"id": list(range(120)), "t": u, "g": v})
    sides = (
        P.from_frame(frame, record="id", cluster="t", nulls="singletons"),
        P.from_frame(frame, record="id", cluster="g", noise=-1.0, noise_as="drop"),
    )
    monkeypatch.setattr(tables_job, "FEW_CELLS", 3)
    counted = count_sources(*sides, Conventions())
    kept = [i for i in range(120) if v[i] != -1.0]
    expected = cc.compare([(i, "alone") if u[i] is None else u[i] for i in kept], [v[i] for i in kept])
    c = cc.Comparison(counted)
    assert "matching_accuracy" in c.on_request
    assert "which clusters were split and merged is not shown" in f"{c:all}"
    assert_same(counted, expected)
    assert counted.audit == {
        "null_reference": u.count(None),
        "noise_candidate": v.count(-1.0),
        "not_compared": v.count(-1.0),
    }
    for name in ("matching_accuracy", "ceaf_e_f1", "lattice_distance_join", "centroid_index"):
        assert c[name] == expected[name]
    table = c._counts.completed.table
    cell = max(range(len(table)), key=lambda i: (table.n[i] < table.a[i], table.n[i]))
    row, column = int(table.row[cell]), int(table.column[cell])
    labels = counted.names.cluster(0, row), counted.names.cluster(1, column)
    inside = {i for i in range(120) if (u[i], v[i]) == labels}
    few = counted.names.examples([(row, column)], 2)[0]
    assert set(few) <= inside
    assert len(few) == min(2, len(inside)) == 2


@pytest.mark.parametrize("make", [pd.DataFrame, pl.LazyFrame])
def test_text_and_nulls_as_singletons(make):
    """pandas makes floats of integers among which there are nulls."""
    u, v = random_labels(60, 2)
    u = [None if i % 7 == 0 else f"name {x}" for i, x in enumerate(u)]
    v = [None if i % 5 == 0 else x for i, x in enumerate(v)]
    counted = counted_columns(make({"t": u, "g": v}), nulls="singletons")
    alone = [[(i, "alone") if x is None else x for i, x in enumerate(labels)] for labels in (u, v)]
    assert_same(counted, cc.compare(*alone))
    assert counted.audit == {"null_reference": u.count(None), "null_candidate": v.count(None)}


@libraries(CHEAP)
def test_two_tables_joined_by_dates(constructor):
    u, v = random_labels(60, 3)
    dates = [dt.date(2020, 1, 1) + dt.timedelta(days=i) for i in range(60)]
    order = random.Random(4).sample(range(60), 60)
    one = constructor({"id": dates, "t": u})
    other = constructor({"id": [dates[i] for i in order], "g": [v[i] for i in order]})
    assert_same(counted_join(one, other), cc.compare(u, v))


def test_two_tables_joined_by_names(constructor):
    """Some records have no name, and there are records that only one table has."""
    u, v = random_labels(60, 3)
    one = {f"r{i}": u[i] for i in range(50)}
    other = {f"r{i}": v[i] for i in reversed(range(8, 60))}
    counted = counted_join(
        constructor({"id": [*one, None], "t": [*one.values(), 1]}),
        constructor({"id": [None, *other, None], "g": [1, *other.values(), 2]}),
        nulls="drop",
        unmatched="drop",
    )
    assert_same(counted, cc.compare(one, other, unmatched="drop"))
    assert counted.audit == {
        "only_reference": 8,
        "only_candidate": 10,
        "null_records_reference": 1,
        "null_records_candidate": 2,
        "not_compared": 18,
    }


@libraries(CHEAP)
def test_unmatched_records_as_singletons(constructor):
    u, v = random_labels(60, 5)
    one = {i: u[i] for i in range(50)}
    other = {i: v[i] for i in range(8, 60)}
    counted = counted_join(
        constructor({"id": list(one), "t": list(one.values())}),
        constructor({"id": list(other), "g": list(other.values())}),
        unmatched="singletons",
    )
    assert_same(counted, cc.compare(one, other, unmatched="singletons"))
    assert counted.audit == {"only_reference": 8, "only_candidate": 10}


@libraries(ASKED, weekly=["ibis"])
def test_unmatched_records_are_refused(constructor):
    whole = constructor({"id": [1, 2, 3], "g": [1, 1, 2]})
    with pytest.raises(
        UnmatchedError, match=r"1 only in the reference \(among them 4\) and 1 only in the cand"
    ):
        counted_join(constructor({"id": [1, 2, 4], "t": [1, 1, 2]}), whole)


@libraries([*ASKED, "dask"], weekly=["ibis"])  # of Spark, test_spark_keeps_nothing shows it
def test_repeated_records_are_refused(constructor):
    whole = constructor({"id": [1, 2, 3], "g": [1, 1, 2]})
    repeated = r"more than once in 'id' of the reference: (2 \(2 times\)|.*the record 2 has)"
    with pytest.raises(OverlapError, match=repeated):
        counted_join(constructor({"id": [1, 2, 2, 3], "t": [1, 1, 2, 2]}), whole)


@libraries(["polars-lazy", "duckdb"])
def test_what_the_audit_refuses_besides(constructor):
    whole = constructor({"id": [1, 2, 3], "g": [1, 1, 2]})
    one = constructor({"id": [1, 2, 3, 9, 9], "t": [1, 1, 2, 2, 3]})
    with pytest.raises(OverlapError, match=r"more than once in 'id' of the reference: 9 \(2 times\)"):
        counted_join(one, whole, unmatched="drop")
    with pytest.raises(LabelError, match=r"'t' of the reference has 1 null label \(among them 3"):
        counted_join(constructor({"id": [1, 2, 3], "t": [1, 1, None]}), whole)


def test_records_without_a_name_are_refused():
    one = pl.LazyFrame({"id": ["a", "b", None], "t": [1, 1, 2]})
    other = pl.LazyFrame({"id": ["a", "b", None], "g": [1, 2, 2]})
    with pytest.raises(LabelError, match="the reference has 1 row with no record in"):
        counted_join(one, other)


@libraries(CHEAP)
def test_ids_of_different_types(constructor):
    one = constructor({"id": [1, 2], "t": [1, 1]})
    with pytest.raises(InputError, match="different types"):
        counted_join(one, constructor({"id": ["1", "2"], "g": [1, 1]}))
    with pytest.raises(InputError, match="Float64; ids are integers"):
        counted_join(one, constructor({"id": [1.5, 2.0], "g": [1, 1]}))


@libraries(OTHERS, weekly=["ibis"])
def test_no_rows(constructor):
    schema = {"id": pa.array([], pa.int64()), "t": pa.array([], pa.int64()), "g": pa.array([], pa.int64())}
    empty = constructor({name: column.to_numpy() for name, column in schema.items()})
    assert counted_columns(empty).counts.size == 0


@pytest.mark.parametrize("noise_as", ["drop", "singletons", "cluster"])
def test_noise(noise_as):
    labels = [-1, -1, 2, 2, 3], [1, 1, -1, 2, 3]
    frame = pl.LazyFrame(dict(zip("tg", labels, strict=True)))
    expected = cc.compare(*labels, noise=-1, noise_as=noise_as)
    assert_same(counted_columns(frame, noise=-1, noise_as=noise_as), expected)


@libraries(CHEAP)
def test_noise_of_another_type(constructor):
    frame = constructor({"t": [-1, 2], "g": [1, -1]})
    with pytest.raises(ParameterError, match="noise='-1': this is a str"):
        counted_columns(frame, noise="-1", noise_as="drop")


@libraries(CHEAP)
def test_a_missing_column_shows_those_there_are(constructor):
    frame = constructor({"t": [1], "g": [1]})
    with pytest.raises(InputError, match="has no column 'truth': it has t, g"):
        cc.compare(frame, columns=["truth", "g"])


@libraries(CHEAP)
def test_compare_takes_the_straight_way_to_the_same_values(constructor):
    u, v = random_labels(50, 6)
    c = cc.compare(constructor({"t": u, "g": v}), columns=["t", "g"])
    assert c.to_dict(indices=["adjusted_rand", "purity"]) == cc.compare(u, v).to_dict(
        indices=["adjusted_rand", "purity"]
    )


def test_a_table_above_the_limit_is_refused_with_its_price():
    frame = pl.LazyFrame({"t": [1, 1, 2, 2], "g": [1, 2, 1, 2]})
    u, v = (P.from_frame(frame, cluster=column, record=None) for column in ("t", "g"))
    c = cc.Comparison(count_sources(u, v, Conventions(table_limit=3)))
    with pytest.raises(
        TooLargeError, match=r"4 overlaps .* GiB.* limit is 3; .* pass table_limit=4 to allow it"
    ):
        c["matching_accuracy"]
    assert c.purity == 1 / 2
    assert "the limit is 3 (table_limit)" in f"{c:all}"
    assert "the limit is 3" in c._repr_html_()


def test_singletons_are_in_the_table_too():
    frame = pl.DataFrame({"t": [1, 1, 1, None, None], "g": [None, None, 2, 2, None]})
    counted = counted_columns(frame, nulls="singletons")
    alone = cc.compare([1, 1, 1, "x", "y"], [-1, -2, 2, 2, -3])
    assert cc.Comparison(counted.counts)["matching_accuracy"] == alone["matching_accuracy"]


SCALES = [2**20, 2**24, 2**30, 2**33]


def test_nothing_overflows_with_all_scales_in_one_table():
    """A table of PyArrow stands in for the few cells that Spark returns."""
    u, v, n = (list(column) for column in zip(*cells_of_all_scales(), strict=True))
    cells = nw.from_native(pa.table({"u": u, "v": v, "n": n, "absent": [0] * len(n)})).lazy()
    profile = queries.answered(cells, ({}, {})).profile()
    assert_same(CountedSides.of(profile), cc.Comparison(profile_of(cells_of_all_scales())))


def cells_of_all_scales():
    """(row, column, n) of each overlap."""
    blocks = [large_cells(scale) for scale in SCALES]
    return [
        (7 * block + i, 6 * block + j, n)
        for block, rows in enumerate(blocks)
        for i, row in enumerate(rows)
        for j, n in enumerate(row)
        if n
    ]


def profile_of(cells):
    rows, columns = (
        {label: i for i, label in enumerate(dict.fromkeys(side))} for side in [*zip(*cells, strict=True)][:2]
    )
    table = [[0] * len(columns) for _ in rows]
    for u, v, n in cells:
        table[rows[u]][columns[v]] += n
    return cc.Comparison.from_contingency(table)._counts


def large_cells(scale):
    """Cells as large as tables of 10^10 records have them, some of them tied but for the last digit."""
    rng = random.Random(8)
    return [
        [rng.choice([0, 0, 1, scale, scale - 1, rng.randrange(scale)]) for _ in range(6)] for _ in range(7)
    ]


def test_mixed_sides_are_refused():
    frame = pl.DataFrame({"id": [1], "t": [1]})
    with pytest.raises(InputError, match="the candidate is a dataframe or file and the reference is not"):
        cc.compare([1], P.from_frame(frame, cluster="t", record=None))
    with pytest.raises(ParameterError, match="two sources are joined by their records"):
        cc.compare(
            P.from_frame(frame, cluster="t", record=None),
            P.from_frame(frame.clone(), cluster="t", record=None),
        )
    with pytest.raises(ParameterError, match="pass one table"):
        cc.compare([1, 2], columns=["t", "g"])
    with pytest.raises(ParameterError, match="noise= must be passed when you create the Partition"):
        cc.compare(
            P.from_frame(frame, cluster="t", record=None),
            P.from_frame(frame, cluster="t", record=None),
            noise=1,
            noise_as="drop",
        )


def test_uuids_and_wide_integers_in_duckdb():
    import duckdb

    connection = duckdb.connect()
    connection.sql("SELECT uuid() AS id, 1::HUGEINT AS t, INTERVAL 1 DAY AS d FROM range(3)").create("one")
    one = connection.table("one")
    other = connection.sql("SELECT id, 2::TINYINT AS g FROM one")
    with pytest.raises(InputError, match=r"'t' of the reference is of type HUGEINT, .* cast it to text or"):
        counted_join(one, other)
    with pytest.raises(InputError, match=r"'t' of the reference is of type INTERVAL, .* cast it to text or"):
        counted_join(one.project("id, d AS t"), other)
    assert rows(counted_join(one.project("id, t::VARCHAR AS t"), other).counts) == [(3, 3, 3, 1)]
    wide = connection.sql("SELECT (1::HUGEINT << 100) + range AS id, 1 AS t, 1 AS g FROM range(3)")
    with pytest.raises(InputError, match="'id' of the reference is of type HUGEINT"):
        counted_join(wide, wide.filter("true"))
    assert [name for (name,) in connection.sql("SELECT table_name FROM duckdb_tables()").fetchall()] == [
        "one"
    ]


def test_integer_widths_may_differ():
    one = pl.DataFrame({"id": [1, 2], "t": [1, 2]}, schema_overrides={"id": pl.Int8})
    other = pl.DataFrame({"id": [2, 1], "g": [1, 1]}, schema_overrides={"id": pl.UInt32})
    assert rows(counted_join(one, other).counts) == [(1, 1, 2, 2)]


def _dask_of_numpy(columns):
    import dask.dataframe as dd

    return dd.from_pandas(pd.DataFrame(columns), npartitions=2)


@pytest.mark.parametrize("make", [pd.DataFrame, _dask_of_numpy])
def test_large_labels_survive_the_join(make):
    """pandas and Dask would make floats of integers where an outer join leaves gaps."""
    big = 2**53
    one = make({"id": [1, 2, 3], "t": [big, big + 1, big + 1]})
    other = make({"id": [1, 2, 4], "g": [1, 1, 1]})
    counted = counted_join(one, other, unmatched="singletons")
    expected = cc.compare({1: 0, 2: 1, 3: 1}, {1: 1, 2: 1, 4: 1}, unmatched="singletons")
    assert rows(counted.counts) == rows(expected._counts)


@pytest.mark.parametrize("first", few(1, [Decimal("0.1"), np.float32(0.1)]))
def test_dask_adds_up_weights(first):
    """They are read into memory; Spark adds them up there: tests/spark/test_cluster.py."""
    import dask.dataframe as dd

    weights = [first, *(type(first)(each) for each in (1, 3, 3, 2, 1))]
    reference = pd.DataFrame({"record": list("abcdef"), "cluster": [1, 1, 1, 2, 2, 2], "weight": weights})
    candidate = pd.DataFrame({"record": list("fedcba"), "cluster": [1, 1, 2, 2, 3, 3]})
    mapped = (dict(each[["record", "cluster"]].to_numpy()) for each in (reference, candidate))
    known = cc.compare(*mapped, weights=dict(zip(reference["record"], weights, strict=True)))
    u, v = (P.from_frame(dd.from_pandas(each, npartitions=2)) for each in (reference, candidate))
    found = cc.compare(u, v, weights="weight")
    assert dict(found) == dict(known)
    assert found.exact("rand") == known.exact("rand")
    assert dict(pickle.loads(pickle.dumps(found))) == dict(known)


@libraries(["pyspark"], weekly=["pyspark"])
def test_what_is_too_much_for_memory(constructor, monkeypatch):
    """All in one, as they plan it for seconds: few cells come to memory, and most tests have few.

    Cells of all scales, each counted in two places; nulls and unmatched records as singletons; noise.
    """
    monkeypatch.setattr(queries, "BYTES_FOR_MEMORY", 2)
    labelled = cells_of_all_scales()
    pairs = [
        (u, v, part, queries.BOTH, None) for u, v, n in labelled for part in (n // 3, n - n // 3) if part
    ]
    pairs += [
        (None, 2, 3, queries.BOTH, None),
        (None, 9, 1, queries.BOTH, None),
        (4, -1, 5, queries.BOTH, None),
    ]
    pairs += [(5, None, 1, queries.ONLY_REFERENCE, f"r{i}") for i in range(4)]
    pairs += [(None, 3, 1, queries.ONLY_CANDIDATE, f"s{i}") for i in range(2)]
    names = ("u", "v", "n", "absent", "alone")
    native = constructor(dict(zip(names, map(list, zip(*pairs, strict=True)), strict=True)))
    prepared = nw.from_native(native)
    policy = ({NULL: "singletons", ABSENT: "singletons"}, {NOISE: "drop", ABSENT: "singletons"})
    with queries.counted(prepared) as counted:
        cells = queries.in_memory_if_few(counted)
        assert cells.implementation == prepared.implementation
        asked = [queries.rows_of(prepared, nw.col("alone"), 0)]
        answer = queries.answered(cells, policy, (None, -1), asked, few=1000)
    alone = [(("null", i), v, 1) for i, v in enumerate((2, 2, 2, 9))]
    alone += [(5, ("r", i), 1) for i in range(4)] + [(("s", i), 3, 1) for i in range(2)]
    expected = cc.Comparison(profile_of(labelled + alone))
    profile = answer.profile(table=engine_table(answer, 1000, list))
    assert_same(CountedSides.of(profile), expected)
    assert cc.Comparison(profile)["matching_accuracy"] == expected["matching_accuracy"]
    found = {(side, state): answer.having(side, state) for side in (0, 1) for state in (NULL, NOISE, ABSENT)}
    assert found == {(0, NULL): 4, (0, NOISE): 0, (0, ABSENT): 2, (1, NULL): 0, (1, NOISE): 5, (1, ABSENT): 4}
    assert answer.elements == expected.size + 5
    assert answer.rows == {0: (len(pairs), 6)}
    assert answer.twice == {}


@pytest.mark.parametrize("make", [pd.concat, lambda parts, **_: pa.table([[1], [2]], names=["t", "t"])])
def test_columns_of_the_same_name(make):
    frame = make([pd.DataFrame({"t": [1], "g": [2]})] * 2, axis=1)
    with pytest.raises(InputError, match="several columns with the same name"):
        cc.compare(frame, columns=["t", "g"])


def test_columns_that_are_no_text():
    with pytest.raises(InputError, match="no column 'x': it has 0, t"):
        cc.compare(pd.DataFrame({0: [1], "t": [1]}), columns=["t", "x"])


def test_uuids_of_pyarrow():
    ids = pa.array([bytes(16), bytes(15) + b"1"], pa.uuid())
    one, other = pa.table({"id": ids, "t": [1, 2]}), pa.table({"id": ids, "g": [1, 2]})
    assert counted_join(one, other).counts.identical


@pytest.mark.parametrize("limit", [-1, "lots", True, 1.5])
def test_a_limit_that_is_none(limit):
    with pytest.raises(ParameterError, match="use a number of overlaps"):
        cc.compare(pl.LazyFrame({"t": [1], "g": [1]}), columns=["t", "g"], table_limit=limit)


def test_spark_keeps_nothing(spark):
    """Neither after an answer nor after a refusal."""
    frame = spark.createDataFrame(pa.table({"id": [1, 1, 2], "t": [1, 1, 2], "g": [1, 2, 2]}))
    cc.compare(frame, columns=["t", "g"])
    with pytest.raises(OverlapError, match=r"more than once in 'id' of the candidate: 1 \(2 times\)"):
        counted_join(frame, frame.select("*"))
    assert spark.sparkContext._jsc.getPersistentRDDs().isEmpty()


def test_spark_estimates_from_a_sample_and_keeps_memberships(spark):
    guess = {1: 1, 2: 1, 3: 2, 4: 3, 5: 2, 6: 4, 7: 4, 8: 4}
    sample = {1: "x", 2: "x", 3: "x", 4: "y", 5: "y", 8: "z"}
    frame = spark.createDataFrame(pa.table({"id": list(guess), "c": list(guess.values())}))
    found = cc.estimate(sample, P.from_frame(frame, record="id", cluster="c"), sampling="clusters")
    assert dict(found) == dict(cc.estimate(sample, guess, sampling="clusters"))
    long = {"id": list("abccd"), "topic": [0, 0, 0, 1, None]}
    wanted = cc.Cover.from_clusters([{"a", "b", "c"}, {"c"}, {"d"}])
    connection = duckdb.connect()  # which DuckDB 1.4 closes when nobody holds it
    columns = {"record": "id", "cluster": "topic", "unclustered": "alone"}
    cover = cc.Cover.from_frame(connection.from_arrow(pa.table(long)), **columns)
    assert cc.compare(cover, wanted)._counts.identical
    with pytest.raises(InputError, match="write it to Parquet files, and read or scan these"):
        cc.Cover.from_frame(spark.createDataFrame(pa.table(long)), **columns)


@pytest.mark.parametrize(
    "first", few(5, ["polars", "polars-lazy", "pandas", "duckdb", "ibis", "dask", "file"])
)
def test_any_two_sources_are_joined(first, request, tmp_path):
    """Relations of two connections too; UUIDs keep their type."""
    ids = [uuid.UUID(int=i) for i in range(6)]
    labels = ["a", "a", "a", None, "c", "c"], [1, 1, 2, 2, 3, 3]
    one = {"id": list(map(str, ids)), "t": labels[0]}
    if first == "file":
        pl.DataFrame(one).write_parquet(tmp_path / "one.parquet")
        u = P.scan(tmp_path / "one.parquet", record="id", cluster="t", nulls="drop")
    else:
        frame = CONSTRUCTORS[first](one, request=request)
        u = P.from_frame(frame, record="id", cluster="t", nulls="drop")
    with duckdb.connect() as connection:
        other = connection.from_arrow(pa.table({"id": list(map(str, ids)), "g": labels[1]}))
        v = P.from_frame(other, record="id", cluster="g")
        c = cc.compare(u, v, unmatched="drop")
        expected = cc.compare(*labels, nulls="drop")
        assert dict(c) == dict(expected)
        (change,) = c.changes(kind="1:n")
        assert {name for overlap in change.overlaps for name in overlap.examples} <= {str(x) for x in ids}


def test_uuids_of_two_connections():
    one, other = duckdb.connect(), duckdb.connect()
    zeros = "00000000-0000-0000-0000-00000000000"
    query = f"SELECT ('{zeros}' || range)::UUID AS id, range // {{}} AS label FROM range(6)"  # noqa: S608
    u, v = (
        P.from_frame(each.sql(query.format(size)), record="id", cluster="label")
        for each, size in ((one, 2), (other, 3))
    )
    (change,) = cc.compare(u, v).changes()
    assert {type(name) for overlap in change.overlaps for name in overlap.examples} == {uuid.UUID}
    assert cc.diff(u, v, reference=u).headline


@pytest.mark.filterwarnings("ignore:The 'future.infer_string' option")
def test_a_warehouse_is_fetched_with_one_warning(monkeypatch):
    """SQLite is in this process; a warehouse would be fetched in the same way."""
    ibis = pytest.importorskip("ibis")
    monkeypatch.setattr(relations, "_LOCAL_BACKENDS", ())
    connection = ibis.sqlite.connect()
    t, g = random_labels(60, 9)
    connection.raw_sql("CREATE TABLE labels (t INTEGER, g INTEGER)")
    for row in zip(t, g, strict=True):
        connection.raw_sql("INSERT INTO labels VALUES ({}, {})".format(*row))  # noqa: S608
    stored = connection.table("labels")
    with pytest.warns(UserWarning, match="two columns of 60 rows from sqlite were fetched") as told:
        c = cc.compare(stored, columns=["t", "g"])
    assert sum("were fetched" in str(each.message) for each in told) == 1
    assert dict(c) == dict(cc.compare(t, g))


@pytest.mark.parametrize("library", ["duckdb", "pyarrow"])
def test_what_a_lazy_frame_needs(monkeypatch, library):
    monkeypatch.setitem(sys.modules, library, None)
    frame = pl.LazyFrame({"t": [1], "g": [1]})
    with pytest.raises(MissingExtraError, match=rf"a polars LazyFrame needs (?i:{library})"):
        cc.compare(frame, columns=["t", "g"])


HOW = {"nulls": "singletons", "noise": -1, "noise_as": "drop"}
BOTH_LABELS = [1, 1, 2, 2, None, 3, -1], [1, 2, 2, 2, 4, 5, 5]


def asked_in_memory(ids, *without, **how):
    """The questions of a diff of mappings, answers to them, and what these show."""
    sides = [
        {x: label for x, label in zip(ids, own, strict=True) if x != other}
        for own, other in zip(BOTH_LABELS, without or (None, None), strict=True)
    ]
    d = cc.diff(*sides, **HOW, **how)
    questions = d.ask(n_questions=3)
    answers = [{"question": each.question, "same": "yes"} for each in questions.questions]
    return questions, answers, d.judged(answers, questions=questions).to_dict()


@libraries(OTHERS, weekly=["ibis", "dask", "pyspark"])
def test_answers_to_another_diff_are_refused_by_every_library(constructor):
    ids = list("abcdefg")
    questions, answers, expected = asked_in_memory(ids, "d", "b", unmatched="singletons")
    for own, fits in ((ids, True), (["b", "c", "a", *ids[3:]], False)):
        sides = []
        for labels, missing in zip(BOTH_LABELS, "db", strict=True):
            rows = [row for row in zip(own, labels, strict=True) if row[0] != missing]
            table = dict(zip(("record", "cluster"), map(list, zip(*rows, strict=True)), strict=True))
            sides.append(P.from_frame(constructor(table), **HOW))
        d = cc.diff(*sides, unmatched="singletons")
        if fits:
            assert d.judged(answers, questions=questions).to_dict() == expected
        else:
            with pytest.raises(InputError, match="drawn for another diff"):
                d.judged(answers, questions=questions)


@libraries(CHEAP)
def test_answers_fit_two_columns_of_one_table(constructor):
    ids = [1, 2, 3, 4, 5, 60, 70]
    questions, answers, expected = asked_in_memory(ids)
    for own, fits in ((ids, True), ([2, 3, 1, *ids[3:]], False)):
        table = constructor({"id": own, "x": BOTH_LABELS[0], "y": BOTH_LABELS[1]})
        d = cc.diff(*(P.from_frame(table, record="id", cluster=name, **HOW) for name in "xy"))
        if fits:
            assert d.judged(answers, questions=questions).to_dict() == expected
        else:
            with pytest.raises(InputError, match="drawn for another diff"):
                d.judged(answers, questions=questions)
