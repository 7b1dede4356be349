"""Changes of clusters: the connected components of clusters that share records.

Clusters of the two sides that share records are linked. Linked clusters are a connected component (of the
join of two partitions). Components are counted by the number of reference clusters and of candidate clusters
in them: 1:1, 1:n (the reference cluster was split), n:1 (the reference clusters were merged) and n:m, which
are shown by overlap. In covers, and if a side has records of its own, one cluster against one is 1:1 only if
both are the same, and "1:1 changed" otherwise. A cluster without an overlap is 1:0 or 0:1.

``concordant.differences.component_sums`` counts what a change costs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from concordant.counts.base import Counts
from concordant.counts.counted_sides import Names
from concordant.counts.overlaps import DisagreeingClusters, Overlaps
from concordant.differences.component_sums import CHANGE_KINDS, ChangeKind, ComponentSums, Members, Unit
from concordant.differences.lazy_list import LazyList, check_limit, largest_of
from concordant.errors import ParameterError
from concordant.foundation.conventions import SIDES, check_choice
from concordant.foundation.results import ReadOnlyDict, Result, read_only_class, rest_words
from concordant.foundation.spelling import NOT_NAMED, counted, number_text, percent, quoted
from concordant.maths.arithmetic import Integers

ChangesOrder = Literal["pairs", "missed", "wrong", "size"]

# The role of an overlap in its two clusters; in covers it is only shared.
Role = Literal["core", "absorbed", "broken off", "stray", "shared"]
ROLES: tuple[Role, ...] = ("stray", "absorbed", "broken off", "core")

_OPENED = 5  # overlaps of an n:m component that are printed

_VERBS = {"1:n": " into ", "n:1": " into ", "n:m": " with "}


@dataclass(frozen=True, slots=True)
class Cluster:
    """A cluster of either side.

    Attributes
    ----------
    cluster : object
        Its label. None if this side lacked the record, which is then a singleton.
    size : float
        Number of records, or their weight.
    """

    cluster: Any  # None if this side lacked the record, which is then a singleton
    size: float

    def __str__(self) -> str:
        return f"{quoted(self.cluster)} ({number_text(self.size)})"


@dataclass(frozen=True, slots=True)
class Overlap:
    """The records that a reference cluster and a candidate cluster share.

    Attributes
    ----------
    reference, candidate : object
        Labels of the two clusters.
    size : float
        Number of shared records, or their weight.
    reference_size, candidate_size : float
        Sizes of the two clusters.
    role : str
        What happened to these records: "core", "absorbed", "broken off", "stray" or "shared".
    missed, wrong : float
        Pairs of the reference cluster and of the candidate cluster that this stray is charged with, or their
        weight.
    examples : tuple
        Some of the records.
    unit : str
        What the costs count: pairs, or their weight.
    """

    reference: Any
    candidate: Any
    size: float
    reference_size: float
    candidate_size: float
    role: Role
    missed: float  # pairs of the reference cluster that this stray is charged with
    wrong: float  # pairs of the candidate cluster that this stray is charged with
    examples: tuple[Any, ...] = ()
    unit: Unit = "pair"  # of the costs

    def __str__(self) -> str:
        mine, theirs = quoted(self.reference), quoted(self.candidate)
        share = f"{number_text(self.size)} of {number_text(self.reference_size)} of reference {mine}"
        share = f"weight {share}" if self.unit == "weight" else share
        what = {
            "core": f"{share} are the main part of candidate {theirs}",
            "absorbed": f"{share}, its main part, were absorbed by candidate {theirs}",
            "broken off": f"{share} broke off and are the main part of candidate {theirs}",
            "stray": f"{share} strayed into candidate {theirs}",
            "shared": f"{share} are in candidate {theirs} ({number_text(self.candidate_size)})",
        }[self.role]
        return what + _cost(self.missed, self.wrong, self.unit)


@dataclass(frozen=True, slots=True)
class Change:
    """A connected component of overlapping clusters and what happened in it.

    Only the largest clusters and the costliest overlaps are listed.

    Attributes
    ----------
    kind : str
        Its kind, such as "1:n".
    reference, candidate : tuple of Cluster
        Its clusters, the largest first. Empty if a cluster is new or lost.
    overlaps : tuple of Overlap
        Its overlaps, the costliest first.
    size : float
        Number of records, or their weight.
    missed, wrong : float
        Pairs, their weight, or memberships, that only the reference has, and that only the candidate has.
    n_references, n_candidates, n_overlaps : int
        Number of all its clusters of both sides, and of all its overlaps.
    unit : str
        What the costs count: pairs, memberships, or the weight of pairs.
    in_no_cluster : (int, int)
        Records in no cluster of the reference, and of the candidate.
    """

    kind: ChangeKind
    reference: tuple[Cluster, ...]  # largest first; none if the cluster is new
    candidate: tuple[Cluster, ...]  # none if the cluster is lost
    overlaps: tuple[Overlap, ...]
    size: float  # records in its clusters
    missed: float  # pairs, or memberships, that only the reference has
    wrong: float  # pairs, or memberships, that only the candidate has
    n_references: int
    n_candidates: int
    n_overlaps: int
    unit: Unit = "pair"  # of the costs
    in_no_cluster: tuple[int, int] = (0, 0)  # records in no cluster of the reference, of the candidate

    @property
    def omitted(self) -> int:
        """Number of overlaps that are not listed."""
        return self.n_overlaps - len(self.overlaps)

    def __str__(self) -> str:
        clusters = (*self.reference, *self.candidate)
        if self.unit != "membership" and all(each.cluster is None for each in clusters):
            return f"{self.kind} {NOT_NAMED} ({number_text(self.size)}), the same on both sides"
        sides = []
        listings = (
            (self.reference, self.candidate),
            (self.n_references, self.n_candidates),
            self.in_no_cluster,
        )
        for name, side, count, unclustered in zip(SIDES, *listings, strict=True):
            listed = ", ".join(map(str, side if count <= 3 else side[:2]))
            words = f"{name} {listed}" if 0 < count <= 3 else listed
            words = words if count <= 3 else f"{count:,} {name} clusters ({listed}, …)"
            ending = f" and {counted(unclustered, 'record')} in no cluster" if unclustered and words else ""
            sides.append(words + ending)
        named = _VERBS.get(self.kind, " as ").join(filter(None, sides))
        return f"{self.kind} {named}{_cost(self.missed, self.wrong, self.unit)}"


@read_only_class
@dataclass(frozen=True, slots=True)
class ChangeSummary(Result):
    """The number of components of each kind, and their cost.

    Attributes
    ----------
    counts : mapping from {"1:1", "1:1 changed", "1:n", "n:1", "n:m", "1:0", "0:1"} to int
        Number of components of each kind.
    missed, wrong : float
        Missed and wrong pairs of all components, or their weight.
    most_missed, most_wrong : tuple, optional
        Kind and cost of the component with the most missed and with the most wrong pairs.
    unit : str
        The unit of the costs.
    """

    counts: Mapping[ChangeKind, int]
    missed: float
    wrong: float
    most_missed: tuple[ChangeKind, float] | None
    most_wrong: tuple[ChangeKind, float] | None
    unit: Unit = "pair"

    def _whole_text(self) -> str:
        numbers = _listed(self.counts)
        if self.unit == "membership":
            return numbers + _cost(self.missed, self.wrong, self.unit)
        blamed = [
            f"one {worst[0]} component accounts for {percent(worst[1], total)} of the {word} pairs"
            for word, worst, total in (
                ("missed", self.most_missed, self.missed),
                ("wrong", self.most_wrong, self.wrong),
            )
            # With a single component this is obvious.
            if worst is not None and total > worst[1] and 10 * worst[1] >= total
        ]
        return "; ".join([numbers, *blamed])

    def _rows(self, limit: int | None = None) -> list[dict[str, Any]]:
        return [{"kind": kind, "n_components": count} for kind, count in self.counts.items()][:limit]


class Changes(LazyList[Change]):
    """The costliest components, and the number of each kind. `Comparison.changes` returns it.

    Attributes
    ----------
    total_missed, total_wrong : float
        Missed and wrong pairs of all components, or their weight.
    """

    counts: Mapping[ChangeKind, int]  # over all components
    total_missed: float
    total_wrong: float
    _page = 300  # as many as an HTML page lists, so one search finds the examples of all of them

    def __init__(
        self,
        sums: ComponentSums,
        components: NDArray[np.int64],
        total: int,
        names: Names,
        *,
        overlaps: int,
        examples: int,
    ) -> None:
        super().__init__(components, total=total)
        totals = {
            f"total_{kind}": sums.amount(costs.sum(), 2)
            for kind, costs in (("missed", sums.missed), ("wrong", sums.wrong))
        }
        vars(self).update(counts=ReadOnlyDict(sums.counts), **totals)
        self._sums, self._components, self._names_of = sums, components, names
        self._most, self._examples = overlaps, examples

    def _make(self, start: int, stop: int) -> list[Change]:
        o, places = self._sums.overlaps, range(start, stop)
        shown = [self._overlaps_of(place) for place in places]
        flat = [cell for cells in shown for cell in cells]
        where = list(zip(o.row[flat].tolist(), o.column[flat].tolist(), strict=True)) if flat else []
        examples = self._names_of.examples(where, self._examples)
        listed = dict(zip(flat, overlaps_in(self._sums, flat, self._names_of, examples), strict=True))
        return [self._change(*each, listed) for each in zip(places, shown, strict=True)]

    @cached_property
    def _members(self) -> tuple[Members, Members, Members]:
        """The overlaps and clusters of the components that are listed, by their places."""
        return self._sums.members(self._components)

    def _change(self, place: int, cells: list[int], listed: dict[int, Overlap]) -> Change:
        sums, names, o = self._sums, self._names_of, self._sums.overlaps
        component, (of_cells, of_rows, of_columns) = int(self._components[place]), self._members
        rows, columns = self._first(of_rows, place), self._first(of_columns, place)
        return Change(
            kind=CHANGE_KINDS[int(sums.kind[component])],
            reference=tuple(Cluster(names.cluster(0, i), sums.amount(o.row_sizes[i])) for i in rows),
            candidate=tuple(Cluster(names.cluster(1, j), sums.amount(o.column_sizes[j])) for j in columns),
            overlaps=tuple(listed[cell] for cell in cells),
            size=sums.amount(sums.size[component]),
            missed=sums.amount(sums.missed[component], 2),
            wrong=sums.amount(sums.wrong[component], 2),
            n_references=int(sums.rows[component]),
            n_candidates=int(sums.columns[component]),
            n_overlaps=int(of_cells[1][place + 1] - of_cells[1][place]),
            unit=sums.unit,
            in_no_cluster=(int(sums.unclustered_rows[component]), int(sums.unclustered_columns[component])),
        )

    def _overlaps_of(self, place: int) -> list[int]:
        """The overlaps to list, the largest first; if there are too many, those that cost most."""
        (order, start), costs = self._members[0], self._sums.costs
        cells = order[start[place] : start[place + 1]]
        if costs is None or len(cells) <= self._most:
            return self._first(self._members[0], place)
        blame = costs.missed_of_cells[cells] + costs.wrong_of_cells[cells]
        costliest: list[int] = cells[np.sort(largest_of(blame, self._most))].tolist()
        return costliest

    def _first(self, members: Members, place: int) -> list[int]:
        order, start = members
        end = min(start[place] + self._most, start[place + 1])
        first: list[int] = order[start[place] : end].tolist()
        return first

    _columns = (
        "kind", "reference", "candidate", "n_references", "n_candidates", "n_overlaps", "size", "missed",
        "wrong",
    )  # fmt: skip

    def _row(self, item: Change) -> dict[str, Any]:
        """The largest cluster represents its side."""
        row = {key: getattr(item, key) for key in self._names()}
        sides = {"reference": item.reference, "candidate": item.candidate}
        return row | {side: clusters[0].cluster if clusters else None for side, clusters in sides.items()}

    def _title(self) -> str:
        return _listed(self.counts)

    def _whole_text(self) -> str:
        lines = [self._title()]
        for change in self[:20]:
            lines.append(f"  {change}")
            # The other kinds are clear without their overlaps.
            if change.kind == "n:m" and change.unit != "membership":
                costliest = sorted(change.overlaps, key=lambda o: -(o.missed + o.wrong))[:_OPENED]
                more = change.n_overlaps - len(costliest)
                lines += [f"    {overlap}" for overlap in costliest]
                lines += [f"    and {counted(more, 'more overlap')}"] if more else []
        return "\n".join(
            [*lines, *(f"  {line}" for line in filter(None, [rest_words(self.total - len(self[:20]))]))]
        )


def changes_of(
    counts: Counts,
    names: Names,
    *,
    kind: str | None = None,
    limit: int | None = 20,
    order: ChangesOrder = "pairs",
    overlaps: int = 50,
    examples: int = 3,
) -> Changes:
    """The components of that kind, those with the most of ``order`` first."""
    limit, sums = check_limit(limit), counts.view(ComponentSums).of_clusters(names)
    if kind is not None:
        check_choice("kind", kind, sums.counts)
    check_choice("order", order, get_args(ChangesOrder))
    for option, value, least in (("n_overlaps", overlaps, 1), ("n_examples", examples, 0)):
        if not isinstance(value, int) or value < least:
            raise ParameterError(f"{option}={value!r}: use a whole number, {least} or more")
    kinds = range(len(CHANGE_KINDS)) if kind is None else [CHANGE_KINDS.index(kind)]
    asked = np.flatnonzero(np.isin(sums.kind, kinds))
    keys: Integers = getattr(sums, order)
    listed = sums.largest(keys, asked, limit)
    return Changes(sums, listed, len(asked), names, overlaps=overlaps, examples=examples)


def change_summary(counts: Counts, names: Names) -> ChangeSummary:
    """The number of components of each kind, and their cost."""
    kept = 0  # clusters that both sides have are components of their own
    if counts.kind != "covers" and not len(names.unclustered(0)) and not len(names.unclustered(1)):
        part = counts.view(DisagreeingClusters)
        counts, kept = part.profile, int(part.exact[1].sum())
    sums = counts.view(ComponentSums).of_clusters(names)

    def most(costs: Integers) -> tuple[ChangeKind, float] | None:
        if not len(costs) or not costs.max():
            return None
        component = int(costs.argmax())
        return CHANGE_KINDS[int(sums.kind[component])], sums.amount(costs[component], 2)

    missed, wrong = sums.missed, sums.wrong
    totals = sums.amount(missed.sum(), 2), sums.amount(wrong.sum(), 2)
    kinds = {kind: count + kept * (kind == "1:1") for kind, count in sums.counts.items()}
    return ChangeSummary(kinds, *totals, most(missed), most(wrong), sums.unit)


def overlaps_in(
    sums: ComponentSums,
    cells: Sequence[int] | NDArray[np.int64],
    names: Names,
    examples: Sequence[tuple[Any, ...]] | None = None,
) -> list[Overlap]:
    """The overlaps in these cells; ``examples`` are records of each."""
    o, costs, which = sums.overlaps, sums.costs, np.array(cells, dtype=np.int64)
    columns: list[Sequence[Any]] = [
        [names.cluster(0, row) for row in o.row[which].tolist()],
        [names.cluster(1, column) for column in o.column[which].tolist()],
        *(
            [sums.amount(size) for size in sizes.tolist()]
            for sizes in (o.n[which], o.row_sizes[o.row[which]], o.column_sizes[o.column[which]])
        ),
    ]
    if costs is None:
        columns += [["shared"] * len(which), [0] * len(which), [0] * len(which)]
    else:
        columns.append([ROLES[role] for role in roles_of(o, which).tolist()])
        columns += [
            [sums.amount(cost, 2) for cost in charged[which].tolist()]
            for charged in (costs.missed_of_cells, costs.wrong_of_cells)
        ]
    columns.append([()] * len(which) if examples is None else examples)
    columns.append([sums.unit] * len(which))
    return [Overlap(*each) for each in zip(*columns, strict=True)]


def roles_of(o: Overlaps, cells: NDArray[np.int64]) -> NDArray[np.int64]:
    """The role of each of these overlaps for its two clusters, as its position in ROLES.

    A core is the largest overlap of both its clusters. The largest of its reference cluster alone was
    absorbed, the largest of its candidate cluster alone broke off, and any other strayed.
    """
    part = o.of_differing
    if part is not o:  # any other cell is the core of its clusters, which both sides have
        found, place = np.full(len(cells), ROLES.index("core")), np.searchsorted(o.differing, cells)
        differs = np.isin(cells, o.differing[place[place < len(o.differing)]])
        found[differs] = roles_of(part, place[differs])
        return found
    ends = (o.row, o.row_order), (o.column, o.column_order)
    of_row, of_column = (order[start[cluster[cells]]] == cells for cluster, (order, start) in ends)
    roles: NDArray[np.int64] = of_row + 2 * of_column
    return roles


def _listed(counts: Mapping[ChangeKind, int]) -> str:
    return ", ".join(f"{count:,} × {kind}" for kind, count in counts.items())


def _cost(missed: float, wrong: float, unit: Unit) -> str:
    costs = [(cost, word) for cost, word in ((missed, "missed"), (wrong, "wrong")) if cost]
    if unit == "weight":
        parts = [f"pairs of weight {number_text(cost)} {word}" for cost, word in costs]
    else:
        parts = [f"{counted(int(cost), unit)} {word}" for cost, word in costs]
    return f"; {', '.join(parts)}" if parts else ""
