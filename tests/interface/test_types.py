"""What type checkers and help() see: uses that are right and wrong, and signatures."""

import inspect
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from inner import INDICES

import concordant as cc

ROOT = Path(__file__).parents[2]

# Each line that ends in "# error" must be refused by a type checker, and no other line.
USES = """\
import concordant as cc
c = cc.compare([0, 0, 1], [0, 1, 1])
number: float = c.adjusted_rand
number = c.ARI
number = c["NMI"] + c["f_measure(beta=2)"]
c[3]  # error
c.adjusted_randd  # error
c.adjusted_rand = 3.0  # error
number = cc.adjusted_rand([0], [0], unmatched="drop", undefined="nan")
number = cc.ARI([0], [0])
cc.adjusted_randd([0], [0])  # error
cc.adjusted_rand([0], [0], unmached="drop")  # error
cc.adjusted_rand([0], [0], unmatched="dropped")  # error
cc.adjusted_rand([0], [0], threads="2")  # error
cc.adjusted_rand([0], columns=["a", "b"], record=1)  # error
number = cc.f_measure([0], [0], beta=2)
cc.f_measure([0], [0], beta="2")  # error
cc.f_measure([0], [0], beta=2, unmatched="dropped")  # error
cc.ARI([0], [0], unmached="drop")  # error
cc.f_measure([0], [0], 2)  # error
number = cc.adjusted_mutual_information([0], [0], mean="max")
cc.adjusted_mutual_information([0], [0], mean="maximum")  # error
number = cc.generalised_merge_distance([0], [0], split=lambda x, y: x * y, merge="product")
cc.generalised_merge_distance([0], [0], split="products")  # error
text: str = cc.rand([0], [0])  # error
version: str = cc.__version__
everything: list[str] = list(cc.INDICES)
s = cc.compare(cc.Soft.from_matrix([[1.0]]), [0])
number = s.soft_rand + s["soft_adjusted_rand"]
s.soft_randd  # error
s.soft_rand = 1.0  # error
t = cc.compare(cc.Hierarchy.from_linkage([[0, 1, 1.0, 2]]), [0, 1])
number = t.tree_f1 + t.cophenetic_correlation + t["entanglement(exponent=2)"]
t.tree_ff  # error
e = cc.estimate({1: "x"}, {1: 1}, sampling="clusters")
number = e.recall.low + e["ARI"].se
e.recalll  # error
e.rand  # error
d = cc.diff([0], [0])
number = d.split_rate + d["merge_rate"]
d.split_ratee  # error
"""
WRONG = {number for number, line in enumerate(USES.splitlines(), 1) if line.endswith("# error")}


@pytest.fixture
def uses(tmp_path):
    path = tmp_path / "uses.py"
    path.write_text(USES, encoding="utf-8")
    return path


def refused(output):
    """The numbers of the lines that a type checker refuses."""
    return {int(number) for number in re.findall(r"uses\.py:(\d+)(?::\d+)*(?:: | - )error", output)}


def test_mypy_tells_right_uses_from_wrong_ones(uses):
    pytest.importorskip("mypy")
    # With no options besides those of pyproject.toml, mypy reads what it knows of the package from its cache.
    cache = ROOT / ".mypy_cache" if os.access(ROOT, os.W_OK) else uses.parent / "cache"
    told = subprocess.run(  # noqa: S603  (our own interpreter)
        [sys.executable, "-m", "mypy", f"--cache-dir={cache}", str(uses)],
        cwd=ROOT,
        env={**os.environ, "MYPYPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert refused(told.stdout) == WRONG, told.stdout + told.stderr


def test_pyright_tells_right_uses_from_wrong_ones(uses):
    pyright = shutil.which("pyright", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    if pyright is None:
        pytest.skip("pyright is not installed; pip install pyright")
    (uses.parent / "pyrightconfig.json").write_text(f'{{"extraPaths": ["{ROOT / "src"}"]}}', encoding="utf-8")
    told = subprocess.run(  # noqa: S603  (a type checker that was found on the path)
        [pyright, "--project", str(uses.parent), "--pythonpath", sys.executable, str(uses)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert refused(told.stdout) == WRONG, told.stdout + told.stderr


def test_help_says_what_a_parameter_must_be():
    assert "beta: float = 1.0" in str(inspect.signature(cc.f_measure))
    assert "beta : float, default=1\n    Weight of recall. A positive finite number." in cc.f_measure.__doc__


def test_a_comparison_lists_its_indices():
    assert {*INDICES, "changes"} <= set(dir(cc.compare([0], [0])))


def test_the_catalogue_has_every_function_of_two_clusterings():
    kinds = {name: index.kind for name, index in cc.INDICES.items()}
    assert {*kinds.values()} == {"partition", "cover", "soft", "tree"}
    assert all(callable(getattr(cc, name)) for name in kinds)
    assert (kinds["omega"], kinds["soft_rand"], kinds["tree_f1"]) == ("cover", "soft", "tree")
    assert "split_rate" not in cc.INDICES  # a rate of a diff, which has a before and an after
