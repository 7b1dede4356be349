"""Parquet files that the core decodes, against dictionaries; and files that were damaged."""

import tempfile
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from concordant import core
from fuzzing.joins import COUNT_LABELS_ALONE, check, sides_of, values

_MEMORY = 2**26

# How a number becomes a value of the type, and whether it is text.
_TYPES = [
    (pa.int64(), False, lambda x: x - 2**40),
    (pa.int32(), False, lambda x: x % 2**32 - 2**31),
    (pa.string(), True, lambda x: f"é{x}"),
    (pa.string(), True, lambda x: f"{x}" * (x % 4)),
    (pa.large_string(), True, lambda x: f"{x * 7**40 % 2**128:032x}"),
    (pa.string(), True, lambda x: f"user{x}@example.org" if x % 2 else "x" * (x % 100)),
]


def _written(random, path, ids, labels, kinds):
    """As a writer may write it: whole or in pieces, with dictionaries or without, compressed or not."""
    required = [column.count(None) == 0 and random.randrange(2) == 0 for column in (ids, labels)]
    fields = [
        pa.field(name, kind, nullable=not each)
        for name, kind, each in zip(("id", "label"), kinds, required, strict=True)
    ]
    extra = pa.field("other", pa.list_(pa.struct([("x", pa.float64()), ("y", pa.string())])))
    order = random.sample([0, 1, 2], 3)
    columns = [
        pa.array(ids, kinds[0]),
        pa.array(labels, kinds[1]),
        pa.array([[{"x": 1.0, "y": "a"}]] * len(ids), extra.type),
    ]
    schema = pa.schema([[*fields, extra][place] for place in order])
    pq.write_table(
        pa.table([columns[place] for place in order], schema=schema),
        path,
        row_group_size=random.choice([1, 7, 1000, 10**6]) if len(ids) < 100 else random.choice([333, 10**6]),
        use_dictionary=random.choice([True, False, ["label"]]),
        compression=random.choice(["snappy", "none"]),
        data_page_version=random.choice(["1.0", "2.0"]),
        data_page_size=random.choice([1, 100, 2**20]),
        dictionary_pagesize_limit=random.choice([10, 1000, 2**20]),
        write_page_checksum=random.randrange(2) == 0,
        write_statistics=random.randrange(2) == 0,
    )


def _joined(random, folder):
    return core.RecordJoin(
        random.randrange(9),
        random.randrange(1, 4),
        random.choice([2**12, 2**30]),
        str(folder),
        COUNT_LABELS_ALONE,
        random.getrandbits(64),
    )


def _add(join, paths, names, columns, memory=_MEMORY):
    join.add_parquet([([bytes(path) for path in paths], names, columns)], memory, lambda _: None)


def _files(random, folder):
    """Two sources of one or two files each: their paths, whether their columns are text, and the values."""
    id_kind, id_is_text, id_of = random.choice(_TYPES)
    for side, (ids, labels) in enumerate(sides_of(random)):
        kind, is_text, label_of = random.choice(_TYPES)
        held = values(ids, id_of), values(labels, label_of)
        cut = random.choice([0, len(ids) // 2])
        paths = [folder / f"{side}-{part}" for part in range(2)]
        for path, part in zip(paths, (slice(cut), slice(cut, None)), strict=True):
            _written(random, path, held[0][part], held[1][part], (id_kind, kind))
        yield paths, [("id", id_is_text), ("label", is_text)], held


def decode(random):
    """Two sources, joined by the core, which decodes them unless texts are all null."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        join, held = _joined(random, folder), []
        for side, (paths, names, each) in enumerate(_files(random, folder)):
            held.append(each)
            try:
                _add(join, paths, names, [(side, 0, 1)])
            except core.NotRead:
                assert any(
                    is_text and not any(map(_is_there, column))
                    for (_, is_text), column in zip(names, each, strict=True)
                )
                return
        check(join, held)


def _is_there(value):
    return value is not None


def damage(random):
    """A file of which some bytes were changed, lost or doubled is refused, or read as something else."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for side, (paths, names, _) in enumerate(_files(random, folder)):
            whole = paths[1].read_bytes()
            for _ in range(10):
                paths[1].write_bytes(_damaged(random, whole))
                join = _joined(random, folder)
                try:
                    _add(join, paths, names, [(side, 0, 1)])
                    join.match(10)
                except core.NotRead:
                    continue


def _damaged(random, whole):
    begin = random.choice([0, max(0, len(whole) - 600)])
    place = random.randrange(begin, len(whole))
    how = random.randrange(4)
    if how == 0:
        return whole[:place]
    if how == 1:
        return whole[:place] + whole[place + random.randrange(1, 9) :]
    if how == 2:
        return whole[:place] + whole[place : place + random.randrange(1, 40)] + whole[place:]
    changed = bytearray(whole)
    for _ in range(random.randrange(1, 4)):
        changed[random.randrange(begin, len(whole))] = random.choice(
            [0, 1, 127, 128, 255, random.randrange(256)]
        )
    return bytes(changed)


TARGETS = [decode, damage]
