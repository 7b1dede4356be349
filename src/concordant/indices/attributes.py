"""The indices that each kind of comparison has as attributes.

At run time, `IndexAttributes` makes properties of them. For type checkers and editors, the stub next to this
file declares them, so a misspelt name is an error before the program runs; ``scripts/make_types.py`` writes
it.
"""

from __future__ import annotations

from concordant.indices import register  # noqa: F401  (declares the indices)
from concordant.indices.catalogue import Catalogue
from concordant.indices.index import (
    INDICES,
    SAMPLE_INDICES,
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


def attributes_of(name: str, *sections: Catalogue) -> type:
    """A class of indices as attributes, which only the stub lists."""
    return type(
        name, (), {"__slots__": (), "__doc__": "The indices of these catalogues.", "_sections": sections}
    )


SampleIndices = attributes_of("SampleIndices", SAMPLE_INDICES)
