"""Null labels in memory: dropped or made singletons, in every container that can hold them."""

import datetime as dt

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import concordant as cc
from concordant.errors import LabelError, NothingLeftError, ParameterError


class Export:
    """Exports an Arrow array, and does nothing else."""

    def __init__(self, values):
        self._array = pa.array(values)

    def __arrow_c_array__(self, requested_schema=None):
        return self._array.__arrow_c_array__(requested_schema)


CONTAINERS = {
    "list": list,
    "tuple": tuple,
    "array of objects": lambda x: np.array(x, dtype=object),
    "pandas": pd.Series,
    "pandas with nulls": lambda x: pd.Series(x).convert_dtypes(),
    "pandas of Arrow": lambda x: pd.Series(pd.array(pa.array(x), dtype=pd.ArrowDtype(pa.array(x).type))),
    "categories": lambda x: pd.Series(x, dtype="category"),
    "Categorical": pd.Categorical,
    "index": pd.Index,
    "Polars": pl.Series,
    "Polars categories": lambda x: pl.Series(x).cast(pl.String).cast(pl.Categorical),
    "Arrow": pa.array,
    "Arrow in chunks": lambda x: pa.chunked_array([pa.array(x[:2], pa.array(x).type), pa.array(x[2:])]),
    "Arrow dictionary": lambda x: pa.array(x).dictionary_encode(),
    "Arrow export": Export,
    "mapping": lambda x: dict(enumerate(x)),
}
U = ["a", "a", None, "b", "b", None, "c"]
V = [1, 1, 2, 2, None, 3, 3]
DROPPED = ["a", "a", "b", "c"], [1, 1, 2, 3]
APART = ["a", "a", "x", "b", "b", "y", "c"], [1, 1, 2, 2, 9, 3, 3]


@pytest.mark.parametrize("container", CONTAINERS.values(), ids=CONTAINERS)
def test_null_labels_are_refused_dropped_or_made_singletons(container):
    u, v = container(U), container(V)
    with pytest.raises(LabelError, match="missing"):
        cc.compare(u, v)
    for nulls, same in (("drop", DROPPED), ("singletons", APART)):
        c, plain = cc.compare(u, v, nulls=nulls), cc.compare(*same)
        assert c.to_dict() == plain.to_dict()
        assert cc.rand(u, v, nulls=nulls) == plain.rand
        assert cc.matrix([u, v], "rand", nulls=nulls)[0, 1] == plain.rand
        assert f"nulls={nulls}" in c.signature
        assert "null_reference=2 | null_candidate=1" in c.signature
        make = cc.Partition.from_mapping if isinstance(u, dict) else cc.Partition.from_labels
        assert cc.compare(make(u, nulls=nulls), make(v, nulls=nulls)).signature == c.signature
    assert "not_compared" not in c.signature


@pytest.mark.parametrize(
    "missing",
    [
        lambda: np.array([1.5, 1.5, np.nan, 2, 2]),
        lambda: np.array(["2020", "2020", "NaT", "2021", "2021"], dtype="M8[ns]"),
        lambda: np.ma.array([1, 1, 7, 2, 2], mask=[0, 0, 1, 0, 0]),
        lambda: pd.Series([1.5, 1.5, np.nan, 2, 2]),
        lambda: pd.Series([1.5, 1.5, np.nan, 2, 2], dtype="float64[pyarrow]"),
        lambda: pd.to_datetime(pd.Series(["2020", "2020", None, "2021", "2021"]), utc=True),
        lambda: pl.Series([1.5, 1.5, float("nan"), 2, 2]),
        lambda: pa.array([1.5, 1.5, float("nan"), 2, 2]),
        lambda: pa.array(["a", "a", None, "b", "b"], pa.string_view()),
        lambda: [dt.date(2020, 1, 1)] * 2 + [pd.NaT] + [dt.date(2021, 1, 1)] * 2,
        lambda: [(1, 2), (1, 2), (1, None), (3, 4), (3, 4)],
    ],
)
def test_labels_that_are_nan_or_masked_are_null(missing):
    c = cc.compare(missing(), [0, 0, 0, 1, 2], nulls="drop")
    assert (c.size, c.recall, c.precision) == (4, 0.5, 1.0)
    assert cc.compare([0, 0, 0, 1, 2], missing(), nulls="singletons").size == 5


def test_masked_voxels_of_an_image_are_null():
    image = np.ma.array([[1, 1, 2], [2, 3, 3]], mask=[[0, 0, 1], [0, 0, 0]])
    other = np.asfortranarray([[1, 1, 5], [2, 3, 3]])
    assert cc.compare(other, image, nulls="drop").rand == 1
    assert cc.compare(other, image, nulls="singletons").rand == 1


def test_null_labels_beside_noise_names_weights_and_masks():
    u, v = [None, -1, 1, 1, 1], [1, -1, 1, 1, 2]
    c = cc.compare(u, v, nulls="drop", noise=-1, noise_as="drop")
    assert "n=3 " in c.signature
    assert "noise_dropped=1 | not_compared=2" in c.signature
    assert cc.compare(u, v, nulls="drop", weights=[9, 1, 2, 3, 4]).recall == 6 / (6 + 8 + 12)
    c = cc.compare(u, v, nulls="drop", where=np.array([True, True, True, True, False]))
    assert "n=3 " in c.signature
    assert "masked=1" in c.signature
    left = pd.Series(["a", None, "b"], index=[3, 1, 2])
    assert cc.compare(left, pd.Series(["x", "y", "z"], index=[1, 2, 3]), nulls="drop").size == 2
    with pytest.raises(NothingLeftError, match="nulls='drop'"):
        cc.compare([None, 1], [1, None], nulls="drop")


@pytest.mark.parametrize("sides", [[[{1, 2}]] * 2, [cc.Partition.from_labels([1, 2])] * 2])
def test_partitions_without_labels_refuse_nulls(sides):
    with pytest.raises(ParameterError, match="nulls="):
        cc.compare(*sides, nulls="drop")


def test_only_advice_that_helps_is_given(tmp_path):
    """What an error about null labels suggests can be done."""
    labels, whole = ["a", "a", None, "b"], ["a", "a", "b", "b"]
    path = tmp_path / "labels.parquet"
    pl.DataFrame({"record": [1, 2, 3, 4], "cluster": labels}).write_parquet(path)
    cover = cc.Cover.from_mapping({0: ["a"], 1: ["a"], 2: ["b"], 3: ["b"]})
    calls = (
        lambda **o: cc.compare(labels, whole, **o),
        lambda **o: cc.compare(cover, labels, **o),
        lambda **o: cc.matrix([labels, whole], **o),
        lambda **o: cc.track([labels, whole], **o),
        lambda **o: cc.consensus([labels, whole], **o),
        lambda **o: cc.stability([labels, whole], **o),
        lambda **o: cc.stability([labels, whole], reference=whole, **o),
        lambda **o: cc.Hierarchy.from_levels([labels, whole], **o),
        lambda **o: cc.Hierarchy.from_levels(pl.DataFrame({"a": labels, "b": whole}), **o),
        lambda **o: cc.Hierarchy.from_levels([cc.Partition.scan(path)] * 2, **o),
    )
    for call in calls:
        with pytest.raises(LabelError) as caught:
            call()
        for remedy in caught.value.remedies:
            call(**remedy.options)
