"""The cards of a page, one for each cluster, which the inspector shows beside the charts.

Every cluster that a picture or a sentence of a page names has one, and so do the costliest. Cards also work
without JavaScript: they are folded at the end of the page, and links lead to them. Records are put into the
cards of the costliest clusters, as many as the budget allows.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from concordant.errors import ParameterError
from concordant.foundation.conventions import SIDES
from concordant.foundation.spelling import counted, percent, printable
from concordant.foundation.text_layout import SHORT, shortened
from concordant.report.charts.entities import is_of_entities, listed_part
from concordant.report.cluster_detail import ClusterDetail, Piece
from concordant.report.images import picture_addresses
from concordant.report.labels import KEYS, PageLabels, linked
from concordant.report.pages.page import Section, escape, note, whole_list
from concordant.report.palette import verdict_class
from concordant.report.report_data import CELLS, ReportData, SideTitles
from concordant.report.sentences import side_title

if TYPE_CHECKING:
    from concordant.engines.tables.rows import RecordAttributes

_COSTLIEST = 12  # clusters per side that have a card, whether they are drawn or not
_PIECES, _FEWEST, _ALL_PIECES = 8, 3, 330  # of a cluster, the largest; fewer of each if there are many cards
_RECORDS = 50  # of a cluster
_EACH = 7  # records of a piece
_SIZE = re.compile(r"(\d+(?:\.\d+)?) *([kMG]?)i?B", re.IGNORECASE)
_UNITS = {"": 1, "K": 10**3, "M": 10**6, "G": 10**9}
_VALUE = 80  # characters of an attribute


def cards_of(data: ReportData) -> list[ClusterDetail]:
    """A card for each cluster worth one, the costliest first; their records are fetched by one query."""
    pictures = () if is_of_entities(data) else (data.flow, data.cells)
    data = listed_part(data)
    costliest, places_of = [*data.mixed, *data.split], {}
    for number, side in enumerate(SIDES):
        nodes = [
            node
            for picture in pictures
            for node in (picture.rows if side == "reference" else picture.columns)
        ]
        places = {node.place for node in nodes if node.has_card and node.place >= 0}
        places.update(cluster.place for cluster in costliest if cluster.side == side)
        places.update(piece.place for each in costliest if each.side != side for piece in each.pieces)
        places.update(data.costliest_places(side, _COSTLIEST if pictures else CELLS))
        # A record in no cluster is not a cluster to look at.
        places_of[side] = sorted(places.difference(data.labels.unclustered(number).tolist()))
    each = min(max(_ALL_PIECES // max(sum(map(len, places_of.values())), 1), _FEWEST), _PIECES)
    cards = [card for side, places in places_of.items() for card in data.details(side, places, each)]
    cells = [
        [
            (card.place, piece.place) if card.side == "reference" else (piece.place, card.place)
            for piece in card.pieces
        ]
        for card in cards
    ]
    where = list(dict.fromkeys(cell for own in cells for cell in own))
    records = dict(zip(where, data.labels.examples(where, _EACH), strict=True)) if where else {}
    found = []
    for card, own in zip(cards, cells, strict=True):
        # Each piece gets a fair share of the records, and less if there are many cards.
        room = max(3, _RECORDS // max(len(own), 1)) if each == _PIECES else 3
        pieces = (
            piece._replace(records=records[cell][:room]) for piece, cell in zip(card.pieces, own, strict=True)
        )
        found.append(replace(card, pieces=tuple(pieces)))
    return sorted(found, key=lambda card: -card.pairs)


def bytes_of(budget: Any) -> int:
    """A size in bytes, given as a number or in words.

    >>> bytes_of("2MB"), bytes_of("500 kB"), bytes_of(1000)
    (2000000, 500000, 1000)
    """
    if isinstance(budget, int) and not isinstance(budget, bool) and budget >= 0:
        return budget
    size = _SIZE.fullmatch(budget.strip()) if isinstance(budget, str) else None
    if size is None:
        raise ParameterError("write a size like 500kB or 2MB, or a number of bytes", given={"budget": budget})
    return int(float(size[1]) * _UNITS[size[2].upper()])


@dataclass(slots=True)
class _Book:
    """The cards as they are written, one after the other, and the pictures that they show."""

    names: SideTitles
    labels: PageLabels
    attributes: RecordAttributes | None
    rows: Mapping[Any, tuple[Any, ...]]
    room: int  # bytes that are left for records
    pictures: dict[str, int] = field(default_factory=dict)
    filled: int = 0  # cards with records

    def card(self, card: ClusterDetail) -> str:
        own, other = self.names if card.side == "reference" else self.names[::-1]
        record, _ = card.nouns
        name = f"{escape(side_title(own))} <b>{self.labels.html(card.label)}</b>"
        summary = (
            f'<span class="tag {verdict_class(card.verdict)}">{card.verdict}</span> <span>{name}</span> '
            f"<small>{counted(card.size, record)}</small>"
        )
        word = "missed" if card.side == "reference" else "wrong"
        cost = f"No pair is {word} here."
        if card.pairs:
            share = escape(percent(card.pairs, card.total))
            cost = f"{counted(card.pairs, f'{word} pair')}: {share} of all."
        # inspector.js draws the pieces as a bar, and names the card by its label if no name is given.
        text = printable(card.label)
        name = f' data-name="{escape(shortened(text, 60))}"' if len(text) > SHORT else ""
        return (
            f'<details class="cluster"{name}><summary>{summary}</summary>'
            f'<div id="{KEYS[card.side]}{card.place}"><p>{cost}</p>'
            f'<ul class="pieces">{self._pieces(card, other)}</ul></div></details>'
        )

    def _pieces(self, card: ClusterDetail, other: str) -> str:
        known = [self._known(piece) for piece in card.pieces]
        # The value that most records of the cluster have in each column; None where none occurs twice.
        columns = zip(*(values for rows in known for values in rows.values()), strict=True)
        first = (Counter(map(printable, column)).most_common(1)[0] for column in columns)
        usual = [value if count > 1 else None for value, count in first]
        before = len(self.pictures)
        bodies = [self._records(piece, rows, usual) for piece, rows in zip(card.pieces, known, strict=True)]
        new = list(self.pictures)[before:]
        cost = sum(map(len, [*bodies, *new]))
        if cost > self.room:
            bodies, self.room = [""] * len(bodies), 0
            for address in new:
                del self.pictures[address]
        else:
            self.room -= cost
            self.filled += any(bodies)
        items = "".join(
            f'<li class="{piece.match}">{self._piece(card, piece, other)}{body}</li>'
            for piece, body in zip(card.pieces, bodies, strict=True)
        )
        (pieces, records), (record, noun) = card.rest, card.nouns
        if pieces:
            items += (
                f"<li><small>{counted(pieces, 'smaller piece')} of {counted(records, record)}</small></li>"
            )
        if unclustered := card.not_shown - records:
            items += f"<li><small>{counted(unclustered, f'more {record}')} in no {noun}</small></li>"
        return items

    def _piece(self, card: ClusterDetail, piece: Piece, other: str) -> str:
        if not piece.is_cluster:
            return f"in no {card.nouns[1]} of {escape(side_title(other))}"
        name = f"{escape(side_title(other))} {self.labels.html(piece.label)}"
        shares = f"{piece.size:,} of {card.size:,} here, of {piece.whole:,} there"
        return f"{linked(card.other, piece.place, name)} <small>{shares}; {piece.match}</small>"

    def _known(self, piece: Piece) -> dict[Any, tuple[Any, ...]]:
        return {record: self.rows[record] for record in piece.records if record in self.rows}

    def _records(self, piece: Piece, rows: Mapping[Any, tuple[Any, ...]], usual: Sequence[Any]) -> str:
        if not piece.records:
            return ""
        shown = self.attributes
        if shown is None:
            names = ", ".join(self.labels.html(record) for record in piece.records)
            return f'<div class="quiet">{names}{_more(piece)}</div>'
        if shown.images and len(shown.columns) == 1:
            pictures = "".join(
                self._picture(record, rows.get(record, (None,))[-1]) for record in piece.records
            )
            return f'<div class="thumbs">{pictures}{_more(piece)}</div>'
        lines = "".join(self._line(record, rows.get(record), usual) for record in piece.records)
        texts = shown.columns[:-1] if shown.images else shown.columns
        heads = ("record", *texts, *(["image"] if shown.images else []))
        head = "".join(f'<th scope="col">{escape(shortened(printable(name)))}</th>' for name in heads)
        return (
            '<div class="records" tabindex="0" role="group" aria-label="records"><table><thead>'
            f"<tr>{head}</tr></thead><tbody>{lines}</tbody></table></div>"
            f"<div class='quiet'>{_more(piece)}</div>"
        )

    def _line(self, record: Any, values: tuple[Any, ...] | None, usual: Sequence[Any]) -> str:
        assert self.attributes is not None
        cells = f"<td>{self.labels.html(record)}</td>"
        if values is None:
            return (
                f'<tr>{cells}<td colspan="{len(self.attributes.columns)}"><small>not there</small></td></tr>'
            )
        plain = values[:-1] if self.attributes.images else values
        cells += "".join(_value(value, common) for value, common in zip(plain, usual, strict=False))
        if self.attributes.images:
            cells += f"<td>{self._picture(record, values[-1])}</td>"
        return f"<tr>{cells}</tr>"

    def _picture(self, record: Any, address: str | None) -> str:
        name = escape(shortened(printable(record), 60))
        if address is None:
            return f'<span class="thumb none" role="img" data-id="{name}" title="{name}: no image">–</span>'
        number = self.pictures.setdefault(address, len(self.pictures))
        return f'<span class="thumb t{number}" role="img" data-id="{name}" title="{name}"></span>'

    def style(self) -> str:
        """Each picture once, however often it is shown."""
        return "".join(f".t{number}{{--i:url({address})}}" for address, number in self.pictures.items())


def cards_section(
    cards: Sequence[ClusterDetail],
    names: SideTitles,
    labels: PageLabels,
    attributes: RecordAttributes | None = None,
    budget: int = 2_000_000,
) -> tuple[Section, str]:
    """The section of all cards, and the style that holds their pictures."""
    records = list(
        dict.fromkeys(record for card in cards for piece in card.pieces for record in piece.records)
    )
    rows = {} if attributes is None else attributes.of(records)
    if attributes is not None and attributes.images:
        pictures = picture_addresses((values[-1] for values in rows.values()), attributes.columns[-1])
        rows = {name: (*values[:-1], at) for (name, values), at in zip(rows.items(), pictures, strict=True)}
    book = _Book(names, labels, attributes, rows, budget)
    body = "".join(map(book.card, cards))
    fillable = sum(any(piece.records for piece in card.pieces) for card in cards)
    rest = ""
    if book.filled < fillable:
        rest = note(
            f"Records are shown for {book.filled:,} of {counted(fillable, 'cluster')}, the costliest first: "
            f"more would go beyond {budget:,} bytes. In Python, <code>budget=</code> moves this limit."
        )
    lead = (
        f"{counted(len(cards), 'cluster')}, the costliest first: all clusters in the charts, and the next "
        "costliest. Click a cluster anywhere on this page to show it next to the charts."
    )
    whole = whole_list("Clusters", f'<div class="cards">{body}</div>', len(cards))
    return Section("Cluster by cluster", whole + rest, lead=lead, key="clusters"), book.style()


def _value(value: Any, usual: str | None) -> str:
    """An attribute; marked if most other records of the cluster have another value."""
    if value is None:
        return "<td></td>"
    text = printable(value)
    shown = f"<bdi>{escape(shortened(text, _VALUE))}</bdi>"
    return f"<td><mark>{shown}</mark></td>" if usual is not None and text != usual else f"<td>{shown}</td>"


def _more(piece: Piece) -> str:
    more = piece.size - len(piece.records)
    return f" <small>and {more:,} more</small>" if more else ""
