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
