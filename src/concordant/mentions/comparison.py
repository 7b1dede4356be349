"""Coreference over documents: the scores of the official scorer and of CoVal, summed as they sum them."""

from __future__ import annotations

import math
import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, replace
from itertools import islice
from operator import itemgetter
from typing import Any, Literal, NamedTuple

import numpy as np

from concordant import engines
from concordant.clusterings.labels import MemoryLabels
from concordant.comparisons.comparison import Comparison
from concordant.counts.base import Detail
from concordant.counts.partial_overlap import PartialOverlap
from concordant.errors import (
    InputError,
    LengthError,
    NothingLeftError,
    OverlapError,
    Remedy,
    UnknownKeyError,
    UnmatchedError,
    few,
    kind_of,
)
from concordant.foundation.conventions import Conventions, Undefined, check_choice
from concordant.foundation.input_options import input_options
from concordant.foundation.results import DotPlot, Field, Listing, Report, Result, read_only_class, rounded
from concordant.foundation.spelling import counted, percent, printable
from concordant.mentions import files

Singletons = Literal["keep", "remove"]
Repeated = Literal["error", "first"]
PrintedDigits = Literal["rounded", "cut"]

# The scores with recall, precision and F1, and their titles in tables.
MEASURES = {
    "mentions": "mentions",
    "muc": "MUC",
    "bcubed": "B-cubed",
    "ceaf_m": "CEAF-m",
    "ceaf_e": "CEAF-e",
    "blanc": "BLANC",
    "lea": "LEA",
}
_SCORES = (*MEASURES, "conll")
_SPELLINGS = {name.replace("_", ""): name for name in _SCORES} | {"b3": "bcubed"}


class Score(NamedTuple):
    """Recall, precision and F1 of one measure, from 0 to 1.

    Attributes
    ----------
    recall, precision, f1 : float
        The three values.
    """

    recall: float
    precision: float
    f1: float


@input_options({}, refused={"weights": "coreference scores count mentions and links, each as one"})
def coreference(
    reference: Any,
    candidate: Any,
    *,
    singletons: Singletons = "keep",
    repeated: Repeated = "error",
    undefined: Undefined = "conll",
    digits: PrintedDigits = "rounded",
) -> Coreference:
    """Score coreference resolution: MUC, B-cubed, CEAF, BLANC, LEA and CoNLL.

    Mentions that only one side has are kept on that side. Counts are summed over documents, as in the
    official scorer.

    Parameters
    ----------
    reference, candidate : list or mapping of documents, or path
        The true and the predicted documents, in the same order or by name. A document is a list of clusters,
        and a cluster is a set of mentions. Files are CoNLL-2012, CoNLL-U with Entity (CorefUD), or JSON lines
        with "clusters" of spans.
    singletons : {"keep", "remove"}, default="keep"
        Keep clusters of one mention, or remove them from both sides first.
    repeated : {"error", "first"}, default="error"
        A mention that occurs twice on one side is an error, or counts only where it occurs first.
    undefined : {"convention", "nan", "raise", "conll"}, default="conll"
        Value of a score that is 0/0: 0 as in the official scorer ("conll"), or as in `compare`.
    digits : {"rounded", "cut"}, default="rounded"
        Print percentages rounded to two digits, or cut after two digits like the official scorer.

    Returns
    -------
    Coreference
        The scores of all documents together, and of each.

    Raises
    ------
    UnmatchedError
        If the two sides have different documents.
    OverlapError
        If a mention occurs twice on one side and `repeated` is "error".

    Examples
    --------
    >>> result = coreference([[{"a"}, {"b", "c"}, {"d", "e", "f"}]], [[{"a"}, {"d", "e"}]])
    >>> print(result)
    The CoNLL score is 59.33, and 50% of the mentions are missed
    1 document, 6 against 3 mentions
    <BLANKLINE>
              recall  precision     F1
    mentions   50.00     100.00  66.67
    MUC        33.33     100.00  50.00
    B-cubed    38.89     100.00  56.00
    CEAF-m     50.00     100.00  66.67
    CEAF-e     60.00      90.00  72.00
    BLANC      21.59     100.00  35.38
    LEA        33.33     100.00  50.00
    CoNLL                        59.33
    """
    check_choice("singletons", singletons, ("keep", "remove"))
    check_choice("repeated", repeated, ("error", "first"))
    check_choice("digits", digits, ("rounded", "cut"))
    return Coreference(
        _paired(reference, candidate),
        singletons=singletons,
        repeated=repeated,
        undefined=undefined,
        digits=digits,
    )


