"""Two hierarchies: every pair of cuts, and the diagonal of equal numbers of clusters."""

import json
import math
import random
from fractions import Fraction
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from cases import every_case
from inner import INDICES, data_of, grid
from tree_oracle import all_trees, pairs_up_to_relabelling

import concordant as cc
from concordant.errors import HierarchyError, ParameterError, TooLargeError, UnknownKeyError

CASES = json.loads((Path(__file__).parents[1] / "golden" / "hierarchies.json").read_text(encoding="utf-8"))[
    "cases"
]
PAIRS = [pytest.param(case, id=case["id"]) for case in CASES if "reference" in case and "values" in case]
LINKAGES = [each for each in PAIRS if "linkage" in each.values[0]["reference"]]


def both(case, **options):
    return cc.compare(*(_tree(case[side], **options) for side in ("reference", "candidate")))


def _tree(side, **options):
    if "linkage" in side:
        return cc.Hierarchy.from_linkage(side["linkage"], **options)
    return cc.Hierarchy.from_nested(side["nested"], **options)


def random_linkage(rng, n):
    tops, rows, sizes, height = list(range(n)), [], [1] * n, 0.0
    for step in range(n - 1):
        a, b = rng.sample(tops, 2)
        height += rng.choice([0, 1, 2])
        rows.append((a, b, height, sizes[a] + sizes[b]))
        sizes.append(rows[-1][3])
        tops = [top for top in tops if top not in (a, b)] + [n + step]
    return rows


@every_case("case", PAIRS)
def test_golden_grid(case):
    values = case["values"]
    compared = both(case)
    # Σ n² is n plus twice N₁₁, and the Mirkin metric is Σ a² + Σ b² − 2 Σ n².
    cuts = compared.cuts("russell_rao")
    pairs = math.comb(compared.size, 2)
    assert cuts.reference.tolist() == values["clusters_of_reference"]
    assert cuts.candidate.tolist() == values["clusters_of_candidate"]
    n11 = [[float(Fraction(each, pairs)) for each in row] for row in values["n11"]]
    assert cuts.to_numpy()[1:, 1:].tolist() == [row[1:] for row in n11[1:]]
    assert (np.diff(cuts.to_numpy()[1:], axis=0) >= 0).all()
    assert (np.diff(cuts.to_numpy()[:, 1:], axis=1) >= 0).all()


@every_case("case", [each for each in PAIRS if "by_depth" in each.values[0]["values"]])
def test_golden_grid_by_depth(case):
    values = case["values"]["by_depth"]
    cuts = both(case, levels="depth").cuts("russell_rao")
    for side in ("reference", "candidate"):
        assert getattr(cuts, side).tolist() == values[f"clusters_of_{side}"][::-1]
    n11 = np.array(values["n11"])[::-1, ::-1] / math.comb(cuts.size, 2)
    assert cuts.to_numpy()[1:, 1:].tolist() == n11[1:, 1:].tolist()


@every_case("case", LINKAGES)
def test_golden_diagonal(case):
    compared = both(case, ties="in order")
    curves = {
        name: compared.curve(name)
        for name in ("fowlkes_mallows", "adjusted_rand", "variation_of_information", "mutual_information")
    }
    place = {k: i for i, k in enumerate(curves["fowlkes_mallows"].columns["n_clusters"].tolist())}
    for expected in case["values"]["curve_in_order"]:
        i = place[expected["k"]]
        for name, curve in curves.items():
            value = float(Fraction(expected[name])) if isinstance(expected[name], str) else expected[name]
            assert curve.to_numpy()[i] == pytest.approx(value, rel=1e-12, abs=1e-12)
        columns = curves["fowlkes_mallows"].columns
        assert columns["expected"][i] == pytest.approx(expected["expected"], rel=1e-12)
        assert columns["sd"][i] ** 2 == pytest.approx(expected["variance"], rel=1e-9, abs=1e-15)


NAMES = (
    "adjusted_rand",
    "f_measure",
    "fowlkes_mallows",
    "purity",
    "bcubed_f",
    "vi",
    "ami",
    "cluster_f",
    "muc_f1",
)


