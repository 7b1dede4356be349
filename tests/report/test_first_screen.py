"""Every sentence and count of the first screen, against an independent count of the labels."""

import csv
import html
import re
from collections import Counter
from fractions import Fraction
from functools import cached_property
from itertools import combinations, pairwise
from pathlib import Path

import numpy as np
import pytest
from inner import INDICES, percent
from scipy.optimize import linear_sum_assignment

import concordant as cc

DIGITS = Path(__file__).parents[2] / "examples" / "digits"
RNG = np.random.default_rng(5)
NOISE = -1


# -- what the screens show --------------------------------------------------------------------------


def plain(fragment):
    fragment = re.sub(r"<(script|style).*?</\1>", "", fragment, flags=re.DOTALL)
    fragment = re.sub(r"<[^>]+>", " ", re.sub(r"</?(?:bdi|b|i|wbr|a)\b[^>]*>", "", fragment))
    return " ".join(html.unescape(fragment).split())


def screens(c, folder):
    """The header of the page, the text and the top of the notebook fragment, as plain text."""
    page = c.to_html(folder / "page.html").read_text("utf-8").partition("<nav")[0]
    return plain(page[page.index("<h1") :]), " ".join(str(c).split()), plain(c._repr_html_())


# -- situations -------------------------------------------------------------------------------------


def read(name):
    with (DIGITS / name).open(newline="", encoding="utf-8") as file:
        return [row[1] for row in sorted(list(csv.reader(file))[1:])]


def mixed(size, clusters, share, source=RNG):
    u = source.integers(0, clusters, size)
    return u.tolist(), np.where(source.random(size) < share, source.integers(0, clusters, size), u).tolist()


def giant():
    truth = np.arange(900) // 3
    return truth.tolist(), np.where(np.arange(900) < 450, 5000, truth).tolist()


def noisy():
    truth = np.repeat(np.arange(6), 50)
    found = np.where(truth == 2, 1, truth)
    found[np.arange(300) % 50 < 30] = NOISE
    return truth.tolist(), found.tolist()


