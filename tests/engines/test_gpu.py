"""Labels on a GPU: the same bits as in memory.

Where there is a GPU with CuPy, all is counted there. Everywhere, the same is counted on a device made of
NumPy, which has the ways of counting, the choice between them and the errors, but not the kernels.
"""

import pickle
import sys
import types

import emulated_gpu
import numpy as np
import pytest
from inner import Detail, counting, device, job

import concordant as cc
from concordant import Partition
from concordant.errors import (
    InputError,
    LabelError,
    LengthError,
    MissingExtraError,
    NothingLeftError,
    ParameterError,
    ShapeError,
    TableNeededError,
    TooLargeError,
    UnmatchedError,
)


def cupy_with_a_device():
    """CuPy where it is installed and finds a GPU, or why not."""
    try:
        import cupy
    except ImportError:
        return None, "needs CuPy (the extra gpu)"
    try:
        cupy.cuda.runtime.getDeviceCount()
    except cupy.cuda.runtime.CUDARuntimeError as error:
        return None, f"needs a GPU: {error}"
    return cupy, ""


CUPY, WHY_NOT = cupy_with_a_device()
needs_a_gpu = pytest.mark.skipif(CUPY is None, reason=WHY_NOT)


def to_cupy(labels):
    return CUPY.asarray(labels)


def to_torch(labels):
    torch = pytest.importorskip("torch", reason="needs PyTorch")
    return torch.from_numpy(np.array(labels)).cuda()


def to_jax(labels):
    jax = pytest.importorskip("jax", reason="needs JAX")
    if labels.dtype.itemsize == 8:
        jax.config.update("jax_enable_x64", val=True)
    return jax.device_put(labels, jax.devices("gpu")[0])


class Interface:
    """An array that has ``__cuda_array_interface__`` and no more."""

    def __init__(self, labels):
        self.array = CUPY.asarray(labels)
        self.shape, self.dtype = self.array.shape, self.array.dtype

    @property
    def __cuda_array_interface__(self):
        return self.array.__cuda_array_interface__

    def __getitem__(self, key):
        return Interface(self.array[key])


@pytest.fixture
def kernels():
    return emulated_gpu.Kernels()


@pytest.fixture
def emulated(monkeypatch, kernels):
    """Arrays of another library on a device made of NumPy."""
    cupy = emulated_gpu.EmulatedCuPy()
    monkeypatch.setattr(job, "imported", lambda: cupy)
    monkeypatch.setattr(job, "kernels_on", lambda *_: kernels)
    return emulated_gpu.Borrowed


@pytest.fixture(
    params=[
        "emulated",
        *(pytest.param(x, marks=needs_a_gpu) for x in (to_cupy, to_torch, to_jax, Interface)),
    ],
    ids=lambda x: x if isinstance(x, str) else x.__name__,
)
def on_device(request):
    """Puts an array on a device."""
    return request.getfixturevalue("emulated") if request.param == "emulated" else request.param


RANDOM = np.random.default_rng(7)


def draw(low, high, dtype, size=3000):
    return RANDOM.integers(low, high, size, dtype=np.int64).astype(dtype)


INTEGERS = [np.dtype(f"{sign}{width}") for sign in "iu" for width in (1, 2, 4, 8)]

