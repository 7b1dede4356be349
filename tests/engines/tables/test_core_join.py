"""Files joined by record in the core: against mappings, a dictionary, and with every kind of batch."""

import contextlib
import datetime as dt
import errno
import itertools
import random
import resource
import signal
import tempfile
import uuid
from collections import Counter
from decimal import Decimal
from functools import cache

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from inner import core_join
from joining import COUNT, UUIDS, Batches, batch, joined

import concordant as cc
from concordant import core
from concordant.errors import OverlapError, UnmatchedError

P = cc.Partition

# Values of every type that records and labels have, by a number.
KINDS = {
    "int64": (pa.int64(), lambda i: i * 7 - 100),
    "int8": (pa.int8(), lambda i: i - 50),
    "uint64": (pa.uint64(), lambda i: 2**64 - 1 - i),
    "text": (pa.string(), lambda i: f"record {i:03d} ä" + "x" * (i % 40)),
    "uuid as text": (pa.string(), lambda i: UUIDS[i - 1].upper() if i % 10 == 9 else UUIDS[i]),
    "binary": (pa.binary(), lambda i: bytes([i, 0, i])),
    "uuid": (pa.uuid(), lambda i: uuid.UUID(int=i)),
    "date": (pa.date32(), lambda i: dt.date(1969, 12, 1) + dt.timedelta(days=i)),
    "time": (pa.timestamp("us"), lambda i: dt.datetime(1969, 1, 1) + dt.timedelta(microseconds=i)),  # noqa: DTZ001
    "zone": (pa.timestamp("us", "UTC"), lambda i: dt.datetime(2020, 1, 1, tzinfo=dt.UTC) + dt.timedelta(i)),
    "decimal": (pa.decimal128(20, 2), lambda i: Decimal(i * 3 - 70) / 4 * 2),
    "category": (pa.dictionary(pa.int8(), pa.string()), lambda i: f"c{i}"),
}
LABELS = KINDS | {"float": (pa.float64(), lambda i: i / 4 - 1), "bool": (pa.bool_(), lambda i: i % 2 == 0)}


def column(kind, numbers):
    arrow, value = kind
    values = [None if i is None else value(i) for i in numbers]
    if isinstance(arrow, pa.DictionaryType):
        return pa.array(values, pa.string()).dictionary_encode()
    if arrow == pa.uuid():
        return pa.array([x and x.bytes for x in values], pa.binary(16)).cast(arrow)
    return pa.array(values, arrow)


