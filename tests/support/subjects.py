"""What the grammar is about: public functions, classes with an example each, and commands. All are found.

The search begins with ``concordant.__all__`` and the examples of builders.py. It reads the properties and
calls the methods of each object, and continues with what they return and with the rows of lists.
"""

import contextlib
import importlib
import inspect
import io
import pkgutil
import re
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import builders
import matplotlib as mpl
import typer
from contract.vocabulary import words
from inner import Result, all_indices, app

import concordant as cc
from concordant import testing

mpl.use("Agg")
ROOT = Path(__file__).parents[2]
EMPTY = inspect.Parameter.empty


@dataclass(frozen=True)
class Parameter:
    """A parameter of a public function or method."""

    where: str  # such as "Comparison.changes"
    declared: inspect.Parameter

    @property
    def name(self):
        return self.declared.name

    @property
    def default(self):
        return self.declared.default

    @property
    def is_required(self):
        return self.default is EMPTY and not self.is_variadic

    @property
    def is_positional(self):
        return self.declared.kind in (self.declared.POSITIONAL_ONLY, self.declared.POSITIONAL_OR_KEYWORD)

    @property
    def is_variadic(self):
        return self.declared.kind in (self.declared.VAR_POSITIONAL, self.declared.VAR_KEYWORD)

    def __str__(self):
        return f"{self.where}({self.name}=)"


@dataclass(frozen=True)
class Function:
    """A public function, or a method as its class defines it."""

    where: str
    function: Any

    @cached_property
    def parameters(self):
        found = inspect.signature(self.function).parameters.values()
        return [Parameter(self.where, each) for each in found if each.name not in ("self", "cls")]

    @property
    def is_index(self):
        return self.where in all_indices()

    @property
    def returns(self):
        return str(self.function.__annotations__.get("return", ""))

    def takes(self, name):
        return any(each.name == name for each in self.parameters)

    def parameter(self, name):
        return next((each for each in self.parameters if each.name == name), None)

    def __str__(self):
        return self.where


@dataclass(eq=False)
class Class:
    """A class with an example."""

    name: str
    example: Any
    reached: str  # how: "Comparison.changes"
    results: dict[str, Any] = field(default_factory=dict)  # what its properties and methods give
    errors: dict[str, Exception] = field(default_factory=dict)

    @property
    def type(self):
        return type(self.example)

    @property
    def is_public(self):
        return self.type.__name__ in cc.__all__

    @property
    def is_result(self):
        return isinstance(self.example, Result)

    @property
    def is_list(self):
        return isinstance(self.example, Sequence) and self.is_result

    @property
    def holds_indices(self):
        return is_index_holder(self.type)

    @cached_property
    def members(self):
        """The public names, without those of indices."""
        return static_members(self.type)

    @cached_property
    def methods(self):
        """The methods of ours, each named by the class that defines it."""
        return {
            name: Function(f"{defining(self.type, name).__name__}.{name}", function)
            for name, static in self.members.items()
            if inspect.isfunction(function := getattr(static, "__func__", static))
            and function.__module__.startswith("concordant")
        }

    @cached_property
    def attributes(self):
        """The properties and fields, and their values."""
        return {
            name: self.results[name]
            for name in self.members
            if name not in self.methods and name in self.results
        }

    def __str__(self):
        return self.name


@dataclass(frozen=True)
class Command:
    """A command of the command line."""

    name: str
    command: Any

    @cached_property
    def options(self):
        return [each for each in self.command.params if each.param_type_name == "option"]

    @cached_property
    def arguments(self):
        return [each for each in self.command.params if each.param_type_name == "argument"]

    def __str__(self):
        return f"concordant {self.name}"


def is_index_holder(kind):
    return any(each.__name__ == "IndexAttributes" for each in kind.__mro__)


@cache
def modules():
    """Every module of the package."""
    names = (each.name for each in pkgutil.walk_packages(cc.__path__, "concordant."))
    return [importlib.import_module(name) for name in names if name != "concordant.__main__"]


@cache
def classes_by_name():
    return {
        name: thing
        for module in modules()
        for name, thing in vars(module).items()
        if isinstance(thing, type) and thing.__module__ == module.__name__ and not name.startswith("_")
    }


@cache
def documented():
    """Every class and function of the API reference, without its package."""
    text = "".join((ROOT / "docs" / name).read_text(encoding="utf-8") for name in ("api.md", "results.md"))
    return set(re.findall(r":: (?:[\w.]+\.)?(\w+)$", text, re.MULTILINE))


