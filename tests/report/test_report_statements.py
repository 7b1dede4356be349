"""What pages, terminals, notebooks and figures say is so, and they all say the same."""

import html
import re

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import polars as pl
import pytest
from inner import INDICES, dominant_errors

import concordant as cc
from concordant.errors import NothingLeftError

mpl.use("Agg")

RECORDS = range(1000)
TRUTH = {f"r{i}": i // 10 for i in RECORDS}


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    plt.close("all")


def spoken(comparison, folder):
    """The same comparison as a page, on a terminal and in a notebook, as plain text."""
    page = comparison.to_html(folder / "page.html").read_text(encoding="utf-8")
    page = re.sub(r"<(script|style).*?</\1>", "", page, flags=re.DOTALL)
    return [
        " ".join(html.unescape(re.sub(r"<[^>]+>", " ", text)).split())
        for text in (page, str(comparison), comparison._repr_html_())
    ]


def in_frames(unmatched):
    u = pl.DataFrame({"id": list(TRUTH), "c": list(TRUTH.values())})
    sides = [cc.Partition.from_frame(each, record="id", cluster="c") for each in (u.lazy(), u[:300].lazy())]
    return cc.compare(*sides, unmatched=unmatched)


@pytest.mark.parametrize(
    "comparison",
    [
        cc.compare(TRUTH, {f"r{i}": i // 10 for i in range(300)}, unmatched="drop"),
        cc.compare(
            [*TRUTH.values()], [i // 10 if i < 300 else -1 for i in RECORDS], noise=-1, noise_as="drop"
        ),
        in_frames("drop"),
        cc.compare(
            pl.DataFrame({"t": [*TRUTH.values()], "g": [i // 10 if i < 300 else None for i in RECORDS]}),
            columns=["t", "g"],
            nulls="drop",
        ),
    ],
    ids=["unmatched", "noise", "two frames", "null labels"],
)
def test_identical_on_those_that_were_compared(comparison, tmp_path):
    said = "The candidate and the reference are identical on the 300 of 1,000 records that were compared"
    for text in spoken(comparison, tmp_path):
        assert said in text
        below = text.partition(said)[2].lstrip()
        assert below.startswith("700 records were left out")


def test_what_was_left_out_is_said_of_partitions_that_differ_too(tmp_path):
    other = {f"r{i}": i // 20 for i in range(900)}
    for text in spoken(cc.compare(TRUTH, other, unmatched="drop"), tmp_path):
        assert "900 of 1,000 records were compared; 100 were left out" in text


def test_one_record_was_left_out():
    c = cc.compare({"a": 1, "b": 1, "c": 2}, {"a": 1, "b": 2}, unmatched="drop")
    assert "2 of 3 records were compared; 1 was left out" in str(c)


def test_singletons_are_compared_so_nothing_is_left_out(tmp_path):
    other = {f"r{i}": i // 10 for i in range(300)}
    for text in spoken(cc.compare(TRUTH, other, unmatched="singletons"), tmp_path):
        assert "left out here" not in text or "were left out" not in text
        assert "that were compared" not in text


def light_theme(comparison):
    """The colours of the light theme by their names, which come first."""
    return dict(re.findall(r"--([\w-]+):(#\w{6});", comparison._repr_html_().partition("}")[0]))


def role_matches(comparison):
    """What the changes say of each overlap, in the words of pictures."""
    words = {"core": "core", "absorbed": "part", "broken off": "part", "stray": "stray"}
    return {
        (overlap.reference, overlap.candidate): words[overlap.role]
        for change in comparison.changes(limit=None, n_overlaps=10_000)
        for overlap in change.overlaps
    }


@pytest.mark.parametrize("clusters", [4, 12, 60, 300])
def test_every_picture_has_the_same_matches(clusters):
    source = np.random.default_rng(clusters)
    reference = source.integers(0, clusters, 3000)
    candidate = np.where(source.random(3000) < 0.6, reference // 2, source.integers(0, clusters, 3000))
    comparison = cc.compare(reference, candidate)
    expected, story = role_matches(comparison), comparison._report_data()
    for picture in (story.flow, story.cells):
        for i, row in enumerate(picture.rows):
            for j, column in enumerate(picture.columns):
                if row.is_other or column.is_other:
                    assert picture.match(i, j) == "other"
                elif picture.counts[i, j]:
                    assert picture.match(i, j) == expected[row.label, column.label]
    for cluster in (*story.mixed, *story.split):
        for piece in cluster.pieces:
            ends = (
                (cluster.label, piece.label) if cluster.side == "reference" else (piece.label, cluster.label)
            )
            assert piece.match == expected[ends]


def test_each_match_has_its_colour_in_both_backends():
    comparison = cc.compare(list("aaaaabbbbbccc"), [1, 1, 1, 2, 2, 1, 3, 3, 3, 3, 1, 1, 1])
    picture = comparison._report_data().cells
    assert {picture.match(i, j) for i, j in np.argwhere(picture.counts > 0)} == {"core", "part", "stray"}
    image = comparison.plot("table").ax_.images[0].get_array()
    tones = {}
    for i, j in np.argwhere(picture.counts > 0):
        paleness = 1 - np.asarray(image[i, j])
        tones.setdefault(picture.match(i, j), set()).add(tuple(np.round(paleness / paleness.max(), 2)))
    assert len({min(tone) for tone in tones.values()}) == 3
    assert all(len(tone) == 1 for tone in tones.values())


@pytest.mark.parametrize("seed", range(6))
def test_a_title_names_what_is_drawn_and_the_larger_error(seed):
    source = np.random.default_rng(seed)
    reference = np.array([f"R{x}" for x in source.integers(0, 200, 4000)])
    coarse = source.random(4000) < source.random()
    candidate = np.array(
        [f"C{int(x[1:]) // (3 if c else 1)}" for x, c in zip(reference, coarse, strict=True)]
    )
    comparison = cc.compare(reference, candidate)
    story, pairs = comparison._report_data(), comparison.pairs
    for picture in (story.flow, story.cells):
        drawn = {str(node.label) for node in (*picture.rows, *picture.columns)}
        for title in dominant_errors(story, picture):
            assert set(re.findall(r"\b[RC]\d+\b", title)) <= drawn
            assert ("is split over" in title) == (pairs.n10 >= pairs.n01)


def test_negative_bars_go_left_everywhere(tmp_path):
    comparison = cc.compare([0, 0, 1, 1], [0, 1, 0, 1])
    lines = comparison.to_text(form="terminal", indices=["adjusted_rand"]).splitlines()
    terminal = next(line for line in lines if "adjusted_rand " in line)
    assert "◂███│····" in terminal
    page = comparison.to_html(tmp_path / "page.html").read_text(encoding="utf-8")
    assert '<i class="clipped" title="farther below than is drawn" style="width:' in page
    bars = comparison.plot("indices").ax_.patches
    assert min(bar.get_width() for bar in bars) == -0.25


def test_every_headline_index_has_a_bar():
    comparison = cc.compare(list("aabbccdd"), list("aabbcdcd"))
    names = {tick.get_text() for tick in comparison.plot("indices").ax_.get_yticklabels()}
    assert names == {index.name for index in INDICES.headline if index.sides != "covers"}


@pytest.mark.parametrize("clusters", [2, 9, 20])
def test_random_against_random_is_called_chance(tmp_path, clusters):
    comparison = cc.compare(*np.random.default_rng(0).integers(0, clusters, (2, 20_000)))
    assert abs(comparison.adjusted_rand) < 0.0005
    for text in spoken(comparison, tmp_path):
        assert "are no more similar than chance (ARI 0.000)" in text
    story = comparison._report_data()
    assert list(dominant_errors(story, story.flow)) == []


def test_little_that_is_more_than_chance_is_not_called_chance():
    source = np.random.default_rng(0)
    reference = source.integers(0, 9, 400_000)
    candidate = np.where(source.random(400_000) < 0.05, reference, source.integers(0, 9, 400_000))
    comparison = cc.compare(reference, candidate)
    assert 0.001 < comparison.adjusted_rand < 0.01
    assert comparison.lerman > 10
    assert "are barely more similar than chance" in str(comparison)


@pytest.mark.parametrize(("u", "v"), [("aabb", "wxyz"), ("aabb", "xxxx"), ("aabbcc", "xxyyzw")])
def test_what_cannot_be_otherwise_or_is_alike_is_not_called_chance(u, v):
    assert "than chance" not in str(cc.compare(list(u), list(v)))


@pytest.mark.parametrize("share", [None, "reference", "candidate"])
def test_errors_of_a_table_have_a_scale_without_the_cores(share):
    comparison = cc.compare(
        ["a"] * 100 + ["b"] * 20 + ["c"] * 9, [0] * 70 + [1] * 30 + [1] * 5 + [0] * 15 + [2] * 9
    )
    colours = light_theme(comparison)
    ax = comparison.plot("table", share=share).ax_
    image, picture = ax.images[0].get_array(), comparison._report_data().cells
    shown = {True: {}, False: {}}
    for text in ax.texts:
        j, i = text.get_position()
        match = picture.match(i, j)
        pure = min(mpl.colors.to_rgb(colours[{"core": "agree", "part": "part", "stray": "differ"}[match]]))
        strength = (1 - np.asarray(image[i, j]).min()) / (1 - pure)
        shown[match == "core"][int(text.get_text().rstrip("%"))] = strength
    assert sum(map(len, shown.values())) == 5
    for own in shown.values():
        assert sorted(own, key=own.get) == sorted(own)
        assert max(own.values()) == pytest.approx(1, abs=0.02)


@pytest.fixture(scope="module")
def gathered():
    source = np.random.default_rng(2)
    reference = source.integers(0, 500, 4000)
    return cc.compare(
        reference, np.where(source.random(4000) < 0.9, reference, source.integers(0, 500, 4000))
    )


@pytest.mark.parametrize("kind", ["flow", "table"])
def test_others_are_hatched(gathered, kind):
    ax = gathered.plot(kind).ax_
    assert any(patch.get_hatch() for patch in ax.patches)


def test_others_are_said_not_to_be_to_scale(gathered, tmp_path):
    drawn = [text.get_text() for text in gathered.plot("flow").ax_.texts]
    assert [text for text in drawn if text.endswith(" more")] == ["489 more", "483 more"]  # of 499 each
    assert drawn.count("hatched: not to scale") == 1
    assert len(drawn) == 11 + 17 + 3  # the clusters of each side, the names of the sides, and this line
    page = gathered.to_html(tmp_path / "page.html").read_text(encoding="utf-8")
    assert "are combined and hatched, not drawn to scale" in page


def test_bands_of_others_are_never_blue_or_orange(gathered):
    picture = gathered._report_data().flow
    bands = gathered.plot("flow").ax_.collections
    grey = mpl.colors.to_rgb(light_theme(gathered)["muted"])
    for (i, j), band in zip(np.argwhere(picture.counts > 0), bands, strict=True):
        is_other = picture.rows[i].is_other or picture.columns[j].is_other
        assert is_other == (tuple(band.get_facecolor()[0][:3]) == grey)


@pytest.mark.parametrize(("undefined", "number"), [("convention", "1.0000"), ("nan", "—")])
def test_headline_and_numbers_agree_on_what_is_not_defined(tmp_path, undefined, number):
    comparison = cc.compare([0, 0, 1, 1], [0, 1, 2, 3], undefined=undefined)
    page = comparison.to_html(tmp_path / "page.html").read_text(encoding="utf-8")
    assert f"<b>{number}</b><span>Pairwise precision, by convention</span>" in page or undefined == "nan"
    assert re.search(rf"  precision +{number}  .*  by convention", str(comparison))


@pytest.mark.parametrize("clusters", [1, 3, 40, 5000])
def test_there_is_no_half_cluster_on_the_axis_of_sizes(clusters):
    labels = list(range(clusters))
    drawn = cc.compare(labels, labels).plot("sizes")
    axis = "x" if 2 * clusters < 60 else "y"  # where clusters are few, each is a dot
    ticks = [tick for tick in getattr(drawn.ax_, f"get_{axis}ticks")() if tick or axis == "y"]
    assert ticks
    assert all(float(tick).is_integer() and tick >= 1 for tick in ticks)
    assert not len(drawn.ax_.get_yticks(minor=True))


def test_nothing_compared_is_called_a_convention():
    c = cc.compare([], [])
    assert c.adjusted_rand == 1.0
    assert "adjusted_rand" in c.undefined
    assert {name for name in c if INDICES[name].perfect is not None} <= {*c.undefined}
    assert "by convention" in str(c)
    assert "█" not in str(c)
    with pytest.raises(NothingLeftError, match="no records"):
        c.adjusted("bcubed_f")
