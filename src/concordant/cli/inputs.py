"""The partitions that a command compares: which files are read, and which of their columns."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from decimal import Decimal, InvalidOperation
from functools import partial
from pathlib import Path
from typing import Any

import typer

from concordant import sources
from concordant.cli.columns import (
    ALSO_IN_NAMES,
    NO_NAMES,
    FilePartition,
    Naming,
    SourceFile,
    found_in_all,
    found_in_any,
)
from concordant.cli.files import LoadedFile, ScannedFile, engine_reads, read_clusters, spooled
from concordant.cli.options import FileOptions, MembershipOptions, PairOptions, TwoFileOptions, column_names
from concordant.cli.output import progress
from concordant.counts.conventions import SIDES
from concordant.counts.spelling import printable
from concordant.errors import FileError, ParameterError, Remedy, did_you_mean
from concordant.sources.descriptions import files
from concordant.sources.formats import unpacked_name
from concordant.text_layout import cell_width, line_width, shortened


@contextmanager
def opened(
    paths: Sequence[str],
    files: FileOptions,
    *,
    columns: str | None = None,
    is_one_side: bool = False,
    in_memory_for: str = "",
    needs_engine: str | None = None,
    memberships: MembershipOptions | None = None,
) -> Iterator[list[FilePartition]]:
    """The sides that a command compares: one from each file, or the ``columns`` of one file.

    An engine reads them if one is needed. ``needs_engine`` names an option that always needs one, and
    ``in_memory_for`` what needs labels in memory.
    """
    _check_files(paths, files, columns, in_memory_for or "this", is_one_side=is_one_side)
    is_text = files.format == "clusters" or bool(in_memory_for)
    with ExitStack() as stack:
        with progress("reading") as done:
            places: Mapping[str, str] = {}
            if not is_text and engine_reads(paths, files, needs_engine):
                places = stack.enter_context(spooled(paths))
            if len(paths) == 1 and not is_one_side:
                names = _label_columns(columns, in_memory_for)
                sides = _opened_table(paths[0], places, NO_NAMES, files).read_labels(names)
            else:
                sides = []
                for read in _readers(paths, places, files, memberships):
                    sides.append(read())
                    done(len(sides), len(paths))
                _check_separated(sides, files)
        origins = {printable(side.origin) for side in sides}
        if len(sides) == 2 and len(origins) == 1:
            typer.echo(
                f"concordant: both sides are the same: {origins.pop()}; pass another file, or --columns A,B "
                "to compare two columns of one file",
                err=True,
            )
        yield sides


def _check_files(
    paths: Sequence[str], files: FileOptions, columns: str | None, of: str, *, is_one_side: bool
) -> None:
    """Refuse options that do not fit the number of files or their format; ``of`` is what takes the files."""
    is_one_file = len(paths) == 1 and not is_one_side
    has_names = bool(files.record or files.cluster)
    if files.format == "clusters":
        if files.for_engine:
            raise ParameterError(
                f"{files.for_engine} cannot be combined with --format clusters, which engines cannot read"
            )
        if is_one_file:
            raise ParameterError(
                f"{of} takes two files or more; with --format clusters, give each partition its own file"
            )
        if columns is not None or has_names:
            raise ParameterError(
                "files of --format clusters have no columns: --columns, --record and --cluster cannot be "
                "combined with it"
            )
    elif is_one_file and has_names:
        raise ParameterError("--record and --cluster join several files; with one file, use --columns")
    elif columns is not None and not is_one_file:
        raise ParameterError(
            "--columns picks columns of one file; with several files, use --record and --cluster"
        )


def _opened_table(path: str, places: Mapping[str, str], naming: Naming, files: FileOptions) -> SourceFile:
    """A file with columns; an engine reads it if it has a place."""
    return ScannedFile(path, places[path], naming, files) if places else LoadedFile(path, naming, files)


def _readers(
    paths: Sequence[str],
    places: Mapping[str, str],
    files: FileOptions,
    memberships: MembershipOptions | None,
) -> list[Callable[[], FilePartition]]:
    """The function that reads each file. Tables are open and fit together before one of them is read."""
    if files.format == "clusters":
        return [partial(read_clusters, path, files) for path in paths]
    has_sides = isinstance(files, TwoFileOptions)
    namings = _namings(files) if has_sides else [one_naming(files)] * len(paths)
    tables = [_opened_table(path, places, naming, files) for path, naming in zip(paths, namings, strict=True)]
    if memberships is not None and memberships.membership:
        _name_weights(tables, memberships)
    for other in tables[1:]:
        _check_join(tables[0], other, has_sides=has_sides)
    return [table.read for table in tables]


def _name_weights(tables: Sequence[SourceFile], memberships: MembershipOptions) -> None:
    """Set the column of weights of each file; a name without a side applies to each file that has it."""
    given = memberships.membership or ()
    named = _by_side("membership", given)
    is_for_both = named[0] == named[1] and not any(each.startswith(f"{SIDES[0]}=") for each in given)
    for table, column in zip(tables, named, strict=True):
        if column is not None and not (is_for_both and column not in table.columns):
            table.place(column)  # raises if the file has no such column
            table.weight, table.memberships = column, memberships
    if all(table.weight is None for table in tables):
        tables[0].place(named[0] or "")


def label_options(options: FileOptions, side: FilePartition | None = None) -> dict[str, Any]:
    """How null labels and noise are treated, as keyword arguments; an engine has them already."""
    if side is not None and side.is_scanned:
        return {}
    return {"nulls": options.nulls, "noise": options.noise, "noise_as": options.noise_as}


# -- further columns of a file ------------------------------------------------------------------------


def read_column(option: str, column: str, side: FilePartition, files: FileOptions) -> Any:
    """A column of the side's file, by record or in order; ``option`` names it."""
    if side.is_scanned or side.path is None:
        raise ParameterError(
            "this column can be read only from a text file that needs no engine, not from standard input",
            given={option: column},
        )
    files = replace(files, nulls=None)  # this option is about labels
    if side.label is None:
        return LoadedFile(side.path, (side.record, column), files).read().elements
    return LoadedFile(side.path, NO_NAMES, files).read_labels([side.label, column])[1].elements


