"""The documentation's statements about other libraries, as calls with their results.

`make peers` runs each of them. docs/migration.md has the statements.
tests/peers/test_peer_statements.py defines the names that are not modules, such as ``clusim`` and ``cover``.
"""

from __future__ import annotations

from typing import NamedTuple

VERSIONS = {
    "CluSim": ("clusim", "0.4"),
    "clustering-mi": ("clustering-mi", "0.2.2"),
    "er-evaluation": ("er-evaluation", "2.3.0"),
    "genieclust": ("genieclust", "1.3.0"),
    "igraph": ("igraph", "1.0.0"),
    "NetworKit": ("networkit", "11.2"),
    "partition-igraph": ("partition-igraph", "0.0.8"),
    "PyCM": ("pycm", "4.6"),
    "river": ("river", "0.26.1"),
    "scikit-image": ("scikit-image", "0.26.0"),
    "scikit-learn": ("scikit-learn", "1.9.1"),
    "scorch": ("scorch", "0.2.0"),
    "torchmetrics": ("torchmetrics", "1.9.0"),
}


class Statement(NamedTuple):
    """A call of another library, its result, and ours: a value, or the name of an error."""

    peer: str
    call: str
    theirs: float | str
    ours: str  # a call of concordant
    value: float


_U, _V = "[0, 0, 1, 1, 2]", "[0, 0, 1, 1, 1]"
_SKEW = "[0, 0, 0, 1, 2], [0, 0, 1, 1, 1]"
_ONE, _ALONE = "[0, 0, 0], [0, 0, 0]", "[0, 1, 2], [0, 1, 2]"
_REPEATED = "cover([{0, 1, 2}], 6), cover([{0, 1, 2}, {0, 1, 2}], 6)"
_NAN = float("nan")
_PAIR = "[0, 0, 0, 1, 2]", "[0, 0, 1, 1, 1]"
_SAME, _ONE_BY_ONE = ("[0, 0, 1]", "[0, 0, 1]"), ("[0, 0, 0]", "[0, 0, 0]")
_CLUSTERS, _NAMES = "[1, 1, 2, 3, 2, 4, 4, 4]", "[1, 2, 3, 4, 3, 1, 2, 8]"  # its own example
_CMI = "[1, 1, 1, 2, 2, 2, 2, 2], [1, 1, 2, 2, 2, 3, 3, 3]"  # of its tests
_TRIANGLES = "[0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 1, 1]"
_JOINED = "[(0, 1), (1, 2), (0, 2), (2, 3), (3, 4), (4, 5), (3, 5)]"
_MANY = "[i % 10 for i in range(10**5)], [(i + (i % 100 == 0)) % 10 for i in range(10**5)]"
_AMI = -0.07917711359245032

