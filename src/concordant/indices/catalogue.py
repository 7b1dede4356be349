"""The catalogue: every index that was declared, under each of its names."""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence, ValuesView
from typing import TYPE_CHECKING, Any

from concordant.errors import ParameterError, UnknownIndexError

if TYPE_CHECKING:
    from concordant.indices.index import Index


class Catalogue(Mapping[str, "Index"]):
    """Indices by name. It also accepts aliases and names with parameters.

    >>> import concordant
    >>> concordant.INDICES["ARI"].name
    'adjusted_rand'
    """

    def __init__(self, called: str = "index {!r}", listing: str = "") -> None:
        """Errors about an unknown name call it ``called``. They list all names, or end with ``listing``."""
        self._called, self._listing = called, listing
        self._by_name: dict[str, Index] = {}
        self._by_alias: dict[str, str] = {}

    def add(self, declared: Index) -> None:
        for name in (declared.name, *declared.aliases):
            taken = self._by_alias.setdefault(plain_name(name), declared.name)
            if taken != declared.name:
                raise ValueError(f"{name!r} names both {taken} and {declared.name}")
        if declared.headline is not None and declared.headline in {other.headline for other in self.headline}:
            raise ValueError(
                f"place {declared.headline} among the first lines is taken, not for {declared.name}"
            )
        self._by_name[declared.name] = declared

    def __getitem__(self, spelling: str) -> Index:
        if type(spelling) is str and spelling in self._by_name:
            return self._by_name[spelling]
        return self.bound(*parsed(spelling, self.bound))

    def bound(self, name: str, arguments: Mapping[str, Any]) -> Index:
        """The index of that name with these parameters."""
        found = self._by_alias.get(plain_name(name))
        if found is None:
            suggested = self._suggestion(name)
            listing = self._listing or f"there are {', '.join(self)}"
            raise UnknownIndexError(
                f"there is no {self._called.format(name)}{suggested or f'; {listing}'}",
                calls="so does list(concordant.INDICES)" if self._listing and not suggested else "",
            )
        declared = self._by_name[found]
        return declared.bind(**arguments) if arguments else declared

    def __contains__(self, spelling: object) -> bool:
        if not isinstance(spelling, str) or not self.names(spelling):
            return False  # without a search for similar names, which takes a millisecond
        try:
            return self.get(spelling) is not None
        except ParameterError:
            return False

    def names(self, spelling: str) -> bool:
        """Whether it has an index of that name, whatever its parameters."""
        if type(spelling) is str and spelling in self._by_name:
            return True
        return isinstance(spelling, str) and plain_name(spelling.partition("(")[0]) in self._by_alias

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_name)

    def values(self) -> ValuesView[Index]:
        return self._by_name.values()

    def __len__(self) -> int:
        return len(self._by_name)

    @property
    def families(self) -> dict[str, list[Index]]:
        """The indices by family, in the order of declaration."""
        families: dict[str, list[Index]] = {}
        for declared in self._by_name.values():
            families.setdefault(declared.family, []).append(declared)
        return families

    @property
    def headline(self) -> list[Index]:
        """The indices a printed comparison shows first, in that order."""
        chosen = [declared for declared in self._by_name.values() if declared.headline is not None]
        return sorted(chosen, key=lambda declared: declared.headline or 0)

    def known_elsewhere(self, name: str) -> list[tuple[str, Index]]:
        """(library, index) for every library that calls an index by this name."""
        wanted = plain_name(name)
        return [
            (library, declared)
            for declared in self._by_name.values()
            for library, names in declared.known_as.items()
            if wanted in (plain_name(each) for each in separate_names(names))
        ]

    def suggests(self, name: str) -> bool:
        """Whether there is an index that an unknown name may mean."""
        return isinstance(name, str) and bool(self._suggestion(name))

    def _suggestion(self, name: str) -> str:
        elsewhere = [(library, declared.name) for library, declared in self.known_elsewhere(name)]
        return suggestion(name, self._by_alias, elsewhere)


