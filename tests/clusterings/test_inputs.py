"""What was handed over is never guessed wrongly, and nothing to compare is never a perfect score."""

import copy
import datetime as dt
import pickle
from collections import namedtuple
from types import SimpleNamespace

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from cases import every_case
from inner import INDICES

import concordant as cc
from concordant.errors import (
    InputError,
    LabelError,
    NotANumberError,
    NothingLeftError,
    ParameterError,
    ReadOnlyError,
    UndefinedError,
    UnmatchedError,
)

# -- nothing is left -----------------------------------------------------------------------------------

U, V = {"a1": 0, "a2": 0}, {"b1": 0, "b2": 1, "b3": 1}


@pytest.mark.parametrize(
    "function", [cc.compare, cc.adjusted_rand, cc.rand, cc.mutual_information, cc.purity]
)
def test_dropping_all_elements_is_an_error(function):
    with pytest.raises(NothingLeftError) as caught:
        function(U, V, unmatched="drop")
    assert str(caught.value) == (
        "unmatched='drop': this leaves nothing to compare; the reference has 2 records and the candidate 3: "
        "none is on both sides ('a1', 'a2' against 'b1', 'b2', 'b3')"
    )


@pytest.mark.parametrize(
    ("reference", "candidate"), [({}, {1: 1}), ({1: 1}, {}), ([{1, 2}], [{3}]), (pd.Series([1]), {"x": 1})]
)
def test_dropping_all_elements_of_any_kind_is_an_error(reference, candidate):
    with pytest.raises(InputError):
        cc.compare(reference, candidate, unmatched="drop")


@pytest.mark.parametrize(("one", "other"), [("a1", "A1"), ("a1", " a1"), ("007", "7"), ("b", "B ")], ids=repr)
def test_another_spelling_is_named(one, other):
    with pytest.raises(NothingLeftError, match="differ only in spelling") as caught:
        cc.compare({one: 0, "q": 1}, {other: 0}, unmatched="drop")
    assert repr(one) in str(caught.value)
    assert repr(other) in str(caught.value)


@pytest.mark.parametrize("labels", [([-1, -1], [0, 1]), ([0, -1], [-1, 0]), ([0, 1], [-1, -1])])
def test_dropping_all_noise_is_an_error(labels):
    with pytest.raises(NothingLeftError, match="2 records had the label that means noise"):
        cc.compare(*labels, noise=-1, noise_as="drop")
    with pytest.raises(NothingLeftError, match="noise_as='drop'"):
        cc.adjusted_rand(*labels, noise=-1, noise_as="drop")


def test_unmatched_and_noise_together():
    with pytest.raises(NothingLeftError, match="2 are on one side only, and 1 record had the label"):
        cc.compare({1: 0, 2: -1}, {2: 0, 3: 0}, unmatched="drop", noise=-1, noise_as="drop")


def test_sides_that_were_given_empty_are_identical():
    for empty in ([], {}, np.array([], dtype=int), pd.Series([], dtype=int)):
        for options in ({}, {"unmatched": "drop"}) if isinstance(empty, dict) else ({},):
            c = cc.compare(empty, empty, **options)
            assert (c.size, c.adjusted_rand) == (0, 1)
    frame = pl.DataFrame({"u": [], "v": []}, schema={"u": pl.Int64, "v": pl.Int64})
    assert cc.compare(frame, columns=["u", "v"]).size == 0


def test_a_matrix_says_which_pair_has_nothing_in_common():
    runs = {"x": {1: 0, 2: 0}, "y": {1: 0, 2: 1}, "z": {3: 0}}
    with pytest.raises(NothingLeftError, match=r"unmatched='drop'.*'x' has 2 records and 'z' 1"):
        cc.matrix(runs, unmatched="drop")
    assert cc.matrix(runs, "rand", unmatched="singletons")["x", "z"] == 2 / 3
    with pytest.raises(NothingLeftError, match=r"noise_as='drop'.*'0' has 2 records and '1' 2"):
        cc.matrix([[0, -1], [-1, 0]], noise=-1, noise_as="drop")


def test_a_track_of_noise_alone():
    with pytest.raises(NothingLeftError, match="noise_as='drop': every record is left out"):
        cc.track([[-1, -1], [-1, -1]], noise=-1, noise_as="drop")
    assert len(cc.track([{1: 0}, {2: 0}]).births) == 1  # nothing in common is an answer here


def _relation(frame):
    import duckdb

    return duckdb.from_arrow(frame.to_arrow())


KINDS = {
    "polars": lambda frame: frame,
    "lazy": lambda frame: frame.lazy(),
    "pandas": lambda frame: frame.to_pandas(),
    "pyarrow": lambda frame: frame.to_arrow(),
    "duckdb": _relation,
}


