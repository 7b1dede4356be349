"""The page in a real browser, with the network off: what it draws, what it answers to, what it says."""

import base64
import csv
import itertools
import random
from pathlib import Path

import pytest

import concordant as cc

DIGITS = Path(__file__).parents[2] / "examples" / "digits"
EVERY_SCREEN = pytest.mark.parametrize(
    ("width", "theme"), [*itertools.product((1200, 400), ("light", "dark"))]
)
HOSTILE = [
    "<script>window.hacked = 1</script>",
    "</script><script>window.hacked = 2</script>",
    "<img src=x onerror='window.hacked = 3'>",
    "\"quoted\" & 'single'",
    "%{x} <b>bold</b><br>$1",
    "שלום עולם",
    "\u202eright to left",
    "two\nlines",
    "x" * 10_000,
    "",
]


def read(name):
    with (DIGITS / name).open(encoding="utf-8", newline="") as file:
        rows = csv.reader(file)
        next(rows)
        return dict(rows)


@pytest.fixture(scope="module")
def digits(folder):
    comparison = cc.compare(read("truth.csv"), read("kmeans.csv"))
    return comparison.to_html(folder / "digits.html", names=("digit", "k-means"))


@pytest.fixture(scope="module")
def page(browser, digits):
    """One open page for all tests that leave it as usable as they found it."""
    with browser.open(digits) as opened:
        yield opened


