"""What one more draw may add to an estimate: a cluster as large as any that could be drawn, and all wrong."""

from __future__ import annotations

from concordant.counts.sampled import SampledCells
from concordant.counts.spelling import percent
from concordant.trust.design import Design
from concordant.trust.measures import Measure
from concordant.trust.units import LARGE_SHARE

# Measures whose denominators count pairs or records, so that large clusters decide them.
PAIR_MEASURES = frozenset(("precision", "recall", "f_measure", "jaccard", "adjusted_rand"))
_RECORD_MEASURES = frozenset(("bcubed_precision", "bcubed_recall"))
# If more than this share is in clusters larger than any labelled one, the sample cannot determine a measure.
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
    """Why a measure cannot be estimated from these clusters; empty if it can.

    If every cluster is equally likely to be drawn, a sample misses most of the few large ones, which hold
    most pairs and many records.
    """
    if drawn.sampling == "records" or wanted.kind not in PAIR_MEASURES | _RECORD_MEASURES:
        return ""
    labelled = int(cells.sizes.max())
    of_pairs = wanted.kind in PAIR_MEASURES
    held = {
        size: many * (size * (size - 1) // 2 if of_pairs else size)
        for size, many in cells.candidate_sizes.items()
    }
    beyond = sum(number for size, number in held.items() if size > labelled)
    advice = "draw records instead of clusters"
    if beyond > _OUT_OF_SIGHT * sum(held.values()):
        what = (
            f"{percent(beyond, sum(held.values()))} of the candidate's {'pairs' if of_pairs else 'records'}"
        )
        return f"{what} are in clusters larger than any labelled one; {advice}"
    if of_pairs and largest_share > LARGE_SHARE:
        return f"one cluster has {percent(largest_share, 1)} of the denominator; {advice}"
    return ""
