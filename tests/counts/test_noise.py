"""Labels of one side that are noise: every answer reads the same counts, and none of them is a cluster."""

import itertools
import math
import re
from functools import cache

import numpy as np
import pytest
from inner import percent
from not_run import few

import concordant as cc

SIDES = ("reference", "candidate")
TREATMENTS = "cluster", "singletons", "drop", "background"
# What becomes of the label 0 on each side; background and singletons do not go together.
POLICIES = [
    pair for pair in itertools.product(TREATMENTS, repeat=2) if set(pair) != {"background", "singletons"}
]
CASES = [
    ([0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 0, 3], [0, 0, 5, 5, 5, 6, 0, 0, 6, 6, 5, 0]),
    ([0] * 8 + [1] * 4 + [2] * 4, [0] * 6 + [7, 7, 8, 8, 0, 0, 0, 0, 0, 0]),
    *([np.random.default_rng(seed).integers(0, k, 40).tolist() for k in (4, 5)] for seed in range(2)),
]
pytestmark = pytest.mark.parametrize("case", few(2, range(len(CASES))))
over_policies = pytest.mark.parametrize("policy", POLICIES, ids="-".join)


@cache
def compared(case, policy):
    options = {f"{side}_noise": {0: how} for side, how in zip(SIDES, policy, strict=True)}
    return cc.compare(*map(np.array, CASES[case]), **options)


@pytest.fixture(scope="module")
def page_of(tmp_path_factory):
    """The page of a comparison, written once for all tests."""
    path = tmp_path_factory.mktemp("pages") / "page.html"
    return cache(lambda case, policy: compared(case, policy).to_html(path).read_text(encoding="utf-8"))


def by_hand(case, policy):
    """The same comparison, of partitions without the elements that are treated."""
    partitions = [dict(enumerate(labels)) for labels in CASES[case]]
    dropped = {
        record
        for partition, how in zip(partitions, policy, strict=True)
        for record, label in partition.items()
        if label == 0 and how == "drop"
    }
    treated = []
    for partition, how in zip(partitions, policy, strict=True):
        left = {record: label for record, label in partition.items() if record not in dropped}
        if how == "background":
            left = {record: label for record, label in left.items() if label != 0}
        if how == "singletons":
            left = {record: label or f"noise {record}" for record, label in left.items()}
        treated.append(left)
    return cc.compare(*treated, unmatched="keep" if "background" in policy else "error")


def clusters_by_hand(case, policy):
    """The labels of each side that are clusters: they have an element, and are not noise."""
    kept = [
        pair
        for pair in zip(*CASES[case], strict=True)
        if not any(label == 0 and how == "drop" for label, how in zip(pair, policy, strict=True))
    ]
    return [{pair[side] for pair in kept if pair[side] or policy[side] == "cluster"} for side in range(2)]


@over_policies
def test_every_index_is_that_of_the_partitions_made_by_hand(case, policy):
    c, other = compared(case, policy), by_hand(case, policy)
    # Where both sides have the same objects, the partitions made by hand hold the same elements.
    assert set(c.keys()) <= set(other.keys()) if "background" in policy else c.keys() == other.keys()
    for name in c.keys():  # noqa: SIM118  (names, not values)
        same = math.isclose(c[name], other[name], rel_tol=1e-12, abs_tol=1e-12)
        assert same or (math.isnan(c[name]) and math.isnan(other[name])), name
    assert (c.pairs.n11, c.pairs.n10, c.pairs.n01) == (other.pairs.n11, other.pairs.n10, other.pairs.n01)


@over_policies
def test_missed_and_wrong_pairs_add_up_everywhere(case, policy, page_of):
    c = compared(case, policy)
    total = {"missed": c.pairs.n10, "wrong": c.pairs.n01}
    changes = c.changes(limit=None)
    if changes.counts and "background" not in policy:  # there, changes cost memberships
        assert {change.unit for change in changes} <= {"pair"}
        for kind, pairs in total.items():
            assert sum(getattr(change, kind) for change in changes) == pairs
            assert getattr(changes, f"total_{kind}") == pairs
        summary = c.summary().components
        assert (summary.missed, summary.wrong) == (c.pairs.n10, c.pairs.n01)
        for side, kind in zip(SIDES, total, strict=True):
            assert sum(getattr(score, kind) for score in c.clusters(side=side, limit=None)) == total[kind]
    data = c._report_data()
    assert (data.changes.total_missed, data.changes.total_wrong) == (c.pairs.n10, c.pairs.n01)
    texts = [str(c), f"{c:all}"]
    page = page_of(case, policy)
    texts.append(re.sub(r"<[^>]*>", "", page.partition('id="costliest"')[2].partition("</section>")[0]))
    for text in texts:
        for number, kind, share in re.findall(r"([\d,]+) (missed|wrong) pairs?[,:] ([<>\d]+%) of all", text):
            assert percent(int(number.replace(",", "")), total[kind]) == share
    assert sum(total.values()) == 0 or re.search("(missed|wrong) pair", texts[1])


