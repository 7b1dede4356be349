"""Lists of tuples: labels that have parts, or clusters that hold elements?

``compare`` takes a list of sets for clusters and a list of anything else for labels. A tuple may be either:
("doc1", 3) names a cluster, ("ann", "bob") may hold two elements. Tuples are taken for labels if all have one
length and one of them recurs, since nobody lists a cluster twice. Otherwise they are refused, with the two
ways to say which is meant. Named tuples have fields, so they are labels, and so is whatever stands beside
numbers and text. Frozensets that do not come as a list of clusters, but in a Series or as the values of a
mapping, are refused in the same way.

Only objects that are neither numbers nor text are looked at, so that this costs nothing for other labels.
"""

from __future__ import annotations

from typing import Any

from concordant import core
from concordant.errors import LabelError, few
from concordant.partitions.labels import Labels


def refuse_possible_clusters(labels: Labels, what: str, ways: str, *, is_part: bool = False) -> None:
    """Refuse composite labels that may be clusters; ``ways`` are the calls that say which they are.

    Of a part of all labels, each may recur in another.
    """
    reason = _why_unclear(list(labels.originals), labels, is_part)
    if reason:
        raise LabelError(
            f"{what}: {reason}, so that they may be clusters of elements or labels of clusters; {ways}"
        )


def _why_unclear(objects: list[Any], labels: Labels, is_part: bool) -> str:
    kinds = set(map(type, objects))
    if not all(issubclass(kind, (tuple, frozenset)) and not hasattr(kind, "_fields") for kind in kinds):
        return ""
    shown = few(dict.fromkeys(objects))
    if any(issubclass(kind, frozenset) for kind in kinds):
        return f"these are sets ({shown})"
    if len(set(map(len, objects))) > 1:
        return f"these are tuples of different lengths ({shown})"
    if not is_part and len(core.factorize(labels.codes)[1]) == len(objects):
        return f"these are tuples none of which recurs ({shown})"
    return ""