@pytest.fixture(scope="module")
def hostile(folder):
    reference = [label for label in HOSTILE for _ in range(4)]
    candidate = [HOSTILE[(i // 5) % len(HOSTILE)] for i in range(len(reference))]
    return cc.compare(reference, candidate).to_html(folder / "hostile.html", names=("<b>x</b>", "</script>"))


@pytest.fixture(scope="module")
def many(folder):
    """More clusters than any chart has room for, with names too long to show."""
    source = random.Random(5)
    reference = [f"cluster of the customer number {source.randrange(900):05}" for _ in range(5000)]
    candidate = [label if source.random() < 0.8 else f"stray {source.randrange(300)}" for label in reference]
    return cc.compare(reference, candidate).to_html(folder / "many.html")


def visible_rows(page):
    return page.run(
        "[...document.querySelectorAll('#list-of-changes tbody tr')].filter((r) => !r.hidden).length"
    )


def column(page, number):
    cells = f"document.querySelectorAll('#list-of-changes tbody td:nth-child({number})')"
    return page.run(f"[...{cells}].map((cell) => Number(cell.dataset.value))")


def hovered(page, said="records"):
    """What the box beside the mouse says, once it says this."""
    text = "[...document.querySelectorAll('.hoverlayer .hovertext')].map((box) => box.textContent).join()"
    page.wait_for(f"{text}.includes({said!r})")
    return page.run(text)


@EVERY_SCREEN
def test_charts_are_drawn_without_a_word_on_the_console_or_to_the_network(browser, digits, width, theme):
    with browser.open(digits, width=width, theme=theme) as page:
        count = "document.querySelectorAll({!r}).length".format
        assert page.run(count("#flow .sankey-node")) == 20
        assert page.run(count("#flow .sankey-link")) == 50
        assert page.run(count("#table .heatmap-label")) == 50
        assert page.run(count("#sizes .bars .point path")) > 5
        assert page.run("document.documentElement.scrollWidth") <= width
        assert page.errors() == []
        assert page.requests() == []


@pytest.mark.parametrize("width", [1200, 400])
def test_labels_do_not_overlap(browser, digits, many, width):
    overlaps = """((selector) => {
        const boxes = [...document.querySelectorAll(selector)].map((x) => x.getBoundingClientRect());
        const apart = (a, b) => a.right <= b.left + 1 || b.right <= a.left + 1
            || a.bottom <= b.top + 1 || b.bottom <= a.top + 1;
        return boxes.flatMap((a, i) => boxes.slice(i + 1).filter((b) => !apart(a, b))).length;
    })(%r)"""
    for file in (digits, many):
        with browser.open(file, width=width) as page:
            assert page.run(overlaps % "#flow .annotation-text") == 0
            assert page.run(overlaps % "#table .ytick text") == 0
            assert page.run(overlaps % "#table .xtick text") == 0
            assert page.run(overlaps % "#sizes .xtick text") == 0
            assert page.run("document.documentElement.scrollWidth") <= width


def test_hovering_a_band_shows_its_count(page):
    page.hover("#flow .sankey-link", 0)
    text = hovered(page, "176 records")
    assert "98.8% of digit 0" in text


def test_hovering_a_cell_shows_its_count_and_shares(page):
    labels = "[...document.querySelectorAll('#table .heatmap-label')]"
    page.hover("#table .heatmap-label", page.run(f"{labels}.findIndex((cell) => cell.textContent === '54')"))
    text = hovered(page, "54 records")
    assert "29.6% of digit 1" in text
    assert "62.0% of k-means 3" in text


def test_searching_finds_clusters_records_and_kinds(page):
    everything = visible_rows(page)
    page.type("input[data-search]", "stray digit-0458")
    assert visible_rows(page) == 1
    assert page.run("document.querySelector('.find output').textContent") == f"1 of {everything}"
    page.type("input[data-search]", "no such thing")
    assert visible_rows(page) == 0
    page.run("document.querySelector('input[data-search]').value = ''")
    page.run("document.querySelector('input[data-search]').dispatchEvent(new Event('input'))")
    assert visible_rows(page) == everything


def test_sorting_goes_both_ways(page):
    page.click("#list-of-changes th:nth-child(4) button")
    descending = column(page, 4)
    assert descending == sorted(descending, reverse=True)
    assert len(set(descending)) > 5
    page.click("#list-of-changes th:nth-child(4) button")
    assert column(page, 4) == sorted(descending)
    page.click("#list-of-changes th:nth-child(2) button")
    cells = "document.querySelectorAll('#list-of-changes tbody td:nth-child(2)')"
    texts = page.run(f"[...{cells}].map((cell) => cell.innerText[0])")
    assert texts == sorted(texts)


def test_the_table_can_be_normalised(page):
    first = "document.querySelector('#table .heatmap-label').textContent"
    assert page.run(first) == "176"
    page.click("[data-shows=table-reference]")
    page.wait_for(f"{first} === '98%'")
    assert page.run("document.querySelector('[aria-pressed=true]').textContent") == "Share of row"


def test_the_theme_follows_the_system_and_the_button(browser, digits):
    background = "getComputedStyle(document.body).backgroundColor"
    chart = "document.querySelector('#flow .main-svg').style.background"
    with browser.open(digits, theme="dark") as page:
        dark, dark_chart = page.run(background), page.run(chart)
        page.click("#theme")
        page.wait_for(f"{chart} !== {dark_chart!r}")
        assert page.run(background) != dark
        page.click("#theme")
        page.wait_for(f"{chart} === {dark_chart!r}")
        assert page.run(background) == dark
        assert page.errors() == []


def test_an_index_opens_to_its_formula(page):
    formula = "document.querySelector('#indices .index-more')"
    assert page.run(f"{formula}.checkVisibility()") is False
    page.click("#indices .index")
    assert page.run(f"{formula}.checkVisibility()") is True
    assert "precision" in page.run(f"{formula}.textContent")


def test_a_narrowed_window_redraws(browser, digits):
    with browser.open(digits, width=1200) as page:
        assert page.run("document.querySelector('#flow .chart').dataset.shape") == "wide"
        page.resize(400, 900)
        page.wait_for("document.querySelector('#flow .chart').dataset.shape === 'narrow'")
        assert page.run("document.documentElement.scrollWidth") <= 400


@pytest.mark.parametrize(("width", "theme"), [(1200, "light"), (400, "dark")])
def test_hostile_labels_are_text(browser, hostile, width, theme):
    with browser.open(hostile, width=width, theme=theme) as page:
        assert page.run("window.hacked") is None
        assert page.run("document.querySelectorAll('img, main script').length") == 0
        text = page.run("document.querySelector('#list-of-changes').textContent")
        assert "<script>" in text
        assert "⏎" in text
        assert (
            page.run("Math.max(...[...document.querySelectorAll('[title]')].map((x) => x.title.length))")
            == 10_000
        )
        assert page.run("document.documentElement.scrollWidth") <= width
        page.hover("#flow .sankey-link", 0)
        hovered(page)
        assert page.errors() == []
        assert page.requests() == []


@pytest.mark.parametrize(
    "comparison",
    [
        cc.compare([], []),
        cc.compare([1, 1, 2], ["a", "a", "b"]),
        cc.compare([0] * 5, [0] * 5),
        cc.compare(range(4), range(4)),
        cc.Comparison(cc.Profile.from_rows([(10**12, 10**12, 2 * 10**12, 2)])),
        cc.Comparison(cc.Profile.from_contingency([[10**20, 1], [0, 10**20]])),
    ],
    ids=["empty", "identical", "one cluster", "singletons", "sizes alone", "huge counts"],
)
def test_odd_comparisons_have_pages_too(browser, folder, comparison):
    with browser.open(comparison.to_html(folder / "odd.html")) as page:
        assert page.run("document.querySelector('.headline').textContent")
        assert page.errors() == []


def test_the_page_prints(browser, digits):
    with browser.open(digits, theme="dark") as page:
        paper = base64.b64decode(page.call("Page.printToPDF")["data"])
        assert paper.startswith(b"%PDF")
        assert page.errors() == []


def test_what_is_printed_is_light_and_as_wide_as_paper(browser, digits):
    chart = "document.querySelector('#flow .main-svg')"
    with browser.open(digits, theme="dark") as page:
        dark = page.run(f"{chart}.style.background")
        page.run("window.dispatchEvent(new Event('beforeprint'))")
        page.wait_for(f"{chart}.style.background !== {dark!r}")
        assert page.run(f"{chart}.getBoundingClientRect().width") < 700
        page.run("window.dispatchEvent(new Event('afterprint'))")
        page.wait_for(f"{chart}.style.background === {dark!r}")
