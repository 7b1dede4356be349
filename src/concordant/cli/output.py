"""Where a command's answer goes: a terminal, a pipe, or a file that is never half-written."""

from __future__ import annotations

import contextlib
import glob
import os
import re
import sys
from collections.abc import Iterator, Sequence
from io import StringIO, TextIOWrapper
from pathlib import Path

from rich.console import Console, RenderableType
from rich.text import Text

from concordant.errors import FileError, ParameterError
from concordant.partitions.whole_file import writable_place, write_whole

STANDARD = "-"  # standard output, as --output calls it

_PAGE_WIDTH = 100
_UNFOLDED = 1000  # a line that goes to another program stays one line


def check_places(read: Sequence[str], to: Path | None, html: Path | None) -> None:
    """Refuse, before anything is read, places where nothing can be written, or where something is read."""
    if html is not None and str(html) == STANDARD:
        raise ParameterError("a page is written to a file", given={"html": html})
    written = {
        option: path for option, path in (("output", to), ("html", html)) if path and str(path) != STANDARD
    }
    found = [(path, Path(each)) for path in read for each in (glob.glob(path, recursive=True) or [path])]  # noqa: PTH207  (the pattern may be absolute)
    for option, path in written.items():
        writable_place(path)
        for given, file in found:
            if given != "-" and _is_same(path, file):
                raise ParameterError(
                    f"this is {given}, which is read; write to another file", given={option: path}
                )
    if len(written) == len(("output", "html")) and _is_same(*written.values()):
        raise ParameterError("--output writes to the same file; name two", given={"html": html})


def _is_same(one: Path, other: Path) -> bool:
    """Whether two names lead to one file, by another spelling or a link; pipes and devices may be shared."""
    try:
        if one.exists() and other.exists():
            return one.is_file() and one.samefile(other)
    except (OSError, ValueError):
        return False  # whoever opens it says why it cannot
    return os.path.realpath(one) == os.path.realpath(other)


def show(renderable: RenderableType, *, page: bool = False) -> None:
    """Print to standard output, coloured on a terminal only. A ``page`` of prose is folded everywhere."""
    colours = Console().is_terminal and not os.environ.get("NO_COLOR")
    write(as_text(renderable, min(width(), _PAGE_WIDTH) if page else width(), colours=colours))


def width() -> int:
    """How many characters a line may have."""
    screen = Console()
    return screen.width if screen.is_terminal else _UNFOLDED


def as_text(renderable: RenderableType, columns: int = _UNFOLDED, *, colours: bool = False) -> str:
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
    """Write to standard output. That a reader has seen enough (``| head``) is not an error."""
    if sys.stdout is None:  # as `>&-` leaves it
        raise FileError("cannot write to standard output: it is closed; --output writes to a file")
    with _named("cannot write to standard output"):
        try:
            if isinstance(sys.stdout, TextIOWrapper):
                sys.stdout.reconfigure(errors="replace")  # an encoding without ₁ or █ prints the rest
            sys.stdout.write(text)
            sys.stdout.flush()
        except BrokenPipeError:
            # What is left in the buffer goes nowhere, or the interpreter would complain at exit.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def save(text: str, path: Path) -> None:
    """Write to a file: all of it or nothing."""
    write_whole(path, text)


def painted(table: str) -> Text:
    """A printed comparison with its headings bold and its bars in colour, for a terminal."""
    text = Text(table)
    text.highlight_regex(r"(?m)^\S.*$", "bold")
    text.highlight_regex(r"[█▏▎▍▌▋▊▉]+", "cyan")
    text.highlight_regex(r"·{2,}", "dim")
    return text


@contextlib.contextmanager
def _named(what: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise FileError(f"{what}: {error.strerror or error}") from None


def deliver(answer: RenderableType, to: Path | None) -> None:
    """Print an answer, or write it to a file; text goes out as it is."""
    if to is not None and str(to) != STANDARD:
        save(answer if isinstance(answer, str) else as_text(answer), to)
    elif isinstance(answer, str):
        write(answer)
    else:
        show(answer)
