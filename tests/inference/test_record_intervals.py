"""Intervals of indices that read more than pair counts, for records drawn at random."""

import json
import math
from collections import Counter
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from cases import every_case
from inner import (
    BCUBED,
    INDICES,
    PARTNERS,
    EntropySample,
    IndependenceTest,
    bcubed_without_self_pairs,
    clopper_pearson,
    ends,
    entropies,
    entropy_correction,
    entropy_target,
    student_quantile,
)
from not_run import few

import concordant as cc
from concordant.errors import ParameterError, TooLargeError

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "trust2.json").read_text(encoding="utf-8"))
ENTROPIES = [name for name, index in INDICES.items() if entropy_target(index) is not None]
SHARES = [name for name in ENTROPIES if entropy_target(INDICES[name]).range == (0, 1)]
DISTANCES = [name for name in ENTROPIES if name not in SHARES]
OTHERS = [*BCUBED, "element_centric", *PARTNERS]


def interval_of(profile, index, confidence=0.95, seed=0):
    return cc.Comparison(profile).interval(index.name, confidence=confidence, seed=seed)


def some_table(seed, shape=(5, 6), mean=1.5):
    """A random table of Poisson counts, without empty rows and columns."""
    table = np.random.default_rng(seed).poisson(mean, shape)
    return table[table.sum(axis=1) > 0][:, table.sum(axis=0) > 0]


def cells_without_one(table):
    """Each occupied cell, and the table without one of its records."""
    for place in zip(*np.nonzero(table), strict=True):
        rest = table.copy()
        rest[place] -= 1
        yield place, rest


def corrected_entropy(sizes):
    """The entropy of a sample with so many classes of each size, and its correction."""
    size = sum(x * count for x, count in sizes.items())
    plain = math.fsum(count * x / size * math.log1p((size - x) / x) for x, count in sizes.items())
    return plain + entropy_correction(sizes, size)


def profile_of(table):
    table = np.asarray(table)
    return cc.Comparison.from_contingency(table[table.sum(axis=1) > 0][:, table.sum(axis=0) > 0])._counts


def drawn(population, size, seed):
    shares = np.asarray(population, dtype=float)
    table = np.random.default_rng(seed).multinomial(size, (shares / shares.sum()).ravel())
    return profile_of(table.reshape(shares.shape))


def noisy(clusters, share):
    """Equal clusters, of which a share of the records is put into random ones."""
    return np.eye(clusters) * (1 - share) + share / clusters


# -- entropies ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", GOLDEN["entropy"], ids=lambda case: str(len(case["counts"])))
def test_golden_entropies(case):
    sizes = Counter(case["counts"])
    assert corrected_entropy(sizes) == pytest.approx(case["entropy"], rel=1e-12)
    table = np.diag(case["counts"])
    sample = EntropySample(profile_of(table), INDICES["v_measure"], 0.95)
    assert sample.unseen_share == pytest.approx(case["unseen_share"])


def test_an_entropy_without_singletons_is_the_digamma_formula():
    found = corrected_entropy({50: 1, 30: 2})
    harmonic = {x: math.fsum(1 / k for k in range(1, x)) for x in (30, 50, 110)}
    wanted = 50 / 110 * (harmonic[110] - harmonic[50]) + 60 / 110 * (harmonic[110] - harmonic[30])
    assert found == pytest.approx(wanted, rel=1e-13)
    assert corrected_entropy({50: 1, 30: 2, 1: 1}) < corrected_entropy({50: 1, 30: 2, 1: 2})


def test_a_lone_singleton_adds_no_unseen_classes():
    harmonic = {x: math.fsum(1 / k for k in range(1, x)) for x in (1, 20, 41)}
    wanted = 40 / 41 * (harmonic[41] - harmonic[20]) + 1 / 41 * harmonic[41]
    assert corrected_entropy({20: 2, 1: 1}) == pytest.approx(wanted, rel=1e-13)


