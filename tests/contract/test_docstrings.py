"""Public docstrings have the sections of numpydoc, and these agree with the signatures."""

import ast
import importlib
import inspect
import pkgutil
import re
from dataclasses import fields, is_dataclass
from pathlib import Path

import pytest
from cases import every_case
from inner import INDICES

import concordant as cc

DOCS = Path(__file__).parents[2] / "docs"
PAGE = "".join((DOCS / name).read_text(encoding="utf-8") for name in ("api.md", "results.md"))
COMPAT = ("perl", "permetrics", "skimage", "sklearn")
# Other packages use these members of public classes, and the reference omits them.
INTERNAL = dict(re.findall(r":: ([\w.]+)\n   :exclude-members: (.*)", PAGE))


CONSTRUCTED = {"Coreference"}  # its fields are the options of the function that returns it


def reference():
    """The functions and classes of the API reference by name."""
    for name in re.findall(r":: ([\w.]+)$", PAGE, re.MULTILINE):
        module, _, attribute = f"concordant.{name.removeprefix('concordant.')}".rpartition(".")
        if name not in ("concordant", "concordant.errors"):
            yield name, getattr(importlib.import_module(module), attribute)


def documented():
    """Each function, and each method of each class, of the API reference and the compatibility modules."""
    for name, thing in reference():
        yield from callables(name, thing)
    for name in COMPAT:
        module = importlib.import_module(f"concordant.compat.{name}")
        for each, thing in vars(module).items():
            if each != "Metric" and getattr(thing, "__module__", "") == module.__name__:
                yield from () if each.startswith("_") else callables(f"{name}.{each}", thing)


def callables(name, thing):
    if inspect.isfunction(thing):
        yield pytest.param(thing, id=name)
    for member in dir(thing) if inspect.isclass(thing) else ():
        function = inspect.getattr_static(thing, member)
        function = getattr(function, "__func__", function)
        ours = inspect.isfunction(function) and function.__module__.startswith("concordant")
        if ours and not member.startswith("_") and member not in INTERNAL.get(name, "").split(", "):
            yield pytest.param(function, id=f"{name}.{member}")


def sections(thing):
    """The text of each section of a docstring, by title."""
    parts = re.split(r"^(\w[\w ]*)\n-{3,}$", inspect.getdoc(thing), flags=re.MULTILINE)
    return dict(zip(["Summary", *parts[1::2]], [parts[0], *parts[2::2]], strict=True))


def entries(section):
    """The type of each parameter or attribute of a section."""
    lines = [line.partition(" : ") for line in re.findall(r"^\S.*", section, re.MULTILINE)]
    return {name.lstrip("*"): kind for names, _, kind in lines for name in names.split(", ")}


def check(function):
    found = sections(function)
    summary, *more = found["Summary"].strip().split("\n")
    assert summary.endswith((".", "?"))
    assert not more or not more[0]
    assert not re.search(r"^\w+ {2,}\w", found["Summary"], re.MULTILINE), "an option outside Parameters"
    signature = inspect.signature(function)
    taken = [each for each in signature.parameters.values() if each.name not in ("self", "cls")]
    listed = entries(found.get("Parameters", ""))
    assert list(listed) == [each.name for each in taken]
    for each in taken:
        check_default(each, listed[each.name])
    assert ("Returns" in found) == (signature.return_annotation not in (None, "None"))
    assert ">>> " in found["Examples"]


def check_default(parameter, kind):
    default = parameter.default
    if default is parameter.empty:
        assert "optional" not in kind
        assert "default=" not in kind
    elif isinstance(default, bool | int | float | str | tuple):
        stated = ast.literal_eval(kind.partition("default=")[2])
        assert stated == (pytest.approx(default) if isinstance(default, float) else default)
    elif isinstance(default, type):
        assert kind.endswith(f"{default.__name__}")
    else:  # None, or a mark for what was not given
        assert kind.endswith("optional")


@every_case("function", list(documented()))
def test_sections_agree_with_the_signature(function):
    check(function)


def test_sections_of_indices_agree_with_their_signatures():
    for name in INDICES:
        check(getattr(cc, name))
        assert {"Notes", "References"} <= set(sections(getattr(cc, name))), name


def test_classes_describe_their_fields():
    """Those of a result by its class; a base class and the constructor describe others."""
    for name, thing in reference():
        found = set(entries(sections(thing).get("Attributes", "")))
        annotated = {each for kind in getattr(thing, "__mro__", ()) for each in inspect.get_annotations(kind)}
        assert found <= annotated | set(dir(thing)), name
        if is_dataclass(thing) and name not in CONSTRUCTED:
            own = {each.name for each in fields(thing) if each.repr} & set(inspect.get_annotations(thing))
            assert {each for each in own if not each.startswith("_")} <= found, name


def defined():
    """Each public function, class and method of the package, with its name."""
    names = (each.name for each in pkgutil.walk_packages(cc.__path__, "concordant."))
    for name in set(names) - {"concordant.__main__", "concordant.core._core"}:
        for thing in vars(importlib.import_module(name)).values():
            if getattr(thing, "__module__", "") == name and (
                inspect.isfunction(thing) or inspect.isclass(thing)
            ):
                yield f"{name}.{thing.__name__}", thing
                for each in vars(thing).values() if inspect.isclass(thing) else ():
                    function = getattr(each, "__func__", getattr(each, "fget", getattr(each, "func", each)))
                    if inspect.isfunction(function):
                        yield f"{name}.{thing.__name__}.{function.__name__}", function


def test_options_are_in_sections():
    """Also those of functions and classes that the reference omits, such as `Index`."""
    free = re.compile(r"^\w+(?:, \w+)* {2,}\w", re.MULTILINE)
    checked = set()
    for name, thing in defined():
        found = sections(thing) if thing.__doc__ else {}
        text = re.sub(r"^>>> (?:.*\n)+?(?=\n|\Z)", "", "\n".join([*found.values(), ""]), flags=re.MULTILINE)
        assert not free.search(text), name
        if "Attributes" in found:
            annotated = {each for kind in thing.__mro__ for each in inspect.get_annotations(kind)}
            assert set(entries(found["Attributes"])) <= annotated | set(dir(thing)), name
            checked.add(name)
        if "Parameters" in found:
            taken = list(inspect.signature(thing).parameters)
            assert list(entries(found["Parameters"])) == [
                each for each in taken if each not in ("self", "cls")
            ], name
            checked.add(name)
    assert {"concordant.indices.index.Index", "concordant.indices.catalogue.suggestion"} <= checked
