"""The face of scikit-learn against scikit-learn: its own tests, its signatures, its values, its errors."""

import importlib.util
import inspect
import math
import pickle
import re
import sys
import types
import warnings

import numpy as np
import pandas as pd
import pytest
from cases import every_case
from scipy import sparse
from sklearn.cluster import KMeans
from sklearn.metrics import cluster as theirs
from sklearn.metrics import make_scorer
from sklearn.metrics.cluster import _supervised
from sklearn.model_selection import cross_validate
from universe import LARGEST, pairs, reordered

from concordant.compat import sklearn as ours
from concordant.errors import (
    ConcordantError,
    InputError,
    LabelError,
    LengthError,
    MissingExtraError,
    ParameterError,
)

AVERAGE_METHODS = ("arithmetic", "geometric", "max", "min")
SCORES = [
    *((name, {}) for name in ("rand_score", "adjusted_rand_score", "fowlkes_mallows_score")),
    *((name, {}) for name in ("homogeneity_score", "completeness_score", "mutual_info_score")),
    *(("v_measure_score", {"beta": beta}) for beta in (0.0, 0.3, 1.0, 2)),
    *(("normalized_mutual_info_score", {"average_method": method}) for method in AVERAGE_METHODS),
    *(("adjusted_mutual_info_score", {"average_method": method}) for method in AVERAGE_METHODS),
]
SCORE_IDS = [f"{name}-{'-'.join(map(str, arguments.values()))}" for name, arguments in SCORES]

U = [1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3]
V = [1, 1, 1, 1, 2, 1, 2, 2, 2, 2, 3, 1, 3, 3, 3, 2, 2]


# Where ours is meant to differ; each is listed on docs/migration-scikit-learn.md.
CORRECTIONS = {
    "test_public_entropy_deprecation": "entropy is here to stay, so it does not warn that it will be removed",
}


# Of one clustering and its data.
UNRELATED_TESTS = {"test_array_api_compliance"}


def with_our_functions(name):
    """A fresh copy of a test module of scikit-learn that imports our functions in place of its own."""
    spec = importlib.util.find_spec(f"sklearn.metrics.cluster.tests.{name}")
    copy = importlib.util.module_from_spec(spec)
    unrelated = types.SimpleNamespace(check_array_api_metric=None)
    parametrize = pytest.mark.parametrize
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "sklearn.metrics.tests.test_common", unrelated)  # large, and not needed
        # Of iterators pytest makes lists, but with a warning.
        patch.setattr(pytest.mark, "parametrize", lambda names, values: parametrize(names, list(values)))
        for each in ours.__all__:
            patch.setattr(theirs, each, getattr(ours, each))
            patch.setattr(_supervised, each, getattr(ours, each))
        patch.setattr(_supervised, "check_clusterings", ours.check_clusterings)
        patch.setattr(_supervised, "_entropy", ours.entropy, raising=False)
        spec.loader.exec_module(copy)
    return copy


def own_tests(module):
    """Its tests, ready to be collected here, the corrections marked."""
    found = {name: test for name, test in vars(module).items() if name.startswith("test_")}
    for name in UNRELATED_TESTS & set(found):
        del found[name]
    for name, reason in CORRECTIONS.items():
        if name in found:
            found[name] = pytest.mark.skip(reason=reason)(found[name])
    return found


SUPERVISED = with_our_functions("test_supervised")
COMMON = with_our_functions("test_common")

globals().update({f"test_supervised__{name}": test for name, test in own_tests(SUPERVISED).items()})
globals().update({f"test_common__{name}": test for name, test in own_tests(COMMON).items()})


def test_their_tests_run_on_our_functions():
    assert len(own_tests(SUPERVISED)) >= 30
    assert len(own_tests(COMMON)) >= 9
    for module in (SUPERVISED, COMMON):
        taken = {name: vars(module)[name] for name in ours.__all__ if name in vars(module)}
        assert len(taken) >= 9
        assert all(function is getattr(ours, name) for name, function in taken.items())
    assert set(SUPERVISED.score_funcs) <= set(map(vars(ours).get, ours.__all__))
    assert theirs.rand_score is not ours.rand_score


UNRELATED = {  # of biclusters, or of one clustering and the data
    "calinski_harabasz_score",
    "consensus_score",
    "davies_bouldin_score",
    "silhouette_samples",
    "silhouette_score",
}


def test_every_name_that_compares_two_clusterings():
    assert set(theirs.__all__) - UNRELATED <= set(ours.__all__)
    assert all(callable(getattr(ours, name)) for name in ours.__all__)


@pytest.mark.parametrize("name", ours.__all__)
def test_signatures(name):
    def shape(function):
        parameters = inspect.signature(function).parameters.values()
        return [(parameter.name, parameter.kind, parameter.default) for parameter in parameters]

    function = getattr(ours, name)
    assert shape(function) == shape(getattr(theirs, name))
    assert pickle.loads(pickle.dumps(function)) is function
    assert function.__doc__


