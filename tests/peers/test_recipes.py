"""The code of docs/recipes.md, docs/tracking.md and docs/r.md, run with the tools that it names.

`make recipes` installs them; without its tool, a test is skipped. The examples are run by
tests/interface/test_docs.py.
"""

import doctest
import os
import random
import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import concordant as cc

pd = pytest.importorskip("pandas")

DOCS = Path(__file__).parents[2] / "docs"
PLACES = np.repeat([0, 1, 2], 40)


def blocks_of(page):
    """The Python blocks of a page, by heading."""
    _, *parts = re.split(r"^## (.*)\n", (DOCS / page).read_text(encoding="utf-8"), flags=re.MULTILINE)
    sections = zip(parts[::2], parts[1::2], strict=True)
    return {
        name: re.findall(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE) for name, text in sections
    }


BLOCKS = blocks_of("tracking.md") | blocks_of("recipes.md")


def run(heading, blocks=slice(None), **names):
    """The names that the blocks under a heading leave, which read these names."""
    names["cc"] = cc
    for block in BLOCKS[heading][blocks]:
        examples = doctest.DocTestParser().get_examples(block)
        exec("".join(each.source for each in examples) or block, names)  # noqa: S102  (our own page)
    return SimpleNamespace(**names)


def tool(module):
    return pytest.importorskip(module, reason=f"{module} is not installed: make recipes")


@pytest.fixture(autouse=True)
def _folder(tmp_path, monkeypatch):
    """Recipes write files."""
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def points():
    """Three groups, as `PLACES` has them, and some noise between them."""
    return np.random.default_rng(1).normal(4 * PLACES[:, None], 1, (120, 2))


def test_every_recipe_is_run():
    """Here, or by tests/interface/test_docs.py if all its blocks are examples."""
    source = Path(__file__).read_text(encoding="utf-8")
    recipes = {
        name for name, blocks in blocks_of("recipes.md").items() if any(">>>" not in each for each in blocks)
    }
    assert len(recipes) > 5
    assert [name for name in recipes if f'"{name}"' not in source] == []


def test_hdbscan_of_scikit_learn(points):
    cluster = pytest.importorskip("sklearn.cluster")
    names = {"HDBSCAN": cluster.HDBSCAN, "points": points, "truth": PLACES}
    r = run("HDBSCAN: its tree against labels", slice(1), **names)
    assert r.cut <= r.pruning
    # HDBSCAN makes merges at equal heights one by one: its clusters are a pruning of the tree in this order.
    merges = r.model._single_linkage_tree_
    rows = np.column_stack([merges[name] for name in merges.dtype.names])
    in_order = cc.compare(PLACES, cc.Hierarchy.from_linkage(rows, ties="in order"))
    assert in_order.best_pruning("adjusted_rand").value >= r.selected > 0.8


def test_hdbscan(points):
    names = {"hdbscan": tool("hdbscan"), "points": points, "truth": PLACES}
    r = run("HDBSCAN: its tree against labels", slice(1, None), **names)
    selected = cc.compare(PLACES, r.model.labels_, noise=-1, noise_as="singletons").adjusted_rand
    # HDBSCAN selects clusters of the condensed tree.
    assert r.condensed.best_pruning("adjusted_rand").value >= selected > 0.8
    best = r.every_level.best_pruning("adjusted_rand").value
    assert 1 >= best >= r.every_level.best_cut("adjusted_rand").value > 0.5


def test_membership_vectors_of_hdbscan(points):
    names = {"hdbscan": tool("hdbscan"), "points": points, "truth": PLACES}
    r = run("HDBSCAN: membership vectors", **names)
    assert r.s.soft_adjusted_rand > 0.5
    matches = list(r.s.matching())
    assert sorted(match.reference for match in matches) == [0, 1, 2]
    # The rest of each point is noise, in no cluster.
    assert sum(match.candidate_weight for match in matches) == pytest.approx(r.vectors.sum())
    assert r.vectors.sum() < 100


