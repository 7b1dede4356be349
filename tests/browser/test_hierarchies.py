"""The pages of hierarchies in a real browser: what they draw, what keys do, what keeps people out."""

import random

import polars as pl
import pytest
from test_page import violations

import concordant as cc

VISIBLE = "[...document.querySelectorAll({!r})].filter((x) => x.checkVisibility()).length".format
FOCUSED = "document.activeElement.getAttribute('href')"


def scored(seed):
    source = random.Random(seed)
    pairs = [(i, i + 1, source.betavariate(5, 2)) for i in range(47) if i % 3 < 2]
    pairs += [(source.randrange(48), source.randrange(48), source.betavariate(1.5, 4)) for _ in range(24)]
    columns = {"l": [f"r{i}" for i, _, _ in pairs], "r": [f"r{j}" for _, j, _ in pairs]}
    frame = pl.DataFrame(columns | {"p": [score for *_, score in pairs]}).filter(pl.col("l") != pl.col("r"))
    return cc.Hierarchy.from_pairs(frame, left="l", right="r", score="p")


@pytest.fixture(scope="module")
def thresholds(folder):
    truth = {f"r{i}": i // 3 for i in range(48)}
    found = cc.compare(truth, scored(1), unmatched="singletons", names=("people", "Splink"))
    return found.to_html(folder / "thresholds.html")


@pytest.fixture(scope="module")
def trees(folder):
    found = cc.compare(scored(1), scored(2), names=("old", "new"))
    return found.to_html(folder / "trees.html")


@pytest.mark.parametrize("screen", [(1400, "light"), (390, "dark")], ids=str)
def test_pages_of_hierarchies_are_drawn_and_keep_nobody_out(browser, thresholds, trees, axe, screen):
    width, theme = screen
    with browser.open(thresholds, width=width, theme=theme) as page:
        assert page.run(VISIBLE("#curve .curve")) == 2 * 3  # three indices, and the legend
        assert 3 <= page.run(VISIBLE("#curve .dot.best")) <= 2 * 3  # a plateau has two
        assert page.run(VISIBLE("#precision-recall .medoid")) == 1
        assert page.run("document.documentElement.scrollWidth") <= width
        assert violations(page, axe) == []
        assert page.errors == page.requests == []
    with browser.open(trees, width=width, theme=theme) as page:
        assert page.run(VISIBLE("#grid .ridge")) == 1
        assert page.run(VISIBLE("#grid .ring")) == 1
        assert page.run(VISIBLE("#curve .chance-band")) == 2 + 1  # two indices, and the legend
        assert page.run("document.documentElement.scrollWidth") <= width
        assert violations(page, axe) == []
        assert page.errors == page.requests == []


def test_keys_go_along_a_curve_and_lead_to_its_table(browser, thresholds):
    with browser.open(thresholds) as page:
        page.run("document.querySelector('#curve .wide a').focus()")
        first = page.run(FOCUSED)
        page.press("ArrowRight")
        second = page.run(FOCUSED)
        assert first != second
        assert page.run("document.getElementById('tip').textContent").startswith("f_measure 0.")
        page.press("Enter")
        assert page.run("location.hash") == second
        assert page.run(f"document.querySelector('{second}').matches('tr')")


def test_a_cell_of_the_grid_says_both_cuts_and_the_value(browser, trees):
    with browser.open(trees) as page:
        page.scroll_to("#grid .wide .levels")
        page.playwright.locator("#grid .wide .levels").hover(position={"x": 200, "y": 100}, force=True)
        page.wait_for("!document.getElementById('tip').hidden")
        value, cuts = page.run("document.getElementById('tip').textContent").split("\n")
        k, rest = cuts.split(" clusters of old, ")
        found = cc.compare(scored(1), scored(2)).cuts(
            "adjusted_rand", n_clusters=200, candidate_n_clusters=200
        )
        assert float(value) == pytest.approx(found[int(k), int(rest.split()[0])], abs=1e-4)
        assert rest.endswith("clusters of new")
