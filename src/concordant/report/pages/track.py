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
    Section,
    chart_section,
    document,
    escape,
    number_cell,
    search_field,
    sortable_table,
    whole_list,
)
from concordant.text_layout import shortened

_NAMED = 6
# The colours of the page for changes between two partitions serve for events, too.
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
    facts: str,
    numbers: Sequence[Sequence[str]],
) -> str:
    """The whole page as one HTML text.

    ``events`` are the largest, without continuations, and ``counts`` has the number of each kind. ``numbers``
    is a head, then a row for each partition.
    """
    labels = PageLabels()
    sections = [chart_section(ALLUVIAL, picture)]
    if events:
        total = sum(count for kind, count in counts.items() if kind != "continuation")
        sections.append(_events(events, total, labels))
    titles, *rows = numbers
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
    framed = whole_list("Step by step", table, len(rows))
    sections.append(Section("Step by step", framed, lead=lead, key="steps"))
    names = [shortened(printable(name), 40) for name in picture.names]
    title = f"{len(names)} partitions in order, {names[0]} to {names[-1]}"
    happened = [counted(counts[kind], kind) for kind in CHANGES if counts[kind]]
    headline = ", ".join(happened) or "Every cluster continues"
    head = f'<p class="facts">{escape(facts)}</p>'
    return document(title, sections, headline=headline, head=head, labels=labels)


def _events(events: Sequence[Event], total: int, labels: PageLabels) -> Section:
    rows = ""
    for event in events:
        before = _clusters(event.sources, event.source_sizes, labels)
        after = _clusters(event.targets, event.target_sizes, labels)
        rows += (
            f'<tr><td><span class="tag {kind_class(_TAGS[event.kind])}">{event.kind}</span></td>'
            f"<td>{labels.html(event.before)}</td><td>{labels.html(event.after)}</td>"
            f"<td>{before}</td><td>{after}</td>{number_cell(event.elements)}</tr>"
        )
    texts = ("Event", "From", "To", "Clusters before", "Clusters after")
    heads = [*((text, "") for text in texts), ("Elements", "number")]
    name = "Splits, merges, births and deaths"
    body = search_field("event-list", "clusters and kinds", len(events))
    body += sortable_table("event-list", heads, rows, name)
    if omitted := total - len(events):
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
