"""The command line: ``concordant compare``, ``matrix``, ``contrast``, ``track``, ``coref`` and more.

    commands    the commands for two partitions
    many        the commands for more than two
    catalogue   the commands that list and explain indices
    choosing    the advice on which index to report
    mentions    the command for coreference, and its file formats
    options     how a command is declared, and the options that several share
    inputs      which files and columns the options name
    columns     the columns of a file, its header and separators
    text        small delimited text
    sources     files that an engine reads
    output      where an answer goes, and how progress is shown

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
    if threading.current_thread() is threading.main_thread():  # no other thread may set a handler
        # SIGTERM ends the process by an exception, which removes temporary folders.
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(TERMINATED))
    try:
        from concordant.cli.commands import app

        app(args=arguments, prog_name="concordant")
    except ConcordantError as error:
        if sys.stderr is not None:  # notes name the files
            notes = "".join(f" ({note})" for note in getattr(error, "__notes__", ()))
            sys.stderr.write(f"concordant: {error.said(as_option)}{notes}\n")
        sys.exit(BAD_USE)
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    sys.exit(0)


def as_option(option: str, value: Any) -> str:
    """An option as one writes it on the command line.

    >>> as_option("noise_as", "drop"), as_option("noise", ""), as_option("header", False)
    ('--noise-as drop', "--noise ''", '--no-header')
    """
    name = option.replace("_", "-")
    if isinstance(value, bool):
        return f"--{name}" if value else f"--no-{name}"
    return f"--{name} {'...' if value is ... else shlex.quote(str(value))}"
