"""One candidate against several truths, and sequences cut at change points."""

import json
from fractions import Fraction
from math import isnan, log
from pathlib import Path

import numpy as np
import pytest

import concordant as cc
from concordant.errors import InputError, LabelError, ParameterError, ReadOnlyError, ShapeError, TooLargeError

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "images.json").read_text(encoding="utf-8"))
SEVERAL = GOLDEN["several_truths"]
TRUTHS = [np.array(truth) for truth in SEVERAL["truths"]]
CANDIDATE = np.array(SEVERAL["candidate"])
at = cc.Partition.from_change_points


def test_the_mean_over_truths_is_the_golden_one():
    c = cc.compare_references(TRUTHS, CANDIDATE)
    assert c.PRI == c["rand"] == pytest.approx(SEVERAL["pri_mean_rand"], abs=1e-15)
    assert [each.value for each in c.each("RI")] == SEVERAL["rand_each"]
    assert [each.reference for each in c.each("rand")] == list(c.names)
    assert c.segmentation_covering == pytest.approx(SEVERAL["covering_mean_truth_by_candidate"], abs=1e-15)
    assert c.variation_of_information / log(2) == pytest.approx(SEVERAL["vi_mean_bits"], abs=1e-15)
    assert c.exact("rand") == sum(cc.compare(t, CANDIDATE).exact("rand") for t in TRUTHS) / 3
    assert c.exact("rand") == Fraction(59, 84)


def test_each_truth_is_compared_as_by_itself():
    named = dict(zip("abc", TRUTHS, strict=True))
    zero = {1: "drop"}
    c = cc.compare_references(named, CANDIDATE, reference_noise=zero, where=CANDIDATE < 3)
    for name, truth in named.items():
        alone = cc.compare(truth, CANDIDATE, reference_noise=zero, where=CANDIDATE < 3)
        assert c.comparisons[name].signature == alone.signature
        assert c.comparisons[name].to_dict() == alone.to_dict()
    assert set(c.keys()) == set(alone.keys())
    assert c.to_frame("pandas", indices=["rand"])["reference"].tolist() == list(named)
    assert repr(c) == "<MultiReference of 4 records: 3 references>"
    assert isnan(cc.compare_references([[0, 1], [0, 0]], [0, 1], undefined="nan").precision)


def test_what_truths_are_refused():
    for wrong in (np.stack(TRUTHS), "abc", 5, None):
        with pytest.raises(InputError, match="references are a list"):
            cc.compare_references(wrong, CANDIDATE)
    with pytest.raises(InputError, match="no reference"):
        cc.compare_references([], CANDIDATE)
    with pytest.raises(ParameterError, match="same name"):
        cc.compare_references({1: TRUTHS[0], "1": TRUTHS[1]}, CANDIDATE)
    with pytest.raises(ShapeError) as failure:
        cc.compare_references({"ann": TRUTHS[0], "bob": TRUTHS[1][:1]}, CANDIDATE)
    assert failure.value.__notes__ == ["the reference 'bob'"]
    with pytest.raises(ReadOnlyError):
        cc.compare_references(TRUTHS, CANDIDATE).rand = 1


@pytest.mark.parametrize("case", GOLDEN["change_points"])
def test_coverings_of_change_points(case):
    n = case["n"]
    truths = [at(points, n) for points in case["annotations"]]
    c = cc.compare_references(truths, at(case["predicted"], n))
    assert c.segmentation_covering == pytest.approx(case["published"], abs=1e-15)


def test_change_points_are_the_starts_of_segments():
    labels = [0] * 3 + [3] * 2 + [5]
    for points in ([3, 5], [0, 3, 5], [5, 3, 6], np.array([3, 5, 5], dtype="u1"), {3, 5}, range(3, 6, 2)):
        c = cc.compare(labels, at(points, 6))
        assert c.adjusted_rand == 1
        assert [(each.cluster, each.partner) for each in c.clusters()] == [(0, 0), (3, 3), (5, 5)]
    assert len(at([], 0)) == 0


@pytest.mark.parametrize(
    "points", [[-1], [7], [1.5], [True], [None], [[1]], "12", 5, None, np.ones((1, 1), int)]
)
def test_what_is_no_change_point(points):
    with pytest.raises(LabelError, match="the change points: "):
        at(points, 6)


@pytest.mark.parametrize(
    ("n", "error"),
    [(-1, ParameterError), (2.0, ParameterError), (True, ParameterError), (2**60, TooLargeError)],
)
def test_what_is_no_length(n, error):
    with pytest.raises(error):
        at([], n)


TREE, OTHER_TREE = (cc.Hierarchy.from_newick(each) for each in ("((a,b),(c,d));", "((a,c),(b,d));"))
SOFT = cc.Soft.from_matrix([[0.9, 0.1], [0.8, 0.2], [0.1, 0.9]])


@pytest.mark.parametrize(
    ("references", "candidate", "shown"),
    [
        ([TREE, OTHER_TREE], TREE, "cophenetic_correlation"),
        ([dict(zip("abcd", [0, 0, 1, 1], strict=True))], TREE, "dendrogram_purity"),
        ([SOFT, SOFT], SOFT, "soft_adjusted_rand"),
        ([[0, 0, 1], [0, 1, 1]], SOFT, "soft_adjusted_rand"),
    ],
)
def test_references_of_every_kind(references, candidate, shown, tmp_path):
    c = cc.compare_references(references, candidate, undefined="nan")
    assert c[shown] == pytest.approx(np.mean([each[shown] for each in c.comparisons.values()]))
    assert shown in str(c)
    assert shown in c.to_markdown()
    page = c.to_html(tmp_path / "page.html").read_text(encoding="utf-8")
    assert f">{shown[0].upper()}{shown[1:]}<" in page.replace("<wbr>", "")
    assert json.loads(c.to_json())["conventions"] == "undefined=nan"


def test_references_without_a_common_index():
    labels = dict(zip("abcd", [0, 0, 1, 1], strict=True))
    with pytest.raises(InputError, match="once for each kind of reference"):
        cc.compare_references([labels, TREE], TREE)


def test_references_are_compared_by_weight():
    weights = [Fraction(each + 1, 3) for each in range(CANDIDATE.size)]
    c = cc.compare_references([truth.ravel() for truth in TRUTHS], CANDIDATE.ravel(), weights=weights)
    alone = [cc.compare(truth.ravel(), CANDIDATE.ravel(), weights=weights) for truth in TRUTHS]
    assert c.exact("bcubed_f") == sum(each.exact("bcubed_f") for each in alone) / 3
    assert c.exact("adjusted_rand") == sum(each.exact("adjusted_rand") for each in alone) / 3
    assert [each.value for each in c.each("rand")] == [each.rand for each in alone]
    assert c.rand != cc.compare_references(TRUTHS, CANDIDATE).rand
    assert "weights=total" in str(c)


def test_values_without_an_interval_have_empty_cells():
    c = cc.compare_references([[0, 0, 1], [0, 1, 1]], [0, 1, 1])
    assert "(in no cluster)" not in str(c.each("rand"))
