"""The options that several commands share, and how a command is declared.

A command is a function with typed keyword arguments, decorated with ``command``. An argument whose type is
a dataclass represents the fields of that class, each of which is an option: ``files: PairOptions`` gives a
command two files and all options for reading them.
"""

from __future__ import annotations

import csv
import inspect
import io
from collections.abc import Callable
from dataclasses import MISSING, dataclass, fields, is_dataclass
from typing import Annotated, Any, Literal, get_type_hints

import typer
from typer.core import TyperCommand, TyperGroup

from concordant.catalogue.index import INDICES, any_index
from concordant.cli import OTHER_NAMES
from concordant.cli.columns import separator_of
from concordant.counts import conventions
from concordant.counts.sides import SideName
from concordant.errors import ConcordantError, ParameterError, UnknownIndexError
from concordant.partitions.formats import titles
from concordant.partitions.sources import check_memory
from concordant.text_layout import folded

ENGINES = ("auto", "duckdb", "spark")

_NOT_FOLDED = "\b"  # marks a paragraph whose lines are kept: examples


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


class _Command(TyperCommand):
    """A command whose examples fit the terminal."""

    def format_help_text(self, ctx: Any, formatter: Any) -> None:
        written = self.help
        self.help = _with_folded_examples(written or "", formatter.width - 2)
        super().format_help_text(ctx, formatter)
        self.help = written  # the next terminal may be wider


class _Group(TyperGroup):
    """The same for all commands together."""

    def format_help_text(self, ctx: Any, formatter: Any) -> None:
        written = self.help
        self.help = _with_folded_examples(written or "", formatter.width - 2)
        super().format_help_text(ctx, formatter)
        self.help = written  # the next terminal may be wider


