"""Estimates from labelled pairs: the weighted shares, their intervals, and what a design does not show."""

import json
from fractions import Fraction
from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from cases import every_case
from not_run import few
from universe import partitions

import concordant as cc
from concordant.errors import InputError, ParameterError, UndefinedError, UnknownIndexError, UnmatchedError

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "links.json").read_text("utf-8"))["cases"]
CASES = {case["name"]: case for case in GOLDEN if len(case["labelled_pairs"]) > 1}
RUN = {"a": 1, "b": 1, "c": 1, "d": 2, "e": 2, "f": 3}


def table(*rows, **more):
    """Rows like "ab yes", with the same further columns."""
    found = [{"record_a": row[0], "record_b": row[1], "same": row[3:]} for row in rows]
    return [row | {name: values[place] for name, values in more.items()} for place, row in enumerate(found)]


PAIRS = table("ab yes", "ac no", "bc yes", "de yes", "ad yes", "ef no", "cf no", "bf yes")


@every_case("case", CASES.values(), ids=CASES)
def test_golden_estimates(case):
    rows = [
        {
            "record_a": pair["a"],
            "record_b": pair["b"],
            "same": "yes" if pair["same"] else "no",
            "weight": float(1 / Fraction(pair["probability"])),
        }
        for pair in case["labelled_pairs"]
    ]
    found = cc.estimate(rows, case["candidate"], sampling="pairs", sampling_weights="weight")
    values = []
    for name, text in case["estimates"].items():
        if text is None:
            with pytest.raises(UndefinedError, match="no pair that it counts"):
                _ = found[name]
            continue
        values.append(float(Fraction(text)))
        assert found[name].value == found[name].ratio == pytest.approx(values[-1], abs=1e-12)
        assert found[name].low <= found[name].value <= found[name].high
    if len(values) == 2 and sum(values):
        expected = 2 * values[0] * values[1] / sum(values)
        assert found.f_measure.value == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("size", few(2, range(3, 6)))
def test_if_all_pairs_are_labelled_the_values_are_those_of_the_clusterings(size):
    for truth, run in combinations(map(list, partitions(size)), 2):
        rows = [
            {"record_a": i, "record_b": j, "same": "yes" if truth[i] == truth[j] else "no", "weight": 1}
            for i, j in combinations(range(size), 2)
        ]
        found = cc.estimate(rows, run, sampling="pairs", sampling_weights="weight")
        pairs = cc.compare(truth, run).pairs
        for name, whole in (("precision", pairs.in_candidate), ("recall", pairs.in_reference)):
            if whole:
                each = found[name]
                assert (each.value, each.low, each.high) == pytest.approx((pairs.n11 / whole,) * 3)


def test_measures_of_pairs_alone_are_available():
    found = cc.estimate(PAIRS, RUN, sampling="pairs")
    assert found.keys() == ("precision", "recall", "f_measure", "jaccard")
    assert (found.precision.value, found.recall.value) == (3 / 4, 3 / 5)
    assert (found.f_measure.value, found.jaccard.value) == (pytest.approx(2 / 3), 1 / 2)
    assert found.precision.n_pairs == 8
    assert "8 labelled pairs" in found.precision.headline
    assert found.to_dict()["labelled_pairs"] == 8
    for name in ("bcubed_precision", "adjusted_rand"):
        with pytest.raises(UnknownIndexError, match="needs whole true clusters"):
            _ = found[name]
    with pytest.raises(ParameterError, match="pairs were labelled"):
        found.contributions()


def test_recall_is_refused_if_no_pair_is_apart():
    found = cc.estimate(PAIRS[:4], RUN, sampling="pairs")
    assert found.precision.estimable
    for name in ("recall", "f_measure", "jaccard"):
        assert not found[name].estimable
        assert "missed links were never drawn" in found[name].note
        assert (found[name].low, found[name].high) == (0, 1)
    apart = cc.estimate(PAIRS[4:], RUN, sampling="pairs")
    assert not apart.recall.estimable
    assert "its links were never drawn" in apart.recall.note


def test_a_pair_in_two_rows_was_drawn_twice_and_two_judges_share_one():
    twice = cc.estimate([*PAIRS, PAIRS[1]], RUN, sampling="pairs")
    assert twice.precision.value == 3 / 5
    rows = [{**row, "judge": "ann"} for row in PAIRS]
    rows.append({**rows[1], "same": "yes", "judge": "bob"})
    shared = cc.estimate(rows, RUN, sampling="pairs")
    assert shared.precision.value == 3.5 / 4
    assert shared.precision.n_pairs == 8


