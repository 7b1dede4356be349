"""The kind of diffs, which has indices of its own. A diff compares partitions."""

from __future__ import annotations

from concordant.kinds import CatalogueSection, Kind

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
            declared_in="indices.diff",
            facts="many.diff_explanation:facts",
        ),
    ),
    attributes="indices.diff_attributes:DiffIndices",
    introduction="many.diff_explanation:INTRODUCTION",
)
