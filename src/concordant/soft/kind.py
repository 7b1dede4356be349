"""The kind of soft partitions."""

from __future__ import annotations

from concordant.errors import SoftError
from concordant.foundation.kinds import CatalogueSection, Kind

KIND = Kind(
    name="soft",
    precedence=1,
    compare="soft.comparison:compare_soft",
    value="Soft",
    result="SoftComparison",
    public={"Soft": "soft.clustering", "SoftComparison": "soft.comparison"},
    functions=(
        "adjusted_concordance",
        "degree_of_concordance",
        "frobenius_adjusted_rand",
        "soft_adjusted_rand",
        "soft_matching_accuracy",
        "soft_rand",
        "soft_rand_squared",
    ),
    error=SoftError,
    refuses={
        "hierarchy": (
            "a Soft is compared with a single partition, and a Hierarchy has many; compare the Soft "
            "with a cut, as in hierarchy.cut(n_clusters=5)"
        )
    },
    no_labels=(
        "a Soft has weights and no label for each record; compare it with concordant.compare, or take the "
        "largest weights: soft.harden()"
    ),
    not_partitions=(
        "one side is a Soft, which has weights and no labels; compare() takes it and computes soft indices, "
        "and soft.harden() turns the largest weights into labels"
    ),
    builders={"soft": "of_soft"},
    sections=(
        CatalogueSection(
            sides="soft",
            kind="soft",
            inputs="soft partitions",
            origin="of soft partitions",
            unknown="soft index {!r}",
            declared_in="soft.indices",
            facts="soft.explanation:facts",
            example="soft.explanation:example",
        ),
    ),
    attributes="soft.attributes:SoftIndices",
    introduction="soft.explanation:INTRODUCTION",
    null_tests={"soft": "soft.permutation_test:null_test"},
    matrix="soft.many_runs:soft_matrix",
    options="soft.options:MembershipOptions",
)
