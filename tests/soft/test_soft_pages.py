"""The page, the notebook form and the chart of soft partitions: numbers are those of the API."""

import re
from html import unescape

import matplotlib as mpl
import numpy as np
import pytest
from inner import INDICES, moved_weights

import concordant as cc
from concordant.errors import ParameterError, UnknownIndexError

mpl.use("Agg")

U = [[0.9, 0.1], [0.8, 0.2], [0.25, 0.75], [0.0, 1.0]]
V = [[0.1, 0.6, 0.3], [0.0, 1.0, 0.0], [0.7, 0.3, 0.0], [1.0, 0.0, 0.0]]


def soft(rows, **options):
    return cc.Soft.from_matrix(rows, **options)


@pytest.fixture
def found():
    names = {"records": ["ann", "bob", "cy", "dee"]}
    u = soft(U, clusters=["left", "right"], **names)
    return cc.compare(u, soft(V, clusters=["p", "q", "r"], **names), names=("mixture", "topics"))


def shown(value):
    return f"{value:.4f}"


def text_of(path):
    page = re.sub(r"<(script|style).*?</\1>", " ", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]*>", " ", page)))


def test_the_page_has_the_indices_the_matched_clusters_and_the_records_that_moved(found, tmp_path):
    text = text_of(found.to_html(tmp_path / "page.html"))
    assert found.headline in text
    assert "4 records, 2 clusters against 3 clusters." in text
    for name, value in found.items():
        assert f"{shown(value)} {cc.explain(name).index.title}" in text
    for name in ("adjusted_rand", "matching_accuracy"):
        assert f"{shown(found.hardened[name])} {INDICES[name].title} of the largest weights" in text
    assert "Most weight moved from mixture cluster left to topics cluster r: 0.3000" in text
    for each in found.records():
        row = (
            each.record,
            each.reference,
            each.candidate,
            shown(each.moved),
            shown(each.n_pairs),
        )
        assert " ".join(row) in text
    for match in found.matching():
        weights = (match.overlap, match.reference_weight, match.candidate_weight)
        assert f"{match.reference} {match.candidate} {' '.join(map(shown, weights))}" in text
    assert "soft_rand, degree_of_concordance, adjusted_concordance" in text
    assert found.signature in text
    assert "p-value" not in text
    assert "by chance" not in text


def test_indices_and_significance_are_there_if_asked_for(found, tmp_path):
    text = text_of(found.to_html(tmp_path / "page.html", indices=["soft_rand"], significance=True))
    assert f"{shown(found.soft_rand)} Soft Rand index" in text
    assert f"{found.significance()!r}." in text.replace("\n ", "")
    assert "Soft matching accuracy" not in text
    with pytest.raises(UnknownIndexError, match="soft_randd"):
        found.to_html(tmp_path / "page.html", indices=["soft_randd"])


def test_moved_weights_add_up_to_both_sides_and_to_the_matching_accuracy():
    source = np.random.default_rng(1)
    u, v = source.dirichlet([0.3] * 4, 50), source.dirichlet([0.3] * 6, 50) * 0.8
    s = cc.compare(soft(u), soft(v, remainder="alone"))
    table = moved_weights(s._counts)
    assert table.sum(axis=1)[:-1] == pytest.approx(u.sum(axis=0))
    assert table.sum(axis=0)[:-1] == pytest.approx(v.sum(axis=0))
    assert (table[-1].sum(), table[:, -1].sum()) == pytest.approx((0, 50 - v.sum()))
    stayed = sum(table[i, j] for i, j in s._counts.matched_columns)
    assert stayed / 50 == pytest.approx(s.soft_matching_accuracy)
    same = cc.compare(soft(u), soft(u[:, ::-1]))
    table = moved_weights(same._counts)
    assert np.count_nonzero(table) == 4


def test_equal_sides_report_that_no_weight_moved(tmp_path):
    s = cc.compare(soft(U), soft([row[::-1] for row in U]))
    assert "No weight moved (heat map)" in text_of(s.to_html(tmp_path / "page.html"))


def test_many_clusters_are_gathered_and_weight_in_no_cluster_is_drawn(tmp_path):
    source = np.random.default_rng(2)
    u, v = source.dirichlet([0.1] * 40, 200) * 0.9, source.dirichlet([0.1] * 50, 200)
    text = text_of(cc.compare(soft(u, remainder="alone"), soft(v)).to_html(tmp_path / "page.html"))
    assert "14 of 40 clusters of the reference and 24 of 50 clusters of the candidate are combined" in text
    assert "in no cluster" in text
    assert "14 more" in text
    assert "Not listed: 100 other records" in text


def test_records_of_one_side_are_reported(tmp_path):
    labels = {"ann": "a", "bob": "a", "cy": "b", "eve": "b"}
    u = soft(U, records=["ann", "bob", "cy", "dee"])
    page = tmp_path / "page.html"
    text = text_of(cc.compare(u, labels, unmatched="drop").to_html(page))
    assert "1 record of the reference alone is left out." in text
    text = text_of(cc.compare(u, labels, unmatched="singletons").to_html(page))
    assert "1 record of the candidate alone is in no cluster of the reference." in text


def test_files_have_a_page(tmp_path):
    rows = [f"{'abcd'[x]},{i},{weight}" for x, row in enumerate(U) for i, weight in enumerate(row)]
    path = tmp_path / "weights.csv"
    path.write_text("\n".join(["id,topic,weight", *rows]))
    side = cc.Soft.scan(path, record="id", cluster="topic", weight="weight")
    s = cc.compare(side, dict(zip("abcd", "xxyy", strict=True)))
    text = text_of(s.to_html(tmp_path / "page.html"))
    assert shown(s.soft_adjusted_rand) in text
    assert "of the largest weights" in text


def test_a_notebook_shows_the_heat_map_and_the_indices(found):
    page = found._repr_html_()
    assert 'class="cell core"' in page
    assert "Soft adjusted Rand index" in page
    assert found.headline in unescape(page)
    assert "| Soft matching accuracy" in found.to_markdown()


def test_the_chart_has_shares_and_refuses_others(found):
    ax = found.plot(share="reference").ax_
    assert sorted(text.get_text() for text in ax.texts) == ["12%", "15%", "85%", "88%"]
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("topics", "mixture")
    with pytest.raises(ParameterError, match="share='rows': use 'reference' or 'candidate'"):
        found.plot(share="rows")


def test_weight_that_moved_little_is_pale(tmp_path):
    stays, leans = ([[1 - part, part], [part, 1 - part]] for part in (0.05, 0.1))
    page = cc.compare(soft(stays), soft(leans)).to_html(tmp_path / "page.html").read_text("utf-8")
    core, moved = (
        float(re.search(rf'class="cell {kind}"[^>]*?fill-opacity="([^"]*)"', page)[1])
        for kind in ("core", "stray")
    )
    assert moved < core / 2
