"""Which records moved: how far each row is from its partner, and what each record adds to Σ(p − q)²."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.soft.counts import SoftCounts
from concordant.soft.data import SoftData
from concordant.soft.memberships import Memberships

_CELLS = 2**20  # of weights that are processed together


@dataclass(frozen=True, slots=True)
class SoftRecordScore:
    """A record, and how much the two sides differ on it.

    Attributes
    ----------
    record : object
        Its name, or its position.
    reference, candidate : object
        Labels of the clusters with its largest weights. None if more weight is in no cluster.
    moved : float
        ½Σ|u − v| after matching the clusters: 0 if equal, 1 if nothing is shared.
    n_pairs : float
        Σ(p − q)² over its pairs with all other records.
    """

    record: Any
    reference: Any
    candidate: Any
    moved: float
    n_pairs: float


@dataclass(frozen=True, slots=True)
class SoftMatch:
    """A matched pair of clusters.

    Attributes
    ----------
    reference, candidate : object
        Labels of the two clusters.
    overlap : float
        The weight that both give to the same records.
    reference_weight, candidate_weight : float
        Weight of each cluster.
    """

    reference: Any
    candidate: Any
    overlap: float
    reference_weight: float
    candidate_weight: float


def soft_matches(counts: SoftCounts) -> list[SoftMatch]:
    """The matched columns, those with the largest overlaps first."""
    scale, (names, others) = counts.gram.scale, counts.sides.clusters
    width = counts.sides.columns[1]
    found = [
        SoftMatch(
            names[i],
            others[j],
            counts.overlaps[i * width + j] / scale,
            counts.gram.u.get(i, 0) / scale,
            counts.gram.v.get(j, 0) / scale,
        )
        for i, j in counts.matched_columns
    ]
    return sorted(found, key=lambda match: -match.overlap)


def relabelled(counts: SoftCounts) -> SoftData:
    """The candidate with its columns in the order of the reference, under its names; others follow."""
    names = counts.sides.clusters[0]
    side = counts.sides.memberships[1].table()
    matched = [j for _, j in counts.matched_columns]
    others = [j for j in range(side.columns) if j not in set(matched)]
    titles = [names[i] for i, _ in counts.matched_columns]
    are_numbers = all(isinstance(name, int) for name in names)
    first = max(names, default=-1) + 1 if are_numbers else 1
    fresh = [first + k if are_numbers else f"new_{first + k}" for k in range(len(others) + len(names))]
    titles += [name for name in fresh if name not in names][: len(others)]
    ordered = replace(side, units=np.ascontiguousarray(side.units[:, [*matched, *others]]))
    has_names = counts.sides.records is not None
    records = [counts.sides.record(x) for x in range(counts.size)] if has_names else None
    return SoftData.of_memberships(ordered, titles, records, named=records is not None)


def record_sums(counts: SoftCounts) -> dict[str, NDArray[np.float64]]:
    """For each record: ½Σ|u − v| after the columns were matched, and Σ(p − q)² over its pairs."""
    rows, columns = ([pair[side] for pair in counts.matched_columns] for side in (0, 1))
    uu, uv, vv = counts.gram.tables()
    found = []
    for u, v, u_rest, v_rest in _blocks(counts):
        shared = np.minimum(u[:, rows], v[:, columns]).sum(axis=1) + np.minimum(u_rest, v_rest)
        a, b = (u * u).sum(axis=1), (v * v).sum(axis=1)
        pp, qq = ((u @ uu) * u).sum(axis=1), ((v @ vv) * v).sum(axis=1)
        whole = pp - 2 * ((u @ uv) * v).sum(axis=1) + qq
        found.append((np.clip(1 - shared, 0, 1), np.maximum(whole - (a - b) ** 2, 0)))
    moved, pairs = map(np.concatenate, zip(*found, strict=True))
    return {"moved": moved, "pairs": pairs}


def moved_weights(counts: SoftCounts) -> NDArray[np.float64]:
    """The weight that each two clusters share: a row for each of the reference, a column of the candidate.

    The weight of a record in both of two matched clusters stays there. The rest of its weight moves from
    the clusters that have too much to those that have too little, in proportion to both. So rows and
    columns add up to the weights of their clusters, and equal sides differ in no cell. The last row and the
    last column are the weight in no cluster.
    """
    width, length = counts.sides.columns
    matched = [*counts.matched_columns, (width, length)]
    rows, columns = (list(each) for each in zip(*matched, strict=True))
    table = np.zeros((width + 1, length + 1))
    for u, v, u_rest, v_rest in _blocks(counts):
        left, right = np.column_stack([u, u_rest]), np.column_stack([v, v_rest])
        shared = np.minimum(left[:, rows], right[:, columns])
        table[rows, columns] += shared.sum(axis=0)
        left[:, rows] -= shared
        right[:, columns] -= shared
        moved = left.sum(axis=1)
        here = moved > 0
        table += left[here].T @ (right[here] / moved[here, None])
    return table


def largest_cluster(row: Memberships, names: list[Any]) -> Any:
    """The name of the cluster in which a single row has its largest weight; None if it has more in none."""
    units = row.table().units[0]
    column = int(np.argmax(units))
    return None if row.rest is not None and row.rest[0] > units[column] else names[column]


def _blocks(counts: SoftCounts) -> Iterator[tuple[NDArray[np.float64], ...]]:
    for u, v in counts.sides.pieces():
        step = max(1, _CELLS // (u.columns + v.columns))
        for begin in range(0, max(len(u), 1), step):
            rows = slice(begin, min(begin + step, len(u)))
            one, other = u.piece(rows), v.piece(rows)
            yield one.weights(), other.weights(), one.rest_weights(), other.rest_weights()
