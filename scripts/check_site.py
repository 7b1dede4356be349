"""Open every page of the site in a browser without a network: what keeps people out, and what does not fit.

    python scripts/check_site.py [--all] [PAGE ...]        (make site)

Each page is looked at wide and light, narrow and dark, and with --all also the other way round, by
axe-core; none may be wider than the window. The API reference must have every public member, and the search
must show the right page first. If Chromium or axe-core is not installed, reports it and checks the rest.
"""

import importlib
import inspect
import json
import re
import sys
import zlib
from pathlib import Path
from typing import Any

from concordant.foundation.results import Result
from concordant.indices.index import all_indices

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests" / "browser"))

import chromium  # noqa: E402  (the driver of the browser tests, found through the line above)

SITE = ROOT / "build" / "site"
AXE = ROOT / "node_modules" / "axe-core" / "axe.min.js"
WIDE, NARROW = 1280, 390
LOOKS = [(WIDE, "light"), (NARROW, "dark")]
READY = "document.readyState === 'complete'"
# Typical searches, by the page that must come first.
FIRST_PAGE = {
    "page": ["sankey", "heatmap", "confusion matrix", "html report", "plot"],
    "differences": ["hungarian", "contingency table", "splits", "merge"],
    "faq": ["type hints", "license", "noise"],
    "api": ["c.interval", "cc.compare", "api reference"],
    "command-line": ["fail-under", "cli"],
    "indices/chance-adjusted-pair-counting": ["ari", "adjusted_rand_score"],
    "indices/chance-adjusted-information": ["ami"],
    "indices/information-theory": ["nmi", "v-measure", "variation of information", "homogeneity"],
    "indices/pair-counting": ["rand index", "jaccard", "fowlkes mallows"],
    "indices/set-matching": ["purity"],
    "indices/entity-resolution-and-coreference": ["b-cubed", "muc"],
    "indices/overlapping-clusters": ["omega index"],
    "indices/overlapping-nmi": ["onmi"],
    "indices/objects-in-images": ["panoptic quality"],
    "indices/trees": ["robinson foulds"],
    "recipes": ["splink", "dedupe", "leiden", "hdbscan", "lda"],
    "resampling": ["bootstrap", "number of clusters"],
    "trust": ["p-value", "confidence interval", "significance", "sample size"],
    "weights": ["weights"],
    "sources": ["polars", "pandas", "duckdb"],
    "formats": ["parquet", "csv"],
    "spark": ["spark"],
    "gpu": ["gpu"],
    "scale": ["memory"],
    "citing": ["bibtex"],
    "papers": ["latex"],
    "changelog": ["changelog"],
    "saving": ["save"],
    "many": ["consensus", "ranking"],
    "hierarchies": ["dendrogram"],
    "tutorial-thresholds": ["threshold"],
    "migration-scikit-learn": ["scikit-learn"],
    "migration": ["cdlib"],
    "live": ["streaming"],
    "overlaps": ["overlapping clusters"],
    "soft": ["soft clustering"],
    "tutorial-segmentation": ["image segmentation"],
    "tutorial-entity-resolution": ["entity resolution"],
    "coreference": ["coreference"],
    "tutorial-networks": ["community detection"],
    "install": ["install"],
    "performance": ["benchmark"],
    "internals/accuracy": ["numerical accuracy"],
}
SEARCHES = {query: page for page, queries in FIRST_PAGE.items() for query in queries}
RESULTS = "(query) => Search._performSearch(...Search._parseQuery(query)).reverse().map((each) => each[0])"
EXCLUDED = re.compile(r"^\.\. autoclass:: (?:[\w.]+\.)?(\w+)\n   :exclude-members: (.+)$", re.MULTILINE)
VIOLATIONS = "axe.run(document, {resultTypes: ['violations']}).then((r) => r.violations.map("
VIOLATIONS += "(v) => `${v.id}: ${v.nodes.slice(0, 3).map((n) => n.html.slice(0, 120)).join(' ')}`))"


