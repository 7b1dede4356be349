"""Options that several functions take: a block, declared once.

A block is a TypedDict and the description of its options. `InputOptions` is the block of every function of
clusterings. A function declares ``**options: Unpack[InputOptions]``, which type checkers expand, and makes
one ``Conventions`` of them with ``Conventions.of(options)``. ``input_options`` completes its signature and
its docstring, and refuses unknown options and those that the function cannot honour.
"""

from __future__ import annotations

import inspect
import re
from ast import literal_eval
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from textwrap import fill, indent
from typing import Any, ParamSpec, TypedDict, TypeVar

from concordant.errors import ConcordantError, ParameterError, nearest_first
from concordant.foundation.conventions import NoiseAs, Nulls, Progress, Undefined, Unmatched


class InputOptions(TypedDict, total=False):
    """The options of inputs. `Conventions` has their defaults."""

    columns: str | Sequence[str] | None
    record: str | None
    unmatched: Unmatched
    nulls: Nulls | None
    noise: Any
    noise_as: NoiseAs | None
    weights: Any
    where: Any
    undefined: Undefined
    table_limit: int
    threads: int
    progress: Progress | None
    names: Sequence[str] | None


Option = tuple[inspect.Parameter, str]  # with its entry, as numpydoc lists it


def block(kind: type, listed: str) -> dict[str, Option]:
    """The options of a TypedDict. ``listed`` has their entries, which state their defaults.

    >>> class Lengths(TypedDict, total=False):
    ...     unit: str
    >>> block(Lengths, 'unit : str, default="m"')["unit"][0].default
    'm'
    """
    options = {}
    for entry in re.split(r"\n(?=\w)", listed.rstrip()):
        head = entry.partition("\n")[0]
        name, stated = head.partition(" :")[0], head.partition("default=")[2]
        annotation = kind.__annotations__[name]
        parameter = inspect.Parameter(
            name,
            inspect.Parameter.KEYWORD_ONLY,
            default=literal_eval(stated) if stated else None,
            annotation=getattr(annotation, "__forward_arg__", annotation),
        )
        options[name] = parameter, entry
    return options


INPUTS: dict[str, Option] = block(
    InputOptions,
    """\
columns : str or sequence of str, optional
    The columns that contain clusters, in the order of the sides, if the input is one table: a dataframe, a
    relation, or AnnData. One name applies to each side that is a table.
record : str, optional
    The column of record ids in tables. It joins two tables.
unmatched : {"error", "drop", "singletons", "keep"}, default="error"
    Records of only one side: raise an error, drop them, make each a singleton on the other side, or keep
    each side as it is.
nulls : {"error", "drop", "singletons"}, optional
    Null labels, including None and NaN: raise an error (default), drop these records, or make them
    singletons.
noise : label, optional
    The label that marks noise, that is, records in no cluster. Use with `noise_as`.
noise_as : {"cluster", "singletons", "drop"}, optional
    Whether noise is a cluster, becomes singletons, or is dropped.
weights : array, mapping or str, optional
    Weight of each record, in the order of the first input or by record id, or the column of the first
    dataframe or file that has them. A pair weighs the product of its two weights. Indices without a meaning
    for weights raise an error.
where : array of bool, optional
    Mask of the records to compare, in the shape of the labels.
undefined : {"convention", "nan", "raise", "conll"}, default="convention"
    Value of an index if its formula is 0/0 and the clusterings differ: a convention of the index, NaN, or an
    error. "conll" follows the official coreference scorer. Identical clusterings are always perfect.
table_limit : int, default=10_000_000
    Maximum number of overlaps to list for sources that are not in memory. In memory, there is no limit
    unless you give one.
threads : int, default=0
    Number of threads. 0 uses all available cores. Spark and GPUs have their own settings.
progress : callable, optional
    Called with the number of finished steps and the total.
names : sequence of str, optional
    Display names of the sides, for text and pages.
""",
)
OPTIONS: dict[str, inspect.Parameter] = {name: each for name, (each, _) in INPUTS.items()}

_OF_FILES = {"memory", "engine", "format", "remainder", "normalise"}  # options of the files that were passed
_SIDES_ELSEWHERE = ("labels_true", "labels_pred", "y_true", "y_pred", "truth", "predicted", "true", "pred")
_OWNERS = ("cls", "self")
_WIDTH = 100

P = ParamSpec("P")
T = TypeVar("T")


