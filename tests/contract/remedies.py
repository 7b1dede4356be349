"""Every option that an error advises, applied to the call that raised it: the error is gone."""

import ast
import shlex
import warnings
from contextlib import redirect_stdout
from functools import cache, partial
from io import StringIO
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
from inner import app

import concordant as cc
from concordant.cli import as_option
from concordant.errors import ConcordantError, Remedy
from contract.checks import at, check, refusal_of
from contract.sources import MODULES, nodes

P = cc.Partition
TRUTH, GUESS, OTHER = list("aabbcc"), list("xxyyyz"), list("pqqrrr")
HOLED = [*GUESS[:5], None]
SHORT = dict(enumerate(GUESS[:5]))
NAMED = [dict(enumerate(each)) for each in (TRUTH, GUESS, OTHER)]


def framed(make, labels, **options):
    frame = make({"id": list(range(len(labels))), "label": list(labels)})
    return P.from_frame(frame, record="id", cluster="label", **options)


def frames(make, *sides):
    """A comparison of dataframes, whose null labels are treated where the partitions are made."""

    def call(nulls="error", **options):
        return cc.compare(*(framed(make, side, nulls=nulls) for side in sides), **options)

    return call


def of_all(function, *sides, **fixed):
    return lambda **options: function(*sides, **{**fixed, **options})


def series(labels):
    return pd.Series(labels, index=[f"r{i}" for i in range(len(labels))])


def table_of(**fixed):
    """What needs the table, which may be too large."""
    rng = np.random.default_rng(0)
    sides = [rng.integers(0, 5, 60) for _ in range(2)]

    def call(**options):
        return cc.compare(*map(fixed.get("make", np.asarray), sides), **{"table_limit": 2, **options}).table

    return call


def table_with_singletons(**options):
    sides = [0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 2, 2]
    noise = {"reference_noise": {0: "singletons"}}
    return cc.compare(*map(np.array, sides), **{"table_limit": 1, **noise, **options}).table


def table_of_frames(**options):
    frame = pl.LazyFrame({"u": [0, 0, 1, 1], "v": [0, 1, 0, 1]})
    return cc.compare(frame, columns=["u", "v"], **{"table_limit": 1, **options}).table


def judged_diff_of_frames(**options):
    truth, before, after = (framed(pl.LazyFrame, each) for each in (TRUTH, GUESS, OTHER))
    return cc.diff(before, after, reference=truth, **{"table_limit": 1, **options})


def exactly_significant(**options):
    rng = np.random.default_rng(0)
    c = cc.compare(rng.integers(0, 20, 400), rng.integers(0, 20, 400))
    return c.significance("adjusted_rand", **{"method": "exact", **options})


def twice_mentioned(**options):
    return cc.coreference({"d": [[1, 2], [2, 3]]}, {"d": [[1, 2, 3]]}, **options)


def of_background(name, *arguments, **fixed):
    """A method for two partitions of the same elements, where one side has background."""
    sides = [0, 0, 1, 1, 2, 2, 0, 1], [5, 5, 6, 6, 7, 7, 7, 6]

    def call(**options):
        c = cc.compare(*sides, **{"reference_noise": {0: "background"}, **fixed, **options})
        return getattr(c, name)(*arguments)

    return call


def of_kept(name, *arguments):
    """The same, where each side has an element of its own."""

    def call(unmatched="keep"):
        return getattr(
            cc.compare(dict(enumerate("aabbc")), dict(enumerate("xxyy")), unmatched=unmatched), name
        )(*arguments)

    return call


@cache
def chain():
    """A hierarchy that joins one leaf at a time."""
    size = 20_010
    rows = [[i and size + i - 1, i + 1, i + 1.0, i + 2] for i in range(size - 1)]
    return cc.Hierarchy.from_linkage(rows, records=list(range(size)))


