"""Cards of clusters: one cluster each, its pieces, and some of its records with their attributes.

Every cluster that a picture or a sentence of a page names has one, and so have the costliest besides.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from concordant.counts.overlaps import Overlaps
from concordant.counts.sides import SideName
from concordant.differences.verdicts import Verdict
from concordant.report.picture import MATCHES, Match, Node, largest, matches_of
from concordant.report.story import Story
from concordant.views.costs import Costs

_COSTLIEST = 40  # clusters a side that have a card, whether they are drawn or not
_PIECES = 8  # of a cluster, the largest
_RECORDS = 50  # of a cluster
_EACH = 7  # records of a piece


class Attributes(Protocol):
    """What is known of records beside their names."""

    @property
    def columns(self) -> Sequence[str]:
        """What the attributes are called."""

    @property
    def images(self) -> bool:
        """Whether the last attribute is an image."""

    def of(self, records: Sequence[Any], /) -> Mapping[Any, tuple[Any, ...]]:
        """The attributes of these records, as far as they are known, by one query."""


@dataclass(frozen=True, slots=True)
class CardPiece:
    """What the cluster of a card shares with one cluster of the other side."""

    place: int  # the number of the other cluster
    label: Any
    size: int
    whole: int  # how many records the other cluster has
    match: Match
    records: tuple[Any, ...]  # some of them, by name or position


@dataclass(frozen=True, slots=True)
class Card:
    """One cluster laid open."""

    side: SideName
    place: int
    label: Any
    verdict: Verdict
    size: int
    pairs: int  # the missed or wrong pairs that it is to blame for
    total: int  # all missed or all wrong pairs
    pieces: tuple[CardPiece, ...]
    rest: tuple[int, int]  # how many more pieces there are, and how many records in them

    @property
    def other(self) -> SideName:
        return "candidate" if self.side == "reference" else "reference"


def cards_of(story: Story) -> list[Card]:
    """A card for each cluster worth one, the costliest first; their records are asked for once."""
    opened = [_Opened(story, side) for side in ("reference", "candidate")]
    cards = [card for side in opened for card in side.cards()]
    cells = {cell: None for side in opened for pieces in side.shown.values() for cell in pieces}
    o = story.profile.view(Overlaps)
    where = [(int(o.row[cell]), int(o.column[cell])) for cell in cells]
    found = dict(zip(where, story.labels.examples(where, _EACH), strict=True)) if where else {}
    return sorted((_with_records(card, found) for card in cards), key=lambda card: -card.pairs)


class _Opened:
    """The clusters of one side that have a card, and the cells that each of them shows."""

    def __init__(self, story: Story, side: SideName) -> None:
        self.story, self.side = story, side
        o, costs = story.profile.view(Overlaps), story.profile.view(Costs)
        self.overlaps = o
        mine = (o.row, o.row_sizes, costs.missed_of_rows, story.labels.reference)
        theirs = (o.column, o.column_sizes, costs.wrong_of_columns, story.labels.candidate)
        (self.own, self.sizes, self.pairs, self.label), (self.others, self.other_sizes, _, self.other) = (
            (mine, theirs) if side == "reference" else (theirs, mine)
        )
        self.cells = self._cells()
        self.shown = {
            place: cells[largest(o.n[cells], _PIECES)].tolist() for place, cells in self.cells.items()
        }

    def _places(self) -> Iterator[int]:
        story, side = self.story, self.side
        rows = ((story.flow.rows, story.cells.rows), (story.flow.columns, story.cells.columns))
        nodes: Iterable[Node] = chain(*rows[side == "candidate"])
        yield from (node.place for node in nodes if node.has_card and node.place >= 0)
        costliest = chain(story.mixed, story.split)
        yield from (cluster.place for cluster in costliest if cluster.side == side)
        pieces = (piece.place for cluster in chain(story.mixed, story.split) for piece in cluster.pieces
                  if cluster.side != side)  # fmt: skip
        yield from pieces
        for tangle in story.tangles:
            yield from tangle.rows if side == "reference" else tangle.columns
        yield from largest(self.pairs, _COSTLIEST)

    def _cells(self) -> dict[int, NDArray[np.int64]]:
        """The cells of each cluster with a card, found in one pass over all."""
        places = np.array(sorted(set(self._places())), dtype=np.int64)
        chosen = np.zeros(len(self.sizes), dtype=bool)
        chosen[places] = True
        cells = np.flatnonzero(chosen[self.own])
        cells = cells[np.argsort(self.own[cells], kind="stable")]
        starts = np.searchsorted(self.own[cells], places).tolist()
        ends = [*starts[1:], len(cells)][: len(starts)]
        return {place: cells[a:b] for place, a, b in zip(places.tolist(), starts, ends, strict=True)}

    def cards(self) -> Iterator[Card]:
        total = int(self.pairs.sum())
        for place, cells in self.shown.items():
            matches = matches_of(self.overlaps, np.array(cells, dtype=np.int64)).tolist()
            pieces = tuple(self._piece(cell, MATCHES[m]) for cell, m in zip(cells, matches, strict=True))
            size = int(self.sizes[place])
            rest = (len(self.cells[place]) - len(pieces), size - sum(piece.size for piece in pieces))
            yield Card(
                self.side,
                place,
                self.label(place),
                self.story.verdict(self.side, place),
                size,
                int(self.pairs[place]),
                total,
                pieces,
                rest,
            )

    def _piece(self, cell: int, match: Match) -> CardPiece:
        other = int(self.others[cell])
        n, whole = int(self.overlaps.n[cell]), int(self.other_sizes[other])
        return CardPiece(other, self.other(other), n, whole, match, ())


def _with_records(card: Card, found: Mapping[tuple[int, int], tuple[Any, ...]]) -> Card:
    """The card with records of its pieces, each piece with its fair part of them."""
    room = max(3, _RECORDS // max(len(card.pieces), 1))
    pieces = []
    for piece in card.pieces:
        cell = (card.place, piece.place) if card.side == "reference" else (piece.place, card.place)
        pieces.append(replace(piece, records=found.get(cell, ())[:room]))
    return replace(card, pieces=tuple(pieces))
