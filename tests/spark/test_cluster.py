"""A real cluster: the same answer as in memory, also when a worker is killed; and nothing is left on it."""

import json
import sys
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from capabilities import CALLS, LABELS, RECORDS, REFUSED, SPARK, TABLE, UNIT, YES, columns
from not_run import few

import concordant as cc

pytestmark = pytest.mark.spark

HERE = Path(__file__).parent
EXAMPLE = HERE.parents[1] / "examples" / "spark" / "compare.py"
SECONDS = 600  # a limit for what hangs; a busy machine is slow
TASKS = 4  # of the driver's first stage


def assert_same(said, expected):
    """The numbers of all indices that a profile decides; the signature tells of the engine."""
    for part in ("schema", "size"):  # the command line names the sides after their files
        assert said[part] == expected[part]
    assert len(said["data"]) > 50
    assert {name: expected["data"][name] for name in said["data"]} == said["data"]


def hurt(application, cluster, finished, *, tasks, order="compare_slowly", **paths):
    """What the driver says, though a worker was killed when so many of its first tasks were done."""
    finished.mkdir()
    lost = application.process.said().lower().count("lost executor")
    application.order(order, finished=finished, **paths)
    application.wait_until(lambda: len(list(finished.iterdir())) >= tasks)
    cluster.kill_worker()
    assert application.process.is_running
    said = application.answer()
    assert application.process.said().lower().count("lost executor") > lost  # it noticed
    return said


@pytest.mark.parametrize("tasks", few(1, [2, TASKS]), ids=["while tasks run", "once its output is there"])
def test_a_worker_is_killed(application, two_workers, tables, tmp_path, tasks):
    paths = {"truth": tables.truth, "guess": tables.guess}
    said = hurt(application, two_workers, tmp_path / "finished", tasks=tasks, **paths)
    assert_same(said, tables.expected)


def test_a_worker_is_killed_during_slices(application, two_workers, tables, tmp_path):
    truth = pl.read_parquet(tables.truth).with_columns(unit=pl.col("record") % 5)
    truth.write_parquet(tmp_path / "truth.parquet")
    sides = [cc.Partition.from_frame(each) for each in (truth.lazy(), pl.scan_parquet(tables.guess))]
    paths = {"truth": tmp_path / "truth.parquet", "guess": tables.guess}
    said = hurt(application, two_workers, tmp_path / "finished", tasks=2, order="slices_slowly", **paths)
    assert said["data"] == json.loads(cc.compare(*sides).slices("unit").to_json())["data"]


def test_a_worker_is_killed_while_it_joins_pairs(application, two_workers, tmp_path):
    rng = np.random.default_rng(7)
    left, right = rng.integers(0, 900, (2, 4_000))
    pairs = pl.DataFrame({"left": left, "right": right, "score": rng.integers(0, 64, 4_000) / 64})
    pairs.write_parquet(tmp_path / "pairs.parquet", row_group_size=1_000)
    paths = {"pairs": tmp_path / "pairs.parquet"}
    said = hurt(application, two_workers, tmp_path / "finished", tasks=2, order="pairs_slowly", **paths)
    assert said == str(cc.Hierarchy.from_pairs(pairs, left="left", right="right", score="score").levels)


@pytest.mark.usefixtures("two_workers")
@pytest.mark.parametrize("name", few(6, list(TABLE)))
def test_what_works_on_spark(application, tmp_path, name):
    paths, mapped = {}, {}
    for side, labels in LABELS.items():
        paths[side] = tmp_path / f"{side}.parquet"
        pl.DataFrame(columns(labels)).write_parquet(paths[side])
        mapped[side] = cc.Partition.from_mapping(dict(zip(RECORDS, labels, strict=True)))
    application.order("capability", name=name, paths=paths)
    state, said = application.answer()
    assert state == (REFUSED if TABLE[name][SPARK] == REFUSED else YES), said
    if state == YES:
        assert said == repr(CALLS[name](mapped, dict(zip(RECORDS, UNIT, strict=True))))


@pytest.mark.parametrize("program", few(1, ["the command line", "the example"]))
def test_programs_by_connect(application, cluster, tables, program):
    remote = ["env", f"SPARK_REMOTE=sc://127.0.0.1:{application.port}", sys.executable]
    command = ["-m", "concordant", "compare", tables.truth, tables.guess, "--engine", "spark", "--json"]
    example = [EXAMPLE, tables.truth, tables.guess, "--json"]
    client = cluster.start("client", *remote, *(example if program == "the example" else command))
    assert client.wait(SECONDS) == 0, client.said()[-6000:] + application.process.said()[-3000:]
    assert_same(document(client.said()), tables.expected)


def test_the_example_submitted_to_the_cluster(application, tables):
    """The last test of the application, which ends after it as the example would."""
    application.order("example", path=EXAMPLE, arguments=[str(tables.truth), str(tables.guess), "--json"])
    assert_same(document(application.answer()), tables.expected)
    assert application.process.wait(SECONDS) == 0, application.process.said()[-6000:]


def document(printed):
    """The JSON among what Spark says."""
    return json.loads(printed[printed.index("{\n") : printed.rindex("\n}") + 2])
