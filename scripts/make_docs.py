"""Write the pages that follow from the code: `python scripts/make_docs.py`.

docs/migration.md     the names of our indices in other libraries, from known_as and remarks
docs/indices.md       every index by name; docs/indices/ has a page for each family
docs/choosing.md      the part between its two marks, from concordant.cli.advice
docs/api.md           the options of compare() by type of input, from tests/support/options_by_input.py
docs/scale.md         what works on data in each place, from tests/support/capabilities.py
docs/internals/architecture.md  the layers between its two marks, from the contract of import-linter
"""

from __future__ import annotations

import re
import runpy
import sys
import tomllib
from collections.abc import Iterable
from inspect import Parameter
from pathlib import Path

from concordant.cli import advice as choosing
from concordant.counts.base import Detail
from concordant.foundation import kinds
from concordant.indices.catalogue import separate_names, spelled_default
from concordant.indices.index import INDICES, Index, all_indices, any_index
from concordant.indices.parameters import wording
from concordant.report.explanation import origin_and_facts, undefined_text, weights_text, worked_value

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"

# Peers that have a page of their own.
PAGES = {
    "scikit-learn": "migration-scikit-learn.md",
    "permetrics": "migration-permetrics.md",
    "Set::Partitions::Similarity": "migration-perl.md",
}

MIGRATION = """\
Find the function you know and use its name in concordant. `concordant explain NAME` also accepts the
function names on this page, without arguments. Remarks list bugs and differences in the other library.

concordant takes the reference first. If the other library takes it second, swap the arguments; otherwise
precision and recall are swapped."""

CATALOGUE = """\
This page lists {} indices by family. Each family page has formulas, properties, worked examples, names in
other libraries and references. Tests check every property on all partitions of up to five elements, all
covers of three elements, all rooted trees with up to five leaves, all soft partitions of a few records, and
all diffs of up to four records.

[Which index should I report?](choosing.md) helps you choose. [Migrating from other libraries](migration.md)
lists names in other libraries.

## How to read a formula

Unless a page states otherwise, U is the reference with cluster sizes a, V the candidate with cluster sizes b,
n_ij the size of an overlap, and n the number of elements. Worked examples list the reference first. Each
character is the label of one element."""

FAMILIES = all_indices().families
# Families of indices that do not compare partitions, and an introduction to each.
OTHER_FAMILIES = {
    family: kinds.use(kind.introduction)
    for family, held in FAMILIES.items()
    for kind in kinds.KINDS.values()
    if kinds.section_of(held[0].sides) in kind.sections
}

FAMILY = "See also [how to read a formula](../indices.md#how-to-read-a-formula)."

# The generated part of a page is between these marks.
BEGIN = "<!-- from {} by scripts/make_docs.py -->"
END = "<!-- end -->"


def main() -> None:
    for path, text in pages().items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
        print(f"wrote {path.relative_to(ROOT)}")


def pages() -> dict[Path, str]:
    """The content of each generated page."""
    parts = {
        DOCS / "choosing.md": ("src/concordant/cli/advice.py", _advice()),
        DOCS / "api.md": ("tests/support/options_by_input.py", _options()),
        DOCS / "scale.md": ("tests/support/capabilities.py", _capabilities()),
        DOCS / "internals" / "architecture.md": ("pyproject.toml", "\n".join(["```", *layers(), "```"])),
    }
    return {
        DOCS / "migration.md": migration(),
        DOCS / "indices.md": catalogue(),
        **{DOCS / _page(family): family_page(family) for family in FAMILIES},
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
        {library for index in all_indices().values() for library in index.known_as}, key=str.casefold
    )
    parts = ["# Migrating from other libraries", MIGRATION]
    for library in libraries:
        parts += [f"## {library}", *_own_page(library), _names_table(library), *_further_remarks(library)]
    return "\n\n".join(parts) + "\n"


def names_of(index: Index, library: str) -> list[str]:
    """The library's names of the index."""
    return separate_names(index.known_as[library])


def _own_page(library: str) -> list[str]:
    if library not in PAGES:
        return []
    return [f"See also [Coming from {library}]({PAGES[library]})."]


