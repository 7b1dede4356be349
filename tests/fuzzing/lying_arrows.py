"""Arrow arrays made by hand that are not as the interface says: refused where that can be seen."""

import ctypes
import struct

import numpy as np

from concordant import core
from fuzzing.overlaps import codes
from fuzzing.refusals import answer, refused

_release = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


class Schema(ctypes.Structure):
    """ArrowSchema."""


class Array(ctypes.Structure):
    """ArrowArray."""


Schema._fields_ = [
    ("format", ctypes.c_char_p),
    ("name", ctypes.c_char_p),
    ("metadata", ctypes.c_char_p),
    ("flags", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("children", ctypes.c_void_p),
    ("dictionary", ctypes.POINTER(Schema)),
    ("release", ctypes.c_void_p),
    ("private_data", ctypes.c_void_p),
]
Array._fields_ = [
    ("length", ctypes.c_int64),
    ("null_count", ctypes.c_int64),
    ("offset", ctypes.c_int64),
    ("n_buffers", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("buffers", ctypes.POINTER(ctypes.c_void_p)),
    ("children", ctypes.c_void_p),
    ("dictionary", ctypes.POINTER(Array)),
    ("release", ctypes.c_void_p),
    ("private_data", ctypes.c_void_p),
]


def _released_schema(address):
    Schema.from_address(address).release = None


def _released_array(address):
    Array.from_address(address).release = None


# Kept for good: they are called when a capsule's content is let go, whenever that is.
_RELEASE_SCHEMA, _RELEASE_ARRAY = _release(_released_schema), _release(_released_array)
new_capsule = ctypes.pythonapi.PyCapsule_New
new_capsule.restype = ctypes.py_object
new_capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]


class Made:
    """A column whose schema and array are as one likes; its memory lives as long as it does."""

    def __init__(self, format, held, length, **fields):
        self.schema = Schema(format=format, release=ctypes.cast(_RELEASE_SCHEMA, ctypes.c_void_p))
        self.memory = [
            None if each is None else ctypes.create_string_buffer(each, max(1, len(each))) for each in held
        ]
        addresses = [None if each is None else ctypes.addressof(each) for each in self.memory]
        self.addresses = (ctypes.c_void_p * max(1, len(held)))(*addresses)
        self.array = Array(
            length=length,
            n_buffers=len(held),
            buffers=self.addresses,
            release=ctypes.cast(_RELEASE_ARRAY, ctypes.c_void_p),
        )
        for name, value in fields.items():
            setattr(self.array, name, value)

    def with_dictionary(self, dictionary):
        """The same, its values in a dictionary."""
        self.kept = dictionary
        self.schema.dictionary = ctypes.pointer(dictionary.schema)
        self.array.dictionary = ctypes.pointer(dictionary.array)
        return self

    def __arrow_c_array__(self, requested_schema=None):
        return (
            new_capsule(ctypes.addressof(self.schema), b"arrow_schema", None),
            new_capsule(ctypes.addressof(self.array), b"arrow_array", None),
        )


def _bytes(values, kind):
    return np.array(values, dtype=kind).tobytes()


def integers(values, kind="i4"):
    """An honest column of integers."""
    letters = {"i1": b"c", "u1": b"C", "i4": b"i", "i8": b"l"}
    return Made(letters[kind], [None, _bytes(values, kind)], len(values))


def texts(values, large=False):
    """An honest column of texts between offsets."""
    offsets = np.cumsum([0, *map(len, values)])
    held = [None, _bytes(offsets, "i8" if large else "i4"), b"".join(values)]
    return Made(b"U" if large else b"u", held, len(values))


def views(values):
    """An honest column of views, the long ones in one buffer."""
    heads, long = b"", b""
    for value in values:
        if len(value) <= 12:
            heads += struct.pack("<i12s", len(value), value)
        else:
            heads += struct.pack("<i4sii", len(value), value[:4], 0, len(long))
            long += value
    return Made(b"vu", [None, heads, long, struct.pack("<q", len(long))], len(values))


def honest(random):
    """What is made by hand as it should be is read as it should be."""
    values = [
        random.choice([b"", b"a", b"ab\0", b"x" * 30, b"y" * 13]) for _ in range(random.randrange(1, 9))
    ]
    made = random.choice([texts(values), texts(values, large=True), views(values)])
    assert core.encode_arrow(made)[1][0].tolist() == codes(values)


def lies(random):
    """Makers of columns that are wrong, each in its own way."""
    values = [b"a", b"bb", b"a", b"longer than twelve"]
    three = integers([0, 1, 2])
    falling = sorted((random.choice([0, 1, 5, 2**31 - 1]) for _ in range(5)), reverse=True)
    return [
        lambda: Made(b"i", [None], 3),
        lambda: Made(b"i", [], 3),
        lambda: Made(b"i", [None, None], 3),
        lambda: Made(b"u", [None, _bytes([0, 1], "i4")], 1),
        lambda: Made(b"u", [None, _bytes([0, 1], "i4"), None], 1),
        lambda: Made(b"u", [None, None, b"a"], 1),
        lambda: Made(b"vu", [None, bytes(16)], 1),
        lambda: Made(b"vu", [None, None, bytes(8)], 1),
        lambda: Made(b"b", [None, None], 3),
        lambda: Made(b"b", [None], 3),
        lambda: Made(b"l", [None, bytes(8)], random.choice([-1, -(2**63), 2**62, 2**63 - 1])),
        lambda: Made(b"l", [None, bytes(8)], 1, offset=random.choice([-1, -(2**63), 2**62, 2**63 - 1])),
        lambda: Made(b"l", [None, bytes(8)], 1, n_buffers=-1),
        lambda: Made(b"l", [None, bytes(8)], 1, buffers=None),
        lambda: Made(b"l", [None, bytes(8)], 1, release=None),
        lambda: Made(None, [None, bytes(8)], 1),
        lambda: Made(b"u", [None, _bytes([0, 3, 1], "i4"), b"abc"], 2),
        lambda: Made(b"u", [None, _bytes([-1, 3], "i4"), b"abc"], 1),
        lambda: Made(b"Z", [None, _bytes([5, 3], "i8"), b"abcde"], 1),
        lambda: Made(b"vu", [None, struct.pack("<iiii", -1, 0, 0, 0), bytes(8)], 1),
        lambda: Made(b"vu", [None, struct.pack("<iiii", 20, 0, 7, 0), b"", bytes(8)], 1),
        lambda: Made(b"vu", [None, struct.pack("<iiii", 20, 0, -1, 0), b"", bytes(8)], 1),
        lambda: Made(b"vu", [None, struct.pack("<iiii", 20, 0, 0, 5), b"abc", struct.pack("<q", 3)], 1),
        lambda: Made(b"vu", [None, struct.pack("<iiii", 20, 0, 0, -5), b"abc", struct.pack("<q", 3)], 1),
        lambda: Made(b"vu", [None, struct.pack("<iiii", 20, 0, 0, 0), None, struct.pack("<q", 30)], 1),
        lambda: integers([0, 7]).with_dictionary(texts(values)),
        lambda: integers([0, -1]).with_dictionary(texts(values)),
        lambda: integers([0, 4], "u1").with_dictionary(texts([b"a", b"a", b"b"])),
        lambda: texts(values).with_dictionary(texts(values)),
        lambda: integers([0, 1]).with_dictionary(Made(b"u", [None, None, None], 2)),
        lambda: integers([0, 1]).with_dictionary(Made(b"u", [], 2)),
        lambda: integers([0, 1]).with_dictionary(Made(None, [], 2)),
        lambda: integers([0, 1]).with_dictionary(Made(b"u", [None, _bytes([0, 9, 1], "i4"), b"abcd"], 2)),
        lambda: _half_a_dictionary(three, texts(values)),
        lambda: Capsules(None),
        lambda: Capsules(()),
        lambda: Capsules((1, 2)),
        lambda: Capsules((*three.__arrow_c_array__(), 3)),
        lambda: Capsules(three.__arrow_c_array__()[::-1]),
        lambda: Made(b"u", [None, _bytes([*falling, -1], "i4"), b""], 5),
    ]


def _half_a_dictionary(column, dictionary):
    column.kept = dictionary
    column.schema.dictionary = ctypes.pointer(dictionary.schema)
    return column


class Capsules:
    """Whatever is no pair of capsules."""

    def __init__(self, given):
        self.given = given

    def __arrow_c_array__(self, requested_schema=None):
        return self.given


def lie(random):
    """What can be seen to be wrong is refused."""
    made = random.choice(lies(random))()
    assert refused(core.encode_arrow, made, random.randrange(3))


def unknown(random):
    """Formats that do not exist, or not yet, are said to be unknown, or refused."""
    letters = b"cCsSiIlLefgnbuUzZvwdtTDmMs+:,-019r\xff"
    format = bytes(random.choice(letters) for _ in range(random.randrange(5)))
    widths = [b"w:", b"w:-1", b"w:x", b"w:4x", b"w:99999999999999999999", b"d:1,2,7", b"d:", b"txx", b"tss"]
    column = Made(random.choice([format, *widths]), [None, *[bytes(64)] * 3], random.randrange(2))
    kind = answer(core.encode_arrow, column)
    assert kind is None or kind[0] in ("integer", "float", "bool", "nested", "unknown")


TARGETS = [honest, lie, unknown]
