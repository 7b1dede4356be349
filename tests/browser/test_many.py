"""The pages of many partitions in a real browser: what they draw, what they answer to, what they say."""

import random
import re

import pytest
from test_page import violations

import concordant as cc

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
def joined(folder):
    """Each run joins what the one before has apart, so a plane holds most of their distances."""
    truth = some_runs(1)["truth"]
    runs = {f"run {last}": [min(x, last) for x in truth] for last in range(8)}
    return cc.matrix(runs, "variation_of_information").to_html(folder / "joined.html")


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


@pytest.fixture(scope="module")
def matrix_page(browser, matrix):
    with browser.open(matrix) as page:
        yield page


@pytest.fixture(scope="module")
def weeks_page(browser, weeks):
    with browser.open(weeks) as page:
        yield page


@pytest.mark.parametrize("screen", [(1280, "light"), (400, "dark")], ids=str)
def test_pages_of_many_are_drawn_and_keep_nobody_out(browser, matrix, weeks, axe, screen):
    width, theme = screen
    count = "[...document.querySelectorAll({!r})].filter((x) => x.checkVisibility()).length".format
    with browser.open(matrix, width=width, theme=theme) as page:
        assert page.run(count("#matrix .cell.alike")) == 9 * 9 + 6  # and the legend
        assert page.run(count("#matrix .branch")) == 8
        assert page.run(count("#map .point")) == 0  # a plane would hold too little of nine random runs
        assert page.run("document.documentElement.scrollWidth") <= width
        assert page.errors == page.requests == []
        assert width < 600 or violations(page, axe) == []
    with browser.open(weeks, width=width, theme=theme) as page:
        assert page.run(count("#alluvial .node")) > 60
        assert page.run(count("#alluvial .band")) > 40
        assert page.run("document.documentElement.scrollWidth") <= width
        assert page.errors == page.requests == []
        assert width < 600 or violations(page, axe) == []


@pytest.mark.parametrize("screen", [(1280, "light"), (400, "dark")], ids=str)
def test_a_map_is_drawn_if_a_plane_holds_the_distances(browser, joined, axe, screen):
    width, theme = screen
    with browser.open(joined, width=width, theme=theme) as page:
        points = "[...document.querySelectorAll('#map .point')].filter((x) => x.checkVisibility()).length"
        assert page.run(points) == 8
        assert page.run("document.documentElement.scrollWidth") <= width
        assert page.errors == page.requests == []
        assert width < 600 or violations(page, axe) == []


def test_a_cell_says_both_names_and_the_value(matrix_page):
    text = matrix_page.run("document.querySelectorAll('#matrix .wide .cell title')[1].textContent")
    value, one, other = re.fullmatch(r"(\d\.\d{4})\n(.+) and (.+)", text).groups()
    expected = cc.matrix(some_runs(9), "variation_of_information")[one, other]
    assert float(value) == pytest.approx(expected, abs=1e-4)


def test_hovering_follows_a_cluster_through_all_steps(weeks_page):
    nodes = "[...document.querySelectorAll('#alluvial .wide .node[data-thread]')]"
    followed = weeks_page.run(f"{nodes}.map((x) => x.dataset.thread)")
    longest = max(followed, key=followed.count)
    weeks_page.playwright.locator("#alluvial .wide .node[data-thread]").nth(followed.index(longest)).hover()
    lit = "[...document.querySelectorAll('#alluvial .wide .lit')].map((x) => x.dataset.thread)"
    threads = weeks_page.run(lit)
    assert set(threads) == {longest}
    assert len(threads) == 2 * followed.count(longest) - 1  # its bars, and the bands between them


def test_searching_and_sorting_the_neighbours(browser, folder):
    runs = cc.matrix(some_runs(14), "variation_of_information").to_html(folder / "runs.html")
    with browser.open(runs) as page:
        page.type("[data-search=table-2-list]", "run 3")
        shown = "[...document.querySelectorAll('#table-2-list tbody tr')].filter((r) => !r.hidden).length"
        assert 1 <= page.run(shown) < 14
        page.click("#table-2-list th:nth-child(3) button")
        cells = "[...document.querySelectorAll('#table-2-list td:nth-child(3)')]"
        values = page.run(f"{cells}.map((c) => +c.dataset.value)")
        assert values == sorted(values, reverse=True)


def test_hostile_names_do_nothing(browser, folder):
    runs = {name: [str(i % 2), name, "b", "c"] for i, name in enumerate(HOSTILE)}
    for page_of in (cc.matrix(runs, "mirkin"), cc.track(runs)):
        with browser.open(page_of.to_html(folder / "hostile.html")) as page:
            assert page.run("window.hacked === undefined")
            assert page.errors == page.requests == []


CUT_OFF = """() => [...document.querySelectorAll('section td, section th')].filter((each) =>
  each.getBoundingClientRect().right > each.closest('section').getBoundingClientRect().right
).map((each) => each.textContent)"""


def test_every_other_kind_of_page_keeps_nobody_out(browser, folder, axe):
    """Small ones, without the list of indices that others have; scripts/check_pages.py looks at all."""
    truth, found = [0, 0, 0, 1, 1, -1], [5, 5, -1, 6, 6, 6]
    one, other = cc.Cover.from_clusters([{1, 2, 3}, {3, 4}]), cc.Cover.from_clusters([{1, 2}, {2, 3, 4}])
    pages = [
        (cc.compare(one, other).to_html(folder / "covers.html"), 400, "dark"),
    ]
    pages.append((cc.diff(truth, found, reference=truth).to_html(folder / "diff.html"), 400, "light"))
    for file, width, theme in pages:
        with browser.open(file, width=width, theme=theme) as page:
            if theme == "dark":
                page.playwright.emulate_media(forced_colors="active")
            page.run("document.getElementById('indices')?.remove()")
            assert violations(page, axe) == []
            assert page.run("document.documentElement.scrollWidth") <= width
            assert page.errors == page.requests == []
            page.resize(800, 900)
            assert page.run(CUT_OFF) == []
            page.playwright.emulate_media(media="print")
            sections = "[...document.querySelectorAll('main > section')]"
            assert page.run(f"{sections}.filter((each) => !each.offsetHeight).map((each) => each.id)") == []
