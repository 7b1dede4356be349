"""What the options of ``compare`` and ``matrix`` mean: which files are read, in which selection."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from concordant import engines
from concordant.cli import separators, sources
from concordant.cli.columns import ColumnNames
from concordant.cli.sources import EngineOptions, ScannedFile, ScannedPartition
from concordant.cli.text import Layout, LoadedFile, LoadedPartition, read_clusters, read_labels
from concordant.counts import conventions
from concordant.counts.conventions import NoiseAs, Progress
from concordant.errors import FileError, ParameterError, Remedy, did_you_mean
from concordant.partitions.formats import unpacked_name
from concordant.partitions.sources import files

FileShape = Literal["table", "clusters"]
SIDES = ("reference", "candidate")


@dataclass(frozen=True, slots=True)
class Selection:
    """What the files hold, in the words of the options."""

    format: FileShape = "table"
    columns: str | None = None
    records: Sequence[str] = ()
    clusters: Sequence[str] = ()


@contextmanager
def opened(
    reference: str, candidate: str | None, selection: Selection, layout: Layout, engine_options: EngineOptions
) -> Iterator[tuple[LoadedPartition, LoadedPartition] | tuple[ScannedPartition, ScannedPartition]]:
    """Both sides, from one file or from two, read by an engine where one is needed."""
    paths = [path for path in (reference, candidate) if path is not None]
    if paths == ["-", "-"]:
        raise ParameterError("standard input (-) can be read only once; give the other side as a file")
    if selection.format == "clusters" and engine_options.asked_for:
        raise ParameterError(
            f"{engine_options.asked_for} does not go with --format clusters, which engines cannot read"
        )
    if selection.format == "clusters" or not sources.engine_reads(paths, engine_options, layout):
        yield _read(reference, candidate, selection, layout)
        return
    with sources.spooled(paths) as places:
        yield _opened_by_engine(
            reference, candidate, selection, layout=layout, engine_options=engine_options, places=places
        )


@contextmanager
def opened_all(
    paths: Sequence[str], selection: Selection, layout: Layout, engine_options: EngineOptions
) -> Iterator[dict[str, Any]]:
    """Partitions in files by name, read by an engine where one is needed."""
    if selection.format == "clusters" or not sources.engine_reads(paths, engine_options, layout):
        read = read_many(paths, selection, layout, lambda *_: None)
        yield {name: side.elements for name, side in read.items()}
        return
    naming = ColumnNames(_one_name("record", selection.records), _one_name("cluster", selection.clusters))
    with sources.spooled(paths) as places:
        opened_files = [ScannedFile(path, places[path], naming, layout, engine_options) for path in paths]
        yield {
            name: file.read().elements for name, file in zip(_file_names(paths), opened_files, strict=True)
        }


def _opened_by_engine(
    reference: str,
    candidate: str | None,
    selection: Selection,
    *,
    layout: Layout,
    engine_options: EngineOptions,
    places: Mapping[str, str],
) -> tuple[ScannedPartition, ScannedPartition]:
    """The same for an engine; ``places`` says where it finds the files."""
    if candidate is None:
        file = ScannedFile(reference, places[reference], ColumnNames(), layout, engine_options)
        return file.read_labels(_names_of_labels(selection))
    of_u, of_v = _namings(selection)
    first = ScannedFile(reference, places[reference], of_u, layout, engine_options)
    second = ScannedFile(candidate, places[candidate], of_v, layout, engine_options)
    _check_join(first, second)
    return first.read(), second.read()


def _read(
    reference: str, candidate: str | None, selection: Selection, layout: Layout
) -> tuple[LoadedPartition, LoadedPartition]:
    if selection.format == "clusters":
        if candidate is None or selection.columns is not None or selection.records or selection.clusters:
            raise ParameterError(
                "--format clusters reads two files, which have no columns: --columns, --record and --cluster "
                "do not go with it"
            )
        u, v = read_clusters(reference, layout), read_clusters(candidate, layout)
        _check_separated(u, v, layout)
        return u, v
    if candidate is None:
        u, v = read_labels(reference, _names_of_labels(selection), layout)
        return u, v
    of_u, of_v = _namings(selection)
    return _read_records(LoadedFile(reference, of_u, layout), LoadedFile(candidate, of_v, layout), layout)


def layout_of(separator: str | None, header: bool | None, encoding: str, noise: str | None) -> Layout:
    """How text is to be read, as the options say."""
    mark = None if separator is None else separators.separator_of(separator)
    return Layout(mark, header, encoding, empty_labels=noise == "")


def read_units(
    column: str, files: tuple[str, str | None], selection: Selection, layout: Layout
) -> LoadedPartition:
    """A column of the reference's file, read as its clusters are."""
    reference, candidate = files
    if candidate is not None:
        return LoadedFile(reference, ColumnNames(_namings(selection)[0].record, column), layout).read()
    names = _names_of_labels(selection)
    if names is None:
        raise ParameterError("name the columns of both sides with --columns", given={"unit": column})
    return read_labels(reference, [names[0], column], layout)[1]


