"""Write the pages that follow from the code: `python scripts/make_docs.py`.

docs/migration.md     what other libraries call our indices, from known_as and remarks
docs/indices.md       every index by name; docs/indices/ has a page for each family, and one for trees
docs/choosing.md      the part between its two marks, from concordant.cli.choosing
docs/api.md           the options of compare() by type of input, from tests/options_by_input.py
docs/architecture.md  the picture between its two marks, from the contract of import-linter
"""

from __future__ import annotations

import re
import runpy
import sys
import tomllib
from collections.abc import Iterable
from inspect import Parameter
from pathlib import Path

from concordant import INDICES
from concordant.catalogue.index import Index
from concordant.catalogue.parameters import wording
from concordant.catalogue.registry import separate_names, spelled_default
from concordant.cli import choosing
from concordant.cli.catalogue import tree_facts, undefined_text, weights_text, worked_value
from concordant.counts.availability import Need
from concordant.hierarchies.tree_index import TreeIndex
from concordant.hierarchies.tree_indices import TREE_INDICES, TREE_PARTITION_INDICES
from concordant.soft.indices import SOFT_INDICES

sys.path.insert(0, str(Path(__file__).parent))
from peers import STATEMENTS, VERSIONS

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"

# Peers that have a page of their own.
PAGES = {
    "scikit-learn": "migration-scikit-learn.md",
    "permetrics": "migration-permetrics.md",
    "Set::Partitions::Similarity": "migration-perl.md",
}

MIGRATION = """\
Find the name you know, and use ours. `concordant explain NAME` takes any name of these tables.
The reference comes first here; where a library puts it second, precision and recall change places.
A remark says where the other library is wrong or means another variant. This page is written by
`scripts/make_docs.py` from the declarations of the indices."""

CATALOGUE = """\
All {} of them, by family. A family's page has each one's formula, laws, worked examples, names in other
libraries, and the paper it comes from. Every law there is tested on all partitions of up to five elements,
those of clusters that overlap on all covers of three, those of trees on all rooted trees of up to five
leaves.
The names that other libraries use are sorted by library in
[Coming from another library](migration.md), and [Which index should I report?](choosing.md) helps to choose.
These pages are written by `scripts/make_docs.py` from the declarations.

## How to read a formula

Unless said otherwise, U is the reference with clusters of sizes a, V the candidate with clusters of sizes b,
n_ij the size of an overlap, n the number of elements. In worked examples the reference comes first, and each
character is the label of one element."""

# Indices of whole trees have a registry and a page of their own.
OF_TREES = [*TREE_INDICES.values(), *TREE_PARTITION_INDICES.values()]
TREES_PAGE = "indices/trees.md"
TREES = """\
`compare` of two [hierarchies](../hierarchies.md) has them as attributes, such as `c.cophenetic_correlation`,
and by name, such as `c["entanglement(L=2)"]`. The last two compare a partition with a hierarchy. Indices of
partitions have a value at every cut instead; see `curve` and `at`. In worked examples, U is the reference,
trees are in Newick notation, and each character of a partition is the label of one leaf."""

FAMILY = "[How to read a formula](../indices.md#how-to-read-a-formula), and all other families."

# Between such marks stands the part of a page that is written here.
BEGIN = "<!-- from {} by scripts/make_docs.py -->"
END = "<!-- end -->"


def main() -> None:
    for path, text in pages().items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
        print(f"wrote {path.relative_to(ROOT)}")


def pages() -> dict[Path, str]:
    """What each generated page should hold."""
    parts = {
        DOCS / "choosing.md": ("src/concordant/cli/choosing.py", _advice()),
        DOCS / "api.md": ("tests/options_by_input.py", _options()),
        DOCS / "architecture.md": ("pyproject.toml", "\n".join(["```", *layers(), "```"])),
    }
    return {
        DOCS / "migration.md": migration(),
        DOCS / "indices.md": catalogue(),
        **{DOCS / _page(family): family_page(family) for family in INDICES.families},
        DOCS / TREES_PAGE: trees_page(),
        **{path: with_part(path.read_text(encoding="utf-8"), *part) for path, part in parts.items()},
    }


def with_part(page: str, source: str, part: str) -> str:
    """The page with this part between its marks."""
    begin = BEGIN.format(source)
    before, _, rest = page.partition(begin)
    _, _, after = rest.partition(END)
    return f"{before}{begin}\n\n{part}\n\n{END}{after}"


# -- names elsewhere ----------------------------------------------------------------------------------


def migration() -> str:
    libraries = sorted(
        {library for index in [*INDICES.values(), *OF_TREES] for library in index.known_as}, key=str.casefold
    )
    parts = [
        "# Coming from another library",
        MIGRATION,
        " · ".join(f"[{library}](#{anchor(library)})" for library in libraries),
    ]
    for library in libraries:
        parts += [f"## {library}", *_own_page(library), _names_table(library), *_further_remarks(library)]
        parts += _checked_calls(library)
    return "\n\n".join(parts) + "\n"


