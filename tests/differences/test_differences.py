"""What a printed comparison says of where two partitions differ."""

import re

from rich.cells import cell_len

import concordant as cc


def told(c):
    """The lines that name the costliest clusters."""
    words = " ".join(str(c).split())
    return re.findall(r"[\d,]+ \w+ pairs?, \S+ of all: .*?(?= [\d,]+ \w+ pairs?, | \(every| found on)", words)


def test_the_costliest_clusters_are_named_with_their_pairs_and_share():
    reference = ["a"] * 6 + ["b"] * 4 + ["c"] * 2
    candidate = [1] * 3 + [2] * 3 + [3] * 4 + [3] * 2
    assert told(cc.compare(reference, candidate)) == [
        "9 missed pairs, 100% of all: reference cluster a is split over candidate clusters 1 and 2",
        "8 wrong pairs, 100% of all: candidate cluster 3 mixes reference clusters b and c",
    ]


def test_three_are_named_and_their_numbers_stand_in_a_column():
    reference = [f"r{i}" for i in range(6) for _ in range(2 * i + 2)]
    candidate = [i % 2 + 2 * (i // 14) for i in range(len(reference))]
    costliest = [line for line in str(cc.compare(reference, candidate)).splitlines() if " of all: " in line]
    assert len(costliest) == 3
    found = [re.search(r"([\d,]+) +(?:wrong|missed) pairs", line) for line in costliest]
    pairs = [int(each[1].replace(",", "")) for each in found]
    assert pairs == sorted(pairs, reverse=True)
    assert len({each.end(1) for each in found}) == 1


def test_identical_partitions_have_no_costly_clusters():
    c = cc.compare([0, 0, 1], ["x", "x", "y"])
    assert told(c) == []
    assert re.search(r"exact +2 +3 +█{20}  100%", str(c))


def test_sizes_alone_say_nothing_of_clusters(sizes_alone):
    u, v = "aabbcc", "xxyyyy"
    assert " exact" in str(cc.compare(list(u), list(v)))
    assert " exact" not in str(sizes_alone(u, v))


def test_nothing_compared_says_nothing_of_clusters():
    assert " exact" not in str(cc.compare([], []))


def test_counts_without_names_number_their_clusters():
    text = str(cc.Comparison.from_contingency([[4, 4], [0, 3]]))
    assert "reference cluster 0 is split over candidate clusters 0 and 1" in " ".join(text.split())


def test_huge_counts_are_told_exactly():
    text = str(cc.Comparison.from_contingency([[10**30, 10**30]]))
    assert f"{10**60:,} missed pairs" in " ".join(text.split())


def test_hostile_labels_stay_on_their_line():
    hostile = ["\x1b[31mred", "two\nlines", "\u202egnirts", "x" * 10_000]
    c = cc.compare([label for label in hostile for _ in range(2)], list("abababab"))
    assert "\x1b" not in str(c)
    assert "\u202e" not in str(c)
    assert len(told(c)) == 3


def test_lines_fit_into_a_usual_terminal():
    labels = ["x" * 10_000, "y" * 10_000, "z" * 10_000, "zz"]
    c = cc.compare([labels[i % 3] for i in range(4000)], [labels[i % 4] for i in range(4000)])
    assert max(map(cell_len, str(c).splitlines())) <= 80
    assert len(str(c).splitlines()) <= 25
    assert len(told(c)) >= 1


def test_the_full_text_counts_the_components_and_says_who_is_to_blame():
    text = " ".join(f"{cc.compare(list('aaaabbc'), [0, 0, 0, 1, 2, 3, 4]):all}".split())
    assert (
        "components: 1 × 1:1, 2 × 1:n, 0 × n:1, 0 × n:m; one 1:n component accounts for 75% of the missed "
        "pairs" in text
    )


def test_the_notebook_shows_them_too():
    shown = cc.compare(["<b>", "<b>", "<i>"], [1, 2, 2])._repr_html_()
    assert "reference cluster &#x27;&lt;b&gt;&#x27; is split over candidate clusters 1 and 2" in shown
    assert "<b> is split" not in shown
