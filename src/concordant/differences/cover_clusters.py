"""Each cluster of a cover: its verdict, the cluster of the other side nearest to it, and what that lacks.

The verdicts are those of partitions (``concordant.differences.verdicts``), but for two things. The partner is
the nearest cluster, by F1: where clusters overlap, several may hold all of it. And pure pieces may overlap,
so that their union is what counts. A cluster that meets none of the other side is scattered.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from concordant.counts.arithmetic import Integers, sums_by
from concordant.counts.counted import Names
from concordant.counts.cover_counts import CoverCounts
from concordant.counts.sides import SideName
from concordant.differences.cover_changes import CoverBlocks, CoverChangeSummary
from concordant.differences.lazy_list import LazyList, check_limit, largest_of
from concordant.differences.verdicts import (
    MIRRORED,
    VERDICTS,
    SideCells,
    SideVerdicts,
    Thresholds,
    Verdict,
    VerdictSummary,
    judged,
    more,
)
from concordant.errors import ParameterError

_BY = ("pairs", "missed", "wrong", "size", "pieces")


@dataclass(frozen=True, slots=True)
class CoverClusterScore:
    """One cluster of a cover, and the nearest of the other side."""

    label: Any
    size: int
    verdict: Verdict
    pieces: int  # clusters of the other side that share records with it
    partner: Any  # the label of the cluster nearest to it, by F1 and so by Jaccard; None where it meets none
    overlap: int  # records shared with the partner
    f1: float  # with the partner
    jaccard: float
    missed: int  # memberships of the reference cluster that the candidate cluster lacks
    wrong: int  # memberships of the candidate cluster that the reference cluster lacks


class CoverClusterScores(LazyList[CoverClusterScore]):
    """The clusters of one side with the most of what was asked for first."""

    def __init__(
        self, scores: _Scores, clusters: NDArray[np.int64], names: Names, verdicts: NDArray[np.int64]
    ) -> None:
        super().__init__(len(clusters), len(scores.size))
        self._scores, self._clusters, self._names_of, self._verdicts = scores, clusters, names, verdicts

    def _make(self, start: int, stop: int) -> list[CoverClusterScore]:
        return [
            self._scores.score(cluster, self._names_of, VERDICTS[self._verdicts[cluster]])
            for cluster in self._clusters[start:stop].tolist()
        ]

    def _names(self) -> Sequence[str]:
        return [field.name for field in fields(CoverClusterScore)]

    def _title(self) -> str:
        return f"{self.total:,} {self._scores.side} clusters"


class _Scores:
    """Every cluster of one side in numbers."""

    size: Integers
    nearest: NDArray[np.int64]
    pieces: NDArray[np.intp]
    missed: Integers
    wrong: Integers

    def __init__(self, counts: CoverCounts, side: SideName) -> None:
        self.side, blocks, o = side, CoverBlocks(counts), counts.table
        self._o = o
        rows = side == "reference"
        self._cluster, self._other = (o.row, o.column) if rows else (o.column, o.row)
        self.size, self._other_sizes = (
            (o.row_sizes, o.column_sizes) if rows else (o.column_sizes, o.row_sizes)
        )
        self.nearest = blocks.row_nearest if rows else blocks.column_nearest
        self.pieces = np.bincount(self._cluster, minlength=len(self.size))
        met = self.nearest >= 0
        lacking, beyond = self.size.copy(), np.zeros_like(self.size)
        lacking[met] -= o.n[self.nearest[met]]
        beyond[met] = self._other_sizes[self._other[self.nearest[met]]] - o.n[self.nearest[met]]
        self.missed, self.wrong = (lacking, beyond) if rows else (beyond, lacking)

    @property
    def pairs(self) -> Integers:
        """The whole cost, in memberships."""
        return self.missed + self.wrong

    def score(self, cluster: int, names: Names, verdict: Verdict) -> CoverClusterScore:
        nearest, size = int(self.nearest[cluster]), int(self.size[cluster])
        mine, theirs = names.reference, names.candidate
        if self.side == "candidate":
            mine, theirs = theirs, mine
        n = other_size = 0
        partner = None
        if nearest >= 0:
            other = int(self._other[nearest])
            n, other_size, partner = int(self._o.n[nearest]), int(self._other_sizes[other]), theirs(other)
        return CoverClusterScore(
            label=mine(cluster),
            size=size,
            verdict=verdict,
            pieces=int(self.pieces[cluster]),
            partner=partner,
            overlap=n,
            f1=2 * n / (size + other_size),
            jaccard=n / (size + other_size - n),
            missed=int(self.missed[cluster]),
            wrong=int(self.wrong[cluster]),
        )


def cover_clusters(
    counts: CoverCounts,
    names: Names,
    side: SideName,
    limit: int | None,
    by: str,
    *,
    thresholds: Thresholds,
) -> CoverClusterScores:
    """The clusters of one side, those first that matter most by the measure named."""
    limit = check_limit(limit)
    if not isinstance(side, str) or side not in get_args(SideName):
        raise ParameterError(f"side={side!r}: use 'reference' or 'candidate'")
    if by not in _BY:
        raise ParameterError(f"by={by!r}: clusters of covers are ordered by {', '.join(map(repr, _BY))}")
    scores = _Scores(counts, side)
    keys: Integers = getattr(scores, by)
    return CoverClusterScores(
        scores, largest_of(keys, limit), names, cover_verdicts(counts, side, thresholds)
    )


def cover_verdicts(counts: CoverCounts, side: SideName, thresholds: Thresholds) -> NDArray[np.int64]:
    """The verdict on each cluster of one side, as its place among VERDICTS."""
    o, scores = counts.table, _Scores(counts, side)
    cells = SideCells(o.n, o.a, o.b) if side == "reference" else SideCells(o.n, o.b, o.a)
    in_pure = counts.united(more(cells.n, cells.other, thresholds.majority), side)
    met = np.flatnonzero(scores.nearest >= 0)
    found = np.full(len(scores.size), VERDICTS.index("scattered"))
    found[met] = judged(cells, scores.nearest[met], in_pure[met], scores.size[met], thresholds)
    return found if side == "reference" else MIRRORED[found]


def cover_summary(counts: CoverCounts, thresholds: Thresholds) -> VerdictSummary[CoverChangeSummary]:
    """The verdicts of both sides, counted; a record counts as often as it lies in a cluster."""
    return VerdictSummary(
        _counted_verdicts(counts, "reference", thresholds),
        _counted_verdicts(counts, "candidate", thresholds),
        thresholds,
        CoverBlocks(counts).summary(),
    )


def _counted_verdicts(counts: CoverCounts, side: SideName, thresholds: Thresholds) -> SideVerdicts:
    found, o = cover_verdicts(counts, side, thresholds), counts.table
    sizes = o.row_sizes if side == "reference" else o.column_sizes
    clusters = np.bincount(found, minlength=len(VERDICTS)).tolist()
    records = map(int, sums_by(found, sizes, len(VERDICTS)).tolist())
    return SideVerdicts(
        side, dict(zip(VERDICTS, clusters, strict=True)), dict(zip(VERDICTS, records, strict=True))
    )
