"""Weights in arrays, which the core counts, give the values of any other exact numbers, bit for bit."""

import copy
import pickle
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from not_run import few

import concordant as cc

KINDS = {
    "small integers": lambda random, n: random.integers(1, 1000, n),
    "large integers": lambda random, n: random.integers(1, 2**50, n),
    "integers beyond sums of 64 bits": lambda random, n: random.integers(2**61, 2**63 - 1, n),
    "two decimals": lambda random, n: random.integers(1, 10_000, n) / 100,
    "tenths": lambda _, n: np.full(n, 0.1),
    "17 digits": lambda random, n: 1 - random.random(n),
    "lognormal": lambda random, n: np.exp(3 * random.normal(size=n)),
    "powers of ten": lambda random, n: 10.0 ** random.integers(-8, 9, n),
    "32 bits": lambda random, n: (1 - random.random(n)).astype(np.float32),
    "small types": lambda random, n: random.integers(1, 200, n).astype(np.uint8),
}


def exactly(weights):
    """The same numbers as fractions, which the core does not take."""
    return [Fraction(str(weight)) for weight in weights]


def same(found, wanted):
    """Whether two comparisons agree in everything they hold and in every bit of every value."""
    for name in ("parts", "squares", "size", "rows", "columns", "cells", "total"):
        assert getattr(found, name) == getattr(wanted, name), name
    for name in ("row", "column", "n", "row_sizes", "column_sizes"):
        assert getattr(found.weights.table, name).tolist() == getattr(wanted.weights.table, name).tolist()
    for name in ("own", "cell", "cell_squares", "row_squares", "column_squares"):
        assert getattr(found, name).tolist() == getattr(wanted, name).tolist(), name
    for name in ("n", "a", "b", "count"):
        assert getattr(found.weights, name).tolist() == getattr(wanted.weights, name).tolist()


def agree(u, v, weights, indices=None):
    found, wanted = cc.compare(u, v, weights=weights), cc.compare(u, v, weights=exactly(weights))
    assert found.pairs == wanted.pairs
    for name in ("adjusted_rand", "bcubed_precision", "bcubed_recall", "goodman_kruskal_tau"):
        assert found.exact(name) == wanted.exact(name)
    for name in indices or ():
        assert found[name] == wanted[name], name
    if not indices:
        assert found.to_dict() == wanted.to_dict()
    assert found.signature == wanted.signature
    same(found._counts, wanted._counts)


@pytest.mark.parametrize("kind", KINDS)
def test_all_values_of_few_clusters(kind):
    random = np.random.default_rng(0)
    for n, clusters in ((1, 1), (2, 2), (40, 4), (600, 12)):
        u, v = random.integers(0, clusters, (2, n))
        agree(u, v, KINDS[kind](random, n))


