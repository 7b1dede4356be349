"""Every reader takes every file for the same, or refuses it in the same words."""

import pytest
from conformance import BAD, GOOD
from inner import FileOptions, LoadedFile, ScannedFile, files, formats, sources
from not_run import few

from concordant.errors import ConcordantError


def by_duckdb(path):
    source = sources.files(path, None, None)
    with files.opened([(source, ("id", "t"))], 0) as (relation,):
        return relation.fetchall()


def by_command_line(path):
    found = LoadedFile(path, ("id", "t"), FileOptions(noise="", noise_as="singletons")).read()
    return [(record, label or None) for record, label in found.elements.items()]


def by_spark(path):
    partition = ScannedFile(path, path, ("id", "t"), FileOptions(engine="spark")).read().elements
    return [tuple(row) for row in partition.source.native.select("id", "t").collect()]


def readers(case):
    """Those that read the case: the command line reads single delimited texts itself."""
    names = [*case.files]
    small = len(names) == 1 and (kind := formats.format_by_name(names[0])) and kind.separator
    return {"duckdb": by_duckdb} | ({"command line": by_command_line} if small else {})


def labels(rows):
    return {record: None if label is None else str(label) for record, label in rows}


@pytest.mark.parametrize("case", GOOD, ids=lambda case: case.name)
def test_every_reader_gives_the_same(case, tmp_path):
    path = case.write(tmp_path)
    for name, read in readers(case).items():
        rows = read(path)
        assert labels(rows) == dict(case.labels), name
        assert len(rows) == len(case.labels), name


@pytest.mark.parametrize("case", BAD, ids=lambda case: case.name)
def test_every_reader_refuses_the_same(case, tmp_path):
    path, kinds = case.write(tmp_path), set()
    for name, read in readers(case).items():
        with pytest.raises(ConcordantError) as error:
            read(path)
        assert case.fault in str(error.value), name
        kinds.add(type(error.value))
    assert len(kinds) == 1


@pytest.mark.usefixtures("spark")
@pytest.mark.parametrize("step", few(1, [3, 1]), ids=["a third of the files", "all files"])
def test_spark_gives_and_refuses_the_same(tmp_path, step):
    """All in one: a session takes long to begin. Files that Spark treats in its own way are always read."""
    unread = {  # by Spark, which says so
        "zstandard": "Spark decompresses exactly",
        "gzip by another name": "Spark decompresses exactly",
        "integers of different widths": "Spark cannot read",
        "lines that end in both ways": "Spark does not read",
    }
    for number, case in enumerate(GOOD):
        if number % step and case.name not in unread:
            continue
        path = case.write(tmp_path / f"good{number}")
        if case.name in unread:
            with pytest.raises(ConcordantError, match=unread[case.name]):
                by_spark(path)
        else:
            assert labels(by_spark(path)) == dict(case.labels), case.name
    for number, case in enumerate(BAD):
        in_own_words = "in one table" in case.name or case.name == "a doubled key"
        if number % step and not in_own_words:
            continue
        path = case.write(tmp_path / f"bad{number}")
        if in_own_words:
            with pytest.raises(ConcordantError, match="Spark cannot read"):
                by_spark(path)
        elif case.name != "a doubled column":  # which the command line refuses by its header
            with pytest.raises(ConcordantError) as error:
                by_spark(path)
            assert case.fault in str(error.value), case.name
