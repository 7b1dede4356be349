"""One cluster in a report: its verdict, its largest pieces, and the pairs that it is to blame for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from concordant.counts.sides import SideName
from concordant.differences.verdicts import Verdict
from concordant.report.picture import Match


class Piece(NamedTuple):
    """The overlap of a cluster with one cluster of the other side."""

    place: int  # the number of the other cluster
    label: Any
    size: int
    whole: int  # how many records the other cluster has
    match: Match
    is_cluster: bool = True  # not so for a record that is in no cluster of the other side
    records: tuple[Any, ...] = ()  # some of them, by name or position


@dataclass(frozen=True, slots=True)
class ClusterDetail:
    """One cluster with its largest pieces, and the pairs that it is to blame for."""

    side: SideName
    place: int  # its number on its side
    label: Any
    verdict: Verdict
    size: int
    pieces: tuple[Piece, ...]  # the clusters of the other side in it, largest first
    rest: tuple[int, int]  # how many more clusters of the other side are in it, and how many records in them
    unclustered: int  # its records in no cluster of the other side
    pairs: int  # the missed or wrong pairs it is to blame for
    total: int  # all missed or all wrong pairs

    @property
    def not_shown(self) -> int:
        """Its records outside of the pieces."""
        return self.size - sum(piece.size for piece in self.pieces)

    @property
    def clusters(self) -> tuple[Piece, ...]:
        """The pieces that are clusters of the other side."""
        return tuple(piece for piece in self.pieces if piece.is_cluster)

    @property
    def other(self) -> SideName:
        return "candidate" if self.side == "reference" else "reference"
