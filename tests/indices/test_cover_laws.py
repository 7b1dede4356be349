"""Every claim of every index of covers, on all covers of three elements; and on partitions as covers."""

import math
from functools import cache
from itertools import combinations, permutations, product

import numpy as np
import pytest
import universe
from cases import every_case
from inner import INDICES, PairHistogram

import concordant as cc
from concordant.errors import NotRationalError

SIZE = 3
MADE_FOR_COVERS = [index for index in INDICES.values() if index.sides == "covers"]
OF_COVERS = [index for index in INDICES.values() if index.sides != "partitions"]
SAMPLED = [sample for index in OF_COVERS for sample in index.samples]
CLUSTERS = [frozenset(c) for k in range(1, SIZE + 1) for c in combinations(range(SIZE), k)]
# All sets of clusters but the empty one, none of them twice.
COVERS = [tuple(c for i, c in enumerate(CLUSTERS) if mask >> i & 1) for mask in range(1, 1 << len(CLUSTERS))]
PAIRS = list(product(COVERS, repeat=2))


def counts_of(size, u, v):
    return cc.compare(*(cc.Cover.from_clusters(clusters, records=range(size)) for clusters in (u, v)))._counts


@cache
def renamed(cover, order):
    return tuple(sorted(tuple(sorted(order[x] for x in cluster)) for cluster in cover))


@cache
def canonical(u, v):
    """One of all pairs that are the same but for the names of the elements."""
    return min((renamed(u, order), renamed(v, order)) for order in permutations(range(SIZE)))


@cache
def counts(pair):
    return counts_of(SIZE, *pair)


@cache
def kinds():
    """For each of all pairs, one that is the same but for the names of the elements."""
    return [canonical(u, v) for u, v in PAIRS]


