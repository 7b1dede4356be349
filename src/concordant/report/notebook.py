"""A comparison as a light fragment of HTML for a notebook, and its indices as a table for a paper.

The fragment has the headline and bars, and the rest is folded.

Text has the colour of the notebook. The other colours are custom properties, which follow the theme of
JupyterLab and VS Code, and elsewhere that of the reader's system.
"""

from __future__ import annotations

import html
from fractions import Fraction

from concordant.differences.verdicts import VERDICTS, amount
from concordant.foundation.conventions import SIDES
from concordant.foundation.results import TextRows
from concordant.foundation.spelling import counted, percent, printable
from concordant.foundation.text_layout import shortened
from concordant.report.charts.chart import Chart, Subject
from concordant.report.palette import DARK, LIGHT
from concordant.report.report_data import ReportData
from concordant.report.sentences import (
    advice,
    below_headline,
    cluster_sentence,
    headline,
    omission_words,
    side_words,
)
from concordant.report.values import bar_edges, bar_length, chance_words, format_line, is_clipped, room_below

_COSTLIEST = 3
_FAINT = "opacity:.9;font-size:90%"
_KEY = "display:inline-block;width:.75em;height:.75em;border:1px solid"
_COLOURS = LIGHT.properties()
# A light theme is the default; prefers-color-scheme counts where the notebook does not name its theme.
_STYLE = (
    f".concordant-comparison{{{LIGHT.css()}}}"
    "@media(prefers-color-scheme:dark){body:not([data-jp-theme-light]):not([data-vscode-theme-kind]) "
    f".concordant-comparison{{{DARK.css()}}}}}"
    'body[data-jp-theme-light="false"] .concordant-comparison,body[data-vscode-theme-kind$="dark"] '
    '.concordant-comparison,body[data-vscode-theme-kind="vscode-high-contrast"] '
    f".concordant-comparison{{{DARK.css()}}}"
)
# The table of all indices is most of the fragment, so its rows have no style of their own.
_INDEX_STYLE = "".join(
    f".concordant-comparison .indices {selector}{{{style}}}"
    for selector, style in (
        ("th,.concordant-comparison .indices td:first-child", "text-align:left"),
        ("td", "text-align:right"),
        ("div", "width:10em;background:#8884"),
        ("div div", f"height:.8em;background:{_COLOURS.agree}"),
        (".clipped", "border-left:2px dotted"),
    )
)
_TRACK = "background:#8884;display:flex;overflow:hidden;border-radius:3px"


# The rules of page.css for charts, in the colours of the notebook. Text is as large as in a narrow page.
_CHART_STYLE = "".join(
    f".concordant-comparison .drawing {selector}{{{style}}}"
    for selector, style in (
        ("text", "font-size:16px;fill:currentColor;white-space:pre"),
        (".side", "font-weight:650"),
        (".value", "text-anchor:middle"),
        (".core", "fill:var(--agree)"),
        (".stray", "fill:var(--differ)"),
        (".line", "stroke:#8886;fill:none"),
        (".curve", "fill:none;stroke-width:2"),
        (".branch", "fill:none;stroke:currentColor"),
        (".chance-band", "fill:var(--agree);fill-opacity:.15"),
        (".point,.alike", "fill:var(--agree)"),
        (".medoid", "fill:var(--differ)"),
        (".ring", "fill:none;stroke:currentColor;stroke-width:2"),
        (".ridge", "fill:none;stroke:var(--differ);stroke-width:2"),
        (".lace", "fill:none;stroke:var(--differ)"),
        (".lace.straight", "stroke:var(--agree)"),
        (".levels path", "stroke:var(--agree);stroke-width:1"),
    )
)


def chart_html(chart: Chart[Subject], subject: Subject) -> str:
    """A chart as an HTML fragment, as wide as the notebook."""
    assert chart.svg is not None
    drawing = chart.svg(subject, False).svg(chart.alt(subject))  # noqa: FBT003  (wide)
    return (
        '<div class="concordant-comparison" style="max-width:46em">'
        f"<style>{_STYLE}{_CHART_STYLE}</style>"
        f"{drawing}</div>"
    )


def as_html(data: ReportData) -> str:
    """The comparison as an HTML fragment."""
    todo = advice(data)
    notes = "".join(
        f'<p style="margin:.2em 0">{html.escape(each)}</p>'
        for each in (omission_words(data), below_headline(data))
        if each
    )
    sides = " and ".join(f"{side_words(data, number)} in the {side}" for number, side in enumerate(SIDES))
    numbers = "".join(
        f'<div><b style="font-size:130%">{format_line(line)}</b><br>'
        f'<span style="{_FAINT}">{html.escape(line.index.name)}{", by convention" if line.undefined else ""}'
        f"{f'<br>{data.interval_title} {ends}' if (ends := data.interval_words(line.index)) else ''}"
        "</span></div>"
        for line in data.headline
    )
    noun = "piece" if data.counts.divisible else data.noun
    return (
        f'<div class="concordant-comparison" style="max-width:46em"><style>{_STYLE}{_INDEX_STYLE}</style>'
        f'<p style="font-size:125%;font-weight:600;margin:.2em 0">{html.escape(headline(data))}</p>'
        + notes
        + f'<p style="margin:.2em 0;{_FAINT}">{counted(data.size, noun)}, {sides}</p>'
        + f'<div style="display:flex;gap:2em;margin:.6em 0">{numbers}</div>'
        + (_verdicts(data) if data.shows_verdicts else "")
        + (f'<p style="margin:.4em 0">{html.escape(todo)}</p>' if todo else "")
        + (_costliest(data) if data.shows_overlaps else "")
        + f"{_indices(data)}</div>"
    )


