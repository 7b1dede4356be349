"""Decisions about pairs of records, the same or different, and the clusters that break them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

from concordant import engines
from concordant.counts.counted_sides import CountedSides, DecidedPairs
from concordant.differences.lazy_list import LazyList, field_names
from concordant.errors import CoverError, InputError, LabelError, Remedy, few
from concordant.foundation.spelling import counted, part_of, quoted
from concordant.sources.judged_pairs import known_pairs

Decision: TypeAlias = Literal["same", "different"]
_NUMBERS = (
    *("n_same", "same_broken", "same_broken_share"),
    *("n_different", "different_broken", "different_broken_share"),
    "n_unmatched",
)


@dataclass(frozen=True, slots=True)
class BrokenDecision:
    """A decision that the clusters break.

    Attributes
    ----------
    decision : {"same", "different"}
        The decision.
    record_a, record_b : record
        The two records.
    cluster : label
        The cluster of the first record. None if it is in no cluster.
    other : label
        The cluster of the second record.
    """

    decision: Decision
    record_a: Any
    record_b: Any
    cluster: Any
    other: Any


class Decisions(LazyList[BrokenDecision]):
    """The decisions that a clustering breaks, and how many it keeps. `Comparison.decisions` returns it.

    Attributes
    ----------
    n_same, n_different : int
        Number of decisions that two records are the same entity, and that they are not.
    same_broken : int
        Number of pairs that are the same, and apart in the clustering.
    different_broken : int
        Number of pairs that are different, and together in the clustering.
    same_broken_share, different_broken_share : float
        The same as shares of the decisions; 0 without any.
    n_unmatched : int
        Number of decisions about records that were not compared. They are not checked.
    """

    n_same: int
    n_different: int
    same_broken: int
    different_broken: int
    same_broken_share: float
    different_broken_share: float
    n_unmatched: int
    _columns = field_names(BrokenDecision)

    def __init__(
        self, broken: Sequence[BrokenDecision], checked: Mapping[Decision, int], unmatched: int
    ) -> None:
        numbers: dict[str, float] = {"n_unmatched": unmatched}
        for kind, number in checked.items():
            own = sum(each.decision == kind for each in broken)
            numbers |= {f"n_{kind}": number, f"{kind}_broken": own}
            numbers[f"{kind}_broken_share"] = own / number if number else 0.0
        super().__init__(broken)
        vars(self).update(numbers)

    @property
    def headline(self) -> str:
        """How many decisions are broken.

        Examples
        --------
        >>> import concordant as cc
        >>> cc.compare([0, 0, 1], [0, 1, 1], same=[(0, 1)], different=[(0, 2)]).decisions.headline
        '1 of 2 decisions is broken'
        """
        number = self.n_same + self.n_different
        if number:
            return f"{part_of(self.total, number, 'decision', 'are')} broken"
        why = f": {self._not_checked}" if self.n_unmatched else ""
        return f"There is no decision to check{why}"

    @property
    def _not_checked(self) -> str:
        return f"{counted(self.n_unmatched, 'decision')} about records that were not compared"

    def to_dict(self) -> dict[str, Any]:
        """Return the numbers and the broken decisions.

        Returns
        -------
        dict
            The content by name.

        Examples
        --------
        >>> import concordant as cc
        >>> cc.compare([0, 0, 1], [0, 1, 1], same=[(0, 1)]).decisions.to_dict()["same_broken"]
        1
        """
        return {name: getattr(self, name) for name in _NUMBERS} | super().to_dict()

    def _footnotes(self) -> list[str]:
        return [self._not_checked] if self.n_unmatched and (self.n_same or self.n_different) else []


def with_decisions(known: CountedSides, same: Any, different: Any) -> CountedSides:
    """The same comparison with decisions about its records."""
    if known.counts.kind == "covers":
        raise CoverError(
            "decisions need partitions, in which a record has one cluster, and a side is a cover"
        )
    pairs: DecidedPairs = _pairs(same, "same"), _pairs(different, "different")
    if known.sources is None:
        everyone = known.names.records.everyone
        if not isinstance(next(iter(everyone), ""), str):  # tables of pairs name records as text
            names = {str(name): name for name in everyone}
            own = [[(names.get(x, x), names.get(y, y)) for x, y in kind] for kind in pairs]
            pairs = own[0], own[1]
    refuse_contradictions(*pairs)
    return decided_as(known, pairs)


def decided_as(known: CountedSides, pairs: DecidedPairs) -> CountedSides:
    """The same comparison with these pairs, and the signature of the decisions that it breaks."""
    found = replace(known, decided=pairs)
    numbers = decisions_of(found).to_dict()
    broken = {
        f"{kind}_broken": f"{numbers[f'{kind}_broken']} of {numbers[f'n_{kind}']}"
        for kind in ("same", "different")
        if numbers[f"n_{kind}"]
    }
    return replace(found, conventions={**known.conventions, **broken})


def refuse_contradictions(same: Sequence[tuple[Any, Any]], different: Sequence[tuple[Any, Any]]) -> None:
    """Refuse two records that are different, and the same through a chain of others."""
    others: dict[Any, list[Any]] = {}
    for one, other in same:
        others.setdefault(one, []).append(other)
        others.setdefault(other, []).append(one)
    cluster: dict[Any, Any] = {}
    for start in others:
        reached = [] if start in cluster else [start]
        while reached:
            record = reached.pop()
            if record not in cluster:
                cluster[record] = start
                reached += others[record]
    for one, other in different:
        if one in cluster and cluster[one] == cluster.get(other):
            chain = " = ".join(map(quoted, _chain(others, one, other)))
            raise InputError(
                f"the decisions contradict each other: {quoted(one)} and {quoted(other)} are different, but "
                f"{chain}; remove one of these decisions"
            )


def _chain(others: Mapping[Any, Sequence[Any]], start: Any, end: Any) -> list[Any]:
    """The shortest chain of pairs that joins two records."""
    came_from, reached = {start: start}, [start]
    for record in reached:  # grows while it is read
        for each in others[record]:
            if each not in came_from:
                came_from[each] = record
                reached.append(each)
    chain = [end]
    while chain[-1] != start:
        chain.append(came_from[chain[-1]])
    return chain[::-1]


def _clusters(known: CountedSides, records: Sequence[Any]) -> Mapping[Any, Any]:
    """The candidate's label of each of these records that were compared; None of a singleton."""
    if not records:
        return {}
    if known.sources is not None:
        reference, candidate = known.sources
        found = engines.clusters_of(candidate, records)
        if known.conventions.get("unmatched") in (None, "error"):
            return found
        there = engines.clusters_of(reference, records)
        return {record: label for record, label in found.items() if record in there}
    own, wanted = known.names.records, set(records)
    places = ((name, place) for place, name in enumerate(own.everyone) if name in wanted)
    return {name: own.labels(place)[1] for name, place in places}


