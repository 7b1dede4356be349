"""A partition against a hierarchy: every index at every level, the best cut, the best pruning."""

import json
import math
import random
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from cases import every_case
from inner import INDICES, data_of, evaluation
from not_run import few

import concordant as cc
from concordant.errors import (
    CoverError,
    HierarchyError,
    ParameterError,
    SoftError,
    TooLargeError,
    UndefinedError,
    UnknownKeyError,
    UnmatchedError,
    WeightsError,
)

CASES = json.loads((Path(__file__).parents[1] / "golden" / "hierarchies.json").read_text(encoding="utf-8"))[
    "cases"
]


def golden(key):
    return [pytest.param(case, id=case["id"]) for case in CASES if key in case and "values" in case]


def same(x, y):
    return x == y or (math.isnan(x) and math.isnan(y))


@cache
def partitions(n):
    """All partitions of n elements, as labels."""
    if not n:
        return [()]
    return [(*rest, label) for rest in partitions(n - 1) for label in range(max(rest, default=-1) + 2)]


def shape(linkage, n):
    """The tree without the names of its leaves."""
    nodes = [(0.0, ())] * n
    for a, b, height, _ in linkage:
        parts = []
        for child in (nodes[int(a)], nodes[int(b)]):
            parts += child[1] if child[0] == height and child[1] else [child]
        nodes.append((height, tuple(sorted(parts))))
    return nodes[-1] if n > 1 else nodes[0]


@cache
def trees(n):
    """A linkage for every tree of n leaves with every order of its levels, up to the names of the leaves."""
    found = {}

    def grow(tops, sizes, rows):
        if len(tops) == 1:
            found.setdefault(shape(rows, n), rows)
            return
        for i, j in combinations(range(len(tops)), 2):
            height = rows[-1][2] if rows else 0.0
            for step in (0.0, 1.0) if rows else (1.0,):
                size = sizes[tops[i]] + sizes[tops[j]]
                row = (tops[i], tops[j], height + step, size)
                left = [top for place, top in enumerate(tops) if place not in (i, j)]
                grow([*left, n + len(rows)], [*sizes, size], [*rows, row])

    grow(list(range(n)), [1] * n, [])
    return list(found.values())


def random_linkage(rng, n, ties):
    tops, rows, sizes, height = list(range(n)), [], [1] * n, 0.0
    for step in range(n - 1):
        a, b = rng.sample(tops, 2)
        height += rng.choice([0, 1, 2]) if ties else 1
        rows.append((a, b, height, sizes[a] + sizes[b]))
        sizes.append(rows[-1][3])
        tops = [top for top in tops if top not in (a, b)] + [n + step]
    return rows


@cache
def compared_alone(truth, cut):
    return cc.compare(list(truth), list(cut))


def agrees(truth, hierarchy, names):
    """Whether each of these indices has at each level the value of the cut alone."""
    compared = cc.compare(list(truth), hierarchy)
    levels = range(len(hierarchy.levels))
    cuts = [
        compared_alone(tuple(truth), tuple(hierarchy.cut(level=level).labels.tolist())) for level in levels
    ]
    for name in names:
        for level, (value, cut) in enumerate(zip(compared.curve(name).to_numpy(), cuts, strict=True)):
            assert same(value, cut[name]), (name, level, truth, data_of(hierarchy).parent.tolist())


FOLLOWED = [
    "adjusted_rand",
    "f_measure",
    "f_measure(beta=0.5)",
    "jaccard",
    "rand",
    "precision",
    "specificity",
    "mirkin",
    "kulczynski",
    "phi",
    "fowlkes_mallows",
    "adjusted_wallace_precision",
    "purity",
    "inverse_purity",
    "cluster_precision",
    "cluster_f",
    "mari",
    "lerman",
    "minkowski",
    "tversky",
    "muc_f1",
    "bcubed_precision",
    "bcubed_recall",
    "bcubed_f",
    "bcubed_f(beta=0.1)",
]


