"""The sections of the catalogue: every index is a function, is explained, and is pickled by name."""

import pickle

import pytest
from cases import every_case
from inner import (
    CATALOGUE_SECTIONS,
    DIFF_INDICES,
    INDICES,
    SOFT_INDICES,
    TREE_INDICES,
    TREE_PARTITION_INDICES,
    all_indices,
    any_index,
)

import concordant as cc
from concordant.errors import HierarchyError, ParameterError, SoftError, UnknownIndexError

EVERY = all_indices()
U, V = (cc.Hierarchy.from_newick(text) for text in ("((a,b),(c,d));", "(((a,b),c),d);"))
LABELS = dict(zip("abcd", [0, 0, 1, 2], strict=True))
SOFT = cc.Soft.from_matrix([[0.9, 0.1], [0.8, 0.2], [0.1, 0.9]])
SIDES = {"trees": (U, V), "tree and partition": (LABELS, V), "soft": (SOFT, ["x", "x", "y"])}
KINDS = {
    "trees": [{"trees"}],
    "tree and partition": [{"tree and partition"}],
    "soft": [{"soft"}],
    "diff": [{"diff", "diff with reference"}, {"diff with reference"}],
}

others = every_case("name", [name for name in EVERY if name not in INDICES])
functions = every_case("name", [x for x in EVERY if x not in {*INDICES, *DIFF_INDICES}])


def test_names_are_unique_across_sections():
    assert len(EVERY) == sum(map(len, CATALOGUE_SECTIONS))
    assert {index.sides for index in INDICES.values()} == {"partitions", "covers", "both"}


@functions
def test_every_index_is_a_public_function(name):
    index = EVERY[name]
    value = getattr(cc, name)(*SIDES[index.sides])
    assert value == cc.compare(*SIDES[index.sides])[name] == any_index(name).value(counts(index))
    assert name in dir(cc)
    assert index.summary.split(".")[0] in " ".join(getattr(cc, name).__doc__.split())


def counts(index):
    c = cc.compare(*SIDES[index.sides])
    return c._counts if index.sides == "soft" else c._pair if index.sides == "trees" else c._truth


@others
def test_the_section_follows_from_the_views(name):
    index = EVERY[name]
    assert index.kinds in KINDS[index.sides]


@others
def test_every_index_is_pickled_by_name_and_explained(name):
    index = EVERY[name]
    assert pickle.loads(pickle.dumps(index)) is index
    assert cc.explain(name).index is index


@every_case("name", DIFF_INDICES)
def test_indices_of_diffs_are_attributes_and_not_functions(name):
    d = cc.diff([0, 0, 1, 1], [0, 0, 0, 1], reference=[0, 1, 1, 1])
    assert getattr(d, name) == d[name] == d[DIFF_INDICES[name]]
    assert getattr(cc.Diff, name).__doc__ == DIFF_INDICES[name].compute.__doc__
    assert name in dir(d)
    assert not hasattr(cc, name)


def test_parameters_are_passed_to_functions():
    assert cc.entanglement(U, V, exponent=2) == cc.compare(U, V)["entanglement(exponent=2)"]
    assert pickle.loads(pickle.dumps(TREE_INDICES["entanglement(exponent=2)"])).arguments == {"exponent": 2}
    with pytest.raises(ParameterError, match=r"bakers_gamma\(\) does not take 'L'"):
        cc.bakers_gamma(U, V, L=2)
    with pytest.raises(ParameterError, match="there is no candidate"):
        cc.bakers_gamma(U)


@every_case(
    ("name", "sides", "error", "text"),
    [
        ("soft_rand", ([0, 1], [0, 1]), ParameterError, "soft partitions, .*; rand compares two partitions"),
        ("bakers_gamma", ([0, 1], [0, 1]), ParameterError, "compares two hierarchies"),
        ("tree_f1", ([0, 1], [0, 1]), ParameterError, "compares a hierarchy with a partition"),
        ("soft_rand", (U, V), HierarchyError, "compares soft partitions, and both sides are hierarchies"),
        ("soft_rand", (LABELS, V), HierarchyError, "compares soft partitions, and one side is a hierarchy"),
        ("tree_f1", (U, V), HierarchyError, "this needs a partition on one of them"),
        ("bakers_gamma", (LABELS, V), HierarchyError, "one side is a partition"),
        ("bakers_gamma", (SOFT, SOFT), SoftError, "compares two hierarchies, and a side has weights"),
    ],
)
def test_an_index_of_another_input_names_what_it_compares(name, sides, error, text):
    with pytest.raises(error, match=text):
        getattr(cc, name)(*sides)


@every_case("options", [{"weights": [1, 2]}, {}])
def test_other_partition_counts_refuse_soft_indices(options):
    with pytest.raises(ParameterError, match="compares soft partitions"):
        cc.soft_rand([0, 1], [0, 1], **options)
    cover = cc.Cover.from_clusters([{1, 2}, {2, 3}])
    with pytest.raises(ParameterError, match="compares soft partitions"):
        cc.soft_rand(cover, cover)


@every_case(
    ("section", "name", "text"),
    [
        (SOFT_INDICES, "soft_rnd", "no soft index 'soft_rnd'; did you mean soft_rand?"),
        (SOFT_INDICES, "qqqqqq", "no soft index 'qqqqqq'; there are soft_adjusted_rand, "),
        (TREE_INDICES, "cor_cophenetic", "did you mean cophenetic_correlation (its name in dendextend)?"),
        (TREE_INDICES, "triplets", "of whole trees; did you mean triplet_agreement?"),
        (DIFF_INDICES, "splitrate", "no metric 'splitrate' of a diff; did you mean split_rate, "),
        (TREE_PARTITION_INDICES, "purity", "did you mean dendrogram_purity?"),
    ],
)
def test_misspelt_names_are_suggested_in_every_section(section, name, text):
    with pytest.raises(UnknownIndexError) as caught:
        section[name]
    assert text in str(caught.value)


def test_diffs_and_comparisons_refuse_the_indices_of_each_other():
    with pytest.raises(ParameterError, match="split_rate compares the two clusterings of diff"):
        _ = cc.compare([0, 1], [0, 0]).split_rate
    with pytest.raises(HierarchyError, match="split_rate compares the two clusterings of diff"):
        _ = cc.compare(U, V)["split_rate"]
    with pytest.raises(SoftError, match="split_rate compares the two clusterings of diff"):
        _ = cc.compare(SOFT, SOFT)["split_rate"]
    with pytest.raises(ParameterError, match=r"rand compares two partitions.*d\.comparison has"):
        _ = cc.diff([0, 1], [0, 0])["rand"]


def test_a_name_is_found_in_any_section():
    assert any_index("ARI") is INDICES["adjusted_rand"]
    assert any_index("Soft Rand") is any_index("soft-rand") is SOFT_INDICES["soft_rand"]
    assert any_index("split rate") is DIFF_INDICES["split_rate"]
    assert any_index("rand", SOFT_INDICES) is INDICES["rand"]
    with pytest.raises(UnknownIndexError, match="did you mean soft_rand"):
        any_index("soft_rnd")
    with pytest.raises(UnknownIndexError, match="did you mean bakers_gamma"):
        cc.explain("bakers_gama")
