"""Memory as each system reports it, with the modules and functions that the system lacks taken away."""

import ctypes
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from inner import machine

resource = pytest.importorskip("resource", reason="there is none on Windows")


class _Kernel:
    """The two functions of Windows; they fill the structures that they are handed."""

    def GlobalMemoryStatusEx(self, status):
        assert status._obj.length == ctypes.sizeof(status._obj) == 64
        status._obj.physical = 8 * 2**30

    def K32GetProcessMemoryInfo(self, process, counters, length):
        assert process.value == 2**64 - 1
        assert length == ctypes.sizeof(counters._obj) == 72
        counters._obj.resident = 50 * 2**20


def test_windows(monkeypatch):
    monkeypatch.setattr(ctypes, "windll", SimpleNamespace(kernel32=_Kernel()), raising=False)
    monkeypatch.setattr(sys, "platform", "win32")
    assert (machine.whole_memory(), machine.resident_memory()) == (8 * 2**30, 50 * 2**20)


@pytest.mark.parametrize(("platform", "unit"), [("darwin", 1), ("freebsd14", 1024)])
def test_systems_that_report_the_peak(monkeypatch, platform, unit):
    def missing(*_, **__):
        raise FileNotFoundError

    monkeypatch.setattr(Path, "read_text", missing)
    monkeypatch.setattr(resource, "getrusage", lambda _: SimpleNamespace(ru_maxrss=50))
    monkeypatch.setattr(sys, "platform", platform)
    assert machine.resident_memory() == 50 * unit
    assert machine.whole_memory() > 2**28


_WITHOUT_UNIX = """
import importlib, os, pkgutil, sys
import duckdb, narwhals, numpy, pandas, polars, pyarrow, typer, rich.console, rich.progress, ctypes
for name in ("fcntl", "grp", "posix", "pty", "pwd", "resource", "termios", "tty"):
    sys.modules[name] = None
for name in ("fork", "getuid", "geteuid", "sched_getaffinity", "sysconf", "killpg", "mkfifo"):
    delattr(os, name)
from types import SimpleNamespace
ctypes.windll = SimpleNamespace(kernel32=SimpleNamespace(
    GlobalMemoryStatusEx=lambda status: setattr(status._obj, "physical", 2**33),
    K32GetProcessMemoryInfo=lambda _, counters, __: setattr(counters._obj, "resident", 2**26),
))
import matplotlib.figure  # looks for fonts as the system does
sys.platform = "win32"
import concordant as cc
for module in pkgutil.walk_packages(cc.__path__, "concordant."):
    if not module.name.endswith(("__main__", ".gpu.kernels")):
        importlib.import_module(module.name)
frame = pandas.DataFrame({"id": [1, 2, 3], "u": [0, 0, 1], "v": [0, 1, 1]})
frame.to_parquet(sys.argv[1])
P = cc.Partition
print(cc.compare(frame, columns=["u", "v"]).rand)
for memory in (None, "500MB"):
    sides = [P.scan(sys.argv[1], record="id", cluster=name, memory=memory) for name in "uv"]
    print(cc.compare(*sides).rand)
"""


def test_nothing_of_unix_is_needed(tmp_path):
    command = [sys.executable, "-c", _WITHOUT_UNIX, str(tmp_path / "both.parquet")]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603  (our own)
    assert (ran.returncode, ran.stdout.split()) == (0, ["0.3333333333333333"] * 3), ran.stderr
