"""Which tests were not run, and why: the hooks of pytest that report it at the end.

Tests marked ``weekly`` take long and repeat on more data what a shorter test checks. They run with --weekly.
"""

from collections import Counter
from pathlib import Path

import pytest

MARKER = "weekly"
WEEKLY = pytest.StashKey[Counter]()  # of each file, how many tests wait for --weekly
PROGRAMS = ("make ", "pip ", "apt ", "apt-get ")  # that install or run what a test needs


def pytest_addoption(parser):
    parser.addoption("--weekly", action="store_true", help="also run the tests that are marked weekly")
    parser.addoption("--not-run", metavar="FILE", help="write to FILE which tests were not run, and why")


def deselect_weekly(config, items):
    """Keep only the tests that are to run now."""
    if config.getoption("weekly"):
        return
    later = [item for item in items if item.get_closest_marker(MARKER)]
    config.stash[WEEKLY] = Counter(item.nodeid.partition("::")[0] for item in later)
    if later:
        config.hook.pytest_deselected(items=later)
        items[:] = [item for item in items if not item.get_closest_marker(MARKER)]


def pytest_sessionfinish(session):
    """Only the processes that collect know the deselected tests; they report to the first process."""
    config = session.config
    if hasattr(config, "workeroutput"):
        config.workeroutput[MARKER] = dict(config.stash.get(WEEKLY, {}))


@pytest.hookimpl(optionalhook=True)  # xdist may be switched off
def pytest_testnodedown(node):
    """All processes collect the same tests, so each of them has the whole answer."""
    node.config.stash[WEEKLY] = Counter(getattr(node, "workeroutput", {}).get(MARKER, {}))


def pytest_terminal_summary(terminalreporter, config):
    """Print the report, or write it to the file of --not-run for a program that prints it later."""
    skipped = [(report.nodeid, report.longrepr[2]) for report in terminalreporter.stats.get("skipped", [])]
    lines = report(config.stash.get(WEEKLY, Counter()), skipped)
    if file := config.getoption("not_run"):
        Path(file).parent.mkdir(parents=True, exist_ok=True)
        Path(file).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    elif lines:
        terminalreporter.section("not run")
        for line in lines:
            terminalreporter.write_line(line)


def report(weekly, skipped):
    """One line for each command that runs tests that were not run, those of most tests first.

    weekly: for each file, the number of tests that were left out because they take long.
    skipped: of each skipped test, its id and its reason. A reason may end in a colon and a command.
    """
    commands = {}
    for test, reason in skipped:
        whole = reason.removeprefix("Skipped: ")
        why, _, command = whole.rpartition(": ")
        has_command = command.startswith(PROGRAMS)
        commands.setdefault(command if has_command else "", []).append(
            (_file(test), why if has_command else whole)
        )
    lines = []
    if weekly:
        files = ", ".join(f"{_file(file)} ({count})" for file, count in weekly.most_common())
        lines.append(
            f"{_tests(weekly.total())} not run because they take long; run: make test-all\n  {files}"
        )
    for command, tests in sorted(commands.items(), key=lambda each: -len(each[1])):
        files, reasons = (", ".join(sorted({*column})) for column in zip(*tests, strict=True))
        advice = f"; run: {command}" if command else ""
        lines.append(f"{_tests(len(tests))} skipped{advice}\n  {files}: {reasons}")
    return [line for entry in lines for line in entry.splitlines()]


def few(number, values):
    """Values of a parameter: the first ones are tested always, the others weekly."""
    values = list(values)
    return values[:number] + [
        pytest.param(*_tuple(value), marks=pytest.mark.weekly) for value in values[number:]
    ]


def _tuple(value):
    return value if isinstance(value, tuple) else (value,)


def _tests(number):
    return f"{number} test{'s' if number != 1 else ''}"


def _file(test):
    """The path of a test's file inside of the folder of tests."""
    return test.partition("::")[0].removeprefix("tests/")
