"""What chance brings, against fifty digits, against enumeration, and against scikit-learn."""

import math
import random
from collections import Counter
from itertools import pairwise, permutations

import enumeration
import mpmath
import numpy as np
import oracle_information as slow
import oracle_tables as exact
import pytest
import universe
from cases import every_case
from inner import ClusterSizes, chance, random_models, table_counts

import concordant
import concordant as cc
from concordant import core
from concordant.errors import ParameterError, TooLargeError


def close(x, y, tolerance=1e-12):
    return math.isclose(x, y, rel_tol=tolerance, abs_tol=tolerance)


def random_sizes(rng, n, clusters):
    cuts = [0, *sorted(rng.sample(range(1, n), clusters - 1)), n]
    return [y - x for x, y in pairwise(cuts)]


def random_comparison(seed, size=None):
    rng = np.random.default_rng(seed)
    n = size or int(rng.integers(5, 120))
    u = rng.integers(0, rng.integers(2, n), n)
    v = np.where(rng.random(n) < rng.random(), u, rng.integers(0, rng.integers(2, n), n))
    return u, v, cc.compare(u, v)


@pytest.mark.parametrize("seed", range(40))
def test_expected_information_has_twelve_digits(seed):
    rng = random.Random(seed)
    n = rng.choice([3, 7, 20, 90, 400])
    a, b = (random_sizes(rng, n, rng.randint(2, min(n, 15))) for _ in range(2))
    if seed % 4 == 0:
        a = [2] * (n // 2) + [1] * (n % 2)
    exact = slow.expected_information(a, b, n)
    assert abs(chance.expected_information(Counter(a), Counter(b)) - exact) <= 1e-12 * exact


def test_expected_information_of_many_similar_sizes_has_twelve_digits():
    a = [*range(256, 330)]
    b = [7] * (sum(a) // 7) + [sum(a) % 7]
    exact = slow.expected_information(a, b, sum(a))
    for sides in ((a, b), (b, a)):
        assert abs(chance.expected_information(*map(Counter, sides)) - exact) <= 1e-12 * exact


@pytest.mark.parametrize(("n", "clusters"), [(10**6, 200), (10**9, 90), (10**15, 80)])
def test_expected_information_of_many_similar_sizes_is_the_sum_over_all_pairs(n, clusters):
    rng = np.random.default_rng(clusters)
    zipf = rng.permutation(1 / np.arange(1, clusters + 1))
    for weights in (np.ones(clusters), zipf):
        a, b = (rng.multinomial(n, weights / weights.sum()) for _ in range(2))
        (x, many_x), (y, many_y) = (np.unique(sizes, return_counts=True) for sizes in (a, b))
        means = core.pair_excesses(x, y, n).reshape(len(x), len(y))
        expected = (x / n * many_x) @ means @ (y / n * many_y)
        found = chance.expected_information(Counter(a.tolist()), Counter(b.tolist()))
        assert abs(found - expected) <= 1e-13 * expected


@pytest.mark.parametrize("n", [2, 3, 4, 5, 6])
def test_expected_information_is_the_mean_over_all_permutations(n):
    for a in enumeration.shapes(n):
        for b in enumeration.shapes(n):
            u, v = slow._labels(a), slow._labels(b)
            assert close(chance.expected_information(Counter(a), Counter(b)), mean_information(u, v))


def mean_information(u, v):
    found = Counter(slow.sizes(zip(u, w, strict=True)) for w in permutations(v))
    joint = mpmath.fsum(many * slow._entropy(cells) for cells, many in found.items())
    return slow._entropy(slow.sizes(u)) + slow._entropy(slow.sizes(v)) - joint / sum(found.values())


def test_too_many_elements_for_the_core_are_refused():
    with pytest.raises(TooLargeError, match="fewer than 2\\*\\*62"):
        chance.expected_information({2**62: 2}, {2**61: 4})


@pytest.mark.parametrize("n", [2, 3, 10, 100, 1000])
def test_trivial_partitions_have_exactly_nothing_in_common_beyond_chance(n):
    rng = np.random.default_rng(n)
    some = np.append(rng.integers(0, max(2, n // 3), n - 2), [0, 0])  # never singletons
    for trivial in (np.zeros(n, int), np.arange(n)):
        assert concordant.adjusted_mutual_information(trivial, trivial) == 1
        c = cc.compare(trivial, some)
        if not c._counts.identical:
            for name in ("AMI", "AMI(mean='max')", "AMI(mean='min')", "ami_q", "ami_q(q=1)", "rnmi", "rmi"):
                assert c[name] == 0, name
            assert math.isnan(c["smi"])


def test_few_pairs_among_a_million_singletons_keep_their_digits():
    # Ten pairs on each side, three of them the same: chance makes 100/C(n, 2) of them.
    n = 10**6
    u, v = np.arange(n), np.arange(n)
    u[1:20:2] -= 1
    v[1:6:2] -= 1
    v[21:34:2] -= 1
    chance_pairs = mpmath.mpf(100) / math.comb(n, 2)
    exact = (3 - chance_pairs) / (10 - chance_pairs)
    assert close(cc.adjusted_mutual_information(u, v), exact, 1e-14)


@every_case("seed", range(20))
def test_order_two_is_adjusted_rand_and_order_one_is_adjusted_information(seed):
    c = random_comparison(seed)[2]
    assert close(c["ami_q(q=2)"], c["ARI"])
    assert close(c["ami_q(q=1)"], c["AMI"])
    assert close(c["ami_q(q=1.0000001)"], c["AMI"], 1e-6)


def test_a_high_order_does_not_overflow():
    assert -1 < random_comparison(3, size=2000)[2]["ami_q(q=200)"] < 1


@pytest.mark.parametrize("n", [4, 5, 6])
def test_the_variance_is_that_over_all_permutations(n):
    for a in enumeration.shapes(n):
        for b in enumeration.shapes(n):
            profile = universe.profile(slow._labels(a), slow._labels(b))
            found, wanted = chance.information_deviation(profile.view(ClusterSizes)), deviation(a, b)
            assert close(found, wanted, 1e-11), (a, b)
            assert (found == 0) == (wanted < 1e-11), (a, b)


def deviation(a, b):
    found = Counter(slow.sizes(zip(slow._labels(a), w, strict=True)) for w in permutations(slow._labels(b)))
    many = sum(found.values())
    entropies = {cells: slow._entropy(cells) for cells in found}
    mean = mpmath.fsum(found[c] * entropies[c] for c in found) / many
    return mpmath.sqrt(mpmath.fsum(found[c] * (entropies[c] - mean) ** 2 for c in found) / many)


def test_samples_estimate_the_variance_always_alike():
    u, v, c = random_comparison(5, size=60)
    exact, sampled = c["smi"], c["smi(samples=2000)"]
    assert sampled == cc.compare(u, v)["smi(samples=2000)"]
    assert sampled == cc.compare(v, u)["smi(samples=2000)"]
    assert math.isclose(exact, sampled, rel_tol=0.1)
    assert exact != sampled


def test_too_costly_a_variance_says_what_to_do_instead():
    c = cc.Comparison.from_contingency(np.diag(range(1, 301)))
    with pytest.raises(ParameterError, match="samples=1000"):
        c["smi"]
    with pytest.raises(ParameterError, match="at least 2"):
        c["smi(samples=0)"]


@pytest.mark.parametrize(
    ("units", "columns"), [(40, (5, 9, 30, 31)), (10**15, (10**15, 3)), (7, (1,) * 9 + (3, 3))]
)
def test_tables_of_two_rows_are_counted_at_any_size(units, columns):
    rows = (units, sum(columns) - units)
    assert table_counts.count_tables(Counter(rows), Counter(columns)) == exact.tables(rows, columns)


def test_the_ways_of_counting_tables_agree():
    rng = random.Random(5)
    for _ in range(40):
        n = rng.randint(8, 20)
        a, b = (random_sizes(rng, n, rng.randint(2, 4)) for _ in range(2))
        counted = table_counts.count_tables(Counter(a), Counter(b))
        assert counted == table_counts.count_tables(Counter(b), Counter(a)) == slow.tables(tuple(a), tuple(b))


def test_the_estimate_of_the_number_of_tables_is_close():
    # As measured on all pairs of shapes by scripts/accuracy.py and said in the documentation.
    rng, errors = random.Random(7), []
    for _ in range(100):
        n = rng.randint(13, 20)
        a, b = (tuple(sorted(random_sizes(rng, n, rng.randint(2, 6)))) for _ in range(2))
        estimate = table_counts.estimated_log_tables(Counter(a), Counter(b))
        assert estimate == table_counts.estimated_log_tables(Counter(b), Counter(a))
        errors.append(abs(estimate - math.log(slow.tables(a, b))))
    assert max(errors) < 0.6
    assert sum(errors) / len(errors) < 0.05


@pytest.mark.parametrize("n", range(1, 8))
def test_expected_sizes_are_those_of_all_partitions(n):
    drawn = slow.partitions(n)
    for k in range(1, n + 1):
        into_k = [p for p in drawn if len(set(p)) == k]
        for model, among in (("num", into_k), ("all", drawn)):
            counted = Counter(x for p in among for x in slow.sizes(p))
            expected = dict(random_models.model_sizes(n, k, model))
            assert set(counted) == set(expected)
            assert all(close(expected[x], counted[x] / len(among)) for x in counted)


def test_models_too_large_to_count_are_computed_all_the_same_but_not_exactly():
    c = cc.Comparison.from_contingency([[10**5, 0, 0], [0, 50_000, 50_000]])
    for name in ("ami_models", "adjusted_rand_models"):
        assert math.isfinite(c[f"{name}(model='all')"])
    with pytest.raises(ParameterError, match="use the float"):
        c.exact("adjusted_rand_models(model='all')")


def test_costly_indices_are_left_out_of_tables():
    c = concordant.compare([0, 0, 1, 1, 2], [0, 0, 1, 2, 2])
    assert not {"standardised_mutual_information", "ami_models", "ami_q"} & set(c.to_dict())
    assert c["SMI"] == c.standardised_mutual_information