def units(column: str | None, side: FilePartition, files: FileOptions) -> Any:
    """The unit of each record, or the column's name if an engine reads it; "record" if none is named."""
    if column is None:
        return "record"
    if side.is_scanned and side.elements.record is not None:
        if column in ("record", "component"):
            raise ParameterError(
                "this name is reserved for a kind of unit; rename the column", given={"unit": column}
            )
        return column
    return read_column("unit", column, side, files)


def slices(by: str, by_file: str | None, side: FilePartition, files: FileOptions) -> dict[str, Any]:
    """Slices, as ``Comparison.by`` takes them: columns of the side's file or of another."""
    columns = column_names(by) or []
    if by_file is None and side.is_scanned:
        return {"by": columns}
    if by_file is None and side.label is not None:
        return {"by": values_of_slices(by, side, files)}
    if by_file is None and side.path is None:
        raise ParameterError("this needs --by-file, the file with this column", given={"by": by})
    if side.label is not None:
        raise ParameterError("records are matched by name, which needs two files", given={"by_file": by_file})
    path = by_file or side.path or ""
    return {"by": columns, "records": path, "record": _record_column(path, side)}


def values_of_slices(by: str, side: FilePartition, files: FileOptions) -> Any:
    """The slice of each record, by columns of the side's file that are read into memory."""
    values = [read_column("by", column, side, files) for column in column_names(by) or []]
    if len(values) == 1:
        return values[0]
    if isinstance(values[0], dict):
        return {record: tuple(each[record] for each in values) for record in values[0]}
    return list(zip(*values, strict=True))


def weights(column: str, side: FilePartition, files: FileOptions) -> Any:
    """The weight of each record, as ``compare`` takes it."""

    def decimal(spelled: Any, record: Any) -> Decimal:
        try:
            return Decimal(str(spelled))
        except InvalidOperation:
            raise _not_a_number("weights", spelled, record) from None

    spelled = read_column("weights", column, side, files)
    if isinstance(spelled, dict):
        return {record: decimal(each, record) for record, each in spelled.items()}
    return [decimal(each, row) for row, each in enumerate(spelled)]


