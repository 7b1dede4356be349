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

import warnings
from dataclasses import replace
from functools import cache
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.catalogue.index import INDICES, Index
from concordant.comparisons import compare
from concordant.counts.pairs import Pairs
from concordant.counts.profile import Profile
from concordant.errors import InputError, LabelError, LengthError, MissingExtraError, ParameterError
from concordant.partitions.labels import encode
from concordant.partitions.partition import LabelPartition
from concordant.views.chance import Shuffled

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

_AVERAGE_METHODS = ("arithmetic", "geometric", "max", "min")

# scikit-learn's entropy of no labels.
_ENTROPY_OF_NOTHING = 1.0


# -- scores ---------------------------------------------------------------------------------------


def rand_score(labels_true: Any, labels_pred: Any) -> float:
    """Share of the pairs of samples that both clusterings keep together or both keep apart.

    >>> rand_score([0, 0, 1, 1], [0, 0, 1, 2])
    0.8333333333333334
    """
    return _score("rand_score", labels_true, labels_pred)


def adjusted_rand_score(labels_true: Any, labels_pred: Any) -> float:
    """The Rand index corrected for chance, in [-0.5, 1].

    >>> adjusted_rand_score([0, 0, 1, 1], [0, 1, 0, 1])
    -0.5
    """
    return _score("adjusted_rand_score", labels_true, labels_pred)


def fowlkes_mallows_score(labels_true: Any, labels_pred: Any) -> float:
    """Geometric mean of pairwise precision and recall; 1 for identical clusterings of any kind.

    >>> fowlkes_mallows_score([0, 1, 2], [5, 6, 7])
    1.0
    """
    return _score("fowlkes_mallows_score", labels_true, labels_pred)


def homogeneity_score(labels_true: Any, labels_pred: Any) -> float:
    """Whether each predicted cluster holds samples of one true class only.

    >>> homogeneity_score([0, 0, 1, 1], [0, 1, 2, 3])
    1.0
    """
    return _score("homogeneity_score", labels_true, labels_pred)


def completeness_score(labels_true: Any, labels_pred: Any) -> float:
    """Whether each true class is kept together in one predicted cluster.

    >>> completeness_score([0, 0, 1, 1], [0, 1, 2, 3])
    0.5
    """
    return _score("completeness_score", labels_true, labels_pred)


def v_measure_score(labels_true: Any, labels_pred: Any, *, beta: float = 1.0) -> float:
    """Weighted harmonic mean of homogeneity and completeness; beta above 1 weighs completeness more.

    >>> round(v_measure_score([0, 0, 1, 1], [0, 1, 2, 3]), 12)
    0.666666666667
    """
    index = _v_measure("v_measure_score", beta)
    return index.value(_profile("v_measure_score", labels_true, labels_pred))


def homogeneity_completeness_v_measure(
    labels_true: Any, labels_pred: Any, *, beta: float = 1.0
) -> tuple[float, float, float]:
    """All three values, from one count.

    >>> homogeneity_completeness_v_measure([0, 0, 1, 1], [1, 1, 0, 0])
    (1.0, 1.0, 1.0)
    """
    caller = "homogeneity_completeness_v_measure"
    v_measure = _v_measure(caller, beta)
    profile = _profile(caller, labels_true, labels_pred)
    homogeneity, completeness = _index("homogeneity_score"), _index("completeness_score")
    return homogeneity.value(profile), completeness.value(profile), v_measure.value(profile)


def mutual_info_score(labels_true: Any, labels_pred: Any, *, contingency: Any = None) -> float:
    """Mutual information in nats, of labels or of a contingency table, dense or sparse.

    >>> round(mutual_info_score(None, None, contingency=[[2, 0], [0, 2]]), 4)
    0.6931
    """
    if contingency is None:
        return _score("mutual_info_score", labels_true, labels_pred)
    profile = _profile_of_table("mutual_info_score", contingency)
    return _index("mutual_info_score").value(profile)


def normalized_mutual_info_score(
    labels_true: Any, labels_pred: Any, *, average_method: str = "arithmetic"
) -> float:
    """Mutual information relative to a mean of the two entropies; not adjusted for chance.

    >>> normalized_mutual_info_score([0, 0, 1, 1], [0, 1, 2, 3], average_method="max")
    0.5
    """
    caller = "normalized_mutual_info_score"
    _require_average_method(caller, average_method)
    spelled = "" if average_method == "arithmetic" else f"(average_method={average_method!r})"
    return _index(f"{caller}{spelled}").value(_profile(caller, labels_true, labels_pred))


def adjusted_mutual_info_score(
    labels_true: Any, labels_pred: Any, *, average_method: str = "arithmetic"
) -> float:
    """Mutual information corrected for chance, relative to a mean of the two entropies.

    >>> adjusted_mutual_info_score([0, 1, 2, 3], [3, 2, 1, 0])
    1.0
    """
    caller = "adjusted_mutual_info_score"
    _require_average_method(caller, average_method)
    index = _index(caller).bind(mean=average_method)
    return index.value(_profile(caller, labels_true, labels_pred))


