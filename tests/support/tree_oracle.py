"""Two trees by definition: every pair, triple and permutation is looked at."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, permutations
from typing import Any, NamedTuple

import numpy as np
from inner import RootedTree, TreePair, data_of

import concordant as cc

Nested = Any  # a leaf, or a list of nested


def set_partitions(items: Sequence[int]) -> Iterator[list[list[int]]]:
    """All partitions of the items."""
    if not items:
        yield []
        return
    first, *rest = items
    for parts in set_partitions(rest):
        yield [[first], *parts]
        for i, part in enumerate(parts):
            yield [*parts[:i], [first, *part], *parts[i + 1 :]]


def all_trees(leaves: Sequence[int]) -> list[Nested]:
    """All rooted trees with these leaves whose inner nodes have at least two children."""
    if len(leaves) == 1:
        return [leaves[0]]
    trees: list[Nested] = []
    for parts in set_partitions(list(leaves)):
        if len(parts) == 1:
            continue
        made: list[list[Nested]] = [[]]
        for part in parts:
            made = [[*children, tree] for children in made for tree in all_trees(part)]
        trees += made
    return trees


def pairs_up_to_relabelling(trees: Sequence[Nested], leaves: int) -> list[tuple[Nested, Nested, int]]:
    """A pair of trees for each class of pairs that differ by the names of the leaves alone, and its size.

    The first tree is one of each shape. Two candidates are in one class if a permutation that keeps the first
    tree maps one to the other. The size is the number of candidates in the class.
    """
    by_clusters = {_clusters_of(tree): tree for tree in trees}
    orders = list(permutations(range(leaves)))

    def permuted(clusters: frozenset[frozenset[int]], order: tuple[int, ...]) -> frozenset[frozenset[int]]:
        return frozenset(frozenset(order[leaf] for leaf in each) for each in clusters)

    shapes, seen = [], set[frozenset[frozenset[int]]]()
    for own in by_clusters:
        if own not in seen:
            shapes.append(own)
            seen |= {permuted(own, order) for order in orders}
    found = []
    for own in shapes:
        keeping = [order for order in orders if permuted(own, order) == own]
        left = dict.fromkeys(by_clusters)
        while left:
            other = next(iter(left))
            orbit = {permuted(other, order) for order in keeping}
            found.append((by_clusters[own], by_clusters[other], len(orbit)))
            for each in orbit:
                del left[each]
    return found


def _clusters_of(nested: Nested) -> frozenset[frozenset[int]]:
    if isinstance(nested, int):
        return frozenset()
    below = (_clusters_of(child) for child in nested)
    return frozenset([frozenset(leaves_of(nested))]).union(*below)


def rooted(nested: Nested, heights: dict[int, float] | None = None) -> RootedTree:
    """The tree of nested lists; the level of a node is the longest way down to a leaf.

    ``heights`` are those of the levels; by default their numbers.
    """
    size = len(leaves_of(nested))
    nodes: list[
        tuple[int, list[Any]]
    ] = []  # (level, children), where a child is a leaf or a number of a node

    def visit(tree: Nested) -> tuple[int, Any]:
        if isinstance(tree, int):
            return 0, tree
        below = [visit(child) for child in tree]
        nodes.append((1 + max(level for level, _ in below), [child for _, child in below]))
        return nodes[-1][0], ("inner", len(nodes) - 1)

    visit(nested)
    order = sorted(range(len(nodes)), key=lambda i: (nodes[i][0], i))
    number = {node: size + place for place, node in enumerate(order)}
    parent = np.full(size + len(nodes), -1, dtype=np.int64)
    for node in order:
        for child in nodes[node][1]:
            parent[child if isinstance(child, int) else number[child[1]]] = number[node]
    level = np.array([nodes[node][0] for node in order], dtype=np.int64)
    levels = int(level.max()) if len(level) else 0
    level_heights = np.array([(heights or {}).get(each, float(each)) for each in range(1, levels + 1)])
    return RootedTree.of(parent, level, level_heights)


def hierarchy(nested: Nested, heights: dict[int, float] | None = None) -> cc.Hierarchy:
    """The same tree as users make it; a leaf is a record, and its name is its number."""
    parents: dict[Any, Any] = dict.fromkeys(sorted(leaves_of(nested)))
    levels: dict[Any, int] = {}

    def visit(tree: Nested) -> Any:
        if isinstance(tree, int):
            return tree
        children = [visit(child) for child in tree]
        node = ("inner", len(levels))
        levels[node] = 1 + max(levels.get(child, 0) for child in children)
        parents.update(dict.fromkeys(children, node))
        return node

    parents[visit(nested)] = None
    return cc.Hierarchy.from_parents(
        parents, heights={node: (heights or {}).get(level, float(level)) for node, level in levels.items()}
    )


class Sides(NamedTuple):
    """Two hierarchies of the same leaves."""

    u: cc.Hierarchy
    v: cc.Hierarchy

    @property
    def size(self) -> int:
        return self.u.size


def leaves_of(nested: Nested) -> list[int]:
    return [nested] if isinstance(nested, int) else [leaf for child in nested for leaf in leaves_of(child)]


def join_node(tree: RootedTree | cc.Hierarchy, x: int, y: int) -> int:
    """The lowest node above two leaves."""
    parent = data_of(tree).parent
    while x != y:
        if x < y:
            x = int(parent[x])
        else:
            y = int(parent[y])
    return x


def join_level(tree: RootedTree | cc.Hierarchy, x: int, y: int) -> int:
    return int(data_of(tree).level[join_node(tree, x, y) - tree.size])


def pair_levels(trees: TreePair | Sides) -> list[tuple[int, int]]:
    return [
        (join_level(trees.u, x, y), join_level(trees.v, x, y)) for x, y in combinations(range(trees.size), 2)
    ]


def pearson(first: Sequence[Any], second: Sequence[Any]) -> float:
    """Pearson's correlation of rational numbers; 0/0 raises."""
    a, b = [Fraction(x) for x in first], [Fraction(x) for x in second]
    n = len(a)
    covariance = sum(x * y for x, y in zip(a, b, strict=True)) * n - sum(a) * sum(b)
    spreads = [sum(x * x for x in side) * n - sum(side) ** 2 for side in (a, b)]
    return float(covariance) / math.sqrt(spreads[0] * spreads[1])


