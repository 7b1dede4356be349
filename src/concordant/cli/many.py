"""The commands for more than two partitions: matrix, contrast, track, consensus, stability and rank."""

from __future__ import annotations

from dataclasses import fields
from typing import Annotated, Any, Literal

import typer
from rich.console import Group
from rich.text import Text

from concordant.cli import inputs, options
from concordant.cli.columns import FilePartition
from concordant.cli.options import ConventionOptions, FileOptions, GateOptions, ListOptions, command, one_of
from concordant.cli.output import Output, answer, progress, prose
from concordant.counts.spelling import printable
from concordant.differences.events import EVENT_KINDS
from concordant.indices.index import DEFAULT_INDEX, DEFAULTS_FOR_SYSTEMS, INDICES
from concordant.many.all_against_all import matrix
from concordant.many.consensus import LossName, consensus
from concordant.many.contrast import contrast
from concordant.many.rank import rank
from concordant.many.resampling import stability
from concordant.many.stability import Absent, ClusterStability
from concordant.many.track import track
from concordant.text_layout import shortened

_LISTED = 5  # partitions, the nearest first
# As lists, which is what Typer takes as a default of an option that may be repeated.
_FOR_MATRIX, _FOR_SYSTEMS = [DEFAULT_INDEX], list(DEFAULTS_FOR_SYSTEMS)
# The numbers of a cluster, and of a whole analysis of stability.
_OF_STABILITY = (*(each.name for each in fields(ClusterStability)), "overall", "by_chance", "adjusted_rand")
_ONE_SET = ("unmatched", "undefined", "table_limit", "weights")  # conventions that some functions do not have


def _labels(
    sides: inputs.FileSides, files: FileOptions, of: str
) -> tuple[dict[str, Any], dict[str, Any], FilePartition]:
    """The labels of many partitions by name, the options of labels, and the first partition."""
    with inputs.opened(sides, files, in_memory_for=of) as found:
        labels = {name: side.elements for name, side in zip(sides.names, found, strict=True)}
        return labels, inputs.label_options(files), found[0]


@command("matrix", omit=("weights",))
def compare_many(
    *,
    clusterings: options.ClusteringsArgument,
    files: FileOptions,
    conventions: ConventionOptions,
    index: options.DefaultIndicesOption = _FOR_MATRIX,
    reference: Annotated[
        str | None, typer.Option(metavar="NAME", help="The partition that the others are compared with.")
    ] = None,
    interval: options.IntervalOption = False,
    limits: GateOptions,
    out: Output,
) -> None:
    """Compare many partitions in files, all against all, by one index or several.

    \b
      concordant matrix runs/*.csv
      concordant matrix old=a.csv new=b.csv c.csv -i ARI -i AMI --html runs.html
      concordant matrix all.csv --columns truth,monday,tuesday,friday
      concordant matrix runs/*.csv --reference truth --fail-under adjusted_rand=0.9
      concordant matrix runs/*.csv --fail-under friday:adjusted_rand=0.9

    Partitions are named after their files or columns, or by NAME=FILE. Rows are the reference, columns the
    candidate. A gate with a name is for the pairs of that partition. Files are read as in `concordant
    compare`.

    \b
    More examples:
      concordant matrix monday.csv tuesday.csv friday.csv --record id --cluster label --unmatched drop
      concordant matrix runs/*.parquet --record id --cluster monday=label --cluster tuesday=group
      concordant matrix runs/*.txt --format clusters
    """
    sides = inputs.sides_of(files, clusterings=clusterings)
    out.check(sides.paths)
    gates = limits.gates(INDICES.__getitem__, sides.names, needs="" if interval else "--interval")
    asked = [
        *index,
        *(gate.index for gate in gates if gate.index not in {INDICES[name].name for name in index}),
    ]
    partitions, how, _ = _labels(sides, files, "a matrix")
    with progress("comparing pairs") as done:
        how |= conventions.only("unmatched", "undefined", "table_limit", "threads")
        result = matrix(partitions, asked, reference=reference, interval=interval, progress=done, **how)

    def text() -> Group:
        parts = []
        for each in result.indices:
            text = prose(result.to_text(indices=each.name))
            text.highlight_regex(r"\A.*", "bold")
            if each.direction != "statistic" and result.reference is not None:
                nearest = result.ranking(each.name)[:_LISTED]
                ranked = ", ".join(shortened(printable(row.candidate)) for row in nearest)
                text.append_text(prose(f"\n\nnearest to {shortened(printable(result.reference))}: {ranked}"))
            elif each.direction != "statistic":
                medoid = shortened(printable(result.medoid(each.name).clustering))
                text.append_text(prose(f"\n\nmost similar to all the others: {medoid}"))
            parts += [Text(""), text]
        return Group(*parts[1:])  # a blank line between two

    answer(result, out, text=text, page=result.to_html, gates=gates)


