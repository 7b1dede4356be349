# ruff: noqa: S603  (the processes started here are Spark's own)
"""A real Spark cluster on this machine: a standalone master and two workers, each a process of its own.

Every process leads a group, so that a worker dies together with its executors; and each is killed by the
system when this one goes, so that nothing is left over whatever happens (on Linux).
"""

import contextlib
import ctypes
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pyspark
from spark_settings import CHECKS_OF_PLANS, QUICK_JAVA

HOME = Path(pyspark.__file__).parent
START_SECONDS = 300  # a busy machine is slow to start Java
WORK_SECONDS = 600  # a limit for what hangs
_DIE_WITH_PARENT = 1  # PR_SET_PDEATHSIG


def environment():
    return {
        **os.environ,
        "SPARK_HOME": str(HOME),
        "SPARK_LOCAL_IP": "127.0.0.1",
        "SPARK_NO_DAEMONIZE": "1",
        "JAVA_TOOL_OPTIONS": QUICK_JAVA,  # executors inherit it from their worker
        "PYSPARK_PYTHON": sys.executable,
        "PYSPARK_DRIVER_PYTHON": sys.executable,
    }


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Process:
    """A process with its log; ``kill`` takes its children along."""

    def __init__(self, command, log):
        self.log = log
        with log.open("wb") as out:
            self._process = subprocess.Popen(
                [str(part) for part in command],
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
                env=environment(),
                cwd=log.parent,
                start_new_session=True,
                preexec_fn=_die_with_parent,  # noqa: PLW1509  (no threads hold locks at this point)
            )

    @property
    def is_running(self):
        return self._process.poll() is None

    def said(self):
        return self.log.read_text(errors="replace")

    def wait_for(self, pattern, seconds=START_SECONDS):
        """The first group of the pattern, once the log has it."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            if found := re.search(pattern, self.said()):
                return found[1]
            if not self.is_running:
                break
            time.sleep(0.1)
        raise RuntimeError(f"waited in vain for {pattern!r}:\n{self.said()[-4000:]}")

    def wait(self, seconds):
        return self._process.wait(seconds)

    def kill(self):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()


def _die_with_parent():
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_DIE_WITH_PARENT, signal.SIGKILL)


class Cluster:
    """One master, two workers of one core."""

    def __init__(self, folder):
        self._folder = folder
        self._processes = []
        try:
            self._begin()
        except BaseException:
            self.stop()
            raise

    def _begin(self):
        master = self.start("master", *_class("master.Master"), "--port", 0, "--webui-port", 0)
        self.url = master.wait_for(r"Starting Spark master at (spark://\S+)")
        self.workers = []
        self.heal()

    def start(self, name, *command):
        """Start a process that goes when the cluster goes."""
        log = self._folder / f"{name}-{len(self._processes)}.log"
        process = Process(command, log)
        self._processes.append(process)
        return process

    def kill_worker(self):
        """Kill a worker and its executors; the next call of ``heal`` replaces it."""
        self.workers.pop().kill()

    def heal(self):
        """Have two workers again."""
        fresh = [self._worker() for _ in range(2 - len(self.workers))]
        for worker in fresh:
            worker.wait_for(r"Successfully (registered) with master")
        self.workers += fresh

    def stop(self):
        for process in reversed(self._processes):
            process.kill()

    def _worker(self):
        work = self._folder / f"work-{len(self._processes)}"
        settings = ["--port", 0, "--webui-port", 0, "--cores", 1, "--memory", "1g", "--work-dir", work]
        return self.start("worker", *_class("worker.Worker"), *settings, self.url)


class Application:
    """The program driver.py on a cluster, which does what it is told; it serves Spark Connect, too."""

    def __init__(self, cluster, folder):
        self._orders, self._number = folder, -1
        self.port = free_port()
        settings = {
            "driver.host": "127.0.0.1",
            "driver.bindAddress": "127.0.0.1",
            "driver.memory": "1g",
            "executor.memory": "512m",
            "sql.shuffle.partitions": 2,  # 200 by default, which is for larger tables
            # Small tables: to generate and compile code costs more than it saves.
            "sql.codegen.wholeStage": "false",
            "sql.codegen.factoryMode": "NO_CODEGEN",
            **dict.fromkeys(CHECKS_OF_PLANS, "false"),
            "ui.enabled": "false",
            "ui.showConsoleProgress": "false",
            # A lost executor's output is soon known to be lost.
            "shuffle.io.maxRetries": 1,
            "shuffle.io.retryWait": "1s",
            "plugins": "org.apache.spark.sql.connect.SparkConnectPlugin",
            "connect.grpc.binding.address": "127.0.0.1",
            "connect.grpc.binding.port": self.port,
        }
        options = [f"--conf=spark.{key}={value}" for key, value in settings.items()]
        submit = [HOME / "bin" / "spark-submit", "--master", cluster.url, *options]
        self.process = cluster.start("driver", *submit, Path(__file__).parent / "driver.py", folder)

    def order(self, what, **details):
        """Have some work done; ``answer`` waits for what comes of it."""
        self._number += 1
        written = self._orders / f"{self._number}.told"
        written.write_text(json.dumps([what, details], default=str))
        written.rename(self._orders / f"{self._number}.order")

    def answer(self):
        answer = self._orders / f"{self._number}.answer"
        self.wait_until(answer.exists)
        return json.loads(answer.read_text())

    def wait_until(self, state):
        deadline = time.monotonic() + WORK_SECONDS
        while not state():
            assert self.process.is_running or state(), self.process.said()[-6000:]
            assert time.monotonic() < deadline
            time.sleep(0.05)


def _class(name):
    return [HOME / "bin" / "spark-class", f"org.apache.spark.deploy.{name}", "--host", "127.0.0.1"]
