"""Sentences for a paper: each names the conventions that can change its numbers."""

import pytest

import concordant as cc

TRUTH, GUESS = [0, 0, 0, 1, 1, 1, -1, -1], [0, 0, 1, 1, 1, 1, -1, 0]
NOISE = {"noise": -1, "noise_as": "singletons"}
QUESTIONS = {
    "significance": lambda c: c.significance("rand"),
    "interval": lambda c: c.interval("rand"),
    "interval of units": lambda c: c.interval("rand", unit=list(range(8))),
    "adjusted": lambda c: c.adjusted("rand"),
    "versus": lambda c: c.versus(c, "rand"),
}


@pytest.mark.parametrize("question", QUESTIONS)
def test_every_sentence_names_how_noise_was_treated(question):
    found = QUESTIONS[question](cc.compare(TRUTH, GUESS, **NOISE))
    assert "noise=-1 as singletons" in found.headline
    assert "noise=-1 as singletons" in repr(found)


def test_a_comparison_that_chance_cannot_change_names_it_too():
    settled = cc.compare(["x", None], ["x", "y"], nulls="singletons").significance("rand")
    assert "every permutation" in settled.headline
    assert "nulls=singletons" in settled.headline


@pytest.mark.parametrize("treatment", ["singletons", "drop"])
def test_a_ranking_names_it_and_counts_noise_apart(treatment):
    found = cc.rank(TRUTH, {"x": GUESS, "y": TRUTH}, "rand", noise=-1, noise_as=treatment)
    sentence = found["y", "rand"].headline
    assert f"noise=-1 as {treatment}" in sentence
    assert "K=2 " in found.signature
    assert ("2 records of the reference" in str(found)) == (treatment == "drop")


def test_an_estimate_names_it():
    candidate = cc.Partition.from_labels([0, 0, 1, 1, -1, -1], noise=-1, noise_as="singletons")
    e = cc.estimate({0: "a", 1: "a", 2: "b"}, candidate, sampling="clusters")
    assert "noise=" in e.cluster_recall.headline


def test_an_adjusted_value_is_called_exact_only_if_it_is():
    c = cc.compare(list("aaaabbbbcccc"), list("aaabbbbccccc"))
    assert "; exact; " in c.adjusted("rand").headline
    drawn = c.adjusted("jaccard", tolerance=0.01)
    assert "permutations; " in drawn.headline
    assert f"{drawn.n_draws} draws, se " in drawn.headline
