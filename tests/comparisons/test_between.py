"""Pairs between sources: all values from their definition, on every engine."""

import json
import re
from fractions import Fraction
from itertools import combinations, combinations_with_replacement
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest
from cases import every_case
from not_run import few
from universe import partitions

import concordant as cc
from concordant.errors import ConcordantError, LabelError, ParameterError, UndefinedError

CASES = {
    case["name"]: case
    for case in json.loads((Path(__file__).parents[1] / "golden" / "links.json").read_text("utf-8"))["cases"]
}
FOUR = ("n11", "n10", "n01", "n00")
LINKED = {
    "record": list("abcdefgh"),
    "truth": [1, 1, 2, 2, 3, 3, 3, 4],
    "guess": [1, 1, 1, 2, 3, 4, 3, 3],
    "source": ["x", "y", "x", "y", "x", "y", "z", "z"],
}


def pairs_by_definition(u, v, sources, weights=None):
    """The weight of the pairs of records of different sources, by whether each side has them together."""
    found = dict.fromkeys([(True, True), (True, False), (False, True), (False, False)], 0)
    for i, j in combinations(range(len(u)), 2):
        if sources[i] != sources[j]:
            found[u[i] == u[j], v[i] == v[j]] += 1 if weights is None else weights[i] * weights[j]
    return tuple(found.values())


def four(comparison):
    return tuple(getattr(comparison.pairs, name) for name in FOUR)


def ratio(top, below):
    return Fraction(top, below) if below else None


@every_case("case", CASES)
def test_golden_values(case):
    held = CASES[case]
    found = cc.compare(held["reference"], held["candidate"], between=held["source"])
    assert four(found) == tuple(held["between"][name] for name in FOUR)
    for index in ("precision", "recall", "jaccard", "rand", "f_measure"):
        if held["between"][index] is not None:
            assert found.exact(index) == Fraction(held["between"][index])
        else:
            assert (index in found.undefined) != ("identical" in found.headline)
    labels = held["candidate"]
    clusters = [
        [record for record, label in enumerate(labels) if label == each.cluster]
        for each in found.within_sources(None)
    ]
    assert sorted(clusters) == sorted(held["clusters_of_the_candidate_with_two_records_of_one_source"])


