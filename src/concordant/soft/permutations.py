"""Σpq when the records of one side are permuted: its moments, its value for an order, and all its values.

p − mean is a product of rows with one more column, of negative sign, so no matrix of pairs is needed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from concordant.counts.contingency_enumeration import all_tables
from concordant.counts.profile import Profile
from concordant.engines import memory
from concordant.errors import TooLargeError
from concordant.maths.arithmetic import Floats, Integers
from concordant.maths.mantel import MantelSums
from concordant.soft.memberships import Memberships

_MOST_CUBES = 64  # columns whose triple products are summed
_MOST_RECORDS = 1000  # whose matrix of pairs is made
_BLOCK = 4096  # rows

_MOST_TABLES = 500_000
_MOST_CELLS = 5 * 10**7  # of all tables, in memory
_DIGITS = 12  # in which equal rows agree
_FEW_ROWS = 2**11  # whose products need no second thread, which would mostly wait


def mantel_sums(side: Memberships) -> MantelSums:
    """Sums over the pairs of one side; those of labels follow from the sizes of the clusters."""
    if side.is_hard:
        sizes = Counter(units // side.scale for units in side.column_sums())
        sizes[1] += len(side) - sum(size * count for size, count in sizes.items())  # in no cluster
        return MantelSums.of_sizes(sizes)
    return _of_rows(side) if side.columns <= _MOST_CUBES else MantelSums.of_matrix(together(side))


def together(side: Memberships) -> NDArray[np.float64]:
    """The probability that each two records are together."""
    if len(side) > _MOST_RECORDS:
        raise TooLargeError(
            f"the moments of more than {_MOST_CUBES} clusters are computed for up to "
            f"{_MOST_RECORDS:,} records, and there are {len(side):,}; use a sample of the records"
        )
    weights = side.weights()
    return weights @ weights.T


def _of_rows(side: Memberships) -> MantelSums:
    """The sums of weights; the sum of cubes takes O(n K³)."""
    n, gram, sums = len(side), np.zeros((side.columns, side.columns)), np.zeros(side.columns)
    tensor = np.zeros((side.columns, side.columns, side.columns))
    squares_sum = cubes_of_norms = 0.0
    for weights in _blocks(side):
        gram += weights.T @ weights
        sums += weights.sum(axis=0)
        products = (weights[:, :, None] * weights[:, None, :]).reshape(len(weights), -1)
        tensor += (products.T @ weights).reshape(tensor.shape)
        norms = (weights * weights).sum(axis=1)
        squares_sum += float(norms.sum())
        cubes_of_norms += float((norms**3).sum())
    mean = (float(sums @ sums) - squares_sum) / (n * (n - 1))
    # Rows f with the inner product of signature (1, …, 1, −1): f·f′ = p − mean, also on the diagonal.
    signed = np.zeros((side.columns + 1, side.columns + 1))
    signed[:-1, :-1], signed[-1, -1] = gram, n * mean
    signed[:-1, -1] = signed[-1, :-1] = np.sqrt(mean) * sums
    sign = np.append(np.ones(side.columns), -1.0)
    whole = signed * sign  # F′F J
    triangles = float(np.trace(whole @ whole @ whole))
    squares = row_squares = row_cubes = rows_by_squares = diagonal_rows = 0.0
    weighted = np.zeros(side.columns + 1)  # F′r
    for weights in _blocks(side):
        f = np.concatenate([weights, np.full((len(weights), 1), np.sqrt(mean))], axis=1)
        own = (weights * weights).sum(axis=1) - mean  # the diagonal
        r = weights @ sums - n * mean - own
        of_row = np.einsum("xi,ij,xj->x", f * sign, signed, f * sign, optimize=True)  # Σ d², with itself
        square = of_row - own**2
        squares += float(square.sum())
        row_squares += float(r @ r)
        row_cubes += float((r**3).sum())
        rows_by_squares += float(r @ square)
        weighted += f.T @ r
        diagonal_rows += float(own @ r**2)
        # tr (M − D)³ = tr M³ − 3 tr M²D + 3 tr M D² − tr D³, and M has the same diagonal as D.
        triangles += float(-3 * (own @ of_row) + 2 * (own**3).sum())
    together_squared = float((gram * gram).sum()) - _sum_of_norm_squares(side)
    cubes = float((tensor * tensor).sum()) - cubes_of_norms
    total = mean * n * (n - 1)
    cubes += -3 * mean * together_squared + 3 * mean**2 * total - n * (n - 1) * mean**3
    return MantelSums(
        mean,
        squares,
        cubes,
        row_squares,
        row_cubes,
        rows_by_squares,
        float(weighted @ (sign * weighted)) - diagonal_rows,
        triangles,
    )


def _sum_of_norm_squares(side: Memberships) -> float:
    return sum(float((((weights * weights).sum(axis=1)) ** 2).sum()) for weights in _blocks(side))


def _blocks(side: Memberships) -> Iterator[NDArray[np.float64]]:
    for begin in range(0, len(side), _BLOCK):
        yield side.piece(slice(begin, min(begin + _BLOCK, len(side)))).weights()


# -- permuted records ---------------------------------------------------------------------------------------


def by_content(side: Memberships) -> Memberships:
    """The rows in an order that does not depend on the order of the records, so neither do permutations."""
    weights = side.weights()
    values = np.sort(weights, axis=0)
    columns = np.lexsort((values.sum(axis=0), (values * values).sum(axis=0)))
    return side.taken(np.lexsort(weights[:, columns].T))


def sum_by_order(u: Memberships, v: Memberships) -> Callable[[Integers], float]:
    """Σpq as a function of the order of the candidate's records."""
    weights, others = u.weights(), v.weights()
    a, b = (weights**2).sum(axis=1), (others**2).sum(axis=1)

    def of_rows(order: Integers) -> float:
        permuted = others.take(order, axis=0)
        table = np.zeros((weights.shape[1], others.shape[1]))
        for begin in range(0, len(order), _FEW_ROWS):
            rows = slice(begin, begin + _FEW_ROWS)
            table += weights[rows].T @ permuted[rows]
        return float(((table * table).sum() - (a * b.take(order)).sum()) / 2)

    return of_rows


