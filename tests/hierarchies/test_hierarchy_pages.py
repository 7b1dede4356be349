"""The pages and charts of hierarchies: each number in a sentence is that of the API."""

import re
from html import unescape

import matplotlib as mpl
import numpy as np
import polars as pl
import pytest
from inner import FacingTrees, data_of, thinned
from scipy.cluster.hierarchy import linkage

import concordant as cc
from concordant.errors import ParameterError

mpl.use("Agg")

SOURCE = np.random.default_rng(2)
TRUTH = {f"r{i}": f"E{i // 3}" for i in range(300)}


def scored(right=0.9, wrong=120):
    """Pairs of neighbours that mostly belong together, and some at random."""
    pairs = [(i, i + 1, SOURCE.beta(5, 2)) for i in range(299) if i % 3 < 2 and SOURCE.random() < right]
    pairs += [(*SOURCE.choice(300, 2, replace=False).tolist(), SOURCE.beta(1.5, 4)) for _ in range(wrong)]
    frame = pl.DataFrame(
        {
            "id_l": [f"r{i}" for i, _, _ in pairs],
            "id_r": [f"r{j}" for _, j, _ in pairs],
            "p": [s for *_, s in pairs],
        }
    )
    return cc.Hierarchy.from_pairs(frame, left="id_l", right="id_r", score="p")


@pytest.fixture(scope="module")
def found():
    return cc.compare(TRUTH, scored(), unmatched="singletons")


def shown(value):
    return f"{value:.4f}"


def text_of(path):
    page = re.sub(r"<(script|style).*?</\1>", " ", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]*>", " ", page)))


@pytest.mark.parametrize("index", ["f_measure", "adjusted_rand", "jaccard"])
def test_the_first_screen_has_the_best_threshold_and_its_neighbours(found, tmp_path, index):
    text = text_of(found.to_html(tmp_path / "page.html", indices=["precision", index, "recall"]))
    best, curve = found.best_cut(index), found.curve(index)

    def level_at(place):
        return found.candidate.level_at(threshold=float(re.search(place, text)[1]))

    assert level_at(rf"is best at threshold (\S+): {shown(best.value)}") == best.level
    assert f"It makes {best.n_clusters:,} clusters" in text
    for level in (best.level - 1, best.level + 1):
        assert level_at(rf"{shown(curve.to_numpy()[level])} at threshold ([\d.]*\d)") == level
    assert "it has no interval of its own" in text
    at = found.at(threshold=best.threshold)
    for name in ("precision", "recall"):
        assert f"{shown(at[name])} Pairwise {name}" in text
    assert f"{shown(found.dendrogram_purity)} Dendrogram purity" in text
    assert f"{shown(found.tree_f1)} Tree F" in text


def test_a_page_reports_whether_the_tree_or_the_threshold_limits(found, tmp_path):
    pruning = found.best_pruning("f_measure")
    assert 1 - pruning.value < pruning.value - pruning.best_cut
    text = text_of(found.to_html(tmp_path / "page.html"))
    assert "The threshold limits the value more than the hierarchy" in text
    assert f"give {shown(pruning.value)}, and the best cut gives {shown(pruning.best_cut)}" in text
    # A tree that joins strangers first.
    tree = cc.Hierarchy.from_linkage([[0, 2, 0.1, 2], [1, 3, 0.2, 2], [4, 5, 0.9, 4]])
    text = text_of(cc.compare(list("aabb"), tree).to_html(tmp_path / "page.html"))
    assert "The hierarchy limits the value, not the height" in text
    # One that has every true cluster, but at no height all of them.
    tree = cc.Hierarchy.from_nested([[0, 1], [2, [3, 4]]])
    t = cc.compare({0: "a", 1: "b", 2: "c", 3: "c", 4: "c"}, tree)
    assert t.best_pruning("f_measure").value == 1 > t.best_cut("f_measure").value
    assert "The height limits the value, not the hierarchy" in text_of(t.to_html(tmp_path / "page.html"))
    tree = cc.Hierarchy.from_nested([[0, 1], [2, 3]])
    text = text_of(cc.compare(dict(enumerate("aabb")), tree).to_html(tmp_path / "page.html"))
    assert "Neither the hierarchy nor the height limits" in text


def test_indices_without_a_best_pruning_or_a_direction_have_a_page(found, tmp_path):
    text = text_of(found.to_html(tmp_path / "page.html", indices=["bcubed_f"]))
    assert "limits" not in text
    assert shown(found.best_cut("bcubed_f").value) in text


