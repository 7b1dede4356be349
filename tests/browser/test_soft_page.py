"""The page of two soft partitions in a real browser: what it draws, what buttons do, who can read it."""

import numpy as np
import pytest
from test_page import violations

import concordant as cc

VISIBLE = "[...document.querySelectorAll({!r})].filter((x) => x.checkVisibility()).length".format
TEXTS = "[...document.querySelectorAll({!r})].map((x) => x.textContent)".format


@pytest.fixture(scope="module")
def found():
    source = np.random.default_rng(4)
    u = source.dirichlet([0.4] * 4, 80)
    v = 0.8 * u[:, [1, 2, 3, 0]] + 0.2 * source.dirichlet([0.4] * 4, 80)
    return cc.compare(*map(cc.Soft.from_matrix, (u, v)), names=("full", "diagonal"))


@pytest.fixture(scope="module")
def path(found, folder):
    return found.to_html(folder / "soft.html", significance=True)


@pytest.mark.parametrize("screen", [(1400, "light"), (390, "dark")], ids=str)
def test_the_page_of_soft_partitions_is_drawn_and_keeps_nobody_out(browser, path, axe, screen):
    width, theme = screen
    with browser.open(path, width=width, theme=theme) as page:
        assert page.run(VISIBLE("#table .cell.core")) == 4
        assert page.run(VISIBLE("#table .cell.stray")) == 12
        assert page.run("document.documentElement.scrollWidth") <= width
        assert violations(page, axe) == []
        assert page.errors == page.requests == []


def test_buttons_show_shares_and_heads_sort_the_records(browser, path, found):
    with browser.open(path) as page:
        page.playwright.get_by_role("button", name="Share of row").click()
        assert all(text.endswith("%") for text in page.run(TEXTS("#table .wide .value")))
        page.playwright.get_by_role("button", name="Moved", exact=True).click()
        first = page.run("document.querySelector('#moved tbody tr').cells[3].dataset.value")
        moved = [each.moved for each in found.records(limit=None)]
        assert float(first) in (min(moved), max(moved))
