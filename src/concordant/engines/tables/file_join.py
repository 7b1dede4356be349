"""Files joined by record and counted by the compiled core, within the memory given.

DuckDB decodes the files, and the core receives their batches through the Arrow interface. It partitions
records by their ids, matches and counts them; data beyond the memory limit goes to a temporary folder.
"""

from __future__ import annotations

import importlib.util
import os
import secrets
import tempfile
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np

from concordant import core
from concordant.clusterings.missing import ABSENT, LABELLED, NOISE, NULL, Policy
from concordant.engines.tables.answer import Answer, InPieces, SizedCells
from concordant.engines.tables.audit import NAMED, Witnesses, audit
from concordant.engines.tables.opening import Opened
from concordant.sources import execution
from concordant.sources.descriptions import Files
from concordant.sources.machine import LEAST_ROOM, resident_memory, whole_memory
from concordant.sources.values import KeyCells, KeyType, KeyValues

_STATES = (LABELLED, NULL, NOISE, ABSENT)

# Minimal bytes of a file per record: more partitions than needed cost little.
_BYTES_OF_A_RECORD = 8
_RECORDS_OF_A_PARTITION = 2**14  # so its table stays in the cache
_MOST_BITS = 11
_BYTES_OF_A_CHUNK = 2**12
_OPEN_STORES = 4  # that are written at one time

# How much of the work is done when the sources are read, one after the other, and when they are matched.
_READ = ((0.0, 30.0), (30.0, 60.0))
_MATCHED = 75.0

_ROWS_OF_A_BATCH = 2**11  # the smallest that DuckDB fills
_RESERVE = 2**25  # for everything except the reader and the core
# Memory of a cell in the core and in its table, and the share of memory for such cells.
_BYTES_OF_A_CELL = 200
_SHARE_OF_CELLS = 8


