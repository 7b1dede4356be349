"""Changes, clusters and the summary of covers: as with partitions on these, and as defined on others."""

import random
from fractions import Fraction

import pytest
from cases import every_case
from universe import kinds

import concordant as cc
from concordant.errors import CoverError, ParameterError, TableNeededError

WORDS = ("1:1", "1:1 changed", "1:n", "n:1", "n:m", "1:0", "0:1")


def cover_of(labels):
    names = dict.fromkeys(labels)
    return cc.Cover.from_clusters([{i for i, x in enumerate(labels) if x == name} for name in names])


@pytest.mark.parametrize("size", range(1, 5))
def test_partitions_change_as_they_do_without_overlaps(size):
    for u, v in kinds(size):
        mine, theirs = cc.compare(cover_of(u), cover_of(v)), cc.compare(list(u), list(v))
        expected = dict(theirs.changes(limit=None).counts)
        assert mine.changes().counts == {word: expected.get(word, 0) for word in WORDS}
        assert sorted(x.size for x in mine.changes()) == sorted(x.size for x in theirs.changes())
        for side in ("reference", "candidate"):
            exact = getattr(theirs.summary(), side).clusters["exact"]
            assert getattr(mine.summary(), side).clusters["exact"] == exact


def blocks(mine, theirs):
    """The clusters of both sides that share records, directly or through others."""
    left = [(0, i) for i in range(len(mine))] + [(1, j) for j in range(len(theirs))]
    held = {(0, i): c for i, c in enumerate(mine)} | {(1, j): c for j, c in enumerate(theirs)}
    while left:
        block, fresh = set(), {left[0]}
        while fresh:
            block |= fresh
            fresh = {
                x for x in left if x not in block and any(x[0] != y[0] and held[x] & held[y] for y in block)
            }
        left = [x for x in left if x not in block]
        yield (
            [mine[i] for side, i in sorted(block) if side == 0],
            [theirs[j] for side, j in sorted(block) if side == 1],
        )


def f1(a, b):
    return Fraction(2 * len(a & b), len(a) + len(b))


def lacking(cluster, others):
    """Memberships that the nearest of the others lacks; of equally near ones the first counts."""
    met = [other for other in others if cluster & other]
    return len(cluster - max(met, key=lambda other: f1(cluster, other))) if met else len(cluster)


def kind_of(mine, theirs):
    if not theirs:
        return "1:0"
    if not mine:
        return "0:1"
    if len(mine) == len(theirs) == 1:
        return "1:1" if mine == theirs else "1:1 changed"
    return "1:n" if len(mine) == 1 else "n:1" if len(theirs) == 1 else "n:m"


def random_cover(rng, elements):
    return [set(rng.sample(range(elements), rng.randint(1, 4))) for _ in range(rng.randint(1, 6))]


@every_case("seed", range(40))
def test_random_covers_change_as_defined(seed):
    rng = random.Random(seed)
    mine, theirs = random_cover(rng, 12), random_cover(rng, 12)
    names = range(12)
    c = cc.compare(cc.Cover.from_clusters(mine, records=names), cc.Cover.from_clusters(theirs, records=names))
    found = {
        (x.kind, x.size, x.missed, x.wrong, x.n_references, x.n_candidates) for x in c.changes(limit=None)
    }
    expected = set()
    for own, other in blocks(mine, theirs):
        missed, wrong = sum(lacking(x, other) for x in own), sum(lacking(x, own) for x in other)
        records = len(set().union(*own, *other))
        expected.add((kind_of(own, other), records, missed, wrong, len(own), len(other)))
    assert found == expected
    for change in c.changes(limit=None, n_overlaps=1000, n_examples=2):
        for o in change.overlaps:
            common = mine[o.reference] & theirs[o.candidate]
            assert (o.size, o.reference_size) == (len(common), len(mine[o.reference]))
            assert set(o.examples) <= common
            assert len(o.examples) == min(2, len(common))
    for score in c.clusters(limit=None):
        assert score.f1 == pytest.approx(max((float(f1(mine[score.cluster], x)) for x in theirs), default=0))
        assert (score.verdict == "exact") == (mine[score.cluster] in theirs)


