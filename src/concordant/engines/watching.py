"""Long queries that can be watched and stopped.

DuckDB does not look for Ctrl-C while it works. So the work is done in a thread of its own, and the one that
waits for it passes on an interruption, and how far the work is to whoever wants to know.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from threading import Thread
from typing import Any, TypeVar

Result = TypeVar("Result")
Watcher = Callable[[float], None]  # told how much of a query is done, in percent

_watcher: ContextVar[Watcher | None] = ContextVar("watcher", default=None)
_PAUSE = 0.1  # seconds between two looks at the progress


@contextmanager
def watched(watcher: Watcher | None) -> Iterator[None]:
    """Tell the watcher of the progress of every query that runs inside."""
    token = _watcher.set(watcher)
    try:
        yield
    finally:
        _watcher.reset(token)


def run(connection: Any, work: Callable[[], Result]) -> Result:
    """What the work on this connection gives; it stops when the caller is interrupted."""
    results: list[Result] = []
    failures: list[BaseException] = []

    def do() -> None:
        try:
            results.append(work())
        except BaseException as error:  # noqa: BLE001  (raised again by the one that waits)
            failures.append(error)

    thread = Thread(target=do, name="concordant-query")
    thread.start()
    try:
        _wait(thread, connection)
    except BaseException:
        connection.interrupt()
        thread.join()
        raise
    if failures:
        raise failures[0]
    return results[0]


def _wait(thread: Thread, connection: Any) -> None:
    watcher = _watcher.get()
    while thread.is_alive():
        thread.join(_PAUSE)
        if watcher is not None and thread.is_alive():
            watcher(max(0.0, connection.query_progress()))


def can_be_watched(connection: Any) -> None:
    """Let the connection count how far it is, without printing it."""
    connection.execute("SET enable_progress_bar = true")
    connection.execute("SET enable_progress_bar_print = false")
