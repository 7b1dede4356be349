"""diff(): how much changed from one clustering to the next, where, and whether for the better."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from concordant.comparisons.partitions import compare_partitions
from concordant.comparisons.weights import weights_in_parts
from concordant.counts.conventions import (
    TABLE_LIMIT,
    Conventions,
    NoiseAs,
    NoiseOfAll,
    Nulls,
    Unmatched,
)
from concordant.counts.remedies import FOR_UNMATCHED
from concordant.differences.diff_metrics import (
    DiffCells,
)
from concordant.errors import (
    CoverError,
    ParameterError,
    UnmatchedError,
    WeightsError,
)
from concordant.many.diff_result import Diff
from concordant.many.diff_values import RUNS, TwoTitles
from concordant.many.three_sides import count_three_sides
from concordant.partitions.partition import SourcePartition


def diff(
    base: Any,
    experiment: Any,
    *,
    truth: Any = None,
    weights: Any = None,
    by: Any = None,
    unmatched: Unmatched = "error",
    nulls: Nulls | None = None,
    noise: Any = None,
    noise_as: NoiseAs | None = None,
    table_limit: int = TABLE_LIMIT,
    threads: int = 0,
    names: tuple[str, str] = RUNS,
) -> Diff:
    """Measure the change from one clustering of the same records to the next.

    Without a truth, the result shows how much was split off each record's cluster and merged into it. With a
    truth it also shows which splits and merges were right.

    Parameters
    ----------
    base, experiment : any input of compare
        The clustering before and after the change.
    truth : any input of compare, optional
        The true clustering of the same records.
    weights : array or mapping, optional
        Weight of each record, such as traffic or revenue, in the order of the base or by record id.
    by : str, list of str, mapping, sequence or dataframe, optional
        Slices of the records, as in `Diff.by`. They become `slices`.
    unmatched : {"error", "drop", "singletons", "keep"}, default="error"
        Records that at least one side lacks. "singletons" is not available with a truth.
    nulls, noise, noise_as : str or label, optional
        Null labels and noise, as in `compare`.
    table_limit : int, default=10_000_000
        Maximum number of overlaps to list for sources that are not in memory.
    threads : int, default=0
        Number of threads. 0 uses all available cores.
    names : (str, str), default=("base", "experiment")
        Names of the two runs in text and on pages.

    Returns
    -------
    Diff
        The metrics of the change, and where it happened.

    Raises
    ------
    UnmatchedError
        If the sides have different records and `unmatched` is "error".

    Examples
    --------
    >>> d = diff([0, 0, 1, 1, 2, 2, 2], [0, 0, 0, 1, 1, 2, 2])
    >>> round(d.split_rate, 4), round(d.merge_rate, 4), d.affected
    (0.3333, 0.3333, 1.0)
    >>> judged = diff([0, 0, 1, 1], [0, 0, 0, 1], truth=["a", "a", "a", "b"])
    >>> judged.good_split_rate, judged.bad_split_rate, judged.good_merge_rate
    (0.25, 0.0, 0.3333333333333333)
    """
    if isinstance(names, str) or len(names) != 2 or not all(isinstance(x, str) and x.strip() for x in names):
        raise ParameterError("name both runs, as two strings", given={"names": names})
    conventions = Conventions(
        unmatched=unmatched,
        nulls=nulls,
        noise=noise,
        noise_as=noise_as,
        table_limit=table_limit,
        threads=threads,
    )
    if truth is None:
        result = _without_truth(base, experiment, conventions, weights, names)
    else:
        result = _with_truth((truth, base, experiment), conventions, weights, names)
    result.slices = None if by is None else result.by(by)
    return result


def _without_truth(
    base: Any, experiment: Any, conventions: Conventions, weights: Any, names: TwoTitles
) -> Diff:
    if conventions.unmatched == "keep":
        words = "a diff compares the records that both runs have"
        raise ParameterError(words, given={"unmatched": "keep"}, remedies=FOR_UNMATCHED[:2])
    try:
        comparison = compare_partitions(base, experiment, conventions, weights)
    except UnmatchedError as error:
        error.withdraw(unmatched="keep")
        raise
    if comparison.counts.kind == "covers":
        raise CoverError("a diff needs partitions, and a side is a cover; compare() has indices for covers")
    if comparison.counts.divisible:
        _ = comparison.counts.partitions  # which refuses segments of time
    return Diff(comparison, names)


def _with_truth(given: Sequence[Any], conventions: Conventions, weights: Any, names: TwoTitles) -> Diff:
    if weights is not None and any(isinstance(each, SourcePartition) for each in given):
        raise WeightsError("weights need partitions in memory, not files", given={"weights": ...})
    with NoiseOfAll():
        sides = count_three_sides(given, ("truth", *RUNS), "compare", conventions)
        if weights is None:
            return Diff(sides.between(), names, sides, DiffCells.of_three(sides.cells, None))
        records = sides.to_reference[0]._counted.names.records  # noqa: SLF001  (same package)
        whole, parts = weights_in_parts(records.everyone, weights, sides.sizes[1])
        exact = (Fraction(each, parts) for each in whole.tolist())
        comparison = sides.between(dict(zip(records.everyone, exact, strict=True)))
        return Diff(comparison, names, sides, DiffCells.of_three(sides.cells, whole))
