"""The footer of a page: when, from which files and by which command it was made."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime

_COMMAND: ContextVar[tuple[str, ...]] = ContextVar("command", default=())


@contextmanager
def made_by(arguments: Sequence[str]) -> Iterator[None]:
    """Pages that are written inside name this command, with its files, in their footer."""
    token = _COMMAND.set(tuple(arguments))
    try:
        yield
    finally:
        _COMMAND.reset(token)


def provenance() -> str:
    """The footer of a page.

    The time is that of SOURCE_DATE_EPOCH, if it is set, so a build can be repeated byte by byte.

    >>> with made_by(["compare", "my truth.csv", "found.csv"]):
    ...     print(provenance().partition(" UTC ")[2])
    by: concordant compare 'my truth.csv' found.csv
    """
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    now = datetime.now(UTC) if epoch is None else datetime.fromtimestamp(int(epoch), UTC)
    when = f"Made {now:%Y-%m-%d %H:%M} UTC"
    command = _COMMAND.get()
    return (
        f"{when} by: {shlex.join(('concordant', *command))}"
        if command
        else f"{when} in Python, with concordant"
    )
