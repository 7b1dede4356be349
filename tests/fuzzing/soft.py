"""Soft partitions: Gram matrices against plain sums, and rows that are not as promised."""

import contextlib

import numpy as np

from concordant import core

_MOST = 2**53


def _rows(random, length):
    """Rows of units as a list, and in one of the two forms that the core takes."""
    columns = random.choice([1, 2, 7])
    units = [
        [random.choice([0, 0, 1, _MOST, random.randrange(_MOST)]) for _ in range(columns)]
        for _ in range(length)
    ]
    if random.random() < 0.5:
        return units, (None, None, np.array(units, dtype=np.int64).reshape(-1), columns)
    kept = [[(i, unit) for i, unit in enumerate(row) if unit] for row in units]
    start = np.cumsum([0, *map(len, kept)], dtype=np.int64)
    column, unit = np.array([each for row in kept for each in row], dtype=np.int64).reshape(-1, 2).T
    return units, (start, column.copy(), unit.copy(), columns)


def _totals(matrix):
    """Sums by cell; words are low and high."""
    cell, low, high = matrix.tolist()
    return {each: (upper << 64) + (lower % 2**64) for each, lower, upper in zip(cell, low, high, strict=True)}


def gram(random):
    """soft_gram() and soft_overlaps() against Python's integers."""
    length = random.choice([0, 1, 5, 300])
    (u, u_rows), (v, v_rows) = _rows(random, length), _rows(random, length)
    products, smaller = {}, {}
    for one, other in zip(u, v, strict=True):
        for i, a in enumerate(one):
            for j, b in enumerate(other):
                cell = i * v_rows[3] + j
                products[cell] = products.get(cell, 0) + a * b
                smaller[cell] = smaller.get(cell, 0) + min(a, b)
    threads = random.randrange(4)
    for found, expected in (
        (core.soft_gram(u_rows, v_rows, threads)[1], products),
        (core.soft_overlaps(u_rows, v_rows, threads), smaller),
    ):
        assert _totals(found) == {cell: total for cell, total in expected.items() if total}


def hostile(random):
    """Units out of range and rows that do not fit are refused."""
    length = random.choice([0, 1, 5, 300])
    sides = []
    for _ in range(2):
        start, column, units, columns = _rows(random, length)[1]
        for values in (start, column, units):
            if values is not None and len(values) and random.random() < 0.4:
                values[random.randrange(len(values))] = random.choice(
                    [-1, columns, _MOST + 1, 2**62, -(2**63)]
                )
        if random.random() < 0.2:
            columns = random.choice([0, columns + 1, 2**40])
        if random.random() < 0.2:
            units = units[:-1].copy()
        sides.append((start, column, units, columns))
    for call in (core.soft_gram, core.soft_overlaps):
        with contextlib.suppress(ValueError, OverflowError, MemoryError):
            call(*sides)


TARGETS = [gram, hostile]
