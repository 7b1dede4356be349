"""Covers: what people hand over, the counts against brute force, the golden values, what is refused."""

import json
import math
import random
from collections import Counter
from fractions import Fraction
from itertools import combinations, product
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import polars as pl
import pytest
from cases import every_case
from inner import _by_digits, _by_powers, data_of
from inner import cover_counts as limits
from scipy import sparse

import concordant as cc
from concordant.errors import (
    CoverError,
    FileError,
    InputError,
    LabelError,
    ParameterError,
    TooLargeError,
    UnmatchedError,
)

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "covers.json").read_text(encoding="utf-8"))
ONMI = ("max", "mean", "min", "sqrt", "joint", "lfr")


def compared(u, v, elements=None):
    return cc.compare(*(cc.Cover.from_clusters(side, records=elements) for side in (u, v)))


def random_cover(rng, size, most=5):
    return [set(rng.sample(range(size), rng.randint(1, size))) for _ in range(rng.randint(1, most))]


@every_case("case", GOLDEN, ids=lambda case: case["name"])
def test_golden(case):
    c, expected = compared(case["U"], case["V"], case["elements"]), case["expected"]
    found = sorted([p, q, count] for (p, q), count in c._counts.pair_histogram.items())
    assert found == sorted(expected["pair_histogram"])
    rational = {
        "omega": expected["omega"] or 1,
        "unadjusted_omega": expected["omega_observed"],
        "extended_bcubed_precision": expected["bcubed_extended"]["precision"],
        "extended_bcubed_recall": expected["bcubed_extended"]["recall"],
        "extended_bcubed_f": expected["bcubed_extended"]["f"],
        "overlapping_average_f1": expected["best_match"]["F1a"],
        "average_f1_harmonic": expected["best_match"]["F1h"],
        "average_f1_weighted": expected["best_match"]["F1a_weighted"],
        "average_f1_harmonic_weighted": expected["best_match"]["F1h_weighted"],
    }
    for name, value in rational.items():
        assert c.exact(name) == Fraction(value), name
    same = c._counts.identical  # which is perfect before any formula
    real = {f"onmi_{kind}": 1 if same else expected["onmi"][kind] for kind in ONMI}
    real["onmi_lfk"] = 1 if same else expected["onmi"]["lfk_zero_is_1"]
    for alpha in ("alpha=0.9", "alpha=0.5"):
        real[f"overlapping_element_centric({alpha})"] = expected["element_centric"][alpha]
    for name, value in real.items():
        assert math.isclose(c[name], value, rel_tol=1e-12, abs_tol=1e-12), name


def brute_force(size, u, v):
    return Counter(
        (sum({x, y} <= c for c in u), sum({x, y} <= c for c in v)) for x, y in combinations(range(size), 2)
    )


@pytest.mark.parametrize("seed", range(60))
def test_both_ways_of_counting_pairs_equal_brute_force(seed, monkeypatch):
    rng = random.Random(seed)
    size = rng.randint(2, 12)
    u, v = random_cover(rng, size), random_cover(rng, size)
    for limit in (limits.SUBSET_LIMIT, 0):  # by subsets, then by walking over types
        monkeypatch.setattr(limits, "SUBSET_LIMIT", limit)
        assert compared(u, v, range(size))._counts.pair_histogram == dict(brute_force(size, u, v))


@every_case("seed", range(20))
def test_the_walk_equals_that_on_elements(seed):
    rng = random.Random(seed)
    size, alpha = rng.randint(2, 8), 0.8
    covers = random_cover(rng, size, 3), random_cover(rng, size, 3)
    walks = []
    for cover in covers:
        alone = [{x} for x in range(size) if not any(x in c for c in cover)]
        held = np.array([[x in c for c in [*cover, *alone]] for x in range(size)], dtype=float)
        step = (held / held.sum(axis=1, keepdims=True)) @ (held / held.sum(axis=0)).T
        walks.append((1 - alpha) * np.linalg.inv(np.eye(size) - alpha * step))
    wanted = (1 - np.abs(walks[0] - walks[1]).sum(axis=1) / (2 * alpha)).mean()
    found = compared(*covers, range(size))["overlapping_element_centric(alpha=0.8)"]
    assert math.isclose(
        found, 1.0 if compared(*covers, range(size))._counts.identical else wanted, abs_tol=1e-12
    )


