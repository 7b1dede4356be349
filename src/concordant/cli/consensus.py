"""The command ``consensus``: the partition nearest to many runs."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import typer

from concordant.cli import inputs, options, output, progress
from concordant.cli.many import labels_by_name
from concordant.many.consensus import Consensus, consensus


def find_consensus(
    *,
    files_: options.FilesOption,
    columns: options.ManyColumnsOption = None,
    record: options.OneRecordOption = None,
    cluster: options.OneClusterOption = None,
    format: options.FormatOption = "table",
    separator: options.SeparatorOption = None,
    header: options.HeaderOption = None,
    encoding: options.EncodingOption = "utf-8",
    noise: options.NoiseOption = None,
    noise_as: options.NoiseAsOption = None,
    loss: options.LossOption = "vi",
    price: options.PriceOption = 1.0,
    searches: options.SearchesOption = 16,
    seed: options.SeedOption = 0,
    as_json: options.AsJsonOption = False,
    to: options.OutputOption = None,
    html: options.HtmlOption = None,
) -> None:
    """Find the partition nearest to many."""
    output.check_places(files_, to, html)
    inputs.check_noise(noise, noise_as, format)
    layout = inputs.layout_of(separator, header, encoding, noise)
    selection = inputs.Selection(format, columns, record or (), cluster or ())
    runs = labels_by_name(files_, selection, layout, "a consensus")
    with progress.shown("searching"):
        how: dict[str, Any] = {"noise": noise, "noise_as": noise_as}
        result = consensus(runs, loss, a=price, runs=searches, seed=seed, **how)
    if html is not None:
        with progress.shown("drawing"):
            result.to_html(html)
    if to is not None and str(to) != output.STANDARD and not as_json:
        typer.echo(str(result), err=True)
    output.deliver(_agreed(result, as_json=as_json), to)


def _agreed(result: Consensus, *, as_json: bool) -> str:
    """A table of records, or JSON with all that is known."""
    records, labels = result.records, result.labels.tolist()
    stability = result.stability.tolist()
    if as_json:
        document: dict[str, Any] = {
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
            "records": [
                {"record": record, "cluster": label, "stability": sure}
                for record, label, sure in zip(records, labels, stability, strict=True)
            ],
        }
        return json.dumps(document, indent=2, ensure_ascii=False, default=str) + "\n"
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(["record", "cluster", "stability"])
    rows.writerows(zip(records, labels, stability, strict=True))
    return text.getvalue()