@pytest.mark.parametrize("kind", KINDS)
def test_sources_without_a_common_record(kind):
    u = KINDS[kind](pl.DataFrame({"id": ["a1", "a2"], "c": [1, 2]}))
    v = KINDS[kind](pl.DataFrame({"id": ["A1", "b2", "b3"], "c": [1, 2, 3]}))
    sides = [cc.Partition.from_frame(frame, record="id", cluster="c") for frame in (u, v)]
    with pytest.raises(NothingLeftError) as caught:
        cc.compare(*sides, unmatched="drop")
    text = str(caught.value)
    assert text.startswith(
        "unmatched='drop': this leaves nothing to compare; the reference has 2 records and"
    )
    assert "'a2'" in text
    assert "some differ only in spelling: 'a1' and 'A1'" in text


@pytest.mark.parametrize("kind", KINDS)
def test_columns_of_which_nothing_is_left(kind):
    frame = pl.DataFrame({"u": [1, None, -1], "v": [None, 2, 3]}, schema={"u": pl.Int64, "v": pl.Int64})
    native = KINDS[kind](frame.head(2))
    with pytest.raises(NothingLeftError, match="nulls='drop': this leaves nothing to compare"):
        cc.compare(native, columns=["u", "v"], nulls="drop")
    native = KINDS[kind](frame)
    with pytest.raises(NothingLeftError, match="noise_as='drop'"):
        cc.compare(native, columns=["u", "v"], nulls="drop", noise=-1, noise_as="drop")


def test_files_without_a_common_record(tmp_path):
    for name, ids in (("u", [1, 2]), ("v", [3, 4])):
        pl.DataFrame({"id": ids, "c": [1, 2]}).write_parquet(tmp_path / f"{name}.parquet")
    sides = [cc.Partition.scan(tmp_path / f"{name}.parquet", record="id", cluster="c") for name in "uv"]
    with pytest.raises(
        NothingLeftError,
        match=r"2 records and the candidate 2: none is on both sides \(. *, . against ., .\)",
    ):
        cc.compare(*sides, unmatched="drop")


def test_a_gate_never_passes_on_nothing(run, tmp_path):
    for name in ("u", "v"):
        pl.DataFrame({"id": [], "c": []}, schema={"id": pl.Int64, "c": pl.Int64}).write_parquet(
            tmp_path / f"{name}.parquet"
        )
    both = [str(tmp_path / f"{name}.parquet") for name in ("u", "v")]
    for limit in (["--fail-under", "ARI=0.9"], ["--fail-over", "mirkin=5"]):
        ran = run("compare", *both, "--record", "id", "--cluster", "c", *limit)
        assert ran.status == 1
        assert "nothing to compare (n=0)" in ran.err


@pytest.mark.parametrize(
    "ids",
    [
        pa.chunked_array([pa.array(part).dictionary_encode() for part in (["a", "b"], ["c", "d"])]),
        pa.array(list("abcd"), pa.string_view()),
        pa.array(list("abcd"), pa.large_string()),
    ],
    ids=["differing dictionaries", "string_view", "large_string"],
)
def test_columns_of_arrow_as_ids(ids):
    frame = pa.table({"id": ids, "c": [1, 1, 2, 2]})
    other = pa.table({"id": ["d", "c", "b", "a"], "c": [1, 2, 3, 3]})
    sides = [cc.Partition.from_frame(each, record="id", cluster="c") for each in (frame, other)]
    assert cc.compare(*sides).recall == 0.5


def test_objects_of_pandas_as_ids():
    days = [dt.date(2026, 1, 1), dt.date(2026, 1, 2)]
    frames = [pd.DataFrame({"id": pd.Series(days, dtype=object), "c": [1, 2]}) for _ in range(2)]
    with pytest.raises(InputError, match=r"'id' .*pandas\.to_datetime"):
        cc.compare(*(cc.Partition.from_frame(frame, record="id", cluster="c") for frame in frames))
    whole = [frame.assign(id=pd.to_datetime(frame["id"])) for frame in frames]
    assert (
        cc.compare(*(cc.Partition.from_frame(frame, record="id", cluster="c") for frame in whole)).rand == 1
    )


def test_counts_agree_with_their_nouns():
    assert repr(cc.Partition.from_labels(["a"])) == "<Partition of 1 record, 1 cluster>"
    assert repr(cc.compare([0], [0])) == "<Comparison of 1 record: 1 against 1 cluster>"


# -- names of other types ------------------------------------------------------------------------------