def conditional_entropies(size, u, v):
    """H(U), H(U|V) from the definition: every pair of clusters, overlapping or not."""

    def h(k):
        return -k / size * math.log2(k / size) if k else 0.0

    whole = left = 0.0
    for x in u:
        own = h(len(x)) + h(size - len(x))
        best = own
        for y in v:
            o = len(x & y)
            a, b, c, d = size - len(x | y), len(y) - o, len(x) - o, o
            if (h(d) + h(a)) - (h(b) + h(c)) > 1e-12:
                best = min(best, h(a) + h(b) + h(c) + h(d) - h(len(y)) - h(size - len(y)))
        whole, left = whole + own, left + best
    return whole, left


@every_case("seed", range(40))
def test_onmi_looks_at_every_pair_of_clusters(seed):
    rng = random.Random(seed)
    size = rng.randint(3, 30)
    u, v = random_cover(rng, size), random_cover(rng, size)
    (hu, huv), (hv, hvu) = conditional_entropies(size, u, v), conditional_entropies(size, v, u)
    c = compared(u, v, range(size))
    if not c._counts.identical and max(hu, hv):
        wanted = (hu - huv + hv - hvu) / 2 / max(hu, hv)
        assert math.isclose(c.onmi_max, wanted, rel_tol=1e-9, abs_tol=1e-12)


def test_ties_are_decided_on_integers():
    """n = 8, sizes 6 and 5, overlap 4: alike and unlike weigh the same, and a tie is not admitted."""
    assert compared([set(range(6))], [{2, 3, 4, 5, 6}], range(8)).onmi_max == 0
    assert not _by_powers(8, 4, 1, 2, 1)
    for n, a, d in ((8, 4, 1), (12, 5, 2), (30, 11, 7)):
        for b in range(n - a - d + 1):
            c = n - a - d - b
            assert _by_powers(n, a, d, b, c) == _by_digits(n, a, d, b, c)


def test_all_ways_in_give_the_same_cover(tmp_path):
    clusters = [{"a", "b", "c"}, {"c", "d"}]
    other = cc.Cover.from_clusters([{"a", "b"}, {"c", "d", "a"}])
    frame = pl.DataFrame({"id": list("abccd"), "topic": [0, 0, 0, 1, 1]})
    matrix = np.array([[1, 0], [1, 0], [1, 1], [0, 1]])
    files = [tmp_path / f"m.{ending}" for ending in ("parquet", "csv", "jsonl")]
    for path, write in zip(files, (frame.write_parquet, frame.write_csv, frame.write_ndjson), strict=True):
        write(path)
    in_files = [cc.Cover.scan(path, record="id", cluster="topic") for path in files]
    ways = [
        *in_files,
        cc.Cover.from_clusters(clusters),
        cc.Cover.from_clusters({"x": ["a", "b", "c", "c"], "y": ("c", "d")}),
        cc.Cover.from_mapping({"a": [0], "b": [0], "c": (0, 1), "d": {1}}),
        cc.Cover.from_frame(frame, record="id", cluster="topic"),
        cc.Cover.from_frame(frame.lazy(), record="id", cluster="topic"),
        cc.Cover.from_frame(frame.to_pandas(), record="id", cluster="topic"),
        cc.Cover.from_frame(frame.to_arrow(), record="id", cluster="topic"),
        cc.Cover.from_matrix(matrix, records=list("abcd")),
        cc.Cover.from_matrix(sparse.csr_matrix(matrix), records=list("abcd")),
        cc.Cover.from_matrix(matrix.astype(bool), records=list("abcd")),
        cc.Cover.of(clusters),
        cc.Cover.of([frozenset(each) for each in clusters]),
        cc.Cover.of(SimpleNamespace(communities=[list(each) for each in clusters])),
    ]
    wanted = cc.compare(ways[0], other).to_dict()
    for way in ways:
        assert cc.compare(way, other).to_dict() == wanted, way
    assert cc.matrix([in_files[0], other], "omega")["0", "1"] == wanted["omega"]