STATEMENTS = [
    *(
        Statement("genieclust", f"genieclust.{name}({u}, {v})", "RuntimeError", f"cc.{ours}({u}, {v})", value)
        for name, ours, values in (
            ("normalized_clustering_accuracy", "normalised_clustering_accuracy", (0.5, 2 / 3)),
            ("normalized_pivoted_accuracy", "normalised_pivoted_accuracy", (0.7, 0.7)),
            ("compare_partitions", "simplified_pair_sets_index", (1 / 3, 1 / 3)),
        )
        for (u, v), value in zip(((_U, _V), (_V, _U)), values, strict=True)
    ),
    Statement(
        "genieclust",
        f"genieclust.pair_sets_index({_U}, {_V}, simplified=True)",
        1 / 3,
        f"cc.simplified_pair_sets_index({_U}, {_V})",
        1 / 3,
    ),
    Statement(
        "genieclust",
        "genieclust.pair_sets_index([0, 0, 5, 5, 9], [0, 0, 1, 2, 2])",
        1 / 9,
        "cc.pair_sets_index([0, 0, 5, 5, 9], [0, 0, 1, 2, 2])",
        0.5,
    ),
    *(
        Statement("genieclust", f"genieclust.{name}({given})", _NAN, f"cc.{ours}({given})", 1)
        for name, ours, given in (
            ("adjusted_rand_score", "adjusted_rand", _ONE),
            ("adjusted_fm_score", "adjusted_fowlkes_mallows", _ONE),
            ("fm_score", "fowlkes_mallows", _ALONE),
            ("adjusted_mi_score", "adjusted_mutual_information", _ONE),
            ("normalized_mi_score", "nmi_arithmetic", _ONE),
            ("pair_sets_index", "pair_sets_index", _ONE),
            ("normalized_clustering_accuracy", "normalised_clustering_accuracy", _ONE),
            ("normalized_pivoted_accuracy", "normalised_pivoted_accuracy", _ONE),
        )
    ),
    Statement(
        "CluSim",
        "sim.rmi(clusim(range(30)), clusim(range(30)))",
        -6.930979476717965,
        "cc.reduced_mutual_information(list(range(30)), list(range(30)))",
        0,
    ),
    Statement(
        "CluSim",
        "sim.onmi(clusim_cover([{0, 1, 2}]), clusim_cover([{0, 1}, {2}]))",
        float("inf"),
        "cc.onmi_lfk(cover([{0, 1, 2}], 3), cover([{0, 1}, {2}], 3))",
        0,
    ),
    *(
        Statement("CluSim", f"sim.{name}(clusim({u}), clusim({v}){option})", theirs, f"cc.{ours}", value)
        for (u, v), name, option, theirs, ours, value in (
            (_ONE_BY_ONE, "adjrand_index", "", 0, f"adjusted_rand({_ONE})", 1),
            (_PAIR, "mi", "", 0.419973094021975, f"mutual_information({_SKEW}, base=2)", 0.419973094021975),
            (
                _PAIR,
                "vi",
                "",
                1.5019550008653875,
                f"variation_of_information({_SKEW}, base=2)",
                1.5019550008653875,
            ),
            (_PAIR[::-1], "purity_index", "", 0.6, f"purity({', '.join(_PAIR[::-1])})", 0.8),
            (_PAIR, "southwood_index", "", 0.2, f"southwood({_SKEW})", 0.2),
            (_SAME, "southwood_index", "", 1, f"southwood({', '.join(_SAME)})", float("inf")),
            (_PAIR, "pearson_correlation", "", -1 / 252, f"phi({_SKEW})", -0.0890870806374748),
            (_PAIR, "element_sim", "", 7 / 15, f"element_centric({_SKEW})", 7 / 15),
            (_PAIR, "geometric_accuracy", "", 0.48**0.5, f"brohee_accuracy({_SKEW})", 0.48**0.5),
            (_PAIR, "adj_mi", "", _AMI, f"adjusted_mutual_information({_SKEW})", _AMI),
            (
                _PAIR,
                "adj_mi",
                ", logbase=10",
                1.32213873955702,
                f"adjusted_mutual_information({_SKEW})",
                _AMI,
            ),
        )
    ),
    Statement(
        "CluSim",
        "sim.element_sim(clusim_cover([{0, 1}, {1, 2}]), clusim_cover([{0, 1, 2}]))",
        "AttributeError",
        "cc.overlapping_element_centric(cover([{0, 1}, {1, 2}], 3), cover([{0, 1, 2}], 3))",
        5 / 6,
    ),
    Statement(
        "CluSim", "sim.jaccard_index(clusim(range(3)), clusim(range(3)))", 0, f"cc.jaccard({_ALONE})", 1
    ),
    Statement(
        "CluSim",
        "sim.omega_index(clusim_cover([{0, 1, 2}]), clusim_cover([{0, 1, 2}]))",
        _NAN,
        "cc.omega(cover([{0, 1, 2}], 3), cover([{0, 1, 2}], 3))",
        1,
    ),
    *(
        Statement("PyCM", f"hasattr(pycm.DistanceType, {name!r})", 0, f"{ours!r} in cc.INDICES", 1)
        for name, ours in (
            ("Michael", "michael"),
            ("Scott", "scott_pi_of_pairs"),
            ("SokalSneathIII", "sokal_sneath_3"),
        )
    ),
    Statement(
        "PyCM",
        "pycm_of([0, 0, 0, 0], [0, 0, 0, 1]).distance(metric=pycm.DistanceType.Anderberg)[1]",
        1 / 4,
        "cc.anderberg_d([0, 0, 0, 0], [0, 0, 0, 1])",
        0,
    ),
    *(
        Statement(
            "PyCM",
            f"pycm_of({_SKEW}).distance(metric=pycm.DistanceType.{name})[1]",
            value,
            f"cc.{ours}({_SKEW})",
            value,
        )
        for name, ours, value in (("Dennis", "dennis", -0.18257418583505536), ("ForbesI", "forbes", 5 / 6))
    ),
    Statement(
        "er-evaluation",
        "ee.pairwise_precision_estimator(series([3, 0, 3, 2, 1, 2, 1, 1]), series({0: 3, 1: 0, 4: 0}), "
        "weights='uniform')[1]",
        _NAN,
        "cc.estimate({0: 3, 1: 0, 4: 0}, dict(enumerate([3, 0, 3, 2, 1, 2, 1, 1])), "
        "sampling='clusters')['precision'].se",
        0,
    ),
    *(
        Statement(
            "er-evaluation",
            f"ee.{name}(series({_PAIR[1]}), series({_PAIR[0]}))",
            theirs,
            f"cc.{ours}({_SKEW})",
            value,
        )
        for name, theirs, ours, value in (
            ("b_cubed_precision", 13 / 27, "bcubed_precision_macro", 13 / 27),
            ("b_cubed_precision", 13 / 27, "bcubed_precision", 0.6),
            ("cluster_homogeneity", 0.3063371471741694, "homogeneity", 0.3063371471741694),
        )
    ),
    *(
        Statement(
            "er-evaluation",
            f"ee.{name}(series([0, 0, 1, 1, 1]), series([0, 0, 1, 2, 3]), beta=2)",
            value,
            f"cc.{ours}([0, 0, 1, 2, 3], [0, 0, 1, 1, 1], beta=2)",
            value,
        )
        for name, ours, value in (("cluster_f", "cluster_f", 5 / 18), ("b_cubed_f", "bcubed_f_macro", 5 / 6))
    ),
    *(
        Statement("er-evaluation", f"ee.{name}(series({_CLUSTERS}), series({_NAMES}))", value, ours, value)
        for name, ours, value in (
            ("homonymy_rate", f"cc.homonymy_rate({_NAMES}, {_CLUSTERS})", 0.5),
            ("name_variation_rate", f"cc.name_variation_rate({_NAMES}, {_CLUSTERS})", 0.5),
        )
    ),
    Statement(
        "clustering-mi",
        f"cmi.mutual_information({_CMI}, variation='traditional')",
        4.2223924213364485,
        f"8 * cc.microcanonical_mutual_information({_CMI}, base=2)",
        4.2223924213364485,
    ),
    *(
        Statement(
            "clustering-mi",
            f"cmi.normalized_mutual_information({_CMI}, variation='traditional', normalization={theirs!r})",
            value,
            f"cc.normalised_microcanonical_mutual_information({_CMI}, mean={ours!r})",
            value,
        )
        for theirs, ours, value in (
            ("first", "reference", 0.7270766946409419),
            ("second", "candidate", 0.4625108470730088),
            ("mean", "arithmetic", 0.5653738731004427),
            ("geometric", "geometric", 0.5798972822193818),
        )
    ),
    Statement("NetworKit", f"networkit_onmi('MIN', {_REPEATED})", 0, f"cc.onmi_min({_REPEATED})", 1.5),
    *(
        Statement("NetworKit", f"networkit({name!r}, {_SKEW})", theirs, f"1 - cc.{ours}({_SKEW})", theirs)
        for name, ours, theirs in (
            ("AdjustedRandMeasure", "adjusted_rand", 1.0869565217391304),
            ("NodeStructuralRandMeasure", "rand", 0.5),
            ("JaccardMeasure", "jaccard", 5 / 6),
            ("NMIDistance", "nmi_arithmetic", 0.6413400394424297),
        )
    ),
    Statement(
        "NetworKit", f"networkit('GraphStructuralRandMeasure', {_SKEW})", 0, f"1 - cc.rand({_SKEW})", 0.5
    ),
    *(
        Statement("river", f"river.{name}, {_SKEW}", theirs, f"cc.{ours}({_SKEW})", theirs)
        for name, ours, theirs in (
            ("AdjustedMutualInfo", "adjusted_mutual_information", -0.07917711359245021),
            ("AdjustedRand", "adjusted_rand", -0.08695652173913043),
            ("Completeness", "completeness", 0.43253806776631254),
            ("FowlkesMallows", "fowlkes_mallows", 0.28867513459481287),
            ("Homogeneity", "homogeneity", 0.3063371471741694),
            ("MutualInfo", "mutual_information", 0.29110316603236874),
            ("NormalizedMutualInfo", "nmi_arithmetic", 0.3586599605575703),
            ("Rand", "rand", 0.5),
            ("VBeta", "v_measure", 0.3586599605575702),
        )
    ),
    Statement("river", f"river.FowlkesMallows, {_ALONE}", 0, f"cc.fowlkes_mallows({_ALONE})", 1),
    Statement(
        "scikit-learn", f"sklearn.fowlkes_mallows_score({_ALONE})", 0, f"cc.fowlkes_mallows({_ALONE})", 1
    ),
    Statement(
        "scikit-learn",
        "sklearn.adjusted_mutual_info_score([0, 0, 0, 1, 1], [0, 1, 2, 3, 4], average_method='min')",
        1,
        "cc.adjusted_mutual_information([0, 0, 0, 1, 1], [0, 1, 2, 3, 4], mean='min')",
        0,
    ),
    *(
        Statement(
            "scikit-image",
            f"skimage.variation_of_information(array({_PAIR[0]}), array({_PAIR[1]}))[{place}]",
            value,
            f"cc.{ours}({_SKEW}, base=2)",
            value,
        )
        for place, ours, value in ((0, "vi_split", 0.5509775004326937), (1, "vi_merge", 0.9509775004326938))
    ),
    Statement(
        "scikit-image",
        "skimage.adapted_rand_error(array([1, 1, 2, 2]), array([1, 2, 3, 3]))[1]",
        0.5,
        "cc.precision([1, 1, 2, 2], [1, 2, 3, 3])",
        1,
    ),
    *(
        Statement("igraph", f"igraph.{call}", value, f"cc.{ours}({_SKEW})", value)
        for call, ours, value in (
            (f"compare_communities({_SKEW}, method='vi')", "variation_of_information", 1.0410758741777535),
            (f"compare_communities({_SKEW}, method='split-join')", "split_join", 3),
            (f"split_join_distance({_SKEW})[0]", "projection_distance_of_reference", 1),
            (f"split_join_distance({_SKEW})[1]", "projection_distance_of_candidate", 2),
        )
    ),
    Statement(
        "igraph",
        f"igraph.compare_communities({_ONE}, method='adjusted_rand')",
        _NAN,
        f"cc.adjusted_rand({_ONE})",
        1,
    ),
    *(
        Statement(
            "partition-igraph",
            f"gam({_TRIANGLES}, {_JOINED}, method={method!r}, adjusted={adjusted})",
            value,
            f"cc.compare({_TRIANGLES}).over_edges({_JOINED}, {ours!r})",
            value,
        )
        for method, adjusted, ours, value in (
            ("rand", True, "adjusted_rand", -4 / 17),
            ("rand", False, "rand", 4 / 7),
            ("jaccard", False, "jaccard", 4 / 7),
            ("mn", False, "f_measure", 8 / 11),
        )
    ),
    *(
        Statement("torchmetrics", f"torchmetrics({name!r}, {given})", theirs, f"cc.{ours}({given})", value)
        for name, given, theirs, ours, value in (
            ("AdjustedMutualInfoScore", _ONE, 0, "adjusted_mutual_information", 1),
            ("AdjustedMutualInfoScore", _ALONE, 0, "adjusted_mutual_information", 1),
            ("NormalizedMutualInfoScore", _ONE, 0, "nmi_arithmetic", 1),
            ("FowlkesMallowsIndex", _ALONE, 0, "fowlkes_mallows", 1),
            ("VMeasureScore", "[0, 0, 1, 1], [0, 1, 0, 1]", 1, "v_measure", 0),
            # One record in a hundred is in another cluster; products of pair counts overflow 64 bits.
            ("AdjustedRandScore", _MANY, -40.76858901977539, "adjusted_rand", 0.9789057412607194),
        )
    ),
    Statement(
        "scorch", "scorch.blanc([{1}], [{1}])[2]", 1, "cc.coreference([[{1}]], [[{1}]])['BLANC'].f1", 0
    ),
]
