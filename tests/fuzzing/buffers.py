"""Arrays and other buffers: every type, stride, byte order, and some that are no labels at all."""

import array
import ctypes
import datetime as dt

import numpy as np

import concordant as cc
from concordant import core
from fuzzing.overlaps import codes, pair_counts, triples
from fuzzing.refusals import answer, refused

INTEGERS = ["?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"]
LENGTHS = [0, 1, 2, 5, 30, 300, 3000]


def integers(random, length):
    """Integers as Python has them, and a buffer that holds them; any type and stride, in the native order."""
    dtype = np.dtype(random.choice(INTEGERS))
    low, high = (0, 1) if dtype.kind == "b" else (int(np.iinfo(dtype).min), int(np.iinfo(dtype).max))
    patterns = [(0, 3), (0, length // 3 + 1), (low, high), (high - 2, high), (low, low + 1)]
    first, last = random.choice(patterns)
    first, last = max(first, low), min(last, high)
    values = [random.randint(first, last) for _ in range(length)]
    return values, laid_out(random, np.array(values, dtype=dtype))


def laid_out(random, values):
    """The same values with another stride, alignment or owner."""
    length = len(values)
    step = random.choice([1, 1, 2, 3, -1, -2])
    room = np.zeros(length * abs(step), dtype=values.dtype)
    view = room[::step]
    if len(view) > length:
        view = view[:length]
    view[:] = values
    kind = random.randrange(7)
    if kind == 0:
        view.flags.writeable = False
    if kind == 1:
        shifted = np.frombuffer(b"x" + values.tobytes(), dtype=np.uint8)[1:]
        return shifted.view(values.dtype)
    if kind == 2:
        return memoryview(np.ascontiguousarray(view))
    if kind == 3 and values.dtype.kind in "iu":
        return array.array(values.dtype.char, values.tolist())
    if kind == 4 and values.dtype == np.int64:
        return (ctypes.c_int64 * length)(*values.tolist())
    if kind == 5:
        fields = np.zeros(length, dtype=[("a", "u1"), ("b", values.dtype)])
        fields["b"] = values
        return fields["b"]
    return view


def count(random):
    """The core's counts of two labellings against a dictionary."""
    length = random.choice(LENGTHS)
    (u, u_buffer), (v, v_buffer) = integers(random, length), integers(random, length)
    threads = random.randrange(5)
    expected = triples(u, v)
    n, a, b, count = (column.tolist() for column in core.profile(u_buffer, v_buffer, threads))
    assert dict(zip(zip(a, b, n, strict=True), count, strict=True)) == expected
    columns, u_kept, v_kept, squares = core.kept_profile(u_buffer, v_buffer, threads)
    assert [column.tolist() for column in columns] == [n, a, b, count]
    assert (u_kept.tolist(), v_kept.tolist()) == (u, v)
    assert core.narrowed(u_buffer, threads).tolist() == u
    row, column, cell, *_ = (part.tolist() for part in core.cells(u_buffer, v_buffer, threads))
    assert sum(cell) == length
    assert sorted(zip(row, column, strict=True)) == sorted(set(zip(codes(u), codes(v), strict=True)))
    assert core.factorize(u_buffer)[0].tolist() == codes(u)
    counted, nn, aa, bb = core.pair_sums(u_buffer, v_buffer, threads)
    assert counted == length
    assert squares == (nn, aa, bb)
    assert tuple((square - length) // 2 for square in (nn, aa, bb)) == pair_counts(u, v)


def _floats(random, numbers):
    held = np.array(
        [number / 2 - 1 for number in numbers], dtype=random.choice(["f2", "f4", "f8", ">f8", "g"])
    )
    return [float(each) for each in held], held


def _texts(random, numbers):
    values = [random.choice(["", "a", "é", "日本", "\U0001f600"]) + str(number) for number in numbers]
    return values, np.array(values, dtype=random.choice(["U", ">U12", "O", "T"]))


def _bytes(random, numbers):
    values = [b"%d" % number for number in numbers]
    return values, np.array(values, dtype=random.choice(["S", "S9", "O"]))


def _moments(random, numbers):
    return numbers, np.array(numbers, dtype=random.choice(["M8[ns]", "M8[D]", "m8[s]", ">M8[us]"]))


def _objects(random, numbers):
    values = [random.choice([int, float, str, bool])(number) for number in numbers]
    return values, values


def _dates(random, numbers):
    values = [dt.date(2026, 1, 1) + dt.timedelta(days=number) for number in numbers]
    return values, np.array(values, dtype=object)


def _large(random, numbers):
    values = [number * 2**61 for number in numbers]
    return values, values


def _foreign(random, numbers):
    return numbers, np.array(numbers, dtype=random.choice([">i4", ">u8", "<i2", "c16"]))


def _plain(random, numbers):
    return integers(random, len(numbers))


_KINDS = [_plain, _floats, _texts, _bytes, _moments, _objects, _dates, _large, _foreign]


def _labels(random, length):
    """Labels of any kind that NumPy or Python has, as Python has them and as they are handed over."""
    numbers = [random.randrange(random.choice([2, 5, length + 1])) for _ in range(length)]
    return random.choice(_KINDS)(random, numbers)


def compare(random):
    """compare() and adjusted_rand() on labels of any kind, against a dictionary."""
    length = random.choice(LENGTHS[:6])
    (u, u_labels), (v, v_labels) = _labels(random, length), _labels(random, length)
    c = cc.compare(_sequence(u_labels), _sequence(v_labels))
    both, in_u, in_v = pair_counts(u, v)
    assert (c.pairs.n11, c.pairs.n10, c.pairs.n01) == (both, in_u - both, in_v - both)
    found = (column.tolist() for column in (c._counts.a, c._counts.b, c._counts.n))
    assert dict(zip(zip(*found, strict=True), c._counts.count.tolist(), strict=True)) == triples(u, v)
    all_pairs = length * (length - 1) // 2
    top, bottom = 2 * (both * all_pairs - in_u * in_v), all_pairs * (in_u + in_v) - 2 * in_u * in_v
    if bottom:
        assert cc.adjusted_rand(_sequence(u_labels), _sequence(v_labels)) == top / bottom


def _sequence(labels):
    """Buffers that are no sequences of labels to Python, as arrays."""
    return np.asarray(labels) if isinstance(labels, memoryview | ctypes.Array) else labels


def _hostile(random):
    some = [0, 1, 1, 2]
    numbers = [random.choice([0, 1, 2, 7, -1, -(2**63), 2**63 - 1, 2**61, 1000]) for _ in range(4)]
    return random.choice(
        [
            None,
            5,
            "abcd",
            b"abcd",
            object(),
            [],
            some,
            np.array(3),
            np.zeros((2, 2), dtype=int),
            np.zeros((0, 4), dtype=int),
            np.array(some, dtype=">i8"),
            np.array(some, dtype=float),
            np.array(some, dtype=complex),
            np.array(some, dtype=object),
            np.array(some, dtype="M8[s]"),
            np.array(["a", "b", "c", "d"]),
            np.zeros(4, dtype=[("a", int)]),
            np.zeros(4, dtype="V0"),
            np.zeros(4, dtype="S0"),
            np.array(some * 2)[::2],
            np.array(numbers),
            np.array(numbers[: random.randrange(5)], dtype=np.int64),
            np.broadcast_to(np.int64(1), 4),
            memoryview(bytes(8)).cast("d"),
            memoryview(bytes(16)).cast("B", (4, 4)),
            (ctypes.c_double * 4)(),
            (ctypes.c_int64 * 4)(*some),
            (ctypes.c_int8 * 2 * 2)(),
            ctypes.c_int64(3),
            np.array(some),
            np.array(some),
        ]
    )


_FUNCTIONS = {
    "profile": 2,
    "kept_profile": 2,
    "pair_sums": 2,
    "cells": 2,
    "narrowed": 1,
    "factorize": 1,
    "factorize_items": 1,
    "factorize_objects": 1,
    "integers": 1,
    "among": 2,
    "match_records": 2,
    "gather": 2,
    "encode_arrow": 1,
    "blocks": 2,
    "grouped": 1,
    "largest_first": 2,
    "best_fractions": 3,
    "largest_in": 2,
    "differing": 2,
    "assignment": 3,
    "expected_mutual_information": 4,
}


def hostile(random):
    """Whatever a function of the core is handed, it answers or refuses."""
    name = random.choice(list(_FUNCTIONS))
    arguments = [_hostile(random) for _ in range(_FUNCTIONS[name])]
    if name == "encode_arrow" and arguments[0] is not None and not hasattr(arguments[0], "__arrow_c_array__"):
        return  # who calls it looks for the methods first
    answer(getattr(core, name), *arguments)
    if name not in ("factorize_items", "factorize_objects", "integers", "grouped", "encode_arrow"):
        assert refused(getattr(core, name), *arguments[1:], None)
        assert (
            name in ("among", "match_records", "gather")
            or _FUNCTIONS[name] == 1
            or refused(getattr(core, name), *[np.arange(2)] * (_FUNCTIONS[name] - 1), np.arange(3))
        )
    else:
        answer(getattr(core, name), None)


TARGETS = [count, compare, hostile]
