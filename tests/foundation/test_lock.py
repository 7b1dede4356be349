"""What several threads may do at a time: edit and read one live comparison, and add batches to it."""

from __future__ import annotations

import copy
import pickle
import sys
from collections.abc import Callable, Iterator
from threading import Barrier, Thread
from typing import Any

import numpy as np
import pytest

import concordant as cc
from concordant.errors import InputError

THREADS = 6


@pytest.fixture(autouse=True)
def _threads_take_turns_often() -> Iterator[None]:
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def at_the_same_time(work: Callable[[int], Any]) -> list[Any]:
    """What each thread gives, by its number; the exception where it raises one."""
    results: list[Any] = [None] * THREADS
    start = Barrier(THREADS)

    def run(number: int) -> None:
        start.wait()
        try:
            results[number] = work(number)
        except Exception as error:  # noqa: BLE001  (shown by the test that asked for it)
            results[number] = error

    threads = [Thread(target=run, args=(number,)) for number in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


def labels(size: int = 300) -> tuple[Any, Any]:
    rng = np.random.default_rng(2)
    return rng.integers(0, 9, size), rng.integers(0, 7, size)


def edit_and_read(live: cc.Live, number: int) -> None:
    """Many edits of records that no other thread edits, and values between them."""
    rng = np.random.default_rng(number)
    own = range(number, 300, THREADS)
    for step in range(60):
        record = int(rng.choice(own))
        to, name = int(rng.integers(0, 7)), (number, step)
        if live.where(record)[1] != to:
            live.move(record, to)
        live.add(int(rng.integers(0, 9)), to, record=name)
        live.split([name], to=f"{number}/{step}")
        live.merge(to, f"{number}/{step}")
        if step % 2:
            live.remove(name)
        values = live.to_dict(indices=["precision", "recall", "f_measure", "purity", "nmi_max"])
        p, r = values["precision"], values["recall"]
        assert values["f_measure"] == pytest.approx(2 * p * r / (p + r))  # all of one moment


def test_edits_and_reads_of_several_threads_leave_what_a_new_comparison_counts() -> None:
    live = cc.compare(*labels()).live()
    assert at_the_same_time(lambda number: edit_and_read(live, number)) == [None] * THREADS
    now = live.compare()
    records = list(now.records(limit=None))
    counted = cc.compare([each.reference for each in records], [each.candidate for each in records])
    assert (live.size, live.pairs) == (len(records), counted.pairs)
    assert live._counts.row_sizes == counted._counts.row_sizes
    assert live._counts.column_sizes == counted._counts.column_sizes
    assert live.to_dict() == pytest.approx(counted.to_dict(), abs=1e-10, nan_ok=True)


def test_the_lock_makes_several_calls_one() -> None:
    live = cc.compare(["a", "a", "b", "b"], [1, 1, 2, 2]).live()

    def there_and_back(number: int) -> list[float]:
        seen = []
        for _ in range(100):
            if number % 2:
                with live.lock:
                    live.move(0, 2).move(0, 1)
            else:
                seen.append(live.jaccard)
        return seen

    assert {value for seen in at_the_same_time(there_and_back) for value in seen} == {1.0}


@pytest.mark.parametrize("edited", [False, True])
def test_a_comparison_is_read_by_several_threads(edited: bool) -> None:
    c = cc.compare(*labels())
    c = c.what_if(move={0: 3}, merge=[1, 2]) if edited else c
    alone = pickle.loads(pickle.dumps(c)).to_dict()
    assert at_the_same_time(lambda _: c.to_dict()) == [alone] * THREADS


def test_a_partition_is_compared_by_several_threads() -> None:
    u, v = labels()
    shared = cc.Partition.from_labels(u, noise=0, noise_as="singletons")
    found = at_the_same_time(lambda number: cc.compare(shared, v if number % 2 else u).adjusted_rand)
    assert found == [cc.compare(shared, v if number % 2 else u).adjusted_rand for number in range(THREADS)]


def test_batches_of_several_threads_are_all_counted() -> None:
    u, v = labels(3000)
    cells, other = cc.Live(), cc.Live().add(u, v)

    def count(number: int) -> None:
        for begin in range(number * 10, 3000, THREADS * 10):
            cells.add(u[begin : begin + 10], v[begin : begin + 10])
            assert cells.size
        cells.extend(other)

    assert at_the_same_time(count) == [None] * THREADS
    whole = [np.tile(side, THREADS + 1) for side in (u, v)]
    assert cells.size == len(whole[0])
    assert cells.compare().pairs == cc.compare(*whole).pairs


def test_two_that_extend_each_other_do_not_wait_for_ever() -> None:
    one, two = (cc.Live().add([0, 1], [0, 0]) for _ in range(2))
    pairs = [(one, two), (two, one)]
    at_the_same_time(lambda number: [pairs[number % 2][0].extend(pairs[number % 2][1])])
    assert one.size + two.size > 4


def test_one_thread_makes_an_edit_that_several_were_given() -> None:
    suggestions = cc.compare(*labels()).suggest()
    made = at_the_same_time(lambda _: suggestions.apply().made)
    assert made.count(1) == 1
    assert sum(isinstance(each, InputError) for each in made) == THREADS - 1


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda each: pickle.loads(pickle.dumps(each))])
def test_copies_have_their_own_lock(copied: Any) -> None:
    live, cells = cc.compare([0, 0, 1], [0, 1, 1]).live(), cc.Live().add([0], [1])
    with live.lock, cells.lock:
        other = copied(live).move(1, 0)
        assert at_the_same_time(lambda _: other.jaccard) == [1.0] * THREADS
        assert copied(cells).add([0], [1]).size == 2
    assert live.jaccard == 0.0