def test_a_cover_in_files_is_read_when_it_is_compared(tmp_path):
    (tmp_path / "m.csv").write_text("id,topic\na,1\na,2\nb,\n")
    (tmp_path / "bad.csv").write_text("id,topic\n,1\n")
    columns = {"record": "id", "cluster": "topic"}
    cover = cc.Cover.scan(str(tmp_path / "*.csv"), **columns)
    assert repr(cover).startswith("<Cover of 'topic' by 'id' in")
    assert isinstance(cover, cc.Cover)
    assert cover
    with pytest.raises(LabelError, match="'id' is null in a row"):
        cover.records  # noqa: B018  (raises)
    with pytest.raises(LabelError, match="'id' is null in a row"):
        cc.compare(cover, cover)
    (tmp_path / "bad.csv").unlink()
    made = cc.compare(cc.Cover.scan([tmp_path / "m.csv"], unclustered="alone", **columns), cover)
    assert (made.size, made._counts.rows, made._counts.columns) == (2, 3, 2)
    with pytest.raises(FileError, match="no such file"):
        cc.compare(cc.Cover.scan(tmp_path / "absent.csv", **columns), cover)


def test_objects_of_graph_libraries():
    cover = SimpleNamespace(membership=[[0], [0, 1], [1], []], graph=None)  # as igraph's VertexCover
    clustering = SimpleNamespace(membership=[0, 0, 1, 1], graph=None)
    c = cc.compare(cc.Cover.of(cover), cc.Cover.of(clustering))
    assert (c.size, c._counts.rows, c._counts.columns) == (4, 2, 2)

    class NetworKitCover:
        def getSubsetIds(self):
            return {0, 5}

        def getMembers(self, number):
            return {0: {0, 1}, 5: {1, 2}}[number]

        def numberOfElements(self):
            return 4

    assert cc.compare(cc.Cover.of(NetworKitCover()), cc.Cover.of(cover)).omega == 1


def test_a_partition_beside_a_cover_is_one():
    cover = cc.Cover.from_clusters([{0, 1}, {1, 2}])
    for partition in ([0, 0, 1], cc.Partition.from_clusters([{0, 1}, {2}]), {0: "x", 1: "x", 2: "y"}):
        assert cc.compare(cover, partition).omega == cc.omega(cover, partition)
        assert cc.compare(partition, cover)._counts.columns == 2


def test_the_universe():
    u, v = [{0, 1}], [{0, 1}, {2, 3}]
    by_union, named = compared(u, v), compared(u, v, range(10))
    assert (by_union.size, named.size) == (4, 10)
    assert by_union._counts.row_sizes == {2: 1}
    alone = cc.Cover.from_clusters(u, records=range(4), unclustered="alone")
    assert cc.compare(alone, cc.Cover.from_clusters(v))._counts.row_sizes == {1: 2, 2: 1}
    reference, candidate = cc.Cover.from_clusters([{0, 1, 2}]), cc.Cover.from_clusters([{1, 2, 3}])
    assert cc.compare(reference, candidate, unmatched="drop").omega == 1
    single = cc.compare(reference, candidate, unmatched="singletons")
    assert (single._counts.row_sizes, single._counts.column_sizes) == ({1: 1, 3: 1}, {1: 1, 3: 1})


def test_what_was_not_simply_counted_is_said():
    u = cc.Cover.from_clusters([[0, 1, 1], [], [1, 0], [2]])
    assert data_of(u).audit == {"memberships_repeated": 1, "clusters_empty": 1, "clusters_repeated": 1}
    signature = cc.compare(u, cc.Cover.from_clusters([{0, 1}, {2}])).signature
    assert "reference_clusters_repeated=1" in signature


def test_what_is_printed_and_saved():
    c = compared([{0, 1, 2}, {2, 3}], [{0, 1}, {2, 3}])
    text = str(c)
    assert "omega" in text
    assert "adjusted_rand" not in text
    assert "onmi_max" in c._repr_html_()
    assert json.loads(c.to_json())["data"]["omega"] == c.omega
    assert "n=4 K=2 L=2" in c.signature
    assert c.on_request == ()
    with pytest.raises(CoverError, match="cannot be saved; save the memberships"):
        c.save("never.json")
    assert repr(c) == "<Comparison of 4 records: 2 against 2 clusters>"
    assert "omega" not in str(cc.compare([0, 0, 1], [0, 1, 1]))
    assert cc.compare([0, 0, 1], [0, 1, 1]).omega == cc.adjusted_rand([0, 0, 1], [0, 1, 1])


