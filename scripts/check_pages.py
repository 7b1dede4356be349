"""Look at every kind of page in a real browser: what keeps people out, how soon it is drawn, how it prints.

    python scripts/check_pages.py [NAME ...]    # all, or some of them

Builds the pages of the gallery and one of each other kind, opens each in headless Chromium without network,
at 1280 and 400 pixels, in both themes and in forced colours, and asks axe-core (npm install --no-save
--no-package-lock axe-core@4). Prints for each page its size, the first paint and the time until all is drawn
(best of five), the sheets of its PDF, and every violation; ends with 1 if there is any.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from gallery import GALLERY, ROOT

import concordant as cc
from concordant.counts.profile import Profile

sys.path.insert(0, str(ROOT / "tests" / "browser"))

import chromium  # the driver of the browser tests, found through the line above

AXE = ROOT / "node_modules" / "axe-core" / "axe.min.js"
SCREENS = [(width, theme) for width in (1280, 400) for theme in ("light", "dark", "forced")]
TRIES = 5
VIOLATIONS = (
    "axe.run(document, {resultTypes: ['violations']}).then((found) => found.violations.map("
    "(each) => `${each.id}: ${each.nodes[0].html.slice(0, 120)}`))"
)
TIMES = """(async () => {
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    const [load] = performance.getEntriesByType("navigation");
    const paint = performance.getEntriesByName("first-contentful-paint")[0];
    return [paint?.startTime ?? load.loadEventEnd, load.loadEventEnd];
})()"""


def runs() -> dict[str, list[int]]:
    """A truth, and eight partitions that are like it."""
    source = np.random.default_rng(3)
    truth = source.integers(0, 8, 400)
    noisy = [np.where(source.random(400) < 0.8, truth, source.integers(0, 8, 400)) for _ in range(8)]
    return {"truth": truth.tolist()} | {f"run {number}": run.tolist() for number, run in enumerate(noisy)}


def entities(page: Path) -> Path:
    """200,000 records in 70,000 clusters."""
    source = np.random.default_rng(5)
    truth = source.integers(0, 70_000, 200_000)
    found = np.where(source.random(200_000) < 0.93, truth, source.integers(0, 70_000, 200_000))
    sides = [{f"r{i}": f"E{label:06}" for i, label in enumerate(side)} for side in (truth, found)]
    return cc.compare(*sides).to_html(page)


def covers(page: Path) -> Path:
    one = cc.Cover.from_clusters([{1, 2, 3}, {3, 4, 5}, {6, 7}, {8, 9, 10, 1}])
    other = cc.Cover.from_clusters([{1, 2, 3}, {3, 4}, {5, 6, 7}, {8, 9, 10}])
    return cc.compare(one, other).to_html(page)


def noise(page: Path) -> Path:
    truth, found = [i % 6 for i in range(600)], [-1 if i % 5 == 0 else i % 6 for i in range(600)]
    return cc.compare(truth, found, noise=-1, noise_as="singletons").to_html(page)


PAGES: dict[str, Callable[[Path], Path]] = GALLERY | {
    "70,000 clusters": entities,
    "covers": covers,
    "noise": noise,
    "matrix": lambda page: cc.matrix(runs(), "variation_of_information", reference="truth").to_html(page),
    "track": lambda page: cc.track(runs()).to_html(page),
    "consensus": lambda page: cc.consensus(list(runs().values())).to_html(page),
    "sizes alone": lambda page: cc.Comparison(Profile.from_rows([(10, 10, 20, 2)])).to_html(page),
}


def main() -> None:
    program = chromium.find()
    if program is None or not AXE.exists():
        raise SystemExit("install Chromium and axe-core: npm install --no-save --no-package-lock axe-core@4")
    script, failed = AXE.read_text(encoding="utf-8"), False
    with TemporaryDirectory() as folder, chromium.launched(program) as browser:
        for name in sys.argv[1:] or PAGES:
            page = PAGES[name](Path(folder) / f"{re.sub('[^a-z]', '', name)}.html")
            print(f"{name}: {page.stat().st_size // 1000} kB, {measured(browser, page)}", flush=True)
            for width, theme in SCREENS:
                found = violations(browser, page, script, width, theme)
                failed = failed or bool(found)
                for each in found:
                    print(f"    {width} {theme}: {each}", flush=True)
    raise SystemExit(failed)


def measured(browser: Any, page: Path) -> str:
    times = []
    for _ in range(TRIES):
        with browser.open(page, width=1280) as opened:
            times.append(opened.run(TIMES))
            paper = opened.playwright.pdf(prefer_css_page_size=True)
    first, whole = (min(each) for each in zip(*times, strict=True))
    sheets = len(re.findall(rb"/Type\s*/Page\b", paper))
    return f"first paint {first:.0f} ms, all drawn {whole:.0f} ms, {sheets} sheets"


def violations(browser: Any, page: Path, script: str, width: int, theme: str) -> list[str]:
    with browser.open(page, width=width, theme="dark" if theme == "dark" else "light") as opened:
        if theme == "forced":
            opened.playwright.emulate_media(forced_colors="active")
        opened.run(f"{script};0")
        found: list[str] = opened.run(VIOLATIONS) + opened.errors + opened.requests
        if opened.run("document.documentElement.scrollWidth") > width:
            found.append("wider than the window")
        return found


if __name__ == "__main__":
    main()
