"""The memberships of a cover, read from dataframes and matrices."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.errors import InputError, ParameterError, few, kind_of
from concordant.partitions.labels import is_missing

_Integers = NDArray[np.int64]


def check_columns(record: Any, cluster: Any) -> None:
    for name, column in (("record", record), ("cluster", cluster)):
        if not isinstance(column, str):
            raise ParameterError(f"give the name of a column, not {kind_of(column)}", given={name: column})
    if record == cluster:
        raise ParameterError(f"the record and the cluster are the same column, {record!r}")


def membership_columns(frame: Any, record: str, cluster: str) -> tuple[list[Any], list[Any]]:
    import narwhals.stable.v2 as nw  # not needed for labels

    check_columns(record, cluster)
    try:
        native = nw.from_native(frame)
    except TypeError as error:
        raise InputError(
            f"{kind_of(frame)} is not a dataframe, nor the path of a file or a list of such"
        ) from error
    columns = native.collect_schema().names()
    missing = [name for name in (record, cluster) if name not in columns]
    if missing:
        raise InputError(f"there is no column {missing[0]!r}; the columns are {few(columns)}")
    chosen = native.select(record, cluster)
    eager = chosen.collect() if isinstance(chosen, nw.LazyFrame) else chosen
    return eager[record].to_list(), eager[cluster].to_list()


def ones_of(matrix: Any) -> tuple[_Integers, _Integers, tuple[int, int]]:
    """Row and column of the ones, and how many rows and columns there are."""
    if hasattr(matrix, "tocoo"):
        sparse = matrix.tocoo()
        row, column, data, shape = sparse.row, sparse.col, np.asarray(sparse.data), sparse.shape
    else:
        try:
            dense = np.asarray(matrix)
        except ValueError as error:
            raise InputError(f"the matrix is ragged: {error}") from error
        shape = dense.shape
        if len(shape) == 2:
            if dense.dtype == object and (gap := next(filter(is_missing, dense.flat), dense)) is not dense:
                raise InputError(f"the matrix contains {gap!r}: give 0 or 1 for each element and cluster")
            row, column = np.nonzero(dense)
            data = dense[row, column]
    if len(shape) != 2:
        raise InputError(f"a matrix of elements by clusters has two dimensions, this has {len(shape)}")
    other = np.flatnonzero((data != 0) & (data != 1))
    if len(other):
        raise InputError(
            f"the matrix contains {data[other[0]].item()!r}: memberships are 0 or 1; weights that add "
            "up to 1 are a Soft.from_matrix, and others need a threshold, as in weights >= 0.5"
        )
    kept = data == 1
    return (
        np.asarray(row)[kept].astype(np.int64),
        np.asarray(column)[kept].astype(np.int64),
        (shape[0], shape[1]),
    )
