"""Scored pairs: connected components at every threshold."""

from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from inner import data_of, scored_pairs
from test_hierarchy import clusters_of, golden, levels_of

import concordant as cc
from concordant import core
from concordant.errors import (
    HierarchyError,
    InputError,
    LabelError,
    ParameterError,
    UndefinedError,
    UnmatchedError,
)

COLUMNS = {"left": "l", "right": "r", "score": "p"}


def frame_of(pairs, library=pl.DataFrame):
    left, right, score = zip(*pairs, strict=True) if pairs else ((), (), ())
    return library({"l": list(left), "r": list(right), "p": list(score)})


def components(records, pairs, threshold):
    """Connected components by repeated merging, written from the definition."""
    clusters = [{record} for record in records]
    for left, right, score in pairs:
        if score >= threshold:
            joined = [cluster for cluster in clusters if left in cluster or right in cluster]
            clusters = [cluster for cluster in clusters if cluster not in joined] + [set().union(*joined)]
    return sorted(map(sorted, clusters))


@pytest.mark.parametrize("case", golden("pairs"))
def test_every_threshold_of_the_golden_cases(case):
    tree = cc.Hierarchy.from_pairs(frame_of(case["pairs"]), **COLUMNS, records=range(case["records"]))
    truth = dict(enumerate(case["truth"]))
    for row in case["values"]["thresholds"]:
        cut = tree.cut(level=0) if row["threshold"] is None else tree.cut(threshold=row["threshold"])
        assert len(clusters_of(cut)) == row["clusters"]
        found = cc.compare(truth, cut)
        for name in ("recall", "f_measure", "adjusted_rand", "bcubed_precision", "bcubed_recall"):
            numerator, denominator = map(int, row[name].split("/"))
            assert found.exact(name) * denominator == numerator


@pytest.mark.parametrize("case", golden("pairs"))
def test_the_golden_cases_from_one_comparison(case):
    tree = cc.Hierarchy.from_pairs(frame_of(case["pairs"]), **COLUMNS, records=range(case["records"]))
    t = cc.compare(dict(enumerate(case["truth"])), tree)
    curves = {
        name: t.curve(name)
        for name in ("recall", "f_measure", "adjusted_rand", "bcubed_precision", "bcubed_recall")
    }
    for row in case["values"]["thresholds"]:
        threshold = row["threshold"]
        level = 0 if threshold is None else tree.level_at(threshold=threshold)
        for name, curve in curves.items():
            assert curve.columns["value"][level] == float(Fraction(row[name]))
            assert curve.columns["n_clusters"][level] == row["clusters"]
        found = t.at(level=0) if threshold is None else t.at(threshold=threshold)
        pairs = found.pairs
        assert (pairs.n11, pairs.n11 + pairs.n01) == (row["n11"], row["together"])
        assert row["precision"] is None or found.exact("precision") == Fraction(row["precision"])
    # Of equal values the golden case has the highest threshold, and best_cut the fewest clusters.
    expected = case["values"]["best_by_f_measure"]
    best = t.best_cut("f_measure")
    assert best.value == float(Fraction(expected["value"]))
    values = curves["f_measure"].columns["value"]
    level = 0 if expected["threshold"] is None else tree.level_at(threshold=expected["threshold"])
    assert (level, best.level) == (
        np.flatnonzero(values == best.value)[0],
        np.flatnonzero(values == best.value)[-1],
    )


pairs_of_few = st.lists(
    st.tuples(
        st.integers(0, 8), st.integers(0, 8), st.sampled_from([-1.5, -0.0, 0.0, 0.3, 0.9, 1, np.inf, -np.inf])
    )
)


@given(pairs_of_few)
def test_components_at_every_threshold(pairs):
    tree = cc.Hierarchy.from_pairs(
        pl.DataFrame(pairs, schema={"l": pl.Int64, "r": pl.Int64, "p": pl.Float64}, orient="row"), **COLUMNS
    )
    records = {record for left, right, _ in pairs for record in (left, right)}
    assert tree.size == len(records)
    for threshold in (np.inf, 1.0, 0.95, 0.9, 0.3, 0.0, -0.0, -1.5, -np.inf):
        assert clusters_of(tree.cut(threshold=threshold)) == components(records, pairs, threshold)
    assert (np.diff(data_of(tree).level_heights) < 0).all()
    assert (data_of(tree).parent[data_of(tree).parent >= 0] > np.flatnonzero(data_of(tree).parent >= 0)).all()
    assert (np.bincount(data_of(tree).parent[data_of(tree).parent >= 0])[tree.size :] >= 2).all()


