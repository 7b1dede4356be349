"""A small example of each public class, and arguments for the methods that need some.

The grammar test begins with these objects, reads every property, calls every method, and looks into what they
return. So this file has only classes that nothing else returns, and arguments that cannot be guessed.
"""

import tempfile
from fractions import Fraction
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd

import concordant as cc

RECORDS = [f"r{number}" for number in range(8)]
REFERENCE = dict(zip(RECORDS, "aabbccdd", strict=True))
BEFORE = dict(zip(RECORDS, "xxxyyzzz", strict=True))
AFTER = dict(zip(RECORDS, "xxyyyzzw", strict=True))
CLUSTERINGS = {"first": REFERENCE, "second": BEFORE, "third": AFTER}
TABLE = pd.DataFrame({"record": RECORDS, **{name: [*each.values()] for name, each in CLUSTERINGS.items()}})
GROUPS = dict(zip(RECORDS, "mmmmnnnn", strict=True))
LINKAGE = [[0, 1, 0.1, 2], [2, 3, 0.2, 2], [4, 5, 0.3, 2], [6, 7, 0.4, 2], [8, 9, 0.5, 4], [10, 11, 0.6, 4]]
LINKAGE.append([12, 13, 0.9, 8])
OTHER = [[0, 2, 0.1, 2], [1, 3, 0.2, 2], [4, 6, 0.3, 2], [5, 7, 0.4, 2], [8, 9, 0.5, 4], [10, 11, 0.6, 4]]
OTHER.append([12, 13, 0.9, 8])
HALF, QUARTER = Fraction(1, 2), Fraction(1, 4)
WEIGHTS = {record: {"p": HALF, "q": HALF} if record == "r2" else {"p": 1} for record in RECORDS[:4]} | {
    record: {"q": 1 - QUARTER, "s": QUARTER} for record in RECORDS[4:]
}
MENTIONS = [[{"a", "b"}, {"c"}]], [[{"a", "b", "c"}]]


@cache
def folder():
    """A folder for files that methods write, removed at the end."""
    return tempfile.TemporaryDirectory()


def path(name):
    """A file in that folder."""
    return Path(folder().name) / name


def live():
    return cc.compare(REFERENCE, BEFORE).live().update("a", "x")


def written(name):
    """A clustering as a file."""
    return EXAMPLES[name]().write(path(f"{name}.csv"))


def questions():
    return cc.diff(BEFORE, AFTER).ask(n_questions=6)


def judgements():
    asked = questions()
    answers = [{"question": each.question, "same": "yes"} for each in asked.questions]
    return cc.diff(BEFORE, AFTER, reference=REFERENCE).judged(answers, questions=asked)


def hierarchy_comparison():
    return cc.compare(*(cc.Hierarchy.from_linkage(each, records=RECORDS) for each in (LINKAGE, OTHER)))


def thresholds():
    return cc.compare(REFERENCE, cc.Hierarchy.from_linkage(LINKAGE, records=RECORDS))


def audited():
    """An audit, its questions, and answers to them by the reference."""
    found = cc.audit(BEFORE)
    asked = found.ask(n_questions=9)
    same = {True: "yes", False: "no"}
    rows = [
        {"question": q.question, "same": same[REFERENCE[q.record_a] == REFERENCE[q.record_b]]} for q in asked
    ]
    return found, asked, rows


# An example of each class of `concordant.__all__`, and of classes that only certain inputs give, by any name.
EXAMPLES = {
    "Audit": lambda: cc.audit(BEFORE),
    "Comparison": lambda: cc.compare(REFERENCE, BEFORE),
    "Consensus": lambda: cc.consensus(CLUSTERINGS),
    "Coreference": lambda: cc.coreference(*MENTIONS),
    "Cover": lambda: cc.Cover.from_clusters([RECORDS[:4], RECORDS[3:]]),
    "Diff": lambda: cc.diff(BEFORE, AFTER, reference=REFERENCE),
    "Live": live,
    "Estimates": lambda: cc.estimate(
        dict(list(REFERENCE.items())[:6]), BEFORE, sampling="clusters", population=4
    ),
    "Hierarchy": lambda: cc.Hierarchy.from_linkage(LINKAGE, records=RECORDS),
    "HierarchyComparison": hierarchy_comparison,
    "Matrix": lambda: cc.matrix(CLUSTERINGS),
    "Partition": lambda: cc.Partition.from_mapping(REFERENCE),
    "Ranking": lambda: cc.rank(REFERENCE, {"before": BEFORE, "after": AFTER}),
    "MultiReference": lambda: cc.compare_references([REFERENCE, AFTER], BEFORE),
    "Resolutions": lambda: cc.stability_over(
        {"two": [list("aabb")] * 2 + [list("abbb")], "all": [[0] * 4] * 3}
    ),
    "Soft": lambda: cc.Soft.from_mapping(WEIGHTS),
    "SoftComparison": lambda: cc.compare(REFERENCE, cc.Soft.from_mapping(WEIGHTS)),
    "Stability": lambda: cc.stability(CLUSTERINGS),
    "Track": lambda: cc.track(CLUSTERINGS),
    "Scorer": cc.scorer,
    "Explanation": lambda: cc.explain("adjusted_rand"),
    "SampleSize": lambda: cc.sample_size([1, 2, 3], sampling="records"),
    "Thresholds": thresholds,
    "ObjectScores": lambda: cc.compare(np.array([[1, 1], [2, 2]]), np.array([[1, 0], [2, 2]])).objects(),
    "Display": lambda: cc.compare(REFERENCE, BEFORE).plot(),
    "Questions": questions,
    "Judgements": judgements,
}

