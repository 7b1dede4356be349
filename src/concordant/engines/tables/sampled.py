"""Labelled clusters and a candidate in a dataframe, in files or on a cluster: one join, one group-by.

The sizes of the clusters of labelled records are wanted, and the number of clusters. Grouping all labels
takes several times as long as reading them. If DuckDB reads the candidate, the compiled core makes one pass
instead: it counts integer labels, and keeps strings of a common form, such as customer-0000042, as numbers.
"""

from __future__ import annotations

from collections import Counter
from contextlib import ExitStack
from functools import partial
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np

from concordant import core
from concordant.clusterings.alignment import lacks_records
from concordant.clusterings.encoding import partition_of_labels
from concordant.clusterings.labels import MemoryLabels, PartitionData, is_missing
from concordant.clusterings.missing import LABELLED, NOISE, NULL
from concordant.clusterings.partition_data import SourcePartition
from concordant.counts.sampled import CandidateClusters, SampledCells
from concordant.engines.memory import places_in_memory, sampled_cells
from concordant.engines.tables import queries
from concordant.engines.tables.opening import (
    Opened,
    check_columns,
    frame_of,
    is_eager,
    no_record,
    opened_sides,
)
from concordant.errors import InputError, LabelError, OverlapError, ParameterError, Remedy
from concordant.foundation import remedies
from concordant.foundation.conventions import Conventions
from concordant.foundation.spelling import counted
from concordant.maths.arithmetic import as_integers, size_counts
from concordant.sources import execution, files
from concordant.sources.descriptions import Files
from concordant.sources.duckdb_files import INTEGERS
from concordant.sources.machine import whole_memory
from concordant.sources.values import KeyType

Totals = dict[int, Counter[int]]  # by the state of the label: the number of clusters of each size
RecordRows = list[tuple[Any, ...]]  # a record, its label, and the size of its cluster

_BYTES_OF_A_LABEL = 8  # kept for sorting
_BYTES_OF_A_VALUE = 250  # of the sample, until it is estimated


def count_sample(sample: PartitionData, candidate: PartitionData, from_text: bool) -> SampledCells:
    """The overlaps of labelled clusters with the clusters of a candidate; either may be in a source."""
    if isinstance(sample, SourcePartition):
        labelled, is_text = _sample_in_memory(sample)
    else:
        labelled, is_text = sample.in_memory("the sample", "estimate"), from_text
    if isinstance(candidate, SourcePartition):
        _check_record(candidate, "candidate")
    if isinstance(candidate, SourcePartition) and not is_eager(candidate):
        return sampled_cells(labelled, partial(_places_in_source, candidate, is_text))
    held = candidate.in_memory("the candidate", "estimate")
    return sampled_cells(labelled, partial(places_in_memory, held, is_text))


def _sample_in_memory(sample: SourcePartition) -> tuple[MemoryLabels, bool]:
    """A sample, which is small, as labels in memory; and whether its records come from a text file."""
    _check_record(sample, "sample")
    if sample.nulls == "singletons":
        raise ParameterError(
            "a record that was not labelled need not be a singleton; drop it, or label it",
            given={"nulls": sample.nulls},
        )
    if isinstance(sample.source, Files):
        files.refuse_if_too_large([(sample.source, sample.columns)], _BYTES_OF_A_VALUE)
    if is_eager(sample):
        rows = [row for row in _rows_in_memory(sample) if not is_missing(row[0])]
    else:
        with ExitStack() as stack:
            rows = queries.fetched([opened_sides((sample, sample), stack, 0)[0].rows()])
    unlabelled = sum(is_missing(label) for _, label in rows)
    if unlabelled and sample.nulls == "error":
        raise LabelError(
            f"{sample.cluster!r} of the sample has {counted(unlabelled, 'null label')}",
            remedies=remedies.FOR_NULLS[:1],
        )
    labelled = [(record, label) for record, label in rows if not is_missing(label)]
    what = f"the labels {sample.cluster!r} of the sample"
    conventions = Conventions(noise=sample.noise, noise_as=sample.noise_as)
    labels, records = [label for _, label in labelled], [record for record, _ in labelled]
    partition = partition_of_labels(labels, conventions, what, records)
    return partition, files.is_text(sample.source)


def _rows_in_memory(sample: SourcePartition) -> list[tuple[Any, ...]]:
    """The record and the label of each row."""
    frame = frame_of(sample)
    check_columns(sample, frame.columns)
    return list(frame.select(sample.record, sample.cluster).iter_rows())


