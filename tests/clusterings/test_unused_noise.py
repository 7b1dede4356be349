"""Noise labels that no label equals are reported, whatever counts the labels."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

import concordant as cc
from concordant.errors import ParameterError

U, V = [0, 0, 1, 1], [0, 1, 1, -1]
NOISE = {"noise": -1, "noise_as": "drop"}


def in_chunks(labels):
    import dask.array as da

    return da.from_array(np.array(labels).reshape(2, 2), chunks=1)


KINDS = {"list": list, "array": np.array, "pandas": pd.Series, "Polars": pl.Series, "chunks": in_chunks}


@pytest.mark.parametrize("treatment", ["drop", "singletons"])
@pytest.mark.parametrize("make", KINDS.values(), ids=KINDS)
def test_a_noise_label_that_neither_side_has_is_reported(make, treatment):
    with pytest.warns(UserWarning, match="no label equals -9") as caught:
        cc.compare(make(U), make(V), noise=-9, noise_as=treatment)
    assert caught[0].filename == __file__
    with pytest.warns(UserWarning, match="no label equals -9"):
        cc.compare(make(U), make(V), candidate_noise={-9: treatment})


@pytest.mark.parametrize("call", [cc.rand, cc.nmi_max, lambda *sides, **noise: cc.matrix(sides, **noise)])
def test_functions_and_matrices_report_it_too(call):
    with pytest.warns(UserWarning, match="no label equals -9"):
        call(U, V, noise=-9, noise_as="drop")
    call(U, V, **NOISE)  # one side has it


OF_MANY = {
    "rank": lambda *given, **noise: cc.rank(U, dict(zip("ab", given, strict=True)), **noise),
    "compare_references": lambda *given, **noise: cc.compare_references(list(given), U, **noise),
    "diff": lambda *given, **noise: cc.diff(*given, reference=U, **noise),
    "consensus": lambda *given, **noise: cc.consensus([U, *given], **noise),
    "track": lambda *given, **noise: cc.track([U, *given], **noise),
}


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    ("name", "treatment"),
    [*((name, "singletons") for name in OF_MANY), ("compare_references", "drop"), ("diff", "drop")],
)
def test_a_label_that_one_of_many_has_is_not_reported(name, treatment):
    call = OF_MANY[name]
    call(U, V, noise=-1, noise_as=treatment)
    call(V, U, noise=-1, noise_as=treatment)
    with pytest.warns(UserWarning, match="no label equals -9") as caught:
        call(U, V, noise=-9, noise_as=treatment)
    assert [each.filename for each in caught] == [__file__]


@pytest.mark.parametrize("lazy", [False, True])
def test_dataframes_report_it(lazy):
    frame = pl.DataFrame({"u": U, "v": V})
    frame = frame.lazy() if lazy else frame
    with pytest.warns(UserWarning, match="no label equals -9"):
        cc.compare(frame, columns=["u", "v"], noise=-9, noise_as="drop")
    cc.compare(frame, columns=["u", "v"], **NOISE)


def test_several_labels_in_one_are_an_error():
    for make in (list, np.array, lambda labels: list(map(str, labels))):
        with pytest.raises(ParameterError, match=r"reference_noise=\{.*: 'drop', .*: 'drop'\}"):
            cc.compare(make(U), make(V), noise=(0, -1), noise_as="drop")
    labels = [(0, -1), (0, -1), (1, 2), (1, 2)]
    cc.compare(labels, labels, noise=(0, -1), noise_as="drop")


def test_noise_that_is_kept_as_a_cluster_changes_nothing_and_is_not_reported():
    cc.compare(U, V, noise=-9, noise_as="cluster")


def test_a_label_that_looks_like_noise_is_named():
    """Labels -1, 0, ..., k - 1 are those of clusterers that find noise, such as DBSCAN."""
    truth = np.arange(60) % 3
    found = np.where(np.arange(60) % 7 == 0, -1, truth)
    with pytest.warns(
        UserWarning, match=r"the candidate has the label -1, .* looks like noise: pass noise=-1"
    ):
        cc.compare(truth, found)
    with pytest.warns(UserWarning, match="the reference has the label -1"):
        cc.bcubed_f(pd.Series(found), truth)
    late = np.append(np.arange(1000) % 3, -1)
    with pytest.warns(UserWarning, match="the candidate has the label -1"):
        cc.compare(late + 1, late)
    for made in (truth.astype(np.int32), found), (truth, found), (truth.tolist(), found.tolist()):
        with pytest.warns(UserWarning, match="the candidate has the label -1"):
            cc.adjusted_rand(*made)
    with pytest.warns(UserWarning, match="the candidate has the label -1"):
        cc.compare(pl.Series(truth), pl.Series(found))
    runs = {"a": truth, "b": found}
    for many in (cc.matrix, cc.track, cc.consensus, cc.stability):
        for given in (runs, pl.DataFrame(runs)):
            with pytest.warns(UserWarning, match="the clustering 'b' has the label -1"):
                many(given)
            many(given, noise=-1, noise_as="cluster")
    cc.compare(truth, found, noise=-1, noise_as="cluster")
    cc.compare(truth, found, candidate_noise={-1: "drop"})
    cc.compare(truth, np.where(found == 0, -1, 1))  # signs
    cc.compare(truth[:20], found[:20])  # too few to tell


def test_the_background_of_an_image_is_named():
    image = np.zeros((20, 20), dtype=np.int64)
    image[2:6, 2:6], image[9:14, 9:14] = 1, 2
    for other in (image, image.astype(np.uint8), np.asfortranarray(image)):
        with pytest.warns(UserWarning, match="is an image with the label 0.*_noise="):
            cc.compare(other, other)
        with pytest.warns(UserWarning, match="the clustering '.' is an image with the label 0"):
            cc.matrix({"a": other, "b": other})
    with pytest.warns(UserWarning, match="is an image with the label 0"):
        cc.adjusted_rand(image, image)
    for treatment in ("background", "drop", "cluster"):
        cc.compare(image, image, reference_noise={0: treatment})
    cc.compare(image, image, noise=0, noise_as="cluster")
    cc.compare(image, image, where=image > 0)
    dense = np.arange(400).reshape(20, 20) // 40  # in which 0 is one of many segments
    cc.compare(dense, dense)