@dataclass(frozen=True, slots=True)
class FileJoin:
    """Two opened sources whose columns have keys."""

    opened: tuple[Opened, Opened]
    is_one_source: bool
    policy: Policy
    threads: int

    @property
    def _streams(self) -> list[nw.LazyFrame[Any]]:
        """The input: one frame of both labels, or a frame of each side."""
        u, v = self.opened
        labels = [u.label.alias("u"), v.label.alias("v")]
        if self.is_one_source:
            record = [] if u.record is None else [u.record.alias("record")]
            return [u.frame.select(*record, *labels)]
        assert u.record is not None
        assert v.record is not None
        return [
            side.frame.select(record.alias("record"), label)
            for side, record, label in zip(self.opened, (u.record, v.record), labels, strict=True)
        ]

    @property
    def _types(self) -> dict[str, set[KeyType]]:
        found: dict[str, set[KeyType]] = {"record": set(), "u": set(), "v": set()}
        for stream in self._streams:
            native = stream.to_native()
            for name, kind in zip(native.columns, native.types, strict=True):
                found[name].add(KeyType(str(kind)))
        return found

    @property
    def is_possible(self) -> bool:
        """Whether the core has keys for all columns; other columns go to an engine that groups."""
        types = self._types
        if len(types["record"]) > 1 or not all(kind.has_keys for kinds in types.values() for kind in kinds):
            return False
        sides = zip("uv", self.opened, strict=True)
        return all(
            side.source.noise_as in (None, "cluster") or all(kind.takes_noise for kind in types[name])
            for name, side in sides
        )

    def answer(self, few: Callable[[int], int], *, keeps: bool) -> Answer:
        """The answer that an engine would give for these sources, audited.

        The cells that differ are included if they take no more than ``few`` of the memory in bytes.
        """
        while True:
            try:
                return self._answer(few, keeps=keeps)
            except core.Collision:  # two strings with one hash; the next salt separates them
                continue

    def _answer(self, few: Callable[[int], int], *, keeps: bool) -> Answer:
        whole = self._room()
        room = whole - whole // _SHARE_OF_CELLS
        types = {name: next(iter(kinds), KeyType("BIGINT")) for name, kinds in self._types.items()}
        # A folder inside DuckDB's temporary folder, which is always removed.
        asked = "SELECT current_setting('temp_directory')"
        ((temporary,),) = self._streams[0].to_native().query("sources", asked).fetchall()
        folder = tempfile.mkdtemp(dir=str(temporary))
        join = core.RecordJoin(
            self._bits(room), self.threads, room, folder, self._treatments(), secrets.randbits(64)
        )
        self._set_noise(join, types)
        try:
            self._read(join)
        except ValueError as error:  # an error of DuckDB in the middle of a stream
            raise OSError(str(error)) from error
        execution.report(_READ[-1][1])
        answer, witnesses = self._matched(join, types["record"])
        execution.report(_MATCHED)
        audit(answer, self.opened, self.policy, witnesses)
        # Strings must be looked up, so only as many are fetched as are likely to be shown.
        brought = few(0 if types["u"].is_text or types["v"].is_text else whole // _SHARE_OF_CELLS)
        self._count(join, answer, types, brought, keeps=keeps)
        return answer

    def _read(self, join: core.RecordJoin) -> None:
        streams = [stream.to_native() for stream in self._streams]
        if self.is_one_source and self.opened[0].record is None:
            execution.run(lambda: join.add_pairs(self._batches(streams[0])), _READ[0])
            return
        columns = [[(0, 0, 1), (1, 0, 2)]] if self.is_one_source else [[(0, 0, 1)], [(1, 0, 1)]]
        for stream, places, part in zip(streams, columns, _READ[-len(streams) :], strict=True):
            execution.run(partial(join.add, self._batches(stream), places), part)

    def _batches(self, relation: Any) -> Any:
        """A stream of batches: of few rows if memory is limited, as 131,072 long strings would exceed it."""
        is_limited = any(files.memory_bytes is not None for files in self._files)
        if not is_limited or importlib.util.find_spec("pyarrow") is None:  # DuckDB needs PyArrow to vary them
            return relation
        read = relation.to_arrow_reader if hasattr(relation, "to_arrow_reader") else relation.record_batch
        return read(_ROWS_OF_A_BATCH)

    def _matched(self, join: core.RecordJoin, kind: KeyType) -> tuple[Answer, Witnesses]:
        found = join.match(NAMED + 1)
        answer = Answer()
        for place, count in enumerate(found["states"]):
            if count:
                answer.states[_STATES[place // 4], _STATES[place % 4]] = count
        if self.opened[0].record is not None:
            answer.rows = dict(enumerate(found["rows"][: 1 if self.is_one_source else 2]))
            answer.twice = {side + 1: len(few) for side, few in enumerate(found["repeated"]) if few}
        wanted = [key for keys in found["only"] for key in keys]
        wanted += [key for keys in found["repeated"] for key, _ in keys]
        values = KeyValues(kind, join.id_texts(wanted if kind.is_text else []))
        witnesses = (
            lambda side: [values[key] for key in found["only"][side]],
            lambda side: [(values[key], n) for key, n in found["repeated"][side][:NAMED]],
        )
        return answer, witnesses

    def _count(
        self, join: core.RecordJoin, answer: Answer, types: dict[str, KeyType], few: int, *, keeps: bool
    ) -> None:
        found = join.count(few, keeps)
        triples = found["triples"]
        alone = np.repeat(np.arange(len(triples)), [len(n) for n, *_ in triples])
        answer.cells = SizedCells(alone, *map(np.concatenate, zip(*triples, strict=True)))
        answer.in_pieces = _in_pieces(found["split"][0]), _in_pieces(found["split"][1])
        for side in (0, 1) if keeps else ():
            answer.shared[side].update(dict(found["split"][side][3]))
        cells = found["cells"]
        nothing = np.empty(0, dtype=np.int64)
        texts = [
            join.label_texts(side, np.unique(cells[side]) if cells and types[name].is_text else nothing)
            for side, name in enumerate("uv")
        ]
        if cells is not None:
            values = [KeyValues(types[name], text) for name, text in zip("uv", texts, strict=True)]
            answer.differing_cells = KeyCells(cells[0], cells[1], cells[2], cells[3], (values[0], values[1]))

    def _treatments(self) -> list[str]:
        named = []
        for side in (0, 1):
            alone = self.policy.those(side, "singletons")
            named += [
                "count" if state == LABELLED else "alone" if state in alone else "drop" for state in _STATES
            ]
        return named

    def _set_noise(self, join: core.RecordJoin, types: dict[str, KeyType]) -> None:
        for side, name in enumerate("uv"):
            source = self.opened[side].source
            if source.noise_as in (None, "cluster"):
                continue
            noise = types[name].key(source.noise)
            if isinstance(noise, bytes):
                join.set_noise_text(side, noise)
            elif noise is not None:
                join.set_noise_key(side, noise)

    @property
    def _files(self) -> list[Files]:
        return [side.source.source for side in self.opened if isinstance(side.source.source, Files)]

    def _room(self) -> int:
        """The bytes that the core may use: the memory that everything else leaves."""
        limit = next((files.memory_bytes for files in self._files if files.memory_bytes is not None), None)
        if limit is None:
            return whole_memory() // 2
        taken = resident_memory() + (self._files[0].reading_bytes or 0) + _RESERVE
        return max(limit - taken, LEAST_ROOM)

    def _bits(self, room: int) -> int:
        """The number of hash bits by which records are partitioned."""
        size = sum(max(state.size, 0) for files in self._files for state in files.seen or ())
        by_records = (size // _BYTES_OF_A_RECORD // _RECORDS_OF_A_PARTITION).bit_length()
        workers = self.threads or os.cpu_count() or 1
        by_room = (room // (4 * _OPEN_STORES * workers * _BYTES_OF_A_CHUNK)).bit_length() - 1
        return max(0, min(by_records, by_room, _MOST_BITS))  # the core needs at least a few


def _in_pieces(split: tuple[Any, ...]) -> InPieces:
    largest, together, shares, _ = split
    parts, wholes, sizes, counts = (column.tolist() for column in shares)
    found = Counter(dict(zip(zip(sizes, parts, wholes, strict=True), counts, strict=True)))
    weakest = min((Fraction(least, size * (size - 1)) for size, least in together), default=None)
    return largest, found, weakest


def few_within(table_limit: int, least: int) -> Callable[[int], int]:
    """The number of cells returned with the counts: as many as memory holds, but at least ``least``."""
    return lambda room: min(table_limit, max(least, room // _BYTES_OF_A_CELL))
