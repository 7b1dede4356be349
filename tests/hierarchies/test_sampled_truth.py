"""A truth that covers only some records of a hierarchy: the curve of these, and estimates for all."""

import numpy as np
import pytest

import concordant as cc
from concordant.errors import HierarchyError, ParameterError, TooLargeError, UnmatchedError

RNG = np.random.default_rng(3)


@pytest.fixture(scope="module")
def hierarchy():
    from scipy.cluster.hierarchy import linkage

    centres = np.repeat(RNG.normal(size=(30, 2)) * 20, 4, axis=0)
    return cc.Hierarchy.from_linkage(
        linkage(centres + RNG.normal(size=centres.shape)), records=list(range(120))
    )


@pytest.fixture(scope="module")
def sample():
    """Ten of the thirty true clusters, complete."""
    return {record: record // 4 for record in range(120) if record // 4 % 3 == 0}


@pytest.mark.parametrize("name", ["f_measure", "bcubed_recall", "adjusted_rand", "cluster_f"])
def test_each_level_is_estimated_as_its_cut(hierarchy, sample, name):
    compared = cc.compare(sample, hierarchy, unmatched="drop")
    curve = compared.curve(name, levels=6, sampling="clusters", confidence=0.9)
    assert "pointwise" in str(curve)
    all_levels = compared.curve("rand", levels=6).columns["height"]
    for i, height in enumerate(all_levels.tolist()):
        cut = hierarchy.cut(level=0) if np.isnan(height) else hierarchy.cut(height=height)
        try:
            alone = cc.estimate(sample, cut, sampling="clusters", confidence=0.9)[name]
        except cc.ConcordantError:
            assert np.isnan(curve.to_numpy()[i])
            continue
        for field in ("value", "se", "low", "high"):
            assert curve.columns[field][i] == getattr(alone, field)


def test_without_a_design_the_labelled_records_are_all_there_is(hierarchy, sample):
    compared = cc.compare(sample, hierarchy, unmatched="drop")
    assert compared.size == 40
    cut = {
        record: code
        for record, code in enumerate(hierarchy.cut(level=90).labels.tolist())
        if record in sample
    }
    assert compared.at(level=90).f_measure == cc.compare(sample, cut).f_measure
    assert "low" not in compared.curve("f_measure").columns


def test_what_has_no_estimate(hierarchy, sample, monkeypatch):
    from inner import sampled_levels

    compared = cc.compare(sample, hierarchy, unmatched="drop")
    with pytest.raises(cc.ConcordantError, match="can be estimated"):
        compared.curve("vi", sampling="clusters")
    with pytest.raises(ParameterError, match="sampling="):
        compared.curve("f_measure", n_draws=5)
    with pytest.raises(ParameterError):
        compared.curve("f_measure", sampling="pages")
    with pytest.raises(HierarchyError, match="a hierarchy of all records"):
        cc.compare(hierarchy, sample, unmatched="drop").curve("f_measure", sampling="clusters")
    with pytest.raises(UnmatchedError, match="the hierarchy lacks 1 labelled record"):
        cc.compare({**sample, 999: 1}, hierarchy, unmatched="drop").curve("f_measure", sampling="clusters")
    with pytest.raises(ParameterError, match="both sides"):
        cc.compare(hierarchy, hierarchy).curve("f_measure", sampling="clusters")
    monkeypatch.setattr(sampled_levels, "_MOST", 10)
    with pytest.raises(TooLargeError, match="levels=1000"):
        compared.curve("f_measure", sampling="clusters")