def test_two_singletons_and_no_pair_add_unseen_classes():
    size, ratio = 42, 1 - 2 / (41 * 1 + 2)
    harmonic = {x: math.fsum(1 / k for k in range(1, x)) for x in (1, 20, 42)}
    wanted = 40 / 42 * (harmonic[42] - harmonic[20]) + 2 / 42 * harmonic[42]
    wanted += 2 / size * math.fsum(ratio**k / (size - 1 + k) for k in range(1, 2000))
    assert corrected_entropy({20: 2, 1: 2}) == pytest.approx(wanted, rel=1e-12)


def test_a_billion_singletons_have_a_finite_entropy():
    assert math.log(10**9) < corrected_entropy({1: 10**9, 5: 1}) < 3 * math.log(10**9)


@pytest.mark.parametrize("case", [c for c in GOLDEN["large_counts"] if c["index"] == "v_measure"])
def test_golden_values_of_large_counts(case):
    profile = cc.Comparison.from_contingency(np.array(case["table"], dtype=object))._counts
    sample = EntropySample(profile, INDICES["v_measure"], 0.95)
    assert sample.value == pytest.approx(case["value"], rel=1e-14)
    assert sample.se == pytest.approx(case["se"], rel=1e-9)
    assert -sample.bias == pytest.approx(case["corrected_minus_value"], rel=1e-5)


@every_case("name", ["v_measure", "homogeneity", "nmi_geometric", "variation_of_information", "nid"])
@every_case("seed", range(3))
def test_the_jackknife_of_entropies_is_leaving_out(name, seed):
    table, index = some_table(seed), INDICES[name]
    size, value = table.sum(), index.value(profile_of(table))
    rests = [(index.value(profile_of(rest)), table[place]) for place, rest in cells_without_one(table)]
    values, weights = map(np.array, zip(*rests, strict=True))
    mean = weights @ values / size
    sample = EntropySample(profile_of(table), index, 0.95)
    assert sample.value == pytest.approx(value, rel=1e-12)
    assert sample.se == pytest.approx(
        math.sqrt((size - 1) / size * (weights @ (values - mean) ** 2)), rel=1e-9
    )
    assert sample.jackknife == pytest.approx(size * value - (size - 1) * mean, rel=1e-9)


def test_a_side_that_leaving_out_makes_one_cluster_has_the_convention():
    index, table = INDICES["homogeneity"], np.array([[9, 3, 0], [0, 0, 1]])
    value, size = index.value(profile_of(table)), 13
    rests = [(index.value(profile_of(rest)), table[place]) for place, rest in cells_without_one(table)]
    assert rests[-1] == (1, 1)  # undefined, and 1 by convention
    mean = sum(rest * weight for rest, weight in rests) / size
    sample = EntropySample(profile_of(table), index, 0.95)
    assert sample.jackknife == pytest.approx(size * value - (size - 1) * mean)


@pytest.mark.parametrize(
    "name", ["v_measure", "nmi_min", "information_distance", "vi_over_reference_entropy"]
)
def test_many_records_are_left_out_by_a_series(name, monkeypatch):
    profile = profile_of(some_table(4, mean=40))
    found = EntropySample(profile, INDICES[name], 0.95)
    assert profile.size > 1000
    monkeypatch.setattr(entropies, "_TAYLOR_SIZE", math.inf)
    exact = EntropySample(profile, INDICES[name], 0.95)
    assert found.se == pytest.approx(exact.se, rel=1e-5)
    assert found.jackknife - found.value == pytest.approx(exact.jackknife - exact.value, rel=1e-3)


@every_case("name", ["v_measure", "variation_of_information", "completeness"])
@every_case("seed", range(4))
def test_the_worst_move_of_a_record_is_found(name, seed):
    table, index = some_table(seed, (3, 4), 2.0), INDICES[name]
    sign = -1 if index.perfect == 0 else 1
    value, falls = index.value(profile_of(table)), [0.0]
    for turned in (table, table.T):
        for (i, j), rest in cells_without_one(turned):
            others = [k for k in range(turned.shape[1]) if k != j]
            largest = max(others, key=lambda k: turned[:, k].sum())
            for column in (largest, turned.shape[1]):
                # A row of its own, joined below, keeps the target cell as if it had been empty.
                moved = np.zeros((turned.shape[0] + 1, turned.shape[1] + 1))
                moved[:-1, :-1] = rest
                moved[-1, column] = 1
                falls.append(sign * (value - _value_with_split_row(moved, i, index, turned is not table)))
    assert EntropySample(profile_of(table), index, 0.95).worst == pytest.approx(max(falls), rel=1e-9)


