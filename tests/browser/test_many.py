"""The pages of many partitions in a real browser: what they draw, what they answer to, what they say."""

import itertools
import random
import re

import pytest

import concordant as cc

EVERY_SCREEN = pytest.mark.parametrize(
    ("width", "theme"), [*itertools.product((1200, 400), ("light", "dark"))]
)
HOSTILE = ["<script>window.hacked = 1</script>", "</script>", "two\nlines", "\u202eleft", "x" * 10_000]


def some_runs(count, size=400):
    source = random.Random(3)
    truth = [source.randrange(8) for _ in range(size)]
    noisy = [[x if source.random() < 0.8 else source.randrange(8) for x in truth] for _ in range(count - 1)]
    return {"truth": truth} | {f"run {number}": labels for number, labels in enumerate(noisy)}


@pytest.fixture(scope="module")
def matrix(folder):
    return cc.matrix(some_runs(9), "variation_of_information").to_html(folder / "matrix.html")


@pytest.fixture(scope="module")
def weeks(folder):
    """Clusters that split and merge, and elements that come and go."""
    source = random.Random(4)
    team = {f"person {i}": f"team {i // 25}" for i in range(500)}
    found = {}
    for week in range(4):
        team = {who: of for who, of in team.items() if source.random() < 0.95}
        team = {who: f"team {week + 9}" if of == f"team {week}" else of for who, of in team.items()}
        team |= {f"new {week}.{i}": f"recruits {week}" for i in range(30)}
        found[f"week {week + 1}"] = dict(team)
    return cc.track(found).to_html(folder / "weeks.html")


@EVERY_SCREEN
def test_a_matrix_is_drawn(browser, matrix, width, theme):
    with browser.open(matrix, width=width, theme=theme) as page:
        assert page.run("document.querySelectorAll('#matrix .hm image').length") == 1
        assert page.run("document.querySelectorAll('#matrix .scatterlayer path.js-line').length") >= 1
        assert page.run("document.querySelectorAll('#map .scatterlayer .point').length") == 9
        assert page.run("document.documentElement.scrollWidth") <= width
        assert page.errors() == page.requests() == []


@EVERY_SCREEN
def test_a_track_is_drawn(browser, weeks, width, theme):
    with browser.open(weeks, width=width, theme=theme) as page:
        assert page.run("document.querySelectorAll('#alluvial .sankey-node').length") == 4 * 14
        assert page.run("document.querySelectorAll('#alluvial .sankey-link').length") > 40
        assert page.run("document.documentElement.scrollWidth") <= width
        assert page.errors() == page.requests() == []


@pytest.mark.parametrize("width", [1200, 400])
def test_labels_do_not_overlap(browser, matrix, weeks, width):
    overlaps = """((selector) => {
        const boxes = [...document.querySelectorAll(selector)].map((x) => x.getBoundingClientRect());
        const apart = (a, b) => a.right <= b.left + 1 || b.right <= a.left + 1
            || a.bottom <= b.top + 1 || b.bottom <= a.top + 1;
        return boxes.flatMap((a, i) => boxes.slice(i + 1).filter((b) => !apart(a, b))).length;
    })(%r)"""
    with browser.open(matrix, width=width) as page:
        for labels in ("#matrix .ytick text", "#matrix .xtick text", "#map .textpoint text"):
            assert page.run(overlaps % labels) == 0, labels
    with browser.open(weeks, width=width) as page:
        bars = "#alluvial .annotation-text:not(:has(*[style*='bold']))"
        assert page.run(overlaps % bars) == 0


def test_hovering_a_cell_shows_both_names_and_the_value(browser, matrix):
    with browser.open(matrix) as page:
        page.hover("#matrix .heatmap-label", 1)
        page.wait_for("document.querySelector('.hoverlayer .hovertext') !== null")
        text = page.run("document.querySelector('.hoverlayer .hovertext').textContent")
    value, one, other = re.fullmatch(r"(\d\.\d{4})(.+) and (.+)", text).groups()
    expected = cc.matrix(some_runs(9), "variation_of_information")[one, other]
    assert float(value) == pytest.approx(expected, abs=1e-4)


def test_searching_and_sorting_the_neighbours(browser, matrix):
    with browser.open(matrix) as page:
        page.type("[data-search=neighbours]", "run 3")
        shown = "[...document.querySelectorAll('#neighbours tbody tr')].filter((r) => !r.hidden).length"
        assert 1 <= page.run(shown) < 9
        page.click("#neighbours th:nth-child(3) button")
        values = "[...document.querySelectorAll('#neighbours td:nth-child(3)')].map((c) => +c.dataset.value)"
        assert page.run(values) == sorted(page.run(values), reverse=True)


def test_searching_the_events(browser, weeks):
    with browser.open(weeks) as page:
        page.type("[data-search=event-list]", "BIRTH recruits")
        rows = "[...document.querySelectorAll('#event-list tbody tr')]"
        shown = page.run(f"{rows}.filter((row) => !row.hidden).map((row) => row.textContent)")
        assert len(shown) == 3 < page.run(f"{rows}.length")
        assert all("recruits" in text for text in shown)


def test_hostile_names_do_nothing(browser, folder):
    runs = {name: [str(i % 2), name, "b", "c"] for i, name in enumerate(HOSTILE)}
    for page_of in (cc.matrix(runs, "mirkin"), cc.track(runs)):
        with browser.open(page_of.to_html(folder / "hostile.html")) as page:
            assert page.run("window.hacked === undefined")
            assert page.errors() == page.requests() == []
