"""Colours that carry meaning are told apart by every colour vision, in both themes: computed, not claimed."""

import re
from itertools import combinations

import numpy as np
import pytest

import concordant as cc

LEAST = 15  # CIEDE2000
# Of linear RGB, for full severity: Machado, Oliveira and Fernandes (2009), A Physiologically-based Model for
# Simulation of Color Vision Deficiency, IEEE Transactions on Visualization and Computer Graphics 15, table 1.
VISIONS = {
    "normal": np.eye(3),
    "protanopia": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "deuteranopia": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "tritanopia": [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ],
}
XYZ = np.array(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]
)
MATCHES = "core", "part", "stray"
VERDICTS = "exact", "nearly", "split", "merged", "split-and-merged", "scattered"
VISION = pytest.mark.parametrize("vision", VISIONS)


@pytest.fixture(scope="module")
def style(tmp_path_factory):
    """The style of a page."""
    page = cc.compare(list("aab"), list("abb")).to_html(tmp_path_factory.mktemp("page") / "page.html")
    return page.read_text(encoding="utf-8").partition("<style>")[2].partition("</style>")[0]


@pytest.fixture(scope="module", params=["light", "dark"])
def theme(request, style):
    """The colours of a theme by their names."""
    rule = re.search(rf":root\[data-theme={request.param}\]\{{(.*?)\}}", style)[1]
    return dict(re.findall(r"--([\w-]+):(#[0-9a-f]{6});", rule))


def rgb(colour):
    return np.array([int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)])


def linear(values):
    return np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)


def lab(values, vision="normal"):
    """CIELAB of sRGB values (D65), as this vision sees them."""
    seen = np.clip(np.asarray(VISIONS[vision]) @ linear(values), 0, 1)
    ratios = XYZ @ seen / XYZ.sum(axis=1)
    x, y, z = np.where(ratios > (6 / 29) ** 3, np.cbrt(ratios), ratios * (29 / 6) ** 2 / 3 + 4 / 29)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def ciede2000(one, other):
    """After Sharma, Wu and Dalal (2005), Color Research & Application 30, 21-30."""
    (light1, a1, b1), (light2, a2, b2) = one, other
    chroma = (np.hypot(a1, b1) + np.hypot(a2, b2)) / 2
    stretch = 1.5 - 0.5 * np.sqrt(chroma**7 / (chroma**7 + 25**7))
    chroma1, chroma2 = np.hypot(a1 * stretch, b1), np.hypot(a2 * stretch, b2)
    hue1 = np.degrees(np.arctan2(b1, a1 * stretch)) % 360
    hue2 = np.degrees(np.arctan2(b2, a2 * stretch)) % 360
    turn = (hue2 - hue1 + 180) % 360 - 180 if chroma1 * chroma2 else 0.0
    hue = (hue1 + turn / 2) % 360 if chroma1 * chroma2 else hue1 + hue2
    light, chroma = (light1 + light2) / 2, (chroma1 + chroma2) / 2

    def cosine(degrees):
        return np.cos(np.radians(degrees))

    weight = (
        1
        - 0.17 * cosine(hue - 30)
        + 0.24 * cosine(2 * hue)
        + 0.32 * cosine(3 * hue + 6)
        - 0.20 * cosine(4 * hue - 63)
    )
    lightness = (light2 - light1) / (1 + 0.015 * (light - 50) ** 2 / np.sqrt(20 + (light - 50) ** 2))
    saturation = (chroma2 - chroma1) / (1 + 0.045 * chroma)
    tone = 2 * np.sqrt(chroma1 * chroma2) * np.sin(np.radians(turn / 2)) / (1 + 0.015 * chroma * weight)
    rotation = 60 * np.exp(-(((hue - 275) / 25) ** 2))
    crossed = -2 * np.sqrt(chroma**7 / (chroma**7 + 25**7)) * np.sin(np.radians(rotation))
    return float(np.sqrt(lightness**2 + saturation**2 + tone**2 + crossed * saturation * tone))