@over_policies
def test_noise_is_no_cluster(case, policy, page_of):
    c, clusters = compared(case, policy), clusters_by_hand(case, policy)
    summary, numbers = c.summary(), [len(each) for each in clusters]
    assert f"K={numbers[0]} L={numbers[1]} |" in c.signature
    assert f": {numbers[0]:,} against {numbers[1]:,} cluster" in repr(c)
    assert [summary.reference.n_clusters, summary.candidate.n_clusters] == numbers
    unclustered = [summary.reference.in_no_cluster, summary.candidate.in_no_cluster]
    for how, count in zip(policy, unclustered, strict=True):
        assert bool(count) <= (how == "singletons")
    for side, expected in zip(SIDES, clusters, strict=True):
        assert {score.cluster for score in c.clusters(side=side, limit=None)} == expected
        named = {each.cluster for change in c.changes(limit=None) for each in getattr(change, side)}
        assert named <= expected
    assert {each.cluster for change in c.changes(limit=None) for each in change.reference} == clusters[0]
    flow = c._report_data().flow
    for nodes, expected in zip((flow.rows, flow.columns), clusters, strict=True):
        drawn = {node.label for node in nodes if not (node.is_other or node.is_fold or node.is_outside)}
        assert drawn - {None} <= expected
    heads = re.findall(r"([\d,]+) cluster", next(line for line in str(c).split("\n") if "records" in line))
    assert heads in ([], [str(number) for number in numbers]) or heads == [str(numbers[0])]
    page = page_of(case, policy)
    assert f"{numbers[0]} cluster" in page
    assert f"{numbers[1]} cluster" in page
    assert f"{numbers[0]} cluster" in c._repr_html_()


@over_policies
def test_what_was_left_out_is_reported(case, policy):
    c = compared(case, policy)
    whole, dropped = len(CASES[case][0]), c._counted.audit.get("noise_dropped", 0)
    gone = sum(
        any(label == 0 and how == "drop" for label, how in zip(pair, policy, strict=True))
        for pair in zip(*CASES[case], strict=True)
    )
    assert dropped == gone
    assert (f"not_compared={gone}" in c.signature) == bool(gone)
    assert (f"{whole - gone} of {whole} records " in " ".join(str(c).split())) == bool(gone)
    for side, labels, how in zip(SIDES, CASES[case], policy, strict=True):
        assert f"0 as {how} ({side}: {labels.count(0)})" in c.signature


@pytest.mark.parametrize("how", ["singletons", "drop"])
def test_both_ways_to_name_noise_agree(case, how):
    """noise= of both sides, and the policy of each."""
    u, v = CASES[case]
    one = cc.compare(u, v, noise=0, noise_as=how)
    other = compared(case, (how, how))
    assert one.keys() == other.keys()
    assert one.signature == other.signature
    # The policy of each side is applied to the table, which does not name the records.
    assert re.sub(r"move record \d+", "move 1 record", str(one)) == str(other)
    assert str(one.summary()) == str(other.summary())
    assert sorted(str(one.changes()).splitlines()) == sorted(str(other.changes()).splitlines())


def test_edits_and_saved_files_keep_noise_apart(case, tmp_path):
    c = compared(case, ("singletons", "singletons"))
    c.save(tmp_path / "c.json")
    for other in (cc.Comparison.load(tmp_path / "c.json"), c.live().compare()):
        assert str(other.summary()) == str(c.summary())
        assert other.signature == c.signature


@pytest.mark.parametrize("how", ["drop", "singletons", "cluster"])
def test_partitions_may_have_singletons_of_their_own(case, how):
    u, v = CASES[case]
    own = cc.Partition.from_labels(u, noise=0, noise_as="singletons")
    c, other = cc.compare(own, v, candidate_noise={0: how}), compared(case, ("singletons", how))
    assert c.signature == other.signature
    assert dict(c) == dict(other)
    assert str(c.summary()) == str(other.summary())
    assert str(c.changes()) == str(other.changes())
