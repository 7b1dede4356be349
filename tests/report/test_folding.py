"""Clusters that pictures draw as one: noise, what one side lacks, and singletons that both sides have."""

import re

import pytest

import concordant as cc

NOISY = ([0, 0, 0, 1, 1, 1, -1, -1], [0, 0, -1, 1, -1, 1, 5, -1])


def sides(comparison):
    """What stands beside the bars of the flow, with the sizes."""
    picture = comparison._report_data().flow
    assert picture.counts.sum() == comparison.size
    return [{(node.label, node.size) for node in nodes} for nodes in (picture.rows, picture.columns)]


@pytest.mark.parametrize("noise_as", ["cluster", "singletons"])
def test_noise_is_one_hatched_bar(noise_as, tmp_path):
    """Whether it is a cluster or a set of records in none."""
    c = cc.compare(*NOISY, noise=-1, noise_as=noise_as)
    rows, columns = sides(c)
    label = name = "noise"
    assert rows == {(0, 3), (1, 3), (label, 2)}
    assert columns == {(0, 2), (1, 2), (5, 1), (label, 3)}
    assert [node.label for node in c._report_data().flow.rows if node.is_hatched] == [label]
    text = c.to_html(tmp_path / "p.html").read_text(encoding="utf-8")
    assert f">{name}<" in text
    for said in (text.partition('id="indices"')[0], str(c), c._repr_html_().partition("<details>")[0]):
        plain = re.sub(r"<(style|script).*?</\1>|<[^>]*>", " ", said, flags=re.DOTALL)
        assert not re.search(r"(?<![\w.,[-])-1\b", plain)
    assert "not drawn to scale" not in text
    assert name in [text.get_text() for text in c.plot("flow").ax_.texts]


def test_a_label_like_noise_is_a_cluster_where_nobody_said_so():
    assert sides(cc.compare(*NOISY))[0] == {(0, 3), (1, 3), (-1, 2)}


def test_a_cluster_called_noise_is_no_noise():
    c = cc.compare([0, 0, -1, -1, "noise", "noise"], [0, 0, 0, -1, 5, 5], noise=-1, noise_as="cluster")
    hatched = [(node.label, node.size, node.is_hatched) for node in c._report_data().flow.rows]
    assert sorted(hatched, key=str) == [("noise", 2, False), ("noise", 2, True), (0, 2, False)]


def test_equal_singletons_are_one_bar_and_agree():
    own = [f"s{i}" for i in range(50)] + ["a"] * 3 + ["b"] * 4
    c = cc.compare(own, [f"t{i}" for i in range(50)] + ["x"] * 2 + ["y"] * 5)
    assert sides(c) == [
        {("50 singletons", 50), ("a", 3), ("b", 4)},
        {("50 singletons", 50), ("x", 2), ("y", 5)},
    ]
    picture = c._report_data().flow
    assert picture.match(2, 2) == "core"
    assert picture.gathered == (0, 0)


def test_records_that_a_side_lacks_are_one_bar():
    one, other = {"a": 1, "b": 1, "c": 2, "d": 2}, {"b": 1, "c": 1, "f": 5, "g": 5}
    assert sides(cc.compare(one, other, unmatched="singletons")) == [
        {(1, 2), (2, 2), ("only in the candidate", 2)},
        {(1, 2), (5, 2), ("only in the reference", 2)},
    ]
