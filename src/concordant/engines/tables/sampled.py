"""Labelled clusters met with a candidate in a dataframe, in files or on a cluster: one join, one group-by."""

from __future__ import annotations

from contextlib import ExitStack
from functools import partial
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np

from concordant.counts import remedies
from concordant.counts.arithmetic import as_integers
from concordant.counts.sampled import Places, SampledCells
from concordant.counts.spelling import counted
from concordant.engines.memory import places_in_memory, sampled_cells
from concordant.engines.tables import files, queries
from concordant.engines.tables.columns import no_record
from concordant.engines.tables.opening import Opened, opened_sides
from concordant.engines.tables.sample_scan import Rows, SampleScan, Totals
from concordant.errors import InputError, LabelError, OverlapError, ParameterError, Remedy
from concordant.partitions.labels import encode
from concordant.partitions.mismatch import lacks_records
from concordant.partitions.missing import LABELLED, NOISE, NULL
from concordant.partitions.partition import LabelPartition, Partition, SourcePartition, label_partition


def count_sample(sample: Partition, candidate: Partition) -> SampledCells:
    """The overlaps of labelled clusters with the clusters of a candidate; either may be in a source."""
    if isinstance(sample, SourcePartition):
        labelled, from_text = _sample_in_memory(sample)
    else:
        labelled, from_text = sample.in_memory("the sample", "estimate"), False
    if isinstance(candidate, SourcePartition):
        return sampled_cells(labelled, partial(_places_in_source, candidate, from_text))
    return sampled_cells(
        labelled, partial(places_in_memory, candidate.in_memory("the candidate", "estimate"))
    )


def _sample_in_memory(sample: SourcePartition) -> tuple[LabelPartition, bool]:
    """A sample, which is small, as labels in memory; and whether a text file spells its records."""
    _check_record(sample, "sample")
    if sample.nulls == "singletons":
        raise ParameterError(
            "a record that was not labelled is not known to stand alone; drop it, or label it",
            given={"nulls": sample.nulls},
        )
    with ExitStack() as stack:
        rows = queries.fetched([opened_sides((sample, sample), stack, 0)[0].rows()])
    unlabelled = sum(label is None for _, label in rows)
    if unlabelled and sample.nulls == "error":
        raise LabelError(
            f"{sample.cluster!r} of the sample has {counted(unlabelled, 'null label')}",
            remedies=remedies.FOR_NULLS[:1],
        )
    labelled = [(record, label) for record, label in rows if label is not None]
    what = f"the labels {sample.cluster!r} of the sample"
    labels = encode([label for _, label in labelled], what)
    records = [record for record, _ in labelled]
    partition = label_partition(labels, sample.noise, sample.noise_as, what, records)
    return partition, files.is_text(sample.source)


def _places_in_source(candidate: SourcePartition, from_text: bool, names: list[Any]) -> Places:
    """Where the labelled records lie; the sizes of all clusters are counted by the candidate's engine."""
    _check_record(candidate, "candidate")
    with ExitStack() as stack:
        side = opened_sides((candidate, candidate), stack, 0)[1]
        record, wanted = _in_one_type(names, side, from_text)
        found, totals, height = _met(side, record, wanted)
        _check(side, totals, height)
    return _places(dict(zip(wanted, names, strict=True)), found, totals, candidate)


def _met(side: Opened, record: nw.Expr, wanted: list[Any]) -> tuple[Rows, Totals, int]:
    """Each labelled record with its label and the label's size, the totals, how many rows there are."""
    rows = side.rows()
    if rows.implementation.is_duckdb() and (scan := SampleScan.of(side, wanted)) is not None:
        met_in_core = scan.met()
        if met_in_core is not None:
            return met_in_core
    height = queries.fetched([queries.height(side.frame)])[0][0]
    met = rows.filter(record.is_in(wanted)).select(record.alias("record"), "v")
    return *_grouped_sizes(met, rows, side.source), height


