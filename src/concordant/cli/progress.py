"""How far an engine is, on a terminal only. Spark shows its stages by itself."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from concordant.engines.watching import watched


@contextmanager
def shown() -> Iterator[None]:
    """Show the progress of the queries that run inside, on standard error, and take it away at the end."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield
        return
    bar = Progress(
        TextColumn("counting"),
        BarColumn(),
        TextColumn("{task.percentage:3.0f}%"),
        TimeElapsedColumn(),
        console=Console(stderr=True),
        transient=True,
    )
    task = bar.add_task("counting", total=100)

    def update(percent: float) -> None:
        bar.start()  # only now: what takes no time shows no bar
        bar.update(task, completed=percent)

    try:
        with watched(update):
            yield
    finally:
        bar.stop()
