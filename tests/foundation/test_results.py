"""What every result can do, whatever it holds."""

import copy
import json
import pickle
import subprocess
import sys
from dataclasses import dataclass

import numpy as np
import pandas as pd
import polars as pl
import pytest
from cases import every_case
from inner import INDICES, Result
from subjects import classes

import concordant as cc
from concordant.errors import MissingExtraError, ParameterError, ReadOnlyError


@dataclass(frozen=True, slots=True)
class Measured(Result):
    name: str
    value: float
    _hidden: int = 0


def test_the_fields_of_a_dataclass_are_its_content():
    result = Measured("a\nb", float("nan"))
    assert list(result.to_dict()) == ["name", "value"]
    document = json.loads(result.to_json())
    assert list(document) == ["schema", "version", "headline", "data"]
    assert document["schema"] == "concordant.measured/1"
    assert document["data"] == {"name": "a\nb", "value": None}
    assert str(result) == "name  value\na\\nb      —"
    assert "<td" in result._repr_html_()


@every_case(("backend", "kind"), [("pandas", pd.DataFrame), (pl, pl.DataFrame)])
def test_a_dataframe_of_the_library_that_is_asked_for(backend, kind):
    frame = Measured("a", 0.5).to_frame(backend)
    assert isinstance(frame, kind)
    assert list(frame.columns) == ["name", "value"]


FIRST = """
import sys
sys.modules |= dict.fromkeys({missing!r})
{before}
from concordant.foundation.results import as_frame
try:
    print(type(as_frame({{"a": [1]}})).__module__.partition(".")[0])
except ImportError as error:
    print(error)
"""


@every_case(
    ("missing", "before", "expected"),
    [
        ([], "", "pandas"),
        ([], "import polars", "polars"),
        (["pandas"], "", "polars"),
        (["pandas", "polars", "pyarrow"], "", "needs pandas or polars or pyarrow, and none is installed"),
    ],
)
def test_the_library_that_is_imported_comes_first(missing, before, expected):
    script = FIRST.format(missing=missing, before=before)
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)  # noqa: S603  (a script of our own)
    assert expected in ran.stdout


def test_an_unknown_library():
    with pytest.raises(ParameterError, match="did you mean 'pandas'"):
        Measured("a", 0.5).to_frame("panda")
    with pytest.raises(MissingExtraError, match="modin"):
        Measured("a", 0.5).to_frame("modin")


RUNS = {"a": [0, 0, 1, 1], "b": [0, 1, 1, 1], "c": [0, 1, 2, 2]}


def every_result():
    """The example of every class of results; of lists, one for each class of rows."""
    grown = cc.diff({"p": 1, "q": 1, "r": 2}, {"p": 5, "q": 5, "r": 2, "s": 2}, unmatched="drop")
    decided = cc.compare([0, 0, 1], [5, 6, 6], same=[(0, 1)])
    full = grown.new_records(), grown.changed_ids(), decided.decisions  # whose examples are empty
    return [*(each.example for each in classes() if each.is_result), *full]


def _classes(kind):
    """The subclasses that have objects: those that no other class of ours inherits from."""
    below = [each for each in kind.__subclasses__() if each.__module__.startswith("concordant.")]
    return {kind}.union(*map(_classes, below)) if below else {kind}


def test_every_class_of_results_has_an_example():
    bases = {"Result", "Report", "IndexAttributes", "IndexForms", "IndexValues", "Finding"}
    names = {type(each).__name__ for each in every_result()}
    assert {each.__name__ for each in _classes(Result)} - bases == names


def test_every_result_takes_every_form():
    for result in every_result():
        assert isinstance(result.to_dict(), dict)
        assert json.loads(result.to_json(indent=None))
        frame = result.to_frame("polars")
        assert isinstance(frame, pl.DataFrame)
        assert frame.width > 1
        assert len(str(result).splitlines()) > (type(result).__name__ in cc.__all__), type(result)
        assert result._repr_html_().startswith("<")
        for form in ("to_markdown", "to_latex", "to_text", "to_metrics"):
            assert getattr(result, form, dict)() is not None


