"""Matrices, names and shares as the user passes them, checked."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from concordant.counts.spelling import counted
from concordant.errors import ParameterError, SoftError, few, kind_of
from concordant.partitions.clusters import name_codes
from concordant.partitions.recognition import is_on_device
from concordant.soft.memberships import UNITS
from concordant.soft.parsing import TOLERANCE, RowRules

# Columns of the record, the cluster and the weight; without a weight, each row is a whole record.
MembershipColumns = tuple[str, str, str | None]
RecordRow = tuple[Any, list[Any], list[float]]  # a record, its clusters and their weights

_NOT_AN_ARRAY = (AttributeError, BufferError, NotImplementedError, RuntimeError, TypeError, ValueError)


def matrix_and_names(matrix: Any) -> tuple[Any, Any, Any]:
    """A matrix of two dimensions, and the names of its rows and columns, None if it has none."""
    if hasattr(matrix, "memberships") and hasattr(matrix, "harden"):
        raise SoftError("this is a Soft already; pass it to compare()")
    if isinstance(matrix, Mapping | str | bytes | os.PathLike):
        raise SoftError(
            f"a matrix has a row for each record, and this is {kind_of(matrix)}; Soft.from_mapping takes "
            "mappings, Soft.from_memberships takes files"
        )
    if hasattr(matrix, "tocsr"):
        return matrix, None, None
    if is_on_device(matrix):
        raise SoftError("draws are compared in memory; copy them there, as in cupy.asnumpy(array)")
    rows = columns = None
    if hasattr(matrix, "columns") and hasattr(matrix, "to_numpy"):
        rows, columns, matrix = getattr(matrix, "index", None), list(matrix.columns), matrix.to_numpy()
    if np.ma.isMaskedArray(matrix) and np.ma.is_masked(matrix):
        raise SoftError("the array masks some weights; fill them, as in array.filled(0)")
    if isinstance(matrix, list | tuple) and len(lengths := [_length(row) for row in matrix]) > 0:
        other = next((row for row, length in enumerate(lengths) if length != lengths[0]), None)
        if other is not None and lengths[0] is not None:
            raise SoftError(
                f"rows differ in length: row 0 has {lengths[0]} and row {other} has {lengths[other]}; each "
                "needs an entry for every column"
            )
    try:
        array = np.asarray(matrix)
    except _NOT_AN_ARRAY as error:
        raise SoftError(f"{kind_of(matrix)} is not a matrix of numbers: {error}") from error
    if array.ndim != 2:
        raise SoftError(
            f"a matrix has two dimensions, records and clusters; this is {kind_of(matrix)} of "
            f"{counted(array.ndim, 'dimension')}"
        )
    return array, rows, columns


def _length(row: Any) -> Any:
    return len(row) if hasattr(row, "__len__") else None


def checked_names(given: Any, count: int, what: str) -> list[Any] | None:
    """Names of rows or columns, each once."""
    if given is None:
        return None
    if isinstance(given, str | bytes) or not isinstance(given, Iterable):
        raise ParameterError(f"{what}= is a list of names, not {kind_of(given)}")
    names = [each.item() if isinstance(each, np.generic) else each for each in given]
    if len(names) != count:
        raise SoftError(f"{what}= has {counted(len(names), 'name')} for {count:,}")
    which, first = name_codes(names, what)
    if len(first) < len(names):
        again = int(np.flatnonzero(first[which] != np.arange(len(names)))[0])
        raise SoftError(f"{what}= contains {names[again]!r} twice, at {int(first[which[again]])} and {again}")
    return names


def row_caller(names: Any) -> Any:
    """The name of a row in errors."""

    def called(row: int) -> str:
        return f"row {row}" if names is None else f"row {row} (record {few([names[row]])})"

    return called


def draw_shares(weights: Any, count: int) -> list[Fraction]:
    """The share of each draw."""
    if weights is None:
        return [Fraction(1, count)] * count
    if isinstance(weights, str | bytes) or not isinstance(weights, Iterable):
        raise ParameterError(f"weights= has a number for each draw, and this is {kind_of(weights)}")
    try:
        shares = [Fraction(each.item() if isinstance(each, np.generic) else each) for each in weights]
    except (TypeError, ValueError, OverflowError) as error:
        raise ParameterError(f"weights= are finite numbers, one for each draw ({error})") from error
    if len(shares) != count:
        raise ParameterError(f"weights= has {counted(len(shares), 'number')} for {counted(count, 'draw')}")
    if min(shares) < 0 or not sum(shares):
        raise ParameterError("weights= of draws must not be negative, and at least one must be positive")
    total = sum(shares)
    return [share / total for share in shares]


def units_on_device(
    matrix: Any, clusters: Any, *, normalise: bool, transposed: bool
) -> tuple[Any, list[Any], int]:
    """The rows of a matrix on a GPU, checked there; names of the columns, and how many have no weight."""
    # This imports CuPy.
    from concordant.engines.gpu.device import device_of, explained, handed_over, imported, stream_of

    rules = RowRules(None, normalise, row_caller(None))
    cupy = imported()
    with explained(cupy), cupy.cuda.Device(device_of(cupy, matrix)), stream_of(cupy, matrix):
        weights = handed_over(cupy, matrix, "the matrix")
        if weights.ndim != 2:
            raise SoftError(
                f"a matrix has two dimensions, records and clusters; this array has {weights.ndim}"
            )
        if weights.dtype.kind not in "fiub":
            raise SoftError(f"weights are numbers, not {weights.dtype}")
        weights = cupy.ascontiguousarray(weights.T if transposed else weights).astype(cupy.float64)
        count, width = weights.shape
        names = checked_names(clusters, width, "clusters") or list(range(width))
        if width == 0:
            raise SoftError(f"the matrix has {counted(count, 'row')} and no columns; it needs a cluster")
        sums = _row_sums(cupy, weights)
        adds_up = (sums > 0) & cupy.isfinite(sums) if normalise else abs(sums - 1) <= TOLERANCE
        is_fault = ~adds_up | (weights < 0).any(axis=1)
        if bool(is_fault.any()):
            row = int(cupy.argmax(is_fault))
            rules.refuse(row, cupy.asnumpy(weights[row]).tolist())
        units = _device_units(cupy, weights, sums)
        kept = cupy.asnumpy((units != 0).any(axis=0)).nonzero()[0] if count else range(width)
        if len(kept) < width:
            units = cupy.ascontiguousarray(units[:, kept])
    return units, [names[column] for column in kept], width - len(kept)


def _device_units(cupy: Any, weights: Any, divisor: Any) -> Any:
    """Each row divided by its divisor, in units of 2⁻⁵³; rounded as the core does."""
    exact = weights / divisor[:, None]
    exact = exact * float(UNITS)
    return cupy.where(exact < float(UNITS // 2), exact + 0.5, exact).astype(cupy.int64)


def _row_sums(cupy: Any, weights: Any) -> Any:
    """The sum of each row, column after column, as the core adds them."""
    total = cupy.zeros(weights.shape[0], dtype=cupy.float64)
    for column in range(weights.shape[1]):
        total = total + weights[:, column]
    return total


def checked_columns(record: Any, cluster: Any, weight: Any) -> MembershipColumns:
    """The names of three different columns."""
    named = {"record": record, "cluster": cluster, "weight": weight}
    for option, column in named.items():
        if not isinstance(column, str):
            raise ParameterError(f"give the name of a column, not {kind_of(column)}", given={option: column})
    if len(set(named.values())) < len(named):
        raise ParameterError(f"record, cluster and weight are three columns, not {few(named.values())}")
    return record, cluster, weight
