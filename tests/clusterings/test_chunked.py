"""Arrays in chunks, by what they have and not by who made them, and the face of scikit-image."""

import json
import os
import signal
import threading
from pathlib import Path

import numpy as np
import pytest
from inner import chunked

import concordant as cc
from concordant.compat import skimage
from concordant.errors import InputError, LabelError, ParameterError, ShapeError, TooLargeError

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "images.json").read_text(encoding="utf-8"))[
    "cases"
]


class Chunked:
    """An array in chunks, as Zarr and h5py have it."""

    def __init__(self, array, chunks, broken=False, lies=False):
        self._array, self.chunks, self.dtype = array, chunks, array.dtype
        self.shape = (array.shape[0] + 1, *array.shape[1:]) if lies else array.shape
        self._broken = broken
        self.asked = []

    def __getitem__(self, block):
        self.asked.append(block)
        if self._broken and block[0].start > 0:
            raise RuntimeError("error during blosc decompression: -1")
        return self._array[block]


@pytest.fixture
def volumes(monkeypatch):
    monkeypatch.setattr(chunked, "_BLOCK", 300)
    rng = np.random.default_rng(5)
    truth = np.repeat(rng.integers(0, 5, size=(9, 8, 4)), 3, axis=2)
    return truth, np.where(rng.random(truth.shape) < 0.1, 7, truth).astype("u2")


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize(
    "chunks", [((4, 4, 4), (3, 8, 12)), (((4, 4, 1), (8,), (6, 6)), None), ((9, 8, 12), (2, 2, 2))]
)
def test_blocks_are_counted_as_the_whole(volumes, chunks, threads):
    truth, seg = volumes
    u, v = Chunked(truth, chunks[0]), Chunked(seg, chunks[1])
    c, whole = cc.compare(u, v, threads=threads), cc.compare(truth, seg)
    assert c.to_dict() == whole.to_dict()
    assert len(u.asked) > 1 or chunks[0] == (9, 8, 12)
    assert cc.rand(u, seg) == whole.rand
    assert cc.compare(u, v, where=truth > 1).rand == cc.compare(truth, seg, where=truth > 1).rand
    dropped = {"noise": 0, "noise_as": "drop"}
    assert cc.compare(u, v, **dropped).rand == cc.compare(truth, seg, **dropped).rand
    zero = {0: "background"}
    sides = {"reference_noise": zero, "candidate_noise": zero}
    assert cc.compare(u, v, **sides).PQ == cc.compare(truth, seg, **sides).PQ
    assert {str(change.overlaps[0].examples) for change in c.changes()} == {"()"}


def test_what_is_wrong_with_a_chunk_is_said(volumes):
    truth, seg = volumes
    u = Chunked(truth, (3, 8, 12))
    with pytest.raises(InputError, match=r"candidate: the block \[3:6, 0:8, 0:12\] cannot be read: Run"):
        cc.compare(u, Chunked(seg, (3, 8, 12), broken=True))
    with pytest.raises(ShapeError, match="does not have the shape"):
        cc.compare(Chunked(truth, (3, 8, 12), lies=True), Chunked(seg, (3, 8, 12), lies=True))
    with pytest.raises(ShapeError, match="never broadcast"):
        cc.compare(u, seg[1:])
    with pytest.raises(LabelError, match="has integers"):
        cc.compare(u, Chunked(seg / 2, (3, 8, 12)))
    with pytest.raises(ShapeError, match="where="):
        cc.compare(u, seg, where=truth[1:] > 0)


def test_dask_as_it_is(volumes):
    truth, seg = volumes
    expected = cc.rand(truth, seg)
    dask = pytest.importorskip("dask.array", reason="Dask is not installed")
    assert (
        cc.rand(dask.from_array(truth, chunks=(4, 5, 6)), dask.from_array(seg, chunks=(9, 8, 3))) == expected
    )


