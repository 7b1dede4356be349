"""One cluster in a report: its verdict, its largest pieces, and the pairs that it is to blame for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from concordant import core
from concordant.counts.counted_sides import Names
from concordant.counts.overlaps import Overlaps
from concordant.counts.pair_costs import Costs
from concordant.counts.profile import Profile
from concordant.differences.verdicts import VERDICTS, Verdict
from concordant.foundation.conventions import SideName
from concordant.report.selection import MATCHES, Match, largest, matches_of


class Piece(NamedTuple):
    """The overlap of a cluster with one cluster of the other side."""

    place: int  # the number of the other cluster
    label: Any
    size: int
    whole: int  # how many records the other cluster has
    match: Match
    is_cluster: bool = True  # False for a record that is in no cluster of the other side
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
    nouns: tuple[str, str] = ("record", "cluster")  # what is clustered, and what a cluster is

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


def cluster_details(
    profile: Profile,
    names: Names,
    verdicts: NDArray[np.int8],  # on all clusters of the side, as their places among VERDICTS
    side: SideName,
    places: Sequence[int],
    *,
    pieces: int,
    nouns: tuple[str, str],
) -> Iterator[ClusterDetail]:
    """These clusters of a side, in ascending order of their numbers, each with its largest pieces."""
    o, costs = profile.view(Overlaps), profile.view(Costs)
    rows = (o.row, o.row_sizes, partial(names.cluster, 0), costs.missed_of_rows)
    columns = (o.column, o.column_sizes, partial(names.cluster, 1), costs.wrong_of_columns)
    (own, sizes, label, pairs), (others, other_sizes, other_label, _) = (
        (rows, columns) if side == "reference" else (columns, rows)
    )
    total = int(pairs.sum())
    wanted = np.unique(np.array(places, dtype=np.int64))
    clustered = np.ones(len(other_sizes), dtype=bool)
    clustered[names.unclustered(1 if side == "reference" else 0)] = False
    cells = core.among(own, wanted)
    cells = cells[np.argsort(own[cells], kind="stable")]
    bounds = np.searchsorted(own[cells], [*wanted, len(sizes)]).tolist()
    for place, first, last in zip(wanted.tolist(), bounds, bounds[1:], strict=False):
        mine = cells[first:last]
        shown = mine[largest(o.n[mine], pieces)]
        found = []
        for cell, match in zip(shown.tolist(), matches_of(o, shown).tolist(), strict=True):
            other = int(others[cell])
            whole = int(other_sizes[other])
            each = (other, other_label(other), int(o.n[cell]), whole, MATCHES[match])
            found.append(Piece(*each, bool(clustered[other])))
        size, mine = int(sizes[place]), mine[clustered[others[mine]]]
        unclustered = size - int(o.n[mine].sum())
        named = [piece.size for piece in found if piece.is_cluster]
        rest = (len(mine) - len(named), size - unclustered - sum(named))
        verdict = VERDICTS[int(verdicts[place])]
        blame = int(pairs[place])
        parts = tuple(found), rest, unclustered
        yield ClusterDetail(side, place, label(place), verdict, size, *parts, blame, total, nouns)
