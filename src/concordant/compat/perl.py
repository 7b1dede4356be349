"""Compatibility with Perl's Set::Partitions::Similarity: its routines and exceptions, concordant's values.

>>> getAccuracyAndPrecision([["a", "b"], [1, 2]], [["a", "b", "1"], ["2"]])
(0.5, 0.25)

A partition is a list of subsets, a subset a list of elements, and elements are compared as Perl compares
hash keys: as strings. Accuracy is the Rand index. Precision, in spite of its name, is the Jaccard index.
With ``CheckValidity``, invalid partitions raise errors with Perl's own messages. Without it, Perl returns
some number for them; here they raise an error that names the element.
"""
# ruff: noqa: N802  (the names are the module's)

from __future__ import annotations

from collections.abc import Iterable, Mapping
from numbers import Integral, Real
from typing import Any

import numpy as np

from concordant.clusterings import partition_data
from concordant.clusterings.labels import MemoryLabels
from concordant.comparisons import Comparison, compare
from concordant.errors import InputError, LabelError, OverlapError, UnmatchedError, kind_of
from concordant.indices.index import INDICES

__all__ = [
    "areSubsetsDisjoint",
    "getAccuracy",
    "getAccuracyAndPrecision",
    "getDistance",
    "getPrecision",
]

_INDEX_OF = {
    declared.known_as["Set::Partitions::Similarity"]: name
    for name, declared in INDICES.items()
    if "Set::Partitions::Similarity" in declared.known_as
}


def areSubsetsDisjoint(Partition: Iterable[Iterable[Any]] = (), ThrowException: Any = False) -> bool:
    """Whether no element is in two of the subsets.

    Parameters
    ----------
    Partition : iterable of iterables, default=()
        The subsets.
    ThrowException : bool, default=False
        Whether to raise an error instead of returning False.

    Returns
    -------
    bool
        True if the subsets are disjoint.

    Raises
    ------
    OverlapError
        If an element is in two subsets and `ThrowException` is true.

    Examples
    --------
    >>> areSubsetsDisjoint([[1, 2, 3], [4]]), areSubsetsDisjoint([[1, 2, 3], [4, 1]])
    (True, False)
    """
    owner: dict[str, int] = {}
    for number, subset in enumerate(_subsets(Partition, "the partition")):
        for element in subset:
            if owner.setdefault(element, number) == number:
                continue
            if ThrowException:
                raise OverlapError(f"element '{element}' occurs in two of the subsets.")
            return False
    return True


def getAccuracy(PartitionP: Any, PartitionQ: Any, CheckValidity: Any = False) -> float:
    """Share of the pairs of elements on which the partitions agree: the Rand index.

    Parameters
    ----------
    PartitionP, PartitionQ : list of lists
        The subsets of each partition.
    CheckValidity : bool, default=False
        Whether to check that subsets are disjoint and that both partitions have the same elements.

    Returns
    -------
    float
        The Rand index.

    Examples
    --------
    >>> getAccuracy([["a", "b"], ["c", "d"]], [["a", "b", "c", "d"]])
    0.3333333333333333
    """
    return _compared(PartitionP, PartitionQ, CheckValidity)[_INDEX_OF["getAccuracy"]]


def getPrecision(PartitionP: Any, PartitionQ: Any, CheckValidity: Any = False) -> float:
    """Share of the pairs together in either partition that are together in both: the Jaccard index.

    Parameters
    ----------
    PartitionP, PartitionQ : list of lists
        The subsets of each partition.
    CheckValidity : bool, default=False
        Whether to check that subsets are disjoint and that both partitions have the same elements.

    Returns
    -------
    float
        The Jaccard index.

    Examples
    --------
    >>> getPrecision([[1, 2, 3], [4]], [[1], [2, 3, 4]])
    0.2
    """
    return _compared(PartitionP, PartitionQ, CheckValidity)[_INDEX_OF["getPrecision"]]


