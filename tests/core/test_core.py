"""The compiled core against oracles in NumPy, SciPy and mpmath."""

import itertools
import math
import operator
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from decimal import Decimal
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from cases import every_case
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle_tables import law, log
from scipy.optimize import linear_sum_assignment

from concordant import core

DTYPES = [np.bool_, np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64]


def oracle_cells(u, v):
    """Cells by sorting pairs, numbered by first appearance."""
    (row, row_first), (column, column_first) = oracle_factorize(u), oracle_factorize(v)
    pairs, n = np.unique(row * (len(column_first) + 1) + column, return_counts=True)
    return *np.divmod(pairs, len(column_first) + 1), n, row_first, column_first


def rows_and_columns(u, v):
    """The cell of each element as one number."""
    return oracle_factorize(u)[0] * (len(v) + 1) + oracle_factorize(v)[0]


def oracle_factorize(labels):
    _, first, inverse = np.unique(labels, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    return rank[inverse.ravel()], first[order]


def oracle_profile(u, v):
    row, column, n, _, _ = oracle_cells(u, v)
    a, b = (
        np.bincount(row, weights=n)[row].astype(np.int64),
        np.bincount(column, weights=n)[column].astype(np.int64),
    )
    order = np.lexsort((n, b, a))
    triples = np.stack([n, a, b])[:, order]
    first = np.flatnonzero(np.r_[True, np.diff(triples).any(axis=0)][: len(order)])
    return *triples[:, first], np.diff(np.r_[first, len(order)])


def assert_same(got, expected):
    assert len(got) == len(expected)
    for one, other in zip(got, expected, strict=True):
        assert one.dtype == np.int64
        np.testing.assert_array_equal(one, other)


def check(u, v, threads=(1, 2, 7)):
    expected_profile, expected_cells = oracle_profile(u, v), oracle_cells(u, v)
    n, a, b, count = (values.tolist() for values in expected_profile)
    squares = tuple(sum(map(math.prod, zip(n, sizes, count, strict=True))) for sizes in (n, a, b))
    for team in threads:
        assert_same(core.profile(u, v, threads=team), expected_profile)
        kept, kept_u, kept_v, kept_squares = core.kept_profile(u, v, threads=team)
        assert_same(kept, expected_profile)
        np.testing.assert_array_equal(kept_u, u)
        np.testing.assert_array_equal(kept_v, v)
        assert core.pair_sums(u, v, threads=team) == (len(u), *squares) == (len(u), *kept_squares)
        assert_same(core.cells(u, v, threads=team), expected_cells)
    assert_same(core.factorize(u), oracle_factorize(u))


def random_labels(rng, dtype, length, clusters):
    if dtype is np.bool_:
        return rng.random(length) < 0.3
    info = np.iinfo(dtype)
    pool = rng.integers(info.min, info.max, size=clusters, dtype=dtype, endpoint=True)
    pool[: min(2, clusters)] = [info.min, info.max][:clusters]
    return pool[rng.integers(0, clusters, size=length)]


@every_case("dtype", DTYPES)
@every_case("length", [0, 1, 2, 1000, 30_000])
def test_every_type_and_size(dtype, length):
    for clusters in (1, 3, 200, 60_000):
        rng = np.random.default_rng([length, clusters])
        u, v = random_labels(rng, dtype, length, clusters), random_labels(rng, np.int64, length, clusters)
        check(u, v)
        check(v, u, threads=(2,))


@every_case("spread", [1, 0x1234567891])  # labels of 32 and of 64 bits
@every_case("clusters", [3, 30_000])
def test_sums_over_the_overlaps_of_each_cluster(spread, clusters):
    rng = np.random.default_rng(1)
    u = rng.integers(1, clusters, 70_000)
    v = np.where(rng.random(70_000) < 0.2, rng.integers(0, clusters, 70_000), u) * spread
    row, column, n, row_first, _ = core.cells(u, v)
    a, b, cluster = np.bincount(row, n)[row], np.bincount(column, n)[column], u[row_first][row]
    expected = [np.bincount(cluster, each, clusters + 1) for each in (n, n * (n - 1), n * (b - n))]
    best = np.full(clusters + 1, np.nan)
    np.fmax.at(best, cluster, n / (a + b - n))
    for own in (u, u.astype(np.uint16)):
        for threads in (1, 2, 7):
            found = core.overlap_sums(own, v, clusters + 1, threads=threads)
            assert_same(found[:3], expected)
            np.testing.assert_array_equal(found[3], best)
    with pytest.raises(ValueError, match="cluster numbers"):
        core.overlap_sums(u, v, clusters - 1)
    with pytest.raises(ValueError, match="cluster numbers"):
        core.overlap_sums(-u, v, clusters)
    assert [len(each) for each in core.overlap_sums(u[:0], v[:0], 2)] == [2] * 4


@every_case("length", [10, 3000, 70_000])
def test_shapes_of_partitions(length):
    rng = np.random.default_rng(length)
    distinct = rng.permutation(length)
    equal = np.zeros(length, dtype=np.int64)
    giant = np.where(rng.random(length) < 0.9, 0, distinct)
    pairs = distinct // 2
    extreme = np.where(rng.random(length) < 0.5, np.iinfo(np.int64).min, np.iinfo(np.int64).max)
    wide = distinct * 0x1234567891  # far apart, so that no table by value is possible
    zipf = np.minimum(rng.zipf(1.3, length), 2**40)
    everything = [distinct, equal, giant, pairs, extreme, wide, zipf, wide // 3]
    for u in everything:
        for v in everything:
            expected = oracle_profile(u, v)
            for threads in (1, 7):
                assert_same(core.profile(u, v, threads), expected)


@pytest.mark.parametrize(
    ("rows", "columns"), [(600, 700), (40_000, 13), (13, 40_000), (1, 300_000), (900, 1)]
)
@pytest.mark.parametrize("stray", [0, 50_000])
def test_tables_too_large_for_a_cache(rows, columns, stray):
    """Some labels lie far from the others, where a sample of them will not have looked."""
    rng = np.random.default_rng(rows)
    u, v = rng.integers(0, rows, 150_000), rng.integers(0, columns, 150_000)
    u[: len(u) // 3] = rows // 2
    v[::7] = u[::7] % columns
    u[77_777] += stray
    check(u, v)


@every_case("agreement", [0, 0.9])
@every_case("clusters", [2000, 30_000])
def test_pairs_in_tables_of_more_cells_than_elements(clusters, agreement):
    """Bands of 13 cells for each element, and of 3,000; a label of each side is dropped, too."""
    rng = np.random.default_rng(clusters)
    u, other = rng.integers(-7, clusters - 7, (2, 300_000))
    v = np.where(rng.random(len(u)) < agreement, u, other)
    keep = (u != 3) & (v != 5)
    for elements, dropped in ((slice(None), ()), (keep, (3, 5))):
        sides = u[elements] * 10**6 + v[elements], u[elements], v[elements]
        squares = [int((np.unique(side, return_counts=True)[1] ** 2).sum()) for side in sides]
        for team in (1, 2, 7):
            assert core.pair_sums(u, v, team, *dropped) == (len(sides[0]), *squares)


# Items of bytes


def codes_by_dict(labels):
    seen = {}
    return [seen.setdefault(label, len(seen)) for label in labels], list(seen)


@every_case("width", [1, 2, 3, 4, 7, 8, 12, 16, 17, 23, 24, 25, 32, 33, 40])
@every_case("step", [1, -2])
def test_items(width, step):
    rng = np.random.default_rng(width)
    items = rng.integers(0, 3, size=(5000, width), dtype=np.uint8).view(f"V{width}").ravel()[::step]
    expected, distinct = codes_by_dict(item.tobytes() for item in items)
    codes, first = core.factorize_items(items)
    assert codes.tolist() == expected
    assert [items[i].tobytes() for i in first] == distinct


@every_case("clusters", [1, 50, 30_000, 10**9])
@every_case("length", [1, 2, 65_535, 65_536, 200_001])
def test_items_for_any_number_of_threads(clusters, length):
    rng = np.random.default_rng([clusters, length])
    labels = rng.integers(0, clusters, length)
    items = labels.astype("S12")
    for threads in (1, 2, 7):
        assert_same(core.factorize_items(items, threads), oracle_factorize(labels))


# Python objects


class Odd:
    """Equal to its kind modulo ten, with a hash that says nothing."""

    def __init__(self, value, action=lambda: None):
        self.value, self.action = value, action

    def __hash__(self):
        self.action()
        return 7

    def __eq__(self, other):
        self.action()
        return isinstance(other, Odd) and self.value % 10 == other.value % 10


@settings(max_examples=200, deadline=None)
@given(
    st.lists(
        st.one_of(
            st.integers(-3, 3),
            st.booleans(),
            st.floats(-2, 2),
            st.text("ab", max_size=2),
            st.binary(max_size=1),
            st.tuples(st.integers(0, 1), st.text("a", max_size=1)),
            st.fractions(0, 2),
            st.builds(Odd, st.integers(0, 30)),
            st.integers(2**61, 2**61 + 3),
            st.integers(2**64, 2**64 + 3),
            st.none(),
        )
    )
)
def test_objects_are_told_apart_as_a_dict_does(labels):
    codes, _, suspects = core.factorize_objects(labels)
    expected, _ = codes_by_dict(labels)
    assert codes.tolist() == expected
    assert {i for i, label in enumerate(labels) if label is None and None not in labels[:i]} <= set(
        suspects.tolist()
    )


MERSENNE = 2**61 - 1  # Python hashes an int by its remainder


def processor_seconds(labels):
    began = time.process_time()
    codes, _, suspects = core.factorize_objects(labels)
    assert codes.tolist() == list(range(len(labels)))
    assert not len(suspects)
    return time.process_time() - began


def test_integers_that_collide_take_no_longer_than_others():
    count = 20_000
    others = min(processor_seconds([2**62 + i for i in range(count)]) for _ in range(3))
    same_hash = [i * MERSENNE + 7 for i in range(1, count + 1)]
    assert len(set(map(hash, same_hash[:100]))) == 1
    same_low_bits = [i << 40 for i in range(count)] + [2**64]  # the last keeps them from being an array
    for labels in (same_hash, [-label for label in same_hash], same_low_bits):
        # Each against each would take a thousand times as long.
        assert processor_seconds(labels) < 50 * others


def test_large_integers_equal_what_python_says_they_do():
    labels = [
        *(2**70, Fraction(2**70), 2.0**70, np.float64(2.0**70), Decimal(2**70)),
        *(Fraction(2**80), 2**80, np.uint64(2**63), 2**63, 2.0**63, 2.0**61, 2**61, MERSENNE, 0, 0.0, False),
        *(-MERSENNE, -(2.0**61), 1, True, 1 + MERSENNE, "1", b"1", (2**70,), (2.0**70,)),
    ]
    codes, _, _ = core.factorize_objects(labels)
    assert codes.tolist() == codes_by_dict(labels)[0]


def test_integers_stay_themselves():
    assert core.integers([3, -(2**63), 2**63 - 1]).tolist() == [3, -(2**63), 2**63 - 1]
    assert core.integers([]).tolist() == []
    for others in ([1, 2**63], [1, True], [1, 2.0], [1, "1"], [-(2**63) - 1]):
        assert core.integers(others) is None


def test_objects_that_change_the_list_while_they_are_hashed():
    labels = []
    labels += [Odd(i, labels.clear) for i in range(5000)]
    with pytest.raises(IndexError):
        core.factorize_objects(labels)
    labels += [str(i) for i in range(1000)] + [Odd(3, lambda: labels.append(1)) for _ in range(10)]
    assert len(core.factorize_objects(labels)[0]) == 1010


def test_errors_of_objects_pass_through():
    def fail():
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        core.factorize_objects([1, Odd(1, fail)])
    with pytest.raises(TypeError, match="unhashable"):
        core.factorize_objects(["a", []])


def test_references_of_objects_are_given_back():
    label, odd = str(10**20), Odd(1)
    before = sys.getrefcount(label), sys.getrefcount(odd)
    labels = [label, odd] * 3000
    core.factorize_objects(labels)
    del labels
    assert (sys.getrefcount(label), sys.getrefcount(odd)) == before


# Threads and memory

IN_A_CHILD = """
import resource, sys
import numpy as np
from concordant import core
length = 4_000_000
labels = np.random.default_rng(0).integers(0, 2**62, length)
items = labels.astype("S20")
objects = [str(i) for i in range(300_000)]
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + (8 << 20), resource.RLIM_INFINITY))
calls = {
    "profile": lambda: core.profile(labels, labels[::-1], 2),
    "cells": lambda: core.cells(labels, labels[::-1], 2),
    "factorize": lambda: core.factorize(labels),
    "factorize_items": lambda: core.factorize_items(items, 2),
    "factorize_objects": lambda: core.factorize_objects(objects * 4),
}
for name, call in calls.items():
    try:
        call()
        print(name, "had memory enough")
    except MemoryError:
        print(name, "MemoryError")
"""


@pytest.mark.skipif(sys.platform != "linux", reason="limits of address space are kept by Linux")
def test_too_little_memory_is_a_memory_error():
    done = subprocess.run(  # noqa: S603  (our own interpreter and our own text)
        [sys.executable, "-c", IN_A_CHILD], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    assert [line.split()[-1] for line in done.stdout.splitlines()] == ["MemoryError"] * 5


# Overlaps that were counted before


def defined_triples(cells):
    """The sorted triples of cells {(row, column): n}, by their definition."""
    sides = [Counter(), Counter()]
    for key, n in cells.items():
        for sizes, number in zip(sides, key, strict=True):
            sizes[number] += n
    triples = Counter((sides[0][row], sides[1][column], n) for (row, column), n in cells.items())
    return [(n, a, b, count) for (a, b, n), count in sorted(triples.items())]


@every_case("seed", range(20))
def test_triples_of_cells_in_pieces(seed):
    """Cells that are given in several pieces, some of them empty, count as one."""
    rng = np.random.default_rng(seed)
    pieces, largest = int(rng.integers(0, 300)), rng.choice([2, 30, 2**40])
    row = np.sort(rng.integers(0, 40, pieces))
    column, n = rng.integers(0, 25, pieces), rng.integers(0, largest, pieces)
    cells = Counter()
    for i, j, each in zip(row.tolist(), column.tolist(), n.tolist(), strict=True):
        cells[i, j] += each
    expected = defined_triples({key: n for key, n in cells.items() if n})
    for threads in (1, 3):
        assert list(zip(*core.cell_triples(row, column, n, threads).tolist(), strict=True)) == expected
    sizes = [rng.integers(0, largest, pieces) for _ in range(3)]
    counted = Counter(zip(*(each.tolist() for each in sizes), strict=True))
    found = core.triples(*sizes, threads=2)
    assert sorted(zip(*found.tolist(), strict=True)) == sorted((*key, many) for key, many in counted.items())
    assert found.tolist() == found[:, np.lexsort(found[[0, 2, 1]])].tolist()


@every_case("seed", range(20))
def test_pieces_of_cells(seed):
    """Few or many rows, long ones, and more columns times values than elements."""
    rng = np.random.default_rng(seed)
    length = int(rng.choice([0, 1, 50, 3000, 70_000]))
    clusters, values = (int(rng.choice(each)) for each in ([1, 2, 40, 5000], [1, 3, 1000, 2**20]))
    u, v = (rng.integers(-5, clusters, length).astype(rng.choice(["int16", "int64"])) for _ in range(2))
    value = rng.integers(0, values, length)
    for threads in (1, 2):
        *table, cell, of_piece, n = core.pieces(u, v, value, threads)
        row, column, sizes, *_ = expected = oracle_cells(u, v)
        assert_same(table, expected)
        place = np.searchsorted(row * (len(v) + 1) + column, rows_and_columns(u, v))
        pieces, number = np.unique(place * values + value, return_counts=True)
        assert_same((cell, of_piece, n), (*np.divmod(pieces, values), number))
    kind, *of_kind = core.cell_kinds(*map(np.ascontiguousarray, table[:3]))
    a, b = (np.bincount(side, weights=sizes, minlength=1)[side] for side in (row, column))
    assert_same([each[kind] for each in of_kind], (sizes, a, b))
    assert len({*zip(*map(np.ndarray.tolist, of_kind), strict=True)}) == len(of_kind[0])
    sums = Counter()
    for key, count in zip(zip(of_piece.tolist(), kind[cell].tolist(), strict=True), n.tolist(), strict=True):
        sums[key] += count
    found = core.kind_sums(kind, cell, of_piece, n)
    assert list(zip(*(each.tolist() for each in found), strict=True)) == sorted(
        (*key, count) for key, count in sums.items()
    )


def test_pieces_need_numbered_values():
    labels = np.zeros(3, dtype=np.int64)
    for values in ([0, -1, 0], [0, 2**31, 0]):
        with pytest.raises(ValueError, match="numbered from 0"):
            core.pieces(labels, labels, np.array(values))
    with pytest.raises(ValueError, match="values has 2"):
        core.pieces(labels, labels, labels[:2])


def test_cells_out_of_order_and_negative_sizes_are_refused():
    one, two = np.array([1, 0]), np.array([3, -1])
    with pytest.raises(ValueError, match="order of their rows"):
        core.cell_triples(one, one, one)
    with pytest.raises(ValueError, match="not be negative"):
        core.cell_triples(one[::-1].copy(), one, two)
    with pytest.raises(ValueError, match="not be negative"):
        core.triples(one, one, two)


def test_sums_of_groups():
    group, values = np.array([2, 0, 2]), np.array([2**62, -3, 5])
    assert core.group_sums(group, values, 5).tolist() == [-3, 0, 2**62 + 5, 0, 0]
    assert core.group_sums(group, values).tolist() == [-3, 0, 2**62 + 5]
    with pytest.raises(ValueError, match="numbered from 0"):
        core.group_sums(-group, values)


@every_case("seed", range(20))
def test_positions_of_wanted_labels(seed):
    rng = np.random.default_rng(seed)
    kind = rng.choice(["int8", "int32", "int64", "uint8", "uint64"])
    edges = np.iinfo(kind)
    labels = rng.integers(edges.min, edges.max, int(rng.choice([0, 50, 200_000])), kind, endpoint=True)
    wanted = rng.choice(labels, 30) if len(labels) else labels
    for threads in (1, 3):
        found = core.among(labels, wanted, threads)
        assert found.tolist() == [i for i, is_in in enumerate(np.isin(labels, wanted)) if is_in]
    with pytest.raises(TypeError, match="signed"):
        core.among(labels, labels.astype("int64" if kind.startswith("u") else "uint64"))


@every_case("seed", range(20))
def test_cells_that_differ_and_the_best_of_groups(seed):
    """The same with any number of threads: cells, renumbered clusters, sums and first largest positions."""
    rng = np.random.default_rng(seed)
    table = rng.choice([0, 0, 0, 1, 5], (int(rng.integers(1, 90)), int(rng.integers(1, 90))))
    table = table * (rng.random(table.shape) < rng.choice([0.02, 0.2, 1]))
    table = table[table.any(axis=1)][:, table.any(axis=0)]
    row, column = map(np.ascontiguousarray, table.nonzero())
    n = table[row, column]
    alone = (np.bincount(row)[row] == 1) & (np.bincount(column)[column] == 1) if len(n) else n > 0
    expected = [np.flatnonzero(~alone)]
    for side in (row, column):
        expected += np.unique(side[~alone], return_inverse=True)
    for threads in (1, 2, 5):
        found = core.differing(row, column, threads)
        assert [each.tolist() for each in found] == [each.tolist() for each in expected]
        assert core.group_sums(column, n, 0, threads).tolist() == table.sum(axis=0).tolist()
        largest = [int(np.flatnonzero(column == j)[n[column == j].argmax()]) for j in range(len(table.T))]
        assert core.largest_in(column, n, threads).tolist() == largest
        assert core.best_fractions(column, n, np.ones_like(n), threads).tolist() == largest


@every_case("stretch", [1, 7, 2**40 + 1])
@every_case("size", [1, 50, 3000, 120_000])
def test_elements_of_clusters_that_differ(size, stretch):
    """Whole clusters, all that differ, and no other unless the labels are from a very large range."""
    rng = np.random.default_rng(size)
    u = rng.permutation(size) // 3
    v = np.where(rng.random(size) < 0.1, rng.integers(0, 2 * size, size), u)
    row, column, _, row_first, *_ = core.cells(u, v)
    rows = core.differing(row, column)[1]
    expected = np.flatnonzero(np.isin(u, u[row_first[rows]]))
    marks = core.DifferingMarks()
    core.profile(u * stretch, v * stretch, 2, None, None, marks)
    kept_marks = core.DifferingMarks()
    copy = core.kept_profile(u * stretch, v * stretch, 1, None, None, kept_marks)[2]
    np.testing.assert_array_equal(kept_marks.elements(copy), marks.elements(v * stretch))
    assert pickle.loads(pickle.dumps(marks)).elements(v) is None
    for threads in (1, 3):
        found = marks.elements(v * stretch, threads)
        if found is None:  # all pairs of labels fit into a table, which was counted
            assert size < 1000
            continue
        assert np.isin(expected, found).all()
        assert (np.diff(found) > 0).all()
        for labels in (u, v):
            assert not np.isin(np.delete(labels, found), labels[found]).any()
        if stretch == 1:
            assert found.tolist() == expected.tolist()
    core.profile(np.repeat(np.arange(200), 5000), np.repeat(np.arange(100), 10_000), marks=marks)
    assert marks.elements(v) is None  # labels in runs


def test_cells_of_many_partitions_and_of_long_rows():
    """Enough elements for partitions and threads, and rows from one element to a third of all."""
    rng = np.random.default_rng(0)
    u = np.where(rng.random(150_000) < 0.3, -1, rng.integers(0, 60_000, 150_000))
    v = np.where(rng.random(150_000) < 0.5, u, rng.integers(0, 900, 150_000))
    check(u, v, threads=(1, 3))
    check(v, u * 2**40, threads=(2,))


# Expected mutual information


def oracle_expected_mi(rows, columns):
    """The definition, in 80 digits; rows and columns are lists of (size, count)."""
    n = sum(size * count for size, count in rows)
    terms = (
        many_a * many_b * chance * k * (log(n) + log(k) - log(a) - log(b))
        for a, many_a in rows
        for b, many_b in columns
        for k, chance in law(a, b, n)
        if k
    )
    return mpmath.fsum(terms) / n


def expected_mi(rows, columns):
    as_arrays = [np.array(x, dtype=np.int64) for side in (rows, columns) for x in zip(*side, strict=True)]
    return core.expected_mutual_information(*as_arrays)


def sizes_of(parts):
    return sorted({(p, parts.count(p)) for p in parts})


def integer_partitions(n, largest=None):
    if n == 0:
        yield []
    for first in range(min(n, largest or n), 0, -1):
        for rest in integer_partitions(n - first, first):
            yield [first, *rest]


def assert_close(got, exact):
    if exact < mpmath.mpf(10) ** -40:
        assert got == 0
    else:
        assert abs(mpmath.mpf(got) / exact - 1) < 1e-12


@every_case("total", [1, 2, 3, 4, 5, 6, 7])
def test_expected_mi_of_all_small_shapes(total):
    shapes = [sizes_of(p) for p in integer_partitions(total)]
    for rows in shapes:
        for columns in shapes:
            assert_close(expected_mi(rows, columns), oracle_expected_mi(rows, columns))


@pytest.mark.parametrize(
    ("rows", "columns"),
    [
        ([(1, 10**6)], [(1, 10**6)]),
        ([(10**6, 1)], [(1, 10**6)]),
        ([(1, 1), (999_999, 1)], [(1, 1), (999_999, 1)]),
        ([(5, 1), (9995, 1)], [(30, 1), (9970, 1)]),
        ([(5000, 2)], [(5000, 2)]),
        ([(5000, 20)], [(5000, 20)]),
        ([(20_000, 1), (80_000, 1)], [(4096, 1), (95_904, 1)]),
        ([(8000, 1), (992_000, 1)], [(500_000, 2)]),
        ([(1, 5), (2, 50), (995, 1)], [(3, 366), (2, 1)]),
    ],
)
def test_expected_mi_of_unbalanced_shapes(rows, columns):
    assert_close(expected_mi(rows, columns), oracle_expected_mi(rows, columns))


def test_expected_mi_of_astronomic_sizes():
    value = expected_mi([(10**12, 10**6)], [(10**12, 10**6)])
    assert math.isclose(value, (10**6 - 1) ** 2 / (2 * (10**18 - 1)), rel_tol=1e-6)
    # Two equal halves of a huge set: (1/2) / (N - 1) to first order
    assert math.isclose(expected_mi([(5 * 10**17, 2)], [(5 * 10**17, 2)]), 0.5 / 10**18, rel_tol=1e-12)
    assert math.isclose(expected_mi([(1, 10**18)], [(1, 10**18)]), math.log(1e18), rel_tol=1e-13)


# Assignment


def total_weight(row, column, weight):
    chosen = core.assignment(row, column, weight)
    assert sorted(chosen.tolist()) == chosen.tolist()
    assert len(set(row[chosen].tolist())) == len(chosen) == len(set(column[chosen].tolist()))
    return weight[chosen].sum()


@every_case("seed", range(60))
def test_assignment_against_dense_solver(seed):
    rng = np.random.default_rng(seed)
    rows, columns = rng.integers(1, 40, size=2)
    density = rng.choice([0.03, 0.1, 0.4, 1.0])
    table = rng.integers(1, rng.choice([2, 4, 1000, 10**15]), size=(rows, columns), endpoint=True)
    table[rng.random(table.shape) > density] = 0
    row, column = np.nonzero(table)
    weight = table[row, column]
    order = rng.permutation(len(row))
    row, column, weight = row[order], column[order], weight[order]
    best = linear_sum_assignment(table, maximize=True)
    assert total_weight(row, column, weight) == table[best].sum()


def test_assignment_of_nothing_and_one():
    empty = np.zeros(0, dtype=np.int64)
    assert core.assignment(empty, empty, empty).tolist() == []
    assert core.assignment(np.array([5]), np.array([9]), np.array([2])).tolist() == [0]


def test_assignment_that_is_too_large():
    row, column = (x.ravel() for x in np.indices((10, 10)))
    with pytest.raises(core.ComponentTooLarge, match="10 rows and 10 columns") as caught:
        core.assignment(row, column, np.ones(100, dtype=np.int64), max_cells=50)
    assert isinstance(caught.value, MemoryError)
    star = np.arange(100), np.zeros(100, dtype=np.int64), np.arange(1, 101)
    assert core.assignment(*star, max_cells=50).tolist() == [99]


@pytest.mark.usefixtures("interruptible")
def test_ctrl_c_interrupts_a_long_run():
    """``map`` runs no Python of its own between the calls, so that only the core can notice the signal."""
    rng = np.random.default_rng(0)
    size = 6_000_000
    u, v = rng.integers(0, 2**62, size), rng.integers(0, 2**62, size)
    threads = iter([1] * 50)  # one for each call; those that are left tell how many were begun

    def press_when_a_call_has_begun():
        while operator.length_hint(threads) == 50:
            time.sleep(0.001)
        os.kill(os.getpid(), signal.SIGINT)

    finger = threading.Thread(target=press_when_a_call_has_begun)
    finger.start()
    with pytest.raises(KeyboardInterrupt):
        list(map(core.profile, itertools.repeat(u), itertools.repeat(v), threads))
    finger.join()
    assert operator.length_hint(threads) > 0  # the core noticed, and did not finish them all first


def test_sums_of_many_cells_come_in_the_order_of_the_cells():
    """They are hashed with a salt that differs from process to process; what is made of them must not."""
    columns, length = 2**11, 500
    side = (np.arange(length + 1), np.arange(length)[::-1] * 4 % columns, np.full(length, 2**53), columns)
    cells = core.soft_gram(side, side)[1][0]
    assert len(cells) == length
    assert (np.diff(cells) > 0).all()
