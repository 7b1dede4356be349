"""The headline of each situation is the sentence that was written for it by hand."""

import json
import re
from html import unescape

import pytest
from situations import SITUATIONS

import concordant as cc

MADE = {}


def made(situation):
    if situation not in MADE:
        MADE[situation] = SITUATIONS[situation][0]()
    return MADE[situation]


def words_and_numbers(sentence):
    """The words of a sentence, and its numbers other than labels of clusters."""
    names = r"(?:clusters?|(?:reference|candidate) objects?)"
    without = re.sub(rf"{names} [^;:]*?(?= (?:and holds|is|are|merges|mixes)|[;:]|$)", "", sentence)
    return sentence.split(), re.findall(r"\d[\d,.]*", without)


@pytest.mark.parametrize("situation", SITUATIONS)
def test_the_headline_is_the_expected_sentence(situation):
    assert made(situation).headline == SITUATIONS[situation][1]


@pytest.mark.parametrize("situation", SITUATIONS)
def test_a_headline_is_short(situation):
    words, numbers = words_and_numbers(made(situation).headline)
    assert len(words) <= 16
    assert len(numbers) <= 2
    assert len({situation, *SITUATIONS}) >= 40


@pytest.mark.parametrize("situation", SITUATIONS)
def test_text_notebook_json_and_page_have_the_same_headline(situation, tmp_path):
    c = made(situation)
    page = c.to_html(tmp_path / "page.html").read_text("utf-8")
    (of_page,) = re.findall(r'<h1 class="headline">(.*?)</h1>', page)
    assert unescape(re.sub(r"</?span>", "", of_page)) == c.headline
    assert " ".join(str(c).split()).startswith(c.headline)
    assert c.headline in unescape(c._repr_html_())
    assert json.loads(c.to_json())["headline"] == c.headline
    if isinstance(c, cc.Comparison):
        assert c.summary().headline == c.headline
