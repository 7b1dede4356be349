"""What one more draw may add to an estimate: a cluster as large as any that could be drawn, and all wrong."""

from __future__ import annotations

from concordant.counts.sampled import SampledCells
from concordant.counts.spelling import percent
from concordant.trust.design import Design
from concordant.trust.measures import Measure
from concordant.trust.units import LARGE_SHARE

# Pair measures, whose denominators grow with the square of a cluster's size.
PAIR_MEASURES = frozenset(("precision", "recall", "f_measure", "jaccard", "adjusted_rand"))
# More pairs than this in clusters larger than any labelled one leave the estimate to chance.
_OUT_OF_SIGHT = 0.1


def largest_loss(wanted: Measure, cells: SampledCells, drawn: Design) -> float:
    """The most that a draw which was not seen adds to the denominator, and not to the numerator.

    A candidate cluster may be as large as the largest of all, whose size is known. A true cluster may be as
    large as the largest that is known on either side.
    """
    labelled = int(cells.sizes.max())
    candidate = max(cells.candidate_sizes)
    largest = max(labelled, candidate)
    by_record = drawn.sampling == "records"
    bb = wanted.beta * wanted.beta
    precision = drawn.weight * (1 if by_record else labelled) * (candidate - 1) / 2
    records = drawn.weight * (1 if by_record else largest)
    recall = records * (largest - 1) / 2
    losses = {
        "precision": precision,
        "recall": recall,
        "f_measure": bb * recall + precision,
        "jaccard": recall + precision,
        "adjusted_rand": recall + precision,
        "cluster_precision": records,
        "cluster_f": bb * drawn.weight + records * cells.columns / cells.size,
        "bcubed_precision": records,
        "bcubed_recall": records,
    }
    return losses.get(wanted.kind, drawn.weight)


def refusal(wanted: Measure, cells: SampledCells, drawn: Design, largest_share: float) -> str:
    """Why a measure cannot be estimated from these clusters; nothing if it can.

    If clusters were drawn all alike, the few large ones that have most pairs are mostly missed.
    """
    if drawn.sampling == "records" or wanted.kind not in PAIR_MEASURES:
        return ""
    labelled = int(cells.sizes.max())
    pairs = {size: many * size * (size - 1) // 2 for size, many in cells.candidate_sizes.items()}
    beyond = sum(number for size, number in pairs.items() if size > labelled)
    advice = "draw records instead of clusters"
    if beyond > _OUT_OF_SIGHT * sum(pairs.values()):
        share = percent(beyond, sum(pairs.values()))
        return f"{share} of the candidate's pairs are in clusters larger than any labelled one; {advice}"
    if largest_share > LARGE_SHARE:
        return f"one cluster has {percent(largest_share, 1)} of the denominator; {advice}"
    return ""
