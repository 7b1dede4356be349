"""Trees of nodes with names: parents, nested lists, and heights for trees without any."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple, get_args

import narwhals.stable.v2 as nw
import numpy as np

from concordant import core
from concordant.counts.arithmetic import Floats, Integers
from concordant.counts.conventions import check_choice
from concordant.counts.spelling import counted, quoted
from concordant.engines.tables.files import no_column
from concordant.errors import HierarchyError, InputError, LabelError, ParameterError, kind_of
from concordant.hierarchies.tree import Tree, arranged, check_heights
from concordant.partitions.labels import INCOMPARABLE, encode, identify, is_missing
from concordant.partitions.sources import Frame

Levels = Literal["depth", "height"]
LEVELS: tuple[str, ...] = get_args(Levels)

_SHOWN_NODES = 4  # of a cycle

NamedTree = tuple[Tree, list[Any]]  # and the names of its leaves


class Nodes(NamedTuple):
    """Nodes in any order: the parent of each, -1 for a root, and their names, None for those without."""

    parent: Integers
    names: Sequence[Any]

    def called(self, node: int) -> str:
        """The name of a node in errors."""
        name = self.names[node]
        return f"node {node}" if name is None else quoted(name)


def chosen_levels(levels: Levels | None, usual: Levels, heights: Any) -> Levels:
    """How nodes without heights get them."""
    if levels is None:
        return usual
    check_choice("levels", levels, LEVELS)
    if heights is not None:
        raise ParameterError(
            "heights= already determine the levels; pass only one of the two", given={"levels": levels}
        )
    return levels


def tree_of(nodes: Nodes, heights: Floats | None, levels: Levels, is_leaf: Any = None) -> NamedTree:
    """The tree; nodes without heights get them from their depth, or from the longest path down to a leaf.

    Leaves are the nodes without children.
    """
    depth = _depths(nodes)
    if is_leaf is None:
        is_leaf = np.ones(len(depth), dtype=np.bool_)
        is_leaf[nodes.parent[nodes.parent >= 0]] = False
    leaves, inner = np.flatnonzero(is_leaf), np.flatnonzero(~is_leaf)
    inner = inner[np.argsort(-depth[inner], kind="stable")]  # children before their parents
    order = np.concatenate([leaves, inner])
    number = np.full(len(depth) + 1, -1)  # the last for the parent -1
    number[order] = np.arange(len(order))
    parent = number[nodes.parent[order]]
    if heights is not None:
        own = np.ascontiguousarray(heights[inner])
    elif levels == "depth":
        own = (depth.max(initial=0) - depth[inner]).astype(np.float64)
    else:
        own = _ways_down(parent, len(leaves))
    check_heights(parent, own, lambda node: nodes.called(int(inner[node])), in_order=False, remedies=())
    return arranged(parent, own), [nodes.names[leaf] for leaf in leaves.tolist()]


def _depths(nodes: Nodes) -> Integers:
    """How many steps each node is below its root. Each round doubles the steps."""
    above = nodes.parent.copy()
    depth = (above >= 0).astype(np.int64)
    for _ in range(len(above).bit_length() + 1):
        below = np.flatnonzero(above >= 0)
        if not len(below):
            return depth
        depth[below] += depth[above[below]]
        above[below] = above[above[below]]
    node, seen = int(np.flatnonzero(above >= 0)[0]), dict[int, None]()
    while node not in seen:  # the path up leads into the cycle
        seen[node] = None
        node = int(nodes.parent[node])
    way = list(seen)
    circle = way[way.index(node) :]
    if len(circle) == 1:
        raise HierarchyError(
            f"{nodes.called(node)} is its own parent; leave that row out, or give a root no parent"
        )
    shown = ", ".join(map(nodes.called, circle[:_SHOWN_NODES])) + (
        ", ..." if len(circle) > _SHOWN_NODES else ""
    )
    raise HierarchyError(f"{shown} form a cycle: each is an ancestor of the others, and none is a root")


def _ways_down(parent: Integers, leaves: int) -> Floats:
    """The number of steps from each inner node to its farthest leaf."""
    steps = [0] * len(parent)
    for node, above in enumerate(parent.tolist()):
        if above >= 0 and steps[above] <= steps[node]:
            steps[above] = steps[node] + 1
    return np.array(steps[leaves:], dtype=np.float64)


def distinct_names(names: list[Any], what: str) -> tuple[Integers, Integers]:
    """A number for each distinct name, and where each appears first; missing names are refused."""
    try:
        codes, suspects = identify(names)
    except INCOMPARABLE as error:
        raise HierarchyError(f"{what} contain names that cannot be compared for equality: {error}") from error
    for place in suspects:
        if is_missing(names[place]):
            raise LabelError(f"{what}: the name at position {place} is missing ({names[place]!r})")
    return core.factorize(np.ascontiguousarray(codes))


def refuse_repeated_leaves(names: list[Any], what: str) -> None:
    """Refuse a leaf that occurs twice."""
    which, first = distinct_names(names, what)
    again = np.flatnonzero(first[which] != np.arange(len(names)))
    if len(again):
        raise HierarchyError(
            f"{what}: the leaf {quoted(names[int(again[0])])} occurs twice; a leaf has one parent"
        )


def leaf_names(records: Any, size: int) -> Any:
    """The names of so many leaves, each once; None if they go by position."""
    if records is None:
        return None
    labels = encode(records, "the records")
    if len(labels.codes) != size:
        raise HierarchyError(
            f"there are {counted(size, 'element')} and {counted(len(labels.codes), 'name')}; name each one"
        )
    which, first = core.factorize(np.ascontiguousarray(labels.codes))
    if len(first) < size:
        again = int(np.flatnonzero(first[which] != np.arange(size))[0])
        raise HierarchyError(
            f"the records contain {labels.originals[again]!r} twice, at {int(first[which[again]])} and "
            f"{again}; give each record its own name"
        )
    return labels.originals.copy() if isinstance(labels.originals, np.ndarray) else list(records)


def spelled(names: Any) -> Any:
    """Integers as a text file has them; names of other types as they are.

    >>> spelled([10, 2]), spelled(["a", 2])
    (['10', '2'], ['a', 2])
    """
    if all(isinstance(each, int | np.integer) and not isinstance(each, bool) for each in names):
        return [str(each) for each in names]
    return names


# -- parents ----------------------------------------------------------------------------------------


def of_parents(
    children: list[Any], parents: list[Any], heights: Mapping[Any, float] | None, levels: Levels
) -> NamedTree:
    """The tree of nodes and their parents; a node without a parent is a root."""
    is_root = [place for place, parent in enumerate(parents) if parent is None or is_missing(parent)]
    for place in is_root:
        parents[place] = children[place]  # so it has a name
    names = [*children, *parents]
    which, first = distinct_names(names, "the nodes")
    above = which[len(children) :].copy()
    above[is_root] = -1
    parent = np.full(len(first), -1)
    own = which[: len(children)]
    parent[own[::-1]] = above[::-1]  # the first parent of each
    other = np.flatnonzero(parent[own] != above)
    if len(other):
        place = int(other[0])
        node = Nodes(parent, [names[i] for i in first.tolist()])
        one, two = (
            "none" if each < 0 else node.called(int(each)) for each in (parent[own[place]], above[place])
        )
        raise HierarchyError(f"{node.called(int(own[place]))} has two parents, {one} and {two}")
    nodes = Nodes(parent, [names[i] for i in first.tolist()])
    return tree_of(nodes, None if heights is None else _given_heights(nodes, heights), levels)


def _given_heights(nodes: Nodes, heights: Mapping[Any, float]) -> Floats:
    """The height of each node; leaves need none."""
    if not isinstance(heights, Mapping):
        raise HierarchyError(f"heights are {kind_of(heights)}; give a mapping from node to height")
    known = set(nodes.names)
    for name in heights:
        if name not in known:
            raise HierarchyError(f"heights name {quoted(name)}, which is not a node of the tree")
    is_parent = np.zeros(len(nodes.parent), dtype=np.bool_)
    is_parent[nodes.parent[nodes.parent >= 0]] = True
    found = np.zeros(len(nodes.parent))
    for node in np.flatnonzero(is_parent).tolist():
        if nodes.names[node] not in heights:
            raise HierarchyError(f"{nodes.called(node)} has no height; give one to each node with children")
        try:
            found[node] = heights[nodes.names[node]]
        except (TypeError, ValueError) as error:
            raise HierarchyError(
                f"{nodes.called(node)}: the height is {heights[nodes.names[node]]!r}, not a number"
            ) from error
    return found


# -- nested lists and dicts -------------------------------------------------------------------------


def of_nested(tree: Any, levels: Levels) -> NamedTree:
    """The tree of lists within lists; keys of dicts name inner nodes, or leaves if nothing is below them."""
    if not isinstance(tree, list | tuple | set | frozenset | Mapping):
        raise HierarchyError(
            f"this is {kind_of(tree)}; a nested tree is a list of leaves and lists, or a dict of them"
        )
    parent: list[int] = []
    names: list[Any] = []
    is_leaf: list[bool] = []
    way: list[int] = []  # the ids of the containers from the root to the present one
    ancestors: set[int] = set()
    pending: list[tuple[int, Any, Any, int]] = [(-1, None, tree, 0)]
    while pending:
        above, name, value, depth = pending.pop()
        ancestors.difference_update(way[depth:])
        del way[depth:]
        parts = _parts(value)
        if parts is not None and not parts and name is None and above >= 0:
            raise HierarchyError(f"an empty list is a part of {Nodes(np.array(parent), names).called(above)}")
        node = len(parent)
        parent.append(above)
        if parts:
            if id(value) in ancestors:
                raise HierarchyError("a list contains itself, so the tree is infinite")
            way.append(id(value))
            ancestors.add(id(value))
            pending += [(node, *part, depth + 1) for part in reversed(parts)]
        names.append(value if parts is None and name is None else name)
        is_leaf.append(not parts)
        if parts is None and name is not None and value is not None:  # a key with one leaf
            is_leaf[node] = False
            pending.append((node, None, value, depth + 1))
    if is_leaf == [True]:  # nothing at all
        return arranged(np.empty(0, dtype=np.int64), np.empty(0)), []
    leaves = [name for name, leaf in zip(names, is_leaf, strict=True) if leaf]
    refuse_repeated_leaves(leaves, "the nested tree")
    return tree_of(Nodes(np.array(parent), names), None, levels, np.array(is_leaf))


def _parts(value: Any) -> list[tuple[Any, Any]] | None:
    """The parts of a container, each with its name; None for a leaf."""
    if isinstance(value, Mapping):
        return list(value.items())
    if isinstance(value, list | tuple | set | frozenset):
        return [(None, part) for part in value]
    return None


def pairs_of(edges: Iterable[Any]) -> tuple[list[Any], list[Any]]:
    """Nodes and parents of a list of pairs."""
    children, parents = [], []
    for place, edge in enumerate(edges):
        if isinstance(edge, str | bytes) or not isinstance(edge, Sequence | np.ndarray) or len(edge) != 2:
            raise InputError(f"entry {place} is {edge!r}; each is a node and its parent")
        children.append(edge[0])
        parents.append(edge[1])
    return children, parents


def columns_of(frame: Any, node: str | None, parent: str | None) -> tuple[list[Any], list[Any]]:
    """Nodes and parents of a dataframe: its two columns, or those that are named."""
    try:
        opened = nw.from_native(frame)
    except TypeError as error:
        raise InputError(
            f"the parents are {kind_of(frame)}; pass a mapping from node to parent, a list of pairs, or a "
            "dataframe"
        ) from error
    there = opened.collect_schema().names()
    if (node is None) != (parent is None) or (node is None and len(there) != 2):
        raise ParameterError(
            f"{Frame(frame)} has the columns {', '.join(there)}; name those of the nodes and their parents: "
            "node=..., parent=..."
        )
    names = there if node is None or parent is None else [node, parent]
    held = chosen_columns(frame, opened, names)
    return held[names[0]].to_list(), held[names[1]].to_list()


def chosen_columns(frame: Any, opened: Any, names: Sequence[str]) -> Any:
    """These columns of a dataframe, which narwhals has opened."""
    there = opened.collect_schema().names()
    for name in names:
        if name not in there:
            raise no_column(Frame(frame), name, there)
    chosen = opened.select(*names)
    return chosen.collect() if isinstance(chosen, nw.LazyFrame) else chosen
