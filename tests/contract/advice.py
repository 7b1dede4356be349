"""Advice in error messages works: every name, argument and option that a message spells exists.

Options that the message of a refusal names are options of the called function, and they change the answer.
"""

import ast
import inspect
import re
from ast import literal_eval
from functools import cache, partial

import pandas as pd
import typer.main
from inner import INDICES, Result

import concordant as cc
from concordant import testing
from concordant.cli import commands
from concordant.errors import ConcordantError, ParameterError, Remedy
from contract.checks import at, check, refusal_of
from contract.sources import MODULES, nodes

# Names of functions, which are made when they are first used, begin with small letters.
CLASSES = {
    name: value for name in cc.__all__ if name[0].isupper() and inspect.isclass(value := getattr(cc, name))
}
CONSTRUCTOR = re.compile(r"\b(from_[a-z_]+|scan)\b")
NAMED = re.compile(rf"\b({'|'.join(CLASSES)}|concordant|cc)\.([a-z_]+)")


@cache
def messages():
    """Every error that the library raises, as (file, line, text); what is filled in reads as {}."""
    return list(_messages())


def _messages():
    for path in MODULES:
        if path.parent.name == "compat":  # arguments there are those of other libraries
            continue
        for node in nodes(path):
            if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
                for argument in node.exc.args:
                    text = "".join(
                        part.value if isinstance(part, ast.Constant) else "{}"
                        for part in getattr(argument, "values", [argument])
                        if isinstance(part, ast.Constant | ast.FormattedValue)
                        and isinstance(getattr(part, "value", ""), str | ast.expr)
                    )
                    yield path, node.lineno, text


def results(base):
    """Every kind of result, which users get from methods."""
    return {base, *(kind for each in base.__subclasses__() for kind in results(each))}


def parameters():
    """Every argument of every public function, method and index."""
    names = {name for index in INDICES.values() for name in index.parameters}
    public = [getattr(module, name) for module in (cc, testing) for name in module.__all__]
    for value in [*public, *results(Result)]:
        members = [value, *(getattr(value, name, None) for name in dir(value) if inspect.isclass(value))]
        for member in members:
            called = getattr(member, "__func__", member)
            if callable(called):
                try:
                    names |= set(inspect.signature(called).parameters)
                except ValueError:  # of types that are written in C
                    continue
    return names


@check
def messages_are_found():
    """The checks below look at something."""
    named = sum(1 for _ in constructors())
    for what, found, least in (
        ("messages", len(messages()), 300),
        ("names of constructors", named, 10),
        ("remedies", sum(1 for _ in remedies()), 10),
    ):
        if found <= least:
            yield f"only {found} {what} are found; there are more than {least}"


@check
def functions():
    """Every function that a message names exists."""
    for path, line, text in messages():
        for owner, name in NAMED.findall(text):
            if not hasattr(CLASSES.get(owner, cc), name):
                yield at(path, line, f"{owner} has no {name}")


@check
def constructors_of_classes():
    """A list of constructors belongs to the class before it."""
    for path, line, owner, word in constructors():
        if not hasattr(owner, word):
            yield at(path, line, f"{owner.__name__} has no {word}")


def constructors():
    for path, line, text in messages():
        owner = None
        for word in re.findall(r"[A-Za-z_]+", text):
            if word in CLASSES:
                owner = CLASSES[word]
            elif owner is not None and CONSTRUCTOR.fullmatch(word):
                yield path, line, owner, word


@check
def arguments():
    """Every argument that a message names exists."""
    # names that the user gives, pandas.crosstab(margins=) and argmax(axis=)
    known = parameters() | {"old", "new", "margins", "axis"}
    for path, line, text in messages():
        for name in re.findall(r"(?<![\w{-])([a-z_]{3,})=(?!=)", text):
            if name not in known:
                yield at(path, line, f"nothing takes {name}=")


def options():
    """Every option of the command line."""
    group = typer.main.get_command(commands.app)
    return {
        spelling
        for command in [group, *group.commands.values()]
        for option in command.params
        for spelling in (*option.opts, *option.secondary_opts)
    }


@check
def options_of_commands():
    """Every option of the command line that a message names exists."""
    known = options()
    for path, line, text in messages():
        for option in re.findall(r"(?<![\w-])(--[a-z][a-z-]+)", text):
            if option.rstrip("-") not in known and option != "--fail-":
                yield at(path, line, f"no command takes {option}")


def remedies():
    """Every remedy with fixed values, as (file, line, names of the options)."""
    for path in MODULES:
        for node in nodes(path):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == Remedy.__name__:
                yield path, node.lineno, [keyword.arg for keyword in node.keywords if keyword.arg]


@check
def options_of_remedies():
    """Every remedy names arguments that exist."""
    known = parameters() | {option.strip("-").replace("-", "_") for option in options()}
    for path, line, named in remedies():
        if unknown := set(named) - known:
            yield at(path, line, f"nothing takes {', '.join(unknown)}")


@check
def articles():
    """No message puts a fixed article before a type, and those of kinds are right."""
    for path in MODULES:
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if re.search(r"\ban? \{type\(", line):
                yield at(path, number, "a fixed article before a type")
    for name in ("AnnData", "Index", "ndarray", "Table"):
        error = refusal_of(ParameterError, lambda name=name: cc.rank([0, 1], type(name, (), {})()))
        article = "a" if name == "Table" else "an"
        if error is None or f"not {article} " not in str(error):
            yield f"{name}: {error} does not have {article!r}"


