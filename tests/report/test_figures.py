"""Charts for papers: legible at the widths of one and two columns, in print and in grey."""

import re
from itertools import combinations

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.text import Text
from not_run import few
from scipy.cluster.hierarchy import linkage

import concordant as cc

mpl.use("Agg")

NAMES = {
    "short": "{}".format,
    "long": "the {} cluster of the customers of 2026, reviewed".format,
    "cjk": "東京都の顧客クラスタの第{}番".format,
}


@pytest.fixture(autouse=True)
def _default_figures():
    """In Matplotlib's own font, unhinted: its widths do not depend on the settings and fonts of a machine."""
    with mpl.rc_context():
        mpl.rcdefaults()
        mpl.rcParams["text.hinting"] = "none"
        yield
    plt.close("all")


def charts(clusters, name):
    """A function that draws each kind of chart of each result, by its name."""
    source = np.random.default_rng(clusters)
    sizes = np.maximum(1, 400 // np.arange(1, clusters + 1) ** 1.5).astype(int)  # a few are large
    truth = np.repeat(np.arange(clusters), sizes)

    def run(noise):
        moved = source.random(len(truth)) < noise
        return np.where(moved, source.integers(0, clusters, len(truth)), truth)

    def labels(codes):
        return [name(code) for code in codes.tolist()]

    sides = {"names": (name("reference"), name("candidate"))}
    c = cc.compare(labels(truth), labels(run(0.3)), **sides)
    runs = {name(i): labels(run(0.4 * i / clusters)) for i in range(clusters)}
    first = next(iter(runs))
    metric, judged = cc.matrix(runs, "rand_distance"), cc.matrix(runs, reference=first)
    # Each run joins what the one before has apart, so a plane holds most of their distances.
    joined = cc.matrix({name(i): labels(np.minimum(truth, i)) for i in range(clusters)}, "rand_distance")
    track = cc.track(dict(list(runs.items())[:5]))
    heights = np.sort(source.random(len(truth) - 1)).tolist()

    def chain(order):
        """A tree that takes up one element after the other."""
        n = len(order)
        rows = [
            [order[0] if i == 0 else n + i - 1, order[i + 1], height, i + 2]
            for i, height in enumerate(heights)
        ]
        return cc.Hierarchy.from_linkage(rows)

    tree, other = chain(range(len(truth))), chain(source.permutation(len(truth)).tolist())
    cuts, two = cc.compare(truth.tolist(), tree), cc.compare(tree, other, **sides)
    leaves = [name(leaf) for leaf in range(40)]
    points = source.normal(size=(40, 2))
    moved = points + 0.2 * source.normal(size=(40, 2))
    faced = cc.compare(
        *(cc.Hierarchy.from_linkage(linkage(each), records=leaves) for each in (points, moved)), **sides
    )
    kinds = ["flow", "table", "sizes", "indices", "verdicts", "worst"]
    drawn = {kind: lambda kind=kind, **o: c.plot(kind, **o) for kind in kinds}
    drawn |= {
        "slices": c.slices(labels(source.integers(0, clusters, len(truth)))).plot,
        "matrix": metric.plot,
        "map": lambda **o: joined.plot("map", **o),
        "ranking": lambda **o: judged.plot("ranking", **o),
        "track": track.plot,
        "curve": lambda **o: cuts.plot("curve", **o),
        "curve by clusters": lambda **o: cuts.plot("curve", x="clusters", **o),
        "precision-recall": lambda **o: cuts.plot("precision_recall", **o),
        "two trees": lambda **o: two.curve("fowlkes_mallows", levels=50).plot(**o),
        "two trees, two indices": lambda **o: faced.plot("curve", **o),
        "grid": lambda **o: two.plot("grid", **o),
        "tanglegram": lambda **o: faced.plot("tanglegram", **o),
    }
    return drawn


def texts_of(figure):
    """All visible texts with their boxes, in pixels."""
    figure.draw_without_rendering()
    renderer = figure.canvas.get_renderer()
    found = [text for text in figure.findobj(Text) if text.get_visible() and text.get_text().strip()]
    ticks = [label for ax in figure.axes for axis in (ax.xaxis, ax.yaxis) for label in _hidden_ticks(axis)]
    return [(text, text.get_window_extent(renderer)) for text in found if text not in ticks]


def _hidden_ticks(axis):
    """Labels of ticks outside of the limits, and of an axis that is off, are not drawn."""
    drawn = axis._update_ticks() if axis.get_visible() and axis.axes.axison else []
    labels = {label for tick in drawn for label in (tick.label1, tick.label2)}
    return [
        label
        for tick in [*axis.get_major_ticks(), *axis.get_minor_ticks()]
        for label in (tick.label1, tick.label2)
        if label not in labels
    ] + ([axis.label] if not axis.axes.axison else [])


def faults(figure):
    boxes, page = texts_of(figure), figure.bbox
    assert boxes
    found = [
        f"{text.get_text()!r} has {text.get_fontsize()} pt" for text, _ in boxes if text.get_fontsize() < 6
    ]
    for text, box in boxes:
        if box.x0 < -1 or box.y0 < -1 or box.x1 > page.x1 + 1 or box.y1 > page.y1 + 1:
            found.append(f"{text.get_text()!r} leaves the figure")
    for (one, a), (other, b) in combinations(boxes, 2):
        wide, tall = min(a.x1, b.x1) - max(a.x0, b.x0), min(a.y1, b.y1) - max(a.y0, b.y0)
        if wide > 1 and tall > 1.5:
            found.append(f"{one.get_text()!r} covers {other.get_text()!r}")
    return found


def lightness(colour, alpha=1.0):
    """The lightness of a colour on white paper, 0 to 100, as a grey print shows it."""
    rgb = 1 - alpha * (1 - np.array(mpl.colors.to_rgb(colour)))
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    y = float(linear @ [0.2126, 0.7152, 0.0722])
    return 116 * np.cbrt(y) - 16 if y > 0.008856 else 903.3 * y


def looks(ax):
    """For each colour of bars, bands, dots and lines: what else distinguishes it."""
    found = {}
    for artist in [*ax.patches, *ax.collections]:
        if len(artist.get_facecolor()) and artist.get_visible():
            face = artist.get_facecolor() if artist in ax.patches else artist.get_facecolor()[0]
            marks = [
                tuple(np.round(path.vertices, 2).ravel()) for path in getattr(artist, "get_paths", list)()
            ]
            shape = marks[0] if type(artist).__name__ == "PathCollection" else None
            found[tuple(face)] = (artist.get_hatch() or "", shape)
    for line in (line for line in ax.lines if line.get_gid() != "branches"):  # which mean nothing by colour
        found[mpl.colors.to_rgba(line.get_color())] = (line.get_linestyle(), line.get_marker())
    return {colour: look for colour, look in found.items() if colour[3] > 0}


# The fewest colours of each kind of chart, for many clusters and for two; heat maps have none of these.
COLOURS = {
    "flow": (7, 4), "table": (0, 0), "sizes": (2, 3), "indices": (2, 2), "verdicts": (5, 2), "worst": (2, 2),
    "slices": (1, 1),
    "matrix": (0, 0), "map": (2, 2), "ranking": (1, 1), "track": (18, 4), "curve": (3, 3),
    "curve by clusters": (3, 3), "precision-recall": (2, 2), "two trees": (3, 3), "grid": (2, 2),
    "two trees, two indices": (5, 5), "tanglegram": (2, 2),
}  # fmt: skip


@pytest.mark.filterwarnings("ignore:Glyph .* missing from font")
@pytest.mark.parametrize(
    ("clusters", "names", "width"), few(2, [(40, "long", 85), (2, "short", 85), (30, "cjk", 180)])
)
def test_names_fit_and_colours_differ_in_grey(clusters, names, width):
    """By 10 of lightness, a hatch, a dash or a marker; the tints of a heat map are ordered by lightness."""
    found, colours = {}, {}
    for kind, draw in charts(clusters, NAMES[names]).items():
        display = draw(width=width)
        figure = display.figure_
        assert figure.get_figwidth() == pytest.approx(width / 25.4)
        if wrong := faults(figure):
            found[kind] = wrong[:3]
        seen = looks(display.ax_)
        colours[kind] = len(seen)
        for (one, a), (other, b) in combinations(seen.items(), 2):
            apart = abs(lightness(one[:3], one[3]) - lightness(other[:3], other[3]))
            assert a != b or apart > 10, (kind, one, other)
        plt.close(figure)
    assert found == {}
    assert set(colours) == set(COLOURS)
    fewer = {kind: n for kind, n in colours.items() if n < COLOURS[kind][clusters == 2]}
    assert fewer == {}


@pytest.mark.parametrize(("width", "leaves"), few(2, [(85, 120), (180, 40), (85, 40), (180, 120)]))
def test_names_of_a_tanglegram_differ_and_are_beside_its_trees(width, leaves):
    source = np.random.default_rng(leaves)
    names = [f"Homo sapiens population {i} of a long name" for i in range(leaves)]
    trees = (
        cc.Hierarchy.from_linkage(linkage(source.normal(size=(leaves, 2)), "average"), records=names)
        for _ in range(2)
    )
    display = cc.compare(*trees).plot("tanglegram", width=width)
    figure = display.figure_
    assert faults(figure) == []
    boxes = [(text.get_text(), box) for text, box in texts_of(figure) if text.get_fontsize() == 6]
    assert len(boxes) >= 20  # some on both sides
    assert len({text for text, _ in boxes}) > leaves / 8
    lines = [(line.get_gid(), line.get_window_extent()) for line in display.ax_.lines]
    left, right = sorted((box for kind, box in lines if kind == "branches"), key=lambda box: box.x0)
    laces = [box for kind, box in lines if kind is None]
    for _, box in boxes:
        is_left = box.x1 < figure.bbox.x1 / 2
        assert (
            left.x1 < box.x0 < box.x1 < laces[0].x0 if is_left else laces[0].x1 < box.x0 < box.x1 < right.x0
        )


def test_saved_files_have_fonts_of_type_42(tmp_path):
    c = cc.compare(list("aaaabbbbcc"), [1, 1, 1, 2, 2, 2, 2, 2, 3, 3])
    before = dict(mpl.rcParams)
    c.plot("flow", width=85).figure_.savefig(tmp_path / "flow.pdf", metadata={"CreationDate": None})
    text = (tmp_path / "flow.pdf").read_bytes()
    assert b"/Type0" in text or b"/TrueType" in text
    assert b"/Type3" not in text
    width, height = map(float, re.search(rb"/MediaBox \[ 0 0 ([\d.]+) ([\d.]+) \]", text).groups())
    assert width == pytest.approx(85 / 25.4 * 72, abs=0.1)
    assert height > 100
    c.plot("sizes", width=85)  # of one font, as each takes a second
    plt.gcf().savefig(tmp_path / "sizes.eps")
    assert b"/FontType 42" in (tmp_path / "sizes.eps").read_bytes()
    assert dict(mpl.rcParams) == before


@pytest.mark.parametrize("width", [10, 5000, "one", True])
def test_widths_that_are_none_are_refused(width):
    with pytest.raises(cc.ConcordantError, match="85"):
        cc.compare([0, 1], [0, 1]).plot("sizes", width=width)
    with pytest.raises(cc.ConcordantError, match=r"width= or ax="):
        cc.compare([0, 1], [0, 1]).plot("sizes", width=85, ax=plt.gca())
