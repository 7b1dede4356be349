"""Sections of the page of estimates: the estimates, and the labelled clusters that cost most."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from concordant.counts.spelling import counted, percent
from concordant.report.charts.dots import ESTIMATES, estimate_dots, estimate_title, interval_text
from concordant.report.labels import PageLabels
from concordant.report.pages.page import (
    CellValue,
    Section,
    chart_section,
    escape,
    note,
    sortable_table,
    table_row,
)
from concordant.report.values import format_value
from concordant.trust.estimated import Estimated

_LISTED = 300


def estimate_sentence(found: Sequence[Estimated]) -> str:
    """The first of these that can be estimated, or that none can."""
    first = next((each for each in found if each.estimable), None)
    if first is None:
        titles = f"{estimate_title(found[0])} of all records" if found else "Nothing"
        return f"{titles} can{'not' if found else ''} be estimated from this sample"
    title, value = f"{estimate_title(first)} of all records", format_value(first.value)
    if first.low == first.high:
        return f"{title} is {value}"
    interval = f"{first.confidence * 100:g}% interval {interval_text(first)}"
    return f"{title} is estimated at {value} ({interval})"


def estimate_number(each: Estimated) -> tuple[float | str, str, str]:
    """An estimate under the headline, with its interval."""
    confidence = f"{each.confidence * 100:g}% " if each.estimable else ""
    value = each.value if each.estimable else "—"
    return value, estimate_title(each), f"{confidence}{interval_text(each)}"


def estimate_sections(
    found: Sequence[Estimated],
    sentences: Iterable[str],
    clusters: Sequence[Any],
    labels: PageLabels,
) -> Iterator[Section]:
    """The estimates as a chart, as a table and in sentences, and the labelled clusters with errors."""
    yield chart_section(ESTIMATES, estimate_dots(found))
    yield _table(found)
    written = "".join(f"<p>{escape(each)}</p>" for each in sentences)
    yield Section("Sentences for a paper", written, key="cite")
    yield from _clusters(clusters, labels)


def _table(found: Sequence[Estimated]) -> Section:
    rows = []
    for each in found:
        numbers = (each.value, each.low, each.high, each.se)
        shown: Sequence[CellValue] = numbers if each.estimable else ["—"] * len(numbers)
        share = (each.largest_share, percent(each.largest_share, 1))
        rows.append(table_row(escape(estimate_title(each)), *shown, share))
    heads = [("Index", "")]
    heads += [(text, "number") for text in ("Estimate", "Low", "High", "Standard error", "Largest share")]
    title = "Estimates as a table"
    lead = (
        "The largest share is what one labelled cluster has of the denominator: the larger it is, the less "
        "the interval can be relied on."
    )
    table = sortable_table("estimates-list", heads, rows, title)
    return Section(title, table, lead=lead, key="table", short="Table")


def _clusters(clusters: Sequence[Any], labels: PageLabels) -> Iterator[Section]:
    """The labelled clusters with errors, those with most pairs missed or wrong first."""
    ranked = [
        (row.in_reference - row.n11, row.in_candidate - row.n11, row) for row in clusters if not row.exact
    ]
    if not ranked:
        return
    ranked.sort(key=lambda each: each[0] + each[1], reverse=True)
    rows = [
        table_row(
            labels.html(row.cluster),
            row.size,
            row.n_pieces,
            (missed, f"{missed:,g}"),
            (wrong, f"{wrong:,g}"),
            row.bcubed_precision,
            row.bcubed_recall,
        )
        for missed, wrong, row in ranked[:_LISTED]
    ]
    numbers = ("Records", "Pieces", "Missed pairs", "Wrong pairs", "B-cubed precision", "B-cubed recall")
    heads = [("True cluster", ""), *((text, "number") for text in numbers)]
    have = "has" if len(ranked) == 1 else "have"
    title = f"{len(ranked):,} of {counted(len(clusters), 'labelled cluster')} {have} errors"
    body = sortable_table("clusters-list", heads, rows, title, "clusters")
    if len(ranked) > _LISTED:
        body += note(f"{len(ranked) - _LISTED:,} more are not listed.")
    lead = "Those with most missed or wrong pairs come first. Each end of a wrong pair counts half."
    yield Section(title, body, lead=lead, key="errors", short="Errors")
