"""What a page says in words: the headline, and which clusters are to blame for what."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import inf, isnan, nan
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from concordant.catalogue.index import INDICES, Index
from concordant.counts.availability import Need
from concordant.counts.base import Counts
from concordant.counts.conventions import Undefined
from concordant.counts.counted import Counted
from concordant.counts.cover_counts import CoverCounts
from concordant.counts.names import Names
from concordant.counts.overlaps import Overlaps
from concordant.counts.partial_overlap import PartialOverlap
from concordant.counts.profile import Profile
from concordant.counts.sides import SideName
from concordant.counts.spelling import counted, percent, printable, shortened
from concordant.counts.weighted_counts import WeightedCounts
from concordant.differences.changes import Changes, changes_of
from concordant.differences.components import Tangles, tangles_of
from concordant.differences.cover_clusters import cover_summary
from concordant.differences.loose_counts import ClusteredNames, as_covers
from concordant.differences.single_edits import KINDS
from concordant.differences.suggestions import Comparisons, Suggestions, suggestions_of
from concordant.differences.verdicts import (
    USUAL_THRESHOLDS,
    VERDICTS,
    Thresholds,
    Verdict,
    VerdictSummary,
    verdict_summary,
    verdicts_of,
)
from concordant.errors import ParameterError
from concordant.report.cover_picture import pick_of_covers, with_cards
from concordant.report.folding import FoldedCells, fold
from concordant.report.labels import isolated
from concordant.report.names import ReportNames
from concordant.report.picture import MATCHES, Match, Picture, by_number, largest, matches_of, pick
from concordant.report.summary import Summary, summary_of
from concordant.views.costs import Costs

SideTitles = tuple[str, str]  # what a page calls the reference and the candidate

# How many clusters a side the flow and the table show, and how many of the costliest are named.
FLOW, CELLS, NAMED = 16, 40, 4
_PIECES = 5  # of a costly cluster, the largest
# How many changes a page lists, and how many overlaps of each tangle.
_CHANGES, _OVERLAPS = 300, 60
_SUGGESTED = 8  # edits on a page
MOST_EDITS = 300_000  # beyond so many, looking for the best would make a page slow
_TANGLES = 3  # that are drawn by themselves
_OVERLAPS_CUT = 1_000_000  # of a tangle: a cut among more takes as long as the rest of the page
# A piece of a cluster is named in a sentence from this share on; the two largest always are.
_WORTH_NAMING = Fraction(1, 10)
# So many clusters that are not found are named in the headline, and from so many clusters on it has a share.
_FEW, _WORTH_A_SHARE = 4, 20
# Below this, adjusted indices say chance, and so many standard deviations above it are not chance alone.
_LIKE_CHANCE, _DEVIATIONS = 0.01, 3


class Piece(NamedTuple):
    """What a cluster shares with one cluster of the other side."""

    label: Any
    size: int
    match: Match
    place: int  # the number of the other cluster


@dataclass(frozen=True, slots=True)
class CostlyCluster:
    """A cluster that mixes what the other side holds apart, or that the other side splits."""

    side: Literal["reference", "candidate"]
    place: int  # its number on its side
    label: Any
    verdict: Verdict
    size: int
    pieces: tuple[Piece, ...]  # the clusters of the other side in it, largest first
    rest: tuple[int, int]  # how many more pieces there are, and how many records in them
    pairs: int  # the missed or wrong pairs it is to blame for
    total: int  # all missed or all wrong pairs

    @property
    def share(self) -> float:
        return self.pairs / self.total


@dataclass(frozen=True, eq=False)
class Story:
    """All that texts, pages and figures show of a comparison; each part is made when it is asked for."""

    names: SideTitles
    counts: Counts  # what the indices are computed from
    labels: Names
    indices: Sequence[Index]  # those that a table of all shows
    undefined: Undefined
    audit: Mapping[str, int]  # elements that were not simply counted, and how many
    signature: str
    thresholds: Thresholds = USUAL_THRESHOLDS  # what the verdicts mean
    noise: tuple[Any, Any] = (None, None)  # the label of each side that means noise, where one does
    intervals: Mapping[str, tuple[float, float]] = field(default_factory=dict)  # by index, where asked for

    def __post_init__(self) -> None:
        two = isinstance(self.names, tuple | list) and len(self.names) == 2
        if not two or not all(isinstance(name, str) and name.strip() for name in self.names):
            raise ParameterError(
                f"names={self.names!r}: name the reference and the candidate, as two strings"
            )
        if isinstance(self.profile, Profile):
            object.__setattr__(self, "labels", ReportNames(self.labels, self.noise, self.profile))

    @cached_property
    def profile(self) -> Profile:
        """The counts of what differs: an element that a side lacks is a singleton there."""
        if self.counts.kind in ("partitions", "partial_overlap"):
            return self.counts.completed
        other: Any = self.counts  # covers and weights have no profile, and charts of them do not ask for it
        return other  # type: ignore[no-any-return]

    @property
    def size(self) -> int:
        return self.counts.size

    @property
    def covers(self) -> CoverCounts | None:
        """The profile, where clusters may overlap."""
        return self.profile if isinstance(self.profile, CoverCounts) else None

    @property
    def is_loose(self) -> bool:
        """Whether each side has elements of its own, so that its clusters are not those of the profile."""
        return isinstance(self.counts, PartialOverlap)

    @property
    def has_own_elements(self) -> bool:
        """Whether a side has elements that the other lacks: they lie in no cluster of it."""
        return isinstance(self.counts, PartialOverlap) and self.counts.common < self.profile.size

    @property
    def shows_overlaps(self) -> bool:
        """Whether it is known which clusters overlap, and to blame; else only sizes can be shown."""
        available = self.profile.availability
        return available.has(Need.TABLE) and available.adds_up and self.size > 0

    @property
    def draws_overlaps(self) -> bool:
        """Whether overlaps can be drawn: those of covers too, unless they are too many to be counted."""
        covers = self.covers
        if covers is None:
            return self.shows_overlaps
        return covers.rows + covers.columns > 0 and covers.overlaps_fit

    @property
    def shows_verdicts(self) -> bool:
        """Whether clusters are judged: not where sides keep elements of their own."""
        return self.shows_overlaps and not self.is_loose

    @property
    def are_named(self) -> bool:
        """Whether clusters have labels; else they are numbered."""
        return self.labels.are_known

    @property
    def sizes(self) -> tuple[Mapping[int, int], Mapping[int, int]]:
        """Cluster size -> how many clusters, on both sides."""
        return self.counts.row_sizes, self.counts.column_sizes

    @cached_property
    def summary(self) -> Summary:
        return summary_of(self.counts, self.indices, self.undefined, self.audit, self.signature)

    @cached_property
    def verdicts(self) -> VerdictSummary[Any]:
        if self.has_own_elements:
            return cover_summary(self.own_clusters[0], self.thresholds)
        return verdict_summary(self.profile, self.thresholds, self.judged)

    def verdict(self, side: SideName, place: int) -> Verdict:
        """The verdict on the cluster with this number."""
        return VERDICTS[int(self.judged[side][place])]

    @cached_property
    def judged(self) -> dict[SideName, NDArray[np.int64]]:
        """The verdict on each cluster of both sides, as its place among VERDICTS."""
        sides: tuple[SideName, ...] = get_args(SideName)
        return {side: verdicts_of(self.profile, side, self.thresholds) for side in sides}

    @cached_property
    def changes(self) -> Changes:
        """The costliest changes, as many as a page lists."""
        return changes_of(self.profile, self.labels, limit=_CHANGES, overlaps=_OVERLAPS)

    @cached_property
    def tangles(self) -> Tangles:
        """The costliest tangles, as many as a page draws."""
        return tangles_of(self.profile, self.labels, limit=_TANGLES, searched=_OVERLAPS_CUT)

    @cached_property
    def single_edits(self) -> int:
        """About how many single edits there are: splits, merges and moves within a reference cluster."""
        pieces = np.bincount(self.profile.table.row)
        return self.profile.cells + 2 * int((pieces * (pieces - 1) // 2).sum())

    @cached_property
    def suggestions(self) -> Suggestions:
        """The single edits that help most, as many as a page lists."""
        counted, kept = Counted(self.profile, self.labels), Comparisons(lambda after: after, self.undefined)
        return suggestions_of(counted, kept, "bcubed_f", KINDS, _SUGGESTED)

    @property
    def cut_cells(self) -> set[tuple[int, int]]:
        """Rows and columns of the overlaps that part the tangles."""
        if self.covers is not None:
            return set()
        return {cell for tangle in self.tangles for cell in tangle.cut_cells}

    @property
    def _has_loners(self) -> tuple[bool, bool]:
        """Whether records may be in no cluster of a side: noise, without a label, or only in the other."""
        keys = {"only_candidate", "null_reference"}, {"only_reference", "null_candidate"}
        lacking = [not own.isdisjoint(self.audit) for own in keys]
        return self.noise[0] is not None or lacking[0], self.noise[1] is not None or lacking[1]

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
        return as_covers(self.profile, self.counts, self.labels)

    def _picture(self, limit: int) -> Picture:
        if self.covers is not None:
            return pick_of_covers(self.covers, self.labels, self.thresholds, limit)
        if self.has_own_elements:
            counts, names = self.own_clusters
            return with_cards(pick_of_covers(counts, names, self.thresholds, limit), names, self.profile)
        return pick(self.profile, self.labels, self.judged, limit, folded=self._folded)

    @cached_property
    def _folded(self) -> FoldedCells:
        return fold(self.profile.view(Overlaps), self.labels, self._has_loners)

    @cached_property
    def mixed(self) -> Sequence[CostlyCluster]:
        """The candidate clusters with the most wrong pairs."""
        return _costliest(self, "candidate")

    @cached_property
    def split(self) -> Sequence[CostlyCluster]:
        """The reference clusters with the most missed pairs."""
        return _costliest(self, "reference")

    @cached_property
    def chance_words(self) -> str:
        """ "no more alike than chance (ARI 0.000)" where the adjusted indices say so; else nothing."""
        rand, information = (self._value(name) for name in ("adjusted_rand", "adjusted_mutual_information"))
        deviations = self._value("lerman")  # NaN where shuffling changes nothing
        alike = max(rand, -inf if isnan(information) else information)
        if isnan(rand) or isnan(deviations) or alike >= _LIKE_CHANCE:
            return ""
        more = "no more" if deviations < _DEVIATIONS else "hardly more"
        return f"{more} alike than chance (ARI {rand + 0.0:.3f})".replace("-0.000", "0.000")

    def _value(self, name: str) -> float:
        """The value of an index among those shown; NaN where it is not, or not defined."""
        index = INDICES[name]
        if index not in self.indices or index.is_undefined(self.profile):
            return nan
        return index.value(self.profile)


def headline(story: Story) -> str:
    """One plain sentence: how many clusters of the reference are found, and what became of the others."""
    _, missed, wrong, _ = story.summary.pairs
    if not (missed or wrong) or story.chance_words or not story.shows_verdicts:
        return deed(story)
    rest = _not_found(story)
    return f"{_found(story)}; {rest}" if rest else _found(story)


def _found(story: Story) -> str:
    verdicts, own = story.verdicts.reference, side_title(story.names[0])
    exact, found, total = verdicts.clusters["exact"], verdicts.found, verdicts.total
    if not found:
        return (
            f"None of the {total:,} {own} clusters is found"
            if total > 1
            else f"The {own} cluster is not found"
        )
    share = f" ({percent(found, total)})" if total >= _WORTH_A_SHARE else ""
    of_all = f"{found:,} of {counted(total, f'{own} cluster')} {_are(found)}"
    if found == exact:
        return f"{of_all} exactly right{share}"
    return f"{of_all} found{share}" + (f", {exact:,} of them exactly" if exact else "")


def _not_found(story: Story) -> str:
    """What became of the clusters that are not found: each by its name where they are few."""
    verdicts = story.verdicts.reference
    are_few = verdicts.total - verdicts.found <= _FEW
    parts: list[str] = []
    for word in ("split", "merged", "scattered"):
        places = np.flatnonzero(story.judged["reference"] == VERDICTS.index(word)).tolist()
        if places:
            named = _few_named(story, places) if are_few else f"{len(places):,}"
            verb = f"{_are(len(places))} " if are_few or not parts else ""
            parts.append(f"{named} {verb}{word}")
    return ", ".join(parts)


def _few_named(story: Story, places: list[int]) -> str:
    labels = [story.labels.reference(place) for place in places]
    return _listed([_plain(labels[place]) for place in by_number(labels) or range(len(labels))])


def _are(count: int) -> str:
    return "is" if count == 1 else "are"


def deed(story: Story) -> str:
    """One plain sentence: what the candidate does to the reference, with recall and precision."""
    _, missed, wrong, _ = story.summary.pairs
    reference, candidate = subjects(story.names)
    if not story.size:
        return "There is nothing to compare: both sides are empty"
    if not story.summary.has_pairs:
        return f"{capital(candidate)} and {reference} let more pairs share clusters than can be counted"
    if not missed and not wrong and not story.counts.identical:
        return f"{capital(candidate)} and {reference} {_what_is_common(story)}"
    if not missed and not wrong:
        what = f" on the {_compared(story)} that were compared" if story.summary.omitted else ""
        return f"{capital(candidate)} and {reference} are identical{what}"
    scores = f"recall {_score(story, 'recall')}, precision {_score(story, 'precision')}"
    if story.chance_words:
        return f"{capital(candidate)} and {reference} are {story.chance_words}: {scores}"
    return f"{capital(candidate)} {_deed(missed, wrong, reference)}: {scores}"


def _what_is_common(story: Story) -> str:
    """Where no pair is wrong, but each side has elements of its own."""
    if not story.profile.availability.adds_up:
        return "hold the same pairs together, but not by the same clusters"
    if story.counts.disjoint:
        return f"have nothing in common: none of {counted(story.size, 'element')} is on both sides"
    return "hold the same pairs together, but not the same elements"


def left_out_words(story: Story) -> str:
    """What the reader must know at once: who was left out, and what weighs more; right under the headline."""
    said = []
    if isinstance(story.counts, WeightedCounts):
        effective = float(story.counts.effective_size)
        said.append(f"elements have weights, as good as {effective:,.4g} of equal weight")
    if story.summary.omitted:
        verb = "was" if story.summary.omitted == 1 else "were"
        said.append(f"{_compared(story)} were compared; {story.summary.omitted:,} {verb} left out")
    return "; ".join(said)


def _compared(story: Story) -> str:
    return f"{story.size:,} of {counted(story.size + story.summary.omitted, 'record')}"


def dominant(story: Story, picture: Picture) -> Iterator[str]:
    """What the costliest clusters of the larger kind of error did, as far as a picture shows all it names."""
    if story.covers is not None or story.chance_words:
        return
    _, missed, wrong, _ = story.summary.pairs
    for cluster in story.split if missed >= wrong else story.mixed:
        other: SideName = "candidate" if cluster.side == "reference" else "reference"
        if picture.shows(cluster.side, cluster.place):
            seen = all(picture.shows(other, piece.place) for piece in _named(cluster))
            yield sentence(cluster, story.names, names_pieces=seen)


def subjects(names: SideTitles) -> tuple[str, str]:
    """The sides as a sentence speaks of them."""
    return tuple(  # type: ignore[return-value]  # two in, two out
        f"the {name}" if name in ("reference", "candidate") else side_title(name) for name in names
    )


def side_title(name: str) -> str:
    """The title of a side, short, its direction kept to itself."""
    return isolated(shortened(printable(name), 40))


def sentence(
    cluster: CostlyCluster,
    names: SideTitles,
    show: Callable[[Any], str] | None = None,
    *,
    names_pieces: bool = True,
) -> str:
    """What happened to one cluster: ``candidate 4 mixes reference 1 and 8``; ``show`` spells labels."""
    show = show or _plain
    own, other = names if cluster.side == "reference" else names[::-1]
    verb = "is split over" if cluster.side == "reference" else "mixes"
    subject = f"{own} {show(cluster.label)} {verb}"
    named = _named(cluster)
    if not named or not names_pieces:
        return f"{subject} {len(cluster.pieces) + cluster.rest[0]:,} {other} clusters"
    words = [show(piece.label) for piece in named]
    if cluster.size - sum(piece.size for piece in named) >= _WORTH_NAMING * cluster.size:
        words.append(f"{len(cluster.pieces) + cluster.rest[0] - len(named):,} more")
    return f"{subject} {other} {_listed(words)}"


def _named(cluster: CostlyCluster) -> tuple[Piece, ...]:
    """The pieces that a sentence names: none where all but the largest are too small to be worth it."""
    worth = _WORTH_NAMING * cluster.size
    named = tuple(piece for i, piece in enumerate(cluster.pieces) if i < 2 or (i < 3 and piece.size >= worth))
    is_dust = len(named) < len(cluster.pieces) + cluster.rest[0] and cluster.pieces[1].size < worth / 2
    return () if is_dust else named


def _costliest(story: Story, side: SideName) -> list[CostlyCluster]:
    """The clusters of one side with the most pairs torn apart between the clusters of the other."""
    profile, labels = story.profile, story.labels
    o, costs = profile.view(Overlaps), profile.view(Costs)
    rows = (o.row, o.row_sizes, labels.reference, costs.missed_of_rows)
    columns = (o.column, o.column_sizes, labels.candidate, costs.wrong_of_columns)
    (mine, sizes, own, pairs), (theirs, _, other, _) = (
        (rows, columns) if side == "reference" else (columns, rows)
    )
    total = int(pairs.sum())
    found = []
    for place in largest(pairs, NAMED):
        cells = np.flatnonzero(mine == place)
        first = cells[largest(o.n[cells], _PIECES)]
        pieces = tuple(
            Piece(other(int(theirs[cell])), int(o.n[cell]), MATCHES[match], int(theirs[cell]))
            for cell, match in zip(first, matches_of(o, first).tolist(), strict=True)
        )
        size = int(sizes[place])
        rest = (len(cells) - len(pieces), size - sum(piece.size for piece in pieces))
        found.append(
            CostlyCluster(
                side,
                place,
                own(place),
                story.verdict(side, place),
                size,
                pieces,
                rest,
                int(pairs[place]),
                total,
            )
        )
    return found


def _deed(missed: float, wrong: float, reference: str) -> str:
    splits, merges = f"what {reference} holds together", f"what {reference} holds apart"
    if not wrong:
        return f"only splits {splits}"
    if not missed:
        return f"only merges {merges}"
    if missed >= 2 * wrong:
        return f"splits {splits}"
    if wrong >= 2 * missed:
        return f"merges {merges}"
    return f"both splits and merges the clusters of {reference}"


def _score(story: Story, name: Literal["recall", "precision"]) -> str:
    """Two decimals, never rounded to perfection; an undefined value is what the table shows."""
    index = INDICES[name]
    if index.is_undefined(story.profile):
        value = index.value(story.profile, "nan" if story.undefined == "raise" else story.undefined)
        return "undefined" if isnan(value) else f"{value:.2f} by convention"
    together, missed, wrong, _ = story.summary.pairs
    whole = together + (missed if name == "recall" else wrong)
    if together < whole and 100 * together >= 99 * whole:
        return "above 0.99" if 200 * together >= 199 * whole else "0.99"
    return f"{float(together / whole):.2f}"


def _plain(label: Any) -> str:
    return isolated(shortened(printable(label)))


def _listed(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def capital(text: str) -> str:
    """A sentence with a capital, unless it begins with a name that the user gave."""
    return text[0].upper() + text[1:] if text.startswith(("the ", "reference ", "candidate ")) else text
