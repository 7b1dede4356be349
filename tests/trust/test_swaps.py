"""Swaps of whole units: every index of all mixtures, and those in which the formula is 0/0 or perfect."""

import itertools
import sys

import numpy as np
import pytest
from cases import every_case
from inner import INDICES, MixedCounts, PairedCounts, _is_of_sums, _values, swap_p

import concordant as cc

OF_SUMS = [index.name for index in INDICES.values() if _is_of_sums(index)]


def paired_documents(number, truth, one, other, unit):
    c, d = cc.compare(truth, one), cc.compare(truth, other)
    paired = PairedCounts.of(c._counted, d._counted, unit)
    pieces = paired.pieces(unit)
    assert pieces.count == number
    return paired.profiles, paired.in_tables(pieces)


def documents(number, size=9, seed=0):
    random = np.random.default_rng(seed)
    unit = np.repeat(np.arange(number), size)
    truth = unit * 4 + random.integers(0, 4, len(unit))
    one, other = (
        np.where(random.random(len(unit)) < 0.7, truth, unit * 4 + random.integers(0, 4, len(unit)))
        for _ in range(2)
    )
    return truth, one, other, unit


def mixtures(name, truth, one, other, unit):
    """The index of each choice of a system for each unit, compared again."""
    number = unit.max() + 1
    for chosen in itertools.product((False, True), repeat=number):
        mixed = np.where(np.array(chosen)[unit], other, one)
        yield INDICES[name].value(cc.compare(truth, mixed)._counts)


@every_case("name", OF_SUMS)
def test_every_mixture_is_comparing_again(name):
    data = documents(4)
    mixed = MixedCounts(*paired_documents(4, *data))
    assert mixed.units == 4
    choices = np.array(list(itertools.product((False, True), repeat=4)))
    found = _values(mixed, INDICES[name], choices)
    np.testing.assert_allclose(found, list(mixtures(name, *data)), rtol=1e-11, atol=1e-13)


@pytest.mark.parametrize(
    "name", ["f_measure", "precision", "adjusted_rand", "muc_f1", "bcubed_f", "frobenius"]
)
def test_perfect_and_undefined_mixtures(name):
    """One system is right, or all singletons, in each unit: some mixtures are perfect, and some 0/0."""
    truth = np.array([0, 0, 1, 2, 2, 3])
    right, singletons = truth.copy(), np.arange(6) + 10
    unit = np.array([0, 0, 0, 1, 1, 1])
    mixed = MixedCounts(*paired_documents(2, truth, right, singletons, unit))
    choices = np.array(list(itertools.product((False, True), repeat=2)))
    found = _values(mixed, INDICES[name], choices)
    np.testing.assert_allclose(found, list(mixtures(name, truth, right, singletons, unit)), atol=1e-15)
    assert found[0] == INDICES[name].perfect


def test_units_that_do_not_change_the_index_are_not_counted():
    """In the second unit both systems have as many pairs, but clusters of other sizes on the other side."""
    truth = np.array([0, 0, 0, 0, 1, 1, 1, 1])
    one = np.array([0, 0, 1, 2, 3, 3, 4, 4])
    other = np.array([0, 0, 0, 0, 3, 4, 3, 4])
    unit = np.repeat([0, 1], 4)
    profiles, units = paired_documents(2, truth, one, other, unit)
    assert swap_p(profiles, units, INDICES["f_measure"], 99, 0) == (1.0, 2, True)


def test_the_p_value_of_equal_systems():
    truth, one, _, unit = documents(5)
    profiles, units = paired_documents(5, truth, one, one.copy(), unit)
    assert swap_p(profiles, units, INDICES["bcubed_f"], 99, 0) == (1.0, 1, True)


def test_random_swaps_approach_all_swaps():
    """Recall is a mean over records, so a unit adds to the difference or takes off what it has alone."""
    truth, one, other, unit = documents(18, size=15, seed=3)
    alone = []
    for k in range(18):
        in_unit = unit == k
        values = [cc.compare(truth[in_unit], x[in_unit])["bcubed_recall"] for x in (one, other)]
        alone.append(values[0] - values[1])
    assert np.count_nonzero(alone) > 16
    signs = np.array(list(itertools.product((-1, 1), repeat=17)))
    sums = np.abs(signs @ np.array(alone[1:]) + alone[0])
    p, swaps, is_exact = swap_p(
        *paired_documents(18, truth, one, other, unit), INDICES["bcubed_recall"], 9999, 0
    )
    assert (swaps, is_exact) == (9999, False)
    assert p == pytest.approx(np.mean(sums >= abs(sum(alone)) - 1e-9), abs=0.02)


def python_calls(work):
    """The number of calls of Python functions in some work: a measure of time that no machine changes."""
    calls = 0

    def count(_, event, __):
        nonlocal calls
        calls += event == "call"

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(before)
    return calls


def swap_calls(number, swaps):
    profiles, units = paired_documents(number, *documents(number))
    return python_calls(lambda: swap_p(profiles, units, INDICES["bcubed_f"], swaps, 0))


def test_swaps_are_not_computed_one_by_one():
    assert swap_calls(16, 9999) < 2**16 / 2


def test_calls_grow_with_the_units_and_not_with_random_swaps():
    swap_calls(20, 99)  # the first call imports
    once, more_swaps, more_units = swap_calls(100, 9_999), swap_calls(100, 39_999), swap_calls(200, 9_999)
    assert more_swaps - once < 30_000 / 10
    assert more_units < 3 * once
