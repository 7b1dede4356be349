"""The gallery: each data set of examples/ has a page, and says what its picture is called to say."""

import re
import sys
from html import unescape
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "scripts"))

import gallery  # noqa: E402  (found through the line above)

# Sentences of estimates and tests say what they must; that on questions says what was repeated.
EXEMPT = {"estimates", "questions"}
SAID = {
    "digits": "21% of records are in the wrong cluster, mostly from digit clusters '1', '8' and '9'",
    "entities": "16% of the records are in the wrong cluster, by both splits and merges",
    "contrast": "new rule fixes 36 clusters and breaks 5",
    "coreference": "",
    "communities": "club cluster 'Mr. Hi' is split and holds 83% of the missed pairs",
    "image": "segment object 2 merges cell objects 2 and 3 and holds all wrong pairs",
}


@pytest.mark.parametrize("name", gallery.GALLERY)
def test_each_page_says_what_the_gallery_says(tmp_path, name):
    page = gallery.GALLERY[name](tmp_path / f"{name}.html")
    html = page.read_text(encoding="utf-8")
    said = unescape(re.search(r'<h1 class="headline">(.*?)</h1>', html)[1])
    assert said.startswith(SAID[name])
    assert page.stat().st_size < 600_000


def test_the_page_of_the_gallery_shows_every_picture():
    text = (ROOT / "docs" / "gallery.md").read_text(encoding="utf-8")
    for name in gallery.GALLERY:
        assert f"images/gallery-{name}.png" in text
        assert (ROOT / "docs" / "images" / f"gallery-{name}.png").exists()


@pytest.mark.parametrize("name", gallery.RESULTS)
def test_each_result_has_a_page_with_its_headline(tmp_path, name):
    result = gallery.RESULTS[name]()
    html = result.to_html(tmp_path / "page.html").read_text(encoding="utf-8")
    headline = unescape(re.search(r'<h1 class="headline">(.*?)</h1>', html)[1])
    assert headline != type(result).__name__
    if name not in EXEMPT:
        assert len(headline.split()) <= 16
    if name in {"diff", "diff-without-reference", "track", "stability", "references", "slices"}:
        assert headline == result.headline


def test_the_gallery_has_many_situations():
    assert len(gallery.GALLERY | gallery.PAGES_OF_SITUATIONS) >= 30
