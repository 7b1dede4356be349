"""Every index as a function of the two sides that it compares, and scorers for model selection."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from textwrap import fill, indent
from types import NoneType
from typing import Any, Literal, Unpack, get_args, get_origin

from concordant.clusterings.coerce import both_sides
from concordant.comparisons import compare, values
from concordant.comparisons.entry import compare_sides
from concordant.errors import ParameterError, UnmatchedError, kind_of, warn
from concordant.foundation import kinds
from concordant.foundation.conventions import Conventions
from concordant.foundation.input_options import InputOptions, check_options, input_options, listed_options
from concordant.indices.index import DEFAULT_INDEX, INDICES, Index
from concordant.indices.parameters import bound_text, meaning_of, plain_type, wording


def function_of(declared: Index) -> Callable[..., float]:
    """The index as a plain function of the two sides that it compares."""
    alone, is_of_partitions = (declared,), declared.is_of_partitions

    def function(*sides: Any, **options: Any) -> float:
        try:
            if is_of_partitions and len(sides) == 2 and not options and sides[1] is not None:
                return values(alone, *sides)[0]
            return with_options(sides, options)
        except UnmatchedError as error:
            if not declared.partial_overlap:
                error.withdraw(unmatched="keep")
            raise

    def with_options(sides: tuple[Any, ...], options: dict[str, Any]) -> float:
        given = _sides(declared, sides, options)
        arguments = {key: options.pop(key) for key in declared.parameters if key in options}
        bound = declared.bind(**arguments)
        if options.get("between") is not None:
            of_pairs: float = compare(*given, **options)._value(bound)
            return of_pairs
        options.pop("between", None)
        reference, candidate, conventions = both_sides(*given, Conventions.of(options))
        if is_of_partitions:
            return values([bound], reference, candidate, conventions)[0]
        value: float = compare_sides(reference, candidate, conventions)._value(bound)
        return value

    function.__name__ = function.__qualname__ = declared.name
    function.__module__ = "concordant"
    function.__doc__ = _documentation(declared)
    function.__signature__ = _signature(declared)  # type: ignore[attr-defined]  # what inspect and help() read
    return function


_WIDTH = 100
_INPUTS = inspect.signature(compare).parameters
_SIDES = {name: each for name, each in _INPUTS.items() if each.kind is not each.KEYWORD_ONLY}
_WITHOUT_VALUE = ("same", "different")  # decisions change no index
OPTIONS = {
    name: each
    for name, each in _INPUTS.items()
    if each.kind is each.KEYWORD_ONLY and name not in _WITHOUT_VALUE
}
_REFUSED = {"names": "a number has no report; pass names to compare()"}


def _sides(declared: Index, given: tuple[Any, ...], options: dict[str, Any]) -> tuple[Any, Any]:
    """The two sides, also if given by name, taken out of the options; invalid options are refused."""
    sides = [*given, *(options.pop(name, None) for name in list(_SIDES)[len(given) :])]
    check_options(declared.name, options, {**declared.parameters, **OPTIONS}, _REFUSED)
    if given and len(sides) == len(_SIDES) and sides[0] is None:
        raise ParameterError(f"{declared.name}(): the reference is None; pass a clustering")
    if len(sides) != len(_SIDES) or sides[0] is None:
        raise ParameterError(
            f"{declared.name}() compares {declared.inputs}, the reference and the candidate, and was given "
            f"{len(given)}; pass everything else by name"
        )
    reference, candidate = sides
    return reference, candidate


def _signature(declared: Index) -> inspect.Signature:
    own = [each.replace(annotation=plain_type(each.annotation)) for each in declared.parameters.values()]
    return inspect.Signature([*_SIDES.values(), *own, *OPTIONS.values()], return_annotation=float)


def documentation(declared: Index, parameters: str = "", example: str = "") -> str:
    """The docstring of an index in the format of numpydoc, with these parameters and this example."""
    perfect = declared.perfect
    identical = "" if perfect is None else f" Identical clusterings score {bound_text(perfect)}."
    returns = f"Returns\n-------\nfloat\n    The value, in {declared.range_text}.{identical}"
    parts = [
        f"{declared.title}.",
        fill(declared.summary, _WIDTH),
        fill(declared.advice, _WIDTH),
        f"Parameters\n----------\n{parameters}\n\n{returns}" if parameters else "",
        f"Notes\n-----\n{declared.formula}, in {declared.range_text}.",
        f"References\n----------\n{declared.cite}.",
        f"Examples\n--------\n{example}" if example else "",
    ]
    return "\n\n".join(filter(None, parts)) + "\n"


def own_parameters(declared: Index) -> str:
    """The two sides and the parameters of an index, as numpydoc lists them."""
    lines = [
        "reference : any input of compare",
        "    The reference clustering, or one table with both.",
        "candidate : any input of compare, optional",
        "    The judged clustering.",
    ]
    for name, each in declared.parameters.items():
        kind = plain_type(each.annotation)
        if get_origin(kind) is Literal:
            words, sentence = f"{{{', '.join(map(_quoted, get_args(kind)))}}}", ""
        else:
            words, sentence = _words(kind), f"{wording(each.annotation)}."
        default = "optional" if each.default is None else f"default={_quoted(each.default)}"
        meaning = " ".join(filter(None, [meaning_of(each.annotation), sentence[:1].upper() + sentence[1:]]))
        lines += [f"{name} : {words}, {default}", indent(fill(meaning, _WIDTH), "    ")]
    return "\n".join(lines)


def _quoted(value: Any) -> str:
    return f'"{value}"' if isinstance(value, str) else f"{value:.6g}"


def _words(kind: Any) -> str:
    """The types of a parameter: float, or str or callable."""
    names = {Literal: "str", Callable: "callable"}
    parts = [part for part in get_args(kind) or (kind,) if part is not NoneType]
    return " or ".join(names.get(get_origin(part)) or part.__name__ for part in parts)


_OF_COMPARE = """\
reference_noise, candidate_noise : mapping from label to str, optional
    Treatment of labels of one side, as in {0: "drop"}: "cluster", "drop", "singletons" or "background".