@given(pairs_of_few, st.integers(1, 5))
def test_batches_give_the_same_components(pairs, batch):
    """A spanning forest of what was read replaces it, so that memory goes with the records."""
    whole, pieces = core.PairForest(), core.PairForest(most_pending=2)
    left, right = (np.array([pair[side] for pair in pairs], dtype=np.int64) for side in (0, 1))
    score = np.array([pair[2] for pair in pairs], dtype=np.float64)
    whole.add(left, right, score)
    for start in range(0, len(pairs), batch):
        pieces.add(*(np.ascontiguousarray(each[start : start + batch]) for each in (left, right, score)))
    for one, other in zip(whole.finish(9), pieces.finish(9), strict=True):
        assert one.tolist() == other.tolist()


@pytest.mark.parametrize("record", [int, str])
def test_the_pairs_that_a_worker_of_spark_sends(monkeypatch, record):
    """At most one for each record, and the same records are together at every threshold."""
    monkeypatch.setattr(scored_pairs, "_FEW_ROWS", 50)
    rng = np.random.default_rng(6)
    left, right = ([record(each) for each in rng.integers(0, 40, 400).tolist()] for _ in range(2))
    pairs = pa.table({"l": left, "r": right, "p": rng.integers(0, 9, 400) / 8})
    alone = pa.table({"l": [record(90)], "r": [record(90)], "p": [0.5]})
    batches = [*pairs.to_batches(max_chunksize=30), *alone.to_batches()]
    sent = pa.Table.from_batches(scored_pairs.forest_of_batches(batches, ("l", "r", "p")))
    whole, reduced = (
        cc.Hierarchy.from_pairs(each, **COLUMNS) for each in (pa.concat_tables([pairs, alone]), sent)
    )
    assert len(sent) <= whole.size == reduced.size
    assert str(reduced.levels) == str(whole.levels)
    for level in range(len(whole.levels)):
        assert cc.compare(whole.cut(level=level), reduced.cut(level=level)).rand == 1


@pytest.mark.parametrize(
    ("record", "score", "fault"),
    [(None, 0.5, "'l' is null"), ("c", None, "is null"), ("c", np.nan, "is NaN")],
)
def test_faulty_pairs_reach_the_driver(record, score, fault):
    faulty = pa.table({"l": ["a", record], "r": ["b", "b"], "p": [0.5, score]})
    sent = pa.Table.from_batches(scored_pairs.forest_of_batches(faulty.to_batches(), ("l", "r", "p")))
    assert sent.num_rows == 2
    with pytest.raises((HierarchyError, LabelError), match=fault):
        cc.Hierarchy.from_pairs(sent, **COLUMNS)


def test_many_pairs_are_sorted_as_a_whole():
    """Beyond a few thousand pairs, the core sorts by digits."""
    generator = np.random.default_rng(3)
    size = 20_000
    left, right = generator.integers(0, 6000, (2, size))
    score = generator.normal(size=size).round(3)
    tree = cc.Hierarchy.from_pairs(pl.DataFrame({"l": left, "r": right, "p": score}), **COLUMNS)
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import connected_components

    position = {name: place for place, name in enumerate(list(tree.records))}
    for threshold in (1.5, 0.25, -0.1):
        keep = score >= threshold
        ends = [[position[each] for each in side[keep].tolist()] for side in (left, right)]
        graph = coo_matrix((np.ones(keep.sum()), ends), shape=(tree.size, tree.size))
        number, labels = connected_components(graph, directed=False)
        cut = tree.cut(threshold=threshold)
        assert len(clusters_of(cut)) == number
        assert cc.compare(labels, cut.labels).rand == 1


PAIRS = [("a", "b", 0.9), ("c", "b", 0.5), ("d", "e", 0.9), ("a", "c", 0.7), ("f", "f", 1.0)]


