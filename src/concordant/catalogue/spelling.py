"""How an index is spelled: ``name`` or ``name(parameter=2)``, in Python, on the command line and in print."""

from __future__ import annotations

import ast
import math
import re
from typing import Any

from concordant.errors import ParameterError, UnknownIndexError

# No spelling of ours has 100; the parser of Python breaks down on many thousands of brackets or signs.
_LONGEST = 300


def plain_name(name: str) -> str:
    return re.sub(r"[\s\-]+", "_", name.strip()).lower()


def parsed(spelling: str) -> tuple[str, dict[str, Any]]:
    """``"f_measure(beta=2)"`` -> ``("f_measure", {"beta": 2})``."""
    if not isinstance(spelling, str):
        raise UnknownIndexError(f"an index is named by a string, not by {spelling!r}")
    if len(spelling) > _LONGEST:
        shown = f"{spelling[:30]!r}…"
        raise UnknownIndexError(f"no index is spelled with {len(spelling):,} characters, as {shown} is")
    name, bracket, rest = spelling.partition("(")
    if not bracket:
        return name, {}
    try:
        return name, _keywords(ast.parse(f"_({rest}".strip(), mode="eval").body, rest)
    except (SyntaxError, ValueError) as error:
        raise ParameterError(f"cannot read {spelling!r}; write it like {_example(name, error)}") from error


def _keywords(call: ast.expr, written: str) -> dict[str, Any]:
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name) or call.args or "#" in written:
        raise ValueError("an index takes parameters by name, in one pair of brackets")
    for keyword in call.keywords:
        if isinstance(keyword.value, ast.Name):
            raise _BareWordError(keyword.arg, keyword.value.id)
    keywords = {str(keyword.arg): ast.literal_eval(keyword.value) for keyword in call.keywords}
    if len(keywords) < len(call.keywords):
        raise ValueError("a parameter is given twice")
    return keywords


class _BareWordError(ValueError):
    """A word without quotes: its arguments are the parameter and the word."""


def _example(name: str, error: Exception) -> str:
    if isinstance(error, _BareWordError):
        parameter, word = error.args
        return f"{name}({parameter}={word!r}), with quotes"
    return "name(parameter=2)"


def spelled_value(value: Any) -> str:
    return getattr(value, "__name__", None) or repr(value)


def spelled_default(value: Any) -> str:
    """The default of a parameter as manual pages print it.

    >>> import math
    >>> spelled_default(math.e), spelled_default("max"), spelled_default(1.5)
    ('e', "'max'", '1.5')
    """
    return "e" if value == math.e else spelled_value(value)
