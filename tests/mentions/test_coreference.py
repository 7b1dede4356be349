"""Coreference over documents and from files."""

import json
import re
from html import unescape
from pathlib import Path

import pytest

import concordant as cc
from concordant.errors import (
    InputError,
    LengthError,
    NothingLeftError,
    OverlapError,
    ParameterError,
    UnknownKeyError,
    UnmatchedError,
)

KEY = [{"a"}, {"b", "c"}, {"d", "e", "f"}]
SCORER = json.loads((Path(__file__).parents[1] / "golden" / "coreference.json").read_text())

CONLL = """#begin document (ours); part 000
x 0 0 Obama - (0)
x 0 1 met - -
x 0 2 the - (1
x 0 3 man - 1)

x 1 0 He - (0)
x 1 1 saw - -
x 1 2 him - (1)
#end document
"""
CONLLU = """# global.Entity = eid-etype-head
# newdoc id = ours
1-2\tObama met\t_\t_\t_\t_\t_\t_\t_\t_
1\tObama\t_\t_\t_\t_\t_\t_\t_\tEntity=(e0-person-1)
2\tmet\t_\t_\t_\t_\t_\t_\t_\t_
3\tthe\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No|Entity=(e1-person-2
4\tman\t_\t_\t_\t_\t_\t_\t_\tEntity=e1)

1\tHe\t_\t_\t_\t_\t_\t_\t_\tEntity=(e0-person-1)
2\tsaw\t_\t_\t_\t_\t_\t_\t_\t_
3\thim\t_\t_\t_\t_\t_\t_\t_\tEntity=(e1-person-1)
"""
JSON = {
    "doc_key": "ours",
    "sentences": [["Obama", "met", "the", "man"], ["He", "saw", "him"]],
    "clusters": [[[0, 0], [4, 4]], [[2, 3], [6, 6]]],
    "predicted_clusters": [[[0, 0], [4, 4], [6, 6]]],
}


def written(folder, name, text):
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_digits_are_rounded_or_cut_as_the_official_scorer_does():
    key, response = [[set("abc"), set("def"), set("ghi")]], [[set("ab"), set("de"), {"g"}]]
    rounded, cut = (str(cc.coreference(key, response, digits=digits)) for digits in ("rounded", "cut"))
    assert "mentions   55.56     100.00  71.43" in rounded  # 5/9
    assert "mentions   55.55     100.00  71.42" in cut
    # F1 is 14/25; the scorer adds up rounded shares and prints 55.99 in its own case TC-A-2, as "cut" does.
    as_scored = cc.coreference([KEY], [[{"a"}, {"d", "e"}]], digits="cut")
    assert "B-cubed    38.88     100.00  55.99" in str(as_scored)
    assert as_scored["B-cubed"].f1 == 0.56
    two = cc.coreference([KEY, KEY], [[{"a"}, {"d", "e"}], [{"x", "b"}]], digits="cut")
    assert "B-cubed    23.61      70.00  35.31" in str(two)  # 17/6 of 12, 7/2 of 5
    with pytest.raises(ParameterError, match="digits"):
        cc.coreference(key, response, digits="floor")


def test_scores_are_those_of_the_cases_summed_over_documents():
    key, response = ([case[side] for case in SCORER] for side in ("key", "response"))
    result = cc.coreference(key, response)
    mentions = [[set().union(*map(set, document)) for document in side] for side in (key, response)]
    recall = sum(len(asked & given) for asked, given in zip(*mentions, strict=True))
    assert result.mentions.recall == recall / sum(len(c) for document in key for c in document)
    for number, case in enumerate(SCORER):
        one = result.documents[number]
        alone = cc.coreference([case["key"]], [case["response"]])
        assert one.to_dict() == alone.to_dict()
    muc = [result.documents[number].comparison for number in range(len(SCORER))]
    found = sum(c._counts.common - c._counts.cells for c in muc)
    assert result["MUC"].recall == found / sum(c._counts.reference_size - c._counts.rows for c in muc)


def test_links_between_documents_do_not_exist():
    """Two copies of one document score as one does, BLANC as well."""
    response = [{"a", "b"}, {"d", "e", "x"}]
    once, twice = (cc.coreference([KEY] * n, [response] * n) for n in (1, 2))
    assert once.to_dict() == twice.to_dict()
    assert twice.comparison.pairs.n00 == 2 * once.comparison.pairs.n00


def test_singletons_are_removed_from_both_sides():
    kept = cc.coreference([KEY], [[*KEY, {"z"}]])
    removed = cc.coreference([KEY], [[*KEY, {"z"}]], singletons="remove")
    assert kept["B-cubed"].precision < 1
    assert removed["B-cubed"] == (1, 1, 1)


