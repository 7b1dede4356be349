"""Single charts, drawn with Matplotlib."""

import re
import subprocess
import sys
from typing import get_args, get_type_hints

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pytest

import concordant as cc
from concordant.errors import MissingExtraError, ParameterError, TableNeededError

mpl.use("Agg")

CHARTS = "verdicts", "worst", "flow", "table", "sizes", "indices"


@pytest.fixture
def mixed():
    return cc.compare(list("aaaabbbbcc"), [1, 1, 1, 2, 2, 2, 2, 2, 3, 3])


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    plt.close("all")


def texts_of(display):
    return [text.get_text() for text in display.ax_.texts]


@pytest.mark.parametrize("kind", CHARTS)
def test_every_kind_is_a_display(mixed, kind):
    display = mixed.plot(kind)
    assert display.ax_.figure is display.figure_
    display.figure_.canvas.draw()


def test_a_display_draws_on_given_axes(mixed):
    figure, (left, right) = plt.subplots(1, 2)
    assert mixed.plot("table", ax=left).ax_ is left
    assert mixed.plot("flow", ax=right).figure_ is figure
    assert not right.axison


def test_the_flow_carries_every_record(mixed):
    bars = mixed.plot("flow").ax_.patches
    assert [bar.get_height() for bar in bars] == [4, 4, 2, 3, 5, 2]
    assert len(mixed.plot("flow").ax_.collections) == len(mixed.table)


def test_the_table_holds_every_count_once(mixed):
    assert sorted(map(int, texts_of(mixed.plot("table")))) == sorted(cell.overlap for cell in mixed.table)


def test_the_table_has_a_colour_bar_for_cores_and_one_for_errors(mixed):
    def ends(share):
        bars = mixed.plot("table", share=share).ax_.child_axes
        return [[tick.get_text() for tick in bar.get_xticklabels()] for bar in bars]

    assert ends(None) == [["0", "4 (cores)"], ["0", "1 (other cells)"]]
    assert ends("reference") == [["0", "100% (cores)"], ["0", "25% (other cells)"]]
    same = cc.compare([1, 1, 2], [1, 1, 2]).plot("table").ax_.child_axes
    assert len(same) == 1


@pytest.mark.parametrize(("share", "axis"), [("reference", 1), ("candidate", 0)])
def test_shares_add_up_to_one(mixed, share, axis):
    cells = np.zeros((3, 3))
    for text in mixed.plot("table", share=share).ax_.texts:
        j, i = text.get_position()
        cells[i, j] = int(text.get_text().rstrip("%"))
    assert (cells.sum(axis=axis) == 100).all()


def test_the_diagonal_shows():
    """Shuffled names of the same clusters are on the diagonal."""
    source = np.random.default_rng(1)
    reference = source.integers(0, 12, 2000)
    candidate = np.array([f"c{i}" for i in source.permutation(12)])[reference]
    texts = cc.compare(reference, candidate).plot("table").ax_.texts
    assert [text.get_position() for text in texts] == [(i, i) for i in range(12)]


def test_linked_clusters_stand_side_by_side_where_names_have_no_order():
    reference = ["north"] * 20 + ["oak"] * 20 + ["south"] * 20 + ["pine"] * 20
    candidate = (
        ["N"] * 15 + ["S"] * 5 + ["o"] * 15 + ["p"] * 5 + ["S"] * 16 + ["N"] * 4 + ["p"] * 14 + ["o"] * 6
    )
    axis = [tick.get_text() for tick in cc.compare(reference, candidate).plot("table").ax_.get_yticklabels()]
    assert abs(axis.index("north") - axis.index("south")) == 1
    assert abs(axis.index("oak") - axis.index("pine")) == 1


def test_the_costliest_cluster_is_always_drawn():
    reference = np.arange(30_000) // 3
    candidate = reference.copy()
    candidate[1000:1100] = 7777
    assert "7777" in texts_of(cc.compare(reference, candidate).plot("flow"))


def test_sizes_count_every_cluster():
    dots = cc.compare(np.arange(5000) // 7, np.arange(5000) // 100).plot("sizes").ax_.lines
    assert [np.nansum(side.get_ydata()) for side in dots] == [715, 50]


def test_few_clusters_of_a_size_have_lines_to_be_read_at():
    few, many = (cc.compare(list(range(n)), list(range(n))) for n in (50, 500))
    ticks = [each.plot("sizes").ax_.get_yticks().tolist() for each in (few, many)]
    assert ticks == [[1, 2, 5, 10, 20, 50], [1, 10, 100]]


def test_few_clusters_are_a_dot_each():
    display = cc.compare(list("aaaabbbbcd"), list("1112233444")).plot("sizes")
    shown = [sorted(each.get_xdata()) for each in display.ax_.get_lines()[:2]]
    assert shown == [[1, 1, 4, 4], [2, 2, 3, 3]]


def test_one_cluster_alone_is_not_gathered_as_other():
    assert not any("more" in text for text in texts_of(cc.compare(range(17), range(17)).plot("flow")))


def test_of_nothing_the_sizes_are_empty_axes():
    cc.compare([], []).plot("sizes").figure_.canvas.draw()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"kind": "flows"}, "did you mean 'flow'"),
        ({"kind": "pie"}, "use 'verdicts', 'worst', 'flow', 'table', 'sizes' or 'indices'"),
        ({"kind": "flow", "share": "reference"}, "applies to the table"),
        ({"kind": "table", "share": "row"}, "share='row'"),
        ({"kind": "flow", "ax": 3}, "not Matplotlib axes"),
    ],
)
def test_bad_options_are_refused(mixed, options, said):
    with pytest.raises(ParameterError, match=said):
        mixed.plot(**options)