def separate_names(names: str) -> list[str]:
    """Names that commas separate; a comma inside brackets belongs to a name.

    >>> separate_names("f(a=1, b=2), g")
    ['f(a=1, b=2)', 'g']
    """
    return [name.strip() for name in re.split(r",(?![^()]*\))", names)]


# No spelling of ours has 100; the parser of Python breaks down on many thousands of brackets or signs.
_LONGEST = 300


def plain_name(name: str) -> str:
    return re.sub(r"[\s\-]+", "_", name.strip()).lower()


def parsed(spelling: str, check: Callable[[str, Mapping[str, Any]], object]) -> tuple[str, dict[str, Any]]:
    """``"f_measure(beta=2)"`` -> ``("f_measure", {"beta": 2})``.

    ``check`` refuses parameters. Quotes around a word are advised only if it takes the word.
    """
    if not isinstance(spelling, str):
        raise UnknownIndexError(f"the name of an index is a string, not {spelling!r}")
    if len(spelling) > _LONGEST:
        shown = f"{spelling[:30]!r}…"
        raise UnknownIndexError(
            f"{shown} has {len(spelling):,} characters, which is too long for the name of an index"
        )
    name, bracket, rest = spelling.partition("(")
    if not bracket:
        return name, {}
    example = "name(parameter=2)"
    try:
        keywords = _keywords(ast.parse(f"_({rest}".strip(), mode="eval").body, rest)
        if any(isinstance(keyword.value, ast.Name) for keyword in keywords):
            words = {str(each.arg): _word_or_value(each.value) for each in keywords}
            check(name, words)
            example = f"{name}({', '.join(f'{key}={value!r}' for key, value in words.items())}), with quotes"
        arguments = {str(keyword.arg): ast.literal_eval(keyword.value) for keyword in keywords}
    except ParameterError:  # of the check
        raise
    except (SyntaxError, ValueError) as error:
        raise ParameterError(f"cannot read {spelling!r}; write it like {example}") from error
    return name, arguments


def _word_or_value(value: ast.expr) -> Any:
    return value.id if isinstance(value, ast.Name) else ast.literal_eval(value)


def _keywords(call: ast.expr, written: str) -> list[ast.keyword]:
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name) or call.args or "#" in written:
        raise ValueError("an index takes parameters by name, in one pair of brackets")
    if len({keyword.arg for keyword in call.keywords}) < len(call.keywords):
        raise ValueError("a parameter is given twice")
    return call.keywords


def spelled_value(value: Any) -> str:
    return getattr(value, "__name__", None) or repr(value)


def spelled_default(value: Any) -> str:
    """The default of a parameter as manual pages print it.

    >>> import math
    >>> spelled_default(math.e), spelled_default("max"), spelled_default(1.5)
    ('e', "'max'", '1.5')
    """
    return "e" if value == math.e else spelled_value(value)


# Words that libraries append to a name and that do not distinguish indices.
_FILLERS = {"score", "index", "coefficient", "measure", "metric", "value", "similarity", "of", "the"}

_MOST = 6


# Names of other fields and tools that are not an index: what to use, or why it is not here.
_OTHER_TERMS = {
    ("sc3_stability", "sc3_stability_index", "sc3"): (
        "use stability, which shows by the Jaccard index whether each cluster comes again at other "
        "settings; the index of SC3, which divides twice by the number of parts, is not here"
    ),
    ("scice", "scice_inconsistency", "inconsistency_coefficient"): (
        "use stability for how much runs differ, or a matrix of element_centric, the similarities whose "
        "weighted mean scICE inverts"
    ),
    ("ccms", "case_count", "case_count_metric", "case_count_metric_system"): (
        "its cases, unchanged, merged, partitioned and overlapping, are the changes of kinds 1:1, n:1, "
        "1:n and n:m of a comparison"
    ),
    ("double_majority", "double_majority_efficiency"): (
        "a cluster and its partner that have most of each other's records; object_recall(iou=0.5) is "
        "stricter, and object_recall(iou=0.33) is more lenient"
    ),
    ("uniformity", "cluster_uniformity"): (
        "use purity or homogeneity: whether clusters have records of one class; of pairs, precision"
    ),
    ("vi_in_bits", "variation_of_information_in_bits", "vi_bits"): ("use variation_of_information(base=2)"),
    ("der", "diarization_error_rate", "diarisation_error_rate"): (
        "not here: it counts missed speech, false alarms and overlapping speakers, which are not "
        "partitions of the same records; see pyannote.metrics. For the speakers of given segments use "
        "purity, bcubed_f and matching_accuracy"
    ),
    ("jer", "jaccard_error_rate"): (
        "not here: it counts missed speech and false alarms of each speaker, which are not partitions "
        "of the same records; see pyannote.metrics. For the speakers of given segments use "
        "mean_true_iou and matching_accuracy"
    ),
}
_TERMS = {term: use for terms, use in _OTHER_TERMS.items() for term in terms}


