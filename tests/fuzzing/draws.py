"""The partition nearest to a few draws, against all partitions of a few elements; and draws that are none."""

from itertools import combinations
from math import isfinite

import numpy as np
from universe import partitions

from concordant import core
from fuzzing.overlaps import codes
from fuzzing.refusals import answer, refused


def _disagreement(one, other):
    pairs = combinations(range(len(one)), 2)
    return sum((one[i] == one[j]) != (other[i] == other[j]) for i, j in pairs)


def nearest(random):
    """Under Binder's loss no partition of few elements is nearer than the one that is said to be proven."""
    size, count = random.randrange(1, 7), random.randrange(1, 5)
    drawn = [codes(random.randrange(3) for _ in range(size)) for _ in range(count)]
    cluster = np.array(drawn, dtype=np.int64).T.ravel()
    given = (np.ascontiguousarray(cluster), np.ones(size, dtype=np.int64), [1 / count] * count)
    threads = random.randrange(3)
    label, proven = core.consensus(
        *given, "binder", 1.0, 3, random.randrange(count), random.getrandbits(32), threads
    )
    best = min(sum(_disagreement(each, draw) for draw in drawn) for each in partitions(size))
    found = sum(_disagreement(label.tolist(), draw) for draw in drawn)
    assert found >= best
    if proven.all():
        assert found == best
    for loss in ("binder", "vi", "omari", "nvi", "id", "nid"):
        assert len(core.consensus(*given, loss, 1.0, 1, 0, 7, threads)[0]) == size
        assert all(map(isfinite, core.draw_overlaps(*given, loss, threads)))
    assert core.pair_bound(*given, 1.0, threads) <= 2 * best / count + 1e-9  # each pair both ways


def hostile(random):
    """Draws that do not fit together are refused, whatever they hold."""
    size, count = random.randrange(4), random.randrange(4)
    number = random.choice([-1, 0, 1, 2**31, 2**62, -(2**63)])
    cluster = np.full(random.choice([size * count, size * count + 1]), number, dtype=np.int64)
    weight = np.full(size, random.choice([-1, 0, 1, 2**30, 2**62]), dtype=np.int64)
    share = [random.choice([0.0, 1.0, -1.0, float("nan"), float("inf")])] * count
    answer(
        core.consensus,
        cluster,
        weight,
        share,
        "binder",
        1.0,
        random.choice([-1, 0, 1]),
        random.randrange(-1, 4),
        1,
        2,
    )
    answer(core.pair_bound, cluster, weight, share, 1.0, 2)
    answer(core.draw_overlaps, cluster, weight, share, "vi", 2)
    assert refused(
        core.consensus, np.zeros(3, dtype=np.int64), np.ones(2, dtype=np.int64), [1.0], "vi", 1.0, 1, 0, 1
    )
    assert refused(core.draw_overlaps, np.zeros(2, dtype=np.int64), np.ones(2, dtype=np.int64), [1.0], "none")


TARGETS = [nearest, hostile]
