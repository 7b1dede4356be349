"""Arrays that hold no labels: one-hot and probability matrices are refused, measurements are warned about."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import concordant as cc
from concordant.errors import LabelError

TRUTH, GUESS = np.array([0, 0, 1, 1, 2, 2]), np.array([0, 1, 1, 1, 2, 0])


def one_hot(labels, dtype=int):
    return np.eye(3, dtype=dtype)[labels]


MEMBERSHIPS = {
    "integers": one_hot,
    "booleans": lambda labels: one_hot(labels, bool),
    "bytes": lambda labels: one_hot(labels, np.uint8),
    "floats": lambda labels: one_hot(labels, float),
    "probabilities": lambda labels: one_hot(labels) * 0.9 + 0.1 / 3,
    "half precision": lambda labels: (one_hot(labels) * 0.9 + 0.1 / 3).astype(np.float16),
    "Fortran order": lambda labels: np.asfortranarray(one_hot(labels)),
}


@pytest.mark.parametrize("make", MEMBERSHIPS.values(), ids=MEMBERSHIPS)
def test_rows_that_sum_to_1_are_refused(make):
    u, v = make(TRUTH), make(GUESS)
    for call in (cc.compare, cc.rand, lambda *sides: cc.matrix(sides, "rand")):
        for sides in ((u, v), (u, v[:, :2] + v[:, 2:] * 0.5), (u, GUESS), (TRUTH, v)):
            with pytest.raises(LabelError, match=r"argmax\(axis=1\)"):
                call(*sides)
    assert cc.rand(u.argmax(axis=1), v.argmax(axis=1)) == cc.rand(TRUTH, GUESS)


def test_chunked_memberships_are_refused():
    da = pytest.importorskip("dask.array")
    u, v = (da.from_array(one_hot(labels), chunks=(2, 3)) for labels in (TRUTH, GUESS))
    with pytest.raises(LabelError, match=r"argmax\(axis=1\)"):
        cc.compare(u, v)


@pytest.mark.parametrize(
    ("u", "v"),
    [
        (np.array([[1, 0, 0], [0, 1, 1]]), one_hot(TRUTH)[:2]),  # one of them is an image
        (np.array([[1, 1], [2, -1]]), np.array([[0, 1], [2, -1]])),  # rows that sum to 1 with other labels
        (np.ones((5, 1), dtype=int), np.array([[1], [1], [1], [1], [0]])),  # a single column
        (np.array([[0, 0, 1]]), np.array([[0, 1, 0]])),  # a single row
        (np.array([[255, 2, 0], [0, 255, 2]], dtype=np.uint8),) * 2,  # sums that would overflow to 1
    ],
)
def test_label_images_are_compared(u, v):
    assert cc.compare(u, v).to_dict() == cc.compare(u.ravel(), v.ravel()).to_dict()


def test_a_label_image_that_looks_one_hot_is_compared_if_it_is_passed_as_labels():
    u, v = one_hot(TRUTH), one_hot(GUESS)
    images = cc.compare(cc.Partition.from_labels(u), cc.Partition.from_labels(v))
    assert images.rand == cc.rand(u.ravel(), v.ravel())


MEASURED = [0.5 + i / 7 for i in range(40)]


@pytest.mark.parametrize(
    "make",
    [
        list,
        np.array,
        lambda x: np.array(x, dtype="f4"),
        pd.Series,
        pl.Series,
        pa.array,
        lambda x: dict(enumerate(x)),
    ],
)
def test_measurements_are_warned_about(make):
    labels = make([i % 3 for i in range(40)])
    with pytest.warns(UserWarning, match="the candidate: 40 distinct values among 40 floating") as caught:
        cc.compare(labels, make(MEASURED))
    assert caught[0].filename == __file__
    with pytest.warns(UserWarning, match="the reference"):
        cc.rand(make(MEASURED), labels)


@pytest.mark.parametrize("module", [pd, pl], ids=["pandas", "Polars"])
def test_measurements_in_a_dataframe_are_warned_about(module):
    frame = module.DataFrame({"u": [i % 3 for i in range(40)], "v": MEASURED})
    with pytest.warns(UserWarning, match="'v' of the candidate: 40 distinct"):
        cc.compare(frame, columns=["u", "v"])


@pytest.mark.parametrize(("labels", "warns"), [(MEASURED, True), ([float(i) for i in range(40)], False)])
def test_measurements_in_a_file_are_warned_about(recwarn, tmp_path, labels, warns):
    path = tmp_path / "labels.parquet"
    pl.DataFrame({"u": [i % 3 for i in range(40)], "v": labels}).write_parquet(path)
    cc.compare(
        cc.Partition.scan(path, cluster="u", record=None), cc.Partition.scan(path, cluster="v", record=None)
    )
    assert ["'v' of the candidate: 40 distinct" in str(each.message) for each in recwarn] == [True] * warns


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    "labels",
    [
        [float(i) for i in range(40)],  # whole numbers
        [i % 20 + 0.5 for i in range(40)],  # half of them recur
        MEASURED[:5],  # too few to tell
        np.arange(40),
        [f"{i}.5" for i in range(40)],
    ],
)
def test_labels_are_not_warned_about(labels):
    cc.compare(labels, labels)
