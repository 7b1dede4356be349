"""The page of a comparison, without a browser: what is in the file."""

import os
import re
import sys
from threading import Thread

import numpy as np
import pytest
from inner import INDICES

import concordant as cc
from concordant.errors import FileError, ParameterError

LIMIT = 2_000_000


def text_of(comparison, tmp_path, **options):
    return comparison.to_html(tmp_path / "page.html", **options).read_text(encoding="utf-8")


def without_scripts(text):
    return re.sub(r"<script.*?</script>", "", text, flags=re.DOTALL)


@pytest.fixture
def mixed():
    return cc.compare(list("aaaabbbbcc"), [1, 1, 1, 2, 2, 2, 2, 2, 3, 3])


def test_one_file_under_the_limit_that_loads_nothing(mixed, tmp_path):
    (tmp_path / "page.html").write_text("old")
    page = mixed.to_html(tmp_path / "page.html")
    assert page == tmp_path / "page.html"
    assert page.stat().st_size < LIMIT
    assert [each.name for each in tmp_path.iterdir()] == ["page.html"]
    html = without_scripts(page.read_text(encoding="utf-8"))
    assert not re.search(r"""(src|href|url)\s*[=(]\s*["']?(https?:|//)""", html)
    assert "default-src 'none'" in html


def test_where_it_cannot_be_written(mixed, tmp_path):
    with pytest.raises(FileError, match="there is no folder"):
        mixed.to_html(tmp_path / "nowhere" / "page.html")
    with pytest.raises(FileError, match="is a folder"):
        mixed.to_html(tmp_path)
    with pytest.raises(FileError, match="File name too long"):
        mixed.to_html(tmp_path / ("x" * 300 + ".html"))
    with pytest.raises(ParameterError, match="None is not a path"):
        mixed.to_html(None)


def test_a_link_stays_and_what_it_leads_to_is_replaced(mixed, tmp_path):
    (tmp_path / "old.html").write_text("old")
    (tmp_path / "link.html").symlink_to("old.html")
    mixed.to_html(tmp_path / "link.html")
    assert (tmp_path / "link.html").is_symlink()
    assert (tmp_path / "old.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")


