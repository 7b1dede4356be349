"""The commands for hierarchies: thresholds of scored pairs, and two trees."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import typer

from concordant import hierarchies, sources
from concordant.cli import inputs, options
from concordant.cli.exit_status import as_option
from concordant.cli.files import spooled
from concordant.cli.gates import NO_INTERVALS
from concordant.cli.options import (
    NEEDS_SIGNIFICANCE,
    ConventionOptions,
    FileOptions,
    GateOptions,
    SignificanceOptions,
    command,
)
from concordant.cli.output import Output, answer, progress
from concordant.comparisons.comparison import Comparison
from concordant.comparisons.entry import compare
from concordant.errors import FileError, HierarchyError, ParameterError, did_you_mean
from concordant.foundation.spelling import counted
from concordant.foundation.text_layout import fitted_columns
from concordant.indices.index import INDICES, Index
from concordant.maths.arithmetic import evenly
from concordant.sources import descriptions
from concordant.sources.text_files import file_bytes, read_text

if TYPE_CHECKING:
    from concordant.hierarchies.best_cuts import BestCut
    from concordant.hierarchies.comparison import HierarchyComparison
    from concordant.hierarchies.hierarchy import Hierarchy

_INDICES = ("precision", "recall", "f_measure", "bcubed_f")
_BALANCED = _INDICES[2:]  # precision and recall are best where nothing or everything is joined
_OF_TREES = ("cophenetic_correlation", "bakers_gamma", "shared_cluster_f1", "triplet_agreement")
_NOT_OF_TREES = ("format", "noise", "noise_as", "nulls", "engine", "memory", "columns")
_NEWICK = (".nwk", ".newick", ".tree", ".tre")
_TABLES = (".csv", ".tsv", ".tab", ".txt")
_BEST = "*"  # marks the best value of an index
# Suffixes of the two columns of one attribute, as Splink and others write them.
_ENDINGS = (("_l", "_r"), ("_left", "_right"), ("_1", "_2"), ("_a", "_b"), ("left", "right"))
_IDS = ("unique_id", "id", "record_id", "")  # the attributes that name a record


@command("thresholds", compare, omit=("weights", "table_limit", "columns"))
def compare_thresholds(
    *,
    reference: Annotated[
        str, typer.Argument(metavar="REFERENCE", help="The records and their true clusters.")
    ],
    pairs: Annotated[str, typer.Argument(metavar="PAIRS", help="A row for each pair, with its score.")],
    score: Annotated[str, typer.Option(metavar="COLUMN", help="The column of scores; high scores join.")],
    left: Annotated[
        str | None,
        typer.Option(metavar="COLUMN", help="The first record of a pair. Default: a column such as id_l."),
    ] = None,
    right: Annotated[
        str | None,
        typer.Option(metavar="COLUMN", help="The second record of a pair. Default: a column such as id_r."),
    ] = None,
    files: FileOptions,
    conventions: ConventionOptions,
    index: options.IndicesOption = None,
    limit: Annotated[
        int,
        typer.Option(
            metavar="NUMBER", min=1, help="Number of thresholds to list; the best are always listed."
        ),
    ] = 20,
    levels: Annotated[
        int | None,
        typer.Option(
            metavar="NUMBER", min=1, help="Number of thresholds to judge, evenly spaced. Default: all."
        ),
    ] = None,
    at: Annotated[
        str,
        typer.Option(
            metavar="best|VALUE",
            help="The threshold of --labels and of gates: best of the first index, or a score.",
        ),
    ] = "best",
    labels: options.LabelsOption = None,
    limits: GateOptions,
    out: Output,
) -> None:
    """Judge every threshold of scored pairs against a reference, and mark the best.

    \b
      concordant thresholds truth.parquet pairs.parquet --score match_probability
      concordant thresholds truth.csv pairs.csv --left id_1 --right id_2 --score p -i f_measure -i bcubed_f
      concordant thresholds truth.csv pairs.csv --score p --html curve.html
      concordant thresholds truth.csv pairs.csv --score p --at 0.86 --labels clusters.csv
      concordant thresholds truth.csv pairs.csv --score p --fail-under f_measure=0.9

    At each threshold, records are together if pairs of at least this score connect them. A true record that
    is in no pair is a singleton. The best threshold is chosen on the same truth that it is measured against,
    so it has no interval of its own. --labels writes the clusters at a threshold, and gates are for the
    values there. Files are read as in `concordant compare`.
    """
    sides = inputs.sides_of(files, reference=reference)
    out.check([*sides.paths, pairs], labels=labels)
    names = [_index_of_partitions("index", name).name for name in index or _INDICES]
    gates = limits.gates(partial(_index_of_partitions, "index"), needs=NO_INTERVALS)
    threshold = _threshold(at)
    if threshold is not None and labels is None and not gates:
        raise ParameterError(
            "it is the threshold of --labels and of gates, and there is neither; leave it out, or write the "
            "clusters with --labels clusters.csv",
            given={"at": at},
        )
    needs_engine = as_option("score", score)
    with (
        inputs.opened(sides, files, needs_engine=needs_engine) as (known,),
        spooled([pairs]) as places,
    ):
        with progress("comparing"):
            columns = sources.files.preview(
                descriptions.files(places[pairs], files.memory, files.file_format)
            )[0]
            first, second = _pair_columns(pairs, columns, (left, right), score)
            hierarchy = hierarchies.hierarchy.Hierarchy.from_pairs(
                places[pairs],
                left=first,
                right=second,
                score=score,
                memory=files.memory,
                format=files.file_format,
            )
            how = inputs.options_of(files, known, conventions)
            result: HierarchyComparison = compare(
                known.elements, hierarchy, names=[sides.names[0], Path(pairs).stem], **how
            )
            joined = result.candidate
            assert joined is not None  # of scored pairs
            best = {name: result.best_cut(name, levels=levels) for name in (names if index else _BALANCED)}
            chosen = next(iter(best.values()))
            cut = {"level": chosen.level} if threshold is None else {"threshold": threshold}
            if labels is not None:
                joined.cut(**cut).write(labels)

        def text() -> str:
            lines = [
                f"reference {known.origin}",
                f"pairs {pairs}, columns {first}, {second} and {score}",
                "",
                *_table(result, names, best, limit, levels),
                "",
                *(f"{_BEST} {each.headline}" for each in best.values()),
                f"({hierarchies.best_cuts.SELECTED})",
            ]
            return "\n".join(lines)

        answer(
            result,
            out,
            parts={"best": best, "curves": {name: result.curve(name, levels=levels) for name in names}},
            text=text,
            page=partial(result.to_html, levels=levels, indices=names),
            gates=gates,
            gated=[result.at(**cut)] if gates else (),
        )


def _threshold(at: str) -> float | None:
    """The score that --at names; None for the best."""
    try:
        return None if at == "best" else float(at)
    except ValueError:
        raise ParameterError("write best, or a score", given={"at": at}) from None


@command(
    "trees",
    compare,
    Comparison.significance,
    omit=(*_NOT_OF_TREES, "weights", "table_limit"),
    needs=NEEDS_SIGNIFICANCE | {"seed": ("significance",)},
)
def compare_trees(
    *,
    reference: Annotated[str, typer.Argument(metavar="REFERENCE", help="The tree of the reference.")],
    candidate: Annotated[str, typer.Argument(metavar="CANDIDATE", help="The tree of the candidate.")],
    files: FileOptions,
    conventions: ConventionOptions,
    index: Annotated[
        list[str] | None,
        typer.Option("--index", "-i", metavar="NAME", help="Only this tree index; may be repeated."),
    ] = None,
    curve: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Also show a partition index at every number of clusters."),
    ] = None,
    chance: SignificanceOptions,
    seed: options.SeedOption,
    limit: options.LimitOption = 20,
    limits: GateOptions,
    out: Output,
) -> None:
    """Compare two trees of the same records: dendrograms, taxonomies, phylogenies.

    \b
      concordant trees average.nwk complete.nwk
      concordant trees average.nwk complete.nwk -i cophenetic_correlation --significance
      concordant trees old.csv new.csv --record node --cluster parent --curve fowlkes_mallows

    A tree is a file in Newick notation (.nwk, .newick, .tree, .tre), a linkage matrix of SciPy (.npy), nested
    lists (.json), or a CSV or TSV file with a row for each node and its parent. There, --record names
    the column of the node and --cluster that of its parent.
    """
    sides = inputs.sides_of(files, reference=reference, candidate=candidate)
    out.check(sides.paths)
    names = index or _OF_TREES
    for name in names:
        _index_of_trees("index", name)
    gates = limits.gates(partial(_index_of_trees, "index"))
    if curve is not None:
        _index_of_partitions("curve", curve)
    if not any(Path(path).suffix.casefold() in _TABLES for path in sides.paths):
        for option in ("record", "cluster", "separator", "header", "encoding"):
            if (given := getattr(files, option)) != getattr(FileOptions(), option):
                raise ParameterError(
                    f"this is for trees in {', '.join(_TABLES)} files", given={option: given}
                )
    with progress("comparing"):
        trees = [_tree(path, files) for path in sides.paths]
        result = compare(trees[0], trees[1], names=sides.names, **vars(conventions))
        parts: dict[str, Any] = {}
        if chance.significance:
            parts["significance"] = chance.tests(result, names, seed)
        if curve is not None:
            parts["curve"] = result.curve(curve)
        parts["changes"] = result.changes(limit)

    def text() -> str:
        rows = [["", "value"], *([name, f"{result[name]:,.4f}"] for name in names)]
        blocks = ["\n".join([result._title(), "", *fitted_columns(rows)])]
        shown = (
            "\n".join(map(repr, each.values())) if isinstance(each, dict) else str(each)
            for each in parts.values()
        )
        return "\n\n".join([*blocks, *shown])

    answer(result, out, parts=parts, indices=list(names), text=text, page=result.to_html, gates=gates)


def _index_of_trees(option: str, name: str) -> Index:
    """The tree index that an option names."""
    of_trees = hierarchies.indices
    if name not in of_trees.TREE_INDICES and name in INDICES:
        raise ParameterError(
            "this index compares two partitions; --curve shows it at every number of clusters",
            given={option: name},
        )
    if name in of_trees.TREE_PARTITION_INDICES:
        raise ParameterError(
            "this index compares a tree with a partition, not two trees", given={option: name}
        )
    return of_trees.TREE_INDICES[name]


def _tree(path: str, files: FileOptions) -> Hierarchy:
    """The tree in a file, by the ending of its name."""
    ending = Path(path).suffix.casefold()
    if ending in _TABLES:
        without_roots = replace(files, nulls="drop")  # a root has no parent
        tree = inputs.sides_of(files, reference=path)
        with inputs.opened(tree, without_roots, in_memory=True) as (side,):
            parents = side.elements
        if not isinstance(parents, dict):
            raise FileError(
                f"{path} has a single column; a tree in a table has a row for each node and its parent"
            )
        return hierarchies.hierarchy.Hierarchy.from_parents(
            {node: parent for node, parent in parents.items() if parent is not None}
        )
    if ending not in (*_NEWICK, ".npy", ".json"):
        raise FileError(
            f"{path}: a tree is a file in Newick notation ({', '.join(_NEWICK)}), a linkage matrix (.npy), "
            f"nested lists (.json), or nodes and parents ({', '.join(_TABLES)}); give it one of these endings"
        )
    try:
        if ending == ".npy":
            return hierarchies.hierarchy.Hierarchy.from_linkage(_array(path))
        text = read_text(path)
        if ending in _NEWICK:  # by its path, as text that is not Newick could be taken for one
            return hierarchies.hierarchy.Hierarchy.from_newick(Path(path))
        return hierarchies.hierarchy.Hierarchy.from_nested(json.loads(text))
    except HierarchyError as error:
        raise FileError(f"{path}: {error}") from None
    except json.JSONDecodeError as error:
        raise FileError(f"{path} is not JSON: {error}") from None


def _array(path: str) -> Any:
    """The array in a file of NumPy."""
    content = io.BytesIO(file_bytes(path))
    try:
        return np.load(content, allow_pickle=False)
    except (ValueError, EOFError):
        raise FileError(f"{path} is not an array of numbers; write it with numpy.save") from None


def _index_of_partitions(option: str, name: str) -> Index:
    """The index at cuts that an option names."""
    of_trees = hierarchies.indices
    if name.partition("(")[0] in (*of_trees.TREE_INDICES, *of_trees.TREE_PARTITION_INDICES):
        raise ParameterError(
            "this index compares whole trees and has no value at a cut; choose a partition index",
            given={option: name},
        )
    return INDICES[name]


def _pair_columns(
    path: str, columns: Sequence[str], given: tuple[str | None, str | None], score: str
) -> tuple[str, str]:
    """The columns of the two records, by their names if the options do not name them."""
    if score in given or (given[0] is not None and given[0] == given[1]):
        raise ParameterError("--left, --right and --score name three different columns")
    for name in (*given, score):
        if name is not None and name not in columns:
            near = did_you_mean(name, columns) or f"; it has {', '.join(columns)}"
            raise FileError(f"{path} has no column {name!r}{near}")
    if None not in given:
        return given  # type: ignore[return-value]  # neither is None
    known = set(columns)
    found = {
        name.removesuffix(one): (name, name.removesuffix(one) + other)
        for one, other in _ENDINGS
        for name in columns
        if name.endswith(one) and name.removesuffix(one) + other in known
    }
    found = {
        stem: both
        for stem, both in found.items()
        if all(option in (None, name) for option, name in zip(given, both, strict=True))
    }
    found = {stem: both for stem, both in found.items() if score not in both}
    chosen = next((found[stem] for stem in _IDS if stem in found), None)
    if chosen is None and len(found) == 1:
        (chosen,) = found.values()
    if chosen is None:
        raise FileError(
            f"{path}: it is not clear which columns name the two records of a pair; choose with --left and "
            f"--right among {', '.join(columns)}"
        )
    return chosen


def _table(
    result: HierarchyComparison,
    names: Sequence[str],
    best: Mapping[str, BestCut],
    limit: int,
    levels: int | None,
) -> list[str]:
    """Thresholds from the highest to the lowest, evenly chosen, and the best of each index."""
    content = {name: each.tolist() for name, each in result._columns(names, levels).items()}
    columns = {key: content.pop(key) for key in ("threshold", "n_clusters")} | content
    assert result.candidate is not None  # of scored pairs
    cuts = len(result.candidate.levels)
    judged = hierarchies.best_cuts.chosen_levels(levels, cuts)
    places = {
        each: int(each if judged is None else np.searchsorted(judged, each))
        for each in (x.level for x in best.values())
    }
    chosen = {*evenly(len(columns["n_clusters"]), limit).tolist(), *places.values()}
    rows = [["threshold", "n_clusters", *names]]
    for i in sorted(chosen):
        row = {key: column[i] for key, column in columns.items()}
        shown = hierarchies.best_cuts.cut_fields(row, result._height_texts)
        texts = [field.shown(row[field.name]) for field in shown]
        for place, name in enumerate(names, start=2):
            texts[place] += _BEST if name in best and places[best[name].level] == i else " "
        rows.append(["above all" if np.isnan(row["threshold"]) else texts[0], *texts[1:]])
    left_out = cuts - len(chosen)
    more = (
        [f"{counted(left_out, 'other threshold')} {'is' if left_out == 1 else 'are'} not listed"]
        if left_out
        else []
    )
    if judged is not None and len(judged) < cuts:
        more.append(f"the best is chosen among {counted(len(judged), 'threshold')}")
    return [*fitted_columns(rows, left=0), *more]