def _places_in_source(candidate: SourcePartition, from_text: bool, names: list[Any]) -> CandidateClusters:
    """The clusters of the labelled records; the candidate's engine counts the sizes of all clusters."""
    with ExitStack() as stack:
        side = opened_sides((candidate, candidate), stack, 0)[1]
        record, wanted = _in_one_type(names, side, from_text)
        found, totals, height = _count_in_core(side, wanted) or _count_by_query(side, record, wanted)
        named = sum(_records(sizes) for sizes in totals.values())
        if height > named and candidate.nulls != "drop":
            raise no_record(side.role, candidate, height - named)
        if NULL in totals and candidate.nulls == "error":
            unlabelled = counted(_records(totals[NULL]), side.null_label)
            raise LabelError(
                f"{candidate.cluster!r} of the candidate has {unlabelled}", remedies=remedies.FOR_NULLS
            )
    return _places(dict(zip(wanted, names, strict=True)), found, totals, candidate)


def _count_by_query(side: Opened, record: nw.Expr, wanted: list[Any]) -> tuple[RecordRows, Totals, int]:
    """Each labelled record with its label and the label's size, the totals, and the number of rows.

    The candidate's engine groups all labels, and joins those of the labelled records with their sizes.
    """
    source = side.source
    height = queries.fetched([queries.height(side.frame)])[0][0]
    labelled = side.rows().filter(record.is_in(wanted)).select(record.alias("record"), "v")
    with queries.counted(side.rows().select("v", nw.lit(1, dtype=nw.Int64).alias("n"))) as sizes:
        of_label = sizes.select(nw.col("v").alias("of"), nw.col("n").alias("b"))
        joined = labelled.join(of_label, left_on="v", right_on="of", how="left")
        found = queries.fetched([joined.select("record", "v", "b")])
        label = nw.col("v")
        state = nw.when(label.is_null()).then(NULL)
        if source.noise_as is not None:
            state = state.when(label == nw.lit(source.noise)).then(NOISE)
        stated = sizes.select(
            state.otherwise(LABELLED).cast(nw.Int64).alias("state"),
            nw.col("n").cast(nw.Int64),
            nw.lit(1, dtype=nw.Int64).alias("many"),
        )
        by_size = queries.fetched([stated.group_by("state", "n").agg(nw.col("many").sum())])
    totals: Totals = {}
    for kind, n, many in by_size:
        totals.setdefault(kind, Counter())[n] = many
    return found, totals, height


def _count_in_core(side: Opened, wanted: list[Any]) -> tuple[RecordRows, Totals, int] | None:
    """The same by one pass of the core, or None.

    None if DuckDB does not read the candidate, if the core has no keys for its columns, if the memory does
    not hold their counts, or if labels are strings that are not numbers to the core.
    """
    assert side.record is not None
    if not side.frame.implementation.is_duckdb():
        return None
    columns = side.frame.select(side.record.alias("record"), side.label.alias("label")).to_native()
    record, label = (KeyType(str(kind)) for kind in columns.types)
    names = {type(name) for name in wanted}
    has_keys = (record.name in INTEGERS and names == {int}) or (record.name == "VARCHAR" and names == {str})
    is_integer = label.name in INTEGERS
    if not has_keys or not (is_integer or label.name == "VARCHAR"):
        return None
    asked = [nw.len().cast(nw.Int64).alias("rows")]  # Parquet files have statistics of these
    if is_integer:
        asked += [nw.col("label").min().alias("least"), nw.col("label").max().alias("largest")]
    ((height, *ends),) = queries.fetched([side.frame.select(side.label.alias("label")).select(*asked)])
    least, largest = (end or 0 for end in ends) if is_integer else (0, -1)
    # Labels in a narrow range are counted, others are kept.
    counters = largest - least + 1 if largest - least < _BYTES_OF_A_LABEL * height else 0
    source = side.source.source
    limit = source.memory_bytes if isinstance(source, Files) else None
    if (counters or _BYTES_OF_A_LABEL * height) > (whole_memory() if limit is None else limit) // 4:
        return None

    keyed = [record.key(name) for name in wanted]
    low = label.key(least) if is_integer else 0
    assert isinstance(low, int)
    scan = core.SampledLabels(
        [key for key in keyed if isinstance(key, int)],
        [key for key in keyed if isinstance(key, bytes)],
        low,
        counters,
        height,
    )
    try:
        execution.run(partial(scan.add, columns))
    except ValueError as error:  # an error of DuckDB in the middle of a stream
        raise OSError(str(error)) from error
    if not scan.are_exact:
        return None
    rows, _, unlabelled = scan.counts
    known = [name for name, key in zip(wanted, keyed, strict=True) if key is not None]
    labelled = [(known[place], key) for place, key in scan.found]
    noise = label.key(side.source.noise) if side.source.noise_as is not None else None
    noise = scan.key(noise) if isinstance(noise, bytes) else noise
    keys = {key for _, key in labelled if key is not None} | ({noise} if noise is not None else set())
    if counters or scan.count_kept():
        sizes, every = {key: scan.times(key) for key in keys}, Counter(scan.sizes)
    else:
        labels = scan.take_kept().view(np.uint64)
        labels.sort()
        own = np.array(sorted(keys), dtype=np.uint64)
        first, last = (np.searchsorted(labels, own, end) for end in ("left", "right"))
        sizes = dict(zip(own.tolist(), (last - first).tolist(), strict=True))
        starts = np.flatnonzero(labels[1:] != labels[:-1]) + 1
        every = size_counts(np.diff(starts, prepend=0, append=len(labels)))
    noisy = sizes.get(noise, 0) if noise is not None else 0
    every.subtract([noisy] if noisy else [])
    totals: Totals = {LABELLED: +every, NOISE: Counter([noisy]), NULL: Counter([unlabelled])}
    value = label.value if is_integer else (lambda key: label.text_value(scan.text(key)))
    found = [(name, None, None) if key is None else (name, value(key), sizes[key]) for name, key in labelled]
    return found, {state: of for state, of in totals.items() if _records(of)}, rows


