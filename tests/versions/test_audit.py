"""Audits: how many of the merges of one clustering are right, by answers about pairs."""

import json
import re
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from cases import every_case
from inner import merge_strata, run_cells

import concordant as cc
from concordant.errors import ConcordantError, CoverError, InputError, ParameterError

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "links.json").read_text("utf-8"))["cases"]
SIZES = (1, 1, 2, 2, 2, 3, 3, 5, 9)
RUN = [number for number, size in enumerate(SIZES) for _ in range(size)]
RECORDS = [f"r{place}" for place in range(len(RUN))]


def answered(questions, truth):
    """Answers of a judge who knows the truth."""
    same = {True: "yes", False: "no"}
    return [{"question": q.question, "same": same[truth[q.record_a] == truth[q.record_b]]} for q in questions]


@every_case("case", GOLDEN, ids=[case["name"] for case in GOLDEN])
def test_if_all_pairs_are_asked_both_precisions_are_exact(case):
    candidate, truth = case["candidate"], case["reference"]
    weights = [1 + place % 3 for place in range(len(truth))]
    for how in ({}, {"weights": weights}):
        found = cc.audit(candidate, **how)
        if not found.n_pairs:
            with pytest.raises(InputError, match="no cluster has two records"):
                found.ask()
            continue
        asked = found.ask(n_questions=10**6)
        assert len(asked) == found.n_pairs
        assert "repeated" not in str(asked)
        judged = found.judged(answered(asked, truth), questions=asked)
        c = cc.compare(truth, candidate, **how)
        assert list(judged) == ["precision", "bcubed_precision"]
        for name, rate in judged.items():
            assert (rate.value, rate.low, rate.high) == pytest.approx((c[name],) * 3, abs=1e-12)


@pytest.mark.parametrize("weight", [None, lambda place: 0.1 * (1 + place % 3), lambda _: 1 / len(RUN)])
@pytest.mark.parametrize("number", [20, 10**6])
def test_if_all_answers_are_yes_every_precision_is_one(number, weight):
    for size in range(4, len(RUN)):
        how = {} if weight is None else {"weights": [weight(place) for place in range(size)]}
        found = cc.audit(RUN[:size], **how)
        asked = found.ask(n_questions=number)
        judged = found.judged(answered(asked, [0] * size), questions=asked)
        assert all((each.value, each.high) == (1, 1) for each in judged.values())


def test_an_answer_serves_both_precisions_where_both_draw_the_pair():
    """A pair of a cluster of size b has the share 1 of pairs, and 1/b of records and co-members."""
    found = cc.audit(RUN)
    strata, known = merge_strata(run_cells(found._merges.comparison._counts)[0])
    pairs = np.array([size * (size - 1) for size in SIZES]) / sum(size * (size - 1) for size in SIZES)
    records = np.array([size - 1 for size in SIZES]) / sum(size - 1 for size in SIZES)
    both = np.minimum(pairs, records).sum()
    assert [each.total for each in strata] == pytest.approx([both, 1 - both, 1 - both], abs=1e-12)
    assert known == pytest.approx(len(SIZES) / len(RUN))  # of each record with itself
    equal = cc.audit([0, 0, 1, 1, 2, 2, 3, 3]).ask(n_questions=3)
    judged = cc.audit([0, 0, 1, 1, 2, 2, 3, 3]).judged(answered(equal, [0] * 8), questions=equal)
    assert judged.precision.n_questions == judged.bcubed_precision.n_questions == len(equal)


def test_draws_follow_both_designs():
    """The mean estimate over many draws is the value of the whole clustering."""
    truth = np.random.default_rng(1).integers(0, 2, len(RUN)).tolist()
    found, c = cc.audit(RUN), cc.compare(truth, RUN)
    values = []
    for seed in range(30):
        asked = found.ask(n_questions=30, seed=seed)
        judged = found.judged(answered(asked, truth), questions=asked)
        values.append([judged.precision.value, judged.bcubed_precision.value])
    error = np.std(values, axis=0) / np.sqrt(len(values))
    assert np.all(abs(np.mean(values, axis=0) - [c.precision, c.bcubed_precision]) < 4 * error)


