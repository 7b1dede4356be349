"""Single figures: by Plotly for notebooks, by Matplotlib for papers."""

import subprocess
import sys
from typing import get_args

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import plotly.graph_objects as go
import pytest

import concordant as cc
from concordant.counts.spelling import printable
from concordant.errors import MissingExtraError, ParameterError, TableNeededError
from concordant.report.figures.display import Display
from concordant.report.figures.registry import CHARTS, FigureKind
from concordant.report.labels import in_chart

mpl.use("Agg")


@pytest.fixture
def mixed():
    return cc.compare(list("aaaabbbbcc"), [1, 1, 1, 2, 2, 2, 2, 2, 3, 3])


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    plt.close("all")


@pytest.mark.parametrize("kind", CHARTS)
def test_every_kind_is_a_plotly_figure(mixed, kind):
    figure = mixed.plot(kind)
    assert isinstance(figure, go.Figure)
    assert figure.data


@pytest.mark.parametrize("kind", CHARTS)
def test_every_kind_is_a_display(mixed, kind):
    display = mixed.plot(kind, backend="matplotlib")
    assert isinstance(display, Display)
    assert display.ax_.figure is display.figure_
    display.figure_.canvas.draw()


def test_a_display_draws_on_given_axes(mixed):
    figure, (left, right) = plt.subplots(1, 2)
    assert mixed.plot("table", backend="matplotlib", ax=left).ax_ is left
    assert mixed.plot("flow", backend="matplotlib", ax=right).figure_ is figure
    assert not right.axison


def test_the_flow_carries_every_record(mixed):
    link = mixed.plot("flow").data[0].link
    assert sum(link.value) == 10
    assert len(link.value) == len(mixed.table.n)


def test_the_table_holds_every_count_once(mixed):
    drawn = [
        value for heat in mixed.plot("table").data for row in heat.z for value in row if value is not None
    ]
    assert sorted(drawn) == sorted(mixed.table.n.tolist())


@pytest.mark.parametrize(("share", "axis"), [("reference", 1), ("candidate", 0)])
def test_shares_add_up_to_one(mixed, share, axis):
    cells = np.zeros((3, 3))
    for heat in mixed.plot("table", share=share).data:
        cells += np.array([[value or 0 for value in row] for row in heat.z], dtype=float)
    assert np.allclose(cells.sum(axis=axis), 1)


def test_the_diagonal_shows():
    """Shuffled names of the same clusters come to lie on the diagonal."""
    source = np.random.default_rng(1)
    reference = source.integers(0, 12, 2000)
    candidate = np.array([f"c{i}" for i in source.permutation(12)])[reference]
    heat = cc.compare(reference, candidate).plot("table").data
    assert len(heat) == 1
    assert all(heat[0].z[i][j] is None for i in range(12) for j in range(12) if i != j)


def test_linked_clusters_stand_side_by_side_where_names_have_no_order():
    reference = ["north"] * 20 + ["oak"] * 20 + ["south"] * 20 + ["pine"] * 20
    candidate = (
        ["N"] * 15 + ["S"] * 5 + ["o"] * 15 + ["p"] * 5 + ["S"] * 16 + ["N"] * 4 + ["p"] * 14 + ["o"] * 6
    )
    axis = cc.compare(reference, candidate).plot("table").layout.yaxis.ticktext
    assert abs(axis.index("north") - axis.index("south")) == 1
    assert abs(axis.index("oak") - axis.index("pine")) == 1


def test_many_clusters_are_gathered():
    source = np.random.default_rng(2)
    reference = source.integers(0, 500, 4000)
    candidate = np.where(source.random(4000) < 0.9, reference, source.integers(0, 500, 4000))
    figure = cc.compare(reference, candidate).plot("flow")
    texts = [note.text for note in figure.layout.annotations]
    assert sum("more" in text and "not to scale" in text for text in texts) == 2
    assert len(texts) <= 2 * 17 + 2


def test_the_costliest_cluster_is_always_drawn():
    reference = np.arange(30_000) // 3
    candidate = reference.copy()
    candidate[1000:1100] = 7777
    figure = cc.compare(reference, candidate).plot("flow")
    assert any(note.text.startswith("7777") for note in figure.layout.annotations)


