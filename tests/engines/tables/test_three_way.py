"""Three-way cells: against counting by hand."""

from collections import Counter

import numpy as np
import pytest

import concordant as cc
from concordant.counts.three_way import ThreeWay
from concordant.errors import LengthError


def test_cells_are_those_of_counting_by_hand():
    random = np.random.default_rng(1)
    u, v, w = random.integers(0, 5, (3, 200))
    cells = ThreeWay.of_labels(u, v * 100 - 7, w)
    wanted = Counter(zip(u.tolist(), v.tolist(), w.tolist(), strict=True))
    place = cells.position
    found = zip(u[place].tolist(), v[place].tolist(), w[place].tolist(), strict=True)
    assert dict(zip(found, cells.n.tolist(), strict=True)) == wanted
    assert cells.size == 200
    assert [x[cells.cell].tolist() for x in (u[place], v[place], w[place])] == [x.tolist() for x in (u, v, w)]
    assert len(cells) == len(wanted)


@pytest.mark.parametrize("side", ["first", "second"])
def test_tables_of_both_candidates(side):
    random = np.random.default_rng(2)
    u, v, w = random.integers(0, 6, (3, 300))
    cells = ThreeWay.of_labels(u, v, w)
    table, which = getattr(cells, f"{side}_table"), getattr(cells, f"cell_of_{side}")
    own = cc.compare(u, v if side == "first" else w).table
    for name in ("row", "column", "n"):
        assert getattr(table, name).tolist() == getattr(own, name).tolist()
    assert table.row[which].tolist() == cells.reference.tolist()
    assert table.column[which].tolist() == getattr(cells, side).tolist()


def test_lengths_must_agree():
    with pytest.raises(LengthError, match="3, 3 and 2"):
        ThreeWay.of_labels(*(np.arange(k) for k in (3, 3, 2)))


def test_nothing_has_no_cells():
    cells = ThreeWay.of_labels(*(np.zeros(0, dtype=np.int64) for _ in range(3)))
    assert len(cells) == cells.size == len(cells.first_table) == 0
