"""The partitions that a command compares: which files are read, and which of their columns."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

import typer

from concordant import engines
from concordant.cli import as_option
from concordant.cli.columns import (
    ALSO_IN_NAMES,
    NO_NAMES,
    FilePartition,
    Naming,
    SourceFile,
    found_in_all,
    found_in_any,
)
from concordant.cli.options import FileOptions, MembershipOptions, PairOptions, column_names
from concordant.cli.output import progress
from concordant.cli.sources import ScannedFile, engine_reads, spooled
from concordant.cli.text import LoadedFile, read_clusters
from concordant.counts.sides import SIDES
from concordant.counts.spelling import printable
from concordant.errors import FileError, ParameterError, Remedy, did_you_mean
from concordant.partitions.formats import unpacked_name
from concordant.partitions.sources import files
from concordant.text_layout import cell_width, line_width, shortened

_SIDES = ("reference", "candidate")


@contextmanager
def opened_pair(options: PairOptions) -> Iterator[tuple[FilePartition, FilePartition]]:
    """Both sides, from one file or from two, read by an engine if one is needed."""
    if options.paths == ["-", "-"]:
        raise ParameterError("standard input (-) can be read only once; give the other side as a file")
    if options.format == "clusters" and options.for_engine:
        raise ParameterError(
            f"{options.for_engine} cannot be combined with --format clusters, which engines cannot read"
        )
    with ExitStack() as stack:
        with progress("reading"):
            if options.format == "clusters" or not engine_reads(options.paths, options):
                sides = _read_pair(options)
            else:
                sides = _scan_pair(options, stack.enter_context(spooled(options.paths)))
        origin, other = (printable(side.origin) for side in sides)
        if origin == other:
            typer.echo(
                f"concordant: both sides are the same: {origin}; pass another file, or --columns A,B to "
                "compare two columns of one file",
                err=True,
            )
        yield sides


@contextmanager
def opened_several(
    paths: Sequence[str], options: FileOptions, columns: str | None = None, in_memory_for: str = ""
) -> Iterator[dict[str, FilePartition]]:
    """Partitions by name, from files or from the columns of one file.

    An engine reads them if one is needed, unless ``in_memory_for`` names what needs them in memory.
    """
    with ExitStack() as stack:
        with progress("reading") as done:
            of_engine = replace(options, nulls=None)  # null labels of small text are treated in memory
            if in_memory_for or options.format == "clusters" or not engine_reads(paths, of_engine):
                taker = in_memory_for or "this"
                sides: dict[str, Any] = _read_several(paths, options, columns, taker, done)
            else:
                naming = one_naming(options)
                places = stack.enter_context(spooled(paths))
                opened = [ScannedFile(path, places[path], naming, options) for path in paths]
                sides = dict(zip(file_names(paths), (file.read() for file in opened), strict=True))
        yield sides


@contextmanager
def opened_one(path: str, options: FileOptions) -> Iterator[FilePartition]:
    """A partition of one file, read by an engine if one is needed."""
    with ExitStack() as stack:
        with progress("reading"):
            if options.format == "clusters":
                side = read_clusters(path, options)
            elif engine_reads([path], options):
                place = stack.enter_context(spooled([path]))[path]
                side = ScannedFile(path, place, one_naming(options), options).read()
            else:
                side = LoadedFile(path, one_naming(options), options).read()
        yield side


@contextmanager
def opened_memberships(
    options: PairOptions, memberships: MembershipOptions
) -> Iterator[tuple[FilePartition, FilePartition]]:
    """Both sides, of which one or both have a column of weights. DuckDB reads them in pieces."""
    if options.candidate is None or options.columns is not None or options.format == "clusters":
        raise ParameterError(
            "memberships are read from two files, with --record and --cluster; leave out --columns and "
            "--format clusters",
            given={"membership": memberships.membership},
        )
    if options.engine == "spark":
        raise ParameterError("only DuckDB reads memberships; leave this out", given={"engine": "spark"})
    if options.paths == ["-", "-"]:
        raise ParameterError("standard input (-) can be read only once; give the other side as a file")
    engine_reads(options.paths, options, as_option("membership", memberships.membership))
    with spooled(options.paths) as places, progress("reading"):
        opened = [
            ScannedFile(path, places[path], naming, options)
            for path, naming in zip(options.paths, _namings(options), strict=True)
        ]
        _name_weights(opened, memberships.membership or ())
        _check_join(*opened)
        u, v = (
            file.read()
            if file.weight is None
            else file.read_memberships(file.weight, memberships.remainder, normalise=memberships.normalise)
            for file in opened
        )
        yield u, v


def _name_weights(files: Sequence[ScannedFile], given: Sequence[str]) -> None:
    """Set the column of weights of each file; a name without a side applies to each file that has it."""
    named = _by_side("membership", given)
    is_for_both = named[0] == named[1] and not any(each.startswith(f"{_SIDES[0]}=") for each in given)
    for file, column in zip(files, named, strict=True):
        if column is not None and not (is_for_both and column not in file.columns):
            file.place(column)  # raises if the file has no such column
            file.weight = column
    if all(file.weight is None for file in files):
        files[0].place(named[0] or "")


def _read_pair(options: PairOptions) -> tuple[FilePartition, FilePartition]:
    """Two partitions in small text."""
    if options.format == "clusters":
        if options.candidate is None or options.columns is not None or options.record or options.cluster:
            raise ParameterError(
                "--format clusters reads two files, which have no columns: --columns, --record and --cluster "
                "cannot be combined with it"
            )
        u, v = (read_clusters(path, options) for path in options.paths)
        _check_separated(u, v, options.separator_character)
        return u, v
    if options.candidate is None:
        u, v = LoadedFile(options.reference, NO_NAMES, options).read_labels(_label_columns(options))
        return u, v
    first, second = (
        LoadedFile(path, naming, options)
        for path, naming in zip(options.paths, _namings(options), strict=True)
    )
    _check_join(first, second)
    u, v = first.read(), second.read()
    row_by_row = isinstance(u.elements, list) and isinstance(v.elements, list)
    if row_by_row and not (first.is_named or second.is_named):
        _check_separated(u, v, options.separator_character)
    return u, v


def _scan_pair(options: PairOptions, places: dict[str, str]) -> tuple[FilePartition, FilePartition]:
    """The same for an engine, which finds the files in ``places``."""
    if options.candidate is None:
        file = ScannedFile(options.reference, places[options.reference], NO_NAMES, options)
        u, v = file.read_labels(_label_columns(options))
        return u, v
    first, second = (
        ScannedFile(path, places[path], naming, options)
        for path, naming in zip(options.paths, _namings(options), strict=True)
    )
    _check_join(first, second)
    return first.read(), second.read()


def _read_several(
    paths: Sequence[str],
    options: FileOptions,
    columns: str | None,
    taker: str,
    done: Callable[[int, int], None],
) -> dict[str, FilePartition]:
    if len(paths) == 1 and options.format == "table":
        return _read_columns(paths[0], options, columns, taker)
    if len(paths) == 1:
        raise ParameterError(
            f"{taker} takes two files or more; with --format clusters, give each partition its own file"
        )
    if paths.count("-") > 1:
        raise ParameterError("standard input (-) can be read only once; give the others as files")
    if columns is not None:
        raise ParameterError(
            "--columns picks columns of one file; with several files, use --record and --cluster"
        )
    if options.format == "clusters" and (options.record or options.cluster):
        raise ParameterError(
            "files of --format clusters have no columns: --record and --cluster cannot be combined with it"
        )
    naming = one_naming(options)
    first: LoadedFile | None = None
    sides = []
    for number, path in enumerate(paths, start=1):
        if options.format == "clusters":
            sides.append(read_clusters(path, options))
        else:
            file = LoadedFile(path, naming, options)
            first = first or file
            if not file.is_named:
                _check_join(first, file, sides=False)
            sides.append(file.read())
        done(number, len(paths))
    by_row = all(isinstance(side.elements, list) for side in sides)
    if options.format == "clusters" or (by_row and not (options.record or options.cluster)):
        for other in sides[1:]:
            _check_separated(sides[0], other, options.separator_character)
    return dict(zip(file_names(paths), sides, strict=True))


def _read_columns(
    path: str, options: FileOptions, columns: str | None, taker: str
) -> dict[str, FilePartition]:
    if options.record or options.cluster:
        raise ParameterError("--record and --cluster join several files; with one file, use --columns")
    names = column_names(columns)
    if names is None or len(names) < 2:
        raise ParameterError(
            f"{taker} takes two partitions or more: give several files, or name the columns of one, for "
            "instance --columns truth,monday,tuesday"
        )
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise ParameterError(f"--columns {columns!r}: {twice!r} is named twice")
    return dict(zip(names, LoadedFile(path, NO_NAMES, options).read_labels(names), strict=True))


def label_options(options: FileOptions, side: FilePartition | None = None) -> dict[str, Any]:
    """How null labels and noise are treated, as keyword arguments; an engine has them already."""
    if side is not None and side.is_scanned:
        return {}
    return {"nulls": options.nulls, "noise": options.noise, "noise_as": options.noise_as}


# -- further columns of a file ------------------------------------------------------------------------


def read_column(option: str, column: str, pair: PairOptions, side: FilePartition) -> Any:
    """A column of the reference's file, by record or in order; ``option`` names it."""
    if side.is_scanned or pair.format == "clusters" or pair.reference == "-":
        raise ParameterError(
            "this column can be read only from a text file that needs no engine, not from standard input",
            given={option: column},
        )
    pair = replace(pair, nulls=None)  # this option is about labels
    if pair.candidate is not None:
        naming = _namings(pair)[0][0], column
        return LoadedFile(pair.reference, naming, pair).read().elements
    names = _label_columns(pair)
    if names is None:
        raise ParameterError("name the columns of both sides with --columns", given={option: column})
    return LoadedFile(pair.reference, NO_NAMES, pair).read_labels([names[0], column])[1].elements