def test_unsure_answers_widen_the_interval():
    sure = cc.estimate(PAIRS, RUN, sampling="pairs")
    others = [PAIRS[0] | {"same": answer} for answer in ("unsure", "no", "yes")]
    unsure, worst, best = (cc.estimate([each, *PAIRS[1:]], RUN, sampling="pairs") for each in others)
    for name in sure:
        assert unsure[name].low <= worst[name].low
        assert unsure[name].high >= best[name].high
    # An unsure pair that is apart may be a missed link.
    apart = cc.estimate([*PAIRS[:6], PAIRS[6] | {"same": "?"}, PAIRS[7]], RUN, sampling="pairs")
    missed = cc.estimate([*PAIRS[:6], PAIRS[6] | {"same": "yes"}, PAIRS[7]], RUN, sampling="pairs")
    assert apart.recall.low <= missed.recall.low


def test_strata_weigh_their_pairs():
    strata = ["high"] * 4 + ["low"] * 4
    rows = table(*(f"{row['record_a']}{row['record_b']} {row['same']}" for row in PAIRS), stratum=strata)
    found = cc.estimate(rows, RUN, sampling="pairs", strata={"high": 8, "low": 40})
    weighted = [row | {"weight": 2 if row["stratum"] == "high" else 10} for row in rows]
    same = cc.estimate(weighted, RUN, sampling="pairs", sampling_weights="weight")
    assert found.recall.value == same.recall.value == 6 / 26
    assert found.recall.se < same.recall.se
    whole = cc.estimate(rows, RUN, sampling="pairs", strata={"high": 4, "low": 4})
    assert (whole.recall.low, whole.recall.high) == (whole.recall.value,) * 2


