"""Sentences for a paper: each names the conventions that can change its numbers."""

import re
from pathlib import Path

import pytest

import concordant as cc
from concordant.errors import ConcordantError

PACKAGE = Path(cc.__file__).parent

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


def judged(right):
    """The headline of an audit of 3,000 merged pairs, of which so many are right."""
    merges = cc.audit([place // 2 for place in range(6000)])
    asked = merges.ask(n_questions=3000)
    same = ["yes"] * right + ["no"] * (3000 - right)
    answers = [{"question": each.question, "same": answer} for each, answer in zip(asked, same, strict=True)]
    return merges.judged(answers, questions=asked).headline


NAMES = [str(place) for place in range(4000)]
SHARES = {  # sentences with a share of none, almost none, almost all and all
    "judged rate": [judged(right) for right in (0, 1, 2999, 3000)],
    "ids": [
        cc.diff(NAMES, [f"x{name}" for name in NAMES[:new]] + NAMES[new:]).changed_ids()._title()
        for new in (0, 1, 3999, 4000)
    ],
    "weight": [
        cc.diff([0, 0, 1, 1], after, weights=weights).headline
        for after, weights in (
            ([0, 0, 1, 2], [10**30, 10**30, 1, 1]),
            ([0, 0, 1, 2], [1, 1, 10**30, 10**30]),
            ([0, 1, 2, 3], [1, 1, 10**30, 10**30]),
        )
    ],
}


@pytest.mark.parametrize("name", SHARES)
def test_a_share_is_nothing_or_everything_only_if_it_is(name):
    *others, everything = SHARES[name]
    found = [next(word for word in text.split() if word.endswith("%")) for text in (*others, everything)]
    assert found == ["0%", "<0.1%", ">99.9%", "100%"][-len(found) :]


def test_one_function_spells_percentages():
    """Others would round a share to 0% or 100%; widths of bars and ticks of axes are not sentences."""
    wrong = [
        f"{path.name}: {line.strip()}"
        for path in PACKAGE.rglob("*.py")
        for line in path.read_text(encoding="utf-8").splitlines()
        if re.search(r":\.\d%\}|\{100 \* \w+:", line)
        and not any(word in line for word in ("style=", "left:", 'class_="tick"', "done="))
    ]
    assert wrong == []


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


ONE = [1, 1]  # one cluster, one pair
AGREEMENTS = {
    "0 of 1 decision is broken": lambda: cc.compare(ONE, ONE, same=[(0, 1)]).decisions.headline,
    "Of 1 pair together in the reference, 1 is together": lambda: cc.compare(ONE, ONE).pairs.headline,
    "which has 1 other.": lambda: cc.compare([0, 1], ONE).pairs.headline,
    "there is 1 source for 2 records": lambda: cc.compare(ONE, ONE, between=["x"]),
    "there is 1 weight for 2 records": lambda: cc.compare(ONE, ONE, weights=[1]),
    "1 record was left out": lambda: str(cc.compare([0, 1], [0, 1], noise=1, noise_as="drop")),
    "1 record is left out": lambda: cc.audit([0], noise=0, noise_as="drop"),
    "Of 1 triple that both trees resolve, 1 is joined": lambda: (
        cc.compare(*[cc.Hierarchy.from_linkage([[0, 1, 1.0, 2], [2, 3, 2.0, 3]])] * 2).triplets.headline
    ),
}


@pytest.mark.parametrize("words", AGREEMENTS)
def test_verbs_agree_with_their_counts(words):
    try:
        text = AGREEMENTS[words]()
    except ConcordantError as error:
        text = str(error)
    assert words in text


def test_no_verb_after_a_count_is_always_plural():
    wrong = [
        f"{path.name}: {line.strip()}"
        for path in PACKAGE.rglob("*.py")
        for line in path.read_text(encoding="utf-8").splitlines()
        if re.search(r"counted\([^{}]*\)\} (are|were|have|need)\b(?! (too many|never joined|all))", line)
        or "there are {counted" in line
    ]
    assert wrong == []
