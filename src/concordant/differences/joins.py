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
    heights: HeightTexts,
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
    spelled = [
        f"{kind} {heights.text(float(hierarchy.level_heights[level - 1]))}" if level else "singletons"
        for level in (before, after)
    ]
    tree, truth_pairs = truth.tree, (truth.node_squares - truth.tree.sizes) // 2
    begin, end = (tree.size + int(np.searchsorted(tree.level, at, "right")) for at in (before, after))
    above = tree.parent[begin:end]  # of the nodes that join clusters between the two levels
    is_top = (above >= end) | (above < 0)
    top = begin + core.nearest_marked(np.where(is_top, -1, above - begin), is_top)
    parts = np.flatnonzero((tree.parent[:begin] >= begin) & (tree.parent[:begin] < end))
    parts = parts[tree.sizes[parts] > 0]
    clusters, into = np.unique(top[tree.parent[parts] - begin], return_inverse=True)
    n_parts, sizes = np.bincount(into), tree.sizes[clusters]
    gained = _pairs(sizes) - sums_by(into, _pairs(tree.sizes[parts]), len(clusters))
    right = truth_pairs[clusters] - sums_by(into, truth_pairs[parts], len(clusters))
    wrong = gained - right
    number = np.full(len(tree.parent), -1)
    number[parts] = np.arange(len(parts))
    part = number[tree.labels_at(before)]
    records = np.flatnonzero(part >= 0)[::-1]
    first = np.empty(len(parts), dtype=np.int64)
    first[part[records]] = records  # the first record of each part, which is written last
    first_of_all = np.full(len(clusters), tree.size)
    np.minimum.at(first_of_all, into, first)
    made = np.flatnonzero(n_parts > 1)
    shown = made[np.lexsort((first_of_all[made], -right[made], -wrong[made]))][: check_limit(limit)]
    members, start = core.grouped(into)
    rows = []
    for cluster in shown.tolist():
        examples = np.sort(first[members[start[cluster] : start[cluster + 1]]]).tolist()
        named = [str(name(place)) for place in examples[:_NAMED]]
        more = f" and {len(examples) - _NAMED:,} more" if len(examples) > _NAMED else ""
        numbers = (int(each[cluster]) for each in (sizes, n_parts, right, wrong))
        rows.append(dict(zip(_COLUMNS, (*numbers, " | ".join(named) + more), strict=True)))
    return Joins(
        f"from {spelled[0]} to {spelled[1]}",
        len(made),
        int(n_parts[made].sum()),
        int(right.sum()),
        int(wrong.sum()),
        tuple(rows),
    )


def _pairs(sizes: Integers) -> Integers:
    found: Integers = sizes * (sizes - 1) // 2
    return found
