"""Two partitions or covers: read, weighted, counted and compared."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant import core, engines, inference, sources
from concordant.clusterings.alignment import refuse_unmatched
from concordant.clusterings.clustering import ClusteringKind, clustering_kind, data_of
from concordant.clusterings.coerce import named_columns, partition_of, refuse_memberships
from concordant.clusterings.cover_data import CoverData
from concordant.clusterings.labels import MemoryLabels, PartitionData
from concordant.clusterings.missing import LEAST_FOR_NOISE, warn_of_noise
from concordant.clusterings.partition_data import (
    ChunkedPartition,
    DevicePartition,
    SegmentPartition,
    SourcePartition,
)
from concordant.clusterings.record_names import RecordNames
from concordant.comparisons.comparison import Comparison
from concordant.counts.base import Counts, Detail
from concordant.counts.counted_sides import CountedSides, TableLabels
from concordant.counts.weighted_counts import (
    WEIGHTS_STAYED,
    WeightedCounts,
    own_parts,
    parts_of,
    weigh,
    weigh_in_core,
)
from concordant.engines import memory
from concordant.errors import (
    ParameterError,
    WeightsError,
)
from concordant.foundation.conventions import SIDES, TABLE_LIMIT, USUAL, Conventions, check_threads
from concordant.foundation.kinds import among
from concordant.indices.index import Index
from concordant.maths.arithmetic import Integers, as_integers
from concordant.sources.descriptions import Files, Frame


def count_weighted(
    reference: PartitionData | CoverData, candidate: PartitionData | CoverData, conventions: Conventions
) -> CountedSides:
    """Two partitions, counted with the weight of each element: by Spark or Dask, or in memory."""
    sides = reference, candidate
    for side in sides:
        if isinstance(side, SourcePartition) and isinstance(side.source, Frame) and side.source.is_of_spark:
            return _weighted_by_engine(sides, conventions)
    wanted = [
        (side.source, side.columns)
        for side in sides
        if isinstance(side, SourcePartition) and isinstance(side.source, Files)
    ]
    if wanted and isinstance(conventions.weights, str):
        source, (_, *record) = wanted[0]
        wanted.append((source, (conventions.weights, *record)))
    sources.files.refuse_if_too_large(wanted)
    conventions = with_named_weights(conventions, sides)
    reference, candidate = (
        replace(side, nulls=conventions.nulls or side.nulls).in_memory(
            f"the {role}", "a comparison with weights"
        )
        if isinstance(side, SourcePartition)
        else side
        for role, side in zip(SIDES, sides, strict=True)
    )
    if not (isinstance(reference, MemoryLabels) and isinstance(candidate, MemoryLabels)):
        raise WeightsError(
            "weights need two partitions in memory: in a cover, a record may be in several clusters, so the "
            "weights of clusters do not add up; copy labels from a GPU; segments are weighted by their "
            "durations",
            given={"weights": ...},
        )
    made = memory.count(reference, candidate, conventions, Detail.RECORDS)
    if isinstance(sides[0], SourcePartition) and isinstance(sides[1], SourcePartition):
        made.frames = sides[0], sides[1]  # slices and sources name their columns
    if made.counts.kind != "partitions":
        raise WeightsError(
            "weights need two partitions of the same records",
            given={"weights": ...},
            remedies=made.counts.remedies,
        )
    records = made.names.records
    assert isinstance(records, RecordNames)
    given = _numbers(records.values(conventions.weights, "weights", "weight"))
    if isinstance(given, np.ndarray):
        counter = core.weighted_table(*records.labels_of_records, given, conventions.threads)
        if counter is not None:
            return weigh_in_core(made, counter, records.labels_of_clusters)
    whole, parts = _whole_parts(_as_list(given))  # any other numbers, and errors in these
    return weigh(made, as_integers(whole, sum(whole)), parts)


def _weighted_by_engine(sides: BothSides, conventions: Conventions) -> CountedSides:
    """Two sources, whose engine counts the records of each overlap by their weights."""
    import narwhals.stable.v2 as nw  # commands start faster without it

    column = conventions.weights
    if not isinstance(column, str):
        raise ParameterError(
            "the records are in dataframes that an engine reads; name the column of the reference or of the "
            "candidate that has the weights",
            given={"weights": ...},
        )
    made = engines.count(*sides, replace(conventions, weights=None), Detail.SIZES)
    groups = inference.slice_cells.slice_cells(made, column, option="weights", noun="weight")
    given = [_decimal(weight) if isinstance(weight, str) else weight for (weight,) in groups.labels]
    for weight in given:
        if not _is_finite(weight) or weight <= 0:
            raise ParameterError(
                f"a weight in {column!r} is {weight!r}: weights are positive numbers; leave out these records"
            )
    types = [nw.from_native(side.source.native).collect_schema() for side in made.sources or ()]
    if next(each[column] for each in types if column in each) == nw.Float32:
        given = [np.float32(weight) for weight in given]  # whose own decimal is shorter
    own, parts = weights_in_parts(given)
    counts = WeightedCounts.of_groups(groups.table, groups.cell, own[groups.slice], groups.records, parts)
    names = TableLabels(counts.elements, why_no_records=WEIGHTS_STAYED)
    return CountedSides(counts, names, {**made.conventions, **counts.conventions}, made.audit)


def with_named_weights(conventions: Conventions, sides: Iterable[Any]) -> Conventions:
    """The weights by record, where they are a column of AnnData, or of the first dataframe or file."""
    side = next((each for each in map(data_of, sides) if isinstance(each, SourcePartition)), None)
    column = conventions.weights
    if conventions.observed is not None and isinstance(column, str):
        return replace(conventions, weights=named_columns(conventions.observed, [column])[column])
    if side is None or not isinstance(column, str):
        return conventions
    wanted = (column,) if side.record is None else (column, side.record)
    given, *records = sources.files.read_columns(side.source, wanted, short=True)
    given = [_decimal(each) if isinstance(each, str) else each for each in given]  # text files
    return replace(conventions, weights=dict(zip(*records, given, strict=True)) if records else given)


def _decimal(text: str) -> Any:
    """The number that a text file spells: as a float, which is faster, if this has the same decimal."""
    try:
        number = Decimal(text)
    except InvalidOperation:
        return text  # an error refuses it as a weight
    short = float(number) if number.is_finite() else math.nan
    return short if Decimal(repr(short)) == number else number


def weights_in_parts(weights: list[Any] | NDArray[Any]) -> tuple[Integers, Fraction]:
    """The weights in whole parts, and how many parts make one."""
    given = _numbers(weights)
    if isinstance(given, np.ndarray):
        together = np.zeros(len(given), dtype=np.uint8)
        if (counter := core.weighted_table(together, together, given)) is not None:
            return own_parts(counter)
    whole, parts = _whole_parts(_as_list(given))
    return as_integers(whole, sum(whole)), parts


def _numbers(weights: list[Any] | NDArray[Any]) -> list[Any] | NDArray[Any]:
    """An array if the core takes it, otherwise a list."""
    numbers = _as_array(weights)
    return _as_list(weights) if numbers is None else numbers


def _as_array(weights: list[Any] | NDArray[Any]) -> NDArray[Any] | None:
    """Weights that the core takes: integers, or floats whose shortest decimals it knows."""
    if isinstance(weights, list):
        if weights and type(weights[0]) is float:
            return core.floats(weights)
        if len(set(map(type, weights))) != 1 or not isinstance(weights[0], np.generic):
            return core.integers(weights)
        weights = np.array(weights)
    is_float = weights.dtype.kind == "f" and weights.dtype.itemsize in (4, 8)
    if not (is_float or weights.dtype.kind in "iu"):
        return None
    return np.ascontiguousarray(weights, dtype=weights.dtype.newbyteorder("="))


def _as_list(weights: list[Any] | NDArray[Any]) -> list[Any]:
    """Python's numbers. A float of 16 or 32 bits stays one: its decimal is shorter than that of its value."""
    if isinstance(weights, list):
        return weights
    return list(weights) if weights.dtype in (np.float16, np.float32) else weights.tolist()


