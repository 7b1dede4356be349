"""The indices that a report shows first: four that fit the data, unless the caller chooses others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from concordant.catalogue.index import INDICES, Index

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
