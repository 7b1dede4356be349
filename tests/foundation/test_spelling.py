"""How labels, counts and shares are written, and how columns of text are aligned."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from inner import percent, printable, quoted

import concordant as cc

wholes = st.integers(1, 10**30)


@given(st.data(), wholes, st.integers(0, 2))
def test_a_share_is_the_nearest_and_only_all_reads_as_all(data, whole, decimals):
    part = data.draw(st.integers(0, whole))
    text = percent(part, whole, decimals)
    assert (text == "100%") == (part == whole)
    assert (text == "0%") == (part == 0)
    value = Fraction(text.strip("<>%")) / 100
    step = Fraction(1, 100 * 10**decimals)
    share = Fraction(part, whole)
    if text[0] in "<>":
        assert share < value if text[0] == "<" else share > value
    else:
        assert abs(share - value) <= step / 2


@pytest.mark.parametrize(
    ("part", "whole", "decimals", "text"),
    [
        (0, 0, 0, "0%"),
        (0, 7, 1, "0%"),
        (199, 200, 0, ">99%"),
        (1, 10**6, 1, "<0.1%"),
        (0.875, 1, 0, "88%"),
        (8, 18, 0, "44%"),
    ],
)
def test_shares(part, whole, decimals, text):
    assert percent(part, whole, decimals) == text


@pytest.mark.parametrize(
    ("size", "words"), [(2, "1 missed pair,"), (3, "3 missed pairs,"), (51, "1,275 missed pairs,")]
)
def test_counts_agree_with_their_nouns(size, words):
    assert words in str(cc.compare([0] * size, range(size)))


@given(st.text() | st.integers() | st.floats() | st.none() | st.tuples(st.text(), st.integers()))
def test_a_label_is_one_line_that_can_be_written(label):
    for text in (printable(label), quoted(label)):
        assert text.strip()
        assert len(text.splitlines()) == 1
        text.encode("utf-8")


def test_a_record_that_one_side_lacks_reads_alike_everywhere(tmp_path):
    c = cc.compare({"x": 0, "y": 0, "z": 1}, {"y": 5, "z": 6, "w": 6}, unmatched="singletons")
    page = c.to_html(tmp_path / "page.html").read_text(encoding="utf-8")
    texts = [str(c), c._repr_html_(), str(c.changes()), str(c.clusters()), str(c.records()), page]
    for text in texts:
        assert "in no cluster" in text
        assert "(no label)" not in text
    drawn = [text.get_text() for text in c.plot("flow").ax_.texts]
    assert {"only in the reference", "only in the candidate"} <= {*drawn}
    assert "(no label)" not in drawn
