"""Clusterings are values: they can be read, compared, written, pickled, and not changed."""

import pickle
from datetime import UTC, datetime, time, timedelta, timezone
from decimal import Decimal
from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.metrics import adjusted_rand_score

import concordant as cc
from concordant.errors import (
    ConcordantError,
    CoverError,
    FileError,
    HierarchyError,
    InputError,
    LabelError,
    OverlapError,
    ParameterError,
    ReadOnlyError,
    SoftError,
    UnknownKeyError,
)

PETS = {"tom": "cat", "rex": "dog", "kitty": "cat"}
TAGS = {"tom": ["cat", "pet"], "rex": ["dog", "pet"], "fox": []}
SHARES = {"tom": {"cat": 1}, "rex": {"cat": Fraction(1, 3), "dog": Fraction(2, 3)}}
TREE = [[0, 1, 0.5, 2], [2, 3, 0.5, 2], [4, 5, 2.0, 4]]
SCORES = pd.DataFrame({"l": ["a", "b"], "r": ["b", "c"], "p": [0.9, 0.9]})

VALUES = {
    "labels": lambda: cc.Partition.from_labels(["b", "a", "b"]),
    "integers": lambda: cc.Partition.from_labels(np.array([3, 1, 3])),
    "floats": lambda: cc.Partition.from_labels([0.5, -2.0, 0.5]),
    "mapping": lambda: cc.Partition.from_mapping(PETS),
    "clusters": lambda: cc.Partition.from_clusters([{"x"}, {"y", "z"}]),
    "nothing": lambda: cc.Partition.from_labels([]),
    "cover": lambda: cc.Cover.from_mapping(TAGS),
    "matrix of a cover": lambda: cc.Cover.from_matrix([[1, 0], [1, 1], [0, 0]]),
    "soft": lambda: cc.Soft.from_mapping(SHARES),
    "soft in no cluster": lambda: cc.Soft.from_matrix([[0.3, 0.7], [1.0, 0.0]]),
    "linkage": lambda: cc.Hierarchy.from_linkage(TREE, records=["a", "b", "c", "d"]),
    "rows in order": lambda: cc.Hierarchy.from_linkage(TREE, ties="in order"),
    "falling rows": lambda: cc.Hierarchy.from_linkage([[0, 1, 2.0, 2], [2, 3, 1.0, 3]], ties="in order"),
    "scores": lambda: cc.Hierarchy.from_pairs(SCORES, left="l", right="r", score="p"),
    "nested": lambda: cc.Hierarchy.from_nested([["a", "b"], ["c", ["d", "e"]]]),
    "one height": lambda: cc.Hierarchy.from_parents(
        {"a": "x", "b": "x", "x": "y", "c": "y"}, heights={"x": 1, "y": 1}
    ),
    "forest": lambda: cc.Hierarchy.from_parents({"a": "x", "b": "x", "c": "y", "d": "y"}),
}


@pytest.fixture(params=VALUES)
def value(request):
    return VALUES[request.param]()


@pytest.mark.parametrize("backend", ["pandas", "polars", "pyarrow"])
def test_back_from_a_frame(value, backend):
    again = type(value).from_frame(value.to_frame(backend))
    assert again == value
    assert value == again
    assert hash(again) == hash(value)
    assert again.same_clusters(value)
    assert len(again) == value.size == len(value.records)


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".jsonl", ".parquet"])
def test_back_from_a_file(value, suffix, tmp_path):
    path = value.write(tmp_path / f"value{suffix}")
    if value.size == 0 and suffix != ".parquet":
        with pytest.raises(FileError):  # a text file without rows may be cut off
            type(value).read(path)
        return
    again = type(value).read(str(path))
    assert again == value
    assert again.to_dict().keys() == value.to_dict().keys()
    if suffix in (".csv", ".parquet"):  # the others are opened as one of these is
        assert type(value).scan(path) == value


def test_pickles_and_copies(value):
    assert pickle.loads(pickle.dumps(value)) == value
    assert repr(value).startswith(f"<{type(value).__name__} of ")
    assert "\n" not in repr(value)


