"""The content of printed reports, pages and charts; each part is computed on first use."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import inf, isnan
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from concordant.clusterings.record_names import RecordNames
from concordant.counts.base import Counts, Detail
from concordant.counts.counted_sides import (
    CountedSides,
    DecidedPairs,
    Names,
    noise_cluster,
    omitted_of,
    outside_clusters,
)
from concordant.counts.cover_counts import CoverCounts
from concordant.counts.overlaps import NO_SIZES, DisagreeingClusters, Overlaps
from concordant.counts.pair_costs import Costs
from concordant.counts.pairs import PairCounts
from concordant.counts.partial_overlap import PartialOverlap
from concordant.counts.profile import Profile
from concordant.counts.weighted_counts import WeightedCounts
from concordant.differences.changes import Changes, changes_of
from concordant.differences.edit_ranking import (
    KINDS,
    MOST_ELEMENTS,
    EditGroup,
    edit_groups,
    is_small,
    split_apart,
)
from concordant.differences.own_clusters import ClusteredNames, as_covers, clustered_in_both, in_no_cluster
from concordant.differences.suggestions import Suggestions, suggestions_of
from concordant.differences.verdicts import (
    EXACT,
    USUAL_THRESHOLDS,
    VERDICTS,
    CountedUnit,
    Thresholds,
    VerdictSummary,
    unit_of,
    verdict_summary,
    verdicts_of,
    with_exact,
)
from concordant.errors import TableNeededError, TooLargeError
from concordant.foundation.conventions import SIDES, SideName, Undefined
from concordant.foundation.spelling import percent, printable
from concordant.indices.index import DEFAULT_FOR_EDITS, INDICES, Index
from concordant.maths.arithmetic import Integers, distinct_sizes, plain_weight
from concordant.report.cluster_detail import ClusterDetail, cluster_details
from concordant.report.labels import ReportNames
from concordant.report.selection import Picture, fold, largest, pick, pick_of_covers, with_cards
from concordant.report.values import Line, format_interval

if TYPE_CHECKING:
    from concordant.inference.interval import Interval

SideTitles = tuple[str, str]  # what a page calls the reference and the candidate

# How many clusters per side the flow and the table show, and how many of the costliest are named.
FLOW, CELLS, NAMED = 16, 26, 4
_PIECES = 5  # of a costly cluster, the largest
# How many changes a page lists, and how many overlaps of each component.
_CHANGES, _OVERLAPS = 300, 60
_SUGGESTED = 8  # edits on a page
_MIXED = 3  # reference clusters that a candidate cluster mixes before splitting it apart is one fix
MOST_SINGLE_EDITS = 300_000  # with more, the search for the best would make a page slow
_NONE: NDArray[np.bool_] = np.zeros(0, dtype=bool)  # a mask that marks nothing

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
_INDICES = 4  # that are shown first
_ENTITY_SIZE = 5  # the median cluster of entity resolution is smaller
# The counts of an audit, by key, without the side in the key.
_AUDITED = {
    "only": "only in the",
    "null": "without a label in the",
    "noise": "noise in the",
    "null_records": "without a name in the",
    "noise_dropped": "dropped as noise",
}
OutsideKind = Literal["missing", "noise", "background", "without a label", "in no cluster"]


class Outside(NamedTuple):
    """Records that are in no cluster of one side, and why."""

    side: SideName
    kind: OutsideKind
    records: int


@dataclass(frozen=True, eq=False)
class ReportData:
    """The data of a report on one comparison."""

    names: SideTitles
    counts: Counts  # of indices
    labels: Names
    is_available: Callable[[Index], bool]  # whether a table of all indices shows it
    undefined: Undefined
    audit: Mapping[str, int]  # elements that were not simply counted, and how many
    make_signature: Callable[[], str]
    thresholds: Thresholds = USUAL_THRESHOLDS  # of the verdicts
    noise: tuple[Any, Any] = (None, None)  # the label of each side that means noise, where one does
    intervals: Mapping[str, Interval] = field(default_factory=dict)  # by index, if the records are a sample
    are_pixels: bool = False  # whether the elements are pixels or voxels
    is_coreference: bool = False
    chosen: Sequence[Index] | None = None  # the indices to show first, if the caller chose some
    conventions: Mapping[str, str] = field(default_factory=dict)  # as the signature prints them
    decided: DecidedPairs | None = None  # pairs of records that no advice breaks

    def __post_init__(self) -> None:
        # Names may be paths, and sentences contain them as they are.
        object.__setattr__(self, "names", (printable(self.names[0]), printable(self.names[1])))
        if self.counts.kind != "covers" and not isinstance(self.labels, ReportNames):
            object.__setattr__(self, "labels", ReportNames(self.labels, self.noise, self.profile))

    # -- which counts these are ---------------------------------------------------------------------

    @property
    def size(self) -> int:
        return self.counts.size

    @cached_property
    def profile(self) -> Profile:
        """The counts of what differs: an element that a side lacks is a singleton there.

        With weights, it counts whole parts of weight.
        """
        if isinstance(self.counts, WeightedCounts):
            return self.counts.weights
        if self.counts.kind in ("partitions", "partial_overlap"):
            return self.counts.completed
        other: Any = self.counts  # covers have no profile, and charts of them do not need it
        return other  # type: ignore[no-any-return]

    @property
    def covers(self) -> CoverCounts | None:
        """The counts, where clusters may overlap."""
        return self.counts if isinstance(self.counts, CoverCounts) else None

    @property
    def has_own_elements(self) -> bool:
        """Whether a side has elements that the other lacks: they are in no cluster of it."""
        return self.counts.kind == "partial_overlap" and self.counts.common < self.profile.size

    @property
    def shows_overlaps(self) -> bool:
        """Whether overlaps and costs are known, in records; otherwise only sizes are shown."""
        return self._has_table and self.counts.kind != "weights"

    @property
    def _has_table(self) -> bool:
        available = self.profile.availability
        return available.has(Detail.TABLE) and available.adds_up and self.size > 0

    @property
    def draws_overlaps(self) -> bool:
        """Whether overlaps can be drawn: those of covers too, unless they are too many to be counted."""
        covers = self.covers
        if covers is None:
            return self.shows_overlaps
        return covers.rows + covers.columns > 0 and covers.overlaps_fit

    @property
    def shows_verdicts(self) -> bool:
        """Whether clusters have verdicts, by weight if records have weights. Covers have verdicts, too."""
        return self._has_table or (self.covers is not None and self.draws_overlaps)

    @property
    def unit(self) -> CountedUnit:
        """The unit of the bar of a side."""
        return unit_of(self.counts)

    @cached_property
    def sizes(self) -> tuple[Mapping[int, int], Mapping[int, int]]:
        """Cluster size -> number of clusters, on both sides; without singletons that are not clusters."""
        sizes = [dict(self.counts.row_sizes), dict(self.counts.column_sizes)]
        for own, unclustered in zip(sizes, self.in_no_cluster, strict=True):
            if unclustered:
                own[1] -= unclustered
        u, v = ({size: count for size, count in own.items() if count} for own in sizes)
        return u, v

    def sizes_without_noise(self, number: int) -> Mapping[int, int]:
        """The sizes of the clusters of a side that are not noise, likewise."""
        sizes, noise = dict(self.sizes[number]), self.noise_clusters[number]
        if noise is not None:
            table = self.counts.table if self.counts.kind == "weights" else self.profile.table
            sizes[int((table.row_sizes if number == 0 else table.column_sizes)[noise])] -= 1
        return {size: count for size, count in sizes.items() if count}

    @cached_property
    def in_no_cluster(self) -> tuple[int, int]:
        """The elements of each side that count as singletons because they are in no cluster."""
        return in_no_cluster(self.counts, self.labels)

    @cached_property
    def noise_clusters(self) -> tuple[int | None, int | None]:
        """The cluster of each side that is noise, by its number; None if noise is not a cluster there."""
        names = self.labels
        if not isinstance(names, ReportNames) or not self._has_table:
            return None, None
        return noise_cluster(names.names, 0, self.noise[0]), noise_cluster(names.names, 1, self.noise[1])

    @cached_property
    def outside_clusters(self) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Which rows and columns are noise, or records in no cluster of their side."""
        return outside_clusters(self._counted.names, self.noise, self.profile)

    @cached_property
    def outside_records(self) -> list[Outside]:
        """The records in no cluster of a side, by side and reason."""
        agreed, audit, found = self.conventions, self.audit, list[Outside]()
        if self.covers is not None:
            elements = self.covers.elements
            for side, memberships in zip(SIDES, self.covers.sides, strict=True):
                records = int(elements[memberships.memberships == 0].sum())
                found += [Outside(side, "in no cluster", records)] if records else []
            return found
        for number, (side, other) in enumerate(zip(SIDES, SIDES[::-1], strict=True)):
            left = self.labels.unclustered_count(number)
            is_kept = agreed.get("unmatched") in ("singletons", "keep")
            missing = min(left, audit.get(f"only_{other}", 0)) if is_kept else 0
            left -= missing
            unlabelled = min(left, audit.get(f"null_{side}", 0)) if "nulls" in agreed else 0
            left -= unlabelled
            if (noise := self.noise_clusters[number]) is not None:
                table = self.counts.table if self.counts.kind == "weights" else self.profile.table
                left += int(table.row_sizes[noise] if number == 0 else table.column_sizes[noise])
            policy = agreed.get("noise", "none")
            kind: OutsideKind = "background" if "as background" in policy else "noise"
            if policy == "none":  # nobody called these records noise
                kind = "without a label"
                unlabelled, left = unlabelled + left, 0
            each: tuple[tuple[OutsideKind, int], ...] = (
                ("missing", missing),
                (kind, left),
                ("without a label", unlabelled),
            )
            found += [Outside(side, kind, records) for kind, records in each if records]
        return found

    @property
    def _counted(self) -> CountedSides:
        """The counts of what differs under the labels of the user."""
        names = self.labels.names if isinstance(self.labels, ReportNames) else self.labels
        return CountedSides(self.profile, names, noise=self.noise)

    @property
    def clusters(self) -> tuple[int, int]:
        """How many clusters each side has."""
        u, v = self.sizes
        return sum(u.values()), sum(v.values())

    @property
    def omitted(self) -> int:
        """Records that were given and not compared."""
        return sum(omitted_of(self.audit).values())

    # -- indices --------------------------------------------------------------------------------------

    @cached_property
    def pairs(self) -> tuple[float, float, float, float] | None:
        """Pairs together in both, in one side only, or in neither; None if covers have too many to count."""
        try:
            pairs = self.counts.view(PairCounts)
        except TooLargeError:
            return None
        n11, n10, n01, n00 = (plain_weight(x) for x in (pairs.n11, pairs.n10, pairs.n01, pairs.n00))
        return n11, n10, n01, n00

    @property
    def disagreement(self) -> tuple[float, float]:
        """Missed and wrong pairs; none where they cannot be counted."""
        return (0, 0) if self.pairs is None else self.pairs[1:3]

    def line(self, index: Index) -> Line:
        """An index with its value."""
        # A table is printed whole, so "raise" shows a dash here.
        return Line(index, *index.assess(self.counts, "nan" if self.undefined == "raise" else self.undefined))

    @property
    def noun(self) -> str:
        """The name of one of the things clustered."""
        return {"images": "pixel", "coreference": "mention"}.get(self.domain, "record")

    @property
    def things(self) -> str:
        """The unit of bars in words: records, pixels, mentions, memberships or weight."""
        return {"membership": "memberships", "weight": "weight"}.get(self.unit, f"{self.noun}s")

    @property
    def cluster_noun(self) -> str:
        """The name of a cluster."""
        return "object" if self.domain == "images" else "cluster"

    @cached_property
    def domain(self) -> Domain:
        """The kind of data, which determines the headline indices."""
        if self.covers is not None:
            return "covers"
        if self.is_coreference or self.are_pixels:
            return "coreference" if self.is_coreference else "images"
        return "clusters" if self.counts.divisible else domain_of_sizes(self.sizes[0])

    @cached_property
    def indices(self) -> list[Index]:
        """Those that a table of all shows."""
        return [index for index in INDICES.values() if self.is_available(index)]

    @cached_property
    def headline(self) -> list[Line]:
        """The indices to show first, with their values by chance if cluster sizes determine these."""
        return self._with_chance(headline_indices(self.domain, self.is_available, self.chosen))

    def interval_ends(self, index: Index) -> tuple[float, float] | None:
        """The interval of an index, if requested, determined by the sample, and containing the value.

        An index that is adjusted for chance has another value in the population, beside which its sample
        value would look like a contradiction.
        """
        found = self.intervals.get(index.name)
        if found is None or not found.estimable or not found.low <= found.value <= found.high:
            return None
        return found.low, found.high

    @property
    def interval_title(self) -> str:
        """``95% interval``; empty if no intervals were requested."""
        levels = {each.confidence for each in self.intervals.values()}
        return f"{levels.pop() * 100:g}% interval" if levels else ""

    def interval_words(self, index: Index) -> str:
        """``0.61 to 0.72``; empty if not requested, or if it would look like a contradiction."""
        found = self.intervals.get(index.name)
        if found is None or (found.estimable and self.interval_ends(index) is None):
            return ""
        return format_interval(found)

    @cached_property
    def most_used(self) -> list[Line]:
        """The indices most used, likewise."""
        return self._with_chance(list(filter(self.is_available, INDICES.headline)))

    def _with_chance(self, indices: Sequence[Index]) -> list[Line]:
        counts, lines = self.counts, [self.line(index) for index in indices]
        if counts.kind == "partial_overlap" or not counts.availability.adds_up or not counts.size:
            return lines
        for place, line in enumerate(lines):
            with suppress(TooLargeError):
                lines[place] = replace(line, chance=line.index.by_chance(counts.partitions))
        return lines

    @cached_property
    def families(self) -> list[tuple[str, list[Line]]]:
        """Every index by its family."""
        lines = {index.name: self.line(index) for index in self.indices}
        families = [
            (family, [lines[index.name] for index in members if index.name in lines])
            for family, members in INDICES.families.items()
        ]
        return [(family, members) for family, members in families if members]

    @property
    def audit_note(self) -> str:
        return audit_words(self.audit)

    @cached_property
    def notes(self) -> list[str]:
        """The omissions of a printed comparison, with reasons, and how to show them."""
        counts, shown = self.counts, {index.name for index in self.indices}
        lines = [line for _, family in self.families for line in family]
        undefined = {line.index.name for line in lines if line.undefined}
        notes = list[str]()
        if not counts.size:
            notes.append("— every value is a convention: nothing was compared (n=0)")
        elif undefined:
            names = ", ".join(index.name for index in self.indices if index.name in undefined)
            notes.append(f"— not defined for these partitions: {names}")
        available = counts.availability
        others = [index for index in INDICES.values() if index.name not in shown and not index.on_request]
        missing = [index for index in others if index.is_shown_for(counts)]
        to_ask = [index.name for index in missing if available.can_ask(index.needs)]
        beyond = [index.name for index in missing if not available.can_ask(index.needs)]
        if to_ask:
            notes.append(f"left out here, ask for them by name: {', '.join(to_ask)}")
        if not available.has(Detail.TABLE):
            notes.append(f"which clusters were split and merged is not shown: {available.price}")
        if beyond:
            notes.append(f"left out, since they need to know which clusters overlap: {', '.join(beyond)}")
        if counts.kind == "partial_overlap":
            notes.append("left out: all indices that need two partitions of the same records (see unmatched)")
        broken = [
            f"{number} {kind}"
            for kind in ("same", "different")
            if (number := self.conventions.get(f"{kind}_broken"))
        ]
        if broken:
            notes.append(f"decisions broken: {', '.join(broken)}")
        if counts.kind == "between":
            notes.append(
                "left out: indices that are adjusted for chance or not functions of pair counts (see between)"
            )
        if counts.kind == "weights":
            notes.append("left out: all indices without a meaning for weighted records (see weights)")
        return [*notes, self.audit_note] if self.audit_note else notes

    @cached_property
    def signature(self) -> str:
        return self.make_signature()

    # -- clusters -------------------------------------------------------------------------------------

    @cached_property
    def differing(self) -> ReportData:
        """The same for the clusters that differ alone, by their own numbers.

        For all, if some are not clusters of their side, or if the records are weighted.
        """
        if self.counts.kind != "partitions" or any(mask.any() for mask in self.outside_clusters):
            return self
        part, known = self.profile.view(DisagreeingClusters), self._counted.names
        if part.profile is self.profile:
            return self
        if not isinstance(known, RecordNames):
            known = ClusteredNames(known, (part.rows, part.columns))
        else:
            known = known.of_differing(part)
        return replace(self, counts=part.profile, labels=ReportNames(known, self.noise, part.profile))

    @cached_property
    def verdict_codes(self) -> dict[SideName, NDArray[np.int8]]:
        """The verdict on each cluster of both sides, as its place among VERDICTS."""
        if self.differing is not self:
            part, judged = self.profile.view(DisagreeingClusters), self.differing.verdict_codes
            return {
                "reference": with_exact(judged["reference"], part.rows, self.profile.rows),
                "candidate": with_exact(judged["candidate"], part.columns, self.profile.columns),
            }
        others = {"reference": self.labels.unclustered(1), "candidate": self.labels.unclustered(0)}
        return {side: verdicts_of(self.profile, side, self.thresholds, others[side]) for side in SIDES}

    @cached_property
    def verdicts_of_sizes(self) -> tuple[Integers, NDArray[np.int64]]:
        """The sizes of reference clusters, and how many clusters of each have each verdict."""
        part, unclustered = self.differing, self.differing.labels.unclustered(0)
        exact, count = (NO_SIZES, NO_SIZES) if part is self else self.profile.view(DisagreeingClusters).exact
        own = np.delete(part.profile.view(Overlaps).row_sizes, unclustered)
        sizes, which = distinct_sizes(np.concatenate([own, exact]))
        codes = np.delete(part.verdict_codes["reference"], unclustered)
        shape = len(sizes), len(VERDICTS)
        places = which[: len(own)] * shape[1] + codes
        clusters = np.bincount(places, minlength=shape[0] * shape[1]).reshape(shape)
        clusters[which[len(own) :], EXACT] += count.astype(np.int64)
        return sizes, clusters

    @cached_property
    def verdicts(self) -> VerdictSummary:
        noise = self.noise_clusters
        if self.has_own_elements:
            covers, names = self.own_clusters
            # By their numbers among the clusters that each side has.
            places = zip(noise, names.numbers, strict=True)
            row, column = (None if n is None else int(np.searchsorted(own, n)) for n, own in places)
            return verdict_summary(covers, names, self.thresholds, noise=(row, column))
        counts = self.counts if self.counts.kind == "weights" else self.profile
        known = None if self.covers is not None else self.differing.verdict_codes
        part = None if self.differing is self else self.profile.view(DisagreeingClusters)
        return verdict_summary(counts, self.labels, self.thresholds, known, noise, part=part)

    @cached_property
    def changes(self) -> Changes:
        """The costliest changes, as many as a page lists."""
        return changes_of(self.profile, self.labels, limit=_CHANGES, overlaps=_OVERLAPS)

    @cached_property
    def single_edits(self) -> int:
        """About how many single edits there are: splits, merges and moves within a reference cluster."""
        part = self.differing
        table, own = part.profile.table, ~part.outside_clusters[1]
        pieces = np.bincount(table.row[own[table.column]])
        return int((pieces * pieces).sum()) + self.profile.columns - part.profile.columns

    @property
    def has_edits(self) -> bool:
        """Whether edits of the candidate are meaningful, and anything is left to edit."""
        is_known = self.decided is None or self._finds_records
        return (
            self.shows_overlaps
            and self.size <= MOST_ELEMENTS
            and is_known
            and not self._edited.counts.identical
        )

    @property
    def _finds_records(self) -> bool:
        """Whether the clusters of each record are in memory."""
        try:
            return bool(self.labels.records)
        except TableNeededError:
            return False

    @cached_property
    def _edited(self) -> CountedSides:
        """The counts that edits change: of the records in a cluster of both sides."""
        found = clustered_in_both(self._counted) if self.has_outside else self._counted
        return replace(found, decided=self.decided)

    @cached_property
    def has_outside(self) -> bool:
        """Whether records are in no cluster of a side, such as noise: edits are not about them."""
        return any(mask.any() for mask in self.outside_clusters)

    @property
    def value_before_edits(self) -> float:
        """The value of the index by which edits are ranked, of the records that they are about."""
        return INDICES[DEFAULT_FOR_EDITS].value(self._edited.counts, self.undefined)

    @cached_property
    def suggestions(self) -> Suggestions | None:
        """The single edits that help most, as many as a page lists; None if there are too many to rank."""
        if self.single_edits > MOST_SINGLE_EDITS:
            return None
        given = self._edited, DEFAULT_FOR_EDITS, KINDS, _SUGGESTED
        return suggestions_of(*given, compared=lambda after: after, undefined=self.undefined)

    @cached_property
    def edit_groups(self) -> Sequence[EditGroup]:
        """All edits of each kind that gain little each, or together more than the best edit; best first."""
        if self.decided is not None:
            return []
        known, index = self._edited, INDICES[DEFAULT_FOR_EDITS]
        rows, columns = outside_clusters(known.names, known.noise, known.counts)
        part, now = (
            known.counts.view(DisagreeingClusters),
            self.value_before_edits,
        )  # no edit concerns other clusters
        o, outside, largest = part.profile.view(Overlaps), (_NONE, _NONE), None
        if rows.any() or columns.any():
            outside = rows[part.rows], columns[part.columns]
        else:
            largest = o.largest_by_label(0), o.largest_by_label(1)
        given = (o.row, o.column, o.n), outside, index, KINDS
        groups = edit_groups(
            *given,
            undefined=self.undefined,
            now=now,
            label=self._edited_label,
            exact=part.exact,
            largest=largest,
        )
        singles = self.suggestions or ()
        most = max((each.gain for each in singles if not isnan(each.gain)), default=-inf)
        return [each for each in groups if each.gain > most or is_small(each.gain / each.n_edits, now, index)]

    def edited_cluster(self, side: SideName, number: int) -> tuple[Any, int]:
        """The label of a cluster by its number in the steps of groups of edits, and its number of pieces."""
        place, part = SIDES.index(side), self._edited.counts.view(DisagreeingClusters)
        table = part.profile.table
        pieces = int(np.count_nonzero((table.row, table.column)[place] == number))
        return self._edited_label(place, number), pieces

    def _edited_label(self, side: int, number: int) -> Any:
        """The label of a cluster by its number in edits."""
        part = self._edited.counts.view(DisagreeingClusters)
        if self._edited.counts.partitions.names is not None:  # faster than all numbers
            return part.cluster(side, number)
        return self._edited.names.cluster(side, int((part.rows, part.columns)[side][number]))

    @cached_property
    def lump(self) -> tuple[Any, str, EditGroup] | None:
        """The candidate cluster with most wrong pairs, if it mixes three or more: label, share, splits.

        The share is in words: "all", or "99% of the".
        """
        if self.decided is not None:
            return None
        known, index = self._edited, INDICES[DEFAULT_FOR_EDITS]
        part = known.counts.view(DisagreeingClusters)
        wrong, table = part.profile.view(Costs).wrong_of_columns, part.profile.table
        place = int(wrong.argmax()) if len(wrong) else 0
        if not len(wrong) or 2 * int(wrong[place]) <= wrong.sum() or (table.column == place).sum() < _MIXED:
            return None
        cells, now = (table.row, table.column, table.n), self.value_before_edits
        splits = split_apart(cells, place, index, undefined=self.undefined, now=now, exact=part.exact)
        label = self._edited_label(1, place)
        if isinstance(known.names, ClusteredNames):  # the share is among the errors of all records
            place = int(known.names.numbers[1][part.columns[place]])
            wrong = self.profile.view(Costs).wrong_of_columns
        most, whole = int(wrong[place]), int(wrong.sum())
        share = "all" if most == whole else f"{percent(most, whole)} of the"
        return label, share, splits

    @cached_property
    def flow(self) -> Picture:
        return self._picture(FLOW)

    @cached_property
    def cells(self) -> Picture:
        return self._picture(CELLS)

    @cached_property
    def own_clusters(self) -> tuple[CoverCounts, ClusteredNames]:
        """The clusters of each side as covers, where each keeps elements that the other lacks."""
        assert isinstance(self.counts, PartialOverlap)
        return as_covers(self.counts, self.labels)

    @property
    def outside_labels(self) -> tuple[str, str]:
        """The name in pictures of the records of each side that are in none of its clusters."""
        return self._outside_label("reference"), self._outside_label("candidate")

    def _outside_label(self, side: SideName) -> str:
        """The reason if all of them have the same, else "in no cluster"."""
        kinds = {each.kind for each in self.outside_records if each.side == side}
        if len(kinds) != 1:
            return "in no cluster"
        if kinds == {"missing"}:
            other = self.names[1 - SIDES.index(side)]
            return f"only in {f'the {other}' if other in SIDES else other}"
        return kinds.pop()

    def _picture(self, limit: int) -> Picture:
        if self.covers is not None:
            return pick_of_covers(self.covers, self.labels, self.thresholds, limit, self.outside_labels)
        if self.has_own_elements:
            counts, names = self.own_clusters
            picture = pick_of_covers(counts, names, self.thresholds, limit, self.outside_labels)
            return with_cards(picture, names, self.profile)
        folded = fold(self.profile.view(Overlaps), self.labels, self.outside_labels)
        return pick(self.profile, self.labels, self.verdict_codes, folded, limit)

    @cached_property
    def mixed(self) -> Sequence[ClusterDetail]:
        """The candidate clusters with the most wrong pairs."""
        return self._costliest("candidate")

    @cached_property
    def split(self) -> Sequence[ClusterDetail]:
        """The reference clusters with the most missed pairs."""
        return self._costliest("reference")

    def _costliest(self, side: SideName) -> list[ClusterDetail]:
        places = self.costliest_places(side, NAMED)
        found = {cluster.place: cluster for cluster in self.details(side, places, _PIECES)}
        return [found[place] for place in places]

    def costliest_places(self, side: SideName, count: int) -> list[int]:
        """The clusters of a side with the most missed or wrong pairs, by their numbers."""
        part = self.profile.view(DisagreeingClusters)  # others cost nothing
        costs, is_row = part.profile.view(Costs), side == "reference"
        places = largest(costs.missed_of_rows if is_row else costs.wrong_of_columns, count)
        numbers: list[int] = (part.rows if is_row else part.columns)[places].tolist()
        return numbers

    @cached_property
    def worst_costs(self) -> dict[SideName, NDArray[np.float64]]:
        """The missed pairs of reference clusters, the wrong ones of candidate clusters; the most first."""
        costs = self.differing.profile.view(Costs)
        own = {"reference": costs.missed_of_rows, "candidate": costs.wrong_of_columns}
        return {side: np.sort(own[side][own[side] > 0].astype(float))[::-1] for side in SIDES}

    def details(self, side: SideName, places: Sequence[int], pieces: int) -> Iterator[ClusterDetail]:
        """These clusters of a side, in ascending order of their numbers, each with its largest pieces."""
        codes, nouns = self.verdict_codes[side], (self.noun, self.cluster_noun)
        return cluster_details(self.profile, self.labels, codes, side, places, pieces=pieces, nouns=nouns)


