"""Take the pictures of the pages that the README, docs/page.md and docs/many.md show.

    python scripts/screenshots.py [NAME ...]    # all, or page-light, page-dark, page-phone, matrix, track

Compares examples/digits, and runs of k-means on the same digits with each other and in order. Writes the
pages, opens them in headless Chromium (Debian's package chromium) and writes docs/images/page-*.png,
matrix.png and track.png.
"""

from __future__ import annotations

import csv
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from gallery import reduce_colours
from sklearn.cluster import KMeans
from sklearn.datasets import load_digits

import concordant as cc

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests" / "browser"))

import chromium  # noqa: E402  (the driver of the browser tests, found through the line above)

# name, page, theme, width in pixels, and the first and last section to show; None is the top of the page, and
# as the last one the end of the first screen
PICTURES = [
    ("page-light", "digits", "light", 1200, None, "flow"),
    ("page-dark", "digits", "dark", 1200, "flow", "table"),
    ("page-phone", "digits", "light", 400, None, None),
    ("matrix", "matrix", "light", 1200, "matrix", "map"),
    ("track", "track", "light", 1200, "alluvial", "alluvial"),
]
MARGIN, SCREEN = 24, 860


def read(name: str) -> dict[str, str]:
    with (ROOT / "examples" / "digits" / name).open(encoding="utf-8", newline="") as file:
        rows = csv.reader(file)
        next(rows)
        return dict(rows)


def part(page: chromium.Page, width: int, first: str | None, last: str | None) -> dict[str, float]:
    """The part of the page from the first section to the last."""
    if last is None:
        return {"x": 0, "y": 0, "width": width, "height": SCREEN}
    edge = "document.getElementById({!r}).getBoundingClientRect().{}".format
    top = page.run(edge(first, "top")) - MARGIN if first else 0
    return {"x": 0, "y": top, "width": width, "height": page.run(edge(last, "bottom")) + MARGIN - top}


def pages(folder: Path) -> dict[str, Path]:
    """The pages to take pictures of."""
    digits = load_digits()
    ks = {f"k={k}": KMeans(k, n_init=4, random_state=0).fit_predict(digits.data) for k in (2, 3, 5, 8, 10)}
    seeds = {
        f"k={k}, seed {seed}": KMeans(k, n_init=1, random_state=seed).fit_predict(digits.data)
        for k in (5, 8, 10, 12)
        for seed in (1, 2)
    }
    compared = cc.compare(read("truth.csv"), read("kmeans.csv"), names=("digit", "k-means"))
    truth = {"digit": digits.target}
    return {
        "digits": compared.to_html(folder / "digits.html"),
        "matrix": cc.matrix(truth | seeds, "variation_of_information").to_html(folder / "matrix.html"),
        "track": cc.track(ks | truth).to_html(folder / "track.html"),
    }


def main() -> None:
    program = chromium.find()
    if program is None:
        raise SystemExit("no Chromium is installed: apt-get install chromium")
    with TemporaryDirectory() as folder, chromium.launched(program) as browser:
        written = pages(Path(folder))
        for name, page, theme, width, first, last in PICTURES:
            if len(sys.argv) > 1 and name not in sys.argv[1:]:
                continue
            target = ROOT / "docs" / "images" / f"{name}.png"
            with browser.open(written[page], width=width, theme=theme) as shown:
                clip = part(shown, width, first, last)
                shown.playwright.screenshot(path=target, clip=clip, full_page=True)
            reduce_colours(target)


if __name__ == "__main__":
    main()