@command("contrast", needs={"confidence": ("interval", "unit"), "limit": ("lists",)})
def contrast_files(
    *,
    reference: options.ReferenceArgument,
    before: Annotated[
        str | None, typer.Argument(metavar="BEFORE", help="The candidate before; or --columns.")
    ] = None,
    after: Annotated[str | None, typer.Argument(metavar="AFTER", help="The candidate after.")] = None,
    files: FileOptions,
    conventions: ConventionOptions,
    near: Annotated[
        float,
        typer.Option(
            help="A cluster is right if its F1 with its partner is at least this; 1 requires an exact match."
        ),
    ] = 0.8,
    majority: Annotated[
        float, typer.Option(help="Share above which a part counts as most of a cluster.")
    ] = 0.5,
    lists: ListOptions,
    interval: options.IntervalOption = False,
    unit: options.UnitOption = None,
    confidence: options.ConfidenceOption = 0.95,
    limits: GateOptions,
    out: Output,
) -> None:
    """Show what a new candidate fixed and what it broke, judged by one reference.

    \b
      concordant contrast truth.csv old.csv new.csv
      concordant contrast truth.csv old.csv new.csv --near 1 --html new.html
      concordant contrast all.csv --columns truth,old,new --list clusters --limit 5
      concordant contrast truth.csv old.csv new.csv --fail-under after:f_measure=0.9

    A cluster is right if it is exact or nearly so, a record if it is in the core of its cluster. Each was
    fixed or broken, or is still wrong or still right, so the numbers add up. Gates are
    for the values before and after, or for one of them, or for the difference: difference:f_measure.low=0.
    Files are read as in `concordant compare`, by an engine if they are large
    or not text; SIDE is reference, before or after.
    """
    sides = inputs.sides_of(files, least=3, reference=reference, before=before, after=after)
    out.check(sides.paths)
    lists.check(("clusters", "records"))
    gates = limits.gates(
        INDICES.__getitem__, ("before", "after", "difference"), needs="" if interval or unit else "--interval"
    )
    with inputs.opened(sides, files) as found:
        with progress("comparing"):
            how = conventions.only("unmatched", "undefined", "table_limit", "threads")
            how |= inputs.label_options(files, found[0])
            if interval or unit is not None:
                how |= {"interval": True, "unit": inputs.units(unit, found[0]), "confidence": confidence}
            truth, old, new = sides.names
            partitions = (side.elements for side in found)
            result = contrast(*partitions, names=(truth, old, new), near=near, majority=majority, **how)
            parts = lists.of(result)

        def text() -> str:
            return "\n\n".join([f"{result:terminal}", *map(str, parts.values())])

        answer(result, out, parts=parts, text=text, page=result.to_html, gates=gates)


@command("track", omit=_ONE_SET)
def track_files(
    *,
    clusterings: options.ClusteringsArgument,
    files: FileOptions,
    conventions: ConventionOptions,
    share: Annotated[
        float, typer.Option(help="Link clusters that share more than this fraction of the smaller one.")
    ] = 0.5,
    relabel: Annotated[
        bool, typer.Option("--relabel", help="Clusters keep their labels from partition to partition.")
    ] = False,
    limits: GateOptions,
    out: Output,
) -> None:
    """Follow clusters through partitions in order: splits, merges, births and deaths.

    \b
      concordant track monday.csv tuesday.csv friday.csv --html week.html
      concordant track all.csv --columns k2,k3,k4
      concordant track monday.csv tuesday.csv --fail-over split=10

    Partitions are named after their files or columns, or by NAME=FILE. Records may come and go. A gate is for
    the number of events of a kind: split, merge, birth, death, continuation; NAME is a partition. Files are
    read as in `concordant matrix`.
    """
    sides = inputs.sides_of(files, clusterings=clusterings)
    out.check(sides.paths)
    gates = limits.gates(one_of(EVENT_KINDS), sides.names, needs="another command")
    partitions, how, _ = _labels(sides, files, "a track")
    with progress("following") as done:
        how |= conventions.only("threads")
        result = track(partitions, relabel=relabel, share=share, progress=done, **how)
    answer(result, out, page=result.to_html, gates=gates)