def test_files_and_frames_have_the_audit_of_memory(tmp_path):
    frame = pd.DataFrame({"id": RECORDS, "run": RUN})
    frame.to_parquet(tmp_path / "run.parquet")
    named = dict(zip(RECORDS, RUN, strict=True))
    memory = cc.audit(named)
    truth = {record: len(record) for record in RECORDS}
    for other in (
        cc.audit(frame, columns="run", record="id"),
        cc.audit(cc.Partition.scan(tmp_path / "run.parquet", record="id", cluster="run")),
    ):
        assert other.to_dict() == memory.to_dict()
        asked = other.ask(n_questions=10**6)
        judged = other.judged(answered(asked, truth), questions=asked)
        wanted = cc.compare(truth, named)
        assert judged.precision.value == pytest.approx(wanted.precision)
        assert judged.bcubed_precision.value == pytest.approx(wanted.bcubed_precision)


@pytest.mark.parametrize("frame_of", [pd.DataFrame, pl.DataFrame, pl.LazyFrame, pa.table])
def test_weights_may_be_any_column_of_a_dataframe(frame_of):
    numbers = [1 + place % 3 for place in range(len(RUN))]
    table = {"id": range(100, 100 + len(RUN)), "run": [x + 1 for x in RUN], "weight": numbers}
    frame = frame_of({name: list(values) for name, values in table.items()})
    how = {"columns": "run", "record": "id"}
    named = dict(zip(table["id"], table["run"], strict=True))
    for column, values in table.items():
        found = cc.audit(frame, weights=column, **how).ask(n_questions=9)
        expected = cc.audit(named, weights=dict(zip(named, values, strict=True))).ask(n_questions=9)
        assert found._design == expected._design
    with pytest.raises(ParameterError, match="pick a column"):
        cc.audit(frame, weights=frame, **how)
    if frame_of is not pl.LazyFrame:
        found, expected = (cc.audit(RUN, weights=each).ask() for each in (frame["weight"], numbers))
        assert found._design == expected._design


def test_nulls_and_noise_are_no_merges():
    labels = [0, 0, None, None, 1, 1, 1]
    assert cc.audit(labels, nulls="drop").to_dict() == {"n_clusters": 2, "n_records": 5, "n_pairs": 4}
    assert cc.audit(labels, nulls="singletons").size == 7
    frame = pd.DataFrame({"id": RECORDS[:7], "run": [-1, -1, 2, 2, 2, 3, 4]})
    for noise_as, size in (("drop", 5), ("singletons", 7)):
        found = cc.audit(frame, columns=["run"], record="id", noise=-1, noise_as=noise_as)
        assert (found.size, found.n_pairs) == (size, 3)


def test_unsure_answers_and_disagreeing_judges_widen_the_interval():
    found = cc.audit([0, 0, 1, 1, 2, 2])
    asked = found.ask(n_questions=9)
    first, *others = [q.question for q in asked]
    sure = [{"question": each, "same": "yes"} for each in others]
    unsure = found.judged([*sure, {"question": first, "same": "unsure"}], questions=asked)
    assert (unsure.precision.low, unsure.precision.high) == pytest.approx((2 / 3, 1))
    two = [{"question": first, "same": each, "judge": each} for each in ("yes", "no")]
    assert found.judged([*sure, *two], questions=asked).precision.value == pytest.approx(2.5 / 3)


def test_the_sentence_is_about_merges():
    found = cc.audit([0, 0, 1, 1, 2])
    asked = found.ask(n_questions=5)
    judged = found.judged(answered(asked, [0, 0, 1, 2, 3]), questions=asked)
    words = "50.0% of the merged pairs are right (95% interval 50.0% to 50.0%), from 2 judgements"
    assert judged.headline == words
    assert found.headline == "2 clusters merge 4 of 5 records: 2 pairs to judge"
    assert judged["pair_precision"] is judged.precision


