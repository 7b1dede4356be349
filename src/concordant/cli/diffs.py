"""The commands for two runs: how much changed, and questions that ask people whether it is for the better."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.text import Text

from concordant.cli import inputs, options
from concordant.cli.columns import FilePartition
from concordant.cli.options import ConventionOptions, FileOptions, column_names, command
from concordant.cli.output import Output, answer, progress
from concordant.errors import ParameterError
from concordant.many.diff import Diff, diff
from concordant.many.question_draws import Goal
from concordant.many.questions import design_path
from concordant.sources.writing import writable_place

BaseArgument = Annotated[str, typer.Argument(metavar="BASE", help="The run before.")]
ExperimentArgument = Annotated[str, typer.Argument(metavar="EXPERIMENT", help="The run after.")]
WeightsOption = Annotated[
    str | None, typer.Option(metavar="COLUMN", help="The column of BASE with the record weights.")
]


@contextmanager
def _compared(
    paths: list[str],
    files: FileOptions,
    conventions: ConventionOptions,
    weights: str | None,
    in_memory_for: str = "",
) -> Iterator[tuple[Diff, FilePartition]]:
    """The diff of base, experiment and, as a third file, truth, and the base."""
    names = inputs.file_names(paths)
    with inputs.opened(paths, files, in_memory_for=in_memory_for) as (first, second, *truth):
        with progress("comparing"):
            how = conventions.only("unmatched", "table_limit", "threads") | inputs.label_options(files, first)
            if weights is not None:
                how["weights"] = inputs.weights(weights, first, files)
            if truth:
                how["reference"] = truth[0].elements
            result = diff(first.elements, second.elements, names=(names[0], names[1]), **how)
        yield result, first


@command(
    "diff",
    omit=("undefined",),
    needs={"questions": ("answers",), "level": ("answers",), "by_file": ("by",)},
)
def diff_files(
    *,
    base: BaseArgument,
    experiment: ExperimentArgument,
    truth: Annotated[
        str | None, typer.Option(metavar="FILE", help="The true clusters, to show what got better.")
    ] = None,
    answers: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Answers to the questions of `concordant ask`: what got better."),
    ] = None,
    questions: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="With --answers: the questions, if they are in another folder."),
    ] = None,
    level: options.LevelOption = 0.95,
    weights: WeightsOption = None,
    files: FileOptions,
    conventions: ConventionOptions,
    records: Annotated[
        int, typer.Option(metavar="NUMBER", min=0, help="Number of most-changed records to list.")
    ] = 0,
    clusters: Annotated[
        int, typer.Option(metavar="NUMBER", min=0, help="Number of most-changed clusters of BASE to list.")
    ] = 0,
    components: Annotated[
        int,
        typer.Option(metavar="NUMBER", min=0, help="Number of most-changed connected components to list."),
    ] = 0,
    by: options.ByOption = None,
    by_file: options.ByFileOption = None,
    out: Output,
) -> None:
    """Show how much changed from one run to the next, where, and whether for the better.

    \b
      concordant diff monday.csv tuesday.csv
      concordant diff monday.csv tuesday.csv --components 5 --records 20 --html diff.html
      concordant diff monday.csv tuesday.csv --weights visits
      concordant diff monday.csv tuesday.csv --by country --by-file people.csv
      concordant diff monday.parquet tuesday.parquet --record id --cluster label --unmatched drop
    With the true clusters of the same records:
      concordant diff monday.csv tuesday.csv --truth truth.csv --json
    With answers to questions about pairs of records:
      concordant ask monday.csv tuesday.csv --number 200 --output questions.csv
      concordant diff monday.csv tuesday.csv --answers questions.csv

    A record's cluster changed if some records were split off from it or merged into it. Clusters of both runs
    that share records make up a connected component: a change that can be judged by itself. `concordant
    contrast` counts which true clusters were fixed and broken. Files are read as in `concordant compare`.
    """
    paths = [base, experiment, *([] if truth is None else [truth])]
    out.check([*paths, *filter(None, (answers, questions, by_file))])
    with _compared(paths, files, conventions, weights) as (result, first):
        how = {} if by is None else inputs.slices(by, by_file, first, files)
        how |= {"details": how.pop("records")} if "records" in how else {}
        sliced = None if by is None else result.slices(**how)
        judged = None if answers is None else result.judged(answers, questions=questions, confidence=level)
        asked = (("records", records), ("clusters", clusters), ("components", components))
        lists: dict[str, Any] = {} if sliced is None else {"slices": sliced}
        lists |= {name: getattr(result, name)(limit=limit) for name, limit in asked if limit}
        shown = [result, *([] if judged is None else [judged]), *filter(len, lists.values())]
        answer(
            result,
            out,
            text=lambda: "\n\n".join(map(str, shown)),
            document=lambda: (
                result.to_dict()
                | {name: each.to_dict()["rows"] for name, each in lists.items()}
                | ({} if judged is None else {"judged": judged.to_dict()})
            ),
            page=partial(result.to_html, slices=sliced, judged=judged),
        )


@command("ask", omit=("undefined",))
def ask_about_files(
    *,
    base: BaseArgument,
    experiment: ExperimentArgument,
    number: Annotated[
        int,
        typer.Option(
            "--number", "-n", min=1, help="Number of questions; for iq, the approximate number of records."
        ),
    ] = 200,
    goal: Annotated[
        Goal,
        typer.Option(
            help="precision: good and bad splits and merges; recall: the ratio of recalls; iq: IQ; "
            "components: which clusters of a connected component are better."
        ),
    ] = "precision",
    gold: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Pairs with known answers to mix in: record_a, record_b, same."),
    ] = None,
    known: Annotated[
        str | None, typer.Option(metavar="FILE", help="Earlier answers; these questions are not asked again.")
    ] = None,
    pilot: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Answers to an earlier, smaller set of questions; more are drawn where these vary more.",
        ),
    ] = None,
    records: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="A row for each record, named as in --record, to show to judges."),
    ] = None,
    show: Annotated[
        str | None, typer.Option(metavar="A,B", help="With --records: its columns to show; all if not given.")
    ] = None,
    by: Annotated[
        str | None,
        typer.Option(
            metavar="A,B",
            help="Divide the questions equally among the values of this column of --records or BASE.",
        ),
    ] = None,
    seed: options.SeedOption = 0,
    weights: WeightsOption = None,
    files: FileOptions,
    conventions: ConventionOptions,
    out: Output,
) -> None:
    """Draw pairs of records for people to judge whether a new run is better.

    \b
      concordant ask monday.csv tuesday.csv -n 200 -o questions.csv --records people.csv --show name,born
      concordant ask monday.csv tuesday.csv -n 200 -o week2.csv --known week1.csv --gold gold.csv
      concordant ask monday.csv tuesday.csv -n 400 -o rest.csv --pilot questions.csv --known questions.csv
      concordant ask monday.csv tuesday.csv -o questions.csv --html review.html
      concordant ask monday.csv tuesday.csv -n 400 -o questions.csv --by country
    Fill in the column 'same' with yes, no or unsure. Then:
      concordant diff monday.csv tuesday.csv --answers questions.csv

    With --goal components, the column is called 'better': fill in a, b, neither or unsure.

    Or open the --html page, answer with the keyboard, and save the answers as CSV next to the .design.json
    file.

    The file ends with .csv or .jsonl. Several people may answer: add rows, and a name in the column 'judge'.
    Order and sides are random, and the file does not reveal which run joined a pair. How the pairs were drawn
    is in a file that ends with .design.json; keep it beside the questions, and do not show it to judges. Fix
    the number of questions before you look at answers.
    """
    if out.to is None or not out.is_file:
        raise ParameterError("questions and their design are written to files; name a file with --output")
    paths = [base, experiment]
    out.check([*paths, *filter(None, (gold, known, pilot, records))])
    writable_place(design_path(Path(out.to)))
    shown: dict[str, Any] = {}
    if records is not None:
        if not files.record:
            raise ParameterError("name the column of the record with --record", given={"records": records})
        shown = {"details": records, "record": files.record[0], "show": column_names(show)}
    elif show is not None:
        raise ParameterError("this needs --records, the file with the columns", given={"show": show})
    in_memory_for = "" if by is None else "--by"
    with _compared(paths, files, conventions, weights, in_memory_for) as (result, first):
        if by is not None:
            shown["by"] = column_names(by) if records else inputs.values_of_slices(by, first, files)
        with progress("drawing"):
            how = {"gold": gold, "known": known, "pilot": pilot, **shown}
            asked = result.ask(n_questions=number, goal=goal, seed=seed, **how)
        asked.save(out.to)
    design = design_path(Path(out.to))
    numbers = {"questions": len(asked), "gold": len(asked.design.gold), "known": len(asked.design.known)}
    answer(
        asked,
        replace(out, to=None),  # the file has the questions
        text=lambda: Text(f"{asked.headline}\n{out.to}, {design}"),
        document=lambda: {"goal": goal, "seed": seed, **numbers, "file": out.to, "design": design},
        page=asked.to_html,
    )
