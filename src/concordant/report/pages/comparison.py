"""The page of a comparison: what went wrong most, the charts, the changes, every index."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from concordant.counts.sides import SideName
from concordant.counts.spelling import counted, percent, printable, shortened
from concordant.report.figures import charts
from concordant.report.figures.flow import flow
from concordant.report.labels import PageLabels, isolated
from concordant.report.pages.changes import changes_section
from concordant.report.pages.page import Figures, Section, document, escape
from concordant.report.picture import Picture
from concordant.report.story import CostlyCluster, SideTitles, Story, capital, headline, sentence, subjects
from concordant.report.summary import Line, format_line, share_of_range

_KEY_NUMBERS = 4


def comparison_page(story: Story) -> str:
    """The whole page as one HTML text."""
    labels, figures = PageLabels(), Figures()
    sections = [
        *(_overlaps(story, labels, figures) if story.shows_overlaps else _without_overlaps(story)),
        *([_sizes(story, figures)] if story.size else []),
        *([_changes(story, labels)] if story.shows_overlaps else []),
        _indices(story),
        _cite(story),
    ]
    title = " against ".join(shortened(printable(name), 60) for name in story.names[::-1])
    return document(capital(title), sections, head=_head(story), figures=figures, labels=labels)


def _overlaps(story: Story, labels: PageLabels, figures: Figures) -> Iterator[Section]:
    if story.mixed or story.split:
        yield _costliest(story, labels)
    yield _flow(story, figures)
    yield _cells(story, figures)


def _changes(story: Story, labels: PageLabels) -> Section:
    return changes_section(story.change_summary, story.changes, labels)


def _without_overlaps(story: Story) -> Iterator[Section]:
    if story.size:
        text = (
            "This comparison was made from sizes alone: it is not known which clusters overlap. So there is "
            "no flow, no table and no list of changes here. Compare labels or a table of counts to see them."
        )
        yield Section("What cannot be shown", f"<p>{text}</p>", key="unknown")


# -- what one reads first ---------------------------------------------------------------------------


def _head(story: Story) -> str:
    summary = story.summary
    sides = " and ".join(
        f"{counted(side.clusters, 'cluster')} in {escape(subject)}"
        + (f" (the {side.role})" if side.role not in subject else "")
        for side, subject in zip(summary.sides, subjects(story.names), strict=True)
    )
    together, missed, wrong, _ = summary.pairs
    facts = f"{counted(summary.size, 'record')}, {sides}."
    if missed or wrong:
        facts += (
            f" {together:,} pairs are together in both; {missed:,} are <b class='differ'>missed</b> "
            f"(together in the reference only) and {wrong:,} are <b class='differ'>wrong</b> "
            "(together in the candidate only)."
        )
    if story.shows_overlaps and not story.are_named:
        facts += " This comparison was made from counts: its clusters are numbered from 0."
    numbers = "".join(
        f"<div><b>{format_line(line)}</b><span>{escape(line.index.title)}"
        f"{', by convention' if line.undefined else ''}</span></div>"
        for line in summary.headline[:_KEY_NUMBERS]
    )
    return (
        f'<p class="headline">{escape(headline(story))}</p><p class="facts">{facts}</p>'
        f'<div class="key-numbers">{numbers}</div>'
    )


def _costliest(story: Story, labels: PageLabels) -> Section:
    sides = [("Mixed together", story.mixed, "wrong"), ("Torn apart", story.split, "missed")]
    columns = "".join(
        f"<div><h3>{title}</h3><ul class='costliest'>"
        + "".join(_costly(each, story.names, word, labels) for each in clusters)
        + "</ul></div>"
        for title, clusters, word in sides
        if clusters
    )
    lead = (
        'A bar is one cluster: <b class="agree">blue</b> its largest part, <b class="differ">orange</b> what '
        "does not belong with it."
    )
    body = f'<div class="columns">{columns}</div>'
    return Section("What went wrong most", body, lead=lead, key="costliest")


def _costly(cluster: CostlyCluster, names: SideTitles, word: str, labels: PageLabels) -> str:
    segments = [
        _segment(label, count, cluster.size, "main" if place == 0 else "", labels)
        for place, (label, count) in enumerate(cluster.pieces)
    ]
    if cluster.rest[1]:
        title = f"{cluster.rest[0]:,} more: {counted(cluster.rest[1], 'record')}"
        segments.append(
            f'<i class="rest" style="flex-grow:{cluster.rest[1] / cluster.size:.4f}" title="{title}"></i>'
        )
    own = (escape(_name(names[0])), escape(_name(names[1])))
    said = sentence(cluster, own, lambda label: f"<b>{labels.html(label)}</b>")
    return (
        f'<li><p class="sentence">{capital(said)}</p>'
        f'<div class="stack">{"".join(segments)}</div>'
        f"<small>{counted(cluster.size, 'record')}, {counted(cluster.pairs, f'{word} pair')}: "
        f"{escape(percent(cluster.pairs, cluster.total))} of all"
        "</small></li>"
    )


def _segment(label: Any, count: int, size: int, kind: str, labels: PageLabels) -> str:
    share = count / size
    room = share * 40 - 2  # characters, on a phone
    width = len(shortened(printable(label)))
    shown = labels.html(label) if room > width else ""
    if room > width + len(f"{count:,}") + 2:
        shown += f" <small>{count:,}</small>"
    title = escape(f"{shortened(printable(label), 60)}: {counted(count, 'record')}")
    return f'<i class="{kind}" style="flex-grow:{share:.4f}" title="{title}">{shown}</i>'


# -- charts -----------------------------------------------------------------------------------------


def _flow(story: Story, figures: Figures) -> Section:
    picture = story.flow
    drawn = partial(flow, picture, story.names)
    figures.add("flow", drawn, narrow=partial(drawn, narrow=True))
    title = sentence(story.mixed[0], story.names) if story.mixed else "Where the records go"
    lead = (
        "Each band is records on their way from the reference on the left to the candidate on the right. "
        '<b class="agree">Blue</b> bands join clusters that match; <b class="differ">orange</b> bands stray.'
    )
    chart = figures.chart(
        "flow", f"Flow diagram of {len(picture.rows)} to {len(picture.columns)} clusters: {title}"
    )
    return Section(capital(title), chart + _left_out(picture, story), lead=lead, key="flow")


def _cells(story: Story, figures: Figures) -> Section:
    picture = story.cells
    choices = {"cells": "Records", "cells-reference": "Share of row", "cells-candidate": "Share of column"}
    shares: tuple[SideName | None, ...] = (None, "reference", "candidate")
    for name, share in zip(choices, shares, strict=True):
        drawn = partial(charts.cells, picture, story.names, share=share)
        figures.add(name, drawn, narrow=partial(drawn, narrow=True))
    title = sentence(story.split[0], story.names) if story.split else "Which clusters overlap"
    lead = (
        "Rows are clusters of the reference, columns of the candidate, ordered so that what matches lies on "
        "the diagonal. Each colour has its own scale."
    )
    chart = figures.chart("cells", f"Heat map of the contingency table: {title}", choices)
    return Section(capital(title), chart + _left_out(picture, story), lead=lead, key="cells")


def _left_out(picture: Picture, story: Story) -> str:
    """What a chart does not show, said below it."""
    rows, columns = picture.gathered
    if not rows and not columns:
        return ""
    gathered = " and ".join(
        f"{count:,} of {side.clusters:,} clusters of the {side.role}"
        for count, side in zip((rows, columns), story.summary.sides, strict=True)
        if count
    )
    unseen = (
        f" {picture.unseen:,} of {story.size:,} records are in such clusters on both sides and are not drawn."
        if picture.unseen
        else ""
    )
    shown = "The clusters to blame for most are shown"
    return f'<p class="note">{shown}; {gathered} are gathered as “other”.{unseen}</p>'


def _sizes(story: Story, figures: Figures) -> Section:
    drawn = partial(charts.sizes, story.sizes, story.names)
    figures.add("sizes", drawn, narrow=partial(drawn, narrow=True))
    title = ", ".join(
        f"{_name(name)} clusters hold {side.smallest:,} to {side.largest:,} records"
        if side.smallest < side.largest
        else f"{_name(name)} clusters hold {counted(side.largest, 'record')}"
        for name, side in zip(story.names, story.summary.sides, strict=True)
    )
    lead = "How many clusters there are of each size. Both scales are logarithmic."
    return Section(
        capital(title), figures.chart("sizes", f"Bar chart of cluster sizes: {title}"), lead=lead, key="sizes"
    )


# -- numbers ----------------------------------------------------------------------------------------


def _indices(story: Story) -> Section:
    summary = story.summary
    families = "".join(
        f'<details class="family"{" open" if place == 0 else ""}><summary>{escape(name)} '
        f"<small>{len(lines)}</small></summary>"
        + "".join(_index(line, summary.size) for line in lines)
        + "</details>"
        for place, (name, lines) in enumerate([("Most used", summary.headline), *summary.families])
    )
    notes = "".join(f'<p class="note">{escape(note)}</p>' for note in summary.notes)
    lead = "A bar is the range of an index, filled up to its value. Open one for its formula and its source."
    return Section("Every index", families + notes, lead=lead, key="indices")


def _index(line: Line, size: int) -> str:
    share = share_of_range(line, size)
    kind = "meter distance" if line.index.direction == "distance" else "meter"
    bar = "<span></span>" if share is None else f'<div class="{kind}"><i style="width:{share:.2%}"></i></div>'
    index = line.index
    undefined = " <small>by convention: the formula is 0/0 here</small>" if line.undefined else ""
    return (
        f'<details><summary class="index"><span>{escape(index.title)}</span>'
        f'<span class="number">{format_line(line)}</span>{bar}'
        f'<span class="range">{escape(index.range_text)}</span></summary>'
        f'<div class="index-more"><p>{escape(index.summary)}{undefined}</p>'
        f'<p class="formula"><code>{escape(index.name)}</code> = {escape(index.formula)}</p>'
        f"<p>{escape(index.cite)}</p></div></details>"
    )


def _cite(story: Story) -> Section:
    signature = escape(story.summary.signature)
    body = (
        f'<div class="cite"><p><code>{signature}</code></p>'
        '<p class="note">Put this line beside a published number: it says which version and which '
        "conventions gave it. Cite the paper of the index, which stands under its formula above, and "
        "concordant by its CITATION.cff.</p></div>"
    )
    return Section("Signature and citation", body, key="cite")


def _name(name: str) -> str:
    return isolated(shortened(printable(name), 40))