def test_a_pipe_is_written_to_and_not_replaced(mixed, tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read = []
    reader = Thread(target=lambda: read.append(pipe.read_text(encoding="utf-8")), daemon=True)
    reader.start()
    mixed.to_html(pipe)
    assert pipe.is_fifo()
    reader.join(timeout=60)
    assert read[0].startswith("<!DOCTYPE html>")


def test_a_page_draws_itself_without_matplotlib(mixed, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    html = text_of(mixed, tmp_path)
    assert html.count('<svg class="drawing"') == 2 * 3  # wide and narrow
    assert len(html) < 200_000


def test_every_number_of_the_flow_and_the_table_is_that_of_the_api(mixed, tmp_path):
    html = text_of(mixed, tmp_path)
    expected = sorted(f"{n:,} record{'s' * (n != 1)}" for n in [cell.overlap for cell in mixed.table])
    for part, mark in (("flow", 'class="band '), ("table", 'class="cell ')):
        chart = html[html.index(f'data-chart="{part}"') :]
        first = chart[: chart.index("</svg>")]
        said = re.findall(mark + r".*?<title>(.*?), \w+\n", first)
        assert sorted(said) == expected


@pytest.mark.parametrize("names", [("a",), ("a", ""), ("a", 3), "ab"])
def test_names_are_two_strings(names):
    with pytest.raises(ParameterError, match="names="):
        cc.compare([0, 0, 1], [0, 1, 1], names=names)


def top_of(comparison, folder):
    """The headline and the facts below it."""
    html = text_of(comparison, folder)
    return [re.search(rf'class="{name}">(.*?)</', html).group(1) for name in ("headline", "facts")]


@pytest.mark.parametrize(
    ("reference", "candidate", "headline", "below"),
    [
        ("aabb", "xxyy", "The candidate and the reference are identical", "4 records: "),
        (
            "aaaaaabc", "xxxyyyzz",
            "Reference cluster a is split over candidate clusters x and y and holds all missed pairs",
            "4 of 8 records are in the wrong cluster; reference clusters b and c are merged.",
        ),
        (
            "aaaaabb", "xxxxyzz", "1 of 7 records is in the wrong cluster, from reference cluster a",
            "1 reference cluster is nearly right and loses 1 record.",
        ),
        ("aabb", "xyxy", "The candidate and the reference are no more similar than chance (ARI -0.500)", ""),
        ("aabbc", "aabcc", "1 of 5 records is in the wrong cluster", "Reference cluster c is merged with b;"),
    ],
)  # fmt: skip
def test_the_headline_and_the_line_below(tmp_path, reference, candidate, headline, below):
    c = cc.compare(list(reference), list(candidate))
    found, facts = top_of(c, tmp_path)
    assert found == headline
    assert below in facts


def test_merged_clusters_are_named_with_what_they_are_merged_with(tmp_path):
    """b was merged into a, which is still nearly right, and d into c."""
    truth = list("a" * 10 + "bb" + "c" * 10 + "dd" + "efgh" * 3)
    found = list("a" * 12 + "c" * 12 + "efgh" * 3)
    _, facts = top_of(cc.compare(truth, found), tmp_path)
    assert "Reference cluster b is merged with a; reference cluster d is merged with c." in facts


def test_many_clusters_are_counted_not_named(tmp_path):
    reference = np.arange(300) // 3
    merged = np.where(reference < 90, reference // 2 + 500, np.arange(300) + 900)
    candidate = np.where(reference < 80, reference, merged)
    headline, _ = top_of(cc.compare(reference, candidate), tmp_path)
    assert headline == "12% of the records are in the wrong cluster, by both splits and merges"


def test_the_costliest_come_first_in_plain_words(tmp_path):
    html = text_of(
        cc.compare(list("aaaabbbbcc"), [1, 1, 1, 2, 2, 2, 2, 2, 3, 3], names=("letter", "number")), tmp_path
    )
    costliest = html[html.index('id="costliest"') : html.index('id="flow"')]
    plain = re.sub(r"<[^>]+>", "", costliest)
    assert "number cluster 2 mixes letter clusters b and a" in plain
    assert "letter cluster a is split over number clusters 1 and 2" in plain
    assert "4 wrong pairs: 100% of all" in plain
    assert "3 missed pairs: 100% of all" in plain


def test_dust_is_counted_not_named(tmp_path):
    html = text_of(cc.compare([0] * 100, list(range(100))), tmp_path)
    assert "is split over 100 candidate clusters" in re.sub(r"<[^>]+>", "", html)


def test_hostile_labels_stand_in_the_page_as_text(tmp_path):
    labels = ["<script>alert(1)</script>", "</script>", "\"'&", "\u202eabc", "a\nb", "x" * 10_000, "\ud800"]
    comparison = cc.compare(
        [label for label in labels for _ in range(2)],
        ["</title>", *labels, *labels][: 2 * len(labels)],
        names=("<i>", "</style>"),
    )
    text = text_of(comparison, tmp_path)
    html = without_scripts(text)
    assert "<script>alert" not in text
    assert "</style>" in html
    assert html.count("</style>") == 1
    assert html.count("</title>") == html.count("<title>")
    assert "\u202e" not in html
    assert "x" * 100 not in html
    assert "x" * 10_000 in text
    assert "\\ud800" in text


def test_thousands_of_long_labels_stay_under_the_limit(tmp_path):
    labels = [f"{i}-{'ø' * 10_000}" for i in range(700)]
    comparison = cc.compare([x for x in labels for _ in range(2)], [labels[i // 3] for i in range(1400)])
    assert comparison.to_html(tmp_path / "page.html").stat().st_size < LIMIT


def test_the_numbers_at_the_top_have_a_mark_where_chance_is(mixed, tmp_path):
    html = text_of(mixed, tmp_path)
    top = html[html.index('class="key-numbers"') :].partition("<nav")[0]
    for name in ("precision", "recall", "cluster_recall"):
        chance = INDICES[name].by_chance(mixed._counts)
        assert f'<i class="by-chance" style="left:{chance:.2%}"></i><' in top.replace("</i></div>", "</i><")
        assert f"<small>chance {chance:.4f}</small>" in top
    assert f'<i style="width:{mixed.precision:.2%}"></i>' in top


def test_an_empty_comparison(tmp_path):
    html = text_of(cc.compare([], []), tmp_path)
    assert "There is nothing to compare" in html
    assert 'id="flow"' not in html


def test_identical_partitions_blame_nobody(tmp_path):
    html = text_of(cc.compare(list("aabbc"), list("xxyyz")), tmp_path)
    assert 'id="costliest"' not in html
    assert "3 × 1:1" in html
    assert 'id="flow"' in html


def test_sizes_alone_make_a_page_that_says_what_it_lacks(sizes_alone, tmp_path):
    html = text_of(sizes_alone("aaaabbb", "xxyyzzz"), tmp_path)
    assert "the profile was made from sizes alone" in html
    assert 'id="flow"' not in html
    assert 'id="sizes"' in html
    assert 'id="indices"' in html


def test_a_table_of_counts_numbers_its_clusters(tmp_path):
    comparison = cc.Comparison.from_contingency([[10**20, 1], [0, 10**20]])
    html = text_of(comparison, tmp_path)
    assert 'id="flow"' in html
    assert "are numbered from 0" in html


def test_of_more_than_a_million_clusters_the_few_that_matter_are_shown(tmp_path):
    reference = np.arange(1_200_000)
    candidate = reference.copy()
    candidate[:500] = -1
    page = cc.compare(reference, candidate).to_html(tmp_path / "page.html")
    assert page.stat().st_size < LIMIT
    html = page.read_text(encoding="utf-8")
    assert ">Candidate cluster -1 mixes 500 reference clusters and holds all wrong pairs<" in html
    assert "499 of 1,200,000 records are in the wrong cluster." in html
    assert "Candidate cluster <b><bdi>-1</bdi></b> mixes" in html
    assert 'data-chart="verdicts"' in html
    assert 'data-chart="worst"' not in html  # one cluster has all wrong pairs: there is no curve to draw


def test_every_index_is_there_with_formula_and_source(mixed, tmp_path):
    html = text_of(mixed, tmp_path)
    for name in ("adjusted_rand", "variation_of_information"):
        index = INDICES[name]
        assert f"<code>{name}</code>" in html
        assert index.range_text in html
    assert mixed.signature.replace("<", "&lt;") in html


def test_the_list_of_changes_adds_up(tmp_path):
    source = np.random.default_rng(7)
    comparison = cc.compare(source.integers(0, 30, 3000), source.integers(0, 40, 3000))
    html = text_of(comparison, tmp_path)
    rows = re.findall(r"<td>[\d,]+</td><td>([\d,]+)</td><td>([\d,]+)</td><td style", html)
    assert "more overlaps" in html
    assert sum(int(missed.replace(",", "")) for missed, _ in rows) == comparison.pairs.n10
    assert sum(int(wrong.replace(",", "")) for _, wrong in rows) == comparison.pairs.n01


def test_the_notebook_stays_light(mixed):
    assert len(mixed._repr_html_()) < 70_000  # with a line for each index


def test_the_edits_that_help_most_come_before_charts_and_long_lists(mixed, tmp_path):
    html = without_scripts(text_of(mixed, tmp_path))
    section = html[html.index('id="suggestions"') : html.index("</section>", html.index('id="suggestions"'))]
    edits = mixed.suggest("bcubed_f", limit=8)
    assert section.count("<tr><td>") == len(edits)
    assert [float(x) for x in re.findall(r'data-value="([^"]*)"', section)[::2]] == [x.value for x in edits]
    keys = re.findall(r'<section id="(\w+)"', html)
    assert keys[:3] == ["costliest", "suggestions", "flow"]
    assert keys[-4:] == ["indices", "changes", "clusters", "cite"]


def test_no_edits_where_nothing_is_left_to_edit(tmp_path):
    alike = cc.compare([0, 0, 1], [5, 5, 6])
    partial = cc.compare({1: 0, 2: 0}, {2: 0, 3: 0}, unmatched="keep")
    for each in (alike, partial):
        page = text_of(each, tmp_path)
        assert 'id="suggestions"' not in page
        assert 'class="advice"' not in page


def test_edits_are_of_the_records_in_clusters_of_both_sides(tmp_path):
    """Background, and records that a side lacks, are left out, as ``drop`` leaves them out."""
    truth = np.repeat([0, 1, 2, 3], 25).reshape(10, 10)
    found = np.where(truth == 3, 2, truth)
    found[0], found[2:5, 2:4], found[9, :5] = 4, 0, 7
    own, dropped = (
        cc.compare(truth, found, reference_noise={0: kind}, candidate_noise={0: kind})
        for kind in ("background", "drop")
    )
    named = {f"r{i}": int(label) for i, label in enumerate(truth.ravel())}
    other = {f"r{i + 9}": int(label) for i, label in enumerate(found.ravel())}
    kept, common = (cc.compare(named, other, unmatched=each) for each in ("keep", "drop"))
    for each, wanted in ((own, dropped), (kept, common)):
        page = without_scripts(text_of(each, tmp_path))
        section = page[page.index('id="suggestions"') :]
        edits = wanted.suggest("bcubed_f", limit=8)
        values = re.findall(r'data-value="([^"]*)"', section[: section.index("</section>")])[::2]
        assert [float(value) for value in values][-len(edits.named) :] == [x.value for x in edits.named]
        of_some = "pixels in objects" if each is own else "records in clusters"
        assert f"bcubed_f</code> of the {of_some} of both sides is {wanted.bcubed_f:.4f} now" in section
        first = max(edits.named[0].value, float(values[0]))
        advice = page.partition('<p class="advice">')[2].partition(". <a")[0]
        assert advice.endswith(f"of both sides becomes {first:.4f} (+{first - wanted.bcubed_f:.4f})")


def test_too_many_edits_are_not_ranked_and_that_is_said(tmp_path):
    torn = cc.compare([0] * 1200, [i // 2 for i in range(1200)])
    page = text_of(torn, tmp_path)
    assert "About 360,000 single edits are too many to rank on a page" in page
    assert "<td>merge the 600 pieces of reference cluster " in page
    advice = "Fix first: merge the 600 pieces of reference cluster 0 (1,198 records); bcubed_f becomes"
    assert advice in " ".join(str(torn).split())


def test_long_lists_state_their_length_on_the_screen_and_on_paper(tmp_path):
    """A capture has all of it; a print has a part, and states how much there is."""
    pages = {}
    for number in (10, 40):
        records = np.arange(4 * number)
        page = cc.compare(records // 2, records // 4).to_html(tmp_path / "page.html").read_text("utf-8")
        pages[number] = page[page.index('id="changes"') :].partition("</section>")[0]
    assert "data-rest" not in pages[10]
    assert 'data-rest="and 25 more rows"' in pages[40]
