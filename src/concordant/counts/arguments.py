"""Calls whose arguments do not fit: a misspelt name is answered with the nearest, as an error of ours."""

from __future__ import annotations

import types
from collections.abc import Callable
from functools import update_wrapper
from typing import ParamSpec, TypeVar, cast

from concordant.counts.interruption import let_be_caught
from concordant.errors import ParameterError, did_you_mean

P = ParamSpec("P")
R = TypeVar("R")


def checks_arguments(function: Callable[P, R], *, instead: str = "") -> Callable[P, R]:
    """Let a call that does not fit the function raise a ParameterError that says what would fit.

    An interruption of it can be caught, as ``catchable`` says.

    ``instead`` is what a person should do who called what is made for other parts of the house.

    >>> @checks_arguments
    ... def drawn(size: int, *, colour: str = "red") -> str:
    ...     return colour * size
    >>> drawn(2, color="blue")
    Traceback (most recent call last):
    concordant.errors.ParameterError: drawn() does not take 'color': it takes size, colour; did you mean \
'colour'?
    """
    explained, interrupted = _explained, let_be_caught

    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return function(*args, **kwargs)
        except KeyboardInterrupt:
            interrupted()
            raise
        except TypeError as error:
            # Where the arguments do not fit, the function was never entered, and there is no frame of it.
            inside = error.__traceback__ is None or error.__traceback__.tb_next is not None
            unfit = None if inside else explained(function, args, kwargs, instead)
            if unfit is None:
                raise
            raise unfit from None

    # With the globals of the function's own module, so that doctest finds its examples there.
    plain = cast(types.FunctionType, call)
    own = cast(types.FunctionType, function)
    made = types.FunctionType(plain.__code__, own.__globals__, own.__name__, None, plain.__closure__)
    return cast("Callable[P, R]", update_wrapper(made, function))


def _explained(
    function: Callable[..., object], args: tuple[object, ...], kwargs: dict[str, object], instead: str
) -> ParameterError | None:
    """Why these arguments do not fit; None where they do."""
    import inspect  # seldom needed

    signature = inspect.signature(function)
    offered = [each for each in signature.parameters if each not in ("self", "cls")]
    name = f"{function.__name__}()"
    if len(offered) < len(signature.parameters):
        owner = args[0] if isinstance(args[0], type) else type(args[0])
        name = f"{owner.__name__}()" if function.__name__ == "__init__" else f"{owner.__name__}.{name}"
    if instead:
        return ParameterError(f"{name} is not called by itself; {instead}")
    for given in kwargs:
        if given not in offered:
            takes = f"it takes {', '.join(offered)}" if offered else "it takes no arguments"
            return ParameterError(f"{name} does not take {given!r}: {takes}{did_you_mean(given, offered)}")
    try:
        signature.bind(*args, **kwargs)
    except TypeError as error:
        return ParameterError(f"{name}: {error}; it takes {', '.join(offered)}")
    return None
