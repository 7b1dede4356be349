"""What a table of all indices shows: each index with its value, the sizes of both sides, the notes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from concordant.catalogue.index import INDICES, Index
from concordant.counts.availability import Need
from concordant.counts.base import Counts
from concordant.counts.conventions import Undefined
from concordant.counts.pairs import Pairs
from concordant.counts.weighted_counts import plain_weight
from concordant.errors import TooLargeError


@dataclass(frozen=True, slots=True)
class Line:
    """One index with its value in this comparison."""

    index: Index
    value: float
    undefined: bool
    chance: float | None = None  # its mean when the elements are shuffled, where that is shown and known


@dataclass(frozen=True, slots=True)
class SideSizes:
    """One partition in a few numbers."""

    role: str
    clusters: int
    smallest: int
    largest: int


@dataclass(frozen=True, slots=True)
class Summary:
    """All that a printed comparison shows."""

    size: int
    omitted: int  # records that were given and not compared
    sides: tuple[SideSizes, SideSizes]
    pairs: tuple[float, float, float, float]  # together in both, in one side only, apart
    has_pairs: bool  # covers may have too many memberships to count them
    headline: Sequence[Line]
    families: Sequence[tuple[str, Sequence[Line]]]
    notes: Sequence[str]
    signature: str


AUDIT_NOTE = "found on the way"  # how the note of the audit begins

# What the audit counts of records that were given and not compared; rows that name no record are such, too.
_LEFT_OUT = ("not_compared", "null_records_reference", "null_records_candidate")


def summary_of(
    counts: Counts,
    indices: Sequence[Index],
    undefined: Undefined,
    audit: Mapping[str, int],
    signature: str,
) -> Summary:
    """These indices with their values; ``audit`` says how many elements were not simply counted."""
    lines = {index.name: _line(index, counts, undefined) for index in indices}
    families = [
        (family, [lines[index.name] for index in members if index.name in lines])
        for family, members in INDICES.families.items()
    ]
    pairs = _pairs_of(counts)
    return Summary(
        size=counts.size,
        omitted=sum(audit.get(key, 0) for key in _LEFT_OUT),
        sides=(_sizes_of("reference", counts.row_sizes), _sizes_of("candidate", counts.column_sizes)),
        pairs=pairs or (0, 0, 0, 0),
        has_pairs=pairs is not None,
        headline=[_with_chance(lines[i.name], counts) for i in INDICES.headline if i.name in lines],
        families=[(family, members) for family, members in families if members],
        notes=_notes(lines, counts, audit),
        signature=signature,
    )


def _pairs_of(counts: Counts) -> tuple[float, float, float, float] | None:
    try:
        pairs = counts.view(Pairs)
    except TooLargeError:
        return None
    n11, n10, n01, n00 = (plain_weight(x) for x in (pairs.n11, pairs.n10, pairs.n01, pairs.n00))
    return n11, n10, n01, n00


def _line(index: Index, counts: Counts, undefined: Undefined) -> Line:
    # A table is printed whole, so "raise" shows a dash here.
    return Line(index, *index.assess(counts, "nan" if undefined == "raise" else undefined))


def _with_chance(line: Line, counts: Counts) -> Line:
    """The line with what the index is by chance, where cluster sizes alone tell it."""
    if counts.kind == "partial_overlap" or not counts.availability.adds_up or not counts.size:
        return line
    try:
        return replace(line, chance=line.index.by_chance(counts.partitions))
    except TooLargeError:
        return line


def _sizes_of(role: str, sizes: Mapping[int, int]) -> SideSizes:
    return SideSizes(role, sum(sizes.values()), min(sizes, default=0), max(sizes, default=0))


def _notes(lines: Mapping[str, Line], counts: Counts, audit: Mapping[str, int]) -> list[str]:
    undefined = [name for name, line in lines.items() if line.undefined]
    notes = [f"— not defined for these partitions: {', '.join(undefined)}"] if undefined else []
    if not counts.size:
        notes = ["— every value is a convention: nothing was compared (n=0)"]
    notes += _what_is_left_out(lines, counts)
    if audit:
        found = (f"{key.replace('_', ' ')} {value:,}" for key, value in audit.items())
        notes.append(f"{AUDIT_NOTE}: {', '.join(found)}")
    return notes


def _what_is_left_out(lines: Mapping[str, Line], counts: Counts) -> list[str]:
    """What a printed comparison does not show, why, and how to get it."""
    available = counts.availability
    others = [index for index in INDICES.values() if index.name not in lines and not index.on_request]
    missing = [index for index in others if index.is_shown_for(counts)]
    to_ask = [index.name for index in missing if available.can_ask(index.needs)]
    beyond = [index.name for index in missing if not available.can_ask(index.needs)]
    notes = [f"left out here, ask for them by name: {', '.join(to_ask)}"] if to_ask else []
    if not available.has(Need.TABLE):
        notes.append(f"which clusters were split and merged is not shown: {available.price}")
    if beyond:
        notes.append(f"left out, since they need to know which clusters overlap: {', '.join(beyond)}")
    if counts.kind == "partial_overlap":
        notes.append("left out: all indices that need two partitions of the same elements (see unmatched)")
    if counts.kind == "weights":
        notes.append("left out: all indices without a meaning for weighted elements (see weights)")
    return notes


def format_value(value: float) -> str:
    """A value as people read it: four decimals, counts with thousands separators, 1 only if it is 1.

    >>> format_value(0.66666), format_value(1234.0), format_value(1.0), format_value(0.99999)
    ('0.6667', '1,234', '1.0000', '>0.9999')
    """
    if math.isnan(value):
        return "—"
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    if 0.99995 <= abs(value) < 1:
        return ">0.9999" if value > 0 else "<-0.9999"
    if abs(value) >= 1e15:
        return f"{value:.4e}"
    if value.is_integer() and abs(value) >= 10:
        return f"{int(value):,}"
    return f"{value:,.4f}" if abs(value) >= 5e-5 or value == 0 else f"{value:.1e}"


def two_decimals(value: float) -> str:
    """A value where there is little room: cut off, so that nearly perfect never reads as perfect.

    >>> two_decimals(0.9979), two_decimals(1.0)
    ('0.99', '1.00')
    """
    text = format_value(value)
    short = text[:-2] if text[-5:-4] == "." else text
    return "0.00" if short == "-0.00" else short


def by_chance_words(line: Line) -> str:
    """What the index is by chance, in words; nothing where it is not known."""
    return "" if line.chance is None else f"chance {format_value(line.chance)}"


def format_line(line: Line) -> str:
    """The value of an index. Counts without decimals: their range has an end that grows with n, or none."""
    counts = not isinstance(line.index.range[1], float | int) or math.isinf(line.index.range[1])
    return f"{int(line.value):,}" if counts and line.value.is_integer() else format_value(line.value)


def chance_mark(index: Index) -> float | None:
    """The value that chance alone gives on average, where the index declares it: 0 if it is adjusted."""
    return 0.0 if index.adjusted else None


@dataclass(frozen=True, slots=True)
class ValueBar:
    """A value as a bar: it starts at chance or at the low end of the range, which is 0; the high end is 1."""

    length: float  # negative below chance, never below -ROOM_BELOW
    is_clipped: bool = False  # the value lies below all that the room shows


ROOM_BELOW = 0.25  # how much of the way from chance to the high end is shown below chance


def bar_of(line: Line, size: int) -> ValueBar | None:
    """The bar of a value, None where the range has no high end to measure it by, or nothing was compared.

    >>> from concordant.catalogue.index import INDICES
    >>> some = (("adjusted_rand", 0.67), ("recall", 0.72), ("adjusted_rand", -0.1))
    >>> [bar_of(Line(INDICES[name], value, undefined=False), 9).length for name, value in some]
    [0.67, 0.72, -0.1]
    >>> bar_of(Line(INDICES["adjusted_mutual_information"], -3.0, undefined=False), 9)
    ValueBar(length=-0.25, is_clipped=True)
    """
    low, high = line.index.bounds(size)
    start = chance_mark(line.index)
    if start is None:
        start = 0.0 if low < 0 < high else low
    has_scale = math.isfinite(start) and math.isfinite(high) and start < high
    if not size or math.isnan(line.value) or not has_scale:
        return None
    length = (line.value - start) / (high - start)
    return ValueBar(min(max(length, -ROOM_BELOW), 1.0), is_clipped=length < -ROOM_BELOW)


def has_negative(bars: Iterable[ValueBar | None]) -> bool:
    """Whether bars that stand one below the other need room to the left of where they start."""
    return any(bar is not None and bar.length < 0 for bar in bars)
