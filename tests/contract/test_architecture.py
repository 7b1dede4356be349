"""The layout of the package: short modules, imports in one direction, few calls for a common question."""

import ast
import re
import sys
from collections import Counter

import polars as pl
from source_trees import MODULES, PACKAGE, nodes, tree

import concordant as cc

LONGEST = 800  # lines of code
CALLS = 3500
CALLS_OF_COMMAND = 4000
CALLS_FOR_LABELS = 1200
CALLS_FOR_DIFFERING_LABELS = 7200  # a third of them are to describe the clusters, the others to rank edits


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


def calls_of(action):
    """A deterministic stand-in for time: Python calls inside the package, imports not counted."""
    action()  # imports modules
    calls = 0

    def count(frame, event, _):
        nonlocal calls
        calls += event == "call" and frame.f_globals.get("__name__", "").partition(".")[0] == "concordant"

    sys.setprofile(count)
    try:
        action()
    finally:
        sys.setprofile(None)
    return calls


def test_printing_a_comparison_of_two_files_takes_few_calls(tmp_path):
    paths = [tmp_path / "truth.parquet", tmp_path / "candidate.parquet"]
    for path, labels in zip(paths, ([1, 1, 2, 2], [1, 1, 1, 2]), strict=True):
        pl.DataFrame({"id": list("abcd"), "label": labels}).write_parquet(path)
    sides = [cc.Partition.scan(str(path), record="id", cluster="label") for path in paths]
    assert calls_of(lambda: str(cc.compare(*sides))) <= CALLS


def test_comparing_two_files_on_the_command_line_takes_few_calls(run):
    paths = ["truth.parquet", "candidate.parquet"]
    for path, labels in zip(paths, ([1, 1, 2, 2], [1, 1, 1, 2]), strict=True):
        pl.DataFrame({"id": list("abcd"), "label": labels}).write_parquet(path)
    assert calls_of(lambda: run("compare", *paths)) <= CALLS_OF_COMMAND


def test_printing_a_comparison_of_labels_takes_few_calls():
    """It asks for the indices that it shows, and not for all that are available."""
    labels = [record % 4 for record in range(1000)]
    assert calls_of(lambda: str(cc.compare(labels, labels))) <= CALLS_FOR_LABELS


def test_printing_a_comparison_of_labels_that_differ_takes_few_calls():
    """It tries a few edits, however many there are."""
    labels = [record % 10 for record in range(1000)]
    one, many = [1, *labels[1:]], [each if record % 7 else record % 9 for record, each in enumerate(labels)]
    assert calls_of(lambda: str(cc.compare(labels, one))) <= CALLS_FOR_DIFFERING_LABELS / 2
    assert calls_of(lambda: str(cc.compare(labels, many))) <= CALLS_FOR_DIFFERING_LABELS


# -- circles of imports -----------------------------------------------------------------------------


def modules_by_name():
    parts = {path: ("concordant", *path.relative_to(PACKAGE).with_suffix("").parts) for path in MODULES}
    return {".".join(each[:-1] if each[-1] == "__init__" else each): path for path, each in parts.items()}


def nodes_at_run_time(node):
    """The nodes below this one, without what only type checkers read."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING":
            continue
        yield child
        yield from nodes_at_run_time(child)


def names_of_package(package, path, known):
    """The names that a package gives for modules and names in them, whether imported now or when used."""
    given = {}
    for node in nodes_at_run_time(tree(path)):
        if isinstance(node, ast.ImportFrom):
            given |= {alias.asname or alias.name: f"{node.module}.{alias.name}" for alias in node.names}
        if isinstance(node, ast.Dict):  # of lazy.attributes: names and the module of each
            for key, value in zip(node.keys, node.values, strict=True):
                module = f"{package}.{value.value}" if isinstance(value, ast.Constant) else ""
                if module in known:
                    given[key.value] = f"{module}.{key.value}"
    return given


def imports_at_run_time():
    """The modules that each module uses, in functions too, and through packages (`differences.changes`)."""
    known = modules_by_name()
    packages = {name: path for name, path in known.items() if path.name == "__init__.py"}
    given = {name: names_of_package(name, path, known) for name, path in packages.items()}

    def module_of(dotted):
        module, _, rest = dotted.partition(".")
        while rest:
            name, _, after = rest.partition(".")
            if f"{module}.{name}" in known:
                module, rest = f"{module}.{name}", after
            elif name in given.get(module, ()):
                return module_of(f"{given[module][name]}.{after}".removesuffix("."))
            else:
                break
        return module

    used = {}
    for name, path in known.items():
        aliases, found = {}, set()
        for node in nodes_at_run_time(tree(path)):
            if isinstance(node, ast.Import):
                found |= {alias.name for alias in node.names if alias.name in known}
            if isinstance(node, ast.ImportFrom) and node.module.partition(".")[0] == "concordant":
                for alias in node.names:
                    imported = f"{node.module}.{alias.name}"
                    if imported in packages:
                        aliases[alias.asname or alias.name] = imported
                    else:
                        found.add(module_of(imported))
            if isinstance(node, ast.Attribute):
                first, *rest = ast.unparse(node).split(".")
                if first in aliases:
                    found.add(module_of(".".join([aliases[first], *rest])))
        used[name] = found - {name}
    return used


def reached(used, name):
    """The modules that a module uses, directly or through others."""
    found, left = set(), [name]
    while left:
        more = used[left.pop()] - found
        found |= more
        left += more
    return found


def test_modules_do_not_import_each_other_in_circles():
    """Imports that only type checkers read may be circular."""
    used = imports_at_run_time()
    assert (
        "concordant.differences.changes" in used["concordant.comparisons.comparison"]
    )  # through the package
    circles = {
        name: [each for each in others if name in reached(used, each)] for name, others in used.items()
    }
    assert {name: sorted(others) for name, others in circles.items() if others} == {}
