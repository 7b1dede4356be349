"""Records, clusters and changes of a weighted comparison: its laws, and sums over all pairs by hand."""

import math
import pickle
from collections import defaultdict
from dataclasses import asdict, astuple
from decimal import Decimal
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

import concordant as cc
from concordant.errors import ParameterError, WeightsError

FINDINGS = {
    "records": lambda c: c.records(None),
    "reference clusters": lambda c: c.clusters(None),
    "candidate clusters": lambda c: c.clusters(None, side="candidate"),
    "changes": lambda c: c.changes(None),
}
# Of records of weight 3, as of three records.
SHARES = (
    "cluster", "verdict", "size", "overlap", "n_pieces", "precision", "recall", "purity", "entropy", "f1",
    "jaccard", "partner",
)  # fmt: skip


def tables(many=12):
    """Two partitions of up to 12 records, with whole weights."""
    random = np.random.default_rng(7)
    for _ in range(many):
        size = int(random.integers(2, 12))
        yield *random.integers(0, 4, (2, size)).tolist(), random.integers(1, 6, size).tolist()


def plain(rows):
    """Rows without the unit of their costs."""
    return [
        {
            key: [plain_overlap(each) for each in value] if key == "overlaps" else value
            for key, value in asdict(row).items()
            if key != "unit"
        }
        for row in rows
    ]


def plain_overlap(overlap):
    return {key: value for key, value in overlap.items() if key != "unit"}


@pytest.mark.parametrize("finding", FINDINGS)
def test_weights_of_one_change_nothing(finding):
    for reference, candidate, weights in tables():
        ones = cc.compare(reference, candidate, weights=[1] * len(weights))
        assert plain(FINDINGS[finding](ones)) == plain(FINDINGS[finding](cc.compare(reference, candidate)))


@pytest.mark.parametrize("side", ["reference", "candidate"])
def test_clusters_are_those_of_repeated_records(side):
    for reference, candidate, weights in tables():
        weighted = cc.compare(reference, candidate, weights=weights).clusters(None, side=side, order="size")
        repeated = cc.compare(np.repeat(reference, weights), np.repeat(candidate, weights))
        for own, other in zip(weighted, repeated.clusters(None, side=side, order="size"), strict=True):
            for name in SHARES:
                assert getattr(own, name) == getattr(other, name), name


def test_records_are_those_of_repeated_records():
    for reference, candidate, weights in tables():
        weighted = cc.compare(reference, candidate, weights=weights).records(None)
        repeated = cc.compare(np.repeat(reference, weights), np.repeat(candidate, weights)).records(None)
        found = {astuple(each)[1:] for each in repeated}
        assert {astuple(each)[1:] for each in weighted} == found
        assert [each.similarity for each in weighted] == sorted(each.similarity for each in weighted)


@pytest.mark.parametrize("factor", [7, Fraction(1, 3), Decimal("0.1"), 10**30])
def test_units_of_weights_scale_sizes_and_costs(factor):
    for reference, candidate, weights in tables():
        one = cc.compare(reference, candidate, weights=weights)
        other = cc.compare(reference, candidate, weights=[each * factor for each in weights])
        assert plain(other.records(None)) == plain(one.records(None))
        exact = Fraction(factor)
        for own, scaled in zip(one.clusters(None), other.clusters(None), strict=True):
            assert scaled.size == pytest.approx(float(own.size * exact))
            assert scaled.missed == pytest.approx(float(own.missed * exact**2))
            assert (own.f1, own.share, own.entropy) == (scaled.f1, scaled.share, scaled.entropy)
        for own, scaled in zip(one.changes(None), other.changes(None), strict=True):
            assert (own.kind, own.n_overlaps) == (scaled.kind, scaled.n_overlaps)
            assert scaled.wrong == pytest.approx(float(own.wrong * exact**2))