app: typer.Typer = typer.Typer(
    cls=_Group,
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,  # help is plain text, the same on a terminal and in a pipe
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def command(name: str, *, omit: tuple[str, ...] = ()) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Declare a command; ``omit`` names fields of its groups of options that it does not take."""

    def declare(function: Callable[..., None]) -> Callable[..., None]:
        groups: dict[str, Any] = {}
        parameters = []
        hints = get_type_hints(function, include_extras=True)
        for parameter in inspect.signature(function).parameters.values():
            kind = hints[parameter.name]
            if not is_dataclass(kind):
                parameters.append(parameter.replace(annotation=kind))
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
                if field.name not in omit
            ]

        def call(**given: Any) -> None:
            for group, kind in groups.items():
                names = [field.name for field in fields(kind) if field.name in given]
                given[group] = kind(**{name: given.pop(name) for name in names})
            try:
                function(**given)
            except ConcordantError as error:
                # Functions suggest options that not every command has.
                for remedy in error.remedies:
                    if not option_names.issuperset(OTHER_NAMES.get(each, each) for each in remedy.options):
                        error.withdraw(**remedy.options)
                raise

        option_names = {parameter.name for parameter in parameters}
        call.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]  # what Typer reads
        call.__doc__ = function.__doc__
        first = inspect.cleandoc(function.__doc__ or "").partition("\n\n")[0].replace("\n", " ")
        app.command(name, cls=_Command, short_help=first)(call)
        return function

    return declare


# -- options of several commands ----------------------------------------------------------------------

UnmatchedOption = Annotated[
    conventions.Unmatched, typer.Option(help="How elements on one side only are treated.")
]
UndefinedOption = Annotated[
    conventions.Undefined,
    typer.Option(help="The value where a formula is 0/0. Identical partitions are always perfect."),
]
TableLimitOption = Annotated[
    int,
    typer.Option(
        metavar="NUMBER",
        help="Largest number of overlaps that an engine may return, for indices that need the whole table.",
    ),
]
SideNoiseOption = Annotated[
    list[str] | None,
    typer.Option(
        metavar="LABEL=TREATMENT",
        help=f"How a label of this side is treated: {', '.join(conventions.LABEL_TREATMENTS)}. "
        "May be repeated.",
    ),
]
ThreadsOption = Annotated[
    int, typer.Option(metavar="NUMBER", min=0, help="Number of threads; 0: one per core.")
]
PathsArgument = Annotated[
    list[str],
    typer.Argument(metavar="FILES", help="CSV or TSV files, or one with many columns; - is standard input."),
]
ColumnsOption = Annotated[
    str | None, typer.Option(metavar="A,B,C", help="One file: the columns that hold labels.")
]
DefaultIndicesOption = Annotated[
    list[str], typer.Option("--index", "-i", metavar="NAME", help="The index; may be repeated.")
]
IndicesOption = Annotated[
    list[str] | None,
    typer.Option("--index", "-i", metavar="NAME", help="Only this index; may be repeated."),
]
LimitOption = Annotated[int, typer.Option(metavar="NUMBER", min=0, help="Number of entries to list.")]
UnitOption = Annotated[
    str | None,
    typer.Option(
        metavar="COLUMN",
        help="The reference's column of units, such as documents, that were drawn as a whole.",
    ),
]
ByOption = Annotated[
    str | None,
    typer.Option(metavar="A,B", help="Also measure slices: each value of this column, or of several."),
]
ByFileOption = Annotated[
    str | None, typer.Option(metavar="FILE", help="With --by: the file with the column; else the first file.")
]
LevelOption = Annotated[float, typer.Option(metavar="SHARE", help="Confidence level of the intervals.")]
SamplingOption = Annotated[
    Literal["clusters", "records"], typer.Option(help="The unit that is drawn at random and labelled.")
]
SeedOption = Annotated[int, typer.Option(metavar="NUMBER", min=0, help="The seed of random numbers.")]


# -- how files are read -------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class FileOptions:
    """How files are read."""

    record: Annotated[
        list[str] | None, typer.Option(metavar="COLUMN", help="The column that names the record.")
    ] = None
    cluster: Annotated[
        list[str] | None, typer.Option(metavar="COLUMN", help="The column that names its cluster.")
    ] = None
    format: Annotated[
        Literal["table", "clusters"], typer.Option(help="Rows with columns, or one cluster per line.")
    ] = "table"
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
            help="The engine for files that are large or not text. auto: the compiled core.",
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
        str | None, typer.Option(metavar="LABEL", help="The label of elements in no cluster.")
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
                f"files are read by {', '.join(ENGINES[:-1])} or {ENGINES[-1]}; compare dataframes of other "
                "libraries in Python",
                given={"engine": self.engine},
            )
        check_memory(self.memory)

    @property
    def separator_character(self) -> str | None:
        """The character that separates fields, if one is given."""
        return None if self.separator is None else separator_of(self.separator)

    @property
    def for_engine(self) -> str | None:
        """The option that only an engine understands, if one was given."""
        named = (("--engine", self.engine), ("--memory", self.memory), ("--nulls", self.nulls))
        return next((f"{option} {value}" for option, value in named if value is not None), None)


@dataclass(frozen=True, kw_only=True)
class TwoFileOptions(FileOptions):
    """How two files are read, whose columns may have different names."""

    record: Annotated[
        list[str] | None,
        typer.Option(metavar="[SIDE=]COLUMN", help="Two files: the column that names the record."),
    ] = None
    cluster: Annotated[
        list[str] | None,
        typer.Option(metavar="[SIDE=]COLUMN", help="Two files: the column that names the record's cluster."),
    ] = None


@dataclass(frozen=True, kw_only=True)
class PairOptions(TwoFileOptions):
    """Two files, or one file with two columns of labels, and the conventions by which they are compared."""

    reference: Annotated[str, typer.Argument(metavar="REFERENCE", help=f"{titles()}; - is standard input.")]
    candidate: Annotated[
        str | None,
        typer.Argument(metavar="CANDIDATE", help="The second file; omit it if one file has both columns."),
    ] = None
    columns: Annotated[
        str | None,
        typer.Option(metavar="U,V", help="One file: the label columns of the reference and the candidate."),
    ] = None
    reference_noise: SideNoiseOption = None
    candidate_noise: SideNoiseOption = None
    unmatched: UnmatchedOption = "error"
    undefined: UndefinedOption = "convention"
    table_limit: TableLimitOption = conventions.TABLE_LIMIT
    threads: ThreadsOption = 0

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

    @property
    def paths(self) -> list[str]:
        return [self.reference] if self.candidate is None else [self.reference, self.candidate]


@dataclass(frozen=True, kw_only=True)
class MembershipOptions:
    """The weights of soft partitions, which have a row for each record and cluster."""

    membership: Annotated[
        list[str] | None,
        typer.Option(
            metavar="[SIDE=]COLUMN",
            help="Soft partitions: the column of weights, with a row for each record and cluster.",
        ),
    ] = None
    remainder: Annotated[
        Literal["alone", "cluster"] | None,
        typer.Option(help="With --membership: treatment of the rest if weights add up to less than 1."),
    ] = None
    normalise: Annotated[
        bool,
        typer.Option("--normalise", help="With --membership: divide the weights of a record by their sum."),
    ] = False

    def __post_init__(self) -> None:
        given = {"remainder": self.remainder, "normalise": self.normalise or None}
        for option, value in given.items():
            if value is not None and not self.membership:
                raise ParameterError("this needs --membership, the column of weights", given={option: value})

    def index_finder(self) -> Callable[[str], Any]:
        """The function that finds an index by its name: of soft partitions, or of labels."""
        if self.membership:
            from concordant.soft.indices import SOFT_INDICES  # labels do without it

            return lambda name: any_index(name, SOFT_INDICES)

        def of_labels(name: str) -> Any:
            try:
                return INDICES[name]
            except UnknownIndexError:
                from concordant.soft.indices import SOFT_INDICES

                if name not in SOFT_INDICES:
                    raise
                raise ParameterError(
                    "this compares soft partitions; name their column of weights with --membership",
                    given={"index": name},
                ) from None

        return of_labels


def column_names(columns: str | None) -> list[str] | None:
    """The columns that an option names, separated by commas as in CSV."""
    return None if columns is None else next(csv.reader(io.StringIO(columns, newline="")), [])
