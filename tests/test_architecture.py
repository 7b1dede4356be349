"""The layout of the package: short modules, imports in one direction, few calls for a common question."""

import ast
import re
import sys
from collections import Counter

import polars as pl
from source_trees import MODULES, PACKAGE, nodes, tree

import concordant as cc

LONGEST = 800  # lines of code
CALLS = 5000


def test_the_root_holds_few_modules():
    assert len(list(PACKAGE.glob("*.py"))) <= 9


def lines_of_code(path):
    """The number of lines without docstrings, comments and blank lines."""
    strings = set()
    for node in nodes(path):
        if (
            isinstance(node, ast.Expr)
            and isinstance(node.value, ast.Constant)
            and isinstance(node.value.value, str)
        ):
            strings.update(range(node.lineno, node.end_lineno + 1))
    lines = enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
    return sum(
        1 for number, line in lines if number not in strings and line.strip() and line.strip()[0] != "#"
    )


def test_modules_are_short():
    """A limit on whole files would make people shorten docstrings and messages, and split classes."""
    assert {path.name: lines_of_code(path) for path in MODULES if lines_of_code(path) > LONGEST} == {}


def test_no_module_imports_the_root():
    """The root lists what is public; packages import from packages."""
    packages = {path.stem for path in PACKAGE.iterdir() if path.is_dir() or path.suffix == ".py"}
    for path in MODULES:
        for node in nodes(path):
            if isinstance(node, ast.ImportFrom) and node.module == "concordant":
                assert {alias.name for alias in node.names} <= packages, path
            if isinstance(node, ast.Import):
                assert all(alias.name != "concordant" for alias in node.names), path


def test_modules_assign_each_constant_once():
    """A second assignment changes the meaning of the first, as when two modules are merged."""
    for path in MODULES:
        body = tree(path).body
        targets = [target for node in body if isinstance(node, ast.Assign) for target in node.targets]
        names = Counter(target.id for target in targets if isinstance(target, ast.Name))
        assert [name for name, times in names.items() if times > 1] == [], path


def test_the_layers_have_no_exceptions():
    assert "ignore_imports" not in (PACKAGE.parents[1] / "pyproject.toml").read_text(encoding="utf-8")


def test_hash_tables_of_the_core_are_salted():
    """With the standard hash of an integer, which is the integer, anybody can prepare labels that collide."""
    declared = re.compile(r"std::unordered_(?:map|set)<(.*)> \w+;")
    core = PACKAGE.parent / "core"
    texts = [path.read_text(encoding="utf-8") for path in sorted(core.glob("*/*.[hc]pp"))]
    tables = [types for text in texts for types in declared.findall(text)]
    assert tables
    assert [types for types in tables if not types.endswith(("Hasher", "Hash"))] == []


def test_types_of_the_core_have_distinct_names():
    """Two types of one name in one namespace would share their generated code, and crash."""
    headers = (PACKAGE.parents[1] / "src" / "core").rglob("*.?pp")
    defined = re.compile(r"^(?:struct|class|enum class|enum) (\w+)[^;]*$", re.MULTILINE)
    names = Counter(name for path in headers for name in defined.findall(path.read_text(encoding="utf-8")))
    assert [name for name, times in names.items() if times > 1] == []


def test_printing_a_comparison_of_two_files_takes_few_calls(tmp_path):
    """A deterministic stand-in for time: Python calls inside the package, imports not counted."""
    paths = [tmp_path / "truth.parquet", tmp_path / "candidate.parquet"]
    for path, labels in zip(paths, ([1, 1, 2, 2], [1, 1, 1, 2]), strict=True):
        pl.DataFrame({"id": list("abcd"), "label": labels}).write_parquet(path)
    sides = [cc.Partition.scan(str(path), record="id", cluster="label") for path in paths]
    str(cc.compare(*sides))  # imports modules
    calls = 0

    def count(frame, event, _):
        nonlocal calls
        calls += event == "call" and frame.f_globals.get("__name__", "").partition(".")[0] == "concordant"

    sys.setprofile(count)
    try:
        str(cc.compare(*sides))
    finally:
        sys.setprofile(None)
    assert calls <= CALLS
