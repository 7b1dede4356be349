"""Look at every page of the gallery in a real browser: what keeps people out, what is clipped, how it prints.

    python scripts/check_pages.py [NAME ...]    # all, or some of them

Builds the pages of the gallery and some larger ones, opens each in headless Chromium without network, at 1280
and 400 pixels, in both themes and in forced colours, and asks axe-core (npm install --no-save
--no-package-lock axe-core@4). In both sizes it also looks for text that is clipped, that covers other text or
that is repeated, and for advice below the first screen. Prints for each page its size, the first paint and
the time until all is drawn (best of five), the sheets of its PDF, and every violation; ends with 1 if there
is any.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from gallery import GALLERY, PAGES_OF_SITUATIONS, ROOT

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
LAYOUT = r"""(() => {
    const found = [], seen = new Set();
    const place = (element) => element.closest("section")?.id || "head";
    const words = (element) => element.textContent.trim().replace(/\s+/g, " ").slice(0, 60);
    const shown = (element) => element.checkVisibility();
    if (document.documentElement.scrollWidth > innerWidth) found.push("wider than the window");
    for (const each of [...document.querySelectorAll("body *:not(svg *)")].filter(shown))
        if (getComputedStyle(each).overflowX !== "visible" && each.scrollWidth > each.clientWidth + 1)
            found.push(`clipped in ${place(each)}: ${words(each)}`);
    for (const drawing of [...document.querySelectorAll(".drawing")].filter(shown)) {
        const frame = drawing.getBoundingClientRect();
        const boxes = [...drawing.querySelectorAll("text")].filter(shown)
            .map((text) => [text, text.getBoundingClientRect()]);
        for (const [text, box] of boxes)
            if (box.left < frame.left - 3 || box.right > frame.right + 3 || box.bottom > frame.bottom + 3)
                found.push(`outside its chart in ${place(text)}: ${words(text)}`);
        boxes.forEach(([text, box], i) => boxes.slice(i + 1).forEach(([other, next]) => {
            const wide = Math.min(box.right, next.right) - Math.max(box.left, next.left);
            const tall = Math.min(box.bottom, next.bottom) - Math.max(box.top, next.top);
            if (wide > 2 && tall > 3)
                found.push(`covers text in ${place(text)}: ${words(text)}, ${words(other)}`);
        }));
    }
    for (const each of document.querySelectorAll("h1, h2, .lead, .facts, .note, .left-out, .advice")) {
        const text = each.textContent.trim();
        if (text.length > 25 && seen.has(text)) found.push(`repeated in ${place(each)}: ${words(each)}`);
        seen.add(text);
    }
    const advice = document.querySelector(".advice");
    if (advice?.getBoundingClientRect().bottom > innerHeight) found.push("advice below the first screen");
    return [...new Set(found)];
})()"""
TIMES = """(async () => {
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    const [load] = performance.getEntriesByType("navigation");
    const paint = performance.getEntriesByName("first-contentful-paint")[0];
    return [paint?.startTime ?? load.loadEventEnd, load.loadEventEnd];
})()"""


def entities(page: Path) -> Path:
    """200,000 records in 70,000 clusters."""
    source = np.random.default_rng(5)
    truth = source.integers(0, 70_000, 200_000)
    found = np.where(source.random(200_000) < 0.93, truth, source.integers(0, 70_000, 200_000))
    sides = [{f"r{i}": f"E{label:06}" for i, label in enumerate(side)} for side in (truth, found)]
    return cc.compare(*sides).to_html(page)


PAGES: dict[str, Callable[[Path], Path]] = (
    GALLERY
    | PAGES_OF_SITUATIONS
    | {
        "70,000 clusters": entities,
        "sizes alone": lambda page: cc.Comparison(Profile.from_rows([(10, 10, 20, 2)])).to_html(page),
    }
)


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
        return found + (opened.run(LAYOUT) if theme != "forced" else [])


if __name__ == "__main__":
    main()