def other_term(name: str) -> str:
    """The advice for a name of another field that has no index here; empty if the name is not known.

    >>> other_term("VI in bits")
    'use variation_of_information(base=2)'
    """
    return _TERMS.get(plain_name(name), "")


def suggestion(name: str, aliases: Mapping[str, str], elsewhere: Sequence[tuple[str, str]]) -> str:
    """The end of an error message: the indices that the name may mean; empty if none is near.

    Parameters
    ----------
    name : str
        The unknown name.
    aliases : dict
        The own name of each index, by every name.
    elsewhere : sequence of (str, str)
        The library and the index, for every library that has an index of this name.

    Examples
    --------
    >>> suggestion("rand_index", {"rand": "rand", "ri": "rand"}, [("cdlib", "rand")])
    '; did you mean rand (its name in cdlib)?'
    """
    if use := other_term(name):
        return f"; {use}"
    first = {index: library for library, index in reversed(elsewhere)}
    meant = [f"{index} (its name in {first[index]})" for index in dict.fromkeys(i for _, i in elsewhere)]
    meant = meant or _by_words(name, aliases)
    if not meant:
        return ""
    *others, last = meant[:_MOST]
    return f"; did you mean {', '.join(others)} or {last}?" if others else f"; did you mean {last}?"


def _by_words(name: str, aliases: Mapping[str, str]) -> list[str]:
    """Names of the same words, else with all of them, else spelled nearly so, else with some of its words."""
    import difflib  # rarely needed

    wanted, words = _words(name), {alias: _words(alias) for alias in aliases}

    def by_length(names: list[str]) -> list[str]:
        return sorted(names, key=lambda alias: len(words[alias]))

    holding = by_length([alias for alias in aliases if wanted and wanted <= words[alias]])
    if holding:
        same = [alias for alias in holding if words[alias] == wanted]
        return _one_for_each_index(same or holding, aliases)
    near = difflib.get_close_matches(plain_name(name), aliases, n=3, cutoff=0.75)
    if near:
        return list(dict.fromkeys(aliases[alias] for alias in near))
    within = [alias for alias in aliases if words[alias] and words[alias] <= wanted]
    if within:
        longest = sorted(within, key=lambda alias: len(words[alias]), reverse=True)
        return _one_for_each_index(longest, aliases)
    long = {word for word in wanted if len(word) > 2}
    begun = [
        alias
        for alias in aliases
        if any(
            one.startswith(word) or word.startswith(one)
            for one in words[alias]
            if len(one) > 2
            for word in long
        )
    ]
    return _one_for_each_index(by_length(begun), aliases)


def _one_for_each_index(names: list[str], aliases: Mapping[str, str]) -> list[str]:
    """The first of the names of each index, or the index's own name where that is among them."""
    chosen: dict[str, str] = {}
    for each in names:
        chosen.setdefault(aliases[each], aliases[each] if aliases[each] in names else each)
    return list(chosen.values())


def _words(name: str) -> set[str]:
    return set(plain_name(name).split("_")) - _FILLERS - {""}