def test_what_cannot_be_audited_is_refused():
    with pytest.raises(CoverError, match="is a cover"):
        cc.audit(cc.Cover.from_clusters([[1, 2], [2, 3]]))
    with pytest.raises(ParameterError, match="not a table"):
        cc.audit([0, 0, 1], columns="run")
    frame = pd.DataFrame({"id": RECORDS, "run": RUN, "other": RUN})
    for how in ({"columns": ["run", "other"]}, {"record": "id"}):
        with pytest.raises(ParameterError, match="name one column"):
            cc.audit(frame, **how)
    for names in (3.5, "run", ["one", "two"]):
        with pytest.raises(ParameterError, match="give a name"):
            cc.audit([0, 0, 1], names=names)
    asked = cc.audit([0, 0, 1, 1]).ask()
    with pytest.raises(InputError, match="drawn for"):
        cc.audit([0, 0, 0, 1]).judged(answered(asked, [0] * 4), questions=asked)


def test_no_error_of_an_audit_is_about_a_diff():
    found = cc.audit([0, 0, 0, 1])
    asked = found.ask()
    answers = answered(asked, [0] * 4)
    errors = []
    for call in (
        lambda: cc.audit([0, 0, 1, 1]).judged(answers, questions=asked),
        lambda: found.judged(answers),
        lambda: found.judged(answers[1:], questions=asked),
        lambda: found.judged(answers, questions=asked).sample_size(),
        lambda: found.judged(answers, questions=asked)["delta_precision"],
        lambda: cc.audit([0, 1]).ask(),
        lambda: cc.audit([-1, -1], noise=-1, noise_as="drop"),
        lambda: cc.audit([None, None], nulls="drop"),
        lambda: cc.audit([0, 0], where=[False, False]),
    ):
        with pytest.raises(ConcordantError) as error:
            call()
        errors.append(str(error.value))
    assert "the questions were drawn for another audit" in errors[0]
    assert "are left out (noise_as=)" in errors[-3]
    assert "are left out (nulls=)" in errors[-2]
    assert not [each for each in errors if re.search(r"\bdiffs?\b|two runs|the reference|compare$", each)]


def test_fewer_questions_than_kinds_of_pairs_are_refused():
    """A kind of pairs without a question would count as if no pair of it were right."""
    with pytest.raises(ParameterError, match="ask 3 questions or more"):
        cc.audit(RUN).ask(n_questions=2)
    before, after = [0, 0, 0, 0, 1, 1, 1, 1, 2], [0, 0, 1, 1, 1, 1, 1, 2, 2]
    with pytest.raises(ParameterError, match="ask 4 questions or more"):
        cc.diff(before, after).ask(n_questions=3)


def test_drawing_options_need_questions_and_answers_need_none(run, fails, tmp_path):
    path = tmp_path / "run.csv"
    path.write_text("record,cluster\n" + "".join(f"{r},{c}\n" for r, c in zip(RECORDS, RUN, strict=True)))
    assert "add --questions FILE" in fails("audit", path, "--n-questions", "9")
    ran = run("audit", path, "--n-questions", "9", "--questions", tmp_path / "q.csv")
    assert ran.status == 0
    answers = ["--answers", tmp_path / "q.csv"]
    assert "leave it out with --answers" in fails("audit", path, *answers, "--seed", "3")
    rows = pd.read_csv(tmp_path / "q.csv", keep_default_na=False).assign(same="yes")
    rows.to_csv(tmp_path / "q.csv", index=False)
    ran = run("audit", path, *answers, "--fail-under", "precision.low=0.99")
    assert ran.status == 1
    assert "of the merged pairs are right" in ran.out
