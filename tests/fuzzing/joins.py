"""Sources that are joined by record in the core, against dictionaries; and batches that lie."""

import ctypes
import tempfile
from collections import Counter
from uuid import UUID

import numpy as np
import pyarrow as pa

from concordant import core
from fuzzing.lying_arrows import Array, Made, Schema, lies, new_capsule
from fuzzing.overlaps import triples
from fuzzing.refusals import refused

COUNT_LABELS_ALONE = ["count", "drop", "drop", "drop"] * 2
_FEW = 10**6
_NAMED = 64  # records that stand there twice; of more, these are told

# How a number becomes a value of the type.
_TYPES = [
    (pa.int64(), lambda x: x - 2**40),
    (pa.int32(), lambda x: x % 2**32 - 2**31),
    (pa.uint64(), lambda x: x),
    (pa.string(), lambda x: f"é{x}"),
    (pa.large_string(), lambda x: f"{x}" * (x % 3 + 1)),
    (pa.string_view(), lambda x: f"longer than a view holds {x}" if x % 2 else f"{x}"),
    (pa.string(), lambda x: f"{x * 7**40 % 2**128:032{'X' if x % 50 == 0 else 'x'}}"),
    (pa.large_string(), lambda x: str(UUID(int=x * 7**40 % 2**128)) + "}" * (x % 50 == 0)),
    (pa.binary(16), lambda x: x.to_bytes(16)),
    (pa.binary(), lambda x: b"\0" * (x % 3) + b"%d" % x),
    (pa.date32(), lambda x: x % 10**6),
    (pa.dictionary(pa.int16(), pa.string()), lambda x: f"d{x}"),
]


class Structs:
    """Batches as a stream of structs: a slice of one has an offset of its own over those of its columns."""

    def __init__(self, chunks, kind):
        self.held = pa.chunked_array(chunks, type=kind)

    def __arrow_c_stream__(self, requested_schema=None):
        return self.held.__arrow_c_stream__(requested_schema)


def _batches(random, ids, labels, kinds):
    """Rows in batches of odd sizes, some empty, each with dictionaries of its own, or a slice."""
    kind = pa.struct([("id", kinds[0]), ("label", kinds[1])])
    chunks, begin = [], 0
    while begin < len(ids) or not chunks:
        end = min(len(ids), begin + random.choice([0, 1, 2, 3, 7, 100, 1000, 3000]))
        columns = [ids[begin:end], labels[begin:end]]
        before = random.randrange(3) if end > begin else 0
        arrays = [
            pa.array(column[:1] * before + column, type=each)
            for column, each in zip(columns, kinds, strict=True)
        ]
        if random.randrange(2):
            made = pa.StructArray.from_arrays(arrays, fields=list(kind)).slice(before)
        else:
            made = pa.StructArray.from_arrays([each.slice(before) for each in arrays], fields=list(kind))
        chunks.append(made)
        begin = end
    return Structs(chunks, kind)


def _ids(random, size):
    """Numbers that are told apart by all of their bits, or by the highest alone."""
    step = random.choice([1, 1, 3, 2**32, 2**20, 2**11])
    return [7 + step * i for i in random.sample(range(2 * size + 1), size)]


def labels_of(random, size):
    """Few clusters, many, or one that holds nearly all; some are null."""
    most = random.choice([1, 3, size + 1])
    giant, nulls = random.randrange(3) == 0, random.randrange(2)
    chosen = [0 if giant and random.randrange(20) else random.randrange(most) for _ in range(size)]
    return [None if nulls and random.randrange(9) == 0 else each for each in chosen]


def values(numbers, value_of):
    return [None if number is None else value_of(number) for number in numbers]


