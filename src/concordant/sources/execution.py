"""Long queries that can be watched and stopped.

DuckDB does not look for Ctrl-C while it works. So the work is done in a thread of its own, and the
waiting thread passes on interruptions and reports the progress.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from contextvars import ContextVar
from threading import Thread
from typing import Any, TypeVar

T = TypeVar("T")
Watcher = Callable[[float], None]  # called with how much of a query is done, in percent

_watcher: ContextVar[Watcher | None] = ContextVar("watcher", default=None)
_connection: ContextVar[Any] = ContextVar("connection", default=None)
_PAUSE = 0.1  # seconds between two checks of the progress


@contextmanager
def watched(watcher: Watcher) -> Iterator[None]:
    """Report the progress of every query that runs inside."""
    token = _watcher.set(watcher)
    try:
        yield
    finally:
        _watcher.reset(token)


@contextmanager
def stoppable(connection: Any) -> Iterator[None]:
    """Run the work of ``run`` on this DuckDB connection, so it can be stopped."""
    if _watcher.get() is not None:
        connection.execute("SET enable_progress_bar = true")
        connection.execute("SET enable_progress_bar_print = false")
    token = _connection.set(connection)
    try:
        yield
    finally:
        _connection.reset(token)


@contextmanager
def share(number: int, of: int) -> Iterator[None]:
    """Report the progress made inside as that of one of several equal parts, numbered from 0."""
    outer = _watcher.get()
    if outer is None:
        yield
        return
    with watched(lambda percent: outer((100 * number + percent) / of)):
        yield
        report(100)


def report(percent: float) -> None:
    """Report the progress."""
    watcher = _watcher.get()
    if watcher is not None:
        watcher(percent)


def run(work: Callable[[], T], part: tuple[float, float] = (0.0, 100.0)) -> T:
    """Run the work; inside ``stoppable`` it stops when the caller is interrupted.

    ``part`` is the progress of the whole before and after this work, in percent.
    """
    connection = _connection.get()
    if connection is None:
        return work()
    outcome: Future[T] = Future()  # can be cancelled only before the work begins
    thread = Thread(target=_do, args=(work, outcome), name="concordant-query")
    try:
        thread.start()  # waits for the thread to start, and may be interrupted
        begin, end = part
        # Not Thread.join: if it is interrupted, Python 3.11 considers the joined thread ended.
        while not _is_done(outcome):
            if _watcher.get() is not None:
                report(begin + (end - begin) / 100 * max(0.0, connection.query_progress()))
    except BaseException:
        if not outcome.cancel():
            _stop(outcome, connection)
        if thread.is_alive():
            thread.join()
        raise
    thread.join()
    return outcome.result()


def _do(work: Callable[[], T], outcome: Future[T]) -> None:
    """Do the work, unless it was cancelled, and keep its result or its error."""
    if not outcome.set_running_or_notify_cancel():
        return
    try:
        outcome.set_result(work())
    except BaseException as error:  # noqa: BLE001  (raised again by the one that waits)
        outcome.set_exception(error)


def _is_done(outcome: Future[T]) -> bool:
    """Whether the work ends within a short time."""
    try:
        outcome.exception(_PAUSE)  # returns the error of the work; raises only TimeoutError
    except TimeoutError:
        return False
    return True


def _stop(outcome: Future[T], connection: Any) -> None:
    """Interrupt repeatedly, since the query may not have started yet; another Ctrl-C changes nothing."""
    while True:
        try:
            connection.interrupt()
            if _is_done(outcome):
                return
        except KeyboardInterrupt:
            continue
