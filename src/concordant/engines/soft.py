"""Two aligned sides, one of them soft: the same records in the same order, in the same units."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import replace
from fractions import Fraction
from itertools import chain, islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant import core
from concordant.clusterings.alignment import Positions, align, refuse_other_types, refuse_unmatched
from concordant.clusterings.clustering import data_of
from concordant.clusterings.cover_data import CoverData
from concordant.clusterings.inputs import partition_of
from concordant.clusterings.partition_data import LabelPartition, PartitionData, SourcePartition
from concordant.clusterings.soft_data import DrawnSoft, SoftData, SourceSoft, with_rest_name
from concordant.clusterings.soft_inputs import RecordRow, RowRules, sparse_memberships
from concordant.counts import remedies
from concordant.counts.arithmetic import plain
from concordant.counts.conventions import Conventions
from concordant.counts.memberships import UNITS, Memberships
from concordant.counts.soft import PosteriorDraws, SoftSides
from concordant.errors import ParameterError, SoftError, TooLargeError, UnmatchedError, few, kind_of
from concordant.sources.descriptions import Files
from concordant.sources.duckdb_files import identifier
from concordant.sources.files import opened, refuse_two_limits
from concordant.sources.machine import LEAST_ROOM, refuse_beyond_limit, resident_memory


def soft_or_partition(given: Any, conventions: Conventions, what: str) -> SoftData | LabelPartition:
    """One side as it was passed: a soft partition, or our own copy of labels in memory."""
    given = data_of(given)
    if isinstance(given, SoftData):
        return given
    if isinstance(given, CoverData):
        raise SoftError(
            f"{what} is a Cover, whose clusters overlap, and weights add up to 1; compare two covers, or two "
            "soft partitions"
        )
    if isinstance(given, SourcePartition) and given.record is not None and isinstance(given.source, Files):
        if given.noise is not None or given.nulls != "error":
            raise SoftError(
                f"{what}: nulls= and noise= of files do not apply to soft comparisons; filter the file"
            )
        return SourceSoft(given.source, (given.record, given.cluster, None), None, normalise=False)
    if not isinstance(given, PartitionData) and getattr(given, "ndim", 1) == 2:
        raise SoftError(
            f"{what} is {kind_of(given)} of two dimensions beside a Soft; pass Soft.from_matrix(array) if it "
            "contains weights, or one label for each record"
        )
    labels = partition_of(given, conventions, what).in_memory(what, "a comparison with a Soft")
    if labels.is_image:
        raise SoftError(f"{what} is a label image, and a Soft has rows; flatten it, as in image.ravel()")
    return labels.owned()


def refuse_kept(conventions: Conventions) -> None:
    """Refuse ``unmatched="keep"``: each side of a soft comparison has all records."""
    if conventions.unmatched == "keep":
        raise ParameterError(
            "each side of a soft comparison needs all records",
            given={"unmatched": "keep"},
            remedies=remedies.FOR_UNMATCHED[:2],
        )


def laid_out(
    reference: SoftData | LabelPartition, candidate: SoftData | LabelPartition, conventions: Conventions
) -> SoftSides:
    """Both sides over the same records, by name where they have names, else by position."""
    refuse_kept(conventions)
    sides = reference, candidate
    rows = [_numbered(each) for each in sides]
    refuse_unmatched(conventions.unmatched, *rows)
    try:
        aligned = align(rows[0], rows[1], conventions.unmatched, conventions.where)
    except UnmatchedError as error:
        error.withdraw(unmatched="keep")
        raise
    positions = aligned.reference_position, aligned.candidate_position
    codes = aligned.reference, aligned.candidate
    made: list[Memberships | PosteriorDraws] = []
    clusters: list[list[Any]] = []
    for side, place, own in zip(sides, positions, codes, strict=True):
        if isinstance(side, SoftData):
            rows_of_side, names = _rows_of(side, None if place is None else np.asarray(place))
        else:
            rows_of_side, names = _hard_rows(side, place, np.asarray(own))
        made.append(rows_of_side)
        clusters.append(names)
    u, v = _as_draws(made)
    audit = dict(aligned.audit)
    for title, side in zip(("reference", "candidate"), sides, strict=True):
        if isinstance(side, SoftData):
            audit |= {f"{title}_{key}": found for key, found in side.audit.items()}
    records = _record_names([each.elements for each in rows], positions)
    return SoftSides((u, v), (clusters[0], clusters[1]), records, audit)


def _numbered(side: SoftData | LabelPartition) -> LabelPartition:
    """The records of a side, so it aligns as labels do."""
    if isinstance(side, LabelPartition):
        return side
    number = np.arange(len(side))
    return LabelPartition(number, number, elements=side.records, named=side.named)


def _rows_of(
    side: SoftData, positions: NDArray[Any] | None
) -> tuple[Memberships | PosteriorDraws, list[Any]]:
    """The rows of a side, and the names of its clusters; a record that it lacks is alone in a cluster."""
    if isinstance(side, DrawnSoft):
        draws = PosteriorDraws(side.draws, side.shares)
        return draws if positions is None else draws.taken(positions), []
    if positions is None:
        return side.memberships, side.clusters
    made = side.memberships.with_singletons(positions)
    return made, [*side.clusters, *[None] * (made.columns - side.memberships.columns)]


def _hard_rows(
    side: LabelPartition, positions: Positions | None, codes: NDArray[Any]
) -> tuple[Memberships, list[Any]]:
    """Labels as rows with one weight, and the names of their clusters."""
    column, first = core.factorize(np.ascontiguousarray(codes))
    where = first if positions is None else np.asarray(positions)[first]
    names = [None if place < 0 else plain(side.originals[place]) for place in where.tolist()]
    return Memberships.of_codes(column, max(len(first), 1), 1), names


def _as_draws(
    sides: Sequence[Memberships | PosteriorDraws],
) -> tuple[Memberships | PosteriorDraws, Memberships | PosteriorDraws]:
    """Labels beside draws are one draw."""
    u, v = sides
    if isinstance(u, PosteriorDraws) != isinstance(v, PosteriorDraws):
        u, v = (
            PosteriorDraws(each.column[:, None], [Fraction(1)])
            if isinstance(each, Memberships) and each.column is not None and each.exact and each.scale == 1
            else each
            for each in (u, v)
        )
    return u, v


def _record_names(elements: Sequence[Any], positions: Sequence[Positions | None]) -> Any:
    """The names of the records in their common order."""
    for names, place, other, other_place in zip(
        elements, positions, elements[::-1], positions[::-1], strict=True
    ):
        if names is None:
            continue
        if place is None:
            return names
        found = [None if i < 0 else names[i] for i in np.asarray(place).tolist()]
        if other is not None and other_place is not None:
            others = np.asarray(other_place).tolist()
            found = [
                other[others[i]] if where < 0 else found[i]
                for i, where in enumerate(np.asarray(place).tolist())
            ]
        return found
    place = positions[0]
    return None if place is None else np.asarray(place).tolist()


_RECORDS = 2**14  # of a piece
_ALONE = object()  # with a number: the cluster of a record that a side lacks
_MOST_IN_MEMORY = 1_000_000  # records that are held for questions about single records, without a limit
_BYTES_OF_A_NAME, _BYTES_OF_A_SUM, _BYTES_OF_A_ROW = 200, 200, 500

MatchedRows = tuple[Any, RecordRow | None, RecordRow | None]  # a record, and its row on each side


class StreamedSides(SoftSides):
    """Both sides, matched by the names of the records. Each question reads the files again."""

    def __init__(
        self,
        reference: SoftData | LabelPartition,
        candidate: SoftData | LabelPartition,
        conventions: Conventions,
    ) -> None:
        refuse_kept(conventions)
        if conventions.where is not None:
            raise ParameterError("where= is a mask by position, and these records are matched by name")
        self._given, self._conventions = _with_one_limit(reference, candidate), conventions
        self._scanned = [each.source for each in self._given if isinstance(each, SourceSoft)]
        if any(isinstance(each, DrawnSoft) for each in self._given):
            raise SoftError("draws are compared with weights in memory; read the file into a dataframe")
        if self._scanned[0].memory is not None:
            self._refuse_many_sums()
        names = [list(_cluster_names(each, conventions.threads)) for each in self._given]
        self.clusters, self.scale, self.exact = (names[0], names[1]), UNITS, False
        self._column = [{name: column for column, name in enumerate(each)} for each in names]
        if conventions.unmatched == "singletons":  # a cluster for each record that the other side alone has
            only = [0, 0]
            for _ in self._as_agreed(self._all_records(), only):
                pass
            for own, column, alone in zip(names, self._column, only[::-1], strict=True):
                column.update(((_ALONE, number), len(own) + number) for number in range(alone))
                own.extend([None] * alone)
        self._given_columns = [max(len(each), 1) for each in names]
        for side, own in zip(self._given, names, strict=True):
            if isinstance(side, SourceSoft) and side.remainder == "cluster":
                own[:] = with_rest_name(own)
        self.columns = max(len(names[0]), 1), max(len(names[1]), 1)
        self.audit = {}
        self._size: int | None = None  # known after the first pass, as the bytes of all rows
        self._bytes = 0
        self._whole: tuple[Memberships, Memberships] | None = None  # all rows, if they are few or were needed

    @property
    def size(self) -> int:  # type: ignore[override]  # for the others it is known immediately
        if self._size is None:
            self._size = sum(len(u) for u, _ in self.pieces())
        return self._size

    @property
    def sides(self) -> tuple[Memberships | PosteriorDraws, Memberships | PosteriorDraws]:  # type: ignore[override]  # read when needed
        return self.memberships

    @property
    def are_draws(self) -> bool:
        return False

    @property
    def memberships(self) -> tuple[Memberships, Memberships]:
        """All rows; for questions that need them, which are refused for very many."""
        if self._scanned[0].memory is None and self.size > _MOST_IN_MEMORY:
            raise TooLargeError(
                f"this needs the rows of all {self.size:,} records in memory, and at most "
                f"{_MOST_IN_MEMORY:,} are read from files; use an index that takes one pass"
            )
        if self._whole is None:
            what = f"to hold the rows of {self.size:,} records"
            self.refuse_beyond_limit(2 * self._bytes + _BYTES_OF_A_NAME * self.size, what)
            pieces = list(self.pieces())
            self._whole = (
                _joined([piece[0] for piece in pieces]),
                _joined([piece[1] for piece in pieces]),
            )
        return self._whole

    @property
    def has_names(self) -> bool:
        return True

    def refuse_beyond_limit(self, needed: int, what: str, unread: int | None = None) -> None:
        refuse_beyond_limit(self._scanned[0], needed, what, unread=unread or resident_memory())

    def _refuse_many_sums(self) -> None:
        """Refuse sums over pairs of clusters that exceed the limit, before the files are sorted."""
        unread = resident_memory()
        u, v = self._given
        (k, own), (length, other) = map(_clusters_and_weights, self._given)
        kept = sum(len(each) for each in self._given if not isinstance(each, SourceSoft))
        between = min(k * length, own * other // max(kept, 1))
        if isinstance(u, SourceSoft) and isinstance(v, SourceSoft):
            between = _expected_sums(u, v, k * length)
        within = sum(
            _expected_sums(each, each, n * n) if isinstance(each, SourceSoft) else min(n * n, weights)
            for each, n, weights in ((u, k, own), (v, length, other))
        )
        sums = within // 2 + 2 * between
        needed = _BYTES_OF_A_NAME * (k + length) + _BYTES_OF_A_SUM * sums + _BYTES_OF_A_ROW * kept
        self.refuse_beyond_limit(needed, f"to add up the weights of {k:,} and {length:,} clusters", unread)

    def prepare(self, positions: NDArray[Any]) -> None:
        wanted = set(positions.tolist())
        if self._scanned[0].memory is None and len(wanted) > _MOST_IN_MEMORY:
            raise TooLargeError(
                f"this needs {len(wanted):,} records of files in memory, and at most {_MOST_IN_MEMORY:,} are "
                "read; pass a limit, such as limit=20"
            )
        self.refuse_beyond_limit(_BYTES_OF_A_ROW * len(wanted), f"to list {len(wanted):,} records")
        self._prepared = {place: matched for place, matched in enumerate(self._matched()) if place in wanted}

    def row(self, position: int) -> tuple[Any, Memberships, Memberships]:
        matched = self._prepared[position]
        return plain(matched[0]), *self._piece([matched])

    def record(self, position: int) -> Any:
        """The name of a record; names are read when the first one is asked for."""
        if not hasattr(self, "_names"):
            self._names = [record for record, *_ in self._matched()]
        return plain(self._names[position])

    def pieces(self) -> Iterator[tuple[Memberships, Memberships]]:
        if self._whole is not None:
            yield self._whole
            return
        size = held = 0
        with closing(self._matched()) as records:
            while batch := list(islice(records, _RECORDS)):
                piece = self._piece(batch)
                size, held = size + len(batch), held + sum(each.nbytes for each in piece)
                yield piece
        self._size, self._bytes = size, held
        if not size:
            self._whole = self._piece([])
            yield self._whole

    def _piece(self, batch: list[MatchedRows]) -> tuple[Memberships, Memberships]:
        u, v = (self._rows(side, batch) for side in (0, 1))
        return u, v

    def _rows(self, side: int, batch: list[MatchedRows]) -> Memberships:
        given, columns = self._given[side], self._column[side]
        rows = [row for matched in batch if (row := matched[1 + side]) is not None]  # all have one by now
        start = np.cumsum([0, *(len(row[1]) for row in rows)])
        column = np.array([columns[name] for row in rows for name in row[1]], dtype=np.int64)
        weights = np.array(list(chain.from_iterable(row[2] for row in rows)), dtype=np.float64)
        remainder = given.remainder if isinstance(given, SourceSoft) else "alone"
        normalise = isinstance(given, SourceSoft) and given.normalise

        def called(row: int) -> str:
            return f"the record {few([rows[row][0]])}"

        return sparse_memberships(
            start, column, weights, self._given_columns[side], RowRules(remainder, normalise, called)
        )

    # -- matching by name ---------------------------------------------------------------------------------

    def _matched(self) -> Generator[MatchedRows]:
        """Each record with its rows of both sides; ``unmatched`` applies to records of only one side."""
        only = [0, 0]
        with closing(self._all_records()) as records:
            yield from self._as_agreed(records, only)
        names = ("only_reference", "only_candidate")
        self.audit = {name: number for name, number in zip(names, only, strict=True) if number}

    def _as_agreed(self, records: Iterator[MatchedRows], only: list[int]) -> Iterator[MatchedRows]:
        """Without the records that are dropped, counting those of one side alone."""
        for matched in records:
            missing = next((side for side in (0, 1) if matched[1 + side] is None), None)
            if missing is not None:
                only[1 - missing] += 1
                unmatched = self._conventions.unmatched
                if unmatched == "error":
                    lacks, has = ("reference", "candidate")[:: 1 if missing == 0 else -1]
                    raise UnmatchedError(
                        f"the record {few([matched[0]])} is in the {has} and not in the {lacks}",
                        remedies=remedies.FOR_UNMATCHED[:2],
                    )
                if unmatched == "drop":
                    continue
                record, *rows = matched
                rows[missing] = record, [(_ALONE, only[1 - missing] - 1)], [1.0]
                yield record, rows[0], rows[1]
                continue
            yield matched

    def _all_records(self) -> Generator[MatchedRows]:
        threads = self._conventions.threads
        with ExitStack() as stack:
            streams = [
                stack.enter_context(closing(each.rows(threads))) if isinstance(each, SourceSoft) else None
                for each in self._given
            ]
            if streams[0] is not None and streams[1] is not None:
                yield from _merged(streams[0], streams[1])
            else:
                side = 0 if streams[0] is not None else 1
                stream = streams[side]
                assert stream is not None
                yield from self._with_rows_in_memory(stream, side)

    def _with_rows_in_memory(self, stream: Iterator[RecordRow], side: int) -> Iterator[MatchedRows]:
        """A stream of one side, and the rows of the other by their names."""
        rows = _rows_by_name(self._given[1 - side])
        for row in stream:
            pair = (row, rows.pop(row[0], None))
            if pair[1] is None and rows:
                refuse_other_types([row[0]], [next(iter(rows))], any_common=False)
            yield row[0], *(pair if side == 0 else pair[::-1])
        for name, left in rows.items():
            yield name, *((None, left) if side == 0 else (left, None))


def _merged(one: Iterator[RecordRow], other: Iterator[RecordRow]) -> Iterator[MatchedRows]:
    """Two streams in the order of their records."""
    u, v = next(one, None), next(other, None)
    if u is not None and v is not None:
        refuse_other_types([u[0]], [v[0]], any_common=False)
    while u is not None or v is not None:
        if v is None or (u is not None and u[0] < v[0]):
            assert u is not None
            yield u[0], u, None
            u = next(one, None)
        elif u is None or v[0] < u[0]:
            yield v[0], None, v
            v = next(other, None)
        else:
            yield u[0], u, v
            u, v = next(one, None), next(other, None)


def _with_one_limit(
    u: SoftData | LabelPartition, v: SoftData | LabelPartition
) -> tuple[SoftData | LabelPartition, SoftData | LabelPartition]:
    """Both sides; if one of them has a memory limit, it applies to both."""
    scanned = [replace(each.source, reader="auto") for each in (u, v) if isinstance(each, SourceSoft)]
    refuse_two_limits(scanned)
    limit = next((each.memory for each in scanned if each.memory is not None), None)
    u, v = (
        SourceSoft(
            replace(each.source, memory=limit, readers=len(scanned)),
            each.columns,
            each.remainder,
            each.normalise,
        )
        if isinstance(each, SourceSoft)
        else each
        for each in (u, v)
    )
    return u, v


def _clusters_and_weights(side: SoftData | LabelPartition) -> tuple[int, int]:
    """About how many clusters a side has, and how many weights that are not zero."""
    if isinstance(side, SourceSoft):
        with opened([(replace(side.source, readers=1), side.columns[:2])], 0) as (relation,):
            column = identifier(side.columns[1])
            ((clusters, weights),) = relation.aggregate(
                f"approx_count_distinct({column}), count(*)"
            ).fetchall()
        return int(clusters), int(weights)
    if isinstance(side, LabelPartition):
        return len(core.factorize(np.asarray(side.codes))[1]), len(side)
    return len(side.clusters), int(np.count_nonzero(side.memberships.units))


def _expected_sums(one: SourceSoft, other: SourceSoft, most: int) -> int:
    """About how many pairs of clusters share records, by one in 64 of the clusters of the first side."""
    if most * _BYTES_OF_A_SUM <= LEAST_ROOM:
        return most
    names = [tuple(map(identifier, each.columns[:2])) for each in (one, other)]
    wanted = [(replace(each.source, readers=1), each.columns[:2]) for each in (one, other)]
    with opened(wanted, 0) as relations:
        u, v = (
            relation.project(f"{record}::VARCHAR AS r, {cluster} AS c").set_alias(alias)
            for relation, (record, cluster), alias in zip(relations, names, "uv", strict=True)
        )
        both = u.filter("hash(c) % 64 = 0").set_alias("u").join(v, "u.r = v.r")
        ((found,),) = both.aggregate("count(DISTINCT (u.c, v.c))").fetchall()
    return min(64 * int(found), most)


def _cluster_names(side: SoftData | LabelPartition, threads: int) -> list[Any]:
    if isinstance(side, SourceSoft):
        return side.cluster_names(threads)
    if isinstance(side, SoftData):
        return side.clusters
    return list(dict.fromkeys(plain(side.originals[i]) for i in range(len(side))))


def _rows_by_name(side: SoftData | LabelPartition) -> dict[Any, RecordRow]:
    """The rows of a side in memory, which has to name its records."""
    elements = side.records if isinstance(side, SoftData) else side.elements
    if elements is None:
        raise UnmatchedError(
            "files name their records, and the other side does not; pass records= to Soft.from_matrix, or a "
            "mapping from record to label"
        )
    if isinstance(side, LabelPartition):
        if side.dropped is not None:
            raise SoftError(
                "labels cannot be dropped if the other side is a file; leave these records out of both sides"
            )
        labels = [plain(side.originals[i]) for i in range(len(side))]
        return {plain(name): (name, [label], [1.0]) for name, label in zip(elements, labels, strict=True)}
    made = side.memberships
    found = {}
    for x, name in enumerate(elements):
        row = made.piece(slice(x, x + 1))
        units = row.table().units[0]
        held = np.flatnonzero(units).tolist()
        found[plain(name)] = (
            name,
            [side.clusters[i] for i in held],
            [int(units[i]) / made.scale for i in held],
        )
    return found


def _joined(pieces: list[Memberships]) -> Memberships:
    """Several pieces of rows as one."""
    starts, offset = [np.zeros(1, dtype=np.int64)], 0
    for each in pieces:
        assert each.start is not None
        starts.append(each.start[1:] + offset)
        offset += int(each.start[-1])
    columns = np.concatenate([each.column for each in pieces if each.column is not None])
    has_rest = any(each.rest is not None for each in pieces)
    rests = [np.zeros(len(each), np.int64) if each.rest is None else each.rest for each in pieces]
    return Memberships(
        np.concatenate([each.units for each in pieces]),
        pieces[0].columns,
        pieces[0].scale,
        np.concatenate(starts),
        columns,
        np.concatenate(rests) if has_rest else None,
    )
