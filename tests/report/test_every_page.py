"""Every kind of page: what it says are the numbers of the API, and labels stay text, whatever they hold.

Each page is written twice from the same partitions, with plain names and with hostile ones: the elements and
attributes of both have to be the same.
"""

import itertools
import re
from collections import Counter
from html.parser import HTMLParser
from math import isfinite

import numpy as np
import polars as pl
import pytest

import concordant as cc
from concordant.counts.profile import Profile
from concordant.report.values import format_value, two_decimals

U = [0, 0, 0, 0, 1, 1, 1, 2, 2, 3, 3, 3]
V = [0, 0, 1, 1, 1, 1, 2, 2, 2, 3, 3, 0]
W = [0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 3, 3]
HEADLINE = ("precision", "recall", "f_measure", "adjusted_rand")


def plain(number):
    return f"name label {number:02}"


def hostile(number):  # as long as the plain one, since long names leave room for fewer
    return f"</script>&'{number:02}"


class Read(HTMLParser):
    """The elements with their attributes, the numbers in cells or stored with them, and the text."""

    def __init__(self, page):
        super().__init__()
        self.elements, self.numbers, self.text = Counter(), [], []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.elements[tag, *sorted(name for name, _ in attrs)] += 1
        self.numbers += [
            float(value) for name, value in attrs if name in ("data-value", "data-low", "data-high")
        ]

    def handle_data(self, data):
        self.text.append(data)
        if re.fullmatch(r"[\d,]+", data):
            self.numbers.append(int(data.replace(",", "")))


def mapping(labels, name):
    return {name(50 + i): name(label) for i, label in enumerate(labels)}


def values(comparison):
    return [format_value(comparison[index]) for index in HEADLINE]


def costs(comparison):
    """Of blocks, and of the overlaps of components, as the page lists them."""
    found = comparison.changes()
    listed = [each for change in found for each in (change.overlaps if change.kind == "n:m" else [change])]
    return [number for each in listed for number in (each.missed, each.wrong) if number]


def compared(name, path, **options):
    c = cc.compare(mapping(U, name), mapping(V, name), **options)
    c.to_html(path, names=(name(90), name(91)))
    return costs(c), values(c)


def of_records(name, path):
    c = cc.compare(mapping(U, name), mapping(V, name))
    known = pl.DataFrame({"id": list(mapping(U, name)), name(80): [name(81 + i % 3) for i in range(len(U))]})
    c.to_html(path, names=(name(90), name(91)), records=known, record="id")
    return costs(c), values(c)


def noisy(name, path):
    return compared(name, path, noise=name(3), noise_as="singletons")


def coreference(name, path):
    sides = [
        {name(label): {name(50 + i) for i, own in enumerate(labels) if own == label} for label in set(labels)}
        for labels in (U, V[:-1])
    ]
    c = cc.coreference([sides[0]], [sides[1]]).comparison
    c.to_html(path, names=(name(90), name(91)))
    return [change.missed for change in c.changes() if change.kind != "n:m"], []


def covers(name, path):
    sides = [
        {name(i): {name(50 + e) for e in own} for i, own in enumerate(each)}
        for each in ([{1, 2, 3}, {3, 4, 5}, {6, 7}], [{1, 2, 3}, {3, 4}, {5, 6, 7, 1}])
    ]
    c = cc.compare(*map(cc.Cover.from_clusters, sides))
    c.to_html(path, names=(name(90), name(91)))
    return [each.f1 for each in c.clusters()], [format_value(c["omega"])]


def image(name, path):
    truth, found = (np.repeat(np.array(labels), 6).reshape(8, 9) for labels in (U, V))
    c = cc.compare(truth, found)
    c.to_html(path, names=(name(90), name(91)), raw=truth * 10)
    return costs(c), values(c)


def sizes(name, path):
    c = cc.Comparison(Profile.from_rows([(10, 10, 20, 2)]))
    c.to_html(path, names=(name(90), name(91)))
    return [], values(c)


def runs(name):
    return {name(70 + i): mapping(labels, name) for i, labels in enumerate((U, V, W))}


def matrix(name, path):
    m = cc.matrix(runs(name), "variation_of_information", reference=name(70))
    m.to_html(path)
    return [*m.ranking().values()], []


def matrices(name, path):
    m = cc.matrix(runs(name), ["ARI", "recall"])
    m.to_html(path)
    return [], [format_value(m["ARI"][name(70), name(71)])]


def track(name, path):
    t = cc.track(runs(name))
    t.to_html(path)
    events = (*t.splits, *t.merges, *t.births, *t.deaths)
    return [event.elements for event in events], [*map(two_decimals, t.adjusted_rand)]


def consensus(name, path):
    c = cc.consensus(runs(name))
    c.to_html(path)
    return [], [format_value(c.loss)]