@pytest.mark.parametrize("library", [pd.DataFrame, pl.DataFrame, pl.LazyFrame, pa.table])
def test_every_library(library):
    tree = cc.Hierarchy.from_pairs(frame_of(PAIRS, library), **COLUMNS)
    assert data_of(tree).level_heights.tolist() == [0.9, 0.7]
    assert clusters_of(tree.cut(threshold=0.7)) == [["a", "b", "c"], ["d", "e"], ["f"]]
    assert repr(tree) == "<Hierarchy of 6 records, 2 levels, 3 roots>"


def test_names_of_other_types():
    for kind in (pl.Categorical, pl.String):
        frame = frame_of(PAIRS).with_columns(pl.col("l").cast(kind))
        assert cc.Hierarchy.from_pairs(frame, **COLUMNS).cut(n_clusters=3).records != range(6)
    integers = pl.DataFrame(
        {"l": [5, 6], "r": [6, 7], "p": [1, 2]}, schema={"l": pl.Int8, "r": pl.UInt32, "p": pl.Int16}
    )
    tree = cc.Hierarchy.from_pairs(integers, **COLUMNS)
    assert (list(tree.records), data_of(tree).level_heights.tolist()) == ([5, 6, 7], [2, 1])


def test_records_that_are_in_no_pair():
    tree = cc.Hierarchy.from_pairs(frame_of(PAIRS), **COLUMNS, records=list("zabcdef"))
    assert tree.records == tuple("zabcdef")
    assert clusters_of(tree.cut(level=2)) == [["a", "b", "c"], ["d", "e"], ["f"], ["z"]]
    for records in (pl.Series(list("zabcdef")), pd.Series(list("zabcdef")), np.array(list("zabcdef"))):
        assert cc.Hierarchy.from_pairs(frame_of(PAIRS), **COLUMNS, records=records).size == 7
    with pytest.raises(HierarchyError, match="1 record of the pairs is not in records=: 'f'"):
        cc.Hierarchy.from_pairs(frame_of(PAIRS), **COLUMNS, records=list("abcde"))
    with pytest.raises(HierarchyError, match="names 'a' twice"):
        cc.Hierarchy.from_pairs(frame_of(PAIRS), **COLUMNS, records=list("abcdefa"))


def test_no_pairs_at_all():
    empty = pl.DataFrame(schema={"l": pl.Int64, "r": pl.Int64, "p": pl.Float64})
    tree = cc.Hierarchy.from_pairs(empty, **COLUMNS)
    assert (tree.size, data_of(tree).clusters.tolist()) == (0, [0])
    alone = cc.Hierarchy.from_pairs(empty, **COLUMNS, records=[7, 8])
    assert levels_of(alone) == [[[7], [8]]]


@pytest.mark.parametrize(
    ("pairs", "error", "text"),
    [
        ([("a", "b", None), ("a", "c", 1.0)], HierarchyError, "row 0: the score 'p' is null"),
        ([("a", "c", 1.0), ("a", "b", float("nan"))], HierarchyError, "row 1: the score 'p' is NaN"),
        ([("a", None, 0.5)], LabelError, "row 0: 'r' is null"),
        ([("a", 1, 0.5)], HierarchyError, "different types: 'l' is String and 'r' is Int64"),
        ([(0.5, 1.5, 0.5)], HierarchyError, "are of type Float64"),
        ([("a", "b", "high")], HierarchyError, "the scores 'p' are of type String"),
        ([("a", "b", True)], HierarchyError, "the scores 'p' are of type Boolean"),
    ],
)
def test_pairs_that_are_refused(pairs, error, text):
    with pytest.raises(error, match=text):
        cc.Hierarchy.from_pairs(frame_of(pairs), **COLUMNS)


def test_other_pairs_that_are_refused():
    with pytest.raises(InputError, match="no column 'q'"):
        cc.Hierarchy.from_pairs(frame_of(PAIRS), left="l", right="r", score="q")
    with pytest.raises(ParameterError, match="left, right and score are different columns"):
        cc.Hierarchy.from_pairs(frame_of(PAIRS), left="l", right="l", score="p")
    with pytest.raises(ParameterError, match="give the name of a column"):
        cc.Hierarchy.from_pairs(frame_of(PAIRS), left=0, right="r", score="p")
    with pytest.raises(InputError, match="not a dataframe that concordant reads"):
        cc.Hierarchy.from_pairs([("a", "b", 1)], **COLUMNS)
    tree = cc.Hierarchy.from_pairs(frame_of(PAIRS), **COLUMNS)
    with pytest.raises(ParameterError, match="made of scores; pass threshold="):
        tree.cut(height=0.5)
    with pytest.raises(HierarchyError, match="are never joined"):
        tree.to_linkage()