def _value_with_split_row(moved, row, index, is_turned):
    """The value if the last row is a part of another row whose cells are counted apart."""

    def entropy(sizes):
        shares = sizes[sizes > 0] / sizes.sum()
        return -float((shares * np.log(shares)).sum())

    rows = moved.sum(axis=1)
    rows[row] += rows[-1]
    h_u, h_v, h_uv = entropy(rows[:-1]), entropy(moved.sum(axis=0)), entropy(moved.ravel())
    if is_turned:
        h_u, h_v = h_v, h_u
    return entropies.Entropies(h_uv - h_v, h_uv - h_u, h_u + h_v - h_uv, int(moved.sum())).value(index)


def test_the_largest_joint_entropy_spreads_the_unseen_records():
    table = np.array([[20, 0, 1], [0, 15, 0], [2, 0, 12]])
    sample = EntropySample(profile_of(table), INDICES["joint_entropy"], 0.95)
    n, unseen = 50, 5.571643390938 / 50  # the 97.5% quantile of the gamma distribution with shape 2
    plain = INDICES["joint_entropy"].value(profile_of(table))
    wanted = (1 - unseen) * plain + unseen * math.log(4)
    wanted -= unseen * math.log(unseen) + (1 - unseen) * math.log(1 - unseen)
    assert table.sum() == n
    assert sample.spread == pytest.approx(wanted, rel=1e-10)
    full = EntropySample(profile_of(table + 1), INDICES["joint_entropy"], 0.95)
    assert full.spread == pytest.approx(full.corrected, rel=1e-12)


def test_the_ends_of_a_share_are_those_of_its_parts():
    profile = drawn(noisy(5, 0.2), 200, 1)
    sample, quantile = EntropySample(profile, INDICES["v_measure"], 0.95), student_quantile(0.95, 199)
    found = interval_of(profile, INDICES["v_measure"])
    middle, spread = (
        ends(x, sample.se, quantile=quantile, confidence=0.95, worst=sample.worst)
        for x in (sample.corrected, sample.spread)
    )
    half = quantile * sample.se
    assert found.low == min(middle[0], spread[0], min(sample.corrected, sample.spread) - half)
    assert found.high == max(middle[1], sample.value, max(sample.corrected, sample.jackknife) + half)
    assert (found.estimate, found.se) == (sample.corrected, sample.se)


def test_the_ends_of_a_distance_on_its_own_scale():
    profile = drawn(noisy(5, 0.2), 2000, 1)
    index = INDICES["variation_of_information"]
    sample, quantile = EntropySample(profile, index, 0.95), student_quantile(0.95, 1999)
    found = interval_of(profile, index)
    half = quantile * sample.se
    assert found.low == min(sample.corrected, sample.jackknife) - half
    # The limit of so many rare losses is slightly above that of a normal distribution.
    assert found.high == pytest.approx(max(sample.corrected, sample.spread) + half, rel=0.01)
    assert found.high > max(sample.corrected, sample.spread) + half
    perfect = interval_of(profile_of(np.diag([20, 20, 20])), index)
    assert perfect.low == 0
    assert perfect.high > 3.688 * EntropySample(profile_of(np.diag([20, 20, 20])), index, 0.95).worst > 0


def test_complements_have_complementary_intervals():
    profile = drawn(noisy(4, 0.3), 80, 2)
    for similarity, distance in (("nmi_joint", "nvi"), ("nmi_max", "nid")):
        one, other = (interval_of(profile, INDICES[name]) for name in (similarity, distance))
        assert (one.low, one.high) == (pytest.approx(1 - other.high), pytest.approx(1 - other.low))


