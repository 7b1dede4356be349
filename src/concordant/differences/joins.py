"""Changes between two levels of a hierarchy: the joined clusters, and the pairs they gain."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from concordant import core
from concordant.clusterings.hierarchy_data import HierarchyData
from concordant.counts.arithmetic import Integers, sums_by
from concordant.counts.levels import TruthLevels
from concordant.counts.spelling import counted
from concordant.counts.trees import HeightTexts
from concordant.differences.lazy_list import check_limit
from concordant.errors import ParameterError
from concordant.results import Result, read_only_class

_COLUMNS = ("size", "n_parts", "right", "wrong", "examples")
_NAMED = 3  # parts, each by its first record


@read_only_class
@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Joins(Result):
    """The clusters that are joined between two levels, those with the most wrong pairs first.

    Attributes
    ----------
    title : str
        The two levels.
    n_clusters : int
        Number of clusters that are made by joining others.
    n_parts : int
        Number of clusters that are joined.
    right : int
        Number of new pairs within a reference cluster.
    wrong : int
        Number of new pairs between reference clusters.
    rows : sequence of dict
        The clusters with the most wrong pairs.
    """

    title: str
    n_clusters: int
    n_parts: int
    right: int
    wrong: int
    rows: Sequence[dict[str, Any]]

    def __repr__(self) -> str:
        return f"<Joins of {counted(self.n_parts, 'cluster')} into {self.n_clusters:,}>"

    def _rows(self, limit: int | None = None) -> list[dict[str, Any]]:
        return list(self.rows)[:limit]

    def _names(self) -> Sequence[str]:
        return _COLUMNS

    def _total(self) -> int:
        return self.n_clusters

    def _title(self) -> str:
        if not self.n_clusters:
            return f"{self.title}: no clusters are joined"
        pairs = f"right pairs +{self.right:,}, wrong pairs +{self.wrong:,}"
        return f"{self.title}: {self.n_parts:,} clusters become {self.n_clusters:,}; {pairs}"


def joined(
    truth: TruthLevels,
    hierarchy: HierarchyData,
    name: Callable[[int], Any],  # of a record, by its position
    *,
    chosen: Mapping[str, Any],  # the level after the change, by threshold, height or level
    since: float | None,  # the level before it, in the same way; None is the previous level
    limit: int | None,
) -> Joins:
    """Changes between two levels of a hierarchy, against the labels of a partition."""
    after = hierarchy.level_at(**chosen)
    before = max(after - 1, 0)
    if since is not None:
        way = next(way for way, value in chosen.items() if value is not None)
        before = hierarchy.level_at(**{way: since})
        if before > after:
            raise ParameterError(
                "this level is above the one after the change; swap the two", given={"since": since}
            )
    kind = "threshold" if hierarchy.descending else "height"
    heights = HeightTexts.of(hierarchy.level_heights, descending=hierarchy.descending)
    spelled = [
        f"{kind} {heights.text(float(hierarchy.level_heights[level - 1]))}" if level else "singletons"
        for level in (before, after)
    ]
    old, first_of_old = core.factorize(truth.tree.labels_at(before))
    new, first_of_new = core.factorize(truth.tree.labels_at(after))
    count = len(first_of_new)
    into = new[first_of_old]  # the cluster that each old one becomes part of
    parts, sizes = np.bincount(into, minlength=count), np.bincount(new, minlength=count)
    gained = _pairs(sizes) - sums_by(into, _pairs(np.bincount(old, minlength=len(into))), count)
    right = _right_pairs(new, truth.labels, count)
    right = right - sums_by(into, _right_pairs(old, truth.labels, len(into)), count)
    wrong = gained - right
    made = np.flatnonzero(parts > 1)
    shown = made[np.lexsort((made, -right[made], -wrong[made]))][: check_limit(limit)]
    members, start = core.grouped(into)
    rows = []
    for cluster in shown.tolist():
        first = np.sort(first_of_old[members[start[cluster] : start[cluster + 1]]])
        named = [str(name(place)) for place in first[:_NAMED].tolist()]
        more = f" and {len(first) - _NAMED:,} more" if len(first) > _NAMED else ""
        numbers = (int(each[cluster]) for each in (sizes, parts, right, wrong))
        rows.append(dict(zip(_COLUMNS, (*numbers, " | ".join(named) + more), strict=True)))
    return Joins(
        f"from {spelled[0]} to {spelled[1]}",
        len(made),
        int(parts[made].sum()),
        int(right.sum()),
        int(wrong.sum()),
        tuple(rows),
    )


def _pairs(sizes: Integers) -> Integers:
    found: Integers = sizes * (sizes - 1) // 2
    return found


def _right_pairs(clusters: Integers, labels: Integers, count: int) -> Integers:
    """For each cluster: its pairs of one label."""
    row, _, n, _, _ = core.cells(clusters, labels)
    return sums_by(row, _pairs(n), count)
