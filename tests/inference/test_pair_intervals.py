"""Intervals of pair-counting indices: golden values, and leaving out and moving records by counting again."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from cases import every_case
from inner import INDICES, PairCounts, moves_without, standard_error, worst_and_gain

import concordant as cc

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "trust2.json").read_text(encoding="utf-8"))


def some_labels(size=400, clusters=40, seed=0):
    random = np.random.default_rng(seed)
    u = (random.random(size) ** 2 * clusters).astype(int)
    v = np.where(random.random(size) < 0.6, u, (random.random(size) ** 2 * clusters).astype(int))
    return u, v


@every_case("case", GOLDEN["interval_pairs"], ids=lambda case: case["index"])
def test_golden_intervals(case):
    c = cc.Comparison.from_contingency(case["table"])
    found = c.interval(case["index"])
    worst, gain = worst_and_gain(c._counts, INDICES[case["index"]])
    numbers = found.estimate, found.se, worst, gain
    assert numbers == pytest.approx(
        [case[name] for name in ("value", "se", "worst", "gain")], rel=1e-9, abs=1e-12
    )
    assert (found.low, found.high) == pytest.approx((case["low"], case["high"]), abs=0.03)


@pytest.mark.parametrize(
    "case",
    [each for each in GOLDEN["large_counts"] if each["index"] == "recall"],
    ids=lambda case: f"{sum(map(sum, case['table'])):g}",
)
def test_golden_standard_errors_of_large_counts(case):
    c = cc.Comparison.from_contingency(np.array(case["table"], dtype=object))
    profile, found = c._counts, c.interval("recall")
    assert found.se == pytest.approx(case["se"], rel=1e-12)
    assert found.low < case["value"] < found.high
    # A formula with a square root has no exact differences; its polynomial must have as many digits.
    root, squared = (standard_error(profile, INDICES[name]) for name in ("fowlkes_mallows", "sorgenfrei"))
    value = c["fowlkes_mallows"]
    assert 2 * value * root == pytest.approx(squared, rel=1e-9 + 1 / profile.size)


# Ratios, roots, distances, and ranges that reach below 0.
OF_PAIRS = [
    INDICES[name]
    for name in (
        "precision",
        "f_measure",
        "rand",
        "mirkin",
        "fowlkes_mallows",
        "adjusted_rand",
        "phi",
        "yule_y",
    )
]
OF_PAIRS.append(INDICES["binder_loss(a=1.5)"])


@pytest.mark.parametrize("index", OF_PAIRS, ids=lambda index: index.name)
def test_leaving_out_is_counting_again(index):
    u, v = np.array(list("aaaaabbbbbccccddde")), np.array(list("aaabbbbbccccccddef"))
    high = 1.0 if index.perfect else None

    def scaled(keep):
        c = cc.compare(u[keep], v[keep])
        value = index.value(c._counts)
        return value if high else 1 - value / index.bounds(int(keep.sum()))[1]

    everyone = np.ones(18, dtype=bool)
    again = [scaled(np.arange(18) != k) - scaled(everyone) for k in range(18)]
    profile = cc.compare(u, v)._counts
    moves = moves_without(profile, index, profile.n, profile.a, profile.b)
    assert sorted(np.repeat(moves, profile.mass)) == pytest.approx(sorted(again), abs=1e-12)
    assert standard_error(profile, index) == pytest.approx(math.sqrt(17 * np.var(again)), rel=1e-9)


@pytest.mark.parametrize("index", OF_PAIRS, ids=lambda index: index.name)
def test_many_kinds_of_records_give_what_each_kind_gives(index):
    profile = cc.compare(*some_labels(20_000, 200))._counts
    moves = np.concatenate(
        [
            moves_without(profile, index, *(x[k : k + 400] for x in (profile.n, profile.a, profile.b)))
            for k in range(0, len(profile.n), 400)
        ]
    )
    share = profile.mass / 20_000
    se = math.sqrt(19_999 * (share * (moves - share @ moves) ** 2).sum())
    assert len(profile.n) > 2000
    assert standard_error(profile, index) == pytest.approx(se, rel=1e-8)


@pytest.mark.parametrize("index", OF_PAIRS, ids=lambda index: index.name)
@pytest.mark.parametrize("clusters", [900, 150])
def test_few_candidates_include_the_worst_move(index, clusters):
    profile = cc.compare(*some_labels(9000, clusters, seed=3))._counts
    assert (len(profile.column_sizes) > 64) == (clusters == 150)  # then only those on a convex hull
    pairs, found = profile.view(PairCounts), worst_and_gain(profile, index)[0]
    top = {"row": max(profile.row_sizes), "column": max(profile.column_sizes)}
    assert profile.row_sizes[top["row"]] == profile.column_sizes[top["column"]] == 1
    others = {
        side: sorted(sizes)[-2]
        for side, sizes in (("row", profile.row_sizes), ("column", profile.column_sizes))
    }
    values = []
    for n, a, b in zip(profile.n.tolist(), profile.a.tolist(), profile.b.tolist(), strict=True):
        row, column = (
            others[side] if own == top[side] else top[side] for side, own in (("row", a), ("column", b))
        )
        for in_u, in_v in ((0, 1 - b + column), (0, 1 - b), (1 - a + row, 0), (1 - a, 0)):
            n11 = pairs.n11 + 1 - n
            u, v = pairs.in_u + in_u, pairs.in_v + in_v
            moved = PairCounts(n11, u - n11, v - n11, pairs.all - u - v + n11, pairs.size)
            value = index.compute(moved, **index.arguments)
            values.append(value if index.perfect else 1 - value / index.bounds(pairs.size)[1])
    value = index.value(profile)
    value = value if index.perfect else 1 - value / index.bounds(pairs.size)[1]
    assert found == pytest.approx(value - min(values), rel=1e-9)


def test_roots_change_as_counting_again_says():
    profile, index = cc.compare(*some_labels(20_000, 200))._counts, INDICES["fowlkes_mallows"]
    pairs = profile.view(PairCounts)
    moves = moves_without(profile, index, profile.n, profile.a, profile.b)
    for place in range(0, len(moves), 97):
        n, a, b = (int(each[place]) for each in (profile.n, profile.a, profile.b))
        n11, u, v = pairs.n11 - n + 1, pairs.in_u - a + 1, pairs.in_v - b + 1
        value = n11 / math.sqrt(u * v) - pairs.n11 / math.sqrt(pairs.in_u * pairs.in_v)
        assert moves[place] == pytest.approx(value, rel=1e-7, abs=1e-13)


@pytest.mark.parametrize("name", ["f_measure", "fowlkes_mallows", "adjusted_rand"])
def test_perfect_agreement_of_astronomical_samples_keeps_its_width(name):
    widths = []
    for size in (10**3, 10**6, 10**12, 10**18):
        profile = cc.Comparison.from_contingency(np.diag([size, 2 * size, size]).astype(object))._counts
        found = cc.Comparison(profile).interval(name)
        worst = worst_and_gain(profile, INDICES[name])[0]
        assert (found.high, found.se) == (1, 0)
        assert 1 - found.low == pytest.approx(-math.expm1(math.log(0.025) * worst), rel=1e-2, abs=1e-15)
        widths.append(worst * size)
    # One record of n is worth a share of 1/n.
    assert widths[1:] == pytest.approx([widths[1]] * 3, rel=1e-2)


def test_similar_records_leave_no_rounding_in_the_standard_error():
    """Pair counts of 1,000 nearly equal clusters: the standard error is far below the changes themselves."""
    random = np.random.default_rng(0)
    table = np.diag(random.integers(100_000, 101_000, 1000))
    table[np.arange(1000), (np.arange(1000) + 1) % 1000] = random.integers(900, 1100, 1000)
    profile = cc.Comparison.from_contingency(table)._counts
    found = standard_error(profile, INDICES["recall"])
    moves = np.concatenate(
        [
            moves_without(
                profile, INDICES["recall"], *(x[k : k + 500] for x in (profile.n, profile.a, profile.b))
            )
            for k in range(0, len(profile.n), 500)
        ]
    )
    share = profile.mass / profile.size
    exact = math.sqrt((profile.size - 1) * (share * (moves - share @ moves) ** 2).sum())
    assert found == pytest.approx(exact, rel=1e-7)


@pytest.mark.parametrize("table", [[[5, 5], [5, 5]], [[2500, 2500], [2500, 2500]], [[100, 100], [200, 200]]])
@pytest.mark.parametrize("name", ["adjusted_rand", "yule_y", "correlation_distance"])
def test_overlaps_as_by_chance_do_not_make_the_interval_short(table, name):
    """Leaving out a record changes next to nothing there, while the value varies as it does by chance."""
    c = cc.Comparison.from_contingency(table)
    found, chance = c.interval(name), 0.5 if name == "correlation_distance" else 0
    assert found.low < chance < found.high
    if chance == 0:
        assert found.high - found.low > 2 * 1.9 * c.significance("adjusted_rand").sd
        assert "widened to the variation by chance" in found.note


def test_independent_partitions_are_covered():
    """Of 100 records in two random clusters on each side, 0.75 of the intervals had the value 0."""
    random = np.random.default_rng(5)
    intervals = [cc.compare(*random.integers(0, 2, (2, 100))).interval("adjusted_rand") for _ in range(100)]
    assert sum(each.low <= 0 <= each.high for each in intervals) >= 95
