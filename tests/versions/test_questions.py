"""Questions and answers: who is asked what, what is kept from judges, and what answers tell."""

import csv
import io
import itertools
import json
import math
from fractions import Fraction
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest
from cases import every_case
from inner import (
    JudgedShare,
    JudgeErrors,
    krippendorff_alpha,
    precision_strata,
    rate_limits,
    run_cells,
    sum_limits,
)

import concordant as cc
from concordant.errors import FileError, InputError, ParameterError

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "diff.json").read_text("utf-8"))
CASES = {case["name"]: case for case in GOLDEN["cases"]}
ESTIMATES = {case["name"]: case for case in GOLDEN["estimates"]}
SIGNS = {"split": -1, "merged": 1, "kept_up": 1, "kept_down": -1}


def runs(size=400, seed=1):
    """A truth and two runs that split and join its entities."""
    rng = np.random.default_rng(seed)
    truth = np.repeat(np.arange(size), rng.geometric(0.3, size))[:size]
    labels = []
    for share in (0.2, 0.1):
        moved = rng.random(size) < share
        joined = np.where(rng.random(size)[truth] < share, np.maximum(truth - 1, 0), truth)
        labels.append(2 * joined + moved)
    return truth, labels[0], labels[1]


def answered(questions, truth, **more):
    """Answers of a judge who knows the truth."""
    return [
        {"question": q.question, "same": "yes" if truth[q.record_a] == truth[q.record_b] else "no", **more}
        for q in questions.questions
    ]


@every_case("case", CASES.values(), ids=CASES)
def test_if_all_pairs_are_asked_the_answer_is_exact(case):
    weights = [Fraction(each) for each in case["weights"]]
    d = cc.diff(case["base"], case["experiment"], weights=weights)
    (cells,) = run_cells(d.comparison._counts)
    strata = precision_strata(cells)
    assert cells.diagonal == pytest.approx(float(Fraction(case["diagonal"])), abs=1e-14)
    for stratum in strata:
        expected = case["strata"][stratum.name]
        assert stratum.pairs == expected["pairs"]
        assert stratum.total == pytest.approx(float(Fraction(expected["total"])), abs=1e-14)
    if not d.affected:
        with pytest.raises(InputError, match="no cluster changed"):
            d.ask(n_questions=1000)
        return
    q = d.ask(n_questions=1000)
    j = d.judged(answered(q, case["truth"]), questions=q)
    for metric, rate in j.items():
        assert rate.value == pytest.approx(float(Fraction(case["quality"][metric])), abs=1e-12), metric
        assert rate.low == pytest.approx(rate.high, abs=1e-12)


@pytest.mark.parametrize("case", ESTIMATES.values(), ids=ESTIMATES)
def test_golden_intervals(case):
    shares = {}
    for name, total in case["totals"].items():
        counts = case["answers"].get(name, {"same": 0, "different": 0})
        draws = sum(counts.values())
        share = counts["same"] / draws if draws else 0.0
        shares[name] = JudgedShare(float(Fraction(total)), share, share, share, draws)
    diagonal = float(Fraction(case["diagonal"]))
    found = {
        "bad_split_rate": rate_limits([shares["split"]], 0.95),
        "good_merge_rate": rate_limits([shares["merged"]], 0.95),
        "delta_precision": sum_limits([shares[x] for x in SIGNS], list(SIGNS.values()), diagonal, 0.95),
    }
    for metric, (value, low, high) in found.items():
        assert value == pytest.approx(float(Fraction(case["estimates"][metric])), abs=1e-12)
        if metric == "delta_precision":  # each rate has the limits of Clopper and Pearson, which are wider
            wanted = case["intervals"][metric]
            assert value - low == pytest.approx(value - wanted[0], rel=0.3)
            assert high - value == pytest.approx(wanted[1] - value, rel=0.3)
            continue
        assert (low, high) == pytest.approx(case["intervals"][metric], abs=1e-12)


TRUST3 = json.loads((Path(__file__).parents[1] / "golden" / "trust3.json").read_text(encoding="utf-8"))
TRUST3 = TRUST3["estimates_judgements_units"]


def judged(yes, draws, total, known=0, known_yes=0):
    share, of_known = (yes + known_yes) / (draws + known), known_yes / known if known else 0.0
    return JudgedShare(total, share, share, share, draws + known, known / (draws + known), of_known)


def test_golden_limits_of_sums():
    found = {
        "judged_sum([1],[10],[0.3],[1],0.95)": sum_limits([judged(1, 10, 0.3)], [1], 0.0, 0.95),
        "judged_sum([2,9],[12,10],[0.2,0.4],[-1,1],0.95)": sum_limits(
            [judged(2, 12, 0.2), judged(9, 10, 0.4)], [-1, 1], 0.0, 0.95
        ),
        "judged_corrected(asked 9 of 30, known 4 yes of 10, gold 18/20 and 19/20, total 0.4)": sum_limits(
            [judged(9, 30, 0.4, 10, 4)], [1], 0.0, 0.95, JudgeErrors(20, 18, 20, 19)
        ),
    }
    for name, limits in found.items():
        assert limits == pytest.approx(TRUST3[name], rel=1e-10, abs=1e-12), name


