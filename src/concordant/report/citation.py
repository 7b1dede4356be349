"""BibTeX entries of indices and of concordant."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from importlib.resources import files

from concordant.catalogue.index import INDICES
from concordant.errors import ParameterError
from concordant.report.explanation import all_families, explain

TITLE = "concordant: comparing two partitions of the same set"
AUTHOR = "the concordant developers"

_NAME = r"(?:van )?[A-Z][\w'-]+"
_WORK = re.compile(rf"({_NAME}(?:, {_NAME})*(?: & {_NAME}| et al\.)?) (\d{{4}})(?:, (.+))?")
_BETWEEN_WORKS = re.compile(r"; |, (?=(?:corrected|after|applied|for) )")


def cite(*indices: str) -> str:
    """Return BibTeX entries for the papers of indices, and for concordant.

    Parameters
    ----------
    *indices : str
        Names of indices. Without a name, the result has only the entry for concordant.

    Returns
    -------
    str
        One entry for each paper, then the entry for concordant with its version.

    Raises
    ------
    UnknownIndexError
        If no index has this name.
    ParameterError
        If other libraries call several indices by this name.

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

    works = dict.fromkeys(key for name in indices for key, _ in _works(_reference(name)))
    complete, declared = _complete_entries(), _declared_works() if works else {}
    entries = [complete.get(key) or _entry("misc", key, declared[key]) for key in works]
    ours = {
        "author": f"{{{AUTHOR}}}",
        "title": TITLE,
        "note": f"Python package, version {version('concordant')}",
    }
    return "\n\n".join([*entries, _entry("misc", "concordant", ours)])


def _reference(name: str) -> str:
    """The declared reference of an index."""
    index = explain(name).index
    if index is None:
        names = dict.fromkeys(index.name for _, index in INDICES.known_elsewhere(name))
        raise ParameterError(
            f"{name!r} means several indices in other libraries; use one of {', '.join(names)}"
        )
    return index.cite


def _works(reference: str) -> Iterator[tuple[str, dict[str, str]]]:
    """The works that a reference names, by their keys such as hubert1985."""
    for part in _BETWEEN_WORKS.split(reference):
        for authors, year, source in _WORK.findall(part):
            first = unicodedata.normalize("NFKD", re.split(r", | & | et al", authors)[0])
            key = re.sub(r"[^a-z]", "", first.casefold()) + year
            names = re.sub(r", | & ", " and ", authors).replace(" et al.", " and others")
            fields = {"author": names, "year": year, "howpublished": source.replace("&", r"\&")}
            yield key, {name: text for name, text in fields.items() if text}


@cache
def _declared_works() -> dict[str, dict[str, str]]:
    """The fullest form of each work: some references repeat a work with fewer authors or no source."""
    fullest: dict[str, dict[str, str]] = {}
    references = (index.cite for members in all_families().values() for index in members)
    for key, fields in (work for reference in references for work in _works(reference)):
        known = fullest.setdefault(key, fields)
        if "others" in known["author"]:
            known["author"] = fields["author"]
        if len(fields.get("howpublished", "")) > len(known.get("howpublished", "")):
            known["howpublished"] = fields["howpublished"]
    return fullest


@cache
def _complete_entries() -> dict[str, str]:
    """Entries with titles, by key, for the indices that reports show first and other common ones."""
    text = files(__package__).joinpath("references.bib").read_text(encoding="utf-8")
    return {entry.partition("{")[2].partition(",")[0]: entry for entry in text.strip().split("\n\n")}


def _entry(kind: str, key: str, fields: dict[str, str]) -> str:
    return (
        f"@{kind}{{{key},\n" + ",\n".join(f"  {name} = {{{text}}}" for name, text in fields.items()) + "\n}"
    )
