"""The measurements: one Row for each line of the tables, with its target."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import contenders as who
import data
import numpy as np
import tree_contenders as tree

OURS = "concordant"


@dataclass(frozen=True)
class Target:
    """At least so many times faster than a peer, or at most so many seconds."""

    peer: str | None = None
    ratio: float = 0.0
    seconds: float = 0.0

    @property
    def text(self):
        if self.peer is None:
            return f"≤ {self.seconds * 1e6:g} µs" if self.seconds < 1e-3 else f"≤ {self.seconds:g} s"
        if self.ratio < 1:
            return f"at most {1 / self.ratio:g} times {self.peer}"
        return f"no slower than {self.peer}" if self.ratio == 1 else f"≥ {self.ratio:g}x {self.peer}"


@dataclass(frozen=True)
class Row:
    """Some work, who does it, and what we want of it. Sizes are (full, quick)."""

    name: str
    title: str
    sizes: tuple[Mapping[str, int], Mapping[str, int]]
    make: Callable[..., tuple[Any, ...]]
    contenders: Mapping[str, Callable[..., who.Call]]
    targets: tuple[Target, ...] = ()
    memory: tuple[str, ...] = ()  # whose peak memory is measured too
    timeout: int = 300
    note: str = ""
    bound: str = field(default="", repr=False)  # what bounds it, printed where the target is missed

    def size(self, quick):
        return self.sizes[1 if quick else 0]

    def heading(self, quick):
        return self.title.format(**{k: f"{v:,}" for k, v in self.size(quick).items()})


def _sizes(full, quick):
    return full, quick


def _integers(n, k):
    return data.labels(n, k)


def _weighted_decimals(n, k):
    return *data.labels(n, k), data.weights(n, 2)


def _weighted_floats(n, k):
    return *data.labels(n, k), data.weights(n)


def _two_runs(n, k):
    reference, before = data.labels(n, k)
    return before, data.labels(n, k, seed=1)[1], reference, data.weights(n, 2)


def _sliced_records(n, k, m):
    return *data.labels(n, k), np.random.default_rng(1).integers(0, m, n)


def _sliced_clusters(n, k, m):
    u, v = data.labels(n, k)
    return u, v, np.random.default_rng(1).integers(0, m, int(u.max()) + 1)[u]


def _random(n, k):
    return data.labels(n, k, agreement=0)


def _strings(n, k):
    return data.texts(n, k)


def _lists(n, k):
    return tuple(x.tolist() for x in data.texts(n, k))


def _arrow(n, k):
    import pyarrow as pa

    return tuple(pa.array(x.tolist()) for x in data.texts(n, k))


def _mappings(n, k):
    u, v = (dict(enumerate(x.tolist())) for x in data.labels(n, k))
    return u, dict(reversed(v.items()))


def _runs(n, k, m):
    return (data.runs(m, n, k),)


def _covers(n, k, m=None):
    return data.covers(n, k, n * 7 // 5 if m is None else m)


SHAPES = ("balanced", "chain", "caterpillar", "star", "random")


def _random_trees(n, k):
    return *data.two_trees(n, "random"), k


def _trees_of_every_shape(n, small):
    """All shapes at both sizes."""
    return tuple([data.two_trees(size, shape) for shape in SHAPES] for size in (n, small))


def _large_trees(large, _small):
    return tree.all_shapes(*large)


def _small_trees(_large, small):
    return tree.all_shapes(*small)


JOIN = "the join"
ANSWERS = {  # how many times the join each may take, the join itself among them
    "print": ("`print(c)`", who.printed, 2),
    "dict": ("`c.to_dict()`", who.as_dict, 2),
    "page": ("`c.to_html(...)`", who.as_page, 4),
    "suggest": ("`c.suggest()`", who.suggested, 3),
}

LARGEST = "`u.max(), v.max()`"
UNWEIGHTED = "without weights"
ONE_COMPARE_ALONE = "compare"
WEIGHTED = {OURS: who.weighted, UNWEIGHTED: who.unweighted, "np.bincount": who.weighted_bincount}
FASTER_PEER = "Ratios to scikit-learn: it takes less time here than on the machine where they were set."

ROWS = [
    Row(
        "small",
        "{n} labels, {k} clusters, `cc.adjusted_rand(u, v)`",
        _sizes({"n": 1000, "k": 10}, {"n": 1000, "k": 10}),
        _integers,
        {
            OURS: who.ours_function,
            "scikit-learn": who.sklearn,
            "genieclust": who.genieclust,
            "Polars": who.polars,
            "pandas": who.pandas,
            "np.bincount": who.bincount,
            "igraph": who.igraph,
            "permetrics": who.permetrics,
            "clusim": who.clusim,
        },
        (Target("scikit-learn", 110),),
        bound="Small calls: the core takes a third of the time; the rest is Python around it.",
        timeout=60,
    ),
    Row(
        "small-compare",
        "{n} labels, {k} clusters, `cc.compare(u, v).adjusted_rand`",
        _sizes({"n": 1000, "k": 10}, {"n": 1000, "k": 10}),
        _integers,
        {OURS: who.ours, "scikit-learn": who.sklearn},
        (Target("scikit-learn", 30),),
        bound="Small calls: the core takes a fifth of the time; the rest is Python around it.",
        timeout=60,
    ),
    *(
        Row(
            f"random-{clusters}",
            "{n} random labels, {k} clusters, `cc.adjusted_rand(u, v)`",
            _sizes({"n": 10_000_000, "k": clusters}, {"n": 1_000_000, "k": clusters}),
            _random,
            {OURS: who.ours_function, LARGEST: who.largest_labels},
            (Target(LARGEST, 1 / times),),
        )
        for clusters, times in ((100, 1.3), (1000, 4), (10_000, 8), (100_000, 8))
    ),
    Row(
        "direct",
        "{n} labels, {k} clusters",
        _sizes({"n": 10_000_000, "k": 100}, {"n": 1_000_000, "k": 100}),
        _integers,
        {
            OURS: who.ours,
            "scikit-learn": who.sklearn,
            "genieclust": who.genieclust,
            "Polars": who.polars,
            "pandas": who.pandas,
            "np.bincount": who.bincount,
            "read floor": who.read_floor,
        },
        (Target("scikit-learn", 150), Target("np.bincount", 1)),
        bound=FASTER_PEER,
        memory=(OURS, "scikit-learn", "genieclust", "Polars", "pandas", "np.bincount"),
    ),
    Row(
        "wide",
        "{n} labels, {k} clusters",
        _sizes({"n": 1_000_000, "k": 1000}, {"n": 300_000, "k": 500}),
        _integers,
        {
            OURS: who.ours,
            "scikit-learn": who.sklearn,
            "genieclust": who.genieclust,
            "Polars": who.polars,
            "pandas": who.pandas,
            "np.bincount": who.bincount,
            "read floor": who.read_floor,
            "igraph": who.igraph,
            "permetrics": who.permetrics,
            "clusim": who.clusim,
        },
        (Target("scikit-learn", 25),),
        bound=FASTER_PEER,
        memory=(OURS, "scikit-learn", "genieclust", "Polars", "pandas", "np.bincount"),
    ),
    Row(
        "entities",
        "{n} records in {k} clusters",
        _sizes({"n": 10_000_000, "k": 3_300_000}, {"n": 1_000_000, "k": 330_000}),
        _integers,
        {
            OURS: who.ours,
            "scikit-learn": who.sklearn,
            "genieclust": who.genieclust,
            "Polars": who.polars,
            "pandas": who.pandas,
            "read floor": who.read_floor,
        },
        (Target("scikit-learn", 100), Target("Polars", 8)),
        bound=FASTER_PEER,
        memory=(OURS, "scikit-learn", "Polars", "pandas"),
    ),
    Row(
        "ami",
        "adjusted mutual information, {n} labels, {k} clusters",
        _sizes({"n": 1_000_000, "k": 1000}, {"n": 100_000, "k": 300}),
        _integers,
        {OURS: who.ours_ami, "scikit-learn": who.sklearn_ami},
        (Target("scikit-learn", 3000),),
        bound="Adjusted mutual information: most of the time is counting.",
        timeout=400,
    ),
    Row(
        "ami-genieclust",
        "adjusted mutual information, {n} labels, {k} clusters",
        _sizes({"n": 1_000_000, "k": 200}, {"n": 100_000, "k": 50}),
        _integers,
        {OURS: who.ours_ami, "scikit-learn": who.sklearn_ami, "genieclust": who.genieclust_ami},
    ),
    Row(
        "numpy-strings",
        "NumPy `U` strings, {n} labels, {k} clusters",
        _sizes({"n": 1_000_000, "k": 1000}, {"n": 100_000, "k": 1000}),
        _strings,
        {OURS: who.ours, "pandas": who.pandas_texts, "scikit-learn": who.sklearn},
        (Target("pandas", 2),),
        memory=(OURS, "pandas", "scikit-learn"),
    ),
    Row(
        "arrow-strings",
        "Arrow strings, {n} labels, {k} clusters",
        _sizes({"n": 1_000_000, "k": 1000}, {"n": 100_000, "k": 1000}),
        _arrow,
        {OURS: who.ours, "pandas": who.pandas_arrow, "Polars": who.polars},
        (Target("pandas", 2),),
        memory=(OURS, "pandas"),
    ),
    Row(
        "lists",
        "Python lists of str, {n} labels, {k} clusters",
        _sizes({"n": 1_000_000, "k": 1000}, {"n": 100_000, "k": 1000}),
        _lists,
        {OURS: who.ours, "scikit-learn": who.sklearn, "pandas": who.pandas_list},
        (Target("scikit-learn", 3),),
        memory=(OURS, "pandas", "scikit-learn"),
        note="pandas gets object arrays; converting the lists is not timed.",
    ),
    Row(
        "mappings",
        "mappings from {n} elements to {k} clusters, in different orders",
        _sizes({"n": 1_000_000, "k": 1000}, {"n": 100_000, "k": 1000}),
        _mappings,
        {OURS: who.ours_mappings, "pandas": who.pandas_join},
        (Target(seconds=3),),
    ),
    Row(
        "matching",
        "one-to-one matching, {n} labels, {k} clusters",
        _sizes({"n": 200_000, "k": 2000}, {"n": 50_000, "k": 500}),
        _integers,
        {OURS: who.ours_matching, "SciPy": who.scipy_matching},
    ),
    Row(
        "matching-large",
        "one-to-one matching, {n} records in {k} clusters a side",
        _sizes({"n": 600_000, "k": 200_000}, {"n": 60_000, "k": 20_000}),
        _integers,
        {OURS: who.ours_matching, "SciPy": who.scipy_sparse_matching},
        memory=(OURS, "SciPy"),
        note="SciPy's dense `linear_sum_assignment` would need 320 GB for 200,000 x 200,000; this is its "
        "sparse matching, with a dummy partner for each cluster.",
    ),
    Row(
        "matrix",
        "{m} partitions of {n} labels, {k} clusters, all against all",
        _sizes({"n": 1_000_000, "k": 100, "m": 50}, {"n": 100_000, "k": 100, "m": 20}),
        _runs,
        {OURS: who.ours_matrix, "scikit-learn": who.sklearn_matrix, "pair by pair": who.each_pair},
        (Target("scikit-learn", 50), Target("pair by pair", 1 / 2)),
        note="scikit-learn is timed on a sample of 4 pairs, and the time is scaled to all of them.",
    ),
    Row(
        "matrix-wide",
        "{m} partitions of {n} labels, {k} clusters, all against all",
        _sizes({"n": 1_000_000, "k": 1000, "m": 50}, {"n": 100_000, "k": 300, "m": 20}),
        _runs,
        {OURS: who.ours_matrix, "scikit-learn": who.sklearn_matrix},
        (Target("scikit-learn", 50),),
        note="as above.",
        bound="Many partitions with many clusters: each table has a million cells, so encoding the "
        "partitions once saves little.",
    ),
    Row(
        "consensus",
        "consensus of {m} runs of {n} records in {k} clusters",
        _sizes({"n": 100_000, "k": 50, "m": 100}, {"n": 10_000, "k": 20, "m": 20}),
        _runs,
        {OURS: who.ours_consensus, "one pass": who.each_against_one},
    ),
    Row(
        "stability",
        "stability of {m} runs of {n} records in {k} clusters",
        _sizes({"n": 100_000, "k": 50, "m": 100}, {"n": 10_000, "k": 20, "m": 20}),
        _runs,
        {OURS: who.ours_stability, "one pass": who.each_against_one},
    ),
    *(
        Row(
            f"answer-{name}",
            f"{{n}} records in entities of three, two Polars dataframes: the join and {title}",
            _sizes({"n": 10_000_000}, {"n": 300_000}),
            data.entities,
            {OURS: work, JOIN: who.joined},
            (Target(JOIN, 1 / times),),
        )
        for name, (title, work, times) in ANSWERS.items()
    ),
    Row(
        "suggest",
        "the same, {n} records: the join and `c.suggest()`",
        _sizes({"n": 2_000_000}, {"n": 100_000}),
        data.entities,
        {OURS: who.suggested, JOIN: who.joined},
        (Target(JOIN, 1 / 3),),
    ),
]

# On a page of their own.
COVER_ROWS = [
    Row(
        "covers",
        "omega and extended B-cubed of covers: {n} elements, {m} memberships in {k} clusters a side",
        _sizes({"n": 1_000_000, "k": 50, "m": 1_400_000}, {"n": 100_000, "k": 50, "m": 140_000}),
        _covers,
        {OURS: who.ours_covers},
        (Target(seconds=2),),
        memory=(OURS,),
        note="the peers look at every pair of elements; the next row has what they finish.",
    ),
    Row(
        "covers-small",
        "the same, {n} elements, {m} memberships in {k} clusters a side",
        _sizes({"n": 10_000, "k": 50, "m": 14_000}, {"n": 1000, "k": 50, "m": 1400}),
        _covers,
        {OURS: who.ours_covers, "CluSim (omega)": who.clusim_omega, "bcubed": who.bcubed_extended},
        timeout=900,
        note="about the largest that bcubed finishes in a minute of CPU time.",
    ),
    Row(
        "onmi",
        "`onmi_max` of covers: {m} memberships of {n} elements in {k} clusters a side",
        _sizes({"n": 700_000, "k": 100_000, "m": 1_000_000}, {"n": 70_000, "k": 10_000, "m": 100_000}),
        _covers,
        {OURS: who.ours_onmi, "NetworKit": who.networkit_onmi},
        (Target(seconds=2),),
    ),
    Row(
        "coreference",
        "coreference of {count} documents of 40 mentions, all measures",
        _sizes({"count": 10_000}, {"count": 1000}),
        data.documents,
        {OURS: who.ours_coreference, "scorch": who.scorch_coreference},
        (Target(seconds=5),),
        note="scorch scores MUC, B-cubed and CEAF-e of each document by itself.",
    ),
]

WEIGHT_ROWS = [
    Row(
        "weights",
        "{n} labels, {k} clusters, weights of two decimals",
        _sizes({"n": 10_000_000, "k": 50}, {"n": 1_000_000, "k": 50}),
        _weighted_decimals,
        WEIGHTED,
        (Target(UNWEIGHTED, 1 / 3),),
        memory=(OURS, UNWEIGHTED, "np.bincount"),
    ),
    Row(
        "weights-17",
        "{n} labels, {k} clusters, weights of 17 digits",
        _sizes({"n": 10_000_000, "k": 50}, {"n": 1_000_000, "k": 50}),
        _weighted_floats,
        WEIGHTED,
        (Target(UNWEIGHTED, 1 / 7),),
        memory=(OURS, UNWEIGHTED, "np.bincount"),
    ),
    Row(
        "weights-read",
        "{n} records in {k} clusters, weights of 17 digits: adjusted Rand, B-cubed and mutual information",
        _sizes({"n": 10_000_000, "k": 3_300_000}, {"n": 300_000, "k": 100_000}),
        _weighted_floats,
        {OURS: who.weighted_readings, UNWEIGHTED: who.unweighted_readings},
        (Target(UNWEIGHTED, 1 / 8),),
        memory=(OURS, UNWEIGHTED),
    ),
    Row(
        "diff-weights",
        "`diff` of two runs of {n} records in {k} clusters, weights of two decimals: all rates",
        _sizes({"n": 1_000_000, "k": 330_000}, {"n": 100_000, "k": 33_000}),
        _two_runs,
        {OURS: who.diffed(weighted=True, judged=False), UNWEIGHTED: who.diffed(weighted=False, judged=False)},
        (Target(UNWEIGHTED, 1 / 3),),
    ),
    Row(
        "diff-weights-reference",
        "the same with a reference",
        _sizes({"n": 1_000_000, "k": 330_000}, {"n": 100_000, "k": 33_000}),
        _two_runs,
        {OURS: who.diffed(weighted=True, judged=True), UNWEIGHTED: who.diffed(weighted=False, judged=True)},
        (Target(UNWEIGHTED, 1 / 3),),
    ),
    Row(
        "ask",
        "`diff` and `ask` for 200 questions about {n} records in {k} clusters, weights of two decimals",
        _sizes({"n": 1_000_000, "k": 330_000}, {"n": 100_000, "k": 33_000}),
        _two_runs,
        {
            OURS: who.asked(weighted=True),
            UNWEIGHTED: who.asked(weighted=False),
            "the diff": who.diffed(weighted=False, judged=False),
        },
        (Target(UNWEIGHTED, 1 / 3),),
    ),
    Row(
        "judged",
        "`judged` with 200 answers about {n} records in {k} clusters",
        _sizes({"n": 1_000_000, "k": 330_000}, {"n": 100_000, "k": 33_000}),
        _two_runs,
        {OURS: who.judged, "the diff": who.diffed(weighted=False, judged=False)},
    ),
    *(
        Row(
            f"slices-{name}",
            f"`slices` with tests: {{n}} records in {{k}} clusters, {{m}} slices of {things}",
            _sizes({"n": 5_000_000, "k": 1_700_000, "m": 10}, {"n": 100_000, "k": 33_000, "m": 10}),
            make,
            {OURS: who.sliced, ONE_COMPARE_ALONE: who.without_slices},
            (Target(ONE_COMPARE_ALONE, 1 / 5),),
            bound="Slices: counting the pieces of overlaps takes three times the comparison alone, and their "
            "connected components, the sums of these and the draws as much again.",
        )
        for name, things, make in (
            ("records", "records", _sliced_records),
            ("clusters", "clusters", _sliced_clusters),
        )
    ),
]

A_LOOP = "a loop of compare"
ONE_COMPARE = "one compare of two Polars frames"
A_TENTH = "concordant, a tenth of the elements"
A_QUARTER = "concordant, a quarter of the leaves"
BY_PAIRS = "by the adjusted Rand index"
DENDEXTEND = "dendextend (R)"

HIERARCHY_ROWS = [
    Row(
        "tree-grid",
        "two hierarchies of {n} elements, every pair of cuts up to {k} clusters a side",
        _sizes({"n": 1_000_000, "k": 1000}, {"n": 50_000, "k": 100}),
        _random_trees,
        {OURS: tree.ours_grid, A_LOOP: tree.loop_over_grid},
        (Target(A_LOOP, 1000),),
        memory=(OURS,),
        note="the loop is timed on 20 cuts, with the labels of each as int64 arrays.",
    ),
    Row(
        "tree-diagonal",
        "two hierarchies of {n} elements, every number of clusters",
        _sizes({"n": 1_000_000, "k": 1000}, {"n": 50_000, "k": 100}),
        _random_trees,
        {OURS: tree.ours_diagonal, A_LOOP: tree.loop_over_diagonal},
        (Target(A_LOOP, 1000),),
        note="the loop is timed on 20 cuts, with the labels of each as int64 arrays.",
    ),
    Row(
        "thresholds",
        "a truth of {n} records against {m} scored pairs, `f_measure` at every threshold",
        _sizes({"n": 10_000_000, "m": 10_000_000}, {"n": 300_000, "m": 300_000}),
        data.scored_pairs,
        {OURS: tree.ours_thresholds, ONE_COMPARE: tree.one_compare},
        (Target(ONE_COMPARE, 1 / 6),),
        memory=(OURS,),
        timeout=900,
    ),
    Row(
        "best-pruning",
        "a truth of {n} records and the tree of {m} scored pairs, `best_pruning` by `f_measure`",
        _sizes({"n": 5_000_000, "m": 5_000_000}, {"n": 100_000, "m": 100_000}),
        data.scored_pairs,
        {OURS: tree.ours_best_pruning, ONE_COMPARE: tree.one_compare},
        (Target(ONE_COMPARE, 1 / 4),),
        timeout=900,
    ),
    Row(
        "thresholds-page",
        "a truth of {n} records against {m} scored pairs, the page of all thresholds",
        _sizes({"n": 5_000_000, "m": 5_000_000}, {"n": 100_000, "m": 100_000}),
        data.scored_pairs,
        {OURS: tree.thresholds_page, ONE_COMPARE: tree.one_compare},
        (Target(ONE_COMPARE, 1 / 6),),
        timeout=900,
    ),
    Row(
        "best-cut",
        "`best_cut` of a tree of {n} elements by mutual information",
        _sizes({"n": 100_000}, {"n": 3000}),
        lambda n: data.two_trees(n, "random"),
        {OURS: tree.best_cut("nmi"), BY_PAIRS: tree.best_cut("adjusted_rand")},
        (Target(BY_PAIRS, 1 / 5),),
    ),
    Row(
        "purity",
        "`dendrogram_purity` of a chain of {n} leaves",
        _sizes({"n": 100_000}, {"n": 10_000}),
        lambda n: (n,),
        {OURS: tree.purity_of_chain(lambda n: n), A_QUARTER: tree.purity_of_chain(lambda n: n // 4)},
        (Target(A_QUARTER, 1 / 6),),
    ),
    Row(
        "cophenetic",
        "`cophenetic_correlation` of two random trees of {n} elements",
        _sizes({"n": 10_000}, {"n": 2000}),
        lambda n: data.two_trees(n, "random"),
        {
            OURS: tree.ours_cophenetic,
            "SciPy, all pairs": tree.scipy_cophenetic,
            DENDEXTEND: tree.dendextend_cophenetic,
        },
        (Target("SciPy, all pairs", 10),),
    ),
    Row(
        "bakers-gamma",
        "`bakers_gamma` of two random trees of {n} elements",
        _sizes({"n": 200}, {"n": 60}),
        lambda n: data.two_trees(n, "random"),
        {OURS: tree.ours_bakers_gamma, DENDEXTEND: tree.dendextend_bakers_gamma},
        note="dendextend cuts both trees at every number of clusters, for each pair: 400 elements take 7 s.",
    ),
    Row(
        "cophenetic-shapes",
        "the same for balanced, chain, caterpillar, star and random trees, {n} elements",
        _sizes({"n": 100_000, "small": 10_000}, {"n": 10_000, "small": 1000}),
        _trees_of_every_shape,
        {OURS: _large_trees, A_TENTH: _small_trees},
        (Target(A_TENTH, 1 / 20),),
    ),
]

GRAM = "NumPy Gram"
FLOATS = "matrices of floats"

SOFT_ROWS = [
    Row(
        "soft",
        "`soft_adjusted_rand` of two soft partitions: {n} records in {k} clusters a side",
        _sizes({"n": 1_000_000, "k": 10}, {"n": 100_000, "k": 10}),
        data.mixtures,
        {OURS: who.ours_soft, GRAM: who.numpy_gram},
        (Target(GRAM, 1 / 3),),
        note="NumPy makes three Gram products, in floating point; concordant sums integers exactly.",
    ),
    Row(
        "soft-from-matrix",
        "the same from the matrices, whose {n} rows are checked",
        _sizes({"n": 1_000_000, "k": 10}, {"n": 100_000, "k": 10}),
        data.mixtures,
        {OURS: who.ours_soft_from_matrix, GRAM: who.numpy_gram},
    ),
    Row(
        "soft-integers",
        "the same from sparse one-hot matrices of integers: {n} records in {k} clusters a side",
        _sizes({"n": 1_000_000, "k": 1000}, {"n": 10_000, "k": 100}),
        _integers,
        {OURS: who.one_hot(np.int64), FLOATS: who.one_hot(np.float64)},
        (Target(FLOATS, 1 / 1.3),),
    ),
]


def growth(quick):
    """Points of the growth curves: name of the curve, number of labels, number of clusters."""
    largest = 6 if quick else 8
    by_size = [10**e for e in range(3, largest + 1)]
    points = [("k = 100", n, 100) for n in by_size]
    points += [("k = √n", n, round(n**0.5)) for n in by_size]
    points += [("k = n/3", n, n // 3) for n in by_size]
    n = 10**5 if quick else 10**7
    clusters = [2, 10, 100, 1000, 10_000, 100_000, 1_000_000, n // 3]
    return points + [(f"n = {n:,}", n, k) for k in clusters if k <= n // 3]


BY_NAME = {row.name: row for row in [*ROWS, *WEIGHT_ROWS, *COVER_ROWS, *HIERARCHY_ROWS, *SOFT_ROWS]}
