"""The profile and its views, against counting by hand and against other ways of making them."""

import math
import pickle
from collections import Counter
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
import universe
from hypothesis import given
from inner import DisagreeingClusters, Profile
from strategies import two_partitions

import concordant as cc
from concordant.errors import InputError


def counted(u, v):
    return cc.compare(np.array(u, dtype=np.int64), np.array(v, dtype=np.int64))._counts


def triples(profile):
    columns = (profile.n, profile.a, profile.b, profile.count)
    return {(n, a, b): count for n, a, b, count in zip(*(c.tolist() for c in columns), strict=True)}


@given(two_partitions())
def test_a_profile_is_the_multiset_of_overlaps(partitions):
    u, v = partitions
    sizes_u, sizes_v = Counter(u), Counter(v)
    cells = Counter(zip(u, v, strict=True))
    expected = Counter((n, sizes_u[i], sizes_v[j]) for (i, j), n in cells.items())
    profile = counted(u, v)
    assert triples(profile) == expected
    assert (profile.size, profile.rows, profile.columns, profile.cells) == (
        len(u),
        len(sizes_u),
        len(sizes_v),
        len(cells),
    )
    assert profile.row_sizes == dict(Counter(sizes_u.values()))
    assert profile.identical == (len(cells) == len(sizes_u) == len(sizes_v))


def test_the_profiles_of_all_pairs_of_up_to_five_elements():
    """What the laws of the indices are checked on; labels there are numbered as they first appear."""
    for size in range(universe.LARGEST + 1):
        for u, v in universe.pairs(size):
            profile, cells = universe.profile(u, v), Counter(zip(u, v, strict=True))
            table = profile.table
            found = zip(table.row.tolist(), table.column.tolist(), table.n.tolist(), strict=True)
            assert list(found) == [(*cell, n) for cell, n in sorted(cells.items())]
            assert triples(profile) == Counter((n, u.count(i), v.count(j)) for (i, j), n in cells.items())


@given(two_partitions(max_size=25))
def test_pairs_are_counted_one_by_one(partitions):
    u, v = partitions
    together = Counter((u[i] == u[j], v[i] == v[j]) for i, j in combinations(range(len(u)), 2))
    p = cc.compare(u, v).pairs
    assert (p.n11, p.n10, p.n01, p.n00) == tuple(
        together[key] for key in ((True, True), (True, False), (False, True), (False, False))
    )


@given(two_partitions())
def test_a_contingency_table_gives_the_same_profile(partitions):
    u, v = partitions
    table = np.zeros((12, 12), dtype=int)
    np.add.at(table, (u, v), 1)
    c, expected = cc.Comparison.from_contingency(table), cc.compare(u, v)
    assert triples(c._counts) == triples(expected._counts)
    assert c.pairs == expected.pairs
    assert c._counts.row_sizes == expected._counts.row_sizes
    assert c._counts.column_sizes == expected._counts.column_sizes
    assert repr(c.to_dict()) == repr(expected.to_dict())


def test_sparse_contingency_tables_count_repeated_cells_together():
    sparse = pytest.importorskip("scipy.sparse")
    table = sparse.coo_array(([2, 3, 1, 0], ([0, 0, 1, 1], [0, 0, 1, 0])), shape=(2, 2))
    assert triples(cc.Comparison.from_contingency(table)._counts) == {(5, 5, 5): 1, (1, 1, 1): 1}
    assert triples(cc.Comparison.from_contingency(table.tocsr())._counts) == {(5, 5, 5): 1, (1, 1, 1): 1}


def test_counts_of_any_size():
    huge = 10**30
    c = cc.Comparison.from_contingency(np.array([[huge, 1], [0, huge]], dtype=object))
    pairs = c.pairs
    assert c.size == 2 * huge + 1
    assert pairs.n11 == 2 * math.comb(huge, 2)
    assert pairs.n10 == huge == pairs.n01
    assert c.exact("purity") == Fraction(2 * huge, 2 * huge + 1)
    assert c.reference_entropy == pytest.approx(math.log(2))


def test_sums_just_below_and_above_the_int64_limit():
    for size in (2**31 - 1, 2**31, 2**32, 3_037_000_500, 2**40):
        c = cc.Comparison.from_contingency([[size, 1], [0, 5]])
        p, n = c.pairs, size + 6
        assert p.n11 == math.comb(size, 2) + math.comb(5, 2)
        # One pair in U and one in V, without a common element.
        sharing = p.n11 + sum(
            overlap * ((a - 1) * (b - 1) - overlap + 1)
            for overlap, a, b in ((size, size + 1, size), (1, size + 1, 6), (5, 5, 6))
        )
        expected = Fraction(
            4 * p.all * (p.in_reference * p.in_candidate - sharing), n * (n - 1) * (n - 2) * (n - 3)
        )
        assert c.exact("mari_raw") == (p.n11 - expected) / p.all