def test_scores_are_shown_as_given():
    tree = cc.Hierarchy.from_pairs(frame_of(PAIRS), **COLUMNS)
    assert str(tree).splitlines() == [
        "<Hierarchy of 6 records, 2 levels, 3 roots>",
        "levels 0 to 2",
        "level  threshold  n_clusters  largest",
        "    0                      6        1",
        "    1        0.9           4        2",
        "    2        0.7           3        3",
    ]
    assert "0.9" in tree._repr_html_()
    assert tree.levels.to_frame("polars")["threshold"].to_list() == [None, 0.9, 0.7]


# -- files ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("suffix", ["parquet", "csv", "tsv", "jsonl"])
@pytest.mark.parametrize("kind", [str, int])
def test_files_give_what_dataframes_give(tmp_path, suffix, kind):
    generator = np.random.default_rng(5)
    left, right = (generator.integers(0, 400, 3000) for _ in range(2))
    frame = pl.DataFrame({"l": left, "r": right, "p": generator.random(3000).round(2)})
    if kind is str:
        frame = frame.with_columns(pl.format("id-{}", name).alias(name) for name in "lr")
    path = tmp_path / f"pairs.{suffix}"
    {
        "parquet": frame.write_parquet,
        "csv": frame.write_csv,
        "tsv": lambda path: frame.write_csv(path, separator="\t"),
        "jsonl": frame.write_ndjson,
    }[suffix](path)
    tree, expected = cc.Hierarchy.from_pairs(path, **COLUMNS), cc.Hierarchy.from_pairs(frame, **COLUMNS)
    assert list(tree.records) == sorted(map(type(tree.records[0]), expected.records))
    assert data_of(tree).level_heights.tolist() == data_of(expected).level_heights.tolist()
    names = [str(name) for name in expected.records]
    for threshold in (0.99, 0.95, 0.9):
        one, other = tree.cut(threshold=threshold), expected.cut(threshold=threshold)
        by_name = dict(zip(names, other.labels.tolist(), strict=True))
        found = dict(zip(map(str, tree.records), one.labels.tolist(), strict=True))
        assert cc.compare(by_name, found).rand == 1


