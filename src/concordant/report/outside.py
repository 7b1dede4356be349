"""The records that are in no cluster of a side, and what sentences and pictures call them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal, NamedTuple

from concordant.counts.sides import SIDES, SideName

if TYPE_CHECKING:
    from concordant.report.report_data import ReportData

# The counts of an audit, by key, without the side in the key.
_AUDITED = {
    "only": "only in the",
    "null": "without a label in the",
    "noise": "noise in the",
    "null_records": "without a name in the",
    "noise_dropped": "dropped as noise",
}
OutsideKind = Literal["missing", "noise", "background", "without a label", "in no cluster"]


class Outside(NamedTuple):
    """Records that are in no cluster of one side, and why."""

    side: SideName
    kind: OutsideKind
    records: int


def outside_records(data: ReportData) -> list[Outside]:
    """The records in no cluster of a side, by side and reason."""
    agreed, audit, found = data.conventions, data.audit, list[Outside]()
    if data.covers is not None:
        elements = data.covers.elements
        for side, memberships in zip(SIDES, data.covers.sides, strict=True):
            records = int(elements[memberships.memberships == 0].sum())
            found += [Outside(side, "in no cluster", records)] if records else []
        return found
    for number, (side, other) in enumerate(zip(SIDES, SIDES[::-1], strict=True)):
        left = data.labels.in_no_cluster[number]
        is_kept = agreed.get("unmatched") in ("singletons", "keep")
        missing = min(left, audit.get(f"only_{other}", 0)) if is_kept else 0
        left -= missing
        unlabelled = min(left, audit.get(f"null_{side}", 0)) if "nulls" in agreed else 0
        left -= unlabelled
        if (noise := data.noise_clusters[number]) is not None:
            table = data.counts.table if data.counts.kind == "weights" else data.profile.table
            left += int(table.row_sizes[noise] if number == 0 else table.column_sizes[noise])
        policy = agreed.get("noise", "none")
        kind: OutsideKind = "background" if "as background" in policy else "noise"
        if policy == "none":  # nobody called these records noise
            kind = "without a label"
            unlabelled, left = unlabelled + left, 0
        each: tuple[tuple[OutsideKind, int], ...] = (
            ("missing", missing),
            (kind, left),
            ("without a label", unlabelled),
        )
        found += [Outside(side, kind, records) for kind, records in each if records]
    return found


def audit_words(audit: Mapping[str, int]) -> str:
    """The elements that were not simply counted; nothing if all were.

    >>> audit_words({"only_reference": 12, "noise_dropped": 1600})
    'elements: 12 only in the reference, 1,600 dropped as noise'
    """
    words = []
    for key, number in audit.items():
        what, _, side = key.rpartition("_")
        plain = _AUDITED.get(key, key.replace("_", " "))
        of_side = f"{_AUDITED[what]} {side}" if side in SIDES and what in _AUDITED else ""
        words.append(f"{number:,} {of_side or plain}")
    return f"elements: {', '.join(words)}" if words else ""


def outside_label(data: ReportData, side: SideName) -> str:
    """Their name in a picture: the reason if all have the same, else "in no cluster"."""
    kinds = {each.kind for each in outside_records(data) if each.side == side}
    if len(kinds) != 1:
        return "in no cluster"
    if kinds == {"missing"}:
        other = data.names[1 - SIDES.index(side)]
        return f"only in {f'the {other}' if other in SIDES else other}"
    return kinds.pop()
