"""How sure the values are, as ``concordant compare`` says it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from typing import Any

from concordant.catalogue.index import INDICES, Index
from concordant.cli import inputs, text
from concordant.cli.sources import ScannedPartition
from concordant.cli.text import Layout
from concordant.comparison import Comparison
from concordant.errors import ParameterError
from concordant.trust.estimate import Estimates
from concordant.trust.finding import Finding
from concordant.trust.interval import Interval
from concordant.trust.leave_one_out import can_leave_out

Findings = Mapping[str, Mapping[str, Finding]]  # by question, then by index


def asked(
    result: Comparison, chosen: Mapping[str, Index], *, significance: bool, interval: bool, unit: Any
) -> Findings:
    """What was asked for: of the chosen indices, or of those of the first lines that need no draws."""
    if not interval and unit != "record":
        raise ParameterError("--unit goes with --interval: units are what intervals leave out")
    found: dict[str, dict[str, Finding]] = {}
    if significance:
        names = chosen or _names(index for index in INDICES.headline if index.shares == "n11")
        found["significance"] = {name: result.significance(name) for name in names}
    if interval:
        names = chosen or _names(index for index in INDICES.headline if can_leave_out(index))
        found["interval"] = {name: result.interval(name, unit=unit) for name in names}
    return found


def _names(indices: Iterable[Index]) -> list[str]:
    return [index.name for index in indices]


def intervals(findings: Findings) -> list[Interval]:
    """Those that were asked for, to be drawn on a page."""
    return [each for each in findings.get("interval", {}).values() if isinstance(each, Interval)]


def as_text(findings: Findings) -> str:
    """A sentence for each."""
    blocks = [
        "\n".join([question, *(f"  {each!r}" for each in found.values())])
        for question, found in findings.items()
    ]
    return "".join(f"\n{block}\n" for block in blocks)


def as_json(document: str, findings: Findings) -> str:
    """The comparison's own document, and every field of what was asked for."""
    whole = json.loads(document)
    for question, found in findings.items():
        whole[question] = {name: each.to_dict() for name, each in found.items()}
    return json.dumps(whole, indent=2, ensure_ascii=False)


def units(
    column: str | None,
    files: tuple[str, str | None],
    selection: inputs.Selection,
    layout: Layout,
    side: Any,
) -> Any:
    """The unit of each record, from a column of the reference, or its name where an engine reads it.

    "record" where none is named.
    """
    if column is None:
        return "record"
    if isinstance(side, ScannedPartition) and side.elements.record is not None:  # its engine reads the column
        if column in ("record", "block"):
            raise ParameterError(
                "this name means what was drawn; call the column of units another", given={"unit": column}
            )
        return column
    return _of_records("unit", column, files, selection=selection, layout=layout, side=side)


def weights(
    column: str,
    files: tuple[str, str | None],
    selection: inputs.Selection,
    layout: Layout,
    side: Any,
) -> dict[str, Any]:
    """The weight of each record, from a column of the reference, as ``compare`` takes it."""
    spelled = _of_records("weight", column, files, selection=selection, layout=layout, side=side)
    if isinstance(spelled, dict):
        return {"weights": {record: _decimal(each, record) for record, each in spelled.items()}}
    return {"weights": [_decimal(each, row) for row, each in enumerate(spelled)]}


def _of_records(
    option: str,
    column: str,
    files: tuple[str, str | None],
    *,
    selection: inputs.Selection,
    layout: Layout,
    side: Any,
) -> Any:
    """What a column of the reference says of each record: by name, or in order."""
    if not isinstance(side, text.LoadedPartition) or selection.format == "clusters" or files[0] == "-":
        raise ParameterError(
            f"{option}s are read from a text file with a column for them, which no engine reads and which is "
            "not standard input",
            given={option: column},
        )
    return inputs.read_units(column, files, selection, layout).elements


def _decimal(spelled: Any, record: Any) -> Decimal:
    try:
        return Decimal(str(spelled))
    except InvalidOperation:
        raise ParameterError(
            f"the record {record!r} has {spelled!r}, which is not a number", given={"weight": ...}
        ) from None


def of_clusters(
    option: str,
    column: str,
    files: tuple[str, str],
    *,
    selection: inputs.Selection,
    layout: Layout,
    sample: Any,
) -> dict[Any, Any]:
    """A number for each labelled cluster, from a column of the sample that has it in each of its rows."""
    if not isinstance(sample, text.LoadedPartition) or files[0] == "-":
        raise ParameterError(
            "such a column is read from a text file, which no engine reads and which is not standard input",
            given={option: column},
        )
    spelled = inputs.read_units(column, files, selection, layout).elements
    if not isinstance(spelled, dict) or not isinstance(sample.elements, dict):
        raise ParameterError("the sample does not name its records", given={option: column})
    found: dict[Any, float] = {}
    for record, cluster in sample.elements.items():
        number = _number(spelled[record], option, record)
        if found.setdefault(cluster, number) != number:
            raise ParameterError(
                f"the cluster {cluster!r} has {found[cluster]:g} and {number:g}; all its records have one",
                given={option: column},
            )
    return found


def _number(spelled: Any, option: str, record: Any) -> float:
    try:
        number = float(spelled)
    except ValueError:
        raise ParameterError(
            f"the record {record!r} has {spelled!r}, which is not a number", given={option: ...}
        ) from None
    return int(number) if number.is_integer() else number


def estimates(found: Estimates, names: Sequence[str], *, as_json: bool) -> str:
    """All estimates as a table, or a sentence for each that was asked for; or every field of them."""
    if as_json:
        document = found.to_dict()
        if names:
            document["estimates"] = {name: found[name].to_dict() for name in names}
        return json.dumps(document, indent=2, ensure_ascii=False) + "\n"
    return "".join(f"{found[name]!r}\n" for name in names) if names else f"{found}\n"


def systems(spelled: Sequence[str]) -> dict[str, str]:
    """The files of the systems by their names."""
    found: dict[str, str] = {}
    for each in spelled:
        name, equals, file = each.partition("=")
        if not (name and equals and file):
            raise ParameterError("write it like --system new=run.csv", given={"system": each})
        if name in found:
            raise ParameterError(f"there are two systems called {name!r}", given={"system": each})
        found[name] = file
    if len(found) < 2:
        raise ParameterError("name two systems or more: --system old=a.csv --system new=b.csv")
    return found
