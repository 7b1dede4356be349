"""Compatibility with scikit-image: its segmentation measures, names and arguments, with correct values.

Intended differences from scikit-image 0.26:

- ``adapted_rand_error`` returns precision and recall in the order that its documentation specifies;
  scikit-image swaps them (scikit-image#6485).
- Ids may be anything: negative, or near 2^64. scikit-image needs memory for the highest id.
- A table may be dense or sparse and need not be normalised, and the images may be omitted.

>>> import numpy as np
>>> truth, seg = np.array([[3, 3, 4, 4]]), np.array([[1, 2, 2, 2]])
>>> error, precision, recall = adapted_rand_error(truth, seg)
>>> round(error, 4), round(precision, 4), recall
(0.6, 0.3333, 0.5)
>>> variation_of_information(truth, seg).round(4).tolist()
[0.5, 0.6887]
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.comparisons import Comparison, compare
from concordant.counts.profile import Profile
from concordant.engines.batch_cells import count_cells
from concordant.errors import LabelError, MissingExtraError, NothingLeftError, ParameterError
from concordant.foundation.conventions import LabelTreatment

_DENSE_IDS = 10_000_000  # a matrix by rows has one entry for each id up to the highest


def adapted_rand_error(
    image_true: Any = None,
    image_test: Any = None,
    *,
    table: Any = None,
    ignore_labels: Iterable[int] | None = (0,),
    alpha: float = 0.5,
) -> tuple[float, float, float]:
    """Adapted Rand error of two label images, with precision and recall.

    Parameters
    ----------
    image_true, image_test : array, optional
        The true and the tested label image.
    table : sparse matrix, optional
        A contingency table instead of images.
    ignore_labels : iterable of int or None, default=(0,)
        Voxels with these true labels are dropped.
    alpha : float, default=0.5
        Weight of recall, from 0 to 1.

    Returns
    -------
    (float, float, float)
        The error, precision and recall. NaN if one is 0/0.

    Raises
    ------
    ParameterError
        If `alpha` is not between 0 and 1.

    Examples
    --------
    >>> adapted_rand_error([[1, 1, 2]], [[1, 1, 2]])
    (0.0, 1.0, 1.0)
    """
    if not 0 <= alpha <= 1:
        raise ParameterError("alpha must be between 0 and 1", given={"alpha": alpha})
    try:
        comparison = _compared(image_true, image_test, table, ignore_labels)
    except NothingLeftError:
        return math.nan, math.nan, math.nan
    pairs = comparison.pairs
    weighed = alpha * pairs.in_reference + (1 - alpha) * pairs.in_candidate
    error = 1 - _share(pairs.n11, weighed)
    return error, _share(pairs.n11, pairs.in_candidate), _share(pairs.n11, pairs.in_reference)


def variation_of_information(
    image0: Any = None, image1: Any = None, *, table: Any = None, ignore_labels: Iterable[int] | None = ()
) -> NDArray[np.float64]:
    """Conditional entropies of two label images in bits.

    If the first image is the truth, the two values are the cost of wrong splits and of wrong merges.

    Parameters
    ----------
    image0, image1 : array, optional
        The label images.
    table : array or sparse matrix, optional
        A contingency table instead of images.
    ignore_labels : iterable of int or None, default=()
        Voxels with these labels in the first image are dropped.

    Returns
    -------
    array
        The entropy of the second image given the first, and the reverse. NaN if no voxel is left.

    Examples
    --------
    >>> variation_of_information([[1, 1, 2, 2]], [[1, 2, 3, 3]]).tolist()
    [0.5, 0.0]
    """
    if table is None:
        try:
            comparison = _compared(image0, image1, None, ignore_labels)
        except NothingLeftError:
            return np.array([math.nan, math.nan])
        return np.array([comparison["vi_split(base=2)"], comparison["vi_merge(base=2)"]])
    if hasattr(table, "tocoo"):  # counts, or shares as a normalised table has them
        sparse = table.tocoo()
        row, column, n = sparse.row, sparse.col, np.asarray(sparse.data, dtype=np.float64)
    else:
        dense = np.asarray(table, dtype=np.float64)
        row, column = dense.nonzero()
        n = dense[row, column]
    row, column = np.unique(row, return_inverse=True)[1], np.unique(column, return_inverse=True)[1]
    p = n / n.sum()
    split = p * np.log2(np.bincount(row, p)[row] / p)
    merge = p * np.log2(np.bincount(column, p)[column] / p)
    return np.array([math.fsum(split), math.fsum(merge)])


def contingency_table(
    im_true: Any,
    im_test: Any,
    *,
    ignore_labels: Iterable[int] | None = None,
    normalize: bool = False,
    sparse_type: str = "matrix",
) -> Any:
    """Number of voxels for each pair of labels.

    Parameters
    ----------
    im_true, im_test : array
        The true and the tested label image.
    ignore_labels : iterable of int, optional
        Voxels with these true labels are dropped.
    normalize : bool, default=False
        Whether to return shares instead of counts.
    sparse_type : {"matrix", "array"}, default="matrix"
        Whether to return a sparse matrix or a sparse array of SciPy.

    Returns
    -------
    sparse matrix or array
        True labels in rows. CSR, or COO if the label ids are very large.

    Raises
    ------
    MissingExtraError
        If SciPy is not installed.

    Examples
    --------
    >>> contingency_table([[1, 1, 2]], [[1, 1, 1]]).toarray().tolist()
    [[0.0, 0.0], [0.0, 2.0], [0.0, 1.0]]
    """
    if sparse_type not in ("matrix", "array"):
        raise ParameterError(f"`sparse_type` must be 'array' or 'matrix', not {sparse_type!r}")
    try:
        from scipy import sparse
    except ImportError as error:
        raise MissingExtraError("contingency_table needs SciPy: pip install scipy") from error
    dropped = set(ignore_labels or ())
    cells = count_cells(np.asarray(im_true), np.asarray(im_test), 0)
    kept = [cell for cell in cells.named() if cell[0] not in dropped]
    if any(not 0 <= label < 2**63 - 1 for cell in kept for label in cell[:2]):
        raise LabelError(
            "the labels of a sparse matrix are from 0 to 2^63 - 2; relabel the images, or pass the images"
        )
    row, column, n = np.array(kept, dtype=np.int64).reshape(-1, 3).T
    shape = (int(row.max(initial=-1)) + 1, int(column.max(initial=-1)) + 1)
    counts = n / n.sum() if normalize else n.astype(np.float64)
    make = sparse.coo_matrix if sparse_type == "matrix" else sparse.coo_array
    made = make((counts, (row, column)), shape=shape)
    return made.tocsr() if max(shape) <= _DENSE_IDS else made


def _compared(truth: Any, test: Any, table: Any, ignore_labels: Iterable[int] | None) -> Comparison:
    if table is not None:
        return Comparison(Profile.from_contingency(table))
    if truth is None or test is None:
        raise ParameterError("give two images, or a table")
    image = np.asarray(truth)
    treatments: dict[Any, LabelTreatment] = {
        label: "drop" for label in map(int, ignore_labels or ()) if (image == label).any()
    }
    found: Comparison = compare(image, np.asarray(test), reference_noise=treatments or {0: "cluster"})
    return found


def _share(part: int, whole: float) -> float:
    return part / whole if whole else math.nan
