"""The page of estimates: the indices with their intervals, and the labelled clusters that cost most."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from concordant.counts.spelling import counted, percent
from concordant.report.charts.estimates import ESTIMATES, estimate_title, interval_text
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
from concordant.report.values import format_value
from concordant.trust.estimated import Estimated

_LISTED = 300


@dataclass(frozen=True, slots=True)
class EstimatesData:
    """The content of the page: the estimate of the headline first, and the labelled clusters as rows."""

    headline: Estimated
    most_used: Sequence[Estimated]
    found: Sequence[Estimated]
    facts: str
    advice: str
    clusters: Sequence[Mapping[str, Any]]


def estimates_page(data: EstimatesData) -> str:
    """The whole page as one HTML text."""
    labels, first = PageLabels(), data.headline
    numbers = "".join(
        f"<div><b>{format_value(each.value) if each.estimable else '—'}</b>"
        f"<span>{escape(estimate_title(each))}</span>"
        f"<small>{f'{each.level * 100:g}% ' if each.estimable else ''}{interval_text(each)}</small></div>"
        for each in data.most_used
    )
    notes: dict[str, list[str]] = {}
    for each in data.found:
        if each.note:
            notes.setdefault(each.note, []).append(each.index)
    head = "".join(
        f'<p class="left-out">{escape(", ".join(names))}: {escape(note)}.</p>'
        for note, names in notes.items()
    )
    head += f'<p class="facts">{escape(data.facts)}.</p><div class="key-numbers">{numbers}</div>'
    head += f'<p class="advice">{escape(data.advice)}</p>' if data.advice else ""
    sentences = "".join(f"<p>{escape(each.sentence)}</p>" for each in data.most_used)
    sections = [
        chart_section(ESTIMATES, data.found),
        _table(data.found),
        Section("Sentences for a paper", sentences, key="cite"),
        *_clusters(data.clusters, labels),
    ]
    title = f"{estimate_title(first)} of all records"
    value = f"{title} is estimated at {format_value(first.value)} ({interval_text(first)})"
    if not first.estimable:
        value = f"{title} cannot be estimated from this sample"
    elif first.low == first.high:
        value = f"{title} is {format_value(first.value)}"
    return document("Estimates for all records", sections, headline=value, head=head, labels=labels)


def _table(found: Sequence[Estimated]) -> Section:
    rows = ""
    for each in found:
        numbers = (each.value, each.low, each.high, each.se)
        cells = map(number_cell, numbers) if each.estimable else ["<td>—</td>"] * len(numbers)
        rows += (
            f"<tr><td>{escape(estimate_title(each))}</td>{''.join(cells)}"
            f"{number_cell(each.largest_share, percent(each.largest_share, 1))}</tr>"
        )
    heads = [("Index", "")]
    heads += [(text, "number") for text in ("Estimate", "Low", "High", "Standard error", "Largest share")]
    title = "Estimates as a table"
    lead = (
        "The largest share is what one labelled cluster has of the denominator: the larger it is, the less "
        "the interval can be relied on."
    )
    return Section(
        title, sortable_table("estimates-list", heads, rows, title), lead=lead, key="table", short="Table"
    )


def _clusters(clusters: Sequence[Mapping[str, Any]], labels: PageLabels) -> Sequence[Section]:
    """The labelled clusters with errors, those with most pairs missed or wrong first."""
    ranked = [(row["u"] - row["tp"], row["v"] - row["tp"], row) for row in clusters if not row["kept"]]
    if not ranked:
        return []
    ranked.sort(key=lambda each: each[0] + each[1], reverse=True)
    rows = "".join(
        f"<tr><td>{labels.html(row['cluster'])}</td>{number_cell(row['records'])}{number_cell(row['pieces'])}"
        f"{number_cell(missed, f'{missed:,g}')}{number_cell(wrong, f'{wrong:,g}')}"
        f"{number_cell(row['bcubed_precision'])}{number_cell(row['bcubed_recall'])}</tr>"
        for missed, wrong, row in ranked[:_LISTED]
    )
    heads = [("True cluster", "")]
    heads += [
        (text, "number")
        for text in (
            "Records",
            "Pieces",
            "Missed pairs",
            "Wrong pairs",
            "B-cubed precision",
            "B-cubed recall",
        )
    ]
    have = "has" if len(ranked) == 1 else "have"
    title = f"{len(ranked):,} of {counted(len(clusters), 'labelled cluster')} {have} errors"
    body = search_field("clusters-list", "clusters", min(len(ranked), _LISTED))
    body += sortable_table("clusters-list", heads, rows, title)
    if len(ranked) > _LISTED:
        body += f'<p class="note">{len(ranked) - _LISTED:,} more are not listed.</p>'
    lead = "Those with most missed or wrong pairs come first. Each end of a wrong pair counts half."
    return [Section(title, body, lead=lead, key="errors", short="Errors")]
