"""The layout of the package, the compiled core and the tests: imports, and where names are defined."""

import ast
import importlib
import re
from collections import Counter
from functools import cache

import inner

import concordant as cc
from contract.checks import ROOT, at, check
from contract.sources import MODULES, PACKAGE, nodes, tree

LONGEST = 800  # lines of code
AT_ROOT = 9
CORE = ROOT / "src" / "core"
TESTS = ROOT / "tests"
INNER = TESTS / "support" / "inner.py"
PUBLIC = re.compile(r"concordant(\.(errors|cli|core|testing|compat(\.\w+)?))?")


@check
def root():
    if (found := len(list(PACKAGE.glob("*.py")))) > AT_ROOT:
        yield at(PACKAGE / "__init__.py", 1, f"{found} modules beside it; put them into packages")


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


@check
def lengths():
    """A limit on whole files would make people shorten docstrings and messages, and split classes."""
    for path in MODULES:
        if (found := lines_of_code(path)) > LONGEST:
            yield at(path, 1, f"{found} lines of code, more than {LONGEST}")


@check
def imports_of_root():
    """The root lists what is public; packages import from packages."""
    packages = {path.stem for path in PACKAGE.iterdir() if path.is_dir() or path.suffix == ".py"}
    for path in MODULES:
        for node in nodes(path):
            if isinstance(node, ast.ImportFrom) and node.module == "concordant":
                if {alias.name for alias in node.names} - packages:
                    yield at(path, node.lineno, "a name is imported from the root, not from its package")
            elif isinstance(node, ast.Import) and any(each.name == "concordant" for each in node.names):
                yield at(path, node.lineno, "the root is imported")


@check
def every_module_can_be_imported():
    for path in MODULES:
        name = ".".join(("concordant", *path.relative_to(PACKAGE).with_suffix("").parts))
        if path.stem != "__main__":
            try:
                importlib.import_module(name.removesuffix(".__init__"))
            except ImportError as error:
                yield at(path, 1, f"it cannot be imported: {error}")


@check
def constants():
    """A second assignment changes the meaning of the first, as when two modules are merged."""
    for path in MODULES:
        body = tree(path).body
        targets = [target for node in body if isinstance(node, ast.Assign) for target in node.targets]
        names = Counter(target.id for target in targets if isinstance(target, ast.Name))
        yield from (at(path, 1, f"{name} is assigned twice") for name, times in names.items() if times > 1)


@check
def exceptions_of_layers():
    if "ignore_imports" in (ROOT / "pyproject.toml").read_text(encoding="utf-8"):
        yield at(ROOT / "pyproject.toml", 1, "ignore_imports: the layers have no exceptions")


@check
def indices_are_declared_once():
    """Outside golden data and docs, an index is named where it is declared and nowhere else."""
    rare = [name for name in cc.INDICES if name.count("_") >= 2]
    if len(rare) <= 10:
        yield f"only {len(rare)} indices have a name that nothing else has"
    compat = PACKAGE / "compat"  # which gives indices the names of other packages
    defined = Counter(
        name
        for path in MODULES
        if compat not in path.parents
        for name in {*re.findall(r"def (\w+)\(", path.read_text(encoding="utf-8"))}
    )
    yield from (f"{name} is defined in {defined[name]} files" for name in rare if defined[name] != 1)


# -- the compiled core --------------------------------------------------------------------------------


@check
def hash_tables():
    """With the standard hash of an integer, which is the integer, anybody can prepare labels that collide."""
    declared = re.compile(r"std::unordered_(?:map|set)<(.*)> \w+;")
    tables = [
        (path, types)
        for path in sorted(CORE.glob("*/*.[hc]pp"))
        for types in declared.findall(path.read_text(encoding="utf-8"))
    ]
    if not tables:
        yield at(CORE / "base" / "hashing.hpp", 1, "no hash table is found in the core")
    for path, types in tables:
        if not types.endswith(("Hasher", "Hash")):
            yield at(path, 1, f"a hash table of {types} is not salted")


@check
def types_of_the_core():
    """Two types of one name in one namespace would share their generated code, and crash."""
    defined = re.compile(r"^(?:struct|class|enum class|enum) (\w+)[^;]*$", re.MULTILINE)
    paths = {}
    for path in sorted(CORE.rglob("*.?pp")):
        for name in defined.findall(path.read_text(encoding="utf-8")):
            if name in paths:
                yield at(path, 1, f"{name} is also defined in {paths[name].relative_to(ROOT)}")
            paths[name] = path


# -- tests --------------------------------------------------------------------------------------------


@cache
def imports_of_tests():
    """(file, line, module, name) of every name that tests import from a module."""
    return [
        (path, node.lineno, node.module or "", each.name)
        for path in sorted(TESTS.rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom)
        for each in node.names
    ]


@check
def inner_modules():
    """Tests import inner names from tests/support/inner.py alone, which declares only those they import."""
    yield from every_module_can_be_imported()  # some names are those of modules
    for path, line, module, name in imports_of_tests():
        if module.startswith("concordant.") and not PUBLIC.fullmatch(module):
            yield at(path, line, f"import {name} from inner, and declare it there")
    used = {each[3]: each for each in imports_of_tests() if each[2] == "inner"}
    yield from (at(INNER, 1, f"no test imports {name}") for name in inner.TABLE.keys() - used)
    for name, (path, line, *_) in used.items():
        if name in inner.TABLE:
            getattr(inner, name)
        else:
            yield at(path, line, f"{name} is not declared in tests/support/inner.py")


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


@check
def circles():
    """Modules do not import each other in circles; imports that only type checkers read may be circular."""
    used = imports_at_run_time()
    if "concordant.differences.changes" not in used["concordant.comparisons.comparison"]:
        yield "an import through a package, differences.changes, is not found"
    paths, reach = modules_by_name(), {name: reached(used, name) for name in used}
    for name, others in used.items():
        if circle := sorted(each for each in others if name in reach[each]):
            yield at(paths[name], 1, f"a circle of imports through {', '.join(circle)}")
