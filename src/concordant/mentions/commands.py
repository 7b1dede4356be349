"""The command ``coref``."""

from __future__ import annotations

from typing import Annotated, Literal

import typer
from rich.text import Text

from concordant.cli import inputs, options
from concordant.cli.gates import NO_INTERVALS
from concordant.cli.options import FileOptions, GateOptions, command
from concordant.cli.output import Output, answer, progress
from concordant.foundation.spelling import printable
from concordant.foundation.text_layout import fitted_columns
from concordant.mentions.comparison import coreference, score_called
from concordant.mentions.files import read_mentions


@command("coref", coreference)
def score_coreference(
    *,
    reference: Annotated[
        str, typer.Argument(metavar="REFERENCE", help="[NAME=]FILE: the file with the true clusters.")
    ],
    candidate: Annotated[
        str, typer.Argument(metavar="CANDIDATE", help="[NAME=]FILE: the file with the clusters to score.")
    ],
    singletons: Annotated[
        Literal["keep", "remove"],
        typer.Option(help="How clusters of one mention are treated, on both sides."),
    ],
    repeated: Annotated[
        Literal["error", "first"],
        typer.Option(help="How a mention that occurs twice on one side is treated."),
    ],
    undefined: options.UndefinedOption,
    digits: Annotated[
        Literal["rounded", "cut"],
        typer.Option(help="Percentages rounded to two digits, or truncated like the official scorer."),
    ],
    clusters: Annotated[
        list[str] | None,
        typer.Option(
            metavar="[SIDE=]NAME",
            help="JSON lines: the key of the clusters. Default: clusters; may be repeated.",
        ),
    ] = None,
    documents: Annotated[
        bool, typer.Option("--documents", help="Also show the score of each document.")
    ] = False,
    limits: GateOptions,
    out: Output,
) -> None:
    """Score coreference as the official scorer does.

    \b
      concordant coref key.conll response.conll
      concordant coref gold.conllu system.conllu --singletons remove --documents
      concordant coref gold.jsonl system.jsonl --clusters candidate=predicted_clusters --html errors.html
      concordant coref key.conll response.conll --fail-under conll=0.8

    Reads CoNLL-2012 files, CoNLL-U with Entity (CorefUD), and JSON lines with clusters of spans.
    Prints recall, precision and F1 in per cent: MUC, B-cubed, CEAF-m, CEAF-e, BLANC, LEA, and CoNLL,
    the mean F1 of MUC, B-cubed and CEAF-e. Gates are for F1 from 0 to 1, or precision:muc and recall:muc.
    """
    sides = inputs.sides_of(FileOptions(), reference=reference, candidate=candidate)
    out.check(sides.paths)
    gates = limits.gates(score_called, ("precision", "recall", "f1"), needs=NO_INTERVALS)
    keys = inputs.by_side("clusters", clusters, sides.roles)
    with progress("reading"):
        read = [read_mentions(path, key or "clusters") for path, key in zip(sides.paths, keys, strict=True)]
    with progress("scoring"):
        result = coreference(
            *read, singletons=singletons, repeated=repeated, undefined=undefined, digits=digits
        )
        each = {str(name): result.documents.get(name) for name in result.documents} if documents else {}

    def text() -> Text:
        rows = [
            [printable(name), "—" if score is None else f"{100 * score.conll:.2f}"]
            for name, score in each.items()
        ]
        table = ["", *fitted_columns([["document", " CoNLL"], *rows])] if documents else []
        return Text("\n".join([str(result), *table]))

    scored = {name: score for name, score in each.items() if score is not None}
    page = result.comparison.to_html
    answer(result, out, parts={"documents": scored} if documents else {}, text=text, page=page, gates=gates)
