"""The claims of an index, each turned into a law that can be broken.

``LAWS`` checks every claim on all partitions of up to five elements; ``all_hold(index)`` asks all. It is
given an index as it was declared, or with parameters set: then the claims are those that the declaration
keeps up for these parameters, and there are no worked examples.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, fields
from functools import cache, lru_cache, wraps
from itertools import chain, permutations, product

import enumeration
import numpy as np
import universe
from inner import INDICES, DirichletReduced, Index, Information, PairCounts, PartialCounts, QInformation

import concordant as cc
from concordant.errors import NotRationalError, UndefinedError

SIZES = range(universe.LARGEST + 1)
PARTIAL_SIZE = 3  # elements of which each side may lack some
ORDERS = 2  # of the clusters, in which the exact value is asked for
CLOSE = {"rel_tol": 1e-12, "abs_tol": 1e-12}


# A value takes milliseconds.
SLOW = {DirichletReduced, QInformation}


class Remembering(Index):
    """An index that computes its formula once for each profile, however many laws ask for it.

    Of profiles that differ by the order of their clusters it computes one. test_indices.py computes all.
    """

    orders = 1

    def evaluate(self, profile, exact=False):
        profile = universe.one_of_its_kind(profile, self.orders)
        known = _KNOWN.setdefault((self.compute, self.name), {})
        if (profile, exact) not in known:
            try:
                known[profile, exact] = super().evaluate(profile, exact)
            except ZeroDivisionError:
                known[profile, exact] = None
        if known[profile, exact] is None:
            raise ZeroDivisionError
        return known[profile, exact]


_KNOWN = {}


class InSeveralOrders(Remembering):
    """The same for four profiles that differ by the order of their clusters."""

    orders = universe.ORDERS


def remembered(name, kind=Remembering, **arguments):
    """The index of that name, which remembers its values, also with other claims."""
    return kind(**declaration(INDICES[name].bind(**arguments)))


def declaration(index):
    """The fields of an index, without what it computes of them."""
    return {field.name: getattr(index, field.name) for field in fields(index)}


def with_changed_value(index, change):
    """The same claims, made of a formula whose value is changed."""

    @wraps(index.compute)
    def changed(*views, **arguments):
        return change(index.compute(*views, **arguments))

    class Changed(Index):
        def evaluate(self, profile, exact=False):
            return change(index.evaluate(profile, exact))

    return Changed(**{**declaration(index), "compute": changed})


def all_hold(index):
    """Whether all claims of this index hold; the first that does not ends the search."""
    return all(law(index) for law in LAWS.values())


@dataclass(frozen=True)
class Broken:
    """The answer of a law that does not hold: false, with a counterexample."""

    example: str

    def __bool__(self):
        return False


def broken_where(wrong, sides):
    """By the first pair of sides for which the matrix says that a value is wrong."""
    i, j = np.argwhere(wrong)[0]
    return Broken(f"{sides[i]} against {sides[j]}")


def raw(index, profile):
    """The formula's own value, None where it is 0/0."""
    try:
        return float(index.evaluate(profile))
    except ZeroDivisionError:
        return None


def same(x, y):
    return (math.isnan(x) and math.isnan(y)) or x == y


@lru_cache(maxsize=4096)
def value_by_profile(index, size):
    """Of profiles that differ by the order of their clusters, as many are evaluated as `Remembering` has."""
    found = {kind: index.value(kind) for kind in evaluated(index, size)}
    kinds = universe.one_of_each_kind(size, getattr(index, "orders", 1))
    return {profile: found[kind] for profile, kind in kinds.items()}


def evaluated(index, size):
    """The profiles of that many elements for which the formula is computed."""
    return _kinds(size, getattr(index, "orders", 1))


@cache
def _kinds(size, orders):
    return tuple(dict.fromkeys(universe.one_of_each_kind(size, orders).values()))