def test_nothing_can_be_changed(value):
    for name in ("records", "labels", "anything", "_data"):
        with pytest.raises(ReadOnlyError):
            setattr(value, name, 1)
    with pytest.raises(ReadOnlyError):
        del value.records
    with pytest.raises(ParameterError, match=r"is not iterable: use \.records, \.clusters or \."):
        iter(value)
    with pytest.raises(ConcordantError, match="has no record 'nobody'"):
        value["nobody"]
    assert "nobody" not in value
    assert [] not in value
    with pytest.raises(ParameterError, match="is not called directly; use"):
        type(value)([0, 1])


def test_a_partition_has_labels_in_the_order_of_the_input():
    p = cc.Partition.from_mapping(PETS)
    assert np.asarray(p).tolist() == p.labels.tolist() == ["cat", "dog", "cat"]
    assert (p.records, p.clusters, p.size, p.n_clusters, p.omitted) == (tuple(PETS), ("cat", "dog"), 3, 2, ())
    assert (p["rex"], p.to_dict()) == ("dog", PETS)
    labels = np.array([5, 5, 7])
    numbers = cc.Partition.from_labels(labels)
    assert np.asarray(numbers, dtype=float).dtype == float
    assert np.array(numbers).flags.writeable
    for array in (numbers.labels, p.labels, np.asarray(numbers)):
        with pytest.raises(ValueError, match="read-only"):
            array[:] = 0
    assert cc.Partition.from_labels([True, False]).labels.dtype == bool
    assert cc.Partition.from_labels(["1", 1]).labels.tolist() == ["1", 1]
    assert cc.Partition.from_labels([2**70, 1]).clusters == (2**70, 1)


def test_cuts_consensus_and_hardened_partitions_can_be_read():
    h = cc.Hierarchy.from_linkage(TREE, records=["a", "b", "c", "d"])
    assert h.cut(height=1).to_dict() == {"a": 0, "b": 0, "c": 1, "d": 1}
    assert adjusted_rand_score([0, 0, 1, 1], h.cut(height=1)) == 1
    assert cc.Soft.from_mapping(SHARES).harden().to_dict() == {"tom": "cat", "rex": "dog"}
    alone = cc.Soft.from_matrix([[0.5, 0.5], [1.0, 0.0]], clusters=["p", "q"]).harden(at=0.6)
    assert (alone.labels.tolist(), alone.clusters, alone.n_clusters) == ([None, "p"], (None, "p"), 2)
    assert cc.Partition.from_frame(alone.to_frame("polars"), nulls="singletons") == alone
    found = cc.consensus([PETS, PETS]).partition
    assert found.same_clusters(cc.Partition.from_mapping(PETS))
    assert found.records == tuple(PETS)


def test_dropped_records_are_omitted():
    p = cc.Partition.from_mapping(
        {"a": 1, "b": None, "c": -1, "d": 1}, nulls="drop", noise=-1, noise_as="drop"
    )
    assert (p.records, p.omitted, p.labels.tolist(), len(p)) == (("a", "d"), ("b", "c"), [1, 1], 2)
    assert cc.Partition.from_labels([0, -1, 0], noise=-1, noise_as="drop").records == (0, 2)
    both = cc.Partition.from_labels([-1, 0, -1], noise=-1, noise_as="singletons")
    assert (both.n_clusters, both.clusters, both.omitted) == (3, (None, 0, None), ())


def test_equality_is_that_of_records_and_labels():
    p = cc.Partition.from_mapping(PETS)
    assert p == cc.Partition.from_mapping(dict(reversed(PETS.items())))
    assert p != cc.Partition.from_mapping(PETS | {"rex": "cat"})
    assert p != cc.Partition.from_mapping(PETS | {"bello": "dog"})
    assert p != cc.Cover.of(p)
    assert (p == PETS) is False
    swapped = cc.Partition.from_mapping({"tom": "x", "rex": "y", "kitty": "x"})
    assert p != swapped
    assert p.same_clusters(swapped)
    assert p.same_clusters(cc.Cover.of(p))
    assert not p.same_clusters(cc.Partition.from_mapping(dict.fromkeys(PETS, 0)))
    assert not p.same_clusters(cc.Partition.from_labels([0, 1, 0]))
    assert len({p, swapped, cc.Partition.from_mapping(PETS)}) == 2
    with pytest.raises(InputError, match="same_clusters takes a clustering"):
        p.same_clusters(PETS)
    random = np.random.default_rng(0)
    labels = random.integers(0, 50, 5000)
    big, renamed = cc.Partition.from_labels(labels), cc.Partition.from_labels((labels * 7) % 50)
    assert big.same_clusters(renamed)
    labels[17] = (labels[17] + 1) % 50
    assert not big.same_clusters(cc.Partition.from_labels(labels.copy()))


