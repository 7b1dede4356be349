"""AnnData by its ``obs``, without importing it; and labels that last from partition to partition."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pandas as pd
import pytest

import concordant as cc
from concordant.errors import ConcordantError, InputError, ParameterError

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


def test_columns_of_obs_all_against_all_and_in_order() -> None:
    m = cc.matrix(ADATA, "adjusted_rand", columns=["cell_type", "leiden_0.5", "leiden_1"])
    assert m["cell_type", "leiden_0.5"] == 1.0
    t = cc.track(ADATA, columns=["leiden_0.5", "leiden_1"])
    assert [str(event) for event in t.splits] == [
        "leiden_0.5 → leiden_1: '0' (3) splits into '0' (2), '1' (1)"
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
    assert "0 (3) splits into 0 (2), 8 (1)" in str(t.splits[0])


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
