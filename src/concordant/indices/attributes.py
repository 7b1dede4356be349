"""The indices that each kind of comparison has as attributes.

At run time, `IndexAttributes` makes properties of them. For type checkers and editors, the stub next to this
file declares them, so a misspelt name is an error before the program runs; ``scripts/make_types.py`` writes
it.
"""

from __future__ import annotations

from concordant.indices import families  # noqa: F401  (declares the indices)
from concordant.indices.index import (
    DIFF_INDICES,
    INDICES,
    SAMPLE_INDICES,
    SOFT_INDICES,
    TREE_INDICES,
    TREE_PARTITION_INDICES,
)

# Names of the members of a comparison in other tools, and here.
CALLS_ELSEWHERE = {
    **dict.fromkeys(
        (
            "confusion",
            "confusion_matrix",
            "contingency",
            "contingency_matrix",
            "contingency_table",
            "crosstab",
        ),
        "table, or c.table.to_frame() for a dataframe",
    ),
    "pair_confusion_matrix": "pairs",
    "confidence_interval": "interval('adjusted_rand')",
    "p_value": "significance('adjusted_rand').p",
    "hungarian": "matching()",
    "heatmap": "plot('table')",
    "sankey": "plot('flow')",
    "report": "to_html('report.html'), or print(c)",
}


class PartitionIndices:
    """The indices of two partitions or covers."""

    __slots__ = ()

    _sections = (INDICES,)

    @classmethod
    def _elsewhere(cls, name: str) -> str:
        """The end of the error for a name that other tools have."""
        return f"; use c.{CALLS_ELSEWHERE[name]}" if name in CALLS_ELSEWHERE else ""


class SoftIndices:
    """The indices of two soft partitions."""

    __slots__ = ()

    _sections = (SOFT_INDICES,)


class TreeIndices:
    """The indices of two hierarchies, and of a hierarchy and a partition."""

    __slots__ = ()

    _sections = (TREE_INDICES, TREE_PARTITION_INDICES)


class SampleIndices:
    """The indices that a sample of true clusters determines."""

    __slots__ = ()

    _sections = (SAMPLE_INDICES,)


class DiffIndices:
    """The indices of a diff."""

    __slots__ = ()

    _sections = (DIFF_INDICES,)