def test_trees_are_equal_if_they_have_the_same_cuts():
    h = cc.Hierarchy.from_linkage(TREE, records=["a", "b", "c", "d"])
    other = cc.Hierarchy.from_linkage(
        [[2, 3, 0.5, 2], [0, 1, 0.5, 2], [4, 5, 2.0, 4]], records=["c", "d", "a", "b"]
    )
    assert h == other
    higher = cc.Hierarchy.from_linkage([*TREE[:2], [4, 5, 3.0, 4]], records=["a", "b", "c", "d"])
    assert h != higher
    assert h.same_clusters(higher)
    assert h != cc.Hierarchy.from_linkage(TREE)
    assert not h.same_clusters(cc.Hierarchy.from_linkage([[0, 2, 1, 2], [1, 3, 2, 2], [4, 5, 3, 4]]))
    assert h["c"] == (2, 5, 6)
    assert (h.clusters, h.n_clusters) == ((4, 5, 6), 3)
    scores = VALUES["scores"]()
    assert "threshold" in scores.to_dict()
    assert cc.Hierarchy.from_frame(scores.to_frame("polars")).cut(threshold=0.9).n_clusters == 1


def test_memberships_are_sparse_matrices():
    cover = cc.Cover.from_mapping(TAGS)
    assert cover.memberships.toarray().tolist() == [[1, 1, 0], [0, 1, 1], [0, 0, 0]]
    assert (cover["tom"], cover["fox"], cover.clusters) == (
        {"cat", "pet"},
        frozenset(),
        ("cat", "pet", "dog"),
    )
    assert cover.to_dict() == {"tom": ["cat", "pet"], "rex": ["pet", "dog"], "fox": []}
    soft = cc.Soft.from_mapping(SHARES)
    again = cc.Soft.from_matrix(soft.memberships, records=soft.records, clusters=soft.clusters)
    assert again == soft
    assert dict(soft["rex"]) == {"cat": pytest.approx(1 / 3), "dog": pytest.approx(2 / 3)}
    with pytest.raises(TypeError):
        soft["rex"]["cat"] = 1
    with pytest.raises(ValueError, match="read-only"):
        soft.memberships.data[0] = 0
    assert soft != cc.Soft.from_mapping(SHARES | {"tom": {"dog": 1}})


@pytest.mark.parametrize(
    "make", [pd.DataFrame, pl.DataFrame, pl.LazyFrame, pa.table], ids=["pandas", "polars", "lazy", "arrow"]
)
def test_partitions_of_frames_are_read_when_asked(make):
    frame = make({"id": ["tom", "rex", "kitty"], "kind": ["cat", "dog", "cat"]})
    p = cc.Partition.from_frame(frame, record="id", cluster="kind")
    assert repr(p).startswith("<Partition of 'kind' by 'id' in a ")
    assert p == cc.Partition.from_mapping(PETS)
    assert p.labels.tolist() == ["cat", "dog", "cat"]
    assert pickle.loads(pickle.dumps(p)) == p
    in_rows = cc.Partition.from_frame(frame, record=None, cluster="kind")
    assert in_rows.records == range(3)


