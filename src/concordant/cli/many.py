"""The commands for more than two partitions: matrix, contrast, track, consensus, stability and rank."""

from __future__ import annotations

import csv
import io
from typing import Annotated, Any, Literal

import typer
from rich.console import Group
from rich.text import Text

from concordant.cli import inputs, options
from concordant.cli.options import ConventionOptions, FileOptions, ManyOptions, command
from concordant.cli.output import Output, answer, progress, prose
from concordant.counts.spelling import printable
from concordant.errors import ParameterError
from concordant.indices.index import DEFAULT_INDEX, DEFAULTS_FOR_SYSTEMS
from concordant.many.all_against_all import matrix
from concordant.many.consensus import LossName, consensus
from concordant.many.contrast import contrast
from concordant.many.rank import rank
from concordant.many.resampling import stability
from concordant.many.stability import Absent
from concordant.many.track import track
from concordant.sources.formats import compression_of, format_by_name
from concordant.text_layout import line_width, shortened
from concordant.trust.options import VersusMethod

_LISTED = 5  # partitions, the nearest first
# As lists, which is what Typer takes as a default of an option that may be repeated.
_FOR_MATRIX, _FOR_SYSTEMS = [DEFAULT_INDEX], list(DEFAULTS_FOR_SYSTEMS)

_ENGINE = ("engine", "memory")  # options of files that stay outside memory


def _labels(files: ManyOptions, out: Output, of: str) -> dict[str, Any]:
    """The labels of many partitions by name; ``of`` is what needs them."""
    out.check(files.paths)
    names = inputs.side_names(files.paths, files.columns)
    with inputs.opened(files.paths, files, columns=files.columns, in_memory_for=of) as sides:
        return {name: side.elements for name, side in zip(names, sides, strict=True)}


@command("matrix", omit=_ENGINE)
def compare_many(
    *,
    files: ManyOptions,
    unmatched: options.UnmatchedOption = "error",
    undefined: options.UndefinedOption = "convention",
    index: options.DefaultIndicesOption = _FOR_MATRIX,
    reference: Annotated[
        str | None, typer.Option(metavar="NAME", help="The partition that the others are compared with.")
    ] = None,
    interval: Annotated[
        bool, typer.Option("--interval", help="The records are a sample: show the interval of each value.")
    ] = False,
    threads: options.ThreadsOption = 0,
    out: Output,
) -> None:
    """Compare many partitions in files, all against all, by one index or several.

    \b
    Files of records and their clusters, joined by record:
      concordant matrix runs/*.csv
      concordant matrix runs/*.csv -i ARI -i AMI
      concordant matrix runs/*.csv --index variation_of_information --html runs.html
      concordant matrix monday.csv tuesday.csv friday.csv --record id --cluster label --unmatched drop
    One file with many columns of labels, one element per row:
      concordant matrix all.csv --columns truth,monday,tuesday,friday
    Files with one cluster per line, its elements separated:
      concordant matrix runs/*.txt --format clusters

    Partitions are named after their files or columns. Rows are the reference, columns the
    candidate. Files are text, read as in `concordant compare`.
    """
    partitions = _labels(files, out, "a matrix")
    with progress("comparing pairs") as done:
        how: dict[str, Any] = {"unmatched": unmatched, **inputs.label_options(files)}
        how |= {"undefined": undefined, "threads": threads, "interval": interval}
        result = matrix(partitions, index, reference=reference, progress=done, **how)

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

    answer(result, out, text=text, page=result.to_html)


