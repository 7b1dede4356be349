"""From the candidate to the reference: splits of a cluster in two and merges of two clusters.

Clusters of the two sides that share records are linked: a graph, whose nodes are the clusters and whose
edges are the overlaps. A merge of linked clusters always leads nearer to the reference; a split does if the
two parts are not linked in another way. So the fewest steps are (clusters − 1) for the reference and
(clusters − 1) for the candidate in each component, K + L − 2J in all. They are found like this:

1. A candidate cluster that holds separate parts of the graph together is split into these parts.
2. Parts that cycles of overlaps link together are merged, and
3. split by the reference clusters.
4. The parts of each reference cluster are merged.

A step moves the smaller part. Each step moves as many records as it changes the split-join distance, which
is a metric. So no path from the candidate to the reference moves fewer records than split_join(U, V), and a
script without cycles moves exactly this number. If cycles are cut cell by cell instead
(``fewest="records"``), every script does, with more steps.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from concordant import core
from concordant.clusterings.labels import encode
from concordant.counts.arithmetic import read_only, sums_by
from concordant.counts.conventions import check_choice
from concordant.counts.costs import JoinComponents
from concordant.counts.counted import Names
from concordant.counts.overlaps import Overlaps, largest_in
from concordant.counts.profile import Profile
from concordant.counts.spelling import counted, quoted
from concordant.differences.edit_ranking import merged
from concordant.differences.lazy_list import LazyList
from concordant.errors import InputError, LengthError

Fewest = Literal["steps", "records"]
ClusterNumbers: TypeAlias = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Part:
    """A cluster during the edits.

    Attributes
    ----------
    number : int
        Its number. The candidate's clusters come first, in the order of their first records.
    cluster : object
        Its label, if it is a cluster of the candidate.
    is_new : bool
        Whether a split made it.
    """

    number: int
    cluster: Any
    is_new: bool

    def __str__(self) -> str:
        return f"#{self.number}" if self.is_new else quoted(self.cluster)


@dataclass(frozen=True, slots=True)
class Edit:
    """A split or a merge. A split moves the records of some reference clusters out of a cluster.

    Attributes
    ----------
    kind : {"split", "merge"}
        The kind.
    cluster : Part
        The cluster that is split or merged.
    into : Part
        The new cluster after a split, or the cluster it is merged into.
    moved : int
        Number of moved records.
    reference : tuple
        Labels of the reference clusters whose records leave in a split.
    """

    kind: Literal["split", "merge"]
    cluster: Part
    into: Part
    moved: int
    reference: tuple[Any, ...] = ()

    def __str__(self) -> str:
        if self.kind == "merge":
            return f"merge {self.cluster}, {counted(self.moved, 'record')}, into {self.into}"
        listed = ", ".join(map(quoted, self.reference[:3])) + (", …" if len(self.reference) > 3 else "")
        become = "becomes" if self.moved == 1 else "become"
        leaving = f"{counted(self.moved, 'record')} of reference {listed}"
        return f"split {self.cluster}: {leaving} {become} {self.into}"


class EditScript(LazyList[Edit]):
    """Splits and merges that turn the candidate into the reference. `Comparison.edits` returns it.

    The costliest components come first. Steps of different components are independent.

    Attributes
    ----------
    cost : int
        Number of moved records.
    n_splits, n_merges : int
        Number of splits and merges.
    """

    cost: int
    n_splits: int
    n_merges: int

    def __init__(self, plan: Plan, names: Names) -> None:
        super().__init__(range(len(plan.moved)), self._step)
        self._plan, self._names_of = plan, names
        n_splits = int(plan.is_split.sum())
        n_merges = len(self) - n_splits
        vars(self).update(cost=int(plan.moved.sum()), n_splits=n_splits, n_merges=n_merges)

    @property
    def steps(self) -> Self:
        """All steps."""
        return self[:]

    def apply(self, labels: Any = None) -> NDArray[np.int64]:
        """Apply the edits to the candidate.

        Parameters
        ----------
        labels : labels, optional
            The candidate's labels, in the order of the comparison. By default, those that were compared.

        Returns
        -------
        array of int
            The cluster number of each record. The clusters are those of the reference.

        Examples
        --------
        >>> import concordant as cc
        >>> cc.compare(list("aab"), [7, 8, 8]).edits().apply().tolist()
        [0, 0, 2]
        """
        records = self._names_of.records
        if labels is not None:
            self._check(labels, records.column)
        return read_only(self._plan.outcome[records.cell])

    def _check(self, labels: Any, column: ClusterNumbers) -> None:
        codes = encode(labels, "the labels").codes
        if len(codes) != len(column):
            raise LengthError(
                f"there are {len(codes):,} labels for {len(column):,} records; give each record one"
            )
        if not np.array_equal(core.factorize(np.ascontiguousarray(codes))[0], column):
            raise InputError(
                "these labels are not the candidate's: an edit script leads from one partition to another, "
                "and this one starts at the candidate that was compared"
            )

    def _step(self, position: int) -> Edit:
        plan, moved = self._plan, int(self._plan.moved[position])
        target, part = self._part(int(plan.target[position])), self._part(int(plan.part[position]))
        if not plan.is_split[position]:
            return Edit("merge", part, target, moved)
        leaving = tuple(self._names_of.cluster(0, row) for row in plan.rows_leaving(position))
        return Edit("split", target, part, moved, leaving)

    def _part(self, number: int) -> Part:
        is_new = number >= self._plan.columns
        return Part(number, None if is_new else self._names_of.cluster(1, number), is_new)

    _columns = ("kind", "cluster", "into", "moved")

    def _row(self, item: Edit) -> dict[str, Any]:
        clusters = {"cluster": str(item.cluster), "into": str(item.into)}
        return {"kind": item.kind, **clusters, "moved": item.moved}

    def _title(self) -> str:
        splits, merges = counted(self.n_splits, "split"), counted(self.n_merges, "merge")
        return f"{splits} and {merges}, {counted(self.cost, 'record')} moved"

    def _whole_text(self) -> str:
        return "\n".join(
            [self._title(), *(f"  {step}" for step in self[:20]), *filter(None, [self._rest(len(self[:20]))])]
        )


def edits_of(profile: Profile, names: Names, fewest: Fewest) -> EditScript:
    """The shortest script by steps, or by records moved."""
    check_choice("fewest", fewest, ("steps", "records"))
    return EditScript(Plan(profile, fewest), names)


class _Parts:
    """Cells taken together by their component and another number, their row or their column."""

    def __init__(self, o: Overlaps, component: ClusterNumbers, other: ClusterNumbers) -> None:
        is_alone = np.bincount(component)[component] == 1  # as most cells are, so they need no search
        alone, linked = np.flatnonzero(is_alone), np.flatnonzero(~is_alone)
        width = int(other.max(initial=0)) + 1
        codes, first = core.factorize(component[linked] * width + other[linked])
        self.of_cell = np.empty(len(component), dtype=np.int64)
        self.of_cell[linked], self.of_cell[alone] = codes, len(first) + np.arange(len(alone))
        cell = np.concatenate([linked[first], alone])  # one of each part
        self.component, self.other, self.row = component[cell], other[cell], o.row[cell]
        self.size = sums_by(self.of_cell, o.n, len(cell))

    def leaders(self, group: ClusterNumbers) -> ClusterNumbers:
        """For each part the largest part of its group."""
        return largest_in(group, self.size)[group]


class Plan:
    """The steps as arrays: a step takes ``part`` out of ``target`` (a split) or into it (a merge)."""

    columns: int
    moved: NDArray[Any]
    is_split: Any
    target: NDArray[np.int64]
    part: NDArray[np.int64]

    def __init__(self, profile: Profile, fewest: Fewest) -> None:
        o = self._overlaps = profile.view(Overlaps)
        self.columns = len(o.column_sizes)
        component = core.bicomponents(o.row, o.column) if fewest == "steps" else np.arange(len(o.n))
        self._cut, self._built = _Parts(o, component, o.column), _Parts(o, component, o.row)
        # In each phase, all parts but the leader of their group move.
        phases = self._phases()
        sources = [np.flatnonzero(leaders != np.arange(len(leaders))) for _, leaders, _, _ in phases]
        kind = np.repeat(np.arange(4), [len(source) for source in sources])
        moving = list(zip(phases, sources, strict=True))
        row = np.concatenate([parts.row[source] for (parts, _, _, _), source in moving])
        moved = np.concatenate([parts.size[source] for (parts, _, _, _), source in moving])
        target = np.concatenate([targets[source] for (_, _, targets, _), source in moving])
        part = np.concatenate([numbers[source] for (_, _, _, numbers), source in moving])
        # Component by component, the costliest first; in order within each.
        linked = profile.view(JoinComponents).of_row[row]
        cost = sums_by(linked, moved)
        place = np.empty(len(cost), dtype=np.int64)
        place[np.argsort(-cost, kind="stable")] = np.arange(len(cost))
        order = core.grouped(place[linked])[0]
        self._phase = kind[order]
        self._source, self.moved = np.concatenate(sources)[order], moved[order]
        self.is_split = self._phase % 2 == 0
        number = self._numbered(part[order])
        self.target, self.part = number[target[order]], number[part[order]]

    def _phases(self) -> list[tuple[_Parts, ClusterNumbers, ClusterNumbers, ClusterNumbers]]:
        """The parts of each phase, the leader of each one's group, its target, and its number.

        The part that is split off gets a new number; the leader of a group keeps the group's.
        """
        cut, built = self._cut, self._built
        stays, first, head = cut.leaders(cut.other), cut.leaders(cut.component), built.leaders(built.other)
        cut_number = _fresh(cut.other, stays, self.columns)
        of_component = np.empty(int(cut.component.max(initial=-1)) + 1, dtype=np.int64)
        of_component[cut.component] = cut_number[first]
        whole, remains = of_component[built.component], built.leaders(built.component)
        built_number = _fresh(whole, remains, self.columns + len(cut.size))
        return [
            (cut, stays, cut.other, cut_number),
            (cut, first, cut_number[first], cut_number),
            (built, remains, whole, built_number),
            (built, head, built_number[head], built_number),
        ]

    def _numbered(self, part: ClusterNumbers) -> ClusterNumbers:
        """Number new clusters in order of appearance, after those of the candidate."""
        number = np.arange(self.columns + len(self._cut.size) + len(self._built.size))
        new = part[self.is_split]
        number[new] = self.columns + np.arange(len(new))
        return number

    def rows_leaving(self, position: int) -> list[int]:
        """The reference clusters whose records a split takes out."""
        source = int(self._source[position])
        if self._phase[position]:
            return [int(self._built.other[source])]
        order, start = self._cells_cut
        rows: list[int] = self._overlaps.row[order[start[source] : start[source + 1]]].tolist()
        return rows

    @cached_property
    def _cells_cut(self) -> tuple[ClusterNumbers, ClusterNumbers]:
        return core.grouped(self._cut.of_cell)

    @cached_property
    def outcome(self) -> ClusterNumbers:
        """The number of the cluster in which each cell is after all steps."""
        where = self._overlaps.column.copy()
        for phase, parts in ((0, self._cut), (2, self._built)):
            steps = np.flatnonzero(self._phase == phase)
            new = np.full(len(parts.size), -1)
            new[self._source[steps]] = self.part[steps]
            moved = new[parts.of_cell]
            where = np.where(moved >= 0, moved, where)
        is_merge, count = ~self.is_split, self.columns + int(self.is_split.sum())
        return merged(self.part[is_merge], self.target[is_merge], count)[where]


def _fresh(number: ClusterNumbers, leaders: ClusterNumbers, start: int) -> ClusterNumbers:
    """The number of each part that leads its group, and unused numbers for the others."""
    own = np.arange(len(leaders))
    return np.where(leaders == own, number, start + own)