def short_names(reference: str, candidate: str | None, columns: str | None) -> tuple[str, str]:
    """What a page calls the two sides: by their files, or by the columns of one.

    >>> short_names("runs/truth.csv", "runs/guess.csv.gz", None), short_names("a.csv", None, "truth,guess")
    (('truth', 'guess'), ('truth', 'guess'))
    """
    of_one_file = reference if candidate is None else candidate
    names = _names(columns) if reference == of_one_file else _file_names([reference, of_one_file])
    u, v = names if names and len(names) == 2 and all(map(str.strip, names)) else ("reference", "candidate")
    return u, v


def shown_records(
    path: str | None, show: str | None, images: str | None, selection: Selection, *, has_page: bool
) -> dict[str, Any]:
    """What a page is to show of records, as ``Comparison.to_html`` takes it."""
    if path is None or not has_page:
        given = {"records": path, "show": show, "images": images}
        said = {option: value for option, value in given.items() if value is not None}
        if said:
            missing = "--html names the page" if path is not None else "--records names the file"
            raise ParameterError(f"{missing} that this is for", given=said)
        return {}
    if selection.format == "clusters" or selection.columns is not None:
        raise ParameterError(
            "records are found by their names, which two files give", given={"records": path}
        )
    named = _by_side("record", selection.records)[0]
    record = named or engines.preview(files(path, "duckdb", None, None))[0][0]
    return {"records": path, "record": record, "columns": _names(show), "images": images}


def read_many(
    paths: Sequence[str], selection: Selection, layout: Layout, done: Progress, taker: str = "a matrix"
) -> dict[str, LoadedPartition]:
    """Partitions by name: the files by theirs, or the columns of one file; ``done`` counts those read."""
    if len(paths) == 1 and selection.format == "table":
        return _read_columns(paths[0], selection, layout, taker)
    if len(paths) == 1:
        raise ParameterError(f"{taker} takes two files or more; one cluster a line needs a file for each")
    if paths.count("-") > 1:
        raise ParameterError("standard input (-) can be read only once; give the others as files")
    if selection.columns is not None:
        raise ParameterError(
            "--columns picks columns of one file; with several files, use --record and --cluster"
        )
    sides = list(_counted(_read_each(paths, selection, layout), len(paths), done))
    by_row = all(isinstance(side.elements, list) for side in sides)
    if selection.format == "clusters" or (by_row and not (selection.records or selection.clusters)):
        for other in sides[1:]:
            _check_separated(sides[0], other, layout)
    return dict(zip(_file_names(paths), sides, strict=True))


def check_noise(noise: str | None, noise_as: NoiseAs | None, format: FileShape) -> None:
    """Refuse noise that is half said."""
    if noise is not None and format == "clusters":
        raise ParameterError("--noise is a label, and --format clusters has none; leave such elements out")
    conventions.check_noise(noise, noise_as)


def _read_columns(path: str, selection: Selection, layout: Layout, taker: str) -> dict[str, LoadedPartition]:
    if selection.records or selection.clusters:
        raise ParameterError("--record and --cluster join several files; with one file, use --columns")
    names = _names(selection.columns)
    if names is None or len(names) < 2:
        raise ParameterError(
            f"{taker} takes two partitions or more: give several files, or name the columns of one, for "
            "instance --columns truth,monday,tuesday"
        )
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise ParameterError(f"--columns {selection.columns!r}: {twice!r} is named twice")
    return dict(zip(names, read_labels(path, names, layout), strict=True))


def _read_each(paths: Sequence[str], selection: Selection, layout: Layout) -> Iterator[LoadedPartition]:
    if selection.format == "clusters":
        if selection.records or selection.clusters:
            raise ParameterError(
                "files of --format clusters have no columns: --record and --cluster do not go with it"
            )
        yield from (read_clusters(path, layout) for path in paths)
        return
    naming = ColumnNames(_one_name("record", selection.records), _one_name("cluster", selection.clusters))
    first = LoadedFile(paths[0], naming, layout)
    yield first.read()
    for path in paths[1:]:
        file = LoadedFile(path, naming, layout)
        if not file.is_named:
            _check_join(first, file, sides=False)
        yield file.read()