def both(name, u, v, **arguments):
    return getattr(theirs, name)(u, v, **arguments), getattr(ours, name)(u, v, **arguments)


def is_corrected(name, arguments, u, v):
    """Whether the migration page says that the values differ for these partitions."""
    rows, columns, size = len(set(u)), len(set(v)), len(u)
    if name == "fowlkes_mallows_score":
        return rows == columns == size
    if name == "mutual_info_score":
        return size == 0
    if name == "v_measure_score":
        return arguments["beta"] == 0 and rows == 1 < columns
    if name == "adjusted_mutual_info_score":
        return max(rows, columns) == size > min(rows, columns)
    return False


@pytest.mark.parametrize(("name", "arguments"), SCORES, ids=SCORE_IDS)
def test_all_small_partitions(name, arguments):
    for size in range(LARGEST):  # scikit-learn is slow; the laws cover the largest
        for (u, v), _ in reordered(size):  # it asks for no order of the clusters
            if not is_corrected(name, arguments, u, v):
                expected, value = both(name, list(u), list(v), **arguments)
                assert value == pytest.approx(expected, rel=1e-10, abs=1e-12), (u, v)


@pytest.mark.parametrize(("name", "arguments"), SCORES, ids=SCORE_IDS)
def test_random_partitions(name, arguments):
    for seed in range(10):
        random = np.random.default_rng(seed)
        size = int(random.integers(6, 300))
        u, v = (random.integers(0, random.integers(2, size // 2 + 2), size) for _ in "uv")
        expected, value = both(name, u, v, **arguments)
        assert type(value) is float
        assert value == pytest.approx(expected, rel=1e-9, abs=1e-11), seed


@pytest.mark.parametrize("seed", range(10))
def test_the_three_at_once(seed):
    random = np.random.default_rng(seed)
    u, v = random.integers(0, 6, 50), random.integers(0, 9, 50)
    expected, values = both("homogeneity_completeness_v_measure", u, v, beta=0.7)
    assert values == pytest.approx(expected, rel=1e-12)
    assert values == (
        ours.homogeneity_score(u, v),
        ours.completeness_score(u, v),
        ours.v_measure_score(u, v, beta=0.7),
    )


@pytest.mark.parametrize(
    ("u", "v"),
    [
        (U, V),
        ([], []),
        ([0], [7]),
        (["b", "a", "a", "c"], [3, -1, 3, 10]),
        ([2.0, 1.0, 1.0], [True, False, True]),
        (np.array(["z", "y", "z"], dtype=object), np.array([9, 8, 7], dtype=np.uint8)),
        (pd.Series([3, 1, 2], index=[7, 8, 9]), pd.Categorical(["b", "a", "b"])),
        (np.array(["2024-02-01", "2024-01-01"], dtype="M8[D]"), range(2)),
        ((1, "a", 1), ["x", "y", "x"]),
    ],
)
def test_contingency_matrix(u, v):
    expected, value = both("contingency_matrix", u, v)
    assert type(value) is np.ndarray
    assert value.dtype == expected.dtype
    np.testing.assert_array_equal(value, expected)
    expected, value = both("contingency_matrix", u, v, sparse=True)
    assert type(value) is type(expected)
    assert value.dtype == expected.dtype
    assert value.has_canonical_format
    np.testing.assert_array_equal(value.toarray(), expected.toarray())


@pytest.mark.parametrize(
    "options", [{"eps": 0.5}, {"eps": 0}, {"dtype": float}, {"dtype": bool}, {"dtype": "i2"}]
)
def test_contingency_matrix_options(options):
    expected, value = both("contingency_matrix", U, V, **options)
    assert value.dtype == expected.dtype
    np.testing.assert_array_equal(value, expected)


def test_contingency_matrix_of_labels_without_an_order():
    mixed = np.array([1, "b", "1", 1], dtype=object)
    assert ours.contingency_matrix(mixed, [0, 0, 1, 1]).tolist() == [[1, 1], [0, 1], [1, 0]]


def test_contingency_matrix_does_not_overflow():
    with pytest.raises(ParameterError, match="int8 cannot hold a count of 300"):
        ours.contingency_matrix([1] * 300, [1] * 300, dtype=np.int8)


def test_sparse_contingency_matrix_without_scipy(monkeypatch):
    monkeypatch.setitem(sys.modules, "scipy.sparse", None)
    with pytest.raises(MissingExtraError, match="pip install scipy"):
        ours.contingency_matrix(U, V, sparse=True)


def test_pair_confusion_matrix():
    for size in range(LARGEST):
        for u, v in pairs(size):
            expected, value = both("pair_confusion_matrix", list(u), list(v))
            assert value.dtype == expected.dtype
            np.testing.assert_array_equal(value, expected)


def test_entropy():
    for labels in (U, V, [0], ["a", "b"], np.array([1.0, 2.0, 2.0])):
        assert ours.entropy(labels) == pytest.approx(_supervised._entropy(np.asarray(labels)), rel=1e-14)
    assert ours.entropy([]) == _supervised._entropy(np.array([])) == 1.0


TABLES = [[[1, 2], [3, 4]], [[5, 0, 2], [0, 1, 0]], [[0, 3], [0, 4]], [[70000]], [[2.0, 1.0], [1.0, 3.0]]]
KINDS = [np.array, sparse.csr_matrix, sparse.csc_array, sparse.coo_matrix, sparse.coo_array]


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("kind", [list, *KINDS])
def test_mutual_info_score_of_a_table(table, kind):
    given = kind(table)
    value = ours.mutual_info_score(None, None, contingency=given)
    expected = theirs.mutual_info_score(None, None, contingency=given)
    assert value == pytest.approx(expected, rel=1e-10, abs=1e-14)


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("kind", KINDS)
def test_expected_mutual_information(table, kind):
    table = np.array(table)[:, np.any(table, axis=0)]  # scikit-learn takes the logarithm of empty columns
    size = int(table.sum())
    expected = theirs.expected_mutual_information(table, size)
    value = ours.expected_mutual_information(kind(table), size)
    assert type(value) is float
    assert value == pytest.approx(expected, rel=1e-10, abs=1e-14)


def test_tables_of_any_size():
    large = [[5 * 10**9, 10**9], [10**9, 5 * 10**9]]
    small = ours.mutual_info_score(None, None, contingency=[[5, 1], [1, 5]])
    assert ours.mutual_info_score(None, None, contingency=large) == pytest.approx(small, rel=1e-14)


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ([1, 2], "Expected 2D array, got 1D array instead"),
        ([[1.5, 2]], "cell (0, 0) of the contingency table is 1.5"),
        ([[1, -1]], "cell (0, 1) of the contingency table is -1"),
        ([[math.nan, 1]], "is nan"),
        ([["a", "b"]], "contains counts"),
        ([[1, 2], [3]], "a contingency table must be 2D, with rows of equal length: setting"),
        ("ab", "The 'contingency' parameter of mutual_info_score must be an array-like, a sparse array"),
    ],
)
def test_tables_that_are_none(table, message):
    with pytest.raises(ValueError, match=re.escape(message)) as raised:
        ours.mutual_info_score(None, None, contingency=table)
    assert isinstance(raised.value, ConcordantError)


def test_expected_mutual_information_checks_the_size():
    with pytest.raises(InputError, match=r"n_samples=12, but .* add up to 10"):
        ours.expected_mutual_information(np.array([[1, 2], [3, 4]]), 12)


def test_corrected_values():
    singletons = [0, 1, 2, 3]
    assert both("fowlkes_mallows_score", singletons, singletons) == (0.0, 1.0)
    assert both("fowlkes_mallows_score", [0], [0]) == (0.0, 1.0)
    assert ours.mutual_info_score([], []) == 0.0
    assert ours.v_measure_score([0, 0, 0], [0, 1, 1], beta=0) == 0.0
    assert ours.homogeneity_score([0, 1, 2, 2, 2], [0, 1, 2, 3, 3]) == 1.0
    assert ours.adjusted_rand_score(["1", 1], [0, 1]) == 1.0


@pytest.mark.parametrize("average_method", AVERAGE_METHODS)
def test_singletons_share_no_more_than_chance(average_method):
    u, v = list(range(10)), [0, 0, *range(1, 9)]
    for pair in ((u, v), (v, u)):
        assert ours.adjusted_mutual_info_score(*pair, average_method=average_method) == 0.0


PAIRWISE = [name for name in ours.__all__ if name not in ("entropy", "expected_mutual_information")]


@every_case(
    ("u", "v", "error", "message"),
    [
        ([0, 1], [1, 1, 1], LengthError, "Found input variables with inconsistent numbers of samples: [2,"),
        ([[0, 1], [1, 0]], [0, 1], LabelError, "labels_true must be 1D: shape is (2, 2)"),
        ([0, 1], [[0], [1]], LabelError, "labels_pred must be 1D: shape is (2, 1)"),
        ({0, 1}, [0, 1], LabelError, "labels_true must be 1D: shape is ()"),
        ([0, 1], [math.nan, 1], LabelError, "Input contains NaN. The first is at position 0 of labels_pred"),
        ([math.inf, 1], [0, 1], LabelError, "Input contains infinity or a value too large for dtype("),
        ([1j, 2], [0, 1], LabelError, "Complex data not supported"),
        ([[0, 1], [1]], [0, 1], LabelError, "labels_true must be 1D, with one label for each sample"),
        ([0, 1], [0, [1]], LabelError, "labels_pred must be 1D, with one label for each sample: setting"),
        (["a", None], [0, 1], LabelError, "labels_true: the label at position 1 is missing"),
        ([{1}, {2}], [0, 1], LabelError, "use Partition.from_clusters"),
        ("ab", [0, 1], ParameterError, "must be an array-like. Got 'ab' instead."),
        (None, [0, 1], ParameterError, "must be an array-like. Got None instead."),
        ([0, 1], 3, ParameterError, "The 'labels_pred' parameter of "),
        (np.ma.array([1, 2], mask=[0, 1]), [0, 1], LabelError, "position 1 is missing (masked)"),
    ],
)
def test_bad_labels(u, v, error, message):
    for name in PAIRWISE:
        with pytest.raises(error, match=re.escape(message)) as raised:
            getattr(ours, name)(u, v)
        assert isinstance(raised.value, ValueError)


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("v_measure_score", {"beta": -1}),
        ("v_measure_score", {"beta": "a"}),
        ("v_measure_score", {"beta": math.inf}),
        ("homogeneity_completeness_v_measure", {"beta": math.nan}),
        ("contingency_matrix", {"eps": -0.1}),
        ("contingency_matrix", {"eps": "a"}),
        ("contingency_matrix", {"sparse": 2}),
        ("contingency_matrix", {"eps": 0.1, "sparse": True}),
    ],
)
def test_bad_parameters_get_the_same_text(name, arguments):
    with pytest.raises(ValueError) as expected:
        getattr(theirs, name)(U, V, **arguments)
    with pytest.raises(ParameterError) as raised:
        getattr(ours, name)(U, V, **arguments)
    assert str(raised.value) == str(expected.value)