# -- advice that is carried out ----------------------------------------------------------------------


@check
def constructors_of_what_is_not_called():
    """Classes that are not called name their constructors."""
    for make in (cc.Cover, cc.Partition):
        error = refusal_of(ParameterError, lambda make=make: make([[0, 1]]))
        advised = re.findall(r"from_\w+|scan$|of$", str(error))
        if len(advised) <= 3 or not all(callable(getattr(make, name, None)) for name in advised):
            yield f"{make.__name__}([[0, 1]]): {error}"


@check
def quotes():
    """Quotes are advised only where they work."""
    for index in (index for index in INDICES.values() if index.parameters):
        for name, parameter in index.parameters.items():
            for word in {"two", "max", "one", "miss", parameter.default} - {None}:
                if isinstance(word, str) and word.isidentifier():
                    yield from problems_of_quotes(index.name, name, word)


def problems_of_quotes(index, name, word):
    spelling, quoted = f"{index}({name}={word})", f"{index}({name}={word!r})"
    error = refusal_of(ConcordantError, lambda: INDICES[spelling])
    advised = re.search(r"write it like (.*), with quotes", str(error))
    if error is None:
        yield f"{spelling} is accepted"
    elif advised:
        if INDICES[advised[1]].arguments != {name: word}:
            yield f"{spelling}: {error}"
    else:
        with_quotes = refusal_of(ConcordantError, lambda: INDICES[quoted])
        if type(with_quotes) is not type(error) or str(error) not in str(with_quotes):
            yield f"{quoted}: {with_quotes}, and without quotes: {error}"


# -- refusals ------------------------------------------------------------------------------------------

REFERENCE, CANDIDATE, OTHER = (dict(zip("abcd", labels, strict=True)) for labels in ("1122", "1222", "1112"))
FUNCTIONS = {
    "compare": cc.compare,
    "diff": cc.diff,
    "rand": cc.rand,
    "soft_adjusted_rand": cc.soft_adjusted_rand,
    "estimate": lambda x, y, **how: cc.estimate(x, y, sampling="clusters", **how),
    "diff with a reference": lambda x, y, **how: cc.diff(y, OTHER, reference=x, **how),
    "rank": lambda x, y, **how: cc.rank(x, {"one": y, "other": OTHER}, **how),
    "matrix": lambda x, y, **how: cc.matrix([x, y], **how),
    "track": lambda x, y, **how: cc.track([x, y], **how),
    "consensus": lambda x, y, **how: cc.consensus([x, y], **how),
    "stability": lambda x, y, **how: cc.stability([x, y], **how),
    "compare_references": lambda x, y, **how: cc.compare_references([x, OTHER], y, **how),
}
FORMS = {
    "labels": dict,
    "soft": lambda labels: cc.Soft.from_mapping({record: {label: 1} for record, label in labels.items()}),
    "tree": lambda labels: cc.Hierarchy.from_nested([[*labels][:2], *[*labels][2:]]),
    "cover": lambda labels: cc.Cover.from_mapping({record: [label] for record, label in labels.items()}),
    "frame": lambda labels: cc.Partition.from_frame(
        pd.DataFrame({"record": labels.keys(), "cluster": labels.values()})
    ),
}
CANDIDATES = {
    "as it is": CANDIDATE,
    "without a record": {record: CANDIDATE[record] for record in "abc"},
    "with one more": CANDIDATE | {"e": "2"},
    "with a null": CANDIDATE | {"d": None},
}
GIVEN = [
    {},
    {"weights": [1, 2]},
    {"where": [True]},
    {"noise": "2"},
    {"columns": ["p", "q"]},
    {"unmatched": "keep"},
    {"unmatched": "singletons"},
    {"table_limit": 0},
]
# An option outside the call of another function: not h.cut(n_clusters=5).
NAMED_OPTION = re.compile(r"(?<![\w(.-])([a-z_]{3,})=('[^']*'|\d+)?")


def refusals(call):
    """The arguments and the errors of what a function refuses; any other error fails."""
    for form, make in FORMS.items():
        for held in CANDIDATES.values():
            for first in {"labels", form}:
                try:
                    sides = FORMS[first](REFERENCE), make(held)
                except ConcordantError:  # of the constructor: some have no place for a null label
                    continue
                for options in GIVEN:
                    try:
                        call(*sides, **options)
                    except ConcordantError as error:
                        yield sides, options, str(error)


@check
def options_of_refusals():
    """Options that a refusal names are accepted, and they change the answer."""
    for name, call in FUNCTIONS.items():
        taken = inspect.signature(getattr(cc, name.partition(" ")[0])).parameters
        tried = 0
        for sides, given, message in refusals(call):
            for option, value in NAMED_OPTION.findall(message):
                if option not in taken:
                    yield f"{name} does not take {option}=: {message}"
                if not value or option in given or option not in taken:
                    continue
                tried += 1
                more = {**given, option: literal_eval(value)}
                again = refusal_of(ConcordantError, partial(call, *sides, **more))
                if again and (str(again) == message or str(again).startswith(f"{option}=")):
                    yield f"{name}({option}={value}): {again}, after: {message}"
        if not tried and name not in ("track", "stability", "consensus"):
            yield f"{name}: no refusal names an option with a value"
