"""Run the checks of the text, each once, and print their problems with file and line.

    make lint                                        # all checks, beside ruff
    make lint TEXT="words grammar:R9"                # a module of checks, or one check
    PYTHONPATH=tests:tests/support python -m contract --list       # the names of all checks
    PYTHONPATH=tests:tests/support python -m contract grammar:R9   # without make

The exit status is 1 if there is a problem. A warning of Python is an error, as in the tests.
"""

import gc
import importlib
import re
import sys
import traceback
import warnings
from contextlib import chdir
from pathlib import Path
from tempfile import TemporaryDirectory

from contract.checks import CHECKS, ROOT, at_definition

MODULES = sorted(path.stem for path in Path(__file__).parent.glob("[a-z]*.py"))
HAS_PLACE = re.compile(r"[\w./-]+:\d+: ")


def chosen_checks(names):
    """The checks that are named by themselves or by their module; all if there are no names."""
    for module in MODULES:
        if not names or any(name.partition(":")[0] == module for name in names):
            importlib.import_module(f"contract.{module}")
    by_name = {name: {name, name.partition(":")[0]} for name in CHECKS}
    if unknown := set(names).difference(*by_name.values()):
        sys.exit(f"{', '.join(sorted(unknown))}: no such check; --list shows all")
    return {name: CHECKS[name] for name in by_name if not names or by_name[name] & set(names)}


def problems_of(check):
    """The problems of a check, each with a file and a line; an error that it raises is one of them."""
    try:
        with warnings.catch_warnings(), TemporaryDirectory() as folder, chdir(folder):
            warnings.simplefilter("error")
            found = list(check())
    except Exception as error:
        last = traceback.extract_tb(error.__traceback__)[-1]
        traceback.print_exc()
        file = Path(last.filename)
        place = file.relative_to(ROOT) if file.is_relative_to(ROOT) else file
        found = [f"{place}:{last.lineno}: {type(error).__name__}: {error}"]
    return [each if HAS_PLACE.match(each) else at_definition(check, each) for each in found]


def main(arguments):
    gc.disable()  # parsed modules stay to the end, so a search for garbage among them is in vain
    checks = chosen_checks([each for each in arguments if each != "--list"])
    if "--list" in arguments:
        print("\n".join(checks))
        return 0
    failed = 0
    for name, check in checks.items():
        problems = sorted(problems_of(check))
        failed += bool(problems)
        for problem in problems:
            print(f"{problem}  [{name}]")
    print(f"{len(checks)} checks of the text, {failed} failed")
    return int(bool(failed))


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))
    sys.exit(main(sys.argv[1:]))
