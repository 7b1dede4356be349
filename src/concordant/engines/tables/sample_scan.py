"""Labelled records met in a source that DuckDB reads, whose clusters are integers or texts, in one pass.

The sizes of the clusters that are met are wanted, and how many clusters there are. Grouping all of them would
take several times as long as reading them: the core counts or keeps integers, and keeps texts of a common
form, such as customer-00000000042, which are numbers to it. Texts of other forms end the pass.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np

from concordant import core
from concordant.engines import execution
from concordant.engines.tables import queries
from concordant.engines.tables.duckdb_files import INTEGERS
from concordant.engines.tables.file_join import whole_memory
from concordant.engines.tables.keys import KeyType
from concordant.engines.tables.opening import Opened
from concordant.partitions.missing import LABELLED, NOISE, NULL
from concordant.partitions.sources import Files

Totals = dict[int, tuple[int, int]]  # by the state of the label, how many records and clusters
Rows = list[tuple[Any, ...]]  # a record, its label, and the size of its cluster

_BYTES_OF_A_LABEL = 8  # that is kept to be sorted


@dataclass(frozen=True, slots=True)
class SampleScan:
    """One pass over the records and the labels of a candidate."""

    side: Opened
    wanted: list[Any]
    keys: tuple[KeyType, KeyType]  # of the records and of the labels
    height: int
    ends: tuple[int, int] | None  # the least label and the largest, of integers

    @classmethod
    def of(cls, side: Opened, wanted: list[Any]) -> SampleScan | None:
        """None where the core has no keys for the columns, or the memory does not hold their counts."""
        record, label = (KeyType(str(kind)) for kind in _columns(side).types)
        names = {type(name) for name in wanted}
        has_keys = (record.name in INTEGERS and names == {int}) or (
            record.name == "VARCHAR" and names == {str}
        )
        if not has_keys or label.name not in (*INTEGERS, "VARCHAR"):
            return None
        # Of Parquet files their own statistics tell these.
        labels = side.frame.select(side.label.alias("label"))
        asked = [nw.len().cast(nw.Int64).alias("rows")]
        if label.name in INTEGERS:
            asked += [nw.col("label").min().alias("least"), nw.col("label").max().alias("largest")]
        ((height, *ends),) = queries.fetched([labels.select(*asked)])
        scan = cls(side, wanted, (record, label), height, (ends[0] or 0, ends[1] or 0) if ends else None)
        return scan if scan._bytes <= _room(side) else None

    @property
    def _range(self) -> int:
        """How many labels to count; none where they are kept."""
        most = 0 if self.ends is None else self.ends[1] - self.ends[0] + 1
        return most if most <= _BYTES_OF_A_LABEL * self.height else 0

    @property
    def _bytes(self) -> int:
        return self._range or _BYTES_OF_A_LABEL * self.height

    def met(self) -> tuple[Rows, Totals, int] | None:
        """Each labelled record with its label and the label's size, the totals, how many rows there are.

        None where labels are texts that are no numbers to the core.
        """
        record, label = self.keys
        keyed = [record.key(name) for name in self.wanted]
        places = [place for place, key in enumerate(keyed) if key is not None]
        low = 0 if self.ends is None else label.key(self.ends[0])
        assert isinstance(low, int)
        scan = core.SampledLabels(
            [key for key in keyed if isinstance(key, int)],
            [key for key in keyed if isinstance(key, bytes)],
            low,
            self._range,
            self.height,
        )
        _read(scan, _columns(self.side))
        if not scan.are_exact:
            return None
        rows, named, unlabelled = scan.counts
        met = [(self.wanted[places[place]], key) for place, key in scan.found]
        noise = label.key(self.side.source.noise) if self.side.source.noise_as is not None else None
        noise = scan.key(noise) if isinstance(noise, bytes) else noise
        asked = {key for _, key in met if key is not None} | ({noise} if noise is not None else set())
        sizes, clusters = _counted(scan, asked) if self._range or scan.count_kept() else _sorted(scan, asked)
        noisy = sizes.get(noise, 0) if noise is not None else 0
        totals = {
            LABELLED: (named - unlabelled - noisy, clusters - bool(noisy)),
            NOISE: (noisy, 1),
            NULL: (unlabelled, 1),
        }
        value = label.value if self.ends is not None else (lambda key: label.text_value(scan.text(key)))
        found = [(name, None, None) if key is None else (name, value(key), sizes[key]) for name, key in met]
        return found, {state: counts for state, counts in totals.items() if counts[0]}, rows


def _columns(side: Opened) -> Any:
    """The record and the label of every row, as DuckDB has them."""
    assert side.record is not None
    return side.frame.select(side.record.alias("record"), side.label.alias("label")).to_native()


def _room(side: Opened) -> int:
    source = side.source.source
    limit = source.memory_bytes if isinstance(source, Files) else None
    return whole_memory() // 4 if limit is None else limit // 4


def _read(scan: core.SampledLabels, columns: Any) -> None:
    try:
        execution.run(partial(scan.add, columns))
    except ValueError as error:  # what DuckDB says in the middle of a stream
        raise OSError(str(error)) from error


def _counted(scan: core.SampledLabels, asked: set[int]) -> tuple[dict[int, int], int]:
    """How often the labels asked for come, and how many labels there are, of those that were counted."""
    return {key: scan.times(key) for key in asked}, scan.distinct


def _sorted(scan: core.SampledLabels, asked: set[int]) -> tuple[dict[int, int], int]:
    """The same of labels that were kept."""
    labels = scan.take_kept().view(np.uint64)
    labels.sort()
    own = np.array(sorted(asked), dtype=np.uint64)
    first, last = (np.searchsorted(labels, own, side) for side in ("left", "right"))
    clusters = int(np.count_nonzero(labels[1:] != labels[:-1])) + bool(len(labels))
    return dict(zip(own.tolist(), (last - first).tolist(), strict=True)), clusters
