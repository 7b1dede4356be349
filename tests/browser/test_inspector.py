"""What pages answer to: keys of the inspector, marks, files, tab stops, tooltips, in a real browser."""

import csv
import io
import random

import pytest

import concordant as cc

OPEN = "!document.getElementById('inspector').hidden"
SHOWN = "document.querySelector('#inspector h2')?.textContent"
TIP = "document.getElementById('tip').hidden ? null : document.getElementById('tip').textContent"
TIP_IS_SHOWN = "!document.getElementById('tip').hidden"
SAVED = "window.saved = []; URL.createObjectURL = (blob) => (window.saved.push(blob), '#'); 0"


@pytest.fixture(scope="module")
def file(folder):
    source = random.Random(2)
    truth = {f"id {i}": f"person {source.randrange(12)}" for i in range(240)}
    found = {
        key: x if source.random() < 0.8 else f"person {source.randrange(12)}" for key, x in truth.items()
    }
    return cc.compare(truth, found, names=("truth", "found")).to_html(folder / "people.html")


@pytest.fixture(scope="module")
def opened(browser, file):
    """One page for all tests."""
    with browser.open(file) as page:
        page.run(SAVED)
        yield page


@pytest.fixture
def page(opened):
    """The page as it is when it is opened, with what was saved before forgotten."""
    opened.run("document.activeElement.blur(), (window.saved = [])")
    yield opened
    opened.press("Escape")
    assert opened.errors == []


def show(page, name):
    page.run(f"location.hash = '#cluster={name}'")
    page.wait_for(f"{SHOWN}?.includes({name!r})")


def rows_of(page, number):
    page.wait_for(f"window.saved.length > {number}")
    text = page.run(f"window.saved[{number}].text()")
    return list(csv.reader(io.StringIO(text.removeprefix("\ufeff"))))


def test_keys_go_from_cluster_to_cluster(page):
    show(page, "person 3")
    cards = page.run("[...document.querySelectorAll('.cluster > summary')].map((x) => x.textContent)")
    here = cards.index(page.run(SHOWN))
    for key, to in (("n", here + 1), ("n", here + 2), ("p", here + 1), ("ArrowLeft", here)):
        page.press(key)
        assert page.run(SHOWN) == cards[to]
    assert page.run("decodeURIComponent(location.hash)") == "#cluster=person 3"
    page.type("input[data-search]", "")
    page.run("document.querySelector('input[data-search]').focus()")
    page.press("n")  # typed into a field
    assert page.run(SHOWN) == cards[here]
    assert page.errors == []


def test_reviewed_marks_are_kept(browser, file):
    pressed = "document.querySelector('[data-does=review]').getAttribute('aria-pressed')"
    with browser.open(file, fragment="cluster=person 3") as page:
        assert page.run(pressed) == "false"
        page.press("r")
        assert page.run(pressed) == "true"
        page.press("n")
        assert page.run(pressed) == "false"
        page.playwright.reload()
        page.wait_for("document.documentElement.dataset.drawn === 'yes'")
        page.run("location.hash = '#cluster=person%203'")
        page.wait_for(f"{SHOWN}.includes('person 3')")
        assert page.run(pressed) == "true"
        assert page.run("document.querySelectorAll('details.reviewed').length") == 1
        assert "1 reviewed" in page.run("document.querySelector('#inspector output').textContent")


def test_ids_are_copied_and_a_cluster_is_downloaded(page):
    show(page, "person 3")
    page.run("navigator.clipboard.writeText = async (text) => { window.copied = text; }; 0")
    page.click("[data-does=copy]")
    page.wait_for("window.copied")
    ids = page.run("window.copied").split("\n")
    assert len(ids) == len(set(ids)) > 5
    assert all(each.startswith("id ") for each in ids)
    page.click("[data-does=download]")
    head, *rows = rows_of(page, 0)
    assert head == ["side", "cluster", "overlaps with", "overlap", "record"]
    assert [row[-1] for row in rows] == ids
    assert {tuple(row[:2]) for row in rows} == {("reference", "person 3")}
    assert {row[3] for row in rows} <= {"core", "part", "stray"}


def test_the_inspector_does_not_cover_the_numbers(page):
    edges = "[...document.querySelectorAll({!r})].map((x) => x.getBoundingClientRect().{})".format
    show(page, "person 3")
    for width in (1400, 1600):
        page.resize(width, 900)
        left = page.run("document.getElementById('inspector').getBoundingClientRect().left")
        assert max(page.run(edges(".key-numbers > div, .headline, .drawing", "right"))) <= left
        assert page.run("document.documentElement.scrollWidth") <= width
    page.resize(1200, 900)