@pytest.mark.parametrize("mean", ["arithmetic", "geometric", "max", "min", "joint"])
def test_adjusted_mutual_information_has_the_interval_of_its_target(mean):
    profile = drawn(noisy(4, 0.3), 80, 2)
    found = interval_of(profile, INDICES["adjusted_mutual_information"].bind(mean=mean))
    wanted = interval_of(profile, INDICES[f"nmi_{mean}"])
    assert (found.low, found.high) == (wanted.low, wanted.high)
    assert f"the interval of nmi_{mean}" in found.note


def test_the_note_says_that_a_sample_is_sparse():
    sparse = interval_of(drawn(noisy(30, 0.2), 300, 1), INDICES["v_measure"])
    assert "too sparse" in sparse.note
    dense = interval_of(drawn(noisy(3, 0.2), 2000, 1), INDICES["v_measure"])
    assert dense.note == ""
    # Each of the two reasons is enough.
    lonely = profile_of(np.array([[20, 1, 1], [1, 20, 1], [1, 1, 5]]))
    biased = drawn(noisy(60, 0.9), 12_000, 1)
    for profile, is_lonely in ((lonely, True), (biased, False)):
        sample = EntropySample(profile, INDICES["v_measure"], 0.95)
        assert (sample.unseen_share > 0.1, sample.gap > sample.se) == (is_lonely, not is_lonely)
        assert "too sparse" in interval_of(profile, INDICES["v_measure"]).note


# -- independence ---------------------------------------------------------------------------------------


def test_independent_partitions_are_never_excluded_unless_the_test_rejects():
    lows = []
    for seed in range(60):
        profile = drawn(np.ones((4, 4)), 30, seed)
        found = interval_of(profile, INDICES["v_measure"], seed=seed)
        lows.append(found.low)
        if found.low > 0:
            assert profile.view(IndependenceTest).rejects(0.95, seed)[0]
    assert np.mean(np.array(lows) > 0) <= 0.07


@pytest.mark.parametrize(("share", "size"), few(2, [(0.8, 40), (0.6, 60), (0.5, 150)]))
def test_the_test_of_independence_agrees_with_permutations(share, size):
    for seed in range(6):
        profile = drawn(noisy(3, share), size, seed)
        rejected, used = profile.view(IndependenceTest).rejects(0.95, 3)
        p = cc.Comparison(profile).significance("mutual_information", n_resamples=399).p
        assert used in (None, 3)
        assert rejected or p > 0.01
        assert p < 0.05 or not rejected


def test_strong_dependence_needs_no_permutations():
    for profile in (drawn(noisy(5, 0.2), 1000, 1), drawn(noisy(300, 0.2), 20_000, 1)):
        assert profile.view(IndependenceTest).rejects(0.95, 0) == (True, None)
        assert interval_of(profile, INDICES["v_measure"]).seed is None
    assert profile_of([[5, 5], [5, 5]]).view(IndependenceTest).rejects(0.95, 0)[0] is False


# -- B-cubed and element-centric similarity -------------------------------------------------------------


@pytest.mark.parametrize("case", GOLDEN["bcubed_without_self"], ids=lambda case: str(len(case["table"])))
def test_golden_bcubed(case):
    profile = profile_of(case["table"])
    found = bcubed_without_self_pairs(profile, INDICES["bcubed_f"])
    assert found.value == pytest.approx(case["bcubed_f"], rel=1e-12)
    assert found.spread(profile.table)[0] == pytest.approx(case["se"], rel=1e-12)
    assert found.singletons == pytest.approx(case["singleton_share"], abs=1e-12)


def bcubed_by_records(table, beta):
    """Precision, recall and F as means over records of the share of their co-members."""
    sides = []
    for turned in (table, table.T):
        shares = []
        for i, j in zip(*np.nonzero(turned), strict=True):
            size = turned[:, j].sum()
            if size > 1:
                shares += [(turned[i, j] - 1) / (size - 1)] * turned[i, j]
        sides.append(np.mean(shares) if shares else 0.0)
    precision, recall = sides
    below = beta**2 * precision + recall
    return precision, recall, (1 + beta**2) * precision * recall / below if below else 0.0


