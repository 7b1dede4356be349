"""The verdict on each cluster in one of five words; this is the only place where they are defined.

The partner of a cluster is the cluster of the other side that holds most of it. Of a reference cluster:

    exact      its partner is the same cluster
    nearly     F1 with its partner, 2n/(a + b), is at least ``near`` (0.8)
    merged     its partner holds more than ``majority`` (1/2) of it, and is larger than it
    split      more than ``majority`` of it lies in pure pieces, each more than ``majority`` of its candidate
               cluster
    scattered  none of these

The first that holds is the verdict. Words say what the candidate did to the reference on both sides, so a
candidate cluster is judged in the mirror: it is *split* (off) where its reference partner is larger, and
*merged* where it is made of pure pieces. ``near`` is above 2/3 and ``majority`` at least 1/2, so whatever
is exact or nearly so has but one partner, whose partner it is: both sides have as many of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Generic, Literal, TypeVar, get_args

import numpy as np
from numpy.typing import NDArray

from concordant.counts.arithmetic import Integers, sums_by
from concordant.counts.overlaps import Overlaps
from concordant.counts.profile import Profile
from concordant.counts.sides import SideName
from concordant.counts.spelling import counted
from concordant.differences.changes import ChangeSummary, change_summary
from concordant.errors import ParameterError

Verdict = Literal["exact", "nearly", "split", "merged", "scattered"]
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
EXACT, NEARLY, SPLIT, MERGED, SCATTERED = range(5)
MIRRORED = np.array([EXACT, NEARLY, MERGED, SPLIT, SCATTERED])  # what a verdict is called from the other side


@dataclass(frozen=True, slots=True)
class Thresholds:
    """From where on a cluster is nearly right, and what most of it is.

    >>> Thresholds.of(near=0.9)
    Thresholds(near=Fraction(9, 10), majority=Fraction(1, 2))
    """

    near: Fraction = Fraction(4, 5)
    majority: Fraction = Fraction(1, 2)

    @classmethod
    def of(cls, near: Any = 0.8, majority: Any = 0.5) -> Thresholds:
        """As numbers are given: 0.8 means four fifths, not the float next to it."""
        found = [_share(name, value) for name, value in (("near", near), ("majority", majority))]
        if not Fraction(2, 3) < found[0] <= 1:
            raise ParameterError("use an F1 above 2/3 and at most 1", given={"near": near})
        if not Fraction(1, 2) <= found[1] < 1:
            raise ParameterError("use a share of at least 1/2 and below 1", given={"majority": majority})
        return cls(*found)

    def __str__(self) -> str:
        """What the words mean, to be printed beside them."""
        return f"nearly: F1 ≥ {float(self.near):g}; majority: above {float(self.majority):g}"


USUAL_THRESHOLDS = Thresholds()

BlocksT = TypeVar("BlocksT")  # a summary of them


@dataclass(frozen=True, slots=True)
class SideVerdicts:
    """How many clusters of one side, and how many records in them, have each verdict."""

    side: SideName
    clusters: Mapping[Verdict, int]
    records: Mapping[Verdict, int]

    @property
    def total(self) -> int:
        return sum(self.clusters.values())

    @property
    def size(self) -> int:
        """How many records there are."""
        return sum(self.records.values())

    @property
    def found(self) -> int:
        """Clusters that are exact or nearly so."""
        return self.clusters["exact"] + self.clusters["nearly"]

    def __str__(self) -> str:
        numbers = ", ".join(f"{count:,} {word}" for word, count in self.clusters.items())
        return f"{counted(self.total, f'{self.side} cluster')}: {numbers}"


@dataclass(frozen=True, slots=True)
class VerdictSummary(Generic[BlocksT]):
    """The verdicts of both sides counted, what the words mean, and the blocks of linked clusters."""

    reference: SideVerdicts
    candidate: SideVerdicts
    thresholds: Thresholds
    blocks: BlocksT

    def __str__(self) -> str:
        return f"{self.reference}\n{self.candidate}\n({self.thresholds})\nblocks: {self.blocks}"


def verdict_summary(
    profile: Profile,
    thresholds: Thresholds = USUAL_THRESHOLDS,
    known: Mapping[SideName, NDArray[np.int64]] | None = None,
) -> VerdictSummary[ChangeSummary]:
    """The verdicts of both sides, counted; of those that are ``known`` already, where they are."""
    o = profile.view(Overlaps)
    sizes_of: dict[SideName, Integers] = {"reference": o.row_sizes, "candidate": o.column_sizes}
    sides: list[SideVerdicts] = []
    for side, sizes in sizes_of.items():
        found = verdicts_of(profile, side, thresholds) if known is None else known[side]
        clusters = np.bincount(found, minlength=len(VERDICTS)).tolist()
        records = sums_by(found, sizes, len(VERDICTS)).tolist()
        sides.append(
            SideVerdicts(
                side,
                dict(zip(VERDICTS, clusters, strict=True)),
                dict(zip(VERDICTS, map(int, records), strict=True)),
            )
        )
    return VerdictSummary(sides[0], sides[1], thresholds, change_summary(profile))


def verdicts_of(
    profile: Profile, side: SideName, thresholds: Thresholds = USUAL_THRESHOLDS
) -> NDArray[np.int64]:
    """The verdict on each cluster of one side, as its place among VERDICTS."""
    o = profile.view(Overlaps)
    if side == "reference":
        return _judged(o.row, o.row_largest, SideCells(o.n, o.a, o.b), o.row_sizes, thresholds)
    return MIRRORED[_judged(o.column, o.column_largest, SideCells(o.n, o.b, o.a), o.column_sizes, thresholds)]


@dataclass(frozen=True, slots=True)
class SideCells:
    """The overlaps as one side sees them."""

    n: Integers
    own: Integers  # the size of the cluster of this side
    other: Integers


def _judged(
    cluster: Integers,
    largest: NDArray[np.int64],
    cells: SideCells,
    sizes: Integers,
    thresholds: Thresholds,
) -> NDArray[np.int64]:
    pure = more(cells.n, cells.other, thresholds.majority)
    in_pure = sums_by(cluster, np.where(pure, cells.n, 0), len(sizes))
    return judged(cells, largest, in_pure, sizes, thresholds)


def judged(
    cells: SideCells,
    partner: NDArray[np.int64],  # the cell that each cluster shares with its partner
    in_pure: Integers,  # how much of each cluster lies in pure pieces
    sizes: Integers,
    thresholds: Thresholds,
) -> NDArray[np.int64]:
    """The verdict on each cluster as the reference sees it, as its place among VERDICTS."""
    n, own, other = cells.n[partner], cells.own[partner], cells.other[partner]
    found = np.full(len(sizes), SCATTERED)
    found[more(in_pure, sizes, thresholds.majority)] = SPLIT
    found[more(n, own, thresholds.majority) & (other > own)] = MERGED
    found[~more(own + other, 2 * n, 1 / thresholds.near)] = NEARLY
    found[(n == own) & (n == other)] = EXACT
    return found


def more(part: Integers, whole: Integers, share: Fraction) -> NDArray[np.bool_]:
    """Whether each part is more than that share of its whole, in integers."""
    large = max(share.numerator, share.denominator) >= 2**20 or part.dtype == object
    if large:  # products of these would not fit
        part, whole = part.astype(object), whole.astype(object)
    found: NDArray[np.bool_] = (part * share.denominator > whole * share.numerator).astype(bool)
    return found


def _share(name: str, value: Any) -> Fraction:
    try:
        return Fraction(str(value))
    except (ValueError, ZeroDivisionError) as error:
        raise ParameterError("use a number", given={name: value}) from error