def test_files_in_little_memory_and_records_in_no_pair(tmp_path):
    generator = np.random.default_rng(6)
    size = 200_000
    frame = pl.DataFrame(
        {
            "l": generator.integers(0, 500, size),
            "r": generator.integers(0, 500, size),
            "p": generator.random(size),
        }
    )
    for part in range(2):
        frame[part * size // 2 : (part + 1) * size // 2].write_parquet(tmp_path / f"part{part}.parquet")
    tree = cc.Hierarchy.from_pairs(
        str(tmp_path / "*.parquet"), **COLUMNS, memory="200MB", records=range(-1, 500)
    )
    expected = cc.Hierarchy.from_pairs(frame, **COLUMNS, records=range(-1, 500))
    assert list(tree.records) == list(range(-1, 500))
    assert data_of(tree).level_heights.tolist() == data_of(expected).level_heights.tolist()
    for level in range(0, len(tree.levels), 50):
        assert clusters_of(tree.cut(level=level)) == clusters_of(expected.cut(level=level))
    with pytest.raises(HierarchyError, match="not in records="):
        cc.Hierarchy.from_pairs(tmp_path / "part0.parquet", **COLUMNS, records=range(3))


@pytest.mark.parametrize(
    ("rows", "error", "text"),
    [
        ("l,r,p\na,b,0.5\na,,0.5\n", LabelError, "1 pair without a record"),
        ("l,r,p\na,b,high\n", HierarchyError, r"1 pair without a score that is a number, such as .*'high'"),
        ("l,r,p\na,b,nan\na,c,\n", HierarchyError, "2 pairs without a score"),
        ("l,r,q\na,b,1\n", InputError, "no column 'p'"),
    ],
)
def test_files_that_are_refused(tmp_path, rows, error, text):
    path = tmp_path / "pairs.csv"
    path.write_text(rows, encoding="utf-8")
    with pytest.raises(error, match=text):
        cc.Hierarchy.from_pairs(path, **COLUMNS)


def test_columns_of_files_that_are_refused(tmp_path):
    path = tmp_path / "pairs.parquet"
    for rows, text in (
        ({"l": ["a"], "r": [1], "p": [0.5]}, "'l' is VARCHAR and 'r' is BIGINT"),
        ({"l": [0.5], "r": [1.5], "p": [0.5]}, "are of type DOUBLE; ids are"),
        ({"l": ["a"], "r": ["b"], "p": ["x"]}, "the scores 'p' are of type VARCHAR"),
    ):
        pl.DataFrame(rows).write_parquet(path)
        with pytest.raises(HierarchyError, match=text):
            cc.Hierarchy.from_pairs(path, **COLUMNS)
    with pytest.raises(ParameterError, match="it is for files"):
        cc.Hierarchy.from_pairs(frame_of(PAIRS), **COLUMNS, memory="1GB")
    with pytest.raises(InputError, match=r"missing\.parquet"):
        cc.Hierarchy.from_pairs(tmp_path / "missing.parquet", **COLUMNS)


@pytest.fixture(scope="module")
def trees_of_files(tmp_path_factory):
    """One tree for each type of the ids of pairs."""
    folder = tmp_path_factory.mktemp("pairs")
    rows = pl.DataFrame({"l": [10, 2], "r": [2, 3], "p": [0.9, 0.5]})
    text = rows.with_columns(pl.col("l", "r").cast(pl.String))
    text.write_parquet(folder / "text.parquet")
    rows.write_parquet(folder / "integers.parquet")
    rows.write_csv(folder / "pairs.csv")
    given = {"csv": "pairs.csv", "text": "text.parquet", "integers": "integers.parquet"}
    trees = {ids: cc.Hierarchy.from_pairs(folder / name, **COLUMNS) for ids, name in given.items()}
    return trees | {"frame": cc.Hierarchy.from_pairs(rows, **COLUMNS)}


@pytest.mark.parametrize("truth_ids", ["text", "integers"])
@pytest.mark.parametrize("form", ["mapping", "frame", "csv", "parquet"])
@pytest.mark.parametrize("pairs", ["csv", "text", "integers", "frame"])
def test_ids_of_text_files_match_integers_on_either_side(tmp_path, trees_of_files, truth_ids, form, pairs):
    h = trees_of_files[pairs]
    frame = pl.DataFrame({"id": [10, 2, 3], "cluster": ["a", "a", "b"]})
    if truth_ids == "text":
        frame = frame.with_columns(pl.col("id").cast(pl.String))
    frame.write_csv(tmp_path / "truth.csv")
    frame.write_parquet(tmp_path / "truth.parquet")
    columns = {"record": "id", "cluster": "cluster"}
    truth = {
        "mapping": lambda: dict(frame.iter_rows()),
        "frame": lambda: cc.Partition.from_frame(frame, **columns),
        "csv": lambda: cc.Partition.scan(tmp_path / "truth.csv", **columns),
        "parquet": lambda: cc.Partition.scan(tmp_path / "truth.parquet", **columns),
    }[form]()
    has_types = pairs != "csv" and form != "csv"
    if has_types and (pairs == "text") != (truth_ids == "text"):
        with pytest.raises((InputError, UnmatchedError), match=r"different types.*(store both|convert one)"):
            cc.compare(truth, h)
    else:
        assert cc.compare(truth, h).curve("jaccard").columns["value"].tolist() == [0, 1, 1 / 3]
        assert cc.compare(h, truth).curve("jaccard").columns["value"].tolist() == [0, 1, 1 / 3]


def test_records_beside_a_text_file_may_be_integers(tmp_path):
    (tmp_path / "pairs.csv").write_text("l,r,p\n10,2,0.9\n2,3,0.5\n")
    h = cc.Hierarchy.from_pairs(tmp_path / "pairs.csv", **COLUMNS, records=[2, 3, 10, 11])
    assert h.cut(threshold=0.9).labels.tolist() == [0, 1, 0, 2]
    assert cc.compare({2: 0, 3: 1, 10: 0, 11: 2}, h).at(threshold=0.9).rand == 1
    integers = pl.DataFrame({"l": [10, 2], "r": [2, 3], "p": [0.9, 0.5]})
    both = cc.compare(
        cc.Hierarchy.from_pairs(tmp_path / "pairs.csv", **COLUMNS),
        cc.Hierarchy.from_pairs(integers, **COLUMNS),
    )
    assert both.cophenetic_correlation == 1


def test_levels_keep_their_numbers_where_records_are_dropped():
    pairs = [("a", "b", 0.9), ("b", "c", 0.4), ("c", "d", 0.8), ("x", "y", 0.95), ("x", "a", 0.1)]
    h = cc.Hierarchy.from_pairs(frame_of(pairs), **COLUMNS)
    truth = {"a": 1, "b": 1, "c": 2, "d": 2, "z": 3}
    for t, side in ((cc.compare(truth, h, unmatched="drop"), 1), (cc.compare(h, truth, unmatched="drop"), 0)):
        assert t.size == 5
        best = t.best_cut("adjusted_rand")
        cut = data_of(h.cut(level=best.level))
        thresholds = data_of(h).level_heights
        assert best.threshold == thresholds[best.level - 1] == 0.8
        labels = dict(zip(cut.elements, cut.codes.tolist(), strict=True))
        kept = {record: labels.get(record, "alone") for record in truth}
        assert t.at(level=best.level).adjusted_rand == best.value == 1
        assert cc.compare(truth, kept).adjusted_rand == 1
        assert len(t.curve("rand")) == len(thresholds) + 1
        assert {each.record for each in t.at(level=3).records(None)} == set(truth)
        pruning = t.best_pruning("adjusted_rand")
        assert len(pruning.labels) == h.size
        lost = {name for name, label in zip(h.records, pruning.labels, strict=True) if label < 0}
        assert lost == {"x", "y"}
        assert (t.candidate if side else t.reference).size == h.size


@pytest.mark.parametrize("k", [2.5, 2.0, True, "2", np.float64(2)])
def test_a_number_of_clusters_is_whole_where_some_leaves_are_compared(k):
    h = cc.Hierarchy.from_pairs(frame_of([("a", "b", 0.9), ("b", "c", 0.4)]), **COLUMNS)
    for truth in ({"a": 1, "b": 1, "c": 2}, {"a": 1, "b": 1, "c": 2, "z": 3}, {"a": 1, "c": 2}):
        with pytest.raises(ParameterError, match="whole number"):
            cc.compare(truth, h, unmatched="drop").at(n_clusters=k)


@pytest.mark.parametrize("in_no_pair", [[], ["x", "y", "z"]])
def test_a_sampled_curve_estimates_for_all_records(in_no_pair):
    """At each level it has the values of estimate() against the cut with all records."""
    source = np.random.default_rng(2)
    labels = source.integers(0, 15, 45)
    pairs = [
        (
            f"r{i}",
            f"r{j}",
            round(float(source.beta(6, 2) if labels[i] == labels[j] else source.beta(1, 8)), 2),
        )
        for i in range(45)
        for j in range(i)
    ]
    pairs = [pair for pair in pairs if pair[2] > 0.3]
    h = cc.Hierarchy.from_pairs(frame_of(pairs), **COLUMNS)
    sample = {name: int(labels[int(name[1:])]) for name in h.records if labels[int(name[1:])] % 3 == 0}
    sample |= {name: 100 + i for i, name in enumerate(in_no_pair)}
    t = cc.compare(sample, h, unmatched="drop")
    found = t.curve("f_measure", sampling="clusters").columns
    for level in range(0, len(found["value"]), 4):
        cut = h.cut(level=level).to_dict() | {name: name for name in in_no_pair}
        try:
            wanted = cc.estimate(sample, cut, sampling="clusters")["f_measure"]
        except UndefinedError:
            assert np.isnan(found["value"][level])
            continue
        for name in ("value", "se", "low", "high"):
            assert found[name][level] == pytest.approx(getattr(wanted, name), abs=1e-12, nan_ok=True)
