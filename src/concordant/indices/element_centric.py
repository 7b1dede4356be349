"""Element-centric similarity: how similar each element's two clusters are, averaged over the elements.

For each element, n is the overlap of its two clusters, a and b their sizes.
"""

from __future__ import annotations

from math import inf

from concordant.counts.element_centric import Elements, ShuffledElements
from concordant.indices.index import index
from concordant.indices.parameters import CHANCE_OF_EQUALS
from concordant.maths.arithmetic import Number


@index(
    title="Element-centric similarity",
    formula="Σ n_ij²/max(a,b) / n",
    metric=True,
    tight=False,
    aliases=("ECS", "element_sim"),
    cite="Gates, Wood, Hetrick & Ahn 2019, Sci. Rep. 9:8574",
    known_as={"CluSim": "element_sim", "cdlib": "ecs"},
    remarks={"CluSim": "uses an n × n matrix; alpha has no effect on partitions"},
    worked=(("0011", "0101", 1 / 2), ("001122", "001112", (2 + 4 / 3 + 1 / 3 + 1 / 2) / 6)),
)
def element_centric(e: Elements) -> Number:
    """Mean over the elements of the overlap of their two clusters, divided by the size of the larger one.

    Unlike pair counting and information theory, it is not biased towards certain cluster sizes or numbers.
    You can also read it for each element.
    """
    return e.over_larger / e.size


@index(
    title="Adjusted element-centric similarity",
    formula="(S − E) / (1 − E), S = Σ n_ij²/max(a,b) / n, E = Σ min(a,b)(1/n + (a−1)(b−1)/(n(n−1))) / n",
    range=(-inf, 1),
    undefined=0,
    adjusted=True,
    linear=True,
    no_weights=CHANCE_OF_EQUALS,
    cite="Gates, Wood, Hetrick & Ahn 2019, Sci. Rep. 9:8574, corrected as Hubert & Arabie 1985",
    worked=(("0011", "0101", -1 / 2),),
)
def adjusted_element_centric(e: Elements, c: ShuffledElements) -> Number:
    """Element-centric similarity corrected for chance: 0 on average for random permutations.

    The expectation E is exact. Undefined, and reported as 0, if every permutation is perfect.
    """
    return (e.over_larger - c.over_larger) / (e.size - c.over_larger)


@index(
    title="Element-wise Jaccard",
    formula="Σ n_ij²/(a+b−n_ij) / n",
    metric=True,
    tight=False,
    cite="Jaccard 1908, applied to each element's two clusters",
    worked=(("0011", "0101", 1 / 3),),
)
def element_jaccard(e: Elements) -> Number:
    """Mean over the elements of the Jaccard similarity of their two clusters.

    Stricter than element_centric: both lost and added co-members count.
    """
    return e.over_union / e.size
