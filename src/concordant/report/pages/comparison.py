"""The page of a comparison: the worst clusters, the charts, the changes, every index."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from concordant.clusterings.images import LabelImages
from concordant.differences.verdicts import VERDICTS, SideVerdicts, amount
from concordant.foundation.conventions import SIDES
from concordant.foundation.spelling import counted, percent, printable
from concordant.foundation.text_layout import shortened
from concordant.report.charts import CHARTS
from concordant.report.charts.entities import listed_part
from concordant.report.charts.overlaps import COLOURS
from concordant.report.cluster_detail import ClusterDetail
from concordant.report.labels import PageLabels, linked
from concordant.report.pages.cards import cards_of, cards_section
from concordant.report.pages.changes import (
    changes_of_covers,
    changes_section,
    cover_sections,
    linked_advice,
    suggestions_section,
)
from concordant.report.pages.crops import CROPS_STYLE, crops_section
from concordant.report.pages.page import (
    Page,
    Section,
    chart_section,
    escape,
    listing_section,
    note,
    paragraphs,
    title_of_sides,
)
from concordant.report.palette import verdict_class
from concordant.report.report_data import ReportData, SideTitles
from concordant.report.sentences import (
    below_headline,
    capitalized,
    cluster_sentence,
    headline,
    likeness_to_chance,
    omission_words,
    side_title,
    side_words,
    subjects,
)
from concordant.report.values import (
    Line,
    bar_edges,
    bar_length,
    chance_words,
    drawn_length,
    format_line,
    format_value,
    is_clipped,
    room_below,
)

if TYPE_CHECKING:
    from concordant.engines.tables.rows import RecordAttributes
    from concordant.inference.slices import Slices


def comparison_page(
    data: ReportData,
    attributes: RecordAttributes | None = None,
    budget: int = 2_000_000,
    images: tuple[LabelImages | None, Any] = (None, None),
    slices: Slices | None = None,
) -> Page:
    """The page; ``budget`` is how many bytes the records on it may take.

    ``images`` are the label images that were compared, and the image that was segmented.
    """
    labels, style = PageLabels(), ""
    # Short parts come first: lists may have hundreds of rows, and are shown in full.
    first: list[Section] = []
    lists: list[Section] = []
    if data.shows_overlaps:
        part, details = listed_part(data), cards_of(data)
        labels.link_clusters((card.side, card.label, card.place) for card in details)
        cards, style = cards_section(details, data.names, labels, attributes, budget)
        changes = (
            changes_of_covers(*data.own_clusters, labels)
            if data.has_own_elements
            else changes_section(data.verdicts.components, part.changes, labels)
        )
        lists = [changes, cards]
        if part.mixed or part.split:
            first = [_costliest(data, labels)]
        crops = list(crops_section(data, *images, labels, budget))
        first += [*suggestions_section(data, labels), *crops]
        style += CROPS_STYLE if crops else ""
    elif data.covers is not None and data.covers.overlaps_fit:
        lists = list(cover_sections(data.covers, data.labels, data.thresholds, labels))
    elif data.size:
        why = "there are too many overlaps" if data.covers is not None else data.profile.availability.price
        text = (
            "It is not known here which clusters overlap, so there is no flow, no table and no list of "
            f"changes: {escape(why)}."
        )
        if data.unit == "weight":
            text = "Charts, changes and edits count every record as one: compare without weights to see them."
        lists = [Section("What cannot be shown", f"<p>{text}</p>", key="unknown")]
    charts = [
        chart_section(chart, data)
        for chart in CHARTS.values()
        if data.size and chart.svg is not None and chart.needs(data) and chart.on_page(data)
    ]
    if slices is not None and len(slices):
        words: dict[str, Any] = {"key": "slices", "title": slices.headline, "notes": slices._footnotes()}
        charts += [listing_section(each, labels, **words) for each in slices._listings()]
    return Page(
        title=title_of_sides(data.names),
        headline=headline(data),
        sections=[*first, *charts, _indices(data), *lists, _citation(data)],
        head=_head(data, labels),
        labels=labels,
        style=style,
        inspector=data.shows_overlaps,
    )


# -- what one reads first ---------------------------------------------------------------------------


def _head(data: ReportData, labels: PageLabels) -> str:
    sides = "; ".join(
        f"{side_words(data, number)} in {escape(subject)}" + (f" (the {side})" if side not in subject else "")
        for number, (side, subject) in enumerate(zip(SIDES, subjects(data.names), strict=True))
    )
    facts = f"{counted(data.size, data.noun)}: {sides}."
    if data.pairs is not None and any(data.disagreement):
        together, missed, wrong = (f"{x:,}" if isinstance(x, int) else f"{x:,.6g}" for x in data.pairs[:3])
        facts += (
            f" {'Weighted pairs' if data.unit == 'weight' else 'Pairs'}: {together} together in both, "
            f"{missed} <b class='differ'>missed</b> (together in the reference only), "
            f"{wrong} <b class='differ'>wrong</b> (together in the candidate only)."
        )
    if data.shows_overlaps and data.labels.known_labels == "none":
        facts += " This comparison was made from counts: its clusters are numbered from 0."
    omission, detail, todo = omission_words(data), below_headline(data), linked_advice(data, labels)
    return (
        paragraphs([f"{omission}."] if omission else [], "left-out")
        + paragraphs([f"{detail}."] if detail else [])
        + (f'<p class="advice">{todo}. <a href="#suggestions">All suggestions</a></p>' if todo else "")
        + f'<p class="facts">{facts}</p>'
        + (_verdicts(data) if data.shows_verdicts else "")
        + f'<div class="key-numbers">{_key_numbers(data)}</div>'
    )


def _key_numbers(data: ReportData) -> str:
    """Values under their bars, with a mark at the value expected by chance."""
    numbers = ""
    for line in data.headline:
        length, drawn, words = bar_length(line, data.counts), "", ""
        if length is not None and not line.undefined:
            drawn = f'<i style="width:{max(length, 0):.2%}"></i>'
        if line.chance is not None:
            mark = bar_length(replace(line, value=line.chance), data.counts) if drawn else None
            if mark is not None:
                drawn += f'<i class="by-chance" style="left:{max(mark, 0):.2%}"></i>'
            words = f"<small>{chance_words(line)}</small>"
        if interval := data.interval_words(line.index):
            words += f"<small>{data.interval_title} {interval}</small>"
        convention = ", by convention" if line.undefined else ""
        numbers += (
            f'<div><div class="key-bar" aria-hidden="true">{drawn}</div><b>{format_line(line)}</b>'
            f"<span>{escape(line.index.title)}{convention}</span>{words}</div>"
        )
    return numbers


def _verdicts(data: ReportData) -> str:
    """The records by the verdict on their clusters, as a bar with a legend; hatched if in no cluster.

    Both sides have a bar if some records of the candidate are in no cluster.
    """
    sides = [data.verdicts.reference, data.verdicts.candidate]
    titles, labels = subjects(data.names), data.outside_labels
    if data.has_own_elements:  # elements that a side lacks are in none of its clusters
        outside = data.outside_records
        sides = [
            replace(side, in_no_cluster=sum(each.records for each in outside if each.side == side.side))
            for side in sides
        ]
    theirs = ", ".join(f"{count:,} {word}" for word, count in sides[1].clusters.items() if count)
    if sides[1].in_no_cluster:
        text = "".join(
            f'<p class="bar-title">{escape(capitalized(title))}</p>{_verdict_bar(side, label, data.noun)}'
            for side, title, label in zip(sides, titles, labels, strict=True)
        )
        words = f"The bars show the {data.things} of both sides by the verdict on their {data.cluster_noun}"
    else:
        text = _verdict_bar(sides[0], labels[0], data.noun)
        words = f"The bar shows the {data.things} of {escape(titles[0])} by the verdict on their "
        words += data.cluster_noun
    words += f" ({escape(str(data.thresholds))})."
    if data.outside_records:
        words += (
            f" {data.cluster_noun.capitalize()}s are judged with all their {data.noun}s, also those that the "
            "other side lacks."
        )
    elif theirs and not sides[1].in_no_cluster:
        words += f" Of the {data.cluster_noun}s of {escape(titles[1])}, {theirs}."
    return text + note(words)


def _verdict_bar(side: SideVerdicts, outside_label: str, noun: str) -> str:
    """The records of one side by the verdict on their clusters, and those in no cluster."""
    words, outside = [word for word in VERDICTS if side.clusters[word]], side.in_no_cluster

    def number(records: float) -> str:
        return counted(int(records), noun) if side.unit == "record" else amount(records, side.unit)

    whole = sum(map(Fraction, (*side.records.values(), outside)))  # weights may be beyond floats
    widths = {word: float(Fraction(side.records[word]) / whole) for word in words}
    bar = "".join(
        f'<i class="{verdict_class(word)}" style="flex:{widths[word]:.5f} 1 0"></i>' for word in words
    )
    legend = ""
    for word in VERDICTS:
        legend += f'<li class="{verdict_class(word)}"><b>{side.clusters[word]:,} {word}</b>'
        if side.records[word]:
            records, share = number(side.records[word]), percent(side.records[word], whole)
            legend += f' <span class="quiet">{records}, {escape(share)}</span>'
        legend += "</li>"
    if outside:
        bar += f'<i class="outside" style="flex:{float(Fraction(outside) / whole):.5f} 1 0"></i>'
        records = f"{number(outside)}, {escape(percent(outside, whole))}"
        legend += (
            f'<li class="outside"><b>{escape(outside_label)}</b> <span class="quiet">{records}</span></li>'
        )
    return f'<div class="verdicts" aria-hidden="true">{bar}</div><ul class="legend">{legend}</ul>'


def _costliest(data: ReportData, labels: PageLabels) -> Section:
    part = listed_part(data)
    sides = [("Mixed together", part.mixed, "wrong"), ("Torn apart", part.split, "missed")]
    noun = data.cluster_noun
    columns = "".join(
        f"<div><h3>{title}</h3><ul class='costliest'>"
        + "".join(_costly(each, data.names, word, labels) for each in clusters)
        + "</ul></div>"
        for title, clusters, word in sides
        if clusters
    )
    lead = (
        f"Each bar is one {noun}, and its pieces are its overlaps with {noun}s of the other side. {COLOURS}"
    )
    if chance := likeness_to_chance(data):
        lead += f" The two sides are {chance}, so chance alone produces as much."
    body = f'<div class="columns">{columns}</div>'
    return Section(f"The worst {noun}s", body, lead=lead, key="costliest")


def _costly(cluster: ClusterDetail, names: SideTitles, word: str, labels: PageLabels) -> str:
    segments = ""
    for piece in cluster.clusters:
        label, count, share = piece.label, piece.size, piece.size / cluster.size
        room = share * 40 - 2  # characters, on a phone
        width = len(shortened(printable(label)))
        shown = labels.html(label) if room > width else ""
        if room > width + len(f"{count:,}") + 2:
            shown += f" <small>{count:,}</small>"
        title = escape(f"{shortened(printable(label), 60)}: {counted(count, cluster.nouns[0])}")
        row, column = (cluster.place, piece.place)[:: 1 if cluster.side == "reference" else -1]
        lit = f'data-r="{row}" data-c="{column}"'
        segments += (
            f'<i class="{piece.match}" {lit} style="flex-grow:{share:.4f}" title="{title}">{shown}</i>'
        )
    if rest := cluster.size - sum(piece.size for piece in cluster.clusters):
        more = f"{cluster.rest[0]:,} more: " if cluster.rest[0] else ""
        title = f"{more}{counted(rest, cluster.nouns[0])}"
        grow = f"flex-grow:{rest / cluster.size:.4f}"
        segments += f'<i class="rest" style="{grow}" title="{title}"></i>'
    own = (escape(side_title(names[0])), escape(side_title(names[1])))
    sentence = cluster_sentence(cluster, own, lambda label: f"<b>{labels.html(label)}</b>")
    return (
        f'<li><p class="sentence">{linked(cluster.side, cluster.place, capitalized(sentence))}</p>'
        f'<div class="stack">{segments}</div>'
        f"<small>{cluster.verdict}; {counted(cluster.size, cluster.nouns[0])}, "
        f"{counted(cluster.pairs, f'{word} pair')}: {escape(percent(cluster.pairs, cluster.total))} of all"
        "</small></li>"
    )


# -- numbers ----------------------------------------------------------------------------------------


def _indices(data: ReportData) -> Section:
    listed = [("Most used", data.most_used), *data.families]
    room = room_below(bar_length(line, data.counts) for _, lines in listed for line in lines)
    families = "".join(
        f'<details class="family"{" open" if place == 0 else ""}><summary>{escape(name)} '
        f"<small>{len(lines)}</small></summary>"
        + "".join(_index(line, data, room) for line in lines)
        + "</details>"
        for place, (name, lines) in enumerate(listed)
    )
    notes = paragraphs(data.notes, "note")
    lead = (
        "Bars of chance-adjusted indices start at the value expected by chance, others at the lowest value. "
        "A full bar is the highest value; a bar to the left is below chance. Open an index for its formula "
        "and source."
    )
    return Section("Every index", families + notes, lead=lead, key="indices")


def _index(line: Line, data: ReportData, room: float) -> str:
    index = line.index
    undefined = " <small>by convention: the formula is 0/0 here</small>" if line.undefined else ""
    chance = f" <small>{chance_words(line)}</small>" if line.chance is not None else ""
    return (
        f'<details><summary class="index"><span>{escape(index.title)}</span>'
        f"<b>{format_line(line)}</b>{_meter(line, data, room)}"
        f"<span>{escape(index.range_text)}{chance}</span></summary>"
        f"<div><p>{escape(index.summary)}{undefined}</p>"
        f"<p><code>{escape(index.name)}</code> = {escape(index.formula)}</p>"
        f"<p>{escape(index.cite)}</p></div></details>"
    )


def _meter(line: Line, data: ReportData, room: float) -> str:
    """The bar of an index, with this much space to the left of where bars start, and its interval on it."""
    length = bar_length(line, data.counts)
    if length is None:
        return "<span></span>"
    kind = "meter distance" if line.index.direction == "distance" else "meter"
    left, width = bar_edges(length, room)
    clipped = ' class="clipped" title="farther below than is drawn"' if is_clipped(length) else ""
    start = f"left:{100 * left:.4g}%;" if left else ""
    body = f'<i{clipped} style="{start}width:{100 * width:.4g}%"></i>'
    if room:
        body += f'<b style="left:{100 * room / (1 + room):.4g}%"></b>'
    ends = data.interval_ends(line.index) or ()
    bars = [bar_length(replace(line, value=end), data.size) for end in ends]
    drawn = [drawn_length(length) for length in bars if length is not None]
    if len(drawn) == 2:
        low, high = drawn
        title = f"interval {' to '.join(map(format_value, ends))}"
        left, width = (room + low) / (1 + room), (high - low) / (1 + room)
        body += f'<u title="{title}" style="left:{left:.2%};width:{width:.2%}"></u>'
    return f'<div class="{kind}">{body}</div>'


def _citation(data: ReportData) -> Section:
    body = (
        f'<div class="cite"><p><code id="signature">{escape(data.signature)}</code> '
        '<button type="button" data-copy="signature">copy</button></p>'
        '<p class="note">Publish this line with the number: it records the version and the '
        "conventions. Cite the paper of the index, which is listed under its formula, and concordant "
        "(CITATION.cff).</p></div>"
    )
    return Section("Signature and citation", body, key="cite")
