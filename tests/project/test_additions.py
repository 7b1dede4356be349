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


PAGE = (ROOT / "docs" / "internals" / "architecture.md").read_text(encoding="utf-8")


def files_of_row(addition):
    """The files and folders that the page names for an addition."""
    (row,) = re.findall(rf"^\| {addition} \| (.*) \|$", PAGE, flags=re.MULTILINE)
    return set(re.findall(r"`src/concordant/([\w/]+(?:\.py)?)`", row))


def files_of_kind(name):
    """The modules that the page lists for a kind in a folder of this name, and the file that registers it."""
    section = PAGE.partition("\n## Add a kind of comparison\n")[2]
    modules = re.findall(r"`(\w+)`", " ".join(re.findall(r"^\| (`.*?) \|", section, flags=re.MULTILINE)))
    (registered,) = re.findall(r'^Then add `".*?"` .*?`src/concordant/(.*?)`', section, flags=re.MULTILINE)
    return {*(f"{name}/{module}.py" for module in modules), registered}


class Copy:
    """A copy of the package, and what is added to it: in files that the page names, and no others."""

    def __init__(self, folder):
        self.folder, self.named = folder, set()
        shutil.copytree(PACKAGE, folder / "concordant")
        shutil.copy(_core.__file__, folder / "concordant" / "core")  # elsewhere in an editable installation

    def add_file(self, name, text):
        assert {name, name.rpartition("/")[0]} & self.named, f"docs/internals/architecture.md: name {name}"
        path = self.folder / "concordant" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(dedent(text), encoding="utf-8")

    def add_text(self, name, after, line):
        assert name in self.named, f"docs/internals/architecture.md: name {name}"
        path = self.folder / "concordant" / name
        before, found, rest = path.read_text(encoding="utf-8").partition(after)
        assert found, f"{name} has no {after!r}"
        path.write_text(f"{before}{found}{line}{rest}", encoding="utf-8")

    def run(self, code, folder, status=0):
        command = [sys.executable, "-c", BEGINNING + dedent(code), str(self.folder)]
        ran = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        assert ran.returncode == status, ran.stderr
        return ran


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    return Copy(tmp_path_factory.mktemp("copy"))


def test_a_file_format(copy, tmp_path):
    """What it does not define is refused: it is neither written in nor read as another format.

    Delimited text needs no module.
    """
    copy.named = files_of_row("a file format")
    copy.add_text(
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
    assert files_of_row("a pair index") == {"indices/pairs.py"}
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
        "from typing import Annotated\nfrom concordant.indices.parameters import Positive, Unless",
        declared,
        f"{rescaled.replace('...', repr('A distance'))}\ndef a_distance() -> None:\n    {documented}\n",
        f"@index({described}, {unless})\n{f_measure}    {documented}\n    return {formula}\n",
    ]
    path.write_text("\n\n\n".join(others), encoding="utf-8")
    for side, labels in (("u", "aab"), ("v", "abb")):
        rows = "".join(f"{record},{label}\n" for record, label in enumerate(labels))
        (tmp_path / f"{side}.csv").write_text(f"record,cluster\n{rows}", encoding="utf-8")
    ran = copy.run(
        f"""
        (worked,) = cc.INDICES[{name!r}].worked
        u, v = map(list, worked[:2])
        assert getattr(cc, {name!r})(u, v) == worked[2]
        assert abs(cc.a_distance(u, v) - (1 - cc.rand(u, v))) < 1e-15
        assert cc.an_f_measure(u, v, beta=2) == cc.f_measure(u, v, beta=2)
        assert "Weight of recall. A positive finite number." in cc.an_f_measure.__doc__
        assert "distance" not in cc.an_f_measure.__doc__  # as the exponent of another index means

        from concordant.__main__ import main

        compared = cc.compare(u, v)
        assert compared.a_distance == compared["a_distance"] == cc.a_distance(u, v)
        assert "How to use it." in str(cc.explain("a_distance"))
        assert "What it is." in type(compared).a_distance.__doc__
        for arguments in (
            ["explain", "a_distance"],
            ["indices", "--json"],
            ["compare", "u.csv", "v.csv", "--index", "a_distance", "--json"],
        ):
            try:
                main(arguments)
            except SystemExit as ended:
                assert ended.code == 0
        """,
        tmp_path,
    )
    assert "How to use it." in ran.stdout
    assert '"name": "a_distance"' in ran.stdout
    assert '"a_distance": 0.666' in ran.stdout


