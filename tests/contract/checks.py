"""What every check is: a function that yields its problems, each a line of text."""

import importlib.util
import inspect
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
CHECKS = {}  # by name, such as "words:prose"


def check(function):
    """Declare a check. A problem may begin with its file and line; if not, those of the check are shown."""
    CHECKS[f"{function.__module__.rpartition('.')[2]}:{function.__name__}"] = function
    return function


def at(path, line, problem):
    """A problem at a line of a file."""
    return f"{path.relative_to(ROOT)}:{line}: {problem}"


def at_definition(thing, problem):
    """A problem of a function or a class, at the line that defines it."""
    thing = inspect.unwrap(thing)
    try:
        file, line = inspect.getsourcefile(thing), inspect.getsourcelines(thing)[1]
    except (OSError, TypeError):  # made at run time, as the functions of indices are
        return problem
    path = Path(file).resolve()
    return at(path, max(line, 1), problem) if path.is_relative_to(ROOT) else problem


def refusal_of(kind, call):
    """The error of this kind that a call raises, or None; other errors are not caught."""
    try:
        call()
    except kind as error:
        return error
    return None


@cache
def script(name):
    """A module of scripts/."""
    spec = importlib.util.spec_from_file_location(name, ROOT / "scripts" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
