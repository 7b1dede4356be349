"""The block of input options is the same in every function that has it."""

import inspect
from dataclasses import fields

import numpy as np
import pandas as pd
import polars as pl
import pytest
from cases import every_case
from inner import OPTIONS, Conventions, InputOptions, input_options, listed_options

import concordant as cc
from concordant.errors import ParameterError

FRAME = pl.DataFrame({"id": list("xyz"), "truth": [1, 1, 2], "guess": [1, 2, 2]})


def test_the_block_is_declared_once():
    """Its types, its defaults, and its descriptions name the same options in the same order."""
    described = [line.partition(" : ")[0] for line in listed_options().splitlines() if line[0] != " "]
    assert list(InputOptions.__annotations__) == list(OPTIONS) == described
    defaults = {each.name: each.default for each in fields(Conventions)[: len(OPTIONS)]}
    assert {name: each.default for name, each in OPTIONS.items()} == defaults


def test_a_function_shows_every_option_with_its_default():
    for function in (
        cc.compare,
        cc.diff,
        cc.matrix,
        cc.rank,
        cc.track,
        cc.consensus,
        cc.stability,
        cc.scorer,
        cc.adjusted_rand,
        cc.f_measure,
    ):
        parameters = inspect.signature(function).parameters
        block = [name for name in parameters if name in OPTIONS]
        assert block == list(OPTIONS), function
        assert all(parameters[name].default == OPTIONS[name].default for name in block), function
        assert all(f"\n{name} : " in inspect.getdoc(function) for name in block), function


def test_what_cannot_be_honoured_is_refused_with_its_reason():
    @input_options(refused={"weights": "lengths have no weights", "threads": "this needs one thread"})
    def length(clustering, **options):
        """Return the length.

        Parameters
        ----------
        clustering : labels
            The labels.
        **options
            The input options.
        """
        return len(clustering), Conventions.of(options).unmatched

    assert length([1, 2], weights=None, threads=0, unmatched="drop") == (2, "drop")
    with pytest.raises(ParameterError, match=r"^weights=\.\.\.: lengths have no weights$"):
        length([1, 2], weights=np.ones(2))
    with pytest.raises(ParameterError, match=r"^threads=2: this needs one thread$"):
        length([1, 2], threads=2)
    assert "    Not available: lengths have no weights.\n" in length.__doc__


def test_columns_of_one_table_are_the_sides():
    for function in (cc.rand, lambda *sides, **options: cc.compare(*sides, **options).rand):
        value = function([1, 1, 2], [1, 2, 2])
        assert function(FRAME, columns=["truth", "guess"]) == value
        assert function(reference=FRAME.to_pandas(), columns=("truth", "guess"), record="id") == value
        assert function(FRAME, [1, 2, 2], columns="truth") == value
        assert function([1, 1, 2], FRAME, columns=[None, "guess"]) == value
        assert function(FRAME, FRAME.reverse(), columns=["truth", "guess"], record="id") == value


def test_labels_beside_a_table_are_treated_like_its_own():
    options = {"noise": 2, "noise_as": "drop"}
    named = {"x": 1, "y": 1, "z": 2}
    assert cc.compare(FRAME, named, columns="guess", record="id", **options).size == 1
    assert cc.compare(FRAME, [1, 1, 2], columns="guess", **options).size == 1


@every_case(
    ("sides", "options", "text"),
    [
        ((FRAME,), {}, "name a column of the table for each side"),
        ((FRAME,), {"columns": "truth"}, "name a column of the table for each side"),
        ((FRAME,), {"columns": ["truth", "guess", "id"]}, "name a column of the table for each side"),
        (([0, 1],), {"columns": ["truth", "guess"]}, "there is no candidate; pass it"),
        ((FRAME, [0, 1, 1]), {"columns": ["truth", "guess"]}, "'candidate' is not a table; give None for it"),
        ((FRAME, FRAME), {"columns": ["truth", None]}, "'candidate' is a table; name its column"),
        ((FRAME, FRAME), {"columns": ["truth"]}, "name one column for all sides"),
        ((FRAME, [0, 1, 1]), {"columns": "trut"}, "has no column 'trut'; did you mean 'truth'"),
        ((None, FRAME), {"columns": "truth"}, "the reference is None"),
    ],
)
def test_columns_that_do_not_fit(sides, options, text):
    with pytest.raises(cc.ConcordantError, match=text):
        cc.compare(*sides, **options)


def test_references_of_one_table():
    frame = pd.DataFrame({"ann": [0, 0, 1], "bob": [0, 1, 1], "run": [0, 0, 1]})
    apart = cc.compare_references({"ann": frame["ann"], "bob": frame["bob"]}, frame["run"])
    together = cc.compare_references(frame, columns=["ann", "bob", "run"])
    assert dict(together.comparisons).keys() == {"ann", "bob"}
    assert together.rand == apart.rand == cc.compare_references(frame).rand
    assert cc.compare_references(frame[["ann", "bob"]], [0, 0, 1]).rand == apart.rand
    assert list(cc.compare_references(frame, names=["A", "B"]).comparisons) == ["A", "B"]


def test_the_progress_of_references():
    calls = []
    cc.compare_references([[0, 1], [0, 0]], [0, 0], progress=lambda *done: calls.append(done))
    assert calls == [(1, 2), (2, 2)]


def test_a_scorer_takes_input_options():
    class Constant:
        def predict(self, data):
            return [0, 0, 1, -1][: len(data)]

    index = cc.scorer("rand", noise=-1, noise_as="drop")
    assert index(Constant(), range(4), ["a", "a", "b", "a"]) == 1.0
    assert cc.scorer("rand")(Constant(), range(4), ["a", "a", "b", "a"]) < 1.0
