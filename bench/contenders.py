"""The contenders: each function takes two arrays and returns a Call, ready to be timed.

Imports and conversions that a peer needs stay outside of the time, which is kind to the peer.
"""

import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Call:
    """A timed call, and how its result is read for the check of equality."""

    run: Callable[[], Any]
    read: Callable[[Any], dict[str, float]] = lambda _: {}
    scale: float = 1.0  # a sample represents this many times its work


def value(name):
    return lambda result: {name: float(result)}


def together(counts):
    """Pairs together in both, from the sizes of the overlaps."""
    n = np.asarray(counts, dtype=np.int64)
    return {"n11": float((n * (n - 1) // 2).sum())}


# -- the whole comparison ---------------------------------------------------------------------------


def ours(u, v):
    import concordant as cc

    return Call(
        lambda: _compared(cc.compare(u, v)), lambda c: {"ari": c.adjusted_rand, "n11": float(c.pairs.n11)}
    )


def _compared(comparison):
    comparison.adjusted_rand  # noqa: B018  (computes it)
    return comparison


def ours_function(u, v):
    import concordant as cc

    return Call(lambda: cc.adjusted_rand(u, v), value("ari"))


def sklearn(u, v):
    from sklearn.metrics import adjusted_rand_score

    return Call(lambda: adjusted_rand_score(u, v), value("ari"))


def genieclust(u, v):
    from genieclust.compare_partitions import adjusted_rand_score

    return Call(lambda: adjusted_rand_score(u, v), value("ari"))


def polars(u, v):
    import polars as pl

    frame = pl.DataFrame({"u": u, "v": v})
    return Call(lambda: frame.group_by("u", "v").len(), lambda t: together(t["len"].to_numpy()))


def pandas(u, v):
    import pandas as pd

    frame = pd.DataFrame({"u": u, "v": v})
    return Call(lambda: frame.groupby(["u", "v"], sort=False).size(), lambda t: together(t.to_numpy()))


def bincount(u, v):
    """Knows beforehand that the labels are dense, and of which range."""
    clusters = int(max(u.max(), v.max())) + 1
    return Call(lambda: np.bincount(u * clusters + v, minlength=clusters * clusters), together)


def weighted(u, v, weights):
    import concordant as cc

    return Call(
        lambda: _compared(cc.compare(u, v, weights=weights)), lambda c: {"bcubed": c.bcubed_precision}
    )


def unweighted(u, v, _weights):
    """The same comparison, with every record counting one."""
    return ours(u, v)


def weighted_bincount(u, v, weights):
    """The weights of the overlaps as floats; knows the range of the labels."""
    clusters = int(max(u.max(), v.max())) + 1

    def read(cells):
        table = cells.reshape(clusters, clusters)
        return {"bcubed": float((table**2 / table.sum(axis=0)).sum() / table.sum())}

    return Call(lambda: np.bincount(u * clusters + v, weights, clusters * clusters), read)


def _readings(c):
    return c.adjusted_rand, c.bcubed_f, c.mutual_information


def weighted_readings(u, v, weights):
    import concordant as cc

    return Call(lambda: _readings(cc.compare(u, v, weights=weights)))


def unweighted_readings(u, v, _weights):
    import concordant as cc

    return Call(lambda: _readings(cc.compare(u, v)))


def read_floor(u, v):
    return Call(lambda: (u.sum(), v.sum()))


def largest_labels(u, v):
    """The lower limit: NumPy reads both columns once."""
    return Call(lambda: (u.max(), v.max()))


def igraph(u, v):
    from igraph import compare_communities

    first, second = u.tolist(), v.tolist()
    return Call(lambda: compare_communities(first, second, method="adjusted_rand"), value("ari"))


def permetrics(u, v):
    from permetrics import ClusteringMetric

    return Call(lambda: ClusteringMetric(y_true=u, y_pred=v).ARS(), value("ari"))


def clusim(u, v):
    from clusim.clustering import Clustering
    from clusim.sim import adjrand_index

    def run():
        first, second = (Clustering().from_membership_list(x.tolist()) for x in (u, v))
        return adjrand_index(first, second)

    return Call(run, value("ari"))


# -- adjusted mutual information ---------------------------------------------------------------------


def ours_ami(u, v):
    import concordant as cc

    return Call(lambda: cc.adjusted_mutual_information(u, v), value("ami"))


def sklearn_ami(u, v):
    from sklearn.metrics import adjusted_mutual_info_score

    return Call(lambda: adjusted_mutual_info_score(u, v), value("ami"))


def genieclust_ami(u, v):
    from genieclust.compare_partitions import adjusted_mi_score

    return Call(lambda: adjusted_mi_score(u, v), value("ami"))


# -- strings ------------------------------------------------------------------------------------------


def pandas_texts(u, v):
    """Factorize both columns, then count the pairs of codes."""
    import pandas as pd

    def run():
        codes = pd.DataFrame({"u": pd.factorize(u)[0], "v": pd.factorize(v)[0]})
        return codes.groupby(["u", "v"], sort=False).size()

    return Call(run, lambda t: together(t.to_numpy()))


def pandas_arrow(u, v):
    import pandas as pd

    kind = pd.ArrowDtype(u.type)
    return pandas_texts(pd.Series(u, dtype=kind), pd.Series(v, dtype=kind))


def pandas_list(u, v):
    return pandas_texts(np.array(u, dtype=object), np.array(v, dtype=object))


# -- one-to-one matching ------------------------------------------------------------------------------


def ours_matching(u, v):
    import concordant as cc

    return Call(lambda: cc.matching_accuracy(u, v), value("accuracy"))


def scipy_matching(u, v):
    from scipy.optimize import linear_sum_assignment
    from sklearn.metrics.cluster import contingency_matrix

    def run():
        table = contingency_matrix(u, v)
        return table[linear_sum_assignment(table, maximize=True)].sum() / len(u)

    return Call(run, value("accuracy"))


def scipy_sparse_matching(u, v):
    """Not every cluster finds a partner, so each gets one that is worth nothing."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import min_weight_full_bipartite_matching
    from sklearn.metrics.cluster import contingency_matrix

    def run():
        table = contingency_matrix(u, v, sparse=True).tocoo()
        (rows, columns), i, j = table.shape, table.row, table.col
        alone_i, alone_j = np.arange(rows), np.arange(columns)
        from_ = np.concatenate([i, alone_i, rows + alone_j, rows + j])
        to = np.concatenate([j, columns + alone_i, alone_j, columns + i])
        worth = np.ones(len(from_))  # an edge of weight 0 would be none
        worth[: len(i)] += table.data
        graph = coo_array((worth, (from_, to)), shape=(rows + columns, rows + columns)).tocsr()
        matched = min_weight_full_bipartite_matching(graph, maximize=True)
        return (graph[matched].sum() - rows - columns) / len(u)

    return Call(run, value("accuracy"))


# -- the whole answer ---------------------------------------------------------------------------------


def joined(*frames):
    """The lower limit: two dataframes are joined by record, and the overlaps counted."""
    import concordant as cc

    def run():
        u, v = (cc.Partition.from_frame(frame, record="record", cluster="cluster") for frame in frames)
        return _compared(cc.compare(u, v))

    return Call(run, lambda c: {"ari": c.adjusted_rand})


def _after_join(work):
    """The join and what a person asks for next."""

    def contender(*frames):
        join = joined(*frames)

        def run():
            c = join.run()
            work(c)
            return c

        return Call(run, join.read)

    return contender


def _written(c):
    with tempfile.TemporaryDirectory() as folder:
        c.to_html(Path(folder) / "page.html")


printed, as_dict, as_page, suggested = map(
    _after_join, (str, lambda c: c.to_dict(), _written, lambda c: c.suggest())
)


# -- changes, questions and slices ----------------------------------------------------------------------


def diffed(weighted, judged):
    """A diff of two runs with or without weights, and with or without the reference."""

    def contender(before, after, reference, weights):
        import concordant as cc

        given = {"weights": weights} if weighted else {}
        given |= {"reference": reference} if judged else {}
        return Call(lambda: cc.diff(before, after, **given).to_dict())

    return contender


def asked(weighted):
    def contender(before, after, _reference, weights):
        import concordant as cc

        given = {"weights": weights} if weighted else {}
        return Call(lambda: cc.diff(before, after, **given).ask(n_questions=200))

    return contender


def judged(before, after, reference, _weights):
    """The rates that follow from 200 answers."""
    import concordant as cc

    d = cc.diff(before, after)
    questions = d.ask(n_questions=200)
    same = [reference[each.record_a] == reference[each.record_b] for each in questions]
    answers = [
        {"question": each.question, "same": "yes" if is_same else "no"}
        for each, is_same in zip(questions, same, strict=True)
    ]
    return Call(lambda: d.judged(answers, questions=questions).to_dict())


def sliced(u, v, by):
    import concordant as cc

    return Call(lambda: str(cc.compare(u, v).slices(by)))


def without_slices(u, v, _by):
    return ours(u, v)


# -- many ---------------------------------------------------------------------------------------------


def ours_consensus(runs):
    import concordant as cc

    return Call(lambda: cc.consensus(list(runs.values())))


def ours_stability(runs):
    import concordant as cc

    return Call(lambda: cc.stability(list(runs.values())).to_dict())


def each_against_one(runs):
    """The lower limit: one pass over all runs, which counts the overlaps of each with one partition."""
    import concordant as cc

    first, *others = runs.values()
    return Call(lambda: [cc.adjusted_rand(first, other) for other in others])


def each_pair(runs):
    """The lower limit: the pair counts of all pairs, by a sample; its time is scaled to all of them."""
    import concordant as cc

    pairs = _sample(runs)
    every = len(runs) * (len(runs) - 1) // 2
    return Call(lambda: [cc.adjusted_rand(runs[x], runs[y]) for x, y in pairs], scale=every / len(pairs))


def ours_matrix(runs):
    import concordant as cc

    return Call(
        lambda: cc.matrix(runs), lambda m: {f"sample {i}": m[pair] for i, pair in enumerate(_sample(runs))}
    )


def sklearn_matrix(runs):
    """A sample of the pairs; its time is scaled to all of them."""
    from sklearn.metrics import adjusted_rand_score

    pairs = _sample(runs)
    every = len(runs) * (len(runs) - 1) // 2
    return Call(
        lambda: [adjusted_rand_score(runs[x], runs[y]) for x, y in pairs],
        lambda values: {f"sample {i}": float(x) for i, x in enumerate(values)},
        scale=every / len(pairs),
    )


def _sample(runs):
    names = list(runs)
    return [(names[i], names[-1 - i]) for i in range(min(4, len(names) // 2))]


# -- named elements -----------------------------------------------------------------------------------


def ours_mappings(u, v):
    """Mappings from element to cluster, the second in another order."""
    import concordant as cc

    return Call(lambda: cc.adjusted_rand(u, v), value("ari"))


def pandas_join(u, v):
    """Series from the mappings, joined by element, then grouped."""
    import pandas as pd

    def run():
        frame = pd.concat({"u": pd.Series(u), "v": pd.Series(v)}, axis=1, join="inner")
        return frame.groupby(["u", "v"], sort=False).size()

    return Call(run, lambda t: together(t.to_numpy()))


# -- covers and coreference -------------------------------------------------------------------------


def _covers(sides):
    import polars as pl

    import concordant as cc

    return [
        cc.Cover.from_frame(
            pl.DataFrame({"element": element, "cluster": cluster}),
            record="element",
            cluster="cluster",
            records=range(int(element.max()) + 1),
        )
        for element, cluster in sides
    ]


def ours_covers(u, v):
    import concordant as cc

    sides = _covers((u, v))

    def run():
        c = cc.compare(*sides)
        return {"omega": c.omega, "bcubed": c.extended_bcubed_precision}

    return Call(run, dict)


def _clusters_of_elements(side):
    held = {}
    for element, cluster in zip(*(x.tolist() for x in side), strict=True):
        held.setdefault(element, set()).add(cluster)
    return held


def clusim_omega(u, v):
    from clusim.clustering import Clustering
    from clusim.sim import omega_index

    held = [Clustering(_clusters_of_elements(side)) for side in (u, v)]
    return Call(lambda: omega_index(*held), value("omega"))


def bcubed_extended(u, v):
    import bcubed

    truth, guess = map(_clusters_of_elements, (u, v))
    return Call(
        lambda: (bcubed.precision(guess, truth), bcubed.recall(guess, truth)), lambda x: {"bcubed": x[0]}
    )


def ours_onmi(u, v):
    import concordant as cc

    sides = _covers((u, v))
    return Call(lambda: cc.compare(*sides).onmi_max, value("onmi"))


def networkit_onmi(u, v):
    import networkit

    size = int(u[0].max()) + 1
    held = []
    for element, cluster in (u, v):
        cover = networkit.Cover(size)
        cover.setUpperBound(int(cluster.max()) + 1)
        for one, other in zip(cluster.tolist(), element.tolist(), strict=True):
            cover.addToSubset(one, other)
        held.append(cover)
    graph = networkit.Graph(size)
    distance = networkit.community.OverlappingNMIDistance()
    return Call(lambda: 1 - distance.getDissimilarity(graph, *held), value("onmi"))


def ours_coreference(key, response):
    import concordant as cc

    return Call(
        lambda: cc.coreference(key, response).to_dict(), lambda scores: {"conll": scores["conll"]["f1"]}
    )


def scorch_coreference(key, response):
    from scorch.scores import conll2012

    return Call(lambda: [conll2012(*pair) for pair in zip(key, response, strict=True)])


# -- soft partitions --------------------------------------------------------------------------------


def ours_soft(u, v):
    import concordant as cc

    u, v = map(cc.Soft.from_matrix, (u, v))
    return Call(lambda: cc.compare(u, v).soft_adjusted_rand, value("soft_adjusted_rand"))


def ours_soft_from_matrix(u, v):
    import concordant as cc

    def run():
        return cc.compare(*map(cc.Soft.from_matrix, (u, v))).soft_adjusted_rand

    return Call(run, value("soft_adjusted_rand"))


def one_hot(kind):
    """Sparse matrices of one-hot memberships, with entries of this type."""

    def contender(u, v):
        import scipy.sparse as sp

        sides = [sp.csr_array((np.ones(len(x), kind), (np.arange(len(x)), x))) for x in (u, v)]
        return ours_soft_from_matrix(*sides)

    return contender


def numpy_gram(u, v):
    return Call(lambda: (u.T @ u, u.T @ v, v.T @ v))
