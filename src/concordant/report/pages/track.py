"""The page of partitions in order: the alluvial picture, the numbers of each step, the largest events."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from concordant.counts.spelling import counted, printable, shortened
from concordant.differences.events import CHANGES, Event
from concordant.report.figures.alluvial import ALLUVIAL, Alluvial
from concordant.report.labels import PageLabels
from concordant.report.pages.charts import chart_section
from concordant.report.pages.page import Figures, Section, document, escape

_NAMED = 6
# The colours of the page for changes between two partitions serve for events, too.
_TAGS = {"split": "split", "merge": "merged", "birth": "kept", "death": "tangled", "continuation": "kept"}


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
    labels, figures = PageLabels(), Figures()
    sections = [
        chart_section(ALLUVIAL, journey.picture, figures),
        *_events(journey, labels),
        _numbers(journey.numbers),
    ]
    names = [shortened(printable(name), 40) for name in journey.picture.names]
    title = f"{len(names)} partitions in order, {names[0]} to {names[-1]}"
    return document(title, sections, head=_head(journey), figures=figures, labels=labels)


def _head(journey: Journey) -> str:
    counts = journey.counts
    happened = [counted(counts[kind], kind) for kind in CHANGES if counts[kind]]
    said = ", ".join(happened) or "Every cluster continues"
    return f'<p class="headline">{escape(said)}</p><p class="facts">{escape(journey.facts)}</p>'


def _numbers(numbers: Sequence[Sequence[str]]) -> Section:
    head, *rows = numbers
    cells = "".join(f'<th class="number">{escape(text.capitalize())}</th>' for text in head[1:])
    body = "".join(
        f"<tr><td>{escape(row[0])}</td>"
        + "".join(f'<td class="number">{escape(text)}</td>' for text in row[1:])
        + "</tr>"
        for row in rows
    )
    table = f"<table><thead><tr><th>Partition</th>{cells}</tr></thead><tbody>{body}</tbody></table>"
    lead = "Each row counts what happened on the way from the partition above it."
    return Section("Step by step", f'<div class="scroll">{table}</div>', lead=lead, key="steps")


def _events(journey: Journey, labels: PageLabels) -> Iterable[Section]:
    if not journey.events:
        return
    rows = "".join(_event(event, labels) for event in journey.events)
    heads = (("Event", ""), ("From", ""), ("To", ""), ("Clusters before", ""), ("Clusters after", ""))
    head = "".join(f'<th class="{kind}"><button type="button">{text}</button></th>' for text, kind in heads)
    head += '<th class="number"><button type="button">Elements</button></th>'
    find = (
        '<div class="find"><input type="search" data-search="event-list" placeholder="Find a cluster" '
        'aria-label="Find a cluster"><output></output></div>'
    )
    table = (
        f'<div class="scroll"><table class="sortable" id="event-list"><thead><tr>{head}</tr></thead>'
        f"<tbody>{rows}</tbody></table></div>"
    )
    total = sum(count for kind, count in journey.counts.items() if kind != "continuation")
    left_out = total - len(journey.events)
    note = f'<p class="note">{left_out:,} smaller events are not listed.</p>' if left_out else ""
    lead = "The largest first. Clusters are followed by the number of their elements."
    yield Section("Splits, merges, births and deaths", find + table + note, lead=lead, key="events")


def _event(event: Event, labels: PageLabels) -> str:
    before, after = (
        _clusters(event.sources, event.source_sizes, labels),
        _clusters(event.targets, event.target_sizes, labels),
    )
    return (
        f'<tr><td><span class="tag kind-{_TAGS[event.kind]}">{event.kind}</span></td>'
        f"<td>{labels.html(event.before)}</td><td>{labels.html(event.after)}</td><td>{before}</td><td>{after}</td>"
        f'<td class="number" data-value="{event.elements}">{event.elements:,}</td></tr>'
    )


def _clusters(names: Sequence[Any], sizes: Sequence[int], labels: PageLabels) -> str:
    shown = [
        f"{labels.html(name)} <small>{size:,}</small>"
        for name, size in zip(names[:_NAMED], sizes[:_NAMED], strict=True)
    ]
    more = f" and {len(names) - _NAMED:,} more" if len(names) > _NAMED else ""
    return ", ".join(shown) + more or "—"
