"""AnnData by its ``obs``, without importing it; and labels that last from partition to partition."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pandas as pd
import pytest

import concordant as cc
from concordant.errors import ConcordantError, InputError, LabelError, ParameterError

CELLS = pd.DataFrame(
    {"cell_type": list("TTTBB"), "leiden_0.5": list("00011"), "leiden_1": list("00122")},
    index=[f"cell{place}" for place in range(5)],
    dtype="category",
)
ADATA = SimpleNamespace(obs=CELLS, obs_names=CELLS.index)


def test_two_columns_of_obs_the_reference_first() -> None:
    c = cc.compare(ADATA, columns=["cell_type", "leiden_1"])
    assert (c.precision, c.recall) == (1.0, 0.5)
    assert c.records(limit=1)[0].record == "cell2"


def test_one_column_of_two_objects_or_beside_labels() -> None:
    shuffled = SimpleNamespace(obs=CELLS.iloc[::-1], obs_names=CELLS.index[::-1])
    truth, leiden = CELLS["cell_type"], "leiden_1"
    value = cc.rand(truth, CELLS[leiden])
    assert cc.rand(ADATA, CELLS[leiden], columns="cell_type") == value
    assert cc.compare(truth, shuffled, columns=leiden).rand == value
    assert cc.compare(ADATA, shuffled, columns=["cell_type", leiden]).rand == value
    assert cc.diff(ADATA, shuffled, columns=leiden).affected == 0
    assert cc.matrix({"a": ADATA, "b": shuffled}, "rand", columns=leiden)["a", "b"] == 1
    assert list(cc.rank(truth, ADATA, ["rand"], columns=["leiden_0.5", leiden]).candidates) == [
        "leiden_0.5",
        leiden,
    ]
    assert cc.diff(CELLS["leiden_0.5"], CELLS[leiden], reference=ADATA, columns="cell_type").size == 5
    assert cc.compare_references([truth, CELLS["leiden_0.5"]], ADATA, columns=leiden).size == 5


def test_slices_by_columns_of_obs() -> None:
    batches = CELLS.assign(batch=list("xyxyy"), donor=[1, 1, 2, 2, 2])
    adata = SimpleNamespace(obs=batches, obs_names=batches.index)
    names = ["cell_type", "leiden_1"]
    c = cc.compare(adata, columns=names)
    expected = cc.compare(batches[names[0]], batches[names[1]]).slices(batches["batch"])
    assert c.slices("batch").to_dict() == expected.to_dict()
    assert c.slices(["batch", "donor"]).columns == ("batch", "donor")
    assert cc.compare(batches[names[0]], batches[names[1]]).slices("batch", details=adata).columns == (
        "batch",
    )
    unit = cc.compare(adata, columns=names).interval("rand", unit="donor")
    assert unit.se == cc.compare(adata, columns=names).interval("rand", unit=batches["donor"]).se
    weighed = cc.compare(adata, columns=names, weights="donor")
    assert weighed.rand == cc.compare(adata, columns=names, weights=batches["donor"]).rand
    d = cc.diff(adata, columns=["leiden_0.5", "leiden_1"], reference="cell_type", by="batch")
    assert {each.slice for each in d.slices()} == {"x", "y"}
    assert d.slices("donor").to_dict() == d.slices(batches["donor"]).to_dict()
    with pytest.raises(InputError, match="obs has no column 'batches'; did you mean 'batch'"):
        c.slices("batches")


def test_constructors_take_columns_of_obs() -> None:
    p = cc.Partition.from_frame(ADATA, cluster="leiden_1")
    assert p == cc.Partition.from_labels(CELLS["leiden_1"])
    h = cc.Hierarchy.from_levels(ADATA, columns=["leiden_1", "leiden_0.5"])
    assert h.cut(n_clusters=2).same_clusters(cc.Partition.from_labels(CELLS["leiden_0.5"]))
    with pytest.raises(ParameterError, match="name the columns of obs"):
        cc.Hierarchy.from_levels(ADATA)


def test_columns_of_obs_all_against_all_and_in_order() -> None:
    m = cc.matrix(ADATA, "adjusted_rand", columns=["cell_type", "leiden_0.5", "leiden_1"])
    assert m["cell_type", "leiden_0.5"] == 1.0
    t = cc.track(ADATA, columns=["leiden_0.5", "leiden_1"])
    assert [str(event) for event in t.events if event.kind == "birth"] == [
        "leiden_0.5 → leiden_1: '1' (1) is born, 0 new and 1 from elsewhere"
    ]


@pytest.mark.parametrize(
    ("call", "kind", "text"),
    [
        (
            lambda: cc.compare(ADATA, columns="cell_type"),
            ParameterError,
            "a column of the table for each",
        ),
        (lambda: cc.compare(ADATA, columns=["cell_typ", "leiden_1"]), InputError, "did you mean 'cell_type'"),
        (lambda: cc.compare([0, 1], [0, 1], "x"), ParameterError, "by position, and was given 3 arguments"),
        (lambda: cc.matrix(ADATA), ParameterError, "name the columns"),
        (lambda: cc.rand([0] * 5, ADATA), LabelError, "the candidate is AnnData; pick a column of its obs"),
        (lambda: cc.track(ADATA, columns=["nothing", "x"]), InputError, "has no column"),
    ],
)
def test_what_is_not_in_obs(call: Any, kind: type[ConcordantError], text: str) -> None:
    with pytest.raises(kind, match=text):
        call()


def test_labels_last_from_partition_to_partition() -> None:
    weeks = {"w1": [0, 0, 0, 1, 1, 2], "w2": [7, 7, 7, 5, 5, 6], "w3": [1, 1, 2, 0, 0, 3]}
    t = cc.track(weeks, relabel=True)
    assert t.ids["w1"] == {0: 0, 1: 1, 2: 2}
    assert t.ids["w2"] == {7: 0, 5: 1, 6: 2}
    assert t.ids["w3"] == {1: 0, 2: 8, 0: 1, 3: 2}
    assert "8 (1) is born" in str([str(event) for event in t.events])


def test_labels_of_the_dead_are_not_given_again() -> None:
    t = cc.track({"a": {"x": "p", "y": "q"}, "b": {"x": 1}, "c": {"x": 1, "z": 2}}, relabel=True)
    assert t.ids["c"][1] == "p"
    assert t.ids["c"][2] not in ("p", "q")
    assert cc.track({"a": {"x": 1}, "b": {"x": 2}}).ids == {}


def test_columns_are_named_of_anndata_alone():
    for many in (cc.matrix, cc.track):
        with pytest.raises(ParameterError, match="no side is a table"):
            many([[0, 1], [0, 0]], columns=["a"])
    with pytest.raises(ParameterError, match="relabel='yes'"):
        cc.track([[0, 1], [0, 0]], relabel="yes")
    with pytest.raises(ParameterError, match="give numbers, one for each partition"):
        cc.consensus([[0, 1], [0, 0]], clustering_weights="ab")
