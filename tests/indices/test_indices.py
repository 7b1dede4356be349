"""The numbers themselves, against formulas written from the literature and counted from definitions."""

import json
import math
import random
from fractions import Fraction
from functools import cache
from pathlib import Path

import numpy as np
import pytest
import universe
from cases import every_case
from inner import INDICES
from laws import SLOW
from oracle import Oracle

import concordant as cc
from concordant.errors import NotRationalError, UndefinedError

GOLDEN = {
    name: entry
    for path in sorted((Path(__file__).parents[1] / "golden").glob("formulas*.json"))
    for name, entry in json.loads(path.read_text(encoding="utf-8")).items()
}
# Their oracle enumerates all permutations, so they are checked on few elements only.
SMALL_ONLY = {name for name, entry in GOLDEN.items() if entry.get("small_only")}


def expected(name, u, v):
    """The golden value: perfect for identical partitions, the declared convention where it is 0/0."""
    index, golden = INDICES[name], GOLDEN[name]
    if index.perfect is not None and universe.profile(u, v).identical:
        return index.perfect
    try:
        return oracle(u, v).evaluate(golden["formula"])
    except ZeroDivisionError:
        return float(golden["undefined"])


@cache
def oracle(u, v):
    """One for all formulas: what one of them had counted, the next need not count again."""
    return Oracle(u, v)


def agree(value, wanted):
    if isinstance(wanted, Fraction):
        return value == float(wanted)
    return laws_same(value, wanted) or math.isclose(value, wanted, rel_tol=1e-12, abs_tol=1e-12)


def laws_same(x, y):
    return (math.isnan(x) and math.isnan(y)) or x == y


def test_every_index_of_the_catalogue_has_a_golden_formula():
    checked = {INDICES[name].name.partition("(")[0] for name in GOLDEN}
    for path in (Path(__file__).parents[1] / "golden").glob("catalogue_ids*.json"):
        assert {INDICES[name].name for name in json.loads(path.read_text(encoding="utf-8"))} <= checked


@every_case("name", GOLDEN)
@pytest.mark.parametrize(
    "orders", [2, pytest.param(None, marks=pytest.mark.weekly)], ids=["two orders", "all orders"]
)
def test_all_partitions_of_up_to_five_elements(name, orders):
    """Each profile once, in some orders of its clusters; what takes milliseconds in three at most.

    test_profile.py checks that they are the profiles of all pairs.
    """
    index = INDICES[name]
    if index.views[0] in SLOW:
        orders = orders or 3
    for size in range(universe.LARGEST + 1):
        for (u, v), profiles in universe.reordered(size):
            wanted = expected(name, u, v)
            assert all(agree(index.value(profile), wanted) for profile in profiles[:orders]), (u, v)


def random_partitions(seed):
    rng = random.Random(seed)
    size = rng.randint(2, 60)
    return tuple(
        universe.canonical([rng.randrange(rng.randint(1, size)) for _ in range(size)]) for _ in range(2)
    )


@every_case("seed", range(12))
def test_random_partitions(seed):
    u, v = random_partitions(seed)
    oracle = Oracle(u, v)
    profile = cc.compare(np.array(u), np.array(v))._counts
    for name, golden in GOLDEN.items():
        if name in SMALL_ONLY or profile.identical:
            continue
        try:
            wanted = oracle.evaluate(golden["formula"])
        except ZeroDivisionError:
            wanted = float(golden["undefined"])
        assert agree(INDICES[name].value(profile), wanted), name


@every_case("name", GOLDEN)
def test_the_exact_value_is_the_rational_number_itself(name):
    index = INDICES[name]
    rational = 0
    for profile, (u, v) in universe.profiles(4).items():
        try:
            exact = index.exact(profile)
        except (NotRationalError, UndefinedError):
            continue
        wanted = expected(name, u, v)
        if isinstance(wanted, Fraction):
            rational += 1
            assert exact == wanted, (u, v)
        assert math.isclose(float(exact), index.value(profile), rel_tol=1e-12)
    is_rational = not any(word in GOLDEN[name]["formula"] for word in ("sqrt", "log", "acos", "H", "MI", "z"))
    assert bool(rational) == is_rational


def huge_profile(seed):
    """A profile of about 10**12 elements, with sizes that no float holds exactly."""
    rng = random.Random(seed)
    rows = [[rng.randrange(3 * 10**11) if rng.random() < 0.7 else 0 for _ in range(3)] for _ in range(3)]
    rows[0][0] += 10**12
    return cc.Comparison.from_contingency(np.array(rows, dtype=np.int64))._counts, rows


@every_case("seed", range(8))
def test_pair_indices_are_correctly_rounded_at_a_trillion_elements(seed):
    profile, rows = huge_profile(seed)
    n = sum(map(sum, rows))
    yy = sum(math.comb(x, 2) for row in rows for x in row)
    in_u = sum(math.comb(sum(row), 2) for row in rows)
    in_v = sum(math.comb(sum(column), 2) for column in zip(*rows, strict=True))
    counts = {"yy": yy, "yn": in_u - yy, "ny": in_v - yy, "NT": math.comb(n, 2)}
    counts["nn"] = counts["NT"] - in_u - in_v + yy
    counts |= {"n": n, "sum_nn": 2 * yy + n, "sum_aa": 2 * in_u + n, "sum_bb": 2 * in_v + n}
    oracle = Oracle((), ())
    oracle.update({key: Fraction(value) for key, value in counts.items()})
    checked = 0
    for name, golden in GOLDEN.items():
        index = INDICES[name]
        if index.views != INDICES["rand"].views:
            continue
        wanted = oracle.evaluate(golden["formula"])
        if isinstance(wanted, Fraction):
            assert index.value(profile) == float(wanted), name
            assert index.exact(profile) == wanted, name
            checked += 1
        else:
            assert math.isclose(index.value(profile), wanted, rel_tol=1e-7), name
    assert checked > 25


def test_sizes_alone_give_the_same_as_labels(sizes_alone):
    labels = [0] * 30 + [1] * 20, [0] * 25 + [1] * 25
    c, alone = cc.compare(*labels), sizes_alone(*labels)
    assert len(alone.keys()) > 50
    for name, value in alone.items():
        assert value == c[name], name


def test_identical_partitions_are_perfect_at_every_size():
    for size in range(201):
        rng = np.random.default_rng(size)
        for labels in (np.zeros(size, int), np.arange(size), rng.integers(0, max(1, size // 3), size)):
            profile = cc.compare(labels, labels * 7 - 3)._counts
            for index in INDICES.values():
                if index.perfect is not None:
                    assert index.value(profile) == index.perfect, (index.name, size)


@every_case("seed", range(6))
def test_no_value_leaves_its_range_by_rounding_and_mirrors_agree_to_the_last_bit(seed):
    """On partitions that are nearly equal, nearly independent, refined, or very uneven."""
    rng = np.random.default_rng(seed)
    size = int(rng.integers(200, 3000))
    u = rng.integers(0, size ** rng.random(), size)
    kinds = (
        np.where(rng.random(size) < 0.99, u, rng.integers(0, size, size)),
        rng.permutation(u),
        u // 3,
        np.minimum(rng.geometric(0.3, size), 6),
        np.arange(size),
    )
    for v in kinds:
        there, back = cc.compare(u, v)._counts, cc.compare(v, u)._counts
        for index in INDICES.values():
            if index.on_request:
                continue
            value, (low, high) = index.value(there), index.bounds(size)
            assert math.isnan(value) or low <= value <= high, index.name
            if index.mirror:
                assert laws_same(value, INDICES[index.mirror].value(back)), index.name