def written(folder, name, ids, labels, kinds):
    path = folder / f"{name}.parquet"
    table = pa.table({"id": column(kinds[0], ids), "label": column(kinds[1], labels)})
    pq.write_table(table, path, row_group_size=17)
    return path


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder for files; what a join leaves in the temporary one is an error."""
    spill = tmp_path / "temporary"
    spill.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(spill))
    yield tmp_path
    assert list(spill.iterdir()) == []


def random_labels(rng):
    return [rng.choice([None, *range(9)]) for _ in range(60)]


def counts(c):
    profile = c._counts
    triples = zip(*(getattr(profile, name).tolist() for name in ("n", "a", "b", "count")), strict=True)
    return Counter({triple[:3]: triple[3] for triple in triples})


def cells(c):
    """The table by the labels of its clusters; those that stand alone or agree have none."""
    names, table = c._counted.names, c._counts.completed.table
    rows = zip(table.row.tolist(), table.column.tolist(), table.n.tolist(), strict=True)
    return Counter((names.cluster(0, row), names.cluster(1, at), n) for row, at, n in rows)


@pytest.mark.parametrize("label", LABELS)
def test_every_type_of_label(folder, label):
    agreed(folder, KINDS["int64"], LABELS[label], "drop", "singletons")


@pytest.mark.parametrize("record", KINDS)
def test_every_type_of_record(folder, record):
    agreed(folder, KINDS[record], KINDS["text"], "singletons", "drop")


@pytest.mark.parametrize("unmatched", ["drop", "singletons"])
@pytest.mark.parametrize("nulls", ["drop", "singletons"])
@pytest.mark.parametrize("noise_as", ["drop", "singletons", "cluster"])
@pytest.mark.filterwarnings("ignore:no label equals")
def test_every_policy(folder, unmatched, nulls, noise_as):
    agreed(folder, KINDS["text"], LABELS["int64"], unmatched, nulls, noise=3, noise_as=noise_as)


@pytest.mark.parametrize("noise_as", ["drop", "singletons", "cluster"])
@pytest.mark.parametrize("label", ["text", "float"])
def test_noise_of_other_types(folder, noise_as, label):
    noise = LABELS[label][1](3)
    agreed(folder, KINDS["text"], LABELS[label], "singletons", "drop", noise=noise, noise_as=noise_as)


def random_sides(nulls):
    """Rows (record, label); a row without a record is dropped with null labels, or refused."""
    rng = random.Random(5)
    nameless = [None] if nulls == "drop" else []
    return [
        list(zip([*rng.sample(range(80), 59), *nameless], random_labels(rng), strict=False)) for _ in "uv"
    ]


def agreed(folder, record, label, unmatched, nulls, **noise):
    """The core counts, audits and names clusters as a dictionary does."""
    sides = random_sides(nulls)
    paths = [
        written(folder, name, *zip(*rows, strict=True), (record, label))
        for name, rows in zip("uv", sides, strict=True)
    ]
    c = cc.compare(
        *(P.scan(x, record="id", cluster="label", nulls=nulls, **noise) for x in paths), unmatched=unmatched
    )
    value = label[1]
    named = [{i: None if x is None else value(x) for i, x in rows if i is not None} for rows in sides]
    expected, audit = by_dictionary(*named, unmatched, nulls, **noise)
    audit |= {f"null_records_{role}": 1 for role in ROLES} if nulls == "drop" else {}
    a, b = Counter(), Counter()
    for (u, v), n in expected.items():
        a[u] += n
        b[v] += n
    assert counts(c) == Counter((n, a[u], b[v]) for (u, v), n in expected.items())
    assert c._counted.audit == audit
    assert "engine=core" in c.signature
    differing = {(u, v): n for (u, v), n in expected.items() if not n == a[u] == b[v]}
    told = Counter(
        (None if type(u) is object else u, None if type(v) is object else v, n)
        for (u, v), n in differing.items()
    )
    assert {key: n for key, n in cells(c).items() if key[:2] != (None, None)} == {
        key: n for key, n in told.items() if key[:2] != (None, None)
    }


ROLES = ("reference", "candidate")


def by_dictionary(one, other, unmatched, nulls, *, noise=None, noise_as="cluster"):
    """Cells by their labels, where what stands alone is an object of its own, and what was left out."""
    pairs, audit = Counter(), Counter()
    for record in {**one, **other}:
        labels, drop = [], False
        for role, lacking, side in zip(ROLES, ROLES[::-1], (one, other), strict=True):
            x = side.get(record, "absent")
            treated = "count"
            if record not in side:
                audit[f"only_{lacking}"] += 1
                treated = unmatched
            elif x is None:
                audit[f"null_{role}"] += 1
                treated = nulls
            elif x == noise and noise_as != "cluster":
                audit[f"noise_{role}"] += 1
                treated = noise_as
            drop |= treated == "drop"
            labels.append(object() if treated == "singletons" else x)
        audit["not_compared"] += drop
        pairs[tuple(labels)] += not drop
    return +pairs, dict(+audit)


@pytest.mark.parametrize("unmatched", ["drop", "keep"])
def test_the_same_as_mappings(folder, unmatched):
    """Also the best partners, what each side keeps, changes, and the examples of each."""
    sides = random_sides("drop")
    kinds = KINDS["date"], KINDS["uuid"]
    paths = [
        written(folder, name, *zip(*rows, strict=True), kinds) for name, rows in zip("uv", sides, strict=True)
    ]
    mine = cc.compare(
        *(P.scan(x, record="id", cluster="label", nulls="drop") for x in paths), unmatched=unmatched
    )
    record, label = (kind[1] for kind in kinds)
    named = [{record(i): None if x is None else label(x) for i, x in rows if i is not None} for rows in sides]
    theirs = cc.compare(*named, nulls="drop", unmatched=unmatched)
    assert dict(mine) == dict(theirs)
    assert {x.cluster for x in mine.clusters()} - {None} <= {x.cluster for x in theirs.clusters()}
    shown = [sorted((x.kind, x.size) for x in c.changes(limit=None)) for c in (mine, theirs)]
    assert shown[0] == shown[1]
    examples = mine._counted.names.examples([(0, 0)], 2)
    assert all(isinstance(name, dt.date) for name in examples[0])


def test_two_columns_of_one_file(folder):
    rng = random.Random(2)
    path = folder / "both.parquet"
    u, v = random_labels(rng), random_labels(rng)
    texts = [None if x is None else f"{x}" for x in v]
    frame = pl.DataFrame({"id": [f"r{i}" for i in range(60)], "t": u, "g": texts})
    frame.write_parquet(path)
    expected = cc.compare(u, texts, nulls="singletons")
    for record in (None, "id"):
        c = cc.compare(*(P.scan(path, record=record, cluster=x, nulls="singletons") for x in "tg"))
        assert dict(c) == dict(expected)
        assert c._counted.audit == {"null_reference": u.count(None), "null_candidate": v.count(None)}
    frame.with_columns(id=pl.lit("same")).write_parquet(path)
    with pytest.raises(OverlapError, match=r"'id' of the reference: 'same' \(60 times\)"):
        cc.compare(*(P.scan(path, record="id", cluster=x, nulls="drop") for x in "tg"))


@pytest.mark.parametrize("kind", ["text", "uuid as text"])
def test_what_is_refused_names_the_records(folder, kind):
    kinds, name = (KINDS[kind], KINDS["int64"]), KINDS[kind][1]
    one = written(folder, "one", [1, 2, 3, 8], [0, 0, 1, 1], kinds)
    other = written(folder, "other", [1, 2, 3, 9], [0, 0, 1, 1], kinds)
    twice = written(folder, "twice", [1, 2, 2, 2], [0, 0, 1, 1], kinds)
    u, v, w = (P.scan(path, record="id", cluster="label") for path in (one, other, twice))
    named = rf"1 only in the reference \(among them '{name(8)}'\) and 1 only in the candidate"
    with pytest.raises(UnmatchedError, match=named):
        cc.compare(u, v)
    with pytest.raises(OverlapError, match=rf"of the candidate: '{name(2)}' \(3 times\)"):
        cc.compare(u, w)


# -- the core, batch by batch ---------------------------------------------------------------------------


def expected_counts(one, other):
    """By a dictionary."""
    u, v = dict(one), dict(other)
    pairs = Counter((u[x], v[x]) for x in u if x in v)
    a, b = Counter(), Counter()
    for (row, at), n in pairs.items():
        a[row] += n
        b[at] += n
    return Counter((n, a[row], b[at]) for (row, at), n in pairs.items())


def core_counts(join):
    triples = zip(*(x.tolist() for x in join.count(0)["triples"][0]), strict=True)
    return Counter({triple[:3]: triple[3] for triple in triples})


def in_pieces(ids, labels, cuts):
    """The same rows in batches of odd sizes, empty ones among them, each a slice of more."""
    whole = batch(ids, labels)
    places = [0, *cuts, len(ids)]
    return [whole.slice(i, j - i) for i, j in itertools.pairwise(places)]


@pytest.mark.parametrize("memory", [2**30, 0], ids=["in memory", "spilled"])
@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("kind", ["integers", "equal modulo 2^32", "text", "uuids", "views", "dictionary"])
def test_odd_batches(tmp_path, kind, threads, memory):
    size, _, common, counts = many_rows()
    join = joined(*odd_batches(kind), tmp_path, threads=threads, memory=memory)
    found = join.match(3)
    assert found["rows"] == [(size, size)] * 2
    join.id_texts([])
    assert found["states"][0] == common
    assert core_counts(join) == counts
    assert (join.spilled > 0) == (memory == 0)


@cache
def many_rows():
    """The rows of a side; ids and labels of each; how many ids both have, and the counts of overlaps."""
    rng = np.random.default_rng(8)
    size = 40_000
    ids = [rng.permutation(60_000)[:size] for _ in range(2)]
    labels = [rng.integers(0, 9000, size), rng.integers(0, 9000, size) // 2]
    sides = list(zip(ids, labels, strict=True))
    one, other = (dict(zip(x.tolist(), y.tolist(), strict=True)) for x, y in sides)
    return size, sides, len(one.keys() & other.keys()), expected_counts(one, other)


@cache
def odd_batches(kind):
    """The two sides with ids of that kind."""
    make = {
        "integers": lambda x: pa.array(x * 3 - 50_000),
        "equal modulo 2^32": lambda x: pa.array(x * 2**32 + 5),
        "text": lambda x: pa.array([f"name {i} {'y' * (i % 30)}" for i in x.tolist()]),
        "uuids": lambda x: pa.array([f"{i * 7**40:032{'X' if i % 999 == 0 else 'x'}}" for i in x.tolist()]),
        "views": lambda x: pa.array([f"name {i} {'y' * (i % 30)}" for i in x.tolist()], pa.string_view()),
        "dictionary": lambda x: pa.array([f"{i}" for i in x.tolist()]).dictionary_encode(),
    }[kind]
    cuts = [0, 0, 1, 7, 8, 1031, 1031, 30_000]
    return [in_pieces(make(x), pa.array(y), cuts) for x, y in many_rows()[1]]


def test_a_dictionary_that_changes(tmp_path):
    """Each batch has its own, with an entry twice, one that is null, and one that nobody points to."""

    def coded(indices, values):
        return pa.DictionaryArray.from_arrays(pa.array(indices, pa.int8()), pa.array(values))

    one = [
        batch(pa.array([1, 2]), coded([0, 1], ["a", "b"])),
        batch(pa.array([3, 4, 5]), coded([1, 3, 2], ["b", "a", None, "a", "z"])),
    ]
    other = [batch(pa.array([1, 2, 3, 4, 5]), pa.array([1, 2, 1, 1, 1]))]
    join = joined(one, other, tmp_path)
    found = join.match(3)
    assert (found["states"][0], found["states"][4]) == (4, 1)
    join.id_texts([])
    result = join.count(10)
    assert Counter(zip(*(x.tolist() for x in result["triples"][0][:3]), strict=True)) == {
        (3, 3, 3): 1,
        (1, 1, 1): 1,
    }


@pytest.mark.parametrize(
    ("shape", "memory", "apart"),
    [
        ("giant", 0, 1),
        ("mirror", 0, 1),
        ("few cells", 2**21, 10**9),
        ("few cells", 2**21, 1),  # counted in a dense table
        ("few cells", 0, 1),  # for which there is no room
        ("half", 2**30, 1),
    ],
)
def test_clusters_that_are_too_large_for_a_partition(tmp_path, shape, memory, apart):
    i = np.arange(160_000)
    u, v = {
        "giant": (i * 0, i // 2),
        "mirror": (i, i * 0),
        "few cells": (i * 0, i % 5000),
        "half": (np.where(i % 2, 0, i // 3), i % 5000),
    }[shape]
    join = joined(*([batch(pa.array(i), pa.array(x * apart))] for x in (u, v)), tmp_path, memory=memory)
    join.match(3)
    found = join.count(10**6)
    keys, n = np.unique(u * (v.max() + 1) + v, return_counts=True)
    pairs = np.stack(np.divmod(keys, v.max() + 1))
    a, b = np.bincount(u)[pairs[0]], np.bincount(v)[pairs[1]]
    expected = Counter(zip(n.tolist(), a.tolist(), b.tolist(), strict=True))
    *triples, counted = (x.tolist() for x in found["triples"][0])
    assert dict(zip(zip(*triples, strict=True), counted, strict=True)) == expected
    differ = (n < a) | (n < b)
    keys = [x.astype(np.uint64) ^ np.uint64(2**63) for x in pairs[:, differ] * apart]
    columns = [x.astype(np.uint64).tolist() for x in found["cells"]]
    assert sorted(zip(*columns, strict=True)) == sorted(
        zip(keys[0].tolist(), keys[1].tolist(), [0] * len(keys[0]), n[differ].tolist(), strict=True)
    )
    split = [sum(cells.max() for cells in _cells_by(side, pairs, n) if len(cells) > 1) for side in (0, 1)]
    assert [side[0] for side in found["split"]] == split


@pytest.mark.parametrize("threads", [1, 3])
def test_labels_beyond_those_of_the_first_batch(tmp_path, threads):
    """The first batch has few labels, for which a dense table is made; it has no place for later ones."""
    rng = np.random.default_rng(6)
    u, v = rng.integers(0, 12, (2, 90_000))
    u[40_000:], v[50_000:] = u[40_000:] * 3 - 20, v[50_000:] - 2**40 * (v[50_000:] % 2)
    join = core.RecordJoin(4, threads, 2**30, str(tmp_path), COUNT, 7)
    whole = pa.record_batch({"u": u, "v": v})
    join.add_pairs(Batches([whole.slice(0, 35_000), whole.slice(35_000)]))
    join.match(3)
    assert core_counts(join) == expected_counts(enumerate(u.tolist()), enumerate(v.tolist()))


def _cells_by(side, pairs, n):
    order = np.argsort(pairs[side], kind="stable")
    return np.split(n[order], np.flatnonzero(np.diff(pairs[side][order])) + 1)


def test_a_collision_makes_the_files_be_read_again(folder, monkeypatch):
    real, bits = core.RecordJoin, iter([4, 4, 64])

    def few_bits(*arguments):
        return real(*arguments, hash_bits=next(bits))

    monkeypatch.setattr(core_join.core, "RecordJoin", few_bits)
    paths = [written(folder, name, range(50), range(50), (KINDS["text"],) * 2) for name in "uv"]
    c = cc.compare(*(P.scan(path, record="id", cluster="label") for path in paths))
    assert (c.rand, c._counts.rows, next(bits, None)) == (1.0, 50, None)


# -- memory and disk ------------------------------------------------------------------------------------


def test_a_small_memory_gives_the_same(folder):
    rng = np.random.default_rng(3)
    ids = rng.permutation(60_000)
    for name, order in (("u", ids), ("v", ids[::-1])):
        labels = [f"{i // 3 + (i % 50 == 0)} {'z' * 40}" for i in order.tolist()]
        pl.DataFrame({"id": [f"{i} {'x' * 60}" for i in order.tolist()], "label": labels}).write_parquet(
            folder / f"{name}.parquet"
        )
    small, large = (
        cc.compare(
            *(P.scan(folder / f"{x}.parquet", record="id", cluster="label", memory=memory) for x in "uv")
        )
        for memory in ("40MB", None)
    )
    assert counts(small) == counts(large)
    assert small.to_dict() == large.to_dict()
    assert cells(small) == cells(large)


def test_clusters_that_both_sides_have_are_not_named(folder):
    """They stay in their files; a record that one side lacks is in no cluster there."""
    one = written(folder, "one", [1, 2, 3, 4], [7, 7, 8, 8], (KINDS["int64"],) * 2)
    other = written(folder, "other", [1, 2, 3, 5], [1, 1, 2, 2], (KINDS["int64"],) * 2)
    c = cc.compare(*(P.scan(x, record="id", cluster="label") for x in (one, other)), unmatched="singletons")
    assert "1:1 (not named) (2), the same on both sides" in str(c.changes())
    assert str(c.changes()).count("and 1 record in no cluster") == 2
    # The table is printed in three parts with one row each for it; in the second it is its own partner too.
    named = [line.count("(not named)") for line in str(c.clusters()).splitlines() if "(not named)" in line]
    assert named == [1, 2, 1]
    assert [(score.cluster, score.partner) for score in c.clusters()].count((None, None)) == 1


def test_those_that_stand_alone_are_numbered_by_the_other_label(folder):
    """The core brings cells in the order of hashes, which is another one in each process."""
    one = written(folder, "one", range(200), [i % 90 for i in range(200)], (KINDS["int64"], KINDS["uuid"]))
    other = written(folder, "other", range(100), [0] * 100, (KINDS["int64"],) * 2)
    c = cc.compare(*(P.scan(x, record="id", cluster="label") for x in (one, other)), unmatched="singletons")
    table = c._counts.table
    apart = table.row[table.column > 0][np.argsort(table.column[table.column > 0])]
    assert (len(apart), apart.tolist()) == (100, sorted(apart.tolist()))


def shuffled_rows(rows):
    """So many rows, of different ids that no cache holds."""
    ids = np.arange(rows) * 0x9E3779B9
    return Batches([batch(pa.array(ids), pa.array(ids // 3))])


STAGES = {
    "add": lambda join, rows: join.add(rows, [(1, 0, 1)]),
    "match": lambda join, _: join.match(3),
    "count": lambda join, _: join.count(0),
}


def before_stage(stage, join, rows):
    """What has to be done until the stage is next."""
    join.add(rows, [(0, 0, 1)])
    for name, work in STAGES.items():
        if name == stage:
            return work
        work(join, rows)
    raise KeyError(stage)


@contextlib.contextmanager
def small_files(most):
    """The system refuses to let a file grow beyond so many bytes."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.parametrize("stage", STAGES)
def test_files_that_may_not_grow_are_an_error_of_the_system(tmp_path, stage):
    join = core.RecordJoin(4, 2, 2**16, str(tmp_path), COUNT, 1)
    rows = shuffled_rows(400_000)  # far more than pools take before they write
    work = before_stage(stage, join, rows)
    with small_files(2**14), pytest.raises(OSError, match="File too large") as refused:
        work(join, rows)
    assert refused.value.errno == errno.EFBIG


@contextlib.contextmanager
def interrupted(seconds):
    """As by Ctrl-C, after this time."""
    before = signal.signal(signal.SIGALRM, signal.default_int_handler)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize("stage", ["match", "count"])
def test_ctrl_c_ends_every_later_stage(tmp_path, stage):
    """Of rows enough to be in the midst of it."""
    join = core.RecordJoin(8, 1, 2**22, str(tmp_path), COUNT, 1)
    rows = shuffled_rows(1_500_000)
    work, found = before_stage(stage, join, rows), None
    with interrupted(0.01), pytest.raises(KeyboardInterrupt):
        found = work(join, rows)
    assert found is None
