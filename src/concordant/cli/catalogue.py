"""The commands ``indices``, ``explain`` and ``cite``: all indices, the manual page of one, and its papers."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Annotated, Any

import typer
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from concordant.cli import advice, output
from concordant.cli.options import command
from concordant.errors import ParameterError
from concordant.foundation import results
from concordant.foundation.text_layout import cell_width, line_width
from concordant.indices.index import Index
from concordant.indices.parameters import Bound
from concordant.report import cite
from concordant.report.explanation import Explanation, all_families, explain, meaning, origin_and_facts

_SHORT_ALIAS = 6
_COLUMNS = (  # from the widest to the narrowest
    ("name", "also", "range", "direction", "symmetric", "metric", "title"),
    ("name", "also", "range", "direction", "symmetric", "metric"),
)
_LAWS = (("range", 13), ("direction", 10), ("symmetric", 9), ("metric", 6))  # columns, and their usual cells


@command("indices")
def list_indices(
    *,
    family: Annotated[
        str | None, typer.Option(help="Only this family; the beginning of its name is enough.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="The full declarations, as JSON.")] = False,
) -> None:
    """List every index: name, range, direction, and whether it is symmetric and a metric.

    \b
    Examples:
      concordant indices
      concordant indices --family 'pair counting'
      concordant indices --json
    """
    families = all_families()
    if family is not None:
        wanted = family.casefold().replace("-", " ").replace("_", " ")
        plain = {name: name.casefold().replace("-", " ") for name in families}
        families = {name: families[name] for name, text in plain.items() if text.startswith(wanted)}
        if not families:
            raise ParameterError(f"there is no family {family!r}; there are {', '.join(map(repr, plain))}")
    if as_json:
        declared = [_as_data(each) for members in families.values() for each in members]
        output.write(_json_text("indices", f"Indices of concordant: {', '.join(families)}", declared))
    else:
        output.show(_catalogue(families, output.width()))


@command("explain", explain)
def explain_index(
    index: Annotated[
        str, typer.Argument(metavar="INDEX", help="An index name, in concordant or in another library.")
    ] = "",
    choose: Annotated[bool, typer.Option("--choose", help="Which index answers which question.")] = False,
    *,
    as_json: Annotated[bool, typer.Option("--json", help="The explanation or the advice as JSON.")] = False,
) -> None:
    """Explain an index: formula, meaning, when to use it, its properties, its names in other libraries.

    \b
    Examples:
      concordant explain adjusted_rand
      concordant explain ARI
      concordant explain getPrecision
      concordant explain adjusted_rand --json
      concordant explain --choose
    """
    if choose == bool(index):
        raise ParameterError("explain takes the name of an index, or --choose")
    if choose:
        sections = {title: [asdict(each) for each in some] for title, some in advice.SECTIONS.items()}
        headline = "Which index answers which question"
        output.write(_json_text("advice", headline, sections) if as_json else advice.advice())
        return
    found = explain(index)
    if as_json:
        output.write(f"{found.to_json()}\n")
    else:
        output.show(_manual_page(found), page=True)


@command("cite", cite)
def cite_indices(
    indices: Annotated[
        list[str] | None,
        typer.Argument(metavar="INDEX", help="An index name, in concordant or in another library."),
    ] = None,
    *,
    as_json: Annotated[bool, typer.Option("--json", help="The entries by their keys, as JSON.")] = False,
) -> None:
    """Print BibTeX entries for the papers behind indices, and for concordant.

    \b
    Examples:
      concordant cite adjusted_rand bcubed_f
      concordant cite
    """
    text = cite(indices or ())
    entries = {entry.partition("{")[2].partition(",")[0]: entry for entry in text.split("\n\n")}
    output.write(_json_text("citations", "BibTeX entries", entries) if as_json else f"{text}\n")


def _catalogue(families: Mapping[str, Sequence[Index]], width: int) -> RenderableType:
    """All indices of these families, one per line; without titles or aliases if these do not fit."""
    rows = {
        index.name: {
            "name": f"  {index.name}",
            "also": ", ".join(x for x in index.aliases if len(x) <= _SHORT_ALIAS),
            "range": index.range_text,
            "direction": index.direction,
            "symmetric": "yes" if index.symmetric else "no",
            "metric": "yes" if index.metric else "no",
            "title": index.title,
        }
        for members in families.values()
        for index in members
    }
    widths = {name: max(len(name), *(len(row[name]) for row in rows.values())) + 2 for name in _COLUMNS[0]}
    fitting = (names for names in _COLUMNS if sum(widths[name] for name in names) - 2 <= width)
    shown = next(fitting, None)
    if shown is None:
        return _narrow_catalogue(
            {family: [rows[each.name] for each in members] for family, members in families.items()}
        )
    table = Table(*shown, box=None, pad_edge=False)
    for family, members in families.items():
        table.add_row()
        table.add_row(Text(family, "bold"))
        for index in members:
            table.add_row(*(rows[index.name][name] for name in shown))
    for column in table.columns:
        column.no_wrap = True
    return table


def _narrow_catalogue(families: Mapping[str, Sequence[Mapping[str, str]]]) -> Text:
    """The same in few columns. The facts about an index with a long name follow on the next line."""
    room = line_width() - sum(cells + 2 for _, cells in _LAWS)

    def line(row: Mapping[str, str]) -> str:
        laws = "  ".join(row[column] + " " * (cells - cell_width(row[column])) for column, cells in _LAWS)
        beside = line_width() - cell_width(laws)
        fits = cell_width(row["name"]) + 2 <= beside
        return row["name"].ljust(beside) + laws if fits else f"{row['name']}\n{' ' * beside}{laws}"

    text = Text("name".ljust(room + 2) + "  ".join(column.ljust(cells) for column, cells in _LAWS))
    for family, members in families.items():
        text.append(f"\n\n{family}\n", "bold").append("\n".join(map(line, members)))
    return text


def _manual_page(found: Explanation) -> RenderableType:
    """The text that ``explain`` returns, with colours."""
    if not found.sections and found.index is None:  # a term of another field
        return Text(found.title)
    if found.index is None:
        table = output.columns(3)
        for row in found.sections[""]:
            table.add_row(f"  {row[0]}", *row[1:])
        more = Text("To explain an index, run `concordant explain` with a name from the second column.")
        return Group(Text(found.title, "bold"), table, more)
    blocks = (Text(found.index.formula, "cyan"), Text(meaning(found.index)), _pairs(found.facts.items()))
    name, _, rest = found.title.partition(":")
    parts: list[RenderableType] = [Text.assemble((name, "bold"), f":{rest}")]
    parts += [Padding(block, (1, 0, 0, 2)) for block in blocks]
    for title, rows in found.sections.items():
        if len(rows[0]) == 2:
            table = _pairs((first, last) for first, last in rows)
        else:
            table = output.columns(len(rows[0]))
            for row in rows:
                table.add_row(*row)
        parts += [Text(f"\n{title}", "bold"), Padding(table, (0, 0, 0, 2))]
    return Group(*parts)


def _json_text(name: str, headline: str, content: Any) -> str:
    return results.json_document(name, {"headline": headline}, content) + "\n"


def _as_data(index: Index) -> dict[str, Any]:
    """The declaration of an index, ready for JSON."""
    plain: tuple[str, ...] = ("name", "title", "formula", "summary", "advice")
    if not index.is_of_partitions:
        origin, facts = origin_and_facts(index)
        return {field: getattr(index, field) for field in plain} | {"family": origin} | facts
    plain = (*plain[:2], "family", *plain[2:])
    flags = ("symmetric", "mirror", "metric", "adjusted")
    return {
        **{field: getattr(index, field) for field in plain},
        "range": [end.text if isinstance(end, Bound) else _finite_or_text(end) for end in index.range],
        "direction": index.direction,
        "agreement": index.agreement,
        "perfect": index.perfect,
        "undefined": None if index.undefined is None else _finite_or_text(index.undefined),
        "weights": index.weight_class,
        **{field: getattr(index, field) for field in flags},
        "unless": {claim: unless.text for claim, unless in index.unless.items()},
        "parameters": {name: _finite_or_text(p.default) for name, p in index.parameters.items()},
        "aliases": list(index.aliases),
        "known_as": dict(index.known_as),
        "remarks": dict(index.remarks),
        "cite": index.cite,
        "worked": [list(example) for example in index.worked],
    }


def _finite_or_text(value: Any) -> Any:
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value


def _pairs(rows: Iterable[tuple[str, str]]) -> Table:
    """Names with a text beside each; below it if the narrow column would cut a word."""
    pairs = list(rows)
    room = min(output.width(), output.PAGE_WIDTH) - max(cell_width(name) for name, _ in pairs) - 6
    if max((cell_width(word) for _, text in pairs for word in text.split()), default=0) > room:
        table = output.columns(1)
        for name, text in pairs:
            table.add_row(Text(name, "dim"))
            table.add_row(Padding(text, (0, 0, 0, 2)))
        return table
    table = output.columns(2)
    table.columns[0].no_wrap = True
    for name, text in pairs:
        table.add_row(Text(name, "dim"), text)
    return table
