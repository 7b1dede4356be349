"""The sections of the catalogue: every index is a function, is explained, and is pickled by name."""

import pickle

import pytest
from every_index import EVERY_INDEX, OF_SOFT, OF_TREE_AND_PARTITION, OF_TREES

import concordant as cc
from concordant import INDICES
from concordant.errors import HierarchyError, ParameterError, SoftError, UnknownIndexError

U, V = (cc.Hierarchy.from_newick(text) for text in ("((a,b),(c,d));", "(((a,b),c),d);"))
LABELS = dict(zip("abcd", [0, 0, 1, 2], strict=True))
SOFT = cc.Soft.from_matrix([[0.9, 0.1], [0.8, 0.2], [0.1, 0.9]])
SIDES = {"trees": (U, V), "tree and partition": (LABELS, V), "soft": (SOFT, ["x", "x", "y"])}
KINDS = {"trees": {"trees"}, "tree and partition": {"tree and partition"}}

others = pytest.mark.parametrize("name", [name for name in EVERY_INDEX if name not in INDICES])


def test_names_are_unique_across_sections():
    assert len(EVERY_INDEX) == sum(map(len, (INDICES, OF_TREES, OF_TREE_AND_PARTITION, OF_SOFT)))
    assert {index.sides for index in INDICES.values()} == {"partitions", "covers", "both"}


@others
def test_every_index_is_a_public_function(name):
    index = EVERY_INDEX[name]
    value = getattr(cc, name)(*SIDES[index.sides])
    c = cc.compare(*SIDES[index.sides])
    assert value == c[name] == c.value(index)
    assert name in dir(cc)
    assert index.summary.split(".")[0] in " ".join(getattr(cc, name).__doc__.split())


@others
def test_the_section_follows_from_the_views(name):
    index = EVERY_INDEX[name]
    assert index.kinds in (KINDS.get(index.sides), {"soft"}, {"soft", "draws"})
    assert ("soft" in index.kinds) == (index.sides == "soft")


@others
def test_every_index_is_pickled_by_name_and_explained(name):
    index = EVERY_INDEX[name]
    assert pickle.loads(pickle.dumps(index)) is index
    assert cc.explain(name).index is index


def test_parameters_are_passed_to_functions():
    assert cc.entanglement(U, V, L=2) == cc.compare(U, V)["entanglement(L=2)"]
    bound = pickle.loads(pickle.dumps(OF_TREES["entanglement"].bind(L=2)))
    assert bound.arguments == {"L": 2}
    assert cc.compare(U, V).value(bound) == cc.entanglement(U, V, L=2)
    with pytest.raises(ParameterError, match=r"bakers_gamma\(\) does not take 'L'"):
        cc.bakers_gamma(U, V, L=2)
    with pytest.raises(ParameterError, match="compares two hierarchies, the reference and the candidate"):
        cc.bakers_gamma(U)


@pytest.mark.parametrize(
    ("name", "sides", "error", "text"),
    [
        ("soft_rand", ([0, 1], [0, 1]), ParameterError, "soft partitions, .*; rand compares two partitions"),
        ("bakers_gamma", ([0, 1], [0, 1]), ParameterError, "compares two hierarchies"),
        ("tree_f", ([0, 1], [0, 1]), ParameterError, "compares a hierarchy with a partition"),
        ("soft_rand", (U, V), HierarchyError, "compares soft partitions, and both sides are hierarchies"),
        ("soft_rand", (LABELS, V), HierarchyError, "compares soft partitions, and one side is a hierarchy"),
        ("tree_f", (U, V), HierarchyError, "this needs a partition on one of them"),
        ("bakers_gamma", (LABELS, V), HierarchyError, "one side is a partition"),
        ("bakers_gamma", (SOFT, SOFT), SoftError, "compares two hierarchies, and a side has weights"),
    ],
)
def test_an_index_of_another_input_names_what_it_compares(name, sides, error, text):
    with pytest.raises(error, match=text):
        getattr(cc, name)(*sides)


@pytest.mark.parametrize("options", [{"weights": [1, 2]}, {}])
def test_other_partition_counts_refuse_soft_indices(options):
    with pytest.raises(ParameterError, match="compares soft partitions"):
        cc.soft_rand([0, 1], [0, 1], **options)
    cover = cc.Cover.from_clusters([{1, 2}, {2, 3}])
    with pytest.raises(ParameterError, match="compares soft partitions"):
        cc.soft_rand(cover, cover)


@pytest.mark.parametrize(
    ("sides", "name", "text"),
    [
        ("soft", "soft_rnd", "no soft index 'soft_rnd'; did you mean soft_rand?"),
        ("soft", "qqqqqq", "no soft index 'qqqqqq'; there are soft_adjusted_rand, "),
        ("trees", "cor_cophenetic", "did you mean cophenetic_correlation (its name in dendextend)?"),
        ("trees", "triplets", "of whole trees; did you mean triplet_agreement?"),
        ("tree and partition", "dendrogram_purty", "did you mean dendrogram_purity?"),
    ],
)
def test_misspelt_names_are_suggested_in_every_section(sides, name, text):
    with pytest.raises(UnknownIndexError) as caught:
        cc.compare(*SIDES[sides])[name]
    assert text in str(caught.value)


def test_a_name_is_found_in_any_section():
    assert cc.explain("ARI").index is INDICES["adjusted_rand"]
    assert cc.explain("Soft Rand").index is cc.explain("soft-rand").index is OF_SOFT["soft_rand"]
    with pytest.raises(UnknownIndexError, match="did you mean soft_rand"):
        cc.explain("soft_rnd")
    with pytest.raises(UnknownIndexError, match="did you mean bakers_gamma"):
        cc.explain("bakers_gama")
