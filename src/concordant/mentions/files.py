"""Files of coreference: mentions in clusters, document by document.

The formats are CoNLL-2012 (``#begin document``, the clusters in the last column), CoNLL-U with ``Entity``
in its last column, as in CorefUD, and JSON lines with ``clusters`` of spans. The format is recognised from
the content. A mention is the positions of its first and last token in the document, or several such spans.
"""

from __future__ import annotations

import json
import os
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from concordant.errors import FileError
from concordant.sources.text_files import read_text

Mention = tuple[Any, ...]
Clusters = Mapping[str, list[Mention]]

_PIECES = re.compile(r"\(?[^()|]+\)?")
_PART = re.compile(r"(?P<entity>[^\[]+)(?:\[(?P<part>\d+)/(?P<parts>\d+)\])?$")
_SHORT = 30  # characters of a mention that names its cluster
_NAMES_OF_DOCUMENTS = ("doc_key", "doc_id", "document", "id")


def read_mentions(path: str | os.PathLike[str], clusters: str = "clusters") -> dict[str, Clusters]:
    """The clusters of each document of a file; ``clusters`` is their name in JSON lines.

    A cluster is named by the words of its first mention, its own name and the number of other mentions:
    ``Obama_0 +3``.
    """
    lines = read_text(os.fspath(path)).splitlines()
    first = next((line for line in lines if line.strip()), "")
    try:
        if first.lstrip().startswith("{"):
            return _collected(_of_json(lines, clusters))
        if any(line.startswith(("#begin document", "# begin document")) for line in lines):
            return _collected(_of_columns(lines))
        if any(line.startswith(("# global.Entity", "# newdoc")) for line in lines):
            return _collected(_of_conllu(lines))
    except FileError as error:
        error.add_note(f"in {path}")
        raise
    raise FileError(
        f"{path} is not a coreference file that can be read: a CoNLL-2012 file has '#begin document', a "
        "CoNLL-U file '# global.Entity', and JSON lines begin with {"
    )


@dataclass
class _Document:
    """A document as it is read, token by token."""

    name: str
    line: int
    words: list[str] = field(default_factory=list)
    entities: dict[str, None] = field(default_factory=dict)  # in order of appearance
    open: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    spans: dict[str, list[Mention]] = field(default_factory=lambda: defaultdict(list))
    parts: dict[str, list[Mention]] = field(default_factory=lambda: defaultdict(list))

    def token(self, word: str, pieces: list[str], line: int) -> None:
        """One token, and what begins and ends there: ``(0``, ``0)`` or ``(0)``."""
        self.words.append(word)
        here = len(self.words) - 1
        # The first entity of a repeated mention counts; scorers read those of one token first.
        for piece in sorted(pieces, key=lambda piece: not piece.endswith(")")):
            if piece.startswith("("):
                self.entities.setdefault(piece.strip("()").partition("[")[0])
        for piece in pieces:
            entity = piece.strip("()")
            if piece.startswith("("):
                self.open[entity].append(here)
            elif not piece.endswith(")"):
                raise FileError(f"line {line}: {piece!r} neither begins nor ends a mention")
            if piece.endswith(")"):
                if not self.open[entity]:
                    raise FileError(f"line {line}: a mention of {entity!r} ends here but never began")
                self._close(entity, (self.open[entity].pop(), here))

    def _close(self, entity: str, span: Mention) -> None:
        found = _PART.match(entity)
        if found is None or found["parts"] is None:
            self.spans[entity].append(span)
            return
        parts = self.parts[found["entity"]]
        parts.append(span)
        if len(parts) == int(found["parts"]):
            self.spans[found["entity"]].append(tuple(parts))
            parts.clear()

    def clusters(self) -> dict[str, list[Mention]]:
        left = [entity for entity, begun in self.open.items() if begun]
        left += [entity for entity, parts in self.parts.items() if parts]
        if left:
            raise FileError(
                f"the document {self.name!r} of line {self.line} ends within a mention of {left[0]!r}"
            )
        named = {}
        for entity in self.entities:
            ordered = sorted(self.spans[entity], key=lambda m: m if isinstance(m[0], int) else m[0])
            named[_name(entity, self._text(ordered[0]), len(ordered))] = ordered
        return named

    def _text(self, mention: Mention) -> str:
        spans = [mention] if isinstance(mention[0], int) else mention
        return " ".join(word for first, last in spans for word in self.words[first : last + 1])


