"""The part of a page that lists what became of the clusters: kept, split, merged, tangled."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from concordant.counts.sides import SideName
from concordant.counts.spelling import percent
from concordant.differences.changes import CHANGE_KINDS, Change, Changes, ChangeSummary, Cluster, Overlap
from concordant.report.labels import PageLabels
from concordant.report.pages.cards import ClusterLinks
from concordant.report.pages.page import Section, escape, search_field, sortable_table

_ROWS = 400  # the costliest are listed
_NAMED = 4  # clusters of one side, before "and 12 more"

_MEANING = {
    "kept": "the same cluster on both sides",
    "split": "one in the reference, several in the candidate",
    "merged": "several in the reference, one in the candidate",
    "tangled": "several on both sides, crosswise",
}


@dataclass(frozen=True, slots=True)
class _Row:
    kind: str
    role: str  # of an overlap within a tangle
    sides: tuple[str, str]  # HTML
    size: int
    missed: int
    wrong: int
    examples: Sequence[Any]


def _in_brief(summary: ChangeSummary) -> str:
    """How many blocks there are of each kind, as a bar."""
    counts = {kind: getattr(summary, kind) for kind in CHANGE_KINDS}
    bar = "".join(
        f'<i class="kind-{kind}" style="flex:{count} 1 0" title="{count:,} {kind}"></i>'
        for kind, count in counts.items()
        if count
    )
    legend = "".join(
        f'<li class="kind-{kind}"><b>{count:,} {kind}</b> <span class="quiet">{_MEANING[kind]}</span></li>'
        for kind, count in counts.items()
    )
    return f'<div class="kinds">{bar}</div><ul class="legend">{legend}</ul>'


def changes_section(summary: ChangeSummary, changes: Changes, links: ClusterLinks) -> Section:
    """What became of the clusters: counted, and listed with the costliest first."""
    rows = sorted(_rows(changes, links), key=lambda row: -(row.missed + row.wrong))
    shown = rows[:_ROWS]
    opened = (
        '<p class="note">Tangles are opened: each row is one overlap, and a pair is charged to the smaller '
        "of the two overlaps that it lies in.</p>"
        if summary.tangled
        else ""
    )
    body = (
        _in_brief(summary)
        + search_field("list-of-changes", "clusters, records and kinds", len(shown))
        + _table(shown, changes)
        + opened
        + _left_out(shown, changes)
    )
    return Section("What became of the clusters", body, lead=escape(_blamed(summary)), key="changes")


def _rows(changes: Iterable[Change], links: ClusterLinks) -> Iterator[_Row]:
    for change in changes:
        if change.kind == "tangled":
            yield from (_overlap(overlap, links) for overlap in change.overlaps)
            if change.omitted:
                yield _unopened(change, links)
        else:
            yield _block(change, links)


def _block(change: Change, links: ClusterLinks) -> _Row:
    sides = (
        _named("reference", change.reference, change.references, links),
        _named("candidate", change.candidate, change.candidates, links),
    )
    examples = [record for overlap in change.overlaps[:_NAMED] for record in overlap.examples[:1]]
    return _Row(change.kind, "", sides, change.size, change.missed, change.wrong, examples)


def _unopened(change: Change, links: ClusterLinks) -> _Row:
    """What the listed overlaps of a tangle leave, so that its rows add up."""
    size, missed, wrong = (
        getattr(change, key) - sum(getattr(overlap, key) for overlap in change.overlaps)
        for key in ("size", "missed", "wrong")
    )
    whole = _block(change, links)
    return replace(
        whole, role=f"{change.omitted:,} more overlaps", size=size, missed=missed, wrong=wrong, examples=()
    )


def _overlap(overlap: Overlap, links: ClusterLinks) -> _Row:
    sides = (
        _part(links.html("reference", overlap.reference), overlap.size, overlap.reference_size),
        _part(links.html("candidate", overlap.candidate), overlap.size, overlap.candidate_size),
    )
    return _Row(
        "tangled", overlap.role, sides, overlap.size, overlap.missed, overlap.wrong, overlap.examples[:3]
    )


def _named(side: SideName, clusters: Sequence[Cluster], count: int, links: ClusterLinks) -> str:
    shown = clusters[:_NAMED]
    texts = [f"{links.html(side, each.label)}&nbsp;<small>{each.size:,}</small>" for each in shown]
    more = count - len(shown)
    return ", ".join(texts) + (f" <small>and {more:,} more</small>" if more else "")


def _part(label: str, size: int, whole: int) -> str:
    return f"{label} <small>{size:,} of {whole:,}</small>"


def _table(rows: Sequence[_Row], changes: Changes) -> str:
    heads: list[tuple[str, str]] = [("What", ""), ("Reference", ""), ("Candidate", ""), ("Records", "number")]
    heads += [("Missed pairs", "number"), ("Wrong pairs", "number"), ("Share of all", "number")]
    total = changes.total_missed + changes.total_wrong
    body = "".join(_table_row(row, total) for row in rows)
    return sortable_table("list-of-changes", heads, body, "What became of the clusters")


def _table_row(row: _Row, total: int) -> str:
    cost = row.missed + row.wrong
    share = cost / total if total else 0.0
    counts = {"records": row.size, "missed": row.missed, "wrong": row.wrong}
    numbers = "".join(
        f'<td class="number" data-title="{title}" data-value="{count}">{count:,}</td>'
        for title, count in counts.items()
    )
    role = f" <small>{row.role}</small>" if row.role else ""
    names = ", ".join(PageLabels().html(record) for record in row.examples)
    examples = f'<div class="quiet">e.g. {names}</div>' if names else ""
    return (
        f'<tr><td><span class="tag kind-{row.kind}">{row.kind}</span>{role}</td>'
        f'<td data-title="reference">{row.sides[0]}{examples}</td>'
        f'<td data-title="candidate">{row.sides[1]}</td>{numbers}'
        f'<td class="number share" data-title="of all" data-value="{share!r}">'
        f"{escape(percent(cost, total, decimals=1))}"
        f'<div class="meter distance"><i style="width:{share:.2%}"></i></div></td></tr>'
    )


def _left_out(rows: Sequence[_Row], changes: Changes) -> str:
    """How much of the blame the rows carry, and where the rest is to be found."""
    missed = changes.total_missed - sum(row.missed for row in rows)
    wrong = changes.total_wrong - sum(row.wrong for row in rows)
    kept = changes.total - len(changes)
    if not (missed or wrong or kept):
        return ""
    parts = [f"{count:,} {word} pairs" for count, word in ((missed, "missed"), (wrong, "wrong")) if count]
    charged = f"; {' and '.join(parts)} are charged to what is not listed" if parts else ""
    return (
        f'<p class="note">{len(rows):,} rows are listed{charged}. In Python, '
        "<code>c.changes(limit=None)</code> gives all.</p>"
    )


def _blamed(summary: ChangeSummary) -> str:
    """The sentence of the summary without its counts, which the bar shows."""
    if [getattr(summary, kind) for kind in CHANGE_KINDS] == [0, 0, 0, 1]:
        return "All clusters hang together in one tangle, opened here overlap by overlap."
    _, _, blamed = str(summary).partition("; ")
    return f"{blamed[0].upper()}{blamed[1:]}." if blamed else ""
