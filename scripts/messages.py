"""The messages of the library, each with an input that provokes it: `make messages`.

The tests provoke four in five of them. This script runs the tests that expect one, without Spark, Dask and
the browser. It records where each error or warning is made, and prints the shortest message of each place, by
package. It ends with the places that no test reached. Arguments are passed to pytest:
`python scripts/messages.py tests/cli` shows the messages of these tests alone.
"""

from __future__ import annotations

import ast
import inspect
import linecache
import os
import shlex
import sys
import warnings
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from concordant import cli, errors

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "concordant"
QUICK = [  # without Spark, Dask and the browser
    "-p",
    "no:xdist",
    "--ignore=tests/spark",
    "--ignore=tests/browser",
    "-k",
    "not spark and not dask",
]
WORDS = ("raises", "fails", "warns", "Error", ".err", "refus", "message", "mistake")


@dataclass(frozen=True, slots=True)
class Site:
    """A call in the source that makes an error or a warning, such as ``raise InputError(...)``."""

    path: str  # relative to the package
    line: int
    caller: tuple[str, int] | None = None  # set if a helper makes the error and its callers word the message

    def __str__(self) -> str:
        path, line = self.caller or (self.path, self.line)
        return f"src/concordant/{path}:{line}"


@dataclass(frozen=True, slots=True)
class Example:
    message: str
    source: str  # a statement in Python, or a command line
    test: str


class Recorder:
    """A pytest plugin that keeps the shortest message of every site."""

    def __init__(self) -> None:
        self.examples: dict[Site, Example] = {}
        self._worded = {(site.path, site.line) for site, has_text in sites().items() if has_text}

    def pytest_configure(self) -> None:
        make, warn = errors.ConcordantError.__init__, warnings.warn

        def make_and_record(error: errors.ConcordantError, *text: str, **details: Any) -> None:
            make(error, *text, **details)
            self._record(error, sys._getframe(1))

        def warn_and_record(message: Any, *others: Any, stacklevel: int = 1, **details: Any) -> None:
            frame = sys._getframe(1)
            if frame.f_code is errors.warn.__code__ and frame.f_back is not None:
                self._record(message, frame.f_back)
            warn(message, *others, stacklevel=stacklevel + 1, **details)

        errors.ConcordantError.__init__ = make_and_record  # type: ignore[method-assign]
        warnings.warn = warn_and_record  # type: ignore[assignment]

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = [item for item in items if _expects_a_message(getattr(item, "function", None))]

    def _record(self, error: errors.ConcordantError | str, frame: FrameType | None) -> None:
        frames = []
        while frame is not None:
            frames.append(frame)
            frame = frame.f_back
        inside = [each for each in frames if _path(each)]
        if frames[:1] != inside[:1]:  # a test made it
            return
        place, *callers = ((_path(each), each.f_lineno) for each in inside[:2])
        site = Site(*place, caller=None if place in self._worded else next(iter(callers), None))
        main = next((each for each in inside if each.f_code is cli.main.__code__), None)
        spelling = cli.as_option if main else errors.in_python
        message = error.said(spelling) if isinstance(error, errors.ConcordantError) else error
        known = self.examples.get(site)
        if known is None or len(message) < len(known.message):
            if main:
                source = shlex.join(["concordant", *map(str, main.f_locals["arguments"])])
            else:
                source = next((_statement(each) for each in frames if not _path(each)), "")
            test = os.environ.get("PYTEST_CURRENT_TEST", "").removesuffix(" (call)")
            self.examples[site] = Example(message, source, test)


def _path(frame: FrameType) -> str:
    return _inside(frame.f_code.co_filename)


@cache
def _inside(file: str) -> str:
    """The path of a file relative to the package; empty outside of it and for errors.py."""
    path = Path(file)
    return (
        path.relative_to(PACKAGE).as_posix() if PACKAGE in path.parents and path.name != "errors.py" else ""
    )


@cache
def _expects_a_message(test: Any) -> bool:
    """Whether a test looks as if it provokes an error, which saves most of the time."""
    return test is not None and any(word in inspect.getsource(test) for word in WORDS)


def _statement(frame: FrameType) -> str:
    return linecache.getline(frame.f_code.co_filename, frame.f_lineno).strip()


@cache
def sites() -> dict[Site, bool]:
    """Every call in the source that makes an error or warns, and whether its text is written there."""
    kinds = {name for name in vars(errors) if name.endswith("Error")} | {"warn"}
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in kinds:
                site = Site(path.relative_to(PACKAGE).as_posix(), node.lineno)
                found[site] = bool(node.args) and not isinstance(node.args[0], ast.Name)
    return found


def show(examples: dict[Site, Example]) -> None:
    package = None
    for site, example in sorted(examples.items(), key=lambda each: (each[0].path, each[0].line)):
        if package != (package := site.path.rpartition("/")[0] or "concordant"):
            print(f"\n== {package} ==")
        print(f"\n{site}  {example.test}\n    {example.source}\n{example.message}".replace("\0", "\\0"))
    reached = {(site.path, site.line) for site in examples}
    missed = [site for site in sites() if (site.path, site.line) not in reached]
    print(f"\n{len(examples)} messages; no test reached these {len(missed)} places:")
    print(*missed, sep="\n")


def main() -> int:
    recorder = Recorder()
    os.chdir(ROOT)
    status = pytest.main([*QUICK, *sys.argv[1:]], plugins=[recorder])
    show(recorder.examples)
    return int(status)


if __name__ == "__main__":
    sys.exit(main())