def _name(entity: str, text: str, mentions: int) -> str:
    text = text if len(text) <= _SHORT else f"{text[: _SHORT - 1]}…"
    more = f" +{mentions - 1}" if mentions > 1 else ""
    return f"{text}_{entity}{more}" if text else f"{entity}{more}"


def _collected(documents: Iterable[tuple[str, Clusters]]) -> dict[str, Clusters]:
    collected: dict[str, Clusters] = {}
    for name, clusters in documents:
        if name in collected:
            raise FileError(f"the document {name!r} occurs twice in the file; rename or remove one")
        collected[name] = clusters
    return collected


def _of_columns(lines: list[str]) -> Iterator[tuple[str, Clusters]]:
    """CoNLL-2012: a word in the fourth column, its clusters in the last."""
    document: _Document | None = None
    for number, line in enumerate(lines, 1):
        if line.startswith("#"):
            text = line[1:].strip()
            if text.startswith("begin document"):
                document = _Document(text.removeprefix("begin document").strip(), number)
            elif text.startswith("end document") and document is not None:
                yield document.name, document.clusters()
                document = None
        elif line.strip() and document is not None:
            columns = line.split()
            marks = columns[-1]
            pieces = [] if marks in ("-", "_", "*") else _PIECES.findall(marks)
            document.token(columns[min(3, len(columns) - 1)], pieces, number)
    if document is not None:
        raise FileError(f"the document {document.name!r} of line {document.line} has no '#end document'")


def _of_conllu(lines: list[str]) -> Iterator[tuple[str, Clusters]]:
    """CoNLL-U: a word in the second column, ``Entity=`` in the tenth."""
    document, place = _Document("", 1), 0
    for number, line in enumerate(lines, 1):
        if line.startswith("# newdoc"):
            if document.words:
                yield document.name, document.clusters()
            document = _Document(line.partition("=")[2].strip() or f"document of line {number}", number)
        elif line.startswith("# global.Entity"):
            fields = line.partition("=")[2].strip().split("-")
            place = fields.index("eid") if "eid" in fields else 0
        elif line.strip() and not line.startswith("#"):
            columns = line.split("\t")
            if len(columns) != 10:
                raise FileError(f"line {number} has {len(columns)} columns; CoNLL-U has 10")
            if "-" not in columns[0]:  # a word, or an empty node, and not the span of several words
                document.token(columns[1], _entities(columns[9], place), number)
    if document.words:
        yield document.name, document.clusters()


def _entities(notes: str, place: int) -> list[str]:
    """The mentions that begin and end at a word, each with the name of its entity."""
    marks = next((note[7:] for note in notes.split("|") if note.startswith("Entity=")), "")
    pieces = []
    for piece in _PIECES.findall(marks):
        if piece.startswith("("):
            fields = piece.strip("()").split("-")
            entity = fields[place] if place < len(fields) else fields[0]
            pieces.append(f"({entity}{')' if piece.endswith(')') else ''}")
        else:
            pieces.append(piece)
    return pieces


def _of_json(lines: list[str], clusters: str) -> Iterator[tuple[str, Clusters]]:
    """JSON lines: one document per line, its clusters as lists of [first, last]."""
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            document = json.loads(line)
        except (json.JSONDecodeError, RecursionError) as error:
            reason = error.msg if isinstance(error, json.JSONDecodeError) else "it is nested too deeply"
            raise FileError(f"line {number} is not JSON: {reason}") from error
        if not isinstance(document, dict) or clusters not in document:
            raise FileError(f"line {number} has no {clusters!r}: a document is an object with lists of spans")
        name = next((str(document[key]) for key in _NAMES_OF_DOCUMENTS if key in document), f"line {number}")
        named: dict[str, list[Mention]] = {}
        try:
            words = [str(word) for sentence in document.get("sentences", ()) for word in sentence]
            for entity, spans in enumerate(document[clusters]):
                mentions: list[Mention] = sorted((int(first), int(last)) for first, last in spans)
                if mentions:
                    first, last = mentions[0]
                    named[_name(str(entity), " ".join(words[first : last + 1]), len(mentions))] = mentions
        except (TypeError, ValueError) as error:
            raise FileError(
                f"line {number}: clusters are lists of mentions, a mention is [first, last], and "
                "sentences are lists of words"
            ) from error
        yield name, named