def score_called(spelling: Any) -> str:
    """The name of a score, by any spelling.

    >>> score_called("B-cubed"), score_called("CoNLL")
    ('bcubed', 'conll')
    """
    key = re.sub(r"[\W_]", "", spelling).casefold() if isinstance(spelling, str) else None
    if key not in _SPELLINGS:
        raise UnknownKeyError(f"there is no score {spelling!r}; use one of {', '.join(_SCORES)}")
    return _SPELLINGS[key]


Paired = Mapping[Any, tuple[Any, Any]]  # by name, the document of the reference and of the candidate


@read_only_class
@dataclass(frozen=True, eq=False, repr=False)
class Coreference(Report, Mapping[str, Score]):
    """The coreference scores of all documents together. `coreference` returns it.

    It is a mapping from the name of a score to recall, precision and F1, by any spelling: `result["muc"]`,
    `result["B-cubed"].f1`.

    Attributes
    ----------
    comparison : Comparison
        The comparison of all documents, with all indices and differences.
    """

    pairs: Paired
    _: KW_ONLY
    singletons: Singletons
    repeated: Repeated
    undefined: Undefined
    digits: PrintedDigits
    comparison: Comparison = field(init=False)
    _sides: tuple[Any, Any] = field(init=False)

    def __post_init__(self) -> None:
        fewest = 2 if self.singletons == "remove" else 1
        reference, candidate = self._with_clusters_from(fewest)
        is_empty = not (reference.elements or candidate.elements)
        if is_empty and any(side.elements for side in self._with_clusters_from(1)):
            raise NothingLeftError(
                "every cluster has one mention, so there is nothing to score without singletons",
                remedies=[Remedy("score them", singletons="keep")],
            )
        object.__setattr__(self, "_sides", (reference, candidate))
        object.__setattr__(self, "comparison", _compared(reference, candidate, self.undefined))

    def _with_clusters_from(self, fewest: int) -> tuple[MemoryLabels, MemoryLabels]:
        """Both sides, without the clusters that have fewer mentions."""
        reference, candidate = (
            _side(
                role, {name: pair[place] for name, pair in self.pairs.items()}, self.repeated, fewest=fewest
            )
            for place, role in enumerate(("reference", "candidate"))
        )
        return reference, candidate

    def __getitem__(self, index: str) -> Score:
        """A score: muc, bcubed, ceaf_m, ceaf_e, blanc, lea, mentions, or conll, which has only an F1.

        >>> result = coreference([[{"a", "b"}]], [[{"a", "b", "c"}]])
        >>> result["MUC"] == result["muc"], result["muc"].precision
        (True, 0.5)
        """
        name = score_called(index)
        if name == "mentions":
            return self.mentions
        if name == "conll":
            return Score(math.nan, math.nan, self.conll)
        return Score(*(self.comparison[f"{name}_{kind}"] for kind in Score._fields))

    def __iter__(self) -> Iterator[str]:
        return iter(_SCORES)

    def __len__(self) -> int:
        return len(_SCORES)

    @property
    def size(self) -> int:
        """The number of mentions that were compared."""
        return self.comparison.size

    def _facts(self) -> Sequence[str]:
        return [
            f"documents={len(self.pairs)}",
            f"singletons={self.singletons}",
            f"undefined={self.undefined}",
        ]

    @property
    def mentions(self) -> Score:
        """The recall, precision and F1 of the mentions."""
        counts = self.comparison._counts
        found, asked, given = counts.common, counts.reference_size, counts.candidate_size
        return Score(_share(found, asked), _share(found, given), _share(2 * found, asked + given))

    @property
    def conll(self) -> float:
        """The CoNLL score: mean F1 of MUC, B-cubed and CEAF-e."""
        return self.comparison.conll

    @property
    def documents(self) -> Documents:
        """The scores of each document by name, computed on demand."""
        return Documents(self)

    def to_dict(self) -> dict[str, Any]:
        """Return all scores as numbers from 0 to 1.

        Returns
        -------
        dict
            The scores by measure.

        Examples
        --------
        >>> round(coreference([[{"a", "b"}]], [[{"a", "b", "c"}]]).to_dict()["muc"]["precision"], 2)
        0.5
        """
        return {name: self[name]._asdict() for name in MEASURES} | {"conll": {"f1": self.conll}}

    def _rows(self, limit: int | None = None) -> list[dict[str, Any]]:
        """One row for each number; conll has only an F1."""
        rows = [
            {"index": name, "kind": kind, "value": value}
            for name, scores in self.to_dict().items()
            for kind, value in scores.items()
        ]
        return rows[:limit]

    def _listings(self, limit: int | None = None) -> Sequence[Listing]:  # noqa: ARG002  (all are few)
        """Percentages, as the official scorer prints them."""
        rows = [(title, *self._printed(name)) for name, title in MEASURES.items()]
        titles = ("recall", "precision", "F1")
        numbers = [
            Field(kind, title, "{:.2f}".format) for kind, title in zip(Score._fields, titles, strict=True)
        ]
        dots = DotPlot(
            "scores", "The scores", "f1", "range of recall and precision", ends=("recall", "precision")
        )
        rows.append(("CoNLL", None, None, self._percent(self.conll)))
        return [Listing(rows, [Field("score", ""), *numbers], dots=dots)]

    @property
    def headline(self) -> str:
        """One sentence: the CoNLL score, and the larger share of mentions that one side lacks.

        Examples
        --------
        >>> import concordant as cc
        >>> cc.coreference([[{"a"}, {"b", "c"}]], [[{"a"}]]).headline
        'The CoNLL score is 38.89, and 67% of the mentions are missed'
        """
        missed, invented = (1 - share for share in self.mentions[:2])
        sentence = f"The CoNLL score is {self._percent(self.conll):.2f}"
        if not max(missed, invented):
            return sentence
        if missed >= invented:
            return f"{sentence}, and {percent(missed, 1)} of the mentions are missed"
        return f"{sentence}, and {percent(invented, 1)} of the mentions found are invented"

    def _scope(self) -> str:
        counts = self.comparison._counts
        mentions = f"{counts.reference_size:,} against {counted(counts.candidate_size, 'mention')}"
        return f"{counted(len(self.pairs), 'document')}, {mentions}"

    def _details(self, limit: int) -> Sequence[Listing]:
        """The documents, and the mentions that one side lacks."""
        listings = []
        if len(self.pairs) > 1:
            (documents,) = self.documents._listings()
            rows = [row for row in documents.rows if row["conll"] is not None]
            rows.sort(key=itemgetter("conll"))
            listings.append(replace(documents, rows=rows[:limit], title="Documents, the worst first"))
        for title, own, other in (("Missed", *self._sides), ("Invented", *self._sides[::-1])):
            there = set(other.elements)
            labels = own.labels(np.arange(len(own.elements)))
            rows = [
                (mention, label, document)
                for (document, mention), label in zip(own.elements, labels, strict=True)
                if (document, mention) not in there
            ]
            columns = [Field(name, text=printable) for name in ("mention", "cluster", "document")]
            named = f"{title} mentions"
            listings += [Listing(rows[:limit], columns, title=named, total=len(rows))] if rows else []
        return listings

    def _printed(self, measure: str) -> tuple[float, ...]:
        recall, precision, f1 = self[measure]
        if self.digits == "cut" and measure == "bcubed":
            recall, precision = _mention_by_mention(*self._sides)
        if self.digits == "cut" and measure != "blanc" and recall + precision:
            f1 = 2 * precision * recall / (precision + recall)  # rounded as in the official scorer, then cut
        return tuple(map(self._percent, (recall, precision, f1)))

    def _percent(self, value: float) -> float:
        return int(value * 10_000) / 100 if self.digits == "cut" else 100 * value

    def __repr__(self) -> str:
        counts = self.comparison._counts
        return (
            f"<Coreference of {counted(len(self.pairs), 'document')}: {counts.reference_size:,} against "
            f"{counted(counts.candidate_size, 'mention')}, CoNLL {rounded(self.conll)}>"
        )