CLIQUES = {f"r{place:02}": place // 4 for place in range(40)}  # 60 merged pairs of 780
LINKS = [(f"r{place:02}", f"r{place + 1:02}") for place in range(39)]  # 30 of them are merged


def links(**more):
    rows = [{"record_a": one, "record_b": other} for one, other in LINKS]
    together = [CLIQUES[one] == CLIQUES[other] for one, other in LINKS]
    return [
        row | {"same": is_merged * 1} | {name: value(is_merged) for name, value in more.items()}
        for row, is_merged in zip(rows, together, strict=True)
    ]


@every_case(
    ("how", "part", "note"),
    [
        ({"strata": {"True": 60, "False": 40}}, "100 pairs of the strata", None),  # with all merged pairs
        ({"strata": {"True": 60, "False": 720}}, "", None),
        ({"strata": {"True": 30, "False": 40}}, "70 pairs of the strata", "about 30 of 60 merged pairs are"),
        ({"strata": {"True": 61, "False": 40}}, "101 pairs of the strata", "others were not judged"),
        ({"sampling_weights": "one"}, "39 pairs that the weights represent", "about 30 of 60 merged pairs"),
        ({"sampling_weights": "inverse"}, "", None),
        ({"sampling_weights": "relative"}, "pairs that could be drawn", "77% of the drawn pairs are merged"),
        ({}, "pairs that could be drawn", "77% of the drawn pairs are merged, and 8% of all"),
    ],
)
def test_an_estimate_is_for_the_pairs_that_could_be_drawn(how, part, note):
    rows = links(
        stratum=str, one=lambda _: 1, inverse=lambda is_merged: 2 if is_merged else 80, relative=lambda _: 0.5
    )
    found = cc.estimate(rows, CLIQUES, sampling="pairs", **how)
    recall, precision = found.recall, found.precision
    for text in (recall.headline, repr(recall), found.headline):
        assert part in text
        assert ("whole population" in text or "of all records" in text) != bool(part)
    assert (note or "") in precision.note
    assert ("audit" in precision.note) == ("whole population" not in repr(precision)) == bool(note)
    other = cc.estimate(rows, CLIQUES | {"r00": 9}, sampling="pairs", **how)
    assert part in found.versus(other, "recall").headline


def test_units_of_several_pairs_widen_the_interval():
    rng = np.random.default_rng(1)
    run = {f"r{place}": place // 2 for place in range(400)}
    rows = [
        {
            "record_a": f"r{2 * k}",
            "record_b": f"r{2 * k + 1}",
            "same": "yes" if good else "no",
            "entity": unit,
        }
        for unit, good in enumerate(rng.random(20) < 0.7)
        for k in range(10 * unit, 10 * unit + 10)
    ]
    alone = cc.estimate(rows, run, sampling="pairs").precision
    together = cc.estimate(rows, run, sampling="pairs", unit="entity").precision
    assert alone.value == together.value
    assert together.high - together.low > 2 * (alone.high - alone.low)


def test_labels_of_splink_are_read_as_they_are():
    labels = pd.DataFrame(
        {
            "unique_id_l": [1, 1, 4],
            "source_dataset_l": "people",
            "unique_id_r": [2, 3, 3],
            "source_dataset_r": "people",
            "clerical_match_score": [1.0, 0.5, 1.0],
        }
    )
    clusters = pd.DataFrame({"unique_id": [1, 2, 3, 4], "cluster_id": [1, 1, 1, 4]})
    found = cc.estimate(labels, clusters, columns="cluster_id", record="unique_id", sampling="pairs")
    assert (found.precision.value, found.recall.value) == (0.75, 0.6)
    labels["source_dataset_r"] = "clients"
    named = {"people-__-1": 1, "clients-__-2": 1, "clients-__-3": 1, "people-__-4": 4}
    linked = cc.estimate(labels, named, sampling="pairs")
    assert (linked.precision.value, linked.recall.value) == (0.75, 0.6)


def test_files_and_frames_have_the_estimates_of_memory(tmp_path, run):
    labels = pd.DataFrame([row | {"weight": 1 + place % 3} for place, row in enumerate(PAIRS)])
    for name in ("record_a", "record_b"):
        labels[name] = labels[name].map("abcdef".index)
    frame = pd.DataFrame({"id": range(6), "run": list(RUN.values())})
    how = {"sampling": "pairs", "sampling_weights": "weight"}
    memory = cc.estimate(labels, list(RUN.values()), **how)
    labels.to_csv(tmp_path / "pairs.csv", index=False)
    frame.to_parquet(tmp_path / "run.parquet")
    scanned = cc.Partition.scan(tmp_path / "run.parquet", record="id", cluster="run")
    for other in (
        cc.estimate(labels, frame, columns="run", record="id", **how),
        cc.estimate(tmp_path / "pairs.csv", scanned, **how),
        cc.estimate(labels.to_dict("records"), dict(enumerate(RUN.values())), **how),
    ):
        assert other.to_dict() == memory.to_dict()
    ran = run(
        *("estimate", tmp_path / "pairs.csv", tmp_path / "run.parquet", "--record", "id", "--cluster", "run"),
        *("--sampling", "pairs", "--sampling-weights", "weight", "--json"),
    )
    assert json.loads(ran.out)["data"] == memory.to_dict()


@every_case(
    ("how", "message"),
    [
        ({"strata": {"high": 8}}, "name a column of the pairs"),
        ({"sampling_weights": "no such"}, "name a column of the pairs"),
        ({"unit": "no such"}, "name a column of the pairs"),
        ({"sampling_weights": "weight", "strata": {"x": 8}}, "strata determine the weights"),
        ({"n_draws": 8}, "this is for labelled clusters"),
        ({"population": 8}, "this is for labelled clusters"),
    ],
)
def test_options_that_do_not_fit_are_refused(how, message):
    with pytest.raises(ParameterError, match=message):
        cc.estimate(PAIRS, RUN, sampling="pairs", **how)


def test_bad_pairs_are_refused():
    with pytest.raises(ParameterError, match="this is for sampling"):
        cc.estimate({"a": 1}, RUN, sampling="records", unit="entity")
    with pytest.raises(ParameterError, match="'records' or 'pairs'"):
        cc.estimate(PAIRS, RUN, sampling="links")
    with pytest.raises(UnmatchedError, match="'x'"):
        cc.estimate([*PAIRS, *table("ax no")], RUN, sampling="pairs")
    for rows, message in (
        (table("ab yes"), "label at least 2"),
        (table("aa yes", "ab yes"), "give two"),
        (table("ab maybe", "ac no"), "write yes, no or unsure"),
        (table("ab 1.5", "ac no"), "write yes, no or unsure"),
        (table("ab ", "ac "), "label at least 2"),
    ):
        with pytest.raises(InputError, match=message):
            cc.estimate(rows, RUN, sampling="pairs")
    for weights in (["1", "-2"], ["1", "many"], ["1", "0"]):
        with pytest.raises(InputError, match="use positive numbers"):
            cc.estimate(
                table("ab yes", "ac no", weight=weights), RUN, sampling="pairs", sampling_weights="weight"
            )
    rows = table("ab yes", "ac no", stratum=["high", "low"])
    for strata, message in (
        ({"high": 9}, "no size for the strata"),
        ({"high": 9, "low": 9, "other": 9}, "no labelled pair is of the strata"),
        ({"high": 9, "low": 0}, "the number of all its pairs"),
        (["high"], "the number of pairs of each stratum"),
    ):
        with pytest.raises((InputError, ParameterError), match=message):
            cc.estimate(rows, RUN, sampling="pairs", strata=strata)
    judges = [{**row, "judge": judge, "w": w} for row in PAIRS for judge, w in (("ann", 1), ("bob", 2))]
    with pytest.raises(InputError, match="a drawn pair has one weight"):
        cc.estimate(judges, RUN, sampling="pairs", sampling_weights="w")


def test_two_candidates_on_the_same_pairs():
    better = RUN | {"f": 1}
    one, other = (cc.estimate(PAIRS, run, sampling="pairs") for run in (RUN, better))
    assert other.versus(one, "recall").difference == pytest.approx(other.recall.value - one.recall.value)
    with pytest.raises(UnmatchedError, match="different samples"):
        one.versus(cc.estimate(PAIRS[1:], RUN, sampling="pairs"), "recall")
    assert one.needed("precision", within=0.2) > 8