@command("contrast", needs={"level": ("interval", "unit")})
def contrast_files(
    *,
    reference: Annotated[str, typer.Argument(metavar="REFERENCE", help="The reference.")],
    before: Annotated[str, typer.Argument(metavar="BEFORE", help="The candidate before.")],
    after: Annotated[str, typer.Argument(metavar="AFTER", help="The candidate after.")],
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
    interval: Annotated[
        bool, typer.Option("--interval", help="The records are a sample: show intervals of differences.")
    ] = False,
    unit: options.UnitOption = None,
    level: options.LevelOption = 0.95,
    out: Output,
) -> None:
    """Show what a new candidate fixed and what it broke, judged by one reference.

    \b
      concordant contrast truth.csv old.csv new.csv
      concordant contrast truth.csv old.csv new.csv --near 1 --html new.html
      concordant contrast truth.parquet old.parquet new.parquet --record id --cluster label
      concordant contrast truth.csv old.csv new.csv --interval

    A cluster is right if it is exact or nearly so, a record if it is in the core of its cluster. Each was
    fixed or broken, or is still wrong or still right, so the numbers add up. Files are read as in
    `concordant compare`, by an engine if they are large or not text.
    """
    paths = [reference, before, after]
    out.check(paths)
    truth, old, new = inputs.file_names(paths)
    with inputs.opened(paths, files) as sides:
        with progress("comparing"):
            how = vars(conventions) | inputs.label_options(files, sides[0])
            if interval or unit is not None:
                how |= {"interval": True, "unit": inputs.units(unit, sides[0], files), "confidence": level}
            partitions = (side.elements for side in sides)
            result = contrast(*partitions, names=(truth, old, new), near=near, majority=majority, **how)
        answer(result, out, text=lambda: f"{result:terminal}", page=result.to_html)


@command("track", omit=_ENGINE)
def track_files(
    *,
    files: ManyOptions,
    share: Annotated[
        float, typer.Option(help="Link clusters that share more than this fraction of the smaller one.")
    ] = 0.5,
    relabel: Annotated[
        bool, typer.Option("--relabel", help="Clusters keep their labels from partition to partition.")
    ] = False,
    threads: options.ThreadsOption = 0,
    out: Output,
) -> None:
    """Follow clusters through partitions in order: splits, merges, births and deaths.

    \b
      concordant track monday.csv tuesday.csv friday.csv --html week.html
      concordant track all.csv --columns k2,k3,k4

    Partitions are named after their files or columns. Records may come and go.
    """
    partitions = _labels(files, out, "a track")
    with progress("following") as done:
        how: dict[str, Any] = {"threads": threads, **inputs.label_options(files)}
        result = track(partitions, relabel=relabel, share=share, progress=done, **how)
    answer(result, out, page=result.to_html)


@command("consensus", omit=_ENGINE)
def find_consensus(
    *,
    files: ManyOptions,
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
    run_weights: Annotated[
        str | None, typer.Option(metavar="A,B,C", help="The weight of each partition, in their order.")
    ] = None,
    runs: Annotated[
        int,
        typer.Option(
            metavar="NUMBER",
            min=1,
            help="Largest number of searches, if the problem is too large to solve exactly.",
        ),
    ] = 16,
    seed: options.SeedOption = 0,
    threads: options.ThreadsOption = 0,
    out: Output,
) -> None:
    """Find the partition closest to several partitions, and show how stable each record is.

    \b
    A summary, and a file with the columns record, cluster and stability:
      concordant consensus runs/*.csv
      concordant consensus runs/*.csv -o consensus.csv
      concordant consensus all.csv --columns monday,tuesday,friday --html runs.html
    For programs: a table on standard output, or everything as JSON:
      concordant consensus runs/*.csv -o - > consensus.csv
      concordant consensus runs/*.csv --loss binder --seed 7 --json

    The summary has the number of clusters, the distance to each partition, the nearest one, and how certain
    the answer is. Stability is a record's mean element-centric similarity to the partitions: 1 if it has the
    same co-members in all. If the file name ends in .tsv, tabs are written instead of commas. With
    --output -, the summary goes to standard error.
    Files are read as in `concordant matrix`; all must contain the same records.
    """
    separator = _separator_of_labels(out)
    partitions = _labels(files, out, "a consensus")
    with progress("searching") as done:
        how: dict[str, Any] = {"threads": threads, **inputs.label_options(files)}
        how["clustering_weights"] = _numbers(run_weights)
        result = consensus(
            partitions, loss, vi_weight=vi_weight, n_restarts=runs, seed=seed, progress=done, **how
        )
    header = ("record", "cluster", "stability")
    rows = list(zip(result.records, result.labels.tolist(), result.stability.tolist(), strict=True))

    def document() -> dict[str, Any]:
        return {
            "loss": {
                "name": result.loss_name,
                "value": result.loss,
                "bound": result.bound,
                "gap": result.gap,
            },
            "proven": result.proven,
            "proven_share": result.proven_share,
            "medoid": {"name": result.medoid, "loss": result.medoid_loss},
            "losses": result.losses,
            "records": [dict(zip(header, row, strict=True)) for row in rows],
        }

    if out.as_json or out.to is None:
        advice = "(--output FILE writes the cluster and the stability of each record)"
        answer(result, out, text=lambda: f"{result}\n\n{advice}", document=document, page=result.to_html)
        return
    labels = io.StringIO()
    csv.writer(labels, lineterminator="\n", delimiter=separator).writerows([header, *rows])
    place = shortened(printable(out.to), line_width() - len("labels: "))
    answer(
        result,
        out,
        file=labels.getvalue(),
        text=lambda: f"{result}\n\nlabels: {place}" if out.is_file else str(result),
        page=result.to_html,
    )


