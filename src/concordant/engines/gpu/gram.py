"""Soft partitions on a GPU: weights as whole units, and exact sums of their products.

A unit is split into limbs of 14 bits. Products of limbs have 28 bits, so sums of 2²⁵ of them are exact in
floating point, and one matrix product has all of them. Python's integers put the limbs together.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from concordant.engines.gpu.device import DeviceArray

UnitCells = dict[int, int]  # exact sums by the number of the cell, row by row; no zeros

_BITS = 14
_LIMBS = 4  # of a unit, which has up to 54 bits
_NORM_LIMBS = 8  # of a sum of squared units, which has up to 107 bits
_MASK = (1 << _BITS) - 1
_BYTES = 2**30  # of limbs at a time
_ROWS = 2**24  # at a time, at most
_HALF = 26  # bits of the lower half of a unit


def gram_sums(cupy: Any, u: DeviceArray, v: DeviceArray) -> tuple[Any, ...]:
    """U'U, U'V, V'V (upper triangles), column sums, and Σa, Σb, Σa², Σab, Σb² of a = |u|², b = |v|²."""
    width, length = u.shape[1], v.shape[1]
    products: dict[tuple[int, int], int] = {}
    sums = [0] * (width + length)
    norms = [0] * 3
    for rows in _chunks(u.shape[0], width + length):
        split = [_limbs(cupy, side[rows]) for side in (u, v)]
        wide = cupy.concatenate([*split[0], *split[1]], axis=1)
        columns = [(i, k) for k in range(_LIMBS) for i in range(width)]
        columns += [(width + j, k) for k in range(_LIMBS) for j in range(length)]
        table = cupy.asnumpy(wide.T @ wide)
        for (i, k), row in zip(columns, table.tolist(), strict=True):
            for (j, other), value in zip(columns, row, strict=True):
                if j >= i and value:
                    products[i, j] = products.get((i, j), 0) + (int(value) << (_BITS * (k + other)))
        for (i, k), value in zip(columns, cupy.asnumpy(wide.sum(axis=0)).tolist(), strict=True):
            sums[i] += int(value) << (_BITS * k)
        both = cupy.concatenate([_norm_limbs(cupy, each) for each in split], axis=1)
        table = cupy.asnumpy(both.T @ both)
        for place, (one, other_side) in enumerate(((0, 0), (0, 1), (1, 1))):
            for k in range(_NORM_LIMBS):
                for other in range(_NORM_LIMBS):
                    value = table[one * _NORM_LIMBS + k, other_side * _NORM_LIMBS + other]
                    norms[place] += int(value) << (_BITS * (k + other))
    uu = {i * width + j: value for (i, j), value in products.items() if j < width}
    uv = {i * length + j - width: value for (i, j), value in products.items() if i < width <= j}
    vv = {(i - width) * length + j - width: value for (i, j), value in products.items() if i >= width}
    a = sum(uu.get(i * width + i, 0) for i in range(width))
    b = sum(vv.get(j * length + j, 0) for j in range(length))
    u_sums, v_sums = ({i: x for i, x in enumerate(part) if x} for part in (sums[:width], sums[width:]))
    return uu, uv, vv, u_sums, v_sums, a, b, *norms


def overlap_sums(cupy: Any, u: DeviceArray, v: DeviceArray) -> UnitCells:
    """For each two columns the sum over the rows of the smaller of both units."""
    length = v.shape[1]
    found: UnitCells = {}
    for rows in _chunks(u.shape[0], length):
        part, other = u[rows], v[rows]
        for i in range(u.shape[1]):
            smaller = cupy.minimum(part[:, i : i + 1], other)
            # Each half is below 2²⁸, so its sums are exact.
            low, high = (smaller & ((1 << _HALF) - 1)).sum(axis=0), (smaller >> _HALF).sum(axis=0)
            both = zip(cupy.asnumpy(low).tolist(), cupy.asnumpy(high).tolist(), strict=True)
            for j, (below, above) in enumerate(both):
                if value := below + (above << _HALF):
                    found[i * length + j] = found.get(i * length + j, 0) + value
    return found


def _chunks(size: int, columns: int) -> Iterator[slice]:
    step = max(1, min(_ROWS, _BYTES // (8 * _LIMBS * columns)))
    return (slice(begin, min(begin + step, size)) for begin in range(0, size, step))


def _limbs(cupy: Any, units: DeviceArray) -> list[DeviceArray]:
    """The limbs of all units, lowest first, as floating-point numbers."""
    return [((units >> (_BITS * k)) & _MASK).astype(cupy.float64) for k in range(_LIMBS)]


def _norm_limbs(cupy: Any, limbs: list[DeviceArray]) -> DeviceArray:
    """The limbs of the sum of squared units of each row, a column for each."""
    carry = cupy.zeros(limbs[0].shape[0], dtype=cupy.int64)
    found = []
    for place in range(_NORM_LIMBS):
        for k in range(max(0, place - _LIMBS + 1), min(place, _LIMBS - 1) + 1):
            carry = carry + (limbs[k] * limbs[place - k]).sum(axis=1).astype(cupy.int64)
        found.append((carry & _MASK).astype(cupy.float64))
        carry = carry >> _BITS
    return cupy.stack(found, axis=1)
