"""The commands for runs without ground truth: how much changed, and questions about pairs of records.

People judge whether a change is for the better, or whether the merges of one run are right.
"""

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
from concordant.differences.fixed_and_broken import Outcome
from concordant.errors import ParameterError
from concordant.indices.index import INDICES, any_index
from concordant.sources.writing import writable_place
from concordant.versions.diff import Diff, diff
from concordant.versions.indices import DIFF_INDICES
from concordant.versions.merge_audit import Audit, audit
from concordant.versions.questions import design_path

BeforeArgument = Annotated[
    str, typer.Argument(metavar="BEFORE", help="[NAME=]FILE: the run before; or one file with --columns.")
]
AfterArgument = Annotated[str | None, typer.Argument(metavar="AFTER", help="The run after.")]
NumberOption = Annotated[
    int, typer.Option("--n-questions", "-n", metavar="NUMBER", min=1, help="Number of questions.")
]
GoldOption = Annotated[
    str | None, typer.Option(metavar="FILE", help="Known answers: record_a, record_b, same.")
]
KnownOption = Annotated[
    str | None, typer.Option(metavar="FILE", help="Earlier answers, which are not asked again.")
]


@contextmanager
def _compared(
    sides: inputs.FileSides,
    files: FileOptions,
    conventions: ConventionOptions,
    *,
    in_memory: bool = False,
    unit: str = "record",
    **more: Any,
) -> Iterator[tuple[Diff, FilePartition]]:
    """The diff of before, after and, as a third side, the reference; and the side before."""
    in_memory |= conventions.weights is not None
    with inputs.opened(sides, files, in_memory=in_memory) as (first, second, *reference):
        with progress("comparing"):
            how = inputs.options_of(files, first, conventions)
            if reference:
                how |= {"reference": reference[0].elements, "unit": inputs.units(unit, reference[0])}
            result = diff(first.elements, second.elements, names=sides.names, **how, **more)
        yield result, first