def _numbers(run_weights: str | None) -> list[float] | None:
    """The weights of runs, as written after --run-weights."""
    try:
        return None if run_weights is None else [float(each) for each in run_weights.split(",")]
    except ValueError:
        raise ParameterError("write numbers like 1,2,0.5", given={"run_weights": run_weights}) from None


@command("stability", omit=(*_ENGINE, "columns"))
def measure_stability(
    *,
    reference: Annotated[
        str, typer.Argument(metavar="REFERENCE", help="The clusters to look for in the runs.")
    ],
    files: ManyOptions,
    weights: Annotated[
        str | None, typer.Option(metavar="COLUMN", help="The column of REFERENCE with the record weights.")
    ] = None,
    run_weights: Annotated[
        str | None, typer.Option(metavar="A,B,C", help="The weight of each run, in their order.")
    ] = None,
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
    records: Annotated[
        int,
        typer.Option(metavar="NUMBER", min=0, help="Number of unstable records to list."),
    ] = 0,
    level: options.LevelOption = 0.95,
    seed: options.SeedOption = 0,
    threads: options.ThreadsOption = 0,
    out: Output,
) -> None:
    """Show how often each cluster of a reference recurs in other runs.

    \b
      concordant stability reference.csv runs/*.csv
      concordant stability reference.csv runs/*.csv --records 20 --html stability.html
      concordant stability reference.csv bootstrap/*.csv --absent zero --json
      concordant stability reference.csv runs/*.csv --weights visits

    Each cluster is compared with its best match in every run, using only the records they share, so runs
    may be resamples. Beside each value is the one that permuted labels give: large clusters look stable by
    chance. Files are read as in `concordant matrix`.
    """
    paths = [reference, *files.paths]
    out.check(paths)
    names = inputs.file_names(paths)
    with inputs.opened(paths, files, in_memory_for="stability") as sides:
        how: dict[str, Any] = {"absent": absent, "dissolved": dissolved, "recovered": recovered}
        if weights is not None:
            how["weights"] = inputs.weights(weights, sides[0], files)
    with progress("comparing runs") as done:
        how |= {"confidence": level, "seed": seed, "threads": threads, **inputs.label_options(files)}
        how["clustering_weights"] = _numbers(run_weights)
        runs = {name: side.elements for name, side in zip(names[1:], sides[1:], strict=True)}
        result = stability(runs, reference=sides[0].elements, progress=done, **how)
        listed = [result.records(records)] if records else []
    rows = {"least_stable_records": listed[0].to_dict()["rows"]} if listed else {}
    answer(
        result,
        out,
        text=lambda: "\n\n".join(map(str, [result, *listed])),
        document=lambda: result.to_dict() | rows,
        page=result.to_html,
    )