def headline_indices(
    domain: Domain, is_available: Callable[[Index], bool], chosen: Sequence[Index] | None = None
) -> list[Index]:
    """The indices to show first: those that were chosen, else four of those available.

    >>> [index.name for index in headline_indices("entities", lambda index: True)]
    ['precision', 'recall', 'bcubed_f', 'cluster_recall']
    """
    if chosen is not None:
        return list(chosen)
    fitting = [INDICES[name] for name in _CHOICES[domain]]
    found = list(filter(is_available, fitting))
    if len(found) < len(fitting):  # few indices support weights, or sides with different elements
        found += [index for index in INDICES.headline if is_available(index) and index not in found]
    return found[:_INDICES]


def domain_of_sizes(sizes: Mapping[int, int]) -> Domain:
    """Entity resolution if the median cluster has fewer than five elements; ``sizes`` has the counts.

    >>> domain_of_sizes({1: 3, 40: 2}), domain_of_sizes({4: 1, 40: 2})
    ('entities', 'clusters')
    """
    small = sum(count for size, count in sizes.items() if size < _ENTITY_SIZE)
    return "entities" if 2 * small > sum(sizes.values()) else "clusters"


def audit_words(audit: Mapping[str, int]) -> str:
    """The elements that were not simply counted; nothing if all were.

    >>> audit_words({"only_reference": 12, "noise_dropped": 1600})
    'records: 12 only in the reference, 1,600 dropped as noise'
    """
    words = []
    for key, number in audit.items():
        what, _, side = key.rpartition("_")
        plain = _AUDITED.get(key, key.replace("_", " "))
        of_side = f"{_AUDITED[what]} {side}" if side in SIDES and what in _AUDITED else ""
        words.append(f"{number:,} {of_side or plain}")
    return f"records: {', '.join(words)}" if words else ""
