"""What is refused of two sources: records repeated or unmatched, labels that are missing; a few are named."""

from __future__ import annotations

from typing import Any

import narwhals.stable.v2 as nw

from concordant.counts import remedies
from concordant.counts.spelling import counted
from concordant.engines.tables import queries
from concordant.engines.tables.answer import Answer
from concordant.engines.tables.opening import ROLES, Opened
from concordant.errors import LabelError, OverlapError, UnmatchedError, few
from concordant.partitions.mismatch import none_common, nothing_left
from concordant.partitions.missing import ABSENT, LABELLED, NOISE, NULL, Policy

_NAMED = 3  # how many records an error names


def audit(answer: Answer, opened: tuple[Opened, Opened], policy: Policy, cells: queries.Lazy) -> None:
    """Refuse what was not agreed on, and name a few of the records."""
    for number, side in enumerate(opened):
        rows, named = answer.rows.get(number, (0, 0))
        sides = opened if len(answer.rows) == 1 else (side,)  # both labels of a row go with its record
        if rows > named and any(each.table.nulls != "drop" for each in sides):
            raise LabelError(
                f"the {side.role} has {counted(rows - named, 'row')} with no record in {side.table.record!r}",
                remedies=remedies.FOR_NULLS[:1],
            )
    _refuse_repetition(answer, opened)
    _refuse_unmatched(answer, policy, cells)
    for number, side in enumerate(opened):
        if (null := answer.having(number, NULL)) and side.table.nulls == "error":
            raise LabelError(
                f"{side.table.cluster!r} of the {side.role} has {counted(null, side.null_label)}"
                f"{_named(_without_label(side))}",
                remedies=remedies.FOR_NULLS,
            )
    _refuse_nothing_left(answer, policy, cells)


def _refuse_nothing_left(answer: Answer, policy: Policy, cells: queries.Lazy) -> None:
    """Rows there were, but all of them are left out as was agreed on."""
    stays = [{LABELLED, *policy.those(number, "singletons")} for number in (0, 1)]
    if any(u in stays[0] and v in stays[1] for u, v in answer.states if answer.states[u, v]):
        return
    rows = [answer.rows.get(number, answer.rows.get(0, (answer.elements, 0)))[0] for number in (0, 1)]
    if not any(rows):
        return
    policies, reasons = {}, []
    if absent := answer.having(0, ABSENT) + answer.having(1, ABSENT):
        policies["unmatched"] = "drop"
        if absent == answer.elements:
            reasons.append(none_common(*(_some_alone(cells, side) for side in _ABSENT_ELSEWHERE)))
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


_ABSENT_ELSEWHERE = (queries.ONLY_REFERENCE, queries.ONLY_CANDIDATE)


def _some_alone(cells: queries.Lazy, absent: int) -> list[Any]:
    """A few records that only one side has."""
    found = cells.filter(nw.col("absent") == absent).select("alone").head(_NAMED + 1)
    return [row[0] for row in queries.fetched([found])]


def _refuse_repetition(answer: Answer, opened: tuple[Opened, Opened]) -> None:
    """A joined record that stands twice on one side makes more rows than the other side has."""
    if len(answer.rows) == 1:
        suspects = [opened[0]] if answer.twice else []
    else:
        suspects = [
            opened[1 - number]
            for number in answer.rows
            if answer.rows[number][1] != answer.elements - answer.having(number, ABSENT)
        ]
        suspects += [opened[absent - 1] for absent in answer.twice]
    for side in suspects:
        assert side.record is not None
        repeated = queries.fetched([queries.repeated_records(side.frame, side.record, _NAMED)])
        if repeated:
            times = ", ".join(f"{few([name])} ({often} times)" for name, often in repeated)
            raise OverlapError(
                f"records stand more than once in {side.table.record!r} of the {side.role}: {times} and "
                "maybe others; a record lies in one cluster, so leave one row for each"
            )


def _refuse_unmatched(answer: Answer, policy: Policy, cells: queries.Lazy) -> None:
    if policy.reference[ABSENT] != "error":
        return
    parts = []
    for number, absent in ((1, queries.ONLY_REFERENCE), (0, queries.ONLY_CANDIDATE)):
        lacking = answer.having(number, ABSENT)
        if lacking:
            names = queries.fetched([cells.filter(nw.col("absent") == absent).select("alone").head(_NAMED)])
            parts.append(f"{lacking:,} only in the {ROLES[absent - 1]}{_named(names)}")
    if parts:
        raise UnmatchedError(
            f"the two sources hold different records: {' and '.join(parts)}", remedies=remedies.FOR_UNMATCHED
        )


def _without_label(side: Opened) -> list[tuple[Any, ...]]:
    if side.record is None:
        return []
    absent = side.frame.filter(side.label.is_null()).select(side.record.alias("record")).head(_NAMED)
    return queries.fetched([absent])


def _named(rows: list[tuple[Any, ...]]) -> str:
    names = few(row[0] for row in rows)
    return f" (among them {names})" if names else ""
