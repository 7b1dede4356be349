"""Build the core's fuzzer with every compiler at hand, and run what this machine can run.

    python scripts/portable.py        (make portable)

g++ with and without 128-bit integers, clang with libc++ if it is installed, zig for three other systems.
Targets that cannot be built or run here are skipped with a reason; a failing build is an error. On Debian
and Ubuntu, install all of it with `apt-get install clang libc++-dev libc++abi-dev qemu-user wine`.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "build" / "portable"
FLAGS = ["-std=c++20", "-O1", "-I", str(ROOT / "src" / "core")]
CORE = ROOT / "src" / "core"
SOURCES = [ROOT / "tests" / "core" / "fuzz.cpp"]
SOURCES += sorted(
    path for path in CORE.glob("*/*.cpp") if path.parent.name != "python" and path.stem != "glibc_2_28"
)
ROUNDS = os.environ.get("ROUNDS", "5")


@dataclass(frozen=True)
class Build:
    """One compiler, its arguments, and the program that runs the result; first words are programs on the
    path.
    """

    name: str
    compiler: Sequence[str]
    runner: Sequence[str] = ()

    def program(self) -> Path:
        return FOLDER / f"fuzz-{self.name}"


LIBCXX = "-stdlib=libc++"
ZIG = [sys.executable, "-m", "ziglang", "c++", "-target"]
BUILDS = [
    Build("gcc", ["g++", "-pthread"]),
    Build("gcc-two-words", ["g++", "-pthread", "-DCONCORDANT_PORTABLE"]),
    Build("clang-libc++", ["clang++", LIBCXX, "-pthread"]),
    Build("zig-x86_64-musl", [*ZIG, "x86_64-linux-musl"]),
    Build("zig-aarch64-linux", [*ZIG, "aarch64-linux-musl"], ["qemu-aarch64"]),
    Build("zig-x86_64-windows", [*ZIG, "x86_64-windows-gnu"], ["wine"]),
]


def has_libcxx(build: Build) -> bool:
    """Whether clang finds libc++, without which it often comes."""
    command = [*build.compiler, "-fsyntax-only", "-x", "c++", "-"]
    ran = subprocess.run(command, input=b"#include <vector>", check=False, capture_output=True)  # noqa: S603
    return ran.returncode == 0


def outcome(build: Build) -> str:
    """Build, run, and report the result."""
    if shutil.which(build.compiler[0]) is None:
        return f"left out: {build.compiler[0]} is not installed"
    if LIBCXX in build.compiler and not has_libcxx(build):
        return "left out: libc++ is not installed"
    command = [*build.compiler, *FLAGS, "-o", str(build.program()), *map(str, SOURCES)]
    if subprocess.run(command, check=False).returncode:  # noqa: S603
        return "FAILED to build"
    if build.runner and shutil.which(build.runner[0]) is None:
        return f"built; not run: {build.runner[0]} is not installed"
    quiet = {**os.environ, "WINEDEBUG": "-all"}  # wine complains of a screen that is not there
    ran = subprocess.run(  # noqa: S603
        [*build.runner, str(build.program()), ROUNDS], check=False, stdout=subprocess.DEVNULL, env=quiet
    )
    return "FAILED to run" if ran.returncode else f"built and run, {ROUNDS} rounds"


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    chosen = [build for build in BUILDS if not sys.argv[1:] or build.name in sys.argv[1:]]
    outcomes = []
    for build in chosen:
        outcomes.append(outcome(build))
        print(f"{build.name}: {outcomes[-1]}", flush=True)
    if any(each.startswith("FAILED") for each in outcomes):
        sys.exit(1)


if __name__ == "__main__":
    main()
