"""Weights, slices and units: arrays are in the order of the reference, Series and mappings are by name."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

import concordant as cc
from concordant.errors import ConcordantError, LabelError, LengthError, ParameterError, UnmatchedError

SIZE = 40
_RANDOM = np.random.default_rng(3)
FRAME = pd.DataFrame(
    {
        "truth": _RANDOM.integers(0, 5, SIZE),
        "one": _RANDOM.integers(-1, 4, SIZE),
        "other": _RANDOM.integers(0, 4, SIZE),
        "weight": _RANDOM.integers(1, 9, SIZE).astype(float),
        "unit": _RANDOM.integers(0, 8, SIZE),
        "slice": _RANDOM.choice(list("abc"), SIZE),
    }
)
FRAMES = {
    "sorted by another column": FRAME.sort_values("weight"),
    "reversed": FRAME.iloc[::-1],
    "negative index": FRAME.set_index(np.arange(SIZE) - 10),
    "filtered": FRAME[FRAME["slice"] != "a"],
    "index of floats": FRAME.set_index(np.arange(SIZE) / 2),
    "names": FRAME.set_index(pd.Index([f"r{place}" for place in range(SIZE)])),
    "shuffled names": FRAME.set_index(pd.Index([f"r{place}" for place in range(SIZE)])).sample(
        frac=1, random_state=0
    ),
}
FORMS = {
    "array": lambda column: column.to_numpy(),
    "list": lambda column: column.tolist(),
    "polars": lambda column: pl.Series(column.tolist()),
    "series": lambda column: column,
    "shuffled series": lambda column: column.sample(frac=1, random_state=2),
    "shuffled mapping": lambda column: column.sample(frac=1, random_state=2).to_dict(),
}
DROPPED = {"noise": -1, "noise_as": "drop"}

# Each with the columns, which may be in another order than the first, and the function of a column of values.
CALLS = {
    "weights": lambda s, o, value: cc.compare(s["truth"], o["one"], weights=value("weight")).rand,
    "weights beside noise": lambda s, o, value: (
        cc.compare(s["one"], o["other"], weights=value("weight"), **DROPPED).rand
    ),
    "slices": lambda s, o, value: cc.compare(s["truth"], o["one"]).slices(value("slice"))["b"].recall,
    "slices beside noise": lambda s, o, value: (
        cc.compare(s["one"], o["other"], **DROPPED).slices(value("slice"))["b"].recall
    ),
    "unit": lambda s, o, value: cc.compare(s["truth"], o["one"]).interval("rand", unit=value("unit")).se,
    "diff": lambda s, o, value: cc.diff(s["one"], o["other"], weights=value("weight")).split_rate,
    "slices of a diff": lambda s, o, value: cc.diff(s["one"], o["other"]).slices(value("slice"))[0].share,
    "diff by slices": lambda s, o, value: (
        cc.diff(s["one"], o["other"], reference=o["truth"], by=value("slice")).slices()[0].improvement
    ),
    "diff with a reference": lambda s, o, value: (
        cc.diff(s["one"], o["other"], reference=o["truth"], weights=value("weight")).improvement
    ),
    "diff with a reference, beside noise": lambda s, o, value: (
        cc.diff(s["one"], o["other"], reference=o["truth"], weights=value("weight"), **DROPPED).improvement
    ),
    "intervals of a diff": lambda s, o, value: (
        cc.diff(o["one"], s["other"], reference=s["truth"], unit=value("unit")).indices(["rand"])[0].low
    ),
    "rank": lambda s, o, value: cc.rank(
        s["truth"], {"one": o["one"], "other": s["other"]}, ["rand"], unit=value("unit"), n_resamples=99
    ).to_dict(),
    "rank beside noise": lambda s, o, value: cc.rank(
        s["truth"],
        {"one": o["one"], "other": s["other"]},
        ["rand"],
        unit=value("unit"),
        n_resamples=99,
        **DROPPED,
    ).to_dict(),
    "stability": lambda s, o, value: (
        cc.stability(
            {"one": o["one"], "other": s["other"]}, reference=s["truth"], weights=value("weight")
        ).overall
    ),
    "stability of a consensus": lambda s, o, value: (
        cc.stability({"one": s["one"], "other": o["other"]}, weights=value("weight")).overall
    ),
    "matrix": lambda s, o, value: cc.matrix(
        {"one": s["one"], "other": o["other"]}, "rand", weights=value("weight")
    )["one", "other"],
}


# These compute p-values, which takes longer: one index in order, one with gaps, one without order.
SLOW = ("slices", "slices beside noise", "rank", "rank beside noise")
OF_SLOW = ("reversed", "filtered", "shuffled names")
# Forms by position are one where the other side is in another order.
OF_SHUFFLED = ("array", "series", "shuffled series", "shuffled mapping")


@pytest.mark.parametrize(
    ("frame", "call"),
    [(frame, call) for frame in FRAMES for call in CALLS if call not in SLOW or frame in OF_SLOW],
)
def test_values_belong_to_their_records_in_every_form(frame, call):
    frame, call = FRAMES[frame], CALLS[call]
    bare = {name: column.to_numpy() for name, column in frame.items()}
    expected = call(bare, bare, lambda name: bare[name])
    expected = pytest.approx(expected, rel=1e-9) if isinstance(expected, float) else expected
    shuffled = frame.sample(frac=1, random_state=1)
    for others in (frame, shuffled):
        for form in FORMS if others is frame else OF_SHUFFLED:
            found = call(frame, others, lambda name: FORMS[form](frame[name]))  # noqa: B023
            assert found == expected, form


@pytest.mark.parametrize("form", ["array", "series", "shuffled series", "shuffled mapping"])
def test_a_mask_belongs_to_its_records(form):
    frame = FRAMES["shuffled names"]
    mask = frame["slice"] == "b"
    expected = cc.compare(frame["truth"].to_numpy()[mask], frame["one"].to_numpy()[mask]).rand
    given = FORMS[form](mask)
    assert cc.compare(frame["truth"], frame["one"], where=given).rand == expected
    shuffled = frame.sample(frac=1, random_state=1)
    several = cc.matrix({"a": frame["truth"], "b": shuffled["one"]}, "rand", where=given)
    assert several["a", "b"] == expected
    found = cc.diff(frame["truth"], shuffled["one"], where=given, reference=shuffled["other"])
    assert found.size == mask.sum()


def test_a_reference_in_another_order_changes_no_record_of_a_diff():
    frame = pd.DataFrame(
        {"truth": list("aabbcc"), "one": list("xxyyzz"), "other": list("xyyyzz")}, index=list("mnopqr")
    )
    shuffled = frame.iloc[[3, 5, 1, 0, 2, 4]]
    for reference in (frame, shuffled):
        d = cc.diff(frame["one"], frame["other"], reference=reference["truth"])
        assert d.records(1)[0].record == "n"
        assert {each.record: (each.before, each.after) for each in d.records(None)}["n"] == ("x", "y")
        assert d.clusters(1)[0].cluster == "x"
        outcomes = ("fixed", "broken", "still_wrong", "still_right")
        listed = [each for outcome in outcomes for each in d.records(None, outcome=outcome)]
        found = {each.record: (each.reference, each.before, each.after) for each in listed}
        assert found == {name: tuple(row) for name, *row in frame.itertuples()}


def wrong_values():
    named = {"a": 0, "b": 0, "c": 1}
    series = pd.Series([0, 0, 1], index=list("abc"))
    shuffled = pd.Series([1.0, 2.0, 3.0], index=[2, 0, 1])
    return [
        ([0, 0, 1], [1, 2], LengthError, "2 weights for 3 records"),
        (named, [1, 2, 3], ParameterError, "pass the weights by name"),
        ({3: 0, 7: 0, 5: 1}, [1, 2, 3], ParameterError, "pass the weights by name"),
        (series, {"a": 1, "b": 2}, LabelError, "no weight for the record 'c'"),
        (series, pd.Series([1, 2, 3], index=list("abb")), LabelError, "the index contains 'b' twice"),
        ([0, 0, 1], shuffled, UnmatchedError, "weights= is a Series whose index is not in ascending order"),
        (series, {1, 2, 3}, ParameterError, "give the weight of each record"),
    ]


@pytest.mark.parametrize(("labels", "weights", "kind", "text"), wrong_values())
def test_values_that_cannot_be_matched(labels, weights, kind, text):
    with pytest.raises(kind, match=text):
        cc.compare(labels, labels, weights=weights)


def test_records_of_the_candidate_alone_have_no_place_in_an_array():
    series = pd.Series([0, 0, 1], index=list("abc"))
    with pytest.raises(ConcordantError, match="'c' is not in the reference"):
        cc.compare(series[:2], series, weights=[1, 2], unmatched="singletons")
    assert cc.compare(series[:2], series, weights={"a": 1, "b": 2, "c": 3}, unmatched="singletons").size == 3
    assert cc.compare(series, series[:2], weights=[1, 2, 9], unmatched="drop").size == 2
