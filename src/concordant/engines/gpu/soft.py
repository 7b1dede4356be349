"""Soft partitions on a GPU: weights as whole units, and exact sums of their products.

A unit is split into limbs of 14 bits. Products of limbs have 28 bits, so sums of 2²⁵ of them are exact in
floating point, and one matrix product has all of them. Python's integers put the limbs together.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from concordant.clusterings.alignment import THE_SIDES
from concordant.clusterings.device import DeviceArray, device_of, explained, imported
from concordant.clusterings.soft_data import DeviceSoft
from concordant.counts.conventions import Conventions
from concordant.counts.memberships import UNITS
from concordant.counts.soft import Gram, SoftCells, SoftSides
from concordant.counts.spelling import counted
from concordant.errors import InputError, LengthError, ParameterError, SoftError

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


class DeviceSides(SoftSides):
    """Both sides on one GPU, row by row."""

    def __init__(self, sides: tuple[DeviceSoft, DeviceSoft]) -> None:
        u, v = sides
        self._units, self.size, self.scale, self.exact = (u.units, v.units), len(u), UNITS, False
        self.clusters, self.columns = (u.clusters, v.clusters), (len(u.clusters), len(v.clusters))
        self._records, self.audit = None, {}
        for title, side in zip(("reference", "candidate"), sides, strict=True):
            self.audit |= {f"{title}_{key}": found for key, found in side.audit.items()}

    @property
    def are_draws(self) -> bool:
        return False

    @property
    def sides(self) -> Any:  # type: ignore[override]  # not in memory
        return self.memberships

    @property
    def memberships(self) -> Any:
        raise SoftError(
            "the weights are on a GPU, and this needs the rows of both sides in memory; copy the matrices, "
            "as in cupy.asnumpy(array)"
        )

    def gram(self, threads: int) -> Gram:  # noqa: ARG002  (of the host)
        gram, cupy = Gram(self.columns, self.scale), imported()
        with explained(cupy), cupy.cuda.Device(device_of(cupy, self._units[0])):
            gram.add_sums(gram_sums(cupy, *self._units), self.size)
        return gram

    def overlaps(self, threads: int) -> SoftCells:  # noqa: ARG002  (of the host)
        cupy = imported()
        with explained(cupy), cupy.cuda.Device(device_of(cupy, self._units[0])):
            return overlap_sums(cupy, *self._units)

    def rest_units(self) -> tuple[int, int, int]:
        return 0, 0, 0


def device_sides(reference: Any, candidate: Any, conventions: Conventions) -> DeviceSides:
    """Both sides of a comparison on one GPU."""
    u, v = reference, candidate
    if not (isinstance(u, DeviceSoft) and isinstance(v, DeviceSoft)):
        there, here = THE_SIDES if isinstance(u, DeviceSoft) else THE_SIDES[::-1]
        raise InputError(
            f"the weights of {there} are on a GPU and {here} is not; copy the weights of {here} to the GPU, "
            f"or those of {there} to memory; data is never copied implicitly"
        )
    for option in ("threads", "where"):
        if value := getattr(conventions, option):
            raise ParameterError("this needs weights in memory", given={option: value})
    cupy = imported()
    places = [device_of(cupy, each.units) for each in (u, v)]
    if places[0] != places[1]:
        raise InputError(
            f"the reference is on GPU {places[0]} and the candidate on GPU {places[1]}; copy one of them"
        )
    if len(u) != len(v):
        raise LengthError(
            f"the reference has {counted(len(u), 'record')} and the candidate {len(v):,}; on a GPU they "
            "match by position"
        )
    return DeviceSides((u, v))
