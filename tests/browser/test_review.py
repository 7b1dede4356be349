"""The page for judges: keys answer, the browser keeps the answers, and judged reads the saved file."""

import csv
import io

import pandas as pd
import pytest
from test_page import violations

import concordant as cc

SAVED = "window.saved = []; URL.createObjectURL = (blob) => (window.saved.push(blob), '#'); 0"
SHOWN = "[...document.querySelectorAll('article')].find((each) => !each.hidden).dataset.question"
PROGRESS = "document.getElementById('progress').textContent"
PRESSED = "document.querySelector('button[aria-pressed=true]')?.dataset.answer"


@pytest.fixture(scope="module")
def change():
    base = {f"id {i}": i // 4 for i in range(40)}
    experiment = {f"id {i}": (i + i % 3) // 4 for i in range(40)}
    return cc.diff(base, experiment)


@pytest.fixture(scope="module")
def questions(change):
    names = [f'<b onclick="window.hacked=1">{i // 4}</b>, "x"' for i in range(40)]
    people = pd.DataFrame({"id": [f"id {i}" for i in range(40)], "name": names, "born": None})
    return change.ask(n_questions=12, details=people, record="id", show=["name", "born"])


@pytest.fixture
def page(browser, folder, questions):
    with browser.open(questions.to_html(folder / "review.html")) as opened:
        opened.run(SAVED)
        yield opened
        assert opened.errors == opened.requests == []


def saved_rows(page):
    page.wait_for("window.saved.length > 0")
    return list(csv.DictReader(io.StringIO(page.run("window.saved[0].text()"))))


def test_keys_answer_and_the_file_is_read(page, change, questions, tmp_path):
    assert page.run(SHOWN) == "q1"
    page.type("#judge", "ann, no y")
    page.run("document.activeElement.blur()")
    number = len(questions)
    words = [("y", "n", "?")[place % 3] for place in range(number)]
    for place, key in enumerate(words):
        assert page.run(SHOWN) == f"q{place + 1}"
        page.press(key)
    assert page.run(PROGRESS) == f"Question {number} of {number}, {number} answered"
    page.click("[data-step=save]")
    rows = saved_rows(page)
    meaning = {"y": "yes", "n": "no", "?": "unsure"}
    assert [row["same"] for row in rows] == [meaning[key] for key in words]
    assert {row["judge"] for row in rows} == {"ann, no y"}
    assert [(row["record_a"], row["record_b"]) for row in rows] == [
        (each.record_a, each.record_b) for each in questions.questions
    ]
    questions.save(tmp_path / "questions.csv")
    (tmp_path / "answers.csv").write_text(page.run("window.saved[0].text()"), encoding="utf-8")
    judged = change.judged(tmp_path / "answers.csv")
    expected = [{"question": f"q{place + 1}", "same": meaning[key]} for place, key in enumerate(words)]
    assert judged.to_dict() == change.judged(expected, questions=questions).to_dict()


def test_answers_are_kept_and_can_be_changed(page):
    page.press("y")
    page.press("n")
    page.playwright.reload()
    page.wait_for("document.documentElement.classList.contains('one-by-one')")
    page.requests.clear()  # its own file
    assert page.run(SHOWN) == "q3"
    page.press("ArrowLeft")
    assert (page.run(SHOWN), page.run(PRESSED)) == ("q2", "no")
    page.click("[data-answer=yes]")
    assert page.run(SHOWN) == "q3"
    page.press("ArrowLeft")
    assert page.run(PRESSED) == "yes"
    assert page.run(PROGRESS).endswith("2 answered")
    page.run("document.getElementById('judge').focus()")
    page.press("n")  # typed into the field
    page.press("?")
    assert page.run(PROGRESS).endswith("2 answered")


def test_judges_see_the_records_and_not_the_run(page, questions):
    first = questions.questions[0]
    cells = page.run(
        "[...document.querySelectorAll('article:not([hidden]) td bdi')].map((x) => x.textContent)"
    )
    assert cells == [first.record_a, first.record_b, first.shown_a[0], first.shown_b[0], "", ""]
    assert page.run("window.hacked === undefined")
    text = page.run("document.documentElement.outerHTML")
    assert not [word for word in ("split", "merged", "kept_") if f'"{word}' in text]


def test_the_page_keeps_nobody_out(browser, folder, questions, axe):
    file = questions.to_html(folder / "review-axe.html")
    for width, theme in ((1200, "dark"), (400, "light")):
        with browser.open(file, width=width, theme=theme) as page:
            page.press("y")
            assert violations(page, axe) == []
            assert page.run("document.documentElement.scrollWidth") <= width
            assert page.errors == page.requests == []
