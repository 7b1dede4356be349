"""The commands for more than two partitions: ``matrix``, ``contrast`` and ``track``."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from typing import Any

from concordant.cli import inputs, options, output, pages, progress, sources
from concordant.cli.text import Layout
from concordant.counts.conventions import TABLE_LIMIT
from concordant.many.all_against_all import Matrices, matrix
from concordant.many.contrast import contrast
from concordant.many.matrix import Matrix
from concordant.many.track import track

_USUAL_INDEX = "adjusted_rand"


def labels_by_name(
    paths: Sequence[str], selection: inputs.Selection, layout: Layout, taker: str
) -> dict[str, dict[str, str] | dict[str, int] | list[str]]:
    """The labels of many partitions by name, read while progress is shown; ``taker`` is who asks."""
    with progress.shown("reading") as done:
        sides = inputs.read_many(paths, selection, layout, done, taker)
    return {name: side.elements for name, side in sides.items()}


def compare_many(
    *,
    files_: options.FilesOption,
    columns: options.ManyColumnsOption = None,
    record: options.OneRecordOption = None,
    cluster: options.OneClusterOption = None,
    format: options.FormatOption = "table",
    separator: options.SeparatorOption = None,
    header: options.HeaderOption = None,
    encoding: options.EncodingOption = "utf-8",
    unmatched: options.UnmatchedOption = "error",
    noise: options.NoiseOption = None,
    noise_as: options.NoiseAsOption = None,
    undefined: options.UndefinedOption = "convention",
    index: options.MatrixIndicesOption = None,
    reference: options.JudgeOption = None,
    as_json: options.AsJsonOption = False,
    to: options.OutputOption = None,
    html: options.HtmlOption = None,
) -> None:
    """Compare many partitions in files."""
    output.check_places(files_, to, html)
    inputs.check_noise(noise, noise_as, format)
    layout = inputs.layout_of(separator, header, encoding, noise)
    selection = inputs.Selection(format, columns, record or (), cluster or ())
    partitions = labels_by_name(files_, selection, layout, "a matrix")
    with progress.shown("comparing pairs") as done:
        how: dict[str, Any] = {"unmatched": unmatched, "noise": noise, "noise_as": noise_as}
        by = index or [_USUAL_INDEX]
        result = matrix(partitions, by, reference=reference, undefined=undefined, progress=done, **how)
    shown: Matrix | Matrices = result if len(result) > 1 else result[by[0]]
    if html is not None:
        with progress.shown("drawing"):
            shown.to_html(html)
    output.deliver(shown.to_json() + "\n" if as_json else pages.many(result), to)


def contrast_files(
    *,
    reference: options.ReferenceOption,
    before: options.BeforeOption,
    after: options.AfterOption,
    record: options.OneRecordOption = None,
    cluster: options.OneClusterOption = None,
    format: options.FormatOption = "table",
    separator: options.SeparatorOption = None,
    header: options.HeaderOption = None,
    encoding: options.EncodingOption = "utf-8",
    engine: options.EngineOption = None,
    memory: options.MemoryOption = None,
    unmatched: options.UnmatchedOption = "error",
    nulls: options.NullsOption = None,
    table_limit: options.TableLimitOption = TABLE_LIMIT,
    nearly: options.NearlyOption = 0.8,
    as_json: options.AsJsonOption = False,
    to: options.OutputOption = None,
    html: options.HtmlOption = None,
) -> None:
    """Say what one candidate fixed and broke against another."""
    files_ = [reference, before, after]
    output.check_places(files_, to, html)
    layout = inputs.layout_of(separator, header, encoding, None)
    selection = inputs.Selection(format, None, record or (), cluster or ())
    engine_options = sources.EngineOptions(engine, memory, nulls)
    with ExitStack() as open_files:
        with progress.shown("reading"):
            sides = open_files.enter_context(inputs.opened_all(files_, selection, layout, engine_options))
        with progress.shown("comparing"):
            how: dict[str, Any] = {"unmatched": unmatched, "table_limit": table_limit, "nearly": nearly}
            result = contrast(*sides.values(), **how)
        if html is not None:
            with progress.shown("drawing"):
                first, second, third = sides
                result.to_html(html, names=(first, second, third))
    output.deliver(f"{result.to_json() if as_json else result}\n", to)


def track_files(
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
    share: options.ShareOption = 0.5,
    to: options.OutputOption = None,
    html: options.HtmlOption = None,
) -> None:
    """Follow clusters through partitions in files."""
    output.check_places(files_, to, html)
    inputs.check_noise(noise, noise_as, format)
    layout = inputs.layout_of(separator, header, encoding, noise)
    selection = inputs.Selection(format, columns, record or (), cluster or ())
    partitions = labels_by_name(files_, selection, layout, "a track")
    with progress.shown("following") as done:
        result = track(partitions, share=share, noise=noise, noise_as=noise_as, progress=done)
    if html is not None:
        with progress.shown("drawing"):
            result.to_html(html)
    output.deliver(f"{result}\n", to)