def _grouped_sizes(met: queries.Lazy, rows: queries.Lazy, candidate: SourcePartition) -> tuple[Rows, Totals]:
    """By the engine: all labels are grouped, and those of the labelled records joined with their sizes."""
    ones = rows.select("v", nw.lit(1, dtype=nw.Int64).alias("n"))
    with queries.counted(ones) as sizes:
        of_label = sizes.select(nw.col("v").alias("of"), nw.col("n").alias("b"))
        joined = met.join(of_label, left_on="v", right_on="of", how="left")
        found = queries.fetched([joined.select("record", "v", "b")])
        totals = queries.fetched([_totals(sizes, candidate)])
    return found, {state: (n, many) for state, n, many in totals}


def _places(
    wanted: dict[Any, Any],
    found: Rows,
    totals: Totals,
    candidate: SourcePartition,
) -> Places:
    """What was brought out of the engine, by the order of the names."""
    held: dict[Any, tuple[Any, int]] = {}
    for record, label, b in found:
        if record in held:
            raise OverlapError(
                f"the record {record!r} stands more than once in {candidate.record!r} of the candidate; a "
                "record lies in one cluster, so leave one row for each"
            )
        held[record] = (label, 1 if b is None else int(b))
    treatment = {NULL: candidate.nulls, NOISE: candidate.noise_as or "cluster", LABELLED: "cluster"}
    size = sum(n for state, (n, _) in totals.items() if treatment[state] != "drop")
    if unknown := [name for spelled, name in wanted.items() if spelled not in held]:
        raise lacks_records(unknown, f"has {counted(size, 'record')}")
    columns = sum(
        many if treatment[state] == "cluster" else n
        for state, (n, many) in totals.items()
        if treatment[state] != "drop"
    )
    column, b = [], []
    number: dict[Any, int] = {}
    for place, spelled in enumerate(wanted):
        label, own = held[spelled]
        how = treatment[_state_of(label, candidate)]
        if how == "drop":
            raise lacks_records([wanted[spelled]], "leaves out noise and null labels")
        key = ("alone", place) if how == "singletons" else ("in", label)
        column.append(number.setdefault(key, len(number)))
        b.append(1 if how == "singletons" else own)
    return Places(np.array(column, dtype=np.int64), as_integers(b, size), size, columns)


def _state_of(label: Any, candidate: SourcePartition) -> int:
    if label is None:
        return NULL
    return NOISE if candidate.noise_as is not None and label == candidate.noise else LABELLED


def _totals(sizes: queries.Lazy, candidate: SourcePartition) -> queries.Lazy:
    """How many records and clusters have labels, null labels, and the label that means noise."""
    label = nw.col("v")
    state = nw.when(label.is_null()).then(NULL)
    if candidate.noise_as is not None:
        state = state.when(label == nw.lit(candidate.noise)).then(NOISE)
    stated = sizes.select(
        state.otherwise(LABELLED).cast(nw.Int64).alias("state"),
        nw.col("n").cast(nw.Int64),
        nw.lit(1, dtype=nw.Int64).alias("many"),
    )
    return stated.group_by("state").agg(nw.col("n").sum(), nw.col("many").sum())


def _check(side: Opened, totals: Totals, height: int) -> None:
    assert side.record is not None
    named = sum(n for n, _ in totals.values())
    if height > named and side.source.nulls != "drop":
        raise no_record(side.role, side.source, height - named)
    if NULL in totals and side.source.nulls == "error":
        raise LabelError(
            f"{side.source.cluster!r} of the candidate has {counted(totals[NULL][0], side.null_label)}",
            remedies=remedies.FOR_NULLS,
        )


def _in_one_type(names: list[Any], side: Opened, from_text: bool) -> tuple[nw.Expr, list[Any]]:
    """The record column and the names in one type, or an error that says why they have none."""
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