@pytest.mark.parametrize("seed", range(3))
def test_every_pair_of_cuts_is_that_of_two_partitions(seed):
    rng = random.Random(seed)
    n = rng.randint(5, 9)
    u, v = (cc.Hierarchy.from_linkage(random_linkage(rng, n)) for _ in range(2))
    compared = cc.compare(u, v)
    grids = {name: compared.cuts(name) for name in NAMES}
    curves = {name: compared.curve(name) for name in NAMES}
    for i, k in enumerate(data_of(u).clusters.tolist()):
        for j, m in enumerate(data_of(v).clusters.tolist()):
            alone = cc.compare(u.cut(level=i), v.cut(level=j))
            pair = compared.at(n_clusters=k, candidate_n_clusters=m)
            for name, found in grids.items():
                assert found[k, m] == alone[name] == pair[name], (name, k, m)
    for name, curve in curves.items():
        for row in curve.to_dict()["n_clusters"]:
            at = curve.columns["n_clusters"].tolist().index(row)
            k, m = (int(curve.columns[side][at]) for side in ("reference", "candidate"))
            assert curve.to_numpy()[at] == grids[name][k, m]


def test_every_pair_of_trees_of_four_leaves_at_every_pair_of_cuts():
    """Up to relabelling: three indices on all pairs of trees, and each index of the catalogue on one pair."""
    made = pairs_up_to_relabelling(all_trees(range(4)), 4)
    others = [name for name in INDICES if INDICES[name].sides != "covers"]
    tested = set()
    for i, (nested_u, nested_v, _) in enumerate(made):
        u, v = (cc.Hierarchy.from_nested(tree) for tree in (nested_u, nested_v))
        compared = cc.compare(u, v)
        alone = {
            (k, m): cc.compare(u.cut(level=k), v.cut(level=m))
            for k, m in product(range(len(u.clusters)), range(len(v.clusters)))
        }
        for name in {"jaccard", "adjusted_rand", "variation_of_information", *others[i :: len(made)]}:
            values = compared.cuts(name).to_numpy()
            tested.add(name)
            for (k, m), expected in alone.items():
                value = expected[name]
                assert values[k, m] == value or (math.isnan(value) and math.isnan(values[k, m])), (name, k, m)
        pairs = np.array(
            [[alone[k, m].pairs.n11 for m in range(len(v.clusters))] for k in range(len(u.clusters))]
        )
        assert (np.diff(pairs, axis=0) >= 0).all()
        assert (np.diff(pairs, axis=1) >= 0).all()
    assert tested == set(others)


def test_rows_in_order_are_levels_where_no_heights_are_equal():
    rng = random.Random(4)
    for _ in range(20):
        rows = random_linkage(rng, 7)
        rows = [(a, b, float(place), size) for place, (a, b, _, size) in enumerate(rows)]
        together, in_order = (cc.Hierarchy.from_linkage(rows, ties=ties) for ties in ("together", "in order"))
        other = cc.Hierarchy.from_linkage(random_linkage(rng, 7))
        one, two = cc.compare(together, other), cc.compare(in_order, other)
        assert one.cuts("adjusted_rand").to_numpy().tolist() == two.cuts("adjusted_rand").to_numpy().tolist()
        assert one.cophenetic_correlation == two.cophenetic_correlation


def test_forests_and_records_of_one_side():
    u = cc.Hierarchy.from_linkage([[0, 1, 1.0, 2], [2, 3, 2.0, 2], [4, 5, 3.0, 4]], records=list("abcd"))
    v = cc.Hierarchy.from_linkage([[0, 1, 1.0, 2], [4, 3, 2.0, 3], [5, 2, 4.0, 4]], records=list("dbae"))
    with pytest.raises(cc.ConcordantError, match="unmatched='drop'"):
        cc.compare(u, v)
    for unmatched in ("drop", "singletons"):
        compared = cc.compare(u, v, unmatched=unmatched)
        cuts = compared.cuts("rand")
        for i, j in ((i, j) for i in range(4) for j in range(4)):
            alone = cc.compare(u.cut(level=i), v.cut(level=j), unmatched=unmatched)
            assert cuts.to_numpy()[i, j] == alone.rand
            assert (cuts.reference[i], cuts.candidate[j]) == (alone._counts.rows, alone._counts.columns)


