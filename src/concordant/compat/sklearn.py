"""Compatibility with scikit-learn: the functions of sklearn.metrics that compare two clusterings.

>>> adjusted_rand_score([0, 0, 1, 1, 2, 2], [0, 0, 1, 1, 1, 2])
0.4444444444444444
>>> contingency_matrix(["b", "a", "a"], [1, 1, 2])
array([[1, 1],
       [1, 0]])

Names, signatures, return types and error messages are those of scikit-learn, which need not be installed.
The names are declared with the index (``known_as``). Labels are aligned by position.
docs/migration-scikit-learn.md explains differences in values.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.comparisons import compare
from concordant.compat.sklearn_inputs import (
    as_dtype,
    partition,
    partitions,
    profile_of_table,
    ranks,
    require,
    require_average_method,
    require_equal_lengths,
    require_non_negative,
    vector,
    warn_of_measurements,
)
from concordant.counts.chance import Shuffled
from concordant.counts.pairs import PairCounts
from concordant.counts.profile import Profile
from concordant.errors import InputError, MissingExtraError, ParameterError
from concordant.indices.index import INDICES, Index

__all__ = [
    "adjusted_mutual_info_score",
    "adjusted_rand_score",
    "completeness_score",
    "contingency_matrix",
    "entropy",
    "expected_mutual_information",
    "fowlkes_mallows_score",
    "homogeneity_completeness_v_measure",
    "homogeneity_score",
    "mutual_info_score",
    "normalized_mutual_info_score",
    "pair_confusion_matrix",
    "rand_score",
    "v_measure_score",
]

# scikit-learn's entropy of no labels.
_ENTROPY_OF_NOTHING = 1.0


def rand_score(labels_true: Any, labels_pred: Any) -> float:
    """Share of the pairs of samples on which two clusterings agree.

    Parameters
    ----------
    labels_true, labels_pred : array-like
        True and predicted label of each sample.

    Returns
    -------
    float
        The Rand index, in [0, 1].

    Examples
    --------
    >>> rand_score([0, 0, 1, 1], [0, 0, 1, 2])
    0.8333333333333334
    """
    return _score("rand_score", labels_true, labels_pred)


def adjusted_rand_score(labels_true: Any, labels_pred: Any) -> float:
    """Rand index corrected for chance.

    Parameters
    ----------
    labels_true, labels_pred : array-like
        True and predicted label of each sample.

    Returns
    -------
    float
        The adjusted Rand index, in [-0.5, 1].

    Examples
    --------
    >>> adjusted_rand_score([0, 0, 1, 1], [0, 1, 0, 1])
    -0.5
    """
    return _score("adjusted_rand_score", labels_true, labels_pred)


def fowlkes_mallows_score(labels_true: Any, labels_pred: Any) -> float:
    """Geometric mean of pairwise precision and recall.

    Parameters
    ----------
    labels_true, labels_pred : array-like
        True and predicted label of each sample.

    Returns
    -------
    float
        The index, in [0, 1]. Identical clusterings score 1.

    Examples
    --------
    >>> fowlkes_mallows_score([0, 1, 2], [5, 6, 7])
    1.0
    """
    return _score("fowlkes_mallows_score", labels_true, labels_pred)


def homogeneity_score(labels_true: Any, labels_pred: Any) -> float:
    """Whether each predicted cluster contains samples of only one true class.

    Parameters
    ----------
    labels_true, labels_pred : array-like
        True and predicted label of each sample.

    Returns
    -------
    float
        The homogeneity, in [0, 1].

    Examples
    --------
    >>> homogeneity_score([0, 0, 1, 1], [0, 1, 2, 3])
    1.0
    """
    return _score("homogeneity_score", labels_true, labels_pred)


def completeness_score(labels_true: Any, labels_pred: Any) -> float:
    """Whether each true class is in one predicted cluster.

    Parameters
    ----------
    labels_true, labels_pred : array-like
        True and predicted label of each sample.

    Returns
    -------
    float
        The completeness, in [0, 1].

    Examples
    --------
    >>> completeness_score([0, 0, 1, 1], [0, 1, 2, 3])
    0.5
    """
    return _score("completeness_score", labels_true, labels_pred)


def v_measure_score(labels_true: Any, labels_pred: Any, *, beta: float = 1.0) -> float:
    """Weighted harmonic mean of homogeneity and completeness.

    Parameters
    ----------
    labels_true, labels_pred : array-like
        True and predicted label of each sample.
    beta : float, default=1.0
        Weight of completeness. Above 1, completeness counts more than homogeneity.

    Returns
    -------
    float
        The V-measure, in [0, 1].

    Examples
    --------
    >>> round(v_measure_score([0, 0, 1, 1], [0, 1, 2, 3]), 12)
    0.666666666667
    """
    index = _v_measure("v_measure_score", beta)
    return index.value(_profile("v_measure_score", labels_true, labels_pred))


def homogeneity_completeness_v_measure(
    labels_true: Any, labels_pred: Any, *, beta: float = 1.0
) -> tuple[float, float, float]:
    """Homogeneity, completeness and V-measure in one call.

    Parameters
    ----------
    labels_true, labels_pred : array-like
        True and predicted label of each sample.
    beta : float, default=1.0
        Weight of completeness. Above 1, completeness counts more than homogeneity.

    Returns
    -------
    (float, float, float)
        The three values.

    Examples
    --------
    >>> homogeneity_completeness_v_measure([0, 0, 1, 1], [1, 1, 0, 0])
    (1.0, 1.0, 1.0)
    """
    caller = "homogeneity_completeness_v_measure"
    v_measure = _v_measure(caller, beta)
    profile = _profile(caller, labels_true, labels_pred)
    homogeneity, completeness = _index("homogeneity_score"), _index("completeness_score")
    return homogeneity.value(profile), completeness.value(profile), v_measure.value(profile)


def mutual_info_score(labels_true: Any, labels_pred: Any, *, contingency: Any = None) -> float:
    """Mutual information of two clusterings in nats.

    Parameters
    ----------
    labels_true, labels_pred : array-like
        True and predicted label of each sample.
    contingency : array or sparse matrix, optional
        A contingency table instead of labels.

    Returns
    -------
    float
        The mutual information.

    Examples
    --------
    >>> round(mutual_info_score(None, None, contingency=[[2, 0], [0, 2]]), 4)
    0.6931
    """
    if contingency is None:
        return _score("mutual_info_score", labels_true, labels_pred)
    profile = profile_of_table("mutual_info_score", contingency)
    return _index("mutual_info_score").value(profile)


def normalized_mutual_info_score(
    labels_true: Any, labels_pred: Any, *, average_method: str = "arithmetic"
) -> float:
    """Mutual information divided by a mean of the two entropies.

    Parameters
    ----------
    labels_true, labels_pred : array-like
        True and predicted label of each sample.
    average_method : {"arithmetic", "geometric", "max", "min"}, default="arithmetic"
        Mean of the two entropies in the denominator.

    Returns
    -------
    float
        The value, in [0, 1]. It is not adjusted for chance.

    Examples
    --------
    >>> normalized_mutual_info_score([0, 0, 1, 1], [0, 1, 2, 3], average_method="max")
    0.5
    """
    caller = "normalized_mutual_info_score"
    require_average_method(caller, average_method)
    spelled = "" if average_method == "arithmetic" else f"(average_method={average_method!r})"
    return _index(f"{caller}{spelled}").value(_profile(caller, labels_true, labels_pred))


def adjusted_mutual_info_score(
    labels_true: Any, labels_pred: Any, *, average_method: str = "arithmetic"
) -> float:
    """Mutual information corrected for chance.

    Parameters
    ----------
    labels_true, labels_pred : array-like
        True and predicted label of each sample.
    average_method : {"arithmetic", "geometric", "max", "min"}, default="arithmetic"
        Mean of the two entropies in the denominator.

    Returns
    -------
    float
        The value, at most 1.

    Examples
    --------
    >>> adjusted_mutual_info_score([0, 1, 2, 3], [3, 2, 1, 0])
    1.0
    """
    caller = "adjusted_mutual_info_score"
    require_average_method(caller, average_method)
    index = _index(caller).bind(mean=average_method)
    return index.value(_profile(caller, labels_true, labels_pred))


def contingency_matrix(
    labels_true: Any,
    labels_pred: Any,
    *,
    eps: float | None = None,
    sparse: bool = False,
    dtype: Any = np.int64,
) -> Any:
    """Number of samples of each true class in each predicted cluster.

    Parameters
    ----------
    labels_true, labels_pred : array-like
        True and predicted label of each sample.
    eps : float, optional
        Added to every cell.
    sparse : bool, default=False
        Whether to return a CSR matrix of SciPy.
    dtype : dtype, default=np.int64
        Type of the counts.

    Returns
    -------
    array or sparse matrix
        The table, with rows and columns in sorted order.

    Examples
    --------
    >>> contingency_matrix([0, 0, 1, 1, 2, 2], [1, 0, 2, 1, 0, 2])
    array([[1, 1, 0],
           [0, 1, 1],
           [1, 0, 1]])
    """
    caller = "contingency_matrix"
    if eps is not None:
        require_non_negative(caller, "eps", eps, "a float in the range [0.0, inf) or None")
    wording = "an instance of 'bool' or an instance of 'numpy.bool'"
    require(isinstance(sparse, (bool, np.bool_)), caller, "sparse", wording, sparse)
    if eps is not None and sparse:
        raise ParameterError("Cannot set 'eps' when sparse=True")
    rows, columns = partitions(caller, labels_true, labels_pred)
    profile = compare(rows, columns)._counts.partitions
    table = profile.table
    row = ranks(rows, table.row_first)[table.row]
    column = ranks(columns, table.column_first)[table.column]
    counts, shape = as_dtype(table.n, dtype), (profile.rows, profile.columns)
    if sparse:
        try:
            from scipy.sparse import csr_matrix
        except ModuleNotFoundError:
            raise MissingExtraError(
                "contingency_matrix(sparse=True) needs SciPy, which is not installed; run: pip install scipy"
            ) from None
        return csr_matrix((counts, (row, column)), shape=shape)
    matrix = np.zeros(shape, dtype=counts.dtype)
    matrix[row, column] = counts
    return matrix if eps is None else matrix + eps


def pair_confusion_matrix(labels_true: Any, labels_pred: Any) -> NDArray[np.int64]:
    """Ordered pairs of samples by whether each clustering has them apart (0) or together (1).

    Parameters
    ----------
    labels_true, labels_pred : array-like
        True and predicted label of each sample.

    Returns
    -------
    array
        The 2 × 2 table.

    Examples
    --------
    >>> pair_confusion_matrix([0, 0, 1, 2], [0, 0, 1, 1])
    array([[8, 2],
           [0, 2]])
    """
    pairs = _profile("pair_confusion_matrix", labels_true, labels_pred).view(PairCounts)
    unordered = [[pairs.n00, pairs.n01], [pairs.n10, pairs.n11]]
    return np.array([[2 * count for count in row] for row in unordered], dtype=np.int64)


def entropy(labels: Any) -> float:
    """Entropy of a clustering in nats.

    Parameters
    ----------
    labels : array-like
        Label of each sample.

    Returns
    -------
    float
        The entropy. It is 1 for an empty list, as in scikit-learn.

    Examples
    --------
    >>> round(entropy([0, 0, 1, 1]), 4)
    0.6931
    """
    side = partition("entropy", "labels", labels)
    if not len(side):
        return _ENTROPY_OF_NOTHING
    return _index("cluster.entropy").value(compare(side, side)._counts)


def expected_mutual_information(contingency: Any, n_samples: int) -> float:
    """Mean mutual information over all tables with the same row and column sums.

    Parameters
    ----------
    contingency : array or sparse matrix
        The contingency table.
    n_samples : int
        The sum of its cells.

    Returns
    -------
    float
        The mean in nats.

    Raises
    ------
    InputError
        If `n_samples` is not the sum of the cells.

    Examples
    --------
    >>> import numpy
    >>> round(expected_mutual_information(numpy.array([[1, 2], [3, 4]]), 10), 6)
    0.066352
    """
    profile = profile_of_table("expected_mutual_information", contingency)
    if profile.size != n_samples:
        raise InputError(
            f"n_samples={n_samples!r}, but the cells of the contingency table add up to {profile.size}"
        )
    return profile.view(Shuffled).expected


def check_clusterings(labels_true: Any, labels_pred: Any) -> tuple[NDArray[Any], NDArray[Any]]:
    """Convert both label lists to one-dimensional arrays of equal length.

    It warns if labels look like measurements.

    Parameters
    ----------
    labels_true, labels_pred : array-like
        True and predicted label of each sample.

    Returns
    -------
    (array, array)
        The two arrays.

    Raises
    ------
    LabelError
        If labels are not one-dimensional, or not finite.
    LengthError
        If the lengths differ.

    Examples
    --------
    >>> [labels.tolist() for labels in check_clusterings([0, 1], (1, 1))]
    [[0, 1], [1, 1]]
    """
    arrays = vector("labels_true", labels_true), vector("labels_pred", labels_pred)
    require_equal_lengths(*arrays)
    warn_of_measurements(*arrays)
    return arrays


@cache
def _index(name: str) -> Index:
    """The index that scikit-learn knows by this name."""
    (found,) = (index for library, index in INDICES.known_elsewhere(name) if library == "scikit-learn")
    return found


def _v_measure(caller: str, beta: float) -> Index:
    require_non_negative(caller, "beta", beta, "a float in the range [0.0, inf)")
    # scikit-learn takes beta=0 too: homogeneity alone, and 0 where nothing is shared.
    return replace(_index("v_measure_score"), arguments={"beta": beta}, undefined=0.0)


def _score(name: str, labels_true: Any, labels_pred: Any) -> float:
    return _index(name).value(_profile(name, labels_true, labels_pred))


def _profile(caller: str, labels_true: Any, labels_pred: Any) -> Profile:
    rows, columns = partitions(caller, labels_true, labels_pred)
    warn_of_measurements(rows.originals, columns.originals)
    profile: Profile = compare(rows, columns)._counts.partitions
    return profile
