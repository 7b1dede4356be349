"""Columns as a dataframe of the library that a person uses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from concordant.errors import InputError, MissingExtraError, ParameterError, did_you_mean, kind_of

_BACKENDS = ("pandas", "polars", "pyarrow", "modin")


def as_frame(columns: Mapping[str, list[Any]], backend: Any) -> Any:
    """Columns as a dataframe; ``backend`` is the name of a library or its module."""
    from narwhals.stable import v2 as narwhals  # here, so that importing concordant stays light

    columns = {key: _of_one_type(values) for key, values in columns.items()}
    try:
        return narwhals.from_dict(columns, backend=backend).to_native()
    except ModuleNotFoundError as error:
        raise MissingExtraError(
            f"to_frame(backend={backend!r}) needs {error.name}, which is not installed"
        ) from error
    except (ValueError, TypeError, AttributeError) as error:
        near = did_you_mean(str(backend), _BACKENDS)
        raise ParameterError(
            f"use 'pandas', 'polars', 'pyarrow', 'modin', or the module of one of them{near}",
            given={"backend": backend},
        ) from error


def series_renamed(series: Any, values: list[Any]) -> Any:
    """A Series of the same library, name and index with these values, which are made of one type."""
    from narwhals.stable import v2 as narwhals  # here, so that importing concordant stays light

    try:
        old = narwhals.from_native(series, series_only=True)
    except TypeError as error:
        raise InputError(f"{kind_of(series)} is no Series that can be renamed; pass a list") from error
    new = narwhals.new_series(old.name, _of_one_type(values), backend=old.implementation)
    index = narwhals.maybe_get_index(old)
    return (new if index is None else narwhals.maybe_set_index(new, index=index)).to_native()


def _of_one_type(values: list[Any]) -> list[Any]:
    kinds = {type(value) for value in values if value is not None}
    if len(kinds) <= 1 and all(map(_fits, values)):
        return values
    return [value if value is None else _text(value) for value in values]


def _fits(value: Any) -> bool:
    """Whether columns of all dataframe libraries hold it as it is."""
    if isinstance(value, str):
        return value.isascii() or _text(value) == value
    if isinstance(value, int):
        return -(2**63) <= value < 2**63
    return not isinstance(value, tuple | frozenset)  # they may hold anything


def _text(value: Any) -> str:
    """Half a surrogate pair cannot be stored as text, and is spelled out."""
    return str(value).encode("utf-8", "backslashreplace").decode("utf-8")
