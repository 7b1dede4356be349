"""Arrays in chunks, by what they have and not by who made them, and the face of scikit-image."""

import json
from pathlib import Path

import numpy as np
import pytest

import concordant as cc
from concordant.compat import skimage
from concordant.errors import InputError, LabelError, ParameterError, ShapeError
from concordant.partitions import chunked

GOLDEN = json.loads((Path(__file__).parent / "golden" / "images.json").read_text(encoding="utf-8"))["cases"]


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
    with pytest.raises(LabelError, match="holds integers"):
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
