"""The answer of a command: as text, JSON and a page, on a terminal, in a pipe, or in a file.

A file is never half-written. An answer may also have to pass gates, or the exit status is 1.
"""

from __future__ import annotations

import glob
import math
import os
import re
import shutil
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from io import StringIO, TextIOWrapper
from pathlib import Path
from typing import Annotated, Any, Literal

import typer
from rich.console import Console, RenderableType
from rich.progress import (
    BarColumn,
    Progress,
    SpinnerColumn,
    TextColumn,
    TimeElapsedColumn,
)
from rich.table import Table
from rich.text import Text

from concordant.cli.exits import LimitMissed
from concordant.errors import FileError, ParameterError
from concordant.results import Result, as_json
from concordant.sources.execution import share, watched
from concordant.sources.writing import writable_place, write_whole
from concordant.text_layout import folded, line_width

Gate = Callable[[Any], str | None]  # takes a result; returns the problem, or None

PATIENCE = 2.0  # seconds until progress is shown

_STANDARD = "-"  # standard output, as --output calls it
PAGE_WIDTH = 100


@dataclass(frozen=True, kw_only=True)
class Output:
    """The options for the content and destination of the output."""

    as_json: Annotated[
        bool, typer.Option("--json", help="Print JSON with full precision instead of a table.")
    ] = False
    to: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="FILE", help="Write to this file instead of printing; - prints."
        ),
    ] = None
    html: Annotated[Path | None, typer.Option("--html", metavar="FILE", help="Also write an HTML page.")] = (
        None
    )

    @property
    def is_file(self) -> bool:
        """Whether the answer is written to a file."""
        return self.to is not None and str(self.to) != _STANDARD

    def check(self, read: Sequence[str]) -> None:
        """Refuse, before anything is read, paths that cannot be written, or that are read.

        Standard input can be read only once.
        """
        if read.count("-") > 1:
            raise ParameterError("standard input (-) can be read only once; give the others as files")
        if self.html is not None and str(self.html) == _STANDARD:
            raise ParameterError(
                "a page cannot be written to standard output; name a file", given={"html": self.html}
            )
        written = {"output": self.to} if self.to is not None and self.is_file else {}
        written |= {} if self.html is None else {"html": self.html}
        found = [(path, Path(each)) for path in read for each in (glob.glob(path, recursive=True) or [path])]  # noqa: PTH207  (the pattern may be absolute)
        for option, path in written.items():
            writable_place(path)
            for given, file in found:
                if given != "-" and _is_same(path, file):
                    raise ParameterError(
                        f"this is {given}, an input; write to another file", given={option: path}
                    )
        if len(written) == 2 and _is_same(*written.values()):
            raise ParameterError(
                "--output writes to the same file; name another one", given={"html": self.html}
            )

    def deliver(self, answer: RenderableType) -> None:
        """Print an answer, or write it to a file: all of it or nothing. A string is written as it is."""
        if self.to is not None and self.is_file:
            write_whole(self.to, answer if isinstance(answer, str) else _as_text(answer, width()))
        elif isinstance(answer, str):
            write(answer)
        else:
            show(answer)


def answer(
    result: Result,
    out: Output,
    *,
    text: Callable[[], RenderableType] | None = None,
    document: Callable[[], Any] | None = None,
    page: Callable[..., object] | None = None,
    file: str | None = None,
    note: str = "",
    gates: Sequence[Gate] = (),
) -> None:
    """Print a result as text or as JSON, write its page, and exit with 1 if it misses a limit.

    Text and JSON are those of the result, unless functions for them are given. The text is folded to the
    width of the terminal if it is a string. If --output gets the content of a ``file`` instead, the text is
    printed beside it. A ``note`` and the limits that were missed are written to standard error.
    """
    with progress("writing"):
        shown: RenderableType
        if out.as_json:
            shown = as_json(result.to_dict() if document is None else document()) + "\n"
        else:
            shown = str(result) if text is None else text()
            shown = prose(shown) if isinstance(shown, str) else shown
        missed = [problem for problem in (gate(result) for gate in gates) if problem]
    if out.html is not None and page is not None:
        with progress("drawing"):
            page(out.html)
    if file is None:
        out.deliver(shown)
    else:
        out.deliver(file)
        if out.is_file:
            show(shown)
        else:
            note = prose(str(shown)).plain
    if note:
        typer.echo(note, err=True)
    if missed:
        typer.echo("\n".join(f"concordant: {problem}" for problem in missed), err=True)
        raise LimitMissed