LABELS = {
    **{f"{dtype}": (draw(0, 7, dtype), draw(0, 6, dtype)) for dtype in INTEGERS},
    "bool": (draw(0, 2, bool), draw(0, 2, bool)),
    "bool and int64": (draw(0, 2, bool), draw(-4, 4, "i8")),
    "int8 and uint64": (draw(-4, 4, "i1"), draw(0, 5, "u8") + np.uint64(2**64 - 6)),
    "all of int8 and uint8": (draw(-128, 128, "i1"), draw(0, 256, "u1")),
    "a table in global memory": (draw(-40, 60, "i4"), draw(0, 50, "i2")),
    "many clusters": (draw(0, 900, "i4"), draw(0, 1000, "i4")),
    "large and small clusters": (np.sort(draw(0, 40, "i4") ** 3), draw(0, 4, "i4") ** 8),
    "scattered": (draw(-(2**62), 2**62, "i8"), draw(0, 40, "i8") * 2**57),
    "full range": (np.array([-(2**63), 2**63 - 1, 0, 0], "i8"), np.array([0, 2**64 - 1, 2**63, 0], "u8")),
    "full range of 32 bits": (draw(-(2**31), 2**31, "i4"), draw(0, 2**32, "u4")),
    "singletons": (np.arange(3000, dtype="i4"), np.arange(3000, dtype="i4")[::-1].copy()),
    "one cluster": (np.full(3000, 5), np.full(3000, -9)),
    "sorted": (np.sort(draw(0, 7, "i4")), np.sort(draw(0, 9, "i4"))),
    "one element": (np.array([3]), np.array([4])),
    "33 elements": (draw(0, 3, "i4", 33), draw(0, 3, "i4", 33)),
    "rare labels": (
        np.append(np.zeros(140_000, "i4"), [90, -70]),
        np.append([25], np.zeros(140_001)).astype("i4"),
    ),
}


def assert_same_counts(here, there):
    for name in ("n", "a", "b", "count"):
        assert np.array_equal(getattr(here._counts, name), getattr(there._counts, name)), name


def assert_same_table(here, there):
    assert_same_counts(here, there)
    tables = here._counts.completed.table, there._counts.completed.table
    for name in ("row", "column", "n", "row_first", "column_first"):
        assert np.array_equal(*(getattr(table, name) for table in tables)), name


def assert_same(here, there):
    """Two comparisons of the same labels: the counts, the table, and every index, bit by bit."""
    assert_same_table(here, there)
    names = here._counted.names, there._counted.names
    assert names[1].known_labels != "none"
    for row in range(min(20, here._counts.rows)):
        assert names[0].cluster(0, row) == names[1].cluster(0, row)
        assert type(names[0].cluster(0, row)) is type(names[1].cluster(0, row))
    for column in range(min(20, here._counts.columns)):
        assert names[0].cluster(1, column) == names[1].cluster(1, column)
    assert here.signature == there.signature
    if here._counts.cells < 2000:  # so that this stays quick
        assert repr(here.to_dict()) == repr(there.to_dict())


@pytest.mark.parametrize("case", LABELS)
def test_the_same_bits_as_in_memory(on_device, case):
    u, v = LABELS[case]
    assert_same(cc.compare(u, v), cc.compare(on_device(u), on_device(v)))
    for index in (cc.adjusted_rand, cc.variation_of_information, cc.purity):
        assert index(u, v) == index(on_device(u), on_device(v))


@pytest.mark.parametrize("shape", [(50, 60), (10, 15, 20)])
def test_arrays_of_many_dimensions(on_device, shape):
    u, v = (draw(0, 9, "i4").reshape(shape) for _ in range(2))
    expected = cc.compare(u.ravel(), v.ravel())
    assert_same(expected, cc.compare(on_device(u), on_device(v)))
    assert_same(expected, cc.compare(on_device(np.asfortranarray(u)), on_device(v)))


@needs_a_gpu
@pytest.mark.parametrize("dtype", ["i1", "i4", "i8"])
def test_views_that_begin_anywhere_and_step_any_way(dtype):
    u, v = draw(0, 9, dtype), draw(0, 9, dtype)
    given = to_cupy(u), to_cupy(v)
    for cut in (slice(1, None), slice(3, 2000), slice(None, None, 3), slice(None, None, -1)):
        assert_same(cc.compare(u[cut], v[cut]), cc.compare(given[0][cut], given[1][cut]))
    assert_same(cc.compare(u[1:], v[:-1]), cc.compare(given[0][1:], given[1][:-1]))