def by_cluster(option: str, column: str, sample: FilePartition, files: FileOptions) -> dict[Any, float]:
    """A number for each labelled cluster, from a column of the sample that repeats it in each row."""
    spelled = read_column(option, column, sample, files)
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
    path: str | None, show: str | None, images: str | None, side: FilePartition, *, has_page: bool
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
    if side.is_by_line or side.label is not None:
        raise ParameterError("records are matched by name, which needs two files", given={"records": path})
    columns = column_names(show)
    return {"records": path, "record": _record_column(path, side), "columns": columns, "images": images}


def _record_column(path: str, side: FilePartition) -> str:
    """The column of records in another file: the one that --record names, else the first."""
    return side.record or sources.files.preview(files(path, "duckdb", None, None))[0][0]


# -- names --------------------------------------------------------------------------------------------


def short_names(pair: PairOptions) -> tuple[str, str]:
    """The names of the two sides on a page: those of their files, or of the columns of one.

    >>> short_names(PairOptions(reference="runs/truth.csv", candidate="runs/guess.csv.gz"))
    ('truth', 'guess')
    """
    one_file = pair.candidate is None or pair.candidate == pair.reference
    names = column_names(pair.columns) if one_file else file_names(pair.paths)
    u, v = names if names and len(names) == 2 and all(map(str.strip, names)) else SIDES
    return u, v


def file_names(paths: Sequence[str]) -> list[str]:
    """The files' names without folder and ending; the whole path if two are equal."""
    names = [unpacked_name(Path(path).name) for path in paths]
    short = ["standard input" if name == "-" else Path(name).stem or name for name in names]
    names = [path if short.count(name) > 1 else name for path, name in zip(paths, short, strict=True)]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise ParameterError(f"the file {twice} is given twice; give each file once")
    return names


def side_names(paths: Sequence[str], columns: str | None) -> list[str]:
    """The names of several sides: those of their files, or of the columns of one."""
    return (column_names(columns) or []) if len(paths) == 1 else file_names(paths)


def _label_columns(columns: str | None, of: str) -> list[str] | None:
    """The columns of labels of one file: two, or at least two for what ``of`` names."""
    names = column_names(columns)
    if not of:
        if names is not None and len(names) != 2:
            raise ParameterError(f"--columns {columns!r}: name two columns, for instance --columns truth,run")
        return names
    if names is None or len(names) < 2:
        raise ParameterError(
            f"{of} takes two partitions or more: give several files, or name the columns of one, for "
            "instance --columns truth,monday,tuesday"
        )
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise ParameterError(f"--columns {columns!r}: {twice!r} is named twice")
    return names


def _namings(files: FileOptions) -> list[Naming]:
    """The columns of record and cluster of two files, each with a name for both or one for each."""
    records, clusters = _by_side("record", files.record), _by_side("cluster", files.cluster)
    return list(zip(records, clusters, strict=True))


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
        begins = bool(side) and any(name.startswith(side.casefold()) for name in SIDES)
        if equals and side not in SIDES and (begins or did_you_mean(side, SIDES)):
            raise ParameterError(
                f"--{option} {value!r}: the sides are called {' and '.join(SIDES)}"
                f"{did_you_mean(side, SIDES) or '; write the whole word'}"
            )
        if not (equals and side in SIDES):
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


def _check_join(first: SourceFile, second: SourceFile, *, has_sides: bool) -> None:
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
            * has_sides
        )


def _check_separated(sides: Sequence[FilePartition], files: FileOptions) -> None:
    """Refuse files that agree only because none of them was cut into fields."""
    is_by_row = all(isinstance(side.elements, list) for side in sides)
    if sides[0].is_scanned or not (files.format == "clusters" or is_by_row) or files.record or files.cluster:
        return
    given = files.separator_character
    u = sides[0]
    for v in sides[1:]:
        if not (u.is_scattered and v.is_scattered):
            continue
        words = (
            found_in_all(list(side.elements), "", ALSO_IN_NAMES)
            if given is None
            else found_in_any(side.elements, given)
            for side in (u, v)
        )
        word = next(filter(None, words), None)
        if word or (is_by_row and given):
            as_labels = [Remedy("use them as labels", cluster=...)] if is_by_row else []
            raise FileError(
                f"{u.origin}, and {v.origin}: every row is a single field and none occurs twice, so they "
                "would agree whatever their labels",
                remedies=[Remedy("separate the fields", separator=word or ...), *as_labels],
            )
