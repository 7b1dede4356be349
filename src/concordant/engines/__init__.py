"""Engines: each counts partitions where they are stored, and knows nothing of indices.

The first engine of ``ENGINES`` that takes two partitions counts them by the given conventions, as far as is
needed. It may also count a reference and two candidates, or a labelled sample.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from concordant.clusterings.cover_data import CoverData
from concordant.clusterings.labels import MemoryLabels, PartitionData
from concordant.clusterings.partition_data import SourcePartition
from concordant.counts.base import Detail
from concordant.counts.counted_sides import CountedSides
from concordant.engines import chunks, covers, gpu, memory, segments, tables
from concordant.errors import InputError
from concordant.foundation.conventions import Conventions

if TYPE_CHECKING:
    from concordant.counts.sampled import SampledCells
    from concordant.counts.three_way import ThreeWayCounts
    from concordant.engines.tables.rows import RecordAttributes
    from concordant.engines.tables.slices import NumberedColumn
    from concordant.maths.arithmetic import Integers


class Engine(Protocol):
    """Counts partitions of one kind: a module that defines these four names.

    The last two are None in an engine that counts two complete partitions only.
    """

    def takes(self, reference: Any, candidate: Any, /) -> bool:
        """Whether this engine is the one for these two."""

    def count(
        self, reference: Any, candidate: Any, conventions: Conventions, need: Detail, /
    ) -> CountedSides:
        """The counts of the two, at least as far as ``need`` asks."""

    @property
    def count_three(self) -> Callable[[Any, Conventions, str | None], ThreeWayCounts] | None:
        """Counts a reference and two candidates; the last argument is a column of the reference."""

    @property
    def count_sample(self) -> Callable[[Any, Any, bool], SampledCells] | None:
        """Counts the overlaps of labelled clusters with the clusters of a complete candidate.

        The last argument is whether the sample spells all records as text.
        """


ENGINES: tuple[Engine, ...] = (memory, covers, gpu, chunks, tables, segments)


def count(
    reference: PartitionData | CoverData,
    candidate: PartitionData | CoverData,
    conventions: Conventions,
    need: Detail = Detail.SIZES,
) -> CountedSides:
    """Two partitions counted by the first engine that takes them."""
    for engine in ENGINES:
        if engine.takes(reference, candidate):
            return engine.count(reference, candidate, conventions, need)
    raise InputError(f"no engine counts {reference!r} against {candidate!r}; copy both to memory")


def count_three(
    reference: PartitionData,
    first: PartitionData,
    second: PartitionData,
    conventions: Conventions,
    unit: str | None = None,
) -> ThreeWayCounts:
    """A reference and two candidates, counted by the first engine that takes them."""
    for engine in ENGINES:
        takes_both = engine.takes(reference, first) and engine.takes(reference, second)
        if takes_both and engine.count_three is not None:
            return engine.count_three((reference, first, second), conventions, unit)
    raise InputError(f"no engine counts {reference!r} against {first!r} and {second!r}; copy all to memory")


def count_sample(sample: PartitionData, candidate: PartitionData, *, from_text: bool = False) -> SampledCells:
    """Labelled clusters and a complete candidate, counted by the first engine that takes them.

    Records of a sample from text match numbers with the same spelling.
    """
    for engine in ENGINES:
        if engine.takes(sample, candidate) and engine.count_sample is not None:
            return engine.count_sample(sample, candidate, from_text)
    raise InputError(f"no engine counts the sample {sample!r} in {candidate!r}; copy both to memory")


def labels_in_order(source: SourcePartition, threads: int) -> MemoryLabels:
    """The labels of a dataframe in memory, row by row."""
    return tables.labels_in_order(source, threads)


def beside_numbers(
    source: SourcePartition, records: Any, threads: int, *, untyped: bool
) -> tuple[SourcePartition, SourcePartition] | MemoryLabels:
    """A source read into memory, and these records beside it, each in a numbered cluster.

    Records of a text file are untyped: integers of the source match records with the same spelling. Without
    PyArrow, only the source is returned, as labels with these names of records.
    """
    return tables.beside_numbers(source, records, threads, untyped=untyped)


def clusters_of(source: SourcePartition, records: Sequence[Any]) -> dict[Any, Any]:
    """The label of each of these records that the source keeps; None of a singleton."""
    return tables.clusters_of(source, records)


def record_attributes(
    records: Any, record: str | None, columns: Sequence[str] | None, images: str | None, *, are_named: bool
) -> RecordAttributes | None:
    """The columns of a dataframe or file that a page shows of its records; None if ``records`` is None."""
    return tables.record_attributes(records, record, columns, images, are_named=are_named)


def slice_values(
    known: CountedSides, columns: Sequence[str], records: Any, record: str | None
) -> list[list[Any]]:
    """The values of every record in memory, column by column: of the dataframes, or of ``records``."""
    return tables.slice_values(known, columns, records, record)


def renamed_clusters(
    known: CountedSides, limit: int | None
) -> tuple[list[tuple[Any, Any, int]], int, int, int]:
    """The clusters that both sources have under different labels; see `tables.queries.renamed_clusters`."""
    return tables.renamed_clusters(known, limit)


def slice_rows(
    known: CountedSides, columns: Sequence[str], records: Any, record: str | None
) -> tuple[list[NumberedColumn], Integers]:
    """The records of sources, grouped by both labels and the columns: these, and the numbers of records."""
    return tables.slice_rows(known, columns, records, record)