def problems(page: Any, width: int, theme: str) -> list[str]:
    """Problems of an open page, at this width and in these colours."""
    page.resize(width, 900)
    page.playwright.emulate_media(color_scheme=theme)
    found = list(page.run(VIOLATIONS))
    wide = page.run("document.documentElement.scrollWidth")
    return found + ([f"{wide} pixels wide"] if wide > width else [])


def check_pages(browser: Any, pages: list[Path], looks: list[tuple[int, str]]) -> list[str]:
    script = AXE.read_text(encoding="utf-8")
    found = []
    for file in pages:
        with browser.open(file, ready=READY) as page:
            page.run(f"{script};0")
            for width, theme in looks:
                said = problems(page, width, theme)
                found += [f"{file.relative_to(SITE)} ({width}, {theme}): {each}" for each in said]
            asked = [each for each in page.requests if not each.startswith("file:")]
            found += [f"{file.relative_to(SITE)} asks the network for {each}" for each in asked]
    return found


def check_search(browser: Any) -> list[str]:
    """The script of the site's search must show the expected page first, with the network off."""
    ready = f"{READY} && typeof Search !== 'undefined' && Search.hasIndex()"
    with browser.open(SITE / "search.html", ready=ready) as page:
        found = {query: page.playwright.evaluate(RESULTS, query) for query in SEARCHES}
        page.playwright.goto(f"{(SITE / 'search.html').as_uri()}?q=omega")
        page.wait_for("document.querySelectorAll('#search-results li a').length > 0")
    return [
        f"the search for {query!r} should show {SEARCHES[query]} first, and shows {', '.join(pages[:3])}"
        for query, pages in found.items()
        if pages[:1] != [SEARCHES[query]]
    ]


def check_reference() -> list[str]:
    """Public members of documented classes that the reference lacks, by the inventory for other sites.

    The pages may exclude members that are of use only within the library.
    """
    pages = "".join((ROOT / "docs" / name).read_text(encoding="utf-8") for name in ("api.md", "results.md"))
    excluded = {name: members.split(", ") for name, members in EXCLUDED.findall(pages)}
    with (SITE / "objects.inv").open("rb") as file:
        for _ in range(4):  # lines of text before the compressed names
            file.readline()
        lines = zlib.decompress(file.read()).decode().splitlines()
    kinds = dict(line.split(" ", 2)[:2] for line in lines if line.endswith("#$ -"))  # the others are aliases
    missing = []
    for path in (name for name, kind in kinds.items() if kind == "py:class"):
        module, _, name = path.rpartition(".")
        shown = getattr(importlib.import_module(module), name)
        ours = [base for base in shown.__mro__ if base.__module__.startswith("concordant")]
        members = {each for base in ours if base is shown or base is not Result for each in declared(base)}
        members -= {*all_indices(), *excluded.get(name, ())}
        missing += [
            f"{path}.{each} is not in the reference" for each in members if f"{path}.{each}" not in kinds
        ]
    return sorted(missing)


def declared(base: type) -> list[str]:
    """The public members that a class declares itself."""
    return [name for name in {**vars(base), **inspect.get_annotations(base)} if not name.startswith("_")]


def main() -> None:
    missing = check_reference()
    program = chromium.find()
    if program is None or not AXE.exists():
        print("the pages were not looked at: Chromium or axe-core is not installed", *missing, sep="\n")
        sys.exit(1 if missing or chromium.is_required() else 0)
    looks = [*LOOKS, (WIDE, "dark"), (NARROW, "light")] if "--all" in sys.argv else LOOKS
    named = [SITE / name for name in sys.argv[1:] if not name.startswith("-")]
    pages = named or sorted(file for file in SITE.rglob("*.html") if "_static" not in file.parts)
    with chromium.launched(program) as browser:
        found = missing + check_search(browser) + check_pages(browser, pages, looks)
    print(json.dumps(found, indent=1) if found else f"{len(pages)} pages keep nobody out")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