def mid_ranks(values: Sequence[int]) -> list[Fraction]:
    return [
        Fraction(2 * sum(other < value for other in values) + sum(other == value for other in values) + 1, 2)
        for value in values
    ]


def clusters(tree: RootedTree | cc.Hierarchy) -> set[frozenset[int]]:
    """The sets of leaves of all nodes of 2 to n−1 leaves."""
    held: list[set[int]] = [{x} if x < tree.size else set() for x in range(len(data_of(tree).parent))]
    for x, above in enumerate(data_of(tree).parent.tolist()):
        if above >= 0:
            held[above] |= held[x]
    return {frozenset(each) for each in held if 1 < len(each) < tree.size}


def first_joined(tree: RootedTree | cc.Hierarchy, triple: tuple[int, int, int]) -> frozenset[int] | None:
    """Which two of the three have a node without the third; None if all join at once."""
    for pair in combinations(triple, 2):
        third = next(iter(set(triple) - set(pair)))
        if join_node(tree, *pair) < join_node(tree, pair[0], third) == join_node(tree, pair[1], third):
            return frozenset(pair)
    return None


def triplets(trees: TreePair | Sides) -> tuple[int, int, int, int, int]:
    counts = [0] * 5
    for triple in combinations(range(trees.size), 3):
        one, other = first_joined(trees.u, triple), first_joined(trees.v, triple)
        if one and other:
            counts[0 if one == other else 1] += 1
        else:
            counts[2 if one else 3 if other else 4] += 1
    return tuple(counts)  # type: ignore[return-value]  # five


def nested_information(u: Nested, v: Nested) -> float:
    """The hierarchical mutual information by its recursion, in nats."""
    common = set(leaves_of(u)) & set(leaves_of(v))
    n = len(common)
    if isinstance(u, int) or isinstance(v, int) or n < 2:
        return 0.0
    total = 0.0
    for c in u:
        for d in v:
            in_c, in_d = set(leaves_of(c)) & common, set(leaves_of(d)) & common
            both = len(in_c & in_d)
            if both:
                total += both / n * (math.log(both * n / (len(in_c) * len(in_d))) + nested_information(c, d))
    return total


def concordance(levels: list[tuple[int, int]]) -> tuple[int, int, int, int]:
    """Concordant and discordant pairs of pairs, and those not tied in each tree."""
    counts = [0, 0, 0, 0]
    for (a, b), (c, d) in combinations(levels, 2):
        counts[0] += (a - c) * (b - d) > 0
        counts[1] += (a - c) * (b - d) < 0
        counts[2] += a != c
        counts[3] += b != d
    return tuple(counts)  # type: ignore[return-value]  # four


def permuted_trees(trees: TreePair) -> Iterator[TreePair]:
    for places in permutations(range(trees.size)):
        yield TreePair(trees.u, trees.v.permuted(np.array(places)))
