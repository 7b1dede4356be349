"""Refuses repeated or unmatched records and missing labels of two sources, and names a few of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import narwhals.stable.v2 as nw

from concordant.clusterings.alignment import none_common, nothing_left
from concordant.clusterings.missing import ABSENT, LABELLED, NOISE, NULL, Policy, kinds_with
from concordant.engines.tables import queries
from concordant.engines.tables.opening import ROLES, Opened, no_record
from concordant.engines.tables.results import QueryResult
from concordant.errors import LabelError, OverlapError, UnmatchedError, few
from concordant.foundation import remedies
from concordant.foundation.spelling import counted

NAMED = 3  # how many records an error names


# Two functions that find a few records of a side for an error: those that only this side has, and those that
# are repeated, with how often they occur.
Witnesses = tuple[Callable[[int], list[Any]], Callable[[int], list[tuple[Any, int]]]]


def queried_witnesses(opened: tuple[Opened, Opened], cells: queries.Lazy) -> Witnesses:
    """Witnesses that a second query finds."""

    def only(side: int) -> list[Any]:
        absent = (queries.ONLY_REFERENCE, queries.ONLY_CANDIDATE)[side]
        found = cells.filter(nw.col("absent") == absent).select("alone").head(NAMED + 1)
        return [row[0] for row in queries.fetched([found])]

    def repeated(side: int) -> list[tuple[Any, int]]:
        frame, record = opened[side].frame, opened[side].record
        assert record is not None
        rows = queries.fetched([queries.repeated_records(frame, record, NAMED)])
        return [(name, times) for name, times in rows]

    return only, repeated


def audit(answer: QueryResult, opened: tuple[Opened, Opened], policy: Policy, witnesses: Witnesses) -> None:
    """Refuse records and labels that the policy does not allow, and name a few of them."""
    only, repeated = witnesses
    for number, side in enumerate(opened):
        rows, named = answer.rows.get(number, (0, 0))
        sides = opened if len(answer.rows) == 1 else (side,)  # both labels of a row belong to its record
        if rows > named and any(each.source.nulls != "drop" for each in sides):
            raise no_record(side.role, side.source, rows - named)
    _refuse_repetition(answer, opened, repeated)
    parts = [
        f"{lacking:,} only in the {ROLES[side]}{_named(only(side)[:NAMED])}"
        for side in (0, 1)
        if policy[0][ABSENT] == "error" and (lacking := answer.having(1 - side, ABSENT))
    ]
    if parts:
        raise UnmatchedError(
            f"the two sources contain different records: {' and '.join(parts)}",
            remedies=remedies.FOR_UNMATCHED,
        )
    for number, side in enumerate(opened):
        if (null := answer.having(number, NULL)) and side.source.nulls == "error":
            names: list[Any] = []
            if side.record is not None:
                unlabelled = side.frame.filter(side.label.is_null()).select(side.record.alias("record"))
                names = [row[0] for row in queries.fetched([unlabelled.head(NAMED)])]
            raise LabelError(
                f"{side.source.cluster!r} of the {side.role} has {counted(null, side.null_label)}"
                f"{_named(names)}",
                remedies=remedies.FOR_NULLS,
            )
    _refuse_nothing_left(answer, policy, only)


def _refuse_nothing_left(answer: QueryResult, policy: Policy, only: Callable[[int], list[Any]]) -> None:
    """Refuse sources whose rows are all left out by the policy."""
    stays = [{LABELLED, *kinds_with(policy, number, "singletons")} for number in (0, 1)]
    if any(u in stays[0] and v in stays[1] for u, v in answer.states if answer.states[u, v]):
        return
    rows = [answer.rows.get(number, answer.rows.get(0, (answer.elements, 0)))[0] for number in (0, 1)]
    if not any(rows):
        return
    policies, reasons = {}, []
    if absent := answer.having(0, ABSENT) + answer.having(1, ABSENT):
        policies["unmatched"] = "drop"
        if absent == answer.elements:
            reasons.append(none_common(only(0), only(1)))
        else:
            reasons.append(f"{counted(absent, 'record')} on one side only")
    for state, option, what in ((NULL, "nulls", "null label"), (NOISE, "noise_as", "label that means noise")):
        if count := answer.having(0, state) + answer.having(1, state):
            policies[option] = "drop"
            reasons.append(counted(count, what) if state == NULL else f"{count:,} of the {what}")
    if nameless := sum(whole - named for whole, named in answer.rows.values()):
        policies["nulls"] = "drop"
        reasons.append(f"{counted(nameless, 'row')} with no record")
    raise nothing_left(policies, (rows[0], rows[1]), " and ".join(reasons))


def _refuse_repetition(
    answer: QueryResult, opened: tuple[Opened, Opened], find_repeated: Callable[[int], list[tuple[Any, int]]]
) -> None:
    """Refuse repeated records: joined, they would give more rows than the other side has."""
    if len(answer.rows) == 1:
        suspects = [0] if answer.twice else []
    else:
        suspects = [
            1 - number
            for number in answer.rows
            if answer.rows[number][1] != answer.elements - answer.having(number, ABSENT)
        ]
        suspects += [absent - 1 for absent in answer.twice]
    for number in suspects:
        side, repeated = opened[number], find_repeated(number)
        if repeated:
            times = ", ".join(f"{few([name])} ({often} times)" for name, often in repeated)
            raise OverlapError(
                f"records occur more than once in {side.source.record!r} of the {side.role}: {times} "
                "and possibly others; a record is in one cluster, so keep one row for each"
            )


def _named(records: list[Any]) -> str:
    names = few(records)
    return f" (among them {names})" if names else ""
