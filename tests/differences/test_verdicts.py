"""The verdict on each cluster: one of six words, from exact to scattered."""

import re
from fractions import Fraction
from itertools import combinations_with_replacement, product

import numpy as np
import pytest
from cases import every_case
from not_run import few
from universe import kinds

import concordant as cc
from concordant.errors import ParameterError, TableNeededError


def defined(own, other, most=Fraction(1, 2), nearly=Fraction(4, 5)):
    """The verdict on each reference cluster, written from the definition, with sets."""
    found = []
    for cluster in own:
        shared = [(cluster & each, each) for each in other if cluster & each]
        piece, partner = max(shared, key=lambda both: len(both[0]))
        pure = sum(len(n) for n, each in shared if len(n) > most * len(each))
        if cluster == partner:
            found.append("exact")
        elif Fraction(2 * len(piece), len(cluster) + len(partner)) >= nearly:
            found.append("nearly")
        elif len(piece) > most * len(cluster) and len(partner) > len(cluster):
            found.append("merged" if len(piece) >= nearly * len(cluster) else "split and merged")
        elif pure > most * len(cluster):
            found.append("split")
        else:
            found.append("scattered")
    return found


def clusters_in(labels):
    return [{i for i, x in enumerate(labels) if x == label} for label in dict.fromkeys(labels)]


VERDICTS = ("exact", "nearly", "split", "merged", "split and merged", "scattered")
SIDES = ("reference", "candidate")
MIRROR = {"split": "merged", "merged": "split"}


@pytest.mark.parametrize("nearly", few(1, [0.8, 0.7, 1]))
def test_all_partitions_of_five(nearly):
    """The definition holds, all add up, and both sides have as many that are exact and nearly."""
    share = Fraction(str(nearly))
    for u, v in kinds(5):
        c = cc.compare(u, v)
        mine, theirs = clusters_in(u), clusters_in(v)
        summary = c.summary(near=nearly)
        words = {
            side: [each.verdict for each in c.clusters(side=side, limit=None, near=nearly)] for side in SIDES
        }
        assert sorted(words["reference"]) == sorted(defined(mine, theirs, nearly=share))
        mirrored = [MIRROR.get(word, word) for word in defined(theirs, mine, nearly=share)]
        assert sorted(words["candidate"]) == sorted(mirrored)
        for side, clusters in (("reference", mine), ("candidate", theirs)):
            counted = getattr(summary, side)
            assert counted.n_clusters == sum(counted.clusters.values()) == len(clusters)
            assert sum(counted.records.values()) == 5
            assert counted.clusters == {word: words[side].count(word) for word in VERDICTS}
        for word in ("exact", "nearly"):
            assert summary.reference.clusters[word] == summary.candidate.clusters[word]
        assert summary.reference.clusters["exact"] == sum(each in theirs for each in mine)


def test_records_in_no_cluster_are_neither_partners_nor_pieces():
    """With noise as singletons, verdicts agree with partners, pieces and changes, and so does a diff."""
    places = product((-1, 0, 1), repeat=2)
    for pairs in combinations_with_replacement(places, 3):  # the order of records does not matter
        u, v = zip(*pairs, strict=True)
        if -1 not in u + v:
            continue
        c = cc.compare(u, v, noise=-1, noise_as="singletons")
        summary, scores = c.summary(), {side: c.clusters(side=side, limit=None) for side in SIDES}
        mine, theirs = ([each for each in clusters_in(x) if x[min(each)] >= 0] for x in (u, v))
        for word in ("exact", "nearly"):
            assert summary.reference.clusters[word] == summary.candidate.clusters[word]
        assert summary.reference.clusters["exact"] == sum(each in theirs for each in mine)
        assert all(
            each.verdict == "scattered" for side in SIDES for each in scores[side] if not each.n_pieces
        )
        outcomes = cc.diff(v, u, reference=u, noise=-1, noise_as="singletons")
        assert outcomes.summary().clusters["fixed"] == summary.reference.n_clusters - summary.reference.found
        assert {each.cluster for each in outcomes.clusters(limit=None, side="reference")} == {
            each.cluster for each in scores["reference"]
        }
        counts = outcomes.summary()
        assert sum(counts.cluster_records.values()) + counts.in_no_cluster == 3