@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("dtype", ["bogus", 3, "U5", object, "datetime64[s]"])
def test_a_dtype_that_holds_no_counts(dtype, sparse):
    with pytest.raises((TypeError, ValueError)) as expected:
        theirs.contingency_matrix(U, V, dtype=dtype, sparse=sparse)
    with pytest.raises(ParameterError, match=r"^dtype=.* of contingency_matrix") as raised:
        ours.contingency_matrix(U, V, dtype=dtype, sparse=sparse)
    assert isinstance(raised.value, type(expected.value))


@pytest.mark.parametrize("name", ["normalized_mutual_info_score", "adjusted_mutual_info_score"])
@pytest.mark.parametrize("method", ["median", None, 1])
def test_bad_average_method(name, method):
    with pytest.raises(ParameterError, match=f"The 'average_method' parameter of {name} must be a str among"):
        getattr(ours, name)(U, V, average_method=method)


@pytest.mark.parametrize(
    ("u", "v"),
    [
        ([0.5, 1.5, 2.5], [0, 1, 1]),
        ([0, 1, 2], [0.5, 1, 1]),
        (["a", "b", "b"], [0.5, 1, 1]),
    ],
)
def test_measurements_are_warned_of_in_the_same_words(u, v):
    with pytest.warns(UserWarning, match="expects discrete values") as expected:
        theirs.rand_score(u, v)
    with pytest.warns(UserWarning, match="expects discrete values") as caught:
        ours.rand_score(u, v)
    assert [str(each.message) for each in caught] == [str(each.message) for each in expected]


