"""Tests import inner names from one place, and this place declares only what tests import."""

import ast
import re
from functools import cache
from pathlib import Path

import inner

TESTS = Path(__file__).parents[1]
PUBLIC = re.compile(r"concordant(\.(errors|cli|core|testing|compat(\.\w+)?))?")


@cache
def imports():
    """(file, module, name) of every name that tests import from a module."""
    return [
        (path.name, node.module, each.name)
        for path in TESTS.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom)
        for each in node.names
    ]


def test_inner_modules_are_imported_from_one_place():
    wrong = [
        each
        for each in imports()
        if (each[1] or "").startswith("concordant.") and not PUBLIC.fullmatch(each[1])
    ]
    assert wrong == []


def test_every_inner_name_exists_and_is_used():
    used = {name for _, module, name in imports() if module == "inner"}
    assert used == set(inner.TABLE)
    for name in used:
        getattr(inner, name)