def _names_table(library: str) -> str:
    rows = [
        (", ".join(map(_code, names_of(index, library))), _link(index), index.remarks.get(library, ""))
        for index in all_indices().values()
        if library in index.known_as
    ]
    rows.sort(key=lambda row: row[0].casefold())
    if not any(remark for *_, remark in rows):
        return _table((library, "concordant"), (row[:2] for row in rows))
    return _table((library, "concordant", "remark"), rows)


def _further_remarks(library: str) -> list[str]:
    remarked = [i for i in INDICES.values() if library in i.remarks and library not in i.known_as]
    return (
        ["\n".join(f"- {_link(index)}: {index.remarks[library]}" for index in remarked)] if remarked else []
    )


# -- every index --------------------------------------------------------------------------------------


def catalogue() -> str:
    """All index names, with links to the family pages."""
    parts = ["# Every index", CATALOGUE.format(len(all_indices()))]
    for family, held in FAMILIES.items():
        about = _family_text(held[0]).partition("\n\n")[0]
        rows = [(_link(index), index.title, ", ".join(map(_code, index.aliases))) for index in held]
        parts += [f"## {family}", f"{about} [Formulas and references]({_page(family)})."]
        if family in OTHER_FAMILIES:  # none of them has other names
            parts += [_table(("index", "title"), (row[:2] for row in rows))]
        else:
            parts += [_table(("index", "title", "also"), rows)]
    pages = "\n".join(_page(family).removesuffix(".md") for family in FAMILIES)
    return "\n\n".join([*parts, f"```{{toctree}}\n:hidden:\n\n{pages}\n```"]) + "\n"


def family_page(family: str) -> str:
    held = FAMILIES[family]
    about, _, letters = _family_text(held[0]).partition("\n\n")
    introduction = OTHER_FAMILIES.get(family, FAMILY)
    parts = [f"# {family}", about, introduction, *filter(None, [letters]), *map(_entry, held)]
    return "\n\n".join(parts) + "\n"


def _family_text(member: Index) -> str:
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
    if not index.is_of_partitions:
        yield from (f"{name}: {text}" for name, text in origin_and_facts(index)[1].items())
        return
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
        yield "other libraries: " + "; ".join(elsewhere)
    yield f"reference: {index.cite}"


def _elsewhere(index: Index) -> Iterable[str]:
    """The index in other libraries: names and remarks."""
    for library in [*index.known_as, *(each for each in index.remarks if each not in index.known_as)]:
        names = ", ".join(map(_code, names_of(index, library))) if library in index.known_as else ""
        remark = index.remarks.get(library, "")
        yield f"{library} " + (f"{names} ({remark})" if names and remark else names or f"({remark})")


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
    if index.needs is Detail.TABLE:
        yield "needs to know which clusters overlap"
    if index.on_request:
        yield "slow: computed only on request"


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
    return _link(any_index(name))


# -- options ----------------------------------------------------------------------------------------


def _options() -> str:
    """The types of input that each option refuses, as a test verifies it."""
    declared = runpy.run_path(str(ROOT / "tests" / "support" / "options_by_input.py"))
    rows = [
        (
            _code(option),
            ", ".join(name for name, effect in cells.items() if effect == declared["REFUSED"]),
            note,
        )
        for option, cells in declared["TABLE"].items()
        for note in [declared["NOTES"][option]]
    ]
    inputs = f"The types of input are: {', '.join(declared['INPUTS'])}."
    return f"{inputs}\n\n{_table(('option', 'not available for', 'notes'), rows)}"


def _capabilities() -> str:
    """The inputs with which each capability works, as a test verifies it."""
    declared = runpy.run_path(str(ROOT / "tests" / "support" / "capabilities.py"))
    rows = [(_code(name), *cells.values()) for name, cells in declared["TABLE"].items()]
    return _table(("capability", *declared["PLACES"]), rows)


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


def _link(index: Index) -> str:
    return f"[`{index.name}`]({_page(index.family)}#{index.name})"


def _page(family: str) -> str:
    """The path of a family's page, relative to the other pages."""
    return f"indices/{anchor(family)}.md"


def anchor(heading: str) -> str:
    """The address of a heading within its page, as the site and GitHub give it."""
    return re.sub(r"[^\w\- ]", "", heading.casefold()).replace(" ", "-")


def _number(value: float) -> str:
    return f"{value:g}"


if __name__ == "__main__":
    main()
