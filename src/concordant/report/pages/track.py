"""The page of partitions in order: the alluvial picture, the numbers of each step, the largest events."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from concordant.counts.spelling import counted, printable, shortened
from concordant.differences.events import CHANGES, Event
from concordant.report.charts.alluvial import ALLUVIAL, Alluvial
from concordant.report.labels import PageLabels
from concordant.report.pages.page import (
    Section,
    chart_section,
    document,
    escape,
    number_cell,
    search_field,
    sortable_table,
)

_NAMED = 6
# The colours of the page for changes between two partitions serve for events, too.
_TAGS = {
    "split": "split",
    "merge": "merged",
    "birth": "kept",
    "death": "many-to-many",
    "continuation": "kept",
}


@dataclass(frozen=True, slots=True)
class Journey:
    """All that the page shows."""

    facts: str
    numbers: Sequence[Sequence[str]]  # a head, then a row for each partition
    counts: Mapping[str, int]  # of each kind of event
    picture: Alluvial
    events: Sequence[Event]  # the largest, continuations left out


def track_page(journey: Journey) -> str:
    """The whole page as one HTML text."""
    labels = PageLabels()
    sections = [chart_section(ALLUVIAL, journey.picture)]
    if journey.events:
        sections.append(_events(journey, labels))
    titles, *rows = journey.numbers
    cells = "".join(f'<th scope="col" class="number">{escape(text.capitalize())}</th>' for text in titles[1:])
    body = "".join(
        f"<tr><td>{escape(row[0])}</td>"
        + "".join(f'<td class="number">{escape(text)}</td>' for text in row[1:])
        + "</tr>"
        for row in rows
    )
    head = f'<tr><th scope="col">Partition</th>{cells}</tr>'
    table = f"<table><thead>{head}</thead><tbody>{body}</tbody></table>"
    lead = "Each row counts what happened on the way from the partition above it."
    framed = f'<div class="scroll" tabindex="0" role="group" aria-label="Step by step">{table}</div>'
    sections.append(Section("Step by step", framed, lead=lead, key="steps"))
    names = [shortened(printable(name), 40) for name in journey.picture.names]
    title = f"{len(names)} partitions in order, {names[0]} to {names[-1]}"
    happened = [counted(journey.counts[kind], kind) for kind in CHANGES if journey.counts[kind]]
    headline = ", ".join(happened) or "Every cluster continues"
    facts = f'<p class="facts">{escape(journey.facts)}</p>'
    return document(title, sections, headline=headline, head=facts, labels=labels)


def _events(journey: Journey, labels: PageLabels) -> Section:
    rows = ""
    for event in journey.events:
        before = _clusters(event.sources, event.source_sizes, labels)
        after = _clusters(event.targets, event.target_sizes, labels)
        rows += (
            f'<tr><td><span class="tag kind-{_TAGS[event.kind]}">{event.kind}</span></td>'
            f"<td>{labels.html(event.before)}</td><td>{labels.html(event.after)}</td>"
            f"<td>{before}</td><td>{after}</td>{number_cell(event.elements)}</tr>"
        )
    texts = ("Event", "From", "To", "Clusters before", "Clusters after")
    heads = [*((text, "") for text in texts), ("Elements", "number")]
    name = "Splits, merges, births and deaths"
    body = search_field("event-list", "clusters and kinds", len(journey.events))
    body += sortable_table("event-list", heads, rows, name)
    total = sum(count for kind, count in journey.counts.items() if kind != "continuation")
    if omitted := total - len(journey.events):
        body += f'<p class="note">Not listed: {counted(omitted, "smaller event")}.</p>'
    lead = "The largest first. Clusters are followed by the number of their elements."
    return Section(name, body, lead=lead, key="events")


def _clusters(names: Sequence[Any], sizes: Sequence[int], labels: PageLabels) -> str:
    shown = [
        f"{labels.html(name)} <small>{size:,}</small>"
        for name, size in zip(names[:_NAMED], sizes[:_NAMED], strict=True)
    ]
    more = f" and {len(names) - _NAMED:,} more" if len(names) > _NAMED else ""
    return ", ".join(shown) + more or "—"
