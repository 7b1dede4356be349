"""A comparison as text: what matters in 25 lines of at most 80 columns, or all of it."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING

from concordant.differences.verdicts import VERDICTS
from concordant.foundation.spelling import counted, percent
from concordant.foundation.text_layout import WIDEST, cell_width, folded, line_width, text_columns
from concordant.report.labels import spelled_label
from concordant.report.report_data import ReportData
from concordant.report.sentences import (
    advice,
    below_headline,
    cluster_sentence,
    headline,
    omission_words,
    side_words,
)
from concordant.report.values import (
    ROOM_BELOW,
    Line,
    bar_length,
    chance_words,
    drawn_length,
    format_interval,
    format_line,
    is_clipped,
    room_below,
)

if TYPE_CHECKING:
    from concordant.inference.interval import Interval

LINES = 25
_COSTLIEST = 3
_LABEL = 28  # cells of a label
_BAR_CELLS, _FEWEST_BAR_CELLS = 20, 10
_EIGHTHS = " ▏▎▍▌▋▊▉"


def as_text(data: ReportData, hint: str, lines: int = LINES) -> str:
    """The headline and the indices most used, in at most these lines; the hint is how to get the rest."""
    blocks = [_head(data), _verdicts(data), _headline_indices(data), _wrapped(advice(data))]
    notes = [data.audit_note] if data.shows_overlaps or not data.size else data.notes
    foot = [line for note in notes for line in _wrapped(note)]
    foot.append(f"({hint})")
    lines = lines * WIDEST // line_width()  # narrow lines hold less, so there are more of them
    used = sum(len(block) + 1 for block in blocks if block) + len(foot)
    costliest: list[str] = []
    for item in _costliest(data):
        if used + 1 + len(costliest) + len(item) > lines:
            break
        costliest += item
    return "\n\n".join("\n".join(block) for block in (*blocks, costliest, foot) if block)


def as_full_text(data: ReportData) -> str:
    """Every index by family, below the headline."""
    pairs = ["pairs  too many to be counted"]
    if data.pairs is not None:
        together, only_u, only_v, apart = (f"{x:,}" for x in data.pairs)
        pairs = [
            part
            for line in (
                f"pairs  {together} together in both, {only_u} in the reference only,",
                f"       {only_v} in the candidate only, {apart} apart in both",
            )
            for part in _wrapped(line, others=" " * 7)
        ]
    blocks = [_head(data), pairs, _verdicts(data), _headline_indices(data), _wrapped(advice(data))]
    if data.shows_overlaps:
        components = _wrapped(f"components: {data.verdicts.components._whole_text()}")
        blocks.append([*components, *(line for item in _costliest(data) for line in item)])
    for family, members in data.families:
        # Two columns, read downwards; one where two would be too wide.
        cells = text_columns([[line.index.name, format_line(line)] for line in members])
        fits = 2 * max(map(len, cells), default=0) + 5 <= line_width()
        half = (len(cells) + 1) // 2 if fits else len(cells)
        right = [*cells[half:], *[""] * half][:half]
        blocks.append([family, *(f"  {a}   {b}".rstrip() for a, b in zip(cells[:half], right, strict=True))])
    blocks.append([*data.notes, data.signature])
    return "\n\n".join("\n".join(block) for block in blocks if block)


def _head(data: ReportData) -> list[str]:
    sides = []
    for number in range(2):
        sizes = {} if data.counts.divisible else data.sizes_without_noise(number)  # pieces have no size
        extent = f" of {min(sizes):,} to {max(sizes):,}" if len(sizes) > 1 else ""
        sides.append(side_words(data, number, extent if extent or not sizes else f" of {min(sizes):,}"))
    noun = "piece" if data.counts.divisible else data.noun
    all_sizes = f"{counted(data.size, noun)}; {' against '.join(sides)}"
    texts = headline(data), omission_words(data), below_headline(data), all_sizes
    return [line for text in texts for line in _wrapped(text)]


def _verdicts(data: ReportData) -> list[str]:
    """The verdicts that occur, in clusters and in elements of the reference, with their thresholds."""
    if not data.shows_verdicts:
        return []
    side = data.verdicts.reference
    words = [word for word in VERDICTS if side.clusters[word]]
    rows = [[word, f"{side.clusters[word]:,}", _number(side.records[word])] for word in words]
    elements = [side.records[word] for word in words]
    if side.in_no_cluster:
        rows.append([data.outside_labels[0], "", _number(side.in_no_cluster)])
        elements.append(side.in_no_cluster)
    whole = sum(map(Fraction, elements))  # weights may be beyond floats
    shares = [percent(count, whole) for count in elements]
    head, *lines = text_columns([["reference", f"{data.cluster_noun}s", data.things], *rows])
    bars = [
        f"  {line}  {text_bar(float(Fraction(count) / whole), _bar_cells(cell_width(lines[0]) + 9))}  {share}"
        for line, count, share in zip(lines, elements, shares, strict=True)
    ]
    thresholds = f"({data.thresholds})"
    if cell_width(head) + len(thresholds) + 4 > line_width():
        return [f"  {head}", *bars, *_wrapped(thresholds, "  ", "  ")]
    return [f"  {head}  {thresholds}", *bars]


def _bar_cells(others: int) -> int:
    """The cells of a bar in lines with this many other cells."""
    return max(min(_BAR_CELLS, line_width() - others), _FEWEST_BAR_CELLS)


def _scale(line: Line) -> str:
    """How to read a value: by chance where that is known, else by the range."""
    if line.undefined:
        return "by convention"
    return line.index.range_text if line.chance is None else chance_words(line)


def _number(count: float) -> str:
    return f"{count:,}" if isinstance(count, int) else f"{count:,.6g}"


def _headline_indices(data: ReportData) -> list[str]:
    lines: list[str] = []
    rows = [[line.index.name, f"{format_line(line):>9}"] for line in data.headline]
    bars = [bar_length(line, data.counts) for line in data.headline]
    has_room = room_below(bars) > 0
    texts, scales = text_columns(rows), [_scale(line) for line in data.headline]
    others = max(map(len, texts), default=0) + max(map(len, scales), default=0) + 7
    for text, bar, scale, line in zip(texts, bars, scales, data.headline, strict=True):
        drawn = f"  {text}  {index_bar(bar, room_below=has_room, cells=_bar_cells(others))}"
        fits = others + _FEWEST_BAR_CELLS <= line_width()
        lines += [f"{drawn}  {scale}".rstrip()] if fits else [drawn, f"    {scale}".rstrip()]
        if interval := data.intervals.get(line.index.name):
            lines.append(f"    {data.interval_title} {format_interval(interval)}")
    return lines + interval_notes(data.intervals.values())


def interval_notes(intervals: Iterable[Interval]) -> list[str]:
    """A line for each way in which intervals were computed, with the indices that it was used for."""
    indices: dict[str, list[str]] = {}
    for each in intervals:
        indices.setdefault(each.basis if each.estimable else each.note, []).append(each.index)
    several = len(indices) > 1
    notes = (f"{', '.join(names) if several else 'intervals'}: {way}" for way, names in indices.items())
    return [line for note in notes for line in _wrapped(note, "  ", "    ")]


def _wrapped(text: str, first: str = "", others: str = "") -> list[str]:
    """Lines of the width of a terminal; a word is never broken."""
    if not text:
        return []
    return folded(first + text, line_width(), len(others) - len(first)).split("\n")


def _costliest(data: ReportData) -> list[list[str]]:
    """The costliest clusters with their share of the missed or the wrong pairs, each as several lines."""
    if not data.shows_overlaps:
        return []
    part = data.differing
    found = sorted([*part.mixed, *part.split], key=lambda cluster: -cluster.pairs)[:_COSTLIEST]
    digits, items = max((len(f"{each.pairs:,}") for each in found), default=0), []
    for each in found:
        kind = f"{'missed' if each.side == 'reference' else 'wrong'} pair{'' if each.pairs == 1 else 's'}"
        share = f"{each.pairs:>{digits},} {kind}, {percent(each.pairs, each.total)} of all"
        sentence = cluster_sentence(each, data.names, partial(spelled_label, length=_LABEL))
        items.append(_wrapped(f"{share}: {sentence}", "  ", "    "))
    return items


def text_bar(share: float | None, cells: int = _BAR_CELLS) -> str:
    """A bar of text, as full as the share; blank where there is none.

    >>> text_bar(0.33)
    '██████▋·············'
    """
    if share is None:
        return " " * cells
    whole, part = divmod(round(share * cells * 8), 8)
    return ("█" * whole + (_EIGHTHS[part] if part else "")).ljust(cells, "·")


def index_bar(length: float | None, *, room_below: bool, cells: int = _BAR_CELLS) -> str:
    """The bar of an index; with space below, it starts at a line, and negative values are left of it.

    >>> index_bar(0.33, room_below=False), index_bar(-0.1, room_below=True)
    ('██████▋·············', '  ██│················')
    >>> index_bar(-3.0, room_below=True)
    '◂███│················'
    """
    above = None if length is None else max(length, 0.0)
    if not room_below:
        return text_bar(above, cells)
    high = cells - cells // 5  # the rest is for values below, with a cell for the line
    below = 0.0 if length is None else max(-drawn_length(length), 0.0)
    filled = max(round(below * high), 1) if below else 0
    left = ("█" * filled).rjust(round(ROOM_BELOW * high))
    left = "◂" + left[1:] if length is not None and is_clipped(length) else left
    return f"{left}│{text_bar(above, high)}"
