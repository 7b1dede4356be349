"""The sections of a page on what became of the clusters: changes, components, and edits that would help."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any, NamedTuple

from concordant.counts.counted_sides import Names
from concordant.counts.cover_counts import CoverCounts
from concordant.differences.changes import Change, Changes, ChangeSummary, Overlap, changes_of
from concordant.differences.scores import clusters_of
from concordant.differences.verdicts import Thresholds
from concordant.foundation.conventions import SIDES, SideName
from concordant.foundation.spelling import counted, percent, verb
from concordant.indices.index import DEFAULT_FOR_EDITS, INDICES
from concordant.report.labels import PageLabels
from concordant.report.pages.page import Section, cells, escape, note, sortable_table, table_row
from concordant.report.report_data import ReportData
from concordant.report.sentences import advice, edited_records, fixes, named_cluster, side_title
from concordant.report.values import format_value

_ROWS, _COVER_ROWS = 400, 200  # the costliest are listed
_NAMED = 4  # clusters of one side, before "and 12 more"

_MEANING = {
    "1:1": "the same cluster on both sides",
    "1:1 changed": "one on each side, and records in no cluster",
    "1:n": "one in the reference, several in the candidate",
    "n:1": "several in the reference, one in the candidate",
    "n:m": "several on both sides",
    "1:0": "only in the reference: no record is in a candidate cluster",
    "0:1": "only in the candidate: no record is in a reference cluster",
}


def kind_class(kind: str) -> str:
    """The CSS class of what has the colour of a kind of component.

    >>> kind_class("1:n")
    'kind-1-n'
    """
    return f"kind-{kind.replace(':', '-').replace(' ', '-')}"


def changes_section(summary: ChangeSummary, changes: Changes, labels: PageLabels) -> Section:
    """Changes of the clusters: counted, and listed with the costliest first."""
    counts = summary.counts
    bar = "".join(
        f'<i class="{kind_class(kind)}" style="flex:{count} 1 0" title="{count:,} × {kind}"></i>'
        for kind, count in counts.items()
        if count
    )
    legend = "".join(
        f'<li class="{kind_class(kind)}"><b>{count:,} × {kind}</b> '
        f'<span class="quiet">{_MEANING[kind]}</span></li>'
        for kind, count in counts.items()
    )
    total = changes.total_missed + changes.total_wrong
    # The rest of a component is not a single change, so it comes last.
    rows = sorted(_rows(changes, labels), key=lambda row: (row.is_rest, -row.missed - row.wrong))[:_ROWS]
    heads: list[tuple[str, str]] = [("What", ""), ("Reference", ""), ("Candidate", ""), ("Records", "number")]
    heads += [("Missed pairs", "number"), ("Wrong pairs", "number"), ("Share of all", "number")]
    title = "What happened to the clusters"
    table = [
        f"<tr>{row.first_cells()}{_cost_cells(row.size, row.missed, row.wrong, total)}</tr>" for row in rows
    ]
    body = f'<div class="kinds">{bar}</div><ul class="legend">{legend}</ul>'
    body += sortable_table("list-of-changes", heads, table, title, "clusters, records and kinds")
    if counts["n:m"]:
        body += note(
            "In n:m components each row is one overlap. A pair counts for the smaller of its two overlaps."
        )
    # How much of the blame the rows carry, and where to find the rest.
    missed = changes.total_missed - sum(row.missed for row in rows)
    wrong = changes.total_wrong - sum(row.wrong for row in rows)
    if missed or wrong or changes.total > len(changes):
        parts = [
            counted(count, f"{word} pair") for count, word in ((missed, "missed"), (wrong, "wrong")) if count
        ]
        belong = verb(missed + wrong, "belong")
        charged = f"; {' and '.join(parts)} {belong} to rows that are not listed" if parts else ""
        body += note(
            f"{counted(len(rows), 'row', 'are')} listed{charged}. "
            "In Python, <code>c.changes(limit=None)</code> gives all."
        )
    if {kind: count for kind, count in counts.items() if count} == {"n:m": 1}:
        lead = "All clusters are in one connected component; each row is one of its overlaps."
    else:  # the sentence of the summary without its counts, which the bar shows
        _, _, blame = str(summary).partition("; ")
        lead = f"{blame[0].upper()}{blame[1:]}." if blame else ""
    return Section(title, body, lead=escape(lead), key="changes")


class _Row(NamedTuple):
    """A row of the list of changes; its HTML is made if it is among the costliest."""

    size: float
    missed: float
    wrong: float
    first_cells: Callable[[], str]
    is_rest: bool = False  # the costs of overlaps that are not listed


def _rows(changes: Changes, labels: PageLabels) -> Iterator[_Row]:
    """A row for each change; n:m components are opened."""
    for change in changes:
        missed, wrong, size = change.missed, change.wrong, change.size
        if change.kind != "n:m":
            yield _Row(size, missed, wrong, partial(_whole_change, change, labels))
            continue
        for overlap in change.overlaps:
            yield _Row(overlap.size, overlap.missed, overlap.wrong, partial(_overlap, overlap, labels))
            missed, wrong, size = missed - overlap.missed, wrong - overlap.wrong, size - overlap.size
        if change.omitted:  # the overlaps that are not listed, so the rows of a component add up
            more = partial(_whole_change, change, labels, counted(change.omitted, "more overlap"))
            yield _Row(size, missed, wrong, more, is_rest=True)


def _whole_change(change: Change, labels: PageLabels, rest: str = "") -> str:
    whole = _both_sides(change, *(partial(labels.cluster, side) for side in SIDES))
    shown = () if rest else change.overlaps[:_NAMED]
    records = [record for overlap in shown for record in overlap.examples[:1]]
    return _what(change.kind, rest, *whole, map(labels.html, records))


def _overlap(overlap: Overlap, labels: PageLabels) -> str:
    ends: tuple[tuple[SideName, Any, float], ...] = (
        ("reference", overlap.reference, overlap.reference_size),
        ("candidate", overlap.candidate, overlap.candidate_size),
    )
    own, other = (
        f"{labels.cluster(side, label)} <small>{overlap.size:,} of {of:,}</small>" for side, label, of in ends
    )
    return _what("n:m", overlap.role, own, other, map(labels.html, overlap.examples[:3]))


def _what(kind: str, role: str, reference: str, candidate: str, examples: Iterable[str]) -> str:
    """The first cells of a change: its kind, and the clusters of both sides."""
    named = ", ".join(examples)
    return (
        f'<td><span class="tag {kind_class(kind)}">{kind}</span>'
        f"{f' <small>{role}</small>' if role else ''}</td>"
        f"<td>{reference}"
        + (f'<div class="quiet">e.g. {named}</div>' if named else "")
        + f"</td><td>{candidate}</td>"
    )


def _cost_cells(size: float, missed: float, wrong: float, total: float) -> str:
    cost = missed + wrong
    share = cost / total if total else 0.0
    return (
        cells(size, missed, wrong)
        + f'<td style="--w:{100 * share:.4g}%">{escape(percent(cost, total, decimals=1))}</td>'
    )


def _both_sides(change: Change, *html: Callable[[Any], str]) -> tuple[str, str]:
    """The first clusters of each side with their sizes, how many more there are, and records in none."""
    numbers = zip((change.n_references, change.n_candidates), change.in_no_cluster, html, strict=True)
    sides = []
    for clusters, (count, unclustered, spelled) in zip(
        (change.reference, change.candidate), numbers, strict=True
    ):
        shown = clusters[:_NAMED]
        text = ", ".join(f"{spelled(each.cluster)}&nbsp;<small>{each.size:,}</small>" for each in shown)
        rest = [f"{count - len(shown):,} more"] if count > len(shown) else []
        rest += [f"{unclustered:,} in no cluster"] if unclustered else []
        sides.append(f"{text} <small>{'and ' if text else ''}{' and '.join(rest)}</small>" if rest else text)
    return sides[0], sides[1]


# -- covers -------------------------------------------------------------------------------------------


def cover_sections(
    counts: CoverCounts, names: Names, thresholds: Thresholds, labels: PageLabels
) -> Iterator[Section]:
    """Changes of the clusters, and the clusters of each side."""
    for side in SIDES:
        scores = clusters_of(counts, names, side, _COVER_ROWS, "pairs", thresholds=thresholds)
        heads = [("Cluster", ""), ("Verdict", ""), ("Nearest", ""), ("Size", "number"), ("Shared", "number")]
        heads += [("F1", "number"), ("Missed", "number"), ("Wrong", "number")]
        rows = []
        for score in scores:
            nearest = labels.html(score.partner) if score.overlap else '<span class="quiet">none</span>'
            numbers = (score.size, score.overlap, score.f1, score.missed, score.wrong)
            rows.append(table_row(labels.html(score.cluster), score.verdict, nearest, *numbers))
        title, key = f"Clusters of the {side}", f"list-of-{side}"
        body = sortable_table(key, heads, rows, title, "clusters and verdicts")
        body += _more_rows(scores.omitted, f"c.clusters(None, side={side!r})")
        lead = "The worst first. Missed memberships are those that the nearest cluster lacks."
        if side == "candidate":
            lead = "The worst first. Wrong memberships are those that the nearest cluster lacks."
        yield Section(title, body, lead=lead, key=f"clusters-of-{side}")
    yield changes_of_covers(counts, names, labels)


def changes_of_covers(counts: CoverCounts, names: Names, labels: PageLabels) -> Section:
    """Changes of clusters that may overlap, in memberships."""
    changes = changes_of(counts, names, limit=_COVER_ROWS, overlaps=_NAMED)
    heads = [("What", ""), ("Reference", ""), ("Candidate", ""), ("Records", "number")]
    heads += [("Missed", "number"), ("Wrong", "number")]
    rows = []
    for change in changes:
        records = [record for overlap in change.overlaps for record in overlap.examples[:1]]
        examples = [labels.html(record) for record in records]
        sides = _both_sides(change, labels.html, labels.html)
        numbers = cells(change.size, change.missed, change.wrong)
        rows.append(f"<tr>{_what(change.kind, '', *sides, examples)}{numbers}</tr>")
    brief = escape(", ".join(f"{count:,} × {kind}" for kind, count in changes.counts.items() if count))
    lead = (
        f"{brief}. Clusters that share records are linked; a membership is missed or wrong if the nearest "
        "cluster of the other side lacks it."
    )
    title = "What happened to the clusters"
    body = sortable_table("list-of-changes", heads, rows, title, "clusters, records and kinds")
    body += _more_rows(changes.omitted, "c.changes(limit=None)")
    return Section(title, body, lead=lead, key="changes")


def _more_rows(omitted: int, call: str) -> str:
    return note(f"{counted(omitted, 'more row')}: <code>{escape(call)}</code> gives all.") if omitted else ""


def _linked_cluster(data: ReportData, side: SideName, label: Any, labels: PageLabels) -> str:
    """A cluster with its side, as HTML that leads to its card."""
    title, noun = escape(side_title(data.names[SIDES.index(side)])), data.cluster_noun
    return named_cluster(title, label, lambda label: f"<b>{labels.cluster(side, label)}</b>", noun=noun)


# -- edits --------------------------------------------------------------------------------------------


def linked_advice(data: ReportData, labels: PageLabels) -> str:
    """The fix that helps most as HTML; clusters lead to their cards."""
    return advice(data, partial(_linked_cluster, data, labels=labels), labels.html)


def suggestions_section(data: ReportData, labels: PageLabels) -> Iterator[Section]:
    """The edits that help most, each with the exact value after it; small ones are grouped by kind."""
    name, notes = "What to fix first", ""
    found = fixes(data, partial(_linked_cluster, data, labels=labels), labels.html)
    rows = [table_row(*each) for each in found]
    if not rows:
        return
    edits = data.suggestions
    if edits is None:
        notes = note(
            f"About {data.single_edits:,} single edits are too many to rank on a page; "
            "<code>c.suggest()</code> finds the best of them."
        )
    by = INDICES[DEFAULT_FOR_EDITS]
    lead = (
        f"<code>{escape(by.name)}</code>{edited_records(data)} is {format_value(data.value_before_edits)} "
        "now. The table gives its value after each edit alone."
    )
    if data.edit_groups:
        lead += " Edits that are named together have one row with their total gain."
    heads = [("Edit of the candidate", ""), (escape(by.name), "number"), ("Gain", "number")]
    table = sortable_table("edits", heads, rows, name) if rows else ""
    yield Section(name, table + notes, lead=lead, key="suggestions")
