"""The options that several commands share, how a command is declared, and the command without a name.

A command is a function with typed keyword arguments, decorated with ``command``. An argument whose type is
a dataclass represents the fields of that class, each of which is an option: ``files: PairOptions`` gives a
command two files and all options for reading them. A command with an argument of type ``KindOptions`` also
has the options of all registered kinds.
"""

from __future__ import annotations

import csv
import inspect
import io
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields, is_dataclass, make_dataclass
from functools import cache, partial
from importlib.metadata import version as version_of
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, get_args, get_type_hints

import typer
from typer.core import TyperCommand, TyperGroup

from concordant.cli.columns import separator_of
from concordant.cli.exit_status import OTHER_NAMES, as_option
from concordant.cli.gates import GATE, Gate
from concordant.cli.output import each_with_progress, write
from concordant.errors import ConcordantError, ParameterError, did_you_mean
from concordant.foundation import conventions, kinds
from concordant.foundation.conventions import SideName
from concordant.foundation.input_options import refused_by
from concordant.foundation.results import Result
from concordant.foundation.text_layout import folded
from concordant.indices.index import INDICES
from concordant.inference.null_distributions import Tail
from concordant.inference.significance import SignificanceMethod
from concordant.sources.descriptions import check_memory
from concordant.sources.formats import Format, format_called, titles

if TYPE_CHECKING:
    from concordant.cli.columns import SourceFile

ENGINES = ("auto", "spark")

_NOT_FOLDED = "\b"  # marks a paragraph whose lines are kept: examples
_ALL = "--help-all"

# The groups of options in help, and the rare options that only --help-all shows.
_GROUPS = {
    "Input": "columns record cluster format separator header encoding engine memory nulls noise noise_as "
    "reference_noise candidate_noise weights between same different "
    "unmatched left right "
    "score clustering_weights clusters",
    "Output": "index all everything curve by lists outcome limit details show images labels questions_file "
    "documents as_json as_markdown to html digits help help_all",
    "Uncertainty": "interval confidence assurance unit unit_sizes largest_cluster significance tail method "
    "n_resamples margin correction seed",
    "Gates": "fail_under fail_over",
}
_RARE = (
    "separator header encoding engine memory nulls reference_noise candidate_noise "
    "between same different strata times undefined table_limit threads tail method n_resamples images "
    "unit_sizes seed near majority"
)


def _with_folded_examples(text: str, width: int) -> str:
    """Help whose examples fit: a long command continues on the next line, after a backslash."""
    lines: list[str] = []
    is_kept = False
    for line in inspect.cleandoc(text).split("\n"):
        is_kept = (is_kept or line == _NOT_FOLDED) and bool(line)
        begin = line[: len(line) - len(line.lstrip())]
        parts = folded(line, width - 2, 4 if begin else 0).split("\n") if is_kept else [line]
        if begin:  # a command
            parts[:-1] = [f"{part} \\" for part in parts[:-1]]
        lines += parts
    return "\n".join(lines)


class _Help:
    """Help in groups whose examples fit the terminal: in short for -h, all of it for --help-all."""

    help: str | None
    _shows_all = True

    def parse_args(self, ctx: Any, args: list[str]) -> Any:
        self._shows_all = _ALL in args
        return super().parse_args(ctx, args)  # type: ignore[misc]  # of Typer's class

    def get_help_option_names(self, ctx: Any) -> list[str]:
        return list(ctx.help_option_names)  # Typer has them in any order

    def format_help_text(self, ctx: Any, formatter: Any) -> None:
        written = self.help
        text = inspect.cleandoc(written or "")
        if not self._shows_all:  # the first paragraph, and the first examples
            text = "\n\n".join(text.split("\n\n")[:2])
        self.help = _with_folded_examples(text, formatter.width - 2)
        super().format_help_text(ctx, formatter)  # type: ignore[misc]  # of Typer's class
        self.help = written  # the next terminal may be wider