def sides_of(random):
    size = random.choice([0, 1, 2, 50, 700, 5000])
    ids = _ids(random, size)
    sides = []
    for _ in range(2):
        own = random.sample(ids, size - random.choice([0, 0, size // 7]))
        sides.append((own, labels_of(random, len(own))))
    if size > 3 and random.randrange(3) == 0:  # an id that stands there again, perhaps often
        own, labels = sides[random.randrange(2)]
        again = random.choice([1, 2, 500])
        own += [own[0]] * again
        labels += [0] * again
    return sides


def join(random):
    """RecordJoin, with or without room for it, against a dictionary of the records."""
    sides = sides_of(random)
    id_kind, id_of = random.choice(_TYPES)
    label_kinds = [random.choice(_TYPES) for _ in range(2)]
    memory, bits = random.choice([2**12, 2**18, 2**30]), random.randrange(9)
    with tempfile.TemporaryDirectory() as folder:
        found = core.RecordJoin(
            bits, random.randrange(1, 4), memory, folder, COUNT_LABELS_ALONE, random.getrandbits(64)
        )
        held = []
        for side, (ids, labels) in enumerate(sides):
            kind, label_of = label_kinds[side]
            held.append((values(ids, id_of), values(labels, label_of)))
            found.add(_batches(random, *held[side], (id_kind, kind)), [(side, 0, 1)])
        check(found, held)


def check(found, sides):
    matched = found.match(_FEW)
    twice = [Counter(ids) for ids, _ in sides]
    assert [rows for rows, _ in matched["rows"]] == [len(ids) for ids, _ in sides]
    for side in (0, 1):
        repeated = Counter(times for times in twice[side].values() if times > 1)
        told = Counter(times for _, times in matched["repeated"][side])
        assert told <= repeated
        assert told == repeated or told.total() >= _NAMED
    found.id_texts([])
    if any(times > 1 for counts in twice for times in counts.values()):
        return
    u, v = (dict(zip(*side, strict=True)) for side in sides)
    both = [(u[each], v[each]) for each in u if each in v]
    states = np.array(matched["states"]).reshape(4, 4)
    assert states[:3, :3].sum() == len(both)
    assert states[3, :3].sum() == len(v) - len(both)
    assert states[:3, 3].sum() == len(u) - len(both)
    labelled = [pair for pair in both if None not in pair]
    assert states[0, 0] == len(labelled)
    counts = found.count(_FEW)
    n, a, b, count = (column.tolist() for column in counts["triples"][0])
    expected = triples([x for x, _ in labelled], [y for _, y in labelled])
    assert dict(zip(zip(a, b, n, strict=True), count, strict=True)) == expected
    for side in (0, 1):
        found.label_texts(side, np.empty(0, dtype=np.int64))


def pairs(random):
    """Rows of two labels, without names of records, against a dictionary."""
    size = random.choice([0, 1, 3, 900, 6000])
    u, v = labels_of(random, size), labels_of(random, size)
    kinds = [random.choice(_TYPES) for _ in range(2)]
    with tempfile.TemporaryDirectory() as folder:
        salt = random.getrandbits(64)
        found = core.RecordJoin(
            random.randrange(9), 2, random.choice([2**12, 2**30]), folder, COUNT_LABELS_ALONE, salt
        )
        held = [values(side, value_of) for side, (_, value_of) in zip((u, v), kinds, strict=True)]
        found.add_pairs(_batches(random, *held, (kinds[0][0], kinds[1][0])))
        found.match(_FEW)
        n, a, b, count = (column.tolist() for column in found.count(_FEW)["triples"][0])
    labelled = [pair for pair in zip(*held, strict=True) if None not in pair]
    expected = triples([x for x, _ in labelled], [y for _, y in labelled])
    assert dict(zip(zip(a, b, n, strict=True), count, strict=True)) == expected


class _Stream(ctypes.Structure):
    """ArrowArrayStream."""


_get = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
_release = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
_Stream._fields_ = [
    ("get_schema", _get),
    ("get_next", _get),
    ("get_last_error", ctypes.c_void_p),
    ("release", _release),
    ("private_data", ctypes.c_void_p),
]


class LyingBatch:
    """A stream of one batch of two columns, made by hand."""

    def __init__(self, columns, length, offset=0, announced=2):
        self.kept = list(columns)
        self.struct = Made(b"+s", [None], length, offset=offset)
        for part, kind, count in ((self.struct.schema, Schema, announced), (self.struct.array, Array, 2)):
            addresses = [ctypes.addressof(each.schema if kind is Schema else each.array) for each in columns]
            held = (ctypes.c_void_p * 2)(*addresses)
            self.kept.append(held)
            part.n_children, part.children = count, ctypes.addressof(held)
        self.given = False
        self.stream = _Stream(_get(self._schema), _get(self._next), None, _release(self._let_go), None)

    def _schema(self, _, out):
        ctypes.memmove(out, ctypes.addressof(self.struct.schema), ctypes.sizeof(Schema))
        return 0

    def _next(self, _, out):
        empty = Array()
        ctypes.memmove(
            out, ctypes.addressof(empty if self.given else self.struct.array), ctypes.sizeof(Array)
        )
        self.given = True
        return 0

    def _let_go(self, address):
        ctypes.memset(address + _Stream.release.offset, 0, ctypes.sizeof(ctypes.c_void_p))

    def __arrow_c_stream__(self, requested_schema=None):
        return new_capsule(ctypes.addressof(self.stream), b"arrow_array_stream", None)


def lie(random):
    """A batch with a column that is not as the interface says is refused, whichever column it is."""
    wrong = random.choice([make for make in lies(random)[:34] if not _is_let_go(make)])()
    length = max(1, min(3, wrong.array.length))
    honest = Made(b"l", [None, bytes(8 * 3)], 3)
    columns = [wrong, honest] if random.randrange(2) else [honest, wrong]
    with tempfile.TemporaryDirectory() as folder:
        found = core.RecordJoin(0, 1, 2**20, folder, COUNT_LABELS_ALONE, 1)
        assert refused(found.add, LyingBatch(columns, length), [(0, 0, 1)])
        shorter = [Made(b"l", [None, bytes(24)], 3) for _ in range(2)]
        length, offset, announced = random.choice(
            [(4, 0, 2), (-1, 0, 2), (1, -1, 2), (2, 2, 2), (3, 0, 3), (2**62, 5, 2)]
        )
        assert refused(found.add, LyingBatch(shorter, length, offset, announced), [(0, 0, 1)])


def _is_let_go(make):
    """Whether the interface counts it as none: who gives it back is not asked for within a struct."""
    return not make().array.release


TARGETS = [join, pairs, lie]
