"""Ids that are joined, and clusters that are shared, against dictionaries and all pairs."""

from itertools import chain

import numpy as np

from concordant import core
from fuzzing.buffers import integers
from fuzzing.refusals import refused


def _first_repetition(ids):
    seen = {}
    for position, each in enumerate(ids):
        if each in seen:
            return position
        seen[each] = position
    return None


def match(random):
    """match_records against a dictionary."""
    lengths = [random.choice([0, 1, 3, 40, 2000]) for _ in range(2)]
    (u, u_ids), (v, v_ids) = (integers(random, length) for length in lengths)
    if np.asarray(u_ids).dtype.kind != np.asarray(v_ids).dtype.kind:
        return  # only signed with signed, unsigned with unsigned
    here, there, only_u, only_v, in_u, in_v = core.match_records(u_ids, v_ids, random.randrange(5))
    first = {each: len(u) - 1 - i for i, each in enumerate(reversed(u))}
    assert list(zip(here.tolist(), there.tolist(), strict=True)) == [
        (first[each], j) for j, each in enumerate(v) if each in first
    ]
    assert only_u.tolist() == sorted(set(range(len(u))) - set(here.tolist()))
    assert only_v.tolist() == [j for j, each in enumerate(v) if each not in first]
    for ids, repetition in ((u, in_u), (v, in_v)):
        again = _first_repetition(ids)
        assert (repetition is None) == (again is None)
        if repetition is not None:
            assert repetition[1] == again
            assert repetition[0] < again
            assert ids[repetition[0]] == ids[again]


def _memberships(random, types):
    clusters = [sorted(random.sample(range(6), random.randrange(4))) for _ in range(types)]
    starts = np.cumsum([0, *map(len, clusters)])
    return clusters, starts.astype(np.int64), np.array(list(chain(*clusters)), dtype=np.int64)


def share(random):
    """shared_clusters, both ways, against all pairs."""
    types = random.randrange(8)
    u, u_start, u_cluster = _memberships(random, types)
    v, v_start, v_cluster = _memberships(random, types)
    elements = [random.choice([1, 2, 5, 10**6]) for _ in range(types)]
    expected = {}
    for x in range(types):
        for y in range(types):
            p, q = len(set(u[x]) & set(u[y])), len(set(v[x]) & set(v[y]))
            others = elements[y] - (x == y)
            if (p or q) and others:
                expected[x, p, q] = expected.get((x, p, q), 0) + others
    expected = {key: others for key, others in expected.items() if others}
    given = (u_start, u_cluster, v_start, v_cluster, np.array(elements, dtype=np.int64))
    for by_subsets in (True, False):
        found = core.shared_clusters(*given, by_subsets, random.randrange(4))
        type_, p, q, count = (column.tolist() for column in found)
        assert dict(zip(zip(type_, p, q, strict=True), count, strict=True)) == expected
    broken = list(given)
    broken[random.choice([0, 2])] = np.array([random.choice([-1, 0, 1, 2**62])], dtype=np.int64)
    broken[4] = np.ones(1, dtype=np.int64)
    assert refused(core.shared_clusters, *broken, bool(random.randrange(2)), 1)


TARGETS = [match, share]