@every_case("seed", range(8))
@every_case("near", [0.8, "0.700000000000000000001"])
def test_large_clusters_are_judged_as_defined(seed, near):
    """By the core, and in Python if a threshold has too many digits."""
    rng = np.random.default_rng(seed)
    u = rng.integers(0, 40, 600)
    v = np.where(rng.random(600) < rng.choice([0.1, 0.5]), rng.integers(0, 30, 600), u // rng.integers(1, 3))
    c = cc.compare(u, v)
    mine, theirs = clusters_in(u.tolist()), clusters_in(v.tolist())
    verdicts = {
        side: {each.cluster: each.verdict for each in c.clusters(side=side, limit=None, near=near)}
        for side in SIDES
    }
    share = Fraction(near) if isinstance(near, str) else Fraction(4, 5)
    assert verdicts["reference"] == dict(
        zip(dict.fromkeys(u.tolist()), defined(mine, theirs, nearly=share), strict=True)
    )
    expected = [MIRROR.get(word, word) for word in defined(theirs, mine, nearly=share)]
    assert verdicts["candidate"] == dict(zip(dict.fromkeys(v.tolist()), expected, strict=True))


def test_each_word():
    truth = [*"aaaaa", *"bbbbb", *"cccccc", *"dddd", *"ee", *"ffffff"]
    guess = [*"11111", *"22223", *"444555", *"6666", *"66", *"777888"]
    guess[-1] = guess[-4] = "5"  # of f, no part is most, and a third is in what is mostly c
    c = cc.compare(truth, guess)
    assert {score.cluster: score.verdict for score in c.clusters(limit=None)} == {
        "a": "exact", "b": "nearly", "c": "split", "d": "nearly", "e": "merged", "f": "split",
    }  # fmt: skip
    assert {score.cluster: score.verdict for score in c.clusters(side="candidate", limit=None)}[
        "3"
    ] == "split"
    assert {score.cluster: score.verdict for score in c.clusters(side="candidate", limit=None)}[
        "6"
    ] == "nearly"


def test_words_do_not_depend_on_the_order_of_labels():
    source = np.random.default_rng(3)
    u, v = source.integers(0, 12, 300), source.integers(0, 9, 300)
    order = source.permutation(300)
    assert cc.compare(u, v).summary() == cc.compare(u[order], v[order]).summary()


def test_the_same_words_everywhere(tmp_path):
    source = np.random.default_rng(5)
    u = source.integers(0, 30, 2000)
    c = cc.compare(u, np.where(source.random(2000) < 0.7, u // 2, source.integers(0, 30, 2000)))
    story, summary = c._report_data(), c.summary()
    expected = {
        side: {s.cluster: s.verdict for s in c.clusters(side=side, limit=None)}
        for side in ("reference", "candidate")
    }
    for picture in (story.flow, story.cells):
        for side, nodes in (("reference", picture.rows), ("candidate", picture.columns)):
            assert all(node.is_other or node.verdict == expected[side][node.label] for node in nodes)
    for cluster in (*story.mixed, *story.split):
        assert cluster.verdict == expected[cluster.side][cluster.label]
    page = c.to_html(tmp_path / "page.html").read_text(encoding="utf-8")
    for word, count in summary.reference.clusters.items():
        assert f"<b>{count:,} {word}</b>" in page
        assert not count or re.search(rf"{word} +{count:,} +{summary.reference.records[word]:,} ", str(c))
        assert not count or f"{count:,} {word} (" in c._repr_html_()
    for text in (page, str(c), c._repr_html_()):
        assert str(summary.thresholds) in text


def test_thresholds_are_options_and_printed():
    u, v = [0] * 10 + [1] * 10, [0] * 9 + [1] * 11
    c = cc.compare(u, v)
    assert c.summary().reference.clusters["nearly"] == 2
    strict = c.summary(near=1)
    assert strict.reference.clusters["nearly"] == 0
    assert "nearly: F1 ≥ 1; majority: above 0.5" in str(strict)
    assert {each.verdict for each in c.clusters(near=0.99)} == {"merged", "split"}


def test_a_threshold_means_the_number_that_is_written():
    """F1 of exactly 4/5 is nearly right, though the float 0.8 lies above 4/5."""
    c = cc.compare([0, 0, 0, 1, 1], [0, 0, 1, 2, 2])
    assert c.summary(near=0.8).reference.clusters["nearly"] == 1


@pytest.mark.parametrize(
    "options", [{"near": 0.6}, {"near": 1.1}, {"majority": 0.4}, {"majority": 1}, {"majority": "half"}]
)
def test_bad_thresholds_are_refused(options):
    with pytest.raises(ParameterError, match=f"{next(iter(options))}="):
        cc.compare([0, 0], [0, 1]).summary(**options)


def test_huge_counts_are_judged_exactly():
    size = 10**30
    c = cc.Comparison.from_contingency([[4 * size, 2 * size], [0, 1]])
    assert c.summary().reference.clusters["nearly"] == 1
    c = cc.Comparison.from_contingency([[4 * size, 2 * size + 1], [0, 1]])
    assert c.summary().reference.clusters["nearly"] == 0


def test_sizes_alone_cannot_be_judged(sizes_alone):
    with pytest.raises(TableNeededError):
        sizes_alone("aaaa", "xxyy").summary()
