"""The plan of the house, as far as a listing of its files shows it."""

import ast
import re
from collections import Counter
from pathlib import Path

PACKAGE = Path(__file__).parents[1] / "src" / "concordant"
MODULES = sorted(path for path in PACKAGE.rglob("*.py"))
LONGEST = 500  # lines
LONG_BY_NATURE = {"pairs.py"}  # one declaration each for some fifty indices of pairs


def test_the_root_holds_few_modules():
    assert len(list(PACKAGE.glob("*.py"))) <= 6


def test_modules_are_short():
    lines = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in MODULES}
    assert [path.name for path, count in lines.items() if count > LONGEST] == sorted(LONG_BY_NATURE)


def test_no_module_imports_its_own_root():
    """Rooms know rooms; the root only lists what is public."""
    rooms = {path.stem for path in PACKAGE.iterdir() if path.is_dir() or path.suffix == ".py"}
    for path in MODULES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module == "concordant":
                assert {alias.name for alias in node.names} <= rooms, path
            if isinstance(node, ast.Import):
                assert all(alias.name != "concordant" for alias in node.names), path


def test_the_floors_have_no_exceptions():
    assert "ignore_imports" not in (PACKAGE.parents[1] / "pyproject.toml").read_text(encoding="utf-8")


def test_a_type_of_the_core_has_its_name_alone():
    """Two of one name in one namespace would share what the compiler writes for both, and crash."""
    headers = (PACKAGE.parents[1] / "src" / "core").rglob("*.?pp")
    defined = re.compile(r"^(?:struct|class|enum class|enum) (\w+)[^;]*$", re.MULTILINE)
    names = Counter(name for path in headers for name in defined.findall(path.read_text(encoding="utf-8")))
    assert [name for name, times in names.items() if times > 1] == []