def names_of(index: Index | TreeIndex, library: str) -> list[str]:
    """The library's names of the index."""
    return separate_names(index.known_as[library])


def _own_page(library: str) -> list[str]:
    if library not in PAGES:
        return []
    return [
        f"`concordant.compat` has its interface; [the whole story]({PAGES[library]}) has a page of its own."
    ]


def _names_table(library: str) -> str:
    known = [index for index in INDICES.values() if library in index.known_as]
    rows = [
        (", ".join(map(_code, names_of(index, library))), _link(index), index.remarks.get(library, ""))
        for index in known
    ]
    rows += [
        (", ".join(map(_code, names_of(index, library))), _tree_link(index), "")
        for index in OF_TREES
        if library in index.known_as
    ]
    return _table((library, "concordant", "remark"), sorted(rows, key=lambda row: row[0].casefold()))


def _further_remarks(library: str) -> list[str]:
    remarked = [i for i in INDICES.values() if library in i.remarks and library not in i.known_as]
    return (
        ["\n".join(f"- {_link(index)}: {index.remarks[library]}" for index in remarked)] if remarked else []
    )


def _checked_calls(library: str) -> list[str]:
    """What `make peers` checks, with the version it was last checked with."""
    stated = [each for each in STATEMENTS if each.peer == library]
    if not stated:
        return []
    rows = [
        (_code(each.call), _result(each.theirs), _code(each.ours), _result(each.value)) for each in stated
    ]
    return [
        f"Checked by `make peers` with {library} {VERSIONS[library][1]}:",
        _table(("there", "gives", "here", "gives"), rows),
    ]


def _result(value: float | str) -> str:
    return value if isinstance(value, str) else f"{value:.6g}"


# -- every index --------------------------------------------------------------------------------------


def catalogue() -> str:
    """The names of all, each with a link to its entry on its family's page."""
    parts = ["# Every index", CATALOGUE.format(len(INDICES))]
    for family, held in INDICES.families.items():
        about = _family_text(held[0]).partition("\n\n")[0]
        rows = ((_link(index), index.title, ", ".join(map(_code, index.aliases))) for index in held)
        parts += [f"## {family}", f"{about} [The page of the family]({_page(family)})."]
        parts += [_table(("index", "title", "also"), rows)]
    about = _family_text(OF_TREES[0]).partition("\n\n")[0]
    parts += ["## Trees", f"{about} [The page of the family]({TREES_PAGE})."]
    parts += [_table(("index", "title"), ((_tree_link(index), index.title) for index in OF_TREES))]
    pages = "\n".join(path.removesuffix(".md") for path in [*map(_page, INDICES.families), TREES_PAGE])
    return "\n\n".join([*parts, f"```{{toctree}}\n:hidden:\n\n{pages}\n```"]) + "\n"


def family_page(family: str) -> str:
    held = INDICES.families[family]
    about, _, letters = _family_text(held[0]).partition("\n\n")
    parts = [f"# {family}", about, FAMILY, *filter(None, [letters]), *map(_entry, held)]
    return "\n\n".join(parts) + "\n"


def trees_page() -> str:
    about, _, letters = _family_text(OF_TREES[0]).partition("\n\n")
    return "\n\n".join(["# Trees", about, TREES, letters, *map(_tree_entry, OF_TREES)]) + "\n"


def _tree_entry(index: TreeIndex) -> str:
    lines = [
        f"## {index.name}",
        f"**{index.title}.** {index.summary}",
        _code(index.formula),
        index.advice,
        "\n".join(f"- {name}: {text}" for name, text in tree_facts(index).items()),
    ]
    return "\n\n".join(line for line in lines if line)


def _family_text(member: Index | TreeIndex) -> str:
    """The docstring of the family's module, without the family's name."""
    text = (sys.modules[member.compute.__module__].__doc__ or "").strip().partition(":")[2].strip()
    return text[:1].upper() + text[1:]


def _entry(index: Index) -> str:
    lines = [
        f"## {index.name}",
        f"**{index.title}.** {index.summary}",
        _code(index.formula),
        index.advice,
        "\n".join(f"- {fact}" for fact in _facts(index)),
    ]
    return "\n\n".join(line for line in lines if line)