class _Command(_Help, TyperCommand):
    """One command."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        group_of = {name: group for group, names in _GROUPS.items() for name in names.split()}
        of_kinds = options_of_kinds()
        group_of |= dict.fromkeys([field.name for field in fields(of_kinds)], "Input")
        rare = {*_RARE.split(), *of_kinds.rare}
        groups: dict[str, list[tuple[str, str]]] = {each: [] for each in ("Arguments", "Options", *_GROUPS)}
        for parameter in self.get_params(ctx):
            is_shown = self._shows_all or parameter.name not in rare
            record = parameter.get_help_record(ctx) if is_shown else None
            if record is not None:
                is_argument = parameter.param_type_name == "argument"
                group = group_of.get(parameter.name or "", "Options")
                groups["Arguments" if is_argument else group].append(record)
        for title, records in groups.items():
            if records:
                with formatter.section(title):
                    formatter.write_dl(records, col_max=32)


class _Group(_Help, TyperGroup):
    """All commands together."""


app: typer.Typer = typer.Typer(
    cls=_Group,
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,  # help is plain text, the same on a terminal and in a pipe
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help", _ALL]},
)


def _show_version(asked: bool) -> None:
    if asked:
        write(f"concordant {version_of('concordant')}\n")
        raise typer.Exit


@app.callback()
def concordant(
    *,
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and exit."),
    ] = False,
) -> None:
    """Measure how similar two clusterings of the same set are.

    \b
    Examples:
      concordant compare truth.csv guess.csv
      concordant compare both.csv --columns truth,guess -i adjusted_rand
      concordant matrix runs/*.csv --html runs.html
      concordant suggest truth.csv guess.csv
      concordant consensus runs/*.csv --labels consensus.csv
      concordant indices --family information
      concordant explain adjusted_rand_score

    Exit status: 0 done, 1 a limit of --fail-under or --fail-over was missed, 2 usage error or invalid input,
    70 an unexpected error.
    """


def command(
    name: str,
    *functions: Callable[..., Any],
    omit: tuple[str, ...] = (),
    needs: Mapping[str, tuple[str, ...]] = MappingProxyType({}),
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Declare a command that calls these public functions.

    An option without a default has that of a function. Options of a group are left out if a function refuses
    them, or if ``omit`` names them. ``needs`` names options that have no effect without one of some others.
    """
    omitted = {*omit, *(option for each in functions for option in refused_by(each))}

    def declare(function: Callable[..., None]) -> Callable[..., None]:
        groups: dict[str, Any] = {}
        parameters = []
        hints = get_type_hints(function, include_extras=True)
        for parameter in inspect.signature(function).parameters.values():
            kind = hints[parameter.name]
            kind = options_of_kinds() if kind is KindOptions else kind
            if not is_dataclass(kind):
                default = _default(parameter, functions)
                parameters.append(parameter.replace(annotation=kind, default=default))
                continue
            types = get_type_hints(kind, include_extras=True)
            groups[parameter.name] = kind
            parameters += [
                parameter.replace(
                    name=field.name,
                    annotation=types[field.name],
                    default=parameter.empty if field.default is MISSING else field.default,
                )
                for field in fields(kind)
                if field.name not in omitted
            ]
        defaults = {parameter.name: parameter.default for parameter in parameters}

        def call(**given: Any) -> None:
            for option, others in needs.items():
                if given[option] != defaults[option] and all(given[x] == defaults[x] for x in others):
                    spelled = (as_option(each, value=True) for each in (option, *others))
                    raise ParameterError(f"{next(spelled)} has no effect without {' or '.join(spelled)}")
            for group, kind in groups.items():
                names = [field.name for field in fields(kind) if field.name in given]
                given[group] = kind(**{name: given.pop(name) for name in names})
            try:
                function(**given)
            except ConcordantError as error:
                # Functions suggest options that not every command has.
                error.offer(defaults.keys() | {each for each, own in OTHER_NAMES.items() if own in defaults})
                raise

        call.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]  # what Typer reads
        call.__doc__ = function.__doc__
        first = inspect.cleandoc(function.__doc__ or "").partition("\n\n")[0].replace("\n", " ")
        app.command(name, cls=_Command, short_help=first)(call)
        return function

    return declare


def _default(option: inspect.Parameter, functions: Iterable[Callable[..., Any]]) -> Any:
    """The default of an option: its own, or that of the first function with a parameter of this name."""
    if option.default is not option.empty or option.kind is not option.KEYWORD_ONLY:
        return option.default
    plural = next((python for python, name in OTHER_NAMES.items() if name == option.name), "")
    for function in functions:
        taken = inspect.signature(function).parameters
        if plural in taken:  # it may be repeated
            default = taken[plural].default
            return [default] if isinstance(default, str) else list(default)
        if option.name in taken:
            return taken[option.name].default
    return option.empty


# -- options of several commands ----------------------------------------------------------------------

UnmatchedOption = Annotated[
    conventions.Unmatched, typer.Option(help="How records that a side lacks are treated.")
]
UndefinedOption = Annotated[
    conventions.Undefined,
    typer.Option(help="The value where a formula is 0/0. Identical partitions are always perfect."),
]
SideNoiseOption = Annotated[
    list[str] | None,
    typer.Option(
        metavar="LABEL=TREATMENT",
        help=f"How a label of this side is treated: {', '.join(conventions.LABEL_TREATMENTS)}. "
        "May be repeated.",
    ),
]
WeightsOption = Annotated[
    str | None, typer.Option(metavar="COLUMN", help="The first file's column of record weights.")
]
ThreadsOption = Annotated[
    int, typer.Option(metavar="NUMBER", min=0, help="Number of threads; 0: one per core.")
]
IndicesOption = Annotated[
    list[str] | None,
    typer.Option("--index", "-i", metavar="NAME", help="Only this index; may be repeated."),
]
LimitOption = Annotated[int, typer.Option(metavar="NUMBER", min=0, help="Number of entries of a list.")]
UnitOption = Annotated[
    str,
    typer.Option(
        metavar="COLUMN",
        help="The unit that was drawn: record, component, or a column of the first file.",
    ),
]
ByOption = Annotated[
    str | None,
    typer.Option(metavar="A,B", help="Also show slices by these columns, which --details may have."),
]
DetailsOption = Annotated[
    str | None, typer.Option(metavar="FILE", help="More about the records: a row for each of them.")
]
ShowOption = Annotated[str | None, typer.Option(metavar="A,B", help="The columns of --details to show.")]
ImagesOption = Annotated[
    str | None, typer.Option(metavar="COLUMN", help="The column of --details with images, as data: URIs.")
]
IntervalOption = Annotated[
    bool, typer.Option("--interval", help="Show intervals, for records that are a random sample.")
]
ConfidenceOption = Annotated[float, typer.Option(metavar="SHARE", help="The confidence of intervals.")]
SamplingOption = Annotated[
    Literal["clusters", "records"], typer.Option(help="The unit that is drawn at random and labelled.")
]
SeedOption = Annotated[int, typer.Option(metavar="NUMBER", min=0, help="The seed of random numbers.")]
ReferenceArgument = Annotated[
    str,
    typer.Argument(metavar="REFERENCE", help=f"[NAME=]FILE: {titles()}; - is standard input."),
]
ClusteringsArgument = Annotated[
    list[str],
    typer.Argument(
        metavar="CLUSTERING...",
        help="[NAME=]FILE, two or more; or one file with --columns; - is standard input.",
    ),
]
LabelsOption = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Write the cluster of each record: .csv, .tsv, .jsonl or .parquet."),
]
ClusteringWeightsOption = Annotated[
    str | None, typer.Option(metavar="A,B,C", help="The weight of each clustering, in their order.")
]


def numbers(option: str, text: str | None) -> list[float] | None:
    """The numbers that an option names, separated by commas."""
    try:
        return None if text is None else [float(each) for each in text.split(",")]
    except ValueError:
        raise ParameterError("write numbers like 1,2,0.5", given={option: text}) from None


# -- how files are read -------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class FileOptions:
    """How files are read."""

    columns: Annotated[
        str | None,
        typer.Option(metavar="A,B,...", help="One file: its columns, one for each side."),
    ] = None
    record: Annotated[
        list[str] | None,
        typer.Option(metavar="[SIDE=]COLUMN", help="The column that names the record."),
    ] = None
    cluster: Annotated[
        list[str] | None,
        typer.Option(metavar="[SIDE=]COLUMN", help="The column that names its cluster."),
    ] = None
    format: Annotated[
        Literal["clusters", Format] | None,
        typer.Option(
            "--format",
            metavar="FORMAT",
            help=f"clusters (one per line), {', '.join(get_args(Format))}. Default: as the name shows.",
        ),
    ] = None
    separator: Annotated[
        str | None,
        typer.Option(help="The field separator. Default: a tab in .tsv and .tab files, a comma in others."),
    ] = None
    header: Annotated[
        bool | None,
        typer.Option(
            "--header/--no-header",
            help="Whether the first line names the columns. Without a header they are called 1, 2, 3.",
        ),
    ] = None
    encoding: Annotated[str, typer.Option(help="The text encoding.")] = "utf-8"
    engine: Annotated[
        str | None,
        typer.Option(
            metavar=f"[{'|'.join(ENGINES)}]",
            help="The engine for files that are large or not text: the compiled core, or Spark.",
        ),
    ] = None
    memory: Annotated[
        str | None, typer.Option(metavar="SIZE", help="Memory limit, such as 1GB; more data goes to disk.")
    ] = None
    nulls: Annotated[
        conventions.Nulls | None,
        typer.Option(help="How null labels are treated; in text files, empty labels are null."),
    ] = None
    noise: Annotated[
        str | None, typer.Option(metavar="LABEL", help="The label of records in no cluster.")
    ] = None
    noise_as: Annotated[conventions.NoiseAs | None, typer.Option(help="How noise is treated.")] = None

    def __post_init__(self) -> None:
        if self.noise is not None and self.format == "clusters":
            raise ParameterError(
                "--noise names a label, and --format clusters has no labels; remove noise from the file"
            )
        if self.nulls is not None and self.format == "clusters":
            raise ParameterError(
                "--nulls applies to labels, and --format clusters has no labels; leave it out"
            )
        conventions.check_noise(self.noise, self.noise_as)
        if self.engine is not None and self.engine not in ENGINES:
            raise ParameterError(
                f"the engines are {' and '.join(ENGINES)}; compare dataframes in Python",
                given={"engine": self.engine},
            )
        check_memory(self.memory)

    @property
    def file_format(self) -> Format | None:
        """The format of the files, if the file names do not show it."""
        return None if self.format == "clusters" else self.format

    @property
    def separator_character(self) -> str | None:
        """The character that separates fields, if it or the format is given."""
        if self.separator is not None:
            return separator_of(self.separator)
        return None if self.file_format is None else format_called(self.file_format).separator

    @property
    def for_engine(self) -> str | None:
        """The option that only an engine understands, if one was given."""
        named = (("--engine", self.engine), ("--memory", self.memory))
        return next((f"{option} {value}" for option, value in named if value is not None), None)


@dataclass(frozen=True, kw_only=True)
class PairOptions(FileOptions):
    """Two files, or one file with two columns of labels."""

    reference: ReferenceArgument
    candidate: Annotated[
        str | None,
        typer.Argument(metavar="CANDIDATE", help="The second file; omit it if one file has both columns."),
    ] = None
    reference_noise: SideNoiseOption = None
    candidate_noise: SideNoiseOption = None

    @property
    def for_engine(self) -> str | None:
        """The same; null labels of two files are treated by an engine."""
        return super().for_engine or (None if self.nulls is None else f"--nulls {self.nulls}")

    def label_treatments(self, side: SideName) -> dict[str, str] | None:
        """The treatment of each label that ``--reference-noise`` or ``--candidate-noise`` names."""
        option = f"{side}_noise"
        treatments: dict[str, str] = {}
        for given in getattr(self, option) or ():
            label, equals, treatment = given.rpartition("=")
            if not equals:
                raise ParameterError(f"write it like --{side}-noise 0=drop", given={option: given})
            if label in treatments:
                raise ParameterError(f"the label {label!r} is named twice", given={option: given})
            treatments[label] = treatment
        return treatments or None


@dataclass(frozen=True, kw_only=True)
class ConventionOptions:
    """The conventions by which partitions are compared."""

    weights: WeightsOption = None
    unmatched: UnmatchedOption = "error"
    undefined: UndefinedOption = "convention"
    table_limit: Annotated[
        int,
        typer.Option(
            metavar="NUMBER",
            help="Largest number of overlaps that an engine may return, for indices that need the whole "
            "table.",
        ),
    ] = conventions.TABLE_LIMIT
    threads: ThreadsOption = 0


@dataclass(frozen=True, kw_only=True)
class ListOptions:
    """Lists that are printed beside a result."""

    lists: Annotated[
        list[str] | None,
        typer.Option("--list", metavar="KIND", help="Also list the worst of this kind; may be repeated."),
    ] = None
    limit: LimitOption = 20

    def of(self, result: Any, **options: Any) -> dict[str, Result]:
        """The lists that are asked for, by their kind, each a method of the result that takes the options."""
        kinds = dict.fromkeys(self.lists or ())
        return {kind: getattr(result, kind)(limit=self.limit, **options) for kind in kinds}

    def check(self, kinds: Sequence[str]) -> None:
        """Refuse a kind that the result does not have."""
        for kind in self.lists or ():
            if kind not in kinds:
                raise ParameterError(f"the lists are called {', '.join(kinds)}", given={"lists": kind})


@dataclass(frozen=True, kw_only=True)
class GateOptions:
    """Values that a result has to reach, or the exit status is 1."""

    fail_under: Annotated[
        list[str] | None,
        typer.Option(
            metavar=GATE,
            help="Exit with 1 if a row has less.",
        ),
    ] = None
    fail_over: Annotated[
        list[str] | None,
        typer.Option(metavar=GATE, help="Exit with 1 if a row has more."),
    ] = None

    def gates(
        self, find: Callable[[str], Any], names: Sequence[str] | None = None, *, needs: str = ""
    ) -> list[Gate]:
        """The checks that both options ask for; ``find`` returns the index of a name or raises.

        ``names`` are those of the rows, if they are known. ``needs`` is the option without which there are
        no intervals.
        """
        under = [Gate.of(text, "under", find, names, needs=needs) for text in self.fail_under or ()]
        return under + [Gate.of(text, "over", find, names, needs=needs) for text in self.fail_over or ()]


@dataclass(frozen=True, kw_only=True)
class DecisionOptions:
    """Decisions about pairs of records."""

    same: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Known links: record_a, record_b, and same with yes or no."),
    ] = None
    different: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Pairs that are not the same; of a column same, those with no."),
    ] = None


DECISIONS = (
    *("n_same", "same_broken", "same_broken_share"),
    *("n_different", "different_broken", "different_broken_share"),
)


def one_of(names: Iterable[str]) -> Callable[[str], str]:
    """A function that returns a name that is one of these, for numbers that are not indices."""
    known = tuple(names)

    def find(name: str) -> str:
        if name not in known:
            near = did_you_mean(name, known) or f"; there are {', '.join(known)}"
            raise ParameterError(f"there is no number {name!r} in this result{near}")
        return name

    return find


@dataclass(frozen=True, kw_only=True)
class SignificanceOptions:
    """Whether and how p-values are computed."""

    significance: Annotated[bool, typer.Option("--significance", help="Compare each index with chance.")] = (
        False
    )
    tail: Annotated[
        Tail, typer.Option(help="With --significance: more agreement (upper), less (lower), or either.")
    ] = "upper"
    method: Annotated[
        SignificanceMethod, typer.Option(help="With --significance: how p-values are computed.")
    ] = "auto"
    n_resamples: Annotated[
        int,
        typer.Option(metavar="NUMBER", min=1, help="Number of permutations for p-values that are not exact."),
    ] = 9999

    def tests(self, result: Any, names: Iterable[str], seed: int) -> dict[str, Any]:
        """The p-value of each index, if they are asked for."""
        how = {"tail": self.tail, "method": self.method, "n_resamples": self.n_resamples, "seed": seed}
        return each_with_progress(partial(result.significance, **how), [*names] if self.significance else [])


NEEDS_SIGNIFICANCE = dict.fromkeys(("tail", "method", "n_resamples"), ("significance",))


@dataclass(frozen=True, kw_only=True)
class KindOptions:
    """The parts of a command that depend on the kind of both sides: here, labels. Kinds have subclasses."""

    rare: ClassVar[tuple[str, ...]] = ()  # the options that only --help-all shows
    lists: ClassVar[tuple[str, ...]] = ("changes", "clusters", "records", "within_sources")

    @property
    def for_engine(self) -> str | None:
        """The option that only an engine understands, as it was given."""
        return None

    def check(self, files: PairOptions, **labels_only: Any) -> None:
        """Refuse options that only labels have, and files that have no such sides."""

    def find(self, name: str) -> Any:
        """The index of that name."""
        return INDICES[name]

    def prepare(self, tables: Sequence[SourceFile], roles: Sequence[str]) -> None:
        """Set how the tables are read, if their columns are not labels."""

    def every_index(self, result: Any) -> list[str] | None:  # noqa: ARG002  (for subclasses)
        """The indices that --all shows, if the text of the result does not choose them."""
        return None

    def text(
        self,
        result: Any,
        names: Sequence[str] | None,  # noqa: ARG002  (for subclasses)
        intervals: Iterable[Any],
        *,
        everything: bool,
    ) -> str:
        """The text of a result with these indices, or with the usual ones."""
        text: str = result.to_text(form="all" if everything else "terminal", interval=intervals)
        return text

    def page(self, parts: Mapping[str, Any], shown: Mapping[str, Any]) -> dict[str, Any]:
        """The options of the page: other results, and columns with records."""
        return {"interval": parts.get("interval", {}).values(), "slices": parts.get("slices"), **shown}


@cache
def options_of_kinds() -> type[KindOptions]:
    """The options of all registered kinds."""
    groups = [kinds.use(kind.options) for kind in kinds.KINDS.values() if kind.options]
    return make_dataclass("OptionsOfKinds", (), bases=(*groups, KindOptions), frozen=True, kw_only=True)


def column_names(columns: str | None) -> list[str] | None:
    """The columns that an option names, separated by commas as in CSV."""
    return None if columns is None else next(csv.reader(io.StringIO(columns, newline="")), [])
