"""How large the package is: lines of code, classes, modules, lines of C++, and the ten longest functions.

    python scripts/size.py

A line of code is a line that is not blank, not a comment and not part of a docstring.
"""

import ast
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGE, CORE, TESTS = ROOT / "src" / "concordant", ROOT / "src" / "core", ROOT / "tests"
LONGEST = 10


def docstring_lines(tree: ast.AST) -> set[int]:
    """The numbers of the lines that strings without a use occupy."""
    return {
        line
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
        for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)
    }


def python_lines(path: Path) -> set[int]:
    """The numbers of the lines of code of a module."""
    text = path.read_text(encoding="utf-8")
    docstrings = docstring_lines(ast.parse(text))
    return {
        number
        for number, line in enumerate(text.splitlines(), start=1)
        if line.strip() and not line.strip().startswith("#") and number not in docstrings
    }


def functions(path: Path) -> list[tuple[int, str]]:
    """The lines of code of each function of a module, and its place."""
    code = python_lines(path)
    return [
        (
            len(code & set(range(node.lineno, (node.end_lineno or node.lineno) + 1))),
            f"{path.relative_to(ROOT)}:{node.lineno} {node.name}",
        )
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]


def cpp_lines(path: Path) -> int:
    """The number of lines of code of a C++ file; no comment of the core shares a line with `/*`."""
    lines = [line.strip() for line in path.read_text(encoding="utf-8").splitlines()]
    return sum(1 for line in lines if line and not line.startswith("//"))


def classes(path: Path) -> int:
    """The number of classes of a module."""
    return sum(
        isinstance(node, ast.ClassDef) for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    )


modules = sorted(PACKAGE.rglob("*.py"))
print(f"{sum(len(python_lines(path)) for path in modules):,} lines of Python")
print(f"{sum(map(classes, modules)):,} classes")
print(f"{len(modules):,} modules")
print(f"{sum(cpp_lines(path) for path in sorted(CORE.rglob('*.[hc]pp'))):,} lines of C++")
print(f"{sum(len(python_lines(path)) for path in sorted(TESTS.rglob('*.py'))):,} lines of tests")
print("The longest functions:")
for lines, place in sorted((each for path in modules for each in functions(path)), reverse=True)[:LONGEST]:
    print(f"{lines:5} {place}")
