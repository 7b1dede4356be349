"""Change one small thing in the code, and see whether a test notices: what none notices is not tested.

    python scripts/mutate.py [--most 60] [--seed 1] [--only PATTERN]        (make mutate)

A mutant is one change in one module of indices, conventions or trust: a sign, a comparison, a number, `and`
for `or`. The source stays as it is: the tests of that package run in a process that loads the module with the
change in it, of a declared index those that name it. Survivors are listed with their line. Some change
nothing that a user can see (a limit between two algorithms that give the same value). They are listed in
docs/internals/mutation.md; the others need a test.
"""

import argparse
import ast
import importlib.abc
import importlib.machinery
import importlib.util
import json
import os
import random
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, ModuleType

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "concordant"
# The tests that must notice a change, as folders and files of tests/.
LAWS = ("indices", "catalogue/test_index.py", "counts/test_covers.py", "differences/test_matching.py")
LAWS += ("differences/test_objects.py", "comparisons/test_coreference.py", "partitions/test_images.py")
TRUST = ("trust", "views/test_by_chance.py", "counts/test_weights.py")
CONVENTIONS = ("counts/test_partial_overlap.py", "engines/test_cells.py", "comparisons/test_comparison.py")
CONVENTIONS += tuple(f"partitions/test_{name}.py" for name in ("labels", "hostile", "inputs", "partition"))
PACKAGES = {"indices/*.py": LAWS, "trust/*.py": TRUST, "counts/conventions.py": CONVENTIONS}
NOTHING_RAN, TOO_LONG = 5, 124  # exit codes of pytest and timeout(1)
SECONDS = 600  # that the tests of one mutant may take; one that never ends was noticed

COMPARED = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
}
COMPARED |= {ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In}
COMPUTED = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.FloorDiv: ast.Mult}
OTHERS = {"min": "max", "max": "min", "any": "all", "all": "any"}


@dataclass(frozen=True)
class Mutant:
    """The number of a change in a module, and what it does."""

    path: str
    number: int
    line: int
    text: str
    index: str  # the index in whose declaration it is, if any


def changes(tree: ast.AST) -> Iterator[tuple[ast.AST, str, object, str]]:
    """Each change: the node, its field, the new value, and a description. Strings are left alone."""
    for node in ast.walk(tree):
        match node:
            case ast.Compare(ops=[op]) if type(op) in COMPARED:
                other = COMPARED[type(op)]
                yield node, "ops", [other()], f"{type(op).__name__} becomes {other.__name__}"
            case ast.BinOp(op=op) if type(op) in COMPUTED and not _is_type(node):
                other = COMPUTED[type(op)]
                yield node, "op", other(), f"{type(op).__name__} becomes {other.__name__}"
            case ast.BoolOp(op=ast.And()):
                yield node, "op", ast.Or(), "and becomes or"
            case ast.BoolOp(op=ast.Or()):
                yield node, "op", ast.And(), "or becomes and"
            case ast.UnaryOp(op=ast.Not()):
                yield node, "op", ast.UAdd(), "not is left out"
            case ast.Constant(value=bool(value)):
                yield node, "value", not value, f"{value} becomes {not value}"
            case ast.Constant(value=int(value) | float(value)):
                yield node, "value", value + 1, f"{value} becomes {value + 1}"
            case ast.Call(func=ast.Name(id=name)) if name in OTHERS:
                yield node.func, "id", OTHERS[name], f"{name} becomes {OTHERS[name]}"


def _is_type(node: ast.BinOp) -> bool:
    return isinstance(node.op, ast.BitOr)


def _runnable(tree: ast.Module) -> ast.Module:
    """Without annotations, whose changes nothing could notice."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and not _declares(node):
            node.returns = None
            for argument in [*node.args.args, *node.args.kwonlyargs]:
                argument.annotation = None
    return tree


def _declares(node: ast.FunctionDef) -> bool:
    """Annotations of a decorated function may be read: those of an index declare its needs."""
    return bool(node.decorator_list)


def mutants(path: Path) -> list[Mutant]:
    tree = _runnable(ast.parse(path.read_text(encoding="utf-8")))
    name = path.relative_to(PACKAGE).as_posix()
    declares = name.startswith("indices/")
    return [
        Mutant(name, number, node.lineno, text, _index_at(tree, node.lineno) if declares else "")  # type: ignore[attr-defined]  # expressions have lines
        for number, (node, _, _, text) in enumerate(changes(tree))
    ]


def _index_at(tree: ast.Module, line: int) -> str:
    """The index that is declared there, by its function; empty where the line is not of a declaration."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and _declares(node):
            first = min(decorator.lineno for decorator in node.decorator_list)
            if first <= line <= (node.end_lineno or line):
                return node.name
    return ""