def _facts(index: Index) -> Iterable[str]:
    yield f"range {index.range_text}, {_direction(index)}"
    yield ", ".join(_properties(index))
    if index.sides != "covers":
        yield f"weights: {weights_text(index)}"
    if index.parameters:
        yield "parameters: " + "; ".join(map(_parameter, index.parameters.values()))
    if index.aliases:
        yield "also " + ", ".join(map(_code, index.aliases))
    yield "worked: " + "; ".join(
        f"{_code(u)} against {_code(v)} is {worked_value(value)}" for u, v, value in index.worked
    )
    if elsewhere := [*_elsewhere(index)]:
        yield "elsewhere: " + "; ".join(elsewhere)
    yield f"reference: {index.cite}"


def _elsewhere(index: Index) -> Iterable[str]:
    """What each library calls the index, and what is to be said of it there."""
    for library in [*index.known_as, *(each for each in index.remarks if each not in index.known_as)]:
        names = ", ".join(map(_code, names_of(index, library))) if library in index.known_as else ""
        remark = index.remarks.get(library, "")
        told = f"{names} ({remark})" if names and remark else names or f"({remark})"
        yield f"{library} {told}"


def _direction(index: Index) -> str:
    if index.direction != "statistic":
        return f"a {index.direction}, {_number(index.perfect)} for identical partitions"
    agreement = "no direction, so no p-value"
    if index.agreement is not None:
        agreement = f"for given cluster sizes, {index.agreement} values mean more agreement"
    if index.perfect is None:
        return f"a statistic: identical partitions do not all score the same; {agreement}"
    return f"identical partitions score {_number(index.perfect)}; {agreement}"


def _properties(index: Index) -> Iterable[str]:
    if index.symmetric:
        yield "symmetric" + index.exception("mirror")
    else:
        yield f"swapped: `{index.mirror}`" if index.mirror else "not symmetric"
    if index.metric:
        metric = "a metric" if index.perfect == 0 else f"{_number(index.perfect or 0)} − value is a metric"
        yield metric + index.exception("metric")
    if index.adjusted:
        yield "adjusted for chance" + index.exception("adjusted")
    if text := undefined_text(index):
        yield text
    if index.needs is Need.TABLE:
        yield "needs to know which clusters overlap"
    if index.on_request:
        yield "costly: computed when asked for by name"


def _parameter(parameter: Parameter) -> str:
    words = wording(parameter.annotation)
    spelled = _code(f"{parameter.name}={spelled_default(parameter.default)}")
    return spelled + (f" ({words})" if words else "")


# -- choosing -----------------------------------------------------------------------------------------


def _advice() -> str:
    """A paragraph for each case: unlike a table of four columns, it fits on a phone."""
    parts = []
    for title, section in choosing.SECTIONS.items():
        parts.append(f"### {title}")
        for each in section:
            names = ", ".join(map(_link_of, each.names))
            parts.append(f"**{each.case}**\\\nReport {names}.\\\n{each.because}\\\n*Beware:* {each.beware}")
    return "\n\n".join(parts)


def _link_of(name: str) -> str:
    """The link to an index of any kind."""
    if name in SOFT_INDICES:
        return f"[`{name}`](soft.md#which-index)"
    return _tree_link(TREE_INDICES[name]) if name in TREE_INDICES else _link(INDICES[name])


# -- options ----------------------------------------------------------------------------------------


def _options() -> str:
    """Whether each option works for each type of input, as a test verifies it."""
    declared = runpy.run_path(str(ROOT / "tests" / "options_by_input.py"))
    rows = [
        (_code(option), _inputs(cells, "works"), _inputs(cells, "refused"), declared["NOTES"][option])
        for option, cells in declared["TABLE"].items()
    ]
    return _table(("option", "works for", "is refused for", ""), rows)


def _inputs(cells: dict[str, str], effect: str) -> str:
    found = [each for each, held in cells.items() if held == effect]
    return "every input" if len(found) == len(cells) else ", ".join(found)


# -- layers -------------------------------------------------------------------------------------------


def layers() -> list[str]:
    """The layers of the package, top down, as import-linter's contract lists them."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
    (contract,) = (each["layers"] for each in settings["contracts"] if each["type"] == "layers")
    return list(contract)


# -- Markdown -----------------------------------------------------------------------------------------


def _table(header: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [header, tuple("---" for _ in header), *(tuple(map(_cell, row)) for row in rows)]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _code(text: str) -> str:
    return f"`{text}`"


def _tree_link(index: TreeIndex) -> str:
    return f"[`{index.name}`]({TREES_PAGE}#{index.name})"


def _link(index: Index) -> str:
    return f"[`{index.name}`]({_page(index.family)}#{index.name})"


def _page(family: str) -> str:
    """Where the page of a family lies, from the other pages."""
    return f"indices/{anchor(family)}.md"


def anchor(heading: str) -> str:
    """The address of a heading within its page, as the site and GitHub give it."""
    return re.sub(r"[^\w\- ]", "", heading.casefold()).replace(" ", "-")


def _number(value: float) -> str:
    return f"{value:g}"


if __name__ == "__main__":
    main()