@lru_cache(maxsize=4096)
def values(index, size):
    """The values of all pairs of partitions of that many elements, as a matrix."""
    return np.array([*value_by_profile(index, size).values()])[universe.places(size)]


@lru_cache(maxsize=4096)
def partial_overlap_values(index):
    """The values of all pairs of partitions of subsets of a few elements, as a matrix."""
    sides = universe.partial_partitions(PARTIAL_SIZE)
    return np.array([[index.value(universe.partial_overlap(u, v)) for v in sides] for u in sides])


def holds_where_sides_have_elements_of_their_own(index):
    """Its range, its perfect value and its exact form; no value is missing."""
    if not index.partial_overlap:
        return True
    sides, found = universe.partial_partitions(PARTIAL_SIZE), partial_overlap_values(index)
    if (wrong := ~((index.range[0] <= found) & (found <= index.range[1]))).any():
        return broken_where(wrong, sides)
    if index.perfect is not None and (wrong := np.diag(found.diagonal() != index.perfect)).any():
        return broken_where(wrong, sides)
    try:
        exact = [[float(index.exact(universe.partial_overlap(u, v))) for v in sides] for u in sides]
    except NotRationalError:
        return True
    return broken_where(found != exact, sides) if np.any(found != exact) else True


def range_is_held(index):
    for size in SIZES:
        low, high = index.bounds(size)
        found = values(index, size)
        if (wrong := ~(np.isnan(found) | ((low <= found) & (found <= high)))).any():
            return broken_where(wrong, universe.partitions(size))
    return True


def undefined_only_where_declared(index):
    """No value is missing, and no formula is 0/0 for different partitions, unless the index says so."""
    if index.undefined is None:
        for profile in chain.from_iterable(evaluated(index, size) for size in SIZES):
            settled = index.perfect is not None and profile.identical
            if not settled and raw(index, profile) is None:
                return False
    may_be_nan = index.undefined is not None and math.isnan(index.undefined)
    return may_be_nan or not any(np.isnan(values(index, size)).any() for size in SIZES)


def _ends_reached(index):
    """For each end of the range, whether some pair of partitions attains it; infinite ends need not be."""
    reached = [math.isinf(index.bounds(universe.LARGEST)[k]) for k in (0, 1)]
    for size in SIZES[2:]:
        found = values(index, size)
        for k, end in enumerate(index.bounds(size)):
            reached[k] |= bool(np.any(np.isclose(found, end, rtol=1e-12, atol=1e-12)))
    return reached


def range_is_reached(index):
    reached = all(_ends_reached(index))
    infinite = any(math.isinf(end) for end in index.bounds(universe.LARGEST))
    return reached if index.tight else (infinite or not reached)


def identical_partitions_are_perfect(index):
    diagonal = [(u, universe.profile(u, u)) for size in SIZES for u in universe.partitions(size)]
    found = [raw(index, profile) for u, profile in diagonal if len(u) >= 2]
    known = [x for x in found if x is not None]
    if index.perfect is None:
        return len({round(x, 9) for x in known}) > 1
    official = all(index.value(profile) == index.perfect for _, profile in diagonal)
    return official and all(math.isclose(x, index.perfect, **CLOSE) for x in known)


def mirror_holds(index):
    differs = False
    mirror = index  # where it is symmetric, so that a changed copy is held against itself
    if index.mirror and not index.symmetric:
        kind = InSeveralOrders if isinstance(index, InSeveralOrders) else Remembering
        mirror = remembered(index.mirror, kind, **index.arguments)
    for size in SIZES:
        forward, backward = values(index, size), values(mirror, size).T
        equal = (forward == backward) | (np.isnan(forward) & np.isnan(backward))
        if index.mirror and not equal.all():
            return broken_where(~equal, universe.partitions(size))
        own = values(index, size)
        differs |= not ((own == own.T) | np.isnan(own)).all()
    if index.partial_overlap:
        forward, backward = partial_overlap_values(index), partial_overlap_values(mirror).T
        if index.mirror and not (forward == backward).all():
            return False
        differs |= not (forward == forward.T).all()
    return differs != index.symmetric


