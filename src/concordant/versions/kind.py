"""The kind of diffs, which has indices of its own. A diff compares partitions."""

from __future__ import annotations

from concordant.foundation.kinds import CatalogueSection, Kind

KIND = Kind(
    name="diff",
    builders={"diff": "of_diff", "diff with reference": "of_diff_with_reference"},
    sections=(
        CatalogueSection(
            sides="diff",
            kind="diff",
            inputs="the two clusterings of diff(before, after)",
            origin="of a diff",
            unknown="metric {!r} of a diff",
            declared_in="versions.indices",
            facts="versions.explanation:facts",
        ),
    ),
    attributes="versions.attributes:DiffIndices",
    introduction="versions.explanation:INTRODUCTION",
)
