"""The modules of the package, parsed once for all checks."""

import ast
from functools import cache

from contract.checks import ROOT

PACKAGE = ROOT / "src" / "concordant"
MODULES = sorted(PACKAGE.rglob("*.py"))


@cache
def tree(module):
    return ast.parse(module.read_text(encoding="utf-8"))


@cache
def nodes(module):
    """Every node of a module, the outer ones first."""
    return list(ast.walk(tree(module)))