class Documents(Result, Mapping[Any, Coreference]):
    """The scores of each document, by its name. `Coreference.documents` returns it."""

    def __init__(self, together: Coreference) -> None:
        self._together = together

    def __repr__(self) -> str:
        return f"<Documents of {counted(len(self), 'document')}>"

    def __getitem__(self, name: Any) -> Coreference:
        try:
            pair = self._together.pairs[name]
        except (KeyError, TypeError):  # TypeError: no key can be of this type
            known = few(self._together.pairs)
            raise UnknownKeyError(f"there is no document {name!r}; this has {known}") from None
        return replace(self._together, pairs={name: pair})

    def __contains__(self, name: object) -> bool:
        return any(name is each or name == each for each in self._together.pairs)

    def to_dict(self) -> dict[str, Any]:
        """Return the scores of each document. A document without mentions has none.

        Returns
        -------
        dict
            The scores by document.

        Examples
        --------
        >>> coreference({"news": [{"a", "b"}]}, {"news": [{"a", "b"}]}).documents.to_dict()["news"]["conll"]
        {'f1': 1.0}
        """
        found = ((str(name), self.get(name)) for name in self)
        return {name: {} if each is None else each.to_dict() for name, each in found}

    def _rows(self, limit: int | None = None) -> list[dict[str, Any]]:
        rows = (
            {"slice": name, "index": index, "kind": kind, "value": value}
            for name, scores in self.to_dict().items()
            for index, own in scores.items()
            for kind, value in own.items()
        )
        return list(islice(rows, limit))

    def _names(self) -> Sequence[str]:
        return ("slice", "index", "kind", "value")

    def _listings(self, limit: int | None = None) -> Sequence[Listing]:
        names = list(islice(self, limit))
        rows = [
            {"document": name, "conll": None if (own := self.get(name)) is None else own.conll}
            for name in names
        ]
        columns = [Field("document", text=printable), Field("conll", "CoNLL")]
        return [Listing(rows, columns, total=len(self))]

    def _title(self) -> str:
        return counted(len(self), "document")

    def get(self, value: Any, default: Any = None) -> Any:
        """Return the scores of a document.

        Parameters
        ----------
        value : label
            Name of the document.
        default : object, optional
            The result if there is no such document, or if it has no mentions on either side.

        Returns
        -------
        Coreference
            The scores, or the default.

        Examples
        --------
        >>> documents = coreference({"news": [{"a", "b"}]}, {"news": [{"a", "b"}]}).documents
        >>> documents.get("news").conll, documents.get("mail")
        (1.0, None)
        """
        try:
            return self[value]
        except (KeyError, NothingLeftError):
            return default

    def __iter__(self) -> Iterator[Any]:
        return iter(self._together.pairs)

    def __len__(self) -> int:
        return len(self._together.pairs)


