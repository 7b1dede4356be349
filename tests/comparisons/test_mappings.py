"""Every result that holds indices is the same read-only mapping."""

import copy
import pickle

import pytest
from inner import all_indices

import concordant as cc
from concordant.errors import (
    CoverError,
    HierarchyError,
    NotANumberError,
    ParameterError,
    ReadOnlyError,
    SoftError,
    UndefinedError,
    UnmatchedError,
    WeightsError,
)

U = [[0, 1, 1.0, 2], [2, 3, 2.0, 2], [4, 5, 4.0, 4]]
V = [[0, 1, 1.0, 2], [2, 4, 2.0, 3], [3, 5, 4.0, 4]]
MISSING = object()


def partitions():
    return cc.compare([0, 0, 1, 1], [0, 1, 1, 1])


def soft():
    return cc.compare(cc.Soft.from_matrix([[0.9, 0.1], [0.7, 0.3], [0.2, 0.8]]), [0, 0, 1])


def trees():
    return cc.compare(cc.Hierarchy.from_linkage(U), cc.Hierarchy.from_linkage(V))


def tree_and_partition():
    return cc.compare([0, 0, 1, 1], cc.Hierarchy.from_linkage(V))


def live():
    return cc.Live().add(0, 0).add(0, 1).add(1, 1)


def references():
    return cc.compare_references([[0, 0, 1, 1], [0, 0, 0, 1]], [0, 0, 1, 2])


def estimates():
    guess = {1: 1, 2: 1, 3: 2, 4: 3, 5: 2, 6: 4, 7: 4, 8: 4}
    return cc.estimate({1: "x", 2: "x", 3: "x", 4: "y", 5: "y", 8: "z"}, guess, sampling="clusters")


def judgements():
    d = cc.diff([0, 0, 1, 1], [0, 0, 1, 2])
    questions = d.ask(n_questions=1)
    answers = [{**each, "same": "yes"} for each in questions.to_dict()["questions"]]
    return d.judged(answers, questions=questions)


def diff():
    return cc.diff([0, 0, 1, 1], [0, 0, 1, 2])


# Each kind with one of its names, and a misspelling of one.
KINDS = [
    pytest.param(partitions, "rand", "adjusted_randd", id="partitions"),
    pytest.param(soft, "soft_adjusted_rand", "soft_adjusted_randd", id="soft"),
    pytest.param(trees, "bakers_gamma", "bakers_gama", id="trees"),
    pytest.param(tree_and_partition, "tree_f1", "dendogram_purity", id="tree and partition"),
    pytest.param(live, "rand", "adjusted_randd", id="live"),
    pytest.param(references, "rand", "adjusted_randd", id="references"),
    pytest.param(estimates, "f_measure", "f_measur", id="estimates"),
    pytest.param(judgements, "kept", "keptt", id="judgements"),
    pytest.param(diff, "split_rate", "split_ratee", id="diff"),
]


@pytest.mark.parametrize(("make", "name", "misspelled"), KINDS)
def test_every_kind_is_the_same_mapping(make, name, misspelled):
    result = make()
    assert name in list(result)
    assert list(result) == list(result.keys()) == list(dict(result))
    assert len(result) == len(result.values()) == len(result.items()) == len(list(result))
    assert bool(result)
    assert name in result
    assert misspelled not in result
    assert 3 not in result
    assert dict(result)[name] == result[name] == getattr(result, name) == result.get(name)
    assert result.get(misspelled) is None
    assert result.get(misspelled, 5) == 5
    assert name in dir(result)


@pytest.mark.parametrize(("make", "name", "misspelled"), KINDS)
def test_every_kind_is_read_only(make, name, misspelled):
    result = make()
    for each in (name, misspelled):
        with pytest.raises(ReadOnlyError, match="read-only"):
            setattr(result, each, 3)
        with pytest.raises(ReadOnlyError, match="read-only"):
            delattr(result, each)
        with pytest.raises(ReadOnlyError, match="read-only"):
            result[each] = 3
    for copied in (copy.copy(result), copy.deepcopy(result), pickle.loads(pickle.dumps(result))):
        assert copied[name] == result[name]
        with pytest.raises(ReadOnlyError):
            setattr(copied, name, 3)


@pytest.mark.parametrize(("make", "name", "misspelled"), KINDS)
def test_every_kind_suggests_a_name_for_a_misspelled_one(make, name, misspelled):
    result = make()
    with pytest.raises(AttributeError) as by_attribute:
        getattr(result, misspelled)
    with pytest.raises(KeyError) as by_item:
        result[misspelled]
    assert misspelled in str(by_attribute.value)
    assert str(by_attribute.value) == str(by_item.value)
    assert "did you mean" in str(by_item.value) or name in str(by_item.value)
    assert not hasattr(result, "_private")