def test_there_are_as_many_trees_as_known():
    """Trees of which levels are ordered: one of two leaves, a star and a chain of three, ..."""
    assert [len(trees(n)) for n in (2, 3, 4)] == [1, 2, 6]


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_every_tree_against_every_partition(n):
    hierarchies = (
        [cc.Hierarchy.from_linkage(np.array(rows).reshape(-1, 4)) for rows in trees(n)] if n > 1 else []
    )
    for hierarchy, truth in product(hierarchies, partitions(n)):
        agrees(truth, hierarchy, FOLLOWED if n < 4 else FOLLOWED[:1] if n > 4 else FOLLOWED[::3])


@pytest.mark.parametrize("seed", few(2, range(3)))
def test_every_index_at_every_level(seed):
    rng = random.Random(seed)
    n = rng.randint(6, 14)
    hierarchy = cc.Hierarchy.from_linkage(random_linkage(rng, n, ties=seed % 2 == 0))
    truth = [rng.randrange(rng.randint(1, 5)) for _ in range(n)]
    names = [index.name for index in INDICES.values() if index.sides != "covers" and not index.on_request]
    agrees(truth, hierarchy, names)


@pytest.mark.parametrize("seed", range(4))
def test_the_best_cut_by_entropies_is_the_best_of_all_cuts(seed):
    rng = random.Random(seed)
    n = 30 + 20 * seed
    hierarchy = cc.Hierarchy.from_linkage(random_linkage(rng, n, ties=seed % 2 == 0))
    truth = [rng.randrange(1 + 2 * seed) for _ in range(n)]
    for sides in ((truth, hierarchy), (hierarchy, truth)):
        searched, listed = cc.compare(*sides), cc.compare(*sides)
        for index in INDICES.values():
            if {view.__name__ for view in index.views} == {"Information"} and index.agreement:
                found = searched.best_cut(index.name)
                values = listed.curve(index.name).to_numpy()
                signed = values if index.agreement == "larger" else -values
                assert found.value == values[found.level], index.name
                assert signed[found.level] == np.nanmax(signed), index.name
                assert not (signed[found.level + 1 :] == signed[found.level]).any(), index.name


def test_a_sum_over_the_nodes_of_a_chain_is_rounded_once():
    n = 900
    chain = [(n + i - 1 if i else 0, i + 1, float(i), i + 2) for i in range(n - 1)]
    rng = np.random.default_rng(0)
    compared = cc.compare(rng.integers(0, 3, n), cc.Hierarchy.from_linkage(chain))
    exact = cc.INDICES["dendrogram_purity"].exact(compared._truth)
    assert exact.denominator > 2**200
    assert compared.dendrogram_purity == float(exact)


def test_the_hierarchy_as_reference():
    rng = random.Random(5)
    hierarchy = cc.Hierarchy.from_linkage(random_linkage(rng, 9, ties=True))
    labels = [rng.randrange(3) for _ in range(9)]
    compared = cc.compare(hierarchy, labels)
    for name in (
        "precision",
        "recall",
        "bcubed_precision",
        "homogeneity",
        "purity",
        "cluster_recall",
        "lerman",
    ):
        for level, value in enumerate(compared.curve(name).to_numpy()):
            assert same(value, cc.compare(hierarchy.cut(level=level), labels)[name])
    assert compared.at(level=2).recall == cc.compare(hierarchy.cut(level=2), labels).recall
    assert (
        compared.best_pruning("jaccard").value == cc.compare(labels, hierarchy).best_pruning("jaccard").value
    )


def test_large_numbers_stay_exact():
    rng = np.random.default_rng(0)
    n = 40_000
    chain = [(n + i - 1 if i else 0, i + 1, float(i), i + 2) for i in range(n - 1)]
    truth = rng.integers(0, 3, n)
    compared = cc.compare(truth, cc.Hierarchy.from_linkage(chain))
    for level in (0, 17, 20_000, n - 1):
        cut = cc.compare(truth, cc.Hierarchy.from_linkage(chain).cut(level=level))
        for name in ("adjusted_rand", "f_measure", "phi", "mari", "lerman", "fowlkes_mallows"):
            curve = compared.curve(name, levels=None if name in ("adjusted_rand", "f_measure") else 5)
            place = curve.columns["n_clusters"].tolist().index(n - level) if len(curve) == n else None
            if place is not None:
                assert curve.to_numpy()[place] == cut[name]
            assert same(compared.at(level=level)[name], cut[name])