def test_scanpy():
    scanpy, anndata = tool("scanpy"), tool("anndata")
    kinds = np.random.default_rng(0).integers(0, 3, 90)
    places = np.random.default_rng(1).normal(6 * kinds[:, None], 1, (90, 5))
    adata = anndata.AnnData(places.astype(np.float32))
    adata.obs["cell_type"] = [f"type {kind}" for kind in kinds]
    scanpy.pp.neighbors(adata, n_neighbors=10, use_rep="X")
    r = run("scanpy: Leiden resolutions against cell types", sc=scanpy, adata=adata)
    assert r.c.adjusted_rand == cc.adjusted_rand(adata.obs["cell_type"], adata.obs["leiden_1.0"]) > 0.5
    assert r.m.names == ("cell_type", *r.names)
    assert r.t.names == tuple(r.names)
    assert all(Path(f"{name}.html").exists() for name in ("cells", "resolutions", "tree"))


def test_leiden_over_seeds_and_resolutions():
    igraph, leidenalg = tool("igraph"), tool("leidenalg")
    source = random.Random(0)
    pairs = [(i, j) for i in range(60) for j in range(i)]
    edges = [(i, j) for i, j in pairs if source.random() < (0.6 if i // 20 == j // 20 else 0.02)]
    r = run("igraph and leidenalg: many seeds", graph=igraph.Graph(60, edges), leidenalg=leidenalg)
    planted = [i // 20 for i in range(60)]
    assert cc.adjusted_rand(planted, r.agreed.partition) == 1
    assert not r.unsure.any()
    best = r.sweep.best().setting
    assert best < 2
    assert [each.size for each in r.sweep[best].clusters()] == [20] * 3


def test_dedupe():
    dedupe = tool("dedupe")
    rng = random.Random(0)
    names = [" ".join("".join(rng.choices("abcdefgh", k=6)) for _ in range(2)) for _ in range(30)]
    data = {f"{i}{copy}": {"name": name} for i, name in enumerate(names) for copy in ("", "x")}
    deduper = dedupe.Dedupe([dedupe.variables.Exact("name")], num_cores=0)
    same = [(data[f"{i}"], data[f"{i}x"]) for i in range(30)]
    other = [(data[f"{i}"], data[f"{(i + 7) % 30}x"]) for i in range(30)]
    deduper.prepare_training(data, sample_size=200)
    deduper.mark_pairs({"match": same, "distinct": other})
    deduper.train()
    truth = {record: record.rstrip("x") for record in data}
    r = run("dedupe: clusters with scores", deduper=deduper, data=data, truth=truth)
    assert r.c.size == 60
    assert r.c.adjusted_rand > 0.5


def test_splink():
    splink, comparisons = tool("splink"), tool("splink.comparison_library")
    names = ["ann", "bob", "cem", "dora", "emil", "fay", "gus", "hana"]
    frame = pd.DataFrame(
        {"unique_id": f"{i}{copy}", "name": name, "town": f"town {i % 3}", "entity": i}
        for i, name in enumerate(names)
        for copy in "xy"
    )
    settings = splink.SettingsCreator(
        link_type="dedupe_only",
        comparisons=[comparisons.ExactMatch("name"), comparisons.ExactMatch("town")],
        blocking_rules_to_generate_predictions=[splink.block_on("town")],
        probability_two_random_records_match=1 / 15,
    )
    database = splink.DuckDBAPI()
    linker = splink.Linker(database.register(frame[["unique_id", "name", "town"]]), settings)
    predictions = linker.inference.predict()
    r = run(
        "Splink: predicted clusters against labelled ones",
        linker=linker,
        predictions=predictions,
        labelled=frame,
    )
    assert r.c.recall == r.e.recall.value == 1
    pairs = predictions.as_pandas_dataframe()
    tree = cc.Hierarchy.from_pairs(pairs, left="unique_id_l", right="unique_id_r", score="match_probability")
    assert cc.compare(r.truth, tree).at(threshold=0.95).f_measure == r.c.f_measure

    # All pairs in the form that Splink's evaluation reads. It counts the same errors.
    entity = dict(zip(frame["unique_id"], frame["entity"], strict=True))
    labels = pd.DataFrame(
        {
            "unique_id_l": one,
            "unique_id_r": other,
            "clerical_match_score": float(entity[one] == entity[other]),
        }
        for one in entity
        for other in entity
        if one < other
    )
    registered = linker.table_management.register_labels_table(database.register(labels))
    errors = linker.evaluation.prediction_errors_from_labels_table(
        registered, threshold_match_probability=0.95
    )
    assert len(errors.as_pandas_dataframe()) == round(r.c.pairs.n01 + r.c.pairs.n10)

    names = {"labels": labels.assign(weight=1.0), "predicted": r.predicted, "frame": frame}
    asked = run("Splink: labelled pairs, and an audit", slice(2), **names)
    assert (asked.e.precision.value, asked.e.recall.value) == (r.c.precision, r.c.recall)
    questions = pd.read_csv("questions.csv")
    questions["same"] = [
        "yes" if entity[a] == entity[b] else "no"
        for a, b in zip(questions["record_a"], questions["record_b"], strict=True)
    ]
    questions.to_csv("questions.csv", index=False)
    answered = run("Splink: labelled pairs, and an audit", slice(2, None), merges=asked.merges)
    assert answered.judged.precision.value == pytest.approx(r.c.precision)


def test_zingg():
    """Zingg runs on Spark and is not run here; its output has z_cluster and two scores."""
    for name, clusters in (("last", [0, 0, 1, 2]), ("this", [7, 7, 7, 9])):
        Path(name).mkdir()
        scores = {"z_minScore": 0.5, "z_maxScore": 1.0}
        frame = pd.DataFrame({"id": [1, 2, 3, 4], "z_cluster": clusters, **scores})
        frame.to_parquet(f"{name}/part-0.parquet")
    c = run("Zingg: one run against the next").c
    assert (c.precision, c.recall) == (1 / 3, 1.0)
    assert Path("changes.html").exists()


@pytest.fixture
def comparison():
    return cc.compare(["a", "a", "a", "b", "b", "c"], [1, 1, 2, 3, 3, 3])


@pytest.mark.filterwarnings("default")  # these tools warn of each other's versions
def test_mlflow(comparison):
    mlflow = tool("mlflow")
    mlflow.set_tracking_uri("sqlite:///runs.db")
    run("MLflow", c=comparison)
    (logged,) = mlflow.search_runs(output_format="list")
    assert logged.data.metrics["test/adjusted_rand"] == comparison.adjusted_rand
    assert logged.data.tags["concordant"] == comparison.signature
    assert len(list(Path().glob("**/artifacts/comparison.html"))) == 1
    with mlflow.start_run() as other:
        mlflow.log_metrics(cc.matrix({"a b": [0, 0, 1], "c(d)": [0, 1, 1]}).to_metrics())
    assert mlflow.get_run(other.info.run_id).data.metrics["adjusted_rand/a b/c_d"] == -0.5


@pytest.mark.filterwarnings("default")
def test_weights_and_biases(comparison, monkeypatch):
    wandb = tool("wandb")
    monkeypatch.setenv("WANDB_MODE", "offline")
    run("Weights & Biases", c=comparison)
    wandb.teardown()  # waits until all is written
    (logged,) = Path().glob("wandb/offline-run-*/*.wandb")
    assert b"test/adjusted_rand" in logged.read_bytes()
    assert b"%r" % comparison.adjusted_rand in logged.read_bytes()
    assert len(list(Path().glob("wandb/offline-run-*/files/media/html/*.html"))) == 1


def test_r():
    """The blocks of docs/r.md in R, with the values that their comments show."""
    script = shutil.which("Rscript")
    if script is None:
        pytest.skip("R is not installed: apt install r-base-core r-cran-reticulate r-cran-mclust")
    page = (DOCS / "r.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```r\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    lines = [
        line
        for block in blocks
        for line in block.splitlines()
        if not re.search("install|require|object|stability", line)
    ]
    shown = [re.search(r"^(.*\S)\s+# ([\d.]+)", line) for line in lines]
    checks = [
        f"cat('\\n', all.equal({each[1]}, {each[2]}, tolerance = 1e-6), '\\n')" for each in shown if each
    ]
    Path("page.R").write_text("\n".join([*lines, *checks]), encoding="utf-8")
    ran = subprocess.run(  # noqa: S603
        [script, "page.R"],
        env=os.environ | {"RETICULATE_PYTHON": sys.executable},
        capture_output=True,
        text=True,
        check=False,
    )
    if "there is no package" in ran.stderr:
        pytest.skip("a package of R is not installed: apt install r-cran-reticulate r-cran-mclust")
    assert ran.returncode == 0, ran.stderr
    assert len(checks) >= 7
    assert ran.stdout.split()[-len(checks) :] == ["TRUE"] * len(checks)
    assert "hclust            0.76    0.96" in ran.stdout
