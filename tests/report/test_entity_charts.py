"""Charts for entity resolution, against what they are drawn from."""

import re
from collections import Counter

import numpy as np
import pytest

import concordant as cc


def entities(number=3000):
    source = np.random.default_rng(4)
    truth = source.integers(0, number // 2, number)
    found = np.where(source.random(number) < 0.9, truth, source.integers(0, number // 2, number))
    found[: number // 50] = number  # one cluster swallows some
    sides = [{f"r{i}": f"E{label:05}" for i, label in enumerate(side)} for side in (truth, found)]
    return cc.compare(*sides, names=("truth", "found"))


@pytest.fixture(scope="module")
def comparison():
    return entities()


@pytest.fixture(scope="module")
def page(comparison, tmp_path_factory):
    path = tmp_path_factory.mktemp("page") / "entities.html"
    return comparison.to_html(path).read_text(encoding="utf-8")


def wide(page, name):
    return page.partition(f'data-chart="{name}"')[2].partition('<div class="wide">')[2].partition("</svg>")[0]


def test_pages_of_entities_have_charts_of_their_own(page, tmp_path):
    sections = re.findall(r'<section id="([\w-]+)"', page)
    assert {"verdicts", "worst", "sizes"} <= set(sections)
    assert not {"flow", "table"} & set(sections)
    labels = np.arange(600) % 7
    other = cc.compare(labels, np.where(np.arange(600) < 90, 0, labels)).to_html(tmp_path / "few.html")
    sections = re.findall(r'<section id="([\w-]+)"', other.read_text(encoding="utf-8"))
    assert {"flow", "table"} <= set(sections)
    assert not {"verdicts", "worst"} & set(sections)


def test_verdicts_by_size_count_every_cluster_once(comparison, page):
    found = re.findall(r"<title>([\d,]+) clusters? of (\S+) records: ([a-z ]+)\n", wide(page, "verdicts"))
    counts = Counter()
    for count, _, word in found:
        counts[word] += int(count.replace(",", ""))
    summary = comparison.summary().reference.clusters
    assert {word: counts[word] for word in summary} == dict(summary)
    singles = {row.cluster for row in comparison.clusters(limit=None) if row.size == 1}
    assert sum(int(count.replace(",", "")) for count, size, _ in found if size == "1") == len(singles)


def test_the_worst_clusters_hold_the_share_that_the_chart_shows(comparison, page):
    table, same = comparison._counts.table, Counter()
    for j, n in zip(table.column.tolist(), table.n.tolist(), strict=True):
        same[j] += n * (n - 1) // 2
    sizes = enumerate(table.column_sizes.tolist())
    wrong = sorted((size * (size - 1) // 2 - same[j] for j, size in sizes), reverse=True)
    found = re.findall(r"<title>([\d,]+) candidate clusters?: (\S+) of all wrong pairs", wide(page, "worst"))
    half = next(n for n in range(1, len(wrong)) if 2 * sum(wrong[:n]) >= sum(wrong))
    marked = sorted({1, 10, 100, half, sum(map(bool, wrong))})
    assert found == [(f"{n:,}", f"{sum(wrong[:n]) / sum(wrong):.0%}") for n in marked]
    title = re.search(r'<section id="worst"[^>]*><h2>(.*?)</h2>', page)[1]
    assert re.search(r"(\d+) worst", title.replace("The worst", "The 1 worst"))[1] == str(half)


def test_charts_carry_their_common_names(page, tmp_path):
    assert "(stacked bar chart)</h2>" in page
    assert "(Pareto chart)</h2>" in page
    labels = np.arange(600) % 7
    few = cc.compare(labels, np.where(np.arange(600) < 90, 0, labels)).to_html(tmp_path / "few.html")
    text = few.read_text(encoding="utf-8")
    assert "(Sankey diagram)</h2>" in text
    assert "(confusion matrix)</h2>" in text
    assert "(dot plot)</h2>" in text


@pytest.mark.parametrize("kind", ["verdicts", "worst"])
def test_they_are_drawn_with_matplotlib(comparison, kind):
    matplotlib = pytest.importorskip("matplotlib", reason="charts need Matplotlib")
    matplotlib.use("Agg")
    ax = comparison.plot(kind).ax_
    if kind == "verdicts":
        widths = sum(patch.get_width() for patch in ax.patches)
        assert widths == pytest.approx(len(ax.get_yticks()))  # each bar is all clusters of its sizes
    else:
        assert all(line.get_ydata()[-1] == pytest.approx(1) for line in ax.lines)


def test_a_table_begins_with_shares_where_sizes_differ(tmp_path):
    def first(sizes):
        labels = [place for place, size in enumerate(sizes) for _ in range(size)]
        found = [(label + (i % 5 == 0)) % len(sizes) for i, label in enumerate(labels)]
        page = cc.compare(labels, found).to_html(tmp_path / "page.html").read_text(encoding="utf-8")
        return re.search(r'data-first="(\d)"', page)[1]

    assert first([100, 110, 120]) == "0"
    assert first([100, 20, 120]) == "1"


def test_a_single_culprit_needs_no_curve(tmp_path):
    truth = np.arange(3000) // 3
    found = np.where(truth < 400, 5000, truth)
    c = cc.compare(truth, found)
    html = c.to_html(tmp_path / "page.html").read_text(encoding="utf-8")
    assert 'data-chart="verdicts"' in html
    assert 'data-chart="worst"' not in html
