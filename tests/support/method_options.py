"""A value of each option of each method that changes the answer or is refused.

Each is tried on the example of builders.py, or on one that shows it. An option that changes only how an
answer is computed gets a value that it has to refuse.
"""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import builders
import numpy as np
import pandas as pd
import polars as pl
import subjects
from builders import CLUSTERINGS, EXAMPLES, GROUPS, RECORDS, REFERENCE
from inner import Display

import concordant as cc
from concordant.errors import ConcordantError


def case(value, *, on=None, **beside):
    """A value of an option, with the arguments that it needs, or on an example of its own."""
    return SimpleNamespace(value=value, on=on and cache(on), beside=beside)


def file_of(name, **columns):
    path = builders.path(name)
    pd.DataFrame(columns).to_csv(path, index=False)
    return path


MANY = [f"r{number}" for number in range(40)]
FOURS = {record: number // 4 for number, record in enumerate(MANY)}
MIXED = {record: number * number // 5 % 9 for number, record in enumerate(MANY)}
PAIRS = {record: number // 2 for number, record in enumerate(MANY)}
LETTERS = dict(zip(MANY, "abcde" * 8, strict=True))
DETAILS = pd.DataFrame(
    {"key": RECORDS, "city": list("ppqqppqq"), "picture": ["data:image/png;base64,AA=="] * 8, "name": RECORDS}
)
GOLD = pd.DataFrame({"record_a": ["r0"], "record_b": ["r1"], "same": ["yes"]})
TIED = [[0, 1, 0.1, 2], [3, 2, 0.1, 3]]
QUARTERS = {"record": ["a", "a"], "cluster": ["p", "q"], "weight": [0.5, 0.25]}
QUARTER_FILE = file_of("quarters.csv", **QUARTERS)
FAMILY = {
    "lynx": "cats",
    "puma": "cats",
    "cats": "mammals",
    "wolf": "mammals",
    "ant": "insects",
    "bee": "insects",
}
FAMILY |= {"mammals": "animals", "insects": "animals"}
PARENTS = pd.DataFrame({"node": ["a", "b"], "parent": ["c", "c"], "other": ["d", "e"]})
LEVELS = pd.DataFrame({"id": [3, 4, 5], "fine": ["a", None, "b"], "coarse": ["x", "x", "x"]})
IMAGES = np.array([[1, 1, 2], [1, 3, 2]]), np.array([[1, 1, 1], [2, 2, 2]])


def mixed():
    return cc.compare(FOURS, MIXED)


def by_chance():
    return cc.compare(LETTERS, MIXED)


def of_pairs(parity):
    """Every second pair is whole, the others are split."""
    return cc.compare(PAIRS, {r: (pair, r if pair % 2 == parity else pair) for r, pair in PAIRS.items()})


def estimated(parity):
    """Most pairs are labelled, and every third one is split."""
    sample = {record: pair for record, pair in PAIRS.items() if pair < 17}
    split = {r: (pair, r if pair % 3 == parity else pair) for r, pair in PAIRS.items()}
    return cc.estimate(sample, split, sampling="clusters")


def lopsided():
    """A cluster is split, and two others are merged."""
    return cc.compare(list("aaaaaabbbbccc"), list("xxxxyyzzzzzzz"))


def audit_of_many():
    return cc.audit({record: number // 5 for number, record in enumerate(MANY)})


def two_versions():
    """Two versions with a new record and a new id."""
    return cc.diff({"p": 1, "q": 2}, {"p": 1, "q": 3, "r": 1}, unmatched="drop")


def diff_with_noise():
    before = {record: number // 3 for number, record in enumerate(MANY)}
    after = {record: number // 2 if number < 20 else number // 5 for number, record in enumerate(MANY)}
    return cc.diff(before, after, reference=FOURS)


def of_twins(step):
    """Estimates of a candidate that splits a part of the pairs, from more clusters than are all flipped."""
    twins = {record: number // 2 for number, record in enumerate(MANY)}
    candidate = {r: r if number % (2 * step) == 0 else twins[r] for number, r in enumerate(MANY)}
    return cc.estimate({r: twins[r] for r in MANY[:36]}, candidate, sampling="clusters")


def larger_estimates():
    sample = {record: number // 4 for number, record in enumerate(MANY[:24])}
    return cc.estimate(
        sample, {r: MIXED[r] if i % 3 == 0 else i // 4 for i, r in enumerate(MANY)}, sampling="clusters"
    )


def two_indices():
    return cc.matrix(CLUSTERINGS, ["rand", "jaccard"])


def soft():
    weights = [0.9, 0.2, 0.6, 0.1, 0.7, 0.3, 0.35, 0.8, 0.55, 0.45, 0.15, 0.65]
    reference = {f"s{number}": number % 2 for number in range(12)}
    return cc.compare(
        reference,
        cc.Soft.from_mapping({s: {"p": w, "q": 1 - w} for s, w in zip(reference, weights, strict=True)}),
    )


def large_trees():
    orders = [range(12), [5, 2, 9, 0, 11, 7, 3, 8, 1, 10, 6, 4]]
    return cc.compare(
        *(
            cc.Hierarchy.from_nested(
                [[[order[i], order[i + 1]] for i in range(j, j + 4, 2)] for j in range(0, 12, 4)]
            )
            for order in orders
        )
    )


def same_trees():
    return cc.compare(tree := cc.Hierarchy.from_linkage(builders.LINKAGE, records=RECORDS), tree)


def labelled_thresholds():
    """Some true clusters are labelled, and a tree joins all records."""
    return cc.compare(
        dict(list(REFERENCE.items())[:6]),
        cc.Hierarchy.from_linkage(builders.LINKAGE, records=RECORDS),
        unmatched="drop",
    )


# Of every method with the option, unless the next table has it for the method, its name, or its class.
EVERYWHERE = {
    "ax": "no axes",
    "backend": "polars",
    "caption": "A caption",
    "cluster": "no such column",
    "confidence": 0.5,
    "default": case(7, index="no such key"),
    "details": case(DETAILS, record="key"),
    "format": "jsonl",
    "gold": case(GOLD),
    "height": "no such column",
    "indent": None,
    "index": "recall",
    "indices": "recall",
    "interval": True,
    "kind": "no such kind",
    "known": case(GOLD),
    "label": "a-label",
    "level": "no such column",
    "limit": 1,
    "margin": 0.1,
    "memory": "much",
    "merge": case(["x", "y"], merge=None, move={"r0": "y"}),
    "move": case({"r0": "z"}, merge=None),
    "node": "no such column",
    "noise": case("a", noise_as="drop"),
    "noise_as": case("drop", noise="a"),
    "normalise": True,
    "nulls": case("drop"),
    "order": "recall",
    "outcome": "broken",
    "parent": "no such column",
    "prefix": "prefix/",
    "questions": case(None),
    "record": "no such column",
    "remainder": "alone",
    "seed": 1,
    "show": case(["name"], details=DETAILS, record="key"),
    "split": case(["r0"], merge=None),
    "tail": "lower",
    "threads": 2**31,
    "undefined": "nan",
    "weight": "no such column",
    "wide": True,
    "width": 300,
}
# Those that a method shows with another value, or beside other arguments.
METHODS = {
    # Of methods of this name, and of all methods of a class.
    "Comparison.unit": case("component", interval=True),
    "Cover.records": ["one", "two"],
    "Cover.unclustered": case("alone", records=[*RECORDS, "more"]),
    "Diff.indices": "affected",
    "Matrix.index": case("jaccard", on=two_indices),
    "Matrix.indices": case("jaccard", on=two_indices),
    **{
        f"{method}.{option}": value
        for method in ("at", "cut", "level_at")
        for option, value in {
            "height": case(0.3, n_clusters=None),
            "level": case(2, n_clusters=None),
            "threshold": case(0.3, n_clusters=None),
        }.items()
    },
    "ask.record": case("name", details=DETAILS),
    "best_cut.index": case("recall", on=EXAMPLES["Thresholds"]),
    "best_pruning.index": case("recall", on=EXAMPLES["Thresholds"]),
    "plot.x": "n_clusters",
    "to_html.record": case("name", details=DETAILS),
    "sample_size.within": 0.2,
    "significance.method": "permutations",
    "slices.details": case(DETAILS, by="city", record="key"),
    "slices.record": case("name", by="city", details=DETAILS),
    # Of one method.
    "Comparison.adjusted.seed": case(1, index="bcubed_f", tolerance=0.1),
    "Comparison.adjusted.tolerance": case(0.1, index="bcubed_f"),
    "Comparison.changes.kind": "1:n",
    "Comparison.changes.limit": case(1, on=lopsided),
    "Comparison.changes.n_examples": case(1, on=lopsided),
    "Comparison.changes.n_overlaps": 1,
    "Comparison.changes.order": case("missed", on=lopsided),
    "Comparison.clusters.majority": case(0.9, on=mixed),
    "Comparison.clusters.near": 0.1,
    "Comparison.clusters.order": "precision",
    "Comparison.clusters.side": "candidate",
    "Comparison.from_contingency.names": ["one", "two"],
    "Comparison.interval.seed": case(1, on=mixed, index="purity"),
    "Comparison.interval.unit": "component",
    "Comparison.interval.unit_sizes": case([4] * 9 + [400], on=mixed, unit=FOURS),
    "Comparison.live.index": "recall",
    "Comparison.objects.iou": case(0.9, on=lambda: cc.compare(*IMAGES)),
    "Comparison.plot.share": case("candidate", kind="table"),
    "Comparison.records.order": case("precision", on=lopsided),
    "Comparison.significance.n_resamples": case(9, on=by_chance, method="permutations"),
    "Comparison.significance.seed": case(1, on=by_chance, method="permutations"),
    "Comparison.slices.correction": "none",
    "Comparison.slices.reading": "any",
    "Comparison.suggest.different": [("r2", "r3")],
    "Comparison.suggest.kinds": ["merge"],
    "Comparison.suggest.same": [("r0", "r2")],
    "Comparison.summary.majority": case(0.9, on=lopsided),
    "Comparison.summary.near": 0.1,
    "Comparison.to_html.budget": case("1kB", details=DETAILS, record="key"),
    "Comparison.to_html.images": case("picture", details=DETAILS, record="key"),
    "Comparison.to_html.raw": case(IMAGES[0], on=lambda: cc.compare(*IMAGES)),
    "Comparison.to_html.slices": lambda: EXAMPLES["Comparison"]().slices(GROUPS),
    "Comparison.to_text.form": "long",
    "Comparison.versus.n_resamples": case(9, on=lambda: of_pairs(0), other=of_pairs(1), unit=PAIRS),
    "Comparison.versus.seed": case(1, on=lambda: of_pairs(0), other=of_pairs(1), n_resamples=99, unit=PAIRS),
    "Comparison.versus.unit": "component",
    "Comparison.versus.unit_sizes": case(
        [2] * 30 + [40], on=lambda: of_pairs(0), other=of_pairs(1), unit=PAIRS
    ),
    "Comparison.within_sources.between": case(dict(zip(RECORDS, "mnmnmnmn", strict=True))),
    "Comparison.within_sources.side": "reference",
    "Consensus.coassociation.least": 0.9,
    "Cover.from_clusters.records": ["r0"],
    "Cover.from_mapping.records": ["r1"],
    "Cover.from_mapping.unclustered": case("alone", clusters={"r0": []}),
    "Cover.from_matrix.clusters": ["a", "b"],
    "Cover.from_matrix.records": ["a", "b"],
    "Cover.from_matrix.unclustered": case("alone", matrix=[[0, 0], [1, 1]]),
    "Cover.of.noise": case("a", x=list("aab"), noise_as="drop"),
    "Cover.of.noise_as": case("drop", x=list("aab"), noise="a"),
    "Cover.of.nulls": case("drop", x=[None, "a", "a"]),
    "Cover.of.threads": case(2**31, x=list("aab")),
    "Audit.ask.n_questions": 3,
    "Audit.ask.seed": case(1, on=audit_of_many, n_questions=3),
    "Diff.ask.by": case(GROUPS),
    "Diff.ask.n_questions": 2,
    "Diff.ask.seed": case(1, on=diff_with_noise, n_questions=5),
    "Diff.clusters.side": "after",
    "Diff.judged.confidence": 0.5,
    "Diff.slices.by": case(dict(zip(RECORDS, "mnmnmnmn", strict=True))),
    "Diff.to_html.judged": EXAMPLES["Judgements"],
    "Diff.to_html.slices": lambda: EXAMPLES["Diff"]().slices(GROUPS),
    "Documents.get.default": 7,
    "Estimates.versus.n_resamples": case(99, on=lambda: estimated(0), other=estimated(1)),
    "Estimates.needed.assurance": case(0.99, on=larger_estimates, within=0.4),
    "Estimates.needed.confidence": case(0.5, on=larger_estimates, within=0.4),
    "Estimates.needed.index": case("recall", on=larger_estimates, within=0.4),
    "Estimates.versus.seed": case(
        1, on=lambda: of_twins(3), other=of_twins(2), index="recall", n_resamples=99
    ),
    "Events.largest.limit": 0,
    "Hierarchy.from_children.heights": [3.0, 4.0],
    "Hierarchy.from_children.records": ["a", "b", "c", "d"],
    "Hierarchy.from_children.ties": case("in order", heights=[1.0, 1.0]),
    "Hierarchy.from_condensed.records": ["a", "b", "c"],
    "Hierarchy.from_hclust.records": ["a", "b", "c"],
    "Hierarchy.from_hclust.ties": case("in order", height=[1, 1]),
    "Hierarchy.from_levels.columns": case(["coarse"], levels=LEVELS, record="id", nulls="singletons"),
    "Hierarchy.from_levels.heights": [1.0, 5.0],
    "Hierarchy.from_levels.noise": case(2, noise_as="drop"),
    "Hierarchy.from_levels.noise_as": case("drop", noise=2),
    "Hierarchy.from_levels.nulls": case("singletons", levels=LEVELS, columns=["fine", "coarse"], record="id"),
    "Hierarchy.from_levels.record": case("id", levels=LEVELS, columns=["fine", "coarse"], nulls="singletons"),
    "Hierarchy.from_linkage.records": list("abcdefgh"),
    "Hierarchy.from_linkage.ties": case("in order", linkage=TIED),
    "Hierarchy.from_nested.levels": case("depth", tree=[[["a", "b"], "c"], ["d", "e"]]),
    "Hierarchy.from_newick.levels": case("depth", tree="(((a,b),c),d,(e,f));"),
    "Hierarchy.from_pairs.records": list("abcde"),
    "Hierarchy.from_parents.heights": case(
        {"cats": 1, "mammals": 2, "animals": 3, "insects": 1}, parents=FAMILY
    ),
    "Hierarchy.from_parents.levels": case("height", parents=FAMILY),
    "Hierarchy.from_parents.node": case("other", parents=PARENTS, parent="parent"),
    "Hierarchy.from_parents.parent": case("other", parents=PARENTS, node="node"),
    "Hierarchy.of.records": list("abcdefgh"),
    "Hierarchy.of.ties": case("in order", x=np.array(TIED)),
    "HierarchyComparison.at.candidate_n_clusters": 4,
    "HierarchyComparison.at.n_clusters": 4,
    "HierarchyComparison.best_cut.levels": case(2, on=EXAMPLES["Thresholds"]),
    "HierarchyComparison.curve.confidence": case(
        0.5, on=labelled_thresholds, index="f_measure", sampling="records", n_draws=6
    ),
    "HierarchyComparison.curve.levels": 2,
    "HierarchyComparison.curve.n_draws": case(
        9, on=labelled_thresholds, index="f_measure", sampling="records"
    ),
    "HierarchyComparison.curve.population": case(
        4, on=labelled_thresholds, index="f_measure", sampling="clusters"
    ),
    "HierarchyComparison.curve.sampling": case("clusters", on=labelled_thresholds, index="f_measure"),
    "HierarchyComparison.curve.sampling_weights": case(
        {"a": 1, "b": 2, "c": 3}, on=labelled_thresholds, index="f_measure", sampling="clusters"
    ),
    "HierarchyComparison.curve.times": case(
        {"a": 2}, on=labelled_thresholds, index="f_measure", sampling="clusters"
    ),
    "HierarchyComparison.cuts.candidate_n_clusters": 2,
    "HierarchyComparison.cuts.n_clusters": 2,
    "HierarchyComparison.plot.kind": "tanglegram",
    "HierarchyComparison.significance.index": "bakers_gamma",
    "HierarchyComparison.significance.n_resamples": case(9, on=large_trees, method="permutations"),
    "HierarchyComparison.significance.seed": case(1, on=large_trees, method="permutations"),
    "HierarchyComparison.tanglegram.fold_beyond": case(2, on=same_trees),
    "HierarchyComparison.to_frame.indices": "rand",
    "HierarchyComparison.to_frame.levels": 2,
    "HierarchyComparison.to_html.levels": case(2, on=EXAMPLES["Thresholds"]),
    "Judgements.to_dict.indices": "split_rate",
    "Live.add.count": 2,
    "Live.add.record": "r0",
    "Live.get.index": "recall",
    "Matrix.plot.kind": "map",
    "Matrix.ranking.reference": "second",
    "Partition.from_frame.nulls": case("drop", cluster="fine", frame=LEVELS, record="id"),
    "Partition.from_labels.nulls": case("drop", labels=[None, "a"]),
    "Partition.from_mapping.nulls": case("drop", clusters={"x": None, "y": 1}),
    "Partition.from_segments.end": "no such column",
    "Partition.from_segments.gaps": case("silence", segments=[(0, 1, "a"), (2, 3, "b")]),
    "Partition.from_segments.start": "no such column",
    "Partition.of.nulls": case("drop", x={"x": None, "y": 1}),
    "Partition.read.nulls": case("drop", path=file_of("nulls.csv", record=["a", "b"], cluster=["", "x"])),
    "Partition.scan.nulls": case("drop", path=file_of("nulls.csv", record=["a", "b"], cluster=["", "x"])),
    "Soft.from_frame.normalise": case(value=True, frame=pd.DataFrame(QUARTERS)),
    "Soft.from_frame.remainder": case("alone", frame=pd.DataFrame(QUARTERS)),
    "Soft.from_mapping.normalise": case(value=True, weights={"a": {"p": 0.5}}),
    "Soft.from_mapping.remainder": case("alone", weights={"a": {"p": 0.5}}),
    "Soft.from_matrix.clusters": ["a", "b"],
    "Soft.from_matrix.normalise": case(value=True, matrix=[[0.5, 0.25]]),
    "Soft.from_matrix.records": ["a", "b"],
    "Soft.from_matrix.remainder": case("alone", matrix=[[0.5, 0.25]]),
    "Soft.from_matrix.transposed": True,
    "Soft.harden.at": 0.9,
    "Soft.of.normalise": case(value=True, x=[[0.5, 0.25]]),
    "Soft.of.records": case(["a", "b"], x=[[0.5, 0.5], [1, 0]]),
    "Soft.of.remainder": case("alone", x=[[0.5, 0.25]]),
    "Soft.read.normalise": case(value=True, path=QUARTER_FILE),
    "Soft.read.remainder": case("alone", path=QUARTER_FILE),
    "Soft.scan.normalise": case(value=True, path=QUARTER_FILE),
    "Soft.scan.remainder": case("alone", path=QUARTER_FILE),
    "SoftComparison.plot.kind": "sizes",
    "SoftComparison.plot.share": "candidate",
    "SoftComparison.records.order": case("pairs", on=soft),
    "SoftComparison.significance.index": "soft_rand",
    "SoftComparison.significance.n_resamples": case(9, on=soft, method="permutations"),
    "SoftComparison.significance.seed": case(1, on=soft, method="permutations", n_resamples=99),
    "SoftComparison.to_html.significance": True,
    "Suggestions.apply.place": 1,
    "Diff.changed_ids.limit": case(0, on=two_versions),
    "Diff.new_records.limit": case(0, on=two_versions),
}


def answer(thing, name, arguments):
    """What a method gives, in a form that can be compared."""
    try:
        return content_of(getattr(thing, name)(**arguments))
    except ConcordantError as error:
        return f"refused: {error}"


FORMS = {
    Path: Path.read_bytes,
    np.ndarray: np.ndarray.tolist,
    pl.DataFrame: lambda frame: (frame.columns, frame.rows()),
    cc.Live: lambda live: (live.get(), live.to_json()),
    cc.Clustering: lambda x: (
        repr(x),
        list(x.records),
        x.n_clusters,
        answer(x, "to_frame", {"backend": "polars"}),
    ),
    Display: lambda chart: (str(chart.figure_), [str(each) for each in chart.figure_.findobj()]),
    Sequence: lambda rows: (str(rows), list(map(repr, rows)), getattr(rows, "to_json", str)()),
    object: lambda found: (str(found), found.to_json()) if hasattr(found, "to_json") else repr(found),
}


def content_of(found):
    return next(form for kind, form in FORMS.items() if isinstance(found, kind))(found)


def keys_of(where, option):
    """Under which names METHODS may have a value of an option, the closest first."""
    kind, _, method = where.partition(".")
    return f"{where}.{option}", f"{method}.{option}", f"{kind}.{option}"


def without_effect(subject, where, options):
    """The options of a method whose values neither change the answer nor are refused."""
    name = where.partition(".")[2]
    example = builders.CHANGE.get(subject.type.__name__, lambda: subject.example)
    known = {}
    for option in options:
        chosen = next((METHODS[key] for key in keys_of(where, option) if key in METHODS), None)
        chosen = EVERYWHERE.get(option) if chosen is None else chosen
        chosen = chosen if isinstance(chosen, SimpleNamespace) else case(chosen)
        value = chosen.value() if callable(chosen.value) else chosen.value
        make = chosen.on or example
        beside = {**subjects.arguments_for(subject.type, name), **chosen.beside}
        key = make, repr(beside)
        if key not in known:
            known[key] = answer(make(), name, beside)
        if known[key] == answer(make(), name, {**beside, option: value}):
            yield option
