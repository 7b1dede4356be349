"""What a person passes as a soft partition, what is refused, and how both sides align."""

import re
from decimal import Decimal
from fractions import Fraction
from itertools import islice

import emulated_gpu
import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse
from cases import every_case
from inner import SOFT_INDICES, UNITS, data_of, gram_of, memberships

import concordant as cc
from concordant.errors import (
    InputError,
    LengthError,
    NotRationalError,
    ParameterError,
    SoftError,
    TooLargeError,
    UnknownIndexError,
    UnmatchedError,
)

ROWS = [[0.5, 0.5, 0.0], [0.25, 0.25, 0.5], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]]
LABELS = ["a", "a", "b", "a"]


def weights(soft):
    return soft.memberships.toarray().tolist()


@pytest.mark.parametrize(
    "make",
    [
        list,
        np.array,
        lambda rows: np.array(rows, dtype=np.float32),
        np.asfortranarray,
        lambda rows: np.array(rows)[:, ::1][::1],
        scipy.sparse.csr_matrix,
        lambda rows: scipy.sparse.coo_array(np.array(rows)),
        lambda rows: pl.DataFrame(rows, orient="row"),
        pd.DataFrame,
        lambda rows: [[Fraction(x) for x in row] for row in rows],
        lambda rows: [[Decimal(x) for x in row] for row in rows],
    ],
)
def test_matrices_of_any_kind_are_the_same(make):
    soft = cc.Soft.from_matrix(make(ROWS))
    assert weights(soft) == ROWS
    assert (
        cc.compare(soft, LABELS).soft_adjusted_rand
        == cc.compare(cc.Soft.from_matrix(ROWS), LABELS).soft_adjusted_rand
    )


def test_mappings_and_memberships():
    by_record = {"x": {"p": 0.5, "q": 0.5}, "y": {"q": 0.25, "r": 0.75}, "z": {"r": 1}}
    soft = cc.Soft.from_mapping(by_record)
    assert (soft.records, soft.clusters) == (("x", "y", "z"), ("p", "q", "r"))
    rows = [
        (record, cluster, weight) for record, held in by_record.items() for cluster, weight in held.items()
    ]
    for frame in (
        pl.DataFrame(rows, schema=["id", "topic", "share"], orient="row"),
        pd.DataFrame(rows, columns=["id", "topic", "share"]),
        pl.LazyFrame(rows, schema=["id", "topic", "share"], orient="row"),
    ):
        again = cc.Soft.from_frame(frame, record="id", cluster="topic", weight="share")
        assert cc.compare(soft, again).soft_matching_accuracy == 1
    assert cc.compare(soft, {"z": 1, "x": 0, "y": 1}).soft_matching_accuracy == pytest.approx(
        (0.5 + 0.75 + 1) / 3
    )


def test_many_clusters_are_kept_by_their_nonzero_weights():
    generator = np.random.default_rng(5)
    labels = generator.integers(0, 400, 1000)
    table = {x: {int(label): 0.75, int((label + 1) % 400): 0.25} for x, label in enumerate(labels)}
    soft = cc.Soft.from_mapping(table)
    assert data_of(soft).memberships.start is not None
    dense = np.zeros((1000, 400))
    for x, held in table.items():
        for cluster, weight in held.items():
            dense[x, cluster] = weight
    s, other = (
        cc.compare(soft, dict(enumerate(labels.tolist()))),
        cc.compare(cc.Soft.from_matrix(dense), labels),
    )
    assert s.soft_adjusted_rand == other.soft_adjusted_rand
    assert s.soft_matching_accuracy == other.soft_matching_accuracy
    assert s.frobenius_adjusted_rand == other.frobenius_adjusted_rand
    assert s.hardened.adjusted_rand == 1


def test_very_many_clusters_against_few():
    """More cells than a table holds."""
    codes = np.arange(3000) // 2
    soft = cc.Soft.from_matrix(np.tile([[0.5, 0.5], [1.0, 0.0]], (1500, 1)))
    s = cc.compare(soft, codes)
    assert s._counts.pair_sums.q == 1500
    assert s._counts.pair_sums.pq == 1500 * 0.5  # each cluster holds one row of either kind