def element_centric_by_records(table):
    shares = []
    for i, j in zip(*np.nonzero(table), strict=True):
        size = max(table[i].sum(), table[:, j].sum())
        if size > 1:
            shares += [(table[i, j] - 1) / (size - 1)] * table[i, j]
    return np.mean(shares) if shares else 0.0


@every_case("seed", range(12))
def test_bcubed_without_one_record_is_counting_again(seed):
    table = some_table(seed, mean=(0.3, 1.0, 2.0)[seed % 3])
    profile, size = profile_of(table), table.sum()
    names = "bcubed_precision", "bcubed_recall", "bcubed_f(beta=2)"
    found = [bcubed_without_self_pairs(profile, INDICES[name]) for name in names]
    values = bcubed_by_records(table, 2)
    assert [each.value for each in found] == pytest.approx(values)
    for place, (_, rest) in enumerate(cells_without_one(table)):
        changes = (size - 1) * (np.array(bcubed_by_records(rest, 2)) - values)
        assert [each.changes[place] for each in found] == pytest.approx(changes, abs=1e-9)


@every_case("seed", range(12))
def test_the_spread_of_element_centric_similarity_is_leaving_out(seed):
    table = some_table(seed, mean=(0.4, 1.0, 2.0)[seed % 3])
    profile, size = profile_of(table), table.sum()
    value = element_centric_by_records(table)
    changes, weights = [], []
    for place, rest in cells_without_one(table):
        changes.append((size - 1) * (element_centric_by_records(rest) - value))
        weights.append(table[place])
    mean = np.average(changes, weights=weights)
    variance = np.average((np.array(changes) - mean) ** 2, weights=weights) / (size - 1)
    found = interval_of(profile, INDICES["element_centric"])
    assert found.estimate == pytest.approx(value)
    if found.estimable:
        assert found.se == pytest.approx(math.sqrt(variance + mean**2))


def test_equally_large_clusters_raise_the_upper_end():
    table = np.array([[30, 10], [10, 30]])
    found = interval_of(profile_of(table), INDICES["element_centric"])
    smoothed = 2 * (30 * 29 + 10 * 9) / 39 / 80  # all sizes are 40, so the larger one is 40 in both forms
    assert found.estimate == pytest.approx(smoothed)
    uneven = np.array([[30, 6], [10, 30]])
    n, a, b = uneven, uneven.sum(axis=1)[:, None], uneven.sum(axis=0)[None, :]
    less = (a + b + np.maximum(abs(a - b) - np.sqrt(a + b - 2 * n), 0)) / 2
    higher = float((n * (n - 1) / (less - 1)).sum()) / 76
    found = interval_of(profile_of(uneven), INDICES["element_centric"])
    assert higher > found.estimate
    upper = ends(
        higher, found.se, quantile=student_quantile(0.95, 75), confidence=0.95, worst=2 / 76, gain=2 / 76
    )
    lower = ends(found.estimate, found.se, quantile=student_quantile(0.95, 75), confidence=0.95, worst=2 / 76)
    assert found.high == upper[1]
    assert found.low == lower[0]


def test_singletons_may_have_any_value():
    table = np.diag([20, 20, 1, 1, 1, 1])
    found = interval_of(profile_of(table), INDICES["bcubed_f"])
    plain = ends(1.0, 0.0, quantile=2.0, confidence=0.95, worst=2 / 44)
    assert found.low == pytest.approx(plain[0] * 40 / 44)
    assert found.high == 1
    assert "9% of the records are singletons" in found.note
    split = np.array([[20, 0, 0], [0, 18, 2], [1, 0, 0]])
    one_sided = interval_of(profile_of(split), INDICES["bcubed_precision"])
    assert "singletons" not in one_sided.note
    assert "2% of the records" in interval_of(profile_of(split), INDICES["bcubed_f"]).note


