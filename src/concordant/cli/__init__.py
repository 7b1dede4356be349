"""The command line: ``concordant compare``, ``matrix``, ``contrast``, ``track``, ``coref`` and more.

    commands    what each command does
    many        the commands for more than two partitions
    consensus   the command that finds the partition nearest to many
    options     what it takes
    inputs      which files, and what of them, the options mean
    columns     which column of a file holds what
    headers     whether the first line of a text names its columns
    text        reads small delimited text
    sources     lets an engine read what is large, or not delimited text
    spark       reads files by a session of Spark
    separators  what stands between the fields of a text
    trust       how sure it is
    limits      what a comparison must hold
    pages       what a command shows
    output      where it goes
    progress    says how far it is, where that takes a while

Exit status: 0 done, 1 a limit of --fail-under or --fail-over was missed, 2 bad use, 130 interrupted,
143 terminated.
"""

from __future__ import annotations

import shlex
import signal
import sys
import threading
from collections.abc import Sequence
from typing import Any, NoReturn

from concordant.errors import ConcordantError

BAD_USE = 2
INTERRUPTED = 130
TERMINATED = 143


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run a command; ``arguments`` are those of the process unless given. Always raises SystemExit."""
    _leave_tidily_when_terminated()
    try:
        from concordant.cli.commands import app

        app(args=arguments, prog_name="concordant")
    except ConcordantError as error:
        if sys.stderr is not None:
            sys.stderr.write(f"concordant: {_text(error)}\n")
        sys.exit(BAD_USE)
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    sys.exit(0)


def _leave_tidily_when_terminated() -> None:
    """SIGTERM ends the process as an exception, so that temporary folders are removed on the way out."""

    def leave(*_: object) -> NoReturn:
        sys.exit(TERMINATED)

    if threading.current_thread() is threading.main_thread():  # no other may set a handler
        signal.signal(signal.SIGTERM, leave)


def _text(error: ConcordantError) -> str:
    """What an error says, in the spelling of the command line; notes say in which files."""
    notes = "".join(f" ({note})" for note in getattr(error, "__notes__", ()))
    return error.said(as_option) + notes


def as_option(option: str, value: Any) -> str:
    """An option as one writes it on the command line.

    >>> as_option("noise_as", "drop"), as_option("noise", ""), as_option("header", False)
    ('--noise-as drop', "--noise ''", '--no-header')
    """
    name = option.replace("_", "-")
    if isinstance(value, bool):
        return f"--{name}" if value else f"--no-{name}"
    return f"--{name} {'...' if value is ... else shlex.quote(str(value))}"
