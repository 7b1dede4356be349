"""Where two partitions differ, in a few lines for a terminal: the changes counted, the guiltiest clusters."""

from __future__ import annotations

from typing import Any

from concordant.report.labels import printable, shortened
from concordant.report.story import Culprit, Story, sentence
from concordant.report.text.summary import bar

_GUILTIEST = 3
_LABEL, _SENTENCE = 14, 64  # characters


def differences(story: Story) -> str:
    """The summary of changes and the guiltiest clusters; nothing where only sizes are known."""
    if not story.shows_overlaps:
        return ""
    guilty = sorted([*story.mixed, *story.split], key=lambda culprit: -culprit.pairs)[:_GUILTIEST]
    lines = str(story.count_changes()).split("; ")
    digits = max((len(f"{culprit.pairs:,}") for culprit in guilty), default=0)
    for culprit in guilty:  # two lines each, for one would be wider than most terminals
        lines.append(_said(culprit, story))
        lines.append(
            f"  {culprit.pairs:>{digits},} {_fault(culprit):<12}  {bar(culprit.share)}  "
            f"{_percent(culprit.share)} of all"
        )
    return "\n  ".join(lines)


def _said(culprit: Culprit, story: Story) -> str:
    return shortened(sentence(culprit, story.names, _short), _SENTENCE)


def _short(label: Any) -> str:
    return shortened(printable(label), _LABEL)


def _percent(share: float) -> str:
    return f"{share:.0%}" if share >= 0.01 else "<1%"


def _fault(culprit: Culprit) -> str:
    return "missed pairs" if culprit.side == "reference" else "wrong pairs"