@pytest.mark.parametrize("name", GOLDEN)
def test_the_face_of_scikit_image(name):
    truth, seg = np.array(GOLDEN[name]["truth"]), np.array(GOLDEN[name]["candidate"])
    peers = GOLDEN[name]["peers"]
    for options, key in (({}, "default ignore 0"), ({"ignore_labels": ()}, "ignore_labels=()")):
        error, swapped_recall, swapped_precision = peers[f"skimage.adapted_rand_error({key})"]
        wanted = [np.nan if x is None else x for x in (error, swapped_precision, swapped_recall)]
        found = skimage.adapted_rand_error(truth, seg, **options)
        np.testing.assert_allclose(found, wanted, atol=1e-12)
    for options, key in (({}, "default"), ({"ignore_labels": (0,)}, "ignore_labels=(0,)")):
        wanted = peers[f"skimage.variation_of_information({key})"]
        if None not in wanted:
            found = skimage.variation_of_information(truth, seg, **options)
            np.testing.assert_allclose(found, wanted, atol=1e-12)


def test_tables_of_scikit_image():
    pytest.importorskip("scipy", reason="SciPy is not installed")
    truth, seg = np.array(GOLDEN["cells_2d"]["truth"]), np.array(GOLDEN["cells_2d"]["candidate"])
    for kind in ("matrix", "array"):
        table = skimage.contingency_table(truth, seg, ignore_labels=(0,), sparse_type=kind)
        assert table.sum() == (truth != 0).sum()
        assert table.tocsr()[1, 1] == ((truth == 1) & (seg == 1)).sum()
        assert skimage.adapted_rand_error(table=table) == skimage.adapted_rand_error(truth, seg)
        np.testing.assert_allclose(
            skimage.variation_of_information(table=table),
            skimage.variation_of_information(truth, seg, ignore_labels=(0,)),
        )
    shares = skimage.contingency_table(truth, seg, normalize=True)
    assert shares.sum() == pytest.approx(1)
    far = skimage.contingency_table(truth.astype("u8") + np.uint64(7 * 10**17), seg)
    assert far.nnz == skimage.contingency_table(truth, seg).nnz
    with pytest.raises(ParameterError, match="two images, or a table"):
        skimage.adapted_rand_error(truth)
    with pytest.raises(ParameterError, match="alpha"):
        skimage.adapted_rand_error(truth, seg, alpha=2)
    with pytest.raises(LabelError, match="sparse matrix"):
        skimage.contingency_table(truth - 1, seg)


class Named:
    """An array whose dimensions have names, as xarray has it; it also speaks Arrow, as a nested column."""

    def __init__(self, data, dims):
        self.data, self.dims, self.shape, self.dtype = data, dims, data.shape, data.dtype

    def __getitem__(self, block):
        return Named(self.data[block], self.dims)

    def __arrow_c_array__(self, schema=None):
        raise AssertionError("its values are read, not its Arrow form")


def test_dimensions_that_have_names(volumes):
    truth, guess = volumes
    expected = cc.adjusted_rand(truth, guess)
    names = ("z", "y", "x")
    assert cc.adjusted_rand(Named(truth, names), Named(guess, names)) == expected
    assert cc.adjusted_rand(Named(truth, names), guess) == expected
    assert cc.adjusted_rand(Named(truth.ravel(), ("cell",)), guess.ravel()) == expected
    with pytest.raises(ShapeError, match=r"candidate \('z', 'x', 'y'\); transpose one"):
        cc.compare(Named(truth, names), Named(guess, ("z", "x", "y")))


def test_dims_that_are_no_names(volumes):
    """h5py has an object there that is another for each array."""
    truth, guess = volumes
    sides = Chunked(truth, (4, 4, 4)), Chunked(guess, (4, 4, 4))
    for side in sides:
        side.dims = object()
    assert cc.adjusted_rand(*sides) == cc.adjusted_rand(truth, guess)


# -- long jobs ----------------------------------------------------------------------------------------


