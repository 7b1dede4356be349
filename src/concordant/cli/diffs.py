"""The commands for two runs: how much changed, and questions that ask people whether it is for the better."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from concordant.cli import inputs, options
from concordant.cli.columns import FilePartition
from concordant.cli.options import (
    DECISIONS,
    ConventionOptions,
    DecisionOptions,
    FileOptions,
    GateOptions,
    ListOptions,
    column_names,
    command,
)
from concordant.cli.output import Output, answer, progress
from concordant.indices.diff import DIFF_INDICES
from concordant.indices.index import any_index
from concordant.many.diff import Diff, diff
from concordant.many.question_draws import Goal
from concordant.many.questions import design_path
from concordant.sources.writing import writable_place

BeforeArgument = Annotated[
    str, typer.Argument(metavar="BEFORE", help="[NAME=]FILE: the run before; or one file with --columns.")
]
AfterArgument = Annotated[str | None, typer.Argument(metavar="AFTER", help="The run after.")]


@contextmanager
def _compared(
    sides: inputs.FileSides,
    files: FileOptions,
    conventions: ConventionOptions,
    *,
    in_memory: bool = False,
    **more: Any,
) -> Iterator[tuple[Diff, FilePartition]]:
    """The diff of before, after and, as a third side, the reference; and the side before."""
    in_memory |= conventions.weights is not None
    with inputs.opened(sides, files, in_memory=in_memory) as (first, second, *reference):
        with progress("comparing"):
            how = inputs.options_of(files, first, conventions)
            how["reference"] = reference[0].elements if reference else None
            before, after = sides.names[:2]
            result = diff(first.elements, second.elements, names=(before, after), **how, **more)
        yield result, first


@command(
    "diff",
    diff,
    Diff.judged,
    Diff.slices,
    needs={
        "questions": ("answers",),
        "confidence": ("answers",),
        "limit": ("lists", "by"),
        "details": ("by",),
    },
)
def diff_files(
    *,
    before: BeforeArgument,
    after: AfterArgument = None,
    reference: Annotated[
        str | None, typer.Option(metavar="FILE", help="The true clusters, to show what got better.")
    ],
    answers: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Answers to the questions of `concordant ask`: what got better."),
    ] = None,
    questions: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="With --answers: the questions, if they are in another folder."),
    ],
    files: FileOptions,
    conventions: ConventionOptions,
    decisions: DecisionOptions,
    lists: ListOptions,
    by: options.ByOption = None,
    details: options.DetailsOption = None,
    confidence: options.ConfidenceOption,
    limits: GateOptions,
    out: Output,
) -> None:
    """Show how much changed from one run to the next, where, and whether for the better.

    \b
      concordant diff monday.csv tuesday.csv
      concordant diff monday.csv tuesday.csv --list components --list records --limit 5 --html diff.html
      concordant diff all.csv --columns monday,tuesday --fail-over affected=0.05
      concordant diff monday.csv tuesday.csv --reference truth.csv --fail-under delta_precision=0
      concordant diff monday.csv tuesday.csv --by country --details people.csv

    A record's cluster changed if some records were split off from it or merged into it. Clusters of both runs
    that share records make up a connected component: a change that can be judged by itself. `concordant
    contrast` counts which true clusters were fixed and broken. Files are read as in `concordant compare`;
    SIDE is before, after or reference. Lists are components, clusters and records.

    \b
    More examples:
      concordant diff monday.csv tuesday.csv --weights visits
      concordant diff monday.parquet tuesday.parquet --record id --cluster label --unmatched drop
    Decisions about pairs of records, which the run after may not break:
      concordant diff monday.csv tuesday.csv --different decided.csv --fail-over different_broken=0
    With answers to questions about pairs of records:
      concordant ask monday.csv tuesday.csv --n-questions 200 --questions questions.csv
      concordant diff monday.csv tuesday.csv --answers questions.csv --fail-under delta_precision.low=0
    """
    sides = inputs.sides_of(files, before=before, after=after, reference=reference)
    out.check([*sides.paths, answers, questions, details, decisions.same, decisions.different])
    lists.check(("components", "clusters", "records"))
    needs = "" if answers is not None else "--answers"
    gates = limits.gates(
        lambda name: name if name in DECISIONS else any_index(name, DIFF_INDICES), needs=needs
    )
    with _compared(sides, files, conventions, **vars(decisions)) as (result, first):
        parts: dict[str, Any] = {"decisions": result.decisions} if any(vars(decisions).values()) else {}
        if by is not None:
            parts["slices"] = result.slices(**inputs.slices(by, details, first), limit=lists.limit)
        if answers is not None:
            parts["judged"] = result.judged(answers, questions=questions, confidence=confidence)
        parts |= lists.of(result)
        page = partial(result.to_html, slices=parts.get("slices"), judged=parts.get("judged"))
        answer(result, out, parts=parts, page=page, gates=gates)


@command("ask", diff, Diff.ask, omit=("undefined",))
def ask_about_files(
    *,
    before: BeforeArgument,
    after: AfterArgument = None,
    n_questions: Annotated[
        int,
        typer.Option(
            "--n-questions",
            "-n",
            metavar="NUMBER",
            min=1,
            help="Number of questions; for iq, about that of records.",
        ),
    ],
    goal: Annotated[
        Goal,
        typer.Option(
            help="Good and bad splits and merges, the ratio of recalls, IQ, or which clusters of a "
            "connected component are better."
        ),
    ],
    questions: Annotated[
        Path, typer.Option(metavar="FILE", help="The file to write, .csv or .jsonl; a design file beside it.")
    ],
    gold: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Known answers: record_a, record_b, same."),
    ],
    known: Annotated[
        str | None, typer.Option(metavar="FILE", help="Earlier answers, which are not asked again.")
    ],
    pilot: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Answers of an earlier, smaller set.",
        ),
    ],
    details: options.DetailsOption,
    show: options.ShowOption,
    by: Annotated[
        str | None,
        typer.Option(
            metavar="A,B",
            help="Divide the questions equally among these slices.",
        ),
    ],
    seed: options.SeedOption,
    files: FileOptions,
    conventions: ConventionOptions,
    out: Output,
) -> None:
    """Draw pairs of records for people to judge whether a new run is better.

    \b
      concordant ask monday.csv tuesday.csv --questions questions.csv --details people.csv --show name,born
      concordant ask monday.csv tuesday.csv --questions week2.csv --known week1.csv --gold gold.csv
      concordant ask monday.csv tuesday.csv --questions questions.csv --html review.html
      concordant ask monday.csv tuesday.csv -n 400 --questions questions.csv --by country
    Fill in the column 'same' with yes, no or unsure. Then:
      concordant diff monday.csv tuesday.csv --answers questions.csv

    With --goal components, the column is called 'better': fill in a, b, neither or unsure.

    Or open the --html page, answer with the keyboard, and save the answers as CSV next to the .design.json
    file.

    Several people may answer: add rows, and a name in the column 'judge'. Order and sides are random, and the
    file does not reveal which run joined a pair. How the pairs were drawn is in a file that ends with
    .design.json; keep it beside the questions, and do not show it to judges. Fix the number of questions
    before you look at answers. For more questions where a first set varied:

    \b
      concordant ask monday.csv tuesday.csv -n 400 --questions rest.csv --pilot q.csv --known q.csv
    """
    sides = inputs.sides_of(files, before=before, after=after)
    design = design_path(questions)
    out.check([*sides.paths, gold, known, pilot, details], questions=questions)
    writable_place(design)
    with _compared(sides, files, conventions, in_memory=by is not None) as (result, first):
        shown = inputs.shown_records(details, show, None, first, has_use=True)
        if by is not None:
            shown["by"] = column_names(by) if details else inputs.values_of_slices(by, first)
        with progress("drawing"):
            asked = result.ask(
                n_questions=n_questions, goal=goal, seed=seed, gold=gold, known=known, pilot=pilot, **shown
            )
        asked.save(questions)
    text = f"{asked.headline}\n{questions}, {design}"
    answer(asked, out, text=lambda: text, page=asked.to_html)
