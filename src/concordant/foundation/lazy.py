"""Names that are imported when they are first used: with all of them, importing takes twice as long.

A package with ``__getattr__ = attributes(__name__)`` imports each of its modules when it is first used:
``differences.changes`` needs no import inside a function. It may also map names to the modules that define
them.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from types import ModuleType
from typing import Any


def load(name: str) -> ModuleType:
    """The module of that name. A program that catches Ctrl-C during the import goes on."""
    try:
        return import_module(name)
    except KeyboardInterrupt:
        # Dataclasses execute strings. When KeyboardInterrupt leaves such a string, Python marks the process
        # to end by the signal, even if the exception is caught later. Another string takes the mark back.
        eval("None")  # noqa: S307  (a string of our own)
        raise


def attributes(package: str, names: Mapping[str, str] | None = None) -> Callable[[str], Any]:
    """The ``__getattr__`` of a package: its modules, and ``names`` with the module of each."""

    def attribute(name: str) -> Any:
        if names is not None and name in names:
            value = getattr(load(f"{package}.{names[name]}"), name)
            setattr(sys.modules[package], name, value)
            return value
        module = f"{package}.{name}"
        missing = AttributeError(f"module {package!r} has no attribute {name!r}")
        if name.startswith("_"):
            raise missing
        try:
            return load(module)
        except ModuleNotFoundError as error:
            if error.name != module:
                raise
            raise missing from None

    return attribute
