"""Many partitions as a consensus sees them: items that none separates, and losses as sums over sizes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log2
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from concordant import core
from concordant.partitions.labels import Codes

LossName = Literal["vi", "binder", "omari", "nvi", "id", "nid"]
LOSSES: tuple[LossName, ...] = ("vi", "binder", "omari", "nvi", "id", "nid")

ItemNumbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Loss:
    """A loss between an estimate and a draw; ``price`` is the cost of separating items that are together."""

    name: LossName
    price: float

    @property
    def is_of_pairs(self) -> bool:
        return self.name in ("binder", "omari")

    @property
    def is_linear(self) -> bool:
        """Whether it is a sum over components, and equal items stay together."""
        return self.name in ("vi", "binder")

    def total(self, labels: ItemNumbers, weight: ItemNumbers) -> float:
        """The sum of x² or x log2 x over the clusters of these items."""
        sizes = np.bincount(labels, weights=weight).astype(np.float64)
        return float((sizes * sizes if self.is_of_pairs else sizes * np.log2(np.maximum(sizes, 1.0))).sum())

    def of(self, s: float, o: float, d: float, n: int) -> float:
        """The loss by the sums of f over the estimate's clusters, the overlaps, and the draw's clusters."""
        whole = float(n) * n if self.is_of_pairs else n * log2(n) if n else 0.0
        if self.is_linear:
            scale = max(float(n) * n if self.is_of_pairs else float(n), 1.0)
            return max(self.price * (d - o) + (2 - self.price) * (s - o), 0.0) / scale
        if self.name == "omari":
            return 1 - _adjusted_rand(s, o, d, n)
        if self.name == "nvi":
            return (d + s - 2 * o) / (whole - o) if whole > o else 0.0
        if self.name == "id":
            return (max(d, s) - o) / max(n, 1)
        return 1 - (whole + o - d - s) / (whole - min(d, s)) if whole > min(d, s) else 0.0


def _adjusted_rand(s: float, o: float, d: float, n: int) -> float:
    pairs = n * (n - 1) / 2
    both, in_d, in_s = (o - n) / 2, (d - n) / 2, (s - n) / 2
    expected = in_d * in_s / pairs if pairs else 0.0
    most = (in_d + in_s) / 2 - expected
    return (both - expected) / most if most > 0 else 1.0


class Items:
    """Elements that no draw separates, as one item each; ``whole`` keeps every element apart."""

    size: int
    threads: int
    cluster: NDArray[np.int64]

    def __init__(self, draws: Sequence[Codes], threads: int = 0, *, whole: bool = False) -> None:
        self.size, self.threads = len(draws[0]), threads
        if whole:
            self.of_element: ItemNumbers = np.arange(self.size)
            first = self.of_element
        else:
            self.of_element, first = core.factorize(np.asarray(draws[0]))
            for draw in draws[1:]:
                key = self.of_element * (int(np.max(draw, initial=0)) + 1) + np.asarray(draw, dtype=np.int64)
                self.of_element, first = core.factorize(key)
        self.weight: ItemNumbers = np.bincount(self.of_element, minlength=len(first)).astype(np.int64)
        columns = [core.factorize(np.ascontiguousarray(draw[first]))[0] for draw in draws]
        self.cluster = np.stack(columns, axis=1) if len(first) else np.empty((0, len(draws)), dtype=np.int64)

    def __len__(self) -> int:
        return len(self.weight)

    def some(self, chosen: NDArray[np.bool_]) -> Items:
        """Some of the items only."""
        part = object.__new__(Items)
        part.weight, part.threads = self.weight[chosen], self.threads
        part.size = int(part.weight.sum())
        part.of_element = np.empty(0, dtype=np.int64)
        columns = [core.factorize(np.ascontiguousarray(column))[0] for column in self.cluster[chosen].T]
        part.cluster = np.stack(columns, axis=1)
        return part

    @property
    def flat(self) -> ItemNumbers:
        """The clusters item by item, as the core expects them."""
        return np.ascontiguousarray(self.cluster, dtype=np.int64).ravel()

    def overlaps(self, loss: Loss) -> NDArray[np.float64]:
        """The sum of f over the overlaps of each two draws; for a draw with itself, over its clusters."""
        count = self.cluster.shape[1]
        sums = core.draw_overlaps(self.flat, self.weight, [1.0] * count, loss.name, self.threads)
        return np.array(sums).reshape(count, count)

    def losses(self, labels: ItemNumbers, loss: Loss) -> NDArray[np.float64]:
        """The loss of an estimate, a label for each item, against each draw."""
        own, found = loss.total(labels, self.weight), []
        for column in self.cluster.T:
            width = int(column.max(initial=0)) + 1
            cell = core.factorize(np.ascontiguousarray(labels * width + column))[0]
            met, draw = loss.total(cell, self.weight), loss.total(column, self.weight)
            found.append(loss.of(own, met, draw, self.size))
        return np.array(found)


def losses_of_draws(items: Items, loss: Loss) -> NDArray[np.float64]:
    """The loss of each draw as an estimate, against each draw."""
    met = items.overlaps(loss)
    own = np.diag(met)
    count = len(own)
    pairs = [loss.of(own[e], met[e, d], own[d], items.size) for e in range(count) for d in range(count)]
    return np.array(pairs).reshape(count, count)


def lower_bound(
    items: Items,
    loss: Loss,
    share: NDArray[np.float64],
    label: ItemNumbers,
    proven: NDArray[np.bool_],
    *,
    between: NDArray[np.float64],
) -> float:
    """A lower bound of the loss: exact where proven, else from the triangle inequality or from pairs."""
    scale = items.size**2 if loss.is_of_pairs else items.size
    total, threads = float(share.sum()), items.threads
    if not loss.is_linear:
        if proven.all():
            return float(items.losses(label, loss) @ share / total)
        return 0.0 if loss.name == "omari" else _by_triangle(between, share)
    bound = 0.0
    if proven.any():
        part = items.some(proven)
        exact = part.losses(label[proven], loss) @ share / total
        bound += float(exact) * (part.size**2 if loss.is_of_pairs else part.size)
    if not proven.all():
        part = items.some(~proven) if proven.any() else items
        if proven.any() or loss.price != 1:
            between = losses_of_draws(part, Loss(loss.name, 1.0))
        least = (
            min(loss.price, 2 - loss.price)
            * _by_triangle(between, share)
            * (part.size**2 if loss.is_of_pairs else part.size)
        )
        if loss.is_of_pairs:
            by_pairs = core.pair_bound(part.flat, part.weight, share.tolist(), loss.price, threads) / total
            least = max(least, by_pairs)
        bound += least
    return bound / scale


def _by_triangle(between: NDArray[np.float64], share: NDArray[np.float64]) -> float:
    """An estimate is between any two draws: Σ w w' d(b, b') <= Σ w (W − w) d(e, b)."""
    total = float(share.sum())
    pairs = float(np.triu(np.outer(share, share) * between, 1).sum())
    most = total - float(share.min())
    return pairs / (total * most) if most > 0 else 0.0
