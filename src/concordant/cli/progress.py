"""Says on a terminal what is going on, once it takes longer than two seconds."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    SpinnerColumn,
    Task,
    TextColumn,
    TimeElapsedColumn,
)
from rich.text import Text

from concordant.engines.execution import watched

PATIENCE = 2.0  # seconds


class Done(Protocol):
    """Called with how many are done, and of how many."""

    def __call__(self, done: int, total: int, /) -> None: ...


@contextmanager
def shown(what: str) -> Iterator[Done]:
    """Shows ``what`` and how far it is on standard error, until it is done and gone.

    Nothing is written unless standard error is a terminal, nor before two seconds have passed.
    """
    console = Console(stderr=True)
    if sys.stderr is None or not console.is_terminal:
        yield lambda _done, _total: None
        return
    display = _display(console)
    task = display.add_task(what, total=None)
    # The display is started by a clock of its own, because what takes long may not say that it goes on.
    clock = threading.Timer(PATIENCE, display.start)
    clock.daemon = True
    clock.start()

    def update(done: float, total: int, *, percent: bool = False) -> None:
        display.update(task, completed=done, total=total, percent=percent)

    try:
        with watched(lambda percent: update(percent, 100, percent=True)):  # what DuckDB says of its queries
            yield update
    finally:
        clock.cancel()
        clock.join()
        display.stop()


class _Counted(MofNCompleteColumn):
    """How many are done, where it is known of how many."""

    def render(self, task: Task) -> Text:
        if task.total is None:
            return Text()
        return Text(f"{task.percentage:.0f}%") if task.fields.get("percent") else super().render(task)


def _display(console: Console) -> Progress:
    return Progress(
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        _Counted(),
        TimeElapsedColumn(),
        console=console,
        transient=True,
    )
