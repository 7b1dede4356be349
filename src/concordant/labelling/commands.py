"""The commands for samples of true clusters or of pairs: estimate and sample-size."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Annotated, Any, Literal

import typer

from concordant.cli import inputs, options
from concordant.cli.options import ConventionOptions, GateOptions, command
from concordant.cli.output import Output, answer, progress
from concordant.comparisons.entry import compare
from concordant.errors import ParameterError
from concordant.indices.index import INDICES
from concordant.labelling.estimates import estimate
from concordant.labelling.sample_size import sample_size


@command("estimate", estimate, omit=("reference_noise", "candidate_noise"))
def estimate_from_sample(
    *,
    files: options.PairOptions,
    sampling: Annotated[
        Literal["clusters", "records", "pairs"],
        typer.Option(help="The unit that is drawn at random and labelled."),
    ],
    n_draws: Annotated[
        int | None,
        typer.Option(metavar="NUMBER", help="Number of records that were drawn, with repetitions."),
    ],
    times: Annotated[
        str | None,
        typer.Option(
            metavar="COLUMN",
            help="The reference's column with the number of times that the record's cluster was drawn.",
        ),
    ],
    sampling_weights: Annotated[
        str | None,
        typer.Option(
            metavar="COLUMN",
            help="The reference's column with the number of clusters or pairs that each represents.",
        ),
    ],
    strata: Annotated[
        str | None,
        typer.Option(
            metavar="A=N,B=N",
            help="For pairs: the size of each stratum that the column stratum names.",
        ),
    ],
    unit: Annotated[
        str, typer.Option(metavar="COLUMN", help="For pairs: the column of the unit that was drawn.")
    ],
    population: Annotated[
        int | None, typer.Option(metavar="NUMBER", help="The number of true clusters, if it is known.")
    ],
    largest_cluster: Annotated[
        float | None,
        typer.Option(metavar="NUMBER", help="The largest size of an unlabelled true cluster; inf: no limit."),
    ],
    confidence: options.ConfidenceOption,
    index: options.IndicesOption = None,
    limits: GateOptions,
    out: Output,
) -> None:
    """Estimate the quality of a whole clustering from a sample of true clusters or of pairs.

    \b
      concordant estimate sample.csv run.parquet --record id --cluster entity --sampling records --n-draws 400
      concordant estimate sample.csv run.csv --sampling clusters --population 5000 -i f_measure
      concordant estimate all.csv --columns truth,run --sampling clusters
      concordant estimate sample.csv run.csv --sampling records --times times --fail-under f_measure.low=0.8
      concordant estimate pairs.csv run.csv --sampling pairs --sampling-weights weight

    The reference contains every record of some true clusters; the candidate contains all records. Either
    clusters were drawn with equal probability, or records, each with its whole cluster. Precision, recall, F
    and B-cubed are best estimated from records. In one file, records without a true cluster have an empty
    field. Files are read as in `concordant compare`; SIDE is reference or candidate.

    With --sampling pairs, the first file has the columns record_a, record_b and same (yes, no or unsure).
    """
    sides = inputs.sides_of(files, reference=files.reference, candidate=files.candidate)
    out.check(sides.paths)
    gates = limits.gates(INDICES.__getitem__)
    are_pairs = sampling == "pairs"
    if are_pairs and sides.is_table:
        raise ParameterError("pairs and clusters are in two files; name both", given={"sampling": sampling})
    in_memory = not are_pairs and bool(times or sampling_weights or sides.is_table)
    read = replace(files, nulls="drop") if sides.is_table else files
    with inputs.opened(sides.without_first() if are_pairs else sides, read, in_memory=in_memory) as found:
        sample, candidate = found[0], found[-1]
        with progress("estimating"):
            drawn: dict[str, Any] = {"times": times, "sampling_weights": sampling_weights}
            if not are_pairs:
                columns = ((name, column) for name, column in drawn.items() if column)
                drawn = {name: inputs.by_cluster(name, column, sample) for name, column in columns}
            labelled: Any = sides.paths[0] if are_pairs else sample.elements
            if sides.is_table:
                labelled = {row: label for row, label in enumerate(labelled) if label is not None}
            result = estimate(
                labelled,
                candidate.elements,
                sampling=sampling,
                n_draws=n_draws,
                strata=None if strata is None else _sizes_of_strata(strata),
                unit=unit,
                population=population,
                largest_cluster=largest_cluster,
                confidence=confidence,
                names=sides.names,
                **drawn,
                **inputs.options_of(files, candidate, ConventionOptions()),
            )
        chosen = [result[name] for name in index or ()]
        answer(
            result,
            out,
            indices=index,
            text=(lambda: "\n".join(map(repr, chosen))) if chosen else None,
            page=partial(result.to_html, indices=index),
            gates=gates,
        )


def _sizes_of_strata(text: str) -> dict[str, int]:
    """The number of pairs of each stratum."""
    pairs = [each.rpartition("=") for each in text.split(",")]
    if not all(name and number.isdecimal() for name, _, number in pairs):
        raise ParameterError("write it like high=1200,low=50000", given={"strata": text})
    return {name: int(number) for name, _, number in pairs}


@command("sample-size", sample_size, omit=("weights", "unmatched", "undefined", "table_limit"))
def plan_sample(
    *,
    candidate: Annotated[str, typer.Argument(metavar="CANDIDATE", help="The clustering of all records.")],
    files: options.FileOptions,
    conventions: ConventionOptions,
    sampling: options.SamplingOption,
    index: Annotated[str, typer.Option("--index", "-i", metavar="NAME", help="The index to estimate.")],
    value: Annotated[float, typer.Option(help="The expected value of the index.")],
    within: Annotated[float, typer.Option(help="The half-width of the interval.")],
    confidence: options.ConfidenceOption,
    assurance: Annotated[
        float, typer.Option(metavar="SHARE", help="The probability that the interval is that narrow.")
    ],
    out: Output,
) -> None:
    """Compute how many records or clusters to draw for `concordant estimate`, before any is labelled.

    \b
      concordant sample-size run.csv --sampling records
      concordant sample-size run.parquet --record id --cluster label --sampling clusters --within 0.01

    The cluster sizes of the candidate are used in place of the true ones. The larger number is safe; the
    smaller one holds if errors are as frequent in large clusters as in small ones.
    """
    sides = inputs.sides_of(files, least=1, candidate=candidate)
    out.check(sides.paths)
    with inputs.opened(sides, files) as (side,):
        with progress("counting"):
            how = inputs.options_of(files, side, conventions)
            counted = compare(side.elements, side.elements, **how)
            plan = sample_size(
                counted._counts.column_sizes,
                index,
                value=value,
                within=within,
                sampling=sampling,
                confidence=confidence,
                assurance=assurance,
            )
            plan = replace(plan, conventions=counted.conventions, _omitted=counted.omitted)
        answer(plan, out, page=plan.to_html)
