"""A real cluster: the same answer as in memory, also when a worker is killed; and nothing is left on it."""

import contextlib
import json
import os
import sys
import time
from pathlib import Path

import pytest
from cluster import HOME, free_port

pytestmark = pytest.mark.spark

HERE = Path(__file__).parent
EXAMPLE = HERE.parents[1] / "examples" / "spark" / "compare.py"
SECONDS = 600  # a limit for what hangs; a busy machine is slow
TASKS = 8  # of the driver's first stage


def answer(process):
    """What a program printed on its last line."""
    assert process.wait(SECONDS) == 0, process.said()[-6000:]
    return json.loads(process.said().strip().splitlines()[-1])


def assert_same(said, expected):
    """The numbers of all indices that a profile decides; the signature tells of the engine."""
    for part in ("elements", "clusters", "pairs"):
        assert said[part] == expected[part]
    assert len(said["indices"]) > 50
    assert {name: expected["indices"][name] for name in said["indices"]} == said["indices"]


def wait_for_tasks(folder, count, process):
    deadline = time.monotonic() + SECONDS
    while len(list(folder.iterdir())) < count:
        assert process.is_running, process.said()[-6000:]
        assert time.monotonic() < deadline
        time.sleep(0.05)


def hurt(cluster, tables, finished, tasks, *then):
    """What the driver says, though a worker was killed when so many of its first tasks were done."""
    finished.mkdir()
    arguments = [HERE / "driver.py", cluster.url, tables.truth, tables.guess, finished, *then]
    driver = cluster.start("driver", sys.executable, *arguments)
    wait_for_tasks(finished, tasks, driver)
    cluster.kill_worker()
    assert driver.is_running
    said = answer(driver)
    assert "lost executor" in driver.said().lower()  # it noticed
    return said


def test_a_worker_is_killed_while_tasks_run(two_workers, tables, tmp_path):
    said = hurt(two_workers, tables, tmp_path / "finished", 2, "go on")
    assert_same(said["two tables"], tables.expected)
    assert_same(said["one table"], tables.expected)
    assert said["cached after"] == {"an answer": 0, "a refusal": 0, "a failure": 0}


def test_a_worker_is_killed_once_its_output_is_there(two_workers, tables, tmp_path):
    said = hurt(two_workers, tables, tmp_path / "finished", TASKS)
    assert_same(said["two tables"], tables.expected)


def submitting(cluster, **settings):
    """The beginning of a command that runs something on the cluster."""
    common = {
        "driver.host": "127.0.0.1",
        "executor.memory": "512m",
        "sql.shuffle.partitions": 2,  # 200 by default, which is for larger tables
        "sql.codegen.wholeStage": "false",  # as in driver.py
        "sql.codegen.factoryMode": "NO_CODEGEN",
        "ui.enabled": "false",
        "ui.showConsoleProgress": "false",
    }
    options = [f"--conf=spark.{key}={value}" for key, value in {**common, **settings}.items()]
    return [HOME / "bin" / "spark-submit", "--master", cluster.url, *options]


def test_the_example_submitted_to_the_cluster(two_workers, tables):
    program = [EXAMPLE, tables.truth, tables.guess, "--json"]
    process = two_workers.start("submit", *submitting(two_workers), *program)
    assert process.wait(SECONDS) == 0, process.said()[-6000:]
    assert_same(document(process.said()), tables.expected)


def test_the_example_and_the_command_line_by_connect(two_workers, tables):
    port = free_port()
    binding = {"connect.grpc.binding.address": "127.0.0.1", "connect.grpc.binding.port": port}
    submit = submitting(two_workers, **binding)
    server_class = "org.apache.spark.sql.connect.service.SparkConnectServer"
    server = two_workers.start("connect", *submit, "--class", server_class, "spark-internal")
    try:
        server.wait_for(r"(?s)Spark Connect server started at: .*?:(\d+)")
        remote = ["env", f"SPARK_REMOTE=sc://127.0.0.1:{port}", sys.executable]
        command = ["-m", "concordant", "compare", tables.truth, tables.guess, "--engine", "spark", "--json"]
        for arguments in ([EXAMPLE, tables.truth, tables.guess, "--json"], command):
            client = two_workers.start("client", *remote, *arguments)
            assert client.wait(SECONDS) == 0, client.said()[-6000:] + server.said()[-3000:]
            assert_same(document(client.said()), tables.expected)
    finally:
        server.kill()


def document(printed):
    """The JSON among what Spark says."""
    return json.loads(printed[printed.index("{\n") : printed.rindex("\n}") + 2])


def members(group):
    """The processes of a group that run; those that only wait to be buried do not count."""
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):  # it ended meanwhile
            state, _, leader = path.read_text(encoding="utf-8").rpartition(")")[2].split()[:3]
            if int(leader) == group and state != "Z":
                yield path


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_no_process_is_left(two_workers):
    """A killed process is gone, its children with it."""
    worker = two_workers.workers[-1]
    group = os.getpgid(worker._process.pid)
    assert list(members(group))
    two_workers.kill_worker()
    deadline = time.monotonic() + 30
    while list(members(group)) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert list(members(group)) == []