def test_progress_is_told_block_by_block(volumes):
    truth, seg = volumes
    told = []
    u, v = Chunked(truth, (3, 8, 12)), Chunked(seg, (3, 8, 12))
    cc.compare(u, v, progress=lambda done, total: told.append((done, total)))
    assert told == [(1, 3), (2, 3), (3, 3)]
    assert cc.rand(u, v, progress=lambda *_: None) == cc.rand(truth, seg)
    with pytest.raises(ParameterError, match="progress="):
        cc.compare(u, v, progress=True)


class Slow(Chunked):
    """An array that is never read to its end, unless somebody lets it."""

    def __init__(self, array, chunks):
        super().__init__(array, chunks)
        self.let_go = threading.Event()

    def __getitem__(self, block):
        part = super().__getitem__(block)
        if block[0].start > 0:
            os.kill(os.getpid(), signal.SIGINT)  # the main thread waits for this block
            self.let_go.wait()
        return part


@pytest.mark.usefixtures("interruptible")
def test_ctrl_c_ends_though_a_block_is_being_read(volumes, monkeypatch):
    monkeypatch.setenv("CONCORDANT_THREADS", "1")  # others may read the last block meanwhile
    truth, seg = volumes
    slow, cells = Slow(truth, (3, 8, 12)), cc.Live()
    with pytest.raises(KeyboardInterrupt):
        cells.add(slow, seg)
    assert cells.size == 0
    left = [thread for thread in threading.enumerate() if thread.name == chunked.THREAD_NAME]
    slow.let_go.set()
    for thread in left:
        thread.join()  # it reads no other block
    assert len(slow.asked) <= 2


# -- a volume counted in parts ------------------------------------------------------------------------