def units(column: str | None, pair: PairOptions, side: FilePartition) -> Any:
    """The unit of each record, or the column's name if an engine reads it; "record" if none is named."""
    if column is None:
        return "record"
    if side.is_scanned and side.elements.record is not None:
        if column in ("record", "component"):
            raise ParameterError(
                "this name is reserved for a kind of unit; rename the column", given={"unit": column}
            )
        return column
    return read_column("unit", column, pair, side)


def slices(by: str, by_file: str | None, pair: PairOptions, side: FilePartition) -> dict[str, Any]:
    """Slices, as ``Comparison.by`` takes them: columns of the reference's file or of another."""
    columns = column_names(by) or []
    if by_file is None and side.is_scanned:
        return {"by": columns}
    if by_file is None and pair.candidate is None:
        return {"by": values_of_slices(by, pair, side)}
    if by_file is None and (pair.format == "clusters" or pair.reference == "-"):
        raise ParameterError("this needs --by-file, the file with this column", given={"by": by})
    path = pair.reference if by_file is None else by_file
    if pair.columns is not None:
        raise ParameterError("records are matched by name, which needs two files", given={"by_file": by_file})
    record = _by_side("record", pair.record)[0] or engines.preview(files(path, "duckdb", None, None))[0][0]
    return {"by": columns, "records": path, "record": record}


