"""Lists whose order and digits do not depend on the engine, nor on the order of the records."""

import numpy as np
import polars as pl
import pytest

import concordant as cc

SIZE, MANY = 120, 25
rng = np.random.default_rng(3)
RECORDS = [f"r{number}" for number in rng.permutation(SIZE).tolist()]
FIRST = rng.integers(0, MANY, SIZE)
SECOND, THIRD = (np.where(rng.random(SIZE) < 0.4, rng.integers(0, MANY, SIZE), FIRST) for _ in range(2))
ROWS = rng.permutation(SIZE)


def as_file(frame, folder, name):
    frame.write_parquet(folder / f"{name}.parquet")
    return cc.Partition.scan(folder / f"{name}.parquet")


MAKE = {
    "mapping": lambda frame, *_: cc.Partition.from_mapping(dict(frame.iter_rows())),
    "frame": lambda frame, *_: cc.Partition.from_frame(frame),
    "lazy frame": lambda frame, *_: cc.Partition.from_frame(frame.lazy()),
    "file": as_file,
}


def sides(make, folder, rows, label):
    for name, labels in zip("uvw", (FIRST, SECOND, THIRD), strict=True):
        named = [label(each) for each in labels[rows].tolist()]
        yield make(pl.DataFrame({"record": [RECORDS[row] for row in rows], "cluster": named}), folder, name)


def lists(u, v, w):
    c, diff = cc.compare(u, v), cc.diff(v, w, reference=u)
    for order in ("missed", "size", "precision", "recall", "purity", "entropy"):
        found = c.clusters(limit=15, order=order)  # engines do not name clusters that both sides have
        yield order, [(each.cluster, getattr(each, order)) for each in found]
    yield from ((order, list(diff.clusters(limit=7, order=order))) for order in ("share", "improvement"))
    yield "components", list(diff.components(limit=None))
    yield "judged clusters", list(diff.clusters(limit=9, side="reference"))
    yield "fixed", list(diff.clusters(limit=9, outcome="fixed"))
    # Small overlaps are often equal: which is charged, and which is the core, follows the labels.
    yield "summary", diff.summary().to_dict()
    changes = c.changes(limit=None, n_examples=0)
    yield "changes", [each for each in changes if each.kind != "1:1"]
    for index in ("bcubed_f", "rand"):
        edits = c.suggest(index, limit=8)
        yield index, [(each.kind, each.cluster, each.other, each.reference, each.gain) for each in edits]
        yield f"{index}, groups", list(edits.groups)
    yield "components that changed", list(diff.components(limit=4))
    for side in ("reference", "candidate"):
        scores = [each for each in c.clusters(side=side, limit=None) if each.missed + each.wrong]
        yield side, sorted((each.cluster, each.partner, each.missed, each.wrong) for each in scores)


@pytest.mark.parametrize("make", MAKE.values(), ids=MAKE)
@pytest.mark.parametrize("label", [int, "c{}".format], ids=["numbers", "text"])
def test_order_and_digits(make, label, tmp_path):
    known = dict(lists(*sides(MAKE["mapping"], tmp_path, np.arange(SIZE), label)))
    assert dict(lists(*sides(make, tmp_path, ROWS, label))) == known


def tied_lists(labels, order):
    """Lists of small integer labels, in which most rows are tied; both sides lack some records."""
    first, second, source = (dict(zip(order, labels[row, order].tolist(), strict=True)) for row in range(3))
    c = cc.compare(first, second)
    yield "objects", list(c.objects())
    yield "within sources", list(c.within_sources(between=source))
    yield "advice", " ".join(str(c).split()).partition("Fix first:")[2].partition("(+")[0]
    edits = c.suggest(limit=None)
    yield "edits", [(each.kind, each.cluster, each.other, each.reference, each.size) for each in edits]
    yield "groups", [(each.kind, each.n_edits, each.gain) for each in edits.groups]
    yield "slices", c.slices(source).to_dict()["slices"]
    before = {record: label for record, label in first.items() if record % 3}
    after = {record: label for record, label in second.items() if record % 4}
    d = cc.diff(before, after, unmatched="drop")
    yield "new records", list(d.new_records(limit=2))
    yield "components", list(d.components(limit=None))
    yield "records", [(each.before, each.after) for each in d.records(limit=None)]


@pytest.mark.parametrize("clusters", [3, 6])
def test_ties_do_not_follow_the_order_of_the_records(clusters):
    random = np.random.default_rng(clusters)
    for _ in range(6):
        labels = random.integers(0, clusters, (3, 20))
        known = dict(tied_lists(labels, list(range(20))))
        for _ in range(4):
            assert dict(tied_lists(labels, random.permutation(20).tolist())) == known