def _counted(sides: Iterator[LoadedPartition], total: int, done: Progress) -> Iterator[LoadedPartition]:
    for number, side in enumerate(sides, start=1):
        yield side
        done(number, total)


def _one_name(option: str, values: Sequence[str]) -> str | None:
    if len(values) > 1:
        raise ParameterError(f"--{option} {' and '.join(map(repr, values))}: name one column for all files")
    return values[0] if values else None


def _file_names(paths: Sequence[str]) -> list[str]:
    """The files' names without folder and ending; where two are alike, the whole path."""
    short = ["standard input" if path == "-" else _stem(path) for path in paths]
    names = [path if short.count(name) > 1 else name for path, name in zip(paths, short, strict=True)]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise ParameterError(f"the file {twice} is given twice")
    return names


def _stem(path: str) -> str:
    name = unpacked_name(Path(path).name)
    return Path(name).stem or name


def _read_records(
    first: LoadedFile, second: LoadedFile, layout: Layout
) -> tuple[LoadedPartition, LoadedPartition]:
    _check_join(first, second)
    u, v = first.read(), second.read()
    row_by_row = isinstance(u.elements, list) and isinstance(v.elements, list)
    if row_by_row and not (first.is_named or second.is_named):
        _check_separated(u, v, layout)
    return u, v


def _check_join(
    first: LoadedFile | ScannedFile, second: LoadedFile | ScannedFile, *, sides: bool = True
) -> None:
    """Refuse to take a column for the record in one file and for the cluster in the other, unless told to."""
    if first.is_named and second.is_named:
        return
    (record, cluster), (other_record, other_cluster) = first.columns, second.columns
    crossed = record if record == other_cluster else cluster if cluster == other_record else None
    if crossed and record and other_record and record != other_record:
        raise FileError(
            f"{first.name} and {second.name} both have a column {crossed!r}, but at different places; say "
            f"what names the record: --record {crossed}"
            + f", or --record reference={record} --record candidate={other_record}"
            * sides
        )


def _check_separated(u: LoadedPartition, v: LoadedPartition, layout: Layout) -> None:
    """Refuse two files that agree only because neither was cut into fields."""
    if not (u.is_scattered and v.is_scattered):
        return
    row_by_row, given = isinstance(u.elements, list), layout.separator
    found = separators.spaced_in_all if given is None else separators.found_in_any
    word = found(list(u.elements), given or "") or found(list(v.elements), given or "")
    if word or (row_by_row and given):
        as_labels = [Remedy("take them as labels", cluster=...)] if row_by_row else []
        raise FileError(
            f"{u.origin}, and {v.origin}: every row is a single field and none occurs twice, so they agree "
            "whatever they hold",
            remedies=[Remedy("separate the fields", separator=word or ...), *as_labels],
        )


def _names_of_labels(selection: Selection) -> list[str] | None:
    if selection.records or selection.clusters:
        raise ParameterError("--record and --cluster join two files; with one file, use --columns")
    names = _names(selection.columns)
    if names is not None and len(names) != 2:
        raise ParameterError(
            f"--columns {selection.columns!r}: name two columns, for instance --columns truth,guess"
        )
    return names


def _names(columns: str | None) -> list[str] | None:
    return None if columns is None else next(csv.reader(io.StringIO(columns, newline="")), [])


def _namings(selection: Selection) -> tuple[ColumnNames, ColumnNames]:
    if selection.columns is not None:
        raise ParameterError("--columns picks two columns of one file; with two, use --record and --cluster")
    records, clusters = _by_side("record", selection.records), _by_side("cluster", selection.clusters)
    return ColumnNames(records[0], clusters[0]), ColumnNames(records[1], clusters[1])


def _abbreviates_side(word: str) -> bool:
    """Whether it is meant for a side: the beginning of its name, or the name misspelt."""
    begins = bool(word) and any(side.startswith(word.casefold()) for side in SIDES)
    return begins or bool(did_you_mean(word, SIDES))


def _by_side(option: str, values: Sequence[str]) -> tuple[str | None, str | None]:
    """The reference's column and the candidate's; one without a side serves both."""
    sides: dict[str, str] = {}
    for value in values:
        side, equals, column = value.partition("=")
        if equals and side not in SIDES and _abbreviates_side(side):
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
