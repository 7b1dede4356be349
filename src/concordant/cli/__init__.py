"""The command line: ``concordant compare``, ``matrix``, ``contrast``, ``track``, ``coref`` and more.

    commands    the commands for two partitions
    many        the commands for more than two
    diffs       the commands for two runs: changes, and questions about them
    catalogue   the commands that list and explain indices
    choosing    the advice on which index to report
    mentions    the command for coreference, and its file formats
    options     how a command is declared, and the options that several share
    inputs      which files and columns the options name
    columns     the columns of a file, its header and separators
    text        small delimited text
    sources     files that an engine reads
    output      where an answer goes, and how progress is shown

Exit status: 0 done, 1 a limit of --fail-under or --fail-over was missed, 2 usage error or invalid
input, 70 an unexpected error, 130 interrupted, 143 terminated.
"""

from __future__ import annotations

import shlex
import signal
import sys
import threading
import warnings
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NoReturn

from concordant.errors import ConcordantError

LIMIT_MISSED = 1
BAD_USE = 2
UNEXPECTED = 70  # as in sysexits.h; Python's own status would mean a missed limit
INTERRUPTED = 130
TERMINATED = 143

# Options that may be repeated are named in the singular, and lists in Python in the plural.
OTHER_NAMES = {"kinds": "kind", "indices": "index"}


class LimitMissed(SystemExit):
    """A limit of --fail-under or --fail-over was missed; nothing else ends with this status."""

    def __init__(self) -> None:
        super().__init__(LIMIT_MISSED)


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run a command; ``arguments`` are those of the process unless given. Always raises SystemExit."""
    if threading.current_thread() is threading.main_thread():  # other threads cannot set a handler
        # SIGTERM ends the process by an exception, which removes temporary folders.
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(TERMINATED))
    try:
        with warnings.catch_warnings():
            warnings.showwarning = partial(_show_warning, warnings.showwarning)
            from concordant.cli.commands import app
            from concordant.report.provenance import made_by

            with made_by(sys.argv[1:] if arguments is None else arguments):
                app(args=arguments, prog_name="concordant")
    except ConcordantError as error:
        if sys.stderr is not None:  # notes name the files
            notes = "".join(f" ({note})" for note in getattr(error, "__notes__", ()))
            sys.stderr.write(f"concordant: {error.said(as_option)}{notes}\n")
        sys.exit(BAD_USE)
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    except LimitMissed:
        raise
    except SystemExit as ended:
        if ended.code == LIMIT_MISSED:  # Typer's status for other errors
            sys.exit(0 if isinstance(ended.__context__, BrokenPipeError) else UNEXPECTED)
        raise
    except Exception:  # noqa: BLE001  (reported in full, under a status of its own)
        sys.excepthook(*sys.exc_info())
        sys.exit(UNEXPECTED)
    sys.exit(0)


def _show_warning(
    others: Callable[..., None], message: Warning | str, category: type[Warning], *where: Any
) -> None:
    """Show a warning of this library in one line, and warnings of other libraries as usual."""
    if category is not UserWarning:
        others(message, category, *where)
    elif sys.stderr is not None:
        sys.stderr.write(f"concordant: warning: {message}\n")


def as_option(option: str, value: Any) -> str:
    """An option as one writes it on the command line.

    >>> as_option("noise_as", "drop"), as_option("noise", ""), as_option("header", False)
    ('--noise-as drop', "--noise ''", '--no-header')
    >>> as_option("reference_noise", {"0": "drop", "9": "cluster"})
    '--reference-noise 0=drop --reference-noise 9=cluster'
    >>> as_option("kinds", ["merge", "move"])
    '--kind merge --kind move'
    """
    name = OTHER_NAMES.get(option, option).replace("_", "-")
    if isinstance(value, Mapping):
        return " ".join(as_option(option, f"{key}={each}") for key, each in value.items())
    if isinstance(value, list | tuple):
        return " ".join(as_option(option, each) for each in value)
    if isinstance(value, bool):
        return f"--{name}" if value else f"--no-{name}"
    return f"--{name} {'...' if value is ... else shlex.quote(str(value))}"
