"""Long queries that can be watched and stopped.

DuckDB does not look for Ctrl-C while it works. So the work is done in a thread of its own, and the one that
waits for it passes on an interruption, and how far the work is to whoever wants to know.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from threading import Event, Thread
from typing import Any, TypeVar

Result = TypeVar("Result")
Watcher = Callable[[float], None]  # told how much of a query is done, in percent

_watcher: ContextVar[Watcher | None] = ContextVar("watcher", default=None)
_connection: ContextVar[Any] = ContextVar("connection", default=None)
_PAUSE = 0.1  # seconds between two looks at the progress


@contextmanager
def watched(watcher: Watcher) -> Iterator[None]:
    """Tell the watcher of the progress of every query that runs inside."""
    token = _watcher.set(watcher)
    try:
        yield
    finally:
        _watcher.reset(token)


@contextmanager
def stoppable(connection: Any) -> Iterator[None]:
    """Let what ``run`` does inside be done on this connection of DuckDB, so that it can be stopped."""
    if _watcher.get() is not None:
        connection.execute("SET enable_progress_bar = true")
        connection.execute("SET enable_progress_bar_print = false")
    token = _connection.set(connection)
    try:
        yield
    finally:
        _connection.reset(token)


def run(work: Callable[[], Result]) -> Result:
    """What the work gives; inside of ``stoppable`` it stops when the caller is interrupted."""
    connection = _connection.get()
    if connection is None:
        return work()
    results: list[Result] = []
    failures: list[BaseException] = []

    def do() -> None:
        try:
            results.append(work())
        except BaseException as error:  # noqa: BLE001  (raised again by the one that waits)
            failures.append(error)
        finally:
            done.set()

    done = Event()  # Python 3.11 takes a thread for ended when the one that joins it is interrupted
    thread = Thread(target=do, name="concordant-query")
    thread.start()
    try:
        _wait(done, connection)
    except BaseException:
        connection.interrupt()
        done.wait()
        raise
    finally:
        thread.join()
    if failures:
        raise failures[0]
    return results[0]


def _wait(done: Event, connection: Any) -> None:
    watcher = _watcher.get()
    while not done.wait(_PAUSE):
        if watcher is not None:
            watcher(max(0.0, connection.query_progress()))