def test_an_index_of_partitions_names_its_form_for_covers():
    c = compared([{0, 1}, {1, 2}], [{0, 1, 2}])
    with pytest.raises(CoverError, match=r"adjusted_rand needs partitions.*its form for covers is omega"):
        _ = c.adjusted_rand
    with pytest.raises(CoverError, match=r"covers have .*onmi_max"):
        _ = c.nmi_max
    with pytest.raises(CoverError, match="extended_bcubed_f"):
        c["bcubed_f(beta=2)"]


@pytest.mark.parametrize("ask", ["suggest", "records"])
def test_costs_of_overlaps_are_refused(ask, tmp_path):
    c = compared([{0, 1}, {1, 2}], [{0, 1, 2}])
    with pytest.raises(CoverError):
        getattr(c, ask)()
    with pytest.raises(CoverError):
        c.to_html(tmp_path / "page.html", details={"name": ["a", "b", "c"]})


def test_a_cover_where_a_partition_is_needed_and_the_reverse():
    with pytest.raises(InputError, match=r"Cover.from_clusters"):
        cc.Partition.from_clusters([{0, 1}, {1, 2}])
    cover = cc.Cover.from_clusters([{0, 1}, {1, 2}])
    for needs_partitions in (cc.Partition.from_labels, lambda each: cc.track([each, each])):
        with pytest.raises(CoverError, match=r"concordant\.compare"):
            needs_partitions(cover)
    with pytest.raises(CoverError, match="its form for covers is omega"):
        cc.matrix([cover, cover])
    with pytest.raises(CoverError, match=r"Partition.from_mapping"):
        cc.Cover.from_mapping({"a": "x"})
    with pytest.raises(CoverError, match=r"Cover\.from_clusters\(.* or Cover\.from_mapping\("):
        cc.Cover.of([[0, 1], [1, 2]])
    lazy = cc.Partition.from_frame(pl.DataFrame({"id": [1], "c": [1]}), record="id", cluster="c")
    assert cc.compare(cc.Cover.of([{1}]), lazy).omega == 1.0  # a partition of a frame is read


def test_a_matrix_of_covers_has_what_comparing_two_of_them_has():
    covers = {
        "a": cc.Cover.of([{0, 1}, {1, 2}]),
        "b": cc.Cover.of([{0, 1, 2}, {3}]),
        "labels": [0, 0, 1, 1],
    }
    for name in ("omega", "extended_bcubed_precision", "onmi_max"):
        m = cc.matrix(covers, name)
        for u, v in product(covers, repeat=2):
            expected = cc.compare(cc.Cover.of(covers[u]), cc.Cover.of(covers[v]), unmatched="drop")[name]
            assert cc.matrix(covers, name, unmatched="drop")[u, v] == expected
            assert m[u, v] == (
                1 if u == v else cc.compare(cc.Cover.of(covers[u]), cc.Cover.of(covers[v]))[name]
            )
    assert not cc.matrix(covers, "omega").to_dict()["indices"]["omega"]["metric"]  # "a" does not hold 3
    several = cc.matrix(list(covers.values()), ["omega", "jaccard"])
    assert [index.name for index in several.indices] == ["omega", "jaccard"]
    with pytest.raises(InputError, match="two clusterings or more"):
        cc.matrix([covers["a"]], "omega")


@every_case(
    ("make", "error"),
    [
        (lambda: cc.Cover.from_clusters("abc"), InputError),
        (lambda: cc.Cover.from_clusters([1, 2]), InputError),
        (lambda: cc.Cover.from_clusters([{None}]), LabelError),
        (lambda: cc.Cover.from_clusters([[[]]]), LabelError),
        (lambda: cc.Cover.from_clusters([{1, 2}], records=[1]), InputError),
        (lambda: cc.Cover.from_clusters([{1}], unclustered="some"), ValueError),
        (lambda: cc.Cover.from_matrix([[0.5, 0.5]]), InputError),
        (lambda: cc.Cover.from_matrix([1, 0]), InputError),
        (lambda: cc.Cover.from_matrix([[None, 1]]), InputError),
        (lambda: cc.Cover.from_matrix([[float("nan"), 1]]), InputError),
        (lambda: cc.Cover.from_mapping({1: [float("nan")]}), LabelError),
        (lambda: cc.Cover.from_matrix([[1, 0]], records=[1, 2]), InputError),
        (lambda: cc.Cover.from_matrix([[1], [0]], records=["a", "a"]), InputError),
        (lambda: cc.Cover.from_frame([], record="a", cluster="b"), InputError),
        (lambda: cc.Cover.scan("x.parquet", record="a", cluster="a"), ParameterError),
        (lambda: cc.Cover.scan("x.parquet", record=1, cluster="a"), ParameterError),
        (
            lambda: cc.Cover.from_frame(pl.DataFrame({"a": [1]}), record="a", cluster="b"),
            InputError,
        ),
    ],
)
def test_bad_covers_are_refused(make, error):
    with pytest.raises(error) as caught:
        make()
    assert isinstance(caught.value, cc.ConcordantError)


