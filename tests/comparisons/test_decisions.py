"""Decisions about pairs of records: those that clusters break, and advice that breaks none."""

import json
from itertools import combinations, product
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest
from cases import every_case
from universe import partitions

import concordant as cc
from concordant.errors import CoverError, InputError, LabelError, ParameterError

CASES = {
    case["name"]: case
    for case in json.loads((Path(__file__).parents[1] / "golden" / "links.json").read_text("utf-8"))["cases"]
}


def pairs_of(rows):
    return [tuple(row) for row in rows]


def broken(decisions):
    return {(each.decision, frozenset((each.record_a, each.record_b))) for each in decisions}


def by_definition(labels, same, different):
    apart = {("same", frozenset(pair)) for pair in same if labels[pair[0]] != labels[pair[1]]}
    return apart | {
        ("different", frozenset(pair)) for pair in different if labels[pair[0]] == labels[pair[1]]
    }


@every_case("case", CASES)
def test_golden_values(case):
    held = CASES[case]
    given = {"same": pairs_of(held["same"]), "different": pairs_of(held["different"])}
    found = cc.compare(held["reference"], held["candidate"], **given).decisions
    for kind in given:
        number, size = held[f"{kind}_broken"], len(held[kind])
        assert getattr(found, f"{kind}_broken") == number
        assert getattr(found, f"n_{kind}") == size
        assert getattr(found, f"{kind}_broken_share") == (number / size if size else 0)


@pytest.mark.parametrize("size", range(2, 5))
def test_every_set_of_two_decisions(size):
    pairs = list(combinations(range(size), 2))
    for labels in map(list, partitions(size)):
        for same, different in product(pairs, repeat=2):
            if same == different:
                continue
            found = cc.compare(labels, labels, same=[same], different=[different]).decisions
            assert broken(found) == by_definition(labels, [same], [different])
            assert found.total == len(found) == found.same_broken + found.different_broken


def random_case(rng):
    size = int(rng.integers(8, 20))
    truth, run, entity = (rng.integers(0, k, size).tolist() for k in (6, 5, 7))
    pairs = [pair for pair in combinations(range(size), 2) if rng.random() < 0.2]
    same = [pair for pair in pairs if entity[pair[0]] == entity[pair[1]]]
    return truth, run, same, [pair for pair in pairs if pair not in set(same)]


@pytest.mark.parametrize("is_weighted", [False, True])
def test_advice_breaks_no_decision(is_weighted):
    """Every edit, and every chain of best edits, keeps what was kept; without decisions, some would not."""
    rng, would_break = np.random.default_rng(8), 0
    for _ in range(5):
        truth, run, same, different = random_case(rng)
        weights = {"weights": rng.integers(1, 4, len(run)).tolist()} if is_weighted else {}
        plain = cc.compare(truth, run, **weights)
        decided = cc.compare(truth, run, same=same, different=different, **weights)
        before = broken(decided.decisions)
        assert before == by_definition(run, same, different)
        for edit in decided.suggest(limit=None):
            assert broken(decided.what_if(**edit.arguments).decisions) <= before
        would_break += any(
            not broken(decided.what_if(**edit.arguments).decisions) <= before
            for edit in plain.suggest(limit=None)
        )
        given = plain.suggest(same=same, different=different)
        assert list(map(str, given)) == list(map(str, decided.suggest()))
        assert given.groups == ()
        steps = decided.suggest(limit=5)
        while len(steps):
            steps = steps.apply()
            after = broken(steps.compare().decisions)
            assert after <= before
            before = after
    assert would_break


def test_the_fix_of_a_report_breaks_no_decision():
    truth, run = [0, 0, 0, 1, 1, 1], [0, 0, 1, 2, 2, 2]
    assert "Fix first: merge candidate cluster 1" in str(cc.compare(truth, run))
    decided = cc.compare(truth, run, different=[(0, 2)])
    assert "merge" not in str(decided)
    assert "0 of 1 different" in f"{decided:all}"