def test_a_repeated_mention():
    twice = [["a", "b"], ["b", "c"]]
    with pytest.raises(OverlapError, match="document 'd' of the candidate contains the mention 'b' twice"):
        cc.coreference({"d": KEY}, {"d": twice})
    first = cc.coreference([KEY], [twice], repeated="first")
    assert first.to_dict() == cc.coreference([KEY], [[{"a", "b"}, {"c"}]]).to_dict()
    with pytest.raises(OverlapError, match="'b' twice"):
        cc.coreference([[["b", "b"]]], [KEY])


def test_documents_that_differ_and_documents_that_are_empty():
    with pytest.raises(UnmatchedError, match="1 only in the reference"):
        cc.coreference({"a": KEY, "b": KEY}, {"a": KEY})
    with pytest.raises(LengthError, match="2 documents and the candidate 1"):
        cc.coreference([KEY, KEY], [KEY])
    with pytest.raises(InputError, match="one document"):
        cc.coreference(KEY, KEY)
    with pytest.raises(InputError, match="both mappings"):
        cc.coreference([KEY], {"a": KEY})
    with pytest.raises(InputError, match="hashable"):
        cc.coreference([[[[1, 2]]]], [KEY])
    with pytest.raises(NothingLeftError, match="no mention"):
        cc.coreference([[]], [[]])
    assert cc.coreference([KEY, []], [KEY, []]).to_dict() == cc.coreference([KEY], [KEY]).to_dict()
    assert cc.coreference([KEY], [[]]).conll == 0


def test_what_went_wrong_is_told_by_name(tmp_path):
    result = cc.coreference({"d": {"Obama_0 +1": ["a", "b"]}}, {"d": {"he_1": ["a"], "him_2": ["b"]}})
    assert "'Obama_0 +1'" in str(result.comparison.changes())
    assert result.comparison.to_html(tmp_path / "page.html").exists()
    assert cc.coreference([KEY], [KEY])["CEAF-e"].f1 == 1
    with pytest.raises(UnknownKeyError, match="use one of mentions, muc"):
        result["pair"]


def test_scores_are_a_mapping_by_any_spelling():
    result = cc.coreference({"d": KEY, "empty": []}, {"d": KEY, "empty": []})
    assert list(result) == ["mentions", "muc", "bcubed", "ceaf_m", "ceaf_e", "blanc", "lea", "conll"]
    for spelling in ("B-cubed", "bcubed", "B3", "b_cubed"):
        assert result[spelling] == result["bcubed"]
        assert spelling in result
    assert result["conll"].f1 == result.conll
    assert object() not in result
    assert "pair" not in result
    frame = result.to_frame("polars")
    assert frame.columns == ["index", "kind", "value"]
    assert frame.height == 3 * 7 + 1
    documents = result.documents
    assert documents.to_dict() == {"d": result.to_dict(), "empty": {}}
    assert documents.to_frame("polars").columns == ["slice", "index", "kind", "value"]
    assert [] not in documents
    with pytest.raises(UnknownKeyError, match="no document 'mail'"):
        documents["mail"]


@pytest.mark.parametrize(
    ("name", "text"), [("k.conll", CONLL), ("k.conllu", CONLLU), ("k.jsonl", json.dumps(JSON))]
)
def test_three_formats_hold_the_same(run, tmp_path, name, text):
    known = JSON | {"doc_key": "(ours); part 000" if name == "k.conll" else "ours"}
    key, response = written(tmp_path, name, text), written(tmp_path, "r.jsonl", json.dumps(known))
    page = tmp_path / "page.html"
    assert json.loads(run("coref", key, response, "--json", "--html", page).out)["data"]["conll"] == {
        "f1": 1.0
    }
    labels = set(re.findall(r"<bdi>(\w[\w ]+)_\w+ \+1</bdi>", page.read_text(encoding="utf-8")))
    assert labels == {"Obama", "the man"}


def test_a_mention_in_pieces_is_one_mention(run, tmp_path):
    text = CONLLU.replace("(e1-person-2", "(e1[1/2]-person-2").replace("=e1)", "=e1[1/2])")
    text = text.replace("(e1-person-1)", "(e1[2/2]-person-2)")
    key, page = written(tmp_path, "k.conllu", text), tmp_path / "page.html"
    run("coref", key, written(tmp_path, "whole.conllu", CONLLU), "--html", page)
    assert "('ours', ((2, 3), (6, 6)))" in unescape(page.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (CONLL.replace("1)\n\n", "-\n\n"), "ends within a mention of '1'"),
        (CONLL.replace("(1\n", "-\n"), "line 5: a mention of '1' ends here but never began"),
        (CONLL.replace("(1\n", "1\n"), "line 4: '1' neither begins nor ends"),
        (CONLL.replace("#end document\n", ""), "has no '#end document'"),
        (CONLL * 2, "occurs twice in the file"),
        (CONLLU.replace("1\tHe\t_", "1\tHe"), "9 columns; CoNLL-U has 10"),
        ('{"doc_key": 1}', "line 1 has no 'clusters'"),
        ("{x", "line 1 is not JSON"),
        ('{"clusters": [[1]]}', "a mention is .first, last."),
        ("a b c", "not a coreference file"),
    ],
)
def test_what_is_wrong_with_a_file_is_said(fails, tmp_path, text, complaint):
    assert re.search(complaint, fails("coref", *[written(tmp_path, "k", text)] * 2))


