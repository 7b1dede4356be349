"""The sizes of pages, which are sent around: no more than people can mail."""

import numpy as np
import pytest
from not_run import few
from test_gallery import ROOT

import concordant as cc


def moved(source, labels, clusters, share):
    return np.where(source.random(len(labels)) < share, source.integers(0, clusters, len(labels)), labels)


def compared(clusters, size, share, seed=5):
    """Records and clusters with names, as they are in files."""
    source = np.random.default_rng(seed)
    truth = source.integers(0, clusters, size)
    sides = (truth, moved(source, truth, clusters, share))
    names = [f"record {i}" for i in range(size)]
    return cc.compare(
        *(dict(zip(names, [f"cluster {label}" for label in side], strict=True)) for side in sides)
    )


def runs(count, size=400):
    source = np.random.default_rng(5)
    truth = source.integers(0, 8, size)
    return {"truth": truth} | {f"run {i}": moved(source, truth, 8, 0.1 + i / 100) for i in range(count - 1)}


def digits():
    truth, found = (
        dict(line.split(",") for line in (ROOT / "examples" / "digits" / name).read_text().split()[1:])
        for name in ("truth.csv", "kmeans.csv")
    )
    return cc.compare(truth, found)


def chain(size, seed=5):
    """A tree that takes up one element after the other, in any order."""
    order = np.random.default_rng(seed).permutation(size).tolist()
    rows = [[size + i - 1 if i else order[0], order[i + 1], i / size, i + 2] for i in range(size - 1)]
    return cc.Hierarchy.from_linkage(rows)


def thresholds(size):
    truth = np.random.default_rng(6).integers(0, size // 3, size)
    return cc.compare(truth.tolist(), chain(size))


def mixtures(clusters, size):
    sides = (np.random.default_rng(seed).dirichlet([0.1] * clusters, size) for seed in (5, 6))
    return cc.compare(*map(cc.Soft.from_matrix, sides))


def judged_diff():
    truth, before, after = runs(3, size=20_000).values()
    return cc.diff(before, after, reference=truth)


def questions(number):
    base, experiment, _ = runs(3, size=20_000).values()
    return cc.diff(base, experiment).ask(n_questions=number)


PAGES = {
    "two mixtures of 100": (400, lambda: mixtures(100, 2000)),
    "20,000 thresholds": (400, lambda: thresholds(20_000)),
    "two trees of 240": (400, lambda: cc.compare(chain(240), chain(240, seed=6))),
    "two trees": (400, lambda: cc.compare(chain(2000), chain(2000, seed=6))),
    "digits": (300, digits),
    "300 clusters": (400, lambda: compared(300, 12_000, 0.2)),
    # Of twenty seeds, this one has the largest page.
    "300 clusters, confused": (400, lambda: compared(300, 12_000, 0.6, seed=19)),
    "50,000 entities": (600, lambda: compared(50_000, 140_000, 0.07)),
    "60 runs": (400, lambda: cc.matrix(runs(60), reference="truth")),
    "60 runs, with a map": (400, lambda: cc.matrix(runs(60), "variation_of_information")),
    "track": (600, lambda: cc.track(runs(6, size=2000))),
    "diff": (400, lambda: cc.diff(*list(runs(3, size=20_000).values())[:2])),
    "diff with a reference": (600, judged_diff),
    "1,000 questions": (500, lambda: questions(1000)),
}


# Whose pages other entries resemble.
LONG = ["two trees", "60 runs, with a map", "300 clusters"]


@pytest.mark.parametrize("name", few(len(PAGES) - len(LONG), sorted(PAGES, key=LONG.__contains__)))
def test_pages_are_small(tmp_path, name):
    limit, result = PAGES[name]
    assert result().to_html(tmp_path / "page.html").stat().st_size <= 1000 * limit
