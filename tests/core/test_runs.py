"""Labels that come in runs, as in images and sorted files: counted run by run, the same counts sooner."""

import itertools

import numpy as np
import polars as pl
import pytest
import test_core
from not_run import few

import concordant as cc
from concordant import core

SIZE = 150_000  # enough for the core to look for runs

SPARSE = np.uint64(7 * 10**17)


def in_runs(seed, clusters, mean):
    rng = np.random.default_rng(seed)
    lengths = rng.geometric(1 / mean, size=SIZE)
    return np.repeat(rng.integers(0, clusters, size=SIZE), lengths)[:SIZE]


def check(u, v, threads=0):
    test_core.check(u, v, threads=(threads,))


@pytest.mark.parametrize("kind", ["u1", "i1", "u2", "i2", "u4", "i4", "u8", "i8"])
def test_every_width(kind):
    low = 0 if kind[0] == "u" else -50
    u = (in_runs(1, 100, 20) + low).astype(kind)
    check(u, in_runs(2, 90, 12))
    check(u[::-1], in_runs(2, 90, 12).astype("u2"))


def test_booleans_of_any_byte():
    u = (in_runs(3, 7, 30) % 3).astype("u1").view(bool)
    check(u.astype("u1") != 0, in_runs(4, 3, 9) > 1)
    np.testing.assert_array_equal(core.profile(u, u), core.profile(u.view("u1") != 0, u.view("u1") != 0))