def test_a_file_that_is_not_there(fails, tmp_path):
    assert "there is no file" in fails("coref", *[tmp_path / "none"] * 2)


def test_the_command(run, tmp_path):
    key = str(written(tmp_path, "key.jsonl", json.dumps(JSON)))
    shown = run("coref", key, key, "--clusters", "candidate=predicted_clusters", "--documents").out
    assert "MUC        50.00      50.00  50.00" in shown
    assert shown.splitlines()[-1].split() == ["ours", "54.05"]
    assert json.loads(run("coref", key, key, "--json").out)["data"]["conll"] == {"f1": 1.0}
    page = tmp_path / "page.html"
    assert run("coref", key, key, "--html", str(page)).status == 0
    assert "Obama_0 +1" in page.read_text(encoding="utf-8")
    refused = run("coref", key, key, "--clusters", "candidate=none")
    assert refused.status == 2
    assert "has no 'none'" in refused.err
    assert "key.jsonl" in refused.err


def test_a_cluster_without_a_name_gets_that_of_its_first_mention():
    key = [{"Obama_0", "he_3"}, [(12, 13), (3, 4)], {(3, 5), "it"}]
    result = cc.coreference([key], [key])
    assert [each.cluster for each in result.comparison.clusters()] == ["(12, 13) +1", "Obama_0 +1", "it +1"]


def test_paths_of_files_are_documents(tmp_path):
    """CoNLL-2012, CoNLL-U and JSON lines of one document are the same."""
    files = [
        written(tmp_path, "ours.conll", CONLL.replace("(ours); part 000", "ours")),
        written(tmp_path, "ours.conllu", CONLLU),
        written(tmp_path, "ours.jsonl", json.dumps(JSON) + "\n"),
    ]
    documents = {"ours": [{(0, 0), (4, 4)}, {(2, 3), (6, 6)}]}
    for path in files:
        assert cc.coreference(path, str(files[0])).to_dict() == cc.coreference(documents, path).to_dict()
    with pytest.raises(InputError, match="there is no file"):
        cc.coreference(tmp_path / "absent.conll", documents)
    with pytest.raises(InputError, match="is not a coreference file"):
        cc.coreference(written(tmp_path, "text.txt", "a b c\n"), documents)


def test_nothing_to_score_has_its_reason():
    alone, mixed = {"news": [{"a"}, {"b"}]}, {"news": [{"a"}, {"b", "c"}]}
    with pytest.raises(NothingLeftError, match=r"every cluster has one mention.*singletons='keep'"):
        cc.coreference(alone, alone, singletons="remove")
    with pytest.raises(NothingLeftError, match="no mention in any document"):
        cc.coreference({"news": []}, {"news": []}, singletons="remove")
    assert cc.coreference(alone, mixed, singletons="remove").size == 2


def test_the_page_lists_the_worst_documents_and_the_mentions_that_a_side_lacks(tmp_path):
    key = {"news": [{"a", "b"}, {"c"}], "mail": [{"d", "e"}], "empty": []}
    response = {"news": [{"a", "b"}, {"x"}], "mail": [{"d", "e"}], "empty": []}
    found = cc.coreference(key, response)
    assert found.headline == "The CoNLL score is 82.22, and 20% of the mentions are missed"
    page = found.to_html(tmp_path / "scores.html").read_text(encoding="utf-8")
    tables = re.findall(r"<h2>([^<]*)</h2>(.*?)</section>", page, re.DOTALL)
    rows = {
        title: [
            re.findall("<td[^>]*>(?:<bdi>)?([^<]*)<", row) for row in re.findall("<tr>(<td.*?)</tr>", body)
        ]
        for title, body in tables
    }
    assert rows["Missed mentions"] == [["c", "news: c", "news"]]
    assert rows["Invented mentions"] == [["x", "news: x", "news"]]
    assert [row[0] for row in rows["Documents, the worst first"]] == ["news", "mail"]
    perfect = cc.coreference(key, key)
    assert perfect.headline == "The CoNLL score is 100.00"
    assert "entions</h2>" not in perfect.to_html(tmp_path / "perfect.html").read_text(encoding="utf-8")