def input_options(
    options: Mapping[str, Option] = INPUTS,
    *,
    refused: Mapping[str, str] | None = None,
    meanings: Mapping[str, str] | None = None,
) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """A decorator for a function with ``**options: Unpack[InputOptions]``, or of another block.

    Parameters
    ----------
    options : mapping, optional
        The options. By default, those of every function of clusterings.
    refused : mapping, optional
        The reason, as the text of an error, why the function cannot honour an option, or does not have it.
    meanings : mapping, optional
        What an option means, if this function needs other words than the block has.

    Returns
    -------
    callable
        The decorator. In docstrings, the entry ``**options`` is replaced by all options.

    Examples
    --------
    >>> from concordant.foundation.conventions import Conventions
    >>> @input_options(refused={"weights": "lengths have no weights"})
    ... def lengths(clusterings, **options):
    ...     return Conventions.of(options).threads
    >>> lengths([], threads=2), list(inspect.signature(lengths).parameters)[:3]
    (2, ['clusterings', 'columns', 'record'])
    >>> lengths([], weights=[1, 2])
    Traceback (most recent call last):
    concordant.errors.ParameterError: weights=...: lengths have no weights
    """
    reasons, words = refused or {}, meanings or {}

    def decorate(function: Callable[P, T]) -> Callable[P, T]:
        own = inspect.signature(function)
        named = [each for each in own.parameters.values() if each.kind is not each.VAR_KEYWORD]
        shared = {name: each for name, (each, _) in options.items()}
        offered = {each.name: each for each in named if each.name not in _OWNERS} | shared
        *owners, own_name = function.__qualname__.split(".")
        call = owners[-1] if own_name == "__init__" else own_name
        at_most = sum(each.kind is each.POSITIONAL_OR_KEYWORD for each in named)

        @wraps(function)
        def checked(*inputs: P.args, **given: P.kwargs) -> T:
            __tracebackhide__ = True  # pytest shows the call and the error
            if len(inputs) > at_most:
                raise _too_many_inputs(call, [each.name for each in named[:at_most]], len(inputs))
            if given:
                check_options(call, given, offered, reasons)
            try:
                return function(*inputs, **given)
            except ConcordantError as error:
                error.offer(offered.keys() - reasons.keys() | _OF_FILES)
                raise

        checked.refused = reasons  # type: ignore[attr-defined]  # what `refused_by` reads
        parameters = [*named, *shared.values()]
        checked.__signature__ = own.replace(parameters=parameters)  # type: ignore[attr-defined]  # what help() reads
        if function.__doc__:  # not with -OO
            listed = listed_options(reasons, words, options)
            checked.__doc__ = _ENTRY.sub(lambda entry: indent(listed, entry[1]) + "\n", function.__doc__)
        return checked

    return decorate


def refused_by(function: Callable[..., Any]) -> Mapping[str, str]:
    """The options that a function cannot honour, and why."""
    reasons: Mapping[str, str] = vars(function).get("refused", {})
    return reasons


def check_options(
    call: str,
    options: Mapping[str, Any],
    offered: Mapping[str, inspect.Parameter],
    refused: Mapping[str, str],
) -> None:
    """Refuse options that are unknown, and those that the function cannot honour."""
    for name, value in options.items():
        if name in refused and not (name in offered and _is_default(value, offered[name].default)):
            given = {name: value if isinstance(value, str | int) else ...}
            raise ParameterError(refused[name], given=given)
        if name not in offered:
            raise _unknown_option(call, name, offered)


def _is_default(value: Any, default: Any) -> bool:
    return value is default or (
        type(value) is type(default) and isinstance(value, str | int) and value == default
    )


def _unknown_option(call: str, name: str, offered: Mapping[str, inspect.Parameter]) -> ParameterError:
    """The error for an unknown option; other libraries have other names for the two sides."""
    names = [name for name, each in offered.items() if each.kind is each.KEYWORD_ONLY]
    if name in _SIDES_ELSEWHERE and "columns" in offered:
        inputs = ", ".join(each for each in offered if each not in (*names, "X", "index", "indices"))
        known = "; name the truth reference=" if "reference" in names else ""
        return ParameterError(
            f"{call}() does not take {name!r}; pass the clusterings by position: "
            f"{call}({inputs or 'reference, candidate'}){known}"
        )
    near = nearest_first(name, offered, f"it takes {', '.join(names)}")
    return ParameterError(f"{call}() does not take {name!r}{near}")


def _too_many_inputs(call: str, inputs: Sequence[str], given: int) -> ParameterError:
    is_class, columns = inputs[0] in _OWNERS, ""
    if not is_class:
        columns = ". To compare columns of one table, name them: columns=['truth', 'candidate']"
    return ParameterError(
        f"{call}() takes {', '.join(inputs[is_class:])} by position, and was given {given - is_class} "
        f"arguments; pass everything else by name{columns}"
    )


def listed_options(
    refused: Mapping[str, str] | None = None,
    meanings: Mapping[str, str] | None = None,
    options: Mapping[str, Option] = INPUTS,
) -> str:
    """All options as numpydoc lists them.

    >>> listed_options(refused={"columns": "trees have no columns"}).splitlines()[:2]
    ['columns : str or sequence of str, optional', '    Not available: trees have no columns.']
    """
    others = {**(meanings or {}), **{name: f"Not available: {why}." for name, why in (refused or {}).items()}}

    entries = []
    for name, (_, entry) in options.items():
        head, _, meaning = entry.partition("\n")
        entries += [head, indent(fill(others[name], _WIDTH), "    ") if name in others else meaning]
    return "\n".join(entries)


# Of the docstring; all options take its place.
_ENTRY = re.compile(r"^( *)\*\*options\n(?:\1 +.*\n)*", re.MULTILINE)