@command("consensus", omit=_ONE_SET)
def find_consensus(
    *,
    clusterings: options.ClusteringsArgument,
    files: FileOptions,
    conventions: ConventionOptions,
    loss: Annotated[
        LossName, typer.Option(help="Distance to minimise, averaged over the partitions.")
    ] = "vi",
    vi_weight: Annotated[
        float,
        typer.Option(
            metavar="FROM 0 TO 2",
            help="For vi and binder: the cost of separating records that belong together; joining costs "
            "2 minus this.",
        ),
    ] = 1.0,
    clustering_weights: options.ClusteringWeightsOption = None,
    n_restarts: Annotated[
        int,
        typer.Option(
            metavar="NUMBER",
            min=1,
            help="Largest number of searches, if the problem is too large to solve exactly.",
        ),
    ] = 16,
    seed: options.SeedOption = 0,
    labels: options.LabelsOption = None,
    limits: GateOptions,
    out: Output,
) -> None:
    """Find the partition closest to several partitions, and show how stable each record is.

    \b
      concordant consensus runs/*.csv
      concordant consensus runs/*.csv --labels consensus.csv
      concordant consensus all.csv --columns monday,tuesday,friday --html runs.html
      concordant consensus runs/*.csv --loss binder --seed 7 --json
      concordant consensus runs/*.csv --fail-over loss=0.5 --fail-under stability=0.8

    The summary has the number of clusters, the distance to each partition, the nearest one, and how certain
    the answer is. Stability is a record's mean element-centric similarity to the partitions: 1 if it has the
    same co-members in all. --labels writes the cluster of each record; -o consensus.csv writes the stability
    with it. Files are read as in `concordant matrix`; all must contain the same records.
    """
    sides = inputs.sides_of(files, clusterings=clusterings)
    out.check(sides.paths, labels=labels)
    gates = limits.gates(one_of(("loss", "gap", "stability")), needs="another command")
    weights = options.numbers("clustering_weights", clustering_weights)
    partitions, how, _ = _labels(sides, files, "a consensus")
    with progress("searching") as done:
        how |= conventions.only("threads") | {
            "clustering_weights": weights,
            "n_restarts": n_restarts,
            "seed": seed,
        }
        result = consensus(partitions, loss, vi_weight=vi_weight, progress=done, **how)
    if labels is not None:
        result.partition.write(labels)
    answer(result, out, page=result.to_html, gates=gates)


@command("stability", omit=("unmatched", "undefined", "table_limit"), needs={"limit": ("lists",)})
def measure_stability(
    *,
    clusterings: options.ClusteringsArgument,
    reference: Annotated[
        str | None,
        typer.Option(metavar="NAME|FILE", help="The clusters to look for. Default: the consensus of all."),
    ] = None,
    files: FileOptions,
    conventions: ConventionOptions,
    clustering_weights: options.ClusteringWeightsOption = None,
    absent: Annotated[
        Absent,
        typer.Option(help="Value for a run with no record of a cluster: none (skip), or 0 (zero)."),
    ] = "skip",
    dissolved: Annotated[
        float, typer.Option(help="A cluster counts as dissolved up to this Jaccard index.")
    ] = 0.5,
    recovered: Annotated[
        float, typer.Option(help="A cluster counts as recovered from this Jaccard index.")
    ] = 0.75,
    lists: ListOptions,
    confidence: options.ConfidenceOption = 0.95,
    seed: options.SeedOption = 0,
    limits: GateOptions,
    out: Output,
) -> None:
    """Show how often each cluster of a reference recurs in other clusterings.

    \b
      concordant stability runs/*.csv
      concordant stability bootstrap/*.csv --reference reference.csv --list records --html stability.html
      concordant stability bootstrap/*.csv --reference reference.csv --absent zero --json
      concordant stability runs/*.csv --reference monday --weights visits
      concordant stability runs/*.csv --fail-under jaccard=0.75

    Each cluster is compared with its best match in every clustering, using only the records they share, so
    these may be clusterings of resamples. Beside each value is the one that permuted labels give: large
    clusters look stable by chance. A gate is for each cluster, or for the one that is named. Files are read
    as in `concordant matrix`; --weights are a column of the reference's file.
    """
    sides = inputs.sides_of(files, clusterings=clusterings)
    lists.check(("records", "runs"))
    by_name = None if reference is None or reference in sides.names else reference
    with_reference = sides if by_name is None else sides.beside("reference", by_name)
    out.check(with_reference.paths)
    gates = limits.gates(one_of(_OF_STABILITY))
    weights = options.numbers("clustering_weights", clustering_weights)
    with inputs.opened(with_reference, files, in_memory_for="stability") as found:
        how: dict[str, Any] = {"absent": absent, "dissolved": dissolved, "recovered": recovered}
        runs = {name: side.elements for name, side in zip(sides.names, found, strict=False)}
        how["reference"] = reference if by_name is None else found[-1].elements
        of_weights = (
            found[-1] if by_name is not None else found[sides.names.index(reference or sides.names[0])]
        )
        how["weights"] = inputs.weights(conventions.weights, of_weights)
    with progress("comparing runs") as done:
        how |= {"confidence": confidence, "seed": seed, "threads": conventions.threads}
        how |= inputs.label_options(files) | {"clustering_weights": weights}
        result = stability(runs, progress=done, **how)
        parts = lists.of(result)
    answer(result, out, parts=parts, page=result.to_html, gates=gates)