def test_pure_pieces_that_overlap_count_once():
    """Three quarters of the cluster lie in the two pieces together, and no more than half in any one."""
    u = cc.Cover.from_clusters([set(range(8))], records=range(8))
    v = cc.Cover.from_clusters([{0, 1, 2}, {1, 2, 3}], records=range(8))
    assert cc.compare(u, v).clusters()[0].verdict == "scattered"  # 4 of 8, not 6
    w = cc.Cover.from_clusters([{0, 1, 2}, {2, 3, 4}], records=range(8))
    assert cc.compare(u, w).clusters()[0].verdict == "split"  # 5 of 8


def test_of_several_that_hold_all_of_it_the_same_cluster_is_the_partner():
    u, v = cc.Cover.from_clusters([{1, 2}]), cc.Cover.from_clusters([{1, 2, 3, 4, 5}, {1, 2}])
    score = cc.compare(u, v).clusters()[0]
    assert (score.verdict, score.partner, score.f1) == ("exact", 1, 1.0)


def test_clusters_keep_their_names_where_others_are_dropped():
    u = cc.Cover.from_mapping({"x": ["gone"], "a": ["kept"], "b": ["kept"]})
    v = cc.Cover.from_mapping({"a": ["one"], "b": ["two"]})
    change = cc.compare(u, v, unmatched="drop").changes()[0]
    assert [cluster.cluster for cluster in change.reference] == ["kept"]
    alone = cc.compare(u, v, unmatched="singletons").changes(kind="1:1")[0]
    assert (alone.reference[0].cluster, alone.candidate[0].cluster) == ("gone", None)


def test_what_is_printed_and_tabled():
    u = cc.Cover.from_mapping({"a": ["p"], "b": ["p", "q"], "c": ["q"], "d": ["r"]})
    v = cc.Cover.from_mapping({"a": ["x"], "b": ["x"], "c": ["y"], "e": ["z"]})
    changes = cc.compare(u, v).changes()
    assert str(changes).splitlines() == [
        "0 × 1:1, 0 × 1:1 changed, 0 × 1:n, 0 × n:1, 1 × n:m, 1 × 1:0, 1 × 0:1",
        "  n:m reference 'p' (2), 'q' (2) with candidate 'x' (2), 'y' (1); 1 membership",
        "    missed",
        "  1:0 reference 'r' (1); 1 membership missed",
        "  0:1 candidate 'z' (1); 1 membership wrong",
    ]
    assert changes.to_frame("polars")["reference"].to_list() == ["p", "r", None]
    assert str(cc.compare(u, v).summary().components).endswith("2\n  memberships missed, 1 membership wrong")


def test_what_covers_cannot_be_asked():
    c = cc.compare(cc.Cover.from_clusters([{1}]), cc.Cover.from_clusters([{1}]))
    with pytest.raises(ParameterError, match=r"kind='x': use '1:1', '1:1 changed', '1:n'"):
        c.changes(kind="x")
    with pytest.raises(ParameterError, match="for covers, use"):
        c.clusters(order="precision")
    with pytest.raises(CoverError, match=r"use indices, changes\(\), clusters\(\)"):
        c.suggest()


def test_the_page_lists_changes_and_the_clusters_of_both_sides(tmp_path):
    u = cc.Cover.from_mapping({"a": ["<p>"], "b": ["<p>", "q"], "c": ["q"], "d": ["r"]})
    v = cc.Cover.from_mapping({"a": ["x"], "b": ["x"], "c": ["y"], "e": ["z"]})
    c = cc.compare(u, v)
    page = c.to_html(tmp_path / "page.html").read_text(encoding="utf-8")
    for word, count in c.changes().counts.items():
        assert (f"{count} × {word}" in page) == (count > 0)
    for word, count in c.summary().reference.clusters.items():
        assert f"<b>{count} {word}</b>" in page
    assert "&lt;p&gt;" in page
    assert "<p></a>" not in page
    assert f'data-value="{c.clusters()[0].f1!r}"' in page
    assert "What cannot be shown" not in page
    assert 'data-chart="flow"' in page
    assert 'data-chart="table"' in page
    assert 'href="#r' not in page  # clusters of covers have no cards to open


