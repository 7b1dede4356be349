"""Dataframes in memory joined by the core, against a dictionary and against streams."""

import datetime as dt
import random
import uuid
from decimal import Decimal
from functools import cache
from itertools import product

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from inner import Conventions, data_of
from inner import count as count_data

import concordant as cc
from concordant import core
from concordant.errors import InputError, LabelError, OverlapError, UnmatchedError

FRAMES = {"pandas": pd.DataFrame, "polars": pl.DataFrame, "pyarrow": pa.table}


def count_sources(u, v, conventions):
    return count_data(data_of(u), data_of(v), conventions)


def of(frame, column, **options):
    return cc.Partition.from_frame(frame, record="id", cluster=column, **options)


@pytest.fixture(params=FRAMES)
def frame(request):
    return FRAMES[request.param]


def matched(u, v):
    """Where the common ids stand in u and in v, and where those stand that only one list has."""
    place, held = {x: i for i, x in enumerate(u)}, set(v)
    both = [(place[x], j) for j, x in enumerate(v) if x in place]
    only_u, only_v = (
        [i for i, x in enumerate(u) if x not in held],
        [j for j, x in enumerate(v) if x not in place],
    )
    return [[i for i, _ in both], [j for _, j in both], only_u, only_v]


@pytest.mark.parametrize("threads", [1, 2, 7])
@pytest.mark.parametrize("step", [1, 2**32, 2**40 + 1])
def test_many_records(threads, step):
    """Also ids that are equal to each other modulo 2^32."""
    u, v, expected = many_ids()
    positions = core.match_records(u * step, v * step, threads)[:4]
    assert all(np.array_equal(one, other) for one, other in zip(positions, expected, strict=True))


@cache
def many_ids():
    """The ids of two sides, and where they stand, which is the same however far apart they are."""
    rng = np.random.default_rng(3)
    u, v = rng.permutation(150_000)[:100_000], rng.permutation(150_000)[:90_000]
    return u, v, matched(u.tolist(), v.tolist())


@pytest.mark.parametrize("dtype", [bool, np.int8, np.uint16, np.int32, np.uint64])
@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("place", [np.int32, np.int64, np.uint64])
def test_labels_are_taken_at_positions(dtype, threads, place):
    labels = np.random.default_rng(1).integers(0, 2, 200_000).astype(dtype)[::-2]
    positions = np.random.default_rng(2).integers(0, len(labels), 150_000).astype(place)
    taken = core.gather(labels, positions, threads)
    assert taken.dtype == core.narrowed(labels).dtype
    assert np.array_equal(taken, labels[positions])
    positions[77] = len(labels)
    with pytest.raises(ValueError, match="outside of the labels"):
        core.gather(labels, positions, threads)
    with pytest.raises(ValueError, match="outside of the labels"):
        core.gather(labels, np.array([-1]), threads)


@pytest.mark.parametrize("bits", [30, 32, 33, 35, 36, 37, 40, 63, 64])
def test_records_whose_ids_lie_far_apart(bits):
    """What a partition does not tell of an id has 32 bits where they suffice, and 64 where not."""
    rng = np.random.default_rng(bits)
    low = -(2 ** (bits - 1))
    ids = np.unique(rng.integers(low, 2 ** (bits - 1), 40_000, dtype=np.int64))
    ids[0], ids[-1] = low, 2 ** (bits - 1) - 1
    u, v = rng.permutation(ids)[:30_000], rng.permutation(ids)[:30_000]
    u[:2] = v[-2:] = ids[0], ids[-1]
    u, v = (x[np.sort(np.unique(x, return_index=True)[1])] for x in (u, v))
    here, there, only_u, only_v, *twice = core.match_records(u, v, 2)
    assert here.dtype == there.dtype == np.int32
    assert np.array_equal(u[here], v[there])
    assert len(here) == len(np.intersect1d(u, v))
    assert np.array_equal(np.setdiff1d(u, v), np.sort(u[only_u]))
    assert np.array_equal(np.setdiff1d(v, u), np.sort(v[only_v]))
    assert twice == [None, None]


def random_sides(seed, kind):
    rng = random.Random(seed)
    ids = {
        "integer": lambda i: i * 7 - 100,
        "text": lambda i: f"record {i:03d} ä",
        "date": lambda i: dt.date(2020, 1, 1) + dt.timedelta(days=i),
        "time": lambda i: dt.datetime(2020, 1, 1, tzinfo=dt.UTC) + dt.timedelta(microseconds=i),
    }[kind]
    labels = [[rng.choice([None, -1, *range(9)]) for _ in range(60)] for _ in range(2)]
    one, other = rng.sample(range(80), 60), rng.sample(range(80), 60)
    u = {"id": [ids(i) for i in one], "t": labels[0]}
    v = {"id": [ids(i) for i in other], "g": labels[1]}
    return u, v


