# ruff: noqa: INP001  (a script, not part of a package)
"""Writes truth.csv, kmeans.csv and images.csv: handwritten digits, and the clusters k-means finds among them.

    python examples/digits/make_data.py        (needs scikit-learn, which carries the images)

The images are 1,797 digits of the test set of "Optical Recognition of Handwritten Digits", given to the
UCI Machine Learning Repository by E. Alpaydin and C. Kaynak in 1998 (https://doi.org/10.24432/C50P49) under
the Creative Commons Attribution 4.0 licence (CC BY 4.0). Each has 8 x 8 pixels in 17 greys, which are
written here in 16, as PNG in a `data:` address.

Each image has a record id. The rows of kmeans.csv stand in another order than those of truth.csv, as
the output of a pipeline does: the two files fit together by record, not by row.
"""

from __future__ import annotations

import base64
import csv
from collections.abc import Iterable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.cluster import KMeans
from sklearn.datasets import load_digits
from sklearn.utils import shuffle

from concordant.report.images import png

HERE = Path(__file__).parent


def main() -> None:
    """Write both files beside this script."""
    digits = load_digits()
    clusters = KMeans(n_clusters=10, n_init=10, random_state=0).fit_predict(digits.data)
    records = [f"digit-{number:04}" for number in range(1, len(digits.target) + 1)]
    write("truth.csv", "digit", zip(records, digits.target.tolist(), strict=True))
    guesses = list(zip(records, clusters.tolist(), strict=True))
    write("kmeans.csv", "cluster", shuffle(guesses, random_state=0))
    write("images.csv", "image", zip(records, map(address, digits.images), strict=True))


def address(image: NDArray[np.float64]) -> str:
    """A picture as text, dark ink on white."""
    greys = (255 - 17 * np.minimum(image, 15)).astype(np.uint8)
    return f"data:image/png;base64,{base64.b64encode(png(greys)).decode()}"


def write(name: str, label: str, rows: Iterable[tuple[str, int | str]]) -> None:
    """A CSV file with a column of records and one of labels."""
    with (HERE / name).open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["record", label])
        writer.writerows(rows)


if __name__ == "__main__":
    main()
