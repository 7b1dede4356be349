"""What each command takes, and how its parts work together."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import ExitStack
from importlib.metadata import version as version_of
from typing import Annotated, Any

from concordant.catalogue import choosing
from concordant.catalogue.index import INDICES, Index
from concordant.cli import inputs, sources, text, trust
from concordant.cli.limits import limits
from concordant.comparison import Comparison, compare
from concordant.counts.conventions import TABLE_LIMIT
from concordant.counts.spelling import printable
from concordant.differences.single_edits import KINDS
from concordant.errors import (
    LengthError,
    MissingExtraError,
    NothingLeftError,
    ParameterError,
    UnmatchedError,
)
from concordant.many.coreference import coreference
from concordant.many.rank import USUAL_INDICES, rank
from concordant.partitions.mention_files import read_mentions
from concordant.trust.estimate import estimate

try:
    import typer
    from rich.console import Group, RenderableType

    from concordant.cli import consensus, many, options, output, pages, progress
except ModuleNotFoundError as _error:
    _missing = (_error.name or "").partition(".")[0]
    if _missing not in ("typer", "rich"):
        raise
    raise MissingExtraError(
        f"the command line needs {_missing}, which is not installed; run: pip install 'concordant[cli]'"
    ) from None

_LIMIT_MISSED = 1
_USUAL_INDEX = "adjusted_rand"

Sides = (
    tuple[text.LoadedPartition, text.LoadedPartition]
    | tuple[sources.ScannedPartition, sources.ScannedPartition]
)

app: typer.Typer = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,  # help is plain text, the same on a terminal and in a pipe
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _show_version(asked: bool) -> None:
    if asked:
        output.write(f"concordant {version_of('concordant')}\n")
        raise typer.Exit


@app.callback()
def concordant(
    *,
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and exit."),
    ] = False,
) -> None:
    """Say how alike two clusterings of the same set are.

    \b
    Examples:
      concordant compare truth.csv guess.csv
      concordant compare both.csv --columns truth,guess -i adjusted_rand
      concordant matrix runs/*.csv --html runs.html
      concordant suggest truth.csv guess.csv
      concordant consensus runs/*.csv -o consensus.csv
      concordant indices --family information
      concordant explain adjusted_rand_score

    Exit status: 0 done, 1 a limit of --fail-under or --fail-over was missed, 2 bad use or bad input.
    """


@app.command("compare", help=options.COMPARE)
def compare_files(
    *,
    reference: options.ReferenceOption,
    candidate: options.CandidateOption = None,
    columns: options.ColumnsOption = None,
    record: options.RecordOption = None,
    cluster: options.ClusterOption = None,
    format: options.FormatOption = "table",
    separator: options.SeparatorOption = None,
    header: options.HeaderOption = None,
    encoding: options.EncodingOption = "utf-8",
    engine: options.EngineOption = None,
    memory: options.MemoryOption = None,
    unmatched: options.UnmatchedOption = "error",
    nulls: options.NullsOption = None,
    table_limit: options.TableLimitOption = TABLE_LIMIT,
    noise: options.NoiseOption = None,
    noise_as: options.NoiseAsOption = None,
    undefined: options.UndefinedOption = "convention",
    index: options.IndicesOption = None,
    significance: options.SignificanceOption = False,
    interval: options.IntervalOption = False,
    unit: options.UnitOption = None,
    weight: options.WeightOption = None,
    as_json: options.AsJsonOption = False,
    to: options.OutputOption = None,
    everything: options.AllOption = False,
    html: options.HtmlOption = None,
    records: options.RecordsOption = None,
    show: options.ShowOption = None,
    images: options.ImagesOption = None,
    fail_under: options.FailUnderOption = None,
    fail_over: options.FailOverOption = None,
) -> None:
    """Compare two partitions in files."""
    output.check_places([reference, *([] if candidate is None else [candidate])], to, html)
    chosen = {name: INDICES[name] for name in index or ()}
    gates = [
        *(limits(fail_under, "under") if fail_under else []),
        *(limits(fail_over, "over") if fail_over else []),
    ]
    inputs.check_noise(noise, noise_as, format)
    layout = inputs.layout_of(separator, header, encoding, noise)
    selection = inputs.Selection(format, columns, record or (), cluster or ())
    engine_options = sources.EngineOptions(engine, memory, nulls, noise, noise_as)
    shown = inputs.shown_records(records, show, images, selection, has_page=html is not None)
    with ExitStack() as open_files:
        with progress.shown("reading"):
            sides = open_files.enter_context(
                inputs.opened(reference, candidate, selection, layout, engine_options)
            )
        with progress.shown("comparing"):
            conventions: dict[str, Any] = {
                "unmatched": unmatched,
                "undefined": undefined,
                "table_limit": table_limit,
            }
            if weight is not None:
                conventions |= trust.weights(weight, (reference, candidate), selection, layout, sides[0])
            result = _compared(sides, engine_options, **conventions)
            asked: trust.Findings = {}
            if significance or interval or unit is not None:
                units = trust.units(unit, (reference, candidate), selection, layout, sides[0])
                asked = trust.asked(result, chosen, significance=significance, interval=interval, unit=units)
            answer = _answer(result, sides, chosen, asked, as_json=as_json, everything=everything)
            missed = [said for gate in gates if (said := gate.missed(result))]
        if html is not None:
            with progress.shown("drawing"):
                names = inputs.short_names(reference, candidate, columns)
                result.to_html(html, names=names, intervals=trust.intervals(asked), **shown)
    output.deliver(answer, to)
    if format == "clusters" and separator is None and (chosen or as_json):
        typer.echo(_origins(sides).rstrip(), err=True)  # the separator was found, and is told nowhere else
    if missed:
        typer.echo("\n".join(f"concordant: {text}" for text in missed), err=True)
        raise typer.Exit(_LIMIT_MISSED)


@app.command("coref", help=options.COREF)
def score_coreference(
    *,
    key: options.KeyOption,
    response: options.ResponseOption,
    singletons: options.SingletonsOption = "keep",
    repeated: options.RepeatedOption = "error",
    digits: options.DigitsOption = "rounded",
    response_clusters: options.ResponseClustersOption = "clusters",
    documents: options.DocumentsOption = False,
    as_json: options.AsJsonOption = False,
    to: options.OutputOption = None,
    html: options.HtmlOption = None,
) -> None:
    """Score the coreference of one file against another."""
    output.check_places([str(key), str(response)], to, html)
    with progress.shown("reading"):
        sides = read_mentions(key), read_mentions(response, response_clusters)
    with progress.shown("scoring"):
        result = coreference(*sides, singletons=singletons, repeated=repeated, digits=digits)
        answer = pages.coreference(result, documents=documents, as_json=as_json)
    if html is not None:
        with progress.shown("drawing"):
            result.comparison.to_html(html, names=("key", "response"))
    output.deliver(answer, to)


@app.command("estimate", help=options.ESTIMATE)
def estimate_from_sample(
    *,
    sample: options.SampleOption,
    candidate: options.CompleteOption,
    record: options.RecordOption = None,
    cluster: options.ClusterOption = None,
    separator: options.SeparatorOption = None,
    header: options.HeaderOption = None,
    encoding: options.EncodingOption = "utf-8",
    engine: options.EngineOption = None,
    memory: options.MemoryOption = None,
    nulls: options.NullsOption = None,
    drawn: options.DrawnOption = "clusters",
    draws: options.DrawsOption = None,
    times: options.TimesOption = None,
    weights: options.WeightsOption = None,
    population: options.PopulationOption = None,
    level: options.LevelOption = 0.95,
    index: options.IndicesOption = None,
    as_json: options.AsJsonOption = False,
    to: options.OutputOption = None,
) -> None:
    """Estimate from a sample of true clusters."""
    output.check_places([sample, candidate], to, None)
    layout = inputs.layout_of(separator, header, encoding, None)
    selection = inputs.Selection("table", None, record or (), cluster or ())
    with ExitStack() as open_files, progress.shown("estimating"):
        engine_options = sources.EngineOptions(engine, memory, nulls, None, None)
        sides = open_files.enter_context(inputs.opened(sample, candidate, selection, layout, engine_options))
        columns: dict[str, Any] = {
            name: trust.of_clusters(
                name, column, (sample, candidate), selection=selection, layout=layout, sample=sides[0]
            )
            for name, column in (("times", times), ("weights", weights))
            if column is not None
        }
        found = estimate(
            *(side.elements for side in sides),
            drawn=drawn,
            draws=draws,
            population=population,
            level=level,
            **columns,
        )
        answer = trust.estimates(found, index or (), as_json=as_json)
    output.deliver(answer, to)


app.command("matrix", help=options.MATRIX)(many.compare_many)
app.command("contrast", help=options.CONTRAST)(many.contrast_files)
app.command("track", help=options.TRACK)(many.track_files)
app.command("consensus", help=options.CONSENSUS)(consensus.find_consensus)


@app.command("suggest", help=options.SUGGEST)
def suggest_edits(
    *,
    reference: options.ReferenceOption,
    candidate: options.CandidateOption = None,
    columns: options.ColumnsOption = None,
    record: options.RecordOption = None,
    cluster: options.ClusterOption = None,
    format: options.FormatOption = "table",
    separator: options.SeparatorOption = None,
    header: options.HeaderOption = None,
    encoding: options.EncodingOption = "utf-8",
    unmatched: options.UnmatchedOption = "error",
    noise: options.NoiseOption = None,
    noise_as: options.NoiseAsOption = None,
    index: options.SuggestIndexOption = "bcubed_f",
    kind: options.KindsOption = None,
    largest: options.LargestOption = 20,
    steps: options.StepsOption = 0,
    as_json: options.AsJsonOption = False,
    to: options.OutputOption = None,
) -> None:
    """Suggest single edits of the candidate."""
    output.check_places([reference, *([] if candidate is None else [candidate])], to, None)
    inputs.check_noise(noise, noise_as, format)
    layout = inputs.layout_of(separator, header, encoding, noise)
    selection = inputs.Selection(format, columns, record or (), cluster or ())
    engine_options = sources.EngineOptions(None, None, None, noise, noise_as)
    with ExitStack() as open_files:
        with progress.shown("reading"):
            sides = open_files.enter_context(
                inputs.opened(reference, candidate, selection, layout, engine_options)
            )
        with progress.shown("comparing"):
            result = _compared(sides, engine_options, unmatched=unmatched)
            suggestions = result.suggest(index, kind or KINDS, largest)
            answer = pages.suggested(suggestions, steps, as_json=as_json)
    output.deliver(answer, to)


@app.command("rank", help=options.RANK)
def rank_systems(
    *,
    truth: options.TruthOption,
    system: options.SystemsOption,
    baseline: options.BaselineOption = None,
    record: options.OneRecordOption = None,
    cluster: options.OneClusterOption = None,
    separator: options.SeparatorOption = None,
    header: options.HeaderOption = None,
    encoding: options.EncodingOption = "utf-8",
    unmatched: options.UnmatchedOption = "error",
    index: options.IndicesOption = None,
    unit: options.RankUnitOption = None,
    level: options.LevelOption = 0.95,
    swaps: options.SwapsOption = None,
    as_json: options.AsJsonOption = False,
    to: options.OutputOption = None,
) -> None:
    """Rank several systems in files."""
    files_ = trust.systems(system)
    output.check_places([truth, *files_.values()], to, None)
    layout = inputs.layout_of(separator, header, encoding, None)
    selection = inputs.Selection("table", None, record or (), cluster or ())
    with progress.shown("reading") as done:
        reference, *sides = inputs.read_many([truth, *files_.values()], selection, layout, done).values()
        units = trust.units(unit, (truth, next(iter(files_.values()))), selection, layout, reference)
    with progress.shown("ranking"):
        result = rank(
            {name: side.elements for name, side in zip(files_, sides, strict=True)},
            reference.elements,
            index or USUAL_INDICES,
            baseline=baseline,
            unit=units,
            level=level,
            unmatched=unmatched,
            method="jackknife" if swaps is None else "swaps",
            swaps=9999 if swaps is None else swaps,
        )
    output.deliver(f"{result.to_json() if as_json else result}\n", to)


@app.command("indices")
def list_indices(
    *,
    family: Annotated[
        str | None, typer.Option(help="Only this family; the beginning of its name is enough.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="All that is declared of them, as JSON.")] = False,
) -> None:
    """List every index: name, range, direction, and whether it is symmetric and a metric.

    \b
    Examples:
      concordant indices
      concordant indices --family 'pair counting'
      concordant indices --json
    """
    families = INDICES.families if family is None else _family(family)
    if as_json:
        listed = [pages.as_data(each) for members in families.values() for each in members]
        output.write(json.dumps(listed, indent=2, ensure_ascii=False) + "\n")
    else:
        output.show(pages.catalogue(families, output.width()))


@app.command("explain")
def explain_index(
    name: Annotated[str, typer.Argument(metavar="[NAME]", help="A name of ours, or another library's.")] = "",
    choose: Annotated[bool, typer.Option("--choose", help="Which index answers which question.")] = False,
) -> None:
    """Explain an index: formula, what it says, when to use it, its laws, its names in other libraries.

    \b
    Examples:
      concordant explain adjusted_rand
      concordant explain ARI
      concordant explain getPrecision
      concordant explain --choose
    """
    if choose == bool(name):
        raise ParameterError("explain takes the name of an index, or --choose")
    if choose:
        output.write(choosing.advice())
        return
    meant, others = _meanings(name)
    page = pages.explanation(meant, others) if meant else pages.meanings(name, others)
    output.show(page, page=True)


# -- answering ----------------------------------------------------------------------------------------


def _compared(sides: Sides, engine_options: sources.EngineOptions, **how: Any) -> Comparison:
    u, v = sides
    if not u.knows_noise:
        how |= {"noise": engine_options.noise, "noise_as": engine_options.noise_as}
    try:
        return compare(u.elements, v.elements, **how)
    except (LengthError, NothingLeftError, UnmatchedError) as error:
        error.add_note(f"reference {u.origin}; candidate {v.origin}")
        raise


def _answer(
    result: Comparison,
    sides: Sides,
    chosen: Mapping[str, Index],
    asked: trust.Findings,
    *,
    as_json: bool,
    everything: bool,
) -> RenderableType:
    """What is shown: JSON as it is, some indices, or everything; and how sure it is, where that is asked."""
    if as_json:
        document = result.to_json(*chosen)
        return (trust.as_json(document, asked) if asked else document) + "\n"
    if chosen:
        shown = pages.chosen(result, chosen)
    else:
        told = f"{result:all}" if everything else f"{result:terminal}"
        shown = output.painted(f"{_origins(sides)}\n{told}")
    return Group(shown, trust.as_text(asked)) if asked else shown


def _origins(sides: Sides) -> str:
    u, v = sides
    return f"reference  {printable(u.origin)}\ncandidate  {printable(v.origin)}\n"


def _family(name: str) -> dict[str, list[Index]]:
    wanted = name.casefold().replace("-", " ").replace("_", " ")
    plain = {family: family.casefold().replace("-", " ") for family in INDICES.families}
    found = [family for family, text in plain.items() if text.startswith(wanted)]
    if not found:
        raise ParameterError(f"there is no family {name!r}; there are {', '.join(map(repr, plain))}")
    return {family: INDICES.families[family] for family in found}


def _meanings(name: str) -> tuple[Index | None, list[tuple[str, Index]]]:
    """The index of that name, ours or the only one elsewhere, and the others that some library calls so."""
    elsewhere = INDICES.known_elsewhere(name)
    meant = None
    if name.partition("(")[0] in INDICES or not elsewhere:
        meant = INDICES[INDICES[name].name.partition("(")[0]]
    elif len({index.name for _, index in elsewhere}) == 1:
        meant = elsewhere[0][1]
    return meant, [(library, index) for library, index in elsewhere if index is not meant]