def test_a_chart(copy, tmp_path):
    """It must be listed for plot, and must decide whether pages have it."""
    copy.named = files_of_row("a chart")
    copy.add_file(
        "report/charts/toy.py",
        '''
        """The number of records as a bar."""

        from concordant.report.charts import svg
        from concordant.report.charts.chart import Chart, always
        from concordant.report.report_data import ReportData

        TOY = Chart[ReportData](
            name="toy",
            title=always("One bar"),
            alt=always("A bar of all records"),
            lead=always("The bar has all records."),
            size=lambda _: (3.0, 2.0),
            draw=lambda ax, data, share: ax.bar([0], [data.size]),
            svg=lambda data, narrow: svg.Drawing(100, 20, svg.text(f"{data.size} records", x=0, y=18)),
        )
        ''',
    )
    charts = "report/charts/__init__.py"
    copy.add_text(charts, "from concordant.report.charts.table import TABLE\n", "from .toy import TOY\n")
    copy.add_text(charts, "TABLE, SIZES, HEADLINE", ", TOY")
    ran = copy.run("import concordant.report.charts", tmp_path, status=1)
    assert f"src/concordant/{charts}: CHARTS has verdicts" in ran.stderr

    copy.add_text(charts, '"sizes", "indices"', ', "toy"')
    copy.add_text("comparisons/comparison.py", '"sizes", "indices"', ', "toy"')
    copy.run(
        """
        from dataclasses import fields
        from matplotlib.figure import Figure
        from concordant.report.charts import CHARTS
        from concordant.report.charts.chart import Chart

        compared = cc.compare(list("aabb"), list("xxyz"))
        (bar,) = compared.plot("toy", ax=Figure().subplots()).ax_.patches
        assert bar.get_height() == 4
        page = compared.to_html("page.html").read_text(encoding="utf-8")
        assert 'data-chart="toy"' in page and "4 records" in page

        words = {each.name: getattr(CHARTS["toy"], each.name) for each in fields(Chart)}
        del words["svg"]
        try:
            Chart(**words)
        except TypeError as error:
            assert "'svg'" in str(error)
        else:
            raise AssertionError("a chart forgot pages")
        """,
        tmp_path,
    )


# The modules of a kind, as few as compare, print and give one index.
ORDERED = {
    "__init__": '"""Ordered partitions: value, counts, index and comparison."""',
    "kind": '''
        """The kind of ordered partitions."""

        from concordant.foundation.kinds import CatalogueSection, Kind

        KIND = Kind(
            name="ordered",
            precedence=3,
            compare="ordered.comparison:compare_ordered",
            value="Ordered",
            result="OrderedComparison",
            public={"Ordered": "ordered.clustering", "OrderedComparison": "ordered.comparison"},
            functions=("order_agreement",),
            no_labels="an Ordered has an order that indices of partitions ignore; pass its labels",
            not_partitions="one side is an Ordered; compare() takes it",
            builders={"ordered": "of_ordered"},
            sections=(
                CatalogueSection(
                    sides="ordered",
                    kind="ordered",
                    inputs="ordered partitions",
                    origin="of ordered partitions",
                    unknown="ordered index {!r}",
                    declared_in="ordered.indices",
                    facts="ordered.explanation:facts",
                    example="ordered.explanation:example",
                ),
            ),
            attributes="ordered.attributes:OrderedIndices",
            introduction="ordered.explanation:INTRODUCTION",
        )
        ''',
    "data": '''
        """The data of ordered partitions: the place of each record's cluster."""

        import numpy as np

        from concordant.clusterings.clustering import ClusteringData


        class OrderedData(ClusteringData):
            __slots__ = ("order", "places")

            kind = "ordered"

            def __init__(self, labels, order):
                self.order = tuple(order)
                self.places = np.array([self.order.index(label) for label in labels])

            def __repr__(self):
                return f"<Ordered of {len(self.places)} records, {len(self.order)} clusters>"
        ''',
    "clustering": '''
        """Ordered: a partition whose clusters have an order."""

        import numpy as np

        from concordant.clusterings.clustering import Clustering, MembershipArrays
        from concordant.ordered.data import OrderedData


        class Ordered(Clustering[OrderedData]):
            __slots__ = ()

            _kind = "ordered"
            _constructors = "from_labels"

            @classmethod
            def from_labels(cls, labels, order):
                return cls(OrderedData(labels, order))

            def to_dict(self):
                return {record: self._item(record) for record in self.records}

            def _record_names(self):
                return range(len(self._held.places))

            def _cluster_labels(self):
                return self._held.order

            def _in_clusters(self):
                return MembershipArrays(np.arange(self.size), self._held.places, np.ones(self.size))

            def _item(self, position):
                return self.clusters[self._held.places[position]]

            def _columns(self):
                return {"record": list(self.records), "cluster": list(self.to_dict().values())}
        ''',
    "counts": '''
        """The counts of two ordered partitions: pairs of records in the same order."""

        from itertools import combinations

        from concordant.counts.base import Counts, View
        from concordant.errors import InputError


        class OrderedCounts(Counts, View):
            kind = "ordered"

            def __init__(self, u, v):
                self.u, self.v, self._views = u.tolist(), v.tolist(), {}

            @classmethod
            def of_ordered(cls, counts):
                return counts

            @property
            def size(self):
                return len(self.u)

            @property
            def identical(self):
                return self.u == self.v

            @property
            def pairs(self):
                return self.size * (self.size - 1) // 2

            @property
            def agreeing(self):
                moves = (
                    [(y > x) - (y < x) for x, y in combinations(side, 2)] for side in (self.u, self.v)
                )
                return sum(one == other for one, other in zip(*moves, strict=True))

            def refusal(self, index):
                return InputError(f"{index.name} compares {index.inputs}, and a side is ordered")
        ''',
    "indices": '''
        """Ordered partitions: how similar two orders of clusters are."""

        from __future__ import annotations

        from fractions import Fraction

        from concordant.indices.index import index, indices_of
        from concordant.maths.arithmetic import Number
        from concordant.ordered.counts import OrderedCounts

        ORDERED_INDICES = indices_of("ordered")


        @index(title="Order agreement", formula="agreeing / pairs", cite="this test", sides="ordered")
        def order_agreement(c: OrderedCounts) -> Number:
            """Share of the pairs of records that both sides put into the same order."""
            return Fraction(c.agreeing, c.pairs)
        ''',
    "attributes": '''
        """Ordered indices as attributes of a comparison."""

        from concordant.indices.attributes import attributes_of
        from concordant.ordered.indices import ORDERED_INDICES

        OrderedIndices = attributes_of("OrderedIndices", ORDERED_INDICES)
        ''',
    "comparison": '''
        """OrderedComparison: what two compared ordered partitions answer."""

        from concordant.clusterings.alignment import align
        from concordant.clusterings.clustering import data_of
        from concordant.clusterings.labels import MemoryLabels
        from concordant.errors import InputError
        from concordant.indices.values import IndexValues
        from concordant.ordered.attributes import OrderedIndices
        from concordant.ordered.counts import OrderedCounts
        from concordant.ordered.data import OrderedData


        def compare_ordered(reference, candidate, conventions):
            sides = data_of(reference), data_of(candidate)
            if not all(isinstance(each, OrderedData) for each in sides):
                raise InputError("an Ordered is compared with another Ordered; make one of the other side")
            aligned = align(*(MemoryLabels(each.places, each.places) for each in sides))
            return OrderedComparison(OrderedCounts(aligned.reference, aligned.candidate))


        class OrderedComparison(OrderedIndices, IndexValues):
            _called = "an ordered comparison"
            _example = "c.order_agreement"
            _unusual_conventions = ""

            def __init__(self, counts):
                super().__init__()
                self._ordered, self._when_undefined = counts, "convention"

            @property
            def _counts(self):
                return self._ordered

            @property
            def headline(self):
                return f"{self.order_agreement:.0%} of the pairs have the same order"
        ''',
    "explanation": '''
        """Manual pages of ordered indices: the introduction, properties and examples."""

        from concordant.ordered.clustering import Ordered

        INTRODUCTION = "Compare two ordered partitions."


        def example(index):
            return [
                (Ordered.from_labels("aab", order), f"cc.Ordered.from_labels('aab', {order!r})")
                for order in ("ab", "ba")
            ]


        def facts(index):
            return {"range": index.range_text, "reference": index.cite}
        ''',
}


