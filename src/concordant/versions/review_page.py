"""The page on which a person answers questions about pairs of records: the same entity or not?"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from concordant.foundation.spelling import counted, printable
from concordant.report.labels import PageLabels
from concordant.report.pages.page import Page, Section, as_json, escape

_STYLE = """
.pair table { width: 100%; border-collapse: collapse; table-layout: fixed; }
.pair th, .pair td { text-align: left; vertical-align: top; padding: 6px 10px; }
.pair tr { border-bottom: 1px solid var(--line); }
.pair th { font-weight: 550; color: var(--muted); }
.pair th:first-child { width: 22%; }
.pair tr.differs td { font-weight: 650; }
.answers { display: flex; flex-wrap: wrap; gap: 10px; align-items: center; margin-top: 18px; }
.answers :is(button, input) { padding: 8px 14px; border-radius: 8px; background: var(--paper); }
.answers :is(button, input) { border: 1px solid var(--line); }
.answers button[aria-pressed=true] { outline: 2px solid var(--ink); font-weight: 650; }
#done { width: 100%; margin: 12px 0; }
.pair + .pair { margin-top: 28px; }
.one-by-one .pair { margin-top: 0; }
html:not(.one-by-one) .answers, html:not(.one-by-one) #done { display: none; }
@media print { .answers, #done { display: none; } }
"""
_BUTTONS = (("yes", "Same", "y"), ("no", "Different", "n"), ("unsure", "Unsure", "?"))


@dataclass(frozen=True, slots=True)
class ReviewPair:
    """A question: two records, and the values of the columns to show of each."""

    question: str
    records: tuple[Any, Any]
    shown: tuple[tuple[Any, ...], tuple[Any, ...]] = ((), ())


def review_page(pairs: Sequence[ReviewPair], headline: str, columns: Sequence[str]) -> Page:
    """The page. It does not reveal which run joined a pair."""
    names = [(pair.question, *map(str, pair.records)) for pair in pairs]
    key = hashlib.sha256(as_json(names).encode()).hexdigest()[:16]  # keeps other questions' answers apart
    labels = PageLabels()
    articles = "".join(_article(pair, columns) for pair in pairs)
    answers = "".join(
        f'<button type="button" data-answer="{word}" aria-pressed="false" aria-keyshortcuts="{shortcut}">'
        f"{title} <small>({shortcut})</small></button>"
        for word, title, shortcut in _BUTTONS
    )
    body = (
        f'<p id="progress" role="status">{counted(len(pairs), "question")}</p>'
        f'<progress id="done" max="{len(pairs)}" value="0" aria-label="questions answered"></progress>'
        f'<div id="questions" data-key="{key}">{articles}</div>'
        f'<div class="answers" role="group" aria-label="Answer">{answers}'
        '<button type="button" data-step="back" aria-keyshortcuts="ArrowLeft">‹ back</button>'
        '<button type="button" data-step="forward" aria-keyshortcuts="ArrowRight">forward ›</button></div>'
        '<div class="answers"><label for="judge">Your name</label>'
        '<input id="judge" type="text" autocomplete="off" spellcheck="false">'
        '<button type="button" data-step="save">Save answers (CSV)</button></div>'
    )
    lead = (
        "Press <b>y</b> if both records are the same entity, <b>n</b> if not, <b>?</b> if you do not know, "
        "and the arrow keys to go back and forward. Your answers stay in this browser until you save them."
    )
    return Page(
        title="Questions about pairs of records",
        sections=[Section("Are these two records the same entity?", body, lead=lead)],
        headline=headline,
        labels=labels,
        style=_STYLE,
        script="review.js",
    )


def _article(pair: ReviewPair, columns: Sequence[str]) -> str:
    rows = [("record", *pair.records), *zip(columns, *pair.shown, strict=True)]
    body = "".join(
        f"<tr{'' if place == 0 or _shown(one) == _shown(other) else ' class=differs'}>"
        f'<th scope="row">{escape(printable(title))}</th>'
        f"<td><bdi>{escape(_shown(one))}</bdi></td><td><bdi>{escape(_shown(other))}</bdi></td></tr>"
        for place, (title, one, other) in enumerate(rows)
    )
    one, other = (escape(str(record)) for record in pair.records)
    return (
        f'<article class="pair" data-question="{escape(pair.question)}" data-a="{one}" data-b="{other}">'
        f'<table aria-label="{escape(pair.question)}"><thead><tr><td></td><th scope="col">A</th>'
        f'<th scope="col">B</th></tr></thead><tbody>{body}</tbody></table></article>'
    )


def _shown(value: Any) -> str:
    """A value as judges see it, whole; a missing one is empty."""
    return "" if value is None or value == "" else printable(value)
