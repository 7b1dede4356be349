"""Change one detail of the code and see whether a test fails: code that can change unnoticed is not tested.

    python scripts/mutate.py [--each 12] [--seed 1] [--only PACKAGE] [--jobs 1] [--record]      (make mutate)
    python scripts/mutate.py --check                                                   (make mutate CHECK=1)

A mutant is one change in one module: a sign, a comparison, a number, `and` for `or`, a keyword argument left
out, a call replaced by its argument. The same number is drawn from every package. The source files stay as
they are: pytest runs in a process that loads the module with the change in it.

All tests run once without a change, to find the tests that run the code of each mutant. With the change only
these tests run: those of the mutant's own package first, and quick tests before slow ones. Tests that need
Spark, Dask or a browser are left out, and so are tests that fail without a change.

tests/golden/mutants.json records which test detects each mutant. This test runs first, or all cases of its
function if this case is gone. Other tests run only if it passes. The script fails if a recorded mutant is no
longer detected, or if fewer mutants of a package are detected than in the record. --check runs only mutants
that are recorded as detected. --record writes the record. The results are in docs/internals/mutation.md.
"""

import argparse
import ast
import builtins
import hashlib
import importlib.abc
import importlib.machinery
import importlib.util
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from itertools import accumulate, chain
from pathlib import Path
from types import CodeType, ModuleType

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "concordant"
RECORD = ROOT / "tests" / "golden" / "mutants.json"
NEEDS_A_GPU = "engines/gpu/kernels.py"
LEFT_OUT = ("--ignore=tests/spark", "--ignore=tests/browser", "-k", "not spark and not dask")
EACH, SEED = 12, 1
# Seconds of tests: from one file of the mutant's package, from one file of another package, and in all.
# A property of all indices is checked by one test of some seconds, which has to fit.
OWN_SECONDS, OTHER_SECONDS, ALL_SECONDS = 20.0, 8.0, 60.0
TEST_SECONDS, RUN_SECONDS = 120, 480  # a mutant that takes longer may never end, so it is detected
FIRST_FILES = 3
NOT_STARTED, NOT_ENDED = "tests/conftest.py", "(does not end)"
PASSED, NO_TESTS = 0, 5  # exit codes of pytest

COMPARISONS = {ast.Lt: ast.LtE, ast.Gt: ast.GtE, ast.Eq: ast.NotEq, ast.Is: ast.IsNot, ast.In: ast.NotIn}
OPPOSITES = {**COMPARISONS, ast.And: ast.Or, ast.Add: ast.Sub, ast.Mult: ast.Div}
OPERATORS = {**OPPOSITES, **{other: each for each, other in OPPOSITES.items()}}
OPERATORS |= {ast.FloorDiv: ast.Mult, ast.Pow: ast.Mult}
FUNCTIONS = {"min": "max", "max": "min", "any": "all", "all": "any"}
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


@dataclass(frozen=True)
class Mutant:
    """One change, named by its function and not by its line, so edits elsewhere do not matter."""

    module: str
    function: str  # the qualified name; of a class, or empty, if the code runs when the module is imported
    change: str
    number: int  # among equal changes in the function

    @property
    def package(self) -> str:
        return self.module.partition("/")[0] if "/" in self.module else "(top level)"

    @property
    def name(self) -> tuple[str, str, int]:
        """The part that stays the same when a function moves to another module."""
        return self.function, self.change, self.number

    def __str__(self) -> str:
        number = f", number {self.number + 1}" if self.number else ""
        return f"{self.module}: {self.function or '(module)'}: {self.change}{number}"


@dataclass(frozen=True)
class Change:
    """A change that can be made in a syntax tree, and the definitions and statements around it."""

    mutant: Mutant
    around: tuple[ast.AST, ...]
    make: Callable[[], None]


def changes(tree: ast.Module, module: str) -> Iterator[Change]:
    numbers: Counter[tuple[str, str]] = Counter()
    for around, function, text, make in _changes(tree, (), ""):
        yield Change(Mutant(module, function, text, numbers[function, text]), around, make)
        numbers[function, text] += 1


