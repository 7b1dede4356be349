"""Objects in images, and labels of one side that are dropped, alone or background."""

import json
from pathlib import Path

import numpy as np
import pytest
from cases import every_case

import concordant as cc
from concordant.errors import NothingLeftError, ParameterError, TableNeededError, UnmatchedError

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "images.json").read_text(encoding="utf-8"))[
    "cases"
]
ZERO = {0: "background"}
NAMES = {
    "panoptic_quality": "pq",
    "segmentation_quality": "sq",
    "recognition_quality": "rq",
    "object_average_precision": "ap",
    "object_f1": "f1",
    "object_precision": "precision",
    "object_recall": "recall",
    "mean_true_iou": "mean_true_iou",
}
THRESHOLDS = {
    "objects_iou>=0.5": "iou=0.5, at_threshold='match'",
    "objects_iou>0.5": "iou=0.5, at_threshold='miss'",
    "objects_iou>=0.75": "iou=0.75, at_threshold='match'",
}


def images(name):
    return np.array(GOLDEN[name]["truth"]), np.array(GOLDEN[name]["candidate"])


@pytest.mark.parametrize("name", GOLDEN)
@pytest.mark.filterwarnings("ignore:no label equals")
def test_golden_values_of_objects(name):
    c, ours = cc.compare(*images(name), reference_noise=ZERO, candidate_noise=ZERO), GOLDEN[name]["ours"]
    expected = {
        f"{mine}({arguments})": ours[key][theirs]
        for key, arguments in THRESHOLDS.items()
        for mine, theirs in NAMES.items()
        if ours[key][theirs] is not None
    }
    expected |= {"seg_measure": ours["seg"], "AJI": ours["aji"], "AJI_plus": ours["aji_plus"]}
    expected["symmetric_best_dice"] = ours["symmetric_best_dice"]["sbd"]
    assert c.to_dict(indices=expected) == pytest.approx(expected, abs=1e-12)
    counts = c.objects(iou=0.5).counts
    assert counts["matched"] == ours["objects_iou>=0.5"]["tp"]


def values_of_peers(name):
    """What stardist, cellpose, hover_net and elf gave, where they are right: some of them need a 0."""
    peers, shown = GOLDEN[name]["peers"], {}
    at_half = "(iou=0.5, at_threshold='match')"
    names = {
        "object_precision": "precision",
        "object_recall": "recall",
        "object_average_precision": "accuracy",
        "object_f1": "f1",
        "mean_true_iou": "mean_true_score",
        "segmentation_quality": "mean_matched_score",
        "panoptic_quality": "panoptic_quality",
    }
    for mine, theirs in names.items():
        shown[mine + at_half] = peers["stardist.matching(0.5)"][theirs]
    shown["symmetric_best_dice"] = peers["elf.symmetric_best_dice"]
    if all(0 in image for image in images(name)):
        average = peers["cellpose.average_precision(0.5,0.75)(ap,tp,fp,fn)"][0]
        for iou, value in zip((0.5, 0.75), average, strict=True):
            shown[f"object_average_precision(iou={iou}, at_threshold='match')"] = value
    for mine, theirs in (("AJI", "hover_net.aji"), ("AJI_plus", "hover_net.aji_plus")):
        shown[mine] = peers[theirs]
    if not isinstance(peers["hover_net.pq(dq,sq,pq)"], str):
        quality = zip(
            ("recognition", "segmentation", "panoptic"), peers["hover_net.pq(dq,sq,pq)"], strict=True
        )
        shown |= {f"{kind}_quality": value for kind, value in quality}
    return {spelling: value for spelling, value in shown.items() if not isinstance(value, str)}


@pytest.mark.parametrize("name", GOLDEN)
@pytest.mark.filterwarnings("ignore:no label equals")
def test_what_stardist_cellpose_hover_net_and_elf_say(name):
    """They compute in 32 bits, or add a millionth to denominators."""
    c, theirs = cc.compare(*images(name), reference_noise=ZERO, candidate_noise=ZERO), values_of_peers(name)
    assert c.to_dict(indices=theirs) == pytest.approx(theirs, abs=2e-6)


@every_case("name", GOLDEN)
@every_case(
    ("reference", "candidate", "key"),
    [({}, {}, "ignore_none"), ({0: "drop"}, {}, "drop0_truth"), ({0: "drop"}, {0: "drop"}, "drop0_both")],
)
@pytest.mark.filterwarnings("ignore:no label equals", "ignore:.*is an image with the label 0")
def test_golden_values_of_what_is_ignored(name, reference, candidate, key):
    ours = GOLDEN[name]["ours"]
    bits = ours[f"vi_{key}"]
    if bits is None:
        with pytest.raises(NothingLeftError, match="a label that is dropped"):
            cc.compare(*images(name), reference_noise=reference, candidate_noise=candidate)
        return
    c = cc.compare(*images(name), reference_noise=reference, candidate_noise=candidate)
    expected = {"vi_split(base=2)": bits["split_bits"], "vi_merge(base=2)": bits["merge_bits"]}
    pairs = ours.get(f"arand_{key}")
    if pairs is not None:
        expected |= {"precision": pairs["precision"], "recall": pairs["recall"]}
        expected["adapted_rand_error_of_pairs"] = pairs["error"]
    if key == "drop0_truth":
        squares = ours["arand_drop0_truth_n2"]
        expected |= {f"adapted_rand_{part}": squares[part] for part in ("precision", "recall", "error")}
        expected["adapted_rand_error_of_pairs(alpha=0.25)"] = ours["arand_drop0_truth_alpha0.25"]["error"]
        expected["cremi_score"] = ours["cremi_score_n2"]
    expected = {spelling: value for spelling, value in expected.items() if value is not None}
    assert c.to_dict(indices=expected) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("treatment", ["cluster", "drop", "singletons"])