def test_files_are_read_when_asked(tmp_path):
    path = tmp_path / "pets.csv"
    path.write_text("record,cluster\n2,x\n10,y\n1,x\n")
    p = cc.Partition.scan(path)
    assert cc.compare(p, p).rand == 1
    assert p.records == (2, 10, 1)
    assert p[10] == "y"
    path.write_text("record,cluster\n01,x\n2,y\n")
    assert cc.Partition.read(path).records == ("01", "2")
    path.write_text("record,cluster\na,x\na,y\n")
    with pytest.raises(
        OverlapError, match="1 record has several rows, with different labels: the record 'a' has 'x' and 'y'"
    ):
        cc.Partition.read(path)
    path.write_text("record,cluster\na,\n")
    with pytest.raises(LabelError, match="missing"):
        cc.Partition.read(path)
    assert cc.Partition.read(path, nulls="singletons").clusters == (None,)
    with pytest.raises(FileError):
        cc.Partition.scan(tmp_path / "absent.csv").labels  # noqa: B018  (raises)
    with pytest.raises(InputError, match="no column 'record'"):
        cc.Partition.from_frame(pl.DataFrame({"id": [1], "cluster": [1]})).labels  # noqa: B018  (raises)


def test_files_are_written_whole_or_not_at_all(tmp_path):
    p = cc.Partition.from_mapping(PETS)
    path = tmp_path / "pets.csv"
    assert p.write(path) == path
    assert path.read_text() == "record,cluster\ntom,cat\nrex,dog\nkitty,cat\n"
    for name in ("pets.xlsx", "pets", "pets.csv.gz", "pets.arrow"):
        with pytest.raises(ParameterError, match=r"use \.csv, \.tsv, \.jsonl or \.parquet"):
            p.write(tmp_path / name)
    with pytest.raises(FileError, match="there is no folder"):
        p.write(tmp_path / "absent" / "pets.csv")
    assert [each.name for each in tmp_path.iterdir()] == ["pets.csv"]
    strange = cc.Partition.from_mapping({'a,"b"\n': "x\ty", "é": "z"})
    for name in ("strange.csv", "strange.tsv", "strange.jsonl", "strange.parquet"):
        assert cc.Partition.read(strange.write(tmp_path / name)) == strange
        with pytest.raises(FileError, match=r"'\\udc80' is half of a character"):
            cc.Partition.from_mapping({"a": "x\udc80"}).write(tmp_path / name)
        assert cc.Partition.read(tmp_path / name) == strange


# Columns of text, and whether all of their strings are numbers as Python spells them.
SPELLED = [
    (("1", "1", "2"), True),
    (("1.0", "1.0", "0.5"), True),
    (("9007199254740992", "9007199254740993", "1"), True),
    (("1", "1.0", "2"), False),
    (("1", "01", "2"), False),
    (("0.0", "-0.0", "1.5"), False),
    (("1", "0.5", "2"), False),
    (("1.50", "1.5", "2.0"), False),
    (("1e5", "100000.0", "2.0"), False),
    (("9007199254740992", "9007199254740993.0", "1"), False),
    (("100000000000000000000", "1e+20", "2.0"), False),
]


@pytest.mark.parametrize(("column", "are_numbers"), SPELLED)
@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".jsonl"])
def test_each_string_of_a_text_file_is_one_name(column, are_numbers, suffix, tmp_path):
    """For labels and for records, however the file is read, and also after it is written again."""
    names = dict.fromkeys(column)
    labels, records = (tmp_path / f"{name}{suffix}" for name in ("labels", "records"))
    of_text = cc.Partition.from_mapping({f"r{row}": label for row, label in enumerate(column)})
    of_text.write(labels)
    cc.Partition.from_mapping(dict.fromkeys(names, "x")).write(records)
    read, scanned = cc.Partition.read(labels), cc.Partition.scan(labels)
    assert read.same_clusters(of_text)
    assert all(isinstance(label, int | float) for label in read.labels.tolist()) == are_numbers
    assert scanned.n_clusters == len(names)
    assert f"\n{len(names)} reference clusters: " in cc.compare(scanned, scanned).summary().to_text()
    by_record = cc.Partition.read(records)
    assert by_record.size == len(names)
    again = cc.Partition.scan(by_record.write(tmp_path / f"again{suffix}"))
    assert cc.rand(cc.Partition.scan(records), again) == 1


