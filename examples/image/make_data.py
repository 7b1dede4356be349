# ruff: noqa: INP001  (a script, not part of a package)
"""Writes truth.csv and found.csv: a picture of cells, and what a threshold and a flood fill make of it.

    python examples/image/make_data.py

The picture is made here: 40 x 56 pixels with eleven round cells, some of which touch. Each pixel of a cell is
a record, "row,column". ``found`` joins bright pixels that touch, after noise and blur, so that cells that
touch are merged. Pixels outside of every cell are left out.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

HERE = Path(__file__).parent
CELLS = [(8, 8, 6), (9, 20, 5), (8, 30, 5), (10, 46, 7), (22, 10, 7), (24, 24, 6), (25, 36, 6), (24, 49, 5)]
CELLS += [(34, 7, 4), (34, 20, 4), (34, 44, 5)]
SHAPE = (40, 56)


def drawn() -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    """The cells, what is found of them, and the picture in which they are found."""
    truth = np.zeros(SHAPE, dtype=int)
    rows, columns = np.indices(SHAPE)
    light = np.zeros(SHAPE)
    for number, (row, column, radius) in enumerate(CELLS, start=1):
        away = np.hypot(rows - row, columns - column)
        truth[(away <= radius) & (truth == 0)] = number
        light = np.maximum(light, np.clip(1.25 - away / radius, 0, 1))
    noise = np.random.default_rng(7).normal(0, 0.13, SHAPE)
    picture = light + noise
    return truth, flooded(blurred(picture) > 0.36), picture


def main() -> None:
    """Write both files beside this script."""
    truth, found, _ = drawn()
    inside = (truth > 0) & (found > 0)
    for name, label, image in (("truth.csv", "cell", truth), ("found.csv", "segment", found)):
        pixels = np.argwhere(inside).tolist()
        rows_of = ((f"{row},{column}", str(image[row, column])) for row, column in pixels)
        write(name, ("pixel", label), rows_of)


def blurred(image: NDArray[np.float64]) -> NDArray[np.float64]:
    """The mean of each pixel and its four neighbours."""
    padded = np.pad(image, 1, mode="edge")
    near = (padded[:-2, 1:-1], padded[2:, 1:-1], padded[1:-1, :-2], padded[1:-1, 2:])
    return (image + sum(near)) / 5


def flooded(bright: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Bright pixels that touch have one number, others 0."""
    numbers = np.zeros(bright.shape, dtype=np.int64)
    for start in map(tuple, np.argwhere(bright).tolist()):
        if numbers[start]:
            continue
        waiting, number = [start], int(numbers.max()) + 1
        while waiting:
            row, column = waiting.pop()
            there = 0 <= row < bright.shape[0] and 0 <= column < bright.shape[1]
            if there and bright[row, column] and not numbers[row, column]:
                numbers[row, column] = number
                waiting += [(row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)]
    return numbers


def write(name: str, header: tuple[str, str], rows: Iterable[tuple[str, str]]) -> None:
    """A CSV file."""
    with (HERE / name).open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)


if __name__ == "__main__":
    main()
