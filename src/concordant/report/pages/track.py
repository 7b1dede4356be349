"""The page of partitions in order: the alluvial picture, the numbers of each step, the largest events."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from concordant.counts.spelling import counted, printable
from concordant.differences.events import CHANGES, Event
from concordant.report.charts.alluvial import ALLUVIAL, Alluvial
from concordant.report.labels import PageLabels
from concordant.report.pages.changes import kind_class
from concordant.report.pages.page import (
    Page,
    Section,
    chart_section,
    escape,
    note,
    paragraphs,
    sortable_table,
    table_row,
)
from concordant.report.sentences import listed
from concordant.report.values import two_decimals
from concordant.text_layout import shortened

_NAMED = 6
# Events use the colours of changes between two partitions.
_TAGS = {
    "split": "1:n",
    "merge": "n:1",
    "birth": "1:1",
    "death": "n:m",
    "continuation": "1:1",
}


def track_page(
    picture: Alluvial,
    events: Sequence[Event],
    counts: Mapping[str, int],
    *,
    headline: str,
    facts: str,
    numbers: Sequence[Sequence[str]],
) -> Page:
    """The page.

    ``events`` are the largest, without continuations, and ``counts`` has the number of each kind. ``numbers``
    is a head, then a row for each partition.
    """
    labels = PageLabels()
    sections = [chart_section(ALLUVIAL, picture)]
    if events:
        total = sum(count for kind, count in counts.items() if kind != "continuation")
        sections.append(_events(events, total, labels))
    titles, *rows = numbers
    heads = [("Partition", ""), *((escape(text.capitalize()), "number") for text in titles[1:])]
    body = [table_row(*map(escape, row)) for row in rows]
    lead = "Each row counts the changes from the partition above it."
    table = sortable_table("step-list", heads, body, "Step by step")
    sections.append(Section("Step by step", table, lead=lead, key="steps"))
    names = [shortened(printable(name), 40) for name in picture.names]
    title = f"{len(names)} partitions in order, {names[0]} to {names[-1]}"
    happened = [counted(counts[kind], kind) for kind in CHANGES if counts[kind]]
    rest = [words for words in happened if words not in headline]
    head = paragraphs([f"Also {listed(rest)}."] if rest else [])
    head += paragraphs([f"{facts}. {_largest_step(names, picture.rand)}"])
    return Page(title=title, headline=headline, sections=sections, head=head, labels=labels)


def _largest_step(names: Sequence[str], rand: Sequence[float]) -> str:
    """Between which two partitions the most changed; empty if no step changed anything."""
    known = [(value, step) for step, value in enumerate(rand) if value < 1]
    if not known:
        return ""
    value, step = min(known)
    similarity = f"adjusted Rand index {two_decimals(value)}"
    return f"The most changed from {names[step]} to {names[step + 1]} ({similarity})."


def _events(events: Sequence[Event], total: int, labels: PageLabels) -> Section:
    rows = [
        table_row(
            f'<span class="tag {kind_class(_TAGS[event.kind])}">{event.kind}</span>',
            labels.html(event.before),
            labels.html(event.after),
            _clusters(event.sources, event.source_sizes, labels),
            _clusters(event.targets, event.target_sizes, labels),
            event.size,
        )
        for event in events
    ]
    texts = ("Event", "From", "To", "Clusters before", "Clusters after")
    heads = [*((text, "") for text in texts), ("Records", "number")]
    name = "Splits, merges, births and deaths"
    body = sortable_table("event-list", heads, rows, name, "clusters and kinds")
    if omitted := total - len(events):
        body += note(f"Not listed: {counted(omitted, 'smaller event')}.")
    lead = "The largest first. Clusters are followed by the number of their records."
    return Section(name, body, lead=lead, key="events")


def _clusters(names: Sequence[Any], sizes: Sequence[int], labels: PageLabels) -> str:
    shown = [
        f"{labels.html(name)} <small>{size:,}</small>"
        for name, size in zip(names[:_NAMED], sizes[:_NAMED], strict=True)
    ]
    more = f" and {len(names) - _NAMED:,} more" if len(names) > _NAMED else ""
    return ", ".join(shown) + more or "—"
