"""Lays things out by their distances: as a tree, in a row, and on a plane.

Plain arrays in, plain arrays out: this module does not know what the distances mean.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Distances = NDArray[np.float64]
# Two branches and the height at which they merge; 0 to size - 1 are leaves, size + k is merge k.
Merge = tuple[int, int, float]


def average_linkage(distances: Distances) -> tuple[list[Merge], list[int]]:
    """The tree of average linkage (UPGMA): its merges, the lowest first, and its leaves from left to right.

    The leaves are ordered so neighbours are similar.

    Sokal & Michener 1958, Univ. Kansas Sci. Bull. 38:1409, by chains of nearest neighbours (Murtagh 1983,
    Comput. J. 26:354), in quadratic time. If two branches merge, they are rotated so the nearest ends touch
    (Gruvaeus & Wainer 1972, Br. J. Math. Stat. Psychol. 25:200).

    >>> merges, leaves = average_linkage(np.array([[0.0, 9.0, 1.0], [9.0, 0.0, 7.0], [1.0, 7.0, 0.0]]))
    >>> [height for _, _, height in merges], leaves
    ([1.0, 8.0], [0, 2, 1])
    """
    joined = sorted(_chained(distances), key=lambda pair: pair[2])
    branches: list[list[int]] = [[leaf] for leaf in range(len(distances))]
    branch_of = list(range(len(distances)))
    merges = []
    for one, other, height in joined:
        merges.append((branch_of[one], branch_of[other], height))
        # Both branches in one row, rotated so the nearest ends touch.
        left, right = branches[branch_of[one]], branches[branch_of[other]]
        ways = [(left, right), (left, right[::-1]), (left[::-1], right), (right, left)]
        first, second = min(ways, key=lambda way: distances[way[0][-1], way[1][0]])
        merged = first + second
        for leaf in merged:
            branch_of[leaf] = len(branches)
        branches.append(merged)
    return merges, branches[-1] if branches else []


def classical_scaling(distances: Distances) -> tuple[NDArray[np.float64], float]:
    """Points on a plane whose distances come near these, and the share of the squared distances they hold.

    Classical multidimensional scaling (Torgerson 1952, Psychometrika 17:401). The share compares the two
    eigenvalues that are drawn with all that are positive.

    >>> points, share = classical_scaling(np.array([[0.0, 3.0, 5.0], [3.0, 0.0, 4.0], [5.0, 4.0, 0.0]]))
    >>> round(float(np.hypot(*(points[0] - points[2]))), 9), round(share, 9)
    (5.0, 1.0)
    """
    size = len(distances)
    centring = np.eye(size) - 1 / max(size, 1)
    values, vectors = np.linalg.eigh(centring @ (distances**2) @ centring / -2)
    largest = np.argsort(values)[::-1][:2]
    points = np.zeros((size, 2))
    points[:, : len(largest)] = vectors[:, largest] * np.sqrt(np.maximum(values[largest], 0))
    held, whole = np.maximum(values[largest], 0).sum(), np.maximum(values, 0).sum()
    if size:  # the farthest point of each axis is positive, so the picture is the same each time
        points *= np.where(points[np.abs(points).argmax(axis=0), [0, 1]] < 0, -1.0, 1.0)
    # Beyond nine digits there are only rounding errors, and a full share should be exactly 1.
    return points, round(float(held / whole), 9) if whole > 0 else 1.0


def _chained(distances: Distances) -> list[Merge]:
    """Pairs of leaves that represent the branches to merge, with their height, in no order."""
    apart = distances.astype(np.float64)
    np.fill_diagonal(apart, np.inf)
    weight = np.ones(len(apart))
    height = np.zeros(len(apart))
    is_open = np.ones(len(apart), dtype=bool)
    joined: list[Merge] = []
    chain: list[int] = []
    while len(joined) < len(apart) - 1:
        if not chain:
            chain.append(int(is_open.argmax()))
        nearest = int(apart[chain[-1]].argmin())
        if len(chain) > 1 and apart[chain[-1], nearest] == apart[chain[-1], chain[-2]]:
            one, other = chain.pop(), chain.pop()
            # A mean may round below the values it averages; a branch must not be below its parts.
            height[one] = max(apart[one, other], height[one], height[other])
            joined.append((one, other, float(height[one])))
            # From here on, ``one`` represents both, and ``other`` has no neighbours.
            total = weight[one] + weight[other]
            mean = (weight[one] * apart[one] + weight[other] * apart[other]) / total
            weight[one] = total
            apart[one], apart[:, one] = mean, mean
            apart[one, one] = np.inf
            apart[other], apart[:, other] = np.inf, np.inf
            is_open[other] = False
        else:
            chain.append(nearest)
    return joined
