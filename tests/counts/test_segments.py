"""Segments of time: the limit of ever smaller records, gaps and overlaps, and what has no meaning."""

import math
import re
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pytest
from cases import every_case
from inner import INDICES, data_of

import concordant as cc
from concordant.errors import (
    InputError,
    LabelError,
    OverlapError,
    ParameterError,
    UnmatchedError,
    WeightsError,
)

TRUTH = [(0, 6, "a"), (6, 10, "b"), (10, 13, "a"), (13, 14, "c")]
RUN = [(0, 5, 1), (5, 9, 2), (9, 11, 3), (11, 14, 1)]
WEIGHTED = [each for index in INDICES.values() for each in (index, *index.samples) if "weights" in each.kinds]


def segments(rows, **options):
    return cc.Partition.from_segments(rows, **options)


def compared(truth, run, **options):
    return cc.compare(segments(truth), segments(run), **options)


def sampled(truth, run, steps):
    """The labels at equal steps, so many in a unit of time, each of which weighs as long as it lasts."""
    times = [Fraction(2 * i + 1, 2 * steps) for i in range(int(max(end for _, end, _ in truth) * steps))]
    sides = [
        [next(label for start, end, label in rows if start < time < end) for time in times]
        for rows in (truth, run)
    ]
    return cc.compare(*sides, weights=[Fraction(1, steps)] * len(times))


EXACT = compared(TRUTH, RUN)
COARSE, FINE = sampled(TRUTH, RUN, 20), sampled(TRUTH, RUN, 40)


@every_case("index", WEIGHTED, ids=lambda index: index.name)
def test_values_are_the_limit_of_samples(index):
    """The error of a sample falls with its step, so two of them tell the limit to the square of the step."""
    coarse, fine = index.value(COARSE._counts), index.value(FINE._counts)
    if index.no_limit:
        assert abs(fine - coarse) > 0.01  # it keeps on falling, with the logarithm
        with pytest.raises(WeightsError, match="any number of elements"):
            index.value(EXACT._counts)
        return
    limit = 2 * fine - coarse
    assert index.value(EXACT._counts) == pytest.approx(limit, rel=1e-3, abs=1e-3)
    assert abs(limit - coarse) >= abs(limit - fine)  # nearer from step to step


@every_case("index", WEIGHTED, ids=lambda index: index.name)
def test_cuts_where_nothing_changes_do_not_matter(index):
    cut = [(start, start + Fraction(1, 3), label) for start, _, label in TRUTH]
    cut += [(start + Fraction(1, 3), end, label) for start, end, label in TRUTH]
    if not index.no_limit:
        assert index.value(compared(cut, RUN)._counts) == index.value(EXACT._counts)


def test_pairs_of_few_segments_by_hand():
    c = compared([(0, 6, "a"), (6, 10, "b")], [(0, 5, 1), (5, 10, 2)])
    assert (c.pairs.n11, c.pairs.n10, c.pairs.n01, c.pairs.all) == (21, 5, 4, 50)
    assert c.exact("precision") == Fraction(21, 25)
    assert c.exact("bcubed_precision") == Fraction(1, 10) * (5 + Fraction(1, 5) + Fraction(16, 5))
    assert c.exact("matching_accuracy") == Fraction(9, 10)
    assert c.transfer_distance == 1.0
    assert cc.precision(segments(TRUTH), segments(RUN)) == EXACT.precision
    same = compared(TRUTH, TRUTH)
    assert (same.adjusted_rand, same.variation_of_information) == (1.0, 0.0)


def test_values_keep_within_their_range():
    """Clusters that agree as little as they can: halves, and one cluster against many."""
    halves = compared([(0, 2, "a"), (2, 4, "b")], [(0, 1, 1), (1, 3, 2), (3, 4, 1)])
    one = compared([(0, 9, "a")], [(i, i + 1, i) for i in range(9)])
    for index in WEIGHTED:
        for c in (halves, one):
            if not index.no_limit and not index.is_undefined(c._counts):
                low, high = index.bounds(c._counts)
                assert low <= index.value(c._counts) <= high
    assert (halves.mirkin, one.mirkin) == (8.0, 72.0)


def test_other_units_give_the_same_shares():
    milliseconds = compared(*([(1000 * a, 1000 * b, x) for a, b, x in rows] for rows in (TRUTH, RUN)))
    for index in WEIGHTED:
        if not index.no_limit and not index.degree:
            assert index.value(milliseconds._counts) == index.value(EXACT._counts)
    assert milliseconds.transfer_distance == 1000 * EXACT.transfer_distance


def test_times_are_as_they_are_written():
    kinds = [0.1, np.float32(0.5), Decimal("0.1"), Fraction(1, 10)]
    for time in kinds:
        side = segments([(0, time, "a"), (time, 0.7, "b")])
        assert sum(end - start for start, end, _ in data_of(side).segments) == Fraction(7, 10)
    nearly = [(0, 1, "a"), (1, 1 + Fraction(1, 10**9), "b"), (1 + Fraction(1, 10**9), 2, "c")]
    assert compared(nearly, nearly)._counts.total == 2


