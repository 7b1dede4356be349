"""The page in a real browser, with the network off: what it draws, what it answers to, what it says."""

import csv
import json
import random
import re
from pathlib import Path

import polars as pl
import pytest
from chromium import DRAWN

import concordant as cc

DIGITS = Path(__file__).parents[2] / "examples" / "digits"
EVERY_SCREEN = pytest.mark.parametrize(("width", "theme"), [(1200, "light"), (400, "dark")])
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
    comparison = cc.compare(read("truth.csv"), read("kmeans.csv"), names=("digit", "k-means"))
    pictures = {"details": DIGITS / "images.csv", "record": "record", "images": "image"}
    return comparison.to_html(folder / "digits.html", **pictures)


@pytest.fixture(scope="module")
def page(browser, digits):
    """One open page for all tests that leave it as usable as they found it."""
    with browser.open(digits) as opened:
        yield opened


@pytest.fixture(scope="module")
def hostile(folder):
    reference = [label for label in HOSTILE for _ in range(4)]
    candidate = [HOSTILE[(i // 5) % len(HOSTILE)] for i in range(len(reference))]
    c = cc.compare(reference, candidate, names=("<b>x</b>", "</script>"))
    return c.to_html(folder / "hostile.html", slices=c.slices(reference))


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
    return page.run(f"[...{cells}].map((cell) => Number(cell.textContent.replaceAll(',', '')))")


@EVERY_SCREEN
def test_charts_are_drawn_without_a_word_on_the_console_or_to_the_network(browser, digits, width, theme):
    with browser.open(digits, width=width, theme=theme) as page:
        count = "document.querySelectorAll({!r}).length".format
        shape = "wide" if width > 800 else "narrow"
        assert page.run(count(f"#flow .{shape} .node")) == 20
        assert page.run(count(f"#flow .{shape} .band")) == 50
        assert page.run(count(f"#table .{shape} .cell")) == 50
        assert page.run(count(f"#sizes .{shape} .node")) > 5
        shown = "[...document.querySelectorAll('.drawing')].filter((x) => x.checkVisibility()).length"
        assert page.run(shown) == 3
        assert page.run("document.documentElement.scrollWidth") <= width
        assert page.errors == []
        assert page.requests == []


def test_bands_and_cells_have_their_count_and_shares_as_tooltips(page):
    text = page.run("document.querySelector('#flow .wide .band title').textContent")
    assert "176 records, core" in text
    assert "98.9% of digit 0" in text
    titles = "[...document.querySelectorAll('#table .wide .cell title')]"
    text = page.run(f"{titles}.map((x) => x.textContent).find((x) => x.startsWith('54 records'))")
    assert "29.7% of digit 1" in text
    assert "62.1% of k-means 3" in text


def test_searching_finds_clusters_records_and_kinds(page):
    everything = visible_rows(page)
    page.type("input[data-search]", "stray digit-0458")
    assert visible_rows(page) == 1
    assert page.run("document.querySelector('.find output').textContent") == f"1 of {everything} rows listed"
    assert page.run("document.querySelector('input[data-search]').placeholder").endswith(
        f"{everything} rows listed"
    )
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
    shown = "[...document.querySelectorAll('#table .value')].find((x) => x.checkVisibility()).textContent"
    assert page.run(shown) == "176"
    page.click("[data-shows='1']")
    assert page.run(shown) == "99%"
    assert page.run("document.querySelector('[aria-pressed=true]').textContent") == "Share of row"
    page.click("[data-shows='0']")


def test_the_theme_follows_the_system_and_the_button(page):
    background = "getComputedStyle(document.body).backgroundColor"
    band = "getComputedStyle(document.querySelector('#flow .band')).fill"
    light, light_band = page.run(background), page.run(band)
    page.playwright.emulate_media(color_scheme="dark")
    dark, dark_band = page.run(background), page.run(band)
    assert dark != light
    assert dark_band != light_band
    page.click("#theme")
    assert (page.run(background), page.run(band)) == (light, light_band)
    page.click("#theme")
    assert page.run(background) == dark
    page.run("localStorage.clear(), delete document.documentElement.dataset.theme")
    page.playwright.emulate_media(color_scheme="light")
    assert page.errors == []


def test_everything_but_the_interaction_is_there_without_javascript(browser, digits, folder):
    still = folder / "still.html"
    text = re.sub(r"<script>.*?</script>", "", digits.read_text(encoding="utf-8"), flags=re.DOTALL)
    still.write_text(text.replace("<html", "<html data-drawn='yes'"), encoding="utf-8")
    with browser.open(still) as page:
        page.wait_for("document.readyState === 'complete'")
        shown = "[...document.querySelectorAll('.drawing')].filter((x) => x.checkVisibility()).length"
        assert page.run(shown) == 3
        assert page.run("document.querySelectorAll('#list-of-changes tbody tr').length") > 40
        assert page.run("document.querySelectorAll('#indices .index').length") > 100


def test_an_index_opens_to_its_formula(page):
    formula = "document.querySelector('#indices .index + div')"
    assert page.run(f"{formula}.checkVisibility()") is False
    page.click("#indices .index")
    assert page.run(f"{formula}.checkVisibility()") is True
    assert "precision" in page.run(f"{formula}.textContent")


def test_a_narrowed_window_shows_the_narrow_drawing(page):
    shown = "document.querySelector('#flow .{}').checkVisibility()".format
    assert page.run(shown("wide"))
    page.resize(400, 900)
    page.wait_for(shown("narrow"))
    assert page.run("document.documentElement.scrollWidth") <= 400
    page.resize(1200, 900)


def test_a_long_list_shows_its_start_until_all_of_it_is_asked_for(browser, digits):
    rows = "[...document.querySelectorAll('#list-of-changes tbody tr')]"
    drawn = f"{rows}.filter((row) => row.checkVisibility()).length"
    for width in (1200, 400):
        with browser.open(digits, width=width) as page:
            everything = visible_rows(page)
            assert page.run(drawn) == 10 < everything
            page.type("input[data-search]", "stray digit-0458")  # finds rows that are not shown
            assert page.run(drawn) == 1
            page.type("input[data-search]", "")
            assert page.run(drawn) == 10
            page.playwright.emulate_media(media="print")
            assert page.run(drawn) == 15
            assert not page.run("document.querySelector('.more').checkVisibility()")
            page.playwright.emulate_media(media="screen")
            page.click("#changes .more")
            assert page.run(drawn) == everything
            assert not page.run("document.querySelector('#changes .more').checkVisibility()")
            cards = (
                "[...document.querySelectorAll('.cluster')].filter((card) => card.checkVisibility()).length"
            )
            assert page.run(cards) == 10 < page.run("document.querySelectorAll('.cluster').length")
            page.click("#clusters .more")
            assert page.run(cards) == page.run("document.querySelectorAll('.cluster').length")


def test_hostile_labels_are_text(browser, hostile):
    with browser.open(hostile) as page:
        assert page.run("window.hacked") is None
        assert page.run("document.querySelectorAll('img, main script').length") == 0
        text = page.run("document.querySelector('#list-of-changes').textContent")
        assert "<script>" in text
        assert "⏎" in text
        assert (
            page.run("Math.max(...[...document.querySelectorAll('[title]')].map((x) => x.title.length))")
            == 10_000
        )
        for width, shape in ((1200, "wide"), (400, "narrow")):
            page.resize(width, 900)
            assert page.run("document.documentElement.scrollWidth") <= width
            dots = f"[...document.querySelectorAll('#slices .{shape} circle')]"
            shown = page.run(f"{dots}.filter((x) => x.checkVisibility()).map((x) => x.textContent)")
            assert len(shown) == len(HOSTILE) + 1
            assert shown[-1].startswith("all\n0.")
            assert any("<script>" in title for title in shown)
        assert page.errors == []
        assert page.requests == []


def test_odd_comparisons_have_pages_too(browser, folder, sizes_alone):
    odd = [
        cc.compare([], []),
        cc.compare([1, 1, 2], ["a", "a", "b"]),
        cc.compare([0] * 5, [0] * 5),
        cc.compare(range(4), range(4)),
        sizes_alone([0] * 10 + [1] * 10, [0] * 20),
        cc.Comparison.from_contingency([[10**20, 1], [0, 10**20]]),
    ]
    files = [each.to_html(folder / f"odd {place}.html") for place, each in enumerate(odd)]
    with browser.open(files[0]) as page:
        for file in files:
            page.goto(file)
            page.wait_for(DRAWN)
            assert page.run("document.querySelector('.headline').textContent")
            assert page.errors == [], file


def test_the_page_prints_on_few_sheets(browser, digits, many):
    for file, sheets in ((digits, 4), (many, 8)):
        with browser.open(file, theme="dark") as page:
            paper = page.playwright.pdf(prefer_css_page_size=True)
            assert paper.startswith(b"%PDF")
            assert len(re.findall(rb"/Type\s*/Page\b", paper)) <= sheets
            assert page.errors == []


def test_charts_are_saved_as_svg_and_as_png(page):
    page.run("window.saved = []; URL.createObjectURL = (blob) => (window.saved.push(blob), '#'); 0")
    for number, kind in enumerate(("svg+xml", "png")):
        page.click(f"#flow [data-saves={kind[:3]}]")
        page.wait_for(f"window.saved.length === {number + 1}")
        assert page.run(f"window.saved[{number}].type") == f"image/{kind}"
        assert page.run(f"window.saved[{number}].size") > 5000
    size = page.run("createImageBitmap(window.saved[1]).then((x) => [x.width, x.height])")
    box = page.run("document.querySelector('#flow .wide svg').getAttribute('viewBox')").split()
    assert size == [2 * int(float(x)) for x in box[2:]]
    page.run("history.replaceState(null, '', location.pathname)")
    assert page.errors == []


# -- the inspector ------------------------------------------------------------------------------------

OPEN = "!document.getElementById('inspector').hidden"
SHOWN = "document.querySelector('#inspector h2')?.textContent"


def test_a_click_opens_the_inspector_and_escape_closes_it(page):
    page.run("document.querySelector('#flow .wide a[data-r=\"5\"]').dispatchEvent("
             "new MouseEvent('click', {bubbles: true, cancelable: true}))")  # fmt: skip
    name = page.run("document.querySelector('#flow .wide a[data-r=\"5\"] text').textContent").split()[0]
    assert page.run(OPEN)
    assert f"digit {name}" in page.run(SHOWN)
    assert page.run("location.hash") == f"#cluster={name}"
    lit = page.run("[...document.querySelectorAll('#flow .wide .band.lit')].map((x) => x.dataset.r)")
    assert set(lit) == {"5"}
    assert page.run("document.querySelectorAll('#table .wide .cell.lit').length") == len(lit)
    assert page.run("document.querySelectorAll('#inspector .thumb').length") > 20
    picture = "getComputedStyle(document.querySelector('#inspector .thumb')).backgroundImage"
    assert page.run(picture).startswith('url("data:image/png;base64,')
    page.press("Escape")
    assert not page.run(OPEN)
    assert page.run("location.hash") == ""
    page.run("document.activeElement.blur()")
    assert page.run("document.querySelectorAll('.lit').length") == 0


def test_a_band_opens_its_cluster_and_lights_itself_alone(page):
    band = "document.querySelector('#flow .wide .band.stray')"
    page.run(f"{band}.dispatchEvent(new MouseEvent('click', {{bubbles: true, cancelable: true}}))")
    assert page.run(OPEN)
    r, c = page.run(f"[{band}.dataset.r, {band}.dataset.c]")
    lit = page.run(
        "[...document.querySelectorAll('#flow .wide .band.lit')].map((x) => [x.dataset.r, x.dataset.c])"
    )
    assert lit == [[r, c]]
    page.press("Escape")


def test_the_keyboard_alone_reaches_every_cluster_and_the_inspector(page):
    every = set(
        page.run("[...document.querySelectorAll('#flow .wide a')].map((x) => x.getAttribute('href'))")
    )
    assert len(every) == 20
    page.run("[...document.querySelectorAll('#flow button')].at(-1).focus()")
    page.press("Tab")
    page.press("Home")
    reached = {page.run("document.activeElement.getAttribute('href')")}
    for _ in range(19):
        page.press("ArrowRight")
        reached.add(page.run("document.activeElement.getAttribute('href')"))
    assert reached == every
    page.press("Enter")
    assert page.run(OPEN)
    assert page.run("document.activeElement.id") == "inspector"
    page.press("Tab")
    page.press("Tab")  # past the button that closes
    there = page.run("document.activeElement.closest('#inspector') !== null && document.activeElement.href")
    before = page.run(SHOWN)
    page.press("Enter")
    assert there
    assert page.run(SHOWN) != before
    page.press("Escape")
    assert page.run("document.activeElement.getAttribute('href')") in every


def test_an_address_opens_a_cluster(browser, digits, hostile):
    with browser.open(digits, fragment="cluster=5") as page:
        assert "digit 5" in page.run(SHOWN)
        page.run("location.hash = '#candidate=5'")
        page.wait_for(f"{SHOWN}.includes('k-means 5')")
        page.run("location.hash = '#cluster=nobody'")
        assert "k-means 5" in page.run(SHOWN)
        assert page.errors == page.requests == []
    with browser.open(
        hostile, fragment="cluster=%3Cimg%20src%3Dx%20onerror%3D'window.hacked%20%3D%203'%3E"
    ) as page:
        assert "<img src=x" in page.run(SHOWN)
        assert page.run("window.hacked") is None
        assert page.run("document.querySelectorAll('img').length") == 0


def test_forced_colours_leave_everything_to_be_seen(page):
    page.playwright.emulate_media(forced_colors="active")
    fills = page.run("[...new Set([...document.querySelectorAll('#flow .wide .band, #flow .wide .node')]"
                     ".map((x) => getComputedStyle(x).fill))].length")  # fmt: skip
    assert fills >= 4
    bars = "[...document.querySelectorAll('.stack i, .meter i, .verdicts i')]"
    assert page.run(f"{bars}.every((x) => getComputedStyle(x).forcedColorAdjust === 'none')")
    page.playwright.emulate_media(forced_colors="none")


def violations(page, axe, **options):
    if axe:
        page.run(f"{axe};0")
    asked = json.dumps({"resultTypes": ["violations"], **options})
    found = f"axe.run(document, {asked}).then((r) => r.violations.map("
    return page.run(found + "(v) => `${v.id}: ${v.nodes.slice(0, 3).map((n) => n.html).join(' ')}`))")


@pytest.fixture(scope="module")
def small(folder):
    """A page with everything that a page can have, of few clusters."""
    known = {
        "record": [*range(10)],
        "name": list("aaaabbbbcd"),
        "face": [[[i, 9], [9, i]] for i in range(10)],
    }
    options = {"details": pl.DataFrame(known), "record": "record", "show": ["name"], "images": "face"}
    truth, guess = dict(enumerate("aaaabbbbcc")), dict(enumerate([1, 1, 1, 2, 2, 2, 2, 2, 3, 3]))
    return cc.compare(truth, guess).to_html(folder / "small.html", **options)


def test_nothing_keeps_people_out(browser, axe, small):
    with browser.open(small, width=400, fragment="cluster=a") as page:
        assert page.run(OPEN)
        # Of the families of indices, which are all alike, one is enough.
        page.run("document.querySelectorAll('.family:not([open])').forEach((each) => each.remove())")
        assert violations(page, axe) == []
        assert page.run("document.documentElement.scrollWidth") <= 400
        page.click("#theme")
        assert violations(page, None, runOnly=["color-contrast"]) == []


def test_a_notebook_shows_what_fits_600_pixels(browser, folder):
    """Before it is unfolded: in the width of a notebook's output, and in one as narrow as half a screen."""
    shown = cc.compare(read("truth.csv"), read("kmeans.csv"), names=("digit", "k-means"))._repr_html_()
    cell = folder / "notebook.html"
    cell.write_text(f"<!doctype html><body style='font:14px sans-serif;margin:0'>{shown}", encoding="utf-8")
    for width in (900, 620):
        with browser.open(cell, width=width, ready="true") as page:
            assert page.run("document.body.scrollHeight") <= 600
            assert page.run("document.documentElement.scrollWidth") <= width
