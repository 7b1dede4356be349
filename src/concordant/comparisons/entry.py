"""compare(): the kinds of both sides decide which module compares them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Unpack

from concordant import comparisons
from concordant.clusterings.clustering import clustering_kind
from concordant.clusterings.coerce import both_sides
from concordant.comparisons.comparison import Comparison
from concordant.comparisons.partitions import compare_partitions
from concordant.errors import ParameterError
from concordant.foundation import kinds
from concordant.foundation.conventions import Conventions, LabelTreatment
from concordant.foundation.input_options import InputOptions, input_options


@input_options()
def compare(
    reference: Any,
    candidate: Any = None,
    *,
    reference_noise: Mapping[Any, LabelTreatment] | None = None,
    candidate_noise: Mapping[Any, LabelTreatment] | None = None,
    between: Any = None,
    same: Any = None,
    different: Any = None,
    **options: Unpack[InputOptions],
) -> Any:
    """Compare two clusterings of the same set. The reference comes first.

    You may change labels and dataframes in memory after `compare` returns. Files and lazy dataframes (Spark,
    Dask, DuckDB, Polars) may be read again later, so they must not change.

    Parameters
    ----------
    reference : labels, mapping, list of sets, Partition, Cover, Soft, Hierarchy or dataframe
        The reference clustering, such as the truth. A list, array, Series or Arrow array has one label for
        each record. A mapping gives the cluster of each record. An array with several dimensions is a
        label image. For files, see `Partition.scan`. You may also pass one table with a column for each
        side: a dataframe, relation or AnnData object. Name the columns in `columns`.
    candidate : same as reference, optional
        The judged clustering. Not needed if the reference is one table with both columns.
    reference_noise, candidate_noise : mapping from label to str, optional
        Treatment of labels of one side, as in {0: "drop"}: "cluster", "drop", "singletons" or "background".
        Background is not a cluster, but counts in unions of objects.
    between : str, mapping or sequence, optional
        The source of each record, such as its database: a column of the compared sources, a mapping, or a
        sequence in the order of the reference. Only pairs of records of different sources count. Indices
        that are not functions of pair counts, or that are adjusted for chance, raise an error.
    same, different : list of pairs, dataframe or path, optional
        Decisions that two records are the same entity, or that they are not. A list has pairs of records. A
        table or file has the columns record_a and record_b, and same: yes, no or unsure; `same` reads the
        rows with yes, and `different` those with no. The property `decisions` has those that the candidate
        breaks, and `suggest` does not break any.
    **options
        The input options.

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
        If records are on one side only and `unmatched` is "error".
    InputError
        If decisions contradict each other. The error shows the chain of decisions.
    LabelError
        If labels are null and `nulls` is "error".

    Examples
    --------
    >>> c = compare(["a", "a", "b", "b"], [1, 1, 2, 3])
    >>> c.precision, c.recall, c["f_measure(beta=2)"]
    (1.0, 0.5, 0.5555555555555556)
    >>> import polars
    >>> frame = polars.DataFrame({"truth": [1, 1, 2], "guess": [1, 2, 2]})
    >>> compare(frame, columns=["truth", "guess"]).rand
    0.3333333333333333
    """
    conventions = Conventions.of(options, reference_noise=reference_noise, candidate_noise=candidate_noise)
    compared = compare_sides(*both_sides(reference, candidate, conventions))
    of_records = {"between": between, "same": same, "different": different}
    given = {option: ... for option, value in of_records.items() if value is not None}
    if not given:
        return compared
    if not isinstance(compared, Comparison):
        words = "this is for records of two partitions; harden a Soft, or cut a Hierarchy"
        raise ParameterError(words, given=given)
    if "same" in given or "different" in given:
        compared = compared._edited(comparisons.decisions.with_decisions(compared._counted, same, different))
    if "between" in given:
        compared = compared._edited(comparisons.between.pairs_between(compared._counted, between))
    return compared


def compare_sides(reference: Any, candidate: Any, conventions: Conventions) -> Any:
    """Two sides, compared by the module for their kinds."""
    both = clustering_kind(reference), clustering_kind(candidate)
    registered = kinds.among(both)
    for kind in registered:
        for other in kind.refuses.keys() & set(both):
            raise kind.error(kind.refuses[other])
    if registered:
        return kinds.use(registered[0].compare)(reference, candidate, conventions)
    return compare_partitions(both, reference, candidate, conventions)