def mutated(path: Path, number: int) -> CodeType:
    tree = _runnable(ast.parse(path.read_text(encoding="utf-8")))
    node, field, value, _ = list(changes(tree))[number]
    setattr(node, field, value)
    if isinstance(getattr(node, "op", None), ast.UAdd):  # not x: as a truth value
        node.__class__ = ast.Call  # type: ignore[assignment]
        node.func, node.args, node.keywords = ast.Name("bool", ast.Load()), [node.operand], []  # type: ignore[attr-defined]
    return compile(ast.fix_missing_locations(tree), str(path), "exec")


class Changed(importlib.abc.MetaPathFinder, importlib.abc.InspectLoader):
    """Finds one module before anybody else does, and loads it with its change."""

    def __init__(self, path: str, number: int) -> None:
        self.path, self.number = PACKAGE / path, number
        self.name = ".".join(["concordant", *Path(path).with_suffix("").parts])

    def find_spec(
        self, name: str, _path: object, _target: object = None
    ) -> importlib.machinery.ModuleSpec | None:
        if name != self.name:
            return None
        return importlib.util.spec_from_file_location(name, self.path, loader=self)  # type: ignore[arg-type]

    def get_source(self, _name: str) -> str:
        return self.path.read_text(encoding="utf-8")

    def get_code(self, _name: str) -> CodeType:
        return mutated(self.path, self.number)

    def exec_module(self, module: ModuleType) -> None:
        exec(self.get_code(module.__name__), module.__dict__)  # noqa: S102  (our own module, with the change)


def tests_of(mutant: Mutant) -> Sequence[str]:
    return next(tests for pattern, tests in PACKAGES.items() if Path(mutant.path).match(pattern))


def noticed(mutant: Mutant | None, tests: Sequence[str]) -> bool:
    """Whether a test fails with the change; of an index, first one of those that name it."""
    named = f"{mutant.index} and not spark and not dask" if mutant and mutant.index else ""
    if named and _status(mutant, tests, named) not in (0, NOTHING_RAN):
        return True
    return _status(mutant, tests, "not spark and not dask") != 0


def _status(mutant: Mutant | None, tests: Sequence[str], chosen: str) -> int:
    """The exit code of pytest."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "scripts")}
    if mutant:
        environment["CONCORDANT_MUTANT"] = json.dumps([mutant.path, mutant.number])
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-x",
        "-q",
        "-p",
        "mutate",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:xdist",
    ]
    command += ["-k", chosen, *(f"tests/{name}" for name in tests)]
    try:
        done = subprocess.run(  # noqa: S603  (this interpreter)
            command, cwd=ROOT, env=environment, capture_output=True, timeout=SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        return TOO_LONG
    return done.returncode


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--most", type=int, default=60, help="how many to try, drawn from all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="only modules whose path contains this")
    given = parser.parse_args()
    paths = [
        path for pattern in PACKAGES for path in sorted(PACKAGE.glob(pattern)) if given.only in str(path)
    ]
    known = [mutant for path in paths for mutant in mutants(path)]
    drawn = random.Random(given.seed).sample(known, min(given.most, len(known)))  # noqa: S311  (no secret)
    for tests in {tests_of(mutant) for mutant in drawn}:
        if noticed(None, tests):
            sys.exit("the tests fail without any change: fix them first")
    survivors = []
    for count, mutant in enumerate(drawn, start=1):
        survives = not noticed(mutant, tests_of(mutant))
        said = "SURVIVES" if survives else "noticed"
        print(
            f"{count}/{len(drawn)} {said}: src/concordant/{mutant.path}:{mutant.line}: {mutant.text}",
            flush=True,
        )
        survivors += [mutant] if survives else []
    print(f"{len(survivors)} of {len(drawn)} changes survive, of {len(known)} that can be made")


if "CONCORDANT_MUTANT" in os.environ and __name__ != "__main__":  # as a plugin of pytest
    sys.meta_path.insert(0, Changed(*json.loads(os.environ["CONCORDANT_MUTANT"])))
if __name__ == "__main__":
    main()