def test_every_result_row_and_clustering_can_be_pickled_and_copied():
    for example in (each.example for each in classes() if each.name != "Display"):
        for copied in (pickle.loads(pickle.dumps(example)), copy.deepcopy(example)):
            assert type(copied) is type(example)
            if isinstance(example, Result):
                assert copied.to_json() == example.to_json(), type(example)


def test_results_of_all_forms_can_be_pickled():
    records = cc.Soft.from_matrix([[0.5, 0.5], [1, 0], [0, 1], [0.2, 0.8]])
    of_soft = cc.compare(records, list("aabb"))
    one, other = (
        cc.Hierarchy.from_linkage([[0, 1, 0.1, 2], [2, 3, 0.2, 2], [4, 5, 0.9, 4]], records=list(names))
        for names in ("abcd", "dcba")
    )
    slices = cc.diff(RUNS["a"], RUNS["b"], by=list("xxyy")).slices()
    for result in (of_soft.records(), of_soft.matching(), cc.compare(one, other), slices):
        assert pickle.loads(pickle.dumps(result)).to_json() == result.to_json()


def test_a_slice_of_a_list_is_a_list_of_the_same_class():
    large = cc.compare([number % 7 for number in range(40)], [number % 5 for number in range(40)])
    for found in (large.clusters(limit=None), large.records(limit=None)):
        part = found[1:3]
        assert type(part) is type(found)
        assert list(part) == [found[1], found[2]][: len(part)]
        assert part[::-1] == list(part)[::-1]
        assert part.to_frame("polars").columns == found.to_frame("polars").columns
        assert found[:0].to_frame("polars").columns == found.to_frame("polars").columns
        assert part.omitted == found.total - len(part)
        assert pickle.loads(pickle.dumps(part)) == part
        with pytest.raises(IndexError, match=f"of a list of {len(part)}"):
            part[len(part)]


def _arrays_and_mappings(result):
    for name in dir(result):
        if (
            not name.startswith("_")
            and not callable(getattr(type(result), name, None))
            and name not in INDICES
        ):
            try:
                value = getattr(result, name)
            except cc.ConcordantError:
                continue
            if isinstance(value, np.ndarray | dict):
                yield name, value


def test_every_result_is_read_only():
    for result in every_result():
        for name in ("size", "no_such_name"):
            with pytest.raises(ReadOnlyError, match="is read-only"):
                setattr(result, name, 3)
            with pytest.raises(ReadOnlyError, match="is read-only"):
                delattr(result, name)
        for name, value in _arrays_and_mappings(result):
            if isinstance(value, np.ndarray):
                assert not value.flags.writeable, (type(result), name)
            else:
                with pytest.raises(ReadOnlyError):
                    value["a"] = 1


def test_every_result_says_what_it_is():
    for result in every_result():
        assert isinstance(result.headline, str)
        assert result.headline
        assert "\n" not in result.headline
        assert " object at 0x" not in repr(result)
        if type(result).__name__ not in {"Matrix", "Matrices"}:
            document = json.loads(result.to_json())
            assert document["schema"].startswith("concordant.")
            assert list(document)[-1] == "data"


