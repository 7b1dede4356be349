"""The inner names that tests use, each with its module: if code moves, only this file changes.

    from inner import Profile, chunked

A test goes through the public interface if a user would notice what it checks. Only tests of algorithms that
no public call reaches with reasonable data use inner names, and they import them only from here.
"""

from importlib import import_module

NAMES = {
    "cli": "COMMAND_MODULES=MODULES pull_request_comments",
    "cli.columns": "NO_NAMES",
    "cli.commands": "app",
    "cli.files": "LoadedFile ScannedFile",
    "cli.options": "FileOptions",
    "clusterings.clustering": "data_of",
    "clusterings.missing": "ABSENT NOISE NULL",
    "core": "DelimitedText JsonLines",
    "maths.arithmetic": "fixed_log LOG_BITS root sum_of_ratios",
    "counts.assignment": "Assignment",
    "counts.base": "Detail ContingencyLoader",
    "counts.chance": "SwapLoss",
    "counts.contingency_enumeration": "ExpectedJaccard n11_ways overlap_log_tails tails totals",
    "foundation.conventions": "Conventions",
    "counts.pair_costs": "JoinComponents",
    "counts.counted_sides": "CountedSides",
    "counts.element_centric": "Elements ShuffledElements",
    "foundation.input_options": "input_options InputOptions listed_options OPTIONS refused_by",
    "counts.information": "ClusterSizes Information",
    "maths.mantel": "mantel_moments MantelSums",
    "soft.memberships": "UNITS",
    "counts.objects": "Objects",
    "counts.overlaps": "DisagreeingClusters BestOverlaps Nearest Neighbours Pieces",
    "counts.pairs": "PairCounts PartialCounts",
    "counts.partial_overlap": "PartialOverlap",
    "counts.profile": "Profile",
    "counts.serialisation": "saved_as_text=as_text",
    "soft.counts": "gram_of",
    "soft.row_pairs": "DistinctRows expected_difference",
    "foundation.spelling": "percent printable quoted",
    "counts.contingency": "Contingency",
    "counts.number_of_tables": "Microcanonical Reduced",
    "hierarchies.tree_pair": "RootedTree TreePair",
    "soft.records": "moved_weights",
    "hierarchies.tanglegrams": "displacement",
    "engines.batch_cells": "CellSum",
    "engines.gpu.kernels": "SMALL Window WindowCounts",
    "engines.tables.job": "count",
    "engines.tables.overlaps": "engine_table",
    "indices.attributes": "CALLS_ELSEWHERE",
    "indices.catalogue": "Catalogue",
    "indices.cover_information": "_by_digits _by_powers",
    "indices.cover_views": "PairHistogram",
    "versions.indices": "DIFF_INDICES",
    "indices.dirichlet": "DirichletReduced",
    "indices.parameters": "meaning_of",
    "indices.index": "all_indices any_index CATALOGUE_SECTIONS=SECTIONS Index INDICES",
    "indices.q_information": "QInformation",
    "soft.indices": "SOFT_INDICES",
    "hierarchies.indices": "TREE_INDICES TREE_PARTITION_INDICES",
    "foundation.kinds": "KINDS register_kind=register named_object=use",
    "many.chance_matches": "mean_best_match",
    "report.charts.chart": "Display",
    "hierarchies.curve_charts": "thinned",
    "hierarchies.tanglegram_chart": "FacingTrees",
    "report.layout": "average_linkage classical_scaling",
    "report.sentences": "dominant_errors",
    "foundation.results": "as_json Result",
    "sources.formats.reader": "Reader",
    "sources.values": "from_number from_text TIMES",
    "sources.writing": "whole_file write_whole",
    "labelling.design": "design",
    "inference.difference": "difference_of holm PairedSpread signed",
    "inference.bounds": "ends gamma_ends unseen_high widenings",
    "inference.entropies": "entropy_correction entropy_target EntropySample IndependenceTest",
    "inference.sign_flips": "Flips UnitShares",
    "versions.judged_rates": "JudgedShare JudgeErrors krippendorff_alpha rate_limits sum_limits",
    "labelling.cluster_measures": "measure unseen_loss",
    "inference.moments": "log_bound moments squared_steps",
    "versions.pair_draws": "merge_strata precision_strata run_cells",
    "inference.pair_intervals": "moves_without standard_error worst_and_gain",
    "inference.paired": "PairedCounts",
    "inference.record_intervals": "PARTNERS",
    "inference.slice_tests": "SlicedComponents",
    "soft.permutations": "mantel_sums together",
    "maths.tails": (
        "clopper_pearson gamma_quantile log_gamma_tails log_student_tails log_upper_normal "
        "log_upper_pearson student_quantile"
    ),
    "inference.clustered_intervals": "population_ends unit_shares UnitSample",
    "hierarchies.correlation_moments": "correlation_moments",
    "inference.record_mean_intervals": "BCUBED bcubed_without_self_pairs",
}
# Modules whose limits tests lower, or whose functions they replace; a name before = is the one in tests.
MODULES = """
    hierarchies.sampled_levels counts.cover_counts engines.batch_cells
    sources.execution engines.gpu.counting engines.gpu.device engines.gpu.job
    sources.machine sources.duckdb_files engines.tables.core_join sources.files
    engines.tables.queries sources.relations evaluation=hierarchies.cut_values grid=hierarchies.grid
    hierarchies.tree_pair clusterings.chunked sources.formats sources=sources.descriptions report.report_data
    tables_job=engines.tables.job soft.memberships inference.adjusted
    inference.entropies counts.chance counts.random_models table_counts=counts.number_of_tables
    hierarchies.scored_pairs
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
        raise AttributeError(f"{name} is not declared in tests/support/inner.py")
    module, there = TABLE[name]
    module = import_module(f"concordant.{module}")
    return getattr(module, there) if there else module