def test_known_answers_are_not_corrected():
    """Judges that say no to every pair make asked shares uncertain, but not known ones."""
    errors = JudgeErrors(20, 14, 20, 20)
    value, low, high = sum_limits([judged(0, 0, 0.5, 40, 10)], [1], 0.0, 0.95, errors)
    assert value == pytest.approx(0.125)
    assert (low, high) == pytest.approx(rate_limits([judged(10, 40, 0.5)], 0.95)[1:])


@pytest.mark.parametrize("weighted", [False, True])
def test_estimates_are_unbiased_and_intervals_hold(weighted):
    truth, base, experiment = runs()
    weights = np.random.default_rng(2).integers(1, 20, len(truth)) if weighted else None
    d = cc.diff(base, experiment, weights=weights)
    exact = cc.diff(base, experiment, reference=truth, weights=weights)
    values, hits = {}, {}
    for seed in range(60):
        q = d.ask(n_questions=60, seed=seed)
        for metric, rate in d.judged(answered(q, truth), questions=q).items():
            values.setdefault(metric, []).append(rate.value)
            hits.setdefault(metric, []).append(rate.low <= exact[metric] <= rate.high)
    for metric, found in values.items():
        error = np.std(found, ddof=1) / np.sqrt(len(found))
        assert abs(np.mean(found) - exact[metric]) < 4 * error, metric
        assert np.mean(hits[metric]) >= 0.9, metric


def slices_of(size):
    """A country for each record, sometimes missing."""
    return np.random.default_rng(5).choice(["fr", "it", None], size, p=[0.5, 0.4, 0.1]).tolist()


@pytest.mark.parametrize("weighted", [False, True])
def test_each_slice_is_exact_if_all_its_pairs_are_asked(weighted):
    truth, base, experiment = runs(150)
    weights = np.random.default_rng(2).integers(1, 20, len(truth)) if weighted else None
    d, by = cc.diff(base, experiment, weights=weights), slices_of(150)
    with_truth = cc.diff(base, experiment, reference=truth, weights=weights)
    q = d.ask(n_questions=10**5, by=by)
    j = d.judged(answered(q, truth), questions=q)
    assert set(j.slices) == {"fr", "it", None}
    for expected in with_truth.slices(by):
        rates = j.slices[expected.slice]
        for metric in ("bad_split_rate", "good_split_rate", "good_merge_rate", "delta_precision"):
            assert rates[metric].value == pytest.approx(getattr(expected, metric), abs=1e-12), metric
            assert rates[metric].low == pytest.approx(rates[metric].high, abs=1e-12)
    for metric, rate in j.items():
        assert rate.value == pytest.approx(with_truth[metric], abs=1e-12), metric


def test_intervals_of_slices_hold():
    truth, base, experiment = runs()
    d, by = cc.diff(base, experiment), slices_of(400)
    exact = {each.slice: each for each in cc.diff(base, experiment, reference=truth).slices(by)}
    values, hits = {}, {}
    for seed in range(25):
        q = d.ask(n_questions=150, seed=seed, by=by)
        for name, rates in d.judged(answered(q, truth), questions=q).slices.items():
            for metric in ("bad_split_rate", "good_merge_rate", "delta_precision"):
                true, rate = getattr(exact[name], metric), rates[metric]
                values.setdefault((name, metric), []).append(rate.value - true)
                hits.setdefault((name, metric), []).append(rate.low <= true <= rate.high)
    for key, found in values.items():
        assert abs(np.mean(found)) < 4 * np.std(found, ddof=1) / np.sqrt(len(found)), key
        assert np.mean(hits[key]) >= 0.85, key


def test_slices_are_kept_from_judges_and_shown_in_results(tmp_path):
    truth, base, experiment = runs(150)
    people = pd.DataFrame({"name": [f"name {x}" for x in truth], "country": slices_of(150)})
    d = cc.diff(base, experiment)
    q = d.ask(n_questions=120, by="country", details=people, show=["name"])
    assert q.headline == f"{len(q)} questions: the same entity or not?"
    assert "\nfor precision in 3 slices" in str(q)
    path = q.save(tmp_path / "q.csv")
    assert "country" not in path.read_text("utf-8")
    assert "'it'" not in str(q.to_dict())
    plain = d.ask(n_questions=120, by=people["country"])
    assert [each.record_a for each in plain.questions] == [each.record_a for each in q.questions]
    j = d.judged(answered(q, truth), questions=path)
    assert j.to_dict() == d.judged(answered(q, truth), questions=q).to_dict()
    listed = {each["slice"]: each for each in j.to_dict()["slices"]}
    assert listed[None]["size"] == people["country"].isna().sum()
    assert listed["it"]["indices"]["kept"]["value"] == j.slices["it"]["kept"].value
    frame = j.to_frame("polars")
    assert frame.columns == ["slice", "size", "index", "value", "low", "high", "n_questions"]
    assert frame.height == 4 * 6
    assert frame["size"][0] == 150
    text = str(j)
    assert "in 3 slices, answered" in text
    assert "(none)  " in text
    page = d.to_html(tmp_path / "d.html", judged=j).read_text("utf-8")
    assert "Judged by people" in page
    assert page.count(">bad_split_rate</") >= 4
    asked_by_two = d.judged(answered(q, truth) + answered(q, truth), questions=q)
    assert set(asked_by_two.agreement) <= set(SIGNS)


