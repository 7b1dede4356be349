"""Many runs, some of them soft: all against all, and the draws of a posterior as partitions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from concordant.clusterings.clustering import clustering_kind, data_of
from concordant.clusterings.inputs import partition_of
from concordant.clusterings.missing import conventions_in_words
from concordant.clusterings.soft_data import DrawnSoft
from concordant.comparisons.entry import compare_sides
from concordant.counts.arithmetic import read_only
from concordant.counts.conventions import Conventions, Progress
from concordant.errors import ParameterError, SoftError, few
from concordant.indices.index import any_index
from concordant.indices.soft import SOFT_INDICES
from concordant.many.matrix import Matrix


def soft_matrix(
    partitions: Mapping[Any, Any] | Sequence[Any],
    spelling: str,
    conventions: Conventions,
    reference: Any,
    progress: Progress | None,
) -> Matrix:
    """Soft runs, all against all, by a soft index."""
    named = partitions if isinstance(partitions, Mapping) else dict(enumerate(partitions))
    names = tuple(map(str, named))
    if len(set(names)) < len(names) or len(names) < 2:
        raise ParameterError("matrix takes two partitions or more, each with its own name")
    if reference is not None and str(reference) not in names:
        raise ParameterError(f"use the name of a partition: {few(names)}", given={"reference": reference})
    index, sides = any_index(spelling, SOFT_INDICES), list(named.values())
    kinds = list(map(clustering_kind, sides))
    of_weights = replace(conventions, nulls=None, noise=None, noise_as=None)
    values = np.ones((len(sides), len(sides)))
    pairs = [(i, j) for i in range(len(sides)) for j in range(i + 1, len(sides))]
    for done, (i, j) in enumerate(pairs, start=1):
        are_soft = kinds[i] == "soft" == kinds[j]
        found = _compared(sides[i], sides[j], of_weights if are_soft else conventions)
        values[i, j] = values[j, i] = found.value(index)
        if progress is not None:
            progress(done, len(pairs))
    judge = None if reference is None else str(reference)
    one_set, agreed = conventions.unmatched != "drop", conventions_in_words(conventions)
    return Matrix(names, index, read_only(values), one_set, judge, agreed)


def _compared(one: Any, other: Any, conventions: Conventions) -> Any:
    """Two sides, of which both may be labels: one of them then counts as soft, with weights of 0 and 1."""
    if clustering_kind(one) != "soft" and clustering_kind(other) != "soft":
        labels = partition_of(one, conventions, "the labels").in_memory("the labels", "matrix")
        one = DrawnSoft.of_labels(labels)
    return compare_sides(one, other, conventions)


def drawn_partitions(draws: Any, clustering_weights: Any) -> tuple[dict[str, Any], Any]:
    """The draws of a posterior as partitions by name, and how much each counts."""
    draws = data_of(draws)
    if not isinstance(draws, DrawnSoft):
        raise SoftError(
            "a consensus is of many partitions, and this is one soft partition; pass Soft.from_draws(...), "
            "or take the largest weights: soft.harden()"
        )
    if clustering_weights is not None:
        raise ParameterError(
            "draws have their own weights; pass weights= to Soft.from_draws instead of clustering_weights="
        )
    return draws.partitions(), [float(share) for share in draws.shares]
