"""The verdict on each cluster, one of six; this is the only place where they are defined.

The partner of a cluster is the cluster of the other side that holds most of it. Of a reference cluster:

    exact             its partner is the same cluster
    nearly            F1 with its partner, 2n/(a + b), is at least ``near`` (0.8)
    split and merged  its partner holds more than ``majority`` (1/2) but less than ``near`` of it, and is
                      larger than it: a part was split off, and the rest was merged with others
    merged            its partner holds at least ``near`` of it, and is larger than it
    split             more than ``majority`` of it is in pure pieces, each more than ``majority`` of its
                      candidate cluster
    scattered         none of these

The first that holds is the verdict. A record in no cluster, such as noise, is neither a partner nor a piece.
On both sides, verdicts describe what the candidate did to the reference. So a candidate cluster is judged
with the roles reversed: it is *split* (off) if its reference partner is larger, and *merged* if it consists
of pure pieces; *split and merged* is its own mirror image. ``near`` is above 2/3 and ``majority`` at least
1/2, so a cluster that is exact or nearly so has only one partner, whose partner it is. Both sides have
the same number of such clusters.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from concordant import core
from concordant.counts.base import Counts, CountsKind
from concordant.counts.counted_sides import NO_CLUSTERS, Names
from concordant.counts.cover_counts import CoverCounts
from concordant.counts.overlaps import DisagreeingClusters, Overlaps
from concordant.counts.profile import Profile
from concordant.counts.weighted_counts import WeightedCounts, weight_text
from concordant.differences.changes import ChangeSummary, change_summary
from concordant.differences.component_sums import nearest_cells
from concordant.errors import ParameterError
from concordant.foundation.conventions import SideName
from concordant.foundation.results import Field, Listing, Result, interval_fields, read_only_class, rounded
from concordant.foundation.spelling import counted
from concordant.maths.arithmetic import Integers, sums_by

Verdict = Literal["exact", "nearly", "split", "merged", "split and merged", "scattered"]
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
EXACT, NEARLY, SPLIT, MERGED, SPLIT_AND_MERGED, SCATTERED = range(6)
# The name of each verdict from the other side.
MIRRORED = np.array([EXACT, NEARLY, MERGED, SPLIT, SPLIT_AND_MERGED, SCATTERED], dtype=np.int8)


@dataclass(frozen=True, slots=True)
class Thresholds:
    """The thresholds of the verdicts.

    Attributes
    ----------
    near : Fraction
        Minimum F1 for a cluster to be nearly right.
    majority : Fraction
        Share above which a part is most of a cluster.
    """

    near: Fraction = Fraction(4, 5)
    majority: Fraction = Fraction(1, 2)

    def __str__(self) -> str:
        """The meaning of the verdicts, for printing."""
        return f"nearly: F1 ≥ {float(self.near):g}; majority: above {float(self.majority):g}"


USUAL_THRESHOLDS = Thresholds()


def thresholds_of(near: Any = 0.8, majority: Any = 0.5) -> Thresholds:
    """Thresholds exactly as written: 0.8 means four fifths, not the float nearest to it.

    >>> thresholds_of(near=0.9)
    Thresholds(near=Fraction(9, 10), majority=Fraction(1, 2))
    """
    shares = []
    for name, value in (("near", near), ("majority", majority)):
        try:
            shares.append(Fraction(str(value)))
        except (ValueError, ZeroDivisionError) as error:
            raise ParameterError("use a number", given={name: value}) from error
    if not Fraction(2, 3) < shares[0] <= 1:
        raise ParameterError("use an F1 above 2/3 and at most 1", given={"near": near})
    if not Fraction(1, 2) <= shares[1] < 1:
        raise ParameterError("use a share of at least 1/2 and below 1", given={"majority": majority})
    return Thresholds(*shares)


CountedUnit = Literal["record", "membership", "weight"]  # what is counted of a side


def unit_of(counts: Counts) -> CountedUnit:
    """The unit of cluster sizes: records, unless some have weights or several clusters."""
    if isinstance(counts, CoverCounts) and all(side.memberships.max(initial=0) < 2 for side in counts.sides):
        return "record"
    units: dict[CountsKind, CountedUnit] = {"covers": "membership", "weights": "weight"}
    return units.get(counts.kind, "record")


def amount(count: float, unit: CountedUnit) -> str:
    """A number of records or memberships, or a weight.

    >>> amount(1200, "record"), amount(2.5, "weight")
    ('1,200 records', 'weight 2.5')
    """
    return f"weight {weight_text(Fraction(count))}" if unit == "weight" else counted(int(count), unit)


@read_only_class
@dataclass(frozen=True, slots=True)
class SideVerdicts:
    """The number of clusters and records of one side by verdict.

    Attributes
    ----------
    side : {"reference", "candidate"}
        The side.
    clusters : mapping from {"exact", "nearly", "split", "merged", "split and merged", "scattered"} to int
        Number of clusters by verdict.
    records : mapping from {"exact", "nearly", "split", "merged", "split and merged", "scattered"} to float
        Number of records by verdict, or their weight; in covers, memberships.
    in_no_cluster : float
        Number of records in no cluster of this side.
    unit : str
        The unit of these counts.
    """

    side: SideName
    clusters: Mapping[Verdict, int]
    records: Mapping[Verdict, float]
    in_no_cluster: float = 0
    unit: CountedUnit = "record"

    @property
    def n_clusters(self) -> int:
        """The number of clusters."""
        return sum(self.clusters.values())

    @property
    def size(self) -> float:
        """The number of records."""
        return sum(self.records.values())

    @property
    def found(self) -> int:
        """The number of clusters that are exact or nearly right."""
        return self.clusters["exact"] + self.clusters["nearly"]

    def __str__(self) -> str:
        numbers = ", ".join(f"{count:,} {word}" for word, count in self.clusters.items())
        unclustered = f"; {amount(self.in_no_cluster, self.unit)} in no cluster" if self.in_no_cluster else ""
        return f"{counted(self.n_clusters, f'{self.side} cluster')}: {numbers}{unclustered}"


@read_only_class
@dataclass(frozen=True, slots=True, repr=False)
class VerdictSummary(Result):
    """The number of clusters by verdict, for both sides. `Comparison.summary` returns it.

    Attributes
    ----------
    reference, candidate : SideVerdicts
        The verdicts of each side.
    thresholds : Thresholds
        The thresholds of the verdicts.
    components : ChangeSummary
        The connected components by kind.
    headline : str
        The sentence that names the most important difference.
    indices : mapping from str to mapping from str to float
        Value of each index, and its interval if requested.
    """

    reference: SideVerdicts
    candidate: SideVerdicts
    thresholds: Thresholds
    components: ChangeSummary
    headline: str = ""
    # Value of each index that is shown; its interval as low and high, if the records are a sample.
    indices: Mapping[str, Mapping[str, float]] = field(default_factory=dict)

    def __repr__(self) -> str:
        own, other = self.reference.n_clusters, counted(self.candidate.n_clusters, "cluster")
        return f"<VerdictSummary of {own:,} against {other}>"

    def _whole_text(self) -> str:
        values = (
            f"{name} {rounded(each['value'])}"
            + (f" ({rounded(each['low'])} to {rounded(each['high'])})" if "low" in each else "")
            for name, each in self.indices.items()
        )
        lines = [self.headline, str(self.reference), str(self.candidate), f"({self.thresholds})"]
        lines += [f"components: {self.components._whole_text()}", ", ".join(values)]
        return "\n".join(filter(None, lines))

    def to_dict(self) -> dict[str, Any]:
        """Return the headline, the clusters and records by verdict and side, the components and the indices.

        Returns
        -------
        dict
            The content by name.

        Examples
        --------
        >>> import concordant as cc
        >>> sorted(cc.compare(list("aab"), [7, 7, 9]).summary().to_dict())[:2]
        ['candidate', 'components']
        """
        sides: dict[str, Any] = {
            each.side: {
                "clusters": dict(each.clusters),
                "records": dict(each.records),
                "in_no_cluster": each.in_no_cluster,
            }
            for each in (self.reference, self.candidate)
        }
        thresholds = {"near": float(self.thresholds.near), "majority": float(self.thresholds.majority)}
        components, indices = dict(self.components.counts), {k: dict(v) for k, v in self.indices.items()}
        content = {**sides, **thresholds, "components": components, "indices": indices}
        return {"headline": self.headline, **content}

    def _listings(self, limit: int | None = None) -> Sequence[Listing]:
        """The verdicts, and the indices with their intervals, if any."""
        verdicts = Result._listings(self, limit)
        indices = [{"index": name, **each} for name, each in self.indices.items()]
        columns = [Field("index", ""), "value", *interval_fields(0.95)]
        return [*verdicts, *([Listing(indices, columns)] if indices else [])]

    def _footnotes(self) -> Sequence[str]:
        return [f"({self.thresholds})", f"components: {self.components._whole_text()}"]

    def _rows(self, limit: int | None = None) -> list[dict[str, Any]]:
        rows = [
            {
                "side": each.side,
                **{word.replace(" ", "_"): n for word, n in each.clusters.items()},
                "in_no_cluster": each.in_no_cluster,
            }
            for each in (self.reference, self.candidate)
        ]
        return rows[:limit]


def verdict_summary(
    counts: Counts,
    names: Names,
    thresholds: Thresholds = USUAL_THRESHOLDS,
    known: Mapping[SideName, NDArray[np.int8]] | None = None,
    noise: tuple[int | None, int | None] = (None, None),
    *,
    part: DisagreeingClusters | None = None,
) -> VerdictSummary:
    """The verdicts of both sides, counted; ``known`` are those that were already computed.

    They may be those of a ``part`` of the clusters, without which no cluster differs or is in no cluster.
    In a cover a record counts as often as it is in a cluster. A record in no cluster has no verdict, nor
    has the noise cluster of a side, whose number is in ``noise``. With weights, clusters are judged by
    weight, and the weight of the records is counted.
    """
    unit = unit_of(counts)
    if isinstance(counts, WeightedCounts):
        counts = counts.weights
    o = (counts if part is None else part.profile).view(Overlaps)
    sizes_of: dict[SideName, Integers] = {"reference": o.row_sizes, "candidate": o.column_sizes}
    sides: list[SideVerdicts] = []

    for number, (side, sizes) in enumerate(sizes_of.items()):
        unclustered, others = names.unclustered(number), names.unclustered(1 - number)
        verdicts = verdicts_of(counts, side, thresholds, others) if known is None else known[side]
        outside = int(sizes[unclustered].sum()) if len(unclustered) else names.unclustered_count(number)
        if (of_noise := noise[number]) is not None:
            outside += int(sizes[of_noise])
            unclustered = np.append(unclustered, of_noise)
        if len(unclustered):
            verdicts, sizes = np.delete(verdicts, unclustered), np.delete(sizes, unclustered)  # noqa: PLW2901
        codes = verdicts.astype(np.int64)
        clusters = np.bincount(codes, minlength=len(VERDICTS)).tolist()
        sums = sums_by(codes, sizes, len(VERDICTS)).tolist()
        if part is not None:
            clusters[EXACT] += int(part.exact[1].sum())
            sums[EXACT] += int((part.exact[0] * part.exact[1]).sum())
        of_each = (
            dict(zip(VERDICTS, clusters, strict=True)),
            dict(zip(VERDICTS, map(counts.amount, sums), strict=True)),
        )
        sides.append(SideVerdicts(side, *of_each, counts.amount(outside), unit))
    return VerdictSummary(sides[0], sides[1], thresholds, change_summary(counts, names))


def verdicts_of(
    counts: Counts,
    side: SideName,
    thresholds: Thresholds = USUAL_THRESHOLDS,
    others: NDArray[np.int64] = NO_CLUSTERS,
) -> NDArray[np.int8]:
    """The verdict on each cluster of one side, as its place among VERDICTS.

    ``others`` are the singletons of the other side that are not clusters.

    In covers the partner is the nearest cluster by F1, since several may hold all of a cluster. Pure pieces
    may overlap, so their union counts. A cluster without an overlap is scattered.
    """
    if len(others) or isinstance(counts, CoverCounts):
        return _judged(counts, side, thresholds, others)
    # A cluster that both sides have is exact.
    part, is_row = counts.view(DisagreeingClusters), side == "reference"
    judged = _judged(part.profile, side, thresholds, others)
    if part.profile is counts:
        return judged
    return with_exact(
        judged, part.rows if is_row else part.columns, counts.rows if is_row else counts.columns
    )


def with_exact(judged: NDArray[np.int8], numbers: NDArray[np.int64], count: int) -> NDArray[np.int8]:
    """The verdicts on ``count`` clusters: these on those with these numbers, all others are exact."""
    verdicts = np.full(count, EXACT, dtype=np.int8)
    verdicts[numbers] = judged
    return verdicts


def _judged(
    counts: Counts, side: SideName, thresholds: Thresholds, others: NDArray[np.int64]
) -> NDArray[np.int8]:
    """The verdicts by their definitions; the core judges partitions whose counts have 64 bits."""
    o, is_row = counts.view(Overlaps), side == "reference"
    near, majority = (each.as_integer_ratio() for each in (thresholds.near, thresholds.majority))
    if isinstance(counts, Profile) and o.n.dtype == np.int64 and max(*near, *majority) < 2**31:
        other_size = o.b if is_row else o.a
        if len(others):
            other_size = np.where(np.isin(o.column if is_row else o.row, others), -other_size, other_size)
        codes = core.verdicts(o.row if is_row else o.column, o.n, other_size, near, majority).astype(np.int8)
        return codes if is_row else MIRRORED[codes]
    cluster, other = (o.row, o.b) if is_row else (o.column, o.a)
    sizes = o.row_sizes if is_row else o.column_sizes
    shared = ~np.isin(o.column if is_row else o.row, others)
    pure = more(o.n, other, thresholds.majority) & shared
    if isinstance(counts, CoverCounts):
        partner, in_pure = nearest_cells(o, side), counts.united(pure, side)
    else:
        partner = o.row_largest if is_row else o.column_largest
        in_pure = sums_by(cluster, o.n * pure, len(sizes))
    matched = slice(None) if counts.kind != "covers" else np.flatnonzero(partner >= 0)
    cells = partner[matched]
    n, own, other, shared = o.n[cells], sizes[matched], other[cells], shared[cells]
    is_merged = more(n, own, thresholds.majority) & (other > own).astype(bool)
    judged = np.full(len(cells), SCATTERED, dtype=np.int8)
    for verdict, holds in (  # the last one that holds is the verdict
        (SPLIT, more(in_pure[matched], own, thresholds.majority)),
        (MERGED, is_merged),
        (SPLIT_AND_MERGED, is_merged & more(own, n, 1 / thresholds.near)),
        (NEARLY, shared & ~more(own + other, 2 * n, 1 / thresholds.near)),
        (EXACT, shared & (n == own) & (n == other)),
    ):
        judged[np.flatnonzero(holds)] = verdict  # faster than by the mask
    verdicts = np.full(len(sizes), SCATTERED, dtype=np.int8)
    verdicts[matched] = judged
    return verdicts if is_row else MIRRORED[verdicts]


def more(part: Integers, whole: Integers, share: Fraction) -> NDArray[np.bool_]:
    """Whether each part is more than that share of its whole, in integers."""
    large = max(share.numerator, share.denominator) >= 2**20 or part.dtype == object
    if large:  # products of these would not fit
        part, whole = part.astype(object), whole.astype(object)
    found: NDArray[np.bool_] = (part * share.denominator > whole * share.numerator).astype(bool)
    return found
