"""The data's way, counted in rooms: how many a reader passes who follows it from input to output.

A room is a folder of the package, or a module beside the folders. A number here may fall, not grow.
"""

import sys
import threading

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import concordant as cc
from concordant.engines.tables import duckdb_files

ARRAYS, PARQUET, COMMAND_LINE_MODULES = 7, 14, 8


def modules(call):
    """The modules of concordant whose functions run; what is generated (by dataclass) is of no module."""
    called = set()

    def watch(frame, event, _):
        name = frame.f_globals.get("__name__", "")
        if event == "call" and name.partition(".")[0] == "concordant" and frame.f_code.co_filename[0] != "<":
            called.add(name)

    threading.setprofile(watch)
    sys.setprofile(watch)
    try:
        call()
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    return called


def rooms(called):
    """The formula of an index is read in its declaration, which is where the way ends."""
    return {name.split(".")[1] for name in called if name.count(".")} - {"indices"}


@pytest.fixture
def parquet_files(tmp_path):
    paths = [str(tmp_path / f"{side}.parquet") for side in ("truth", "guess")]
    for path, labels in zip(paths, ([1, 1, 2, 2], [1, 1, 1, 2]), strict=True):
        pq.write_table(pa.table({"id": list("abcd"), "label": labels}), path)
    return paths


def test_two_arrays_to_an_index():
    u, v = np.array([0, 0, 1, 1]), np.array([0, 1, 1, 1])
    cc.adjusted_rand(u, v)  # imports happen once
    assert len(rooms(modules(lambda: cc.adjusted_rand(u, v)))) <= ARRAYS


def test_two_parquet_files_to_a_printed_index(parquet_files, run):
    arguments = ["compare", *parquet_files, "-i", "adjusted_rand"]
    run(*arguments)  # imports happen once
    found = modules(lambda: run(*arguments))
    assert len(rooms(found)) <= PARQUET
    assert len({x for x in found if x.startswith("concordant.cli")}) <= COMMAND_LINE_MODULES


def test_each_file_is_opened_once_to_look_and_once_to_count(parquet_files, run, monkeypatch):
    opened, read_parquet = [], duckdb_files.read_parquet

    def recorded(connection, groups):
        opened.extend(path for paths, _ in groups for path in paths)
        return read_parquet(connection, groups)

    monkeypatch.setattr(duckdb_files, "read_parquet", recorded)
    run("compare", *parquet_files, "-i", "adjusted_rand")
    assert sorted(opened) == sorted(parquet_files * 2)
