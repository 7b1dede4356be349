"""The commands ``indices`` and ``explain``: the list of all indices, and the manual page of one."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from concordant.catalogue.index import INDICES, Index
from concordant.catalogue.parameters import Bound, wording
from concordant.catalogue.registry import plain_name, spelled_default
from concordant.cli import choosing, output
from concordant.cli.options import command
from concordant.comparisons import Comparison
from concordant.errors import ParameterError, UnknownIndexError, did_you_mean
from concordant.report import format_value
from concordant.report.terminal import interval_notes
from concordant.report.values import format_interval
from concordant.text_layout import cell_width, line_width
from concordant.trust.interval import Interval

if TYPE_CHECKING:
    from concordant.comparisons.soft import SoftComparison
    from concordant.hierarchies.tree_index import TreeIndex
    from concordant.soft.indices import SoftIndex

    Declared = Index | TreeIndex | SoftIndex

_SHORT_ALIAS = 6
_COLUMNS = (  # from the widest to the narrowest
    ("name", "also", "range", "direction", "symmetric", "metric", "title"),
    ("name", "also", "range", "direction", "symmetric", "metric"),
)
_LAWS = (("range", 13), ("direction", 10), ("symmetric", 9), ("metric", 6))  # columns, and their usual cells
_WEIGHTS = {
    "shares": "an element of weight 3 counts as three elements",
    "pairs": "a pair weighs the product of its elements' weights",
    "records": "an element keeps its weight where chance, or the largest value, is computed",
}

_DIRECTIONS = {
    "similarity": "a similarity: larger is more similar",
    "distance": "a distance: smaller is more similar",
    "statistic": "a statistic: neither end of its range means similarity",
}
_OF_STATISTICS = {
    "larger": "; for given cluster sizes, larger is more agreement",
    "smaller": "; for given cluster sizes, smaller is more agreement",
    None: "",
}
_CONTENT = {
    "clusters": "the clusters of the trees, not their heights",
    "levels": "the order of the levels, not their heights",
    "heights": "the heights of the trees",
    "drawing": "the order of the leaves in a drawing",
}


@command("indices")
def list_indices(
    *,
    family: Annotated[
        str | None, typer.Option(help="Only this family; the beginning of its name is enough.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="The whole declarations, as JSON.")] = False,
) -> None:
    """List every index: name, range, direction, and whether it is symmetric and a metric.

    \b
    Examples:
      concordant indices
      concordant indices --family 'pair counting'
      concordant indices --json
    """
    families = _families()
    if family is not None:
        wanted = family.casefold().replace("-", " ").replace("_", " ")
        plain = {name: name.casefold().replace("-", " ") for name in families}
        families = {name: families[name] for name, text in plain.items() if text.startswith(wanted)}
        if not families:
            raise ParameterError(f"there is no family {family!r}; there are {', '.join(map(repr, plain))}")
    if as_json:
        declared = [_as_data(each) for members in families.values() for each in members]
        output.write(_json_text(declared))
    else:
        output.show(_catalogue(families, output.width()))


@command("explain")
def explain_index(
    name: Annotated[str, typer.Argument(metavar="[NAME]", help="A name of ours, or another library's.")] = "",
    choose: Annotated[bool, typer.Option("--choose", help="Which index answers which question.")] = False,
    *,
    as_json: Annotated[bool, typer.Option("--json", help="The declaration or the advice as JSON.")] = False,
) -> None:
    """Explain an index: formula, meaning, when to use it, its laws, its names in other libraries.

    \b
    Examples:
      concordant explain adjusted_rand
      concordant explain ARI
      concordant explain getPrecision
      concordant explain adjusted_rand --json
      concordant explain --choose
    """
    if choose == bool(name):
        raise ParameterError("explain takes the name of an index, or --choose")
    if choose:
        sections = {title: [asdict(each) for each in some] for title, some in choosing.SECTIONS.items()}
        output.write(_json_text(sections) if as_json else choosing.advice())
        return
    elsewhere = INDICES.known_elsewhere(name)
    other = _other_index(name)
    if other is not None and name.partition("(")[0] not in INDICES:
        if as_json:
            output.write(_json_text(_as_data(other)))
        else:
            output.show(_page(other, *_origin_and_facts(other)), page=True)
        return
    if name.partition("(")[0] in INDICES or not elsewhere:
        _suggest_other_indices(name)
        meant = INDICES[INDICES[name].name.partition("(")[0]]
    elif len({index.name for _, index in elsewhere}) == 1:
        meant = elsewhere[0][1]
    elif as_json:
        known = [{"library": library, "index": index.name} for library, index in elsewhere]
        output.write(_json_text({"name": name, "known_as": known}))
        return
    else:
        table = _columns(3)
        for library, index in elsewhere:
            table.add_row(f"  in {library}", index.name, index.formula)
        more = Text("`concordant explain` with a name of the second column explains it.")
        output.show(Group(Text(f"{name} is not one index:", "bold"), table, more), page=True)
        return
    if as_json:
        output.write(_json_text(_as_data(meant)))
        return
    others = [(library, index) for library, index in elsewhere if index is not meant]
    output.show(_explanation(meant, others), page=True)


def chosen(
    comparison: Comparison | SoftComparison,
    indices: Mapping[str, Any],  # of the kind that the comparison has
    intervals: Mapping[str, Interval],
) -> RenderableType:
    """A few indices of a comparison, under the names they were asked for by, with their intervals."""
    table = _columns(5)
    table.columns[1].justify = "right"
    if levels := {each.level for each in intervals.values()}:
        table.add_row("", "value", f"{levels.pop() * 100:g}% interval", "range", "")
    for spelling, index in indices.items():
        note = "0/0 for these partitions" if index.is_undefined(comparison.counts) else ""
        if not comparison.counts.size:
            note = "a convention: nothing was compared (n=0)"
        words = format_interval(intervals[spelling]) if spelling in intervals else ""
        table.add_row(spelling, format_value(comparison[spelling]), words, index.range_text, note)
    notes = interval_notes(intervals.values())
    return Group(table, output.prose("\n".join(["", *notes]))) if notes else table


def worked_value(value: float) -> str:
    """The value of a worked example, also as a fraction if it is one."""
    if not math.isfinite(value):
        return format_value(value)
    ratio = Fraction(value).limit_denominator(1000)
    exact = float(ratio) == value and ratio.denominator > 1
    return f"{ratio} = {format_value(value)}" if exact else _number(value)


def _families() -> dict[str, Sequence[Declared]]:
    """All indices by family: of partitions, of whole trees and of soft partitions."""
    from concordant.hierarchies.tree_indices import TREE_INDICES, TREE_PARTITION_INDICES  # rarely needed
    from concordant.soft.indices import SOFT_INDICES

    return {
        **INDICES.families,
        "Trees": [*TREE_INDICES.values(), *TREE_PARTITION_INDICES.values()],
        "Soft partitions": list(SOFT_INDICES.values()),
    }


def _other_index(name: str) -> TreeIndex | SoftIndex | None:
    """The index of whole trees or of soft partitions that has this name, here or in another library."""
    plain = plain_name(name.partition("(")[0])
    others = [x for members in _families().values() for x in members if not isinstance(x, Index)]
    known = (x for x in others if plain in map(plain_name, getattr(x, "known_as", {}).values()))
    return next((x for x in others if x.name == plain), None) or next(known, None)


def _suggest_other_indices(name: str) -> None:
    """Refuse a name that is nearer to that of a tree or soft index than to all names of partition indices."""
    others = [x.name for members in _families().values() for x in members if not isinstance(x, Index)]
    near = did_you_mean(name, [*INDICES, *others])
    if name not in INDICES and near and near == did_you_mean(name, others):
        raise UnknownIndexError(f"there is no index {name!r}{near}")


def _catalogue(families: Mapping[str, Sequence[Declared]], width: int) -> RenderableType:
    """All indices of these families, one per line; without titles or aliases if these do not fit."""
    rows = {
        index.name: {
            "name": f"  {index.name}",
            "also": ", ".join(x for x in getattr(index, "aliases", ()) if len(x) <= _SHORT_ALIAS),
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
    """The same in few columns. What is known of an index with a long name follows on the next line."""
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


def _explanation(index: Index, others: Sequence[tuple[str, Index]]) -> RenderableType:
    """The manual page of one index; ``others`` are those that some library calls by the same name."""
    parts: list[RenderableType] = [_page(index, f"of the family {index.family!r}", _facts(index))]

    def section(title: str, table: Table) -> None:
        parts.extend([Text(f"\n{title}", "bold"), Padding(table, (0, 0, 0, 2))])

    libraries = dict.fromkeys([*index.known_as, *index.remarks])
    if libraries:
        names_and_remarks = (
            (library, "; ".join(filter(None, (index.known_as.get(library), index.remarks.get(library)))))
            for library in libraries
        )
        section("Elsewhere", _pairs(names_and_remarks))
    if index.worked:
        table = _columns(3)
        for u, v, value in index.worked:
            table.add_row(f"U = {u}", f"V = {v}", worked_value(value))
        section("Worked examples, one label per character", table)
    if others:
        rows = ((f"in {library}", f"it is {other.name} = {other.formula}") for library, other in others)
        section("The same name means something else", _pairs(rows))
    return Group(*parts)


def _page(index: Declared, family: str, facts: Mapping[str, str]) -> RenderableType:
    """Name, formula, meaning and properties of an index."""
    blocks = (
        Text(index.formula, "cyan"),
        Text(f"{index.summary} {index.advice}".strip()),
        _pairs((name, text) for name, text in facts.items() if text),
    )
    title = Text.assemble((index.name, "bold"), f": {index.title}, {family}")
    return Group(title, *(Padding(block, (1, 0, 0, 2)) for block in blocks))


def undefined_text(index: Index) -> str:
    """The value where the formula is 0/0; empty if that cannot happen."""
    if index.undefined is None:
        return ""
    if index.mean_of:
        parts = ", ".join(part.name for part in index.mean_of)
        return f"the mean of its parts' conventions where one of {parts} is 0/0"
    value, worst = (f"{float(each):g}" for each in (index.undefined, index.worst(0)))
    apart = f", but {worst} if the sides have no element in common"
    return f"{value} where the formula is 0/0" + (apart if index.partial_overlap and worst != value else "")


def weights_text(index: Index) -> str:
    """How elements with different weights count, and the unit of the value; or why they are refused."""
    if index.weight_class is None:
        return f"refused: {index.no_weights}" if index.no_weights else "refused"
    units = {
        0: "",
        1 / 2: ", the value is in √weight",
        1: ", the value is in weight",
        2: ", the value is in weight²",
    }
    plugged = ", also in the mean by chance, which is a convention"
    by_convention = index.adjusted and index.weight_class == "pairs"
    of_time = f"; segments of time are refused: {index.no_limit}" if index.no_limit else ""
    return _WEIGHTS[index.weight_class] + units[index.degree] + (plugged if by_convention else "") + of_time


def _facts(index: Index) -> dict[str, str]:
    """The properties of an index, in words; those that it does not have are empty."""
    metric = ""
    if index.metric and index.perfect != 0:
        metric = f": {_number(index.perfect or 0)} − value obeys the triangle inequality"
    swapped = f"gives {index.mirror}" if index.mirror else "another value, which has no name"
    if index.symmetric:
        swapped = "the same value: symmetric" + index.exception("mirror")
    adjusted = "no"
    if index.adjusted:
        mean = "the mean over all permutations of the elements is 0, unless the formula is 0/0"
        adjusted = f"yes: {mean}{index.exception('adjusted')}"
    parameters = (
        f"{each.name}={spelled_default(each.default)}" + (f", {words}" if words else "")
        for each in index.parameters.values()
        for words in [wording(each.annotation)]
    )
    within_sizes = _OF_STATISTICS[index.agreement] if index.direction == "statistic" else ""
    return {
        "range": f"{index.range_text}, {_DIRECTIONS[index.direction]}{within_sizes}",
        "identical": "no common value" if index.perfect is None else f"score {_number(index.perfect)}",
        "0/0": undefined_text(index),
        "swapped": swapped,
        "metric": f"yes{metric}" if index.metric else "no",
        "adjusted": adjusted,
        "weights": weights_text(index) if index.sides != "covers" else "",
        "parameters": "; ".join(parameters),
        "aliases": ", ".join(index.aliases),
        "reference": index.cite,
    }


def tree_facts(index: TreeIndex) -> dict[str, str]:
    """The properties of an index of whole trees, in words; those that it does not have are left out."""
    identical = "no common value"
    if index.perfect is not None:
        identical = f"score {_number(index.perfect)}" + (", and only these" if index.unique else "")
    if index.against == "partition":
        identical = f"score {_number(index.perfect or 0)} if every cluster of the partition is a node"
    of_pairs = index.against == "tree"
    found = {
        "range": f"{index.range_text}, {index.agreement} is more similar",
        "identical": identical,
        "depends on": _CONTENT[index.content],
        "swapped": ("the same value" if index.symmetric else f"gives {index.mirror}") if of_pairs else "",
        "metric": f"yes{'' if index.perfect == 0 else ': 1 − value obeys the triangle inequality'}"
        if index.metric
        else "",
        "adjusted": "the mean over all permutations of the elements is 0" if index.adjusted else "",
        "parameters": "; ".join(
            f"{each.name}={spelled_default(each.default)}, {wording(each.annotation)}"
            for each in index.parameters.values()
        ),
        "elsewhere": "; ".join(f"{library} {known}" for library, known in index.known_as.items()),
        "worked": "; ".join(f"U = {u}, V = {v}: {worked_value(value)}" for u, v, value in index.worked),
        "reference": index.cite,
    }
    return {name: text for name, text in found.items() if text}


def soft_facts(index: SoftIndex) -> dict[str, str]:
    """The properties of an index of soft partitions, in words; those that it does not have are left out."""
    found = {
        "range": f"{index.range_text}, {_DIRECTIONS[index.direction]}",
        "identical": f"score {_number(index.perfect)}",
        "0/0": f"{index.undefined:g} where the formula is 0/0, unless the sides are equal",
        "hard": f"equals {index.equals} on hard partitions",
        "blind": f"takes for equal: {index.blind}" if index.blind else "",
        "metric": "yes: 1 − value obeys the triangle inequality" if index.metric else "no",
        "adjusted": "the mean over all permutations of the records is 0" if index.adjusted else "",
        "draws": "also for draws" if index.draws else "",
        "cost": "one pass over the records" if index.one_pass else "looks at all pairs",
        "reference": index.cite,
    }
    return {name: text for name, text in found.items() if text}


def _origin_and_facts(index: TreeIndex | SoftIndex) -> tuple[str, dict[str, str]]:
    from concordant.hierarchies.tree_index import TreeIndex  # rarely needed

    if isinstance(index, TreeIndex):
        return "of whole trees", tree_facts(index)
    return "of soft partitions", soft_facts(index)


def _json_text(content: Any) -> str:
    return json.dumps(content, indent=2, ensure_ascii=False) + "\n"


def _as_data(index: Declared) -> dict[str, Any]:
    """The declaration of an index, ready for JSON."""
    plain: tuple[str, ...] = ("name", "title", "formula", "summary", "advice")
    if not isinstance(index, Index):
        origin, facts = _origin_and_facts(index)
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


def _number(value: float) -> str:
    return f"{value:g}" if float(value).is_integer() else format_value(float(value))


def _finite_or_text(value: Any) -> Any:
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value


def _columns(count: int) -> Table:
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    for _ in range(count):
        table.add_column()
    return table


def _pairs(rows: Iterable[tuple[str, str]]) -> Table:
    """Names with a text beside each; below it if the narrow column would cut a word."""
    pairs = list(rows)
    room = min(output.width(), output.PAGE_WIDTH) - max(cell_width(name) for name, _ in pairs) - 6
    if max((cell_width(word) for _, text in pairs for word in text.split()), default=0) > room:
        table = _columns(1)
        for name, text in pairs:
            table.add_row(Text(name, "dim"))
            table.add_row(Padding(text, (0, 0, 0, 2)))
        return table
    table = _columns(2)
    table.columns[0].no_wrap = True
    for name, text in pairs:
        table.add_row(Text(name, "dim"), text)
    return table