def test_names_that_cannot_be_drawn_are_refused():
    with pytest.raises(ParameterError, match="reference, candidate, as strings"):
        cc.compare(list("aab"), list("xyy"), names=("a", "b", "c"))


@pytest.mark.parametrize("kind", ["flow", "table"])
def test_sizes_alone_have_no_overlaps_to_draw(sizes_alone, kind):
    comparison = sizes_alone("aaaa", "xxyy")
    with pytest.raises(TableNeededError, match="made from sizes alone"):
        comparison.plot(kind)
    with pytest.raises(TableNeededError, match="has no records"):
        cc.compare([], []).plot(kind)
    assert comparison.plot("sizes").ax_.lines


def test_a_missing_library_names_its_extra(mixed, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(MissingExtraError, match=r"concordant\[plot\]"):
        mixed.plot("flow")


def test_hostile_labels_do_not_break_figures():
    labels = ["$x^$", "<b>", "%{x}", "a\nb", "ש", "x" * 5000, "\ud800", "{}"]
    comparison = cc.compare([x for x in labels for _ in range(2)], [labels[i // 3] for i in range(16)])
    for kind in ("flow", "table"):
        comparison.plot(kind).figure_.canvas.draw()


def test_huge_counts_are_drawn(tmp_path):
    comparison = cc.Comparison.from_contingency([[10**20, 1], [0, 10**20]])
    assert "100,000,000,000,000,000,000" in comparison.to_html(tmp_path / "page.html").read_text(
        encoding="utf-8"
    )
    for kind in ("flow", "sizes"):
        comparison.plot(kind).figure_.canvas.draw()


def test_importing_the_library_imports_no_drawing_library():
    program = "import sys, concordant; print([x for x in ('matplotlib',) if x in sys.modules])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)  # noqa: S603  (our own program)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("question", "not_imported"),
    [
        ("print(cc.compare([0, 0, 1], [0, 1, 1]))", "concordant.inference.statistic"),
        ("cc.diff([0, 0, 1, 1], [0, 1, 1, 1]).ask(n_questions=10)", "concordant.report.charts"),
        ("print(cc.diff([0, 1, 1], [0, 1, 2], reference=[0, 0, 1]))", "concordant.report.pages.page"),
    ],
)
def test_a_question_imports_no_module_that_it_does_not_need(question, not_imported):
    program = f"import sys, concordant as cc; {question}; print(); print({not_imported!r} in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)  # noqa: S603  (our own program)
    assert done.stdout.splitlines()[-1] == "False"


def test_the_names_that_plot_takes_are_those_of_the_charts(mixed):
    assert get_args(get_args(get_type_hints(cc.Comparison.plot)["kind"])[0]) == CHARTS
    listed = ", ".join(f'"{each}"' for each in CHARTS)
    words = "list all charts in the help of plot in src/concordant/comparisons/comparison.py"
    assert f"kind : {{{listed}}}, optional" in cc.Comparison.plot.__doc__, words
    with pytest.raises(ParameterError, match=f"use {', '.join(map(repr, CHARTS[:-1]))} or {CHARTS[-1]!r}$"):
        mixed.plot("x")


def test_a_page_has_a_section_for_each_chart_that_can_be_drawn(mixed, tmp_path):
    """Few clusters have no need of verdicts by size, and the headline indices are bars of HTML."""
    html = mixed.to_html(tmp_path / "page.html").read_text(encoding="utf-8")
    assert re.findall(r'data-chart="(\w+)"', html) == ["flow", "table", "sizes"]
    for chart, lead in (
        ("flow", "Each band shows records from a reference cluster on the left"),
        ("table", "Rows are reference clusters, columns are candidate clusters."),
        ("sizes", "Each dot is a cluster, at its size."),
    ):
        section = html.partition(f'data-chart="{chart}"')[0].rpartition("<section ")[2]
        assert f'<p class="lead">{lead}' in section


def test_entities_are_drawn_as_on_their_page():
    """A flow of thousands of entities would be one band of singletons."""
    entities = np.arange(600) // 3
    assert cc.compare(entities, entities // 2).plot().ax_.get_ylabel() == "records in a cluster (clusters)"
    assert cc.compare(list("aabb"), list("xxyz")).plot().ax_.collections


def test_a_map_that_holds_less_than_half_of_the_distances_is_not_drawn(tmp_path):
    source = np.random.default_rng(0)
    random = {f"run {i}": source.integers(0, 6, 200).tolist() for i in range(30)}
    page = cc.matrix(random, "rand_distance").to_html(tmp_path / "page.html").read_text("utf-8")
    assert 'data-chart="map"' not in page


def test_the_lead_of_sizes_names_the_logarithmic_scales(tmp_path):
    even = np.repeat(np.arange(200), 1 + np.arange(200) % 4)
    wide = np.repeat(np.arange(200), 1 + np.arange(200) % 90)
    pages = [cc.compare(x, x // 2).to_html(tmp_path / "page.html").read_text("utf-8") for x in (even, wide)]
    leads = ["and so are the ranges of sizes" in page for page in pages]
    assert all("The scale of counts is logarithmic" in page for page in pages)
    assert leads == [False, True]
