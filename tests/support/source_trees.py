"""The modules of the package, parsed once for all tests that look at them."""

import ast
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).parents[2] / "src" / "concordant"
MODULES = sorted(PACKAGE.rglob("*.py"))


@cache
def tree(module):
    return ast.parse(module.read_text(encoding="utf-8"))


@cache
def nodes(module):
    """Every node of a module, the outer ones first."""
    return list(ast.walk(tree(module)))
