"""The command ``coref``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

import typer
from rich.text import Text

from concordant.cli import options
from concordant.cli.options import command
from concordant.cli.output import Output, answer, progress
from concordant.comparisons.coreference import coreference
from concordant.counts.spelling import printable
from concordant.sources.mentions import read_mentions
from concordant.text_layout import fitted_columns


@command("coref")
def score_coreference(
    *,
    key: Annotated[Path, typer.Argument(metavar="KEY", help="The file with the true clusters.")],
    response: Annotated[
        Path, typer.Argument(metavar="RESPONSE", help="The file with the clusters to score.")
    ],
    singletons: Annotated[
        Literal["keep", "remove"],
        typer.Option(help="How clusters of one mention are treated, on both sides."),
    ] = "keep",
    repeated: Annotated[
        Literal["error", "first"],
        typer.Option(help="How a mention that occurs twice on one side is treated."),
    ] = "error",
    undefined: options.UndefinedOption = "conll",
    digits: Annotated[
        Literal["rounded", "cut"],
        typer.Option(help="Percentages rounded to two digits, or truncated like the official scorer."),
    ] = "rounded",
    response_clusters: Annotated[
        str, typer.Option(metavar="NAME", help="The key of the response's clusters in JSON lines.")
    ] = "clusters",
    documents: Annotated[
        bool, typer.Option("--documents", help="Also show the score of each document.")
    ] = False,
    out: Output,
) -> None:
    """Score coreference as the official scorer does.

    \b
    Reads CoNLL-2012 files, CoNLL-U with Entity (CorefUD), and JSON lines with clusters of spans.
    Prints recall, precision and F1 in per cent: MUC, B-cubed, CEAF-m, CEAF-e, BLANC, LEA, and CoNLL,
    the mean F1 of MUC, B-cubed and CEAF-e.

    \b
    Examples:
      concordant coref key.conll response.conll
      concordant coref gold.conllu system.conllu --singletons remove --documents
      concordant coref gold.jsonl system.jsonl --response-clusters predicted_clusters --html errors.html
    """
    out.check([str(key), str(response)])
    with progress("reading"):
        sides = read_mentions(key), read_mentions(response, response_clusters)
    with progress("scoring"):
        result = coreference(
            *sides, singletons=singletons, repeated=repeated, undefined=undefined, digits=digits
        )
        each = {str(name): result.documents.get(name) for name in result.documents} if documents else {}

    def document() -> dict[str, Any]:  # a score is None if the document has no mention on either side
        scores = {name: score and score.to_dict() for name, score in each.items()}
        return result.to_dict() | ({"documents": scores} if documents else {})

    def text() -> Text:
        rows = [
            [printable(name), "—" if score is None else f"{100 * score.conll:.2f}"]
            for name, score in each.items()
        ]
        table = ["", *fitted_columns([["document", " CoNLL"], *rows])] if documents else []
        return Text("\n".join([str(result), *table]))

    page = result.comparison.to_html
    answer(result, out, text=text, document=document, page=page)
