"""Many runs, some of them soft: all against all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from concordant.clusterings.clustering import clustering_kind
from concordant.clusterings.missing import conventions_in_words
from concordant.comparisons.entry import compare_sides
from concordant.errors import ParameterError
from concordant.foundation.conventions import Conventions, Progress
from concordant.indices.index import any_index
from concordant.many.matrix import Matrix, OneIndex
from concordant.maths.arithmetic import read_only
from concordant.soft.indices import SOFT_INDICES


def soft_matrix(
    named: Mapping[str, Any],
    spellings: Sequence[str],
    conventions: Conventions,
    reference: str | None,
    progress: Progress | None,
    *,
    interval: bool,
) -> Matrix:
    """Clusterings of which some are soft, all against all, by soft indices."""
    if interval:
        raise ParameterError("a matrix of soft runs has no intervals", given={"interval": interval})
    names, sides = tuple(named), list(named.values())
    declared = [any_index(each, SOFT_INDICES) for each in spellings]
    kinds = list(map(clustering_kind, sides))
    of_weights = replace(conventions, nulls=None, noise=None, noise_as=None)
    values = np.ones((len(declared), len(sides), len(sides)))
    pairs, size = [(i, j) for i in range(len(sides)) for j in range(i + 1, len(sides))], 0
    for done, (i, j) in enumerate(pairs, start=1):
        are_soft = kinds[i] == "soft" == kinds[j]
        found = compare_sides(sides[i], sides[j], of_weights if are_soft else conventions)
        has_weights = "soft" in (kinds[i], kinds[j])  # if not, the hard index has the same value
        values[:, i, j] = values[:, j, i] = [
            found[each.name if has_weights else str(each.generalises)] for each in declared
        ]
        size = max(size, found.size)
        if progress is not None:
            progress(done, len(pairs))
    one_set, agreed = conventions.unmatched != "drop", conventions_in_words(conventions)
    parts = [
        OneIndex(names, each, read_only(own), one_set) for each, own in zip(declared, values, strict=True)
    ]
    return Matrix(parts, size=size, reference=reference, conventions=agreed)