def _share(part: float, whole: int) -> float:
    return part / whole if whole else 0.0


# -- from documents to counts ------------------------------------------------------------------------------


def _paired(reference: Any, candidate: Any) -> Paired:
    reference, candidate = _documents(reference), _documents(candidate)
    if isinstance(reference, Mapping) != isinstance(candidate, Mapping):
        raise InputError(
            "the reference and the candidate must both be lists of documents, or both mappings by name"
        )
    if not isinstance(reference, Mapping):
        reference, candidate = _listed(reference, "reference"), _listed(candidate, "candidate")
        if len(reference) != len(candidate):
            raise LengthError(
                f"the reference has {counted(len(reference), 'document')} and the candidate "
                f"{len(candidate):,}; give both in the same order, or as mappings from the document's name"
            )
        return dict(enumerate(zip(reference, candidate, strict=True)))
    parts = [
        f"{len(only):,} only in the {role} ({few(only)})"
        for role, here, there in (("reference", reference, candidate), ("candidate", candidate, reference))
        if (only := [name for name in here if name not in there])
    ]
    if parts:
        raise UnmatchedError(
            f"the reference and the candidate contain different documents: {' and '.join(parts)}; score the "
            "documents that both have, or give an empty list of clusters for a document without mentions"
        )
    return {name: (reference[name], candidate[name]) for name in reference}


def _documents(side: Any) -> Any:
    """The documents of a file by name; documents in memory are returned unchanged."""
    return files.read_mentions(side) if isinstance(side, str | os.PathLike) else side


def _listed(documents: Any, role: str) -> Sequence[Any]:
    if isinstance(documents, str | bytes) or not isinstance(documents, Iterable):
        raise InputError(f"the {role} is {kind_of(documents)}; it must be a list of documents")
    listed = list(documents)
    first = next((document for document in listed if document), None)
    if isinstance(first, set | frozenset):
        raise InputError(
            f"the {role} is a list of sets, which is one document; pass a list of documents: [{role}]"
        )
    return listed


def _compared(reference: MemoryLabels, candidate: MemoryLabels, undefined: Undefined) -> Comparison:
    if not reference.elements and not candidate.elements:
        raise NothingLeftError(
            "there is no mention in any document, on either side, so there is nothing to score"
        )
    conventions = Conventions(unmatched="keep", undefined=undefined)
    made = engines.count(reference, candidate, conventions, Detail.RECORDS)
    cells = made.counts
    if not isinstance(cells, PartialOverlap):
        cells = PartialOverlap.of_profile(cells.partitions)
    both = set(reference.elements).intersection(candidate.elements)
    made.is_coreference = True
    made.counts = cells.with_compared_pairs(*map(_pairs, (reference.elements, candidate.elements, both)))
    return Comparison(made, undefined=undefined)