def is_a_metric(index):
    if not index.metric:
        return True
    for size in SIZES:
        distance = np.abs(index.perfect - values(index, size))
        known = ~np.isnan(distance)
        apart = ~np.eye(len(distance), dtype=bool)
        if (wrong := known & apart & (distance <= 1e-12)).any():
            return broken_where(wrong, universe.partitions(size))
        # d(i, k) <= d(i, j) + d(j, k) for every j
        detour = distance[:, :, None] + distance[None, :, :]
        if (wrong := distance[:, None, :] > detour + 1e-9).any():
            return broken_where(wrong.any(axis=1), universe.partitions(size))
    return True


def is_adjusted(index):
    """Shuffling the elements gives zero on average, for every pair of shapes it is defined on."""
    if not index.adjusted:
        return True
    for size in SIZES[2:]:
        value = {profile: raw(index, profile) for profile in _kinds(size, 1)}
        for shuffled in _shuffled_counts(size):
            found = {profile: value[profile] for profile in shuffled}
            if None in found.values():
                continue
            if abs(total := math.fsum(x * shuffled[profile] for profile, x in found.items())) > 1e-9:
                u, v = universe.profiles(size)[next(iter(found))]
                return Broken(f"{u} against all orders of {v}: the sum is {total}")
    return True


def is_linear(index):
    """The mean over all permutations is the formula of the mean counts, wherever it is defined for all."""
    if not index.linear:
        return True
    for shuffled in chain(*map(_shuffled_counts, SIZES[2:]), _larger_counts()):
        values = {profile: raw(index, profile) for profile in shuffled}
        if None not in values.values():
            total = math.fsum(values[profile] * many for profile, many in shuffled.items())
            mean = total / sum(shuffled.values())
            if not math.isclose(index.by_chance(next(iter(shuffled))), mean, rel_tol=1e-9, abs_tol=1e-9):
                return False
    return True


@cache
def _shuffled_counts(size):
    """For every pair of shapes, how many orders of the elements give each profile.

    Profiles that differ by the order of their clusters count as one.
    """
    shapes = {universe.shape(u): u for u in universe.partitions(size)}.values()
    kinds = universe.one_of_each_kind(size, 1)
    return [
        Counter(
            kinds[universe.profile(u, universe.canonical(v[i] for i in order))]
            for order in permutations(range(size))
        )
        for u, v in product(shapes, repeat=2)
    ]


@cache
def _larger_counts():
    """The same of some larger shapes, where more than one sum can change sides."""
    shapes = ((3, 2, 2), (4, 2, 1)), ((4, 3), (3, 2, 2)), ((5, 3), (4, 4))
    return [
        {
            cc.Comparison.from_contingency(table)._counts: many
            for table, many in enumeration.cells_of_all_shuffles(*pair)
        }
        for pair in shapes
    ]


def shares_what_it_says(index):
    """For given cluster sizes it is one to one with what it shares, and always rises or always falls."""
    if index.shares is None:
        return True
    shared = SHARED[index.shares]
    for shuffled in chain(*map(_shuffled_counts, SIZES[2:]), _shuffled_many()):
        value = {profile: raw(index, profile) for profile in shuffled}
        found = {(shared(profile), y) for profile, y in value.items() if y is not None}
        if not _rises_or_falls(sorted(found)):
            return False
    return index.shares != "n11" or index.views != (PairCounts,) or _shares_n11_of_any_size(index)


SHARED = {
    "n11": cache(lambda profile: profile.view(PairCounts).n11),
    "information": cache(lambda profile: round(profile.view(Information).mutual, 12)),
}


def _rises_or_falls(points):
    """Whether the values at one place are one value, and those of all places rise or fall."""
    places = {}
    for x, y in points:
        if not math.isclose(places.setdefault(x, y), y, **CLOSE):
            return False
    steps = np.diff(list(places.values()))
    return bool(np.all(steps > 1e-12) or np.all(steps < -1e-12))


