"""The inner names that tests use, each with its module: if code moves, only this file changes.

    from inner import Profile, chunked

A test goes through the public interface if a user would notice what it checks. Only tests of algorithms that
no public call reaches with reasonable data use inner names, and they import them only from here.
"""

from importlib import import_module

NAMES = {
    "catalogue.index": (
        "Index CATALOGUE_SECTIONS=SECTIONS SOFT_INDICES TREE_INDICES TREE_PARTITION_INDICES all_indices any_index"
    ),
    "catalogue.registry": "Catalogue",
    "cli.columns": "NO_NAMES",
    "cli.commands": "app",
    "cli.options": "FileOptions",
    "cli.sources": "ScannedFile",
    "cli.text": "LoadedFile",
    "core": "DelimitedText JsonLines",
    "counts.arithmetic": "root",
    "counts.availability": "Need",
    "counts.base": "TableSource",
    "counts.conventions": "Conventions",
    "counts.counted": "Counted",
    "counts.differing": "Differing",
    "counts.elements": "Elements ShuffledElements",
    "counts.information": "ClusterSizes Information",
    "counts.logarithms": "LOG_BITS fixed_log",
    "counts.overlaps": "Matches Nearest Neighbours Pieces",
    "counts.pairs": "Pairs ViewCounts",
    "counts.partial_overlap": "PartialOverlap",
    "counts.profile": "Profile",
    "counts.saved": "saved_as_text=as_text",
    "counts.spelling": "percent percents printable quoted",
    "counts.table": "Table",
    "differences.components": "components_of",
    "engines.batch_cells": "CellSum",
    "engines.gpu.kernels": "SMALL Window WindowCounts",
    "engines.tables.job": "count",
    "engines.tables.overlaps": "engine_table",
    "engines.tables.values": "TIMES from_number from_text",
    "hierarchies.drawing": "displacement",
    "hierarchies.null_moments": "correlation_moments",
    "hierarchies.tree_pair": "RootedTree TreePair",
    "indices.diff": "DIFF_INDICES",
    "indices.attributes": "CALLS_ELSEWHERE",
    "indices.cover_information": "_by_digits _by_powers",
    "indices.cover_views": "PairHistogram",
    "indices.dirichlet": "DirichletReduced",
    "indices.orders": "Orders",
    "many.question_draws": "run_cells",
    "partitions.missing": "ABSENT NOISE NULL Policy",
    "partitions.whole_file": "whole_file write_whole",
    "report.charts.curves": "thinned",
    "report.charts.tanglegram": "FacingTrees",
    "report.layout": "average_linkage classical_scaling",
    "report.sentences": "dominant_errors",
    "results": "Result",
    "soft.gram": "gram_of",
    "soft.mantel": "mantel_sums together",
    "soft.memberships": "UNITS",
    "soft.pairs": "DistinctRows expected_difference",
    "soft.records": "moved_weights",
    "trust.adjusted": "pair_moments",
    "trust.corrections": "holm",
    "trust.design": "design",
    "trust.difference": "PairedSpread difference_of signed",
    "trust.ends": "ends gamma_ends",
    "trust.entropies": "EntropySample IndependenceTest entropy_correction entropy_target",
    "trust.judged_rates": "JudgeErrors JudgedShare krippendorff_alpha mean_limits rate_limits sum_limits",
    "trust.measures": "largest_loss measure",
    "trust.moments": "log_bound moments squared_steps",
    "trust.pair_draws": "precision_strata",
    "trust.pair_intervals": "moves_without standard_error worst_and_gain",
    "trust.paired": "PairedCounts",
    "trust.permutations": "random_sizes",
    "trust.record_intervals": "PARTNERS",
    "trust.swaps": "MixedCounts _is_of_sums _values all_choices least_p max_t random_choices swap_p",
    "trust.tails": """
        clopper_pearson gamma_quantile log_gamma_tails log_student_tails log_upper_normal log_upper_pearson
        student_quantile
    """,
    "trust.without_self_pairs": "BCUBED bcubed_without_self_pairs",
    "views.assignment": "Assignment",
    "views.chance": "Swapped",
    "views.contingency_enumeration": "ExpectedJaccard Total tails totals",
    "views.costs": "JoinComponents",
    "views.mantel": "MantelSums mantel_moments",
    "views.objects": "Objects",
    "views.small_side": "n11_ways overlap_log_tails",
    "views.table_counts": "Microcanonical Reduced",
}
# Modules whose limits tests lower, or whose functions they replace; a name before = is the one in tests.
MODULES = """
    comparisons.sampled_levels counts.cover_counts engines.batch_cells engines.accumulator_files
    engines.execution engines.gpu.counting engines.gpu.device engines.gpu.gram engines.gpu.job
    engines.machine engines.tables.duckdb_files engines.tables.file_join engines.tables.files
    engines.tables.opening engines.tables.queries hierarchies.evaluation hierarchies.grid
    hierarchies.tree_pair partitions.chunked partitions.formats partitions.sources report.report_data
    tables_job=engines.tables.job soft.memberships soft.streamed trust.adjusted
    trust.entropies views.chance views.random_models views.table_counts
"""


def _table():
    """For each name, its module and what it is called there; a module has no name in it."""
    found = {}
    for entry in MODULES.split():
        here, _, module = entry.rpartition("=")
        found[here or module.rpartition(".")[2]] = module, ""
    for module, names in NAMES.items():
        for name in names.split():
            here, _, there = name.partition("=")
            found[here] = module, there or here
    return found


TABLE = _table()


def __getattr__(name):
    if name not in TABLE:
        raise AttributeError(f"{name} is not declared in tests/inner.py")
    module, there = TABLE[name]
    module = import_module(f"concordant.{module}")
    return getattr(module, there) if there else module