def test_a_job_array_counts_a_volume(volumes, tmp_path):
    truth, seg = volumes
    whole = cc.Live()
    for part in range(3):
        own = slice(len(truth) * part // 3, len(truth) * (part + 1) // 3)
        cc.Live().add(truth[own], seg[own]).compare().save(tmp_path / f"part-{part}.json")
        whole.extend(cc.Comparison.load(tmp_path / f"part-{part}.json").live())
    assert whole.compare().to_dict() == pytest.approx(cc.compare(truth, seg).to_dict())
    u, v = Chunked(truth, (2, 2, 2)), Chunked(seg, (3, 8, 12))
    assert whole.add(u, v).size == 2 * truth.size


# -- arrays that are not what they say ------------------------------------------------------------------


def like(array, **said):
    made = Chunked(array, (3, 8, 12))
    vars(made).update(said)
    return made


@pytest.mark.parametrize(
    ("said", "error", "text"),
    [
        ({"shape": (9, float("nan"), 12)}, ShapeError, "must be known"),
        ({"shape": (9, -8, 12)}, ShapeError, "must be known"),
        ({"shape": None}, ShapeError, "must be known"),
        ({"shape": ()}, ShapeError, "a single value"),
        ({"dtype": "category"}, LabelError, "NumPy does not know"),
        ({"dtype": None}, LabelError, "of object"),
        ({"dtype": np.dtype("f4")}, LabelError, "has integers"),
        ({"_array": np.zeros((9, 8, 12))}, LabelError, "of float64"),
        ({"_array": np.zeros((9, 8, 13), int)}, None, ""),
        ({"_array": np.zeros((9, 8), int)}, InputError, "cannot be read: IndexError"),
        ({"_array": np.zeros((9, 8, 11), int)}, ShapeError, "does not have the shape"),
        ({"_array": np.ma.masked_equal(np.zeros((9, 8, 12), int), 0)}, LabelError, "masked out"),
        ({"chunks": (0, -5, None)}, None, ""),
        ({"chunks": ((4, 4, 1), (float("nan"),) * 3, ())}, None, ""),
        ({"chunks": "auto"}, None, ""),
        ({"chunks": (10**12, 10**12, 10**12)}, None, ""),
    ],
)
def test_arrays_that_lie(volumes, said, error, text):
    truth, seg = volumes
    if error is None:
        assert 0 <= cc.rand(truth, like(seg, **said)) <= 1
        return
    for sides in ((like(truth, **said), seg), (truth, like(seg, **said))):
        with pytest.raises(error, match=text):
            cc.compare(*sides)


def test_what_needs_labels_in_memory_says_so(volumes):
    truth, seg = map(like, volumes)
    for call in (cc.matrix, cc.track, cc.consensus):
        with pytest.raises(InputError, match="has not been read into labels"):
            call([truth, seg])
    with pytest.raises(InputError, match="has not been read into labels"):
        cc.compare(truth, cc.Cover.from_clusters([{1}]))


def test_shapes_that_nobody_counts(volumes):
    both = (like(each, shape=(10**30, 8, 12)) for each in volumes)
    with pytest.raises(TooLargeError, match="blocks to count"):
        cc.compare(*both)


def test_masks_that_lie(volumes):
    truth, seg = volumes
    u, mask = like(truth), truth > 1
    assert cc.rand(u, seg, where=like(mask)) == cc.rand(truth, seg, where=mask)
    for where, error in (
        (like(mask, _array=truth), ParameterError),
        (like(mask, _array=mask[:, :-1]), ShapeError),
        (mask.tolist(), ShapeError),
        (truth, ParameterError),
        (5, ShapeError),
    ):
        with pytest.raises(error, match="where="):
            cc.compare(u, seg, where=where)


# -- the libraries themselves -----------------------------------------------------------------------------


def in_zarr(folder, truth, seg):
    zarr = pytest.importorskip("zarr", reason="Zarr is not installed")
    u = zarr.create_array(folder / "u", shape=truth.shape, chunks=(4, 5, 6), dtype=truth.dtype)
    v = zarr.create_array(folder / "v", shape=seg.shape, chunks=(9, 3, 12), dtype=seg.dtype, zarr_format=2)
    u[:], v[:] = truth, seg
    yield zarr.open(folder / "u", mode="r"), zarr.open(folder / "v", mode="r")
    shards = {"shards": (8, 8, 12), "chunks": (4, 4, 4), "dtype": seg.dtype}
    w = zarr.create_array(folder / "w", shape=seg.shape, **shards)
    w[:] = seg
    yield u, w
    victim = next(path for path in (folder / "u" / "c").rglob("*") if path.is_file())
    victim.write_bytes(b"not what it was")
    with pytest.raises(InputError, match=r"the reference: the block .* cannot be read"):
        cc.compare(zarr.open(folder / "u", mode="r"), v)


def in_h5py(folder, truth, seg):
    h5py = pytest.importorskip("h5py", reason="h5py is not installed")
    with h5py.File(folder / "labels.h5", "w") as file:
        u = file.create_dataset("u", data=truth, chunks=(4, 5, 6), compression="gzip")
        yield u, file.create_dataset("v", data=seg)
    with pytest.raises(InputError, match=r"the reference: its shape cannot be read"):
        cc.compare(u, seg)


def in_xarray(_folder, truth, seg):
    xarray = pytest.importorskip("xarray", reason="xarray is not installed")
    yield xarray.DataArray(truth, dims=("z", "y", "x")), xarray.DataArray(seg, dims=("z", "y", "x"))


def in_tensorstore(folder, truth, seg):
    tensorstore = pytest.importorskip("tensorstore", reason="TensorStore is not installed")

    def written(name, labels):
        spec = {"driver": "zarr", "kvstore": {"driver": "file", "path": str(folder / name)}}
        store = tensorstore.open(spec, create=True, dtype=labels.dtype, shape=labels.shape).result()
        store.write(labels).result()
        return store

    yield written("u", truth), written("v", seg)


@pytest.mark.parametrize("written", [in_zarr, in_h5py, in_xarray, in_tensorstore])
def test_arrays_of_other_libraries(volumes, tmp_path, written):
    truth, seg = volumes
    for u, v in written(tmp_path, truth, seg):
        assert cc.compare(u, v).to_dict() == cc.compare(truth, seg).to_dict()
        assert cc.rand(u, seg) == cc.rand(truth, seg)
