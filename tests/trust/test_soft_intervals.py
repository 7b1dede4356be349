"""Intervals of soft indices: what leaving out each record changes, and what has no interval."""

import numpy as np
import pytest
from scipy.stats import t

import concordant as cc
from concordant.errors import InputError, ParameterError, SoftError

PAIRED = ("soft_adjusted_rand", "soft_rand_squared")
ALL = (*PAIRED, "soft_matching_accuracy")


def sides(n, seed=1, columns=(3, 4)):
    source = np.random.default_rng(seed)
    return [source.dirichlet([0.5] * k, n) for k in columns]


def compared(u, v, **options):
    return cc.compare(cc.Soft.from_matrix(u, **options), cc.Soft.from_matrix(v, **options))


@pytest.mark.parametrize("name", PAIRED)
@pytest.mark.parametrize("rest", [False, True])
def test_the_standard_error_is_that_of_comparisons_without_each_record(name, rest):
    u, v = sides(30)
    options = {"remainder": "alone"} if rest else {}
    u, v = (u * 0.9, v * 0.8) if rest else (u, v)
    s = compared(u, v, **options)
    kept = [np.arange(30) != x for x in range(30)]
    without = np.array([compared(u[rows], v[rows], **options)[name] for rows in kept])
    se = np.sqrt(29 / 30 * ((without - without.mean()) ** 2).sum())
    assert s.interval(name).se == pytest.approx(se, rel=1e-9)


def test_hard_labels_have_the_standard_error_of_labels():
    source = np.random.default_rng(3)
    u = source.integers(0, 3, 80)
    v = np.where(source.random(80) < 0.3, source.integers(0, 3, 80), u)
    s, c = compared(np.eye(3)[u], np.eye(3)[v]), cc.compare(u, v)
    for soft, hard in (("soft_adjusted_rand", "adjusted_rand"), ("soft_rand_squared", "rand")):
        assert s.interval(soft).se == pytest.approx(c.interval(hard).se, rel=1e-9)
        assert s.interval(soft).value == pytest.approx(c.interval(hard).value)


@pytest.mark.parametrize("name", ALL)
def test_an_interval_holds_its_value_and_widens_with_its_level(name):
    s = compared(*sides(60))
    narrow, wide = s.interval(name, confidence=0.8), s.interval(name, confidence=0.99)
    assert wide.low < narrow.low <= narrow.value == s[name] <= narrow.high < wide.high
    assert narrow.n_units == 60
    if name in PAIRED:
        assert narrow.high - narrow.low == pytest.approx(2 * t.ppf(0.9, 59) * narrow.se, rel=0.5)


@pytest.mark.parametrize("name", ALL)
def test_equal_sides_have_an_interval_with_width(name):
    u, _ = sides(50)
    found = compared(u, u[:, ::-1]).interval(name)
    assert (found.value, found.high) == (1, 1)
    assert found.low < 0.99
    assert "widened for unseen disagreements" in found.note


def test_the_halves_are_drawn_by_the_seed():
    s = compared(*sides(60))
    one, again, other = (s.interval("soft_matching_accuracy", seed=seed) for seed in (1, 1, 2))
    assert one == again
    assert one.low != other.low
    assert one.seed == 1
    assert s.interval().seed is None


def test_files_have_the_same_interval(tmp_path):
    u, v = sides(40)
    rows = [f"{x:02},{i},{weight!r}" for x, row in enumerate(u.tolist()) for i, weight in enumerate(row)]
    path = tmp_path / "u.csv"
    path.write_text("\n".join(["id,topic,weight", *rows]))
    side = cc.Soft.scan(path, record="id", cluster="topic", weight="weight")
    names = [f"{x:02}" for x in range(40)]
    in_files = cc.compare(side, cc.Soft.from_matrix(v, records=names))
    in_memory = compared(u, v)
    for name in ALL:
        assert in_files.interval(name).low == pytest.approx(in_memory.interval(name).low, rel=1e-9)


def test_what_has_no_interval():
    s = compared(*sides(10))
    for name, reason in (
        ("frobenius_adjusted_rand", "a pair with itself"),
        ("soft_rand", "compares all pairs"),
        ("adjusted_concordance", "compares all pairs"),
    ):
        with pytest.raises(SoftError, match=f"no interval for {name}: .*{reason}.*use soft_adjusted_rand"):
            s.interval(name)
    draws = cc.compare(cc.Soft.from_draws([[0, 0], [0, 1], [1, 1]]), ["a", "a", "b"])
    with pytest.raises(SoftError, match="no interval for draws"):
        draws.interval()
    with pytest.raises(InputError, match="at least 2 records"):
        compared([[1.0, 0.0]], [[1.0, 0.0]]).interval()
    with pytest.raises(ParameterError, match="confidence"):
        s.interval(confidence=95)


def test_a_sample_that_does_not_determine_the_index():
    flat = [[0.5, 0.5]] * 8
    found = compared(flat, flat).interval()
    assert not found.estimable
    assert "not estimable" in found.note
    found = compared([[1.0, 0.0], [0.0, 1.0]], [[1.0, 0.0], [0.5, 0.5]]).interval("soft_rand_squared")
    assert (found.low, found.high) == (0, 1)
