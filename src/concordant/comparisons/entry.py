"""compare(): the kinds of both sides decide which module compares them."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar, overload

from concordant import comparisons
from concordant.clusterings.alignment import none_unmatched
from concordant.clusterings.inputs import observed_columns
from concordant.clusterings.partition import Partition, clustering_kind
from concordant.clusterings.recognition import has_observations
from concordant.comparisons.comparison import Comparison
from concordant.comparisons.partitions import compare_partitions
from concordant.counts.conventions import (
    TABLE_LIMIT,
    Conventions,
    LabelTreatment,
    NoiseAs,
    Nulls,
    Progress,
    Undefined,
    Unmatched,
)
from concordant.errors import ParameterError, SoftError, did_you_mean

if TYPE_CHECKING:
    from concordant.clusterings.hierarchy import Hierarchy
    from concordant.clusterings.soft import Soft
    from concordant.comparisons.hierarchies import HierarchyComparison
    from concordant.comparisons.soft import SoftComparison

_SIDES_ELSEWHERE = ("labels_true", "labels_pred", "y_true", "y_pred", "truth", "predicted", "true", "pred")

_P = ParamSpec("_P")
_T = TypeVar("_T")


def unknown_option(call: str, name: str, offered: Iterable[str]) -> ParameterError:
    """The error for an unknown option; other libraries have other names for the two sides."""
    if name in _SIDES_ELSEWHERE:
        return ParameterError(
            f"{call}() does not take {name!r}; pass the two partitions by position, reference first: "
            f"{call}(truth, predicted)"
        )
    names = list(offered)
    return ParameterError(
        f"{call}() does not take {name!r}: it takes {', '.join(names)}" + did_you_mean(name, names)
    )


def _explain_unknown_options(function: Callable[_P, _T]) -> Callable[_P, _T]:
    """The function, with our own error for unknown options."""
    offered = inspect.signature(function).parameters

    @wraps(function)
    def explained(*sides: _P.args, **options: _P.kwargs) -> _T:
        try:
            return function(*sides, **options)
        except TypeError:
            for name in options:
                if name not in offered:
                    raise unknown_option(function.__name__, name, list(offered)[2:]) from None
            raise

    return explained


@overload
def compare(
    reference: Hierarchy,
    candidate: Any,
    *,
    unmatched: Unmatched = "error",
    nulls: Nulls | None = None,
    noise: Any = None,
    noise_as: NoiseAs | None = None,
    undefined: Undefined = "convention",
    threads: int = 0,
    where: Any = None,
    progress: Progress | None = None,
) -> HierarchyComparison: ...


@overload
def compare(
    reference: Any,
    candidate: Hierarchy,
    *,
    unmatched: Unmatched = "error",
    nulls: Nulls | None = None,
    noise: Any = None,
    noise_as: NoiseAs | None = None,
    undefined: Undefined = "convention",
    threads: int = 0,
    where: Any = None,
    progress: Progress | None = None,
) -> HierarchyComparison: ...


@overload
def compare(
    reference: Soft,
    candidate: Any,
    *,
    unmatched: Unmatched = "error",
    nulls: Nulls | None = None,
    noise: Any = None,
    noise_as: NoiseAs | None = None,
    undefined: Undefined = "convention",
    threads: int = 0,
    where: Any = None,
    progress: Progress | None = None,
) -> SoftComparison: ...


@overload
def compare(
    reference: Any,
    candidate: Soft,
    *,
    unmatched: Unmatched = "error",
    nulls: Nulls | None = None,
    noise: Any = None,
    noise_as: NoiseAs | None = None,
    undefined: Undefined = "convention",
    threads: int = 0,
    where: Any = None,
    progress: Progress | None = None,
) -> SoftComparison: ...


@overload
def compare(
    reference: Any,
    candidate: Any,
    column: str | None = None,
    *,
    record: str | None = None,
    unmatched: Unmatched = "error",
    nulls: Nulls | None = None,
    noise: Any = None,
    noise_as: NoiseAs | None = None,
    undefined: Undefined = "convention",
    table_limit: int = TABLE_LIMIT,
    threads: int = 0,
    where: Any = None,
    weights: Any = None,
    reference_noise: Mapping[Any, LabelTreatment] | None = None,
    candidate_noise: Mapping[Any, LabelTreatment] | None = None,
    progress: Progress | None = None,
) -> Comparison: ...


@_explain_unknown_options
def compare(
    reference: Any,
    candidate: Any,
    column: str | None = None,
    *,
    record: str | None = None,
    unmatched: Unmatched = "error",
    nulls: Nulls | None = None,
    noise: Any = None,
    noise_as: NoiseAs | None = None,
    undefined: Undefined = "convention",
    table_limit: int = TABLE_LIMIT,
    threads: int = 0,
    where: Any = None,
    weights: Any = None,
    reference_noise: Mapping[Any, LabelTreatment] | None = None,
    candidate_noise: Mapping[Any, LabelTreatment] | None = None,
    progress: Progress | None = None,
) -> Comparison | HierarchyComparison | SoftComparison:
    """Compare two clusterings of the same set. The reference comes first.

    You may change labels and dataframes in memory after `compare` returns. Files and lazy dataframes (Spark,
    Dask, DuckDB, Polars) may be read again later, so they must not change.

    Parameters
    ----------
    reference : labels, mapping, list of sets, Partition, Cover, Soft, Hierarchy or dataframe
        The reference clustering, such as the truth. A list, array, Series or Arrow array has one label for
        each element. A mapping gives the cluster of each element. An array with several dimensions is a
        label image. For dataframes and files, see `Partition.from_frame` and `Partition.scan`. If you pass a
        dataframe, relation or AnnData object, give the names of its two label columns as `candidate` and
        `column`.
    candidate : same as reference, or str
        The candidate clustering. If you compare two columns of one source, the name of the reference column.
    column : str, optional
        The name of the candidate column, to compare two columns of one source without a join.
    record : str, optional
        The column with the record ids, if you compare two columns.
    unmatched : {"error", "drop", "singletons", "keep"}, default="error"
        Elements of only one side: raise an error, drop them, add them to the other side as singletons, or
        keep them on their side only.
    nulls : {"error", "drop", "singletons"}, optional
        Treatment of null labels, including None and NaN. By default, the source specifies it.
    noise : label, optional
        The label of noise, that is, of elements in no cluster.
    noise_as : {"cluster", "singletons", "drop"}, optional
        Whether noise is a cluster, becomes singletons, or is dropped.
    undefined : {"convention", "nan", "raise", "conll"}, default="convention"
        Value of an index if its formula is 0/0 and the clusterings differ: a convention of the index, NaN,
        or an error. "conll" follows the official coreference scorer. Identical clusterings are always
        perfect.
    table_limit : int, default=10_000_000
        Maximum number of overlaps to list for sources that are not in memory. In memory, there is no limit
        unless you give one.
    threads : int, default=0
        Number of threads. 0 uses all available cores. Lazy dataframes and GPUs have their own settings.
    where : array of bool, optional
        Mask of the elements to compare, in the shape of the labels.
    weights : array or mapping, optional
        Weight of each element, in the order of the reference or by record id. A pair weighs the product of
        its two weights. Indices without a meaning for weights raise an error.
    reference_noise, candidate_noise : mapping from label to str, optional
        Treatment of labels of one side, as in {0: "drop"}: "cluster", "drop", "singletons" or "background".
        Background is not a cluster, but counts in unions of objects.
    progress : callable, optional
        Called with the number of counted blocks and the total. Only chunked arrays have several blocks.

    Returns
    -------
    Comparison, HierarchyComparison or SoftComparison
        The comparison. It is a HierarchyComparison if a side is a Hierarchy, and a SoftComparison if a side
        is a Soft.

    Raises
    ------
    LengthError
        If the label lists differ in length.
    UnmatchedError
        If elements are on one side only and `unmatched` is "error".
    LabelError
        If labels are null and `nulls` is "error".

    Examples
    --------
    >>> c = compare(["a", "a", "b", "b"], [1, 1, 2, 3])
    >>> c.precision, c.recall, c["f_measure(beta=2)"]
    (1.0, 0.5, 0.5555555555555556)
    >>> import polars
    >>> compare(polars.DataFrame({"truth": [1, 1, 2], "guess": [1, 2, 2]}), "truth", "guess").rand
    0.3333333333333333
    """
    if column is not None or record is not None or has_observations(reference):
        names: Any = (candidate, column)
        if not all(isinstance(name, str) for name in names):
            raise ParameterError(
                "compare() takes two partitions, or a dataframe and the names of two of its columns, the "
                "reference first, as in compare(frame, 'truth', 'candidate'); pass everything else by name"
            )
        if has_observations(reference):
            if unmatched != "error":
                raise none_unmatched(unmatched)
            reference, candidate = observed_columns(reference, names).values()
        else:
            options: dict[str, Any] = {"record": record, "nulls": nulls or "error"}
            options |= {"noise": noise, "noise_as": noise_as}
            frame, nulls, noise, noise_as = reference, None, None, None
            reference, candidate = (Partition.from_frame(frame, cluster=name, **options) for name in names)
    sides = where, weights, reference_noise, candidate_noise
    conventions = Conventions.agreed(
        unmatched, nulls, noise, noise_as, undefined, table_limit, threads, *sides, progress
    )
    compared: Comparison | HierarchyComparison | SoftComparison
    compared = compare_sides(reference, candidate, conventions)
    return compared


def compare_sides(reference: Any, candidate: Any, conventions: Conventions) -> Any:
    """Two sides, compared by the module for their kinds."""
    kinds = clustering_kind(reference), clustering_kind(candidate)
    if "hierarchy" in kinds:
        if "soft" in kinds:
            raise SoftError(
                "a Soft is compared with a single partition, and a Hierarchy has many; compare the Soft "
                "with a cut, as in hierarchy.cut(k=5)"
            )
        from concordant.comparisons.hierarchies import compare_hierarchies  # rarely needed

        return compare_hierarchies(reference, candidate, conventions)
    if "soft" in kinds:
        return comparisons.soft.compare_soft(reference, candidate, conventions)
    return compare_partitions(kinds, reference, candidate, conventions)
