"""Parquet files that the core decodes itself: as DuckDB reads them, whoever wrote them, or left to DuckDB."""

import random

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from joining import COUNT, UUIDS

import concordant as cc
from concordant import core
from concordant.engines.tables import file_join

duckdb = pytest.importorskip("duckdb")

P = cc.Partition
ROWS = 3000


def table(seed, text):
    """Records in an order of their own, some without a label; texts that are short, long and no ASCII."""
    rng = random.Random(seed)
    records = rng.sample(range(ROWS), ROWS - 100)
    labels = [None if rng.randrange(20) == 0 else record % 500 // rng.choice([1, 1, 9]) for record in records]
    if not text:
        return {"record": records, "label": labels}
    spelt = {i: ("é" if i % 7 == 0 else "") + f"entity-{i}" + "x" * (i % 30) for i in range(500)}
    names = [UUIDS[record % 300] + str(record) for record in records]
    return {"record": names, "label": [None if label is None else spelt[label] for label in labels]}


def by_arrow(path, rows, **options):
    pq.write_table(pa.table(rows), path, **options)


def by_polars(path, rows, **options):
    pl.DataFrame(rows).write_parquet(path, **options)


def by_duckdb(path, rows, **options):
    frame = pa.table(rows)
    said = "".join(f", {name} {value}" for name, value in options.items())
    with duckdb.connect() as connection:
        connection.register("frame", frame)
        connection.execute(f"COPY (SELECT * FROM frame) TO '{path}' (FORMAT parquet{said})")  # noqa: S608  (our own words)


# Who writes, how, and whether the core reads it.
WRITERS = {
    "arrow": (by_arrow, {"row_group_size": 700}, True),
    "arrow, no dictionary": (by_arrow, {"use_dictionary": False, "data_page_size": 500}, True),
    "arrow, second version": (by_arrow, {"data_page_version": "2.0", "compression": "none"}, True),
    "arrow, small dictionary": (by_arrow, {"dictionary_pagesize_limit": 2000, "row_group_size": 2000}, True),
    "arrow, zstd": (by_arrow, {"compression": "zstd"}, False),
    "arrow, gzip": (by_arrow, {"compression": "gzip"}, False),
    "arrow, deltas": (
        by_arrow,
        {"use_dictionary": False, "column_encoding": "DELTA_LENGTH_BYTE_ARRAY"},
        False,
    ),
    "polars": (by_polars, {"compression": "snappy", "row_group_size": 999}, True),
    "polars, zstd": (by_polars, {"compression": "zstd"}, False),
    "duckdb": (by_duckdb, {}, True),
    "duckdb, plain": (by_duckdb, {"compression": "uncompressed", "row_group_size": 2048}, True),
}


def written(tmp_path, how, text=True):
    write, options, decoded = WRITERS[how]
    paths = [tmp_path / f"{name}.parquet" for name in "uv"]
    for seed, path in enumerate(paths):
        write(path, table(seed, text), **options)
    return paths, decoded


def thrift(number):
    """A natural number as Thrift writes it: seven bits a byte, behind a bit for the sign."""
    number, made = 2 * number, []
    while number >= 128:
        made.append(number % 128 + 128)
        number //= 128
    return bytes([*made, number])


def add(join, path, names, memory=2**26, tell=lambda _: None):
    join.add_parquet([([bytes(path)], names, [(0, 0, 1)])], memory, tell)


def join_in(folder):
    return core.RecordJoin(5, 2, 2**26, str(folder), COUNT, 7)


def answers(paths, engine, **options):
    sides = [P.scan(path, record="record", cluster="label", engine=engine, **options) for path in paths]
    c = cc.compare(*sides, unmatched="drop", nulls="drop")
    return c.profile.size, c.pairs.n11, c.purity, sorted(str(change) for change in c.changes())


@pytest.mark.parametrize("text", [True, False], ids=["text", "integers"])
@pytest.mark.parametrize("how", WRITERS)
def test_whoever_wrote_it_the_answer_is_that_of_duckdb(tmp_path, how, text):
    if not text and "deltas" in how:
        pytest.skip("that encoding is one of texts")
    paths, decoded = written(tmp_path, how, text)
    assert answers(paths, "auto") == answers(paths, "duckdb")
    join, names = join_in(tmp_path), [("record", text), ("label", text)]
    if decoded:
        add(join, paths[0], names)
        assert join.match(0)["rows"][0] == (ROWS - 100, ROWS - 100)
    else:
        with pytest.raises(core.NotRead):
            add(join, paths[0], names)


def test_labels_of_one_file_with_records_and_without(tmp_path):
    rows = table(1, text=True)
    rows["other"] = [f"o{i % 77}" for i in range(len(rows["record"]))]
    path = tmp_path / "both.parquet"
    by_arrow(path, rows, row_group_size=333)
    for record in ({}, {"record": "record"}):
        found = [
            cc.compare(
                *(P.scan(path, cluster=name, engine=engine, **record) for name in ("label", "other")),
                nulls="drop",
            ).to_dict()
            for engine in ("auto", "duckdb")
        ]
        assert found[0] == found[1]


def test_a_column_whose_first_row_groups_are_null_is_learnt_from_later_ones(tmp_path):
    labels = [None] * 500 + [f"entity-{i // 3}" for i in range(500)]
    for name in "uv":
        by_arrow(
            tmp_path / f"{name}.parquet",
            {"record": [f"r{i}" for i in range(1000)], "label": labels},
            row_group_size=100,
        )
    paths = [tmp_path / f"{name}.parquet" for name in "uv"]
    assert answers(paths, "auto") == answers(paths, "duckdb")


@pytest.mark.parametrize(
    "kind",
    [
        pa.int8(),
        pa.int16(),
        pa.uint32(),
        pa.uint64(),
        pa.timestamp("us"),
        pa.time64("us"),
        pa.decimal128(30, 2),
        pa.float64(),
        pa.binary(),
    ],
    ids=str,
)
def test_numbers_of_other_kinds_are_left_to_duckdb(tmp_path, kind):
    numbers = pa.array(np.arange(10))
    values = numbers.cast(pa.string()).cast(kind) if kind == pa.binary() else numbers.cast(kind)
    path = tmp_path / "x.parquet"
    by_arrow(path, {"record": values, "label": values})
    for is_text in (True, False):
        with pytest.raises(core.NotRead):
            add(join_in(tmp_path), path, [("record", is_text), ("label", is_text)])


def test_what_cannot_be_read_names_no_rows_twice(tmp_path):
    """Row groups that were read before one that is not leave no trace: DuckDB begins anew."""
    rows = table(1, text=True)
    one = pa.table(rows)
    path = tmp_path / "u.parquet"
    with pq.ParquetWriter(path, one.schema, compression="none", use_dictionary=False) as writer:
        for begin in range(0, one.num_rows, 300):
            writer.write_table(one.slice(begin, 300))
    spoilt = bytearray(path.read_bytes())
    place = spoilt.rindex(rows["record"][-1].encode())
    spoilt[place] = 0xFF
    path.write_bytes(spoilt)
    with pytest.raises(core.NotRead, match="UTF-8"):
        add(join_in(tmp_path), path, [("record", True), ("label", True)])
    with pytest.raises(cc.errors.FileError, match="cannot be read"):
        cc.compare(*(P.scan(path, record="record", cluster="label") for _ in "uv"))


def test_two_columns_of_one_name_and_nested_ones_are_not_guessed_at(tmp_path):
    path = tmp_path / "x.parquet"
    names = ["record", "record", "label"]
    pq.write_table(pa.table([pa.array([1, 2])] * 3, names=names), path)
    with pytest.raises(core.NotRead, match="one name"):
        add(join_in(tmp_path), path, [("record", False), ("label", False)])
    pq.write_table(pa.table([pa.array([1, 2])] * 3, names=["record", "Label", "label"]), path)
    with pytest.raises(core.NotRead, match="differ by case"):
        add(join_in(tmp_path), path, [("record", False), ("label", False)])
    nested = pa.array([{"record": 1}, {"record": 2}])
    pq.write_table(pa.table({"outer": nested, "label": [1, 2]}), path)
    with pytest.raises(core.NotRead, match="absent or nested"):
        add(join_in(tmp_path), path, [("record", False), ("label", False)])


@pytest.mark.parametrize(
    "content", [b"", b"PAR1", b"PAR1" + b"\0" * 8, b"PAR1\xff\xff\xff\x7fPAR1", b"x" * 100 + b"PAR1"]
)
def test_what_is_no_parquet_file_is_refused(tmp_path, content):
    path = tmp_path / "x.parquet"
    path.write_bytes(content)
    with pytest.raises(core.NotRead):
        add(join_in(tmp_path), path, [("record", False), ("label", False)])


def test_columns_that_duckdb_calls_otherwise_are_left_to_it(tmp_path):
    """It calls the second ``label`` of these ``label_1``."""
    names, path = ["record", "label", "label", "label_1"], tmp_path / "x.parquet"
    columns = [range(6), [0] * 6, [0, 0, 0, 1, 1, 1], range(6)]
    pq.write_table(pa.table([pa.array(column) for column in columns], names=names), path)
    found = [
        cc.compare(
            *(P.scan(path, record="record", cluster=name, engine=engine) for name in ("label", "label_1"))
        ).pairs.n11
        for engine in ("auto", "duckdb")
    ]
    assert found == [6, 6]


def test_a_few_bytes_that_claim_to_be_many_values_take_no_memory(tmp_path):
    """The last page of the only column says how many values it has, in so many bytes."""
    path = tmp_path / "x.parquet"
    pq.write_table(pa.table({"record": pa.array([None] * 15_000, pa.int64())}), path, compression="none")
    content = path.read_bytes()
    rows, more = thrift(15_000), thrift(900_000)
    assert len(rows) == len(more)
    assert rows in content
    path.write_bytes(content.replace(rows, more, 1))
    with pytest.raises(core.NotRead):
        join_in(tmp_path).add_parquet(
            [([bytes(path)], [("record", False), ("record", False)], [])], 2**40, lambda _: None
        )


def test_pages_that_are_too_large_for_the_memory_are_refused(tmp_path):
    paths, _ = written(tmp_path, "duckdb")
    with pytest.raises(core.NotRead, match="too large for the memory"):
        add(join_in(tmp_path), paths[0], [("record", True), ("label", True)], memory=2**14)


def test_a_file_of_fewer_row_groups_than_threads_is_read_by_all_of_them(tmp_path):
    path = tmp_path / "x.parquet"
    count = 2**20 + 1
    by_arrow(path, {"record": np.arange(count), "label": np.arange(count) // 4}, row_group_size=count)
    with pytest.raises(core.NotRead, match="too few row groups"):
        add(join_in(tmp_path), path, [("record", False), ("label", False)])


def test_who_watches_is_told_and_may_end_it(tmp_path):
    path, shares = tmp_path / "x.parquet", []
    by_arrow(path, {"record": np.arange(100_000), "label": np.arange(100_000) // 4}, row_group_size=50_000)

    def tell(share):
        shares.append(share)
        raise KeyboardInterrupt

    many = [bytes(path)] * 5000  # for minutes, were it not ended
    names = [("record", False), ("label", False)]
    with pytest.raises(KeyboardInterrupt):
        join_in(tmp_path).add_parquet([(many, names, [(0, 0, 1)])], 2**26, tell)
    assert len(shares) == 1
    assert 0 <= shares[0] < 1


def test_files_that_the_core_does_not_read_are_read_by_duckdb(tmp_path, monkeypatch):
    paths, _ = written(tmp_path, "polars, zstd")
    read = []
    monkeypatch.setattr(
        file_join.FileJoin,
        "_read",
        lambda self, join, kept=file_join.FileJoin._read: read.append(1) or kept(self, join),
    )
    answers(paths, "auto")
    assert read
    read.clear()
    answers(written(tmp_path, "polars")[0], "auto")
    assert not read
