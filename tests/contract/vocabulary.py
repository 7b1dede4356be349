"""The closed vocabulary of the interface, tests/contract/grammar.toml, and the function of each command."""

import re
import tomllib
from functools import cache

from contract.checks import ROOT


@cache
def vocabulary():
    return tomllib.loads((ROOT / "tests" / "contract" / "grammar.toml").read_text(encoding="utf-8"))


def words(section):
    """The words of a section: parameters, columns, methods or options."""
    return vocabulary()[section]


def defaults(entry):
    """The permitted defaults of a parameter or option, as `repr` prints them; "required" is none."""
    default = entry["default"]
    return [default] if isinstance(default, str) else default


def exceptions():
    """Each exception: a rule, the place that it permits, and the reason."""
    return [tuple(each[key] for key in ("rule", "place", "reason")) for each in vocabulary()["exceptions"]]


def permits(pattern, problem):
    """Whether a problem is at this place, in which * represents any text."""
    wanted = re.escape(pattern).replace(r"\*", ".*")
    return re.fullmatch(wanted, problem.partition(": ")[0]) is not None


def is_excepted(rule, problem):
    """Whether the vocabulary permits this problem of a rule."""
    return any(each == rule and permits(pattern, problem) for each, pattern, _ in exceptions())


def unused_exceptions(problems):
    """Exceptions that no problem needs."""
    return [
        (rule, pattern)
        for rule, pattern, _ in exceptions()
        if not any(permits(pattern, each) for each in problems[rule])
    ]