def getAccuracyAndPrecision(
    PartitionP: Any,
    PartitionQ: Any,
    CheckValidity: Any = False,
) -> tuple[float, float]:
    """Rand index and Jaccard index in one call.

    Parameters
    ----------
    PartitionP, PartitionQ : list of lists
        The subsets of each partition.
    CheckValidity : bool, default=False
        Whether to check that subsets are disjoint and that both partitions have the same elements.

    Returns
    -------
    (float, float)
        The two values.

    Examples
    --------
    >>> getAccuracyAndPrecision([[1, 2], [3, 4]], [[1], [2], [3], [4]])
    (0.6666666666666666, 0.0)
    """
    comparison = _compared(PartitionP, PartitionQ, CheckValidity)
    return comparison[_INDEX_OF["getAccuracy"]], comparison[_INDEX_OF["getPrecision"]]


def getDistance(PartitionP: Any, PartitionQ: Any, CheckValidity: Any = False) -> float:
    """One minus the Rand index, which is a metric.

    Parameters
    ----------
    PartitionP, PartitionQ : list of lists
        The subsets of each partition.
    CheckValidity : bool, default=False
        Whether to check that subsets are disjoint and that both partitions have the same elements.

    Returns
    -------
    float
        The distance.

    Examples
    --------
    >>> getDistance([[1, 2, 3], [4]], [[1], [2, 3, 4]])
    0.6666666666666667
    """
    # Documented as this very subtraction, which may differ from our rand_distance in the last bit.
    return 1 - getAccuracy(PartitionP, PartitionQ, CheckValidity)


# -- partitions as Perl reads them ----------------------------------------------------------------


def _compared(p: Any, q: Any, check: Any) -> Comparison:
    first = _partition(p, "first", check)
    second = _partition(q, "second", check)
    unmatched = set(first.elements) ^ set(second.elements)
    if unmatched and check:
        raise UnmatchedError("partitions are invalid, they have different set elements.")
    if unmatched:
        example = min(unmatched)
        side = "first" if example in first.elements else "second"
        raise UnmatchedError(
            f"the partitions have different set elements: {example!r} occurs in the {side} one only; "
            "concordant.compare(..., unmatched='drop' or 'singletons') compares such partitions"
        )
    found: Comparison = compare(first, second)
    return found


def _partition(subsets: Any, which: str, check: Any) -> MemoryLabels:
    what = f"the {which} partition"
    try:
        return partition_data.partition_of_clusters(_subsets(subsets, what), what)
    except OverlapError as error:
        if not check:
            raise
        raise OverlapError(
            f"{which} partition is an invalid partition, an element occurs in two or more subsets."
        ) from error


def _subsets(value: Any, what: str) -> list[list[str]]:
    if not _is_collection(value):
        raise InputError(f"{what} is {value!r}; it must be a list of lists of elements, like [[1, 2], [3]]")
    subsets = []
    for number, subset in enumerate(value):
        if not _is_collection(subset):
            raise InputError(f"{what}: subset {number} is {subset!r}; it must be a list of elements")
        subsets.append([_as_string(element, f"{what}: subset {number}") for element in subset])
    return subsets


def _is_collection(value: Any) -> bool:
    return isinstance(value, Iterable) and not isinstance(value, (str, bytes, Mapping))


def _as_string(element: Any, where: str) -> str:
    """The element as Perl would write it: 1.0 is '1', undef is '', true is '1' and false ''.

    Integers keep all their digits, where Perl would round those beyond 64 bits.
    """
    if isinstance(element, str):
        return element
    if element is None or isinstance(element, (bool, np.bool_)):
        return "1" if element else ""
    if isinstance(element, Integral):
        return str(int(element))
    if isinstance(element, Real):
        number = f"{float(element) + 0.0:.15g}"  # + 0.0 makes -0.0 and 0.0 one element
        return {"inf": "Inf", "-inf": "-Inf", "nan": "NaN"}.get(number, number)
    if isinstance(element, bytes):
        return element.decode("latin-1")
    if isinstance(element, Iterable):
        raise LabelError(
            f"{where} contains {element!r}, {kind_of(element)}; elements are strings and numbers"
        )
    return str(element)