# Classes whose objects change: each call gets an object of its own.
CHANGE = {
    "Live": live,
    "Suggestions": lambda: cc.compare(REFERENCE, BEFORE).suggest(),
    "Suggestion": lambda: cc.compare(REFERENCE, BEFORE).suggest()[0],
}

# Arguments of methods that have required parameters, or that show nothing with their defaults. Those of a
# name alone serve all classes.
ARGUMENTS = {
    "adjusted": {"index": "rand"},
    "interval": {"index": "rand"},
    "significance": {"index": "rand"},
    "exact": {"index": "rand"},
    "Live.exact": {"index": "rand"},
    "get": {"index": "rand"},
    "load": None,  # its file is written by `save`
    "save": {"path": path("saved")},
    "to_html": {"path": path("page.html")},
    "Audit.judged": lambda: {"answers": audited()[2], "questions": audited()[1]},
    "Comparison.slices": {"by": GROUPS},
    "Comparison.from_contingency": {"table": [[2, 1], [0, 2]]},
    "Comparison.over_edges": {"edges": [("r0", "r1"), ("r1", "r2")]},
    "Comparison.versus": lambda: {"other": cc.compare(REFERENCE, AFTER), "index": "bcubed_f"},
    "Comparison.what_if": {"merge": ["y", "z"]},
    "Comparison.within_sources": {"between": GROUPS},
    "Consensus.compare": {"clustering": "first"},
    "Diff.difference": {"index": "bcubed_f"},
    "Cover.from_clusters": {"clusters": [RECORDS]},
    "Cover.from_mapping": {"clusters": {"r0": ["p", "q"]}},
    "Cover.from_matrix": {"matrix": [[1, 0], [1, 1]]},
    "Cover.from_frame": {"frame": TABLE, "record": "record", "cluster": "first"},
    "Cover.of": {"x": [set(RECORDS[:4]), set(RECORDS[3:])]},
    "Cover.read": lambda: {"path": written("Cover")},
    "Cover.same_clusters": lambda: {"other": EXAMPLES["Cover"]()},
    "Cover.scan": lambda: {"path": written("Cover")},
    "Coreference.get": {"index": "muc"},
    "Diff.slices": {"by": GROUPS},
    "Diff.exact": {"index": "split_rate"},
    "Diff.get": {"index": "split_rate"},
    "Diff.judged": lambda: {
        "answers": [{"question": each.question, "same": "yes"} for each in questions().questions],
        "questions": questions(),
    },
    "Documents.get": {"value": "no such document"},
    "Estimates.get": {"index": "recall"},
    "Estimates.needed": {"within": 0.1},
    "Estimates.versus": lambda: {"other": EXAMPLES["Estimates"](), "index": "recall"},
    "Hierarchy.cut": {"n_clusters": 4},
    "Hierarchy.level_at": {"n_clusters": 4},
    "Hierarchy.from_children": {"children": [[0, 1], [2, 3]], "heights": [1.0, 2.0]},
    "Hierarchy.from_condensed": {
        "tree": np.array(
            [(3, 0, 1.0, 1), (3, 1, 1.0, 1), (3, 2, 1.0, 1)],
            [("parent", int), ("child", int), ("lambda_val", float), ("child_size", int)],
        )
    },
    "Hierarchy.from_hclust": {"merge": [[-1, -2], [1, -3]], "height": [1, 2]},
    "Hierarchy.from_levels": {"levels": {"fine": [0, 1, 2, 2], "coarse": [0, 0, 1, 1]}},
    "Hierarchy.from_linkage": {"linkage": LINKAGE},
    "Hierarchy.from_nested": {"tree": [["a", "b"], "c"]},
    "Hierarchy.from_newick": {"tree": "((a,b),c);"},
    "Hierarchy.from_pairs": {
        "pairs": pd.DataFrame({"left": ["a", "c"], "right": ["b", "d"], "score": [0.9, 0.5]}),
        "left": "left",
        "right": "right",
        "score": "score",
    },
    "Hierarchy.from_parents": {"parents": {"lynx": "cats", "puma": "cats", "wolf": "dogs"}},
    "Hierarchy.of": {"x": np.array(LINKAGE, dtype=float)},
    "Hierarchy.from_frame": lambda: {"frame": EXAMPLES["Hierarchy"]().to_frame("pandas")},
    "Hierarchy.read": lambda: {"path": written("Hierarchy")},
    "Hierarchy.same_clusters": lambda: {"other": EXAMPLES["Hierarchy"]()},
    "Hierarchy.scan": lambda: {"path": written("Hierarchy")},
    "Hierarchy.take": {"leaves": [0, 1, 2]},
    "HierarchyComparison.curve": {"index": "rand"},
    "HierarchyComparison.cuts": {"index": "rand"},
    "HierarchyComparison.exact": {"index": "shared_cluster_recall"},
    "HierarchyComparison.get": {"index": "cophenetic_correlation"},
    "HierarchyComparison.significance": {},
    "HierarchyComparison.joined": {"level": 1},
    "HierarchyComparison.at": {"n_clusters": 2},
    "Judgements.get": {"index": "split_rate"},
    "Live.add": {"reference": "a", "candidate": "x", "record": "new"},
    "Live.extend": lambda: {"other": cc.Live().add(["a"], ["x"])},
    "Live.edit": {"merge": ["y", "z"]},
    "Live.merge": None,  # takes the clusters by position
    "Live.move": {"record": "r0", "to": "y"},
    "Live.remove": {"record": "r0"},
    "Live.revert": {"y_true": "a", "y_pred": "x"},
    "Live.split": {"records": ["r0"]},
    "Live.update": {"y_true": "a", "y_pred": "x"},
    "Live.where": {"record": "r0"},
    "Live.get": {"index": "rand"},
    "Matrix.ranking": {"reference": "first"},
    "MultiReference.each": {"index": "rand"},
    "Partition.from_change_points": {"points": [2], "size": 4},
    "Partition.from_clusters": {"clusters": [RECORDS]},
    "Partition.from_frame": {"frame": TABLE, "cluster": "first", "record": "record"},
    "Partition.from_labels": {"labels": list("aab")},
    "Partition.from_mapping": {"clusters": REFERENCE},
    "Partition.from_segments": {
        "segments": pd.DataFrame({"start": [0, 1], "end": [1, 2], "cluster": ["a", "b"]})
    },
    "Partition.of": {"x": REFERENCE},
    "Partition.read": lambda: {"path": written("Partition")},
    "Partition.same_clusters": lambda: {"other": EXAMPLES["Partition"]()},
    "Partition.scan": lambda: {"path": written("Partition")},
    "Ranking.order": {"index": "bcubed_f"},
    "Relabelled.apply": {"labels": list(BEFORE.values())},
    "Suggestions.make_all": None,  # takes one of its groups
    "Slices.exact": {"value": "m", "index": "bcubed_f"},
    "Slices.label": {"value": "m"},
    "Slices.pairs": {"value": "m"},
    "Slices.whole": {"index": "bcubed_f"},
    "Soft.from_mapping": {"weights": WEIGHTS},
    "Soft.from_matrix": {"matrix": [[0.5, 0.5], [1, 0]]},
    "Soft.from_frame": {
        "frame": pd.DataFrame({"record": [1, 1], "cluster": ["p", "q"], "weight": [0.5, 0.5]}),
        "record": "record",
        "cluster": "cluster",
        "weight": "weight",
    },
    "Soft.of": {"x": WEIGHTS},
    "Soft.read": lambda: {"path": written("Soft")},
    "Soft.same_clusters": lambda: {"other": EXAMPLES["Soft"]()},
    "Soft.scan": lambda: {"path": written("Soft")},
    "SoftComparison.sampled": {"index": "soft_rand"},
    "SoftComparison.exact": {"index": "soft_rand"},
    "SoftComparison.get": {"index": "soft_rand"},
    "SoftComparison.significance": {},
}


