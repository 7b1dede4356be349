"""The page of a comparison: what went wrong most, the charts, the changes, every index."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from concordant.counts.spelling import counted, percent, percents, printable, shortened
from concordant.differences.verdicts import VERDICTS
from concordant.partitions.images import LabelImages
from concordant.report.cards import Attributes, cards_of
from concordant.report.charts import CHARTS
from concordant.report.charts.overlaps import COLOURS
from concordant.report.labels import PageLabels
from concordant.report.pages.cards import ClusterLinks, cards_section, linked
from concordant.report.pages.changes import changes_section
from concordant.report.pages.covers import changes_of_covers, cover_sections
from concordant.report.pages.crops import CROPS_STYLE, crops_section
from concordant.report.pages.page import Section, chart_section, document, escape
from concordant.report.pages.suggestions import suggestions_section
from concordant.report.pages.tangles import tangles_section
from concordant.report.story import (
    CostlyCluster,
    Piece,
    SideTitles,
    Story,
    capital,
    deed,
    headline,
    left_out_words,
    sentence,
    side_title,
    subjects,
)
from concordant.report.summary import (
    ROOM_BELOW,
    Line,
    bar_of,
    by_chance_words,
    format_line,
    format_value,
    has_negative,
)

_KEY_NUMBERS = 4


def comparison_page(
    story: Story,
    attributes: Attributes | None = None,
    budget: int = 2_000_000,
    images: tuple[LabelImages | None, Any] = (None, None),
) -> str:
    """The whole page as one HTML text; ``budget`` is how many bytes the records on it may take.

    ``images`` are the label images that were compared, and the image that was segmented.
    """
    labels = PageLabels()
    told, style = _of_overlaps(story, labels, attributes, budget) if story.shows_overlaps else ({}, "")
    sections = [
        *(told["costliest"] if told else _without_blame(story, labels)),
        *(crops := [*crops_section(story, *images, labels, budget)] if told else []),
        *_charts(story),
        *told.get("tangles", ()),
        *told.get("changes", ()),
        _indices(story),
        *told.get("cards", ()),
        _cite(story),
    ]
    title = " against ".join(shortened(printable(name), 60) for name in story.names[::-1])
    return document(
        capital(title),
        sections,
        headline=headline(story),
        head=_head(story),
        labels=labels,
        style=style + (CROPS_STYLE if crops else ""),
        inspector=bool(told),
    )


def _of_overlaps(
    story: Story, labels: PageLabels, attributes: Attributes | None, budget: int
) -> tuple[dict[str, list[Section]], str]:
    """The sections that need to know which clusters overlap, and the style of the pictures in them."""
    cards = cards_of(story)
    links = ClusterLinks(cards, labels)
    section, style = cards_section(cards, story.names, labels, attributes, budget)
    changes = (
        changes_of_covers(*story.own_clusters, story.thresholds, labels)
        if story.has_own_elements
        else changes_section(story.verdicts.blocks, story.changes, links)
    )
    return {
        "costliest": [*_costliest(story, labels)],
        "tangles": [*tangles_section(story, links)],
        "changes": [changes, *suggestions_section(story, links)],
        "cards": [section],
    }, style


def _charts(story: Story) -> Iterator[Section]:
    for chart in CHARTS.values():
        if story.size and chart.svg is not None and chart.needs(story):
            yield chart_section(chart, story)


def _without_blame(story: Story, labels: PageLabels) -> Iterator[Section]:
    if story.covers is not None and story.covers.overlaps_fit:
        yield from cover_sections(story.covers, story.labels, story.thresholds, labels)
    elif story.size:
        why = "there are too many overlaps" if story.covers is not None else story.profile.availability.price
        text = (
            "It is not known here which clusters overlap, so there is no flow, no table and no list of "
            f"changes: {escape(why)}."
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
            f" Pairs: {together:,} together in both, {missed:,} <b class='differ'>missed</b> (together in "
            f"the reference only), {wrong:,} <b class='differ'>wrong</b> (together in the candidate only)."
        )
    if story.shows_overlaps and not story.are_named:
        facts += " This comparison was made from counts: its clusters are numbered from 0."
    if headline(story) != deed(story):
        facts = f"{escape(deed(story))}. {facts}"
    numbers = "".join(_key_number(line, summary.size) for line in summary.headline[:_KEY_NUMBERS])
    return (
        (f'<p class="left-out">{escape(left_out)}.</p>' if (left_out := left_out_words(story)) else "")
        + f'<p class="facts">{facts}</p>'
        + (_verdicts(story) if story.shows_verdicts else "")
        + f'<div class="key-numbers">{numbers}</div>'
    )


def _key_number(line: Line, size: int) -> str:
    """A value under its bar, with a mark where chance alone would end it."""
    bar, chance = bar_of(line, size), line.chance
    drawn = ""
    if bar is not None and not line.undefined:
        drawn = f'<i style="width:{max(bar.length, 0):.2%}"></i>'
        by_chance = None if chance is None else bar_of(replace(line, value=chance), size)
        if by_chance is not None:
            drawn += f'<i class="by-chance" style="left:{max(by_chance.length, 0):.2%}"></i>'
    words = f"<small>{by_chance_words(line)}</small>" if chance is not None else ""
    convention = ", by convention" if line.undefined else ""
    return (
        f'<div><div class="key-bar" aria-hidden="true">{drawn}</div><b>{format_line(line)}</b>'
        f"<span>{escape(line.index.title)}{convention}</span>{words}</div>"
    )


def _verdicts(story: Story) -> str:
    """The records of the reference by the verdict on their clusters, as one bar, and what the words mean."""
    side, (mine, other) = story.verdicts.reference, subjects(story.names)
    words = [word for word in VERDICTS if side.clusters[word]]
    bar = "".join(
        f'<i class="verdict-{word}" style="flex:{side.records[word] / side.size:.5f} 1 0"></i>'
        for word in words
    )
    legend = "".join(
        f'<li class="verdict-{word}"><b>{side.clusters[word]:,} {word}</b>'
        + (
            f' <span class="quiet">{counted(side.records[word], "record")}, {escape(share)}</span></li>'
            if side.records[word]
            else "</li>"
        )
        for word, share in zip(VERDICTS, percents([side.records[word] for word in VERDICTS]), strict=True)
    )
    theirs = ", ".join(
        f"{count:,} {word}" for word, count in story.verdicts.candidate.clusters.items() if count
    )
    return (
        f'<div class="verdicts" aria-hidden="true">{bar}</div><ul class="legend">{legend}</ul>'
        f'<p class="note">The bar is the records of {escape(mine)}, by the verdict on their cluster '
        f"({escape(str(story.thresholds))}). Of the clusters of {escape(other)}, {theirs}.</p>"
    )


def _costliest(story: Story, labels: PageLabels) -> Iterator[Section]:
    if not (story.mixed or story.split):
        return
    sides = [("Mixed together", story.mixed, "wrong"), ("Torn apart", story.split, "missed")]
    columns = "".join(
        f"<div><h3>{title}</h3><ul class='costliest'>"
        + "".join(_costly(each, story.names, word, labels) for each in clusters)
        + "</ul></div>"
        for title, clusters, word in sides
        if clusters
    )
    lead = f"A bar is one cluster, and its pieces are its overlaps with the other side. {COLOURS}"
    if story.chance_words:
        lead += f" The two sides are {story.chance_words}, so this is what chance does, too."
    body = f'<div class="columns">{columns}</div>'
    yield Section("What went wrong most", body, lead=lead, key="costliest")


def _costly(cluster: CostlyCluster, names: SideTitles, word: str, labels: PageLabels) -> str:
    segments = [_segment(piece, cluster, labels) for piece in cluster.pieces]
    if cluster.rest[1]:
        title = f"{cluster.rest[0]:,} more: {counted(cluster.rest[1], 'record')}"
        segments.append(
            f'<i class="rest" style="flex-grow:{cluster.rest[1] / cluster.size:.4f}" title="{title}"></i>'
        )
    own = (escape(side_title(names[0])), escape(side_title(names[1])))
    said = sentence(cluster, own, lambda label: f"<b>{labels.html(label)}</b>")
    said = linked(cluster.side, cluster.place, capital(said))
    return (
        f'<li><p class="sentence">{said}</p>'
        f'<div class="stack">{"".join(segments)}</div>'
        f"<small>{cluster.verdict}; {counted(cluster.size, 'record')}, "
        f"{counted(cluster.pairs, f'{word} pair')}: {escape(percent(cluster.pairs, cluster.total))} of all"
        "</small></li>"
    )


def _segment(piece: Piece, cluster: CostlyCluster, labels: PageLabels) -> str:
    label, count = piece.label, piece.size
    share = count / cluster.size
    room = share * 40 - 2  # characters, on a phone
    width = len(shortened(printable(label)))
    shown = labels.html(label) if room > width else ""
    if room > width + len(f"{count:,}") + 2:
        shown += f" <small>{count:,}</small>"
    title = escape(f"{shortened(printable(label), 60)}: {counted(count, 'record')}")
    row, column = (cluster.place, piece.place)[:: 1 if cluster.side == "reference" else -1]
    lit = f'data-r="{row}" data-c="{column}"'
    return f'<i class="{piece.match}" {lit} style="flex-grow:{share:.4f}" title="{title}">{shown}</i>'


# -- numbers ----------------------------------------------------------------------------------------


def _indices(story: Story) -> Section:
    summary = story.summary
    listed = [("Most used", summary.headline), *summary.families]
    room_below = has_negative(bar_of(line, summary.size) for _, lines in listed for line in lines)
    families = "".join(
        f'<details class="family"{" open" if place == 0 else ""}><summary>{escape(name)} '
        f"<small>{len(lines)}</small></summary>"
        + "".join(_index(line, story, ROOM_BELOW if room_below else 0.0) for line in lines)
        + "</details>"
        for place, (name, lines) in enumerate(listed)
    )
    notes = "".join(f'<p class="note">{escape(note)}</p>' for note in summary.notes)
    lead = (
        "A bar starts at what chance gives on average where the index is adjusted for it, else at the lowest "
        "value, and is full at the highest; below chance it goes left. Open one for its formula and source."
    )
    return Section("Every index", families + notes, lead=lead, key="indices")


def _meter(line: Line, size: int, room: float, ends: tuple[float, float] | None) -> str:
    """The bar of an index, with this much room to the left of where bars start, and its interval on it."""
    bar = bar_of(line, size)
    if bar is None:
        return "<span></span>"
    kind = "meter distance" if line.index.direction == "distance" else "meter"
    left, width = (room + min(bar.length, 0.0)) / (1 + room), abs(bar.length) / (1 + room)
    clipped = ' class="clipped" title="farther below than is drawn"' if bar.is_clipped else ""
    start = f'<b style="left:{room / (1 + room):.2%}"></b>' if room else ""
    body = (
        f'<i{clipped} style="left:{left:.2%};width:{width:.2%}"></i>{start}{_whisker(line, size, room, ends)}'
    )
    return f'<div class="{kind}">{body}</div>'


def _whisker(line: Line, size: int, room: float, ends: tuple[float, float] | None) -> str:
    """Where the value may lie for other data, as a line on the bar; nothing where that was not asked."""
    lengths = [bar.length for end in ends or () if (bar := bar_of(replace(line, value=end), size))]
    if ends is None or len(lengths) < len(ends):
        return ""
    low, high = lengths
    said = f"{format_value(ends[0])} to {format_value(ends[1])}"
    left, width = (room + low) / (1 + room), (high - low) / (1 + room)
    return f'<u title="interval {said}" style="left:{left:.2%};width:{width:.2%}"></u>'


def _index(line: Line, story: Story, room: float) -> str:
    index = line.index
    bar = _meter(line, story.summary.size, room, story.intervals.get(index.name))
    undefined = " <small>by convention: the formula is 0/0 here</small>" if line.undefined else ""
    chance = f" <small>{by_chance_words(line)}</small>" if line.chance is not None else ""
    return (
        f'<details><summary class="index"><span>{escape(index.title)}</span>'
        f'<span class="number">{format_line(line)}</span>{bar}'
        f'<span class="range">{escape(index.range_text)}{chance}</span></summary>'
        f'<div class="index-more"><p>{escape(index.summary)}{undefined}</p>'
        f'<p class="formula"><code>{escape(index.name)}</code> = {escape(index.formula)}</p>'
        f"<p>{escape(index.cite)}</p></div></details>"
    )


def _cite(story: Story) -> Section:
    signature = escape(story.summary.signature)
    body = (
        f'<div class="cite"><p><code id="signature">{signature}</code> '
        '<button type="button" data-copy="signature">copy</button></p>'
        '<p class="note">Put this line beside a published number: it says which version and which '
        "conventions gave it. Cite the paper of the index, which stands under its formula above, and "
        "concordant by its CITATION.cff.</p></div>"
    )
    return Section("Signature and citation", body, key="cite")