def _separator_of_labels(out: Output) -> str:
    """The column separator of a label file, by its name; formats that are not text are refused."""
    kind = format_by_name(str(out.to)) if out.is_file and not out.as_json else None
    if kind is not None and kind.separator is None:
        raise ParameterError(
            f"labels are written as CSV or TSV, not as {kind.title}; change the ending, or use --json",
            given={"output": out.to},
        )
    if out.is_file and compression_of(str(out.to)):
        raise ParameterError(
            "labels are written without compression; change the ending", given={"output": out.to}
        )
    return "," if kind is None or kind.separator is None else kind.separator


@command("rank", omit=("html", "undefined", "threads"))
def rank_systems(
    *,
    truth: Annotated[str, typer.Argument(metavar="TRUTH", help="The file with the true clusters.")],
    system: Annotated[
        list[str],
        typer.Option("--system", metavar="NAME=FILE", help="A system and its clusters; given twice or more."),
    ],
    baseline: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="The system to test the others against. Default: the first."),
    ] = None,
    files: FileOptions,
    conventions: ConventionOptions,
    index: options.DefaultIndicesOption = _FOR_SYSTEMS,
    unit: options.UnitOption = None,
    level: options.LevelOption = 0.95,
    margin: Annotated[
        float | None,
        typer.Option(metavar="NUMBER", help="Also test for noninferiority and equivalence within this."),
    ] = None,
    correction: Annotated[
        Literal["holm", "max_t", "none"],
        typer.Option(help="The correction of p-values for the number of systems; max_t needs --unit."),
    ] = "holm",
    method: Annotated[
        VersusMethod,
        typer.Option(help="Method for p-values. auto: swaps if --unit permits, otherwise the jackknife."),
    ] = "auto",
    swaps: Annotated[
        int | None,
        typer.Option(metavar="NUMBER", help="Number of swaps to draw if more than 16 units differ."),
    ] = None,
    seed: options.SeedOption = 0,
    out: Output,
) -> None:
    """Rank several systems against one truth, and test each against a baseline.

    \b
    Files of records and their clusters, joined by record:
      concordant rank truth.csv --system old=a.csv --system new=b.csv --baseline old
      concordant rank truth.csv --system old=a.csv --system new=b.csv -i f_measure -i adjusted_rand --json
    Records that were drawn as whole documents; the truth has a column that names them:
      concordant rank truth.csv --system old=a.csv --system new=b.csv --record id --unit document
    Whether the new system is worse by less than 0.01:
      concordant rank truth.csv --system old=a.csv --system new=b.csv -i f_measure --margin 0.01

    A difference is tested on the same records: the same record, or the same unit, is left out of both systems
    in turn. With --unit, p-values come from swapping whole units if no cluster spans two units. Files are
    read as in `concordant compare`.
    """
    systems: dict[str, str] = {}
    for each in system:
        name, equals, file = each.partition("=")
        if not (name and equals and file):
            raise ParameterError("write it like --system new=run.csv", given={"system": each})
        if name in systems:
            raise ParameterError(f"two systems have the name {name!r}; rename one", given={"system": each})
        systems[name] = file
    if len(systems) < 2:
        raise ParameterError("name two systems or more: --system old=a.csv --system new=b.csv")
    paths = [truth, *systems.values()]
    out.check(paths)
    inputs.file_names(paths)  # refuses a file that is given twice
    with inputs.opened(paths, files) as (reference, *sides):
        with progress("ranking"):
            result = rank(
                reference.elements,
                {name: side.elements for name, side in zip(systems, sides, strict=True)},
                index,
                baseline=baseline,
                unit=inputs.units(unit, reference, files),
                confidence=level,
                margin=margin,
                correction=None if correction == "none" else correction,
                method=method if method != "auto" or swaps is None else "swaps",
                n_resamples=9999 if swaps is None else swaps,
                seed=seed,
                **conventions.only("unmatched", "table_limit"),
                **inputs.label_options(files, reference),
            )
        answer(result, out)
