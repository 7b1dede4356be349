"""Element-centric: how alike the company is that each element keeps, averaged over the elements.

n the overlap that holds the element, a and b the sizes of its clusters.
"""

from __future__ import annotations

from concordant.catalogue.index import index
from concordant.counts.arithmetic import Number
from concordant.views.elements import Elements


@index(
    title="Element-centric similarity",
    formula="Σ n_ij²/max(a,b) / n",
    range=(0, 1),
    perfect=1,
    metric=True,
    tight=False,
    aliases=("ECS", "element_sim"),
    linear=True,
    cite="Gates, Wood, Hetrick & Ahn 2019, Sci. Rep. 9:8574",
    known_as={"CluSim": "element_sim", "cdlib": "ecs"},
    remarks={"CluSim": "the same number by an n × n matrix; on partitions its alpha has no effect"},
    worked=(("0011", "0101", 1 / 2), ("001122", "001112", (2 + 4 / 3 + 1 / 3 + 1 / 2) / 6)),
)
def element_centric(e: Elements) -> Number:
    """Mean over the elements of the share of the larger of their two clusters that both hold.

    Free of the biases that pair counting and information have towards cluster sizes and numbers,
    and it can be read element by element.
    """
    return e.over_larger / e.size


@index(
    title="Element-wise Jaccard",
    formula="Σ n_ij²/(a+b−n_ij) / n",
    range=(0, 1),
    perfect=1,
    metric=True,
    tight=False,
    linear=True,
    cite="Jaccard 1908, applied to each element's two clusters",
    worked=(("0011", "0101", 1 / 3),),
)
def element_jaccard(e: Elements) -> Number:
    """Mean over the elements of the Jaccard similarity of their two clusters.

    Like element_centric, and stricter: both what is lost and what is added count.
    """
    return e.over_union / e.size