@pytest.mark.parametrize(("bits", "exponent_bits"), [(64, 11), (32, 8)])
def test_floats_of_any_size_are_their_shortest_decimals(bits, exponent_bits):
    random, digits = np.random.default_rng(3), bits - 1 - exponent_bits
    for exponent in range(0, 2**exponent_bits - 1, 2**exponent_bits // 16):
        exponents = np.minimum(exponent + random.integers(0, 25, 200), 2**exponent_bits - 2)
        of_bits = (exponents << digits) + random.integers(1, 2**digits, 200)
        of_bits[::10] = exponents[::10].clip(1) << digits  # powers of two
        weights = of_bits.astype(f"u{bits // 8}").view(f"f{bits // 8}")
        counts = cc.compare(exponents, exponents, weights=weights)._counts
        assert [Fraction(own, counts.parts) for own in counts.own.tolist()] == exactly(weights)


MAIN = (
    "adjusted_rand",
    "bcubed_f",
    "element_jaccard",
    "mutual_information",
    "nmi",
    "variation_of_information",
)


@pytest.mark.parametrize("kind", few(3, list(KINDS)))
def test_all_rates_of_diffs(kind):
    random = np.random.default_rng(6)
    for clusters in (4, 150):
        truth, u, v = random.integers(0, clusters, (3, 500))
        weights = KINDS[kind](random, 500)
        for reference in (None, truth):
            found, wanted = (
                cc.diff(u, v, reference=reference, weights=each) for each in (weights, exactly(weights))
            )
            assert found.to_dict() == wanted.to_dict()
            assert str(found.records(limit=50)) == str(wanted.records(limit=50))


@pytest.mark.parametrize("kind", few(3, list(KINDS)))
def test_diffs_and_stability(kind):
    random = np.random.default_rng(2)
    truth, u, v = random.integers(0, 60, (3, 200))
    weights = KINDS[kind](random, 200)
    judged = [cc.diff(u, v, reference=truth, weights=each) for each in (weights, exactly(weights))]
    for name in judged[0]:
        assert judged[0].exact(name) == judged[1].exact(name), name
    assert judged[0].signature == judged[1].signature
    runs = [
        cc.stability({"a": u, "b": v}, reference=truth, weights=each) for each in (weights, exactly(weights))
    ]
    assert runs[0].to_dict() == runs[1].to_dict()


@pytest.mark.parametrize("kind", few(3, list(KINDS)))
def test_values_of_many_clusters(kind):
    random = np.random.default_rng(1)
    u = random.integers(0, 900, 2500) * 10**15 - 2**60  # labels that are far apart
    v = np.where(random.random(2500) < 0.7, u, random.integers(0, 1200, 2500))
    agree(u, v, KINDS[kind](random, 2500), MAIN)


def test_long_rows():
    random = np.random.default_rng(2)
    u, v = random.integers(0, 20, 30_000), random.integers(0, 9000, 30_000)
    agree(u, v, random.integers(1, 1000, 30_000), MAIN)
    agree(v, u, random.integers(1, 1000, 30_000), MAIN)


LARGEST = 1.7014118346046923e38  # the largest float of which the decimal is below 2**127


@pytest.mark.parametrize(
    "weights",
    [
        [2**62, 2**62 - 1],  # sums of 64 bits, one of which is a sign
        [2**62, 2**62],
        [2**63 - 1, 2**63 - 1],
        [LARGEST, 1.0],
        [LARGEST, np.nextafter(LARGEST, np.inf) - LARGEST],
        [np.nextafter(LARGEST, np.inf), 1.0],
        [1e30, 1e-7],
        [1e31, 1e-7],
        [5e-324, 5e-324],
        [1e308, 1e-308],
        [1.7976931348623157e308, 1.7976931348623157e308],
        [0.1, 2e22],
    ],
)
def test_at_the_bounds(weights):
    for u in ([0, 0], [0, 1]):
        agree(u, [0, 1], np.array(weights), ("adjusted_rand", "bcubed_precision", "mutual_information"))
    with pytest.raises(cc.errors.ParameterError, match="at position 1 is"):
        cc.compare([0, 0], [0, 1], weights=np.array([weights[0], -weights[1]]))


@pytest.mark.parametrize("wrong", [0.0, -1.0, np.nan, np.inf])
@pytest.mark.parametrize("others", [0.5, 1 / 3])
def test_a_weight_that_is_not_positive_is_refused(wrong, others):
    weights = np.full(5000, others)
    weights[4321] = wrong
    with pytest.raises(cc.errors.ParameterError, match="the weight at position 4321 is"):
        cc.compare(np.zeros(5000, int), np.zeros(5000, int), weights=weights)


def test_decimals_among_others():
    random = np.random.default_rng(3)
    u, v = random.integers(0, 5, (2, 5000))
    weights = random.integers(1, 100, 5000) / 4
    for at, other in ((4999, 0.001), (2500, 1 / 3), (0, 7.0)):
        weights[at] = other
        agree(u, v, weights, MAIN)


def test_ten_tenths_weigh_one():
    for kind in (float, np.float32, np.float16):
        assert cc.compare([0] * 10, [0] * 10, weights=np.full(10, 0.1, kind)).pairs.size == 1
        assert cc.compare([0] * 10, [0] * 10, weights=list(np.full(10, 0.1, kind))).pairs.size == 1


TENTHS = np.full(10, 0.1, np.float32)


class Tensor:
    """A tensor of PyTorch on a GPU: an array only once it is detached and copied."""

    dtype = "torch.float32"

    def __array__(self, *_, **__):
        raise TypeError("use Tensor.cpu()")

    def __iter__(self):
        return iter(TENTHS)

    def tolist(self):
        return TENTHS.tolist()

    def detach(self):
        return self

    def cpu(self):
        return TENTHS


COLUMNS = {
    "PyTorch": Tensor,
    "pandas": lambda: pd.Series(TENTHS),
    "pandas Float32": lambda: pd.Series(TENTHS, dtype="Float32"),
    "pandas of Arrow": lambda: pd.Series(TENTHS, dtype="float[pyarrow]"),
    "Polars": lambda: pl.Series(TENTHS),
    "Arrow": lambda: pa.array(TENTHS),
    "Arrow in chunks": lambda: pa.chunked_array([TENTHS[:3], TENTHS[3:]]),
}


@pytest.mark.parametrize("kind", COLUMNS)
def test_ten_tenths_of_32_bits_weigh_one_in_any_column(kind):
    assert cc.compare([0] * 10, [0] * 10, weights=COLUMNS[kind]()).pairs.size == 1


def test_ten_tenths_of_32_bits_weigh_one_by_name_in_frames_and_in_files(tmp_path):
    named = {f"r{i}": 0 for i in range(10)}
    assert cc.compare(named, named, weights=pd.Series(TENTHS, index=list(named))).pairs.size == 1
    frame = pl.DataFrame({"record": list(named), "cluster": [0] * 10, "cost": TENTHS})
    frame.write_parquet(tmp_path / "costs.parquet")
    for table in (frame, frame.to_pandas(), frame.to_arrow()):
        assert cc.compare(table, columns=["cluster", "cluster"], weights="cost").pairs.size == 1
    side = cc.Partition.scan(tmp_path / "costs.parquet", record="record", cluster="cluster")
    assert cc.compare(side, side, weights="cost").pairs.size == 1


def test_kinds_of_sequences_and_layouts():
    random = np.random.default_rng(4)
    u, v = random.integers(0, 5, (2, 400))
    for weights in (random.integers(1, 99, 400), random.random(400) + 0.5):
        wanted = cc.compare(u, v, weights=weights).to_dict()
        wide = np.stack([weights, weights], axis=1)[:, 0]
        swapped = weights.astype(weights.dtype.newbyteorder(">"))
        for given in (weights.tolist(), list(weights), tuple(weights.tolist()), wide, swapped):
            assert cc.compare(u, v, weights=given).to_dict() == wanted
        names = [f"r{i}" for i in range(400)]
        sides = (dict(zip(names, side.tolist(), strict=True)) for side in (u, v))
        named = dict(zip(names, weights.tolist(), strict=True))
        assert cc.compare(*sides, weights=named).to_dict() == wanted
        for labels in (u.astype(str).tolist(), u.astype(np.int8), u.astype(np.uint64) + 2**63):
            assert cc.compare(labels, v, weights=weights).to_dict() == wanted


def test_elements_that_are_left_out():
    random = np.random.default_rng(5)
    u, v = random.integers(0, 5, (2, 400))
    weights = random.random(400) + 0.5
    kept = random.random(400) < 0.6
    wanted = cc.compare(u[kept], v[kept], weights=weights[kept]).to_dict()
    assert cc.compare(u, v, weights=weights, where=kept).to_dict() == wanted
    wanted = cc.compare(u, v, weights=exactly(weights), noise=3, noise_as="drop")
    found = cc.compare(u, v, weights=weights, noise=3, noise_as="drop")
    assert found.to_dict() == wanted.to_dict()
    same(found._counts, wanted._counts)


def test_copies_do_not_need_the_core():
    random = np.random.default_rng(6)
    u, v = random.integers(0, 30, (2, 300))
    c = cc.compare(u, v, weights=random.random(300) + 0.1)
    for found in (pickle.loads(pickle.dumps(c)), copy.deepcopy(c)):
        assert found.to_dict() == c.to_dict()
        assert found._counts.own.tolist() == c._counts.own.tolist()


@pytest.mark.parametrize("threads", [1, 3])
def test_any_number_of_threads(threads):
    random = np.random.default_rng(7)
    for clusters in (20, 90_000):
        u, v = random.integers(0, clusters, (2, 300_000))
        weights = random.random(300_000)
        wanted = cc.compare(u, v, weights=weights).pairs
        assert cc.compare(u, v, weights=weights, threads=threads).pairs == wanted
