"""Edit distances: how many splits and merges turn one partition into the other.

K is the number of reference clusters, L of candidate clusters, m of non-empty overlaps, J of connected
components of overlapping clusters (the join).
"""

from __future__ import annotations

from collections.abc import Mapping
from math import inf
from typing import Annotated, Any, Literal, get_args

from concordant.counts.element_centric import Elements
from concordant.counts.overlaps import BestOverlaps, Pieces, Price
from concordant.counts.pair_costs import JoinComponents
from concordant.indices.index import index
from concordant.indices.parameters import (
    CLUSTERS_FROM_ELEMENTS,
    CLUSTERS_OR_STEPS,
    SIZE_LESS_ONE,
    Check,
    Unless,
    wording,
)
from concordant.maths.arithmetic import Number

StandardPrice = Literal["constant", "product", "pairwise", "information"]

PriceLike = Annotated[
    StandardPrice | Price,
    Check(
        f"a function of two sizes, or {wording(StandardPrice)}",
        lambda price: callable(price) or price in get_args(StandardPrice),
        (*get_args(StandardPrice), max),
    ),
]


def _prices_differ(given: Mapping[str, Any]) -> bool:
    split, merge = ("product" if given[key] == "pairwise" else given[key] for key in ("split", "merge"))
    return bool(split != merge)


@index(
    title="Basic merge distance",
    formula="2m − K − L",
    range=(0, inf),
    perfect=0,
    tight=False,
    aliases=("lattice_distance_meet",),
    no_weights=CLUSTERS_OR_STEPS,
    cite="Menestrina, Whang & Garcia-Molina 2010, PVLDB 3:208",
    worked=(("0011", "0101", 4), ("001122", "001112", 2)),
)
def basic_merge_distance(e: Elements) -> Number:
    """Number of splits and merges that turn one partition into the other through their overlaps.

    m − K splits and m − L merges. Not a metric: the path through a third partition can be shorter.
    """
    return 2 * e.cells - e.rows - e.columns


@index(
    title="Generalised merge distance",
    formula="Σ_i split cost of cutting a_i into its overlaps + Σ_j merge cost of building b_j from them",
    range=(0, inf),
    perfect=0,
    tight=False,
    aliases=("gmd", "GMD"),
    unless={"mirror": Unless("split ≠ merge", _prices_differ)},
    no_weights="its cost is a function of numbers of elements",
    cite="Menestrina, Whang & Garcia-Molina 2010, PVLDB 3:208",
    worked=(("0011", "0101", 4),),
)
def generalised_merge_distance(
    p: Pieces,
    *,
    split: Annotated[PriceLike, "Cost of a split."] = "constant",
    merge: Annotated[PriceLike, "Cost of a merge."] = "constant",
) -> Number:
    """Cost of turning the reference into the candidate, with your own costs for splits and merges.

    A cost is a function of the sizes of the two parts. "constant" gives the basic merge distance, "product"
    or "pairwise" the number of pairs on which the partitions disagree, "information" the variation of
    information. The smallest parts are split off and merged first. The order matters only for costs that
    depend on it.
    """
    return p.cost_of_splits(split) + p.cost_of_merges(merge)


@index(
    title="Lattice distance through the join",
    formula="K + L − 2J",
    range=(0, SIZE_LESS_ONE),
    perfect=0,
    metric=True,
    no_weights=CLUSTERS_OR_STEPS,
    cite="Boorman & Arabie 1972; Hornik, R package clue",
    known_as={"clue": "cl_dissimilarity(method='BA/C')"},
    worked=(("0011", "0101", 2), ("001122", "001112", 2)),
)
def lattice_distance_join(b: JoinComponents) -> Number:
    """Minimal number of merges and splits of whole clusters that turn one partition into the other.

    First, all clusters of a connected component are merged; then it is split. A metric.
    """
    return b.rows + b.columns - 2 * b.count


@index(
    title="Pantel-Lin edit score",
    formula="(Σ_j max_i n_ij − L) / n",
    perfect=None,
    agreement="larger",
    undefined=0,
    mirror=None,
    tight=False,
    no_weights=CLUSTERS_FROM_ELEMENTS,
    cite="Pantel & Lin 2002, SIGIR",
    known_as={"ELKI": "EditDistance.editDistanceFirst"},
    worked=(("0011", "0011", 1 / 2), ("0011", "0101", 0)),
)
def pantel_lin(m: BestOverlaps) -> Number:
    """Share of the edits to build the reference by hand that the candidate saves.

    Moves and merges cost one each, so identical partitions score 1 − L/n, not 1.
    """
    return (m.columns_best - m.columns) / m.size
