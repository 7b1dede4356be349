"""Assertions for tests: two clusterings are the same, or agree well enough.

>>> from concordant.testing import assert_same_clusters
>>> assert_same_clusters([5, 5, 7], ["a", "a", "b"])
"""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping
from fractions import Fraction
from numbers import Real
from typing import Any, Unpack

from concordant.comparisons import compare
from concordant.errors import LengthError, ParameterError, UnmatchedError
from concordant.foundation.input_options import InputOptions, input_options
from concordant.indices.values import IndexValues

__all__ = ["assert_agreement", "assert_same_clusters"]

_LISTED = 5  # changes in a message


@input_options(
    refused={
        "weights": "clusters are the same or not, whatever the records weigh",
        "undefined": "no index is computed",
    },
    meanings={"columns": "The columns of actual and expected clusters, in this order, of one table."},
)
def assert_same_clusters(actual: Any, expected: Any = None, **options: Unpack[InputOptions]) -> None:
    """Raise an AssertionError unless both clusterings have the same clusters. Labels may differ.

    Parameters
    ----------
    actual : labels, mapping, list of sets, Partition, Cover, Soft or dataframe
        The clustering to test, as `compare` takes it.
    expected : same as actual, optional
        The clustering that it should be. Not needed if actual is one table with both columns.
    **options
        The input options.

    Raises
    ------
    AssertionError
        If the clusters differ, or the records. The message shows what was split and merged.

    Examples
    --------
    >>> assert_same_clusters([5, 5, 7], ["a", "a", "b"])
    >>> assert_same_clusters([0, 0, 0, 1], ["a", "a", "b", "c"])  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    AssertionError: the clusters differ: ...
    """
    __tracebackhide__ = True  # pytest shows the line of the test
    for option in ("columns", "names"):  # of actual and expected, but a reference comes first
        if isinstance(given := options.get(option), list | tuple):
            options[option] = given[::-1]
    found = _compared(actual, None, options) if expected is None else _compared(expected, actual, options)
    if found._many_levels:
        raise ParameterError(found._many_levels)
    if not found._counts.identical:
        sides = "the reference is what was expected, and the candidate what was found"
        lines = [f"the clusters differ: {found.headline}", *_differences(found), "", sides]
        raise AssertionError("\n".join(lines))


@input_options()
def assert_agreement(
    reference: Any,
    candidate: Any = None,
    *,
    minimum: Mapping[str, float] | None = None,
    maximum: Mapping[str, float] | None = None,
    **options: Unpack[InputOptions],
) -> None:
    """Raise an AssertionError unless each index is within its limit.

    Parameters
    ----------
    reference : labels, mapping, list of sets, Partition, Cover, Soft, Hierarchy or dataframe
        The reference clustering, as `compare` takes it.
    candidate : same as reference, optional
        The judged clustering. Not needed if reference is one table with both columns.
    minimum, maximum : mapping from str to float, optional
        The smallest and the largest permitted value of indices by name, as in {"adjusted_rand": 0.95}. At
        least one is needed.
    **options
        The input options.

    Raises
    ------
    AssertionError
        If a value is beyond its limit or undefined, or the records differ. The message has each such value
        and shows what was split and merged.

    Examples
    --------
    >>> assert_agreement([0, 0, 1, 1], [0, 0, 1, 1], minimum={"adjusted_rand": 0.95})
    >>> assert_agreement(
    ...     [0, 0, 1, 1], [0, 0, 0, 1], minimum={"rand": 0.9}, maximum={"mirkin": 2}
    ... )  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    AssertionError: rand is 0.5; it should be at least 0.9
    mirkin is 6.0; it should be at most 2
    ...
    """
    __tracebackhide__ = True
    limits = {"minimum": minimum or {}, "maximum": maximum or {}}
    for option, each in limits.items():
        if not isinstance(each, Mapping):
            raise ParameterError("map each index to its limit, as in {'rand': 0.9}", given={option: each})
    if not any(limits.values()):
        raise ParameterError("pass a limit, for instance minimum={'adjusted_rand': 0.95}")
    found = _compared(reference, candidate, options)
    missed = [
        f"{name} is {value!r}; it should be at {'least' if option == 'minimum' else 'most'} {limit!r}"
        for option, each in limits.items()
        for name, limit in each.items()
        for value in [_checked_value(found, name, option, limit)]
        for nearest in [_nearest(limit)]
        if not (value >= nearest if option == "minimum" else value <= nearest)
    ]
    if missed:
        raise AssertionError("\n".join([*missed, found.headline, *_differences(found)]))


def _compared(reference: Any, candidate: Any, options: Mapping[str, Any]) -> IndexValues:
    __tracebackhide__ = True
    try:
        found: IndexValues = compare(reference, candidate, **options)
    except (LengthError, UnmatchedError) as error:
        raise AssertionError(f"the records differ: {error}") from None
    return found


def _checked_value(found: IndexValues, name: str, option: str, limit: float) -> float:
    """The value of an index. A limit on the side that is better would hide every failure."""
    index = found._declared(name)
    better = {"similarity": "maximum", "distance": "minimum"}.get(index.direction)
    if option == better:
        other = "minimum" if better == "maximum" else "maximum"
        raise ParameterError(f"{name} is a {index.direction}; use {other}", given={option: {name: limit}})
    if not isinstance(limit, Real) or isinstance(limit, bool) or math.isnan(limit):
        raise ParameterError("a limit is a number, such as 0.95", given={option: {name: limit}})
    return found._value(index)


def _nearest(limit: float) -> float:
    """A limit rounded as values are: 1/3 as a float is less than the fraction."""
    return float(limit) if isinstance(limit, Fraction) and abs(limit) <= sys.float_info.max else limit


def _differences(found: IndexValues) -> list[str]:
    """The costliest differences, as lines of a message."""
    worst = found._worst(_LISTED)
    return [] if worst is None else ["", str(worst)]
