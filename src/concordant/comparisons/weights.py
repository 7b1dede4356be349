"""Elements with different weights, counted in memory: each weight is a whole number of parts of one."""

from __future__ import annotations

import math
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np

from concordant.counts.arithmetic import Integers, as_integers
from concordant.counts.availability import Need
from concordant.counts.conventions import Conventions
from concordant.counts.counted import Counted
from concordant.counts.spelling import counted
from concordant.counts.weighted_counts import parts_of, weigh
from concordant.engines import memory
from concordant.errors import LabelError, LengthError, ParameterError, WeightsError, kind_of
from concordant.partitions.cover import Cover
from concordant.partitions.partition import LabelPartition, Partition


def count_weighted(
    reference: Partition | Cover, candidate: Partition | Cover, conventions: Conventions
) -> Counted:
    """Two partitions in memory, counted with the weight of each element."""
    if not (isinstance(reference, LabelPartition) and isinstance(candidate, LabelPartition)):
        raise WeightsError(
            "weights need two partitions in memory, not covers, dataframes or files; segments are "
            "weighted by their durations",
            given={"weights": ...},
        )
    made = memory.count(reference, candidate, conventions, Need.RECORDS)
    if made.counts.kind != "partitions":
        raise WeightsError(
            "weights need two partitions of the same elements",
            given={"weights": ...},
            remedies=made.counts.remedies,
        )
    return weigh(made, *weights_in_parts(made.names.records.everyone, conventions.weights, len(reference)))


def weights_in_parts(names: Sequence[Any], weights: Any, size: int) -> tuple[Integers, Fraction]:
    """The weight of each of these records in whole parts, and how many parts make one.

    ``weights`` are given by name, or in the order of the ``size`` elements of the reference.
    """
    whole, parts = _whole_parts(_of_each(names, weights, size))
    return as_integers(whole, sum(whole)), parts


def _of_each(names: Sequence[Any], weights: Any, size: int) -> list[Any]:
    """The weight of each record: by name, or in the order of the ``size`` elements of the reference."""
    if hasattr(weights, "items") and hasattr(weights, "__getitem__"):
        held = dict(weights.items())
        missing = next((name for name in names if name not in held), None)
        if missing is not None:
            raise LabelError(f"there is no weight for the record {missing!r}", given={"weights": ...})
        return [held[name] for name in names]
    if isinstance(weights, str) or not hasattr(weights, "__iter__"):
        raise ParameterError(
            f"give a number for each element, not {kind_of(weights)}", given={"weights": ...}
        )
    given: Sequence[Any] = weights.tolist() if hasattr(weights, "tolist") else list(weights)
    if any(type(name) is not int for name in names):
        raise ParameterError(
            "the records have names, so pass the weights by name: a mapping from record to weight"
        )
    if len(given) != size:
        weights_given, elements = counted(len(given), "weight"), counted(size, "element")
        raise LengthError(f"there are {weights_given} for {elements}; give each one", given={"weights": ...})
    return [given[name] for name in names]


def _is_finite(number: Any) -> bool:
    """Whether it is a finite number, which may be beyond the range of floats."""
    if isinstance(number, Decimal):
        return number.is_finite()
    if isinstance(number, float):
        return math.isfinite(number)
    return isinstance(number, int | Fraction) and not isinstance(number, bool)


def _whole_parts(weights: list[Any]) -> tuple[list[int], Fraction]:
    """The weights as whole numbers of parts, and how many parts make one; decimals as they are written.

    >>> _whole_parts([1, 0.5, Fraction(2, 3)]), _whole_parts([1e300, 2e300])[0]
    (([6, 3, 4], Fraction(6, 1)), [1, 2])
    """
    exact: dict[Any, Fraction] = {}
    keys = []
    for place, weight in enumerate(weights):
        number = weight.item() if isinstance(weight, np.generic) else weight
        if not _is_finite(number) or number <= 0:
            raise ParameterError(
                f"the weight at position {place} is {number!r}: weights are positive numbers; leave out "
                "elements of weight 0"
            )
        keys.append(key := (type(number), number))  # a float counts as its decimal, a Fraction as itself
        if key not in exact:
            exact[key] = Fraction(repr(number)) if isinstance(number, float) else Fraction(number)
    parts = parts_of(exact.values())
    whole = {key: int(each * parts) for key, each in exact.items()}
    return [whole[key] for key in keys], parts
