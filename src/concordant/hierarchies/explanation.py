"""Manual pages and docstrings of tree indices: the introduction, properties and examples."""

from __future__ import annotations

from typing import Any

from concordant.hierarchies.hierarchy import Hierarchy
from concordant.indices.catalogue import spelled_default
from concordant.indices.index import Index
from concordant.indices.parameters import wording
from concordant.report.explanation import number, worked_value

INTRODUCTION = """\
Compare two [hierarchies](../hierarchies.md) and read an index as an attribute, such as
`c.cophenetic_correlation`, or by name, such as `c["entanglement(exponent=2)"]`. Each index is also a
function, such as `cc.entanglement(u, v, exponent=2)`. The last two indices compare a partition with a
hierarchy. For indices of single cuts, see `curve` and `at`. In worked examples, U is the reference, trees
are in Newick notation, and each character of a partition is the label of one leaf."""

_CONTENT = {
    "clusters": "the clusters of the trees, not their heights",
    "levels": "the order of the levels, not their heights",
    "heights": "the heights of the trees",
    "drawing": "the order of the leaves in a drawing",
}


def example(index: Index) -> list[tuple[Any, str]]:
    """The sides of the first worked example of an index, and how they are written."""
    if not index.worked:
        return []
    u, v, _ = index.worked[0]
    if index.sides == "trees":
        return [_tree(u), _tree(v)]
    labels = dict(zip("abcd", u, strict=True))
    return [(labels, repr(labels)), _tree(v)]


def _tree(newick: str) -> tuple[Any, str]:
    return Hierarchy.from_newick(f"{newick};"), f'cc.Hierarchy.from_newick("{newick};")'


def facts(index: Index) -> dict[str, str]:
    """The properties of an index of whole trees, in words; those that it does not have are left out."""
    identical = "no common value"
    if index.perfect is not None:
        identical = f"score {number(index.perfect)}" + (", and only these" if index.unique else "")
    if index.sides == "tree and partition":
        identical = f"score {number(index.perfect or 0)} if every cluster of the partition is a node"
    of_pairs = index.sides == "trees"
    found = {
        "range": f"{index.range_text}, {index.agreement} is more similar",
        "identical": identical,
        "depends on": _CONTENT[index.content or "clusters"],
        "swapped": ("the same value" if index.symmetric else f"gives {index.mirror}") if of_pairs else "",
        "metric": f"yes{'' if index.perfect == 0 else ': 1 − value obeys the triangle inequality'}"
        if index.metric
        else "",
        "adjusted": "the mean over all permutations of the elements is 0" if index.adjusted else "",
        "parameters": "; ".join(
            f"{each.name}={spelled_default(each.default)}, {wording(each.annotation)}"
            for each in index.parameters.values()
        ),
        "other libraries": "; ".join(f"{library} {known}" for library, known in index.known_as.items()),
        "worked": "; ".join(f"U = {u}, V = {v}: {worked_value(value)}" for u, v, value in index.worked),
        "reference": index.cite,
    }
    return {name: text for name, text in found.items() if text}
