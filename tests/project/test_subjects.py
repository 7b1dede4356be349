# ruff: noqa: S603  (the processes started here are our own)
"""A subject beside partitions can be dropped: without its modules and its word, everything else works."""

import ast
import re
import shutil
import subprocess
import sys

import pytest
from contract.sources import MODULES, PACKAGE, nodes

from concordant.core import _core

# The word that registers each subject, and its folder.
SUBJECTS = {"hierarchies.kind": "hierarchies", "soft.kind": "soft"}
WORDS = re.compile(r"^for _kind in \((.*)\):$", re.MULTILINE)

# An editable installation has a finder, which would find the original.
USE = """
import sys
sys.meta_path[:] = [each for each in sys.meta_path if not type(each).__module__.startswith("_editable")]
sys.path.insert(0, sys.argv[1])
import concordant as cc
assert cc.__file__.startswith(sys.argv[1])
compared = cc.compare(["a", "a", "b", "b", "b"], [1, 1, 1, 2, 2])
print(compared)
print(compared.significance("adjusted_rand"), compared.interval("f_measure"))
compared.to_html("page.html")
print(cc.adjusted_rand.__doc__, cc.explain("adjusted_rand"), cc.matrix([[0, 0, 1], [0, 1, 1]]))
print(len(cc.INDICES), [getattr(cc, name) for name in cc.__all__])
if "Soft" in cc.__all__:
    print(cc.compare(cc.Soft.from_matrix([[0.9, 0.1], [0.2, 0.8], [0.5, 0.5]]), ["a", "b", "b"]))
if "Hierarchy" in cc.__all__:
    print(cc.compare(["a", "a", "b"], cc.Hierarchy.from_linkage([[0, 1, 0.5, 2], [2, 3, 1.0, 3]])))
from concordant.cli import main
for arguments in (
    ["--help"],
    ["compare", "--help"],
    ["compare", "truth.csv", "guess.csv", "--all", "--significance", "--html", "files.html"],
    ["indices"],
):
    try:
        main(arguments)
    except SystemExit as ended:
        assert not ended.code, arguments
"""


def drop(package, words):
    """Delete the folders of these subjects, and their words."""
    root = package / "__init__.py"
    text = root.read_text(encoding="utf-8")
    registered = [each.strip().strip('"') for each in WORDS.search(text)[1].split(",") if each.strip()]
    left = "".join(f'"{each}", ' for each in registered if each not in words)
    root.write_text(WORDS.sub(f"for _kind in ({left}):", text), encoding="utf-8")
    for word in words:
        shutil.rmtree(package / SUBJECTS[word])
    assert set(words) <= set(registered)


@pytest.mark.parametrize(
    "words",
    [("soft.kind",), ("hierarchies.kind",), tuple(SUBJECTS)],
    ids=["without soft partitions", "without hierarchies", "without both"],
)
def test_the_library_works_without_a_subject(tmp_path, words):
    shutil.copytree(PACKAGE, tmp_path / "concordant")
    shutil.copy(_core.__file__, tmp_path / "concordant" / "core")  # elsewhere in an editable installation
    drop(tmp_path / "concordant", words)
    for name, labels in (("truth", "aabbb"), ("guess", "xxxyy")):
        lines = [f"{record},{label}\n" for record, label in enumerate(labels)]
        (tmp_path / f"{name}.csv").write_text("".join(["record,cluster\n", *lines]), encoding="utf-8")
    command = [sys.executable, "-c", USE, str(tmp_path)]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    assert "adjusted_rand" in ran.stdout
    assert (tmp_path / "page.html").exists()
    assert (tmp_path / "files.html").exists()
    assert ("soft_rand" in ran.stdout) is ("soft.kind" not in words)
    assert ("--membership" in ran.stdout) is ("soft.kind" not in words)
    assert ("bakers_gamma" in ran.stdout) is ("hierarchies.kind" not in words)
    assert ("thresholds" in ran.stdout) is ("hierarchies.kind" not in words)


@pytest.mark.parametrize("word", SUBJECTS)
def test_no_other_module_imports_a_subject(word):
    """Types, too. Only a package may list its own modules for type checkers."""
    own = {path for path in MODULES if path.is_relative_to(PACKAGE / SUBJECTS[word])}
    names = {".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts) for path in own}
    for path in set(MODULES) - own:
        package = ".".join(path.parent.relative_to(PACKAGE.parent).parts)
        for node in nodes(path):
            if isinstance(node, ast.ImportFrom) and node.module is not None:
                found = {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)} & names
                assert not found or (path.name == "__init__.py" and node.module == package), path