def test_the_table_has_the_cuts_around_the_best_and_marks_lead_to_it(found, tmp_path):
    page = found.to_html(tmp_path / "page.html").read_text(encoding="utf-8")
    best = found.best_cut("f_measure").level
    rows = [int(level) for level in re.findall(r'<tr id="cut(\d+)"', page)]
    assert rows == sorted(rows)
    assert set(range(best - 5, best + 6)) <= set(rows)
    assert {int(level) for level in re.findall(r'href="#cut(\d+)"', page)} <= set(rows)
    left_out = len(found.curve("f_measure")) - len(rows)
    assert f"{left_out:,} other cuts are not listed" in page


def test_levels_are_those_of_the_curves_and_of_the_table(found, tmp_path):
    page = found.to_html(
        tmp_path / "page.html", indices=["normalised_information_distance", "f_measure"], levels=7
    )
    html, text = page.read_text(encoding="utf-8"), text_of(page)
    curve, best = found.curve("nid", levels=7), found.best_cut("nid", levels=7)
    assert f"Of 7 cuts, Normalised information distance is best at threshold {best.threshold:.6g}" in text
    cuts = len(data_of(found.candidate).level_heights) + 1
    assert f"{cuts - 7:,} cuts are not shown" in text
    assert f"{cuts - 7:,} other cuts are not listed" in text
    assert len(re.findall(r'<tr id="cut\d+">', html)) == 7
    place = curve.to_numpy().tolist().index(best.value)
    assert f"{shown(curve.to_numpy()[place - 1])} at threshold" in text
    assert "the nearest cuts that are shown have" in text
    whole = text_of(found.to_html(tmp_path / "page.html"))
    assert "not shown" not in whole
    for bad in (0, True, 2.5):
        with pytest.raises(ParameterError, match="number of levels"):
            found.to_html(tmp_path / "page.html", levels=bad)
    assert found.to_frame("polars", indices="nid", levels=7)["value"].to_list() == curve.to_numpy().tolist()


def test_levels_of_two_trees_are_those_of_the_grid_too(tmp_path):
    trees = [linkage(SOURCE.normal(size=(150, 3)), "average") for _ in range(2)]
    c = cc.compare(*map(cc.Hierarchy.from_linkage, trees))
    text = text_of(c.to_html(tmp_path / "page.html", levels=12))
    assert "Among cuts into at most 12 and 12 clusters" in text
    assert "The curve leaves out 138 numbers of clusters" in text
    assert "138 other cuts are not listed" in text
    assert c.to_frame("polars", levels=12).height == 12 * 4
    assert "at most 100 and 100 clusters" in text_of(c.to_html(tmp_path / "page.html", levels=140))


def test_two_trees_name_the_best_pair_of_cuts(tmp_path):
    u, v = scored(), scored(right=0.8)
    h = cc.compare(u, v, unmatched="drop", names=("old", "new"))
    text = text_of(h.to_html(tmp_path / "page.html"))
    fewest = [
        h.cuts("rand", n_clusters=10**6, candidate_n_clusters=10**6).reference[-1],
        h.cuts("rand", n_clusters=10**6, candidate_n_clusters=10**6).candidate[-1],
    ]
    best = h.cuts(
        "adjusted_rand", n_clusters=int(fewest[0]) + 59, candidate_n_clusters=int(fewest[1]) + 59
    ).best()
    clusters = f"{best.reference:,} and {best.candidate:,} clusters"
    assert f"most similar cuts have {clusters}: Adjusted Rand index {shown(best.value)}" in text
    assert "pointwise" in text
    left_out = len(set(u.records) ^ set(v.records))
    assert f"{left_out:,} were left out" in text


def linked(source, size):
    """Merges in any order."""
    roots, rows, sizes = list(range(size)), [], [1] * size
    for i in range(size - 1):
        one, other = (roots.pop(int(source.integers(len(roots)))) for _ in range(2))
        sizes.append(sizes[one] + sizes[other])
        rows.append([one, other, i + 1.0, sizes[-1]])
        roots.append(size + i)
    return cc.Hierarchy.from_linkage(rows)


def test_the_page_of_two_trees_has_their_indices_and_the_clusters_lost(tmp_path):
    sides = [linked(np.random.default_rng(seed), 30) for seed in (1, 2)]
    h = cc.compare(*sides, names=("old", "new"))
    text = text_of(h.to_html(tmp_path / "page.html"))
    changes = h.changes()
    own = changes.n_kept + changes.n_lost
    assert f"{changes.n_kept} of {own} old clusters" in text
    assert f"{changes.n_lost} old clusters lost" in text
    for name in ("cophenetic_correlation", "bakers_gamma"):
        chance = h.significance(name, method="gamma")
        assert f"{shown(h[name])} " in text
        assert f"by chance 0 ± {shown(chance.sd)}" in text
    drawn = h.tanglegram()
    said = f"{drawn.crossings} crossings and an entanglement of {shown(drawn.entanglement)}"
    assert f"{said} describe this drawing, not the hierarchies" in text
    first = max(changes.lost, key=lambda each: each.size)
    assert f"{first.size} {first.nearest_size} {first.overlap} {shown(first.f1)}" in text


