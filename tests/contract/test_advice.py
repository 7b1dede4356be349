"""Advice in error messages works: every name, argument and option that a message spells exists."""

import ast
import inspect
import re
from functools import cache

import pytest
import typer.main
from cases import every_case
from inner import INDICES, Result
from source_trees import MODULES, nodes

import concordant as cc
from concordant import testing
from concordant.cli import commands
from concordant.errors import ConcordantError, ParameterError, Remedy

# Names of functions, which are made when they are first used, begin with small letters.
CLASSES = {
    name: value for name in cc.__all__ if name[0].isupper() and inspect.isclass(value := getattr(cc, name))
}
CONSTRUCTOR = re.compile(r"\b(from_[a-z_]+|scan)\b")
NAMED = re.compile(rf"\b({'|'.join(CLASSES)}|concordant|cc)\.([a-z_]+)")


@cache
def messages():
    """The text of every error that the library raises, as (place, text); what is filled in reads as {}."""
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
                    yield f"{path.name}:{node.lineno}", text


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


def test_messages_are_found():
    assert len(messages()) > 300


def test_every_named_function_exists():
    for place, text in messages():
        for owner, name in NAMED.findall(text):
            assert hasattr(CLASSES.get(owner, cc), name), (place, owner, name)


def test_a_list_of_constructors_belongs_to_the_class_before_it():
    found = 0
    for place, text in messages():
        owner = None
        for word in re.findall(r"[A-Za-z_]+", text):
            if word in CLASSES:
                owner = CLASSES[word]
            elif owner is not None and CONSTRUCTOR.fullmatch(word):
                assert hasattr(owner, word), (place, owner, word)
                found += 1
    assert found > 10


def test_every_argument_exists():
    # names that the user gives, pandas.crosstab(margins=) and argmax(axis=)
    known = parameters() | {"old", "new", "margins", "axis"}
    for place, text in messages():
        for name in re.findall(r"(?<![\w{-])([a-z_]{3,})=(?!=)", text):
            assert name in known, (place, name)


def options():
    """Every option of the command line."""
    group = typer.main.get_command(commands.app)
    return {
        spelling
        for command in [group, *group.commands.values()]
        for option in command.params
        for spelling in (*option.opts, *option.secondary_opts)
    }


def test_every_option_of_the_command_line_exists():
    known = options()
    for place, text in messages():
        for option in re.findall(r"(?<![\w-])(--[a-z][a-z-]+)", text):
            assert option.rstrip("-") in known or option == "--fail-", (place, option)


def remedies():
    """Every remedy with fixed values, as (place, options)."""
    for path in MODULES:
        for node in nodes(path):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == Remedy.__name__:
                yield f"{path.name}:{node.lineno}", [keyword.arg for keyword in node.keywords if keyword.arg]


def test_every_remedy_names_arguments_that_exist():
    known = parameters() | {option.strip("-").replace("-", "_") for option in options()}
    found = list(remedies())
    assert len(found) > 10
    for place, named in found:
        assert set(named) <= known, place


# -- advice that is carried out ------------------------------------------------------------------


@pytest.mark.parametrize("make", [cc.Cover, cc.Partition])
def test_classes_that_are_not_called_name_their_constructors(make):
    with pytest.raises(ParameterError) as caught:
        make([[0, 1]])
    advised = re.findall(r"from_\w+|scan$|of$", str(caught.value))
    assert len(advised) > 3
    assert all(callable(getattr(make, name)) for name in advised)


@every_case("index", [index for index in INDICES.values() if index.parameters], ids=str)
def test_quotes_are_advised_only_where_they_work(index):
    for name, parameter in index.parameters.items():
        for word in {"two", "max", "one", "miss", parameter.default} - {None}:
            if not isinstance(word, str) or not word.isidentifier():
                continue
            with pytest.raises(ConcordantError) as caught:
                INDICES[f"{index.name}({name}={word})"]
            advised = re.search(r"write it like (.*), with quotes", str(caught.value))
            if advised:
                assert INDICES[advised[1]].arguments == {name: word}
            else:
                with pytest.raises(type(caught.value), match=re.escape(str(caught.value))):
                    INDICES[f"{index.name}({name}={word!r})"]


@pytest.mark.parametrize("name", ["AnnData", "Index", "ndarray", "Table"])
def test_kinds_have_their_article(name):
    with pytest.raises(ParameterError, match="not an " if name != "Table" else "not a "):
        cc.rank([0, 1], type(name, (), {})())


def test_no_message_puts_a_fixed_article_before_a_type():
    for path in MODULES:
        for line in path.read_text().splitlines():
            assert not re.search(r"\ban? \{type\(", line), (path.name, line)
