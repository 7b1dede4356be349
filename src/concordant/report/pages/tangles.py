"""The part of a page that shows where tangles come apart."""

from __future__ import annotations

from collections.abc import Iterator

from concordant.counts.sides import SideName
from concordant.counts.spelling import counted
from concordant.differences.components import Tangle
from concordant.report.charts.flow import flow_svg
from concordant.report.pages.cards import ClusterLinks
from concordant.report.pages.page import Section, escape
from concordant.report.picture import pick
from concordant.report.story import FLOW, Story

_LISTED = 8  # overlaps of a cut


def tangles_section(story: Story, links: ClusterLinks) -> Iterator[Section]:
    """The costliest tangles, each with the fewest records that part it."""
    tangles = story.tangles
    if not tangles:
        return
    more = f" Not drawn: {counted(tangles.omitted, 'more tangle')}." if tangles.omitted else ""
    lead = (
        "Clusters that overlap crosswise, and the fewest records without which each tangle falls into two "
        "blocks: a minimum cut of the graph of overlaps, which is exact. The overlaps to cut "
        "are dashed, in the flow above where it shows the whole tangle, else in a drawing of the clusters "
        "around the cut." + more
    )
    body = "".join(_tangle(story, tangle, links) for tangle in tangles)
    yield Section("Where tangles come apart", body, lead=lead, key="tangles", short="Tangles")


def _tangle(story: Story, tangle: Tangle, links: ClusterLinks) -> str:
    what = (
        f"{counted(tangle.references, 'cluster')} of the reference with {tangle.candidates:,} of the "
        f"candidate, {counted(tangle.size, 'record')}"
    )
    return f"<h3>{what}</h3><p>{_said(tangle, links)}</p>{_drawn(story, tangle, what)}"


def _said(tangle: Tangle, links: ClusterLinks) -> str:
    if not tangle.cut:
        return escape(f"{tangle.note[0].upper()}{tangle.note[1:]}.")
    named = ", ".join(
        f"{overlap.size:,} of {links.html('reference', overlap.reference)} in "
        f"{links.html('candidate', overlap.candidate)}"
        for overlap in tangle.cut[:_LISTED]
    )
    more = f" and {len(tangle.cut) - _LISTED:,} more overlaps" if len(tangle.cut) > _LISTED else ""
    parts = " and ".join(
        f"a {part.kind} block of {part.size:,} "
        f"({part.references:,} with {counted(part.candidates, 'cluster')})"
        for part in tangle.parts
    )
    return f"Without {counted(tangle.records, 'record')} ({named}{more}) it falls into {parts}."


def _drawn(story: Story, tangle: Tangle, what: str) -> str:
    """The tangle by itself, unless the flow above shows all of it."""
    seen: tuple[tuple[SideName, tuple[int, ...], int], ...] = (
        ("reference", tangle.rows, tangle.references),
        ("candidate", tangle.columns, tangle.candidates),
    )
    in_flow = all(
        len(places) == count and all(story.flow.shows(side, place) for place in places)
        for side, places, count in seen
    )
    if not tangle.cut or in_flow:
        return ""
    picture = pick(story.profile, story.labels, story.judged, FLOW, chosen=(tangle.rows, tangle.columns))
    shapes = (("wide", False), ("narrow", True))
    drawings = ""
    for shape, narrow in shapes:
        drawing = flow_svg(picture, story.names, narrow=narrow, cut=tangle.cut_cells)
        drawings += f'<div class="{shape}">{drawing.svg(f"Tangle of {what}")}</div>'
    return f'<figure data-chart="tangle">{drawings}</figure>'