@every_case("unmatched", ["error", "drop", "singletons"])
@every_case(
    ("one", "other"),
    [
        ([1, 2], ["1", "2"]),
        ([b"a", b"b"], ["a", "b"]),
        ([("x", 1), ("x", 2)], [("x", "1"), ("x", "2")]),
        ([1.0, 2.0], ["1.0", "2.0"]),
        (list(np.array([1, 2])), ["1", "2"]),
        ([1, 2, "c"], ["1", "2", "c"]),  # some are common, and some read alike
        (pd.to_datetime(["2026-01-01", "2026-01-02"]).tolist(), ["2026-01-01", "2026-01-02"]),
    ],
)
def test_names_of_other_types_are_refused(one, other, unmatched):
    u, v = dict.fromkeys(one, 0), dict.fromkeys(other, 0)
    for sides in ((u, v), (v, u)):
        with pytest.raises(UnmatchedError, match="have different types"):
            cc.compare(*sides, unmatched=unmatched)
    if not set(one) & set(other):
        with pytest.raises(UnmatchedError, match=r"have different types.*'0'.*'1'"):
            cc.matrix([u, v], unmatched=unmatched)
        with pytest.raises(UnmatchedError, match="have different types"):
            cc.track([u, v])


def test_names_that_do_match_may_be_of_other_types():
    assert cc.compare({1: 0, 2: 1}, {1.0: 0, np.int64(2): 1}).adjusted_rand == 1
    assert cc.compare({1: 0, "a": 1}, {1: 0, "b": 1}, unmatched="drop").size == 1
    assert cc.compare({"a": 0}, {"b": 1}, unmatched="singletons").size == 2


# -- labels or clusters --------------------------------------------------------------------------------

Pair = namedtuple("Pair", "first second")  # noqa: PYI024  (what people have, typed or not)


@pytest.mark.parametrize(
    ("labels", "text"),
    [
        ([("a", "b"), ("c",)], "different lengths"),
        ([("a",), ("b", "c")], "different lengths"),
        ([("a", "b"), ("c", "d")], "none of which recurs"),
        ([("a", "b"), ("b", "c")], "none of which recurs"),
        ([(1, 2), (3, 4)], "none of which recurs"),
        ([("a", "b")], "none of which recurs"),
        (pd.Series([("a", "b"), ("c",)]), "different lengths"),
        (pd.Series([frozenset("ab"), frozenset("c")]), "these are sets"),
        ([("a", "b"), frozenset("c")], "these are sets"),
        ((("a", "b"), ("c",)), "different lengths"),
    ],
)
def test_tuples_that_may_be_clusters_are_refused(labels, text):
    for function in (cc.compare, cc.rand, lambda u, v: cc.matrix([u, v])):
        with pytest.raises(LabelError, match=f"{text}.*from_clusters.*from_labels"):
            function(labels, labels)


def test_values_of_a_mapping_that_may_be_clusters_are_refused():
    for members in (("a", "b"), ("c",)), (frozenset("ab"), frozenset("c")):
        with pytest.raises(LabelError, match=r"from_clusters.*Partition\.from_mapping"):
            cc.compare(dict(enumerate(members)), dict(enumerate(members)))


def test_tuples_are_what_one_says_they_are():
    u, v = [("a", "b"), ("c",)], [("a",), ("b", "c")]
    of = cc.Partition
    assert cc.compare(of.from_clusters(u), of.from_clusters(v)).rand == 1 / 3
    assert cc.compare(of.from_labels(u), of.from_labels(v)).rand == 1


@pytest.mark.parametrize(
    "labels",
    [
        [("doc1", 3), ("doc1", 3), ("doc1", 4)],
        [(0, 1), (0, 1), (1, 0)],
        [Pair("a", "b"), Pair("c", "d"), Pair("b", "c")],
        [("a", 1), "b", "c"],
    ],
)
def test_composite_labels(labels):
    distinct = [labels.index(label) for label in labels]
    assert cc.compare(labels, distinct).adjusted_rand == 1


def test_a_set_of_frozensets_is_clusters():
    u, v = {frozenset("ab"), frozenset("c")}, frozenset({frozenset("a"), frozenset("bc")})
    assert cc.compare(u, v).rand == 1 / 3
    with pytest.raises(LabelError, match=r"is a set, which has no order.*from_clusters"):
        cc.compare({("a", "b"), ("c",)}, v)


