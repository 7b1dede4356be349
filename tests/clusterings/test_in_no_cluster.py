"""Records that stand alone because they are noise, or have no label, are in no cluster, in every engine.

A label that means noise names no cluster: where each such record stands alone, none of them is called by it.
"""

import re
from functools import cache
from itertools import product

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from not_run import few

import concordant as cc

P = cc.Partition
IDS = list("abcdefgh")
REFERENCE = [11, 11, 11, 12, 12, 13, 13, 14]
CANDIDATE = [21, 21, 22, 22, 22, None, None, 21]

KINDS = {"integers": int, "texts": "c{}".format, "floats": lambda number: number + 0.5}


def scanned(frame, folder, **treatment):
    path = folder / f"{frame['label'][0]}.parquet"
    pl.DataFrame(frame, strict=False).write_parquet(path)
    return P.scan(path, record="id", cluster="label", **treatment)


def framed(constructor):
    return lambda frame, _, **treatment: P.from_frame(
        constructor(frame), record="id", cluster="label", **treatment
    )


SOURCES = {
    "files": scanned,
    "pandas": framed(pd.DataFrame),
    "pandas with nulls": framed(lambda frame: pd.DataFrame(frame).convert_dtypes()),
    "Polars": framed(pl.DataFrame),
    "lazy Polars": framed(pl.LazyFrame),
    "PyArrow": framed(pa.table),
    "DuckDB": framed(lambda frame: duckdb.from_arrow(pa.table(frame))),
}


def labels_of(kind, labels, alone):
    return [alone if label is None else KINDS[kind](label) for label in labels]


_OUTSIDE = {"without a label": "noise"}  # the node is called by its reason, all else is the same


def told(c):
    """What is said of the clusters: in lists, in sentences, and beside the bars of the page."""
    listed = [(score.cluster, score.size, score.partner) for score in c.clusters()]
    drawn = [
        {(_OUTSIDE.get(node.label, node.label), node.size) for node in nodes}
        for nodes in (c._report_data().flow.rows, c._report_data().flow.columns)
    ]
    # A line about what was found on the way leaves room for one sentence less after the advice.
    sentences, _, ends = str(c).partition("becomes")
    assert ends
    # Whether such records are noise or have no label, the same is said of them.
    sentences = " ".join(sentences.split()).replace("have no label in", "are noise in")
    sentences = sentences.replace("records without a label", "noise records")
    sentences = re.sub(r"move record \S+", "move 1 record", sentences)  # sources do not name the record
    return sorted(listed, key=str), drawn, sorted(str(c.changes()).splitlines()), sentences.split()


@cache
def noise_in_memory(kind):
    noise = {"noise": KINDS[kind](-1), "noise_as": "singletons"}
    sides = [labels_of(kind, labels, noise["noise"]) for labels in (REFERENCE, CANDIDATE)]
    return told(cc.compare(*(P.from_labels(labels, **noise) for labels in sides)))


def compared(kind, source, folder, alone, **treatment):
    sides = []
    for labels in (REFERENCE, CANDIDATE):
        frame = {"id": IDS, "label": labels_of(kind, labels, alone)}
        sides.append(SOURCES[source](frame, folder, **treatment))
    return cc.compare(*sides)


# Every source, every kind of label, and weekly all pairs of them.
PAIRS = [("texts", source) for source in SOURCES] + [(kind, "Polars") for kind in KINDS if kind != "texts"]
PAIRS = few(len(PAIRS), dict.fromkeys([*PAIRS, *product(KINDS, SOURCES)]))


@pytest.mark.parametrize(("kind", "source"), PAIRS)
def test_noise_that_stands_alone(kind, source, tmp_path):
    noise = {"noise": KINDS[kind](-1), "noise_as": "singletons"}
    expected = noise_in_memory(kind)
    assert told(compared(kind, source, tmp_path, noise["noise"], **noise)) == expected
    assert (KINDS[kind](13), 2, None) in expected[0]
    assert ("noise", 2) in expected[1][1]
    assert any("1:0" in line and "13" in line for line in expected[2])


@pytest.mark.parametrize(("kind", "source"), PAIRS)
def test_labels_that_are_null(kind, source, tmp_path):
    if kind == "integers" and source == "pandas":
        pytest.skip("pandas makes floats of integers with nulls")
    assert told(compared(kind, source, tmp_path, None, nulls="singletons")) == noise_in_memory(kind)


def test_both_at_once():
    frame = pl.DataFrame({"u": [1, 1, 2, 2, 2], "v": [5, None, 5, -1, 7]})
    u = P.from_frame(frame, cluster="u", record=None)
    v = P.from_frame(frame, cluster="v", nulls="singletons", noise=-1, noise_as="singletons", record=None)
    c = cc.compare(u, v)
    assert {score.cluster for score in c.clusters(side="candidate")} == {5, 7}
    assert c.summary().candidate.in_no_cluster == 2
    by_record = sorted(c.records(), key=lambda each: each.record)
    assert [each.candidate for each in by_record] == [5, None, 5, None, 7]
    assert c.relabelled().labels.tolist() == [2, None, 2, -1, 8]


def test_a_side_may_keep_records_of_its_own():
    """Noise is in no cluster there, either, and its component is neither 1:0 nor 0:1."""
    reference, candidate = {"a": 0, "b": 0, "c": 1, "z": -1}, {"a": 5, "b": -1, "c": 6, "d": 7}
    c = cc.compare(reference, candidate, noise=-1, noise_as="singletons", unmatched="keep")
    assert {(score.cluster, score.verdict) for score in c.clusters()} == {
        (0, "scattered"),
        (1, "exact"),
    }
    assert str(c.changes()).splitlines()[0] == (
        "1 × 1:1, 1 × 1:1 changed, 0 × 1:n, 0 × n:1, 0 × n:m, 0 × 1:0, 1 × 0:1"
    )
    assert "-1" not in str(c.changes())


def test_clusters_that_a_source_does_not_name_are_in_one(tmp_path):
    """Neither text nor page says of a cluster that both sides have that it is none."""
    labels = ["k"] * 5 + ["a"] * 6 + ["s", "t"], ["k"] * 5 + ["a"] * 3 + ["b"] * 3 + ["s", "t"]
    ids = list(range(13))
    scan = scanned
    sides = []
    for name, own in zip("uv", labels, strict=True):
        (tmp_path / name).mkdir()
        sides.append(scan({"id": ids, "label": own}, tmp_path / name))
    c = cc.compare(*sides)
    rows = {(node.label, node.size) for node in c._report_data().flow.rows}
    assert rows == {("(not named)", 5), ("a", 6), ("(not named)", 1)}
    page = c.to_html(tmp_path / "p.html").read_text(encoding="utf-8")
    assert "(not named)" in page
    assert "(in no cluster)" not in page
