"""A few rounds of each target of ``make fuzz``, on the core that is installed; and what it has found."""

import ctypes
import random

import numpy as np
import pytest
from cases import every_case
from fuzzing.lying_arrows import lies
from fuzzing.targets import TARGETS

import concordant as cc
from concordant import core
from concordant.errors import LabelError


@every_case("target", TARGETS, ids=lambda target: f"{target.__module__}.{target.__name__}")
@pytest.mark.filterwarnings("ignore:no label equals")
def test_random_and_hostile_input_is_answered_as_by_the_oracle_or_refused(target):
    for seed in range(6):
        target(random.Random(f"{target.__name__}/{seed}"))


def test_arrow_arrays_that_are_not_as_the_interface_says_are_refused():
    for make in lies(random.Random(0)):
        with pytest.raises(LabelError, match="Arrow interface"):
            cc.compare(make(), [0, 1, 2])


def test_arrays_of_ctypes_which_export_no_strides_are_read():
    labels = (ctypes.c_int64 * 4)(0, 0, 1, 1)
    assert core.factorize(labels)[0].tolist() == [0, 0, 1, 1]
    assert core.grouped(labels)[0].tolist() == [0, 1, 2, 3]


def test_errors_of_the_core_stay_its_own_where_another_library_translates_exceptions():
    pytest.importorskip("duckdb")  # turns std::bad_alloc into an exception of its own
    with pytest.raises(MemoryError):
        core.grouped(np.array([2**61]))


def test_a_blank_line_that_is_cut_between_its_ends_is_no_part_of_the_header():
    text = core.DelimitedText(",")
    for piece in (b"\r", b"\n", b"id,label\r\n", b"1,a\r\n"):
        text.feed(piece)
    text.finish()
    assert (text.header, text.leading_blanks, text.rows) == (b"id,label\r\n", 1, 2)
