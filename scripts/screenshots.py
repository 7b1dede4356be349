"""Take the pictures of the page that the README and docs/page.md show.

    python scripts/screenshots.py

Compares examples/digits, writes the page, opens it in headless Chromium (Debian's package chromium) and
writes docs/images/page-light.png, page-dark.png and page-phone.png.
"""

from __future__ import annotations

import csv
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image

import concordant as cc

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests" / "browser"))

import chromium  # noqa: E402  (the driver of the browser tests, found through the line above)

# name, theme, width in pixels, and the first and last section to show; None is the top of the page
PICTURES = [
    ("light", "light", 1200, None, "flow"),
    ("dark", "dark", 1200, "flow", "cells"),
    ("phone", "light", 400, None, "culprits"),
]
MARGIN = 24


def read(name: str) -> dict[str, str]:
    with (ROOT / "examples" / "digits" / name).open(encoding="utf-8", newline="") as file:
        rows = csv.reader(file)
        next(rows)
        return dict(rows)


def part(page: chromium.Page, width: int, first: str | None, last: str) -> tuple[float, float, float, float]:
    """The part of the page from the first section to the last, as x, y, width and height."""
    edge = "document.getElementById({!r}).getBoundingClientRect().{}".format
    top = page.run(edge(first, "top")) - MARGIN if first else 0
    return 0, top, width, page.run(edge(last, "bottom")) + MARGIN - top


def main() -> None:
    program = chromium.find()
    if program is None:
        raise SystemExit("no Chromium is installed: apt-get install chromium")
    comparison = cc.compare(read("truth.csv"), read("kmeans.csv"))
    with TemporaryDirectory() as folder, chromium.launched(program) as browser:
        page = comparison.to_html(Path(folder) / "digits.html", names=("digit", "k-means"))
        for name, theme, width, first, last in PICTURES:
            target = ROOT / "docs" / "images" / f"page-{name}.png"
            with browser.open(page, width=width, theme=theme) as shown:
                shown.screenshot(target, clip=part(shown, width, first, last))
            Image.open(target).convert("RGB").quantize(256, dither=Image.Dither.NONE).save(
                target, optimize=True
            )
            print(f"{target.relative_to(ROOT)}: {target.stat().st_size // 1000} kB")


if __name__ == "__main__":
    main()
