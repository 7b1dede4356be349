"""Trees of nodes with names: parents, nested lists, and heights for trees without any."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args

import narwhals.stable.v2 as nw
import numpy as np

from concordant import core
from concordant.clusterings.detect import INCOMPARABLE
from concordant.clusterings.encoding import encode
from concordant.clusterings.labels import identify, is_missing
from concordant.errors import FileError, HierarchyError, InputError, LabelError, ParameterError, kind_of
from concordant.foundation.conventions import check_choice
from concordant.foundation.spelling import counted, quoted, verb
from concordant.foundation.text_layout import shortened
from concordant.hierarchies.tree_arrays import Tree, arranged, check_heights, every_node
from concordant.maths.arithmetic import Floats, Integers
from concordant.sources.descriptions import Frame, no_column

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
    return arranged(parent, own, kept=every_node(own)), [nodes.names[leaf] for leaf in leaves.tolist()]


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
            f"there {verb(size, 'are')} {counted(size, 'record')} and {counted(len(labels.codes), 'name')}; "
            "name each one"
        )
    which, first = core.factorize(np.ascontiguousarray(labels.codes))
    if len(first) < size:
        again = int(np.flatnonzero(first[which] != np.arange(size))[0])
        raise HierarchyError(
            f"the records contain {labels.originals[again]!r} twice, at {int(first[which[again]])} and "
            f"{again}; give each record its own name"
        )
    return labels.originals.copy() if isinstance(labels.originals, np.ndarray) else list(records)


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


_TOKEN = re.compile(r"\s+|\[[^\]]*\]|'(?:[^']|'')*'|[(),:;]|[^\s()\[\]',:;]+")
_LONGEST_EXPONENT = 400  # beyond what floating point holds


def text_of(tree: Any) -> str:
    """The text itself, or that of a file: a text ends with a semicolon, has a parenthesis, or is empty."""
    if isinstance(tree, str) and (tree.rstrip().endswith(";") or "(" in tree or not tree.strip()):
        return tree
    if not isinstance(tree, str | os.PathLike):
        raise HierarchyError(f"this is {kind_of(tree)}; pass Newick text or the path of a file")
    path = Path(tree).expanduser()
    try:
        held = path.read_bytes()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise FileError(
            f"{str(tree)!r} is not Newick text, which ends with a semicolon, and not a file to read: {reason}"
        ) from error
    try:
        return held.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FileError(f"{path} is not a text file in UTF-8: {error}") from error


def _words(text: str) -> Iterator[tuple[int, str]]:
    """Places and words, without comments in brackets and blanks."""
    end = 0
    for found in _TOKEN.finditer(text):
        place, word = found.start(), found[0]
        if place > end:
            break
        end = found.end()
        if not word[0].isspace() and word[0] != "[":
            yield place, word
    if end < len(text):
        kind = "comment" if text[end] == "[" else "quote" if text[end] == "'" else "bracket"
        raise _fault(text, end, f"this {kind} has no {'beginning' if kind == 'bracket' else 'end'}")


def _fault(text: str, place: int, problem: str) -> HierarchyError:
    return HierarchyError(
        f"Newick text at character {place}, {shortened(text[place : place + 60])!r}: {problem}"
    )


class _Nodes:
    """The nodes read so far. A node is new, closed (its children are complete), named, or has its length."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.parent, self.is_leaf = [-1], [True]
        self.names: list[Any] = [None]
        self.lengths: list[Decimal | None] = [None]
        self.node, self.state = 0, "new"

    def read(self, place: int, word: str) -> None:
        """Take one word."""
        if self.state == "ended":
            raise _fault(self.text, place, "a second tree begins; pass one tree at a time")
        if self.state == "colon" and word in "(),:;":
            raise _fault(self.text, place, "a branch length is missing here")
        if word in "(,":
            self._begin(place, word)
        elif word in ");":
            self._end(place, word)
        elif word == ":" and self.state != "measured":
            self.state = "colon"
        elif self.state == "colon":
            self.lengths[self.node], self.state = _length(self.text, place, word), "measured"
        elif self.state in ("new", "closed") and word != ":":
            is_quoted = word.startswith("'")
            self.names[self.node] = word[1:-1].replace("''", "'") if is_quoted else word
            self.state = "named"
        else:
            raise _fault(self.text, place, "a second name or length; put names with blanks in quotes")

    def _begin(self, place: int, word: str) -> None:
        """A parenthesis begins the first child of a node, a comma the next one."""
        above = self.node if word.startswith("(") else self.parent[self.node]
        if above < 0:
            raise _fault(self.text, place, "a comma outside of parentheses")
        if word.startswith("(") and self.state != "new":
            raise _fault(self.text, place, "the children of a node are before its name and length")
        self.is_leaf[above] = False
        self.node, self.state = len(self.parent), "new"
        self.parent.append(above)
        self.is_leaf.append(True)
        self.names.append(None)
        self.lengths.append(None)

    def _end(self, place: int, word: str) -> None:
        above = self.parent[self.node]
        if word.startswith(")"):
            if above < 0:
                raise _fault(self.text, place, "this parenthesis was not opened")
            self.node, self.state = above, "closed"
        elif above >= 0:
            raise _fault(self.text, place, "a parenthesis is not closed before the tree ends")
        else:
            self.state = "ended"