def _changes(node: ast.AST, around: tuple[ast.AST, ...], function: str) -> Iterator[tuple]:
    if isinstance(node, ast.stmt):
        around = (*around, node)
    if isinstance(node, DEFINITIONS):
        function += f".{node.name}" if function else node.name
    for text, make in _changes_of(node):
        yield around, function, text, make
    for field, value in ast.iter_fields(node):
        if field not in ("annotation", "returns") or _declares(around):
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST):
                    yield from _changes(child, around, function)


def _declares(around: Sequence[ast.AST]) -> bool:
    """Whether annotations are read when the code runs: those of a decorated function declare its needs."""
    return bool(around) and bool(getattr(around[-1], "decorator_list", []))


def _changes_of(node: ast.AST) -> Iterator[tuple[str, Callable[[], None]]]:
    """Each change of this node: a description, and a call that makes it. Strings stay as they are."""
    match node:
        case ast.Compare(ops=[op]) if type(op) in OPERATORS:
            other = OPERATORS[type(op)]()
            yield _operator(node, op, other), lambda: setattr(node, "ops", [other])
        case ast.BinOp(op=op) | ast.BoolOp(op=op) if type(op) in OPERATORS:
            other = OPERATORS[type(op)]()
            yield _operator(node, op, other), lambda: setattr(node, "op", other)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            truth = ast.Call(ast.Name("bool", ast.Load()), [operand], [])
            yield f"`{_text(node)}` without not", lambda: _become(node, truth)
        case ast.Constant(value=bool(value)):
            yield f"{value} becomes {not value}", lambda: setattr(node, "value", not value)
        case ast.Constant(value=int(value) | float(value)) if value + 1 != value:
            yield f"{value} becomes {value + 1}", lambda: setattr(node, "value", value + 1)
        case ast.Call(func=ast.Name(id=name) as called) if name in FUNCTIONS:
            yield f"{name} becomes {FUNCTIONS[name]}", lambda: setattr(called, "id", FUNCTIONS[name])
        case ast.Call(func=called, args=[argument], keywords=[]) if not isinstance(argument, ast.Starred):
            yield f"{_text(called)}(x) becomes x in `{_text(node)}`", lambda: _become(node, argument)
        case ast.Call(keywords=[_, *_] as keywords):
            for keyword in keywords:
                if keyword.arg:
                    yield (
                        f"`{_text(node)}` without {keyword.arg}=",
                        lambda keyword=keyword: keywords.remove(keyword),
                    )


def _operator(node: ast.AST, op: ast.AST, other: ast.AST) -> str:
    return f"{type(op).__name__} becomes {type(other).__name__} in `{_text(node)}`"


def _text(node: ast.AST) -> str:
    return " ".join(ast.unparse(node).split()).replace('"', "'")[:60]  # versions of Python differ in quotes


def _become(node: ast.AST, other: ast.AST) -> None:
    node.__class__ = type(other)  # type: ignore[assignment]
    node.__dict__ = other.__dict__


def modules() -> Iterator[str]:
    for path in sorted(PACKAGE.rglob("*.py")):
        if (module := path.relative_to(PACKAGE).as_posix()) != NEEDS_A_GPU:
            yield module


def parsed(module: str) -> ast.Module:
    return ast.parse((PACKAGE / module).read_text(encoding="utf-8"))


def mutants() -> list[Mutant]:
    return [change.mutant for module in modules() for change in changes(parsed(module), module)]


def draw(known: Iterable[Mutant], each: int, seed: int) -> list[Mutant]:
    """The same number from every package, in turns. A mutant's rank is its hash, whatever else changes."""
    packages = defaultdict(list)
    for mutant in known:
        packages[mutant.package].append(mutant)
    ranked = [sorted(of_one, key=lambda mutant: _rank(mutant, seed))[:each] for of_one in packages.values()]
    return [of_one[turn] for turn in range(each) for of_one in ranked if turn < len(of_one)]


def _rank(mutant: Mutant, seed: int) -> str:
    return hashlib.sha256(repr((seed, *mutant.name)).encode()).hexdigest()


# In the process of pytest, as its plugin


