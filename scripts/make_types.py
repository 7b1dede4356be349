"""Write what type checkers and editors read of the indices: `python scripts/make_types.py`.

src/concordant/__init__.pyi            the public names, with every index as a function
src/concordant/indices/attributes.pyi  every index as an attribute of a Comparison
"""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, get_args, get_origin

import concordant
from concordant import INDICES
from concordant.catalogue.index import Index
from concordant.catalogue.parameters import wording
from concordant.functions import function_of

SOURCE = Path(concordant.__file__).parent
WIDTH = 100

FUNCTIONS = '''\
"""How alike are two partitions of the same set, where do they differ, and how sure can one be?

Written by scripts/make_types.py from the declarations of the indices.
"""
'''

ATTRIBUTES = '''\
"""Every index as an attribute. Written by scripts/make_types.py from the declarations of the indices."""

from collections.abc import Iterator
from typing import NoReturn

from concordant.catalogue.index import Index

class IndexAttributes:
    def value(self, declared: Index) -> float: ...
    def keys(self) -> tuple[str, ...]: ...
    def __iter__(self) -> Iterator[str]: ...
    def __len__(self) -> int: ...
    def __contains__(self, spelling: object) -> bool: ...
    def _not_a_number(self, *_: object) -> NoReturn: ...
'''


def main() -> None:
    for path, text in stubs().items():
        path.write_text(text, encoding="utf-8")
        print(f"wrote {path.relative_to(SOURCE.parents[1])}")


def stubs() -> dict[Path, str]:
    """What each generated stub should hold."""
    return {
        SOURCE / "__init__.pyi": functions(),
        SOURCE / "indices" / "attributes.pyi": attributes(),
    }


# -- the public names ---------------------------------------------------------------------------------


def functions() -> str:
    declared = [_function(index) for index in INDICES.values()]
    aliases = [f"{alias} = {index.name}\n" for index in INDICES.values() for alias in index.aliases]
    public = sorted(concordant.__all__, key=lambda name: (not name.isupper(), name.islower(), name))
    exported = "".join(f'    "{name}",\n' for name in public)
    body = "\n".join([f"__all__ = [\n{exported}]\n", "__version__: str\n", *declared, *aliases[:1]])
    body += "".join(aliases[1:])
    return f"{FUNCTIONS}\n{_imports(body)}\n{body}"


def _function(index: Index) -> str:
    parameters = inspect.signature(function_of(index)).parameters.values()
    sides = [_parameter(p) for p in parameters if p.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD]
    options = [_parameter(p) for p in parameters if p.kind is inspect.Parameter.KEYWORD_ONLY]
    lines = "".join(f"    {each},\n" for each in [*sides, "*", *options])
    own = [f"{name}: {wording(each.annotation)}" for name, each in index.parameters.items()]
    return f"def {index.name}(\n{lines}) -> float:\n{_docstring(index, own, '    ')}"


def _parameter(parameter: inspect.Parameter) -> str:
    if parameter.default is inspect.Parameter.empty:
        return f"{parameter.name}: {_spelled(parameter.annotation)}"
    default = f'"{parameter.default}"' if isinstance(parameter.default, str) else repr(parameter.default)
    return f"{parameter.name}: {_spelled(parameter.annotation)} = {default}"


def _spelled(annotation: Any) -> str:
    """A type as it is written in source; the conventions' types are written so already."""
    if isinstance(annotation, str):
        return annotation
    parts = get_args(annotation)
    if get_origin(annotation) is Literal:
        return "Literal[" + ", ".join(f'"{choice}"' for choice in parts) + "]"
    if get_origin(annotation) is Callable:
        taken, given = parts
        return f"Callable[[{', '.join(map(_spelled, taken))}], {_spelled(given)}]"
    if isinstance(annotation, UnionType) or parts:
        return " | ".join(map(_spelled, parts))
    return "None" if annotation is NoneType else str(annotation.__name__)


def _imports(body: str) -> str:
    """The imports of the public names and of the types that the functions are annotated with."""
    public = {name: module for name, module in _imported("__init__.py") if name in concordant.__all__}
    known = {"Callable": "collections.abc", "Literal": "typing", **dict(_imported("comparison.py"))}
    annotations = " ".join(re.findall(r"^    \w+: (.*),$", body, re.MULTILINE))
    needed = {name: known[name] for name in re.findall(r"\w+", annotations) if name in known}
    lines = [f"from {home} import {name} as {name}\n" for name, home in public.items()]
    lines += [f"from {home} import {name}\n" for name, home in needed.items() if name not in public]
    return "".join(sorted(lines, key=lambda line: (line.startswith("from concordant"), line)))


def _imported(file: str) -> Iterator[tuple[str, str]]:
    """(name, module) for every `from module import name` of a file."""
    for node in ast.walk(ast.parse((SOURCE / file).read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield from ((alias.asname or alias.name, node.module) for alias in node.names)


# -- the attributes of a comparison -------------------------------------------------------------------


def attributes() -> str:
    properties = [_property(index.name, index) for index in INDICES.values()]
    aliases = [_property(alias, index) for index in INDICES.values() for alias in index.aliases]
    return ATTRIBUTES + "".join([*properties, *aliases])


def _property(name: str, index: Index) -> str:
    head = f"    @property\n    def {name}(self) -> float:"
    return f"{head} ...\n" if name in index.aliases else f"{head}\n{_docstring(index, [], ' ' * 8)}"


# -- words --------------------------------------------------------------------------------------------


def _docstring(index: Index, more: list[str], indent: str) -> str:
    lines = [line for each in (index.summary, *more) for line in _wrapped(each, indent)]
    return "\n".join([f'{indent}"""{index.title}.', "", *lines, f'{indent}"""', ""])


def _wrapped(text: str, indent: str) -> Iterable[str]:
    return textwrap.wrap(text, WIDTH, initial_indent=indent, subsequent_indent=indent)


if __name__ == "__main__":
    main()
