"""The ways from other tools of docs/recipes.md, each with the real library where it is installed.

`make recipes` installs them; without one, its test says so.
"""

import random

import numpy as np
import pytest

import concordant as cc


def test_igraph_and_leidenalg():
    igraph = pytest.importorskip("igraph", reason="igraph is not installed: make recipes")
    leidenalg = pytest.importorskip("leidenalg", reason="leidenalg is not installed: make recipes")
    graph = igraph.Graph.Famous("Zachary")
    runs = {
        seed: leidenalg.find_partition(graph, leidenalg.ModularityVertexPartition, seed=seed)
        for seed in range(5)
    }
    agreed = cc.consensus({seed: run.membership for seed, run in runs.items()})
    assert len(agreed.labels) == graph.vcount()
    assert cc.adjusted_rand(runs[0].membership, agreed.labels) > 0.5


def test_scanpy():
    scanpy = pytest.importorskip("scanpy", reason="scanpy is not installed: make recipes")
    anndata = pytest.importorskip("anndata", reason="anndata is not installed: make recipes")
    rng = np.random.default_rng(0)
    kinds = rng.integers(0, 3, 90)
    adata = anndata.AnnData((rng.normal(size=(90, 5)) + 6 * kinds[:, None]).astype(np.float32))
    adata.obs["cell_type"] = [f"type {kind}" for kind in kinds]
    scanpy.pp.neighbors(adata, n_neighbors=10, use_rep="X")
    names = []
    for resolution in (0.1, 1.0):
        names.append(f"leiden_{resolution}")
        options = {"flavor": "igraph", "n_iterations": 2, "directed": False}
        scanpy.tl.leiden(adata, resolution=resolution, key_added=names[-1], **options)
    assert cc.compare(adata, "cell_type", names[0]).adjusted_rand > 0.9
    assert cc.matrix(adata, ["ARI", "AMI"], columns=["cell_type", *names])["ARI"].names[0] == "cell_type"
    assert cc.track(adata, columns=names).names == tuple(names)


def test_hdbscan():
    hdbscan = pytest.importorskip("hdbscan", reason="hdbscan is not installed: make recipes")
    rng = np.random.default_rng(1)
    points = np.concatenate([rng.normal(place, 0.3, (40, 2)) for place in (0, 4, 8)])
    runs = {f"size {size}": hdbscan.HDBSCAN(min_cluster_size=size).fit_predict(points) for size in (5, 10)}
    found = cc.matrix(runs, "adjusted_rand", noise=-1, noise_as="singletons")
    assert found.names == ("size 5", "size 10")


def test_splink():
    splink = pytest.importorskip("splink", reason="Splink is not installed: make recipes")
    comparisons = pytest.importorskip("splink.comparison_library", reason="Splink is not installed")
    pandas = pytest.importorskip("pandas")
    names = ["ann", "bob", "cem", "dora", "emil", "fay", "gus", "hana"]
    people = [
        {"unique_id": f"{i}{copy}", "name": name, "town": f"town {i % 3}", "entity": i}
        for i, name in enumerate(names)
        for copy in "xy"
    ]
    frame = pandas.DataFrame(people)
    settings = splink.SettingsCreator(
        link_type="dedupe_only",
        comparisons=[comparisons.ExactMatch("name"), comparisons.ExactMatch("town")],
        blocking_rules_to_generate_predictions=[splink.block_on("town")],
    )
    table = splink.DuckDBAPI().register(frame[["unique_id", "name", "town"]])
    linker = splink.Linker(table, settings)
    pairs = linker.inference.predict()
    clusters = linker.clustering.cluster_pairwise_predictions_at_threshold(
        pairs, threshold_match_probability=0.01
    )
    guess = cc.Partition.from_frame(clusters.as_pandas_dataframe(), record="unique_id", cluster="cluster_id")
    truth = cc.Partition.from_frame(frame, record="unique_id", cluster="entity")
    c = cc.compare(truth, guess, unmatched="drop")
    assert c.recall == 1
    assert cc.estimate(truth, guess, sampling="clusters").recall.value == 1


def test_dedupe():
    dedupe = pytest.importorskip("dedupe", reason="dedupe is not installed: make recipes")
    rng = random.Random(0)
    names = [" ".join("".join(rng.choices("abcdefgh", k=6)) for _ in range(2)) for _ in range(30)]
    data = {f"{i}{copy}": {"name": name} for i, name in enumerate(names) for copy in ("", "x")}
    deduper = dedupe.Dedupe([dedupe.variables.Exact("name")], num_cores=0)
    same = [(data[f"{i}"], data[f"{i}x"]) for i in range(30)]
    other = [(data[f"{i}"], data[f"{(i + 7) % 30}x"]) for i in range(30)]
    deduper.prepare_training(data, sample_size=200)
    deduper.mark_pairs({"match": same, "distinct": other})
    deduper.train()
    guess = {
        record: number
        for number, (records, scores) in enumerate(deduper.partition(data, 0.5))
        for record in records
    }
    truth = {record: record.rstrip("x") for record in data}
    c = cc.compare(truth, guess)
    assert c.counts.size == 60
    assert c.adjusted_rand > 0.5


def test_zingg(tmp_path):
    """Zingg runs on Spark and is not run here; its output has z_cluster and two scores."""
    pandas = pytest.importorskip("pandas")
    for name, clusters in (("last", [0, 0, 1, 2]), ("this", [7, 7, 7, 9])):
        (tmp_path / name).mkdir()
        scores = {"z_minScore": 0.5, "z_maxScore": 1.0}
        frame = pandas.DataFrame({"id": [1, 2, 3, 4], "z_cluster": clusters, **scores})
        frame.to_parquet(tmp_path / name / "part-0.parquet")
    last, this = (
        cc.Partition.scan(f"{tmp_path}/{name}/*.parquet", record="id", cluster="z_cluster")
        for name in ("last", "this")
    )
    c = cc.compare(last, this, unmatched="drop")
    assert (c.precision, c.recall) == (1 / 3, 1.0)
