"""The page of label images: the worst clusters cropped from both images and from what was segmented."""

import base64
import re
import struct
import zlib

import numpy as np
import pytest

import concordant as cc
from concordant.errors import InputError

TRUTH = np.zeros((30, 40), dtype=np.uint16)
TRUTH[2:10, 2:12], TRUTH[14:24, 5:30] = 1, 2
SEG = np.zeros((30, 40), dtype=np.int64)
SEG[2:10, 2:12], SEG[14:24, 5:18], SEG[14:24, 18:30] = 7, 8, 9
ZERO = {0: "background"}
SIDES = {"reference_noise": ZERO, "candidate_noise": ZERO}


def page(tmp_path, *sides, options=None, **shown):
    return cc.compare(*sides, **(options or {})).to_html(tmp_path / "p.html", **shown).read_text("utf-8")


def crops(html):
    return re.findall(r'<figure class="crop">.*?</figure>', html)


def pixels(figure):
    """The pictures of a figure, each as an array of places in its palette, or of greys."""
    for data in re.findall(r"data:image/png;base64,([A-Za-z0-9+/=]+)", figure):
        png = base64.b64decode(data)
        width, height, depth, kind = struct.unpack(">IIBB", png[16:26])
        length = struct.unpack(">I", png[png.index(b"IDAT") - 4 : png.index(b"IDAT")])[0]
        lines = zlib.decompress(png[png.index(b"IDAT") + 4 :][:length])
        if depth == 8:
            yield kind, np.frombuffer(lines, np.uint8).reshape(height, width + 1)[:, 1:]
        else:
            yield kind, np.empty((height, width))


def inner(numbers):
    """Which pixels, other than those at the edge of the image, have four neighbours of the same number."""
    own = numbers[1:-1, 1:-1]
    sides = numbers[:-2, 1:-1], numbers[2:, 1:-1], numbers[1:-1, :-2], numbers[1:-1, 2:]
    return np.all([own == side for side in sides], axis=0)


def test_the_worst_object_is_cropped_from_both_images(tmp_path):
    html = page(tmp_path, TRUTH, SEG, options=SIDES, raw=TRUTH / 7)
    whole = html.partition('<figure class="whole">')[2].partition("</figure>")[0]
    for (_, places), numbers, wrong in zip(pixels(whole), (TRUTH, SEG), ({2}, {8, 9}), strict=True):
        # The image that was segmented, and edges of wrong objects in the colour of their verdict.
        assert places.shape == numbers.shape
        coloured = (places > 3) & (places < 9)
        assert set(numbers[coloured].tolist()) == wrong
        assert not coloured[1:-1, 1:-1][np.isin(numbers, [*wrong])[1:-1, 1:-1] & inner(numbers)].any()
    figure, *others = crops(html)
    assert not others  # the other object is right, and background is none
    text = re.sub("<[^>]*>", "", figure)
    assert "Reference object 2 is split over candidate objects 8 and 9" in text
    assert "rows 12 to 25, columns 1 to 33" in figure
    (_, left), (_, right), (kind, grey) = pixels(figure)
    assert left.shape == right.shape == grey.shape == (14, 33)
    inside = TRUTH[12:26, 1:34] == 2
    assert len(np.unique(left[inside])) == 1
    assert len(np.unique(right[inside])) == 2
    assert not left[~inside].any()
    assert kind == 0
    assert "<script" not in figure
    assert "8: 130 pixels9: 120 pixels" in text


def test_of_a_volume_the_slice_with_most_voxels_is_shown(tmp_path):
    truth, seg = (np.stack([image] * 3) for image in (TRUTH, SEG))
    truth[0, 14:18], truth[2] = 0, 0
    for laid in (truth, np.asfortranarray(truth)):
        html = page(tmp_path, laid, seg, options={"where": truth > 0})
        assert "slice 1, rows 12 to 25" in crops(html)[0]


def test_of_a_large_image_every_few_pixels_are_shown(tmp_path):
    large = [np.kron(side, np.ones((60, 60), np.uint8)) for side in (TRUTH, SEG)]
    html = page(tmp_path, *large, options=SIDES, raw=large[0] / 7)
    figure = crops(html)[0]
    assert "The pictures show one pixel in 3 along each edge" in html
    assert "8: 468,000 pixels9: 432,000 pixels" in re.sub("<[^>]*>", "", figure)
    first, last, left, right = map(
        int, re.search(r"rows (\d+) to (\d+), columns (\d+) to (\d+)", figure).groups()
    )
    assert (first, left) < (14 * 60, 5 * 60) < (24 * 60, 30 * 60) < (last, right) < (27 * 60, 35 * 60)
    assert len({each.shape for _, each in pixels(figure)}) == 1


def test_crops_stay_within_the_budget(tmp_path):
    assert not crops(page(tmp_path, TRUTH, SEG, options=SIDES, budget=500))
    large = np.kron(TRUTH, np.ones((30, 30), int)), np.kron(SEG, np.ones((30, 30), int))
    html = page(tmp_path, *large, options=SIDES)
    assert max(pixels(crops(html)[0]), key=lambda each: each[1].size)[1].shape <= (96, 96)
    assert not crops(page(tmp_path, TRUTH.ravel(), SEG.ravel()))


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (TRUTH[1:], "has the shape"),
        (5, "of the shape of the labels"),
        (np.full(TRUTH.shape, np.nan), "finite"),
    ],
)
def test_what_is_no_raw_image(tmp_path, raw, text):
    with pytest.raises(InputError, match=text):
        page(tmp_path, TRUTH, SEG, options=SIDES, raw=raw)


def test_a_raw_image_needs_label_images(tmp_path):
    with pytest.raises(InputError, match="these labels are not images"):
        page(tmp_path, TRUTH.ravel(), SEG.ravel(), raw=TRUTH)
    colours = np.stack([TRUTH] * 3, axis=-1)
    assert crops(page(tmp_path, TRUTH, SEG, options=SIDES, raw=colours))