def _is_finite(number: Any) -> bool:
    """Whether it is a finite number, which may be beyond the range of floats."""
    if isinstance(number, Decimal):
        return number.is_finite()
    if isinstance(number, float):
        return math.isfinite(number)
    return isinstance(number, int | Fraction) and not isinstance(number, bool)


def _whole_parts(weights: list[Any]) -> tuple[list[int], Fraction]:
    """The weights as whole numbers of parts, and how many parts make one; decimals as they are written.

    >>> _whole_parts([1, 0.5, Fraction(2, 3)]), _whole_parts([1e300, 2e300])[0]
    (([6, 3, 4], Fraction(6, 1)), [1, 2])
    """
    exact: dict[Any, Fraction] = {}
    keys = []
    for place, weight in enumerate(weights):
        is_short = isinstance(
            weight, np.float16 | np.float32
        )  # whose own decimal is shorter than the double's
        number = weight.item() if isinstance(weight, np.generic) else weight
        if not _is_finite(number) or number <= 0:
            raise ParameterError(
                f"the weight at position {place} is {number!r}: weights are positive numbers; leave out "
                "records of weight 0"
            )
        # A float counts as its decimal, a Fraction as itself.
        keys.append(key := (type(weight) if is_short else type(number), number))
        if key not in exact:
            shown = str(weight) if is_short else repr(number)
            exact[key] = Fraction(shown) if isinstance(number, float) else Fraction(number)
    parts = parts_of(exact.values())
    whole = {key: int(each * parts) for key, each in exact.items()}
    return [whole[key] for key in keys], parts


_INT64 = np.dtype(np.int64)

Kinds = tuple[ClusteringKind, ClusteringKind]  # of the reference and the candidate
PARTITIONS: Kinds = ("partition", "partition")
BothSides = tuple[PartitionData | CoverData, PartitionData | CoverData]