def test_each_node_of_a_tanglegram_spans_its_own_leaves():
    source = np.random.default_rng(3)
    u, v = linked(source, 40), linked(source, 40)
    drawing = cc.compare(u, v).tanglegram()
    trees = FacingTrees(drawing, ("u", "v"))
    first, second = trees.places()
    for side, (tree, places) in enumerate(((u, first), (v, second))):
        place_of = dict(zip(drawing._records, places.tolist(), strict=True))
        bars = trees.branches(side)[1]
        assert len(bars) == 39
        # The places of the leaves below each node are neighbours, and the bar is within them.
        below = {leaf: [place_of[leaf]] for leaf in range(40)}
        for node, parent in enumerate(data_of(tree).parent.tolist()):
            below.setdefault(node, [])
            if parent >= 0:
                below.setdefault(parent, []).extend(below[node])
        for node, (_, low, high) in zip(range(40, 79), bars, strict=True):
            own = sorted(below[node])
            assert own == list(range(own[0], own[-1] + 1))
            assert own[0] <= low < high <= own[-1]


def test_a_tanglegram_of_too_many_lines_is_refused():
    source = np.random.default_rng(4)
    h = cc.compare(linked(source, 900), linked(source, 900))
    with pytest.raises(cc.ConcordantError, match="2 to 250 lines"):
        h.plot("tanglegram")
    same = linked(source, 900)
    assert cc.compare(same, same).plot("tanglegram").ax_.texts


def test_a_long_curve_keeps_its_extremes():
    values = np.cumsum(SOURCE.normal(size=10**6))
    values[123_456] = np.nan
    places = np.linspace(0, 400, 10**6)
    kept = thinned(places, values, [77_777])
    assert len(kept) <= 4 * 401 + 1
    assert {0, 77_777, 10**6 - 1} <= set(kept.tolist())
    column = np.floor(places).astype(int)
    for each in (0, 57, 399):
        own = values[column == each]
        drawn = values[kept[column[kept] == each]]
        assert (drawn.min(), drawn.max()) == (np.nanmin(own), np.nanmax(own))


def test_charts_mark_the_best_and_name_their_axes(found):
    best = found.best_cut("f_measure")
    ax = found.curve("f_measure").plot().ax_
    marked = [line.get_xydata()[0].tolist() for line in ax.lines if len(line.get_xydata()) == 1]
    assert marked == [[best.threshold, best.value]]
    assert ax.get_xlabel() == "threshold"
    ax = found.plot("curve", indices=["f_measure", "adjusted_rand"], x="clusters").ax_
    assert ax.get_xlabel() == "number of clusters"
    assert ax.get_xscale() == "linear"  # 100 to 300 clusters are no decades
    assert [t.get_text().partition(":")[0] for t in ax.get_legend().get_texts()] == [
        "f_measure",
        "adjusted_rand",
    ]
    ax = found.plot("precision_recall").ax_
    marks = [t.get_text() for t in ax.texts if t.get_text().startswith("best ")]
    assert found.candidate.level_at(threshold=float(marks[0].removeprefix("best "))) == best.level


def test_charts_that_do_not_fit_are_refused(found):
    h = cc.compare(scored(), scored(), unmatched="drop")
    with pytest.raises(ParameterError, match="'curve' or 'precision_recall'"):
        found.plot("grid")
    with pytest.raises(ParameterError, match="'curve', 'grid' or 'tanglegram'"):
        h.plot("precision_recall")
    with pytest.raises(ParameterError, match="'threshold' or 'clusters'"):
        found.curve("rand").plot(x="height")
    with pytest.raises(ParameterError, match="1 to 6"):
        found.plot(indices=[])
    with pytest.raises(ParameterError, match="one index"):
        h.plot("grid", indices=["rand", "jaccard"])
    with pytest.raises(ParameterError, match="axes"):
        found.plot("precision_recall", x="clusters")


def test_notebooks_show_the_picture(found):
    for result in (found, found.curve("rand"), cc.compare(scored(), scored(), unmatched="drop").cuts("rand")):
        text = result._repr_html_()
        assert '<svg class="drawing"' in text
        assert "<table>" in text


def test_a_curve_shows_all_cuts_with_the_best_value(tmp_path):
    tree = cc.Hierarchy.from_linkage([[0, 1, 0.1, 2], [2, 3, 0.1, 2], [4, 5, 0.9, 4]])
    c = cc.compare(list("aabb"), tree)
    html = c.to_html(tmp_path / "page.html").read_text(encoding="utf-8")
    assert ">recall: best 1.0000 at height 0.1 to 0.9</text>" in html
    assert html.count("recall 1.0000, the best\n") == 2 * 2  # wide and narrow
