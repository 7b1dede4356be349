"""What the clusters of one side are called while they are edited."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from itertools import count
from typing import Any

import numpy as np

from concordant.counts.sides import SideName
from concordant.counts.spelling import quoted
from concordant.errors import InputError, LabelError, few, kind_of
from concordant.partitions.labels import is_missing
from concordant.partitions.names import plain

_SHARED = -1  # instead of a number: several clusters go by this label


class ClusterLabels:
    """The label of each cluster by its number, and the number by its label."""

    def __init__(self, side: SideName, first: int, label: Callable[[int], Any]) -> None:
        self._side, self._first, self._first_label = side, first, label
        self._own: dict[int, Any] = {}  # of clusters that are new or were renamed
        self._numbers: dict[Any, int] | None = None
        self._fresh: Iterator[Any] | None = None

    def copy(self) -> ClusterLabels:
        other = ClusterLabels(self._side, self._first, self._first_label)
        other._own = dict(self._own)
        other._numbers = None if self._numbers is None else dict(self._numbers)
        return other

    def label(self, number: int) -> Any:
        """What the cluster is called; None where it has no label."""
        return self._own[number] if number in self._own else self._first_label(number)

    def find(self, label: Any) -> int | None:
        """The number of the cluster of that label, None where there is none."""
        label = checked(label, self._side)
        number = self._by_label.get(label)
        if number == _SHARED:
            raise InputError(
                f"several clusters of the {self._side} go by the label {quoted(label)}, as noise does where "
                "each is alone; name their records instead"
            )
        return number

    def number(self, label: Any) -> int:
        """The number of the cluster of that label; an error that names it where there is none."""
        number = self.find(label)
        if number is None:
            known = few(self._by_label)
            raise InputError(
                f"the {self._side} has no cluster {quoted(label)}; it has {known or 'no clusters'}"
            )
        return number

    def name(self, number: int, label: Any) -> None:
        """Call a cluster by this label from now on."""
        label = checked(label, self._side)
        self._by_label[label] = number
        self._own[number] = label

    def drop(self, number: int) -> None:
        """Forget a cluster that is empty, so that its label is free."""
        label = self.label(number)
        if self._numbers is not None and label is not None and self._numbers.get(label) == number:
            del self._numbers[label]
        self._own[number] = None

    def fresh(self) -> Any:
        """A label that no cluster has or had: the next number where all are numbers, else a text."""
        if self._fresh is None:
            known = list(self._by_label)
            whole = [int(label) for label in known if _is_whole(label)]
            numbered = bool(known) and len(whole) == len(known)
            self._fresh = count(max(whole) + 1) if numbered else (f"new_{number}" for number in count(1))
        return next(label for label in self._fresh if label not in self._by_label)

    @property
    def _by_label(self) -> dict[Any, int]:
        if self._numbers is None:  # not before somebody asks by label: there may be millions
            self._numbers = {}
            for number in range(self._first):
                label = self.label(number)
                if label is not None:
                    self._numbers[label] = _SHARED if label in self._numbers else number
            later = {number: label for number, label in self._own.items() if number >= self._first}
            self._numbers |= {label: number for number, label in later.items() if label is not None}
        return self._numbers


def checked(label: Any, side: SideName) -> Hashable:
    """A label of one cluster, as Python's own; refused where it cannot be one."""
    if type(label) is int or type(label) is str:  # the usual ones at once, since streams are long
        return label
    label = plain(label)
    if label is None or is_missing(label):
        raise LabelError(f"{label!r} is no label of the {side}: a record is in a cluster, or left out")
    try:
        hash(label)
    except TypeError:
        raise LabelError(
            f"a label of the {side} is {kind_of(label)}, which has no hash; a label is a number, a "
            "text, or another value that a dict takes as a key"
        ) from None
    hashable: Hashable = label
    return hashable


def _is_whole(label: Any) -> bool:
    return isinstance(label, int | np.integer) and not isinstance(label, bool)