def test_the_text_of_every_result_fits_a_terminal(monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    texts = {each.name: str(each.example) for each in classes() if each.is_result}
    wide = {name: text for name, text in texts.items() if max(map(len, text.split("\n"))) > 79}
    assert wide == {}


def test_every_result_has_a_page(tmp_path):
    """A page of its own, or its charts and tables."""
    for number, result in enumerate(every_result()):
        page = result.to_html(tmp_path / f"{number}.html").read_text(encoding="utf-8")
        assert "<html" in page
        assert page.count("<section") > 0, type(result)
        assert "<script src" not in page


def test_a_page_of_charts_and_tables(tmp_path):
    tree = cc.Hierarchy.from_linkage([[0, 1, 0.1, 2], [2, 3, 0.2, 2], [4, 5, 0.9, 4]])
    curve = cc.compare(list("aabb"), tree).curve("rand")
    page = curve.to_html(tmp_path / "curve.html").read_text(encoding="utf-8")
    assert "rand at 4 cuts</h1>" in page
    assert 'data-chart="curve"' in page
    assert page.count('data-csv="table-1-list"') == 1
    labels = cc.compare(["<b>", "x"], [0, 1]).relabelled()
    assert "<td>&lt;b&gt;</td>" in labels.to_html(tmp_path / "labels.html").read_text(encoding="utf-8")


def test_long_lists_are_cut_on_pages_too(tmp_path):
    many = cc.compare(range(1200), range(1200)).relabelled()
    page = many.to_html(tmp_path / "many.html").read_text(encoding="utf-8")
    assert page.count("<tr>") == 1001  # with the head
    assert "and 200 more" in page


def test_text_and_notebook_show_the_same_cuts():
    """Not the first in one and a selection in the other."""
    linkage = [[0, 1, 0.01, 2], *([k + 49, k + 1, k / 50, k + 2] for k in range(1, 49))]
    curve = cc.compare([k // 5 for k in range(50)], cc.Hierarchy.from_linkage(linkage)).curve("rand")
    rows = [line.split()[0] for line in str(curve).splitlines()[2:-1]]
    assert len(rows) in (20, 21)
    assert rows[-1] == "49"
    assert all(f">{number}</td>" in curve._repr_html_() for number in rows)


def test_names_are_aligned_to_the_left_as_in_markdown():
    assert str(Measured("ab", 0.5)) == "name   value\nab    0.5000"
    assert Measured("ab", 0.5).to_markdown().splitlines()[1] == "|------|-------:|"


def test_a_contingency_table_is_a_list_of_cells():
    table = cc.compare(list("aabbc"), [0, 0, 0, 1, 1]).table
    cells = [(each.reference, each.candidate, each.overlap) for each in table]
    assert cells == [("a", 0, 2), ("b", 0, 1), ("b", 1, 1), ("c", 1, 1)]
    assert [(each.reference_size, each.candidate_size) for each in table[::-1]] == [
        (1, 2),
        (2, 2),
        (2, 3),
        (2, 3),
    ]
    assert table[1:].to_frame("polars").rows() == table.to_frame("polars").rows()[1:]
    assert json.loads(table.to_json())["data"] == table.to_dict()
    assert table.candidate_sizes.tolist() == [3, 2]
    unnamed = cc.Comparison.from_contingency([[0, 3], [0, 0], [2, 1]]).table  # without the empty cluster
    assert [(each.reference, each.candidate) for each in unnamed] == [(0, 1), (1, 0), (1, 1)]


def test_the_text_of_a_contingency_table():
    assert str(cc.compare(list("aab"), [1, 2, 2]).table) == "     1  2\n'a'  1  1\n'b'  0  1"
    large = cc.compare(range(30), range(30)).table
    assert str(large).splitlines()[-1] == "and 10 more"


def test_names_that_are_numbers_are_not_written_as_quantities():
    """Records, clusters, slices and years keep their digits."""
    records = range(20240101, 20240113)
    before = {record: 2020 + place // 4 for place, record in enumerate(records)}
    after = {record: 2020 + place // 3 for place, record in enumerate(records)}
    c, d = cc.compare(before, after, same=[(20240101, 20240112)]), cc.diff(before, after, reference=before)
    results = (
        *(c, c.changes(), c.records(), c.matching(), c.suggest(), c.decisions, c.slices(before)),
        *(d, d.records(), d.slices(before), cc.compare(before, after, between=after).within_sources()),
        *(cc.track([before, after]), cc.stability([before, after]), cc.consensus([before, after])),
    )
    for result in results:
        for text in (str(result), result.to_markdown()):
            assert "20,240," not in text
            assert "2,02" not in text