@pytest.mark.parametrize(("make", "name", "misspelled"), KINDS)
def test_no_kind_is_a_number(make, name, misspelled):  # noqa: ARG001
    for use in (float, round, lambda result: result > 0.5, lambda result: 1 - result):
        with pytest.raises(NotANumberError, match=r"is not a number.* use one of them"):
            use(make())


@pytest.mark.parametrize(
    ("make", "name", "error", "hint"),
    [
        (partitions, "soft_rand", ParameterError, "compares soft partitions"),
        (partitions, "bakers_gamma", ParameterError, "compares two hierarchies"),
        (soft, "rand", SoftError, "hardened"),
        (soft, "tree_f1", SoftError, "a side has weights"),
        (trees, "rand", HierarchyError, "curve"),
        (trees, "tree_f1", HierarchyError, "partition"),
        (tree_and_partition, "rand", HierarchyError, "best_cut"),
        (tree_and_partition, "bakers_gamma", HierarchyError, "two hierarchies"),
    ],
)
def test_an_index_of_another_kind_is_refused_with_the_way_out(make, name, error, hint):
    result = make()
    for ask in (lambda: result[name], lambda: getattr(result, name), lambda: result.exact(name)):
        with pytest.raises(error, match=hint):
            ask()
    assert name not in result


def weights():
    return cc.compare([0, 0, 1, 1], [0, 1, 1, 1], weights=[1, 2, 3, 4])


def overlap():
    return cc.compare({1: 0, 2: 0, 3: 1}, {2: 0, 3: 1, 4: 1}, unmatched="keep")


def covers():
    return cc.compare(cc.Cover.of([{1, 2}, {2, 3}]), cc.Cover.of([{1, 2, 3}]))


def strict():
    return cc.compare([0, 0], [0, 0], undefined="raise")


def coreference():
    return cc.coreference([[{"a", "b"}]], [[{"a", "b", "c"}]])


NAMES = [
    *all_indices(),
    *diff().keys(),
    "delta_precision",
    "recall_ratio",
]
NONSENSE = ["nonsense", "_private", "__array__", "", "rand(", "f_measure(beta=-1)", "f_measure(beta='a')"]


@pytest.mark.parametrize(
    "make",
    [*[kind.values[0] for kind in KINDS], weights, overlap, covers, strict, coreference],
)
def test_looking_for_an_attribute_or_a_name_never_raises(make):
    result = make()
    listed = result.keys() if hasattr(result, "keys") else ("mentions", *result.to_dict())
    for name in NAMES + NONSENSE:
        assert hasattr(result, name) == (getattr(result, name, MISSING) is not MISSING)
        assert (name in result) == (name in listed)
    for name in NONSENSE:
        assert not hasattr(result, name)
        assert name not in result
    assert [1] not in result


@pytest.mark.parametrize(
    ("make", "name", "error"),
    [
        (partitions, "soft_rand", ParameterError),
        (soft, "rand", SoftError),
        (trees, "rand", HierarchyError),
        (weights, "pearson_albatineh", WeightsError),
        (overlap, "rand", UnmatchedError),
        (covers, "rand", CoverError),
        (strict, "mari_raw", UndefinedError),
        (diff, "delta_precision", ParameterError),
    ],
)
def test_the_error_of_an_attribute_is_the_error_of_the_item_and_an_attribute_error(make, name, error):
    result = make()
    with pytest.raises(error) as by_item:
        result[name]
    with pytest.raises(error) as by_attribute:
        getattr(result, name)
    assert isinstance(by_attribute.value, AttributeError)
    assert type(by_attribute.value).__name__ == error.__name__
    copied = pickle.loads(pickle.dumps(by_attribute.value))
    assert isinstance(copied, error)
    assert isinstance(copied, AttributeError)
    assert str(copied) == str(by_attribute.value) == str(by_item.value)


def test_every_comparison_lists_what_is_slow_or_by_convention():
    assert "adjusted_rand_models" in partitions().on_request
    assert soft().on_request == ("soft_rand", "degree_of_concordance", "adjusted_concordance")
    assert trees().on_request == ()
    h = cc.Hierarchy.from_linkage(U)
    assert cc.compare(h, h).undefined == ()  # identical sides are perfect
    assert cc.compare([0, 1, 2, 3], h).undefined == ("dendrogram_purity",)


def test_the_frame_of_soft_indices_has_their_families():
    frame = soft().to_frame("polars", indices=["soft_rand"])
    assert frame.columns == ["index", "value", "family", "lowest", "highest", "undefined"]
    assert frame["index"].to_list() == ["soft_rand"]
