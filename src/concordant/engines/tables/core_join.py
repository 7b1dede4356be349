"""Two sources joined by record and counted by the compiled core, within the memory given.

DuckDB decodes files and casts columns, and the core receives batches through the Arrow interface. It
partitions records by their ids, matches and counts them; data beyond the memory limit goes to a folder.
"""

from __future__ import annotations

import importlib.util
import os
import secrets
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from concordant import core
from concordant.clusterings.missing import ABSENT, LABELLED, NOISE, NULL, Policy, kinds_with
from concordant.engines.tables.audit import NAMED, Witnesses, audit
from concordant.engines.tables.opening import Opened
from concordant.engines.tables.results import InPieces, QueryResult, SizedCells
from concordant.errors import InputError, ParameterError
from concordant.sources import execution
from concordant.sources.descriptions import Files
from concordant.sources.machine import LEAST_ROOM, resident_memory, whole_memory
from concordant.sources.values import KeyCells, KeyType, KeyValues

_STATES = (LABELLED, NULL, NOISE, ABSENT)

# Minimal bytes of a file per record: more partitions than needed cost little.
_BYTES_OF_A_RECORD = 8
_RECORDS_OF_A_PARTITION = 2**14  # so its table stays in the cache
_MOST_BITS, _UNKNOWN_BITS = 11, 8
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
class CoreJoin:
    """Two opened sources, and a folder for data beyond the memory limit."""

    opened: tuple[Opened, Opened]
    is_one_source: bool
    policy: Policy
    threads: int
    folder: str

    def _streams(self) -> list[Any]:
        """The input, read once: one relation of both labels, or a relation of each side."""
        u, v = self.opened
        labels = [u.label.alias("u"), v.label.alias("v")]
        if self.is_one_source:
            record = [] if u.record is None else [u.record.alias("record")]
            return [u.frame.select(*record, *labels).to_native()]
        assert u.record is not None
        assert v.record is not None
        return [
            side.frame.select(record.alias("record"), label).to_native()
            for side, record, label in zip(self.opened, (u.record, v.record), labels, strict=True)
        ]

    def _types(self, streams: Sequence[Any]) -> dict[str, KeyType]:
        """The types of records and labels; an error if the core has no keys for one of them."""
        types = {}
        for stream, sides in zip(streams, (self.opened, self.opened[1:]), strict=False):
            for name, kind in zip(stream.columns, map(str, stream.types), strict=True):
                types[name] = KeyType(kind)
                side = sides[0] if name == "record" else self.opened["uv".index(name)]
                column = side.source.record if name == "record" else side.source.cluster
                if not types[name].has_keys:
                    raise InputError(
                        f"{column!r} of the {side.role} is of type {kind}, whose values cannot be compared; "
                        "cast it to text or to integers of 64 bits"
                    )
                noisy = name != "record" and side.source.noise_as not in (None, "cluster")
                if noisy and not types[name].takes_noise:
                    raise ParameterError(
                        f"{column!r} of the {side.role} is of type {kind}, and noise is a number or a text; "
                        "cast the column to text",
                        given={"noise": side.source.noise},
                    )
        return types

    def answer(self, few: Callable[[int], int], *, keeps: bool) -> QueryResult:
        """The answer that an engine would give for these sources, audited.

        The cells that differ are included if they take no more than ``few`` of the memory in bytes.
        """
        while True:
            try:
                return self._answer(few, keeps=keeps)
            except core.Collision:  # two strings with one hash; the next salt separates them
                continue

    def _answer(self, few: Callable[[int], int], *, keeps: bool) -> QueryResult:
        whole = self._room()
        room = whole - whole // _SHARE_OF_CELLS
        streams = self._streams()
        types = self._types(streams)
        folder = tempfile.mkdtemp(dir=self.folder)
        join = core.RecordJoin(
            self._bits(room), self.threads, room, folder, self._treatments(), secrets.randbits(64)
        )
        self._set_noise(join, types)
        try:
            self._read(join, streams)
        except ValueError as error:  # an error of DuckDB in the middle of a stream
            raise OSError(str(error)) from error
        execution.report(_READ[-1][1])
        answer, witnesses = self._matched(join, types.get("record"))
        execution.report(_MATCHED)
        audit(answer, self.opened, self.policy, witnesses)
        # Strings must be looked up, so only as many are fetched as are likely to be shown.
        brought = few(0 if types["u"].is_text or types["v"].is_text else whole // _SHARE_OF_CELLS)
        self._count(join, answer, types, brought, keeps=keeps)
        return answer

    def _read(self, join: core.RecordJoin, streams: Sequence[Any]) -> None:
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

    def _matched(self, join: core.RecordJoin, kind: KeyType | None) -> tuple[QueryResult, Witnesses]:
        found = join.match(NAMED + 1)
        answer = QueryResult()
        for place, count in enumerate(found["states"]):
            if count:
                answer.states[_STATES[place // 4], _STATES[place % 4]] = count
        if self.opened[0].record is not None:
            answer.rows = dict(enumerate(found["rows"][: 1 if self.is_one_source else 2]))
            answer.twice = {side + 1: len(few) for side, few in enumerate(found["repeated"]) if few}
        wanted = [key for keys in found["only"] for key in keys]
        wanted += [key for keys in found["repeated"] for key, _ in keys]
        kind = kind or KeyType("BIGINT")  # without records, nothing is wanted
        values = KeyValues(kind, join.id_texts(wanted if kind.is_text else []))
        witnesses = (
            lambda side: [values[key] for key in found["only"][side]],
            lambda side: [(values[key], n) for key, n in found["repeated"][side][:NAMED]],
        )
        return answer, witnesses

    def _count(
        self, join: core.RecordJoin, answer: QueryResult, types: dict[str, KeyType], few: int, *, keeps: bool
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
            alone = kinds_with(self.policy, side, "singletons")
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
        if len(self._files) < len(self.opened):  # how many rows a dataframe has is not known before
            by_records = max(by_records, _UNKNOWN_BITS)
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