def _places(
    wanted: dict[Any, Any], found: RecordRows, totals: Totals, candidate: SourcePartition
) -> CandidateClusters:
    """The rows fetched from the engine, in the order of the names."""
    held: dict[Any, tuple[Any, int]] = {}
    for record, label, b in found:
        if record in held:
            raise OverlapError(
                f"the record {record!r} occurs more than once in {candidate.record!r} of the candidate; a "
                "record is in one cluster, so keep one row for each"
            )
        held[record] = (None, 1) if b is None or np.isnan(b) else (label, int(b))  # pandas has NaN for null
    treatment = {NULL: candidate.nulls, NOISE: candidate.noise_as or "cluster", LABELLED: "cluster"}
    kept = {state: sizes for state, sizes in totals.items() if treatment[state] != "drop"}
    size = sum(map(_records, kept.values()))
    if unknown := [name for spelled, name in wanted.items() if spelled not in held]:
        raise lacks_records(unknown, f"has {counted(size, 'record')}")
    every: Counter[int] = Counter()
    for state, sizes in kept.items():
        every.update(sizes if treatment[state] == "cluster" else {1: _records(sizes)})
    column, b = [], []
    number: dict[Any, int] = {}
    for place, spelled in enumerate(wanted):
        label, own = held[spelled]
        is_noise = candidate.noise_as is not None and label == candidate.noise
        how = treatment[NULL if label is None else NOISE if is_noise else LABELLED]
        if how == "drop":
            raise lacks_records([wanted[spelled]], "leaves out noise and null labels")
        key = ("alone", place) if how == "singletons" else ("in", label)
        column.append(number.setdefault(key, len(number)))
        b.append(1 if how == "singletons" else own)
    return CandidateClusters(np.array(column, dtype=np.int64), as_integers(b, size), size, every)


def _records(sizes: Counter[int]) -> int:
    return sum(size * many for size, many in sizes.items())


def _in_one_type(names: list[Any], side: Opened, from_text: bool) -> tuple[nw.Expr, list[Any]]:
    """The record column and the names in one type, or an error that explains why there is none."""
    column = nw.col("v_id")
    dtype = side.rows().collect_schema()["v_id"]
    is_integer, is_text = dtype.is_integer(), dtype in (nw.String, nw.Categorical, nw.Enum)
    kinds = {type(name) for name in names}
    if (is_integer and kinds == {int}) or (is_text and kinds == {str}):
        return column, names
    if (is_integer or is_text) and kinds <= {int, str} and (from_text or files.is_text(side.source.source)):
        return column.cast(nw.String()), [str(name) for name in names]  # a number has one spelling
    if is_integer or is_text:
        shown = " and ".join(sorted(kind.__name__ for kind in kinds))
        raise InputError(
            f"the labelled records are of type {shown}, and {side.source.record!r} of the candidate is "
            f"{dtype}; cast one of them"
        )
    return column, names


def _check_record(source: SourcePartition, role: str) -> None:
    if source.record is None:
        raise ParameterError(
            f"the {role} is {source.source} without a record: labelled records are found by their names",
            remedies=[Remedy("name the column of the record", record=...)],
        )