# Every policy by integers; by other ids, each policy once.
POLICIES = list(
    product(("drop", "singletons"), (None, "drop", "singletons", "cluster"), ("drop", "singletons"))
)
OF_OTHERS = [
    ("drop", "cluster", "singletons"),
    ("singletons", "drop", "drop"),
    ("drop", "singletons", "drop"),
]


@pytest.mark.parametrize(
    ("kind", "nulls", "noise_as", "unmatched"),
    [
        *(("integer", *policies) for policies in POLICIES),
        *((kind, *policies) for kind in ("text", "date", "time") for policies in OF_OTHERS),
    ],
)
def test_the_same_as_streams(kind, nulls, noise_as, unmatched):
    one, other = random_sides(7, kind)
    noise = {} if noise_as is None else {"noise": -1, "noise_as": noise_as}
    frames = (pl.DataFrame(one), "t"), (pl.DataFrame(other), "g")
    u, v = (of(frame, column, nulls=nulls, **noise) for frame, column in frames)
    lazy = [of(each.lazy(), column, nulls=nulls, **noise) for each, column in frames]
    mine, theirs = (count_sources(*pair, Conventions(unmatched=unmatched)) for pair in ((u, v), lazy))
    for name in ("n", "a", "b", "count"):
        assert getattr(mine.counts, name).tolist() == getattr(theirs.counts, name).tolist()
    assert mine.audit == theirs.audit
    assert dict(mine.conventions) == dict(theirs.conventions)


def test_records_are_named_by_position_and_not_by_the_index_of_a_dataframe():
    one = pd.DataFrame({"id": [10, 20, 30], "t": [0, 0, 1]}, index=[7, 8, 9])
    other = pd.DataFrame({"id": [30, 20, 10], "g": [1, 1, 0]}, index=[0, 0, 0])
    c = cc.compare(of(one, "t"), of(other, "g"))
    assert {r.record for r in c.records(limit=None)} == {10, 20, 30}


def test_what_is_refused(frame):
    good = frame({"id": [1, 2, 3], "t": [0, 0, 1], "g": [0, 0, 1]})
    with pytest.raises(OverlapError, match=r"'id' of the candidate: (2 \(2 times\)|.*the record 2 has)"):
        cc.compare(of(good, "t"), of(frame({"id": [1, 2, 2], "g": [0, 0, 1]}), "g"))
    with pytest.raises(UnmatchedError, match=r"1 only in the reference \(among them 3\) and 2 only"):
        cc.compare(of(good, "t"), of(frame({"id": [1, 2, 8, 9], "g": [0, 0, 1, 1]}), "g"))
    with pytest.raises(InputError, match="different types"):
        cc.compare(of(good, "t"), of(frame({"id": ["1", "2", "3"], "g": [0, 0, 1]}), "g"))
    with pytest.raises(LabelError, match="1 null label"):
        cc.compare(of(good, "t"), of(frame({"id": [1, 2, 3], "g": ["x", None, "y"]}), "g"))


def test_ids_of_other_types():
    for ids in ([Decimal("1.50"), Decimal("2.50")], [b"one", b"two"], [dt.timedelta(1), dt.timedelta(2)]):
        u, v = pl.DataFrame({"id": ids, "t": [0, 1]}), pl.DataFrame({"id": ids[::-1], "g": [1, 0]})
        assert cc.compare(of(u, "t"), of(v, "g")).adjusted_rand == 1.0
    names = [uuid.UUID(int=i).bytes for i in (5, 6)]
    u = pa.table({"id": pa.array(names, pa.binary(16)), "t": [0, 0]})
    v = pa.table({"id": pa.array(names[::-1], pa.binary(16)), "g": [1, 2]})
    assert cc.compare(of(u, "t"), of(v, "g")).recall == 0.0


def test_repeated_bytes_are_counted():
    """Polars would take them for a column to compare with."""
    frames = [
        pl.DataFrame({"id": [b"ab", b"ab", b"c"], "l": [1, 1, 2]}),
        pl.DataFrame({"id": [b"ab", b"c"], "l": [1, 2]}),
    ]
    with pytest.raises(cc.errors.OverlapError, match=r"the record b'ab' has 1 twice"):
        cc.compare(*(cc.Partition.from_frame(frame, record="id", cluster="l") for frame in frames))


@pytest.mark.parametrize("make", [pa.Table.to_pandas, pa.table], ids=["pandas", "pyarrow"])
def test_nulls_among_views(make):
    """Which PyArrow cannot filter."""
    options = {"types_mapper": pd.ArrowDtype} if make is pa.Table.to_pandas else {}
    columns = {"id": ["a", "b", "c", None], "l": ["x", "y", None, "y"], "other": list("pqrs")}
    held = pa.table({name: pa.array(values, pa.string_view()) for name, values in columns.items()})
    frame = make(held, **options)
    same = cc.compare(of(frame, "l", nulls="drop"), of(make(held, **options), "l", nulls="drop"))
    assert same._counted.audit["null_records_reference"] == 1
    assert same.size == 2
    assert cc.compare(of(frame, "l", nulls="drop"), of(frame, "other", nulls="drop")).size == 2
