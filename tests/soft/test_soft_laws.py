"""The laws of soft indices, on all small soft partitions."""

import math
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, permutations, product

import universe
from cases import every_case
from every_index import OF_SOFT
from inner import data_of

import concordant as cc

HALVES = [Fraction(0), Fraction(1, 2), Fraction(1)]
METRICS = {
    "soft_rand": lambda value: 1 - value,
    "soft_rand_squared": lambda value: math.sqrt(1 - value),
    "degree_of_concordance": lambda value: 1 - value,
    "soft_matching_accuracy": lambda value: 1 - value,
}


def rows_of_halves(columns):
    return [row for row in product(HALVES, repeat=columns) if sum(row) == 1]


@cache
def all_soft(records, columns):
    return [
        cc.Soft.from_matrix([list(row) for row in rows])
        for rows in product(rows_of_halves(columns), repeat=records)
    ]


def matrix(soft):
    made = data_of(soft).memberships.table()
    return [[Fraction(int(unit), made.scale) for unit in row] for row in made.units]


@cache
def exact(name, i, j):
    return cc.compare(all_soft(3, 2)[i], all_soft(3, 2)[j]).exact(name)


def pair_values(rows):
    return [
        sum(x * y for x, y in zip(rows[i], rows[j], strict=True)) for i in range(len(rows)) for j in range(i)
    ]


def test_gram_forms_equal_sums_over_pairs():
    for u, v in (*product(all_soft(3, 2), repeat=2), *product(all_soft(2, 3), repeat=2)):
        sums = cc.compare(u, v)._counts.pair_sums
        p, q = pair_values(matrix(u)), pair_values(matrix(v))
        assert (sums.p, sums.q) == (sum(p), sum(q))
        assert sums.pp == sum(x * x for x in p)
        assert sums.qq == sum(x * x for x in q)
        assert sums.pq == sum(x * y for x, y in zip(p, q, strict=True))


def test_hard_rows_have_the_value_of_labels():
    everything = [(list(labels), one_hot(labels)) for labels in universe.partitions(5)]
    # One of each shape: other pairs of partitions are these with the records in another order.
    shapes = {tuple(sorted(map(u.count, set(u)))): (u, soft) for u, soft in everything}
    for (u, soft_u), (v, soft_v) in product(shapes.values(), everything):
        s, c = cc.compare(soft_u, soft_v), cc.compare(u, v)
        for name, index in OF_SOFT.items():
            assert s.exact(name) == c.exact(index.generalises), (name, u, v)


def one_hot(labels):
    names = sorted(set(labels))
    return cc.Soft.from_matrix([[int(label == name) for name in names] for label in labels])


@every_case("name", list(OF_SOFT))
def test_a_soft_partition_against_itself_with_columns_renamed(name):
    for soft in all_soft(2, 3):
        for order in permutations(range(3)):
            renamed = [[row[i] for i in order] for row in padded(soft, 3)]
            assert cc.compare(soft, cc.Soft.from_matrix(renamed)).exact(name) == 1


def padded(soft, columns):
    """The rows with the columns without weight, which were dropped."""
    rows = matrix(soft)
    return [[*row, *[Fraction(0)] * (columns - len(row))] for row in rows]


@every_case("name", list(OF_SOFT))
def test_swapping_the_sides_and_empty_columns_change_nothing(name):
    everything = all_soft(3, 2)
    for i, j in product(range(27), repeat=2):
        value = exact(name, i, j)
        assert exact(name, j, i) == value
        if (i + j) % 9:
            continue
        wider = cc.Soft.from_matrix([[*row, Fraction(0)] for row in matrix(everything[j])])
        assert cc.compare(everything[i], wider).exact(name) == value


adjusted = every_case("name", [name for name, index in OF_SOFT.items() if index.adjusted])


@adjusted
def test_the_mean_over_all_permutations_is_zero_for_all_rows_of_halves(name):
    """Every two matrices of three records and two clusters, hard ones included."""
    rows = list(product(rows_of_halves(2), repeat=3))
    number = {each: i for i, each in enumerate(rows)}
    defined = 0
    for i, j in product(range(len(rows)), repeat=2):
        if not is_zero_by_zero(name, i, j):
            defined += 1
            moved = [number[tuple(rows[j][x] for x in order)] for order in permutations(range(3))]
            assert sum(exact(name, i, k) for k in moved) == 0, (rows[i], rows[j])
    assert defined > 500


def is_zero_by_zero(name, i, j):
    try:
        OF_SOFT[name].evaluate(cc.compare(all_soft(3, 2)[i], all_soft(3, 2)[j])._counts, exact=True)
    except ZeroDivisionError:
        return True
    return False


@adjusted
def test_the_mean_over_all_permutations_is_zero_for_four_records(name):
    quarters = [
        [[1, 0, 0], [0.25, 0.5, 0.25], [0, 1, 0], [0, 0.5, 0.5]],
        [[0.5, 0.5], [0.75, 0.25], [1, 0], [0, 1]],
        [[0.5, 0.25, 0.25], [0, 1, 0], [0, 0, 1], [1, 0, 0]],
    ]
    hard = [[[int(x == y) for y in "abcd"] for x in labels] for labels in ("aaab", "aabb", "aabc", "abcd")]
    for u, v in (*combinations_with_replacement(quarters, 2), *product(quarters[:2], hard)):
        one, other = ([[Fraction(x) for x in row] for row in rows] for rows in (u, v))
        rows = [tuple(other[i] for i in order) for order in permutations(range(4))]
        values = {
            str(each): cc.compare(cc.Soft.from_matrix(one), cc.Soft.from_matrix(list(each))).exact(name)
            for each in rows
        }
        assert sum(values[str(each)] for each in rows) == 0, (u, v)


@every_case("name", list(METRICS))
def test_distances_obey_the_triangle_inequality(name):
    distance = METRICS[name]
    chosen = range(27)
    table = {(i, j): float(distance(exact(name, i, j))) for i in chosen for j in chosen}
    for i, j, k in product(chosen, repeat=3):
        assert table[i, k] <= table[i, j] + table[j, k] + 1e-12


def test_matching_is_one_only_for_equal_rows():
    """Pairs cannot tell these apart, matched columns can."""
    u, v = ([[1, 0], [Fraction(1, 2)] * 2], [[Fraction(1, 2)] * 2, [1, 0]])
    s = cc.compare(cc.Soft.from_matrix(u), cc.Soft.from_matrix(v))
    assert s.exact("soft_rand") == 1
    assert s.exact("soft_matching_accuracy") == Fraction(1, 2)
    assert s.undefined == ("soft_adjusted_rand",)
    assert s.soft_adjusted_rand == 0
