"""Runs commands or the examples of pages in a process that can import only what a user of them installs.

The arguments are the modules that can be imported, as JSON (null for all), and ``commands`` with a list of
command lines as JSON, or ``pages`` with paths. Commands that are not ours are run by a shell. The modules of
a page are those of the extras that it names as ``concordant[...]``, and of the libraries that its examples
import or name as a string.
"""

import doctest
import json
import re
import shlex
import subprocess
import sys
import tomllib
from contextlib import chdir
from functools import cache
from importlib.metadata import PackageNotFoundError, packages_distributions, requires
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


@cache
def distributions():
    """The distributions of each module that is installed."""
    return packages_distributions()


def distribution_of(requirement):
    return re.match(r"[\w.-]+", requirement)[0]


def installed_with(extras, modules=()):
    """The modules that these extras and these modules need, and those that we always need."""
    wanted = [*PROJECT["dependencies"]]
    wanted += [each for extra in extras for each in PROJECT["optional-dependencies"][extra]]
    wanted += [each for module in modules for each in distributions().get(module, ())]
    needed, left = set(), [distribution_of(each) for each in wanted]
    while left:
        name = re.sub(r"[-_.]+", "-", left.pop()).lower()
        if name not in needed:
            needed.add(name)
            try:
                further = requires(name) or []
            except PackageNotFoundError:  # for another platform or version of Python
                continue
            left += [distribution_of(each) for each in further if "extra ==" not in each]
    return {
        module
        for module, names in distributions().items()
        if needed & {re.sub(r"[-_.]+", "-", each).lower() for each in names}
    }


def needed_by(page):
    """The extras that a page names, and the libraries that its examples import or name."""
    text = page.read_text(encoding="utf-8")
    extras = {extra for each in re.findall(r"concordant\[([\w,-]+)\]", text) for extra in each.split(",")}
    examples = "\n".join(re.findall(r"^(?:>>>|\.\.\.) (.*)", text, re.MULTILINE))
    imported = re.findall(r"^\s*(?:import|from) (\w+)", examples, re.MULTILINE)
    libraries = {*imported, *re.findall(r'"(pandas|polars|pyarrow)"', examples)} - sys.stdlib_module_names
    return tuple(sorted(extras)), tuple(sorted(libraries - {"concordant", "numpy"}))


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


def find_only(modules):
    sys.meta_path[:] = [Alone(finder, modules) for finder in sys.meta_path if hasattr(finder, "find_spec")]


def run_commands(commands):
    from concordant.cli import main as concordant

    for command in commands:
        if command.startswith("concordant ") and not re.search(r"[|>;$]", command):
            try:
                concordant(shlex.split(command)[1:])
            except SystemExit as left:
                sys.stderr.write(f"{left.code} {command}\n")
        elif "concordant" not in command:
            subprocess.run(["bash", "-c", command], check=False, capture_output=True)  # noqa: S603, S607


def run_pages(pages):
    """Each page in a folder of its own, which has the examples of the repository."""
    failed = 0
    for page in pages:
        with TemporaryDirectory() as folder, chdir(folder):
            Path("examples").symlink_to(ROOT / "examples")
            failed += doctest.testfile(page, module_relative=False).failed
    sys.exit(failed > 0)


if __name__ == "__main__":
    if (modules := json.loads(sys.argv[1])) is not None:
        find_only(modules)
    if sys.argv[2] == "commands":
        run_commands(json.loads(sys.argv[3]))
    else:
        run_pages(sys.argv[3:])
