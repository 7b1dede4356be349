"""Label images: arrays of several dimensions, compared voxel by voxel."""

import json
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest
from cases import every_case

import concordant as cc
from concordant.errors import LabelError, NothingLeftError, ParameterError, ShapeError

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "images.json").read_text(encoding="utf-8"))
CASES = {
    name: (np.array(case["truth"]), np.array(case["candidate"])) for name, case in GOLDEN["cases"].items()
}
VOLUME = CASES["volume_3d"]


def ours(name):
    return GOLDEN["cases"][name]["ours"]


@pytest.mark.parametrize("name", CASES)
@pytest.mark.filterwarnings("ignore:.* is an image with the label 0")
def test_golden_values_of_whole_images(name):
    c = cc.compare(*CASES[name])
    errors = ours(name)["consistency_error"]
    covering = ours(name)["covering"]
    bits = ours(name)["vi_ignore_none"]
    expected = {
        "global_consistency_error": errors["gce"],
        "local_consistency_error": errors["lce"],
        "bidirectional_consistency_error": errors["bce"],
        "segmentation_covering": covering["truth_by_candidate"],
        "segmentation_covering_of_candidate": covering["candidate_by_truth"],
    }
    assert c.to_dict(indices=expected) == pytest.approx(expected, abs=1e-12)
    assert c.conditional_entropy_of_candidate == pytest.approx(bits["split_bits"] * np.log(2), abs=1e-12)


@every_case("axes", list(permutations(range(3))))
@every_case("kinds", [("i8", "i8"), ("u1", "u8"), ("i2", "u4")])
def test_memory_order_and_width_make_no_difference(axes, kinds):
    truth, seg = (image.astype(kind) for image, kind in zip(VOLUME, kinds, strict=True))
    laid = np.ascontiguousarray(seg.transpose(axes)).transpose(np.argsort(axes))
    assert laid.shape == seg.shape
    c, plain = cc.compare(truth, laid), cc.compare(truth.ravel(), seg.ravel())
    assert c.to_dict() == plain.to_dict()
    for score in c.records(limit=None):
        assert (score.reference, score.candidate) == (truth[score.record], seg[score.record])
    with_gaps = np.repeat(laid, 2, axis=1)[:, ::-2]
    assert cc.rand(truth[:, ::-1], with_gaps) == plain.rand


def test_coordinates_name_the_voxels():
    truth, seg = VOLUME
    for change in cc.compare(np.asfortranarray(truth), seg).changes(n_examples=30):
        for overlap in change.overlaps:
            assert len(overlap.examples) == overlap.size
            for voxel in overlap.examples:
                assert (truth[voxel], seg[voxel]) == (overlap.reference, overlap.candidate)


def test_a_mask_leaves_out_the_rest():
    truth, seg = VOLUME
    where = truth > 1
    c = cc.compare(truth, np.asfortranarray(seg), where=where)
    assert c.to_dict() == cc.compare(truth[where], seg[where]).to_dict()
    assert "where=mask" in c.signature
    assert "masked=9" in c.signature
    assert all(where[score.record] for score in c.records(limit=None))
    assert cc.rand(truth, seg, where=where) == c.rand
    assert cc.rand([1, 1, 2], [1, 2, 2], where=np.array([True, True, False])) == 0
    dropped = cc.compare(truth, seg, where=where, noise=2, noise_as="drop")
    both = where & (truth != 2) & (seg != 2)
    assert dropped.to_dict() == cc.compare(truth[both], seg[both]).to_dict()


def test_matrix_and_cells_take_images():
    truth, seg = VOLUME
    m = cc.matrix({"truth": truth, "seg": np.asfortranarray(seg)}, "rand")
    assert (
        m["truth", "seg"]
        == cc.rand(truth, seg)
        == cc.Live().add(truth, np.asfortranarray(seg)).compare().rand
    )
    with pytest.raises(ShapeError, match="'seg'"):
        cc.matrix({"truth": truth, "seg": seg[1:]})


TRUTH = np.zeros((4, 3), dtype=int)


@every_case(
    ("sides", "options", "error", "text"),
    [
        ((TRUTH, TRUTH.T), {}, ShapeError, r"\(4, 3\) and the candidate \(3, 4\); .*never broadcast"),
        ((TRUTH, TRUTH[0]), {}, ShapeError, "never broadcast, so give both the same shape$"),
        ((TRUTH, TRUTH.ravel()), {}, ShapeError, "never broadcast, so give both the same shape$"),
        ((list(range(12)), TRUTH), {}, ShapeError, r"\(12,\) and the candidate \(4, 3\)"),
        ((TRUTH, TRUTH / 2), {}, LabelError, "segment them first"),
        ((TRUTH, TRUTH), {"where": TRUTH[0] == 0}, ShapeError, r"mask where= has the shape \(3,\)"),
        ((TRUTH, TRUTH), {"where": TRUTH}, ParameterError, "True and False, not of int64"),
        (
            (TRUTH, TRUTH),
            {"where": TRUTH > 0},
            NothingLeftError,
            "nothing is left .* mask where= leaves out 12 records",
        ),
        (
            (TRUTH, TRUTH),
            {"noise": [0], "noise_as": "drop"},
            ParameterError,
            "for several labels, specify each side",
        ),
        (
            (TRUTH, TRUTH),
            {"noise": 0, "noise_as": "background"},
            ParameterError,
            "pass reference_noise={0: 'background'} and candidate_noise= likewise",
        ),
        (([{1}, {2}], [{2}, {1}]), {"where": [True, False]}, ParameterError, "align by name"),
        (
            (cc.Cover.from_clusters([{1}]), [{1}]),
            {"where": [True]},
            ParameterError,
            "needs labels in memory",
        ),
    ],
)
def test_what_is_refused(sides, options, error, text):
    with pytest.raises(error, match=text):
        cc.compare(*sides, **options)
