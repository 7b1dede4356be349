"""The machine in words: what matters for speed, and nothing that names it."""

import importlib.metadata
import os
import platform
import resource
import time
from pathlib import Path

PACKAGES = [
    "concordant",
    "numpy",
    "scikit-learn",
    "scipy",
    "genieclust",
    "igraph",
    "permetrics",
    "pandas",
    "polars",
    "pyarrow",
    "clusim",
    "bcubed",
    "networkit",
    "scorch",
    "duckdb",
    "pyspark",
]


def describe():
    return {
        "processor": _from_proc("cpuinfo", "model name") or platform.machine(),
        "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
        "memory": _kilobytes("MemTotal") * 1024,
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "versions": {name: _version(name) for name in PACKAGES},
        "load": os.getloadavg()[0],
    }


class Others:
    """How many cores others kept busy, in the mean, since this was made."""

    def __init__(self):
        self._began, self._busy, self._own = time.perf_counter(), _busy(), _own()

    def cores(self):
        wall = time.perf_counter() - self._began
        if self._busy is None:
            return None
        return max(0.0, (_busy() - self._busy - (_own() - self._own)) / wall)


def _busy():
    """Seconds of work of all processes on this machine; None if the system does not report it."""
    line = _from_proc("stat", "cpu ", after=" ")
    if line is None:
        return None
    user, nice, system, _idle, _waiting, *interrupts_and_stolen = map(int, line.split()[:8])
    return (user + nice + system + sum(interrupts_and_stolen)) / os.sysconf("SC_CLK_TCK")


def _own():
    both = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in both)


def available_memory():
    return _kilobytes("MemAvailable") * 1024 or 2**33


def _kilobytes(key):
    text = _from_proc("meminfo", key)
    return int(text.split()[0]) if text else 0


def _from_proc(name, key, after=":"):
    path = Path("/proc") / name
    if not path.exists():
        return None
    for line in path.read_text().splitlines():
        if line.startswith(key):
            return line.partition(after)[2].strip()
    return None


def _version(name):
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None
