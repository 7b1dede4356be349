"""The sides of a command: which files are read, which of their columns, and what they are called."""

from __future__ import annotations

import glob
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
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
from concordant.cli.options import ConventionOptions, FileOptions, KindOptions, column_names
from concordant.cli.output import progress
from concordant.errors import FileError, ParameterError, Remedy, did_you_mean
from concordant.foundation.spelling import printable
from concordant.foundation.text_layout import cell_width, line_width, shortened
from concordant.sources.descriptions import files
from concordant.sources.formats import unpacked_name

_NAMED = re.compile(r"(?P<name>[^=/\\:]+)=(?P<file>.+)")


@dataclass(frozen=True, slots=True)
class FileSides:
    """The sides of a command: what each is for, such as reference, its file, and its name in results."""

    roles: tuple[str, ...]
    paths: tuple[str, ...]
    names: tuple[str, ...]
    is_table: bool = False  # one file has the columns of all sides

    def without_first(self) -> FileSides:
        """These sides without the first, which is a file of another kind."""
        return FileSides(self.roles[1:], self.paths[1:], self.names[1:])

    def beside(self, role: str, file: str) -> FileSides:
        """These sides and another one, in a file of its own."""
        if self.is_table:
            raise ParameterError(
                "the clusterings are columns of one file, and so is this; name its column", given={role: file}
            )
        path, name = _path_and_name(file)
        return FileSides((*self.roles, role), (*self.paths, path), (*self.names, name or role))


def sides_of(options: FileOptions, *, least: int = 2, **given: str | list[str] | None) -> FileSides:
    """The sides that arguments name, each by the parameter of its role; ``NAME=FILE`` names a side.

    At ``least`` so many columns of one file are needed.

    >>> sides_of(FileOptions(), reference="runs/truth.csv", candidate="new=runs/guess.csv").names
    ('truth', 'new')
    """
    found = [
        (role, each)
        for role, files in given.items()
        for each in ([files] if isinstance(files, str) else files or ())
    ]
    many = next((role for role in given if role in _MANY), None)
    if len(found) == 1 and (len(given) > 1 or many is not None or options.columns is not None):
        return _sides_of_table(found[0][1], options, list(given), many, least)
    roles = [role for role, _ in found]
    paths, named = zip(*(_path_and_name(each) for _, each in found), strict=True)
    short = iter(_file_names([path for path, name in zip(paths, named, strict=True) if not name]))
    names = [name or next(short) for name in named]
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        if many is not None:
            raise ParameterError(f"{twice} is given twice; give each file once, or name it like NEW=run.csv")
        names = roles
    roles = [name if role == many else role for role, name in zip(roles, names, strict=True)]
    return FileSides(tuple(roles), paths, tuple(names))


def _sides_of_table(
    path: str, options: FileOptions, roles: list[str], many: str | None, least: int
) -> FileSides:
    """The sides that are columns of one file, in their order."""
    if options.columns is None:
        if many is not None and options.format != "clusters":
            raise ParameterError(
                "this takes two partitions or more: give several files, or name the columns of one, for "
                "instance --columns truth,monday,tuesday"
            )
        return FileSides(tuple(roles[:least]), (path,), tuple(roles[:least]), is_table=True)
    columns = column_names(options.columns) or []
    fixed = [role for role in roles if role != many]
    if len(columns) < least or (many is None and len(columns) > len(fixed)):
        number = f"{least} or more" if many is not None or least < len(fixed) else least
        raise ParameterError(
            f"--columns {options.columns!r}: name {number} {'column' if number == 1 else 'columns'}, in the "
            f"order of the sides: {','.join(roles)}"
        )
    if twice := next((name for name in columns if many and columns.count(name) > 1), None):
        raise ParameterError(f"{twice!r} is named twice", given={"columns": options.columns})
    roles = [*fixed, *columns[len(fixed) :]][: len(columns)]
    is_named = all(map(str.strip, columns)) and len(set(columns)) == len(columns)
    return FileSides(tuple(roles), (path,), tuple(columns if is_named else roles), is_table=True)


_MANY = frozenset(
    {"candidates", "clusterings"}
)  # roles of several sides, each of which is called by its name


def _path_and_name(text: str) -> tuple[str, str | None]:
    """The file that an argument names, and the name before it; a file whose whole name exists has none."""
    named = _NAMED.fullmatch(text)
    if named is None or Path(text).exists() or glob.glob(text):  # noqa: PTH207  (as a shell)
        return text, None
    return named["file"], named["name"]


def _file_names(paths: Sequence[str]) -> list[str]:
    """The files' names without folder and ending; the whole path if two are equal."""
    names = [unpacked_name(Path(path).name) for path in paths]
    short = ["standard input" if name == "-" else Path(name).stem or name for name in names]
    return [path if short.count(name) > 1 else name for path, name in zip(paths, short, strict=True)]


