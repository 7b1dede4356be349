"""Trees of nested partitions, such as the columns of a taxonomy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Sized
from dataclasses import dataclass, replace
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np

from concordant import core
from concordant.clusterings.alignment import align
from concordant.clusterings.coerce import clusterings_of_table, partition_of
from concordant.clusterings.detect import has_observations
from concordant.clusterings.labels import MemoryLabels, labels_at
from concordant.clusterings.partition_data import SourcePartition
from concordant.errors import ConcordantError, HierarchyError, ParameterError, kind_of, noted
from concordant.foundation.conventions import USUAL, Conventions, check_type
from concordant.foundation.spelling import counted, quoted
from concordant.hierarchies.named_trees import chosen_columns, refuse_repeated_leaves
from concordant.hierarchies.tree_arrays import Tree, arranged
from concordant.maths.arithmetic import Integers


@dataclass(frozen=True, slots=True)
class NestedLevel:
    """One of the partitions, its elements in the order of the first."""

    name: str
    height: float | None
    cluster: Integers  # of each element, from 0
    first: Integers  # an element of each cluster
    labels: Any
    position: Integers | None  # of each element in the input

    def label(self, element: int) -> str:
        """The label of an element, as an error shows it."""
        place = element if self.position is None else int(self.position[element])
        return quoted(labels_at(self.labels, np.array([place]))[0])


def of_levels(
    levels: Sequence[tuple[str, Any]], heights: Sequence[float] | None, conventions: Conventions = USUAL
) -> tuple[Tree, Any]:
    """The tree of partitions, each nested in the next, and the names of its leaves.

    Nested partitions have one order, from the most clusters to the fewest; they may be given in any order.
    """
    if not levels:
        raise HierarchyError("there are no levels; pass one partition for each")
    if heights is not None:
        check_type("heights", heights, Sized, "the height of each level")
    if heights is not None and len(heights) != len(levels):
        raise HierarchyError(
            f"{counted(len(levels), 'level')} cannot have {counted(len(heights), 'height')}; "
            "give one for each level"
        )
    sides = [_in_memory(value, name, conventions) for name, value in levels]
    found = [
        _aligned(sides[0], side, name, None if heights is None else float(heights[place]))
        for place, (side, (name, _)) in enumerate(zip(sides, levels, strict=True))
    ]
    found.sort(key=lambda level: -len(level.first))
    _check_order(found)
    size = len(found[0].cluster)
    cluster = first = np.arange(size)  # of the level below: at first, all are singletons
    parents, own, start = list[Integers](), list[float](), 0
    for rank, level in enumerate(found):
        above = level.cluster[first]
        wrong = np.flatnonzero(above[cluster] != level.cluster)
        if len(wrong):
            raise _not_nested(found[rank - 1], level, int(wrong[0]))
        start += len(first)
        parents.append(above + start)
        own += [rank + 1.0 if level.height is None else level.height] * len(level.first)
        cluster, first = level.cluster, level.first
    parents.append(np.full(len(first), -1))
    elements = sides[0].elements
    return arranged(np.concatenate(parents), np.array(own)), None if elements is None else list(elements)


def _in_memory(value: Any, name: str, conventions: Conventions) -> MemoryLabels:
    try:
        data = partition_of(value, conventions, name)
        if isinstance(data, SourcePartition):
            data = replace(data, nulls=conventions.nulls or data.nulls)
        partition = data.in_memory(name, "a tree")
    except ConcordantError as error:
        error.withdraw(nulls="drop")
        raise
    if partition.dropped is not None:
        raise HierarchyError(
            f"{name} drops records, and a tree needs every record on every level; use 'singletons', or leave "
            "these records out of all levels"
        )
    return partition


def _aligned(one: MemoryLabels, other: MemoryLabels, name: str, height: float | None) -> NestedLevel:
    with noted(f"the first level is the reference and {name} the candidate"):
        aligned = align(one, other)
    codes, position = np.asarray(aligned.candidate), None
    if aligned.reference_position is not None and aligned.candidate_position is not None:
        order = np.argsort(aligned.reference_position)
        codes, position = codes[order], aligned.candidate_position[order]
    return NestedLevel(name, height, *core.factorize(np.ascontiguousarray(codes)), other.originals, position)


def _check_order(levels: list[NestedLevel]) -> None:
    """Refuse heights that do not grow from the finest level to the coarsest."""
    for fine, coarse in zip(levels, [*levels[1:], None], strict=True):
        if fine.height is None:
            return
        if np.isnan(fine.height):
            raise HierarchyError(f"{fine.name}: the height is NaN; a height is a number")
        if coarse is not None and coarse.height is not None and coarse.height <= fine.height:
            raise HierarchyError(
                f"{coarse.name} is coarser than {fine.name}, and its height {coarse.height!r} is not above "
                f"{fine.height!r}; coarser levels have larger heights"
            )


def _not_nested(fine: NestedLevel, coarse: NestedLevel, element: int) -> HierarchyError:
    """The error that names a cluster with elements in several clusters of the coarser level."""
    inside = np.flatnonzero(fine.cluster == fine.cluster[element])
    spread = len(np.unique(coarse.cluster[inside]))
    return HierarchyError(
        f"the levels are not nested: cluster {fine.label(element)} of {fine.name} is spread over {spread} "
        f"clusters of {coarse.name}, so they are not a tree; concordant.track follows clusters from one "
        "partition to the next, and concordant.matrix compares all of them"
    )


def given_levels(levels: Any, columns: Sequence[str] | None, record: str | None) -> list[tuple[str, Any]]:
    """The partitions of a list, of a mapping, or of a dataframe, with the names that errors use."""
    if isinstance(levels, Mapping | list | tuple):
        if columns is not None or record is not None:
            raise ParameterError(f"columns= and record= are for dataframes, and this is {kind_of(levels)}")
        named = levels.items() if isinstance(levels, Mapping) else enumerate(levels)
        return [(f"level {quoted(name)}", value) for name, value in named]
    if has_observations(levels):
        opened = clusterings_of_table(levels, columns or (), Conventions(record=record))
        return [(f"level {name!r}", value) for name, value in zip(columns or (), opened, strict=True)]
    try:
        frame = nw.from_native(levels)
    except TypeError as error:
        raise HierarchyError(
            f"the levels are {kind_of(levels)}; pass a list or a mapping of partitions, or a dataframe"
        ) from error
    there = frame.collect_schema().names()
    wanted = [name for name in there if name != record] if columns is None else list(columns)
    held = chosen_columns(levels, frame, [*wanted, *([] if record is None else [record])])
    if record is None:
        return [(f"level {name!r}", held[name].to_native()) for name in wanted]
    ids = held[record].to_list()
    refuse_repeated_leaves(ids, f"the records {record!r}")
    return [(f"level {name!r}", dict(zip(ids, held[name].to_list(), strict=True))) for name in wanted]