@pytest.mark.parametrize("size", few(4, range(1, 6)))
def test_all_partitions_with_all_labellings_of_two_sources(size):
    """Of labellings that differ in the order of the records, one; all orders are among the partitions."""
    for first in range((size + 1) // 2, size + 1):
        sources = ["x"] * first + ["y"] * (size - first)
        for u, v in combinations_with_replacement(map(list, partitions(size)), 2):
            found = cc.compare(u, v, between=sources)
            n11, n10, n01, n00 = pairs_by_definition(u, v, sources)
            assert four(found) == (n11, n10, n01, n00)
            assert ("identical" in found.headline) == (u == v)  # labels by first occurrence
            for index, below in {"jaccard": n11 + n10 + n01, "precision": n11 + n01}.items():
                assert (index in found.undefined) == (u != v and not below)
                if below:
                    assert found.exact(index) == Fraction(n11, below)


@pytest.mark.parametrize(
    ("sides", "sources", "headline"),
    [
        (([1, 1, 1], [1, 2, 3]), "xxx", "There is no pair of records of different sources to compare"),
        (
            ([1, 2, 3], [1, 2, 2]),
            "xyy",
            "No pair of records of different sources differs between the candidate and the reference",
        ),
    ],
)
def test_clusterings_that_differ_within_sources_alone_are_not_identical(sides, sources, headline):
    for weights in (None, [2] * 3):
        options = {"between": list(sources), "weights": weights}
        assert cc.compare(*sides, **options).headline == headline
        assert np.isnan(cc.compare(*sides, undefined="nan", **options).precision)
        with pytest.raises(UndefinedError, match="pairs between these sources"):
            _ = cc.compare(*sides, undefined="raise", **options).precision


def test_random_partitions_and_weights():
    rng = np.random.default_rng(3)
    for _ in range(20):
        size = int(rng.integers(6, 40))
        u, v, sources = (rng.integers(0, k, size).tolist() for k in (6, 7, 3))
        weights = [Fraction(int(each), 2) for each in rng.integers(1, 9, size)]
        assert four(cc.compare(u, v, between=sources)) == pairs_by_definition(u, v, sources)
        found = cc.compare(u, v, between=sources, weights=weights)
        assert four(found) == pairs_by_definition(u, v, sources, weights)
        for row in cc.compare(u, v, between=sources).within_sources(None):
            own = [sources[i] for i, label in enumerate(v) if label == row.cluster]
            most = max(own.count(source) for source in own)
            assert (row.size, row.overlap, own.count(row.source)) == (len(own), most, most)
            assert row.n_pairs == sum(x == y for x, y in combinations(own, 2))


def frames():
    pandas, table = pd.DataFrame(LINKED), pl.DataFrame(LINKED)
    yield "pandas", pandas
    yield "polars", table
    yield "lazy polars", table.lazy()


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_files_have_the_values_of_labels(tmp_path, kind):
    path, guess = tmp_path / f"truth.{kind}", tmp_path / f"guess.{kind}"
    table = pl.DataFrame(LINKED)
    getattr(table.select("record", "truth", "source"), f"write_{kind}")(path)
    getattr(table.select("record", "guess"), f"write_{kind}")(guess)
    sides = [
        cc.Partition.scan(str(file), record="record", cluster=column)
        for file, column in ((path, "truth"), (guess, "guess"))
    ]
    check(cc.compare(*sides, between="source"))


@every_case("kind", ["pandas", "polars", "lazy polars"])
def test_dataframes_have_the_values_of_labels(kind):
    frame = dict(frames())[kind]
    check(cc.compare(frame, columns=["truth", "guess"], record="record", between="source"))


def check(found):
    by_label = cc.compare(LINKED["truth"], LINKED["guess"], between=LINKED["source"])
    expected = pairs_by_definition(LINKED["truth"], LINKED["guess"], LINKED["source"])
    assert four(found) == four(by_label) == expected
    assert found.to_dict() == by_label.to_dict()
    rows = [
        (str(each.cluster), *(getattr(each, x) for x in ("source", "size", "n_pairs")))
        for each in by_label.within_sources()
    ]
    assert rows == [("1", "x", 3, 1), ("3", "z", 3, 1)]
    listed = [(str(each.cluster), each.source, each.size, each.n_pairs) for each in found.within_sources()]
    assert listed == rows


WEIGHTED = pl.DataFrame({**LINKED, "w": [1, 2, 1, 3, 1, 1, 2, 1]})


def weighted_sides(kind, folder):
    """The table as one input or two, by a name of the records or without one."""
    if kind.startswith("rows"):
        return [WEIGHTED.lazy() if "lazy" in kind else WEIGHTED], {"columns": ["truth", "guess"]}
    if kind in ("pandas", "polars", "lazy"):
        table = {"pandas": pd.DataFrame(WEIGHTED.to_dict()), "polars": WEIGHTED, "lazy": WEIGHTED.lazy()}[
            kind
        ]
        return [table], {"columns": ["truth", "guess"], "record": "record"}
    guess = WEIGHTED.select("record", "guess").reverse()
    for name, table in (("truth", WEIGHTED), ("guess", guess)):
        getattr(table, f"write_{kind}")(folder / f"{name}.{kind}")
    return [
        cc.Partition.scan(str(folder / f"{name}.{kind}"), record="record", cluster=name)
        for name in ("truth", "guess")
    ], {}


@pytest.mark.parametrize("kind", ["pandas", "polars", "lazy", "rows", "rows, lazy", "csv", "parquet"])
def test_columns_of_weighted_tables_are_sources_and_slices(kind, tmp_path):
    sides, options = weighted_sides(kind, tmp_path)
    own, columns = (LINKED["truth"], LINKED["guess"]), LINKED["source"]
    named, given = ({"weights": weights} for weights in ("w", WEIGHTED["w"].to_list()))

    def rows(listed):
        return [{key: str(value) for key, value in row.items()} for row in listed.to_dict()["rows"]]

    found = cc.compare(*sides, between="source", **named, **options)
    expected = cc.compare(*own, between=columns, **given)
    assert four(found) == four(expected)
    assert rows(found.within_sources()) == rows(expected.within_sources())
    found, expected = cc.compare(*sides, **named, **options), cc.compare(*own, **given)
    assert rows(found.within_sources(between="source")) == rows(expected.within_sources(between=columns))
    slices, by_value = (
        [list(row.values()) for row in each.to_dict()["slices"]]
        for each in (found.slices("source", limit=None), expected.slices(columns, limit=None))
    )
    assert slices == by_value
    found, expected = cc.diff(*sides, by="source", **named, **options), cc.diff(*own, by=columns, **given)
    assert rows(found.slices()) == rows(expected.slices())


def test_functions_of_indices():
    sides, sources = (LINKED["truth"], LINKED["guess"]), LINKED["source"]
    found = cc.compare(*sides, between=sources)
    assert cc.precision(*sides, between=sources) == found.precision == 0.5
    assert cc.f_measure(*sides, beta=2, between=sources) == found["f_measure(beta=2)"]
    assert cc.precision(*sides, between=None) == cc.precision(*sides)
    with pytest.raises(ParameterError, match="by chance is not known"):
        cc.adjusted_rand(*sides, between=sources)


def test_sources_by_record_or_in_order():
    named = [dict(zip(LINKED["record"], LINKED[side], strict=True)) for side in ("truth", "guess")]
    by_record = dict(zip(LINKED["record"], LINKED["source"], strict=True))
    check(cc.compare(*named, between=by_record))
    check(cc.compare(*named, between=pd.Series(by_record)))


@every_case(
    "index", ["adjusted_rand", "phi", "adjusted_mutual_information", "bcubed_f", "rv", "matching_accuracy"]
)
def test_indices_without_a_meaning_are_refused_with_the_reason(index):
    found = cc.compare(LINKED["truth"], LINKED["guess"], between=LINKED["source"])
    reason = (
        "by chance is not known" if cc.INDICES[index].adjusted else "not a function of the four pair counts"
    )
    with pytest.raises(ParameterError, match=reason):
        found[index]
    assert index not in found


def test_only_indices_that_are_known_are_listed():
    found = cc.compare(LINKED["truth"], LINKED["guess"], between=LINKED["source"])
    assert {"precision", "recall", "f_measure", "jaccard", "rand", "fowlkes_mallows"} <= set(found)
    assert not [name for name in found if cc.INDICES[name].adjusted]
    assert "see between" in str(found)
    assert "between=source" in found.signature
    assert "precision" in found._repr_html_()


@every_case("method", ["changes", "clusters", "records", "matching", "suggest", "summary", "live"])
def test_lists_of_whole_clusters_are_refused(method):
    found = cc.compare(LINKED["truth"], LINKED["guess"], between=LINKED["source"])
    with pytest.raises(ParameterError, match="reads whole clusters"):
        getattr(found, method)()


@every_case("method", ["interval", "significance", "adjusted"])
def test_uncertainty_is_refused(method):
    found = cc.compare(LINKED["truth"], LINKED["guess"], between=LINKED["source"])
    with pytest.raises(ParameterError, match="reads whole clusters"):
        getattr(found, method)("precision")


def test_what_cannot_be_a_source():
    with pytest.raises(LabelError, match="2 records without a source"):
        cc.compare([1, 1, 2], [1, 2, 2], between=["x", None, None])
    with pytest.raises(ParameterError, match=re.escape("between='source'")):
        cc.compare([1, 1, 2], [1, 2, 2], between="source")
    with pytest.raises(LabelError, match="a label is a single value"):
        cc.compare([1, 1, 2], [1, 2, 2], between=[["x"], ["y"], ["x"]])
    with pytest.raises(ParameterError, match="the sources of the records are not known"):
        cc.compare([1, 1, 2], [1, 2, 2]).within_sources()
    listed = cc.compare([1, 1, 2], [1, 2, 2]).within_sources(between=list("xyy"))
    assert [(each.cluster, each.n_pairs) for each in listed] == [(2, 1)]
    listed = cc.compare([1, 1, 2], [1, 2, 2], between=list("xyz")).within_sources(
        between=list("xxy"), side="reference"
    )
    assert [(each.cluster, each.source) for each in listed] == [(1, "x")]
    soft = cc.Soft.from_matrix([[1.0, 0.0], [0.5, 0.5], [0.0, 1.0]])
    with pytest.raises(ParameterError, match="two partitions"):
        cc.compare([1, 1, 2], soft, between=["x", "y", "y"])


def test_forms_that_need_whole_clusters_are_refused_for_sources_and_others_are_not(tmp_path, run):
    table = pl.DataFrame(LINKED)
    found = cc.compare(table, columns=["truth", "guess"], between="source")
    for refused in (lambda: found.save(tmp_path / "c.json"), lambda: found.plot("flow"), found.changes):
        with pytest.raises(ConcordantError, match="sources"):
            refused()
    table.write_csv("linked.csv")
    ran = run("compare", "linked.csv", "--columns", "truth,guess", "--between", "source", "--markdown")
    assert ran.status == 0
    assert found.to_markdown().splitlines()[-1] in ran.out
