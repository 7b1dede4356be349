"""Queries that can be watched and stopped."""

import threading

import duckdb
import pytest
from inner import execution

# Hours on any machine, so a query that ended was stopped.
LONG = "SELECT count(*) FROM range(10000000) a, range(1000000000) b WHERE hash(a.range, b.range) = 7"


@pytest.fixture
def connection():
    with duckdb.connect() as connection:
        yield connection


def test_a_query_is_watched_and_stopped(connection):
    seen = []

    def interrupt(percent):
        seen.append(percent)
        if len(seen) == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), execution.watched(interrupt), execution.stoppable(connection):
        execution.run(lambda: connection.execute(LONG).fetchall())
    assert all(0 <= percent <= 100 for percent in seen)
    assert "concordant-query" not in {thread.name for thread in threading.enumerate()}
    assert connection.execute("SELECT 1").fetchone() == (1,)


class Interrupted(threading.Thread):
    """A thread whose starter is interrupted while it waits for the start."""

    def start(self):
        super().start()
        raise KeyboardInterrupt


def test_ctrl_c_while_a_query_starts_stops_it_too(connection, monkeypatch):
    """It ran on, and the connection could not be closed: a file was said to be damaged."""
    monkeypatch.setattr(execution, "Thread", Interrupted)
    with pytest.raises(KeyboardInterrupt), execution.stoppable(connection):
        execution.run(lambda: connection.execute(LONG).fetchall())
    assert "concordant-query" not in {thread.name for thread in threading.enumerate()}
    assert connection.execute("SELECT 1").fetchone() == (1,)
