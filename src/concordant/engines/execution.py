"""Long queries that can be watched and stopped.

DuckDB does not look for Ctrl-C while it works. So the work is done in a thread of its own, and the one that
waits for it passes on an interruption, and how far the work is to whoever wants to know.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from threading import Event, Lock, Thread
from typing import Any, Generic, TypeVar

T = TypeVar("T")
Watcher = Callable[[float], None]  # called with how much of a query is done, in percent

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


def report(percent: float) -> None:
    """Tell whoever watches how much is done."""
    watcher = _watcher.get()
    if watcher is not None:
        watcher(percent)


def run(work: Callable[[], T], part: tuple[float, float] = (0.0, 100.0)) -> T:
    """What the work gives; inside of ``stoppable`` it stops when the caller is interrupted.

    ``part`` is from where to where it brings the whole, in percent.
    """
    connection = _connection.get()
    if connection is None:
        return work()
    outcome: _Outcome[T] = _Outcome()
    thread = Thread(target=outcome.of, args=(work,), name="concordant-query")
    try:
        thread.start()  # which waits as well, and may be interrupted
        begin, end = part
        while not outcome.done.wait(_PAUSE):
            if _watcher.get() is not None:
                report(begin + (end - begin) / 100 * max(0.0, connection.query_progress()))
    except BaseException:
        if outcome.call_off():
            _stop(outcome.done, connection)
        if thread.is_alive():
            thread.join()
        raise
    thread.join()
    return outcome.result()


class _Outcome(Generic[T]):
    """What some work gave, or the error that it raised."""

    def __init__(self) -> None:
        # Not Thread.join: Python 3.11 takes a thread for ended when the one that joins it is interrupted.
        self.done = Event()
        self._lock, self._has_begun, self._is_called_off = Lock(), False, False
        self._results: list[T] = []
        self._failures: list[BaseException] = []

    def of(self, work: Callable[[], T]) -> None:
        """Do the work, and keep what comes of it."""
        with self._lock:
            if self._is_called_off:
                return
            self._has_begun = True
        try:
            self._results.append(work())
        except BaseException as error:  # noqa: BLE001  (raised again by the one that waits)
            self._failures.append(error)
        finally:
            self.done.set()

    def call_off(self) -> bool:
        """Let nothing begin any more; whether the work has begun, and has to be waited for."""
        with self._lock:
            self._is_called_off = True
            return self._has_begun

    def result(self) -> T:
        """What the work gave; its error is raised here."""
        if self._failures:
            raise self._failures[0]
        return self._results[0]


def _stop(done: Event, connection: Any) -> None:
    """Again and again, as a query that is not yet there is not stopped; Ctrl-C once more changes nothing."""
    while True:
        try:
            connection.interrupt()
            if done.wait(_PAUSE):
                return
        except KeyboardInterrupt:
            continue