def test_whole_floats_are_labels():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert ours.rand_score([0.0, 1.0], [2.0, 3.0]) == 1.0
        ours.contingency_matrix([0.5, 1.0], [2.0, 3.0])  # scikit-learn counts measurements in silence


def test_series_align_by_position():
    u, v = pd.Series([0, 0, 1], index=[2, 1, 0]), pd.Series([0, 0, 1])
    assert ours.adjusted_rand_score(u, v) == theirs.adjusted_rand_score(u, v) == 1.0


POINTS = np.concatenate([np.random.default_rng(0).normal(center, 0.3, (20, 2)) for center in (0, 3, 6)])
CLASSES = np.repeat([0, 1, 2], 20)


def test_cross_validation():
    """Every score of both libraries on the same fits."""
    scoring = {
        f"{library.__name__} {number}": make_scorer(getattr(library, name), **arguments)
        for library in (ours, theirs)
        for number, (name, arguments) in enumerate(SCORES)
    }
    order = np.random.default_rng(1).permutation(len(CLASSES))
    estimator = KMeans(3, n_init=1, random_state=0)
    scores = cross_validate(estimator, POINTS[order], CLASSES[order], scoring=scoring, cv=3)
    for number, score in enumerate(SCORES):
        found, expected = (scores[f"test_{library.__name__} {number}"] for library in (ours, theirs))
        np.testing.assert_allclose(found, expected, rtol=1e-12, err_msg=str(score))