@pytest.mark.parametrize("clusters", [3, 900, 40_000])
@pytest.mark.parametrize("mean", [4, 20])
def test_few_and_many_clusters(clusters, mean):
    u, v = in_runs(5, clusters, 2 * mean), in_runs(6, clusters, 2 * mean)
    check(u, v, threads=3)
    check(u.astype("u8") * SPARSE // np.uint64(clusters), v, threads=2)


def test_a_rare_label_far_away():
    """It lies outside of what a sample of the labels tells, and may need wider integers."""
    for clusters, far in itertools.product((100, 40_000), (300, 70_000, 2**40, -1)):
        u, v = in_runs(7, clusters, 20), in_runs(8, clusters, 20)
        u[123_456] = far
        check(u, v, threads=1 if far < 0 else 2)


def test_sorted_labels_whose_clusters_never_come_again():
    u = np.repeat(np.arange(SIZE // 5), 5)
    check(u, u // 2)
    check(np.repeat(np.arange(SIZE // 20), 20), u[: SIZE // 20 * 20])


SPREAD = np.int64(10**12)  # labels so far apart that no window holds them


@pytest.mark.parametrize("apart", [1, SPREAD])
def test_sorted_labels_and_a_label_that_comes_again_after_all(apart):
    """Ascending labels are new without a look; one that is not makes all before it known."""
    u = np.repeat(np.arange(SIZE // 20) * apart, 20)
    v = np.roll(u, 7)
    v[100_000:100_050] = u[5]
    u[120_000:] = u[50_000:80_000]
    check(u, v, threads=1)
    check(u[::-1], v[::-1], threads=2)  # descending
    check_dropped(u, v, (int(u[0]), int(v[-1])))


@pytest.mark.parametrize("apart", [1, SPREAD])
@pytest.mark.parametrize("line", [64, 1000, 3001])
def test_lines_like_the_ones_before(line, apart):
    """A cell is guessed by the one before it; where an image changes, it is looked up."""
    u = np.resize(in_runs(15, 30_000, 9)[:line], SIZE) * apart
    v = np.resize(in_runs(16, 200, 12)[:line], SIZE) + np.arange(SIZE) // 50_000 * 3000
    v[70_000:71_000] = np.arange(1000) // 2
    check(u, v, threads=1)
    check(u, v, threads=3)
    check_dropped(u, v, (int(u[1]), int(v[2])))


@pytest.mark.parametrize("length", [1023, 1024, 1025, 65_536])
def test_runs_that_end_where_blocks_end(length):
    for size in (131_072, 131_073, 131_136, 131_137):
        u = np.arange(size) // length * SPREAD
        check(u, (np.arange(size) + 1) // length, threads=1)


def test_the_smallest_and_the_largest_labels():
    for kind in ("i8", "u8", "i4"):
        ends = np.array([np.iinfo(kind).min, np.iinfo(kind).max, 5], dtype=kind)
        u, v = ends[in_runs(17, 3, 20)], ends[in_runs(18, 3, 20)]
        check(u, v)
        check(np.sort(u), v)
        check_dropped(u, v, (int(ends[0]), int(ends[1])))


def test_one_label_alone():
    for label in (0, np.iinfo("i8").min, np.iinfo("i8").max):
        check(np.full(SIZE, label), in_runs(19, 50_000, 20) * SPREAD)
    again_and_again = in_runs(19, 2000, 20) * SPREAD
    check(np.repeat([5, 5 + SPREAD], SIZE // 2), again_and_again)


def check_dropped(u, v, dropped, threads=2):
    """As if the elements were not there; what was copied has them still."""
    gone = [codes == label for codes, label in zip((u, v), dropped, strict=True) if label is not None]
    keep = ~np.any(gone, axis=0)
    expected = core.profile(u[keep], v[keep])
    np.testing.assert_array_equal(core.profile(u, v, threads, *dropped), expected)
    kept, kept_u, kept_v, squares = core.kept_profile(u, v, threads, *dropped)
    np.testing.assert_array_equal(kept, expected)
    np.testing.assert_array_equal(kept_u, u)
    np.testing.assert_array_equal(kept_v, v)
    assert core.pair_sums(u, v, threads, *dropped) == core.pair_sums(u[keep], v[keep])
    assert core.pair_sums(u, v, threads, *dropped)[1:] == squares


@pytest.mark.parametrize("clusters", [3, 900, 40_000, 10**12])
@pytest.mark.parametrize("mean", [1, 20])
def test_dropped_labels_are_as_if_they_were_not_there(clusters, mean):
    """Runs and none, in a dense table, in bands and in partitions, with a label that many elements have."""
    u, v = (in_runs(seed, clusters, mean) - 1 for seed in (11, 12))
    u[::7] = -1
    for dropped in ((-1, None), (None, int(v[5])), (-1, int(v[5])), (-2, -3)):
        check_dropped(u, v, dropped)
    check_dropped((u + 1).astype("u8"), v, (0, -1))


def test_all_elements_may_be_dropped():
    u = np.zeros(SIZE, dtype="u1")
    for labels in (u, u[:5], u.view(bool)):
        assert core.profile(labels, labels, 1, 0, None).shape == (4, 0)
        assert core.pair_sums(labels, labels, 1, None, 0) == (0, 0, 0, 0)


@pytest.mark.parametrize("kind", ["u8", "i8"])
@pytest.mark.parametrize("threads", [1, 3])
def test_wide_labels_in_runs_are_kept(kind, threads):
    """Whoever asks for records later gets the labels that were handed over, whatever became of these."""
    clusters = 300
    u, v = in_runs(13, clusters, 30), in_runs(14, clusters, 30)
    wide = u.astype(kind) * np.array(3 * 10**16, dtype=kind) + np.array(7, dtype=kind)
    for options in ({}, {"noise": int(wide[0]), "noise_as": "drop"}):
        c = cc.compare(wide.copy(), v.copy(), threads=threads, **options)
        plain = cc.compare(u, v, **({} if not options else {"noise": int(u[0]), "noise_as": "drop"}))
        if not options:
            assert c.to_dict(indices=["adjusted_rand", "purity"]) == plain.to_dict(
                indices=["adjusted_rand", "purity"]
            )
            np.testing.assert_array_equal(c._counts.table.n, plain._counts.table.n)
            worst = c.records(limit=3)
            assert [each.record for each in worst] == [each.record for each in plain.records(limit=3)]
            assert [each.reference for each in worst] == [int(wide[each.record]) for each in worst]
        else:
            keep = wide != options["noise"]
            assert c["adjusted_rand"] == cc.adjusted_rand(u[keep & (v != options["noise"])], v[keep])
            assert all(wide[each.record] != options["noise"] for each in c.records(limit=3))


SPELLINGS = {
    "numbers": int,
    "short texts": "c-{:03d}".format,
    "digests": lambda x: f"{x * 0x9E3779B97F4A7C15F39CC0605CEDC834 % 2**128:032x}",
    "odd texts": lambda x: "ä" * x,
}


@pytest.mark.parametrize(
    ("spelling", "nulls"), few(2, [("numbers", "singletons"), *((x, "drop") for x in reversed(SPELLINGS))])
)
def test_label_columns_of_a_file(tmp_path, spelling, nulls):
    """In runs of labels, of nulls and of noise, which end anywhere in row groups and blocks."""
    spelled = SPELLINGS[spelling]
    lengths = np.random.default_rng(5).integers(1, 60, 400)
    columns = {
        name: [None if x == 3 else spelled(x) for x in np.repeat(starts % 9, lengths).tolist()]
        for name, starts in (("u", np.arange(400)), ("v", np.arange(400) // 2))
    }
    path = tmp_path / "runs.parquet"
    pl.DataFrame(columns).write_parquet(path, row_group_size=1000)
    asked = {"nulls": nulls, "noise": spelled(1), "noise_as": "singletons"}
    sides = [cc.Partition.scan(path, cluster=name, record=None, **asked) for name in columns]
    assert dict(cc.compare(*sides)) == dict(cc.compare(*columns.values(), **asked))
