"""BibTeX entries: every index has its papers, and every entry is complete and agrees with the reference."""

import json
import re
import unicodedata

import pytest
from every_index import EVERY_INDEX

import concordant as cc
from concordant.errors import ParameterError, UnknownIndexError

ENTRY = re.compile(r"@(\w+)\{(\w+),\n((?:  \w+ = \{.+\},\n)*  \w+ = \{.+\}\n)\}")
REQUIRED = {
    "article": {"author", "title", "journal", "year"},
    "book": {"author", "title", "publisher", "year"},
    "incollection": {"author", "title", "booktitle", "publisher", "year"},
    "inproceedings": {"author", "title", "booktitle", "year"},
    "misc": {"author", "year"},
    "phdthesis": {"author", "title", "school", "year"},
    "techreport": {"author", "title", "institution", "year"},
}


def entries(text):
    """The fields of each entry by its key, if the text is valid BibTeX."""
    parsed = [ENTRY.fullmatch(entry) for entry in text.split("\n\n")]
    assert all(parsed), text
    found = {entry[2]: dict(re.findall(r"  (\w+) = \{(.*)\}", entry[3])) for entry in parsed}
    fields = {entry[2]: {"kind": entry[1], **found[entry[2]]} for entry in parsed}
    assert len(fields) == len(parsed), "a key occurs twice"
    for value in (value for each in fields.values() for value in each.values()):
        depths = [value[:end].count("{") - value[:end].count("}") for end in range(len(value) + 1)]
        assert min(depths) == depths[-1] == 0, value
        assert not re.search(r"(?<!\\)[&%#$]", value), value
    return fields


def plain(text):
    text = unicodedata.normalize("NFKD", text.replace("ø", "o").replace("œ", "oe"))
    return "".join(letter for letter in text if not unicodedata.combining(letter))


def references(fields):
    """The forms in which a declared reference names the work of an entry."""
    *others, last = (author.partition(",")[0] for author in fields["author"].split(" and "))
    names = [", ".join(others) + f" & {last}", f"{others[0]} et al."] if others else [last]
    return [plain(f"{name} {fields['year']}") for name in names]


@pytest.fixture(scope="module")
def papers_of():
    """The entries of every index, of partitions, covers, soft partitions and trees."""
    return {index.name: entries(cc.cite(index.name)) for index in EVERY_INDEX.values()}


def test_every_index_has_its_papers(papers_of):
    """Unless the index is ours. The last entry is that of concordant."""
    for name, index in EVERY_INDEX.items():
        *papers, (last, _) = papers_of[name].items()
        assert last == "concordant"
        assert papers or index.cite.startswith("this library"), index.cite
        for _, fields in papers:
            assert any(form in plain(index.cite) for form in references(fields)), (index.cite, fields)
        years = set(re.findall(r"\b(?:1[89]|20)\d\d\b(?!\.\d)", index.cite.split("arXiv")[0]))
        assert {fields["year"] for _, fields in papers} >= years, index.cite


def test_every_entry_has_the_fields_of_its_type(papers_of):
    cited = {key: fields for papers in papers_of.values() for key, fields in papers.items()}
    assert len(cited) > 50
    for key, fields in cited.items():
        if key == "concordant":
            continue
        assert fields.keys() >= REQUIRED[fields["kind"]], key
        assert re.fullmatch(r"10\.\d{4,}/[^\s{}]+", fields.get("doi", "10.1000/none")), key
        assert not re.search(r"\d-\d", fields.get("pages", "")), key


def test_a_comparison_cites_the_indices_that_it_shows():
    c = cc.compare([0, 0, 1, 1], [0, 0, 1, 2])
    assert c.cite() == cc.cite(c.headline_indices)
    assert c.cite("bcubed_f") == cc.cite("bcubed_f")
    assert list(entries(c.cite(["rand", "rand"]))) == ["rand1971", "concordant"]


def test_a_short_reference_has_the_whole_entry():
    assert entries(cc.cite("overlap_simpson"))["warrens2008"]["school"] == "Universiteit Leiden"


def test_names_that_are_not_one_index():
    with pytest.raises(UnknownIndexError, match="did you mean"):
        cc.cite("ajusted_rand")
    with pytest.raises(ParameterError, match="several indices in other libraries; use one of"):
        cc.cite("b_cubed")


def test_the_command_prints_the_same(run):
    assert run("cite", "adjusted_rand", "bcubed_f").out == cc.cite(["adjusted_rand", "bcubed_f"]) + "\n"
    found = json.loads(run("cite", "rand", "--json").out)["data"]
    assert found == {"rand1971": cc.cite("rand").split("\n\n")[0], "concordant": cc.cite()}