def test_best_pair_and_ridge():
    u = cc.Hierarchy.from_linkage([[0, 1, 1.0, 2], [2, 3, 2.0, 2], [4, 5, 3.0, 4]])
    v = cc.Hierarchy.from_linkage([[0, 1, 1.0, 2], [4, 2, 2.0, 3], [5, 3, 3.0, 4]])
    cuts = cc.compare(u, v).cuts("adjusted_rand")
    best = cuts.best()
    assert (best.reference, best.candidate, best.value) == (3, 3, 1.0)  # not one cluster on both sides
    curve = cc.compare(u, v).curve("adjusted_rand")
    assert list(curve) == [4, 3, 2, 1]
    assert (curve.best().n_clusters, curve.best().cut()) == (3, v.cut(n_clusters=3))
    assert curve[3] == {"n_clusters": 3, "reference": 3, "candidate": 3, "value": 1.0} | {
        name: curve[3][name] for name in ("expected", "sd", "chance_low", "chance_high")
    }
    with pytest.raises(UnknownKeyError, match="0 is not the number of clusters"):
        curve[0]
    assert [each.candidate for each in cuts.ridge()] == [4, 3, 3, 1]
    assert cuts.to_frame("polars").columns == ["reference", "candidate", "value"]
    assert "4 by 4 cuts" in str(cuts)
    assert json.loads(cuts.to_json())["data"]["values"][0][0] == 1.0
    assert list(cuts) == [(k, m) for k in (4, 3, 2, 1) for m in (4, 3, 2, 1)]
    assert len(cuts) == len(dict(cuts)) == 16
    assert object() not in cuts
    assert (5, 1) not in cuts
    with pytest.raises(UnknownKeyError, match="finest cut"):
        cc.compare(u, v).cuts("rand", n_clusters=2, candidate_n_clusters=2)[3, 2]
    with pytest.raises(ParameterError, match="number of clusters"):
        cc.compare(u, v).cuts("rand", n_clusters=0, candidate_n_clusters=2)


def test_a_grid_that_is_too_large(monkeypatch):
    monkeypatch.setattr(grid, "MOST_NODE_PAIRS", 30)
    u = cc.Hierarchy.from_linkage([[0, 1, 1.0, 2], [2, 3, 2.0, 2], [4, 5, 3.0, 4]])
    with pytest.raises(TooLargeError, match=r"4 and 4 clusters, which makes 49 pairs of nodes.*at most 30"):
        cc.compare(u, u).cuts("rand")
    assert cc.compare(u, u).cuts("rand", n_clusters=3, candidate_n_clusters=3)[3, 3] == 1.0


def test_what_two_hierarchies_do_not_have():
    u = cc.Hierarchy.from_linkage([[0, 1, 1.0, 2], [2, 3, 2.0, 3]])
    compared = cc.compare(u, u)
    for ask in (lambda: compared.best_cut("rand"), lambda: compared.dendrogram_purity):
        with pytest.raises(HierarchyError, match="needs a partition"):
            ask()
    with pytest.raises(ParameterError, match="candidate_n_clusters"):
        cc.compare([1, 1, 2], u).at(n_clusters=2, candidate_n_clusters=2)
    assert "<table>" in compared._repr_html_()
    assert compared.to_frame("polars", indices="rand")["n_clusters"].to_list() == [3, 2, 1]


def test_the_band_is_called_pointwise():
    u = cc.Hierarchy.from_linkage([[0, 1, 1.0, 2], [2, 3, 2.0, 2], [4, 5, 3.0, 4]])
    curve = cc.compare(u, u).curve("fowlkes_mallows")
    assert "pointwise" in str(curve)
    assert curve.columns["chance_low"][1] >= 0
    assert "expected" not in cc.compare(u, u).curve("vi").columns