@needs_a_gpu
@pytest.mark.parametrize("clusters", [3, 200, 3000, 10**6])
def test_larger_sets(clusters):
    size = 10**6 + 7
    u, v = draw(0, clusters, "i4", size), draw(0, clusters, "i4", size)
    v[: size // 2] = u[: size // 2]
    assert_same_table(cc.compare(u, v), cc.compare(to_cupy(u), to_cupy(v)))
    assert cc.adjusted_rand(u, v) == cc.adjusted_rand(to_cupy(u), to_cupy(v))


@needs_a_gpu
def test_a_huge_cluster_beside_many_small_ones():
    u = np.arange(10**6, dtype="i4")
    u[::2] = 5
    v = np.arange(10**6, dtype="i4") // 3
    v[: 4 * 10**5] = 0
    assert_same_counts(cc.compare(u, v), cc.compare(to_cupy(u), to_cupy(v)))


@needs_a_gpu
def test_work_goes_on_the_stream_of_the_caller():
    u, v = draw(0, 9, "i4", 10**6), draw(0, 9, "i4", 10**6)
    stream = CUPY.cuda.Stream(non_blocking=True)
    with stream:
        given = CUPY.zeros(10**6, dtype="i4"), to_cupy(v)
        for _ in range(200):  # so that the labels are not yet there when they are compared
            CUPY.sort(CUPY.arange(10**6)[::-1])
        given[0][:] = to_cupy(u)
        assert device.stream_of(CUPY, given[0]).ptr == stream.ptr
        assert cc.adjusted_rand(*given) == cc.adjusted_rand(u, v)
    torch = pytest.importorskip("torch", reason="needs PyTorch")
    side = torch.cuda.Stream()
    with torch.cuda.stream(side):
        given = torch.zeros(10**6, dtype=torch.int32, device="cuda"), to_torch(v)
        for _ in range(200):
            torch.sort(torch.arange(10**6, device="cuda"))
        given[0][:] = to_torch(u)
        assert device.stream_of(CUPY, given[0]).ptr == side.cuda_stream
        assert cc.adjusted_rand(*given) == cc.adjusted_rand(u, v)


@needs_a_gpu
def test_memory_that_was_freed():
    labels = to_cupy(draw(0, 9, "i4"))
    place = CUPY.cuda.runtime.malloc(4 * 3000)
    owner = CUPY.cuda.UnownedMemory(place, 4 * 3000, labels)
    freed = CUPY.ndarray(3000, dtype="i4", memptr=CUPY.cuda.MemoryPointer(owner, 0))
    freed[:] = labels
    assert cc.adjusted_rand(freed, labels) == 1
    CUPY.cuda.runtime.free(place)
    with pytest.raises(InputError, match="freed"):
        cc.adjusted_rand(freed, labels)


@needs_a_gpu
def test_little_memory_on_the_gpu():
    u, v = draw(0, 10**5, "i4", 10**6), draw(0, 10**5, "i4", 10**6)
    given, expected = (to_cupy(u), to_cupy(v)), cc.compare(u, v)
    pool = CUPY.get_default_memory_pool()
    pool.free_all_blocks()
    try:
        pool.set_limit(size=pool.used_bytes() + 45 * 2**20)
        assert_same_counts(expected, cc.compare(*given, table_limit=0))
        pool.set_limit(size=pool.used_bytes() + 2**20)
        with pytest.raises(TooLargeError, match="enough memory"):
            cc.compare(*given)
    finally:
        pool.set_limit(size=0)


@pytest.mark.filterwarnings("ignore:the .* has the label -1, which is compared as a cluster")
@pytest.mark.parametrize("treatment", ["cluster", "singletons", "drop"])
@pytest.mark.parametrize("scale", [1, 10**15])
def test_noise(on_device, treatment, scale):
    u, v = draw(-1, 6, "i8") * scale, draw(-1, 300, "i8") * scale
    given = {"noise": -scale, "noise_as": treatment}
    assert_same(cc.compare(u, v, **given), cc.compare(on_device(u), on_device(v), **given))
    here = Partition.from_labels(u, **given)
    there = Partition.from_labels(on_device(u), **given)
    assert_same(cc.compare(here, v), cc.compare(there, on_device(v)))


@pytest.mark.filterwarnings("ignore:the .* has the label -1, which is compared as a cluster")
def test_a_mask(on_device):
    u, v = draw(-1, 6, "i4").reshape(30, 100), draw(0, 300, "i4").reshape(30, 100)
    mask = draw(0, 3, "i1").reshape(30, 100) > 0
    for given in ({}, {"noise": -1, "noise_as": "drop"}):
        expected = cc.compare(u, v, where=mask, **given)
        found = cc.compare(on_device(u), on_device(v), where=on_device(mask), **given)
        assert expected.size == found.size
        assert expected.signature == found.signature
        assert expected.to_dict(indices=["adjusted_rand", "purity"]) == found.to_dict(
            indices=["adjusted_rand", "purity"]
        )
        assert expected._counted.audit == found._counted.audit
    with pytest.raises(InputError, match="copy the mask to the GPU"):
        cc.compare(on_device(u), on_device(v), where=mask)
    with pytest.raises(ShapeError, match="the mask where="):
        cc.compare(on_device(u), on_device(v), where=on_device(mask[1:]))
    with pytest.raises(ParameterError, match="True and False"):
        cc.compare(on_device(u), on_device(v), where=on_device(u))
    with pytest.raises(NothingLeftError, match="the mask where= leaves out 3,000 records"):
        cc.compare(on_device(u), on_device(v), where=on_device(mask & ~mask))


@pytest.mark.filterwarnings("ignore:no label equals")
def test_noise_that_is_not_there(on_device):
    u, v = draw(0, 6, "u1"), draw(0, 6, "u1")
    given = {"noise": -1, "noise_as": "drop"}
    assert_same(cc.compare(u, v, **given), cc.compare(on_device(u), on_device(v), **given))
    with pytest.raises(ParameterError, match="integers or booleans"):
        cc.compare(on_device(u), on_device(v), noise="x", noise_as="drop")
    with pytest.raises(NothingLeftError, match="leaves nothing"):
        cc.compare(on_device(u * 0), on_device(v), noise=0, noise_as="drop")


def test_a_matrix(on_device):
    runs = [draw(0, 5, "i4"), draw(0, 6, "u1"), draw(0, 700, "i4")]
    for index in ("adjusted_rand", "precision"):
        expected = cc.matrix(runs, index)
        assert (
            cc.matrix([on_device(each) for each in runs], index).to_numpy().tolist()
            == expected.to_numpy().tolist()
        )
    side_by_side = np.stack([runs[0], runs[2]], axis=1)
    expected = cc.matrix(side_by_side, "rand")
    assert cc.matrix(on_device(side_by_side), "rand").to_numpy().tolist() == expected.to_numpy().tolist()


def test_what_is_not_on_the_device_is_named(on_device):
    here, there = draw(0, 5, "i4"), on_device(draw(0, 5, "i4"))
    with pytest.raises(InputError, match="the reference is on a GPU and the candidate is not"):
        cc.compare(there, here)
    with pytest.raises(InputError, match="the candidate is on a GPU and the reference is not"):
        cc.adjusted_rand(here.tolist(), there)
    with pytest.raises(InputError, match="'b' is on a GPU and 'a' is not"):
        cc.matrix({"a": here, "b": there})
    with pytest.raises(InputError, match="copy it to the host"):
        cc.track([there, there])
    with pytest.raises(InputError, match="copy it to the host"):
        cc.compare(cc.Cover.from_clusters([[0, 1], [1]]), there)
    with pytest.raises(InputError, match="copy it to the host"):
        cc.Live().add(there, there)


def test_what_is_refused(on_device):
    labels = on_device(draw(0, 5, "i4"))
    with pytest.raises(LengthError, match=r"3,000 labels and the candidate 10"):
        cc.compare(labels, on_device(draw(0, 5, "i4", 10)))
    with pytest.raises(LengthError, match=r"shape \(3000,\) and the candidate \(30, 100\)"):
        cc.compare(labels, on_device(draw(0, 5, "i4").reshape(30, 100)))
    with pytest.raises(LabelError, match="integers or booleans, not float32"):
        cc.compare(labels, on_device(np.zeros(3000, dtype="f4")))
    with pytest.raises(ParameterError, match="nulls"):
        cc.compare(labels, labels, nulls="drop")
    with pytest.raises(TableNeededError, match="stayed on the GPU"):
        cc.compare(labels, labels).records()


def test_nothing_on_a_device(on_device):
    nothing = on_device(np.zeros(0, dtype="i4"))
    assert cc.compare(nothing, nothing).adjusted_rand == cc.compare([], []).adjusted_rand


def test_a_table_beyond_the_limit_is_not_kept(on_device):
    u, v = on_device(draw(0, 900, "i4")), on_device(draw(0, 1000, "i4"))
    c = cc.compare(u, v, table_limit=100)
    assert not c._counts.availability.can_ask(Detail.TABLE)
    assert c.adjusted_rand == cc.adjusted_rand(u, v)
    assert "table_limit" in str(c)
    with pytest.raises(TooLargeError, match="compare again"):
        c.purity  # noqa: B018  (it raises)


def test_a_comparison_outlives_its_arrays(on_device):
    u, v = draw(0, 900, "i4"), draw(0, 9, "i4")
    expected = cc.compare(u, v)
    there = on_device(u.copy()), on_device(v.copy())
    c = cc.compare(*there)
    if isinstance(there[0], emulated_gpu.Borrowed):
        there[0].array[:] = 0
    del there
    assert_same(expected, c)
    assert_same(expected, pickle.loads(pickle.dumps(c)))


def test_it_prints_and_draws(on_device, tmp_path):
    u, v = on_device(draw(0, 5, "i4")), on_device(draw(0, 5, "i4"))
    assert repr(Partition.from_labels(u)).startswith("<Partition of 3,000 labels in a ")
    c = cc.compare(u, v)
    assert "adjusted_rand" in str(c)
    assert c.changes()[0]
    assert c.to_html(tmp_path / "page.html").stat().st_size


# -- the device made of NumPy -------------------------------------------------------------------------


def test_too_little_memory_makes_slices(emulated, kernels, monkeypatch):
    monkeypatch.setattr(counting, "_SHORTEST", 64)
    u, v = draw(0, 900, "i4"), np.sort(draw(0, 10**6, "i4"))
    expected = cc.compare(u, v)
    for memory in (10**4, 1500, 130):
        kernels.memory = memory
        assert_same(expected, cc.compare(emulated(u), emulated(v)))
    kernels.memory = 10
    with pytest.raises(TooLargeError, match="the GPU does not have enough memory for 3,000 labels"):
        cc.compare(emulated(u), emulated(v))


def test_labels_that_change_meanwhile(emulated, kernels, monkeypatch):
    labels = draw(0, 7, "i4")

    def changing(u, *rest):
        found = guess(u, *rest)
        u[5] = 10**6
        return found

    guess = kernels._guess
    monkeypatch.setattr(kernels, "_guess", changing)
    with pytest.raises(InputError, match="changed while they were counted"):
        cc.adjusted_rand(emulated(labels), emulated(labels))


def test_memory_that_is_not_on_the_device(monkeypatch, emulated):
    cupy = emulated_gpu.EmulatedCuPy()
    attributes = cupy.cuda.runtime.pointerGetAttributes(0)
    cupy.cuda.runtime.pointerGetAttributes = lambda _: attributes
    monkeypatch.setattr(job, "imported", lambda: cupy)
    labels = emulated(draw(0, 7, "i4"))
    with pytest.raises(LabelError, match="it was freed, or it is shorter than declared"):
        cc.adjusted_rand(labels, labels)


@pytest.mark.parametrize("error", [emulated_gpu.OutOfMemoryError, emulated_gpu.CUDARuntimeError])
def test_errors_of_the_device_get_a_name(emulated, kernels, monkeypatch, error):
    def failing(*_):
        raise error("cudaErrorIllegalAddress")

    monkeypatch.setattr(kernels, "shared", failing)
    labels = emulated(draw(0, 7, "i4"))
    with pytest.raises((TooLargeError, InputError), match="cudaErrorIllegalAddress"):
        cc.adjusted_rand(labels, labels)


def test_two_devices(emulated, monkeypatch):
    numbers = iter([0, 1])
    monkeypatch.setattr(job, "device_of", lambda *_: next(numbers))
    labels = emulated(draw(0, 7, "i4"))
    with pytest.raises(InputError, match="on GPU 0 and the candidate on GPU 1"):
        cc.adjusted_rand(labels, labels)


def test_without_cupy_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "cupy", None)
    labels = emulated_gpu.Borrowed(draw(0, 7, "i4"))
    with pytest.raises(MissingExtraError, match=r"concordant\[gpu\]"):
        cc.adjusted_rand(labels, labels)