@contextmanager
def opened(
    sides: FileSides,
    files: FileOptions,
    *,
    in_memory: bool = False,
    needs_engine: str | None = None,
    kind: KindOptions | None = None,
) -> Iterator[list[FilePartition]]:
    """The partitions of the sides: one from each file, or the columns of one file.

    An engine reads them if one is needed. ``needs_engine`` names an option that always needs one, and
    ``kind`` sets how files are read that have no labels.
    """
    _check_files(sides, files)
    paths = sides.paths
    with ExitStack() as stack:
        with progress("reading") as done:
            places: Mapping[str, str] = {}
            if files.format != "clusters" and engine_reads(paths, files, needs_engine):
                places = stack.enter_context(spooled(paths))
            open_table = partial(_opened_table, places=places, files=files, in_memory=in_memory)
            if sides.is_table:
                table = open_table(paths[0], NO_NAMES)
                found = table.read_labels(column_names(files.columns))
            else:
                found = []
                for read in _readers(sides, open_table, files, kind):
                    found.append(read())
                    done(len(found), len(paths))
                _check_separated(found, files)
        origins = {printable(side.origin) for side in found}
        if len(found) == 2 and len(origins) == 1:
            typer.echo(
                f"concordant: both sides are the same: {origins.pop()}; pass another file, or --columns A,B "
                "to compare two columns of one file",
                err=True,
            )
        yield found


def _check_files(sides: FileSides, files: FileOptions) -> None:
    """Refuse options that do not fit the number of files or their format."""
    has_names = bool(files.record or files.cluster)
    if files.format == "clusters":
        if files.for_engine:
            raise ParameterError(
                f"{files.for_engine} cannot be combined with --format clusters, which engines cannot read"
            )
        if sides.is_table:
            raise ParameterError(
                "this takes two files or more; with --format clusters, give each partition its own file"
            )
        if files.columns is not None or has_names:
            raise ParameterError(
                "files of --format clusters have no columns: --columns, --record and --cluster cannot be "
                "combined with it"
            )
    elif sides.is_table and has_names:
        raise ParameterError("--record and --cluster join several files; with one file, use --columns")
    elif files.columns is not None and not sides.is_table:
        raise ParameterError(
            "--columns picks columns of one file; with several files, use --record and --cluster"
        )


def _opened_table(
    path: str, naming: Naming, *, places: Mapping[str, str], files: FileOptions, in_memory: bool
) -> SourceFile:
    """A file with columns; an engine reads it if it has a place."""
    if places:
        return ScannedFile(path, places[path], naming, files, in_memory=in_memory)
    return LoadedFile(path, naming, files)


def _readers(
    sides: FileSides,
    open_table: Callable[[str, Naming], SourceFile],
    files: FileOptions,
    kind: KindOptions | None,
) -> list[Callable[[], FilePartition]]:
    """The function that reads each file. Tables are open and fit together before one of them is read."""
    if files.format == "clusters":
        return [partial(read_clusters, path, files) for path in sides.paths]
    records = by_side("record", files.record, sides.roles)
    clusters = by_side("cluster", files.cluster, sides.roles)
    tables = list(map(open_table, sides.paths, zip(records, clusters, strict=True)))
    if kind is not None:
        kind.prepare(tables, sides.roles)
    for other in tables[1:]:
        _check_join(tables[0], other, sides.roles)
    return [table.read for table in tables]


def options_of(files: FileOptions, side: FilePartition, conventions: ConventionOptions) -> dict[str, Any]:
    """The options of inputs, as Python takes them. ``side`` has the weights; engines treat labels."""
    labels = () if side.is_scanned else ("nulls", "noise", "noise_as")
    return {
        **{each: getattr(files, each) for each in labels},
        **vars(conventions),
        "weights": weights(conventions.weights, side),
    }


# -- further columns of a file ------------------------------------------------------------------------


def read_column(option: str, column: str, side: FilePartition) -> Any:
    """A column of the side's file, by record or in order; ``option`` names it."""
    if side.is_scanned or side.file is None:
        raise ParameterError(
            "this column can be read only from a table that fits in memory", given={option: column}
        )
    if side.label is None:
        return side.file.column(column)
    return side.file.values([side.file.place(column)])[0]


def units(unit: str, side: FilePartition) -> Any:
    """The unit of each record; an engine reads the column itself, and kinds of units have no column."""
    is_named = unit in ("record", "component") or (side.is_scanned and side.label is None)
    return unit if is_named else read_column("unit", unit, side)


def slices(by: str, details: str | None, side: FilePartition) -> dict[str, Any]:
    """Slices, as results take them: columns of the side's file or of the one with details."""
    columns = column_names(by) or []
    if details is not None:
        if side.label is not None:
            raise ParameterError(
                "records are matched by name, which needs two files", given={"details": details}
            )
        return {"by": columns, "details": details, "record": _record_column(details, side)}
    if side.is_scanned:
        return {"by": columns}
    if side.label is None and side.path is not None:
        return {"by": columns, "details": side.path, "record": _record_column(side.path, side)}
    return {"by": values_of_slices(by, side)}