@cache
def _shuffled_many():
    """Some permutations of more elements, which order N₁₁, the information and best partners differently."""
    random = np.random.default_rng(20261115)
    shapes = (
        ("aaaaaabbbbcccd", "aaaaabbbbccddd"),
        ("aaabbbccddeeff", "aaaabbbbccccdd"),
        ("aaaaaaabbb", "aaaaabbbcc"),
    )
    return [
        {
            universe.profile(universe.canonical(u), universe.canonical(random.permutation(list(v)).tolist()))
            for _ in range(25)
        }
        for u, v in shapes
    ]


def _shares_n11_of_any_size(index):
    """The same on counts of pairs of larger sets, every N₁₁ that goes with their u and v."""
    random = np.random.default_rng(20261115)
    for _ in range(16):
        size = int(random.integers(6, 30))
        every = size * (size - 1) // 2
        u, v = (int(x) for x in random.integers(1, every, 2))
        points = []
        for n11 in range(max(u + v - every, 0), min(u, v) + 1):
            pairs = PairCounts(n11, u - n11, v - n11, every - u - v + n11, size)
            value = raw(index, PartialCounts.of_pairs(pairs))
            points += [(n11, value)] if value is not None and math.isfinite(value) else []
        if not _rises_or_falls(points):
            return False
    return True


def exact_form_agrees(index):
    """Where the value is rational, the float is that number correctly rounded, in all orders of clusters."""
    for size in SIZES:
        value = value_by_profile(index, size)
        for pair, profiles in universe.reordered(size):
            try:
                exact = {float(index.exact(profile)) for profile in profiles[:ORDERS]}
            except (NotRationalError, UndefinedError):
                continue
            if exact != {value[profile] for profile in profiles}:
                return Broken("{} against {}".format(*pair))
    return True


def worked_examples_come_out(index):
    if not index.worked:
        return index.declared is not None
    for u, v, expected in index.worked:
        value = index.value(universe.profile(universe.canonical(u), universe.canonical(v)))
        if not (same(value, expected) or math.isclose(value, expected, **CLOSE)):
            return Broken(f"{u} against {v} is {value}, not {expected}")
    return True


# Each law with what to change in the declaration, or in the formula, if it fails.
_REMEDIES = {
    range_is_held: "a value is outside its range: widen range=, or correct the formula",
    undefined_only_where_declared: "the formula is 0/0, or a value is NaN: declare undefined=",
    range_is_reached: "no partitions reach an end of range=, or all do though tight=False: correct either",
    identical_partitions_are_perfect: "identical partitions do not all have the value perfect=: correct it",
    mirror_holds: "swapping the partitions does not give mirror=: name the index that it gives, or None",
    is_a_metric: "different partitions have distance zero, or the triangle inequality fails: drop metric=",
    is_adjusted: "the mean over all permutations is not zero: drop adjusted=, or correct the formula",
    is_linear: "the mean over all permutations is not the formula of the mean counts: drop linear=",
    shares_what_it_says: "it does not rise or fall with what shares= names: drop it, or name the other",
    exact_form_agrees: "exact() differs from the value: use one division, or add Fractions",
    worked_examples_come_out: "a worked example has another value: correct worked= or the formula",
    holds_where_sides_have_elements_of_their_own: (
        "fails where each side has elements of its own: drop partial_overlap=, or correct of_partial_overlap"
    ),
}
LAWS = {law.__name__: law for law in _REMEDIES}


def broken(index):
    """For each law that fails: the index, the law, a counterexample where it gives one, and what to do."""
    answers = {name: (law, law(index)) for name, law in LAWS.items()}
    return [
        f"{index.name}: {name} fails; {_REMEDIES[law]}; {getattr(answer, 'example', 'of all partitions')}"
        for name, (law, answer) in answers.items()
        if not answer
    ]
