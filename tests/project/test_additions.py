# ruff: noqa: S603  (the processes started here are our own)
"""Additions need only the files that docs/internals/architecture.md names, tried in a copy of the package."""

import json
import re
import shutil
import subprocess
import sys
from textwrap import dedent

import pytest
from commands import ROOT
from contract.sources import PACKAGE

from concordant.core import _core

# An editable installation has a finder, which would find the original.
BEGINNING = """
import sys
sys.meta_path[:] = [each for each in sys.meta_path if not type(each).__module__.startswith("_editable")]
sys.path.insert(0, sys.argv[1])
import concordant as cc
assert cc.__file__.startswith(sys.argv[1])
"""


class Copy:
    """A copy of the package, and what is added to it."""

    def __init__(self, folder):
        self.folder = folder
        shutil.copytree(PACKAGE, folder / "concordant")
        shutil.copy(_core.__file__, folder / "concordant" / "core")  # elsewhere in an editable installation

    def add_file(self, name, text):
        (self.folder / "concordant" / name).write_text(dedent(text), encoding="utf-8")

    def add_line(self, name, after, line):
        path = self.folder / "concordant" / name
        before, found, rest = path.read_text(encoding="utf-8").partition(after)
        assert found, f"{name} has no {after!r}"
        path.write_text(f"{before}{found}{line}{rest}", encoding="utf-8")

    def run(self, code, folder):
        command = [sys.executable, "-c", BEGINNING + dedent(code), str(self.folder)]
        ran = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        assert ran.returncode == 0, ran.stderr
        return ran


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    return Copy(tmp_path_factory.mktemp("copy"))


def test_a_file_format(copy, tmp_path):
    """What it does not define is refused: it is neither written in nor read as another format.

    Delimited text needs no module.
    """
    copy.add_line(
        "sources/formats/__init__.py",
        "FORMATS: tuple[FileFormat, ...] = (\n",
        '    FileFormat("npz", "NumPy", (".npz",), "npz:Npz", has_types=True),\n'
        '    FileFormat("psv", "PSV", (".psv",), "delimited:Delimited", separator="|"),\n',
    )
    copy.add_file(
        "sources/formats/npz.py",
        '''
        """NumPy archives: arrays with one value for each record."""

        import secrets
        from zipfile import BadZipFile

        import numpy as np

        from concordant.errors import FileError
        from concordant.sources.formats.typed import TypedReader


        class Npz(TypedReader):
            def table(self, connection, paths):
                return f"({' UNION ALL '.join(self._select(connection, path) for path in paths)})"

            def _select(self, connection, path):
                try:
                    with np.load(path, allow_pickle=False) as archive:
                        arrays = dict(archive)
                except (BadZipFile, ValueError) as error:
                    raise FileError(f"{path} is not a NumPy archive: {error}") from error
                if len({each.shape for each in arrays.values()}) != 1:
                    raise FileError(f"{path} has arrays of different lengths")
                name = f"npz_{secrets.token_hex(8)}"
                connection.register(name, arrays)
                return f"SELECT * FROM {name}"
        ''',
    )
    ran = copy.run(
        """
        import numpy as np
        from concordant.__main__ import main

        truth = {"a": 1, "b": 1, "c": 2, "d": 2}
        guess = {"d": 1, "c": 1, "b": 1, "a": 2}
        for name, labels in (("truth.npz", truth), ("guess.npz", guess)):
            np.savez(name, record=np.array([*labels]), cluster=np.array([*labels.values()]))
        with open("damaged.npz", "wb") as file:
            file.write(b"PK")

        def refuses(action, *arguments):
            try:
                action(*arguments)
            except cc.ConcordantError as error:
                print(error, file=sys.stderr)
                return True

        def status(*arguments):
            try:
                main([*arguments])
            except SystemExit as exit:
                return exit.code

        scanned = [cc.Partition.scan(name) for name in ("truth.npz", "guess.npz")]
        assert cc.Partition.read("truth.npz") == cc.Partition.of(truth)
        assert cc.compare(*scanned).adjusted_rand == cc.adjusted_rand(truth, guess)
        assert status("compare", "truth.npz", "guess.npz", "-i", "rand", "--json", "-o", "rand.json") == 0

        written = [cc.Partition.of(each).write(f"{number}.psv") for number, each in enumerate([truth, guess])]
        assert cc.Partition.read(written[0]) == cc.Partition.of(truth)
        assert status("compare", *map(str, written), "--fail-under", "rand=0.5") == 0

        assert refuses(cc.Partition.of(truth).write, "new.npz")
        assert refuses(cc.Partition.read, "damaged.npz")
        assert status("consensus", "truth.npz", "guess.npz", "--labels", "new.npz") == 2
        assert status("compare", "truth.npz", "guess.npz", "--engine", "spark") == 2
        """,
        tmp_path,
    )
    assert json.loads((tmp_path / "rand.json").read_text())["data"] == {"rand": 0.5}
    assert ran.stderr.count("select a format to write; use .psv, .csv, .tsv, .jsonl or .parquet") == 2
    assert "damaged.npz is not a NumPy archive" in ran.stderr
    assert "--engine spark: Spark does not read NumPy files" in ran.stderr
    assert not (tmp_path / "new.npz").exists()


def test_the_indices_of_the_guide(copy, tmp_path):
    """The index that CONTRIBUTING declares replaces ours of this name; the fragments declare two more."""
    guide = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    (declared,) = re.findall(r"^```python\n(.*?)^```$", guide, flags=re.DOTALL | re.MULTILINE)
    (rescaled,) = re.findall(r"`(@\w+\.rescaled\(.*?\))`", guide)
    (unless,) = re.findall(r"`(unless=.*)`", guide)
    (parameter,) = re.findall(r"`(beta: .*)`", guide)
    path = copy.folder / "concordant" / "indices" / "pairs.py"
    name = re.findall(r"^def (\w+)\(", declared, flags=re.MULTILINE)[0]
    others = [each for each in path.read_text(encoding="utf-8").split("\n\n\n") if f"def {name}(" not in each]
    documented = '"""What it is.\n\n    How to use it.\n    """'
    described = 'title="An F-measure", formula="as its own", cite="van Rijsbergen 1979"'
    f_measure = f"def an_f_measure(p: PairCounts, *, {parameter}, exponent: Positive = 1) -> Number:\n"
    formula = "(1 + beta**2) * p.n11 / ((1 + beta**2) * p.n11 + beta**2 * p.n10 + p.n01)"
    others += [
        "from typing import Annotated\nfrom concordant.indices.parameters import Unless",
        declared,
        f"{rescaled.replace('...', repr('A distance'))}\ndef a_distance() -> None:\n    {documented}\n",
        f"@index({described}, {unless})\n{f_measure}    {documented}\n    return {formula}\n",
    ]
    path.write_text("\n\n\n".join(others), encoding="utf-8")
    copy.run(
        f"""
        (worked,) = cc.INDICES[{name!r}].worked
        u, v = map(list, worked[:2])
        assert getattr(cc, {name!r})(u, v) == worked[2]
        assert abs(cc.a_distance(u, v) - (1 - cc.rand(u, v))) < 1e-15
        assert cc.an_f_measure(u, v, beta=2) == cc.f_measure(u, v, beta=2)
        assert "Weight of recall. A positive finite number." in cc.an_f_measure.__doc__
        assert "distance" not in cc.an_f_measure.__doc__  # as the exponent of another index means
        """,
        tmp_path,
    )
