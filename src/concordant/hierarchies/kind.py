"""The kind of hierarchies."""

from __future__ import annotations

from concordant.errors import HierarchyError
from concordant.foundation.kinds import CatalogueSection, Kind

KIND = Kind(
    name="hierarchy",
    precedence=2,
    compare="hierarchies.comparison:compare_hierarchies",
    value="Hierarchy",
    result="HierarchyComparison",
    public={"Hierarchy": "hierarchies.hierarchy", "HierarchyComparison": "hierarchies.comparison"},
    functions=(
        "bakers_gamma",
        "clusters_shared",
        "cophenetic_correlation",
        "dendrogram_purity",
        "entanglement",
        "goodman_kruskal_gamma_of_heights",
        "hierarchical_mutual_information",
        "kendall_tau_b_of_heights",
        "normalised_hierarchical_mutual_information",
        "robinson_foulds",
        "shared_cluster_f1",
        "shared_cluster_precision",
        "shared_cluster_recall",
        "tree_f1",
        "triplet_agreement",
    ),
    error=HierarchyError,
    no_labels=(
        "a Hierarchy has a partition at each level and no label for each record; pass one of its cuts, such "
        "as h.cut(n_clusters=5)"
    ),
    not_partitions=(
        "this compares two partitions, and one side is a hierarchy; compare() computes every index at every "
        "cut, and h.cut(n_clusters=...) gives a partition"
    ),
    builders={"trees": "of_trees", "tree and partition": "of_tree_and_partition"},
    sections=(
        CatalogueSection(
            sides="trees",
            kind="tree",
            inputs="two hierarchies",
            origin="of whole trees",
            unknown="index {!r} of whole trees",
            declared_in="hierarchies.indices",
            facts="hierarchies.explanation:facts",
            example="hierarchies.explanation:example",
        ),
        CatalogueSection(
            sides="tree and partition",
            kind="tree",
            inputs="a hierarchy with a partition",
            origin="of whole trees",
            unknown="index {!r} of a tree and a partition",
            declared_in="hierarchies.indices",
            facts="hierarchies.explanation:facts",
            example="hierarchies.explanation:example",
        ),
    ),
    attributes="hierarchies.attributes:TreeIndices",
    introduction="hierarchies.explanation:INTRODUCTION",
    null_tests={"trees": "hierarchies.permutation_test:null_test"},
    commands={"thresholds": "hierarchies.commands", "trees": "hierarchies.commands"},
)
