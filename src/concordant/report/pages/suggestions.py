"""The part of a page that says which single edit of the candidate would help most."""

from __future__ import annotations

from collections.abc import Iterator

from concordant.counts.spelling import counted
from concordant.differences.suggestions import MOST_ELEMENTS, Suggestion
from concordant.report.pages.cards import ClusterLinks
from concordant.report.pages.page import Section, escape, sortable_table
from concordant.report.story import MOST_EDITS, Story
from concordant.report.summary import format_value


def suggestions_section(story: Story, links: ClusterLinks) -> Iterator[Section]:
    """The edits that help most, each with the exact value after it; or why they are not there."""
    if story.profile.identical or story.is_loose or story.size > MOST_ELEMENTS:
        return
    name = "What to mend first"
    if story.single_edits > MOST_EDITS:
        said = (
            f"Edits are suggested here where there are up to {MOST_EDITS:,} to try, and there are about "
            f"{story.single_edits:,}; <code>c.suggest()</code> finds the best of them."
        )
        yield Section(name, f'<p class="note">{said}</p>', key="suggestions")
        return
    edits = story.suggestions
    if not edits:
        return
    rows = "".join(_row(each, links) for each in edits)
    heads = [("Edit of the candidate", ""), (escape(edits.by), "number"), ("Gain", "number")]
    lead = (
        f"Single edits, each judged by itself: <code>{escape(edits.by)}</code> is "
        f"{format_value(edits.value)} now, and would be this after the edit."
    )
    yield Section(name, sortable_table("edits", heads, rows, name), lead=lead, key="suggestions")


def _row(edit: Suggestion, links: ClusterLinks) -> str:
    return f"<tr><td>{_said(edit, links)}</td>{_number(edit.value)}{_number(edit.gain)}</tr>"


def _said(edit: Suggestion, links: ClusterLinks) -> str:
    clusters = [links.html("candidate", label) for label in edit.clusters]
    records = counted(edit.records, "record")
    about = f"of {links.html('reference', edit.reference)}"
    if edit.kind == "merge":
        return f"merge {clusters[1]}, {records}, into {clusters[0]}"
    if edit.kind == "split":
        return f"split {clusters[0]}: take out {records} {about}"
    who = "1 record" if edit.record is None else links.text(edit.record)
    return f"move {who} {about} from {clusters[0]} to {clusters[1]}"


def _number(value: float) -> str:
    return f'<td class="number" data-value="{value!r}">{format_value(value)}</td>'
