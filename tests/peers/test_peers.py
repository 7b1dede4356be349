"""Other libraries for covers, trees and coreference, run on random data where they are installed.

Each is compared where it computes what it says; docs/overlaps.md says where some do not.
"""

import random
import warnings

import numpy as np
import pytest

import concordant as cc

SEEDS = range(10)


def random_cover(rng, size=17, most=6):
    """Clusters of at most half of the elements: NetworKit and onmi differ from the definition beyond that."""
    clusters = [set(rng.sample(range(size), rng.randint(1, size // 2))) for _ in range(rng.randint(2, most))]
    rest = set(range(size)).difference(*clusters)
    return [*clusters, *({x} for x in sorted(rest))]


def two_covers(seed):
    rng = random.Random(seed)
    return random_cover(rng), random_cover(rng)


def compared(u, v):
    return cc.compare(cc.Cover.from_clusters(u), cc.Cover.from_clusters(v))


def as_mapping(clusters):
    return {x: {i for i, cluster in enumerate(clusters) if x in cluster} for x in range(17)}


# -- covers ----------------------------------------------------------------------------------------------


def test_bcubed():
    peer = pytest.importorskip("bcubed", reason="extended B-cubed: pip install bcubed")
    for seed in SEEDS:
        u, v = two_covers(seed)
        c, truth, guess = compared(u, v), as_mapping(u), as_mapping(v)
        assert c.extended_bcubed_precision == pytest.approx(peer.precision(guess, truth), rel=1e-12)
        assert c.extended_bcubed_recall == pytest.approx(peer.recall(guess, truth), rel=1e-12)


def test_clusim():
    clustering = pytest.importorskip("clusim.clustering", reason="omega: pip install clusim")
    from clusim import sim

    for seed in SEEDS:
        u, v = two_covers(seed)
        held = [clustering.Clustering(as_mapping(x)) for x in (u, v)]
        assert compared(u, v).omega == pytest.approx(sim.omega_index(*held), rel=1e-12, abs=1e-12)
    u, v = [0, 0, 1, 1, 2, 2, 2], [0, 0, 0, 1, 1, 2, 2]  # with overlaps it fails on today's SciPy
    held = [clustering.Clustering({i: {label} for i, label in enumerate(x)}) for x in (u, v)]
    assert cc.element_centric(u, v) == pytest.approx(sim.element_sim(*held), rel=1e-12)


def test_cdlib():
    pytest.importorskip("cdlib", reason="ONMI and omega: pip install cdlib")
    import networkx as nx
    from cdlib import NodeClustering, evaluation

    graph = nx.path_graph(17)
    for seed in SEEDS:
        u, v = two_covers(seed)
        held = [NodeClustering([sorted(c) for c in x], graph, overlap=True) for x in (u, v)]
        assert repr(cc.Cover.of(held[0])) == repr(cc.Cover.from_clusters(u))
        c = cc.compare(*map(cc.Cover.of, held))
        theirs = {
            "onmi_lfk": evaluation.overlapping_normalized_mutual_information_LFK(*held).score,
            "onmi_max": evaluation.overlapping_normalized_mutual_information_MGH(*held).score,
            "onmi_lfr": evaluation.overlapping_normalized_mutual_information_MGH(
                *held, normalization="LFK"
            ).score,
            "omega": evaluation.omega(*held).score,
        }
        for name, value in theirs.items():
            assert c[name] == pytest.approx(value, rel=1e-10, abs=1e-12), name


def test_networkit():
    networkit = pytest.importorskip("networkit", reason="ONMI: pip install networkit")
    kinds = networkit.community.Normalization
    names = {
        "onmi_max": kinds.MAX,
        "onmi_mean": kinds.ARITHMETIC_MEAN,
        "onmi_min": kinds.MIN,
        "onmi_sqrt": kinds.GEOMETRIC_MEAN,
        "onmi_joint": kinds.JOINT_ENTROPY,
    }
    graph = networkit.Graph(17)
    for seed in SEEDS:
        u, v = two_covers(seed)
        held = [_networkit_cover(networkit, x) for x in (u, v)]
        c = cc.compare(*map(cc.Cover.of, held))
        assert c.omega == compared(u, v).omega
        for name, kind in names.items():
            distance = networkit.community.OverlappingNMIDistance(kind).getDissimilarity(graph, *held)
            assert c[name] == pytest.approx(1 - distance, rel=1e-9, abs=1e-12), name


def _networkit_cover(networkit, clusters):
    cover = networkit.Cover(17)
    cover.setUpperBound(len(clusters))
    for number, cluster in enumerate(clusters):
        for element in cluster:
            cover.addToSubset(number, element)
    return cover


def test_scipy():
    hierarchy = pytest.importorskip("scipy.cluster.hierarchy")
    distance = pytest.importorskip("scipy.spatial.distance")
    points = np.random.default_rng(1).normal(size=(60, 3))
    linkages = [hierarchy.linkage(points, method) for method in ("average", "complete")]
    c = cc.compare(*map(cc.Hierarchy.from_linkage, linkages))
    heights = [distance.squareform(hierarchy.cophenet(each))[np.triu_indices(60, 1)] for each in linkages]
    assert c.cophenetic_correlation == pytest.approx(np.corrcoef(*heights)[0, 1], rel=1e-12)
    for k in (2, 7, 30):
        cuts = [hierarchy.fcluster(each, k, "maxclust") for each in linkages]
        assert c.at(n_clusters=k).adjusted_rand == cc.adjusted_rand(*cuts)


def test_igraph():
    igraph = pytest.importorskip("igraph", reason="VertexCover and VertexClustering: pip install igraph")
    graph = igraph.Graph.Full(17)
    for seed in SEEDS:
        u, v = two_covers(seed)
        covers = [igraph.VertexCover(graph, [sorted(c) for c in x]) for x in (u, v)]
        c = cc.compare(*map(cc.Cover.of, covers))
        assert (c.omega, c.onmi_max) == (compared(u, v).omega, compared(u, v).onmi_max)
    clusters = graph.community_multilevel()
    other = igraph.VertexClustering(graph, [i % 3 for i in range(17)])
    theirs = igraph.compare_communities(clusters, other, method="adjusted_rand")
    assert cc.compare(cc.Cover.of(clusters), cc.Cover.of(other)).omega == pytest.approx(theirs, abs=1e-12)


def test_networkx():
    networkx = pytest.importorskip("networkx", reason="communities as frozensets: pip install networkx")
    graph = networkx.karate_club_graph()
    overlapping = list(networkx.community.k_clique_communities(graph, 3))
    plain = networkx.community.louvain_communities(graph, seed=1)
    elements = list(graph)
    c = cc.compare(cc.Cover.from_clusters(overlapping, records=elements), cc.Cover.of(plain))
    assert c.size == len(graph)
    pairs = sum(len(x) * (len(x) - 1) // 2 for x in overlapping)
    assert sum(p * count for (p, _), count in c._counts.pair_histogram.items()) == pairs


# -- coreference -----------------------------------------------------------------------------------------


def key_and_response(seed):
    """Two partitions of mentions that overlap in part; some mentions are on one side only."""
    rng = random.Random(seed)
    sides = []
    for _ in range(2):
        mentions = rng.sample(range(30), 20)
        cuts = sorted(rng.sample(range(1, 20), 6))
        sides.append([set(mentions[a:b]) for a, b in zip([0, *cuts], [*cuts, 20], strict=True)])
    return sides


def test_scorch():
    scores = pytest.importorskip("scorch.scores", reason="coreference: pip install scorch")
    names = {"MUC": "muc", "B-cubed": "b_cubed", "CEAF-m": "ceaf_m", "CEAF-e": "ceaf_e", "BLANC": "blanc"}
    for seed in SEEDS:
        key, response = key_and_response(seed)
        result = cc.coreference([key], [response])
        for name, theirs in names.items():
            found = getattr(scores, theirs)(key, response)
            assert tuple(result[name]) == pytest.approx(found, rel=1e-9, abs=1e-12), name
        assert result.conll == pytest.approx(scores.conll2012(key, response), rel=1e-9)


def test_neleval():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it asks for what it can do without
        metrics = pytest.importorskip("neleval.coref_metrics", reason="coreference: pip install neleval")
    names = {"MUC": "muc", "B-cubed": "b_cubed"}  # its CEAF needs a NumPy before 1.24
    for seed in SEEDS:
        key, response = key_and_response(seed)
        result = cc.coreference([key], [response])
        held = [dict(enumerate(side)) for side in (key, response)]
        for name, theirs in names.items():
            p_num, p_den, r_num, r_den = getattr(metrics, theirs)(*held)
            found = (r_num / r_den, p_num / p_den)
            assert tuple(result[name])[:2] == pytest.approx(found, rel=1e-9, abs=1e-12), name