def gate(text: str, side: Literal["under", "over"], index_of: Callable[[str], Any]) -> Gate:
    """A check of --fail-under or --fail-over; it returns the problem, if any. NaN never passes."""
    name, _, number = text.rpartition("=")
    try:
        limit = float(number)
    except ValueError:
        limit = math.nan
    if not name or math.isnan(limit):
        raise ParameterError(f"--fail-{side} {text!r}: write it like --fail-{side} NAME=0.95")
    index = index_of(name)
    best = index.range[side == "under"]
    if isinstance(best, (int, float)) and (limit > best if side == "under" else limit < best):
        raise ParameterError(
            f"--fail-{side} {text}: no comparison can pass: the range of {index.name} is {index.range_text}"
        )
    wrong = "distance" if side == "under" else "similarity"
    if index.direction == wrong:
        other, extent = ("over", "smaller") if side == "under" else ("under", "larger")
        raise ParameterError(
            f"--fail-{side} {text}: {name} is a {wrong}, so {extent} is better; use --fail-{other}"
        )

    def missed(result: Any) -> str | None:
        if not result.counts.size:
            return f"there is nothing to compare (n=0), so {index.name} cannot meet its limit"
        value = result[index.name]
        if value >= limit if side == "under" else value <= limit:
            return None
        return (
            f"{index.name} is {value!r}; it should be at {'least' if side == 'under' else 'most'} {limit!r}"
        )

    return missed


def _is_same(one: Path, other: Path) -> bool:
    """Whether two names lead to one file, by another spelling or a link; pipes and devices may be shared."""
    try:
        if one.exists() and other.exists():
            return one.is_file() and one.samefile(other)
    except (OSError, ValueError):
        return False  # opening the file will raise the error
    return os.path.realpath(one) == os.path.realpath(other)


def show(renderable: RenderableType, *, page: bool = False) -> None:
    """Print to standard output, coloured on a terminal only. A ``page`` of prose is folded everywhere."""
    colours = Console().is_terminal and not os.environ.get("NO_COLOR")
    write(_as_text(renderable, min(width(), PAGE_WIDTH) if page else width(), colours=colours))


def width() -> int:
    """How many cells a line may have: those of the terminal, or of COLUMNS; 80 in a pipe or a file."""
    return shutil.get_terminal_size().columns


def prose(text: str) -> Text:
    """Text whose lines are folded to the width of the terminal, between words. Tables fit already."""
    return Text(folded(text, line_width()))


def columns(count: int) -> Table:
    """An empty table of this many columns, without a frame."""
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    for _ in range(count):
        table.add_column()
    return table


def _as_text(renderable: RenderableType, columns: int, *, colours: bool = False) -> str:
    """The lines that would be printed."""
    lines = StringIO()
    console = Console(
        file=lines,
        width=columns,
        force_terminal=colours,
        color_system="auto" if colours else None,
        markup=False,
        emoji=False,
        highlight=False,
    )
    console.print(renderable, soft_wrap=isinstance(renderable, Text))
    return re.sub(r" +$", "", lines.getvalue(), flags=re.MULTILINE)


def write(text: str) -> None:
    """Write to standard output. A reader that has seen enough (``| head``) is not an error."""
    if sys.stdout is None:  # closed by `>&-`
        raise FileError("cannot write to standard output: it is closed; --output writes to a file")
    try:
        if isinstance(sys.stdout, TextIOWrapper):
            sys.stdout.reconfigure(errors="replace")  # an encoding without ₁ or █ prints the rest
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        # The rest of the buffer is discarded; otherwise the interpreter would complain at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as error:
        raise FileError(f"cannot write to standard output: {error.strerror or error}") from None


@contextmanager
def progress(what: str) -> Iterator[Callable[[int, int], None]]:
    """Show ``what`` and its progress on standard error, until it is done.

    Nothing is written in the first two seconds, or if standard error is not a terminal.
    """
    console = Console(stderr=True)
    if sys.stderr is None or not console.is_terminal:
        yield lambda _done, _total: None
        return
    display = Progress(
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.fields[done]}"),
        TimeElapsedColumn(),
        console=console,
        transient=True,
    )
    task = display.add_task(what, total=None, done="")  # a percentage, as soon as one is known
    # A timer starts the display, because a long computation may never report its progress.
    timer = threading.Timer(PATIENCE, display.start)
    timer.daemon = True
    timer.start()

    def update(done: int, total: int) -> None:
        display.update(task, completed=done, total=total, done=f"{done / total:.0%}")

    def update_percent(percent: float) -> None:
        display.update(task, completed=percent, total=100, done=f"{percent:.0f}%")

    try:
        with watched(update_percent):  # the progress of DuckDB's queries
            yield update
    finally:
        timer.cancel()
        timer.join()
        display.stop()


def each_with_progress(ask: Callable[[str], Any], names: Sequence[str]) -> dict[str, Any]:
    """The answer for each name. Each takes an equal share of the progress that is shown."""
    answers = {}
    for number, name in enumerate(names):
        with share(number, len(names)):
            answers[name] = ask(name)
    return answers
