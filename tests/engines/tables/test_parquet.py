"""Parquet files by different writers: a scan gives the answer of DuckDB's own query."""

import random

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from joining import UUIDS

import concordant as cc

duckdb = pytest.importorskip("duckdb")

P = cc.Partition
ROWS = 3000


def table(seed, text):
    """Records in random order, some without a label; strings are short, long and not all ASCII."""
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


WRITERS = {
    "arrow": (by_arrow, {"row_group_size": 700}),
    "arrow, no dictionary": (by_arrow, {"use_dictionary": False, "data_page_size": 500}),
    "arrow, gzip": (by_arrow, {"compression": "gzip", "data_page_version": "2.0"}),
    "polars": (by_polars, {"compression": "zstd", "row_group_size": 999}),
    "duckdb": (by_duckdb, {}),
}


def answers(paths, engine):
    sides = [P.scan(path, record="record", cluster="label", engine=engine) for path in paths]
    c = cc.compare(*sides, unmatched="drop", nulls="drop")
    return c.counts.size, c.pairs.n11, c.purity, sorted(str(change) for change in c.changes())


@pytest.mark.parametrize("text", [True, False], ids=["text", "integers"])
@pytest.mark.parametrize("how", WRITERS)
def test_every_writer_gives_the_answer_of_duckdb(tmp_path, how, text):
    write, options = WRITERS[how]
    paths = [tmp_path / f"{name}.parquet" for name in "uv"]
    for seed, path in enumerate(paths):
        write(path, table(seed, text), **options)
    assert answers(paths, "auto") == answers(paths, "duckdb")


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


def test_a_column_may_begin_with_null_row_groups(tmp_path):
    labels = [None] * 500 + [f"entity-{i // 3}" for i in range(500)]
    for name in "uv":
        by_arrow(
            tmp_path / f"{name}.parquet",
            {"record": [f"r{i}" for i in range(1000)], "label": labels},
            row_group_size=100,
        )
    paths = [tmp_path / f"{name}.parquet" for name in "uv"]
    assert answers(paths, "auto") == answers(paths, "duckdb")


def test_a_damaged_file_is_reported(tmp_path):
    rows, path = table(1, text=True), tmp_path / "u.parquet"
    by_arrow(path, rows, compression="none", use_dictionary=False, row_group_size=300)
    content = bytearray(path.read_bytes())
    content[content.rindex(rows["record"][-1].encode())] = 0xFF
    path.write_bytes(content)
    with pytest.raises(cc.errors.FileError, match="cannot be read"):
        cc.compare(*(P.scan(path, record="record", cluster="label") for _ in "uv"))


def test_columns_with_equal_names_have_the_names_that_duckdb_gives(tmp_path):
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
