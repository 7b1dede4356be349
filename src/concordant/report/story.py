"""What a page says in words: the headline, and which clusters are to blame for what."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Literal

import numpy as np

from concordant.counts.arithmetic import Integers, sums_by
from concordant.counts.names import Names as LabelsOf
from concordant.counts.profile import Profile
from concordant.counts.table import Table
from concordant.differences.changes import Changes, ChangeSummary, Numbers
from concordant.errors import ParameterError
from concordant.report.labels import isolated, printable, shortened
from concordant.report.picture import Picture, largest, pairs_of, pick
from concordant.report.text.summary import Summary

Names = tuple[str, str]

# How many clusters a side the flow and the table show, and how many culprits are named.
FLOW, CELLS, NAMED = 16, 40, 4
_PIECES = 5  # of a culprit, the largest
# A piece of a cluster is named in a sentence from this share on; the two largest always are.
_WORTH_NAMING = Fraction(1, 10)


@dataclass(frozen=True, slots=True)
class Culprit:
    """A cluster that mixes what the other side holds apart, or that the other side splits."""

    side: Literal["reference", "candidate"]
    label: Any
    size: int
    pieces: tuple[tuple[Any, int], ...]  # the clusters of the other side in it, largest first
    rest: tuple[int, int]  # how many more pieces there are, and how many records in them
    pairs: int  # the missed or wrong pairs it is to blame for
    share: float  # of all missed or of all wrong pairs


@dataclass(frozen=True, eq=False)
class Story:
    """All that pages and figures show of a comparison; each part is made when it is first asked for."""

    names: Names  # of the reference and of the candidate
    profile: Profile
    labels: LabelsOf
    summarise: Callable[[], Summary]
    count_changes: Callable[[], ChangeSummary]
    list_changes: Callable[[], Changes]

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
        return self.profile.has_table and self.size > 0

    @property
    def are_named(self) -> bool:
        """Whether clusters have labels; else they are numbered."""
        return not isinstance(self.labels, Numbers)

    @property
    def sizes(self) -> tuple[Mapping[int, int], Mapping[int, int]]:
        """Cluster size -> how many clusters, on both sides."""
        return self.profile.row_sizes, self.profile.column_sizes

    @cached_property
    def summary(self) -> Summary:
        return self.summarise()

    @cached_property
    def flow(self) -> Picture:
        return pick(self.profile.table, self.labels, FLOW)

    @cached_property
    def cells(self) -> Picture:
        return pick(self.profile.table, self.labels, CELLS)

    @cached_property
    def mixed(self) -> Sequence[Culprit]:
        """The candidate clusters with the most wrong pairs."""
        return _culprits(self.profile.table, self.labels, "candidate")

    @cached_property
    def split(self) -> Sequence[Culprit]:
        """The reference clusters with the most missed pairs."""
        return _culprits(self.profile.table, self.labels, "reference")


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


def subjects(names: Names) -> tuple[str, str]:
    """The sides as a sentence speaks of them."""
    return tuple(  # type: ignore[return-value]  # two in, two out
        f"the {name}" if name in ("reference", "candidate") else isolated(shortened(printable(name), 40))
        for name in names
    )


def sentence(culprit: Culprit, names: Names, show: Callable[[Any], str] | None = None) -> str:
    """What happened to one cluster: ``candidate 4 mixes reference 1 and 8``; ``show`` spells labels."""
    show = show or _plain
    own, other = names if culprit.side == "reference" else names[::-1]
    verb = "is split over" if culprit.side == "reference" else "mixes"
    subject = f"{own} {show(culprit.label)} {verb}"
    worth = _WORTH_NAMING * culprit.size
    named = [label for i, (label, n) in enumerate(culprit.pieces) if i < 2 or (i < 3 and n >= worth)]
    unnamed = culprit.rest[0] + len(culprit.pieces) - len(named)
    if unnamed and culprit.pieces[1][1] < worth / 2:  # dust: no piece deserves its name
        return f"{subject} {len(named) + unnamed:,} {other} clusters"
    words = [show(label) for label in named]
    if culprit.size - sum(n for _, n in culprit.pieces[: len(named)]) >= worth:
        words.append(f"{unnamed:,} more")
    return f"{subject} {other} {_listed(words)}"


def _culprits(table: Table, labels: LabelsOf, side: Literal["reference", "candidate"]) -> list[Culprit]:
    """The clusters of one side with the most pairs torn apart between the clusters of the other."""
    sides: list[tuple[Integers, Callable[[int], Any]]] = [
        (table.row, labels.reference),
        (table.column, labels.candidate),
    ]
    (mine, own), (theirs, other) = sides if side == "reference" else sides[::-1]
    sizes = sums_by(mine, table.n)
    pairs = pairs_of(sizes) - sums_by(mine, pairs_of(table.n))
    total = int(pairs.sum())
    found = []
    for cluster in largest(pairs, NAMED):
        cells = np.flatnonzero(mine == cluster)
        first = cells[largest(table.n[cells], _PIECES)]
        pieces = tuple((other(int(theirs[cell])), int(table.n[cell])) for cell in first)
        size, blame = int(sizes[cluster]), int(pairs[cluster])
        rest = (len(cells) - len(pieces), size - sum(count for _, count in pieces))
        found.append(Culprit(side, own(cluster), size, pieces, rest, blame, blame / total))
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


def counted(count: int, noun: str) -> str:
    """A count with its noun.

    >>> counted(1, "record"), counted(1200, "record")
    ('1 record', '1,200 records')
    """
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def _listed(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def capital(text: str) -> str:
    """A sentence with a capital, unless it begins with a name that the user gave."""
    return text[0].upper() + text[1:] if text.startswith(("the ", "reference ", "candidate ")) else text