@command(
    "diff",
    diff,
    Diff.judged,
    Diff.slices,
    needs={
        "questions": ("answers",),
        "confidence": ("answers", "interval", "unit"),
        "outcome": ("lists",),
        "limit": ("lists", "by"),
        "details": ("by",),
    },
)
def diff_files(
    *,
    before: BeforeArgument,
    after: AfterArgument = None,
    reference: Annotated[
        str | None, typer.Option(metavar="FILE", help="The true clusters, to find those fixed and broken.")
    ],
    near: Annotated[
        float,
        typer.Option(
            help="A cluster is right if its F1 with its partner is at least this; 1 requires an exact match."
        ),
    ],
    majority: Annotated[float, typer.Option(help="Share above which a part counts as most of a cluster.")],
    interval: options.IntervalOption,
    unit: options.UnitOption,
    answers: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Answers to `concordant ask`, to estimate improvements."),
    ] = None,
    questions: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="With --answers: the questions, if they are in another folder."),
    ],
    files: FileOptions,
    conventions: ConventionOptions,
    decisions: DecisionOptions,
    lists: ListOptions,
    outcome: Annotated[
        Outcome | None,
        typer.Option(
            "--outcome",
            metavar="OUTCOME",
            help="List only fixed, broken, still_wrong or still_right clusters.",
        ),
    ] = None,
    by: options.ByOption = None,
    details: options.DetailsOption = None,
    confidence: options.ConfidenceOption,
    limits: GateOptions,
    out: Output,
) -> None:
    """Show how much changed from one run to the next, and which clusters were fixed and broken.

    \b
      concordant diff old.csv new.csv --html diff.html --list components
      concordant diff old.csv new.csv --reference truth.csv --list clusters --outcome broken
      concordant diff all.csv --columns old,new --fail-over affected=0.05

    A record's cluster changed if some records were split off from it or merged into it. Clusters of both runs
    that share records make up a connected component: a change that can be judged by itself. With a reference,
    a true cluster is right if it is exact or nearly so, and a record if it is in the core of its cluster.
    Each was fixed or broken, or is still wrong or still right. Files are read as in `concordant compare`;
    SIDE is before, after or reference. Lists are components, clusters, records, new_records and changed_ids.

    \b
    With a reference, gates are also for an index before and after, for one of them, or for the difference:
      concordant diff old.csv new.csv --reference truth.csv --fail-under delta_precision=0
      concordant diff old.csv new.csv --reference truth.csv --fail-under after:f_measure=0.9
      concordant diff all.csv --columns old,new,truth --interval --fail-under f_measure.low=0

    \b
    More examples:
      concordant diff monday.csv tuesday.csv --list components --list records --limit 5
      concordant diff monday.csv tuesday.csv --by country --details people.csv
      concordant diff monday.csv tuesday.csv --weights visits
      concordant diff monday.parquet tuesday.parquet --record id --cluster label --unmatched drop
    Ids of clusters that did not change, which should stay:
      concordant diff monday.csv tuesday.csv --list changed_ids --fail-over id_churn=0.01
    Decisions about pairs of records, which the run after may not break:
      concordant diff monday.csv tuesday.csv --different decided.csv --fail-over different_broken=0
    With answers to questions about pairs of records:
      concordant ask monday.csv tuesday.csv --n-questions 200 --questions questions.csv
      concordant diff monday.csv tuesday.csv --answers questions.csv --fail-under delta_precision.low=0
    """
    sides = inputs.sides_of(files, before=before, after=after, reference=reference)
    out.check([*sides.paths, answers, questions, details, decisions.same, decisions.different])
    of_outcome = ("clusters", "records")
    lists.check(of_outcome if outcome else ("components", *of_outcome, "new_records", "changed_ids"))
    is_sample = interval or unit != "record"
    gates = limits.gates(
        lambda name: name if name in (*DECISIONS, "id_churn") else any_index(name, DIFF_INDICES, INDICES),
        needs="" if answers is not None or is_sample else "--interval, with --reference, or --answers",
    )
    how: dict[str, Any] = {"near": near, "majority": majority, "interval": interval, "unit": unit}
    if is_sample:
        how["confidence"] = confidence
    how |= {"in_memory": answers is not None, **vars(decisions)}
    with _compared(sides, files, conventions, **how) as (result, first):
        parts: dict[str, Any] = {"decisions": result.decisions} if any(vars(decisions).values()) else {}
        if by is not None:
            parts["slices"] = result.slices(**inputs.slices(by, details, first), limit=lists.limit)
        if answers is not None:
            parts["judged"] = result.judged(answers, questions=questions, confidence=confidence)
        parts |= lists.of(result, **({} if outcome is None else {"outcome": outcome}))
        if any(gate.index == "id_churn" for gate in gates):
            parts.setdefault("changed_ids", result.changed_ids(limit=lists.limit))
        page = partial(result.to_html, slices=parts.get("slices"), judged=parts.get("judged"))
        scores = [gate.index for gate in gates if gate.index in INDICES]
        gated = [result, result.indices(scores)] if scores else [result]
        worst = partial(result.clusters, outcome="broken") if result.has_reference else result.components
        answer(result, out, parts=parts, page=page, gates=gates, gated=gated, worst=worst)