@pytest.mark.parametrize("name", [*BCUBED, "element_centric"])
def test_too_many_singletons_are_refused(name):
    found = interval_of(profile_of(np.diag([5, *[1] * 6])), INDICES[name])
    assert not found.estimable
    assert (found.low, found.high) == (0, 1)
    assert (
        found.note
        == "not estimable from this sample: 55% of the records are singletons, so they have no pair"
    )
    half = interval_of(profile_of(np.diag([6, *[1] * 6])), INDICES[name])
    assert half.estimable


# -- purity and matching --------------------------------------------------------------------------------


@pytest.mark.parametrize("case", GOLDEN["clopper_pearson"], ids=lambda case: str(case["right"]))
def test_golden_limits_of_shares(case):
    low, high = clopper_pearson(case["right"], case["trials"], 0.95)
    assert (low, high) == (pytest.approx(case["low"], rel=1e-10), pytest.approx(case["high"], rel=1e-10))


@pytest.mark.parametrize("name", PARTNERS)
def test_partners_of_one_half_are_counted_on_the_other(name):
    table = some_table(3, mean=4.0)
    profile, index = profile_of(table), INDICES[name]
    found = interval_of(profile, index, seed=5)
    half = np.zeros_like(table)
    half[np.nonzero(table)] = np.random.default_rng(5).binomial(table[np.nonzero(table)], 0.5)
    right = 0
    for here, there in ((half, table - half), (table - half, half)):
        if name == "purity":
            right += sum(there[here[:, j].argmax(), j] for j in range(table.shape[1]))
        elif name == "inverse_purity":
            right += sum(there[i, here[i].argmax()] for i in range(table.shape[0]))
    size, value = int(table.sum()), index.value(profile)
    best = value if index.perfect else 1 - value
    upper = clopper_pearson(best * size, size, 0.95)[1]
    assert (found.high if index.perfect else 1 - found.low) == pytest.approx(upper)
    assert found.estimate == pytest.approx(value)
    assert (found.seed, found.method) == (5, "two random halves")
    assert found.se == pytest.approx(math.sqrt(value * (1 - value) / size))
    if right:
        assert found.low == pytest.approx(clopper_pearson(right / 2, size / 2, 0.95)[0])
    else:
        assert 0 < (found.low if index.perfect else 1 - found.high) < best
    assert found.low != interval_of(profile, index, seed=6).low or not index.perfect


def test_a_cluster_without_records_in_one_half_has_no_partner_there():
    found = interval_of(profile_of(np.eye(30, dtype=int)), INDICES["purity"])
    assert (found.low, found.high, found.estimate) == (0, 1, 1)


def test_too_many_records_cannot_be_split():
    huge = cc.Comparison.from_contingency(np.array([[10**16, 1], [3, 10**16]], dtype=object))._counts
    with pytest.raises(TooLargeError, match="split at random"):
        interval_of(huge, INDICES["purity"])


# -- all ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [*ENTROPIES, *OTHERS])
def test_intervals_have_width_and_stay_in_range(name):
    index = INDICES[name]
    for seed, mean in product(range(4), (0.3, 2.0)):
        profile = profile_of(some_table(seed, mean=mean))
        found = interval_of(profile, index)
        assert 0 <= found.low < found.high
        assert found.high <= 1 or name in DISTANCES
        if found.estimable:
            wider = interval_of(profile, index, confidence=0.99)
            assert wider.low <= found.low + 1e-12
            assert wider.high >= found.high - 1e-12


@pytest.mark.parametrize("name", [*ENTROPIES, *OTHERS])
def test_a_perfect_sample_leaves_room_for_unseen_errors(name):
    index = INDICES[name]
    found = interval_of(profile_of(np.diag([12, 9, 11])), index)
    if index.perfect == 0:
        assert found.low == 0 < found.high
    else:
        assert found.low < 1 == found.high


