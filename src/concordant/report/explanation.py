"""The manual page of an index: formula, meaning, properties, names in other libraries, worked examples."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from importlib.resources import files
from typing import Any

from concordant.errors import ParameterError
from concordant.foundation import kinds
from concordant.foundation.results import Result, read_only_class
from concordant.foundation.text_layout import cell_width, folded, line_width
from concordant.indices.catalogue import other_term, spelled_default
from concordant.indices.index import Index, all_indices
from concordant.indices.parameters import wording
from concordant.indices.values import named_indices
from concordant.report.values import format_value

_WEIGHTS = {
    "shares": "an element of weight 3 counts as three elements",
    "pairs": "a pair weighs the product of its elements' weights",
    "records": "weights also enter the expected or largest value",
}
DIRECTIONS = {
    "similarity": "a similarity: larger is more similar",
    "distance": "a distance: smaller is more similar",
    "statistic": "a statistic: neither high nor low values mean similarity",
}
_OF_STATISTICS = {
    "larger": "; for given cluster sizes, larger is more agreement",
    "smaller": "; for given cluster sizes, smaller is more agreement",
    None: "",
}


@read_only_class
@dataclass(frozen=True, repr=False)
class Explanation(Result):
    """The explanation of an index. Printing it shows the text.

    Attributes
    ----------
    title : str
        Name of the index.
    index : Index, optional
        Its declaration. None if several indices have this name in other libraries.
    facts : mapping from str to str
        Its properties in words.
    sections : mapping from str to sequence of sequence of str
        Tables, such as worked examples and other names.
    """

    title: str
    index: Index | None = None
    facts: Mapping[str, str] = field(default_factory=dict)
    sections: Mapping[str, Sequence[Sequence[str]]] = field(default_factory=dict)

    def _whole_text(self) -> str:
        return "\n".join(self._lines())

    def __repr__(self) -> str:
        return f"<Explanation of {self.title.partition(' ')[0].rstrip(':')}>"

    def to_dict(self) -> dict[str, Any]:
        """Return the name, title, formula, meaning and properties of the index, and the tables.

        Returns
        -------
        dict
            The content by name.

        Examples
        --------
        >>> import concordant as cc
        >>> cc.explain("ARI").to_dict()["facts"]["swapped"]
        'the same value: symmetric'
        """
        index = self.index
        own = {} if index is None else {"formula": index.formula, "meaning": meaning(index)}
        name = None if index is None else index.name
        tables = {title: [list(row) for row in rows] for title, rows in self.sections.items()}
        return {"index": name, "title": self.title, **own, "facts": dict(self.facts), "sections": tables}

    def _rows(self, limit: int | None = None) -> list[dict[str, Any]]:
        """One row for each property, and for each row of a table."""
        content = self.to_dict()
        own = [(name, content[name]) for name in ("formula", "meaning") if name in content]
        listed = [*own, *self.facts.items()]
        listed += [(title, "  ".join(row)) for title, rows in self.sections.items() for row in rows]
        return [{"kind": kind, "note": note} for kind, note in listed][:limit]

    def _title(self) -> str:
        return self.title

    def _lines(self) -> Iterator[str]:
        yield folded(self.title, line_width(), 0)
        if self.index is not None:
            for text in (self.index.formula, meaning(self.index)):
                yield f"\n{folded(f'  {text}', line_width(), 0)}"
            yield ""
            yield from _aligned(list(self.facts.items()))
        for title, rows in self.sections.items():
            if title:
                yield f"\n{title}"
            yield from _aligned(rows)


def explain(index: str) -> Explanation:
    """Explain an index: formula, meaning, properties, and names in other libraries.

    Parameters
    ----------
    index : str
        Name of the index here or in another library.

    Returns
    -------
    Explanation
        The explanation. Printing it shows the text.

    Raises
    ------
    UnknownIndexError
        If no index has this name.

    Examples
    --------
    >>> import concordant as cc
    >>> print(cc.explain("element_jaccard"))
    element_jaccard: Element-wise Jaccard (Element-centric similarity)
    <BLANKLINE>
      Σ n_ij²/(a+b−n_ij) / n
    <BLANKLINE>
      Mean over the elements of the Jaccard similarity of their two clusters.
      Stricter than element_centric: both lost and added co-members count.
    <BLANKLINE>
      range      [0, 1], a similarity: larger is more similar
      identical  score 1
      swapped    the same value: symmetric
      metric     yes: 1 − value obeys the triangle inequality
      adjusted   no
      weights    an element of weight 3 counts as three elements
      reference  Jaccard 1908, applied to each element's two clusters
    <BLANKLINE>
    Worked examples, one label per character
      U = 0011  V = 0101  1/3 = 0.3333
    """
    if not isinstance(index, str):
        raise ParameterError(f"explain() takes the name of an index, such as 'adjusted_rand', not {index!r}")
    if use := other_term(index):
        return Explanation(f"{index}: {use}")
    everything = all_indices()
    elsewhere = everything.known_elsewhere(index)
    known = {each.name for _, each in elsewhere}
    if index.partition("(")[0] in everything or len(known) == 0:
        meant = everything[everything[index].name.partition("(")[0]]
    elif len(known) > 1:
        rows = [(f"in {library}", each.name, each.formula) for library, each in elsewhere]
        return Explanation(f"{index} is not one index:", sections={"": rows})
    else:
        meant = elsewhere[0][1]
    if not meant.is_of_partitions:
        origin, facts = origin_and_facts(meant)
        return Explanation(f"{meant.name}: {meant.title}, {origin}", meant, facts)
    same_name = [
        (f"in {library}", f"it is {each.name} = {each.formula}")
        for library, each in elsewhere
        if each is not meant
    ]
    libraries = dict.fromkeys([*meant.known_as, *meant.remarks])
    sections: dict[str, Sequence[Sequence[str]]] = {
        "In other libraries": [
            (library, "; ".join(filter(None, (meant.known_as.get(library), meant.remarks.get(library)))))
            for library in libraries
        ],
        "Worked examples, one label per character": [
            (f"U = {u}", f"V = {v}", worked_value(value)) for u, v, value in meant.worked
        ],
        "The same name means something else": same_name,
    }
    return Explanation(
        f"{meant.name}: {meant.title} ({meant.family})",
        meant,
        {fact: text for fact, text in _facts(meant).items() if text},
        {title: rows for title, rows in sections.items() if rows},
    )


def meaning(index: Index) -> str:
    """The summary of an index, and advice on its use."""
    return f"{index.summary} {index.advice}".strip()


def worked_value(value: float) -> str:
    """The value of a worked example, also as a fraction if it is one."""
    if not math.isfinite(value):
        return format_value(value)
    ratio = Fraction(value).limit_denominator(1000)
    exact = float(ratio) == value and ratio.denominator > 1
    return f"{ratio} = {format_value(value)}" if exact else number(value)


def all_families() -> dict[str, list[Index]]:
    """All indices by family: of partitions, of whole trees, of soft partitions and of diffs."""
    return all_indices().families


def undefined_text(index: Index) -> str:
    """The value if the formula is 0/0; empty if that cannot happen."""
    if index.undefined is None:
        return ""
    if index.mean_of:
        parts = ", ".join(part.name for part in index.mean_of)
        return f"if one of {parts} is 0/0, its own convention applies"
    value, worst = (f"{float(each):g}" for each in (index.undefined, index.worst(0)))
    apart = f", but {worst} if the sides have no element in common"
    return f"{value} if the formula is 0/0" + (apart if index.partial_overlap and worst != value else "")


def weights_text(index: Index) -> str:
    """How elements with different weights count, and the unit of the value; or why they are refused."""
    if index.weight_class is None:
        return f"refused: {index.no_weights}" if index.no_weights else "refused"
    units = {
        0: "",
        1 / 2: ", the value is in √weight",
        1: ", the value is in weight",
        2: ", the value is in weight²",
    }
    plugged = ", also in the expected value, by convention"
    by_convention = index.adjusted and index.weight_class == "pairs"
    of_time = f"; segments of time are refused: {index.no_limit}" if index.no_limit else ""
    return _WEIGHTS[index.weight_class] + units[index.degree] + (plugged if by_convention else "") + of_time


def _facts(index: Index) -> dict[str, str]:
    """The properties of an index, in words; those that it does not have are empty."""
    metric = ""
    if index.metric and index.perfect != 0:
        metric = f": {number(index.perfect or 0)} − value obeys the triangle inequality"
    swapped = f"gives {index.mirror}" if index.mirror else "gives a different value"
    if index.symmetric:
        swapped = "the same value: symmetric" + index.exception("mirror")
    adjusted = "no"
    if index.adjusted:
        mean = "the mean over all permutations of the elements is 0, unless the formula is 0/0"
        adjusted = f"yes: {mean}{index.exception('adjusted')}"
    parameters = (
        f"{each.name}={spelled_default(each.default)}" + (f", {words}" if words else "")
        for each in index.parameters.values()
        for words in [wording(each.annotation)]
    )
    within_sizes = _OF_STATISTICS[index.agreement] if index.direction == "statistic" else ""
    return {
        "range": f"{index.range_text}, {DIRECTIONS[index.direction]}{within_sizes}",
        "identical": "no common value" if index.perfect is None else f"score {number(index.perfect)}",
        "0/0": undefined_text(index),
        "swapped": swapped,
        "metric": f"yes{metric}" if index.metric else "no",
        "adjusted": adjusted,
        "weights": weights_text(index) if index.is_of_partitions and index.sides != "covers" else "",
        "parameters": "; ".join(parameters),
        "aliases": ", ".join(index.aliases),
        "reference": index.cite,
    }


def origin_and_facts(index: Index) -> tuple[str, dict[str, str]]:
    if (own := kinds.section_of(index.sides)) is not None:
        return own.origin, kinds.use(own.facts)(index)
    return f"of {index.inputs}", {name: text for name, text in _facts(index).items() if text}


def number(value: float) -> str:
    return f"{value:g}" if float(value).is_integer() else format_value(float(value))


def _aligned(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Rows in columns, the last one folded."""
    widths = [max(map(cell_width, column)) + 2 for column in list(zip(*rows, strict=True))[:-1]]
    for *cells, last in rows:
        begin = "".join(
            cell + " " * (width - cell_width(cell)) for cell, width in zip(cells, widths, strict=True)
        )
        yield folded(f"  {begin}{last}", line_width(), sum(widths))


