"""The command line: ``concordant compare``, ``matrix``, ``diff``, ``track``, ``coref`` and more.

    two_sides   the commands for two partitions
    many        the commands for more than two
    catalogue   the commands that list and explain indices
    advice      the advice on which index to report
    commands    all of them, with those of labelled samples, hierarchies, versions and mentions
    options     how a command is declared, and the options that several share
    inputs      the sides of a command, from the files and columns that its arguments name
    columns     the columns of a file, its header and separators
    files       small delimited text, and files that an engine reads
    gates       limits for the numbers of a result
    output      the answer of a command, and progress
    exit_status exit statuses, and options as errors spell them

Exit status: 0 done, 1 a limit of --fail-under or --fail-over was missed, 2 usage error or invalid
input, 70 an unexpected error, 130 interrupted, 143 terminated.
"""

from __future__ import annotations

import signal
import sys
import threading
import warnings
from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from typing import Any, NoReturn

from concordant.cli.exit_status import (
    BAD_USE,
    INTERRUPTED,
    LIMIT_MISSED,
    TERMINATED,
    UNEXPECTED,
    LimitMissed,
    as_option,
)
from concordant.errors import ConcordantError, MissingExtraError
from concordant.foundation import kinds

# The module of each command, as the others need not be imported. Help lists the commands in this order.
MODULES = {
    **dict.fromkeys(("indices", "explain", "cite"), "cli.catalogue"),
    **dict.fromkeys(("diff", "ask", "audit"), "versions.commands"),
    **kinds.joined("commands"),
    **dict.fromkeys(("matrix", "track", "consensus", "stability", "rank"), "cli.many"),
    "coref": "mentions.commands",
    **dict.fromkeys(("estimate", "sample-size"), "labelling.commands"),
    **dict.fromkeys(("compare", "suggest"), "cli.two_sides"),
}


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run a command; ``arguments`` are those of the process unless given. Always raises SystemExit."""
    if threading.current_thread() is threading.main_thread():  # other threads cannot set a handler
        # SIGTERM ends the process by an exception, which removes temporary folders.
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(TERMINATED))
    try:
        with warnings.catch_warnings():
            warnings.showwarning = partial(_show_warning, warnings.showwarning)
            from concordant.report.pages.page import made_by

            given = sys.argv[1:] if arguments is None else arguments
            app = _app(given)
            with made_by(given):
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


def _app(arguments: Sequence[str]) -> Any:
    """The application, with the command that is asked for, or with all of them."""
    name = next(iter(arguments), "")
    try:
        import_module(f"concordant.{MODULES.get(name, 'cli.commands')}")
        from concordant.cli.options import app
    except ModuleNotFoundError as error:
        missing = (error.name or "").partition(".")[0]
        if missing not in ("typer", "rich"):
            raise
        raise MissingExtraError(
            f"the command line needs {missing}, which is not installed; run: pip install 'concordant[cli]'"
        ) from None
    return app


def _show_warning(
    others: Callable[..., None], message: Warning | str, category: type[Warning], *where: Any
) -> None:
    """Show a warning of this library in one line, and warnings of other libraries as usual."""
    if category is not UserWarning:
        others(message, category, *where)
    elif sys.stderr is not None:
        sys.stderr.write(f"concordant: warning: {message}\n")