def test_costs_are_the_weights_of_missed_and_wrong_pairs():
    for reference, candidate, weights in tables():
        c = cc.compare(reference, candidate, weights=[Fraction(each, 7) for each in weights])
        missed, wrong = defaultdict(Fraction), defaultdict(Fraction)
        for i, j in combinations(range(len(weights)), 2):
            product = Fraction(weights[i] * weights[j], 49)
            if reference[i] == reference[j] and candidate[i] != candidate[j]:
                missed[reference[i]] += product
            if reference[i] != reference[j] and candidate[i] == candidate[j]:
                wrong[candidate[i]] += product
        for each in c.clusters(None):
            assert each.missed == float(missed[each.cluster])
        for each in c.clusters(None, side="candidate"):
            assert each.wrong == float(wrong[each.cluster])
        for kind in ("missed", "wrong"):
            whole = float({"missed": c.pairs.n10, "wrong": c.pairs.n01}[kind])
            overlaps = [each for change in c.changes(None) for each in change.overlaps]
            assert math.fsum(getattr(each, kind) for each in overlaps) == pytest.approx(whole)
            assert getattr(c.changes(), f"total_{kind}") == whole
            assert getattr(c.summary().components, kind) == whole
            for side in ("reference", "candidate"):
                scores = c.clusters(None, side=side)
                assert math.fsum(getattr(each, kind) for each in scores) == pytest.approx(whole)


def test_text_names_weights_and_findings_can_be_pickled():
    c = cc.compare(list("aab"), [0, 1, 1], weights=[0.5, 2, 1])
    text = " ".join(str(c.changes()).split())
    assert "reference 'a' (2.5), 'b' (1) with candidate 1 (3), 0 (0.5)" in text
    assert "pairs of weight 1 missed, pairs of weight 2 wrong" in text
    assert "weight 0.5 of 2.5 of reference 'a' broke off" in text
    for listed in (c.changes(), c.clusters(), c.records()):
        assert str(pickle.loads(pickle.dumps(listed))) == str(listed)


def test_records_in_no_cluster_and_names():
    weights = {"r": 2, "s": 0.5, "t": 1, "u": 3}
    sides = {"r": 0, "s": 0, "t": -1, "u": 1}, {"r": 5, "s": 6, "t": 5, "u": 6}
    c = cc.compare(*sides, weights=weights, noise=-1, noise_as="singletons")
    first = c.clusters()[0]
    assert (first.cluster, first.size, first.overlap, first.missed) == (0, 2.5, 2, 1)
    assert c.changes()[0].in_no_cluster == (1, 0)
    assert c.records(1)[0].record == "s"


def test_matching_and_objects_are_those_of_repeated_records():
    for reference, candidate, weights in tables():
        weighted = cc.compare(reference, candidate, weights=weights)
        repeated = cc.compare(np.repeat(reference, weights), np.repeat(candidate, weights))
        assert list(weighted.matching()) == list(repeated.matching())
        assert weighted.matching().overlap == weighted.exact("matching_accuracy") * sum(weights)
        assert weighted.objects() == repeated.objects()
        assert weighted.relabelled().mapping == repeated.relabelled().mapping
        assert weighted.relabelled().labels.repeat(weights).tolist() == repeated.relabelled().labels.tolist()


def test_a_matching_is_measured_in_units_of_weight():
    matching = cc.compare(list("aab"), [0, 1, 1], weights=[0.5, 0.25, 1]).matching()
    assert (matching.overlap, [each.overlap for each in matching]) == (1.5, [1, 0.5])
    assert "2 pairs of clusters share records of weight 1.5" in str(matching)


@pytest.mark.parametrize(
    ("ask", "reason"),
    [
        (lambda c: c.live(), r"what_if\(\) and suggest\(\) take weights"),
        (lambda c: c.over_edges([(0, 1)]), "each edge counts as one pair"),
        (lambda c: c.significance("rand"), "permutations change the weights"),
        (lambda c: c.adjusted("rand"), "permutations change the weights"),
        (lambda c: c.versus(c, "rand"), "records that count the same"),
        (lambda c: c.interval("rand"), "depends on how they were drawn"),
        (lambda c: c.plot("table"), "counts records"),
        (lambda c: c.to_html("page.html", details=[1, 2, 3]), "lists no records"),
        (lambda c: c.save("saved.zip"), "save the labels and weights"),
    ],
)
def test_what_has_no_meaning_by_weight_is_refused_with_its_own_reason(ask, reason):
    with pytest.raises(WeightsError, match=reason):
        ask(cc.compare(list("aab"), [0, 1, 1], weights=[0.5, 2, 1]))


@pytest.mark.parametrize("function", [cc.compare, cc.diff, cc.adjusted_rand])
@pytest.mark.parametrize("weights", [cc.Soft.of([[1.0, 0.0], [0.5, 0.5]]), cc.Partition.of([0, 1]), 7, "w"])
def test_what_cannot_be_weights_is_refused(function, weights):
    with pytest.raises(ParameterError, match="give the weight of each record"):
        function([0, 1], [0, 1], weights=weights)