def test_sides_that_hold_other_elements():
    with pytest.raises(UnmatchedError, match="no record in common"):
        compared([{0, 1}], [{2, 3}])
    with pytest.raises(InputError):
        compared([{0, 1}], [{"0", "1"}])
    with pytest.raises(UnmatchedError, match="names all its records"):
        cc.compare(cc.Cover.from_clusters([{0}], records=[0, 1]), cc.Cover.from_clusters([{0, 2}]))


def test_nothing_at_all():
    c = cc.compare(cc.Cover.from_clusters([]), cc.Cover.from_clusters([]))
    assert c.omega == c.onmi_max == c.extended_bcubed_f == 1
    c = cc.compare(cc.Cover.from_clusters([], records=[1, 2]), cc.Cover.from_clusters([[1, 2], []]))
    assert all(math.isfinite(value) for value in c.to_dict().values())
    assert str(c)


def test_everything_in_everything():
    everyone = list(range(300))
    c = compared([everyone] * 400, [everyone] * 300)
    assert c._counts.pair_histogram == {(400, 300): math.comb(300, 2)}
    assert c.omega < 1
    assert c.extended_bcubed_precision == 1
    assert str(c)


def test_one_element_in_very_many_clusters(tmp_path):
    many = {0: list(range(100_000)), **{x: [x] for x in range(1, 1000)}}
    u = cc.Cover.from_mapping(many)
    few = cc.Cover.from_clusters([{0, 1}, set(range(2, 1000))])
    c = cc.compare(u, few)
    assert sum(c._counts.pair_histogram.values()) == math.comb(1000, 2)
    assert 0 < c.extended_bcubed_f < 1
    assert str(c)
    both = cc.compare(u, cc.Cover.from_mapping({**many, 1: [0, 2]}))
    with pytest.raises(TooLargeError, match="overlaps"):
        _ = both.onmi_max
    assert "omega" in str(both)
    page = both.to_html(tmp_path / "page.html").read_text(encoding="utf-8")
    assert "there are too many overlaps" in page
    with pytest.raises(TooLargeError, match="leave out the records"):
        both.plot("flow")


def test_noise_of_two_covers_is_refused():
    with pytest.raises(ParameterError, match="leave out their noise clusters"):
        cc.compare(cc.Cover.of([{1, 2}]), cc.Cover.of([{1}, {2}]), noise=1, noise_as="drop")


def test_too_many_types_are_refused_with_the_budget(monkeypatch):
    monkeypatch.setattr(limits, "SUBSET_LIMIT", 1)
    monkeypatch.setattr(limits, "STEP_LIMIT", 1)
    with pytest.raises(TooLargeError, match=r"at most 1e\+00.*steps \(at most 1e\+00\)"):
        _ = compared([{0, 1}, {1, 2}], [{0, 1, 2}]).omega
    assert str(compared([{0, 1}, {1, 2}], [{0, 1, 2}]))


@pytest.mark.parametrize("index", ["onmi_lfr", "onmi_min", "onmi_sqrt"])
def test_where_one_side_has_no_entropy(index):
    """A cluster of all elements tells nothing, and nothing of it is told: 0, whichever side it is on."""
    whole = cc.Cover.from_clusters([{0, 1, 2}], records=range(3))
    other = cc.Cover.from_clusters([{0, 1}], records=range(3))
    assert (cc.compare(whole, other)[index], cc.compare(other, whole)[index]) == (0, 0)
    assert index in cc.compare(whole, other).undefined
