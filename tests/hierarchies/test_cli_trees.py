"""`concordant trees`: two trees over the same elements."""

import json

import numpy as np
import pytest
from scipy.cluster.hierarchy import linkage

import concordant as cc

U, V = "((a:1,b:1):2,((c:1,d:1):1,e:2):1);", "((a:1,c:1):2,((b:1,d:1):1,e:2):1);"


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "u.nwk").write_text(U)
    (tmp_path / "v.nwk").write_text(V)
    return tmp_path


def test_values_are_those_of_python_and_lost_clusters_are_named(run, folder):
    ran = run("trees", folder / "u.nwk", folder / "v.nwk", "--significance", "--curve", "rand")
    assert ran.status == 0
    h = cc.compare(cc.Hierarchy.from_newick(U), cc.Hierarchy.from_newick(V))
    assert f"{h.cophenetic_correlation:.4f}" in ran.out
    assert "rand at 4 cuts" in ran.out
    assert "a, b" in ran.out
    found = json.loads(run("trees", folder / "u.nwk", folder / "v.nwk", "--json").out)
    assert found["data"]["bakers_gamma"] == h.bakers_gamma
    assert found["parts"]["changes"]["lost"] == 3


def test_a_page_has_both_trees(run, folder):
    assert run("trees", folder / "u.nwk", folder / "v.nwk", "--html", folder / "trees.html").status == 0
    page = (folder / "trees.html").read_text(encoding="utf-8")
    assert 'data-chart="tanglegram"' in page
    h = cc.compare(cc.Hierarchy.from_newick(U), cc.Hierarchy.from_newick(V))
    assert f"{h.cophenetic_correlation:.4f}".replace("-", "−") in page.replace("-", "−")


def test_a_tree_may_be_a_matrix_nested_lists_or_nodes_and_parents(run, folder):
    for method in ("single", "average"):
        np.save(folder / f"{method}.npy", linkage(np.arange(6.0)[:, None] ** 2, method))
    assert run("trees", folder / "single.npy", folder / "average.npy").status == 0
    (folder / "n.json").write_text('[["a", "b"], [["c", "d"], "e"]]')
    (folder / "p.csv").write_text("node,parent\na,x\nb,x\nc,z\nd,z\nz,y\ne,y\nx,top\ny,top\ntop,\n")
    ran = run("trees", folder / "n.json", folder / "p.csv", "-i", "shared_cluster_f1")
    assert ran.out.count("1.0000") == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["u.nwk", "nope.nwk"], "nope.nwk"),
        (["u.nwk", "nope.npy"], "there is no file"),
        (["u.nwk", "open.nwk"], "open.nwk: Newick text at character 5, ';': a parenthesis is not closed"),
        (["u.nwk", "empty.nwk"], "empty.nwk: the Newick text is empty"),
        (["u.nwk", "nexus.nwk"], "nexus.nwk: this is a NEXUS file"),
        (["u.nwk", "text.npy"], "text.npy is not an array of numbers; write it with numpy.save"),
        (["u.nwk", "open.json"], "open.json is not JSON"),
        (["u.nwk", "v.nwk", "-i", "tree_f1"], "this index compares a tree with a partition, not two trees"),
        (
            ["u.nwk", "v.nwk", "--curve", "robinson_foulds"],
            "--curve robinson_foulds: this index compares whole",
        ),
        (["u.nwk", "tree.xyz"], "endings"),
        (["u.nwk", "v.nwk", "-i", "rand"], "--curve shows it"),
        (["u.nwk", "v.nwk", "-i", "nonsense"], "nonsense"),
    ],
)
def test_mistakes_are_named(fails, folder, arguments, message):
    files = {"open.nwk": "((a,b;", "empty.nwk": "", "nexus.nwk": "#NEXUS\nbegin trees;", "open.json": "{"}
    for name, text in (files | {"text.npy": "x"}).items():
        (folder / name).write_text(text, encoding="utf-8")
    paths = [folder / each for each in arguments[:2]]
    assert message in " ".join(fails("trees", *paths, *arguments[2:]).split())
