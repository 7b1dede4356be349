"""Kinds of comparisons: every word of a registered kind has a meaning, and a mistyped one is an error."""

import sys
from dataclasses import replace
from importlib import import_module
from types import SimpleNamespace

import pytest
from inner import KINDS as BY_NAME
from inner import all_indices, named_object, register_kind

import concordant as cc

KINDS = list(BY_NAME.values())
every_kind = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
SOFT = BY_NAME["soft"]


def file_of(kind):
    """The module that declares it, for messages."""
    return next(
        name
        for name, module in sys.modules.items()
        if getattr(module, "KIND", None) is kind and "_kind" in name
    )


def functions_of(kind):
    """Every word "module:name", with the attribute that has it."""
    for attribute in ("compare", "attributes", "introduction", "matrix", "options"):
        yield attribute, getattr(kind, attribute)
    yield from (("null_tests", name) for name in kind.null_tests.values())
    for section in kind.sections:
        yield from (("facts", section.facts), ("example", section.example))


@every_kind
def test_every_function_exists(kind):
    for attribute, name in functions_of(kind):
        if name:  # some are optional
            assert named_object(name) is not None, f"{file_of(kind)}: {attribute} has {name!r}"


@every_kind
def test_every_public_name_is_in_its_module(kind):
    for name, module in kind.public.items():
        assert getattr(cc, name) is getattr(import_module(f"concordant.{module}"), name), file_of(kind)


@pytest.mark.parametrize("kind", [each for each in KINDS if each.compare], ids=lambda kind: kind.name)
def test_values_have_the_name_of_their_kind(kind):
    assert getattr(cc, kind.value)._kind == kind.name, f"{file_of(kind)}: name is {kind.name!r}"


@every_kind
def test_the_functions_are_those_of_the_sections(kind):
    sides = [section.sides for section in kind.sections]
    declared = {name for name, index in all_indices().items() if index.sides in sides}
    assert set(kind.functions) in (declared, set()), f"edit functions in {file_of(kind)}"


@every_kind
def test_every_section_is_declared_in_its_module(kind):
    for section in kind.sections:
        found = {index.compute.__module__ for index in all_indices().values() if index.sides == section.sides}
        assert found == {f"concordant.{section.declared_in}"}, f"{file_of(kind)}: {section.sides!r}"


@every_kind
def test_every_kind_of_counts_has_indices_and_every_builder_takes_it(kind):
    sides = [section.sides for section in kind.sections]
    indices = [index for index in all_indices().values() if index.sides in sides]
    for word, builder in kind.builders.items():
        views = [view for index in indices if word in index.kinds for view in index.views]
        assert views, f"{file_of(kind)}: no index is defined for the counts {word!r}, see builders"
        assert all(callable(getattr(view, builder)) for view in views)


@pytest.mark.parametrize(
    ("mistyped", "text"),
    [
        ({"name": "ordered", "value": "Sotf"}, r"value has 'Sotf'; use one of Soft, SoftComparison"),
        ({"result": "SoftComparsion"}, "result has 'SoftComparsion'"),
        ({"null_tests": {"sotf": "errors:InputError"}}, "null_tests has 'sotf'; use one of soft"),
        ({}, "name has 'soft', and so has another kind"),
        ({"no_labels": ""}, "no_labels and compare belong together"),
        ({"name": "ordered"}, "precedence has 1, and so has another kind"),
        ({"name": "ordered", "precedence": 3}, "sections has 'soft', and so has another kind"),
        ({"name": "ordered", "precedence": 3, "sections": ()}, "public has 'Soft', and so has another kind"),
    ],
)
def test_words_that_do_not_fit_are_refused_with_the_file(monkeypatch, mistyped, text):
    module = SimpleNamespace(KIND=replace(SOFT, **mistyped))
    monkeypatch.setitem(sys.modules, "concordant.clusterings.ordered_kind", module)
    with pytest.raises(ValueError, match=f"src/concordant/clusterings/ordered_kind.py: {text}"):
        register_kind("clusterings.ordered_kind")
    assert list(BY_NAME.values()) == KINDS


def test_an_index_of_unknown_sides_is_refused():
    declared = all_indices()["soft_rand"]
    with pytest.raises(
        TypeError, match="the index soft_rand has sides='sotf'; use one of partitions, covers"
    ):
        replace(declared, sides="sotf")(declared.compute)
