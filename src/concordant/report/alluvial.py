"""Which clusters an alluvial picture draws, in which order and colour, and how elements flow between them.

Of each partition the largest clusters are drawn, and the others are gathered as one. Elements that a
partition does not hold stand in a bar of their own, so that every bar is as high as what it holds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count, pairwise
from typing import Any, Literal

import numpy as np

from concordant.counts.arithmetic import Integers, sums_by
from concordant.differences.events import Stage, Step

HUES = 8  # how many colours there are
_SWEEPS = 4


@dataclass(slots=True)
class Bar:
    """A cluster, the gathered others, or the elements that this partition does not hold."""

    kind: Literal["cluster", "other", "absent"]
    label: Any
    size: int
    gathered: int = 0  # how many clusters
    colour: int | None = None  # its place among the hues, the same for a cluster and what it mostly becomes
    thread: int | None = None  # the same number for a cluster and what it mostly becomes, and for no other


@dataclass(frozen=True, slots=True, eq=False)
class Alluvial:
    """The bars of each partition from top to bottom, and the elements that flow between them."""

    names: tuple[str, ...]
    columns: tuple[tuple[Bar, ...], ...]
    flows: tuple[Integers, ...]  # one table a step: elements from each bar to each bar of the next
    alike: tuple[float, ...] = ()  # the adjusted Rand index of each step, over the elements of both

    @property
    def gathered(self) -> int:
        """How many clusters are not drawn by themselves."""
        return sum(bar.gathered for column in self.columns for bar in column)


def arranged(
    stages: Sequence[Stage], steps: Sequence[Step], limit: int, alike: Sequence[float] = ()
) -> Alluvial:
    """At most ``limit`` clusters of each partition, ordered so that bands cross little."""
    chosen = [_largest(stage.sizes, limit) for stage in stages]
    columns = [_bars(stage, each) for stage, each in zip(stages, chosen, strict=True)]
    places = [_Places(stage.sizes, each) for stage, each in zip(stages, chosen, strict=True)]
    flows = [_crossed(step, *both) for step, both in zip(steps, pairwise(places), strict=True)]
    _count_the_absent(columns, flows)
    _colour(columns, flows)
    orders = _orders(columns, flows)
    return Alluvial(
        tuple(stage.name for stage in stages),
        tuple(tuple(bars[i] for i in order) for bars, order in zip(columns, orders, strict=True)),
        tuple(flow[np.ix_(here, there)] for flow, (here, there) in zip(flows, pairwise(orders), strict=True)),
        tuple(alike),
    )


# -- which bars, and how they flow --------------------------------------------------------------------


def _largest(sizes: Integers, limit: int) -> list[int]:
    order = np.argsort(-sizes, kind="stable")[: limit + 1].tolist()
    there = [place for place in order if sizes[place] > 0]
    if len(there) <= limit:
        return there
    return (
        there[:limit] if np.count_nonzero(sizes) > limit + 1 else there
    )  # a single one need not be gathered


def _bars(stage: Stage, chosen: list[int]) -> list[Bar]:
    """The chosen clusters, the others, and the absent, which are counted later."""
    bars = [Bar("cluster", stage.label(place), int(stage.sizes[place])) for place in chosen]
    gathered = int(np.count_nonzero(stage.sizes)) - len(chosen)
    rest = int(stage.sizes.sum()) - sum(bar.size for bar in bars)
    return [*bars, Bar("other", None, rest, gathered), Bar("absent", None, 0)]


class _Places:
    """Which bar each cluster is drawn in."""

    def __init__(self, sizes: Integers, chosen: list[int]) -> None:
        self.bar = np.full(len(sizes), len(chosen))
        self.bar[chosen] = np.arange(len(chosen))
        self.held = sums_by(self.bar, sizes, len(chosen) + 1)


def _crossed(step: Step, here: _Places, there: _Places) -> Integers:
    """Elements from bar to bar; the last row and column are those that one side does not hold."""
    height, width = len(here.held), len(there.held)
    flat = here.bar[step.source] * width + there.bar[step.target]
    inner = sums_by(flat, step.shared, height * width).reshape(height, width)
    flow = np.zeros((height + 1, width + 1), dtype=np.int64)
    flow[:-1, :-1] = inner
    flow[:-1, -1] = here.held - inner.sum(axis=1)
    flow[-1, :-1] = there.held - inner.sum(axis=0)
    return flow


def _count_the_absent(columns: list[list[Bar]], flows: list[Integers]) -> None:
    for place, column in enumerate(columns):
        gone = int(flows[place - 1][:, -1].sum()) if place else 0
        new = int(flows[place][-1].sum()) if place < len(flows) else 0
        column[-1].size = max(gone, new)


def _colour(columns: list[list[Bar]], flows: list[Integers]) -> None:
    """A cluster keeps the colour of the one it shares most with, if that one shares most with it, too.

    Others get one that is rare in their column, and in the one before.
    """
    before: Counter[int | None] = Counter()
    threads = count()
    for place, column in enumerate(columns):
        clusters = [bar for bar in column if bar.kind == "cluster"]
        for i, bar in enumerate(clusters):
            parent = _parent_of(columns[place - 1], flows[place - 1], i) if place else None
            if parent is not None:
                bar.colour, bar.thread = parent.colour, parent.thread
        here = Counter(bar.colour for bar in clusters)
        for bar in clusters:
            if bar.colour is None:
                bar.colour = min(range(HUES), key=lambda hue: (here[hue], before[hue]))
                bar.thread = next(threads)
                here[bar.colour] += 1
        before = here


def _parent_of(before: list[Bar], flow: Integers, i: int) -> Bar | None:
    clusters = len(before) - 2
    if not clusters:
        return None
    source = int(flow[:clusters, i].argmax())
    return before[source] if flow[source, i] and flow[source, :-2].argmax() == i else None


def _orders(columns: list[list[Bar]], flows: list[Integers]) -> list[list[int]]:
    """Clusters near what they come from and go to, then the others, then the absent, empty ones left out."""
    height = [np.argsort(np.arange(len(column)), kind="stable").astype(float) for column in columns]
    for sweep in range(_SWEEPS):
        forward = sweep % 2 == 0
        for place in range(1, len(columns)) if forward else range(len(columns) - 2, -1, -1):
            flow = flows[place - 1].T if forward else flows[place]
            near = height[place - 1 if forward else place + 1]
            weight = flow[:, :-2].sum(axis=1)
            centre = (flow[:, :-2] * near[:-2]).sum(axis=1) / np.maximum(weight, 1)
            centre = np.where(weight > 0, centre, height[place])
            centre[-2:] = np.inf  # the others and the absent stay at the bottom
            height[place][np.argsort(centre, kind="stable")] = np.arange(len(centre))
    return [
        [i for i in np.argsort(h, kind="stable").tolist() if column[i].size]
        for h, column in zip(height, columns, strict=True)
    ]
