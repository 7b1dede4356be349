"""Soft partitions on a GPU: the same bits as in memory.

Where there is a GPU with CuPy, weights are summed there. Everywhere, the same is done on a device made of
NumPy.
"""

import sys

import emulated_gpu
import numpy as np
import pytest
from inner import data_of, gram

import concordant as cc
from concordant.errors import InputError, LengthError, MissingExtraError, ParameterError, SoftError

ONE_PASS = ("soft_adjusted_rand", "soft_rand_squared", "soft_matching_accuracy", "frobenius_adjusted_rand")


def real_cupy():
    try:
        import cupy

        cupy.cuda.runtime.getDeviceCount()
    except (ImportError, RuntimeError):
        return None
    return cupy


CUPY = real_cupy()


@pytest.fixture(params=["emulated", "cupy", "torch"])
def on_device(request, monkeypatch):
    """A function that puts a matrix on a GPU."""
    if request.param == "emulated":
        monkeypatch.setitem(sys.modules, "cupy", emulated_gpu.EmulatedCuPy())
        return emulated_gpu.Borrowed
    if CUPY is None:
        pytest.skip("needs CuPy and a GPU")
    if request.param == "cupy":
        return CUPY.asarray
    torch = pytest.importorskip("torch", reason="needs PyTorch")
    return lambda matrix: torch.from_numpy(np.ascontiguousarray(matrix)).cuda()


def sides(n, columns=(3, 5), seed=1):
    source = np.random.default_rng(seed)
    return [source.dirichlet([0.3] * k, n) for k in columns]


@pytest.mark.parametrize("rows", [1, 2, 1000])
def test_values_are_those_in_memory(on_device, rows, monkeypatch):
    monkeypatch.setattr(gram, "_BYTES", 8 * 4 * 8 * 300)  # 300 rows at a time
    u, v = sides(rows)
    here = cc.compare(*map(cc.Soft.from_matrix, (u, v)))
    there = cc.compare(*(cc.Soft.from_matrix(on_device(each)) for each in (u, v)))
    assert there._counts.gram == here._counts.gram
    assert there._counts.overlaps == here._counts.overlaps
    assert {name: there[name] for name in ONE_PASS} == {name: here[name] for name in ONE_PASS}
    assert there.signature == here.signature
    assert [match.overlap for match in there.matching()] == [match.overlap for match in here.matching()]


def test_sums_are_exact_integers(on_device):
    u, v = sides(50)
    gram_there = cc.compare(*(cc.Soft.from_matrix(on_device(each)) for each in (u, v)))._counts.gram
    x, y = (data_of(cc.Soft.from_matrix(each)).memberships.units.astype(object) for each in (u, v))
    a, b = (x * x).sum(axis=1), (y * y).sum(axis=1)
    assert gram_there.row_sums == [int(each) for each in (sum(a), sum(b), a @ a, a @ b, b @ b)]
    assert gram_there.uv == {i * 5 + j: int(x[:, i] @ y[:, j]) for i in range(3) for j in range(5)}


def test_forms_of_matrices(on_device):
    u, _ = sides(40)
    here = cc.Soft.from_matrix(u)
    wide = np.column_stack([u, np.zeros(40)])
    counts = np.random.default_rng(2).integers(1, 9, (40, 3))
    forms = [
        (cc.Soft.from_matrix(on_device(np.ascontiguousarray(u.T)), transposed=True), here),
        (cc.Soft.from_matrix(on_device(wide)), cc.Soft.from_matrix(wide)),
        (
            cc.Soft.from_matrix(on_device(counts), normalise=True),
            cc.Soft.from_matrix(counts.astype(float), normalise=True),
        ),
        (
            cc.Soft.from_matrix(on_device(u.astype(np.float32)), clusters=list("abc")),
            cc.Soft.from_matrix(u.astype(np.float32), clusters=list("abc")),
        ),
    ]
    for there, same in forms:
        assert (there.clusters, data_of(there).audit, len(there)) == (
            same.clusters,
            data_of(same).audit,
            len(same),
        )
        assert cc.compare(there, there)._counts.gram == cc.compare(same, same)._counts.gram
        assert cc.compare(there, there).soft_adjusted_rand == 1


@pytest.mark.parametrize(
    ("rows", "options", "words"),
    [
        ([[1.0, 0.0], [0.75, 0.75]], {}, r"row 1 adds up to 1\.5; .*normalise=True"),
        ([[1.0, 0.0], [0.5, 0.25]], {}, r"row 1 adds up to 0\.75"),
        ([[1.5, -0.5]], {}, r"row 0 contains -0\.5"),
        ([[1.0, 0.0], [np.nan, 1.0]], {}, "row 1 contains NaN"),
        ([[0.0, 0.0]], {"normalise": True}, "row 0 has no weight"),
        ([0.5, 0.5], {}, "two dimensions"),
    ],
)
def test_rows_that_are_refused(on_device, rows, options, words):
    with pytest.raises(SoftError, match=words):
        cc.Soft.from_matrix(on_device(np.array(rows)), **options)


def test_options_and_questions_for_weights_in_memory(on_device):
    u, v = sides(20)
    there = [cc.Soft.from_matrix(on_device(each)) for each in (u, v)]
    for options in ({"records": list(range(20))}, {"remainder": "alone"}):
        with pytest.raises(ParameterError, match="needs weights in memory"):
            cc.Soft.from_matrix(on_device(u), **options)
    s = cc.compare(*there)
    for question in (s.records, s.significance, s.interval, s.plot, lambda: s.soft_rand, lambda: s.hardened):
        with pytest.raises(SoftError, match=r"on a GPU.*cupy\.asnumpy"):
            question()
    with pytest.raises(InputError, match="never copied implicitly"):
        cc.compare(there[0], cc.Soft.from_matrix(v))
    with pytest.raises(InputError, match="the candidate are on a GPU and the reference is not"):
        cc.compare([0] * 20, there[0])
    with pytest.raises(LengthError, match="20 records and the candidate 19"):
        cc.compare(there[0], cc.Soft.from_matrix(on_device(v[:19])))
    with pytest.raises(ParameterError, match="threads=2"):
        cc.compare(*there, threads=2)
    with pytest.raises(SoftError, match="draws are compared in memory"):
        cc.Soft.from_draws(on_device(np.zeros((3, 2), dtype=int)))


def test_without_cupy(monkeypatch):
    monkeypatch.setitem(sys.modules, "cupy", None)
    with pytest.raises(MissingExtraError, match="gpu"):
        cc.Soft.from_matrix(emulated_gpu.Borrowed(np.eye(3)))
