"""Draws a comparison as text: what matters in 25 lines of 80 columns, or all of it."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap
from typing import Any

from concordant.counts.spelling import counted, percent, percents, printable, shortened
from concordant.differences.verdicts import VERDICTS
from concordant.report.story import CostlyCluster, Story, headline, left_out_words, sentence
from concordant.report.summary import (
    AUDIT_NOTE,
    Line,
    SideSizes,
    Summary,
    bar_of,
    by_chance_words,
    format_line,
    has_negative,
)
from concordant.report.text.bar import bar, index_bar
from concordant.results import text_columns

WIDTH = 79  # characters of a line, on the narrowest terminal that is common
LINES = 25
_COSTLIEST = 3
_LABEL, _LEAST_ROOM = 15, 30  # characters of a label, and of a sentence beside the largest of numbers


def as_text(story: Story, hint: str, lines: int = LINES) -> str:
    """The story and the indices most used, in no more than these lines; the hint says how to get the rest."""
    blocks = [_head(story), _verdicts(story), _headline_indices(story.summary)]
    foot = [line for note in _short_notes(story) for line in wrap(note, WIDTH)]
    foot.append(f"({hint})")
    used = sum(len(block) + 1 for block in blocks if block) + len(foot)
    costliest = _costliest(story)[: max(lines - used - 1, 0)]
    return "\n\n".join("\n".join(block) for block in (*blocks, costliest, foot) if block)


def as_full_text(story: Story) -> str:
    """Every index by family, below the story."""
    summary = story.summary
    blocks = [_head(story), _pairs(summary), _verdicts(story), _headline_indices(summary)]
    if story.shows_overlaps:
        blocks.append([f"blocks: {story.verdicts.blocks}", *_costliest(story)])
    blocks += [_family(name, lines) for name, lines in summary.families]
    blocks.append([*summary.notes, summary.signature])
    return "\n\n".join("\n".join(block) for block in blocks if block)


def _head(story: Story) -> list[str]:
    lines = [line for said in (headline(story), left_out_words(story)) for line in wrap(said, WIDTH)]
    sides = " against ".join(map(_sizes, story.summary.sides))
    return [*lines, *wrap(f"{counted(story.size, 'element')}; {sides}", WIDTH)]


def _sizes(side: SideSizes) -> str:
    clusters = counted(side.clusters, "cluster")
    if not side.clusters:
        return clusters
    sizes = (
        f"{side.smallest:,}" if side.smallest == side.largest else f"{side.smallest:,} to {side.largest:,}"
    )
    return f"{clusters} of {sizes}"


def _pairs(summary: Summary) -> list[str]:
    if not summary.has_pairs:
        return ["pairs  too many to be counted"]
    together, only_u, only_v, apart = (f"{x:,}" for x in summary.pairs)
    return [
        f"pairs  {together} together in both, {only_u} in the reference only,",
        f"       {only_v} in the candidate only, {apart} apart in both",
    ]


def _verdicts(story: Story) -> list[str]:
    """The verdicts that occur, in clusters and in elements of the reference; and what they mean."""
    if not story.shows_verdicts:
        return []
    side = story.verdicts.reference
    words = [word for word in VERDICTS if side.clusters[word]]
    rows = [[word, f"{side.clusters[word]:,}", f"{side.records[word]:,}"] for word in words]
    head, *lines = text_columns([["reference", "clusters", "elements"], *rows])
    shares = percents([side.records[word] for word in words])
    bars = [
        f"  {line}  {bar(side.records[word] / side.size)}  {share}"
        for line, word, share in zip(lines, words, shares, strict=True)
    ]
    return [f"  {head}  ({story.thresholds})", *bars]


def _headline_indices(summary: Summary) -> list[str]:
    rows = [[line.index.name, f"{format_line(line):>9}"] for line in summary.headline]
    bars = [bar_of(line, summary.size) for line in summary.headline]
    room_below = has_negative(bars)
    return [
        f"  {text}  {index_bar(bar, room_below=room_below)}  {_range(line)}".rstrip()
        for text, bar, line in zip(text_columns(rows), bars, summary.headline, strict=True)
    ]


def _range(line: Line) -> str:
    """What to read the value by: what chance gives, where that is known, else the range."""
    if line.undefined:
        return "by convention"
    return line.index.range_text if line.chance is None else by_chance_words(line)


def _short_notes(story: Story) -> list[str]:
    """Of the notes, those that say what the story leaves out, and what was found in the sources."""
    if story.shows_overlaps or not story.size:
        return [note for note in story.summary.notes if note.startswith(AUDIT_NOTE)]
    return list(story.summary.notes)


def _costliest(story: Story) -> list[str]:
    """The clusters to blame for most, with their share of the missed or the wrong pairs."""
    if not story.shows_overlaps:
        return []
    found = sorted([*story.mixed, *story.split], key=lambda cluster: -cluster.pairs)[:_COSTLIEST]
    digits = max((len(f"{each.pairs:,}") for each in found), default=0)
    shares = [
        f"{each.pairs:>{digits},} {_kind(each)}, {percent(each.pairs, each.total)} of all" for each in found
    ]
    room = max(WIDTH - 4 - max(map(len, shares), default=0), _LEAST_ROOM)
    return [
        f"  {shortened(sentence(each, story.names, _short), room):<{room}}  {share}"
        for each, share in zip(found, shares, strict=True)
    ]


def _short(label: Any) -> str:
    return shortened(printable(label), _LABEL)


def _kind(cluster: CostlyCluster) -> str:
    kind = "missed" if cluster.side == "reference" else "wrong"
    return f"{kind} pair" if cluster.pairs == 1 else f"{kind} pairs"


def _family(family: str, lines: Sequence[Line]) -> list[str]:
    """Two columns, read downwards; one where two would be too wide."""
    cells = text_columns([[line.index.name, format_line(line)] for line in lines])
    fits = 2 * max(map(len, cells), default=0) + 5 <= WIDTH
    half = (len(cells) + 1) // 2 if fits else len(cells)
    right = [*cells[half:], *[""] * half][:half]
    return [family, *(f"  {a}   {b}".rstrip() for a, b in zip(cells[:half], right, strict=True))]
