"""Runs commands in a process that can import only what the ``cli`` extra installs.

The argument is a list of command lines as JSON. Those that are not ours are run by a shell.
"""

import json
import re
import shlex
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, packages_distributions, requires

EXTRA = ("narwhals", "numpy", "duckdb", "zstandard", "typer", "rich")


def installed_with(names):
    """The modules of these distributions and of all that they require."""
    needed, left = set(), list(names)
    while left:
        name = re.sub(r"[-_.]+", "-", left.pop()).lower()
        if name not in needed:
            needed.add(name)
            try:
                further = requires(name) or []
            except PackageNotFoundError:  # for another platform or version of Python
                continue
            left += [re.match(r"[\w.-]+", each)[0] for each in further if "extra ==" not in each]
    return {
        module
        for module, distributions in packages_distributions().items()
        if needed & {re.sub(r"[-_.]+", "-", each).lower() for each in distributions}
    }


class Alone:
    """A finder of modules that finds only these, those of the standard library, and ours."""

    def __init__(self, finder, modules):
        self._finder, self._modules = finder, {*modules, "concordant", *sys.stdlib_module_names}

    def __getattr__(self, name):
        return getattr(self._finder, name)

    def find_spec(self, name, path=None, target=None):
        top = name.partition(".")[0]
        if top in self._modules or top.startswith("_"):
            return self._finder.find_spec(name, path, target)
        return None


def main(commands):
    modules = installed_with(EXTRA)
    sys.meta_path[:] = [Alone(finder, modules) for finder in sys.meta_path if hasattr(finder, "find_spec")]
    from concordant.cli import main as concordant

    for command in commands:
        if command.startswith("concordant ") and not re.search(r"[|>;$]", command):
            try:
                concordant(shlex.split(command)[1:])
            except SystemExit as left:
                sys.stderr.write(f"{left.code} {command}\n")
        elif "concordant" not in command:
            subprocess.run(["bash", "-c", command], check=False, capture_output=True)  # noqa: S603, S607


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
