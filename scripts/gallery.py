"""Build the gallery: a page for each data set of examples/ with its picture, and one for each situation.

    python scripts/gallery.py [NAME ...]    # all, or some of them

Writes docs/gallery/NAME.html and, where Chromium is installed, docs/images/gallery-NAME.png of a data set.
The situations are those of tests/support/situations.py, and further kinds of results.
"""

from __future__ import annotations

import csv
import re
import runpy
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import concordant as cc

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "tests" / each) for each in (".", "support", "browser")]

from situations import SITUATIONS  # noqa: E402  (found through the line above)

EXAMPLES, PAGES, IMAGES = ROOT / "examples", ROOT / "docs" / "gallery", ROOT / "docs" / "images"
WIDTH, HEIGHT = 1200, 820  # of a picture, in pixels


def read(*path: str) -> dict[str, str]:
    with EXAMPLES.joinpath(*path).open(encoding="utf-8", newline="") as file:
        rows = csv.reader(file)
        next(rows)
        return dict(rows)


def compared(
    folder: str, files: tuple[str, str], names: tuple[str, str], **shown: Any
) -> Callable[[Path], Path]:
    """A function that writes the page of two files of a folder; ``details`` is another file of it."""

    def write(page: Path) -> Path:
        comparison = cc.compare(*(read(folder, f"{file}.csv") for file in files), names=names)
        details = EXAMPLES / folder / shown["details"] if shown else None
        return comparison.to_html(page, **(shown | {"details": details} if shown else {}))

    return write


def changed(page: Path) -> Path:
    return cc.diff(OLD, NEW, reference=TRUTH, names=("old rule", "new rule", "person")).to_html(page)


def cropped(page: Path) -> Path:
    """Label images, and the picture that was segmented: pixels in no cell or no segment are masked."""
    truth, found, picture = runpy.run_path(str(EXAMPLES / "image" / "make_data.py"))["drawn"]()
    comparison = cc.compare(truth, found, where=(truth > 0) & (found > 0), names=("cell", "segment"))
    return comparison.to_html(page, raw=picture)


IN_IMAGES = {"details": "images.csv", "record": "record", "images": "image"}
IN_WORDS = {"details": "mentions.csv", "record": "mention"}
GALLERY: dict[str, Callable[[Path], Path]] = {
    "digits": compared("digits", ("truth", "kmeans"), ("digit", "k-means"), **IN_IMAGES),
    "entities": compared(
        "entities", ("truth", "new"), ("person", "new rule"), details="people.csv", record="record"
    ),
    "diff": changed,
    "coreference": compared("coreference", ("key", "response"), ("entity", "rule"), **IN_WORDS),
    "communities": compared(
        "communities", ("truth", "found"), ("club", "community"), details="members.csv", record="member"
    ),
    "image": cropped,
}
TRUTH, OLD, NEW = (read("entities", f"{name}.csv") for name in ("truth", "old", "new"))
RUNS = {"person": TRUTH, "old rule": OLD, "new rule": NEW}
DIGITS = [read("digits", f"{name}.csv") for name in ("truth", "kmeans")]
MENTIONS = [[{"a", "b", "c"}, {"d", "e"}, {"f"}, {"g", "h"}]]
NESTED = ([[["a", "b"], "c"], ["d", "e"]], [["a", ["b", "c"]], ["d", "e"]])


def judged() -> cc.Judgements:
    """The answers to questions on a new rule, by someone who knows the truth."""
    questions = (runs := cc.diff(OLD, NEW)).ask(n_questions=40)
    rows = questions.to_dict()["questions"]
    answers = [{**row, "same": TRUTH[row["record_a"]] == TRUTH[row["record_b"]]} for row in rows]
    return runs.judged(answers, questions=questions)