def test_text_files_are_joined_by_spelling_also_in_memory(tmp_path):
    for name, last in (("one", "4"), ("other", "x")):
        (tmp_path / f"{name}.csv").write_text(f"record,cluster\n1,a\n2,a\n3,b\n{last},b\n")
    pl.DataFrame({"record": [1, 2, 3], "cluster": ["a", "a", "b"]}).write_parquet(tmp_path / "ids.parquet")
    runs = {name: cc.Partition.scan(tmp_path / name) for name in ("one.csv", "other.csv", "ids.parquet")}
    assert cc.rand(runs["one.csv"], runs["other.csv"], unmatched="drop") == 1
    assert set(cc.matrix(runs, unmatched="drop").to_frame("polars")["value"]) == {1}


WEST, EAST = (timezone(timedelta(hours=hours)) for hours in (-5, 2))
NOON = datetime(2020, 1, 1, 12, tzinfo=EAST)
# Labels of which the first two are equal.
EQUAL = [
    [True, 1, 2],
    [1, 1.0, 2],
    [1.0, 1, 2],
    [1.0, 1, 0.5],
    [0.0, -0.0, 1.5],
    [("a", 1), ("a", True), ("b", 2)],
    [Decimal("1.0"), Decimal("1.00"), Decimal(2)],
    [NOON, NOON.astimezone(WEST), datetime(2021, 1, 1, tzinfo=WEST)],
]
# Labels that differ.
DIFFERENT = [
    [float("inf"), float("-inf"), 1.0],
    [2**53, 2**53 + 1, 2.5],
    [2**70, 2**70 + 1, 2],
    [Decimal("1e-50"), Decimal("2e-50"), Decimal(3)],
    [pd.Timestamp(1), pd.Timestamp(2), pd.Timestamp(3)],
    [NOON, NOON.replace(tzinfo=None), NOON.replace(year=2021)],
    [time(1), time(1, tzinfo=UTC), time(2)],
]
# Labels of which the first two would have one spelling.
AMBIGUOUS = [
    [1, "1", 2],
    [b"a", "b'a'", "x"],
    [("a", 1), "('a', 1)", "x"],
    [True, "True", 2],
]
STORES = ["pandas", "polars", "pyarrow", ".csv", ".jsonl", ".parquet"]


@pytest.mark.parametrize("store", STORES)
def test_clusters_stay_the_same_in_frames_and_files(store, tmp_path):
    def stored(kind, value, **options):
        if store.startswith("."):
            return kind.read(value.write(tmp_path / f"value{store}"), **options)
        return kind.from_frame(value.to_frame(store), **options)

    for labels in [*EQUAL, *DIFFERENT]:
        p = cc.Partition.from_labels(labels)
        assert p.n_clusters == (2 if labels in EQUAL else 3)
        assert stored(cc.Partition, p).same_clusters(p)
        cover = cc.Cover.from_mapping({"r": [labels[0]], "s": [labels[1], labels[2]]})
        assert stored(cc.Cover, cover).same_clusters(cover)
    for labels in AMBIGUOUS:
        named = cc.Partition.from_mapping(dict.fromkeys(labels, "x"))
        for kind, value in (
            (cc.Partition, cc.Partition.from_labels(labels)),
            (cc.Partition, named),
            (cc.Cover, cc.Cover.from_mapping({"r": labels})),
        ):
            with pytest.raises(InputError, match="would both be stored as"):
                stored(kind, value)
    large = cc.Partition.from_labels([2**53, 2**53 + 1, -1], noise=-1, noise_as="singletons")
    assert stored(cc.Partition, large, nulls="singletons").same_clusters(large)


@pytest.mark.parametrize("kind", [cc.Partition, cc.Cover, cc.Soft, cc.Hierarchy])
@pytest.mark.parametrize("library", [pd.DataFrame, pa.Table])
def test_two_columns_of_one_name_are_refused(kind, library):
    names = ["node", "parent", "record", "level", "height", "cluster", "weight", "cluster", "height"]
    if library is pd.DataFrame:
        frame = pd.DataFrame([[0, None, "a", 0, None, 1, 1, 2, 3]], columns=names)
    else:
        frame = pa.table([[1]] * len(names), names=names)
    with pytest.raises(InputError, match="several columns with the same name"):
        kind.from_frame(frame).n_clusters  # noqa: B018  (raises)