def _mention_by_mention(reference: MemoryLabels, candidate: MemoryLabels) -> tuple[float, float]:
    """Recall and precision of B-cubed as the official scorer rounds them: it adds up the shares of the
    mentions one after the other, document by document. For a score of 56 it may print 55.99.
    """
    reference_codes, candidate_codes = reference.codes.tolist(), candidate.codes.tolist()
    cluster_of = dict(zip(reference.elements, reference_codes, strict=True))
    in_reference, in_candidate = Counter(reference_codes), Counter(candidate_codes)
    met = [
        (name, cluster_of[name, mention], code)
        for (name, mention), code in zip(candidate.elements, candidate_codes, strict=True)
        if (name, mention) in cluster_of
    ]
    overlap = Counter((own, code) for _, own, code in met)
    sums: dict[Any, list[float]] = {}
    for name, own, code in met:
        of_document = sums.setdefault(name, [0.0, 0.0])
        of_document[0] += overlap[own, code] / in_reference[own]
        of_document[1] += overlap[own, code] / in_candidate[code]
    totals = [0.0, 0.0]
    for of_document in sums.values():  # not by sum(), which from Python 3.12 on rounds once
        totals = [total + each for total, each in zip(totals, of_document, strict=True)]
    return _share(totals[0], len(reference.elements)), _share(totals[1], len(candidate.elements))


def _pairs(elements: Iterable[tuple[Any, Any]]) -> int:
    """Pairs of mentions of the same document."""
    sizes = Counter(document for document, _ in elements)
    return sum(size * (size - 1) // 2 for size in sizes.values())


def _side(role: str, documents: Mapping[Any, Any], repeated: Repeated, *, fewest: int) -> MemoryLabels:
    """The mentions of one side, document after document; an element is a document and a mention.

    Clusters with fewer than ``fewest`` mentions are left out.
    """
    elements: list[tuple[Any, Any]] = []
    labels: list[str] = []
    codes: list[int] = []
    code = 0
    for name, document in documents.items():
        held: dict[Any, str] = {}
        for label, mentions in _clusters(document, role, name):
            own = _own_mentions(mentions, held, str(label), (role, name), repeated)
            if len(own) >= fewest:
                shown = str(label) if isinstance(document, Mapping) else _name(mentions, own)
                shown = f"{name}: {shown}" if len(documents) > 1 else shown
                elements += [(name, mention) for mention in own]
                labels += [shown] * len(own)
                codes += [code] * len(own)
                code += 1
    return MemoryLabels(np.array(codes, dtype=np.int64), labels, elements=elements, named=True)


def _clusters(document: Any, role: str, name: Any) -> Iterable[tuple[Any, Any]]:
    if isinstance(document, Mapping):
        return document.items()
    if isinstance(document, str | bytes) or not isinstance(document, Iterable):
        raise InputError(
            f"document {name!r} of the {role} is {kind_of(document)}; it must be a list of clusters"
        )
    return enumerate(document)


def _name(mentions: Iterable[Any], own: Sequence[Any]) -> str:
    """A cluster without a name is named after its first mention: ``Obama_0 +3``."""
    first = own[0]
    if not isinstance(mentions, Sequence):  # a set has no order
        try:
            first = min(own)
        except TypeError:
            first = min(own, key=repr)
    return f"{first} +{len(own) - 1}" if len(own) > 1 else str(first)


def _own_mentions(
    mentions: Any, held: dict[Any, str], label: str, where: tuple[str, Any], repeated: Repeated
) -> Sequence[Any]:
    """The mentions of a cluster that are in no earlier cluster; ``held`` maps mentions to clusters."""
    role, name = where
    if isinstance(mentions, str | bytes) or not isinstance(mentions, Iterable):
        raise InputError(
            f"cluster {label} of document {name!r} of the {role} is {mentions!r}; it must be a set of "
            "mentions"
        )
    own = []
    for mention in mentions:
        try:
            first = held.setdefault(mention, "")
        except TypeError as error:
            raise InputError(
                f"a mention of cluster {label} of document {name!r} of the {role} is {mention!r}; mentions "
                "must be hashable, such as (first, last)"
            ) from error
        if not first:
            held[mention] = f"cluster {label}"
            own.append(mention)
        elif repeated == "error":
            raise OverlapError(
                f"document {name!r} of the {role} contains the mention {mention!r} twice, in {first} and "
                f"in cluster {label}",
                remedies=[
                    Remedy("count only its first occurrence, as the official scorer does", repeated="first")
                ],
            )
    return own
