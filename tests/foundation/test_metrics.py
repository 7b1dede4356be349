"""Results as flat dictionaries of floats, which trackers of experiments log."""

import math
import re

import builders
import pytest

import concordant as cc
from concordant.errors import ParameterError

MLFLOW = re.compile(r"[/\w.\- :]+")  # the names that MLflow accepts
REFERENCE, BEFORE, AFTER = builders.CLUSTERINGS.values()


def test_every_metric_is_a_float_with_a_name_that_trackers_accept():
    c = cc.compare(REFERENCE, BEFORE)
    results = [
        c,
        c.significance("rand"),
        c.summary(),
        c.slices(dict(zip(builders.RECORDS, "xyxyxyxy", strict=True))),
        cc.diff(BEFORE, AFTER),
        cc.diff(BEFORE, AFTER, reference=REFERENCE),
        cc.rank(REFERENCE, {"b": BEFORE, "c": AFTER}),
        cc.matrix({"a": REFERENCE, "b": BEFORE}, ["rand", "f_measure(beta=2)"]),
        cc.stability({"a": REFERENCE, "b": BEFORE, "c": AFTER}),
    ]
    for result in results:
        metrics = result.to_metrics(prefix="test/")
        assert metrics
        for name, value in metrics.items():
            assert type(value) is float
            assert name.startswith("test/")
            assert MLFLOW.fullmatch(name)


def test_values_are_those_of_the_result():
    c = cc.compare(REFERENCE, BEFORE)
    assert c.to_metrics() == c.to_dict()
    assert c.to_metrics(indices="ARI", prefix="a/") == {"a/ARI": c.adjusted_rand}
    beta = c["f_measure(beta=2)"]
    assert c.to_metrics(indices=["f_measure(beta=2)"]) == {"f_measure_beta_2": beta}
    d = cc.diff(BEFORE, AFTER, reference=REFERENCE)
    assert d.to_metrics()["affected"] == d["affected"]
    matrix = cc.matrix({"a": REFERENCE, "b": BEFORE}, ["rand", "jaccard"])
    assert matrix.to_metrics(indices="jaccard")["jaccard/a/b"] == matrix["a", "b", "jaccard"]
    slices = c.slices(dict(zip(builders.RECORDS, "xyxyxyxy", strict=True)))
    assert slices.to_metrics()["x/bcubed_f"] == slices["x"].bcubed_f
    ranking = cc.rank(REFERENCE, {"b": BEFORE, "c": AFTER}, "rand")
    assert ranking.to_metrics()["differences/c/rand/low"] == ranking.differences["c"]["rand"].low


def test_requested_nan_stays_and_huge_counts_are_left_out():
    nothing = cc.compare([0, 0, 1], [0, 1, 2], undefined="nan")
    assert math.isnan(nothing.to_metrics(indices="precision")["precision"])
    pairs = cc.compare([0, 0, 1, 1], [0, 0, 1, 2], weights=[1, 1, 10**300, 10**300]).pairs
    metrics = pairs.to_metrics()
    assert metrics["n11"] == 1.0
    assert "n10" not in metrics


def test_two_numbers_never_become_one_metric():
    m = cc.matrix({"a b": REFERENCE, "a(b": BEFORE, "a[b": AFTER}, "rand")
    with pytest.raises(ParameterError, match="would be one metric"):
        m.to_metrics()


def test_a_prefix_is_text():
    with pytest.raises(ParameterError, match="prefix=3"):
        cc.compare(REFERENCE, BEFORE).to_metrics(prefix=3)
