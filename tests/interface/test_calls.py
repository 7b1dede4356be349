"""Few calls of Python for a common question."""

import sys

import polars as pl

import concordant as cc

CALLS = 3500
CALLS_OF_COMMAND = 4000
CALLS_FOR_LABELS = 1200
CALLS_FOR_DIFFERING_LABELS = 7200  # a third of them are to describe the clusters, the others to rank edits


def calls_of(action):
    """A deterministic stand-in for time: Python calls inside the package, imports not counted."""
    action()  # imports modules
    calls = 0

    def count(frame, event, _):
        nonlocal calls
        calls += event == "call" and frame.f_globals.get("__name__", "").partition(".")[0] == "concordant"

    sys.setprofile(count)
    try:
        action()
    finally:
        sys.setprofile(None)
    return calls


def test_printing_a_comparison_of_two_files_takes_few_calls(tmp_path):
    paths = [tmp_path / "truth.parquet", tmp_path / "candidate.parquet"]
    for path, labels in zip(paths, ([1, 1, 2, 2], [1, 1, 1, 2]), strict=True):
        pl.DataFrame({"id": list("abcd"), "label": labels}).write_parquet(path)
    sides = [cc.Partition.scan(str(path), record="id", cluster="label") for path in paths]
    assert calls_of(lambda: str(cc.compare(*sides))) <= CALLS


def test_comparing_two_files_on_the_command_line_takes_few_calls(run):
    paths = ["truth.parquet", "candidate.parquet"]
    for path, labels in zip(paths, ([1, 1, 2, 2], [1, 1, 1, 2]), strict=True):
        pl.DataFrame({"id": list("abcd"), "label": labels}).write_parquet(path)
    assert calls_of(lambda: run("compare", *paths)) <= CALLS_OF_COMMAND


def test_printing_a_comparison_of_labels_takes_few_calls():
    """It asks for the indices that it shows, and not for all that are available."""
    labels = [record % 4 for record in range(1000)]
    assert calls_of(lambda: str(cc.compare(labels, labels))) <= CALLS_FOR_LABELS


def test_printing_a_comparison_of_labels_that_differ_takes_few_calls():
    """It tries a few edits, however many there are."""
    labels = [record % 10 for record in range(1000)]
    one, many = [1, *labels[1:]], [each if record % 7 else record % 9 for record, each in enumerate(labels)]
    assert calls_of(lambda: str(cc.compare(labels, one))) <= CALLS_FOR_DIFFERING_LABELS / 2
    assert calls_of(lambda: str(cc.compare(labels, many))) <= CALLS_FOR_DIFFERING_LABELS