def too_near(colours, vision):
    seen = {name: lab(values, vision) for name, values in colours.items()}
    return {
        (one, other): round(found, 1)
        for one, other in combinations(seen, 2)
        if (found := ciede2000(seen[one], seen[other])) < LEAST
    }


def contrast(one, other):
    """As WCAG 2 defines it."""
    low, high = sorted(float(np.array([0.2126, 0.7152, 0.0722]) @ linear(rgb(each))) for each in (one, other))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize(
    ("one", "other", "difference"),
    [
        ((50, 2.6772, -79.7751), (50, 0, -82.7485), 2.0425),
        ((50, 2.5, 0), (50, 0, -2.5), 4.3065),
        ((50, 2.5, 0), (58, 24, 15), 19.4535),
        ((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387), 1.2644),
        ((2.0776, 0.0795, -1.1350), (0.9033, -0.0636, -0.5514), 0.9082),
    ],
)
def test_the_difference_is_that_of_the_published_examples(one, other, difference):
    assert ciede2000(one, other) == pytest.approx(difference, abs=5e-5)


@VISION
def test_colours_that_carry_meaning_differ(theme, vision):
    """Verdicts, overlaps, the two sides, and the ground that they are on."""
    names = (
        "card",
        "agree",
        "part",
        "differ",
        "nearly",
        "split",
        "split-and-merged",
        "scattered",
        "reference",
        "candidate",
    )
    assert too_near({name: rgb(theme[name]) for name in names}, vision) == {}


def test_verdicts_and_overlaps_have_these_colours(style):
    """On pages and in notebooks."""
    verdicts = dict(re.findall(r"\.verdict-([\w-]+) \{ --of: var\(--([\w-]+)\)", style))
    assert verdicts == {word: word for word in VERDICTS} | {"exact": "agree", "merged": "differ"}
    source = np.random.default_rng(1)
    truth = source.integers(0, 60, 600)
    found = np.where(
        source.random(600) < 0.3, source.integers(0, 60, 600), np.where(truth % 3, truth, truth // 6)
    )
    notebook = cc.compare(truth, np.where(truth % 7, found, 1000 + truth))._repr_html_()
    legend = re.findall(r'background:var\(--([\w-]+),#\w{6}\)"></span> \d+ ([a-z ]+) ', notebook)
    assert {word.replace(" ", "-"): colour for colour, word in legend} == verdicts
    matches = dict(re.findall(r"\.drawing \.(\w+) \{ fill: var\(--(\w+)\)", style))
    assert [matches[match] for match in MATCHES] == ["agree", "part", "differ"]


@VISION
def test_bands_differ_as_they_are_painted(style, theme, vision):
    """They are translucent, so what lies below them is seen, too."""
    ground = rgb(theme["card"])
    opacity = dict(re.findall(r"\.band\.(\w+) \{ fill-opacity: ([\d.]+)", style))
    painted = {
        match: float(opacity[match]) * rgb(theme[colour]) + (1 - float(opacity[match])) * ground
        for match, colour in zip(MATCHES, ("agree", "part", "differ"), strict=True)
    }
    assert too_near(painted | {"card": ground}, vision) == {}


@VISION
def test_hues_of_things_of_equal_rank_differ(theme, vision):
    hues = [colour for name, colour in theme.items() if name.startswith("hue-")]
    assert len(hues) >= 8
    assert too_near({colour: rgb(colour) for colour in (theme["card"], *hues)}, vision) == {}


def test_text_is_legible(theme):
    for ground in ("paper", "card"):
        for text in ("ink", "muted", "agree", "differ"):
            assert contrast(theme[text], theme[ground]) >= 4.5, (text, ground)
    for colour in ("agree", "part", "differ"):  # bars with names on them
        assert contrast(theme[colour], theme["on-part" if colour == "part" else "card"]) >= 4.5, colour
