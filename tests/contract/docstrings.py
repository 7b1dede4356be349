"""Public docstrings have the sections of numpydoc, and these agree with the signatures."""

import ast
import importlib
import inspect
import pkgutil
import re
from dataclasses import fields, is_dataclass
from math import isclose

from inner import INDICES

import concordant as cc
from contract.checks import ROOT, at_definition, check

PAGE = "".join((ROOT / "docs" / name).read_text(encoding="utf-8") for name in ("api.md", "results.md"))
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
        yield name, thing
    for member in dir(thing) if inspect.isclass(thing) else ():
        function = inspect.getattr_static(thing, member)
        function = getattr(function, "__func__", function)
        ours = inspect.isfunction(function) and function.__module__.startswith("concordant")
        if ours and not member.startswith("_") and member not in INTERNAL.get(name, "").split(", "):
            yield f"{name}.{member}", function


def sections(thing):
    """The text of each section of a docstring, by title."""
    parts = re.split(r"^(\w[\w ]*)\n-{3,}$", inspect.getdoc(thing), flags=re.MULTILINE)
    return dict(zip(["Summary", *parts[1::2]], [parts[0], *parts[2::2]], strict=True))


def entries(section):
    """The type of each parameter or attribute of a section."""
    lines = [line.partition(" : ") for line in re.findall(r"^\S.*", section, re.MULTILINE)]
    return {name.lstrip("*"): kind for names, _, kind in lines for name in names.split(", ")}


def problems_of(function):
    """Where the sections of a docstring differ from the signature."""
    found = sections(function)
    summary, *more = found["Summary"].strip().split("\n")
    if not summary.endswith((".", "?")) or (more and more[0]):
        yield "the first line is not a sentence by itself"
    if re.search(r"^\w+ {2,}\w", found["Summary"], re.MULTILINE):
        yield "an option outside Parameters"
    signature = inspect.signature(function)
    taken = [each for each in signature.parameters.values() if each.name not in ("self", "cls")]
    listed = entries(found.get("Parameters", ""))
    if list(listed) != [each.name for each in taken]:
        yield f"Parameters has {list(listed)}, the signature {[each.name for each in taken]}"
    for each in taken:
        if each.name in listed and not has_default(each, listed[each.name]):
            yield f"{each.name} : {listed[each.name]} differs from its default {each.default!r}"
    if ("Returns" in found) != (signature.return_annotation not in (None, "None")):
        yield f"Returns: the annotation is {signature.return_annotation}"
    if ">>> " not in found.get("Examples", ""):
        yield "no example in Examples"


def has_default(parameter, kind):
    """Whether the type of a parameter states its default."""
    default = parameter.default
    if default is parameter.empty:
        return "optional" not in kind and "default=" not in kind
    if isinstance(default, bool | int | float | str | tuple):
        stated = kind.partition("default=")[2]
        if not stated:
            return False
        value = ast.literal_eval(stated)
        return isclose(value, default, rel_tol=1e-6) if isinstance(default, float) else value == default
    if isinstance(default, type):
        return kind.endswith(f"{default.__name__}")
    return kind.endswith("optional")  # None, or a mark for what was not given


@check
def signatures():
    """Sections agree with the signature."""
    for name, function in documented():
        for problem in problems_of(function):
            yield at_definition(function, f"{name}: {problem}")


@check
def indices():
    for name in INDICES:
        function = getattr(cc, name)
        yield from (f"{name}: {problem}" for problem in problems_of(function))
        if missing := {"Notes", "References"} - set(sections(function)):
            yield f"{name}: no section {', '.join(missing)}"


@check
def fields_of_classes():
    """Those of a result by its class; a base class and the constructor describe others."""
    for name, thing in reference():
        found = set(entries(sections(thing).get("Attributes", "")))
        annotated = {each for kind in getattr(thing, "__mro__", ()) for each in inspect.get_annotations(kind)}
        if unknown := found - annotated - set(dir(thing)):
            yield at_definition(thing, f"{name}: Attributes has {', '.join(unknown)}")
        if is_dataclass(thing) and name not in CONSTRUCTED:
            own = {each.name for each in fields(thing) if each.repr} & set(inspect.get_annotations(thing))
            if missing := {each for each in own if not each.startswith("_")} - found:
                yield at_definition(thing, f"{name}: Attributes lacks {', '.join(missing)}")


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


@check
def options_are_in_sections():
    """Also those of functions and classes that the reference omits, such as `Index`."""
    free = re.compile(r"^\w+(?:, \w+)* {2,}\w", re.MULTILINE)
    looked_at = set()
    for name, thing in defined():
        found = sections(thing) if thing.__doc__ else {}
        text = re.sub(r"^>>> (?:.*\n)+?(?=\n|\Z)", "", "\n".join([*found.values(), ""]), flags=re.MULTILINE)
        if free.search(text):
            yield at_definition(thing, f"{name}: an option outside Parameters")
        if "Attributes" in found:
            annotated = {each for kind in thing.__mro__ for each in inspect.get_annotations(kind)}
            if unknown := set(entries(found["Attributes"])) - annotated - set(dir(thing)):
                yield at_definition(thing, f"{name}: Attributes has {', '.join(unknown)}")
            looked_at.add(name)
        if "Parameters" in found:
            taken = [each for each in inspect.signature(thing).parameters if each not in ("self", "cls")]
            if list(entries(found["Parameters"])) != taken:
                yield at_definition(thing, f"{name}: Parameters differs from {taken}")
            looked_at.add(name)
    for name in ("concordant.indices.index.Index", "concordant.indices.catalogue.suggestion"):
        if name not in looked_at:
            yield f"{name} is not looked at"
