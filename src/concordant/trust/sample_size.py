"""How many clusters to label, before any was: from cluster sizes and a guess of the value."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from concordant.catalogue.index import DEFAULT_FOR_SAMPLES
from concordant.counts.arithmetic import Floats
from concordant.counts.conventions import check_choice
from concordant.errors import InputError, ParameterError, kind_of
from concordant.trust.design import SAMPLING, Sampling
from concordant.trust.estimate import HALF_WIDTH, draws_needed
from concordant.trust.measures import measure
from concordant.trust.options import check_level, check_share


def sample_size(
    sizes: Any,
    index: str = DEFAULT_FOR_SAMPLES,
    *,
    value: float = 0.9,
    within: float = 0.02,
    sampling: Sampling,
    level: float = 0.95,
) -> int:
    """How many draws would give an interval of that half-width.

    The sizes of the candidate's clusters stand in for those of the true ones, and each cluster is taken to
    be all right or all wrong. That asked for 1 to 4 times what was needed where it was tried: a safe plan,
    not a proven bound. Label a pilot, and ``estimate(...).needed(...)`` tells it from the data.

    sizes   of the candidate's clusters: one by one, or a mapping from size to number of clusters, as
            ``compare(...).counts.column_sizes`` is
    value   what the index is expected to be
    within  the half-width of the interval
    sampling   "records" that bring their clusters, or "clusters"

    >>> sample_size({1: 500, 2: 300, 5: 40}, value=0.9, within=0.02, sampling="records")
    2179
    """
    check_choice("sampling", sampling, SAMPLING)
    check_level(level)
    check_share("within", within, HALF_WIDTH)
    check_share("value", value, "an expected value between 0 and 1, such as 0.9")
    size, many = _sizes(sizes)
    kind, beta = measure(index).kind, measure(index).beta
    mass = size * (size - 1) / 2  # what a cluster of each size has of the denominator
    if kind in ("cluster_recall", "bcubed_precision_macro", "bcubed_recall_macro"):
        mass = np.ones(len(size))
    elif kind in ("cluster_precision", "bcubed_precision", "bcubed_recall"):
        mass = size
    elif kind == "cluster_f":
        mass = beta * beta + size * float(many.sum() / (many @ size))
    chance = many * (size if sampling == "records" else 1)
    y = mass / size if sampling == "records" else mass
    mean = float(chance @ y / chance.sum())
    if not mean:
        raise InputError(f"{index}: no cluster has two records, so that there is no pair to judge by")
    spread = float(chance @ (y / mean) ** 2 / chance.sum())
    population = int(many.sum()) if sampling == "clusters" else None
    return draws_needed(value * (1 - value) * spread, within, level, population)


def _sizes(sizes: Any) -> tuple[Floats, Floats]:
    """The distinct sizes, and how many clusters have them."""
    if isinstance(sizes, Mapping):
        size, many = (np.asarray(list(each)) for each in (sizes, sizes.values()))
    elif isinstance(sizes, str) or not hasattr(sizes, "__iter__"):
        raise ParameterError(f"sizes are numbers of records, or a mapping; not {kind_of(sizes)}")
    else:
        given = np.asarray(sizes if hasattr(sizes, "__array__") else list(sizes))
        size, many = np.unique(given, return_counts=True) if given.ndim == 1 else (given, given)
    if not size.size:
        raise InputError("there are no sizes to plan with")
    for numbers in (size, many):
        whole = numbers.ndim == 1 and numbers.dtype.kind in "iuf" and np.isfinite(numbers).all()
        if not whole or (numbers < 1).any() or (numbers % 1 != 0).any():
            raise ParameterError("sizes of clusters, and their numbers, are positive whole numbers")
    return size.astype(np.float64), many.astype(np.float64)
