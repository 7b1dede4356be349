"""Labels that name no cluster: what they are, and what is made of them.

A label may be null or NaN, the label that means noise, or absent because only the other side has the record.
Each kind is an error, is dropped, or stands alone: a cluster of its own for each such element, which has no
label, whichever engine counts. Arrays are treated here; engines that group by treat their columns by the same
``Policy``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from concordant import core
from concordant.partitions.labels import Codes, is_missing

# What a label is: one of a cluster, null or NaN, noise, or of a record that this side does not have.
LABELLED, NULL, NOISE, ABSENT = range(4)

Treatment = Literal["error", "drop", "singletons", "cluster"]


@dataclass(frozen=True, slots=True)
class Policy:
    """What to make of labels that name no cluster, for each side and each kind of them."""

    reference: Mapping[int, Treatment]
    candidate: Mapping[int, Treatment]

    def those(self, side: int, *treatments: Treatment) -> list[int]:
        """The kinds of labels of one side that are treated so."""
        held = (self.reference, self.candidate)[side]
        return [kind for kind, treatment in held.items() if treatment in treatments]


def set_apart(codes: Codes, alone: NDArray[np.bool_] | None) -> Codes:
    """The codes, with a cluster of its own for each element that stands alone.

    >>> set_apart(np.array([7, 7, 7, 9]), np.array([False, True, True, False])).tolist()
    [0, 2, 3, 1]
    """
    if alone is None or not alone.any():
        return codes
    dense, first = core.factorize(np.ascontiguousarray(codes))
    dense[alone] = len(first) + np.arange(int(alone.sum()))
    return dense


def cluster_label(label: Any, alone: tuple[Any, ...]) -> Any:
    """What the cluster of an element with this label is called: None where such elements stand alone.

    ``alone`` are the labels of these, None among them for all that is missing.

    >>> cluster_label(7, (-1,)), cluster_label(-1, (-1,)), cluster_label(float("nan"), (-1, None))
    (7, None, None)
    """
    if not alone:
        return label
    if is_missing(label):
        return None
    return None if any(each is not None and bool(label == each) for each in alone) else label