def contrast(name, path):
    c = cc.contrast(*runs(name).values(), interval=True)
    c.to_html(path, names=(name(90), name(91), name(92)))
    lines = c.indices()
    differences = [c.difference(line.index) for line in lines if isfinite(line.low)]
    assert differences
    numbers = [number for line in lines for number in (line.before, line.after, line.difference)]
    missed = [number for each in c.clusters() for number in (each.missed_before, each.missed_after)]
    return [*numbers, *missed, *(end for each in differences for end in (each.low, each.high))], []


def estimates(name, path):
    sample = {name(50 + i): name(70 + label) for i, label in enumerate(U) if label}
    e = cc.estimate(sample, mapping(V, name), sampling="records", draws=6)
    e.to_html(path)
    known = [each for each in e.values() if each.estimable]
    assert known
    rows = [[each.value, each.low, each.high, each.se] for each in known]
    return [number for row in rows for number in row], [known[0].sentence]


def stable(name, path):
    reference = {name(50 + i): name(70 + label) for i, label in enumerate(U)}
    s = cc.stability([mapping(labels, name) for labels in (V, W)], reference=reference)
    s.to_html(path)
    rows = [[each.jaccard, each.by_chance, each.within, each.across] for each in s.clusters()]
    numbers = [*itertools.chain.from_iterable(rows), *(each.coassignment for each in s.records())]
    return [*filter(isfinite, numbers)], [format_value(s.overall)]


def scored(name):
    """Scores of pairs that are mostly right."""
    pairs = [(0, 1, 0.9), (2, 3, 0.8), (4, 5, 0.7), (0, 2, 0.6), (9, 10, 0.5), (10, 11, 0.4), (3, 4, 0.3)]
    columns = {"l": [name(50 + i) for i, _, _ in pairs], "r": [name(50 + j) for _, j, _ in pairs]}
    frame = pl.DataFrame(columns | {"p": [score for *_, score in pairs]})
    return cc.Hierarchy.from_pairs(frame, left="l", right="r", score="p")


def thresholds(name, path):
    t = cc.compare(mapping(U, name), scored(name), unmatched="singletons")
    t.to_html(path, names=(name(90), name(91)), indices=["f_measure", "precision"])
    curve, best = t.curve("f_measure"), t.best_cut("f_measure")
    pruning = t.best_pruning("f_measure")
    texts = [f"best at threshold {best.threshold:g}: {format_value(best.value)}", format_value(pruning.value)]
    return [*curve.values.tolist(), *t.curve("precision").values.tolist()], texts


def trees(name, path):
    h = cc.compare(
        scored(name),
        cc.Hierarchy.from_levels([mapping(V, name), mapping([0] * 12, name)]),
        unmatched="singletons",
    )
    h.to_html(path, names=(name(90), name(91)))
    best = h.cuts("adjusted_rand", 99, 99).best()
    return h.curve("fowlkes_mallows").values.tolist(), [format_value(best["value"])]


def soft(name, path):
    rows = np.random.default_rng(1).dirichlet([0.5] * 3, 12)
    weights = {name(50 + i): {name(k): float(w) for k, w in enumerate(row)} for i, row in enumerate(rows)}
    s = cc.compare(mapping(U, name), cc.Soft.from_mapping(weights))
    s.to_html(path, names=(name(90), name(91)), significance=True)
    records = [number for each in s.records() for number in (each.moved, each.pairs)]
    return [*s.values(), *records, *(each.overlap for each in s.matching())], [s.headline]


def changed(name, path):
    d = cc.diff(mapping(U, name), mapping(V, name), names=(name(90), name(91)), truth=mapping(U, name))
    d.to_html(path)
    listed = [*d.components(), *d.clusters(), *d.records()]
    numbers = [number for each in listed for number in (each.jaccard_distance, each.delta_precision)]
    values = d.to_dict()["metrics"].values()
    return [*filter(isfinite, values), *numbers], ["connected component"]


def review(name, path):
    u, v, attributes = mapping(U, name), mapping(V, name), [name(70 + i) for i in range(12)]
    frame = pl.DataFrame({"id": list(u), "attribute": attributes})
    q = cc.diff(u, v).ask(8, records=frame, record="id")
    q.to_html(path)
    return [], [f"{len(q)} questions: the same entity or not?"]


KINDS = [soft, thresholds, trees, compared, of_records, noisy, coreference, covers, image, sizes]
KINDS += [matrix, matrices, track, consensus, contrast, estimates, stable, changed, review]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_numbers_are_those_of_the_api_and_labels_stay_text(kind, tmp_path):
    pages = {}
    for name in (plain, hostile):
        numbers, texts = kind(name, tmp_path / "page.html")
        assert numbers or texts
        page = Read((tmp_path / "page.html").read_text(encoding="utf-8"))
        assert not [number for number in numbers if number not in page.numbers]
        assert not [text for text in texts if text not in " ".join(page.text)]
        pages[name] = page
    assert pages[hostile].elements == pages[plain].elements
    assert re.search(r"</script>&'[79]\d", " ".join(pages[hostile].text))