# -- what scores are made of ----------------------------------------------------------------------


def contingency_matrix(
    labels_true: Any,
    labels_pred: Any,
    *,
    eps: float | None = None,
    sparse: bool = False,
    dtype: Any = np.int64,
) -> Any:
    """How many samples each true class and each predicted cluster share; rows and columns in sorted order.

    A NumPy array, or SciPy's CSR matrix if ``sparse``. ``eps`` is added to every cell.

    >>> contingency_matrix([0, 0, 1, 1, 2, 2], [1, 0, 2, 1, 0, 2])
    array([[1, 1, 0],
           [0, 1, 1],
           [1, 0, 1]])
    """
    caller = "contingency_matrix"
    if eps is not None:
        _require_non_negative(caller, "eps", eps, "a float in the range [0.0, inf) or None")
    wording = "an instance of 'bool' or an instance of 'numpy.bool'"
    _require(isinstance(sparse, (bool, np.bool_)), caller, "sparse", wording, sparse)
    if eps is not None and sparse:
        raise ParameterError("Cannot set 'eps' when sparse=True")
    rows, columns = _partitions(caller, labels_true, labels_pred)
    profile = compare(rows, columns).counts.partitions
    table = profile.table
    row = _ranks(rows, table.row_first)[table.row]
    column = _ranks(columns, table.column_first)[table.column]
    counts, shape = _as_dtype(table.n, dtype), (profile.rows, profile.columns)
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
    """Ordered pairs of samples, by whether each clustering keeps them apart (0) or together (1).

    >>> pair_confusion_matrix([0, 0, 1, 2], [0, 0, 1, 1])
    array([[8, 2],
           [0, 2]])
    """
    pairs = _profile("pair_confusion_matrix", labels_true, labels_pred).view(Pairs)
    unordered = [[pairs.n00, pairs.n01], [pairs.n10, pairs.n11]]
    return np.array([[2 * count for count in row] for row in unordered], dtype=np.int64)


def entropy(labels: Any) -> float:
    """The entropy of a clustering in nats; scikit-learn's value for no labels is 1.

    >>> round(entropy([0, 0, 1, 1]), 4)
    0.6931
    """
    partition = _partition("entropy", "labels", labels)
    if not len(partition):
        return _ENTROPY_OF_NOTHING
    return _index("cluster.entropy").value(compare(partition, partition).counts)


def expected_mutual_information(contingency: Any, n_samples: int) -> float:
    """Mean mutual information of all tables with the row and column sums of this one.

    >>> import numpy
    >>> round(expected_mutual_information(numpy.array([[1, 2], [3, 4]]), 10), 6)
    0.066352
    """
    profile = _profile_of_table("expected_mutual_information", contingency)
    if profile.size != n_samples:
        raise InputError(
            f"n_samples={n_samples!r}, but the cells of the contingency table add up to {profile.size}"
        )
    return profile.view(Shuffled).expected


# -- from labels to profiles ----------------------------------------------------------------------


def check_clusterings(labels_true: Any, labels_pred: Any) -> tuple[NDArray[Any], NDArray[Any]]:
    """Both as arrays of one dimension and equal length; warns of labels that look like measurements."""
    arrays = _vector("labels_true", labels_true), _vector("labels_pred", labels_pred)
    _require_equal_lengths(*arrays)
    _warn_of_measurements(*arrays)
    return arrays


@cache
def _index(name: str) -> Index:
    """The index that scikit-learn knows by this name."""
    (found,) = (index for library, index in INDICES.known_elsewhere(name) if library == "scikit-learn")
    return found


def _v_measure(caller: str, beta: float) -> Index:
    _require_non_negative(caller, "beta", beta, "a float in the range [0.0, inf)")
    # scikit-learn takes beta=0 too: homogeneity alone, and 0 where nothing is shared.
    return replace(_index("v_measure_score"), arguments={"beta": beta}, undefined=0.0)


def _score(name: str, labels_true: Any, labels_pred: Any) -> float:
    return _index(name).value(_profile(name, labels_true, labels_pred))


def _profile(caller: str, labels_true: Any, labels_pred: Any) -> Profile:
    rows, columns = _partitions(caller, labels_true, labels_pred)
    _warn_of_measurements(rows.originals, columns.originals)
    return compare(rows, columns).counts.partitions


def _profile_of_table(caller: str, contingency: Any) -> Profile:
    if hasattr(contingency, "tocoo"):
        return Profile.from_contingency(contingency)
    wording = "an array-like, a sparse array or matrix or None"
    _require(_is_array_like(contingency), caller, "contingency", wording, contingency)
    try:
        table = np.asarray(contingency)
    except (TypeError, ValueError) as error:
        raise InputError(f"a contingency table must be 2D, with rows of equal length: {error}") from None
    if table.ndim != 2:
        raise InputError(
            f"Expected 2D array, got {table.ndim}D array instead: a contingency table has a row "
            "for each class and a column for each cluster"
        )
    if table.dtype.kind not in "biuf":
        raise InputError(f"a contingency table holds counts, not values of dtype {table.dtype}")
    return Profile.from_contingency(table)


