"""Labels in runs, as in images and sorted files, with noise among them, against a dictionary."""

from collections import Counter

import numpy as np

from concordant import core
from fuzzing.buffers import INTEGERS, laid_out
from fuzzing.overlaps import codes
from fuzzing.refusals import refused

_LENGTHS = [1, 4095, 4096, 4097, 131_072, 131_073, 140_001]  # the core looks for runs from 2**17 elements on


def _labels(random, length):
    """Runs of every length, of few clusters or many, near one another or far apart, some elements changed."""
    dtype = np.dtype(random.choice(INTEGERS))
    low, high = (0, 1) if dtype.kind == "b" else (int(np.iinfo(dtype).min), int(np.iinfo(dtype).max))
    clusters, mean = random.choice([2, 100, 5000, length]), random.choice([3, 8, 20, 700, length])
    step = random.choice([1, 1, 3, max((high - low) // clusters, 1)])
    first = random.choice([low, 0, max(high - clusters * step, low)])
    held = np.empty(length, dtype=dtype)
    begin = 0
    while begin < length:
        end = begin + random.randint(1, 2 * mean - 1)
        held[begin:end] = min(first + step * random.randrange(clusters), high)
        begin = end
    for _ in range(random.choice([0, 0, 1, 50, length // 20])):
        held[random.randrange(length)] = random.choice([low, high, first])
    return _ordered(random, held)


def _ordered(random, held):
    """As they are, sorted either way, or like an image, whose lines are like the ones before."""
    order = random.choice(["none", "none", "up", "down", "lines"])
    if order == "lines":
        held = np.resize(held[: random.choice([64, 1024, 3000])], len(held))
    elif order != "none":
        held = np.sort(held)[:: 1 if order == "up" else -1]
    return np.roll(held, random.choice([0, 0, 1, 1023]))


def _runs(u, v):
    """The pairs of labels, in the order of first appearance, with how many elements have each."""
    changes = np.flatnonzero((u[1:] != u[:-1]) | (v[1:] != v[:-1])) + 1
    starts = [0, *changes.tolist()]
    ends = [*starts[1:], len(u)]
    pairs = zip(u[starts].tolist(), v[starts].tolist(), strict=True)
    cells = Counter()
    for pair, begin, end in zip(pairs, starts, ends, strict=True):
        cells[pair] += end - begin
    return cells


def _sizes(cells, side):
    sizes = Counter()
    for pair, n in cells.items():
        sizes[pair[side]] += n
    return sizes


def _check_counts(given, cells, dropped):
    """The profile and the sums of pairs, without the elements that have a dropped label."""
    cells = Counter({p: n for p, n in cells.items() if p[0] != dropped[0] and p[1] != dropped[1]})
    a, b = _sizes(cells, 0), _sizes(cells, 1)
    expected = Counter((n, a[i], b[j]) for (i, j), n in cells.items())
    columns, *kept, kept_squares = core.kept_profile(*given, *dropped)
    for triples in (core.profile(*given, *dropped), columns):
        n, x, y, count = (column.tolist() for column in triples)
        assert dict(zip(zip(n, x, y, strict=True), count, strict=True)) == expected
    for copy, labels in zip(kept, given, strict=False):
        assert np.array_equal(copy, np.asarray(labels))
    size, *squares = core.pair_sums(*given, *dropped)
    assert size == cells.total()
    assert squares == list(kept_squares) == [sum(x * x for x in side.values()) for side in (cells, a, b)]


def count(random):
    """Profile, pair sums and cells of labels in runs."""
    length = random.choice(_LENGTHS)
    u, v = _labels(random, length), _labels(random, length)
    cells = _runs(u, v)
    given = (laid_out(random, u), laid_out(random, v), random.randrange(5))
    dropped = tuple(random.choice([None, int(side[0]), int(side[-1]), 5]) for side in (u, v))
    _check_counts(given, cells, (None, None))
    _check_counts(given, cells, dropped)
    hostile = random.choice([2**64, -(2**63) - 1, "a", 1.5])
    assert all(refused(call, *given, None, hostile) for call in (core.profile, core.pair_sums))
    row, column, n, *_ = (part.tolist() for part in core.cells(*given))
    rows, columns = (codes(pair[side] for pair in cells) for side in (0, 1))
    found = dict(zip(zip(row, column, strict=True), n, strict=True))
    assert found == dict(zip(zip(rows, columns, strict=True), cells.values(), strict=True))


TARGETS = [count]