SHARES = ["bcubed_precision", "bcubed_recall", "bcubed_f", "bcubed_f(beta=0.3)", "k_measure"]


@pytest.mark.parametrize("seed", range(4))
def test_shares_are_rounded_once(seed):
    """From level to level, as of the cut alone."""
    rng = np.random.default_rng(seed)
    n = 3000
    tops, rows, sizes = list(range(n)), [], [1] * n
    for step, shares in enumerate(rng.random((n - 1, 2)) ** (1 + seed % 2)):
        i, j = sorted((len(tops) * shares).astype(int).tolist())
        i, j = (i, j) if i < j else (i, i + 1) if i + 1 < len(tops) else (i - 1, i)
        size = sizes[tops[i]] + sizes[tops[j]]
        rows.append((tops[i], tops[j], float(step), size))
        sizes.append(size)
        tops[i], tops[j] = n + step, tops[-1]
        tops.pop()
    truth = np.sort(rng.integers(0, n // 3, n)) if seed < 2 else (rng.random(n) ** 3 * 50).astype(np.int64)
    hierarchy = cc.Hierarchy.from_linkage(rows)
    curves = {name: cc.compare(truth, hierarchy).curve(name).to_numpy() for name in SHARES}
    for level in rng.integers(0, n, 40).tolist():
        cut = cc.compare(truth, hierarchy.cut(level=level))
        assert {name: curve[level] for name, curve in curves.items()} == {name: cut[name] for name in SHARES}


def test_shares_of_very_many_cluster_sizes():
    """More than 200 denominators on both sides: still rounded once, for the cut alone as well."""
    rng = np.random.default_rng(2)
    fine = np.repeat(np.arange(300), np.arange(1, 301))
    hierarchy = cc.Hierarchy.from_levels([fine, fine // 2 * 2, fine // 40])
    for truth in (rng.permutation(fine), fine // 3, np.where(rng.random(len(fine)) < 0.3, fine, 0)):
        compared = cc.compare(truth, hierarchy)
        for level in range(4):
            cut = cc.compare(truth, hierarchy.cut(level=level))
            for name in SHARES:
                assert compared.curve(name).to_numpy()[level] == cut[name]
            for name in SHARES[:3]:
                assert cut[name] == float(cut.exact(name))


def test_shares_at_very_many_levels():
    rng = np.random.default_rng(1)
    n = 300_001
    tree = cc.Hierarchy.from_linkage([(n + i - 1 if i else 0, i + 1, float(i), i + 2) for i in range(n - 1)])
    truth = rng.permutation(n) // 7
    curve = cc.compare(truth, tree).curve("bcubed_f")
    assert len(curve) == n
    for level in (0, 1, 123_456, n - 1):
        assert curve.to_numpy()[level] == cc.compare(truth, tree.cut(level=level)).bcubed_f


# -- golden ------------------------------------------------------------------------------------------------


def _tree(side, ties="together"):
    if "linkage" in side:
        return cc.Hierarchy.from_linkage(side["linkage"], ties=ties)
    return cc.Hierarchy.from_nested(side["nested"])


@every_case("case", [case for case in golden("truth") if "candidate" in case.values[0]])
def test_golden_levels(case):
    values = case["values"]
    is_named = "nested" in case["candidate"]
    truth = dict(enumerate(case["truth"])) if is_named else case["truth"]
    compared = cc.compare(truth, _tree(case["candidate"]))
    curves = {name: compared.curve(name) for name in ("adjusted_rand", "f_measure")}
    for level, expected in enumerate(values["levels"]):
        for name, curve in curves.items():
            assert curve.columns["n_clusters"][level] == expected["clusters"]
            assert curve.to_numpy()[level] == float(Fraction(expected[name]))
        assert compared.at(level=level).pairs.n11 == expected["n11"]
    best = compared.best_cut("adjusted_rand")
    expected = values["best_level_by_adjusted_rand"]
    assert (best.n_clusters, best.value) == (expected["clusters"], float(Fraction(expected["value"])))
    # The nodes of these trees are the rows, whether their heights are equal or not.
    rows = cc.compare(truth, _tree(case["candidate"], "in order"))
    records = range(len(truth)) if rows.candidate.records is None else rows.candidate.records
    for name in ("f_measure", "adjusted_rand", "rand"):
        found = rows.best_pruning(name)
        assert found.value == float(Fraction(values[f"best_pruning_{name}"]))
        labels = dict(zip(records, found.labels.tolist(), strict=True))
        assert found.value == cc.compare(dict(enumerate(case["truth"])), labels)[name]
        assert found.n_clusters == len(set(found.labels.tolist()))
    for name, key in (("dendrogram_purity", "dendrogram_purity"), ("tree_f1", "tree_f")):
        if values[key] is not None:
            assert rows[name] == float(Fraction(values[key]))


def prunings_of(hierarchy):
    """All sets of nodes that hold every leaf once, as labels."""
    n, below = hierarchy.size, {}
    for node, parent in enumerate(data_of(hierarchy).parent.tolist()):
        below.setdefault(parent, []).append(node)

    def leaves(node):
        return [node] if node < n else [leaf for child in below[node] for leaf in leaves(child)]

    def prunings(node):
        yield [leaves(node)]
        if node >= n:
            for parts in product(*(list(prunings(child)) for child in below[node])):
                yield [cluster for part in parts for cluster in part]

    for parts in product(*(list(prunings(root)) for root in below[-1])):
        yield _labels([cluster for part in parts for cluster in part], n)


@cache
def has_a_best_pruning(name):
    hierarchy = cc.Hierarchy.from_linkage([[0, 1, 0.1, 2], [2, 3, 0.2, 2], [4, 5, 0.9, 4]])
    try:
        for sides in (([0, 1, 0, 1], hierarchy), (hierarchy, [0, 1, 0, 1])):
            cc.compare(*sides).best_pruning(name)
    except (HierarchyError, ParameterError):
        return False
    return True


def test_many_indices_have_a_best_pruning():
    assert sum(map(has_a_best_pruning, INDICES)) > 30


@every_case("name", INDICES)
def test_the_best_pruning_is_the_best_of_all(name):
    """Against all prunings, which are listed. 0/0 has its value by convention; a value may be infinite."""
    if not has_a_best_pruning(name):
        return
    rng = random.Random(name)
    larger = INDICES[name].agreement == "larger"
    for trial in range(12):
        n = rng.randint(2, 6)
        hierarchy = cc.Hierarchy.from_linkage(random_linkage(rng, n, ties=True))
        truth = [rng.randrange(rng.randint(1, n)) for _ in range(n)]
        undefined = "nan" if trial % 3 == 2 else "convention"

        def compared(other, truth=truth, undefined=undefined, is_reference=bool(trial % 2)):
            sides = (other, truth) if is_reference else (truth, other)
            return cc.compare(*sides, undefined=undefined)

        values = [compared(labels)[name] for labels in prunings_of(hierarchy)]
        values = [value for value in values if not math.isnan(value)]
        if not values:
            with pytest.raises(UndefinedError):
                compared(hierarchy).best_pruning(name)
            continue
        found = compared(hierarchy).best_pruning(name)
        assert found.value == (max if larger else min)(values)
        assert compared(found.labels)[name] == found.value
        assert found.n_clusters == len(set(found.labels.tolist()))
        assert not (found.value < found.best_cut if larger else found.value > found.best_cut)


def test_the_page_of_an_infinite_value_says_what_limits_it(tmp_path):
    hierarchy = cc.Hierarchy.from_linkage([[0, 1, 0.1, 2], [2, 3, 0.2, 2], [4, 5, 0.9, 4]])
    page = cc.compare([0, 0, 1, 1], hierarchy).to_html(tmp_path / "page.html", indices=["southwood"])
    assert "Neither the hierarchy nor the height limits the value" in page.read_text(encoding="utf-8")


def _labels(clusters, n):
    labels = [0] * n
    for number, cluster in enumerate(clusters):
        for leaf in cluster:
            labels[leaf] = number
    return labels


# -- what a person asks ------------------------------------------------------------------------------------


LINKAGE = [[0, 1, 0.1, 2], [2, 3, 0.2, 2], [4, 5, 0.9, 4]]
NAMED = cc.Hierarchy.from_linkage(LINKAGE, records=["ann", "bob", "cal", "dee"])
BARE = cc.Hierarchy.from_linkage(LINKAGE)
TRUTH = {"dee": 2, "ann": 1, "bob": 1, "cal": 2}


def test_a_curve_and_a_table_of_levels_map_each_level_to_its_row():
    truth = {"ann": 1, "bob": 1, "cal": 2, "eve": 2}
    compared = cc.compare(truth, NAMED, unmatched="drop")
    curve, best = compared.curve("rand"), compared.curve("rand").best()
    assert list(curve) == list(NAMED.levels) == [0, 1, 2, 3]
    assert [row["value"] for row in curve.values()] == curve.to_numpy().tolist()
    heights = [[row["height"] for row in each.values()] for each in (curve, NAMED.levels)]
    assert heights == [[None, 0.1, 0.2, 0.9]] * 2
    assert best == compared.best_cut("rand")
    assert best.cut() == NAMED.cut(level=best.level)
    assert cc.compare(truth, best.cut(), unmatched="drop").rand == best.value == curve[best.level]["value"]
    few = compared.curve("rand", levels=2)
    assert list(few) == [0, 3]
    for key in (1, -1, True, "a", None, []):
        assert key not in few
        with pytest.raises(UnknownKeyError, match="is not the level"):
            few[key]
    for key in (-1, 4, True, "a"):
        assert key not in NAMED.levels
        with pytest.raises(UnknownKeyError, match="levels are 0 to 3"):
            NAMED.levels[key]


def test_records_align_by_name():
    assert cc.compare(TRUTH, NAMED).curve("jaccard").to_numpy().tolist() == [0.0, 0.5, 1.0, 1 / 3]
    with pytest.raises(UnmatchedError, match="names its records"):
        cc.compare([1, 1, 2, 2], NAMED)
    with pytest.raises(UnmatchedError, match="unmatched='drop'"):
        cc.compare({**TRUTH, "eve": 1}, NAMED)


def test_dataframes_and_files_align_by_name(tmp_path):
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame({"who": list(TRUTH), "entity": list(TRUTH.values())})
    frame.write_parquet(tmp_path / "truth.parquet")
    frame.write_csv(tmp_path / "truth.csv")
    sources = [
        cc.Partition.from_frame(each, record="who", cluster="entity") for each in (frame, frame.lazy())
    ]
    sources += [cc.Partition.from_frame(frame.to_pandas(), record="who", cluster="entity")]
    sources += [
        cc.Partition.scan(tmp_path / f"truth.{kind}", record="who", cluster="entity")
        for kind in ("parquet", "csv")
    ]
    for source in sources:
        assert cc.compare(source, NAMED).curve("jaccard").to_numpy().tolist() == [0.0, 0.5, 1.0, 1 / 3]
    part = cc.Partition.from_frame(frame[:3], record="who", cluster="entity")
    assert cc.compare(part, NAMED, unmatched="drop").size == 3
    in_order = cc.Partition.from_frame(
        polars.DataFrame({"entity": [1, 1, 2, 2]}), cluster="entity", record=None
    )
    assert cc.compare(in_order, BARE).best_cut("jaccard").value == 1.0
    with pytest.raises(UnmatchedError, match="records="):
        cc.compare(sources[0], BARE)


@pytest.mark.parametrize("unmatched", ["drop", "singletons"])
def test_unmatched_records(unmatched):
    truth = {"ann": 1, "bob": 1, "dee": 2, "eve": 2, "fay": 3}
    compared = cc.compare(truth, NAMED, unmatched=unmatched)
    for level in range(4):
        alone = cc.compare(truth, NAMED.cut(level=level), unmatched=unmatched)
        for name in ("adjusted_rand", "bcubed_f", "vi", "cluster_precision"):
            assert compared.curve(name).to_numpy()[level] == alone[name] == compared.at(level=level)[name]
        assert compared.curve("rand").columns["n_clusters"][level] == alone._counts.columns
    assert compared.at(n_clusters=int(compared.curve("rand").columns["n_clusters"][1]))._counts.columns


def test_conventions_are_honoured():
    noisy = cc.compare([-1, 1, 2, 2], BARE, noise=-1, noise_as="singletons")
    assert noisy.at(n_clusters=3).recall == cc.compare([5, 1, 2, 2], BARE.cut(n_clusters=3)).recall
    assert cc.compare([-1, 1, 2, 2], BARE, noise=-1, noise_as="drop").size == 3
    assert cc.compare([None, "a", "b", "b"], BARE, nulls="drop").size == 3
    masked = cc.compare([1, 1, 2, 2], BARE, where=np.array([True, True, True, False]))
    assert masked.size == 3
    assert math.isnan(cc.compare([1, 1, 2, 2], BARE, undefined="nan").curve("precision").to_numpy()[0])
    with pytest.raises(UndefinedError):
        cc.compare([1, 1, 2, 2], BARE, undefined="raise").curve("precision")


@pytest.mark.parametrize(
    ("truth", "options", "error"),
    [
        ([1, 1, 2, 2], {"weights": [1, 2, 3, 4]}, WeightsError),
        ([1, 1, 2, 2], {"table_limit": 5}, ParameterError),
        ([1, 1, 2, 2], {"reference_noise": {1: "drop"}}, HierarchyError),
        (cc.Cover.from_clusters([[0, 1], [1, 2, 3]]), {}, CoverError),
        ({"a": 1}, {"unmatched": "keep"}, HierarchyError),
    ],
)
def test_options_without_a_meaning_are_refused(truth, options, error):
    with pytest.raises(error):
        cc.compare(truth, BARE, **options)


def test_an_index_of_partitions_names_the_way():
    compared = cc.compare([1, 1, 2, 2], BARE)
    for ask in (lambda: compared.adjusted_rand, lambda: compared["NMI"]):
        with pytest.raises(HierarchyError, match=r"curve\(.*at\(n_clusters="):
            ask()
    with pytest.raises(AttributeError, match="best_cut"):
        compared.bestcut  # noqa: B018  (the error is what is tested)
    with pytest.raises(HierarchyError, match="best_cut"):
        compared.best_pruning("vi")
    with pytest.raises(HierarchyError, match="two hierarchies"):
        compared.cuts("rand")


def test_the_best_cut_has_no_interval():
    best = cc.compare([1, 1, 2, 2], BARE).best_cut("f_measure")
    assert (best.value, best.n_clusters, best.height, best.threshold) == (1.0, 2, 0.2, None)
    assert "no interval" in str(best)
    assert cc.compare([1, 2, 3, 4], BARE).best_cut("recall").n_clusters == 1  # of equal values, the fewest
    with pytest.raises(ParameterError, match="direction"):
        cc.compare([1, 1, 2, 2], BARE).best_cut("candidate_entropy")


def test_results_as_data():
    compared = cc.compare([1, 1, 2, 2], BARE)
    frame = compared.to_frame("polars", indices=["jaccard", "vi"])
    assert frame.columns == ["height", "n_clusters", "index", "value"]
    assert frame["n_clusters"].to_list() == [4, 4, 3, 3, 2, 2, 1, 1]
    assert frame["value"].to_list()[::2] == [0.0, 0.5, 1.0, 1 / 3]
    assert json.loads(compared.to_json(indices="tree_f1"))["data"] == {"tree_f1": compared.tree_f1}
    assert "jaccard" in compared.to_text(indices="jaccard")
    assert "f_measure is best" in str(compared)
    assert "<table>" in compared._repr_html_()
    assert compared.curve("jaccard").to_frame("pandas")["value"].tolist() == [0.0, 0.5, 1.0, 1 / 3]
    assert compared.curve("jaccard", levels=2).to_numpy().tolist() == [0.0, 1 / 3]
    assert "n=4" in compared.signature


def test_too_many_cuts_to_count_one_by_one(monkeypatch):
    monkeypatch.setattr(evaluation, "_MOST_CUTS", 3)
    compared = cc.compare([1, 1, 2, 2], BARE)
    with pytest.raises(TooLargeError, match="are 4 cuts of 4 records; at most 3 are computed; pass levels=3"):
        compared.curve("element_centric")
    assert len(compared.curve("element_centric", levels=3)) == 3
    assert len(compared.curve("adjusted_rand")) == 4


@pytest.mark.parametrize("tree_is_reference", few(1, [False, True]))
def test_entropies_of_very_many_cuts(monkeypatch, tree_is_reference):
    """They are followed from cut to cut, and counts decide what is exactly the least or the best."""
    rng = random.Random(11)
    names = [
        index.name
        for index in INDICES.values()
        if index.views == INDICES["variation_of_information"].views and not index.on_request
    ]
    assert "variation_of_information" in names
    for n in (2, 7, 25):
        hierarchy = cc.Hierarchy.from_linkage(random_linkage(rng, n, ties=n == 7))
        finer = hierarchy.cut(level=len(data_of(hierarchy).level_heights) // 2).labels.tolist()
        for labels in ([rng.randrange(4) for _ in range(n)], [0] * n, list(range(n)), finer):
            sides = (hierarchy, labels) if tree_is_reference else (labels, hierarchy)
            by_counts, by_steps = cc.compare(*sides), cc.compare(*sides)
            for name in names:
                exact = by_counts.curve(name).to_numpy()
                with monkeypatch.context() as patch:
                    patch.setattr(evaluation, "_MOST_CUTS", 0)
                    followed = by_steps.curve(name).to_numpy()
                assert followed == pytest.approx(exact, rel=1e-12, abs=1e-12, nan_ok=True)
                low, high = INDICES[name].bounds(n)
                is_bound = (exact == low) | ((exact == high) & (high == 1))
                assert (followed[is_bound] == exact[is_bound]).all(), name


def test_a_hierarchy_of_no_records_is_compared():
    """No pair, or none of known records: all records are singletons at every level."""
    sides = {"left": "l", "right": "r", "score": "p"}
    none = pl.DataFrame(schema={"l": pl.String, "r": pl.String, "p": pl.Float64})
    other = pl.DataFrame({"l": ["x"], "r": ["y"], "p": [0.5]})
    for pairs in (none, other):
        h = cc.Hierarchy.from_pairs(pairs, **sides)
        t = cc.compare({"a": 1, "b": 1}, h, unmatched="drop")
        assert t.curve("recall").to_dict()["value"] == [0] * len(data_of(h).clusters)
        assert t.best_cut("recall").n_clusters == 2


def test_names_that_mean_something_else_here():
    two = cc.compare(BARE, BARE)
    for ask in (two.curve, two.cuts, cc.compare([1, 1, 2, 2], BARE).best_cut):
        with pytest.raises(HierarchyError, match=r"bakers_gamma is an index of whole trees.*\.bakers_gamma"):
            ask("bakers_gamma")
    with pytest.raises(HierarchyError, match=r"cuts\('rand'\) for all pairs of cuts"):
        two.rand  # noqa: B018  (raises)
    with pytest.raises(
        HierarchyError, match=r"at\(n_clusters=\.\.\.\)\.significance\('rand'\) tests one cut"
    ):
        two.significance("rand")
    with pytest.raises(AttributeError, match=r"each cut has: at\(n_clusters=\.\.\.\)\.suggest"):
        two.suggest()
    with pytest.raises(HierarchyError, match=r"one of its cuts, such as h\.cut\(n_clusters=5\)"):
        cc.matrix({"a": BARE, "b": BARE})
    with pytest.raises(SoftError, match="compare the Soft with a cut"):
        cc.compare(cc.Soft.from_matrix(np.ones((4, 1))), BARE)


def test_levels_are_the_nearest_to_even_steps():
    """Of 12 levels, the first and the last, and 3.67 and 7.33 steps from the first."""
    chain = [[0 if i == 0 else 11 + i, i + 1, i + 1, i + 2] for i in range(11)]
    compared = cc.compare([0] * 6 + [1] * 6, cc.Hierarchy.from_linkage(chain))
    assert len(compared.curve("rand").to_numpy()) == 12
    assert compared.curve("rand", levels=4).columns["n_clusters"].tolist() == [12, 8, 5, 1]
