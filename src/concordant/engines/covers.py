"""The engine for covers in memory: both are put on one set of elements, and counted by types."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from concordant import core
from concordant.clusterings.alignment import refuse_other_types
from concordant.clusterings.cover_data import CoverData, SourceCover
from concordant.clusterings.labels import identify
from concordant.counts.base import Detail
from concordant.counts.counted_sides import NO_CLUSTERS, CountedSides, KnownLabels
from concordant.counts.cover_counts import CoverCounts
from concordant.errors import CoverError, ParameterError, UnmatchedError, few
from concordant.foundation import remedies
from concordant.foundation.conventions import Conventions
from concordant.sources.files import BYTES_OF_A_MEMBERSHIP, refuse_if_too_large

_Integers = NDArray[np.int64]

count_three = count_sample = None


def takes(reference: Any, candidate: Any) -> bool:
    """Whether both are covers; if only one is, ``compare`` turns the other into one."""
    return isinstance(reference, CoverData) and isinstance(candidate, CoverData)


def count(u: CoverData, v: CoverData, conventions: Conventions, need: Detail) -> CountedSides:  # noqa: ARG001  (what is needed is counted when it is asked for)
    """Both over one set: the elements of both, unless one of them defines the set."""
    if conventions.nulls is not None:
        raise ParameterError("nulls= applies to partitions; in a cover, a record need not be in a cluster")
    u, v = in_memory([u, v])
    names = [*u.elements, *v.elements]
    which, first = core.factorize(identify(names)[0])
    own, other = which[: len(u)], which[len(u) :]
    audit = _unmatched(u, v, (own, other), len(first), conventions)
    memberships = [(own[u.element], u.cluster), (other[v.element], v.cluster)]  # by codes of elements
    kept: list[_Integers] = [np.arange(len(each.names)) for each in (u, v)]  # the clusters of each side
    known = [np.bincount(codes, minlength=len(first)) > 0 for codes in (own, other)]  # by each side
    if conventions.unmatched == "singletons":
        for place, (element, cluster) in enumerate(memberships):
            unknown = np.flatnonzero(~known[place])
            fresh = int(cluster.max(initial=-1)) + 1 + np.arange(len(unknown))
            memberships[place] = np.concatenate([element, unknown]), np.concatenate([cluster, fresh])
    elif conventions.unmatched == "drop":
        common = known[0] & known[1]
        number = np.cumsum(common) - 1
        for place, (element, cluster) in enumerate(memberships):
            inside = common[element]
            kept[place], filled = np.unique(cluster[inside], return_inverse=True)
            memberships[place] = number[element[inside]], filled
        first = first[common]
    counts = CoverCounts.of_memberships(len(first), memberships[0], memberships[1], conventions.threads)
    for side, cover in (("reference", u), ("candidate", v)):
        audit |= {f"{side}_{key}": found for key, found in cover.audit.items() if found}
    # By default, elements of one side only are in no cluster of the other.
    unmatched = conventions.unmatched if conventions.unmatched in ("drop", "singletons") else "in no cluster"
    clusters = [[cover.names[i] for i in held.tolist()] for cover, held in zip((u, v), kept, strict=True)]
    elements = [names[i] for i in first.tolist()]
    return CountedSides(counts, CoverNames(clusters, memberships, elements), {"unmatched": unmatched}, audit)


def in_memory(covers: Sequence[CoverData]) -> list[CoverData]:
    """The covers themselves, or the content of their files."""
    scanned = [(each.source, each.columns) for each in covers if isinstance(each, SourceCover)]
    refuse_if_too_large(scanned, BYTES_OF_A_MEMBERSHIP)
    return [each.read(typed=False) if isinstance(each, SourceCover) else each for each in covers]


def _unmatched(
    u: CoverData, v: CoverData, codes: tuple[_Integers, _Integers], size: int, conventions: Conventions
) -> dict[str, int]:
    has = [np.bincount(each, minlength=size) > 0 for each in codes]
    missed, extra = np.flatnonzero(has[0] & ~has[1]), np.flatnonzero(~has[0] & has[1])
    names = [*u.elements, *v.elements]
    place = {0: np.flatnonzero(np.isin(codes[0], missed)), 1: np.flatnonzero(np.isin(codes[1], extra))}
    if len(missed) and len(extra):
        common = int((has[0] & has[1]).sum())
        refuse_other_types(
            [names[i] for i in place[0].tolist()],
            [v.elements[i] for i in place[1].tolist()],
            any_common=common > 0,
        )
        if not common:
            raise UnmatchedError(
                f"the two covers have no record in common: {few(u.elements)} against {few(v.elements)}; "
                "if this is correct, pass the same records= on both sides"
            )
    if conventions.unmatched == "error":
        for cover, side, strangers, holder in ((u, "reference", place[1], v), (v, "candidate", place[0], u)):
            if cover.is_whole and len(strangers):
                found = few(holder.elements[i] for i in strangers.tolist())
                raise UnmatchedError(
                    f"the {side} names all its records, and {found} are not among them",
                    remedies=remedies.FOR_UNMATCHED[:2],
                )
    sides = {"only_reference": len(missed), "only_candidate": len(extra)}
    if conventions.unmatched == "drop":
        sides["not_compared"] = len(missed) + len(extra)
    return {key: found for key, found in sides.items() if found}


class CoverNames:
    """The names of the clusters of two covers, and of the records in them."""

    known_labels: KnownLabels = "all"
    has_record_names = True

    def __init__(
        self,
        clusters: list[list[Any]],  # the names of each side
        memberships: list[tuple[_Integers, _Integers]],  # of each side, by the numbers of element and cluster
        elements: list[Any],
    ) -> None:
        self._clusters, self._memberships, self._elements = clusters, memberships, elements

    @property
    def records(self) -> NoReturn:
        raise CoverError("a record of a cover can be in several clusters, so it has no single score")

    def cluster(self, side: int, number: int, /) -> Any:
        names = self._clusters[side]  # an element that a side lacked is a singleton after its clusters
        return names[number] if number < len(names) else None

    def clusters(self, side: int, /) -> Sequence[Any]:
        return self._clusters[side]

    def unclustered(self, side: int, /) -> NDArray[np.int64]:  # noqa: ARG002  (each side has these)
        return NO_CLUSTERS

    def unclustered_count(self, side: int, /) -> int:
        return len(self.unclustered(side))

    def examples(self, cells: Sequence[tuple[int, ...]], each: int) -> list[tuple[Any, ...]]:
        if not each:
            return [()] * len(cells)
        found = []
        for row, column in cells:
            common = np.intersect1d(self._held(0, row), self._held(1, column))[:each]
            found.append(tuple(self._elements[i] for i in common.tolist()))
        return found

    def _held(self, side: int, cluster: int) -> _Integers:
        element, start = self._by_cluster[side]
        return element[start[cluster] : start[cluster + 1]]

    @cached_property
    def _by_cluster(self) -> list[tuple[_Integers, _Integers]]:
        """The elements of each side, cluster by cluster, and where each cluster starts among them."""
        grouped = []
        for element, cluster in self._memberships:
            order, starts = core.grouped(np.ascontiguousarray(cluster))
            grouped.append((element[order], starts))
        return grouped
