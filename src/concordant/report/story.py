"""What a page says in words: the headline, and which clusters are to blame for what."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Literal

import numpy as np

from concordant.catalogue.index import Index
from concordant.counts.conventions import Undefined
from concordant.counts.names import Names
from concordant.counts.offers import Need
from concordant.counts.profile import Profile
from concordant.counts.spelling import printable, shortened
from concordant.differences.changes import Changes, ChangeSummary, change_summary, changes_of
from concordant.errors import ParameterError
from concordant.report.labels import isolated
from concordant.report.picture import Picture, largest, pick
from concordant.report.summary import Summary, summary_of
from concordant.views.costs import Costs
from concordant.views.matches import Overlaps

SideTitles = tuple[str, str]  # what a page calls the reference and the candidate

# How many clusters a side the flow and the table show, and how many of the costliest are named.
FLOW, CELLS, NAMED = 16, 40, 4
_PIECES = 5  # of a costly cluster, the largest
# How many changes a page lists, and how many overlaps of each tangle.
_CHANGES, _OVERLAPS = 300, 60
# A piece of a cluster is named in a sentence from this share on; the two largest always are.
_WORTH_NAMING = Fraction(1, 10)


@dataclass(frozen=True, slots=True)
class CostlyCluster:
    """A cluster that mixes what the other side holds apart, or that the other side splits."""

    side: Literal["reference", "candidate"]
    label: Any
    size: int
    pieces: tuple[tuple[Any, int], ...]  # the clusters of the other side in it, largest first
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
    profile: Profile
    labels: Names
    indices: Sequence[Index]  # those that a table of all shows
    undefined: Undefined
    audit: Mapping[str, int]  # elements that were not simply counted, and how many
    signature: str

    def __post_init__(self) -> None:
        two = isinstance(self.names, tuple | list) and len(self.names) == 2
        if not two or not all(isinstance(name, str) and name.strip() for name in self.names):
            raise ParameterError(
                f"names={self.names!r}: name the reference and the candidate, as two strings"
            )

    @property
    def size(self) -> int:
        return self.profile.size

    @property
    def shows_overlaps(self) -> bool:
        """Whether it is known which clusters overlap; else only sizes can be shown."""
        return self.profile.offer.has(Need.TABLE) and self.size > 0

    @property
    def are_named(self) -> bool:
        """Whether clusters have labels; else they are numbered."""
        return self.labels.are_known

    @property
    def sizes(self) -> tuple[Mapping[int, int], Mapping[int, int]]:
        """Cluster size -> how many clusters, on both sides."""
        return self.profile.row_sizes, self.profile.column_sizes

    @cached_property
    def summary(self) -> Summary:
        return summary_of(self.profile, self.indices, self.undefined, self.audit, self.signature)

    @cached_property
    def change_summary(self) -> ChangeSummary:
        return change_summary(self.profile)

    @cached_property
    def changes(self) -> Changes:
        """The costliest changes, as many as a page lists."""
        return changes_of(self.profile, self.labels, largest=_CHANGES, overlaps=_OVERLAPS)

    @cached_property
    def flow(self) -> Picture:
        return pick(self.profile, self.labels, FLOW)

    @cached_property
    def cells(self) -> Picture:
        return pick(self.profile, self.labels, CELLS)

    @cached_property
    def mixed(self) -> Sequence[CostlyCluster]:
        """The candidate clusters with the most wrong pairs."""
        return _costliest(self.profile, self.labels, "candidate")

    @cached_property
    def split(self) -> Sequence[CostlyCluster]:
        """The reference clusters with the most missed pairs."""
        return _costliest(self.profile, self.labels, "reference")


def headline(story: Story) -> str:
    """One plain sentence: what the candidate does to the reference."""
    together, missed, wrong, _ = story.summary.pairs
    reference, candidate = subjects(story.names)
    if not story.size:
        return "There is nothing to compare: both partitions are empty"
    if not missed and not wrong:
        return f"{capital(candidate)} and {reference} are identical"
    scores = f"recall {_score(together, missed)}, precision {_score(together, wrong)}"
    return f"{capital(candidate)} {_deed(missed, wrong, reference)}: {scores}"


def subjects(names: SideTitles) -> tuple[str, str]:
    """The sides as a sentence speaks of them."""
    return tuple(  # type: ignore[return-value]  # two in, two out
        f"the {name}" if name in ("reference", "candidate") else side_title(name) for name in names
    )


def side_title(name: str) -> str:
    """The title of a side, short, its direction kept to itself."""
    return isolated(shortened(printable(name), 40))


def sentence(cluster: CostlyCluster, names: SideTitles, show: Callable[[Any], str] | None = None) -> str:
    """What happened to one cluster: ``candidate 4 mixes reference 1 and 8``; ``show`` spells labels."""
    show = show or _plain
    own, other = names if cluster.side == "reference" else names[::-1]
    verb = "is split over" if cluster.side == "reference" else "mixes"
    subject = f"{own} {show(cluster.label)} {verb}"
    worth = _WORTH_NAMING * cluster.size
    named = [label for i, (label, n) in enumerate(cluster.pieces) if i < 2 or (i < 3 and n >= worth)]
    unnamed = cluster.rest[0] + len(cluster.pieces) - len(named)
    if (
        unnamed and cluster.pieces[1][1] < worth / 2
    ):  # all but the largest piece are too small to be worth naming
        return f"{subject} {len(named) + unnamed:,} {other} clusters"
    words = [show(label) for label in named]
    if cluster.size - sum(n for _, n in cluster.pieces[: len(named)]) >= worth:
        words.append(f"{unnamed:,} more")
    return f"{subject} {other} {_listed(words)}"


def _costliest(
    profile: Profile, labels: Names, side: Literal["reference", "candidate"]
) -> list[CostlyCluster]:
    """The clusters of one side with the most pairs torn apart between the clusters of the other."""
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
        pieces = tuple((other(int(theirs[cell])), int(o.n[cell])) for cell in first)
        size = int(sizes[place])
        rest = (len(cells) - len(pieces), size - sum(count for _, count in pieces))
        found.append(CostlyCluster(side, own(place), size, pieces, rest, int(pairs[place]), total))
    return found


def _deed(missed: int, wrong: int, reference: str) -> str:
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


def _score(together: int, apart: int) -> str:
    """Two decimals, never rounded to a perfection that is not there."""
    if not together + apart:
        return "undefined"
    hundredths = 100 * together // (together + apart)
    if apart and hundredths >= 99:
        return "above 0.99" if 200 * together >= 199 * (together + apart) else "0.99"
    return f"{together / (together + apart):.2f}"


def _plain(label: Any) -> str:
    return isolated(shortened(printable(label)))


def _listed(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def capital(text: str) -> str:
    """A sentence with a capital, unless it begins with a name that the user gave."""
    return text[0].upper() + text[1:] if text.startswith(("the ", "reference ", "candidate ")) else text