def test_chunks_and_threads_do_not_change_a_bit(monkeypatch):
    generator = np.random.default_rng(1)
    u, v = (cc.Soft.from_matrix(generator.dirichlet(np.ones(4), 5000)) for _ in range(2))
    value = cc.compare(u, v, threads=1)._counts.pair_sums
    assert cc.compare(u, v, threads=3)._counts.pair_sums == value
    monkeypatch.setattr(memberships, "_CHUNK", 777)
    assert cc.compare(u, v)._counts.pair_sums == value


def test_nearly_equal_sides_keep_their_difference():
    """1 − value to 12 digits, though both sides agree to 6 digits."""
    generator = np.random.default_rng(2)
    u = generator.dirichlet(np.ones(3), 300)
    v = u + 1e-6 * (generator.dirichlet(np.ones(3), 300) - u)
    s = cc.compare(cc.Soft.from_matrix(u), cc.Soft.from_matrix(v))
    made = [data_of(cc.Soft.from_matrix(rows)).memberships.units.astype(object) for rows in (u, v)]
    p, q = (table @ table.T for table in made)
    upper = np.triu_indices(300, 1)
    difference = ((p - q)[upper] ** 2).sum()
    assert float(s._counts.pair_sums.squared_difference) == pytest.approx(
        float(Fraction(int(difference), 2**212)), rel=1e-14
    )
    assert 0 < 1 - s.soft_adjusted_rand < 1e-9


def test_the_remainder():
    rows = [[0.5, 0.25], [1.0, 0.0], [0.2, 0.2]]
    alone, cluster = (cc.Soft.from_matrix(rows, remainder=kind) for kind in ("alone", "cluster"))
    assert cluster.clusters == (0, 1, "remainder")
    assert data_of(alone).memberships.rest_weights().tolist() == pytest.approx([0.25, 0, 0.6])
    assert cc.compare(alone, alone).soft_matching_accuracy == 1
    assert cc.compare(alone, alone).soft_adjusted_rand == 1
    assert cc.compare(alone, cluster).soft_adjusted_rand < 1
    # In no cluster, two records are not together.
    apart = cc.Soft.from_matrix([[0.0], [0.0], [1.0]], remainder="alone")
    assert cc.compare(apart, ["x", "y", "z"]).soft_rand_squared == 1
    assert cc.compare(apart, ["x", "x", "z"]).soft_rand_squared == pytest.approx(2 / 3)


def test_normalise_and_transposed():
    soft = cc.Soft.from_matrix([[2, 2], [1, 3]], normalise=True)
    assert weights(soft) == [[0.5, 0.5], [0.25, 0.75]]
    assert cc.compare(soft, soft).exact("soft_matching_accuracy") == 1
    turned = np.array([[0.5, 1.0, 0.0], [0.5, 0.0, 1.0]])
    assert weights(cc.Soft.from_matrix(turned, transposed=True)) == turned.T.tolist()
    with pytest.raises(SoftError, match="transposed=True"):
        cc.Soft.from_matrix(turned)


def test_columns_without_weight_are_dropped_and_counted():
    soft = cc.Soft.from_matrix([[1.0, 0.0, 0.0], [0.5, 0.0, 0.5]], clusters=["a", "b", "c"])
    assert (soft.clusters, data_of(soft).audit) == (("a", "c"), {"clusters_without_weight": 1})
    assert "reference_clusters_without_weight=1" in cc.compare(soft, [0, 1]).signature