class Loader(importlib.abc.MetaPathFinder, importlib.abc.InspectLoader):
    """Finds the modules of mutants before others do, and loads them with a change or with probes."""

    def __init__(self, job: dict) -> None:
        self.mutants = {Mutant(*mutant): number for number, mutant in enumerate(job["mutants"])}
        self.probes = job["probes"]
        self.modules = {module_name(mutant.module): mutant.module for mutant in self.mutants}

    def find_spec(
        self, name: str, _path: object, _target: object = None
    ) -> importlib.machinery.ModuleSpec | None:
        if name not in self.modules:
            return None
        return importlib.util.spec_from_file_location(name, PACKAGE / self.modules[name], loader=self)  # type: ignore[arg-type]

    def is_package(self, name: str) -> bool:
        return self.modules[name].endswith("__init__.py")

    def get_source(self, name: str) -> str:
        return (PACKAGE / self.modules[name]).read_text(encoding="utf-8")

    def get_code(self, name: str) -> CodeType:
        module = self.modules[name]
        tree = parsed(module)
        for change in list(changes(tree, module)):
            if change.mutant in self.mutants:
                if self.probes:
                    add_probes(tree, change.around, self.mutants[change.mutant])
                else:
                    change.make()
        return compile(ast.fix_missing_locations(tree), str(PACKAGE / module), "exec")

    def exec_module(self, module: ModuleType) -> None:
        exec(self.get_code(module.__name__), module.__dict__)  # noqa: S102  (our own module, with the change)


def module_name(module: str) -> str:
    return ".".join(["concordant", *Path(module).with_suffix("").parts]).removesuffix(".__init__")


def add_probes(tree: ast.Module, around: Sequence[ast.AST], number: int) -> None:
    """Report when tests run a mutant's code, by a call before its statement.

    If the statement runs at import, the call is in every function that the statement may concern.
    """
    probe = ast.parse(f"_mutant_reached({number})").body
    functions = [node for node in around if isinstance(node, DEFINITIONS[:2])]
    if functions and around[-1] is not functions[-1]:
        for node in ast.walk(around[-2]):
            for field in ("body", "orelse", "finalbody"):
                statements = getattr(node, field, None)
                if isinstance(statements, list) and around[-1] in statements:
                    place = statements.index(around[-1])
                    statements[place:place] = probe
                    return
    for node in ast.walk(around[-1] if isinstance(around[-1], DEFINITIONS) else tree):
        if isinstance(node, DEFINITIONS[:2]):
            place = 0 if ast.get_docstring(node, clean=False) is None else 1
            node.body[place:place] = probe
    tree.body += probe


def does_not_end(_signal: int, _frame: object) -> None:
    raise TimeoutError


class Plugin:
    """Runs chosen tests in their order, and reports results, times and the mutants that each test reaches."""

    def __init__(self, job: dict) -> None:
        self.job = job
        self.place = {test: place for place, test in enumerate(job["tests"])}
        self.reached: set[int] = set()
        self.seconds: Counter[str] = Counter()
        self.failed: list[str] = []
        self.reaching: dict[str, list[int]] = {}
        self.imported: list[int] = []
        signal.signal(signal.SIGALRM, does_not_end)
        builtins._mutant_reached = self.reached.add  # type: ignore[attr-defined]

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        self.imported = sorted(self.reached)
        if not self.job["probes"]:
            chosen = [item for item in items if item.nodeid in self.place]
            functions = {test.partition("[")[0] for test in self.place}
            items[:] = chosen or [item for item in items if item.nodeid.partition("[")[0] in functions]
            items.sort(key=lambda item: self.place.get(item.nodeid, 0))

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        self.reached.clear()
        signal.alarm(0 if self.job["probes"] else TEST_SECONDS)
        result = yield
        signal.alarm(0)
        self.reaching[item.nodeid] = sorted(self.reached)
        return result

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.failed.append(report.nodeid)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.seconds[report.nodeid] += report.duration
        if report.failed:
            self.failed.append(report.nodeid)

    def pytest_sessionfinish(self) -> None:
        result = {
            "seconds": self.seconds,
            "failed": self.failed,
            "imported": self.imported,
            "reaching": self.reaching,
        }
        Path(self.job["result"]).write_text(json.dumps(result), encoding="utf-8")


# In the process that starts pytest


