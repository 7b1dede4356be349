"""Every index as a plain function of two partitions."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from concordant.catalogue.index import Index
from concordant.catalogue.parameters import plain_type, wording
from concordant.comparison import compare, values
from concordant.errors import ParameterError


def function_of(declared: Index) -> Callable[..., float]:
    """The index as a plain function of two partitions."""
    alone = (declared,)

    def function(reference: Any, candidate: Any, **options: Any) -> float:
        if not options:
            return values(alone, reference, candidate)[0]
        arguments = {key: options.pop(key) for key in declared.parameters if key in options}
        bound = declared.bind(**arguments) if arguments else declared
        return values([bound], reference, candidate, **_conventions(declared, options))[0]

    function.__name__ = function.__qualname__ = declared.name
    function.__module__ = "concordant"
    function.__doc__ = _documentation(declared)
    function.__signature__ = _signature(declared)  # type: ignore[attr-defined]  # what inspect and help() read
    return function


_CONVENTIONS = {
    name: parameter
    for name, parameter in inspect.signature(compare).parameters.items()
    if parameter.kind is inspect.Parameter.KEYWORD_ONLY
}


def _conventions(declared: Index, options: dict[str, Any]) -> dict[str, Any]:
    for name in options:
        if name not in _CONVENTIONS:
            offered = ", ".join([*declared.parameters, *_CONVENTIONS])
            raise ParameterError(f"{declared.name}() does not take {name!r}: it takes {offered}")
    return options


def _signature(declared: Index) -> inspect.Signature:
    sides = list(inspect.signature(compare).parameters.values())[:2]
    own = [each.replace(annotation=plain_type(each.annotation)) for each in declared.parameters.values()]
    return inspect.Signature([*sides, *own, *_CONVENTIONS.values()], return_annotation=float)


def _documentation(declared: Index) -> str:
    example = ""
    if declared.worked:
        u, v, _ = declared.worked[0]
        value = compare(list(u), list(v)).value(declared)
        example = f"\n>>> concordant.{declared.name}({list(u)}, {list(v)})\n{value}\n"
    own = "".join(f"\n{name}: {wording(each.annotation)}" for name, each in declared.parameters.items())
    return (
        f"{declared.title}: {declared.summary}\n\n{declared.advice}\n\n"
        f"{declared.formula}, in {declared.range_text}. {declared.cite}.\n{own}\n{example}"
    )