def test_sizes_count_every_cluster():
    comparison = cc.compare(np.arange(5000) // 7, np.arange(5000) // 100)
    reference, candidate = (sum(y or 0 for y in bar.y) for bar in comparison.plot("sizes").data)
    assert (reference, candidate) == (715, 50)


def test_few_clusters_of_a_size_have_lines_to_be_read_at():
    few, many = (cc.compare(list(range(n)), list(range(n))) for n in (50, 500))
    ticks = [each.plot("sizes").layout.yaxis.tickvals for each in (few, many)]
    assert ticks == [(1, 2, 5, 10, 20, 50), (1, 10, 100)]


@pytest.mark.parametrize("backend", ["plotly", "matplotlib"])
def test_few_clusters_are_a_dot_each(backend):
    drawn = cc.compare(list("aaaabbbbcd"), list("1112233444")).plot("sizes", backend=backend)
    dots = drawn.data if backend == "plotly" else drawn.ax_.get_lines()[:2]
    shown = [sorted(each.x if backend == "plotly" else each.get_xdata()) for each in dots]
    assert shown == [[1, 1, 4, 4], [2, 2, 3, 3]]


def test_one_cluster_alone_is_not_gathered_as_other():
    texts = [note.text for note in cc.compare(range(17), range(17)).plot("flow").layout.annotations]
    assert not any("more" in text for text in texts)


def test_labels_that_are_spelled_out_have_room():
    plain, spelled = (cc.compare([label, "b"], [label, "b"]).plot() for label in ("x", "\x00\x01\x02"))
    assert spelled.layout.margin.l - plain.layout.margin.l >= 15 * 6


@pytest.mark.parametrize("backend", ["plotly", "matplotlib"])
def test_of_nothing_the_sizes_are_empty_axes(backend):
    assert cc.compare([], []).plot("sizes", backend=backend)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"kind": "flows"}, "did you mean 'flow'"),
        ({"kind": "pie"}, "use 'flow', 'table', 'sizes', 'indices'"),
        ({"kind": None}, "kind=None"),
        ({"kind": "flow", "backend": "bokeh"}, "backend='bokeh'"),
        ({"kind": "flow", "share": "reference"}, "is for the table"),
        ({"kind": "table", "share": "row"}, "share='row'"),
        ({"kind": "flow", "ax": object()}, "ax is for backend='matplotlib'"),
        ({"kind": "flow", "backend": "matplotlib", "ax": 3}, "not Matplotlib's axes"),
        ({"kind": "flow", "names": ("a", "b", "c")}, "as two strings"),
    ],
)
def test_bad_options_are_refused(mixed, options, said):
    with pytest.raises(ParameterError, match=said):
        mixed.plot(**options)


@pytest.mark.parametrize("kind", ["flow", "table"])
def test_sizes_alone_have_no_overlaps_to_draw(kind):
    comparison = cc.Comparison(cc.Profile.from_rows([(2, 4, 2, 2)]))
    with pytest.raises(TableNeededError, match="made from sizes alone"):
        comparison.plot(kind)
    with pytest.raises(TableNeededError, match="has no elements"):
        cc.compare([], []).plot(kind)
    assert comparison.plot("sizes").data


@pytest.mark.parametrize(
    ("backend", "module", "extra"),
    [("plotly", "plotly.graph_objects", "report"), ("matplotlib", "matplotlib.pyplot", "papers")],
)
def test_a_missing_library_names_its_extra(mixed, monkeypatch, backend, module, extra):
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingExtraError, match=rf"concordant\[{extra}\]"):
        mixed.plot("flow", backend=backend)


def test_hostile_labels_do_not_break_figures():
    labels = ["$x^$", "<b>", "%{x}", "a\nb", "ש", "x" * 5000, "\ud800", "{}"]
    comparison = cc.compare([x for x in labels for _ in range(2)], [labels[i // 3] for i in range(16)])
    for kind in ("flow", "table"):
        assert comparison.plot(kind).to_json()
        comparison.plot(kind, backend="matplotlib").figure_.canvas.draw()


@pytest.mark.parametrize(
    ("label", "shown"),
    [
        ("<b>", "&lt;b&gt;"),
        ("a&b", "a&amp;b"),
        ("a\tb", "\u2068a⇥b\u2069"),
        ("\u202e", "\\u202e"),
        ("", "(blank)"),
    ],
)
def test_labels_in_charts_are_text(label, shown):
    assert in_chart(label) == shown


def test_labels_that_cannot_be_seen_are_spelled_out():
    assert printable("a\x00\x1b[31m\ufeff") == "a\\u0000\\u001b[31m\\ufeff"


def test_huge_counts_are_drawn():
    comparison = cc.Comparison(cc.Profile.from_contingency([[10**20, 1], [0, 10**20]]))
    assert "100,000,000,000,000,000,000 records" in comparison.plot("flow").to_json()
    comparison.plot("flow", backend="matplotlib").figure_.canvas.draw()
    assert comparison.plot("sizes").data


def test_importing_the_library_imports_no_drawing_library():
    program = "import sys, concordant; print([x for x in ('plotly', 'matplotlib') if x in sys.modules])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)  # noqa: S603  (our own program)
    assert done.stdout.strip() == "[]"


def test_the_names_that_plot_takes_are_those_of_the_charts():
    assert get_args(FigureKind) == tuple(CHARTS)


@pytest.mark.parametrize("chart", CHARTS.values(), ids=CHARTS.keys())
def test_a_chart_says_what_it_needs(mixed, chart):
    of_sizes = cc.Comparison(cc.Profile.from_rows([(10, 10, 20, 2)]))
    assert chart.needs(mixed._story())
    assert chart.needs(of_sizes._story()) == (chart.name in ("sizes", "indices"))


def test_a_page_has_a_section_for_each_chart_that_can_be_drawn(mixed, tmp_path):
    html = mixed.to_html(tmp_path / "page.html").read_text(encoding="utf-8")
    for chart in CHARTS.values():
        assert (f'data-chart="{chart.name}"' in html) == (chart.svg is not None)
        assert chart.svg is None or chart.lead(mixed._story()) in html