TITLE = "concordant: comparing two partitions of the same set"
AUTHOR = "the concordant developers"

_NAME = r"(?:van )?[A-Z][\w'-]+"
_WORK = re.compile(rf"({_NAME})(?:, {_NAME})*(?: & {_NAME}| et al\.)? (\d{{4}}[a-z]?)\b")
_BETWEEN_WORKS = re.compile(r"; |, (?=(?:corrected|after|applied|for) )")
_LETTERS = str.maketrans({"ø": "o", "œ": "oe"})  # two letters that do not decompose


def cite(indices: str | Sequence[str] | None = None) -> str:
    """Return BibTeX entries for the papers of indices, and for concordant.

    Parameters
    ----------
    indices : str or sequence of str, optional
        Names of indices. By default, the result has only the entry for concordant.

    Returns
    -------
    str
        One entry for each paper, then the entry for concordant with its version.

    Raises
    ------
    UnknownIndexError
        If no index has this name.
    ParameterError
        If other libraries use this name for several indices.

    Examples
    --------
    >>> import concordant as cc
    >>> print(cc.cite("adjusted_rand"))  # doctest: +ELLIPSIS
    @article{hubert1985,
      author = {Hubert, Lawrence and Arabie, Phipps},
      title = {Comparing partitions},
      journal = {Journal of Classification},
      year = {1985},
      volume = {2},
      number = {1},
      pages = {193--218},
      doi = {10.1007/BF01908075}
    }
    <BLANKLINE>
    @misc{concordant,
      author = {{the concordant developers}},
      title = {concordant: comparing two partitions of the same set},
      note = {Python package, version ...}
    }
    """
    from importlib.metadata import version  # slow to import

    keys = dict.fromkeys(
        key for name in named_indices(indices or ()) for key in cited_works(_reference(name))
    )
    ours = (
        "@misc{concordant,\n"
        f"  author = {{{{{AUTHOR}}}}},\n"
        f"  title = {{{TITLE}}},\n"
        f"  note = {{Python package, version {version('concordant')}}}\n}}"
    )
    return "\n\n".join([*(bibliography()[key] for key in keys), ours])


def _reference(name: str) -> str:
    """The declared reference of an index."""
    index = explain(name).index
    if index is None:
        names = dict.fromkeys(index.name for _, index in all_indices().known_elsewhere(name))
        if not names:
            _ = all_indices()[name]  # raises: a term of another field
        raise ParameterError(
            f"{name!r} means several indices in other libraries; use one of {', '.join(names)}"
        )
    return index.cite


def cited_works(reference: str) -> list[str]:
    """The keys of the works that a reference names, such as hubert1985."""
    named = (work for part in _BETWEEN_WORKS.split(reference) for work in _WORK.findall(part))
    return [_ascii_letters(first_author) + year for first_author, year in named]


def _ascii_letters(name: str) -> str:
    return re.sub(r"[^a-z]", "", unicodedata.normalize("NFKD", name.casefold().translate(_LETTERS)))


@cache
def bibliography() -> dict[str, str]:
    """The BibTeX entry of every cited work, by key."""
    text = files(__package__).joinpath("references.bib").read_text(encoding="utf-8")
    return {entry.partition("{")[2].partition(",")[0]: entry for entry in text.strip().split("\n\n")}