def values_of_slices(by: str, pair: PairOptions, side: FilePartition) -> Any:
    """The slice of each record, by columns of the reference's file that are read into memory."""
    values = [read_column("by", column, pair, side) for column in column_names(by) or []]
    if len(values) == 1:
        return values[0]
    if isinstance(values[0], dict):
        return {record: tuple(each[record] for each in values) for record in values[0]}
    return list(zip(*values, strict=True))


def weights(column: str, pair: PairOptions, side: FilePartition) -> Any:
    """The weight of each record, as ``compare`` takes it."""

    def decimal(spelled: Any, record: Any) -> Decimal:
        try:
            return Decimal(str(spelled))
        except InvalidOperation:
            raise _not_a_number("weights", spelled, record) from None

    spelled = read_column("weights", column, pair, side)
    if isinstance(spelled, dict):
        return {record: decimal(each, record) for record, each in spelled.items()}
    return [decimal(each, row) for row, each in enumerate(spelled)]


def by_cluster(option: str, column: str, pair: PairOptions, sample: FilePartition) -> dict[Any, float]:
    """A number for each labelled cluster, from a column of the sample that repeats it in each row."""
    spelled = read_column(option, column, pair, sample)
    if not isinstance(spelled, dict) or not isinstance(sample.elements, dict):
        raise ParameterError("the sample has no record column; name it with --record", given={option: column})
    numbers: dict[Any, float] = {}
    for record, cluster in sample.elements.items():
        try:
            number = float(spelled[record])
        except ValueError:
            raise _not_a_number(option, spelled[record], record) from None
        number = int(number) if number.is_integer() else number
        if numbers.setdefault(cluster, number) != number:
            raise ParameterError(
                f"the cluster {cluster!r} has {numbers[cluster]:g} and {number:g}; all its records must "
                "have the same number",
                given={option: column},
            )
    return numbers