def test_two_columns_of_slices():
    truth, base, experiment = runs(150)
    frame = pd.DataFrame({"id": range(150), "label": base, "year": np.arange(150) // 75, "half": "x"})
    one = cc.Partition.from_frame(frame, record="id", cluster="label")
    other = cc.Partition.from_frame(
        frame.assign(label=experiment)[["id", "label"]], record="id", cluster="label"
    )
    d = cc.diff(one, other)
    q = d.ask(n_questions=100, by=["year", "half"])
    assert list(d.judged(answered(q, truth), questions=q).slices) == [(0, "x"), (1, "x")]


def test_the_same_seed_asks_the_same():
    _, base, experiment = runs()
    d = cc.diff(base, experiment)
    assert d.ask(n_questions=50, seed=3).to_dict() == d.ask(n_questions=50, seed=3).to_dict()
    assert d.ask(n_questions=50, seed=3).to_dict() != d.ask(n_questions=50, seed=4).to_dict()


def test_judges_do_not_see_the_strata(tmp_path):
    _, base, experiment = runs()
    q = cc.diff(base, experiment).ask(n_questions=100)
    q.save(tmp_path / "questions.csv")
    text = (tmp_path / "questions.csv").read_text("utf-8")
    assert text.splitlines()[0] == "question,record_a,record_b,same,judge"
    assert not any(word in text for word in ("split", "merged", "kept"))
    strata = [q._design.uses[each.question][0][0] for each in q.questions]
    # The order tells nothing: no stratum comes in one run.
    assert sum(one != other for one, other in itertools.pairwise(strata)) > 20
    assert 20 < sum(each.record_a < each.record_b for each in q.questions) < 80


@pytest.mark.parametrize("name", ["questions.csv", "questions.jsonl"])
def test_files_go_round(tmp_path, name):
    truth, base, experiment = runs()
    d = cc.diff(base, experiment)
    q = d.ask(n_questions=60)
    path = q.save(tmp_path / name)
    if path.suffix == ".jsonl":
        rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    else:
        rows = list(csv.DictReader(path.read_text("utf-8").splitlines()))
    for row in rows:
        row["same"] = "1" if truth[int(row["record_a"])] == truth[int(row["record_b"])] else "0"
    answers = tmp_path / f"answers{path.suffix}"
    if path.suffix == ".jsonl":
        answers.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    else:
        pd.DataFrame(rows).to_csv(answers, index=False)
    found = d.judged(answers)
    in_memory = d.judged(answered(q, truth), questions=q)
    assert found.to_dict() == in_memory.to_dict() == d.judged(pl.DataFrame(rows), questions=path).to_dict()


def test_sources_are_asked_as_memory_is(tmp_path):
    truth, base, experiment = runs()
    names = [f"r{i:03}" for i in range(len(base))]
    sides = []
    for labels in (base, experiment):
        frame = pl.DataFrame({"id": names, "label": [f"c{x}" for x in labels]})
        sides.append(cc.Partition.from_frame(frame, record="id", cluster="label"))
        frame.write_parquet(tmp_path / f"{len(sides)}.parquet")
    known = dict(zip(names, truth.tolist(), strict=True))
    scanned = [cc.Partition.scan(tmp_path / f"{n}.parquet", record="id", cluster="label") for n in (1, 2)]
    for d in (cc.diff(*sides), cc.diff(*scanned)):
        q = d.ask(n_questions=80, seed=1)
        j = d.judged(answered(q, known), questions=q)
        exact = cc.diff(base, experiment, reference=truth).delta_precision
        assert j.delta_precision.low <= exact <= j.delta_precision.high
    pl.DataFrame({"id": names, "label": truth}).write_parquet(tmp_path / "truth.parquet")
    by_truth = cc.Partition.scan(tmp_path / "truth.parquet", record="id", cluster="label")
    with pytest.raises(ParameterError, match="about a diff without reference="):
        cc.diff(*scanned, reference=by_truth).ask(n_questions=10)
    # The design fits the same runs in any order, with other labels, and read from other sources.
    order = np.random.default_rng(0).permutation(len(base)).tolist()
    mapped = [{names[i]: int(labels[i]) for i in order} for labels in (base, experiment)]
    frames = cc.diff(*sides)
    for asked in (d, frames, cc.diff(*mapped)):
        q = asked.ask(n_questions=80, seed=1)
        j = asked.judged(answered(q, known), questions=q)
        for again in (d, frames, cc.diff(*mapped), cc.diff(*mapped, reference=known)):
            assert again.judged(answered(q, known), questions=q).to_dict() == j.to_dict()


@pytest.mark.parametrize("weighted", [False, True])
def test_answers_to_another_diff_of_the_same_sizes_are_refused(weighted, tmp_path):
    _, base, experiment = runs()
    weights = np.random.default_rng(2).integers(1, 20, len(base)).tolist() if weighted else [1] * len(base)
    names = [f"r{i}" for i in range(len(base))]

    def diffed(records, weight=weights):
        named = [dict(zip(records, x.tolist(), strict=True)) for x in (base, experiment)]
        return cc.diff(*named, weights=dict(zip(records, weight, strict=True)) if weighted else None)

    d = diffed(names)
    q = d.ask(n_questions=20)
    if not weighted:  # a diff of files finds the same
        sides = []
        for records, labels in (
            (names, base),
            (names, experiment),
            (names[::-1], base),
            (names[::-1], experiment),
        ):
            pl.DataFrame({"record": records, "cluster": labels}).write_csv(tmp_path / f"{len(sides)}.csv")
            sides.append(cc.Partition.scan(tmp_path / f"{len(sides)}.csv"))
        stored, reversed_names = cc.diff(*sides[:2]), cc.diff(*sides[2:])
    rows = [{"question": each.question, "same": "yes"} for each in q.questions]
    assert d.judged(rows, questions=q)
    changed = next(i for i in range(1, len(base)) if base[i] != base[0])
    swapped = [*names]
    swapped[0], swapped[changed] = names[changed], names[0]
    others = [diffed(swapped), cc.diff(base, experiment)]
    if not weighted:
        assert stored.judged(rows, questions=q).to_dict() == d.judged(rows, questions=q).to_dict()
        others.append(reversed_names)
    if weighted:
        others += [diffed(names, weights[::-1])]
        first = next(i for i in range(1, len(base)) if base[i] == base[0] and experiment[i] == experiment[0])
        moved = [*weights]
        moved[0], moved[first] = weights[first], weights[0]
        assert moved != weights
        others += [diffed(names, moved)]
    for other in others:
        with pytest.raises(InputError, match="drawn for another diff"):
            other.judged(rows, questions=q)
    unnamed = cc.diff(base, experiment)
    q = unnamed.ask(n_questions=20)
    order = np.arange(len(base))
    order[[0, changed]] = changed, 0
    for places in (order, order[::-1]):
        with pytest.raises(InputError, match="drawn for another diff"):
            cc.diff(base[places], experiment[places]).judged(rows, questions=q)


def test_columns_of_records_are_shown():
    _, base, experiment = runs(60)
    people = pd.DataFrame({"name": [f"name {i}" for i in range(60)], "born": range(60)})
    q = cc.diff(base, experiment).ask(n_questions=10, details=people, show=["name"])
    first = q.questions[0]
    assert q.to_frame("polars").columns == ["question", "record_a", "record_b", "name_a", "name_b"]
    assert (first.shown_a, first.shown_b) == ((f"name {first.record_a}",), (f"name {first.record_b}",))
    with pytest.raises(InputError, match="no row for"):
        cc.diff(base, experiment).ask(n_questions=10, details=people[:30])


def gold_of(truth, number, seed=0):
    rng = np.random.default_rng(seed)
    rows = []
    while len(rows) < 2 * number:
        one, other = rng.integers(0, len(truth), 2).tolist()
        other = one + 1 if len(rows) < number and one + 1 < len(truth) else other
        same = truth[one] == truth[other]
        if one != other and same == (len(rows) < number):
            rows.append({"record_a": one, "record_b": other, "same": "yes" if same else "no"})
    return rows


def test_gold_questions_correct_the_errors_of_judges():
    truth, base, experiment = runs()
    d, exact = cc.diff(base, experiment), cc.diff(base, experiment, reference=truth)
    gold = gold_of(truth, 60)
    rng = np.random.default_rng(4)
    naive, corrected, hits = [], [], []
    for seed in range(40):
        q = d.ask(n_questions=100, seed=seed, gold=gold)
        rows = answered(q, truth)
        for row in rows:  # sensitivity 0.8, specificity 0.9
            row["same"] = "yes" if rng.random() < (0.8 if row["same"] == "yes" else 0.1) else "no"
        j = d.judged(rows, questions=q)
        assert j.good_merge_rate.corrected
        corrected.append(j.good_merge_rate.value)
        hits.append(j.good_merge_rate.low <= exact.good_merge_rate <= j.good_merge_rate.high)
        naive.append(exact.merge_rate * j._share("merged").value)
    error = np.std(corrected) / np.sqrt(len(corrected))
    assert abs(np.mean(corrected) - exact.good_merge_rate) < 4 * error
    assert abs(np.mean(naive) - exact.good_merge_rate) > 4 * error
    assert np.mean(hits) >= 0.85
    assert "all values are corrected" in str(j)
    assert len(q) > 120
    assert "with known answers" in str(q)


def test_few_gold_questions_do_not_correct():
    truth, base, experiment = runs()
    d = cc.diff(base, experiment)
    q = d.ask(n_questions=40, gold=gold_of(truth, 3))
    j = d.judged(answered(q, truth), questions=q)
    assert not j.delta_precision.corrected
    assert "sensitivity 1.00 (3 questions), specificity 1.00 (3 questions);\nnot corrected" in str(j)
    plain = d.ask(n_questions=40)
    assert "no gold questions: if judges err" in str(d.judged(answered(plain, truth), questions=plain))


def test_known_answers_are_not_asked_again():
    truth, base, experiment = runs(80)
    d = cc.diff(base, experiment)
    first = d.ask(n_questions=30, seed=1)
    known = [
        row | {"record_a": q.record_a, "record_b": q.record_b}
        for q, row in zip(first.questions, answered(first, truth), strict=True)
    ]
    second = d.ask(n_questions=30, seed=2, known=known)
    before = {frozenset((str(q.record_a), str(q.record_b))) for q in first.questions}
    assert not before & {frozenset((str(q.record_a), str(q.record_b))) for q in second.questions}
    assert second._design.known
    whole = d.ask(n_questions=30, seed=2)
    expected = d.judged(answered(whole, truth), questions=whole).delta_precision
    found = d.judged(answered(second, truth), questions=second).delta_precision
    assert (found.value, found.low) == pytest.approx((expected.value, expected.low))
    with pytest.raises(InputError, match="every pair was answered before"):
        d.ask(n_questions=30, seed=1, known=known)


def test_several_judges_doubts_and_contradictions():
    d = cc.diff([0, 0, 0, 3, 4], [0, 1, 2, 3, 3])
    q = d.ask(n_questions=100)
    assert len(q) == 4
    pairs = {frozenset((each.record_a, each.record_b)): each.question for each in q.questions}
    ab, ac, bc, de = (pairs[frozenset(pair)] for pair in ((0, 1), (0, 2), (1, 2), (3, 4)))
    rows = [
        {"question": question, "same": same, "judge": judge}
        for judge in ("ann", "bob")
        for question, same in ((ab, "yes"), (bc, "Yes"), (ac, "no"), (de, "?" if judge == "ann" else "y"))
    ]
    j = d.judged(rows, questions=q)
    assert [each.question for each in j.contradictions] == [ac]
    assert j.agreement == {"split": 1.0}
    assert j.bad_split_rate.value == pytest.approx(d.split_rate * 2 / 3)
    assert j.good_merge_rate.value == pytest.approx(d.merge_rate)
    assert j.good_merge_rate.low == pytest.approx(d.merge_rate / 2)
    text = str(j)
    assert "answered by 2 judges" in text
    assert "1 unsure answer: the intervals hold whether these are yes or no" in text
    assert "1 answer contradicts others" in text
    assert "iq_closed" not in j
    with pytest.raises(AttributeError, match="questions for precision do not estimate 'iq_closed'"):
        _ = j.iq_closed


def test_answers_of_a_dataframe_and_of_judges_without_names():
    d = cc.diff([0, 0, 0, 3, 4], [0, 1, 2, 3, 3])
    q = d.ask(n_questions=100)
    frame = pd.DataFrame({"question": [each.question for each in q.questions], "same": [1, 0, None, 1]})
    with pytest.raises(InputError, match="1 question without an answer: 'q3'"):
        d.judged(frame, questions=q)
    j = d.judged(pd.concat([frame.fillna(0), frame.fillna(1)]), questions=q)
    assert "answered by 2 judges" in str(j)
    assert len(j.agreement) == 2


def test_alpha_by_definition():
    assert krippendorff_alpha([{"a": 1}, {"b": 0}]) is None
    assert krippendorff_alpha([{"a": 1, "b": 1}]) == 1.0
    # Two coders, ten units (yes and no): alpha of Krippendorff's own example with nominal data.
    one = [0, 1, 0, 0, 0, 0, 0, 0, 1, 0]
    other = [1, 1, 1, 0, 0, 1, 0, 0, 0, 0]
    units = [{"a": x, "b": y} for x, y in zip(one, other, strict=True)]
    assert krippendorff_alpha(units) == pytest.approx(0.095, abs=5e-4)


def test_answers_that_do_not_fit():
    truth, base, experiment = runs()
    d = cc.diff(base, experiment)
    q = d.ask(n_questions=20)
    rows = answered(q, truth)
    with pytest.raises(InputError, match="2 questions without an answer: 'q1', 'q2'; answer all"):
        d.judged(rows[2:], questions=q)
    with pytest.raises(InputError, match="1 answer to questions that were not asked: 'q99'"):
        d.judged([*rows, {"question": "q99", "same": "no"}], questions=q)
    with pytest.raises(InputError, match="question q1 is answered 'perhaps'"):
        d.judged([rows[0] | {"same": "perhaps"}, *rows[1:]], questions=q)
    with pytest.raises(InputError, match="answered the question q1 twice"):
        d.judged([rows[0] | {"judge": "ann"}] * 2, questions=q)
    with pytest.raises(InputError, match="the columns 'question', 'same' are needed"):
        d.judged([{"id": 1}], questions=q)
    with pytest.raises(InputError, match="drawn for another diff"):
        cc.diff(base, truth).judged(rows, questions=q)
    with pytest.raises(ParameterError, match="pass questions="):
        d.judged(rows)


def test_files_that_do_not_fit(tmp_path):
    truth, base, experiment = runs()
    d = cc.diff(base, experiment)
    q = d.ask(n_questions=20)
    path = q.save(tmp_path / "q.csv")
    pd.DataFrame(answered(q, truth)).to_csv(tmp_path / "a.csv", index=False)
    d.ask(n_questions=20, seed=1).save(tmp_path / "other.csv")
    with pytest.raises(InputError, match="several designs fit"):
        d.judged(tmp_path / "a.csv")
    assert d.judged(tmp_path / "a.csv", questions=path).delta_precision.n_questions == len(q)
    (tmp_path / "q.design.json").write_text("{}", encoding="utf-8")
    with pytest.raises(FileError, match="not a question design"):
        d.judged(tmp_path / "a.csv", questions=path)
    (tmp_path / "q.design.json").write_text('{"version": 0}', encoding="utf-8")
    with pytest.raises(FileError, match="has version 0, but this library reads version"):
        d.judged(tmp_path / "a.csv", questions=path)
    (tmp_path / "new").mkdir()
    pd.DataFrame(answered(q, truth)).to_csv(tmp_path / "new" / "a.csv", index=False)
    with pytest.raises(FileError, match="no design of its questions"):
        d.judged(tmp_path / "new" / "a.csv")
    with pytest.raises(FileError, match="cannot read"):
        d.judged(tmp_path / "nothing.csv", questions=q)


def test_what_cannot_be_asked():
    _, base, experiment = runs(60)
    d = cc.diff(base, experiment)
    with pytest.raises(ParameterError, match="number"):
        d.ask(n_questions=0)
    with pytest.raises(ParameterError, match="seed"):
        d.ask(n_questions=5, seed=-1)
    _, base, experiment = runs()
    d, by = cc.diff(base, experiment), np.arange(400) // 200
    with pytest.raises(ParameterError, match="2 slices need 80 questions: 10 for each kind of pairs"):
        d.ask(n_questions=79, by=by)
    assert len(d.ask(n_questions=80, by=by)._design.slices) == 2
    with pytest.raises(InputError, match="gold has different answers for 1 pair"):
        d.ask(n_questions=5, gold=[{"record_a": 1, "record_b": 2, "same": x} for x in ("yes", "no")])
    with pytest.raises(InputError, match="twice; a pair needs two records"):
        d.ask(n_questions=5, known=[{"record_a": 1, "record_b": 1, "same": "yes"}])


def test_how_many_questions():
    _, base, experiment = runs()
    d = cc.diff(base, experiment)
    number = {each.index: each.n_questions for each in d.sample_size(within=0.02)}
    q = d.ask(n_questions=number["delta_precision"])
    j = d.judged([{"question": each.question, "same": "no"} for each in q.questions], questions=q)
    assert j.delta_precision.high - j.delta_precision.low <= 0.04
    assert {x.index: x.n_questions for x in j.sample_size(within=0.02)}["delta_precision"] < len(q)


def test_errors_of_judges():
    perfect = JudgeErrors(20, 20.0, 20, 20.0)
    share = JudgedShare(0.5, 0.4, 0.4, 0.4, 100)
    assert rate_limits([share], 0.95, perfect)[0] == pytest.approx(0.2)
    assert not JudgeErrors(20, 10.0, 20, 10.0).can_correct


def test_on_the_command_line(run, fails):
    truth, base, experiment = runs(90)
    for name, labels in (("base", base), ("new", experiment)):
        pd.DataFrame({"id": range(90), "label": labels}).to_csv(f"{name}.csv", index=False)
    people = pd.DataFrame({"id": range(90), "name": [f"person {x}" for x in truth]})
    people.to_csv("people.csv", index=False)
    columns = ("--record", "id", "--cluster", "label")
    shown = ("--details", "people.csv", "--show", "name")
    ran = run("ask", "base.csv", "new.csv", *columns, "--n-questions", "30", "--questions", "q.csv", *shown)
    purpose = "for precision; 2 draws repeated a pair, which is asked once"
    assert ran.out.startswith(f"28 questions: the same entity or not?\n{purpose}\n")
    questions = pd.read_csv("q.csv")
    assert list(questions)[3:] == ["name_a", "name_b", "same", "judge"]
    questions["same"] = np.where(questions.name_a == questions.name_b, "yes", "no")
    questions.to_csv("answers.csv", index=False)
    ran = run("diff", "base.csv", "new.csv", *columns, "--answers", "answers.csv", "--json")
    judged = json.loads(ran.out)["parts"]["judged"]["indices"]["delta_precision"]
    exact = cc.diff(base, experiment, reference=truth).delta_precision
    assert judged["low"] <= exact <= judged["high"]
    assert "delta_precision" in run("diff", "base.csv", "new.csv", *columns, "--answers", "answers.csv").out
    message = fails("diff", "new.csv", "base.csv", *columns, "--answers", "answers.csv")
    assert "drawn for another diff" in message
    again = run(
        "ask",
        "base.csv",
        "new.csv",
        *columns,
        "--n-questions",
        "40",
        "--questions",
        "r.csv",
        "--known",
        "answers.csv",
    )
    assert "more were answered before" in again.out
    run("ask", "base.csv", "new.csv", *columns, "--questions", "t.csv", "--html", "review.html")
    assert "the same entity or not?" in Path("review.html").read_text("utf-8")
    people.assign(country=np.arange(90) // 45).to_csv("people.csv", index=False)
    by = (*columns, "--n-questions", "100", "--questions", "by.csv", "--by", "country")
    ran = run("ask", "base.csv", "new.csv", *by, "--details", "people.csv", "--show", "name")
    assert "for precision in 2 slices" in ran.out
    questions = pd.read_csv("by.csv")
    questions["same"] = np.where(questions.name_a == questions.name_b, "yes", "no")
    questions.to_csv("by_answers.csv", index=False)
    answers = ("--answers", "by_answers.csv", "--questions", "by.csv")
    ran = run("diff", "base.csv", "new.csv", *columns, *answers, "--json", "--html", "by.html")
    assert [each["slice"] for each in json.loads(ran.out)["parts"]["judged"]["slices"]] == ["0", "1"]
    assert "Judged by people" in Path("by.html").read_text("utf-8")
    assert "base.csv has no column 'country'" in fails("ask", "base.csv", "new.csv", *by)
    told = json.loads(run("ask", "base.csv", "new.csv", *columns, "--questions", "s.jsonl", "--json").out)
    assert len(told["data"]["questions"]) == len(Path("s.jsonl").read_text("utf-8").splitlines())


N = np.arange(48)
BEFORE = N // 8
AFTER = np.where(N % 8 == 7, (BEFORE + 1) % 6, BEFORE)
AFTER[5] = 77
UNEQUAL = {
    "one heavy record": np.r_[1e6, np.ones(47)],
    "a very heavy record": np.r_[1e300, np.ones(47)],
    "a heavy record that moves": np.where(N == 5, 1e300, 1.0),
    "light and heavy": np.where(N % 3 == 0, 1e-300, 1e300),
    "light changes": np.where(BEFORE != AFTER, 1e-300, 1e300),
    "all light": 1e-300 * (1 + N % 3),
    "all heavy": 1e300 * (1 + N % 3),
    "every size": 10.0 ** np.linspace(-300, 300, 48)[(N * 29) % 48],
}


@pytest.mark.parametrize("weights", UNEQUAL.values(), ids=UNEQUAL)
def test_questions_end_for_every_weight(weights):
    d = cc.diff(BEFORE, AFTER, weights=weights)
    if float(max(weights[BEFORE != AFTER])) / float(max(weights)) < 1e-300:
        with pytest.raises(InputError, match="weight of all"):
            d.ask(n_questions=90)
        return
    for option in ({}, {"by": N % 2}):
        asked = d.ask(n_questions=90, seed=1, **option).to_frame("pandas")
        assert len(asked) > 0
        assert (asked["record_a"] != asked["record_b"]).all()


@pytest.mark.parametrize("weights", UNEQUAL.values(), ids=UNEQUAL)
@pytest.mark.parametrize("reference", [None, N % 7])
def test_lists_and_pages_hold_for_every_weight(weights, reference, tmp_path):
    d = cc.diff(BEFORE, AFTER, reference=reference, weights=weights)
    exact = [Fraction(float(each)) for each in weights]
    change = []
    for before, after in zip(BEFORE.tolist(), AFTER.tolist(), strict=True):
        both = np.equal(BEFORE, before), np.equal(AFTER, after)
        union, common = (
            sum(exact[j] for j in np.flatnonzero(each)) for each in (both[0] | both[1], both[0] & both[1])
        )
        change.append(exact[len(change)] * (1 - common / union))
    for row in d.clusters(None):
        own = sum(change[i] for i in np.flatnonzero(np.equal(BEFORE, row.cluster)))
        assert row.share == pytest.approx(float(own / sum(change)), rel=1e-12)
    assert sum(each.share for each in d.components(None)) == pytest.approx(1)
    for listed in (d.records(None), d.clusters(None), d.components(None), d.slices(N % 3)):
        assert all(
            math.isfinite(value)
            for row in listed.to_dict()["rows"]
            for value in row.values()
            if isinstance(value, float)
        )
    assert d.headline
    assert d.to_html(tmp_path / "page.html").exists()


def test_metrics_that_questions_do_not_estimate_are_refused_in_one_way():
    _, base, experiment = runs(60)
    d = cc.diff(base, experiment)
    q = d.ask(n_questions=30)
    j = d.judged([{"question": each.question, "same": "?"} for each in q], questions=q)
    for name in ("recall_ratio", "iq_closed", "affected", "no_such_metric"):
        assert name not in j
        assert j.get(name) is None
        with pytest.raises(AttributeError, match=f"questions for precision do not estimate '{name}'"):
            getattr(j, name)
        with pytest.raises(KeyError, match=f"questions for precision do not estimate '{name}'"):
            j[name]
    for name in j:
        assert j[name.upper()] == j[f" {name.replace('_', '-')} "] == getattr(j, name)
        assert name.upper() in j


def test_a_slice_has_the_result_of_its_own_questions():
    truth, base, experiment = runs(150)
    d, by = cc.diff(base, experiment), slices_of(150)
    q = d.ask(n_questions=200, by=by)
    j = d.judged(answered(q, truth), questions=q)
    own = j.slices["it"]
    assert own.delta_precision == own["DELTA-PRECISION"]
    assert sum(each.size for each in j.slices.values()) >= j.size
    assert own.size < j.size
    assert not own.slices
    assert own.to_dict()["n_questions"] == own.size


@pytest.mark.parametrize("suffix", ["csv", "jsonl"])
def test_names_of_any_text_return_from_a_saved_file(tmp_path, suffix):
    names = ["=1+1", "+a", "-b", "@c", "'=quoted", "a\x0bb", "a\rb", "a\u2028b", "a\nb", "a,b", "a;b", '"c"']
    names += [f"plain {number}" for number in range(len(names))]
    base, experiment = ({name: number // k for number, name in enumerate(names)} for k in (2, 3))
    d = cc.diff(base, experiment)
    q = d.ask(n_questions=20)
    path = q.save(tmp_path / f"questions.{suffix}")
    text = path.read_bytes().decode()
    path.write_bytes(text.replace(',"",""\n', ',yes,""\n').replace('"same": ""', '"same": "yes"').encode())
    j = d.judged(path)
    assert j.size == q.size
    assert all(each in names for row in q for each in (row.record_a, row.record_b))
    if suffix == "csv":
        cells = [
            row[side]
            for row in csv.DictReader(io.StringIO(text, newline=""))
            for side in ("record_a", "record_b")
        ]
        assert not any(cell.startswith(("=", "+", "-", "@")) for cell in cells if cell)


def test_answers_as_spreadsheets_save_them(tmp_path):
    truth, base, experiment = runs(100)
    d = cc.diff(base, experiment)
    q = d.ask(n_questions=20)
    q.save(tmp_path / "questions.csv")
    expected = d.judged(answered(q, truth), questions=q).to_dict()
    rows = [("Question", "SAME", "Judge"), *((x["question"], x["same"], "") for x in answered(q, truth))]
    for separator in ";\t,":
        for encoding in ("utf-16", "utf-8-sig", "utf-8"):
            path = tmp_path / "answers.csv"
            path.write_text("\n".join(map(separator.join, rows)), encoding=encoding)
            assert d.judged(path, questions=tmp_path / "questions.csv").to_dict() == expected


def test_answers_about_other_records_are_refused():
    truth, base, experiment = runs(100)
    d = cc.diff(base, experiment)
    q = d.ask(n_questions=20)
    rows = [{**own, **each} for own, each in zip(q.to_dict()["questions"], answered(q, truth), strict=True)]
    assert d.judged(rows, questions=q).size == q.size
    assert d.judged(pd.DataFrame(rows).astype({"record_a": float}), questions=q).size == q.size
    for side in ("record_a", "record_b"):
        changed = [dict(each) for each in rows]
        changed[3][side] = "another"
        with pytest.raises(InputError, match=r"question q4 is about .* 'another'"):
            d.judged(changed, questions=q)


def test_a_design_that_was_changed_is_refused(tmp_path):
    truth, base, experiment = runs(100)
    d = cc.diff(base, experiment)
    q = d.ask(n_questions=20)
    q.save(tmp_path / "q.csv")
    path = tmp_path / "q.design.json"
    saved = json.loads(path.read_text("utf-8"))
    assert d.judged(answered(q, truth), questions=path).size == q.size
    path.write_text(json.dumps(dict(reversed(saved.items()))), "utf-8")  # the order of keys has no meaning
    assert d.judged(answered(q, truth), questions=path).size == q.size
    changes = {"diagonal": 3.0, "seed": math.nan, "strata": {}, "uses": "text", "checksum": "0"}
    for name, value in changes.items():
        path.write_text(json.dumps(saved | {name: value}), "utf-8")
        with pytest.raises(FileError, match="was changed after"):
            d.judged(answered(q, truth), questions=path)
    for text in ("[" * 100_000, "[]", "3", '{"version": 1, "pairs": 3}'):
        path.write_text(text, "utf-8")
        with pytest.raises(FileError, match="not a question design"):
            d.judged(answered(q, truth), questions=path)


def test_judges_are_not_shown_missing_values(tmp_path):
    people = pd.DataFrame({"name": [None if i % 2 else f"p{i}" for i in range(100)], "age": [math.nan] * 100})
    _, base, experiment = runs(100)
    q = cc.diff(base, experiment).ask(n_questions=20, details=people, show=["name", "age"])
    assert {each.shown_a[1] for each in q} == {None}
    for shown in (q.save(tmp_path / "q.csv"), q.to_html(tmp_path / "q.html")):
        assert not {"nan", "None"} & {
            x.strip(',"') for x in shown.read_text("utf-8").replace(",", " ").split()
        }
    assert "nan" not in str(q)
