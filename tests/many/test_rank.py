"""Rankings drop a record from all systems where one drops or lacks it, and report how many."""

import re

import numpy as np
import polars as pl
import pytest

import concordant as cc
from concordant.errors import NothingLeftError, ParameterError, UnmatchedError, WeightsError

TRUTH = list("aaaabbbbcc")
OLD = list("xxyyzzwwvv")
NEW = [None, *"ppqqqq", "q", "r", "s"]
OTHER = [*"mmmmnnnnn", None]


def by_name(labels):
    return {place: label for place, label in enumerate(labels) if label is not None}


def framed(labels):
    frame = pl.DataFrame({"id": range(len(labels)), "label": labels})
    return cc.Partition.from_frame(frame, record="id", cluster="label", nulls="drop")


def lazy(labels):
    frame = pl.LazyFrame({"record": range(len(labels)), "cluster": labels})
    return cc.Partition.from_frame(frame, nulls="drop")


def noisy(labels):
    return [label or "noise" for label in labels]


CALLS = {
    "nulls": lambda truth, systems: cc.rank(truth, systems, nulls="drop"),
    "noise": lambda truth, systems: cc.rank(
        noisy(truth),
        {name: noisy(each) for name, each in systems.items()},
        noise="noise",
        noise_as="drop",
    ),
    "unmatched": lambda truth, systems: cc.rank(
        by_name(truth), {name: by_name(each) for name, each in systems.items()}, unmatched="drop"
    ),
    "partitions": lambda truth, systems: cc.rank(
        truth, {name: cc.Partition.from_labels(each, nulls="drop") for name, each in systems.items()}
    ),
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_all_lose_the_records_that_one_drops(call):
    ranking = call(TRUTH, {"old": OLD, "new": NEW, "other": OTHER})
    short = cc.rank(TRUTH[1:9], {"old": OLD[1:9], "new": NEW[1:9], "other": OTHER[1:9]})
    assert ranking.to_dict()["values"] == short.to_dict()["values"]
    for system in ("new", "other"):
        found, wanted = ranking[system, "f_measure"], short[system, "f_measure"]
        assert (found.difference, found.low, found.high) == (wanted.difference, wanted.low, wanted.high)
    assert short.omitted == {}


def test_the_number_of_dropped_records_is_reported():
    systems = {"old": OLD, "new": NEW}
    ranking = cc.rank(TRUTH, systems, "rand", nulls="drop")
    assert ranking.to_dict()["omitted"] == {"reference": 1, "old": 1, "new": 1}
    line = "Left out, as not all put them in a cluster: 1 record of the reference, 1 of old, 1 of new"
    assert line in str(ranking).replace("\n", " ")
    assert line in ranking._repr_html_()
    lacking = cc.rank(by_name(TRUTH), {"old": by_name(OLD), "new": by_name(NEW)}, "rand", unmatched="drop")
    assert lacking.omitted == {"reference": 1, "old": 1}
    sources = cc.rank(framed(TRUTH), {"old": framed(OLD), "new": framed(NEW)}, "rand")
    assert sources.omitted == ranking.omitted
    assert sources.to_dict()["values"] == ranking.to_dict()["values"]


def test_tests_of_a_margin_are_corrected_for_the_number_of_systems():
    """By Holm: the smallest p-value times the number of systems, the next times one less, in this order."""
    truth = [i // 5 for i in range(200)]
    systems = {
        f"every {step}": [label if i % step else -1 - i for i, label in enumerate(truth)]
        for step in (4, 5, 6, 7)
    }
    alone = cc.rank(truth, systems, "f_measure", margin=0.1, correction=None)
    corrected = cc.rank(truth, systems, "f_measure", margin=0.1)
    for name in ("p_noninferior", "p_equivalent"):
        p = {system: getattr(alone[system, "f_measure"], name) for system in list(systems)[1:]}
        least, middle, largest = sorted(p, key=p.get)
        wanted = {least: 3 * p[least]}
        wanted[middle] = max(wanted[least], 2 * p[middle])
        wanted[largest] = max(wanted[middle], p[largest])
        found = {system: getattr(corrected[system, "f_measure"], name) for system in p}
        assert found == pytest.approx({system: min(each, 1) for system, each in wanted.items()})
        assert found != pytest.approx(p)


def test_units_and_records_keep_their_positions():
    """The first record is dropped, and the others are still called by where the caller has them."""
    d = cc.diff(OLD, NEW, reference=TRUTH, nulls="drop")
    outcomes = ("fixed", "broken", "still_wrong", "still_right")
    listed = [each.record for outcome in outcomes for each in d.records(limit=None, outcome=outcome)]
    assert sorted(listed) == list(range(1, 10))
    units = list("stttuuvvww")  # one of them has only the record that is dropped
    found = cc.rank(TRUTH, {"old": OLD, "new": NEW}, "rand", nulls="drop", unit=units)
    short = cc.rank(TRUTH[1:], {"old": OLD[1:], "new": NEW[1:]}, "rand", unit=units[1:])
    assert found["new", "rand"].n_units == 4
    assert found["new", "rand"].low == short["new", "rand"].low


def test_sources_that_lack_different_records_are_refused():
    with pytest.raises(UnmatchedError, match="compared on the same records"):
        cc.rank(lazy(TRUTH), {"old": lazy(OLD), "new": lazy(NEW), "other": lazy(OTHER)}, "rand")


def test_no_common_record_is_an_error():
    with pytest.raises(
        NothingLeftError, match="nulls='drop': this leaves nothing to rank: 'reference' has 10"
    ):
        cc.rank(TRUTH, {"old": OLD, "new": [None] * 10}, nulls="drop")


def test_tables_and_lists():
    truth, old, new = [0, 0, 0, 1, 1, 1, 2, 2], [0, 0, 1, 1, 1, 2, 2, 2], [0, 0, 0, 1, 1, 2, 2, 2]
    frame = pl.DataFrame({"id": range(8), "truth": truth, "old": old, "new": new})
    wanted = cc.rank(truth, {"old": old, "new": new}, "rand").to_dict()["values"]
    assert cc.rank(frame, None, "rand", record="id").to_dict()["values"] == wanted
    assert cc.rank(frame.lazy(), None, "rand", record="id").to_dict()["values"] == wanted
    assert cc.rank(frame, None, "rand", columns=["truth", "old", "new"]).to_dict()["values"] == wanted
    assert cc.rank(truth, frame.select("old", "new"), "rand").to_dict()["values"] == wanted
    listed = cc.rank(truth, [old, new], "rand")
    assert list(listed.candidates) == ["0", "1"]
    assert list(cc.rank(truth, [old, new], "rand", names=["a", "b"]).candidates) == ["a", "b"]
    with pytest.raises(ParameterError, match="there are no candidates"):
        cc.rank(truth)


WEIGHTS = [0.5, 1, 2, 3, 1, 4, 1, 2, 1, 6]
CANDIDATES = {"old": OLD, "new": noisy(NEW), "other": noisy(OTHER)}
WEIGHTED = ["bcubed_f", "f_measure", "transfer_distance"]


def test_weights_order_candidates_by_weighted_values(tmp_path):
    r = cc.rank(TRUTH, CANDIDATES, WEIGHTED, weights=WEIGHTS)
    alone = {name: cc.compare(TRUTH, each, weights=WEIGHTS) for name, each in CANDIDATES.items()}
    for index in WEIGHTED:
        values = {name: c[index] for name, c in alone.items()}
        assert {name: r.candidates[name][index] for name in values} == values
        down = index != "transfer_distance"
        assert list(r.order(index)) == sorted(values, key=values.get, reverse=down)
        assert all(r[name, index].difference == values[name] - values["old"] for name in ("new", "other"))
    repeats = [int(2 * weight) for weight in WEIGHTS]
    copies = [
        [each for each, n in zip(side, repeats, strict=True) for _ in range(n)]
        for side in (TRUTH, *CANDIDATES.values())
    ]
    repeated = cc.rank(copies[0], dict(zip(CANDIDATES, copies[1:], strict=True)), "bcubed_f")
    larger = cc.rank(TRUTH, CANDIDATES, WEIGHTED, weights=[7 * weight for weight in WEIGHTS])
    for name, c in r.candidates.items():
        assert c.bcubed_f == repeated.candidates[name].bcubed_f == larger.candidates[name].bcubed_f
    frame = pl.DataFrame({"truth": TRUTH, **CANDIDATES, "cost": WEIGHTS})
    one = cc.rank(frame, None, WEIGHTED, columns=["truth", *CANDIDATES], weights="cost")
    assert one.to_dict() == r.to_dict()
    dropped = cc.rank(TRUTH, {"old": OLD, "new": NEW}, nulls="drop", weights=WEIGHTS)
    assert dropped.candidates["new"].bcubed_f == cc.compare(TRUTH[1:], NEW[1:], weights=WEIGHTS[1:]).bcubed_f
    files = [cc.Partition.scan(tmp_path / f"{name}.csv") for name in "abc"]
    for path in "abc":
        frame.select(record="cost", cluster="truth").write_csv(tmp_path / f"{path}.csv")
    with pytest.raises(WeightsError, match=r"Partition\.read"):
        cc.rank(files[0], files[1:], weights="record")


def test_weights_have_no_tests(tmp_path):
    r = cc.rank(TRUTH, CANDIDATES, weights=WEIGHTS)
    assert not any(difference.estimable for difference in r.values())
    assert " ".join(str(r).split()).count("no test of weighted records is known to be valid") == 1
    for shown in (str(r), r._repr_html_(), r.to_html(tmp_path / "page.html").read_text(), r.to_markdown()):
        assert "95%" not in shown
        assert "unclear" not in shown
    for given in ({"unit": [0, 1] * 5}, {"margin": 0.1}):
        with pytest.raises(WeightsError, match="leave out the weights, or unit and margin"):
            cc.rank(TRUTH, CANDIDATES, weights=WEIGHTS, **given)


PAIRS, ALONE, THREE = [0, 0, 1, 1], [0, 1, 2, 3], [0, 0, 0, 1]


def rank_by(index, **options):
    return lambda **runs: cc.rank(PAIRS, runs, index, **options).headline


def matrix_by(index, **options):
    return lambda **runs: cc.matrix(runs, index, **options).headline


@pytest.mark.parametrize(
    ("headline", "runs", "words"),
    [  # equals are named as equals, NaN never wins, and a setting that is always stable is not the best
        (rank_by("rand"), {"a": PAIRS, "b": PAIRS}, "a and b share the best Rand index of 2"),
        (rank_by("rand"), {"old": ALONE, "a": PAIRS, "b": PAIRS}, "a and b share the best Rand index of 3"),
        (rank_by("rand", baseline="b"), {"a": ALONE, "b": PAIRS}, "b has the best .* better than a"),
        (rank_by("precision", undefined="nan"), {"a": ALONE, "b": THREE}, "b has the best .* only one"),
        (rank_by("precision", undefined="nan"), {"a": ALONE, "b": ALONE}, "not defined for any of 2"),
        (rank_by("variation_of_information"), {"a": ALONE, "b": PAIRS}, "^b has the best"),
        (matrix_by("rand"), {"a": PAIRS, "b": PAIRS, "c": ALONE}, "^a and b are most similar"),
        (matrix_by("rand", reference="c"), {"a": PAIRS, "b": PAIRS, "c": ALONE}, "^a and b are nearest to c"),
        (matrix_by("mirkin"), {"a": PAIRS, "b": PAIRS, "c": ALONE}, "^a and b are most similar"),
        (
            matrix_by("precision", undefined="nan"),
            {"b": ALONE, "a": PAIRS, "c": THREE},
            "^a and c are .* where it is defined",
        ),
        (
            lambda **runs: cc.stability(runs, reference="a").headline,
            {"a": [0, 0, 1, 1, 2, 2], "b": [0, 0, 1, 2, 3, 4]},
            "the most unstable are clusters 1 and 2$",
        ),
        (
            lambda **runs: cc.stability_over({name: [each] * 2 for name, each in runs.items()}).headline,
            {"one": [0] * 4, "two": PAIRS, "other": THREE, "alone": ALONE},
            "the most stable are two and other",
        ),
        (
            lambda **runs: cc.compare_references(runs, PAIRS).headline,
            {"a": PAIRS, "b": PAIRS, "c": THREE},
            "references a and b",
        ),
        (
            lambda **runs: str(cc.consensus(runs)),
            {"a": PAIRS, "b": PAIRS, "c": THREE},
            "nearest partitions: a and b, which are the consensus",
        ),
    ],
)
def test_the_best_of_equals_is_no_single_one_and_nan_is_never_the_best(headline, runs, words):
    assert re.search(words, headline(**runs))


def test_a_difference_from_nan_is_nan():
    found = cc.rank(PAIRS, {"a": PAIRS, "b": ALONE}, "precision", undefined="nan")["b", "precision"]
    assert np.isnan(found.difference)
    assert not found.estimable
    assert not found.outcome


def test_the_headline_compares_the_best_with_the_runner_up():
    random = np.random.default_rng(4)
    truth = random.integers(0, 20, 600)
    wrong = {"old": 0.5, "near": 0.1, "best": 0.09}
    runs = {name: np.where(random.random(600) < each, 99, truth) for name, each in wrong.items()}
    frames = {
        name: cc.Partition.from_frame(pl.LazyFrame({"record": range(600), "cluster": each}))
        for name, each in (runs | {"truth": truth}).items()
    }
    for reference, candidates in ((truth, runs), (frames.pop("truth"), frames)):
        ranking = cc.rank(reference, candidates, "f_measure")
        first, second = ranking.order("f_measure")[:2]
        assert {first, second} == {"best", "near"}
        beside = cc.compare(truth, runs[first]).versus(cc.compare(truth, runs[second]), "f_measure")
        assert f"{first} has the best" in ranking.headline
        assert f"not clearly better than {second} ({beside.p_text})" in ranking.headline
        assert ranking[first, "f_measure"].p < 0.001  # against the first of the candidates


def test_records_that_a_candidate_drops_are_in_the_headline_and_name_the_candidate():
    truth, noisy = [0, 0, 1, 1, 2, 2], [0, 0, -1, 1, -1, 2]
    noise = {"noise": -1, "noise_as": "drop"}
    ranking = cc.rank(truth, {"whole": truth, "noisy": noisy}, "rand", **noise)
    assert ranking.headline.endswith("on 4 of the 6 records of the reference")
    diff = cc.diff(truth, noisy, reference=truth, names=["whole", "noisy", "truth"], **noise)
    for text in (ranking.to_text(), diff.to_text()):
        assert "noisy has no cluster for 2" in " ".join(text.split())
