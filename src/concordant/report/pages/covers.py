"""The parts of a page that only covers have: verdicts, changes and the nearest clusters, in memberships."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from concordant.counts.cover_counts import CoverCounts
from concordant.counts.names import Names
from concordant.counts.sides import SideName
from concordant.counts.spelling import counted
from concordant.differences.changes import Cluster
from concordant.differences.cover_changes import CoverChange, cover_changes
from concordant.differences.cover_clusters import CoverClusterScore, cover_clusters, cover_summary
from concordant.differences.verdicts import Thresholds
from concordant.report.labels import PageLabels
from concordant.report.pages.page import Section, escape, search_field, sortable_table

_ROWS = 200  # of each list, the costliest
_NAMED = 4  # clusters of one side, before "and 12 more"


def cover_sections(
    counts: CoverCounts, names: Names, thresholds: Thresholds, labels: PageLabels
) -> Iterator[Section]:
    """What became of the clusters, and the clusters of each side."""
    yield changes_of_covers(counts, names, thresholds, labels)
    for side in ("reference", "candidate"):
        body = _clusters(counts, names, side, thresholds, labels)
        yield Section(f"Clusters of the {side}", body, key=f"clusters-of-{side}")


def changes_of_covers(
    counts: CoverCounts, names: Names, thresholds: Thresholds, labels: PageLabels
) -> Section:
    """What became of the clusters."""
    summary = cover_summary(counts, thresholds)
    lines = "".join(f"<li>{escape(str(side))}</li>" for side in (summary.reference, summary.candidate))
    lead = f"<ul>{lines}</ul><p class='note'>{escape(str(thresholds))}</p>"
    return Section("What became of the clusters", _changes(counts, names, labels), lead=lead, key="changes")


def _changes(counts: CoverCounts, names: Names, labels: PageLabels) -> str:
    changes = cover_changes(counts, names, limit=_ROWS, overlaps=_NAMED)
    heads = [("What", ""), ("Reference", ""), ("Candidate", ""), ("Records", "number")]
    heads += [("Missed memberships", "number"), ("Wrong memberships", "number")]
    body = "".join(_change(change, labels) for change in changes)
    brief = escape(", ".join(f"{count:,} {kind}" for kind, count in changes.counts.items()))
    return (
        f"<p>{brief}. Clusters that share records are linked; a membership is missed or wrong where the "
        "nearest cluster of the other side lacks it.</p>"
        + search_field("list-of-changes", "clusters, records and kinds", len(changes))
        + sortable_table("list-of-changes", heads, body, "What became of the clusters")
        + _rest(changes.omitted, "c.changes(limit=None)")
    )


def _change(change: CoverChange, labels: PageLabels) -> str:
    records = [record for overlap in change.overlaps for record in overlap.examples[:1]]
    named = ", ".join(map(labels.html, records))
    examples = f'<div class="quiet">e.g. {named}</div>' if named else ""
    sides = [
        _listed(side, total, labels)
        for side, total in ((change.reference, change.references), (change.candidate, change.candidates))
    ]
    return (
        f'<tr><td><span class="tag kind-{change.kind}">{change.kind}</span></td>'
        f'<td data-title="reference">{sides[0]}{examples}</td><td data-title="candidate">{sides[1]}</td>'
        + _numbers({"records": change.size, "missed": change.missed, "wrong": change.wrong})
        + "</tr>"
    )


def _listed(clusters: Sequence[Cluster], total: int, labels: PageLabels) -> str:
    shown = clusters[:_NAMED]
    texts = [f"{labels.html(each.label)}&nbsp;<small>{each.size:,}</small>" for each in shown]
    more = total - len(shown)
    return ", ".join(texts) + (f" <small>and {more:,} more</small>" if more else "")


def _clusters(
    counts: CoverCounts, names: Names, side: SideName, thresholds: Thresholds, labels: PageLabels
) -> str:
    scores = cover_clusters(counts, names, side, _ROWS, "pairs", thresholds=thresholds)
    heads = [("Cluster", ""), ("Verdict", ""), ("Nearest", ""), ("Size", "number"), ("Shared", "number")]
    heads += [("F1", "number"), ("Missed", "number"), ("Wrong", "number")]
    body = "".join(_cluster(score, labels) for score in scores)
    name = f"list-of-{side}"
    return (
        search_field(name, "clusters and verdicts", len(scores))
        + sortable_table(name, heads, body, f"Clusters of the {side}")
        + _rest(scores.omitted, f"c.clusters({side!r}, limit=None)")
    )


def _cluster(score: CoverClusterScore, labels: PageLabels) -> str:
    nearest = labels.html(score.partner) if score.overlap else '<span class="quiet">none</span>'
    f1 = f'<td class="number" data-title="F1" data-value="{score.f1!r}">{score.f1:.4f}</td>'
    return (
        f'<tr><td data-title="cluster">{labels.html(score.label)}</td>'
        f'<td data-title="verdict">{score.verdict}</td><td data-title="nearest">{nearest}</td>'
        + _numbers({"size": score.size, "shared": score.overlap})
        + f1
        + _numbers({"missed": score.missed, "wrong": score.wrong})
        + "</tr>"
    )


def _numbers(counts: dict[str, int]) -> str:
    return "".join(
        f'<td class="number" data-title="{title}" data-value="{count}">{count:,}</td>'
        for title, count in counts.items()
    )


def _rest(omitted: int, call: str) -> str:
    if not omitted:
        return ""
    return f'<p class="note">{counted(omitted, "more row")}: <code>{escape(call)}</code> gives all.</p>'