@every_case(
    ("rows", "options", "error"),
    [
        ([[1.0, 0.0], [0.75, 0.75]], {}, r"row 1 adds up to 1\.5; memberships .* pass normalise=True"),
        ([[1.0, 0.0], [0.5, 0.25]], {}, r"row 1 adds up to 0\.75; pass remainder='alone'"),
        ([[1.5, -0.5]], {}, r"row 0 contains -0\.5"),
        ([[float("nan"), 1.0]], {}, "row 0 contains NaN"),
        ([[float("inf"), 1.0]], {}, "row 0 contains inf"),
        ([[Decimal("NaN"), Decimal(1)]], {}, "row 0 contains NaN"),
        ([[1, 0], [1, 1]], {}, "row 1 adds up to 2"),
        ([[0.0, 0.0]], {"normalise": True}, "row 0 has no weight"),
        ([[0.9, 0.0]], {"remainder": "rest"}, "use 'alone' or 'cluster'"),
        ([[0.9, 0.0]], {"remainder": "alone", "normalise": True}, "have no remainder"),
        ([["x", "y"]], {}, "weights are numbers"),
        ([[0.5, None]], {}, "row 0 has a missing weight"),
        ([[0.5, 0.5], [1.0]], {}, "row 0 has 2 and row 1 has 1"),
        ([0.5, 0.5], {}, "two dimensions"),
        ([[0.5, 0.5]], {"records": ["a", "b"]}, "records= has 2 names for 1"),
        ([[0.5, 0.5], [1.0, 0.0]], {"records": ["a", "a"]}, "records= contains 'a' twice"),
        ([[0.5, 0.5], [0.5, 0.6]], {"records": ["a", "b"]}, r"row 1 \(record 'b'\) adds up to 1\.1"),
        ({"a": {"x": 1}}, {}, "from_mapping"),
    ],
)
def test_what_is_refused_names_the_row(rows, options, error):
    with pytest.raises((SoftError, ParameterError), match=error):
        cc.Soft.from_matrix(rows, **options)


def test_a_matrix_on_a_gpu_is_refused():
    with pytest.raises(SoftError, match=r"on a GPU; copy them to memory, as in cupy\.asnumpy"):
        cc.Soft.from_matrix(emulated_gpu.Borrowed(np.eye(3)))


def test_sparse_rows_are_checked_alike():
    for rows, error in (
        ([[0.5, 0.2]], "row 0 adds up to 0.7"),
        ([[-1.0, 0.0]], "row 0 contains -1"),
        ([[1, 1]], "row 0"),
    ):
        with pytest.raises(SoftError, match=error):
            cc.Soft.from_matrix(scipy.sparse.csr_matrix(rows))
    frame = pl.DataFrame({"id": [1, 1], "topic": ["p", "p"], "share": [0.5, 0.5]})
    with pytest.raises(SoftError, match="the cluster 'p'"):
        cc.Soft.from_frame(frame, record="id", cluster="topic", weight="share")
    with pytest.raises(InputError, match="no column 'weight'"):
        cc.Soft.from_frame(frame, record="id", cluster="topic", weight="weight")


def one_hot(labels):
    return cc.Soft.from_mapping({name: {label: 1} for name, label in labels.items()})


def sides_of_both_kinds():
    """Labels of some of ten records on both sides, at random, and of the same records."""
    random = np.random.default_rng(7)
    for size in range(3, 8):
        names = [f"r{place}" for place in range(size)]
        first, second = (
            dict(zip(names, random.integers(0, 3, size).tolist(), strict=True)) for _ in range(2)
        )
        yield first, second
        yield dict(list(first.items())[1:]), dict(list(second.items())[:-1])
        yield first, {f"q{place}": 0 for place in range(1)} | dict(list(first.items())[1:])
    yield {"a": 0, "b": 1}, {"a": 0, "b": 1, "c": 2}
    yield {"a": 0}, {"a": 0}


def assert_values_of_labels(sides, labels, **options):
    """Bit for bit, and 0/0 is the same."""
    soft, hard = cc.compare(*sides, **options), cc.compare(*labels, **options)
    for name, index in SOFT_INDICES.items():
        if index.generalises is not None:
            assert soft[name] == pytest.approx(hard[index.generalises], abs=0, nan_ok=True), name