def sampled_at_many_levels(**options):
    truth = {record: record // 2 for record in range(20)}
    return cc.compare(truth, chain(), unmatched="drop").curve("recall", sampling="clusters", **options)


def all_pairs_of_cuts(**options):
    return cc.compare(chain(), chain()).cuts(
        "rand", **{"n_clusters": 20_010, "candidate_n_clusters": 20_010, **options}
    )


def slices_of_many_values(**options):
    records = range(1100)
    return cc.compare([i // 2 for i in records], [i // 3 for i in records]).slices(
        list(records), **{"limit": None, **options}
    )


def of_falling_heights(**options):
    return cc.Hierarchy.from_linkage([[0, 1, 2.0, 2], [2, 3, 1.0, 3]], **options)


SYSTEMS = {"one": SHORT, "two": NAMED[2]}
CALLS = {
    "hierarchy, falling heights": of_falling_heights,
    "soft, rows above 1": of_all(cc.Soft.from_matrix, [[2, 1], [1, 1]]),
    "soft, rows below 1": of_all(cc.Soft.from_matrix, [[0.5, 0.2], [0.5, 0.5]]),
    "soft, a matrix on its side": of_all(cc.Soft.from_matrix, [[0.5, 1, 0], [0.5, 0, 1]]),
    "hierarchies, all pairs of cuts": all_pairs_of_cuts,
    "hierarchy, a sample at many levels": sampled_at_many_levels,
    "compare, lists": of_all(cc.compare, TRUTH, HOLED),
    "compare, arrays": of_all(cc.compare, np.array(TRUTH), np.array(HOLED, dtype=object)),
    "compare, Arrow": of_all(cc.compare, pa.array(TRUTH), pa.array(HOLED)),
    "compare, a mapping with nulls": of_all(cc.compare, NAMED[0], dict(enumerate(HOLED))),
    "compare, mappings": of_all(cc.compare, NAMED[0], SHORT),
    "compare, Series": of_all(cc.compare, series(TRUTH), series(GUESS[:5])),
    "compare, clusters": of_all(cc.compare, [{1, 2}, {3}], [{1, 2}]),
    "compare, columns": of_all(cc.compare, pd.DataFrame({"u": TRUTH, "v": HOLED}), columns=["u", "v"]),
    "compare, pandas": frames(pd.DataFrame, TRUTH, GUESS[:5]),
    "compare, pandas with nulls": frames(pd.DataFrame, TRUTH, HOLED),
    "compare, lazy Polars": frames(pl.LazyFrame, TRUTH, GUESS[:5]),
    "compare, lazy Polars with nulls": frames(pl.LazyFrame, TRUTH, HOLED),
    "from_labels": of_all(P.from_labels, HOLED),
    "noise is named alone": of_all(cc.compare, TRUTH, GUESS, noise="x"),
    "noise is named alone in a partition": of_all(P.from_labels, GUESS, noise="x"),
    "noise is named alone in a ranking": of_all(cc.rank, TRUTH, {"g": GUESS, "o": OTHER}, noise="x"),
    "matrix, nulls": of_all(cc.matrix, [TRUTH, HOLED]),
    "matrix, mappings": of_all(cc.matrix, [NAMED[0], SHORT]),
    "rank, nulls": of_all(cc.rank, TRUTH, {"one": HOLED, "two": OTHER}),
    "rank, mappings": of_all(cc.rank, NAMED[0], SYSTEMS),
    "slices without a limit": slices_of_many_values,
    "diff with a truth, nulls": of_all(cc.diff, HOLED, OTHER, reference=TRUTH),
    "diff with a truth, table_limit": of_all(cc.diff, GUESS, OTHER, reference=TRUTH, table_limit=2),
    "diff of frames with a truth, table_limit": judged_diff_of_frames,
    "diff, nulls": of_all(cc.diff, TRUTH, HOLED),
    "diff, mappings": of_all(cc.diff, NAMED[0], SHORT),
    "diff, elements of one side": of_all(cc.diff, NAMED[0], SHORT, unmatched="keep"),
    "diff with a truth, mappings": of_all(cc.diff, NAMED[0], SHORT, reference=NAMED[2]),
    "track, nulls": of_all(cc.track, [TRUTH, HOLED]),
    "several references, nulls": of_all(cc.compare_references, [TRUTH, HOLED], OTHER),
    "several references, mappings": of_all(cc.compare_references, [NAMED[0], SHORT], NAMED[2]),
    "an index, nulls": of_all(cc.rand, TRUTH, HOLED),
    "an index, mappings": of_all(cc.rand, NAMED[0], SHORT),
    "a table in memory": table_of(),
    "a table with singletons": table_with_singletons,
    "a table out of a frame": table_of_frames,
    "an exact test of many tables": exactly_significant,
    "a mention in two clusters": twice_mentioned,
    "coreference, singletons only": of_all(cc.coreference, *[{"d": [[1], [2]]}] * 2, singletons="remove"),
    "an index, background": of_background("__getitem__", "adjusted_rand"),
    "an index, background of both": of_background(
        "__getitem__", "nmi_max", candidate_noise={7: "background"}
    ),
    "significance, background": of_background("significance", "rand"),
    "interval, background": of_background("interval", "rand"),
    "adjusted, background": of_background("adjusted", "rand"),
    "an index, elements of one side": of_kept("__getitem__", "rand"),
    "significance, elements of one side": of_kept("significance", "rand"),
    "interval, elements of one side": of_kept("interval", "rand"),
}


def complete(remedy):
    """Whether the remedy names the values; the reader has to choose others."""
    return all(value is not ... for value in remedy.options.values())


@cache
def errors_of_calls():
    """The error of each call."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "no label equals")
        return {name: refusal_of(ConcordantError, call) for name, call in CALLS.items()}


@check
def calls():
    """The remedies of an error work."""
    warnings.filterwarnings("ignore", "no label equals")
    for name, error in errors_of_calls().items():
        remedies = [each for each in error.remedies if complete(each)] if error else []
        if not remedies:
            yield f"{name}: no remedy of {error}"
        for remedy in remedies:
            if again := refusal_of(ConcordantError, partial(CALLS[name], **remedy.options)):
                yield f"{name}: with {remedy.options}: {again}"


def overlaps_in_little_memory(folder):
    """The table of the overlaps of two files: too large for 100 MB, which many cores need to read them."""
    rng = np.random.default_rng(1)
    for name in "uv":
        labels = rng.integers(0, 20_000, 400_000)
        pl.DataFrame({"id": np.arange(400_000), "label": labels}).write_parquet(folder / f"{name}.parquet")

    def call(memory="100MB"):
        files = (folder / f"{name}.parquet" for name in "uv")
        return cc.compare(
            *(P.scan(each, record="id", cluster="label", memory=memory) for each in files)
        ).table

    return call


@check
def limit_of_memory():
    """The limit that an error names is enough."""
    call = overlaps_in_little_memory(Path.cwd())
    error = refusal_of(ConcordantError, call)
    if error is None or [list(each.options) for each in error.remedies] != [["memory"]]:
        yield f"{error} has another remedy than memory="
    elif not len(call(**error.remedies[0].options)):
        yield f"{error.remedies[0].options} gives an empty table"


# -- the command line --------------------------------------------------------------------------------

FILES = {  # the arguments, and the content of the files
    "an empty label": ("compare u.csv v.csv", {"u.csv": "id,c\n1,a\n2,\n", "v.csv": "id,c\n1,a\n2,b\n"}),
    "unmatched records": ("compare u.csv v.csv", {"u.csv": "id,c\n1,a\n2,b\n", "v.csv": "id,c\n1,a\n"}),
    "a header that is a label": (
        "compare u.csv v.csv",
        {"u.csv": "a\na\nb\n", "v.csv": "c\nc\nd\n"},
    ),
    "another separator": (
        "compare u.csv v.csv",
        {"u.csv": "id;c\n1;a\n2;b\n", "v.csv": "id;c\n1;a\n2;b\n"},
    ),
    "clusters with another separator": (
        "compare u.txt v.txt --format clusters",
        {"u.txt": "a;b|c\nd;e\n", "v.txt": "a;b|c\nd;e\n"},
    ),
    "another encoding": (
        "compare u.csv v.csv",
        {"u.csv": "id,c\n1,é\n2,b\n".encode("latin-1"), "v.csv": "id,c\n1,a\n2,b\n"},
    ),
    "noise alone": (
        "compare u.csv v.csv --noise a",
        {"u.csv": "id,c\n1,a\n2,b\n", "v.csv": "id,c\n1,a\n2,b\n"},
    ),
}


def error_of(arguments):
    """The error of a command, None if it succeeds."""
    try:
        with redirect_stdout(StringIO()):
            app(args=arguments, prog_name="concordant")
    except ConcordantError as error:
        return error
    except SystemExit as ended:
        if ended.code:
            raise RuntimeError(f"{arguments} ended with status {ended.code}") from ended
    return None


def error_of_command(name):
    """The error of a command on its files, which are written into the current folder."""
    line, files = FILES[name]
    for file, content in files.items():
        Path(file).write_bytes(content if isinstance(content, bytes) else content.encode())
    return error_of(line.split())


@check
def commands():
    """The remedies of a command work."""
    for name, (line, _) in FILES.items():
        error = error_of_command(name)
        remedies = [each for each in error.remedies if complete(each)] if error else []
        if not remedies:
            yield f"{name}: no remedy of {error}"
        after = {}
        for remedy in remedies:
            spelled = " ".join(as_option(*option) for option in remedy.options.items())
            after[spelled] = error_of([*line.split(), *shlex.split(spelled)])
        failed = [spelled for spelled, error in after.items() if error is not None]
        # A text has one encoding, and nobody can tell which.
        permitted = len(after) - 1 if name == "another encoding" else 0
        if len(failed) > permitted:
            yield f"{name}: {line} fails with {', '.join(failed)}"


@check
def all_remedies_are_applied():
    """Other than those whose values the reader has to choose, and one that takes a GPU."""
    errors = [*errors_of_calls().values(), *map(error_of_command, FILES)]
    advised = {("memory",)} | {tuple(each.options) for error in errors if error for each in error.remedies}
    for path, line, options in fixed_remedies():
        if options not in advised:
            yield at(path, line, f"no call of tests/contract/remedies.py has the remedy {options}")


def fixed_remedies():
    """The options of every remedy of the source that names their values, as (file, line, names)."""
    for path in MODULES:
        for node in nodes(path):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == Remedy.__name__:
                values = {each.arg: each.value for each in node.keywords if each.arg}
                chosen = [
                    each
                    for each in values.values()
                    if getattr(each, "value", None) in (..., "REFERENCE,CANDIDATE")
                ]
                if values and not chosen:
                    yield path, node.lineno, tuple(values)
