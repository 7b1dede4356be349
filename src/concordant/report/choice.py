"""The indices that a report shows: first four that fit the data, or those chosen; and those that it omits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal

from concordant.catalogue.index import INDICES, Index
from concordant.counts.availability import Need

if TYPE_CHECKING:
    from concordant.report.report_data import ReportData

Domain = Literal["clusters", "entities", "coreference", "images", "covers"]

_CHOICES: dict[Domain, tuple[str, ...]] = {
    "clusters": ("adjusted_rand", "adjusted_mutual_information", "precision", "recall"),
    # Almost all pairs are apart here, so the adjusted Rand index would repeat the F-measure.
    "entities": ("precision", "recall", "bcubed_f", "cluster_recall"),
    "coreference": ("conll", "muc_f1", "bcubed_f", "ceaf_e_f1"),
    "images": (
        "panoptic_quality",
        "segmentation_quality",
        "recognition_quality",
        "object_average_precision",
    ),
    "covers": ("omega", "onmi_max", "extended_bcubed_f"),
}
_SHOWN = 4
_ENTITY_SIZE = 5  # the median cluster of entity resolution is smaller


def headline_indices(
    domain: Domain, available: Sequence[Index], chosen: Sequence[Index] | None = None
) -> list[Index]:
    """The indices to show first: those that were chosen, else four of those available.

    >>> [index.name for index in headline_indices("entities", list(INDICES.values()))]
    ['precision', 'recall', 'bcubed_f', 'cluster_recall']
    """
    if chosen is not None:
        return list(chosen)
    fitting = [INDICES[name] for name in _CHOICES[domain]]
    found = [index for index in fitting if index in available]
    if len(found) < len(fitting):  # few indices support weights, or sides with different elements
        found += [index for index in INDICES.headline if index in available and index not in found]
    return found[:_SHOWN]


def domain_of_sizes(sizes: Mapping[int, int]) -> Domain:
    """Entity resolution if the median cluster has fewer than five elements; ``sizes`` has the counts.

    >>> domain_of_sizes({1: 3, 40: 2}), domain_of_sizes({4: 1, 40: 2})
    ('entities', 'clusters')
    """
    small = sum(count for size, count in sizes.items() if size < _ENTITY_SIZE)
    return "entities" if 2 * small > sum(sizes.values()) else "clusters"


def omission_notes(data: ReportData) -> list[str]:
    """The omissions of a printed comparison, with reasons, and how to show them."""
    counts, shown = data.counts, {index.name for index in data.indices}
    lines = [line for _, family in data.families for line in family]
    undefined = {line.index.name for line in lines if line.undefined}
    notes = []
    if not counts.size:
        notes.append("— every value is a convention: nothing was compared (n=0)")
    elif undefined:
        names = ", ".join(index.name for index in data.indices if index.name in undefined)
        notes.append(f"— not defined for these partitions: {names}")
    available = counts.availability
    others = [index for index in INDICES.values() if index.name not in shown and not index.on_request]
    missing = [index for index in others if index.is_shown_for(counts)]
    to_ask = [index.name for index in missing if available.can_ask(index.needs)]
    beyond = [index.name for index in missing if not available.can_ask(index.needs)]
    if to_ask:
        notes.append(f"left out here, ask for them by name: {', '.join(to_ask)}")
    if not available.has(Need.TABLE):
        notes.append(f"which clusters were split and merged is not shown: {available.price}")
    if beyond:
        notes.append(f"left out, since they need to know which clusters overlap: {', '.join(beyond)}")
    if counts.kind == "partial_overlap":
        notes.append("left out: all indices that need two partitions of the same elements (see unmatched)")
    if counts.kind == "weights":
        notes.append("left out: all indices without a meaning for weighted elements (see weights)")
    return [*notes, data.audit_note] if data.audit_note else notes
