"""Two aligned sides, of which one or both are hierarchies: each record with its leaf."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

import numpy as np

from concordant import core, engines
from concordant.counts.arithmetic import Integers
from concordant.counts.availability import Need
from concordant.counts.conventions import Conventions
from concordant.counts.counted import Counted
from concordant.counts.profile import Profile
from concordant.counts.sides import SIDES
from concordant.engines import memory
from concordant.errors import CoverError, HierarchyError, ParameterError, UnmatchedError
from concordant.hierarchies.hierarchy import Hierarchy
from concordant.hierarchies.named_trees import spelled
from concordant.hierarchies.tree import labels_at, leaf_counts
from concordant.partitions.alignment import Aligned
from concordant.partitions.cover import Cover
from concordant.partitions.inputs import partition_of
from concordant.partitions.partition import LabelPartition, Partition, SourcePartition
from concordant.partitions.record_names import RecordNames

Sides = tuple[Hierarchy | None, Hierarchy | None]
WideSums = tuple[Integers, Integers]  # integers beyond 64 bits: the first times 2**31, plus the second


@dataclass(frozen=True)
class ElementTree:
    """A hierarchy over the compared elements, in their order; levels are those of the hierarchy.

    A node may have lost children, or all its leaves. Sums over the clusters of each level are computed once.
    """

    parent: Integers
    level: Integers
    levels: int

    @property
    def size(self) -> int:
        """The number of leaves."""
        return len(self.parent) - len(self.level)

    def labels_at(self, level: int) -> Integers:
        """The cluster of each element at a level, as the number of a node."""
        return labels_at(self.parent, self.level, level)

    @cached_property
    def sizes(self) -> Integers:
        """The elements below each node."""
        return leaf_counts(self.parent, self.size)

    def at_levels(self, values: Integers) -> Integers:
        """The sum of the values of the clusters of each level."""
        return core.cluster_sums(self.parent, self.level, self.levels, values)

    @cached_property
    def clusters(self) -> Integers:
        """The number of clusters at each level."""
        return self.at_levels((self.sizes > 0).astype(np.int64))

    @cached_property
    def squares(self) -> Integers:
        """Σ b² over the clusters of each level."""
        return self.at_levels(self.sizes**2)

    def products(self, values: Integers) -> WideSums:
        """Σ b·value over the clusters of each level, where values are up to the square of the size."""
        low = 2**31 - 1
        return self.at_levels((values >> 31) * self.sizes), self.at_levels((values & low) * self.sizes)

    @cached_property
    def trios(self) -> WideSums:
        """Σ b(b−1)(b−2) over the clusters of each level."""
        high, low = self.products(self.sizes**2)
        return high, low - 3 * self.squares + 2 * self.size

    @cached_property
    def largest(self) -> Integers:
        """The size of the largest cluster at each level."""
        found = np.zeros(self.levels + 1, dtype=np.int64)
        found[0] = min(self.size, 1)
        np.maximum.at(found, self.level, self.sizes[self.size :])
        return np.maximum.accumulate(found)

    def with_at_most(self, k: Integers) -> Integers:
        """For each number the first level with at most that many clusters; the last level if none has."""
        level = np.searchsorted(-self.clusters, -k, side="left")
        return np.minimum(level, self.levels)


@dataclass(frozen=True, slots=True)
class Leaves:
    """Two sides, element by element: labels of the flat one, leaves of the hierarchies."""

    sides: Sides
    counted: Counted  # with each leaf as a cluster of its own
    names: RecordNames
    threads: int

    @property
    def size(self) -> int:
        """The number of compared elements."""
        return self.counted.counts.size

    def labels(self, side: int) -> tuple[Integers, int]:
        """The clusters of the flat side, numbered from 0, and how many there are."""
        codes, first = self.names.numbers(side)
        return codes, len(first)

    def tree(self, side: int) -> ElementTree:
        """The hierarchy of a side over the compared elements."""
        hierarchy = self.sides[side]
        assert hierarchy is not None  # this side is a hierarchy
        place, parent = self.names.positions(side), hierarchy.parent
        levels = len(hierarchy.level_heights)
        if place is None:
            return ElementTree(parent, hierarchy.level, levels)
        size, elements = hierarchy.size, len(place)
        more = elements - size
        # Elements that the hierarchy lacks are never joined.
        laid = np.full(elements + len(hierarchy.level), -1)
        np.add(parent[size:], more, out=laid[elements:], where=parent[size:] >= 0)
        if more >= 0 and bool((place[:size] == np.arange(size)).all()):
            np.add(parent[:size], more, out=laid[:size], where=parent[:size] >= 0)
        else:
            there = np.flatnonzero(place >= 0)
            above = parent[place[there]]
            laid[there] = np.where(above >= 0, above + more, -1)
        return ElementTree(laid, hierarchy.level, levels)

    def at(self, levels: tuple[int | None, int | None]) -> Counted:
        """The comparison of two cuts; None for the side that is flat."""
        labels: list[Any] = [
            None if level is None or side is None else np.asarray(side.cut(level=level).codes)
            for side, level in zip(self.sides, levels, strict=True)
        ]
        return self.with_labels(labels[0], labels[1])

    def with_labels(self, reference: Integers | None, candidate: Integers | None) -> Counted:
        """The comparison with other clusters of the leaves, given by leaf; None leaves a side as it is."""
        names = self.names.with_labels(reference, candidate, partial(_profile, threads=self.threads))
        noise = tuple(
            label if side is None else None
            for label, side in zip(self.counted.noise, self.sides, strict=True)
        )
        found = self.counted
        return Counted(names.profile, names, found.conventions, found.audit, noise=(noise[0], noise[1]))


def _profile(aligned: Aligned, *, threads: int) -> Profile:
    return memory.profile(aligned.reference, aligned.candidate, threads)


def lay_side_by_side(reference: Any, candidate: Any, conventions: Conventions) -> Leaves:
    """Both sides, of which at least one is a Hierarchy, by record names or else by position.

    >>> from concordant.counts.conventions import USUAL
    >>> h = Hierarchy.from_linkage([[0, 1, 0.5, 2], [2, 3, 0.7, 3]], records=["ann", "bob", "eve"])
    >>> lay_side_by_side({"eve": 1, "ann": 2, "bob": 2}, h, USUAL).size
    3
    """
    sides = (
        reference if isinstance(reference, Hierarchy) else None,
        candidate if isinstance(candidate, Hierarchy) else None,
    )
    _check(conventions)
    for number, side in enumerate(sides):
        if side is not None and not side.complete and sides[1 - number] is None:
            return _with_records_in_no_pair(side, (candidate, reference)[number], number, conventions)
    return _laid_out(sides, (reference, candidate), conventions)


def _laid_out(sides: Sides, given: tuple[Any, Any], conventions: Conventions) -> Leaves:
    made: list[Any] = []
    for side, other, what in zip(sides, given, ("the reference", "the candidate"), strict=True):
        if side is not None:
            numbers = np.arange(side.size)
            named = side.records is not None
            made.append(LabelPartition(numbers, numbers, elements=side.records, named=named))
        elif isinstance(other, Cover):
            raise CoverError(f"{what} is a cover; compare a hierarchy with a partition or another hierarchy")
        else:
            made.append(partition_of(other, conventions, what))
    for number, side in enumerate(made):
        if isinstance(side, SourcePartition):
            made[number], made[1 - number] = _with_source(side, made[1 - number], sides, conventions)
            break
        if not isinstance(side, LabelPartition):
            what = ("the reference", "the candidate")[number]
            made[number] = side.in_memory(what, "a comparison with a hierarchy")
    for number, side in enumerate(sides):
        other = made[1 - number]
        if side is not None and side.untyped and isinstance(other, LabelPartition) and other.named:
            made[1 - number] = copy(other)
            made[1 - number].elements = spelled(other.elements)
    try:
        counted = engines.count(made[0], made[1], conventions, Need.ALIGNMENT)
    except UnmatchedError as error:
        error.withdraw(unmatched="keep")
        raise
    assert isinstance(counted.names, RecordNames)  # both sides are in memory by now
    return Leaves(sides, counted, counted.names, conventions.threads)


def _with_records_in_no_pair(
    hierarchy: Hierarchy, flat: Any, number: int, conventions: Conventions
) -> Leaves:
    """A partition beside scored pairs: its records that are in no pair are singletons at every threshold.

    So ``unmatched`` applies only to records of the pairs that the partition lacks.
    """
    asked, kept = conventions.unmatched, replace(conventions, unmatched="singletons")

    def laid_out(tree: Hierarchy, conventions: Conventions) -> Leaves:
        if number == 0:
            return _laid_out((tree, None), (tree, flat), conventions)
        return _laid_out((None, tree), (flat, tree), conventions)

    found = laid_out(hierarchy, kept)
    lacking = found.counted.audit.get(f"only_{SIDES[number]}", 0)
    if lacking and asked == "error":
        return laid_out(hierarchy, conventions)  # raises
    if lacking and asked == "drop":
        of_flat, of_tree = found.names.positions(1 - number), found.names.positions(number)
        assert of_flat is not None  # since it lacks records
        shared = np.flatnonzero(of_flat >= 0) if of_tree is None else of_tree[(of_flat >= 0) & (of_tree >= 0)]
        found = laid_out(hierarchy.take(np.sort(shared)), kept)
    audit = {name: count for name, count in found.counted.audit.items() if not name.startswith("only_")}
    in_no_pair = found.counted.audit.get(f"only_{SIDES[1 - number]}", 0)
    audit |= {f"only_{SIDES[number]}": lacking, "in_no_pair": in_no_pair}
    agreed = {**found.counted.conventions, "unmatched": asked}
    return replace(found, counted=replace(found.counted, conventions=agreed, audit=audit))


def _check(conventions: Conventions) -> None:
    if conventions.unmatched == "keep":
        raise HierarchyError(
            "a hierarchy is compared on one set of elements; use 'drop' to compare those that both sides "
            "have, or 'singletons'",
            given={"unmatched": "keep"},
        )
    if conventions.treats_labels:
        raise HierarchyError(
            "reference_noise= and candidate_noise= need labels on both sides; with a hierarchy, pass "
            "noise= and noise_as=, or compare one cut"
        )


def _with_source(
    source: SourcePartition,
    leaves: Partition,
    sides: Sides,
    conventions: Conventions,
) -> tuple[Partition, Partition]:
    """A dataframe or file beside the leaves of the hierarchy, both in memory."""
    hierarchy = sides[0] or sides[1]
    assert hierarchy is not None
    assert isinstance(leaves, LabelPartition)
    if (source.record is None) != (hierarchy.records is None):
        raise UnmatchedError(
            "the hierarchy has no record names, so it cannot be joined with the records of "
            f"{source.source}; give records= when you make the hierarchy"
            if hierarchy.records is None
            else f"the hierarchy names its records, and {source.source} is without a record; pass record= to "
            "Partition.from_frame or Partition.scan"
        )
    if conventions.where is not None:
        raise ParameterError("where= applies to labels in arrays; filter the dataframe or file instead")
    if source.record is None:
        return engines.labels_in_order(source, conventions.threads), leaves
    return engines.beside_numbers(source, hierarchy.records, conventions.threads, untyped=hierarchy.untyped)