@pytest.mark.parametrize("undefined", ["convention", "nan"])
@pytest.mark.parametrize("unmatched", ["drop", "singletons"])
def test_one_hot_weights_have_the_values_of_labels(unmatched, undefined):
    for labels in sides_of_both_kinds():
        u, v = map(one_hot, labels)
        for sides in ((u, v), (u, labels[1]), (labels[0], v)):
            assert_values_of_labels(sides, labels, unmatched=unmatched, undefined=undefined)


@pytest.mark.parametrize("unmatched", ["drop", "singletons"])
def test_one_hot_weights_of_files_have_the_values_of_labels(unmatched, tmp_path):
    """Each of three ways to pass a file or two meets each of three ways in which the records differ."""
    for place, labels in enumerate(islice(sides_of_both_kinds(), 9)):
        u, v = map(one_hot, labels)
        files = [
            cc.Soft.scan(side.write(tmp_path / f"{name}.csv"))
            for name, side in zip("uv", (u, v), strict=True)
        ]
        sides = (files, (files[0], labels[1]), (u, files[1]))[(place + place // 3) % 3]
        assert_values_of_labels(sides, labels, unmatched=unmatched, undefined="nan")


def test_alignment_by_name():
    soft = cc.Soft.from_matrix(ROWS, records=["w", "x", "y", "z"])
    same = {"z": "a", "y": "b", "x": "a", "w": "a"}
    assert (
        cc.compare(soft, same).soft_adjusted_rand
        == cc.compare(cc.Soft.from_matrix(ROWS), LABELS).soft_adjusted_rand
    )
    with pytest.raises(UnmatchedError, match="1 only in the reference"):
        cc.compare(soft, {"w": "a", "x": "a", "y": "b"})
    dropped = cc.compare(soft, {"w": "a", "x": "a", "y": "b"}, unmatched="drop")
    assert dropped.size == 3
    kept = cc.compare(soft, {"w": "a", "x": "a", "y": "b"}, unmatched="singletons")
    assert kept.size == 4
    one_more = cc.compare(soft, {**same, "new": "b"}, unmatched="singletons")
    assert one_more._counts.sides.memberships[0].weights()[4].tolist() == [0, 0, 0, 1]  # alone in a cluster
    with pytest.raises(ParameterError, match="unmatched='keep'"):
        cc.compare(soft, same, unmatched="keep")
    with pytest.raises(LengthError):
        cc.compare(cc.Soft.from_matrix(ROWS), LABELS[:2])


def test_a_pandas_index_aligns():
    frame = pd.DataFrame(ROWS, index=["w", "x", "y", "z"], columns=["p", "q", "r"])
    soft = cc.Soft.from_matrix(frame)
    assert soft.clusters == ("p", "q", "r")
    series = pd.Series(LABELS, index=["w", "x", "y", "z"]).iloc[::-1]
    assert (
        cc.compare(soft, series).soft_adjusted_rand
        == cc.compare(soft, pd.Series(LABELS, ["w", "x", "y", "z"])).soft_adjusted_rand
    )


def test_options_are_honoured_or_refused():
    soft = cc.Soft.from_matrix(ROWS)
    masked = cc.compare(soft, LABELS, where=np.array([True, True, False, True]))
    assert masked.size == 3
    noise = cc.compare(soft, [0, 0, -1, -1], noise=-1, noise_as="singletons")
    assert noise._counts.sides.columns == (3, 3)
    dropped = cc.compare(soft, [0, 0, -1, 0], noise=-1, noise_as="drop")
    assert dropped.size == 3
    assert np.isnan(
        cc.compare(
            cc.Soft.from_matrix([[1.0, 0.0], [0.5, 0.5]]),
            cc.Soft.from_matrix([[0.5, 0.5], [1.0, 0.0]]),
            undefined="nan",
        ).soft_adjusted_rand
    )
    for options in (
        {"weights": [1, 1, 1, 1]},
        {"table_limit": 5},
        {"undefined": "conll"},
        {"reference_noise": {0: "drop"}},
    ):
        with pytest.raises(ParameterError, match=next(iter(options))):
            cc.compare(soft, LABELS, **options)
    with pytest.raises(ParameterError, match="both sides are soft"):
        cc.compare(soft, soft, noise=-1, noise_as="drop")


def test_a_hard_index_names_its_soft_form():
    s = cc.compare(cc.Soft.from_matrix(ROWS), LABELS)
    with pytest.raises(SoftError, match=r"its soft form is soft_adjusted_rand; \.hardened"):
        s.adjusted_rand  # noqa: B018  (the attribute raises)
    with pytest.raises(SoftError, match="it has no soft form"):
        s["nmi"]
    with pytest.raises(UnknownIndexError, match="did you mean"):
        s["soft_adjusted_rnd"]
    with pytest.raises(SoftError, match=r"compare\(\) takes it"):
        cc.adjusted_rand(cc.Soft.from_matrix(ROWS), LABELS)
    with pytest.raises(SoftError, match=r"Soft.from_matrix\(array\)"):
        cc.compare(cc.Soft.from_matrix(ROWS), np.array(ROWS))


def test_hardening():
    soft = cc.Soft.from_matrix(ROWS, records=list("wxyz"), clusters=list("pqr"))
    assert soft.ties == 1
    hard = soft.harden()
    assert hard.labels.tolist() == ["p", "r", "r", "p"]
    assert cc.compare(soft.harden(at=0.75), {"w": 0, "x": 1, "y": 2, "z": 3}).rand == 1
    assert cc.compare(soft, soft).hardened.adjusted_rand == 1
    with pytest.raises(ParameterError, match="at="):
        soft.harden(at=2)


def test_exact_values_need_exact_weights():
    with pytest.raises(NotRationalError, match="pass fractions or decimals"):
        cc.compare(cc.Soft.from_matrix([[0.1, 0.9], [1.0, 0.0]]), [0, 1]).exact("soft_rand")
    thirds = [[Fraction(1, 3)] * 3, [Fraction(1, 7), Fraction(6, 7), Fraction(0)]]
    large = [[Fraction(1, 10**30), 1 - Fraction(1, 10**30)], [Fraction(1), Fraction(0)]]
    s = cc.compare(cc.Soft.from_matrix(thirds), cc.Soft.from_matrix(large))
    p, q = Fraction(1, 21) + Fraction(6, 21), Fraction(1, 10**30)
    assert s.exact("soft_rand") == 1 - (p - q)
    assert s.exact("soft_rand_squared") == 1 - (p - q) ** 2


def test_many_pairs_are_refused():
    generator = np.random.default_rng(3)
    u, v = (cc.Soft.from_matrix(generator.dirichlet(np.ones(5), 30_000)) for _ in range(2))
    with pytest.raises(TooLargeError, match="use soft_rand_squared"):
        cc.compare(u, v).soft_rand  # noqa: B018  (the attribute raises)


def test_records_and_matching():
    u = cc.Soft.from_matrix(
        [[0.9, 0.1], [0.2, 0.8], [0.5, 0.5]], records=["x", "y", "z"], clusters=["p", "q"]
    )
    v = cc.Soft.from_matrix(
        [[0.1, 0.9], [0.7, 0.3], [1.0, 0.0]], records=["x", "y", "z"], clusters=["r", "s"]
    )
    s = cc.compare(u, v)
    assert [(match.reference, match.candidate) for match in s.matching()] == [("q", "r"), ("p", "s")]
    listed = s.records()
    assert [each.record for each in listed] == ["z", "y", "x"]
    assert listed[0].moved == pytest.approx(0.5)
    assert np.mean([each.moved for each in s.records(limit=None)]) == pytest.approx(
        1 - s.soft_matching_accuracy
    )
    total = sum(each.n_pairs for each in s.records(limit=None))
    assert total == pytest.approx(2 * float(s._counts.pair_sums.squared_difference))
    assert s.relabelled().clusters == ("p", "q")
    assert cc.compare(u, s.relabelled()).soft_matching_accuracy == s.soft_matching_accuracy
    assert s.records().to_frame("polars").columns == ["record", "reference", "candidate", "moved", "n_pairs"]


def test_files_have_the_values_of_frames(tmp_path):
    generator = np.random.default_rng(4)
    rows = generator.dirichlet(np.ones(3), 50)
    truth = generator.integers(0, 3, 50)
    records = [f"r{x:02}" for x in range(50)]
    long = [(records[x], f"c{k}", float(rows[x, k])) for x in range(50) for k in range(3)]
    frame = pl.DataFrame(long, schema=["id", "topic", "share"], orient="row").sample(
        fraction=1, shuffle=True, seed=1
    )
    frame.write_csv(tmp_path / "m.csv")
    frame.write_parquet(tmp_path / "m.parquet")
    pl.DataFrame({"id": records, "label": truth}).write_csv(tmp_path / "truth.csv")
    columns = {"record": "id", "cluster": "topic", "weight": "share"}
    in_memory = cc.Soft.from_frame(frame, **columns)
    known = cc.compare(in_memory, dict(zip(records, truth.tolist(), strict=True)))
    scanned = cc.Partition.scan(tmp_path / "truth.csv", record="id", cluster="label")
    for name in ("m.csv", "m.parquet"):
        soft = cc.Soft.scan(tmp_path / name, **columns)
        for labels in (scanned, dict(zip(records, truth.tolist(), strict=True))):
            s = cc.compare(soft, labels)
            assert s.soft_adjusted_rand == known.soft_adjusted_rand
            assert s.soft_matching_accuracy == pytest.approx(known.soft_matching_accuracy, rel=1e-15)
            assert s.size == 50
            assert s.records(limit=3)[0].record == known.records(limit=3)[0].record
        assert cc.compare(soft, in_memory).soft_adjusted_rand == 1
        assert cc.compare(soft, soft).soft_adjusted_rand == 1
    fewer = dict(list(zip(records, truth.tolist(), strict=True))[5:])
    with pytest.raises(UnmatchedError, match="5 only in the reference"):
        cc.compare(soft, fewer)
    assert cc.compare(soft, fewer, unmatched="drop").size == 45
    assert cc.compare(soft, fewer, unmatched="singletons").size == 50
    pl.DataFrame({"id": ["a", "a"], "topic": ["x", "y"], "share": [0.5, 0.7]}).write_csv(tmp_path / "bad.csv")
    bad = cc.Soft.scan(tmp_path / "bad.csv", **columns)
    with pytest.raises(SoftError, match=r"the record 'a' adds up to 1\.2"):
        cc.compare(bad, {"a": 0})


def test_memory_of_files(tmp_path):
    generator = np.random.default_rng(5)
    files = [tmp_path / name for name in ("u.parquet", "v.parquet")]
    for path in files:
        first = generator.integers(0, 10_000, 30_000)
        columns = {"record": np.repeat(np.arange(30_000), 2), "weight": np.tile([0.25, 0.75], 30_000)}
        pl.DataFrame(columns | {"cluster": np.stack([first, first + 1], 1).reshape(-1)}).write_parquet(path)
    with pytest.raises(TooLargeError, match=r"to read .* takes about .*; pass memory='\d+MB' to") as error:
        cc.compare(cc.Soft.scan(files[0], memory="60MB"), cc.Soft.scan(files[1]))
    with pytest.raises(ParameterError, match="specify the same on both sides"):
        cc.compare(cc.Soft.scan(files[0], memory="60MB"), cc.Soft.scan(files[1], memory="70MB"))
    enough = re.findall(r"\d+MB", str(error.value))[-1]
    u, v = (cc.Soft.scan(path, memory=enough) for path in files)
    assert cc.compare(u, v).size == 30_000


def test_many_runs():
    generator = np.random.default_rng(6)
    runs = {f"run {i}": cc.Soft.from_matrix(generator.dirichlet(np.ones(3), 20)) for i in range(3)}
    runs["labels"] = generator.integers(0, 3, 20)
    runs["others"] = generator.integers(0, 2, 20)
    m = cc.matrix(runs, "soft_adjusted_rand", reference="labels")
    assert m["run 0", "labels"] == cc.compare(runs["run 0"], runs["labels"]).soft_adjusted_rand
    assert m["labels", "others"] == pytest.approx(cc.adjusted_rand(runs["labels"], runs["others"]))
    assert "run 1" in str(m)
    assert not next(iter(m.to_dict()["indices"].values()))["metric"]
    assert cc.matrix(runs, "soft_rand_squared")["run 0", "run 0"] == 1
    both = cc.matrix(runs, ["soft_rand_squared", "soft_adjusted_rand"])
    assert both["run 0", "labels", "soft_adjusted_rand"] == m["run 0", "labels"]
    with pytest.raises(SoftError, match="soft_adjusted_rand"):
        cc.matrix(runs)
    with pytest.raises(SoftError, match="harden"):
        cc.consensus(runs)


def test_as_data_and_text():
    s = cc.compare(cc.Soft.from_matrix(ROWS), LABELS)
    assert s.to_frame("polars").shape == (4, 6)
    assert '"soft_adjusted_rand"' in s.to_json()
    assert "soft_matching_accuracy" in str(s)
    assert "<table>" in s._repr_html_()
    assert list(s) == list(s.to_dict()) == list(s.keys())


def test_errors_name_what_helps_here():
    soft = cc.Soft.from_matrix([[0.9, 0.1], [0.2, 0.8], [0.5, 0.5]], records=list("xyz"))
    with pytest.raises(UnmatchedError) as raised:
        cc.compare(soft, {"x": 1, "y": 2, "w": 1})
    assert "unmatched='drop'" in str(raised.value)
    assert "keep" not in str(raised.value)
    with pytest.raises(SoftError, match="the record 'y' adds up to 0; pass remainder"):
        cc.Soft.from_mapping({"x": {"p": 1.0}, "y": {}})
    tree = cc.Hierarchy.from_linkage([[0, 1, 0.1, 2], [2, 3, 0.2, 3]])
    with pytest.raises(SoftError, match=r"compare the Soft with a cut, as in hierarchy\.cut\(n_clusters=5\)"):
        cc.compare(soft, tree)
    s = cc.compare(soft, {"x": 1, "y": 2, "z": 1})
    for question in ("changes", "versus", "suggest"):
        with pytest.raises(UnknownIndexError, match=rf"no '{question}'; \.hardened"):
            getattr(s, question)
    with pytest.raises(SoftError, match=r"soft\.harden\(\)"):
        cc.rank({"x": 1, "y": 2, "z": 1}, {"a": soft, "b": {"x": 1, "y": 2, "z": 1}})


def test_records_in_no_cluster_and_no_records_have_a_page(tmp_path):
    labels = ["a", "b", "a"]
    alone = cc.compare(cc.Soft.from_matrix(np.zeros((3, 2)), remainder="alone"), labels)
    assert [each.reference for each in alone.records()] == [None] * 3
    assert alone.soft_matching_accuracy == 0
    nothing = cc.compare(cc.Soft.from_matrix(np.zeros((0, 2))), [])
    assert nothing.headline == "There are no records to compare"
    for s in (alone, nothing):
        assert s.to_html(tmp_path / "page.html").exists()


def test_sums_of_many_pieces_are_exact():
    """A piece that comes again and again adds the same integers each time, however small 1 − value is."""
    source = np.random.default_rng(5)
    u = source.dirichlet([0.3] * 4, 500)
    v = u * (1 + 1e-9 * source.random(u.shape))
    rows = tuple(
        data_of(cc.Soft.from_matrix(each / each.sum(axis=1)[:, None])).memberships for each in (u, v)
    )
    once, often = (gram_of([rows] * times, (4, 4), UNITS) for times in (1, 200))
    assert often.size == 100_000
    for cells in ("uu", "uv", "vv", "u", "v"):
        assert getattr(often, cells) == {key: 200 * x for key, x in getattr(once, cells).items()}
    assert often.row_sums == [200 * each for each in once.row_sums]
    x, y = (each.units.astype(object) for each in rows)
    assert once.uv == {4 * i + j: int(x[:, i] @ y[:, j]) for i in range(4) for j in range(4)}
    sums = often.pair_sums
    assert 0 < sums.squared_difference / sums.pairs < 1e-17


@pytest.mark.parametrize("columns", [2, 3, 7])
@pytest.mark.parametrize("scale", [1.0, 1e-300, 1e300])
def test_orders_of_records_and_clusters_change_no_bit(columns, scale):
    source = np.random.default_rng(columns)
    u, v = source.dirichlet(np.ones(columns), 30) * scale, source.dirichlet(np.ones(4), 30)
    one_pass = (
        "soft_adjusted_rand",
        "soft_rand_squared",
        "soft_matching_accuracy",
        "frobenius_adjusted_rand",
    )
    all_pairs = ("soft_rand", "degree_of_concordance", "adjusted_concordance")

    def soft(weights, make=np.asarray):
        made = cc.Soft.from_matrix(make(weights), normalise=scale != 1)
        return made, (made.sharpness, made.entropy)

    def values(u, v, make=np.asarray):
        (u, of_u), (v, of_v) = soft(u, make), soft(v, make)
        s = cc.compare(u, v)
        exact = [s[name] for name in one_pass], of_u, of_v
        return exact, [s[name] for name in all_pairs]

    exact, rounded = values(u, v)
    for _ in range(12):
        order = source.permutation(30)
        turned = [each[order][:, source.permutation(each.shape[1])] for each in (u, v)]
        again, near = values(*turned)
        assert again == exact
        assert near == pytest.approx(rounded, abs=1e-12)
    assert values(u, v, scipy.sparse.csr_matrix)[0] == exact
    with_zeros = [np.insert(each, 1, 0.0, axis=1) for each in (u, v)]
    assert values(*with_zeros)[0] == exact


@pytest.mark.parametrize("kind", [np.int64, np.uint8, bool, object])
def test_exact_weights_in_sparse_matrices_stay_sparse(kind):
    weights = np.eye(2000, dtype=np.int64)
    weights[0, 1] = weights[5, 7] = 1
    table = weights[:20, :20].astype(kind)
    if kind is not object:
        made = cc.Soft.from_matrix(scipy.sparse.csr_matrix(weights).astype(kind), normalise=True)
        rows = data_of(made).memberships
        assert rows.start is not None
        assert (rows.scale, len(rows.units)) == (2, 2002)
        small = cc.Soft.from_matrix(scipy.sparse.csr_matrix(table), normalise=True)
    else:
        rows = {x: {y: Fraction(int(table[x, y])) for y in range(20) if table[x, y]} for x in range(20)}
        small = cc.Soft.from_mapping(rows, normalise=True)
        assert data_of(small).memberships.start is not None
    whole = cc.Soft.from_matrix(table, normalise=True, records=range(20) if kind is object else None)
    assert cc.compare(small, whole).exact("soft_matching_accuracy") == 1


def test_integers_with_a_huge_common_denominator_become_floats():
    counts = np.random.default_rng(0).integers(1, 1000, (300, 5))
    made = cc.Soft.from_matrix(counts, normalise=True)
    again = cc.Soft.from_matrix(counts / counts.sum(axis=1, keepdims=True))
    assert cc.compare(made, again).soft_matching_accuracy == pytest.approx(1, abs=1e-14)
    with pytest.raises(NotRationalError):
        cc.compare(made, made).exact("soft_adjusted_rand")
    exact = cc.Soft.from_matrix([[1, 2], [3, 4]], normalise=True)
    assert data_of(exact).memberships.scale == 3 * 7


@pytest.mark.parametrize("weights", [[[2, -1]], [[1, 0], [0, 0]], [[2**63, 2**63]]])
@pytest.mark.parametrize("make", [np.array, scipy.sparse.csr_matrix])
def test_integers_at_fault_are_refused_in_tables_and_sparse_matrices(weights, make):
    with pytest.raises(SoftError, match="row"):
        cc.Soft.from_matrix(make(np.array(weights)))
