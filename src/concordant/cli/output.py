"""The answer of a command: as text, JSON and a page, on a terminal, in a pipe, or in a file.

A file is never half-written. An answer may also have to pass gates, or the exit status is 1.
"""

from __future__ import annotations

import csv
import glob
import json
import os
import re
import shutil
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from io import StringIO, TextIOWrapper
from itertools import combinations
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, cast

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

from concordant.cli.exit_status import LimitMissed
from concordant.cli.gates import Gate
from concordant.cli.pull_request_comments import comment
from concordant.errors import FileError, ParameterError
from concordant.foundation.results import Result, as_json
from concordant.foundation.text_layout import folded, line_width
from concordant.indices.values import IndexForms
from concordant.sources.execution import share, watched
from concordant.sources.formats import format_by_name
from concordant.sources.judged_pairs import spreadsheet_cell
from concordant.sources.writing import check_table_format, writable_place, write_whole

# What is printed beside a result: another one, or several by name.
Beside = Result | Mapping[str, Result]

PATIENCE = 2.0  # seconds until progress is shown

_STANDARD = "-"  # standard output, as --output calls it
PAGE_WIDTH = 100
WORST = 3  # changes in a comment


@dataclass(frozen=True, kw_only=True)
class Output:
    """The options for the content and destination of the output."""

    as_json: Annotated[bool, typer.Option("--json", help="Print JSON with full precision.")] = False
    to: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Write there: .json, .md, .tex, .csv, .tsv or text.",
        ),
    ] = None
    as_markdown: Annotated[
        bool, typer.Option("--markdown", help="Print a comment for a pull request, also to FILE.md.")
    ] = False
    html: Annotated[Path | None, typer.Option("--html", metavar="FILE", help="Also write an HTML page.")] = (
        None
    )

    @property
    def is_file(self) -> bool:
        """Whether the answer is written to a file."""
        return self.to is not None and str(self.to) != _STANDARD

    @property
    def ending(self) -> str:
        """The ending of the file that the answer is written to."""
        return self.to.suffix.casefold() if self.to is not None and self.is_file else ""

    def check(self, read: Sequence[str | None], **others: Path | None) -> None:
        """Refuse, before anything is read, paths that cannot be written, or that are read.

        ``others`` are further files to write, by their options. Standard input can be read only once.
        """
        paths = [path for path in read if path is not None]
        if paths.count("-") > 1:
            raise ParameterError("standard input (-) can be read only once; give the others as files")
        if self.html is not None and str(self.html) == _STANDARD:
            raise ParameterError(
                "a page cannot be written to standard output; name a file", given={"html": self.html}
            )
        if self.as_markdown and (self.as_json or self.ending not in ("", ".md", ".txt")):
            raise ParameterError("a comment is text, or a file that ends with .md", given={"markdown": True})
        kind = format_by_name(str(self.to)) if self.is_file and not self.as_json else None
        if kind is not None and kind.separator is None and self.ending != ".json":
            raise ParameterError(
                "this is written as text, .json, .md, .tex, .csv or .tsv; change the ending",
                given={"to": self.to},
            )
        written = {"output": self.to} if self.to is not None and self.is_file else {}
        written |= {
            option: path for option, path in {"html": self.html, **others}.items() if path is not None
        }
        found = [(path, Path(each)) for path in paths for each in (glob.glob(path, recursive=True) or [path])]  # noqa: PTH207  (the pattern may be absolute)
        for option, path in written.items():
            writable_place(path)
            if option == "labels":
                check_table_format(path)
            for given, file in found:
                if given != "-" and _is_same(path, file):
                    raise ParameterError(
                        f"this is {given}, an input; write to another file", given={option: path}
                    )
        for (first, one), (second, other) in combinations(written.items(), 2):
            if _is_same(one, other):
                raise ParameterError(
                    f"--{first} writes to the same file; name another one", given={second: other}
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
    parts: Mapping[str, Beside] = MappingProxyType({}),
    indices: Sequence[str] | None = None,
    text: Callable[[], RenderableType] | None = None,
    page: Callable[..., object] | None = None,
    note: str = "",
    gates: Sequence[Gate] = (),
    gated: Sequence[Result] = (),
    worst: Callable[[int], Sequence[Any]] | None = None,
) -> None:
    """Print a result as text, a comment or JSON, write its page, and exit with 1 if it misses a limit.

    ``parts`` are other results that were asked for with it, and ``indices`` the only ones to show. The text
    is that of the results unless a function for it is given; a string is folded to the width of the terminal.
    Gates are for ``gated`` if that is not the result alone. A ``note`` and the missed limits are written to
    standard error. ``worst`` gives the few worst changes, for a comment.
    """
    with progress("writing"):
        judged = [*(gated or [result]), *_each(parts)]
        checked = [(gate, gate.missed(judged)) for gate in gates]
        written: str | None
        if out.as_markdown:
            few = None if worst is None else worst(WORST)
            others = {name: list(_each({name: part})) for name, part in parts.items()}
            table = _form(result, "to_markdown", indices)
            written = comment(result, table, worst=few, parts=others, gates=checked)
        else:
            written = _by_suffix(result, out, parts, indices)
        shown: RenderableType
        if written is not None:
            shown = written
        else:
            shown = "\n\n".join(map(str, [result, *_each(parts)])) if text is None else text()
            shown = prose(shown) if isinstance(shown, str) else shown
    if out.html is not None and page is not None:
        with progress("drawing"):
            page(out.html)
    out.deliver(shown)
    if note:
        typer.echo(note, err=True)
    if missed := [problem for _, problems in checked for problem in problems]:
        typer.echo("\n".join(f"concordant: {problem}" for problem in missed), err=True)
        raise LimitMissed


_NUMBER = re.compile(r"[+-]?\d+(\.\d+)?")


def _delimited(rows: Iterable[Sequence[Any]], separator: str) -> str:
    text = StringIO()
    table = csv.writer(text, lineterminator="\n", delimiter=separator)
    table.writerows([spreadsheet_cell(value, unless=_NUMBER) for value in row] for row in rows)
    return text.getvalue()


def _each(parts: Mapping[str, Beside]) -> Iterator[Result]:
    """The results of all parts."""
    for part in parts.values():
        yield from [part] if isinstance(part, Result) else part.values()


def _by_suffix(
    result: Result, out: Output, parts: Mapping[str, Beside], indices: Sequence[str] | None
) -> str | None:
    """The answer in the format of the options or of the file's ending; None for text."""
    if out.as_json or out.ending == ".json":
        document = _form(result, "to_json", indices)
        if parts:
            more = {
                name: part.to_dict()
                if isinstance(part, Result)
                else {key: x.to_dict() for key, x in part.items()}
                for name, part in parts.items()
            }
            document = as_json(json.loads(document) | {"parts": more})
        return f"{document}\n"
    if out.ending in (".md", ".tex"):
        return f"{_form(result, 'to_markdown' if out.ending == '.md' else 'to_latex', indices)}\n"
    if out.ending in (".csv", ".tsv"):
        shown = result if indices is None else cast(IndexForms, result)._restricted(indices)
        table = shown._frame_columns()
        return _delimited(
            [[*table], *zip(*table.values(), strict=True)], "," if out.ending == ".csv" else "\t"
        )
    return None


def _form(result: Result, form: str, indices: Sequence[str] | None) -> Any:
    """A result in one of its forms, with these indices alone."""
    return getattr(result, form)(**({} if indices is None else {"indices": indices}))


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
