"""One comparison, asked by many threads at once: what is computed when it is asked for is the same to all."""

import random
import sys
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import numpy as np
import pytest
from inner import ContingencyLoader, Profile

import concordant as cc

THREADS = 8


@pytest.fixture(autouse=True)
def hasty():
    """Threads take turns as often as Python allows, so that they meet in the middle of things."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def by_all(ask):
    """What each of the threads gets, all of which begin together."""
    together = Barrier(THREADS)

    def each(number):
        together.wait()
        return ask(number)

    with ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(each, range(THREADS)))


def sides():
    draw = random.Random(5)
    reference = [draw.randrange(60) for _ in range(1500)]
    return reference, [label if draw.random() < 0.8 else draw.randrange(60) for label in reference]


def test_every_index_by_many_threads():
    expected = cc.compare(*sides()).to_dict()
    names = list(expected)
    shared = cc.compare(*sides())

    def ask(number):
        order = random.Random(number).sample(names, len(names))
        return {name: shared[name] for name in order}

    for got in by_all(ask):
        assert got == pytest.approx(expected, nan_ok=True, abs=0)


def test_counts_that_one_thread_makes_are_not_missing_for_another():
    known = cc.compare(*sides())._counts
    meanwhile = []

    def counting():
        if not meanwhile:
            meanwhile.append(None)
            with ThreadPoolExecutor(1) as pool:
                meanwhile.append(pool.submit(lambda: profile.rows).result())
        return np.array([known.n, known.a, known.b, known.count])

    profile = Profile.counted(counting, ContingencyLoader(lambda: known.table), known.size)
    assert profile.columns == known.columns
    assert meanwhile == [None, known.rows]


def test_lists_of_differences_by_many_threads():
    expected = cc.compare(*sides())
    shared = cc.compare(*sides())
    asked = (lambda c: list(c.changes()), lambda c: list(c.clusters()), lambda c: list(c.records(limit=60)))
    for got in by_all(lambda number: [ask(shared) for ask in asked[number % 3 :] + asked[: number % 3]]):
        for which in got:
            assert any(which == ask(expected) for ask in asked)


def test_labels_are_encoded_by_many_threads():
    reference, candidate = ([f"label {label}" for label in side] for side in sides())
    assert (
        len(
            {
                cc.adjusted_rand(reference, candidate),
                *by_all(lambda _: cc.adjusted_rand(reference, candidate)),
            }
        )
        == 1
    )