def test_csv_has_one_value_per_column_and_is_never_blank(page):
    page.click("[data-csv=list-of-changes]")  # far below what is on the screen
    head, *rows = rows_of(page, 0)
    assert len(set(head)) == len(head)
    assert len(rows) == page.run("document.querySelectorAll('#list-of-changes tbody tr').length") > 10
    assert all(len(row) == len(head) for row in rows)
    listed = [dict(zip(head, row, strict=True)) for row in rows]
    for row in listed:
        assert row["Reference"]
        assert row["Candidate"]
        for key in ("Records", "Missed pairs", "Wrong pairs", "Share of all"):
            float(row[key])
        if row["Reference, shared"]:
            assert 0 < int(row["Reference, shared"]) <= int(row["Reference, size"])
            assert row["Reference, example 1"].startswith("id ")


def test_each_chart_and_list_is_one_tab_stop(page):
    every = "[...document.querySelectorAll('a, button, input, summary, [tabindex]')]"
    stops = page.run(f"{every}.filter((x) => x.tabIndex >= 0 && x.checkVisibility()).length")
    assert stops < 80
    for chart in ("flow", "table"):
        inside = f"[...document.querySelectorAll('#{chart} .wide a')]"
        assert page.run(f"{inside}.filter((x) => x.tabIndex === 0).length") == 1
        every = page.run(f"{inside}.map((x) => x.getAttribute('href'))")
        page.run(f"{inside}[0].focus()")
        reached = [page.run("document.activeElement.getAttribute('href')")]
        for _ in every[1:]:
            page.press("ArrowDown")
            reached.append(page.run("document.activeElement.getAttribute('href')"))
        assert reached == every
        page.press("Home")
        assert page.run("document.activeElement.getAttribute('href')") == every[0]
    page.press("Tab")
    assert page.run("document.activeElement.closest('#table .drawing')") is None


def test_the_first_tab_stop_skips_to_the_content(browser, file):
    with browser.open(file) as page:
        page.press("Tab")
        assert page.run("document.activeElement.className") == "skip"
        assert page.run("document.activeElement.getBoundingClientRect().top") >= 0
        page.press("Enter")
        page.press("Tab")
        assert page.run("document.activeElement.closest('main') !== null")


def test_tooltips_appear_at_once_and_on_touch(browser, file):
    band = "#flow {} .band.stray"
    with browser.open(file) as page:
        page.playwright.locator(band.format(".wide")).first.dispatch_event("pointerover")
        wide = page.run(TIP)
        assert "stray" in wide
        assert "truth person" in wide
        title = f"document.querySelector({band.format('.wide')!r}).querySelector('title').textContent"
        assert page.run(title) == ""  # so the browser does not show it a second time
        page.playwright.locator(band.format(".wide")).first.dispatch_event("pointerout", {"bubbles": True})
        assert page.run(TIP) is None
        assert page.run(title) == wide
    with browser.open(file, width=390) as page:
        mark = page.playwright.locator(band.format(".narrow")).first
        touch = {"pointerType": "touch", "bubbles": True}
        mark.dispatch_event("pointerover", touch)
        mark.dispatch_event("pointerout", touch)
        assert page.run(TIP) == wide
        assert page.errors == []


def test_the_cells_of_a_large_matrix_have_tooltips(browser, folder):
    source = random.Random(3)
    runs = {f"run {i}": [source.randrange(4) for _ in range(50)] for i in range(20)}
    m = cc.matrix(runs)
    with browser.open(m.to_html(folder / "large.html")) as page:
        box = page.run("(({x, y, width, height}) => [x, y, width, height])("
                       "document.querySelector('.wide .levels').getBoundingClientRect())")  # fmt: skip
        page.scroll_to(".wide .levels")
        x, y, width, height = page.run("(({x, y, width, height}) => [x, y, width, height])("
                       "document.querySelector('.wide .levels').getBoundingClientRect())")  # fmt: skip
        assert box[2:] == [width, height]
        page.playwright.mouse.move(x + width * 3.5 / 20, y + height * 7.5 / 20)
        page.wait_for(TIP_IS_SHOWN)
        value, names = page.run(TIP).split("\n")
        one, other = names.split(" and ")
        assert float(value) == pytest.approx(m[one, other], abs=1e-4)
        rows = page.run("[...document.querySelectorAll('#matrix .wide text')].map((x) => x.textContent)")
        assert rows[::2][7] == one
        assert rows[::2][3] == other


def test_the_footer_says_when_and_how(page):
    assert "in Python" in page.run("document.querySelector('footer').textContent")