def index_rows(data: ReportData) -> TextRows:
    """A table of the indices shown first, with their intervals if requested."""
    titles = [data.interval_title] if data.intervals else []
    rows = [["", "value", *titles]]
    for line in data.headline:
        value = format_line(line) + (" (by convention)" if line.undefined else "")
        rows.append([line.index.title, value, *([data.interval_words(line.index)] if titles else [])])
    return rows


def index_values(data: ReportData) -> dict[str, dict[str, float]]:
    """The indices that are shown first: their values, and their intervals if they have any."""
    found = {}
    for line in data.headline:
        ends = data.interval_ends(line.index)
        interval = {} if ends is None else dict(zip(("low", "high"), ends, strict=True))
        found[line.index.name] = {"value": line.value, **interval}
    return found


def _verdicts(data: ReportData) -> str:
    """One bar of the elements of the reference, by the verdict on their clusters."""
    side = data.verdicts.reference
    words = [word for word in VERDICTS if side.clusters[word]]
    elements = [side.records[word] for word in words]
    elements += [side.in_no_cluster] if side.in_no_cluster else []
    whole = sum(map(Fraction, elements))  # weights may be beyond floats
    widths = [f"flex:{float(Fraction(count) / whole):.4f} 1 0" for count in elements]
    bar = "".join(
        f'<div style="{width};background:{_COLOURS.of_verdict(word)}"></div>'
        for word, width in zip(words, widths, strict=False)
    )
    shares = [html.escape(percent(count, whole)) for count in elements]
    legend = ", ".join(
        f'<span style="{_KEY};background:{_COLOURS.of_verdict(word)}"></span> {side.clusters[word]:,} {word} '
        f"({share} of the {data.things})"
        for word, share in zip(words, shares, strict=False)
    )
    if side.in_no_cluster:
        hatched = "repeating-linear-gradient(45deg,#888 0 1.5px,transparent 1.5px 6px)"
        share = float(Fraction(side.in_no_cluster) / whole)
        bar += f'<div style="flex:{share:.4f} 1 0;background:{hatched}"></div>'
        outside = f"{amount(side.in_no_cluster, side.unit)} {html.escape(data.outside_labels[0])}"
        legend = f"{legend}, {outside} ({shares[-1]})"
    return (
        f'<div style="{_TRACK};height:1em">{bar}</div>'
        f'<p style="margin:.3em 0">{legend} <span style="{_FAINT}">({data.thresholds})</span></p>'
    )


def _costliest(data: ReportData) -> str:
    text = ""
    for cluster in sorted([*data.mixed, *data.split], key=lambda each: -each.pairs)[:_COSTLIEST]:
        pieces = "".join(
            f'<div title="{html.escape(shortened(printable(piece.label), 60))}: {piece.size:,}" '
            f'style="flex:{piece.size / cluster.size:.4f} 1 0;min-width:1px;margin-right:1px;'
            f'background:{_COLOURS.of_match(piece.match)}"></div>'
            for piece in cluster.pieces
        )
        rest = f'<div style="flex:{cluster.not_shown / cluster.size:.4f} 1 0"></div>'
        kind = "missed" if cluster.side == "reference" else "wrong"
        sentence = html.escape(cluster_sentence(cluster, data.names))
        share = html.escape(percent(cluster.pairs, cluster.total))
        text += (
            f'<div style="margin:.35em 0">{sentence} '
            f'<span style="{_FAINT}">{share} of the {kind} pairs</span>'
            f'<div style="{_TRACK};height:.7em">{pieces}{rest}</div></div>'
        )
    return text


def _indices(data: ReportData) -> str:
    """Every index, folded, with the notes and the signature; bars start at chance, as on pages."""
    listed = [("Most used", data.most_used), *data.families]
    room = room_below(bar_length(line, data.counts) for _, lines in listed for line in lines)
    rows = ""
    for family, lines in listed:
        rows += f'<tr><th colspan="4">{html.escape(family)}</th></tr>'
        for line in lines:
            index, length, drawn = line.index, bar_length(line, data.counts), ""
            if length is not None:
                left, width = bar_edges(length, room)
                edge = ' class="clipped"' if is_clipped(length) else ""
                drawn = f'<div><div{edge} style="margin-left:{left:.1%};width:{width:.1%}"></div></div>'
            title = html.escape(f"{index.title}: {index.formula}")
            chance = f"<td><small>{chance_words(line)}</small></td>" if line.chance is not None else ""
            rows += (
                f'<tr><td title="{title}">{html.escape(index.name)}</td>'
                f"<td>{format_line(line)}</td><td>{drawn}</td>{chance}</tr>"
            )
    foot = "<br>".join(html.escape(line) for line in (*data.notes, data.signature))
    count = sum(len(lines) for _, lines in data.families)
    return (
        f"<details><summary>every index ({count:,}), notes and signature</summary>"
        f'<table class="indices">{rows}</table><p><small>{foot}</small></p></details>'
    )
