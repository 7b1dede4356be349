"""Every kind of page: what it says are the numbers of the API, and labels stay text, whatever they hold.

Each page is written twice from the same partitions, with plain names and with hostile ones: the elements and
attributes of both have to be the same. No browser is needed.
"""

import itertools
import json
import re
from collections import Counter
from html.parser import HTMLParser
from math import isfinite
from xml.etree import ElementTree as ET

import numpy as np
import polars as pl
import pytest
from inner import printable

import concordant as cc

U = [0, 0, 0, 0, 1, 1, 1, 2, 2, 3, 3, 3]
V = [0, 0, 1, 1, 1, 1, 2, 2, 2, 3, 3, 0]
W = [0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 3, 3]
HEADLINE = ("precision", "recall", "f_measure", "adjusted_rand")


def plain(number):
    return f"name label {number:02}"


def hostile(number):  # as long as the plain one, since long names leave room for fewer
    return f"</script>&'{number:02}"


def long(number):
    return f"a label of many characters, {number:02}"


MANY_CHARACTERS = re.compile(long(0).replace("00", r"(\d\d)"))
ATTACKS = (
    "</script><img src=x onerror=e({:02})>",
    "\"'>&lt;&#60;&amp;<b onload='{:02}' x=\"",
    "\u2028{:02}\x00\x1b<!--<script>",
    "\u202e{:02}\u200f\u2066</title><svg>",
)


def attack(number):  # nearly as long as the long one, once invisible characters are spelled out
    return ATTACKS[number % 4].format(number)


class Read(HTMLParser):
    """The elements with their attributes, the numbers in cells or stored with them, and the text.

    Scripts and styles are kept apart, by whether they are JSON.
    """

    def __init__(self, page):
        super().__init__()
        self.elements, self.numbers, self.text = Counter(), [], []
        self.attributes, self.json, self.code, self._within = [], [], [], self.text
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.elements[tag, *sorted(name for name, _ in attrs)] += 1
        self.attributes += attrs
        if tag in ("script", "style"):
            self._within = self.json if ("type", "application/json") in attrs else self.code
        self.numbers += [
            float(value) for name, value in attrs if name in ("data-value", "data-low", "data-high")
        ]

    def handle_endtag(self, tag):
        if tag in ("script", "style"):
            self._within = self.text

    def handle_comment(self, data):
        raise AssertionError(f"a comment: {data}")

    def handle_data(self, data):
        self._within.append(data)
        if re.fullmatch(r"[\d,]+", data):
            self.numbers.append(int(data.replace(",", "")))


def mapping(labels, name):
    return {name(50 + i): name(label) for i, label in enumerate(labels)}


def shown(value):
    return f"{value:.4f}"


def values(comparison):
    return [shown(comparison[index]) for index in HEADLINE]


def costs(comparison):
    """Of blocks, and of the overlaps of components, as the page lists them."""
    found = comparison.changes()
    listed = [each for change in found for each in (change.overlaps if change.kind == "n:m" else [change])]
    return [number for each in listed for number in (each.missed, each.wrong) if number]


def compared(name, path, **options):
    c = cc.compare(mapping(U, name), mapping(V, name), names=(name(90), name(91)), **options)
    c.to_html(path)
    return c, costs(c), values(c)


def of_records(name, path):
    c = cc.compare(mapping(U, name), mapping(V, name), names=(name(90), name(91)))
    known = pl.DataFrame({"id": list(mapping(U, name)), name(80): [name(81 + i % 3) for i in range(len(U))]})
    c.to_html(path, details=known, record="id")
    return c, costs(c), values(c)


def noisy(name, path):
    return compared(name, path, noise=name(3), noise_as="singletons")


def coreference(name, path):
    sides = [
        {name(label): {name(50 + i) for i, own in enumerate(labels) if own == label} for label in set(labels)}
        for labels in (U, V[:-1])
    ]
    c = cc.coreference([sides[0]], [sides[1]]).comparison
    c.to_html(path)
    return c, [change.missed for change in c.changes() if change.kind != "n:m"], []