def hard_profile(u: Memberships, v: Memberships) -> Profile | None:
    """The counts of two sides that are labels, whose Σpq is N₁₁; None if a side has weights.

    A record in no cluster is together with no other record, as a singleton is.
    """
    codes = []
    for side in (u, v):
        if not side.is_hard:
            return None
        own, weight, _ = side.largest()
        codes.append(np.where(weight > 0, own, side.columns + np.arange(len(side))))
    return memory.profile(codes[0], codes[1], 1)


def all_sums(u: Memberships, v: Memberships) -> tuple[Floats, Floats] | None:
    """Σpq of every permutation of the records, and the share of each value; None if there are too many.

    Records with equal rows are interchangeable, so a table of different rows determines Σpq.
    """
    one, other = _different_rows(u), _different_rows(v)
    if one is None or other is None:
        return None
    tables = all_tables(one[1], other[1], _MOST_TABLES, _MOST_CELLS)
    if tables is None:
        return None
    p, q = together(u.taken(one[0])), together(v.taken(other[0]))
    log_factorial = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, len(u) + 1)))])
    own = np.outer(np.diag(p), np.diag(q))
    sums, log_ways = np.empty(len(tables)), np.empty(len(tables))
    for begin in range(0, len(tables), _BLOCK):
        counts = tables[begin : begin + _BLOCK]
        block, held = slice(begin, begin + len(counts)), counts.astype(np.float64)
        pairs = (p @ held @ q * held).sum(axis=(1, 2))
        sums[block] = (pairs - (held * own).sum(axis=(1, 2))) / 2
        log_ways[block] = -log_factorial[counts].sum(axis=(1, 2))
    ways = np.exp(log_ways - log_ways.max())
    return sums, ways / ways.sum()


def _different_rows(side: Memberships) -> tuple[Integers, Integers] | None:
    """The first record with each different row, and how many have it; None if there are too many rows."""
    table = np.round(side.weights(), _DIGITS)
    for rows in (table[: _MOST_RECORDS + 1], table):  # most large tables are ruled out by their beginning
        _, first, count = np.unique(rows, axis=0, return_index=True, return_counts=True)
        if len(first) > _MOST_RECORDS:
            return None
    return first, count
