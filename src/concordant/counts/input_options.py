"""The options that every function of clusterings takes: one block, declared once.

A function declares ``**options: Unpack[InputOptions]``, which type checkers expand, and makes one
``Conventions`` of them with ``Conventions.of(options)``. ``input_options`` completes its signature and its
docstring, and refuses unknown options and those that the function cannot honour.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from functools import wraps
from textwrap import fill, indent
from typing import Any, ParamSpec, TypedDict, TypeVar

from concordant.counts.conventions import Conventions, NoiseAs, Nulls, Progress, Undefined, Unmatched
from concordant.errors import ParameterError, did_you_mean


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


OPTIONS: dict[str, inspect.Parameter] = {
    each.name: inspect.Parameter(
        each.name,
        inspect.Parameter.KEYWORD_ONLY,
        default=each.default,
        annotation=getattr(annotation, "__forward_arg__", annotation),
    )
    for each in fields(Conventions)
    if (annotation := InputOptions.__annotations__.get(each.name)) is not None
}

# As numpydoc lists them.
_LISTED = """\
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
weights : array or mapping, optional
    Weight of each record, in the order of the first input or by record id. A pair weighs the product of its
    two weights. Indices without a meaning for weights raise an error.
where : array of bool, optional
    Mask of the records to compare, in the shape of the labels.
undefined : {"convention", "nan", "raise", "conll"}, default="convention"
    Value of an index if its formula is 0/0 and the clusterings differ: a convention of the index, NaN, or an
    error. "conll" follows the official coreference scorer. Identical clusterings are always perfect.
table_limit : int, default=10_000_000
    Maximum number of overlaps to list for sources that are not in memory. In memory, there is no limit
    unless you give one.
threads : int, default=0
    Number of threads. 0 uses all available cores. Lazy dataframes and GPUs have their own settings.
progress : callable, optional
    Called with the number of finished steps and the total.
names : sequence of str, optional
    Display names of the sides, for text and pages.
"""

_SIDES_ELSEWHERE = ("labels_true", "labels_pred", "y_true", "y_pred", "truth", "predicted", "true", "pred")
_WIDTH = 100

P = ParamSpec("P")
T = TypeVar("T")


def input_options(
    *, refused: Mapping[str, str] | None = None, meanings: Mapping[str, str] | None = None
) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """A decorator for a function with ``**options: Unpack[InputOptions]``.

    Parameters
    ----------
    refused : mapping, optional
        The reason, as the text of an error, why the function cannot honour an option.
    meanings : mapping, optional
        What an option means, if this function needs other words than the block has.

    Returns
    -------
    callable
        The decorator. In docstrings, the entry ``**options`` is replaced by all options.

    Examples
    --------
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
        offered = {each.name: each for each in named} | OPTIONS
        at_most = sum(each.kind is each.POSITIONAL_OR_KEYWORD for each in named)

        @wraps(function)
        def checked(*inputs: P.args, **options: P.kwargs) -> T:
            if len(inputs) > at_most:
                raise _too_many_inputs(function.__name__, list(offered)[:at_most], len(inputs))
            check_options(function.__name__, options, offered, reasons)
            return function(*inputs, **options)

        checked.__signature__ = own.replace(parameters=list(offered.values()))  # type: ignore[attr-defined]  # what help() reads
        if function.__doc__:  # not with -OO
            checked.__doc__ = _with_options(function.__doc__, reasons, words)
        return checked

    return decorate


def check_options(
    call: str,
    options: Mapping[str, Any],
    offered: Mapping[str, inspect.Parameter],
    refused: Mapping[str, str],
) -> None:
    """Refuse options that are unknown, and those that the function cannot honour."""
    for name, value in options.items():
        if name not in offered:
            raise _unknown_option(call, name, offered)
        if name in refused and not _is_default(value, OPTIONS[name].default):
            given = {name: value if isinstance(value, str | int) else ...}
            raise ParameterError(refused[name], given=given)


def _is_default(value: Any, default: Any) -> bool:
    return value is default or (
        type(value) is type(default) and isinstance(value, str | int) and value == default
    )


def _unknown_option(call: str, name: str, offered: Mapping[str, inspect.Parameter]) -> ParameterError:
    """The error for an unknown option; other libraries have other names for the two sides."""
    names = [name for name, each in offered.items() if each.kind is each.KEYWORD_ONLY]
    if name in _SIDES_ELSEWHERE:
        return ParameterError(
            f"{call}() does not take {name!r}; pass the clusterings by position, reference first: "
            f"{call}(truth, predicted)"
        )
    return ParameterError(
        f"{call}() does not take {name!r}: it takes {', '.join(names)}" + did_you_mean(name, names)
    )


def _too_many_inputs(call: str, inputs: Sequence[str], given: int) -> ParameterError:
    return ParameterError(
        f"{call}() takes {', '.join(inputs)} by position, and was given {given} arguments; pass everything "
        "else by name. To compare columns of one table, name them: columns=['truth', 'candidate']"
    )


def listed_options(
    refused: Mapping[str, str] | None = None, meanings: Mapping[str, str] | None = None
) -> str:
    """All options as numpydoc lists them.

    >>> listed_options(refused={"columns": "trees have no columns"}).splitlines()[:2]
    ['columns : str or sequence of str, optional', '    Not available: trees have no columns.']
    """
    others = {**(meanings or {}), **{name: f"Not available: {why}." for name, why in (refused or {}).items()}}

    entries = []
    for entry in re.split(r"\n(?=\w)", _LISTED.rstrip()):
        head, _, meaning = entry.partition("\n")
        other = others.get(head.partition(" :")[0])
        entries += [head, meaning if other is None else indent(fill(other, _WIDTH), "    ")]
    return "\n".join(entries)


_ENTRY = re.compile(r"^( *)\*\*options\n(?:\1 +.*\n)*", re.MULTILINE)


def _with_options(docstring: str, refused: Mapping[str, str], meanings: Mapping[str, str]) -> str:
    """The docstring, with all options in place of the entry ``**options``."""
    return _ENTRY.sub(lambda entry: indent(listed_options(refused, meanings), entry[1]) + "\n", docstring)
