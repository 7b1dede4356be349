"""Ctrl-C that a program may catch, also while modules are imported.

When KeyboardInterrupt leaves a text that Python was executing, the process is marked to end by the signal,
even if the exception is caught after that. Dataclasses and named tuples are made of such texts when their
modules are imported, and here most modules are imported when somebody first needs them. The mark is gone as
soon as another text is executed.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import update_wrapper
from typing import ParamSpec, TypeVar, cast

P = ParamSpec("P")
R = TypeVar("R")


def let_be_caught() -> None:
    """Take back the mark that lets Python end the process by the signal after an interruption was caught."""
    eval("None")  # noqa: S307  (a text of our own)


def catchable(function: Callable[P, R]) -> Callable[P, R]:
    """Let whoever calls the function, which imports modules, go on after catching an interruption of it."""

    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return function(*args, **kwargs)
        except KeyboardInterrupt:
            let_be_caught()
            raise

    return cast("Callable[P, R]", update_wrapper(call, function))