HOSTILE = ["東京", "مجموعة", "👩‍👧 family", "<script>alert(1)</script>", "8", "a b "]
SITUATIONS = {
    "digits": (read("truth.csv"), read("kmeans.csv"), {}),
    "two clusters": ([0] * 30 + [1] * 30, [0] * 25 + [1] * 35, {}),
    "one against singletons": ([0] * 40, list(range(40)), {}),
    "identical": (list("aabbcc"), list("xxyyzz"), {}),
    "random": (*RNG.integers(0, 7, (2, 4000)).tolist(), {}),
    "300 clusters": (*mixed(3000, 300, 0.1), {}),
    "1,500 entities": (*mixed(4500, 1500, 0.08), {}),
    "one giant cluster": (*giant(), {}),
    "60% noise, a cluster": (*noisy(), {"noise": NOISE, "noise_as": "cluster"}),
    "60% noise, singletons": (*noisy(), {"noise": NOISE, "noise_as": "singletons"}),
    "hostile labels": ([HOSTILE[i // 20] for i in range(120)], [HOSTILE[i // 24] for i in range(120)], {}),
}
for seed in range(8):
    source = np.random.default_rng(seed)
    u, v = mixed(int(source.integers(20, 200)), int(source.integers(2, 12)), source.random(), source)
    SITUATIONS[f"random {seed}"] = (u, (np.array(v) // int(source.integers(1, 3)) + 100).tolist(), {})


# -- an independent count ---------------------------------------------------------------------------


class Count:
    """Sizes, overlaps and pairs of two lists of labels."""

    def __init__(self, u, v, noise=None, noise_as="cluster"):
        self.u, self.v, self.size, self.noise, self.noise_as = u, v, len(u), noise, noise_as
        if noise_as == "singletons":
            v = [("alone", i) if label == noise else label for i, label in enumerate(v)]
        self.cells, self.a, self.b = Counter(zip(u, v, strict=True)), Counter(u), Counter(v)
        pairs = [sum(n * (n - 1) // 2 for n in each.values()) for each in (self.cells, self.a, self.b)]
        self.n11, self.n10, self.n01 = pairs[0], pairs[1] - pairs[0], pairs[2] - pairs[0]

    def is_outside(self, label):
        return self.noise is not None and (label == self.noise or isinstance(label, tuple))

    @property
    def clusters(self):
        return len(self.a), sum(not self.is_outside(label) for label in self.b)

    @property
    def in_noise(self):
        return sum(label == self.noise for label in self.v) if self.noise is not None else 0

    @cached_property
    def f1(self):
        """The F1 of each reference cluster with its nearest candidate cluster."""
        best = dict.fromkeys(self.a, Fraction(0))
        for (row, column), n in self.cells.items():
            if not isinstance(column, tuple):
                best[row] = max(best[row], Fraction(2 * n, self.a[row] + self.b[column]))
        return best

    @property
    def found(self):
        """How many reference clusters are found, and how many of them exactly."""
        best = self.f1.values()
        return sum(each >= Fraction(4, 5) for each in best), sum(each == 1 for each in best)

    @property
    def misplaced(self):
        rows, columns = (list(each) for each in (self.a, self.b))
        table = np.zeros((len(rows), len(columns)))
        places = [{label: i for i, label in enumerate(each)} for each in (rows, columns)]
        for (row, column), n in self.cells.items():
            table[places[0][row], places[1][column]] = n
        chosen = linear_sum_assignment(table, maximize=True)
        return self.size - int(table[chosen].sum())

    @property
    def bcubed_f(self):
        over = [Fraction(n * n, each[pair[k]]) for pair, n in self.cells.items() for k, each in self.sides]
        recall, precision = sum(over[::2]) / self.size, sum(over[1::2]) / self.size
        return float(2 * recall * precision / (recall + precision))

    @property
    def sides(self):
        return ((0, self.a), (1, self.b))


# -- checks -----------------------------------------------------------------------------------------


def check_header(page, count):
    """Records, clusters, noise and pairs."""
    noise = f" and {count.in_noise:,} noise records ({percent(count.in_noise, count.size)})"
    for number, side in enumerate(("reference", "candidate")):
        clusters = count.clusters[number]
        words = (
            f"{clusters:,} cluster{'' if clusters == 1 else 's'}{noise if number and count.in_noise else ''}"
        )
        assert f"{words} in the {side}" in page
    assert f" {count.size:,} records: " in page
    if count.n10 or count.n01:
        together, missed, wrong = (f"{n:,}" for n in (count.n11, count.n10, count.n01))
        assert (
            f"Pairs: {together} together in both, {missed} missed (together in the reference only), "
            f"{wrong} wrong (together in the candidate only)." in page
        )
    else:
        assert "Pairs:" not in page
        assert "are identical" in page


def check_verdicts(page, text, c, count):
    """The legend of the bar: clusters by verdict add up, and their records do."""
    below = page.partition(" records: ")[2].partition(" The bar shows the records")[0]
    legend = re.findall(
        r"(\d[\d,]*) (exact|nearly|split and merged|split|merged|scattered)(?: (\d[\d,]*) records?, )?", below
    )
    clusters = {word: int(number.replace(",", "")) for number, word, _ in legend}
    records = {word: int((each or "0").replace(",", "")) for _, word, each in legend}
    assert sum(clusters.values()) == len(count.a)
    assert sum(records.values()) == count.size
    assert (clusters["exact"] + clusters["nearly"], clusters["exact"]) == count.found
    judged = Counter(each.verdict for each in c.clusters(limit=None))
    assert clusters == {word: judged[word] for word in clusters}
    for word, number in clusters.items():
        if number:
            assert re.search(rf"(?<!\S){word} +{number:,} +{records[word]:,} ", text)


def check_indices(page, text, notebook, c, count):
    """Values of the four indices; pair counting is counted again."""
    assert len(c.headline_indices) == 4
    own = {
        "precision": (count.n11, count.n11 + count.n01),
        "recall": (count.n11, count.n11 + count.n10),
        "cluster_recall": (count.found[1], len(count.a)),
    }
    for name in c.headline_indices:
        value = c[name]
        if name in own and own[name][1]:
            assert value == pytest.approx(own[name][0] / own[name][1], abs=1e-12)
        if name == "bcubed_f":
            assert value == pytest.approx(count.bcubed_f, abs=1e-12)
        shown = f"{value + 0.0:.4f}".replace("-0.0000", "0.0000")
        shown = re.escape(shown) if 5e-5 < abs(value) < 1 - 5e-5 or value in (0, 1) else r"[<>-]?\S+"
        assert re.search(rf"{shown} {re.escape(INDICES[name].title)}", page)
        assert re.search(rf"(?<!\S){name} +{shown} ", text)
        assert re.search(rf"{shown} {name}", notebook)


def check_headline(sentence, count):
    """Each number in the headline."""
    if count.in_noise and sentence.startswith(percent(count.in_noise, count.size)):
        assert "noise in the candidate" in sentence
        return
    if "than chance" in sentence or "identical" in sentence:
        return
    extent = re.match(
        r"(\S+) of (?:(?:the )?records|([\d,]+) records) (?:is|are) in the wrong cluster", sentence
    )
    if extent:
        number = count.misplaced
        assert extent[1] == (f"{number:,}" if extent[2] else percent(number, count.size))
    else:
        assert re.match(
            r"(Candidate|Reference) cluster .* (mixes|merges|is split) .*holds (all|\S+% of the)", sentence
        )


def check_advice(page, text, notebook, count):
    """The fix that is advised: made on the labels, it has the value and the gain that is claimed."""
    advice = re.search(r"Fix first: .*?; bcubed_f.*? becomes >?\d\.\d+(?: \(\+\d\.\d+\))?", page)
    assert bool(advice) == ("Fix first" in text) == ("Fix first" in notebook)
    if not advice:
        return
    for screen in (text, notebook):  # there, labels that could be misread are in quotes
        assert unquoted(advice[0]) in unquoted(screen)
    if "in clusters of both sides" in advice[0]:  # noise is not edited
        inside = [i for i, label in enumerate(count.v) if not count.is_outside(label)]
        count = Count([count.u[i] for i in inside], [count.v[i] for i in inside])
    value = re.search(r"becomes (\S+)", advice[0])[1]
    if group := re.search(r"first: ([\d,]+) (merge|split|single-record move)s?, together", advice[0]):
        fixed, edits = made_together(group[2], count)
        assert group[1] == f"{edits:,}"
    elif pieces := re.search(r"(merge|bring) the ([\d,]+) pieces of", advice[0]):
        fixed, edits = made_together("merge" if pieces[1] == "merge" else "single-record move", count)
        assert len({v for u, v in count.cells if u == pieces_of(count, fixed)}) == int(pieces[2])
    elif lump := re.search(r"split candidate cluster (\S+), which", advice[0]):
        lump = next(label for label in count.b if str(label) == lump[1])
        fixed = [(u, v) if v == lump else v for u, v in zip(count.u, count.v, strict=True)]
    else:
        fixed = made(advice[0], count)
    if count.noise_as == "singletons":
        fixed = [("alone", i) if label in (None, count.noise) else label for i, label in enumerate(fixed)]
    new = Count(count.u, fixed).bcubed_f
    assert value == f"{new:.4f}"
    gain = re.search(r"\+([\d.]+)", advice[0])[1]
    assert gain == f"{new - count.bcubed_f:.4f}"


def unquoted(text):
    return " ".join(re.sub("['\u2068\u2069]", "", text).split())


def pieces_of(count, fixed):
    """The only reference cluster of which an edit changed records."""
    (own,) = {u for u, v, w in zip(count.u, count.v, fixed, strict=True) if v != w}
    return own


def made_together(kind, count):
    """The labels after all edits of a kind, by their definition, and how many edits these are."""
    homes, owners = {}, {}  # the largest piece of each cluster: of equal ones, that with the first label
    for u, v in sorted(count.cells, key=lambda cell: [(type(label).__name__, label) for label in cell]):
        n = count.cells[u, v]
        homes[u] = max(homes.get(u, (0, None)), (n, v), key=lambda each: each[0])
        owners[v] = max(owners.get(v, (0, None)), (n, u), key=lambda each: each[0])
    target, edits = {}, 0
    for (u, v), n in count.cells.items():
        is_home, owns = homes[u][1] == v, owners[v][1] == u
        if kind == "merge" and owns and not is_home and n > 1:
            target.update({(other, v): homes[u][1] for other, column in count.cells if column == v})
            edits += 1
        elif kind == "split" and is_home and not owns:
            target[u, v] = ("split", u, v)
            edits += 1
        elif kind == "single-record move" and not is_home and (not owns or n == 1):
            target[u, v] = homes[u][1]
            edits += n
    fixed = list(count.v)
    for place, cell in enumerate(zip(count.u, count.v, strict=True)):
        while (cell[0], fixed[place]) in target and fixed[place] != target[cell[0], fixed[place]]:
            fixed[place] = target[cell[0], fixed[place]]
    return fixed, edits


def made(advice, count):
    """The labels of the candidate after a split, a merge or a move in words; digits may be in quotes."""
    spelled = {label: str(label) for label in (*count.a, *count.b)}

    def named(side, text):
        return next(label for label in side if unquoted(spelled[label]) == unquoted(text))

    fixed = list(count.v)
    words = r"split candidate cluster (.+?): take out (?:the )?([\d,]+) records? (not )?.* cluster (.+?);"
    if split := re.search(words, advice):
        column, row = named(count.b, split[1]), named(count.a, split[4])
        pairs = enumerate(zip(count.u, count.v, strict=True))
        leaving = [i for i, (u, v) in pairs if v == column and (u == row) != bool(split[3])]
        assert 2 * len(leaving) <= count.b[column]
        assert int(split[2].replace(",", "")) == len(leaving)
        for i in leaving:
            fixed[i] = "a new cluster"
        return fixed
    if merge := re.search(
        r"merge candidate cluster (.+?) \(([\d,]+) .* into candidate cluster (.+?);", advice
    ):
        column, into = named(count.b, merge[1]), named(count.b, merge[3])
        assert int(merge[2].replace(",", "")) == count.b[column]
        return [into if label == column else label for label in fixed]
    if moves := re.search(
        r"move ([\d,]+) records of reference cluster (.+?) from candidate cluster (.+?) to .* cluster (.+?);",
        advice,
    ):
        cell = named(count.a, moves[2]), named(count.b, moves[3])
        assert int(moves[1].replace(",", "")) == count.cells[cell]
        into = named(count.b, moves[4])
        return [into if pair == cell else pair[1] for pair in zip(count.u, count.v, strict=True)]
    move = re.search(
        r"move record (\d+) of reference cluster (.+?) from .* to candidate cluster (.+?);", advice
    )
    assert count.u[int(move[1])] == named(count.a, move[2])
    fixed[int(move[1])] = named(count.b, move[3])
    return fixed


@pytest.mark.parametrize("situation", SITUATIONS)
def test_the_first_screen_is_true(situation, tmp_path):
    u, v, options = SITUATIONS[situation]
    c, count = cc.compare(u, v, **options), Count(u, v, **options)
    page, text, notebook = screens(c, tmp_path)
    for screen in (page, text, notebook):
        assert screen.startswith(c.headline)
    assert c.summary().headline == c.headline
    check_header(page, count)
    if count.noise is None:
        check_verdicts(page, text, c, count)
    check_indices(page, text, notebook, c, count)
    check_headline(c.headline, count)
    check_advice(page, text, notebook, count)


# -- weights ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(6))
def test_weights_are_compared_as_repeated_records_are(seed, tmp_path):
    """Shares of weight are those of records, each repeated as often as it weighs."""
    source = np.random.default_rng(seed)
    u, v = mixed(120, 6, source.random(), source)
    weights = source.integers(1, 5, 120).tolist()
    repeated = [[x for x, w in zip(side, weights, strict=True) for _ in range(w)] for side in (u, v)]
    halves = cc.compare(u, v, weights=[w / 2 for w in weights])
    c, plain_one = cc.compare(u, v, weights=weights), cc.compare(*repeated)
    page, text, notebook = screens(c, tmp_path)
    assert c.headline == halves.headline
    for screen in (page, text, notebook):
        assert screen.startswith(c.headline)
    for side in ("reference", "candidate"):
        mine, other = getattr(c.summary(), side), getattr(plain_one.summary(), side)
        assert mine.clusters == other.clusters
        assert mine.records == other.records
        of_halves = getattr(halves.summary(), side)
        assert {word: 2 * w for word, w in of_halves.records.items()} == mine.records
    count = Count(*repeated)
    pairs = f"{count.n10:,} missed (together in the reference only), {count.n01:,} wrong"
    assert pairs in page
    records = c.summary().reference.records
    for word, weight in records.items():
        if weight:
            assert f"{word} weight {weight}, {percent(weight, sum(records.values()))}" in page
            assert re.search(rf"{word} +\d+ +{weight} ", text)
    if share := re.search(r"(\S+) of the weight is in the wrong cluster", c.headline):
        assert share[1] == percent(count.misplaced, count.size)
    if "than chance" not in plain_one.headline:
        assert plain_one.headline.replace("of the records are", "of the weight is") == c.headline


# -- covers -----------------------------------------------------------------------------------------


def test_covers_have_the_same_header(tmp_path):
    cases = [
        ([[1, 2, 3], [3, 4], [5, 6, 7, 8]], [[1, 2], [3, 4], [5, 6, 7, 8]]),
        ([[1, 2, 3], [3, 4], [5, 6, 7, 8]], [[1, 2, 3, 4], [5, 6]]),
        ([[1, 2, 3], [3, 4], [5, 6, 7, 8]], [[1, 2, 3, 4, 5, 6, 7, 8]]),
        ([[1, 2, 3, 4, 5, 6, 7, 8]], [[1, 2, 3], [3, 4], [5, 6, 7, 8]]),
    ]
    for seed in range(8):
        source = np.random.default_rng(seed)
        sides = [
            [np.unique(source.integers(0, 30, source.integers(2, 12))).tolist() for _ in range(6)]
            for _ in "uv"
        ]
        cases.append((sides[0], [*sides[0][:3], *sides[1][3:]]))
    for sides in cases:
        check_covers(*sides, tmp_path)


def check_covers(u, v, folder):
    c = cc.compare(cc.Cover.from_clusters(u), cc.Cover.from_clusters(v))
    page, text, notebook = screens(c, folder)
    for screen in (page, text, notebook):
        assert screen.startswith(c.headline)
    records = {x for side in (u, v) for cluster in side for x in cluster}
    f1 = [[Fraction(2 * len({*x} & {*y}), len(x) + len(y)) for y in v] for x in u]
    best = [max(row) for row in f1]
    found, exact = sum(each >= Fraction(4, 5) for each in best), sum(each == 1 for each in best)
    memberships = sum(map(len, u))
    missed = sum(len(x) - len({*x} & {*v[int(np.argmax(row))]}) for x, row in zip(u, f1, strict=True))
    if share := re.search(r"(\S+) of the memberships are missed", page):
        assert share[1] == percent(missed, memberships)
    outside = [len(records - {x for cluster in side for x in cluster}) for side in (u, v)]
    for number, title in enumerate(("reference", "candidate")):
        if outside[number]:
            share = percent(outside[number], len(records))
            assert f"{outside[number]} record{'s' * (outside[number] > 1)} in no cluster ({share})" in page
        if dominant := re.search(
            rf"(\S+) of (\d+) records (?:is|are) in no cluster of the {title}", c.headline
        ):
            assert [int(x) for x in dominant.groups()] == [outside[number], len(records)]
    assert 3 * sum(outside) <= len(records) or "in no cluster of the" in c.headline
    judged = c.summary().reference
    assert (judged.found, judged.clusters["exact"], judged.size) == (found, exact, memberships)


# -- other data -------------------------------------------------------------------------------------


def test_background_is_on_the_first_screen(tmp_path):
    truth = np.repeat(np.arange(1, 5), 100).reshape(20, 20)
    found = np.where(np.arange(400).reshape(20, 20) % 2 == 0, 0, truth)
    found[truth == 4] = np.where(found[truth == 4] == 4, 3, 0)
    c = cc.compare(truth, found, reference_noise={0: "background"}, candidate_noise={0: "background"})
    page, text, notebook = screens(c, tmp_path)
    share = percent(int((found == 0).sum()), found.size)
    for screen in (page, text, notebook):
        assert screen.startswith(f"{share} of the pixels are background in the candidate")
        assert f"{int((found == 0).sum())} background pixels ({share})" in screen
    assert c.recognition_quality == 0.0  # no object has more than half of its pixels
    assert "Panoptic quality" in page


def test_coreference_has_the_same_header(tmp_path):
    key = {"d": [{"a", "b", "c"}, {"d", "e"}], "e": [{"f", "g"}]}
    c = cc.coreference(key, {"d": [{"a", "b"}, {"c", "d", "e"}], "e": [{"f", "g"}]}).comparison
    page, text, notebook = screens(c, tmp_path)
    for screen in (page, text, notebook):
        assert screen.startswith(c.headline)
        for name in ("conll", "muc_f1", "bcubed_f", "ceaf_e_f1"):
            assert f"{c[name]:.4f}" in screen
    # {a, b, c} with {a, b}: F1 4/5; {d, e} with {c, d, e}: 4/5; {f, g} is exact
    assert c.headline == "1 of 7 mentions is in the wrong cluster, from reference cluster 'd: a +2'"
    assert "2 reference clusters are nearly right and lose 1 mention" in page


@pytest.mark.parametrize("treatment", ["singletons", "keep"])
def test_records_of_one_side_are_a_hatched_node(treatment, tmp_path):
    truth = {i: i // 10 for i in range(60)}
    c = cc.compare(truth, {i: x for i, x in truth.items() if i % 3}, unmatched=treatment)
    page = c.to_html(tmp_path / "page.html").read_text("utf-8")
    assert "candidate: only in the reference" in page
    (node,) = [node for node in c._report_data().flow.columns if node.is_hatched]
    assert (node.label, node.size) == ("only in the reference", 20)
    for screen in screens(c, tmp_path):
        assert "20 missing records (33%)" in screen
    assert '<i class="outside" style="flex:0.33333 1 0"></i>' in page


def test_a_single_noise_record_is_a_node(tmp_path):
    u, v = list("aaabbb"), list("xxxyyz")
    c = cc.compare(u, v, noise="z", noise_as="singletons")
    (node,) = [node for node in c._report_data().flow.columns if node.is_hatched]
    assert (node.label, node.size) == ("noise", 1)
    assert "noise" in c.to_html(tmp_path / "page.html").read_text("utf-8")


def test_a_diff_counts_true_clusters_by_what_became_of_them(tmp_path):
    truth, old = mixed(400, 40, 0.1)
    new = np.where(RNG.random(400) < 0.5, truth, old).tolist()
    diff = cc.diff(old, new, reference=truth)
    right = [{x for x, f1 in Count(truth, side).f1.items() if f1 >= Fraction(4, 5)} for side in (old, new)]
    expected = {"fixed": len(right[1] - right[0]), "broken": len(right[0] - right[1])}
    page = diff.to_html(tmp_path / "page.html").read_text("utf-8").partition("<nav")[0]
    summary = diff.summary().clusters
    assert expected == {word: summary[word] for word in expected}
    assert sum(summary.values()) == len(set(truth))
    for number in expected.values():
        assert re.search(rf"\b{number}\b", plain(page[page.index("<h1") :]))


# -- many partitions, files, samples ----------------------------------------------------------------


def ari(u, v):
    count, pairs = Count(u, v), len(u) * (len(u) - 1) // 2
    mine, theirs = count.n11 + count.n10, count.n11 + count.n01
    by_chance = Fraction(mine * theirs, pairs)
    return float((count.n11 - by_chance) / (Fraction(mine + theirs, 2) - by_chance))


def first_screen(result, folder):
    """The header of a page, and all that is below it, as plain text."""
    page = result.to_html(folder / "page.html").read_text("utf-8")
    header, _, rest = page[page.index("<h1") :].partition("<nav")
    return plain(header), plain(rest)


@pytest.mark.parametrize("number", [12, 60])
def test_matrices_name_the_nearest_and_the_most_central(number, tmp_path):
    truth = (np.arange(60) % 4).tolist()
    source = np.random.default_rng(number)
    runs = {
        f"run {i}": np.where(source.random(60) < i / 70, source.integers(0, 4, 60), truth).tolist()
        for i in range(number)
    }
    values = {pair: ari(runs[pair[0]], runs[pair[1]]) for pair in combinations(runs, 2)}
    own = {x: [value for pair, value in values.items() if x in pair] for x in runs}
    means = {x: round(sum(each), 9) for x, each in own.items()}
    central = [x for x, mean in means.items() if mean == max(means.values())]
    header, below = first_screen(cc.matrix(runs), tmp_path)
    mean = f"{max(means.values()) / (number - 1):.4f}"
    names, each = f"{central[0]} is", ""
    if len(central) > 1:
        names, each = f"{', '.join(central[:-1])} and {central[-1]} are", " each"
    assert header.startswith(f"{names} most similar to all others (mean Adjusted Rand index {mean}{each})")
    for x, all_values in own.items():
        assert f"{max(all_values):.4f} {sum(all_values) / (number - 1):.4f}" in below.partition(f" {x} ")[2]
    judged = {x: values["run 0", x] for x in runs if x != "run 0"}
    nearest = [x for x, value in judged.items() if value == max(judged.values())]
    header, below = first_screen(cc.matrix(runs, reference="run 0"), tmp_path)
    names, each = (f"{nearest[0]} is", "") if len(nearest) == 1 else (f"{' and '.join(nearest)} are", " each")
    value = f"{judged[nearest[0]]:.4f}"
    assert header.startswith(f"{names} nearest to run 0 (Adjusted Rand index {value}{each})")
    for x, value in judged.items():
        assert re.search(rf"{x} {value + 0.0:.4f}", below) or abs(value) < 5e-5


@pytest.mark.parametrize("seed", range(3))
def test_a_track_of_six_counts_events_by_their_definition(seed, tmp_path):
    source, labels = np.random.default_rng(seed), np.repeat(np.arange(8), 12)
    stages = {"January": labels.tolist()}
    for name in ("February", "March", "April", "May", "June"):
        labels = np.where(source.random(96) < 0.15, source.integers(0, 12, 96), labels)
        labels = np.where(labels == source.integers(8), source.integers(8), labels)
        stages[name] = labels.tolist()
    totals, rows = Counter(), []
    for old, new in pairwise(stages.values()):
        count = Count(old, new)
        ends = {pair: (count.a[pair[0]], count.b[pair[1]]) for pair in count.cells}
        links = [
            pair
            for pair, n in count.cells.items()
            if 2 * n > min(ends[pair]) and (min(ends[pair]) > 1 or max(ends[pair]) <= 2)
        ]
        after, before = (Counter(pair[side] for pair in links) for side in (0, 1))
        events = {
            "split": sum(n > 1 for n in after.values()),
            "merge": sum(n > 1 for n in before.values()),
            "birth": len(count.b) - len(before),
            "death": len(count.a) - len(after),
        }
        totals.update(events)
        single = sum(after[x] == 1 == before[y] for x, y in links)
        rows.append((len(count.b), 96, single, *events.values()))
    header, below = first_screen(cc.track(stages), tmp_path)
    found = [(word not in ("split", "merge"), -n, word) for word, n in totals.items() if n]
    words = [f"{-n} {word}{'s' * (-n > 1)}" for _, n, word in sorted(found)[:2]]
    assert all(header.count(each) == 1 for each in words)
    steps = below[below.index(" Partition ") :]
    for name, row in zip([*stages][1:], rows, strict=True):
        assert f" {name} {' '.join(map(str, row))} 0 0" in steps
    for old, new in pairwise(stages.values()):
        assert f"ARI {ari(old, new):.2f}" in below


def test_files_with_records_have_the_same_first_screen(tmp_path, run):
    u, v = mixed(60, 12, 0.2)
    for name, labels in (("truth", u), ("found", v)):
        rows = "".join(f"p{i},{label}\n" for i, label in enumerate(labels))
        (tmp_path / f"{name}.csv").write_text(f"id,cluster\n{rows}")
    (tmp_path / "people.csv").write_text("id,name\n" + "".join(f"p{i},Ann {i}\n" for i in range(60)))
    files = [str(tmp_path / f"{name}.csv") for name in ("truth", "found", "people")]
    run("compare", *files[:2], "--html", str(tmp_path / "page.html"), "--details", files[2])
    page, count = (tmp_path / "page.html").read_text("utf-8"), Count(u, v)
    header = plain(page[page.index("<h1") :].partition("<nav")[0])
    check_headline(header.replace("truth cluster", "reference cluster"), count)
    assert f"60 records: {len(count.a)} clusters in truth (the reference)" in header
    pairs = (
        f"{count.n11} together in both, {count.n10} missed (together in the reference only), {count.n01} w"
    )
    assert pairs in header
    footer = plain(page[page.index("<footer") :])
    assert all(path in footer for path in files)
    mixed_up = next(i for i, (x, y) in enumerate(zip(u, v, strict=True)) if count.cells[x, y] < count.a[x])
    assert f"Ann {mixed_up}" in page


def test_an_estimate_counts_its_sample():
    found = {i: i // 4 if i % 7 else 500 + i // 21 for i in range(400)}
    text = str(cc.estimate({i: i // 4 for i in range(80)}, found, sampling="clusters"))
    assert "\nEstimates for 400 records from 20 labelled clusters of 80 records" in text
    members = {}
    for i, label in found.items():
        members.setdefault(label, set()).add(i)
    labelled = [set(range(4 * k, 4 * k + 4)) for k in range(20)]
    recall = [sum(len(each & members[found[i]]) for i in each) / 16 for each in labelled]
    expected = {
        "cluster_recall": sum(each in members.values() for each in labelled) / 20,
        "bcubed_recall_macro": sum(recall) / 20,
    }
    for name, value in expected.items():
        assert re.search(rf"(?m)^{name} +{value:.4f} ", text)
