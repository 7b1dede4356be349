"""Where two partitions differ, in a few lines for a terminal: the changes counted, the costliest clusters."""

from __future__ import annotations

from typing import Any

from concordant.counts.spelling import percent, printable, shortened
from concordant.report.story import CostlyCluster, Story, sentence
from concordant.report.text.bar import bar

_COSTLIEST = 3
_LABEL, _SENTENCE = 15, 64  # characters


def differences(story: Story) -> str:
    """The summary of changes and the costliest clusters; nothing where only sizes are known."""
    if not story.shows_overlaps:
        return ""
    costliest = sorted([*story.mixed, *story.split], key=lambda cluster: -cluster.pairs)[:_COSTLIEST]
    lines = str(story.change_summary).split("; ")
    digits = max((len(f"{cluster.pairs:,}") for cluster in costliest), default=0)
    for cluster in costliest:  # two lines each, for one would be wider than most terminals
        lines.append(_said(cluster, story))
        lines.append(
            f"  {cluster.pairs:>{digits},} {_pairs_kind(cluster):<12}  {bar(cluster.share)}  "
            f"{percent(cluster.pairs, cluster.total)} of all"
        )
    return "\n  ".join(lines)


def _said(cluster: CostlyCluster, story: Story) -> str:
    return shortened(sentence(cluster, story.names, _short), _SENTENCE)


def _short(label: Any) -> str:
    return shortened(printable(label), _LABEL)


def _pairs_kind(cluster: CostlyCluster) -> str:
    return "missed pairs" if cluster.side == "reference" else "wrong pairs"
