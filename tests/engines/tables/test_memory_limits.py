"""Work that does not fit into memory= is refused with a limit that suffices."""

import re

import numpy as np
import polars as pl
import pytest
from inner import machine

import concordant as cc
from concordant.errors import TooLargeError

SIZE = 6_000
LIMIT = "100MB"  # less than the process holds before it starts


@pytest.fixture(autouse=True)
def refuse_small_work(monkeypatch):
    monkeypatch.setattr(machine, "LEAST_ROOM", 0)


@pytest.fixture(scope="module")
def paths(tmp_path_factory):
    rng = np.random.default_rng(3)
    folder = tmp_path_factory.mktemp("limits")
    found = {}
    for name in ("truth", "old", "new"):
        order = rng.permutation(SIZE)
        labels = rng.integers(0, SIZE // 3, SIZE)
        frame = pl.DataFrame({"record": order, "cluster": labels, "unit": order % 50})
        found[name] = folder / f"{name}.parquet"
        frame.write_parquet(found[name])
    return found


CALLS = {
    "diff": lambda s: cc.diff(s["old"], s["new"], reference=s["truth"]).headline,
    "rank": lambda s: cc.rank(s["truth"], {"old": s["old"], "new": s["new"]}, "f_measure").headline,
    "interval": lambda s: cc.compare(s["truth"], s["new"]).interval("f_measure", unit="unit").low,
    "slices": lambda s: tuple(cc.compare(s["truth"], s["new"]).slices("unit")),
    "stability": lambda s: cc.stability(s).headline,
    "consensus": lambda s: cc.consensus(s).partition.n_clusters,
    "track": lambda s: cc.track(s).headline,
}


def limit_of(refused):
    """The limit that the error names."""
    enough = re.search(r"pass memory='(\d+MB)' to give enough", str(refused.value))
    assert enough is not None
    return enough[1]


def test_a_tree_of_pairs_needs_memory_for_each_record(tmp_path):
    rng = np.random.default_rng(4)
    pairs = {"l": rng.integers(0, SIZE, SIZE), "r": rng.integers(0, SIZE, SIZE), "s": rng.random(SIZE)}
    path = tmp_path / "pairs.parquet"
    pl.DataFrame(pairs).write_parquet(path)
    with pytest.raises(TooLargeError, match="a tree of about") as refused:
        cc.Hierarchy.from_pairs(path, left="l", right="r", score="s", memory=LIMIT)
    enough = cc.Hierarchy.from_pairs(path, left="l", right="r", score="s", memory=limit_of(refused))
    assert enough == cc.Hierarchy.from_pairs(path, left="l", right="r", score="s")


@pytest.mark.parametrize("call", CALLS)
def test_the_limit_that_an_error_names_suffices(paths, call):
    def sides(memory):
        return {name: cc.Partition.scan(path, memory=memory) for name, path in paths.items()}

    with pytest.raises(TooLargeError) as refused:
        CALLS[call](sides(LIMIT))
    assert CALLS[call](sides(limit_of(refused))) == CALLS[call](sides(None))
