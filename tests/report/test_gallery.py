"""The gallery: each data set of examples/ has a page, and says what its picture is called to say."""

import json
import re
import sys
from html import unescape
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "scripts"))

import gallery  # noqa: E402  (found through the line above)

# Sentences of estimates and tests say what they must.
EXEMPT = {"estimates", "ranking"}
SAID = {
    "digits": "21% of records are in the wrong cluster, mostly from digit clusters '1', '8' and '9'",
    "entities": "16% of the records are in the wrong cluster, by both splits and merges",
    "diff": "new rule fixes 36 clusters and breaks 5",
    "coreference": "",
    "communities": "club cluster 'Mr. Hi' is split and holds 83% of the missed pairs",
    "image": "segment object 2 merges cell objects 2 and 3 and holds all wrong pairs",
}
# The numbers of the headline of each kind of result, as the API gives them.
NUMBERS = {
    "diff-without-reference": lambda d: [round(d.affected * d.size), d.size],
    "matrix": lambda m: [f"{max(sum(row) - 1 for row in m.to_numpy()) / 2:.4f}"],
    "matrix-with-reference": lambda m: [f"{m.ranking()[0].value:.4f}"],
    "track": lambda t: [len(t.splits), len(t.merges)],
    "consensus": lambda c: [len(c.names), c.n_clusters],
    "stability": lambda s: [
        *(sum(2 * x.recovered > x.n_clusterings for x in s.clusters(None)), len(s.clusters(None))),
        s.clusters(1)[0].cluster,
    ],
    "ranking": lambda r: [len(r.candidates), f"{r.candidates['new rule'].f_measure:.4f}", "0.0001"],
    "references": lambda c: ["0", *(f"{x.adjusted_rand:.4f}" for x in (c.comparisons["0"], c))],
    "estimates": lambda e: [
        f"{e.f_measure.value:.4f}",
        *("95", f"{e.f_measure.low:.4f}", f"{e.f_measure.high:.4f}"),
    ],
    "slices": lambda s: [len(s)],
    "scores": lambda r: [f"{100 * r.conll:.2f}", int(100 * (1 - r.mentions.recall) + 0.5)],
    "settings": lambda r: [len(r)],
    "judgements": lambda j: [
        f"{100 * j.confidence:g}" if x is None else f"{x:.4f}"
        for x in (j.delta_precision.value, None, j.delta_precision.low, j.delta_precision.high)
    ],
    "soft": lambda s: [f"{100 * s.soft_matching_accuracy:.0f}", f"{s.soft_adjusted_rand:.2f}"],
    "trees": lambda h: [int(h.clusters_shared), round(h.clusters_shared / h.shared_cluster_recall)],
    "thresholds": lambda h: [f"{h.best_cut('f_measure').height:g}", f"{h.best_cut('f_measure').value:.4f}"],
    "questions": lambda q: [len(q)],
}


def headline_of(html):
    return unescape(re.sub(r"</?span>", "", re.search(r'<h1 class="headline">(.*?)</h1>', html)[1]))


@pytest.mark.parametrize("name", gallery.GALLERY)
def test_each_page_says_what_the_gallery_says(tmp_path, name):
    page = gallery.GALLERY[name](tmp_path / f"{name}.html")
    html = page.read_text(encoding="utf-8")
    said = headline_of(html)
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
    headline = headline_of(html)
    assert headline != type(result).__name__
    named = headline.replace(" rule", "")
    assert re.findall(r"-?\d+(?:\.\d+)?", named) == list(map(str, NUMBERS[name](result)))
    if name not in EXEMPT:
        assert len(headline.split()) <= 16
    assert headline == result.headline == json.loads(result.to_json())["headline"]
    assert headline in " ".join(str(result).split())
    assert headline in unescape(result._repr_html_())


def test_the_gallery_has_many_situations():
    assert len(gallery.GALLERY | gallery.PAGES_OF_SITUATIONS) >= 30