@pytest.mark.parametrize("library", [pd.DataFrame, pl.DataFrame, pl.LazyFrame])
def test_dataframes(library):
    frame = library({"from": [0.0, 6.5], "to": [6.5, 9.0], "speaker": ["a", "b"]})
    side = segments(frame, start="from", end="to", cluster="speaker")
    assert repr(side) == "<Partition of 2 segments, 2 clusters, 9 in all>"
    with pytest.raises(ParameterError, match=r"no column 'start'.*'speaker'.*start="):
        segments(frame)


# -- gaps and overlaps --------------------------------------------------------------------------------------


def test_time_that_one_side_lacks_is_refused_dropped_or_named():
    truth, run = [(0, 4, "a"), (6, 10, "b")], [(1, 10, 1)]
    lacking = r"3 of the time \(from 0 to 1, the reference\).*gaps='silence'.*unmatched='drop'"
    with pytest.raises(UnmatchedError, match=lacking):
        compared(truth, run)
    dropped = compared(truth, run, unmatched="drop")
    assert dropped._counts.total == 7
    assert segments(truth, gaps="silence") != segments(truth) == segments(truth)
    named = cc.compare(segments(truth, gaps="silence"), segments(run, gaps="silence"))
    spelled = compared([*truth, (4, 6, "silence")], [(0, 1, "silence"), *run])
    assert named.to_dict() == spelled.to_dict()
    for way in ("singletons", "keep"):
        with pytest.raises(ParameterError, match="time is divisible"):
            compared(truth, run, unmatched=way)
    apart = [(0, 2, "a"), (5, 6, "b")]
    assert compared(apart, apart)._counts.total == 3  # time that neither has is not compared
    both = [segments(apart, gaps="-") for _ in range(2)]
    assert cc.compare(*both)._counts.total == 6


def test_segments_overlap_with_the_same_label_only():
    with pytest.raises(OverlapError, match=r"'a' and 'b' overlap from 4 to 5"):
        segments([(4, 6, "b"), (0, 5, "a")])
    with pytest.raises(OverlapError, match="from 1 to 2"):
        segments([(0, 9, "a"), (0.5, 1, "a"), (1, 2, "b")])
    assert len(segments([(0, 5, "a"), (4, 6, "a"), (6, 7, "b")])) == 2


@pytest.mark.parametrize(
    ("rows", "error", "match"),
    [
        ([(1, 1, "a")], LabelError, "ends after it starts"),
        ([(0, math.nan, "a")], LabelError, "not a time"),
        ([("0", 1, "a")], LabelError, "times as numbers"),
        ([(True, 2, "a")], LabelError, "times as numbers"),
        ([(0, 1, None)], LabelError, "has no label"),
        ([(0, 1, [1])], LabelError, "single value"),
        ([(0, 1)], LabelError, r"give \(start, end, label\)"),
        ("abc", InputError, "not a str"),
        (5, InputError, "not an int"),
    ],
)
def test_what_is_not_a_segment_is_refused(rows, error, match):
    with pytest.raises(error, match=match):
        segments(rows)
    with pytest.raises(ParameterError, match="such as 'silence'"):
        segments(TRUTH, gaps=math.nan)


def test_what_needs_records_is_refused():
    truth, run = segments(TRUTH), segments(RUN)
    steps = "compare the labels at equal time steps"
    asks = [
        EXACT.changes,
        lambda: EXACT.significance("rand"),
        lambda: EXACT.interval("rand"),
        lambda: EXACT.slices({"0 to 5": 1}),
        lambda: EXACT.plot("flow"),
        lambda: cc.diff(truth, run),
        lambda: cc.rank(truth, {"x": run, "y": truth}),
    ]
    for ask in asks:
        with pytest.raises(WeightsError, match=steps):
            ask()
    with pytest.raises(WeightsError, match="code lengths of whole elements"):
        _ = EXACT.reduced_mutual_information
    for ask in (cc.matrix, cc.consensus):
        with pytest.raises(InputError, match="two at a time"):
            ask({"a": truth, "b": run})
    with pytest.raises(InputError, match="make both with Partition"):
        cc.compare(truth, [0, 1])
    with pytest.raises(WeightsError, match="weighted by their durations"):
        cc.compare(truth, run, weights=[1] * 7)
    for options in ({"where": [True]}, {"reference_noise": {"a": "drop"}}, {"nulls": "drop"}):
        with pytest.raises(ParameterError):
            cc.compare(truth, run, **options)


def test_segments_as_text_and_page(tmp_path):
    text = str(EXACT)
    assert "Durations count: 14 in all" in text
    assert re.search("7 pieces; 3 clusters against [0-9]+ clusters\n", text)  # no sizes in pieces
    assert re.search("^  adjusted_rand ", text, re.MULTILINE)
    assert "weights=durations, total 14" in EXACT.signature
    assert "vi_over_log_n" not in EXACT.to_dict()
    assert "7 pieces" in EXACT._repr_html_()
    assert "Durations count: 14 in all" in EXACT.to_html(tmp_path / "page.html").read_text("utf-8")
