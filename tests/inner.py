"""The inner names that tests use, each with its module: if code moves, only this file changes.

    from inner import Profile, chunked

A test goes through the public interface if a user would notice what it checks. Only tests of algorithms that
no public call reaches with reasonable data use inner names, and they import them only from here.
"""

from importlib import import_module

NAMES = {
    "cli": "comments",
    "cli.columns": "NO_NAMES",
    "cli.commands": "app",
    "cli.files": "LoadedFile ScannedFile",
    "cli.options": "FileOptions",
    "clusterings.clustering": "data_of",
    "clusterings.missing": "ABSENT NOISE NULL",
    "core": "DelimitedText JsonLines",
    "counts.arithmetic": "fixed_log LOG_BITS root sum_of_ratios",
    "counts.assignment": "Assignment",
    "counts.base": "Need TableSource",
    "counts.chance": "Swapped",
    "counts.contingency_enumeration": "ExpectedJaccard n11_ways overlap_log_tails tails totals",
    "counts.conventions": "Conventions",
    "counts.costs": "JoinComponents",
    "counts.counted": "Counted",
    "counts.elements": "Elements ShuffledElements",
    "counts.input_options": "input_options InputOptions listed_options OPTIONS refused_by",
    "counts.information": "ClusterSizes Information",
    "counts.mantel": "mantel_moments MantelSums",
    "counts.memberships": "UNITS",
    "counts.objects": "Objects",
    "counts.overlaps": "Differing Matches Nearest Neighbours Pieces",
    "counts.pairs": "PairCounts ViewCounts",
    "counts.partial_overlap": "PartialOverlap",
    "counts.profile": "Profile",
    "counts.saved": "saved_as_text=as_text",
    "counts.soft": "gram_of",
    "counts.soft_pairs": "DistinctRows expected_difference",
    "counts.spelling": "percent printable quoted",
    "counts.table": "Cells",
    "counts.table_counts": "Microcanonical Reduced",
    "counts.tree_pair": "RootedTree TreePair",
    "differences.soft_records": "moved_weights",
    "differences.tanglegrams": "displacement",
    "engines.batch_cells": "CellSum",
    "engines.gpu.kernels": "SMALL Window WindowCounts",
    "engines.tables.job": "count",
    "engines.tables.overlaps": "engine_table",
    "indices.attributes": "CALLS_ELSEWHERE",
    "indices.catalogue": "Catalogue",
    "indices.cover_information": "_by_digits _by_powers",
    "indices.cover_views": "PairHistogram",
    "indices.diff": "DIFF_INDICES",
    "indices.dirichlet": "DirichletReduced",
    "indices.index": "all_indices any_index CATALOGUE_SECTIONS=SECTIONS Index INDICES",
    "indices.orders": "Orders",
    "indices.soft": "SOFT_INDICES",
    "indices.trees": "TREE_INDICES TREE_PARTITION_INDICES",
    "kinds": "KINDS register_kind=register named_object=use",
    "many.chance_matches": "mean_best_match",
    "report.charts.chart": "Display",
    "report.charts.curves": "thinned",
    "report.charts.tanglegram": "FacingTrees",
    "report.layout": "average_linkage classical_scaling",
    "report.sentences": "dominant_errors",
    "results": "Result",
    "sources.formats.reader": "Reader",
    "sources.values": "from_number from_text TIMES",
    "sources.writing": "whole_file write_whole",
    "trust.design": "design",
    "trust.difference": "difference_of holm PairedSpread signed",
    "trust.ends": "ends gamma_ends unseen_high widenings",
    "trust.entropies": "entropy_correction entropy_target EntropySample IndependenceTest",
    "trust.flips": "Flips UnitShares",
    "trust.judged_rates": "JudgedShare JudgeErrors krippendorff_alpha rate_limits sum_limits",
    "trust.measures": "measure unseen_loss",
    "trust.moments": "log_bound moments squared_steps",
    "trust.pair_draws": "merge_strata precision_strata run_cells",
    "trust.pair_intervals": "moves_without standard_error worst_and_gain",
    "trust.paired": "PairedCounts",
    "trust.record_intervals": "PARTNERS",
    "trust.slice_tests": "SlicedComponents",
    "trust.soft_moments": "mantel_sums together",
    "trust.tails": (
        "clopper_pearson gamma_quantile log_gamma_tails log_student_tails log_upper_normal "
        "log_upper_pearson student_quantile"
    ),
    "trust.units": "population_ends unit_shares UnitSample",
    "trust.tree_moments": "correlation_moments",
    "trust.without_self_pairs": "BCUBED bcubed_without_self_pairs",
}
# Modules whose limits tests lower, or whose functions they replace; a name before = is the one in tests.
MODULES = """
    comparisons.sampled_levels counts.cover_counts engines.batch_cells
    sources.execution engines.gpu.counting clusterings.device engines.gpu.job
    sources.machine sources.duckdb_files engines.tables.core_join sources.files
    engines.tables.queries sources.relations evaluation=indices.cuts grid=engines.trees
    counts.tree_pair clusterings.chunked sources.formats sources=sources.descriptions report.report_data
    tables_job=engines.tables.job counts.memberships trust.adjusted
    trust.entropies counts.chance counts.random_models counts.table_counts clusterings.scored_pairs
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
