"""Every statement of scripts/peers.py about another library, run against that library: `make peers`."""

import importlib
import re
import shutil
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import concordant as cc

sys.path.insert(0, str(Path(__file__).parents[2] / "scripts"))

from inner import INDICES
from peers import STATEMENTS, VERSIONS

from concordant.compat import torchmetrics as torchmetrics_here

MODULES = {
    "cmi": "clustering_mi",
    "ee": "er_evaluation",
    "genieclust": "genieclust.compare_partitions",
    "igraph": "igraph",
    "nk": "networkit",
    "pycm": "pycm",
    "metrics": "river.metrics",
    "scorch": "scorch.scores",
    "sim": "clusim.sim",
    "skimage": "skimage.metrics",
    "sklearn": "sklearn.metrics",
}


def cover(clusters, size):
    return cc.Cover.from_clusters(clusters, records=range(size))


def clusim_cover(clusters):
    from clusim.clustering import Clustering

    members = sorted(set().union(*clusters))
    return Clustering({x: [i for i, each in enumerate(clusters) if x in each] for x in members})


def clusim(labels):
    from clusim.clustering import Clustering

    return Clustering({i: [label] for i, label in enumerate(labels)})


def gam(u, v, edges, **options):
    """A graph-aware measure of partition-igraph."""
    import igraph
    import partition_igraph  # noqa: F401  (gives graphs the method)

    graph = igraph.Graph(n=len(u), edges=edges)
    return graph.gam(*(igraph.VertexClustering(graph, labels) for labels in (u, v)), **options)


def networkit(name, u, v):
    """A dissimilarity of two partitions of a graph with the edge 0 to 1."""
    import networkit as nk

    graph, sides = nk.Graph(len(u)), []
    graph.addEdge(0, 1)
    for labels in (u, v):
        side = nk.Partition(len(labels))
        side.setUpperBound(max(labels) + 1)
        for element, label in enumerate(labels):
            side.addToSubset(label, element)
        sides.append(side)
    return getattr(nk.community, name)().getDissimilarity(graph, *sides)


def networkit_onmi(normalization, *covers):
    import networkit as nk

    sides = []
    for each in covers:
        side = nk.Cover(len(each))
        side.setUpperBound(each.n_clusters)
        for element, cluster in zip(*each.memberships.nonzero(), strict=True):
            side.addToSubset(int(cluster), int(element))
        sides.append(side)
    kind = getattr(nk.community.Normalization, normalization)
    return nk.community.OverlappingNMIDistance(kind).getDissimilarity(nk.Graph(len(covers[0])), *sides)


def river(call):
    """``river.Rand, [0, 1], [0, 0]``: the metric after updates with these pairs of labels."""
    import river.metrics

    name, u, v = re.fullmatch(r"river\.(\w+), (\[.*\]), (\[.*\])", call).groups()
    metric = getattr(river.metrics, name)()
    for pair in zip(eval(u), eval(v), strict=True):  # noqa: S307  (of our own table)
        metric.update(*pair)
    return metric.get()


def torchmetrics(name, u, v):
    import torch
    import torchmetrics.clustering

    metric = getattr(torchmetrics.clustering, name)()
    metric.update(torch.as_tensor(v), torch.as_tensor(u))
    return metric.compute()


def pycm_of(u, v):
    """The confusion matrix of the pairs of elements: together or apart, in each partition."""
    import pycm

    pairs = cc.compare(u, v).pairs
    return pycm.ConfusionMatrix(matrix={1: {1: pairs.n11, 0: pairs.n10}, 0: {1: pairs.n01, 0: pairs.n00}})


def names():
    """All that a call of the table may name; modules that are installed."""
    known = {"cc": cc, "array": np.array, "series": pd.Series, "cover": cover, "clusim": clusim}
    known |= {
        "clusim_cover": clusim_cover,
        "gam": gam,
        "networkit": networkit,
        "networkit_onmi": networkit_onmi,
    }
    known |= {"pycm_of": pycm_of, "torchmetrics": torchmetrics}
    for name, module in MODULES.items():
        try:
            known[name] = importlib.import_module(module)
        except ModuleNotFoundError:
            continue
    return known


@pytest.fixture(scope="module")
def known():
    return names()


def label(statement):
    return f"{statement.peer}: {statement.call}"


def installed(peer):
    try:
        return version(VERSIONS[peer][0])
    except PackageNotFoundError:
        return None


