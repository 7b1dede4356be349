"""Labels that are kept beside measurements, as AnnData does: in the columns of its ``obs``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from concordant.errors import InputError, ParameterError, did_you_mean, few, kind_of


def has_observations(holder: Any) -> bool:
    """Whether this is AnnData or looks like it: a table of cells, with labels in ``obs``."""
    return hasattr(holder, "obs") and hasattr(holder, "obs_names")


def observed(reference: Any, candidate: Any, column: str | None) -> tuple[Any, Any]:
    """The two partitions; of AnnData, the columns of its ``obs`` that were named."""
    if not has_observations(reference):
        if isinstance(column, str):
            raise ParameterError(
                f"column={column!r} names a column of AnnData, and this is {kind_of(reference)}; for two "
                "columns of a dataframe use compare_columns"
            )
        if column is not None:
            raise ParameterError(
                "compare(): too many positional arguments; it takes two partitions, and whatever else by name"
            )
        return reference, candidate
    if not isinstance(candidate, str) or not isinstance(column, str):
        raise ParameterError(
            "AnnData keeps many partitions: name two columns of its obs, the reference first, as in "
            "compare(adata, 'cell_type', 'leiden')"
        )
    u, v = observed_columns(reference, [candidate, column]).values()
    return u, v


def observed_many(partitions: Any, columns: Sequence[str] | None) -> Any:
    """Many partitions as they came; of AnnData, the columns of its ``obs`` that were named."""
    if has_observations(partitions):
        return observed_columns(partitions, columns or ())
    if columns is not None:
        raise ParameterError(
            f"columns= names columns of AnnData, and this is {kind_of(partitions)}; pick the columns of a "
            "dataframe before, as in frame[['a', 'b']]"
        )
    return partitions


def observed_columns(holder: Any, columns: Sequence[str]) -> dict[str, Any]:
    """These columns of the ``obs``, each a Series over the cells."""
    table, known = holder.obs, [str(name) for name in holder.obs.columns]
    for name in columns:
        if name not in known:
            near = did_you_mean(str(name), known) or f"; it has {few(known) or 'none'}"
            raise InputError(f"obs has no column {name!r}{near}")
    if not columns:
        raise ParameterError("name the columns of obs that hold clusters")
    return {name: table[name] for name in columns}
