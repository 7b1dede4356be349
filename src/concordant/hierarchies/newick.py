"""Trees in Newick notation, such as ``((ann:1,bob:1):2,eve:3);``, read without recursion."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

import numpy as np

from concordant.counts.arithmetic import Floats
from concordant.errors import FileError, HierarchyError, ParameterError, kind_of
from concordant.hierarchies.named_trees import Levels, NamedTree, Nodes, refuse_repeated_leaves, tree_of
from concordant.text_layout import shortened

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
    place = 0
    while place < len(text):
        found = _TOKEN.match(text, place)
        if found is None:
            kind = "comment" if text[place] == "[" else "quote" if text[place] == "'" else "bracket"
            raise _fault(text, place, f"this {kind} has no {'beginning' if kind == 'bracket' else 'end'}")
        word = found[0]
        if not word[0].isspace() and word[0] != "[":
            yield place, word
        place = found.end()


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