def softened() -> tuple[cc.Soft, cc.Soft]:
    """Memberships of 60 records; in the second, records of the middle clusters lean to a neighbour."""
    sides = [{i: {i // 15: 1 - lean, (i // 15 + 1) % 4: lean} for i in range(60)} for lean in (0.05, 0.3)]
    return cc.Soft.from_mapping(sides[0]), cc.Soft.from_mapping(sides[1])


# A page of each other kind of result.
RESULTS: dict[str, Callable[[], Any]] = {
    "diff-without-reference": lambda: cc.diff(OLD, NEW, names=("old rule", "new rule")),
    "matrix": lambda: cc.matrix(RUNS),
    "matrix-with-reference": lambda: cc.matrix(RUNS, reference="person"),
    "track": lambda: cc.track(RUNS),
    "consensus": lambda: cc.consensus(RUNS),
    "stability": lambda: cc.stability(RUNS),
    "ranking": lambda: cc.rank(TRUTH, {"old rule": OLD, "new rule": NEW}),
    "references": lambda: cc.compare_references([TRUTH, OLD], NEW),
    "estimates": lambda: cc.estimate(dict(list(TRUTH.items())[:150]), NEW, sampling="records"),
    "slices": lambda: cc.compare(*DIGITS).slices({x: int(x[-4:]) // 450 for x in DIGITS[0]}),
    "scores": lambda: cc.coreference(MENTIONS, [[{"a", "b"}, {"c", "d", "e"}, {"g", "h"}]]),
    "settings": lambda: cc.stability_over({"old": [OLD, TRUTH], "new": [NEW, TRUTH, OLD]}),
    "judgements": judged,
    "soft": lambda: cc.compare(*softened()),
    "trees": lambda: cc.compare(*map(cc.Hierarchy.from_nested, NESTED)),
    "thresholds": lambda: cc.compare(
        dict(zip("abcde", "xxxyy", strict=True)), cc.Hierarchy.from_nested(NESTED[0])
    ),
    "questions": lambda: cc.diff(OLD, NEW).ask(n_questions=20),
}


def made(make: Callable[[], Any]) -> Callable[[Path], Path]:
    """A function that writes the page of a result."""
    return lambda page: make().to_html(page)


PAGES_OF_SITUATIONS = {name: made(make) for name, make in RESULTS.items()} | {
    re.sub(r"\W+", "-", name): made(make) for name, (make, _) in SITUATIONS.items() if name not in GALLERY
}


def main() -> None:
    PAGES.mkdir(exist_ok=True)
    known = GALLERY | PAGES_OF_SITUATIONS
    chosen = sys.argv[1:] or list(known)
    written = {name: known[name](PAGES / f"{name}.html") for name in chosen}
    for page in written.values():
        print(f"{page.relative_to(ROOT)}: {page.stat().st_size // 1000} kB")
    import chromium  # the driver of the browser tests

    program = chromium.find()
    if program is None:
        print("no pictures: Chromium is not installed")
        return
    with chromium.launched(program) as browser:
        for name, page in ((name, page) for name, page in written.items() if name in GALLERY):
            take(browser, page, IMAGES / f"gallery-{name}.png")


# Clusters that a picture shows in the inspector.
OPENED = {"digits": "cluster=5", "coreference": "cluster=compass", "communities": "cluster=Mr. Hi"}


def take(browser: Any, page: Path, target: Path) -> None:
    """The top of the page, in few colours."""
    with browser.open(page, width=WIDTH, height=HEIGHT, fragment=OPENED.get(page.stem, "")) as shown:
        shown.playwright.screenshot(path=target)
    reduce_colours(target)


def reduce_colours(target: Path) -> None:
    """Keep 256 colours: half of them the most frequent, such as the background's, which stay as they are."""
    import numpy as np
    from PIL import Image
    from scipy.spatial import KDTree

    picture = Image.open(target).convert("RGB")
    colours = picture.getcolors(picture.width * picture.height) or []
    frequent = [colour for _, colour in sorted(colours, reverse=True)[:128]]
    others = picture.quantize(256 - len(frequent), method=Image.Quantize.MAXCOVERAGE).getpalette() or []
    palette = [*(part for colour in frequent for part in colour), *others[: 3 * (256 - len(frequent))]]
    # Pillow looks colours up roughly: grey may turn pink.
    nearest = KDTree(np.reshape(palette, (-1, 3))).query(np.asarray(picture))[1]
    reduced = Image.fromarray(nearest.astype(np.uint8), "P")
    reduced.putpalette(palette)
    reduced.save(target, optimize=True)
    print(f"{target.relative_to(ROOT)}: {target.stat().st_size // 1000} kB")


if __name__ == "__main__":
    main()