def run(
    mutants: Sequence[Mutant], tests: Sequence[str], *, probes: bool = False, seconds: float | None = None
) -> tuple[int | None, dict]:
    """The exit code of pytest, None if it did not end, and the results of the plugin."""
    tests = [test for test in tests if (ROOT / test.partition("::")[0]).is_file()]
    if not tests and not probes:
        return NO_TESTS, {}
    with tempfile.TemporaryDirectory() as folder:
        job = Path(folder, "job.json")
        places = [(each.module, each.function, each.change, each.number) for each in mutants]
        written = {"mutants": places, "tests": tests, "probes": probes, "result": f"{folder}/result.json"}
        job.write_text(json.dumps(written), encoding="utf-8")
        files = list(dict.fromkeys(test.partition("::")[0] for test in tests))
        command = [sys.executable, "-m", "pytest", "-q", "--tb=no", "-p", "mutate", "-p", "no:xdist"]
        command += ["-p", "no:cacheprovider", f"--basetemp={folder}/tests"]
        command += LEFT_OUT if probes else [*files, *(["-x"] if mutants else [])]
        environment = {**os.environ, "PYTHONPATH": str(ROOT / "scripts"), "CONCORDANT_MUTANTS": str(job)}
        environment["PYTHONDONTWRITEBYTECODE"] = ""  # else every run compiles all modules
        log = Path(folder, "log")
        try:
            with log.open("w") as output:
                status = subprocess.run(  # noqa: S603  (this interpreter)
                    command,
                    cwd=ROOT,
                    env=environment,
                    stdout=output,
                    stderr=output,
                    timeout=seconds,
                    check=False,
                ).returncode
        except subprocess.TimeoutExpired:
            return None, {}
        result = Path(folder, "result.json")
        if probes and not result.exists():
            sys.exit(log.read_text(encoding="utf-8"))
        return status, json.loads(result.read_text(encoding="utf-8")) if result.exists() else {}


class Suite:
    """The tests that run the code of each mutant, from one run of all tests without a change."""

    def __init__(self, mutants: Sequence[Mutant]) -> None:
        _, result = run(mutants, [], probes=True)
        self.seconds: dict[str, float] = result["seconds"]
        tests = {test: set(reached) for test, reached in result["reaching"].items()}
        for failed in result["failed"]:
            tests.pop(failed, None)
        self.tests = {
            mutant: [
                test
                for test, reached in tests.items()
                if number in reached or (number in result["imported"] and test.startswith(own_tests(mutant)))
            ]
            for number, mutant in enumerate(mutants)
        }

    def choose(self, mutant: Mutant) -> list[list[str]]:
        """Quick tests from many files, in two runs: most mutants are detected by tests from few files."""
        files = defaultdict(list)
        for test in sorted(self.tests[mutant], key=lambda test: self.seconds[test]):
            files[test.partition("::")[0]].append(test)
        own = own_tests(mutant)
        left, chosen = ALL_SECONDS, []
        for file in sorted(files, key=lambda file: (not file.startswith(own), self.seconds[files[file][0]])):
            limit = min(OWN_SECONDS if file.startswith(own) else OTHER_SECONDS, left)
            ends = list(accumulate(self.seconds[test] for test in files[file]))
            number = sum(end <= limit for end in ends) or int(left > 0)
            chosen.append(files[file][:number])
            left -= sum(self.seconds[test] for test in chosen[-1])
        return [list(chain(*part)) for part in (chosen[:FIRST_FILES], chosen[FIRST_FILES:])]


def own_tests(mutant: Mutant) -> str | tuple[str, ...]:
    """How the paths of a mutant's own tests begin; top-level modules have those of the interface."""
    return f"tests/{mutant.package}/" if "/" in mutant.module else ("tests/interface/", "tests/test_")


def detect(mutant: Mutant, tests: Sequence[str]) -> str:
    """The first test that fails with the change, or empty."""
    status, result = run([mutant], tests, seconds=RUN_SECONDS)
    if status is None:
        return NOT_ENDED
    if status in (PASSED, NO_TESTS):
        return ""
    return result["failed"][0] if result.get("failed") else NOT_STARTED


def detect_each(
    mutants: Sequence[Mutant], tests: Callable[[Mutant], list[list[str]]], jobs: int
) -> Iterator[tuple[Mutant, str]]:
    """Each mutant with the test that detects it, or empty."""

    def detected_by(mutant: Mutant) -> str:
        return next(filter(None, (detect(mutant, part) for part in tests(mutant))), "")

    with ThreadPoolExecutor(jobs) as pool:
        yield from zip(mutants, pool.map(detected_by, mutants), strict=True)


