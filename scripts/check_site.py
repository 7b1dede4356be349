"""Open every page of the site in a browser without a network: what keeps people out, and what does not fit.

    python scripts/check_site.py [--all] [PAGE ...]        (make site)

Each page is looked at wide and light, narrow and dark, and with --all also the other way round, by
axe-core; none may be wider than the window. The search is asked for a word. Where Chromium or axe-core is not
installed, says so and ends well.
"""

import json
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests" / "browser"))

import chromium  # noqa: E402  (the driver of the browser tests, found through the line above)

SITE = ROOT / "build" / "site"
AXE = ROOT / "node_modules" / "axe-core" / "axe.min.js"
WIDE, NARROW = 1280, 390
LOOKS = [(WIDE, "light"), (NARROW, "dark")]
READY = "document.readyState === 'complete'"
VIOLATIONS = "axe.run(document, {resultTypes: ['violations']}).then((r) => r.violations.map("
VIOLATIONS += "(v) => `${v.id}: ${v.nodes.slice(0, 3).map((n) => n.html.slice(0, 120)).join(' ')}`))"


def problems(page: Any, width: int, theme: str) -> list[str]:
    """What is wrong with a page that is open, at this width and in these colours."""
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


def check_search(browser: Any) -> None:
    """The search knows an index by its short name, with the network off; else this times out."""
    with browser.open(SITE / "search.html", ready=READY) as page:
        page.playwright.goto(f"{(SITE / 'search.html').as_uri()}?q=omega")
        page.wait_for("document.querySelectorAll('#search-results li a').length > 0")


def main() -> None:
    program = chromium.find()
    if program is None or not AXE.exists():
        print("the pages were not looked at: Chromium or axe-core is not installed")
        return
    looks = [*LOOKS, (WIDE, "dark"), (NARROW, "light")] if "--all" in sys.argv else LOOKS
    named = [SITE / name for name in sys.argv[1:] if not name.startswith("-")]
    pages = named or sorted(file for file in SITE.rglob("*.html") if "_static" not in file.parts)
    with chromium.launched(program) as browser:
        found = check_pages(browser, pages, looks)
        check_search(browser)
    print(json.dumps(found, indent=1) if found else f"{len(pages)} pages keep nobody out")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