def covers(name, path):
    sides = [
        {name(i): {name(50 + e) for e in own} for i, own in enumerate(each)}
        for each in ([{1, 2, 3}, {3, 4, 5}, {6, 7}], [{1, 2, 3}, {3, 4}, {5, 6, 7, 1}])
    ]
    c = cc.compare(*map(cc.Cover.from_clusters, sides), names=(name(90), name(91)))
    c.to_html(path)
    return c, [each.f1 for each in c.clusters()], [shown(c["omega"])]


def image(name, path):
    truth, found = (np.repeat(np.array(labels), 6).reshape(8, 9) for labels in (U, V))
    c = cc.compare(truth, found, names=(name(90), name(91)))
    c.to_html(path, raw=truth * 10)
    return c, costs(c), values(c)


def sizes(name, path):
    """As a file knows them if the overlaps stayed in their source."""
    frame = pl.LazyFrame({"u": [i // 10 for i in range(40)], "v": [i // 20 for i in range(40)]})
    cc.compare(frame, columns=["u", "v"], table_limit=0, names=(name(90), name(91))).save(
        path.with_suffix(".json")
    )
    c = cc.Comparison.load(path.with_suffix(".json"))
    c.to_html(path)
    return c, [], values(c)


def runs(name):
    return {name(70 + i): mapping(labels, name) for i, labels in enumerate((U, V, W))}


def matrix(name, path):
    m = cc.matrix(runs(name), "variation_of_information", reference=name(70))
    m.to_html(path)
    return m, [each.value for each in m.ranking()], []


def matrices(name, path):
    m = cc.matrix(runs(name), ["ARI", "recall"])
    m.to_html(path)
    return m, [], [shown(m[name(70), name(71), "ARI"])]


def track(name, path):
    t = cc.track(runs(name))
    t.to_html(path)
    return t, [stage.size for stage in t.stages], [f"{each:.2f}" for each in t.adjusted_rand]


def consensus(name, path):
    c = cc.consensus(runs(name))
    c.to_html(path)
    return c, [], [shown(c.loss)]


def fixed(name, path):
    truth, before, after = runs(name).values()
    d = cc.diff(before, after, reference=truth, interval=True, names=(name(90), name(91), name(92)))
    d.to_html(path)
    lines = d.indices()
    differences = [d.difference(line.index) for line in lines if line.low is not None]
    assert differences
    numbers = [number for line in lines for number in (line.before, line.after, line.difference)]
    clusters = [each for outcome in ("fixed", "broken") for each in d.clusters(outcome=outcome)]
    missed = [number for each in clusters for number in (each.missed_before, each.missed_after)]
    return d, [*numbers, *missed, *(end for each in differences for end in (each.low, each.high))], []


def estimates(name, path):
    sample = {name(50 + i): name(70 + label) for i, label in enumerate(U) if label}
    e = cc.estimate(sample, mapping(V, name), sampling="records", n_draws=6)
    e.to_html(path)
    known = [each for each in e.values() if each.estimable]
    assert known
    rows = [[each.value, each.low, each.high, each.se] for each in known]
    return e, [number for row in rows for number in row], [e.headline.partition("F-measure")[2]]


def stable(name, path):
    reference = {name(50 + i): name(70 + label) for i, label in enumerate(U)}
    s = cc.stability([mapping(labels, name) for labels in (V, W)], reference=reference)
    s.to_html(path)
    rows = [[each.jaccard, each.by_chance, each.within, each.across] for each in s.clusters()]
    numbers = [*itertools.chain.from_iterable(rows), *(each.coassignment for each in s.records())]
    return s, [*filter(isfinite, numbers)], [shown(s.overall)]


def scored(name):
    """Scores of pairs that are mostly right."""
    pairs = [(0, 1, 0.9), (2, 3, 0.8), (4, 5, 0.7), (0, 2, 0.6), (9, 10, 0.5), (10, 11, 0.4), (3, 4, 0.3)]
    columns = {"l": [name(50 + i) for i, _, _ in pairs], "r": [name(50 + j) for _, j, _ in pairs]}
    frame = pl.DataFrame(columns | {"p": [score for *_, score in pairs]})
    return cc.Hierarchy.from_pairs(frame, left="l", right="r", score="p")


def thresholds(name, path):
    t = cc.compare(mapping(U, name), scored(name), unmatched="singletons", names=(name(90), name(91)))
    t.to_html(path, indices=["f_measure", "precision"])
    curve, best = t.curve("f_measure"), t.best_cut("f_measure")
    pruning = t.best_pruning("f_measure")
    texts = [f"best at threshold {best.threshold:g}: {shown(best.value)}", shown(pruning.value)]
    return t, [*curve.to_numpy().tolist(), *t.curve("precision").to_numpy().tolist()], texts


def trees(name, path):
    h = cc.compare(
        scored(name),
        cc.Hierarchy.from_levels([mapping(V, name), mapping([0] * 12, name)]),
        unmatched="singletons",
        names=(name(90), name(91)),
    )
    h.to_html(path)
    best = h.cuts("adjusted_rand", n_clusters=99, candidate_n_clusters=99).best()
    return h, h.curve("fowlkes_mallows").to_numpy().tolist(), [shown(best.value)]


def soft(name, path):
    rows = np.random.default_rng(1).dirichlet([0.5] * 3, 7)  # few, as every order is tried
    weights = {name(50 + i): {name(k): float(w) for k, w in enumerate(row)} for i, row in enumerate(rows)}
    s = cc.compare(mapping(U[:7], name), cc.Soft.from_mapping(weights), names=(name(90), name(91)))
    s.to_html(path, significance=True)
    records = [number for each in s.records() for number in (each.moved, each.n_pairs)]
    return s, [*s.values(), *records, *(each.overlap for each in s.matching())], [s.headline]


def changed(name, path):
    d = cc.diff(
        mapping(U, name), mapping(V, name), names=[name(90), name(91), name(92)], reference=mapping(U, name)
    )
    d.to_html(path)
    listed = [*d.components(), *d.clusters(), *d.records()]
    numbers = [number for each in listed for number in (each.jaccard_distance, each.improvement)]
    values = d.to_dict()["indices"].values()
    return d, [*filter(isfinite, values), *numbers], ["connected component"]


def review(name, path):
    u, v, attributes = mapping(U, name), mapping(V, name), [name(70 + i) for i in range(12)]
    frame = pl.DataFrame({"id": list(u), "attribute": attributes})
    q = cc.diff(u, v).ask(n_questions=8, details=frame, record="id")
    q.to_html(path)
    return q, [], [f"{len(q)} questions: the same entity or not?"]


def sliced(name, path):
    c = cc.compare(mapping(U, name), mapping(V, name), names=(name(90), name(91)))
    slices = c.slices({name(50 + i): name(70 + i % 2) for i in range(12)})
    c.to_html(path, slices=slices)
    return slices, costs(c), values(c)


def judged(name, path):
    d = cc.diff(mapping(U, name), mapping(V, name), names=(name(90), name(91)))
    asked = d.ask(n_questions=8)
    answers = [{"question": q.question, "same": "yes", "judge": name(80)} for q in asked.questions]
    found = d.judged(answers, questions=asked)
    slices = d.slices({name(50 + i): name(70 + i % 2) for i in range(12)})
    d.to_html(path, judged=found, slices=slices)
    return found, [], ["connected component"]


KINDS = [soft, thresholds, trees, compared, of_records, noisy, coreference, covers, image, sizes]
KINDS += [matrix, matrices, track, consensus, fixed, estimates, stable, changed, review]
KINDS += [sliced, judged]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_numbers_are_those_of_the_api_and_labels_stay_text(kind, tmp_path):
    pages = {}
    for name in (plain, hostile):
        _, numbers, texts = kind(name, tmp_path / "page.html")
        assert numbers or texts
        page = Read((tmp_path / "page.html").read_text(encoding="utf-8"))
        assert not [number for number in numbers if number not in page.numbers]
        assert not [text for text in texts if text not in " ".join(page.text)]
        pages[name] = page
    assert pages[hostile].elements == pages[plain].elements
    assert re.search(r"</script>&'[5679]\d", " ".join(pages[hostile].text))


def strings(value):
    """All strings in decoded JSON."""
    if isinstance(value, str):
        return [value]
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [text for each in inner for text in strings(each)]


# Control characters, and those that end lines or change the direction of the text around them.
INVISIBLE = re.compile("[\x00-\x08\x0b-\x1f\u200e\u200f\u2028\u2029\u202a-\u202e\u2066\u2067]")


def check_labels_stay_text(page, twin):
    """The page has hostile labels, and its twin plain ones of nearly the same length."""
    assert set(page.elements) == set(twin.elements)
    for tag in ("script", "style"):
        assert [n for (each, *_), n in page.elements.items() if each == tag] == [
            n for (each, *_), n in twin.elements.items() if each == tag
        ]
    assert page.code == twin.code
    for name, value in page.attributes:
        assert not name.startswith("on")
        assert name not in ("href", "src", "xlink:href") or value.startswith(("#", "data:image/"))
        if name == "style":  # outside of CSS strings
            assert not re.search("on(error|load)|script|title", re.sub(r'"(?:[^"\\]|\\.)*"', "", value))
    shown = " ".join(page.text)
    assert any(printable(attack(number))[:12] in shown for number in range(100))
    assert not INVISIBLE.search(shown)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_hostile_labels_stay_text_in_pages_notebooks_scripts_and_charts(kind, tmp_path):
    pages, notebooks = {}, {}
    for name in (long, attack):
        result, *_ = kind(name, tmp_path / "page.html")
        pages[name] = (tmp_path / "page.html").read_text(encoding="utf-8")
        notebooks[name] = Read(result._repr_html_())
    page, twin = Read(pages[attack]), Read(pages[long])
    check_labels_stay_text(page, twin)
    found, others = (strings([json.loads(text) for text in each.json]) for each in (page, twin))
    labels = [label for number in range(100) for label in (attack(number), (0, attack(number)))]
    known = {MANY_CHARACTERS.sub(lambda number: printable(attack(int(number[1]))), text) for text in others}
    assert set(found) <= known | set(map(printable, labels))  # which ones are listed, sets decide
    assert len(found) > 0 or not others
    charts = re.findall(r'<svg class="drawing".*?</svg>', pages[attack], re.DOTALL)
    assert len(charts) == pages[long].count('<svg class="drawing"')
    for chart in charts:
        ET.fromstring(chart)  # noqa: S314  (our own chart, which a reader may save as a file)
    check_notebook(*notebooks.values())


def check_notebook(twin, notebook):
    assert set(notebook.elements) == set(twin.elements)
    assert notebook.code == twin.code
    assert not notebook.json
    assert not any(name.startswith("on") for name, _ in notebook.attributes)
    assert not INVISIBLE.search(" ".join(notebook.text))


def lists(name):
    """Results without a page of their own."""
    c = cc.compare(mapping(U, name), mapping(V, name), names=(name(90), name(91)))
    yield from (c.table, c.changes(), c.clusters(), c.records(), c.suggest(), c.matching())
    yield from (c.relabelled(), c.summary(), c.live())
    truth, *systems = (mapping(labels, name) for labels in (U, V, W))
    yield cc.rank(truth, {name(70): systems[0], name(71): systems[1]})
    yield cc.compare_references([truth, systems[0]], systems[1])
    yield cc.coreference([[{name(1), name(2)}]], [[{name(1), name(2), name(3)}]])
    yield from (cc.diff(truth, systems[0], names=(name(90), name(91))).records(), cc.track(runs(name)).events)
    tree = cc.Hierarchy.from_levels([mapping(V, name), mapping([0] * 12, name)])
    h = cc.compare(scored(name), tree, unmatched="singletons")
    yield from (h.changes(), h.tanglegram(), h.cuts("rand"), h.curve("rand"))


def test_hostile_labels_stay_text_in_the_notebook_form_of_lists():
    for twin, result in zip(lists(long), lists(attack), strict=True):
        check_notebook(Read(twin._repr_html_()), Read(result._repr_html_()))