def values_of_slices(by: str, side: FilePartition) -> Any:
    """The slice of each record, by columns of the side's file that are read into memory."""
    if side.file is None:
        raise ParameterError("this needs --details, the file with this column", given={"by": by})
    values = [read_column("by", column, side) for column in column_names(by) or []]
    if len(values) == 1:
        return values[0]
    if isinstance(values[0], dict):
        return {record: tuple(each[record] for each in values) for record in values[0]}
    return list(zip(*values, strict=True))


def values_of_source(column: str | None, side: FilePartition) -> Any:
    """The source of each record, as ``compare(between=)`` takes it; an engine reads the column itself."""
    return column if column is None or side.is_scanned else read_column("between", column, side)


def weights(column: str | None, side: FilePartition) -> Any:
    """The weight of each record, as ``compare`` takes it; None if no column is named."""

    def decimal(spelled: Any, record: Any) -> Decimal:
        try:
            return Decimal(str(spelled))
        except InvalidOperation:
            raise _not_a_number("weights", spelled, record) from None

    if column is None:
        return None
    spelled = read_column("weights", column, side)
    if isinstance(spelled, dict):
        return {record: decimal(each, record) for record, each in spelled.items()}
    return [decimal(each, row) for row, each in enumerate(spelled)]


def by_cluster(option: str, column: str, sample: FilePartition) -> dict[Any, float]:
    """A number for each labelled cluster, from a column of the sample that repeats it in each row."""
    spelled = read_column(option, column, sample)
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
    path: str | None, show: str | None, images: str | None, side: FilePartition, *, has_use: bool
) -> dict[str, Any]:
    """The details of records that a page or a judge sees, as ``to_html`` and ``ask`` take them."""
    if path is None or not has_use:
        given = {"details": path, "show": show, "images": images}
        if given := {option: value for option, value in given.items() if value is not None}:
            missing = "--html or --by" if path is not None else "--details, the file with the columns"
            raise ParameterError(f"this needs {missing}", given=given)
        return {}
    if side.is_by_line or side.label is not None:
        raise ParameterError("records are matched by name, which needs two files", given={"details": path})
    shown = {"details": path, "record": _record_column(path, side), "show": column_names(show)}
    return shown if images is None else shown | {"images": images}


def _record_column(path: str, side: FilePartition) -> str:
    """The column of records in another file: the one that --record names, else the first."""
    return side.record or sources.files.preview(files(path, None, None))[0][0]


# -- columns ------------------------------------------------------------------------------------------


def by_side(option: str, values: Sequence[str] | None, roles: Sequence[str]) -> list[str | None]:
    """The column of each side; one without a side serves all others."""
    sides: dict[str, str] = {}
    for value in values or ():
        side, equals, column = value.partition("=")
        begins = bool(side) and any(name.startswith(side.casefold()) for name in roles)
        if equals and side not in roles and (begins or did_you_mean(side, roles)):
            raise ParameterError(
                f"--{option} {value!r}: the sides are called {' and '.join(roles)}"
                f"{did_you_mean(side, roles) or '; write the whole word'}"
            )
        if not (equals and side in roles):
            side, column = "", value
        if side in sides or not column:
            each = " ".join(f"--{option} {role}={letter}" for role, letter in zip(roles, "AB", strict=False))
            raise ParameterError(
                f"--{option} {value!r}: name one column for all files, or one for each: {each}"
            )
        sides[side] = column
    return [sides.get(role, sides.get("")) for role in roles]


def origins(sides: FileSides, found: Sequence[FilePartition]) -> str:
    """The origin of each side. A long path is shortened, so the line fits."""
    room = line_width() - len("reference  ")
    lines = []
    for role, side in zip(sides.roles, found, strict=True):
        path, comma, rest = printable(side.origin).partition(", ")
        shown = shortened(path, max(room - cell_width(comma + rest), room // 2))
        lines.append(f"{role}  {shown}{comma}{rest}")
    return "\n".join(lines) + "\n"


# -- checks of several files --------------------------------------------------------------------------


def _check_join(first: SourceFile, second: SourceFile, roles: Sequence[str]) -> None:
    """Refuse to use a column as record in one file and as cluster in the other, unless requested."""
    if first.is_named and second.is_named:
        return
    (record, cluster), (other_record, other_cluster) = first.record_and_cluster, second.record_and_cluster
    crossed = record if record == other_cluster else cluster if cluster == other_record else None
    if crossed and record and other_record and record != other_record:
        both = f", or --record {roles[0]}={record} --record {roles[1]}={other_record}"
        raise FileError(
            f"{first.name} and {second.name} both have a column {crossed!r}, but in different positions; "
            f"specify the record column: --record {crossed}{both * (len(roles) == 2)}"
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