def decisions_of(known: CountedSides) -> Decisions:
    """The decisions that the candidate breaks."""
    pairs = known.decided or ((), ())
    clusters = _clusters(known, [record for kind in pairs for pair in kind for record in pair])
    broken, checked, unmatched = [], dict[Decision, int](), set[Any]()
    kinds: tuple[Decision, Decision] = ("same", "different")
    for kind, own in zip(kinds, pairs, strict=True):
        there = [pair for pair in own if pair[0] in clusters and pair[1] in clusters]
        checked[kind] = len(there)
        unmatched |= {record for pair in own for record in pair if record not in clusters}
        for one, other in there:
            labels = clusters[one], clusters[other]
            is_together = labels[0] is not None and labels[0] == labels[1]
            if is_together == (kind == "different"):
                broken.append(BrokenDecision(kind, one, other, *labels))
    lost = sum(map(len, pairs)) - sum(checked.values())
    if lost and known.conventions.get("unmatched", "error") == "error":
        names = few(sorted(unmatched, key=str))
        raise LabelError(
            f"{counted(lost, 'decision')} with a record that was not compared: {names}",
            remedies=[Remedy("leave such decisions out", unmatched="drop")],
        )
    return Decisions(broken, checked, lost)


def _pairs(given: Any, kind: Decision) -> Sequence[tuple[Any, Any]]:
    """The distinct pairs of a list, or those of a table with a column of decisions, of this kind."""
    if given is None:
        return ()
    is_list = isinstance(given, list | tuple | set | frozenset) or type(given).__module__ == "numpy"
    listed = list(given) if is_list else []
    if not is_list or (listed and isinstance(listed[0], Mapping)):
        wanted, judged = float(kind == "same"), known_pairs(given, kind).values()
        unclear = [f"{one} and {other}" for one, other, same in judged if same not in (0.0, 1.0)]
        if unclear:
            raise InputError(
                f"{kind} has different answers for {counted(len(unclear), 'pair')}: {few(unclear)}; keep one "
                "answer for each pair"
            )
        return [(one, other) for one, other, same in judged if same == wanted]
    found: dict[frozenset[Any], tuple[Any, Any]] = {}
    for number, pair in enumerate(listed):
        if isinstance(pair, str | bytes) or not hasattr(pair, "__len__") or len(pair) != 2:
            raise InputError(f"{kind}: item {number} is {pair!r}, not a pair of records")
        one, other = (x.item() if hasattr(x, "item") else x for x in pair)
        if one == other:
            raise InputError(
                f"{kind}: item {number} has the record {quoted(one)} twice; a pair needs two records"
            )
        found.setdefault(frozenset((one, other)), (one, other))
    return list(found.values())
