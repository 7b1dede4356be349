"""Tangles: the fewest records that part them, against every cut of small ones."""

import itertools

import numpy as np
import pytest

import concordant as cc
from concordant.differences import tangles


def lightest_by_trial(table):
    """The records of the lightest cut that leaves records on both sides, of all ways to cut the clusters."""
    height, width = table.shape
    best = None
    for sides in itertools.product((0, 1), repeat=height + width):
        rows, columns = np.array(sides[:height]), np.array(sides[height:])
        same = rows[:, None] == columns
        if all(table[same & (rows[:, None] == side)].sum() for side in (0, 1)):
            records = int(table[~same].sum())
            best = records if best is None else min(best, records)
    return best


def test_the_cut_is_the_lightest_of_all():
    source = np.random.default_rng(2)
    cuts = notes = 0
    for _ in range(90):
        table = source.integers(0, 9, (4, 3)) * (source.random((4, 3)) < 0.6)
        if not (table.any(axis=0).all() and table.any(axis=1).all()):
            continue  # empty clusters are not counted
        comparison = cc.Comparison(cc.Profile.from_contingency(table))
        for tangle in comparison.tangles() if comparison.summary().blocks.tangled == 1 else ():
            if tangle.cells < np.count_nonzero(table):
                continue  # there are other blocks besides
            lightest, heaviest = lightest_by_trial(table), int(table.max())
            if tangle.cut:
                cuts += 1
                assert tangle.records == lightest
                assert tangle.records + sum(part.size for part in tangle.parts) == table.sum()
                without = table.copy()
                for overlap in tangle.cut:
                    without[overlap.reference, overlap.candidate] = 0
                blocks = cc.Comparison(cc.Profile.from_contingency(without)).summary().blocks
                assert blocks.kept + blocks.split + blocks.merged + blocks.tangled == 2
            else:
                notes += 1
                assert lightest is None or lightest >= heaviest
                assert "its largest overlap, part it" in tangle.note
    assert min(cuts, notes) > 3


def test_two_digits_hang_together_by_few():
    truth = [0] * 50 + [1] * 50 + [2] * 50 + [3] * 50
    guess = [0] * 30 + [1] * 20 + [0] * 25 + [1] * 25 + [2] * 30 + [3] * 20 + [2] * 25 + [3] * 24 + [0]
    (tangle,) = cc.compare(truth, guess).tangles()
    assert [(x.reference, x.candidate, x.size) for x in tangle.cut] == [(3, 0, 1)]
    assert sorted(part.size for part in tangle.parts) == [99, 100]
    assert "without 1 record (3 in 0) it falls into a tangled block of 100 and" in str(tangle)


def test_what_is_too_large_says_so(monkeypatch):
    monkeypatch.setattr(tangles, "MOST_CELLS", 3)
    (tangle,) = cc.compare([0, 0, 1, 1], [0, 1, 0, 1]).tangles()
    assert tangle.note == "4 overlaps are too many to look for a cut"
    assert cc.compare([0, 0, 1], [0, 0, 1]).tangles() == []


def test_the_page_says_where_it_comes_apart(tmp_path):
    truth, guess = list("aaaabbbbccccdddd"), [0, 0, 1, 1, 1, 1, 0, 0, 2, 2, 3, 3, 3, 3, 2, 1]
    comparison = cc.compare(truth, guess)
    html = comparison.to_html(tmp_path / "page.html").read_text(encoding="utf-8")
    section = html[html.index('id="tangles"') :].partition("</section>")[0]
    assert "Without 1 record" in section
    flow = html[html.index('id="flow"') :].partition("</section>")[0]
    assert flow.count('class="band stray cut"') == 2  # wide and narrow
    assert "Dashed bands are the fewest records" in flow
    kept = cc.compare(truth, truth).to_html(tmp_path / "kept.html").read_text(encoding="utf-8")
    assert "Dashed" not in kept
    with pytest.raises(ValueError, match="largest"):
        comparison.tangles(largest=-1)
