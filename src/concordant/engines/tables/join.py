"""Two dataframes in memory, joined by their records and counted by the compiled core.

The core meets the ids of both sides inside of cache-sized partitions; text is numbered first, by its bytes.
What the audit says falls out of the match: who stands twice, who is on one side only, who has no label.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import narwhals.stable.v2 as nw

from concordant import core
from concordant.counts import remedies
from concordant.counts.conventions import Conventions
from concordant.counts.counted import Counted
from concordant.engines import memory
from concordant.engines.tables.columns import no_record, partition_of
from concordant.engines.tables.opening import ROLES, conventions_of, eager_frames, ids_in_one_type
from concordant.errors import OverlapError, UnmatchedError, few
from concordant.partitions.alignment import Aligned, SharedElements, laid_side_by_side, without_dropped
from concordant.partitions.labels import Codes, by_position, encode
from concordant.partitions.mismatch import nothing_left
from concordant.partitions.partition import LabelPartition, SourcePartition
from concordant.partitions.stored_labels import copied


@dataclass(slots=True)
class _Side:
    """One dataframe: its rows that name a record, their ids, and how many rows name none."""

    role: str
    source: SourcePartition
    frame: Any
    ids: Any  # a column of narwhals
    nameless: int


def counted_by_record(sources: tuple[SourcePartition, SourcePartition], conventions: Conventions) -> Counted:
    """What the query engines would count, without their join."""
    u, v = sides = _opened(sources)
    codes = _codes_of_ids(u, v, conventions.threads)
    *positions, in_u, in_v = core.match_records(*codes, conventions.threads)
    for side, own, twice in zip(sides, codes, (in_u, in_v), strict=True):
        if twice is not None:
            _refuse_repetition(side, own, twice[0])
    partitions, nulls = zip(*(_partition(side, conventions.threads) for side in sides), strict=True)
    aligned = _aligned(sides, (partitions[0], partitions[1]), SharedElements(*positions), conventions)
    if not len(aligned.reference) and (u.nameless or v.nameless):
        raise nothing_left({"nulls": "drop"}, (u.nameless, v.nameless), "no row names a record")
    audit = _audit(sides, aligned, nulls, (partitions[0], partitions[1]))
    agreed = conventions_of(sources, conventions.unmatched, "core")
    made = memory.count_aligned(aligned, (partitions[0], partitions[1]), conventions, agreed)
    made.audit = audit
    return made


def _opened(sources: tuple[SourcePartition, SourcePartition]) -> tuple[_Side, _Side]:
    frames = eager_frames(sources)
    records = ids_in_one_type(sources, frames)
    one, other = (_side(*each) for each in zip(ROLES, sources, frames, records, strict=True))
    return one, other


def _side(role: str, source: SourcePartition, frame: Any, record: nw.Expr | None) -> _Side:
    assert record is not None  # two sources without records are one source, or were refused
    ids = frame.select(record.alias("record")).get_column("record")
    nameless = int(ids.null_count())
    if nameless and source.nulls != "drop":
        raise no_record(role, source, nameless)
    if nameless:
        frame, ids = frame.filter(~ids.is_null()), ids.filter(~ids.is_null())
    return _Side(role, source, frame, ids, nameless)


def _codes_of_ids(u: _Side, v: _Side, threads: int) -> tuple[Codes, Codes]:
    """Integers that are equal where the ids are; both columns are of one type by now."""
    if u.ids.dtype.is_integer():
        return encode(u.ids.to_native(), "", threads).codes, encode(v.ids.to_native(), "", threads).codes
    both = nw.concat([ids.to_frame() for ids in _of_one_arrow_type(u.ids, v.ids)])["record"]
    codes = encode(both.to_native(), f"the records {u.source.record!r}", threads).codes
    return codes[: len(u.ids)], codes[len(u.ids) :]


def _of_one_arrow_type(u: Any, v: Any) -> tuple[Any, Any]:
    """PyArrow has several types of text, none of which it puts beside another."""
    natives = u.to_native(), v.to_native()
    if not u.implementation.is_pyarrow() or natives[0].type == natives[1].type:
        return u, v
    one, other = (nw.from_native(each.cast("large_string"), series_only=True) for each in natives)
    return one.alias("record"), other.alias("record")


def _refuse_repetition(side: _Side, codes: Codes, row: int) -> None:
    times = int((codes == codes[row]).sum())
    raise OverlapError(
        f"records stand more than once in {side.source.record!r} of the {side.role}: {few([side.ids[row]])} "
        f"({times} times) and maybe others; a record lies in one cluster, so leave one row for each"
    )


def _partition(side: _Side, threads: int) -> tuple[LabelPartition, int]:
    partition, nulls = partition_of(side.frame, side.role, side.source, threads)
    ids = side.ids.to_native()
    is_text = side.ids.dtype == nw.String  # which takes longest to encode, and names itself
    names = by_position(ids) if is_text else encode(ids, "the records", threads).originals
    partition.elements, partition.named = copied(names), True
    return partition, nulls


def _aligned(
    sides: tuple[_Side, _Side],
    partitions: tuple[LabelPartition, LabelPartition],
    match: SharedElements,
    conventions: Conventions,
) -> Aligned:
    only = match.only_reference, match.only_candidate
    if conventions.unmatched == "error" and any(map(len, only)):
        parts = [
            f"{len(rows):,} only in the {side.role} (among them {few(side.ids[int(i)] for i in rows)})"
            for side, rows in zip(sides, only, strict=True)
            if len(rows)
        ]
        raise UnmatchedError(
            f"the two sources hold different records: {' and '.join(parts)}", remedies=remedies.FOR_UNMATCHED
        )
    return without_dropped(
        laid_side_by_side(partitions, match, conventions.unmatched, conventions.threads), *partitions
    )


def _audit(
    sides: tuple[_Side, _Side],
    aligned: Aligned,
    nulls: Any,
    partitions: tuple[LabelPartition, LabelPartition],
) -> dict[str, int]:
    found = {"only_reference": aligned.only_reference, "only_candidate": aligned.only_candidate}
    found |= {f"null_{role}": number for role, number in zip(ROLES, nulls, strict=True)}
    found |= {
        f"noise_{role}": partition.noise.found
        for role, partition in zip(ROLES, partitions, strict=True)
        if partition.noise is not None and partition.noise.treatment != "cluster"
    }
    found |= {f"null_records_{side.role}": side.nameless for side in sides}
    found["not_compared"] = aligned.not_compared
    return {key: number for key, number in found.items() if number}
