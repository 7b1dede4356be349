"""The names of the clusters of one side while they are edited."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from functools import cached_property
from itertools import islice
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from concordant.counts.arithmetic import plain
from concordant.counts.sides import SideName
from concordant.counts.spelling import quoted
from concordant.errors import InputError, LabelError, few, kind_of
from concordant.partitions.labels import is_missing

_ENDS: Final[tuple[Literal["left", "right"], ...]] = ("left", "right")


class FirstLabels:
    """The labels that the clusters of one side had when the edits began, and their numbers by label.

    There may be millions, of which few are ever asked for: integers are sorted once and searched, others go
    into a dict, and neither is done before the first lookup.

    >>> first = FirstLabels(lambda: np.array([7, 5, 9, 5]))
    >>> list(first.numbers(5)), list(first.numbers(8)), first.largest
    ([1, 3], [], 9)
    """

    def __init__(self, labels: Callable[[], Sequence[Any] | NDArray[Any]]) -> None:
        self._read = labels

    @cached_property
    def labels(self) -> Sequence[Any] | NDArray[Any]:
        """The label of each cluster; None where it has none."""
        return self._read()

    @cached_property
    def largest(self) -> int | None:
        """The largest label, if there are labels and all are whole numbers."""
        labels = self.labels
        if isinstance(labels, np.ndarray):
            return int(labels.max()) if len(labels) else None
        known = [label for label in labels if label is not None]
        return max(map(int, known)) if known and all(map(_is_whole, known)) else None

    def numbers(self, label: Any) -> Iterator[int]:
        """The numbers of all clusters that had this label."""
        if not isinstance(self.labels, np.ndarray):
            return iter(self._by_label.get(label, ()))
        if not isinstance(label, int | float) or label != label // 1 or self.largest is None:
            return iter(())
        if not np.iinfo(self.labels.dtype).min <= label <= self.largest:  # labels made up later are larger
            return iter(())
        order, ascending = self._ascending
        begin, end = (np.searchsorted(ascending, self.labels.dtype.type(label), side) for side in _ENDS)
        return (int(number) for number in order[begin:end])

    @cached_property
    def _ascending(self) -> tuple[NDArray[np.int64], NDArray[Any]]:
        labels = np.asarray(self.labels)
        order = np.argsort(labels, kind="stable")
        return order, labels[order]

    @cached_property
    def _by_label(self) -> dict[Any, list[int]]:
        numbers: dict[Any, list[int]] = {}
        for number, label in enumerate(self.labels):
            if label is not None:
                numbers.setdefault(label, []).append(number)
        return numbers


class ClusterLabels:
    """The label of each cluster by its number, and the number by its label."""

    def __init__(self, side: SideName, label: Callable[[int], Any], first: FirstLabels) -> None:
        self._side, self._first_label, self._first = side, label, first
        self._own: dict[int, Any] = {}  # of clusters that are new, were renamed, or are gone
        self._numbers: dict[Any, int] = {}  # the numbers of those, by label
        self._fresh: tuple[str, int] | None = None  # prefix and number of the next fresh label

    def copy(self) -> ClusterLabels:
        other = ClusterLabels(self._side, self._first_label, self._first)
        other._own, other._numbers = dict(self._own), dict(self._numbers)
        return other

    def label(self, number: int) -> Any:
        """The label of the cluster; None if it has none."""
        return self._own[number] if number in self._own else self._first_label(number)

    def find(self, label: Any) -> int | None:
        """The number of the cluster of that label, None where there is none."""
        label = checked(label, self._side)
        if label in self._numbers:
            return self._numbers[label]
        found = list(islice((number for number in self._first.numbers(label) if number not in self._own), 2))
        if len(found) > 1:
            raise InputError(
                f"several clusters of the {self._side} have the label {quoted(label)}; name their records "
                "instead"
            )
        return found[0] if found else None

    def number(self, label: Any) -> int:
        """The number of the cluster of that label; an error that names it where there is none."""
        number = self.find(label)
        if number is None:
            known = few(self._known())
            raise InputError(
                f"the {self._side} has no cluster {quoted(label)}; it has {known or 'no clusters'}"
            )
        return number

    def name(self, number: int, label: Any) -> None:
        """Call a cluster by this label from now on."""
        label = checked(label, self._side)
        self._numbers[label] = number
        self._own[number] = label

    def drop(self, number: int) -> None:
        """Forget a cluster that is empty, so its label is free."""
        label = self._own.get(number)
        if label is not None and self._numbers.get(label) == number:
            del self._numbers[label]
        self._own[number] = None

    def fresh(self) -> Any:
        """A label that no cluster has or had: the next number if all are numbers, else a string."""
        if self._fresh is None:
            known = [*self._numbers, *([self._first.largest] if len(self._first.labels) else [])]
            numbered = bool(known) and all(map(_is_whole, known))
            self._fresh = ("", int(max(known)) + 1) if numbered else ("new_", 1)
        prefix, number = self._fresh
        while not self._is_free(label := f"{prefix}{number}" if prefix else number):
            number += 1
        self._fresh = prefix, number + 1
        return label

    def _is_free(self, label: Any) -> bool:
        return label not in self._numbers and next(self._first.numbers(label), None) is None

    def _known(self) -> Iterator[Any]:
        """The labels of all current clusters, the initial ones first."""
        first = enumerate(self._first.labels)
        yield from (plain(label) for number, label in first if label is not None and number not in self._own)
        yield from self._numbers


def checked(label: Any, side: SideName) -> Hashable:
    """A label of one cluster, as Python's own; refused where it cannot be one."""
    if type(label) is int or type(label) is str:  # the common ones first, since streams are long
        return label
    label = plain(label)
    if label is None or is_missing(label):
        raise LabelError(
            f"{label!r} cannot be a label of the {side}; name the cluster, or leave the record out"
        )
    try:
        hash(label)
    except TypeError:
        raise LabelError(
            f"a label of the {side} is {kind_of(label)}, which is not hashable; a label is a number, a "
            "string or another hashable value"
        ) from None
    hashable: Hashable = label
    return hashable


def _is_whole(label: Any) -> bool:
    return isinstance(label, int | np.integer) and not isinstance(label, bool)
