"""Components: the fewest records that part them, against every cut of small ones."""

import numpy as np
import pytest
from inner import components_of

import concordant as cc
from concordant import core


def lightest_by_trial(table):
    """The records of the lightest cut that leaves records on both sides, of all ways to cut the clusters."""
    row, column = np.nonzero(table)
    nodes = len(table) + table.shape[1]
    sides = np.arange(1, 2 ** (nodes - 1))[:, None]
    one, other = (sides >> row) & 1, (sides >> (len(table) + column)) & 1
    leaves_both = (one & other).any(axis=1) & ((1 - one) & (1 - other)).any(axis=1)
    records = ((one != other) * table[row, column]).sum(axis=1)
    return int(records[leaves_both].min()) if leaves_both.any() else None


def connected_tables(source, most):
    """Small tables of all densities and weights whose clusters hang together."""
    made = 0
    while made < most:
        shape = source.integers(2, 6, 2)
        table = source.integers(1, source.choice([1, 2, 3, 9, 50]) + 1, shape)
        table *= source.random(shape) < source.choice([0.4, 0.6, 1.0])
        table = table[table.any(axis=1)][:, table.any(axis=0)]
        if table.size and len(cc.Comparison.from_contingency(table).changes()) == 1:
            made += 1
            yield table


def test_the_cut_is_the_lightest_of_all():
    found = {"bridges": 0, "cuts": 0, "notes": 0, "stars": 0}
    for table in connected_tables(np.random.default_rng(2), 100):
        row, column = (np.ascontiguousarray(side) for side in np.nonzero(table))
        n, lightest = table[row, column], lightest_by_trial(table)
        place = core.lightest_cut(row, column, n)
        if lightest is None:
            found["stars"] += 1
            assert not len(place)
            continue
        found["bridges" if np.count_nonzero(place == 1) == 1 else "cuts"] += 1
        assert n[place == 1].sum() == lightest
        assert not len(core.lightest_cut(row, column, n, lightest))  # none is lighter
        comparison = cc.Comparison.from_contingency(table)
        (component,) = comparison.components()
        if not component.link:
            found["notes"] += 1
            assert component.note == f"no fewer than {max(10, n.max())} records split it"
            assert lightest >= max(10, n.max())
            continue
        assert component.link_size == lightest
        assert component.link_size + sum(part.size for part in component.parts) == table.sum()
        without = table.copy()
        for overlap in component.link:
            without[overlap.reference, overlap.candidate] = 0
        components = cc.Comparison.from_contingency(without).summary().components
        assert sum(components.counts.values()) == 2
    assert min(found.values()) > 3


def planted(size, records):
    """Two rings of clusters, each record pair of neighbours shared by many, that a few records link."""
    ring = np.arange(size)
    row = np.concatenate([ring, ring, size + ring, size + ring, [0, 1]])
    column = np.concatenate(
        [ring, (ring + 1) % size, size + ring, size + (ring + 1) % size, [size, size + 5]]
    )
    return row, column, np.array([50] * (4 * size) + records)


def test_large_tangles_are_cut_as_exactly():
    row, column, n = planted(20_000, [2, 3])  # 80,002 overlaps
    place = core.lightest_cut(row, column, n, 50)
    assert np.flatnonzero(place == 1).tolist() == [80_000, 80_001]
    row, column, n = planted(20_000, [40, 70])  # two overlaps of a ring are lighter than both together
    assert n[core.lightest_cut(row, column, n, 200) == 1].sum() == 100
    chain = np.arange(50_000)  # of equal bridges, the one in the middle
    row, column = np.repeat(chain, 2)[1:], np.repeat(chain, 2)[:-1]
    place = core.lightest_cut(row, column, np.ones(len(row), dtype=np.int64), 2)
    assert np.count_nonzero(place == 1) == 1
    assert abs(np.count_nonzero(place == 0) - np.count_nonzero(place == 2)) <= 1


def test_without_light_clusters_flows_decide():
    """Every cluster has four neighbours with a record each: nothing is seen without looking far."""
    row = np.repeat(np.arange(900), 4)
    i, j = row // 30, row % 30
    column = (i + np.tile([0, 0, 1, 1], 900)) % 30 * 30 + (j + np.tile([0, 1, 0, 1], 900)) % 30
    n = np.ones(len(row), dtype=np.int64)
    assert np.count_nonzero(core.lightest_cut(row, column, n, 100) == 1) == 6  # two neighbours and no more
    assert not len(core.lightest_cut(row, column, n, 6))


def test_a_page_leaves_giants_whole_and_says_so():
    c = cc.compare(list("aaaabbbbccccdddd"), [0, 0, 1, 1, 1, 1, 0, 0, 2, 2, 3, 3, 3, 3, 2, 1])
    (whole,) = components_of(c._counted.counts.completed, c._counted.names, searched=8)
    assert not whole.link
    assert whole.note == "a cut among 9 overlaps is not sought here; c.components() finds it"
    (cut,) = components_of(c._counted.counts.completed, c._counted.names, searched=9)
    assert cut.link_size == 1


def test_two_digits_hang_together_by_few():
    truth = [0] * 50 + [1] * 50 + [2] * 50 + [3] * 50
    guess = [0] * 30 + [1] * 20 + [0] * 25 + [1] * 25 + [2] * 30 + [3] * 20 + [2] * 25 + [3] * 24 + [0]
    (component,) = cc.compare(truth, guess).components()
    assert [(x.reference, x.candidate, x.size) for x in component.link] == [(3, 0, 1)]
    assert sorted(part.size for part in component.parts) == [99, 100]
    assert "without 1 record (3 in 0) it falls into two components, n:m (100 records) and" in str(component)


def test_what_is_too_large_says_so():
    profile = cc.Comparison.from_contingency([[2**61, 1], [1, 1]])._counts
    (component,) = cc.Comparison(profile).components()
    assert component.note == "more than 2**61 records are too many to look for a cut"
    assert cc.compare([0, 0, 1], [0, 0, 1]).components() == []


def test_a_picture_of_a_large_tangle_shows_the_cut(tmp_path):
    """Its 16 largest clusters are elsewhere."""
    row, column, n = planted(300, [1, 1])
    n[100:160] += 9
    truth, guess = np.repeat(row, n), np.repeat(column, n)
    comparison = cc.compare(truth, guess)
    (component,) = comparison.components()
    assert component.link_size == 2
    assert {cell[0] for cell in component._link_cells} <= set(component._rows)
    html = comparison.to_html(tmp_path / "page.html").read_text(encoding="utf-8")
    section = html[html.index('id="components"') :].partition("</section>")[0]
    assert section.count(' cut"') == 4  # two bands, wide and narrow


def test_the_page_says_where_it_comes_apart(tmp_path):
    truth, guess = list("aaaabbbbccccdddd"), [0, 0, 1, 1, 1, 1, 0, 0, 2, 2, 3, 3, 3, 3, 2, 1]
    comparison = cc.compare(truth, guess)
    html = comparison.to_html(tmp_path / "page.html").read_text(encoding="utf-8")
    section = html[html.index('id="components"') :].partition("</section>")[0]
    assert "Without 1 record" in section
    flow = html[html.index('id="flow"') :].partition("</section>")[0]
    assert flow.count('class="band stray cut"') == 2  # wide and narrow
    assert "Dashed bands are the fewest records" in flow
    kept = cc.compare(truth, truth).to_html(tmp_path / "kept.html").read_text(encoding="utf-8")
    assert "Dashed" not in kept
    with pytest.raises(ValueError, match="limit"):
        comparison.components(limit=-1)
