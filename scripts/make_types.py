"""Write what type checkers and editors read of the indices: `python scripts/make_types.py`.

src/concordant/__init__.pyi            the public names, with every index as a function
src/concordant/indices/attributes.pyi  every index as an attribute of a comparison
and beside the module that a registered kind names as `attributes`: its indices as attributes of its result
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
from concordant import Comparison, Estimates
from concordant.foundation import kinds
from concordant.foundation.input_options import OPTIONS as INPUT_OPTIONS
from concordant.foundation.kinds import Kind
from concordant.functions import OPTIONS, documentation, function_of, own_parameters
from concordant.indices import attributes as declared
from concordant.indices.index import INDICES, Index, public_indices

SOURCE = Path(concordant.__file__).parent
WIDTH = 100

FUNCTIONS = '''\
"""How similar are two partitions of the same set, where do they differ, and how certain is the result?

Written by scripts/make_types.py from the declarations of the indices.
"""
'''

ATTRIBUTES = '''\
"""Every index as an attribute. Written by scripts/make_types.py from the declarations of the indices."""

from collections.abc import Sequence
from typing import Any, ClassVar, Literal, TypeAlias

from concordant.indices.catalogue import Catalogue
from concordant.indices.index import Index
from concordant.labelling.estimated import Estimated

# editors complete these; any other spelling, such as "f_measure(beta=2)", is a str
IndexName: TypeAlias = Literal[
{names}
]

CALLS_ELSEWHERE: dict[str, str]

class PartitionIndices:
    _sections: ClassVar[tuple[Catalogue, ...]]

    @classmethod
    def _elsewhere(cls, name: str) -> str: ...
    def __getitem__(self, index: IndexName | str | Index) -> float: ...
    def get(self, index: IndexName | str, default: Any = None) -> Any: ...
    def to_dict(
        self, *, indices: IndexName | str | Sequence[IndexName | str] | None = None
    ) -> dict[str, float]: ...
'''

KIND_ATTRIBUTES = '''\
"""The indices of the kind `{name}` as attributes. Written by scripts/make_types.py from the declarations."""

from typing import ClassVar

from concordant.indices.catalogue import Catalogue
'''

OTHER_ATTRIBUTES = """
class {name}:
    _sections: ClassVar[tuple[Catalogue, ...]]

