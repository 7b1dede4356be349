"""What the commands show: the chosen indices, the catalogue, and the manual page of one index."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from inspect import Parameter
from typing import Any

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from concordant.catalogue.index import Index
from concordant.catalogue.parameters import Bound, wording
from concordant.catalogue.spelling import spelled_default
from concordant.comparison import Comparison
from concordant.counts.spelling import printable, shortened
from concordant.differences.suggestions import Suggestion, Suggestions
from concordant.many.all_against_all import Matrices
from concordant.many.coreference import Coreference
from concordant.many.matrix import Matrix
from concordant.report import format_value

_RANKED = 5  # partitions that are named, the nearest first
_SHORT_ALIAS = 6
_CATALOGUE = (  # from the widest to the narrowest
    ("name", "also", "range", "direction", "symmetric", "metric", "title"),
    ("name", "also", "range", "direction", "symmetric", "metric"),
    ("name", "range", "direction", "symmetric", "metric"),
)
_DIRECTIONS = {
    "similarity": "a similarity: larger is more alike",
    "distance": "a distance: smaller is more alike",
    "statistic": "a statistic: no end of its range stands for likeness",
}


def chosen(comparison: Comparison, indices: Mapping[str, Index]) -> RenderableType:
    """A few indices of a comparison, under the names they were asked for by."""
    table = _columns(4)
    table.columns[1].justify = "right"
    for spelling, index in indices.items():
        note = "0/0 for these partitions" if index.is_undefined(comparison.counts) else ""
        if not comparison.counts.size:
            note = "a convention: nothing was compared (n=0)"
        table.add_row(spelling, format_value(comparison[spelling]), index.range_text, note)
    return table


def coreference(result: Coreference, *, documents: bool, as_json: bool) -> str:
    """The scores of all documents, and of each where that is asked for."""
    each = {str(name): score for name, score in _scored(result)} if documents else {}
    if as_json:
        scores = {name: None if score is None else score.to_dict() for name, score in each.items()}
        return (
            json.dumps({**result.to_dict(), **({"documents": scores} if documents else {})}, indent=2) + "\n"
        )
    lines = [str(result)]
    if documents:
        width = max(map(len, each))
        lines += ["", f"{'document':<{width}}   CoNLL"]
        lines += [
            f"{name:<{width}}  {'—' if score is None else format(100 * score.conll, '.2f'):>6}"
            for name, score in each.items()
        ]
    return "\n".join(lines) + "\n"


def _measured(suggestion: Suggestion) -> dict[str, Any]:
    return {
        "reference": suggestion.reference,
        "records": suggestion.records,
        "value": suggestion.value,
        "gain": suggestion.gain,
    }


def _scored(result: Coreference) -> Iterable[tuple[Any, Coreference | None]]:
    """Each document with its scores; None where it has no mention on either side."""
    for name in result.documents:
        yield name, result.documents.get(name)


def suggested(suggestions: Suggestions, steps: int, *, as_json: bool) -> str:
    """The edits that help most, or as many as were asked for, each made before the next is looked for."""
    made: list[Suggestion] = []
    start, by = suggestions.value, suggestions.by
    while len(made) < steps and len(suggestions):
        made.append(suggestions[0])
        suggestions = suggestions.apply()
    listed = made if steps else list(suggestions)
    if as_json:
        edits = [{"kind": each.kind, **each.arguments, **_measured(each)} for each in listed]
        return json.dumps({"index": by, "value": start, "edits": edits}, indent=2, default=str) + "\n"
    if not steps:
        return f"{suggestions}\n"
    lines = [f"{by} {start:.4f}", *(f"  {each}" for each in made), f"{by} {suggestions.value:.4f}"]
    return "\n".join(lines) + "\n"


def many(matrices: Matrices) -> RenderableType:
    """Each matrix, and the partition that is most like all the others by it."""
    parts = [part for each in matrices.values() for part in (Text(""), _matrix(each))]
    return Group(*parts[1:])  # a blank line between two


def _matrix(matrix: Matrix) -> Text:
    text = Text(str(matrix))
    text.highlight_regex(r"\A.*", "bold")
    if matrix.reference is not None and matrix.index.direction != "statistic":
        ranked = ", ".join(shortened(printable(name)) for name in list(matrix.ranking())[:_RANKED])
        text.append(f"\n\nnearest to {shortened(printable(matrix.reference))}: {ranked}")
    elif matrix.index.direction != "statistic":
        text.append(f"\n\nmost like all the others: {shortened(printable(matrix.medoid()))}")
    return text


def catalogue(families: Mapping[str, Sequence[Index]], width: int) -> RenderableType:
    """All indices of these families, one a line; on a narrow screen without their titles or aliases."""
    rows = {index.name: _catalogue_row(index) for members in families.values() for index in members}
    fitting = (names for names in _CATALOGUE if _natural_width(rows.values(), names) <= width)
    shown = next(fitting, _CATALOGUE[-1])
    table = Table(*shown, box=None, pad_edge=False)
    for family, members in families.items():
        table.add_row()
        table.add_row(Text(family, "bold"))
        for index in members:
            table.add_row(*(rows[index.name][name] for name in shown))
    for column in table.columns:
        column.no_wrap = True
    return table


def explanation(index: Index, others: Sequence[tuple[str, Index]] = ()) -> RenderableType:
    """The manual page of one index; ``others`` are those that some library calls by the same name."""
    parts: list[RenderableType] = [
        Text.assemble((index.name, "bold"), f": {index.title}, of the family {index.family!r}"),
        _block(Text(index.formula, "cyan")),
        _block(Text(f"{index.summary} {index.advice}".strip())),
        _block(_facts(index)),
    ]
    elsewhere = {
        **index.known_as,
        **{library: "" for library in index.remarks if library not in index.known_as},
    }
    if elsewhere:
        rows = ((library, _and(names, index.remarks.get(library))) for library, names in elsewhere.items())
        parts += [Text("\nElsewhere", "bold"), Padding(_pairs(rows), (0, 0, 0, 2))]
    if index.worked:
        table = _columns(3)
        for u, v, value in index.worked:
            table.add_row(f"U = {u}", f"V = {v}", worked_value(value))
        parts += [Text("\nWorked examples, one label a character", "bold"), Padding(table, (0, 0, 0, 2))]
    if others:
        rows = ((f"in {library}", f"it is {other.name} = {other.formula}") for library, other in others)
        parts += [Text("\nThe same name means something else", "bold"), Padding(_pairs(rows), (0, 0, 0, 2))]
    return Group(*parts)


def meanings(name: str, found: Sequence[tuple[str, Index]]) -> RenderableType:
    """What a name means in which library, when it means several things."""
    table = _columns(3)
    for library, index in found:
        table.add_row(f"  in {library}", index.name, index.formula)
    head = Text(f"{name} is not one index:", "bold")
    return Group(head, table, Text("`concordant explain` with a name of the second column tells more."))


def as_data(index: Index) -> dict[str, Any]:
    """All that is declared of an index, ready for JSON."""
    return {
        "name": index.name,
        "title": index.title,
        "family": index.family,
        "formula": index.formula,
        "summary": index.summary,
        "advice": index.advice,
        "range": [_bound_data(end) for end in index.range],
        "direction": index.direction,
        "perfect": index.perfect,
        "undefined": None if index.undefined is None else _finite_or_text(index.undefined),
        "symmetric": index.symmetric,
        "mirror": index.mirror,
        "metric": index.metric,
        "adjusted": index.adjusted,
        "unless": {claim: unless.text for claim, unless in index.unless.items()},
        "parameters": {name: _finite_or_text(p.default) for name, p in index.parameters.items()},
        "aliases": list(index.aliases),
        "known_as": dict(index.known_as),
        "remarks": dict(index.remarks),
        "cite": index.cite,
        "worked": [list(example) for example in index.worked],
    }


# -- the lines of the catalogue -----------------------------------------------------------------------


def _catalogue_row(index: Index) -> dict[str, str]:
    return {
        "name": f"  {index.name}",
        "also": ", ".join(alias for alias in index.aliases if len(alias) <= _SHORT_ALIAS),
        "range": index.range_text,
        "direction": index.direction,
        "symmetric": "yes" if index.symmetric else "no",
        "metric": "yes" if index.metric else "no",
        "title": index.title,
    }


def _natural_width(rows: Iterable[Mapping[str, str]], names: Sequence[str]) -> int:
    header = {name: name for name in names}
    return sum(max(len(row[name]) for row in [header, *rows]) + 2 for name in names) - 2


# -- the facts of a manual page -----------------------------------------------------------------------


def _facts(index: Index) -> RenderableType:
    facts = {
        "range": f"{index.range_text}, {_DIRECTIONS[index.direction]}",
        "identical": "no common value" if index.perfect is None else f"score {_number(index.perfect)}",
        "0/0": _undefined_text(index),
        "swapped": _mirror_text(index),
        "metric": _metric_text(index),
        "adjusted": _adjusted_text(index),
        "parameters": "; ".join(_parameter_text(p) for p in index.parameters.values()),
        "aliases": ", ".join(index.aliases),
        "reference": index.cite,
    }
    return _pairs((name, text) for name, text in facts.items() if text)


def _undefined_text(index: Index) -> str:
    if index.undefined is None:
        return ""
    value = "no value (nan)" if math.isnan(index.undefined) else f"{_number(index.undefined)} by convention"
    return f"{value}, where the formula divides zero by zero and the partitions differ"


def _mirror_text(index: Index) -> str:
    if index.symmetric:
        return "the same value: symmetric" + index.exception("mirror")
    return f"gives {index.mirror}" if index.mirror else "another value, which has no name"


def _metric_text(index: Index) -> str:
    if not index.metric:
        return "no"
    return (
        "yes"
        if index.perfect == 0
        else f"yes: {_number(index.perfect or 0)} − value obeys the triangle inequality"
    )


def _adjusted_text(index: Index) -> str:
    if not index.adjusted:
        return "no"
    return "yes: the mean over all relabellings of the elements is 0" + index.exception("adjusted")


def _parameter_text(parameter: Parameter) -> str:
    words = wording(parameter.annotation)
    return f"{parameter.name}={spelled_default(parameter.default)}" + (f", {words}" if words else "")


def worked_value(value: float) -> str:
    """The value of a worked example, as a fraction too where it is one."""
    if not math.isfinite(value):
        return format_value(value)
    ratio = Fraction(value).limit_denominator(1000)
    exact = float(ratio) == value and ratio.denominator > 1
    return f"{ratio} = {format_value(value)}" if exact else _number(value)


def _number(value: float) -> str:
    return f"{value:g}" if float(value).is_integer() else format_value(float(value))


def _bound_data(end: float | Bound) -> float | str:
    return end.text if isinstance(end, Bound) else _finite_or_text(end)


def _finite_or_text(value: Any) -> Any:
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value


# -- layout -----------------------------------------------------------------------------------------


def _columns(count: int) -> Table:
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    for _ in range(count):
        table.add_column()
    return table


def _pairs(rows: Iterable[tuple[str, str]]) -> Table:
    table = _columns(2)
    table.columns[0].no_wrap = True
    for name, text in rows:
        table.add_row(Text(name, "dim"), text)
    return table


def _block(content: RenderableType) -> Padding:
    return Padding(content, (1, 0, 0, 2))


def _and(names: str, remark: str | None) -> str:
    return "; ".join(part for part in (names, remark) if part)
