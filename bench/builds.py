"""Two builds of the core against each other: one by the compiler of this machine, one as it is published.

builds.py FIRST SECOND [--quick] [--only ROW ...]

FIRST and SECOND are wheels, or folders with the package. Both run each row of rows.py in turns, and the
best CPU time of each counts. The memory layout of a process changes its best time by up to 15 %, also
between two processes of one build. So each row runs in five pairs of processes, and in up to twenty if the
ratio is above 1.05. If it stays there, the run ends with status 1.
"""

import argparse
import gc
import json
import os
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path

HERE = Path(__file__).parent
ROUNDS = 25  # for a pair of processes
SECONDS = 2.0  # of turns for a pair of processes
PAIRS = 5
MORE_PAIRS = 15  # where the ratio is above what is allowed
ALLOWED = 1.05  # of the time of the first build
SHORT = 5e-3  # shorter calls are timed in groups


def answer():
    """In a child: prepare the row named on a line, then run it as often as the next line specifies."""
    import contenders  # noqa: F401  (reads concordant from PYTHONPATH)
    from rows import BY_NAME, OURS

    call = None
    for line in sys.stdin:
        request = json.loads(line)
        if "row" in request:
            row = BY_NAME[request["row"]]
            call = row.contenders[OURS](*row.make(**row.size(request["quick"])))
            call.run()
            gc.collect()
        began = time.process_time()
        for _ in range(request["times"]):
            call.run()
        print((time.process_time() - began) / max(1, request["times"]), flush=True)


class Child:
    """A process that has one of the builds loaded."""

    def __init__(self, folder):
        command = [sys.executable, str(Path(__file__)), "--answer"]
        environment = {**os.environ, "PYTHONPATH": f"{folder}{os.pathsep}{HERE}"}
        self.process = subprocess.Popen(  # noqa: S603  (this interpreter)
            command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def ask(self, **request):
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        return float(self.process.stdout.readline())

    def end(self):
        self.process.stdin.close()
        self.process.wait()


def asked(folders, row, quick):
    """The best CPU time of each build in one pair of processes, in turns."""
    children = [Child(folder) for folder in folders]
    least = [child.ask(row=row, quick=quick, times=1) for child in children]
    times = max(1, int(SHORT / max(*least, 1e-9)))
    began = time.perf_counter()
    for number in range(ROUNDS):
        for which in (0, 1) if number % 2 else (1, 0):
            least[which] = min(least[which], children[which].ask(times=times))
        if time.perf_counter() - began > SECONDS:
            break
    for child in children:
        child.end()
    return least


def ratio(folders, row, quick):
    """How many times the first build's time the second takes, in print too."""
    first, second = float("inf"), float("inf")
    for pair in range(1, PAIRS + MORE_PAIRS + 1):
        least = asked(folders, row, quick)
        first, second = min(first, least[0]), min(second, least[1])
        if pair >= PAIRS and second / first <= ALLOWED:
            break
    line = f"{row:<16}{first * 1e3:12.3f} ms{second * 1e3:12.3f} ms{second / first:8.3f}{pair:7}"
    print(line, flush=True)
    return second / first


def unpacked(given, scratch):
    """A folder that holds the package."""
    if given.is_dir():
        return given
    target = Path(scratch) / given.stem
    with zipfile.ZipFile(given) as wheel:
        wheel.extractall(target)
    return target


def main(arguments=None):
    from rows import ROWS

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("first", type=Path)
    parser.add_argument("second", type=Path)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--only", nargs="*", metavar="ROW")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as scratch:
        folders = [unpacked(options.first, scratch), unpacked(options.second, scratch)]
        print(f"{'row':<16}{'first':>15}{'second':>15}{'ratio':>8}{'pairs':>7}")
        rows = [row.name for row in ROWS if not options.only or row.name in options.only]
        slower = [row for row in rows if ratio(folders, row, options.quick) > ALLOWED]
    if slower:
        sys.exit(f"the second build loses more than 5 % in: {', '.join(slower)}")
    print("the second build loses more than 5 % in no row")


if __name__ == "__main__":
    answer() if sys.argv[1:] == ["--answer"] else main()