def _partitions(caller: str, labels_true: Any, labels_pred: Any) -> tuple[LabelPartition, LabelPartition]:
    rows = _partition(caller, "labels_true", labels_true)
    columns = _partition(caller, "labels_pred", labels_pred)
    _require_equal_lengths(rows.originals, columns.originals)
    return rows, columns


def _partition(caller: str, name: str, labels: Any) -> LabelPartition:
    _require(_is_array_like(labels), caller, name, "an array-like", labels)
    array = _vector(name, labels)
    # NumPy makes strings of mixed labels and floats of large integers, so only plain integers go that way.
    is_plain = isinstance(labels, (list, tuple, range)) and array.dtype.kind in "biu"
    return LabelPartition(encode(array if is_plain else labels, name).codes, array)


def _vector(name: str, labels: Any) -> NDArray[Any]:
    try:
        array = np.asarray(labels)
    except (TypeError, ValueError) as error:
        raise LabelError(f"{name} must be 1D, with one label for each sample: {error}") from None
    if array.ndim != 1:
        raise LabelError(f"{name} must be 1D: shape is {array.shape!r}")
    if array.dtype.kind == "c":
        raise LabelError(f"Complex data not supported: {name} are complex numbers")
    if array.dtype.kind == "f" and not np.isfinite(array).all():
        position = int(np.flatnonzero(~np.isfinite(array))[0])
        what = "NaN" if np.isnan(array).any() else f"infinity or a value too large for {array.dtype!r}"
        raise LabelError(f"Input contains {what}. The first is at position {position} of {name}.")
    return array


def _require_equal_lengths(rows: NDArray[Any], columns: NDArray[Any]) -> None:
    lengths = [len(rows), len(columns)]
    if lengths[0] != lengths[1]:
        raise LengthError(f"Found input variables with inconsistent numbers of samples: {lengths}")


def _warn_of_measurements(rows: NDArray[Any], columns: NDArray[Any]) -> None:
    if not (_is_continuous(rows) or _is_continuous(columns)):
        return
    warnings.warn(
        f"Clustering metrics expects discrete values but received {_type_of_target(rows)} values for label, "
        f"and {_type_of_target(columns)} values for target",
        UserWarning,
        stacklevel=4,
    )


def _is_continuous(array: NDArray[Any]) -> bool:
    return array.dtype.kind == "f" and bool((array != np.trunc(array)).any())


def _type_of_target(array: NDArray[Any]) -> str:
    if _is_continuous(array):
        return "continuous"
    return "multiclass" if len(set(array.tolist())) > 2 else "binary"


# -- from profiles to matrices ----------------------------------------------------------------------


def _ranks(side: LabelPartition, first: Any) -> NDArray[np.int64]:
    """The place of each cluster when they are sorted by label, given an element of each."""
    labels = side.originals[first]
    try:
        order = np.argsort(labels, kind="stable")
    except TypeError:  # labels that have no order among them, such as 1 and "a"
        order = np.argsort([str(label) for label in labels], kind="stable")
    ranks = np.empty(len(order), dtype=np.int64)
    ranks[order] = np.arange(len(order))
    return ranks


def _as_dtype(counts: NDArray[Any], dtype: Any) -> NDArray[Any]:
    try:
        wanted = np.dtype(dtype)
    except (TypeError, ValueError) as error:
        raise ParameterError(
            f"dtype={dtype!r} of contingency_matrix is not one that NumPy knows: {error}"
        ) from None
    if wanted.kind not in "biufc":
        raise ParameterError(f"dtype={wanted.name} of contingency_matrix cannot hold counts; use a number's")
    if wanted.kind in "iu" and len(counts) and int(counts.max()) > np.iinfo(wanted).max:
        raise ParameterError(f"dtype={wanted.name} cannot hold a count of {counts.max()}; use a wider one")
    return counts.astype(wanted)


# -- what parameters must be ------------------------------------------------------------------------


def _require(holds: bool, caller: str, name: str, wording: str, value: Any) -> None:
    if not holds:
        raise ParameterError(f"The {name!r} parameter of {caller} must be {wording}. Got {value!r} instead.")


def _is_array_like(value: Any) -> bool:
    has_elements = any(hasattr(value, each) for each in ("__len__", "shape", "__array__"))
    return has_elements and not np.isscalar(value) and not hasattr(value, "tocoo")


def _require_non_negative(caller: str, name: str, value: Any, wording: str) -> None:
    _require(isinstance(value, Real) and 0 <= float(value) < np.inf, caller, name, wording, value)


def _require_average_method(caller: str, value: Any) -> None:
    known = isinstance(value, str) and value in _AVERAGE_METHODS
    choices = ", ".join(map(repr, _AVERAGE_METHODS))
    _require(known, caller, "average_method", f"a str among {{{choices}}}", value)