def test_the_index_of_pandas_is_not_a_column(tmp_path):
    frame = pd.DataFrame({"a": [1, 1, 2], "b": [1, 2, 2]}, index=[5, 6, 7])
    table = pa.Table.from_pandas(frame)
    frame.to_parquet(tmp_path / "frame.parquet")
    assert cc.matrix(table).names == ("a", "b")
    for read in (
        lambda: cc.Partition.from_frame(table).labels,
        lambda: cc.Partition.read(tmp_path / "frame.parquet"),
    ):
        with pytest.raises(InputError, match="no column '") as caught:
            read()
        assert "index_level" not in str(caught.value)
    named = cc.Partition.scan(tmp_path / "frame.parquet", record="__index_level_0__", cluster="a")
    assert named[6] == 1


def test_repeated_records_are_counted():
    frame = pl.DataFrame({"record": [1, 2, 1, 3, 3, 4], "cluster": list("xyxyzz"), "run": list("xyxyzz")})
    told = "2 records have several rows, 1 of them with different labels: the record 3 has"
    p = cc.Partition.from_frame(frame)
    for read in (
        lambda: p.labels,
        lambda: cc.compare(p, cc.Partition.from_frame(frame.unique("record"))),
        lambda: cc.compare(frame, columns=["cluster", "run"], record="record"),
    ):
        with pytest.raises(OverlapError, match=told):
            read()
    with pytest.raises(OverlapError, match="1 record has several rows, with one label"):
        cc.Partition.from_frame(frame[:3]).labels  # noqa: B018  (raises)


def test_an_empty_name_is_not_written_as_null(tmp_path):
    p = cc.Partition.from_labels(["", "a"])
    for suffix in (".csv", ".tsv"):
        with pytest.raises(FileError, match="the cluster '' cannot be written"):
            p.write(tmp_path / f"value{suffix}")
    for suffix in (".jsonl", ".parquet"):
        assert cc.Partition.read(p.write(tmp_path / f"value{suffix}")) == p


def test_segments_keep_their_times():
    p = cc.Partition.from_segments([(0, 6, "Ada"), (6, 10.5, "Bob")])
    assert (p.records, p.labels.tolist()) == (((0, 6), (6, 10.5)), ["Ada", "Bob"])
    assert p.to_frame("polars").columns == ["start", "end", "cluster"]
    again = cc.Partition.from_segments(p.to_frame("polars"))
    assert again == p
    assert cc.compare(p, again)._counts.total == Fraction(21, 2)


def test_images_and_chunked_arrays_can_be_read():
    image = np.array([[1, 1], [2, 3]])
    p = cc.Partition.from_labels(image)
    assert (p.records, p[1, 1]) == (((0, 0), (0, 1), (1, 0), (1, 1)), 3)
    zarr = pytest.importorskip("zarr")
    chunked = cc.Partition.of(zarr.array(image))
    assert chunked.labels.tolist() == [1, 1, 2, 3]
    assert pickle.loads(pickle.dumps(chunked)) == p


def test_labels_are_asked_of_the_wrong_kind():
    kinds = {
        CoverError: cc.Cover.from_mapping(TAGS),
        SoftError: cc.Soft.from_mapping(SHARES),
        HierarchyError: cc.Hierarchy.from_linkage(TREE),
    }
    for error, value in kinds.items():
        for use in (np.asarray, cc.Partition.of, lambda each: cc.rand([0, 1, 0], each)):
            if error is CoverError and use is not np.asarray:
                continue
            with pytest.raises((error, InputError)):
                use(value)
        with pytest.raises(error):
            np.asarray(value)


def test_dendrograms_of_igraph():
    igraph = pytest.importorskip("igraph")
    graph = igraph.Graph.Famous("Zachary")
    dendrogram = graph.community_walktrap()
    h = cc.Hierarchy.of(dendrogram)
    assert cc.compare(dendrogram.as_clustering(4).membership, h.cut(n_clusters=4)).rand == 1
    graph.vs["name"] = [f"v{number}" for number in range(34)]
    assert cc.Hierarchy.of(graph.community_walktrap())["v3"][0] == 3


