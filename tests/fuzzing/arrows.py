"""Arrow arrays as their producers make them: sliced, in chunks, by dictionary, with nulls, of every type."""

import datetime as dt
import decimal
from itertools import pairwise

import pyarrow as pa
import pytest

import concordant as cc
from concordant.errors import LabelError
from fuzzing.overlaps import pair_counts

_DAY = dt.date(2026, 1, 1)

# How a number becomes a value of the type.
_TYPES = [
    *((kind, int) for kind in (pa.int8(), pa.int16(), pa.int32(), pa.int64())),
    *((kind, int) for kind in (pa.uint8(), pa.uint16(), pa.uint32(), pa.uint64())),
    (pa.bool_(), lambda x: x % 2 == 0),
    *((kind, float) for kind in (pa.float16(), pa.float32(), pa.float64())),
    *((kind, lambda x: "é" * (x % 3) + str(x)) for kind in (pa.string(), pa.large_string())),
    (pa.string_view(), lambda x: ("longer than a view holds " * (x % 2)) + str(x)),
    *((kind, lambda x: b"\0" * (x % 3) + b"%d" % x) for kind in (pa.binary(), pa.large_binary())),
    (pa.binary_view(), lambda x: b"%d" % x * (1 + x % 9)),
    (pa.binary(3), lambda x: b"%03d" % (x % 1000)),
    *((kind, decimal.Decimal) for kind in (pa.decimal128(19, 0), pa.decimal256(50, 0))),
    *((kind, lambda x: _DAY + dt.timedelta(days=x)) for kind in (pa.date32(), pa.date64())),
    *((pa.timestamp(unit), int) for unit in ("s", "ms", "us", "ns")),
    (pa.timestamp("us", "Europe/Berlin"), int),
    (pa.duration("ms"), int),
    (pa.time32("s"), int),
    (pa.time64("ns"), int),
    (pa.month_day_nano_interval(), lambda x: pa.MonthDayNano([x % 3, x, 5])),
]
_INSIDE = [kind for kind in _TYPES if pa.types.is_integer(kind[0]) or pa.types.is_string(kind[0])]


def _array(random, values, kind):
    """The values as an array that may be a slice of a longer one."""
    before, after = random.randrange(3), random.randrange(3)
    filled = [values[0]] * before + values + [values[0]] * after if values else values
    whole = pa.array(filled, type=kind)
    return whole.slice(before, len(values)) if values else whole


def _pieces(random, values):
    cuts = sorted(random.randint(0, len(values)) for _ in range(random.randrange(4)))
    edges = [0, *cuts, len(values)]
    return [values[begin:end] for begin, end in pairwise(edges)]


def labels(random, numbers):
    """The values as Python has them, and one of the ways in which Arrow holds them."""
    by_dictionary = random.randrange(3) == 0
    kind, value_of = random.choice(_INSIDE if by_dictionary else _TYPES)
    values = [value_of(number) for number in numbers]
    if random.randrange(2):
        held = _array(random, values, kind)
        return values, held.dictionary_encode() if by_dictionary else held
    chunks = [_array(random, piece, kind) for piece in _pieces(random, values)]
    if by_dictionary:
        chunks = [chunk.dictionary_encode() for chunk in chunks]
        return values, pa.chunked_array(chunks, type=pa.dictionary(pa.int32(), kind))
    return values, pa.chunked_array(chunks, type=kind)


def compare(random):
    """Arrow labels against a dictionary, and against the same labels with a null."""
    length = random.choice([0, 1, 2, 9, 100, 1000])
    numbers = [[random.randrange(random.choice([3, 100])) for _ in range(length)] for _ in range(2)]
    (u, u_array), (v, v_array) = (labels(random, side) for side in numbers)
    c = cc.compare(u_array, v_array, threads=random.randrange(4))
    both, in_u, in_v = pair_counts(u, v)
    assert (c.pairs.n11, c.pairs.n10, c.pairs.n01) == (both, in_u - both, in_v - both)


def nulls(random):
    """The first null is found, wherever it lies."""
    length = random.choice([1, 2, 9, 70])
    _, held = labels(random, [random.randrange(5) for _ in range(length)])
    at = random.randrange(length)
    null = pa.nulls(1, held.type)
    chunks = held.chunks if isinstance(held, pa.ChunkedArray) else [held]
    whole = pa.chunked_array(chunks, held.type)
    broken = pa.chunked_array([*whole.slice(0, at).chunks, null, *whole.slice(at).chunks], held.type)
    with pytest.raises(LabelError, match=f"position {at} "):
        cc.compare(broken, [0] * (length + 1))


TARGETS = [compare, nulls]
