"""The commands for more than two partitions: matrix, track, consensus, stability and rank."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from typing import Annotated, Any, Literal

import typer

from concordant.cli import inputs, options
from concordant.cli.gates import NO_INTERVALS, Gate
from concordant.cli.options import ConventionOptions, FileOptions, GateOptions, ListOptions, command, one_of
from concordant.cli.output import Output, answer, progress
from concordant.differences.events import EVENT_KINDS
from concordant.indices.index import INDICES
from concordant.many.all_against_all import matrix
from concordant.many.consensus import LossName, consensus
from concordant.many.rank import rank
from concordant.many.resampling import stability
from concordant.many.stability import Absent, ClusterStability
from concordant.many.track import track

# The numbers of a cluster, and of a whole analysis of stability.
_OF_STABILITY = (*(each.name for each in fields(ClusterStability)), "overall", "by_chance", "adjusted_rand")


def _labels(
    sides: inputs.FileSides, files: FileOptions, conventions: ConventionOptions
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The labels of many partitions by name, and the options of inputs."""
    with inputs.opened(sides, files, in_memory=True) as found:
        labels = {name: side.elements for name, side in zip(sides.names, found, strict=True)}
        return labels, inputs.options_of(files, found[0], conventions)


@command("matrix", matrix)
def compare_many(
    *,
    clusterings: options.ClusteringsArgument,
    files: FileOptions,
    conventions: ConventionOptions,
    index: options.IndicesOption,
    reference: Annotated[
        str | None, typer.Option(metavar="NAME", help="The partition that the others are compared with.")
    ],
    interval: options.IntervalOption,
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
    partitions, how = _labels(sides, files, conventions)
    with progress("comparing pairs") as done:
        result = matrix(
            partitions, _asked(index, gates), reference=reference, interval=interval, progress=done, **how
        )

    answer(result, out, page=result.to_html, gates=gates)


def _asked(names: Sequence[str] | None, gates: Sequence[Gate]) -> list[str]:
    """The indices that are asked for, and further ones that gates need."""
    known = {INDICES[name].name for name in names or ()}
    return [*(names or ()), *dict.fromkeys(gate.index for gate in gates if gate.index not in known)]


@command("track", track)
def track_files(
    *,
    clusterings: options.ClusteringsArgument,
    files: FileOptions,
    conventions: ConventionOptions,
    share: Annotated[
        float, typer.Option(help="Link clusters that share more than this fraction of the smaller one.")
    ],
    relabel: Annotated[
        bool, typer.Option("--relabel", help="Clusters keep their labels from partition to partition.")
    ],
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
    gates = limits.gates(one_of(EVENT_KINDS), sides.names, needs=NO_INTERVALS)
    partitions, how = _labels(sides, files, conventions)
    with progress("following") as done:
        result = track(partitions, relabel=relabel, share=share, progress=done, **how)
    answer(result, out, page=result.to_html, gates=gates)


@command("consensus", consensus)
def find_consensus(
    *,
    clusterings: options.ClusteringsArgument,
    files: FileOptions,
    conventions: ConventionOptions,
    loss: Annotated[LossName, typer.Option(help="Distance to minimise, averaged over the partitions.")],
    vi_weight: Annotated[
        float,
        typer.Option(
            metavar="FROM 0 TO 2",
            help="For vi and binder: the cost of separating records that belong together; joining costs "
            "2 minus this.",
        ),
    ],
    clustering_weights: options.ClusteringWeightsOption,
    n_restarts: Annotated[
        int,
        typer.Option(
            metavar="NUMBER",
            min=1,
            help="Largest number of searches, if the problem is too large to solve exactly.",
        ),
    ],
    seed: options.SeedOption,
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
    gates = limits.gates(one_of(("loss", "gap", "stability")), needs=NO_INTERVALS)
    weights = options.numbers("clustering_weights", clustering_weights)
    partitions, how = _labels(sides, files, conventions)
    with progress("searching") as done:
        how |= {"clustering_weights": weights, "n_restarts": n_restarts, "seed": seed}
        result = consensus(partitions, loss=loss, vi_weight=vi_weight, progress=done, **how)
    if labels is not None:
        result.partition.write(labels)
    answer(result, out, page=result.to_html, gates=gates)


@command("stability", stability, needs={"limit": ("lists",)})
def measure_stability(
    *,
    clusterings: options.ClusteringsArgument,
    reference: Annotated[
        str | None,
        typer.Option(metavar="NAME|FILE", help="The clusters to look for. Default: the consensus of all."),
    ],
    files: FileOptions,
    conventions: ConventionOptions,
    clustering_weights: options.ClusteringWeightsOption,
    absent: Annotated[
        Absent,
        typer.Option(help="Value for a run with no record of a cluster: none (skip), or 0 (zero)."),
    ],
    dissolved: Annotated[float, typer.Option(help="A cluster counts as dissolved up to this Jaccard index.")],
    recovered: Annotated[float, typer.Option(help="A cluster counts as recovered from this Jaccard index.")],
    lists: ListOptions,
    confidence: options.ConfidenceOption,
    seed: options.SeedOption,
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
    with inputs.opened(with_reference, files, in_memory=True) as found:
        how: dict[str, Any] = {"absent": absent, "dissolved": dissolved, "recovered": recovered}
        runs = {name: side.elements for name, side in zip(sides.names, found, strict=False)}
        how["reference"] = reference if by_name is None else found[-1].elements
        of_weights = (
            found[-1] if by_name is not None else found[sides.names.index(reference or sides.names[0])]
        )
        how |= inputs.options_of(files, of_weights, conventions)
    with progress("comparing runs") as done:
        how |= {"confidence": confidence, "seed": seed, "clustering_weights": weights}
        result = stability(runs, progress=done, **how)
        parts = lists.of(result)
    answer(result, out, parts=parts, page=result.to_html, gates=gates)


@command("rank", rank)
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
    ],
    files: FileOptions,
    conventions: ConventionOptions,
    index: options.IndicesOption,
    unit: options.UnitOption,
    confidence: options.ConfidenceOption,
    margin: Annotated[
        float | None,
        typer.Option(metavar="NUMBER", help="Also test for equivalence within this."),
    ],
    correction: Annotated[
        Literal["holm", "none"],
        typer.Option(help="The correction of p-values."),
    ],
    n_resamples: Annotated[
        int,
        typer.Option(metavar="NUMBER", min=1, help="Number of sign flips to draw."),
    ],
    seed: options.SeedOption,
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
    with inputs.opened(sides, files, in_memory=conventions.weights is not None) as (truth, *found):
        with progress("ranking"):
            result = rank(
                truth.elements,
                {name: side.elements for name, side in zip(sides.names[1:], found, strict=True)},
                _asked(index, gates),
                baseline=baseline,
                unit=inputs.units(unit, truth),
                confidence=confidence,
                margin=margin,
                correction=None if correction == "none" else correction,
                n_resamples=n_resamples,
                seed=seed,
                **inputs.options_of(files, truth, conventions),
            )
        answer(result, out, page=result.to_html, gates=gates)