def _not_a_number(option: str, spelled: Any, record: Any) -> ParameterError:
    return ParameterError(
        f"the record {record!r} has {spelled!r}, which is not a number", given={option: ...}
    )


def shown_records(
    path: str | None, show: str | None, images: str | None, pair: PairOptions, *, has_page: bool
) -> dict[str, Any]:
    """The columns of records that a page shows, as ``Comparison.to_html`` takes them."""
    if path is None or not has_page:
        given = {"records": path, "show": show, "images": images}
        if given := {option: value for option, value in given.items() if value is not None}:
            missing = (
                "--html, the page to write" if path is not None else "--records, the file with the columns"
            )
            raise ParameterError(f"this needs {missing}", given=given)
        return {}
    if pair.format == "clusters" or pair.columns is not None:
        raise ParameterError("records are matched by name, which needs two files", given={"records": path})
    record = _by_side("record", pair.record)[0] or engines.preview(files(path, "duckdb", None, None))[0][0]
    return {"records": path, "record": record, "columns": column_names(show), "images": images}


# -- names --------------------------------------------------------------------------------------------


def short_names(pair: PairOptions) -> tuple[str, str]:
    """The names of the two sides on a page: those of their files, or of the columns of one.

    >>> short_names(PairOptions(reference="runs/truth.csv", candidate="runs/guess.csv.gz"))
    ('truth', 'guess')
    """
    one_file = pair.candidate is None or pair.candidate == pair.reference
    names = column_names(pair.columns) if one_file else file_names(pair.paths)
    u, v = names if names and len(names) == 2 and all(map(str.strip, names)) else _SIDES
    return u, v


def file_names(paths: Sequence[str]) -> list[str]:
    """The files' names without folder and ending; the whole path if two are equal."""
    names = [unpacked_name(Path(path).name) for path in paths]
    short = ["standard input" if name == "-" else Path(name).stem or name for name in names]
    names = [path if short.count(name) > 1 else name for path, name in zip(paths, short, strict=True)]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise ParameterError(f"the file {twice} is given twice; give each file once")
    return names


def _label_columns(pair: PairOptions) -> list[str] | None:
    if pair.record or pair.cluster:
        raise ParameterError("--record and --cluster join two files; with one file, use --columns")
    names = column_names(pair.columns)
    if names is not None and len(names) != 2:
        raise ParameterError(
            f"--columns {pair.columns!r}: name two columns, for instance --columns truth,run"
        )
    return names