@pytest.mark.parametrize("nothing", [float("nan"), None, np.nan, pd.NaT, pd.NA, np.datetime64("NaT", "s")])
def test_what_is_missing_inside_a_tuple_is_missing(nothing):
    for label in (("a", nothing), ("a", ("b", nothing))):
        with pytest.raises(LabelError, match="position 1 is missing"):
            cc.Partition.from_labels([("a", "b"), label, label])
        with pytest.raises(LabelError, match="has no name"):
            cc.Partition.from_mapping({label: 1})
        with pytest.raises(LabelError, match="has no name"):
            cc.Partition.from_clusters([[label]])


# -- what has an order, and what has not ---------------------------------------------------------------


@pytest.mark.parametrize("bare", [np.array, list, pl.Series, pa.array, tuple], ids=lambda x: x.__name__)
def test_a_shuffled_index_beside_labels_without_one(bare):
    series, other = pd.Series([0, 0, 1], index=[2, 0, 1]), bare([0, 0, 1])
    for sides in ((series, other), (other, series)):
        for function in (cc.compare, cc.rand, lambda u, v: cc.matrix([u, v]), cc.Live().add):
            with pytest.raises(UnmatchedError, match=r"not in ascending order \(2, 0, 1\).*to_numpy"):
                function(*sides)
    assert cc.compare(series.to_numpy(), other).rand == 1
    assert cc.compare(series.sort_index(), other).rand == 1 / 3


@pytest.mark.parametrize(
    "index", [None, [3, 5, 9], ["a", "b", "c"], pd.date_range("2026", periods=3), [1, 1, 2]]
)
def test_an_index_in_order_beside_labels_without_one(index):
    assert cc.compare(pd.Series([0, 0, 1], index=index), [0, 0, 1]).rand == 1
    assert cc.matrix([pd.Series([0, 0, 1], index=index), [0, 0, 1]])[0, 1] == 1


def test_membership_is_labels():
    clustering = SimpleNamespace(membership=[0, 0, 1])
    assert cc.compare(clustering, [5, 5, 6]).rand == 1
    with pytest.raises(LabelError, match="position 1"):  # a cover of igraph
        cc.compare(SimpleNamespace(membership=[0, [0, 1]]), [0, 1])
    with pytest.raises(LabelError, match=r"pass its \.labels_"):
        cc.compare(SimpleNamespace(labels_=[0, 0]), [0, 0])


def test_noise_that_is_nan():
    with pytest.raises(ParameterError, match="NaN does not equal any label"):
        cc.compare([0, 1], [0, 1], noise=float("nan"), noise_as="drop")


def test_equal_labels_are_one_label():
    """As Python has it: True and 1 are equal, "a" and b"a" are not."""
    assert cc.compare([True, 1, 1.0], [0, 0, 0]).rand == 1
    assert cc.compare(["a", b"a"], [0, 1]).rand == 1


# -- totals of a table ---------------------------------------------------------------------------------

LABELS = pd.Series(list("aabbcc"), name="u"), pd.Series([1, 1, 1, 2, 3, 3], name="v")


def test_margins_are_not_clusters():
    plain = cc.Comparison.from_contingency(pd.crosstab(*LABELS))._counts
    assert plain.size == 6
    totals = pd.crosstab(*LABELS, margins=True)
    tables = [
        totals,
        pd.crosstab(*LABELS, margins=True, margins_name="Σ"),
        totals.iloc[:-1],
        totals.iloc[:, :-1],
        totals.to_numpy(),
        totals.rename(index={"All": "Total"}).iloc[:, :-1],
    ]
    for table in tables:
        with pytest.raises(InputError, match=r"sums of the others.*margins=False"):
            cc.Comparison.from_contingency(table)


def test_tables_that_only_look_like_totals():
    from_contingency = cc.Comparison.from_contingency
    assert from_contingency([[5, 5], [5, 5]]).size == 20
    assert from_contingency([[1, 2], [3, 4], [4, 6]]).size == 20  # the last row alone, and nobody calls it so
    independent = [[1, 1, 2], [1, 1, 2], [2, 2, 4]]
    assert from_contingency(independent, names=("abc", "xyz")).size == 16
    assert from_contingency(pd.DataFrame(independent, index=list("abc"), columns=list("xyz"))).size == 16
    named_all = pd.DataFrame([[1, 2], [3, 4]], index=["a", "All"])
    assert from_contingency(named_all).size == 10  # called All, but no sum


def test_a_ragged_table():
    with pytest.raises(InputError, match=r"rows have different lengths \(row 0 has 2, row 2 has 1\)"):
        cc.Comparison.from_contingency([[1, 2], [3, 4], [5]])


# -- a comparison is read --------------------------------------------------------------------------------


