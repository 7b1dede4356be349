"""Manual pages and docstrings of soft indices: the introduction, properties and examples."""

from __future__ import annotations

from typing import Any

from concordant.indices.index import Index
from concordant.report.explanation import DIRECTIONS, number
from concordant.soft.clustering import Soft

INTRODUCTION = """\
Compare two [soft partitions](../soft.md), or one with labels, and read an index as an attribute, such as
`s.soft_adjusted_rand`, or by name. Each index is also a function, such as
`cc.soft_adjusted_rand(soft, labels)`. [Which index](../soft.md#which-index) helps you choose."""

_WEIGHTS = [[0.9, 0.1], [0.8, 0.2], [0.1, 0.9]]  # of three records


def example(index: Index) -> list[tuple[Any, str]]:  # noqa: ARG001  (one for all)
    """The sides of the example of an index, and how they are written."""
    labels = list("aab")
    return [(Soft.from_matrix(_WEIGHTS), f"cc.Soft.from_matrix({_WEIGHTS})"), (labels, repr(labels))]


def facts(index: Index) -> dict[str, str]:
    """The properties of an index of soft partitions, in words; those that it does not have are left out."""
    found = {
        "range": f"{index.range_text}, {DIRECTIONS[index.direction]}",
        "identical": f"score {number(index.perfect or 0)}",
        "0/0": f"{index.undefined:g} if the formula is 0/0, unless the sides are equal",
        "hard": f"equals {index.generalises} on hard partitions",
        "blind": f"does not distinguish {index.blind}" if index.blind else "",
        "metric": "yes: 1 − value obeys the triangle inequality" if index.metric else "no",
        "adjusted": "the mean over all permutations of the records is 0" if index.adjusted else "",
        "cost": "all pairs of records" if index.on_request else "one pass over the records",
        "reference": index.cite,
    }
    return {name: text for name, text in found.items() if text}
