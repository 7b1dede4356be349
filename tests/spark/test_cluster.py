"""A real cluster: the same answer as in memory, also when a worker is killed; and nothing is left on it."""

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
SECONDS = 240
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


def start_driver(cluster, tables, finished):
    finished.mkdir()
    arguments = [HERE / "driver.py", cluster.url, tables.truth, tables.guess, finished]
    return cluster.start("driver", sys.executable, *arguments)


@pytest.mark.parametrize("tasks", [2, TASKS], ids=["while tasks run", "once their output is there"])
def test_a_killed_worker_changes_nothing(two_workers, tables, tmp_path, tasks):
    driver = start_driver(two_workers, tables, tmp_path / "finished")
    wait_for_tasks(tmp_path / "finished", tasks, driver)
    two_workers.kill_worker()
    assert driver.is_running
    said = answer(driver)
    assert_same(said["two"], tables.expected)
    assert_same(said["one"], tables.expected)
    assert said["cached"] == dict.fromkeys(
        ["after an answer", "after one table", "after a refusal", "after a failure"], 0
    )
    assert "candidate" in said["complaint"]
    assert "lost" in driver.said().lower()  # the driver noticed


def test_the_example_submitted_to_the_cluster(two_workers, tables):
    settings = {"driver.host": "127.0.0.1", "executor.memory": "512m", "ui.showConsoleProgress": "false"}
    options = [part for key, value in settings.items() for part in ("--conf", f"spark.{key}={value}")]
    submit = [HOME / "bin" / "spark-submit", "--master", two_workers.url, *options, EXAMPLE]
    process = two_workers.start("submit", *submit, tables.truth, tables.guess, "--json")
    assert process.wait(SECONDS) == 0, process.said()[-6000:]
    assert_same(document(process.said()), tables.expected)


def test_the_example_by_connect(two_workers, tables):
    port = free_port()
    settings = {
        "driver.host": "127.0.0.1",
        "executor.memory": "512m",
        "connect.grpc.binding.address": "127.0.0.1",
        "connect.grpc.binding.port": port,
    }
    options = [part for key, value in settings.items() for part in ("--conf", f"spark.{key}={value}")]
    submit = [HOME / "bin" / "spark-submit", "--master", two_workers.url, *options]
    server_class = "org.apache.spark.sql.connect.service.SparkConnectServer"
    server = two_workers.start("connect", *submit, "--class", server_class, "spark-internal")
    try:
        server.wait_for(r"(?s)Spark Connect server started at: .*?:(\d+)")
        client = two_workers.start(
            "client",
            "env",
            f"SPARK_REMOTE=sc://127.0.0.1:{port}",
            sys.executable,
            EXAMPLE,
            tables.truth,
            tables.guess,
            "--json",
        )
        assert client.wait(SECONDS) == 0, client.said()[-6000:] + server.said()[-3000:]
        assert_same(document(client.said()), tables.expected)
    finally:
        server.kill()


def document(printed):
    """The JSON among what Spark says."""
    return json.loads(printed[printed.index("{\n") : printed.rindex("\n}") + 2])


def test_no_process_is_left(cluster):
    """A killed process is gone, its children with it."""
    worker = cluster.workers[-1]
    group = os.getpgid(worker._process.pid)
    cluster.kill_worker()
    assert not worker.is_running
    with pytest.raises(ProcessLookupError):
        os.killpg(group, 0)
