"""A printed height or threshold cuts at the level that it is printed for, wherever it is printed."""

import math
import re

import numpy as np
import pandas as pd
import pytest
from inner import data_of

import concordant as cc

LINKED = [  # heights or scores of four joins, which six digits do not tell apart
    [0.25, 0.9999995, 0.9999999, 1.0],
    [0.1 + 0.2, 0.3, 0.30000000000000016, 0.6],
    [1e-300, 1.0000000000000002e-300, 123456.7, 123456.71],
    [1234567.0, 1234567.5, 1234568.0, 1e300],
    [0.123456789123, 0.5, 0.987654321987, 2.0],
    [-1.0000001, -1.0, -0.9999999, 0.0],
]
NUMBER = r"-?\d[\d.]*(?:e[+-]?\d+)?"
LEFT_AND_RIGHT = ("--left", "l", "--right", "r")
TRUTH = {"a": 1, "b": 1, "c": 2, "d": 2, "e": 2}


def of_scores(numbers):
    frame = pd.DataFrame({"l": list("abcd"), "r": list("bcde"), "p": numbers})
    return cc.Hierarchy.from_pairs(frame, left="l", right="r", score="p")


def of_heights(numbers):
    a, b, c, d = sorted(numbers)
    rows = [[0, 1, a, 2], [2, 5, b, 3], [3, 6, c, 4], [4, 7, d, 5]]
    return cc.Hierarchy.from_linkage(rows, records=list("abcde"))


def level_of(h, text):
    """The level at which a printed number cuts; without one, the cut is into singletons."""
    way = "threshold" if data_of(h).descending else "height"
    return h.level_at(**{way: float(text)}) if re.fullmatch(NUMBER, text) else 0


def column_of(result, way):
    """The column of heights in Markdown and in LaTeX."""
    tables = (
        [line.strip("|").split("|") for line in result.to_markdown().splitlines() if line[:1] == "|"],
        [line.rstrip(" \\").split("&") for line in result.to_latex().splitlines() if "&" in line],
    )
    for rows in tables:
        place = [cell.strip() for cell in rows[0]].index(way)
        cells = [row[place].strip().replace("$-$", "-").replace("{}", "") for row in rows[1:]]
        yield [cell for cell in cells if not re.fullmatch("[-:]+", cell)]


@pytest.mark.parametrize("numbers", LINKED)
@pytest.mark.parametrize("make", [of_scores, of_heights])
def test_every_printed_number_cuts_at_its_level(make, numbers, tmp_path):
    h = make(numbers)
    way = "threshold" if data_of(h).descending else "height"
    t, levels = cc.compare(TRUTH, h), list(range(5))
    curve = t.curve("f_measure")
    for column in (*column_of(curve, way), *column_of(t, way)):
        assert [level_of(h, number) for number in column] == levels
    for name in ("f_measure", "precision", "recall", "adjusted_rand"):
        best = t.best_cut(name)
        if best.level:
            for text in (str(best), best.headline, best.to_text()):
                assert level_of(h, re.search(rf"{way} (\S+): level", text)[1]) == best.level
            for column in column_of(best, way):
                assert [level_of(h, number) for number in column] == [best.level]
    page = t.to_html(tmp_path / "page.html", levels=5).read_text(encoding="utf-8").replace("−", "-")
    rows = re.findall(r'<tr[^>]*cut(\d)"[^>]*>\s*<t[dh][^>]*>(.*?)</t[dh]>', page)
    assert [level_of(h, text) for _, text in rows] == levels
    assert set(re.findall(rf"{way} ({NUMBER})[ <,:;]", page)) <= {text for _, text in rows}


def test_numbers_have_no_more_digits_than_needed():
    text = str(cc.compare(TRUTH, of_scores([0.123456789123, 0.5, 0.987654321987, 1.0])).curve("f_measure"))
    assert re.findall(NUMBER, text.replace("0.0000", ""))
    for number in (" 0.123456 ", " 0.5 ", " 0.987654 ", " 1 "):
        assert number in text
    text = str(cc.compare(TRUTH, of_scores([0.25, 0.9999995, 0.9999999, 1.0])).curve("f_measure"))
    for number in (" 0.25 ", " 0.999999 ", " 0.9999999 ", " 1 "):
        assert number in text


def test_the_command_prints_thresholds_that_cut_at_their_level(run, tmp_path):
    pd.DataFrame({"id": list(TRUTH), "cluster": list(TRUTH.values())}).to_csv(tmp_path / "t.csv", index=False)
    for numbers in LINKED[:1] + LINKED[4:5]:
        frame = pd.DataFrame({"l": list("abcd"), "r": list("bcde"), "p": numbers})
        frame.to_csv(tmp_path / "p.csv", index=False)
        h = of_scores(numbers)
        ran = run("thresholds", tmp_path / "t.csv", tmp_path / "p.csv", "--score", "p", *LEFT_AND_RIGHT)
        assert ran.status == 0, ran.err
        lines = [line for line in ran.out.splitlines() if re.match(r"\s*(\d\S*|above all)\s+\d+\s", line)]
        assert [level_of(h, line.split()[0]) for line in lines[:5]] == list(range(5))


def test_heights_of_infinity_are_printed():
    h = cc.Hierarchy.from_linkage([[0, 1, 1.0, 2], [2, 3, math.inf, 3]])
    t = cc.compare([0, 0, 1], h)
    assert "inf" in str(t.curve("rand"))
    assert np.isinf(t.curve("rand").columns["height"][-1])