def compare_partitions(kinds: Kinds, reference: Any, candidate: Any, conventions: Conventions) -> Comparison:
    """Two partitions or covers, compared; other kinds of clusterings are refused."""
    sides = read_sides(kinds, reference, candidate, conventions)
    counted = count_sides(sides, conventions, Detail.RECORDS)
    counted.observed = conventions.observed
    reference_name, candidate_name = conventions.checked_names(SIDES)
    return Comparison(counted, undefined=conventions.undefined, names=(reference_name, candidate_name))


def values(
    indices: Sequence[Index], reference: Any, candidate: Any, conventions: Conventions = USUAL
) -> list[float]:
    """The values of these indices only; nothing is counted that they do not need.

    >>> from concordant import INDICES
    >>> values([INDICES["rand"], INDICES["jaccard"]], [0, 0, 1, 1], [0, 0, 1, 2])
    [0.8333333333333334, 0.5]
    """
    if conventions is USUAL:
        check_threads(0)  # the environment may have changed since the last call
    need = indices[0].needs if len(indices) == 1 else max(each.needs for each in indices)
    if need is Detail.PAIRS and conventions is USUAL and _are_plain(reference, candidate):
        u, v = reference, candidate
        # The smallest labels by ``argmin``, which takes a tenth of the time of ``min``.
        if len(u) >= LEAST_FOR_NOISE and (u.item(u.argmin()) == -1 or v.item(v.argmin()) == -1):
            for role, labels in zip(SIDES, (reference, candidate), strict=True):
                warn_of_noise(f"the {role}", MemoryLabels(labels, labels))
        counts: Counts = engines.memory.pairs(reference, candidate)
    else:
        kinds = clustering_kind(reference), clustering_kind(candidate)
        sides = read_sides(kinds, reference, candidate, conventions)
        counts = count_sides(sides, conventions, need).counts
    return [each.value(counts, conventions.undefined) for each in indices]


def count_sides(sides: BothSides, conventions: Conventions, need: Detail) -> CountedSides:
    """Two partitions or covers, counted by their engine, or by weights."""
    if conventions.weights is None:
        counted = engines.count(*sides, conventions, need)
    else:
        counted = count_weighted(*sides, conventions)
    progress = conventions.progress
    if progress is not None and not any(isinstance(side, ChunkedPartition) for side in sides):
        progress(1, 1)
    if conventions.table_limit == TABLE_LIMIT:
        return counted
    from concordant.engines.tables.overlaps import with_limited_table  # rarely needed

    return replace(counted, counts=with_limited_table(counted.counts, conventions.table_limit))


def _are_plain(reference: Any, candidate: Any) -> bool:
    """Whether the core takes both arrays as they are; skipping all other checks speeds up small inputs."""
    if type(reference) is not np.ndarray or type(candidate) is not np.ndarray:
        return False
    same = reference.shape == candidate.shape and reference.ndim == 1
    return bool(same and reference.dtype == _INT64 == candidate.dtype)


def read_sides(kinds: Kinds, reference: Any, candidate: Any, conventions: Conventions) -> BothSides:
    """Both sides as two partitions or, if one of them is a cover, as two covers."""
    if others := among(kinds):
        raise others[0].error(others[0].not_partitions)
    if conventions is not USUAL and (conventions.where is not None or conventions.treats_labels):
        for side in (reference, candidate):
            if isinstance(data_of(side), CoverData | SourcePartition | SegmentPartition):
                raise ParameterError(
                    "this needs labels in memory; filter dataframes, files, covers and segments before "
                    "you compare them",
                    given=({} if conventions.where is None else {"where": ...}) | conventions.noise_of_sides,
                )
    if "cover" in kinds:
        if conventions.noise is not None and kinds == ("cover", "cover"):
            raise ParameterError(
                "noise= is a label of a partition, and both sides are covers; leave out their noise clusters",
                given={"noise": conventions.noise},
            )
        conventions = replace(conventions, takes_nulls=False)  # refused for covers
        own = CoverData.of_unnamed_kind(reference, conventions, "the reference")
        return own, CoverData.of_unnamed_kind(candidate, conventions, "the candidate")
    refuse_memberships(("the reference", reference), ("the candidate", candidate))
    reference = partition_of(reference, conventions, "the reference")
    candidate = partition_of(candidate, conventions, "the candidate")
    if conventions is USUAL or (conventions.noise is None and not conventions.treats_labels):
        for role, side in zip(SIDES, (reference, candidate), strict=True):
            warn_of_noise(f"the {role}", side, of_side=f"{role}_noise", where=conventions.where)
    if conventions is USUAL:
        return reference, candidate
    refuse_unmatched(conventions.unmatched, reference, candidate)
    if not conventions.treats_labels:
        return reference, candidate
    if isinstance(reference, DevicePartition) or isinstance(candidate, DevicePartition):
        raise ParameterError(
            "reference_noise= and candidate_noise= need labels in memory; copy these from the GPU, or use "
            "noise="
        )
    return reference, candidate