def test_arrays_that_cannot_say_where_they_lie_are_read_as_before():
    class Sharded:
        shape = (3,)

        def __dlpack_device__(self):
            raise BufferError("on several devices")

        def __array__(self, dtype=None, copy=None):
            return np.array([0, 0, 1], dtype=dtype)

    assert cc.adjusted_rand(Sharded(), [5, 5, 6]) == 1


class Column:
    """A column of cuDF, as far as the engine looks at it."""

    def __init__(self, labels, index=None, nulls=0):
        self.labels = np.asarray(labels)
        self.dtype, self.shape, self.null_count = self.labels.dtype, self.labels.shape, nulls
        self.index = np.arange(len(self.labels)) if index is None else index

    @property
    def values(self):
        return emulated_gpu.Borrowed(self.labels)

    def factorize(self):
        distinct, codes = np.unique(self.labels, return_inverse=True)
        return emulated_gpu.Borrowed(codes), type("Index", (), {"to_pandas": lambda _: distinct.tolist()})()


Column.__module__ = "cudf.core.series"


@pytest.mark.usefixtures("emulated")
def test_columns_of_cudf():
    numbers, words = draw(0, 7, "i4"), np.array(list("abcde"), dtype=object)[draw(0, 5, "i8")]
    assert_same(cc.compare(numbers, words), cc.compare(Column(numbers), Column(words)))
    given = {"noise": "b", "noise_as": "singletons"}
    expected = cc.compare(words, words, **given)
    assert_same(expected, cc.compare(Column(words), Column(words), **given))
    with pytest.raises(LabelError, match="7 null labels"):
        cc.compare(Column(numbers), Column(numbers, nulls=7))
    with pytest.raises(UnmatchedError, match="not aligned by name"):
        cc.compare(Column(numbers), Column(numbers, index=np.arange(1, 3001)))


@pytest.mark.parametrize("error", [emulated_gpu.CUDARuntimeError, BufferError, NotImplementedError])
def test_arrays_that_are_not_handed_over(error):
    """What another library raises is an error of ours that names the side."""

    def refuse(_):
        raise error("it was exported before")

    cupy = emulated_gpu.EmulatedCuPy()
    cupy.from_dlpack = refuse
    handed = types.SimpleNamespace(array=types.SimpleNamespace(__dlpack__=None), what="the reference")
    with pytest.raises(
        InputError, match="the reference: this array cannot be read on its GPU: it was exported"
    ):
        device.borrowed(cupy, handed)