@command("ask", diff, Diff.ask, omit=("undefined",))
def ask_about_files(
    *,
    before: BeforeArgument,
    after: AfterArgument = None,
    n_questions: NumberOption,
    questions: Annotated[
        Path, typer.Option(metavar="FILE", help="The file to write, .csv or .jsonl; a design file beside it.")
    ],
    gold: GoldOption,
    known: KnownOption,
    details: options.DetailsOption,
    show: options.ShowOption,
    by: Annotated[
        str | None,
        typer.Option(
            metavar="A,B",
            help="Divide the questions equally among the slices by these columns.",
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

    Or open the --html page, answer with the keyboard, and save the answers as CSV next to the .design.json
    file.

    Several people may answer: add rows, and a name in the column 'judge'. Order and sides are random, and the
    file does not reveal which run joined a pair. How the pairs were drawn is in a file that ends with
    .design.json; keep it beside the questions, and do not show it to judges. Fix the number of questions
    before you look at answers.
    """
    sides = inputs.sides_of(files, before=before, after=after)
    design = design_path(questions)
    out.check([*sides.paths, gold, known, details], questions=questions)
    writable_place(design)
    with _compared(sides, files, conventions, in_memory=True) as (result, first):
        shown = inputs.shown_records(details, show, None, first, has_use=True)
        if by is not None:
            shown["by"] = column_names(by) if details else inputs.values_of_slices(by, first)
        with progress("drawing"):
            asked = result.ask(n_questions=n_questions, seed=seed, gold=gold, known=known, **shown)
        asked.save(questions)
    text = f"{asked._title()}\n{questions}, {design}"
    answer(asked, out, text=lambda: text, page=asked.to_html)


# Options that decide how questions are drawn, with their defaults.
_DRAWING = {"n_questions": 200, "seed": 0, **dict.fromkeys(("gold", "known", "details", "show"))}


@command("audit", audit, Audit.ask, Audit.judged, needs={"confidence": ("answers",)})
def audit_file(
    *,
    candidate: Annotated[
        str, typer.Argument(metavar="CANDIDATE", help="[NAME=]FILE: the clustering; - is standard input.")
    ],
    n_questions: NumberOption,
    questions: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="The file of questions to write, .csv or .jsonl; with --answers, the questions of these.",
        ),
    ] = None,
    answers: Annotated[
        str | None, typer.Option(metavar="FILE", help="The questions with the column 'same' filled in.")
    ] = None,
    gold: GoldOption,
    known: KnownOption,
    details: options.DetailsOption,
    show: options.ShowOption,
    seed: options.SeedOption,
    files: FileOptions,
    conventions: ConventionOptions,
    confidence: options.ConfidenceOption,
    limits: GateOptions,
    out: Output,
) -> None:
    """Draw merged pairs of records for people to judge, and estimate how many merges are right.

    \b
      concordant audit run.csv
      concordant audit run.csv -n 100 --questions questions.csv --details people.csv --show name,born
      concordant audit run.csv --answers questions.csv
      concordant audit run.csv --answers questions.csv --fail-under precision.low=0.9

    Only the clustering is needed, no reference. Fill in the column 'same' of the questions with yes, no or
    unsure. The answers estimate pair precision and B-cubed precision of all clusters. How the pairs were
    drawn is in a file that ends with .design.json; keep it beside the questions. `concordant ask` draws
    questions about the change from one run to the next.
    """
    given = {"n_questions": n_questions, "seed": seed, "gold": gold, "known": known}
    given |= {"details": details, "show": show}
    changed = {name: value for name, value in given.items() if value != _DRAWING[name]}
    if answers is not None and changed:
        raise ParameterError("this is for new questions; leave it out with --answers", given=changed)
    if answers is None and questions is None and changed:
        raise ParameterError("this is for questions; add --questions FILE", given=changed)
    sides = inputs.sides_of(files, least=1, candidate=candidate)
    drawn = questions if answers is None else None
    read = [*sides.paths, answers, gold, known, details]
    out.check(read, **({} if drawn is None else {"questions": drawn}))
    gates = limits.gates(INDICES.__getitem__, needs="" if answers is not None else "--answers")
    if drawn is not None:
        writable_place(design_path(drawn))
    with inputs.opened(sides, files, in_memory=conventions.weights is not None) as (side,):
        with progress("counting"):
            how = inputs.options_of(files, side, conventions)
            result = audit(side.elements, names=sides.names, **how)
        if answers is not None:
            judged = result.judged(answers, questions=questions, confidence=confidence)
            answer(judged, out, page=judged.to_html, gates=gates)
        elif drawn is not None:
            shown = inputs.shown_records(details, show, None, side, has_use=True)
            with progress("drawing"):
                asked = result.ask(n_questions=n_questions, seed=seed, gold=gold, known=known, **shown)
            asked.save(drawn)
            text = f"{asked._title()}\n{drawn}, {design_path(drawn)}"
            answer(asked, out, text=lambda: text, page=asked.to_html)
        else:
            answer(result, out, page=result.to_html, gates=gates)