@pytest.mark.parametrize("statement", STATEMENTS, ids=label)
def test_ours(statement, known):
    assert eval(statement.ours, known) == pytest.approx(statement.value, abs=1e-12)  # noqa: S307


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("statement", STATEMENTS, ids=label)
def test_theirs(statement, known):
    if not installed(statement.peer):
        pytest.skip(f"{statement.peer} is not installed: make peers")

    def call():
        if statement.peer == "river":
            return river(statement.call)
        return eval(statement.call, known)  # noqa: S307

    said = f"{statement.peer} {installed(statement.peer)}; the table has {VERSIONS[statement.peer][1]}"
    if isinstance(statement.theirs, str):
        with pytest.raises(Exception) as caught:
            call()
        assert type(caught.value).__name__ == statement.theirs, said
    else:
        rounding = 1e-6 if statement.peer == "torchmetrics" else 1e-9  # it computes in single precision
        assert float(call()) == pytest.approx(statement.theirs, rel=rounding, abs=1e-12, nan_ok=True), said


@pytest.mark.parametrize("peer", ["river", "NetworKit"])
def test_measures_of_the_table_are_on_the_migration_page(peer):
    named = {name for index in INDICES.values() for name in re.findall(r"\w+", index.known_as.get(peer, ""))}
    measures = {
        re.search(r"river\.(\w+)|networkit\('(\w+)'", each.call) for each in STATEMENTS if each.peer == peer
    }
    found = {match[1] or match[2] for match in measures if match}
    assert found - {"GraphStructuralRandMeasure"} <= named
    assert len(found) > 4


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", torchmetrics_here.__all__)
def test_torchmetrics_on_random_labels(name):
    """Where torchmetrics is right: up to some ten thousand records, and not for trivial partitions."""
    torch = pytest.importorskip("torch", reason="torch is not installed: make peers")
    if not installed("torchmetrics"):
        pytest.skip("torchmetrics is not installed: make peers")
    rng = np.random.default_rng(0)
    for size, k, m in [(10, 3, 3), (100, 5, 7), (1000, 3, 90), (10_000, 10, 10)]:
        target, preds = (torch.tensor(rng.integers(0, count, size)) for count in (k, m))
        ours = getattr(torchmetrics_here, name)()
        ours.update(preds, target)
        assert float(torchmetrics(name, target, preds)) == pytest.approx(ours.compute().item(), abs=2e-4)


def in_r(package, expression):
    """The numbers that R prints for an expression; the test is skipped where Debian's package is missing."""
    script, call = shutil.which("Rscript"), f"library({package}); cat(format({expression}, digits=17))"
    ran = script and subprocess.run([script, "-e", call], capture_output=True, text=True, check=False)  # noqa: S603
    if not ran or "there is no package" in ran.stderr:
        pytest.skip(f"{package} is not installed: apt install r-cran-{package}")
    return [float(number) for number in ran.stdout.splitlines()[-1].split()]


def test_the_maximum_match_of_mclustcomp():
    u, v = "31322223", "44424132"
    assert cc.matching_accuracy(list(u), list(v)) == 3 / 8
    assert in_r("mclustcomp", f"mclustcomp(c({','.join(u)}), c({','.join(v)}), types='mmm')$scores") == [0.5]


def test_the_correlations_of_dendextend():
    trees = [
        ([[-1, -2], [-3, -4], [1, 2], [-5, -6], [3, 4]], [0.5, 1.25, 2, 3.5, 7]),
        ([[-1, -3], [1, -2], [-5, -4], [2, -6], [4, 3]], [1, 1.5, 2.25, 4, 4.5]),
    ]
    c = cc.compare(*(cc.Hierarchy.from_hclust(*tree) for tree in trees))
    made = [
        f"structure(list(merge=matrix(c({str(np.ravel(merge).tolist())[1:-1]}), ncol=2, byrow=TRUE), "
        f"height=c({str(heights)[1:-1]}), order=1:6, labels=letters[1:6]), class='hclust')"
        for merge, heights in trees
    ]
    found = in_r(
        "dendextend", f"sapply(c(cor_cophenetic, cor_bakers_gamma), function(f) f({made[0]}, {made[1]}))"
    )
    assert [c.cophenetic_correlation, c.bakers_gamma] == pytest.approx(found, rel=1e-12)