def test_a_kind(copy, tmp_path):
    """Ordered partitions: compared, printed, explained, and refused where their order has no meaning."""
    copy.named = files_of_kind("ordered")
    for module, text in ORDERED.items():
        copy.add_file(f"ordered/{module}.py", text)
    copy.add_text("__init__.py", "for _kind in (", '"ordered.kind", ')
    copy.run(
        """
        from concordant.__main__ import main

        def refuses(action, words):
            try:
                action()
            except cc.ConcordantError as error:
                assert words in str(error), error
            else:
                raise AssertionError(words)

        u, v = cc.Ordered.from_labels("llmh", "lmh"), cc.Ordered.from_labels("lmmh", "lmh")
        compared = cc.compare(u, v)
        assert isinstance(compared, cc.OrderedComparison)
        assert compared.order_agreement == compared["order_agreement"] == cc.order_agreement(u, v) == 2 / 3
        assert compared.exact("order_agreement").denominator == 3
        assert cc.compare(u, u).order_agreement == 1
        assert "67% of the pairs have the same order" in str(compared) and "order_agreement" in str(compared)
        assert "order_agreement" in compared.to_html("page.html").read_text(encoding="utf-8")
        assert cc.INDICES["order_agreement"].kind == "ordered"
        assert "ordered partitions" in str(cc.explain("order_agreement"))
        assert "cc.Ordered.from_labels('aab', 'ba')" in cc.order_agreement.__doc__
        try:
            main(["explain", "order_agreement"])
        except SystemExit as ended:
            assert ended.code == 0

        refuses(lambda: cc.matrix({"u": u, "v": v}), "an Ordered has an order that indices of partitions")
        refuses(lambda: cc.rank(u, {"v": v, "u": u}), "an Ordered has an order that indices of partitions")
        refuses(lambda: compared.rand, "rand compares two partitions, and a side is ordered")
        refuses(lambda: cc.rand(u, v), "one side is an Ordered; compare() takes it")
        refuses(lambda: cc.compare(u, list("lmmh")), "an Ordered is compared with another Ordered")
        """,
        tmp_path,
    )