def read_record(known: Sequence[Mutant]) -> dict[Mutant, str]:
    """For each recorded mutant the test that detected it, empty if none did."""
    rows = json.loads(RECORD.read_text(encoding="utf-8")) if RECORD.exists() else []
    record = {
        Mutant(row["module"], row["function"], row["change"], row["number"]): row["test"] for row in rows
    }
    gone = {mutant.name: mutant for mutant in record.keys() - set(known)}
    for mutant in known:
        if mutant not in record and mutant.name in gone:  # it is in another module now
            record[mutant] = record.pop(gone.pop(mutant.name))
    return record


def write_record(results: dict[Mutant, str]) -> None:
    rows = [{**asdict(mutant), "test": results[mutant]} for mutant in sorted(results, key=str)]
    lines = ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    RECORD.write_text(f"[\n{lines}\n]\n", encoding="utf-8")


def shares(results: dict[Mutant, str]) -> dict[str, tuple[int, int]]:
    """For each package the number of mutants and of those that are detected."""
    drawn = Counter(mutant.package for mutant in results)
    detected = Counter(mutant.package for mutant, test in results.items() if test)
    return {package: (drawn[package], detected[package]) for package in sorted(drawn)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--each", type=int, default=EACH, help="the number of mutants from each package")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--only", default="", help="only this package")
    parser.add_argument("--jobs", type=int, default=1, help="the number of mutants at the same time")
    modes = parser.add_mutually_exclusive_group()
    modes.add_argument("--check", action="store_true", help="only the mutants that are recorded as detected")
    modes.add_argument("--record", action="store_true", help="write the results as the new record")
    options = parser.parse_args()

    known = mutants()
    record = read_record(known)
    drawn = draw(known, options.each, options.seed)
    if options.check:
        drawn = [mutant for mutant in known if record.get(mutant)]
    drawn = [mutant for mutant in drawn if options.only in ("", mutant.package)]
    results: dict[Mutant, str] = {}
    kept = {
        each: test for each, test in record.items() if each in drawn or options.only not in ("", each.package)
    }

    def detect_and_report(mutants: Sequence[Mutant], tests: Callable[[Mutant], list[list[str]]]) -> None:
        for mutant, test in detect_each(mutants, tests, options.jobs):
            results[mutant] = test
            print(f"{'detected' if test else 'NOT DETECTED'}: {mutant}{test and f' ({test})'}", flush=True)
            if options.record:
                write_record(kept | results)

    recorded = [mutant for mutant in drawn if record.get(mutant)]
    tests = [record[mutant] for mutant in recorded if "::" in record[mutant]]
    failed = run([], tests)[1].get("failed", [])  # without a change, so they detect nothing; also whole files
    usable = [each for each in recorded if not {record[each], record[each].partition("::")[0]} & {*failed}]
    detect_and_report(usable, lambda mutant: [[record[mutant]]])
    if left := [mutant for mutant in drawn if not results.get(mutant)]:
        detect_and_report(left, Suite(left).choose)

    for mutant in record.keys() - set(known):
        print(f"gone: {mutant}")
    lost = [mutant for mutant in results if record.get(mutant) and not results[mutant]]
    for mutant in lost:
        print(f"NOT DETECTED ANY MORE: {mutant} ({record[mutant]})")
    recorded = shares(record)
    fallen = []
    for package, (number, detected) in shares(results).items():
        before = recorded.get(package, (0, 0))
        print(
            f"{package:12} {detected:3} of {number:3} detected, {before[1]:3} of {before[0]:3} in the record"
        )
        fallen += [package] if number == before[0] and detected < before[1] else []
    sys.exit(bool(lost) or (bool(fallen) and options.seed == SEED))


if "CONCORDANT_MUTANTS" in os.environ and __name__ != "__main__":  # as a plugin of pytest
    job = json.loads(Path(os.environ["CONCORDANT_MUTANTS"]).read_text(encoding="utf-8"))
    plugin = Plugin(job)
    sys.meta_path.insert(0, Loader(job))


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(plugin)


if __name__ == "__main__":
    main()
