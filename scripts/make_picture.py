"""Draw the picture of the README: which digits each k-means cluster holds.

    python scripts/make_picture.py

Reads examples/digits and writes docs/images/digits.svg.
"""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[1]
WIDTH, HEIGHT, MARGIN, BAR, GAP = 820, 560, 70, 14, 8
# Ten colours that are distinguishable with any colour vision (after Okabe and Ito, and Tol).
COLOURS = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9"]
COLOURS += ["#d55e00", "#6a51a3", "#8c8c00", "#7f5539", "#5c677d"]

GREY = "#797979"  # reads as well on white as on the dark pages of the site: the background is transparent


def read(name: str) -> dict[str, str]:
    with (ROOT / "examples" / "digits" / name).open(encoding="utf-8", newline="") as file:
        rows = csv.reader(file)
        next(rows)
        return dict(rows)


def places(sizes: dict[str, int]) -> dict[str, float]:
    """The top of each bar; bars are one below the other."""
    scale = unit(sizes)
    top, found = float(MARGIN), {}
    for name, size in sizes.items():
        found[name] = top
        top += size * scale + GAP
    return found


def unit(sizes: dict[str, int]) -> float:
    return (HEIGHT - 2 * MARGIN - GAP * (len(sizes) - 1)) / sum(sizes.values())


def order_clusters(cells: Counter[tuple[str, str]]) -> list[str]:
    """Each cluster beside the digit it holds most of."""
    clusters = {cluster for _, cluster in cells}
    best = {c: max((n, digit) for (digit, cluster), n in cells.items() if cluster == c)[1] for c in clusters}
    return sorted(clusters, key=lambda c: (best[c], c))


def band(left: float, right: float, height: float, colour: str, title: str) -> str:
    x0, x1 = MARGIN + BAR, WIDTH - MARGIN - BAR
    middle = (x0 + x1) / 2
    path = (
        f"M{x0},{left:.1f} C{middle},{left:.1f} {middle},{right:.1f} {x1},{right:.1f} "
        f"V{right + height:.1f} C{middle},{right + height:.1f} {middle},{left + height:.1f} "
        f"{x0},{left + height:.1f} Z"
    )
    return f'<path d="{path}" fill="{colour}" fill-opacity="0.55"><title>{title}</title></path>'


def bar(x: float, y: float, height: float, colour: str) -> str:
    return f'<rect x="{x}" y="{y:.1f}" width="{BAR}" height="{height:.1f}" fill="{colour}" rx="2"/>'


def text(x: float, y: float, words: str, anchor: str, size: int = 15) -> str:
    return f'<text x="{x}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}">{words}</text>'


def draw() -> str:
    truth, guess = read("truth.csv"), read("kmeans.csv")
    cells = Counter((truth[record], guess[record]) for record in truth)
    digits = {d: sum(n for (x, _), n in cells.items() if x == d) for d in sorted(set(truth.values()))}
    clusters = {c: sum(n for (_, x), n in cells.items() if x == c) for c in order_clusters(cells)}
    scale, left, right = unit(digits), places(digits), places(clusters)
    colour = dict(zip(digits, COLOURS, strict=True))
    shapes = []
    left_used, right_used = dict(left), dict(right)
    for cluster in clusters:
        for digit in digits:
            n = cells[digit, cluster]
            if n:
                title = f"digit {digit} in cluster {cluster}: {n}"
                shapes.append(band(left_used[digit], right_used[cluster], n * scale, colour[digit], title))
                left_used[digit] += n * scale
                right_used[cluster] += n * scale
    for digit, n in digits.items():
        shapes.append(bar(MARGIN, left[digit], n * scale, colour[digit]))
        shapes.append(text(MARGIN - 10, left[digit] + n * scale / 2 + 5, digit, "end", 18))
    for cluster, n in clusters.items():
        shapes.append(bar(WIDTH - MARGIN - BAR, right[cluster], n * scale, GREY))
        shapes.append(text(WIDTH - MARGIN + 10, right[cluster] + n * scale / 2 + 5, str(n), "start", 14))
    shapes.append(text(MARGIN, MARGIN - 24, "digit as written", "start"))
    shapes.append(text(WIDTH - MARGIN, MARGIN - 24, "k-means cluster, its size", "end"))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        f'font-family="system-ui, sans-serif" fill="{GREY}">\n' + "\n".join(shapes) + "\n</svg>\n"
    )


if __name__ == "__main__":
    target = ROOT / "docs" / "images" / "digits.svg"
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(draw(), encoding="utf-8")