@cache
def files():
    """The clusterings as files, and scored pairs."""
    for name, clusters in CLUSTERINGS.items():
        pd.DataFrame({"record": clusters.keys(), "cluster": clusters.values()}).to_csv(
            path(f"{name}.csv"), index=False
        )
    pd.DataFrame(
        {"left": RECORDS[:-1], "right": RECORDS[1:], "score": [0.9, 0.2, 0.8, 0.4, 0.7, 0.3, 0.6]}
    ).to_csv(path("pairs.csv"), index=False)
    _, asked, rows = audited()
    asked.save(path("audited.csv"))
    pd.DataFrame(rows).to_csv(path("audited.csv"), index=False)
    path("reference.nwk").write_text("((r0,r1),(r2,r3));")
    path("candidate.nwk").write_text("((r0,r2),(r1,r3));")
    return {name: path(f"{name}.csv") for name in (*CLUSTERINGS, "pairs", "audited")}


def command_arguments(name):
    """The arguments and options of an example of a command that reads clusterings."""
    first, second, third, pairs, _ = files().values()
    return {
        "compare": [first, second],
        "suggest": [first, second],
        "components": [first, second],
        "diff": [second, third, "--reference", first],
        "ask": [second, third, "--questions", path("questions.csv")],
        "audit": [second, "--answers", path("audited.csv")],
        "rank": [first, f"b={second}", f"c={third}"],
        "thresholds": [first, pairs, "--left", "left", "--right", "right", "--score", "score"],
        "trees": [path("reference.nwk"), path("candidate.nwk")],
        "estimate": [first, second, "--sampling", "clusters"],
        "sample-size": [first, "--sampling", "records"],
    }.get(name, [first, second, third])
