"""BibTeX entries of indices and of concordant."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from importlib.resources import files

from concordant.catalogue.index import all_indices
from concordant.errors import ParameterError
from concordant.report.explanation import explain

TITLE = "concordant: comparing two partitions of the same set"
AUTHOR = "the concordant developers"

_NAME = r"(?:van )?[A-Z][\w'-]+"
_WORK = re.compile(rf"({_NAME})(?:, {_NAME})*(?: & {_NAME}| et al\.)? (\d{{4}}[a-z]?)\b")
_BETWEEN_WORKS = re.compile(r"; |, (?=(?:corrected|after|applied|for) )")
_LETTERS = str.maketrans({"ø": "o", "œ": "oe"})  # two letters that do not decompose


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

    keys = dict.fromkeys(key for name in indices for key in cited_works(_reference(name)))
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