def held_in(clusters):
    return set().union(*clusters)


@every_case("seed", range(12))
def test_the_flow_counts_each_record_once_for_each_two_clusters(seed):
    """Small ones whole, large ones with clusters gathered; what a side has in no cluster is one bar."""
    rng = random.Random(seed)
    mine, theirs = (
        [set(rng.sample(range(90), rng.randint(1, 9))) for _ in range(4 + 3 * seed)] for _ in "uv"
    )
    u, v = (cc.Cover.from_clusters(x, records=range(90)) for x in (mine, theirs))
    picture = cc.compare(u, v)._report_data().flow
    held = [
        [[clusters[node.place]] if node.verdict else [] for node in nodes]
        for nodes, clusters in ((picture.rows, mine), (picture.columns, theirs))
    ]
    for nodes, sets, own, other in (
        (picture.rows, held[0], mine, theirs),
        (picture.columns, held[1], theirs, mine),
    ):
        drawn = {node.place for node in nodes}
        for place, node in enumerate(nodes):
            if node.is_other:
                sets[place] = [x for i, x in enumerate(own) if i not in drawn]
                assert (node.gathered, node.size) == (len(sets[place]), sum(map(len, sets[place])))
            elif not node.verdict:
                sets[place] = [held_in(other) - held_in(own)]
                assert node.label == "in no cluster"
                assert node.size == len(sets[place][0])
    for i, row in enumerate(held[0]):
        for j, column in enumerate(held[1]):
            if picture.rows[i].is_other and picture.columns[j].is_other:
                continue  # not drawn
            assert picture.counts[i, j] == len(held_in(row) & held_in(column))


def test_colours_of_the_flow_are_by_the_nearest_cluster():
    u = cc.Cover.from_clusters([{1, 2, 3}, {3, 4}, {9}])
    v = cc.Cover.from_clusters([{1, 2, 3, 4}, {3, 5}])
    picture = cc.compare(u, v)._report_data().flow
    found = {
        (a.label, b.label): picture.match(i, j)
        for i, a in enumerate(picture.rows)
        for j, b in enumerate(picture.columns)
        if picture.counts[i, j]
    }
    assert found == {
        (0, 0): "core",
        (1, 0): "part",
        (0, 1): "stray",
        (1, 1): "part",
        (2, "in no cluster"): "stray",
        ("in no cluster", 1): "stray",
    }


def test_charts_of_covers():
    c = cc.compare(cc.Cover.from_clusters([{1, 2}, {2, 3}]), cc.Cover.from_clusters([{1, 2, 3}, {4}]))
    heights = [bar.get_height() for bar in c.plot("flow").ax_.patches]
    assert sum(heights) == 2 * 5  # the record 2 in two bands, and 4 from no cluster
    assert c.plot("table", share="reference").ax_.texts
    nothing = cc.compare(*[cc.Cover.from_clusters([], records=[1, 2])] * 2)
    with pytest.raises(TableNeededError):
        nothing.plot("flow")


def test_elements_that_were_left_out_are_on_the_first_screen(tmp_path):
    sides = {"a": {1, 2, 3}, "b": {3, 4, 9, 10}}, {"a": {1, 2, 3, 7}, "b": {3, 4}}
    c = cc.compare(*map(cc.Cover.from_clusters, sides), unmatched="drop")
    assert (
        c.headline == "The candidate and the reference are identical on the 4 of 7 records that were compared"
    )
    page = c.to_html(tmp_path / "page.html").read_text(encoding="utf-8")
    assert '<p class="left-out">3 records were left out.</p>' in page