def test_int64_arrays_that_would_overflow_when_multiplied():
    wide = np.full((2, 2), 2**62, dtype=np.int64)
    assert cc.Comparison.from_contingency(wide).size == 2**64


@pytest.mark.parametrize(
    ("rows", "text"),
    [
        ([(0, 1, 1, 1)], "row 0"),
        ([(1, 1, 1, 1), (3, 2, 5, 1)], "row 1"),
        ([(1, 1, 1, 0)], "count >= 1"),
        ([(2, 3, 2, 1)], "does not add up"),
        ([(1, 2, 2, 2)], "2 overlaps between 1 and 1 clusters"),
        ([(1, 1, 1, 1.5)], "row 0 .* four whole numbers"),
        ([(1, 1, 1)], "four whole numbers"),
        ([None], "four whole numbers"),
    ],
)
def test_rows_that_are_no_profile(rows, text):
    with pytest.raises(InputError, match=text):
        Profile.from_rows(rows)


@pytest.mark.parametrize(
    ("table", "text"),
    [
        ([1, 2], "two dimensions"),
        ([[1, -1]], r"cell \(0, 1\) .* -1"),
        ([[1.5]], "1.5"),
        ([[math.nan]], "nan"),
        ([[math.inf]], "inf"),
        ([[1, 2], [3]], "ragged"),
        ([["a"]], "'a'"),
        ([[None, 1], [2, 0]], r"cell \(0, 0\) .* None"),
        ([[1j]], "1j"),
        (np.ma.array([[1, 2]], mask=[[True, False]]), "masked"),
    ],
)
def test_tables_that_are_no_contingency_table(table, text):
    with pytest.raises(InputError, match=text):
        cc.Comparison.from_contingency(table)


def test_empty_tables_and_profiles():
    for profile in (
        Profile.from_rows([]),
        cc.Comparison.from_contingency(np.zeros((0, 0)))._counts,
        counted([], []),
    ):
        assert (profile.size, profile.rows, profile.columns, profile.cells) == (0, 0, 0, 0)
        assert profile.identical
        assert cc.Comparison(profile).pairs.all == 0


def test_independent_partitions_share_exactly_nothing():
    u, v = np.repeat(np.arange(7), 33), np.tile(np.arange(3), 77)
    assert cc.compare(u, v).mutual_information == 0
    assert (counted(u, v).cells, counted(u, v).rows) == (21, 7)


def test_a_refinement_shares_exactly_all():
    fine = np.arange(99) // 3
    c = cc.compare(fine, fine // 4)
    assert (c.conditional_entropy_of_candidate, c.mutual_information) == (0, c.candidate_entropy)


def test_ten_million_labels_in_three_million_clusters():
    rng = np.random.default_rng(0)
    u = rng.integers(0, 3_000_000, 10_000_000)
    v = np.where(rng.random(len(u)) < 0.8, u, rng.integers(0, 3_000_000, len(u)))
    profile = counted(u, v)
    assert profile.size == len(u)
    sizes = np.bincount(u)
    assert profile.rows == np.count_nonzero(sizes)
    assert cc.Comparison(profile).pairs.in_reference == int(sizes @ (sizes - 1)) // 2


def test_profiles_can_be_pickled():
    for profile in (counted([0, 0, 1], [0, 1, 1]), cc.Comparison.from_contingency([[1, 2], [3, 4]])._counts):
        again = pickle.loads(pickle.dumps(profile))
        assert triples(again) == triples(profile)
        assert cc.Comparison(again).purity == cc.Comparison(profile).purity


@pytest.mark.parametrize("scale", [1, 2**40, 2**62])
def test_the_part_that_differs(scale):
    """Clusters that both sides have are left out; all else stays, in order and exact at any size."""
    rng = np.random.default_rng(0)
    for _ in range(30):
        table = rng.integers(0, 3, rng.integers(0, 6, 2)) * (rng.random() < 0.9)
        table = np.kron(np.eye(2, dtype=int), table)[:, : table.shape[1] * 2]
        profile = cc.Comparison.from_contingency(table.astype(object) * scale)._counts
        part, whole = profile.view(DisagreeingClusters), profile.table
        cells = list(zip(whole.row.tolist(), whole.column.tolist(), whole.n.tolist(), strict=True))
        rows, columns = (Counter(cell[side] for cell in cells) for side in (0, 1))
        exact = [cell for cell in cells if rows[cell[0]] == columns[cell[1]] == 1]
        found = part.profile.table
        numbers = part.rows[found.row].tolist(), part.columns[found.column].tolist(), found.n.tolist()
        assert list(zip(*numbers, strict=True)) == [cell for cell in cells if cell not in exact]
        sizes, counts = (each.tolist() for each in part.exact)
        assert dict(zip(sizes, counts, strict=True)) == Counter(n for _, _, n in exact)
        assert part.profile.size == profile.size - sum(n for _, _, n in exact)
        again = Profile.of_table(found)
        for name in ("n", "a", "b", "count"):
            assert getattr(part.profile, name).tolist() == getattr(again, name).tolist()
