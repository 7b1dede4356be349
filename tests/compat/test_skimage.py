"""The face of scikit-image says what its own tests ask for, but for its swapped precision and recall."""

import numpy as np
import pytest

from concordant.compat import skimage as face
from concordant.errors import ConcordantError

TRUTH, TEST = np.array([1, 2, 3, 4]), np.array([1, 1, 8, 8])


@pytest.mark.parametrize("kind", ["matrix", "array"])
def test_a_normalised_table_holds_shares_by_id(kind):
    pytest.importorskip("scipy", reason="SciPy is not installed")
    table = face.contingency_table(TRUTH, TEST, normalize=True, sparse_type=kind)
    expected = np.zeros((5, 9))
    expected[TRUTH, TEST] = 1 / 4
    np.testing.assert_array_equal(table.toarray(), expected)


def test_tables_are_of_the_type_that_was_asked_for():
    sparse = pytest.importorskip("scipy.sparse", reason="SciPy is not installed")
    for options, kind in (
        ({}, sparse.csr_matrix),
        ({"sparse_type": "matrix"}, sparse.csr_matrix),
        ({"sparse_type": "array"}, sparse.csr_array),
    ):
        assert isinstance(face.contingency_table(TRUTH, TEST, **options), kind)
    with pytest.raises(ValueError, match="`sparse_type` must be 'array' or 'matrix'") as caught:
        face.contingency_table(TRUTH, TEST, sparse_type="dense")
    assert isinstance(caught.value, ConcordantError)


def test_entropies_are_in_bits():
    assert face.variation_of_information(TRUTH, TEST).sum() == 1
    one, other = np.array([[1, 0], [2, 3]], dtype="u1"), np.array([[1, 1], [1, 0]], dtype="u1")
    split, merge = face.variation_of_information(one, other, ignore_labels=[0])
    assert split == 0
    assert merge == pytest.approx(2 / 3, rel=1e-15)  # nats, rounded, and divided by log 2


@pytest.mark.parametrize(("options", "error"), [({}, 1 / 3), ({"alpha": 0}, 0), ({"alpha": 1}, 1 / 2)])
def test_errors_precision_and_recall(options, error):
    """scikit-image gives 0.5 for the precision of this candidate, all of whose pairs are right."""
    truth, test = np.array([[2, 1], [1, 2]]), np.array([[1, 2], [3, 1]])
    assert face.adapted_rand_error(truth, test, **options) == pytest.approx((error, 1, 0.5))


@pytest.mark.parametrize("alpha", [1.01, -0.01])
def test_alpha_lies_between_0_and_1(alpha):
    with pytest.raises(ValueError, match="alpha"):
        face.adapted_rand_error(TRUTH, TEST, alpha=alpha)


@pytest.mark.parametrize("seed", range(6))
def test_the_same_as_scikit_image_on_random_images(seed):
    metrics = pytest.importorskip("skimage.metrics", reason="scikit-image is not installed")
    random = np.random.default_rng(seed)
    shape = tuple(random.integers(3, 9, random.integers(1, 4)))
    truth, test = (random.integers(0, 5, shape).astype(random.choice(["u1", "u2", "i8"])) for _ in range(2))
    for ignored in ((), (0,), (1, 3)):
        error, precision, recall = face.adapted_rand_error(truth, test, ignore_labels=ignored)
        theirs = metrics.adapted_rand_error(truth, test, ignore_labels=ignored)
        np.testing.assert_allclose((error, recall, precision), theirs, atol=1e-12)
        ours = face.variation_of_information(truth, test, ignore_labels=ignored)
        theirs = metrics.variation_of_information(truth, test, ignore_labels=ignored)
        np.testing.assert_allclose(ours, theirs, atol=1e-12)
        tables = (each.contingency_table(truth, test, ignore_labels=ignored) for each in (face, metrics))
        ours, theirs = (table.toarray() for table in tables)
        rows, columns = np.minimum(ours.shape, theirs.shape)  # which of the highest ids are dropped
        np.testing.assert_array_equal(ours[:rows, :columns], theirs[:rows, :columns])
        assert ours.sum() == theirs.sum()


def test_no_voxel_is_left():
    images = np.zeros((2, 2), dtype=int), np.ones((2, 2), dtype=int)
    assert np.isnan(face.variation_of_information(*images, ignore_labels=[0])).all()