@cache
def values_of(index, most):
    """Of all pairs of covers with up to so many clusters in all, and of a cover and itself.

    An index with parameters is computed for fewer clusters.
    """
    asked = {
        (u, v): kind
        for (u, v), kind in zip(PAIRS, kinds(), strict=True)
        if u == v or (max(len(u), len(v)) <= most // 2 if index.arguments else len(u) + len(v) <= most)
    }
    found = {kind: index.value(counts(kind)) for kind in set(asked.values())}
    return {pair: found[kind] for pair, kind in asked.items()}


@pytest.fixture(params=[5, pytest.param(7, marks=pytest.mark.weekly)], ids="{} clusters".format)
def values(request):
    """The values of an index."""
    return lambda index: values_of(index, request.param)


def every(indices):
    return every_case("index", indices, ids=lambda index: index.name)


def test_there_are_127_covers():
    assert len(COVERS) == 127


@every([*OF_COVERS, *SAMPLED])
def test_the_range_is_held(index, values):
    low, high = index.bounds(SIZE)
    assert all(low <= value <= high for value in values(index).values())


@every([*OF_COVERS, *SAMPLED])
def test_identical_covers_are_perfect(index, values):
    for u in COVERS:
        assert values(index)[u, u] == index.perfect
        assert counts(canonical(u, u)).identical


@every([i for i in MADE_FOR_COVERS if i.name != "onmi_lfk"])  # there a cluster of all counts as unexplained
def test_the_formula_itself_is_perfect_there(index):
    for u in COVERS:
        try:
            raw = float(index.evaluate(counts(canonical(u, u))))
        except ZeroDivisionError:
            continue
        assert math.isclose(raw, index.perfect, rel_tol=1e-12)


@every([*OF_COVERS, *SAMPLED])
def test_the_mirror_holds(index, values):
    if index.mirror is None:
        assert differs_when_swapped(values(index))
        return
    mirror = index if index.symmetric else INDICES[index.mirror].bind(**index.arguments)
    there = np.array(list(values(index).values()))
    back = np.array([values(mirror)[v, u] for u, v in values(index)])
    np.testing.assert_allclose(there, back, rtol=1e-12, atol=1e-12)
    assert index.symmetric or differs_when_swapped(values(index))


def differs_when_swapped(found):
    return any(value != found[v, u] for (u, v), value in found.items())


@every(OF_COVERS)
def test_it_is_undefined_only_where_it_says_so(index, values):
    if index.undefined is None:
        assert not any(
            index.is_undefined(counts(kind)) for kind in {canonical(u, v) for u, v in values(index)}
        )
    assert not any(math.isnan(value) for value in values(index).values())


# Pairs of seven clusters, of four elements, and of a cluster given twice, which the pairs above lack.
MORE = [
    (3, [{0, 1}, {0, 2}, {1, 2}], [{0}, {1}, {2}, {0, 1, 2}]),
    (4, [{0, 1}, {0, 2}, {1, 2}, {3}], [{0, 1, 2}, {3}]),
    (4, [{0, 1, 2}, {3}], [{0, 1}, {0, 2}, {1, 2}, {3}]),
    (3, [{0, 1}, {0, 1}], [{0, 1}]),
    (3, [{0, 1}], [{0, 1}, {0, 2}]),
]


@every(MADE_FOR_COVERS)
def test_the_entry_says_whether_it_is_perfect_for_different_covers(index, values):
    others = [value for (u, v), value in values(index).items() if set(u) != set(v)]
    others += [index.value(counts_of(*case)) for case in MORE]
    is_perfect = any(abs(value - index.perfect) < 1e-12 for value in others)
    # An index that can exceed its perfect value says that.
    stated = "ome different covers" in index.advice or "It can exceed 1" in index.advice
    assert is_perfect == stated or "It can exceed 1" in index.advice


@pytest.mark.parametrize("most", [5, pytest.param(14, marks=pytest.mark.weekly)])
def test_omega_is_adjusted_and_reaches_its_lowest_value(most):
    """The mean over all orders of the elements depends on both covers but for the names of their elements."""
    omega = INDICES["omega"]
    evaluate = cache(lambda kind: omega.evaluate(counts(kind)))
    shapes = {min(renamed(u, order) for order in permutations(range(SIZE))) for u in COVERS}
    for u, v in product(shapes, repeat=2):
        if len(u) + len(v) > most:
            continue
        found = [canonical(u, renamed(v, order)) for order in permutations(range(SIZE))]
        if all(counts(kind).view(PairHistogram).expected != 1 for kind in found):
            assert sum(map(evaluate, found)) == 0
    path, complement = [{0, 1}, {1, 2}, {2, 3}], [{0, 2}, {1, 3}, {0, 3}]
    assert omega.value(counts_of(4, path, complement)) == -1


@every(OF_COVERS)
def test_the_float_is_the_exact_value_rounded(index):
    for pair in sorted(set(kinds()))[::21]:
        try:
            assert float(index.exact(counts(pair))) == index.value(counts(pair))
        except NotRationalError:
            continue


def as_cover(labels):
    return [{i for i, x in enumerate(labels) if x == label} for label in sorted(set(labels))]


@cache
def partitions_as_covers():
    """All kinds of pairs of partitions of five elements, as a profile and as counts of covers.

    Each kind in two orders of its clusters.
    """
    pairs = universe.profiles(5)
    chosen = [profile for _, reordered in universe.reordered(5) for profile in reordered[:2]]
    return [(profile, counts_of(5, *map(as_cover, pairs[profile]))) for profile in chosen]


@every(OF_COVERS)
def test_on_partitions_it_is_its_partition_index(index):
    known = INDICES[index.generalises] if index.generalises else index
    for profile, covers in partitions_as_covers():
        wanted = known.value(profile)
        assert math.isclose(index.value(covers), wanted, rel_tol=1e-12, abs_tol=1e-12)
        assert math.isclose(index.value(profile), wanted, rel_tol=1e-12, abs_tol=1e-12)


def test_every_index_that_has_a_form_for_covers_is_named_once():
    named = [index.generalises for index in MADE_FOR_COVERS if index.generalises]
    assert len(named) == len(set(named)) == 8
    assert all(INDICES[name].sides == "partitions" for name in named)


@every(MADE_FOR_COVERS)
def test_a_changed_value_would_be_noticed(index, values):
    found = values(index)
    assert len({round(value, 9) for value in found.values()}) > 3
    assert max(found.values()) >= 1 - 1e-12