def test_a_comparison_is_read_only():
    c = cc.compare([0, 0, 1], [0, 1, 1])
    for name in ("rand", "profile", "anything"):
        with pytest.raises(ReadOnlyError, match="read-only"):
            setattr(c, name, 3)
        with pytest.raises(AttributeError, match="read-only"):
            delattr(c, name)
    with pytest.raises(TypeError, match="read-only"):
        c["rand"] = 3
    assert c.rand == 1 / 3
    assert copy.copy(c).rand == pickle.loads(pickle.dumps(c)).rand == 1 / 3


def test_a_comparison_as_a_mapping():
    c = cc.compare([0, 0, 1], [0, 1, 1])
    assert dict(c) == {**c} == c.to_dict()
    assert list(c) == list(c.keys()) == list(c.to_dict())
    assert len(c) == len(c.to_dict())
    assert c
    assert "rand" in c
    assert "ARI" in c
    assert "f_measure(beta=2)" in c
    assert "randd" not in c
    assert 3 not in c
    assert dict(c.items()) == dict(zip(c.keys(), c.values(), strict=True)) == c.to_dict()
    assert c.get("ARI") == c["adjusted_rand"]
    assert c.get("randd", 7) == 7
    assert c.get(c.on_request[0]) is None
    assert bool(cc.compare([], []))


@pytest.mark.parametrize("backend", ["pandas", "polars", "pyarrow", pl])
def test_a_comparison_as_a_dataframe(backend):
    c = cc.compare([0, 0, 0], [0, 1, 2])
    rows = c.to_frame("pandas").to_dict("records")
    assert [row["index"] for row in rows] == list(c)
    assert {row["index"]: row["value"] for row in rows} == pytest.approx(c.to_dict(), nan_ok=True)
    assert tuple(row["index"] for row in rows if row["undefined"]) == c.undefined
    assert all(not row["lowest"] > row["value"] and not row["value"] > row["highest"] for row in rows)
    frame = c.to_frame(backend, indices=["ARI", "precision"])
    named = frame["index"].to_pylist() if backend == "pyarrow" else frame["index"]
    assert list(named) == ["ARI", "precision"]
    with pytest.raises(ParameterError, match=r"backend='panda'.*did you mean 'pandas'"):
        c.to_frame("panda")
    with pytest.raises(ParameterError, match=r"backend='panda'.*did you mean 'pandas'"):
        c.changes().to_frame("panda")


# -- names of arguments ------------------------------------------------------------------------------------

C = cc.compare([0, 0, 1], [0, 1, 1])


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (
            lambda: cc.compare([0], [0], [0]),
            "by position, and was given 3 arguments; pass everything else by name",
        ),
        (lambda: cc.matrix([[0], [0]], progress=3), "pass a function"),
        (lambda: cc.adjusted_rand([0], [0], unmached="drop"), "did you mean 'unmatched'"),
        (lambda: C.to_dict(indices=5), "indices=5: pass the name of an index, or several in a list"),
    ],
)
def test_arguments_that_do_not_fit(call, text):
    with pytest.raises(ParameterError, match=text):
        call()


def test_a_type_error_inside_a_call_stays_what_it_is():
    def failing(*_):
        raise TypeError("from inside")

    with pytest.raises(TypeError, match="from inside"):
        cc.matrix([[0], [0]], progress=failing)


# -- undefined -----------------------------------------------------------------------------------------------


def test_identical_partitions_are_defined():
    """Identity is decided before any formula: docs/decisions/0003."""
    singletons = [0, 1, 2]
    for undefined in ("convention", "nan", "raise"):
        c = cc.compare(singletons, singletons, undefined=undefined)
        assert c.precision == c.adjusted_rand == 1
        assert all(INDICES[name].perfect is None for name in c.undefined)  # they have no value to give
        assert cc.precision(singletons, singletons, undefined=undefined) == 1
    assert np.isnan(cc.compare([0, 0, 0], singletons, undefined="nan").precision)
    with pytest.raises(UndefinedError):
        cc.compare([0, 0, 0], singletons, undefined="raise").precision  # noqa: B018  (it raises)


@pytest.mark.parametrize(
    "use",
    [float, int, round, sorted, lambda c: c > 0.9, lambda c: c - 1, lambda c: 1 - c, lambda c: f"{c:.2f}"],
)
def test_a_comparison_is_not_a_number_and_says_which_to_take(use):
    c = cc.compare([0, 0, 1], [0, 1, 1])
    with pytest.raises(NotANumberError, match="is not a number: it has many"):
        use([c, c] if use is sorted else c)
    assert f"{c}" == str(c)


def test_a_file_name_for_labels_is_answered_with_how_to_read_files():
    with pytest.raises(LabelError, match=r"Partition\.scan"):
        cc.compare("truth.csv", "guess.csv")