def own_names(kind):
    """The names that a class itself defines, also those of attributes that are only annotated."""
    annotated = {name for name, what in inspect.get_annotations(kind).items() if "ClassVar" not in str(what)}
    return {*vars(kind), *annotated} if kind.__module__.startswith("concordant") else set(vars(kind))


def static_members(kind):
    names = sorted(name for each in kind.__mro__ for name in own_names(each) if not name.startswith("_"))
    indices = all_indices() if is_index_holder(kind) else {}
    return {name: inspect.getattr_static(kind, name, None) for name in names if name not in indices}


def defining(kind, name):
    """The class that defines a member."""
    return next(each for each in kind.__mro__ if name in own_names(each))


def is_ours(thing):
    return type(thing).__module__.startswith("concordant")


def arguments_for(kind, name):
    """The arguments of a method's example call, or None if there is none."""
    for key in (*(f"{each.__name__}.{name}" for each in kind.__mro__), name):
        if key in builders.ARGUMENTS:
            given = builders.ARGUMENTS[key]
            return given() if callable(given) else given
    return {}


@contextlib.contextmanager
def quiet():
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        yield


# Dataframes, pages and files are the business of the rules.
_FORMS = re.compile(r"to_\w+|_repr_html_|save|load|write|plot")


def explore(subject, example):
    """Read the properties of an example, and call its methods; remember what they give by name."""
    make = builders.CHANGE.get(subject.type.__name__)
    for name, static in subject.members.items():
        if name in subject.results:
            continue
        thing = make() if make else example
        try:
            if name in subject.methods:
                given = arguments_for(subject.type, name)
                if given is not None and not _FORMS.fullmatch(name):
                    subject.results[name] = getattr(thing, name)(**given)
            elif not callable(static) or isinstance(static, type):
                subject.results[name] = getattr(thing, name)
            subject.errors.pop(name, None)
        except Exception as error:
            subject.errors[name] = error


def rows_of(thing):
    """One element of a list, or one value of a mapping."""
    if isinstance(thing, Mapping) and len(thing):
        yield thing[next(iter(thing))]
    elif isinstance(thing, Sequence) and not isinstance(thing, str) and len(thing):
        yield thing[0]


def key_of(thing):
    """Lists of different rows are different subjects."""
    name = type(thing).__name__
    if isinstance(thing, Result) and isinstance(thing, Sequence) and not isinstance(thing, tuple):
        row = type(thing[0]).__name__ if len(thing) else "nothing"
        return f"{name}[{row}]" if name in ("LazyList", "_RecordsOfCells") else name
    return name


@cache
def search():
    """All classes by name, and where each undocumented class was reached."""
    found, undocumented, waiting = {}, {}, []
    with quiet():
        for name, make in builders.EXAMPLES.items():
            try:
                waiting.append((make(), name))
            except Exception as error:
                undocumented[
                    f"the example of {name} in builders.py raises {type(error).__name__}: {error}"
                ] = name
        while waiting:
            thing, reached = waiting.pop(0)
            if not is_ours(thing) or isinstance(thing, BaseException | type):
                rows = rows_of(thing) if isinstance(thing, Mapping | list | tuple) else ()
                waiting += [(row, f"{reached}[...]") for row in rows if is_ours(row)]
                continue
            if type(thing).__name__ in words("declarations"):
                continue
            if type(thing).__name__ not in documented():
                undocumented.setdefault(type(thing).__name__, reached)
            key = key_of(thing)
            is_subject = isinstance(thing, Result) or any(
                base.__name__ in documented() for base in type(thing).__mro__
            )
            if not (is_subject or reached.endswith("[...]")) or (
                key in found and reached not in builders.EXAMPLES
            ):
                continue
            subject = found.setdefault(key, Class(key, thing, reached))
            explore(subject, thing)
            waiting += [(each, f"{key}.{name}") for name, each in subject.results.items()]
            waiting += [(row, f"{key}[...]") for row in rows_of(thing)]
    return found, undocumented


def classes() -> Iterable[Class]:
    return search()[0].values()


@cache
def functions():
    """The functions of the package and of its module for tests, and every index."""
    return [
        Function(name, getattr(module, name))
        for module in (cc, testing)
        for name in module.__all__
        if inspect.isfunction(getattr(module, name)) or name in all_indices()
    ]


@cache
def methods():
    """Each method once, as the class that defines it has it."""
    found = {}
    for each in classes():
        for method in each.methods.values():
            found.setdefault(method.where, method)
    return list(found.values())


@cache
def commands():
    return [Command(name, each) for name, each in typer.main.get_command(app).commands.items()]
