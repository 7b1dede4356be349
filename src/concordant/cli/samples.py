"""The commands for samples of true clusters: estimate and sample-size."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

import typer

from concordant.cli import inputs, options
from concordant.cli.options import command
from concordant.cli.output import Output, answer, progress
from concordant.comparisons.entry import compare
from concordant.comparisons.estimates import estimate
from concordant.indices.index import DEFAULT_FOR_SAMPLES
from concordant.trust.sample_size import sample_size


@command("estimate", omit=("format", "noise", "noise_as"))
def estimate_from_sample(
    *,
    sample: Annotated[
        str, typer.Argument(metavar="SAMPLE", help="The labelled records and their true clusters.")
    ],
    candidate: Annotated[str, typer.Argument(metavar="CANDIDATE", help="The clustering of all records.")],
    files: options.TwoFileOptions,
    sampling: options.SamplingOption,
    draws: Annotated[
        int | None,
        typer.Option(metavar="NUMBER", help="Number of records that were drawn, with repetitions."),
    ] = None,
    times: Annotated[
        str | None,
        typer.Option(
            metavar="COLUMN",
            help="The sample column with the number of times that the record's cluster was drawn.",
        ),
    ] = None,
    sampling_weights: Annotated[
        str | None,
        typer.Option(
            metavar="COLUMN", help="The sample column with the number of clusters that this one represents."
        ),
    ] = None,
    population: Annotated[
        int | None, typer.Option(metavar="NUMBER", help="The number of true clusters, if it is known.")
    ] = None,
    level: options.LevelOption = 0.95,
    index: options.IndicesOption = None,
    out: Output,
) -> None:
    """Estimate the quality of a whole clustering from a sample of true clusters.

    \b
    The sample contains every record of some true clusters; the candidate contains all records:
      concordant estimate sample.csv run.parquet --record id --cluster entity --sampling records --draws 400
      concordant estimate sample.csv run.csv --sampling clusters --population 5000 -i f_measure
      concordant estimate sample.csv run.csv --sampling records --times times

    Either clusters were drawn with equal probability, or records, each with its whole cluster. Precision,
    recall, F and B-cubed are best estimated from records. Files are read as in `concordant compare`; the
    sample is the reference, as in --record reference=id --record candidate=record.
    """
    out.check([sample, candidate])
    with inputs.opened([sample, candidate], files) as sides:
        with progress("estimating"):
            columns = (("times", times), ("sampling_weights", sampling_weights))
            by_cluster: dict[str, Any] = {
                name: inputs.by_cluster(name, column, sides[0], files) for name, column in columns if column
            }
            result = estimate(
                *(side.elements for side in sides),
                sampling=sampling,
                n_draws=draws,
                population=population,
                confidence=level,
                **by_cluster,
            )
        chosen = {name: result[name] for name in index or ()}
        estimates = {"estimates": {name: each.to_dict() for name, each in chosen.items()}}
        answer(
            result,
            out,
            text=lambda: "\n".join(map(repr, chosen.values())) if chosen else str(result),
            document=lambda: result.to_dict() | (estimates if chosen else {}),
            page=partial(result.to_html, indices=index),
        )


@command("sample-size", omit=("noise", "noise_as", "html"))
def plan_sample(
    *,
    candidate: Annotated[str, typer.Argument(metavar="CANDIDATE", help="The clustering of all records.")],
    files: options.FileOptions,
    sampling: options.SamplingOption,
    index: Annotated[
        str, typer.Option("--index", "-i", metavar="NAME", help="The index to estimate.")
    ] = DEFAULT_FOR_SAMPLES,
    value: Annotated[float, typer.Option(help="The expected value of the index.")] = 0.9,
    within: Annotated[float, typer.Option(help="The half-width of the interval.")] = 0.05,
    level: options.LevelOption = 0.95,
    out: Output,
) -> None:
    """Compute how many records or clusters to draw for `concordant estimate`, before any is labelled.

    \b
      concordant sample-size run.csv --sampling records
      concordant sample-size run.parquet --record id --cluster label --sampling clusters --within 0.01

    The cluster sizes of the candidate are used in place of the true ones. The larger number is safe; the
    smaller one holds if errors are as frequent in large clusters as in small ones.
    """
    out.check([candidate])
    with inputs.opened([candidate], files, is_one_side=True) as (side,):
        with progress("counting"):
            how = inputs.label_options(files, side)
            sizes = compare(side.elements, side.elements, **how).counts.column_sizes
            plan = sample_size(sizes, index, value=value, within=within, sampling=sampling, confidence=level)
        answer(plan, out)