def of_newick(text: str, levels: Levels | None) -> NamedTree:
    """The tree; with lengths, the height of a node is the depth of the deepest leaf minus its own."""
    if text.lstrip().upper().startswith("#NEXUS"):
        raise HierarchyError(
            "this is a NEXUS file; pass one of its trees in Newick notation, the text after 'tree NAME ='"
        )
    if not text.strip():
        raise HierarchyError("the Newick text is empty; a tree has at least a name and a semicolon")
    found = _Nodes(text)
    for place, word in _words(text):
        found.read(place, word)
    if found.state != "ended":
        raise HierarchyError(f"Newick text ends with a semicolon, but this ends with {text.rstrip()[-20:]!r}")
    leaves = [name for name, is_leaf in zip(found.names, found.is_leaf, strict=True) if is_leaf]
    if None in leaves:
        raise HierarchyError(f"leaf number {leaves.index(None)} of the Newick text has no name")
    refuse_repeated_leaves(leaves, "the Newick text")
    nodes = Nodes(np.array(found.parent), found.names)
    heights = _heights(nodes, found.lengths)
    if levels is not None and heights is not None:
        raise ParameterError(
            "the branch lengths already determine the levels; leave it out", given={"levels": levels}
        )
    return tree_of(nodes, heights, levels or "height", np.array(found.is_leaf))


def _length(text: str, place: int, word: str) -> Decimal:
    try:
        length = Decimal(word)
    except InvalidOperation:
        length = Decimal("NaN")
    if not length.is_finite() or abs(length.adjusted()) > _LONGEST_EXPONENT:
        raise _fault(text, place, "a length is a number")
    return length


def _heights(nodes: Nodes, lengths: list[Decimal | None]) -> Floats | None:
    """Heights from branch lengths, or None without any. Sums are exact, so equal heights stay equal."""
    if all(length is None for length in lengths):
        return None
    scale = max(0, *(-int(each.as_tuple().exponent) for each in lengths if each is not None))
    depth = [0] * len(lengths)
    for node, (above, length) in enumerate(zip(nodes.parent.tolist(), lengths, strict=True)):
        if above < 0:
            continue  # a branch above the root joins nothing
        if length is None:
            raise HierarchyError(
                f"{nodes.called(node)} has no branch length, but other nodes have one; give all or none"
            )
        depth[node] = depth[above] + int(length.scaleb(scale))
    deepest = max(depth)
    return np.array([(deepest - each) / 10**scale for each in depth])
