# ruff: noqa: INP001  (a script, not part of a package)
"""Writes truth.csv and kmeans.csv: handwritten digits, and the clusters that k-means finds among them.

    python examples/digits/make_data.py        (needs scikit-learn, which carries the images)

The images are 1,797 digits of the test set of "Optical Recognition of Handwritten Digits", given to the
UCI Machine Learning Repository by E. Alpaydin and C. Kaynak in 1998 (https://doi.org/10.24432/C50P49) under
the Creative Commons Attribution 4.0 licence (CC BY 4.0). Only the digit that each image shows and the cluster
it fell into are written here, not the images.

Each image has a record id. The rows of kmeans.csv stand in another order than those of truth.csv, as
the output of a pipeline does: the two files fit together by record, not by row.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable
from pathlib import Path

from sklearn.cluster import KMeans
from sklearn.datasets import load_digits
from sklearn.utils import shuffle

HERE = Path(__file__).parent


def main() -> None:
    """Write both files beside this script."""
    digits = load_digits()
    clusters = KMeans(n_clusters=10, n_init=10, random_state=0).fit_predict(digits.data)
    records = [f"digit-{number:04}" for number in range(1, len(digits.target) + 1)]
    write("truth.csv", "digit", zip(records, digits.target.tolist(), strict=True))
    guesses = list(zip(records, clusters.tolist(), strict=True))
    write("kmeans.csv", "cluster", shuffle(guesses, random_state=0))


def write(name: str, label: str, rows: Iterable[tuple[str, int]]) -> None:
    """A CSV file with a column of records and one of labels."""
    with (HERE / name).open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["record", label])
        writer.writerows(rows)


if __name__ == "__main__":
    main()
