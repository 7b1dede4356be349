"""The page of a diff: how much changed, where, and whether for the better."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from concordant.counts.spelling import counted
from concordant.differences.lazy_list import LazyList
from concordant.report.labels import PageLabels
from concordant.report.pages.page import Section, document, escape, number_cell, search_field, sortable_table
from concordant.report.values import format_value
from concordant.results import TextRows

_SIZES = {
    "records": "records",
    "base_clusters": "base clusters",
    "experiment_clusters": "experiment clusters",
    "share": "share of the change",
}
_LISTS = {
    "components": "Connected components that changed",
    "clusters": "Base clusters that changed",
    "records": "Records whose cluster changed",
}
_LABELS = frozenset({"label", "record", "base", "experiment", "truth", "slice"})
# A row has space for ten columns; with a truth, whether the change is for the better counts most.
_METRICS = ("split_rate", "merge_rate", "jaccard_distance")
_METRICS_WITH_TRUTH = ("jaccard_distance", "delta_precision", "delta_recall", "improvement")


@dataclass(frozen=True, slots=True)
class DiffData:
    """All that the page shows."""

    title: str
    headline: str
    key_numbers: Mapping[str, str]  # the metrics that come first, with their meanings
    metrics: Sequence[tuple[str, str, float]]  # name, meaning and value of all
    notes: Sequence[str]
    signature: str
    # Components, base clusters and records that changed; empty if the overlaps are not available.
    lists: Sequence[LazyList[Any]]
    slices: LazyList[Any] | None = None
    # Answers to questions: the title, a table of all records, one of the slices if there are any, and notes.
    judged: tuple[str, Sequence[TextRows], Sequence[str]] | None = None


def diff_page(data: DiffData) -> str:
    """The whole page as one HTML text."""
    labels = PageLabels()
    values = {name: value for name, _, value in data.metrics}
    numbers = "".join(
        f"<div><b>{format_value(values[name])}</b><span>{escape(name)}</span><small>{escape(meaning)}</small></div>"
        for name, meaning in data.key_numbers.items()
    )
    notes = "".join(f'<p class="facts">{escape(note)}</p>' for note in data.notes)
    rows = "".join(
        f"<tr><td>{escape(name)}</td><td>{escape(meaning)}</td>{number_cell(value)}</tr>"
        for name, meaning, value in data.metrics
    )
    heads = (("metric", ""), ("meaning", ""), ("value", "number"))
    table = sortable_table("metric-list", heads, rows, "Metrics")
    listed = [
        _listed(key, title, rows, labels)
        for (key, title), rows in zip(_LISTS.items(), data.lists, strict=False)
        if len(rows)
    ]
    if data.slices is not None:
        listed.insert(0, _listed("slices", "Slices", data.slices, labels))
    if data.judged is not None:
        listed.insert(0, _judged(*data.judged))
    cite = Section("Signature", f'<p><code id="signature">{escape(data.signature)}</code></p>', key="cite")
    return document(
        data.title,
        [Section("Metrics", table, key="metrics"), *listed, cite],
        headline=data.headline,
        head=f'<div class="key-numbers">{numbers}</div>{notes}',
        labels=labels,
    )


def _judged(title: str, tables: Sequence[TextRows], notes: Sequence[str]) -> Section:
    """The metrics that answers estimate."""
    shown = []
    for key, (head, *rows) in zip(("all", "slices"), tables, strict=False):
        heads = [(escape(name), "number" if name in ("value", "questions") else "") for name in head]
        body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
        shown.append(sortable_table(f"judged-{key}", heads, body, f"Judged metrics of {key}"))
    facts = "".join(f'<p class="facts">{escape(f"{note[0].upper()}{note[1:]}.")}</p>' for note in notes)
    return Section("Judged by people", "".join(shown) + facts, lead=f"{escape(title)}.", key="judged")


def _listed(key: str, title: str, listed: LazyList[Any], labels: PageLabels) -> Section:
    """A list as a table, those that changed most first."""
    rows = listed.to_dict()["rows"]
    metrics = _METRICS_WITH_TRUTH if "improvement" in rows[0] else _METRICS
    names = [name for name in rows[0] if name in _LABELS or name in _SIZES or name in metrics]
    heads = [(escape(_SIZES.get(name, name)), "" if name in _LABELS else "number") for name in names]
    body = "".join(
        "<tr>"
        + "".join(
            f"<td>{labels.html(row[name])}</td>" if name in _LABELS else number_cell(row[name])
            for name in names
        )
        + "</tr>"
        for row in rows
    )
    number = counted(listed.total, key.removesuffix("s"))
    lead = (
        f"{number}; those that changed most first."
        if listed.total == len(rows)
        else f"{number}, of which the {len(rows):,} that changed most are listed."
    )
    lead += f" In Python, <code>d.{key}()</code> has all metrics."
    find = search_field(f"{key}-list", "labels", len(rows))
    return Section(title, find + sortable_table(f"{key}-list", heads, body, title), lead=lead, key=key)
