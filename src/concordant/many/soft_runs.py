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
from concordant.errors import ParameterError, SoftError
from concordant.indices.index import any_index
from concordant.indices.soft import SOFT_INDICES
from concordant.many.matrix import Matrix, OneIndex


def soft_matrix(
    named: Mapping[str, Any],
    spellings: Sequence[str],
    conventions: Conventions,
    reference: str | None,
    progress: Progress | None,
) -> Matrix:
    """Clusterings of which some are soft, all against all, by soft indices."""
    names, sides = tuple(named), list(named.values())
    declared = [any_index(each, SOFT_INDICES) for each in spellings]
    kinds = list(map(clustering_kind, sides))
    of_weights = replace(conventions, nulls=None, noise=None, noise_as=None)
    values = np.ones((len(declared), len(sides), len(sides)))
    pairs, size = [(i, j) for i in range(len(sides)) for j in range(i + 1, len(sides))], 0
    for done, (i, j) in enumerate(pairs, start=1):
        are_soft = kinds[i] == "soft" == kinds[j]
        found = _compared(sides[i], sides[j], of_weights if are_soft else conventions)
        values[:, i, j] = values[:, j, i] = [found[each.name] for each in declared]
        size = max(size, found.size)
        if progress is not None:
            progress(done, len(pairs))
    one_set, agreed = conventions.unmatched != "drop", conventions_in_words(conventions)
    parts = [
        OneIndex(names, each, read_only(own), one_set) for each, own in zip(declared, values, strict=True)
    ]
    return Matrix(parts, size=size, reference=reference, conventions=agreed)


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
