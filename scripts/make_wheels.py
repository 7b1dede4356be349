"""Build what is published, without a container: the source, and wheels for Python 3.11 and for 3.12 on.

    python scripts/make_wheels.py        (make wheels)

The compiler is GCC, and the wheels run with glibc 2.28 and later, as docs/decisions/0027 explains. Each
wheel is checked (twine, auditwheel, abi3audit), installed where no compiler is on the path, and the
examples of the README run there.
"""

import os
import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

ROOT = Path(__file__).parents[1]
DIST = ROOT / "dist"
TOOLS = Path(sys.executable).parent
UV = TOOLS / "uv"
PLATFORM = f"manylinux_2_28_{platform.machine()}"
PYTHONS = os.environ.get("PYTHONS", "3.11 3.12").split()  # versions, or paths of interpreters
MORE = os.environ.get("MORE_PYTHONS", "3.13 3.14").split()  # tried too where they are installed
EXAMPLES = "import doctest, sys; sys.exit(doctest.testfile(sys.argv[1], module_relative=False).failed)"


def run(*command: str | Path, environment: Mapping[str, str] | None = None, cwd: Path = ROOT) -> None:
    print("+", *command, flush=True)
    subprocess.run([str(word) for word in command], check=True, cwd=cwd, env=environment)  # noqa: S603


def candidates(python: str) -> Iterator[Path]:
    """Possible places of an interpreter: a path, on the path, or among those of pyenv."""
    yield Path(python)
    if found := shutil.which(f"python{python}"):
        yield Path(found)
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    yield from sorted(pyenv.glob(f"{python}.*/bin/python"))


def starts(python: Path) -> bool:
    """Whether it runs: a pyenv shim may belong to a version that is not active."""
    command = [str(python), "-c", "import sysconfig; assert sysconfig.get_config_h_filename()"]
    return python.is_file() and not subprocess.run(command, check=False, capture_output=True).returncode  # noqa: S603


def interpreter(python: str) -> Path | None:
    return next(filter(starts, candidates(python)), None)


def brought(python: str) -> str:
    """An interpreter of this machine, or one that uv downloads."""
    if found := interpreter(python):
        return str(found)
    print(f"Python {python} is not installed here; uv brings it")
    run(UV, "python", "install", python)
    return python


def build(folder: Path) -> dict[str, Path]:
    """The source, and from the source each Python's wheel, named by the oldest systems that it runs on."""
    run(UV, "build", "--quiet", "--sdist", "--out-dir", folder, ROOT)
    source = next(folder.glob("*.tar.gz"))
    environment = {
        **os.environ,
        "CXX": os.environ.get("CXX", "g++"),
        "CMAKE_ARGS": "-DCONCORDANT_GLIBC_2_28=ON",
        "CONCORDANT_SBOM": "1",
        "PATH": os.pathsep.join([str(TOOLS), os.environ["PATH"]]),  # auditwheel calls patchelf
    }
    wheels = {}
    for python in map(brought, PYTHONS):
        raw = folder / f"raw-{len(wheels)}"
        command = [UV, "build", "--quiet", "--wheel", "--python", python, "--out-dir", raw, source]
        run(*command, environment=environment)
        made = next(raw.glob("*.whl"))
        repair = ["repair", "--strip", "--plat", PLATFORM, "--wheel-dir", DIST, made]
        before = set(DIST.iterdir())
        run(sys.executable, "-m", "auditwheel", *repair, environment=environment)
        wheels[python] = (set(DIST.iterdir()) - before).pop()
    (DIST / source.name).write_bytes(source.read_bytes())
    return wheels


def check(wheels: Iterable[Path]) -> None:
    """Problems for the package index, the oldest systems and later Pythons."""
    run(sys.executable, "-m", "twine", "check", "--strict", *sorted(DIST.iterdir()))
    for wheel in wheels:
        run(sys.executable, "-m", "auditwheel", "show", wheel)
        if "-abi3-" in wheel.name:
            run(TOOLS / "abi3audit", "--strict", "--summary", wheel)


def try_as_a_stranger(wheel: Path, python: str, folder: Path) -> None:
    """Install a wheel in a bare environment, and run the examples of the README there."""
    run(UV, "venv", "--quiet", "--python", python, folder)
    bare = {**os.environ, "PATH": str(folder / "bin"), "VIRTUAL_ENV": str(folder)}  # no compiler on the path
    command = [UV, "pip", "install", "--quiet", "--only-binary", ":all:", wheel, "polars"]
    run(*command, environment=bare)
    run(folder / "bin" / "python", "-c", EXAMPLES, ROOT / "README.md", environment=bare, cwd=folder)


def main() -> None:
    DIST.mkdir(exist_ok=True)
    for old in DIST.iterdir():
        old.unlink()
    with tempfile.TemporaryDirectory() as scratch:
        wheels = build(Path(scratch))
        check(wheels.values())
        tried = [*wheels.items()]
        tried += [(str(found), tried[-1][1]) for found in map(interpreter, MORE) if found]
        for number, (python, wheel) in enumerate(tried):
            try_as_a_stranger(wheel, python, Path(scratch) / f"bare-{number}")
    for each in sorted(DIST.iterdir()):
        print(f"{each.relative_to(ROOT)}  {each.stat().st_size / 1e3:.0f} kB")


if __name__ == "__main__":
    main()