NAMED = {"a": 1, "b": 1, "c": 1, "d": 2, "e": 3}
TRUTH = {"a": 1, "b": 1, "c": 2, "d": 2, "e": 3}
TABLE = {"record_a": ["a", "a", "c", "d"], "record_b": ["b", "c", "d", "e"], "same": ["yes", "no", "1", "?"]}


@every_case(
    ("given", "text", "broken"),
    [
        ({"same": []}, "There is no decision to check", ""),
        ({"same": [("x", "y")]}, "There is no decision to check: 1 decision about records that were", ""),
        ({"same": [("a", "b")]}, "0 of 1 decision is broken", ""),
        ({"same": [("a", "b")], "different": [("x", "b")]}, "0 of 1 decision is broken", ""),
        ({"same": [("a", "b"), ("c", "d")]}, "1 of 2 decisions is broken", "1 of 2 decisions is broken"),
        ({"same": [("a", "d"), ("c", "d")]}, "2 of 2 decisions are broken", "2 of 2 decisions are broken"),
    ],
)
def test_headlines_count_broken_decisions(given, text, broken):
    c, d = (function(NAMED, NAMED, unmatched="drop", **given) for function in (cc.compare, cc.diff))
    for found in (c, d):
        assert found.decisions.headline.startswith(text)
        assert found.headline.endswith(broken)
        assert ("broken" in found.headline) == bool(broken)
        assert str(found).startswith(found.headline)
        assert str(found).count("broken") == 1 if broken else "1 of" not in str(found)


def test_different_answers_to_a_pair_are_refused():
    judged = [{"record_a": "a", "record_b": "b", "same": answer} for answer in ("yes", "no")]
    for kind in ("same", "different"):
        with pytest.raises(InputError, match=f"{kind} has different answers for 1 pair: 'a and b'"):
            cc.compare(NAMED, NAMED, **{kind: judged})


def tables(folder):
    frame = pl.DataFrame(TABLE)
    frame.write_csv(folder / "decided.csv")
    frame.write_ndjson(folder / "decided.jsonl")
    yield from (
        frame,
        frame.to_pandas(),
        frame.to_dicts(),
        folder / "decided.csv",
        str(folder / "decided.jsonl"),
    )


def test_a_column_of_decisions(tmp_path):
    for table in tables(tmp_path):
        found = cc.compare(TRUTH, NAMED, same=table, different=table).decisions
        assert (found.n_same, found.n_different) == (2, 1)
        assert broken(found) == {("same", frozenset("cd")), ("different", frozenset("ac"))}
        assert [(each.cluster, each.other) for each in found] == [(1, 2), (1, 1)]
    numbers = [{"record_a": 0, "record_b": 2, "same": "no"}]
    assert cc.compare([0, 0, 1], [0, 0, 0], different=numbers).decisions[0].record_a == 0


@pytest.mark.parametrize("records", [list("abcde"), [1, 2, 3, 4, 5]])
def test_files_have_the_decisions_of_labels(tmp_path, records):
    sides = []
    for name, clusters in (("truth", TRUTH), ("run", NAMED)):
        path = tmp_path / f"{name}.parquet"
        pl.DataFrame({"record": records, "cluster": list(clusters.values())}).write_parquet(path)
        sides.append(cc.Partition.scan(str(path), record="record", cluster="cluster"))
    named = dict(zip("abcde", records, strict=True))
    rows = [
        {"record_a": str(named[x]), "record_b": str(named[y]), "same": z}
        for x, y, z in zip(*TABLE.values(), strict=True)
    ]
    found = cc.compare(*sides, same=rows, different=rows)
    assert (found.decisions.same_broken, found.decisions.different_broken) == (1, 1)
    assert [(each.cluster, each.other) for each in found.decisions] == [(1, 2), (1, 1)]
    assert "same_broken=1 of 2" in found.signature
    assert str(found)
    given = [(named["c"], named["d"])]
    assert cc.compare(*sides, same=given).decisions.same_broken == 1
    with pytest.raises(LabelError, match="1 decision with a record that was not compared: 'zz'"):
        cc.compare(*sides, same=[(named["c"], "zz")])


