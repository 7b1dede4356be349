"""A real cluster: the same answer as in memory, also when a worker is killed; and nothing is left on it."""

import json
import sys
from pathlib import Path

import pytest
from not_run import few

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


def hurt(application, cluster, tables, finished, *, tasks):
    """What the driver says, though a worker was killed when so many of its first tasks were done."""
    finished.mkdir()
    lost = application.process.said().lower().count("lost executor")
    application.order("compare_slowly", truth=tables.truth, guess=tables.guess, finished=finished)
    application.wait_until(lambda: len(list(finished.iterdir())) >= tasks)
    cluster.kill_worker()
    assert application.process.is_running
    said = application.answer()
    assert application.process.said().lower().count("lost executor") > lost  # it noticed
    return said


@pytest.mark.parametrize("tasks", few(1, [2, TASKS]), ids=["while tasks run", "once its output is there"])
def test_a_worker_is_killed(application, two_workers, tables, tmp_path, tasks):
    said = hurt(application, two_workers, tables, tmp_path / "finished", tasks=tasks)
    assert_same(said, tables.expected)


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