"""


def main() -> None:
    for path, text in stubs().items():
        path.write_text(text, encoding="utf-8")
        print(f"wrote {path.relative_to(SOURCE.parents[1])}")


def stubs() -> dict[Path, str]:
    """The content of each generated stub."""
    return {
        SOURCE / "__init__.pyi": functions(),
        SOURCE / "indices" / "attributes.pyi": attributes(),
        **dict(map(attributes_of_kind, kinds.KINDS.values())),
    }


# -- the public names ---------------------------------------------------------------------------------


def functions() -> str:
    """Functions of both sides and their own parameters; options that all share are one TypedDict."""
    signatures = {index: inspect.signature(function_of(index)) for index in public_indices().values()}
    more = [each for name, each in OPTIONS.items() if name not in INPUT_OPTIONS]
    lines = "".join(f"    {each.name}: {_spelled(each.annotation)}\n" for each in more)
    options = f"@type_check_only\nclass Options(InputOptions, total=False):\n{lines}"
    declared = [_function(index, signature) for index, signature in signatures.items()]
    aliases = "".join(f"{alias} = {index.name}\n" for index in INDICES.values() for alias in index.aliases)
    body = "\n".join(["__version__: str\n", options, _overloads(), "".join(declared), aliases])
    return f"{FUNCTIONS}\n{_imports(body)}\n{body}"


def _overloads() -> str:
    """The result of compare() for each type of its sides."""
    source = ast.parse((SOURCE / "comparisons" / "entry.py").read_text(encoding="utf-8"))
    written = next(node for node in source.body if getattr(node, "name", "") == "compare")
    assert isinstance(written, ast.FunctionDef)
    signatures = [(ast.unparse(written.args), "Comparison")]
    compared = (kind for kind in kinds.KINDS.values() if kind.compare)
    for kind in sorted(compared, key=lambda kind: kind.precedence):
        for sides in ((kind.value, "Any"), ("Any", kind.value))[::-1]:
            taken = "reference: {}, candidate: {}, **options: Unpack[InputOptions]".format(*sides)
            signatures.insert(0, (taken, kind.result))
    return "".join(f"@overload\ndef compare({taken}) -> {result}: ...\n" for taken, result in signatures)


def _function(index: Index, signature: inspect.Signature) -> str:
    given = [p for p in signature.parameters.values() if p.name not in OPTIONS]
    sides = [_parameter(p) for p in given if p.kind is p.POSITIONAL_OR_KEYWORD]
    own = [_parameter(p) for p in given if p.kind is p.KEYWORD_ONLY]
    taken = ", ".join([*sides, *(["*", *own] if own else []), "**options: Unpack[Options]"])
    options = "**options\n    Options of `compare`, such as `unmatched`, `noise` and `weights`."
    words = documentation(index, f"{own_parameters(index)}\n{options}")
    return f"def {index.name}({taken}) -> float:\n{_docstring(words, '    ')}"


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
    public |= {name: f"concordant.{module}" for name, module in kinds.joined("public").items()}
    del public["compare"]  # it has overloads
    typing = dict.fromkeys(("Any", "Literal", "Unpack", "overload", "type_check_only"), "typing")
    known = {"Callable": "collections.abc", **typing, **dict(_imported("comparisons/entry.py"))}
    code = re.sub(r'""".*?"""', "", body, flags=re.DOTALL)
    needed = {name: known[name] for name in re.findall(r"\w+", code) if name in known and name not in public}
    lines = [f"from {home} import {name} as {name}\n" for name, home in public.items()]
    homes = {home: sorted(name for name in needed if needed[name] == home) for home in needed.values()}
    lines += [f"from {home} import {', '.join(names)}\n" for home, names in homes.items()]
    return "".join(sorted(lines, key=lambda line: (line.startswith("from concordant"), line)))


def _imported(file: str) -> Iterator[tuple[str, str]]:
    """(name, module) for every `from module import name` of a file."""
    for node in ast.walk(ast.parse((SOURCE / file).read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield from ((alias.asname or alias.name, node.module) for alias in node.names)


# -- the attributes of a comparison -------------------------------------------------------------------


def attributes() -> str:
    names = [name for index in INDICES.values() for name in (index.name, *index.aliases)]
    quoted = "\n".join(_wrapped(", ".join(f'"{name}"' for name in names), "    "))
    others = (name for name, each in vars(declared).items() if hasattr(each, "_sections"))
    classes = "".join(_class(getattr(declared, name)) for name in others if name != "PartitionIndices")
    return ATTRIBUTES.replace("{names}", quoted) + _properties(Comparison) + classes


def attributes_of_kind(kind: Kind) -> tuple[Path, str]:
    """The stub of the module with the attributes of a kind."""
    module, _, _ = kind.attributes.partition(":")
    path = SOURCE.joinpath(*module.split(".")).with_suffix(".pyi")
    return path, KIND_ATTRIBUTES.replace("{name}", kind.name) + _class(kinds.use(kind.attributes))


def _class(inherited: type) -> str:
    """The class of attributes that a result inherits."""
    public = (getattr(concordant, name) for name in concordant.__all__)
    result = next(each for each in public if isinstance(each, type) and issubclass(each, inherited))
    return OTHER_ATTRIBUTES.replace("{name}", inherited.__name__) + _properties(result)


def _properties(kind: Any) -> str:
    """One property for each index of this kind of comparison, unless it is a method there."""
    indices = [
        index
        for section in kind._sections
        for index in section.values()
        if isinstance(getattr(kind, index.name), property)
    ]
    value = "Estimated" if kind is Estimates else "float"
    properties = "".join(
        f"    @property\n    def {index.name}(self) -> {value}:\n{_docstring(documentation(index), ' ' * 8)}"
        for index in indices
    )
    aliases = "".join(
        f"    @property\n    def {alias}(self) -> {value}: ...\n"
        for index in indices
        for alias in index.aliases
    )
    return properties + aliases


# -- words --------------------------------------------------------------------------------------------


def _docstring(text: str, indent: str) -> str:
    return textwrap.indent(f'"""{text}"""', indent).replace("\\", "\\\\") + "\n"


def _wrapped(text: str, indent: str) -> Iterable[str]:
    return textwrap.wrap(text, WIDTH, initial_indent=indent, subsequent_indent=indent)


if __name__ == "__main__":
    main()