def _namings(pair: PairOptions) -> tuple[Naming, Naming]:
    if pair.columns is not None:
        raise ParameterError("--columns picks two columns of one file; with two, use --record and --cluster")
    records, clusters = _by_side("record", pair.record), _by_side("cluster", pair.cluster)
    return (records[0], clusters[0]), (records[1], clusters[1])


def one_naming(options: FileOptions) -> Naming:
    """The columns of record and cluster, which have one name in all files."""
    for option, values in (("record", options.record), ("cluster", options.cluster)):
        if values and len(values) > 1:
            spelled = " and ".join(map(repr, values))
            raise ParameterError(f"--{option} {spelled}: name one column for all files")
    record, cluster = (values[0] if values else None for values in (options.record, options.cluster))
    return record, cluster


def _by_side(option: str, values: Sequence[str] | None) -> tuple[str | None, str | None]:
    """The reference's column and the candidate's; one without a side serves both."""
    sides: dict[str, str] = {}
    for value in values or ():
        side, equals, column = value.partition("=")
        begins = bool(side) and any(name.startswith(side.casefold()) for name in _SIDES)
        if equals and side not in _SIDES and (begins or did_you_mean(side, _SIDES)):
            raise ParameterError(
                f"--{option} {value!r}: the sides are called {' and '.join(_SIDES)}"
                f"{did_you_mean(side, _SIDES) or '; write the whole word'}"
            )
        if not (equals and side in _SIDES):
            side, column = "", value
        if side in sides or not column:
            raise ParameterError(
                f"--{option} {value!r}: name one column for both files, or one for each: "
                f"--{option} reference=A --{option} candidate=B"
            )
        sides[side] = column
    return sides.get("reference", sides.get("")), sides.get("candidate", sides.get(""))


def origins(sides: Sequence[FilePartition]) -> str:
    """The origin of each side. A long path is shortened, so the line fits."""
    room = line_width() - len("reference  ")
    lines = []
    for role, side in zip(SIDES, sides, strict=True):
        path, comma, rest = printable(side.origin).partition(", ")
        shown = shortened(path, max(room - cell_width(comma + rest), room // 2))
        lines.append(f"{role}  {shown}{comma}{rest}")
    return "\n".join(lines) + "\n"


# -- checks of two files ------------------------------------------------------------------------------


def _check_join(first: SourceFile, second: SourceFile, *, sides: bool = True) -> None:
    """Refuse to use a column as record in one file and as cluster in the other, unless requested."""
    if first.is_named and second.is_named:
        return
    (record, cluster), (other_record, other_cluster) = first.record_and_cluster, second.record_and_cluster
    crossed = record if record == other_cluster else cluster if cluster == other_record else None
    if crossed and record and other_record and record != other_record:
        raise FileError(
            f"{first.name} and {second.name} both have a column {crossed!r}, but in different positions; "
            f"specify the record column: --record {crossed}"
            + f", or --record reference={record} --record candidate={other_record}"
            * sides
        )


def _check_separated(u: FilePartition, v: FilePartition, given: str | None) -> None:
    """Refuse two files that agree only because neither was cut into fields."""
    if not (u.is_scattered and v.is_scattered):
        return
    row_by_row = isinstance(u.elements, list)
    words = (
        found_in_all(list(side.elements), "", ALSO_IN_NAMES)
        if given is None
        else found_in_any(side.elements, given)
        for side in (u, v)
    )
    word = next(filter(None, words), None)
    if word or (row_by_row and given):
        as_labels = [Remedy("use them as labels", cluster=...)] if row_by_row else []
        raise FileError(
            f"{u.origin}, and {v.origin}: every row is a single field and none occurs twice, so they "
            "would agree whatever their labels",
            remedies=[Remedy("separate the fields", separator=word or ...), *as_labels],
        )