def test_objects_like_dendrograms_of_igraph():
    """A forest of five vertices, by the attributes that igraph has."""
    flat = SimpleNamespace(membership=[0, 0, 1, 1, 2], graph=None)
    bare = SimpleNamespace(merges=[(0, 1), (2, 3)], as_clustering=lambda: flat)
    h = cc.Hierarchy.of(bare)
    assert (h.size, h.cut(level=2).labels.tolist()) == (5, [0, 0, 1, 1, 2])
    named = type(
        "Vertices", (), {"attributes": lambda _: ["name"], "__getitem__": lambda _, name: list("abcde")}
    )()
    flat.graph = SimpleNamespace(vs=named)
    assert cc.Hierarchy.of(bare, ties="in order").records == tuple("abcde")
    assert cc.Hierarchy.of(bare, records=range(5, 10)).records == (5, 6, 7, 8, 9)


def test_options_of_hierarchies():
    linkage = np.array([[0, 1, 1.0, 2], [2, 3, 1.0, 3]])
    assert len(cc.Hierarchy.of(linkage).levels) == 2
    assert len(cc.Hierarchy.of(linkage, ties="in order").levels) == 3
    assert cc.Hierarchy.of(linkage, records=list("abc")).records == ("a", "b", "c")
    with pytest.raises(ParameterError, match="pass it when you make the Hierarchy"):
        cc.Hierarchy.of(cc.Hierarchy.of(linkage), ties="in order")
    levels = {"fine": [0, 0, None, -1], "coarse": [0, 0, 0, 0]}
    h = cc.Hierarchy.from_levels(levels, nulls="singletons", noise=-1, noise_as="singletons")
    assert h.cut(level=1).n_clusters == 3
    with pytest.raises(LabelError):
        cc.Hierarchy.from_levels(levels)
    with pytest.raises(HierarchyError, match="drops records"):
        cc.Hierarchy.from_levels(levels, nulls="drop")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"node": [0, 1, 1]}, "the node 1 has two rows"),
        ({"parent": [2, 9, None]}, r"9(\.0)? is the parent of 1 and has no row; add one"),
        ({"parent": [1, 2, None]}, "the node 1 has a record"),
        ({"height": [None, None, None]}, "height is NaN"),
        ({"height": [None, None, "high"]}, "the height 'high' is not a number"),
        ({"level": [0, 0, "top"]}, "the level 'top' is not a number"),
        ({"record": ["a", "a", None]}, "a"),
    ],
)
def test_trees_of_frames_are_checked(changes, message):
    columns = {
        "node": [0, 1, 2], "parent": [2, 2, None], "record": ["a", "b", None], "level": [0, 0, 1],
        "height": [None, None, 1.5], "size": [1, 1, 2],
    }  # fmt: skip
    assert cc.Hierarchy.from_frame(pd.DataFrame(columns)).cut(height=1.5).n_clusters == 1
    with pytest.raises(HierarchyError, match=message):
        cc.Hierarchy.from_frame(pd.DataFrame(columns | changes))
    with pytest.raises(ParameterError, match="level and height are different columns"):
        cc.Hierarchy.from_frame(pd.DataFrame(columns), node="parent")


def test_a_partition_of_anything():
    assert cc.Partition.of(PETS) == cc.Partition.from_mapping(PETS)
    assert cc.Partition.of([{"x"}, {"y", "z"}]).n_clusters == 2
    p = cc.Partition.of([0, 0, -1], noise=-1, noise_as="drop")
    assert (p.size, cc.Partition.of(p) is p) == (2, True)
    with pytest.raises(ParameterError, match="noise= must be passed when you create the Partition"):
        cc.Partition.of(p, noise=0, noise_as="drop")
    assert cc.Soft.of(p).to_dict() == {0: {0: 1.0}, 1: {0: 1.0}}
    twice = cc.Partition.from_labels(pd.Series([1, 2], index=["a", "a"]))
    assert twice == cc.Partition.from_labels(pd.Series([1, 2], index=["a", "a"]))
    with pytest.raises(InputError, match="the record 'a' occurs more than once"):
        twice["a"]
    with pytest.raises(UnknownKeyError):
        p[17]