def test_dataframes_have_the_decisions_of_labels():
    for library in (pd.DataFrame, pl.DataFrame):
        frame = library({"id": list(TRUTH), "truth": list(TRUTH.values()), "run": list(NAMED.values())})
        found = cc.compare(frame, columns=["truth", "run"], record="id", same=[("c", "d")])
        assert found.decisions.same_broken == 1
    lazy = pl.DataFrame(
        {"id": list(TRUTH), "truth": list(TRUTH.values()), "run": list(NAMED.values())}
    ).lazy()
    found = cc.compare(lazy, columns=["truth", "run"], record="id", same=[("c", "d")])
    assert found.decisions.same_broken == 1
    assert "Fix first" not in str(found)
    with pytest.raises(ParameterError, match=r"Partition\.read"):
        found.suggest()


def test_contradictions_show_the_chain():
    with pytest.raises(InputError, match="'d' and 'a' are different, but 'd' = 'c' = 'b' = 'a'"):
        cc.compare(
            TRUTH, NAMED, same=[("a", "b"), ("b", "c"), ("c", "d"), ("a", "b")], different=[("d", "a")]
        )
    with pytest.raises(InputError, match="'a' and 'b' are different, but 'a' = 'b'"):
        cc.compare(TRUTH, NAMED, same=[("b", "a")], different=[("a", "b")])
    assert cc.compare(
        TRUTH, NAMED, same=[("a", "b"), ("c", "d")], different=[("b", "c")]
    ).decisions.n_different


def test_records_in_no_cluster_are_together_with_none():
    found = cc.compare([0, 0, 1], [0, None, None], nulls="singletons", same=[(0, 1)], different=[(1, 2)])
    assert broken(found.decisions) == {("same", frozenset((0, 1)))}
    assert found.decisions[0].other is None


def test_decisions_about_other_records():
    other = {**NAMED, "x": 1}
    with pytest.raises(LabelError, match="pass unmatched='drop' to leave such decisions out"):
        cc.compare(TRUTH, NAMED, same=[("a", "x"), ("a", "b")])
    found = cc.compare(TRUTH, other, same=[("a", "x"), ("a", "b")], unmatched="drop").decisions
    assert (found.n_same, found.n_unmatched, found.same_broken) == (1, 1, 0)
    assert "1 decision about records that were not compared" in str(found)


@every_case("given", [5, [("a", "b", "c")], ["ab"], [("a", "a")], [{"x": 1}]])
def test_what_is_no_pair(given):
    with pytest.raises(InputError, match="same"):
        cc.compare(TRUTH, NAMED, same=given)


def test_covers_trees_and_soft_partitions_are_refused():
    cover = cc.Cover.from_clusters([["a", "b"], ["b", "c", "d", "e"]])
    with pytest.raises(CoverError, match="need partitions"):
        cc.compare(TRUTH, cover, same=[("a", "b")])
    soft = cc.Soft.from_mapping({name: {"p": 1.0} for name in TRUTH})
    with pytest.raises(ParameterError, match="two partitions"):
        cc.compare(TRUTH, soft, same=[("a", "b")])


def test_decisions_of_a_diff():
    found = cc.diff(TRUTH, NAMED, same=[("a", "b")], different=[("a", "c")])
    assert (found.decisions.same_broken, found.decisions.different_broken) == (0, 1)
    assert "1 of 2 decisions is broken" in str(found)
    assert found.headline == f"{cc.diff(TRUTH, NAMED).headline}; 1 of 2 decisions is broken"
    with_truth = cc.diff(TRUTH, NAMED, reference=TRUTH, different=[("a", "c")])
    assert with_truth.decisions.different_broken == 1


def test_a_comparison_without_decisions():
    found = cc.compare(TRUTH, NAMED).decisions
    assert (found.headline, found.to_dict()["different_broken"], list(found)) == (
        "There is no decision to check",
        0,
        [],
    )
