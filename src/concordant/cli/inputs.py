"""What the options of ``concordant compare`` mean: which files are read, in which shape."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from typing import Literal

from concordant.cli.files import Layout, Naming, Side, read_clusters, read_labels, read_records
from concordant.errors import ParameterError
from concordant.partition import NoiseAs

Format = Literal["table", "clusters"]

_EXAMPLES_SHOWN = 3


def read(
    reference: str,
    candidate: str | None,
    layout: Layout,
    *,
    format: Format = "table",
    columns: str | None = None,
    records: Sequence[str] = (),
    clusters: Sequence[str] = (),
) -> tuple[Side, Side]:
    """Both sides, from one file or from two."""
    if reference == candidate == "-":
        raise ParameterError("standard input (-) can be read only once; give the other side as a file")
    if format == "clusters":
        if candidate is None or columns is not None or records or clusters:
            raise ParameterError(
                "--format clusters reads two files and knows no columns: --columns, --record and --cluster "
                "do not go with it"
            )
        return read_clusters(reference, layout), read_clusters(candidate, layout)
    if candidate is None:
        if records or clusters:
            raise ParameterError("--record and --cluster join two files; with one file, use --columns")
        return read_labels(reference, _two_names(columns), layout)
    if columns is not None:
        raise ParameterError("--columns picks two columns of one file; with two, use --record and --cluster")
    names = zip(_by_side("record", records), _by_side("cluster", clusters), strict=True)
    u, v = (Naming(record, cluster) for record, cluster in names)
    return read_records(reference, u, layout), read_records(candidate, v, layout)


def check_noise(noise: str | None, noise_as: NoiseAs | None, format: Format) -> None:
    """Refuse noise that is half said."""
    if noise is not None and format == "clusters":
        raise ParameterError("--noise is a label, and --format clusters has none; leave such elements out")
    if noise is not None and noise_as is None:
        raise ParameterError(
            f"--noise {noise!r} needs --noise-as to say what it means: cluster, singletons or drop"
        )
    if noise is None and noise_as is not None:
        raise ParameterError(f"--noise-as {noise_as} needs --noise, the label that means noise")


def mismatch(u: Side, v: Side) -> str:
    """Why the two sides are not partitions of one set, and which options help."""
    if isinstance(u.elements, list) and isinstance(v.elements, list):
        return (
            f"different lengths: {u.origin}, has {len(u.elements):,} labels and {v.origin}, "
            f"{len(v.elements):,}; without a record id they are compared row by row. To join by record, give "
            "both files a column that names it"
        )
    if isinstance(u.elements, list) or isinstance(v.elements, list):
        named, bare = (v, u) if isinstance(u.elements, list) else (u, v)
        return f"{named.origin}, has records and {bare.origin}, has none; both files need them, or neither"
    alone = (
        ("reference", [element for element in u.elements if element not in v.elements]),
        ("candidate", [element for element in v.elements if element not in u.elements]),
    )
    parts = [f"{len(found):,} only in the {side} ({_some(found)})" for side, found in alone if found]
    return (
        f"the two files hold different elements: {' and '.join(parts)}; say --unmatched drop to leave "
        "them out, or --unmatched singletons to let each stand alone on the side that lacks it"
    )


def _some(elements: Sequence[str]) -> str:
    shown = ", ".join(map(repr, elements[:_EXAMPLES_SHOWN]))
    return f"{shown}, ..." if len(elements) > _EXAMPLES_SHOWN else shown


def _two_names(columns: str | None) -> list[str] | None:
    if columns is None:
        return None
    names = next(csv.reader(io.StringIO(columns, newline="")), [])
    if len(names) != 2:
        raise ParameterError(f"--columns {columns!r}: name two columns, for instance --columns truth,guess")
    return names


def _by_side(option: str, values: Sequence[str]) -> tuple[str | None, str | None]:
    """The reference's column and the candidate's; one without a side serves both."""
    sides: dict[str, str] = {}
    for value in values:
        side, equals, column = value.partition("=")
        if not (equals and side in ("reference", "candidate")):
            side, column = "", value
        if side in sides or not column:
            raise ParameterError(
                f"--{option} {value!r}: name one column for both files, or one for each: "
                f"--{option} reference=A --{option} candidate=B"
            )
        sides[side] = column
    return sides.get("reference", sides.get("")), sides.get("candidate", sides.get(""))