@command("rank", omit=("weights",))
def rank_candidates(
    *,
    reference: options.ReferenceArgument,
    candidates: Annotated[
        list[str] | None,
        typer.Argument(metavar="CANDIDATE...", help="[NAME=]FILE, two or more; or --columns."),
    ] = None,
    baseline: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="The candidate to test against. Default: the first."),
    ] = None,
    files: FileOptions,
    conventions: ConventionOptions,
    index: options.DefaultIndicesOption = _FOR_SYSTEMS,
    unit: options.UnitOption = None,
    confidence: options.ConfidenceOption = 0.95,
    margin: Annotated[
        float | None,
        typer.Option(metavar="NUMBER", help="Also test for equivalence within this."),
    ] = None,
    correction: Annotated[
        Literal["holm", "max_t", "none"],
        typer.Option(help="The correction of p-values; max_t needs --unit."),
    ] = "holm",
    method: Annotated[
        Literal["auto", "jackknife", "swaps"],
        typer.Option(help="Method for p-values. auto: with --unit, swaps if possible; else jackknife."),
    ] = "auto",
    n_resamples: Annotated[
        int,
        typer.Option(metavar="NUMBER", min=1, help="Number of swaps to draw if more than 16 units differ."),
    ] = 9999,
    seed: options.SeedOption = 0,
    limits: GateOptions,
    out: Output,
) -> None:
    """Rank several candidates against one reference, and test each against a baseline.

    \b
      concordant rank truth.csv old=a.csv new=b.csv --baseline old
      concordant rank truth.csv runs/*.csv -i f_measure -i adjusted_rand --json
      concordant rank all.csv --columns truth,old,new
      concordant rank truth.csv old=a.csv new=b.csv --fail-under new:f_measure=0.9

    A difference is tested on the same records: the same record, or the same unit, is left out of both
    candidates in turn. With --unit, p-values come from swapping whole units if no cluster spans two units.
    Gates are for values, and with .low and .high for the difference from the baseline. Files are read as in
    `concordant compare`; SIDE is reference, or the name of a candidate.

    \b
    Records that were drawn as whole documents; the reference has a column that names them:
      concordant rank truth.csv old=a.csv new=b.csv --record id --unit document
    Whether the new candidate is worse by less than 0.01:
      concordant rank truth.csv old=a.csv new=b.csv -i f_measure --margin 0.01
    """
    sides = inputs.sides_of(files, least=3, reference=reference, candidates=candidates)
    out.check(sides.paths)
    gates = limits.gates(INDICES.__getitem__, sides.names[1:])
    known = {INDICES[name].name for name in index}
    with inputs.opened(sides, files) as (truth, *found):
        with progress("ranking"):
            result = rank(
                truth.elements,
                {name: side.elements for name, side in zip(sides.names[1:], found, strict=True)},
                [*index, *dict.fromkeys(gate.index for gate in gates if gate.index not in known)],
                baseline=baseline,
                unit=inputs.units(unit, truth),
                confidence=confidence,
                margin=margin,
                correction=None if correction == "none" else correction,
                method=method,
                n_resamples=n_resamples,
                seed=seed,
                **conventions.only("unmatched", "undefined", "table_limit", "threads"),
                **inputs.label_options(files, truth),
            )
        answer(result, out, page=result.to_html, gates=gates)