between : str, mapping or sequence, optional
    The source of each record. Only pairs of records of different sources count.
"""


def _documentation(declared: Index) -> str:
    parameters = f"{own_parameters(declared)}\n{_OF_COMPARE}{_shared_options()}"
    return documentation(declared, parameters, _example(declared))


@cache
def _shared_options() -> str:
    return listed_options(_REFUSED)


def _example(declared: Index) -> str:
    """A call and its value: of the first worked example, if there is one."""
    own = kinds.section_of(declared.sides)
    sides = _worked_labels(declared) if own is None else kinds.use(own.example)(declared)
    if not sides:
        return ""
    value = compare(*(side for side, _ in sides))._value(declared)
    spelled = ", ".join(spelling for _, spelling in sides)
    return f">>> import concordant as cc\n>>> cc.{declared.name}({spelled})\n{value}"


def _worked_labels(declared: Index) -> list[tuple[Any, str]]:
    """The labels of the first worked example, and how they are written."""
    return [(list(text), repr(list(text))) for each in declared.worked[:1] for text in each[:2]]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Scorer:
    """An index as a function of a model, data and true labels, as scikit-learn expects. Higher is better."""

    _declared: Index
    _conventions: Conventions

    def __post_init__(self) -> None:
        declared = self._declared
        if declared.direction == "statistic":
            raise ParameterError(
                f"{declared.name} has no direction, so it cannot choose a model; use an index with a "
                "perfect value, such as adjusted_rand"
            )

    def __call__(self, model: Any, data: Any, labels: Any = None) -> float:
        """The value of the model's clusters against the labels; a distance is taken as negative."""
        if labels is None:
            raise ParameterError(
                f"{self!r} compares with true labels, and none were given: pass them as y, as in "
                "search.fit(X, y)"
            )
        predict = getattr(model, "predict", None)
        if predict is None:
            text = (
                f"{kind_of(model)} has no predict(), so it has no labels for new data; compare its labels_ "
                "with the true ones instead"
            )
            warn(f"{text}. A search such as GridSearchCV gives every setting the score NaN")
            raise ParameterError(text)
        value = values([self._declared], labels, predict(data), self._conventions)[0]
        return value if self._declared.direction == "similarity" else -value

    def __repr__(self) -> str:
        return f"scorer({self._declared.name!r})"


@input_options(
    refused={
        "columns": "a scorer receives labels, not tables",
        "record": "a scorer receives labels, not tables",
        "weights": "a scorer sees other records in each fold, so weights cannot be fixed",
        "where": "a scorer sees other records in each fold, so a mask cannot be fixed",
        "names": "a number has no report",
    }
)
def scorer(index: str = DEFAULT_INDEX, **options: Unpack[InputOptions]) -> Scorer:
    """Return an index as a scorer for model selection, for example with `GridSearchCV`.

    The reference is `y`, the candidate is the prediction of the model. Higher is better; distances are
    negated. scikit-learn is not imported.

    Parameters
    ----------
    index : str, default="adjusted_rand"
        Name of the index.
    **options
        The input options.

    Returns
    -------
    callable
        A function of a model, the data and the true labels.

    Raises
    ------
    ParameterError
        If the index has no perfect value.

    Examples
    --------
    >>> class Parity:
    ...     def predict(self, data):
    ...         return [each % 2 for each in data]
    >>> scorer("adjusted_rand")(Parity(), [1, 2, 3, 4], ["odd", "even", "odd", "even"])
    1.0
    """
    return Scorer(INDICES[index], Conventions.of(options))