@pytest.mark.parametrize("name", [*ENTROPIES, *OTHERS])
def test_swapped_sides_have_the_interval_of_the_mirror(name):
    index = INDICES[name]
    if index.mirror is None:
        pytest.skip("it has no mirror")
    table = some_table(7, mean=4.0)
    one = interval_of(profile_of(table), index)
    other = interval_of(profile_of(table.T), INDICES[index.mirror])
    if name != "classification_error":  # its upper end depends on the halves, the lower end of others does
        assert one.high == pytest.approx(other.high)
    if name not in PARTNERS:
        assert one.low == pytest.approx(other.low)


@every_case("name", ENTROPIES)
@every_case(
    ("table", "reason"),
    [
        ([[5, 4, 3]], "the reference has one cluster, so it has no entropy"),
        ([[5], [4]], "the candidate has one cluster, so it has no entropy"),
        ([[1, 0, 1], [0, 1, 0]], "each cluster of the candidate is a singleton"),
    ],
)
def test_samples_without_information_are_refused(name, table, reason):
    found = interval_of(profile_of(table), INDICES[name])
    assert not found.estimable
    assert found.note.startswith(f"not estimable from this sample: {reason}")
    assert (found.low, found.high) == (0, 1 if name in SHARES else math.inf)


def test_small_clusters_are_noted():
    pairs, mixed = np.eye(20, dtype=int) * 2, np.diag([4] * 5 + [5] * 6)
    for name in ("v_measure", "bcubed_f", "purity", "element_centric"):
        small = interval_of(profile_of(pairs), INDICES[name])
        assert "fewer than 5 records" in small.note
        assert "draw whole units, or estimate" in small.note
        large = interval_of(profile_of(mixed), INDICES[name])
        assert "fewer than 5" not in large.note


@pytest.mark.parametrize(
    ("name", "closest"),
    [
        ("g_statistic", "v_measure"),
        ("vi_over_log_n", "v_measure"),
        ("mutual_information", "v_measure"),
        ("cramers_v", "bcubed_f"),
        ("split_join", "purity"),
        ("pair_sets_index", "matching_accuracy"),
    ],
)
def test_other_indices_are_refused_with_the_closest_one(name, closest):
    with pytest.raises(ParameterError, match=rf"no interval for {name}: .*use {closest}"):
        cc.compare(list("aabbbc"), list("xxyyzz")).interval(name)


@pytest.mark.parametrize(
    ("population", "size", "name"),
    [
        (noisy(30, 0.2), 300, "v_measure"),
        (noisy(30, 0.2), 300, "variation_of_information"),
        (noisy(5, 0.006), 100, "v_measure"),
        (np.ones((5, 5)), 12, "v_measure"),
        (noisy(30, 0.2), 300, "bcubed_f"),
        (noisy(5, 0.006), 100, "bcubed_f"),
        (np.ones((5, 5)), 100, "element_centric"),
        (np.ones((5, 5)), 100, "matching_accuracy"),
        (noisy(5, 0.2), 100, "purity"),
    ],
)
def test_intervals_cover_in_hostile_regimes(population, size, name):
    index, runs = INDICES[name], 60
    true = index.value(
        cc.Comparison.from_contingency(
            np.rint(population / population.sum() * 10**9).astype(np.int64)
        )._counts
    )
    held = 0
    for seed in range(runs):
        found = interval_of(drawn(population, size, seed), index, seed=seed)
        held += found.low - 1e-6 <= true <= found.high + 1e-6
    assert held >= 0.88 * runs


@pytest.mark.parametrize("name", ["element_centric", "bcubed_f", "v_measure", "variation_of_information"])
@pytest.mark.parametrize("table", [[[5, 1, 1], [1, 5, 1], [1, 1, 6]], [[5, 2, 0], [1, 6, 1], [1, 0, 9]]])
def test_the_standard_error_falls_by_the_square_root_at_any_size(name, table):
    """Also of clusters that are exactly as large, where the larger of both has a kink."""
    scaled = []
    for size in (10**4, 10**8, 10**12, 10**15):
        counts = [[size * each for each in row] for row in table]
        found = cc.Comparison.from_contingency(counts).interval(name)
        scaled.append(found.se * math.sqrt(size))
        assert found.high - found.low < 20 * found.se
    assert scaled == pytest.approx([scaled[0]] * 4, rel=1e-3)