def test_the_table_and_the_elements_say_the_same(treatment):
    truth, seg = images("unlabelled_truth")
    policy = {0: treatment}
    by_table = cc.compare(truth, seg, reference_noise=policy, candidate_noise=policy)
    by_element = cc.compare(truth, seg, noise=0, noise_as=treatment)
    names = (
        "rand",
        "adjusted_rand",
        "vi_split",
        "bcubed_f",
        "adjusted_mutual_information",
        "element_centric",
    )
    assert by_table.to_dict(indices=names) == by_element.to_dict(indices=names)
    assert cc.rand(truth, seg, reference_noise=policy, candidate_noise=policy) == by_table.rand


def test_several_labels_of_one_side():
    truth, seg = np.array([0, 9, 9, 1, 1, 2, 2]), np.array([1, 1, 2, 2, 2, 3, 3])
    c = cc.compare(truth, seg, reference_noise={0: "drop", 9: "singletons"})
    assert c.rand == cc.rand([7, 8, 1, 1, 2, 2], [1, 2, 2, 2, 3, 3])
    assert "noise=0 as drop (reference: 1), 9 as singletons (reference: 2)" in c.signature
    assert "noise_dropped=1 | not_compared=1" in c.signature
    with pytest.raises(TableNeededError, match="where="):
        c.records()


def test_what_became_of_the_objects():
    truth = np.array([[1, 1, 1, 1, 0, 2, 2, 3, 3, 0, 4, 4, 0]])
    seg = np.array([[1, 1, 2, 2, 0, 5, 5, 5, 5, 0, 0, 0, 8]])
    objects = cc.compare(truth, seg, reference_noise=ZERO, candidate_noise=ZERO).objects(iou=0.7)
    assert [(each.side[0], each.cluster, each.verdict) for each in objects] == [
        ("r", 1, "split"),
        ("r", 2, "merged"),
        ("r", 3, "merged"),
        ("r", 4, "missed"),
        ("c", 1, "split"),
        ("c", 2, "split"),
        ("c", 5, "merged"),
        ("c", 8, "invented"),
    ]
    assert [each.partner for each in objects][3::4] == [None, None]
    plain = cc.compare(list("aab"), [1, 1, 2]).objects()
    assert (plain.counts["matched"], len(plain)) == (2, 4)  # a pair counts once


def without_partner(score):
    """Of equally near partners, either may be named."""
    return score.side, score.cluster, score.size, score.verdict, score.iou


def test_objects_of_sides_with_records_of_their_own_have_their_names():
    reference = {"a": 0, "b": 0, "c": 1, "z": -1, "y": 3}
    candidate = {"a": 5, "b": -1, "c": 6, "d": 7, "x": -1}
    c = cc.compare(reference, candidate, noise=-1, noise_as="singletons", unmatched="keep")
    assert {without_partner(each)[:4] for each in c.objects()} == {
        ("reference", 0, 2, "matched"),
        ("reference", 1, 1, "matched"),
        ("reference", 3, 1, "missed"),
        ("candidate", 5, 1, "matched"),
        ("candidate", 6, 1, "matched"),
        ("candidate", 7, 1, "invented"),
    }


@every_case("seed", range(8))
@every_case("iou", [0.2, 0.5, 0.75])
def test_noise_points_are_not_objects(seed, iou):
    """As singletons they are listed no more than background is, and are nobody's partner."""
    u, v = np.random.default_rng(seed).integers(0, 6, (2, 14)).tolist()
    u, v = [*u, 0, 1], [*v, 1, 0]  # noise on both sides
    noise = cc.compare(u, v, noise=0, noise_as="singletons").objects(iou=iou)
    background = cc.compare(u, v, reference_noise=ZERO, candidate_noise=ZERO)
    assert sorted(map(without_partner, noise)) == sorted(map(without_partner, background.objects(iou=iou)))
    assert all(each.partner in (*u, *v) and each.partner != 0 for each in noise if each.iou)
    assert noise.counts == background.objects(iou=iou).counts
    precision = background[f"object_precision(iou={iou}, at_threshold='match')"]
    assert noise.counts["matched"] == pytest.approx(precision * len(set(v) - {0}))


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"reference_noise": 0}, "as in {0: 'drop'}"),
        ({"candidate_noise": {0: "away"}}, "'background'"),
        ({"reference_noise": {0: "drop"}, "noise": 0, "noise_as": "drop"}, "pass only one of them"),
        ({"reference_noise": {"0": "drop"}}, "pass it with the type of the labels"),
        ({"reference_noise": {0: "background"}, "candidate_noise": {1: "singletons"}}, "object measures"),
    ],
)
def test_policies_that_are_refused(options, text):
    with pytest.raises(ParameterError, match=text):
        cc.compare([0, 0, 1], [0, 1, 1], **options)


def test_background_is_for_measures_of_objects():
    c = cc.compare([0, 0, 1], [0, 1, 1], reference_noise=ZERO, candidate_noise=ZERO)
    with pytest.raises(UnmatchedError):
        _ = c.adjusted_rand
    assert c.panoptic_quality == 0
    with pytest.raises(ParameterError, match="between 0 and 1"):
        c.objects(iou=1.5)
